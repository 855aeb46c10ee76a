//! Operators, backends and the scalar engines behind them.
//!
//! Small functions are always inlined, but for builds with debug assertions: of calls there is less code to compile.

pub mod backend;
pub mod backends;
pub mod batch;
pub mod bound;
pub mod capability;
pub mod closure;
pub mod compressed;
pub mod context;
pub mod derived;
pub mod differentiate_with;
mod entries;
pub mod error;
mod form;
pub mod function;
pub mod generated;
pub mod handle;
mod held;
pub mod implicit;
#[doc(hidden)]
pub mod instances;
pub mod matrices;
pub mod matrix;
#[cfg(feature = "ndarray")]
#[doc(hidden)]
pub mod nd;
pub mod nested;
pub mod operators;
pub mod overloaded;
pub mod pattern;
#[doc(hidden)]
pub mod pool;
pub mod prep;
pub mod primitive;
pub mod reusable;
pub mod rules;
pub mod scalar;
mod sealed;
pub mod second_order;
pub mod shared;
pub mod sparsity;
#[cfg(feature = "special")]
pub mod special;
pub mod value;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

/// What an item answers that has no signature: nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! unknown_signature {
    (@signature [$($known:tt)*] [$next:path $(, $more:path)*] $state:tt) => {
        $next! { @signature [$($known)* {}] [$($more),*] $state }
    };
}
