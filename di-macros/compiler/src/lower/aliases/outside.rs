//! Items of a module as others know them: without the aliases and lengths that only the module can name.

use super::scan::{Found, What};
use super::{collect, innermost, seen_at};
use crate::lower::environment::{Environment, names_of};
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::Span;
use quote::ToTokens;

/// What is written out.
#[derive(Default)]
pub(crate) struct Outside {
    /// With the aliases.
    env: Environment,
    /// Constants of type `usize` and their values.
    lengths: Map<String, usize>,
}

impl Outside {
    /// Of the module with these items.
    pub(crate) fn of(items: &[syn::Item]) -> Outside {
        let (mut env, mut lengths) = (Environment::default(), Map::new());
        for item in items {
            if let syn::Item::Type(alias) = item {
                env.add_alias(&alias.ident.to_string(), alias.clone());
            }
        }
        // constants may name each other, in any order
        loop {
            let before = lengths.len();
            for item in items {
                if let syn::Item::Const(c) = item
                    && c.ty.to_token_stream().to_string() == "usize"
                    && let Some(value) = value(&c.expr, &lengths)
                {
                    lengths.insert(c.ident.to_string(), value);
                }
            }
            if lengths.len() == before {
                return Outside { env, lengths };
            }
        }
    }

    /// Of the module around a token, as far as its file says.
    pub(crate) fn at(at: Span) -> Outside {
        let seen = &seen_at(at).items;
        let own = innermost(seen);
        let is_own = |f: &&Found| matches!(f.what, What::Alias | What::Constant) && f.lines == own;
        let items = seen.iter().filter(is_own);
        let items = items.filter_map(|f| syn::parse_str::<syn::Item>(&f.text).ok());
        Outside::of(&items.collect::<Vec<_>>())
    }

    /// The function with its signature written out.
    pub(crate) fn function(&self, f: &syn::ItemFn) -> syn::ItemFn {
        let mut f = f.clone();
        self.signature(&mut f.sig, &[]);
        f
    }

    /// The block with the signatures of its functions written out.
    pub(crate) fn block(&self, block: &syn::ItemImpl) -> syn::ItemImpl {
        let mut block = block.clone();
        let own = names_of(&block.generics);
        for item in &mut block.items {
            if let syn::ImplItem::Fn(f) = item {
                self.signature(&mut f.sig, &own);
            }
        }
        block
    }

    /// The fields written out.
    pub(crate) fn fields(&self, input: &mut syn::DeriveInput) {
        let own = names_of(&input.generics);
        if let syn::Data::Struct(s) = &mut input.data {
            for field in &mut s.fields {
                self.write_out(&mut field.ty, &own);
            }
        }
    }

    fn signature(&self, sig: &mut syn::Signature, of_block: &[String]) {
        let mut own = names_of(&sig.generics);
        own.extend(of_block.iter().cloned());
        let outputs = match &mut sig.output {
            syn::ReturnType::Type(_, ty) => Some(ty),
            syn::ReturnType::Default => None,
        };
        let inputs = sig.inputs.iter_mut().filter_map(|input| match input {
            syn::FnArg::Typed(p) => Some(&mut p.ty),
            syn::FnArg::Receiver(_) => None,
        });
        for ty in inputs.chain(outputs) {
            self.write_out(ty, &own);
        }
    }

    /// `own`: lengths that are parameters.
    fn write_out(&self, ty: &mut syn::Type, own: &[String]) {
        *ty = self.env.expanded_among(ty, own);
        walk::change(NodeMut::Type(ty), &mut |node| {
            if let NodeMut::Type(syn::Type::Array(array)) = node
                && !names_one_of(&array.len, own)
                && let Some(value) = value(&array.len, &self.lengths)
            {
                let value = proc_macro2::Literal::usize_unsuffixed(value);
                array.len = parse_quote!(#value);
            }
            Onward::Into
        });
    }
}

fn names_one_of(e: &syn::Expr, names: &[String]) -> bool {
    let mut words = Set::new();
    collect(e.to_token_stream(), &mut words);
    names.iter().any(|name| words.contains(name))
}

/// Whether a length of an array has a name.
pub(crate) fn has_named_lengths(sig: &syn::Signature) -> bool {
    walk::any(
        Node::Signature(sig),
        &mut |node| matches!(node, Node::Type(syn::Type::Array(array)) if !matches!(array.len, syn::Expr::Lit(_))),
    )
}

/// The value of sums and products of literals and of these constants.
fn value(e: &syn::Expr, known: &Map<String, usize>) -> Option<usize> {
    match e {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse().ok(),
        syn::Expr::Path(p) => known.get(&p.path.get_ident()?.to_string()).copied(),
        syn::Expr::Paren(p) => value(&p.expr, known),
        syn::Expr::Group(g) => value(&g.expr, known),
        syn::Expr::Block(b) => match &*b.block.stmts {
            [syn::Stmt::Expr(e, None)] => value(e, known),
            _ => None,
        },
        syn::Expr::Binary(b) => {
            let (left, right) = (value(&b.left, known)?, value(&b.right, known)?);
            match b.op {
                syn::BinOp::Add(_) => left.checked_add(right),
                syn::BinOp::Sub(_) => left.checked_sub(right),
                syn::BinOp::Mul(_) => left.checked_mul(right),
                syn::BinOp::Div(_) => left.checked_div(right),
                _ => None,
            }
        }
        _ => None,
    }
}
