//! Slots of parameters: where tangents come in and adjoints go out, if they are asked for.

use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

use crate::scalar::{Lanes, Scalar, Zero};

/// Whether the derivative by a float parameter is asked for.
pub trait Activity: Copy + 'static {
    /// The answer, known when the code is compiled.
    const LIVE: bool;
    /// The adjoint is written, not added to: whatever is in the slot is not read. The adjoint of the result does not
    /// vary with the inputs.
    const FRESH: bool = false;
    /// Nobody will look at the values of the adjoint, but at its tangents alone. It is never read by generated code but
    /// to be added to, so its values reach no tangent: what computes them is removed.
    const TANGENTS: bool = false;
    /// What callees are told: they add to what there is.
    type Lent: Activity;

    /// The first that is added to an adjoint: written if it is fresh.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn first<S: Scalar, A: Lanes<S>>(adjoint: &mut A, a: A) {
        if !Self::FRESH {
            adjoint.acc(a);
        } else if Self::TANGENTS {
            adjoint.set_tangents(a);
        } else {
            *adjoint = a;
        }
    }

    /// Adds to an adjoint.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add<S: Scalar, A: Lanes<S>>(adjoint: &mut A, a: A) {
        if Self::TANGENTS {
            adjoint.set_tangents(A::add(*adjoint, a));
        } else {
            adjoint.acc(a);
        }
    }
}

/// The derivative is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Live;

/// It is asked for, the slot's content is no matter, and the adjoint of the result is a constant: what operators hand
/// in, never callers.
#[derive(Clone, Copy, Debug)]
pub struct Fresh;

/// [`Fresh`], of an engine inside of another one: of the adjoint only the tangents are asked for.
#[derive(Clone, Copy, Debug)]
pub struct FreshTangents;

/// It is not, and what would compute it is removed.
#[derive(Clone, Copy, Debug)]
pub struct Dead;

impl Activity for Live {
    type Lent = Live;
    const LIVE: bool = true;
}

impl Activity for Fresh {
    type Lent = Live;
    const LIVE: bool = true;
    const FRESH: bool = true;
}

impl Activity for FreshTangents {
    type Lent = Live;
    const LIVE: bool = true;
    const FRESH: bool = true;
    const TANGENTS: bool = true;
}

impl Activity for Dead {
    type Lent = Dead;
    const LIVE: bool = false;
}

/// Tangent of a float parameter, going in.
#[derive(Debug)]
pub struct Seed<'a, T: ?Sized, P>(Option<&'a T>, PhantomData<P>);

/// Adjoint of a float parameter, going out: accumulated into, never cleared.
#[derive(Debug)]
pub struct Shadow<'a, T: ?Sized, P>(Option<&'a mut T>, PhantomData<P>);

impl<T: ?Sized, P> Clone for Seed<'_, T, P> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized, P> Copy for Seed<'_, T, P> {}

impl<'a, T: ?Sized, P: Activity> Seed<'a, T, P> {
    /// A tangent; nothing if `P` is dead.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(t: &'a T) -> Self {
        Seed(if P::LIVE { Some(t) } else { None }, PhantomData)
    }

    /// A tangent, if there is one; nothing if `P` is dead.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn maybe(t: Option<&'a T>) -> Self {
        Seed(if P::LIVE { t } else { None }, PhantomData)
    }

    /// The tangent, if `P` is live.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn get(self) -> Option<&'a T> {
        if P::LIVE { self.0 } else { None }
    }

    /// The same seed once more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn reborrow(&self) -> Seed<'a, T, P> {
        *self
    }

    /// The seed of a part: a field, a row, a range.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn map<U: ?Sized>(self, part: impl FnOnce(&'a T) -> &'a U) -> Seed<'a, U, P> {
        Seed(self.get().map(part), PhantomData)
    }
}

impl<T: ?Sized> Seed<'_, T, Dead> {
    /// No tangent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn dead() -> Self {
        Seed(None, PhantomData)
    }
}

impl<T: Zero, P: Activity> Seed<'_, T, P> {
    /// The tangent, zero if `P` is dead.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn value(self) -> T {
        self.get().copied().unwrap_or_else(T::zero)
    }
}

impl<'a, T, P: Activity> Seed<'a, [T], P> {
    /// The tangents beside so many elements; none if there are none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn beside(self, len: usize) -> &'a [T] {
        self.get().map_or(&[], |t| &t[..len])
    }

    /// The seed of element `i`: of a number, or of a row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn at(self, i: usize) -> Seed<'a, T, P> {
        self.map(|t| &t[i])
    }

    /// The seed of a range of elements.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn slice(self, range: impl RangeBounds<usize>) -> Seed<'a, [T], P> {
        self.map(|t| &t[bounds(range)])
    }
}

impl<'a, T, P: Activity, const M: usize> Seed<'a, [T; M], P> {
    /// The seed of an array as that of a slice.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn as_slice(self) -> Seed<'a, [T], P> {
        self.map(|t| &t[..])
    }
}

impl<'a, T: ?Sized, P: Activity> Shadow<'a, T, P> {
    /// An adjoint; nothing if `P` is dead.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(t: &'a mut T) -> Self {
        Shadow(if P::LIVE { Some(t) } else { None }, PhantomData)
    }

    /// An adjoint, if there is one; nothing if `P` is dead.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn maybe(t: Option<&'a mut T>) -> Self {
        Shadow(if P::LIVE { t } else { None }, PhantomData)
    }

    /// The adjoint, if `P` is live.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn get(&mut self) -> Option<&mut T> {
        if P::LIVE { self.0.as_deref_mut() } else { None }
    }

    /// The adjoint for as long as it lives, if `P` is live.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn into_inner(self) -> Option<&'a mut T> {
        if P::LIVE { self.0 } else { None }
    }

    /// The same shadow for a while.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn reborrow(&mut self) -> Shadow<'_, T, P> {
        Shadow(self.get(), PhantomData)
    }

    /// The shadow of a part: a field, a row, a range.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn map<U: ?Sized>(self, part: impl FnOnce(&'a mut T) -> &'a mut U) -> Shadow<'a, U, P> {
        Shadow(self.into_inner().map(part), PhantomData)
    }
}

impl<'a, T: ?Sized, P: Activity> Shadow<'a, T, P> {
    /// The shadow as a callee gets it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn lent(self) -> Shadow<'a, T, P::Lent> {
        Shadow(self.into_inner(), PhantomData)
    }
}

impl<T: ?Sized> Shadow<'_, T, Dead> {
    /// No adjoint.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn dead() -> Self {
        Shadow(None, PhantomData)
    }
}

impl<A: Copy, P: Activity> Shadow<'_, A, P> {
    /// Adds to the adjoint of a number, if `P` is live.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn acc<S: Scalar>(&mut self, a: A)
    where
        A: Lanes<S>,
    {
        if let Some(adjoint) = self.get() {
            P::add(adjoint, a);
        }
    }
}

impl<A: Copy, P: Activity> Shadow<'_, A, P> {
    /// All of the adjoint of a number, if `P` is live: added, or written if it is fresh.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn give<S: Scalar>(self, a: A)
    where
        A: Lanes<S>,
    {
        if let Some(adjoint) = self.into_inner() {
            P::first(adjoint, a);
        }
    }
}

impl<'a, A, P: Activity> Shadow<'a, [A], P> {
    /// The adjoints beside so many elements; none if there are none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn beside(self, len: usize) -> &'a mut [A] {
        self.into_inner().map_or(&mut [], |t| &mut t[..len])
    }

    /// The shadow of element `i`: of a number, or of a row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn at(self, i: usize) -> Shadow<'a, A, P> {
        self.map(|a| &mut a[i])
    }

    /// The shadow of a range of elements.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn slice(self, range: impl RangeBounds<usize>) -> Shadow<'a, [A], P> {
        self.map(|a| &mut a[bounds(range)])
    }
}

impl<'a, A, P: Activity, const M: usize> Shadow<'a, [A; M], P> {
    /// The shadow of an array as that of a slice.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn as_slice(self) -> Shadow<'a, [A], P> {
        self.map(|a| &mut a[..])
    }
}

/// Bounds of a range, as an index of slices.
#[cfg_attr(not(debug_assertions), inline(always))]
fn bounds(range: impl RangeBounds<usize>) -> (Bound<usize>, Bound<usize>) {
    (range.start_bound().cloned(), range.end_bound().cloned())
}

/// A slot of what is lent by `&mut`. The type is inferred from the callee: the slice itself, or a live
/// [`Seed`] or [`Shadow`] if its parameter is behind `&`.
pub trait LentSlot<'a, T: ?Sized> {
    /// The slot.
    fn lent_slot(t: &'a mut T) -> Self;
}

impl<'a, T: ?Sized> LentSlot<'a, T> for &'a mut T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_slot(t: &'a mut T) -> Self {
        t
    }
}

impl<'a, T: ?Sized> LentSlot<'a, T> for Seed<'a, T, Live> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_slot(t: &'a mut T) -> Self {
        Seed::new(t)
    }
}

impl<'a, T: ?Sized> LentSlot<'a, T> for Shadow<'a, T, Live> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_slot(t: &'a mut T) -> Self {
        Shadow::new(t)
    }
}

/// A number that is lent by `&mut`, where the callee takes it by `&`.
impl<'a, A> LentSlot<'a, [A]> for Seed<'a, A, Live> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_slot(t: &'a mut [A]) -> Self {
        Seed::new(&t[0])
    }
}

impl<'a, A> LentSlot<'a, [A]> for Shadow<'a, A, Live> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_slot(t: &'a mut [A]) -> Self {
        Shadow::new(&mut t[0])
    }
}

/// The adjoint of what a call gave. The type is inferred from the callee: of structs it is lent, of a number it is
/// taken.
pub trait GivenAdjoint<'a, T> {
    /// The argument.
    fn given_adjoint(t: &'a mut T) -> Self;
}

impl<'a, T> GivenAdjoint<'a, T> for &'a mut T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn given_adjoint(t: &'a mut T) -> Self {
        t
    }
}

impl<'a, A: Zero> GivenAdjoint<'a, A> for A {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn given_adjoint(t: &'a mut A) -> A {
        std::mem::replace(t, A::zero())
    }
}

/// The adjoint of what a call gave.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn given_adjoint<'a, T, U: GivenAdjoint<'a, T>>(t: &'a mut T) -> U {
    U::given_adjoint(t)
}

/// The slot of an argument that is lent by `&mut`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lent_slot<'a, T: ?Sized, U: LentSlot<'a, T>>(t: &'a mut T) -> U {
    U::lent_slot(t)
}

/// What reverse code hands over of an argument that is lent by `&mut`. The type is inferred from the
/// callee: nothing, or the values if its parameter is behind `&`.
pub trait LentValue<'a, T: ?Sized> {
    /// The argument.
    fn lent_value(t: &'a T) -> Self;
}

impl<'a, T: ?Sized> LentValue<'a, T> for () {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_value(_: &'a T) -> Self {}
}

impl<'a, T: ?Sized> LentValue<'a, T> for &'a T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_value(t: &'a T) -> Self {
        t
    }
}

/// The reverse argument of what is lent by `&mut`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lent_value<'a, T: ?Sized, U: LentValue<'a, T>>(t: &'a T) -> U {
    U::lent_value(t)
}

/// A number that is lent by `&mut`, as an array of one. The type is inferred from the callee: the array,
/// or the number if its parameter is behind `&`.
pub trait LentNumber<'a, S> {
    /// The argument.
    fn lent_number(t: &'a mut [S; 1]) -> Self;
}

impl<'a, S> LentNumber<'a, S> for &'a mut [S; 1] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_number(t: &'a mut [S; 1]) -> Self {
        t
    }
}

impl<'a, S: Copy> LentNumber<'a, S> for S {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_number(t: &'a mut [S; 1]) -> Self {
        t[0]
    }
}

/// The argument for a number that is lent by `&mut`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lent_number<'a, S, U: LentNumber<'a, S>>(t: &'a mut [S; 1]) -> U {
    U::lent_number(t)
}

/// What stands in the place of a [`Seed`] or [`Shadow`] for a passive argument. The type is inferred
/// from the callee: a dead slot, or `()` if its parameter is a constant.
pub trait NoSlot {
    /// It.
    fn no_slot() -> Self;
}

impl<T: ?Sized> NoSlot for Seed<'_, T, Dead> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn no_slot() -> Self {
        Seed::dead()
    }
}

impl<T: ?Sized> NoSlot for Shadow<'_, T, Dead> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn no_slot() -> Self {
        Shadow::dead()
    }
}

impl NoSlot for () {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn no_slot() -> Self {}
}

/// The slot of a passive argument.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn no_slot<N: NoSlot>() -> N {
    N::no_slot()
}

/// Whether adjoints of results come from an operator: what is to be written to is fresh then.
///
/// # Panics
/// If one of them varies, which [`scale_by`] does not look at.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn steady<S: Scalar, A: Lanes<S>>(fresh: &[bool], seeds: &[A]) -> bool {
    let steady = fresh.contains(&true);
    assert!(
        !steady || seeds.iter().all(A::is_steady),
        "adjoints of results that are handed to generated code do not vary"
    );
    steady
}

/// An adjoint times a number; if it is `steady`, it does not vary.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn scale_by<S: Scalar, A: Lanes<S>>(steady: bool, adjoint: A, s: S) -> A {
    if steady {
        adjoint.scale_steady(s)
    } else {
        adjoint.scale(s)
    }
}
