//! Operators, backends and the scalar engines behind them.

pub mod generated;
pub mod rules;
pub mod scalar;
