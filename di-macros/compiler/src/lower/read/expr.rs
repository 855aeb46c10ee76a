//! Expressions: operators, literals, places. Larger families have files of their own.

use super::{Item, Reader};
use crate::error;
use crate::ir::{BinOp, CmpOp, Lit, Tokens};
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Expr, Kind, Local, Passive, Pat, Step};
use crate::lower::ty::{Traits, Ty};
use crate::lower::types::INTEGERS;
use crate::report::Extent;
use crate::symbol;
use quote::ToTokens;

impl Reader<'_> {
    /// Reads one expression.
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Expr {
        self.no_attributes(attributes(e));
        let span = e.extent();
        if let Some(passive) = self.opaque_chain(e) {
            return passive;
        }
        match e {
            syn::Expr::Group(g) => self.expr(&g.expr),
            syn::Expr::Paren(p) => self.expr(&p.expr),
            syn::Expr::Lit(l) => self.literal(&l.lit),
            syn::Expr::Path(p) => self.path(p),
            syn::Expr::Unary(u) => self.unary(u),
            syn::Expr::Binary(b) => self.binary(b),
            syn::Expr::Cast(c) => self.cast(c),
            syn::Expr::Reference(r) => {
                let inner = self.expr(&r.expr);
                let ty = Ty::reference(r.mutability.is_some(), inner.ty.clone());
                Expr {
                    kind: Kind::Ref(r.mutability.is_some(), Box::new(inner)),
                    ty,
                    span,
                }
            }
            syn::Expr::Index(i) => self.index(i),
            syn::Expr::Field(f) => self.field(f),
            syn::Expr::Tuple(t) => {
                let elems: Vec<Expr> = t.elems.iter().map(|e| self.expr(e)).collect();
                let ty = Ty::Tuple(elems.iter().map(|e| e.ty.clone()).collect());
                Expr {
                    kind: Kind::Tuple(elems),
                    ty,
                    span,
                }
            }
            syn::Expr::Array(a) => self.list(&a.elems.iter().collect::<Vec<_>>(), false, span),
            syn::Expr::Repeat(r) => {
                let elem = self.expr(&r.expr);
                if matches!(self.types.peel(&elem.ty), Ty::Tuple(_)) {
                    return self.refuse(span, &error::LIST_OF_TUPLES);
                }
                let len = Tokens(r.len.to_token_stream());
                let ty = Ty::Array(Box::new(elem.ty.clone()), len.clone());
                Expr {
                    kind: Kind::Repeat(Box::new(elem), len),
                    ty,
                    span,
                }
            }
            syn::Expr::Assign(a) => self.assign(a),
            syn::Expr::Call(c) => self.call(c),
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
            syn::Expr::Let(l) => self.refuse(l.let_token.extent(), &error::IF_LET),
            syn::Expr::Closure(c) => self.refuse(c.extent(), &error::CLOSURE),
            syn::Expr::Try(t) => self.refuse(t.question_token.extent(), &error::TRY),
            syn::Expr::Unsafe(u) => self.refuse(u.unsafe_token.extent(), &error::UNSAFE_BLOCK),
            syn::Expr::Async(a) => self.refuse(a.async_token.extent(), &error::ASYNC_BLOCK),
            syn::Expr::Await(a) => self.refuse(a.await_token.extent(), &error::ASYNC_BLOCK),
            syn::Expr::TryBlock(t) => self.refuse(t.try_token.extent(), &error::TRY),
            syn::Expr::Struct(s) => self.refuse(s.path.extent(), &error::STRUCT_LITERAL),
            syn::Expr::Range(r) => self.refuse(r.extent(), &error::RANGE_VALUE),
            syn::Expr::RawAddr(r) => self.refuse(r.extent(), &error::RAW_POINTER),
            syn::Expr::Const(c) => self.refuse(c.const_token.extent(), &error::CONST_BLOCK),
            _ => self.refuse(span, &error::UNKNOWN_EXPRESSION),
        }
    }

    fn literal(&mut self, lit: &syn::Lit) -> Expr {
        let span = lit.extent();
        let (kind, ty) = match lit {
            syn::Lit::Float(f) => return self.float_literal(f.base10_digits(), f.suffix(), span),
            syn::Lit::Int(i) if matches!(i.suffix(), "f64" | "f32") => {
                return self.float_literal(i.base10_digits(), i.suffix(), span);
            }
            syn::Lit::Int(i) => match i.base10_parse::<i128>() {
                Ok(value) => {
                    let ty = if i.suffix().is_empty() {
                        self.types.fresh_with(Traits {
                            integer: true,
                            ..Traits::default()
                        })
                    } else {
                        Ty::Int(i.suffix().to_owned())
                    };
                    (Kind::Lit(Lit::Int(value)), ty)
                }
                Err(_) => return self.refuse(span, &error::LITERAL),
            },
            syn::Lit::Bool(b) => (Kind::Lit(Lit::Bool(b.value)), Ty::Bool),
            other => {
                // strings and characters: passive, as arguments
                let tokens = Tokens(other.to_token_stream());
                (
                    Kind::Passive(Passive {
                        tokens,
                        locals: Vec::new(),
                        explicit: false,
                    }),
                    self.foreign(),
                )
            }
        };
        Expr { kind, ty, span }
    }

    fn float_literal(&mut self, digits: &str, suffix: &str, span: Extent) -> Expr {
        if !suffix.is_empty() && suffix != self.float {
            return self.refuse_about(span, &error::MIXED_FLOATS, suffix);
        }
        // an f32 literal is rounded once, to f32
        let value = if self.float == "f32" {
            digits.parse::<f32>().map(f64::from)
        } else {
            digits.parse::<f64>()
        };
        match value {
            Ok(value) => Expr {
                kind: Kind::Lit(Lit::Float(value)),
                ty: Ty::Float,
                span,
            },
            Err(_) => self.refuse(span, &error::LITERAL),
        }
    }

    fn path(&mut self, p: &syn::ExprPath) -> Expr {
        let span = p.extent();
        if p.qself.is_some() {
            return self.refuse(span, &error::QUALIFIED_PATH);
        }
        if let Some(ident) = p.path.get_ident() {
            if let Some(local) = self.lookup(&unraw(ident)) {
                return Expr {
                    kind: Kind::Local(local),
                    ty: self.locals[local.0].ty.clone(),
                    span,
                };
            }
            if ident == "self" {
                return self.refuse(span, &error::METHOD);
            }
        }
        self.constant(&p.path, span)
    }

    /// A constant of the user or of std: carried as it is, its type told by its use.
    fn constant(&mut self, path: &syn::Path, span: Extent) -> Expr {
        let (tokens, known) = self.constant_tokens(path);
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let last = names.last().cloned().unwrap_or_default();
        let owner = names
            .len()
            .checked_sub(2)
            .map(|k| names[k].as_str())
            .unwrap_or_default();
        let ty = if let Some(ty) = known {
            ty
        } else if let Some(int) = symbol::float_property(&last).filter(|_| owner == self.float) {
            Ty::Int(int.to_owned())
        } else if names.iter().any(|n| n == self.float)
            || (owner == "consts" && symbol::is_float_constant(&last))
        {
            Ty::Float
        } else if names.iter().any(|n| n == "f32" || n == "f64") {
            return self.refuse_about(span, &error::MIXED_FLOATS, &last);
        } else if INTEGERS.contains(&owner) && last != "BITS" {
            Ty::Int(owner.to_owned())
        } else if INTEGERS.contains(&owner) {
            Ty::Int("u32".to_owned())
        } else if last == "None" {
            return self.refuse(span, &error::OPTION);
        } else {
            let float = names.len() == 1 && symbol::is_float_constant(&last);
            self.types.fresh_with(Traits {
                foreign: true,
                float,
                ..Traits::default()
            })
        };
        Expr {
            kind: Kind::Passive(Passive {
                tokens,
                locals: Vec::new(),
                explicit: false,
            }),
            ty,
            span,
        }
    }

    /// The path as it can be written anywhere: local `use` items are resolved, local constants are
    /// brought along.
    pub(super) fn constant_tokens(&self, path: &syn::Path) -> (Tokens, Option<Ty>) {
        let path = self.resolve_use(path);
        let mut tokens = path.to_token_stream();
        let mut known = None;
        if let Some(ident) = path.get_ident()
            && let Some(Item::Const(ty, _)) = self.item(&ident.to_string())
        {
            known = Some(ty.clone());
            for scope in self.scopes.iter().rev() {
                let consts: Vec<_> = scope
                    .items
                    .values()
                    .filter_map(|i| match i {
                        Item::Const(_, t) => Some(t.0.clone()),
                        Item::Use(_) => None,
                    })
                    .collect();
                if !consts.is_empty() {
                    let mut inner: proc_macro2::TokenStream = consts.into_iter().collect();
                    inner.extend(tokens);
                    tokens = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, inner)
                        .to_token_stream();
                }
            }
        }
        (Tokens(tokens), known)
    }

    /// A path whose first name was brought by a `use` inside the function, written in full.
    pub(super) fn resolve_use(&self, path: &syn::Path) -> syn::Path {
        let Some(first) = path.segments.first() else {
            return path.clone();
        };
        match self.item(&first.ident.to_string()) {
            Some(Item::Use(full)) if path.leading_colon.is_none() => {
                let mut resolved = full.clone();
                if let Some(last) = resolved.segments.last_mut() {
                    last.arguments = first.arguments.clone();
                }
                resolved
                    .segments
                    .extend(path.segments.iter().skip(1).cloned());
                resolved
            }
            Some(Item::Use(_) | Item::Const(..)) | None => path.clone(),
        }
    }

    fn unary(&mut self, u: &syn::ExprUnary) -> Expr {
        let span = u.extent();
        let inner = self.expr(&u.expr);
        let ty = self.types.peel(&inner.ty);
        match u.op {
            syn::UnOp::Neg(_) => Expr {
                kind: Kind::Neg(Box::new(inner)),
                ty,
                span,
            },
            syn::UnOp::Not(_) => Expr {
                kind: Kind::Not(Box::new(inner)),
                ty,
                span,
            },
            syn::UnOp::Deref(_) => {
                let ty = match self.types.shallow(&inner.ty) {
                    Ty::Ref(_, t) => *t,
                    other => other,
                };
                Expr {
                    kind: Kind::Deref(Box::new(inner)),
                    ty,
                    span,
                }
            }
            _ => self.refuse(span, &error::UNKNOWN_EXPRESSION),
        }
    }

    fn binary(&mut self, b: &syn::ExprBinary) -> Expr {
        let span = b.extent();
        if let Some(op) = assign_op(&b.op) {
            return self.assign_op(op, &b.left, &b.right, span);
        }
        let left = self.expr(&b.left);
        let right = self.expr(&b.right);
        if let Some(op) = cmp_op(&b.op) {
            // constants of foreign types are compared as they are
            let foreign = |r: &Self, e: &Expr| matches!(r.types.peel(&e.ty), Ty::Opaque(_));
            if foreign(self, &left) || foreign(self, &right) {
                let whole = self.passive(&syn::Expr::Binary(b.clone()), false);
                return Expr {
                    ty: Ty::Bool,
                    ..whole
                };
            }
            self.unify_scalars(&left, &right);
            return Expr {
                kind: Kind::Cmp(op, Box::new(left), Box::new(right)),
                ty: Ty::Bool,
                span,
            };
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
                Expr {
                    kind,
                    ty: Ty::Bool,
                    span,
                }
            }
            _ => match bin_op(&b.op) {
                Some(op) => {
                    let ty = self.bin_type(op, &left, &right);
                    Expr {
                        kind: Kind::Bin(op, Box::new(left), Box::new(right)),
                        ty,
                        span,
                    }
                }
                None => self.refuse(span, &error::UNKNOWN_EXPRESSION),
            },
        }
    }

    /// Type of `left op right`: one scalar class on both sides, but for shifts.
    fn bin_type(&mut self, op: BinOp, left: &Expr, right: &Expr) -> Ty {
        match op {
            BinOp::Shl | BinOp::Shr => {}
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor => self.unify_scalars(left, right),
        }
        self.types.peel(&left.ty)
    }

    fn unify_scalars(&mut self, left: &Expr, right: &Expr) {
        let (a, b) = (self.types.peel(&left.ty), self.types.peel(&right.ty));
        for (ty, e) in [(&a, left), (&b, right)] {
            match ty {
                Ty::Struct(path) | Ty::Opaque(path) if !matches!(e.kind, Kind::Refused) => {
                    self.cx
                        .error_about(e.span, &error::OPERATOR_ON_STRUCT, &path.0);
                    return;
                }
                Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) => {
                    self.cx.error(e.span, &error::OPERATOR_ON_ARRAY);
                    return;
                }
                _ => {}
            }
        }
        self.unify(&a, &b, right.span);
    }

    fn cast(&mut self, c: &syn::ExprCast) -> Expr {
        let span = c.extent();
        let inner = self.expr(&c.expr);
        match self.annotation(&c.ty) {
            Some(ty @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Var(_))) => Expr {
                kind: Kind::Cast(Box::new(inner)),
                ty,
                span,
            },
            Some(_) => self.refuse(c.ty.extent(), &error::CAST),
            None => self.refused(span),
        }
    }

    fn index(&mut self, i: &syn::ExprIndex) -> Expr {
        let span = i.extent();
        let base = self.expr(&i.expr);
        let Some(elem) = self.element_of(&base) else {
            return self.refused(span);
        };
        if let syn::Expr::Range(range) = strip(&i.index) {
            let mut end = |e: &Option<Box<syn::Expr>>| {
                e.as_ref().map(|e| {
                    let e = self.expr(e);
                    self.unify(&e.ty.clone(), &Ty::usize(), e.span);
                    Box::new(e)
                })
            };
            let (lo, hi) = (end(&range.start), end(&range.end));
            let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
            let kind = Kind::Range {
                base: Box::new(base),
                lo,
                hi,
                inclusive,
            };
            return Expr {
                kind,
                ty: Ty::Slice(Box::new(elem)),
                span,
            };
        }
        let index = self.expr(&i.index);
        self.unify(&index.ty.clone(), &Ty::usize(), index.span);
        Expr {
            kind: Kind::Index(Box::new(base), Box::new(index)),
            ty: elem,
            span,
        }
    }

    /// Element type of an array, slice or vector, also behind references. Notes an error if it is
    /// not known to be one.
    pub(super) fn element_of(&mut self, base: &Expr) -> Option<Ty> {
        match self.types.peel(&base.ty) {
            Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => Some(*t),
            var @ Ty::Var(_) => {
                let traits = self.types.traits(&var).unwrap_or_default();
                if (traits.field || traits.foreign) && !traits.integer {
                    let elem = self.types.fresh_with(Traits {
                        foreign: traits.foreign,
                        ..Traits::default()
                    });
                    self.unify(&var, &Ty::Slice(Box::new(elem.clone())), base.span);
                    Some(elem)
                } else {
                    if !self.is_tainted(&var) {
                        self.cx.error(base.span, &error::UNKNOWN_SEQUENCE);
                    }
                    None
                }
            }
            Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Tuple(_) | Ty::Ref(..) => {
                self.cx.mismatch();
                None
            }
            Ty::Struct(path) | Ty::Opaque(path) => {
                self.cx
                    .error_about(base.span, &error::OPERATOR_ON_STRUCT, &path.0);
                None
            }
        }
    }

    fn field(&mut self, f: &syn::ExprField) -> Expr {
        let span = f.extent();
        let base = self.expr(&f.base);
        let name = match &f.member {
            syn::Member::Unnamed(n) => {
                if let Ty::Tuple(ts) = self.types.peel(&base.ty) {
                    let n = n.index as usize;
                    return match ts.get(n) {
                        Some(t) => Expr {
                            kind: Kind::TupleField(Box::new(base), n),
                            ty: t.clone(),
                            span,
                        },
                        None => {
                            self.cx.mismatch();
                            self.refused(span)
                        }
                    };
                }
                n.index.to_string()
            }
            syn::Member::Named(ident) => unraw(ident),
        };
        match field_path(&base) {
            Some((root, mut path))
                if matches!(self.types.peel(&self.locals[root.0].ty), Ty::Struct(_)) =>
            {
                path.push(name.clone());
                let fresh = self.types.fresh_with(Traits {
                    field: true,
                    ..Traits::default()
                });
                let ty = self.fields.entry((root, path)).or_insert(fresh).clone();
                Expr {
                    kind: Kind::Field(Box::new(base), name),
                    ty,
                    span,
                }
            }
            _ if self.is_tainted(&base.ty) => self.refused(span),
            _ => match self.types.peel(&base.ty) {
                Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) => {
                    self.cx.mismatch();
                    self.refused(span)
                }
                Ty::Var(_) | Ty::Tuple(_) | Ty::Ref(..) | Ty::Struct(_) | Ty::Opaque(_) => {
                    self.refuse_about(span, &error::FIELD, name)
                }
            },
        }
    }

    /// `[a, b, ..]`, or `vec![a, b, ..]`.
    pub(super) fn list(&mut self, elems: &[&syn::Expr], vector: bool, span: Extent) -> Expr {
        let elem_ty = self.types.fresh();
        let elems: Vec<Expr> = elems.iter().map(|e| self.expr(e)).collect();
        for e in &elems {
            self.unify(&elem_ty, &e.ty, e.span);
        }
        if matches!(self.types.peel(&elem_ty), Ty::Tuple(_)) {
            return self.refuse(span, &error::LIST_OF_TUPLES);
        }
        let len = proc_macro2::Literal::usize_unsuffixed(elems.len()).to_token_stream();
        let ty = if vector {
            Ty::Vec(Box::new(elem_ty))
        } else {
            Ty::Array(Box::new(elem_ty), Tokens(len))
        };
        Expr {
            kind: Kind::List(elems),
            ty,
            span,
        }
    }

    fn assign(&mut self, a: &syn::ExprAssign) -> Expr {
        let span = a.extent();
        let value = self.expr(&a.right);
        if let syn::Expr::Infer(_) = strip(&a.left) {
            return Expr {
                kind: Kind::Block(drop_value(value)),
                ty: Ty::unit(),
                span,
            };
        }
        if let syn::Expr::Tuple(targets) = strip(&a.left) {
            return self.assign_tuple(targets, value, span);
        }
        let place = self.expr(&a.left);
        self.unify(&place.ty.clone(), &value.ty, value.span);
        self.check_assignable(&place);
        Expr {
            kind: Kind::Assign(Box::new(place), Box::new(value)),
            ty: Ty::unit(),
            span,
        }
    }

    // (a, b) = value;  =>  { let (p, q) = value; a = p; b = q; }
    fn assign_tuple(&mut self, targets: &syn::ExprTuple, value: Expr, span: Extent) -> Expr {
        self.scoped(|r| {
            let parts: Vec<(Local, Ty)> = targets
                .elems
                .iter()
                .map(|_| {
                    let ty = r.types.fresh();
                    (r.bind("part", false, ty.clone(), span), ty)
                })
                .collect();
            let whole = Ty::Tuple(parts.iter().map(|(_, ty)| ty.clone()).collect());
            r.unify(&value.ty.clone(), &whole, span);
            let pat = Pat::Tuple(parts.iter().map(|(local, _)| Pat::Bind(*local)).collect());
            let mut stmts = vec![Step::Let {
                pat,
                init: Some(value),
            }];
            for (target, (local, ty)) in targets.elems.iter().zip(parts) {
                let part = Expr {
                    kind: Kind::Local(local),
                    ty,
                    span,
                };
                match strip(target) {
                    syn::Expr::Infer(_) => {}
                    syn::Expr::Tuple(inner) => {
                        stmts.push(Step::Expr(r.assign_tuple(inner, part, span)))
                    }
                    target => {
                        let place = r.expr(target);
                        r.unify(&place.ty.clone(), &part.ty, place.span);
                        r.check_assignable(&place);
                        let kind = Kind::Assign(Box::new(place), Box::new(part));
                        stmts.push(Step::Expr(Expr {
                            kind,
                            ty: Ty::unit(),
                            span,
                        }));
                    }
                }
            }
            Expr {
                kind: Kind::Block(Block {
                    stmts,
                    value: None,
                    ty: Ty::unit(),
                }),
                ty: Ty::unit(),
                span,
            }
        })
    }

    fn assign_op(&mut self, op: BinOp, left: &syn::Expr, right: &syn::Expr, span: Extent) -> Expr {
        let value = self.expr(right);
        let place = self.expr(left);
        self.bin_type(op, &place, &value);
        self.check_assignable(&place);
        Expr {
            kind: Kind::AssignOp(op, Box::new(place), Box::new(value)),
            ty: Ty::unit(),
            span,
        }
    }

    /// What stands on the left of an assignment: variables, elements, components, `*v`.
    fn check_assignable(&mut self, place: &Expr) {
        match &place.kind {
            Kind::Local(_) | Kind::Refused => {}
            Kind::Index(base, _) | Kind::TupleField(base, _) => self.check_assignable_base(base),
            Kind::Deref(base) => self.check_assignable_base(base),
            Kind::Field(..) => self.cx.error(place.span, &error::FIELD_WRITE),
            Kind::Tuple(_) | Kind::List(_) => {
                self.cx.error(place.span, &error::DESTRUCTURING_ASSIGNMENT)
            }
            Kind::Passive(_) => self.cx.error(place.span, &error::GLOBAL_WRITE),
            _ => self.cx.error(place.span, &error::ASSIGNMENT_TARGET),
        }
    }

    fn check_assignable_base(&mut self, place: &Expr) {
        match &place.kind {
            Kind::Range { base, .. } | Kind::Ref(true, base) => self.check_assignable_base(base),
            _ => self.check_assignable(place),
        }
    }
}

/// A name as it is meant: `r#type` is `type`.
pub(super) fn unraw(ident: &syn::Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

/// Without parentheses and groups.
pub(super) fn strip(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => strip(&p.expr),
        syn::Expr::Group(g) => strip(&g.expr),
        other => other,
    }
}

/// Root and path of `p.a.b`.
fn field_path(e: &Expr) -> Option<(Local, Vec<String>)> {
    match &e.kind {
        Kind::Local(l) => Some((*l, Vec::new())),
        Kind::Deref(e) | Kind::Ref(_, e) => field_path(e),
        Kind::Field(base, name) => {
            let (root, mut path) = field_path(base)?;
            path.push(name.clone());
            Some((root, path))
        }
        _ => None,
    }
}

fn drop_value(value: Expr) -> Block {
    Block {
        stmts: vec![Step::Expr(value)],
        value: None,
        ty: Ty::unit(),
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
        syn::Expr::MethodCall(e) => &e.attrs,
        syn::Expr::Paren(e) => &e.attrs,
        syn::Expr::While(e) => &e.attrs,
        syn::Expr::Assign(e) => &e.attrs,
        syn::Expr::Return(e) => &e.attrs,
        _ => &[],
    }
}

fn bin_op(op: &syn::BinOp) -> Option<BinOp> {
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

fn assign_op(op: &syn::BinOp) -> Option<BinOp> {
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
