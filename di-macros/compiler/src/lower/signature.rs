//! Parameters, their roles, and the result: `fn f(x: &[f64], #[constant] n: T) -> (f64, f64)`.

use super::build::{handle, nested};
use super::environment::Environment;
use super::floats;
use super::parameter::{Reading, name_apart};
use super::scalar::{self, ScalarName};
use super::ty::{Ty, Unifier, form, to_ir};
use super::types;
use crate::error;
use crate::ir::{ArrayPart, Fallible, GenericCode, Mode, Param, Role, Tokens, Tree, Type};
use crate::lower::extent::HasExtent;
use crate::report::Report;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The signature, as the rest of `lower` needs it.
#[derive(Clone)]
pub(crate) struct Signature {
    pub(crate) params: Vec<Param>,
    /// Types of the parameters as the body sees them, with references; and whether they are `mut`.
    pub(crate) seen: Vec<Seen>,
    pub(crate) ret: Ty,
    pub(crate) ret_tree: Tree<Type>,
    /// The float type of the function.
    pub(crate) float: &'static str,
    /// The same as it is written.
    pub(crate) float_name: String,
    /// Type parameters beside the float.
    pub(crate) variables: Vec<String>,
    /// Those of which nothing is known.
    pub(crate) bare: Vec<String>,
    /// The float, if it is a type parameter.
    pub(crate) scalar: Option<ScalarName>,
    /// What passive code is put into then.
    pub(crate) generic: Option<Box<GenericCode>>,
    /// Constant parameters of types that are known.
    pub(crate) constants: Vec<(String, Ty)>,
}

/// A parameter as the body sees it.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// With references.
    pub(crate) ty: Ty,
    pub(crate) mutable: bool,
    /// It is a `&Vec<_>`.
    pub(crate) is_vector: bool,
    /// What it is taken apart into where the body begins, if it has no name of its own.
    pub(crate) pattern: Option<syn::Pat>,
    /// The first of the parameters that stand for it.
    pub(crate) first: usize,
}

/// Whether a lifetime is used that is not declared, as rustc says.
fn has_unknown_lifetimes(sig: &syn::Signature) -> bool {
    walk::any(Node::Signature(sig), &mut |node| {
        let Node::Lifetime(used) = node else {
            return false;
        };
        let known = ["static", "_"].iter().any(|name| used.ident == name);
        !known && !declares(sig, used)
    })
}

/// Whether the length of an array is a parameter of the function, or one of a type that cannot be `usize`, which
/// rustc refuses.
fn has_other_lengths(sig: &syn::Signature) -> bool {
    walk::any(Node::Signature(sig), &mut |node| {
        let Node::Type(syn::Type::Array(array)) = node else {
            return false;
        };
        let mut params = sig.generics.const_params();
        let of = |p: &syn::ConstParam| match (&array.len, &p.ty) {
            (syn::Expr::Path(n), syn::Type::Path(ty)) => {
                n.path.is_ident(&p.ident) && NO_LENGTHS.iter().any(|t| ty.path.is_ident(t))
            }
            _ => false,
        };
        params.any(of) || is_parameter(&array.len, sig)
    })
}

fn declares(sig: &syn::Signature, used: &syn::Lifetime) -> bool {
    let mut declared = sig.generics.lifetimes();
    declared.any(|l| l.lifetime.ident == used.ident)
}

fn is_parameter(e: &syn::Expr, sig: &syn::Signature) -> bool {
    let syn::Expr::Path(name) = e else {
        return false;
    };
    sig.inputs.iter().any(|input| match input {
        syn::FnArg::Typed(p) => {
            matches!(&*p.pat, syn::Pat::Ident(p) if name.path.is_ident(&p.ident))
        }
        syn::FnArg::Receiver(_) => false,
    })
}

/// Types of constant parameters that are no lengths.
const NO_LENGTHS: [&str; 13] = [
    "u8", "u16", "u32", "u64", "u128", "isize", "i8", "i16", "i32", "i64", "i128", "bool", "char",
];

/// Reads the signature. `None` when an error was noted that leaves nothing to go on with.
pub(crate) fn read_signature(
    item: &syn::ItemFn,
    env: &Environment,
    cx: &Report,
) -> Option<Signature> {
    let sig = &item.sig;
    check_qualifiers(sig, cx);
    if has_unknown_lifetimes(sig) || has_other_lengths(sig) {
        cx.mismatch();
        return None;
    }
    scalar::check(item, cx);
    let scalar = ScalarName::of(item);
    let (float, float_name) = match &scalar {
        Some(s) => (s.float, s.name.to_string()),
        None => {
            let float = floats::float_of(sig, &item.block, env);
            (float, float.to_owned())
        }
    };
    let mut variables = scalar::type_variables(sig);
    variables.retain(|v| *v != float_name);
    let written = Written {
        float: &float_name,
        scalar: scalar.as_ref(),
        variables: scalar::type_variables(sig),
    };
    let mut unifier = Unifier::of(env);
    let mut params = Vec::new();
    let mut seen = Vec::new();
    for input in &sig.inputs {
        match input {
            syn::FnArg::Receiver(r) => cx.error(r.extent(), &error::METHOD),
            syn::FnArg::Typed(typed) => {
                let mut reading = Reading {
                    names: &written,
                    block: &item.block,
                    unifier: &mut unifier,
                    params: &mut params,
                    cx,
                };
                seen.extend(reading.parameter(typed));
            }
        }
    }
    name_apart(&mut params, &seen);
    let ret = match &sig.output {
        syn::ReturnType::Default => Ty::unit(),
        syn::ReturnType::Type(_, ty) => read_result(ty, &written, &mut unifier, cx)?,
    };
    let ret_tree = result_tree(&unifier.solve(&ret), float)?;
    let constants = sig.generics.const_params().filter_map(|p| {
        let ty = types::read_plain(&p.ty, &float_name, &mut unifier)?;
        Some((p.ident.to_string(), ty))
    });
    let constants = constants.collect();
    assign_outputs(&mut params, &ret);
    cx.barrier().ok()?;
    Some(Signature {
        params,
        seen,
        ret,
        ret_tree,
        float,
        float_name: float_name.clone(),
        variables,
        bare: scalar::bare_variables(sig),
        generic: scalar.as_ref().map(|s| Box::new(s.code(item))),
        scalar,
        constants,
    })
}

/// How types of the signature are written.
pub(super) struct Written<'a> {
    pub(super) float: &'a str,
    /// The float, if it is a type parameter.
    scalar: Option<&'a ScalarName>,
    /// All type parameters.
    variables: Vec<String>,
}

/// A vector of vectors, or a slice of vectors, is its elements and where its rows are.
pub(super) fn rows_of(param: Param, elem: Type, of: usize, cx: &Report) -> [Param; 2] {
    if param.role == Role::Cache {
        cx.error_about(param.span, &error::PARAMETER_TYPE, &param.written.0);
    }
    let rows = Param {
        name: format!("{}_rows", param.name),
        span: param.span,
        role: Role::Constant,
        mode: Mode::Ref,
        ty: Type::Slice(Box::new(handle())),
        place: None,
        written: Tokens(
            "&[[::core::primitive::usize; 3]]"
                .parse()
                .expect("code of our own is well-formed"),
        ),
        array: Some(ArrayPart::Rows { of }),
    };
    let elem = Box::new(elem);
    let data = Param {
        ty: match param.mode {
            Mode::Value => Type::Vec(elem),
            Mode::Ref | Mode::Mut => Type::Slice(elem),
        },
        array: Some(ArrayPart::Store),
        ..param
    };
    [data, rows]
}

fn check_qualifiers(sig: &syn::Signature, cx: &Report) {
    if let Some(t) = &sig.asyncness {
        cx.error(t.extent(), &error::ASYNC_FN);
    }
    if let Some(t) = &sig.unsafety {
        cx.error(t.extent(), &error::UNSAFE_FN);
    }
    if let Some(t) = &sig.abi {
        cx.error(t.extent(), &error::EXTERN_FN);
    }
    if let Some(t) = &sig.variadic {
        cx.error(t.extent(), &error::EXTERN_FN);
    }
    for p in &sig.generics.params {
        match p {
            // generated code declares no lifetimes
            syn::GenericParam::Lifetime(_) | syn::GenericParam::Const(_) => {}
            syn::GenericParam::Type(p) => {
                for b in p.bounds.iter().filter(|b| names_lifetime(b, sig)) {
                    cx.error(b.extent(), &error::GENERIC_LIFETIME);
                }
            }
        }
    }
    let predicates = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
    for p in predicates {
        if let syn::WherePredicate::Type(p) = p {
            for b in p.bounds.iter().filter(|b| names_lifetime(b, sig)) {
                cx.error(b.extent(), &error::GENERIC_LIFETIME);
            }
        }
    }
}

/// Whether a trait depends on a lifetime of the function.
fn names_lifetime(bound: &syn::TypeParamBound, sig: &syn::Signature) -> bool {
    matches!(bound, syn::TypeParamBound::Trait(_))
        && walk::any(
            Node::Bound(bound),
            &mut |node| matches!(node, Node::Lifetime(used) if declares(sig, used)),
        )
}

/// An unmarked `&mut` is the output if it is the only one and the function returns nothing, or no more than whether it
/// failed; otherwise the function is a helper and all of them are in-out.
fn assign_outputs(params: &mut [Param], ret: &Ty) {
    let unmarked = params.iter().filter(|p| p.role == Role::Output).count();
    let is_nothing = |ty: &Ty| matches!(ty, Ty::Tuple(parts) if parts.is_empty());
    let returns = match ret {
        Ty::Sum(payloads) => !payloads.first().is_some_and(is_nothing),
        ty => !is_nothing(ty),
    };
    if unmarked > 1 || returns {
        for p in params.iter_mut().filter(|p| p.role == Role::Output) {
            p.role = Role::InOut;
        }
    }
}

impl Written<'_> {
    /// Whether a type is one of known floats, or speaks of no type parameter.
    pub(super) fn is_plain(&self, ty: &syn::Type, unifier: &mut Unifier) -> bool {
        let plain = |ty: &syn::Type, unifier: &mut Unifier| {
            let ty = match types::ungroup(ty) {
                syn::Type::Reference(r) => &r.elem,
                ty => ty,
            };
            types::read_plain(ty, self.float, unifier).is_some()
        };
        !scalar::mentions(ty, &self.variables) || plain(ty, unifier)
    }

    /// The name of the float type, whatever it is called here.
    pub(super) fn primitive(&self) -> &str {
        self.scalar.map_or(self.float, |s| s.float)
    }

    /// Tokens with the float in the place of its name.
    pub(super) fn as_float(&self, tokens: TokenStream) -> TokenStream {
        match self.scalar {
            Some(s) => s.as_float(tokens),
            None => tokens,
        }
    }
}

fn read_result(
    ty: &syn::Type,
    names: &Written<'_>,
    unifier: &mut Unifier,
    cx: &Report,
) -> Option<Ty> {
    let ty = types::ungroup(ty);
    let float = names.float;
    if !matches!(ty, syn::Type::Tuple(_)) && !names.is_plain(ty, unifier) {
        cx.error(ty.extent(), &error::GENERICS);
        return None;
    }
    match ty {
        syn::Type::Reference(_) => {
            cx.error(ty.extent(), &error::RETURN_REFERENCE);
            None
        }
        syn::Type::Tuple(t) => {
            let elems: Vec<_> = t
                .elems
                .iter()
                .map(|t| read_result(t, names, unifier, cx))
                .collect();
            elems.into_iter().collect::<Option<Vec<_>>>().map(Ty::Tuple)
        }
        _ => match types::read_local(ty, float, unifier) {
            Some(t @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Vec(_)))
                if has_form(&t) =>
            {
                Some(t)
            }
            // operators take those of floats, and of nothing
            Some(t @ Ty::Sum(_)) if can_return(&t) => Some(t),
            Some(t @ (Ty::Struct(_) | Ty::Opaque(_))) => Some(t),
            _ => {
                cx.error(ty.extent(), &error::RETURN_TYPE);
                None
            }
        },
    }
}

/// Whether there is a form in which this is returned: lists of lists have none but for rows of numbers, and those of
/// references none.
fn has_form(ty: &Ty) -> bool {
    if let Ty::Array(of, _) | Ty::Vec(of) = ty
        && matches!(**of, Ty::Ref(..))
    {
        return false;
    }
    let is_deep = |ir: &Type| {
        matches!(ir, Type::Vec(of) if matches!(**of, Type::Vec(_))) && nested(ir).is_none()
    };
    form(ty).is_some_and(|ir| !is_deep(&ir))
}

/// What `Some`, `Ok` and `Err` may hold in a result.
fn can_return(ty: &Ty) -> bool {
    match ty {
        Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Struct(_) | Ty::Opaque(_) => true,
        Ty::Array(..) | Ty::Vec(_) => has_form(ty),
        Ty::Tuple(ts) | Ty::Sum(ts) => ts.iter().all(can_return),
        Ty::Var(_) | Ty::Ref(..) | Ty::Slice(_) | Ty::Bundle(..) => false,
    }
}

/// Whether this is an option or a result.
pub(super) fn fallible(ret: &Ty) -> Option<Fallible> {
    match ret {
        Ty::Sum(payloads) if payloads.len() == 1 => Some(Fallible::Option),
        Ty::Sum(_) => Some(Fallible::Result),
        _ => None,
    }
}

fn result_tree(ty: &Ty, float: &str) -> Option<Tree<Type>> {
    match ty {
        Ty::Tuple(ts) => ts
            .iter()
            .map(|ty| result_tree(ty, float))
            .collect::<Option<Vec<_>>>()
            .map(Tree::Tuple),
        other => {
            let ir = to_ir(other, float)?;
            Some(match nested(&ir) {
                Some(elem) => Tree::Tuple(
                    [elem.clone(), handle()]
                        .map(|t| Tree::Leaf(Type::Vec(Box::new(t))))
                        .into(),
                ),
                None => Tree::Leaf(ir),
            })
        }
    }
}

/// Named lifetimes are elided: what is generated declares none.
pub(super) fn without_lifetimes(ty: &syn::Type) -> proc_macro2::TokenStream {
    let mut ty = ty.clone();
    walk::change(NodeMut::Type(&mut ty), &mut |node| {
        match node {
            NodeMut::Type(syn::Type::Reference(r)) => {
                r.lifetime = r.lifetime.take().filter(|l| l.ident == "static");
            }
            NodeMut::Lifetime(l) if l.ident != "static" => {
                l.ident = syn::Ident::new("_", l.ident.span());
            }
            _ => {}
        }
        Onward::Into
    });
    ty.into_token_stream()
}
