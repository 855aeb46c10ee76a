//! One message for each mistake that rustc alone can see.
//!
//! What a callee takes and which fields a struct has are known to rustc, not to this compiler: such a
//! mistake would be reported in the user's function and again in each generated one. So there is a
//! constant whose body holds the user's function once more, as a closure that is never called. Its
//! messages are those of the function, word for word, and rustc prints a message once; and a constant
//! with a mistake in it has no value. What generated code calls and reads has a type that depends on
//! the constant: without a value that type is unknown, and rustc is silent about what is unknown.

use super::Emitter;
use super::instance::{Generics, instance_of};
use crate::analysis::activity::{activity, regions_of};
use crate::analysis::views::Views;
use crate::error;
use crate::ir::{Arg, Body, Call, Region, Stmt, Tokens, Type};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// The user's function, without marks.
pub(crate) struct Source<'a> {
    /// The handle.
    pub(crate) name: &'a Ident,
    pub(crate) generics: &'a Generics,
    /// The function as a closure, unless its code is a stub, or it is generic.
    pub(crate) closure: Option<TokenStream>,
}

/// Other names of the functions that are called, which say what is wrong if they are no handles:
/// rustc's message is then "expected type, found function `square_needs_the_attribute_differentiable`".
pub(super) struct Names(Vec<(String, Ident, TokenStream)>);

impl Names {
    pub(super) fn of(body: &Body) -> Names {
        let mut names = Names(Vec::new());
        each_call(&mut body.region.clone(), &mut |call| {
            if can_be_renamed(call, body) {
                names.add(&call.callee.0);
            }
        });
        names
    }

    fn add(&mut self, path: &TokenStream) {
        let text = path.to_string();
        if self.0.iter().any(|(known, _, _)| *known == text) {
            return;
        }
        let last = path.clone().into_iter().last();
        let Some(TokenTree::Ident(last)) = last else {
            return;
        };
        let plain = last.to_string();
        let plain = plain.trim_start_matches("r#");
        let mut name = format!("{plain}_needs_the_attribute_differentiable");
        if self.0.iter().any(|(_, known, _)| *known == name) {
            name = format!("{name}_{}", self.0.len());
        }
        self.0
            .push((text, Ident::new(&name, last.span()), path.clone()));
    }

    /// The name for a path, or the path.
    fn get(&self, path: &TokenStream) -> TokenStream {
        let text = path.to_string();
        let found = self.0.iter().find(|(known, _, _)| *known == text);
        found.map_or_else(|| path.clone(), |(_, name, _)| quote!(#name))
    }

    /// use square as square_needs_the_attribute_differentiable;
    pub(super) fn imports(&self) -> TokenStream {
        let (names, paths) = (self.0.iter().map(|n| &n.1), self.0.iter().map(|n| &n.2));
        quote!(#(use #paths as #names;)*)
    }
}

/// Whether the callee is the path of a function of its own.
fn can_be_renamed(call: &Call, body: &Body) -> bool {
    !is_method(call) && !call.is_recursive(body)
}

/// What is checked before generated code is: the constant.
pub(super) fn check(
    body: &Body,
    source: &Source<'_>,
    names: &Names,
    rt: &TokenStream,
) -> TokenStream {
    // whatever holds for one length holds for all
    let mut marks = source.generics.as_items();
    constants(body, false, names, &mut marks);
    each_call(&mut body.region.clone(), &mut |call| {
        if is_method(call) {
            let callee = &call.callee.0;
            marks.extend(quote!(let _ = ::core::marker::PhantomData::<#callee>;));
        }
        call.callee = Tokens(names.get(&call.callee.0));
        if let Some(instance) = instance_of(body, call, rt) {
            marks.extend(quote!(let _ = ::core::marker::PhantomData::<#instance>;));
        }
    });
    let closure = source.closure.iter();
    quote!(
        #[doc(hidden)]
        const __SOUND: usize = {
            #(let _ = #closure;)*
            #marks
            0
        };
    )
}

/// What must hold of the methods that are called, see [`constants`].
pub(super) fn claims(guarded: &Body) -> TokenStream {
    let mut marks = TokenStream::new();
    constants(guarded, true, &Names(Vec::new()), &mut marks);
    marks
}

/// The body with functions by their other names, and with methods that are known only if the check
/// succeeds: of one that is missing rustc speaks once.
pub(super) fn guard(body: &Body, names: &Names, sound: &Ident, rt: &TokenStream) -> Body {
    let mut body = body.clone();
    let mut guard = |call: &mut Call| {
        call.callee = Tokens(if is_method(call) {
            if_sound(sound, rt, &call.callee.0)
        } else {
            names.get(&call.callee.0)
        });
    };
    each_call(&mut body.region, &mut guard);
    body
}

fn is_method(call: &Call) -> bool {
    let first = call.callee.0.clone().into_iter().next();
    matches!(first, Some(TokenTree::Punct(p)) if p.as_char() == '<')
}

fn each_call(region: &mut Region, f: &mut impl FnMut(&mut Call)) {
    for stmt in &mut region.stmts {
        if let Stmt::Call(call) = stmt {
            f(call);
        }
        for inner in stmt.regions_mut() {
            each_call(inner, f);
        }
    }
}

fn if_sound(sound: &Ident, rt: &TokenStream, ty: &TokenStream) -> TokenStream {
    quote!(<#rt::Sound<{ <#sound>::__SOUND }> as #rt::If<(#ty)>>::Then)
}

/// assert!(!h::__CONSTANT[1]);   for each differentiated argument
fn constants(body: &Body, methods: bool, names: &Names, tokens: &mut TokenStream) {
    let facts = activity(body, &Views::of(body));
    let mut walk = vec![&body.region];
    while let Some(region) = walk.pop() {
        for stmt in &region.stmts {
            walk.extend(regions_of(stmt));
            let Stmt::Call(call) = stmt else { continue };
            if is_method(call) != methods {
                continue;
            }
            let callee = &call.callee.0;
            let handle = names.get(callee);
            for (k, arg) in call.args.iter().enumerate() {
                let differentiated = match arg {
                    Arg::Value(v) => body.val(*v).ty == Type::Float && facts.is_generic(*v),
                    Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => {
                        let float =
                            matches!(body.place(p.root).ty.leaf(), Type::Float | Type::Struct(_));
                        float && facts.is_generic_place(p.root)
                    }
                    // of a type that is not known here: it cannot be lifted
                    Arg::Verbatim { .. } => {
                        let span = first_span(callee, body);
                        let text = error::CONSTANT_LENT
                            .filled(&format!("argument {} of `{callee}`", k + 1));
                        tokens.extend(quote_spanned!(span=> ::core::assert!(<#handle>::__CONSTANT[#k], #text);));
                        false
                    }
                };
                if !differentiated {
                    continue;
                }
                let span = first_span(callee, body);
                let of = if methods {
                    "this method".to_owned()
                } else {
                    format!("`{callee}`")
                };
                let text = error::CONSTANT_ACTIVE.filled(&format!("argument {} of {of}", k + 1));
                let claim =
                    quote_spanned!(span=> ::core::assert!(!<#handle>::__CONSTANT[#k], #text));
                tokens.extend(quote!(#claim;));
            }
        }
    }
}

fn first_span(callee: &TokenStream, body: &Body) -> proc_macro2::Span {
    let first = callee.clone().into_iter().next();
    first.map_or(body.span, |t| t.span())
}

impl Emitter<'_> {
    /// A type that is only known if the user's function is well typed.
    pub(super) fn if_sound(&self, ty: &TokenStream) -> TokenStream {
        if_sound(self.sound, self.rt, ty)
    }

    /// The first statement of a body: makes it one with a mistake where the user's has one, so that
    /// what is borrowed in it is not looked at.
    pub(super) fn unless_sound(&self) -> TokenStream {
        let unit = self.if_sound(&quote!(()));
        quote!(let _: #unit = ();)
    }
}
