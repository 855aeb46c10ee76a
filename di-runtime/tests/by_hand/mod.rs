//! Functions expanded by hand, exactly as docs/generated-code.md says, so that operators can be tested
//! without the macro.

#![allow(non_camel_case_types, dead_code, unreachable_pub, clippy::too_many_arguments)]

mod in_place;
mod number_valued;


pub use number_valued::rosenbrock;
