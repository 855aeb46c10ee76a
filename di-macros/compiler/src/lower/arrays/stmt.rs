//! Blocks, variables, and values of blocks that are arrays.

use super::array::{Array, strip};
use super::kinds;
use super::parts::Matched;
use super::{Flat, Indices, Known};
use crate::error;
use crate::template::parse_quote;
use crate::walk::{self, Node};

impl Flat<'_> {
    /// The body of the function. A parameter whose name is bound again gets a name of our own first.
    pub(super) fn body(&mut self, block: &syn::Block) -> syn::Block {
        let bound = walk::bound(Node::Block(block));
        let params = self.scopes.first().cloned().unwrap_or_default();
        let mut first: Vec<syn::Stmt> = Vec::new();
        for (name, known) in params {
            let Known::Array(mut array) = known else {
                continue;
            };
            if !bound.iter().any(|own| *own == name) {
                continue;
            }
            let own = self.name(&name);
            let old = array.base.clone();
            let mutability = array
                .owned
                .then(|| syn::Token![mut](proc_macro2::Span::call_site()));
            first.push(parse_quote!(let #mutability #own = #old;));
            array.base = parse_quote!(#own);
            if array.rank() == 1 {
                array.dims = vec![parse_quote!(#own.len())];
            }
            let name = syn::Ident::new(&name, proc_macro2::Span::call_site());
            self.declare(&name, Some(*array));
        }
        let mut block = self.block_as(block, self.ret);
        first.append(&mut block.stmts);
        block.stmts = first;
        block
    }

    /// A block; its value is an array of this rank, or none.
    pub(super) fn block_as(&mut self, block: &syn::Block, rank: Option<usize>) -> syn::Block {
        self.block_with(block, |f, e| match rank {
            Some(rank) => f.value_as(e, rank),
            None => f.statement_value(e),
        })
    }

    /// A block whose value is written like this.
    pub(super) fn block_with(
        &mut self,
        block: &syn::Block,
        value: impl FnOnce(&mut Self, &syn::Expr) -> Option<syn::Expr>,
    ) -> syn::Block {
        let mut value = Some(value);
        self.scoped(|f| {
            let outer = std::mem::take(&mut f.before);
            let mut stmts = Vec::new();
            for (k, stmt) in block.stmts.iter().enumerate() {
                let last = k + 1 == block.stmts.len();
                let typed = f.pushed(stmt, &block.stmts[k + 1..]);
                let stmt = typed.as_ref().unwrap_or(stmt);
                let new = match stmt {
                    syn::Stmt::Expr(e, None) if last => {
                        let e = value.take().and_then(|value| value(f, e));
                        e.map(|e| syn::Stmt::Expr(e, None))
                    }
                    other => f.stmt(other),
                };
                stmts.append(&mut f.before);
                stmts.extend(new);
            }
            f.before = outer;
            syn::Block {
                brace_token: block.brace_token,
                stmts,
            }
        })
    }

    pub(super) fn block(&mut self, block: &syn::Block) -> syn::Block {
        self.block_as(block, None)
    }

    /// The last expression of a block, which may do something and have no value.
    fn statement_value(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        if self.effect(e) {
            return None;
        }
        Some(self.expr(e))
    }

    fn stmt(&mut self, stmt: &syn::Stmt) -> Option<syn::Stmt> {
        match stmt {
            syn::Stmt::Local(local) => self.local(local),
            syn::Stmt::Item(_) => Some(stmt.clone()),
            syn::Stmt::Expr(e, semi) => {
                if self.effect(e) {
                    return None;
                }
                Some(syn::Stmt::Expr(self.expr(e), *semi))
            }
            syn::Stmt::Macro(m) => Some(syn::Stmt::Macro(syn::StmtMacro {
                mac: self.macro_call(&m.mac),
                ..m.clone()
            })),
        }
    }

    fn local(&mut self, local: &syn::Local) -> Option<syn::Stmt> {
        let (pat, written) = match &local.pat {
            syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            other => (other, None),
        };
        let kind = written.and_then(kinds::read);
        let Some(init) = &local.init else {
            self.hide_as(pat, written);
            if let (Some(kind), syn::Pat::Ident(name)) = (&kind, pat) {
                self.refuse(local, &error::ARRAY_LATE);
                let (base, one) = (&name.ident, parse_quote!(1));
                let dims = vec![one; kind.rank];
                let array = Array::whole(parse_quote!(#base), dims, true);
                self.declare(&name.ident, Some(array));
            }
            return Some(syn::Stmt::Local(local.clone()));
        };
        if let Some(list) = self.list(local, written, &init.expr) {
            return Some(list);
        }
        let rank = self.rank_of(&init.expr);
        if let (syn::Pat::Ident(name), true) = (pat, rank.is_some() || kind.is_some()) {
            // an attribute would be lost
            if !local.attrs.is_empty()
                || init.diverge.is_some()
                || name.subpat.is_some()
                || name.by_ref.is_some()
            {
                self.refuse(pat, &error::ARRAY_PLACE);
                return None;
            }
            let array = match (rank, &kind) {
                (Some(_), _) => self.array(&init.expr),
                (None, Some(kind)) => self.given(&init.expr, kind),
                (None, None) => None,
            };
            if let (Some(array), Some(kind)) = (&array, &kind)
                && array.rank() != kind.rank
            {
                self.cx.mismatch();
            }
            let array = array.map(|a| self.taken(&init.expr, a));
            let array = array.map(|a| self.settle(a, name.mutability.is_some()));
            self.declare(&name.ident, array);
            return None;
        }
        if let (syn::Pat::Tuple(names), syn::Expr::Tuple(values)) = (pat, strip(&init.expr))
            && values.elems.iter().any(|e| self.rank_of(e).is_some())
            && names.elems.len() == values.elems.len()
            && names.elems.iter().all(|p| matches!(p, syn::Pat::Ident(_)))
            && local.attrs.is_empty()
        {
            return self.locals(names, values);
        }
        let is_given = written.is_some_and(kinds::within);
        let mut of = self.matched(&init.expr);
        if let (Matched::Constant(None), Some(ty), true) = (&of, written, is_given) {
            of = Matched::Made(ty.clone());
        }
        if rank.is_some() || is_given && matches!(of, Matched::Constant(_)) {
            self.refuse(local, &error::ARRAY_PLACE);
            return None;
        }
        let mut new = local.clone();
        if let Some(init) = &mut new.init {
            *init.expr = self.expr(&init.expr);
            if let Some((_, els)) = &mut init.diverge {
                **els = self.bounded(els);
            }
        }
        match (&of, written) {
            (Matched::Made(_), Some(ty)) => {
                let Some(flat) = self.without_arrays(ty) else {
                    self.refuse(ty, &error::ARRAY_PLACE);
                    return None;
                };
                let pat = self.take_apart(pat, &of, Some(&init.expr));
                new.pat = syn::Pat::Type(parse_quote!(#pat: #flat));
            }
            (Matched::Made(_), None) => new.pat = self.take_apart(pat, &of, Some(&init.expr)),
            (Matched::Constant(of), written) => {
                let of = written.or(of.as_ref());
                self.hide_value(pat, of, &init.expr);
                self.note_indices(pat, &init.expr);
            }
        }
        Some(syn::Stmt::Local(new))
    }

    /// Variables that get several numbers, which may be an index.
    fn note_indices(&mut self, pat: &syn::Pat, value: &syn::Expr) {
        match (pat, strip(value)) {
            (syn::Pat::Ident(name), value) => {
                if let Some(form) = Indices::of(value) {
                    self.note(&name.ident, Known::Indices(form));
                }
            }
            (syn::Pat::Tuple(pats), syn::Expr::Tuple(values))
                if pats.elems.len() == values.elems.len() =>
            {
                for (pat, value) in pats.elems.iter().zip(&values.elems) {
                    self.note_indices(pat, value);
                }
            }
            (syn::Pat::Type(t), value) => self.note_indices(&t.pat, value),
            _ => {}
        }
    }

    /// let (a, b) = (x, y);   with arrays among them
    fn locals(&mut self, names: &syn::PatTuple, values: &syn::ExprTuple) -> Option<syn::Stmt> {
        let mut found = Vec::new();
        for (pat, value) in names.elems.iter().zip(&values.elems) {
            let syn::Pat::Ident(name) = pat else { continue };
            if self.rank_of(value).is_some() {
                let array = self.array(value);
                let array = array.map(|a| self.taken(value, a));
                let array = array.map(|a| self.settle(a, name.mutability.is_some()));
                found.push((pat, array, None));
            } else {
                let of = self.type_of(value);
                let value = self.expr(value);
                self.before.push(parse_quote!(let #name = #value;));
                found.push((pat, None, of));
            }
        }
        for (pat, array, of) in found {
            match (pat, array) {
                (syn::Pat::Ident(name), Some(array)) => self.declare(&name.ident, Some(array)),
                (pat, _) => self.hide_as(pat, of.as_ref()),
            }
        }
        None
    }

    /// A variable that takes over what another one held.
    pub(super) fn taken(&mut self, value: &syn::Expr, array: Array) -> Array {
        if !array.owned || !matches!(strip(value), syn::Expr::Path(_)) {
            return array;
        }
        let (old, base) = (&array.base, self.name("a"));
        let dims: Vec<syn::Expr> = match array.dims.as_slice() {
            [_] => vec![parse_quote!(#base.len())],
            dims => dims.iter().map(|n| self.bind("n", n)).collect(),
        };
        self.before.push(parse_quote!(let mut #base = #old;));
        Array::whole(parse_quote!(#base), dims, true)
    }

    /// An array as a variable holds it: the lengths of one that can be replaced are variables.
    fn settle(&mut self, array: Array, mutable: bool) -> Array {
        if !mutable || !array.owned {
            return array;
        }
        let base = &array.base;
        let dims = match array.dims.as_slice() {
            [_] => vec![parse_quote!(#base.len())],
            dims => {
                let mut names = Vec::new();
                for n in dims {
                    let name = self.name("n");
                    self.before.push(parse_quote!(let mut #name = #n;));
                    names.push(parse_quote!(#name));
                }
                names
            }
        };
        Array::whole(array.base.clone(), dims, true)
    }

    /// What a call or a chain gives, held by a variable of this type.
    fn given(&mut self, e: &syn::Expr, kind: &kinds::Kind) -> Option<Array> {
        if kind.held != kinds::Held::Owned || kind.referred {
            return self.borrowed_elements(e, kind);
        }
        let value = self.value_as(e, kind.rank)?;
        Some(self.unpack(&value, kind.rank, &kind.element))
    }

    /// An owned array from its parts.
    pub(super) fn unpack(&mut self, value: &syn::Expr, rank: usize, element: &syn::Type) -> Array {
        let base = self.name("a");
        let ty = self.owned_type(rank, element);
        let dims = if rank == 1 {
            self.before.push(parse_quote!(let mut #base: #ty = #value;));
            vec![parse_quote!(#base.len())]
        } else {
            let (m, n) = (self.name("n"), self.name("n"));
            self.before
                .push(parse_quote!(let (mut #base, #m, #n): #ty = #value;));
            vec![parse_quote!(#m), parse_quote!(#n)]
        };
        Array::whole(parse_quote!(#base), dims, true)
    }

    /// An expression whose value is an owned array: the vector, or that and the lengths. `None` if
    /// there is no value.
    pub(super) fn value_as(&mut self, e: &syn::Expr, rank: usize) -> Option<syn::Expr> {
        match strip(e) {
            syn::Expr::If(i) if i.else_branch.is_some() => {
                let mut new = i.clone();
                let (cond, mut hidden) = self.condition(&i.cond);
                *new.cond = cond;
                self.scopes.push(std::mem::take(&mut hidden));
                new.then_branch = self.block_as(&i.then_branch, Some(rank));
                self.scopes.pop();
                if let (Some((_, els)), Some((_, old))) = (&mut new.else_branch, &i.else_branch) {
                    let outer = std::mem::take(&mut self.before);
                    let value = self.value_as(old, rank)?;
                    let before = std::mem::replace(&mut self.before, outer);
                    **els = block_of(before, value);
                }
                Some(syn::Expr::If(new))
            }
            syn::Expr::Block(b) if b.label.is_none() => {
                let block = self.block_as(&b.block, Some(rank));
                Some(parse_quote!(#block))
            }
            syn::Expr::Match(m) => {
                let mut new = m.clone();
                let of = self.matched(&m.expr);
                *new.expr = self.expr(&m.expr);
                for arm in &mut new.arms {
                    *arm = self.scoped(|f| {
                        let mut arm = arm.clone();
                        arm.pat = f.take_apart(&arm.pat, &of, Some(&m.expr));
                        if let Some((_, guard)) = &mut arm.guard {
                            **guard = f.bounded(guard);
                        }
                        let outer = std::mem::take(&mut f.before);
                        let value = f.value_as(&arm.body, rank);
                        let before = std::mem::replace(&mut f.before, outer);
                        if let Some(value) = value {
                            *arm.body = block_of(before, value);
                        }
                        arm
                    });
                }
                Some(syn::Expr::Match(new))
            }
            inner @ (syn::Expr::Call(_) | syn::Expr::MethodCall(_) | syn::Expr::Try(_))
                if (self.made_kind(inner))
                    .is_some_and(|kind| kind.rank == rank && !kind.referred) =>
            {
                Some(self.made(inner))
            }
            inner if self.rank_of(inner).is_some() => {
                let array = self.array(inner)?;
                if array.rank() != rank {
                    self.cx.mismatch();
                    return None;
                }
                let array = if array.owned {
                    array
                } else {
                    // what was taken over in another shape
                    self.copied(&array)
                };
                let base = &array.base;
                Some(match array.dims.as_slice() {
                    [m, n] => parse_quote!((#base, #m, #n)),
                    _ => base.clone(),
                })
            }
            inner => Some(self.expr(inner)),
        }
    }
}

/// A block, unless the value is all there is.
pub(super) fn block_of(before: Vec<syn::Stmt>, value: syn::Expr) -> syn::Expr {
    if before.is_empty() && matches!(value, syn::Expr::If(_) | syn::Expr::Block(_)) {
        return value;
    }
    parse_quote!({ #(#before)* #value })
}
