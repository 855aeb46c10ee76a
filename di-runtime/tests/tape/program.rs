//! Every function of the table on a tape, and foreign code.

use approx::assert_relative_eq;
use di_elementary::TABLE;
use di_runtime::backends::AutoTape;
use di_runtime::closure::{OnScalars, generic};
use di_runtime::context::{Constant, Snapshot};
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use di_runtime::rules::by_name;
use di_runtime::scalar::Scalar;
use di_runtime::value::{Number, Slice};

/// Sum of one function of the table over many arguments: a loop of calls.
#[derive(Clone, Copy)]
struct Calls {
    name: &'static str,
    n: i32,
    arity: usize,
}

impl OnScalars for Calls {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn constants(&self, snapshot: &mut Snapshot) {
        self.name.snapshot(snapshot);
        self.n.snapshot(snapshot);
    }
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        let mut sum = S::from_real(0.0);
        for x in x.chunks(self.arity) {
            sum = sum + by_name::value(self.name, x, self.n).unwrap();
        }
        sum
    }
}

#[test]
fn functions_of_the_table() {
    let rows = TABLE.iter().chain(di_elementary::OPERATORS);
    for row in rows {
        let arity = row.arity();
        for domain in row.domains {
            // points well inside of the box, different for each call
            let x: Vec<f64> = (0..7)
                .flat_map(|k| {
                    domain.iter().enumerate().map(move |(j, (lo, hi))| {
                        lo + (hi - lo) * (0.15 + 0.7 * ((k * 3 + j * 2) % 7) as f64 / 7.0)
                    })
                })
                .collect();
            let f = generic(Calls {
                name: row.name,
                n: 3,
                arity,
            });
            for b in [AutoTape::new(), AutoTape::eager()] {
                let prep = prepare_gradient(f, &b, &x).unwrap();
                let g = gradient(f, &prep, &b, &x).unwrap();
                for (i, g) in g.iter().enumerate() {
                    let (call, k) = (i / arity * arity, i % arity);
                    let e = difference(row.name, &x[call..call + arity], k);
                    assert_relative_eq!(*g, e, max_relative = 1e-6, epsilon = 1e-6);
                }
            }
        }
    }
}

/// Derivative by argument `k`, by differences and one step of Richardson's.
fn difference(name: &str, x: &[f64], k: usize) -> f64 {
    let at = |d: f64| {
        let mut x = x.to_vec();
        x[k] += d;
        by_name::value(name, &x, 3).unwrap()
    };
    let central = |h: f64| (at(h) - at(-h)) / (2.0 * h);
    (4.0 * central(5e-4) - central(1e-3)) / 3.0
}

/// A program drawn at random: stretches of code, some of them repeated, on a growing list of numbers.
#[derive(Clone, Copy)]
struct Drawn {
    seed: u64,
}

/// A generator of pseudo-random numbers (G. Marsaglia 2003, xorshift).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

impl Drawn {
    /// One operation; `near` and `far` are numbers made before.
    fn operate<S: Scalar<Real = f64>>(kind: usize, near: S, far: S, c: f64) -> S {
        match kind {
            0 => near + far,
            1 => near - far,
            2 => (near * far).sin(),
            3 => near.mul_real(c) + far,
            4 => far - near.mul_real(c),
            5 => near * far.cos() + far,
            6 => S::real_sub(c, near),
            7 => (near * near).add_real(1.0).sqrt(),
            8 => near / (far * far).add_real(1.0),
            9 => near.max(far),
            10 => near.powi(3).div_real(10.0).tanh(),
            11 => near.tanh() * near.tanh() - far,
            _ => far.sub_real(c).atan2(near.abs().add_real(1.0)),
        }
    }
}

impl OnScalars for Drawn {
    type Real = f64;
    type X = Slice;
    type Y = Slice;
    fn constants(&self, snapshot: &mut Snapshot) {
        self.seed.snapshot(snapshot);
    }
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> Vec<S> {
        let mut draw = Draw(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut v = x.to_vec();
        let mut sum = S::from_real(0.0);
        for _ in 0..1 + draw.below(4) {
            let steps: Vec<[usize; 4]> = (0..1 + draw.below(5))
                .map(|_| [draw.below(13), draw.below(6), draw.below(9), draw.below(7)])
                .collect();
            let turns = 1 + draw.below(40);
            let (scattered, summed) = (draw.below(3) == 0, draw.below(2) == 0);
            for turn in 0..turns {
                for [kind, near, far, c] in &steps {
                    let n = v.len();
                    let far = match far {
                        // carried, from the inputs in turn, broadcast, or from anywhere
                        0..3 => v[n - 1 - far],
                        3..6 => v[turn % x.len()],
                        6 | 7 => v[0],
                        _ if scattered => v[(turn * 7 + far) % n],
                        _ => v[n / 2],
                    };
                    let c = if *c < 3 { *c as f64 } else { 0.1 * turn as f64 };
                    let near = v[n - 1 - near % n];
                    v.push(Drawn::operate(*kind, near, far, c));
                }
                if summed {
                    sum = sum + v[v.len() - 1];
                }
            }
        }
        v.push(sum);
        let n = v.len();
        vec![
            v[n - 1],
            v[n - 2],
            v[n / 2],
            v[n / 3],
            v[0],
            S::from_real(2.0),
        ]
    }
}

#[test]
fn programs_drawn_at_random() {
    let dual = di_runtime::backends::AutoDual::new();
    for seed in 0..400 {
        let f = generic(Drawn { seed });
        let at =
            |shift: f64| -> Vec<f64> { (0..7).map(|i| (0.9 * i as f64 + shift).sin()).collect() };
        let tape = AutoTape::new();
        let rows = prepare_pullback(f, &tape, &at(0.0), &[vec![0.0; 6], vec![0.0; 6]]).unwrap();
        let columns = prepare_jacobian(f, &tape, &at(0.0)).unwrap();
        for shift in [0.0, 0.7] {
            let x = at(shift);
            let plain = Drawn { seed }.run::<f64>(&x);
            let e = jacobian(f, NoPrep, &dual, &x).unwrap();
            let (y, j) = value_and_jacobian(f, &columns, &tape, &x).unwrap();
            assert_eq!(y, plain, "seed {seed}");
            let (y, k) = value_and_jacobian(f, NoPrep, &AutoTape::eager(), &x).unwrap();
            assert_eq!(y, plain, "seed {seed}");
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
            for ((j, k), e) in j.iter().zip(&k).zip(&e) {
                assert!(close(*j, *e) && close(*k, *e), "seed {seed}: {j} {k} {e}");
            }
            let seeds = [
                vec![1.0, 0.0, 0.5, 0.0, 0.0, 1.0],
                vec![0.0, 1.0, 0.0, -2.0, 1.0, 0.0],
            ];
            let (y, xb) = value_and_pullback(f, &rows, &tape, &x, &seeds).unwrap();
            assert_eq!(y, plain, "seed {seed}");
            for (yb, xb) in seeds.iter().zip(&xb) {
                for (i, xb) in xb.iter().enumerate() {
                    let sum: f64 = yb.iter().enumerate().map(|(m, yb)| yb * e[[m, i]]).sum();
                    assert!(close(*xb, sum), "seed {seed}: {xb} {sum}");
                }
            }
        }
    }
}
