//! Type aliases of preps, for the fields of structs: the handle and the backend are the parameters.

use crate::handle::{Bind, Handle};
use crate::prep::Prep;
use crate::value::List;

use super::{
    Derivative, Gradient, Hessian, Hvp, Jacobian, Pullback, Pushforward, SecondDerivative,
};

/// The key of an annotated function of which no parameter is fixed.
type Whole<H> = Bind<H, <<H as Handle>::Args as List>::AllLive>;

macro_rules! named {
    ($($name:ident = $operator:ident, $prepare:literal;)+) => {$(
        #[doc = concat!("What `", $prepare, "` returns for the annotated function `H`, whatever its constants and caches.")]
        ///
        /// For `H`, write the name of the annotated function, which is also the name of its handle. If a parameter of
        /// the function is held fixed, and for closures, the prep has another type.
        pub type $name<H, B> = Prep<$operator, Whole<H>, B>;
    )+};
}

named! {
    PushforwardPrep = Pushforward, "prepare_pushforward";
    PullbackPrep = Pullback, "prepare_pullback";
    DerivativePrep = Derivative, "prepare_derivative";
    GradientPrep = Gradient, "prepare_gradient";
    JacobianPrep = Jacobian, "prepare_jacobian";
    SecondDerivativePrep = SecondDerivative, "prepare_second_derivative";
    HvpPrep = Hvp, "prepare_hvp";
    HessianPrep = Hessian, "prepare_hessian";
}
