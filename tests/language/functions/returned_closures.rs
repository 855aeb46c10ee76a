//! Methods that return closures, closures in boxes, and lists of them as parameters.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[derive(Clone, Copy, Differentiable)]
struct State {
    angle: f64,
    speed: f64,
}

#[derive(Differentiable)]
struct Pendulum {
    rate: f64,
    damping: Vec<f64>,
}

#[differentiable]
impl Pendulum {
    fn force(&self, bias: f64) -> impl Fn(f64) -> f64 + '_ {
        let scale = bias * bias;
        move |angle| -self.rate * angle.sin() + scale * self.damping[0]
    }

    fn stepped(&self, h: f64) -> impl Fn(State) -> State + '_ {
        let force = self.force(0.1);
        move |s: State| State {
            angle: s.angle + h * s.speed,
            speed: s.speed + h * force(s.angle) - h * self.damping[1] * s.speed,
        }
    }

    fn polynomial(&self, n: usize) -> Box<dyn Fn(f64) -> f64 + '_> {
        Box::new(move |x| {
            let mut sum = 0.0;
            for (k, d) in self.damping.iter().enumerate().take(n) {
                if k % 2 == 0 {
                    sum += d * x.powi(k as i32);
                } else {
                    sum -= d * self.rate;
                }
            }
            sum
        })
    }
}

#[differentiable]
fn pendulum(x: &[f64]) -> Pendulum {
    Pendulum {
        rate: x[0],
        damping: vec![x[1], x[2] * x[0], 0.3],
    }
}

#[differentiable]
fn twice<S>(f: impl Fn(S) -> S, start: S) -> S {
    f(f(start))
}

#[differentiable]
fn swung(x: &[f64]) -> f64 {
    let p = pendulum(x);
    let start = State {
        angle: x[1],
        speed: x[2],
    };
    let end = twice(p.stepped(0.2), start);
    let force = p.force(x[2]);
    let mut sum = end.angle * end.speed + force(x[0]);
    for k in 0..3 {
        let step = p.stepped(x[k] * 0.1);
        let s = step(start);
        if k == 1 {
            sum += p.force(s.angle)(s.speed) * s.angle;
        } else {
            sum *= twice(&force, s.speed);
        }
    }
    sum + x.iter().map(|v| p.force(*v)(x[1])).sum::<f64>()
}

#[test]
fn methods_that_return_closures() {
    scalar!(swung).row(759).takes_memory().check(&POINTS);
}

#[differentiable]
fn power(n: i32) -> Box<dyn Fn(f64) -> f64> {
    if n == 2 {
        Box::new(|v| v * v)
    } else {
        Box::new(move |v| v.powi(n).sin())
    }
}

#[differentiable]
fn iterated(f: Box<dyn Fn(f64) -> f64 + '_>, start: f64, n: usize) -> f64 {
    let mut v = start;
    for _ in 0..n {
        v = f(v);
    }
    v
}

#[differentiable]
fn boxed(x: &[f64]) -> f64 {
    let p = pendulum(x);
    let (square, cube) = (power(2), power(3));
    let mut sum = square(x[0]) * cube(x[1]) + power(4)(x[2]);
    sum += iterated(Box::new(|v| v.cos() * x[1]), x[0], 3);
    sum * iterated(p.polynomial(3), x[2], 2)
}

#[test]
fn closures_in_boxes() {
    scalar!(boxed).row(760).takes_memory().check(&POINTS);
}

#[differentiable]
fn product(laws: &[Box<dyn Fn(f64) -> f64 + '_>], at: f64) -> f64 {
    let mut all = 1.0;
    for (k, law) in laws.iter().enumerate() {
        all *= law(at) + k as f64;
    }
    all * laws[0](all)
}

#[differentiable]
fn composed(laws: &[fn(f64) -> f64], start: f64) -> f64 {
    laws.iter().fold(start, |v, law| law(v))
}

#[differentiable]
fn both(laws: [&dyn Fn(f64) -> f64; 2], at: f64) -> f64 {
    laws[1](laws[0](at)) + laws.iter().map(|law| law(at)).sum::<f64>()
}

#[differentiable]
fn listed(x: &[f64]) -> f64 {
    let p = pendulum(x);
    let laws: Vec<Box<dyn Fn(f64) -> f64 + '_>> = vec![
        Box::new(|v| v * v * x[1]),
        Box::new(f64::sin),
        Box::new(p.force(x[2])),
        p.polynomial(2),
    ];
    let weighted: Vec<(f64, fn(f64) -> f64)> = vec![(0.5, f64::sin), (1.5, f64::exp)];
    let mut sum = product(&laws, x[0]) + composed(&[f64::sin, f64::exp], x[1]);
    for (w, law) in &weighted {
        sum += w * law(x[2]) * laws[2](x[0]);
    }
    sum + both([&p.force(x[1]), &|v| v.tanh() * x[2]], x[0])
}

#[test]
fn lists_of_closures() {
    scalar!(listed).row(761).takes_memory().check(&POINTS);
}

#[differentiable]
mod inside {
    pub struct Law {
        pub k: f64,
        pub n: usize,
    }

    pub enum Kind {
        Linear,
        Scaled(f64),
    }

    impl Law {
        pub fn of(&self, shift: f64) -> impl Fn(f64, f64) -> f64 {
            let (k, n) = (self.k, self.n);
            move |a, b| k * (a - shift).powi(n as i32) + b
        }

        pub fn chained(&self, shift: f64) -> Box<dyn Fn(f64) -> f64 + '_> {
            let law = self.of(shift);
            Box::new(move |a| law(law(a, 0.5), self.k))
        }

        pub fn owned(self) -> impl Fn(f64) -> f64 {
            move |a| a * self.k
        }
    }

    impl Kind {
        pub fn law(&self) -> impl Fn(f64) -> f64 + '_ {
            move |a| match self {
                Kind::Linear => a.sin(),
                Kind::Scaled(k) => a * k,
            }
        }
    }

    pub fn law(x: &[f64]) -> Law {
        Law {
            k: x[0] * x[1],
            n: 2,
        }
    }

    fn all(laws: &[Box<dyn Fn(f64) -> f64 + '_>], at: f64) -> f64 {
        laws.iter().map(|law| law(at)).sum::<f64>() * laws[1](at)
    }

    pub fn applied(x: &[f64]) -> f64 {
        let l = law(x);
        let f = l.of(x[2]);
        let kinds = [Kind::Linear, Kind::Scaled(x[1])];
        let laws: Vec<Box<dyn Fn(f64) -> f64 + '_>> =
            vec![l.chained(0.3), Box::new(move |v: f64| v * v)];
        let mut sum = all(&laws, x[0]) + law(x).owned()(x[2]) + law(x).of(x[0])(x[1], x[2]);
        for k in &kinds {
            sum += k.law()(x[2]) * f(x[0], x[1]);
        }
        sum
    }
}

#[test]
fn closures_of_methods_in_a_module() {
    scalar!(inside::applied::AD, inside::applied)
        .rows(&[759, 761])
        .check(&POINTS);
}
