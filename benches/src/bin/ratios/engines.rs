//! Engines other than generated code: recordings, replayed and eager, and power series.

use super::{Batches, Outcome, must_agree, print_ratios};
use di::prelude::*;
use di::{AutoTape, AutoTaylor};
use di_benches::cases::{direction, input, lotka_volterra as lv, rosenbrock};
use di_benches::timing::timed;
use std::hint::black_box;

/// Orders of power series.
const ORDERS: [(usize, &str); 4] = [
    (1, "AutoTaylor order 1"),
    (2, "AutoTaylor order 2"),
    (8, "AutoTaylor order 8"),
    (16, "AutoTaylor order 16"),
];

pub(super) fn rosenbrock(case: &str, n: usize, batches: Batches) -> Outcome {
    let f = rosenbrock::rosenbrock::AD;
    let (x, v) = (input(n), direction(n));
    let (x, v) = (&x[..], &v[..]);
    let (tape, eager, series) = (AutoTape::new(), AutoTape::eager(), AutoTaylor::new());
    let [mut a, mut b, mut c] = [(); 3].map(|()| vec![0.0; n]);
    let mut product = vec![0.0; n];
    rosenbrock::gradient(x, &mut a);
    rosenbrock::hvp(x, v, &mut product);
    // recorded somewhere else
    let prep = prepare_gradient(f, &tape, v)?;
    must_agree(case, "AutoTape", &gradient(f, &prep, &tape, x)?, &a)?;
    let prep_eager = prepare_gradient(f, &eager, x)?;
    must_agree(
        case,
        "eager AutoTape",
        &gradient(f, &prep_eager, &eager, x)?,
        &a,
    )?;
    let prep_hvp = prepare_hvp(f, &tape, v, v)?;
    must_agree(
        case,
        "AutoTape hvp",
        &hvp(f, &prep_hvp, &tape, x, v)?,
        &product,
    )?;
    let along: f64 = product.iter().zip(v).map(|(h, v)| h * v).sum();
    let twice = 2.0 * taylor_coefficients(f, 2, NoPrep, &series, x, v)?[2];
    must_agree(case, "AutoTaylor", &[twice], &[along])?;
    let mut pieces = vec![
        timed("primal", || rosenbrock::primal(black_box(x))),
        timed("AutoTape gradient", || {
            gradient_into(f, black_box(&mut a), &prep, &tape, black_box(x))
        }),
        timed("AutoTape eager gradient", || {
            gradient_into(f, black_box(&mut b), &prep_eager, &eager, black_box(x))
        }),
        timed("AutoTape hvp", || {
            hvp_into(
                f,
                black_box(&mut c),
                &prep_hvp,
                &tape,
                black_box(x),
                black_box(v),
            )
        }),
    ];
    for (order, name) in ORDERS {
        let prep = prepare_taylor_coefficients(f, order, &series, x)?;
        let mut c = vec![0.0; order + 1];
        pieces.push(timed(name, move || {
            taylor_coefficients_into(
                f,
                black_box(&mut c[..]),
                &prep,
                &series,
                black_box(x),
                black_box(v),
            )
        }));
    }
    let mut ratios = vec![
        ("AutoTape gradient", "primal"),
        ("AutoTape eager gradient", "primal"),
        ("AutoTape hvp", "primal"),
    ];
    ratios.extend(ORDERS.map(|(_, name)| (name, "primal")));
    print_ratios(case, pieces, batches, &ratios);
    Ok(())
}

/// Engines that run a function on numbers with overloaded operators.
pub(super) fn overloaded(case: &str, n: usize, batches: Batches) -> Outcome {
    let f = rosenbrock::overloaded_rosenbrock::AD;
    let (x, elsewhere) = (&input(n)[..], &direction(n)[..]);
    let (tape, eager, dual) = (AutoTape::new(), AutoTape::eager(), AutoDual::new());
    let [mut a, mut b, mut c] = [(); 3].map(|()| vec![0.0; n]);
    rosenbrock::gradient(x, &mut a);
    let prep = prepare_gradient(f, &tape, elsewhere)?;
    must_agree(case, "AutoTape", &gradient(f, &prep, &tape, x)?, &a)?;
    let prep_eager = prepare_gradient(f, &eager, x)?;
    let found = gradient(f, &prep_eager, &eager, x)?;
    must_agree(case, "eager AutoTape", &found, &a)?;
    let prep_dual = prepare_gradient(f, &dual, x)?;
    let found = gradient(f, &prep_dual, &dual, x)?;
    must_agree(case, "AutoDual", &found, &a)?;
    let pieces = vec![
        timed("primal", || rosenbrock::primal(black_box(x))),
        timed("AutoTape gradient", || {
            gradient_into(f, black_box(&mut a), &prep, &tape, black_box(x))
        }),
        timed("AutoTape eager gradient", || {
            gradient_into(f, black_box(&mut b), &prep_eager, &eager, black_box(x))
        }),
        timed("AutoDual gradient", || {
            gradient_into(f, black_box(&mut c), &prep_dual, &dual, black_box(x))
        }),
    ];
    let ratios = [
        ("AutoTape gradient", "primal"),
        ("AutoTape eager gradient", "primal"),
        ("AutoDual gradient", "primal"),
    ];
    print_ratios(case, pieces, batches, &ratios);
    Ok(())
}

/// A recursion: each step needs the one before.
pub(super) fn lotka_volterra(case: &str, batches: Batches) -> Outcome {
    let f = lv::lotka_volterra::AD.with(lv::STEPS);
    let x = &lv::PARAMETERS;
    let (tape, eager) = (AutoTape::new(), AutoTape::eager());
    let [mut a, mut b] = [[0.0; 4]; 2];
    lv::gradient(x, lv::STEPS, &mut a);
    let prep = prepare_gradient(f, &tape, &[1.0, 0.5, 0.3, 0.2])?;
    must_agree(case, "AutoTape", &gradient(f, &prep, &tape, x)?, &a)?;
    let prep_eager = prepare_gradient(f, &eager, x)?;
    must_agree(
        case,
        "eager AutoTape",
        &gradient(f, &prep_eager, &eager, x)?,
        &a,
    )?;
    let pieces = vec![
        timed("primal", || lv::primal(black_box(x), black_box(lv::STEPS))),
        timed("AutoTape gradient", || {
            gradient_into(f, black_box(&mut a), &prep, &tape, black_box(x))
        }),
        timed("AutoTape eager gradient", || {
            gradient_into(f, black_box(&mut b), &prep_eager, &eager, black_box(x))
        }),
    ];
    let ratios = [
        ("AutoTape gradient", "primal"),
        ("AutoTape eager gradient", "primal"),
    ];
    print_ratios(case, pieces, batches, &ratios);
    Ok(())
}
