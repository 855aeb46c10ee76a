//! Which lanes of a sweep's results go where: lists that are made once for the width of the sweep.

use di_runtime::compressed::Reader;
use di_runtime::scalar::Real;

/// Entries that one direction of sweeps yields: from columns, or from rows.
#[derive(Clone, Debug)]
pub(super) struct Reads {
    /// Color, line and target of each; targets ascend.
    sources: Vec<(u32, u32, u32)>,
    /// Length of the results.
    lines: usize,
    /// Width of the sweep that the lists are for, 0 if there are none yet.
    width: usize,
    passes: Vec<Pass>,
}

/// Entries that one pass yields.
#[derive(Clone, Debug, Default)]
struct Pass {
    /// Places among the lanes of all lines.
    places: Vec<u32>,
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

    /// The targets.
    pub(super) fn targets(&self) -> impl Iterator<Item = u32> + '_ {
        self.sources.iter().map(|source| source.2)
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
            let lane = (color % width) as u32;
            pass.places.push(line * width as u32 + lane);
            pass.targets.push(target);
        }
        for pass in &mut self.passes {
            pass.places.shrink_to_fit();
            pass.first = pass.targets.first().copied().unwrap_or(0);
            if pass
                .targets
                .iter()
                .copied()
                .eq((pass.first..).take(pass.places.len()))
            {
                pass.targets = Vec::new();
            }
            pass.targets.shrink_to_fit();
        }
    }
}

/// Lines whose lanes can be counted in 32 bits, in sweeps up to 32 wide.
pub(super) const MOST_LINES: usize = 1 << 27;

/// Writes what is read to `targets`.
pub(super) struct Into<'a, R> {
    pub(super) reads: &'a mut Reads,
    pub(super) targets: &'a mut [R],
}

// a result of another length is noticed by the operator
impl<R: Real> Reader<R> for Into<'_, R> {
    #[inline]
    fn take<const W: usize>(&mut self, first: usize, lines: &[[R; W]]) {
        if lines.len() != self.reads.lines {
            return;
        }
        if self.reads.width != W {
            self.reads.prepare(W);
        }
        let Some(pass) = self.reads.passes.get(first / W) else {
            return;
        };
        let entries = lines.as_flattened();
        if pass.targets.is_empty() {
            let targets = &mut self.targets[pass.first as usize..][..pass.places.len()];
            gather(targets, entries, &pass.places);
        } else {
            for (target, place) in pass.targets.iter().zip(&pass.places) {
                self.targets[*target as usize] = entries[*place as usize];
            }
        }
    }
}

/// Four at a time: that is faster by a third than one by one.
#[inline]
fn gather<R: Real>(targets: &mut [R], entries: &[R], places: &[u32]) {
    let (fours, rest) = targets.as_chunks_mut::<4>();
    let (of_fours, of_rest) = places.as_chunks::<4>();
    for (targets, places) in fours.iter_mut().zip(of_fours) {
        *targets = places.map(|place| entries[place as usize]);
    }
    for (target, place) in rest.iter_mut().zip(of_rest) {
        *target = entries[*place as usize];
    }
}
