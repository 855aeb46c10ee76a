//! What leads from the type of a block to the handles of its functions, and to their code.

use super::methods::instance_of;
use super::names::has_unnamed_types;
use super::operators::Operator;
use crate::emit::Generics;
use crate::options;
use crate::symbol;
use crate::template::quote;
use crate::tokens::unraw;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

/// The handle of a constructor that its module does not call, and that has no derivative: whose type says so.
pub(super) fn left_out(
    f: &syn::ImplItemFn,
    item: &syn::ItemImpl,
    owner: &syn::Path,
    krate: &TokenStream,
) -> Option<TokenStream> {
    let (name, vis) = (&f.sig.ident, &f.vis);
    let is_constructor = f.defaultness.is_some() && item.trait_.is_none();
    if !is_constructor || !item.generics.params.is_empty() {
        return None;
    }
    let (cfgs, quiet) = (super::conditions(&f.attrs), options::quiet());
    let handle = format_ident!("{}_ad", unraw(name), span = name.span());
    let left = quote!(#krate::__private::LeftOutUnlessItsModuleCallsIt);
    Some(quote! {
        #(#cfgs)*
        #quiet
        #[automatically_derived]
        impl #owner {
            #[doc(hidden)]
            #vis const #handle: #left = #left;
        }
    })
}

/// The way to one function of a block.
pub(super) struct Leads<'a> {
    /// The type of the block, and what is declared in front of it.
    pub(super) owner: &'a syn::Path,
    pub(super) of_block: &'a syn::Generics,
    /// The function's own parameters.
    pub(super) own: &'a syn::Generics,
    /// All of them.
    pub(super) generics: &'a Generics,
    pub(super) handle: &'a Ident,
    /// Whether there is code.
    pub(super) has_code: bool,
    pub(super) rt: &'a TokenStream,
}

impl Leads<'_> {
    /// impl<const R: usize> rt::Method<hash> for Matrix<R> { type Handle = __Matrix_times; .. }
    ///
    /// and where a method has lengths of its own
    ///
    /// impl<const R: usize, const K: usize> rt::MethodAt<hash, (Length<K>,)> for Matrix<R> { .. }
    pub(super) fn method(&self, name: &str) -> TokenStream {
        let (rt, owner, handle) = (self.rt, self.owner, self.handle);
        let (declared, hash) = (self.declared(), symbol::hash(name));
        let (mut instance, mut code, mut at) = (self.instance(), self.code(), None);
        if self.own.const_params().next().is_some() {
            let own = self.own.const_params().map(|p| &p.ident);
            let declared = self.generics.for_impl();
            at = Some(quote! {
                #[automatically_derived]
                impl #declared #rt::MethodAt<#hash, (#(#rt::Length<#own>,)*)> for #owner {
                    type Instance = #instance;
                    type Code = #code;
                }
            });
            (instance, code) = (handle.to_token_stream(), handle.to_token_stream());
        }
        quote! {
            #[automatically_derived]
            impl #declared #rt::Method<#hash> for #owner {
                type Handle = #handle;
                type Instance = #instance;
                type Code = #code;
            }
            #at
        }
    }

    /// The method for those who name the trait. For others, the name has to mean it:
    ///
    /// use Energy as _;
    /// fn named() { rt::is_one((<Spring>::energy, <Spring as Energy>::energy)) }
    pub(super) fn of_trait(&self, of_trait: &syn::Path, f: &syn::ImplItemFn) -> TokenStream {
        let (rt, owner, name) = (self.rt, self.owner, &f.sig.ident);
        let Some(last) = of_trait.segments.last() else {
            return TokenStream::new();
        };
        let method = self.method(&symbol::of_trait(&unraw(&last.ident), &unraw(name)));
        // there are types that nothing tells
        if !last.arguments.is_none()
            || f.sig.generics.type_params().next().is_some()
            || has_unnamed_types(&f.sig)
        {
            return method;
        }
        let (declared, lengths) = (self.generics.for_impl(), instance_of(self.own));
        let is_one = quote_spanned! {name.span()=>
            #rt::is_one((<#owner>::#name #lengths, <#owner as #of_trait>::#name #lengths))
        };
        quote! {
            #method
            const _: () = {
                use #of_trait as _;
                fn named #declared() {
                    #is_one
                }
            };
        }
    }

    /// impl<const N: usize> rt::Operator<hash, V<N>> for V<N> { type Handle = __V_add; .. }
    pub(super) fn operator(&self, operator: &Operator, name: &str) -> TokenStream {
        let (rt, handle, types) = (self.rt, self.handle, operator.types());
        let (declared, hash) = (self.declared(), symbol::hash(name));
        let (left, right) = (&types[0], &types[1]);
        let (instance, code) = (self.instance(), self.code());
        quote! {
            #[automatically_derived]
            impl #declared #rt::Operator<#hash, #right> for #left {
                type Handle = #handle;
                type Instance = #instance;
                type Code = #code;
            }
        }
    }

    /// The handle as a constant of the type, which no lengths of the function's own can tell.
    pub(super) fn constant(&self, name: &Ident, vis: &TokenStream) -> Option<TokenStream> {
        if self.own.const_params().next().is_some() {
            return None;
        }
        let (owner, declared, handle) = (self.owner, self.declared(), self.instance());
        Some(quote! {
            #[automatically_derived]
            impl #declared #owner {
                /// The handle of the method.
                #vis const #name: #handle = <#handle>::AD;
            }
        })
    }

    fn declared(&self) -> Option<TokenStream> {
        let mut lengths = self.of_block.const_params().peekable();
        lengths.peek()?;
        Some(quote!(<#(#lengths),*>))
    }

    /// The handle with all lengths.
    fn instance(&self) -> TokenStream {
        let (handle, arguments) = (self.handle, self.generics.arguments());
        quote!(#handle #arguments)
    }

    /// The type that the code is in.
    fn code(&self) -> TokenStream {
        match self.has_code {
            true => self.generics.code(self.handle),
            false => self.handle.to_token_stream(),
        }
    }
}
