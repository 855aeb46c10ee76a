//! The list of operators, and what backends report about themselves. No code depends on the name of
//! a backend.

use core::fmt;

/// The operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// Jacobian times vector.
    Pushforward,
    /// Vector times Jacobian.
    Pullback,
    /// Derivative with respect to a number.
    Derivative,
    /// Gradient of a number.
    Gradient,
    /// Jacobian matrix.
    Jacobian,
    /// Second derivative with respect to a number.
    SecondDerivative,
    /// Hessian times vector.
    Hvp,
    /// Hessian matrix.
    Hessian,
    /// Coefficients of the Taylor series along a direction.
    Taylor,
}

impl Operator {
    /// Is it of second order?
    pub const fn is_second_order(self) -> bool {
        match self {
            Operator::SecondDerivative | Operator::Hvp | Operator::Hessian => true,
            Operator::Pushforward
            | Operator::Pullback
            | Operator::Derivative
            | Operator::Gradient
            | Operator::Jacobian
            | Operator::Taylor => false,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operator::Pushforward => "pushforward",
            Operator::Pullback => "pullback",
            Operator::Derivative => "derivative",
            Operator::Gradient => "gradient",
            Operator::Jacobian => "jacobian",
            Operator::SecondDerivative => "second_derivative",
            Operator::Hvp => "hvp",
            Operator::Hessian => "hessian",
            Operator::Taylor => "taylor_coefficients",
        })
    }
}

/// The modes of a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Pushforwards are cheap.
    Forward,
    /// Pullbacks are cheap.
    Reverse,
    /// Both are cheap.
    ForwardOrReverse,
    /// Derivatives are expressions.
    Symbolic,
    /// It does not differentiate.
    None,
}

impl Mode {
    /// Is a pushforward one evaluation?
    pub fn pushforward_is_fast(self) -> bool {
        match self {
            Mode::Forward | Mode::ForwardOrReverse | Mode::Symbolic => true,
            Mode::Reverse | Mode::None => false,
        }
    }

    /// Is a pullback one evaluation?
    pub fn pullback_is_fast(self) -> bool {
        match self {
            Mode::Reverse | Mode::ForwardOrReverse | Mode::Symbolic => true,
            Mode::Forward | Mode::None => false,
        }
    }
}

/// How two engines compute a Hessian-vector product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HvpMode {
    /// Pushforward of the gradient by pullback.
    ForwardOverReverse,
    /// Gradient of the pushforward.
    ReverseOverForward,
    /// Pullback of the gradient by pullback.
    ReverseOverReverse,
    /// Pushforward of the gradient by pushforwards.
    ForwardOverForward,
}

impl HvpMode {
    /// The first of the four that both engines are fast at.
    pub fn of(outer: Mode, inner: Mode) -> HvpMode {
        if outer.pushforward_is_fast() && inner.pullback_is_fast() {
            HvpMode::ForwardOverReverse
        } else if outer.pullback_is_fast() && inner.pushforward_is_fast() {
            HvpMode::ReverseOverForward
        } else if outer.pullback_is_fast() && inner.pullback_is_fast() {
            HvpMode::ReverseOverReverse
        } else {
            HvpMode::ForwardOverForward
        }
    }
}

/// What a backend reports about itself, independent of the function.
pub trait Capabilities {
    /// Its name, for messages.
    fn name(&self) -> &'static str;
    /// Its mode.
    fn mode(&self) -> Mode;
    /// Can it be used in this build?
    fn check_available(&self) -> bool {
        true
    }
    /// Does it support this operator, for functions that it accepts? Test kits skip the others.
    fn check_operator(&self, _operator: Operator) -> bool {
        true
    }
    /// A bound on the relative error of derivatives of smooth functions of size one, in `f64`.
    ///
    /// At most 1e-10 means that rounding is the only error: small entries next to large ones are right too.
    fn accuracy(&self, _operator: Operator) -> f64 {
        1e-10
    }
    /// Does it accept functions that write their result to a buffer?
    fn check_inplace(&self) -> bool {
        true
    }
    /// How it computes Hessian-vector products.
    fn hvp_mode(&self) -> HvpMode {
        HvpMode::of(self.mode(), self.mode())
    }
    /// The mode in which it differentiates the results of another engine.
    fn mode_outside(&self) -> Mode {
        self.mode()
    }
    /// How many of `n` directions share one sweep.
    fn batch(&self, n: usize) -> usize {
        n.min(1)
    }
    /// The engine that differentiates derivatives: itself, unless there are two.
    fn outer(&self) -> &dyn Capabilities
    where
        Self: Sized,
    {
        self
    }
    /// The engine that differentiates the function: itself, unless there are two.
    fn inner(&self) -> &dyn Capabilities
    where
        Self: Sized,
    {
        self
    }
    /// The same engine with the same settings, in forward mode, or `None`.
    fn forward_counterpart(&self) -> Option<Self>
    where
        Self: Sized + Clone,
    {
        self.mode().pushforward_is_fast().then(|| self.clone())
    }
    /// The same engine with the same settings, in reverse mode, or `None`.
    fn reverse_counterpart(&self) -> Option<Self>
    where
        Self: Sized + Clone,
    {
        self.mode().pullback_is_fast().then(|| self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{HvpMode, Mode};

    #[test]
    fn hvp_mode_prefers_forward_over_reverse() {
        use HvpMode::{
            ForwardOverForward, ForwardOverReverse, ReverseOverForward, ReverseOverReverse,
        };
        let (f, r, b) = (Mode::Forward, Mode::Reverse, Mode::ForwardOrReverse);
        for (outer, inner, expected) in [
            (f, r, ForwardOverReverse),
            (r, f, ReverseOverForward),
            (r, r, ReverseOverReverse),
            (f, f, ForwardOverForward),
            (b, b, ForwardOverReverse),
            (b, f, ReverseOverForward),
            (r, b, ReverseOverForward),
            (f, b, ForwardOverReverse),
        ] {
            assert_eq!(
                HvpMode::of(outer, inner),
                expected,
                "{outer:?} over {inner:?}"
            );
        }
    }
}
