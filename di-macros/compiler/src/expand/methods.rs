//! `#[differentiable] impl P { .. }`: each function of the block becomes one beside it, with `self` as a
//! parameter, and so gets a handle, which the type leads to.

use super::generics::is_lifetime_or_length;
use super::leads::{self, Leads};
use super::operators::{Operator, owner_of};
use super::rename::Rename;
use super::{Items, Origin, expand_function};
use crate::error;
use crate::ir::Tokens;
use crate::lower::aliases::collect;
use crate::lower::environment::{Environment, names_of, of_index, spelled};
use crate::lower::extent::HasExtent;
use crate::lower::methods::{Method, Methods, Receiver, is_number};
use crate::lower::{arguments, range_of, ungroup};
use crate::lower::{cloned, extension, inline};
use crate::options::{self, Options};
use crate::report::Report;
use crate::sorted::Set;
use crate::symbol;
use crate::template::{parse_quote, quote};
use crate::tokens::unraw;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};

/// What stands behind `#[differentiable(attr)] impl P { .. }`.
pub(super) fn expand_impl(
    options: &Options,
    item: &syn::ItemImpl,
    env: &Environment,
    cx: &Report,
) -> Items {
    if let Some(handle) = &options.handle {
        cx.error_about(
            handle.span(),
            &error::ATTRIBUTE_ARGUMENT,
            "`handle` on an impl block",
        );
    }
    if let Some(f) = cloned::not_a_copy(item)
        && !f.attrs.iter().any(options::is_skip)
    {
        cx.error(f.sig.ident.extent(), &error::OWN_CLONE);
    }
    let mut generated = Items::default();
    let owner = read_owner(item, cx);
    if let (true, Some(owner)) = (cx.is_clean(), owner) {
        let functions = differentiated(item);
        let mut block = block_of(item, &owner, &functions, env);
        let mut env = std::mem::take(&mut block.env);
        block.add_bodies(&mut env);
        block.env = env;
        for f in functions {
            let name = &f.sig.ident;
            match block.operator.is_none() && block.is_of_two(name) {
                // it runs as it is, `impl From<Pivot> for Failure`
                true if takes_data(f, &block.env) => {}
                true => cx.error_about(name.extent(), &error::TWO_METHODS, name),
                false => generated = generated.followed_by(block.function(f, options)),
            }
        }
    }
    generated
}

/// The block without marks.
pub(super) fn original(item: &syn::ItemImpl) -> syn::ItemImpl {
    let mut item = item.clone();
    for inner in &mut item.items {
        if let syn::ImplItem::Fn(f) = inner {
            options::strip(&mut f.attrs, &mut f.sig, &mut f.block);
        }
    }
    item
}

/// A block without the bodies of its functions.
pub(super) fn signatures(item: &syn::ItemImpl) -> TokenStream {
    let mut item = item.clone();
    item.attrs.clear();
    for inner in &mut item.items {
        if let syn::ImplItem::Fn(f) = inner {
            let travels = is_in_place(f);
            f.attrs
                .retain(|a| options::is_skip(a) || options::is_in_place(a));
            if !travels {
                f.block.stmts.clear();
            }
        }
    }
    item.into_token_stream()
}

/// Adds what a block says of its methods, operators and constants.
pub(super) fn add(env: &mut Environment, item: &syn::ItemImpl) {
    if let Some(owner) = extension::owner(item) {
        let owner = owner.into();
        let block = block_of(item, &owner, &[], &Environment::default());
        block.add_bodies(env);
        for inner in &item.items {
            if let syn::ImplItem::Fn(f) = inner {
                env.add_extension(&block.trait_name(), unraw(&f.sig.ident));
            }
        }
        block.add_constants(env);
        return;
    }
    let cx = Report::default();
    let owner = read_owner(item, &cx);
    cx.discard();
    let Some(owner) = owner else { return };
    let functions = differentiated(item);
    let block = block_of(item, &owner, &[], &Environment::default());
    let of = block.known_as();
    for f in functions {
        let (name, method) = (unraw(&f.sig.ident), block.method(f));
        match &block.operator {
            Some(operator) => {
                let (left, right) = operator.sides(block.lengths().is_empty());
                env.add_operator(&name, &left, &right, method);
            }
            None => env.add_method(&of, &name, &block.trait_name(), method),
        }
    }
    block.add_bodies(env);
    let has_types = |of: &syn::Generics| of.type_params().next().is_some();
    for inner in &item.items {
        let syn::ImplItem::Fn(f) = inner else {
            continue;
        };
        if !f.attrs.iter().any(options::is_skip) {
            continue;
        }
        let name = unraw(&f.sig.ident);
        let output = match &f.sig.output {
            syn::ReturnType::Type(_, ty) => Some(&**ty),
            syn::ReturnType::Default => None,
        };
        if f.sig.inputs.is_empty() && !output.is_some_and(is_number) {
            env.add_maker(&of, &name);
        }
        let is_open = has_types(&item.generics) || has_types(&f.sig.generics);
        if !is_open && !output.is_some_and(|ty| names_one(ty, &block.lengths())) {
            env.add_passive(&of, &name, block.method(f));
        }
    }
    block.add_constants(env);
}

/// Whether a type has one of these lengths.
fn names_one(ty: &syn::Type, lengths: &[String]) -> bool {
    let mut words = Set::new();
    collect(ty.to_token_stream(), &mut words);
    lengths.iter().any(|n| words.contains(n))
}

/// The functions beside a block, with the types that lead to them, for tests.
pub(crate) fn functions(
    item: &syn::ItemImpl,
    env: &Environment,
) -> Vec<(Vec<TokenStream>, syn::ItemFn, Environment)> {
    let cx = Report::default();
    let owner = read_owner(item, &cx);
    let (Ok(()), Some(owner)) = (cx.check(), owner) else {
        return Vec::new();
    };
    let functions = differentiated(item);
    let block = block_of(item, &owner, &functions, env);
    let rt = quote!(::di::__private);
    let beside = functions.iter().map(|f| {
        let hash = proc_macro2::Literal::u64_unsuffixed(symbol::hash(&unraw(&f.sig.ident)));
        let paths = match &block.operator {
            Some(operator) => operator.paths(&rt, &hash),
            None => vec![quote!(<#owner as #rt::Method<#hash>>::Handle)],
        };
        (paths, block.beside(f), block.env.clone())
    });
    beside.collect()
}

fn block_of<'a>(
    item: &'a syn::ItemImpl,
    owner: &'a syn::Path,
    functions: &[&syn::ImplItemFn],
    env: &Environment,
) -> Block<'a> {
    let operator = Operator::of(item);
    let mut block = Block {
        owner,
        of_trait: item.trait_.as_ref().map(|t| &t.1),
        item,
        operator,
        env: env.clone(),
    };
    // of several impls of one trait none is the one that a name means
    if block.operator.as_ref().is_none_or(|o| o.is_plain) {
        let known = functions.iter();
        let methods = Methods {
            owner: Some(Tokens(owner.to_token_stream())),
            known: known
                .map(|f| (unraw(&f.sig.ident), block.method(f)))
                .collect(),
        };
        block.env = env.with_methods(methods);
    }
    block
}

fn read_owner(item: &syn::ItemImpl, cx: &Report) -> Option<syn::Path> {
    let operator = Operator::of(item).is_some();
    let mut params = item.generics.params.iter();
    if let Some(p) = params.find(|p| !is_lifetime_or_length(p)) {
        cx.error(p.extent(), &error::IMPL_BLOCK);
        return None;
    }
    match (&*item.self_ty, owner_of(&item.self_ty)) {
        (syn::Type::Path(_), Some(path)) => Some(nameless(path)),
        (_, Some(path)) if operator => Some(nameless(path)),
        (other, _) => {
            cx.error(other.extent(), &error::IMPL_BLOCK);
            None
        }
    }
}

/// The path with lifetimes left to inference: those of the block are not declared where generated code names the type.
fn nameless(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    walk::change(NodeMut::Path(&mut path), &mut |node| {
        if let NodeMut::Lifetime(l) = node {
            *l = syn::Lifetime::new("'_", l.apostrophe);
        }
        Onward::Into
    });
    path
}

/// The functions of the block but those marked `#[ad(skip)]`, and those whose name is there before, of which
/// rustc has said so.
fn differentiated(item: &syn::ItemImpl) -> Vec<&syn::ImplItemFn> {
    let functions = item.items.iter().filter_map(|i| match i {
        syn::ImplItem::Fn(f) => Some(f),
        _ => None,
    });
    let mut known = Set::new();
    functions
        // one of those that stand under conditions may be there alone
        .filter(|f| f.attrs.iter().any(is_condition) || known.insert(unraw(&f.sig.ident)))
        .filter(|f| !f.attrs.iter().any(options::is_skip) && !is_in_place(f))
        .collect()
}

/// Whether all that a function takes are values without floats.
fn takes_data(f: &syn::ImplItemFn, env: &Environment) -> bool {
    let data = env.data();
    f.sig.inputs.iter().all(|input| match input {
        syn::FnArg::Typed(p) => match crate::lower::ungroup(&p.ty) {
            syn::Type::Path(p) => data.contains_key(&env.of(&p.path.to_token_stream().to_string())),
            _ => false,
        },
        syn::FnArg::Receiver(_) => false,
    })
}

/// Marks the methods that return text: no derivative goes through them.
pub(super) fn skip_texts(block: &mut syn::ItemImpl) {
    for item in &mut block.items {
        let syn::ImplItem::Fn(f) = item else {
            continue;
        };
        let is_text = matches!(&f.sig.output, syn::ReturnType::Type(_, ty) if is_text(ty));
        if is_text && !is_in_place(f) && !f.attrs.iter().any(options::is_skip) {
            f.attrs.push(parse_quote!(#[ad(skip)]));
        }
    }
}

/// `String`, `&str`, ranges, and options and vectors of these.
fn is_text(ty: &syn::Type) -> bool {
    match ungroup(ty) {
        syn::Type::Reference(r) => is_text(&r.elem),
        syn::Type::Path(p) => p.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            match &*name {
                "String" | "str" => true,
                _ if range_of(ty).is_some() => true,
                "Option" | "Vec" => arguments(&p.path).into_iter().all(is_text),
                _ => false,
            }
        }),
        _ => false,
    }
}

/// Results of functions of a module that no derivative goes through.
pub(super) fn is_plain(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(p) => {
            range_of(ty).is_some() || p.path.segments.last().is_some_and(|s| s.ident == "String")
        }
        syn::Type::ImplTrait(_)
        | syn::Type::TraitObject(_)
        | syn::Type::Never(_)
        | syn::Type::Reference(_) => true,
        _ => false,
    }
}

/// Whether the body of a method stands in the place of its calls.
pub(super) fn is_in_place(f: &syn::ImplItemFn) -> bool {
    let is_known = !f.block.stmts.is_empty() || f.attrs.iter().any(options::is_in_place);
    is_known && !f.attrs.iter().any(options::is_skip) && inline::is_method_in_place(f)
}

fn is_condition(a: &syn::Attribute) -> bool {
    a.path().is_ident("cfg") || a.path().is_ident("cfg_attr")
}

/// What the functions of a block have in common.
struct Block<'a> {
    item: &'a syn::ItemImpl,
    owner: &'a syn::Path,
    of_trait: Option<&'a syn::Path>,
    /// It is one of an operator.
    operator: Option<Operator>,
    env: Environment,
}

impl Block<'_> {
    /// Adds the methods whose bodies stand in the place of their calls, under their paths.
    fn add_bodies(&self, env: &mut Environment) {
        for inner in &self.item.items {
            if let syn::ImplItem::Fn(f) = inner
                && is_in_place(f)
            {
                let mut function = self.beside(f);
                function.attrs.clear();
                let name = unraw(&f.sig.ident);
                for name in self.index_name(&name).into_iter().chain([name]) {
                    let path = format!("{}::{name}", self.known_as());
                    env.add_owned_body(&path, self.owner, function.clone());
                }
            }
        }
    }

    /// The name of a method of `Index<T>`, of which there may be several.
    fn index_name(&self, method: &str) -> Option<String> {
        let last = self.of_trait?.segments.last()?;
        let taken = arguments(self.of_trait?);
        let is_index = last.ident == "Index" || last.ident == "IndexMut";
        (is_index).then(|| of_index(method, &taken.first().to_token_stream().to_string()))
    }

    /// The names of the lengths that all of the block share.
    fn lengths(&self) -> Vec<String> {
        names_of(&self.item.generics)
    }

    /// The type as environments know it: by its name alone if its lengths are any.
    fn known_as(&self) -> String {
        let mut owner = self.owner.clone();
        if let (false, Some(last)) = (self.lengths().is_empty(), owner.segments.last_mut()) {
            last.arguments = syn::PathArguments::None;
        }
        spelled(&owner.to_token_stream().to_string())
    }

    /// The trait of the block, if it has one.
    fn trait_name(&self) -> String {
        let last = self.of_trait.and_then(|t| t.segments.last());
        spelled(&last.to_token_stream().to_string())
    }

    /// Whether this is the method of a trait, and the type has another one of this name, by which code is found.
    fn is_of_two(&self, name: &Ident) -> bool {
        let of_trait = self.trait_name();
        !of_trait.is_empty() && (self.env).is_of_two(&self.known_as(), &unraw(name), &of_trait)
    }

    fn handle_name(&self, name: &Ident) -> Ident {
        let of = match &self.operator {
            Some(operator) if !operator.is_plain => operator.shown(),
            _ if !self.lengths().is_empty() => {
                let last = self.owner.segments.last();
                last.map(|s| s.ident.to_string()).unwrap_or_default()
            }
            // there may be blocks of other lengths
            _ => {
                let last = self.owner.segments.last().to_token_stream().to_string();
                let words = last.split(|c: char| !c.is_alphanumeric() && c != '_');
                let words: Vec<&str> = words.filter(|w| !["", "_"].contains(w)).collect();
                words.join("_")
            }
        };
        let plain = format!("__{of}_{}", unraw(name));
        Ident::new(&plain, Span::call_site().located_at(name.span()))
    }

    /// What is written in the block, by names that stand outside.
    fn rename(&self) -> Rename<'_> {
        let types = self.item.items.iter().filter_map(|i| match i {
            syn::ImplItem::Type(t) => Some((&t.ident, &t.ty)),
            _ => None,
        });
        Rename {
            owner: self.owner,
            itself: &self.item.self_ty,
            types: types.collect(),
            extended_by: self
                .of_trait
                .filter(|_| extension::owner(self.item).is_some()),
        }
    }

    fn add_constants(&self, env: &mut Environment) {
        for inner in &self.item.items {
            if let syn::ImplItem::Const(c) = inner {
                let ty = self.rename().renamed(&c.ty);
                env.add_constant(&format!("{}::{}", self.known_as(), c.ident), ty);
            }
        }
    }

    fn method(&self, f: &syn::ImplItemFn) -> Method {
        let receiver = f.sig.receiver().map(|r| match (&r.reference, &*r.ty) {
            (Some(_), _) if r.mutability.is_some() => Receiver::Mut,
            (Some(_), _) => Receiver::Ref,
            (None, syn::Type::Reference(t)) if t.mutability.is_some() => Receiver::Mut,
            (None, syn::Type::Reference(_)) => Receiver::Ref,
            (None, _) => Receiver::Value,
        });
        let output = match &f.sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.rename().renamed(ty)),
        };
        let inputs = f.sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(t) => {
                let ty = self.rename().renamed(&t.ty);
                let marked = t.attrs.iter().any(|a| a.path().is_ident("constant"));
                Some((ty, marked))
            }
            syn::FnArg::Receiver(_) => None,
        });
        let (inputs, constants) = inputs.unzip();
        let own = names_of(&f.sig.generics);
        let of = match &self.operator {
            Some(operator) => operator.types(),
            None => vec![self.item.self_ty.as_ref().clone()],
        };
        Method {
            inputs,
            constants,
            handle: self.handle_name(&f.sig.ident),
            receiver,
            output,
            found: Vec::new(),
            own: own.len(),
            lengths: [self.lengths(), own].concat(),
            of,
        }
    }

    /// The function that the method becomes.
    fn beside(&self, f: &syn::ImplItemFn) -> syn::ItemFn {
        let mut function = syn::ItemFn {
            attrs: f.attrs.clone(),
            // as visible as the type, whatever that is
            vis: parse_quote!(pub),
            sig: f.sig.clone(),
            block: Box::new(f.block.clone()),
        };
        function.sig.ident = self.handle_name(&f.sig.ident);
        let of_block = self.item.generics.params.iter().cloned();
        let own = std::mem::take(&mut function.sig.generics.params);
        function.sig.generics.params = of_block.chain(own).collect();
        for input in &mut function.sig.inputs {
            if let syn::FnArg::Receiver(r) = input {
                *input = syn::FnArg::Typed(parameter(r));
            }
        }
        self.rename().change(NodeMut::Function(&mut function));
        function
    }

    fn function(&self, f: &syn::ImplItemFn, options: &Options) -> Items {
        let (owner, name) = (self.owner, &f.sig.ident);
        let krate = options.krate();
        let is_left = f.defaultness.is_some() || self.env.has_no_derivative(&f.sig);
        let mut function = self.beside(f);
        let block = self.env.written_body(&function);
        self.env.prepare(&mut function.sig, &mut function.block);
        let handle = function.sig.ident.clone();
        let mut origin = Origin {
            original: match (&self.operator, self.of_trait) {
                // its trait is std's: nothing says that it is not used, and of another name rustc has spoken
                (Some(_), Some(_)) => quote!(()),
                (None, Some(of_trait)) => quote!(<#owner as #of_trait>::#name),
                (_, None) => quote!(<#owner>::#name),
            },
            is_named: self.operator.is_none() || self.of_trait.is_none(),
            is_private: self.of_trait.is_none() && matches!(f.vis, syn::Visibility::Inherited),
            captured: false,
            is_left,
            owner: Some(
                self.operator
                    .as_ref()
                    .and_then(Operator::visible)
                    .unwrap_or(owner),
            ),
            env: self.env.clone(),
            written: None,
            block,
            instance: Some(instance_of(&f.sig.generics)),
        };
        let nested = super::expand_nested(&mut function, options, &mut origin);
        let generated = expand_function(&mut function, options, &origin).followed_by(nested);
        if is_left && generated.others.is_empty() && generated.asked.is_empty() {
            return Items::default().with(leads::left_out(f, self.item, owner, &krate));
        }
        let cfgs = super::conditions(&function.attrs);
        let constant = format_ident!("{}_ad", unraw(name), span = name.span());
        let vis = if self.of_trait.is_some() {
            quote!(pub)
        } else {
            f.vis.to_token_stream()
        };
        let rt = quote!(#krate::__private);
        let operator = self.operator.as_ref();
        let generics = super::generics::generics_of(&function, &origin);
        let leads = Leads {
            owner,
            of_block: &self.item.generics,
            own: &f.sig.generics,
            generics: &generics,
            handle: &handle,
            has_code: generated.refused.is_none(),
            rt: &rt,
        };
        let name = unraw(name);
        let found = operator.map(|o| leads.operator(o, &name));
        let quiet = crate::options::quiet();
        if operator.is_some_and(|o| !o.is_plain) {
            return generated.with(quote! {
                #(#cfgs)*
                #quiet
                const _: () = { #found };
            });
        }
        let by_trait = match (operator, self.of_trait) {
            (None, Some(of_trait)) => Some(leads.of_trait(of_trait, f)),
            _ => None,
        };
        let (method, constant) = (leads.method(&name), leads.constant(&constant, &vis));
        generated.with(quote! {
            #(#cfgs)*
            #quiet
            const _: () = {
                #found
                #by_trait
                #method
                #constant
            };
        })
    }
}

/// `::<K>`, the lengths of a method's own; nothing if there are none.
pub(super) fn instance_of(generics: &syn::Generics) -> TokenStream {
    let own = names_of(generics);
    if own.is_empty() {
        return TokenStream::new();
    }
    let own = generics.const_params().map(|p| &p.ident);
    quote!(::<#(#own),*>)
}

/// `self` as a parameter of its own.
fn parameter(r: &syn::Receiver) -> syn::PatType {
    let name = Ident::new(symbol::SELF, r.self_token.span);
    let mutability = r.reference.is_none().then_some(r.mutability).flatten();
    syn::PatType {
        attrs: r.attrs.clone(),
        pat: Box::new(syn::Pat::Ident(syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability,
            ident: name,
            subpat: None,
        })),
        colon_token: r.colon_token.unwrap_or_default(),
        ty: r.ty.clone(),
    }
}
