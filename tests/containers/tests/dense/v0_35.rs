//! nalgebra 0.35.

use nalgebra_v0_35 as nalgebra;

#[path = "nalgebra.rs"]
mod cases;
