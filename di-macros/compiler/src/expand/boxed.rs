//! Trait objects that functions of an annotated module make of what varies, or name in their bodies: they are values of
//! an enum of all types that have the trait, which the module has beside them. Functions that take or return objects
//! stand in the place of their calls, where a box is a value.
//!
//! ```text
//! enum Law__Objects { Linear(Linear), Cubic(Cubic) }
//! impl Law__Objects {
//!     fn force(&self, u: f64) -> f64 {
//!         match self { Self::Linear(__object) => __object.force(u), Self::Cubic(__object) => __object.force(u) }
//!     }
//! }
//! ```

use super::marks::is_test;
use super::objects::{after_dyn, types_with};
use super::structs::holds_floats;
use super::varied;
use crate::lower::bundles::put_mark;
use crate::lower::environment::Environment;
use crate::lower::inline;
use crate::options;
use crate::sorted::Set;
use crate::symbol::objects;
use crate::template::{parse_quote, quote};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::punctuated::Punctuated;

/// What a module has of such objects.
#[derive(Default)]
pub(super) struct Boxed {
    /// Traits, and the enums of their objects.
    enums: Vec<(Ident, Ident)>,
    /// Structs that hold objects, and are made of what varies.
    pub(super) holders: Set<String>,
}

impl Boxed {
    /// Adds the enums to the items, and marks the functions that take or return objects.
    pub(super) fn put_into(items: &mut Vec<syn::Item>) -> Boxed {
        let mut boxed = Boxed::default();
        let groups = groups(items);
        let types = groups.iter().flat_map(|group| &group.types);
        let types: Set<String> = types.map(ToString::to_string).collect();
        if types.is_empty() {
            return boxed;
        }
        let made = varied::made(items, &types);
        let named = named_in_bodies(items);
        let is_made = |group: &Group<'_>| {
            group.types.iter().any(|ty| made.contains(&ty.to_string()))
                || (group.traits.iter()).any(|of| named.iter().any(|name| of.ident == name))
        };
        let mut added = Vec::new();
        for group in groups.iter().filter(|group| is_made(group)) {
            let name = objects(&group.traits[0].ident.to_string());
            let traits = group
                .traits
                .iter()
                .map(|of| (of.ident.clone(), name.clone()));
            boxed.enums.extend(traits);
            added.extend(group.items(&name, items));
        }
        if added.is_empty() {
            return boxed;
        }
        let holders = items.iter().filter_map(|item| match item {
            syn::Item::Struct(s) if s.generics.params.is_empty() && boxed.speaks(&s.fields) => {
                Some(s.ident.to_string())
            }
            _ => None,
        });
        boxed.holders = varied::made(items, &holders.collect());
        let defaults: Vec<syn::Item> = items
            .iter_mut()
            .filter_map(|i| boxed.written_default(i))
            .collect();
        items.extend(defaults);
        boxed.mark(items);
        items.extend(added);
        boxed
    }

    /// What the items of the module know of them: `trait Law = Law__Objects;`.
    pub(super) fn known(&self) -> Vec<TokenStream> {
        let known = self.enums.iter();
        known.map(|(of, name)| quote!(trait #of = #name;)).collect()
    }

    /// Whether this is the enum of some objects.
    pub(super) fn is_of_objects(&self, name: &Ident) -> bool {
        self.enums.iter().any(|(_, of)| of == name)
    }

    /// The default of such a struct is written out in the place of its derive.
    fn written_default(&self, item: &mut syn::Item) -> Option<syn::Item> {
        let syn::Item::Struct(s) = item else {
            return None;
        };
        let is_holder = self.holders.contains(&s.ident.to_string());
        if !is_holder || !without_derive(&mut s.attrs, "Default") {
            return None;
        }
        let (name, members) = (&s.ident, s.fields.members());
        let conditions = s.fields.iter().map(|field| {
            let each = field.attrs.iter().filter(|a| a.path().is_ident("cfg"));
            quote!(#(#each)*)
        });
        // at the struct: names are looked up in the module in which the code stands
        let at = s.struct_token.span;
        Some(syn::parse_quote_spanned! {at=>
            impl ::core::default::Default for #name {
                fn default() -> Self {
                    Self { #(#conditions #members: ::core::default::Default::default()),* }
                }
            }
        })
    }

    fn speaks(&self, of: &impl ToTokens) -> bool {
        let words = after_dyn(of.to_token_stream());
        (self.enums.iter()).any(|(of_trait, _)| words.iter().any(|word| of_trait == word))
    }

    fn mark(&self, items: &mut [syn::Item]) {
        let env = inline::aliases_among(items);
        let text: TokenStream = items.iter().map(ToTokens::to_token_stream).collect();
        let takes = |input: &syn::FnArg| match input {
            syn::FnArg::Typed(p) => p.attrs.is_empty() && self.speaks(&env.expanded(&p.ty)),
            syn::FnArg::Receiver(_) => false,
        };
        // what nothing calls is for others, who have constants for it
        let stands = |sig: &syn::Signature| {
            matches!(&sig.output, syn::ReturnType::Type(_, ty) if self.speaks(&env.expanded(ty)))
                || sig.inputs.iter().any(takes) && count(text.clone(), &sig.ident) > 1
        };
        for item in items {
            match item {
                syn::Item::Fn(f) if !is_test(&f.attrs) && stands(&f.sig) => put_mark(&mut f.attrs),
                syn::Item::Impl(block) if !block.attrs.iter().any(options::is_skip) => {
                    for inner in &mut block.items {
                        if let syn::ImplItem::Fn(f) = inner
                            && stands(&f.sig)
                        {
                            put_mark(&mut f.attrs);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// The traits of the objects that functions of the module name: `let law: Box<dyn Law> = ..`.
fn named_in_bodies(items: &[syn::Item]) -> Vec<String> {
    let of_block = |attrs: &[syn::Attribute], block: &syn::Block| match is_test(attrs) {
        true => Vec::new(),
        false => after_dyn(block.to_token_stream()),
    };
    let all = items.iter().flat_map(|item| match item {
        syn::Item::Fn(f) => of_block(&f.attrs, &f.block),
        syn::Item::Impl(block) if !block.attrs.iter().any(options::is_skip) => {
            let each = block.items.iter().flat_map(|inner| match inner {
                syn::ImplItem::Fn(f) => of_block(&f.attrs, &f.block),
                _ => Vec::new(),
            });
            each.collect()
        }
        _ => Vec::new(),
    });
    all.collect()
}

/// Traits that have types in common, and all types that have them.
struct Group<'a> {
    traits: Vec<&'a syn::ItemTrait>,
    types: Vec<&'a Ident>,
}

/// The traits of a module of which there are objects, if all types are known.
fn groups(items: &[syn::Item]) -> Vec<Group<'_>> {
    let text: TokenStream = items.iter().map(ToTokens::to_token_stream).collect();
    let named = after_dyn(text);
    let mut found: Vec<Group<'_>> = Vec::new();
    for item in items {
        if let syn::Item::Trait(of) = item
            && of.generics.params.is_empty()
            && named.iter().any(|name| of.ident == name)
            && let Some(types) = types_with(of, items)
            && types.iter().all(|ty| is_plain(ty, items))
        {
            let mut group = Group {
                traits: vec![of],
                types,
            };
            let shares = |other: &Group<'_>| other.types.iter().any(|ty| group.types.contains(ty));
            if let Some(k) = found.iter().position(shares) {
                let other = found.remove(k);
                group.traits.splice(0..0, other.traits);
                group.types.splice(0..0, other.types);
            }
            let mut known = Set::new();
            group.types.retain(|ty| known.insert(ty.to_string()));
            found.push(group);
        }
    }
    found
}

/// Whether a type is one of the module's without parameters and without objects.
fn is_plain(ty: &Ident, items: &[syn::Item]) -> bool {
    items.iter().any(|item| match item {
        syn::Item::Struct(syn::ItemStruct {
            ident, generics, ..
        })
        | syn::Item::Enum(syn::ItemEnum {
            ident, generics, ..
        }) => {
            let is_open = !generics.params.is_empty();
            ident == ty && !is_open && after_dyn(item.to_token_stream()).is_empty()
        }
        _ => false,
    })
}

impl Group<'_> {
    /// The enum, and its methods.
    fn items(&self, name: &Ident, items: &[syn::Item]) -> [syn::Item; 2] {
        let types: Vec<Behind<'_>> = self.types.iter().map(|ty| Behind::of(ty, items)).collect();
        let variants = types.iter().map(Behind::variant);
        // what a derived enum needs, if all that is behind its objects is constant
        let number = types.iter().all(|ty| ty.fields.is_some()).then(|| {
            let text: TokenStream = items.iter().map(ToTokens::to_token_stream).collect();
            let [single, double] =
                ["f32", "f64"].map(|of| count(text.clone(), &format_ident!("{of}")));
            let is_single = double == 0 && single > 0;
            let float = format_ident!("{}", if is_single { "f32" } else { "f64" });
            quote!(__Number(#float))
        });
        let no_number = number
            .as_ref()
            .map(|_| quote!(Self::__Number(_) => ::core::unreachable!()));
        let methods = self.traits.iter().flat_map(|of| {
            let has_it = types_with(of, items).unwrap_or_default();
            let (types, no_number) = (&types, &no_number);
            of.items.iter().filter_map(move |item| match item {
                syn::TraitItem::Fn(f) if is_of_all(&f.sig) => {
                    let this = f.sig.receiver()?.self_token;
                    let arms = types.iter().map(|ty| match has_it.contains(&ty.name) {
                        true => ty.arm(&f.sig),
                        false => ty.panics(),
                    });
                    let sig = &f.sig;
                    let arms = arms.chain(no_number.clone());
                    Some(quote!(#sig { match #this { #(#arms),* } }))
                }
                _ => None,
            })
        });
        [
            parse_quote! {
                #[doc(hidden)]
                #[allow(warnings, clippy::all)]
                enum #name { #(#variants,)* #number }
            },
            parse_quote! {
                #[allow(warnings, clippy::all)]
                impl #name { #(#methods)* }
            },
        ]
    }
}

/// Whether an object has this method, as far as it is known here.
fn is_of_all(sig: &syn::Signature) -> bool {
    let is_name = |input: &syn::FnArg| match input {
        syn::FnArg::Typed(p) => matches!(*p.pat, syn::Pat::Ident(_)),
        syn::FnArg::Receiver(r) => r.reference.is_some(),
    };
    sig.receiver().is_some()
        && sig.inputs.iter().all(is_name)
        && sig.generics.params.is_empty()
        && after_dyn(sig.to_token_stream()).is_empty()
}

/// A type behind objects.
struct Behind<'a> {
    name: &'a Ident,
    /// The fields of a struct without floats, which the variant has.
    fields: Option<&'a syn::Fields>,
}

impl<'a> Behind<'a> {
    fn of(name: &'a Ident, items: &'a [syn::Item]) -> Behind<'a> {
        let nothing = (&Environment::default(), &Set::new());
        let fields = items.iter().find_map(|item| match item {
            syn::Item::Struct(s) if s.ident == *name => Some(&s.fields),
            _ => None,
        });
        let fields = fields.filter(|fields| !holds_floats(fields, items, nothing));
        Behind { name, fields }
    }

    fn variant(&self) -> TokenStream {
        let Behind { name, fields } = self;
        let Some(fields) = fields else {
            return quote!(#name(#name));
        };
        let mut fields = (*fields).clone();
        for field in &mut fields {
            (field.attrs, field.vis) = (Vec::new(), syn::Visibility::Inherited);
        }
        quote!(#name #fields)
    }

    fn arm(&self, sig: &syn::Signature) -> TokenStream {
        let (name, method) = (self.name, &sig.ident);
        let args = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(p) => Some(&p.pat),
            syn::FnArg::Receiver(_) => None,
        });
        let call = quote!(__object.#method(#(#args),*));
        let Some(fields) = self.fields else {
            return quote!(Self::#name(__object) => #call);
        };
        let members: Vec<syn::Member> = fields.members().collect();
        let own: Vec<Ident> = (0..members.len())
            .map(|k| format_ident!("__part{k}"))
            .collect();
        let is_changed = sig.receiver().is_some_and(|r| r.mutability.is_some());
        let (mutable, back) = match is_changed {
            true => (
                Some(quote!(mut)),
                quote!(#(*#own = __object.#members.clone();)*),
            ),
            false => (None, TokenStream::new()),
        };
        quote!(Self::#name { #(#members: #own),* } => {
            let #mutable __object = #name { #(#members: #own.clone()),* };
            let __result = #call;
            #back
            __result
        })
    }

    fn panics(&self) -> TokenStream {
        let name = self.name;
        quote!(Self::#name { .. } => ::core::panic!("an object of another trait"))
    }
}

/// Takes a trait out of the lists of derives; whether it was there.
fn without_derive(attrs: &mut [syn::Attribute], of_trait: &str) -> bool {
    let mut found = false;
    for attr in attrs.iter_mut().filter(|a| a.path().is_ident("derive")) {
        let all = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        let Ok(traits) = attr.parse_args_with(all) else {
            continue;
        };
        let is_one = |path: &syn::Path| path.segments.last().is_some_and(|s| s.ident == of_trait);
        if traits.iter().any(is_one) {
            let others = traits.iter().filter(|path| !is_one(path));
            *attr = parse_quote!(#[derive(#(#others),*)]);
            found = true;
        }
    }
    found
}

/// How often a name stands in some code.
fn count(tokens: TokenStream, name: &Ident) -> usize {
    let each = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(word) => usize::from(word == *name),
        TokenTree::Group(group) => count(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => 0,
    });
    each.sum()
}
