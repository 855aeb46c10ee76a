//! What is recorded while a function runs: nodes, reals, guards, and the recordings under way.
//!
//! Recordings are a stack in a thread-local, since a recorded function may itself differentiate
//! something; a variable knows the number of its recording, so that the two cannot be confused.

use std::any::Any;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};

use super::op::Op;

/// The operand is a real: the rest of the bits are its index.
pub(super) const REAL: u32 = 1 << 31;

/// One operation, in order of execution. Its result has the index of the input count plus its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) op: Op,
    /// Operands: inputs and results by index, reals with [`REAL`]; an integer as it is.
    pub(super) x: [u32; 3],
}

/// What was found out about values while recording, and decided what else was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// Is `b` the integer part of `a`?
    Integer,
    /// Is `a` the very float `b`?
    Exactly,
}

/// A question and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Guard {
    pub(super) question: Question,
    pub(super) answer: bool,
    /// Operands as those of nodes.
    pub(super) a: u32,
    pub(super) b: u32,
}

/// A straight-line program as it was run.
#[derive(Debug, Default)]
pub(super) struct Recording {
    /// Number of the recording.
    level: u32,
    /// Number of inputs.
    pub(super) inputs: u32,
    pub(super) nodes: Vec<Node>,
    /// Reals, as `f64`, which holds both float types.
    pub(super) reals: Vec<f64>,
    pub(super) guards: Vec<Guard>,
    /// Operands of foreign results.
    pub(super) operands: Vec<u32>,
    /// Values and partial derivatives of foreign results, in the scalar of the recording.
    pub(super) foreign: Option<Box<dyn Any + Send>>,
    /// Is there foreign code, whose results are only right where they were recorded?
    pub(super) has_foreign: bool,
}

impl Recording {
    /// Forgets everything but its storage.
    fn clear(&mut self, inputs: usize) {
        self.inputs = index(inputs);
        self.nodes.clear();
        self.reals.clear();
        self.guards.clear();
        self.operands.clear();
        self.has_foreign = false;
    }

    /// A real as an operand.
    pub(super) fn real(&mut self, c: f64) -> u32 {
        let at = index(self.reals.len());
        self.reals.push(c);
        at | REAL
    }

    /// The index of the result of a new node.
    pub(super) fn push(&mut self, op: Op, x: [u32; 3]) -> u32 {
        let at = index(self.inputs as usize + self.nodes.len());
        self.nodes.push(Node { op, x });
        at
    }
}

/// An index of a tape.
fn index(i: usize) -> u32 {
    let i = u32::try_from(i).ok().filter(|i| *i < REAL);
    i.expect("a tape has fewer than 2^31 operations")
}

thread_local! {
    static RECORDINGS: RefCell<Vec<Recording>> = const { RefCell::new(Vec::new()) };
}

/// Recordings that were begun so far, on all threads: each has a number of its own, so that a variable never gets
/// into the recording of another thread or of a later call.
static BEGUN: AtomicU32 = AtomicU32::new(0);

/// Runs something on the recording with this number. It must not record.
///
/// # Panics
/// If the variable was moved to another thread than the one that records, or kept longer than its recording.
pub(super) fn with<T>(level: u32, run: impl FnOnce(&mut Recording) -> T) -> T {
    RECORDINGS.with(|all| {
        let mut all = all.borrow_mut();
        let recording = all.iter_mut().rev().find(|r| r.level == level);
        run(recording.expect("a variable is used on the thread that records it, while it does"))
    })
}

/// A recording under way on this thread.
pub(super) struct Session {
    pub(super) level: u32,
    ended: bool,
}

impl Session {
    /// Begins one, in the storage of an earlier one.
    pub(super) fn begin(mut recording: Recording, inputs: usize) -> Self {
        recording.clear(inputs);
        RECORDINGS.with(|all| {
            let level = BEGUN.fetch_add(1, Ordering::Relaxed);
            recording.level = level;
            all.borrow_mut().push(recording);
            Session {
                level,
                ended: false,
            }
        })
    }

    /// What was recorded.
    pub(super) fn end(mut self) -> Recording {
        self.ended = true;
        self.pop()
    }

    fn pop(&self) -> Recording {
        RECORDINGS.with(|all| {
            let mut all = all.borrow_mut();
            // those of sessions that a panic has left open, and this one
            let at = all.iter().rposition(|r| r.level == self.level);
            let at = at.unwrap_or(all.len());
            let mut own = all.drain(at..);
            own.next().unwrap_or_default()
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.ended {
            self.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::variable::Variable;
    use super::{Recording, Session};

    fn variable(session: &Session) -> Variable<f64> {
        Variable {
            value: 2.0,
            node: 0,
            level: session.level,
        }
    }

    #[test]
    fn recordings_nest() {
        let outer = Session::begin(Recording::default(), 1);
        let x = variable(&outer);
        let inner = Session::begin(Recording::default(), 1);
        let y = variable(&inner);
        let _ = (y * y, x * x, x + x);
        assert_eq!(inner.end().nodes.len(), 1);
        assert_eq!(outer.end().nodes.len(), 2);
    }

    #[test]
    #[should_panic(expected = "on the thread that records it")]
    fn a_variable_does_not_get_into_the_recording_of_another_thread() {
        let here = Session::begin(Recording::default(), 1);
        let x = variable(&here);
        let elsewhere = std::thread::spawn(move || {
            let _there = Session::begin(Recording::default(), 1);
            let _ = x * x;
        });
        if let Err(panic) = elsewhere.join() {
            std::panic::resume_unwind(panic);
        }
    }

    #[test]
    #[should_panic(expected = "while it does")]
    fn a_variable_does_not_get_into_a_later_recording() {
        let first = Session::begin(Recording::default(), 1);
        let x = variable(&first);
        first.end();
        let _second = Session::begin(Recording::default(), 1);
        let _ = x * x;
    }
}
