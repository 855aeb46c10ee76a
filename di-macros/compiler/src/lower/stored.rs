//! Tuples and options inside of something else, an array, a vector or a struct: to the IR they are structs, whose
//! fields go by their numbers. An option is whether there is a value, and the value. Vectors inside of fields are
//! such structs too, with one field.

use super::code;
use super::ty::{Ty, data_of};
use super::types;
use crate::ir::{Tokens, Type};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// The longest tuple that the runtime can store.
const LONGEST: usize = 6;

/// The IR's type, if the type is solved and is one the IR has (no references, no tuples). `float`: what floats are in
/// tuples, options and vectors that are stored.
pub(crate) fn to_ir(ty: &Ty, float: &str) -> Option<Type> {
    Some(match ty {
        Ty::Float => Type::Float,
        ty @ Ty::Int(name) => {
            let number = data_of(ty).map_or(&**name, |(number, _)| number);
            Type::Int(number.to_owned())
        }
        Ty::Bool => Type::Bool,
        Ty::Array(t, n) => Type::Array(Box::new(part_type(t, float)?), n.clone()),
        Ty::Slice(t) => Type::Slice(Box::new(part_type(t, float)?)),
        Ty::Vec(t) => Type::Vec(Box::new(part_type(t, float)?)),
        Ty::Struct(path) => Type::Struct(path.clone()),
        Ty::Opaque(path) => Type::Opaque(path.clone()),
        Ty::Var(_) | Ty::Tuple(_) | Ty::Sum(_) | Ty::Bundle(..) | Ty::Ref(..) => return None,
    })
}

/// The same, where nothing but its form matters.
pub(crate) fn form(ty: &Ty) -> Option<Type> {
    to_ir(ty, "f64")
}

/// The type under inference that an IR type stands for.
pub(crate) fn from_ir(ty: &Type) -> Ty {
    match ty {
        Type::Float | Type::Lane => Ty::Float,
        Type::Int(name) => Ty::Int(name.clone()),
        Type::Bool => Ty::Bool,
        Type::Array(t, n) => Ty::Array(Box::new(from_ir(t)), n.clone()),
        Type::Slice(t) => Ty::Slice(Box::new(from_ir(t))),
        Type::Vec(t) => Ty::Vec(Box::new(from_ir(t))),
        Type::Struct(path) | Type::Lanes(path) => match parts(path) {
            Some(parts) => Ty::Tuple(parts),
            None => inside(path).unwrap_or_else(|| Ty::Struct(path.clone())),
        },
        Type::Opaque(path) => Ty::Opaque(path.clone()),
    }
}

/// The IR's type of something inside of something else.
pub(crate) fn part_type(ty: &Ty, float: &str) -> Option<Type> {
    match ty {
        Ty::Tuple(_) | Ty::Sum(_) | Ty::Bundle(..) => {
            written(ty, float).map(|path| Type::Struct(Tokens(path)))
        }
        Ty::Ref(false, _) => part_type(&held_type(ty), float),
        ty => to_ir(ty, float),
    }
}

/// The IR's type of a field: vectors inside of a vector are structs there.
pub(crate) fn field_type(ty: &Ty, float: &str) -> Option<Type> {
    match ty {
        Ty::Vec(t) if matches!(**t, Ty::Vec(_)) => {
            let of = written(t, float).map(|path| Type::Struct(Tokens(path)))?;
            Some(Type::Vec(Box::new(of)))
        }
        ty => part_type(ty, float),
    }
}

/// What is held of a value of this type inside of something else: of what is behind `&` the value.
pub(crate) fn held_type(ty: &Ty) -> Ty {
    match ty {
        Ty::Ref(false, of) => match &**of {
            Ty::Slice(of) => Ty::Vec(of.clone()),
            of => of.clone(),
        },
        ty => ty.clone(),
    }
}

/// The vector or array that is stored as the struct with this path.
pub(crate) fn inside(path: &Tokens) -> Option<Ty> {
    let text = path.0.to_string();
    if !(text.starts_with(":: std :: vec :: Vec <") || text.starts_with('[')) {
        return None;
    }
    let found = read(&syn::parse2(path.0.clone()).ok()?)?;
    matches!(found, Ty::Vec(_) | Ty::Array(..)).then_some(found)
}

/// Whether what is stored as the struct with this path is a vector, or has one in it.
pub(crate) fn has_vector(path: &Tokens) -> bool {
    let is_in = |ty: &Ty| match ty {
        Ty::Vec(_) => true,
        ty => matches!(part_type(ty, "f64"), Some(Type::Struct(path)) if has_vector(&path)),
    };
    inside(path).is_some() || parts(path).is_some_and(|parts| parts.iter().any(is_in))
}

/// The struct that stands for a vector inside of something else.
pub(crate) fn inside_type(vector: &Ty, float: &str) -> Option<Type> {
    match vector {
        Ty::Vec(_) => whole_type(vector, float),
        _ => None,
    }
}

/// The struct that stands for a vector or an array whose elements have lengths.
pub(crate) fn whole_type(list: &Ty, float: &str) -> Option<Type> {
    let path = match list {
        Ty::Array(of, n) => code::array(&written(of, float)?, &n.0),
        list => written(list, float)?,
    };
    Some(Type::Struct(Tokens(path)))
}

/// Whether a type has tuples or options inside of arrays, slices or vectors.
pub(crate) fn is_within(ty: &Ty) -> bool {
    match ty {
        Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Ref(_, t) => {
            matches!(**t, Ty::Tuple(_) | Ty::Sum(_)) || is_within(t)
        }
        _ => false,
    }
}

/// Whether the tuple or option at this path is stored as a struct.
pub(crate) fn is_stored(path: &Tokens) -> bool {
    parts(path).is_some()
}

/// The components of the tuple or option that is stored as the struct with this path.
pub(crate) fn parts(path: &Tokens) -> Option<Vec<Ty>> {
    let mut trees = path.0.clone().into_iter();
    let is_tuple = matches!(
        trees.next(),
        Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis
    );
    if !(is_tuple
        || path
            .0
            .to_string()
            .starts_with(":: core :: option :: Option <"))
    {
        return None;
    }
    match read(&syn::parse2(path.0.clone()).ok()?)? {
        Ty::Tuple(parts) => Some(parts),
        _ => None,
    }
}

/// The type as Rust has it; nothing of what is not stored.
fn written(ty: &Ty, float: &str) -> Option<TokenStream> {
    match ty {
        Ty::Float => Some(code::primitive(float, Span::call_site())),
        Ty::Bool => Some(code::primitive("bool", Span::call_site())),
        Ty::Int(name) if types::is_integer_name(name) => {
            Some(code::primitive(name, Span::call_site()))
        }
        // a value without floats is its number, of 64 bits at most
        Ty::Int(_) => match data_of(ty)?.0 {
            "u128" => None,
            number => Some(code::primitive(number, Span::call_site())),
        },
        Ty::Ref(false, _) => written(&held_type(ty), float),
        Ty::Bundle(_, parts) => written(&Ty::Tuple(parts.clone()), float),
        Ty::Array(t, n) if is_number(t) => Some(code::array(&written(t, float)?, &n.0)),
        Ty::Struct(path) => Some(path.0.clone()),
        Ty::Vec(t) => Some(code::vector(&written(t, float)?)),
        Ty::Sum(ts) => match ts.as_slice() {
            [some] if is_payload(some) => Some(code::option(&written(some, float)?)),
            _ => None,
        },
        Ty::Tuple(ts) => match ts.as_slice() {
            // an option, see `Ty::Sum`
            [Ty::Bool, some, Ty::Tuple(none)] if none.is_empty() && is_payload(some) => {
                Some(code::option(&written(some, float)?))
            }
            ts if (2..=LONGEST).contains(&ts.len()) => {
                let part = |t| written(t, float).filter(|_| is_part(&held_type(t)));
                let parts: Option<Vec<TokenStream>> = ts.iter().map(part).collect();
                Some(code::tuple(&parts?))
            }
            _ => None,
        },
        Ty::Var(_) | Ty::Ref(true, _) | Ty::Array(..) | Ty::Slice(_) | Ty::Opaque(_) => None,
    }
}

/// Whether an option can hold it: a number, a tuple or a list of numbers, or a derived struct.
fn is_payload(ty: &Ty) -> bool {
    match ty {
        Ty::Float | Ty::Bool | Ty::Int(_) | Ty::Struct(_) => true,
        Ty::Array(of, _) | Ty::Vec(of) => matches!(**of, Ty::Float),
        Ty::Tuple(parts) => parts
            .iter()
            .all(|of| matches!(of, Ty::Float | Ty::Bool | Ty::Int(_))),
        _ => false,
    }
}

/// Whether a tuple can hold it: of vectors those of numbers, tuples, structs and vectors.
fn is_part(ty: &Ty) -> bool {
    match ty {
        Ty::Vec(of) => match held_type(of) {
            of @ Ty::Vec(_) => is_part(&of),
            of => !matches!(of, Ty::Int(_) | Ty::Bool),
        },
        _ => true,
    }
}

/// Whether this is a tuple of bools, integers of at most 64 bits and options of them, or an option of one of these.
pub(crate) fn is_count(ty: &syn::Type) -> bool {
    match types::ungroup(ty) {
        syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Option") => {
            let is_words = |of: &syn::Type| match types::ungroup(of) {
                syn::Type::Tuple(t) => is_storable(t) && t.elems.iter().all(is_word),
                of => is_word(of),
            };
            matches!(types::arguments(&p.path)[..], [of] if is_words(of))
        }
        syn::Type::Tuple(t) => {
            is_storable(t) && t.elems.iter().all(|of| is_word(of) || is_count(of))
        }
        _ => false,
    }
}

fn is_storable(tuple: &syn::TypeTuple) -> bool {
    (2..=LONGEST).contains(&tuple.elems.len())
}

/// Whether this is a bool, or an integer of at most 64 bits.
pub(crate) fn is_word(ty: &syn::Type) -> bool {
    const WIDE: [&str; 2] = ["u128", "i128"];
    types::is_std_name(ty, &["bool"])
        || types::is_std_name(ty, &types::INTEGERS) && !types::is_std_name(ty, &WIDE)
}

/// Whether this is a float, or an array of floats.
pub(crate) fn is_number(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Array(t, _) => is_number(t),
        _ => false,
    }
}

/// What [`written`] has written.
fn read(ty: &syn::Type) -> Option<Ty> {
    match types::ungroup(ty) {
        syn::Type::Tuple(tuple) => {
            let parts: Option<Vec<Ty>> = tuple.elems.iter().map(read).collect();
            Some(Ty::Tuple(parts?))
        }
        syn::Type::Array(array) => {
            let of = Box::new(read(&array.elem)?);
            Some(Ty::Array(of, Tokens(array.len.to_token_stream())))
        }
        syn::Type::Path(p) => {
            let last = p.path.segments.last()?;
            let name = last.ident.to_string();
            let is_primitive = p.path.leading_colon.is_some()
                && p.path.segments.iter().any(|s| s.ident == "primitive");
            Some(match (&*name, &last.arguments) {
                ("f64" | "f32", _) if is_primitive => Ty::Float,
                ("bool", _) if is_primitive => Ty::Bool,
                (_, _) if is_primitive => Ty::Int(name),
                ("Option", syn::PathArguments::AngleBracketed(args)) => match args.args.first()? {
                    syn::GenericArgument::Type(some) => {
                        Ty::Tuple(vec![Ty::Bool, read(some)?, Ty::unit()])
                    }
                    _ => return None,
                },
                ("Vec", syn::PathArguments::AngleBracketed(args)) => match args.args.first()? {
                    syn::GenericArgument::Type(of) => Ty::Vec(Box::new(read(of)?)),
                    _ => return None,
                },
                _ => Ty::Struct(Tokens(ty.to_token_stream())),
            })
        }
        _ => None,
    }
}
