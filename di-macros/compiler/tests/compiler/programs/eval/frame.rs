//! What the augmented forward sweep keeps, as a tree: a record for the function, one for each trip
//! of a loop that keeps anything, one for each call.

use super::{Data, Machine, Trap, Value};
use di_compiler::ir::{Frame, FrameMode, ON_TAPE, Slot};
use std::collections::BTreeMap;

/// The record of a function, or of one trip of a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    slots: BTreeMap<Slot, Value>,
    calls: BTreeMap<u32, (Record, Vec<Data>)>,
    /// Calls whose records are on the tape.
    pushed: Vec<(Record, Vec<Data>)>,
    /// Loops in the order in which they were run, with the records of their trips.
    loops: Vec<Vec<Record>>,
    /// Vectors kept as a whole.
    kept: Vec<Data>,
    /// Number of loops that the reverse sweep has taken.
    taken: usize,
}

impl Record {
    pub(super) fn put(&mut self, slot: Slot, value: Value) {
        self.slots.insert(slot, value);
    }

    pub(super) fn get(&self, slot: Slot) -> Result<Value, Trap> {
        self.slots
            .get(&slot)
            .copied()
            .ok_or_else(|| Trap::Unknown(format!("{slot:?} was not recorded")))
    }

    /// Keeps a vector; returns where.
    pub(super) fn keep(&mut self, data: Data) -> usize {
        self.kept.push(data);
        self.kept.len() - 1
    }

    pub(super) fn kept(&self, at: usize) -> Result<Data, Trap> {
        let found = self.kept.get(at).cloned();
        found.ok_or_else(|| Trap::Unknown(format!("nothing was kept at {at}")))
    }

    pub(super) fn put_call(&mut self, number: u32, record: Record, args: Vec<Data>) {
        if number == ON_TAPE {
            self.pushed.push((record, args));
        } else {
            self.calls.insert(number, (record, args));
        }
    }

    pub(super) fn call(&mut self, number: u32) -> Result<(Record, Vec<Data>), Trap> {
        let found = if number == ON_TAPE {
            self.pushed.pop()
        } else {
            self.calls.get(&number).cloned()
        };
        found.ok_or_else(|| Trap::Unknown(format!("call {number} was not recorded")))
    }
}

impl Machine<'_> {
    pub(super) fn record(&mut self) -> &mut Record {
        self.records.last_mut().expect("the function has a record")
    }

    /// Before a loop: the records of its trips, empty ones or those of the forward sweep (the
    /// last loop that was run and not yet reversed).
    pub(super) fn enter(&mut self, frame: &Frame, trips: usize) {
        if frame.mode == FrameMode::None {
            return;
        }
        if is_block(frame) && trips == 0 {
            // empty blocks leave no trace: the reverse sweep may skip such a loop
            self.trips.push(Vec::new());
            return;
        }
        let reverse = self.is_reverse;
        let record = self.record();
        let found = if reverse && record.taken < record.loops.len() {
            record.taken += 1;
            let k = record.loops.len() - record.taken;
            record.loops[k].clone()
        } else {
            vec![Record::default(); trips]
        };
        self.trips.push(found);
    }

    pub(super) fn enter_trip(&mut self, frame: &Frame, trip: usize) {
        if frame.mode == FrameMode::None {
            return;
        }
        let trips = self.trips.last_mut().expect("the loop was entered");
        if trips.len() <= trip {
            trips.resize(trip + 1, Record::default());
        }
        let record = std::mem::take(&mut trips[trip]);
        self.records.push(record);
    }

    pub(super) fn leave_trip(&mut self, frame: &Frame, trip: usize) {
        if frame.mode == FrameMode::None {
            return;
        }
        let record = self.records.pop().expect("the trip was entered");
        self.trips.last_mut().expect("the loop was entered")[trip] = record;
    }

    pub(super) fn exit(&mut self, frame: &Frame) {
        if frame.mode == FrameMode::None {
            return;
        }
        let trips = self.trips.pop().expect("the loop was entered");
        let traceless = is_block(frame) && trips.is_empty();
        if !self.is_reverse && !traceless {
            self.record().loops.push(trips);
        }
    }
}

/// Whether all trips share a block of the tape.
fn is_block(frame: &Frame) -> bool {
    matches!(
        frame.mode,
        FrameMode::Lanes | FrameMode::Records | FrameMode::Fixed { .. }
    )
}
