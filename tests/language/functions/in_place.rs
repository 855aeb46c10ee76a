//! Bodies in the place of calls: methods that return references, take functions or are generic over traits, and
//! functions that take iterators. What is small enough is written out too.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4, 0.9], &[1.2, 0.4, 0.9, 0.6]];

#[differentiable]
pub(crate) mod matrices {
    #[derive(Clone, Debug)]
    pub(crate) struct Matrix {
        rows: usize,
        cols: usize,
        data: Vec<f64>,
    }

    impl Matrix {
        pub(crate) fn zeros(rows: usize, cols: usize) -> Self {
            Matrix {
                rows,
                cols,
                data: vec![0.0; rows * cols],
            }
        }
        fn row(&self, i: usize) -> &[f64] {
            &self.data[i * self.cols..(i + 1) * self.cols]
        }
        fn row_mut(&mut self, i: usize) -> &mut [f64] {
            &mut self.data[i * self.cols..(i + 1) * self.cols]
        }
        fn at(&self, i: usize, j: usize) -> &f64 {
            let k = i * self.cols + j;
            &self.data[k]
        }
        fn map<F: Fn(f64) -> f64>(&self, f: F) -> Matrix {
            Matrix {
                rows: self.rows,
                cols: self.cols,
                data: self.data.iter().map(|&v| f(v)).collect(),
            }
        }
        fn apply(&mut self, f: impl Fn(f64) -> f64) {
            for v in self.data.iter_mut() {
                *v = f(*v);
            }
        }
        fn times(&self, other: &Matrix) -> Matrix {
            let mut out = Matrix::zeros(self.rows, other.cols);
            for i in 0..self.rows {
                for j in 0..other.cols {
                    for k in 0..self.cols {
                        out.data[i * other.cols + j] += self.row(i)[k] * other.at(k, j);
                    }
                }
            }
            out
        }
    }

    pub(crate) fn references(x: &[f64]) -> f64 {
        let mut m = Matrix::zeros(2, 2);
        m.row_mut(0).copy_from_slice(&x[..2]);
        m.row_mut(1)[0] += x[2] * x[3];
        for (v, w) in m.row_mut(1).iter_mut().zip(x) {
            *v += w * w;
        }
        let p = m.times(&m);
        let i = 1;
        let dot: f64 = m.row(0).iter().zip(p.row(i)).map(|(a, b)| a * b).sum();
        dot + m.at(1, 1) * p.at(0, i) + p.row(0)[1]
    }

    pub(crate) fn closures(x: &[f64]) -> f64 {
        let mut m = Matrix::zeros(2, 2);
        m.data.copy_from_slice(x);
        let k = x[0];
        let n = m.map(|v| (v * k).sin());
        // a name that the body has too
        let f = x[1];
        m.apply(|v| v * v + f * k);
        n.map(|v| m.map(|w| v * w).data[1]).data.iter().sum::<f64>() + m.data[2]
    }
}

#[differentiable]
pub(crate) mod bodies {
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Body {
        pub mass: f64,
        pub at: f64,
        pub speed: f64,
    }

    pub(crate) trait Force {
        fn pair(&self, a: &Body, b: &Body) -> f64;
    }

    pub(crate) struct Spring {
        pub k: f64,
    }

    pub(crate) struct Gravity {
        pub g: f64,
        pub soft: f64,
    }

    impl Force for Spring {
        fn pair(&self, a: &Body, b: &Body) -> f64 {
            self.k * (b.at - a.at)
        }
    }

    impl Force for Gravity {
        fn pair(&self, a: &Body, b: &Body) -> f64 {
            self.g * a.mass * b.mass / ((b.at - a.at).powi(2) + self.soft)
        }
    }

    pub(crate) struct System {
        bodies: Vec<Body>,
    }

    impl System {
        fn kick<F: Force>(&mut self, force: &F, dt: f64) {
            let n = self.bodies.len();
            for i in 0..n {
                for j in i + 1..n {
                    let f = force.pair(&self.bodies[i], &self.bodies[j]);
                    self.bodies[i].speed += dt * f / self.bodies[i].mass;
                    self.bodies[j].speed -= dt * f / self.bodies[j].mass;
                }
            }
        }
        fn drift(&mut self, dt: f64) {
            for b in &mut self.bodies {
                b.at += dt * b.speed;
            }
        }
    }

    pub(crate) fn energy(x: &[f64]) -> f64 {
        let bodies = vec![
            Body {
                mass: x[0],
                at: 0.0,
                speed: x[1],
            },
            Body {
                mass: 1.0,
                at: x[2],
                speed: 0.3,
            },
            Body {
                mass: x[3],
                at: 2.0,
                speed: x[0] * x[1],
            },
        ];
        let mut system = System { bodies };
        let (spring, gravity) = (Spring { k: x[3] }, Gravity { g: 0.7, soft: x[2] });
        for _ in 0..3 {
            system.kick(&spring, 0.1);
            system.drift(0.2);
            system.kick(&gravity, 0.1);
        }
        system
            .bodies
            .iter()
            .map(|b| 0.5 * b.mass * b.speed * b.speed)
            .sum()
    }
}

#[differentiable]
fn log_sum_exp(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let max = values.clone().fold(f64::NEG_INFINITY, f64::max);
    max + values.map(|v| (v - max).exp()).sum::<f64>().ln()
}

#[differentiable]
fn weighted<I: Iterator<Item = f64>>(values: I, scale: f64) -> f64 {
    let mut sum = 0.0;
    for (i, v) in values.enumerate() {
        sum += v * scale.powi(i as i32);
    }
    sum
}

#[differentiable]
fn chains(x: &[f64], #[constant] shift: &[f64]) -> f64 {
    let scale = x[1];
    let total = log_sum_exp(x.iter().zip(shift).map(|(a, b)| a * scale + b));
    total * weighted(x.iter().skip(1).copied(), x[0]) + log_sum_exp((0..3).map(|k| x[k] * x[3]))
}

#[differentiable]
pub(crate) mod written_out {
    pub(crate) type Grid = [[f64; 2]; 2];

    fn joined(a: &[f64], b: &[f64]) -> Vec<f64> {
        [a, b, &[1.5]].concat()
    }
    pub(crate) fn concat(x: &[f64]) -> f64 {
        let all = joined(&x[..2], x);
        let rows = vec![all.clone(), vec![x[3]], Vec::new()];
        let flat = rows.concat();
        flat.iter()
            .enumerate()
            .map(|(i, v)| v * v * (i + 1) as f64)
            .sum::<f64>()
            + all[6] * x[0]
    }
    pub(crate) fn defaults(x: &[f64]) -> f64 {
        let mut c = Grid::default();
        let mut d: [f64; 3] = Default::default();
        for i in 0..2 {
            for j in 0..2 {
                c[i][j] += x[2 * i + j] * x[0];
            }
            d[i] += c[i][1];
        }
        c[0][1] * c[1][0] + d[0] * d[1] + d[2]
    }
    pub(crate) fn tuples(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        let skipped = (1, -1);
        for a in -1..=1 {
            for b in -1..=1 {
                if (a, b) == (0, 0) || (a, b) == skipped {
                    continue;
                }
                if ((a, b), true) != ((1, 1), a == b) {
                    sum += x[(a + 1) as usize] * x[(b + 1) as usize];
                }
            }
        }
        sum * x[3]
    }
}

/// A variable that a constant was read with has changed when the constant is read again.
#[differentiable]
fn runs(x: &[f64], #[constant] times: &[(f64, bool)]) -> f64 {
    let (mut i, mut sum) = (0, 0.0);
    while i < times.len() {
        let t = times[i];
        let mut n = 0;
        while i < times.len() && times[i].0 == t.0 {
            n += 1;
            i += 1;
        }
        sum += x[n].sin() * x[0] * i as f64;
    }
    sum
}

#[test]
fn methods_that_return_references() {
    use matrices::references;
    scalar!(references)
        .rows(&[180, 184])
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn methods_that_take_functions() {
    use matrices::closures;
    scalar!(closures).row(180).takes_memory().check(&POINTS);
}

#[test]
fn methods_generic_over_a_trait() {
    use bodies::energy;
    scalar!(energy).row(180).takes_memory().check(&POINTS);
}

#[test]
fn iterators_as_parameters() {
    scalar!(chains::AD.with(&[0.3, -0.2, 0.5, 0.1]), |x: &[f64]| chains(
        x,
        &[0.3, -0.2, 0.5, 0.1]
    ))
    .row(181)
    .check(&POINTS);
}

#[test]
fn joined_and_compared() {
    use written_out::{concat, defaults, tuples};
    scalar!(concat).row(182).check(&POINTS);
    scalar!(tuples).row(183).check(&POINTS);
    scalar!(defaults).row(185).check(&POINTS);
}

#[test]
fn constants_read_in_a_loop_that_moves_on() {
    scalar!(
        runs::AD.with(&[(1.0, true), (1.0, false), (2.0, true), (2.5, true)]),
        |x: &[f64]| runs(x, &[(1.0, true), (1.0, false), (2.0, true), (2.5, true)])
    )
    .row(186)
    .check(&POINTS);
}
