//! `NoAutoDiff`: no engine.

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{Call, Primal, XRef};
use crate::matrix::Matrix;
use crate::primitive::Plan;

use super::methods::methods;

/// A placeholder where no backend was chosen: preparation and every operator return [`Error::Unsupported`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoAutoDiff;

impl Capabilities for NoAutoDiff {
    fn name(&self) -> &'static str {
        "NoAutoDiff"
    }
    fn mode(&self) -> Mode {
        Mode::None
    }
    fn check_available(&self) -> bool {
        false
    }
    fn check_inplace(&self) -> bool {
        false
    }
    fn check_operator(&self, _: Operator) -> bool {
        false
    }
}

impl<K: Primal> Backend<K> for NoAutoDiff {
    type Scratch = ();
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = false;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        _: Call<'_, K>,
        _: XRef<'_, K, K::Real>,
    ) -> Result<(), Error> {
        Err(Error::Unsupported {
            operator: plan.operator,
            backend: "NoAutoDiff",
            reason: "no engine was chosen; pass one, for example `AutoSource::new()`",
        })
    }

    methods!(none: matrix);
}
