//! Results that only the place of a call gives: of generic functions, rows of structs, iterators of `std::slice`.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3, 2.0], &[-0.4, 0.9, 1.1], &[1.6, -0.3, 0.5]];

#[differentiable]
mod generic {
    #[derive(Clone, Copy)]
    pub struct P {
        pub x: f64,
        pub v: f64,
    }

    #[derive(Clone, Copy)]
    pub struct V<const D: usize>(pub [f64; D]);

    #[derive(Debug)]
    pub enum Error {
        Far(usize),
    }

    pub struct Solution {
        pub t: Vec<f64>,
        pub y: Vec<f64>,
    }

    pub trait System {
        fn rhs(&self, y: f64) -> f64;
        fn force(&self, r: V<2>) -> V<2>;
    }

    pub struct Linear {
        pub a: f64,
    }

    impl System for Linear {
        fn rhs(&self, y: f64) -> f64 {
            self.a * y
        }

        fn force(&self, r: V<2>) -> V<2> {
            V([self.a * r.0[0], r.0[1] * r.0[0]])
        }
    }

    pub struct Sine;

    impl System for Sine {
        fn rhs(&self, y: f64) -> f64 {
            y.sin()
        }

        fn force(&self, r: V<2>) -> V<2> {
            r
        }
    }

    fn euler<S: System>(sys: &S, y: f64, n: usize) -> Vec<P> {
        let mut p = P { x: y, v: 1.0 };
        let mut all = vec![p];
        for _ in 0..n {
            p.v += 0.1 * sys.rhs(p.x);
            p.x += 0.1 * p.v;
            all.push(p);
        }
        all
    }

    fn tried<S: System>(sys: &S, y: f64) -> Result<P, String> {
        if y > 100.0 {
            return Err("far".into());
        }
        Ok(P {
            x: sys.rhs(y),
            v: y,
        })
    }

    fn solved(sys: &impl System, y: f64) -> Result<Solution, Error> {
        if y > 100.0 {
            return Err(Error::Far(3));
        }
        let (mut t, mut ys, mut y) = (vec![0.0], vec![y], y);
        for k in 0..4 {
            y += 0.1 * sys.rhs(y);
            t.push(k as f64 * 0.1);
            ys.push(y);
        }
        Ok(Solution { t, y: ys })
    }

    fn maybe<S: System>(sys: &S, y: f64) -> Option<(P, f64)> {
        let p = P {
            x: sys.rhs(y),
            v: 2.0 * y,
        };
        (y > -10.0).then_some((p, y))
    }

    fn acceleration<S: System>(of: &S, r: V<2>) -> V<2> {
        of.force(r)
    }

    pub fn f(x: &[f64]) -> f64 {
        let l = Linear { a: x[0] };
        let all = euler(&l, x[1], 5);
        let mut s = all.last().unwrap().x * all[2].v;
        s += euler(&Sine, x[2], 3).iter().map(|p| p.x * p.v).sum::<f64>();
        s += tried(&l, x[1]).unwrap().x;
        match tried(&Sine, x[1] * 100.0) {
            Ok(p) => s += p.v,
            Err(_) => s *= x[0],
        }
        for scale in [1.0, 1000.0] {
            match solved(&l, x[1] * scale) {
                Ok(o) => s += o.y[4] * o.t[2],
                Err(Error::Far(n)) => s += n as f64 * x[2],
            }
        }
        if let Some((p, y)) = maybe(&l, x[2]) {
            s += p.x * p.v * y;
        }
        s + acceleration(&l, V([x[0], x[1]])).0[1]
    }
}

#[differentiable]
mod rows {
    #[derive(Clone, Copy)]
    pub struct Db(pub f64);

    #[derive(Clone, Copy)]
    pub struct Cell {
        pub k: usize,
    }

    pub struct Scale {
        pub k: f64,
    }

    fn lines(a: f64, y: f64) -> Vec<Vec<Db>> {
        vec![vec![Db(a * y)], vec![Db(a), Db(y.sin())]]
    }

    fn squares(rows: &[Vec<Db>]) -> f64 {
        let mut s = 0.0;
        for row in rows {
            for d in row {
                s += d.0 * d.0;
            }
        }
        s
    }

    fn by_value(rows: Vec<Vec<Db>>, x: f64) -> f64 {
        (rows
            .iter()
            .map(|row| row.iter().map(|d| d.0).sum::<f64>() * x))
        .sum()
    }

    fn cells(rows: &[Vec<Cell>], x: f64) -> f64 {
        (rows.iter().map(|r| r.len() as f64 * x * r[0].k as f64)).sum()
    }

    impl Scale {
        fn rows(&self, x: &[f64]) -> Vec<Vec<Db>> {
            let mut rows = Vec::new();
            for i in 0..3 {
                let mut row = Vec::new();
                for v in &x[..=i] {
                    row.push(Db(self.k * v));
                }
                rows.push(row);
            }
            rows
        }

        fn firsts(&self, rows: &[Vec<Db>]) -> f64 {
            rows.iter().map(|r| r[0].0 * self.k).sum()
        }
    }

    pub fn f(x: &[f64]) -> f64 {
        let v = lines(x[0], x[1]);
        let c = Scale { k: x[2] };
        let rows = c.rows(x);
        let mut s = v[0][0].0 * v[1][0].0 + squares(&v) + squares(&rows) * c.firsts(&rows);
        s += cells(
            &[vec![Cell { k: 3 }], vec![Cell { k: 2 }, Cell { k: 1 }]],
            x[0],
        );
        s += lines(s, x[1])[1][1].0;
        s * by_value(lines(x[2], x[1]), x[0])
    }
}

#[differentiable]
mod iterators {
    pub struct List {
        values: Vec<f64>,
    }

    impl List {
        fn iter(&self) -> std::slice::Iter<'_, f64> {
            self.values.iter()
        }

        fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
            self.values.chunks_exact(2)
        }
    }

    fn pairs(x: &[f64]) -> std::slice::Windows<'_, f64> {
        x.windows(2)
    }

    pub fn f(x: &[f64]) -> f64 {
        let l = List {
            values: vec![x[0], x[1], x[2], x[0] * x[1]],
        };
        let mut s: f64 = l.iter().map(|r| r * r).sum();
        for r in l.rows() {
            s += r[0] * r[1].sin();
        }
        for w in pairs(x) {
            s *= w[0] - w[1];
        }
        s + pairs(x).map(|w| w[0] * w[1]).sum::<f64>()
    }
}

#[test]
fn of_generic_functions() {
    scalar!(generic::f::AD, generic::f)
        .row(871)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn rows_of_structs() {
    scalar!(rows::f::AD, rows::f)
        .row(872)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn iterators_of_slices() {
    scalar!(iterators::f::AD, iterators::f)
        .row(873)
        .takes_memory()
        .check(&POINTS);
}
