//! Iterators with a name: `let terms = x.iter().map(|v| v * v);`. They are read where they are bound, and the loops
//! are made where they are used. One that is `mut` has a position, from which its next use goes on.

use super::expr::{strip, unraw};
use super::iter::{ADAPTERS, PARTS, is_chain, iter_function, places};
use super::{Item, Reader};
use crate::ir::BinOp;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{
    Closure, ClosureId, Expr, Iter, Kind, Lambda, Local, Otherwise, Pat, Pick, Reduce, Step,
};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

/// An iterator that a name stands for.
#[derive(Clone)]
pub(super) struct Chain {
    id: ClosureId,
    /// Type of its items; unknown after an error.
    item: Option<Ty>,
    /// How many items were taken, of one that is `mut`.
    taken: Option<Local>,
}

impl Reader<'_> {
    /// The iterator that an expression names.
    pub(super) fn chain_of(&self, e: &syn::Expr) -> Option<Chain> {
        match strip(e) {
            syn::Expr::Path(p) => self.chain_at(&p.path).cloned(),
            _ => None,
        }
    }

    pub(super) fn names_chain(&self, path: &syn::Path) -> bool {
        self.chain_at(path).is_some()
    }

    fn chain_at(&self, path: &syn::Path) -> Option<&Chain> {
        match self.item(&unraw(path.get_ident()?))? {
            Item::Chain(chain) => Some(chain),
            Item::Closure(_) | Item::Maker(_) | Item::Const(..) | Item::Use(..) => None,
        }
    }

    /// Whether the expression is an iterator by its looks, or by its name.
    pub(super) fn is_iterator(&self, e: &syn::Expr) -> bool {
        match ended_by(e) {
            Some(last) => self.is_iterator(last),
            None => is_chain(e) || self.chain_of(e).is_some(),
        }
    }

    /// `it`, `it.clone()`, `it.by_ref()`, `&mut it`: `None` of anything else.
    pub(super) fn named_iterator(&mut self, e: &syn::Expr) -> Option<Option<(Iter, Ty)>> {
        let (of, borrows, again) = match strip(e) {
            syn::Expr::Reference(r) => (&*r.expr, r.mutability.is_some(), true),
            syn::Expr::MethodCall(m) if m.method == "clone" => (&*m.receiver, false, true),
            syn::Expr::MethodCall(m) if m.method == "by_ref" => (&*m.receiver, true, true),
            other => (other, false, false),
        };
        let chain = self.chain_of(of)?;
        Some(match borrows {
            true => self.borrowed_chain(&chain, e.extent()),
            false => self.rest_of(&chain, again, e.extent()),
        })
    }

    /// Whether an expression makes an iterator, so that it is no value.
    pub(super) fn makes_chain(&mut self, e: &syn::Expr) -> bool {
        if let Some(last) = ended_by(e) {
            return self.makes_chain(last);
        }
        if self.returns_iterator(e) {
            return true;
        }
        match strip(e) {
            syn::Expr::MethodCall(m) => {
                let name = m.method.to_string();
                match (name.as_str(), m.args.len()) {
                    ("iter" | "iter_mut" | "into_iter", 0) => {
                        !self.is_struct_place(&m.receiver) && !self.is_known_method(&m.receiver)
                    }
                    ("clone" | "by_ref", 0) => self.chain_of(&m.receiver).is_some(),
                    (name, 1) if PARTS.iter().any(|p| p.0 == name) => {
                        !self.is_struct_place(&m.receiver)
                    }
                    (name, _) if ADAPTERS.contains(&name) => match strip(&m.receiver) {
                        syn::Expr::Range(_) => true,
                        receiver if self.has_own_method(receiver, name) => false,
                        receiver => {
                            self.makes_chain(receiver)
                                || self.own_iterator(receiver).is_some()
                                || self.has_active_part(e) && self.gives_items(receiver)
                        }
                    },
                    _ => false,
                }
            }
            syn::Expr::Call(c) => iter_function(c).is_some(),
            syn::Expr::Array(a) => places(a).is_some(),
            other => self.chain_of(other).is_some(),
        }
    }

    /// Whether a place is a struct that has a method of this name.
    fn has_own_method(&mut self, place: &syn::Expr, name: &str) -> bool {
        match self.place_type(place) {
            Some(Ty::Struct(path)) => {
                self.env.method(&path.0.to_string(), name).is_some()
                    || self.env.methods.get(&path, name, self.env).is_some()
                    || self.higher_of(&path, name).is_some()
            }
            _ => false,
        }
    }

    /// Whether the statement names an iterator.
    pub(super) fn is_chain_let(&mut self, local: &syn::Local) -> bool {
        let named =
            matches!(&local.pat, syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none());
        let init = local.init.as_ref().filter(|i| named && i.diverge.is_none());
        init.is_some_and(|init| self.makes_chain(&init.expr)) || self.counting(local).is_some()
    }

    // let mut r = p.range();   =>   let __r_start = p.range().start; let __r_end = ..; let mut r = __r_start..__r_end;
    /// A range that is `mut` is an iterator: its ends, and the range of these.
    fn counting(&self, local: &syn::Local) -> Option<(Vec<syn::Local>, syn::Expr)> {
        let syn::Pat::Ident(name) = &local.pat else {
            return None;
        };
        let init = (local.init.as_ref()).filter(|_| name.mutability.is_some())?;
        let mut range = match strip(&init.expr) {
            syn::Expr::Range(range) => range.clone(),
            e => self.constant_range(e)?,
        };
        range.start.as_ref()?;
        let mut ends = Vec::new();
        let (start, end) = (&mut range.start, &mut range.end);
        for (side, end) in [("start", start), ("end", end)] {
            if let Some(e) = end {
                let side = syn::Ident::new(&format!("__{}_{side}", name.ident), name.ident.span());
                let syn::Stmt::Local(bound) = parse_quote!(let #side = #e;) else {
                    unreachable!("written above")
                };
                ends.push(bound);
                **e = parse_quote!(#side);
            }
        }
        Some((ends, syn::Expr::Range(range)))
    }

    /// `let name = x.iter().map(..);`
    pub(super) fn let_chain(&mut self, local: &syn::Local) -> Vec<Step> {
        self.no_attributes(&local.attrs);
        let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
            unreachable!("is_chain_let: there are both")
        };
        let (span, mut steps) = (init.expr.extent(), Vec::new());
        let counting = self.counting(local).map(|(ends, range)| {
            steps.extend(ends.iter().flat_map(|end| self.let_stmt(end)));
            range
        });
        let outside = self.locals.len();
        let (iter, item) = self
            .iterator(counting.as_ref().unwrap_or(&init.expr), false)
            .unzip();
        let ty = Ty::usize();
        let kind = match iter {
            Some(iter) => Kind::Reduce(iter, Reduce::Count),
            None => Kind::Refused,
        };
        let body = Box::new(Expr { kind, ty, span });
        let id = ClosureId(self.closures.len());
        if item.is_some() {
            steps.push(Step::Chain(id));
        }
        self.closures.push(Closure {
            lambda: Lambda::new(Vec::new(), body, outside),
            params: Vec::new(),
        });
        let taken = name.mutability.map(|_| self.position(span, &mut steps));
        let chain = Item::Chain(Chain { id, item, taken });
        let name = unraw(&name.ident);
        let scope = self.scopes.last_mut().expect("a function has a scope");
        scope.locals.remove(&name);
        scope.items.insert(name, chain);
        steps
    }

    /// A variable that counts what is taken.
    fn position(&mut self, span: Extent, steps: &mut Vec<Step>) -> Local {
        let local = self.unnamed("taken", Ty::usize(), span);
        self.locals[local.0].mutable = true;
        steps.push(Step::bind(local, Expr::number(0, span)));
        local
    }

    /// What is left of the iterator.
    fn rest_of(&self, chain: &Chain, again: bool, span: Extent) -> Option<(Iter, Ty)> {
        let (id, again) = (chain.id, again || chain.taken.is_some());
        let name = Expr::new(Kind::Chain { id, again }, Ty::unit(), span);
        let whole = Iter::Named(Box::new(name));
        let iter = match chain.taken {
            Some(taken) => Iter::Skip(
                Box::new(whole),
                Box::new(Expr::local(taken, Ty::usize(), span)),
            ),
            None => whole,
        };
        Some((iter, chain.item.clone()?))
    }

    /// `it.by_ref()`: what is left, and each item that is taken counts.
    fn borrowed_chain(&self, chain: &Chain, span: Extent) -> Option<(Iter, Ty)> {
        let (iter, item) = self.rest_of(chain, true, span)?;
        let Some(taken) = chain.taken else {
            // rustc wants `mut`
            self.cx.mismatch();
            return None;
        };
        let count = Lambda::new(
            vec![Pat::Wild],
            Box::new(one_more(taken, Expr::number(1, span), span)),
            self.locals.len(),
        );
        Some((Iter::Inspect(Box::new(iter), count), item))
    }

    /// The iterator that a method takes its items from: those that end early leave the rest.
    pub(super) fn taken_from(&mut self, m: &syn::ExprMethodCall) -> Option<(Iter, Ty)> {
        let leaves = matches!(
            m.method.to_string().as_str(),
            "all" | "any" | "find" | "position" | "rposition"
        );
        match self.chain_of(&m.receiver) {
            Some(chain) if leaves => self.borrowed_chain(&chain, m.receiver.extent()),
            _ => self.iterator(&m.receiver, false),
        }
    }

    /// Whether an iterator with a name hands out its next item.
    pub(super) fn is_chain_method(&self, m: &syn::ExprMethodCall) -> bool {
        (m.method == "next" || m.method == "nth") && self.chain_of(&m.receiver).is_some()
    }

    /// `it.next()`, `it.nth(k)`, `it.len()`: `None` of anything else.
    pub(super) fn chain_method(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let chain = self.chain_of(&m.receiver)?;
        let span = m.extent();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        match (m.method.to_string().as_str(), args.as_slice()) {
            ("len", []) => {
                let Some((iter, _)) = self.rest_of(&chain, true, span) else {
                    return Some(self.refused(span));
                };
                Some(Expr::new(
                    Kind::Reduce(iter, Reduce::Count),
                    Ty::usize(),
                    span,
                ))
            }
            ("peek", []) => {
                let Some((iter, item)) = self.rest_of(&chain, true, span) else {
                    return Some(self.refused(span));
                };
                let next = Box::new(Pick::Nth(None));
                Some(Expr::new(
                    Kind::Pick(iter, next, Otherwise::Option),
                    Ty::Sum(vec![Ty::reference(false, item)]),
                    span,
                ))
            }
            ("next_if", [test]) => {
                let it = &m.receiver;
                let next =
                    parse_quote!(if #it.peek().is_some_and(#test) { #it.next() } else { None });
                Some(self.expr(&next))
            }
            ("next_if_eq", [to]) => {
                let it = &m.receiver;
                let next = parse_quote!(if #it.peek() == Some(#to) { #it.next() } else { None });
                Some(self.expr(&next))
            }
            ("next", []) | ("nth", [_]) => Some(match self.next_item(m) {
                Some((steps, rest, item)) => {
                    let next = Box::new(Pick::Nth(None));
                    let value = Expr::new(
                        Kind::Pick(rest, next, Otherwise::Option),
                        Ty::Sum(vec![item]),
                        span,
                    );
                    Expr::after(steps, value)
                }
                None => self.refused(span),
            }),
            _ => None,
        }
    }

    /// `it.next()`, `it.nth(k)`: what counts the items that are taken, and the rest that begins with the item.
    pub(super) fn next_item(&mut self, m: &syn::ExprMethodCall) -> Option<(Vec<Step>, Iter, Ty)> {
        let chain = self.chain_of(&m.receiver)?;
        let span = m.extent();
        let skipped = m.args.first().map(|k| {
            let k = self.expr(k);
            self.unify(&k.ty.clone(), &Ty::usize(), k.span);
            k
        });
        let Some((Iter::Skip(whole, _), item)) = self.rest_of(&chain, true, span) else {
            if chain.item.is_some() {
                // rustc wants `mut`
                self.cx.mismatch();
            }
            return None;
        };
        let taken = chain.taken?;
        // { taken += k + 1; whole.skip(taken - 1).next() }
        let mut steps = Vec::new();
        if let Some(k) = skipped {
            steps.push(Step::Expr(one_more(taken, k, span)));
        }
        steps.push(Step::Expr(one_more(taken, Expr::number(1, span), span)));
        let sides = (
            Box::new(Expr::local(taken, Ty::usize(), span)),
            Box::new(Expr::number(1, span)),
        );
        let before = Expr::new(Kind::Bin(BinOp::Sub, sides.0, sides.1), Ty::usize(), span);
        Some((steps, Iter::Skip(whole, Box::new(before)), item))
    }

    // while let Some(p) = it.next() { body }   =>   for p in it.by_ref() { body }
    /// A loop that takes one item each trip, and none in its body.
    pub(super) fn while_next(&self, w: &syn::ExprWhile) -> Option<syn::ExprForLoop> {
        let syn::Expr::Let(cond) = strip(&w.cond) else {
            return None;
        };
        let (syn::Pat::TupleStruct(some), syn::Expr::MethodCall(m)) =
            (&*cond.pat, strip(&cond.expr))
        else {
            return None;
        };
        let (iter, body) = (&m.receiver, &w.body);
        let is_next = some.path.is_ident("Some") && m.method == "next";
        let pat = some.elems.first().filter(|p| is_next && always_fits(p))?;
        self.chain_of(iter)?.taken?;
        let name = iter.to_token_stream().to_string();
        let again = walk::read(Node::Block(body), &mut |node| match node {
            Node::ExprPath(p) if p.to_token_stream().to_string() == name => Onward::Found,
            // what is in a macro is not looked into
            Node::Expr(syn::Expr::Macro(_)) => Onward::Found,
            _ => Onward::Into,
        });
        let label = &w.label;
        (!again).then(|| parse_quote!(#label for #pat in #iter.by_ref() #body))
    }
}

/// What a block ends with.
pub(super) fn ended_by(e: &syn::Expr) -> Option<&syn::Expr> {
    match strip(e) {
        syn::Expr::Block(b) if b.label.is_none() => match b.block.stmts.last()? {
            syn::Stmt::Expr(last, None) => Some(last),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a pattern fits whatever comes.
fn always_fits(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Ident(p) => {
            p.subpat.is_none() && !unraw(&p.ident).starts_with(char::is_uppercase)
        }
        syn::Pat::Wild(_) => true,
        syn::Pat::Paren(p) => always_fits(&p.pat),
        syn::Pat::Reference(p) => always_fits(&p.pat),
        syn::Pat::Type(p) => always_fits(&p.pat),
        syn::Pat::Tuple(p) => p.elems.iter().all(always_fits),
        _ => false,
    }
}

/// `taken += n`
fn one_more(taken: Local, n: Expr, span: Extent) -> Expr {
    let (place, n) = (Box::new(Expr::local(taken, Ty::usize(), span)), Box::new(n));
    Expr::new(Kind::AssignOp(BinOp::Add, place, n), Ty::unit(), span)
}
