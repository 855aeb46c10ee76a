//! One message for each mistake that rustc alone can see.
//!
//! What a callee takes and which fields a struct has are known to rustc, not to this compiler: such a
//! mistake would be reported in the user's function and again in each generated one. So there is a
//! constant whose body holds the user's function once more, as a closure that is never called. Its
//! messages are those of the function, word for word, and rustc prints a message once; and a constant
//! with a mistake in it has no value. What generated code calls and reads has a type that depends on
//! the constant: without a value that type is unknown, and rustc is silent about what is unknown.
//! Likewise for structs that are not derived, of which another constant speaks.

use super::Emitter;
use super::gives;
use super::instance::{Generics, instance_of};
use crate::analysis::activity::activity;
use crate::analysis::views::Views;
use crate::error;
use crate::ir::{
    Arg, Body, Call, Known, PlaceId, Proj, Region, Stmt, Tokens, Tree, Type, is_of_integers,
};
use crate::sorted::{Map, Set};
use crate::symbol;
use crate::template::quote;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote_spanned};

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
        // the prelude has functions of these names: an import would be ambiguous
        if symbol::OF_PRELUDE.contains(&plain) {
            return;
        }
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

    /// The name for a path that is known only if the check succeeds, or the path.
    fn sound(&self, path: &TokenStream) -> TokenStream {
        let text = path.to_string();
        let found = self.0.iter().position(|(known, _, _)| *known == text);
        found.map_or_else(|| path.clone(), |k| self.alias(k).to_token_stream())
    }

    /// That name, which is like none of the user's.
    fn alias(&self, k: usize) -> Ident {
        let at = Span::call_site().located_at(self.0[k].1.span());
        format_ident!("__C{}", k, span = at)
    }

    /// use square as square_needs_the_attribute_differentiable;
    /// type __C0 = square_needs_the_attribute_differentiable;   if the check succeeds
    pub(super) fn imports(&self, sound: &Ident, rt: &TokenStream) -> TokenStream {
        let each = self.0.iter().enumerate().map(|(k, (_, name, path))| {
            let (alias, ty) = (self.alias(k), if_sound(sound, rt, &quote!(#name)));
            quote!(use #path as #name; type #alias = #ty;)
        });
        each.collect()
    }
}

/// Whether the callee is the path of a function of its own.
fn can_be_renamed(call: &Call, body: &Body) -> bool {
    !is_method(call) && !call.is_recursive(body)
}

/// What is checked before generated code is: constants, each if the one before has succeeded. First the user's
/// function; then that what is taken for a derived struct is one; what it calls; and the marks of that.
pub(super) fn check(
    body: &Body,
    source: &Source<'_>,
    names: &Names,
    rt: &TokenStream,
) -> TokenStream {
    // whatever holds for one length holds for all
    let mut marks = source.generics.as_items();
    let name = source.name;
    let (typed, sound) = (quote!(<#name>::__TYPED), quote!(<#name>::__STRUCTS));
    let called = quote!(<#name>::__CALLED);
    let [unless_typed, unless_derived, unless_called] = [&typed, &sound, &called].map(unless);
    let claims = constants(body, rt, &mut |call| {
        path_if(&called, rt, &names.get(&call.callee.0))
    });
    // a claim that does not hold has no value itself, and is told once
    let claims = claims.iter().map(|claim| unless(&quote!({ #claim 0 })));
    each_call(&mut body.region.clone(), &mut |call| {
        if is_method(call) {
            let callee = &call.callee.0;
            let known = path_if(&sound, rt, callee);
            marks.extend(quote!(let _ = ::core::marker::PhantomData::<#known>;));
        }
        call.callee = Tokens(names.get(&call.callee.0));
        let mut known = |path: &mut Tokens| *path = Tokens(path_if(&sound, rt, &path.0));
        // types of the function have no names here
        if !source.generics.has_types()
            && let Some(instance) = instance_of(body, call, rt, &mut known)
        {
            let instance = path_if(&sound, rt, &instance);
            marks.extend(quote!(let _ = ::core::marker::PhantomData::<#instance>;));
        }
    });
    let closure = source.closure.iter();
    let (lengths, derived) = (source.generics.as_items(), derived(body, &typed, rt));
    // one that looks at nothing is the one before
    let or = |before: TokenStream, unless: TokenStream, looks: TokenStream| match looks.is_empty() {
        true => before,
        false => quote!({ #unless #looks 0 }),
    };
    let structs = or(typed, unless_typed, quote!(#lengths #derived));
    let calls = or(sound, unless_derived, marks);
    let claims = or(called, unless_called, quote!(#(#claims)*));
    quote!(
        const __TYPED: usize = {
            #(let _ = #closure;)*
            0
        };
        const __STRUCTS: usize = #structs;
        const __CALLED: usize = #calls;
        const __SOUND: usize = #claims;
    )
}

/// Names for [`Emitter::unless_sound`] and [`Emitter::if_sound`]: a constant in a type costs as much as a small
/// function, so that it stands here once.
pub(super) fn aliases(sound: &Ident, rt: &TokenStream) -> TokenStream {
    let then = if_sound(sound, rt, &quote!(__T));
    quote!(
        type __Checked = [(); <#sound>::__SOUND];
        type __If<__T: ?::core::marker::Sized> = #then;
    )
}

/// Has rustc look at what is checked where no code depends on it.
pub(super) fn holds(name: &Ident) -> TokenStream {
    let unless = unless(&quote!(<#name>::__SOUND));
    quote!(
        const __HOLDS: () = { #unless };
    )
}

/// The body with functions by their other names, and with methods and structs that are known only if the
/// check succeeds: of one that is missing, or of a field that is, rustc speaks once.
pub(super) fn guard(body: &Body, names: &Names, sound: &Ident, rt: &TokenStream) -> Body {
    let mut guarded = body.clone();
    let constant = quote!(<#sound>::__SOUND);
    each_call(&mut guarded.region, &mut |call| {
        let plain = call.callee.0.clone();
        call.callee = Tokens(if is_method(call) {
            path_if(&constant, rt, &plain)
        } else {
            names.get(&plain)
        });
        let mut known = |path: &mut Tokens| *path = Tokens(path_if(&constant, rt, &path.0));
        let instance = instance_of(body, call, rt, &mut known);
        call.target = instance.map(|path| Tokens(path_if(&constant, rt, &path)));
        if !is_method(call) {
            call.callee = Tokens(names.sound(&plain));
        }
    });
    hide_structs(&mut guarded, &constant, rt);
    guarded
}

/// A signature with structs that are known only if they are derived.
pub(crate) fn guard_structs(signature: &Body, sound: &Ident, rt: &TokenStream) -> Body {
    let mut guarded = signature.clone();
    hide_structs(&mut guarded, &quote!(<#sound>::__STRUCTS), rt);
    guarded
}

/// Structs that are known only if a constant has a value.
fn hide_structs(body: &mut Body, constant: &TokenStream, rt: &TokenStream) {
    each_struct(body, &mut |path| {
        *path = Tokens(path_if(constant, rt, &path.0));
    });
}

/// `rt::derived::<P>();` for all that is taken for a derived struct, if a constant has a value.
fn derived(body: &Body, constant: &TokenStream, rt: &TokenStream) -> TokenStream {
    let mut paths: Map<String, TokenStream> = Map::new();
    each_struct(&mut body.clone(), &mut |path| {
        paths.get_or_insert(path.0.to_string(), path.0.clone());
    });
    // where a part is left out, or a call gives the struct, it is not known here; and there are structs of the runtime
    let stored = |path: &str| path.starts_with(['(', '[']) || path.starts_with("::");
    let known = |path: &str| {
        !(path.starts_with('<') || stored(path)) && path.split_whitespace().all(|t| t != "_")
    };
    let paths = paths.iter().filter(|(path, _)| known(path));
    let paths = paths.map(|(_, path)| if_constant_at(first_of(path), constant, rt, path));
    quote!(#(#rt::derived::<#paths>();)*)
}

fn first_of(path: &TokenStream) -> Span {
    let first = path.clone().into_iter().next();
    first.map_or_else(Span::call_site, |t| t.span())
}

/// Does something to the path of each struct.
pub(super) fn each_struct(body: &mut Body, f: &mut impl FnMut(&mut Tokens)) {
    for info in &mut body.places {
        struct_in(&mut info.ty, f);
    }
    for param in &mut body.params {
        struct_in(&mut param.ty, f);
    }
    each_leaf(&mut body.ret, &mut |ty| struct_in(ty, f));
    body.lengths.iter_mut().for_each(|(path, _)| f(path));
    body.region.change_all(&mut |stmt| {
        stmt.each_place(&mut |place| struct_on(&mut place.path, f));
        if let Stmt::Storage(s) = stmt {
            let paths = s.paths_mut().into_iter();
            paths.for_each(|place| struct_on(&mut place.path, f));
        }
    });
}

fn struct_on(path: &mut [Proj], f: &mut (impl FnMut(&mut Tokens) + ?Sized)) {
    for step in path {
        if let Proj::Field(_, Known(Some(ty))) = step {
            struct_in(ty, f);
        }
    }
}

pub(super) fn struct_in(ty: &mut Type, f: &mut (impl FnMut(&mut Tokens) + ?Sized)) {
    match ty {
        Type::Struct(path) if is_of_integers(path) => {}
        Type::Struct(path) | Type::Lanes(path) => f(path),
        Type::Array(t, _) | Type::Slice(t) | Type::Vec(t) => struct_in(t, f),
        Type::Float | Type::Lane | Type::Int(_) | Type::Bool | Type::Opaque(_) => {}
    }
}

fn each_leaf(tree: &mut Tree<Type>, f: &mut impl FnMut(&mut Type)) {
    match tree {
        Tree::Leaf(ty) => f(ty),
        Tree::Tuple(parts) => parts.iter_mut().for_each(|t| each_leaf(t, f)),
    }
}

pub(super) fn is_method(call: &Call) -> bool {
    let first = call.callee.0.clone().into_iter().next();
    matches!(first, Some(TokenTree::Punct(p)) if p.as_char() == '<')
}

pub(super) fn each_call(region: &mut Region, f: &mut dyn FnMut(&mut Call)) {
    region.change_all(&mut |stmt| {
        if let Stmt::Call(call) = stmt {
            f(call);
        }
    });
}

fn if_sound(sound: &Ident, rt: &TokenStream, ty: &TokenStream) -> TokenStream {
    if_constant(&quote!(<#sound>::__SOUND), rt, ty)
}

/// `<T as Trait>::Name` with a `T` that is only known if the function is well typed, or such a `T` itself.
fn path_if(constant: &TokenStream, rt: &TokenStream, path: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = path.clone().into_iter().collect();
    let is = |t: &TokenTree, c: char| matches!(t, TokenTree::Punct(p) if p.as_char() == c);
    let mut depth = 0;
    let at = trees.iter().position(|t| {
        depth += i32::from(is(t, '<')) - i32::from(is(t, '>'));
        depth == 1 && matches!(t, TokenTree::Ident(i) if i == "as")
    });
    match at {
        Some(at) if is(&trees[0], '<') => {
            let of = trees[1..at].iter().cloned().collect();
            let of = path_if(constant, rt, &of);
            let rest = right_if(constant, rt, &trees[at..]);
            let open = &trees[0];
            quote!(#open #of #rest)
        }
        _ => if_constant(constant, rt, path),
    }
}

/// `as Operator<HASH, <R as Trait>::Name>>::Handle` with an `R` that is only known if the function is well typed.
fn right_if(constant: &TokenStream, rt: &TokenStream, trees: &[TokenTree]) -> TokenStream {
    let is =
        |t: Option<&TokenTree>, c: char| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == c);
    let comma = trees.iter().position(|t| is(Some(t), ','));
    let Some(start) = comma.map(|k| k + 1).filter(|k| is(trees.get(*k), '<')) else {
        return trees.iter().cloned().collect();
    };
    let mut depth = 0;
    let end = trees[start..].iter().position(|t| {
        depth += i32::from(is(Some(t), '<')) - i32::from(is(Some(t), '>'));
        depth < 0
    });
    let end = end.map_or(trees.len(), |len| start + len);
    let right = trees[start..end].iter().cloned().collect();
    let mut tokens: TokenStream = trees[..start].iter().cloned().collect();
    tokens.extend(path_if(constant, rt, &right));
    tokens.extend(trees[end..].iter().cloned());
    tokens
}

/// A statement that makes a body one with a mistake if a constant has no value.
pub(crate) fn unless(constant: &TokenStream) -> TokenStream {
    quote!(let _: [(); #constant] = [];)
}

/// A type that is only known if a constant has a value.
pub(crate) fn if_constant(
    constant: &TokenStream,
    rt: &TokenStream,
    ty: &TokenStream,
) -> TokenStream {
    // messages on the type point at it
    let at = ty.clone().into_iter().next().map(|t| t.span());
    let at = at.map_or_else(Span::call_site, |at| Span::call_site().located_at(at));
    if_constant_at(at, constant, rt, ty)
}

fn if_constant_at(
    at: Span,
    constant: &TokenStream,
    rt: &TokenStream,
    ty: &TokenStream,
) -> TokenStream {
    quote_spanned!(at=> <#rt::Sound<{ #constant }> as #rt::If<(#ty)>>::Then)
}

/// assert!(!h::__CONSTANT[1]);   for each differentiated argument, and what is claimed of results
fn constants(
    body: &Body,
    rt: &TokenStream,
    handle: &mut dyn FnMut(&Call) -> TokenStream,
) -> Vec<TokenStream> {
    let facts = activity(body, &Views::of(body));
    let mut claims = Vec::new();
    let mut asked = Set::new();
    for stmt in body.region.all() {
        let Stmt::Call(call) = stmt else { continue };
        let (callee, span) = (&call.callee.0, first_span(&call.callee.0, body));
        let of = match is_method(call) {
            true => "this method".to_owned(),
            false => format!("`{}`", crate::report::spelled(&callee.to_string())),
        };
        let result = gives::claim(body, call, &handle(call), &of, span, rt);
        claims.extend(result.filter(|claim| asked.insert(claim.to_string())));
        for (k, arg) in call.args.iter().enumerate() {
            let foreign = match arg {
                Arg::Ref(p) | Arg::Place(p) => body.is_opaque(p),
                // of a type that is not known here: it cannot be lifted
                Arg::Verbatim { lifted, .. } => !lifted,
                Arg::Value(_) | Arg::Mut(_) => false,
            };
            let differentiated = match arg {
                Arg::Value(v) => body.val(*v).ty == Type::Float && facts.is_generic(*v),
                Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => {
                    let float =
                        matches!(body.place(p.root).ty.leaf(), Type::Float | Type::Struct(_));
                    float && facts.is_generic_place(p.root)
                }
                Arg::Verbatim { .. } => false,
            };
            let about = format!("argument {} of {of}", k + 1);
            if foreign {
                let (handle, text) = (handle(call), error::CONSTANT_LENT.filled(&about));
                claims.push(
                    quote_spanned!(span=> ::core::assert!(<#handle>::__CONSTANT[#k], #text);),
                );
            } else if differentiated {
                let (handle, text) = (handle(call), error::CONSTANT_ACTIVE.filled(&about));
                claims.push(
                    quote_spanned!(span=> ::core::assert!(!<#handle>::__CONSTANT[#k], #text);),
                );
            }
        }
    }
    claims
}

fn first_span(callee: &TokenStream, body: &Body) -> proc_macro2::Span {
    let first = callee.clone().into_iter().next();
    first.map_or(body.span, |t| t.span())
}

impl Emitter<'_> {
    /// A type that is only known if the user's function is well typed.
    pub(super) fn if_sound(&self, ty: &TokenStream) -> TokenStream {
        // messages on the type point at it
        let at = ty.clone().into_iter().next().map(|t| t.span());
        let at = at.map_or_else(Span::call_site, |at| Span::call_site().located_at(at));
        quote_spanned!(at=> __If<(#ty)>)
    }

    /// The same for `<T as Trait>::Name`, of which `T` is unknown then.
    pub(super) fn path_if_sound(&self, path: &TokenStream) -> TokenStream {
        let sound = self.sound;
        path_if(&quote!(<#sound>::__SOUND), self.rt, path)
    }

    /// The adjoint of what a call gives, as the callee takes it.
    pub(super) fn result_adjoint(&self, p: PlaceId) -> TokenStream {
        let id = self.place_ident(p);
        match &self.body.place(p).ty {
            Type::Lanes(_) => {
                let rt = self.rt;
                quote!(#rt::given_adjoint(&mut #id))
            }
            _ => quote!(&mut #id[..]),
        }
    }

    /// The first statement of a body: makes it one with a mistake where the user's has one, so that
    /// what is borrowed in it is not looked at.
    pub(super) fn unless_sound(&self) -> TokenStream {
        quote!(let _: __Checked = [];)
    }
}
