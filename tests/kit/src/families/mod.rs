//! Scenarios that come with the kit.

pub mod classes;
mod default;
pub mod functions;

pub use default::{DefaultScenarios, InPlaceScenarios, OutOfPlaceScenarios, default_scenarios};
