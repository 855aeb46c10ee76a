//! Numbers without pattern, the same in each run.

/// A linear congruential generator (D. E. Knuth, The Art of Computer Programming 2, 1997, section 3.3.4),
/// seeded by the mixing function of G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number
/// generators, 2014.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Another sequence for each seed.
    pub fn new(seed: u64) -> Random {
        // neighbours would give nearly the same numbers for long
        let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for (shift, by) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
            z = (z ^ (z >> shift)).wrapping_mul(by);
        }
        let mut random = Random(z ^ (z >> 31));
        for _ in 0..8 {
            random.number();
        }
        random
    }

    /// Between -1 and 1.
    pub fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (((self.number() + 1.0) / 2.0 * n as f64) as usize).min(n - 1)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
