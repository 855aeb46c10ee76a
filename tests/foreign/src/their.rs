//! Somebody's engines: dual numbers with two tangents, and a tape in a thread-local.

use std::cell::RefCell;

/// A value with two tangents.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The value.
    pub re: f64,
    /// The tangents.
    pub eps: [f64; 2],
}

impl std::ops::Add for Pair {
    type Output = Pair;
    fn add(self, o: Pair) -> Pair {
        Pair {
            re: self.re + o.re,
            eps: [self.eps[0] + o.eps[0], self.eps[1] + o.eps[1]],
        }
    }
}

impl std::ops::Sub for Pair {
    type Output = Pair;
    fn sub(self, o: Pair) -> Pair {
        self + -o
    }
}

#[allow(
    clippy::suspicious_arithmetic_impl,
    reason = "the product rule is a sum"
)]
impl std::ops::Mul for Pair {
    type Output = Pair;
    fn mul(self, o: Pair) -> Pair {
        let part = |k: usize| self.eps[k] * o.re + self.re * o.eps[k];
        Pair {
            re: self.re * o.re,
            eps: [part(0), part(1)],
        }
    }
}

impl std::ops::Neg for Pair {
    type Output = Pair;
    fn neg(self) -> Pair {
        Pair {
            re: -self.re,
            eps: self.eps.map(|v| -v),
        }
    }
}

/// What a tape keeps of one number: where it comes from, with which factors.
pub type Entry = Vec<(usize, f64)>;

thread_local! {
    /// The tape that is written now.
    pub static TAPE: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// A value and its place on the tape.
#[derive(Clone, Copy, Debug)]
pub struct Taped {
    /// The value.
    pub value: f64,
    /// The place; none for a constant.
    pub place: Option<usize>,
}

/// Puts a number on the tape.
pub fn push(value: f64, from: Entry) -> Taped {
    let place = TAPE.with(|tape| {
        let mut tape = tape.borrow_mut();
        tape.push(from);
        tape.len() - 1
    });
    Taped {
        value,
        place: Some(place),
    }
}
