//! What a loop body takes from around it, and how it is left.

use crate::analysis::record::lets_of;
use crate::ir::{
    Arg, Body, Effect, Exit, Gives, Init, Leaf, PlaceId, PlaceKind, Region, Stmt, Val,
};
use crate::sorted::Set;

/// What a loop body takes from around it, and what it does to it.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) vals: Set<Val>,
    pub(super) places: Set<PlaceId>,
    pub(super) written: Set<PlaceId>,
    /// Places whose storage as a whole changes.
    pub(super) replaced: Set<PlaceId>,
    pub(super) own_vals: Set<Val>,
    pub(super) own_places: Set<PlaceId>,
    /// State of the function.
    pub(super) state: Set<PlaceId>,
    /// A `continue` of the loop itself.
    pub(super) continues: bool,
}

/// The state of a function.
pub(super) fn states(body: &Body) -> Set<PlaceId> {
    let places = body.places.iter().zip(0..);
    let states = places.filter(|(info, _)| info.kind == PlaceKind::State);
    states.map(|(_, p)| PlaceId(p)).collect()
}

impl Uses {
    /// Whether an effect may be run once more: it changes no state but that of the same trip.
    fn may_be_repeated(&self, effect: &Effect) -> bool {
        match &effect.gives {
            Gives::Nothing => effect.diverges || effect.tokens.0.to_string().contains("assert"),
            Gives::Vals(_) | Gives::State(_) => {
                let mut places = effect.places.iter();
                places.all(|(_, p)| !self.state.contains(p) || self.own_places.contains(p))
            }
        }
    }
}

/// Why a loop cannot be taken out.
pub(super) enum Fault {
    /// It is left otherwise than at its end.
    Exit,
    /// It does what must not be done twice.
    Effect,
}

/// A statement between the loop and an exit.
pub(super) struct Between {
    label: Option<String>,
    /// Not a labelled block, which exits without a label pass through.
    is_loop: bool,
}

/// Collects what a region uses and defines; an error if it leaves the loop otherwise than at its end.
pub(super) fn collect(
    region: &Region,
    label: &Option<String>,
    between: &mut Vec<Between>,
    uses: &mut Uses,
) -> Result<(), Fault> {
    for stmt in &region.stmts {
        if let Stmt::Effect(effect) = stmt
            && !uses.may_be_repeated(effect)
        {
            return Err(Fault::Effect);
        }
        note(stmt, uses);
        let depth = between.len();
        between.extend(
            match stmt {
                Stmt::For(f) => Some((f.label.clone(), true)),
                Stmt::While { label, .. } => Some((label.clone(), true)),
                Stmt::Block { label, .. } => Some((Some(label.clone()), false)),
                _ => None,
            }
            .map(|(label, is_loop)| Between { label, is_loop }),
        );
        for inner in stmt.regions() {
            collect(inner, label, between, uses)?;
        }
        between.truncate(depth);
    }
    let known = |named: &Option<String>| between.iter().any(|b| b.label == *named);
    match &region.exit {
        Exit::Yield(vs) => uses.vals.extend(vs),
        Exit::Return(_) => return Err(Fault::Exit),
        Exit::Break(None) | Exit::Continue(None) if between.iter().any(|b| b.is_loop) => {}
        Exit::Break(named @ Some(_)) | Exit::Continue(named @ Some(_)) if known(named) => {}
        Exit::Continue(None) => uses.continues = true,
        Exit::Continue(named) if named == label => uses.continues = true,
        Exit::Break(_) | Exit::Continue(_) => return Err(Fault::Exit),
    }
    Ok(())
}

fn note(stmt: &Stmt, uses: &mut Uses) {
    uses.vals.extend(stmt.uses());
    uses.places.extend(stmt.named());
    uses.own_vals.extend(lets_of(stmt));
    match stmt {
        Stmt::Store(p, _) | Stmt::Accumulate { place: p, .. } | Stmt::CopyPlace { dst: p, .. } => {
            uses.written.insert(p.root);
        }
        Stmt::View { view, of, mutable } => {
            uses.own_places.insert(*view);
            uses.written.extend(mutable.then_some(of.root));
        }
        Stmt::Declare(p, init) => {
            uses.own_places.insert(*p);
            if let Init::MoveOf(from) = init {
                uses.written.insert(*from);
                uses.replaced.insert(*from);
            }
        }
        Stmt::Storage(s) => {
            uses.written.extend(s.places());
            uses.replaced.extend(s.places());
        }
        Stmt::Call(call) => {
            for arg in &call.args {
                if let Arg::Mut(p) = arg {
                    uses.written.insert(p.root);
                }
            }
            for leaf in call.result.leaves() {
                if let Leaf::Place(p) = leaf {
                    uses.own_places.insert(*p);
                }
            }
        }
        Stmt::For(f) => {
            uses.own_vals.insert(f.iv);
        }
        Stmt::Effect(effect) => {
            if let Gives::State(p) = effect.gives {
                uses.own_places.insert(p);
            }
        }
        Stmt::Let(..)
        | Stmt::Load(..)
        | Stmt::If { .. }
        | Stmt::While { .. }
        | Stmt::Block { .. } => {}
        Stmt::Record(..)
        | Stmt::First(_)
        | Stmt::AccumulatePlace { .. }
        | Stmt::Zero(_)
        | Stmt::TangentCall(_)
        | Stmt::AugmentedCall(_)
        | Stmt::ReverseCall(_)
        | Stmt::Tape(_) => unreachable!("lower: no statements of transformed bodies"),
    }
}
