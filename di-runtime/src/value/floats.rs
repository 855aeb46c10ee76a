//! Whether a type of which a function knows only the name is one of floats: an alias.

use std::marker::PhantomData;

/// The question about a type. What has floats answers by a constant of its own, all others by that of [`NoFloats`],
/// which comes second.
#[derive(Debug)]
pub struct Floats<T: ?Sized>(PhantomData<T>);

/// The answer of all other types.
pub trait NoFloats {
    /// There are none.
    const FOUND: bool = false;
}

impl<T: ?Sized> NoFloats for Floats<T> {}

/// The same question about derived structs.
#[derive(Debug)]
pub struct Parts<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized> NoFloats for Parts<T> {}

impl<T: crate::value::structure::Derived> Parts<T> {
    /// There are some.
    pub const FOUND: bool = true;
}

macro_rules! found {
    ($([$($generics:tt)*] $ty:ty;)*) => {
        $(impl<$($generics)*> Floats<$ty> {
            /// There are some.
            pub const FOUND: bool = true;
        })*
    };
}

found! {
    [] f64;
    [] [f64];
    [const N: usize] [f64; N];
    [const N: usize] [[f64; N]];
    [const N: usize, const M: usize] [[f64; N]; M];
    [const N: usize, const M: usize, const K: usize] [[[f64; N]; M]; K];
    [] Vec<f64>;
    [] Vec<Vec<f64>>;
    [const N: usize] Vec<[f64; N]>;
    [const N: usize, const M: usize] Vec<[[f64; N]; M]>;
    [const N: usize] [Vec<f64>; N];
    [] (f64, f64);
    [] (f64, f64, f64);
    [] (f64, f64, f64, f64);
    [] Vec<(f64, f64)>;
    [] [(f64, f64)];
    [] f32;
    [] [f32];
    [const N: usize] [f32; N];
    [const N: usize] [[f32; N]];
    [const N: usize, const M: usize] [[f32; N]; M];
    [const N: usize, const M: usize, const K: usize] [[[f32; N]; M]; K];
    [] Vec<f32>;
    [] Vec<Vec<f32>>;
    [const N: usize] Vec<[f32; N]>;
    [const N: usize, const M: usize] Vec<[[f32; N]; M]>;
    [const N: usize] [Vec<f32>; N];
    [] (f32, f32);
    [] (f32, f32, f32);
    [] (f32, f32, f32, f32);
    [] Vec<(f32, f32)>;
    [] [(f32, f32)];
}
