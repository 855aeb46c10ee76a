//! Operators, backends and the scalar engines behind them.

pub mod function;
pub mod generated;
pub mod handle;
pub mod rules;
pub mod scalar;
pub mod value;
