//! The pipeline of a function whose derivatives are given: options, signature, items.

use crate::emit::{self, Derivatives, Equation, Inherent};
use crate::error::{self, Message};
use crate::expand::{
    Items, Origin, conditions, declare, handing_on, handle, not_a_function, refused,
};
use crate::ir::{Body, Mode, Role, Tree, Type};
use crate::lower;
use crate::lower::environment::Environment;
use crate::lower::extent::HasExtent;
use crate::options::{self, Options};
use crate::report::{Report, Stop};
use crate::template::quote;
use darling::FromMeta;
use darling::ast::NestedMeta;
use darling::util::PathList;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Which attribute it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Custom,
    Implicit,
}

/// Arguments of `#[custom_rule(..)]`.
#[derive(Debug, FromMeta)]
struct Custom {
    #[darling(default)]
    partials: Option<PathList>,
    #[darling(default)]
    tangent: Option<syn::Path>,
    #[darling(default)]
    adjoint: Option<syn::Path>,
    /// A backend that differentiates the function by its values.
    #[darling(default)]
    with: Option<syn::Expr>,
    /// A module of generic partial derivatives: how the runtime's own tables come in.
    #[darling(default)]
    row: Option<syn::Path>,
    #[darling(default)]
    handle: Option<syn::Ident>,
    #[darling(default, rename = "crate")]
    krate: Option<syn::Path>,
}

/// Arguments of `#[implicit(..)]`.
#[derive(Debug, FromMeta)]
struct Implicit {
    #[darling(default)]
    root: Option<syn::Path>,
    #[darling(default)]
    fixed_point: Option<syn::Path>,
    #[darling(default)]
    without: Option<PathList>,
    #[darling(default)]
    solver: Option<syn::Path>,
    #[darling(default)]
    handle: Option<syn::Ident>,
    #[darling(default, rename = "crate")]
    krate: Option<syn::Path>,
}

/// Expands the attribute.
pub(crate) fn expand(kind: Kind, attr: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(mut function) = syn::parse2::<syn::ItemFn>(item.clone()) else {
        return not_a_function(item);
    };
    options::show_groups(&mut function);
    let cx = Report::default();
    let body = lower::signature_of(&function, &Environment::default(), &cx);
    for input in &function.sig.inputs {
        if let syn::FnArg::Typed(p) = input
            && !p.attrs.iter().any(|a| a.path().is_ident("constant"))
            && lower::is_tuple(&p.ty)
        {
            cx.error_about(
                p.ty.extent(),
                &error::PARAMETER_TUPLE,
                p.ty.to_token_stream(),
            );
        }
    }
    for p in function.sig.generics.const_params() {
        cx.error(p.extent(), &error::GENERICS);
    }
    let found = match kind {
        Kind::Custom => custom(attr, &cx),
        Kind::Implicit => implicit(attr, body.as_ref(), &cx),
    };
    if let (Some(body), Some((derivatives, _))) = (&body, &found) {
        check(body, derivatives, &function, &cx);
    }
    let marked = function.clone();
    options::strip_marks(&mut function);
    let (derivatives, options) = match found {
        Some((derivatives, options)) => (Some(derivatives), options),
        None => (None, Options::default()),
    };
    let origin = Origin::free(&function.sig.ident);
    let generated = match (cx.check(), body, derivatives) {
        (Ok(()), Some(body), Some(derivatives)) => {
            generate(&body, &derivatives, &function, &options, &origin)
        }
        (Err(Stop::Errors(errors)), ..) => refused(&function, &options, &origin, &errors),
        (Ok(()) | Err(Stop::Mismatch), ..) => {
            handle(&function, &options, &origin, &Inherent::default())
        }
    };
    let signature = handing_on(&marked);
    quote!(#function #signature #generated)
}

fn generate(
    body: &Body,
    derivatives: &Derivatives,
    function: &syn::ItemFn,
    options: &Options,
    origin: &Origin<'_>,
) -> Items {
    let rt = emit::runtime();
    let name = options.handle(&function.sig.ident);
    let target = emit::RuleTarget {
        function: &function.sig.ident,
        handle: &name,
        rt: &rt,
    };
    let inherent = Inherent::new(emit::generate_rule(body, derivatives, &target));
    let items = declare(function, options, origin, &inherent);
    let vis = &function.vis;
    let generics = emit::Generics::default();
    let target = emit::Target {
        name: &name,
        generics: &generics,
        float: &emit::real(body),
        forms: emit::Forms::default(),
        vis: &quote!(#vis),
        rt: &rt,
        result: None,
        original: None,
    };
    let glue = emit::glue(body, &target);
    let real = emit::real(body);
    let returns = match &body.ret {
        Tree::Leaf(Type::Float) => quote!(impl #rt::Returns for #name { type Result = #real; }),
        Tree::Leaf(_) | Tree::Tuple(_) => TokenStream::new(),
    };
    items
        .with(quote!(#glue #returns))
        .quieted(&conditions(&function.attrs), options)
}

/// Reads the arguments of an attribute.
fn read<T: FromMeta>(attr: TokenStream, wrong: &'static Message, cx: &Report) -> Option<T> {
    let parsed = NestedMeta::parse_meta_list(attr)
        .map_err(darling::Error::from)
        .and_then(|list| T::from_list(&list));
    match parsed {
        Ok(options) => Some(options),
        Err(err) => {
            for e in err.flatten() {
                // darling's own position, if it has one, is behind the message
                let text = e.to_string();
                cx.error_about(e.span(), wrong, text.split(" at ").next().unwrap_or(&text));
            }
            None
        }
    }
}

fn custom(attr: TokenStream, cx: &Report) -> Option<(Derivatives, Options)> {
    let span = attr.clone().extent();
    let Custom {
        partials,
        tangent,
        adjoint,
        with,
        row,
        handle,
        krate,
    } = read(attr, &error::RULE_ARGUMENT, cx)?;
    if let Some(row) = row {
        let row = Derivatives::Row(row.into_token_stream());
        return Some((
            row,
            Options {
                handle,
                krate,
                ..Options::default()
            },
        ));
    }
    if let Some(backend) = with {
        if partials.is_some() || tangent.is_some() || adjoint.is_some() {
            cx.error_about(
                span,
                &error::RULE_ARGUMENT,
                "a backend says everything alone",
            );
            return None;
        }
        let backend = Derivatives::Backend(backend.into_token_stream());
        return Some((
            backend,
            Options {
                handle,
                krate,
                ..Options::default()
            },
        ));
    }
    let derivatives = match (partials, tangent, adjoint) {
        (Some(paths), None, None) => {
            Derivatives::Partials(paths.iter().map(ToTokens::to_token_stream).collect())
        }
        (None, Some(tangent), adjoint) => Derivatives::Tangent(
            tangent.into_token_stream(),
            adjoint.map(ToTokens::into_token_stream),
        ),
        (None, None, Some(adjoint)) => Derivatives::Adjoint(adjoint.into_token_stream()),
        (None, None, None) => {
            cx.error_about(span, &error::RULE_ARGUMENT, "there are none");
            return None;
        }
        (Some(_), _, _) => {
            cx.error_about(
                span,
                &error::RULE_ARGUMENT,
                "partial derivatives say everything alone",
            );
            return None;
        }
    };
    Some((
        derivatives,
        Options {
            handle,
            krate,
            ..Options::default()
        },
    ))
}

fn implicit(attr: TokenStream, body: Option<&Body>, cx: &Report) -> Option<(Derivatives, Options)> {
    let span = attr.clone().extent();
    let Implicit {
        root,
        fixed_point,
        without,
        solver,
        handle,
        krate,
    } = read(attr, &error::IMPLICIT_ARGUMENT, cx)?;
    let (function, is_map) = match (root, fixed_point) {
        (Some(residual), None) => (residual, false),
        (None, Some(map)) => (map, true),
        (None, None) | (Some(_), Some(_)) => {
            let text = "it is one of `root` and `fixed_point`";
            cx.error_about(span, &error::IMPLICIT_ARGUMENT, text);
            return None;
        }
    };
    let mut left_out = Vec::new();
    let without = without.map(|list| list.to_vec()).unwrap_or_default();
    for path in without {
        let text = path.to_token_stream().to_string();
        let params = body.map(|b| &b.params[..]).unwrap_or_default();
        match params
            .iter()
            .position(|p| p.name == text && p.role != Role::Output)
        {
            Some(k) => left_out.push(k),
            None => cx.error_about(path.extent(), &error::IMPLICIT_WITHOUT, text),
        }
    }
    let equation = Equation {
        function: function.into_token_stream(),
        fixed_point: is_map,
        without: left_out,
        solver: solver.map(ToTokens::into_token_stream),
    };
    Some((
        Derivatives::Implicit(equation),
        Options {
            handle,
            krate,
            ..Options::default()
        },
    ))
}

// ---- what a rule can be of ----

fn check(body: &Body, derivatives: &Derivatives, function: &syn::ItemFn, cx: &Report) {
    check_parameters(body, cx);
    check_result(body, derivatives, function, cx);
    let name = function.sig.ident.span();
    let active: Vec<usize> = (0..body.params.len())
        .filter(|k| body.params[*k].role == Role::Active)
        .collect();
    if active.is_empty() {
        cx.error(name, &error::RULE_NOTHING);
    }
    match derivatives {
        Derivatives::Row(_) | Derivatives::Partials(_) => {
            let given = match derivatives {
                Derivatives::Partials(paths) => paths.len(),
                _ => active.len(),
            };
            let numbers = active.iter().all(|k| body.params[*k].ty == Type::Float);
            let one = matches!(body.ret, Tree::Leaf(Type::Float));
            if !numbers || !one || given != active.len() {
                cx.error(name, &error::RULE_PARTIALS);
            }
        }
        Derivatives::Implicit(equation) => {
            if !active.is_empty() && active.iter().all(|k| equation.without.contains(k)) {
                let k = active[0];
                cx.error_about(name, &error::IMPLICIT_WITHOUT, &body.params[k].name);
            }
        }
        Derivatives::Tangent(..) | Derivatives::Adjoint(_) | Derivatives::Backend(_) => {}
    }
}

fn check_parameters(body: &Body, cx: &Report) {
    for p in &body.params {
        let numbers = match &p.ty {
            Type::Array(t, _) | Type::Slice(t) => **t == Type::Float,
            _ => false,
        };
        let fits = match (p.role, p.mode) {
            (Role::Constant, _) => true,
            (Role::Active, Mode::Value) => p.ty == Type::Float,
            (Role::Active, Mode::Ref) | (Role::Output, _) => numbers,
            (Role::Active, Mode::Mut) | (Role::InOut | Role::Cache, _) => false,
        };
        if !fits {
            cx.error_about(p.span, &error::RULE_PARAMETER, &p.name);
        }
    }
}

fn check_result(body: &Body, derivatives: &Derivatives, function: &syn::ItemFn, cx: &Report) {
    let leaves = body.ret.leaves();
    let outputs = body
        .params
        .iter()
        .filter(|p| p.role == Role::Output)
        .count();
    let numbers = leaves.iter().all(|t| **t == Type::Float);
    let span = match &function.sig.output {
        syn::ReturnType::Default => function.sig.ident.extent(),
        syn::ReturnType::Type(_, ty) => ty.extent(),
    };
    if !numbers || leaves.len() + outputs == 0 {
        cx.error(span, &error::RULE_RESULT);
    } else if matches!(derivatives, Derivatives::Implicit(_)) && leaves.len() + outputs != 1 {
        cx.error(span, &error::IMPLICIT_RESULT);
    }
}
