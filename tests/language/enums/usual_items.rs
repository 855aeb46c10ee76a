//! Items as programs declare them: private types in public structs, aliases of results and of functions, errors that
//! functions make, parts of constants, and functions of which a condition chooses one.

use di::prelude::*;
use di_test::scalar;
use std::error::Error;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[1.7, 0.4], &[0.2, 2.3]];

#[differentiable]
mod private {
    #[derive(Debug, Clone, Copy)]
    struct Slope {
        a: f64,
        b: f64,
    }

    #[derive(Debug, Clone, Copy, Default)]
    enum Mode {
        #[default]
        Pole,
        Oblique {
            s: f64,
            c: f64,
        },
        Steep(Slope),
    }

    #[derive(Debug, Clone, Copy)]
    enum Kind {
        Soft,
        Hard,
    }

    #[derive(Debug, Clone)]
    struct Layer {
        mode: Mode,
        w: f64,
        kind: Kind,
    }

    #[derive(Debug, Clone)]
    pub struct Projection {
        first: Layer,
        modes: Vec<Mode>,
    }

    #[derive(Debug, Clone)]
    pub(crate) struct Small {
        mode: Mode,
    }

    impl Mode {
        fn go(&self, x: f64) -> f64 {
            match self {
                Mode::Pole => x,
                Mode::Oblique { s, c } => s * x + c,
                Mode::Steep(Slope { a, b }) => a * x * b,
            }
        }

        fn take(self, x: f64) -> f64 {
            if let Mode::Steep(s) = self {
                s.a * s.b * x
            } else {
                x
            }
        }
    }

    impl Projection {
        fn new(p: f64) -> Self {
            let mode = if p > 1.5 {
                Mode::Pole
            } else {
                Mode::Oblique {
                    s: p.sin(),
                    c: p.cos(),
                }
            };
            let kind = if p > 0.5 { Kind::Hard } else { Kind::Soft };
            let steep = Mode::Steep(Slope { a: p, b: 2.0 * p });
            Self {
                first: Layer { mode, w: p, kind },
                modes: vec![steep, mode, Mode::default()],
            }
        }

        fn go(&self, x: f64) -> f64 {
            let mut y = self.first.mode.go(x) * self.first.w;
            for mode in &self.modes {
                y += mode.go(x * y) + mode.take(x);
            }
            match self.first.kind {
                Kind::Hard => y,
                Kind::Soft => 0.5 * y,
            }
        }
    }

    pub(super) fn projected(x: &[f64]) -> f64 {
        let small = Small {
            mode: Mode::Oblique { s: x[1], c: x[0] },
        };
        Projection::new(x[0]).go(x[1]) + small.mode.go(x[0])
    }
}

#[test]
fn private_types_in_fields() {
    use private::projected;
    scalar!(projected).row(958).takes_memory().check(&POINTS);
}

#[differentiable]
mod results {
    #[derive(Debug)]
    pub struct Error {
        message: String,
    }

    impl Error {
        pub fn new(message: &str) -> Error {
            Error {
                message: message.to_owned(),
            }
        }
    }

    pub type Result<T> = std::result::Result<T, Error>;

    pub struct Geo {
        pub k: f64,
    }

    pub struct Constants<'a> {
        geo: &'a Geo,
        a: f64,
    }

    impl<'a> Constants<'a> {
        fn half(&self, x: f64) -> Result<f64> {
            if x > 2.0 {
                return Err(Error::new("too far"));
            }
            Ok(0.5 * x * self.a)
        }

        fn both(&self, x: f64) -> Result<[f64; 2]> {
            let y = self.half(x)?;
            Ok([y.sin() * self.a, y * self.geo.k])
        }

        fn pair(&self, x: f64) -> Result<(f64, f64)> {
            let [a, b] = self.both(x)?;
            let mut sum = 0.0;
            for k in 0..2 {
                sum += self.half(x * k as f64 * 0.1)?;
            }
            Ok((a * b, sum))
        }
    }

    pub(super) fn tried(x: &[f64]) -> f64 {
        let geo = Geo { k: x[0] * x[1] };
        let c = Constants { geo: &geo, a: x[0] };
        match c.pair(x[1]) {
            Ok((a, b)) => a * b,
            Err(e) => x[0] * e.message.len() as f64,
        }
    }
}

#[test]
fn aliases_of_results() {
    use results::tried;
    scalar!(tried)
        .rows(&[959, 960])
        .takes_memory()
        .check(&POINTS);
}

type Res<T> = Result<T, Box<dyn Error>>;

#[differentiable]
fn root(x: f64) -> Res<f64> {
    if x > 2.0 {
        return Err("too far".into());
    }
    Ok(x.sqrt())
}

#[differentiable]
fn cubed(x: f64) -> Res<f64> {
    let y = root(x)?;
    Ok(y * x)
}

#[differentiable]
fn boxed_errors(x: &[f64]) -> f64 {
    cubed(x[1]).unwrap_or(x[0]) + root(x[0]).unwrap()
}

#[differentiable]
mod defaults {
    use std::error::Error;
    type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

    fn checked(x: f64) -> Result<f64> {
        if x > 2.0 {
            return Err(Box::from("too far"));
        }
        Ok(x * x)
    }

    fn other(x: f64) -> Result<f64, String> {
        if x < 0.5 {
            return Err("small".to_owned());
        }
        Ok(x.ln())
    }

    pub(super) fn by_default(x: &[f64]) -> f64 {
        other(x[0]).unwrap_or(x[1]) * checked(x[1]).unwrap_or(x[0])
    }
}

#[test]
fn aliases_of_boxed_errors() {
    use defaults::by_default;
    scalar!(boxed_errors).row(959).check(&POINTS);
    scalar!(by_default).row(959).check(&POINTS);
}

type Function = fn(f64) -> f64;

#[differentiable]
fn slope(f: Function, x: f64, h: f64) -> f64 {
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[differentiable]
fn by_alias(x: &[f64]) -> f64 {
    slope(f64::sin, x[0], 0.3) * x[1] + slope(|t| t * t * t, x[0], 0.5)
}

#[differentiable]
mod functions {
    type Rhs = fn(f64, &[f64; 2]) -> [f64; 2];
    type Fun<'a> = dyn Fn(f64) -> f64 + 'a;
    type Map = fn(f64) -> f64;
    type Tried = fn(f64, f64) -> Result<f64, String>;

    struct Steps {
        h: f64,
    }

    impl Steps {
        fn sum(&self, f: Map, n: usize) -> f64 {
            let mut s = 0.0;
            for i in 0..n {
                s += f(self.h * i as f64);
            }
            s
        }

        fn with(f: Map, h: f64) -> f64 {
            f(h) * h
        }
    }

    fn swing(t: f64, y: &[f64; 2]) -> [f64; 2] {
        [y[1], -y[0] * t]
    }

    fn cube(x: f64) -> f64 {
        x * x * x
    }

    fn less(x: f64, a: f64) -> Result<f64, String> {
        if x > 2.0 {
            return Err("too far".to_owned());
        }
        Ok(x * x - a)
    }

    fn step(f: Rhs, t: f64, y: [f64; 2], h: f64) -> [f64; 2] {
        let k = f(t, &y);
        [y[0] + h * k[0], y[1] + h * k[1]]
    }

    fn solve(f: Rhs, y: [f64; 2]) -> [f64; 2] {
        let mut y = y;
        for i in 0..5 {
            y = step(f, i as f64 * 0.1, y, 0.1);
        }
        y
    }

    fn apply(f: Tried, a: f64, x: f64) -> Result<f64, String> {
        Ok(f(x, a)? * 2.0)
    }

    fn trapezoid(f: &Fun, a: f64, b: f64) -> f64 {
        0.5 * (f(a) + f(b)) * (b - a)
    }

    pub(super) fn in_module(x: &[f64]) -> f64 {
        let y = solve(swing, [x[0], x[1]]);
        let steps = Steps { h: x[0] };
        y[0] * y[1]
            + steps.sum(cube, 3)
            + Steps::with(cube, x[1])
            + trapezoid(&|t| t * x[0], x[1], x[0])
            + apply(less, x[0], x[1]).unwrap_or(x[0])
    }
}

#[test]
fn aliases_of_functions() {
    use functions::in_module;
    scalar!(by_alias).row(961).check(&POINTS);
    scalar!(in_module).row(961).check(&POINTS);
}

#[differentiable]
fn parts_of_constants(x: &[f64]) -> f64 {
    const N: usize = 2;
    const C: [f64; 4] = [0.9, 6.5, -2.1, 7.3];
    const D: [[f64; 2]; 3] = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let mut sum = C[0];
    for (i, &c) in C[1..].iter().enumerate() {
        sum += c / (x[0] + i as f64 + 1.0);
    }
    for (a, b) in C[..3].iter().zip(C[1..].iter()) {
        sum += a * b * x[0];
    }
    for [a, b] in &D[..N] {
        sum += a * x[0] + b * x[1];
    }
    let part = &C[1..=N];
    for p in part {
        sum += p * x[1] * x[1];
    }
    sum + C[N..].iter().fold(0.0, |s, c| s * x[0] + c) + C[1..][1] * x[1]
}

#[test]
fn parts_of_constants_of_functions() {
    scalar!(parts_of_constants).row(962).check(&POINTS);
}

#[differentiable]
mod twins {
    #[cfg(any(target_feature = "fma", test))]
    fn multiplied(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[cfg(not(any(target_feature = "fma", test)))]
    fn multiplied(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }

    pub(super) fn chosen(x: &[f64]) -> f64 {
        multiplied(x[0], x[1], x[0].sin()) * x[1]
    }
}

#[test]
fn functions_that_conditions_choose() {
    use twins::chosen;
    scalar!(chosen).row(963).check(&POINTS);
}
