//! Numbers from text: the instances in `data/`.

/// Numbers separated by white space, taken one after another.
pub(super) struct Numbers<'a> {
    words: std::str::SplitWhitespace<'a>,
}

impl<'a> Numbers<'a> {
    /// The numbers of `text`.
    pub(super) fn of(text: &'a str) -> Self {
        Numbers {
            words: text.split_whitespace(),
        }
    }

    /// The next one.
    ///
    /// # Panics
    /// If there is none, or it is no number: instances are part of the program.
    pub(super) fn float(&mut self) -> f64 {
        let word = self.words.next().expect("the instance has more numbers");
        word.parse().expect("a number")
    }

    /// The next one, a size.
    ///
    /// # Panics
    /// As [`Numbers::float`].
    pub(super) fn size(&mut self) -> usize {
        let word = self.words.next().expect("the instance has more numbers");
        word.parse().expect("a size")
    }

    /// The next `n`.
    ///
    /// # Panics
    /// As [`Numbers::float`].
    pub(super) fn floats(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.float()).collect()
    }
}
