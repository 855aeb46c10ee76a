//! What `num_traits` gives a type parameter that is a float here: `T::zero()`, `T::from(2).unwrap()`.

use crate::lower::{is_integer_name, ungroup};
use crate::sorted::{Map, Set};
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::Span;
use syn::parse_quote;

const CRATE: &str = "num_traits";

/// The traits of a module that have those of `num_traits` above them, and the names by which it imports such.
pub(super) fn traits_among(items: &[syn::Item]) -> Set<String> {
    let mut found = Set::new();
    for item in items {
        if let syn::Item::Use(u) = item {
            imported(&u.tree, false, &mut found);
        }
    }
    loop {
        let before = found.len();
        for item in items {
            if let syn::Item::Trait(of) = item
                && of.supertraits.iter().any(|b| is_numeric(b, &found))
            {
                found.insert(of.ident.to_string());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn imported(tree: &syn::UseTree, is_within: bool, found: &mut Set<String>) {
    match tree {
        syn::UseTree::Path(p) => imported(&p.tree, is_within || p.ident == CRATE, found),
        syn::UseTree::Group(g) => g.items.iter().for_each(|of| imported(of, is_within, found)),
        syn::UseTree::Name(n) if is_within => {
            found.insert(n.ident.to_string());
        }
        syn::UseTree::Rename(r) if is_within => {
            found.insert(r.rename.to_string());
        }
        _ => {}
    }
}

fn is_numeric(bound: &syn::TypeParamBound, traits: &Set<String>) -> bool {
    let syn::TypeParamBound::Trait(of) = bound else {
        return false;
    };
    let mut names = of.path.segments.iter().map(|s| s.ident.to_string());
    match of.path.segments.len() {
        1 => names.all(|name| traits.contains(&name)),
        _ => names.any(|name| name == CRATE),
    }
}

/// Writes what a block asks of its type parameters that are floats. `known`: what they are.
pub(super) fn write(
    block: &mut syn::ItemImpl,
    known: &Map<String, syn::Type>,
    traits: &Set<String>,
) {
    let mut params = Vec::new();
    for p in block.generics.type_params() {
        let mut bounds: Vec<&syn::TypeParamBound> = p.bounds.iter().collect();
        for of in block
            .generics
            .where_clause
            .iter()
            .flat_map(|w| &w.predicates)
        {
            if let syn::WherePredicate::Type(of) = of
                && is_named(&of.bounded_ty, &p.ident)
            {
                bounds.extend(&of.bounds);
            }
        }
        if let Some(syn::Type::Path(float)) = known.get(&p.ident.to_string()).map(ungroup)
            && let Some(float) = float.path.get_ident()
            && (float == "f64" || float == "f32")
            && bounds.iter().any(|b| is_numeric(b, traits))
        {
            params.push((
                p.ident.clone(),
                syn::Ident::new(&float.to_string(), Span::call_site()),
            ));
        }
    }
    for (param, float) in params {
        let mut item = syn::Item::Impl(block.clone());
        walk::change(NodeMut::Item(&mut item), &mut |node| {
            if let NodeMut::Expr(e) = node
                && let Some(written) = value(e, &param, &float)
            {
                *e = written;
            }
            Onward::Into
        });
        if let syn::Item::Impl(written) = item {
            *block = written;
        }
    }
}

fn is_named(ty: &syn::Type, name: &syn::Ident) -> bool {
    matches!(ungroup(ty), syn::Type::Path(p) if p.path.is_ident(name))
}

/// The same of an expression.
fn value(e: &syn::Expr, param: &syn::Ident, float: &syn::Ident) -> Option<syn::Expr> {
    match e {
        syn::Expr::Call(c) if c.args.is_empty() => {
            let name = member(&c.func, param)?;
            if let Some(name) = CONSTANTS.iter().find(|known| name == **known) {
                let name = syn::Ident::new(name, Span::call_site());
                return Some(parse_quote!(::core::#float::consts::#name));
            }
            Some(match &*name.to_string() {
                "zero" => parse_quote!(0.0),
                "one" => parse_quote!(1.0),
                "neg_zero" => parse_quote!(-0.0),
                "epsilon" => parse_quote!(#float::EPSILON),
                "infinity" => parse_quote!(#float::INFINITY),
                "neg_infinity" => parse_quote!(#float::NEG_INFINITY),
                "nan" => parse_quote!(#float::NAN),
                "max_value" => parse_quote!(#float::MAX),
                "min_value" => parse_quote!(#float::MIN),
                "min_positive_value" => parse_quote!(#float::MIN_POSITIVE),
                _ => return None,
            })
        }
        syn::Expr::Call(c) if let [of, low, high] = &*c.args.iter().collect::<Vec<_>>() => {
            let syn::Expr::Path(p) = &*c.func else {
                return None;
            };
            let is_clamp = p.path.segments.last().is_some_and(|s| s.ident == "clamp");
            (is_clamp && p.path.segments[0].ident == CRATE)
                .then(|| parse_quote!((#of).clamp(#low, #high)))
        }
        // `T::from(2).unwrap()`
        syn::Expr::MethodCall(m) if m.method == "unwrap" || m.method == "expect" => {
            let syn::Expr::Call(c) = &*m.receiver else {
                return None;
            };
            let is_cast = member(&c.func, param).is_some_and(|name| {
                let name = name.to_string();
                let is_number = |of: &str| is_integer_name(of) || ["f32", "f64"].contains(&of);
                name == "from" || name.strip_prefix("from_").is_some_and(is_number)
            });
            let of = c.args.first().filter(|_| is_cast && c.args.len() == 1)?;
            Some(parse_quote!(((#of) as #float)))
        }
        _ => None,
    }
}

/// `zero` of `T::zero`, and of `<T as Zero>::zero`
fn member<'e>(f: &'e syn::Expr, param: &syn::Ident) -> Option<&'e syn::Ident> {
    let syn::Expr::Path(p) = f else {
        return None;
    };
    let is_own = match &p.qself {
        Some(of) => is_named(&of.ty, param),
        None => p.path.segments.len() == 2 && p.path.segments[0].ident == *param,
    };
    Some(&p.path.segments.last().filter(|_| is_own)?.ident)
}

/// Those of `num_traits::FloatConst`, by the names that std gives them.
const CONSTANTS: [&str; 19] = [
    "E",
    "FRAC_1_PI",
    "FRAC_1_SQRT_2",
    "FRAC_2_PI",
    "FRAC_2_SQRT_PI",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_PI_8",
    "LN_10",
    "LN_2",
    "LOG10_2",
    "LOG10_E",
    "LOG2_10",
    "LOG2_E",
    "PI",
    "SQRT_2",
    "TAU",
];
