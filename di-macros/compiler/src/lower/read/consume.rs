//! What ends a chain: reductions, and methods that take one item out of it; comparisons of numbers.

use super::Reader;
use super::expr::{as_method, strip};
use crate::error;
use crate::ir::{CmpOp, Lit, Tokens};
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Comparison, Expr, Iter, Kind, Order, Otherwise, Pick, Reduce};
use crate::lower::ty::Ty;
use crate::lower::types::read_local;
use crate::lower::variant::Variant;
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk::{self, Node};

/// Methods that use a chain up.
pub(super) const REDUCTIONS: [&str; 9] = [
    "all", "any", "collect", "count", "fold", "for_each", "product", "sum", "unzip",
];

/// Methods that take one item out of a chain, as an `Option`.
pub(super) const PICKS: [&str; 12] = [
    "find",
    "last",
    "max",
    "max_by",
    "max_by_key",
    "min",
    "min_by",
    "min_by_key",
    "next",
    "nth",
    "position",
    "rposition",
];

impl Reader<'_> {
    /// `chain.sum::<f64>()`, `chain.fold(init, |acc, v| ..)` and their kin.
    pub(super) fn reduction(&mut self, m: &syn::ExprMethodCall) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        let Some((mut iter, item)) = self.taken_from(m) else {
            let closure = |a: &&syn::Expr| matches!(a, syn::Expr::Closure(_));
            for a in m.args.iter().filter(|a| !closure(a)) {
                self.expr(a);
            }
            return self.refused(span);
        };
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let (how, ty) = match (name.as_str(), args.as_slice()) {
            ("sum" | "product", []) => {
                let ty = self.types.peel(&item);
                if let Some(own) = self.own_reduction(m, &item) {
                    return self.expr(&own);
                }
                if let Some(written) = self.turbofish(m) {
                    self.unify(&written, &ty, span);
                }
                let how = if name == "sum" {
                    Reduce::Sum
                } else {
                    Reduce::Product
                };
                (how, ty)
            }
            ("fold", [init, f]) => {
                let init = self.expr(init);
                let ty = self.types.peel(&init.ty);
                if !self.is_of_numbers(&ty)
                    && let Some(folded) = fold_in_a_loop(m)
                {
                    return self.expr(&folded);
                }
                if matches!(ty, Ty::Slice(_) | Ty::Vec(_)) {
                    return self.refuse(init.span, &error::FOLD_SEQUENCE);
                }
                let Some(step) = self.lambda(f, &[ty.clone(), item]) else {
                    return self.refused(span);
                };
                self.unify(&step.body.ty.clone(), &ty, step.body.span);
                let init = Box::new(init);
                (Reduce::Fold { init, step }, ty)
            }
            ("count", []) => (Reduce::Count, Ty::usize()),
            ("for_each", [f]) => {
                let Some(body) = self.lambda(f, &[item]) else {
                    return self.refused(span);
                };
                self.unify(&body.body.ty.clone(), &Ty::unit(), body.body.span);
                (Reduce::ForEach(body), Ty::unit())
            }
            ("any" | "all", [f]) => {
                let Some(test) = self.test_closure(f, item) else {
                    return self.refused(span);
                };
                (Reduce::Any(name == "any", test), Ty::Bool)
            }
            ("collect", []) => {
                if let Some(own) = self.own_reduction(m, &item) {
                    return self.expr(&own);
                }
                let (rows, item) = match self.copied_rows(iter, item) {
                    Some(rows) => rows,
                    None => return self.refused(span),
                };
                let (items, item) = self.own_items(rows, item, span);
                iter = items;
                if let Some(list) = self.carried_items(m, &item) {
                    return list;
                }
                let ty = Ty::Vec(Box::new(item));
                match self.written_type(m) {
                    Some(Some(written @ (Ty::Vec(_) | Ty::Var(_)))) => {
                        let written = self.held(written, &ty);
                        self.unify(&written, &ty, span);
                    }
                    Some(_) => return self.refuse(m.method.extent(), &error::COLLECT),
                    None => {}
                }
                (Reduce::Collect, ty)
            }
            ("unzip", []) => match self.types.shallow(&item) {
                Ty::Tuple(ts) if ts.len() == 2 => {
                    let vectors = ts.into_iter().map(|t| Ty::Vec(Box::new(t))).collect();
                    (Reduce::Unzip, Ty::Tuple(vectors))
                }
                _ => {
                    self.cx.mismatch();
                    return self.refused(span);
                }
            },
            _ => {
                self.cx.mismatch();
                return self.refused(span);
            }
        };
        Expr::new(Kind::Reduce(iter, how), ty, span)
    }

    /// Whether a type is a number, or an array or a tuple of such.
    fn is_of_numbers(&self, ty: &Ty) -> bool {
        match self.types.peel(ty) {
            Ty::Float | Ty::Int(_) | Ty::Bool => true,
            Ty::Var(_) => self
                .types
                .traits(ty)
                .is_some_and(|t| t.integer || t.foreign),
            Ty::Array(of, _) => self.is_of_numbers(&of),
            Ty::Tuple(parts) => parts.iter().all(|part| self.is_of_numbers(part)),
            Ty::Sum(_)
            | Ty::Bundle(..)
            | Ty::Ref(..)
            | Ty::Slice(_)
            | Ty::Vec(_)
            | Ty::Struct(_)
            | Ty::Opaque(_) => false,
        }
    }

    /// Slices that are collected are copied: what holds them is a vector of rows.
    fn copied_rows(&mut self, iter: Iter, item: Ty) -> Option<(Iter, Ty)> {
        let is_slice = match self.types.shallow(&item) {
            Ty::Ref(false, of) => matches!(self.types.shallow(&of), Ty::Slice(_)),
            _ => false,
        };
        if !is_slice {
            return Some((iter, item));
        }
        let copy = self.lambda(&parse_quote!(|__row| __row.to_vec()), &[item])?;
        let ty = copy.body.ty.clone();
        Some((Iter::Map(Box::new(iter), copy), ty))
    }

    /// The type in `sum::<T>()`.
    fn turbofish(&mut self, m: &syn::ExprMethodCall) -> Option<Ty> {
        match m.turbofish.as_ref()?.args.first()? {
            syn::GenericArgument::Type(syn::Type::Infer(_)) => Some(self.types.fresh()),
            syn::GenericArgument::Type(t) => self.annotation(t),
            _ => None,
        }
    }

    /// The type in `collect::<T>()`: `Some(None)` if it is not understood.
    fn written_type(&mut self, m: &syn::ExprMethodCall) -> Option<Option<Ty>> {
        match m.turbofish.as_ref()?.args.first()? {
            syn::GenericArgument::Type(t) => {
                Some(read_local(t, self.float, &mut self.types).map(Ty::with_own_rows))
            }
            _ => None,
        }
    }

    /// Whether the call takes an item out of a chain.
    pub(super) fn is_pick(&self, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        (PICKS.contains(&name.as_str()) || name == "reduce") && self.is_iterator(&m.receiver)
    }

    /// `chain.max_by(..).unwrap()`, `chain.last().unwrap_or(v)`: `None` if it is no such thing.
    pub(super) fn picked(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        if !matches!(
            (name.as_str(), args.len()),
            ("unwrap", 0) | ("expect" | "unwrap_or", 1)
        ) {
            return None;
        }
        let inner = as_method(&m.receiver)?;
        if inner.method == "partial_cmp" {
            return Some(self.partial_cmp(inner, m));
        }
        let (pick, copied) = match strip(&inner.receiver) {
            syn::Expr::MethodCall(below)
                if matches!(inner.method.to_string().as_str(), "copied" | "cloned")
                    && (self.is_pick(below) || self.is_chain_method(below)) =>
            {
                (below, true)
            }
            _ if self.is_pick(inner) || self.is_chain_method(inner) => (inner, false),
            _ => return None,
        };
        let span = m.extent();
        let found = if self.is_chain_method(pick) {
            let next = self.next_item(pick);
            next.map(|(steps, rest, item)| (steps, rest, Pick::Nth(None), item))
        } else {
            let found = self.pick(pick);
            found.map(|(iter, pick, item)| (Vec::new(), iter, pick, item))
        };
        let Some((steps, iter, pick, mut ty)) = found else {
            return Some(self.refused(span));
        };
        if copied && let Ty::Ref(_, t) = self.types.shallow(&ty) {
            ty = *t;
        }
        let otherwise = if name == "unwrap_or" {
            let value = self.expr(args[0]);
            self.unify(&value.ty.clone(), &ty, value.span);
            Otherwise::Value(Box::new(value))
        } else {
            Otherwise::Panic
        };
        let value = Expr::new(Kind::Pick(iter, Box::new(pick), otherwise), ty, span);
        Some(Expr::after(steps, value))
    }

    /// `chain.last()`: an item, or none.
    pub(super) fn picked_option(&mut self, m: &syn::ExprMethodCall) -> Expr {
        let span = m.extent();
        let Some((iter, pick, ty)) = self.pick(m) else {
            return self.refused(span);
        };
        Expr::new(
            Kind::Pick(iter, Box::new(pick), Otherwise::Option),
            Ty::Sum(vec![ty]),
            span,
        )
    }

    /// A method that takes an item out of a chain, and the type of the item.
    fn pick(&mut self, m: &syn::ExprMethodCall) -> Option<(crate::lower::hir::Iter, Pick, Ty)> {
        let (iter, item) = self.taken_from(m)?;
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let shared = Ty::reference(false, item.clone());
        let greatest = name.starts_with("max");
        let best = |by| Pick::Best { greatest, by };
        let (pick, ty) = match (name.as_str(), args.as_slice()) {
            ("next", []) => (Pick::Nth(None), item),
            ("nth", [k]) => {
                let k = self.expr(k);
                self.unify(&k.ty.clone(), &Ty::usize(), k.span);
                (Pick::Nth(Some(Box::new(k))), item)
            }
            ("last", []) => (Pick::Last, item),
            ("find", [f]) => (Pick::Find(self.test_closure(f, shared)?), item),
            ("position", [f]) => (Pick::Position(self.test_closure(f, item)?), Ty::usize()),
            ("rposition", [f]) => {
                let test = self.test_closure(f, item)?;
                (Pick::LastPosition(test), Ty::usize())
            }
            ("max" | "min", []) => {
                if matches!(self.types.peel(&item), Ty::Tuple(_)) {
                    self.cx.error(m.method.extent(), &error::ORDERING);
                    return None;
                }
                if self.has_own_order(&item) {
                    let order = match self.types.shallow(&item) {
                        // code that is carried along has the value itself
                        Ty::Opaque(_) => parse_quote!(|__a, __b| __a.cmp(&__b)),
                        _ => parse_quote!(|__a, __b| __a.cmp(__b)),
                    };
                    let mut order = self.lambda(&order, &[shared.clone(), shared])?;
                    self.number_of_ordering(&mut order.body);
                    return Some((iter, best(Order::By(order)), item));
                }
                (best(Order::Natural), item)
            }
            ("max_by" | "min_by", [f]) => {
                let mut order = self.lambda(f, &[shared.clone(), shared])?;
                self.number_of_ordering(&mut order.body);
                (best(Order::By(order)), item)
            }
            ("max_by_key" | "min_by_key", [f]) => {
                let key = self.lambda(f, std::slice::from_ref(&shared))?;
                if matches!(self.types.peel(&key.body.ty), Ty::Tuple(_) | Ty::Array(..)) {
                    self.cx.error(key.body.span, &error::ORDERING);
                    return None;
                }
                if self.has_own_order(&key.body.ty.clone()) {
                    let Some(order) = super::sort::by_key_of_one(f) else {
                        self.cx.error(f.extent(), &error::ORDERING);
                        return None;
                    };
                    let mut order = self.lambda(&order, &[shared.clone(), shared])?;
                    self.number_of_ordering(&mut order.body);
                    return Some((iter, best(Order::By(order)), item));
                }
                (best(Order::Key(key)), item)
            }
            ("reduce", [f]) => {
                let step = self.lambda(f, &[item.clone(), item.clone()])?;
                self.unify(&step.body.ty.clone(), &item, step.body.span);
                (Pick::Reduce(step), item)
            }
            _ => {
                self.cx.mismatch();
                return None;
            }
        };
        Some((iter, pick, ty))
    }

    /// Whether values of a type are compared by their own `cmp`: they are numbers, but not in that order.
    pub(super) fn has_own_order(&self, ty: &Ty) -> bool {
        let is_foreign = matches!(
            self.types.peel(ty),
            Ty::Opaque(_) | Ty::Struct(_) | Ty::Sum(_) | Ty::Tuple(_)
        );
        is_foreign || self.is_text(ty)
    }

    // ---- comparisons ----

    /// `a.total_cmp(&b)`, `a.cmp(&b)` of integers.
    pub(super) fn total_cmp(&mut self, name: &str, a: Expr, b: Expr, span: Extent) -> Expr {
        let (s, t) = (self.types.peel(&a.ty), self.types.peel(&b.ty));
        self.unify(&s, &t, span);
        if name == "total_cmp" {
            self.unify(&s, &Ty::Float, span);
        }
        Expr::new(
            Kind::Order(Comparison::Total, Box::new(a), Box::new(b)),
            ordering(),
            span,
        )
    }

    // a.partial_cmp(&b)   =>   if a <= b || a > b { Some(order) } else { None }
    pub(super) fn partial_order(&mut self, a: Expr, b: Expr, span: Extent) -> Expr {
        let (s, t) = (self.types.peel(&a.ty), self.types.peel(&b.ty));
        self.unify(&s, &t, span);
        self.keeping_value(a, |r, a| {
            r.keeping_value(b, |r, b| {
                let is = |op| {
                    Expr::new(
                        Kind::Cmp(op, Box::new(a.clone()), Box::new(b.clone())),
                        Ty::Bool,
                        span,
                    )
                };
                let is_ordered = Kind::Or(Box::new(is(CmpOp::Le)), Box::new(is(CmpOp::Gt)));
                let is_ordered = Expr::new(is_ordered, Ty::Bool, span);
                let order = Expr::new(
                    Kind::Order(Comparison::Lenient, Box::new(a), Box::new(b)),
                    ordering(),
                    span,
                );
                let some = r.variant(Variant::Some, Some(order), span);
                let none = r.variant(Variant::None, None, span);
                r.choose(is_ordered, some, none, span)
            })
        })
    }

    /// `a.partial_cmp(&b).unwrap()` and its kin.
    fn partial_cmp(&mut self, cmp: &syn::ExprMethodCall, outer: &syn::ExprMethodCall) -> Expr {
        let span = outer.extent();
        let Some(other) = cmp.args.first().filter(|_| cmp.args.len() == 1) else {
            self.cx.mismatch();
            return self.refused(span);
        };
        let (a, b) = (self.expr(&cmp.receiver), self.expr(other));
        let how = match outer.args.first() {
            Some(value) if outer.method == "unwrap_or" => {
                let equal = matches!(strip(value), syn::Expr::Path(p)
                    if p.path.segments.last().is_some_and(|s| s.ident == "Equal"));
                if !equal {
                    return self.refuse(value.extent(), &error::ORDERING);
                }
                Comparison::Lenient
            }
            Some(_) | None => Comparison::Checked,
        };
        if let Some(order) = self.order_of_structs(how, &a, &b) {
            return order;
        }
        let (s, t) = (self.types.peel(&a.ty), self.types.peel(&b.ty));
        self.unify(&s, &t, span);
        Expr::new(Kind::Order(how, Box::new(a), Box::new(b)), ordering(), span)
    }
}

impl Reader<'_> {
    /// A comparison as the number of its outcome, also where constant code makes it.
    pub(super) fn number_of_ordering(&mut self, order: &mut Expr) {
        match &mut order.kind {
            Kind::Passive(p) => p.tokens = Tokens(code::number_of_ordering(&p.tokens.0)),
            Kind::Block(Block {
                value: Some(value), ..
            }) => self.number_of_ordering(value),
            _ => {}
        }
        self.unify(&order.ty.clone(), &ordering(), order.span);
    }

    /// `order.then_with(|| other)`, `order.is_lt()` and their kin.
    pub(super) fn ordering_method(
        &mut self,
        m: &syn::ExprMethodCall,
        order: &Expr,
    ) -> Option<Expr> {
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let name = m.method.to_string();
        let op = match (name.as_str(), args.as_slice()) {
            ("then" | "then_with", [_]) => CmpOp::Ne,
            ("is_lt", []) => CmpOp::Lt,
            ("is_le", []) => CmpOp::Le,
            ("is_gt", []) => CmpOp::Gt,
            ("is_ge", []) => CmpOp::Ge,
            ("is_eq", []) => CmpOp::Eq,
            ("is_ne", []) => CmpOp::Ne,
            _ => return None,
        };
        let span = m.extent();
        let mut order = order.clone();
        self.number_of_ordering(&mut order);
        let other = match (name.as_str(), args.as_slice()) {
            ("then", [other]) => {
                let mut other = self.expr(other);
                self.number_of_ordering(&mut other);
                Some(other)
            }
            _ => None,
        };
        Some(self.keeping_value(order, |r, order| {
            let equal = Expr::new(Kind::Lit(Lit::Int(0)), ordering(), span);
            let differs = Expr::new(
                Kind::Cmp(op, Box::new(order.clone()), Box::new(equal)),
                Ty::Bool,
                span,
            );
            match (other, args.as_slice()) {
                (Some(other), _) => {
                    r.keeping_value(other, |r, other| r.choose(differs, order, other, span))
                }
                (None, [f]) => {
                    let mut other = r.inline(f, Vec::new(), span);
                    r.number_of_ordering(&mut other);
                    r.choose(differs, order, other, span)
                }
                (None, _) => differs,
            }
        }))
    }
}

// chain.fold(init, |acc, v| e)   =>   { let mut __fold = init; for v in chain { __fold = { let acc = __fold; e }; } __fold }
/// What is no number is the state of a loop. None if the closure returns early.
fn fold_in_a_loop(m: &syn::ExprMethodCall) -> Option<syn::Expr> {
    let (chain, init, f) = (&m.receiver, m.args.first()?, m.args.get(1)?);
    let (item, step): (syn::Pat, syn::Expr) = match strip(f) {
        syn::Expr::Closure(c) => {
            let (acc, item, body) = (c.inputs.first()?, c.inputs.get(1)?, &c.body);
            if has_return(body) {
                return None;
            }
            let step = parse_quote!({ let #acc = __fold; #body });
            (item.clone(), step)
        }
        path @ syn::Expr::Path(_) => (parse_quote!(__item), parse_quote!(#path(__fold, __item))),
        _ => return None,
    };
    Some(parse_quote!({
        let mut __fold = #init;
        for #item in #chain {
            __fold = #step;
        }
        __fold
    }))
}

fn has_return(e: &syn::Expr) -> bool {
    walk::any(Node::Expr(e), &mut |node| {
        matches!(node, Node::Expr(syn::Expr::Return(_)))
    })
}

/// `Ordering` is -1, 0 or 1.
pub(super) fn ordering() -> Ty {
    Ty::Int("i8".to_owned())
}
