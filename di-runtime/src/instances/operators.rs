//! Operators of functions of slices, without the code of a function.

use core::marker::PhantomData;

use crate::backends::AutoSource;
use crate::bound::{Bound, Open};
use crate::error::Error;
use crate::function::Returning;
use crate::handle::Handle;
use crate::matrix::Matrix;
use crate::operators::{
    gradient, hessian, hvp, prepare_gradient, prepare_hessian, prepare_hvp, value_and_gradient,
};
use crate::prep::NoPrep;
use crate::value::{List, Number, Slice};

/// A function of parameters of the families `A`, without code.
struct Sample<A>(PhantomData<fn() -> A>);

impl<A> Clone for Sample<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Sample<A> {}

impl<A: List> Handle for Sample<A> {
    type Real = f64;
    type Args = A;
    type Caches = ();
    type Y = Number;
    type Kind = Returning;
    type Ctx<'c> = ();
    const FRESH: bool = true;
    const NAMES: &'static [&'static str] = &[];
}

macro_rules! gradients {
    ($($name:ident: $args:ty, $open:expr, $x:ty => $g:ty;)*) => {$(
        /// Gradients, products with Hessians and Hessians of functions of so many slices.
        ///
        /// # Errors
        /// Those of the operators.
        pub fn $name(x: &$x) -> Result<($g, $g, Matrix<f64>), Error> {
            let f = Bound::<Sample<$args>, _>::new((), $open);
            let source = AutoSource::new();
            let prep = prepare_gradient(f, &source, x)?;
            gradient(f, &prep, &source, x)?;
            value_and_gradient(f, &prep, &source, x)?;
            let prep = prepare_hvp(f, &source, x, x)?;
            hvp(f, &prep, &source, x, x)?;
            let prep = prepare_hessian(f, &source, x)?;
            hessian(f, &prep, &source, x)?;
            Ok((
                gradient(f, NoPrep, &source, x)?,
                hvp(f, NoPrep, &source, x, x)?,
                hessian(f, NoPrep, &source, x)?,
            ))
        }
    )*};
}
gradients! {
    one: (Slice, ()), (Open, ()), [f64] => Vec<f64>;
    two: (Slice, (Slice, ())), (Open, (Open, ())), (&[f64], &[f64]) => (Vec<f64>, Vec<f64>);
    three: (Slice, (Slice, (Slice, ()))), (Open, (Open, (Open, ()))),
        (&[f64], &[f64], &[f64]) => (Vec<f64>, Vec<f64>, Vec<f64>);
}
