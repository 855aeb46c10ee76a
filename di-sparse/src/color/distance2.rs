//! Columns (or rows) of one color never meet in a row (or column): partial distance-2 coloring.
//!
//! Reference: A. Gebremedhin, F. Manne, A. Pothen: What color is your Jacobian? (2005), algorithm 3.2.

use crate::Pattern;
use crate::graph::NONE;
use crate::order::{Distance2, Order, is_natural};

/// Crossing lines longer than this remember their colors instead of being scanned.
pub(crate) const HEAVY: usize = 256;

/// Colors of `lines`, where `crossing` is its transpose, first fit in this order.
pub(crate) fn distance2(lines: &Pattern, crossing: &Pattern, order: Order) -> Vec<u32> {
    let order = order.of(&Distance2 { lines, crossing });
    first_fit(lines, crossing, &order, HEAVY)
}

/// The same colors whatever `heavy` is. Cost: the sum of the squared lengths of crossing lines that
/// are not heavy, and a little for each entry of those that are.
pub(crate) fn first_fit(
    lines: &Pattern,
    crossing: &Pattern,
    order: &[u32],
    heavy: usize,
) -> Vec<u32> {
    let n = lines.shape().0;
    let mut colors = vec![NONE; n];
    // by color, as far as there are colors and one more: the last line that may not have it
    let mut forbidden = vec![NONE];
    let natural = is_natural(order);
    let mut taken = Taken::new(crossing, heavy);
    for &v in order {
        let mut least = 0;
        let mut any_heavy = false;
        for &i in lines.row(v as usize) {
            if let Some(set) = taken.get(i) {
                least = least.max(set.full);
                any_heavy = true;
                continue;
            }
            let row = crossing.row(i as usize);
            if natural {
                // those before it have colors
                for &w in row {
                    if w >= v {
                        break;
                    }
                    forbidden[colors[w as usize] as usize] = v;
                }
                continue;
            }
            for &w in row {
                let color = colors[w as usize];
                if color != NONE {
                    forbidden[color as usize] = v;
                }
            }
        }
        let mut color = least;
        while forbidden.get(color as usize) == Some(&v)
            || any_heavy
                && lines
                    .row(v as usize)
                    .iter()
                    .any(|i| taken.get(*i).is_some_and(|set| set.contains(color)))
        {
            color += 1;
        }
        colors[v as usize] = color;
        if forbidden.len() < color as usize + 2 {
            forbidden.resize(color as usize + 2, NONE);
        }
        if any_heavy {
            for &i in lines.row(v as usize) {
                taken.insert(i, color);
            }
        }
    }
    colors
}

/// Colors that occur in each heavy line.
struct Taken {
    /// By line: which set, or [`NONE`]; empty if there are none.
    set_of: Vec<u32>,
    sets: Vec<Set>,
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
}

impl Taken {
    fn new(crossing: &Pattern, heavy: usize) -> Self {
        let mut count = 0;
        let mut number = |i| {
            if crossing.row(i).len() <= heavy {
                return NONE;
            }
            count += 1;
            count - 1
        };
        let mut set_of: Vec<u32> = (0..crossing.shape().0).map(&mut number).collect();
        if count == 0 {
            set_of = Vec::new();
        }
        Taken {
            set_of,
            sets: vec![Set::default(); count as usize],
        }
    }

    #[inline]
    fn get(&self, line: u32) -> Option<&Set> {
        self.sets.get(*self.set_of.get(line as usize)? as usize)
    }

    fn insert(&mut self, line: u32, color: u32) {
        let number = self.set_of.get(line as usize);
        let Some(set) = number.and_then(|number| self.sets.get_mut(*number as usize)) else {
            return;
        };
        let word = color as usize / 64;
        if set.words.len() <= word {
            set.words.resize(word + 1, 0);
        }
        set.words[word] |= 1 << (color % 64);
        while set.contains(set.full) {
            set.full += 1;
        }
    }
}
