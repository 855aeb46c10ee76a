//! Functions that take functions and call themselves with them.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4, 0.9], &[1.2, 0.4, 0.9, 0.3]];

#[differentiable]
fn simpson<F: Fn(f64) -> f64>(f: &F, a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b))
}

#[differentiable]
fn adaptive<F: Fn(f64) -> f64>(f: &F, a: f64, b: f64, tol: f64, depth: u32) -> f64 {
    let m = 0.5 * (a + b);
    let (left, right) = (simpson(f, a, m), simpson(f, m, b));
    let delta = left + right - simpson(f, a, b);
    if depth == 0 || delta.abs() <= 15.0 * tol {
        return left + right + delta / 15.0;
    }
    adaptive(f, a, m, 0.5 * tol, depth - 1) + adaptive(f, m, b, 0.5 * tol, depth - 1)
}

#[differentiable]
fn by_object(f: &dyn Fn(f64) -> f64, a: f64, b: f64, depth: u32) -> f64 {
    if depth == 0 {
        return (b - a) * f(0.5 * (a + b));
    }
    let m = 0.5 * (a + b);
    by_object(f, a, m, depth - 1) + by_object(&f, m, b, depth - 1)
}

#[differentiable]
fn by_value(f: impl Fn(f64) -> f64 + Copy, a: f64, b: f64, depth: u32) -> f64 {
    let m = 0.5 * (a + b);
    if depth == 0 {
        (b - a) * f(m)
    } else {
        by_value(f, a, m, depth - 1) + by_value(f, m, b, depth - 1)
    }
}

#[differentiable]
fn by_impl(f: &impl Fn(f64) -> f64, a: f64, b: f64, depth: u32) -> f64 {
    let m = 0.5 * (a + b);
    match depth {
        0 => (b - a) * f(m),
        _ => by_impl(f, a, m, depth - 1) + by_impl(f, m, b, depth - 1),
    }
}

/// Names of what the closure takes are those of parameters and variables of the function, too.
#[differentiable]
fn same_names(x: &[f64]) -> f64 {
    let (a, m) = (x[0], x[1].sin());
    let b = 2.0 * x[2];
    adaptive(
        &|t: f64| (a * t).sin() * m + b * t * t,
        x[2],
        x[3] + b,
        1e-3,
        4,
    )
}

#[differentiable]
fn lists_and_calls(x: &[f64]) -> f64 {
    let rows = vec![x[1], x[2] * x[0]];
    let pair = [x[3], x[0]];
    by_object(
        &|t| rows[0] * t + rows[1] * (t * pair[0]).exp() + x[1] * x.len() as f64,
        x[0],
        pair[1] + x[1],
        3,
    ) + by_value(|t| t * x[0] + pair[1], 0.0, x[3], 2)
        + by_value(f64::sin, x[0], x[1], 2)
        + by_impl(&square, x[0], x[1], 2)
}

#[differentiable]
fn square(t: f64) -> f64 {
    t * t
}

#[differentiable]
fn named(x: &[f64]) -> f64 {
    let k = x[0];
    let inner = |t: f64| (k * t).cos();
    let density = |t: f64| inner(t) * t + x[1];
    let k = k * x[2];
    by_impl(&density, 0.0, k, 3) + k * adaptive(&density, k, x[3], 1e-2, 3)
}

/// What a closure copies stays as it was.
#[differentiable]
fn copied(x: &[f64]) -> f64 {
    let mut k = x[0];
    let density = move |t: f64| k * t * t;
    k *= x[1];
    by_object(&density, 0.0, k, 2) + k
}

#[differentiable]
fn over(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    by_object(f, a, b, 2) * a
}

#[differentiable]
fn in_bodies(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let a = x[3];
    for i in 0..3usize {
        let w: f64 = x[1] + i as f64;
        sum += over(&|t| t * w + a * t * t + i as f64, x[0], x[2] * w);
        if sum > 0.2 {
            sum *= over(&|t: f64| (t * a).sin(), x[0], x[2]);
        }
    }
    sum
}

/// An area under an area.
#[differentiable]
fn twice(x: &[f64]) -> f64 {
    let (k, l) = (x[0], x[1]);
    by_impl(
        &|s: f64| s * by_object(&|t: f64| (s * t * k).sin() + l, 0.0, s, 2),
        x[2],
        x[3],
        2,
    )
}

#[test]
fn quadrature() {
    scalar!(same_names).row(896).check(&POINTS);
    scalar!(lists_and_calls).row(896).check(&POINTS);
    scalar!(named).row(896).check(&POINTS);
    scalar!(copied).row(896).check(&POINTS);
    scalar!(in_bodies).row(896).check(&POINTS);
    scalar!(twice).row(896).check(&POINTS);
}

#[differentiable]
mod methods {
    pub struct Load {
        pub k: f64,
        pub w: [f64; 2],
    }

    fn areas<F, G>(f: &F, g: &G, a: f64, b: f64, out: &mut [f64], depth: usize) -> f64
    where
        F: Fn(f64) -> f64,
        G: Fn(f64, f64) -> f64,
    {
        let m = 0.5 * (a + b);
        out[depth] += g(a, f(b));
        if depth == 0 {
            return f(m) * (b - a);
        }
        let left = areas(f, g, a, m, out, depth - 1);
        left * areas(f, g, m, b, out, depth - 1)
    }

    /// The least of a function, by golden sections.
    fn golden(f: &impl Fn(f64) -> f64, a: f64, b: f64, n: u32) -> f64 {
        let r = 0.618_033_988_749_894_9;
        let (c, d) = (b - r * (b - a), a + r * (b - a));
        if n == 0 {
            return 0.5 * (a + b);
        }
        if f(c) < f(d) {
            golden(f, a, d, n - 1)
        } else {
            golden(f, c, b, n - 1)
        }
    }

    impl Load {
        fn at(&self, t: f64) -> f64 {
            self.k * (t * self.w[0]).sin() + self.w[1]
        }

        pub fn moment(&self, a: f64) -> f64 {
            let mut out = [0.0; 3];
            let k = self.k * a;
            let s = areas(
                &|t| self.at(t) * t,
                &|u, v| u * v * k,
                a,
                2.0 * k,
                &mut out,
                2,
            );
            s + out[0] * out[1] + out[2]
        }
    }

    pub fn f(x: &[f64]) -> f64 {
        let load = Load {
            k: x[0],
            w: [x[1], x[2]],
        };
        load.moment(x[3])
            + golden(
                &|t: f64| (t - load.k) * (t - load.k),
                x[1] - 4.0,
                x[2] + 3.0,
                5,
            )
    }
}

mod rules {
    pub mod inner {
        use di::prelude::*;

        const SCALE: f64 = 1.5;

        #[differentiable]
        fn weighed(y: f64) -> f64 {
            y * y * SCALE
        }

        #[differentiable]
        pub fn middle(f: &dyn Fn(f64) -> f64, a: f64, b: f64, n: u32) -> f64 {
            let m = 0.5 * (a + b);
            if n == 0 {
                return weighed(f(m)) * (b - a);
            }
            middle(f, a, m, n - 1) + middle(f, m, b, n - 1)
        }
    }
}

#[differentiable]
fn of_other_modules(x: &[f64]) -> f64 {
    const SCALE: f64 = 0.5;
    rules::inner::middle(&|t| t * x[0] * SCALE + x[1], x[2], x[3], 2)
}

#[test]
fn methods_and_modules() {
    scalar!(methods::f::AD, methods::f).row(897).check(&POINTS);
    scalar!(of_other_modules).row(897).check(&POINTS);
}

#[differentiable]
fn middle(f: &dyn Fn(f64) -> f64, a: f64, b: f64, n: u32) -> f64 {
    let m = 0.5 * (a + b);
    if n == 0 {
        return f(m) * (b - a);
    }
    middle(f, a, m, n - 1) + middle(f, m, b, n - 1)
}
#[differentiable]
fn outer<F: Fn(f64) -> f64>(f: F, a: f64, n: u32) -> f64
where
    F: Copy,
{
    if n == 0 {
        return middle(&f, 0.0, a, 2);
    }
    outer(f, a * 0.5, n - 1) + f(a)
}
#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    let k = x[1] * x[0];
    outer(|t| t * t * k, x[0], 2)
}
#[differentiable]
fn pairs(x: &[f64], #[constant] pts: &[(f64, f64)]) -> f64 {
    let mut s = 0.0;
    for &(a, b) in pts {
        let (a, b): (f64, f64) = (a, b);
        s += middle(&|t| (t - a) * b * x[0], 0.0, x[1], 2);
    }
    s
}
#[derive(Clone, Copy, Differentiable)]
struct V {
    a: f64,
    b: f64,
}
#[differentiable]
impl V {
    fn new(a: f64, b: f64) -> V {
        V { a, b }
    }
    fn dens(&self, t: f64) -> f64 {
        self.a * (self.b * t).sin()
    }
    fn area(&self, to: f64) -> f64 {
        middle(&|t| self.dens(t) * self.a, 0.0, to, 3)
    }
    fn area2(self, to: f64) -> f64 {
        let V { a, b } = self;
        let q: f64 = a;
        middle(&|t| self.dens(t) * q + b, 0.0, to, 3)
    }
}
#[differentiable]
fn of_pairs(x: &[f64]) -> f64 {
    pairs(x, &[(0.4, 0.5), (1.0, 0.3)])
}
#[differentiable]
fn of_structs(x: &[f64]) -> f64 {
    let v = V::new(x[0], x[1]);
    v.area(x[1]) + middle(&|t| v.dens(t), 0.0, x[0], 2)
}
#[differentiable]
fn taken_apart(x: &[f64]) -> f64 {
    let v = V { a: x[0], b: x[1] };
    v.area2(x[1])
}
#[differentiable]
fn in_closures(x: &[f64]) -> f64 {
    let g = |k: f64| middle(&|t| (t * k).sin(), 0.0, k, 2);
    let w: Vec<f64> = x
        .iter()
        .map(|v| middle(&|t: f64| t * t * v.powi(2), 0.0, *v, 1))
        .collect();
    g(x[0]) * g(x[1]) + middle(&|t| w[0] * t + w[1], 0.0, x[1], 1)
}
#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    let mut best = x[0];
    let mut i = 0usize;
    while i < 3 {
        best += middle(&|t| t * best, 0.0, best, 1) * i as f64 * 0.1;
        i += 1;
    }
    best
}
#[differentiable]
mod surroundings {
    pub struct Config {
        pub n: usize,
        pub shift: f64,
    }
    #[derive(Clone, Copy, PartialEq)]
    pub enum Kind {
        A,
        B,
    }
    type Real = f64;
    fn middle<F: Fn(Real) -> Real>(
        f: &F,
        a: Real,
        b: Real,
        cfg: &Config,
        kind: Kind,
        n: usize,
    ) -> Real {
        let m = 0.5 * (a + b);
        if n == cfg.n {
            return f(m) * (b - a);
        }
        let s = if kind == Kind::A { 1.0 } else { 0.5 };
        s * middle(f, a, m, cfg, kind, n + 1) + middle(f, m, b, cfg, kind, n + 1)
    }
    pub fn load(
        x: &[f64],
        #[constant] cfg: &Config,
        kind: Kind,
        #[constant] data: &[(f64, f64)],
        ks: &[usize],
    ) -> Real {
        let t: (f64, f64) = (x[0], x[1]);
        let y: Real = x[0] * x[1];
        middle(
            &|u| {
                (u * y).sin() * cfg.shift
                    + data[0].0 * u
                    + data.iter().map(|(a, b)| a * b * u).sum::<f64>()
                    + t.1
                    + ks[0] as f64
                    + if kind == Kind::B { u } else { 0.0 }
            },
            x[0],
            x[1],
            cfg,
            kind,
            0,
        )
    }
    pub fn of_constants(x: &[f64]) -> f64 {
        load(
            x,
            &Config { n: 2, shift: 0.3 },
            Kind::B,
            &[(1.0, 0.2), (0.4, 0.5)],
            &[1, 2],
        )
    }
    fn norm(v: &[f64]) -> f64 {
        v.iter().map(|a| a * a).sum::<f64>().sqrt()
    }
    fn deep(
        f: &dyn Fn(f64, &[f64]) -> f64,
        g: &dyn Fn(f64) -> f64,
        a: f64,
        buf: &mut Vec<f64>,
        n: usize,
    ) -> f64 {
        if n == 0 {
            return f(a, buf);
        }
        buf[n] += g(a);
        deep(f, g, a * 0.5, buf, n - 1) + deep(f, g, a + buf[n], buf, n - 1)
    }
    pub fn of_lists(x: &[f64]) -> f64 {
        let mut buf = vec![0.1; 4];
        let v = x.to_vec();
        let h = |s: f64| s * v[0];
        let g = |s: f64| h(s).sin() + h(x[1]);
        let r = deep(&|a, b| a * norm(b) + norm(&v), &g, x[0], &mut buf, 3);
        r + norm(&buf) + g(r)
    }
    pub fn of_lists_that_grow(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let a = deep(
            &|a, b| a * b[0] + v[0],
            &|s| s * v[1],
            x[0],
            &mut vec![0.1; 3],
            2,
        );
        v[0] += a;
        v.push(a);
        deep(
            &|a, b| a * b[0] + v[0],
            &|s| s * v[2],
            x[0],
            &mut v.clone(),
            2,
        )
    }
}

#[test]
fn what_closures_take() {
    const POINTS: [&[f64]; 2] = [&[0.7, 1.3], &[0.4, 0.9]];
    scalar!(handed_on).row(898).check(&POINTS);
    scalar!(of_pairs).row(898).check(&POINTS);
    scalar!(of_structs).row(898).check(&POINTS);
    scalar!(taken_apart).row(898).check(&POINTS);
    scalar!(in_closures).row(898).check(&POINTS);
    scalar!(in_loops).row(898).check(&POINTS);
    scalar!(surroundings::of_constants::AD, surroundings::of_constants)
        .row(898)
        .check(&POINTS);
    scalar!(surroundings::of_lists::AD, surroundings::of_lists)
        .row(898)
        .check(&POINTS);
    scalar!(
        surroundings::of_lists_that_grow::AD,
        surroundings::of_lists_that_grow
    )
    .row(898)
    .check(&POINTS);
}

mod names {
    use super::V;
    use di::prelude::*;
    const SCALE: f64 = 3.0;
    #[differentiable]
    fn rec(f: &dyn Fn(f64) -> f64, a: f64, b: f64, n: u32) -> f64 {
        const SCALE: f64 = 0.5;
        let k = SCALE * (a + b);
        if n == 0 {
            return f(k) * (b - a);
        }
        let x = rec(f, a, k, n - 1);
        x * SCALE + rec(f, k, b, n - 1)
    }
    #[differentiable]
    pub fn items(x: &[f64]) -> f64 {
        let k = x[0];
        rec(&|t| t * k * SCALE + x[1], 0.0, k, 2)
    }
    #[differentiable]
    pub fn chained(x: &[f64]) -> f64 {
        const SCALE: f64 = 7.0;
        let k = x[0];
        let f = |t: f64| t * k * SCALE;
        let k = x[1];
        let g = |t: f64| f(t) + k;
        let k = 2.0 * x[1];
        let f = |t: f64| g(t) * k;
        rec(&f, 0.0, k, 2) + rec(&g, 0.0, k, 1)
    }
    #[differentiable]
    pub fn in_loops(x: &[f64]) -> f64 {
        let n = 4usize;
        let mut acc: Vec<f64> = vec![0.0; n];
        for (i, v) in x.iter().enumerate() {
            acc[i] = rec(
                &|t: f64| {
                    let v = v * t;
                    let t = v + acc[0];
                    t * i as f64 + v
                },
                0.1,
                *v,
                2,
            );
            let w = acc[i];
            acc[0] += rec(&move |t| w * t, 0.0, w, 1);
        }
        acc.iter().sum()
    }
    #[differentiable]
    fn via(f: impl Fn(f64) -> f64, k: f64) -> f64 {
        let g = |t: f64| f(t) * k;
        rec(&g, 0.0, k, 2) + rec(&f, 0.0, 1.0, 1)
    }
    #[differentiable]
    pub fn through(x: &[f64]) -> f64 {
        let k = x[0];
        let g = x[1];
        via(|t| t * k + g, g * 2.0)
    }
    #[differentiable]
    pub fn copied(x: &[f64]) -> f64 {
        let mut k = x[0];
        let f = move |t: f64| t * k;
        k = x[1] * 3.0;
        let h = |t: f64| f(t) + k;
        via(h, x[0])
    }
    #[differentiable]
    pub fn early(x: &[f64]) -> f64 {
        let c = if x[0] > 0.5 { x[0] } else { 2.0 * x[1] };
        let y: f64 = match x[1] > 0.0 {
            true => rec(
                &|t| {
                    if t > 0.3 {
                        return t * c;
                    } else {
                        c
                    }
                },
                0.0,
                1.0,
                2,
            ),
            false => 0.0,
        };
        while_loop(&|t| y * t, x[0])
    }
    #[differentiable]
    fn while_loop(f: &impl Fn(f64) -> f64, a: f64) -> f64 {
        let mut a = a;
        let mut s = 0.0;
        while a < 3.0 {
            s += rec(f, 0.0, a, 1);
            a += 1.0;
        }
        s
    }
    #[differentiable]
    pub fn literals(x: &[f64]) -> f64 {
        let a = x[0];
        rec(
            &|t| {
                let v = V { a, b: t };
                v.a * v.b
            },
            0.0,
            x[1],
            1,
        )
    }
    #[differentiable]
    pub fn hidden(x: &[f64]) -> f64 {
        let x = x.to_vec();
        let f = |t: f64| x[0] * t + x.len() as f64;
        let y = x.iter().sum::<f64>();
        rec(&f, y, x[1], 2)
    }
}

#[test]
fn names_that_meet() {
    const POINTS: [&[f64]; 2] = [&[0.7, 1.3], &[0.4, 0.9]];
    use names::*;
    scalar!(items).row(898).check(&POINTS);
    scalar!(chained).row(898).check(&POINTS);
    scalar!(in_loops).row(898).check(&POINTS);
    scalar!(through).row(898).check(&POINTS);
    scalar!(copied).row(898).check(&POINTS);
    scalar!(early).row(898).check(&POINTS);
    scalar!(hidden).row(898).check(&POINTS);
    scalar!(literals).row(898).check(&POINTS);
}
