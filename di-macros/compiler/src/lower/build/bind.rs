//! Binding names: `let`, patterns, variables of loops and closures.

use super::holder::Holder;
use super::{Builder, Operand, root};
use crate::ir::{Init, Place, PlaceId, Proj, Stmt, TEMPORARY, Type};
use crate::lower::hir::{Expr, Local, Pat};
use crate::lower::ty::{Ty, from_ir, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    /// `let pat = init;`
    pub(super) fn let_stmt(&mut self, pat: &Pat, init: Option<&Expr>) {
        match init {
            None => self.declare_pattern(pat),
            Some(e) if matches!(pat, Pat::Wild) => self.discard(e),
            Some(e) => {
                if let Pat::Bind(local) = pat
                    && self.let_state(*local, e)
                {
                    return;
                }
                // an array or vector that is made here is born under its own name
                if let Pat::Bind(local) = pat {
                    let info = &self.locals[local.0];
                    if matches!(
                        self.solved(&info.ty),
                        Ty::Array(..) | Ty::Vec(_) | Ty::Struct(_)
                    ) && !self.is_place(e)
                        && (info.mutable || !self.has_passive_root(e))
                    {
                        let (name, mutable) = (info.name.clone(), info.mutable);
                        let place = self.make(e, &name);
                        if mutable {
                            self.written.insert(place);
                        }
                        self.set_bound(*local, Operand::Place(root(place)));
                        return;
                    }
                }
                let value = match pat {
                    Pat::Bind(_) | Pat::At(..) => self.eval(e),
                    _ => self.subject(e),
                };
                self.bind(pat, value, e.span);
            }
        }
    }

    pub(super) fn bind_local(&mut self, local: Local, value: Operand) {
        if self.as_state(&value).is_some() {
            self.bound[local.0] = value;
            return;
        }
        self.forget(local);
        let info = self.locals[local.0].clone();
        let ty = self.solved(&info.ty);
        let holder = Holder::of(local);
        let value = match value {
            Operand::Passive(code) if info.once => Operand::Passive(self.once(code)),
            value => value,
        };
        let bound = self.owned(
            value,
            &ty,
            &holder,
            (&info.name, info.mutable),
            info.span.into(),
        );
        self.set_bound(local, bound);
    }

    /// Notes what a variable stands for, and that its storage is its own.
    pub(super) fn set_bound(&mut self, local: Local, bound: Operand) {
        let ty = self.solved(&self.locals[local.0].ty);
        if self.holds_references(&ty) {
            self.scope.push(local);
        }
        self.note_owners(&Holder::of(local), &bound, &ty);
        self.bound[local.0] = bound;
    }

    /// The value as a variable of this type keeps it.
    fn owned(
        &mut self,
        value: Operand,
        ty: &Ty,
        holder: &Holder,
        (name, mutable): (&str, bool),
        span: Extent,
    ) -> Operand {
        match (value, ty) {
            (value, Ty::Ref(..)) if self.is_rebound(holder) && !self.is_scalar_copy(ty) => {
                self.declare_reference(holder, Some(value), ty, name, span)
            }
            (Operand::Tuple(values), Ty::Tuple(ts)) if values.len() == ts.len() => {
                let parts = values.into_iter().zip(ts).enumerate();
                // an element that is there or not is looked at where it is there
                let is_option = matches!(&ts[..], [Ty::Bool, _, none] if is_unit(none));
                Operand::Tuple(
                    parts
                        .map(|(k, (v, t))| {
                            let holder = holder.part(k);
                            match (&v, t) {
                                (Operand::Place(_), Ty::Ref(..))
                                    if is_option && !self.is_rebound(&holder) =>
                                {
                                    return v;
                                }
                                _ => {}
                            }
                            let name = format!("{name}_{k}");
                            self.owned(v, t, &holder, (&name, mutable), span)
                        })
                        .collect(),
                )
            }
            (Operand::Val(v), _) => {
                if mutable && self.is_scalar(ty) && !matches!(ty, Ty::Ref(true, _)) {
                    let ty = self.body.val(v).ty.clone();
                    let place = self.declare(ty, name, span, Init::Scalar(v));
                    self.written.insert(place);
                    return Operand::Place(root(place));
                }
                let info = &mut self.body.vals[v.0 as usize];
                if info.hint.is_none() {
                    info.hint = Some(name.to_owned());
                }
                Operand::Val(v)
            }
            // a reference: the name stands for the place, or for a view if it is a part of one
            (Operand::Place(place), Ty::Ref(m, _)) => {
                if place.path.iter().any(|p| !matches!(p, Proj::Field(..))) && !self.is_scalar(ty) {
                    let of = self.peeled(ty);
                    if *m {
                        if let Some(place) = self.resizable(&place, span) {
                            return Operand::Place(place);
                        }
                        self.note_torn(&place);
                    }
                    let view = self.view(place, *m, name, &of, span);
                    return Operand::Place(root(view));
                }
                Operand::Place(place)
            }
            // an array or vector by value: `eval` has copied it if it may change
            (Operand::Place(place), Ty::Array(..) | Ty::Vec(_) | Ty::Struct(_)) => {
                let fresh = place.path.is_empty() && self.is_unnamed(place.root);
                if fresh {
                    self.body.places[place.root.0 as usize].hint = name.to_owned();
                }
                if mutable && !fresh {
                    let copy = self.copy_or_move(place, ty, name, span);
                    self.written.insert(copy);
                    return Operand::Place(root(copy));
                }
                if mutable {
                    self.written.insert(place.root);
                }
                // a field that a pattern has taken out, which may be given another value
                if !place.path.is_empty() && self.written.contains(&place.root) {
                    let copy = self.copy_or_move(place, ty, name, span);
                    return Operand::Place(root(copy));
                }
                Operand::Place(place)
            }
            // what a struct holds now, which is looked at where the name is used
            (Operand::Place(place), Ty::Opaque(_)) if self.written.contains(&place.root) => {
                Operand::Place(self.kept_part(place, span))
            }
            (Operand::Passive(code), Ty::Tuple(ts)) if mutable => {
                let parts = code.parts(ts);
                self.owned(Operand::Tuple(parts), ty, holder, (name, mutable), span)
            }
            (Operand::Passive(code), Ty::Float | Ty::Int(_) | Ty::Bool)
                if mutable || self.is_number(ty) =>
            {
                let v = self.verbatim(code, ty, span);
                self.owned(Operand::Val(v), ty, holder, (name, mutable), span)
            }
            (value, _) => {
                self.check_field_copy(&value, ty, span);
                value
            }
        }
    }

    pub(super) fn is_unnamed(&self, place: PlaceId) -> bool {
        self.body.place(place).hint == TEMPORARY
    }

    /// A copy of an array, or the storage of a vector under a new name.
    pub(super) fn copy_or_move(
        &mut self,
        place: Place,
        ty: &Ty,
        name: &str,
        span: Extent,
    ) -> PlaceId {
        let ir = self.ir_type(ty, span);
        let place = self.whole_list(place);
        let moves =
            self.body.is_moved(&ir) && place.path.is_empty() && !self.is_reference(place.root);
        let init = match moves {
            true => Init::MoveOf(place.root),
            false => Init::CopyOf(place),
        };
        self.declare(ir, name, span, init)
    }

    /// `let x;`: written later.
    fn declare_pattern(&mut self, pat: &Pat) {
        match pat {
            Pat::Wild => {}
            Pat::Bind(local) => {
                self.forget(*local);
                let info = self.locals[local.0].clone();
                let ty = self.solved(&info.ty);
                let holder = Holder::of(*local);
                let bound = self.late(&ty, &holder, &info.name, info.span.into());
                self.set_bound(*local, bound);
            }
            Pat::Tuple(pats) => pats.iter().for_each(|p| self.declare_pattern(p)),
            Pat::List { head, tail, .. } => head
                .iter()
                .chain(tail)
                .for_each(|p| self.declare_pattern(p)),
            Pat::Ref(p) | Pat::At(_, p) => self.declare_pattern(p),
            // refused by rustc: it may not match
            Pat::Variant(..)
            | Pat::Value(_)
            | Pat::Range { .. }
            | Pat::Or(..)
            | Pat::Foreign(_) => self.cx.mismatch(),
            Pat::Struct(pats) => pats.iter().for_each(|(_, _, p)| self.declare_pattern(p)),
        }
    }

    /// Places of a type, without values, for what holds references too.
    pub(super) fn late(&mut self, ty: &Ty, holder: &Holder, name: &str, span: Extent) -> Operand {
        match ty {
            Ty::Tuple(ts) => {
                let ts = ts.iter().enumerate();
                let parts =
                    ts.map(|(k, t)| self.late(t, &holder.part(k), &format!("{name}_{k}"), span));
                Operand::Tuple(parts.collect())
            }
            Ty::Ref(..) if !self.is_scalar_copy(ty) => {
                self.declare_reference(holder, None, ty, name, span)
            }
            ty => self.uninitialised(ty, name, span),
        }
    }

    /// Places of a type, without values.
    pub(super) fn uninitialised(&mut self, ty: &Ty, name: &str, span: Extent) -> Operand {
        match ty {
            Ty::Tuple(ts) => Operand::Tuple(
                ts.iter()
                    .enumerate()
                    .map(|(k, t)| self.uninitialised(t, &format!("{name}_{k}"), span))
                    .collect(),
            ),
            Ty::Ref(false, t) if self.is_scalar(t) => {
                let t = self.solved(t);
                self.uninitialised(&t, name, span)
            }
            Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Struct(_) => {
                match to_ir(ty, self.float) {
                    Some(ir) => {
                        let place = self.declare(ir, name, span, Init::None);
                        self.written.insert(place);
                        Operand::Place(root(place))
                    }
                    None => {
                        self.unknown_type(ty, span);
                        Operand::unit()
                    }
                }
            }
            Ty::Vec(_) => match to_ir(ty, self.float) {
                Some(ir) => {
                    let place = self.empty(ir, span);
                    self.body.places[place.0 as usize].hint = name.to_owned();
                    self.written.insert(place);
                    Operand::Place(root(place))
                }
                None => {
                    self.unknown_type(ty, span);
                    Operand::unit()
                }
            },
            Ty::Ref(..) | Ty::Slice(_) => {
                self.cx.mismatch();
                Operand::unit()
            }
            Ty::Var(_) | Ty::Sum(_) | Ty::Bundle(..) | Ty::Opaque(_) => {
                self.unknown_type(ty, span);
                Operand::unit()
            }
        }
    }

    /// The place of a struct in an owned list, if lengths may change in it: the name stands for it, since a view keeps
    /// them.
    fn resizable(&mut self, place: &Place, span: Extent) -> Option<Place> {
        let steps = |p: &Proj| matches!(p, Proj::Field(..) | Proj::Index(_));
        match self.body.type_at(place)? {
            ty @ Type::Struct(_) if self.body.has_lengths(&ty) => {}
            _ => return None,
        }
        let whole = self.without_views(place.clone(), span);
        (whole.path.iter().all(steps) && !self.is_reference(whole.root)).then_some(whole)
    }

    /// Binds a slice or a row to a name. `ty` is its type where the place does not tell.
    pub(super) fn view(
        &mut self,
        of: Place,
        mutable: bool,
        name: &str,
        ty: &Ty,
        span: Extent,
    ) -> PlaceId {
        if mutable && self.store_of(&of).is_some() {
            self.note_torn(&of);
        }
        let mutable = mutable || self.torn.contains(&of.root);
        let ty = match self.body.type_at(&of) {
            // vectors inside of it are structs
            Some(known @ Type::Vec(_)) => known,
            Some(known) => self.type_in_place(&from_ir(&known), span),
            None => self.type_in_place(ty, span),
        };
        let view = self
            .body
            .new_place(ty, name, crate::ir::PlaceKind::View, span.start);
        if mutable || self.written.contains(&of.root) {
            self.written.insert(view);
        }
        self.note_home(view);
        self.views.insert(view, of.clone());
        self.push(Stmt::View { view, of, mutable });
        view
    }
}

fn is_unit(ty: &Ty) -> bool {
    matches!(ty, Ty::Tuple(parts) if parts.is_empty())
}
