//! Lists of arrays in variables: their elements are held as those of fields are, by structs of the runtime.

use super::Flat;
use super::array::{bare, strip};
use super::kinds::{self, Stored};
use super::stored::listed;
use crate::lower::environment::arrays::store;
use crate::lower::types::element;
use crate::template::parse_quote;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

impl Flat<'_> {
    /// `let ws: Vec<Array2<f64>> = ..;`: `None` of a variable for anything else, and of constants.
    pub(super) fn list(
        &mut self,
        local: &syn::Local,
        written: Option<&syn::Type>,
        init: &syn::Expr,
    ) -> Option<syn::Stmt> {
        let pat = match &local.pat {
            syn::Pat::Type(t) => &*t.pat,
            pat => pat,
        };
        let is_plain =
            matches!(pat, syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none());
        let diverges = local.init.as_ref().is_some_and(|i| i.diverge.is_some());
        if !is_plain || diverges {
            return None;
        }
        let made = self.type_of_list(init);
        let written = written.filter(|ty| !walk::has_hole(ty));
        let ty = match written.map(|ty| self.env.expanded(ty)) {
            Some(ty) => {
                let is_new = made.is_some() || makes_list(init);
                self.stored_list(&ty).filter(|_| is_new)?
            }
            None => made?,
        };
        self.is_changed = true;
        let mut new = local.clone();
        let value = match strip(init) {
            // another name for one, or a part of one
            e @ (syn::Expr::Path(_) | syn::Expr::Reference(_)) => self.expr(e),
            e => self.value_of_type(e, Some(&ty)),
        };
        *new.init.as_mut()?.expr = value;
        new.pat = match (written, &ty) {
            (None, syn::Type::Reference(_)) => pat.clone(),
            _ => syn::Pat::Type(parse_quote!(#pat: #ty)),
        };
        self.hide_value(pat, Some(&ty), init);
        Some(syn::Stmt::Local(new))
    }

    // let mut ws = Vec::new(); .. ws.push(array![..]);   =>   let mut ws: Vec<Array1<f64>> = Vec::new();
    /// A variable for a new list with its type, if arrays are pushed onto it.
    pub(super) fn pushed(&mut self, stmt: &syn::Stmt, rest: &[syn::Stmt]) -> Option<syn::Stmt> {
        let syn::Stmt::Local(local) = stmt else {
            return None;
        };
        let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
            return None;
        };
        if !matches!(strip(&init.expr), syn::Expr::Call(_)) || !makes_list(&init.expr) {
            return None;
        }
        let mut found = Vec::new();
        for stmt in rest {
            walk::read(Node::Stmt(stmt), &mut |node| {
                if let Node::Expr(syn::Expr::MethodCall(m)) = node
                    && m.method == "push"
                    && matches!(&*m.receiver, syn::Expr::Path(p) if p.path.is_ident(&name.ident))
                {
                    found.extend(m.args.first().cloned());
                }
                Onward::Into
            });
        }
        let rank = self.rank_of(found.first()?)?;
        let of = syn::Ident::new(&format!("Array{rank}"), name.ident.span());
        let (mut new, float) = (local.clone(), self.float_type());
        new.pat = syn::Pat::Type(parse_quote!(#name: Vec<#of<#float>>));
        Some(syn::Stmt::Local(new))
    }

    /// The type of a list with arrays for elements as it is held; `None` of other types.
    pub(super) fn stored_list(&self, ty: &syn::Type) -> Option<syn::Type> {
        super::is_list(ty).then(|| {
            let mut ty = ty.clone();
            store(&mut ty, &self.rt.to_token_stream(), &mut Vec::new());
            ty
        })
    }

    /// The type of a list that is written at a variable, as it is held.
    pub(super) fn written_list(&self, pat: &syn::Pat) -> Option<syn::Type> {
        match pat {
            syn::Pat::Type(t) => self.stored_list(&self.env.expanded(&t.ty)),
            _ => None,
        }
    }

    /// The type of a value that is a list of arrays, as far as it shows.
    fn type_of_list(&mut self, e: &syn::Expr) -> Option<syn::Type> {
        let float = self.float_type();
        let of_elements = |rank: usize, rt: &syn::Path| {
            Some(Stored::of(rank, &float)?.path(&rt.to_token_stream()))
        };
        match strip(e) {
            syn::Expr::Block(b) if b.label.is_none() => {
                self.in_block(&b.block, |f, value| f.type_of_list(value))
            }
            syn::Expr::MethodCall(m) if m.method == "collect" => {
                let of = self.mapped(&m.receiver)?;
                let of = of_elements(of, &self.rt)?;
                Some(parse_quote!(Vec<#of>))
            }
            inner => {
                if let Some(list) = listed(inner) {
                    let first = list.first()?;
                    if self.constant_kind(first).is_some() {
                        return None;
                    }
                    let of = match self.type_of_list(first) {
                        Some(of) => of,
                        None => of_elements(self.rank_of(first)?, &self.rt)?,
                    };
                    let n = list.len();
                    return Some(match inner {
                        syn::Expr::Macro(_) => parse_quote!(Vec<#of>),
                        _ => parse_quote!([#of; #n]),
                    });
                }
                if let Some((value, _)) = repeated(inner) {
                    let of = of_elements(self.rank_of(&value)?, &self.rt)?;
                    return Some(parse_quote!(Vec<#of>));
                }
                let of = self.type_of(bare(inner))?;
                let of = crate::lower::types::behind_pointers(&of).clone();
                let is_one =
                    element(&of).is_some_and(|of| kinds::read(of).is_some_and(|k| k.is_stored));
                let of = is_one.then_some(of)?;
                Some(match inner {
                    syn::Expr::Reference(r) => {
                        let mutable = &r.mutability;
                        parse_quote!(&#mutable #of)
                    }
                    _ => of,
                })
            }
        }
    }

    /// The rank of the arrays that a chain ends with: `(0..n).map(|k| array![..])`.
    fn mapped(&mut self, chain: &syn::Expr) -> Option<usize> {
        let syn::Expr::MethodCall(m) = strip(chain) else {
            return None;
        };
        let (true, Some(syn::Expr::Closure(c))) = (m.method == "map", m.args.first()) else {
            return None;
        };
        self.with_item(&m.receiver, c, |f| f.rank_of(&c.body))
    }

    /// A list that is none by its looks.
    pub(super) fn list_of(&mut self, e: &syn::Expr, ty: &syn::Type, of: &syn::Type) -> syn::Expr {
        if let Some((value, n)) = repeated(e) {
            let (value, n) = (self.value_of_type(&value, Some(of)), self.bounded(&n));
            return parse_quote!(vec![#value; #n]);
        }
        match strip(e) {
            syn::Expr::Block(b) if b.label.is_none() => {
                let block =
                    self.block_with(&b.block, |f, value| Some(f.value_of_type(value, Some(ty))));
                parse_quote!(#block)
            }
            syn::Expr::MethodCall(m) if m.method == "collect" => {
                self.gives = Some(of.clone());
                let value = self.bounded(e);
                self.gives = None;
                value
            }
            _ => self.bounded(e),
        }
    }
}

/// Whether an expression makes a list whose elements do not show.
fn makes_list(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Call(c) => {
            let path = c.func.to_token_stream().to_string().replace(' ', "");
            ["Vec::new", "Vec::with_capacity"]
                .iter()
                .any(|name| path.ends_with(name))
        }
        syn::Expr::MethodCall(m) => m.method == "collect",
        syn::Expr::Block(b) => {
            matches!(b.block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if makes_list(e))
        }
        e => listed(e).is_some_and(|list| list.is_empty()),
    }
}

/// `vec![a; n]`
fn repeated(e: &syn::Expr) -> Option<(syn::Expr, syn::Expr)> {
    let syn::Expr::Macro(m) = strip(e) else {
        return None;
    };
    let parts = |input: syn::parse::ParseStream<'_>| {
        let value: syn::Expr = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        Ok((value, input.parse::<syn::Expr>()?))
    };
    m.mac
        .path
        .is_ident("vec")
        .then(|| m.mac.parse_body_with(parts).ok())?
}
