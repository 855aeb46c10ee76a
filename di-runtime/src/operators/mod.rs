//! The operators, one file for each, all with the same sections in the same order: marker and prep,
//! four variants, what they share.

mod gradient;

pub use gradient::{
    Gradient, gradient, gradient_into, prepare_gradient, value_and_gradient,
    value_and_gradient_into,
};
