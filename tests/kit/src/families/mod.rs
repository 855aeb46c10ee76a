//! Scenarios that come with the kit.

pub mod classes;
pub mod contexts;
mod default;
mod everything;
pub mod fixed;
pub mod functions;
pub mod small;
pub mod sparse;

pub use contexts::{CacheScenarios, ConstantScenarios, cache_scenarios, constant_scenarios};
pub use default::{DefaultScenarios, InPlaceScenarios, OutOfPlaceScenarios, default_scenarios};
pub use everything::{
    Doubles, Wrapped, check_everything, check_wrapped, test_doubles, test_everything,
};
pub use fixed::{StaticScenarios, static_scenarios};
pub use small::{
    AllocationFreeScenarios, EmptyScenarios, SingleScenarios, StructScenarios,
    allocation_free_scenarios, empty_scenarios, single_precision_scenarios, struct_scenarios,
};
pub use sparse::{SparseScenarios, sparse_scenarios};
