//! scratch
use di::prelude::*;
use di::sparse::{AutoSparse, Error as SE, Greedy, Partition, Tracing, Verify};
use di::{AutoComplexStep, AutoSymbolic, AutoTaylor};
use ndarray::Array2;

const T: usize = 5;

/// term t of row i: kind, j, k, l, c
#[differentiable]
fn jac(
    x: &[f64],
    #[constant] kind: &[usize],
    #[constant] at: &[usize],
    #[constant] c: &[f64],
    y: &mut [f64],
) {
    for i in 0..y.len() {
        let mut s = 0.0;
        for t in 0..5 {
            let p = i * 5 + t;
            let a = x[at[3 * p]];
            let b = x[at[3 * p + 1]];
            let s0 = x[at[3 * p + 2]];
            let v = c[2 * p];
            let w = c[2 * p + 1];
            if kind[p] == 1 {
                s += v * a;
            } else if kind[p] == 2 {
                s += if s0 > 0.0 { v * a } else { v * a + w * b };
            } else if kind[p] == 3 {
                s += if s0 > 0.0 { 0.0 } else { v * a };
            } else if kind[p] == 4 {
                s += (v * a + w * b) - v * a;
            } else if kind[p] == 5 {
                s += if s0 > 0.0 { v * a } else { v * b };
            } else if kind[p] == 6 {
                s += v * a * b;
            }
        }
        y[i] = s;
    }
}

#[differentiable]
fn hes(
    x: &[f64],
    #[constant] kind: &[usize],
    #[constant] at: &[usize],
    #[constant] c: &[f64],
) -> f64 {
    let mut s = 0.0;
    for p in 0..kind.len() {
        let a = x[at[3 * p]];
        let b = x[at[3 * p + 1]];
        let s0 = x[at[3 * p + 2]];
        let v = c[2 * p];
        let w = c[2 * p + 1];
        if kind[p] == 1 {
            s += v * a * a;
        } else if kind[p] == 2 {
            s += if s0 > 0.0 {
                v * a * a
            } else {
                v * a * a + w * a * b
            };
        } else if kind[p] == 3 {
            s += if s0 > 0.0 { 0.0 } else { v * a * b };
        } else if kind[p] == 4 {
            s += (v * a * a + w * a * b) - v * a * a;
        } else if kind[p] == 5 {
            s += if s0 > 0.0 { v * a * a } else { v * b * b };
        } else if kind[p] == 6 {
            s += v * a * b;
        }
    }
    s
}

struct Rng(u64);
impl Rng {
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
    fn scale(&mut self, range: f64) -> f64 {
        let s = if self.below(2) == 0 { 1.0 } else { -1.0 };
        s * 10f64.powf(range * (2.0 * self.unit() - 1.0))
    }
}

struct P {
    n: usize,
    m: usize,
    kind: Vec<usize>,
    at: Vec<usize>,
    c: Vec<f64>,
    base: Vec<f64>,
    x: Vec<f64>,
}

fn program(seed: u64, hessian: bool) -> P {
    let mut r = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..5 {
        r.next();
    }
    let n = 2 + r.below(12);
    let m = 1 + r.below(8);
    let range = [0.0, 3.0, 6.0, 12.0][r.below(4)];
    let count = if hessian { 2 + r.below(2 * n) } else { m * T };
    let branchy = r.below(3);
    let cancel = r.below(3) == 0;
    let kind = (0..count)
        .map(|_| match r.below(10) {
            0..=1 => 0,
            2..=4 => 1,
            5 if branchy > 0 => 2,
            6 if branchy > 0 => 3,
            7 if branchy > 1 => 5,
            8 if cancel => 4,
            9 => 6,
            _ => 0,
        })
        .collect();
    let at = (0..3 * count).map(|_| r.below(n)).collect();
    let c = (0..2 * count).map(|_| r.scale(range)).collect();
    let base: Vec<f64> = (0..n).map(|_| (0.5 + r.unit()) * r.scale(0.0)).collect();
    let flips = r.below(3);
    let x = base
        .iter()
        .map(|b| {
            let v = (0.5 + r.unit()) * b.signum();
            if flips > 0 && r.below(3) == 0 { -v } else { v }
        })
        .collect();
    P {
        n,
        m,
        kind,
        at,
        c,
        base,
        x,
    }
}

/// Truth, structure and sizes of what is summed.
fn truth(p: &P, x: &[f64], hessian: bool) -> (Array2<f64>, Array2<bool>, Array2<f64>) {
    let rows = if hessian { p.n } else { p.m };
    let mut j = Array2::zeros((rows, p.n));
    let mut on = Array2::from_elem((rows, p.n), false);
    let mut size = Array2::zeros((rows, p.n));
    for q in 0..p.kind.len() {
        let (a, b, s) = (p.at[3 * q], p.at[3 * q + 1], p.at[3 * q + 2]);
        let (v, w) = (p.c[2 * q], p.c[2 * q + 1]);
        let pos = x[s] > 0.0;
        let mut put = |i: usize, k: usize, v: f64, z: f64| {
            j[[i, k]] += v;
            on[[i, k]] = true;
            size[[i, k]] += z.abs();
        };
        if !hessian {
            let i = q / T;
            match p.kind[q] {
                1 => put(i, a, v, v),
                2 => {
                    put(i, a, v, v);
                    if !pos {
                        put(i, b, w, w)
                    }
                }
                3 => {
                    if !pos {
                        put(i, a, v, v)
                    }
                }
                4 => {
                    put(i, a, 0.0, v);
                    put(i, b, w, w)
                }
                5 => {
                    if pos {
                        put(i, a, v, v)
                    } else {
                        put(i, b, v, v)
                    }
                }
                6 => {
                    put(i, a, v * x[b], v * x[b]);
                    put(i, b, v * x[a], v * x[a])
                }
                _ => {}
            }
        } else {
            let mut put2 = |a: usize, b: usize, v: f64, z: f64| {
                if a == b {
                    put(a, a, 2.0 * v, 2.0 * z)
                } else {
                    put(a, b, v, z);
                    put(b, a, v, z)
                }
            };
            match p.kind[q] {
                1 => put2(a, a, v, v),
                2 => {
                    put2(a, a, v, v);
                    if !pos {
                        put2(a, b, w, w)
                    }
                }
                3 => {
                    if !pos {
                        put2(a, b, v, v)
                    }
                }
                4 => {
                    put2(a, a, 0.0, v);
                    put2(a, b, w, w)
                }
                5 => {
                    if pos {
                        put2(a, a, v, v)
                    } else {
                        put2(b, b, v, v)
                    }
                }
                6 => put2(a, b, v, v),
                _ => {}
            }
        }
    }
    (j, on, size)
}

#[derive(Default, Debug)]
struct Count {
    right: usize,
    refused: usize,
    accepted: usize,
    bad: usize,
    alarms: usize,
}

fn judge(
    count: &mut Count,
    what: &str,
    seed: u64,
    p: &P,
    hessian: bool,
    rounds: bool,
    subst: bool,
    found: Result<sprs::CsMat<f64>, di::Error>,
) {
    let (_, base, _) = truth(p, &p.base, hessian);
    let (j, on, size) = truth(p, &p.x, hessian);
    let covered = on.iter().zip(&base).all(|(on, base)| !on || *base);
    match found {
        Err(di::Error::Sparsity(e)) if matches!(*e, SE::Verification { .. }) => {
            if covered {
                count.alarms += 1;
                println!(
                    "FALSE ALARM {what} {seed} {e}\n{:?}\n{:?}\n{:?}\n{j:?}",
                    p.kind, p.at, p.c
                );
            } else {
                count.refused += 1;
            }
        }
        Err(e) => panic!("{what} {seed} {e}"),
        Ok(f) => {
            if covered {
                count.right += 1;
                return;
            }
            let mut d = Array2::zeros(j.dim());
            for (v, (a, b)) in f.iter() {
                d[[a, b]] = *v;
            }
            let all = d.iter().chain(&j).fold(0.0f64, |m, v| m.max(v.abs()));
            let mut bad = false;
            for i in 0..j.nrows() {
                let row = d
                    .row(i)
                    .iter()
                    .chain(j.row(i))
                    .map(|v: &f64| v.abs())
                    .sum::<f64>();
                let own = size.row(i).sum();
                let (rel, abs) = if rounds {
                    (1e-12, 64.0 * 4.0 * 2.2e-16 * own)
                } else {
                    (2e-4, 2e-7 * all)
                };
                let abs = if subst {
                    abs + 64.0 * 2.2e-16 * all
                } else {
                    abs
                };
                for k in 0..j.ncols() {
                    let e = (d[[i, k]] - j[[i, k]]).abs();
                    // the direction may see little of it
                    if e > 100.0 * (rel * row + abs) {
                        if !bad {
                            println!(
                                "FALSE ACCEPTANCE {what} {seed}: row {i} column {k}: found {} true {} row {row:e} own {own:e}",
                                d[[i, k]],
                                j[[i, k]]
                            );
                        }
                        bad = true;
                    }
                }
            }
            if bad {
                count.bad += 1
            } else {
                count.accepted += 1
            }
        }
    }
}

fn seeds() -> std::ops::Range<u64> {
    let n = std::env::var("N").map_or(300, |v| v.parse().unwrap());
    let s = std::env::var("S").map_or(1, |v| v.parse().unwrap());
    s..s + n
}

#[test]
fn jacobians() {
    macro_rules! engine {
        ($name:literal, $dense:expr, $rounds:literal, [$($partition:expr),*]) => {
            for partition in [$($partition),*] {
                let mut count = Count::default();
                for seed in seeds() {
                    let p = program(seed, false);
                    let backend = AutoSparse::new($dense).detector(Tracing::local()).verify(Verify::Always).coloring(if seed % 2 == 0 { Greedy::new() } else { Greedy::new().substitution() });
                    let backend = match partition { Some(q) => backend.partition(q), None => backend };
                    let mut y = vec![0.0; p.m];
                    let f = || jac::AD.with(&p.kind, &p.at, &p.c);
                    let prep = match prepare_jacobian(f().output(&mut y), &backend, &p.base) { Ok(v) => v, Err(e) => { count.alarms += 1; println!("FALSE ALARM at base {} {seed} {e} {:?} {:?} {:?}", $name, p.kind, p.at, p.c); continue } };
                    let found = jacobian(f().output(&mut y), &prep, &backend, &p.x);
                    judge(&mut count, concat!("jacobian ", $name), seed, &p, false, $rounds, false, found);
                }
                println!("{} {partition:?} {count:?}", $name);
            }
        };
    }
    use Partition::*;
    engine!(
        "source",
        AutoSource::new(),
        true,
        [None, Some(Columns), Some(Rows), Some(Bidirectional)]
    );
    engine!(
        "forward",
        AutoSource::new().forward(),
        true,
        [None, Some(Rows), Some(Bidirectional)]
    );
    engine!(
        "reverse",
        AutoSource::new().reverse(),
        true,
        [None, Some(Columns), Some(Bidirectional)]
    );
    engine!("dual", AutoDual::new(), true, [None, Some(Bidirectional)]);
    engine!(
        "tape",
        AutoTape::new(),
        true,
        [None, Some(Rows), Some(Bidirectional)]
    );
    engine!("symbolic", AutoSymbolic::new(), true, [None]);
    engine!("complex", AutoComplexStep::new(), true, [None]);
    engine!("taylor", AutoTaylor::new(), true, [None]);
    engine!(
        "differences",
        AutoFiniteDiff::new(),
        false,
        [None, Some(Rows)]
    );
}

#[test]
fn hessians() {
    macro_rules! engine {
        ($name:literal, $dense:expr, $rounds:literal) => {
            for subst in [false, true] {
                let mut count = Count::default();
                for seed in seeds() {
                    let p = program(seed, true);
                    let backend = AutoSparse::new($dense)
                        .detector(Tracing::local())
                        .verify(Verify::Always);
                    let backend = if subst {
                        backend.coloring(Greedy::new().substitution())
                    } else {
                        backend
                    };
                    let f = || hes::AD.with(&p.kind, &p.at, &p.c);
                    let prep = prepare_hessian(f(), &backend, &p.base).unwrap();
                    let found = hessian(f(), &prep, &backend, &p.x);
                    judge(
                        &mut count,
                        concat!("hessian ", $name),
                        seed,
                        &p,
                        true,
                        $rounds,
                        subst,
                        found,
                    );
                }
                println!("{} {subst} {count:?}", $name);
            }
        };
    }
    engine!("source", AutoSource::new(), true);
    engine!("dual", AutoDual::new(), true);
    engine!("tape", AutoTape::new(), true);
    engine!("symbolic", AutoSymbolic::new(), true);
    engine!("complex", AutoComplexStep::new(), true);
    engine!("taylor", AutoTaylor::new(), true);
    engine!(
        "dual over reverse",
        SecondOrder::new(AutoDual::new(), AutoSource::new()),
        true
    );
    engine!("differences", AutoFiniteDiff::new(), false);
    engine!(
        "differences over source",
        SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()),
        false
    );
}
