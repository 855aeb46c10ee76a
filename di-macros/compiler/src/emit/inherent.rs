//! The inherent impls of a handle: the place of all code of a function.

use super::instance::{Generics, code_name, lengths_name, lengths_type};
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

/// Writes functions that go on to those of the code, and are themselves generic over types.
pub(crate) type Forwards = dyn Fn(&TokenStream, &Ident, &Generics) -> TokenStream;

/// What stands in the inherent impls of a handle.
#[derive(Default)]
pub(crate) struct Inherent {
    /// The same for all instances.
    pub(super) constants: TokenStream,
    /// Functions.
    pub(super) code: TokenStream,
    /// The impl that leads from the arguments of a call to the code of a generic function.
    pub(super) infer: TokenStream,
    /// What they must find in scope.
    pub(super) imports: TokenStream,
}

impl Inherent {
    /// Of a function that is not generic.
    pub(crate) fn new(items: TokenStream) -> Inherent {
        Inherent {
            constants: items,
            ..Inherent::default()
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.constants.is_empty() && self.code.is_empty()
    }

    /// The impls, but for the constant `AD`.
    pub(crate) fn blocks(
        &self,
        handle: &Ident,
        vis: &TokenStream,
        generics: &Generics,
        rt: &TokenStream,
        forwards: &Forwards,
    ) -> (Vec<TokenStream>, TokenStream) {
        let Inherent {
            constants,
            code,
            infer,
            imports,
        } = self;
        let arguments = generics.arguments();
        if generics.is_empty() {
            // the one instance that there is may be named
            let instance = (!arguments.is_empty()).then(|| {
                quote!(
                    impl #rt::Instance for #handle #arguments {
                        type Of = Self;
                    }
                )
            });
            let blocks = quote!(
                #imports
                #[doc(hidden)]
                impl #handle {
                    #constants
                    #code
                }
                impl<__T> #rt::Infer<__T> for #handle {
                    type Of = Self;
                }
                #instance
            );
            return (Vec::new(), blocks);
        }
        let (name, of) = (code_name(handle), generics.code(handle));
        let (declared, bounds) = (generics.for_impl(), generics.bounds());
        let unbounded = generics.unbounded();
        let fields = generics.free_fields();
        let mut types = vec![quote!(#vis struct #name<#(#unbounded),*> #fields)];
        let mut forwarding = TokenStream::new();
        if generics.has_types() {
            let (declared, of) = lengths_type(handle, generics);
            if !declared.is_empty() {
                let name = lengths_name(handle);
                types.push(quote!(#vis struct #name #declared {}));
            }
            if !code.is_empty() {
                let functions = forwards(code, handle, generics);
                forwarding = quote!(impl #declared #of { #functions });
            }
        }
        let blocks = quote!(
            #imports
            #[doc(hidden)]
            impl #handle {
                #constants
            }
            #[doc(hidden)]
            impl #declared #of #bounds {
                #code
            }
            impl #declared #rt::Instance for #handle #arguments #bounds {
                type Of = #of;
            }
            #forwarding
            #infer
        );
        (types, blocks)
    }
}
