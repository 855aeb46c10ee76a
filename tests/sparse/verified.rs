//! Random functions with branches, of scales from 1e-12 to 1e12: verification accepts no wrong matrix above its bound,
//! and refuses no right one. `DI_VERIFIED=3000` runs more of them, `DI_SEED` others.

use di::prelude::*;
use di::sparse::{AutoSparse, Error as Sparsity, Greedy, Partition, Tracing, Verify};
use di::{AutoComplexStep, AutoReverseFromPrimitive, AutoSymbolic, AutoTaylor, Error};
use ndarray::Array2;

/// Terms of each result.
const TERMS: usize = 5;

/// Terms of five kinds; each has three inputs, the last of which decides, and two factors.
#[differentiable]
fn results(
    x: &[f64],
    #[constant] kind: &[usize],
    #[constant] at: &[usize],
    #[constant] factor: &[f64],
    y: &mut [f64],
) {
    for i in 0..y.len() {
        let mut sum = 0.0;
        for t in 0..TERMS {
            let p = i * TERMS + t;
            let (a, b, decides) = (x[at[3 * p]], x[at[3 * p + 1]], x[at[3 * p + 2]]);
            let (v, w) = (factor[2 * p], factor[2 * p + 1]);
            if kind[p] == 1 {
                sum += v * a;
            } else if kind[p] == 2 {
                sum += if decides > 0.0 { v * a } else { v * a + w * b };
            } else if kind[p] == 3 {
                sum += if decides > 0.0 { 0.0 } else { v * a };
            } else if kind[p] == 4 {
                sum += (v * a + w * b) - v * a;
            } else if kind[p] == 5 {
                sum += if decides > 0.0 { v * a } else { v * b };
            } else if kind[p] == 6 {
                sum += v * a * b;
            }
        }
        y[i] = sum;
    }
}

#[differentiable]
fn number(
    x: &[f64],
    #[constant] kind: &[usize],
    #[constant] at: &[usize],
    #[constant] factor: &[f64],
) -> f64 {
    let mut sum = 0.0;
    for p in 0..kind.len() {
        let (a, b, decides) = (x[at[3 * p]], x[at[3 * p + 1]], x[at[3 * p + 2]]);
        let (v, w) = (factor[2 * p], factor[2 * p + 1]);
        if kind[p] == 1 {
            sum += v * a * a;
        } else if kind[p] == 2 {
            sum += if decides > 0.0 {
                v * a * a
            } else {
                v * a * a + w * a * b
            };
        } else if kind[p] == 3 {
            sum += if decides > 0.0 { 0.0 } else { v * a * b };
        } else if kind[p] == 4 {
            sum += (v * a * a + w * a * b) - v * a * a;
        } else if kind[p] == 5 {
            sum += if decides > 0.0 { v * a * a } else { v * b * b };
        } else if kind[p] == 6 {
            sum += v * a * b;
        }
    }
    sum
}

/// Factors and inputs of a function, the point where its pattern is found and the one where it is used.
struct Program {
    inputs: usize,
    results: usize,
    kind: Vec<usize>,
    at: Vec<usize>,
    factor: Vec<f64>,
    base: Vec<f64>,
    x: Vec<f64>,
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 53) as f64
    }

    /// Of either sign, between 10 to the power of `-range` and of `range`.
    fn scale(&mut self, range: f64) -> f64 {
        let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
        sign * 10f64.powf(range * (2.0 * self.unit() - 1.0))
    }
}

impl Program {
    fn random(seed: u64, hessian: bool) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..5 {
            random.next();
        }
        let inputs = 2 + random.below(12);
        let results = 1 + random.below(8);
        let range = [0.0, 3.0, 6.0, 12.0][random.below(4)];
        let count = if hessian {
            2 + random.below(2 * inputs)
        } else {
            results * TERMS
        };
        let branches = random.below(3);
        let cancels = random.below(3) == 0;
        let mut kind = || match random.below(10) {
            2..=4 => 1,
            5 if branches > 0 => 2,
            6 if branches > 0 => 3,
            7 if branches > 1 => 5,
            8 if cancels => 4,
            9 => 6,
            _ => 0,
        };
        let mut kind: Vec<usize> = (0..count).map(|_| kind()).collect();
        let at = (0..3 * count).map(|_| random.below(inputs)).collect();
        let mut factor: Vec<f64> = (0..2 * count).map(|_| random.scale(range)).collect();
        // rows of scales of their own, and rows of which nothing is known where the pattern is found
        if !hessian && random.below(2) == 0 {
            for row in 0..results {
                let range = [3.0, 12.0, 60.0][random.below(3)];
                let scale = random.scale(range);
                for factor in &mut factor[2 * TERMS * row..][..2 * TERMS] {
                    *factor *= scale;
                }
                if branches > 0 && random.below(3) == 0 {
                    for kind in &mut kind[TERMS * row..][..TERMS] {
                        *kind = if random.below(2) == 0 { 3 } else { 0 };
                    }
                }
            }
        }
        let mut size = || (0.5 + random.unit()) * random.scale(0.0);
        let base: Vec<f64> = (0..inputs).map(|_| size()).collect();
        let flips = random.below(3) > 0;
        let mut moved = |base: &f64| {
            let to = (0.5 + random.unit()) * base.signum();
            if flips && random.below(3) == 0 {
                -to
            } else {
                to
            }
        };
        let x = base.iter().map(&mut moved).collect();
        Program {
            inputs,
            results,
            kind,
            at,
            factor,
            base,
            x,
        }
    }

    /// The matrix, where it has entries, and the sizes of what each is summed from.
    fn truth(&self, x: &[f64], hessian: bool) -> (Array2<f64>, Array2<bool>, Array2<f64>) {
        let rows = if hessian { self.inputs } else { self.results };
        let mut matrix = Array2::zeros((rows, self.inputs));
        let mut stored = Array2::from_elem((rows, self.inputs), false);
        let mut sizes = Array2::zeros((rows, self.inputs));
        for p in 0..self.kind.len() {
            let (a, b) = (self.at[3 * p], self.at[3 * p + 1]);
            let positive = x[self.at[3 * p + 2]] > 0.0;
            let (v, w) = (self.factor[2 * p], self.factor[2 * p + 1]);
            // input, other input of a Hessian, value and size
            let mut put = |a: usize, b: usize, v: f64, size: f64| {
                let entries = match (hessian, a == b) {
                    (false, _) => [Some((p / TERMS, a, 1.0)), None],
                    (true, true) => [Some((a, a, 2.0)), None],
                    (true, false) => [Some((a, b, 1.0)), Some((b, a, 1.0))],
                };
                for (i, j, times) in entries.into_iter().flatten() {
                    matrix[[i, j]] += times * v;
                    stored[[i, j]] = true;
                    sizes[[i, j]] += times * size.abs();
                }
            };
            // the other factor of a term with `b`
            let beside = |b: usize| if hessian { a } else { b };
            match self.kind[p] {
                1 => put(a, a, v, v),
                2 => {
                    put(a, a, v, v);
                    if !positive {
                        put(beside(b), b, w, w);
                    }
                }
                3 if !positive => put(a, b, v, v),
                4 => {
                    put(a, a, 0.0, v);
                    put(beside(b), b, w, w);
                }
                5 if positive => put(a, a, v, v),
                5 => put(b, b, v, v),
                6 if hessian => put(a, b, v, v),
                6 => {
                    put(a, a, v * x[b], v * x[b]);
                    put(b, b, v * x[a], v * x[a]);
                }
                _ => {}
            }
        }
        (matrix, stored, sizes)
    }
}

/// What became of the programs of one engine.
#[derive(Debug, Default)]
struct Count {
    right: usize,
    refused: usize,
    /// Wrong by less than the bound.
    accepted: usize,
}

/// How an engine is judged.
#[derive(Clone, Copy)]
struct Judge {
    engine: &'static str,
    hessian: bool,
    /// Nothing but rounding.
    rounds: bool,
    substitution: bool,
}

impl Judge {
    fn judge(
        self,
        count: &mut Count,
        seed: u64,
        p: &Program,
        found: Result<sprs::CsMat<f64>, Error>,
    ) {
        let Judge {
            engine,
            hessian,
            rounds,
            substitution,
        } = self;
        let (_, base, _) = p.truth(&p.base, hessian);
        let (exact, stored, sizes) = p.truth(&p.x, hessian);
        let covered = stored.iter().zip(&base).all(|(here, base)| !here || *base);
        let found = match found {
            Ok(found) => super::dense(&found),
            Err(Error::Sparsity(error)) if matches!(*error, Sparsity::Verification { .. }) => {
                assert!(!covered, "false alarm: {engine}, program {seed}: {error}");
                count.refused += 1;
                return;
            }
            Err(error) => panic!("{engine}, program {seed}: {error}"),
        };
        if covered {
            count.right += 1;
            return;
        }
        count.accepted += 1;
        let largest = found
            .iter()
            .chain(&exact)
            .fold(0.0, |m: f64, v| m.max(v.abs()));
        for ((i, j), exact) in exact.indexed_iter() {
            let row = found.row(i).iter().map(|v| v.abs()).sum::<f64>() + exact.abs();
            let own = sizes.row(i).sum() * f64::EPSILON;
            let mut bound = if rounds {
                2e-12 * row + 256.0 * own
            } else {
                4e-4 * row + 4e-7 * largest
            };
            if substitution {
                bound += 64.0 * f64::EPSILON * largest;
            }
            // of a small error the direction may show a hundredth
            let error = (found[[i, j]] - exact).abs();
            assert!(
                error <= 100.0 * bound,
                "{engine}, program {seed}, entry {i}, {j}: {error:e} {bound:e}"
            );
        }
    }
}

fn seeds() -> std::ops::Range<u64> {
    let read = |name, default| match std::env::var(name) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => default,
    };
    let first = read("DI_SEED", 1);
    first..first + read("DI_VERIFIED", 150)
}

/// Programs of all kinds were met.
fn met(judge: Judge, count: &Count) {
    println!("{}: {count:?}", judge.engine);
    if seeds().end - seeds().start >= 100 {
        assert!(
            count.right > 20 && count.refused > 5,
            "{}: {count:?}",
            judge.engine
        );
    }
}

macro_rules! jacobians {
    ($($test:ident ($dense:expr, $rounds:literal);)*) => {$(
        #[test]
        fn $test() {
            let all = [
                None,
                Some(Partition::Columns),
                Some(Partition::Rows),
                Some(Partition::Bidirectional),
            ];
            for partition in all {
                let mut judge = Judge {
                    engine: stringify!($test),
                    hessian: false,
                    rounds: $rounds,
                    substitution: false,
                };
                let mut count = Count::default();
                for seed in seeds() {
                    let p = Program::random(seed, false);
                    judge.substitution = seed % 2 == 0;
                    let coloring = match judge.substitution {
                        true => Greedy::new().substitution(),
                        false => Greedy::new(),
                    };
                    let backend = AutoSparse::new($dense)
                        .detector(Tracing::local())
                        .coloring(coloring)
                        .verify(Verify::Always);
                    let backend = match partition {
                        Some(partition) => backend.partition(partition),
                        None => backend,
                    };
                    let mut y = vec![0.0; p.results];
                    let f = results::AD.with(&p.kind, &p.at, &p.factor);
                    let prep = prepare_jacobian(f.output(&mut y), &backend, &p.base)
                        .unwrap_or_else(|error| panic!("program {seed}: {error}"));
                    let found = jacobian(f.output(&mut y), &prep, &backend, &p.x);
                    judge.judge(&mut count, seed, &p, found);
                }
                met(judge, &count);
            }
        }
    )*};
}

jacobians! {
    jacobians_by_source(AutoSource::new(), true);
    jacobians_by_forward_source(AutoSource::new().forward(), true);
    jacobians_by_reverse_source(AutoSource::new().reverse(), true);
    jacobians_by_duals(AutoDual::new(), true);
    jacobians_by_a_tape(AutoTape::new(), true);
    jacobians_by_expressions(AutoSymbolic::new(), true);
    jacobians_by_complex_steps(AutoComplexStep::new(), true);
    jacobians_by_series(AutoTaylor::new(), true);
    jacobians_by_pullbacks_alone(AutoReverseFromPrimitive(AutoSource::new()), true);
    jacobians_by_pullbacks_of_a_tape(AutoReverseFromPrimitive(AutoTape::new()), true);
    jacobians_by_differences(AutoFiniteDiff::new(), false);
}

macro_rules! hessians {
    ($($test:ident ($dense:expr, $rounds:literal);)*) => {$(
        #[test]
        fn $test() {
            for coloring in [Greedy::new(), Greedy::new().substitution()] {
                let judge = Judge {
                    engine: stringify!($test),
                    hessian: true,
                    rounds: $rounds,
                    substitution: coloring != Greedy::new(),
                };
                let mut count = Count::default();
                for seed in seeds() {
                    let p = Program::random(seed, true);
                    let backend = AutoSparse::new($dense)
                        .detector(Tracing::local())
                        .coloring(coloring.clone())
                        .verify(Verify::Always);
                    let f = number::AD.with(&p.kind, &p.at, &p.factor);
                    let prep = prepare_hessian(f, &backend, &p.base)
                        .unwrap_or_else(|error| panic!("program {seed}: {error}"));
                    let found = hessian(f, &prep, &backend, &p.x);
                    judge.judge(&mut count, seed, &p, found);
                }
                met(judge, &count);
            }
        }
    )*};
}

hessians! {
    hessians_by_source(AutoSource::new(), true);
    hessians_by_duals(AutoDual::new(), true);
    hessians_by_a_tape(AutoTape::new(), true);
    hessians_by_expressions(AutoSymbolic::new(), true);
    hessians_by_complex_steps(AutoComplexStep::new(), true);
    hessians_by_series(AutoTaylor::new(), true);
    hessians_by_duals_over_source(SecondOrder::new(AutoDual::new(), AutoSource::new()), true);
    hessians_by_differences(AutoFiniteDiff::new(), false);
    hessians_by_differences_over_source(SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()), false);
}
