//! The augmented forward sweep: the primal statements, with records and frames put in.

use crate::analysis::record::{Decisions, lets_of};
use crate::analysis::renewed::Scratch;
use crate::ir::{
    AugmentedCall, Body, Callee, For, Frame, FrameMode, Keep, Lit, ON_TAPE, Op, Region, Slot, Stmt,
    Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};

/// The augmented sweep, and where it keeps what.
pub(super) struct Plan {
    pub(super) region: Region,
    pub(super) frame: Frame,
    pub(super) slots: Map<Val, Slot>,
    /// Frames of loops, by trip number.
    pub(super) frames: Map<Val, Frame>,
    /// Position of a call's record in its frame, by number of the call.
    pub(super) calls: Map<u32, u32>,
    /// What the trips of loops renew, by trip number.
    pub(super) scratch: Map<Val, Scratch>,
}

/// Builds the augmented sweep. `reversed`: the calls that the adjoint sweep reverses; `idle`: the loops
/// that it leaves out.
pub(super) fn augment(
    body: &Body,
    decisions: &Decisions,
    reversed: &Set<u32>,
    idle: &Set<Val>,
) -> Plan {
    let mut cx = Cx {
        body,
        decisions,
        reversed,
        idle,
        silent: false,
        literals: Map::new(),
        plan: Plan {
            region: Region::default(),
            frame: Frame::default(),
            slots: Map::new(),
            frames: Map::new(),
            calls: Map::new(),
            scratch: Map::new(),
        },
        frames: vec![Open::default()],
    };
    let region = cx.region(&body.region);
    let open = cx.frames.pop().expect("augment: the function's own frame");
    Plan {
        region,
        frame: open.frame,
        ..cx.plan
    }
}

/// The frame that is being filled.
#[derive(Default)]
struct Open {
    frame: Frame,
    /// Something in the region uses the tape.
    tape: bool,
}

struct Cx<'a> {
    body: &'a Body,
    decisions: &'a Decisions,
    reversed: &'a Set<u32>,
    idle: &'a Set<Val>,
    /// In a loop that the adjoint sweep leaves out.
    silent: bool,
    literals: Map<Val, i128>,
    plan: Plan,
    frames: Vec<Open>,
}

impl Cx<'_> {
    fn region(&mut self, region: &Region) -> Region {
        let mut stmts = Vec::new();
        for stmt in &region.stmts {
            self.stmt(stmt, &mut stmts);
            for v in lets_of(stmt) {
                if !self.silent && self.decisions.recorded.contains(&v) {
                    let ty = self.body.val(v).ty.clone();
                    let slot = next_slot(&mut self.top().frame, &ty);
                    self.plan.slots.insert(v, slot);
                    if !(seeded!(IndexNotRecorded) && matches!(slot, Slot::Int(_))) {
                        stmts.push(Stmt::Record(slot, v));
                    }
                }
            }
        }
        Region {
            stmts,
            exit: region.exit.clone(),
        }
    }

    fn top(&mut self) -> &mut Open {
        self.frames.last_mut().expect("augment: inside a frame")
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        if let Stmt::Let(v, Op::Lit(Lit::Int(literal))) = stmt {
            self.literals.insert(*v, *literal);
        }
        match stmt {
            Stmt::AugmentedCall(c) if !self.reversed.contains(&c.record) => {
                out.push(Stmt::Call(c.call.clone()))
            }
            Stmt::AugmentedCall(c) => {
                let recursive = c.call.is_recursive(self.body);
                let top = self.top();
                top.tape = true;
                if recursive {
                    self.plan.calls.insert(c.record, ON_TAPE);
                    out.push(Stmt::AugmentedCall(AugmentedCall {
                        record: ON_TAPE,
                        ..c.clone()
                    }));
                    return;
                }
                let record = u32::try_from(top.frame.callees.len()).expect("fewer than 2^32 calls");
                let kept = c
                    .keep
                    .iter()
                    .enumerate()
                    .filter_map(|(k, keep)| match keep {
                        Keep::Fixed(n) => Some((k, *n)),
                        Keep::No | Keep::Counted | Keep::Measured => None,
                    });
                let callee = Callee {
                    path: c.call.callee.clone(),
                    kept: kept.collect(),
                };
                top.frame.callees.push(callee);
                self.plan.calls.insert(c.record, record);
                out.push(Stmt::AugmentedCall(AugmentedCall {
                    record,
                    ..c.clone()
                }));
            }
            Stmt::Tape(_) => {
                self.top().tape = true;
                out.push(stmt.clone());
            }
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => {
                let then = self.region(then);
                let els = self.region(els);
                out.push(Stmt::If {
                    cond: *cond,
                    then,
                    els,
                    results: results.clone(),
                });
            }
            Stmt::For(f) => {
                let (body, frame) = self.trip(f.iv, &f.body, Some(f.hi));
                out.push(Stmt::For(For {
                    body,
                    frame,
                    ..f.clone()
                }));
            }
            Stmt::While {
                label,
                cond,
                body,
                trip,
                trips,
                ..
            } => {
                let key = trip.expect("structure: each while counts its trips");
                let (body, frame) = self.trip(key, body, None);
                out.push(Stmt::While {
                    label: label.clone(),
                    cond: cond.clone(),
                    body,
                    trip: *trip,
                    trips: *trips,
                    frame,
                });
            }
            Stmt::Let(..)
            | Stmt::Load(..)
            | Stmt::Store(..)
            | Stmt::Accumulate { .. }
            | Stmt::View { .. }
            | Stmt::Declare(..)
            | Stmt::CopyPlace { .. }
            | Stmt::Call(_)
            | Stmt::Record(..)
            | Stmt::First(_)
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_)
            | Stmt::Effect(_)
            | Stmt::Storage(_)
            | Stmt::TangentCall(_)
            | Stmt::ReverseCall(_) => out.push(stmt.clone()),
            Stmt::Block { .. } => unreachable!("structure: blocks are gone"),
        }
    }

    /// The body of a loop, in a frame of its own; its number of trips, if it is known before the loop.
    fn trip(&mut self, key: Val, body: &Region, trips: Option<Val>) -> (Region, Frame) {
        self.frames.push(Open::default());
        let outside = self.silent;
        self.silent |= self.idle.contains(&key);
        let body = self.region(body);
        self.silent = outside;
        let Open { mut frame, tape } = self.frames.pop().expect("augment: pushed above");
        let empty = frame.words == 0 && frame.ints == 0 && frame.callees.is_empty();
        frame.mode = match (empty, trips.is_some(), tape) {
            (true, _, _) => FrameMode::None,
            (false, false, _) => FrameMode::Pushed,
            (false, true, true) => FrameMode::Records,
            (false, true, false) => FrameMode::Lanes,
        };
        if let Some(trips) = trips {
            self.fix(&mut frame, trips);
        }
        if tape || !empty {
            self.top().tape = true;
        }
        self.plan.frames.insert(key, frame.clone());
        (body, frame)
    }

    /// A short loop outside of loops leaves nothing on the tape.
    fn fix(&mut self, frame: &mut Frame, trips: Val) {
        let trips = self.literals.get(&trips).map(|n| u32::try_from(*n));
        // one without trips has no slots
        let (Some(Ok(trips @ 1..)), FrameMode::Lanes, [own]) =
            (trips, frame.mode, self.frames.as_mut_slice())
        else {
            return;
        };
        let slots = |each: u32| each.checked_mul(trips).filter(|n| *n <= FEW);
        if let (Some(words), Some(ints)) = (slots(frame.words), slots(frame.ints)) {
            let (word, int) = (own.frame.words, own.frame.ints);
            frame.mode = FrameMode::Fixed { word, int };
            own.frame.words += words;
            own.frame.ints += ints;
        }
    }
}

/// Slots of all trips of a loop up to which they are part of the function's record.
const FEW: u32 = 32;

/// Whether a slot holds floats.
fn is_word(ty: &Type) -> bool {
    matches!(ty, Type::Float)
}

/// A fresh slot of the right part of a frame.
fn next_slot(frame: &mut Frame, ty: &Type) -> Slot {
    if is_word(ty) {
        frame.words += u32::from(!(seeded!(RecordsOverwritten) && frame.words > 0));
        Slot::Word(frame.words - 1)
    } else {
        frame.ints += ty.slots();
        Slot::Int(frame.ints - ty.slots())
    }
}
