//! What kind of value a function gives, so that its callers can ask whether they have taken it for another.

use super::Emitter;
use super::call::is_dropped;
use crate::error;
use crate::ir::{Body, Call, Leaf, Mode, Role, Tree, Type};
use crate::template::quote;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// The kind of one value; zero where it is not compared.
fn kind(ty: &Type) -> u8 {
    match ty {
        Type::Float => 1,
        Type::Bool => 2,
        Type::Int(name) => integer(name),
        Type::Array(..) | Type::Vec(_) | Type::Slice(_) => 3,
        Type::Struct(_) => 4,
        Type::Lane | Type::Lanes(_) | Type::Opaque(_) => 0,
    }
}

/// The width, even where there is no sign; 6 and 7 stand for `usize` and `isize`.
fn integer(name: &str) -> u8 {
    if name == "_" {
        return INTEGER;
    }
    let (sign, width) = name.split_at(1);
    let width = match width {
        "size" => 6,
        bits => bits.parse().unwrap_or_default(),
    };
    match width {
        0 => 0,
        width => width + u8::from(sign == "i"),
    }
}

/// Stands before the number of parts of a tuple. The runtime knows both numbers.
const TUPLE: u8 = 250;
/// An integer of any type, or a bool.
const INTEGER: u8 = 5;
/// A part that nobody looks at.
const HOLE: u8 = 251;

/// Kinds of the leaves of a tree, in order.
fn kinds<T>(tree: &Tree<T>, of: &impl Fn(&T) -> u8, found: &mut Vec<u8>) {
    match tree {
        Tree::Leaf(leaf) => found.push(of(leaf)),
        Tree::Tuple(parts) if parts.is_empty() => found.push(HOLE),
        Tree::Tuple(parts) => {
            found.extend([TUPLE, parts.len() as u8]);
            parts.iter().for_each(|part| kinds(part, of, found));
        }
    }
}

/// What callers ask of a function: which parameters are constant or behind `&mut`, and what it returns.
///
/// `pub const __GIVES: &'static [u8] = &[250, 2, 1, 2];`
pub(crate) fn constants(body: &Body) -> TokenStream {
    let mut found = Vec::new();
    kinds(&body.ret, &kind, &mut found);
    let params = body.params.len();
    let constant = body.params.iter().map(|p| p.role == Role::Constant);
    let behind_mut = body.params.iter().map(|p| p.mode == Mode::Mut);
    quote!(
        pub const __CONSTANT: [bool; #params] = [#(#constant),*];
        pub const __MUT: [bool; #params] = [#(#behind_mut),*];
        pub const __GIVES: &'static [u8] = &[#(#found),*];
    )
}

/// The type of a result as it was written, if callers may ask for it: a struct, a float, or a tuple. `is_tuple`: it
/// is no `Option` or `Result`, which are tuples here, and are asked for a struct in them alone.
pub(crate) fn returned(body: &Body, is_tuple: bool) -> Option<TokenStream> {
    match &body.ret {
        Tree::Leaf(Type::Float) => written(&body.ret, body),
        Tree::Leaf(ty) if matches!(ty.leaf(), Type::Struct(_)) => written(&body.ret, body),
        Tree::Tuple(parts) if is_tuple && !parts.is_empty() => written(&body.ret, body),
        Tree::Tuple(parts) => {
            let [_, some @ Tree::Leaf(Type::Struct(_)), _] = &parts[..] else {
                return None;
            };
            let some = written(some, body)?;
            Some(quote!(::core::option::Option<#some>))
        }
        Tree::Leaf(_) => None,
    }
}

fn written(tree: &Tree<Type>, body: &Body) -> Option<TokenStream> {
    match tree {
        Tree::Leaf(ty) => written_type(ty, body),
        Tree::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|t| written(t, body)).collect();
            parts.map(|parts| quote!((#(#parts,)*)))
        }
    }
}

fn written_type(ty: &Type, body: &Body) -> Option<TokenStream> {
    Some(match ty {
        Type::Float => super::real(body),
        Type::Int(name) => {
            let name: TokenStream = name.parse().ok()?;
            quote!(__p::#name)
        }
        Type::Bool => quote!(__p::bool),
        Type::Struct(path) => path.0.clone(),
        Type::Array(of, len) => {
            let (of, len) = (written_type(of, body)?, &len.0);
            quote!([#of; #len])
        }
        Type::Vec(of) => {
            let of = written_type(of, body)?;
            quote!(::std::vec::Vec<#of>)
        }
        Type::Slice(_) | Type::Lane | Type::Lanes(_) | Type::Opaque(_) => return None,
    })
}

/// assert!(rt::gives(h::__GIVES, &[250, 2, 1, 2]));   for a call whose result is used
pub(super) fn claim(
    body: &Body,
    call: &Call,
    handle: &TokenStream,
    of: &str,
    span: Span,
    rt: &TokenStream,
) -> Option<TokenStream> {
    if is_dropped(call) {
        return None;
    }
    let kind_of = |leaf: &Leaf| match leaf {
        Leaf::Val(v) => kind(&body.val(*v).ty),
        Leaf::Place(p) => kind(&body.place(*p).ty),
    };
    let mut taken = Vec::new();
    kinds(&call.result, &kind_of, &mut taken);
    let text = error::RESULT_TAKEN.filled(of);
    Some(
        quote_spanned!(span=> ::core::assert!(#rt::gives(<#handle>::__GIVES, &[#(#taken),*]), #text);),
    )
}

impl Emitter<'_> {
    /// The adjoint of what is dropped of a call. Where there is none, rustc says so of the call.
    pub(super) fn unread(&self, call: &Call) -> TokenStream {
        let rt = self.rt;
        let name = call.callee.0.clone().into_iter().last();
        let at = name.map_or_else(Span::call_site, |name| name.span());
        let each = quote!(#rt::unread()).into_iter().map(|mut tree| {
            tree.set_span(Span::call_site().located_at(at));
            tree
        });
        each.collect()
    }
}
