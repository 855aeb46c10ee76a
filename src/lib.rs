//! Automatic differentiation of ordinary Rust: generated forward and reverse code, and one interface to every engine.
//!
//! Annotate a function, choose a backend, and call an operator:
//!
//! ```
//! use di::prelude::*;
//!
//! #[differentiable]
//! fn f(x: &[f64]) -> f64 {
//!     x[0] * x[0] * x[1]
//! }
//!
//! let backend = AutoSource::new();
//! let x = vec![3.0, 2.0];
//! let prep = prepare_gradient(f::AD, &backend, &x)?;
//! assert_eq!(gradient(f::AD, &prep, &backend, &x)?, [12.0, 9.0]);
//! # Ok::<(), di::Error>(())
//! ```
//!
//! The [guide](https://github.com/differentiation-interface/differentiation-interface/blob/HEAD/docs/README.md) has a
//! tutorial, recipes, and a page for each subject.
//!
//! This package defines no items of its own. It re-exports those of the other packages.

pub use di_macros::{
    Differentiable, custom_rule, differentiable, differentiable_closure, generic, implicit,
    overloaded,
};
pub use di_runtime::backends::{
    AnyBackend, AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences,
    AutoForwardFromPrimitive, AutoReverseFromPrimitive, AutoSource, AutoSymbolic, AutoTape,
    AutoTaylor, AutoZero, BACKENDS, Formulas, Listed, NoAutoDiff, Scheme, Stencil, auto, formulas,
};
#[cfg(feature = "echidna")]
pub use di_runtime::backends::{AutoEchidna, Echidna};
#[cfg(feature = "num-dual")]
pub use di_runtime::backends::{AutoNumDual, NumDual};
pub use di_runtime::capability::{Capabilities, HvpMode, Mode, Operator};
pub use di_runtime::closure::{closure, generic};
pub use di_runtime::context::passive;
pub use di_runtime::differentiate_with::DifferentiateWith;
pub use di_runtime::error::{Change, Error};
#[cfg(feature = "sparse")]
pub use di_runtime::matrices::FromMatrix;
pub use di_runtime::matrix::Matrix;
pub use di_runtime::nested;
pub use di_runtime::operators::*;
pub use di_runtime::prep::{NoPrep, Prep};
pub use di_runtime::reusable::{Owning, owning};
pub use di_runtime::scalar::{Active, Scalar};
pub use di_runtime::second_order::SecondOrder;
pub use di_runtime::shared::Shared;
#[cfg(feature = "special")]
pub use di_runtime::special;
/// The version of `ndarray` whose arrays are containers.
#[cfg(feature = "ndarray")]
pub use ndarray;
/// The version of `sprs` whose matrices hold sparse Jacobians and Hessians.
#[cfg(feature = "sparse")]
pub use sprs;

/// The operators, the backends, and all attributes except `custom_rule` and `implicit`: `use di::prelude::*;`.
///
/// Not included are the types that stand for operators, such as `Gradient`, because solvers have traits with these
/// names, and names that programs use for their own types, such as `Team` and `Ready`.
pub mod prelude {
    #[cfg(feature = "echidna")]
    pub use crate::AutoEchidna;
    #[cfg(feature = "num-dual")]
    pub use crate::AutoNumDual;
    pub use crate::{
        AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoSource, AutoSymbolic,
        AutoTape, AutoTaylor, Differentiable, NoAutoDiff, NoPrep, SecondOrder, auto,
        differentiable, differentiable_closure, generic, overloaded, passive,
    };
    pub use di_runtime::handle::Unmarked as _;
    pub use di_runtime::operators::{
        DerivativePrep, GradientPrep, HessianPrep, HvpPrep, JacobianPrep, PullbackPrep,
        PushforwardPrep, SecondDerivativePrep, at_points, check_gradient, check_gradient_of,
        derivative, derivative_into, evaluate, gradient, gradient_and_hvp, gradient_and_hvp_into,
        gradient_into, hessian, hessian_diagonal, hessian_diagonal_into, hessian_into,
        hessian_values_into, hvp, hvp_into, jacobian, jacobian_into, jacobian_values_into, jvp,
        laplacian, linearize, nth_derivative, nth_derivative_into, prepare_derivative,
        prepare_gradient, prepare_gradient_with_aux, prepare_hessian, prepare_hessian_diagonal,
        prepare_hvp, prepare_hvp_same_point, prepare_jacobian, prepare_nth_derivative,
        prepare_pullback, prepare_pullback_same_point, prepare_pushforward,
        prepare_pushforward_same_point, prepare_second_derivative, prepare_taylor_coefficients,
        prepare_team, pullback, pullback_into, pushforward, pushforward_into, second_derivative,
        second_derivative_into, taylor_coefficients, taylor_coefficients_into,
        value_and_derivative, value_and_derivative_into, value_and_gradient,
        value_and_gradient_into, value_and_gradient_with_aux, value_and_jacobian,
        value_and_jacobian_into, value_and_pullback, value_and_pullback_into,
        value_and_pushforward, value_and_pushforward_into, value_derivative_and_second_derivative,
        value_derivative_and_second_derivative_into, value_gradient_and_hessian,
        value_gradient_and_hessian_diagonal, value_gradient_and_hessian_into,
        value_gradient_and_hvp, value_gradient_and_hvp_into, vjp,
    };
}

/// What you need to write backends, rules, and functions over any scalar.
pub mod extend {
    pub use di_runtime::backend::Backend;
    pub use di_runtime::backends::{
        AutoForeignForward, AutoForeignReverse, ForwardNumber, ReverseNumber, Symbol,
    };
    pub use di_runtime::bound::{
        Bound, Evaluate, Fixings, Function, Given, Key, Open, Operand, Value, WithOutput,
    };
    pub use di_runtime::closure::{OnFloats, OnScalars};
    pub use di_runtime::context::{Constant, Snapshot};
    pub use di_runtime::error::{fail, settle};
    pub use di_runtime::foreign_scalar;
    pub use di_runtime::function::*;
    pub use di_runtime::generated::{Dead, Live, Pool};
    pub use di_runtime::handle::{Bind, Handle};
    pub use di_runtime::matrices::{MatrixCopy, MatrixMut};
    pub use di_runtime::primitive::{Plan, ResultMatrix, Space, Work, Workspace};
    pub use di_runtime::reusable::{
        IntoReusable, Returned, Reusable, ReusableNumber, ReusableVector, Written,
    };
    pub use di_runtime::rules::{Rule, Unary, UnaryRule};
    pub use di_runtime::scalar::{Chain, Complex, Dual, Foreign, Lanes, Real, Scalar};
    pub use di_runtime::second_order::{Nested, Outer};
    #[cfg(feature = "ndarray")]
    pub use di_runtime::value::Nd;
    pub use di_runtime::value::{
        Array, Container, ContainerMut, Family, Number, Outcome, Slice, Tangents, TangentsMut,
    };
}

/// Sparse Jacobians and Hessians: detection, coloring, compressed evaluation.
#[cfg(feature = "sparse")]
pub mod sparse {
    pub use di_sparse::*;
}

/// Linear solvers for the attribute `#[implicit(..)]`.
pub mod implicit {
    pub use di_runtime::implicit::{Dense, Solver};
}

/// What generated code is written in. Not for users: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use di_macros::resume;
    pub use di_runtime::__private::*;
    pub use di_runtime::unknown_signature as unknown;
}

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The programs of the tutorial.
#[cfg(doctest)]
#[doc = include_str!("../docs/tutorial.md")]
pub struct Tutorial;

/// The recipes.
#[cfg(doctest)]
#[doc = include_str!("../docs/recipes.md")]
pub struct Recipes;

/// The examples of the page on coming from another library.
#[cfg(doctest)]
#[doc = include_str!("../docs/coming-from.md")]
pub struct ComingFrom;

/// The examples of the page on operators.
#[cfg(doctest)]
#[doc = include_str!("../docs/operators.md")]
pub struct Operators;

/// The examples of the page on backends.
#[cfg(doctest)]
#[doc = include_str!("../docs/backends.md")]
pub struct Backends;

/// The examples of the page on contexts.
#[cfg(doctest)]
#[doc = include_str!("../docs/contexts.md")]
pub struct Contexts;

/// The examples of the page on overloaded code.
#[cfg(doctest)]
#[doc = include_str!("../docs/overloaded.md")]
pub struct Overloaded;

/// The examples of the page on preps.
#[cfg(doctest)]
#[doc = include_str!("../docs/preps.md")]
pub struct Preps;

/// The examples of the page on sparsity.
#[cfg(doctest)]
#[doc = include_str!("../docs/sparsity.md")]
pub struct Sparsity;

/// The example of the page on the language.
#[cfg(doctest)]
#[doc = include_str!("../docs/language.md")]
pub struct Language;

/// The examples of the page on limits.
#[cfg(doctest)]
#[doc = include_str!("../docs/limits.md")]
pub struct Limits;

/// The examples of the page on custom rules.
#[cfg(doctest)]
#[doc = include_str!("../docs/custom-rules.md")]
pub struct CustomRules;

/// The examples of the page on checkpoints.
#[cfg(doctest)]
#[doc = include_str!("../docs/checkpoints.md")]
pub struct Checkpoints;

/// The example of the page on performance.
#[cfg(doctest)]
#[doc = include_str!("../docs/performance.md")]
pub struct Performance;

/// The examples of the page on solutions of equations.
#[cfg(doctest)]
#[doc = include_str!("../docs/implicit.md")]
pub struct Implicit;

/// The examples of the page on adding an engine.
#[cfg(doctest)]
#[doc = include_str!("../docs/adding-an-engine.md")]
pub struct AddingAnEngine;
