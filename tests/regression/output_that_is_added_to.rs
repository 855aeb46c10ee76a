//! An output that the function only adds to means "from zero" in every evaluation: its old values,
//! tangents and adjoints once leaked from one sweep or call into the next.

use di::prelude::*;

#[differentiable]
#[expect(clippy::needless_range_loop, reason = "the loop is the point")]
fn adds(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[0] += x[i] * x[i];
        y[1] += 2.0 * x[i];
    }
}

#[test]
fn jacobian_of_an_output_that_is_added_to() {
    let expected = [[2.0, 4.0, 6.0], [2.0, 2.0, 2.0]];
    let x = [1.0, 2.0, 3.0];
    macro_rules! check {
        ($($backend:expr),*) => {$(
            let backend = $backend;
            let mut y = [7.0, f64::NAN];
            let prep = prepare_jacobian(adds::AD.output(&mut y), &backend, &x).expect("sizes fit");
            for _ in 0..2 {
                let mut y = [f64::NAN, -3.0];
                let (_, j) = value_and_jacobian(adds::AD.output(&mut y), &prep, &backend, &x).expect("sizes fit");
                assert_eq!(j, expected);
                assert_eq!(y, [14.0, 12.0]);
            }
        )*};
    }
    check!(
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoSource::new().reverse(),
        AutoDual::new()
    );
}
