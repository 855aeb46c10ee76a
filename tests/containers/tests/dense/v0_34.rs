//! nalgebra 0.34.

use nalgebra_v0_34 as nalgebra;

#[path = "nalgebra.rs"]
mod cases;
