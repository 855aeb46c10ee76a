//! `==` of tuples and options, part by part, and the order of options. Comparisons of structs of numbers: as their type has them.

use super::Reader;
use super::known::is_scalar;
use crate::ir::{CmpOp, Lit};
use crate::lower::hir::{Expr, Kind, Variant};
use crate::lower::ty::Ty;
use crate::report::Extent;
use proc_macro2::Span;

impl Reader<'_> {
    /// `(a, b) == t` as `a == t.0 && b == t.1`, and `o == Some(a)` as a match. None of other types, and of a tuple
    /// that is neither written out nor in a variable.
    pub(super) fn equal_parts(&mut self, left: &Expr, right: &Expr) -> Option<Expr> {
        if let Some(equal) = self.compared_options(CmpOp::Eq, left, right) {
            return Some(equal);
        }
        let parts = self.components_to_compare(left)?.into_iter();
        let others = self.components_to_compare(right)?;
        if parts.len() != others.len() {
            self.cx.mismatch();
            return Some(self.refused(left.span));
        }
        let each: Vec<Expr> = parts
            .zip(others)
            .map(|(a, b)| self.compared_part(CmpOp::Eq, a, b))
            .collect();
        let and = |all, one| truth(Kind::And(Box::new(all), Box::new(one)), left.span);
        each.into_iter().reduce(and)
    }

    fn compared_part(&mut self, op: CmpOp, a: Expr, b: Expr) -> Expr {
        let parts = match op {
            CmpOp::Eq => self.equal_parts(&a, &b),
            _ => self.compared_options(op, &a, &b),
        };
        parts.unwrap_or_else(|| {
            self.unify_scalars(&a, &b);
            truth(Kind::Cmp(op, Box::new(a.clone()), Box::new(b)), a.span)
        })
    }

    /// `==` and what orders options: `None` is less than all others. None of other types.
    pub(super) fn compared_options(
        &mut self,
        op: CmpOp,
        left: &Expr,
        right: &Expr,
    ) -> Option<Expr> {
        let of = [left, right].map(|e| self.types.peel(&e.ty));
        if !of
            .iter()
            .any(|ty| matches!(ty, Ty::Sum(of) if of.len() == 1))
        {
            return None;
        }
        // of `None` only the other side may say what it could hold
        if let [Ty::Sum(_), Ty::Sum(_)] = of {
            self.unify(&of[0], &of[1], right.span);
        }
        let span = left.span;
        let constant = |value| truth(Kind::Lit(Lit::Bool(value)), span);
        let is_less = constant(matches!(op, CmpOp::Lt | CmpOp::Le));
        let is_more = constant(matches!(op, CmpOp::Gt | CmpOp::Ge));
        let is_same = constant(matches!(op, CmpOp::Eq | CmpOp::Le | CmpOp::Ge));
        Some(self.keeping_computed(left.clone(), |r, left| {
            r.keeping_computed(right.clone(), |r, right| {
                let [left, right, other] =
                    [left, right.clone(), right].map(|o| r.of_kind(o, Variant::Some));
                let (Some(left), Some(right), Some(other)) = (left, right, other) else {
                    return r.refused(span);
                };
                r.if_good(
                    left,
                    |r, a| r.if_good(right, |r, b| r.compared_part(op, a, b), |_, _| is_more),
                    |r, _| r.if_good(other, |_, _| is_less, |_, _| is_same),
                )
            })
        }))
    }

    /// A part is read where it is: it may be borrowed, and have no copy.
    fn keeping_computed(
        &mut self,
        value: Expr,
        then: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        match value.kind {
            Kind::Field(..) | Kind::TupleField(..) | Kind::Index(..) | Kind::Deref(_) => {
                then(self, value)
            }
            _ => self.keeping_value(value, then),
        }
    }

    /// `a < b` of structs whose fields are numbers: `{ let l = a.0; let r = b.0; S { 0: l } < S { 0: r } }`, without
    /// derivatives.
    pub(super) fn compared_structs(
        &mut self,
        op: &syn::BinOp,
        left: &Expr,
        right: &Expr,
    ) -> Option<Expr> {
        let path = |e: &Expr| match self.types.peel(&e.ty) {
            Ty::Struct(path) => Some(path.0),
            _ => None,
        };
        let (of, other) = (path(left)?, path(right)?);
        let fields = self.env.fields(&of.to_string())?;
        let is_one = of.to_string() == other.to_string();
        if !is_one || fields.is_empty() || !fields.iter().all(|(_, ty)| is_scalar(ty)) {
            return None;
        }
        let mut of: syn::Path = syn::parse2(of).ok()?;
        of.segments.last_mut()?.arguments = syn::PathArguments::None;
        let mut parts = Vec::new();
        let mut side = |side: &str| {
            let name = |text: &str| syn::Ident::new(text, Span::mixed_site());
            let (whole, mut named) = (name(side), Vec::new());
            for (k, (field, _)) in fields.iter().enumerate() {
                let member: syn::Member = syn::parse_str(field).ok()?;
                let name = name(&format!("{side}_{k}"));
                parts.push((name.to_string(), syn::parse_quote!(#whole.#member)));
                named.push((field.clone(), name));
            }
            self.value_of_fields(&of, &named)
        };
        let (l, r) = (side("__left")?, side("__right")?);
        let code: syn::Expr = syn::parse_quote!((#l) #op (#r));
        let held = |e: &Expr| match e.kind {
            Kind::Field(..) | Kind::TupleField(..) | Kind::Index(..) | Kind::Deref(_) => Expr {
                span: e.span,
                ty: Ty::reference(false, e.ty.clone()),
                kind: Kind::Ref(false, Box::new(e.clone())),
            },
            _ => e.clone(),
        };
        Some(self.keeping_as("__left", held(left), |r, _| {
            r.keeping_as("__right", held(right), |r, _| r.with_parts(parts, &code))
        }))
    }

    /// Constant code behind the variables that it reads.
    fn with_parts(&mut self, mut parts: Vec<(String, syn::Expr)>, code: &syn::Expr) -> Expr {
        let Some((name, part)) = parts.pop() else {
            return Expr {
                ty: Ty::Bool,
                ..self.passive(code, false)
            };
        };
        let part = self.expr(&part);
        self.keeping_as(&name, part, |r, _| r.with_parts(parts, code))
    }

    /// A comparison of values that the compiler does not look into. What such a value is read from may be
    /// differentiated: the value alone goes into passive code.
    pub(super) fn foreign_comparison(
        &mut self,
        mut b: syn::ExprBinary,
        left: Expr,
        right: Expr,
    ) -> Expr {
        if let Some((value, written)) = self.kept_to_compare(&left, "__left") {
            *b.left = written;
            return self.keeping_as("__left", value, |r, kept| {
                r.foreign_comparison(b, kept, right)
            });
        }
        if let Some((value, written)) = self.kept_to_compare(&right, "__right") {
            *b.right = written;
            return self.keeping_as("__right", value, |r, kept| {
                r.foreign_comparison(b, left, kept)
            });
        }
        Expr {
            ty: Ty::Bool,
            ..self.passive(&syn::Expr::Binary(b), false)
        }
    }

    /// What is bound to this name of a side that code cannot read by itself, and how the code reads it.
    fn kept_to_compare(&self, e: &Expr, name: &str) -> Option<(Expr, syn::Expr)> {
        let name = syn::Ident::new(name, proc_macro2::Span::call_site());
        match e.kind {
            Kind::Field(..) | Kind::TupleField(..) | Kind::Index(..) => {
                Some((borrowed(e.clone()), syn::parse_quote!(*#name)))
            }
            _ => (self.is_computed(e)).then(|| (e.clone(), syn::parse_quote!(#name))),
        }
    }

    /// Whether this is a list, also of lists, of values that are compared by their own `==`.
    pub(super) fn is_list_of_foreign(&self, ty: &Ty) -> bool {
        match self.types.peel(ty) {
            Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) => {
                matches!(self.types.peel(&of), Ty::Opaque(_)) || self.is_list_of_foreign(&of)
            }
            _ => false,
        }
    }

    /// `==` or `!=` of such lists, element by element.
    pub(super) fn equal_lists(&mut self, op: CmpOp, left: Expr, right: Expr) -> Expr {
        let span = left.span;
        let equal = self.keeping_as("__left", borrowed(left), |r, _| {
            r.keeping_as("__right", borrowed(right), |r, _| {
                let each = syn::parse_quote!(
                    __left.len() == __right.len()
                        && __left
                            .iter()
                            .zip(__right.iter())
                            .all(|(__a, __b)| *__a == *__b)
                );
                r.expr(&each)
            })
        });
        match op {
            CmpOp::Ne => truth(Kind::Not(Box::new(equal)), span),
            _ => equal,
        }
    }

    /// Whether a value without floats is that of a call, or is chosen among such.
    pub(super) fn is_computed(&self, e: &Expr) -> bool {
        let is_computed = matches!(
            e.kind,
            Kind::Call { .. }
                | Kind::CallClosure(..)
                | Kind::Block(_)
                | Kind::If { .. }
                | Kind::Match(..)
                | Kind::Labelled { .. }
                | Kind::Pick(..)
        );
        is_computed && (matches!(self.types.peel(&e.ty), Ty::Opaque(_)) || self.is_text(&e.ty))
    }

    /// Whether a type is not looked into, or is that of a constant whose type is known only from what it is
    /// compared with.
    pub(super) fn is_foreign_beside(&self, ty: &Ty, other: &Ty) -> bool {
        let payload = |of: &[Ty]| {
            of.iter()
                .any(|t| matches!(self.types.peel(t), Ty::Opaque(_)))
        };
        match ty {
            Ty::Opaque(_) => true,
            Ty::Sum(of) => payload(of),
            Ty::Var(_) => {
                matches!(other, Ty::Sum(_) | Ty::Tuple(_))
                    && self.types.traits(ty).is_some_and(|t| t.foreign)
            }
            _ => false,
        }
    }

    fn components_to_compare(&self, e: &Expr) -> Option<Vec<Expr>> {
        let Ty::Tuple(types) = self.types.shallow(&e.ty) else {
            return None;
        };
        match &e.kind {
            Kind::Tuple(parts) => Some(parts.clone()),
            Kind::Local(_) | Kind::Field(..) | Kind::TupleField(..) => {
                let part = |(k, ty)| Expr {
                    kind: Kind::TupleField(Box::new(e.clone()), k),
                    ty,
                    span: e.span,
                };
                Some(types.into_iter().enumerate().map(part).collect())
            }
            _ => None,
        }
    }
}

fn truth(kind: Kind, span: Extent) -> Expr {
    Expr {
        kind,
        ty: Ty::Bool,
        span,
    }
}

fn borrowed(e: Expr) -> Expr {
    Expr {
        span: e.span,
        ty: Ty::Ref(false, Box::new(e.ty.clone())),
        kind: Kind::Ref(false, Box::new(e)),
    }
}
