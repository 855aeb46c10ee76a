//! Methods of one's own that are named as those of lists, and operators of constants.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 2.3], &[0.4, 0.7]];

#[differentiable]
mod m {
    #[derive(Clone)]
    pub struct Grid {
        w: usize,
        cells: Vec<f64>,
    }
    impl Grid {
        pub fn new(w: usize, x: &[f64]) -> Grid {
            Grid {
                w,
                cells: x.to_vec(),
            }
        }
        fn get(&self, x: i32, y: i32) -> Option<f64> {
            if x < 0 || y < 0 {
                None
            } else {
                Some(self.cells[y as usize * self.w + x as usize])
            }
        }
        fn first(&self) -> Option<&f64> {
            self.cells.get(1)
        }
        fn last(&self) -> Option<f64> {
            self.cells.first().map(|v| v * v)
        }
        fn pop(&mut self) -> Option<f64> {
            let v = self.cells[0];
            self.cells[0] += 1.0;
            Some(v)
        }
        fn get_mut(&mut self, k: usize) -> Option<&mut f64> {
            self.cells.get_mut(k + 1)
        }
        fn own(&self) -> Grid {
            Grid {
                w: self.w,
                cells: self.cells.iter().map(|v| v.sin()).collect(),
            }
        }
        fn total(&self) -> f64 {
            let mut s = 0.0;
            for x in 0..self.w as i32 {
                let c = self.get(x, 0).unwrap();
                s += c * c;
            }
            s
        }
    }
    /// An iterator whose own methods have the names of adaptors.
    pub struct Walk {
        v: Vec<f64>,
        n: usize,
    }
    impl Walk {
        fn next(&mut self) -> Option<f64> {
            self.n += 1;
            if self.n > self.v.len() {
                None
            } else {
                Some(self.v[self.n - 1])
            }
        }
        fn rev(&self) -> Walk {
            Walk {
                v: self.v.iter().rev().copied().collect(),
                n: 0,
            }
        }
    }
    pub fn walked(x: &[f64]) -> f64 {
        let t = Walk {
            v: x.to_vec(),
            n: 0,
        };
        let mut r = t.rev();
        let mut s = 1.0;
        while let Some(v) = r.next() {
            s = s * v + v.sin();
        }
        s
    }
    pub struct View<'a> {
        of: &'a [f64],
    }
    impl<'a> View<'a> {
        fn get(&self, k: usize, n: f64) -> Option<f64> {
            Some(self.of[k] * n)
        }
    }
    pub fn a(x: &[f64]) -> f64 {
        Grid::new(2, x).total()
    }
    pub fn b(x: &[f64]) -> f64 {
        let g = Grid::new(2, x);
        g.first().unwrap() * g.last().unwrap()
            + g.own().last().unwrap()
            + Grid::new(2, x).get(1, 0).expect("there")
    }
    pub fn c(x: &[f64]) -> f64 {
        let mut g = Grid::new(2, x);
        g.pop();
        let v = g.pop().unwrap();
        v * g.total()
    }
    pub fn d(x: &[f64]) -> f64 {
        let mut g = Grid::new(2, x);
        *g.get_mut(0).unwrap() *= 3.0;
        g.total()
    }
    pub fn e(x: &[f64]) -> f64 {
        let v = View { of: x };
        v.get(1, x[0]).unwrap() * v.get(0, 2.0).unwrap_or(1.0)
    }
}

#[test]
fn methods_named_as_those_of_lists() {
    scalar!(m::a::AD, m::a)
        .takes_memory()
        .row(869)
        .check(&POINTS);
    scalar!(m::b::AD, m::b)
        .takes_memory()
        .row(869)
        .check(&POINTS);
    scalar!(m::c::AD, m::c)
        .takes_memory()
        .row(869)
        .check(&POINTS);
    scalar!(m::d::AD, m::d)
        .takes_memory()
        .row(869)
        .check(&POINTS);
    scalar!(m::walked::AD, m::walked)
        .takes_memory()
        .row(869)
        .check(&POINTS);
    scalar!(m::e::AD, m::e).row(869).check(&POINTS);
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Date {
    day: i64,
}

impl Date {
    const fn new(year: i32) -> Self {
        Date {
            day: year as i64 * 365,
        }
    }
}

impl std::ops::Sub for Date {
    type Output = i64;
    fn sub(self, o: Date) -> i64 {
        self.day - o.day
    }
}

impl std::ops::Add<i64> for Date {
    type Output = Date;
    fn add(self, o: i64) -> Date {
        Date { day: self.day + o }
    }
}

impl std::ops::Sub<&Date> for &Date {
    type Output = f64;
    fn sub(self, o: &Date) -> f64 {
        (self.day - o.day) as f64
    }
}

#[derive(Clone, Differentiable)]
struct Flow {
    #[constant]
    date: Date,
    amount: f64,
}

#[differentiable]
fn made(x: &[f64]) -> f64 {
    let mut flows = vec![];
    for year in 2024..2027 {
        flows.push(Flow {
            date: Date::new(year),
            amount: x[0],
        });
    }
    let first = flows[0].date;
    let mut s = 0.0;
    for Flow { date, amount } in &flows {
        let t = (*date - first) as f64 / 365.0;
        s += amount * (-x[1] * t).exp();
    }
    s
}

#[differentiable]
fn between(x: &[f64]) -> f64 {
    let (a, b) = (Date { day: 3 }, Date { day: 500 });
    let n = b - a;
    let mut s = x[0] * n as f64 + x[1] * (b + 4 - a) as f64;
    let mut now = a;
    while now < b {
        now = now + 100;
        s += x[0].sin() * (&now - &a);
    }
    s
}

#[test]
fn operators_of_constants() {
    scalar!(made::AD, made).rows(&[849, 899]).check(&POINTS);
    scalar!(between::AD, between).row(849).check(&POINTS);
}
