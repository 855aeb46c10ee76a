//! Operations of a tape: arithmetic, elementary functions, and what the optimiser makes of them.

use crate::rules;
use crate::scalar::{Lanes, Scalar, products};

/// What one instruction computes. `x`, `b`, `c` are its operands; `r` is a real number, known when it
/// was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// `x + b`
    Add,
    /// `x - b`
    Sub,
    /// `x b`
    Mul,
    /// `x / b`
    Div,
    /// `x % b`
    Rem,
    /// `-x`
    Neg,
    /// `x b` where zeros of `x` win.
    MulStrong,
    /// `x + r`
    AddReal,
    /// `x - r`
    SubReal,
    /// `x r`
    MulReal,
    /// `x / r`
    DivReal,
    /// `x % r`
    RemReal,
    /// `r - x`
    RealSub,
    /// `r / x`
    RealDiv,
    /// `r % x`
    RealRem,
    /// `x b + c`, rounded twice.
    MulAdd,
    /// `x b - c`, rounded twice.
    MulSub,
    /// `c - x b`, rounded twice.
    SubMul,
    /// `x r + c`, rounded twice.
    ScaleAdd,
    /// `c - x r`, rounded twice.
    SubScale,
    /// `x` and a row of terms, added one after the other.
    Sum,
    /// A result of foreign code: value and partial derivatives are kept as they were.
    Given,
    /// A row of the table.
    Call(Elementary),
}

/// Which operand of an operation is a real number, if one is.
pub(super) const fn real_operand(op: Op) -> Option<usize> {
    match op {
        Op::AddReal
        | Op::SubReal
        | Op::MulReal
        | Op::DivReal
        | Op::RemReal
        | Op::RealSub
        | Op::RealDiv
        | Op::RealRem
        | Op::ScaleAdd
        | Op::SubScale => Some(1),
        Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Rem
        | Op::Neg
        | Op::MulStrong
        | Op::MulAdd
        | Op::MulSub
        | Op::SubMul
        | Op::Sum
        | Op::Given
        | Op::Call(_) => None,
    }
}

/// How many operands are numbers, reals counted, integers not.
pub(super) const fn arity(op: Op) -> usize {
    match op {
        Op::Neg => 1,
        Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Rem
        | Op::MulStrong
        | Op::AddReal
        | Op::SubReal
        | Op::MulReal
        | Op::DivReal
        | Op::RemReal
        | Op::RealSub
        | Op::RealDiv
        | Op::RealRem => 2,
        Op::MulAdd | Op::MulSub | Op::SubMul | Op::ScaleAdd | Op::SubScale => 3,
        Op::Sum | Op::Given => 0,
        Op::Call(f) => f.arity(),
    }
}

/// Adjoint times a partial derivative: a zero wins over an infinity only if it is an indicator.
macro_rules! product {
    (select $adjoint:expr, $partial:expr) => {
        $adjoint.scale_select($partial)
    };
    ($product:ident $adjoint:expr, $partial:expr) => {
        $adjoint.scale($partial)
    };
}

macro_rules! digit {
    (d0) => {
        0
    };
    (d1) => {
        1
    };
    (d2) => {
        2
    };
}

macro_rules! count {
    (($a:ident $(; $n:ident)?)) => {
        1
    };
    (($a:ident, $b:ident)) => {
        2
    };
    (($a:ident, $b:ident, $c:ident)) => {
        3
    };
}

macro_rules! has_integer {
    (($a:ident; $n:ident)) => {
        true
    };
    (($a:ident $(, $b:ident)*)) => {
        false
    };
}

/// Applies a method or a rule to its arguments.
macro_rules! apply {
    (value $name:ident ($x:ident $(, $b:ident)*; $i:ident) $args:ident $n:ident) => {
        $args[0].$name($n)
    };
    (value $name:ident ($x:ident) $args:ident $n:ident) => {
        $args[0].$name()
    };
    (value $name:ident ($x:ident, $b:ident) $args:ident $n:ident) => {
        $args[0].$name($args[1])
    };
    (value $name:ident ($x:ident, $b:ident, $c:ident) $args:ident $n:ident) => {
        $args[0].$name($args[1], $args[2])
    };
    ($d:ident $name:ident ($x:ident; $i:ident) $args:ident $n:ident $y:ident) => {
        rules::$name::$d($args[0], $n, $y)
    };
    ($d:ident $name:ident ($x:ident) $args:ident $n:ident $y:ident) => {
        rules::$name::$d($args[0], $y)
    };
    ($d:ident $name:ident ($x:ident, $b:ident) $args:ident $n:ident $y:ident) => {
        rules::$name::$d($args[0], $args[1], $y)
    };
    ($d:ident $name:ident ($x:ident, $b:ident, $c:ident) $args:ident $n:ident $y:ident) => {
        rules::$name::$d($args[0], $args[1], $args[2], $y)
    };
}

macro_rules! table {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident $operands:tt $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        /// The functions of the table.
        #[allow(non_camel_case_types, reason = "named as their rows")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Elementary {
            $($name),*
        }

        impl Elementary {
            /// Number of float arguments.
            pub(super) const fn arity(self) -> usize {
                match self {
                    $(Elementary::$name => count!($args)),*
                }
            }

            /// Has it a passive integer?
            pub(super) const fn has_integer(self) -> bool {
                match self {
                    $(Elementary::$name => has_integer!($args)),*
                }
            }

            /// Its value; arguments that it does not have may be anything.
            #[inline]
            #[allow(unreachable_patterns, reason = "`clamp` has its own")]
            pub(super) fn value<S: Scalar>(self, x: [S; 3], n: i32) -> S {
                match self {
                    Elementary::clamp => clamp(x),
                    $(Elementary::$name => apply!(value $name $args x n)),*
                }
            }

            /// The adjoint `yb` of its result `y` times its derivative by argument `k`.
            #[inline]
            #[allow(clippy::match_single_binding, reason = "rows without derivatives")]
            #[allow(unused_variables, reason = "not every row has an integer")]
            #[allow(unreachable_patterns, reason = "products of factors have their own")]
            pub(super) fn pull<S: Scalar, A: Lanes<S>>(
                self,
                k: usize,
                x: [S; 3],
                n: i32,
                y: S,
                yb: A,
            ) -> A {
                match self {
                    Elementary::recip => products::recip(yb, y),
                    Elementary::powi => products::powi(yb, x[0], n, y),
                    Elementary::powf if k == 0 => products::powf(yb, x[0], x[1], y),
                    $(Elementary::$name => match k {
                        $(digit!($d) => {
                            let partial = apply!($d $name $args x n y);
                            product!($product yb, partial)
                        })*
                        _ => A::zero(),
                    }),*
                }
            }

            /// Does argument `k` carry a derivative?
            pub(super) const fn depends(self, k: usize) -> bool {
                match self {
                    $(Elementary::$name => false $(|| k == digit!($d))*),*
                }
            }
        }
    };
}
di_elementary::elementary!(table);

/// Where the bounds are out of order, which panics, a replay is not one of what was recorded: its
/// guard will say so, and any number will do.
#[inline]
fn clamp<S: Scalar>([x, lo, hi]: [S; 3]) -> S {
    if lo.le(hi) { x.clamp(lo, hi) } else { x }
}
