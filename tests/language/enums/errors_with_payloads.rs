//! Errors whose variants hold structs of the module: by `From`, by `map_err`, and looked into.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 6] = [
    &[0.7, 1.3],
    &[-6.4, 0.9],
    &[2.0, -0.04],
    &[9.2, 0.8],
    &[0.2, 7.6],
    &[3.1, 3.4],
];

#[differentiable]
mod plain {
    #[derive(Debug)]
    pub enum Error {
        Pipe(PipeError),
        Valve { of: ValveError, open: bool },
        Loops(usize),
    }

    #[derive(Debug)]
    pub struct PipeError {
        pub pipe: usize,
    }

    #[derive(Debug)]
    pub struct ValveError {
        pub name: &'static str,
        pub at: u32,
    }

    impl From<PipeError> for Error {
        fn from(e: PipeError) -> Self {
            Error::Pipe(e)
        }
    }

    impl From<ValveError> for Error {
        fn from(of: ValveError) -> Self {
            Error::Valve { of, open: true }
        }
    }

    fn pipe(x: f64, k: usize) -> Result<f64, PipeError> {
        if x < 0.0 {
            return Err(PipeError { pipe: k + 1 });
        }
        Ok(x * x)
    }

    fn valve(x: f64) -> Result<f64, ValveError> {
        if x > 7.0 {
            return Err(ValveError {
                name: "main",
                at: 3,
            });
        }
        Ok(x.sin())
    }

    fn solve(x: &[f64]) -> Result<f64, Error> {
        let mut s = 0.0;
        for (k, v) in x.iter().enumerate() {
            s += pipe(*v, k)?;
            s += pipe(v + 0.1, k).map_err(Error::Pipe)? * valve(*v)?;
            s += valve(v * 1.01).map_err(Error::from)?;
        }
        if s > 20.0 {
            return Err(Error::Loops(3));
        }
        Ok(s)
    }

    pub fn f(x: &[f64]) -> f64 {
        match solve(x) {
            Ok(y) => y,
            Err(Error::Pipe(e)) => x[0] * x[1] * e.pipe as f64,
            Err(Error::Valve { of, open: true }) => {
                x[0] * x[0] * of.at as f64 + x[1] * of.name.len() as f64
            }
            Err(Error::Valve { .. }) => f64::NAN,
            Err(Error::Loops(n)) => n as f64 * x[0].exp(),
        }
    }
}

#[differentiable]
mod beside_floats {
    #[derive(Debug)]
    pub enum Error {
        Pipe(PipeError),
        Loops(usize),
        Residual { of: f64, after: Steps },
    }

    #[derive(Debug, Clone, PartialEq)]
    pub struct PipeError {
        pub pipe: usize,
        pub reason: &'static str,
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Steps(pub u32);

    impl From<PipeError> for Error {
        fn from(e: PipeError) -> Self {
            Error::Pipe(e)
        }
    }

    pub struct Pipe {
        d: f64,
    }

    impl Pipe {
        fn resistance(&self, pipe: usize) -> Result<f64, PipeError> {
            if self.d <= 0.0 {
                return Err(PipeError {
                    pipe,
                    reason: "none",
                });
            }
            Ok(self.d.powf(1.5))
        }
    }

    fn solve(x: &[f64]) -> Result<f64, Error> {
        let pipes: Vec<Pipe> = x.iter().map(|d| Pipe { d: *d }).collect();
        let mut s = pipes[0].resistance(0)?;
        s *= pipes[1].resistance(1).map_err(Error::Pipe)?;
        if s > 9.0 {
            return Err(Error::Residual {
                of: s * x[0],
                after: Steps(4),
            });
        }
        if s > 4.0 {
            return Err(Error::Loops(x.len()));
        }
        Ok(s)
    }

    pub fn f(x: &[f64]) -> f64 {
        match solve(x) {
            Ok(y) => y,
            Err(Error::Pipe(e)) if e.reason == "some" => panic!("pipe {}", e.pipe),
            Err(Error::Pipe(e)) => x[0] * x[0] * e.pipe as f64 + x[1] * e.reason.len() as f64,
            Err(Error::Loops(n)) => x[0] * x[1] * n as f64,
            Err(Error::Residual { of, after }) => of.sin() * after.0 as f64,
        }
    }
}

#[test]
fn errors_with_structs() {
    scalar!(plain::f::AD, plain::f).row(870).check(&POINTS);
    scalar!(beside_floats::f::AD, beside_floats::f)
        .row(870)
        .check(&POINTS);
}

#[differentiable]
mod matched {
    #[derive(Clone, Debug)]
    pub enum Fault {
        NoSuch(usize),
        Overdrawn(f64),
    }
    fn taken(balance: &mut Vec<f64>, from: usize, share: f64) -> Result<f64, Fault> {
        let held = *balance.get(from).ok_or(Fault::NoSuch(from))?;
        let left = held - share * share;
        if left < 0.0 {
            return Err(Fault::Overdrawn(left));
        }
        balance[from] = left;
        Ok(left * share)
    }
    pub fn served(x: &[f64]) -> f64 {
        let mut balance = x.to_vec();
        let mut sum = 0.0;
        for k in 0..4 {
            match taken(&mut balance, k % 3, 0.6) {
                Ok(v) => sum += v * x[0],
                Err(fault) if matches!(fault, Fault::NoSuch(n) if n > 5) => return 0.0,
                Err(fault) => {
                    if matches!(fault, Fault::Overdrawn(_)) {
                        sum += x[0] * x[1];
                    }
                }
            }
        }
        sum
    }
}

#[test]
fn errors_that_macros_look_into() {
    let points: [&[f64]; 3] = [&[0.9, 0.5], &[0.3, 1.4], &[0.2, 0.1, 0.7]];
    scalar!(matched::served::AD, matched::served)
        .row(870)
        .check(&points);
}
