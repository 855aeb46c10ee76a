//! Expressions: operators, literals, places. Larger families have files of their own.

use super::Reader;
use super::assign::assign_operator;
use super::taken::{behind_star, is_question};
use crate::error;
use crate::ir::{BinOp, CmpOp, Lit, Tokens};
use crate::lower::extent::{self, HasExtent};
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::{Traits, Ty};
use crate::lower::types;
use crate::report::Extent;
use crate::template::parse_quote;
pub(super) use crate::tokens::unraw;
pub(super) use crate::walk::strip;
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Reader<'_> {
    /// Reads one expression.
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Expr {
        let extent = extent::of_expr(e);
        self.cx.look_at(extent);
        let read = self.expr_here(e, extent);
        self.cx.look_away();
        read
    }

    fn expr_here(&mut self, e: &syn::Expr, span: Extent) -> Expr {
        if let Some((schedule, e)) = self.checkpoint(e, attributes(e)) {
            let inner = self.expr(&e);
            let (ty, span) = (Ty::unit(), inner.span);
            self.unify(&inner.ty.clone(), &ty, span);
            return Expr::new(Kind::Checkpoint(schedule, Box::new(inner)), ty, span);
        }
        self.no_attributes(attributes(e));
        if let Some(field) = self.behind_deref(e) {
            return self.expr(&field);
        }
        if let Some(run) = (self.changes_numbers(e))
            .or_else(|| self.after_change(e))
            .or_else(|| self.on_state(e))
        {
            return run;
        }
        if let Some(passive) = self.generic_chain(e) {
            return passive;
        }
        if let syn::Expr::MethodCall(m) = strip(e)
            && let Some(call) = self.method_of_object(m)
        {
            return call;
        }
        if let Some(read) = self.read_part_of_bundle(e) {
            return read;
        }
        if let Some(read) = self.changing_chain(e).or_else(|| self.chain_on_part(e)) {
            return read;
        }
        if let syn::Expr::MethodCall(m) = strip(e)
            && let Some(call) = self
                .method_of_constant_option(m)
                .or_else(|| self.range_method(m))
                .or_else(|| self.opaque_method(m))
        {
            return call;
        }
        if let Some(passive) = self.opaque_chain(e).or_else(|| self.part_of_found(e)) {
            return passive;
        }
        match e {
            syn::Expr::Group(g) => self.expr(&g.expr),
            syn::Expr::Paren(p) => self.expr(&p.expr),
            syn::Expr::Lit(l) => self.literal(&l.lit),
            syn::Expr::Path(p) => self.path(p),
            syn::Expr::Unary(u) => self.unary(u),
            syn::Expr::Binary(b) => self.binary(b, span),
            syn::Expr::Cast(c) => self.cast(c),
            syn::Expr::Reference(r) => {
                let inner = match r.mutability {
                    Some(_) => self.place(&r.expr),
                    None => self.expr(&r.expr),
                };
                let ty = Ty::reference(r.mutability.is_some(), inner.ty.clone());
                Expr::new(Kind::Ref(r.mutability.is_some(), Box::new(inner)), ty, span)
            }
            syn::Expr::Index(i) => self.index(i),
            syn::Expr::Field(f) => self.field(f),
            syn::Expr::Tuple(t) => {
                let elems: Vec<Expr> = t.elems.iter().map(|e| self.component(e)).collect();
                let ty = Ty::Tuple(elems.iter().map(|e| e.ty.clone()).collect());
                Expr::new(Kind::Tuple(elems), ty, span)
            }
            syn::Expr::Array(a) => match self.list_of_functions(a) {
                Some(list) => list,
                None => self.list(&a.elems.iter().collect::<Vec<_>>(), false, span),
            },
            syn::Expr::Repeat(r) => {
                let elem = self.expr(&r.expr);
                // rustc says that it is no constant
                if self.local_of(&r.len).is_some() {
                    self.cx.mismatch();
                }
                let len = Tokens(self.with_items(types::length(&r.len)));
                let ty = Ty::Array(Box::new(elem.ty.clone()), len.clone());
                Expr::new(Kind::Repeat(Box::new(elem), len), ty, span)
            }
            syn::Expr::Assign(a) => self.assign(a),
            syn::Expr::Call(c) => self.drop_of_local(e).unwrap_or_else(|| self.call(c)),
            syn::Expr::MethodCall(m) => self.method_call(m),
            syn::Expr::Macro(m) => self.macro_expr(&m.mac),
            syn::Expr::If(i) => self.if_expr(i),
            syn::Expr::Block(b) => self.block_expr(b),
            syn::Expr::While(w) => self.while_expr(w),
            syn::Expr::Loop(l) => self.loop_expr(l),
            syn::Expr::ForLoop(f) => self.for_expr(f),
            syn::Expr::Break(b) => self.break_expr(b),
            syn::Expr::Continue(c) => self.continue_expr(c),
            syn::Expr::Return(r) => self.return_expr(r),
            syn::Expr::Match(m) => self.match_expr(m),
            // only in conditions, which do not come here: rustc speaks
            syn::Expr::Let(l) => {
                self.cx.mismatch();
                self.refused(l.extent())
            }
            syn::Expr::Closure(c) => self.refuse(c.extent(), &error::CLOSURE),
            syn::Expr::Try(t) => self.question_mark(t),
            syn::Expr::Unsafe(u) => self.refuse(u.unsafe_token.extent(), &error::UNSAFE_BLOCK),
            syn::Expr::Async(a) => self.refuse(a.async_token.extent(), &error::ASYNC_BLOCK),
            syn::Expr::Await(a) => self.refuse(a.await_token.extent(), &error::ASYNC_BLOCK),
            syn::Expr::TryBlock(t) => self.refuse(t.try_token.extent(), &error::TRY),
            syn::Expr::Struct(s) => self.struct_literal(s),
            syn::Expr::Range(r) => self.refuse(r.extent(), &error::RANGE_VALUE),
            syn::Expr::RawAddr(r) => self.refuse(r.extent(), &error::RAW_POINTER),
            syn::Expr::Const(c) => self.refuse(c.const_token.extent(), &error::CONST_BLOCK),
            _ => self.refuse(span, &error::UNKNOWN_EXPRESSION),
        }
    }

    fn unary(&mut self, u: &syn::ExprUnary) -> Expr {
        let span = u.extent();
        let inner = self.expr(&u.expr);
        let ty = self.types.peel(&inner.ty);
        match u.op {
            syn::UnOp::Neg(_) => self.negated(inner, span),
            syn::UnOp::Not(_) => Expr::new(Kind::Not(Box::new(inner)), ty, span),
            syn::UnOp::Deref(_) => {
                let ty = match self.types.shallow(&inner.ty) {
                    Ty::Ref(_, t) => *t,
                    other => other,
                };
                Expr::new(Kind::Deref(Box::new(inner)), ty, span)
            }
            _ => self.refuse(span, &error::UNKNOWN_EXPRESSION),
        }
    }

    fn binary(&mut self, b: &syn::ExprBinary, span: Extent) -> Expr {
        if let Some(op) = assign_operator(&b.op) {
            let change = self.change_part(&b.left, Some(&b.op), &b.right, span);
            let change = change.or_else(|| self.change_opaque_field(&syn::Expr::Binary(b.clone())));
            return match change {
                Some(change) => change,
                None => self.assign_op(op, &b.left, &b.right, span),
            };
        }
        let left = self.expr(&b.left);
        // `z + x.into()` of two structs
        let right = self.expr_for(&b.right, &self.types.peel(&left.ty));
        let logical = matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_));
        if !logical && self.are_constants((&b.left, &left), (&b.right, &right)) {
            let whole = self.passive(&syn::Expr::Binary(b.clone()), false);
            return match cmp_op(&b.op) {
                Some(_) => Expr {
                    ty: Ty::Bool,
                    ..whole
                },
                None => whole,
            };
        }
        if let Some(op) = cmp_op(&b.op) {
            let of = [&left, &right].map(|e| self.types.peel(&e.ty));
            let bare = of.each_ref().map(|ty| match ty {
                Ty::Struct(path) | Ty::Opaque(path) => self.is_bare(&path.0),
                _ => false,
            });
            let number = matches!(of[0], Ty::Float | Ty::Int(_) | Ty::Bool);
            if bare[0] || bare[1] && number {
                self.cx.certain_mismatch();
            }
            // constants of foreign types are compared as they are
            if self.is_foreign_beside(&of[0], &of[1])
                || self.is_foreign_beside(&of[1], &of[0])
                || of.iter().any(|ty| self.is_text(ty))
            {
                return self.foreign_comparison(b.clone(), left, right);
            }
            let sequence = |r: &Self, e: &Expr| {
                matches!(
                    r.types.peel(&e.ty),
                    Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_)
                )
            };
            let equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
            if !equality && let Some(compared) = self.compared_options(op, &left, &right) {
                return compared;
            }
            if equality && let Some(equal) = self.equal_parts(&left, &right) {
                let kind = match op {
                    CmpOp::Eq => return equal,
                    _ => Kind::Not(Box::new(equal)),
                };
                return Expr::new(kind, Ty::Bool, span);
            }
            if equality && let Some(compared) = self.compared_with_variant(op, &left, &right) {
                return compared;
            }
            if let Some(compared) = self.compared_structs(&b.op, &left, &right) {
                return compared;
            }
            if equality && sequence(self, &left) && sequence(self, &right) {
                if self.is_list_of_foreign(&left.ty) || self.is_list_of_foreign(&right.ty) {
                    return self.equal_lists(op, left, right);
                }
                self.unify(&left.ty.clone(), &right.ty.clone(), right.span);
            } else {
                self.unify_scalars(&left, &right);
            }
            return Expr::new(
                Kind::Cmp(op, Box::new(left), Box::new(right)),
                Ty::Bool,
                span,
            );
        }
        match b.op {
            syn::BinOp::And(_) | syn::BinOp::Or(_) => {
                self.unify(&left.ty.clone(), &Ty::Bool, left.span);
                self.unify(&right.ty.clone(), &Ty::Bool, right.span);
                let (l, r) = (Box::new(left), Box::new(right));
                let kind = if matches!(b.op, syn::BinOp::And(_)) {
                    Kind::And(l, r)
                } else {
                    Kind::Or(l, r)
                };
                Expr::new(kind, Ty::Bool, span)
            }
            _ => match bin_op(&b.op) {
                Some(op)
                    if self.has_opaque_operand(op, &left, &right)
                        && !self.may_be_active(&b.clone().into()) =>
                {
                    self.passive(&syn::Expr::Binary(b.clone()), false)
                }
                Some(op) => self.computed(op, left, right, span),
                None => self.refuse(span, &error::UNKNOWN_EXPRESSION),
            },
        }
    }

    /// Whether an operand is a struct that the compiler does not look into, and that has such an operator.
    fn has_opaque_operand(&self, op: BinOp, left: &Expr, right: &Expr) -> bool {
        let Some(method) = super::methods::operator_method(op) else {
            return false;
        };
        let has = |e: &Expr| match self.types.peel(&e.ty) {
            Ty::Opaque(path) => self.env.passive(&path.0.to_string(), method).is_some(),
            _ => false,
        };
        (has(left) || has(right)) && !self.is_known_operator(method, left, Some(right))
    }

    /// Whether both are constants that the compiler does not look into, of unknown types, or one is
    /// and the other is a literal: rustc knows of which type they are.
    fn are_constants(&self, left: (&syn::Expr, &Expr), right: (&syn::Expr, &Expr)) -> bool {
        let foreign = |(written, e): (&syn::Expr, &Expr)| {
            if self.is_constant_struct(e) {
                return true;
            }
            let ty = self.types.peel(&e.ty);
            let unresolved = self
                .types
                .traits(&ty)
                .is_some_and(|t| t.foreign && !(t.integer || t.float || t.refused))
                // what is chosen by a branch may be a call's
                && self.types.traits(&ty).is_some_and(|t| !t.callee && !t.field);
            let carried = match &e.kind {
                Kind::Passive(p) => !p.explicit,
                Kind::Local(local) => !self.locals[local.0].mutable,
                Kind::Deref(e) if matches!(&e.kind, Kind::Local(_)) => true,
                _ => is_question(behind_star(written)),
            };
            unresolved && carried
        };
        let literal = |(_, e): (&syn::Expr, &Expr)| matches!(&e.kind, Kind::Lit(Lit::Int(_)));
        match (foreign(left), foreign(right)) {
            (true, true) => true,
            (true, false) => literal(right),
            (false, true) => literal(left),
            (false, false) => false,
        }
    }

    /// Type of `left op right`: one scalar class on both sides, but for shifts.
    pub(super) fn bin_type(&mut self, op: BinOp, left: &Expr, right: &Expr) -> Ty {
        match op {
            BinOp::Shl | BinOp::Shr => {
                self.set_integer(left);
                self.set_integer(right);
            }
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor => {
                if !self.unify_scalars(left, right) {
                    return self.tainted();
                }
            }
        }
        self.types.peel(&left.ty)
    }

    /// Notes that nothing but an integer stands here, unless more is known.
    pub(super) fn set_integer(&mut self, e: &Expr) {
        let ty = self.types.peel(&e.ty);
        if let Some(traits) = self.types.traits(&ty)
            && !traits.refused
        {
            let some = self.types.fresh_with(Traits {
                integer: true,
                // of which type a constant is rustc knows
                free: traits.foreign && !traits.integer,
                ..Traits::default()
            });
            self.unify(&ty, &some, e.span);
        }
    }

    /// False if an operand is refused.
    pub(super) fn unify_scalars(&mut self, left: &Expr, right: &Expr) -> bool {
        let (a, b) = (self.types.peel(&left.ty), self.types.peel(&right.ty));
        // a number has no operator with a type of which nothing is known, and such a type has none at all
        let number = matches!(a, Ty::Float | Ty::Int(_) | Ty::Bool);
        for (ty, e, certain) in [(&a, left, true), (&b, right, number)] {
            match ty {
                Ty::Struct(path) | Ty::Opaque(path) if certain && self.is_bare(&path.0) => {
                    self.cx.certain_mismatch();
                    return false;
                }
                Ty::Struct(path) if self.env.is_array(&path.0.to_string()) => {
                    self.cx.error(e.span, &error::ARRAY_UNKNOWN);
                    return false;
                }
                Ty::Struct(path) | Ty::Opaque(path) if !matches!(e.kind, Kind::Refused) => {
                    self.refuse_struct(e.span, &path.0, "this operator on structs");
                    return false;
                }
                Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) => {
                    self.cx.error(e.span, &error::OPERATOR_ON_ARRAY);
                    return false;
                }
                _ => {}
            }
        }
        self.unify(&a, &b, right.span);
        true
    }

    /// Whether a type is a variable of which nothing is known.
    pub(super) fn is_bare(&self, ty: &TokenStream) -> bool {
        let name = ty.to_string();
        self.bare.contains(&name)
    }

    fn cast(&mut self, c: &syn::ExprCast) -> Expr {
        let span = c.extent();
        if matches!(
            types::read_plain(&c.ty, self.float, &mut self.types),
            Some(Ty::Float)
        ) && let Some(back) = self.back_from_other_width(&c.expr, span)
        {
            return back;
        }
        let inner = self.expr(&c.expr);
        // a number of a type that is not ours, the other float, or an enum
        let of = self.types.peel(&inner.ty);
        let foreign = matches!(of, Ty::Opaque(_));
        if foreign && (matches!(inner.kind, Kind::Field(..)) || self.is_computed(&inner)) {
            let mut c = c.clone();
            *c.expr = parse_quote!(__cast);
            return self.keeping_as("__cast", inner, |r, _| r.cast(&c));
        }
        if let Ty::Struct(path) | Ty::Opaque(path) = &of
            && self.variables.contains(&path.0.to_string())
        {
            self.cx.certain_mismatch();
        }
        match self.annotation(&c.ty) {
            Some(ty @ (Ty::Float | Ty::Int(_))) if foreign => {
                let e = self.passive(&syn::Expr::Cast(c.clone()), false);
                self.unify(&e.ty.clone(), &ty, span);
                e
            }
            _ if inner.is_refused() => self.refused(span),
            Some(Ty::Bool) if !matches!(self.types.peel(&inner.ty), Ty::Bool) => {
                self.refuse(c.ty.extent(), &error::CAST)
            }
            Some(ty @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Var(_))) => {
                if let Ty::Float = ty {
                    self.types.set_counted(&inner.ty);
                }
                Expr::new(Kind::Cast(Box::new(inner)), ty, span)
            }
            Some(ty) if self.is_of_objects(&ty) => {
                let mut object = inner;
                self.fit(&mut object, &ty);
                object
            }
            Some(_) => self.refuse(c.ty.extent(), &error::CAST),
            None => self.refused(span),
        }
    }

    /// `[a, b, ..]`, or `vec![a, b, ..]`.
    pub(super) fn list(&mut self, elems: &[&syn::Expr], vector: bool, span: Extent) -> Expr {
        let elem_ty = self.types.fresh();
        let elems: Vec<Expr> = elems.iter().map(|e| self.expr(e)).collect();
        let mut elems = self.rows_of_list(elems);
        elems.iter_mut().for_each(|e| self.take_option_apart(e));
        self.meet_all(&mut elems);
        for e in &elems {
            self.unify(&elem_ty, &e.ty, e.span);
        }
        if let Some(list) = self.carried_list(&elems, vector, &elem_ty, span) {
            return list;
        }
        let len = proc_macro2::Literal::usize_unsuffixed(elems.len()).to_token_stream();
        // vectors of vectors have one form
        let ty = if vector || matches!(self.types.shallow(&elem_ty), Ty::Vec(_)) {
            Ty::Vec(Box::new(elem_ty))
        } else {
            Ty::Array(Box::new(elem_ty), Tokens(len))
        };
        Expr::new(Kind::List(elems), ty, span)
    }
}

impl Reader<'_> {
    /// `[&x[..2], &rest]`: what a list of references to sequences refers to, which it holds as its rows.
    fn rows_of_list(&self, elems: Vec<Expr>) -> Vec<Expr> {
        let referred = |e: &Expr| match self.types.shallow(&e.ty) {
            Ty::Ref(false, of) => match self.types.shallow(&of) {
                of @ (Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_)) => Some(of),
                _ => None,
            },
            _ => None,
        };
        let Some(of) = elems.iter().map(referred).collect::<Option<Vec<Ty>>>() else {
            return elems;
        };
        let are_arrays = of.iter().all(|ty| matches!(ty, Ty::Array(..)));
        let row = |(e, of): (Expr, Ty)| Expr {
            span: e.span,
            ty: match of {
                Ty::Array(elem, _) if !are_arrays => Ty::Vec(elem),
                Ty::Slice(elem) => Ty::Vec(elem),
                of => of,
            },
            kind: Kind::CopyOf(Box::new(e)),
        };
        elems.into_iter().zip(of).map(row).collect()
    }
}

/// The path that an expression is.
pub(super) fn as_path(e: &syn::Expr) -> Option<&syn::ExprPath> {
    match strip(e) {
        syn::Expr::Path(p) => Some(p),
        _ => None,
    }
}

/// The call of a method that an expression is.
pub(super) fn as_method(e: &syn::Expr) -> Option<&syn::ExprMethodCall> {
    match strip(e) {
        syn::Expr::MethodCall(m) => Some(m),
        _ => None,
    }
}

/// The call of a function that an expression is.
pub(super) fn as_call(e: &syn::Expr) -> Option<&syn::ExprCall> {
    match strip(e) {
        syn::Expr::Call(c) => Some(c),
        _ => None,
    }
}

/// The closure that an expression is.
pub(super) fn as_closure(e: &syn::Expr) -> Option<&syn::ExprClosure> {
    match strip(e) {
        syn::Expr::Closure(c) => Some(c),
        _ => None,
    }
}

fn attributes(e: &syn::Expr) -> &[syn::Attribute] {
    match e {
        syn::Expr::Binary(e) => &e.attrs,
        syn::Expr::Block(e) => &e.attrs,
        syn::Expr::Call(e) => &e.attrs,
        syn::Expr::ForLoop(e) => &e.attrs,
        syn::Expr::If(e) => &e.attrs,
        syn::Expr::Loop(e) => &e.attrs,
        syn::Expr::Match(e) => &e.attrs,
        syn::Expr::MethodCall(e) => &e.attrs,
        syn::Expr::Paren(e) => &e.attrs,
        syn::Expr::While(e) => &e.attrs,
        syn::Expr::Assign(e) => &e.attrs,
        syn::Expr::Return(e) => &e.attrs,
        _ => &[],
    }
}

pub(super) fn bin_op(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::Add(_) => BinOp::Add,
        syn::BinOp::Sub(_) => BinOp::Sub,
        syn::BinOp::Mul(_) => BinOp::Mul,
        syn::BinOp::Div(_) => BinOp::Div,
        syn::BinOp::Rem(_) => BinOp::Rem,
        syn::BinOp::BitAnd(_) => BinOp::And,
        syn::BinOp::BitOr(_) => BinOp::Or,
        syn::BinOp::BitXor(_) => BinOp::Xor,
        syn::BinOp::Shl(_) => BinOp::Shl,
        syn::BinOp::Shr(_) => BinOp::Shr,
        _ => return None,
    })
}

fn cmp_op(op: &syn::BinOp) -> Option<CmpOp> {
    Some(match op {
        syn::BinOp::Lt(_) => CmpOp::Lt,
        syn::BinOp::Le(_) => CmpOp::Le,
        syn::BinOp::Gt(_) => CmpOp::Gt,
        syn::BinOp::Ge(_) => CmpOp::Ge,
        syn::BinOp::Eq(_) => CmpOp::Eq,
        syn::BinOp::Ne(_) => CmpOp::Ne,
        _ => return None,
    })
}
