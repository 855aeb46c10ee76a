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
    /// Width of the sweep that the lists are for; 0 if there are none yet.
    width: usize,
    passes: Vec<Pass>,
}

/// Entries that one pass yields.
#[derive(Clone, Debug, Default)]
struct Pass {
    /// Line and lane.
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
            width: 0,
            passes: Vec::new(),
        }
    }

    /// Is there nothing to read?
    pub(super) fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    #[cold]
    fn prepare(&mut self, width: usize) {
        self.width = width;
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
            pass.codes.push(line << LANE | (color % width) as u32);
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

impl<R: Real> Reader<R> for Into<'_, R> {
    #[inline]
    fn take<T: Entry, const W: usize>(
        &mut self,
        first: usize,
        lines: &[T],
        lanes: impl Fn(&T) -> &[R; W],
    ) {
        // a result of another length is noticed by the operator
        if lines.len() != self.reads.lines {
            return;
        }
        if self.reads.width != W {
            self.reads.prepare(W);
        }
        let Some(pass) = self.reads.passes.get(first / W) else {
            return;
        };
        let value = |code: &u32| lanes(&lines[(code >> LANE) as usize])[(code & 31) as usize];
        if pass.targets.is_empty() {
            let targets = &mut self.targets[pass.first as usize..][..pass.codes.len()];
            for (target, code) in targets.iter_mut().zip(&pass.codes) {
                *target = value(code);
            }
        } else {
            for (target, code) in pass.targets.iter().zip(&pass.codes) {
                self.targets[*target as usize] = value(code);
            }
        }
    }
}
