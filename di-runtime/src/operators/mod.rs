//! The operators, one file for each, all with the same sections in the same order: marker and
//! preparation, the variants, and what they share.
//!
//! Order of arguments: `f, [result], prep, backend, x, [tangents]`. Pass `&prep` or
//! [`crate::prep::NoPrep`] as `prep`.

mod check;
mod derivative;
mod diagonal;
mod evaluate;
mod gradient;
mod hessian;
mod hvp;
mod jacobian;
mod linearize;
mod named;
mod points;
mod pullback;
mod pushforward;
mod ready;
mod ready_output;
mod second_derivative;
mod taylor;
mod team;
mod values;
mod with_aux;

pub use check::{check_gradient, check_gradient_of};
pub use derivative::{
    Derivative, derivative, derivative_into, prepare_derivative, value_and_derivative,
    value_and_derivative_into,
};
pub use diagonal::{
    HessianDiagonal, hessian_diagonal, hessian_diagonal_into, laplacian, prepare_hessian_diagonal,
    value_gradient_and_hessian_diagonal,
};
pub use evaluate::evaluate;
pub use gradient::{
    Gradient, gradient, gradient_into, prepare_gradient, value_and_gradient,
    value_and_gradient_into,
};
pub use hessian::{
    Hessian, hessian, hessian_into, prepare_hessian, value_gradient_and_hessian,
    value_gradient_and_hessian_into,
};
pub use hvp::{
    Hvp, gradient_and_hvp, gradient_and_hvp_into, hvp, hvp_into, prepare_hvp,
    prepare_hvp_same_point, value_gradient_and_hvp, value_gradient_and_hvp_into,
};
pub use jacobian::{
    Jacobian, jacobian, jacobian_into, prepare_jacobian, value_and_jacobian,
    value_and_jacobian_into,
};
pub use linearize::{Linearization, linearize};
pub use named::{
    DerivativePrep, GradientPrep, HessianPrep, HvpPrep, JacobianPrep, PullbackPrep,
    PushforwardPrep, SecondDerivativePrep,
};
pub use points::at_points;
pub use pullback::{
    Pullback, prepare_pullback, prepare_pullback_same_point, pullback, pullback_into,
    value_and_pullback, value_and_pullback_into,
};
pub use pushforward::{
    Pushforward, prepare_pushforward, prepare_pushforward_same_point, pushforward,
    pushforward_into, value_and_pushforward, value_and_pushforward_into,
};
pub use ready::Ready;
pub use second_derivative::{
    SecondDerivative, prepare_second_derivative, second_derivative, second_derivative_into,
    value_derivative_and_second_derivative, value_derivative_and_second_derivative_into,
};
pub use taylor::{
    Taylor, nth_derivative, nth_derivative_into, prepare_nth_derivative,
    prepare_taylor_coefficients, taylor_coefficients, taylor_coefficients_into,
};
pub use team::{Team, prepare_team};
pub use with_aux::{GradientWithAux, prepare_gradient_with_aux, value_and_gradient_with_aux};

pub use values::{hessian_values_into, jacobian_values_into};

// Jacobian-vector and vector-Jacobian product, as others call them.
pub use pullback::pullback as vjp;
pub use pushforward::pushforward as jvp;
