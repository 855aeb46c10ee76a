//! Derivatives as compiled expressions.

use super::{Batches, Outcome, must_agree, print_ratios};
use di::AutoSymbolic;
use di::prelude::*;
use di_benches::cases::{input, rosenbrock};
use di_benches::timing::timed;
use std::hint::black_box;

/// Gradient of the Rosenbrock function by a program of registers.
pub(super) fn rosenbrock(case: &str, n: usize, batches: Batches) -> Outcome {
    let (f, x, backend) = (rosenbrock::rosenbrock::AD, input(n), AutoSymbolic::new());
    let x = &x[..];
    let (mut g, mut by_hand) = (vec![0.0; n], vec![0.0; n]);
    let prep = prepare_gradient(f, &backend, x)?;
    rosenbrock::gradient(x, &mut by_hand);
    let value = value_and_gradient_into(f, &mut g, &prep, &backend, x)?;
    must_agree(case, "value", &[value], &[rosenbrock::primal(x)])?;
    must_agree(case, "AutoSymbolic", &g, &by_hand)?;
    let pieces = vec![
        timed("primal", || rosenbrock::primal(black_box(x))),
        timed("AutoSymbolic value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g), &prep, &backend, black_box(x))
        }),
        timed("AutoSymbolic prepare", || {
            prepare_gradient(f, &backend, black_box(x)).is_ok()
        }),
    ];
    let ratios = [
        ("AutoSymbolic value_and_gradient", "primal"),
        ("AutoSymbolic prepare", "primal"),
    ];
    print_ratios(case, pieces, batches, &ratios);
    Ok(())
}
