//! Functions of one name. Rustc has a message on the second one, and would have more on its handle, which is there
//! twice as well, with all that is implemented for it.
//!
//! So the handle of a function that is not the first of its name in the crate stands in a module of its own, and
//! what is generated for it in a block, in which the name means that handle. Outside is another name of the
//! handle, which rustc takes to stand where the function does: it tells of a name once at one place.

use super::conditions;
use crate::emit::Generics;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    /// How many functions had the name of a handle so far.
    static TIMES: RefCell<BTreeMap<String, usize>> = const { RefCell::new(BTreeMap::new()) };
    /// The names in the order in which they were counted.
    static COUNTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Where the handle of a function stands.
#[derive(Default)]
pub(crate) struct Place {
    /// A module of its own.
    pub(super) module: Option<Ident>,
}

/// What is generated for a function.
#[derive(Default)]
pub(crate) struct Items {
    /// What has the function's name.
    pub(crate) named: TokenStream,
    pub(crate) others: TokenStream,
    /// The handle is in a module of its own.
    pub(super) is_apart: bool,
    /// Paths of items of which more has to be known before anything can be generated.
    pub(super) asked: Vec<TokenStream>,
}

/// Counts the name of a handle: how many had it before.
pub(super) fn earlier(name: &str) -> usize {
    COUNTED.with_borrow_mut(|counted| counted.push(name.to_owned()));
    TIMES.with_borrow_mut(|times| {
        let times = times.entry(name.to_owned()).or_default();
        *times += 1;
        *times - 1
    })
}

/// How many names were counted so far.
pub(super) fn counted() -> usize {
    COUNTED.with_borrow(Vec::len)
}

/// Forgets the names that were counted since then: what they were counted for is generated later.
pub(super) fn forget_since(counted: usize) {
    let names = COUNTED.with_borrow_mut(|all| all.split_off(counted));
    TIMES.with_borrow_mut(|times| {
        for name in names {
            *times.entry(name).or_insert(1) -= 1;
        }
    });
}

impl Items {
    /// With what belongs to it.
    pub(crate) fn with(mut self, more: impl ToTokens) -> Items {
        more.to_tokens(&mut self.others);
        self
    }

    /// With the items of another function behind it.
    pub(super) fn followed_by(self, mut other: Items) -> Items {
        let mut asked = std::mem::take(&mut other.asked);
        let mut all = self.with(other);
        all.asked.append(&mut asked);
        all
    }
}

impl ToTokens for Items {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.named.to_tokens(tokens);
        self.others.to_tokens(tokens);
    }
}

impl Place {
    /// Counts the name of a function's handle.
    pub(super) fn of(handle: &Ident, function: &syn::ItemFn) -> Place {
        let plain = handle.to_string();
        let earlier = earlier(&plain);
        // in a module no type of the user's is known
        let mut constants = function.sig.generics.const_params();
        let is_apart = earlier > 0 && constants.all(|c| is_primitive(&c.ty));
        let plain = plain.trim_start_matches("r#");
        // no name of the user's begins like that
        let module = is_apart.then(|| format_ident!("__{earlier}_{plain}"));
        Place { module }
    }

    /// The visibility of the handle's fields.
    pub(super) fn vis(&self) -> TokenStream {
        match self.module {
            Some(_) => quote!(pub),
            None => TokenStream::new(),
        }
    }

    /// The handle of a function, given as its attributes and the struct without its visibility.
    pub(super) fn declare(
        &self,
        function: &syn::ItemFn,
        name: &Ident,
        generics: &Generics,
        attributes: &TokenStream,
        item: &TokenStream,
    ) -> TokenStream {
        let (cfgs, vis) = (conditions(&function.attrs), &function.vis);
        let Some(module) = &self.module else {
            return quote!(#attributes #vis #item);
        };
        let (quiet, inside) = (crate::options::quiet(), from_inside(vis));
        let (params, arguments) = (generics.with_defaults(), generics.own_arguments());
        let alias = quote!(#vis type #name #params = #module::#name #arguments;);
        let alias = self.at_function(alias, function);
        quote! {
            #(#cfgs)*
            #[doc(hidden)]
            #quiet
            mod #module {
                #attributes
                #inside #item
            }
            #(#cfgs)*
            #[doc(hidden)]
            #quiet
            #alias
        }
    }

    /// An item as if it stood where the function does.
    pub(super) fn at_function(&self, item: TokenStream, function: &syn::ItemFn) -> TokenStream {
        if self.module.is_none() {
            return item;
        }
        let mut trees: Vec<TokenTree> = item.into_iter().collect();
        let end = function.block.brace_token.span.close();
        if let (syn::Visibility::Inherited, Some(first)) = (&function.vis, trees.first_mut()) {
            let start = function.sig.to_token_stream().into_iter().next();
            first.set_span(start.map_or_else(Span::call_site, |t| t.span()));
        }
        if let Some(last) = trees.last_mut() {
            last.set_span(end);
        }
        trees.into_iter().collect()
    }

    /// All that is generated for a function with this handle.
    pub(super) fn all(&self, function: &syn::ItemFn, name: &Ident, items: Items) -> TokenStream {
        let (named, others) = (&items.named, &items.others);
        let Some(module) = self.module.as_ref().filter(|_| items.is_apart) else {
            return quote!(#named #others);
        };
        let (cfgs, quiet) = (conditions(&function.attrs), crate::options::quiet());
        quote! {
            #named
            #(#cfgs)*
            #quiet
            const _: () = {
                use #module::#name;
                #others
            };
        }
    }
}

/// The same visibility, as it is written one module further in.
fn from_inside(vis: &syn::Visibility) -> TokenStream {
    let path = match vis {
        syn::Visibility::Public(_) => return quote!(pub),
        syn::Visibility::Inherited => return quote!(pub(super)),
        syn::Visibility::Restricted(r) => &*r.path,
    };
    let first = path.segments.first();
    if path.is_ident("self") {
        quote!(pub(super))
    } else if first.is_some_and(|s| s.ident == "super") {
        quote!(pub(in super::#path))
    } else {
        quote!(#vis)
    }
}

fn is_primitive(ty: &syn::Type) -> bool {
    let known = ["bool", "char", "usize", "isize"];
    let name = ty.to_token_stream().to_string();
    known.contains(&&*name)
        || name
            .strip_prefix(['u', 'i'])
            .is_some_and(|bits| ["8", "16", "32", "64", "128"].contains(&bits))
}
