//! Backends, one file or folder for each.

mod any;
mod complex_step;
mod dual;
mod finite_diff;
mod finite_differences;
mod foreign;
mod from_primitive;
mod inputs;
mod lanes;
mod level;
mod methods;
mod mixer;
mod none;
pub(crate) mod point;
mod rows;
mod source;
mod sweep;
mod symbolic;
mod tape;
mod taylor;
mod zero;

pub use any::{AnyBackend, BACKENDS, Listed, auto};
pub use complex_step::AutoComplexStep;
pub use dual::AutoDual;
pub use finite_diff::{AutoFiniteDiff, Scheme};
pub use finite_differences::{AutoFiniteDifferences, Stencil};
#[cfg(feature = "echidna")]
pub use foreign::{AutoEchidna, Echidna};
pub use foreign::{AutoForeignForward, AutoForeignReverse, ForwardNumber, ReverseNumber};
#[cfg(feature = "num-dual")]
pub use foreign::{AutoNumDual, NumDual};
pub use from_primitive::{AutoForwardFromPrimitive, AutoReverseFromPrimitive};
pub use none::NoAutoDiff;
pub use source::AutoSource;
pub use symbolic::{AutoSymbolic, Formulas, Symbol, formulas};
pub use tape::AutoTape;
pub use taylor::{AutoTaylor, PowerSeries};
pub use zero::AutoZero;
