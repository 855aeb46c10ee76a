//! Statics: the copy has its own, so what changes must not be in one.

use super::known::Known;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::report::Report;
use crate::tokens;
use crate::walk::{self, Node, Onward};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// What statics are changed through.
const CHANGING: [&str; 8] = [
    "Cell",
    "RefCell",
    "OnceCell",
    "Mutex",
    "RwLock",
    "OnceLock",
    "Once",
    "UnsafeCell",
];

/// Whether a static can change.
fn changes(ty: &TokenStream) -> bool {
    tokens::any(ty.clone(), &mut |t| match t {
        TokenTree::Ident(i) => {
            let name = i.to_string();
            CHANGING.contains(&&*name) || name.starts_with("Atomic")
        }
        _ => false,
    })
}

/// Whether the copy uses the static of the module itself: it has nothing that is copied.
pub(super) fn is_shared(item: &syn::ItemStatic, is_copied: impl Fn(&TokenStream) -> bool) -> bool {
    !is_copied(&item.ty.to_token_stream())
}

/// Says which statics would be there twice: those that change and are not shared.
pub(super) fn refuse(items: &[syn::Item], known: &Known, cx: &Report) {
    let refuse = |item: &dyn HasExtent| cx.error(item.extent(), &error::OVERLOADED_STATIC);
    for item in items {
        let is_of_module = matches!(item, syn::Item::Static(_));
        walk::read(Node::Item(item), &mut |node| {
            match node {
                Node::Item(syn::Item::Static(s)) => {
                    let ty = s.ty.to_token_stream();
                    let within = known.with_fields(&ty);
                    let is_mutable = !matches!(s.mutability, syn::StaticMutability::None);
                    let is_copied = !is_of_module || known.has_floats(&ty) || known.names_type(&ty);
                    if (is_mutable || changes(&within)) && is_copied {
                        refuse(&s.ident);
                    }
                }
                Node::Macro(mac) if mac.path.is_ident("thread_local") => {
                    refuse(&mac.path);
                }
                _ => {}
            }
            Onward::Into
        });
    }
}
