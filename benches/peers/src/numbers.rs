//! Numbers of other crates, as they are.

use crate::bodies::Number;
use hyperdual::Float as _;
use num_dual::DualNum as _;

/// Implements [`Number`] by methods of the type, or of a trait that is in scope.
macro_rules! number {
    ([$($generics:tt)*] $type:ty, constant $x:ident, $c:ident: $constant:expr, float $y:ident: $float:expr) => {
        impl<$($generics)*> Number for $type {
            #[inline]
            fn constant(self, $c: f64) -> Self {
                let $x = self;
                $constant
            }
            #[inline]
            fn float(self) -> f64 {
                let $y = self;
                $float
            }
            #[inline]
            fn exponential(self) -> Self {
                self.exp()
            }
            #[inline]
            fn logarithm(self) -> Self {
                self.ln()
            }
            #[inline]
            fn hyperbolic(self) -> Self {
                self.tanh()
            }
        }
    };
}

number!([] echidna::Reverse<f64>, constant _x, c: Self::constant(c), float x: echidna::Scalar::value(&x));
number!([] echidna::BReverse<f64>, constant _x, c: Self::constant(c), float x: echidna::Scalar::value(&x));
number!(['a] aad::Variable<'a, f64>, constant _x, c: Self::constant(c), float x: x.value());
// the tape is the only one that makes numbers
number!(['a] reverse::Var<'a>, constant x, c: x.tape.add_var(c), float x: x.val());
number!([const N: usize] num_dual::DualSVec64<N>, constant _x, c: Self::from_re(c), float x: x.re);
number!([const N: usize] hyperdual::Hyperdual<f64, N>, constant _x, c: Self::from_real(c), float x: x.real());
