//! Assignments.

use super::Reader;
use super::expr::strip;
use super::structs::member_name;
use crate::error;
use crate::ir::{BinOp, Tokens};
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Expr, Kind, Local, Pat, Step};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::Span;

impl Reader<'_> {
    pub(super) fn assign(&mut self, a: &syn::ExprAssign) -> Expr {
        let span = a.extent();
        if let Some(change) = self.change_part(&a.left, None, &a.right, span) {
            return change;
        }
        if let Some(refused) = self.refuse_part(&a.left) {
            return refused;
        }
        if let Some(whole) = self.with_constant_part(a) {
            return self.assign(&whole);
        }
        if has_list(&a.left) {
            let block = parts_of_constant(&a.left, &a.right);
            return Expr::new(Kind::Block(self.block(&block)), Ty::unit(), span);
        }
        let mut value = self.assigned_value(a);
        if let syn::Expr::Infer(_) = strip(&a.left) {
            return Expr::new(Kind::Block(drop_value(value)), Ty::unit(), span);
        }
        if let syn::Expr::Tuple(targets) = strip(&a.left) {
            if let Ty::Opaque(_) = self.types.peel(&value.ty) {
                let block = parts_of_constant(&a.left, &a.right);
                return Expr::new(Kind::Block(self.block(&block)), Ty::unit(), span);
            }
            let wanted = self.assigned_type(&a.left, &value.ty);
            self.lift_to(&mut value, &wanted);
            return self.assign_tuple(targets, value, span);
        }
        let place = self.place(&a.left);
        if let (Kind::Local(_), Ty::Opaque(path)) = (&place.kind, self.types.shallow(&place.ty))
            && !self.may_change(&path, span)
        {
            return self.refused(span);
        }
        self.lift_to(&mut value, &place.ty);
        self.unify(&place.ty.clone(), &value.ty, value.span);
        if let Some(field) = self.constant_number(&place) {
            self.hold_constant(&field, &mut value);
        }
        self.at_place(place, value, false, |_, place, value| {
            assignment(place, value, span)
        })
    }

    /// What assigns a value to a place. A reference that is decided on gets a name first:
    /// `*(if up { &mut p } else { &mut q }) = v`   =>   `{ let kept = v; let to = if up { .. } ..; *to = kept }`
    /// `is_method`: what assigns is a method of the place, which is found before the value.
    fn at_place(
        &mut self,
        mut place: Expr,
        value: Expr,
        is_method: bool,
        then: impl FnOnce(&mut Self, Expr, Expr) -> Expr,
    ) -> Expr {
        let chosen = chosen_reference(&mut place);
        let Some(chosen) = chosen.filter(|e| matches!(self.types.shallow(&e.ty), Ty::Ref(true, _)))
        else {
            self.check_assignable(&place);
            return then(self, place, value);
        };
        let (local, to) = self.fresh_local("to", &chosen.ty, chosen.span);
        let reference = std::mem::replace(chosen, to);
        self.check_assignable(&place);
        let behind =
            |r: &mut Self, value| super::option::behind(local, reference, then(r, place, value));
        match is_method {
            true => behind(self, value),
            false => self.keeping_value(value, behind),
        }
    }

    /// The struct that has the field, if it holds something that the compiler does not look into.
    fn with_opaque_field(&mut self, field: &syn::ExprField) -> Option<Tokens> {
        let of = self.place_type(&field.base)?;
        let Ty::Struct(path) = self.types.peel(&of) else {
            return None;
        };
        let name = member_name(&field.member);
        self.env.constant_part(&path.0.to_string(), &name)?;
        Some(path)
    }

    // p.name.push('a');  =>  p.name = { let mut part = p.name.clone(); part.push('a'); part };  the same of `p.name += "a"`
    pub(super) fn change_opaque_field(&mut self, change: &syn::Expr) -> Option<Expr> {
        let place = match change {
            syn::Expr::MethodCall(m) => strip(&m.receiver),
            syn::Expr::Binary(b) => strip(&b.left),
            _ => return None,
        };
        let syn::Expr::Field(field) = place else {
            return None;
        };
        self.with_opaque_field(field)?;
        let value: syn::Expr = match change {
            syn::Expr::MethodCall(m) => {
                let change = syn::ExprMethodCall {
                    receiver: parse_quote!(__part),
                    ..m.clone()
                };
                parse_quote!({
                    let mut __part = #place.clone();
                    #change;
                    __part
                })
            }
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::AddAssign(_)) => {
                let added = &b.right;
                parse_quote!(#place.clone() + #added)
            }
            _ => return None,
        };
        Some(self.assign(&parse_quote!(#place = #value)))
    }

    // p.mode = m;  =>  p = P { mode: m, ..p };  for a field that the compiler does not look into
    fn with_constant_part(&mut self, a: &syn::ExprAssign) -> Option<syn::ExprAssign> {
        let syn::Expr::Field(f) = strip(&a.left) else {
            return None;
        };
        let path = self.with_opaque_field(f)?;
        let (base, member, value) = (&f.base, &f.member, &a.right);
        // the place is written twice
        if walk::any(Node::Expr(base), &mut |node| match node {
            Node::Expr(syn::Expr::MethodCall(m)) => m.method != "len",
            Node::Expr(e) => matches!(
                e,
                syn::Expr::Block(_) | syn::Expr::Call(_) | syn::Expr::Macro(_)
            ),
            _ => false,
        }) {
            return None;
        }
        let path = &path.0;
        let local = self.local_of(base);
        let is_borrowed = local
            .is_some_and(|of| matches!(self.types.shallow(&self.locals[of.0].ty), Ty::Ref(..)));
        let (whole, rest): (syn::Expr, syn::Expr) = match is_borrowed {
            true => (parse_quote!(*#base), parse_quote!(#base.clone())),
            false => ((**base).clone(), (**base).clone()),
        };
        let made = parse_quote!(#path { #member: #value, ..#rest });
        Some(syn::ExprAssign {
            attrs: Vec::new(),
            left: Box::new(whole),
            eq_token: a.eq_token,
            right: Box::new(made),
        })
    }

    // (a, b) = value;  =>  { let (p, q) = value; a = p; b = q; }
    fn assign_tuple(&mut self, targets: &syn::ExprTuple, value: Expr, span: Extent) -> Expr {
        let parts: Vec<(Local, Ty)> = targets
            .elems
            .iter()
            .map(|_| {
                let ty = self.types.fresh();
                (self.unnamed("part", ty.clone(), span), ty)
            })
            .collect();
        let whole = Ty::Tuple(parts.iter().map(|(_, ty)| ty.clone()).collect());
        self.unify(&value.ty.clone(), &whole, span);
        let pat = Pat::Tuple(parts.iter().map(|(local, _)| Pat::Bind(*local)).collect());
        let mut stmts = vec![Step::Let {
            pat,
            init: Some(value),
        }];
        for (target, (local, ty)) in targets.elems.iter().zip(parts) {
            let part = Expr::local(local, ty, span);
            match strip(target) {
                syn::Expr::Infer(_) => {}
                syn::Expr::Tuple(inner) => {
                    stmts.push(Step::Expr(self.assign_tuple(inner, part, span)))
                }
                target => {
                    let place = self.place(target);
                    self.unify(&place.ty.clone(), &part.ty, place.span);
                    let change = self.at_place(place, part, false, |_, place, part| {
                        assignment(place, part, span)
                    });
                    stmts.push(Step::Expr(change));
                }
            }
        }
        Expr::new(Kind::Block(Block::of_steps(stmts)), Ty::unit(), span)
    }

    /// The type of what is assigned, where a constant struct is of the type of its variable.
    fn assigned_type(&mut self, target: &syn::Expr, value: &Ty) -> Ty {
        match (strip(target), self.types.shallow(value)) {
            (syn::Expr::Tuple(targets), Ty::Tuple(parts)) => {
                let pairs = targets.elems.iter().zip(&parts);
                Ty::Tuple(pairs.map(|(t, part)| self.assigned_type(t, part)).collect())
            }
            (target, value) => {
                let place = self.place_type(target);
                let lifted = place.filter(|ty| self.is_to_lift(&value, ty));
                lifted.unwrap_or(value)
            }
        }
    }

    pub(super) fn assign_op(
        &mut self,
        op: BinOp,
        left: &syn::Expr,
        right: &syn::Expr,
        span: Extent,
    ) -> Expr {
        if let Some(refused) = self.refuse_part(left) {
            return refused;
        }
        if let Some(ty) = self.made_by_steps(left) {
            let ty = ty.to_owned();
            return self.refuse_about(span, &error::COLLECTION_CHANGES, ty);
        }
        let value = self.expr(right);
        let place = self.place(left);
        let is_method = matches!(self.types.peel(&place.ty), Ty::Struct(_));
        self.at_place(place, value, is_method, |r, place, value| {
            if let Some(method) = super::methods::operator_method(op) {
                let method = format!("{method}_assign");
                if let Some(call) = r.assign_operator(&method, place.clone(), value.clone()) {
                    return call;
                }
            }
            r.bin_type(op, &place, &value);
            Expr::new(
                Kind::AssignOp(op, Box::new(place), Box::new(value)),
                Ty::unit(),
                span,
            )
        })
    }

    /// What stands on the left of an assignment: variables, elements, components, `*v`.
    pub(super) fn check_assignable(&mut self, place: &Expr) {
        match &place.kind {
            Kind::Local(_) | Kind::Refused => {}
            Kind::Field(base, _) => {
                self.check_list(place);
                self.check_assignable_base(base)
            }
            Kind::Index(base, _) | Kind::TupleField(base, _) => self.check_assignable_base(base),
            Kind::Deref(base) => self.check_assignable_base(base),
            Kind::Tuple(_) | Kind::List(_) | Kind::Struct { .. } => {
                self.cx.error(place.span, &error::DESTRUCTURING_ASSIGNMENT)
            }
            Kind::Passive(code) => match code.locals.first() {
                Some((name, _)) => self
                    .cx
                    .error_about(place.span, &error::CONSTANT_STRUCT, name),
                None => self.cx.error(place.span, &error::GLOBAL_WRITE),
            },
            _ => self.cx.error(place.span, &error::ASSIGNMENT_TARGET),
        }
    }

    /// A list of floats in a field that is constant belongs to who made the struct.
    pub(super) fn check_list(&mut self, place: &Expr) {
        if let Kind::Field(base, name) = &place.kind
            && let Ty::Struct(path) = self.types.peel(&base.ty)
            && self.env.is_constant_list(&path.0.to_string(), name)
        {
            self.cx
                .error_about(place.span, &error::CONSTANT_FIELD, name);
        }
    }

    fn check_assignable_base(&mut self, place: &Expr) {
        match &place.kind {
            Kind::Range { base, .. } | Kind::Ref(true, base) => self.check_assignable_base(base),
            // a reference to an element
            Kind::Seq(..) => {}
            // the body of a method
            Kind::Block(Block {
                value: Some(value), ..
            }) => self.check_assignable_base(value),
            _ => self.check_assignable(place),
        }
    }
}

fn assignment(place: Expr, value: Expr, span: Extent) -> Expr {
    Expr::new(
        Kind::Assign(Box::new(place), Box::new(value)),
        Ty::unit(),
        span,
    )
}

/// The reference in a place that a branch decides on.
fn chosen_reference(place: &mut Expr) -> Option<&mut Expr> {
    if is_chosen(place) {
        return Some(place);
    }
    match &mut place.kind {
        Kind::Index(base, _)
        | Kind::TupleField(base, _)
        | Kind::Field(base, _)
        | Kind::Deref(base)
        | Kind::Range { base, .. }
        | Kind::Ref(true, base) => chosen_reference(base),
        _ => None,
    }
}

fn is_chosen(e: &Expr) -> bool {
    match &e.kind {
        Kind::Block(block) => block.value.as_ref().is_some_and(|value| is_chosen(value)),
        Kind::If { .. } | Kind::Match(..) | Kind::Labelled { .. } => true,
        _ => false,
    }
}

// (a, (b, _)) = cfg;   =>   { let (part0, (part1, _)) = cfg; a = part0; b = part1; }
fn parts_of_constant(targets: &syn::Expr, value: &syn::Expr) -> syn::Block {
    let mut assigned: Vec<syn::Stmt> = Vec::new();
    let pat = part_of_constant(targets, &mut assigned);
    parse_quote!({ let #pat = #value; #(#assigned)* })
}

fn part_of_constant(target: &syn::Expr, assigned: &mut Vec<syn::Stmt>) -> syn::Pat {
    match strip(target) {
        syn::Expr::Infer(_) => parse_quote!(_),
        syn::Expr::Tuple(inner) => {
            let parts = inner.elems.iter();
            let parts: Vec<syn::Pat> = parts.map(|t| part_of_constant(t, assigned)).collect();
            parse_quote!((#(#parts,)*))
        }
        syn::Expr::Array(inner) => {
            let parts = inner.elems.iter();
            let parts: Vec<syn::Pat> = parts.map(|t| part_of_constant(t, assigned)).collect();
            parse_quote!([#(#parts,)*])
        }
        syn::Expr::Range(_) => parse_quote!(..),
        target => {
            let name = syn::Ident::new(&format!("__part{}", assigned.len()), Span::call_site());
            assigned.push(parse_quote!(#target = #name;));
            parse_quote!(#name)
        }
    }
}

/// Whether a target is, or has, one like `[a, b]`.
fn has_list(target: &syn::Expr) -> bool {
    match strip(target) {
        syn::Expr::Array(_) => true,
        syn::Expr::Tuple(parts) => parts.elems.iter().any(has_list),
        _ => false,
    }
}

fn drop_value(value: Expr) -> Block {
    Block::of_steps(vec![Step::Expr(value)])
}

/// The operator of `op=`.
pub(super) fn assign_operator(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => BinOp::Add,
        syn::BinOp::SubAssign(_) => BinOp::Sub,
        syn::BinOp::MulAssign(_) => BinOp::Mul,
        syn::BinOp::DivAssign(_) => BinOp::Div,
        syn::BinOp::RemAssign(_) => BinOp::Rem,
        syn::BinOp::BitAndAssign(_) => BinOp::And,
        syn::BinOp::BitOrAssign(_) => BinOp::Or,
        syn::BinOp::BitXorAssign(_) => BinOp::Xor,
        syn::BinOp::ShlAssign(_) => BinOp::Shl,
        syn::BinOp::ShrAssign(_) => BinOp::Shr,
        _ => return None,
    })
}
