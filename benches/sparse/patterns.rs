//! Patterns to color: bands, grids, arrows, random ones.

use di::sparse::Pattern;

/// Entries that lie within the matrix.
fn made(n: usize, entries: impl IntoIterator<Item = (usize, usize)>) -> Pattern {
    Pattern::from_entries((n, n), entries).expect("entries of an n by n matrix")
}

/// Three diagonals.
pub(crate) fn banded(n: usize) -> Pattern {
    Pattern::banded((n, n), 1, 1).expect("entries are counted in 32 bits")
}

/// First row, first column, diagonal.
pub(crate) fn arrow(n: usize) -> Pattern {
    made(n, (0..n).flat_map(|i| [(i, i), (0, i), (i, 0)]))
}

/// Points of a grid with those beside them, with `diagonals` also across corners.
pub(crate) fn grid(sides: &[usize], diagonals: bool) -> Pattern {
    let n: usize = sides.iter().product();
    let steps = 3usize.pow(sides.len() as u32);
    let mut entries = Vec::new();
    for from in 0..n {
        for step in 0..steps {
            let (mut rest, mut step, mut to, mut stride, mut moved) = (from, step, 0, 1, 0);
            let mut inside = true;
            for side in sides {
                let shifted = rest % side + step % 3;
                moved += usize::from(step % 3 != 1);
                inside &= shifted >= 1 && shifted <= *side;
                to += stride * shifted.saturating_sub(1);
                (rest, step, stride) = (rest / side, step / 3, stride * side);
            }
            if inside && (diagonals || moved <= 1) {
                entries.push((from, to));
            }
        }
    }
    made(n, entries)
}

/// The Jacobian of the Brusselator.
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
    made(2 * n * n, entries)
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }
}

/// Symmetric, with the diagonal, and as many random pairs for each row.
pub(crate) fn random(n: usize, pairs: usize) -> Pattern {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut entries: Vec<_> = (0..n).map(|i| (i, i)).collect();
    for i in 0..n {
        for _ in 0..pairs - 1 {
            let j = random.below(n);
            entries.extend([(i, j), (j, i)]);
        }
    }
    made(n, entries)
}

/// Symmetric, with the diagonal; each row is tied to `ties` earlier ones, those with many ties preferred.
pub(crate) fn power_law(n: usize, ties: usize) -> Pattern {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut ends = vec![0];
    let mut entries: Vec<_> = (0..n).map(|i| (i, i)).collect();
    for i in 1..n {
        for _ in 0..ties {
            let j = ends[random.below(ends.len())];
            if j != i {
                entries.extend([(i, j), (j, i)]);
                ends.extend([i, j]);
            }
        }
    }
    made(n, entries)
}
