//! Empty arguments, functions that need no memory, structs, and single precision.

use di::{Differentiable, differentiable};
use di_runtime::operators::{Derivative, Gradient, Jacobian, Pullback, Pushforward};

use super::classes::{ArrayValued, Binding, InPlace, NumberValued, Problem};
use crate::scenario::{Scale, Scenario};
use crate::subject::{Returns, returns, writes};

type Vector = Vec<f64>;

/// As many copies of `x` as there is room for.
#[differentiable]
pub fn copies(x: f64, y: &mut [f64]) {
    for y in y.iter_mut() {
        *y = x;
    }
}

/// No numbers at all.
#[differentiable]
pub fn no_numbers(x: f64) -> Vec<f64> {
    let mut y = vec![0.0; 0];
    if x > 1e300 {
        y.push(x);
    }
    y
}

/// The sum.
#[differentiable]
pub fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

/// The number itself.
#[differentiable]
pub fn identity(x: f64) -> f64 {
    x
}

/// A copy.
#[differentiable]
pub fn copy(x: &[f64]) -> Vec<f64> {
    x.to_vec()
}

/// A copy.
#[differentiable]
pub fn copy_into(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(x);
}

/// What is prepared, called and compared where there is nothing: 5 scenarios.
pub type EmptyScenarios = (
    Vec<Scenario<Derivative, Returns<no_numbers>, f64, Vector>>,
    Vec<Scenario<Derivative, InPlace<copies, Vector>, f64, Vector>>,
    Vec<Scenario<Gradient, Returns<sum>, Vector, f64>>,
    Vec<Scenario<Jacobian, Returns<copy>, Vector, Vector>>,
    Vec<Scenario<Jacobian, InPlace<copy_into, Vector>, Vector, Vector>>,
);

/// Derivative, gradient and Jacobian on vectors without entries, of functions that return and that write: 5.
pub fn empty_scenarios() -> EmptyScenarios {
    let none = Vector::new;
    let copies = writes((|y| copies::AD.output(y)) as Binding<copies, Vector>);
    let copy_into = writes((|y| copy_into::AD.output(y)) as Binding<copy_into, Vector>);
    (
        vec![Scenario::derivative(
            "no numbers",
            returns(no_numbers::AD),
            0.5,
            none(),
            &[],
        )],
        vec![Scenario::derivative("copies", copies, 0.5, none(), &[])],
        vec![Scenario::gradient(
            "sum",
            returns(sum::AD),
            none(),
            0.0,
            &[],
        )],
        vec![Scenario::jacobian(
            "copy",
            returns(copy::AD),
            none(),
            none(),
            &[],
        )],
        vec![Scenario::jacobian("copy", copy_into, none(), none(), &[])],
    )
}

/// Scenarios whose prepared calls can do without memory: 9.
pub type AllocationFreeScenarios = (
    Vec<Scenario<Pushforward, Returns<identity>, f64, f64, f64>>,
    Vec<Scenario<Pullback, Returns<identity>, f64, f64, f64>>,
    Vec<Scenario<Derivative, Returns<identity>, f64, f64>>,
    Vec<Scenario<Pushforward, Returns<sum>, Vector, f64, Vector>>,
    Vec<Scenario<Pullback, Returns<sum>, Vector, f64, f64>>,
    Vec<Scenario<Gradient, Returns<sum>, Vector, f64>>,
    Vec<Scenario<Pushforward, InPlace<copy_into, Vector>, Vector, Vector, Vector>>,
    Vec<Scenario<Pullback, InPlace<copy_into, Vector>, Vector, Vector, Vector>>,
    Vec<Scenario<Jacobian, InPlace<copy_into, Vector>, Vector, Vector>>,
);

/// First order of the identity, the sum of six and a copy of six, into buffers: 9.
pub fn allocation_free_scenarios() -> AllocationFreeScenarios {
    let (number, plus) = (|| returns(identity::AD), || returns(sum::AD));
    let write = || writes((|y| copy_into::AD.output(y)) as Binding<copy_into, Vector>);
    let x: Vector = (1..=6).map(f64::from).collect();
    let dx = x.clone().negate();
    let unit: Vector = (0..36).map(|k| f64::from(u8::from(k % 7 == 0))).collect();
    let copied = || ("copy", write(), x.clone(), x.clone());
    let (name, f, at, y) = copied();
    let jacobian = Scenario::jacobian(name, f, at, y, &unit);
    let (name, f, at, y) = copied();
    let pushforward = Scenario::pushforward(name, f, at, y, dx.clone(), &dx);
    let (name, f, at, y) = copied();
    let pullback = Scenario::pullback(name, f, at, y, dx.clone(), &dx);
    (
        vec![Scenario::pushforward("identity", number(), 0.42, 0.42, 3.0, &[3.0]).into_buffer()],
        vec![Scenario::pullback("identity", number(), 0.42, 0.42, 3.0, &[3.0]).into_buffer()],
        vec![Scenario::derivative("identity", number(), 0.42, 0.42, &[1.0]).into_buffer()],
        vec![
            Scenario::pushforward("sum", plus(), x.clone(), 21.0, dx.clone(), &[-21.0])
                .into_buffer(),
        ],
        vec![Scenario::pullback("sum", plus(), x.clone(), 21.0, 2.0, &[2.0; 6]).into_buffer()],
        vec![Scenario::gradient("sum", plus(), x.clone(), 21.0, &[1.0; 6]).into_buffer()],
        vec![pushforward.into_buffer()],
        vec![pullback.into_buffer()],
        vec![jacobian.into_buffer()],
    )
}

/// Two vectors that belong together.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Parts {
    /// Their sines count.
    pub a: Vec<f64>,
    /// Their cosines count.
    pub b: Vec<f64>,
}

impl Scale for Parts {
    fn scale(self, factor: f64) -> Self {
        Parts {
            a: self.a.scale(factor),
            b: self.b.scale(factor),
        }
    }
}

/// Sum of all sines of `a` and all cosines of `b`.
#[differentiable]
pub fn parts_to_num(x: &Parts) -> f64 {
    let mut total = 0.0;
    for a in x.a.iter() {
        total += a.sin();
    }
    for b in x.b.iter() {
        total += b.cos();
    }
    total
}

/// Everything that a function of a struct has.
pub type StructScenarios = NumberValued<Returns<parts_to_num>, Parts>;

/// Sum of the sines of one field and the cosines of another; the results are structs.
pub fn struct_scenarios() -> StructScenarios {
    let (a, b) = ([0.1, -0.7], [1.2, 0.4, -2.0]);
    let sum: f64 = a.map(f64::sin).iter().sum::<f64>() + b.map(f64::cos).iter().sum::<f64>();
    let gradient: Vector = a
        .map(f64::cos)
        .into_iter()
        .chain(b.map(|b| -b.sin()))
        .collect();
    let second: Vector = a
        .map(|a| -a.sin())
        .into_iter()
        .chain(b.map(|b| -b.cos()))
        .collect();
    let mut hessian = vec![0.0; 25];
    for (i, entry) in second.iter().enumerate() {
        hessian[6 * i] = *entry;
    }
    let parts = |a: &[f64], b: &[f64]| Parts {
        a: a.to_vec(),
        b: b.to_vec(),
    };
    let problem = Problem {
        name: "struct_to_num",
        f: returns(parts_to_num::AD),
        x: parts(&a, &b),
        y: sum,
        dx: parts(&[1.0, -2.0], &[3.0, 0.5, -1.0]),
        dy: -0.5,
        smaller: Some((parts(&[0.3], &[0.2, 0.1]), 0.0)),
    };
    problem.number_valued(&gradient, &hessian)
}

/// All products of two entries, in single precision.
#[differentiable]
pub fn single_to_single(x: &[f32], y: &mut [f32]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..n {
            y[n * i + j] = x[i] * x[j].sin();
        }
    }
}

/// Everything that a function of several numbers in single precision has.
pub type SingleScenarios = ArrayValued<InPlace<single_to_single, Vec<f32>>, Vec<f32>, Vec<f32>>;

/// All `x_i sin x_j`, in single precision.
pub fn single_precision_scenarios() -> SingleScenarios {
    let x = [0.5_f32, -1.5, 2.0];
    let mut value = Vec::new();
    let mut jacobian = Vec::new();
    for (i, a) in x.iter().enumerate() {
        for (j, b) in x.iter().enumerate() {
            value.push(a * b.sin());
            let (a, b) = (f64::from(*a), f64::from(*b));
            let mut row = [0.0; 3];
            row[i] += b.sin();
            row[j] += a * b.cos();
            jacobian.extend(row);
        }
    }
    let bind: Binding<single_to_single, Vec<f32>> = |y| single_to_single::AD.output(y);
    let problem = Problem {
        name: "single_to_single",
        f: writes(bind),
        x: x.to_vec(),
        y: value,
        dx: vec![1.0, -2.0, 0.5],
        dy: (0..9).map(|k| k as f32 - 4.0).collect(),
        smaller: Some((vec![0.25, 0.5], vec![0.0; 4])),
    };
    problem.several(&jacobian)
}
