//! The small cases: sums over a vector, and a short differential equation.

use super::{Batches, Outcome, must_agree, print_ratios};
use di::prelude::*;
use di_benches::cases::{direction, input, lotka_volterra as lv, rosenbrock, sumsq};
use di_benches::timing::timed;
use std::hint::black_box;

/// Forward mode takes `n / chunk` sweeps for a gradient: beyond this its time is known, and long.
const DUAL_LIMIT: usize = 1000;

/// As callers do, pieces look at the value: to move it about with the room that an error needs takes 4 ns.
const FITS: &str = "the prep fits the call";

/// The pieces of a gradient: primal, by hand, by operators. A macro, since each handle is a type of its own.
macro_rules! gradient_pieces {
    ($case:expr, $module:ident, $x:expr, $pieces:ident) => {
        let (f, x) = ($module::$module::AD, $x);
        let (source, dual) = (AutoSource::new(), AutoDual::new());
        let [mut a, mut b, mut c, mut d, mut e] = [(); 5].map(|()| vec![0.0; x.len()]);
        let prep = prepare_gradient(f, &source, x)?;
        let prep_dual = prepare_gradient(f, &dual, x)?;
        // What is timed must be right.
        $module::gradient(x, &mut a);
        let value = [$module::primal(x)];
        let found = $module::value_and_gradient(x, &mut b);
        must_agree($case, "hand value", &[found], &value)?;
        must_agree($case, "hand value_and_gradient", &b, &a)?;
        must_agree($case, "AutoSource", &gradient(f, &prep, &source, x)?, &a)?;
        let found = value_and_gradient_into(f, &mut c, &prep, &source, x)?;
        must_agree($case, "AutoSource value", &[found], &value)?;
        must_agree($case, "AutoSource value_and_gradient", &c, &a)?;
        let found = value_and_gradient_into(f, &mut e, &prep_dual, &dual, x)?;
        must_agree($case, "AutoDual value", &[found], &value)?;
        must_agree($case, "AutoDual value_and_gradient", &e, &a)?;
        let mut $pieces = vec![
            timed("primal", || $module::primal(black_box(x))),
            timed("hand", || {
                $module::value_and_gradient(black_box(x), black_box(&mut a))
            }),
            timed("hand gradient", || {
                $module::gradient(black_box(x), black_box(&mut b))
            }),
            timed("value_and_gradient", || {
                value_and_gradient_into(f, black_box(&mut c), &prep, &source, black_box(x))
                    .expect(FITS)
            }),
            timed("gradient", || {
                gradient_into(f, black_box(&mut d), &prep, &source, black_box(x)).expect(FITS)
            }),
        ];
        if x.len() <= DUAL_LIMIT {
            $pieces.push(timed("AutoDual value_and_gradient", || {
                value_and_gradient_into(f, black_box(&mut e), &prep_dual, &dual, black_box(x))
            }));
        }
    };
}

pub(super) fn sumsq(case: &str, n: usize, batches: Batches) -> Outcome {
    let x = input(n);
    gradient_pieces!(case, sumsq, &x[..], pieces);
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("value_and_gradient", "hand"),
            ("gradient", "hand gradient"),
            ("hand", "primal"),
            ("value_and_gradient", "primal"),
            ("AutoDual value_and_gradient", "primal"),
        ],
    );
    Ok(())
}

pub(super) fn rosenbrock(case: &str, n: usize, batches: Batches) -> Outcome {
    let f = rosenbrock::rosenbrock::AD;
    let (x, v) = (input(n), direction(n));
    let (x, v) = (&x[..], &v[..]);
    let (mut by_hand, mut product) = (vec![0.0; n], vec![0.0; n]);
    let source = AutoSource::new();
    let prep_hvp = prepare_hvp(f, &source, x, v)?;
    rosenbrock::hvp(x, v, &mut by_hand);
    let found = hvp(f, &prep_hvp, &source, x, v)?;
    must_agree(case, "hvp", &found, &by_hand)?;
    gradient_pieces!(case, rosenbrock, x, pieces);
    if n == 1000 {
        pieces.push(timed("hvp", || {
            hvp_into(
                f,
                black_box(&mut product),
                &prep_hvp,
                &source,
                black_box(x),
                black_box(v),
            )
        }));
        pieces.push(timed("hand hvp", || {
            rosenbrock::hvp(black_box(x), black_box(v), black_box(&mut by_hand))
        }));
    }
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("value_and_gradient", "primal"),
            ("gradient", "hand gradient"),
            ("hand", "primal"),
            ("value_and_gradient", "hand"),
            ("AutoDual value_and_gradient", "primal"),
            ("hvp", "primal"),
            ("hand hvp", "primal"),
        ],
    );
    Ok(())
}

/// The backend chooses its mode: forward, for four inputs.
pub(super) fn lotka_volterra(case: &str, batches: Batches) -> Outcome {
    let f = lv::lotka_volterra::AD.with(lv::STEPS);
    let x = &lv::PARAMETERS;
    let (backend, backward) = (AutoSource::new(), AutoSource::new().reverse());
    let prep = prepare_gradient(f, &backend, x)?;
    let prep_backward = prepare_gradient(f, &backward, x)?;
    let [mut a, mut b, mut c] = [[0.0; 4]; 3];
    lv::gradient(x, lv::STEPS, &mut a);
    must_agree(case, "AutoSource", &gradient(f, &prep, &backend, x)?, &a)?;
    let found = gradient(f, &prep_backward, &backward, x)?;
    must_agree(case, "AutoSource reverse", &found, &a)?;
    let pieces = vec![
        timed("primal", || lv::primal(black_box(x), black_box(lv::STEPS))),
        timed("hand", || {
            lv::gradient(black_box(x), black_box(lv::STEPS), black_box(&mut a))
        }),
        timed("gradient", || {
            gradient_into(f, black_box(&mut b), &prep, &backend, black_box(x))
        }),
        timed("reverse gradient", || {
            gradient_into(
                f,
                black_box(&mut c),
                &prep_backward,
                &backward,
                black_box(x),
            )
        }),
    ];
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("gradient", "primal"),
            ("hand", "primal"),
            ("gradient", "hand"),
            ("reverse gradient", "primal"),
        ],
    );
    Ok(())
}
