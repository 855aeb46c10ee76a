//! Shadows: where the adjoints of places are kept, and the paths to them.

use super::Cx;
use crate::ir::{Init, Op, Place, PlaceId, PlaceKind, Proj, Stmt, Type, Val};
use proc_macro2::Span;

impl Cx<'_> {
    /// The shadow of a path, through views.
    pub(super) fn shadow(&mut self, place: &Place) -> Place {
        let resolved = self.resolve(place);
        let root = self.shadow_root(resolved.root);
        Place { root, ..resolved }
    }

    /// A path from its root, through views. The adjoint sweep reads its indices and bounds.
    pub(super) fn resolve(&mut self, place: &Place) -> Place {
        let mut stmts = Vec::new();
        let resolved = self.views.resolve(&mut self.body, place, &mut stmts);
        for stmt in &stmts {
            if let Stmt::Let(_, Op::Bin(_, a, b)) = stmt {
                self.need_primal(*a);
                self.need_primal(*b);
            }
        }
        for step in &resolved.path {
            match step {
                Proj::Index(i) | Proj::Flat(i) => self.need_primal(*i),
                Proj::Range(a, b) => {
                    self.need_primal(*a);
                    self.need_primal(*b);
                }
                Proj::Field(..) => {}
            }
        }
        self.scope().stmts.extend(stmts);
        resolved
    }

    pub(super) fn need_primal(&mut self, v: Val) {
        if (v.0 as usize) < self.primal.vals.len() {
            self.needed.insert(v);
        }
    }

    pub(super) fn shadow_root(&mut self, p: PlaceId) -> PlaceId {
        if let PlaceKind::SharedParam(k) | PlaceKind::MutParam(k) = self.primal.place(p).kind {
            return self.slot(k);
        }
        // it is only read
        if let PlaceKind::ValueParam(k) = self.primal.place(p).kind
            && self.primal.passes_on(p)
        {
            return self.slot(k);
        }
        if let Some(s) = self.shadows.get(&p) {
            return *s;
        }
        let info = self.primal.place(p).clone();
        let s = self
            .body
            .new_place(info.ty.lanes(), &info.hint, PlaceKind::Local, info.span);
        self.shadows.insert(p, s);
        s
    }

    /// What the shadow of a place begins with; values that it needs are put before it.
    pub(super) fn shadow_init(&mut self, p: PlaceId, before: &mut Vec<Stmt>) -> Init {
        if self.primal.place(p).ty.is_scalar() {
            let zero = self.body.new_val(Type::Lane, None, Span::call_site());
            before.push(Stmt::Let(zero, Op::LaneZero));
            return Init::Scalar(zero);
        }
        // it has the shape of what comes in through it
        if self.primal.passes_on(p) {
            let seed = self.seeds.get(&p);
            return seed.map_or(Init::Zero, |seed| Init::ZeroLike((*seed).into()));
        }
        match self.lens.get(&p) {
            Some(len) => {
                self.needed.insert(*len);
                Init::ZeroLen(*len)
            }
            None => Init::Zero,
        }
    }

    pub(super) fn slot(&mut self, k: usize) -> PlaceId {
        if let Some(s) = self.slots.get(&k) {
            return *s;
        }
        let param = self.primal.params[k].clone();
        let s = self.body.new_place(
            param.ty.lanes(),
            &param.name,
            PlaceKind::Slot(k),
            param.span,
        );
        self.slots.insert(k, s);
        s
    }
}

/// The values that an array is declared with.
pub(super) fn init_values(init: &Init) -> Vec<Val> {
    match init {
        Init::Scalar(v) | Init::ArrayFill(v) => vec![*v],
        Init::VecFill(v, n) => vec![*v, *n],
        Init::List(vs) => vs.clone(),
        Init::None
        | Init::CopyOf(_)
        | Init::Struct { .. }
        | Init::MoveOf(_)
        | Init::Sorted { .. }
        | Init::Zero
        | Init::ZeroLike(_)
        | Init::ZeroLen(_)
        | Init::AnyLen(_) => Vec::new(),
    }
}
