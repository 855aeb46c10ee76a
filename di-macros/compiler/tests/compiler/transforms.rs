//! The transforms on the IR, run by the evaluator, on the programs and on random ones.

use crate::programs::adjoint::{Functions, Random, derivatives_are_right};
use crate::programs::list::SOURCES;
use di_fuzz::{Coverage, program};
use std::panic::catch_unwind;

#[test]
fn derivatives_of_all_programs_agree() {
    let mut functions = Functions::new(SOURCES);
    let mut random = Random::new(42);
    let mut idle = Vec::new();
    for (name, _) in SOURCES {
        let tried = (0..60)
            .filter(|_| derivatives_are_right(name, &mut functions, &mut random))
            .count();
        if tried < 10 {
            idle.push(format!("{name}: {tried}"));
        }
    }
    assert!(idle.is_empty(), "too few smooth points: {idle:?}");
}

/// What a batch of random programs came to.
#[derive(Default)]
struct Batch {
    coverage: Coverage,
    /// Programs that are smooth somewhere.
    smooth: usize,
    /// Seed and source of those that failed.
    failed: Vec<(u64, String)>,
}

/// Programs that are tried at several points until one is smooth.
fn batch(seeds: impl Iterator<Item = u64>) -> Batch {
    let helpers = Functions::helpers();
    let mut batch = Batch::default();
    for seed in seeds {
        let program = program(seed);
        batch.coverage.add(&program);
        let checked = catch_unwind(|| {
            let mut functions = helpers.clone();
            functions.add("f", &program.source);
            let mut random = Random::new(seed);
            (0..4).any(|_| derivatives_are_right("f", &mut functions, &mut random))
        });
        match checked {
            Ok(smooth) => batch.smooth += usize::from(smooth),
            Err(_) => batch.failed.push((seed, program.source)),
        }
    }
    batch
}

/// Programs that are run unless `DI_FUZZ` says otherwise, see `.ci/long`.
const FEW: u64 = 600;
/// Programs in which each construct must occur.
const MANY: u64 = 3600;

#[test]
fn random_programs_have_each_construct_often() {
    let mut coverage = Coverage::default();
    for seed in 1..=MANY {
        coverage.add(&program(seed));
    }
    let missing = coverage.missing(50, 10);
    assert!(missing.is_empty(), "too rare: {missing:#?}");
}

/// `DI_FUZZ=<number>` runs that many programs, `DI_SEED=<number>` starts elsewhere; the counts of constructs
/// are shown with `-- --nocapture`.
#[test]
fn derivatives_of_random_programs_agree() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let (count, start) = (
        number("DI_FUZZ").unwrap_or(FEW),
        number("DI_SEED").unwrap_or(1),
    );
    let threads = 2;
    let batches: Vec<Batch> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|k| {
                scope.spawn(move || batch((start + k..start + count).step_by(threads as usize)))
            })
            .collect();
        parts.into_iter().map(|p| p.join().unwrap()).collect()
    });
    let mut coverage = Coverage::default();
    let mut smooth = 0;
    for batch in &batches {
        coverage.merge(&batch.coverage);
        smooth += batch.smooth;
    }
    println!("{}{smooth} are smooth somewhere", coverage.report());
    let failed: Vec<&(u64, String)> = batches.iter().flat_map(|b| &b.failed).collect();
    if let Some((seed, source)) = failed.first() {
        let seeds: Vec<u64> = failed.iter().map(|(seed, _)| *seed).collect();
        panic!(
            "{} of {count} fail, seeds {seeds:?}, the first: seed {seed}\n{source}",
            failed.len()
        );
    }
    assert!(
        smooth as u64 * 2 > count,
        "only {smooth} of {count} programs are smooth somewhere"
    );
}
