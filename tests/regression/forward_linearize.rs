//! `linearize` of generated code that is forward only took sweeps over a record that such code does not have, with
//! seeds in which results of other sweeps were left.

use di::Error;
use di::prelude::*;
use di_test::compare::assert_bitwise;

#[differentiable]
fn powers(x: &[f64]) -> (f64, f64, f64) {
    (x[0], x[0] * x[1], x[1] * x[1])
}

#[differentiable]
fn powers_into(x: &[f64], y: &mut [f64]) {
    y[0] = x[0];
    y[1] = x[0] * x[1];
    y[2] = x[1] * x[1];
}

#[test]
fn products_by_forward_code_are_those_of_the_jacobian() -> Result<(), Error> {
    let x = [3.0, 2.0];
    for backend in [
        AutoSource::new().forward(),
        AutoSource::new(),
        AutoSource::new().reverse(),
    ] {
        let (_, df) = linearize(powers::AD, &backend, &x)?;
        let mut y = vec![0.0; 3];
        let (_, into) = linearize(powers_into::AD.output(&mut y), &backend, &x)?;
        for _ in 0..2 {
            let (a, b, c) = df.pushforward(&[1.0, 10.0])?;
            assert_bitwise("pushforward", &[a, b, c], &[1.0, 32.0, 40.0]);
            assert_bitwise(
                "pullback",
                &df.pullback(&(1.0, 10.0, 100.0))?,
                &[21.0, 430.0],
            );
            let dy = into.pushforward(&[1.0, 10.0])?;
            assert_bitwise("pushforward", &dy, &[1.0, 32.0, 40.0]);
            let dx = into.pullback(&vec![1.0, 10.0, 100.0])?;
            assert_bitwise("pullback", &dx, &[21.0, 430.0]);
        }
    }
    Ok(())
}
