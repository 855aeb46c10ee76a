//! Derived structs with vectors in a module, by value, and those that no function names.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.7, 1.1, -0.4, 0.9],
    &[-1.2, 0.4, 0.9, -0.3],
    &[0.2, -0.6, 1.3, 0.5],
];

#[differentiable]
mod model {
    #[derive(Clone, Debug)]
    pub(super) struct Grid {
        pub n: usize,
        pub u: Vec<f64>,
        pub label: Vec<usize>,
    }
    #[derive(Clone, Debug)]
    pub(super) struct Pair {
        pub a: Grid,
        pub b: Grid,
        pub w: f64,
    }
    impl Grid {
        pub(super) fn new(x: &[f64]) -> Self {
            Grid {
                n: x.len(),
                u: x.to_vec(),
                label: (0..x.len()).collect(),
            }
        }
        pub(super) fn smooth(&self) -> Self {
            let mut next = self.clone();
            for i in 1..self.n - 1 {
                next.u[i] = 0.5 * (self.u[i - 1] + self.u[i + 1]) * self.u[i];
            }
            next
        }
        fn grow(&mut self, v: f64) {
            self.u[0] += v;
            for x in self.u.iter_mut() {
                *x *= v;
            }
        }
        fn norm(&self) -> f64 {
            self.u.iter().map(|v| v * v).sum::<f64>()
        }
    }
    impl std::ops::Add for &Grid {
        type Output = Grid;
        fn add(self, o: &Grid) -> Grid {
            Grid {
                n: self.n,
                u: self.u.iter().zip(&o.u).map(|(a, b)| a + b * b).collect(),
                label: self.label.clone(),
            }
        }
    }
    pub(super) fn run(x: &[f64]) -> f64 {
        let mut g = Grid::new(x);
        let mut all = 0.0;
        for k in 0..3 {
            let s = g.smooth();
            g = &s + &g;
            g.grow(x[k]);
            all += g.norm() * g.u[g.label[k]];
        }
        let mut p = Pair {
            a: g.clone(),
            b: g.smooth(),
            w: x[1],
        };
        std::mem::swap(&mut p.a, &mut p.b);
        p.a.u[0] *= p.w;
        p.b = &p.a + &p.b;
        p.a.label[1] = 0;
        let Pair { a, b, w } = p;
        all + a.norm() * b.u[a.label[1]] * w
    }
    pub(super) fn early(x: &[f64]) -> f64 {
        let g = Grid::new(x);
        let r = pick(&g, x[0]);
        if r.n > 2 {
            return r.norm();
        }
        r.u[0] * g.u[1]
    }
    fn pick(g: &Grid, v: f64) -> Grid {
        if v > 0.5 {
            return g.smooth();
        }
        let mut h = Grid::new(&g.u[..2]);
        for i in 0..3 {
            let t = Grid {
                u: h.u.iter().map(|a| a * v).collect(),
                ..h.clone()
            };
            if t.u[0] > 0.1 {
                return t;
            }
            h = t;
            h.u[i % 2] += v;
        }
        h
    }
    pub(super) fn tuple(x: &[f64]) -> f64 {
        let (mut a, mut b) = (Grid::new(x), Grid::new(&x[1..]));
        for _ in 0..3 {
            (a, b) = (b.smooth(), a.smooth());
            if a.norm() > b.norm() {
                let t = a;
                a = b;
                b = t;
            }
        }
        let o = if x[0] > 0.0 { Some(a.clone()) } else { None };
        let s = match o {
            Some(g) => g.norm(),
            None => b.u[0],
        };
        let v = vec![a.norm(), b.norm() * s];
        v[0] * v[1]
    }
}

#[test]
fn values_in_a_module() {
    use model::{early, run, tuple};
    scalar!(run).takes_memory().check(&POINTS);
    scalar!(early).takes_memory().check(&POINTS);
    scalar!(tuple).takes_memory().check(&POINTS);
}

#[derive(Clone, Debug, Differentiable)]
struct Acc {
    sum: Vec<f64>,
    n: usize,
}
#[differentiable]
fn by_value(mut a: Acc, x: f64) -> f64 {
    a.sum.push(x);
    let b = a.clone();
    a.sum[0] *= x;
    a.sum.iter().zip(&b.sum).map(|(p, q)| p * q).sum()
}

#[test]
fn by_value_and_longer_inside() {
    let of = |sum: &[f64]| Acc {
        sum: sum.to_vec(),
        n: 1,
    };
    let f = by_value::AD.fix_x(0.7);
    let (a, d) = (of(&[0.5, 2.0]), of(&[1.0, 0.0]));
    // x a0^2 + a1^2 + x^2
    let g = gradient(f, NoPrep, &AutoSource::new(), &a).unwrap();
    assert_close("gradient", &g.sum, &[0.7, 4.0], ROUNDING);
    let h = hvp(f, NoPrep, &AutoSource::new(), &a, &d).unwrap();
    assert_close("hvp", &h.sum, &[1.4, 0.0], ROUNDING);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}
#[differentiable]
impl V3 {
    fn scaled(&self, k: f64) -> V3 {
        V3 {
            x: self.x * k,
            y: self.y * k,
            z: self.z,
        }
    }
}
#[differentiable]
fn v3(x: &[f64]) -> V3 {
    V3 {
        x: x[0],
        y: x[1] * x[0],
        z: x[2],
    }
}
#[differentiable]
fn copied(x: &[f64]) -> f64 {
    let mut a = v3(x);
    let b = a;
    a = a.scaled(x[3]);
    let c = a;
    for i in 0..3 {
        let d = a;
        a = d.scaled(x[i]);
        a.z += d.x * b.y;
    }
    a.x * b.x + c.y * a.z
}

#[test]
fn copies_of_what_has_no_name() {
    scalar!(copied).check(&POINTS);
}
