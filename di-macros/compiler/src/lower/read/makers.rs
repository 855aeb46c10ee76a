//! Closures that make closures, `let call = |k: f64| move |s: f64| ..`, and closures that a tuple binds. The former are
//! read where they are called, with the names of the place where they stand.

use super::chain::ended_by;
use super::closure::{Mark, function};
use super::constant::identifiers;
use super::expr::{strip, unraw};
use super::{ClosureScope, Item, Reader, Scope};
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{ClosureId, Expr, Kind, Local, Step};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::walk::{each, each_of_lambda, each_of_step};
use crate::sorted::Set;
use crate::template::parse_quote;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;

/// A closure that ends with another one.
pub(super) struct Maker {
    closure: syn::ExprClosure,
    /// How many calls lead to a value.
    calls: usize,
    /// The names around it.
    scopes: Vec<Scope>,
    /// What comes later is not known to it.
    mark: Mark,
}

impl Reader<'_> {
    /// How many calls of an expression lead to a value: 0 if it is no function.
    pub(super) fn calls_of(&mut self, e: &syn::Expr) -> usize {
        match function(e) {
            syn::Expr::Closure(c) => 1 + closures_at_end(&c.body),
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|i| self.item(&unraw(i))) {
                Some(Item::Closure(_)) => 1,
                Some(Item::Maker(maker)) => maker.calls,
                Some(Item::Const(..) | Item::Use(..) | Item::Chain(_)) | None => 0,
            },
            syn::Expr::Call(c) => self.calls_of(&c.func).saturating_sub(1),
            syn::Expr::MethodCall(m) => {
                let body = self.function_in_place(m);
                body.map_or(0, |body| closures_at_end(&body).max(1))
            }
            // one of several, as all are
            syn::Expr::If(i) => match i.then_branch.stmts.last() {
                Some(syn::Stmt::Expr(last, None)) => usize::from(self.is_function(last)),
                _ => 0,
            },
            syn::Expr::Match(m) => {
                let mut arms = m.arms.iter();
                usize::from(arms.any(|arm| self.is_function(&arm.body)))
            }
            other => ended_by(other).map_or(0, |last| self.calls_of(last)),
        }
    }

    /// Whether an expression is a function, also by its path.
    fn is_function(&mut self, e: &syn::Expr) -> bool {
        let is_path =
            matches!(function(e), syn::Expr::Path(p) if self.closure_of_path(p).is_some());
        is_path || self.calls_of(e) > 0
    }

    /// A closure that is called by its name later.
    pub(super) fn defined(&mut self, c: &syn::ExprClosure, params: Option<&[Ty]>) -> Item {
        match closures_at_end(&c.body) {
            0 => Item::Closure(self.define(c, params)),
            inner => Item::Maker(Rc::new(Maker {
                closure: c.clone(),
                calls: 1 + inner,
                scopes: self.scopes.clone(),
                mark: self.mark(),
            })),
        }
    }

    /// What a call of a closure makes, and what is done before.
    pub(super) fn made_by(
        &mut self,
        c: &syn::ExprCall,
        params: Option<&[Ty]>,
        steps: &mut Vec<Step>,
    ) -> Option<Item> {
        let Item::Maker(maker) = self.made(&c.func, None, steps)? else {
            return None;
        };
        let inputs = &maker.closure.inputs;
        if inputs.len() != c.args.len() {
            self.cx.mismatch();
            return None;
        }
        let names = self.hidden(inputs.len());
        // what is given belongs to the place of the call, and the rest to that of the closure
        let (given, own) = self.scoped(|r| {
            let block = block_of_lets(names.iter().zip(&c.args));
            let given = r.block_in_scope(&block).stmts;
            (given, r.scopes.last().cloned())
        });
        steps.extend(given);
        let (before, closures) = (steps.len(), self.mark().closures);
        let around = std::mem::replace(&mut self.scopes, maker.scopes.clone());
        self.scopes.extend(own);
        let scope = ClosureScope::default();
        let (made, (), _) = self.in_closure(scope, |r| {
            let params_of = block_of_lets(inputs.iter().zip(&names));
            steps.extend(r.block_in_scope(&params_of).stmts);
            (r.made(&maker.closure.body, params, steps), ())
        });
        let inner = std::mem::replace(&mut self.scopes, around);
        // lengths of functions whose bodies were put in place
        let lengths = inner.into_iter().next().map(|first| first.items);
        for (name, item) in lengths.into_iter().flatten() {
            if self.scopes[0].items.get(&name).is_none() {
                self.scopes[0].items.insert(name, item);
            }
        }
        let mut changes = false;
        let mut look = |e: &Expr| changes |= self.has_changing(e, maker.mark);
        steps[before..]
            .iter()
            .for_each(|s| each_of_step(s, &mut look));
        for closure in &self.closures[closures..] {
            each_of_lambda(&closure.lambda, &mut look);
        }
        // it has copies of what it takes along, and was read here
        if changes && maker.closure.capture.is_some() {
            self.cx.error(maker.closure.extent(), &error::CLOSURE_MOVE);
        }
        made
    }

    /// Whether something is read that is known here and may change.
    fn has_changing(&self, e: &Expr, mark: Mark) -> bool {
        let changes = |l: &Local| l.0 < mark.locals && self.may_change_by_variable(*l);
        let mut found = match &e.kind {
            Kind::Local(local) => changes(local),
            Kind::Passive(p) => p.locals.iter().any(|(_, local)| changes(local)),
            Kind::CallClosure(id, _) => id.0 < mark.closures && self.may_change_by_closure(*id),
            _ => false,
        };
        each(e, &mut |inner| found |= self.has_changing(inner, mark));
        found
    }

    /// Whether what a closure reads around it may change.
    pub(super) fn may_change_by_closure(&self, id: ClosureId) -> bool {
        let lambda = &self.closures[id.0].lambda;
        let mut own = lambda.captures.iter().map(|(_, own)| *own);
        let mark = Mark {
            locals: lambda.outside,
            closures: id.0,
        };
        own.any(|own| self.may_change_by_variable(own)) || self.has_changing(&lambda.body, mark)
    }

    /// Names that no user writes.
    fn hidden(&mut self, count: usize) -> Vec<syn::Expr> {
        let number = self.labels;
        self.labels += 1;
        let names = (0..count).map(|k| format!("__made{number}_{k}"));
        let idents = names.map(|name| syn::Ident::new(&name, Span::call_site()));
        idents.map(|name| parse_quote!(#name)).collect()
    }

    /// `let (lo, hi) = (call(a), |s| ..);`, `let (mut a, n) = (x.iter(), 0);` and `let (p, q) = (prior(0), prior(1));`
    /// of constants as a `let` for each. `None` of anything else.
    pub(super) fn each_of_tuple(&mut self, local: &syn::Local) -> Option<syn::Block> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let mut pairs = Vec::new();
        let typed = typed_parts(&local.pat);
        pairs_of(typed.as_ref().unwrap_or(&local.pat), &init.expr, &mut pairs);
        let is_tuple = matches!(strip(&init.expr), syn::Expr::Tuple(_));
        let makes = |(pat, e): &(&syn::Pat, &syn::Expr)| match pat {
            syn::Pat::Ident(_) => {
                self.calls_of(e) > 0 || self.makes_constant(e, None) || self.makes_chain(e)
            }
            syn::Pat::Type(p) => self.makes_constant(e, Some(&p.ty)),
            _ => false,
        };
        if !is_tuple || !pairs.iter().any(makes) {
            return None;
        }
        // all are made before the first has a name
        let names = self.hidden(pairs.len());
        let (pats, values): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let (mut bound, mut read) = (Set::new(), Set::new());
        pats.iter()
            .for_each(|pat| identifiers(pat.to_token_stream(), &mut bound));
        values
            .iter()
            .for_each(|e| identifiers(e.to_token_stream(), &mut read));
        if bound.is_disjoint(&read) {
            return Some(block_of_lets(pats.into_iter().zip(values)));
        }
        let mut block = block_of_lets(names.iter().zip(values));
        block
            .stmts
            .extend(block_of_lets(pats.into_iter().zip(&names)).stmts);
        Some(block)
    }

    /// Whether a call makes a constant that is no number.
    fn makes_constant(&self, e: &syn::Expr, written: Option<&syn::Type>) -> bool {
        let is_call = matches!(strip(e), syn::Expr::Call(_) | syn::Expr::MethodCall(_));
        is_call && !self.may_be_active(e) && {
            let found = written.cloned().or_else(|| self.type_as_written(e));
            let of = found.map(|ty| self.env.expanded(&ty));
            of.is_some_and(|ty| match types::read_structs(&ty) {
                Some(Ty::Struct(path)) => !self.env.is_struct(&path.0.to_string()),
                _ => false,
            })
        }
    }
}

/// `(a, b): (A, B)`   =>   `(a: A, b: B)`
fn typed_parts(pat: &syn::Pat) -> Option<syn::Pat> {
    let syn::Pat::Type(of) = pat else {
        return None;
    };
    let (syn::Pat::Tuple(pats), syn::Type::Tuple(types)) = (&*of.pat, &*of.ty) else {
        return None;
    };
    let is_whole = |pat: &syn::Pat| matches!(pat, syn::Pat::Ident(_) | syn::Pat::Wild(_));
    if pats.elems.len() != types.elems.len() || !pats.elems.iter().all(is_whole) {
        return None;
    }
    let parts = pats.elems.iter().zip(&types.elems).map(|(pat, ty)| {
        syn::Pat::Type(syn::PatType {
            attrs: Vec::new(),
            pat: Box::new(pat.clone()),
            colon_token: of.colon_token,
            ty: Box::new(ty.clone()),
        })
    });
    Some(syn::Pat::Tuple(syn::PatTuple {
        attrs: Vec::new(),
        paren_token: pats.paren_token,
        elems: parts.collect(),
    }))
}

/// How many closures an expression ends with, by its looks.
fn closures_at_end(e: &syn::Expr) -> usize {
    match function(e) {
        syn::Expr::Closure(c) => 1 + closures_at_end(&c.body),
        other => ended_by(other).map_or(0, closures_at_end),
    }
}

/// The parts of a tuple with the patterns that they are bound by.
fn pairs_of<'a>(
    pat: &'a syn::Pat,
    e: &'a syn::Expr,
    found: &mut Vec<(&'a syn::Pat, &'a syn::Expr)>,
) {
    match (pat, strip(e)) {
        (syn::Pat::Tuple(p), syn::Expr::Tuple(t))
            if p.elems.len() == t.elems.len()
                && !p.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_))) =>
        {
            let parts = p.elems.iter().zip(&t.elems);
            parts.for_each(|(p, e)| pairs_of(p, e, found));
        }
        _ => found.push((pat, e)),
    }
}

/// A block that binds values by patterns.
fn block_of_lets<P: ToTokens, E: ToTokens>(pairs: impl Iterator<Item = (P, E)>) -> syn::Block {
    let stmts = pairs.map(|(pat, e)| parse_quote!(let #pat = #e;));
    syn::Block {
        brace_token: Default::default(),
        stmts: stmts.collect(),
    }
}
