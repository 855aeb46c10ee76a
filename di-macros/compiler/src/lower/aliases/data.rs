//! Enums and structs of constants in the file of an item.

use super::scan::{Found, Lines, What};
use super::{around, collect, imported_data};
use crate::sorted::Set;
use crate::template::parse_quote;
use proc_macro2::{Span, TokenStream};

/// The enums, and the structs that are not derived, of which these tokens speak, and those that they speak of; also those
/// that are imported. Those with parts that are not there for all targets are left out.
pub(crate) fn data_around(of: &TokenStream, at: Span) -> Vec<syn::Item> {
    let (mut words, mut found, mut names) = (Set::default(), Vec::new(), Set::default());
    collect(of.clone(), &mut words);
    let all = around(at, &words);
    let is_data = |f: &&Found| matches!(f.what, What::Enum | What::Plain);
    let mut before = usize::MAX;
    while before != names.len() {
        before = names.len();
        for seen in all.iter().filter(is_data) {
            if words.contains(&seen.name)
                && names.insert(seen.name.clone())
                && let Ok(item) = syn::parse_str::<syn::Item>(&seen.text)
                && let Some(fields) = fields(&item)
            {
                collect(fields, &mut words);
                found.push(item);
            }
        }
    }
    let is_wanted = |name: &str| words.contains(name) && !names.contains(name);
    let imported = imported_data(at, &is_wanted).into_iter();
    found.extend(imported.filter(is_closed));
    found
}

/// Whether all of a type of elsewhere can be named.
fn is_closed(item: &syn::Item) -> bool {
    let is_open = |a: &syn::Attribute| a.path().is_ident("non_exhaustive");
    match item {
        syn::Item::Enum(e) => !e.attrs.iter().any(is_open),
        syn::Item::Struct(s) => !s.attrs.iter().any(is_open),
        _ => false,
    }
}

/// The enums and structs of which these tokens speak, and who sees each.
pub(crate) fn seen_around(of: &TokenStream, at: Span) -> Vec<(String, String)> {
    let mut words = Set::default();
    collect(of.clone(), &mut words);
    let is_type = |f: &Found| matches!(f.what, What::Enum | What::Plain | What::Derived);
    let all = around(at, &words).into_iter();
    let found = all.filter(|f| is_type(f) && words.contains(&f.name));
    found.map(|f| (f.name, f.vis)).collect()
}

/// The derived structs and the enums of the module that the item stands in, but for those that are asked, which these
/// words name.
pub(super) fn of_module(all: &[Found], words: &Set<String>, lines: &Lines) -> Vec<syn::Item> {
    let others = all
        .iter()
        .filter(|f| f.lines == *lines && !words.contains(&f.name));
    let found = others.filter_map(|seen| match seen.what {
        What::Derived => {
            let item = syn::parse_str::<syn::Item>(&seen.text).ok()?;
            fields(&item)?;
            let mut item = item;
            match &mut item {
                syn::Item::Struct(syn::ItemStruct { attrs, .. })
                | syn::Item::Enum(syn::ItemEnum { attrs, .. }) => {
                    *attrs = vec![parse_quote!(#[derive(Differentiable)])];
                }
                _ => return None,
            }
            Some(item)
        }
        What::Enum => {
            let name = syn::parse_str::<syn::Ident>(&seen.name).ok()?;
            Some(parse_quote!(enum #name {}))
        }
        _ => None,
    });
    found.collect()
}

/// Nothing if some are there under a condition.
pub(super) fn fields(item: &syn::Item) -> Option<TokenStream> {
    use quote::ToTokens;
    let (attrs, fields): (Vec<_>, TokenStream) = match item {
        syn::Item::Enum(e) => {
            let of_variants = e.variants.iter().flat_map(|v| &v.attrs);
            let of_fields = e
                .variants
                .iter()
                .flat_map(|v| &v.fields)
                .flat_map(|f| &f.attrs);
            (
                of_variants.chain(of_fields).collect(),
                e.variants.to_token_stream(),
            )
        }
        syn::Item::Struct(s) => {
            let attrs = s.fields.iter().flat_map(|f| &f.attrs).collect();
            (attrs, s.fields.to_token_stream())
        }
        _ => return None,
    };
    let is_conditional =
        |a: &&syn::Attribute| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr");
    (!attrs.iter().any(is_conditional)).then_some(fields)
}
