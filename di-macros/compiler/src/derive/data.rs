//! Enums and structs without floats in the fields of a derived struct: constants, which a tape keeps as which variant
//! they are and what is in it. Neither has an attribute of ours, so the file is read; rustc verifies what was read, as
//! the code that is written here names all variants and fields. An enum with floats is one where the field is marked as
//! constant: else a derivative would be lost.

use super::Beside;
use super::field::{Reader, is_passive};
use crate::error;
use crate::lower::aliases::{data_around, seen_around};
use crate::report::Report;
use crate::sorted::Set;
use crate::template::{list, parse_quote, quote};
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;

/// The types that the fields of a struct name, and those that these name.
#[derive(Default)]
pub(super) struct Data {
    types: Vec<Type>,
    /// Those without floats that make a field constant without a mark.
    claimed: Set<String>,
    /// Whether the types in a field are seen wherever the struct is, as far as the file says.
    is_open: Vec<bool>,
}

struct Type {
    name: Ident,
    is_enum: bool,
    /// As attributes say.
    is_clone: bool,
    /// How each is written, and what is in it. One of a struct.
    variants: Vec<(TokenStream, syn::Fields)>,
}

impl Type {
    /// `None` of what has parameters: a name alone is not its type.
    fn new(item: syn::Item) -> Option<Type> {
        let (name, is_enum, is_clone, variants) = match item {
            syn::Item::Enum(e) if e.generics.params.is_empty() => {
                let variants = e.variants.into_iter().map(|v| {
                    let (owner, name) = (&e.ident, &v.ident);
                    (quote!(#owner::#name), v.fields)
                });
                let is_clone = !e.attrs.is_empty();
                (e.ident.clone(), true, is_clone, variants.collect())
            }
            syn::Item::Struct(s) if s.generics.params.is_empty() => {
                let name = &s.ident;
                let variants = vec![(quote!(#name), s.fields)];
                (s.ident, false, !s.attrs.is_empty(), variants)
            }
            _ => return None,
        };
        Some(Type {
            name,
            is_enum,
            is_clone,
            variants,
        })
    }

    fn types(&self) -> impl Iterator<Item = &syn::Type> {
        let fields = self.variants.iter().flat_map(|(_, fields)| fields);
        fields.map(|f| &f.ty)
    }
}

impl Data {
    /// Marks the fields that hold nothing to differentiate as constant, and as what nobody looks into.
    pub(super) fn read(input: &mut syn::DeriveInput, beside: Beside<'_>, cx: &Report) -> Data {
        let at = input.ident.span();
        let syn::Data::Struct(s) = &mut input.data else {
            return Data::default();
        };
        let found = data_around(&s.fields.to_token_stream(), at).into_iter();
        let types = found.filter_map(Type::new);
        let is_data = |ty: &Type| !beside.derived.iter().any(|name| ty.name == name);
        let mut types: Vec<Type> = types.filter(is_data).collect();
        for ty in &mut types {
            ty.is_clone |= beside.cloned.iter().any(|name| ty.name == name);
        }
        let free = made_of(&types, Set::default());
        let enums = types.iter().filter(|ty| ty.is_enum);
        let marked = made_of(&types, enums.map(|ty| ty.name.to_string()).collect());
        let mut claimed = Set::default();
        for f in &mut s.fields {
            let is_marked = f.attrs.iter().any(|a| a.path().is_ident("constant"));
            if !is_marked && let Some(name) = beside_floats(&f.ty, &types, &free) {
                cx.error_about(f.ty.span(), &error::DERIVE_TUPLE, name);
                continue;
            }
            if is_passive(&f.ty) || !is_passive(&without(&f.ty, &marked)) {
                continue;
            }
            if !is_marked && !is_passive(&without(&f.ty, &free)) {
                let mut named = Set::default();
                claim(&f.ty, &types, &mut named);
                let mut enums = types
                    .iter()
                    .filter(|ty| ty.is_enum)
                    .map(|ty| ty.name.to_string());
                if let Some(name) = enums.find(|name| named.contains(name) && !free.contains(name))
                {
                    cx.error_about(f.ty.span(), &error::DERIVE_ENUM, name);
                }
                continue;
            }
            if !is_marked {
                claim(&f.ty, &types, &mut claimed);
                f.attrs.push(parse_quote!(#[constant]));
            }
            f.attrs.push(parse_quote!(#[ad(skip)]));
        }
        let vis = text(&input.vis);
        let seen = seen_around(&s.fields.to_token_stream(), at).into_iter();
        let seen = seen.filter(|(_, by)| by == "pub" || *by == vis);
        let seen: Set<String> = seen.map(|(name, _)| name).collect();
        let is_open = s.fields.iter().map(|f| is_passive(&without(&f.ty, &seen)));
        let is_open = is_open.collect();
        Data {
            types,
            claimed,
            is_open,
        }
    }

    /// Tells which fields are seen wherever the struct is, and which types a tape can keep.
    pub(super) fn tell(&self, reader: &mut Reader<'_>) {
        reader.is_open.clone_from(&self.is_open);
        let mut before = usize::MAX;
        while before != reader.kept.len() {
            before = reader.kept.len();
            for ty in &self.types {
                let is_kept = ty.is_clone && !ty.variants.is_empty();
                if is_kept && ty.types().all(|ty| reader.is_kept(ty)) {
                    reader.kept.insert(ty.name.to_string());
                }
            }
        }
    }

    /// What does not compile if a type without floats is another one than the file says, as where a function declares
    /// one of the same name: all variants and all of their fields, with their types.
    pub(super) fn checks(&self) -> TokenStream {
        let is_claimed = |ty: &&Type| self.claimed.contains(&ty.name.to_string());
        let all = self.types.iter().filter(is_claimed).map(|ty| {
            let arms = ty.variants.iter().map(|variant| {
                let (pattern, names) = (pattern(variant), names(&variant.1));
                let types = variant.1.iter().map(|f| &f.ty);
                quote!(#pattern => { #(let _: &#types = #names;)* })
            });
            let (name, of) = match ty.variants.is_empty() {
                true => (&ty.name, quote!(*__of)),
                false => (&ty.name, quote!(__of)),
            };
            quote!(const _: fn(&#name) = |__of| match #of { #(#arms)* };)
        });
        quote!(#(#all)*)
    }

    /// How a tape keeps those of these names. `by`: a type of the derived struct alone.
    pub(super) fn keeping(
        &self,
        kept: &Set<String>,
        by: &TokenStream,
        (real, rt): (&TokenStream, &TokenStream),
    ) -> TokenStream {
        let is_kept = |ty: &&Type| kept.contains(&ty.name.to_string());
        let all = self.types.iter().filter(is_kept).map(|ty| {
            let name = &ty.name;
            let keep = quote!(#rt::Keep<#real, #by>);
            let parts: Vec<TokenStream> = ty.variants.iter().map(|(_, f)| parts(f)).collect();
            let zero = made(&ty.variants[0]);
            let keeps = ty
                .variants
                .iter()
                .zip(&parts)
                .enumerate()
                .map(|(k, (variant, parts))| {
                    let (pattern, names) = (pattern(variant), names(&variant.1));
                    let list = list(names.map(|name| quote!(::core::clone::Clone::clone(#name))));
                    quote!(#pattern => {
                        __ints[0] = #k;
                        let __parts: #parts = #list;
                        <#parts as #keep>::keep(
                            &__parts,
                            &mut __words[..<#parts as #keep>::WORDS],
                            &mut __ints[1..][..<#parts as #keep>::INTS],
                        );
                    })
                });
            let last = ty.variants.len() - 1;
            let made = ty
                .variants
                .iter()
                .zip(&parts)
                .enumerate()
                .map(|(k, (variant, parts))| {
                    let number = match k == last {
                        true => quote!(_),
                        false => quote!(#k),
                    };
                    let made = made(variant);
                    quote!(#number => {
                        let __words = &__words[..<#parts as #keep>::WORDS];
                        let __ints = &__ints[1..][..<#parts as #keep>::INTS];
                        let __parts = <#parts as #keep>::kept(__words, __ints);
                        #made
                    })
                });
            let first = &parts[0];
            quote! {
                impl #keep for #name {
                    const WORDS: usize = #rt::largest(&[#(<#parts as #keep>::WORDS),*]);
                    const INTS: usize = 1 + #rt::largest(&[#(<#parts as #keep>::INTS),*]);
                    fn zero() -> Self {
                        let __parts = <#first as #keep>::zero();
                        #zero
                    }
                    fn keep<__S: #rt::Scalar>(&self, __words: &mut [__S], __ints: &mut [usize]) {
                        match self {
                            #(#keeps)*
                        }
                    }
                    fn kept<__S: #rt::Scalar>(__words: &[__S], __ints: &[usize]) -> Self {
                        match __ints[0] {
                            #(#made)*
                        }
                    }
                }
            }
        });
        quote!(#(#all)*)
    }
}

/// The types that hold none but these and what is passive, and these.
fn made_of(types: &[Type], mut known: Set<String>) -> Set<String> {
    let mut before = usize::MAX;
    while before != known.len() {
        before = known.len();
        for ty in types {
            if ty.types().all(|ty| is_passive(&without(ty, &known))) {
                known.insert(ty.name.to_string());
            }
        }
    }
    known
}

/// Adds the types that a type names, and those that these name.
fn claim(ty: &syn::Type, types: &[Type], claimed: &mut Set<String>) {
    for of in types {
        let names: Set<String> = std::iter::once(of.name.to_string()).collect();
        let is_named = without(ty, &names) != *ty;
        if is_named && claimed.insert(of.name.to_string()) {
            of.types().for_each(|ty| claim(ty, types, claimed));
        }
    }
}

/// An enum without floats in a tuple that has some.
fn beside_floats<'a>(ty: &syn::Type, types: &'a [Type], free: &Set<String>) -> Option<&'a Ident> {
    let enums = types.iter().filter(|of| of.is_enum);
    let mut names = enums.map(|of| &of.name);
    names.find(|name| {
        let names: Set<String> = std::iter::once(name.to_string()).collect();
        free.contains(&name.to_string())
            && walk::any(Node::Type(ty), &mut |node| {
                let Node::Type(of @ syn::Type::Tuple(_)) = node else {
                    return false;
                };
                without(of, &names) != *of && !is_passive(&without(of, free))
            })
    })
}

/// Without spaces.
fn text(of: &impl ToTokens) -> String {
    let text = of.to_token_stream().to_string();
    text.split_whitespace().collect()
}

/// The type where all of these names are those of a type without floats.
fn without(ty: &syn::Type, known: &Set<String>) -> syn::Type {
    let mut ty = ty.clone();
    walk::change(NodeMut::Type(&mut ty), &mut |node| match node {
        NodeMut::Type(ty) => match ty {
            syn::Type::Path(p) if is_one_of(&p.path, known) => {
                *ty = parse_quote!(usize);
                Onward::Over
            }
            _ => Onward::Into,
        },
        _ => Onward::Into,
    });
    ty
}

pub(super) fn is_one_of(path: &syn::Path, names: &Set<String>) -> bool {
    path.get_ident()
        .is_some_and(|name| names.contains(&name.to_string()))
}

fn names(fields: &syn::Fields) -> impl Iterator<Item = Ident> {
    (0..fields.len()).map(|k| format_ident!("__p{k}"))
}

/// The types of the fields as a list: `(A, (B, ()))`.
fn parts(fields: &syn::Fields) -> TokenStream {
    list(fields.iter().map(|f| &f.ty))
}

/// `Variant { 0: __p0, 1: __p1 }`
fn pattern((variant, fields): &(TokenStream, syn::Fields)) -> TokenStream {
    let members = fields.members();
    let names = names(fields);
    quote!(#variant { #(#members: #names),* })
}

/// The variant, of a list with the name `__parts`.
fn made(variant: &(TokenStream, syn::Fields)) -> TokenStream {
    let list = list(names(&variant.1));
    let made = pattern(variant);
    quote!({
        let #list = __parts;
        #made
    })
}
