//! `#[derive(Differentiable)]`: a view with passive fields, lanes without them, and a twin with any
//! scalar in the place of floats. The one place beside the pipeline that sees both syntax and output,
//! since it has no code to transform.

mod code;
mod data;
mod field;
mod inner;
mod lend;
mod made;
mod parts;
mod tape;
mod variants;

use crate::answer::{answering, same};
use crate::error;
use crate::lower::aliases::{
    Outside, blocks_of, cloned_by_hand, is_of, known_elsewhere, read_around,
};
use crate::lower::bundles::borrows;
use crate::lower::extent::HasExtent;
use crate::options::Options;
use crate::report::{Diagnostic, Report, Stop};
use crate::sorted::Set;
use crate::template::quote;
use data::Data;
use field::{Field, Reader};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use variants::Variant;

/// Expands the derive on a struct.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let write_out = |input: &mut syn::DeriveInput| Outside::at(input.ident.span()).fields(input);
    derive_with(item, Beside::default(), write_out, |input| {
        let at = input.ident.span();
        let blocks = blocks_of(&input.ident.to_string(), borrows(&input.generics), at).into_iter();
        blocks.map(ToTokens::into_token_stream).collect()
    })
}

/// Types of the annotated module that a type is derived in, by their names: what its attribute derives for them, the file
/// does not say.
#[derive(Clone, Copy, Default)]
pub(crate) struct Beside<'a> {
    /// Those with derivatives.
    pub(crate) derived: &'a [String],
    /// Those with `Clone`.
    pub(crate) cloned: &'a [String],
}

/// The same for a struct whose blocks are known. `write_out`: what others know of its fields.
pub(crate) fn derive_among(
    item: TokenStream,
    blocks: &[syn::ItemImpl],
    beside: Beside<'_>,
    write_out: impl Fn(&mut syn::DeriveInput),
) -> TokenStream {
    derive_with(item, beside, write_out, |input| {
        let own = blocks
            .iter()
            .filter(|block| is_of(block, &input.ident.to_string()));
        let known = own.map(|block| known_elsewhere(block.clone(), true));
        known.map(ToTokens::into_token_stream).collect()
    })
}

fn derive_with(
    item: TokenStream,
    beside: Beside<'_>,
    write_out: impl Fn(&mut syn::DeriveInput),
    blocks: impl Fn(&syn::DeriveInput) -> Vec<TokenStream>,
) -> TokenStream {
    let (item, aliases) = without_aliases(item);
    let Ok(mut input) = syn::parse2::<syn::DeriveInput>(item) else {
        // rustc has said so
        return TokenStream::new();
    };
    let cx = Report::default();
    let own_clone =
        beside.derived.is_empty() && cloned_by_hand(&input.ident.to_string(), input.ident.span());
    if own_clone {
        cx.error(input.ident.extent(), &crate::error::OWN_CLONE);
    }
    let variants = variants::take(&mut input, &cx);
    let data = Data::read(&mut input, beside, &cx);
    let mut known = input.clone();
    write_out(&mut known);
    let signature = handing_on(&known, variants.as_deref(), &blocks(&input));
    if borrows(&input.generics) && matches!(input.data, syn::Data::Struct(_)) {
        // a value of it has no type of its own in generated code
        cx.discard();
        let own = Diagnostic::new(input.ident.extent(), &crate::error::OWN_CLONE);
        let refused = own_clone.then(|| refused(&input, &[own]));
        return quote!(#signature #refused #aliases);
    }
    let structs = inner::name_structs(&mut input);
    let read = read_struct(&input, variants, &data, &cx);
    let generated = match cx.check() {
        Ok(()) => read
            .map(|s| code::expand(&s, &structs, &data))
            .unwrap_or_default(),
        Err(Stop::Mismatch) => TokenStream::new(),
        Err(Stop::Errors(errors)) => refused(&input, &errors),
    };
    quote!(#signature #generated #aliases)
}

/// The item without the aliases of its file, and what checks these.
fn without_aliases(item: TokenStream) -> (TokenStream, TokenStream) {
    let around = match syn::parse2::<syn::Item>(item.clone()) {
        Ok(parsed @ (syn::Item::Struct(_) | syn::Item::Enum(_))) => {
            read_around(&parsed, item.span())
        }
        _ => return (item, TokenStream::new()),
    };
    match around.item {
        Some(plain) => (plain.into_token_stream(), same(&around.same)),
        None => (item, TokenStream::new()),
    }
}

/// The macro by which the struct hands its fields on, and its methods and operators.
fn handing_on(
    input: &syn::DeriveInput,
    variants: Option<&[Variant]>,
    blocks: &[TokenStream],
) -> TokenStream {
    let syn::Data::Struct(data) = &input.data else {
        return TokenStream::new();
    };
    let (name, generics, fields) = (&input.ident, &input.generics, &data.fields);
    let semi = data.semi_token;
    let item = match variants {
        Some(variants) => {
            let variants = variants::written(variants, fields);
            quote!(enum #name { #(#variants),* })
        }
        None => quote!(struct #name #generics #fields #semi),
    };
    let answer = quote!(#[derive(Differentiable)] #item #(#blocks)*);
    answering(name, &input.vis, &input.attrs, &answer)
}

/// Whether a struct or an enum can be derived.
pub(crate) fn fits(mut input: syn::DeriveInput, beside: Beside<'_>) -> bool {
    let cx = Report::default();
    let variants = variants::take(&mut input, &cx);
    // constants in variants have a zero
    let data = match &variants {
        Some(_) => Data::read(&mut input, beside, &cx),
        None => Data::default(),
    };
    let read = read_struct(&input, variants, &data, &cx).is_some();
    let fits = read && cx.is_clean();
    cx.discard();
    fits
}

/// What stands for a struct that is refused: a constant with the messages, on which all depends that is made
/// of the struct, so that rustc says no more.
fn refused(input: &syn::DeriveInput, errors: &[Diagnostic]) -> TokenStream {
    // what is wrong with the argument is among the messages
    let ignored = Report::default();
    let rt = runtime(&input.attrs, &ignored);
    ignored.discard();
    let name = &input.ident;
    let (params, arguments, bounds) = input.generics.split_for_impl();
    let errors = errors.iter().map(|e| {
        let text = e.text();
        quote_spanned!(e.span=> ::core::compile_error!(#text);)
    });
    let quiet = crate::options::quiet();
    quote! {
        #[automatically_derived]
        #quiet
        const _: () = {
            impl #params #rt::Derived for #name #arguments #bounds {
                const UNDERSTOOD: () = {
                    #(#errors)*
                };
            }
        };
    }
}

/// A struct as it is expanded.
struct Struct<'a> {
    input: &'a syn::DeriveInput,
    fields: Vec<Field<'a>>,
    /// Those of an enum, whose fields are what they hold.
    variants: Option<Vec<Variant>>,
    /// Whether there are more, of the same names.
    is_twice: bool,
    /// Whether its fields have names.
    named: bool,
    /// Types of its constants that a tape can keep, and its file says how.
    kept: Set<String>,
    /// Its float type.
    real: TokenStream,
    /// What generated code is written in.
    rt: TokenStream,
}

fn read_struct<'a>(
    input: &'a syn::DeriveInput,
    variants: Option<Vec<Variant>>,
    data: &Data,
    cx: &Report,
) -> Option<Struct<'a>> {
    let syn::Data::Struct(s) = &input.data else {
        cx.error(input.ident.span(), &error::DERIVE_NOT_A_STRUCT);
        return None;
    };
    for p in &input.generics.params {
        if !matches!(p, syn::GenericParam::Const(_)) {
            cx.error(p.span(), &error::DERIVE_GENERICS);
        }
    }
    let (fields, named) = match &s.fields {
        syn::Fields::Named(fields) => (&fields.named, true),
        syn::Fields::Unnamed(fields) => (&fields.unnamed, false),
        syn::Fields::Unit => {
            cx.error(input.ident.span(), &error::DERIVE_NOT_A_STRUCT);
            return None;
        }
    };
    let rt = runtime(&input.attrs, cx);
    let mut reader = Reader::new(&s.fields, rt.clone(), cx);
    reader.is_enum = variants.is_some();
    data.tell(&mut reader);
    let (mut known, number) = (Set::new(), fields.len());
    let fields: Vec<Field<'a>> = fields
        .iter()
        .enumerate()
        // of a field that is there twice rustc says so
        .filter(|(_, f)| f.ident.as_ref().is_none_or(|name| known.insert(name)))
        .filter_map(|(k, f)| reader.field(k, f))
        .collect();
    if variants.is_some() {
        variants::check(&fields, input, cx);
    }
    let real = field::real(reader.float, &fields, &rt);
    let is_twice = cx.is_clean() && fields.len() < number;
    Some(Struct {
        input,
        fields,
        variants,
        is_twice,
        named,
        kept: reader.kept,
        real,
        rt,
    })
}

/// Where the library is: `#[ad(crate = path)]` on the struct.
fn runtime(attrs: &[syn::Attribute], cx: &Report) -> TokenStream {
    let mark = attrs.iter().find(|a| a.path().is_ident("ad"));
    let options = match mark.map(|a| &a.meta) {
        Some(syn::Meta::List(list)) => Options::parse(list.tokens.clone(), cx).without_code(cx),
        Some(meta) => {
            cx.error_about(meta.span(), &error::ATTRIBUTE_ARGUMENT, "it is empty");
            Options::default()
        }
        None => Options::default(),
    };
    let krate = options.krate();
    quote!(#krate::__private)
}
