//! Functions of an annotated module, and what is generated for an item that knows the others.

use super::module::Module;
use super::stages::messages;
use super::{Items, asks, expand_free, original, signatures};
use crate::answer::can_be_asked;
use crate::options::{self, Options};
use crate::report::Report;
use crate::template::quote;
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Module<'_> {
    /// A function with options of its own.
    pub(super) fn marked(&self, f: &syn::ItemFn) -> TokenStream {
        let (ours, others): (Vec<_>, Vec<_>) = f.attrs.iter().cloned().partition(options::is_ours);
        let cx = Report::default();
        let written = match ours.first().map(|a| &a.meta) {
            Some(syn::Meta::List(list)) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        // what the module's attribute says holds for its functions too
        let both = [&written, self.attr].into_iter().filter(|a| !a.is_empty());
        let attr = quote!(#(#both),*);
        let own = Options::parse(attr.clone(), &cx);
        let messages = messages(cx);
        let f = syn::ItemFn {
            attrs: others,
            ..f.clone()
        };
        let function = self.function(&f, &own, &attr);
        quote!(#messages #function)
    }

    pub(super) fn function(
        &self,
        f: &syn::ItemFn,
        options: &Options,
        attr: &TokenStream,
    ) -> TokenStream {
        let signature = signatures::handing_on(&self.outside.function(f));
        let mut asked = asks::of(&syn::Item::Fn(f.clone()));
        asked.retain(|path| self.can_ask(path));
        let (text, at) = (f.to_token_stream(), f.sig.ident.span());
        asked.extend(signatures::further(&self.known, &self.env, &text, at));
        let items = if asked.is_empty() {
            expand_free(options, f.clone(), self.env.clone(), true)
        } else {
            Items {
                named: super::stages::declared(f, options),
                asked,
                ..Items::default()
            }
        };
        let original = original(f);
        let generated = self.generated(items, &f.to_token_stream(), (options, attr));
        quote!(#original #signature #generated)
    }

    fn can_ask(&self, path: &TokenStream) -> bool {
        !self.env.knows(&path.to_string()) && can_be_asked(path)
    }

    pub(super) fn generated(
        &self,
        mut items: Items,
        item: &TokenStream,
        (options, attr): (&Options, &TokenStream),
    ) -> TokenStream {
        items.asked.retain(|path| self.can_ask(path));
        let (named, others) = (&items.named, &items.others);
        if items.asked.is_empty() {
            return quote!(#named #others);
        }
        let asks = signatures::ask(&self.known, &items.asked, options, attr, item);
        quote!(#named #asks)
    }
}
