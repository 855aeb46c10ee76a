//! What `num_traits` gives a type parameter: `T::zero()`, `T::from(2).unwrap()`. Code that goes where `T` has another name
//! says whose it is, `<T as num_traits::__Of>::zero()`. With a float in the place of `T`, that is a number.

use super::bundles::put_mark;
use super::{inline, is_integer_name, ungroup};
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::Span;

const CRATE: &str = "num_traits";
const MARK: &str = "__Of";

/// The traits of a module that have those of `num_traits` above them, and the names by which it imports such.
pub(crate) fn traits_among(items: &[syn::Item]) -> Set<String> {
    let mut found = Set::new();
    // what a module names itself comes before what `*` brings
    for by_glob in [true, false] {
        for item in items {
            match item {
                syn::Item::Use(u) => imported(&u.tree, false, by_glob, &mut found),
                syn::Item::Trait(of) => {
                    found.remove(&of.ident.to_string());
                }
                _ => {}
            }
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

fn imported(tree: &syn::UseTree, is_within: bool, by_glob: bool, found: &mut Set<String>) {
    let name = match tree {
        syn::UseTree::Path(p) => {
            return imported(&p.tree, is_within || p.ident == CRATE, by_glob, found);
        }
        syn::UseTree::Group(g) => {
            let parts = g.items.iter();
            return parts.for_each(|of| imported(of, is_within, by_glob, found));
        }
        syn::UseTree::Glob(_) if is_within && by_glob => {
            return found.extend(TRAITS.map(str::to_owned));
        }
        syn::UseTree::Glob(_) => return,
        syn::UseTree::Name(n) => n.ident.to_string(),
        syn::UseTree::Rename(r) => r.rename.to_string(),
    };
    match is_within {
        true => _ = found.insert(name),
        false => _ = found.remove(&name),
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

/// The type parameters that have such a trait.
fn numeric(generics: &syn::Generics, traits: &Set<String>) -> Vec<syn::Ident> {
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let written = predicates.filter_map(|of| match of {
        syn::WherePredicate::Type(of) => Some((&of.bounded_ty, &of.bounds)),
        _ => None,
    });
    let has = |p: &&syn::TypeParam| {
        let others = written.clone().filter(|(ty, _)| is_named(ty, &p.ident));
        let mut bounds = p.bounds.iter().chain(others.flat_map(|(_, bounds)| bounds));
        bounds.any(|b| is_numeric(b, traits))
    };
    let all = generics.type_params().filter(has);
    all.map(|p| p.ident.clone()).collect()
}

/// Marks what these parameters give in a body.
pub(crate) fn mark(generics: &syn::Generics, traits: &Set<String>, body: &mut syn::Block) {
    let params = numeric(generics, traits);
    if params.is_empty() {
        return;
    }
    expressions(NodeMut::Block(body), &mut |e| {
        let syn::Expr::Path(syn::ExprPath { qself, path, .. }) = e else {
            return;
        };
        let Some(name) = path.segments.last().map(|s| s.ident.clone()) else {
            return;
        };
        let (of, mark) = (syn::Ident::new(CRATE, Span::call_site()), name.span());
        let mark = syn::Ident::new(MARK, mark);
        let is_one = |ty: &syn::Type| params.iter().any(|p| is_named(ty, p));
        let whole: syn::ExprPath = match qself {
            Some(q) if is_one(&q.ty) && is_given(&name) => {
                let (ty, inner) = (&q.ty, path.segments.iter().take(q.position));
                parse_quote!(<#ty as #of::#mark #(::#inner)*>::#name)
            }
            None if path.segments.len() == 2
                && params.contains(&path.segments[0].ident)
                && is_given(&name) =>
            {
                let ty = &path.segments[0].ident;
                parse_quote!(<#ty as #of::#mark>::#name)
            }
            _ => return,
        };
        (*qself, *path) = (whole.qself, whole.path);
    });
}

/// Changes the bodies of a block.
pub(crate) fn in_bodies(
    block: &mut syn::ItemImpl,
    change: impl Fn(&syn::Signature, &mut syn::Block),
) {
    for inner in &mut block.items {
        if let syn::ImplItem::Fn(f) = inner {
            change(&f.sig, &mut f.block);
        }
    }
}

/// Marks the same in the functions of a module that go to their callers.
pub(crate) fn mark_among(items: &mut [syn::Item]) {
    let traits = traits_among(items);
    for item in items {
        match item {
            syn::Item::Fn(f) => mark_function(f, &traits),
            syn::Item::Impl(block) => {
                in_bodies(block, |sig, body| mark(&sig.generics, &traits, body));
            }
            _ => {}
        }
    }
}

/// Those that make numbers of a type that the call alone says are among them.
pub(crate) fn mark_function(f: &mut syn::ItemFn, traits: &Set<String>) {
    let all = numeric(&f.sig.generics, traits);
    if inline::given_alone(&f.sig)
        .into_iter()
        .any(|p| all.contains(p))
    {
        put_mark(&mut f.attrs);
    }
    if inline::travels(f) {
        mark(&f.sig.generics, traits, &mut f.block);
    }
}

/// Whether all that a body does with a float that it takes is `T::from(x)`: then it may be one of any type.
pub(super) fn is_cast_alone(p: &syn::PatType, f: &syn::ItemFn) -> bool {
    let (Some(_), syn::Pat::Ident(name)) = (float_of(&p.ty), &*p.pat) else {
        return false;
    };
    let name = &name.ident;
    let (mut all, mut casts) = (0, 0);
    walk::read(Node::Block(&f.block), &mut |node| {
        match node {
            Node::Ident(of) if of == name => all += 1,
            Node::Macro(_) => all += 1,
            Node::Expr(syn::Expr::Call(c)) => {
                let is_it =
                    |e: &syn::Expr| matches!(e, syn::Expr::Path(p) if p.path.is_ident(name));
                let is_marked = matches!(&*c.func, syn::Expr::Path(p)
                    if is_marked(&p.path) && p.path.segments.last().is_some_and(|s| is_cast(&s.ident)));
                casts += usize::from(is_marked && c.args.first().is_some_and(is_it));
            }
            _ => {}
        }
        Onward::Into
    });
    casts > 0 && all == casts
}

/// The marked path of a type.
pub(crate) fn is_marked(path: &syn::Path) -> bool {
    path.segments.iter().any(|s| s.ident == MARK)
}

/// Code as it was written.
pub(crate) fn strip(root: NodeMut<'_>) {
    expressions(root, &mut |e| unmark(e));
}

fn unmark(e: &mut syn::Expr) {
    if let syn::Expr::Path(syn::ExprPath { qself, path, .. }) = e
        && let Some(q) = qself
        && let Some(at) = path.segments.iter().position(|s| s.ident == MARK)
    {
        let rest = path.segments.iter().skip(at + 1).cloned();
        q.position -= at + 1;
        path.segments = rest.collect();
        if q.position == 0
            && let syn::Type::Path(of) = ungroup(&q.ty)
        {
            let (member, of) = (
                &path.segments,
                super::aliases::before_a_member(of.path.clone()),
            );
            *path = parse_quote!(#of::#member);
            *qself = None;
        }
    }
}

/// Numbers in the place of what floats give, and what other types give as it was written. Types behind which others may be
/// are left.
pub(crate) fn put(root: NodeMut<'_>) {
    expressions(root, &mut |e| match value(e) {
        Some(number) => *e = number,
        None => {
            let is_known = |e: &syn::Expr| {
                matches!(e, syn::Expr::Path(syn::ExprPath { qself: Some(q), .. })
                    if !inline::is_open_type(&q.ty) && float_of(&q.ty).is_none())
            };
            if is_known(e) {
                unmark(e);
            }
        }
    });
}

/// The same in the bodies of a block.
pub(crate) fn put_in_bodies(item: &mut syn::Item) {
    if let syn::Item::Impl(block) = item {
        in_bodies(block, |_, body| put(NodeMut::Block(body)));
    }
}

/// Changes expressions, also those in macros.
fn expressions(root: NodeMut<'_>, change: &mut dyn FnMut(&mut syn::Expr)) {
    walk::change(root, &mut |node| {
        match node {
            NodeMut::Expr(e) => change(e),
            NodeMut::Macro(mac) => {
                walk::change_arguments(mac, &mut |node| {
                    expressions(node, change);
                    Onward::Over
                });
            }
            NodeMut::Item(_) => return Onward::Over,
            _ => {}
        }
        Onward::Into
    });
}

fn is_named(ty: &syn::Type, name: &syn::Ident) -> bool {
    matches!(ungroup(ty), syn::Type::Path(p) if p.path.is_ident(name))
}

/// The number that an expression is.
fn value(e: &syn::Expr) -> Option<syn::Expr> {
    match e {
        syn::Expr::Call(c) if c.args.is_empty() => {
            let (float, name) = member(&c.func)?;
            if let Some(name) = CONSTANTS.iter().find(|known| name == **known) {
                let name = syn::Ident::new(name, Span::call_site());
                return Some(parse_quote!(::core::#float::consts::#name));
            }
            let (_, number) = NUMBERS.iter().find(|(known, _)| name == *known)?;
            let number: syn::Expr = syn::parse_str(number).expect("an expression");
            Some(match number {
                syn::Expr::Path(p) => parse_quote!(#float::#p),
                number => number,
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
            let (float, _) = member(&c.func).filter(|(_, name)| is_cast(name))?;
            let of = c.args.first().filter(|_| c.args.len() == 1)?;
            Some(parse_quote!(((#of) as #float)))
        }
        syn::Expr::Call(c) if let [of] = &*c.args.iter().collect::<Vec<_>>() => {
            let (float, _) = member(&c.func).filter(|(_, name)| is_cast(name))?;
            Some(parse_quote!(::core::option::Option::Some((#of) as #float)))
        }
        // `T::one` as a function
        syn::Expr::Path(_) => {
            let number = value(&parse_quote!(#e()))?;
            Some(parse_quote!((|| #number)))
        }
        _ => None,
    }
}

/// `from` and `from_u32`
fn is_cast(name: &syn::Ident) -> bool {
    let name = name.to_string();
    let is_number = |of: &str| is_integer_name(of) || ["f32", "f64"].contains(&of);
    name == "from" || name.strip_prefix("from_").is_some_and(is_number)
}

fn is_given(name: &syn::Ident) -> bool {
    is_cast(name)
        || CONSTANTS.iter().any(|known| name == known)
        || NUMBERS.iter().any(|(known, _)| name == known)
}

/// `zero` of `f64` where it is marked.
fn member(f: &syn::Expr) -> Option<(&syn::Ident, &syn::Ident)> {
    let syn::Expr::Path(p) = f else {
        return None;
    };
    let float = float_of(&p.qself.as_ref()?.ty)?;
    let last = p.path.segments.last().filter(|_| is_marked(&p.path))?;
    Some((float, &last.ident))
}

fn float_of(ty: &syn::Type) -> Option<&syn::Ident> {
    let syn::Type::Path(of) = ungroup(ty) else {
        return None;
    };
    of.path
        .get_ident()
        .filter(|of| *of == "f64" || *of == "f32")
}

const NUMBERS: [(&str, &str); 10] = [
    ("zero", "0.0"),
    ("one", "1.0"),
    ("neg_zero", "-0.0"),
    ("epsilon", "EPSILON"),
    ("infinity", "INFINITY"),
    ("neg_infinity", "NEG_INFINITY"),
    ("nan", "NAN"),
    ("max_value", "MAX"),
    ("min_value", "MIN"),
    ("min_positive_value", "MIN_POSITIVE"),
];

/// Traits that `use num_traits::*` brings.
const TRAITS: [&str; 14] = [
    "Bounded",
    "Float",
    "FloatConst",
    "FromPrimitive",
    "MulAdd",
    "Num",
    "NumAssign",
    "NumCast",
    "NumOps",
    "One",
    "Pow",
    "Signed",
    "ToPrimitive",
    "Zero",
];

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
