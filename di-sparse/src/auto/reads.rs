//! Which lanes of a sweep's results go where: lists that are made once for the width of the sweep.

use di_runtime::compressed::Reader;
use di_runtime::scalar::Real;
use di_runtime::value::Entry;

/// Bits of a code that hold the lane.
const LANE: u32 = 5;

/// Entries that one direction of sweeps yields: from columns, or from rows.
#[derive(Clone, Debug)]
pub(super) struct Reads {
    /// Color, line and target of each; targets ascend.
    sources: Vec<(u32, u32, u32)>,
    /// Length of the results.
    lines: usize,
    /// Width of the sweep that the lists are for, 0 if there are none yet, and whether its lines are flat.
    width: (usize, bool),
    passes: Vec<Pass>,
}

/// Entries that one pass yields.
#[derive(Clone, Debug, Default)]
struct Pass {
    /// Line and lane, or the place among the lanes of all lines.
    codes: Vec<u32>,
    /// Targets, unless they are those from `first` on.
    targets: Vec<u32>,
    first: u32,
}

impl Reads {
    /// Color, line and target of each entry, by targets.
    pub(super) fn new(sources: Vec<(u32, u32, u32)>, lines: usize) -> Self {
        Reads {
            sources,
            lines,
            width: (0, false),
            passes: Vec::new(),
        }
    }

    /// The targets.
    pub(super) fn targets(&self) -> impl Iterator<Item = u32> + '_ {
        self.sources.iter().map(|source| source.2)
    }

    /// Is there nothing to read?
    pub(super) fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    #[cold]
    fn prepare(&mut self, width: usize, flat: bool) {
        self.width = (width, flat);
        let colors = self
            .sources
            .iter()
            .map(|source| source.0 as usize + 1)
            .max();
        let count = colors.unwrap_or(0).div_ceil(width);
        self.passes = vec![Pass::default(); count];
        for &(color, line, target) in &self.sources {
            let color = color as usize;
            let pass = &mut self.passes[color / width];
            let lane = (color % width) as u32;
            pass.codes.push(if flat {
                line * width as u32 + lane
            } else {
                line << LANE | lane
            });
            pass.targets.push(target);
        }
        for pass in &mut self.passes {
            pass.codes.shrink_to_fit();
            pass.first = pass.targets.first().copied().unwrap_or(0);
            if pass
                .targets
                .iter()
                .copied()
                .eq((pass.first..).take(pass.codes.len()))
            {
                pass.targets = Vec::new();
            }
            pass.targets.shrink_to_fit();
        }
    }
}

/// Lines that a code can hold.
pub(super) const MOST_LINES: usize = 1 << (32 - LANE);

/// Writes what is read to `targets`.
pub(super) struct Into<'a, R> {
    pub(super) reads: &'a mut Reads,
    pub(super) targets: &'a mut [R],
}

impl<R: Real> Into<'_, R> {
    #[inline]
    fn gather(&mut self, first: usize, width: (usize, bool), value: impl Fn(u32) -> R) {
        if self.reads.width != width {
            self.reads.prepare(width.0, width.1);
        }
        let Some(pass) = self.reads.passes.get(first / width.0) else {
            return;
        };
        if pass.targets.is_empty() {
            let targets = &mut self.targets[pass.first as usize..][..pass.codes.len()];
            for (target, code) in targets.iter_mut().zip(&pass.codes) {
                *target = value(*code);
            }
        } else {
            for (target, code) in pass.targets.iter().zip(&pass.codes) {
                self.targets[*target as usize] = value(*code);
            }
        }
    }
}

// a result of another length is noticed by the operator
impl<R: Real> Reader<R> for Into<'_, R> {
    #[inline]
    fn take<T: Entry, const W: usize>(
        &mut self,
        first: usize,
        lines: &[T],
        lanes: impl Fn(&T) -> &[R; W],
    ) {
        if lines.len() == self.reads.lines {
            let lane = |code: u32| ((code & ((1 << LANE) - 1)) as usize).min(W - 1);
            self.gather(first, (W, false), |code| {
                lanes(&lines[(code >> LANE) as usize])[lane(code)]
            });
        }
    }

    #[inline]
    fn take_flat<const W: usize>(&mut self, first: usize, lines: &[[R; W]]) {
        if lines.len() == self.reads.lines {
            let entries = lines.as_flattened();
            self.gather(first, (W, true), |code| entries[code as usize]);
        }
    }
}
