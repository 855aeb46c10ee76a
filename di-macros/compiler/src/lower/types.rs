//! Types as the user writes them.

use super::bundles::{read_bundle, read_other};
use super::data;
use super::stored::{is_number, part_type};
use super::ty::{Ty, Unifier};
use crate::error;
use crate::ir::{Tokens, Type};
use crate::lower::extent::HasExtent;
use crate::report::Report;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

/// Names of the integer types.
pub(crate) const INTEGERS: [&str; 12] = [
    "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
];

/// The types of the parameters behind `self`.
pub(crate) fn inputs(sig: &syn::Signature) -> Vec<syn::Type> {
    let typed = sig.inputs.iter().filter_map(typed);
    typed.map(|p| (*p.ty).clone()).collect()
}

/// A parameter behind `self`.
pub(crate) fn typed(input: &syn::FnArg) -> Option<&syn::PatType> {
    match input {
        syn::FnArg::Typed(p) => Some(p),
        syn::FnArg::Receiver(_) => None,
    }
}

/// The types of parameters that may be differentiated.
pub(crate) fn unmarked(sig: &syn::Signature) -> impl Iterator<Item = &syn::Type> {
    let parameters = sig.inputs.iter().filter_map(typed);
    parameters.filter(|p| p.attrs.is_empty()).map(|p| &*p.ty)
}

/// Whether this is an integer type.
pub(crate) fn is_integer(ty: &syn::Type) -> bool {
    is_one_of(ty, &[])
}

/// Whether this is an integer type, or one of these names.
pub(crate) fn is_one_of(ty: &syn::Type, others: &[&str]) -> bool {
    matches!(ungroup(ty), syn::Type::Path(p) if p.path.get_ident().is_some_and(|name| {
        let name = name.to_string();
        is_integer_name(&name) || others.contains(&&*name)
    }))
}

/// Whether this is the name of an integer type.
pub(crate) fn is_integer_name(name: &str) -> bool {
    INTEGERS.contains(&name)
}

/// The length of an array, without braces around a name.
pub(crate) fn length(len: &syn::Expr) -> TokenStream {
    match len {
        syn::Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => match &*b.block.stmts {
            [syn::Stmt::Expr(syn::Expr::Path(name), None)] => name.to_token_stream(),
            _ => len.to_token_stream(),
        },
        _ => len.to_token_stream(),
    }
}

/// The type of what is returned, if it is written.
pub(crate) fn result_of(output: &syn::ReturnType) -> Option<&syn::Type> {
    match output {
        syn::ReturnType::Type(_, ty) => Some(ty),
        syn::ReturnType::Default => None,
    }
}

/// Groups without delimiters, which come out of `macro_rules!`, and parentheses are transparent.
pub(crate) fn ungroup(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(g) => ungroup(&g.elem),
        syn::Type::Paren(p) => ungroup(&p.elem),
        _ => ty,
    }
}

/// A tuple, or a reference to one.
pub(crate) fn is_tuple(ty: &syn::Type) -> bool {
    match ungroup(ty) {
        syn::Type::Tuple(_) => true,
        syn::Type::Reference(r) => is_tuple(&r.elem),
        _ => false,
    }
}

/// The type of a row of a vector of vectors, or of an array of them.
pub(crate) fn rows_of(ty: &syn::Type) -> Option<&syn::Type> {
    let element = |ty| match ungroup(ty) {
        syn::Type::Path(path) => vec_element(path),
        _ => None,
    };
    let row = match ungroup(ty) {
        syn::Type::Array(array) => Some(&*array.elem),
        ty => element(ty),
    };
    row.filter(|row| element(row).is_some())
}

/// The element of a `Vec`.
pub(crate) fn vec_element(path: &syn::TypePath) -> Option<&syn::Type> {
    match arguments(&path.path)[..] {
        [of] if path.path.segments.last()?.ident == "Vec" => Some(of),
        _ => None,
    }
}

/// The element of an array, slice or vector.
pub(crate) fn element(ty: &syn::Type) -> Option<&syn::Type> {
    match ungroup(ty) {
        syn::Type::Array(a) => Some(&a.elem),
        syn::Type::Slice(s) => Some(&s.elem),
        syn::Type::Path(p) => vec_element(p),
        _ => None,
    }
}

/// A type that needs no thought: scalars, arrays, vectors, slices, tuples, references, `_`.
pub(crate) fn read_plain(ty: &syn::Type, float: &str, unifier: &mut Unifier) -> Option<Ty> {
    read_with(ty, float, unifier, None)
}

/// Type of a variable: what is plain, structs, and all that holds these.
pub(crate) fn read_local(ty: &syn::Type, float: &str, unifier: &mut Unifier) -> Option<Ty> {
    read_with(ty, float, unifier, Some(read_other)).map(with_rows)
}

/// `[Vec<f64>; 2]` and `[&[f64]; 2]` as `Vec<Vec<f64>>`, which is the form of all sequences of rows.
pub(crate) fn with_rows(ty: Ty) -> Ty {
    match ty {
        Ty::Array(of, n) => match with_rows(*of) {
            row @ Ty::Vec(_) => Ty::Vec(Box::new(row)),
            Ty::Ref(false, of) => match *of {
                Ty::Slice(elem) => Ty::Vec(Box::new(Ty::Vec(elem))),
                of => Ty::Array(Box::new(Ty::Ref(false, Box::new(of))), n),
            },
            of => Ty::Array(Box::new(of), n),
        },
        Ty::Vec(of) => Ty::Vec(Box::new(with_rows(*of))),
        Ty::Tuple(of) => Ty::Tuple(of.into_iter().map(with_rows).collect()),
        other => other,
    }
}

/// What a path is that is neither plain nor holds something.
type Other = Option<fn(&syn::Type, &Unifier) -> Option<Ty>>;

fn read_with(ty: &syn::Type, float: &str, unifier: &mut Unifier, other: Other) -> Option<Ty> {
    if let Some(object) = trait_of(ty).and_then(|_| other?(ty, unifier)) {
        return Some(object);
    }
    let mut read = |ty: &syn::Type| read_with(ty, float, unifier, other);
    match ungroup(ty) {
        syn::Type::Infer(_) => Some(unifier.fresh()),
        syn::Type::Array(a) => {
            let elem = read(&a.elem)?;
            Some(Ty::Array(Box::new(elem), Tokens(length(&a.len))))
        }
        syn::Type::Slice(s) => Some(Ty::Slice(Box::new(read(&s.elem)?))),
        syn::Type::Reference(r) => Some(Ty::reference(r.mutability.is_some(), read(&r.elem)?)),
        syn::Type::Tuple(t) => {
            let is_named = other.is_some() && data::is_named(t);
            let elems = t.elems.iter().map(|of| match data::text(of) {
                Some(_) if is_named => Some(unifier.fresh_written(Tokens(of.to_token_stream()))),
                _ => read_with(of, float, unifier, other),
            });
            elems.collect::<Option<_>>().map(Ty::Tuple)
        }
        syn::Type::Path(p) if p.qself.is_none() => {
            let name = p.path.segments.last()?.ident.to_string();
            match (&*name, arguments(&p.path).as_slice()) {
                ("Vec", [of]) => Some(Ty::Vec(Box::new(read(of)?))),
                // storage of its own, as every variable has
                ("Box", [of]) => match read(of)? {
                    Ty::Slice(t) => Some(Ty::Vec(t)),
                    t @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..)) => Some(t),
                    _ => None,
                },
                ("Option", [some]) => Some(Ty::Sum(vec![read(some)?])),
                ("Result", [ok, err]) => {
                    let ok = read(ok)?;
                    // nobody looks into an error of a foreign type
                    let err = read_plain(err, float, unifier)
                        .or_else(|| read_enum(err, unifier))
                        .unwrap_or_else(|| Ty::Opaque(Tokens(err.to_token_stream())));
                    Some(Ty::Sum(vec![ok, err]))
                }
                _ => read_name(&p.path, float, unifier)
                    .or_else(|| read_bundle(&p.path, float, unifier))
                    .or_else(|| other?(ty, unifier)),
            }
        }
        _ => None,
    }
}

/// An enum with derivatives.
fn read_enum(ty: &syn::Type, unifier: &Unifier) -> Option<Ty> {
    match ungroup(ty) {
        syn::Type::Path(p) if p.qself.is_none() => {
            let path = p.path.to_token_stream();
            let is_one = unifier.bundles.names_enum(&path.to_string());
            is_one.then(|| Ty::Struct(Tokens(path)))
        }
        _ => None,
    }
}

/// What the type of a constant is called that is inferred, before its number.
const INFERRED: &str = "__Inferred";

/// A type that is inferred, as a part of one that is written.
pub(crate) fn inferred(var: u32) -> syn::Type {
    let name = Ident::new(&format!("{INFERRED}{var}"), Span::call_site());
    crate::template::parse_quote!(#name)
}

/// Whether this is the name of such a type.
pub(crate) fn is_inferred(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p)
        if p.path.get_ident().is_some_and(|name| name.to_string().starts_with(INFERRED)))
}

/// A scalar, or a type without floats.
fn read_name(path: &syn::Path, float: &str, unifier: &Unifier) -> Option<Ty> {
    let last = path.segments.last()?;
    let name = last.ident.to_string();
    if !last.arguments.is_none() {
        return None;
    }
    if let Some(number) = name.strip_prefix(INFERRED) {
        return number.parse().ok().map(Ty::Var);
    }
    if unifier.names_data(path) {
        return Some(Ty::Opaque(Tokens(path.to_token_stream())));
    }
    // `std::primitive::f64` and plain names; `my::f64` would be somebody's alias
    let is_std = path.segments.len() == 1
        || path.segments.iter().any(|s| s.ident == "primitive")
        || path
            .to_token_stream()
            .to_string()
            .ends_with("cmp :: Ordering");
    match is_std {
        true if name == float => Some(Ty::Float),
        true if name == "bool" => Some(Ty::Bool),
        true if name == "Ordering" => Some(Ty::Int("i8".to_owned())),
        true => INTEGERS.contains(&name.as_str()).then_some(Ty::Int(name)),
        false => None,
    }
}

/// The types among the arguments of a path's last name.
pub(crate) fn arguments(path: &syn::Path) -> Vec<&syn::Type> {
    match path.segments.last().map(|s| &s.arguments) {
        Some(syn::PathArguments::AngleBracketed(args)) => {
            let types = args.args.iter().filter_map(|a| match a {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            types.collect()
        }
        _ => Vec::new(),
    }
}

/// Whether this is `&'static str`.
pub(crate) fn is_static_text(r: &syn::TypeReference) -> bool {
    let is_static = r.lifetime.as_ref().is_some_and(|l| l.ident == "static");
    is_static && r.mutability.is_none() && is_std_name(&r.elem, &["str"])
}

/// Whether this is an option or a result.
pub(crate) fn is_sum(path: &syn::Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|s| s.ident == "Option" || s.ident == "Result")
}

/// A struct, or an array, slice or vector of one or of arrays of it, also behind a reference.
pub(crate) fn read_structs(ty: &syn::Type) -> Option<Ty> {
    match ungroup(ty) {
        syn::Type::Reference(r) => Some(Ty::reference(
            r.mutability.is_some(),
            read_structs(&r.elem)?,
        )),
        syn::Type::Slice(s) => Some(Ty::Slice(Box::new(read_row(&s.elem)?))),
        syn::Type::Path(p) => match vec_element(p) {
            Some(of) => Some(Ty::Vec(Box::new(read_row(of)?))),
            None => read_struct(ty),
        },
        _ => read_row(ty),
    }
}

/// A struct, or an array of such.
fn read_row(ty: &syn::Type) -> Option<Ty> {
    match ungroup(ty) {
        syn::Type::Array(a) => {
            let of = Box::new(read_row(&a.elem)?);
            Some(Ty::Array(of, Tokens(length(&a.len))))
        }
        ty => read_struct(ty),
    }
}

/// A path that may be a derived struct.
pub(super) fn read_struct(ty: &syn::Type) -> Option<Ty> {
    let ty = ungroup(ty);
    let syn::Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    let text = last.arguments.to_token_stream().to_string();
    let floats = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|w| w == "f64" || w == "f32");
    let std = is_std_name(
        ty,
        &[
            "Option", "Result", "Vec", "VecDeque", "Box", "Rc", "Arc", "Cell", "RefCell",
            "HashMap", "BTreeMap", "HashSet", "BTreeSet", "String", "str", "char", "f64", "f32",
        ],
    );
    let name = last.ident.to_string();
    (p.qself.is_none() && !floats && !std && name.starts_with(char::is_uppercase))
        .then(|| Ty::Struct(Tokens(ty.to_token_stream())))
}

/// Type of a `#[constant]` parameter: anything. What is not plain is opaque.
pub(crate) fn read_constant_type(ty: &syn::Type, float: &str, unifier: &mut Unifier) -> Ty {
    match ungroup(ty) {
        syn::Type::Reference(r) => Ty::reference(
            r.mutability.is_some(),
            read_constant_type(&r.elem, float, unifier),
        ),
        syn::Type::Infer(_) | syn::Type::Tuple(_) => Ty::Opaque(Tokens(ty.to_token_stream())),
        other => match read_plain(other, float, unifier) {
            Some(t)
                if super::ty::form(&t).is_some_and(|t| !matches!(t.leaf(), Type::Opaque(_)))
                    && !super::stored::is_within(&t) =>
            {
                t
            }
            Some(_) | None => Ty::Opaque(Tokens(other.to_token_stream())),
        },
    }
}

/// Type of a parameter that is not marked as constant.
pub(crate) fn read_param_type(
    ty: &syn::Type,
    float: &str,
    unifier: &mut Unifier,
    cx: &Report,
) -> Option<Ty> {
    let ty = ungroup(ty);
    match ty {
        syn::Type::Reference(r) => read_referent(r, float, unifier, cx),
        syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) | syn::Type::BareFn(_) => {
            refuse(cx, ty, &error::PARAMETER_FUNCTION)
        }
        syn::Type::Ptr(_) => refuse(cx, ty, &error::PARAMETER_POINTER),
        _ => match read_plain(ty, float, unifier).or_else(|| read_tuples(ty, float, unifier)) {
            Some(t @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Vec(_)))
                if fits(&t) =>
            {
                Some(t)
            }
            Some(Ty::Array(row, _)) if has_numbers(&row) => Some(Ty::Vec(row)),
            Some(t @ Ty::Opaque(_)) => Some(t),
            Some(Ty::Sum(_)) => refuse(cx, ty, &error::PARAMETER_OPTION),
            Some(_) => refuse(cx, ty, &error::PARAMETER_TYPE),
            None if is_other_float(ty, float) => refuse(cx, ty, &error::MIXED_FLOATS),
            None if is_std_name(ty, &["String", "char"]) => {
                Some(Ty::Opaque(Tokens(ty.to_token_stream())))
            }
            None if is_std_name(ty, &["Option", "Result"]) => {
                refuse(cx, ty, &error::PARAMETER_OPTION)
            }
            None => match read_structs(ty) {
                Some(t) => Some(t),
                None => refuse(cx, ty, &error::PARAMETER_TYPE),
            },
        },
    }
}

/// Whether a parameter of this type, without floats, has to be held constant: else it is read as what it is.
pub(crate) fn is_no_parameter(ty: &syn::Type) -> bool {
    let cx = Report::default();
    let found = read_param_type(ty, "f64", &mut Unifier::default(), &cx);
    cx.discard();
    found.is_none()
}

fn read_referent(
    r: &syn::TypeReference,
    float: &str,
    unifier: &mut Unifier,
    cx: &Report,
) -> Option<Ty> {
    let inner = ungroup(&r.elem);
    let mutable = r.mutability.is_some();
    let wrap = |t| Some(Ty::reference(mutable, t));
    match read_plain(inner, float, unifier).or_else(|| read_tuples(inner, float, unifier)) {
        Some(t @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Slice(_)))
            if fits(&t) =>
        {
            wrap(t)
        }
        // as a slice: its length stays
        Some(Ty::Vec(elem)) if fits(&Ty::Vec(elem.clone())) => wrap(Ty::Slice(elem)),
        Some(Ty::Array(row, _)) if has_numbers(&row) => wrap(Ty::Slice(row)),
        Some(Ty::Sum(_)) => refuse(cx, inner, &error::PARAMETER_OPTION),
        Some(_) => refuse(cx, inner, &error::PARAMETER_TYPE),
        None if is_other_float(inner, float) => refuse(cx, inner, &error::MIXED_FLOATS),
        None if is_std_name(inner, &["str", "String"]) => {
            wrap(Ty::Opaque(Tokens(inner.to_token_stream())))
        }
        None if is_std_name(inner, &["Option", "Result"]) => {
            refuse(cx, inner, &error::PARAMETER_OPTION)
        }
        None => match inner {
            syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) | syn::Type::BareFn(_) => {
                refuse(cx, inner, &error::PARAMETER_FUNCTION)
            }
            _ => match read_structs(inner) {
                Some(Ty::Vec(of)) => wrap(Ty::Slice(of)),
                Some(t) => wrap(t),
                None => refuse(cx, inner, &error::PARAMETER_TYPE),
            },
        },
    }
}

/// A list of tuples with structs.
pub(crate) fn read_tuples(ty: &syn::Type, float: &str, unifier: &mut Unifier) -> Option<Ty> {
    let found = read_local(ty, float, unifier)?;
    let is_it = matches!(&found, Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) if matches!(**of, Ty::Tuple(_)));
    is_it.then_some(found)
}

/// Whether this is a row of a vector of vectors: a vector of floats, or of arrays of them.
fn has_numbers(row: &Ty) -> bool {
    matches!(row, Ty::Vec(elem) if is_number(elem))
}

/// Arrays, slices and vectors of scalars, nested by arrays, and vectors of vectors.
fn fits(ty: &Ty) -> bool {
    match ty {
        Ty::Float | Ty::Int(_) | Ty::Bool => true,
        Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t)
            if matches!(&**t, Ty::Tuple(_))
                || matches!(&**t, Ty::Sum(parts) if parts.len() == 1) =>
        {
            part_type(t, "f64").is_some()
        }
        Ty::Array(t, _) => {
            matches!(**t, Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..)) && fits(t)
        }
        Ty::Slice(t) | Ty::Vec(t) => {
            has_numbers(t)
                || matches!(**t, Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..)) && fits(t)
        }
        Ty::Var(_)
        | Ty::Tuple(_)
        | Ty::Sum(_)
        | Ty::Bundle(..)
        | Ty::Ref(..)
        | Ty::Struct(_)
        | Ty::Opaque(_) => false,
    }
}

fn refuse(cx: &Report, ty: &syn::Type, message: &'static error::Message) -> Option<Ty> {
    cx.error_about(ty.extent(), message, ty.to_token_stream());
    None
}

/// The other float type, alone or as what a sequence is made of.
pub(crate) fn is_other_float(ty: &syn::Type, float: &str) -> bool {
    match ungroup(ty) {
        syn::Type::Path(p) => {
            let mut floats = ["f64", "f32"].into_iter().filter(|f| *f != float);
            floats.any(|f| p.path.is_ident(f))
        }
        syn::Type::Array(a) => is_other_float(&a.elem, float),
        syn::Type::Slice(s) => is_other_float(&s.elem, float),
        _ => false,
    }
}

/// A type of std that owns what it holds, and is not copied by itself.
pub(crate) fn owns(ty: &syn::Type) -> bool {
    is_std_name(
        ty,
        &[
            "Vec", "VecDeque", "String", "Box", "Rc", "Arc", "Cell", "RefCell", "HashMap",
            "BTreeMap", "HashSet", "BTreeSet", "PathBuf",
        ],
    )
}

pub(crate) fn is_std_name(ty: &syn::Type, names: &[&str]) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    let last = p.path.segments.last();
    last.is_some_and(|s| names.iter().any(|n| s.ident == n) && !is_namesake(s))
}

/// Whether a type is the user's, and is called like one of std that always has a type for an argument: `Cell`, an `Arc`
/// of a circle, `Cell<N>` for a length `N`.
pub(crate) fn is_namesake(name: &syn::PathSegment) -> bool {
    let is_length = |argument: &syn::GenericArgument| match argument {
        syn::GenericArgument::Type(syn::Type::Path(p)) => p.path.get_ident().is_some_and(|name| {
            let name = name.to_string();
            name.chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        }),
        syn::GenericArgument::Const(_) => true,
        _ => false,
    };
    let has_type = match &name.arguments {
        syn::PathArguments::AngleBracketed(args) if name.ident == "Cell" => {
            !args.args.iter().all(is_length)
        }
        arguments => !arguments.is_empty(),
    };
    ["Arc", "Box", "Cell", "Rc"]
        .iter()
        .any(|std| name.ident == std)
        && !has_type
}

/// The trait of a type of objects, behind references and boxes. Functions are none.
pub(crate) fn trait_of(ty: &syn::Type) -> Option<String> {
    match ungroup(ty) {
        syn::Type::Reference(r) => trait_of(&r.elem),
        syn::Type::TraitObject(object) => object.bounds.iter().find_map(|bound| match bound {
            syn::TypeParamBound::Trait(t) => {
                let last = t.path.segments.last()?;
                matches!(last.arguments, syn::PathArguments::None).then(|| last.ident.to_string())
            }
            _ => None,
        }),
        syn::Type::Path(p) if is_pointer(&p.path) => trait_of(arguments(&p.path).first()?),
        _ => None,
    }
}

/// The name of the type of a range: `Range` of `std::ops::Range<usize>`.
pub(crate) fn range_of(ty: &syn::Type) -> Option<String> {
    let syn::Type::Path(of) = ungroup(ty) else {
        return None;
    };
    const RANGES: [&str; 4] = ["Range", "RangeFrom", "RangeInclusive", "RangeTo"];
    let name = of.path.segments.last()?.ident.to_string();
    RANGES.contains(&&*name).then_some(name)
}

/// The name of a type that is an integer.
pub(super) fn integer_of(ty: &Tokens) -> Option<String> {
    let name = ty.0.to_string();
    is_integer_name(&name).then_some(name)
}

/// Whether two lengths are literals of different values; of others rustc alone knows.
pub(super) fn differ(n: &Tokens, m: &Tokens) -> bool {
    let value = |n: &Tokens| syn::parse2::<syn::LitInt>(n.0.clone()).ok();
    let values = value(n).zip(value(m));
    values.is_some_and(|(n, m)| n.base10_digits() != m.base10_digits())
}

/// Whether this is `Option<T>`.
pub(crate) fn is_option(ty: &syn::Type) -> bool {
    matches!(ungroup(ty), syn::Type::Path(p)
        if p.path.segments.last().is_some_and(|s| s.ident == "Option"))
}

/// The type behind references and boxes, whose methods these have too.
pub(crate) fn behind_pointers(ty: &syn::Type) -> &syn::Type {
    match ungroup(ty) {
        syn::Type::Reference(r) => behind_pointers(&r.elem),
        syn::Type::Path(p) if is_pointer(&p.path) => match arguments(&p.path)[..] {
            [of] => behind_pointers(of),
            _ => ty,
        },
        ty => ty,
    }
}

/// Whether this is `Box<T>` or a counted pointer.
fn is_pointer(path: &syn::Path) -> bool {
    let is_it = |name: &&str| path.segments.last().is_some_and(|s| s.ident == name);
    ["Arc", "Box", "Rc"].iter().any(is_it)
}
