//! What `strong_zeros` costs.

use super::{Batches, Outcome, must_agree, print_ratios};
use di::prelude::*;
use di_benches::cases::roots;
use di_benches::timing::timed;
use std::hint::black_box;

/// The gradient of a sum of roots and quotients, with and without the word.
pub(super) fn roots(case: &str, n: usize, batches: Batches) -> Outcome {
    let x: Vec<f64> = (0..n).map(|i| 0.5 + (i % 7) as f64).collect();
    let mask: Vec<f64> = (0..n).map(|i| (i % 3) as f64).collect();
    let (plain, strong) = (
        roots::roots::AD.with(&mask),
        roots::masked_roots::AD.with(&mask),
    );
    let backend = AutoSource::new();
    let [mut by_hand, mut without, mut with] = [(); 3].map(|()| vec![0.0; n]);
    let value = roots::value_and_gradient(&x, &mask, &mut by_hand);
    let prep = prepare_gradient(plain, &backend, &x)?;
    let prep_strong = prepare_gradient(strong, &backend, &x)?;
    let found = value_and_gradient_into(plain, &mut without, &prep, &backend, &x)?;
    must_agree(case, "value", &[found], &[value])?;
    must_agree(case, "without strong zeros", &without, &by_hand)?;
    let found = value_and_gradient_into(strong, &mut with, &prep_strong, &backend, &x)?;
    must_agree(case, "value with strong zeros", &[found], &[value])?;
    must_agree(case, "with strong zeros", &with, &by_hand)?;
    let pieces = vec![
        timed("hand", || {
            roots::value_and_gradient(black_box(&x), &mask, black_box(&mut by_hand))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(
                plain,
                black_box(&mut without),
                &prep,
                &backend,
                black_box(&x),
            )
        }),
        timed("strong_zeros value_and_gradient", || {
            value_and_gradient_into(
                strong,
                black_box(&mut with),
                &prep_strong,
                &backend,
                black_box(&x),
            )
        }),
    ];
    let ratios = [
        ("value_and_gradient", "hand"),
        ("strong_zeros value_and_gradient", "hand"),
        ("strong_zeros value_and_gradient", "value_and_gradient"),
    ];
    print_ratios(case, pieces, batches, &ratios);
    Ok(())
}
