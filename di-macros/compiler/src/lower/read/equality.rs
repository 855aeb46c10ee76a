//! `==` of tuples and options, part by part, and the order of options. Comparisons of structs of numbers: as their type has them.

use super::Reader;
use super::consume::ordering;
use crate::ir::{CmpOp, Lit};
use crate::lower::code;
use crate::lower::hir::{Comparison, Expr, Kind, Variant};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use quote::ToTokens;

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
        let parts = parts.or_else(|| match op {
            CmpOp::Eq => self.compared_structs(&parse_quote!(==), &a, &b),
            _ => None,
        });
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

    /// `a < b` of derived structs and enums, as values of the user's types, without derivatives:
    /// `{ let l = a.0; let r = b.0; S { 0: l } < S { 0: r } }`.
    pub(super) fn compared_structs(
        &mut self,
        op: &syn::BinOp,
        left: &Expr,
        right: &Expr,
    ) -> Option<Expr> {
        let compared = self.of_two(left, right, &|l, r| parse_quote!((#l) #op (#r)));
        compared.map(|e| Expr { ty: Ty::Bool, ..e })
    }

    /// `a.partial_cmp(&b).unwrap()` of derived structs, and its kin.
    pub(super) fn order_of_structs(
        &mut self,
        how: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Option<Expr> {
        let order = self.of_two(left, right, &|l, r| {
            let order: syn::Expr = match how {
                Comparison::Total => parse_quote!((#l).cmp(&(#r))),
                Comparison::Checked => {
                    parse_quote!(::core::option::Option::unwrap((#l).partial_cmp(&(#r))))
                }
                Comparison::Lenient => parse_quote! {
                    (#l).partial_cmp(&(#r)).unwrap_or(::core::cmp::Ordering::Equal)
                },
            };
            let order = code::typed_ordering(&order.into_token_stream());
            let number = code::number_of_ordering(&order);
            parse_quote!(#number)
        });
        order.map(|e| Expr {
            ty: ordering(),
            ..e
        })
    }

    /// `a.cmp(&b)` and `a.partial_cmp(&b)` of derived structs. Of the second, the code gives 2 if there is no order.
    pub(super) fn order_by_name(&mut self, name: &str, left: &Expr, right: &Expr) -> Option<Expr> {
        let span = left.span;
        match name {
            "cmp" => return self.order_of_structs(Comparison::Total, left, right),
            "partial_cmp" => {}
            _ => return None,
        }
        let number = self.of_two(left, right, &|l, r| {
            let own: syn::Expr = parse_quote!(__order);
            let order = code::typed_ordering(&own.into_token_stream());
            let order = code::number_of_ordering(&order);
            parse_quote!((#l).partial_cmp(&(#r)).map_or(2, |__order| #order))
        })?;
        let number = Expr {
            ty: ordering(),
            ..number
        };
        Some(self.keeping_value(number, |r, order| {
            let none = Expr::new(Kind::Lit(Lit::Int(2)), ordering(), span);
            let is_ordered = Kind::Cmp(CmpOp::Ne, Box::new(order.clone()), Box::new(none));
            let some = r.variant(Variant::Some, Some(order), span);
            let none = r.variant(Variant::None, None, span);
            r.choose(truth(is_ordered, span), some, none, span)
        }))
    }

    /// Constant code that reads two values of one derived struct, or two tuples of numbers and such values.
    fn of_two(
        &mut self,
        left: &Expr,
        right: &Expr,
        code: &dyn Fn(&syn::Expr, &syn::Expr) -> syn::Expr,
    ) -> Option<Expr> {
        match (self.types.peel(&left.ty), self.types.peel(&right.ty)) {
            (of @ Ty::Tuple(_), other @ Ty::Tuple(_)) => self.unify(&of, &other, right.span),
            (Ty::Struct(of), Ty::Struct(other)) if of.0.to_string() == other.0.to_string() => {}
            _ => return None,
        }
        let held = |e: &Expr| match (&e.kind, &e.ty) {
            (Kind::Local(_), Ty::Ref(..)) => e.clone(),
            (
                Kind::Local(_)
                | Kind::Field(..)
                | Kind::TupleField(..)
                | Kind::Index(..)
                | Kind::Deref(_),
                _,
            ) => Expr::reference(false, e.clone()),
            _ => e.clone(),
        };
        let mut whole = None;
        let found = self.keeping_as("__left", held(left), |r, left| {
            r.keeping_as("__right", held(right), |r, right| {
                let mut parts = Vec::new();
                let l = r.value_of_parts(&left, "__left", &mut parts);
                let other = r.value_of_parts(&right, "__right", &mut parts);
                match (l, other) {
                    (Some(l), Some(other)) => {
                        whole = Some(());
                        r.with_parts(parts, &code(&l, &other))
                    }
                    _ => left,
                }
            })
        });
        whole.map(|()| found)
    }

    /// A value made of variables for each of its numbers, which begin with this name.
    fn value_of_parts(
        &mut self,
        e: &Expr,
        name: &str,
        parts: &mut Vec<(String, Expr)>,
    ) -> Option<syn::Expr> {
        match self.types.peel(&e.ty) {
            Ty::Tuple(types) => {
                let numbers = types.into_iter().enumerate().map(|(k, ty)| {
                    let part = Expr::new(Kind::TupleField(Box::new(e.clone()), k), ty, e.span);
                    self.value_of_parts(&part, &format!("{name}_{k}"), parts)
                });
                let numbers = numbers.collect::<Option<Vec<_>>>()?;
                Some(parse_quote!((#(#numbers,)*)))
            }
            Ty::Struct(path) => self.shown_struct(e, &path, name, parts),
            ty if self.is_plain_number(&ty) => {
                let number = syn::Ident::new(name, proc_macro2::Span::call_site());
                parts.push((name.to_owned(), e.clone()));
                Some(parse_quote!(#number))
            }
            _ => None,
        }
    }

    fn is_plain_number(&self, ty: &Ty) -> bool {
        match self.types.shallow(ty) {
            Ty::Float | Ty::Int(_) | Ty::Bool => true,
            ty => self.types.traits(&ty).is_some_and(|t| t.integer),
        }
    }

    /// Constant code behind the variables that it reads.
    fn with_parts(&mut self, mut parts: Vec<(String, Expr)>, code: &syn::Expr) -> Expr {
        match parts.pop() {
            Some((name, part)) => {
                let part = match self.is_plain_number(&part.ty) {
                    true => part,
                    false => Expr::reference(false, part),
                };
                self.keeping_as(&name, part, |r, _| r.with_parts(parts, code))
            }
            None => self.passive(code, false),
        }
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
                Some((Expr::reference(false, e.clone()), parse_quote!(*#name)))
            }
            _ => (self.is_computed(e)).then(|| (e.clone(), parse_quote!(#name))),
        }
    }

    /// Whether this is a list, also of lists, of values that are compared by their own `==`.
    pub(super) fn is_list_of_foreign(&self, ty: &Ty) -> bool {
        match self.types.peel(ty) {
            Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) => {
                matches!(self.types.peel(&of), Ty::Opaque(_) | Ty::Struct(_))
                    || self.is_list_of_foreign(&of)
            }
            _ => false,
        }
    }

    /// `==` or `!=` of such lists, element by element.
    pub(super) fn equal_lists(&mut self, op: CmpOp, left: Expr, right: Expr) -> Expr {
        let span = left.span;
        let equal = self.keeping_as("__left", Expr::reference(false, left), |r, _| {
            r.keeping_as("__right", Expr::reference(false, right), |r, _| {
                let each = parse_quote!(
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
                let part =
                    |(k, ty)| Expr::new(Kind::TupleField(Box::new(e.clone()), k), ty, e.span);
                Some(types.into_iter().enumerate().map(part).collect())
            }
            _ => None,
        }
    }
}

fn truth(kind: Kind, span: Extent) -> Expr {
    Expr::new(kind, Ty::Bool, span)
}
