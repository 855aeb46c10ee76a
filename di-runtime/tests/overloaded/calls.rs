//! Calls: engines, nested ones, panics, failures, numbers of other calls.

use di_runtime::backends::{AutoDual, AutoSymbolic, AutoTape, AutoTaylor};
use di_runtime::operators::{evaluate, gradient, hessian};
use di_runtime::overloaded::{Active, constant};
use di_runtime::prep::NoPrep;
use di_runtime::value::{Number, Slice};

type A = Active<f64>;

fn rosenbrock(x: &[A]) -> A {
    x.windows(2)
        .map(|w| (constant(1.0) - w[0]).powi(2) + constant(100.0) * (w[1] - w[0] * w[0]).powi(2))
        .sum()
}

overloaded!(Rosenbrock: Slice => Number, |x, y| *y = rosenbrock(x));

#[test]
fn engines_agree() {
    let x = [0.3, -0.4, 1.2];
    let expected = gradient(Rosenbrock, NoPrep, &AutoDual::new(), &x).unwrap();
    for k in 0..3 {
        let mut at = x;
        let h = 1e-6;
        at[k] += h;
        let up = evaluate(Rosenbrock, &at).unwrap();
        at[k] -= 2.0 * h;
        let down = evaluate(Rosenbrock, &at).unwrap();
        assert!((expected[k] - (up - down) / (2.0 * h)).abs() < 1e-6);
    }
    assert_eq!(
        gradient(Rosenbrock, NoPrep, &AutoTape::new(), &x).unwrap(),
        expected
    );
    assert_eq!(
        gradient(Rosenbrock, NoPrep, &AutoTaylor::new(), &x).unwrap(),
        expected
    );
    let s = gradient(Rosenbrock, NoPrep, &AutoSymbolic::new(), &x).unwrap();
    assert!(s.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
    let h = hessian(Rosenbrock, NoPrep, &AutoDual::new(), &x).unwrap();
    assert_eq!(
        hessian(Rosenbrock, NoPrep, &AutoTape::new(), &x).unwrap(),
        h
    );
}
