//! Columns (or rows) of one color never meet in a row (or column): partial distance-2 coloring.
//!
//! Reference: A. Gebremedhin, F. Manne, A. Pothen: What color is your Jacobian? (2005), algorithm 3.2.

use crate::Pattern;
use crate::graph::NONE;
use crate::order::{Distance2, Order};

/// Crossing lines longer than this remember all of their colors instead of being scanned.
pub(crate) const HEAVY: usize = 256;

/// Colors of `lines`, where `crossing` is its transpose, first fit in this order.
pub(crate) fn distance2(lines: &Pattern, crossing: &Pattern, order: Order) -> Vec<u32> {
    let order = order.of(&Distance2 { lines, crossing });
    first_fit(lines, crossing, &order, HEAVY)
}

/// The same colors whatever `heavy` is.
///
/// Each crossing line remembers in a word which of the first 64 colors it has, so that a line looks at the lines that
/// it crosses, and not at those that it meets there. Cost: linear in the entries as long as there are no more colors;
/// for lines that need others the sum of the lengths of the crossing lines that have them and are not heavy.
pub(crate) fn first_fit(
    lines: &Pattern,
    crossing: &Pattern,
    order: &[u32],
    heavy: usize,
) -> Vec<u32> {
    let mut colors = vec![NONE; lines.shape().0];
    let mut low = vec![0u64; crossing.shape().0];
    let mut high = None;
    for &v in order {
        let row = lines.row(v as usize);
        let taken = row.iter().fold(0, |taken, i| taken | low[*i as usize]);
        let color = if taken == u64::MAX {
            let high = high.get_or_insert_with(|| High::new(crossing, heavy));
            high.first_fit(v, row, crossing, &colors)
        } else {
            let color = taken.trailing_ones();
            row.iter().for_each(|i| low[*i as usize] |= 1 << color);
            color
        };
        colors[v as usize] = color;
    }
    colors
}

/// Colors from 64 on.
struct High {
    /// By color, from the first one on, as far as there are colors and one more: the last line that may not have it.
    forbidden: Vec<u32>,
    of: Vec<OfLine>,
    sets: Vec<Set>,
}

/// What is known of the colors of a crossing line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfLine {
    /// It has none of them.
    Without,
    /// They are those of the lines in it.
    Scanned,
    /// It is heavy, and they are remembered, in this set.
    Heavy(u32),
}

/// The first color that is not among those of words.
const FIRST: u32 = 64;

impl High {
    fn new(crossing: &Pattern, heavy: usize) -> Self {
        let mut count = 0;
        let of = (0..crossing.shape().0).map(|i| {
            if crossing.row(i).len() <= heavy {
                return OfLine::Without;
            }
            count += 1;
            OfLine::Heavy(count - 1)
        });
        let of = of.collect();
        High {
            forbidden: vec![NONE],
            of,
            sets: vec![Set::default(); count as usize],
        }
    }

    #[inline(never)]
    fn first_fit(&mut self, v: u32, row: &[u32], crossing: &Pattern, colors: &[u32]) -> u32 {
        let mut color = 0;
        let mut any_heavy = false;
        for &i in row {
            match self.of[i as usize] {
                OfLine::Without => {}
                OfLine::Heavy(set) => {
                    color = color.max(self.sets[set as usize].full);
                    any_heavy = true;
                }
                OfLine::Scanned => {
                    for &w in crossing.row(i as usize) {
                        let color = colors[w as usize];
                        if color != NONE && color >= FIRST {
                            self.forbidden[(color - FIRST) as usize] = v;
                        }
                    }
                }
            }
        }
        while self.forbidden.get(color as usize) == Some(&v)
            || any_heavy && row.iter().any(|i| self.contains(*i, color))
        {
            color += 1;
        }
        if self.forbidden.len() < color as usize + 2 {
            self.forbidden.resize(color as usize + 2, NONE);
        }
        for &i in row {
            match &mut self.of[i as usize] {
                OfLine::Heavy(set) => self.sets[*set as usize].insert(color),
                of @ (OfLine::Without | OfLine::Scanned) => *of = OfLine::Scanned,
            }
        }
        color + FIRST
    }

    fn contains(&self, line: u32, color: u32) -> bool {
        match self.of[line as usize] {
            OfLine::Heavy(set) => self.sets[set as usize].contains(color),
            OfLine::Without | OfLine::Scanned => false,
        }
    }
}

/// A set of colors, and up to where it has no gap.
#[derive(Clone, Default)]
struct Set {
    words: Vec<u64>,
    full: u32,
}

impl Set {
    fn contains(&self, color: u32) -> bool {
        let word = self.words.get(color as usize / 64);
        word.is_some_and(|word| word >> (color % 64) & 1 == 1)
    }

    fn insert(&mut self, color: u32) {
        let word = color as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (color % 64);
        while self.contains(self.full) {
            self.full += 1;
        }
    }
}
