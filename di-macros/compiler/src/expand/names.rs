//! Names that patterns bind, as the user wrote them, and those in paths.

use crate::sorted::Set;
use crate::template::parse_quote;
use crate::walk::{self, Node, Onward};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// Names that patterns which may fail bind. A constant of such a name would be compared instead: it
/// cannot be bound by `let`, so that rustc tells.
pub(super) fn bound_names(block: &syn::Block) -> Vec<syn::Ident> {
    let mut names = Vec::new();
    add_names(Node::Block(block), false, &mut names);
    names
}

/// Whether a result borrows.
pub(super) fn lends(output: &syn::ReturnType) -> bool {
    let syn::ReturnType::Type(_, ty) = output else {
        return false;
    };
    walk::any(Node::Type(ty), &mut |node| {
        matches!(
            node,
            Node::Type(syn::Type::Reference(_)) | Node::Lifetime(_)
        )
    })
}

/// Whether a signature has types of the form `impl Trait`.
pub(super) fn has_unnamed_types(sig: &syn::Signature) -> bool {
    walk::any(Node::Signature(sig), &mut |node| {
        matches!(node, Node::Type(syn::Type::ImplTrait(_)))
    })
}

/// `#[constant] p: &impl Trait` as `p: &P` of a type parameter.
pub(super) fn name_types_of_constants(sig: &mut syn::Signature) {
    for (k, input) in sig.inputs.iter_mut().enumerate() {
        let syn::FnArg::Typed(input) = input else {
            continue;
        };
        if !input.attrs.iter().any(|a| a.path().is_ident("constant")) {
            continue;
        }
        let ty = match &mut *input.ty {
            syn::Type::Reference(r) => &mut *r.elem,
            ty => ty,
        };
        let ty = match ty {
            syn::Type::Slice(s) => &mut *s.elem,
            syn::Type::Array(a) => &mut *a.elem,
            ty => ty,
        };
        if let syn::Type::ImplTrait(of) = ty {
            let (name, bounds) = (quote::format_ident!("__P{k}"), &of.bounds);
            sig.generics.params.push(parse_quote!(#name: #bounds));
            *ty = parse_quote!(#name);
        }
    }
}

/// Whether a function names `Self`: it stands in an impl.
pub(super) fn speaks_of_self(function: &syn::ItemFn) -> bool {
    let parts = [Node::Signature(&function.sig), Node::Block(&function.block)];
    parts.into_iter().any(|part| {
        walk::read(part, &mut |node| match node {
            Node::Path(path) if path.segments.first().is_some_and(|s| s.ident == "Self") => {
                Onward::Found
            }
            // what stands inside may have a `Self` of its own
            Node::Item(_) => Onward::Over,
            _ => Onward::Into,
        })
    })
}

/// Whether a trait or methods are implemented in a function, of which there can be no second.
pub(super) fn implements(block: &syn::Block) -> bool {
    walk::any(Node::Block(block), &mut |node| {
        matches!(node, Node::Item(syn::Item::Impl(_)))
    })
}

/// Adds the names below a node, which stands in a pattern that may fail or elsewhere.
fn add_names(root: Node<'_>, refutable: bool, names: &mut Vec<syn::Ident>) {
    walk::read(root, &mut |node| {
        match node {
            Node::Arm(arm) => {
                add_names(Node::Pat(&arm.pat), true, names);
                if let Some((_, guard)) = &arm.guard {
                    add_names(Node::Expr(guard), false, names);
                }
                add_names(Node::Expr(&arm.body), false, names);
            }
            Node::Expr(syn::Expr::Let(e)) => {
                add_names(Node::Pat(&e.pat), true, names);
                add_names(Node::Expr(&e.expr), false, names);
            }
            Node::Local(local) => {
                if let Some(init) = &local.init {
                    if init.diverge.is_some() {
                        add_names(Node::Pat(&local.pat), true, names);
                    }
                    add_names(Node::Expr(&init.expr), false, names);
                    if let Some((_, otherwise)) = &init.diverge {
                        add_names(Node::Expr(otherwise), false, names);
                    }
                }
            }
            Node::Pat(syn::Pat::Ident(p)) => {
                let plain = p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none();
                let small = !p.ident.to_string().starts_with(char::is_uppercase);
                if refutable && plain && small {
                    names.push(p.ident.clone());
                }
            }
            _ => return Onward::Into,
        }
        Onward::Over
    });
}

/// Names behind `::`, and these with the name in front, `Matrix::new`; `_::new` where that is none.
pub(super) fn names_of_paths(tokens: TokenStream, found: &mut Set<String>) {
    let (mut colons, mut before) = (0, None);
    for tree in tokens {
        match &tree {
            TokenTree::Ident(name) if colons == 2 => {
                found.insert(name.to_string());
                let before = before.as_deref().unwrap_or("_");
                found.insert(format!("{before}::{name}"));
            }
            TokenTree::Group(g) => names_of_paths(g.stream(), found),
            _ => {}
        }
        (colons, before) = match tree {
            TokenTree::Punct(p) if p.as_char() == ':' => (colons + 1, before),
            TokenTree::Ident(name) => (0, Some(name.to_string())),
            _ => (0, None),
        };
    }
}

/// Marks functions that make a value of their type and are not called in the module, like methods that a trait brings:
/// they may have no derivative. A call from elsewhere would say so. `called`: the names of all its paths.
pub(super) fn mark_uncalled(block: &mut syn::ItemImpl, called: &Set<String>) {
    let syn::Type::Path(owner) = &*block.self_ty else {
        return;
    };
    let Some(owner) = owner.path.segments.last().map(|s| s.ident.clone()) else {
        return;
    };
    let is_called = |name: &Ident| {
        let ways = ["_", "Self", &owner.to_string()];
        ways.iter()
            .any(|way| called.contains(&format!("{way}::{name}")))
    };
    for inner in &mut block.items {
        if let syn::ImplItem::Fn(f) = inner
            && block.trait_.is_none()
            && f.sig.receiver().is_none()
            && let syn::ReturnType::Type(_, ty) = &f.sig.output
            && (names_self(ty) || walk::has_path_from(Node::Type(ty), &mut |name| *name == owner))
            && !is_called(&f.sig.ident)
        {
            f.defaultness = Some(Default::default());
        }
    }
}

/// Whether a type says `Self`.
pub(super) fn names_self(ty: &syn::Type) -> bool {
    let text = ty.to_token_stream().to_string();
    text.split_whitespace().any(|word| word == "Self")
}

/// Whether something is written to that holds no floats: a `Formatter`, a `String`.
pub(super) fn has_text_parameter(sig: &syn::Signature) -> bool {
    sig.inputs.iter().any(|input| match input {
        syn::FnArg::Typed(p) => match &*p.ty {
            syn::Type::Reference(r) if r.mutability.is_some() => {
                let text = r.elem.to_token_stream().to_string();
                text.contains("Formatter") || text.contains("String")
            }
            _ => false,
        },
        syn::FnArg::Receiver(_) => false,
    })
}
