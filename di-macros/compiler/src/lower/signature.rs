//! Parameters, their roles, and the result: `fn f(x: &[f64], #[constant] n: T) -> (f64, f64)`.

use super::build::{handle, nested};
use super::ty::{Ty, Unifier, to_ir};
use super::types;
use crate::error;
use crate::ir::{ArrayPart, Mode, Param, Role, Tokens, Tree, Type};
use crate::lower::extent::HasExtent;
use crate::options::{self, Mark};
use crate::report::Report;
use quote::ToTokens;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

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
    /// Constant parameters of types that are known.
    pub(crate) constants: Vec<(String, Ty)>,
}

/// A parameter as the body sees it.
#[derive(Clone)]
pub(crate) struct Seen {
    /// With references.
    pub(crate) ty: Ty,
    pub(crate) mutable: bool,
    /// The first of the parameters that stand for it.
    pub(crate) first: usize,
}

/// Whether a lifetime is used that is not declared, as rustc says.
fn has_unknown_lifetimes(sig: &syn::Signature) -> bool {
    struct Unknown<'s>(&'s syn::Signature, bool);
    impl<'ast> Visit<'ast> for Unknown<'_> {
        fn visit_lifetime(&mut self, used: &'ast syn::Lifetime) {
            let mut declared = self.0.generics.lifetimes();
            let known = ["static", "_"].iter().any(|name| used.ident == name);
            self.1 |= !known && !declared.any(|l| l.lifetime.ident == used.ident);
        }
    }
    let mut unknown = Unknown(sig, false);
    unknown.visit_signature(sig);
    unknown.1
}

/// Reads the signature. `None` when an error was noted that leaves nothing to go on with.
pub(crate) fn read_signature(item: &syn::ItemFn, cx: &Report) -> Option<Signature> {
    let sig = &item.sig;
    check_qualifiers(sig, cx);
    if has_unknown_lifetimes(sig) {
        cx.mismatch();
        return None;
    }
    let float = types::float_of(sig, &item.block);
    let mut unifier = Unifier::default();
    let mut params = Vec::new();
    let mut seen = Vec::new();
    for input in &sig.inputs {
        match input {
            syn::FnArg::Receiver(r) => cx.error(r.extent(), &error::METHOD),
            syn::FnArg::Typed(typed) => {
                if let Some((param, ty, mutable)) = read_param(typed, float, &mut unifier, cx) {
                    let first = params.len();
                    seen.push(Seen { ty, mutable, first });
                    match nested(&param.ty).cloned() {
                        Some(elem) if param.role != Role::Constant => {
                            params.extend(rows_of(param, elem, first, cx));
                        }
                        _ => params.push(param),
                    }
                }
            }
        }
    }
    let ret = match &sig.output {
        syn::ReturnType::Default => Ty::unit(),
        syn::ReturnType::Type(_, ty) => read_result(ty, float, &mut unifier, cx)?,
    };
    let ret_tree = result_tree(&ret)?;
    let constants = sig.generics.const_params().filter_map(|p| {
        let ty = types::read_plain(&p.ty, float, &mut unifier)?;
        Some((p.ident.to_string(), ty))
    });
    let constants = constants.collect();
    assign_outputs(&mut params, &ret_tree);
    cx.barrier().ok()?;
    Some(Signature {
        params,
        seen,
        ret,
        ret_tree,
        float,
        constants,
    })
}

/// A vector of vectors, or a slice of vectors, is its elements and where its rows are.
fn rows_of(param: Param, elem: Type, of: usize, cx: &Report) -> [Param; 2] {
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
            syn::GenericParam::Type(_) => cx.error(p.extent(), &error::GENERICS),
        }
    }
    let predicates = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
    for p in predicates {
        if !matches!(p, syn::WherePredicate::Lifetime(_)) {
            cx.error(p.extent(), &error::GENERICS);
        }
    }
}

fn read_param(
    typed: &syn::PatType,
    float: &str,
    unifier: &mut Unifier,
    cx: &Report,
) -> Option<(Param, Ty, bool)> {
    let syn::Pat::Ident(syn::PatIdent {
        ident,
        mutability,
        by_ref: None,
        subpat: None,
        ..
    }) = &*typed.pat
    else {
        cx.error(typed.pat.extent(), &error::PARAMETER_PATTERN);
        return None;
    };
    let mark = options::mark_of(&typed.attrs, cx);
    let constant = matches!(mark, Some((Mark::Constant, _)));
    let written = types::ungroup(&typed.ty);
    let ty = if constant {
        types::read_constant_type(written, float, unifier)
    } else {
        types::read_param_type(written, float, unifier, cx)?
    };
    let (mode, inner) = match &ty {
        Ty::Ref(false, t) => (Mode::Ref, (**t).clone()),
        Ty::Ref(true, t) => (Mode::Mut, (**t).clone()),
        other => (Mode::Value, other.clone()),
    };
    if mode == Mode::Value && (constant || matches!(inner, Ty::Opaque(_))) && types::owns(written) {
        cx.error_about(
            written.extent(),
            &error::CONSTANT_BY_VALUE,
            written.to_token_stream(),
        );
        return None;
    }
    let ir_ty = to_ir(&inner).unwrap_or_else(|| Type::Opaque(Tokens(written.to_token_stream())));
    let has_floats = ir_ty.has_floats();
    let role = match mark {
        Some((Mark::Constant, span)) => {
            if mode == Mode::Mut {
                cx.error(span, &error::CONSTANT_MUT);
            }
            Role::Constant
        }
        Some((Mark::Cache, span)) => {
            if mode != Mode::Mut || !has_floats {
                cx.error(span, &error::CACHE_NOT_MUT);
            }
            Role::Cache
        }
        Some((Mark::InOut, span)) => {
            if mode != Mode::Mut || !has_floats {
                cx.error(span, &error::INOUT_NOT_MUT);
            }
            Role::InOut
        }
        None if !has_floats => {
            if mode == Mode::Mut {
                cx.error(written.extent(), &error::MUT_WITHOUT_FLOATS);
            }
            Role::Constant
        }
        None if mode == Mode::Mut => Role::Output,
        None => Role::Active,
    };
    let param = Param {
        name: ident.to_string().trim_start_matches("r#").to_owned(),
        span: ident.span(),
        role,
        mode,
        ty: ir_ty,
        place: None,
        written: Tokens(without_lifetimes(written)),
        array: None,
    };
    Some((param, ty, mutability.is_some()))
}

/// An unmarked `&mut` is the output if it is the only one and the function returns nothing;
/// otherwise the function is a helper and all of them are in-out.
fn assign_outputs(params: &mut [Param], ret: &Tree<Type>) {
    let unmarked = params.iter().filter(|p| p.role == Role::Output).count();
    if unmarked > 1 || !ret.leaves().is_empty() {
        for p in params.iter_mut().filter(|p| p.role == Role::Output) {
            p.role = Role::InOut;
        }
    }
}

fn read_result(ty: &syn::Type, float: &str, unifier: &mut Unifier, cx: &Report) -> Option<Ty> {
    let ty = types::ungroup(ty);
    match ty {
        syn::Type::Reference(_) => {
            cx.error(ty.extent(), &error::RETURN_REFERENCE);
            None
        }
        syn::Type::Tuple(t) => {
            let elems: Vec<_> = t
                .elems
                .iter()
                .map(|t| read_result(t, float, unifier, cx))
                .collect();
            elems.into_iter().collect::<Option<Vec<_>>>().map(Ty::Tuple)
        }
        _ => match types::read_plain(ty, float, unifier) {
            Some(t @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Vec(_)))
                if to_ir(&t).is_some() =>
            {
                Some(t)
            }
            // for other functions to call: operators do not take them
            Some(t @ Ty::Sum(_)) if can_return(&t) => Some(t),
            other => match types::read_structs(ty) {
                Some(t @ (Ty::Struct(_) | Ty::Array(..) | Ty::Vec(_))) if other.is_none() => {
                    Some(t)
                }
                _ => {
                    cx.error(ty.extent(), &error::RETURN_TYPE);
                    None
                }
            },
        },
    }
}

/// What `Some`, `Ok` and `Err` may hold in a result.
fn can_return(ty: &Ty) -> bool {
    match ty {
        Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Opaque(_) => true,
        Ty::Array(..) => to_ir(ty).is_some(),
        Ty::Tuple(ts) | Ty::Sum(ts) => ts.iter().all(can_return),
        Ty::Var(_) | Ty::Ref(..) | Ty::Slice(_) | Ty::Vec(_) | Ty::Struct(_) => false,
    }
}

fn result_tree(ty: &Ty) -> Option<Tree<Type>> {
    match ty {
        Ty::Tuple(ts) => ts
            .iter()
            .map(result_tree)
            .collect::<Option<Vec<_>>>()
            .map(Tree::Tuple),
        Ty::Sum(ts) => {
            let mut parts = vec![Tree::Leaf(Type::Bool)];
            for t in ts {
                parts.push(result_tree(t)?);
            }
            Some(Tree::Tuple(parts))
        }
        // an error that nobody looks into
        Ty::Opaque(_) => Some(Tree::Tuple(Vec::new())),
        other => {
            let ir = to_ir(other)?;
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
    struct Elide;
    impl VisitMut for Elide {
        fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
            r.lifetime = r.lifetime.take().filter(|l| l.ident == "static");
            syn::visit_mut::visit_type_reference_mut(self, r);
        }
        fn visit_lifetime_mut(&mut self, l: &mut syn::Lifetime) {
            if l.ident != "static" {
                l.ident = syn::Ident::new("_", l.ident.span());
            }
        }
    }
    let mut ty = ty.clone();
    Elide.visit_type_mut(&mut ty);
    ty.into_token_stream()
}
