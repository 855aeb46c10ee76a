//! Names as people choose them: variables with the names of functions, functions in capitals, and other names of floats.

use di::prelude::*;
use di_test::scalar;
use model::{aliased, capitals, given_on, named_as_given, named_as_itself, texts};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.2, 0.4]];

#[differentiable]
#[allow(non_snake_case)]
mod model {
    use std::ops::{Mul, MulAssign, Neg, Sub};

    pub type Real = f64;
    use Real as R;

    #[derive(Clone, Copy)]
    pub struct V {
        x: R,
        y: R,
    }

    impl Mul<R> for V {
        type Output = V;
        fn mul(self, k: R) -> V {
            V {
                x: self.x * k,
                y: self.y * k,
            }
        }
    }

    impl Mul<V> for R {
        type Output = V;
        fn mul(self, v: V) -> V {
            V {
                x: v.x * self,
                y: v.y + self,
            }
        }
    }

    impl MulAssign<Real> for V {
        fn mul_assign(&mut self, k: Real) {
            self.x *= k;
            self.y *= k;
        }
    }

    impl Neg for V {
        type Output = V;
        fn neg(self) -> V {
            V {
                x: -self.x,
                y: -self.y,
            }
        }
    }

    impl Sub<&V> for &V {
        type Output = V;
        fn sub(self, o: &V) -> V {
            V {
                x: self.x - o.x,
                y: self.y - o.y,
            }
        }
    }

    pub fn aliased(x: &[f64]) -> f64 {
        let v = V { x: x[0], y: x[1] };
        let mut w = x[1] * (v * x[0].exp() * x[1]);
        w *= x[0];
        let d = &w - &-v;
        d.x * d.y
    }

    fn Rot(v: &V, a: R) -> V {
        V {
            x: v.x * a.cos() - v.y * a.sin(),
            y: v.x * a.sin() + v.y * a.cos(),
        }
    }

    fn NTU(x: &[R]) -> R {
        let mut s = 0.0;
        for v in x {
            s += v.sin();
        }
        s
    }

    fn H(x: f64, n: usize) -> Option<f64> {
        if n == 0 { None } else { Some(x.powi(n as i32)) }
    }

    pub fn capitals(x: &[f64]) -> f64 {
        let w = Rot(&V { x: x[0], y: x[1] }, x[1]);
        let z = H(x[0], 3).unwrap() + if let Some(h) = H(x[1], 2) { h } else { 0.0 };
        NTU(x) * z + w.x * w.y
    }

    fn family(x: &[f64], g: impl Fn(&[f64], usize) -> f64, h: &dyn Fn(f64) -> f64) -> f64 {
        let mut s = 0.0;
        for k in 0..3 {
            let g = g(x, k);
            s += g * g + h(g);
        }
        let h = h(s);
        let twice = |g: f64| g * 2.0;
        twice(h) + g(x, 2)
    }

    pub fn named_as_given(x: &[f64]) -> f64 {
        family(x, |x, k| x[k % 2] * k as f64, &|v| v * x[1])
    }

    pub trait Law {
        fn of(v: f64) -> f64;
    }
    pub enum A {}
    impl Law for A {
        fn of(v: f64) -> f64 {
            v * v
        }
    }
    pub struct B;
    impl Law for B {
        fn of(v: f64) -> f64 {
            v.sin()
        }
    }

    fn sum<L: Law>(v: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in v {
            sum += L::of(*v);
        }
        sum
    }

    fn best<L: Law>(v: f64) -> f64 {
        let best = L::of(v);
        if best > 0.0 { best } else { -best }
    }

    pub fn named_as_itself(x: &[f64]) -> f64 {
        sum::<A>(x) * sum::<B>(&x[1..]) * best::<B>(x[0])
    }

    pub struct T {
        tol: f64,
        n: usize,
    }
    pub struct U;

    impl T {
        fn ok(&self, x: f64, func: impl Fn(f64) -> f64) -> bool {
            (func(x) - x).abs() < self.tol
        }
        fn count<F: Fn(f64) -> f64>(&self, x: f64, func: &F) -> usize {
            let mut k = 0;
            for i in 0..self.n {
                if func(x + i as f64) > 0.5 {
                    k += 1;
                }
            }
            k
        }
        fn one<F>(&self, func: &F, x: f64) -> f64
        where
            F: Fn(f64) -> f64,
        {
            func(x) * self.tol
        }
        fn two<F: Fn(f64) -> f64>(&self, func: F, x: f64) -> f64 {
            let mut s = 0.0;
            for i in 0..self.n {
                s += self.one(&func, x + 0.1 * i as f64);
            }
            s + self.one(&func, x)
        }
        fn make<F: Fn(f64) -> f64>(&self, func: &F, x: f64) -> f64 {
            let mut s = 0.0;
            for _ in 0..self.count(x, func) + 1 {
                s += self.two(func, x);
            }
            if self.ok(x, func) {
                s + func(x)
            } else {
                s - func(x * 0.5)
            }
        }
        fn step(&mut self, x: f64, f: &dyn Fn(f64) -> f64) -> bool {
            self.tol += f(x);
            self.bump(f)
        }
        fn bump(&mut self, f: &dyn Fn(f64) -> f64) -> bool {
            self.tol *= f(self.tol);
            self.tol > 0.1
        }
    }

    impl U {
        fn good(&self, x: f64, f: impl Fn(f64) -> f64) -> bool {
            f(x) > 0.2
        }
        fn run(&self, x: f64, f: impl Fn(f64) -> f64) -> f64 {
            if self.good(x, &f) { f(x) } else { x }
        }
    }

    pub fn given_on(x: &[f64]) -> f64 {
        let t = T {
            tol: x[0] * 0.5,
            n: 2,
        };
        let a = x[1];
        let f = |v: f64| a * v.sin();
        let mut w = T { tol: x[1], n: 1 };
        let up = w.step(x[0], &f);
        t.make(&f, x[0]) + U.run(x[0], |v| v * a) + if up { w.tol } else { 0.0 }
    }

    #[derive(Debug)]
    pub enum E {
        Bad(String),
        Far { what: String, k: usize },
    }

    #[derive(Clone, Copy)]
    pub struct Flow {
        t: f64,
        a: f64,
    }

    pub struct Book {
        flows: Vec<Flow>,
        top: Flow,
        rate: f64,
    }

    impl Flow {
        fn worth(&self, r: f64) -> Result<f64, E> {
            if self.t < 0.0 {
                return Err(E::Bad(format!("t={} at {r:.2}", self.t)));
            }
            Ok(self.a * (-r * self.t).exp())
        }
    }

    impl Book {
        fn check(&self) -> Result<(), E> {
            for (k, f) in self.flows.iter().enumerate() {
                if f.a > 50.0 {
                    return Err(E::Far {
                        what: format!("{:.3} of {}", f.a * 2.0, self.top.t),
                        k,
                    });
                }
            }
            Ok(())
        }
        fn value(&self) -> Result<f64, E> {
            self.check()?;
            let mut s = self.top.worth(self.rate)?;
            for f in &self.flows {
                s += f.worth(self.rate)?;
            }
            Ok(s)
        }
    }

    fn by_value(f: Flow) -> Result<f64, E> {
        if f.t > 90.0 {
            Err(E::Bad(format!("{:?}", f.t)))
        } else {
            Ok(f.t * f.a)
        }
    }

    pub fn texts(x: &[f64]) -> f64 {
        let flows = vec![Flow { t: x[0], a: x[1] }, Flow { t: 0.1, a: x[0] }];
        let b = Book {
            flows,
            top: Flow { t: x[1], a: 2.0 },
            rate: x[0] * 0.1,
        };
        let bad = match (Flow { t: -2.5, a: x[1] }).worth(x[1]) {
            Ok(v) => v,
            Err(E::Bad(text)) => text.len() as f64,
            Err(_) => 0.0,
        };
        b.value().unwrap() * bad + by_value(b.flows[0]).unwrap_or(0.0)
    }
}

#[test]
fn a_method_gives_a_function_on() {
    scalar!(given_on).row(981).check(&POINTS);
}

#[test]
fn errors_tell_numbers_of_structs() {
    scalar!(texts).row(982).takes_memory().check(&POINTS);
}

#[test]
fn variables_have_names_of_functions() {
    scalar!(named_as_given).row(983).check(&POINTS);
    scalar!(named_as_itself).row(983).check(&POINTS);
}

#[test]
fn operators_name_aliases_of_floats() {
    scalar!(aliased).row(984).check(&POINTS);
}

#[test]
fn functions_have_capitals() {
    scalar!(capitals).row(985).check(&POINTS);
}
