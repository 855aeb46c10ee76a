//! Patterns that do not hold are noticed, not believed.

use di::prelude::*;
use di::sparse::{AutoSparse, Known, Pattern, Tracing, Verify};

#[differentiable]
fn switch(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = if x[i] > 0.0 { x[i] * x[i] } else { x[0] * x[i] };
    }
}

#[test]
fn a_pattern_of_one_point_is_verified_at_others() {
    let backend = AutoSparse::new(AutoSource::new()).detector(Tracing::local());
    let mut y = vec![0.0; 3];
    let prep = prepare_jacobian(switch::AD.output(&mut y), &backend, &[1.0, 2.0, 3.0]).unwrap();
    let j = jacobian(switch::AD.output(&mut y), &prep, &backend, &[2.0, 1.0, 1.0]).unwrap();
    assert_eq!(j.data(), [4.0, 2.0, 2.0]);
    let error = jacobian(
        switch::AD.output(&mut y),
        &prep,
        &backend,
        &[2.0, 1.0, -1.0],
    )
    .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("line 2") && text.contains("prepare anew"),
        "{text}"
    );
}

#[differentiable]
fn roots(x: &[f64], y: &mut [f64]) {
    y[0] = x[0].sqrt() + x[1];
    y[1] = x[1];
}

#[test]
fn advice_fits_patterns_that_hold_everywhere() {
    let backend = AutoSparse::new(AutoDual::new()).verify(Verify::Always);
    let mut y = vec![0.0; 2];
    let prep = prepare_jacobian(roots::AD.output(&mut y), &backend, &[1.0, 1.0]).unwrap();
    let error = jacobian(roots::AD.output(&mut y), &prep, &backend, &[0.0, 1.0]).unwrap_err();
    let text = error.to_string();
    let advice = text.contains("line 0") && text.contains("where they are finite");
    assert!(advice && !text.contains("globally"), "{text}");
}

#[differentiable]
fn shifted(x: &[f64], #[constant] by: usize, y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[(i + by) % x.len()].exp();
    }
}

#[test]
fn constants_that_change_the_pattern_are_noticed() {
    for dense in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let backend = AutoSparse::new(dense);
        let mut y = vec![0.0; 5];
        let x = [0.1; 5];
        let prep = prepare_jacobian(shifted::AD.with(1).output(&mut y), &backend, &x).unwrap();
        assert!(jacobian(shifted::AD.with(1).output(&mut y), &prep, &backend, &x).is_ok());
        let error = jacobian(shifted::AD.with(2).output(&mut y), &prep, &backend, &x).unwrap_err();
        assert!(matches!(error, di::Error::Sparsity(_)), "{error}");
    }
}

#[differentiable]
fn full(x: &[f64]) -> f64 {
    (x[0] * x[1]).exp() + x[2] * x[2] * x[2]
}

#[test]
fn known_patterns_that_miss_entries_are_noticed() {
    let diagonal = Known::hessian(Pattern::diagonal(3).unwrap());
    let backend = AutoSparse::new(AutoSource::new())
        .detector(diagonal)
        .verify(Verify::Always);
    let error = hessian(full::AD, NoPrep, &backend, &[0.3, 0.4, 0.5]).unwrap_err();
    assert!(matches!(error, di::Error::Sparsity(_)), "{error}");
}
