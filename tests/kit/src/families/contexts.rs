//! The default scenarios on functions that take a constant, and on functions that work in a cache.

use di::differentiable;
use di_runtime::bound::{Bound, Open, WithOutput};

use super::classes::{ArrayValued, NumberValued, OfNumber};
use super::default::default_scenarios;
use super::functions::{
    mat_to_mat, mat_to_mat_into, mat_to_num, mat_to_vec, mat_to_vec_into, num_to_mat,
    num_to_mat_into, num_to_num, num_to_vec, num_to_vec_into, sines, sines_into, vec_to_mat,
    vec_to_mat_into, vec_to_num, vec_to_vec, vec_to_vec_into,
};
use crate::scenario::Scenario;
use crate::subject::{Returns, Subject, Writes, returns, writes};

type Vector = Vec<f64>;
/// A matrix of three columns.
type Wide = Vec<[f64; 3]>;
/// A matrix of two columns.
type Tall = Vec<[f64; 2]>;

/// Functions that return a number: one that takes a factor, one that passes its result through a cache.
macro_rules! number {
    ($($f:ident($x:ty) $constant:ident $cache:ident;)+) => {
        $(
            /// The function times a constant.
            #[differentiable]
            pub fn $constant(x: $x, #[constant] c: f64) -> f64 {
                c * $f(x)
            }

            /// The function by way of a cache.
            #[differentiable]
            pub fn $cache(x: $x, #[cache] cache: &mut [f64]) -> f64 {
                cache[0] = $f(x);
                cache[0]
            }
        )+
    };
}

number! {
    num_to_num(f64) num_to_num_times num_to_num_cached;
    vec_to_num(&[f64]) vec_to_num_times vec_to_num_cached;
    mat_to_num(&[[f64; 3]]) mat_to_num_times mat_to_num_cached;
}

/// The same for functions that return a vector, and for those that write one.
macro_rules! vector {
    ($($f:ident($x:ty) $constant:ident $cache:ident $into:ident $constant_into:ident $cache_into:ident;)+) => {
        $(
            /// The function times a constant.
            #[differentiable]
            pub fn $constant(x: $x, #[constant] c: f64) -> Vec<f64> {
                let mut y: Vec<f64> = $f(x);
                for v in y.iter_mut() {
                    *v *= c;
                }
                y
            }

            /// The function by way of a cache.
            #[differentiable]
            pub fn $cache(x: $x, #[cache] cache: &mut [f64]) -> Vec<f64> {
                let y: Vec<f64> = $f(x);
                for i in 0..y.len() {
                    cache[i] = y[i];
                }
                cache[..y.len()].to_vec()
            }

            /// The function times a constant.
            #[differentiable]
            pub fn $constant_into(x: $x, #[constant] c: f64, y: &mut [f64]) {
                $into(x, y);
                for v in y.iter_mut() {
                    *v *= c;
                }
            }

            /// The function by way of a cache.
            #[differentiable]
            pub fn $cache_into(x: $x, #[cache] cache: &mut [f64], y: &mut [f64]) {
                $into(x, y);
                for i in 0..y.len() {
                    cache[i] = y[i];
                }
                for i in 0..y.len() {
                    y[i] = cache[i];
                }
            }
        )+
    };
}

vector! {
    sines(&[f64]) sines_times sines_cached sines_into sines_times_into sines_cached_into;
    num_to_vec(f64) num_to_vec_times num_to_vec_cached num_to_vec_into num_to_vec_times_into num_to_vec_cached_into;
    vec_to_vec(&[f64]) vec_to_vec_times vec_to_vec_cached vec_to_vec_into vec_to_vec_times_into vec_to_vec_cached_into;
    mat_to_vec(&[[f64; 3]]) mat_to_vec_times mat_to_vec_cached mat_to_vec_into mat_to_vec_times_into mat_to_vec_cached_into;
}

/// The same for matrices of two columns.
macro_rules! matrix {
    ($($f:ident($x:ty) $constant:ident $cache:ident $into:ident $constant_into:ident $cache_into:ident;)+) => {
        $(
            /// The function times a constant.
            #[differentiable]
            pub fn $constant(x: $x, #[constant] c: f64) -> Vec<[f64; 2]> {
                let mut y: Vec<[f64; 2]> = $f(x);
                for row in y.iter_mut() {
                    row[0] *= c;
                    row[1] *= c;
                }
                y
            }

            /// The function by way of a cache.
            #[differentiable]
            pub fn $cache(x: $x, #[cache] cache: &mut [f64]) -> Vec<[f64; 2]> {
                let mut y: Vec<[f64; 2]> = $f(x);
                for i in 0..y.len() {
                    cache[2 * i] = y[i][0];
                    cache[2 * i + 1] = y[i][1];
                }
                for i in 0..y.len() {
                    y[i] = [cache[2 * i], cache[2 * i + 1]];
                }
                y
            }

            /// The function times a constant.
            #[differentiable]
            pub fn $constant_into(x: $x, #[constant] c: f64, y: &mut [[f64; 2]]) {
                $into(x, y);
                for row in y.iter_mut() {
                    row[0] *= c;
                    row[1] *= c;
                }
            }

            /// The function by way of a cache.
            #[differentiable]
            pub fn $cache_into(x: $x, #[cache] cache: &mut [f64], y: &mut [[f64; 2]]) {
                $into(x, y);
                for i in 0..y.len() {
                    cache[2 * i] = y[i][0];
                    cache[2 * i + 1] = y[i][1];
                }
                for i in 0..y.len() {
                    y[i][0] = cache[2 * i];
                    y[i][1] = cache[2 * i + 1];
                }
            }
        )+
    };
}

matrix! {
    num_to_mat(f64) num_to_mat_times num_to_mat_cached num_to_mat_into num_to_mat_times_into num_to_mat_cached_into;
    vec_to_mat(&[f64]) vec_to_mat_times vec_to_mat_cached vec_to_mat_into vec_to_mat_times_into vec_to_mat_cached_into;
    mat_to_mat(&[[f64; 3]]) mat_to_mat_times mat_to_mat_cached mat_to_mat_into mat_to_mat_times_into mat_to_mat_cached_into;
}

/// All scenarios of one function, moved to another with `factor` times its results.
pub trait ChangeFunction<Z> {
    /// The same scenarios of the other function.
    type Changed;
    /// Moves them; they are prepared with `prepared`.
    fn change(self, f: &Z, prepared: &Z, factor: f64) -> Self::Changed;
}

impl<Z, O, S, X, Y, T, M> ChangeFunction<Z> for Scenario<O, S, X, Y, T, M>
where
    Z: Subject<Y> + Clone,
{
    type Changed = Scenario<O, Z, X, Y, T, M>;
    fn change(self, f: &Z, prepared: &Z, factor: f64) -> Self::Changed {
        let name = self.about().name.clone();
        self.change_function(&name, f.clone(), factor)
            .prepared_with(prepared.clone())
    }
}

impl<Z, A: ChangeFunction<Z>> ChangeFunction<Z> for Vec<A> {
    type Changed = Vec<A::Changed>;
    fn change(self, f: &Z, prepared: &Z, factor: f64) -> Self::Changed {
        self.into_iter()
            .map(|a| a.change(f, prepared, factor))
            .collect()
    }
}

macro_rules! tuples {
    ($($name:ident $at:tt),+) => {
        impl<Z, $($name: ChangeFunction<Z>),+> ChangeFunction<Z> for ($($name,)+) {
            type Changed = ($($name::Changed,)+);
            fn change(self, f: &Z, prepared: &Z, factor: f64) -> Self::Changed {
                ($(self.$at.change(f, prepared, factor),)+)
            }
        }
    };
}

tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);

/// A function that returns, with its contexts.
pub type With<H> = Returns<Bound<'static, H, (Open, ())>>;
/// A function that writes, with its contexts.
pub type InPlaceWith<H, Y> = Writes<
    'static,
    for<'o> fn(&'o mut Y) -> WithOutput<'o, 'static, H, (Open, ()), Y>,
    H,
    (Open, ()),
>;

/// The factor of the calls, and that of the preparation.
const FACTORS: (f64, f64) = (3.0, -3.0);
/// The shape of the caches; what is in them does not matter.
const CACHE: &[f64; 12] = &[f64::NAN; 12];

macro_rules! families {
    ($make:ident $scenarios:ident $doc:literal:
     $num_to_num:ident $sines:ident $num_to_vec:ident $num_to_mat:ident $vec_to_num:ident $mat_to_num:ident
     $vec_to_vec:ident $vec_to_mat:ident $mat_to_vec:ident $mat_to_mat:ident;
     $sines_into:ident $num_to_vec_into:ident $num_to_mat_into:ident $vec_to_vec_into:ident $vec_to_mat_into:ident
     $mat_to_vec_into:ident $mat_to_mat_into:ident;
     $with:expr, $prepared:expr, $factor:expr) => {
        #[doc = $doc]
        pub type $scenarios = (
            (
                OfNumber<With<$num_to_num>, f64>,
                ArrayValued<With<$sines>, Vector, Vector>,
                OfNumber<With<$num_to_vec>, Vector>,
                OfNumber<With<$num_to_mat>, Tall>,
                NumberValued<With<$vec_to_num>, Vector>,
                NumberValued<With<$mat_to_num>, Wide>,
                ArrayValued<With<$vec_to_vec>, Vector, Vector>,
                ArrayValued<With<$vec_to_mat>, Vector, Tall>,
                ArrayValued<With<$mat_to_vec>, Wide, Vector>,
                ArrayValued<With<$mat_to_mat>, Wide, Tall>,
            ),
            (
                ArrayValued<InPlaceWith<$sines_into, Vector>, Vector, Vector>,
                OfNumber<InPlaceWith<$num_to_vec_into, Vector>, Vector>,
                OfNumber<InPlaceWith<$num_to_mat_into, Tall>, Tall>,
                ArrayValued<InPlaceWith<$vec_to_vec_into, Vector>, Vector, Vector>,
                ArrayValued<InPlaceWith<$vec_to_mat_into, Tall>, Vector, Tall>,
                ArrayValued<InPlaceWith<$mat_to_vec_into, Vector>, Wide, Vector>,
                ArrayValued<InPlaceWith<$mat_to_mat_into, Tall>, Wide, Tall>,
            ),
        );

        #[doc = $doc]
        pub fn $make() -> $scenarios {
            let (out, into) = default_scenarios();
            macro_rules! change {
                ($family:expr, $f:ident) => {
                    $family.change(
                        &returns($f::AD.with($with)),
                        &returns($f::AD.with($prepared)),
                        $factor,
                    )
                };
                ($family:expr, $f:ident, $y:ty) => {{
                    type Bind =
                        for<'o> fn(&'o mut $y) -> WithOutput<'o, 'static, $f, (Open, ()), $y>;
                    let f: Bind = |y| $f::AD.with($with).output(y);
                    let prepared: Bind = |y| $f::AD.with($prepared).output(y);
                    $family.change(&writes(f), &writes(prepared), $factor)
                }};
            }
            (
                (
                    change!(out.0, $num_to_num),
                    change!(out.1, $sines),
                    change!(out.2, $num_to_vec),
                    change!(out.3, $num_to_mat),
                    change!(out.4, $vec_to_num),
                    change!(out.5, $mat_to_num),
                    change!(out.6, $vec_to_vec),
                    change!(out.7, $vec_to_mat),
                    change!(out.8, $mat_to_vec),
                    change!(out.9, $mat_to_mat),
                ),
                (
                    change!(into.0, $sines_into, Vector),
                    change!(into.1, $num_to_vec_into, Vector),
                    change!(into.2, $num_to_mat_into, Tall),
                    change!(into.3, $vec_to_vec_into, Vector),
                    change!(into.4, $vec_to_mat_into, Tall),
                    change!(into.5, $mat_to_vec_into, Vector),
                    change!(into.6, $mat_to_mat_into, Tall),
                ),
            )
        }
    };
}

families! {
    constant_scenarios ConstantScenarios
    "The default scenarios with all functions times a constant: three, and minus three in the preparation.":
    num_to_num_times sines_times num_to_vec_times num_to_mat_times vec_to_num_times mat_to_num_times
    vec_to_vec_times vec_to_mat_times mat_to_vec_times mat_to_mat_times;
    sines_times_into num_to_vec_times_into num_to_mat_times_into vec_to_vec_times_into vec_to_mat_times_into
    mat_to_vec_times_into mat_to_mat_times_into;
    FACTORS.0, FACTORS.1, FACTORS.0
}

families! {
    cache_scenarios CacheScenarios
    "The default scenarios with all results by way of a cache, which holds NaN.":
    num_to_num_cached sines_cached num_to_vec_cached num_to_mat_cached vec_to_num_cached mat_to_num_cached
    vec_to_vec_cached vec_to_mat_cached mat_to_vec_cached mat_to_mat_cached;
    sines_cached_into num_to_vec_cached_into num_to_mat_cached_into vec_to_vec_cached_into vec_to_mat_cached_into
    mat_to_vec_cached_into mat_to_mat_cached_into;
    CACHE, CACHE, 1.0
}
