//! A prep bound to a function that writes to an output: the methods of [`super::Ready`] for it.

use crate::backend::Backend;
use crate::bound::{Fixings, HandleKey, WithOutput};
use crate::error::Error;
use crate::function::{InPlace, OfNumber, Signature};
use crate::handle::Handle;
use crate::matrices::MatrixMut;
use crate::value::{Arguments, Container, ContainerMut, Number, Select, Tangents, TangentsMut};

use super::{Derivative, Jacobian, Pullback, Pushforward, Ready, SecondDerivative};

/// `x`, the result and the float of a bound handle.
type In<'c, H, V> = <HandleKey<'c, H, V> as Signature>::X;
type Out<'c, H, V> = <HandleKey<'c, H, V> as Signature>::Y;
type Real<'c, H, V> = <HandleKey<'c, H, V> as Signature>::Real;

/// Methods of one operator, each a call of the function of the same name, which borrows the output.
macro_rules! methods {
    ($op:ident $(, $key:ident)?; $($name:ident [$($generic:tt)*] ($($result:ident: $into:ty),*) ($($arg:ident: $of:ty),*) -> $out:ty;)*) => {
        impl<'c, H, V, Y, B> Ready<$op, WithOutput<'_, 'c, H, V, Y>, B>
        where
            H: Handle<Kind = InPlace>,
            V: Fixings<'c, H::Args, H::Real>,
            H::Args: Select<V::Marks, Off = V::Off>,
            <H::Args as Select<V::Marks>>::On: Arguments,
            Y: ContainerMut<H::Y, H::Real> + ?Sized,
            $(HandleKey<'c, H, V>: $key,)?
            B: Backend<HandleKey<'c, H, V>>,
        {
            $(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") with this prep and this output.")]
                ///
                /// # Errors
                /// Those of the operator.
                #[allow(clippy::type_complexity, reason = "a tuple whose parts are named")]
                pub fn $name<$($generic)*>(
                    &mut self,
                    $($result: &mut $into,)*
                    $($arg: &$of),*
                ) -> Result<$out, Error> {
                    let Ready { f, prep } = self;
                    methods!(@call $name, f, prep, [$($result)*], $($arg)*)
                }
            )*
        }
    };
    (@call $name:ident, $f:ident, $prep:ident, [$($result:ident)*], $x:ident $($tangents:ident)?) => {
        // By a pointer: the compiler gives up (1.95, with an internal error) where its inliner follows these generic calls.
        (super::$name as fn(_, $(methods!(@any $result),)* _, _, _ $(, methods!(@any $tangents))?) -> _)(
            $f.again(),
            $($result,)*
            &*$prep,
            &$prep.body().backend,
            $x
            $(, $tangents)?
        )
    };
    (@any $name:ident) => { _ };
}

methods!(Jacobian;
    jacobian[X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized]() (x: X) -> B::Matrix;
    jacobian_into[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        J: MatrixMut<Real<'c, H, V>, B::Matrix> + ?Sized
    ](j: J) (x: X) -> ();
    value_and_jacobian[X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized]() (x: X) -> (&mut Y, B::Matrix);
    value_and_jacobian_into[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        J: MatrixMut<Real<'c, H, V>, B::Matrix> + ?Sized
    ](j: J) (x: X) -> &mut Y;
);
methods!(Derivative, OfNumber;
    derivative[X: Container<Number, Real<'c, H, V>> + ?Sized]() (x: X) -> Y::Result;
    derivative_into[
        X: Container<Number, Real<'c, H, V>> + ?Sized,
        D: ContainerMut<Out<'c, H, V>, Real<'c, H, V>> + ?Sized
    ](dy: D) (x: X) -> ();
    value_and_derivative[X: Container<Number, Real<'c, H, V>> + ?Sized]() (x: X) -> (&mut Y, Y::Result);
    value_and_derivative_into[
        X: Container<Number, Real<'c, H, V>> + ?Sized,
        D: ContainerMut<Out<'c, H, V>, Real<'c, H, V>> + ?Sized
    ](dy: D) (x: X) -> &mut Y;
);
methods!(SecondDerivative, OfNumber;
    second_derivative[X: Container<Number, Real<'c, H, V>> + ?Sized]() (x: X) -> Y::Result;
    second_derivative_into[
        X: Container<Number, Real<'c, H, V>> + ?Sized,
        D: ContainerMut<Out<'c, H, V>, Real<'c, H, V>> + ?Sized
    ](ddy: D) (x: X) -> ();
    value_derivative_and_second_derivative[X: Container<Number, Real<'c, H, V>> + ?Sized]() (x: X)
        -> (&mut Y, Y::Result, Y::Result);
    value_derivative_and_second_derivative_into[
        X: Container<Number, Real<'c, H, V>> + ?Sized,
        D: ContainerMut<Out<'c, H, V>, Real<'c, H, V>> + ?Sized,
        E: ContainerMut<Out<'c, H, V>, Real<'c, H, V>> + ?Sized
    ](dy: D, ddy: E) (x: X) -> &mut Y;
);
methods!(Pushforward;
    pushforward[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        T: Tangents<In<'c, H, V>, Real<'c, H, V>, M> + ?Sized, M
    ]() (x: X, dx: T) -> T::Each<Out<'c, H, V>, Y::Result>;
    pushforward_into[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        T: Tangents<In<'c, H, V>, Real<'c, H, V>, M> + ?Sized,
        D: TangentsMut<Out<'c, H, V>, Real<'c, H, V>, M> + ?Sized, M
    ](dy: D) (x: X, dx: T) -> ();
    value_and_pushforward[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        T: Tangents<In<'c, H, V>, Real<'c, H, V>, M> + ?Sized, M
    ]() (x: X, dx: T) -> (&mut Y, T::Each<Out<'c, H, V>, Y::Result>);
    value_and_pushforward_into[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        T: Tangents<In<'c, H, V>, Real<'c, H, V>, M> + ?Sized,
        D: TangentsMut<Out<'c, H, V>, Real<'c, H, V>, M> + ?Sized, M
    ](dy: D) (x: X, dx: T) -> &mut Y;
);
methods!(Pullback;
    pullback[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        T: Tangents<Out<'c, H, V>, Real<'c, H, V>, M> + ?Sized, M
    ]() (x: X, dy: T) -> T::Each<In<'c, H, V>, X::Result>;
    pullback_into[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        T: Tangents<Out<'c, H, V>, Real<'c, H, V>, M> + ?Sized,
        D: TangentsMut<In<'c, H, V>, Real<'c, H, V>, M> + ?Sized, M
    ](dx: D) (x: X, dy: T) -> ();
    value_and_pullback[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        T: Tangents<Out<'c, H, V>, Real<'c, H, V>, M> + ?Sized, M
    ]() (x: X, dy: T) -> (&mut Y, T::Each<In<'c, H, V>, X::Result>);
    value_and_pullback_into[
        X: Container<In<'c, H, V>, Real<'c, H, V>> + ?Sized,
        T: Tangents<Out<'c, H, V>, Real<'c, H, V>, M> + ?Sized,
        D: TangentsMut<In<'c, H, V>, Real<'c, H, V>, M> + ?Sized, M
    ](dx: D) (x: X, dy: T) -> &mut Y;
);
