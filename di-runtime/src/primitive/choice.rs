//! Which operators scratch is made for, where it is known when the program is compiled.
//!
//! Code behind `if const { .. }` is not compiled if the condition is false. Without it, a program that computes nothing
//! but gradients would compile the storage of all other operators, in each width of their lanes.

use core::marker::PhantomData;

use crate::capability::Operator;
use crate::prep::Op;

/// The operators that scratch may be made for.
pub trait Choice {
    /// The only one, if there is only one; then there are no seeds either.
    const ONLY: Option<Operator>;
    /// Is it for one direction at a time?
    const ONE_DIRECTION: bool;
}

/// Any of them, by the plan.
pub struct Any;

impl Choice for Any {
    const ONLY: Option<Operator> = None;
    const ONE_DIRECTION: bool = false;
}

/// This one.
pub struct Only<O>(PhantomData<O>);

impl<O: Op> Choice for Only<O> {
    const ONLY: Option<Operator> = Some(O::OPERATOR);
    const ONE_DIRECTION: bool = O::ONE_DIRECTION;
}

/// May it be this one?
pub const fn may<C: Choice>(operator: Operator) -> bool {
    match C::ONLY {
        Some(only) => only as u8 == operator as u8,
        None => true,
    }
}

/// Can it be no other than this one?
pub const fn is<C: Choice>(operator: Operator) -> bool {
    C::ONLY.is_some() && may::<C>(operator)
}

/// May it be one of first order?
pub const fn may_be_first_order<C: Choice>() -> bool {
    match C::ONLY {
        Some(only) => !only.is_second_order(),
        None => true,
    }
}

/// May it be one of second order?
pub const fn may_be_second_order<C: Choice>() -> bool {
    match C::ONLY {
        Some(only) => only.is_second_order(),
        None => true,
    }
}
