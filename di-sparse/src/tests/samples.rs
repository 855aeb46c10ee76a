//! Patterns for tests: random ones, and grids, arrows and the like with known colors.

use crate::Pattern;

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Any shape up to `most` by `most`, also with no rows or columns; sometimes with full lines.
pub(crate) fn rectangular(random: &mut Random, most: usize) -> Pattern {
    let (m, n) = (random.below(most + 1), random.below(most + 1));
    let mut entries = Vec::new();
    if m > 0 && n > 0 {
        let count = random.below(3 * (m + n));
        entries.extend((0..count).map(|_| (random.below(m), random.below(n))));
        if random.below(4) == 0 {
            let i = random.below(m);
            entries.extend((0..n).map(|j| (i, j)));
        }
        if random.below(4) == 0 {
            let j = random.below(n);
            entries.extend((0..m).map(|i| (i, j)));
        }
    }
    Pattern::from_entries((m, n), entries).unwrap()
}

/// Symmetric, up to `most` rows; the diagonal full, empty or in between; sometimes with full rows.
pub(crate) fn symmetric(random: &mut Random, most: usize) -> Pattern {
    let n = random.below(most + 1);
    let mut entries = Vec::new();
    if n > 0 {
        for _ in 0..random.below(4 * n) {
            let (i, j) = (random.below(n), random.below(n));
            entries.extend([(i, j), (j, i)]);
        }
        for _ in 0..random.below(3) {
            let i = random.below(n);
            entries.extend((0..n).flat_map(|j| [(i, j), (j, i)]));
        }
        match random.below(3) {
            0 => entries.extend((0..n).map(|i| (i, i))),
            1 => entries.retain(|(i, j)| i != j),
            _ => {}
        }
    }
    Pattern::from_entries((n, n), entries).unwrap()
}

/// Each point of a grid with those around it that are at `distances`, and itself.
pub(crate) fn grid(sides: &[usize], diagonals: bool) -> Pattern {
    let n: usize = sides.iter().product();
    let at = |mut v: usize| -> Vec<usize> {
        let coordinate = |side: &usize| {
            let c = v % side;
            v /= side;
            c
        };
        sides.iter().map(coordinate).collect()
    };
    let mut entries = Vec::new();
    let steps = 3usize.pow(sides.len() as u32);
    for v in 0..n {
        let from = at(v);
        for step in 0..steps {
            let (mut rest, mut to, mut stride, mut moved) = (step, 0, 1, 0);
            let mut inside = true;
            for (c, side) in from.iter().zip(sides) {
                let shifted = c + rest % 3;
                moved += usize::from(rest % 3 != 1);
                rest /= 3;
                inside &= shifted >= 1 && shifted <= *side;
                to += stride * shifted.saturating_sub(1);
                stride *= side;
            }
            if inside && (diagonals || moved <= 1) {
                entries.push((v, to));
            }
        }
    }
    Pattern::from_entries((n, n), entries).unwrap()
}

/// First row, first column and diagonal.
pub(crate) fn arrow(n: usize) -> Pattern {
    let entries = (0..n).flat_map(|i| [(i, i), (0, i), (i, 0)]);
    Pattern::from_entries((n, n), entries).unwrap()
}

/// The Jacobian of the two-dimensional Brusselator on a periodic grid of `n` by `n` points: each species with
/// its neighbors, and both at each point; the first species comes first.
pub(crate) fn brusselator(n: usize) -> Pattern {
    let mut entries = Vec::new();
    for species in 0..2 {
        for i in 0..n {
            for j in 0..n {
                let at = |i: usize, j: usize, s: usize| s * n * n + (i % n) * n + j % n;
                let row = at(i, j, species);
                let around = [
                    (i, j),
                    (i + 1, j),
                    (i + n - 1, j),
                    (i, j + 1),
                    (i, j + n - 1),
                ];
                entries.extend(around.map(|(i, j)| (row, at(i, j, species))));
                entries.push((row, at(i, j, 1 - species)));
            }
        }
    }
    let n = 2 * n * n;
    Pattern::from_entries((n, n), entries).unwrap()
}
