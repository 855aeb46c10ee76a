//! Backends by name, and one type for all of them.

use crate::backend::Backend;
use crate::capability::{Capabilities, HvpMode, Mode, Operator};
use crate::error::Error;
use crate::function::{Call, Source, XRef};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space, Workspace};

use super::methods::methods;
use super::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoSource, AutoSymbolic,
    AutoTape, AutoTaylor, NoAutoDiff,
};

/// One line of [`BACKENDS`].
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// Its names for [`auto`].
    pub names: &'static [&'static str],
    /// How it is written in Rust.
    pub written: &'static str,
    /// The functions that it accepts.
    pub takes: &'static str,
    /// What it does.
    pub does: &'static str,
    /// Creates it.
    pub make: fn() -> AnyBackend,
}

/// The backends of [`AnyBackend`], handed to a macro with whatever follows.
macro_rules! variants {
    ($callback:ident $($rest:tt)*) => {
        $callback! {
            [
                Source(AutoSource)
                Dual(AutoDual)
                Taylor(AutoTaylor)
                Tape(AutoTape)
                Symbolic(AutoSymbolic)
                FiniteDiff(AutoFiniteDiff)
                FiniteDifferences(AutoFiniteDifferences)
                ComplexStep(AutoComplexStep)
                None(NoAutoDiff)
            ]
            $($rest)*
        }
    };
}

/// The backends that [`auto`] finds by name.
pub const BACKENDS: &[Listed] = &[
    Listed {
        names: &["source"],
        written: "AutoSource::new()",
        takes: "annotated",
        does: "generated tangent and adjoint code, whichever is cheaper",
        make: || AnyBackend::Source(AutoSource::new()),
    },
    Listed {
        names: &["forward", "source_forward"],
        written: "AutoSource::new().forward()",
        takes: "annotated",
        does: "generated tangent code, up to 8 directions at once",
        make: || AnyBackend::Source(AutoSource::new().forward()),
    },
    Listed {
        names: &["reverse", "source_reverse"],
        written: "AutoSource::new().reverse()",
        takes: "annotated",
        does: "generated adjoint code, up to 8 adjoints at once",
        make: || AnyBackend::Source(AutoSource::new().reverse()),
    },
    Listed {
        names: &["dual"],
        written: "AutoDual::new()",
        takes: "on any scalar",
        does: "dual numbers in chunks, nested for second order",
        make: || AnyBackend::Dual(AutoDual::new()),
    },
    Listed {
        names: &["taylor"],
        written: "AutoTaylor::new()",
        takes: "on any scalar",
        does: "power series: derivatives of any order along a line; dual numbers for the rest",
        make: || AnyBackend::Taylor(AutoTaylor::new()),
    },
    Listed {
        names: &["tape"],
        written: "AutoTape::new()",
        takes: "on any scalar",
        does: "recorded once, optimised, replayed; recorded again where it does not hold",
        make: || AnyBackend::Tape(AutoTape::new()),
    },
    Listed {
        names: &["symbolic"],
        written: "AutoSymbolic::new()",
        takes: "on any scalar",
        does: "expressions with sharing, compiled to programs; prints formulas",
        make: || AnyBackend::Symbolic(AutoSymbolic::new()),
    },
    Listed {
        names: &["symbolic_factored", "factored"],
        written: "AutoSymbolic::new().factored()",
        takes: "on any scalar",
        does: "the same, with factors that entries of matrices share",
        make: || AnyBackend::Symbolic(AutoSymbolic::new().factored()),
    },
    Listed {
        names: &["finite_diff"],
        written: "AutoFiniteDiff::new()",
        takes: "any, closures too",
        does: "differences: central, forward or backward",
        make: || AnyBackend::FiniteDiff(AutoFiniteDiff::new()),
    },
    Listed {
        names: &["finite_differences"],
        written: "AutoFiniteDifferences::central(5)",
        takes: "any, closures too",
        does: "differences of high order, adaptive step, error estimate",
        make: || AnyBackend::FiniteDifferences(AutoFiniteDifferences::central(5)),
    },
    Listed {
        names: &["complex_step"],
        written: "AutoComplexStep::new()",
        takes: "on any scalar",
        does: "complex steps: differences without cancellation",
        make: || AnyBackend::ComplexStep(AutoComplexStep::new()),
    },
    Listed {
        names: &["none"],
        written: "NoAutoDiff",
        takes: "none",
        does: "a typed error for every operator",
        make: || AnyBackend::None(NoAutoDiff),
    },
];

/// The backend with this name: `"source"`, `"forward"`, `"dual"`, .., see [`BACKENDS`].
///
/// # Errors
/// [`Error::Backend`] if no backend has this name. The error lists the valid names.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::auto;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] * x[1]
/// }
///
/// for name in ["forward", "reverse", "symbolic"] {
///     assert_eq!(gradient(f::AD, NoPrep, &auto(name)?, &[2.0, 3.0])?, [3.0, 2.0]);
/// }
/// assert!(auto("zygote").is_err());
/// # Ok::<(), di::Error>(())
/// ```
pub fn auto(name: &str) -> Result<AnyBackend, Error> {
    let known = BACKENDS.iter().find(|listed| listed.names.contains(&name));
    let make = known
        .map(|listed| listed.make)
        .ok_or_else(|| Error::Backend {
            expected: BACKENDS.iter().map(|listed| listed.names[0]).collect(),
            found: name.to_owned(),
        })?;
    Ok(make())
}

macro_rules! declare {
    ([$($variant:ident($backend:ident))*]) => {
        /// Any backend of this library, for programs that choose one at run time. It accepts annotated functions.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum AnyBackend {
            $(
                #[doc = concat!("[`", stringify!($backend), "`]")]
                $variant($backend),
            )*
        }

        /// The space of whichever backend it is.
        #[allow(clippy::large_enum_variant, reason = "a prep has one")]
        pub enum Scratch<K: Source> {
            $(
                #[doc = concat!("Of [`", stringify!($backend), "`].")]
                $variant(Space<K, $backend>),
            )*
        }

        impl<K: Source> Clone for Scratch<K> {
            fn clone(&self) -> Self {
                match self {
                    $(Scratch::$variant(space) => Scratch::$variant(space.clone()),)*
                }
            }
        }
    };
}
variants!(declare);

/// Asks whichever backend it is.
macro_rules! ask {
    ($self:ident.$question:ident($($arg:ident),*)) => {
        variants!(ask_each $self $question ($($arg),*))
    };
}

macro_rules! ask_each {
    ([$($variant:ident($backend:ident))*] $self:ident $question:ident $args:tt) => {
        match $self {
            $(AnyBackend::$variant(backend) => apply!(backend $question $args),)*
        }
    };
}

macro_rules! apply {
    ($backend:ident $question:ident ($($arg:ident),*)) => {
        $backend.$question($($arg),*)
    };
}

macro_rules! counterpart_each {
    ([$($variant:ident($backend:ident))*] $self:ident $which:ident) => {
        match $self {
            $(AnyBackend::$variant(backend) => backend.$which().map(AnyBackend::$variant),)*
        }
    };
}

impl Capabilities for AnyBackend {
    fn name(&self) -> &'static str {
        ask!(self.name())
    }
    fn mode(&self) -> Mode {
        ask!(self.mode())
    }
    fn check_available(&self) -> bool {
        ask!(self.check_available())
    }
    fn check_operator(&self, operator: Operator) -> bool {
        ask!(self.check_operator(operator))
    }
    fn accuracy(&self, operator: Operator) -> f64 {
        ask!(self.accuracy(operator))
    }
    fn check_inplace(&self) -> bool {
        ask!(self.check_inplace())
    }
    fn hvp_mode(&self) -> HvpMode {
        ask!(self.hvp_mode())
    }
    fn batch(&self, n: usize) -> usize {
        ask!(self.batch(n))
    }
    fn forward_counterpart(&self) -> Option<Self> {
        variants!(counterpart_each self forward_counterpart)
    }
    fn reverse_counterpart(&self) -> Option<Self> {
        variants!(counterpart_each self reverse_counterpart)
    }
}

macro_rules! make_each {
    ([$($variant:ident($backend:ident))*] $self:ident $plan:ident $call:ident $x:ident) => {
        match $self {
            $(AnyBackend::$variant(backend) => Scratch::$variant(Workspace::new(backend.scratch($plan, $call, $x)?, $plan.x, $plan.y)),)*
        }
    };
}

macro_rules! warms_up_each {
    ([$($variant:ident($backend:ident))*] $self:ident $operator:ident) => {
        match $self {
            $(AnyBackend::$variant(backend) => Backend::<K>::warms_up(backend, $operator),)*
        }
    };
}

macro_rules! buffers_each {
    ([$($variant:ident($backend:ident))*] $self:ident $scratch:ident) => {
        match ($self, $scratch) {
            $((AnyBackend::$variant(backend), Scratch::$variant(space)) => {
                Backend::<K>::buffers(backend, &space.scratch)
            })*
            _ => 0,
        }
    };
}

/// Hands an operator on to whichever backend it is.
macro_rules! hand_on {
    ($self:ident, $space:ident, $operator:ident, $($arg:ident),*) => {
        variants!(hand_on_each $self $space $operator ($($arg),*))
    };
}

macro_rules! hand_on_each {
    ([$($variant:ident($backend:ident))*] $self:ident $space:ident $operator:ident $args:tt) => {
        match ($self, &mut $space.scratch) {
            $((AnyBackend::$variant(backend), Scratch::$variant(space)) => {
                space.same_point = $space.same_point;
                hand_on_one!(backend space $operator $args)
            })*
            _ => Err(Error::Unsupported {
                operator: Operator::Pushforward,
                backend: $self.name(),
                reason: "the prep was made for another backend",
            }),
        }
    };
}

macro_rules! hand_on_one {
    ($backend:ident $space:ident $operator:ident ($($arg:ident),*)) => {
        $backend.$operator($space, $($arg),*)
    };
}

impl<K: Source> Backend<K> for AnyBackend {
    type Scratch = Scratch<K>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        Ok(variants!(make_each self plan call x))
    }

    fn warms_up(&self, operator: Operator) -> bool {
        variants!(warms_up_each self operator)
    }

    fn buffers(&self, scratch: &Self::Scratch) -> u64 {
        variants!(buffers_each self scratch)
    }

    methods!(hand_on: matrix linearize pushforward pullback derivative gradient gradient_alone
        jacobian second_derivative hvp hessian hessian_diagonal
        compressed_columns compressed_rows compressed_hessian compressed_hessian_alone);
}
