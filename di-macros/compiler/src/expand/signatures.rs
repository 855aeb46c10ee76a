//! Signatures that travel: a macro at the path of each annotated function hands its signature on, and an attribute
//! that has to know more of what its function calls is resumed with the answers.
//!
//! `#[differentiable] fn g` defines a macro `g!` beside `g`, which is found by whatever path finds `g`. An attribute
//! whose function calls `g` and `m::h` expands to
//!
//! ```text
//! use g as __probe0;
//! use m::h as __probe1;
//! __probe0! { @signature [] [__probe1, ::di::__private::resume] { attributes and item } }
//! ```
//!
//! Each macro appends its signature to the first list and invokes the first macro of the second one.

use super::{asks, methods};
use crate::answer::{answering, can_be_asked};
use crate::lower::aliases::{Declared, collect, declared_at, imports_at, in_scope, read_around};
use crate::lower::bundles::borrows;
use crate::lower::environment::{Environment, field_of_deref};
use crate::lower::inline;
use crate::options::{self, Options};
use crate::sorted::Set;
use crate::template::quote;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::parse::{Parse, ParseStream};

/// The macro at the path of a function that hands its signature on.
pub(crate) fn handing_on(function: &syn::ItemFn) -> TokenStream {
    let sig = &function.sig;
    let answer = match inline::travels(function) {
        true => body_of(function),
        false => quote!(#sig {}),
    };
    answering(&sig.ident, &function.vis, &function.attrs, &answer)
}

/// A function without visibility and the user's attributes.
pub(super) fn body_of(function: &syn::ItemFn) -> TokenStream {
    let (sig, block) = (&function.sig, &function.block);
    let mark = function.attrs.iter().filter(|a| options::is_in_place(a));
    quote!(#(#mark)* #sig #block)
}

/// Asks the items with these paths for their signatures, and goes on with the item when they have answered.
/// `known`: what others have answered before.
///
/// An item without a macro answers nothing: a name that is imported in an inner block comes before that of an outer
/// one, and if it is not the name of a macro, the outer one is, which stands for all that is not known.
pub(super) fn ask(
    known: &[Answer],
    paths: &[TokenStream],
    options: &Options,
    attr: &TokenStream,
    item: &TokenStream,
) -> TokenStream {
    let krate = options.krate();
    // where a path leads nowhere, rustc says so of the path
    let at = |path: &TokenStream| {
        let first = path.clone().into_iter().next();
        let span = first.map_or_else(Span::call_site, |t| t.span());
        Span::call_site().located_at(span)
    };
    let probes = paths.iter().enumerate();
    let probes: Vec<Ident> = probes
        .map(|(k, path)| format_ident!("__probe{k}", span = at(path)))
        .collect();
    let Some((first, rest)) = probes.split_first() else {
        unreachable!("nothing is asked")
    };
    let imported = paths.iter().zip(&probes).map(|(path, probe)| {
        let own = crate::symbol::OF_PRELUDE.contains(&&*path.to_string());
        let own = own.then(|| quote!(self::));
        quote_spanned!(at(path)=> use #own #path as #probe;)
    });
    let asked = known.iter().map(|a| &a.path).chain(paths);
    let answered = known.iter().map(|a| &a.text);
    let quiet = options::quiet();
    quote! {
        #quiet
        const _: () = {
            #(use #krate::__private::unknown as #probes;)*
            {
                #(#imported)*
                {
                    #first! {
                        @signature [#({ #answered })*] [#(#rest,)* #krate::__private::resume]
                        { [#({ #asked })*] [#attr] { #item } }
                    }
                }
            }
        };
    }
}

/// What one of the items has answered.
pub(super) struct Answer {
    /// The path by which it was asked.
    path: TokenStream,
    /// Its signature.
    text: TokenStream,
}

/// An attribute that goes on.
pub(super) struct Resumed {
    pub(super) answers: Vec<Answer>,
    pub(super) attr: TokenStream,
    pub(super) item: TokenStream,
}

impl Parse for Resumed {
    // @signature [{ answer } ..] [] { [{ path } ..] [attr] { item } }
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<syn::Token![@]>()?;
        input.parse::<Ident>()?;
        let texts = groups(input.parse::<Group>()?);
        input.parse::<Group>()?;
        let mut state = input.parse::<Group>()?.stream().into_iter();
        let mut next = || match state.next() {
            Some(TokenTree::Group(group)) => Ok(group),
            _ => Err(syn::Error::new(
                Span::call_site(),
                "this macro is for generated code",
            )),
        };
        let paths = groups(next()?);
        let answers = paths.into_iter().zip(texts);
        Ok(Resumed {
            answers: answers.map(|(path, text)| Answer { path, text }).collect(),
            attr: next()?.stream(),
            item: next()?.stream(),
        })
    }
}

/// The contents of the groups in a group.
fn groups(list: Group) -> Vec<TokenStream> {
    let trees = list.stream().into_iter();
    let inner = trees.filter_map(|tree| match tree {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    inner.collect()
}

impl Answer {
    /// What the item with this path among others would answer, for tests.
    pub(super) fn found_in(items: &[syn::Item], path: TokenStream) -> Answer {
        let name = path.clone().into_iter().last().map(|t| t.to_string());
        let text = name.and_then(|name| answer_in(items, &name));
        Answer {
            path,
            text: text.unwrap_or_default(),
        }
    }

    /// What a module knows of one of its items, by the item's own name.
    pub(super) fn of_module(text: TokenStream) -> Answer {
        Answer {
            path: TokenStream::new(),
            text,
        }
    }
}

/// What an annotated item of this name answers.
fn answer_in(items: &[syn::Item], name: &str) -> Option<TokenStream> {
    let is_ours = |attrs: &[syn::Attribute]| {
        attrs.iter().any(|a| {
            let text = a.meta.to_token_stream().to_string().to_lowercase();
            ["differentiable", "custom_rule", "implicit"]
                .iter()
                .any(|own| text.contains(own))
        })
    };
    items.iter().find_map(|item| match item {
        syn::Item::Fn(f) if f.sig.ident == name && is_ours(&f.attrs) => {
            if inline::travels(f) {
                return Some(body_of(f));
            }
            let sig = &f.sig;
            Some(quote!(#sig {}))
        }
        syn::Item::Struct(s) if s.ident == name && is_ours(&s.attrs) => {
            let (ident, generics, fields, semi) = (&s.ident, &s.generics, &s.fields, s.semi_token);
            Some(quote!(#[derive(Differentiable)] struct #ident #generics #fields #semi))
        }
        syn::Item::Mod(m) => answer_in(&m.content.as_ref()?.1, name),
        _ => None,
    })
}

/// The environment that the answers make.
pub(super) fn environment(answers: &[Answer]) -> Environment {
    let mut env = Environment::default();
    let mut blocks = Vec::new();
    for Answer { path, text } in answers {
        let asked = (!path.is_empty()).then(|| path.to_string());
        let (of_item, items): (Vec<_>, Vec<_>) = (items(text).into_iter())
            .partition(|item| asked.is_some() && matches!(item, syn::Item::Impl(_)));
        if asked.is_some() {
            let name = items.iter().find_map(|item| match item {
                syn::Item::Struct(s) => Some(s.ident.clone()),
                _ => None,
            });
            blocks.extend(of_item.into_iter().map(|block| (name.clone(), path, block)));
        }
        add_all(&mut env, asked.as_deref(), items);
    }
    // of a block of elsewhere what speaks of types that are known here
    for (name, path, block) in blocks {
        if let (Some(name), syn::Item::Impl(block)) = (name, block) {
            let is_known = |word: &str| name == word || env.knows(word);
            let block =
                in_scope(block, &is_known).map(|b| by_path(b.into_token_stream(), &name, path));
            if let Some(block) = block {
                add_items(&mut env, None, &block);
            }
        }
    }
    env
}

/// The tokens where the item of a name goes by a path.
pub(super) fn by_path(tokens: TokenStream, name: &Ident, path: &TokenStream) -> TokenStream {
    let renamed = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(ident) if ident == *name => path.clone(),
        TokenTree::Group(group) => {
            let inner = by_path(group.stream(), name, path);
            TokenTree::from(Group::new(group.delimiter(), inner)).into()
        }
        other => other.into(),
    });
    renamed.collect()
}

/// The types that the item does not name, but what it uses: those are to be asked too. They are imported, or declared
/// beside a function or a struct that names them.
pub(super) fn further(
    answers: &[Answer],
    env: &Environment,
    item: &TokenStream,
    at: Span,
) -> Vec<TokenStream> {
    let mut words = Set::new();
    collect(item.clone(), &mut words);
    let beside = named_beside(answers, &declared_at(at));
    let mut others: Vec<&Answer> = answers.iter().collect();
    loop {
        let before = others.len();
        others.retain(|answer| {
            let is_used = heads(&answer.text).iter().any(|name| words.contains(name));
            if is_used || !answer.path.is_empty() {
                collect(without_attributes(answer.text.clone()), &mut words);
            }
            !is_used
        });
        if others.len() == before {
            break;
        }
    }
    let imported = imports_at(at);
    words.retain(|word| imported.contains(word));
    words.extend(beside);
    let asked: Set<String> = answers.iter().map(|a| a.path.to_string()).collect();
    let is_type = |word: &str| word.starts_with(char::is_uppercase) && !asks::is_of_std(word);
    words.retain(|word| is_type(word) && !asked.contains(word) && !env.knows(word));
    let paths = words
        .iter()
        .map(|w| Ident::new(w, Span::call_site()).into_token_stream());
    paths.filter(can_be_asked).collect()
}

/// The answers, with what the file says of bodies that are put in the place of calls, of functions that are declared
/// beside the one that calls: that one does not name it.
pub(super) fn with_bodies(mut answers: Vec<Answer>, at: Span) -> Vec<Answer> {
    let named = answers.iter().filter(|a| !a.path.is_empty());
    let bodies = named.filter_map(|a| {
        let function: syn::ItemFn = syn::parse2(a.text.clone()).ok()?;
        let stands = !function.block.stmts.is_empty() && inline::travels(&function);
        stands.then(|| (a.path.to_string(), function))
    });
    let bodies: Vec<(String, syn::ItemFn)> = bodies.collect();
    if bodies.is_empty() {
        return answers;
    }
    let modules = declared_at(at);
    let is_beside = |path: &str| modules.iter().any(|m| m.functions.contains(path));
    let beside = bodies.into_iter().filter(|(path, _)| is_beside(path));
    let found = beside.flat_map(|(_, function)| read_around(&function.into(), at).blocks);
    for item in found {
        let text = item.into_token_stream();
        let written = text.to_string();
        if answers.iter().all(|a| a.text.to_string() != written) {
            answers.push(Answer::of_module(text));
        }
    }
    answers
}

/// Derived structs of modules that their functions and structs name. What others name may be another type of that name.
fn named_beside(answers: &[Answer], modules: &[Declared]) -> Set<String> {
    let mut named: Vec<Set<String>> = modules.iter().map(|_| Set::new()).collect();
    let mut elsewhere = Set::new();
    for Answer { path, text } in answers.iter().filter(|a| !a.path.is_empty()) {
        let path = path.to_string();
        let is_of = |m: &Declared| m.functions.contains(&path) || m.derived.contains(&path);
        let words = match modules.iter().position(is_of) {
            Some(k) => &mut named[k],
            None => &mut elsewhere,
        };
        collect(without_attributes(text.clone()), words);
    }
    let beside = modules.iter().zip(named).flat_map(|(module, named)| {
        let derived = module.derived.clone();
        named.into_iter().filter(move |name| derived.contains(name))
    });
    beside.filter(|name| !elsewhere.contains(name)).collect()
}

/// Items without what is derived for them.
fn without_attributes(text: TokenStream) -> TokenStream {
    let mut is_sign = false;
    let mut kept = Vec::new();
    for tree in text {
        match &tree {
            TokenTree::Punct(p) if p.as_char() == '#' => is_sign = true,
            TokenTree::Group(g) if is_sign && g.delimiter() == Delimiter::Bracket => {
                is_sign = false
            }
            _ => {
                is_sign = false;
                kept.push(tree);
            }
        }
    }
    kept.into_iter().collect()
}

/// The name of a function, or the types in the head of an item.
fn heads(text: &TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_named = false;
    for tree in text.clone() {
        match tree {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                if is_named {
                    return vec![name];
                }
                is_named = name == "fn";
                if name.starts_with(char::is_uppercase) {
                    names.push(name);
                }
            }
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => break,
            _ => {}
        }
    }
    names
}

/// What the items of a source say of each other, for tests.
pub(crate) fn environment_of(source: &str) -> Environment {
    let mut env = Environment::default();
    let items = syn::parse_file(source).map(|f| f.items).unwrap_or_default();
    for item in items {
        let text = match &item {
            syn::Item::Fn(f) if inline::travels(f) => body_of(f),
            syn::Item::Fn(f) => {
                let sig = &f.sig;
                quote!(#sig {})
            }
            syn::Item::Struct(s) => quote!(#[derive(Differentiable)] #s),
            syn::Item::Impl(block) => methods::signatures(block),
            _ => continue,
        };
        add_items(&mut env, None, &text);
    }
    env
}

/// Adds items without their bodies, by a path or by their names.
pub(super) fn add_items(env: &mut Environment, path: Option<&str>, text: &TokenStream) {
    add_all(env, path, items(text));
}

fn items(text: &TokenStream) -> Vec<syn::Item> {
    let items = syn::parse2::<syn::File>(text.clone()).map(|f| f.items);
    items.unwrap_or_default()
}

fn add_all(env: &mut Environment, path: Option<&str>, items: Vec<syn::Item>) {
    let named = |name: &Ident| path.map_or_else(|| name.to_string(), str::to_owned);
    if let (true, Some(path)) = (items.is_empty(), path) {
        env.add_opaque(path);
    }
    for item in items {
        // of the items of an annotated module
        if let (
            None,
            syn::Item::Struct(syn::ItemStruct { ident, vis, .. })
            | syn::Item::Enum(syn::ItemEnum { ident, vis, .. }),
        ) = (path, &item)
        {
            env.add_visibility(ident, vis);
        }
        match item {
            // what is called by its handle comes without a body
            syn::Item::Fn(f) if !f.block.stmts.is_empty() && inline::stands_in_place(&f) => {
                env.add_higher(&named(&f.sig.ident), f);
            }
            syn::Item::Fn(f) => {
                let is_ours = !f.attrs.iter().any(options::is_skip);
                // of another module
                let written = f.attrs.iter().find_map(options::path);
                let path = written.unwrap_or_else(|| named(&f.sig.ident));
                env.add_function(&path, f.sig.clone(), is_ours);
                if is_ours && !f.block.stmts.is_empty() && inline::travels(&f) {
                    env.add_higher(&path, f);
                }
            }
            syn::Item::Struct(s) => {
                env.add_lifetimes(&named(&s.ident), &s.generics);
                env.add_lengths(&named(&s.ident), &s.generics);
                env.add_open(&s.ident, &s.generics);
                let is_skipped = s.attrs.iter().any(options::is_skip);
                if is_skipped || s.attrs.is_empty() {
                    env.add_struct_shape(&named(&s.ident), &s);
                }
                match s.attrs.is_empty() {
                    _ if is_skipped => {
                        env.add_fields(&named(&s.ident), s.fields);
                    }
                    true => env.add_plain(&named(&s.ident), s.fields),
                    false if borrows(&s.generics) => env.add_bundle(&named(&s.ident), s.fields),
                    false => env.add_struct(&named(&s.ident), s.fields),
                }
            }
            syn::Item::Enum(e) => {
                if super::structs::is_derived(&e.attrs) {
                    env.add_derived_enum(&named(&e.ident), &e);
                    continue;
                }
                env.add_enum_shape(&named(&e.ident), &e);
                for v in e.variants {
                    let path = format!("{}::{}", named(&e.ident), v.ident);
                    env.add_fields(&path, v.fields);
                }
                if e.attrs.iter().any(options::is_skip) {
                    continue;
                }
                env.add_lifetimes(&named(&e.ident), &e.generics);
                env.add_opaque(&named(&e.ident));
            }
            syn::Item::Type(t) => env.add_alias(&named(&t.ident), t),
            syn::Item::Trait(t) => env.add_objects(&t),
            syn::Item::TraitAlias(t) => env.add_boxed(&t),
            syn::Item::Const(c) if c.attrs.iter().any(options::is_skip) => {
                env.add_written(&named(&c.ident), *c.ty);
            }
            syn::Item::Const(c) => env.add_constant(&named(&c.ident), *c.ty),
            syn::Item::Impl(block) if field_of_deref(&block).is_some() => env.add_deref(&block),
            syn::Item::Impl(block) => methods::add(env, &block),
            _ => {}
        }
    }
}
