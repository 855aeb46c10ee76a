//! Dependence as bits: as many inputs at a time as there are bits, no graph and no memory.

use super::Dependence;

/// Words of 64 bits.
const WORDS: usize = 2;

/// One bit for each of [`Bits::COUNT`] inputs, the last one for all inputs that are not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits([u64; WORDS]);

impl Bits {
    /// Number of bits.
    pub const COUNT: usize = 64 * WORDS;

    /// Visits the numbers of the bits that are set below `end`, ascending.
    #[inline]
    pub fn each(self, end: usize, mut visit: impl FnMut(usize)) {
        for (at, word) in self.0.into_iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let bit = 64 * at + word.trailing_zeros() as usize;
                if bit >= end {
                    return;
                }
                visit(bit);
                word &= word - 1;
            }
        }
    }
}

impl Dependence for Bits {
    #[inline]
    fn of_input(i: usize, first: usize) -> Self {
        let bit = i.wrapping_sub(first).min(Bits::COUNT - 1);
        let mut words = [0; WORDS];
        words[bit / 64] = 1 << (bit % 64);
        Bits(words)
    }

    #[inline]
    fn is_nothing(self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    #[inline]
    fn union(self, o: Self) -> Self {
        Bits(std::array::from_fn(|at| self.0[at] | o.0[at]))
    }

    #[inline]
    fn cross(self, _: Self, _: Self) -> Self {
        self
    }

    fn within(self, o: Self) -> bool {
        let mut words = self.0.iter().zip(&o.0);
        words.all(|(own, other)| own & !other == 0)
    }
}
