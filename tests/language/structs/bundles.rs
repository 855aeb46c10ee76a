//! Structs that borrow what is differentiated.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.4], &[-1.2, 0.4, 0.9], &[0.2, 0.37, -0.55]];

const RETURNS: [f64; 3] = [1.0, -2.0, 0.4];

// ---- of constants ----

#[derive(Differentiable, Clone, Copy)]
struct Likelihood<'a> {
    #[constant]
    data: &'a [f64],
    mu: f64,
    sigma: f64,
}

#[differentiable]
impl<'a> Likelihood<'a> {
    fn value(&self) -> f64 {
        let each = self.data.iter().map(|y| {
            let z = (y - self.mu) / self.sigma;
            -0.5 * z * z - self.sigma.abs().ln()
        });
        each.sum()
    }

    fn shifted(self, by: f64) -> Self {
        Likelihood {
            mu: self.mu + by,
            ..self
        }
    }

    fn len(&self) -> usize {
        self.data.len()
    }
}

#[differentiable]
fn mean(l: &Likelihood) -> f64 {
    l.value() / l.len() as f64
}

#[differentiable]
fn likelihood(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let l = Likelihood {
        data,
        mu: x[0],
        sigma: x[1],
    };
    let other = l.shifted(x[2]);
    let Likelihood { mu, sigma: s, .. } = other.clone();
    l.value() + mean(&other) * mu * s
}

#[test]
fn of_constants() {
    scalar!(likelihood::AD.with(&RETURNS), |x: &[f64]| likelihood(
        x, &RETURNS
    ))
    .row(335)
    .check(&POINTS);
}

#[derive(Clone, Copy)]
enum Side {
    Up,
    Down,
}

struct Market {
    rates: Vec<f64>,
}

impl Market {
    fn rate(&self, k: usize) -> f64 {
        self.rates[k]
    }
}

#[derive(Differentiable, Clone, Copy)]
struct Deal<'a> {
    market: &'a Market,
    side: Side,
    spot: &'a f64,
    weights: [f64; 2],
}

#[differentiable]
impl Deal<'_> {
    const KINDS: usize = 2;

    fn price(&self, strike: f64) -> f64 {
        let gap = match self.side {
            Side::Up => *self.spot - strike,
            Side::Down => strike - self.spot,
        };
        let mut sum = 0.0;
        for k in 0..Self::KINDS {
            sum += gap * gap * self.market.rate(k) * self.weights[k];
        }
        sum
    }
}

#[differentiable]
fn deal(x: &[f64], #[constant] market: &Market, #[constant] side: Side) -> f64 {
    let d = Deal {
        weights: [x[1], x[2]],
        market,
        side,
        spot: &x[0],
    };
    let twice = |d: &Deal<'_>, y: f64| d.price(0.3) * y;
    twice(&d, x[0]) + d.price(x[1])
}

#[test]
fn of_constant_structs_and_enums() {
    let market = Market {
        rates: vec![0.3, 0.7],
    };
    for side in [Side::Up, Side::Down] {
        scalar!(deal::AD.with(&market, side), |x: &[f64]| deal(
            x, &market, side
        ))
        .row(335)
        .check(&POINTS);
    }
}

// ---- of what varies ----

#[differentiable]
mod model {
    pub struct Params {
        pub a: f64,
        pub b: f64,
    }

    pub struct Volatility<'a> {
        params: &'a Params,
        pub state: f64,
    }

    impl<'a> Volatility<'a> {
        pub fn new(params: &'a Params) -> Self {
            let state = params.a / (2.0 + params.b * params.b);
            Self { state, params }
        }

        pub fn step(&mut self, r: f64) -> f64 {
            self.state = self.params.a + self.params.b * self.state + 0.1 * r * r;
            self.hold(1.4);
            self.state
        }

        fn hold(&mut self, limit: f64) {
            if self.state.abs() < limit {
                return;
            }
            self.state *= 0.5;
        }
    }

    pub fn run(v: &mut Volatility, returns: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &r in returns {
            let h = v.step(r);
            sum += h.sin() + r * r * h;
        }
        sum
    }

    fn unpacked(x: &[f64]) -> Params {
        Params {
            a: x[0],
            b: 0.5 * x[1],
        }
    }

    pub(super) fn likelihood(x: &[f64], #[constant] returns: &[f64]) -> f64 {
        let p = unpacked(x);
        let mut v = Volatility::new(&p);
        let mut sum = run(&mut v, returns);
        for k in 0..3 {
            let mut other = Volatility { state: x[k], ..v };
            other.state += x[2];
            sum += run(&mut other, returns) * v.state;
        }
        sum
    }

    /// Data from outside stay constants.
    pub(super) struct Table<'a> {
        pub(super) values: &'a [f64],
    }

    pub(super) fn looked_up(x: &[f64], table: &Table<'_>) -> f64 {
        x[0] * x[1] * table.values[0]
    }
}

#[differentiable]
fn elsewhere(x: &[f64], #[constant] returns: &[f64]) -> f64 {
    let p = model::Params { a: x[0], b: x[2] };
    let mut v = model::Volatility::new(&p);
    let first = v.step(x[1]);
    model::run(&mut v, returns) * first + v.state
}

#[test]
fn of_what_varies() {
    scalar!(model::likelihood::AD.with(&RETURNS), |x: &[f64]| {
        model::likelihood(x, &RETURNS)
    })
    .row(335)
    .check(&POINTS);
    scalar!(elsewhere::AD.with(&RETURNS), |x: &[f64]| elsewhere(
        x, &RETURNS
    ))
    .row(335)
    .check(&POINTS);
    let table = model::Table { values: &RETURNS };
    scalar!(model::looked_up::AD.with(&table), |x: &[f64]| {
        model::looked_up(x, &table)
    })
    .row(335)
    .check(&POINTS);
}

// ---- references that are bound anew ----

#[differentiable]
mod reader {
    #[derive(Clone, Copy)]
    pub struct Cursor<'a> {
        rest: &'a [f64],
        used: usize,
    }

    impl<'a> Cursor<'a> {
        pub fn new(x: &'a [f64]) -> Self {
            Cursor { rest: x, used: 0 }
        }

        pub fn take(&mut self, n: usize) -> &'a [f64] {
            let (head, tail) = self.rest.split_at(n);
            self.rest = tail;
            self.used += n;
            head
        }

        fn one(&mut self) -> f64 {
            self.take(1)[0]
        }
    }

    struct Layer<'a> {
        weights: &'a [f64],
        bias: f64,
    }

    impl<'a> Layer<'a> {
        fn new(c: &mut Cursor<'a>) -> Self {
            Layer {
                weights: c.take(2),
                bias: c.one(),
            }
        }

        fn out(&self, y: f64) -> f64 {
            (self.weights[0] * y + self.weights[1] * y * y + self.bias).tanh()
        }
    }

    struct Deep<'a> {
        cursor: Cursor<'a>,
        scale: f64,
        sums: &'a mut [f64],
    }

    impl Deep<'_> {
        fn next(&mut self) {
            let v = self.cursor.one();
            self.scale *= 1.0 + v;
            self.sums[0] += v * self.scale;
        }
    }

    pub(super) fn network(x: &[f64]) -> f64 {
        let mut c = Cursor::new(x);
        let layer = Layer::new(&mut c);
        let again = move |w: f64| c.used as f64 * w;
        let mut sums = [0.0; 2];
        let mut deep = Deep {
            cursor: Cursor::new(x),
            scale: layer.bias,
            sums: &mut sums,
        };
        for _ in 0..3 {
            deep.next();
        }
        let r = &mut deep;
        r.scale += layer.out(x[1]);
        let scaled = |k: f64| r.scale * k;
        let y = scaled(again(x[0]));
        y + sums[0] * layer.out(0.4)
    }
}

#[test]
fn references_that_methods_bind_anew() {
    scalar!(reader::network::AD, reader::network)
        .row(335)
        .check(&POINTS);
}
