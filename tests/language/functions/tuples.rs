//! Parameters as people write them: tuples and patterns, constants without floats that nobody marks, `&mut Vec`.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

// ---- tuples by value ----

#[differentiable]
fn step(s: (f64, f64), dt: f64) -> (f64, f64) {
    (s.0 + dt * s.1, s.1 - dt * s.0.sin())
}

/// Tuples as variables, as they are written, of constants alone, and as what a call returns.
#[differentiable]
fn pendulum(x: &[f64]) -> f64 {
    let mut s = (x[0], x[1]);
    for _ in 0..3 {
        s = step(s, 0.1 * x[2]);
    }
    let turned = step((s.1, x[0] * s.0), x[2]);
    let (a, b) = step((1.0, 0.5), x[1]);
    let (c, _) = step(step(turned, a), b);
    turned.0 * turned.1 + c
}

#[differentiable]
fn nested(mut s: (f64, ([f64; 2], usize)), scale: (f64, &[f64])) -> f64 {
    s.0 *= scale.0;
    s.1.0[1] += s.0;
    let (list, n) = s.1;
    list[0] * list[1] * scale.1[n] + s.0
}

#[differentiable]
fn of_nested(x: &[f64]) -> f64 {
    let pair = [x[0], x[1]];
    let s = (x[2], (pair, 1));
    nested(s, (2.0, x)) + nested((x[0], ([x[1], 1.0], 2)), (x[1], &pair_of(x))) * pair[0] + s.0
}

#[differentiable]
fn pair_of(x: &[f64]) -> [f64; 3] {
    [x[0], x[1] * x[2], x[2]]
}

#[differentiable]
fn owned(parts: (Vec<f64>, f64, Vec<Vec<f64>>)) -> f64 {
    let (mut v, k, rows) = parts;
    v.push(k);
    v.iter().sum::<f64>() * v[0] * rows[1][0] + rows[0][1]
}

#[differentiable]
fn of_owned(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let rows = vec![vec![x[0], x[1]], vec![x[2]]];
    owned((v, x[0] * x[1], rows))
}

#[test]
fn by_value() {
    scalar!(pendulum).rows(&[19, 169]).check(&POINTS);
    scalar!(of_nested).row(169).check(&POINTS);
    scalar!(of_owned).row(169).check(&POINTS);
}

/// To operators the components are arguments, one by one.
#[differentiable]
fn energy(s: (f64, (f64, [f64; 2])), n: usize) -> f64 {
    let (x, (v, k)) = s;
    k[0] * x * x + k[1] * v * v + n as f64 * x * v
}

#[test]
fn operators_have_the_components() {
    let _row = di_test::rows::row(169);
    let f = energy::AD.with(3);
    let (dx, dv, dk) = gradient(f, NoPrep, &AutoSource::new(), &(0.5, 0.25, [2.0, 3.0])).unwrap();
    let found = [dx, dv, dk[0], dk[1]];
    assert_close("gradient", &found, &[2.75, 3.0, 0.25, 0.0625], ROUNDING);
    let only = energy::AD.with(3).fix_s_1_0(0.25).fix_s_1_1(&[2.0, 3.0]);
    let slope = derivative(only, NoPrep, &AutoSource::new(), &0.5).unwrap();
    assert_close("derivative", &[slope], &[2.75], ROUNDING);
}

// ---- tuples behind references ----

#[differentiable]
fn weighed(s: &(f64, Vec<f64>), w: &((f64, [f64; 2]), f64)) -> f64 {
    let ((a, [b, c]), d) = w;
    let mut copy = s.1.clone();
    copy.push(s.0);
    copy.iter().map(|v| v * a).sum::<f64>() + s.1[0] * b * c * d + w.0.1[1]
}

#[differentiable]
fn advance(s: &mut (f64, [f64; 2]), by: f64) {
    s.0 += by * s.1[0];
    s.1[1] *= s.0;
    let (a, list) = s;
    *a *= list[1];
}

#[differentiable]
fn behind_references(x: &[f64]) -> f64 {
    let s = (x[0], x.to_vec());
    let w = ((x[1], [x[2], x[0]]), x[1]);
    let mut state = (x[2], [x[0], x[1]]);
    for _ in 0..2 {
        advance(&mut state, x[1]);
    }
    weighed(&s, &w) + weighed(&s, &((1.0, [x[0], 2.0]), state.0)) * state.1[1]
}

#[test]
fn behind_a_reference() {
    scalar!(behind_references).row(169).check(&POINTS);
}

// ---- patterns ----

#[differentiable]
fn of_patterns([a, b]: [f64; 2], (c, (mut d, _)): (f64, (f64, f64)), _: f64) -> f64 {
    d *= c;
    a * b.sin() + d * a
}

#[differentiable]
fn of_references(&[a, b]: &[f64; 2], &(c, d): &(f64, f64)) -> f64 {
    a * d - b * c * d
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn of_struct(Point { x, y }: Point, [first, .., last]: [f64; 3]) -> f64 {
    x * y * first + last * y
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    let p = Point { x: x[0], y: x[1] };
    let c = of_patterns([x[0], x[1]], (x[2], (x[0], 1.0)), x[1]);
    c * of_references(&[c, x[1]], &(x[2], x[0])) + of_struct(p, [x[2], x[0], x[1]])
}

#[test]
fn taken_apart() {
    scalar!(patterns).row(170).check(&POINTS);
    let _row = di_test::rows::row(170);
    let x = ([2.0, 0.0], 3.0, 5.0, 1.0, 1.0);
    let (list, c, d, ..) = gradient(of_patterns::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    let found = [list[0], list[1], c, d];
    assert_close("gradient", &found, &[15.0, 2.0, 10.0, 6.0], ROUNDING);
}

// ---- methods, and functions of other modules ----

#[differentiable]
mod springs {
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Spring {
        k: f64,
    }

    impl Spring {
        fn pull(&self, (x, v): (f64, f64), n: (usize, usize)) -> f64 {
            -self.k * x - (n.0 + n.1) as f64 * v
        }

        fn twice(self, s: &(f64, f64)) -> f64 {
            self.pull(*s, (1, 2)) + Spring::pull(&self, (s.1, s.0), (0, 1))
        }
    }

    pub(super) fn pulled(k: f64, s: (f64, f64)) -> f64 {
        let spring = Spring { k };
        spring.twice(&s) * k + spring.pull(s, (2, 0)) + spring.twice(&(k, 1.0))
    }
}

mod other {
    use di::prelude::*;

    #[differentiable]
    pub(super) type State = (f64, f64);

    #[differentiable]
    pub(super) fn turn(s: State) -> (f64, f64) {
        (s.1, -s.0)
    }

    #[differentiable]
    pub(super) fn at<const N: usize>(s: (f64, [f64; N])) -> f64 {
        s.1.iter().map(|v| v * s.0).sum()
    }
}

#[differentiable]
fn elsewhere(x: &[f64]) -> f64 {
    let s = other::turn((x[1], x[2]));
    springs::pulled(x[0], s) * other::at((x[0], [s.0, s.1, x[2]]))
}

#[test]
fn methods_and_modules() {
    scalar!(elsewhere).row(169).check(&POINTS);
}

// ---- constants that nobody marks ----

#[differentiable]
fn coupled(x: &[f64], pairs: &[(usize, usize)], one: (usize, bool), at: Option<usize>) -> f64 {
    let mut sum = 0.0;
    for &(i, j) in pairs {
        sum += x[i] * x[j];
    }
    if let Some(i) = at {
        sum *= x[i];
    }
    if one.1 { sum } else { sum * x[one.0] }
}

#[differentiable]
fn written(x: &[f64], codes: &[[char; 2]]) -> f64 {
    let mut sum = 1.0;
    for c in codes {
        if c[0] == 'a' {
            sum *= x[0];
        } else if c[1] == 'b' {
            sum += x[1] * x[2];
        }
    }
    sum
}

/// What is marked may have floats.
#[differentiable]
fn marked(x: f64, #[constant] (a, b): (f64, f64), #[constant] w: &(usize, f64)) -> f64 {
    x.sin() * a + x * x * b * w.1 * w.0 as f64
}

#[differentiable]
fn constants(x: &[f64], pairs: &[(usize, usize)], codes: &[[char; 2]]) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        sum += coupled(x, pairs, (i, i == 1), Some(i + 1)) * coupled(x, pairs, (2, false), None);
    }
    sum + written(x, codes)
        + coupled(x, &[(0, 1), (2, 2)], (0, true), None)
        + written(x, &[['a', 'c'], ['c', 'b']])
        + marked(x[1], (0.5, 2.0), &(3, 0.25))
}

#[test]
fn constants_without_floats() {
    let (pairs, codes) = ([(0, 1), (1, 2), (2, 0)], [['a', 'b'], ['b', 'b']]);
    let f = constants::AD.with(&pairs, &codes);
    scalar!(f, |x| constants(x, &pairs, &codes))
        .row(171)
        .check(&POINTS);
}

// ---- vectors behind `&mut` ----

#[differentiable]
fn scaled(v: &mut Vec<f64>, by: f64) {
    let first = v.clone();
    for (x, y) in v.iter_mut().zip(&first) {
        *x *= by * y;
    }
    v.swap(0, 1);
    v[0] += first[1];
}

#[differentiable]
fn eliminated(m: &mut Vec<Vec<f64>>, b: &mut Vec<f64>) {
    for j in 0..2 {
        let factor = m[1][0] / m[0][0];
        m[1][j] -= factor * m[0][j] * b[j];
    }
    scaled(b, m[1][1]);
    for row in m.iter_mut() {
        row[0] *= b[0];
    }
}

#[differentiable]
fn vectors(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut m = vec![vec![x[0], x[1]], vec![x[2], 1.0]];
    eliminated(&mut m, &mut v);
    scaled(&mut v, x[1]);
    v[0] * m[1][0] + v[1] * m[0][1] + v[2] * m[1][1]
}

#[differentiable]
fn filled(x: &[f64], y: &mut Vec<f64>) {
    for (i, v) in x.iter().enumerate() {
        y[i] = v * v * x[0];
    }
}

#[test]
fn vectors_that_keep_their_length() {
    scalar!(vectors).row(172).check(&POINTS);
    let of_slices = |x: &[f64], y: &mut [f64]| {
        let mut filled_in = y.to_vec();
        filled(x, &mut filled_in);
        y.copy_from_slice(&filled_in);
    };
    inplace!(filled::AD, of_slices, 3).row(172).check(&POINTS);
}

#[differentiable]
mod newtypes {
    #[derive(Clone, Copy, Debug)]
    pub struct Kelvin(pub f64);
    #[derive(Clone, Copy, Debug)]
    pub struct Bar(pub f64);

    #[derive(Clone, Debug)]
    pub struct Stage {
        inlet: (Kelvin, Bar),
        outlet: (Kelvin, usize, Bar),
        last: (usize, Bar),
    }

    impl Stage {
        pub fn new() -> Self {
            Stage {
                inlet: (Kelvin(2.9), Bar(1.0)),
                outlet: (Kelvin(0.4), 1, Bar(0.2)),
                last: (0, Bar(0.3)),
            }
        }

        pub fn inlet(mut self, t: Kelvin, p: Bar) -> Self {
            self.inlet = (t, p);
            self
        }

        pub fn outlet(mut self, t: Kelvin, n: usize) -> Self {
            self.outlet = (t, n, self.outlet.2);
            self
        }

        fn warm(&mut self, by: f64) {
            self.inlet.0.0 *= by;
            self.last.0 += 1;
            self.outlet.0.0 += by;
        }

        pub fn run(&self) -> f64 {
            let (t, p) = self.inlet;
            let (out, k, end) = &self.outlet;
            let outlets = out.0.powi(*k as i32 + 1) + end.0;
            let (n, Bar(last)) = self.last;
            t.0 * p.0 + outlets * last + self.inlet.0.0 * n as f64
        }
    }

    pub fn run(x: &[f64]) -> f64 {
        let mut s = Stage::new().inlet(Kelvin(x[0]), Bar(x[1]));
        let before = s.run();
        for (n, v) in x.iter().enumerate() {
            s = s.outlet(Kelvin(*v), n);
        }
        s.warm(x[1]);
        s.last.1 = Bar(x[0]);
        before * s.run() + Stage::new().outlet(Kelvin(x[1]), 2).run()
    }
}

#[test]
fn tuples_of_structs_alone_in_fields() {
    scalar!(newtypes::run::AD, newtypes::run)
        .row(809)
        .check(&[&[0.4, 1.2], &[1.1, 0.7]]);
}

#[differentiable]
mod outlets {
    #[derive(Clone, Copy, Debug)]
    pub struct Kelvin(pub f64);

    pub struct Stage {
        outlets: Vec<(Kelvin, usize)>,
        scale: f64,
    }

    impl Stage {
        pub fn new(scale: f64) -> Self {
            Stage {
                outlets: vec![(Kelvin(0.4), 1)],
                scale,
            }
        }

        pub fn outlet(mut self, t: Kelvin, n: usize) -> Self {
            self.outlets.push((t, n));
            self
        }

        fn warm(&mut self, by: f64) {
            for (t, _) in &mut self.outlets {
                t.0 += by;
            }
        }

        pub fn run(&self) -> f64 {
            let outlets = self.outlets.iter().map(|(t, n)| t.0.powi(*n as i32 + 1));
            outlets.sum::<f64>() * self.scale
        }
    }

    pub fn run(x: &[f64]) -> f64 {
        let mut s = Stage::new(x[1]).outlet(Kelvin(x[0]), 2);
        for (n, v) in x.iter().enumerate() {
            s = s.outlet(Kelvin(*v), n);
        }
        s.warm(x[1]);
        let (t, n) = s.outlets[1];
        s.run() * t.0.powi(n as i32)
    }
}

#[test]
fn lists_of_tuples_of_structs_in_fields() {
    scalar!(outlets::run::AD, outlets::run)
        .row(811)
        .takes_memory()
        .check(&[&[0.4, 1.2], &[1.1, 0.7]]);
}
