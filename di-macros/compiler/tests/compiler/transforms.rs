//! The transforms on the IR, run by the evaluator, on the programs and on random ones.

use crate::programs::adjoint::{Functions, Random, adjoint_is_right};
use crate::programs::list::SOURCES;
use crate::programs::random::program;

#[test]
fn adjoints_of_all_programs_agree_with_differences() {
    let mut functions = Functions::new(SOURCES);
    let mut random = Random(42);
    let mut idle = Vec::new();
    for (name, _) in SOURCES {
        let tried = (0..60)
            .filter(|_| adjoint_is_right(name, &mut functions, &mut random))
            .count();
        if tried < 10 {
            idle.push(format!("{name}: {tried}"));
        }
    }
    assert!(idle.is_empty(), "too few smooth points: {idle:?}");
}

/// `DI_FUZZ=<number>` runs that many programs, `DI_SEED=<number>` starts elsewhere.
#[test]
fn adjoints_of_random_programs_agree_with_differences() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let (count, start) = (
        number("DI_FUZZ").unwrap_or(150),
        number("DI_SEED").unwrap_or(1),
    );
    let mut smooth = 0;
    for seed in start..start + count {
        let source = program(seed);
        let checked = std::panic::catch_unwind(|| {
            let mut sources: Vec<(&str, &str)> = SOURCES
                .iter()
                .filter(|(n, _)| matches!(*n, "helper" | "scale_into" | "pair"))
                .copied()
                .collect();
            sources.push(("f", &source));
            let mut functions = Functions::new(&sources);
            let mut random = Random(seed);
            (0..6)
                .filter(|_| adjoint_is_right("f", &mut functions, &mut random))
                .count()
        });
        match checked {
            Ok(points) => smooth += usize::from(points > 0),
            Err(_) => panic!("seed {seed}:\n{source}"),
        }
    }
    assert!(
        smooth as u64 * 2 > count,
        "only {smooth} of {count} programs are smooth somewhere"
    );
}
