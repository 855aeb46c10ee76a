//! The tape: what the augmented forward sweep keeps, read-only in the reverse sweep.

/// Refuses, at compile time, an integer type that so many integers of the tape cannot hold.
///
/// # Panics
/// If `T` is wider.
pub const fn fits<T>(slots: usize) {
    assert!(
        size_of::<T>() <= slots * size_of::<usize>(),
        "reverse code keeps an integer that is wider than `usize` on this platform: use `usize` or `u32`"
    );
}

/// Initialised storage with a mark. Below the mark is what has been kept; capacity stays.
#[derive(Clone, Debug, Default)]
pub struct Stack<T> {
    /// All of it is initialised; what lies above `top` is dirty.
    storage: Vec<T>,
    top: usize,
}

impl<T: Copy + Default> Stack<T> {
    /// An empty stack; allocates when it grows.
    pub fn new() -> Self {
        Stack::default()
    }

    /// Forgets everything and keeps the storage.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn reset(&mut self) {
        self.top = 0;
    }

    /// How much is kept: the base of the next block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn mark(&self) -> usize {
        self.top
    }

    /// Forgets what was kept after `mark`.
    ///
    /// # Panics
    /// If less than `mark` is kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn truncate(&mut self, mark: usize) {
        assert!(
            mark <= self.top,
            "a mark of {mark} on a tape of {}",
            self.top
        );
        self.top = mark;
    }

    /// Makes room for `n` more, so that no block allocates before that.
    pub fn reserve(&mut self, n: usize) {
        let end = self.top + n;
        if end > self.storage.len() {
            self.storage.resize(end, T::default());
        }
    }

    /// Keeps the next `n`, dirty.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn block(&mut self, n: usize) -> &mut [T] {
        let base = self.top;
        let end = base + n;
        if end > self.storage.len() {
            self.grow(end);
        }
        self.top = end;
        &mut self.storage[base..end]
    }

    /// A block again that was made by [`Stack::block`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn block_at(&mut self, base: usize, n: usize) -> &mut [T] {
        debug_assert!(
            base + n <= self.top,
            "a block at {base}, {n} long, on a tape of {}",
            self.top
        );
        &mut self.storage[base..base + n]
    }

    /// Keeps a copy of `v`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push_slice(&mut self, v: &[T]) {
        self.block(v.len()).copy_from_slice(v);
    }

    /// Keeps one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push(&mut self, v: T) {
        self.block(1)[0] = v;
    }

    /// The `n` that were kept at `base`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn read(&self, base: usize, n: usize) -> &[T] {
        debug_assert!(
            base + n <= self.top,
            "read of {n} at {base} on a tape of {}",
            self.top
        );
        &self.storage[base..base + n]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) {
        let len = end.max(2 * self.storage.len());
        self.storage.resize(len, T::default());
    }
}

/// What the augmented forward sweep keeps.
///
/// Reset at the entry of an operator, not at its exit: a panic may have left it half filled.
#[derive(Clone, Debug, Default)]
pub struct Tape<S> {
    /// Values.
    pub words: Stack<S>,
    /// Indices, trip counts, exit codes, branch bits.
    pub ints: Stack<usize>,
}

impl<S: Copy + Default> Tape<S> {
    /// An empty tape; allocates when it grows.
    pub fn new() -> Self {
        Tape::default()
    }

    /// Forgets everything and keeps the storage.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn reset(&mut self) {
        self.words.reset();
        self.ints.reset();
    }

    /// Forgets what was kept after `mark`, and keeps the storage.
    ///
    /// # Panics
    /// If less than `mark` is kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn forget(&mut self, mark: Cursor) {
        self.words.truncate(mark.words);
        self.ints.truncate(mark.ints);
    }

    /// For calls that say that they use no tape.
    ///
    /// # Panics
    /// If one did.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn expect_empty(&self) {
        let used = self.words.mark() + self.ints.mark();
        assert!(used == 0, "a call that uses no tape left {used} entries");
    }

    /// A cursor for one reverse sweep over all that is kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn cursor(&self) -> Cursor {
        Cursor {
            words: self.words.mark(),
            ints: self.ints.mark(),
        }
    }
}

/// Where a reverse sweep is on the tape: begins at the marks and goes down. Many sweeps can run over
/// one tape, each with a cursor of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Into [`Tape::words`].
    pub words: usize,
    /// Into [`Tape::ints`].
    pub ints: usize,
}

impl Cursor {
    /// Goes down by `n` values and returns them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn words<'a, S: Copy + Default>(&mut self, tape: &'a Tape<S>, n: usize) -> &'a [S] {
        self.words -= n;
        tape.words.read(self.words, n)
    }

    /// Goes down by `n` integers and returns them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn ints<'a, S: Copy + Default>(&mut self, tape: &'a Tape<S>, n: usize) -> &'a [usize] {
        self.ints -= n;
        tape.ints.read(self.ints, n)
    }
}
