//! Statements that may run before one that stands in front of them: neither reads or writes what the other writes
//! (the conditions of Bernstein, 1966).

use super::record::lets_of;
use super::renewed::declared;
use super::views::Views;
use crate::ir::{Arg, Call, Init, Op, PlaceId, Stmt, Storage, Val};
use crate::sorted::Set;

/// The statements behind that at `at` that may run before it, by their positions. `None` if others leave a trace, or
/// if something there is run for what it does.
pub(crate) fn earlier(
    stmts: &[Stmt],
    at: usize,
    views: &Views,
    leaves_trace: fn(&Stmt) -> bool,
) -> Option<Vec<usize>> {
    let traces = |stmt: &Stmt| stmt.all().any(leaves_trace);
    if !stmts[at + 1..].iter().any(traces) {
        return Some(Vec::new());
    }
    // what is tested or printed comes in the order in which it is written
    let does = |stmt: &Stmt| matches!(stmt, Stmt::Effect(_));
    if stmts[at..].iter().flat_map(Stmt::all).any(does) {
        return None;
    }
    let mut stay = Uses::default();
    stay.add(&stmts[at], views);
    let mut found = Vec::new();
    for (k, stmt) in stmts.iter().enumerate().skip(at + 1) {
        let mut own = Uses::default();
        own.add(stmt, views);
        if own.is_apart_from(&stay) {
            found.push(k);
        } else if traces(stmt) {
            return None;
        } else {
            stay.add(stmt, views);
        }
    }
    Some(found)
}

/// Passive code that may call something: nobody knows what else that changes.
fn runs_code(stmt: &Stmt) -> bool {
    let of_args = |call: &Call| {
        let mut args = call.args.iter();
        args.any(|arg| matches!(arg, Arg::Verbatim { tokens, .. } if tokens.calls()))
    };
    match stmt {
        Stmt::Let(_, Op::Verbatim { tokens, .. }) => tokens.calls() && !tokens.is_arithmetic(),
        Stmt::Call(call) => of_args(call),
        Stmt::AugmentedCall(c) => of_args(&c.call),
        _ => false,
    }
}

/// What a statement has to do with, nested ones included.
#[derive(Default)]
struct Uses {
    read: Set<Val>,
    defined: Set<Val>,
    named: Set<PlaceId>,
    written: Set<PlaceId>,
    /// It runs passive code, or calls a differentiated function.
    code: bool,
    calls: bool,
}

impl Uses {
    fn add(&mut self, stmt: &Stmt, views: &Views) {
        self.read.extend(stmt.all_uses());
        for stmt in stmt.all() {
            self.defined.extend(lets_of(stmt));
            self.code |= runs_code(stmt);
            self.calls |= matches!(stmt, Stmt::Call(_) | Stmt::AugmentedCall(_));
            // views are places of their own, and stand for others
            let (written, named) = (written(stmt), stmt.named());
            for p in written.iter().chain(&named) {
                self.named.extend([*p, views.root(*p)]);
            }
            self.written.extend(written.iter());
            if !matches!(stmt, Stmt::View { .. }) {
                self.written.extend(written.iter().map(|p| views.root(*p)));
            }
        }
    }

    fn is_apart_from(&self, other: &Uses) -> bool {
        let runs = |a: &Uses, b: &Uses| a.code && (b.code || b.calls);
        !runs(self, other)
            && !runs(other, self)
            && self.read.is_disjoint(&other.defined)
            && self.named.is_disjoint(&other.written)
            && self.written.is_disjoint(&other.named)
    }
}

/// Places that the statement itself may write to, and those that it makes.
fn written(stmt: &Stmt) -> Vec<PlaceId> {
    let passed = |call: &Call| {
        let args = call.args.iter().flat_map(|arg| match arg {
            Arg::Mut(p) | Arg::Place(p) => vec![p.root],
            Arg::Verbatim { places, .. } => places.iter().map(|(_, p)| *p).collect(),
            Arg::Value(_) | Arg::Ref(_) => Vec::new(),
        });
        args.collect::<Vec<_>>()
    };
    let mut found = declared(stmt);
    match stmt {
        Stmt::Store(p, _) | Stmt::Accumulate { place: p, .. } | Stmt::CopyPlace { dst: p, .. } => {
            found.push(p.root)
        }
        Stmt::View { view, .. } => found.push(*view),
        Stmt::Declare(_, Init::MoveOf(p)) => found.push(*p),
        Stmt::Storage(s) => found.extend(Storage::places(s)),
        Stmt::Let(_, Op::Verbatim { places, .. }) => {
            found.extend(places.iter().map(|(_, p)| *p));
        }
        Stmt::Call(call) => found.extend(passed(call)),
        Stmt::AugmentedCall(c) => found.extend(passed(&c.call)),
        Stmt::Let(..)
        | Stmt::Load(..)
        | Stmt::Declare(..)
        | Stmt::If { .. }
        | Stmt::For(_)
        | Stmt::While { .. }
        | Stmt::Record(..)
        | Stmt::Tape(_) => {}
        // not in forward sweeps
        Stmt::Block { .. }
        | Stmt::Effect(_)
        | Stmt::First(_)
        | Stmt::AccumulatePlace { .. }
        | Stmt::Zero(_)
        | Stmt::TangentCall(_)
        | Stmt::ReverseCall(_) => found.extend(stmt.named()),
    }
    found
}
