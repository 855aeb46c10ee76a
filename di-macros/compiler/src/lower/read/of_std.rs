//! What methods of std return on constants: a table. Closures are looked into, with the types of what they take.

use super::Reader;
use super::expr::{strip, unraw};
use super::known::is_scalar;
use super::lifted::behind_references;
use super::structs::member_name;
use crate::lower::types;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::ToTokens;

/// What variables of closures are called, and their types, as far as these are known.
pub(crate) type Names = [(String, Option<syn::Type>)];

/// The type of a constant, or an iterator over such.
#[derive(Clone)]
pub(crate) enum Seen {
    Value(syn::Type),
    Items(syn::Type),
}

use Seen::{Items, Value};

impl Seen {
    pub(crate) fn value(self) -> Option<syn::Type> {
        match self {
            Value(ty) => Some(ty),
            Items(_) => None,
        }
    }
}

/// A type of std, with its parameters.
enum Form {
    Option(syn::Type),
    Result(syn::Type),
    /// Vectors, slices, arrays and queues.
    List(syn::Type),
    Map(Box<syn::Type>, Box<syn::Type>),
    Set(syn::Type),
    Items(syn::Type),
    Text,
    Other(syn::Type),
}

impl Reader<'_> {
    /// What the method of std returns. `of`: what it is called on, behind a reference if it does not take that.
    pub(super) fn result_of_std(
        &self,
        of: Seen,
        m: &syn::ExprMethodCall,
        names: &Names,
    ) -> Option<Seen> {
        let given = |k: usize| match strip(m.args.iter().nth(k)?) {
            syn::Expr::Closure(c) => Some(c),
            _ => None,
        };
        let of_closure = |k: usize, takes: &[&syn::Type]| self.returned(given(k)?, takes, names);
        let seen = |k: usize| self.seen_among(m.args.iter().nth(k)?, names);
        let of_value = |k: usize, takes: &[&syn::Type]| of_closure(k, takes)?.value();
        let name = m.method.to_string();
        let is_behind =
            matches!(&of, Value(ty) if matches!(types::ungroup(ty), syn::Type::Reference(_)));
        let found = match (form(of.clone()), &*name) {
            // what is a number is one behind a reference, too
            (Form::Option(t), "as_ref") if is_scalar(&t) => option(t),
            (Form::Option(t), "as_ref" | "as_mut") => option(parse_quote!(&#t)),
            (Form::Option(t), "as_deref") => option(dereferenced(&t)?),
            (Form::List(t), "as_slice" | "as_ref") => Value(parse_quote!(&[#t])),
            (Form::Text, "to_owned") => Value(parse_quote!(String)),
            (_, "clone" | "to_owned" | "borrow" | "as_ref") if m.args.is_empty() => match of {
                Value(ty) => Value(behind_references(&ty).clone()),
                of => of,
            },
            // of a type of one's own other methods of these names may return anything
            (Form::Other(of), name) => match name {
                "len" => Value(parse_quote!(usize)),
                "is_empty" => Value(parse_quote!(bool)),
                "iter" | "into_iter" | "by_ref" => Items(self.own_item(&of)?),
                _ => return None,
            },
            (_, "len" | "count" | "partition_point" | "capacity") => Value(parse_quote!(usize)),
            (
                _,
                "is_empty" | "contains" | "contains_key" | "is_some" | "is_none" | "is_ok"
                | "is_err" | "any" | "all" | "is_some_and" | "is_none_or" | "starts_with"
                | "ends_with",
            ) => Value(parse_quote!(bool)),

            (
                Form::Option(t) | Form::Result(t),
                "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default",
            ) => Value(t),
            (Form::Option(t), "copied" | "cloned") => option(behind_references(&t).clone()),
            (Form::Option(t), "filter" | "or" | "or_else" | "xor" | "take") => option(t),
            (Form::Option(t), "ok_or") => result(&t, seen(0)),
            (Form::Option(t), "ok_or_else") => result(&t, of_closure(0, &[])),
            (Form::Result(t), "ok") => option(t),
            (Form::Result(t), "map_err" | "or_else") => result(&t, None),
            (Form::Option(t), "map") => option(of_value(0, &[&t])?),
            (Form::Result(t), "map") => result(&of_value(0, &[&t])?, None),
            (Form::Option(t) | Form::Result(t), "and_then") => of_closure(0, &[&t])?,
            (Form::Option(t) | Form::Result(t), "map_or" | "map_or_else") => of_closure(1, &[&t])?,
            (Form::Option(t), "iter") => Items(parse_quote!(&#t)),
            (Form::Option(t), "into_iter") => Items(t),

            (Form::List(t), "iter" | "iter_mut" | "into_iter") => Items(parse_quote!(&#t)),
            (Form::List(t), "first_mut" | "last_mut") => option(parse_quote!(&#t)),
            (Form::List(t), "first" | "last" | "get" | "front" | "back") => {
                let is_range = matches!(m.args.first().map(strip), Some(syn::Expr::Range(_)));
                match is_range {
                    true => option(parse_quote!(&[#t])),
                    false => option(parse_quote!(&#t)),
                }
            }
            (Form::List(t), "to_vec" | "into_vec" | "repeat") => Value(parse_quote!(Vec<#t>)),
            (
                Form::List(t),
                "windows" | "chunks" | "chunks_exact" | "rchunks" | "chunk_by" | "split",
            ) => Items(parse_quote!(&[#t])),
            (Form::List(t), "split_at") => Value(parse_quote!((&[#t], &[#t]))),
            (Form::List(t), "split_first" | "split_last") => option(parse_quote!((&#t, &[#t]))),
            (Form::List(_), "binary_search" | "binary_search_by" | "binary_search_by_key") => {
                Value(parse_quote!(Result<usize, usize>))
            }

            (Form::Map(_, v), "get") => option(parse_quote!(&#v)),
            (Form::Map(k, v), "get_key_value" | "first_key_value" | "last_key_value") => {
                option(parse_quote!((&#k, &#v)))
            }
            (Form::Map(k, v), "into_iter") if !is_behind => Items(parse_quote!((#k, #v))),
            (Form::Set(t), "into_iter") if !is_behind => Items(t),
            (Form::Map(k, v), "iter" | "into_iter" | "range") => Items(parse_quote!((&#k, &#v))),
            (Form::Map(k, _), "keys") => Items(parse_quote!(&#k)),
            (Form::Map(k, _), "into_keys") => Items(*k),
            (Form::Map(_, v), "values") => Items(parse_quote!(&#v)),
            (Form::Map(_, v), "into_values") => Items(*v),

            (
                Form::Set(t),
                "iter"
                | "into_iter"
                | "range"
                | "union"
                | "intersection"
                | "difference"
                | "symmetric_difference",
            ) => Items(parse_quote!(&#t)),
            (Form::Set(t), "first" | "last" | "get" | "peek") => option(parse_quote!(&#t)),

            (
                Form::Items(t),
                "rev" | "skip" | "take" | "step_by" | "filter" | "skip_while" | "take_while"
                | "cycle" | "peekable" | "inspect" | "chain" | "by_ref" | "fuse" | "into_iter"
                | "iter",
            ) => Items(t),
            (Form::Items(t), "copied" | "cloned") => Items(behind_references(&t).clone()),
            (Form::Items(t), "enumerate") => Items(parse_quote!((usize, #t))),
            (Form::Items(t), "zip") => {
                let other = match form(seen(0)?) {
                    Form::Items(of) => of,
                    Form::List(of) | Form::Set(of) => parse_quote!(&#of),
                    _ => return None,
                };
                Items(parse_quote!((#t, #other)))
            }
            (Form::Items(t), "map") => Items(of_value(0, &[&t])?),
            (Form::Items(t), "filter_map" | "map_while") => match form(of_closure(0, &[&t])?) {
                Form::Option(of) => Items(of),
                _ => return None,
            },
            (Form::Items(t), "find_map") => of_closure(0, &[&t])?,
            (Form::Items(t), "flat_map") => items(of_closure(0, &[&t])?)?,
            (Form::Items(t), "flatten") => items(Value(t))?,
            (
                Form::Items(t),
                "next" | "last" | "nth" | "next_back" | "nth_back" | "min" | "max" | "min_by"
                | "max_by" | "min_by_key" | "max_by_key" | "find" | "reduce" | "peek",
            ) => option(t),
            (Form::Items(_), "position" | "rposition") => option(parse_quote!(usize)),
            (Form::Items(t), "collect") => match &m.turbofish {
                Some(written) => match written.args.first()? {
                    syn::GenericArgument::Type(syn::Type::Path(p))
                        if p.path.segments.last().is_some_and(|s| s.ident == "Vec") =>
                    {
                        match types::arguments(&p.path)[..] {
                            [syn::Type::Infer(_)] => Value(parse_quote!(Vec<#t>)),
                            _ => Value(syn::Type::Path(p.clone())),
                        }
                    }
                    _ => return None,
                },
                None => return None,
            },

            (Form::Text, "chars") => Items(parse_quote!(char)),
            (Form::Text, "bytes") => Items(parse_quote!(u8)),
            (Form::Text, "char_indices") => Items(parse_quote!((usize, char))),
            (Form::Text, "lines" | "split" | "split_whitespace") => Items(parse_quote!(&str)),
            (Form::Text, "as_str" | "trim") => Value(parse_quote!(&str)),
            (Form::Text, "parse") => match m.turbofish.as_ref()?.args.first()? {
                syn::GenericArgument::Type(of) => Value(parse_quote!(Result<#of, _>)),
                _ => return None,
            },
            (Form::Text, "to_string") => Value(parse_quote!(String)),

            _ => return None,
        };
        Some(found)
    }

    /// What a method of a text, or of a collection that has no index, gives as an iterator. `of`: what it is called on.
    pub(super) fn items_without_index(
        &self,
        of: &syn::Type,
        m: &syn::ExprMethodCall,
    ) -> Option<syn::Type> {
        let of = Value(of.clone());
        if !matches!(form(of.clone()), Form::Map(..) | Form::Set(_) | Form::Text) {
            return None;
        }
        match self.result_of_std(of, m, &[])? {
            Items(item) => Some(item),
            Value(_) => None,
        }
    }

    /// Whether a constant is an iterator of std, `by_number.values()`.
    pub(super) fn gives_items(&self, e: &syn::Expr) -> bool {
        matches!(self.seen_among(e, &[]), Some(Items(_)))
    }

    /// The type of a variable that is written for it, `Vec<_>`, or else that of its value.
    pub(super) fn collected_as_written(
        &self,
        written: Option<&syn::Type>,
        init: &syn::Expr,
    ) -> Option<syn::Type> {
        if let Some(ty) = written.filter(|ty| !walk::has_hole(ty)) {
            return Some(ty.clone());
        }
        match strip(init) {
            syn::Expr::MethodCall(m) if m.method == "collect" && m.turbofish.is_none() => {
                let items = self.seen_among(&m.receiver, &[])?;
                let (Items(of), Form::List(_)) = (items, form(Value(written?.clone()))) else {
                    return None;
                };
                Some(parse_quote!(Vec<#of>))
            }
            init => self.type_as_written(init),
        }
    }

    /// What a struct with a method `next` gives.
    fn own_item(&self, of: &syn::Type) -> Option<syn::Type> {
        let next = self
            .env
            .passive(&of.to_token_stream().to_string(), "next")?;
        match next {
            syn::Type::Path(p) => types::arguments(&p.path).first().map(|ty| (*ty).clone()),
            _ => None,
        }
    }

    /// What a closure returns, if it takes values of these types.
    fn returned(&self, c: &syn::ExprClosure, takes: &[&syn::Type], names: &Names) -> Option<Seen> {
        let mut all = names.to_vec();
        for (pat, ty) in c.inputs.iter().zip(takes) {
            self.name(pat, Some(ty), &mut all);
        }
        self.seen_among(&c.body, &all)
    }

    /// Names what a pattern binds in a value of this type.
    pub(super) fn name(
        &self,
        pat: &syn::Pat,
        ty: Option<&syn::Type>,
        names: &mut Vec<(String, Option<syn::Type>)>,
    ) {
        match pat {
            syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                names.push((unraw(&p.ident), ty.cloned()))
            }
            syn::Pat::Reference(p) => {
                let inner = match ty.map(types::ungroup) {
                    Some(syn::Type::Reference(r)) => Some(&*r.elem),
                    _ => None,
                };
                self.name(&p.pat, inner, names);
            }
            syn::Pat::Paren(p) => self.name(&p.pat, ty, names),
            syn::Pat::Type(p) => self.name(&p.pat, Some(&p.ty), names),
            syn::Pat::Tuple(p) => {
                let whole = ty.map(types::ungroup);
                let is_behind = matches!(whole, Some(syn::Type::Reference(_)));
                let parts: Vec<Option<syn::Type>> = match whole.map(behind_references) {
                    Some(syn::Type::Tuple(t)) if t.elems.len() == p.elems.len() => (t.elems.iter())
                        .map(|of| {
                            Some(match is_behind {
                                true => parse_quote!(&#of),
                                false => of.clone(),
                            })
                        })
                        .collect(),
                    _ => vec![None; p.elems.len()],
                };
                for (p, ty) in p.elems.iter().zip(&parts) {
                    self.name(p, ty.as_ref(), names);
                }
            }
            syn::Pat::TupleStruct(p) => {
                let of_sum = ty.and_then(|ty| payload(ty.clone()));
                let is_sum =
                    (p.path.segments.last()).is_some_and(|s| s.ident == "Some" || s.ident == "Ok");
                for (k, part) in p.elems.iter().enumerate() {
                    match is_sum {
                        true => self.name(part, of_sum.as_ref(), names),
                        false => {
                            self.name(part, self.field_of(&p.path, &k.to_string()).as_ref(), names)
                        }
                    }
                }
            }
            syn::Pat::Struct(p) => {
                for part in &p.fields {
                    let of = self.field_of(&p.path, &member_name(&part.member));
                    self.name(&part.pat, of.as_ref(), names);
                }
            }
            // what it binds is not known, and hides other variables
            pat => names.extend(
                walk::bound(Node::Pat(pat))
                    .iter()
                    .map(|name| (unraw(name), None)),
            ),
        }
    }

    /// The type of a field of the struct or the variant with this path.
    fn field_of(&self, path: &syn::Path, name: &str) -> Option<syn::Type> {
        self.env.field(&path.to_token_stream().to_string(), name)
    }
}

/// What is in an option, or in a result that is no error.
pub(super) fn payload(of: syn::Type) -> Option<syn::Type> {
    match form(Value(of)) {
        Form::Option(of) | Form::Result(of) => Some(of),
        _ => None,
    }
}

fn option(of: syn::Type) -> Seen {
    Value(parse_quote!(Option<#of>))
}

/// A result with this error, if it is known.
fn result(of: &syn::Type, error: Option<Seen>) -> Seen {
    match error.and_then(Seen::value) {
        Some(error) => Value(parse_quote!(Result<#of, #error>)),
        None => Value(parse_quote!(Result<#of, _>)),
    }
}

/// What there is in a list or an option, as an iterator gives it.
pub(super) fn items(of: Seen) -> Option<Seen> {
    let is_behind =
        matches!(&of, Value(ty) if matches!(types::ungroup(ty), syn::Type::Reference(_)));
    Some(Items(match form(of) {
        Form::Items(of) => of,
        Form::List(of) | Form::Set(of) | Form::Option(of) if is_behind => parse_quote!(&#of),
        Form::List(of) | Form::Set(of) | Form::Option(of) => of,
        Form::Map(k, v) => parse_quote!((&#k, &#v)),
        _ => return None,
    }))
}

/// The type of what a map or a list has at an index that is no range.
pub(super) fn indexed(of: &syn::Type) -> Option<syn::Type> {
    match form(Value(of.clone())) {
        Form::List(of) => Some(of),
        Form::Map(_, of) => Some(*of),
        _ => None,
    }
}

fn form(of: Seen) -> Form {
    let ty = match of {
        Items(of) => return Form::Items(of),
        Value(ty) => types::behind_pointers(&ty).clone(),
    };
    let syn::Type::Path(p) = &ty else {
        return match ty {
            syn::Type::Array(a) => Form::List(*a.elem),
            syn::Type::Slice(s) => Form::List(*s.elem),
            ty => match item_type(&ty) {
                Some(item) => Form::Items(item),
                None => Form::Other(ty),
            },
        };
    };
    let last = p.path.segments.last().map(|s| s.ident.to_string());
    match (last.as_deref(), &types::arguments(&p.path)[..]) {
        (Some("Option"), [t]) => Form::Option((*t).clone()),
        (Some("Result"), [t, ..]) => Form::Result((*t).clone()),
        (Some("Vec" | "VecDeque"), [t]) => Form::List((*t).clone()),
        (Some("HashMap" | "BTreeMap"), [k, v, ..]) => {
            Form::Map(Box::new((*k).clone()), Box::new((*v).clone()))
        }
        (Some("HashSet" | "BTreeSet" | "BinaryHeap" | "LinkedList"), [t, ..]) => {
            Form::Set((*t).clone())
        }
        (Some("str" | "String"), []) => Form::Text,
        _ => Form::Other(ty),
    }
}

/// `T` of `impl Iterator<Item = T>`, and what the iterators of std over one list give.
pub(super) fn item_type(ty: &syn::Type) -> Option<syn::Type> {
    let of = match types::ungroup(ty) {
        syn::Type::ImplTrait(of) => of,
        syn::Type::Path(p) => {
            let [of] = types::arguments(&p.path)[..] else {
                return None;
            };
            return match &*p.path.segments.last()?.ident.to_string() {
                "Iter" => Some(parse_quote!(&#of)),
                "IntoIter" => Some(of.clone()),
                "Chunks" | "ChunksExact" | "RChunks" | "Windows" => Some(parse_quote!(&[#of])),
                _ => None,
            };
        }
        _ => return None,
    };
    of.bounds.iter().find_map(|bound| {
        let syn::TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let syn::PathArguments::AngleBracketed(args) = &bound.path.segments.last()?.arguments
        else {
            return None;
        };
        args.args.iter().find_map(|arg| match arg {
            syn::GenericArgument::AssocType(of) if of.ident == "Item" => Some(of.ty.clone()),
            _ => None,
        })
    })
}

/// What `as_deref` borrows of a value.
fn dereferenced(ty: &syn::Type) -> Option<syn::Type> {
    let syn::Type::Path(p) = types::ungroup(ty) else {
        return None;
    };
    let last = p.path.segments.last()?;
    match (&*last.ident.to_string(), &types::arguments(&p.path)[..]) {
        ("Box" | "Rc" | "Arc", [of]) => Some(parse_quote!(&#of)),
        ("Vec", [of]) => Some(parse_quote!(&[#of])),
        ("String", _) => Some(parse_quote!(&str)),
        _ => None,
    }
}
