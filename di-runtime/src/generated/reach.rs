//! Which functions a function reaches by calls, known when the code is compiled. Generated code asks;
//! nothing here is run.

use std::marker::PhantomData;

/// A generic function: the type that the code of one instance is in.
pub trait Instance {
    /// That type.
    type Of;
}

/// The same, from the shapes of what a call takes and gives.
#[diagnostic::on_unimplemented(
    message = "the generic arguments of `{Self}` cannot be inferred here",
    note = "write them: `f::<3>(..)`; and bind structs and results with their types"
)]
pub trait Infer<Shapes> {
    /// That type.
    type Of;
}

/// The shape of a sequence: of what, and how many, [`Length`] if that is known.
#[derive(Debug)]
pub struct Sequenced<T, L>(PhantomData<(T, L)>);

/// A length that is known.
#[derive(Debug)]
pub struct Length<const N: usize>;

/// How many functions are told apart.
const MOST: usize = 1024;

/// Functions that have been visited on a walk from caller to callee.
#[derive(Debug)]
pub struct Seen {
    ids: [u64; MOST],
    len: usize,
    buffers: bool,
}

impl Seen {
    /// A walk that has not begun.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "made in constants alone")]
    pub const fn new() -> Seen {
        Seen {
            ids: [0; MOST],
            len: 0,
            buffers: false,
        }
    }

    /// Visits a function, and notes whether it takes buffers. False if it was visited before; then its
    /// callees were as well. Functions beyond the first thousand are not visited: should one of them
    /// belong to a cycle, rustc says so.
    pub const fn enter(&mut self, id: u64, buffers: bool) -> bool {
        self.buffers |= buffers || self.len == MOST;
        if self.has(id) || self.len == MOST {
            return false;
        }
        self.ids[self.len] = id;
        self.len += 1;
        true
    }

    /// Notes that a function takes buffers.
    pub const fn takes_buffers(&mut self) {
        self.buffers = true;
    }

    /// Whether a function was visited.
    #[must_use]
    pub const fn has(&self, id: u64) -> bool {
        let mut k = 0;
        while k < self.len {
            if self.ids[k] == id {
                return true;
            }
            k += 1;
        }
        false
    }

    /// Whether a function that was visited takes buffers.
    #[must_use]
    pub const fn buffers(&self) -> bool {
        self.buffers
    }
}

/// A number for a function, from where it stands (FNV-1a: Fowler, Noll, Vo 1991). Functions that share
/// one would be taken for each other: a record on the tape which could have been fixed, no more.
#[must_use]
pub const fn identity(path: &str, line: u32, column: u32) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let bytes = path.as_bytes();
    let mut k = 0;
    while k < bytes.len() {
        hash = step(hash, bytes[k] as u64);
        k += 1;
    }
    step(step(hash, line as u64), column as u64)
}

const fn step(hash: u64, next: u64) -> u64 {
    (hash ^ next).wrapping_mul(0x0000_0100_0000_01b3)
}
