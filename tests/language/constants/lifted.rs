//! Constants of derived structs that a callee differentiates: arguments, sides of operators, and receivers.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[differentiable]
pub(crate) mod model {
    use std::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) enum Side {
        Call,
        Put,
    }

    /// Not all of it is differentiated, and a tape cannot hold it.
    #[derive(Clone, Debug)]
    pub(crate) struct Contract {
        pub strike: f64,
        pub side: Side,
        pub steps: Vec<f64>,
    }

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct V {
        pub x: f64,
        pub y: f64,
    }

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Tissue {
        pub rate: f64,
        pub at: [f64; 2],
        pub v: V,
    }

    impl Add for V {
        type Output = V;
        fn add(self, o: V) -> V {
            V {
                x: self.x + o.x,
                y: self.y + o.y,
            }
        }
    }
    impl Sub for V {
        type Output = V;
        fn sub(self, o: V) -> V {
            V {
                x: self.x - o.x,
                y: self.y - o.y,
            }
        }
    }
    impl Mul<f64> for V {
        type Output = V;
        fn mul(self, k: f64) -> V {
            V {
                x: self.x * k,
                y: self.y * k,
            }
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
    impl V {
        fn turned(self) -> V {
            V {
                x: -self.y,
                y: self.x,
            }
        }
        fn dot(&self, o: &V) -> f64 {
            self.x * o.x + self.y * o.y
        }
        fn along(self, k: f64) -> f64 {
            self.x * k + self.y * k * k
        }
    }
    impl Contract {
        pub(crate) fn payoff(&self, s: f64) -> f64 {
            let sign = match self.side {
                Side::Call => 1.0,
                Side::Put => -1.0,
            };
            let sum: f64 = self.steps.iter().map(|k| (s * k).sin()).sum();
            sign * (s - self.strike) * s + sum
        }
    }

    // functions that others could call differentiate all that they take
    pub(crate) fn signal(x: &[f64], t: &Tissue) -> f64 {
        (-t.rate * x[0]).exp() * (x[1] + t.at[1] * x[2]) + t.v.dot(&t.v) * x[0]
    }
    pub(crate) fn by_value(x: f64, t: Tissue) -> f64 {
        (x * t.rate).sin() + t.at[0]
    }
    pub(crate) fn all(x: &[f64], list: &[Tissue]) -> f64 {
        list.iter()
            .enumerate()
            .map(|(i, t)| signal(x, t) * (i + 1) as f64)
            .sum()
    }

    pub(crate) fn arguments(
        x: &[f64],
        #[constant] tissues: [Tissue; 2],
        #[constant] one: &Tissue,
    ) -> f64 {
        let mut sum = signal(x, &tissues[0]) * signal(x, one);
        for t in &tissues {
            sum += signal(x, t) + by_value(x[1], *t);
        }
        sum + by_value(x[0], *one)
    }
    pub(crate) fn sequences(
        x: &[f64],
        #[constant] list: &[Tissue],
        #[constant] owned: &Vec<Tissue>,
    ) -> f64 {
        let each: f64 = list.iter().map(|t| signal(x, t)).sum();
        all(x, list) + all(x, owned) + all(&x[..], &list[1..]) + each
    }
    pub(crate) fn operators(x: &[f64], #[constant] target: V, #[constant] other: &V) -> f64 {
        let v = V {
            x: x[0] * x[1],
            y: x[2],
        };
        let miss = v - target;
        let sum = *other + v;
        let turned = v - target.turned();
        let far = v + (target - *other);
        let scaled = target * x[1] + -target;
        miss.dot(&sum) + turned.dot(&far) * scaled.dot(&v) + v.dot(other)
    }
    pub(crate) fn receivers(
        x: &[f64],
        #[constant] c: &Contract,
        #[constant] all: &[Contract],
        #[constant] v: V,
    ) -> f64 {
        let s = x[0] * x[1];
        let sum: f64 = all.iter().map(|c| c.payoff(s + x[2])).sum();
        let list: Vec<f64> = (0..3).map(|k| c.payoff(x[k] + s)).collect();
        c.payoff(s) + sum + list[0] * list[2] + v.along(x[2])
    }
}

fn tissue(k: f64) -> model::Tissue {
    model::Tissue {
        rate: 0.3 * k,
        at: [0.2, k],
        v: model::V { x: k, y: 0.5 },
    }
}

fn contract(strike: f64, side: model::Side) -> model::Contract {
    model::Contract {
        strike,
        side,
        steps: vec![0.3, strike],
    }
}

#[test]
fn arguments_by_reference_and_by_value() {
    use model::arguments;
    let one = tissue(0.8);
    scalar!(
        arguments::AD.with([tissue(1.2), tissue(0.4)], &one),
        |x: &[f64]| arguments(x, [tissue(1.2), tissue(0.4)], &one)
    )
    .row(178)
    .check(&POINTS);
}

#[test]
fn slices_and_vectors_of_structs() {
    use model::sequences;
    let list = vec![tissue(1.2), tissue(0.4), tissue(0.9)];
    scalar!(sequences::AD.with(&list[..], &list), |x: &[f64]| sequences(
        x,
        &list[..],
        &list
    ))
    .row(178)
    .takes_memory()
    .check(&POINTS);
}

#[test]
fn sides_of_operators() {
    use model::operators;
    let v = |x, y| model::V { x, y };
    scalar!(
        operators::AD.with(v(0.3, 0.8), &v(-0.4, 0.6)),
        |x: &[f64]| operators(x, v(0.3, 0.8), &v(-0.4, 0.6))
    )
    .row(178)
    .check(&POINTS);
}

#[test]
fn receivers_of_methods() {
    use model::receivers;
    let (c, v) = (contract(0.7, model::Side::Put), model::V { x: 0.3, y: 0.8 });
    let all = [
        contract(1.3, model::Side::Call),
        contract(0.2, model::Side::Put),
    ];
    scalar!(receivers::AD.with(&c, &all, v), |x: &[f64]| receivers(
        x, &c, &all, v
    ))
    .row(178)
    .takes_memory()
    .check(&POINTS);
}

/// Constants in the fields of what is differentiated go on as they are.
#[differentiable]
pub(crate) mod net {
    #[derive(Clone)]
    pub(crate) struct Member {
        pub a: usize,
        pub b: usize,
    }
    #[derive(Clone, Copy)]
    pub(crate) enum Kind {
        Soft,
        Hard,
    }
    #[derive(Clone)]
    pub(crate) struct Net {
        pub k: Vec<f64>,
        pub members: Vec<Member>,
        pub kind: Kind,
        pub kinds: [Kind; 2],
    }
    fn by_value(kind: Kind, x: f64) -> f64 {
        match kind {
            Kind::Soft => x * 0.5,
            Kind::Hard => x * x,
        }
    }
    fn by_reference(kind: &Kind, x: f64) -> f64 {
        match kind {
            Kind::Soft => x.sin(),
            Kind::Hard => x * x,
        }
    }
    fn stretch(x: &[f64], m: &Member) -> f64 {
        x[m.a] * x[m.a] - x[m.b]
    }
    impl Net {
        fn energy(&self, x: &[f64]) -> f64 {
            let mut e = 0.0;
            for (m, k) in self.members.iter().zip(&self.k) {
                e += k * by_value(self.kind, stretch(x, m)) + by_reference(&self.kind, k * 0.5);
            }
            for m in &self.members {
                e += stretch(x, m).sin();
            }
            e + by_reference(&self.kinds[1], x[0]) + by_value(self.kinds[0], x[1])
        }
    }
    pub(crate) fn energy(net: &Net, x: &[f64]) -> f64 {
        net.energy(x)
    }
}

#[differentiable]
fn of_net(x: &[f64], #[constant] net: &net::Net) -> f64 {
    net::energy(net, x)
}

#[test]
fn constants_in_fields() {
    let member = |a, b| net::Member { a, b };
    let net = net::Net {
        k: vec![0.7, 1.3],
        members: vec![member(0, 1), member(2, 0)],
        kind: net::Kind::Hard,
        kinds: [net::Kind::Hard, net::Kind::Soft],
    };
    scalar!(of_net::AD.with(&net), |x: &[f64]| of_net(x, &net))
        .row(179)
        .takes_memory()
        .check(&POINTS);
    let _row = di_test::rows::row(179);
    let (backend, x) = (AutoSource::new(), [0.7, 1.1, 0.4]);
    let (g, _) = gradient(
        net::energy::AD,
        NoPrep,
        &backend,
        &(net.clone(), x.to_vec()),
    )
    .expect("a gradient");
    // d/dk of k (stretch)^2 + (k / 2)^2
    let stretch = |a: usize, b: usize| x[a] * x[a] - x[b];
    let expected = [stretch(0, 1).powi(2) + 0.35, stretch(2, 0).powi(2) + 0.65];
    di_test::compare::assert_close("k", &g.k, &expected, di_test::compare::ROUNDING);
}
