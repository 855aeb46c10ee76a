//! `Clone` for types of an annotated module that have none: `enum Phase { Rise, Fall }`. Generated code copies them, in
//! structs that it makes and in variables that a pattern looks into.

use super::structs::{derives, implements};
use crate::lower::environment::TRANSPARENT;
use crate::lower::{arguments, is_integer_name, ungroup};
use crate::sorted::Set;
use syn::spanned::Spanned;

/// Types of std that are cloned where their arguments are, beside those that hold what they are of.
const CLONED: [&str; 6] = ["Arc", "PhantomData", "Rc", "String", "bool", "char"];

/// Derives `Clone` where all fields have it. Types with floats or parameters stay as they are, and those with a `drop` of
/// their own; all do where a macro may write what is missing.
pub(super) fn put_into(items: &mut [syn::Item]) {
    let is_macro = |item: &syn::Item| matches!(item, syn::Item::Macro(m) if m.ident.is_none());
    if items.iter().any(is_macro) {
        return;
    }
    let (mut cloned, mut open) = (Set::new(), Vec::new());
    for (k, item) in items.iter().enumerate() {
        let Some((name, attrs, generics)) = of_type(item) else {
            continue;
        };
        let has = |of_trait| items.iter().any(|item| implements(item, of_trait, &name));
        if derives(attrs, "Clone") || has("Clone") {
            cloned.insert(name);
        } else if generics.params.is_empty() && !has("Drop") {
            open.push((k, name));
        }
    }
    let own = |name: &str| open.iter().any(|(_, own)| own == name);
    let of_std = |name: &str| TRANSPARENT.contains(&name) || CLONED.contains(&name);
    let is_std = |name: &str| !own(name) && (of_std(name) || is_integer_name(name));
    let mut found = Vec::new();
    loop {
        let next = open.iter().find(|(k, name)| {
            let is_known = |name: &str| cloned.contains(name) || is_std(name);
            !cloned.contains(name) && fields(&items[*k]).all(|f| is_clone(&f.ty, &is_known))
        });
        let Some((k, name)) = next else { break };
        found.push(*k);
        cloned.insert(name.clone());
    }
    for k in found {
        if let syn::Item::Struct(syn::ItemStruct { attrs, ident, .. })
        | syn::Item::Enum(syn::ItemEnum { attrs, ident, .. }) = &mut items[k]
        {
            attrs.push(syn::parse_quote_spanned!(ident.span()=> #[derive(::core::clone::Clone)]));
        }
    }
}

/// The names of the types that derive `Clone`.
pub(crate) fn cloned(items: &[syn::Item]) -> Vec<String> {
    let types = items.iter().filter_map(of_type);
    let cloned = types.filter(|(_, attrs, _)| derives(attrs, "Clone"));
    cloned.map(|(name, ..)| name).collect()
}

/// The name of a struct or an enum, its attributes and its parameters.
fn of_type(item: &syn::Item) -> Option<(String, &[syn::Attribute], &syn::Generics)> {
    match item {
        syn::Item::Struct(s) => Some((s.ident.to_string(), &s.attrs, &s.generics)),
        syn::Item::Enum(e) => Some((e.ident.to_string(), &e.attrs, &e.generics)),
        _ => None,
    }
}

fn fields(item: &syn::Item) -> impl Iterator<Item = &syn::Field> {
    let (of_struct, variants) = match item {
        syn::Item::Struct(s) => (Some(&s.fields), None),
        syn::Item::Enum(e) => (None, Some(&e.variants)),
        _ => (None, None),
    };
    let of_enum = variants.into_iter().flatten().flat_map(|v| &v.fields);
    of_struct.into_iter().flatten().chain(of_enum)
}

fn is_clone(ty: &syn::Type, is_known: &impl Fn(&str) -> bool) -> bool {
    match ungroup(ty) {
        syn::Type::Array(a) => is_clone(&a.elem, is_known),
        syn::Type::Tuple(t) => t.elems.iter().all(|ty| is_clone(ty, is_known)),
        syn::Type::Reference(r) => r.mutability.is_none(),
        syn::Type::BareFn(_) => true,
        syn::Type::Path(p) if p.qself.is_none() => {
            let last = p.path.segments.last().map(|s| s.ident.to_string());
            last.is_some_and(|name| is_known(&name))
                && arguments(&p.path).iter().all(|ty| is_clone(ty, is_known))
        }
        _ => false,
    }
}
