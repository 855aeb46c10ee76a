//! What a loop body takes from around it, and how it is left.

use crate::analysis::activity::regions_of;
use crate::analysis::record::op_operands;
use crate::ir::{
    Arg, Body, Effect, Exit, Gives, Init, Leaf, Op, Part, Place, PlaceId, PlaceKind, Proj, Region,
    Stmt, Val,
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
        for inner in regions_of(stmt) {
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
    match stmt {
        Stmt::Let(v, op) => {
            uses.own_vals.insert(*v);
            uses.vals.extend(op_operands(op));
            match op {
                Op::Len(place) => read(place, uses),
                Op::Verbatim { places, .. } => uses.places.extend(places.iter().map(|(_, p)| *p)),
                _ => {}
            }
        }
        Stmt::Load(v, place) => {
            uses.own_vals.insert(*v);
            read(place, uses);
        }
        Stmt::Store(place, v) => {
            uses.vals.insert(*v);
            write(place, uses);
        }
        Stmt::Accumulate { place, val, .. } => {
            uses.vals.insert(*val);
            write(place, uses);
        }
        Stmt::Declare(p, init) => {
            uses.own_places.insert(*p);
            match init {
                Init::Scalar(v) | Init::ArrayFill(v) => {
                    uses.vals.insert(*v);
                }
                Init::VecFill(v, n) => uses.vals.extend([*v, *n]),
                Init::List(vs) => uses.vals.extend(vs),
                Init::CopyOf(place) | Init::ZeroLike(place) | Init::Sorted { keys: place, .. } => {
                    read(place, uses);
                }
                Init::Struct { fields, base } => {
                    for (_, part) in fields {
                        match part {
                            Part::Val(v) => {
                                uses.vals.insert(*v);
                            }
                            Part::Place(p) => read(p, uses),
                        }
                    }
                    if let Some(base) = base {
                        read(base, uses);
                    }
                }
                Init::MoveOf(p) => {
                    uses.places.insert(*p);
                    uses.written.insert(*p);
                    uses.replaced.insert(*p);
                }
                Init::ZeroLen(v) | Init::AnyLen(v) => {
                    uses.vals.insert(*v);
                }
                Init::None | Init::Zero => {}
            }
        }
        Stmt::View { view, of, mutable } => {
            uses.own_places.insert(*view);
            if *mutable {
                write(of, uses);
            } else {
                read(of, uses);
            }
        }
        Stmt::CopyPlace { dst, src } => {
            write(dst, uses);
            read(src, uses);
        }
        Stmt::Storage(s) => {
            uses.places.extend(s.places());
            uses.written.extend(s.places());
            uses.replaced.extend(s.places());
            uses.own_vals.extend(s.defines());
            s.clone().each_use(&mut |v| {
                uses.vals.insert(*v);
            });
        }
        Stmt::Call(call) => {
            for arg in &call.args {
                match arg {
                    Arg::Value(v) => {
                        uses.vals.insert(*v);
                    }
                    Arg::Place(place) | Arg::Ref(place) => read(place, uses),
                    Arg::Mut(place) => write(place, uses),
                    Arg::Verbatim {
                        operands, places, ..
                    } => {
                        uses.vals.extend(operands.iter().map(|(_, v)| *v));
                        uses.places.extend(places.iter().map(|(_, p)| *p));
                    }
                }
            }
            for leaf in call.result.leaves() {
                match leaf {
                    Leaf::Val(v) => {
                        uses.own_vals.insert(*v);
                    }
                    Leaf::Place(p) => {
                        uses.own_places.insert(*p);
                    }
                }
            }
        }
        Stmt::If { cond, results, .. } => {
            uses.vals.insert(*cond);
            uses.own_vals.extend(results);
        }
        Stmt::For(f) => {
            uses.own_vals.insert(f.iv);
            uses.vals.extend([f.lo, f.hi]);
        }
        Stmt::While { .. } | Stmt::Block { .. } => {}
        Stmt::Effect(effect) => {
            uses.vals.extend(effect.operands.iter().map(|(_, v)| *v));
            uses.places.extend(effect.places.iter().map(|(_, p)| *p));
            uses.own_vals.extend(effect.vals());
            if let Gives::State(p) = effect.gives {
                uses.own_places.insert(p);
            }
        }
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

fn read(place: &Place, uses: &mut Uses) {
    uses.places.insert(place.root);
    path(place, uses);
}

fn write(place: &Place, uses: &mut Uses) {
    uses.places.insert(place.root);
    uses.written.insert(place.root);
    path(place, uses);
}

fn path(place: &Place, uses: &mut Uses) {
    for step in &place.path {
        match step {
            Proj::Index(v) | Proj::Flat(v) => {
                uses.vals.insert(*v);
            }
            Proj::Range(lo, hi) => uses.vals.extend([*lo, *hi]),
            Proj::Field(..) => {}
        }
    }
}
