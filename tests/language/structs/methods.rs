//! Methods of derived structs, functions that belong to them, and operators.

#![allow(dead_code, reason = "methods as users write them")]

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;
use std::ops::{Add, Mul};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.9], &[-1.2, 0.4, 0.9, -0.3]];

#[derive(Clone, Copy, Debug, Differentiable)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}
#[differentiable]
impl V3 {
    const ONE: f64 = 1.0;
    pub fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    fn dot(&self, o: &Self) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    fn norm(self) -> f64 {
        self.dot(&self).sqrt() * Self::ONE
    }
    pub fn scale(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
        self.z *= k * self.x;
    }
    fn cross(self, b: Self) -> Self {
        let a = self;
        V3::new(
            a.y * b.z - a.z * b.y,
            a.z * b.x - a.x * b.z,
            a.x * b.y - a.y * b.x,
        )
    }
    fn normalize(&mut self) -> f64 {
        let n = self.norm();
        self.scale(1.0 / n);
        assert!(self.x.is_finite());
        n
    }
    fn fact(&self, n: usize) -> f64 {
        if n == 0 {
            self.x
        } else {
            self.y * self.fact(n - 1)
        }
    }
    #[ad(skip)]
    fn name(&self) -> String {
        format!("{:?}", self)
    }
    fn sum(&self) -> f64 {
        self.x + self.y + self.z
    }
    fn weigh(&self, x: &[f64], #[constant] k: f64) -> f64 {
        self.x * x[0] * k + self.y * x[1] * x[1]
    }
}
#[derive(Clone, Copy, Debug, Differentiable)]
struct Body {
    pos: V3,
    vel: V3,
    mass: f64,
}
#[differentiable]
impl Body {
    fn kinetic(&self) -> f64 {
        0.5 * self.mass * self.vel.dot(&self.vel)
    }
    fn step(&mut self, dt: f64, f: &V3) {
        self.vel.x += dt * f.x / self.mass;
        self.vel.y += dt * f.y / self.mass;
        self.pos.scale(1.0 + dt * self.vel.norm());
    }
    fn far(&self) -> V3 {
        let p = self.pos;
        let v: V3 = self.vel;
        p.cross(v)
    }
}
trait Energy {
    fn energy(&self) -> f64;
}
#[differentiable]
impl Energy for Body {
    fn energy(&self) -> f64 {
        self.kinetic() + self.pos.norm()
    }
}

#[differentiable]
fn one(x: &[f64]) -> f64 {
    let a = V3::new(x[0], x[1], x[2]);
    let mut b = V3::new(x[3], 1.0, x[0] * x[1]);
    b.scale(x[2]);
    let n = b.normalize();
    let c = a.cross(b);
    n * c.norm() + a.dot(&c) + V3::dot(&a, &b) + c.fact(3) + b.sum() + a.cross(c).norm()
}
#[differentiable]
fn two(x: &[f64]) -> f64 {
    let mut bodies = vec![
        Body {
            pos: V3::new(x[0], x[1], 1.0),
            vel: V3::new(x[2], 0.5, x[3]),
            mass: 2.0 + x[0] * x[0]
        };
        3
    ];
    let mut e = 0.0;
    for i in 0..3 {
        let f = V3::new(x[i], bodies[(i + 1) % 3].kinetic(), 0.3);
        bodies[i].step(0.1, &f);
        e += bodies[i].energy();
        for b in &mut bodies {
            b.step(0.05 * e, &f);
        }
        for b in &bodies {
            e += b.far().norm() * b.kinetic();
        }
    }
    e + bodies[1].pos.norm()
}
pub mod model {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Inner {
        a: f64,
    }
    #[differentiable]
    impl Inner {
        fn f(&self, x: f64) -> f64 {
            self.a * x
        }
    }
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Outer {
        i: Inner,
        pub b: f64,
        rows: [Inner; 2],
    }
    #[differentiable]
    impl Outer {
        pub fn new(a: f64, b: f64) -> Outer {
            Outer {
                i: Inner { a },
                b,
                rows: [Inner { a }, Inner { a: b }],
            }
        }
        pub fn eval(&self, x: f64) -> f64 {
            self.i.f(x) * self.b + self.hidden(x) + self.rows[1].f(x)
        }
        fn hidden(&self, x: f64) -> f64 {
            self.b * x * x
        }
        pub(crate) fn cr(&self, x: &[f64]) -> f64 {
            self.eval(x[0]) + x[1]
        }
    }
}
#[differentiable]
fn use_it(x: &[f64]) -> f64 {
    let m = model::Outer::new(x[0], x[1]);
    m.eval(x[2]) * model::Outer::eval(&m, x[3]) + m.cr(x)
}
#[derive(Clone, Copy, Debug, Differentiable)]
struct V2 {
    x: f64,
    y: f64,
}
#[differentiable]
impl std::ops::Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2 {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}
#[differentiable]
impl std::ops::Mul<f64> for V2 {
    type Output = V2;
    fn mul(self, k: f64) -> V2 {
        V2 {
            x: self.x * k,
            y: self.y * k,
        }
    }
}
#[differentiable]
impl std::ops::Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        V2 {
            x: -self.x,
            y: -self.y,
        }
    }
}
#[differentiable]
impl std::ops::AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        self.x += o.x;
        self.y += o.y;
    }
}
#[differentiable]
fn by_name(x: &[f64]) -> f64 {
    let a = V2 { x: x[0], y: x[1] };
    let b = a.add(V2 { x: x[2], y: 1.0 }).mul(x[3]);
    let mut c = (a + b) * x[1] + -a;
    c += a * 2.0;
    for _ in 0..2 {
        c += b * c.x;
    }
    b.x * b.y + c.x * c.y
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Charge {
    x: f64,
    q: f64,
}

#[differentiable]
impl Charge {
    fn pull(&self, o: &Charge) -> f64 {
        self.q * o.q * (self.x - o.x).cos()
    }
    fn push(&mut self, o: &Charge) {
        self.x += o.x * o.q;
    }
}

#[differentiable]
fn pairs_with_themselves(x: &[f64]) -> f64 {
    let mut v = vec![
        Charge { x: x[0], q: x[1] },
        Charge { x: x[2], q: 1.0 },
        Charge { x: x[3], q: x[0] },
    ];
    let mut e = 0.0;
    for k in 0..2 {
        for i in 0..v.len() {
            for j in 0..v.len() {
                e += v[i].pull(&v[j]);
            }
        }
        let (a, b) = v.split_at_mut(1);
        a[0].push(&b[k]);
        b[1].push(&a[0]);
        let o = v[2];
        v[1].push(&o);
        v[0].q *= e;
    }
    e + v[0].x
}

#[test]
fn methods_by_reference_and_by_value() {
    scalar!(pairs_with_themselves).step(0.02).check(&POINTS);
    scalar!(one).row(119).row(120).step(0.02).check(&POINTS);
    scalar!(two)
        .row(119)
        .row(120)
        .row(121)
        .step(0.02)
        .check(&POINTS);
}

#[test]
fn methods_of_other_modules_and_operators() {
    scalar!(use_it).row(119).check(&POINTS);
    scalar!(by_name).row(121).row(161).check(&POINTS);
}

#[test]
fn handles_of_methods() {
    let _rows = di_test::rows::rows(&[119, 121]);
    let v = V3::new(0.3, 0.4, -0.5);
    let f = V3::weigh_ad.with(2.0).fix_self(&v);
    let g = gradient(f, NoPrep, &AutoSource::new(), &[0.7, 0.2][..]).unwrap();
    assert_close("weigh", &g, &[0.6, 0.16], ROUNDING);
    let g = gradient(V3::sum_ad, NoPrep, &AutoSource::new(), &v).unwrap();
    assert_close("sum", &[g.x, g.y, g.z], &[1.0; 3], ROUNDING);
    let b = Body {
        pos: v,
        vel: v,
        mass: 2.0,
    };
    for (name, g) in [
        (
            "AutoSource",
            gradient(Body::energy_ad, NoPrep, &AutoSource::new(), &b).unwrap(),
        ),
        (
            "AutoDual",
            gradient(Body::energy_ad, NoPrep, &AutoDual::new(), &b).unwrap(),
        ),
    ] {
        // 0.5 m v.v + |r|
        assert_close(name, &[g.mass], &[0.25], ROUNDING);
        assert_close(
            name,
            &[g.vel.x, g.vel.y, g.vel.z],
            &[0.6, 0.8, -1.0],
            ROUNDING,
        );
        let n = 0.5_f64.sqrt();
        assert_close(
            name,
            &[g.pos.x, g.pos.y, g.pos.z],
            &[0.3 / n, 0.4 / n, -0.5 / n],
            ROUNDING,
        );
    }
}

#[derive(Clone, Copy, Differentiable)]
struct B {
    k: f64,
}

trait Rate {
    fn rate(&self, x: f64) -> f64;
    fn change(&mut self, by: f64);
    fn pair(self) -> [f64; 2];
}

#[differentiable]
impl Rate for B {
    fn rate(&self, x: f64) -> f64 {
        self.k * x.sin()
    }

    fn change(&mut self, by: f64) {
        self.k *= by;
    }

    fn pair(self) -> [f64; 2] {
        [self.k, self.k * self.k]
    }
}

#[differentiable]
fn by_trait(x: &[f64]) -> f64 {
    let mut b = B { k: x[0] };
    let v = Rate::rate(&b, x[1]);
    Rate::change(&mut b, x[2]);
    let p = Rate::pair(b);
    let all = [b, B { k: x[1] }];
    let sum = all.iter().map(|b| Rate::rate(b, x[3])).sum::<f64>();
    v * b.k + p[1] + <B as Rate>::pair(b)[0] + sum
}

#[test]
fn methods_are_called_by_the_name_of_their_trait() {
    scalar!(by_trait).row(387).check(&POINTS);
}
