//! What binds a function of [`Read`] to the runtime.

use super::signature::{Argument, Part, Read};
use crate::template::{list, quote};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

impl Read {
    /// Differentiated parameters, as one pattern.
    pub(crate) fn x_pattern(&self) -> TokenStream {
        let active = self.params.iter().filter_map(|(name, part)| match part {
            Part::Active(..) => Some(name),
            Part::Constant(..) | Part::Cache(..) | Part::Output(_) => None,
        });
        match &*active.collect::<Vec<_>>() {
            [name] => quote!(#name),
            names => quote!((#(#names,)*)),
        }
    }

    /// The names of constants and caches.
    pub(crate) fn contexts(&self) -> Vec<&Ident> {
        let contexts = self.params.iter().filter_map(|(name, part)| match part {
            Part::Constant(..) | Part::Cache(..) => Some(name),
            Part::Active(..) | Part::Output(_) => None,
        });
        contexts.collect()
    }

    /// The types of constants, as they are written.
    pub(crate) fn constants(&self) -> impl Iterator<Item = TokenStream> + '_ {
        self.params.iter().filter_map(|(_, part)| match part {
            Part::Constant(_, ty) => Some(ty.to_token_stream()),
            Part::Active(..) | Part::Cache(..) | Part::Output(_) => None,
        })
    }

    /// Caches as a pattern, and their families.
    pub(crate) fn caches(&self) -> (TokenStream, TokenStream) {
        let cache = self.params.iter().filter_map(|(name, part)| match part {
            Part::Cache(family, _) => Some((name, family)),
            Part::Active(..) | Part::Constant(..) | Part::Output(_) => None,
        });
        let (caches, families): (Vec<_>, Vec<_>) = cache.unzip();
        (list(&caches), list(&families))
    }

    /// The arguments of a call; `constant` is what is given for one.
    pub(crate) fn arguments(
        &self,
        constant: &dyn Fn(&Ident, &syn::Type) -> TokenStream,
    ) -> Vec<TokenStream> {
        let rt = &self.rt;
        let arguments = self.params.iter().map(|(name, part)| match part {
            Part::Active(_, Argument::Same) | Part::Cache(..) | Part::Output(_) => quote!(#name),
            Part::Active(_, Argument::Borrowed) => quote!(&#name),
            Part::Active(_, Argument::Copied) => quote!(*#name),
            Part::Active(_, Argument::Owned) => quote!(#name.to_vec()),
            Part::Active(_, Argument::BorrowedVec) => quote!(&#name.to_vec()),
            Part::Active(_, Argument::Rows) => quote!(#rt::overloaded::rows(#name)),
            Part::Active(_, Argument::BorrowedRows) => quote!(&#rt::overloaded::rows(#name)),
            Part::Active(_, Argument::Struct) => {
                quote!(#rt::overloaded::Overload::overload(&#name))
            }
            Part::Active(_, Argument::BorrowedStruct) => {
                quote!(&#rt::overloaded::Overload::overload(&#name))
            }
            Part::Constant(_, ty) => constant(name, ty),
        });
        arguments.collect()
    }

    /// Clears the result, and runs the function, or its copy.
    pub(crate) fn run(
        &self,
        callee: &TokenStream,
        scalar: &TokenStream,
        arguments: &[TokenStream],
        is_copy: bool,
    ) -> TokenStream {
        let rt = &self.rt;
        let call = quote!(#callee(#(#arguments),*));
        let (y, kind) = self.result_and_kind();
        let mut boxed = quote!({
            use #rt::{ErrorOfAnyType as _, ErrorWithDebug as _};
            (&mut #rt::Cause::new(error)).boxed()
        });
        if is_copy {
            // whose numbers are known as long as it runs
            boxed = quote!(#rt::overloaded::said(&*#boxed));
        }
        let stored = |value: TokenStream| match self.returns_structs {
            true => quote!(#rt::overloaded::Overload::overload(&#value)),
            false => value,
        };
        let (value, called) = (stored(quote!(value)), stored(call.clone()));
        let run = match (self.output(), self.fails) {
            (Some((name, _)), true) => quote! {
                let #name = __y;
                if let ::core::result::Result::Err(error) = #call {
                    #rt::fail(#boxed);
                }
            },
            (Some((name, _)), false) => quote! { let #name = __y; #call; },
            (None, true) => quote! {
                match #call {
                    ::core::result::Result::Ok(value) => *__y = #value,
                    ::core::result::Result::Err(error) => {
                        #rt::fail_at::<#y, #scalar>(__y, #boxed);
                    }
                }
            },
            (None, false) => quote! { *__y = #called; },
        };
        quote! {
            <#kind as #rt::Kind>::clear::<#y, #scalar>(&mut __y, ::core::default::Default::default());
            #run
        }
    }

    fn output(&self) -> Option<(&Ident, &TokenStream)> {
        self.params.iter().find_map(|(name, part)| match part {
            Part::Output(family) => Some((name, family)),
            Part::Active(..) | Part::Constant(..) | Part::Cache(..) => None,
        })
    }

    /// The family of the result, and how it is returned.
    fn result_and_kind(&self) -> (&TokenStream, TokenStream) {
        let rt = &self.rt;
        match self.output() {
            Some((_, family)) => (family, quote!(#rt::InPlace)),
            None => {
                let family = self.returned.as_ref().expect("Read::new looked at it");
                (family, quote!(#rt::Returning))
            }
        }
    }

    /// All impls of a handle; `impls` run the function.
    pub(crate) fn glue(&self, name: &Ident, impls: &TokenStream) -> TokenStream {
        let (rt, float) = (&self.rt, &self.takes.float);
        let families = self.params.iter().filter_map(|(_, part)| match part {
            Part::Active(family, _) => Some(family),
            Part::Constant(..) | Part::Cache(..) | Part::Output(_) => None,
        });
        let x = match &*families.collect::<Vec<_>>() {
            [family] => quote!(#family),
            families => quote!((#(#families,)*)),
        };
        let (y, kind) = self.result_and_kind();
        let (caches, cache_families) = self.caches();
        let contexts = self.contexts();
        let types = self.params.iter().filter_map(|(_, part)| match part {
            Part::Constant(ty, _) => Some(ty.to_token_stream()),
            Part::Cache(_, example) => Some(example.clone()),
            Part::Active(..) | Part::Output(_) => None,
        });
        let types: Vec<_> = types.collect();
        let constants = self.params.iter().filter_map(|(name, part)| match part {
            Part::Constant(..) => Some(name),
            Part::Active(..) | Part::Cache(..) | Part::Output(_) => None,
        });
        let bind = self.bind(name, &contexts, &types, self.output().is_some());
        let quiet = crate::options::quiet();
        quote! {
            #[automatically_derived]
            #quiet
            const _: () = {
                impl #rt::Signature for #name {
                    type Real = #float;
                    type X = #x;
                    type Y = #y;
                    type Kind = #kind;
                    type Fixed = ();
                    type Caches = #cache_families;
                    type Ctx<'__c> = (#(#types,)*) where Self: '__c;
                    fn constants<'__c>(
                        (#(#contexts,)*): Self::Ctx<'__c>,
                        __snapshot: &mut #rt::Snapshot,
                    ) where
                        Self: '__c,
                    {
                        use #rt::Unseen as _;
                        #(#rt::Probe(&#constants).snapshot(__snapshot);)*
                    }
                    fn caches<'__c>(
                        (#(#contexts,)*): Self::Ctx<'__c>,
                    ) -> <Self::Caches as #rt::Family>::Ref<'__c, #float>
                    where
                        Self: '__c,
                    {
                        #caches
                    }
                }
                #impls
                impl #rt::Supply for #name {
                    fn shorten<'__s, '__l: '__s>(ctx: Self::Ctx<'__l>) -> Self::Ctx<'__s> {
                        ctx
                    }
                }
                #bind
            };
        }
    }

    /// What makes an argument of operators of the handle.
    fn bind(
        &self,
        name: &Ident,
        contexts: &[&Ident],
        types: &[TokenStream],
        in_place: bool,
    ) -> TokenStream {
        let (rt, float) = (&self.rt, &self.takes.float);
        if !contexts.is_empty() {
            return quote! {
                impl #name {
                    /// Binds constants, and examples of the caches' shapes.
                    pub fn with<'__c>(self, #(#contexts: #types),*) -> #rt::Running<#rt::Supplied<'__c, #name>> {
                        #rt::Running::new(#rt::Supplied::new((#(#contexts,)*)))
                    }
                }
            };
        }
        if in_place {
            return quote! {
                impl #name {
                    /// Binds the buffer that the function writes to.
                    pub fn output<'__o, __Y>(
                        self,
                        y: &'__o mut __Y,
                    ) -> #rt::Writing<'__o, #rt::Supplied<'static, #name>, __Y>
                    where
                        __Y: #rt::ContainerMut<<#name as #rt::Signature>::Y, #float> + ?::core::marker::Sized,
                    {
                        #rt::Running::new(#rt::Supplied::<'static, #name>::new(())).output(y)
                    }
                }
            };
        }
        quote! {
            impl #rt::Function for #name {
                type Bound = #rt::Running<#rt::Supplied<'static, #name>>;
                fn bind(self) -> Self::Bound {
                    #rt::Running::new(#rt::Supplied::new(()))
                }
            }
        }
    }
}
