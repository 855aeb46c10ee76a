//! Calls: engines, nested ones, panics, failures, numbers of other calls.

use crate::constant;
use di_runtime::__private::fail_at;
use di_runtime::backends::{AutoDual, AutoSymbolic, AutoTape, AutoTaylor};
use di_runtime::error::Error;
use di_runtime::operators::{evaluate, gradient, hessian, jacobian, prepare_jacobian};
use di_runtime::overloaded::{Active, cast, run};
use di_runtime::prep::NoPrep;
use di_runtime::scalar::Dual;
use di_runtime::value::{Number, Slice};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

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

thread_local! {
    static KEPT: Cell<Option<A>> = const { Cell::new(None) };
}

/// Calls operators on constants in the middle of its own operations.
fn nested(x: &[A]) -> A {
    let y = x[0] * x[1];
    let inner = gradient(Rosenbrock, NoPrep, &AutoDual::new(), &[0.3, -0.4]).unwrap();
    let failed = catch_unwind(|| gradient(Panicking, NoPrep, &AutoDual::new(), &[1.0]).is_ok());
    assert!(failed.is_err());
    y * constant(inner[0]) + x[0]
}

overloaded!(Nested: Slice => Number, |x, y| *y = nested(x));
overloaded!(Panicking: Slice => Number, |x, y| {
    *y = x[0] + constant(1.0);
    panic!("on purpose");
});

#[test]
fn calls_may_be_nested_and_may_panic() {
    let inner = gradient(Rosenbrock, NoPrep, &AutoDual::new(), &[0.3, -0.4]).unwrap();
    let expected = [inner[0] * 5.0 + 1.0, inner[0] * 2.0];
    for _ in 0..3 {
        let found = gradient(Nested, NoPrep, &AutoDual::new(), &[2.0, 5.0]).unwrap();
        assert_eq!(found, expected);
        let found = gradient(Nested, NoPrep, &AutoTape::new(), &[2.0, 5.0]).unwrap();
        assert_eq!(found, expected);
    }
}

overloaded!(Keeping: Slice => Number, |x, y| {
    KEPT.set(Some(x[0]));
    *y = x[0];
});
overloaded!(Reading: Slice => Number, |x, y| *y = x[0] + KEPT.get().unwrap());
overloaded!(Returning: Slice => Number, |_x, y| *y = KEPT.get().unwrap());
overloaded!(Threaded: Slice => Number, |x, y| {
    let x = x[0];
    *y = std::thread::spawn(move || x * x).join().unwrap_or_else(|error| {
        std::panic::resume_unwind(error)
    });
});

overloaded!(Recovering: Slice => Number, |x, y| {
    let sum = || x[0] + KEPT.get().unwrap();
    *y = catch_unwind(AssertUnwindSafe(sum)).unwrap_or(x[0]);
});
overloaded!(RecoveringThread: Slice => Number, |x, y| {
    let x = x[0];
    *y = std::thread::spawn(move || x * x).join().unwrap_or(x);
});

fn message<T>(run: impl FnOnce() -> T) -> String {
    let Err(error) = catch_unwind(AssertUnwindSafe(run)) else {
        panic!("did not panic");
    };
    let text = error.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.unwrap_or_else(|| *error.downcast::<String>().unwrap())
}

#[test]
fn numbers_of_another_call_are_refused() {
    let (b, x) = (AutoDual::new(), [1.0]);
    gradient(Keeping, NoPrep, &b, &x).unwrap();
    let kept = KEPT.get().unwrap();
    let all = [
        message(|| gradient(Reading, NoPrep, &b, &x)),
        message(|| gradient(Returning, NoPrep, &b, &x)),
        message(|| gradient(Threaded, NoPrep, &b, &x)),
        message(|| kept + constant(1.0)),
        message(|| kept < constant(1.0)),
        message(|| kept.max(constant(1.0))),
        message(|| constant(1.0) / kept),
        message(|| kept.sin_cos()),
        message(|| cast::<u8, _>(kept)),
        message(|| format!("{kept}")),
        // also if the function goes on
        message(|| gradient(Recovering, NoPrep, &b, &x)),
        message(|| gradient(RecoveringThread, NoPrep, &b, &x)),
    ];
    for text in all {
        assert!(text.contains("was kept in a static"), "{text}");
    }
    // and nothing stays behind
    assert_eq!(
        gradient(Rosenbrock, NoPrep, &b, &[1.0, 1.0]).unwrap(),
        [0.0, 0.0]
    );
}

fn positive(x: &[A]) -> Result<Vec<A>, Negative> {
    if x[0] < constant(0.0) {
        return Err(Negative);
    }
    Ok(x.iter().map(|x| x.sqrt()).collect())
}

#[derive(Debug)]
struct Negative;

impl std::fmt::Display for Negative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("negative")
    }
}

impl std::error::Error for Negative {}

overloaded!(Positive: Slice => Slice, |x, y| match positive(x) {
    Ok(value) => *y = value,
    Err(error) => fail_at::<Slice, A>(y, error.into()),
});

#[test]
fn failures_are_errors_of_operators() {
    let is_negative = |error: &Error| error.to_string().contains("negative");
    for x in [[1.0, 4.0], [4.0, 1.0]] {
        let expected = jacobian(Positive, NoPrep, &AutoDual::new(), &x).unwrap();
        let found = jacobian(Positive, NoPrep, &AutoTape::new(), &x).unwrap();
        assert_eq!(found, expected);
        assert_eq!(expected.row(0), [0.5 / x[0].sqrt(), 0.0]);
    }
    let tape = AutoTape::new();
    let prep = prepare_jacobian(Positive, &tape, &[1.0, 4.0]).unwrap();
    assert!(is_negative(
        &jacobian(Positive, &prep, &tape, &[-1.0, 4.0]).unwrap_err()
    ));
    assert!(jacobian(Positive, &prep, &tape, &[1.0, 4.0]).is_ok());
    let dual = AutoDual::new();
    let prep = prepare_jacobian(Positive, &dual, &[1.0, 4.0]).unwrap();
    assert!(is_negative(
        &jacobian(Positive, &prep, &dual, &[-1.0, 4.0]).unwrap_err()
    ));
    assert!(jacobian(Positive, &prep, &dual, &[1.0, 4.0]).is_ok());
}

overloaded!(in place Squares: Slice => Slice, |x, y| {
    for (y, x) in y.iter_mut().zip(x) {
        assert_eq!(*y, constant(0.0));
        *y += x * x;
    }
});

#[test]
fn results_are_written_in_place() {
    for _ in 0..2 {
        let x = [Dual {
            value: 3.0,
            tangents: [1.0],
        }; 2];
        let mut y = [Dual {
            value: 7.0,
            tangents: [7.0],
        }; 2];
        run::<Squares, Dual<f64, 1>>((), &x, &mut y);
        assert_eq!(
            y,
            [Dual {
                value: 9.0,
                tangents: [6.0]
            }; 2]
        );
    }
}

overloaded!(single Single: Number => Number, |x, y| {
    // machines of both floats run at once
    let inner = gradient(Rosenbrock, NoPrep, &AutoDual::new(), &[1.0, 2.0]).unwrap();
    let c = inner[1] as f32;
    *y = x.powi(2) * constant(c) + x.max(constant(0.0_f32));
});

#[test]
fn floats_of_both_widths_have_machines() {
    let x = Dual {
        value: 3.0_f32,
        tangents: [1.0],
    };
    let mut y = x;
    run::<Single, Dual<f32, 1>>((), x, &mut y);
    assert_eq!((y.value, y.tangents), (1803.0, [1201.0]));
}
