//! The signature of a function that engines run on their scalars: what it takes, and what it returns.

use crate::error::Message;
use crate::lower::extent::HasExtent;
use crate::lower::is_one_of;
use crate::options::{self, Mark, Options};
use crate::report::Report;
use crate::sorted::Set;
use crate::template::quote;
use crate::tokens;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::Type;

/// The name of a type, if it has no arguments.
fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(p) if p.qself.is_none() => p.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// What a parameter is for.
pub(crate) enum Part {
    /// Differentiated: its family, and the argument that is made of what the family stores.
    Active(TokenStream, Argument),
    /// Its type, with the lifetime of contexts, and that type as it is written.
    Constant(Box<Type>, Box<Type>),
    /// Family, and the type of an example.
    Cache(TokenStream, TokenStream),
    /// Its family.
    Output(TokenStream),
}

/// How a function takes what an engine has in its own storage.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Argument {
    /// As it is.
    Same,
    /// `&f64`
    Borrowed,
    /// `[f64; 3]`
    Copied,
    /// `Vec<f64>`
    Owned,
    /// `&Vec<f64>`
    BorrowedVec,
    /// `Vec<Vec<f64>>`
    Rows,
    /// `&[Vec<f64>]`
    BorrowedRows,
    /// A derived struct.
    Struct,
    /// `&P` of a derived struct.
    BorrowedStruct,
}

/// What the function computes with.
pub(crate) struct Takes {
    /// The names of its numbers: a type parameter, or a float and its aliases.
    pub(crate) scalars: Set<String>,
    pub(crate) float: Type,
    /// Numbers are floats: parameters that have none are constant, and vectors may be taken by value.
    pub(crate) is_plain: bool,
    /// Structs that are derived.
    pub(crate) derived: Set<String>,
    /// Those that hold nothing but floats, and can be results.
    pub(crate) results: Set<String>,
    /// Types that have no floats.
    pub(crate) free: Set<String>,
    /// What is said of other types.
    pub(crate) other: &'static Message,
}

/// A signature, as far as it is understood.
pub(crate) struct Read {
    pub(crate) takes: Takes,
    pub(crate) rt: TokenStream,
    pub(crate) params: Vec<(Ident, Part)>,
    pub(crate) returned: Option<TokenStream>,
    /// Does it return a `Result`?
    pub(crate) fails: bool,
    /// What it returns has structs, which engines store in another way.
    pub(crate) returns_structs: bool,
}

impl Read {
    pub(crate) fn new(sig: &syn::Signature, takes: Takes, options: &Options, cx: &Report) -> Read {
        let krate = options.krate();
        let mut read = Read {
            takes,
            rt: quote!(#krate::__private),
            params: Vec::new(),
            returned: None,
            fails: false,
            returns_structs: false,
        };
        let mut refused = false;
        for input in &sig.inputs {
            let syn::FnArg::Typed(p) = input else {
                cx.error(input.extent(), read.takes.other);
                continue;
            };
            let name = match &*p.pat {
                syn::Pat::Ident(name) if name.subpat.is_none() && name.ident != sig.ident => {
                    name.ident.clone()
                }
                _ => format_ident!("__p{}", read.params.len()),
            };
            match read.part(&p.ty, options::mark_of(&p.attrs, cx).map(|m| m.0)) {
                Some(part) => read.params.push((name, part)),
                None => {
                    refused = true;
                    cx.error(p.ty.extent(), read.takes.other);
                }
            }
        }
        let outputs = read.count(|p| matches!(p, Part::Output(_)));
        let mut value = match &sig.output {
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
            syn::ReturnType::Default => None,
        };
        if let Some(ok) = value.as_ref().and_then(ok_type) {
            read.fails = true;
            value = Some(ok).filter(|ok| !matches!(ok, Type::Tuple(t) if t.elems.is_empty()));
        }
        if let Some(ty) = &value {
            read.returned = read.result(ty);
            read.returns_structs = tokens::any(
                ty.to_token_stream(),
                &mut |t| matches!(t, TokenTree::Ident(i) if read.takes.results.contains(&i.to_string())),
            );
            if read.returned.is_none() || outputs > 0 {
                cx.error(sig.output.extent(), read.takes.other);
            }
        } else if outputs != 1 {
            cx.error(sig.inputs.extent(), read.takes.other);
        }
        if !refused && !(1..=6).contains(&read.count(|p| matches!(p, Part::Active(..)))) {
            cx.error(sig.ident.extent(), read.takes.other);
        }
        read
    }

    pub(crate) fn count(&self, which: impl Fn(&Part) -> bool) -> usize {
        self.params.iter().filter(|p| which(&p.1)).count()
    }

    fn part(&self, ty: &Type, mark: Option<Mark>) -> Option<Part> {
        match mark {
            Some(Mark::Constant) => constant(ty),
            // which would have to be copied as well
            Some(Mark::Cache) if self.takes.is_plain => None,
            Some(Mark::Cache) => {
                let family = self.argument(ty, true)?;
                let (rt, float) = (&self.rt, &self.takes.float);
                let example = quote!(<#family as #rt::Family>::Ref<'__c, #float>);
                Some(Part::Cache(family, example))
            }
            Some(Mark::InOut) => None,
            None => {
                if let Some(family) = self.argument(ty, false) {
                    return Some(Part::Active(family, Argument::Same));
                }
                if let Some(family) = self.argument(ty, true) {
                    return Some(Part::Output(family));
                }
                if !self.takes.is_plain {
                    return None;
                }
                let owned = self.owned(ty);
                let active = owned.map(|(family, argument)| Part::Active(family, argument));
                active.or_else(|| constant(ty).filter(|_| self.is_free(ty)))
            }
        }
    }

    /// Whether a type has no numbers that could be differentiated, as far as it is written.
    fn is_free(&self, ty: &Type) -> bool {
        match ty {
            Type::Reference(r) if r.mutability.is_none() => match &*r.elem {
                Type::Slice(s) => self.is_free(&s.elem),
                elem => is_one_of(elem, &["str"]) || self.is_free(elem),
            },
            Type::Array(a) => self.is_free(&a.elem),
            Type::Tuple(t) => t.elems.iter().all(|t| self.is_free(t)),
            ty => {
                let is_free = name_of(ty).is_some_and(|name| self.takes.free.contains(&name));
                is_free || is_one_of(ty, &["bool", "char"])
            }
        }
    }

    fn is_scalar(&self, ty: &Type) -> bool {
        name_of(ty).is_some_and(|name| self.takes.scalars.contains(&name))
    }

    fn is_derived(&self, ty: &Type) -> bool {
        name_of(ty).is_some_and(|name| self.takes.derived.contains(&name))
    }

    fn is_result(&self, ty: &Type) -> bool {
        name_of(ty).is_some_and(|name| self.takes.results.contains(&name))
    }

    /// What is taken by value, or behind a reference to a vector.
    fn owned(&self, ty: &Type) -> Option<(TokenStream, Argument)> {
        let rt = &self.rt;
        match ty {
            ty if self.is_derived(ty) => Some((quote!(#rt::Struct<#ty>), Argument::Struct)),
            Type::Array(_) => Some((self.sequence(ty)?, Argument::Copied)),
            Type::Reference(r) if r.mutability.is_none() => match &*r.elem {
                ty if self.is_scalar(ty) => Some((quote!(#rt::Number), Argument::Borrowed)),
                Type::Slice(s) => {
                    let cell = self.cell(&vector_of(&s.elem)?)?;
                    Some((quote!(#rt::Vectors<#cell>), Argument::BorrowedRows))
                }
                ty => {
                    let (family, argument) = self.owned(ty)?;
                    let argument = match argument {
                        Argument::Owned => Argument::BorrowedVec,
                        Argument::Rows => Argument::BorrowedRows,
                        Argument::Struct => Argument::BorrowedStruct,
                        _ => return None,
                    };
                    Some((family, argument))
                }
            },
            ty => {
                let of = vector_of(ty)?;
                if let Some(inner) = vector_of(&of) {
                    let cell = self.cell(&inner)?;
                    return Some((quote!(#rt::Vectors<#cell>), Argument::Rows));
                }
                let cell = self.cell(&of)?;
                Some((quote!(#rt::Slice<#cell>), Argument::Owned))
            }
        }
    }

    /// Family of a parameter that is read, or written.
    fn argument(&self, ty: &Type, written: bool) -> Option<TokenStream> {
        match ty {
            Type::Reference(r) if r.mutability.is_some() == written => match &*r.elem {
                Type::Slice(_) | Type::Array(_) => self.sequence(&r.elem),
                _ => None,
            },
            Type::Path(_) if !written && self.is_scalar(ty) => self.sequence(ty),
            Type::Path(p) => {
                let name = if written { "ArrayViewMut" } else { "ArrayView" };
                self.array(p, name)
            }
            _ => None,
        }
    }

    /// Family of a result.
    fn result(&self, ty: &Type) -> Option<TokenStream> {
        match ty {
            Type::Tuple(t) if (2..=6).contains(&t.elems.len()) => {
                let parts = t.elems.iter().map(|t| self.result(t));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                Some(quote!((#(#parts,)*)))
            }
            Type::Path(_) if self.is_result(ty) => {
                let rt = &self.rt;
                Some(quote!(#rt::Struct<#ty>))
            }
            Type::Path(p) if !self.is_scalar(ty) => {
                let rt = &self.rt;
                let Some(of) = vector_of(ty) else {
                    return self.array(p, "Array");
                };
                if self.is_result(&of) {
                    return Some(quote!(#rt::Structs<#of>));
                }
                let cell = self.cell(&of)?;
                Some(quote!(#rt::Slice<#cell>))
            }
            Type::Array(a) if self.is_result(&a.elem) => {
                let (rt, of, n) = (&self.rt, &a.elem, &a.len);
                Some(quote!(#rt::StructArray<{ #n }, #of>))
            }
            Type::Slice(_) => None,
            _ => self.sequence(ty),
        }
    }

    fn sequence(&self, ty: &Type) -> Option<TokenStream> {
        let rt = &self.rt;
        match ty {
            Type::Slice(s) => {
                let cell = self.cell(&s.elem)?;
                Some(quote!(#rt::Slice<#cell>))
            }
            Type::Array(a) => {
                let (cell, n) = (self.cell(&a.elem)?, &a.len);
                Some(quote!(#rt::Array<{ #n }, #cell>))
            }
            _ => self.is_scalar(ty).then(|| quote!(#rt::Number)),
        }
    }

    fn cell(&self, ty: &Type) -> Option<TokenStream> {
        let rt = &self.rt;
        match ty {
            Type::Array(a) => {
                let (cell, n) = (self.cell(&a.elem)?, &a.len);
                Some(quote!(#rt::Row<{ #n }, #cell>))
            }
            _ => self.is_scalar(ty).then(|| quote!(#rt::One)),
        }
    }

    /// `ArrayView2<S>` or `ArrayView<S, Ix2>`, and the others of their kind.
    fn array(&self, ty: &syn::TypePath, name: &str) -> Option<TokenStream> {
        let rt = &self.rt;
        let last = ty.path.segments.last()?;
        let args = types(last);
        if !self.is_scalar(args.first()?) {
            return None;
        }
        let ident = last.ident.to_string();
        let rank = ident.strip_prefix(name)?;
        match (rank, args.get(1)) {
            ("", Some(dim)) => Some(quote!(#rt::Nd<#dim>)),
            ("1" | "2" | "3" | "4" | "5" | "6", None) => {
                let dim = format_ident!("Ix{rank}");
                Some(quote!(#rt::Nd<#rt::#dim>))
            }
            _ => None,
        }
    }
}

/// A constant, which operators copy.
fn constant(ty: &Type) -> Option<Part> {
    const OWNED: [&str; 10] = [
        "Vec", "String", "Box", "Rc", "Arc", "HashMap", "HashSet", "BTreeMap", "BTreeSet",
        "VecDeque",
    ];
    let is_owned = match ty {
        Type::Path(p) => {
            let last = p.path.segments.last();
            last.is_some_and(|last| OWNED.iter().any(|name| last.ident == name))
        }
        _ => false,
    };
    let part = || Part::Constant(Box::new(of_contexts(ty)), Box::new(ty.clone()));
    (!is_owned).then(part)
}

/// `T` of a `Vec<T>`.
pub(super) fn vector_of(ty: &Type) -> Option<Type> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    let of = (last.ident == "Vec").then(|| types(last));
    of?.into_iter().next()
}

/// The type of success of a `Result`.
fn ok_type(ty: &Type) -> Option<Type> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    (last.ident == "Result")
        .then(|| types(last).into_iter().next())
        .flatten()
}

/// Type arguments of the last part of a path.
fn types(segment: &syn::PathSegment) -> Vec<Type> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else {
        return Vec::new();
    };
    let types = args.args.iter().filter_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    types.collect()
}

/// The type, in which references that have none have the lifetime of contexts.
fn of_contexts(ty: &Type) -> Type {
    let mut ty = ty.clone();
    walk::change(NodeMut::Type(&mut ty), &mut |node| {
        match node {
            NodeMut::Type(Type::Reference(r)) => {
                r.lifetime
                    .get_or_insert_with(|| syn::Lifetime::new("'__c", Span::call_site()));
            }
            NodeMut::Lifetime(l) if l.ident != "static" => {
                *l = syn::Lifetime::new("'__c", l.span());
            }
            _ => {}
        }
        Onward::Into
    });
    ty
}
