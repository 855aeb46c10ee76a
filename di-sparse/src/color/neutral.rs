//! Colors that no entry is read from become neutral: vertices that have them are not seeded.
//!
//! Reference: A. Montoison, G. Dalle, A. Gebremedhin: Revisiting sparse matrix coloring and
//! bicoloring (2025), post-processing.

use crate::graph::NONE;

/// Which colors are read.
pub(super) struct Used {
    colors: Vec<bool>,
    /// How many are not.
    left: usize,
}

impl Used {
    pub(super) fn new(colors: &[u32]) -> Self {
        let left = count(colors);
        Used {
            colors: vec![false; left],
            left,
        }
    }

    /// The color of `v` is read.
    pub(super) fn mark(&mut self, v: u32, colors: &[u32]) {
        let used = &mut self.colors[colors[v as usize] as usize];
        if !*used {
            *used = true;
            self.left -= 1;
        }
    }

    /// Is each color read?
    pub(super) fn all(&self) -> bool {
        self.left == 0
    }

    /// The end whose color is read, if either will do.
    pub(super) fn choose(&mut self, a: u32, b: u32, colors: &[u32]) -> u32 {
        let chosen = if self.colors[colors[b as usize] as usize] {
            b
        } else {
            a
        };
        self.mark(chosen, colors);
        chosen
    }

    /// Takes away the colors that are not read and closes the gaps.
    pub(super) fn neutralize(&self, colors: &mut [u32]) {
        if self.all() {
            return;
        }
        let mut next = 0;
        let mut renumber = |used: &bool| {
            next += u32::from(*used);
            if *used { next - 1 } else { NONE }
        };
        let new: Vec<u32> = self.colors.iter().map(&mut renumber).collect();
        for color in colors.iter_mut().filter(|color| **color != NONE) {
            *color = new[*color as usize];
        }
    }
}

/// One more than the largest color.
pub(super) fn count(colors: &[u32]) -> usize {
    let used = colors.iter().filter(|color| **color != NONE);
    used.max().map_or(0, |color| *color as usize + 1)
}
