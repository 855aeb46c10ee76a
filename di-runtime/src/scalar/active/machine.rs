//! The machine of a call: values in the scalar of an engine, behind a trait object.
//!
//! A thread has at most one that runs, for each type of floats. Calls may be nested: the outer machine waits.

use core::any::Any;
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Active;
use super::thread::Hosted;
use crate::scalar::{Real, Scalar, unnoted};

macro_rules! machine {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        /// What active numbers ask for. Operands are numbers of this machine, or constants; an index is that of a
        /// number, and what is returned is that of the result.
        pub(super) trait Machine<F: Real>: Any {
            $(fn $name(&mut self, $x: Active<F> $(, $b: Active<F>)* $(, $n: i32)?) -> u32;)*
            fn sin_cos(&mut self, x: u32) -> (u32, u32);
            fn neg(&mut self, x: u32) -> u32;
            fn add(&mut self, x: u32, b: u32) -> u32;
            fn sub(&mut self, x: u32, b: u32) -> u32;
            fn mul(&mut self, x: u32, b: u32) -> u32;
            fn div(&mut self, x: u32, b: u32) -> u32;
            fn rem(&mut self, x: u32, b: u32) -> u32;
            fn add_real(&mut self, x: u32, c: F) -> u32;
            fn sub_real(&mut self, x: u32, c: F) -> u32;
            fn mul_real(&mut self, x: u32, c: F) -> u32;
            fn div_real(&mut self, x: u32, c: F) -> u32;
            fn rem_real(&mut self, x: u32, c: F) -> u32;
            fn real_sub(&mut self, c: F, x: u32) -> u32;
            fn real_div(&mut self, c: F, x: u32) -> u32;
            fn real_rem(&mut self, c: F, x: u32) -> u32;
            fn lt(&self, x: Active<F>, b: Active<F>) -> bool;
            fn le(&self, x: Active<F>, b: Active<F>) -> bool;
            fn gt(&self, x: Active<F>, b: Active<F>) -> bool;
            fn ge(&self, x: Active<F>, b: Active<F>) -> bool;
            fn eq(&self, x: Active<F>, b: Active<F>) -> bool;
            fn ne(&self, x: Active<F>, b: Active<F>) -> bool;
            fn primal(&self, x: u32) -> F;
            fn integer(&self, x: u32) -> F;
            /// The value for printing, if there is one: to ask is no error.
            fn shown(&self, x: u32) -> Option<F>;
        }

        impl<S: Scalar> Machine<S::Real> for Values<S> {
            $(fn $name(
                &mut self,
                $x: Active<S::Real>
                $(, $b: Active<S::Real>)*
                $(, $n: i32)?
            ) -> u32 {
                self.push(self.get($x).$name($(self.get($b)),* $($n)?))
            })*
            fn sin_cos(&mut self, x: u32) -> (u32, u32) {
                let (sin, cos) = self.at(x).sin_cos();
                (self.push(sin), self.push(cos))
            }
            fn neg(&mut self, x: u32) -> u32 {
                self.push(-self.at(x))
            }
            fn add(&mut self, x: u32, b: u32) -> u32 {
                self.push(self.at(x) + self.at(b))
            }
            fn sub(&mut self, x: u32, b: u32) -> u32 {
                self.push(self.at(x) - self.at(b))
            }
            fn mul(&mut self, x: u32, b: u32) -> u32 {
                self.push(self.at(x) * self.at(b))
            }
            fn div(&mut self, x: u32, b: u32) -> u32 {
                self.push(self.at(x) / self.at(b))
            }
            fn rem(&mut self, x: u32, b: u32) -> u32 {
                self.push(self.at(x) % self.at(b))
            }
            fn add_real(&mut self, x: u32, c: S::Real) -> u32 {
                self.push(self.at(x).add_real(c))
            }
            fn sub_real(&mut self, x: u32, c: S::Real) -> u32 {
                self.push(self.at(x).sub_real(c))
            }
            fn mul_real(&mut self, x: u32, c: S::Real) -> u32 {
                self.push(self.at(x).mul_real(c))
            }
            fn div_real(&mut self, x: u32, c: S::Real) -> u32 {
                self.push(self.at(x).div_real(c))
            }
            fn rem_real(&mut self, x: u32, c: S::Real) -> u32 {
                self.push(self.at(x).rem_real(c))
            }
            fn real_sub(&mut self, c: S::Real, x: u32) -> u32 {
                self.push(S::real_sub(c, self.at(x)))
            }
            fn real_div(&mut self, c: S::Real, x: u32) -> u32 {
                self.push(S::real_div(c, self.at(x)))
            }
            fn real_rem(&mut self, c: S::Real, x: u32) -> u32 {
                self.push(S::real_rem(c, self.at(x)))
            }
            fn lt(&self, x: Active<S::Real>, b: Active<S::Real>) -> bool {
                self.get(x).lt(self.get(b))
            }
            fn le(&self, x: Active<S::Real>, b: Active<S::Real>) -> bool {
                self.get(x).le(self.get(b))
            }
            fn gt(&self, x: Active<S::Real>, b: Active<S::Real>) -> bool {
                self.get(x).gt(self.get(b))
            }
            fn ge(&self, x: Active<S::Real>, b: Active<S::Real>) -> bool {
                self.get(x).ge(self.get(b))
            }
            fn eq(&self, x: Active<S::Real>, b: Active<S::Real>) -> bool {
                self.get(x).eq(self.get(b))
            }
            fn ne(&self, x: Active<S::Real>, b: Active<S::Real>) -> bool {
                self.get(x).ne(self.get(b))
            }
            fn primal(&self, x: u32) -> S::Real {
                self.at(x).primal()
            }
            fn integer(&self, x: u32) -> S::Real {
                self.at(x).integer()
            }
            fn shown(&self, x: u32) -> Option<S::Real> {
                unnoted(|| self.at(x).primal())
            }
        }
    };
}
di_elementary::elementary!(machine);

/// The values of one call.
pub(crate) struct Values<S>(Vec<S>);

/// More room than this is not kept after a call, in bytes.
const KEPT: usize = 1 << 20;

/// Rooms that a thread keeps: engines that are used in turn have one each.
const SPARES: usize = 4;

impl<S: Scalar> Values<S> {
    /// No values, and the room of an earlier call.
    pub(crate) fn spare() -> Box<Self> {
        S::Real::host(|host| {
            let spares = &mut host.borrow_mut().spares;
            let found = spares
                .iter()
                .position(|spare| (&**spare as &dyn Any).is::<Self>());
            let spare: Option<Box<dyn Any>> = found.map(|k| spares.remove(k) as Box<dyn Any>);
            spare.and_then(|spare| spare.downcast().ok())
        })
        .unwrap_or_else(|| Box::new(Values(Vec::new())))
    }

    /// Keeps the room for the next call.
    pub(crate) fn keep(mut self: Box<Self>) {
        self.0.clear();
        if self.0.capacity() * size_of::<S>() > KEPT {
            return;
        }
        S::Real::host(|host| {
            let spares = &mut host.borrow_mut().spares;
            if spares.len() == SPARES {
                spares.remove(0);
            }
            spares.push(self);
        });
    }

    /// Adds a value.
    #[inline]
    pub(crate) fn push(&mut self, value: S) -> u32 {
        let Ok(index) = u32::try_from(self.0.len()) else {
            too_many()
        };
        self.0.push(value);
        index
    }

    #[inline]
    fn at(&self, index: u32) -> S {
        self.0[index as usize]
    }

    /// The value of a number that is known to be of this machine, or a constant.
    #[inline]
    pub(crate) fn get(&self, x: Active<S::Real>) -> S {
        match x.index() {
            Some(index) => self.at(index),
            None => S::from_real(x.value()),
        }
    }
}

/// The machine of a thread.
pub struct Host<F> {
    /// Of the machine that runs; 0 if there is none.
    pub(super) number: u32,
    pub(super) machine: Option<Box<dyn Machine<F>>>,
    spares: Vec<Box<dyn Machine<F>>>,
}

impl<F> Host<F> {
    /// Before the first call.
    pub(super) const EMPTY: Self = Host {
        number: 0,
        machine: None,
        spares: Vec::new(),
    };
}

/// A number that no machine has had, on any thread.
pub(crate) fn next_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // after the last one comes 0, which stands for constants
        if number != 0 {
            return number;
        }
    }
}

/// A machine that runs, until this is dropped: then the one before it goes on.
pub(crate) struct Running<F: Real> {
    before: Option<Box<dyn Machine<F>>>,
    number_before: u32,
}

impl<F: Real> Running<F> {
    /// Starts a machine on these values.
    pub(crate) fn begin<S: Scalar<Real = F>>(number: u32, values: Box<Values<S>>) -> Self {
        F::host(|host| {
            let host = &mut *host.borrow_mut();
            Running {
                before: host.machine.replace(values),
                number_before: core::mem::replace(&mut host.number, number),
            }
        })
    }

    /// Ends it, and returns its values.
    pub(crate) fn end<S: Scalar<Real = F>>(mut self) -> Box<Values<S>> {
        let values = self.restore().map(|machine| machine as Box<dyn Any>);
        core::mem::forget(self);
        let values = values.and_then(|values| values.downcast().ok());
        values.expect("nested calls end before the call that they are in")
    }

    fn restore(&mut self) -> Option<Box<dyn Machine<F>>> {
        F::host(|host| {
            let host = &mut *host.borrow_mut();
            host.number = self.number_before;
            core::mem::replace(&mut host.machine, self.before.take())
        })
    }
}

impl<F: Real> Drop for Running<F> {
    fn drop(&mut self) {
        drop(self.restore());
    }
}

/// Numbers of the machines that a number was used without: also if the panic is caught, there is no result.
static LOST: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// How many there have been.
static LOSSES: AtomicU32 = AtomicU32::new(0);

pub(crate) fn losses() -> u32 {
    LOSSES.load(Ordering::Relaxed)
}

/// Panics if a number of a machine was used elsewhere, or one from elsewhere in it, since there were so many losses.
pub(crate) fn check_losses(before: u32, number: u32) {
    if losses() == before {
        return;
    }
    let lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
    let is_lost = lost.contains(&number);
    drop(lost);
    if is_lost {
        stale([]);
    }
}

/// What a number of another call leads to; `machines` are that of the number, and the one that runs.
#[cold]
#[inline(never)]
pub(super) fn stale<const N: usize>(machines: [u32; N]) -> ! {
    let mut lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
    lost.extend(machines);
    let excess = lost.len().saturating_sub(1 << 10);
    lost.drain(..excess);
    drop(lost);
    LOSSES.fetch_add(1, Ordering::Relaxed);
    panic!(
        "a number of one call was kept in a static, or used on another thread: in a static or a thread-local keep only \
         constants, and compute the numbers of a call on the thread that makes the call"
    )
}

#[cold]
#[inline(never)]
fn too_many() -> ! {
    panic!(
        "one call has more than 2^32 operations, and active numbers have indices of 32 bits: annotate the function \
         with `#[differentiable]`, or make it generic and annotate it with `#[generic]`"
    )
}
