//! Types that depend on a constant, so that one without a value makes them unknown; and arrays whose length
//! may be a mistake.

use core::marker::PhantomData;

/// A constant that has a value.
#[derive(Debug)]
pub struct Sound<const CHECKED: usize>;

/// `T`, if the constant has a value; else rustc knows no type, and says no more about it.
pub trait If<T: ?Sized> {
    /// `T`
    type Then: ?Sized;
}

/// `T`, in a list of arguments.
pub type Itself<T> = T;

/// Leads to a type in a field.
pub trait Named<const NAME: u64> {
    /// The type.
    type Type;
}

/// A value of the user's code: of type `T`, even where rustc does not know what it is.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn told<T>(value: T) -> T {
    value
}

/// What comes after it is checked for its types, and for nothing else: there is no such value.
pub fn never() -> core::convert::Infallible {
    panic!("code that is only checked was run")
}

/// Stands before the number of parts of a tuple, in what a function gives.
const TUPLE: u8 = 250;
/// A part that nobody looks at.
const HOLE: u8 = 251;
/// A float, and a struct.
const NUMBER: u8 = 1;
const STRUCT: u8 = 4;
/// A bool, and an integer of any type or a bool; integers of known types come behind these.
const BOOL: u8 = 2;
const INTEGER: u8 = 5;

/// Whether what a function gives is what it is taken for. Nothing is known of kinds that are zero, nor of a
/// function without any.
pub const fn gives(given: &[u8], taken: &[u8]) -> bool {
    if given.is_empty() {
        return true;
    }
    let (mut g, mut t) = (0, 0);
    while t < taken.len() {
        match (given[g], taken[t]) {
            (TUPLE, TUPLE) if given[g + 1] == taken[t + 1] => (g, t) = (g + 2, t + 2),
            (0, _) | (_, 0 | HOLE) => (g, t) = (behind(given, g), behind(taken, t)),
            (a, b) if a == b && a != TUPLE => (g, t) = (g + 1, t + 1),
            // rustc knows of which type it is
            (BOOL | 6..TUPLE, INTEGER) => (g, t) = (g + 1, t + 1),
            // numbers are structs to generated code
            (NUMBER, STRUCT) => (g, t) = (g + 1, t + 1),
            _ => return false,
        }
    }
    true
}

/// The place behind a value and its parts.
const fn behind(kinds: &[u8], mut at: usize) -> usize {
    let mut open = 1;
    while open > 0 {
        open -= 1;
        if kinds[at] == TUPLE {
            open += kinds[at + 1] as usize;
            at += 1;
        }
        at += 1;
    }
    at
}

impl<const CHECKED: usize, T: ?Sized> If<T> for Sound<CHECKED> {
    type Then = T;
}

/// What a variable of type `W` is given, which is of type `A`.
#[derive(Debug)]
pub struct Asked<W, A>(A, PhantomData<fn() -> W>);

/// Asks for a `W`. `.__value()` is one, also where the mistake is the length of an array: rustc tells of it
/// on the function itself, and with a help that it has for functions alone. Any other `A` is handed on.
#[cfg_attr(not(debug_assertions), inline(always))]
pub const fn asked<W, A>(value: A) -> Asked<W, A> {
    Asked(value, PhantomData)
}

impl<W> Asked<W, W> {
    /// The value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __value(self) -> W {
        self.0
    }
}

/// An array of another length: there is a mistake in the code, and it is not run.
pub trait AskedLength {
    /// What was asked for.
    type Wanted;
    /// Never called.
    fn __value(self) -> Self::Wanted;
}

impl<T, const N: usize, const M: usize> AskedLength for Asked<[T; N], [T; M]> {
    type Wanted = [T; N];
    fn __value(self) -> [T; N] {
        panic!("an array of length {N} was expected, not of {M}")
    }
}

/// Rows of another length, or another number of them.
pub trait AskedRows {
    /// What was asked for.
    type Wanted;
    /// Never called.
    fn __value(&self) -> Self::Wanted;
}

impl<T, const N: usize, const M: usize, const K: usize, const L: usize> AskedRows
    for Asked<[[T; N]; K], [[T; M]; L]>
{
    type Wanted = [[T; N]; K];
    fn __value(&self) -> [[T; N]; K] {
        panic!("{K} arrays of length {N} were expected, not {L} of {M}")
    }
}

/// Of another type: rustc tells where the value is used.
pub trait AskedElse {
    /// What was given.
    type Given;
    /// Never called.
    fn __value(&mut self) -> Self::Given;
}

impl<W, A> AskedElse for Asked<W, A> {
    type Given = A;
    fn __value(&mut self) -> A {
        panic!("a value of another type was expected")
    }
}

/// What `?` stands behind, of type `A`, in a function with a result of type `R`.
#[derive(Debug)]
pub struct Questioned<R, A>(A, PhantomData<fn() -> R>);

/// `questioned::<R, _>(value).__value()?` is `value?`, but for an error that does not become that of the
/// function, and for a `Result` in a function that gives an `Option`: of these rustc tells on the function
/// itself, and says something else of a closure.
#[cfg_attr(not(debug_assertions), inline(always))]
pub const fn questioned<R, A>(value: A) -> Questioned<R, A> {
    Questioned(value, PhantomData)
}

impl<U, T> Questioned<Option<U>, Option<T>> {
    /// What stands before the `?`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __value(self) -> Option<T> {
        self.0
    }
}

impl<U, F: From<E>, T, E> Questioned<Result<U, F>, Result<T, E>> {
    /// What stands before the `?`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __value(self) -> Result<T, E> {
        self.0
    }
}

/// Of the wrong kind: there is a mistake in the code, and it is not run.
pub trait QuestionedWrong {
    /// Of the right kind.
    type Wanted;
    /// Never called.
    fn __value(self) -> Self::Wanted;
}

impl<U, F, T, E> QuestionedWrong for Questioned<Result<U, F>, Result<T, E>> {
    type Wanted = Result<T, F>;
    fn __value(self) -> Result<T, F> {
        panic!("an error of another type was expected")
    }
}

impl<U, T, E> QuestionedWrong for Questioned<Option<U>, Result<T, E>> {
    type Wanted = Option<T>;
    fn __value(self) -> Option<T> {
        panic!("an option was expected")
    }
}

/// Of any other type.
pub trait QuestionedElse {
    /// What stands before the `?`.
    type Given;
    /// Never called.
    fn __value(&mut self) -> Self::Given;
}

impl<R, A> QuestionedElse for Questioned<R, A> {
    type Given = A;
    fn __value(&mut self) -> A {
        panic!("an option or a result was expected")
    }
}
