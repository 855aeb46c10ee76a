//! Dual numbers as scalars: passive arithmetic, comparisons, elementary functions, rules.

use crate::scalar::rule::call_on_duals;
use crate::scalar::{Dual, Lanes, Real, Rule, Scalar, Zero, partials, products};

/// Tangents times a partial derivative: a zero wins over an infinity only if it is an indicator.
macro_rules! product {
    (select $tangents:expr, $partial:expr) => {
        $tangents.scale_select($partial)
    };
    ($product:ident $tangents:expr, $partial:expr) => {
        $tangents.scale($partial)
    };
}

/// Adds the contribution of one of several arguments.
macro_rules! contribute {
    (d0 $product:ident $name:ident ($x:ident $(, $b:ident)+) $value:ident $tangents:ident) => {
        contribute!(@ d0 $product $name ($x $(, $b)+) $x $value $tangents)
    };
    (d1 $product:ident $name:ident ($x:ident, $b:ident $(, $c:ident)?) $value:ident $tangents:ident) => {
        contribute!(@ d1 $product $name ($x, $b $(, $c)?) $b $value $tangents)
    };
    (d2 $product:ident $name:ident ($x:ident, $b:ident, $c:ident) $value:ident $tangents:ident) => {
        contribute!(@ d2 $product $name ($x, $b, $c) $c $value $tangents)
    };
    (@ d0 strong powf ($x:ident, $p:ident) $by:ident $value:ident $tangents:ident) => {
        $tangents.acc(products::powf($x.tangents, $x.value, $p.value, $value));
    };
    (@ $d:ident $product:ident $name:ident ($($x:ident),+) $by:ident $value:ident $tangents:ident) => {
        if worth!($d $product $by.tangents) {
            let partial = partials::$name::$d($($x.value,)+ $value);
            $tangents.acc(product!($product $by.tangents, partial));
        }
    };
}

/// A partial with poles is not computed for an exponent or a base without derivative, as in
/// `x.powf(2.5)`. Of the first argument it always is: its tangents may be zero where it moves.
macro_rules! worth {
    (d0 $product:ident $tangents:expr) => {
        true
    };
    ($d:ident strong $tangents:expr) => {
        !Lanes::is_zero(&$tangents)
    };
    ($d:ident $product:ident $tangents:expr) => {
        true
    };
}

macro_rules! dual_methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident $operands:tt $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(dual_method!($name $args $args [$($d $product)*]);)*
    };
}

macro_rules! dual_method {
    // class zero in all arguments
    ($name:ident ($x:ident $(, $b:ident)*) $args:tt []) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $name(self $(, $b: Self)*) -> Self {
            Dual::constant(self.value.$name($($b.value),*))
        }
    };
    // factors by themselves
    (recip $($rest:tt)*) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn recip(self) -> Self {
            let value = self.value.recip();
            Dual { value, tangents: products::recip(self.tangents, value) }
        }
    };
    (powi $($rest:tt)*) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn powi(self, n: i32) -> Self {
            let value = self.value.powi(n);
            Dual { value, tangents: products::powi(self.tangents, self.value, n, value) }
        }
    };
    // one argument
    ($name:ident ($x:ident) $args:tt [d0 $product:ident]) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $name(self) -> Self {
            let value = self.value.$name();
            let partial = partials::$name::d0(self.value, value);
            Dual { value, tangents: product!($product self.tangents, partial) }
        }
    };
    // several arguments
    ($name:ident ($x:ident, $($b:ident),+) $args:tt [$($d:ident $product:ident)*]) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $name(self, $($b: Self),+) -> Self {
            let $x = self;
            let value = $x.value.$name($($b.value),+);
            let mut tangents: [S; K] = Zero::zero();
            $(contribute!($d $product $name $args value tangents);)*
            Dual { value, tangents }
        }
    };
}

impl<S: Scalar, const K: usize> Scalar for Dual<S, K> {
    type Real = S::Real;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_real(c: S::Real) -> Self {
        Dual::constant(S::from_real(c))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn primal(self) -> S::Real {
        self.value.primal()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn integer(self) -> S::Real {
        self.value.integer()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_zero(self) -> bool {
        self.value.is_zero() && Lanes::is_zero(&self.tangents)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn vanishes(self) -> bool {
        self.value.vanishes()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_steady(self, c: Self) -> Self {
        let mut tangents = self.tangents;
        for dx in &mut tangents {
            *dx = dx.mul_steady(c.value);
        }
        Dual {
            value: self.value.mul_steady(c.value),
            tangents,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_steady(self) -> bool {
        self.value.is_steady() && Lanes::is_zero(&self.tangents)
    }

    /// As a product. LLVM adds equal numbers before it separates values and tangents that it has loaded, and then has
    /// more to add and to separate. The processor is told to add in the end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn twice(self) -> Self {
        self.mul_real(S::Real::from_f64(2.0))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_tangents(&mut self, o: Self) {
        self.tangents = o.tangents;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_strong(self, o: Self) -> Self {
        let mut tangents = self.tangents;
        for (dx, dy) in tangents.iter_mut().zip(o.tangents) {
            *dx = dx.mul_strong(o.value) + self.value.mul_strong(dy);
        }
        Dual {
            value: self.value.mul_strong(o.value),
            tangents,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_real(self, c: S::Real) -> Self {
        Dual {
            value: self.value.add_real(c),
            tangents: self.tangents,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub_real(self, c: S::Real) -> Self {
        Dual {
            value: self.value.sub_real(c),
            tangents: self.tangents,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_real(self, c: S::Real) -> Self {
        Dual {
            value: self.value.mul_real(c),
            tangents: self.tangents.scale_real(c),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn div_real(self, c: S::Real) -> Self {
        let reciprocal = partials::lit::<S::Real>(1.0) / c;
        Dual {
            value: self.value.div_real(c),
            tangents: self.tangents.scale_real(reciprocal),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rem_real(self, c: S::Real) -> Self {
        Dual {
            value: self.value.rem_real(c),
            tangents: self.tangents,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn real_sub(c: S::Real, x: Self) -> Self {
        Dual {
            value: S::real_sub(c, x.value),
            tangents: Lanes::neg(x.tangents),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn real_div(c: S::Real, x: Self) -> Self {
        let value = S::real_div(c, x.value);
        Dual {
            value,
            tangents: products::divisor(x.tangents, x.value, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn real_rem(c: S::Real, x: Self) -> Self {
        let value = S::real_rem(c, x.value);
        let partial = partials::rem::d1(S::from_real(c), x.value, value);
        Dual {
            value,
            tangents: x.tangents.scale(partial),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lt(self, o: Self) -> bool {
        self.value.lt(o.value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn le(self, o: Self) -> bool {
        self.value.le(o.value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn gt(self, o: Self) -> bool {
        self.value.gt(o.value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ge(self, o: Self) -> bool {
        self.value.ge(o.value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn eq(self, o: Self) -> bool {
        self.value.eq(o.value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ne(self, o: Self) -> bool {
        self.value.ne(o.value)
    }

    #[inline]
    fn call_rule<R: Rule<S::Real, N, M>, const N: usize, const M: usize>(
        rule: &R,
        x: [&[Self]; N],
        y: [&mut [Self]; M],
    ) {
        call_on_duals(rule, x, y);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (
            Dual {
                value: sin,
                tangents: self.tangents.scale(cos),
            },
            Dual {
                value: cos,
                tangents: self.tangents.scale(-sin),
            },
        )
    }

    di_elementary::elementary!(dual_methods);
}
