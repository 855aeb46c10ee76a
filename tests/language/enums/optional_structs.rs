//! Options of structs and of lists of numbers: in fields, as parameters, in lists. Integers without a suffix that take
//! the type of a parameter.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.4, 1.3, 0.7], &[1.7, 0.6, 1.1]];

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Spring {
    k: f64,
    l: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Joint {
    spring: Option<Spring>,
    weights: Option<Vec<f64>>,
    offset: Option<[f64; 2]>,
    mass: f64,
}

#[differentiable]
impl Spring {
    fn force(&self, u: f64) -> f64 {
        self.k * (u - self.l)
    }
}

#[differentiable]
impl Joint {
    fn new(mass: f64) -> Joint {
        Joint {
            spring: None,
            weights: None,
            offset: None,
            mass,
        }
    }

    fn with_spring(mut self, k: f64) -> Joint {
        self.spring = Some(Spring { k, l: 0.5 * k });
        self
    }

    fn cost(&self, u: f64) -> f64 {
        let mut sum = match &self.spring {
            Some(spring) => spring.force(u),
            None => u * u,
        };
        if let Some(weights) = &self.weights {
            for w in weights {
                sum += w * w * u;
            }
        }
        if let Some([a, b]) = self.offset {
            sum *= a + b * b;
        }
        sum * self.mass
    }
}

#[differentiable]
fn of_joint(joint: &Joint, u: f64) -> f64 {
    joint.cost(u)
}

#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let mut joint = Joint::new(x[0]);
    let first = joint.cost(x[1]);
    joint.weights = Some(x.iter().map(|v| v * v).collect());
    joint.offset = Some([x[2], 0.3]);
    let second = joint.cost(x[1]);
    let mut joint = joint.with_spring(x[2]);
    if let Some(spring) = &mut joint.spring {
        spring.l *= x[1];
    }
    if let Some(weights) = joint.weights.as_mut() {
        weights[0] *= x[2];
    }
    let third = joint.cost(x[0]);
    joint.spring = None;
    let left = joint.spring.map_or(x[1], |spring| spring.k);
    first * second + third * left + joint.cost(x[2])
}

#[differentiable]
fn fallen(spring: Option<Spring>, depth: usize, u: f64) -> f64 {
    if depth == 0 {
        return spring.map_or(u, |spring| spring.force(u));
    }
    fallen(spring, depth - 1, 0.5 * u) + u
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let mut last: Option<Spring> = None;
    let mut sum = fallen(Some(Spring { k: x[0], l: x[1] }), 2, x[2]);
    for i in 0..4 {
        let now = Spring {
            k: x[i % 3],
            l: 0.1 * i as f64,
        };
        if let Some(last) = last {
            sum += last.k * now.k;
        }
        sum += fallen(last, 1, now.k);
        last = if i == 1 { None } else { Some(now) };
    }
    sum
}

#[differentiable]
mod frame {
    #[derive(Clone, Copy)]
    pub(super) struct Bar {
        area: f64,
        length: f64,
    }

    #[derive(Clone, Copy)]
    pub(super) enum Support {
        Free,
        Held(Option<Bar>),
    }

    fn stiffness(bar: &Option<Bar>) -> f64 {
        if let Some(bar) = bar {
            bar.area / bar.length
        } else {
            0.2
        }
    }

    fn beside(bar: &Bar, next: Option<&Bar>) -> f64 {
        bar.area + next.map_or(0.0, |next| next.area * next.length)
    }

    fn total(bars: &[Option<Bar>], loads: &[(usize, Bar)]) -> f64 {
        let held: f64 = bars.iter().map(stiffness).sum();
        let loaded: f64 = loads
            .iter()
            .map(|(n, bar)| *n as f64 * bar.area * bar.length)
            .sum();
        held * loaded + bars.iter().flatten().map(|bar| bar.length).sum::<f64>()
    }

    fn weighted(x: &[f64], weights: Option<&[f64]>) -> f64 {
        match weights {
            Some(weights) => x.iter().zip(weights).map(|(x, w)| x * x * w).sum(),
            None => x[0],
        }
    }

    fn support(s: &Support, u: f64) -> f64 {
        match s {
            Support::Free => 0.0,
            Support::Held(Some(bar)) => bar.area * u,
            Support::Held(None) => u * u,
        }
    }

    pub(super) fn of_helpers(x: &[f64]) -> f64 {
        let a = Bar {
            area: x[0],
            length: x[1],
        };
        let b = Bar {
            area: x[1] * x[2],
            ..a
        };
        let mut bars = vec![None; 4];
        for i in 0..3 {
            if i != 1 {
                bars[i] = Some(Bar { area: x[i], ..b });
            }
        }
        let loads = [(1, a), (3, b)];
        beside(&a, Some(&b)) * beside(&b, None)
            + total(&bars, &loads)
            + total(&bars[1..], &loads[..1])
            + weighted(x, None) * weighted(x, Some(&[1.0, x[2], 0.5]))
    }

    pub(super) fn of_enums(x: &[f64]) -> f64 {
        let bar = Bar {
            area: x[0],
            length: 1.0,
        };
        let all = [Support::Free, Support::Held(Some(bar)), Support::Held(None)];
        all.iter().map(|s| support(s, x[1])).sum::<f64>() * x[2]
    }
}
use frame::{of_enums, of_helpers};

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Square,
    Plain,
}

#[differentiable]
fn of_kind(kind: Option<Kind>, part: Option<usize>, n: &Option<u8>, x: &[f64]) -> f64 {
    let v = part.map_or(x[0] * x[1], |k| x[k]);
    let v = match kind {
        Some(Kind::Square) => v * v,
        Some(Kind::Plain) => v,
        None => 0.5 * v,
    };
    n.map_or(v, |n| f64::from(n) * v)
}

#[differentiable]
fn constants(x: &[f64]) -> f64 {
    let mut kind = Kind::Plain;
    let mut sum = of_kind(Some(Kind::Square), None, &Some(3), x);
    for i in 0..3 {
        sum += of_kind(Some(kind), Some(i), &None, x) * of_kind(None, None, &None, x);
        kind = if i == 0 { Kind::Square } else { Kind::Plain };
    }
    sum
}

#[differentiable]
fn weighed(x: &[f64], counts: &[u32]) -> f64 {
    x.iter()
        .zip(counts)
        .map(|(x, n)| x * x * f64::from(*n))
        .sum()
}

#[differentiable]
fn power(x: f64, k: u8) -> f64 {
    x.powi(i32::from(k))
}

#[differentiable]
fn integers(x: &[f64]) -> f64 {
    let listed = vec![1, 2, 5];
    let mut grown = Vec::new();
    for k in 0..3 {
        grown.push(k + 1);
    }
    let made: Vec<_> = (0..3).map(|i| 2 * i + 1).collect();
    let pairs = [(1, 2.0), (3, 0.5)];
    let mut sum = weighed(x, &listed) * weighed(x, &grown) + weighed(x, &made);
    sum += weighed(x, &[4, 5, 6]) * f64::from(listed[1]);
    for &(k, c) in &pairs {
        sum += c * power(x[1], k);
    }
    sum + [1, 2, 3].iter().map(|&k| power(x[2], k)).sum::<f64>()
}

#[test]
fn fields_that_are_options() {
    scalar!(fields).row(860).takes_memory().check(&POINTS);
    scalar!(of_enums).row(860).check(&POINTS);
    let spring = Some(Spring { k: 2.0, l: 0.5 });
    let joint = Joint {
        spring,
        weights: Some(vec![0.5]),
        ..Joint::new(1.5)
    };
    for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
        let found = gradient(of_joint::AD, NoPrep, &backend, &(&joint, 3.0));
        let (of, u) = found.expect("a gradient");
        // (k (u - l) + w^2 u) m
        assert_eq!(of.spring, Some(Spring { k: 3.75, l: -3.0 }));
        assert_eq!(of.weights, Some(vec![4.5]));
        assert_eq!((of.offset, of.mass, u), (None, 5.75, 3.375));
    }
}

#[test]
fn parameters_that_are_options() {
    scalar!(walked).row(861).check(&POINTS);
    scalar!(of_helpers).row(861).check(&POINTS);
    let spring = Spring { k: 2.0, l: 0.5 };
    let f = fallen::AD.with(true, 0);
    let found = gradient(f, NoPrep, &AutoSource::new(), &(spring, 3.0));
    let (of, u) = found.expect("a gradient");
    assert_eq!((of, u), (Spring { k: 2.5, l: -2.0 }, 2.0));
}

#[test]
fn constant_options_as_they_are_written() {
    scalar!(constants).row(862).check(&POINTS);
}

#[test]
fn integers_of_the_types_of_parameters() {
    scalar!(integers).row(863).check(&POINTS);
}
