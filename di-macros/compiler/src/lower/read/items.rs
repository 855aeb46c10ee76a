//! Items of blocks: constants, imports and functions, which are repeated around what uses them.

use super::expr::unraw;
use super::{Item, Reader};
use crate::error;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::ty::Ty;
use crate::lower::{code, inline, types};
use crate::options;
use crate::template::parse_quote;
use quote::ToTokens;

impl Reader<'_> {
    pub(super) fn item_stmt(&mut self, item: &syn::Item) {
        match item {
            // a type, or a length, of a function in the place of its call
            syn::Item::Const(c) if inline::is_type(c) => {}
            syn::Item::Const(c) if inline::is_length(c) => self.length_in_place(c),
            syn::Item::Const(c) => {
                let other = self.scalar && types::is_other_float(&c.ty, self.float);
                let plain = types::read_plain(&c.ty, self.float, &mut self.types);
                let ty = match plain {
                    Some(ty) => ty,
                    None if other => Ty::Opaque(Tokens(c.ty.to_token_stream())),
                    None => self.carried(Some((*c.ty).clone())),
                };
                let mut own = c.clone();
                own.attrs.clear();
                let tokens = own.to_token_stream();
                let scope = self.scopes.last_mut().expect("a function has a scope");
                scope
                    .items
                    .insert(c.ident.to_string(), Item::Const(ty, Tokens(tokens)));
            }
            // one that cannot change is as good as a constant
            syn::Item::Static(s) if matches!(s.mutability, syn::StaticMutability::None) => {
                let syn::ItemStatic {
                    ident, ty, expr, ..
                } = s;
                self.item_stmt(&parse_quote!(const #ident: #ty = #expr;));
            }
            syn::Item::Use(u) => {
                let mut found = Vec::new();
                let variants =
                    |of: &syn::Path| self.env.variants_of(&of.to_token_stream().to_string());
                if u.leading_colon.is_some()
                    || !use_paths(&u.tree, &variants, &mut Vec::new(), &mut found)
                {
                    self.cx.error(u.extent(), &error::LOCAL_USE);
                }
                let scope = self.scopes.last_mut().expect("a function has a scope");
                for (name, path) in found {
                    let ident = syn::Ident::new(&name, u.use_token.span);
                    let item = code::use_item(&path, &ident);
                    scope.items.insert(name, Item::Use(path, Tokens(item)));
                }
            }
            syn::Item::Fn(f) => {
                let name = unraw(&f.sig.ident);
                let Some(handle) = options::handle_of_nested(&f.attrs) else {
                    self.cx.error(f.sig.fn_token.extent(), &error::LOCAL_ITEM);
                    return;
                };
                let mut own = f.clone();
                options::strip_marks(&mut own);
                own.attrs.clear();
                let item = Item::Use(handle.into(), Tokens(own.to_token_stream()));
                let scope = self.scopes.last_mut().expect("a function has a scope");
                scope.items.insert(name, item);
            }
            other => self.cx.error(other.extent(), &error::LOCAL_ITEM),
        }
    }
}

/// Paths of a `use` tree, by the name that each brings. False for a glob.
fn use_paths(
    tree: &syn::UseTree,
    variants: &dyn Fn(&syn::Path) -> Vec<String>,
    prefix: &mut Vec<syn::Ident>,
    found: &mut Vec<(String, syn::Path)>,
) -> bool {
    let path_of = |prefix: &[syn::Ident], last: &syn::Ident| {
        let mut segments: syn::punctuated::Punctuated<syn::PathSegment, syn::Token![::]> =
            Default::default();
        for ident in prefix {
            segments.push(ident.clone().into());
        }
        if last != "self" {
            segments.push(last.clone().into());
        }
        syn::Path {
            leading_colon: None,
            segments,
        }
    };
    match tree {
        syn::UseTree::Path(p) => {
            prefix.push(p.ident.clone());
            let ok = use_paths(&p.tree, variants, prefix, found);
            prefix.pop();
            ok
        }
        syn::UseTree::Name(n) => {
            let name = if n.ident == "self" {
                prefix.last().cloned()
            } else {
                Some(n.ident.clone())
            };
            if let Some(name) = name {
                found.push((name.to_string(), path_of(prefix, &n.ident)));
            }
            true
        }
        syn::UseTree::Rename(r) => {
            found.push((r.rename.to_string(), path_of(prefix, &r.ident)));
            true
        }
        syn::UseTree::Group(g) => (g.items.iter()).all(|t| use_paths(t, variants, prefix, found)),
        // all variants of an enum
        syn::UseTree::Glob(g) => {
            let Some(of) = prefix.last() else {
                return false;
            };
            let names = variants(&path_of(&prefix[..prefix.len() - 1], of));
            for name in &names {
                let ident = syn::Ident::new(name, g.star_token.spans[0]);
                found.push((name.clone(), path_of(prefix, &ident)));
            }
            !names.is_empty()
        }
    }
}
