//! Valid functions that were refused: integers in arrays of structs and of results, constants that are copied,
//! lengths of a struct that its variable has; and arrays that are given a variable with a type.

use di::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    at: [usize; 2],
}

const P: Params = Params {
    a: 0.5,
    w: [3.0, 4.0, 5.0],
    at: [0, 1],
};

#[differentiable]
fn made(x: f64) -> Params {
    Params {
        a: x,
        w: [x, 2.0 * x, 3.0],
        at: [2, 1],
    }
}

#[differentiable]
fn integers_are_set(x: f64, n: usize) -> f64 {
    let mut p = made(x);
    let at = [n; 2];
    p.at = at;
    p.a * p.w[p.at[0]]
}

#[differentiable]
fn twice(n: usize) -> [usize; 2] {
    [n, n + 1]
}

#[differentiable]
fn integers_are_returned(x: f64, n: usize) -> f64 {
    let at: [usize; 2] = twice(n);
    x * x * at[1] as f64
}

#[differentiable]
fn constant_is_read(x: f64, #[constant] first: &Params) -> f64 {
    let p: Params = *first;
    let k: f64 = p.w[0];
    x * x * k
}

const AT: [usize; 2] = [1, 0];

#[differentiable]
fn constant_in_a_field(x: f64) -> f64 {
    let at: [usize; 2] = AT;
    let p = Params {
        a: x,
        w: [x, 2.0 * x, 3.0],
        at,
    };
    p.a * p.w[p.at[0]]
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Poly<const N: usize> {
    c: [f64; N],
}

#[differentiable]
fn length_of_the_variable(x: f64) -> f64 {
    let p: Poly<2> = Poly { c: [x, 2.0 * x] };
    p.c[0] * p.c[1]
}

#[differentiable]
fn powers(x: f64) -> [f64; 3] {
    [1.0, x, x * x]
}

#[differentiable]
fn rows(x: f64) -> [[f64; 2]; 2] {
    [[x, x * x], [1.0, x]]
}

#[differentiable]
fn arrays_with_types(x: f64) -> f64 {
    let mut v: [f64; 3] = powers(x);
    v[0] *= v[1];
    let w: [f64; 3] = v;
    let m: [[f64; 2]; 2] = rows(w[0]);
    m[0][1] * w[2] + made(x).w[1]
}

#[differentiable]
fn fields_with_types(p: &Params) -> f64 {
    let mut w: [f64; 3] = p.w;
    w[0] *= p.a;
    let mut sum = 0.0;
    for k in 0..3 {
        let v: [f64; 3] = w;
        sum += v[k] * v[0];
    }
    sum
}

#[test]
fn derivatives_are_those_of_the_formulas() {
    let x = 1.5_f64;
    let cube = |k: f64| (k * x, k);
    let check = |found: (f64, f64), expected: (f64, f64)| {
        assert!(
            (found.0 - expected.0).abs() < 1e-12,
            "{found:?} {expected:?}"
        );
        assert!(
            (found.1 - expected.1).abs() < 1e-12,
            "{found:?} {expected:?}"
        );
    };
    macro_rules! check {
        ($f:expr, $expected:expr) => {
            for backend in [
                AutoSource::new(),
                AutoSource::new().forward(),
                AutoSource::new().reverse(),
            ] {
                let first = derivative($f, NoPrep, &backend, &x).unwrap();
                let second = second_derivative($f, NoPrep, &backend, &x).unwrap();
                check((first, second), $expected);
            }
        };
    }
    // 2 x^2, 3 x^2, 3 x^2, 2 x^2, 2 x^2
    check!(integers_are_set::AD.with(1), cube(4.0));
    check!(integers_are_returned::AD.with(2), cube(6.0));
    check!(constant_is_read::AD.with(&P), cube(6.0));
    check!(constant_in_a_field::AD, cube(4.0));
    check!(length_of_the_variable::AD, cube(4.0));
    // x^4 + 2 x
    check!(arrays_with_types::AD, (4.0 * x * x * x + 2.0, 12.0 * x * x));
}

#[test]
fn gradient_of_fields_with_types() {
    // a w0 (a w0 + w1 + w2)
    let Params { a, w, .. } = P;
    let (first, rest) = (a * w[0], w[1] + w[2]);
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let g = gradient(fields_with_types::AD, NoPrep, &backend, &P).unwrap();
        assert_eq!(g.a, w[0] * (2.0 * first + rest));
        assert_eq!(g.w, [a * (2.0 * first + rest), first, first]);
    }
}

#[differentiable]
#[allow(clippy::unused_unit, reason = "it is what is looked at")]
fn result_is_unit(x: &[f64], y: &mut [f64]) -> () {
    y[0] = x[0] * x[0] * x[1];
}

#[test]
fn results_that_are_written_out_as_nothing() {
    let (x, mut y) = ([3.0, 5.0], [0.0]);
    let f = result_is_unit::AD.output(&mut y[..]);
    let jacobian = jacobian(f, NoPrep, &AutoSource::new(), &x[..]).unwrap();
    assert_eq!(jacobian.as_slice(), [30.0, 9.0]);
}

#[differentiable]
fn constant_taken_apart(x: &[f64], #[constant] by: (usize, f64)) -> f64 {
    let (n, w) = by;
    w * x[0] * x[0] + n as f64 * x[1]
}

#[differentiable]
fn constant_behind_a_reference(x: &[f64], #[constant] by: &(usize, (f64, bool))) -> f64 {
    let (n, (w, doubled)): (usize, (f64, bool)) = *by;
    if doubled {
        2.0 * w * x[0] * x[0]
    } else {
        n as f64 * x[1]
    }
}

#[test]
fn constants_that_are_tuples_are_taken_apart() {
    let x = [3.0, 5.0];
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let f = constant_taken_apart::AD.with((2, 1.5));
        assert_eq!(gradient(f, NoPrep, &backend, &x).unwrap(), [9.0, 2.0]);
        let by = (2, (1.5, true));
        let f = constant_behind_a_reference::AD.with(&by);
        assert_eq!(gradient(f, NoPrep, &backend, &x).unwrap(), [18.0, 0.0]);
    }
}

#[differentiable]
fn root(x: f64) -> Result<f64, u8> {
    if x > 0.0 { Ok(x.sqrt()) } else { Err(1) }
}

#[differentiable]
fn scaled(x: f64) -> Result<f64, i32> {
    let r: Result<f64, u8> = root(x);
    let y = r?;
    Ok(y * x)
}

#[differentiable]
fn flagged(x: f64) -> Result<f64, bool> {
    if x > 0.0 { Ok(x * x) } else { Err(true) }
}

#[differentiable]
fn counted(x: f64) -> Result<f64, i64> {
    let r: Result<f64, bool> = flagged(x);
    Ok(r? * x)
}

#[differentiable]
fn errors_get_wider(x: &[f64]) -> f64 {
    let r: Result<f64, i32> = scaled(x[0]);
    let a = match r {
        Ok(v) => v * x[1],
        Err(code) => x[1] * f64::from(code),
    };
    let r: Result<f64, i64> = counted(x[1]);
    match r {
        Ok(v) => a * v,
        Err(code) => a * code as f64,
    }
}

#[test]
fn errors_become_wider_numbers_where_a_function_is_left() {
    // x0^1.5 x1 x1^3
    let g = |x: [f64; 2]| {
        [
            1.5 * x[0].sqrt() * x[1].powi(4),
            4.0 * x[0].powf(1.5) * x[1].powi(3),
        ]
    };
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let found = gradient(errors_get_wider::AD, NoPrep, &backend, &[4.0, 2.0]).unwrap();
        assert_eq!(found, g([4.0, 2.0]));
        // x1 * x1^3
        let found = gradient(errors_get_wider::AD, NoPrep, &backend, &[-4.0, 2.0]).unwrap();
        assert_eq!(found, [0.0, 32.0]);
    }
}

#[differentiable]
#[allow(clippy::ptr_arg)]
fn lent_vector_is_cloned(x: &Vec<f64>) -> f64 {
    let q = x.clone();
    let mut w: Vec<f64> = x.clone();
    w[0] = 1.0;
    w.push(q[0] * q[1]);
    for v in w.iter_mut() {
        *v *= 2.0;
    }
    let r = x;
    let last = w.pop().expect("w is not empty");
    last * w[0] * r.clone()[1]
}

#[differentiable]
#[allow(clippy::ptr_arg)]
fn clone_is_returned(x: &Vec<f64>) -> Vec<f64> {
    x.clone()
}

#[differentiable]
#[allow(noop_method_call)]
fn slice_is_cloned(x: &[f64]) -> f64 {
    let q = x.clone();
    q[0] * q[1]
}

#[test]
fn references_are_cloned() {
    let x = vec![3.0, 2.0];
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        // 4 x0 x1^2
        let found = gradient(lent_vector_is_cloned::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!(found, [16.0, 48.0]);
        let found = gradient(slice_is_cloned::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!(found, [2.0, 3.0]);
        let found = jacobian(clone_is_returned::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!((found[(0, 0)], found[(0, 1)]), (1.0, 0.0));
        assert_eq!((found[(1, 0)], found[(1, 1)]), (0.0, 1.0));
    }
    let backend = SecondOrder::new(AutoDual::new(), AutoSource::new());
    let found = hessian(lent_vector_is_cloned::AD, NoPrep, &backend, &x).unwrap();
    assert_eq!((found[(0, 0)], found[(0, 1)]), (0.0, 16.0));
    assert_eq!((found[(1, 0)], found[(1, 1)]), (16.0, 24.0));
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Weights {
    w: Vec<f64>,
    a: [f64; 3],
    s: Scale,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Scale {
    k: f64,
}

#[differentiable]
#[allow(clippy::clone_on_copy)]
fn fields_are_cloned(p: &Weights) -> f64 {
    let c: Vec<f64> = p.w.clone();
    let mut a: [f64; 3] = p.a.clone();
    a[2] = a.len() as f64;
    let s: Scale = p.s.clone();
    c[0] * c[1] * a[0] * a[2] * s.k
}

#[test]
fn fields_of_a_struct_are_cloned() {
    let p = Weights {
        w: vec![2.0, 3.0],
        a: [5.0, 1.0, 1.0],
        s: Scale { k: 7.0 },
    };
    let expected = Weights {
        w: vec![315.0, 210.0],
        a: [126.0, 0.0, 0.0],
        s: Scale { k: 90.0 },
    };
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let found = gradient(fields_are_cloned::AD, NoPrep, &backend, &p).unwrap();
        assert_eq!(found, expected);
    }
}

#[differentiable]
fn starts_at_the_default(x: &[f64]) -> f64 {
    let mut s: f64 = Default::default();
    let mut t = f64::default();
    for &v in x {
        s += v * v;
        t += v;
    }
    s * t
}

#[differentiable]
fn variables_are_dropped(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v[0] *= 2.0;
    let s = v[0];
    drop(v);
    let w = x.to_vec();
    let t = w[1];
    std::mem::drop(w);
    s * t
}

#[test]
fn defaults_and_dropped_variables() {
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        // (x0^2 + x1^2) (x0 + x1)
        let found = gradient(starts_at_the_default::AD, NoPrep, &backend, &[3.0, 2.0]).unwrap();
        assert_eq!(found, [43.0, 33.0]);
        let found = gradient(variables_are_dropped::AD, NoPrep, &backend, &[3.0, 2.0]).unwrap();
        assert_eq!(found, [4.0, 6.0]);
    }
}

/// Functions of elsewhere that return structs, whose names mean nothing or another struct where they are called.
mod poses {
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Pose {
        pub(super) p: [f64; 2],
        pub(super) th: f64,
    }

    #[differentiable]
    pub(super) fn pose(x: &[f64]) -> Pose {
        Pose {
            p: [x[0], x[1]],
            th: x[0] * x[1],
        }
    }

    pub(super) mod inside {
        use super::pose;
        use di::prelude::*;

        #[differentiable]
        pub(crate) fn turned(x: &[f64]) -> f64 {
            let l = pose(x);
            l.p[0] * l.th
        }
    }

    pub(super) mod with_all {
        use super::*;

        #[differentiable]
        pub(crate) fn turned(x: &[f64]) -> f64 {
            let l = pose(x);
            let first = |p: &[f64]| p[0];
            first(&l.p) * l.th
        }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Pose {
    q: f64,
}

#[differentiable]
fn own_pose(x: &[f64]) -> Pose {
    Pose { q: 3.0 * x[0] }
}

#[differentiable]
fn of_both(x: &[f64]) -> f64 {
    let l = poses::pose(x);
    let own = own_pose(x);
    l.p[1] * l.th * own.q
}

#[test]
fn structs_of_the_same_name() {
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let x = [3.0, 2.0];
        // x0^2 x1
        let found = gradient(poses::inside::turned::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!(found, [12.0, 9.0]);
        let found = gradient(poses::with_all::turned::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!(found, [12.0, 9.0]);
        // 3 x0^2 x1^2
        let found = gradient(of_both::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!(found, [72.0, 108.0]);
    }
}

#[differentiable]
mod degrees {
    #[derive(Clone, Copy)]
    pub(super) struct Power(pub(super) u32);

    impl std::ops::Mul<f64> for Power {
        type Output = f64;
        fn mul(self, x: f64) -> f64 {
            x * f64::from(self.0)
        }
    }

    pub(super) fn square(x: f64) -> f64 {
        x * x
    }
}

macro_rules! law {
    ($name:ident, $t:ty, $n:ty, |$x:ident, $k:ident| $e:expr) => {
        #[differentiable]
        #[allow(clippy::ptr_arg, unused_parens)]
        fn $name($x: $t, #[constant] $k: $n) -> Result<f64, String> {
            match *$k {
                0 => Err("no power".to_owned()),
                _ => Ok($e),
            }
        }
    };
}

law!(of_number, &f64, &i32, |x, k| x.powi(*k));
law!(of_vector, &Vec<f64>, &i32, |x, k| x[0].powi(*k) * x[1]);

#[test]
fn operators_of_constants_and_types_of_macros() {
    assert!((degrees::Power(3) * 2.0 - 6.0).abs() < 1e-12);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    let differences = AutoFiniteDiff::new();
    close(
        derivative(degrees::square::AD, NoPrep, &differences, &3.0).unwrap(),
        6.0,
    );
    close(
        derivative(of_number::AD.with(2), NoPrep, &differences, &3.0).unwrap(),
        6.0,
    );
    let x = vec![3.0, 2.0];
    let found = gradient(of_vector::AD.with(2), NoPrep, &differences, &x).unwrap();
    close(found[0], 12.0);
    close(found[1], 9.0);
    let failed = derivative(of_number::AD.with(0), NoPrep, &differences, &3.0).unwrap_err();
    assert!(failed.to_string().contains("no power"), "{failed}");
    let failed = gradient(of_vector::AD.with(0), NoPrep, &AutoSource::new(), &x).unwrap_err();
    assert!(failed.to_string().contains("no power"), "{failed}");
}

/// Of the file, but not of the module below.
type R = Result<(), String>;

#[differentiable]
#[allow(unreachable_pub, reason = "a module as it is written for others")]
mod with_a_parameter_named_like_an_alias {
    #[derive(Clone, Copy)]
    pub struct Row<const R: usize>(pub [f64; R]);

    impl<const R: usize> Row<R> {
        pub fn square(&self) -> f64 {
            self.0.iter().map(|v| v * v * R as f64).sum()
        }
    }

    pub fn of_rows(x: &[f64]) -> f64 {
        let row: Row<2> = Row([x[0], x[1]]);
        row.square()
    }
}

#[differentiable]
fn by_two_keys(p: &[f64], #[constant] rows: &[(f64, bool)]) -> f64 {
    let mut o: Vec<usize> = (0..3).collect();
    o.sort_by(|&a, &b| rows[b].0.total_cmp(&rows[a].0).then(a.cmp(&b)));
    let mut by_flag = o.clone();
    by_flag.sort_by(|&a, &b| {
        rows[a]
            .1
            .cmp(&rows[b].1)
            .then_with(|| rows[b].0.total_cmp(&rows[a].0))
    });
    p[o[0]] * p[o[1]] * p[by_flag[0]]
}

#[test]
fn parameters_named_like_aliases_and_comparisons_of_constants() -> R {
    use with_a_parameter_named_like_an_alias::of_rows;
    let backend = AutoSource::new();
    let found = gradient(of_rows::AD, NoPrep, &backend, &[3.0, 2.0]).map_err(|e| e.to_string())?;
    assert_eq!(found, [12.0, 8.0]);
    let rows = [(1.0, true), (3.0, false), (3.0, true)];
    let f = by_two_keys::AD.with(&rows);
    let found = gradient(f, NoPrep, &backend, &[5.0, 2.0, 3.0]).map_err(|e| e.to_string())?;
    assert_eq!(found, [0.0, 12.0, 4.0]);
    Ok(())
}
