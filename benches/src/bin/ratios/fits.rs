//! Sums over data: a curve fit and a regression.

use super::{Batches, Outcome, must_agree, print_ratios};
use di::prelude::*;
use di_benches::cases::fit;
use di_benches::timing::timed;
use std::hint::black_box;

const RATIOS: [(&str, &str); 4] = [
    ("value_and_gradient", "primal"),
    ("hand", "primal"),
    ("value_and_gradient", "hand"),
    ("hvp", "primal"),
];

/// A model function called for each point.
pub(super) fn decay(case: &str, n: usize, batches: Batches) -> Outcome {
    let (t, y, ..) = fit::data(n);
    let (t, y) = (&t[..], &y[..]);
    let p: &[f64] = &[1.5, 0.5, 0.2];
    let v: &[f64] = &[0.3, -0.2, 0.9];
    let f = fit::cost::AD.with(t, y);
    let source = AutoSource::new();
    let (prep, prep_hvp) = (
        prepare_gradient(f, &source, p)?,
        prepare_hvp(f, &source, p, v)?,
    );
    let [mut by_hand, mut g, mut h] = [[0.0; 3]; 3];
    let value = fit::value_and_gradient(p, t, y, &mut by_hand);
    let found = value_and_gradient_into(f, &mut g[..], &prep, &source, p)?;
    must_agree(case, "value", &[found], &[value])?;
    must_agree(case, "value_and_gradient", &g, &by_hand)?;
    let pieces = vec![
        timed("primal", || fit::primal(black_box(p), t, y)),
        timed("hand", || {
            fit::value_and_gradient(black_box(p), t, y, black_box(&mut by_hand))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g[..]), &prep, &source, black_box(p))
        }),
        timed("hvp", || {
            let h = black_box(&mut h[..]);
            hvp_into(f, h, &prep_hvp, &source, black_box(p), black_box(v))
        }),
    ];
    print_ratios(case, pieces, batches, &RATIOS);
    Ok(())
}

/// A row of features for each point.
pub(super) fn logistic(case: &str, n: usize, batches: Batches) -> Outcome {
    let (_, _, rows, label) = fit::data(n);
    let (rows, label) = (&rows[..], &label[..]);
    let w: &[f64] = &[0.3, -0.8, 0.5, 0.1];
    let v: &[f64] = &[0.3, -0.2, 0.9, 0.4];
    let f = fit::logistic::AD.with(rows, label);
    let source = AutoSource::new();
    let (prep, prep_hvp) = (
        prepare_gradient(f, &source, w)?,
        prepare_hvp(f, &source, w, v)?,
    );
    let [mut by_hand, mut g, mut h] = [[0.0; 4]; 3];
    let value = fit::logistic_value_and_gradient(w, rows, label, &mut by_hand);
    let found = value_and_gradient_into(f, &mut g[..], &prep, &source, w)?;
    must_agree(case, "value", &[found], &[value])?;
    must_agree(case, "value_and_gradient", &g, &by_hand)?;
    let pieces = vec![
        timed("primal", || fit::logistic_primal(black_box(w), rows, label)),
        timed("hand", || {
            let g = black_box(&mut by_hand);
            fit::logistic_value_and_gradient(black_box(w), rows, label, g)
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g[..]), &prep, &source, black_box(w))
        }),
        timed("hvp", || {
            let h = black_box(&mut h[..]);
            hvp_into(f, h, &prep_hvp, &source, black_box(w), black_box(v))
        }),
    ];
    print_ratios(case, pieces, batches, &RATIOS);
    Ok(())
}
