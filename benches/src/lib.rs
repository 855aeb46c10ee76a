//! What the benches and the `ratios` program share: the timed cases, their hand-written adjoints, and the clock.

pub mod cases;
pub mod timing;
