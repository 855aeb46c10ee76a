//! Faults in the transforms are found by the random programs: each seeded one fails the batch.
//!
//! `cargo test -p differentiation-interface-compiler --test mutations -- --nocapture` shows how soon. Faults can be seeded in builds with debug
//! assertions alone.

#![cfg(debug_assertions)]
#![allow(clippy::unwrap_used)]

#[allow(dead_code, unused_imports, unused_macros)]
#[path = "compiler/programs/mod.rs"]
mod programs;

use di_compiler::mutation::{ALL, Mutation, with};
use di_fuzz::{Random, program};
use programs::adjoint::{Functions, derivatives_are_right};

/// Programs of the batch of `.ci/run`.
const PROGRAMS: u64 = 2000;

/// First seeds of the faults that few programs show, as this test printed them: they are tried before the others, which
/// would take minutes. A change of the programs makes them out of date, not wrong.
const LATE: &[(Mutation, u64)] = &[
    (Mutation::AccumulatorLost, 26),
    (Mutation::BaseLost, 33),
    (Mutation::BreakContinues, 40),
    (Mutation::ClearedForLong, 30),
    (Mutation::CopyNotZeroed, 45),
    (Mutation::EarlierLost, 23),
    (Mutation::FallingOneLess, 1017),
    (Mutation::FieldNotZeroed, 63),
    (Mutation::FreshNotFilled, 37),
    (Mutation::GrowthLost, 658),
    (Mutation::IdleLoopRecorded, 87),
    (Mutation::KeptTooEarly, 54),
    (Mutation::LocalTakenForLeft, 172),
    (Mutation::LocalTakenForWritten, 829),
    (Mutation::MoveNotReversed, 46),
    (Mutation::NegationDistributed, 65),
    (Mutation::NegationForgotten, 48),
    (Mutation::ReachForgotten, 75),
    (Mutation::RisingOneMore, 141),
    (Mutation::RunningIndexLate, 36),
    (Mutation::RunningTotalLost, 33),
    (Mutation::SharedArgumentLost, 21),
    (Mutation::StepForwards, 144),
    (Mutation::StepOneMore, 1017),
    (Mutation::TangentDifferenceAdded, 100),
    (Mutation::TangentOfCopyKept, 48),
    (Mutation::WindowNotFlushed, 964),
];

/// Whether the derivatives of the program of a seed are found right.
fn passes(seed: u64, helpers: &Functions) -> bool {
    let run = || {
        let mut functions = helpers.clone();
        functions.add("f", &program(seed).source);
        let mut random = Random::new(seed);
        for _ in 0..4 {
            if derivatives_are_right("f", &mut functions, &mut random) {
                break;
            }
        }
    };
    programs::quietly(run).is_some()
}

/// Whether a parameter varies that a call of its module varies.
fn parameters_are_right() -> bool {
    let source = "mod m {
        fn h(x: f64, k: f64) -> f64 { x * k }
        pub fn f(x: f64) -> f64 { h(x, x) }
    }";
    let found = di_compiler::constants_str(source).into_iter();
    found.map(|(_, constants)| constants.len()).eq([0, 0])
}

/// Loops with places that each trip writes anew, and those that only look like them: few random programs have any.
const RENEWED: &[(&str, &str)] = &[
    (
        "g",
        "fn g(n: usize, x: &[f64], y: &mut [f64]) { for k in 0..n { y[k] = x[k].sin(); } }",
    ),
    (
        "norm",
        "fn norm(x: &[f64]) -> f64 { x.iter().map(|v| v * v).sum() }",
    ),
    (
        "read_after",
        "fn read_after(p: &[f64]) -> f64 {
            let (mut v, mut s) = (0.0, 0.0);
            for i in 0..p.len() { v = (0.5 * p[i]).sin(); s += v * v; }
            s + v
        }",
    ),
    (
        "read_before",
        "fn read_before(p: &[f64]) -> f64 {
            let (mut w, mut s) = ([0.3, 0.1], 0.0);
            for i in 0..p.len() {
                w[0] = p[i].sin();
                s += w[0] * w[1];
                w[1] = (p[i] * w[0]).cos();
            }
            s
        }",
    ),
    (
        "rows",
        "fn rows(p: &[f64]) -> f64 {
            let (mut v, mut s) = ([0.1; 6], 0.0);
            for i in 0..p.len() {
                g((i * 5) % 6, p, &mut v);
                let d: f64 = norm(&v);
                s += d * p[i];
            }
            s
        }",
    ),
];

fn renewals_are_right() -> bool {
    let run = || {
        let mut functions = Functions::new(RENEWED);
        for name in ["read_after", "read_before", "rows"] {
            derivatives_are_right(name, &mut functions, &mut Random::new(1));
        }
    };
    programs::quietly(run).is_some()
}

/// The first seed that shows the fault.
fn found_at(mutation: Mutation) -> Option<u64> {
    with(mutation, || {
        // programs of one function have no parameters that are inferred
        if !parameters_are_right() {
            return Some(0);
        }
        if !renewals_are_right() {
            return Some(0);
        }
        // a fault may stop the compiler itself
        let Some(helpers) = programs::quietly(Functions::helpers) else {
            return Some(0);
        };
        let known = LATE.iter().filter(|(fault, _)| *fault == mutation);
        let mut seeds = known.map(|(_, seed)| *seed).chain(1..=PROGRAMS);
        seeds.find(|seed| !passes(*seed, &helpers))
    })
}

#[test]
fn each_seeded_fault_is_found() {
    let threads = 2;
    let found: Vec<(Mutation, Option<u64>)> = std::thread::scope(|scope| {
        let part = |k| {
            move || {
                ALL.iter()
                    .skip(k)
                    .step_by(threads)
                    .map(|m| (*m, found_at(*m)))
                    .collect::<Vec<_>>()
            }
        };
        let parts: Vec<_> = (0..threads).map(|k| scope.spawn(part(k))).collect();
        parts.into_iter().flat_map(|p| p.join().unwrap()).collect()
    });
    // it is the fault that is found
    assert!(renewals_are_right(), "without a fault");
    let helpers = Functions::helpers();
    for seed in found
        .iter()
        .filter_map(|(_, seed)| *seed)
        .filter(|s| *s > 0)
    {
        assert!(passes(seed, &helpers), "seed {seed} fails without a fault");
    }
    for (mutation, seed) in &found {
        println!("{mutation:?}: {seed:?}");
    }
    let missed: Vec<&Mutation> = found
        .iter()
        .filter(|(_, s)| s.is_none())
        .map(|(m, _)| m)
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
    assert!(found.len() >= 20);
}
