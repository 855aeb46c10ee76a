//! What the path of a call says beside names: `Matrix::<2>::from_fn`, `nlml::<Rbf>`, `from_fn::<2, _>`.

use super::varying::names;
use super::{Environment, inputs_of, numeric, put_paths_in, taken::output_of, typed};
use crate::lower::types::ungroup;
use crate::lower::vec_element;
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;

/// The path of a call.
pub(super) struct Called {
    /// The names alone.
    pub(super) plain: syn::Path,
    /// The same with what is written for the parameters of the type.
    of_type: syn::Path,
    /// What is written for those of the function.
    own: Vec<syn::GenericArgument>,
}

impl Called {
    pub(super) fn new(path: &syn::Path) -> Called {
        let mut of_type = path.clone();
        let last = of_type.segments.last_mut();
        let own = last.map(|s| std::mem::take(&mut s.arguments));
        let mut plain = of_type.clone();
        for (plain, written) in plain.segments.iter_mut().zip(&mut of_type.segments) {
            plain.arguments = syn::PathArguments::None;
            if let syn::PathArguments::AngleBracketed(args) = &mut written.arguments {
                // as a type is written
                args.colon2_token = None;
            }
        }
        let own = own.as_ref().map_or_else(Vec::new, arguments);
        Called {
            plain,
            of_type,
            own,
        }
    }

    /// The function that is called, and the name that it is known by, as `find` knows it: of a type with these lengths,
    /// or with any.
    pub(super) fn function(
        &self,
        find: impl Fn(&str) -> Option<Rc<syn::ItemFn>>,
    ) -> Option<(String, Rc<syn::ItemFn>)> {
        let mut paths = [&self.of_type, &self.plain].into_iter();
        paths.find_map(|path| {
            let name = path.to_token_stream().to_string();
            find(&name).map(|function| (name, function))
        })
    }

    /// What is written for the parameters of the function with this name, those of its block among them.
    pub(super) fn written(
        &self,
        env: &Environment,
        name: &str,
        sig: &syn::Signature,
    ) -> Map<String, syn::GenericArgument> {
        let names: Vec<String> = match env.owner_of(name) {
            Some(owner) => of_owner(owner).iter().map(text).collect(),
            None => Vec::new(),
        };
        let of_type = self.of_type.segments.iter().rev().nth(1);
        let of_type = of_type.map_or_else(Vec::new, |s| arguments(&s.arguments));
        let params = sig.generics.params.iter().filter_map(|p| match p {
            syn::GenericParam::Type(p) => Some(p.ident.to_string()),
            syn::GenericParam::Const(p) => Some(p.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        });
        let own: Vec<String> = params.filter(|name| !names.contains(name)).collect();
        let all = names.into_iter().zip(of_type);
        let all = all.chain(own.into_iter().zip(self.own.iter().cloned()));
        let is_open = |arg: &syn::GenericArgument| text(arg) == "_";
        all.filter(|(_, arg)| !is_open(arg)).collect()
    }
}

/// The arguments of the type of a block.
fn of_owner(owner: &syn::Path) -> Vec<syn::GenericArgument> {
    let last = owner.segments.last();
    last.map_or_else(Vec::new, |s| arguments(&s.arguments))
}

/// Those that are no lifetimes.
fn arguments(of: &syn::PathArguments) -> Vec<syn::GenericArgument> {
    let syn::PathArguments::AngleBracketed(args) = of else {
        return Vec::new();
    };
    let is_lifetime = |a: &&syn::GenericArgument| matches!(a, syn::GenericArgument::Lifetime(_));
    let all = args.args.iter().filter(|a| !is_lifetime(a));
    all.cloned().collect()
}

fn text(arg: &syn::GenericArgument) -> String {
    arg.to_token_stream().to_string()
}

/// `const N: usize = _;`, `const N: usize = _ = 2;`: a length of a function in the place of its call.
pub(crate) fn is_length(item: &syn::ItemConst) -> bool {
    matches!(*item.expr, syn::Expr::Infer(_)) || written_length(item).is_some()
}

/// What the call says that it is.
pub(crate) fn written_length(item: &syn::ItemConst) -> Option<&syn::Expr> {
    match &*item.expr {
        syn::Expr::Assign(a) if matches!(*a.left, syn::Expr::Infer(_)) => Some(&a.right),
        _ => None,
    }
}

/// `const M: _ = *m;`: a type parameter of a function in the place of its call, and a place of that type.
pub(crate) fn is_type(item: &syn::ItemConst) -> bool {
    matches!(*item.ty, syn::Type::Infer(_))
}

/// Whether a type is the name of one that a call does not write.
pub(crate) fn is_open_type(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p)
        if p.path.get_ident().is_some_and(|name| name.to_string().contains("__fn")))
}

/// A type parameter that a call does not write.
pub(super) struct Open {
    pub(super) name: String,
    pub(super) other: syn::Ident,
    /// A place of this type, or `_`.
    pub(super) place: syn::Expr,
    /// It is what a function returns that is given.
    pub(super) is_made: bool,
}

/// The type parameters that a function names in its body, its result and what functions take, and the call does not
/// write. `at`: where the call is.
pub(super) fn types_of(
    function: &syn::ItemFn,
    written: &Map<String, syn::GenericArgument>,
    at: Span,
    name: &dyn Fn(&str) -> syn::Ident,
) -> Vec<Open> {
    let (sig, mut named) = (&function.sig, Set::new());
    names(function.block.to_token_stream(), &mut named);
    names(sig.output.to_token_stream(), &mut named);
    let inputs = || sig.inputs.iter().filter_map(typed).enumerate();
    for (_, p) in inputs() {
        let taken = inputs_of(&p.ty, sig).into_iter().flatten();
        taken.for_each(|ty| names(ty.to_token_stream(), &mut named));
    }
    let variables = sig.generics.type_params().map(|v| v.ident.to_string());
    let open = variables.filter(|v| named.contains(v) && !written.contains_key(v));
    let with_places = open.map(|variable| {
        let place = inputs().find_map(|(k, p)| {
            let local = name(&k.to_string());
            place_of(&variable, &p.ty, parse_quote!(#local))
        });
        let made = || {
            inputs().find_map(|(_, p)| {
                let syn::Pat::Ident(own) = &*p.pat else {
                    return None;
                };
                let local = name(&own.ident.to_string());
                place_of(&variable, &output_of(&p.ty, sig)?, parse_quote!(#local()))
            })
        };
        // it looks like a type
        let other = format!("{variable}{}", name(""));
        let is_made = place.is_none();
        Open {
            other: syn::Ident::new(&other, Span::call_site().located_at(at)),
            place: place.or_else(made).unwrap_or_else(|| parse_quote!(_)),
            is_made,
            name: variable,
        }
    });
    with_places.collect()
}

/// The part of a place that has a type, by the type of the whole.
fn place_of(of: &str, ty: &syn::Type, whole: syn::Expr) -> Option<syn::Expr> {
    let elem = |ty| place_of(of, ty, parse_quote!(#whole[0]));
    match ungroup(ty) {
        syn::Type::Reference(r) => place_of(of, &r.elem, parse_quote!((*#whole))),
        syn::Type::Slice(s) => elem(&s.elem),
        syn::Type::Array(a) => elem(&a.elem),
        syn::Type::Tuple(t) => t.elems.iter().enumerate().find_map(|(k, ty)| {
            let k = syn::Index::from(k);
            place_of(of, ty, parse_quote!(#whole.#k))
        }),
        syn::Type::Path(p) if p.path.is_ident(of) => Some(whole),
        syn::Type::Path(p) => elem(vec_element(p)?),
        _ => None,
    }
}

/// The variables that are bound to closures.
pub(super) fn closures_in(block: &syn::Block) -> Set<String> {
    let mut found = Set::new();
    walk::read(Node::Block(block), &mut |node| {
        if let Node::Local(syn::Local {
            pat: syn::Pat::Ident(p),
            init: Some(init),
            ..
        }) = node
            && matches!(*init.expr, syn::Expr::Closure(_))
        {
            found.insert(p.ident.to_string());
        }
        Onward::Into
    });
    found
}

pub(crate) fn method_calls_itself(f: &syn::ImplItemFn) -> bool {
    let is_self = |e: &syn::Expr| matches!(e, syn::Expr::Path(p) if p.path.is_ident("self"));
    walk::any(Node::Block(&f.block), &mut |node| {
        matches!(node, Node::Expr(syn::Expr::MethodCall(m))
            if m.method == f.sig.ident && is_self(&m.receiver))
    })
}

/// Puts what a call says of parameters into a body.
pub(super) fn put_written(written: Map<String, syn::GenericArgument>, body: &mut syn::Block) {
    let paths = written.into_iter().filter_map(|(name, arg)| match arg {
        syn::GenericArgument::Type(syn::Type::Path(p)) if p.qself.is_none() => Some((name, p.path)),
        _ => None,
    });
    put_paths_in(&paths.collect(), NodeMut::Block(body));
    numeric::put(NodeMut::Block(body));
}
