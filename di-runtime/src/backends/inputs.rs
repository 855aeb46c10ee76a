//! Lanes of the shape of `x`: tangents that a run reads, or adjoints that it writes.

use crate::entries;
use crate::rules::one;
use crate::scalar::{Real, Zero};
use crate::value::Family;

/// Tangents that a run of generated code reads, or adjoints that it writes.
///
/// What a run reads is written before it, over whatever is there, and nothing is cleared after it: a function that
/// panics leaves no seed behind. Unit vectors that are there already are not written again.
pub(crate) struct Inputs<F: Family, A: Zero> {
    lanes: F::Owned<A>,
    /// The unit vectors that are there, the first one and their number; nothing if it may be anything else.
    units: Option<(usize, usize)>,
}

impl<F: Family, A: Zero> Clone for Inputs<F, A> {
    fn clone(&self) -> Self {
        Inputs {
            lanes: self.lanes.clone(),
            units: self.units,
        }
    }
}

impl<F: Family, A: Zero> Inputs<F, A> {
    pub(crate) fn new(shape: &F::Shape) -> Self {
        Inputs {
            lanes: F::store(shape, A::zero()),
            units: Some((0, 0)),
        }
    }

    #[inline]
    pub(crate) fn lanes(&self) -> F::LanesRef<'_, A> {
        F::lanes(&self.lanes)
    }

    /// To write anything.
    #[inline]
    pub(crate) fn lanes_mut(&mut self) -> F::LanesMut<'_, A> {
        self.units = None;
        F::lanes_mut(&mut self.lanes)
    }
}

impl<F: Family, R: Real, const W: usize> Inputs<F, [R; W]> {
    /// The unit vectors of `count` inputs from `at`, one in each lane; zero in the other lanes.
    #[inline]
    pub(crate) fn set_units(&mut self, at: usize, count: usize) {
        if self.units == Some((at, count)) {
            return;
        }
        match self.units {
            Some((at, count)) => self.write(at, count, R::default()),
            None => F::each_mut::<[R; W]>(self.lanes_mut(), &mut entries::clear()),
        }
        self.write(at, count, one());
        self.units = Some((at, count));
    }

    fn write(&mut self, at: usize, count: usize, value: R) {
        for k in 0..count {
            F::entry::<[R; W]>(F::lanes_mut(&mut self.lanes), at + k)[k] = value;
        }
    }

    /// These directions, one in each lane; zero in the other lanes.
    #[inline]
    pub(crate) fn set(&mut self, directions: &[F::LanesRef<'_, R>]) {
        for k in 0..W {
            let to = self.lanes_mut();
            match directions.get(k) {
                Some(from) => F::zip(to, *from, &mut entries::set_lane::<R, W>(k)),
                None => F::each_mut(to, &mut entries::clear_lane::<R, W>(k)),
            }
        }
    }
}
