//! Sets of pairs of inputs, while products are written out: a list as long as they are few, else a matrix of bits.

/// Pairs that are gathered before repetitions are looked for.
const MANY: usize = 1 << 22;

/// Pairs up to which a list is as good as a matrix, however small that is.
const FEW: usize = 1024;

/// Pairs of inputs, the larger one first.
pub(super) struct Pairs {
    inputs: usize,
    list: Vec<(u32, u32)>,
    /// Those that are sorted and without repetition.
    clean: usize,
    /// Pairs that are more memory as a list than as a matrix.
    limit: usize,
    matrix: Option<Matrix>,
}

impl Pairs {
    /// None yet.
    pub(super) fn new(inputs: usize) -> Self {
        Pairs::up_to((inputs / 8).saturating_mul(inputs / 8).max(FEW), inputs)
    }

    fn up_to(limit: usize, inputs: usize) -> Self {
        Pairs {
            inputs,
            list: Vec::new(),
            clean: 0,
            limit,
            matrix: None,
        }
    }

    /// Adds all pairs of members of one set. No input is in it twice.
    pub(super) fn square(&mut self, members: &[u32]) {
        if let Some(matrix) = &mut self.matrix {
            matrix.add(members, members);
            return;
        }
        for (at, i) in members.iter().enumerate() {
            for j in &members[..=at] {
                self.push(*i, *j);
            }
        }
        self.tidy();
    }

    /// Adds all pairs of a member of one set and a member of another.
    pub(super) fn product(&mut self, a: &[u32], b: &[u32]) {
        if let Some(matrix) = &mut self.matrix {
            matrix.add(a, b);
            matrix.add(b, a);
            return;
        }
        for i in a {
            for j in b {
                self.push(*i, *j);
            }
        }
        self.tidy();
    }

    /// What repeats the last pair is left out: chains then come out sorted.
    #[inline]
    fn push(&mut self, i: u32, j: u32) {
        let pair = (i.max(j), i.min(j));
        if self.list.last() != Some(&pair) {
            self.list.push(pair);
        }
    }

    #[inline]
    fn tidy(&mut self) {
        if self.list.len() > self.limit {
            self.fill_matrix();
        } else if self.list.len() > 2 * self.clean + MANY {
            self.sort();
        }
    }

    #[cold]
    fn fill_matrix(&mut self) {
        let mut matrix = Matrix::new(self.inputs);
        self.list.iter().for_each(|(i, j)| matrix.set(*i, *j));
        self.list = Vec::new();
        self.matrix = Some(matrix);
    }

    fn sort(&mut self) {
        self.list.sort_unstable();
        self.list.dedup();
        self.clean = self.list.len();
    }

    /// All of them, each once, ascending.
    pub(super) fn finish(mut self) -> Vec<(u32, u32)> {
        if let Some(matrix) = &self.matrix {
            return matrix.lower();
        }
        if !self.list.is_sorted_by(|a, b| a < b) {
            self.sort();
        }
        self.list
    }
}

/// One bit for each pair; what is above the diagonal may be incomplete.
struct Matrix {
    /// Words in a row.
    words: usize,
    bits: Vec<u64>,
    /// A row of zeros, to write sets to.
    row: Vec<u64>,
}

impl Matrix {
    fn new(inputs: usize) -> Self {
        let words = inputs.div_ceil(64);
        Matrix {
            words,
            bits: vec![0; inputs * words],
            row: vec![0; words],
        }
    }

    /// A pair, the larger one first.
    fn set(&mut self, i: u32, j: u32) {
        self.bits[i as usize * self.words + j as usize / 64] |= 1 << (j % 64);
    }

    /// The members of `columns` to the row of each member of `rows`.
    fn add(&mut self, rows: &[u32], columns: &[u32]) {
        let (mut first, mut end) = (self.words, 0);
        for j in columns {
            let word = *j as usize / 64;
            self.row[word] |= 1 << (j % 64);
            (first, end) = (first.min(word), end.max(word + 1));
        }
        if first >= end {
            return;
        }
        for i in rows {
            let row = &mut self.bits[*i as usize * self.words..][first..end];
            for (own, word) in row.iter_mut().zip(&self.row[first..end]) {
                *own |= word;
            }
        }
        self.row[first..end].fill(0);
    }

    /// Pairs on and below the diagonal, row by row.
    fn lower(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (i, row) in self.bits.chunks_exact(self.words).enumerate() {
            for (at, word) in row[..=i / 64].iter().enumerate() {
                let mut word = *word;
                while word != 0 {
                    let j = 64 * at + word.trailing_zeros() as usize;
                    if j > i {
                        break;
                    }
                    pairs.push((i as u32, j as u32));
                    word &= word - 1;
                }
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;
    use std::collections::BTreeSet;

    #[test]
    fn lists_and_matrices_have_the_same_pairs() {
        let mut state = 7u64;
        let mut below = |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        for round in 0..60 {
            let n = 1 + below(200);
            let mut all = BTreeSet::new();
            // never, from the first pair on, in between
            let limits = [usize::MAX, 0, 1 + below(300)];
            let mut found = limits.map(|limit| Pairs::up_to(limit, n));
            for _ in 0..1 + below(8) {
                let [a, b] = [(); 2].map(|()| {
                    let members = (0..below(n + 1)).map(|_| below(n) as u32);
                    members
                        .collect::<BTreeSet<u32>>()
                        .into_iter()
                        .collect::<Vec<u32>>()
                });
                let square = below(2) == 0;
                let other = if square { &a } else { &b };
                for i in &a {
                    all.extend(other.iter().map(|j| (*i.max(j), *i.min(j))));
                }
                for found in &mut found {
                    if square {
                        found.square(&a);
                    } else {
                        found.product(&a, &b);
                    }
                }
            }
            let expected: Vec<(u32, u32)> = all.into_iter().collect();
            for (found, limit) in found.into_iter().zip(limits) {
                assert_eq!(found.finish(), expected, "round {round}, limit {limit}");
            }
        }
    }
}
