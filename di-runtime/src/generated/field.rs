//! Fields of structs in generated code: their types by name, and access that does not know them.
//!
//! The compiler sees the name of a field where it is used, not its declaration. A hash of the name
//! leads to the type; what the compiler cannot tell of a value is decided by traits.

use crate::scalar::{Real, Scalar, Tree, Zero};

/// The type of the field whose name has this hash.
pub trait FieldOf<const NAME: u64> {
    /// As it was declared.
    type Type;
}

/// The integer type without a sign that is as wide as this one.
pub trait Unsigned {
    /// That type.
    type Type;
}

macro_rules! unsigned {
    ($($ty:ty => $of:ty),*) => {$(
        impl Unsigned for $ty {
            type Type = $of;
        }
    )*};
}
unsigned!(
    u8 => u8, u16 => u16, u32 => u32, u64 => u64, u128 => u128, usize => usize,
    i8 => u8, i16 => u16, i32 => u32, i64 => u64, i128 => u128, isize => usize
);

/// Element type of a field that is an array or a vector.
pub trait Sequence {
    /// The element.
    type Item;
}

impl<T> Sequence for Vec<T> {
    type Item = T;
}

impl<T> Sequence for [T] {
    type Item = T;
}

impl<T, const N: usize> Sequence for [T; N] {
    type Item = T;
}

/// The handle of the method whose name has this hash.
#[diagnostic::on_unimplemented(
    message = "a method of `{Self}` is called that is not differentiable",
    label = "has no derivative code",
    note = "put `#[differentiable]` on the impl block of `{Self}`, and write there what the block leaves to its trait",
    note = "a method that returns no floats may be any Rust: where it cannot be read, call it outside of the function, and \
            pass what it returns",
    note = "a function that makes a `{Self}`, and that its annotated module does not call, is left out where it cannot be \
            read: call it in the module, and the error says what cannot be read"
)]
pub trait Method<const NAME: u64> {
    /// The handle; of a type with lengths what is common to all of them.
    type Handle;
    /// The handle for the lengths of this type.
    type Instance;
    /// The type that its code is in.
    type Code;
}

/// What stands for the handle of a constructor without a derivative, which its module does not call.
#[derive(Clone, Copy, Debug)]
pub struct LeftOutUnlessItsModuleCallsIt;

/// A method with lengths of its own, each a [`Length`](super::Length).
#[diagnostic::on_unimplemented(
    message = "a method of `{Self}` is called that is not differentiable",
    label = "has no derivative code",
    note = "put `#[differentiable]` on the impl block of `{Self}`, and write there what the block leaves to its trait",
    note = "a method that returns no floats may be any Rust: where it cannot be read, call it outside of the function, and \
            pass what it returns",
    note = "a function that makes a `{Self}`, and that its annotated module does not call, is left out where it cannot be \
            read: call it in the module, and the error says what cannot be read"
)]
pub trait MethodAt<const NAME: u64, Lengths> {
    /// The handle for these lengths.
    type Instance;
    /// The type that its code is in.
    type Code;
}

/// The handle of the operator whose method's name has this hash, with `R` on the right.
#[diagnostic::on_unimplemented(
    message = "an operator of `{Self}` and `{R}` is used that is not differentiable",
    label = "not in an annotated impl block",
    note = "put `#[differentiable]` on the impl block of the operator, as for `impl Mul<V> for f64`; where a \
            type cannot be inferred, bind the operand with it"
)]
pub trait Operator<const NAME: u64, R = Self> {
    /// The handle; of types with lengths what is common to all of them.
    type Handle;
    /// The handle for the lengths of this type.
    type Instance;
    /// The type that its code is in.
    type Code;
}

/// The struct that a function returns.
#[diagnostic::on_unimplemented(
    message = "the type that this call returns cannot be inferred",
    label = "not a derived struct",
    note = "bind it with its type: `let t: [f64; 3] = ..`"
)]
pub trait Returns {
    /// As it was written.
    type Result;
}

/// The type of the value in an option or a result.
#[diagnostic::on_unimplemented(
    message = "the type that this call returns cannot be inferred",
    label = "not an option or a result",
    note = "bind it with its type: `let r: Result<P, String> = ..`"
)]
pub trait Payload {
    /// As it was written.
    type Type;
}

impl<T> Payload for Option<T> {
    type Type = T;
}

impl<T, E> Payload for Result<T, E> {
    type Type = T;
}

/// In the lanes of a struct, the place of floats that are constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoLanes;

impl NoLanes {
    /// Drops a contribution.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn acc<A>(&mut self, _: A) {}

    /// Drops a contribution.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn dec<A>(&mut self, _: A) {}
}

impl<I> std::ops::Index<I> for NoLanes {
    type Output = NoLanes;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn index(&self, _: I) -> &NoLanes {
        self
    }
}

impl<I> std::ops::IndexMut<I> for NoLanes {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn index_mut(&mut self, _: I) -> &mut NoLanes {
        self
    }
}

/// Reads a field that is a plain float: `p.a.read()` is a scalar whatever `p.a` is. Beside
/// [`ReadScalar`], the method that fits is found by the receiver.
pub trait ReadPlain {
    /// Lifted.
    fn read<S: Scalar<Real = Self>>(self) -> S
    where
        Self: Real;
}

impl ReadPlain for f64 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Scalar<Real = f64>>(self) -> S {
        S::from_real(self)
    }
}

impl ReadPlain for f32 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Scalar<Real = f32>>(self) -> S {
        S::from_real(self)
    }
}

/// Reads a field that is a scalar.
pub trait ReadScalar: Scalar {
    /// The same.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read(&self) -> Self {
        *self
    }
}

impl<S: Scalar> ReadScalar for S {}

/// The type of component `K` of what a function gives.
#[diagnostic::on_unimplemented(
    message = "what this call returns cannot be inferred",
    label = "no tuple of so many components",
    note = "bind it with its type: `let (t, v): (f64, Vec<f64>) = ..`"
)]
pub trait PartOf<const K: usize> {
    /// As it was written.
    type Type;
}

macro_rules! parts {
    ($($of:ident)*; $($at:literal $part:ident)*) => {
        parts!(@ ($($of)*) $($at $part)*);
    };
    (@ $all:tt $($at:literal $part:ident)*) => {
        $(parts!(# $all $at $part);)*
    };
    (# ($($of:ident)*) $at:literal $part:ident) => {
        impl<$($of),*> PartOf<$at> for ($($of,)*) {
            type Type = $part;
        }
    };
}
parts!(A; 0 A);
parts!(A B; 0 A 1 B);
parts!(A B C; 0 A 1 B 2 C);
parts!(A B C D; 0 A 1 B 2 C 3 D);
parts!(A B C D E; 0 A 1 B 2 C 3 D 4 E);
parts!(A B C D E F; 0 A 1 B 2 C 3 D 4 E 5 F);
parts!(A B C D E F G; 0 A 1 B 2 C 3 D 4 E 5 F 6 G);
parts!(A B C D E F G H; 0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H);

/// What a field is that stands where a float is wanted.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` was inferred as a float",
    label = "nothing tells that this is an integer",
    note = "bind it with its type: `let n: {Self} = p.n;`"
)]
pub trait IsFloat {}

impl IsFloat for f64 {}
impl IsFloat for f32 {}

/// Says what is wrong where an integer field is read as a float.
pub trait ReadInteger: Sized {
    /// Never called.
    fn read<S: Scalar>(self) -> S
    where
        Self: IsFloat,
    {
        unreachable!("an integer is no float")
    }
}

macro_rules! read_integer {
    ($($ty:ty)*) => {$( impl ReadInteger for $ty {} )*};
}
read_integer!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// Reads lanes of a field.
pub trait ReadLane<A> {
    /// The lane; zero for a constant.
    fn read_lane(&self) -> A;
}

impl<A: Zero> ReadLane<A> for A {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_lane(&self) -> A {
        *self
    }
}

impl<A: Zero> ReadLane<A> for NoLanes {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_lane(&self) -> A {
        A::zero()
    }
}

/// What a lane becomes in a field: itself, or nothing.
pub trait FromLane<A> {
    /// Kept or dropped.
    fn from_lane(lane: A) -> Self;
}

impl<A: Zero> FromLane<A> for A {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_lane(lane: A) -> A {
        lane
    }
}

impl<A> FromLane<A> for NoLanes {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_lane(_: A) -> NoLanes {
        NoLanes
    }
}

/// [`FromLane::from_lane`], with the type of the field.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn field_lane<A, F: FromLane<A>>(lane: A) -> F {
    F::from_lane(lane)
}

impl Tree for NoLanes {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_from(&mut self, _: &NoLanes) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {}
}

/// What a field is lent as: arrays and vectors as references, structs as views.
pub trait Lend {
    /// The reference or the view.
    type Lent<'a>
    where
        Self: 'a;
    /// For reading.
    fn lend(&self) -> Self::Lent<'_>;
}

impl<T, const N: usize> Lend for [T; N] {
    type Lent<'a>
        = &'a [T; N]
    where
        T: 'a;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend(&self) -> &[T; N] {
        self
    }
}

impl<T> Lend for Vec<T> {
    type Lent<'a>
        = &'a [T]
    where
        T: 'a;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend(&self) -> &[T] {
        self
    }
}

/// A struct, or structs, lent by `&mut`. The type is inferred from the callee: as they are, or for
/// reading if its parameter is behind `&`.
pub trait LentMut<'a, T: ?Sized> {
    /// The argument.
    fn lent_mut(t: &'a mut T) -> Self;
}

impl<'a, T: ?Sized> LentMut<'a, T> for &'a mut T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_mut(t: &'a mut T) -> Self {
        t
    }
}

impl<'a, T, const N: usize> LentMut<'a, [T]> for &'a mut [T; N] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_mut(t: &'a mut [T]) -> Self {
        t.try_into().expect("an array has its length")
    }
}

/// The argument for structs that are lent by `&mut`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lent_mut<'a, T: ?Sized, U: LentMut<'a, T>>(t: &'a mut T) -> U {
    U::lent_mut(t)
}

/// A struct lent by `&`. The type is inferred from the callee: the view, or a copy for a method that
/// takes `self` by value.
pub trait LentRef<V> {
    /// The argument.
    fn lent_ref(view: V) -> Self;
}

/// The argument for a struct that is lent by `&`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lent_ref<V, U: LentRef<V>>(view: V) -> U {
    U::lent_ref(view)
}

/// What reverse code hands over of structs that are lent by `&mut`. The type is inferred from the
/// callee: nothing, or the view if its parameter is behind `&`.
pub trait LentView<V> {
    /// The argument.
    fn lent_view(view: Option<V>) -> Self;
}

impl<V> LentView<V> for () {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_view(_: Option<V>) -> Self {}
}

/// The reverse argument of structs that are lent by `&mut`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lent_view<V, U: LentView<V>>(view: Option<V>) -> U {
    U::lent_view(view)
}

/// Lanes of a field as a slot wants them: arrays and vectors as slices, structs as themselves.
pub trait LendLanes {
    /// What the slot points to.
    type Lent: ?Sized;
    /// For reading.
    fn lend_lanes(&self) -> &Self::Lent;
    /// For writing.
    fn lend_lanes_mut(&mut self) -> &mut Self::Lent;
}

impl<T, const N: usize> LendLanes for [T; N] {
    type Lent = [T];
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_lanes(&self) -> &[T] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_lanes_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T> LendLanes for Vec<T> {
    type Lent = [T];
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_lanes(&self) -> &[T] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend_lanes_mut(&mut self) -> &mut [T] {
        self
    }
}

/// A copy of what a view holds.
pub trait Own {
    /// The value itself.
    type Owned;
    /// Copied.
    fn own(&self) -> Self::Owned;
}

impl<S: Scalar> Own for S {
    type Owned = S;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn own(&self) -> S {
        *self
    }
}

macro_rules! own_passive {
    ($($ty:ty)*) => {$(
        impl Own for $ty {
            type Owned = $ty;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own(&self) -> $ty {
                *self
            }
        }
    )*};
}
own_passive!(bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<T: Clone, const N: usize> Own for &[T; N] {
    type Owned = [T; N];
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn own(&self) -> [T; N] {
        (*self).clone()
    }
}

impl<T: Clone> Own for &[T] {
    type Owned = Vec<T>;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn own(&self) -> Vec<T> {
        self.to_vec()
    }
}
