//! A prep bound to its function: operators with `x` as their only argument.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Function, Input, Key, Like, Value};
use crate::error::Error;
use crate::function::{NumberValued, OfNumber, Primal};
use crate::prep::{Op, Prep};
use crate::value::{Container, ContainerMut, Number, Tangents};

use super::{
    Derivative, Gradient, Hessian, HessianDiagonal, Hvp, Jacobian, Pullback, Pushforward,
    SecondDerivative,
};

/// A prep with its function: made by [`Prep::bind`], it has the operators that the prep is for as methods.
///
/// `Send` if the function is, and not `Sync`, as preps are.
pub struct Ready<O, F: Function, B: Backend<Key<F>>> {
    f: F,
    prep: Prep<O, Key<F>, B>,
}

impl<O: Op, K: Primal, B: Backend<K>> Prep<O, K, B> {
    /// Binds the prep to a function, for calls with nothing but `x`.
    ///
    /// The function may be another one than it was made for, of the same type: with other constants. An in-place
    /// function is not bound: its output is another one in each call.
    ///
    /// # Examples
    /// ```
    /// use di::prelude::*;
    ///
    /// #[differentiable]
    /// fn f(x: &[f64], #[constant] k: f64) -> f64 {
    ///     k * x[0] * x[1]
    /// }
    ///
    /// let f = f::AD.with(2.0);
    /// let f = prepare_gradient(f, &AutoSource::new(), &[0.0, 0.0])?.bind(f);
    /// assert_eq!(f.gradient(&[3.0, 4.0])?, [8.0, 6.0]);
    /// assert_eq!(f.value_and_gradient(&[1.0, 1.0])?, (2.0, [2.0, 2.0]));
    /// # Ok::<(), di::Error>(())
    /// ```
    pub fn bind<F>(self, f: F) -> Ready<O, F, B>
    where
        F: Function<Bound: Evaluate<Key = K>> + Copy,
    {
        Ready { f, prep: self }
    }
}

impl<O: Op, F: Function + Copy, B: Backend<Key<F>>> Ready<O, F, B> {
    /// The prep.
    pub fn prep(&self) -> &Prep<O, Key<F>, B> {
        &self.prep
    }

    /// The prep without the function.
    pub fn unbind(self) -> Prep<O, Key<F>, B> {
        self.prep
    }

    /// Makes the prep one for `x` of another length.
    ///
    /// # Errors
    /// Those of the preparation; the prep is then as it was.
    pub fn resize<X>(&mut self, x: &X) -> Result<(), Error>
    where
        X: Container<Input<F>, Float<F>> + ?Sized,
    {
        self.prep.resize(self.f, x)
    }
}

impl<O, F: Function + Clone, B: Backend<Key<F>>> Clone for Ready<O, F, B> {
    fn clone(&self) -> Self {
        Ready {
            f: self.f.clone(),
            prep: self.prep.clone(),
        }
    }
}

/// Methods of one operator, each a call of the function of the same name.
macro_rules! methods {
    ($op:ident, $x:ident: $family:ty $(, $key:ident)?; $($name:ident($($result:ident: $c:ident),*) -> $out:ty;)*) => {
        impl<F, B> Ready<$op, F, B>
        where
            F: Function + Copy,
            $(Key<F>: $key,)?
            B: Backend<Key<F>>,
        {
            $(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") with this prep.")]
                ///
                /// # Errors
                /// Those of the operator.
                pub fn $name<$x, $($c),*>(&self $(, $result: &mut $c)*, x: &$x) -> Result<$out, Error>
                where
                    $x: Container<$family, Float<F>> + ?Sized,
                    $($c: ContainerMut<<Key<F> as crate::function::Signature>::X, Float<F>> + ?Sized,)*
                {
                    super::$name(self.f $(, $result)*, &self.prep, &self.prep.backend, x)
                }
            )*
        }
    };
}

methods!(Gradient, X: Input<F>, NumberValued;
    gradient() -> X::Result;
    gradient_into(g: G) -> ();
    value_and_gradient() -> (Float<F>, X::Result);
    value_and_gradient_into(g: G) -> Float<F>;
);
methods!(HessianDiagonal, X: Input<F>, NumberValued;
    hessian_diagonal() -> X::Result;
    hessian_diagonal_into(d: D) -> ();
    laplacian() -> Float<F>;
);
methods!(Hessian, X: Input<F>, NumberValued;
    hessian() -> B::Matrix;
    value_gradient_and_hessian() -> (Float<F>, X::Result, B::Matrix);
);
methods!(Jacobian, X: Input<F>;
    jacobian() -> B::Matrix;
    value_and_jacobian() -> (Value<F>, B::Matrix);
);
methods!(Derivative, X: Number, OfNumber;
    derivative() -> Like<F>;
    value_and_derivative() -> (Value<F>, Like<F>);
);
methods!(SecondDerivative, X: Number, OfNumber;
    second_derivative() -> Like<F>;
    value_derivative_and_second_derivative() -> (Value<F>, Like<F>, Like<F>);
);

/// Methods of one operator with tangents.
macro_rules! products {
    ($op:ident, $v:ident: $family:ty $(, $key:ident)?; $($name:ident -> $out:ty;)*) => {
        impl<F, B> Ready<$op, F, B>
        where
            F: Function + Copy,
            $(Key<F>: $key,)?
            B: Backend<Key<F>>,
        {
            $(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") with this prep.")]
                ///
                /// # Errors
                /// Those of the operator.
                #[allow(clippy::type_complexity, reason = "a tuple whose parts are named")]
                pub fn $name<X, $v, M>(&self, x: &X, v: &$v) -> Result<$out, Error>
                where
                    X: Container<Input<F>, Float<F>> + ?Sized,
                    $v: Tangents<$family, Float<F>, M> + ?Sized,
                {
                    super::$name(self.f, &self.prep, &self.prep.backend, x, v)
                }
            )*
        }
    };
}

products!(Pushforward, V: Input<F>;
    pushforward -> V::Each<crate::bound::Output<F>, Like<F>>;
    value_and_pushforward -> (Value<F>, V::Each<crate::bound::Output<F>, Like<F>>);
);
products!(Pullback, V: crate::bound::Output<F>;
    pullback -> V::Each<Input<F>, X::Result>;
    value_and_pullback -> (Value<F>, V::Each<Input<F>, X::Result>);
);
products!(Hvp, V: Input<F>, NumberValued;
    hvp -> V::Each<Input<F>, X::Result>;
    gradient_and_hvp -> (X::Result, V::Each<Input<F>, X::Result>);
    value_gradient_and_hvp -> (Float<F>, X::Result, V::Each<Input<F>, X::Result>);
);
