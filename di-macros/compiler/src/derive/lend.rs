//! How a struct is handed over: by what the callee's parameter takes.

use super::code::Code;
use crate::template::quote;
use proc_macro2::TokenStream;

impl Code<'_> {
    /// The impls by which generated code infers the form of an argument.
    pub(super) fn lending(&self) -> TokenStream {
        let Code {
            rt,
            view,
            of,
            args,
            params,
            me,
            ..
        } = self;
        let real = &self.s.real;
        quote! {
            impl<'__v, __S: #rt::Entry, #(#params),*> #rt::LentMut<'__v, #of<__S, #(#args),*>> for #view<'__v, __S, #(#args),*> {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lent_mut(__of: &'__v mut #of<__S, #(#args),*>) -> Self {
                    <#me as #rt::Differentiable>::lend(__of)
                }
            }
            impl<'__v, __S: #rt::Entry, #(#params),*> #rt::LentMut<'__v, #of<__S, #(#args),*>> for #of<__S, #(#args),*> {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lent_mut(__of: &'__v mut #of<__S, #(#args),*>) -> Self {
                    ::core::clone::Clone::clone(__of)
                }
            }
            impl<'__v, __S: #rt::Entry, #(#params),*> #rt::LentRef<#view<'__v, __S, #(#args),*>> for #view<'__v, __S, #(#args),*> {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lent_ref(__view: Self) -> Self {
                    __view
                }
            }
            impl<'__v, __S: #rt::Scalar<Real = #real>, #(#params),*> #rt::LentRef<#view<'__v, __S, #(#args),*>> for #of<__S, #(#args),*> {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lent_ref(__view: #view<'__v, __S, #(#args),*>) -> Self {
                    <#me as #rt::Differentiable>::own(__view)
                }
            }
            impl<'__v, __S: #rt::Entry, #(#params),*> #rt::LentView<#view<'__v, __S, #(#args),*>> for #view<'__v, __S, #(#args),*> {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lent_view(__view: ::core::option::Option<Self>) -> Self {
                    __view.expect("kept for a parameter behind `&`")
                }
            }
        }
    }
}
