//! Traits of one's own on numbers, arrays, slices and vectors: nothing can be written beside these, so that the bodies of
//! the methods stand in the place of their calls.

use super::bundles::put_mark;
use super::types::ungroup;
use quote::ToTokens;

/// The name by which the methods of such a block are known; `None` of another block.
pub(crate) fn owner(block: &syn::ItemImpl) -> Option<syn::Ident> {
    let (_, of_trait, _) = block.trait_.as_ref()?;
    let is_of_std = |name: &str| {
        let operators = crate::symbol::OPERATOR_TRAITS;
        OF_STD.contains(&name) || operators.iter().any(|(of, _)| *of == name)
    };
    let is_plain = of_trait.segments.iter().all(|s| s.arguments.is_none())
        && !is_of_std(&of_trait.segments.last()?.ident.to_string());
    let has_types = block.generics.type_params().next().is_some();
    let lengths = super::environment::names_of(&block.generics);
    (is_plain && !has_types && is_of_numbers(&block.self_ty))
        .then(|| name_of(&block.self_ty.to_token_stream().to_string(), &lengths))
}

/// Traits of std that say nothing of derivatives.
const OF_STD: [&str; 6] = ["Debug", "Default", "Display", "From", "Iterator", "Into"];

/// Floats, and lists of them.
fn is_of_numbers(ty: &syn::Type) -> bool {
    match ungroup(ty) {
        syn::Type::Array(a) => is_of_numbers(&a.elem),
        syn::Type::Slice(s) => is_of_numbers(&s.elem),
        syn::Type::Path(p) if p.qself.is_none() => match super::vec_element(p) {
            Some(of) => is_of_numbers(of),
            None => p.path.is_ident("f64") || p.path.is_ident("f32"),
        },
        _ => false,
    }
}

/// A name for a type, as no other has it: `f64` is its own. Lengths that are parameters are any.
pub(crate) fn name_of(ty: &str, lengths: &[String]) -> syn::Ident {
    let mut name = String::new();
    let mut length = String::new();
    let mut signs = ty.chars().filter(|c| !c.is_whitespace()).peekable();
    while let Some(sign) = signs.next() {
        match sign {
            ';' => {
                while let Some(next) = signs.next_if(|c| *c != ']') {
                    length.push(next);
                }
                let is_any = lengths.contains(&length);
                name.push_str(if is_any { "_any" } else { "_by_" });
                let own = std::mem::take(&mut length);
                name.extend(own.chars().filter(|c| !is_any && c.is_alphanumeric()));
            }
            '[' => name.push_str("__list_"),
            '<' => name.push_str("__of_"),
            c if c.is_alphanumeric() || c == '_' => name.push(c),
            _ => name.push('_'),
        }
    }
    syn::Ident::new(&name, proc_macro2::Span::call_site())
}

/// Marks the methods of all such blocks.
pub(crate) fn mark_among(items: &mut [syn::Item]) {
    for item in items {
        if let syn::Item::Impl(block) = item {
            mark(block);
        }
    }
}

/// Marks the methods of such a block.
pub(crate) fn mark(block: &mut syn::ItemImpl) {
    if owner(block).is_none() {
        return;
    }
    for item in &mut block.items {
        if let syn::ImplItem::Fn(f) = item {
            put_mark(&mut f.attrs);
        }
    }
}
