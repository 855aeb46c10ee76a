//! Numbers that go through a narrower float.

/// What rounding to `f32` adds: `x + rounding(x)` is `x as f32 as f64`, but for the sign of a zero.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rounding(x: f64) -> f64 {
    if x.is_finite() {
        f64::from(x as f32) - x
    } else {
        0.0
    }
}
