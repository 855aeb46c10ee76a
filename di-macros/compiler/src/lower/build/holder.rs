//! Who holds a reference, and who owns what it refers to. References are held by variables, by
//! components of variables that are tuples, and by the value of a loop or block that is left early.

use super::reference::Choice;
use super::{Builder, Operand};
use crate::ir::PlaceId;
use crate::lower::hir::{Block, Expr, Kind, Local, SeqOp};
use crate::lower::ty::Ty;
use crate::lower::walk::{each, each_of_block};
use crate::sorted::{Map, Set};

/// A variable, or a component of one that is a tuple.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Holder {
    pub(super) local: Local,
    pub(super) path: Vec<usize>,
}

/// What a place belongs to, by what it is found again in another attempt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// A parameter, which stays where it is.
    Param(PlaceId),
    /// A variable that is no reference.
    Variable(Holder),
    /// The elements of the rows of a variable.
    Rows(Holder),
    /// What has no name and is borrowed by `&mut`: the holder that it was borrowed for, and which of its
    /// targets it was.
    Unnamed(Holder, usize),
    /// Copies of what shared references refer to that has no name.
    Kept,
}

impl Holder {
    pub(super) fn of(local: Local) -> Holder {
        Holder {
            local,
            path: Vec::new(),
        }
    }

    pub(super) fn part(&self, k: usize) -> Holder {
        let mut path = self.path.clone();
        path.push(k);
        Holder {
            local: self.local,
            path,
        }
    }

    pub(super) fn is_within(&self, other: &Holder) -> bool {
        self.local == other.local && self.path.starts_with(&other.path)
    }

    fn overlaps(&self, other: &Holder) -> bool {
        self.is_within(other) || other.is_within(self)
    }
}

/// What an expression uses of variables, and what it binds anew.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) used: Vec<Holder>,
    pub(super) rebound: Vec<Holder>,
}

impl Uses {
    pub(super) fn rebinds(&self, holder: &Holder) -> bool {
        self.rebound.iter().any(|r| r.overlaps(holder))
    }
}

impl Builder<'_> {
    /// The variable, or component of one, that an expression names.
    pub(super) fn holder(&self, e: &Expr) -> Option<Holder> {
        match &e.kind {
            Kind::Local(local) => Some(Holder::of(*local)),
            Kind::TupleField(base, k) if matches!(self.solved(&base.ty), Ty::Tuple(_)) => {
                Some(self.holder(base)?.part(*k))
            }
            _ => None,
        }
    }

    /// The variable behind `&mut v`, or behind a variable `r` that stands for that.
    pub(super) fn borrowed_holder(&self, e: &Expr) -> Option<Holder> {
        match &e.kind {
            Kind::Ref(true, inner) => match &inner.kind {
                Kind::Deref(r) => self.borrowed_holder(r),
                _ => self.holder(inner),
            },
            _ => self.holder(e).filter(|h| self.is_alias(h)),
        }
    }

    /// Whether a variable stands for references that are held elsewhere: `let r = &mut s;`.
    fn is_alias(&self, holder: &Holder) -> bool {
        matches!(self.bound_part(holder), Some(Operand::Held(of)) if of != holder)
    }

    /// A variable `r` that was bound to `&mut s`, as it was bound.
    pub(super) fn alias(&self, e: &Expr) -> Option<Operand> {
        let holder = self.holder(e).filter(|h| self.is_alias(h))?;
        self.bound_part(&holder).cloned()
    }

    /// Whether values of a type hold references that are kept as targets.
    pub(super) fn holds_references(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Tuple(ts) => ts.iter().any(|t| self.holds_references(t)),
            Ty::Ref(..) => !self.is_scalar_copy(ty),
            _ => false,
        }
    }

    /// What a holder stands for, as it was bound.
    pub(super) fn bound_part(&self, holder: &Holder) -> Option<&Operand> {
        let mut at = self.bound.get(holder.local.0)?;
        for k in &holder.path {
            let Operand::Tuple(parts) = at else {
                return None;
            };
            at = parts.get(*k)?;
        }
        Some(at)
    }

    // ---- what is bound anew ----

    /// Variables of reference type, and components of variables, that the function binds anew.
    pub(super) fn rebound(&self, body: &Block) -> Set<Holder> {
        let mut found = Uses::default();
        each_of_block(body, &mut |e| self.uses(e, &mut found));
        found.rebound.into_iter().collect()
    }

    pub(super) fn is_rebound(&self, holder: &Holder) -> bool {
        self.rebound.iter().any(|r| holder.is_within(r))
    }

    /// Uses in an expression and all within, closures that it calls included.
    pub(super) fn uses(&self, e: &Expr, found: &mut Uses) {
        if !self.made.is_empty() && self.made.contains_key(&address(e)) {
            return;
        }
        if let Some(holder) = self.holder(e) {
            found.used.push(holder);
            return;
        }
        match &e.kind {
            Kind::Passive(p) => {
                let locals = p.locals.iter().map(|(_, l)| Holder::of(*l));
                found.used.extend(locals);
            }
            Kind::Assign(place, _) if self.holds_references(&self.solved(&place.ty)) => {
                match &place.kind {
                    Kind::Deref(r) => self.rebound_behind(r, found),
                    _ => found.rebound.extend(self.holder(place)),
                }
            }
            // `&mut s`: something binds it anew
            Kind::Ref(true, s) if self.holds_references(&self.solved(&s.ty)) => {
                found.rebound.extend(self.holder(s));
                self.rebound_behind(e, found);
            }
            Kind::Seq(SeqOp::MemSwap | SeqOp::Replace | SeqOp::Take, args) => {
                for a in args {
                    self.rebound_behind(a, found);
                }
            }
            Kind::CallClosure(id, _) | Kind::Chain { id, .. } => {
                self.uses(&self.closures[id.0].lambda.body, found);
            }
            _ => {}
        }
        each(e, &mut |inner| self.uses(inner, found));
    }

    /// What variables in use stand for may be bound anew through them, wherever they are handed on.
    pub(super) fn note_aliases(&self, found: &mut Uses) {
        for holder in &found.used {
            if let Some(Operand::Held(of)) = self.bound_part(holder)
                && of != holder
            {
                found.rebound.push(of.clone());
            }
        }
    }

    /// `*r = ..` of a variable that stands for another.
    fn rebound_behind(&self, r: &Expr, found: &mut Uses) {
        let holder = self.borrowed_holder(r);
        if let Some(Operand::Held(of)) = holder.and_then(|h| self.bound_part(&h)) {
            found.rebound.push(of.clone());
        }
    }

    // ---- values of loops and blocks ----

    /// Loops, blocks and conditions whose value is a reference are holders of their own, and what picks an item of an
    /// iterator is one, numbered in the order of the source.
    pub(super) fn number_sites(&mut self, body: &Block) {
        let mut sites = Map::new();
        let mut visit = |e: &Expr| self.find_sites(e, &mut sites);
        each_of_block(body, &mut visit);
        for closure in self.closures {
            visit(&closure.lambda.body);
        }
        self.sites = sites;
    }

    fn find_sites(&self, e: &Expr, sites: &mut Map<usize, usize>) {
        let is_site = match e.kind {
            Kind::Loop { .. } | Kind::Labelled { .. } | Kind::If { .. } => {
                self.holds_references(&self.solved(&e.ty))
            }
            Kind::Pick(..) => true,
            _ => false,
        };
        if is_site {
            let next = sites.len();
            sites.get_or_insert(address(e), next);
        }
        each(e, &mut |inner| self.find_sites(inner, sites));
    }

    /// The holder that the value of such an expression is.
    pub(super) fn site(&self, e: &Expr) -> Option<Holder> {
        let site = self.sites.get(&address(e))?;
        Some(Holder::of(Local(self.locals.len() + site)))
    }

    // ---- owners ----

    /// Notes what the storage belongs to that a variable is bound to.
    pub(super) fn note_owners(&mut self, holder: &Holder, bound: &Operand, ty: &Ty) {
        match (bound, ty) {
            (Operand::Tuple(parts), Ty::Tuple(ts)) => {
                for (k, (part, t)) in parts.iter().zip(ts).enumerate() {
                    self.note_owners(&holder.part(k), part, t);
                }
            }
            (Operand::Place(place), Ty::Ref(true, _)) => {
                let root = self.without_view(place.root);
                self.note_unnamed(holder, &[root]);
            }
            (Operand::Choice(choice), Ty::Ref(true, _)) => {
                self.note_unnamed_targets(holder, choice)
            }
            (
                Operand::Place(place),
                Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Vec(_) | Ty::Struct(_),
            ) if place.path.is_empty() => {
                let owner = Owner::Variable(holder.clone());
                self.owners.get_or_insert(place.root, owner);
                if let Some(data) = self.stores.get(&place.root).map(|s| s.data) {
                    let owner = Owner::Rows(holder.clone());
                    self.owners.get_or_insert(data, owner);
                }
            }
            _ => {}
        }
    }

    pub(super) fn note_unnamed_targets(&mut self, holder: &Holder, choice: &Choice) {
        let roots: Vec<PlaceId> = choice.targets.iter().map(|t| t.root).collect();
        self.note_unnamed(holder, &roots);
    }

    /// What is borrowed by `&mut` has no other name than the holder's.
    fn note_unnamed(&mut self, holder: &Holder, roots: &[PlaceId]) {
        for (k, root) in roots.iter().enumerate() {
            if !self.owners.contains_key(root) {
                let owner = Owner::Unnamed(holder.clone(), k);
                self.unnamed.insert(owner.clone(), *root);
                self.owners.insert(*root, owner);
            }
        }
    }

    /// The storage of an owner, where there is one now: what has gone out of scope is not referred to.
    pub(super) fn storage_of(&self, owner: &Owner, holder: &Holder) -> Option<PlaceId> {
        let variable = |of: &Holder| match self.bound_part(of)? {
            Operand::Place(place) if place.path.is_empty() => Some(place.root),
            _ => None,
        };
        let place = match owner {
            Owner::Param(place) => Some(*place),
            Owner::Variable(of) => variable(of),
            Owner::Rows(of) => variable(of).and_then(|p| self.stores.get(&p).map(|s| s.data)),
            Owner::Unnamed(..) => self.unnamed.get(owner).copied(),
            Owner::Kept => self.variables.get(holder)?.kept,
        };
        place.filter(|p| self.is_visible(*p))
    }

    fn without_view(&self, place: PlaceId) -> PlaceId {
        let mut at = place;
        while let Some(of) = self.views.get(&at) {
            at = of.root;
        }
        at
    }
}

/// The expression's own: the function's tree stays as it is while it is lowered.
pub(super) fn address(e: &Expr) -> usize {
    std::ptr::from_ref(e) as usize
}
