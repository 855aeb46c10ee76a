//! Names and types in generated code. Every name that is ours has mixed-site hygiene and two
//! underscores, so user code never sees it.

use super::Emitter;
use crate::ir::{Body, PlaceId, PlaceKind, Tree, Type, Val};
use crate::template::quote;
use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// A name of our own at the user's position.
pub(crate) fn ident(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// A name of our own.
pub(crate) fn own(name: &str) -> Ident {
    ident(name, Span::call_site())
}

/// `(a, (b, c))`
pub(super) fn nested(tree: &Tree<TokenStream>) -> TokenStream {
    match tree {
        Tree::Leaf(t) => t.clone(),
        Tree::Tuple(ts) => {
            let ts = ts.iter().map(nested);
            quote!((#(#ts,)*))
        }
    }
}

fn hint(name: &str) -> String {
    name.strip_prefix("r#")
        .unwrap_or(name)
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

impl Emitter<'_> {
    /// The variable of a value.
    pub(crate) fn var(&self, v: Val) -> Ident {
        let info = self.body.val(v);
        let base = info.hint.as_deref().map(hint).unwrap_or_else(|| "t".into());
        let lane = if info.ty == Type::Lane { "_t" } else { "" };
        ident(&format!("__{base}{lane}_{}{}", v.0, self.mark), info.span)
    }

    /// The variable of a place.
    pub(crate) fn place_ident(&self, p: PlaceId) -> Ident {
        if let Some(k) = self.argument_of(p) {
            return self.arg(k);
        }
        self.marked(p, self.mark)
    }

    /// What the forward sweep calls a place, in the code of both.
    pub(super) fn forward_ident(&self, p: PlaceId) -> Ident {
        self.marked(p, "")
    }

    fn marked(&self, p: PlaceId, mark: &str) -> Ident {
        let info = self.body.place(p);
        let lane = if info.ty.is_lanes() { "_t" } else { "" };
        let name = format!("__{}{lane}_p{}{mark}", hint(&info.hint), p.0);
        ident(&name, info.span)
    }

    /// The parameter whose argument a place is, as it comes in.
    pub(super) fn argument_of(&self, p: PlaceId) -> Option<usize> {
        let info = self.body.place(p);
        match info.kind {
            // structs need a type annotation
            PlaceKind::SharedParam(k) | PlaceKind::MutParam(k)
                if !matches!(info.ty, Type::Struct(_)) && self.mark.is_empty() =>
            {
                Some(k)
            }
            _ => None,
        }
    }

    /// The value argument of parameter `k`.
    pub(crate) fn arg(&self, k: usize) -> Ident {
        own(&format!("__{}_a{k}", hint(&self.body.params[k].name)))
    }

    /// The slot argument of parameter `k`.
    pub(crate) fn slot_arg(&self, k: usize) -> Ident {
        own(&format!("__slot{k}"))
    }

    /// The activity marker of parameter `k`.
    pub(crate) fn marker(&self, k: usize) -> Ident {
        own(&format!("__P{k}"))
    }

    /// A type; its floats are generic or plain.
    pub(crate) fn ty(&self, ty: &Type, generic: bool) -> TokenStream {
        let rt = self.rt;
        match ty {
            Type::Float if generic => quote!(__S),
            Type::Float => self.real(),
            Type::Lane => quote!(__A),
            // a literal handed to a callee: its parameter tells
            Type::Int(name) if name == "_" => quote!(_),
            // of a field, if there is one
            Type::Int(name) if name.starts_with('<') => self.path_if_sound(&integer(name)),
            Type::Int(name) => integer(name),
            Type::Bool => number("bool"),
            Type::Array(t, n) => {
                let (t, n) = (self.ty(t, generic), &n.0);
                quote!([#t; #n])
            }
            Type::Slice(t) => {
                let t = self.ty(t, generic);
                quote!([#t])
            }
            Type::Vec(t) => {
                let t = self.ty(t, generic);
                quote!(::std::vec::Vec<#t>)
            }
            Type::Struct(path) => {
                let path = &path.0;
                if generic {
                    quote!(<#path as #rt::Differentiable>::Of<__S>)
                } else {
                    quote!(#path)
                }
            }
            Type::Lanes(path) => {
                let path = &path.0;
                quote!(<#path as #rt::Differentiable>::Lanes<__A>)
            }
            Type::Opaque(tokens) => tokens.0.clone(),
        }
    }

    /// The user's float type.
    pub(crate) fn real(&self) -> TokenStream {
        real(self.body)
    }

    /// The type of a result tree, from its leaves' types.
    pub(crate) fn tree(&self, tree: &Tree<TokenStream>) -> TokenStream {
        nested(tree)
    }

    /// Whether the floats of a place are generic.
    pub(crate) fn generic_place(&self, p: PlaceId) -> bool {
        let root = self.rows.get(&p).copied().unwrap_or(p);
        self.activity.is_generic_place(root)
    }

    /// Whether a float value is generic.
    pub(crate) fn generic(&self, v: Val) -> bool {
        self.body.val(v).ty == Type::Float && self.activity.is_generic(v)
    }

    /// The type of a value.
    pub(crate) fn val_ty(&self, v: Val) -> TokenStream {
        let ty = self.ty(&self.body.val(v).ty, self.generic(v));
        if self.is_open(v) {
            quote!(::core::option::Option<#ty>)
        } else {
            ty
        }
    }

    /// The marker that says whether a slot is live, for slots that may be dead.
    ///
    /// The slot of a number needs no test: it reads as zero, and ignores what it receives, if it is dead.
    pub(crate) fn guard(&self, root: PlaceId) -> Option<Ident> {
        let scalar = self.body.place(root).ty.is_scalar();
        self.marker_of(root).filter(|_| !scalar)
    }

    /// The marker of the parameter that a slot belongs to.
    pub(super) fn marker_of(&self, root: PlaceId) -> Option<Ident> {
        let root = self.rows.get(&root).copied().unwrap_or(root);
        match self.body.place(root).kind {
            PlaceKind::Slot(k) if self.has_marker(k) => Some(self.marker(k)),
            PlaceKind::Slot(_)
            | PlaceKind::SharedParam(_)
            | PlaceKind::MutParam(_)
            | PlaceKind::ValueParam(_)
            | PlaceKind::Local
            | PlaceKind::State
            | PlaceKind::View
            | PlaceKind::Row
            | PlaceKind::ResultSlot(_) => None,
        }
    }

    /// Active parameters that are not behind `&mut` have one.
    pub(crate) fn has_marker(&self, k: usize) -> bool {
        let param = &self.body.params[k];
        param.role == crate::ir::Role::Active && param.mode != crate::ir::Mode::Mut
    }
}

/// The float type of a function.
pub(crate) fn real(body: &Body) -> TokenStream {
    number(body.float)
}

/// A label.
pub(crate) struct Lifetime(pub(super) String);

impl ToTokens for Lifetime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend([
            TokenTree::Punct(Punct::new('\'', Spacing::Joint)),
            TokenTree::Ident(Ident::new(&format!("__{}", self.0), Span::mixed_site())),
        ]);
    }
}

pub(super) fn argument(k: usize) -> TokenStream {
    let name = own(&format!("__arg{k}"));
    quote!(#name)
}

pub(super) fn slot(k: usize) -> TokenStream {
    let name = own(&format!("__slot{k}"));
    quote!(#name)
}

pub(super) fn cache(k: usize) -> TokenStream {
    let name = own(&format!("__cache{k}"));
    quote!(#name)
}

pub(super) fn cache_lanes(k: usize) -> TokenStream {
    let name = own(&format!("__cache_t{k}"));
    quote!(#name)
}

/// An integer type by its name, or by a path.
pub(crate) fn integer(name: &str) -> TokenStream {
    if name.starts_with('<') {
        name.parse().expect("the path of a type")
    } else {
        number(name)
    }
}

/// What the module of the runtime is called in the block of generated code.
pub(crate) fn runtime() -> TokenStream {
    Ident::new("__rt", Span::call_site()).into_token_stream()
}

/// What the module of the primitive types is called there.
pub(crate) fn primitive() -> Ident {
    Ident::new("__p", Span::call_site())
}

/// A primitive type by its name.
pub(super) fn number(name: &str) -> TokenStream {
    let (module, name) = (primitive(), Ident::new(name, Span::call_site()));
    quote!(#module::#name)
}
