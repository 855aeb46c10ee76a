//! The pipeline of one annotated function, on one screen.

mod aliases;
mod asks;
mod boxed;
mod closure;
mod converted;
mod copied;
mod forwards;
mod functions;
mod generics;
mod handle;
mod imported;
mod instances;
mod items;
mod leads;
mod leaking;
mod macros;
mod malformed;
mod marks;
pub(crate) mod methods;
mod module;
mod names;
mod nested;
mod objects;
mod operators;
mod rename;
mod signatures;
mod stages;
mod structs;
mod traits;
mod varied;

use crate::emit::{self, Inherent};
use crate::error;
use crate::ir::{Body, Schedule, Tokens, Val, verify};
use crate::lower::{self, Lowered, Written, environment::Environment, extent::HasExtent};
use crate::options::{self, Options};
use crate::report::{Diagnostic, Report, Stop};
use crate::sorted::Map;
use crate::template::quote;
use crate::transform::outline::outline_all;
use crate::{check, dump, purpose};
pub(crate) use copied::cloned;
pub(crate) use handle::{declare, handle, refused, without_handle};
pub(crate) use items::Items;
pub(crate) use malformed::not_a_function;
pub(crate) use marks::is_test;
pub(crate) use module::with_content;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
pub(crate) use signatures::{environment_of, handing_on};
pub(crate) use stages::{expand, expand_among, expand_closure, messages, resume};
pub(crate) use varied::constant_in as constants_of;

/// The user's function without marks.
fn original(function: &syn::ItemFn) -> TokenStream {
    let mut function = function.clone();
    options::show_groups(&mut function);
    // which generated code names at its calls
    names::name_types_of_constants(&mut function.sig);
    options::strip_marks(&mut function);
    function
        .attrs
        .retain(|a| !a.path().is_ident(lower::ACTIVE_SCALAR));
    function.into_token_stream()
}

/// `by_module`: its attribute is that of its module.
fn expand_free(
    options: &Options,
    mut function: syn::ItemFn,
    env: Environment,
    by_module: bool,
) -> Items {
    let original = function.sig.ident.clone();
    let mut origin = Origin {
        is_left: by_module && env.has_no_derivative(&function.sig),
        written: Some(function.sig.clone()),
        block: env.written_body(&function),
        env,
        ..Origin::free(&original)
    };
    let env = origin.env.clone();
    names::name_types_of_constants(&mut function.sig);
    let silent = env.prepare(&mut function.sig, &mut function.block);
    let checks = no_floats(&silent, &function.sig, options);
    let nested = expand_nested(&mut function, options, &mut origin);
    let items = expand_function(&mut function, options, &origin);
    items.followed_by(nested).with(checks)
}

/// Types of which nothing is known are held constant: an alias of floats must not be one of them.
fn no_floats(types: &[syn::TypePath], sig: &syn::Signature, options: &Options) -> TokenStream {
    if !sig.generics.params.is_empty() {
        return TokenStream::new();
    }
    let krate = options.krate();
    let checks = types.iter().map(|ty| {
        let at = ty.extent();
        let note = Diagnostic {
            message: &error::ALIAS_OF_FLOATS,
            subject: ty.path.to_token_stream().to_string(),
            help: None,
            span: at.start,
            end: at.end,
            leads: false,
        };
        let (panic, quiet) = (panic(&note), options::quiet());
        quote! {
            #quiet
            const _: () = {
                use #krate::__private::NoFloats as _;
                if #krate::__private::Floats::<#ty>::FOUND || #krate::__private::Parts::<#ty>::FOUND {
                    #panic
                }
            };
        }
    });
    checks.collect()
}

/// What stands behind the functions inside of a function, which are marked.
fn expand_nested(function: &mut syn::ItemFn, options: &Options, origin: &mut Origin<'_>) -> Items {
    let functions = nested::mark(function);
    origin.captured = functions.iter().any(|n| n.captures);
    if !functions
        .iter()
        .all(|n| lower::inline::is_instance(&n.item.sig.ident))
    {
        origin.block = None;
    }
    for own in functions.iter().map(nested::on_its_own) {
        let name = own.sig.ident.to_string();
        origin.env.add_function(&name, own.sig, true);
    }
    let options = Options {
        handle: None,
        ..options.clone()
    };
    let inner = Origin {
        // it has no name out here
        original: quote!(()),
        is_named: false,
        is_private: false,
        captured: origin.captured,
        is_left: origin.is_left,
        owner: None,
        env: origin.env.clone(),
        written: None,
        block: None,
        instance: None,
    };
    let mut all = Items::default();
    for n in &functions {
        let items = expand_function(&mut nested::on_its_own(n), &options, &inner);
        all = all.followed_by(items);
    }
    all
}

/// Marks the functions inside of a function, and gives them as functions of their own, for tests.
pub(crate) fn nested_functions(function: &mut syn::ItemFn) -> Vec<syn::ItemFn> {
    let found = nested::mark(function);
    found.iter().map(nested::on_its_own).collect()
}

/// Where a function comes from.
pub(crate) struct Origin<'a> {
    /// An expression that names the user's function.
    original: TokenStream,
    /// Whether that is a path.
    is_named: bool,
    /// It is a method that its own module alone can call.
    is_private: bool,
    /// A function inside of it names its variables.
    captured: bool,
    /// Nobody asked for its derivative, since its block leaves it to the trait, or it has none: nothing is said of what is
    /// refused.
    is_left: bool,
    /// The type that it belongs to.
    owner: Option<&'a syn::Path>,
    env: Environment,
    /// The signature as it is written, if the function's has no aliases any more.
    written: Option<syn::Signature>,
    /// The body as it is written, if those of others are put into the function's.
    block: Option<Box<syn::Block>>,
    /// The generic arguments behind the name of a method, whose block has others.
    instance: Option<TokenStream>,
}

impl Origin<'_> {
    /// A function that belongs to no type.
    pub(crate) fn free(name: &syn::Ident) -> Origin<'static> {
        Origin {
            original: name.to_token_stream(),
            is_named: true,
            is_private: false,
            captured: false,
            is_left: false,
            owner: None,
            env: Environment::default(),
            written: None,
            block: None,
            instance: None,
        }
    }

    /// Generic arguments behind the name of the user's function.
    fn instance(&self, generics: &emit::Generics) -> TokenStream {
        let of_all = || {
            let arguments = generics.arguments();
            (!arguments.is_empty()).then(|| quote!(::#arguments))
        };
        let own = self.instance.clone();
        own.or_else(of_all).unwrap_or_default()
    }

    /// What generated code calls the user's function by, and how it takes its parameters; `None` if it has no path, or
    /// types as parameters, which calls infer.
    fn call(
        &self,
        function: &syn::ItemFn,
        generics: &emit::Generics,
    ) -> Option<(TokenStream, Vec<emit::Taken>)> {
        let (original, instance) = (&self.original, self.instance(generics));
        let taken = function.sig.inputs.iter().map(|input| {
            let ty = match input {
                syn::FnArg::Typed(typed) => &typed.ty,
                syn::FnArg::Receiver(receiver) => &receiver.ty,
            };
            match lower::ungroup(ty) {
                syn::Type::Reference(of) => match lower::ungroup(&of.elem) {
                    syn::Type::Slice(_) | syn::Type::Array(_) => emit::Taken::List,
                    _ => emit::Taken::Behind,
                },
                _ => emit::Taken::Value,
            }
        });
        let written = self.written.as_ref().unwrap_or(&function.sig);
        let is_called = self.is_named
            && !generics.has_types()
            && written.inputs.len() == function.sig.inputs.len();
        is_called.then(|| (quote!(#original #instance), taken.collect()))
    }
}

/// What stands behind the function, which loses its marks.
fn expand_function(function: &mut syn::ItemFn, options: &Options, origin: &Origin<'_>) -> Items {
    options::show_groups(function);
    let cx = Report::default();
    cx.look_at(function.sig.ident.span().into());
    let krate = options.krate();
    let rt = quote!(#krate::__private);
    let with_arrays = lower::with_arrays(function, &origin.env, &rt);
    let env = with_arrays.as_ref().unwrap_or(&origin.env);
    let written = lower::write_out(function, &rt, env, &cx);
    let mut body = if origin.captured {
        cx.mismatch();
        None
    } else {
        body_of(function, written.as_ref(), &rt, env, &cx)
    };
    let asked = asks::still_asked(&cx, function, origin);
    if !asked.is_empty() {
        cx.discard();
        options::strip_marks(function);
        let declared = handle(function, options, origin, &Inherent::default());
        return Items {
            asked,
            named: declared.named,
            ..Items::default()
        };
    }
    if let Some(lowered) = &mut body {
        lowered.body.strong_zeros = options.strong_zeros.is_present();
    }
    let in_impl = function.sig.receiver().is_some() || names::speaks_of_self(function);
    let skeleton = (generics::check_method(&function.sig, origin, &cx) && !in_impl)
        .then(|| skeleton_of(function, env, written.as_ref()))
        .flatten();
    options::strip_marks(function);
    let stub = |copy| match &skeleton {
        // inside an impl there is no place for a handle
        None if in_impl => Items::default(),
        Some(body) => generate(
            body,
            None,
            copy,
            written.as_ref(),
            function,
            options,
            origin,
        ),
        None => handle(function, options, origin, &Inherent::default()),
    };
    let is_wrong = origin.captured || cx.is_certain();
    let (misfit, types) = (cx.mismatch_at(), cx.mismatched());
    let checked = match cx.check() {
        Err(_) if is_wrong => Err(Stop::Mismatch),
        checked => checked,
    };
    if origin.is_left && (checked.is_err() || body.is_none()) {
        return Items::default();
    }
    let name = options.handle(&function.sig.ident);
    match (checked, body) {
        (Ok(()), Some(lowered)) => {
            let copy = closure::as_closure(function, origin, &rt);
            generate(
                &lowered.body,
                Some(&lowered.checkpoints),
                copy,
                written.as_ref(),
                function,
                options,
                origin,
            )
        }
        // rustc says what is wrong with the function itself, but if it is not wrong
        (Ok(()) | Err(Stop::Mismatch), _) => {
            let asks = !is_wrong && skeleton.is_some();
            let copy = asks
                .then(|| closure::as_closure(function, origin, &rt))
                .flatten();
            let message = copy.as_ref().map(|_| {
                let at = misfit.unwrap_or(function.sig.ident.span().into());
                let message = Diagnostic::new(at, &error::MISFIT).about(types.clone());
                yielding_message(&message, function, &name)
            });
            stub(copy).with(message)
        }
        (Err(Stop::Errors(errors)), _) if skeleton.is_none() && !in_impl => {
            refused(function, options, origin, &errors)
        }
        (Err(Stop::Errors(errors)), _) => {
            let copy = closure::as_closure(function, origin, &rt);
            let is_asked = copy.is_some() && skeleton.is_some();
            let messages = errors.iter().map(|d| match d.message.yields() {
                true if is_asked => yielding_message(d, function, &name),
                _ => message(d),
            });
            let messages: TokenStream = messages.collect();
            stub(copy).with(messages)
        }
    }
}

/// The function's IR, checked. The body counts only if the report is clean.
///
/// `written`: the function without arrays of `ndarray`, if it has some.
pub(crate) fn body_of(
    function: &syn::ItemFn,
    written: Option<&Written>,
    rt: &TokenStream,
    env: &Environment,
    cx: &Report,
) -> Option<Lowered> {
    if written.is_some() && !cx.is_clean() {
        return None;
    }
    lower::check_hygiene(function, cx);
    if function.sig.receiver().is_none() && names::speaks_of_self(function) {
        cx.error(function.sig.ident.span(), &error::METHOD);
    }
    let mut lowered = lower::lower(written.map_or(function, |w| &w.function), rt, env, cx)?;
    if let Some(written) = written {
        written.mark(&mut lowered.body);
    }
    cx.barrier().ok()?;
    if verify::verify(&lowered.body).is_err() {
        // types do not fit, as rustc says of the function too
        cx.mismatch();
        return None;
    }
    check::check(&lowered, cx);
    Some(lowered)
}

/// The function's signature as IR, without its code.
fn skeleton_of(
    function: &syn::ItemFn,
    env: &Environment,
    written: Option<&Written>,
) -> Option<Body> {
    let mut body = lower::skeleton(written.map_or(function, |w| &w.function), env)?;
    if let Some(written) = written {
        written.mark(&mut body);
    }
    Some(body)
}

/// All items behind the user's function. `checkpoints`: its loops whose trips are not recorded; none
/// if `body` is a stub, and not all of it. `copy`: the function once more, if it is asked whether it is
/// well typed.
fn generate(
    body: &Body,
    checkpoints: Option<&Map<Val, Schedule>>,
    copy: Option<TokenStream>,
    written: Option<&Written>,
    function: &syn::ItemFn,
    options: &Options,
    origin: &Origin<'_>,
) -> Items {
    let rt = emit::runtime();
    let name = options.handle(&function.sig.ident);
    let cfgs = conditions(&function.attrs);
    let generics = generics::generics_of(function, origin);
    let source = emit::Source {
        name: &name,
        generics: &generics,
        closure: copy,
    };
    let none = Map::new();
    let checkpoints = checkpoints.unwrap_or(&none);
    let (body, loops) = if purpose::runs() {
        take_out_loops(body, checkpoints, function, &source, &rt)
    } else {
        (body.clone(), TokenStream::new())
    };
    let body = &body;
    let generated = emit::generate(body, &source, &rt);
    let faults = generated.sweeps.iter().flat_map(|sweeps| {
        let passes = [
            ("tangent", &sweeps.tangent),
            ("augmented", &sweeps.augmented),
            ("reverse", &sweeps.reverse),
        ];
        passes.map(|(pass, body)| debug_verify(body, pass, function))
    });
    let mut items = declare(function, options, origin, &generated.inherent);
    // types that stand for a part of a method's arguments are no more visible than its type can be, which its module
    // knows
    let vis = match origin.owner {
        Some(_) if origin.is_private => syn::Visibility::Inherited,
        Some(owner) => {
            let known = origin.env.visibility(owner).cloned();
            known.unwrap_or(syn::Visibility::Inherited)
        }
        None => function.vis.clone(),
    };
    let glue = || {
        emit::glue(
            &emit::guard_structs(body, &name, &rt),
            &emit::Target {
                name: &name,
                generics: &generics,
                vis: &quote!(#vis),
                float: &emit::real(body),
                forms: generated.forms,
                rt: &rt,
                result: written.and_then(|w| w.result),
                original: origin.call(function, &generics),
            },
        )
    };
    let checks = &generated.checks;
    let arrays = written.map(|w| arrays_are_of_ndarray(w, &rt));
    let is_tuple = matches!(&function.sig.output, syn::ReturnType::Type(_, ty) if matches!(**ty, syn::Type::Tuple(_)));
    // the handle of a private method is as visible as its type, which private types must not show through
    let is_hidden = |ty: &syn::Type| origin.is_private && origin.env.names_private(ty);
    let gives_hidden =
        matches!(&function.sig.output, syn::ReturnType::Type(_, ty) if is_hidden(ty));
    let takes_hidden = (function.sig.inputs.iter())
        .any(|input| matches!(input, syn::FnArg::Typed(p) if is_hidden(&p.ty)));
    let returns = emit::returned(body, is_tuple).filter(|_| !gives_hidden);
    let returns = returns.map(|result| {
        let (declared, arguments) = (generics.for_impl(), generics.arguments());
        let bounds = generics.bounds();
        quote!(impl #declared #rt::Returns for #name #arguments #bounds { type Result = #result; })
    });
    let glue = (!takes_hidden && !gives_hidden).then(glue);
    let others = &items.others;
    items.others = quote!(#others #loops #checks #returns #arrays #glue #(#faults)*);
    let items = items.quieted(&cfgs, options);
    match dump::dump(body, &generated, &items.to_token_stream()) {
        Ok(()) => items,
        Err(err) => {
            let text = format!("the expansion could not be dumped: {err}");
            let at = function.sig.ident.span();
            items.with(quote_spanned!(at=> ::core::compile_error!(#text);))
        }
    }
}

/// What has the name of an array of `ndarray` is one.
fn arrays_are_of_ndarray(written: &Written, rt: &TokenStream) -> TokenStream {
    let checks = written.types.iter().map(|ty| {
        let (found, element) = (&ty.written.0, &ty.element.0);
        let dim = quote::format_ident!("Ix{}", ty.rank);
        let expected = match ty.name {
            "Array" => quote!(#rt::nd::Array<#element, #rt::#dim>),
            "ArrayView" => quote!(#rt::nd::ArrayView<'_, #element, #rt::#dim>),
            _ => quote!(#rt::nd::ArrayViewMut<'_, #element, #rt::#dim>),
        };
        quote!(const _: fn(#found) -> #expected = |__array| __array;)
    });
    let uses = written.uses.iter().map(|u| &u.0);
    quote!(#(#uses)* #(#checks)*)
}

/// The body without its loops whose trips are not recorded, and the functions that these become.
fn take_out_loops(
    body: &Body,
    checkpoints: &Map<Val, Schedule>,
    function: &syn::ItemFn,
    source: &emit::Source<'_>,
    rt: &TokenStream,
) -> (Body, TokenStream) {
    let (whole_function, generics) = (source.name, source.generics);
    let original = &function.sig.ident;
    let driver = |k: usize| quote::format_ident!("__{original}_loop{k}");
    let step = |k: usize| quote::format_ident!("__{original}_step{k}");
    let instance = (!generics.is_empty()).then(|| Tokens(generics.arguments()));
    let callee = |k| (Tokens(driver(k).to_token_stream()), instance.clone());
    let taken_out = outline_all(body, checkpoints, &callee);
    let Ok((body, loops)) = taken_out else {
        unreachable!("check: loops can be taken out")
    };
    let item = |name: syn::Ident, inherent: &Inherent| {
        let (params, (fields, _)) = (generics.with_defaults(), generics.fields(&quote!()));
        let (types, blocks) = inherent.blocks(&name, &quote!(), generics, rt, &forwards::forwards);
        quote! {
            struct #name #params #fields
            #(#types)*
            const _: () = { #blocks };
        }
    };
    let items = loops.iter().map(|found| {
        let (driver, step) = (driver(found.index), step(found.index));
        let fault = debug_verify(&found.step, "outline", function);
        let whole = emit::generate_driver(&found.driver, found.schedule, &step, generics, rt);
        let whole = item(driver, &whole);
        let source = emit::Source {
            name: &step,
            generics,
            // what is wrong with the function is wrong with its loops
            closure: Some(quote!(<#whole_function>::__TYPED)),
        };
        let generated = emit::generate(&found.step, &source, rt);
        let once = item(step.clone(), &generated.inherent);
        quote!(#whole #once #fault)
    });
    let items = quote!(#(#items)*);
    (body, items)
}

/// `compile_error!` over the stretch of code that is meant.
pub(crate) fn message(d: &Diagnostic) -> TokenStream {
    let text = d.text();
    let path = quote_spanned!(d.span=> ::core::compile_error!);
    let args = quote_spanned!(d.end=> { #text });
    quote!(#path #args)
}

/// The same, unless rustc finds a mistake in the function, or a struct in its signature is not derived: then
/// the handle's constant has no value, and this one is not looked at.
fn yielding_message(d: &Diagnostic, function: &syn::ItemFn, handle: &syn::Ident) -> TokenStream {
    let cfgs = conditions(&function.attrs);
    let panic = panic(d);
    let unless = emit::unless(&quote!(<#handle>::__STRUCTS));
    let quiet = crate::options::quiet();
    quote!(
        #(#cfgs)*
        #quiet
        const _: () = {
            #unless
            #panic
        };
    )
}

/// The message as one of a constant that is evaluated.
fn panic(d: &Diagnostic) -> TokenStream {
    let text = d.text();
    let path = quote_spanned!(d.span=> ::core::panic!);
    let args = quote_spanned!(d.end=> ("{}", #text));
    quote!(#path #args)
}

/// `cfg` attributes, which all items share.
pub(crate) fn conditions(attrs: &[syn::Attribute]) -> Vec<&syn::Attribute> {
    attrs.iter().filter(|a| a.path().is_ident("cfg")).collect()
}

/// Checks a body in debug builds of the compiler. What is wrong is told behind the user's function.
fn debug_verify(body: &Body, pass: &str, function: &syn::ItemFn) -> TokenStream {
    if !cfg!(debug_assertions) {
        return TokenStream::new();
    }
    match verify::verify(body) {
        Ok(()) => TokenStream::new(),
        Err(fault) => {
            let text = format!("{pass} made an ill-formed body, please report it: {fault}");
            quote_spanned!(function.sig.ident.span()=> ::core::compile_error!(#text);)
        }
    }
}
