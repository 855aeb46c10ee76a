//! Values that have no variable: they are written where they are used.
//!
//! Parameters, constants and seeds are. So is what is used once, in the region where it is computed, unless the user
//! gave it a name. What reads values alone may stand behind any statement; what reads memory, and integers, which can
//! overflow, only behind what has no effects.

use super::Emitter;
use crate::analysis::activity::Activity;
use crate::ir::{
    Body, Exit, FrameMode, Init, Leaf, Lit, Mode, Op, Place, PlaceId, PlaceKind, Region, Role,
    Slot, Stmt, Type, Val,
};
use crate::sorted::{Map, Set};
use crate::template::quote;
use proc_macro2::{Literal, TokenStream};

/// Where a value is used.
#[derive(Clone, Copy, Default)]
struct Uses {
    count: usize,
    /// Region and statement of one of them, if that statement writes it once.
    at: Option<(usize, usize)>,
}

/// What is written in the place of a value.
#[derive(Clone)]
pub(super) enum Operand {
    Op(Op),
    Load(Place),
}

struct Walk<'a> {
    body: &'a Body,
    activity: &'a Activity,
    tangents: &'a Map<Val, Val>,
    uses: Vec<Uses>,
    regions: usize,
    /// Values that are written elsewhere and read memory, or may overflow.
    tied: Set<Val>,
}

/// What the values without a variable are computed by. `tangents`: those that are returned beside values.
pub(super) fn inlined(
    body: &Body,
    activity: &Activity,
    tangents: &Map<Val, Val>,
) -> Map<Val, Operand> {
    let mut walk = Walk {
        body,
        activity,
        tangents,
        uses: vec![Uses::default(); body.vals.len()],
        regions: 0,
        tied: Set::new(),
    };
    let mut region = body.region.clone();
    walk.count(&mut region);
    walk.regions = 0;
    let mut found = Map::new();
    walk.find(&body.region, &mut found);
    found
}

impl Walk<'_> {
    fn count(&mut self, region: &mut Region) {
        let here = self.regions;
        self.regions += 1;
        for (at, stmt) in region.stmts.iter_mut().enumerate() {
            let (once, index_once) = writes_once(stmt);
            // indices of places are visited first
            let mut places = 0;
            stmt.each_place(&mut |place| place.each_use(&mut |_| places += 1));
            let mut k = 0;
            stmt.each_use(&mut |v| {
                let fits = if k < places { index_once } else { once };
                k += 1;
                self.note(*v, fits.then_some((here, at)));
            });
            for inner in stmt.regions_mut() {
                self.count(inner);
            }
        }
        let end = Some((here, region.stmts.len()));
        match &region.exit {
            Exit::Yield(vs) => vs.iter().for_each(|v| self.note(*v, end)),
            Exit::Return(leaves) => {
                for leaf in leaves {
                    let Leaf::Val(v) = leaf else { continue };
                    self.note(*v, end);
                    if let Some(t) = self.tangents.get(v) {
                        self.note(*t, end);
                    }
                }
            }
            Exit::Break(_) | Exit::Continue(_) => {}
        }
    }

    fn note(&mut self, v: Val, at: Option<(usize, usize)>) {
        let uses = &mut self.uses[v.0 as usize];
        uses.count += 1;
        uses.at = at;
    }

    fn find(&mut self, region: &Region, found: &mut Map<Val, Operand>) {
        let here = self.regions;
        self.regions += 1;
        for (at, stmt) in region.stmts.iter().enumerate() {
            let once = |v: &Val| {
                let uses = self.uses[v.0 as usize];
                let used = uses.at.filter(|(region, _)| *region == here);
                used.filter(|_| uses.count == 1).map(|(_, k)| k)
            };
            let still = |k: usize| {
                region.stmts[at + 1..k].iter().all(is_quiet)
                    && region.stmts.get(k).is_none_or(reads_first)
            };
            match stmt {
                Stmt::Let(v, op) => {
                    let mut tied = overflows(self.body, *v, op);
                    op.clone().each_use(&mut |a| tied |= self.tied.contains(a));
                    let fits = |k| self.is_once(*v, op) && (!tied || still(k));
                    if self.is_anywhere(*v, op) || once(v).is_some_and(fits) {
                        found.insert(*v, Operand::Op(op.clone()));
                        if tied {
                            self.tied.insert(*v);
                        }
                    }
                }
                Stmt::Load(v, place)
                    if self.is_plain_load(*v, place) && once(v).is_some_and(still) =>
                {
                    found.insert(*v, Operand::Load(place.clone()));
                    self.tied.insert(*v);
                }
                _ => {}
            }
            for inner in stmt.regions() {
                self.find(inner, found);
            }
        }
    }

    /// Whether it may be written as often as it is used.
    fn is_anywhere(&self, v: Val, op: &Op) -> bool {
        let info = self.body.val(v);
        match op {
            Op::Param(_) | Op::ResultSeed(_) => info.ty.is_scalar(),
            Op::LaneZero => info.hint.is_none(),
            Op::Lit(_) => {
                let lifted = info.ty == Type::Float && self.activity.is_generic(v);
                info.hint.is_none() && is_plain(&info.ty) && !lifted
            }
            _ => false,
        }
    }

    /// Whether a number of known type is read, from a place that exists in any case.
    fn is_plain_load(&self, v: Val, place: &Place) -> bool {
        let (info, root) = (self.body.val(v), self.body.place(place.root));
        let there = matches!(
            root.kind,
            PlaceKind::SharedParam(_)
                | PlaceKind::MutParam(_)
                | PlaceKind::ValueParam(_)
                | PlaceKind::Local
        );
        let known = root.ty.is_scalar()
            || matches!(root.ty.leaf(), Type::Float | Type::Lane) && !root.ty.is_structs();
        let tangents = matches!(root.kind, PlaceKind::Local) || info.ty != Type::Lane;
        info.hint.is_none() && is_plain(&info.ty) && there && known && tangents
    }

    /// Whether it may be written where its one use is.
    fn is_once(&self, v: Val, op: &Op) -> bool {
        let info = self.body.val(v);
        info.hint.is_none()
            && is_plain(&info.ty)
            && matches!(
                op,
                Op::Lit(_)
                    | Op::Copy(_)
                    | Op::Neg(_)
                    | Op::Not(_)
                    | Op::Bin(..)
                    | Op::Cmp(..)
                    | Op::Elementary(..)
                    | Op::Partial(..)
                    | Op::Cast(_)
                    | Op::LaneScale { .. }
                    | Op::Reload(Slot::Word(_))
            )
    }
}

/// Of a type that rustc infers from the expression.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Int(name) => !name.starts_with(['_', '<']),
        ty => matches!(ty, Type::Float | Type::Lane | Type::Bool),
    }
}

fn overflows(body: &Body, v: Val, op: &Op) -> bool {
    matches!(body.val(v).ty, Type::Int(_)) && matches!(op, Op::Bin(..) | Op::Neg(_))
}

/// Whether nothing happens in a statement that an overflow before it would prevent.
fn is_quiet(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let(_, op) => !matches!(op, Op::Verbatim { .. }),
        Stmt::Load(..) => true,
        _ => false,
    }
}

/// Whether a statement reads all operands before it does anything.
fn reads_first(stmt: &Stmt) -> bool {
    match stmt {
        // an element of a vector is borrowed before the operand is read
        Stmt::Accumulate { place, .. } => place.path.is_empty(),
        Stmt::Let(..) | Stmt::Load(..) | Stmt::Store(..) | Stmt::If { .. } | Stmt::For(_) => true,
        _ => false,
    }
}

/// Whether the code of a statement has each operand once; and each index.
fn writes_once(stmt: &Stmt) -> (bool, bool) {
    match stmt {
        Stmt::Let(_, op) => {
            let once = matches!(
                op,
                Op::Copy(_)
                    | Op::Neg(_)
                    | Op::Not(_)
                    | Op::Bin(..)
                    | Op::Cmp(..)
                    | Op::Elementary(..)
                    | Op::Partial(..)
                    | Op::Cast(_)
                    | Op::LaneScale { .. }
            );
            (once, false)
        }
        Stmt::Load(..) => (true, true),
        Stmt::Store(..) => (true, true),
        Stmt::Accumulate { .. }
        | Stmt::Record(Slot::Word(_), _)
        | Stmt::If { .. }
        | Stmt::Declare(_, Init::Scalar(_) | Init::List(_)) => (true, false),
        Stmt::For(f) => (
            f.frame.mode == FrameMode::None && !f.overlapping && !f.reversed,
            false,
        ),
        _ => (false, false),
    }
}

impl Emitter<'_> {
    /// What computes a value without a variable.
    fn inlined(&self, v: Val) -> Option<&Operand> {
        let operand = self.inlined.get(&v)?;
        // what is not known has a variable, and what is computed of it
        let hidden = self.control.is_some_and(|control| {
            let mut open = control.is_open(v) || control.is_demanded(v);
            match operand {
                Operand::Op(op) => {
                    op.clone().each_use(&mut |a| open |= control.is_open(*a));
                    open |= self.body.val(v).ty != Type::Float
                        && !matches!(op, Op::Lit(_) | Op::Param(_));
                }
                Operand::Load(_) => open = true,
            }
            open
        });
        (!hidden).then_some(operand)
    }

    pub(super) fn is_inlined(&self, v: Val) -> bool {
        self.inlined(v).is_some()
    }

    /// A value, for any place in an expression.
    pub(crate) fn val(&self, v: Val) -> TokenStream {
        let value = self.operand(v);
        if self.is_open_ended(v) {
            quote!((#value))
        } else {
            value
        }
    }

    /// A value as an argument or as the right side of an assignment.
    pub(crate) fn operand(&self, v: Val) -> TokenStream {
        match self.inlined(v) {
            None => {
                let id = self.var(v);
                quote!(#id)
            }
            Some(Operand::Op(Op::Lit(Lit::Int(i)))) => {
                let Type::Int(name) = &self.body.val(v).ty else {
                    unreachable!("verify: integers are of integer types")
                };
                let literal = format!("{i}{name}");
                let literal: Literal = literal.parse().expect("an integer with its type");
                quote!(#literal)
            }
            Some(Operand::Op(op)) => self.op(v, op),
            Some(Operand::Load(place)) => self.path_read(place, self.body.val(v).span),
        }
    }

    /// A value as an index.
    pub(crate) fn index(&self, v: Val) -> TokenStream {
        match self.inlined(v) {
            Some(Operand::Op(Op::Lit(Lit::Int(i)))) => {
                let literal = Literal::i128_unsuffixed(*i);
                quote!(#literal)
            }
            _ => self.operand(v),
        }
    }

    /// Whether what stands before or after its expression could become a part of it.
    fn is_open_ended(&self, v: Val) -> bool {
        let float = |a: Val| self.body.val(a).ty == Type::Float;
        match self.inlined(v) {
            Some(Operand::Op(op)) => match op {
                Op::Lit(Lit::Int(i)) => *i < 0,
                Op::Copy(a) => self.is_open_ended(*a),
                Op::Neg(_) => self.body.val(v).ty != Type::Lane,
                // with a number of another kind it is a function
                Op::Bin(_, a, b) => {
                    self.body.val(v).ty != Type::Lane
                        && (!float(*a) || self.generic(*a) == self.generic(*b))
                }
                Op::Cmp(_, a, b) => !(self.generic(*a) || self.generic(*b)),
                Op::Not(_) | Op::Cast(_) => true,
                _ => false,
            },
            Some(Operand::Load(_)) | None => false,
        }
    }
}

/// Slots of numbers that need no variable: tangents that are only read, and adjoints that are added to once, where
/// the function itself is.
pub(super) fn direct_slots(body: &Body, reverse: bool) -> Set<PlaceId> {
    let mut found: Set<PlaceId> = Set::new();
    for (k, info) in body.places.iter().enumerate() {
        let PlaceKind::Slot(of) = info.kind else {
            continue;
        };
        let param = &body.params[of];
        let marked = param.role == Role::Active && param.mode != Mode::Mut;
        if marked && info.ty == Type::Lane {
            found.insert(PlaceId(k as u32));
        }
    }
    if !found.is_empty() {
        let mut added = Set::new();
        for outer in &body.region.stmts {
            for (k, stmt) in outer.all().enumerate() {
                for p in stmt.named() {
                    let fits = match stmt {
                        Stmt::Load(..) => !reverse,
                        Stmt::Accumulate { negate: false, .. } => {
                            reverse && k == 0 && added.insert(p)
                        }
                        _ => false,
                    };
                    if !fits {
                        found.remove(&p);
                    }
                }
            }
        }
    }
    found
}
