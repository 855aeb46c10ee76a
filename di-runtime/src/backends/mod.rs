//! Backends, one file or folder for each.

mod complex_step;
mod dual;
mod finite_diff;
mod finite_differences;
mod from_primitive;
mod lanes;
pub(crate) mod point;
mod source;
mod sweep;
mod symbolic;
mod tape;
mod taylor;
mod zero;

pub use complex_step::AutoComplexStep;
pub use dual::AutoDual;
pub use finite_diff::{AutoFiniteDiff, Scheme};
pub use finite_differences::{AutoFiniteDifferences, Stencil};
pub use from_primitive::{AutoForwardFromPrimitive, AutoReverseFromPrimitive};
pub use source::AutoSource;
pub use symbolic::{AutoSymbolic, Formulas, Symbol, formulas};
pub use tape::AutoTape;
pub use taylor::{AutoTaylor, PowerSeries};
pub use zero::AutoZero;
