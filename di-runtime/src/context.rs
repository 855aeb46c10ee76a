//! What is constant inside of a function that is differentiated.

/// Its argument, as a constant: no derivative goes through it.
///
/// Inside `#[differentiable]` functions only; elsewhere it does nothing.
///
/// # Examples
/// ```
/// use di_runtime::context::passive;
///
/// let x = 2.0;
/// assert_eq!(passive(x * x), 4.0);
/// ```
#[inline(always)]
pub fn passive<T>(value: T) -> T {
    value
}
