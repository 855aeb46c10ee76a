//! What a signature takes and returns that has no type of its own in generated code: functions, iterators, values of
//! type parameters, parts of what is borrowed.

use super::super::data::has_named;
use super::super::environment::{has_no_floats, speaks_of_floats};
use super::super::types::{self, result_of, typed, ungroup, unmarked};
use crate::sorted::Map;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::ToTokens;
use syn::punctuated::Punctuated;

/// Whether a parameter that may be differentiated has a type that follows from the call, or the result is a function
/// or an iterator.
pub(super) fn is_generic(sig: &syn::Signature) -> bool {
    if is_made(sig) {
        return true;
    }
    if lists_arrays(sig) {
        return true;
    }
    let gives = match &sig.output {
        syn::ReturnType::Default => sig.inputs.iter().any(is_changed),
        syn::ReturnType::Type(_, ty) => {
            speaks_of_floats(ty)
                || speaks_of_parameter(ty, sig)
                || holds_struct(ty, sig) && (takes_some(sig) || takes_iterator(sig))
        }
    };
    unmarked(sig).any(|ty| {
        let takes = inputs_of(ty, sig).or_else(|| inputs_within(ty)).is_some();
        takes || gives && is_open(ty, sig)
    })
}

/// Whether a function may change what it is given.
fn is_changed(input: &syn::FnArg) -> bool {
    match input {
        syn::FnArg::Receiver(r) => r.mutability.is_some(),
        syn::FnArg::Typed(p) => {
            matches!(ungroup(&p.ty), syn::Type::Reference(r) if r.mutability.is_some())
        }
    }
}

/// Whether there are lists of arrays of `ndarray` in a signature, which hand no derivatives on.
pub(super) fn lists_arrays(sig: &syn::Signature) -> bool {
    sig.receiver().is_none()
        && (unmarked(sig).any(is_list_of_arrays)
            || result_of(&sig.output).is_some_and(is_list_of_arrays))
}

#[cfg(feature = "ndarray")]
pub(super) fn is_list_of_arrays(ty: &syn::Type) -> bool {
    crate::lower::arrays::is_list(ty)
}

#[cfg(not(feature = "ndarray"))]
pub(super) fn is_list_of_arrays(_: &syn::Type) -> bool {
    false
}

/// Whether a parameter is a function.
pub(crate) fn takes_function(sig: &syn::Signature) -> bool {
    let mut parameters = sig.inputs.iter().filter_map(typed);
    parameters.any(|p| inputs_of(&p.ty, sig).is_some())
}

/// Whether a parameter is a function that is marked as a constant.
pub(super) fn takes_constant_function(sig: &syn::Signature) -> bool {
    marked(sig).any(|ty| inputs_of(ty, sig).is_some())
}

/// The same of a function whose type the call says. A method with a handle has no such parameters.
pub(super) fn takes_open_function(sig: &syn::Signature) -> bool {
    marked(sig).any(|ty| is_open(ty, sig) && inputs_of(ty, sig).is_some())
}

/// Whether a function returns references into floats that it borrows, `fn atom(x: &[f64], i: usize) -> &[f64]`, or moves
/// one of its caller's, `fn take<'a>(rest: &mut &'a [f64], n: usize) -> &'a [f64]`.
pub(super) fn returns_part(sig: &syn::Signature) -> bool {
    fn borrowed(ty: &syn::Type) -> Option<&syn::TypeReference> {
        match ungroup(ty) {
            syn::Type::Reference(r) if speaks_of_floats(ty) => Some(r),
            _ => None,
        }
    }
    fn is_part(ty: &syn::Type) -> bool {
        match ungroup(ty) {
            syn::Type::Tuple(t) => t.elems.iter().any(is_part),
            ty => match payload(ty) {
                Some(found) => is_part(found),
                None => borrowed(ty).is_some(),
            },
        }
    }
    let is_moved = |ty: &syn::Type| {
        borrowed(ty).is_some_and(|r| r.mutability.is_some() && borrowed(&r.elem).is_some())
    };
    let returns = result_of(&sig.output).is_some_and(is_part);
    unmarked(sig).any(|ty| is_moved(ty) || returns && is_part(ty))
}

/// Whether the result holds no float, and is no number and no list, option or tuple of numbers: those have a form in
/// generated code.
pub(crate) fn returns_constant(sig: &syn::Signature) -> bool {
    fn is_number(ty: &syn::Type) -> bool {
        types::is_one_of(ty, &["bool", "char"])
    }
    fn is_list(ty: &syn::Type) -> bool {
        match ungroup(ty) {
            syn::Type::Tuple(t) => t.elems.iter().all(|ty| is_number(ty) || is_list(ty)),
            syn::Type::Array(a) => is_number(&a.elem),
            syn::Type::Path(p) => {
                let last = p.path.segments.last();
                let mut of = types::arguments(&p.path).into_iter();
                last.is_some_and(|s| match s.ident == "Option" {
                    true => of.all(|ty| is_number(ty) || is_list(ty)),
                    false => s.ident == "Vec" && of.all(is_number),
                })
            }
            _ => false,
        }
    }
    result_of(&sig.output).is_some_and(|ty| has_no_floats(ty) && !(is_number(ty) || is_list(ty)))
}

/// Whether the result is a reference, or an option or a result of one.
pub(super) fn returns_reference(sig: &syn::Signature) -> bool {
    let is_reference = |ty: &syn::Type| matches!(ungroup(ty), syn::Type::Reference(_));
    result_of(&sig.output).is_some_and(|ty| is_reference(payload(ty).unwrap_or(ty)))
}

/// Whether a function returns a reference to a struct, or an option or a result of one, and borrows structs.
pub(super) fn borrows_struct(sig: &syn::Signature) -> bool {
    let is_borrowed = |ty: &syn::Type| {
        matches!(ungroup(ty), syn::Type::Reference(r) if r.mutability.is_none())
            && is_struct(innermost(ty), sig)
    };
    result_of(&sig.output).is_some_and(|ty| is_borrowed(payload(ty).unwrap_or(ty)))
        && unmarked(sig).any(is_borrowed)
}

/// What lists and references hold.
fn innermost(ty: &syn::Type) -> &syn::Type {
    match ungroup(ty) {
        syn::Type::Reference(r) => innermost(&r.elem),
        syn::Type::Slice(s) => innermost(&s.elem),
        syn::Type::Array(a) => innermost(&a.elem),
        ty => ty,
    }
}

/// What an option or a result has.
fn payload(ty: &syn::Type) -> Option<&syn::Type> {
    match ungroup(ty) {
        syn::Type::Path(p) if types::is_sum(&p.path) => types::arguments(&p.path).first().copied(),
        _ => None,
    }
}

/// Whether a type may be a struct that is written out: `State`, `&State`, `Self`.
pub(super) fn is_struct(ty: &syn::Type, sig: &syn::Signature) -> bool {
    match ungroup(ty) {
        syn::Type::Reference(r) => is_struct(&r.elem, sig),
        syn::Type::Path(p) => (p.path.get_ident()).is_some_and(|name| names_struct(name, sig)),
        _ => false,
    }
}

fn names_struct(name: &syn::Ident, sig: &syn::Signature) -> bool {
    let text = name.to_string();
    text.starts_with(char::is_uppercase)
        && text != "String"
        && sig.generics.type_params().all(|v| v.ident != *name)
}

/// Whether a type may hold structs: `State`, `Vec<State>`, `Result<State, E>`, `Matrix<2>`.
pub(super) fn holds_struct(ty: &syn::Type, sig: &syn::Signature) -> bool {
    match ungroup(ty) {
        syn::Type::Reference(r) => holds_struct(&r.elem, sig),
        syn::Type::Slice(s) => holds_struct(&s.elem, sig),
        syn::Type::Array(a) => holds_struct(&a.elem, sig),
        syn::Type::Tuple(t) => t.elems.iter().any(|ty| holds_struct(ty, sig)),
        syn::Type::Path(p) => {
            let Some(last) = p.path.segments.last() else {
                return false;
            };
            let mut of = types::arguments(&p.path);
            match is_of_std(&p.path) {
                true => {
                    // errors are not asked for
                    of.truncate(if last.ident == "Result" { 1 } else { 2 });
                    of.into_iter().any(|ty| holds_struct(ty, sig))
                }
                false => p.path.segments.len() == 1 && names_struct(&last.ident, sig),
            }
        }
        _ => false,
    }
}

/// Whether rows of structs are taken, `&[Vec<Stop>]`, which have no form that the call of a handle gives.
pub(crate) fn takes_rows_of_structs(sig: &syn::Signature) -> bool {
    unmarked(sig).any(|ty| are_rows_of_structs(ty, sig))
}

/// Whether lists of numbers with texts are taken, `&[(&str, f64)]`, of which the same holds.
pub(crate) fn takes_named_numbers(sig: &syn::Signature) -> bool {
    unmarked(sig).any(has_named)
}

/// Whether such rows are returned.
pub(super) fn returns_rows_of_structs(sig: &syn::Signature) -> bool {
    result_of(&sig.output).is_some_and(|ty| are_rows_of_structs(ty, sig)) && takes_some(sig)
}

fn are_rows_of_structs(ty: &syn::Type, sig: &syn::Signature) -> bool {
    let ty = match ungroup(ty) {
        syn::Type::Reference(r) => &r.elem,
        ty => ty,
    };
    let row = types::element(payload(ty).unwrap_or(ty));
    let of = row.and_then(|row| match ungroup(row) {
        syn::Type::Path(p) => types::vec_element(p),
        _ => None,
    });
    of.is_some_and(|of| is_struct(of, sig))
}

/// Whether numbers or structs are taken that may be differentiated.
fn takes_some(sig: &syn::Signature) -> bool {
    sig.receiver().is_some()
        || unmarked(sig).any(|ty| speaks_of_floats(ty) || holds_struct(ty, sig))
}

/// Whether the result is a function or an iterator.
pub(super) fn is_made(sig: &syn::Signature) -> bool {
    gives_function(sig) || gives_iterator(sig)
}

/// Whether the result is an iterator.
pub(crate) fn gives_iterator(sig: &syn::Signature) -> bool {
    result_of(&sig.output).is_some_and(|ty| is_iterator(ty, sig))
}

/// Whether the result is a function.
pub(crate) fn gives_function(sig: &syn::Signature) -> bool {
    result_of(&sig.output).is_some_and(|ty| inputs_of(ty, sig).is_some())
}

/// Whether a parameter is an iterator.
pub(crate) fn takes_iterator(sig: &syn::Signature) -> bool {
    iterator_at(sig).is_some()
}

/// Where the first iterator stands among the parameters.
pub(crate) fn iterator_at(sig: &syn::Signature) -> Option<usize> {
    let is_one = |input| typed(input).is_some_and(|p| is_iterator(&p.ty, sig));
    sig.inputs.iter().position(is_one)
}

/// Whether an iterator among the parameters has references for items.
pub(crate) fn takes_references(sig: &syn::Signature) -> bool {
    takes_iterator(sig) && sig.to_token_stream().to_string().contains("Item = &")
}

/// Whether a type is not written, `impl Iterator<Item = f64>`, `&M`, or that of a list of functions.
pub(super) fn is_open(ty: &syn::Type, sig: &syn::Signature) -> bool {
    if inputs_within(ty).is_some() {
        return true;
    }
    match ungroup(ty) {
        syn::Type::Reference(r) => is_open(&r.elem, sig),
        syn::Type::ImplTrait(_) => true,
        ty => speaks_of_parameter(ty, sig),
    }
}

/// Whether a type names a type parameter: `P`, `Vec<P>`, `S::State`.
pub(super) fn speaks_of_parameter(ty: &syn::Type, sig: &syn::Signature) -> bool {
    walk::has_path_from(Node::Type(ty), &mut |first| {
        sig.generics.type_params().any(|v| v.ident == *first)
    })
}

/// The type parameters that the result alone names: `fn c<F: Float>(x: f64) -> F`.
pub(in crate::lower) fn given_alone(sig: &syn::Signature) -> Vec<&syn::Ident> {
    let names = |ty: &syn::Type, v: &syn::Ident| {
        walk::has_path_from(Node::Type(ty), &mut |first| first == v)
    };
    let is_taken = |v: &syn::Ident| sig.inputs.iter().filter_map(typed).any(|p| names(&p.ty, v));
    let is_given =
        |v: &syn::Ident| matches!(&sig.output, syn::ReturnType::Type(_, ty) if names(ty, v));
    let all = sig.generics.type_params().map(|v| &v.ident);
    all.filter(|v| is_given(v) && !is_taken(v)).collect()
}

/// Types of std that hold others.
const OF_STD: [&str; 8] = [
    "BTreeMap", "Box", "HashMap", "Option", "Rc", "Result", "Vec", "VecDeque",
];

fn is_of_std(path: &syn::Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|last| OF_STD.iter().any(|name| last.ident == name))
}

/// Iterators of `std::slice`.
const OF_SLICES: [&str; 6] = [
    "Chunks",
    "ChunksExact",
    "Iter",
    "RChunks",
    "RChunksExact",
    "Windows",
];

/// Whether a parameter is an iterator, which is no value: it names the chain.
pub(super) fn is_iterator(ty: &syn::Type, sig: &syn::Signature) -> bool {
    let of_trait = |bound: &syn::TypeParamBound| {
        matches!(bound, syn::TypeParamBound::Trait(t)
            if t.path.segments.last().is_some_and(|s| s.ident.to_string().ends_with("Iterator")))
    };
    match ungroup(ty) {
        syn::Type::ImplTrait(t) => t.bounds.iter().any(of_trait),
        syn::Type::Path(p) if held(&p.path, &OF_SLICES).is_some() => true,
        syn::Type::Path(p) => {
            let mut variables = sig.generics.type_params();
            let mut clauses = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
            variables.any(|v| p.path.is_ident(&v.ident) && v.bounds.iter().any(of_trait))
                || clauses.any(|clause| {
                    matches!(clause, syn::WherePredicate::Type(t)
                        if ungroup(&t.bounded_ty) == ty && t.bounds.iter().any(of_trait))
                })
        }
        _ => false,
    }
}

/// The types of the arguments of a function, if the type is that of one.
pub(super) fn inputs_of(ty: &syn::Type, sig: &syn::Signature) -> Option<Vec<syn::Type>> {
    Some(function_of(ty, sig)?.0)
}

/// The type of what a function returns, if the type is that of one.
pub(super) fn output_of(ty: &syn::Type, sig: &syn::Signature) -> Option<syn::Type> {
    result_of(&function_of(ty, sig)?.1).cloned()
}

/// What a function takes and returns.
type Function = (Vec<syn::Type>, syn::ReturnType);

fn function_of(ty: &syn::Type, sig: &syn::Signature) -> Option<Function> {
    match ungroup(ty) {
        syn::Type::Reference(r) => function_of(&r.elem, sig),
        syn::Type::ImplTrait(t) => t.bounds.iter().find_map(of_bound),
        syn::Type::TraitObject(t) => t.bounds.iter().find_map(of_bound),
        syn::Type::BareFn(f) => Some(of_pointer(f)),
        syn::Type::Path(p) => match held(&p.path, &["Box"]) {
            Some(of) => function_of(of, sig),
            None => (bounds_of(p.path.get_ident()?, sig)?.iter()).find_map(of_bound),
        },
        _ => None,
    }
}

fn of_pointer(f: &syn::TypeBareFn) -> Function {
    let inputs = f.inputs.iter().map(|a| a.ty.clone());
    (inputs.collect(), f.output.clone())
}

/// The types of the arguments of the first function in a type.
pub(in crate::lower) fn inputs_within(ty: &syn::Type) -> Option<Vec<syn::Type>> {
    match ungroup(ty) {
        syn::Type::Array(a) => inputs_within(&a.elem),
        syn::Type::Slice(s) => inputs_within(&s.elem),
        syn::Type::Reference(r) => inputs_within(&r.elem),
        syn::Type::Tuple(t) => t.elems.iter().find_map(inputs_within),
        syn::Type::TraitObject(t) => Some(t.bounds.iter().find_map(of_bound)?.0),
        syn::Type::BareFn(f) => Some(of_pointer(f).0),
        syn::Type::Path(p) => inputs_within(held(&p.path, &["Box", "Vec"])?),
        _ => None,
    }
}

/// What a list or a box holds.
fn held<'t>(path: &'t syn::Path, by: &[&str]) -> Option<&'t syn::Type> {
    let last = path.segments.last()?;
    match types::arguments(path)[..] {
        [of] if by.iter().any(|name| last.ident == name) => Some(of),
        _ => None,
    }
}

/// The bounds of a type parameter.
fn bounds_of(
    name: &syn::Ident,
    sig: &syn::Signature,
) -> Option<Punctuated<syn::TypeParamBound, syn::Token![+]>> {
    let own = sig.generics.type_params().find(|p| p.ident == *name)?;
    let predicates = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
    let of_where = predicates.filter_map(|p| match p {
        syn::WherePredicate::Type(p) => match &p.bounded_ty {
            syn::Type::Path(of) if of.path.is_ident(name) => Some(&p.bounds),
            _ => None,
        },
        _ => None,
    });
    let all = own.bounds.iter().chain(of_where.flatten());
    Some(all.cloned().collect())
}

/// The type of a parameter with the bounds of a type parameter in its place: `impl Fn(usize) -> f64` of `F`.
pub(crate) fn with_bounds(ty: &syn::Type, sig: &syn::Signature) -> syn::Type {
    let bounds = match ungroup(ty) {
        syn::Type::Path(p) => p.path.get_ident().and_then(|name| bounds_of(name, sig)),
        syn::Type::Reference(r) => return with_bounds(&r.elem, sig),
        _ => None,
    };
    match bounds {
        Some(bounds) if !bounds.is_empty() => syn::Type::ImplTrait(syn::TypeImplTrait {
            impl_token: Default::default(),
            bounds,
        }),
        _ => ty.clone(),
    }
}

fn of_bound(bound: &syn::TypeParamBound) -> Option<Function> {
    let syn::TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    let last = bound.path.segments.last()?;
    let is_function = ["Fn", "FnMut", "FnOnce"].iter().any(|f| last.ident == f);
    match &last.arguments {
        syn::PathArguments::Parenthesized(args) if is_function => {
            Some((args.inputs.iter().cloned().collect(), args.output.clone()))
        }
        _ => None,
    }
}

/// The types of the others, which are constants or caches.
fn marked(sig: &syn::Signature) -> impl Iterator<Item = &syn::Type> {
    let parameters = sig.inputs.iter().filter_map(typed);
    parameters.filter(|p| !p.attrs.is_empty()).map(|p| &*p.ty)
}

/// The types of a function's arguments, `_` of those that speak of type parameters of the function that takes it which
/// are not known.
pub(super) fn known_inputs(
    mut inputs: Vec<syn::Type>,
    sig: &syn::Signature,
    known: &Map<String, syn::Path>,
) -> Vec<syn::Type> {
    let is_known = |path: &syn::Path| {
        path.get_ident()
            .is_some_and(|name| known.contains_key(&name.to_string()))
    };
    let is_open = |node: Node<'_>| match node {
        Node::Type(syn::Type::Path(p)) => {
            p.qself.is_some() || names_parameter(&p.path, sig) && !is_known(&p.path)
        }
        _ => false,
    };
    for ty in &mut inputs {
        if walk::any(Node::Type(ty), &mut |node| is_open(node)) {
            *ty = parse_quote!(_);
        }
    }
    inputs
}

/// Whether a path begins with a type parameter.
fn names_parameter(path: &syn::Path, sig: &syn::Signature) -> bool {
    let first = path.segments.first();
    let is_it = |v: &syn::TypeParam| first.is_some_and(|s| s.ident == v.ident);
    sig.generics.type_params().any(is_it)
}

/// Whether a type is a tuple without references and without type parameters of the function.
pub(super) fn is_tuple_of_values(ty: &syn::Type, sig: &syn::Signature) -> bool {
    let is_open = |node: Node<'_>| match node {
        Node::Type(syn::Type::Reference(_) | syn::Type::ImplTrait(_)) => true,
        Node::Type(syn::Type::Path(p)) => p.qself.is_some() || names_parameter(&p.path, sig),
        _ => false,
    };
    matches!(ungroup(ty), syn::Type::Tuple(_))
        && !walk::any(Node::Type(ty), &mut |node| is_open(node))
}

/// Whether values of type parameters are in what is returned, `Vec<P>`.
pub(super) fn holds_values(output: &syn::ReturnType, sig: &syn::Signature) -> bool {
    let is_other = |node: Node<'_>| match node {
        Node::Type(
            syn::Type::Reference(_) | syn::Type::ImplTrait(_) | syn::Type::TraitObject(_),
        ) => true,
        Node::Type(syn::Type::Path(p)) => {
            p.qself.is_some() || p.path.segments.len() > 1 && names_parameter(&p.path, sig)
        }
        _ => false,
    };
    result_of(output).is_some_and(|ty| {
        speaks_of_parameter(ty, sig)
            && !is_made(sig)
            && !matches!(ungroup(ty), syn::Type::Path(p) if names_parameter(&p.path, sig))
            && !walk::any(Node::Type(ty), &mut |node| is_other(node))
    })
}

/// Names of the enums without floats among items.
pub(super) fn enums_without_floats(items: &[syn::Item]) -> Vec<syn::Ident> {
    let kinds = items.iter().filter_map(|item| match item {
        syn::Item::Enum(e) => Some(e),
        _ => None,
    });
    let is_kind = |e: &&syn::ItemEnum| {
        let mut fields = e.variants.iter().flat_map(|v| &v.fields);
        fields.all(|f| has_no_floats(&f.ty))
    };
    kinds.filter(is_kind).map(|e| e.ident.clone()).collect()
}

/// Whether there are lists of tuples of these enums and of what may be differentiated, `Vec<(Kind, f64)>`.
pub(super) fn lists_kinds(ty: &syn::Type, kinds: &[syn::Ident]) -> bool {
    let is_kind = |ty: &syn::Type| match ungroup(ty) {
        syn::Type::Path(p) => p.path.get_ident().is_some_and(|name| kinds.contains(name)),
        _ => false,
    };
    let is_beside = |ty: &syn::Type| match ungroup(ty) {
        syn::Type::Tuple(t) => {
            let mut others = t.elems.iter().filter(|ty| !is_kind(ty));
            t.elems.iter().any(is_kind) && !others.all(has_no_floats)
        }
        _ => false,
    };
    walk::any(
        Node::Type(ty),
        &mut |node| matches!(node, Node::Type(list) if types::element(list).is_some_and(is_beside)),
    )
}
