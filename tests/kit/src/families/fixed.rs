//! The default scenarios on arrays of fixed size.

use di::differentiable;

use super::classes::{ArrayValued, Binding, InPlace, NumberValued, OfNumber, Problem};
use super::default::{
    DX, DY, X, point, quartic_sextic, rows, sines_beside_cosines, sines_over_cosines, steps,
};
use super::functions as f;
use crate::subject::{Returns, returns, writes};

/// A matrix of three columns.
type Wide = [[f64; 3]; 2];
/// A matrix of two columns.
type Tall = [[f64; 2]; 6];

/// Elementwise sine.
#[differentiable]
pub fn sine_of_one(x: &[f64; 1]) -> [f64; 1] {
    [x[0].sin()]
}

/// `[sin x, sin 2x]`
#[differentiable]
pub fn num_to_arr(x: f64) -> [f64; 2] {
    [x.sin(), (2.0 * x).sin()]
}

/// Columns `num_to_arr(x)` and `num_to_arr(3x)`.
#[differentiable]
pub fn num_to_grid(x: f64) -> [[f64; 2]; 2] {
    [
        [x.sin(), (3.0 * x).sin()],
        [(2.0 * x).sin(), (6.0 * x).sin()],
    ]
}

/// Sum of all `x_i^4 x_j^6`.
#[differentiable]
pub fn arr_to_num(x: &[f64; 6]) -> f64 {
    let mut sum = 0.0;
    for a in x {
        for b in x {
            sum += a.powi(4) * b.powi(6);
        }
    }
    sum
}

/// Sum of all `x_i^4 x_j^6`.
#[differentiable]
pub fn grid_to_num(x: &[[f64; 3]; 2]) -> f64 {
    let mut fourth = 0.0;
    let mut sixth = 0.0;
    for row in x {
        for v in row {
            fourth += v.powi(4);
            sixth += v.powi(6);
        }
    }
    fourth * sixth
}

/// All sines, then all cosines.
#[differentiable]
pub fn arr_to_arr(x: &[f64; 6]) -> [f64; 12] {
    let mut y = [0.0; 12];
    for i in 0..6 {
        y[i] = x[i].sin();
        y[6 + i] = x[i].cos();
    }
    y
}

/// Columns of sines and cosines.
#[differentiable]
pub fn arr_to_grid(x: &[f64; 6]) -> [[f64; 2]; 6] {
    let mut y = [[0.0; 2]; 6];
    for i in 0..6 {
        y[i] = [x[i].sin(), x[i].cos()];
    }
    y
}

/// All sines, then all cosines.
#[differentiable]
pub fn grid_to_arr(x: &[[f64; 3]; 2]) -> [f64; 12] {
    let mut y = [0.0; 12];
    for i in 0..2 {
        for j in 0..3 {
            y[3 * i + j] = x[i][j].sin();
            y[6 + 3 * i + j] = x[i][j].cos();
        }
    }
    y
}

/// Columns of sines and cosines.
#[differentiable]
pub fn grid_to_grid(x: &[[f64; 3]; 2]) -> [[f64; 2]; 6] {
    let mut y = [[0.0; 2]; 6];
    for i in 0..2 {
        for j in 0..3 {
            y[3 * i + j] = [x[i][j].sin(), x[i][j].cos()];
        }
    }
    y
}

/// Of functions that return.
pub type StaticOutOfPlace = (
    OfNumber<Returns<f::num_to_num>, f64>,
    ArrayValued<Returns<sine_of_one>, [f64; 1], [f64; 1]>,
    OfNumber<Returns<num_to_arr>, [f64; 2]>,
    OfNumber<Returns<num_to_grid>, [[f64; 2]; 2]>,
    NumberValued<Returns<arr_to_num>, [f64; 6]>,
    NumberValued<Returns<grid_to_num>, Wide>,
    ArrayValued<Returns<arr_to_arr>, [f64; 6], [f64; 12]>,
    ArrayValued<Returns<arr_to_grid>, [f64; 6], Tall>,
    ArrayValued<Returns<grid_to_arr>, Wide, [f64; 12]>,
    ArrayValued<Returns<grid_to_grid>, Wide, Tall>,
);

/// Of functions on slices that write, called with arrays.
pub type StaticInPlace = (
    ArrayValued<InPlace<f::sines_into, [f64; 1]>, [f64; 1], [f64; 1]>,
    OfNumber<InPlace<f::num_to_vec_into, [f64; 6]>, [f64; 6]>,
    OfNumber<InPlace<f::num_to_mat_into, Tall>, Tall>,
    ArrayValued<InPlace<f::vec_to_vec_into, [f64; 12]>, [f64; 6], [f64; 12]>,
    ArrayValued<InPlace<f::vec_to_mat_into, Tall>, [f64; 6], Tall>,
    ArrayValued<InPlace<f::mat_to_vec_into, [f64; 12]>, Wide, [f64; 12]>,
    ArrayValued<InPlace<f::mat_to_mat_into, Tall>, Wide, Tall>,
);

/// The default scenarios on arrays of fixed size, as many.
pub type StaticScenarios = (StaticOutOfPlace, StaticInPlace);

/// The default scenarios with `x` and results in arrays of fixed size: also 106 and 64. Nothing can be resized.
pub fn static_scenarios() -> StaticScenarios {
    (out_of_place(), in_place())
}

/// A list as an array.
fn array<const N: usize>(flat: &[f64]) -> [f64; N] {
    std::array::from_fn(|k| flat[k])
}

/// A list as an array of rows.
fn grid<const N: usize, const M: usize>(flat: &[f64]) -> [[f64; N]; M] {
    let rows = rows::<N>(flat);
    std::array::from_fn(|k| rows[k])
}

/// With a result of this type, nothing smaller.
fn problem<S, X, Y>(name: &'static str, f: S, x: (X, X), y: (Y, Y)) -> Problem<S, X, Y> {
    Problem {
        name,
        f,
        x: x.0,
        y: y.0,
        dx: x.1,
        dy: y.1,
        smaller: None,
    }
}

fn out_of_place() -> StaticOutOfPlace {
    let (x, dx) = point();
    let vector = (array::<6>(&x), array::<6>(&dx));
    let matrix = (grid::<3, 2>(&x), grid::<3, 2>(&dx));
    let (y, gradient, hessian) = quartic_sextic(&x);
    let dy = steps(-11.0, 2.0, 12);
    let (over, over_jacobian) = sines_over_cosines(&x);
    let (beside, beside_jacobian) = sines_beside_cosines(&x);
    let over = (array::<12>(&over), array::<12>(&dy));
    let beside = (grid::<2, 6>(&beside), grid::<2, 6>(&dy));
    let factors = [1.0, 3.0, 2.0, 6.0];
    let of = |g: fn(f64, f64) -> f64| factors.map(|k| g(k, k * X));
    let (two, four) = (
        ([X.sin(), (2.0 * X).sin()], [-3.0, 4.0]),
        (
            grid::<2, 2>(&of(|_, t| t.sin())),
            grid::<2, 2>(&steps(-3.0, 2.0, 4)),
        ),
    );
    let derivative = [X.cos(), 2.0 * (2.0 * X).cos()];
    let second = [-X.sin(), -4.0 * (2.0 * X).sin()];
    (
        problem(
            "num_to_num",
            returns(f::num_to_num::AD),
            (X, DX),
            (X.sin(), DY),
        )
        .numbers(X.cos(), -X.sin()),
        problem(
            "onearr_to_onearr",
            returns(sine_of_one::AD),
            ([X], [DX]),
            ([X.sin()], [DY]),
        )
        .several(&[X.cos()]),
        problem("num_to_arr", returns(num_to_arr::AD), (X, DX), two)
            .of_number(&derivative, &second),
        problem("num_to_grid", returns(num_to_grid::AD), (X, DX), four)
            .of_number(&of(|k, t| k * t.cos()), &of(|k, t| -k * k * t.sin())),
        problem("arr_to_num", returns(arr_to_num::AD), vector, (y, DY))
            .number_valued(&gradient, &hessian),
        problem("grid_to_num", returns(grid_to_num::AD), matrix, (y, DY))
            .number_valued(&gradient, &hessian),
        problem("arr_to_arr", returns(arr_to_arr::AD), vector, over).several(&over_jacobian),
        problem("arr_to_grid", returns(arr_to_grid::AD), vector, beside).several(&beside_jacobian),
        problem("grid_to_arr", returns(grid_to_arr::AD), matrix, over).several(&over_jacobian),
        problem("grid_to_grid", returns(grid_to_grid::AD), matrix, beside)
            .several(&beside_jacobian),
    )
}

/// A function that writes, as a pointer: the type has a name.
macro_rules! into {
    ($function:ident, $y:ty) => {
        writes((|y| f::$function::AD.output(y)) as Binding<f::$function, $y>)
    };
}

fn in_place() -> StaticInPlace {
    let (x, dx) = point();
    let vector = (array::<6>(&x), array::<6>(&dx));
    let matrix = (grid::<3, 2>(&x), grid::<3, 2>(&dx));
    let dy = steps(-11.0, 2.0, 12);
    let (over, over_jacobian) = sines_over_cosines(&x);
    let (beside, beside_jacobian) = sines_beside_cosines(&x);
    let over = (array::<12>(&over), array::<12>(&dy));
    let beside = (grid::<2, 6>(&beside), grid::<2, 6>(&dy));
    let halves = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0];
    let of = |g: fn(f64, f64) -> f64| halves.map(|k| g(k, k * X));
    let factors: Vec<f64> = halves.iter().flat_map(|k| [*k, 3.0 * k]).collect();
    let both = |g: fn(f64, f64) -> f64| factors.iter().map(|k| g(*k, k * X)).collect::<Vec<f64>>();
    let six = (of(|_, t| t.sin()), array::<6>(&steps(-5.0, 2.0, 6)));
    let tall = (grid::<2, 6>(&both(|_, t| t.sin())), grid::<2, 6>(&dy));
    (
        problem(
            "onearr_to_onearr",
            into!(sines_into, [f64; 1]),
            ([X], [DX]),
            ([X.sin()], [DY]),
        )
        .several(&[X.cos()]),
        problem("num_to_arr", into!(num_to_vec_into, [f64; 6]), (X, DX), six)
            .of_number(&of(|k, t| k * t.cos()), &[]),
        problem("num_to_grid", into!(num_to_mat_into, Tall), (X, DX), tall)
            .of_number(&both(|k, t| k * t.cos()), &[]),
        problem(
            "arr_to_arr",
            into!(vec_to_vec_into, [f64; 12]),
            vector,
            over,
        )
        .several(&over_jacobian),
        problem("arr_to_grid", into!(vec_to_mat_into, Tall), vector, beside)
            .several(&beside_jacobian),
        problem(
            "grid_to_arr",
            into!(mat_to_vec_into, [f64; 12]),
            matrix,
            over,
        )
        .several(&over_jacobian),
        problem("grid_to_grid", into!(mat_to_mat_into, Tall), matrix, beside)
            .several(&beside_jacobian),
    )
}
