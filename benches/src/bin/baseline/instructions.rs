//! Instructions of one call, counted by callgrind: other work on the machine does not change them.

use super::program::{Program, root};
use std::error::Error;
use std::process::Command;

/// The main kernels: cases whose pieces are counted.
const KERNELS: [&str; 11] = [
    "sumsq n=10",
    "sumsq n=1000",
    "rosenbrock n=10",
    "rosenbrock n=1000",
    "fit n=1000",
    "lotka_volterra",
    "mlp",
    "lstm l2 c1024",
    "ba",
    "gmm d10 K25",
    "listing2 n=1000",
];

/// Calls more than in the run that is subtracted, at least.
const CALLS: u64 = 16;

/// What these calls count together, at least: runs of one program differ by some dozens.
const ENOUGH: u64 = 1_000_000;

/// A difference to be told: counts vary a little with where memory happens to be.
const FLOOR: f64 = 0.005;

/// Whether there is anything that counts.
pub(super) fn available() -> Result<(), Box<dyn Error>> {
    let version = Command::new("valgrind").arg("--version").output();
    match version {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err("valgrind was not found, which counts instructions".into()),
    }
}

/// Whether the pieces of this case are counted.
pub(super) fn is_kernel(case: &str) -> bool {
    KERNELS.contains(&case)
}

/// Prints how the counts of two programs compare; returns how many pieces have more with the first.
pub(super) fn compare(programs: &[Program; 2], part: &str) -> Result<usize, Box<dyn Error>> {
    available()?;
    println!("case\tpiece\tthis\tother\tthis/other\tverdict");
    let mut more = 0;
    for case in programs[0]
        .cases(part)?
        .into_iter()
        .filter(|c| is_kernel(c))
    {
        for piece in programs[0].pieces(&case)? {
            let this = of_one_call(&programs[0], &case, &piece)?;
            let other = of_one_call(&programs[1], &case, &piece)?;
            let ratio = this as f64 / other as f64;
            let verdict = if ratio > 1.0 + FLOOR {
                more += 1;
                "slower"
            } else if ratio < 1.0 - FLOOR {
                "faster"
            } else {
                "even"
            };
            println!("{case}\t{piece}\t{this}\t{other}\t{ratio:.3}\t{verdict}");
        }
    }
    Ok(more)
}

/// What several calls count more than one, divided by how many they are: preparation and checks go out of it.
pub(super) fn of_one_call(
    program: &Program,
    case: &str,
    piece: &str,
) -> Result<u64, Box<dyn Error>> {
    let one = of_run(program, case, piece, 1)?;
    let of = |calls| {
        let more = of_run(program, case, piece, 1 + calls)?;
        Ok::<u64, Box<dyn Error>>(more.saturating_sub(one))
    };
    let found = of(CALLS)?;
    if found >= ENOUGH {
        return Ok(found / CALLS);
    }
    let calls = CALLS * ENOUGH.div_ceil(found.max(1));
    Ok(of(calls)? / calls)
}

fn of_run(program: &Program, case: &str, piece: &str, calls: u64) -> Result<u64, Box<dyn Error>> {
    let out = root().join("target/baseline/callgrind.out");
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--tool=callgrind");
    valgrind.arg(format!("--callgrind-out-file={}", out.display()));
    let calls = calls.to_string();
    let options = ["--only", case, "--piece", piece, "--calls", &calls];
    let output = program.below(&mut valgrind, &options)?;
    let said = String::from_utf8_lossy(&output.stderr);
    // ==1== Collected : 123456
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let count = collected.and_then(|(_, count)| count.trim().parse().ok());
    match count {
        Some(count) if output.status.success() => Ok(count),
        _ => Err(format!("{case}, {piece}: callgrind said\n{said}").into()),
    }
}
