//! Patterns: whether they match, and what they bind.

use super::elements::Elements;
use super::holder::Holder;
use super::passive::Code;
use super::{Builder, Operand};
use crate::error;
use crate::ir::{BinOp, CmpOp, Lit, Op, Place, Proj, Stmt, TEMPORARY, Tokens, Type, Val};
use crate::lower::code;
use crate::lower::hir::{Foreign, Local, Pat};
use crate::lower::ty::Ty;
use crate::report::Extent;
use proc_macro2::TokenTree;

impl Builder<'_> {
    /// Whether the pattern matches; `None` if it always does.
    pub(super) fn matches(&mut self, pat: &Pat, subject: &Operand, span: Extent) -> Option<Val> {
        match pat {
            Pat::Wild | Pat::Bind(_) => None,
            Pat::At(_, inner) | Pat::Ref(inner) => self.matches(inner, subject, span),
            Pat::Tuple(pats) => {
                let parts = match subject {
                    Operand::Tuple(parts) => parts.clone(),
                    Operand::Passive(code) => {
                        let part = |k: usize| code.clone().field(&k.to_string());
                        (0..pats.len()).map(|k| Operand::Passive(part(k))).collect()
                    }
                    other => {
                        self.not_structured(other, span);
                        return None;
                    }
                };
                self.all(pats.iter().zip(&parts), span)
            }
            Pat::Struct(pats) => {
                let parts = self.fields_of(pats, subject, span)?;
                self.all(pats.iter().map(|(_, _, p)| p).zip(&parts), span)
            }
            Pat::Variant(variant, inner) => {
                let Operand::Tuple(parts) = subject else {
                    self.not_structured(subject, span);
                    return None;
                };
                let flag = self.part_scalar(parts.first(), &Ty::Bool, span);
                let flag = if variant.flag() {
                    flag
                } else {
                    self.let_op(Type::Bool, Op::Not(flag), span)
                };
                let payload = parts.get(1 + variant.payload()).cloned();
                let payload = payload.unwrap_or_else(Operand::unit);
                self.and(Some(flag), span, |b| b.matches(inner, &payload, span))
            }
            Pat::Value(value) => {
                let v = self.part_scalar(Some(subject), &value.ty, span);
                let with = self.scalar(value);
                Some(self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, v, with), span))
            }
            Pat::Range { lo, hi, inclusive } => {
                let ty = lo.as_ref().or(hi.as_ref()).map(|e| e.ty.clone())?;
                let v = self.part_scalar(Some(subject), &ty, span);
                let mut cond = None;
                let above = if *inclusive { CmpOp::Le } else { CmpOp::Lt };
                for (op, end) in [(CmpOp::Ge, lo), (above, hi)] {
                    if let Some(end) = end {
                        let end = self.scalar(end);
                        let next = self.let_op(Type::Bool, Op::Cmp(op, v, end), span);
                        cond = Some(match cond {
                            None => next,
                            Some(c) => self.let_op(Type::Bool, Op::Bin(BinOp::And, c, next), span),
                        });
                    }
                }
                cond
            }
            Pat::Or(alternatives, _) => {
                let mut any: Option<Val> = None;
                for pat in alternatives {
                    let one = match any {
                        None => self.matches(pat, subject, span),
                        Some(before) => {
                            let no = self.let_op(Type::Bool, Op::Not(before), span);
                            let now = self.and(Some(no), span, |b| b.matches(pat, subject, span));
                            now.map(|now| {
                                self.let_op(Type::Bool, Op::Bin(BinOp::Or, before, now), span)
                            })
                        }
                    };
                    any = Some(one?);
                }
                any
            }
            Pat::List { head, rest, tail } => {
                let parts = self.listed(pat, subject, span)?;
                let length = match (self.has_fixed_length(subject), parts.len) {
                    (false, Some(len)) => {
                        let n = self.lit_usize((head.len() + tail.len()) as i128, span);
                        let op = if rest.is_some() { CmpOp::Ge } else { CmpOp::Eq };
                        Some(self.let_op(Type::Bool, Op::Cmp(op, len, n), span))
                    }
                    _ => None,
                };
                self.and(length, span, |b| {
                    let mut elems = Vec::new();
                    for k in 0..head.len() + tail.len() {
                        elems.push(parts.at(b, k, span));
                    }
                    b.all(head.iter().chain(tail).zip(&elems), span)
                })
            }
            Pat::Foreign(foreign) => {
                if let Operand::Val(v) = subject
                    && let Some(test) = self.is_one_of(*v, &foreign.tokens.0, &foreign.of, span)
                {
                    return Some(test);
                }
                let subject = self.foreign_code(subject, &foreign.of, span)?;
                let test = match self.is_value(&foreign.of) {
                    true => subject.matched(&foreign.tokens.0),
                    false => subject.map(|tokens| code::matches(&tokens, &foreign.tokens.0)),
                };
                Some(self.verbatim(test, &Ty::Bool, span))
            }
        }
    }

    /// `first && then()`, where the second is evaluated only if the first holds, unless nobody can
    /// tell; both may be absent, which is true.
    pub(super) fn and(
        &mut self,
        first: Option<Val>,
        span: Extent,
        then: impl FnOnce(&mut Self) -> Option<Val>,
    ) -> Option<Val> {
        let Some(first) = first else {
            return then(self);
        };
        self.open();
        let second = then(self);
        Some(self.both(first, second, span))
    }

    fn both(&mut self, first: Val, second: Option<Val>, span: Extent) -> Val {
        let Some(second) = second else {
            let open = self.regions.pop().expect("a region is open");
            self.forget_loaded();
            // what was evaluated for nothing, such as lengths
            drop(open);
            return first;
        };
        if self.is_live() && self.is_harmless() {
            self.splice();
            return self.let_op(Type::Bool, Op::Bin(BinOp::And, first, second), span);
        }
        let then = self.close(vec![second]);
        self.open();
        let no = self.let_op(Type::Bool, Op::Lit(Lit::Bool(false)), span);
        let els = self.close(vec![no]);
        let result = self.body.new_val(Type::Bool, None, span.start);
        self.push(Stmt::If {
            cond: first,
            then,
            els,
            results: vec![result],
        });
        result
    }

    fn all<'p>(
        &mut self,
        parts: impl Iterator<Item = (&'p Pat, &'p Operand)>,
        span: Extent,
    ) -> Option<Val> {
        let mut all = None;
        for (pat, part) in parts {
            all = self.and(all, span, |b| b.matches(pat, part, span));
        }
        all
    }

    /// A scalar that is a part of what is matched on.
    fn part_scalar(&mut self, part: Option<&Operand>, ty: &Ty, span: Extent) -> Val {
        match part {
            Some(Operand::Val(v)) => *v,
            Some(Operand::Place(place)) => {
                let ty = self.scalar_type(ty, span);
                self.load(place.clone(), ty, span)
            }
            Some(Operand::Passive(code)) => self.verbatim(code.clone(), ty, span),
            Some(Operand::Choice(_) | Operand::Held(_)) => {
                self.cx.error(span, &error::CHOSEN_REFERENCE);
                self.dummy(&Type::Bool)
            }
            Some(Operand::Tuple(_)) | None => {
                self.cx.mismatch();
                self.dummy(&Type::Bool)
            }
        }
    }

    fn not_structured(&mut self, subject: &Operand, span: Extent) {
        match subject {
            Operand::Passive(_) => self.cx.error(span, &error::UNKNOWN_TYPE),
            Operand::Choice(_) | Operand::Held(_) => self.cx.error(span, &error::CHOSEN_REFERENCE),
            Operand::Val(_) | Operand::Place(_) | Operand::Tuple(_) => self.cx.mismatch(),
        }
    }

    /// Binds a pattern to a value that it matches.
    pub(super) fn bind(&mut self, pat: &Pat, value: Operand, span: Extent) {
        match pat {
            Pat::Wild | Pat::Value(_) | Pat::Range { .. } => {}
            Pat::Bind(local) => self.bind_by_value(*local, value, span),
            Pat::At(local, inner) => {
                self.bind_by_value(*local, value.clone(), span);
                self.bind(inner, value, span);
            }
            Pat::Ref(inner) => match (&**inner, value) {
                (Pat::Bind(local), Operand::Passive(code)) => {
                    self.bind_by_value(*local, Operand::Passive(code.wrapped("*")), span);
                }
                (Pat::Foreign(foreign), Operand::Passive(code)) => {
                    self.bind_foreign(foreign, &Operand::Passive(code.wrapped("*")), span);
                }
                (inner, value) => self.bind(inner, value, span),
            },
            Pat::Tuple(pats) => match value {
                Operand::Tuple(values) if pats.len() == values.len() => {
                    for (p, v) in pats.iter().zip(values) {
                        self.bind(p, v, span);
                    }
                }
                Operand::Passive(code) => {
                    for (k, p) in pats.iter().enumerate() {
                        let part = self.foreign_part(&code, k, p, span);
                        self.bind(p, part, span);
                    }
                }
                other => self.not_structured(&other, span),
            },
            Pat::Struct(pats) => {
                for ((_, _, p), part) in pats
                    .iter()
                    .zip(self.fields_of(pats, &value, span).unwrap_or_default())
                {
                    self.bind(p, part, span);
                }
            }
            Pat::Variant(variant, inner) => match value {
                Operand::Tuple(mut parts) if parts.len() > 1 + variant.payload() => {
                    let payload = parts.swap_remove(1 + variant.payload());
                    self.bind(inner, payload, span);
                }
                other => self.not_structured(&other, span),
            },
            Pat::List { head, rest, tail } => {
                let Some(parts) = self.listed(pat, &value, span) else {
                    return;
                };
                for (k, p) in head.iter().chain(tail).enumerate() {
                    let elem = match (parts.at(self, k, span), p) {
                        // a name for a reference to a constant
                        (Operand::Passive(code), Pat::Bind(local))
                            if matches!(self.solved(&self.locals[local.0].ty), Ty::Ref(..)) =>
                        {
                            Operand::Passive(code.wrapped("&"))
                        }
                        (elem, _) => elem,
                    };
                    self.bind(p, elem, span);
                }
                if let Some(Some(local)) = rest {
                    let part = match self.solved(&self.locals[local.0].ty) {
                        Ty::Array(elem, n) => parts.copied(self, (elem, n), span),
                        _ => parts.middle(self, span),
                    };
                    self.bind_by_value(*local, part, span);
                }
            }
            Pat::Or(alternatives, locals) => {
                if !locals.is_empty() {
                    self.bind_alternatives(alternatives, locals, &value, span);
                }
            }
            Pat::Foreign(foreign) => self.bind_foreign(foreign, &value, span),
        }
    }

    /// A variable that is no reference has a value of its own.
    fn bind_by_value(&mut self, local: Local, value: Operand, span: Extent) {
        let ty = self.solved(&self.locals[local.0].ty);
        let value = if matches!(ty, Ty::Ref(..)) {
            value
        } else {
            self.load_operand(value, &ty, span)
        };
        self.bind_local(local, value);
    }

    /// Each alternative binds all of the variables: they get the values of that which matches.
    fn bind_alternatives(&mut self, pats: &[Pat], locals: &[Local], value: &Operand, span: Extent) {
        let Some((first, rest)) = pats.split_first() else {
            return;
        };
        let test = match rest {
            [] => None,
            _ => self.matches(first, value, span),
        };
        let Some(test) = test else {
            self.bind(first, value.clone(), span);
            return;
        };
        let types: Vec<Ty> = locals
            .iter()
            .map(|l| self.solved(&self.locals[l.0].ty))
            .collect();
        let ty = Ty::Tuple(types.clone());
        let merged = self.select(
            test,
            &ty,
            span,
            |b| {
                b.bind(first, value.clone(), span);
                b.snapshot(locals, &types, span)
            },
            |b| {
                b.bind_alternatives(rest, locals, value, span);
                b.snapshot(locals, &types, span)
            },
        );
        if let Operand::Tuple(parts) = merged {
            for (local, part) in locals.iter().zip(parts) {
                self.bind_local(*local, part);
            }
        }
    }

    fn snapshot(&mut self, locals: &[Local], types: &[Ty], span: Extent) -> Operand {
        let parts = locals.iter().zip(types);
        Operand::Tuple(
            parts
                .map(|(l, ty)| {
                    let bound = self.bound[l.0].clone();
                    let bound = self.resolved(&Holder::of(*l), bound, span);
                    self.load_operand(bound, ty, span)
                })
                .collect(),
        )
    }

    /// A component of a constant that the compiler does not look into: a number, or what a name stands for.
    fn foreign_part(&mut self, code: &Code, k: usize, pat: &Pat, span: Extent) -> Operand {
        let part = code.clone().field(&k.to_string());
        let Pat::Bind(local) = pat else {
            return Operand::Passive(part);
        };
        let ty = self.locals[local.0].ty.clone();
        if self.is_number(&ty) {
            return Operand::Val(self.verbatim(part, &ty, span));
        }
        match self.solved(&ty) {
            Ty::Ref(..) => Operand::Passive(part.wrapped("&")),
            _ => Operand::Passive(part),
        }
    }

    fn bind_foreign(&mut self, foreign: &Foreign, value: &Operand, span: Extent) {
        for (name, local) in &foreign.binds {
            let Some(subject) = self.foreign_code(value, &foreign.of, span) else {
                return;
            };
            let pat = &foreign.tokens.0;
            let at = self.locals[local.0].span;
            let ty = self.solved(&self.locals[local.0].ty);
            // behind a reference the pattern binds references
            let number = matches!(ty, Ty::Float | Ty::Int(_) | Ty::Bool);
            // an error may have no copies; one that is made here is moved
            let is_data = matches!(self.types.shallow(&self.locals[local.0].ty), Ty::Opaque(_));
            let first = pat.clone().into_iter().next();
            let is_error = matches!(first, Some(TokenTree::Ident(of)) if of == "Err");
            // so is a part of a number's value
            let is_read = self.is_data(&foreign.of)
                && self.depth(&foreign.of) == 0
                && !matches!(value, Operand::Passive(_));
            let is_moved = is_data && (is_error || is_read) && !subject.is_place();
            let number = number && !is_moved;
            let part = match self.is_value(&foreign.of) && !matches!(ty, Ty::Ref(..)) {
                true => subject.bound_by(pat, (name, at), number),
                false => subject.map(|tokens| code::bound_by(&tokens, pat, (name, at), number)),
            };
            self.bind_local(*local, Operand::Passive(part));
        }
    }

    /// Whether a constant is known to be no reference.
    fn is_value(&self, ty: &Ty) -> bool {
        let ty = self.types.shallow(ty);
        let written = match &ty {
            Ty::Opaque(written) => Some(written),
            ty => self.types.written(ty),
        };
        written.is_some_and(|of| !of.0.to_string().starts_with('&'))
    }

    /// What is matched on, as passive code.
    pub(super) fn foreign_code(
        &mut self,
        subject: &Operand,
        ty: &Ty,
        span: Extent,
    ) -> Option<Code> {
        let depth = self.depth(ty);
        if let Some(variant) = self.data_code(subject, ty, depth, span) {
            return Some(variant);
        }
        match subject {
            Operand::Passive(code) => Some(code.clone()),
            Operand::Place(Place { root, path }) if path.is_empty() => {
                let name = "__subject".to_owned();
                let tokens: proc_macro2::TokenStream = name.parse().expect("a name");
                let mut code = Code::new(Tokens(tokens));
                code.places.push((name, *root));
                Some(code)
            }
            // a constant in what is differentiated
            Operand::Place(place) if self.is_lasting_part(place) && self.is_in_fields(place) => {
                let (root, path) = self.way(place);
                let code = Code::of_part(&Place { root, path });
                Some(self.behind_field(code, ty))
            }
            Operand::Place(place) if self.body.is_opaque(place) && self.is_data(ty) => {
                let number = self.scalar_type(ty, span);
                let number = self.load(place.clone(), number, span);
                self.data_code(&Operand::Val(number), ty, depth, span)
            }
            // of an element
            Operand::Place(place) if self.is_lasting_part(place) => {
                let view = self.view(place.clone(), false, TEMPORARY, ty, span);
                let code = self.foreign_code(&Operand::Place(view.into()), ty, span)?;
                Some(self.behind_field(code, ty))
            }
            Operand::Val(_)
            | Operand::Place(_)
            | Operand::Tuple(_)
            | Operand::Choice(_)
            | Operand::Held(_) => {
                match self.types.peel(ty) {
                    Ty::Opaque(path) if self.types.data(&path.0.to_string()).is_none() => {
                        self.cx.error_about(span, &error::MATCH_VALUE, &path.0)
                    }
                    Ty::Struct(_) => self.cx.error(span, &error::MATCH),
                    // what stands in a list that was refused, mostly
                    _ => self.cx.error(span, &error::UNKNOWN_TYPE),
                }
                None
            }
        }
    }

    /// Code for a field, which it has a reference to: `&'static str` is one itself.
    fn behind_field(&self, code: Code, ty: &Ty) -> Code {
        match self.is_reference_itself(ty) {
            true => code.wrapped("*"),
            false => code,
        }
    }

    pub(super) fn is_reference_itself(&self, ty: &Ty) -> bool {
        matches!(self.types.shallow(ty), Ty::Opaque(of) if of.0.to_string().starts_with('&'))
    }

    // ---- elements ----

    /// The elements that a list pattern names.
    fn listed(&mut self, pat: &Pat, subject: &Operand, span: Extent) -> Option<Elements> {
        let Pat::List { head, rest, tail } = pat else {
            return None;
        };
        let (base, len) = match subject {
            Operand::Place(place) => {
                let place = self.settled(place.clone(), span)?;
                let len = self.len(place.clone(), span);
                (Operand::Place(place), Some(len))
            }
            Operand::Passive(code) => {
                let len = self.passive_len(code.clone(), span);
                (Operand::Passive(code.clone()), Some(len))
            }
            Operand::Choice(choice) => {
                let rows = choice.targets.iter().any(|t| {
                    let place = t.place();
                    self.store_of(&place).is_some()
                });
                if rows {
                    self.cx.error(span, &error::CHOSEN_REFERENCE);
                    return None;
                }
                let len = self.of_each(choice, &Ty::usize(), span, &mut |b, place| {
                    Operand::Val(b.len(place, span))
                });
                let Operand::Val(len) = len else {
                    return None;
                };
                (subject.clone(), Some(len))
            }
            Operand::Held(_) => {
                self.cx.error(span, &error::CHOSEN_REFERENCE);
                return None;
            }
            Operand::Val(_) | Operand::Tuple(_) => {
                self.cx.mismatch();
                return None;
            }
        };
        Some(Elements {
            base,
            len,
            head: head.len(),
            tail: tail.len(),
            rest: rest.is_some(),
        })
    }

    /// A sequence without a range in its path.
    fn settled(&mut self, place: Place, span: Extent) -> Option<Place> {
        let Some(ty) = self.ty_of_place(&place) else {
            self.cx.error(span, &error::UNKNOWN_TYPE);
            return None;
        };
        if !place.path.iter().any(|p| matches!(p, Proj::Range(..))) {
            return Some(place);
        }
        let mutable = self.written.contains(&place.root);
        Some(super::root(self.view(place, mutable, "part", &ty, span)))
    }

    fn has_fixed_length(&self, subject: &Operand) -> bool {
        let fixed = |p: &Place| matches!(self.ty_of_place(p), Some(Ty::Array(..)));
        match subject {
            Operand::Place(p) => fixed(p),
            Operand::Choice(c) => c.targets.iter().all(|t| fixed(&t.place())),
            Operand::Val(_) | Operand::Tuple(_) | Operand::Passive(_) | Operand::Held(_) => false,
        }
    }
}
