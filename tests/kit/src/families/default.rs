//! The default scenarios: numbers, vectors and matrices to numbers, vectors and matrices, after
//! `default_scenarios` of DifferentiationInterfaceTest.jl 0.11.

use super::classes::{ArrayValued, Binding, InPlace, NumberValued, OfNumber, Problem};
use super::functions as f;
use crate::subject::{Returns, returns, writes};

type Vector = Vec<f64>;
/// A matrix of three columns.
type Wide = Vec<[f64; 3]>;
/// A matrix of two columns.
type Tall = Vec<[f64; 2]>;

/// Of functions that return.
pub type OutOfPlaceScenarios = (
    OfNumber<Returns<f::num_to_num>, f64>,
    ArrayValued<Returns<f::sines>, Vector, Vector>,
    OfNumber<Returns<f::num_to_vec>, Vector>,
    OfNumber<Returns<f::num_to_mat>, Tall>,
    NumberValued<Returns<f::vec_to_num>, Vector>,
    NumberValued<Returns<f::mat_to_num>, Wide>,
    ArrayValued<Returns<f::vec_to_vec>, Vector, Vector>,
    ArrayValued<Returns<f::vec_to_mat>, Vector, Tall>,
    ArrayValued<Returns<f::mat_to_vec>, Wide, Vector>,
    ArrayValued<Returns<f::mat_to_mat>, Wide, Tall>,
);

/// Of functions that write to their output.
pub type InPlaceScenarios = (
    ArrayValued<InPlace<f::sines_into, Vector>, Vector, Vector>,
    OfNumber<InPlace<f::num_to_vec_into, Vector>, Vector>,
    OfNumber<InPlace<f::num_to_mat_into, Tall>, Tall>,
    ArrayValued<InPlace<f::vec_to_vec_into, Vector>, Vector, Vector>,
    ArrayValued<InPlace<f::vec_to_mat_into, Tall>, Vector, Tall>,
    ArrayValued<InPlace<f::mat_to_vec_into, Vector>, Wide, Vector>,
    ArrayValued<InPlace<f::mat_to_mat_into, Tall>, Wide, Tall>,
);

/// All default scenarios.
pub type DefaultScenarios = (OutOfPlaceScenarios, InPlaceScenarios);

/// 106 scenarios with one tangent or none, and 64 with two; 66 and 40 of functions that return and that write.
///
/// All of them for `f64`; vectors and matrices are prepared at zeros, and once more on less, to be resized.
pub fn default_scenarios() -> DefaultScenarios {
    (out_of_place(), in_place())
}

pub(super) const X: f64 = 0.42;
#[allow(clippy::approx_constant, reason = "a number like any other")]
pub(super) const DX: f64 = 3.14;
pub(super) const DY: f64 = -1.0 / 12.0;

/// From `from`, `count` numbers with this step.
pub(super) fn steps(from: f64, step: f64, count: usize) -> Vector {
    (0..count).map(|i| from + step * i as f64).collect()
}

/// A list as the rows of a matrix.
pub(super) fn rows<const N: usize>(flat: &[f64]) -> Vec<[f64; N]> {
    flat.as_chunks::<N>().0.to_vec()
}

pub(super) fn point() -> (Vector, Vector) {
    (steps(1.0, 1.0, 6), steps(-1.0, -1.0, 6))
}

/// Row by row: sines of all entries over cosines of all entries.
pub(super) fn sines_over_cosines(x: &[f64]) -> (Vector, Vector) {
    let value = x.iter().map(|x| x.sin()).chain(x.iter().map(|x| x.cos()));
    let slopes = x.iter().map(|x| x.cos()).chain(x.iter().map(|x| -x.sin()));
    (
        value.collect(),
        diagonal_rows(slopes, x.len(), |row| row % x.len()),
    )
}

/// Row by row: each entry's sine beside its cosine.
pub(super) fn sines_beside_cosines(x: &[f64]) -> (Vector, Vector) {
    let value = x.iter().flat_map(|x| [x.sin(), x.cos()]);
    let slopes = x.iter().flat_map(|x| [x.cos(), -x.sin()]);
    (
        value.collect(),
        diagonal_rows(slopes, x.len(), |row| row / 2),
    )
}

/// A matrix of `n` columns with one entry in each row.
fn diagonal_rows(
    entries: impl Iterator<Item = f64>,
    n: usize,
    column: impl Fn(usize) -> usize,
) -> Vector {
    let mut matrix = Vec::new();
    for (row, entry) in entries.enumerate() {
        matrix.resize((row + 1) * n, 0.0);
        matrix[row * n + column(row)] = entry;
    }
    matrix
}

/// Value, gradient and Hessian of the sum of all `x_i^4 x_j^6`.
pub(super) fn quartic_sextic(x: &[f64]) -> (f64, Vector, Vector) {
    let (fourth, sixth) = x
        .iter()
        .fold((0.0, 0.0), |(a, b), x| (a + x.powi(4), b + x.powi(6)));
    let gradient = x
        .iter()
        .map(|x| 4.0 * x.powi(3) * sixth + 6.0 * x.powi(5) * fourth);
    let mut hessian = Vec::new();
    for (i, a) in x.iter().enumerate() {
        for (j, b) in x.iter().enumerate() {
            let cross = 24.0 * (a.powi(3) * b.powi(5) + a.powi(5) * b.powi(3));
            let own = 12.0 * a * a * sixth + 30.0 * a.powi(4) * fourth;
            hessian.push(if i == j { cross + own } else { cross });
        }
    }
    (fourth * sixth, gradient.collect(), hessian)
}

fn out_of_place() -> OutOfPlaceScenarios {
    let (x6, dx6) = point();
    let number = Problem {
        name: "num_to_num",
        f: returns(f::num_to_num::AD),
        x: X,
        y: X.sin(),
        dx: DX,
        dy: DY,
        smaller: None,
    };
    let one = Problem {
        name: "onevec_to_onevec",
        f: returns(f::sines::AD),
        x: vec![X],
        y: vec![X.sin()],
        dx: vec![DX],
        dy: vec![DY],
        smaller: None,
    };
    let num_to_vec = Problem {
        name: "num_to_vec",
        f: returns(f::num_to_vec::AD),
        x: X,
        y: vec![X.sin(), (2.0 * X).sin()],
        dx: DX,
        dy: vec![-3.0, 4.0],
        smaller: None,
    };
    let factors = [1.0, 3.0, 2.0, 6.0];
    let of = |g: fn(f64, f64) -> f64| factors.map(|k| g(k, k * X));
    let num_to_mat = Problem {
        name: "num_to_mat",
        f: returns(f::num_to_mat::AD),
        x: X,
        y: rows(&of(|_, t| t.sin())),
        dx: DX,
        dy: rows(&steps(-3.0, 2.0, 4)),
        smaller: None,
    };
    let (y, gradient, hessian) = quartic_sextic(&x6);
    let vec_to_num = Problem {
        name: "vec_to_num",
        f: returns(f::vec_to_num::AD),
        x: x6.clone(),
        y,
        dx: dx6.clone(),
        dy: DY,
        smaller: Some((steps(1.0, 1.0, 3), 0.0)),
    };
    let mat_to_num = Problem {
        name: "mat_to_num",
        f: returns(f::mat_to_num::AD),
        x: rows(&x6),
        y,
        dx: rows(&dx6),
        dy: DY,
        smaller: Some((vec![[1.0; 3]], 0.0)),
    };
    let dy = steps(-11.0, 2.0, 12);
    let (over, over_jacobian) = sines_over_cosines(&x6);
    let (beside, beside_jacobian) = sines_beside_cosines(&x6);
    let vec_to_vec = Problem {
        name: "vec_to_vec",
        f: returns(f::vec_to_vec::AD),
        x: x6.clone(),
        y: over.clone(),
        dx: dx6.clone(),
        dy: dy.clone(),
        smaller: Some((vec![1.0; 3], vec![0.0; 6])),
    };
    let vec_to_mat = Problem {
        name: "vec_to_mat",
        f: returns(f::vec_to_mat::AD),
        x: x6.clone(),
        y: rows(&beside),
        dx: dx6.clone(),
        dy: rows(&dy),
        smaller: Some((vec![1.0; 3], vec![[0.0; 2]; 3])),
    };
    let mat_to_vec = Problem {
        name: "mat_to_vec",
        f: returns(f::mat_to_vec::AD),
        x: rows(&x6),
        y: over,
        dx: rows(&dx6),
        dy: dy.clone(),
        smaller: Some((vec![[1.0; 3]], vec![0.0; 6])),
    };
    let mat_to_mat = Problem {
        name: "mat_to_mat",
        f: returns(f::mat_to_mat::AD),
        x: rows(&x6),
        y: rows(&beside),
        dx: rows(&dx6),
        dy: rows(&dy),
        smaller: Some((vec![[1.0; 3]], vec![[0.0; 2]; 3])),
    };
    (
        number.numbers(X.cos(), -X.sin()),
        one.several(&[X.cos()]),
        num_to_vec.of_number(
            &[X.cos(), 2.0 * (2.0 * X).cos()],
            &[-X.sin(), -4.0 * (2.0 * X).sin()],
        ),
        num_to_mat.of_number(&of(|k, t| k * t.cos()), &of(|k, t| -k * k * t.sin())),
        vec_to_num.number_valued(&gradient, &hessian),
        mat_to_num.number_valued(&gradient, &hessian),
        vec_to_vec.several(&over_jacobian),
        vec_to_mat.several(&beside_jacobian),
        mat_to_vec.several(&over_jacobian),
        mat_to_mat.several(&beside_jacobian),
    )
}

/// A function that writes, as a pointer: the type has a name.
macro_rules! into {
    ($function:ident, $y:ty) => {
        writes((|y| f::$function::AD.output(y)) as Binding<f::$function, $y>)
    };
}

fn in_place() -> InPlaceScenarios {
    let (x6, dx6) = point();
    let one = Problem {
        name: "onevec_to_onevec",
        f: into!(sines_into, Vector),
        x: vec![X],
        y: vec![X.sin()],
        dx: vec![DX],
        dy: vec![DY],
        smaller: None,
    };
    // The factor of the number, row by row: one in the first half, two in the second.
    let halves = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0];
    let of = |g: fn(f64, f64) -> f64| halves.map(|k| g(k, k * X));
    let num_to_vec = Problem {
        name: "num_to_vec",
        f: into!(num_to_vec_into, Vector),
        x: X,
        y: of(|_, t| t.sin()).to_vec(),
        dx: DX,
        dy: steps(-5.0, 2.0, 6),
        smaller: None,
    };
    let slopes = of(|k, t| k * t.cos());
    let factors: Vector = halves.iter().flat_map(|k| [*k, 3.0 * k]).collect();
    let both = |g: fn(f64, f64) -> f64| factors.iter().map(|k| g(*k, k * X)).collect::<Vector>();
    let dy = steps(-11.0, 2.0, 12);
    let num_to_mat = Problem {
        name: "num_to_mat",
        f: into!(num_to_mat_into, Tall),
        x: X,
        y: rows(&both(|_, t| t.sin())),
        dx: DX,
        dy: rows(&dy),
        smaller: None,
    };
    let (over, over_jacobian) = sines_over_cosines(&x6);
    let (beside, beside_jacobian) = sines_beside_cosines(&x6);
    let vec_to_vec = Problem {
        name: "vec_to_vec",
        f: into!(vec_to_vec_into, Vector),
        x: x6.clone(),
        y: over.clone(),
        dx: dx6.clone(),
        dy: dy.clone(),
        smaller: Some((vec![1.0; 3], vec![0.0; 6])),
    };
    let vec_to_mat = Problem {
        name: "vec_to_mat",
        f: into!(vec_to_mat_into, Tall),
        x: x6.clone(),
        y: rows(&beside),
        dx: dx6.clone(),
        dy: rows(&dy),
        smaller: Some((vec![1.0; 3], vec![[0.0; 2]; 3])),
    };
    let mat_to_vec = Problem {
        name: "mat_to_vec",
        f: into!(mat_to_vec_into, Vector),
        x: rows(&x6),
        y: over,
        dx: rows(&dx6),
        dy: dy.clone(),
        smaller: Some((vec![[1.0; 3]], vec![0.0; 6])),
    };
    let mat_to_mat = Problem {
        name: "mat_to_mat",
        f: into!(mat_to_mat_into, Tall),
        x: rows(&x6),
        y: rows(&beside),
        dx: rows(&dx6),
        dy: rows(&dy),
        smaller: Some((vec![[1.0; 3]], vec![[0.0; 2]; 3])),
    };
    (
        one.several(&[X.cos()]),
        num_to_vec.of_number(&slopes, &[]),
        num_to_mat.of_number(&both(|k, t| k * t.cos()), &[]),
        vec_to_vec.several(&over_jacobian),
        vec_to_mat.several(&beside_jacobian),
        mat_to_vec.several(&over_jacobian),
        mat_to_mat.several(&beside_jacobian),
    )
}
