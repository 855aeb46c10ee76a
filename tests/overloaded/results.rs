//! Handles: what functions return, or write.

use di::prelude::*;

use crate::close;

#[overloaded]
mod model {
    use std::error::Error;
    use std::fmt;

    pub fn polar(x: &[f64]) -> [f64; 2] {
        [x[0].hypot(x[1]), x[1].atan2(x[0])]
    }

    pub fn vector(x: &[f64]) -> Vec<f64> {
        let mut y = Vec::new();
        y.extend(x.iter().map(|v| v * v));
        y.push(1.0);
        y
    }

    pub fn pairs(x: &[f64]) -> Vec<[f64; 2]> {
        x.windows(2).map(|w| [w[0] * w[1], w[0] - w[1]]).collect()
    }

    pub fn nested(x: [f64; 2]) -> [[f64; 2]; 2] {
        [[x[0], x[1] * x[0]], [3.0, x[1].exp()]]
    }

    pub fn tuple(x: &[f64]) -> (f64, Vec<f64>, [f64; 2]) {
        (x[0] * x[1], vec![x[0]; 2], [x[1], 0.5])
    }

    pub fn written(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        for (k, y) in y.iter_mut().enumerate() {
            *y += x[0] * k as f64;
            *y *= x[1];
        }
        y.swap(0, n - 1);
    }

    pub fn written_array(a: f64, y: &mut [f64; 2], b: f64) {
        *y = [a * b, a / b];
    }

    pub fn several(x: &[f64], #[constant] n: usize, y: &mut [[f64; 2]]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y = [x.powi(n as i32), x.sin()];
        }
    }

    /// An error with a number in it.
    #[derive(Debug, Clone, PartialEq)]
    pub enum Failure {
        Negative { value: f64, at: usize },
        Empty,
    }

    impl fmt::Display for Failure {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Failure::Negative { value, at } => write!(f, "{value:.1} at {at} is negative"),
                Failure::Empty => f.write_str("nothing is there"),
            }
        }
    }

    impl Error for Failure {}

    fn root(v: f64, at: usize) -> Result<f64, Failure> {
        if v < 0.0 {
            Err(Failure::Negative { value: v, at })
        } else {
            Ok(v.sqrt())
        }
    }

    pub fn roots(x: &[f64]) -> Result<f64, Failure> {
        let Some(first) = x.first() else {
            return Err(Failure::Empty);
        };
        let mut sum = *first;
        for (at, v) in x.iter().enumerate() {
            sum *= root(*v, at)?;
        }
        Ok(sum)
    }

    pub fn boxed(x: &[f64]) -> Result<Vec<f64>, Box<dyn Error + Send + Sync>> {
        let factor: f64 = if x[0] > 5.0 {
            "many".parse()?
        } else {
            "2.5".parse()?
        };
        let all: Result<Vec<f64>, Failure> =
            x.iter().enumerate().map(|(k, v)| root(*v, k)).collect();
        Ok(all?.into_iter().map(|v| v * factor).collect())
    }

    type Checked<T> = std::result::Result<T, String>;

    fn checked(v: f64) -> Checked<f64> {
        if v > 1.0 {
            Err(format!("{v} is more than 1"))
        } else {
            Ok(v * v)
        }
    }

    pub fn texts(x: f64) -> Result<(f64, f64), String> {
        Ok((checked(x)?, checked(x * 0.5).map_err(|e| e + "!")?))
    }

    pub fn checked_write(x: &[f64], y: &mut [f64]) -> Result<(), Failure> {
        for (k, y) in y.iter_mut().enumerate() {
            *y = root(x[k], k)? * x[0];
        }
        Ok(())
    }
}

/// The Jacobian by both engines, twice by each.
macro_rules! jacobians {
    ($f:ident, $x:expr, $expected:expr) => {
        jacobians!(@ $f, model::$f::AD, $x, $expected)
    };
    (@ $f:ident, $handle:expr, $x:expr, $expected:expr) => {
        let x = $x;
        let expected: &[f64] = &$expected;
        for _ in 0..2 {
            let j = jacobian($handle, NoPrep, &AutoTape::new(), &x).unwrap();
            close(stringify!($f), j.as_slice(), expected);
            let j = jacobian($handle, NoPrep, &AutoDual::new(), &x).unwrap();
            close(stringify!($f), j.as_slice(), expected);
        }
    };
}

#[test]
fn results_are_sequences_of_numbers() {
    let x = [3.0, 4.0];
    jacobians!(polar, x, [0.6, 0.8, -0.16, 0.12]);
    jacobians!(vector, x, [6.0, 0.0, 0.0, 8.0, 0.0, 0.0]);
    jacobians!(
        pairs,
        [3.0, 4.0, 5.0],
        [4.0, 3.0, 0.0, 1.0, -1.0, 0.0, 0.0, 5.0, 4.0, 0.0, 1.0, -1.0,]
    );
    jacobians!(
        nested,
        x,
        [1.0, 0.0, 4.0, 3.0, 0.0, 0.0, 0.0, 4.0_f64.exp()]
    );
    jacobians!(tuple, x, [4.0, 3.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let (y, j) =
        value_and_jacobian(model::pairs::AD, NoPrep, &AutoTape::new(), &[2.0, 3.0]).unwrap();
    assert_eq!(
        (y, j.as_slice()),
        (vec![[6.0, -1.0]], &[3.0, 2.0, 1.0, -1.0][..])
    );
}

#[test]
fn pullbacks_and_pushforwards_are_those_of_jacobians() {
    let x = [3.0, 4.0];
    let dy = pushforward(model::polar::AD, NoPrep, &AutoTape::new(), &x, &[1.0, 2.0]).unwrap();
    close("pushforward", &dy, &[2.2, 0.08]);
    let dx = pullback(model::polar::AD, NoPrep, &AutoTape::new(), &x, &[1.0, 2.0]).unwrap();
    close("pullback", &dx, &[0.28, 1.04]);
    let dx = pullback(model::polar::AD, NoPrep, &AutoDual::new(), &x, &[1.0, 2.0]).unwrap();
    close("pullback", &dx, &[0.28, 1.04]);
}

#[test]
fn outputs_are_written() {
    let mut y = [9.0; 3];
    // what was in `y` is not read
    let x = [3.0, 4.0];
    jacobians!(@ written, model::written::AD.output(&mut y), x, [8.0, 6.0, 4.0, 3.0, 0.0, 0.0]);
    assert_eq!(y, [24.0, 12.0, 0.0]);
    let mut y = [9.0; 2];
    jacobians!(@ written_array, model::written_array::AD.output(&mut y), (3.0, 4.0), [4.0, 3.0, 0.25, -0.1875]);
    let mut y = [[9.0; 2]; 2];
    let expected = [27.0, 0.0, 3.0_f64.cos(), 0.0, 0.0, 48.0, 0.0, 4.0_f64.cos()];
    jacobians!(@ several, model::several::AD.with(3).output(&mut y), x, expected);
    assert_eq!(y[1], [64.0, 4.0_f64.sin()]);
}

#[test]
fn failures_are_the_operators_errors() {
    let (tape, dual) = (AutoTape::new(), AutoDual::new());
    let by_tape = prepare_gradient(model::roots::AD, &tape, &[1.0, 4.0][..]).unwrap();
    for x in [[1.0, 4.0], [4.0, 9.0_f64]] {
        let root = f64::sqrt(x[0] * x[1]);
        let expected = [1.5 * root, 0.5 * x[0] * root / x[1]];
        close(
            "gradient",
            &gradient(model::roots::AD, &by_tape, &tape, &x[..]).unwrap(),
            &expected,
        );
        close(
            "gradient",
            &gradient(model::roots::AD, NoPrep, &dual, &x[..]).unwrap(),
            &expected,
        );
        let bad = [x[0], -x[1]];
        let of_tape = gradient(model::roots::AD, &by_tape, &tape, &bad[..]).unwrap_err();
        let of_duals = gradient(model::roots::AD, NoPrep, &dual, &bad[..]).unwrap_err();
        for error in [of_tape, of_duals] {
            let text = error.to_string();
            assert!(text.contains(" at 1 is negative"), "{text}");
        }
    }
    let none: &[f64] = &[];
    let error = gradient(model::roots::AD, NoPrep, &tape, none).unwrap_err();
    assert!(error.to_string().contains("nothing is there"), "{error}");
}

#[test]
fn errors_are_of_any_type() {
    let (tape, dual) = (AutoTape::new(), AutoDual::new());
    jacobians!(boxed, [1.0, 4.0], [1.25, 0.0, 0.0, 0.625]);
    for (x, part) in [
        ([9.0, 4.0], "invalid float"),
        ([1.0, -4.0], " at 1 is negative"),
    ] {
        let error = jacobian(model::boxed::AD, NoPrep, &tape, &x).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
        let error = jacobian(model::boxed::AD, NoPrep, &dual, &x).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
    let d = derivative(model::texts::AD, NoPrep, &tape, &0.5).unwrap();
    close("derivative", &[d.0, d.1], &[1.0, 0.25]);
    for (x, part) in [(1.5, "1.5 is more than 1"), (2.5, "2.5 is more than 1")] {
        let error = derivative(model::texts::AD, NoPrep, &dual, &x).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
    let mut y = [0.0; 2];
    let f = model::checked_write::AD;
    jacobians!(@ checked_write, f.output(&mut y), [4.0, 9.0], [3.0, 0.0, 3.0, 2.0 / 3.0]);
    let error = jacobian(f.output(&mut y), NoPrep, &tape, &[4.0, -9.0]).unwrap_err();
    assert!(error.to_string().contains(" at 1 is negative"), "{error}");
}

#[test]
fn errors_are_those_of_the_function() {
    let result = gradient(model::roots::AD, NoPrep, &AutoDual::new(), &[1.0, -4.0][..]);
    let Err(di::Error::Function(failure)) = result else {
        panic!("{result:?}")
    };
    let expected = model::Failure::Negative { value: -4.0, at: 1 };
    assert_eq!(failure.downcast_ref(), Some(&expected));
    assert_eq!(failure.to_string(), "-4.0 at 1 is negative");
}
