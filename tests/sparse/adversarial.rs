//! Functions that are hard on patterns: against a reference that differentiates them by hand-written rules, dense.

use di::prelude::*;
use di::sparse::{
    AutoSparse, Greedy, MixedMode, Part, Partition, SparsePrep, Storage, Tracing, Verify,
    hessian_pattern, jacobian_pattern,
};
use ndarray::Array2;

use super::{close, dense};

/// Runs three-address code: results `y` are the last numbers, of which some are written twice and some never.
#[differentiable]
fn machine(
    a: &[f64],
    b: &[f64],
    #[constant] code: &[usize],
    #[cache] v: &mut [f64],
    y: &mut [f64],
) {
    let inputs = a.len() + b.len();
    for i in 0..a.len() {
        v[i] = a[i];
    }
    for i in 0..b.len() {
        v[a.len() + i] = b[i];
    }
    let steps = code.len() / 3;
    for k in 0..steps {
        let l = v[code[3 * k + 1]];
        let r = v[code[3 * k + 2]];
        let operation = code[3 * k];
        let to = inputs + k;
        if operation == 0 {
            v[to] = l + r;
        } else if operation == 1 {
            v[to] = l * r;
        } else if operation == 2 {
            v[to] = l.sin() - r;
        } else if operation == 3 {
            // both arms write, and one of them only what was there before
            if l > r {
                v[to] = l * l;
            } else {
                v[to] = r;
            }
        } else if operation == 4 {
            v[to] = l / (1.5 + r * r);
        } else if operation == 5 {
            v[to] = l.abs() * r;
        } else if operation == 6 {
            v[to] = l.max(r);
        } else {
            v[to] = l * l * l;
        }
    }
    for i in 0..y.len() {
        y[i] = 0.0;
    }
    for i in 0..y.len() {
        if i % 4 != 3 && i < steps {
            y[i] = v[inputs + steps - 1 - i];
        }
    }
}

/// The sum of the results.
#[differentiable]
fn total(
    a: &[f64],
    b: &[f64],
    #[constant] code: &[usize],
    #[constant] count: usize,
    #[cache] v: &mut [f64],
    #[cache] y: &mut [f64],
) -> f64 {
    machine(a, b, code, v, y);
    let mut sum = 0.0;
    for i in 0..count {
        sum += y[i];
    }
    sum
}

/// A number with its dense first and second derivatives.
#[derive(Clone)]
struct Number {
    v: f64,
    g: Vec<f64>,
    h: Array2<f64>,
}

impl Number {
    fn constant(v: f64, n: usize) -> Number {
        Number {
            v,
            g: vec![0.0; n],
            h: Array2::zeros((n, n)),
        }
    }

    /// A function of two numbers: value, first derivatives, second derivatives `ll`, `lr`, `rr`.
    fn of(l: &Number, r: &Number, v: f64, d: [f64; 2], dd: [f64; 3]) -> Number {
        let n = l.g.len();
        let g = (0..n).map(|i| d[0] * l.g[i] + d[1] * r.g[i]).collect();
        let h = Array2::from_shape_fn((n, n), |(i, j)| {
            d[0] * l.h[[i, j]]
                + d[1] * r.h[[i, j]]
                + dd[0] * l.g[i] * l.g[j]
                + dd[1] * (l.g[i] * r.g[j] + r.g[i] * l.g[j])
                + dd[2] * r.g[i] * r.g[j]
        });
        Number { v, g, h }
    }
}

fn reference(x: &[f64], code: &[usize], m: usize) -> Vec<Number> {
    let n = x.len();
    let mut v: Vec<Number> = x.iter().map(|x| Number::constant(*x, n)).collect();
    for (i, number) in v.iter_mut().enumerate() {
        number.g[i] = 1.0;
    }
    for step in code.chunks(3) {
        let (a, b) = (v[step[1]].clone(), v[step[2]].clone());
        let (l, r) = (a.v, b.v);
        let q = 1.5 + r * r;
        let sign = if l.is_sign_negative() { -1.0 } else { 1.0 };
        v.push(match step[0] {
            0 => Number::of(&a, &b, l + r, [1.0, 1.0], [0.0; 3]),
            1 => Number::of(&a, &b, l * r, [r, l], [0.0, 1.0, 0.0]),
            2 => Number::of(&a, &b, l.sin() - r, [l.cos(), -1.0], [-l.sin(), 0.0, 0.0]),
            3 if l > r => Number::of(&a, &b, l * l, [2.0 * l, 0.0], [2.0, 0.0, 0.0]),
            3 => Number::of(&a, &b, r, [0.0, 1.0], [0.0; 3]),
            4 => Number::of(
                &a,
                &b,
                l / q,
                [1.0 / q, -2.0 * l * r / (q * q)],
                [
                    0.0,
                    -2.0 * r / (q * q),
                    l * (6.0 * r * r - 3.0) / (q * q * q),
                ],
            ),
            5 => Number::of(&a, &b, l.abs() * r, [sign * r, l.abs()], [0.0, sign, 0.0]),
            6 if l > r => Number::of(&a, &b, l, [1.0, 0.0], [0.0; 3]),
            6 => Number::of(&a, &b, r, [0.0, 1.0], [0.0; 3]),
            _ => Number::of(&a, &b, l * l * l, [3.0 * l * l, 0.0], [6.0 * l, 0.0, 0.0]),
        });
    }
    let steps = code.len() / 3;
    let at = |i: usize| {
        if i % 4 != 3 && i < steps {
            v[n + steps - 1 - i].clone()
        } else {
            Number::constant(0.0, n)
        }
    };
    (0..m).map(at).collect()
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % n as u64) as usize
    }

    /// Distinct numbers, so that no kink is hit, some of them zero or one.
    fn point(&mut self, n: usize) -> Vec<f64> {
        let special = self.below(n + 1);
        let at = |i: usize, s: &mut Self| match i {
            _ if i == special => 0.0,
            _ if i == special + 1 => 1.0,
            _ => (s.below(2000) as f64 - 1000.0) / 700.0 + i as f64 * 1e-5,
        };
        (0..n).map(|i| at(i, self)).collect()
    }
}

/// Is no maximum or comparison of equal numbers taken, and nothing at the kink of an absolute value?
fn is_smooth(x: &[f64], code: &[usize]) -> bool {
    let mut v = x.to_vec();
    code.chunks(3).all(|step| {
        let (l, r) = (v[step[1]], v[step[2]]);
        v.push(match step[0] {
            0 => l + r,
            1 => l * r,
            2 => l.sin() - r,
            3 => [r, l * l][usize::from(l > r)],
            4 => l / (1.5 + r * r),
            5 => l.abs() * r,
            6 => l.max(r),
            _ => l * l * l,
        });
        match step[0] {
            3 | 6 => l != r,
            5 => l != 0.0,
            _ => true,
        }
    })
}

#[test]
fn programs_with_branches_caches_and_two_arguments_have_the_derivatives_of_the_reference() {
    let mut random = Random(0x51ce_77a3_9d02_b6ef);
    let mut smooth = 0;
    for program in 0..150 {
        let (p, q) = (1 + random.below(5), random.below(5));
        let (n, m, steps) = (p + q, 1 + random.below(7), 1 + random.below(14));
        let code: Vec<usize> = (0..steps)
            .flat_map(|k| [random.below(8), random.below(n + k), random.below(n + k)])
            .collect();
        let (v, buffer) = (vec![f64::NAN; n + steps], vec![f64::NAN; m]);
        let mut y = vec![f64::NAN; m];
        let points: Vec<Vec<f64>> = (0..4).map(|_| random.point(n)).collect();
        let partitions = [
            Partition::Columns,
            Partition::Rows,
            Partition::Bidirectional,
        ];
        let partition = partitions[random.below(3)];
        let storage = [Storage::Rows, Storage::Columns][random.below(2)];
        let mut greedy = Greedy::new();
        if random.below(2) == 0 {
            greedy = greedy.substitution();
        }
        let global = AutoSparse::new(AutoSource::new())
            .partition(partition)
            .storage(storage)
            .coloring(greedy.clone())
            .verify(Verify::Never);
        let first = (&points[0][..p], &points[0][p..]);
        let f = machine::AD.with(&code, &v).output(&mut y);
        let prep = prepare_jacobian(f, &global, &first).unwrap();
        let sums = total::AD.with(&code, m, &v, &buffer);
        let energy = AutoSparse::new(AutoSource::new())
            .coloring(greedy)
            .verify(Verify::Never);
        let prep_energy = prepare_hessian(sums, &energy, &first).unwrap();
        for x in &points {
            if !is_smooth(x, &code) {
                continue;
            }
            smooth += 1;
            let at = (&x[..p], &x[p..]);
            let found = reference(x, &code, m);
            let expected = Array2::from_shape_fn((m, n), |(i, j)| found[i].g[j]);
            let f = machine::AD.with(&code, &v).output(&mut y);
            close(
                &dense(&jacobian(f, &prep, &global, &at).unwrap()),
                &expected,
            );
            let here = AutoSparse::new(AutoSource::new()).detector(Tracing::local());
            let f = machine::AD.with(&code, &v).output(&mut y);
            close(&dense(&jacobian(f, NoPrep, &here, &at).unwrap()), &expected);
            let f = machine::AD.with(&code, &v).output(&mut y);
            let everywhere = jacobian_pattern(f, &Tracing::global(), &at).unwrap();
            let f = machine::AD.with(&code, &v).output(&mut y);
            let local = jacobian_pattern(f, &Tracing::local(), &at).unwrap();
            assert!(everywhere.covers(&local), "program {program}");
            let expected = found
                .iter()
                .fold(Array2::zeros((n, n)), |sum, number| sum + &number.h);
            let h = hessian(sums, &prep_energy, &energy, &at).unwrap();
            close(&dense(&h), &expected);
            let mut values = vec![f64::NAN; prep_energy.structure().unwrap().layout().len()];
            hessian_values_into(sums, &mut values, &prep_energy, &energy, &at).unwrap();
            assert_eq!(values, h.data());
            let h = hessian(sums, NoPrep, &here, &at).unwrap();
            close(&dense(&h), &expected);
            let everywhere = hessian_pattern(sums, &Tracing::global(), &at).unwrap();
            let local = hessian_pattern(sums, &Tracing::local(), &at).unwrap();
            assert!(everywhere.covers(&local), "program {program}");
        }
    }
    assert!(smooth > 300, "{smooth} points without kinks");
}

/// Functions whose second derivatives are constant near each point, but not the same everywhere.
mod pieces {
    use di::prelude::*;

    #[differentiable]
    pub(super) fn branch(x: &[f64]) -> f64 {
        if x[0] > 0.0 {
            x[1] * x[1]
        } else {
            3.0 * x[1] * x[1]
        }
    }

    #[differentiable]
    pub(super) fn modulus(x: &[f64]) -> f64 {
        x[0].abs() * x[1]
    }

    #[differentiable]
    pub(super) fn floors(x: &[f64]) -> f64 {
        x[0].floor() * x[1] * x[1]
    }

    #[differentiable]
    pub(super) fn larger(x: &[f64]) -> f64 {
        x[0].max(x[1]) * x[1]
    }

    #[differentiable]
    pub(super) fn clamped(x: &[f64]) -> f64 {
        x[0].clamp(-1.0, 1.0) * x[1]
    }

    #[differentiable]
    pub(super) fn signed(x: &[f64]) -> f64 {
        x[1].copysign(x[0]) * x[1]
    }

    #[differentiable]
    pub(super) fn rest(x: &[f64]) -> f64 {
        (x[1] * x[1]) % 2.0 + x[0].rem_euclid(2.0) * x[1]
    }

    /// As many trips as the input says.
    #[differentiable]
    pub(super) fn counted(x: &[f64]) -> f64 {
        let mut left = x[0];
        let mut sum = 0.0;
        while left > 0.5 {
            sum += x[1] * x[1];
            left -= 1.0;
        }
        sum
    }

    #[differentiable]
    pub(super) fn early(x: &[f64]) -> f64 {
        if x[0] < 0.0 {
            return x[1] * x[1];
        }
        5.0 * x[1] * x[1] + x[0]
    }

    /// Written in one arm only.
    #[differentiable]
    pub(super) fn written(x: &[f64]) -> f64 {
        let mut weight = 1.0;
        if x[0] > 0.0 {
            weight = 2.0;
        }
        weight * x[1] * x[1]
    }

    #[differentiable]
    fn step(x: f64) -> f64 {
        if x > 0.0 { 1.0 } else { 2.0 }
    }

    #[differentiable]
    pub(super) fn called(x: &[f64]) -> f64 {
        step(x[0]) * x[1] * x[1]
    }
}

macro_rules! pieces {
    ($($f:ident: $([$x:expr, $y:expr] => [$a:expr, $b:expr, $c:expr]),+;)*) => {$({
        let backend = AutoSparse::new(AutoSource::new()).verify(Verify::Never);
        let f = pieces::$f::AD;
        let points = [$(([$x, $y], [[$a, $b], [$b, $c]])),+];
        for (at, _) in points {
            let prep = prepare_hessian(f, &backend, &at).unwrap();
            let expected = |h: [[f64; 2]; 2]| ndarray::array![h[0], h[1]];
            for _ in 0..2 {
                for (x, h) in points {
                    close(&dense(&hessian(f, &prep, &backend, &x).unwrap()), &expected(h));
                    let structure = prep.structure().unwrap();
                    let mut values = structure.layout().zeros();
                    let mut into = vec![0.0; values.nnz()];
                    hessian_values_into(f, &mut into, &prep, &backend, &x).unwrap();
                    values.data_mut().copy_from_slice(&into);
                    close(&dense(&values), &expected(h));
                }
            }
        }
    })*};
}

#[test]
fn what_is_constant_in_pieces_is_not_reused() {
    pieces! {
        branch: [1.0, 2.0] => [0.0, 0.0, 2.0], [-1.0, 2.0] => [0.0, 0.0, 6.0];
        modulus: [1.0, 2.0] => [0.0, 1.0, 0.0], [-1.0, 2.0] => [0.0, -1.0, 0.0];
        floors: [1.5, 2.0] => [0.0, 0.0, 2.0], [3.5, 2.0] => [0.0, 0.0, 6.0];
        larger: [1.0, 2.0] => [0.0, 0.0, 2.0], [3.0, 2.0] => [0.0, 1.0, 0.0];
        clamped: [0.5, 2.0] => [0.0, 1.0, 0.0], [3.0, 2.0] => [0.0, 0.0, 0.0];
        signed: [1.0, 2.0] => [0.0, 0.0, 2.0], [-1.0, 2.0] => [0.0, 0.0, -2.0];
        rest: [0.5, 0.5] => [0.0, 1.0, 2.0], [3.0, 2.5] => [0.0, 1.0, 2.0];
        counted: [1.0, 2.0] => [0.0, 0.0, 2.0], [3.0, 2.0] => [0.0, 0.0, 6.0], [0.0, 1.0] => [0.0, 0.0, 0.0];
        early: [1.0, 2.0] => [0.0, 0.0, 10.0], [-3.0, 2.0] => [0.0, 0.0, 2.0];
        written: [1.0, 2.0] => [0.0, 0.0, 4.0], [-3.0, 2.0] => [0.0, 0.0, 2.0];
        called: [1.0, 2.0] => [0.0, 0.0, 2.0], [-3.0, 2.0] => [0.0, 0.0, 4.0];
    }
}

#[differentiable]
fn shape(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = 0.0;
    }
    for i in 0..x.len() {
        if y.len() > 1 {
            y[1] += x[i] * x[i];
        }
    }
}

#[test]
fn shapes_without_rows_or_columns_and_dense_rows_among_empty_ones() {
    for partition in [
        Partition::Columns,
        Partition::Rows,
        Partition::Bidirectional,
    ] {
        for (m, n) in [(0, 0), (0, 3), (3, 0), (1, 4), (5, 40)] {
            let backend = AutoSparse::new(AutoSource::new()).partition(partition);
            let x: Vec<f64> = (0..n).map(|i| i as f64 - 1.0).collect();
            let mut y = vec![7.0; m];
            let (value, j) =
                value_and_jacobian(shape::AD.output(&mut y), NoPrep, &backend, &x).unwrap();
            assert_eq!(value.len(), m);
            assert_eq!(j.shape(), (m, n));
            let expected =
                Array2::from_shape_fn((m, n), |(i, j)| if i == 1 { 2.0 * x[j] } else { 0.0 });
            close(&dense(&j), &expected);
        }
    }
}

#[test]
fn preps_notice_inputs_of_another_length() {
    let backend = AutoSparse::new(AutoSource::new());
    let mut y = vec![0.0; 3];
    let prep = prepare_jacobian(shape::AD.output(&mut y), &backend, &[1.0; 4]).unwrap();
    for n in [3, 5] {
        let f = shape::AD.output(&mut y);
        assert!(jacobian(f, &prep, &backend, &vec![1.0; n]).is_err());
    }
    let mut longer = vec![0.0; 4];
    assert!(jacobian(shape::AD.output(&mut longer), &prep, &backend, &[1.0; 4]).is_err());
}

#[test]
fn one_function_in_many_threads() {
    let backend = AutoSparse::new(AutoSource::new()).part(Part::Lower);
    let prep = prepare_hessian(pieces::modulus::AD, &backend, &[1.0, 1.0]).unwrap();
    std::thread::scope(|scope| {
        for k in 0..4 {
            let (backend, prep) = (&backend, prep.clone());
            scope.spawn(move || {
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                for _ in 0..50 {
                    let h = hessian(pieces::modulus::AD, &prep, backend, &[sign, 2.0]).unwrap();
                    assert_eq!(h.get(1, 0), Some(&sign));
                }
            });
        }
    });
}

#[test]
fn mixed_engines_on_an_arrow_with_an_empty_row() {
    let backend = AutoSparse::new(MixedMode::new(AutoDual::new(), AutoSource::new().reverse()));
    let x: Vec<f64> = (0..30).map(|i| 0.1 * i as f64).collect();
    let mut y = vec![0.0; 4];
    let j = jacobian(shape::AD.output(&mut y), NoPrep, &backend, &x).unwrap();
    assert_eq!(j.nnz(), 30);
    assert_eq!(j.get(1, 7), Some(&(2.0 * x[7])));
}
