//! Derived structs that functions return to operators: values, tangents and adjoints are such structs again.

use di::prelude::*;
use di::sparse::{AutoSparse, SparsePrep};
use di_test::compare::{ROUNDING, Tolerance, assert_close};
use di_test::differences::columns;

/// Of differences, and of engines that use them.
const CLOSE: Tolerance = Tolerance {
    relative: 1e-6,
    absolute: 1e-6,
};
/// Of second differences.
const ROUGH: Tolerance = Tolerance {
    relative: 1e-4,
    absolute: 1e-4,
};

#[track_caller]
fn agree(found: &[f64], expected: &[f64]) {
    assert_close("a result of structs", found, expected, CLOSE);
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pose {
    x: f64,
    y: f64,
    turn: [f64; 2],
}

impl Pose {
    fn numbers(&self) -> Vec<f64> {
        vec![self.x, self.y, self.turn[0], self.turn[1]]
    }
    fn of(v: [f64; 4]) -> Self {
        Pose {
            x: v[0],
            y: v[1],
            turn: [v[2], v[3]],
        }
    }
}

/// What operators of first order have to return.
struct Expected {
    value: Vec<f64>,
    /// By columns.
    jacobian: Vec<Vec<f64>>,
    dx: Vec<f64>,
    dy: Vec<f64>,
    xb: Vec<f64>,
}

/// By differences of a function of a slice.
fn expected(f: &dyn Fn(&[f64]) -> Vec<f64>, x: &[f64], weights: &[f64]) -> Expected {
    let jacobian = columns(f, x, 0.01);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum();
    let dx: Vec<f64> = (0..x.len()).map(|j| 0.5 - j as f64).collect();
    let row = |i: usize| jacobian.iter().map(|column| column[i]).collect::<Vec<_>>();
    let dy = (0..weights.len()).map(|i| dot(&row(i), &dx)).collect();
    let xb = jacobian.iter().map(|column| dot(column, weights));
    Expected {
        value: f(x),
        xb: xb.collect(),
        jacobian,
        dx,
        dy,
    }
}

/// All operators of first order of a function of a slice, by one backend. `$numbers` flattens a result, `$seed` is one.
macro_rules! first_order {
    ($backend:expr, $f:expr, $plain:expr, $x:expr, $numbers:expr, $seed:expr) => {{
        let (backend, x, seed) = ($backend, $x, $seed);
        let numbers = $numbers;
        let expected = expected(&|x| numbers(&$plain(x)), &x, &numbers(&seed));
        let (value, dx, dy, xb) = (expected.value, expected.dx, expected.dy, expected.xb);

        let prep = prepare_jacobian($f, &backend, &x)?;
        for _ in 0..2 {
            let (y, j) = value_and_jacobian($f, &prep, &backend, &x)?;
            agree(&numbers(&y), &value);
            let mut again = jacobian($f, NoPrep, &backend, &x)?;
            jacobian_into($f, &mut again, &prep, &backend, &x)?;
            for (k, column) in expected.jacobian.iter().enumerate() {
                agree(&j.column(k).copied().collect::<Vec<_>>(), column);
                agree(&again.column(k).copied().collect::<Vec<_>>(), column);
            }
        }
        let prep = prepare_pushforward($f, &backend, &x, &dx)?;
        let (y, mut tangent) = value_and_pushforward($f, &prep, &backend, &x, &dx)?;
        agree(&numbers(&y), &value);
        agree(&numbers(&tangent), &dy);
        pushforward_into($f, &mut tangent, &prep, &backend, &x, &dx)?;
        agree(&numbers(&tangent), &dy);
        let two = pushforward($f, NoPrep, &backend, &x, &[dx.clone(), dx.clone()])?;
        agree(&numbers(&two[1]), &dy);

        let prep = prepare_pullback($f, &backend, &x, &seed)?;
        let (y, adjoint) = value_and_pullback($f, &prep, &backend, &x, &seed)?;
        agree(&numbers(&y), &value);
        agree(&adjoint, &xb);
        let mut adjoint = vec![7.0; x.len()];
        pullback_into($f, &mut adjoint, &prep, &backend, &x, &seed)?;
        agree(&adjoint, &xb);
        let two = pullback($f, NoPrep, &backend, &x, &[seed.clone(), seed.clone()])?;
        agree(&two[1], &xb);

        let (y, map) = linearize($f, &backend, &x)?;
        agree(&numbers(&y), &value);
        agree(&numbers(&map.pushforward(&dx)?), &dy);
        agree(&map.pullback(&seed)?, &xb);
        agree(&numbers(&evaluate($f, &x)?), &value);
    }};
}

/// The same by all engines.
macro_rules! by_all {
    ($f:expr, $plain:expr, $x:expr, $numbers:expr, $seed:expr) => {
        by_all!(@ [
            AutoSource::new(), AutoSource::new().forward(), AutoSource::new().reverse(),
            AutoDual::new(), AutoTaylor::new(), AutoTape::new(), AutoSymbolic::new(),
            AutoSymbolic::new().factored(), AutoFiniteDiff::new(),
            AutoFiniteDifferences::central(5), AutoComplexStep::new(),
        ] $f, $plain, $x, $numbers, $seed);
    };
    (@ [$($backend:expr,)*] $f:expr, $plain:expr, $x:expr, $numbers:expr, $seed:expr) => {
        $(first_order!($backend, $f, $plain, $x, $numbers, $seed);)*
    };
}

// ---- a struct ----

#[differentiable]
fn forward(q: &[f64]) -> Pose {
    let (mut x, mut y, mut angle) = (0.0, 0.0, 0.0);
    for v in q {
        angle += v;
        x += angle.cos();
        y += angle.sin() * v;
    }
    Pose {
        x,
        y,
        turn: [angle.cos(), if x > 0.0 { angle * x } else { y }],
    }
}

#[differentiable]
fn scaled(q: &[f64], #[constant] by: f64, n: usize) -> Pose {
    let mut p = forward(q);
    for _ in 0..n {
        p.x *= by * q[0];
        p.turn[1] += p.x;
    }
    p
}

/// One of several parameters, by `fix`.
#[differentiable]
fn moved(from: &Pose, by: &[f64]) -> Pose {
    Pose {
        x: from.x + by[0] * from.turn[0],
        y: from.y * by[1],
        ..*from
    }
}

#[test]
fn structs_are_values_tangents_and_seeds_of_every_engine() -> Result<(), di::Error> {
    let _row = di_test::rows::row(383);
    let seed = Pose::of([1.0, -0.5, 2.0, 0.25]);
    for x in [vec![0.3, 0.9, -0.4], vec![2.0, 0.7, 1.1]] {
        by_all!(forward::AD, forward, x.clone(), Pose::numbers, seed);
        let plain = |x: &[f64]| scaled(x, 1.5, 2);
        let f = scaled::AD.with(1.5, 2);
        by_all!(f, plain, x.clone(), Pose::numbers, seed);
        let from = Pose::of([0.1, 0.2, 0.3, 0.4]);
        let plain = |x: &[f64]| moved(&from, x);
        let f = moved::AD.fix_from(&from);
        by_all!(f, plain, x.clone(), Pose::numbers, seed);
    }
    Ok(())
}

#[test]
fn the_gradient_of_a_struct_and_its_image_have_the_same_order() -> Result<(), di::Error> {
    let (from, by) = (Pose::of([0.1, 0.2, 0.3, 0.4]), vec![0.5, 0.7]);
    let f = moved::AD.fix_by(&by);
    let (y, j) = value_and_jacobian(f, NoPrep, &AutoSource::new(), &from)?;
    assert_eq!(y, moved(&from, &by));
    let want = [
        [1.0, 0.0, 0.5, 0.0],
        [0.0, 0.7, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    assert_eq!(j, want);
    Ok(())
}

// ---- of a number ----

#[differentiable]
fn orbit(t: f64) -> Pose {
    let p = Pose {
        x: t.cos(),
        y: t.sin() * t,
        turn: [t * t, t.exp()],
    };
    Pose { x: p.x * p.y, ..p }
}

/// Value, first and second derivative.
fn orbit_by_hand(t: f64) -> [Pose; 3] {
    let (s, c) = t.sin_cos();
    [
        Pose::of([c * s * t, s * t, t * t, t.exp()]),
        Pose::of([(c * c - s * s) * t + c * s, c * t + s, 2.0 * t, t.exp()]),
        Pose::of([
            -4.0 * s * c * t + 2.0 * (c * c - s * s),
            2.0 * c - s * t,
            2.0,
            t.exp(),
        ]),
    ]
}

macro_rules! of_number {
    ($($backend:expr, $tolerance:expr);+ $(;)?) => {$({
        second_order!($backend, $tolerance);
        let (backend, t) = ($backend, 0.7);
        let want = orbit_by_hand(t).map(|p| p.numbers());
        let close = |found: Pose, k: usize| assert_close("a path", &found.numbers(), &want[k], $tolerance);
        let prep = prepare_derivative(orbit::AD, &backend, &t)?;
        close(derivative(orbit::AD, &prep, &backend, &t)?, 1);
        let (y, mut dy) = value_and_derivative(orbit::AD, &prep, &backend, &t)?;
        close(y, 0);
        close(dy, 1);
        close(value_and_derivative_into(orbit::AD, &mut dy, &prep, &backend, &t)?, 0);
        close(dy, 1);
    })+};
}

macro_rules! second_order {
    ($backend:expr, $tolerance:expr) => {{
        let (backend, t) = ($backend, 0.7);
        let want = orbit_by_hand(t).map(|p| p.numbers());
        let close =
            |found: Pose, k: usize| assert_close("a path", &found.numbers(), &want[k], $tolerance);
        let prep = prepare_second_derivative(orbit::AD, &backend, &t)?;
        close(second_derivative(orbit::AD, &prep, &backend, &t)?, 2);
        let all = value_derivative_and_second_derivative(orbit::AD, &prep, &backend, &t)?;
        close(all.0, 0);
        close(all.1, 1);
        close(all.2, 2);
    }};
}

#[test]
fn derivatives_of_paths_are_structs_by_every_engine() -> Result<(), di::Error> {
    let _row = di_test::rows::row(383);
    of_number!(
        AutoSource::new(), ROUNDING;
        AutoSource::new().forward(), ROUNDING;
        AutoSource::new().reverse(), ROUNDING;
        AutoDual::new(), ROUNDING;
        AutoTaylor::new(), ROUNDING;
        AutoTape::new(), ROUNDING;
        AutoSymbolic::new(), ROUNDING;
        AutoComplexStep::new(), CLOSE;
        AutoFiniteDiff::new(), ROUGH;
        AutoFiniteDifferences::central(5), CLOSE;
    );
    second_order!(
        SecondOrder::new(AutoDual::new(), AutoSource::new()),
        ROUNDING
    );
    second_order!(
        SecondOrder::new(AutoTape::new(), AutoSource::new()),
        ROUNDING
    );
    second_order!(SecondOrder::new(AutoTape::new(), AutoTape::new()), ROUNDING);
    let (t, want) = (0.7, orbit_by_hand(0.7));
    let series = taylor_coefficients(orbit::AD, 2, NoPrep, &AutoTaylor::new(), &t, &1.0)?;
    for (k, scale) in [1.0, 1.0, 0.5].into_iter().enumerate() {
        let want: Vec<f64> = want[k].numbers().iter().map(|v| scale * v).collect();
        agree(&series[k].numbers(), &want);
    }
    let third = nth_derivative(orbit::AD, 3, NoPrep, &AutoTaylor::new(), &t)?;
    agree(&third.numbers()[2..], &[0.0, t.exp()]);
    Ok(())
}

// ---- tuples, options, lists, structs in structs ----

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Path {
    start: Pose,
    points: Vec<[f64; 2]>,
    lengths: Vec<f64>,
    gains: (f64, [f64; 2]),
    ends: [Pose; 2],
    others: Vec<Pose>,
}

impl Path {
    fn numbers(&self) -> Vec<f64> {
        let mut all = self.start.numbers();
        all.extend(self.points.iter().flatten());
        all.extend(&self.lengths);
        all.extend([self.gains.0, self.gains.1[0], self.gains.1[1]]);
        all.extend(self.ends.iter().flat_map(Pose::numbers));
        all.extend(self.others.iter().flat_map(Pose::numbers));
        all
    }
}

#[differentiable]
fn path(q: &[f64]) -> Path {
    let start = forward(q);
    let last = moved(&start, q);
    let mut points = Vec::new();
    for v in q {
        points.push([*v * start.x, v.exp()]);
    }
    let lengths: Vec<f64> = q.iter().map(|v| v * v * start.y).collect();
    let others = vec![last, orbit(q[1])];
    Path {
        start,
        points,
        lengths,
        gains: (q[0], [q[1] * q[0], 3.0]),
        ends: [start, last],
        others,
    }
}

#[test]
fn structs_of_structs_and_vectors_are_returned() -> Result<(), di::Error> {
    let _row = di_test::rows::row(383);
    let x = vec![0.3, 0.9, -0.4];
    let mut seed = path(&x);
    seed.gains.0 = -2.0;
    seed.others[1].turn[1] = 0.7;
    by_all!(path::AD, path, x.clone(), Path::numbers, seed.clone());
    Ok(())
}

#[differentiable]
fn with_number(q: &[f64]) -> (f64, Pose, Vec<f64>) {
    let p = forward(q);
    let squares = q.iter().map(|v| v * v * p.x).collect();
    (p.x * p.y, orbit(q[0]), squares)
}

fn of_three((a, p, v): &(f64, Pose, Vec<f64>)) -> Vec<f64> {
    [vec![*a], p.numbers(), v.clone()].concat()
}

#[test]
fn tuples_hold_structs() -> Result<(), di::Error> {
    let _row = di_test::rows::row(383);
    let x = vec![0.3, 0.9, -0.4];
    let seed = (0.5, Pose::of([1.0, 2.0, -3.0, 0.1]), vec![1.0, -1.0, 2.0]);
    by_all!(
        with_number::AD,
        with_number,
        x.clone(),
        of_three,
        seed.clone()
    );
    let backend = AutoSource::new();
    let prep = prepare_gradient_with_aux(of_pair::AD, &backend, &x)?;
    let (y, pose, g) = value_and_gradient_with_aux(of_pair::AD, &prep, &backend, &x)?;
    assert_eq!((y, pose), (x.iter().sum::<f64>(), forward(&x)));
    assert_eq!(g, [1.0; 3]);
    Ok(())
}

#[differentiable]
fn of_pair(q: &[f64]) -> (f64, Pose) {
    (q.iter().sum::<f64>(), forward(q))
}

#[differentiable]
fn each(q: &[f64]) -> Vec<Pose> {
    let mut poses = Vec::new();
    for v in q {
        poses.push(orbit(*v));
    }
    poses.push(forward(q));
    poses
}

#[differentiable]
fn ends(q: &[f64]) -> [Pose; 2] {
    [orbit(q[0]), forward(q)]
}

#[differentiable]
fn grid(q: &[f64]) -> [[Pose; 2]; 2] {
    let p = forward(q);
    [[orbit(q[0]), p], [moved(&p, q), orbit(q[1])]]
}

#[differentiable]
fn pairs(q: &[f64]) -> Vec<(f64, f64)> {
    q.iter().map(|v| (v * v, v.sin() * q[0])).collect()
}

#[test]
fn lists_of_structs_are_returned() -> Result<(), di::Error> {
    let _row = di_test::rows::row(383);
    let x = vec![0.3, 0.9, -0.4];
    let list = |poses: &Vec<Pose>| poses.iter().flat_map(Pose::numbers).collect::<Vec<_>>();
    let mut seed = each(&x);
    seed[1].x = 3.0;
    by_all!(each::AD, each, x.clone(), list, seed.clone());
    let array = |poses: &[Pose; 2]| poses.iter().flat_map(Pose::numbers).collect::<Vec<_>>();
    let seed = [Pose::of([1.0, 2.0, 3.0, 4.0]); 2];
    by_all!(ends::AD, ends, x.clone(), array, seed);
    let rows = |grid: &[[Pose; 2]; 2]| {
        let all = grid.iter().flatten();
        all.flat_map(Pose::numbers).collect::<Vec<_>>()
    };
    by_all!(grid::AD, grid, x.clone(), rows, [seed, seed]);
    let list = |v: &Vec<(f64, f64)>| v.iter().flat_map(|(a, b)| [*a, *b]).collect::<Vec<_>>();
    let seed = vec![(1.0, 0.5), (-0.3, 2.0), (0.1, 0.2)];
    by_all!(pairs::AD, pairs, x.clone(), list, seed.clone());
    Ok(())
}

// ---- failures ----

#[differentiable]
fn found(q: &[f64]) -> Option<Pose> {
    if q[0] < 0.0 {
        return None;
    }
    Some(forward(q))
}

#[differentiable]
fn tried(q: &[f64]) -> Result<(Pose, f64), String> {
    let p = found(q).ok_or_else(|| String::from("negative"))?;
    Ok((p, q[0].sqrt()))
}

#[test]
fn functions_that_may_fail_return_structs() -> Result<(), di::Error> {
    let _row = di_test::rows::row(383);
    let x = vec![0.3, 0.9, -0.4];
    let seed = Pose::of([1.0, -0.5, 2.0, 0.25]);
    let plain = |x: &[f64]| found(x).unwrap();
    by_all!(found::AD, plain, x.clone(), Pose::numbers, seed);
    let plain = |x: &[f64]| tried(x).unwrap();
    let numbers = |(p, a): &(Pose, f64)| [p.numbers(), vec![*a]].concat();
    by_all!(tried::AD, plain, x.clone(), numbers, (seed, 0.7));
    let backend = AutoSource::new();
    let prep = prepare_jacobian(tried::AD, &backend, &x)?;
    let failed = jacobian(tried::AD, &prep, &backend, &vec![-0.3, 0.9, -0.4]);
    assert_eq!(failed.unwrap_err().to_string(), "negative");
    let (y, _) = value_and_jacobian(tried::AD, &prep, &backend, &x)?;
    assert_eq!(y, plain(&x));
    Ok(())
}

// ---- lengths, other floats, methods, closures, sparse Jacobians ----

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Row<const N: usize> {
    v: [f64; N],
    sum: f64,
}

#[differentiable]
fn row<const N: usize>(x: &[f64; N]) -> Row<N> {
    let mut v = *x;
    for i in 0..N {
        v[i] *= x[0];
    }
    Row {
        v,
        sum: x.iter().sum::<f64>(),
    }
}

#[differentiable]
fn row_of_three(x: &[f64]) -> Row<3> {
    row(&[x[0], x[1], x[2] * x[1]])
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Single(f32, [f32; 2]);

#[differentiable]
fn single(x: &[f32]) -> Single {
    Single(x[0] * x[1], [x[1], x[0] * x[0]])
}

#[differentiable]
impl Pose {
    fn turned(&self, by: f64) -> Pose {
        Pose {
            x: self.x * by.cos() - self.y * by.sin(),
            y: self.x * by.sin() + self.y * by.cos(),
            turn: self.turn,
        }
    }
}

#[differentiable]
impl std::ops::Mul<Pose> for f64 {
    type Output = Pose;
    fn mul(self, p: Pose) -> Pose {
        Pose { x: self * p.x, ..p }
    }
}

#[differentiable]
mod models {
    #[derive(Clone, Debug, PartialEq)]
    pub(super) struct Fit {
        pub slope: f64,
        pub rest: Vec<f64>,
    }
    pub(super) fn fit(x: &[f64]) -> Fit {
        let slope = x[0] * x[1];
        let rest = x.iter().map(|v| v - slope).collect();
        Fit { slope, rest }
    }
}

#[test]
fn lengths_and_other_floats() -> Result<(), di::Error> {
    let x = vec![0.3, 0.9, -0.4];
    let numbers = |r: &Row<3>| [r.v.to_vec(), vec![r.sum]].concat();
    let seed = row_of_three(&x);
    by_all!(row_of_three::AD, row_of_three, x.clone(), numbers, seed);
    let backend = AutoSource::new();
    let (y, j) = value_and_jacobian(row::<2>::AD, NoPrep, &backend, &[2.0, 3.0])?;
    assert_eq!(y, row(&[2.0, 3.0]));
    assert_eq!(j, [[4.0, 0.0], [3.0, 2.0], [1.0, 1.0]]);
    let (y, j) = value_and_jacobian(single::AD, NoPrep, &backend, &[2.0_f32, 3.0])?;
    assert_eq!(y, Single(6.0, [3.0, 4.0]));
    assert_eq!(j, [[3.0_f32, 2.0], [0.0, 1.0], [4.0, 0.0]]);
    Ok(())
}

#[test]
fn methods_operators_closures_and_modules() -> Result<(), di::Error> {
    let (p, backend) = (Pose::of([0.1, 0.2, 0.3, 0.4]), AutoSource::new());
    let dy = derivative(Pose::turned_ad.fix_self(&p), NoPrep, &backend, &0.5)?;
    let (s, c) = 0.5_f64.sin_cos();
    let want = [-0.1 * s - 0.2 * c, 0.1 * c - 0.2 * s, 0.0, 0.0];
    agree(&dy.numbers(), &want);
    let (x, by) = (vec![0.3, 0.9, -0.4], 2.0);
    let plain = |x: &[f64]| 2.0 * forward(x);
    let f = differentiable_closure!([by: f64] |q: &[f64]| -> Pose { by * forward(q) });
    by_all!(f, plain, x.clone(), Pose::numbers, p);
    let fit = |x: &[f64]| models::fit(x);
    let numbers = |fit: &models::Fit| [vec![fit.slope], fit.rest.clone()].concat();
    by_all!(models::fit::AD, fit, x.clone(), numbers, fit(&x));
    Ok(())
}

#[differentiable]
fn neighbours(q: &[f64]) -> Vec<Pose> {
    let mut poses = Vec::new();
    for i in 1..q.len() {
        poses.push(Pose {
            x: q[i] * q[i - 1],
            y: q[i].sin(),
            turn: [q[i - 1], 2.0],
        });
    }
    poses
}

#[test]
fn sparse_jacobians_have_a_row_for_each_float() -> Result<(), di::Error> {
    let _row = di_test::rows::row(383);
    let x: Vec<f64> = (0..12).map(|i| 0.3 + 0.1 * i as f64).collect();
    let numbers = |poses: &[Pose]| poses.iter().flat_map(Pose::numbers).collect::<Vec<_>>();
    let want = columns(|x| numbers(&neighbours(x)), &x, 0.01);
    let backend = AutoSparse::new(AutoSource::new());
    let prep = prepare_jacobian(neighbours::AD, &backend, &x)?;
    assert_eq!(prep.structure()?.coloring().ncolors(), 2);
    let (y, j) = value_and_jacobian(neighbours::AD, &prep, &backend, &x)?;
    assert_eq!(y, neighbours(&x));
    assert_eq!((j.rows(), j.nnz()), (44, 44));
    for (k, column) in want.iter().enumerate() {
        for (i, want) in column.iter().enumerate() {
            agree(&[*j.get(i, k).unwrap_or(&0.0)], &[*want]);
        }
    }
    Ok(())
}
