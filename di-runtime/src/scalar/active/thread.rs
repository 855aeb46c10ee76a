//! Operations on the machine that runs on this thread.
//!
//! Each is compiled here, once for each type of floats, so that an operation in code of users is one call.

use core::cell::RefCell;

use super::Active;
use super::machine::{Host, Machine, stale};
use crate::scalar::{Real, Scalar};

/// A type of floats of which there are machines.
pub trait Hosted: Sized {
    /// Operations on numbers of this type.
    type Thread: Operations<Self>
    where
        Self: Real;
    /// Passes on where the machine of this thread is.
    fn host<T>(run: impl FnOnce(&RefCell<Host<Self>>) -> T) -> T;
}

/// The operations of a type of floats on this thread.
pub(crate) type Thread<F> = <F as Hosted>::Thread;

/// What stands for this thread.
pub struct ThisThread;

macro_rules! operations_trait {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        /// Operations on active numbers; constants alone need no machine.
        #[doc(hidden)]
        pub trait Operations<F: Real> {
            $(fn $name($x: Active<F> $(, $b: Active<F>)* $(, $n: i32)?) -> Active<F>;)*
            fn sin_cos(x: Active<F>) -> (Active<F>, Active<F>);
            fn neg(x: Active<F>) -> Active<F>;
            fn add(x: Active<F>, b: Active<F>) -> Active<F>;
            fn sub(x: Active<F>, b: Active<F>) -> Active<F>;
            fn mul(x: Active<F>, b: Active<F>) -> Active<F>;
            fn div(x: Active<F>, b: Active<F>) -> Active<F>;
            fn rem(x: Active<F>, b: Active<F>) -> Active<F>;
            fn lt(x: Active<F>, b: Active<F>) -> bool;
            fn le(x: Active<F>, b: Active<F>) -> bool;
            fn gt(x: Active<F>, b: Active<F>) -> bool;
            fn ge(x: Active<F>, b: Active<F>) -> bool;
            fn eq(x: Active<F>, b: Active<F>) -> bool;
            fn ne(x: Active<F>, b: Active<F>) -> bool;
            /// The value. The engine notes that it is looked at.
            fn primal(x: Active<F>) -> F;
            /// The value, of which only the integer part is looked at.
            fn integer(x: Active<F>) -> F;
            /// The value for printing, if it has one.
            fn shown(x: Active<F>) -> Option<F>;
        }
    };
}
di_elementary::elementary!(operations_trait);

/// Asks the machine that runs. At least one operand is no constant.
#[inline(always)]
fn ask<F: Real, T, const N: usize>(
    operands: [Active<F>; N],
    question: impl FnOnce(&mut dyn Machine<F>, u32) -> T,
) -> T {
    F::host(
        #[inline(always)]
        |host| {
            let host = &mut *host.borrow_mut();
            for operand in operands {
                operand.check(host.number);
            }
            match &mut host.machine {
                Some(machine) => question(&mut **machine, host.number),
                None => stale(operands.map(Active::machine)),
            }
        },
    )
}

/// The result of an operation. At least one operand is no constant.
#[inline(always)]
fn operate<F: Real, const N: usize>(
    operands: [Active<F>; N],
    operation: impl FnOnce(&mut dyn Machine<F>) -> u32,
) -> Active<F> {
    ask(
        operands,
        #[inline(always)]
        |m, number| Active::at(operation(m), number),
    )
}

#[cold]
#[inline(never)]
fn ended() -> ! {
    panic!("a function was differentiated while its thread ends")
}

/// Operators: between numbers, with a constant on the right, with one on the left.
macro_rules! operators {
    ($($name:ident: |$m:ident, $x:ident, $c:ident| $right:expr, $left:expr;)*) => {$(
        fn $name(a: Active<F>, b: Active<F>) -> Active<F> {
            match (a.index(), b.index()) {
                (Some(x), Some(y)) => operate([a, b], |m| m.$name(x, y)),
                (Some($x), None) => {
                    let $c = b.value();
                    operate([a], |$m| $right)
                }
                (None, Some($x)) => {
                    let $c = a.value();
                    operate([b], |$m| $left)
                }
                (None, None) => Active::constant(a.value().$name(b.value())),
            }
        }
    )*};
}

macro_rules! comparisons {
    ($($name:ident)*) => {$(
        fn $name(a: Active<F>, b: Active<F>) -> bool {
            if a.is_constant() && b.is_constant() {
                return Scalar::$name(a.value(), b.value());
            }
            ask([a, b], |m, _| m.$name(a, b))
        }
    )*};
}

macro_rules! operations {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        impl Operations<F> for ThisThread {
            $(fn $name($x: Active<F> $(, $b: Active<F>)* $(, $n: i32)?) -> Active<F> {
                if $x.is_constant() $(&& $b.is_constant())* {
                    return Active::constant(Scalar::$name($x.value() $(, $b.value())* $(, $n)?));
                }
                operate([$x $(, $b)*], |m| m.$name($x $(, $b)* $(, $n)?))
            })*

            fn sin_cos(x: Active<F>) -> (Active<F>, Active<F>) {
                let Some(index) = x.index() else {
                    let (sin, cos) = Scalar::sin_cos(x.value());
                    return (Active::constant(sin), Active::constant(cos));
                };
                ask([x], |m, number| {
                    let (sin, cos) = m.sin_cos(index);
                    (Active::at(sin, number), Active::at(cos, number))
                })
            }

            fn neg(x: Active<F>) -> Active<F> {
                match x.index() {
                    Some(index) => operate([x], |m| m.neg(index)),
                    None => Active::constant(-x.value()),
                }
            }

            operators! {
                add: |m, x, c| m.add_real(x, c), m.add_real(x, c);
                sub: |m, x, c| m.sub_real(x, c), m.real_sub(c, x);
                mul: |m, x, c| m.mul_real(x, c), m.mul_real(x, c);
                div: |m, x, c| m.div_real(x, c), m.real_div(c, x);
                rem: |m, x, c| m.rem_real(x, c), m.real_rem(c, x);
            }

            comparisons! { lt le gt ge eq ne }

            fn primal(x: Active<F>) -> F {
                match x.index() {
                    Some(index) => ask([x], |m, _| m.primal(index)),
                    None => x.value(),
                }
            }

            fn integer(x: Active<F>) -> F {
                match x.index() {
                    Some(index) => ask([x], |m, _| m.integer(index)),
                    None => x.value(),
                }
            }

            fn shown(x: Active<F>) -> Option<F> {
                let Some(index) = x.index() else {
                    return Some(x.value());
                };
                F::host(|host| {
                    let host = host.try_borrow().ok()?;
                    match &host.machine {
                        Some(machine) if x.is_of(host.number) => machine.shown(index),
                        // what is printed of a panic must not panic
                        _ if std::thread::panicking() => None,
                        _ => stale([x.machine(), host.number]),
                    }
                })
            }
        }

        impl Hosted for F {
            type Thread = ThisThread;
            #[inline(always)]
            fn host<T>(run: impl FnOnce(&RefCell<Host<F>>) -> T) -> T {
                thread_local! {
                    static HOST: RefCell<Host<F>> = const { RefCell::new(Host::EMPTY) };
                }
                // `with` of std is not inlined
                let Ok(result) = HOST.try_with(run) else { ended() };
                result
            }
        }
    };
}

mod of_f64 {
    use core::ops::{Add as _, Div as _, Mul as _, Rem as _, Sub as _};

    use super::{
        Active, Host, Hosted, Operations, RefCell, Scalar, ThisThread, ask, ended, operate, stale,
    };
    type F = f64;
    di_elementary::elementary!(operations);
}

mod of_f32 {
    use core::ops::{Add as _, Div as _, Mul as _, Rem as _, Sub as _};

    use super::{
        Active, Host, Hosted, Operations, RefCell, Scalar, ThisThread, ask, ended, operate, stale,
    };
    type F = f32;
    di_elementary::elementary!(operations);
}
