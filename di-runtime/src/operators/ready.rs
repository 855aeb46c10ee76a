//! A prep bound to its function: operators with `x` as their only argument.

use crate::backend::{Backend, Stored};
use crate::backends::PowerSeries;
use crate::bound::{Evaluate, Float, Function, Input, Key, Like, Output, Value};
use crate::error::Error;
use crate::function::{NumberValued, OfNumber, Primal, Signature};
use crate::matrices::MatrixMut;
use crate::prep::{Op, Prep};
use crate::value::{Container, ContainerMut, Family, Number, Tangents, TangentsMut};

use super::{
    Derivative, Gradient, GradientWithAux, Hessian, HessianDiagonal, Hvp, Jacobian, Pullback,
    Pushforward, SecondDerivative, Taylor,
};

/// A prep together with its function, returned by [`Prep::bind`]. The variants of its operator are methods.
///
/// It is `Send` if the function is. Like a prep, it is not `Sync`.
pub struct Ready<O, F: Function, B: Backend<Key<F>>> {
    pub(super) f: F,
    pub(super) prep: Prep<O, Key<F>, B>,
}

impl<O: Op, K: Primal, B: Backend<K>> Prep<O, K, B> {
    /// Binds the prep to a function, for calls that take only `x`.
    ///
    /// The constants of the function may differ from those of the preparation. Bind a function that writes its result
    /// together with its output, which stays borrowed. Operators that return the value then return a reference to the
    /// output.
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
    ///
    /// #[differentiable]
    /// fn squares(x: &[f64], y: &mut [f64]) {
    ///     for i in 0..y.len() {
    ///         y[i] = x[i] * x[i];
    ///     }
    /// }
    ///
    /// let mut y = [0.0; 2];
    /// let prep = prepare_jacobian(squares::AD.output(&mut y), &AutoSource::new(), &[0.0; 2])?;
    /// let mut f = prep.bind(squares::AD.output(&mut y));
    /// let (value, j) = f.value_and_jacobian(&[2.0, 3.0])?;
    /// assert_eq!(*value, [4.0, 9.0]);
    /// assert_eq!(j, [[4.0, 0.0], [0.0, 6.0]]);
    /// # Ok::<(), di::Error>(())
    /// ```
    pub fn bind<F>(self, f: F) -> Ready<O, F, B>
    where
        F: Function<Bound: Evaluate<Key = K>>,
    {
        Ready { f, prep: self }
    }
}

impl<O: Op, F: Function, B: Backend<Key<F>>> Ready<O, F, B> {
    /// The prep.
    pub fn prep(&self) -> &Prep<O, Key<F>, B> {
        &self.prep
    }

    /// The prep without the function.
    pub fn unbind(self) -> Prep<O, Key<F>, B> {
        self.prep
    }

    /// Changes the length of `x`. With an output, call [`Ready::unbind`], resize, and bind again.
    ///
    /// # Errors
    /// Those of the preparation. The prep is unchanged then.
    pub fn resize<X>(&mut self, x: &X) -> Result<(), Error>
    where
        F: Copy,
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
    ($op:ident $(, $key:ident)?; $($methods:tt)*) => {
        methods!(@of Backend $op $(, $key)?; $($methods)*);
    };
    (@of $backend:ident $op:ident $(, $key:ident)?; $($name:ident [$($generic:tt)*] ($($result:ident: $into:ty),*) ($($arg:ident: $of:ty),*) -> $out:ty;)*) => {
        impl<F, B> Ready<$op, F, B>
        where
            F: Function + Copy,
            $(Key<F>: $key,)?
            B: $backend<Key<F>>,
        {
            $(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") with this prep.")]
                ///
                /// # Errors
                /// Those of the operator.
                #[allow(clippy::type_complexity, reason = "a tuple whose parts are named")]
                pub fn $name<$($generic)*>(
                    &self,
                    $($result: &mut $into,)*
                    $($arg: &$of),*
                ) -> Result<$out, Error> {
                    methods!(@call $name, self, [$($result)*], $($arg)*)
                }
            )*
        }
    };
    (@call $name:ident, $self:ident, [$($result:ident)*], $x:ident $($tangents:ident)?) => {
        super::$name($self.f, $($result,)* &$self.prep, &$self.prep.body().backend, $x $(, $tangents)?)
    };
}

methods!(Gradient, NumberValued;
    gradient[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> X::Result;
    gradient_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        G: ContainerMut<Input<F>, Float<F>> + ?Sized
    ](g: G) (x: X) -> ();
    value_and_gradient[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> (Float<F>, X::Result);
    value_and_gradient_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        G: ContainerMut<Input<F>, Float<F>> + ?Sized
    ](g: G) (x: X) -> Float<F>;
);
methods!(HessianDiagonal, NumberValued;
    hessian_diagonal[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> X::Result;
    hessian_diagonal_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        D: ContainerMut<Input<F>, Float<F>> + ?Sized
    ](d: D) (x: X) -> ();
    value_gradient_and_hessian_diagonal[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> (Float<F>, X::Result, X::Result);
    laplacian[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> Float<F>;
);
methods!(Hessian, NumberValued;
    hessian[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> B::Matrix;
    hessian_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        H: MatrixMut<Float<F>, B::Matrix> + ?Sized
    ](h: H) (x: X) -> ();
    value_gradient_and_hessian[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> (Float<F>, X::Result, B::Matrix);
    value_gradient_and_hessian_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        G: ContainerMut<Input<F>, Float<F>> + ?Sized,
        H: MatrixMut<Float<F>, B::Matrix> + ?Sized
    ](g: G, h: H) (x: X) -> Float<F>;
);
methods!(Jacobian;
    jacobian[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> B::Matrix;
    jacobian_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        J: MatrixMut<Float<F>, B::Matrix> + ?Sized
    ](j: J) (x: X) -> ();
    value_and_jacobian[X: Container<Input<F>, Float<F>> + ?Sized]() (x: X) -> (Value<F>, B::Matrix);
    value_and_jacobian_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        J: MatrixMut<Float<F>, B::Matrix> + ?Sized
    ](j: J) (x: X) -> Value<F>;
);
methods!(Derivative, OfNumber;
    derivative[X: Container<Number, Float<F>> + ?Sized]() (x: X) -> Like<F>;
    derivative_into[
        X: Container<Number, Float<F>> + ?Sized,
        D: ContainerMut<Output<F>, Float<F>> + ?Sized
    ](dy: D) (x: X) -> ();
    value_and_derivative[X: Container<Number, Float<F>> + ?Sized]() (x: X) -> (Value<F>, Like<F>);
    value_and_derivative_into[
        X: Container<Number, Float<F>> + ?Sized,
        D: ContainerMut<Output<F>, Float<F>> + ?Sized
    ](dy: D) (x: X) -> Value<F>;
);
methods!(SecondDerivative, OfNumber;
    second_derivative[X: Container<Number, Float<F>> + ?Sized]() (x: X) -> Like<F>;
    second_derivative_into[
        X: Container<Number, Float<F>> + ?Sized,
        D: ContainerMut<Output<F>, Float<F>> + ?Sized
    ](ddy: D) (x: X) -> ();
    value_derivative_and_second_derivative[X: Container<Number, Float<F>> + ?Sized]() (x: X) -> (Value<F>, Like<F>, Like<F>);
    value_derivative_and_second_derivative_into[
        X: Container<Number, Float<F>> + ?Sized,
        D: ContainerMut<Output<F>, Float<F>> + ?Sized,
        E: ContainerMut<Output<F>, Float<F>> + ?Sized
    ](dy: D, ddy: E) (x: X) -> Value<F>;
);
methods!(Pushforward;
    pushforward[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized, M
    ]() (x: X, dx: T) -> T::Each<Output<F>, Like<F>>;
    pushforward_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized,
        D: TangentsMut<Output<F>, Float<F>, M> + ?Sized, M
    ](dy: D) (x: X, dx: T) -> ();
    value_and_pushforward[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized, M
    ]() (x: X, dx: T) -> (Value<F>, T::Each<Output<F>, Like<F>>);
    value_and_pushforward_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized,
        D: TangentsMut<Output<F>, Float<F>, M> + ?Sized, M
    ](dy: D) (x: X, dx: T) -> Value<F>;
);
methods!(Pullback;
    pullback[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Output<F>, Float<F>, M> + ?Sized, M
    ]() (x: X, dy: T) -> T::Each<Input<F>, X::Result>;
    pullback_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Output<F>, Float<F>, M> + ?Sized,
        D: TangentsMut<Input<F>, Float<F>, M> + ?Sized, M
    ](dx: D) (x: X, dy: T) -> ();
    value_and_pullback[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Output<F>, Float<F>, M> + ?Sized, M
    ]() (x: X, dy: T) -> (Value<F>, T::Each<Input<F>, X::Result>);
    value_and_pullback_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Output<F>, Float<F>, M> + ?Sized,
        D: TangentsMut<Input<F>, Float<F>, M> + ?Sized, M
    ](dx: D) (x: X, dy: T) -> Value<F>;
);
methods!(Hvp, NumberValued;
    hvp[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized, M
    ]() (x: X, dx: T) -> T::Each<Input<F>, X::Result>;
    hvp_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized,
        D: TangentsMut<Input<F>, Float<F>, M> + ?Sized, M
    ](products: D) (x: X, dx: T) -> ();
    gradient_and_hvp[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized, M
    ]() (x: X, dx: T) -> (X::Result, T::Each<Input<F>, X::Result>);
    value_gradient_and_hvp[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized, M
    ]() (x: X, dx: T) -> (Float<F>, X::Result, T::Each<Input<F>, X::Result>);
    gradient_and_hvp_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized,
        G: ContainerMut<Input<F>, Float<F>> + ?Sized,
        D: TangentsMut<Input<F>, Float<F>, M> + ?Sized, M
    ](g: G, products: D) (x: X, dx: T) -> ();
    value_gradient_and_hvp_into[
        X: Container<Input<F>, Float<F>> + ?Sized,
        T: Tangents<Input<F>, Float<F>, M> + ?Sized,
        G: ContainerMut<Input<F>, Float<F>> + ?Sized,
        D: TangentsMut<Input<F>, Float<F>, M> + ?Sized, M
    ](g: G, products: D) (x: X, dx: T) -> Float<F>;
);
methods!(@of Stored Jacobian;
    jacobian_values_into[X: Container<Input<F>, Float<F>> + ?Sized](values: [Float<F>]) (x: X) -> ();
);
methods!(@of Stored Hessian, NumberValued;
    hessian_values_into[X: Container<Input<F>, Float<F>> + ?Sized](values: [Float<F>]) (x: X) -> ();
);
methods!(@of PowerSeries Taylor;
    taylor_coefficients_into[
        T: ContainerMut<Output<F>, Float<F>>,
        X: Container<Input<F>, Float<F>> + ?Sized,
        V: Container<Input<F>, Float<F>> + ?Sized
    ](c: [T]) (x: X, dx: V) -> ();
);

/// Operators that take an order.
impl<F, B> Ready<Taylor, F, B>
where
    F: Function + Copy,
    B: PowerSeries<Key<F>>,
{
    /// [`taylor_coefficients`](super::taylor_coefficients) with this prep.
    ///
    /// # Errors
    /// Those of the operator.
    pub fn taylor_coefficients<X, V>(
        &self,
        order: usize,
        x: &X,
        dx: &V,
    ) -> Result<Vec<Like<F>>, Error>
    where
        X: Container<Input<F>, Float<F>> + ?Sized,
        V: Container<Input<F>, Float<F>> + ?Sized,
    {
        super::taylor_coefficients(self.f, order, &self.prep, &self.prep.body().backend, x, dx)
    }

    /// [`nth_derivative`](super::nth_derivative) with this prep.
    ///
    /// # Errors
    /// Those of the operator.
    pub fn nth_derivative<X>(&self, n: usize, x: &X) -> Result<Like<F>, Error>
    where
        Key<F>: OfNumber,
        X: Container<Number, Float<F>> + ?Sized,
    {
        super::nth_derivative(self.f, n, &self.prep, &self.prep.body().backend, x)
    }

    /// [`nth_derivative_into`](super::nth_derivative_into) with this prep.
    ///
    /// # Errors
    /// Those of the operator.
    pub fn nth_derivative_into<T, X>(&self, n: usize, result: &mut T, x: &X) -> Result<(), Error>
    where
        Key<F>: OfNumber,
        T: ContainerMut<Output<F>, Float<F>> + ?Sized,
        X: Container<Number, Float<F>> + ?Sized,
    {
        super::nth_derivative_into(self.f, n, result, &self.prep, &self.prep.body().backend, x)
    }
}

impl<F, A, Y, B> Ready<GradientWithAux, F, B>
where
    F: Function<Bound: Evaluate<Value = (Float<F>, A)>> + Copy,
    Key<F>: Signature<Y = (Number, Y)>,
    Y: Family,
    B: Backend<Key<F>>,
{
    /// [`value_and_gradient_with_aux`](super::value_and_gradient_with_aux) with this prep.
    ///
    /// # Errors
    /// Those of the operator.
    #[allow(clippy::type_complexity, reason = "a triple whose parts are named")]
    pub fn value_and_gradient_with_aux<X>(&self, x: &X) -> Result<(Float<F>, A, X::Result), Error>
    where
        X: Container<Input<F>, Float<F>> + ?Sized,
    {
        super::value_and_gradient_with_aux(self.f, &self.prep, &self.prep.body().backend, x)
    }
}
