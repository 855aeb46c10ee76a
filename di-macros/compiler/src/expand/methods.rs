//! `#[differentiable] impl P { .. }`: each function of the block becomes one beside it, with `self` as a
//! parameter, and so gets a handle, which the type leads to.

use super::operators::{Operator, owner_of};
use super::{Items, Origin, expand_function};
use crate::error;
use crate::ir::Tokens;
use crate::lower::environment::{Environment, spelled};
use crate::lower::extent::HasExtent;
use crate::lower::inline;
use crate::lower::methods::{Method, Methods, Receiver};
use crate::lower::{arguments, inputs, ungroup};
use crate::options::{self, Options};
use crate::report::Report;
use crate::sorted::Set;
use crate::symbol;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

/// Name of `self` in the function beside the block.
pub(super) const SELF: &str = "__self";

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
    let mut generated = Items::default();
    let owner = read_owner(item, cx);
    if let (true, Some(owner)) = (cx.is_clean(), owner) {
        let functions = differentiated(item);
        let mut block = block_of(item, &owner, &functions, env);
        let mut env = std::mem::take(&mut block.env);
        block.add_bodies(&mut env);
        block.env = env;
        for f in functions {
            generated = generated.followed_by(block.function(f, options));
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
            f.attrs.retain(options::is_skip);
            if !travels {
                f.block.stmts.clear();
            }
        }
    }
    item.into_token_stream()
}

/// Adds what a block says of its methods, operators and constants.
pub(super) fn add(env: &mut Environment, item: &syn::ItemImpl) {
    let cx = Report::default();
    let owner = read_owner(item, &cx);
    cx.discard();
    let Some(owner) = owner else { return };
    let functions = differentiated(item);
    let block = block_of(item, &owner, &[], &Environment::default());
    let of = spelled(&owner.to_token_stream().to_string());
    for f in functions {
        let (name, method) = (name_of(&f.sig.ident), block.method(f));
        match (&block.operator, method.output.clone()) {
            (Some(operator), output) => {
                let (left, right) = operator.sides();
                let output = output.unwrap_or_else(|| syn::parse_quote!(()));
                env.add_operator(&name, &left, &right, output);
            }
            (None, _) => env.add_method(&of, &name, method),
        }
    }
    block.add_bodies(env);
    for inner in &item.items {
        if let syn::ImplItem::Fn(f) = inner
            && f.sig.inputs.is_empty()
            && f.attrs.iter().any(options::is_skip)
        {
            env.add_maker(&of, &name_of(&f.sig.ident));
        }
        let is_plain = item.generics.params.is_empty();
        if let (true, syn::ImplItem::Fn(f)) = (is_plain, inner)
            && f.sig.generics.type_params().next().is_none()
            && f.attrs.iter().any(options::is_skip)
            && let syn::ReturnType::Type(_, ty) = &f.sig.output
        {
            let (inputs, output) = (inputs(&f.sig), block.rename().renamed(ty));
            env.add_passive(&of, &name_of(&f.sig.ident), inputs, output);
        }
        if let syn::ImplItem::Const(c) = inner {
            let ty = block.rename().renamed(&c.ty);
            env.add_constant(&format!("{of}::{}", c.ident), ty);
        }
    }
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
        let hash = proc_macro2::Literal::u64_unsuffixed(symbol::hash(&name_of(&f.sig.ident)));
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
                .map(|f| (name_of(&f.sig.ident), block.method(f)))
                .collect(),
        };
        block.env = env.with_methods(methods);
    }
    block
}

fn read_owner(item: &syn::ItemImpl, cx: &Report) -> Option<syn::Path> {
    let operator = Operator::of(item).is_some();
    let mut params = item.generics.params.iter();
    if let Some(p) = params.find(|p| !matches!(p, syn::GenericParam::Lifetime(_))) {
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
        .filter(|f| f.attrs.iter().any(is_condition) || known.insert(name_of(&f.sig.ident)))
        .filter(|f| !f.attrs.iter().any(options::is_skip) && !is_in_place(f))
        .collect()
}

/// Marks the methods that return text: no derivative goes through them.
pub(super) fn skip_texts(block: &mut syn::ItemImpl) {
    for item in &mut block.items {
        let syn::ImplItem::Fn(f) = item else {
            continue;
        };
        let is_text = matches!(&f.sig.output, syn::ReturnType::Type(_, ty) if is_text(ty));
        if is_text && !f.attrs.iter().any(options::is_skip) {
            f.attrs.push(syn::parse_quote!(#[ad(skip)]));
        }
    }
}

/// `String`, `&str`, and options and vectors of these.
fn is_text(ty: &syn::Type) -> bool {
    match ungroup(ty) {
        syn::Type::Reference(r) => is_text(&r.elem),
        syn::Type::Path(p) => p.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            match &*name {
                "String" | "str" => true,
                "Option" | "Vec" => arguments(&p.path).into_iter().all(is_text),
                _ => false,
            }
        }),
        _ => false,
    }
}

/// Whether the body of a method stands in the place of its calls.
pub(super) fn is_in_place(f: &syn::ImplItemFn) -> bool {
    !f.block.stmts.is_empty()
        && !f.attrs.iter().any(options::is_skip)
        && inline::is_method_in_place(f)
}

fn is_condition(a: &syn::Attribute) -> bool {
    a.path().is_ident("cfg") || a.path().is_ident("cfg_attr")
}

fn name_of(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
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
                let path = format!(
                    "{}::{}",
                    spelled(&self.owner.to_token_stream().to_string()),
                    name_of(&f.sig.ident)
                );
                let mut function = self.beside(f);
                function.attrs.clear();
                env.add_higher(&path, function);
            }
        }
    }

    fn handle_name(&self, name: &Ident) -> Ident {
        let of = match &self.operator {
            Some(operator) if !operator.is_plain => operator.shown(),
            _ => {
                let last = self.owner.segments.last();
                last.map(|s| s.ident.to_string()).unwrap_or_default()
            }
        };
        let plain = format!("__{of}_{}", name_of(name));
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
        Method {
            inputs,
            constants,
            handle: self.handle_name(&f.sig.ident),
            receiver,
            output,
        }
    }

    /// The function that the method becomes.
    fn beside(&self, f: &syn::ImplItemFn) -> syn::ItemFn {
        let mut function = syn::ItemFn {
            attrs: f.attrs.clone(),
            // as visible as the type, whatever that is
            vis: syn::parse_quote!(pub),
            sig: f.sig.clone(),
            block: Box::new(f.block.clone()),
        };
        function.sig.ident = self.handle_name(&f.sig.ident);
        let lifetimes = self.item.generics.params.iter().cloned();
        function.sig.generics.params.extend(lifetimes);
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
            is_named: true,
            is_private: self.of_trait.is_none() && matches!(f.vis, syn::Visibility::Inherited),
            captured: false,
            owner: Some(
                self.operator
                    .as_ref()
                    .and_then(Operator::visible)
                    .unwrap_or(owner),
            ),
            env: self.env.clone(),
            written: None,
            block,
        };
        let nested = super::expand_nested(&mut function, options, &mut origin);
        let generated = expand_function(&mut function, options, &origin).followed_by(nested);
        let cfgs = super::conditions(&function.attrs);
        let hash = symbol::hash(&name_of(name));
        let constant = format_ident!("{}_ad", name_of(name), span = name.span());
        let vis = if self.of_trait.is_some() {
            quote!(pub)
        } else {
            f.vis.to_token_stream()
        };
        let rt = quote!(#krate::__private);
        let operator = self.operator.as_ref();
        let found = operator.map(|o| o.leads_to(&rt, hash, &handle));
        let quiet = crate::options::quiet();
        if operator.is_some_and(|o| !o.is_plain) {
            return generated.with(quote! {
                #(#cfgs)*
                #quiet
                const _: () = { #found };
            });
        }
        let by_trait = match (operator, self.of_trait.and_then(|t| t.segments.last())) {
            (None, Some(of_trait)) => {
                let key = symbol::of_trait(&name_of(&of_trait.ident), &name_of(name));
                let hash = symbol::hash(&key);
                quote! {
                    #[automatically_derived]
                    impl #rt::Method<#hash> for #owner {
                        type Handle = #handle;
                    }
                }
            }
            _ => TokenStream::new(),
        };
        generated.with(quote! {
            #(#cfgs)*
            #quiet
            const _: () = {
                #found
                #by_trait
                #[automatically_derived]
                impl #krate::__private::Method<#hash> for #owner {
                    type Handle = #handle;
                }
                #[automatically_derived]
                impl #owner {
                    /// The handle of the method.
                    #vis const #constant: #handle = <#handle>::AD;
                }
            };
        })
    }
}

fn only_lifetimes(arguments: &syn::PathArguments) -> bool {
    match arguments {
        syn::PathArguments::AngleBracketed(a) => {
            (a.args.iter()).all(|a| matches!(a, syn::GenericArgument::Lifetime(_)))
        }
        _ => false,
    }
}

/// `self` as a parameter of its own.
fn parameter(r: &syn::Receiver) -> syn::PatType {
    let name = Ident::new(SELF, r.self_token.span);
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

/// `self` and `Self` by names that stand outside the block.
struct Rename<'a> {
    owner: &'a syn::Path,
    /// What `Self` is.
    itself: &'a syn::Type,
    /// Associated types.
    types: Vec<(&'a Ident, &'a syn::Type)>,
}

impl Rename<'_> {
    fn renamed(&self, ty: &syn::Type) -> syn::Type {
        let mut ty = ty.clone();
        self.change(NodeMut::Type(&mut ty));
        ty
    }

    fn change(&self, root: NodeMut<'_>) {
        walk::change(root, &mut |node| self.node(node));
    }

    fn node(&self, node: NodeMut<'_>) -> Onward {
        match node {
            NodeMut::Type(ty) => {
                let Some(found) = self.stands_for(ty) else {
                    return Onward::Into;
                };
                // it may be told by `Self` itself
                let own = found.to_token_stream().to_string() == ty.to_token_stream().to_string();
                *ty = match own {
                    true => found.clone(),
                    false => self.renamed(found),
                };
                Onward::Over
            }
            NodeMut::Path(path) => {
                walk::change_below(NodeMut::Path(path), &mut |node| self.node(node));
                self.rename(path);
                Onward::Over
            }
            NodeMut::Macro(mac) => {
                mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
                Onward::Over
            }
            // items have a `self` of their own
            NodeMut::Item(_) => Onward::Over,
            _ => Onward::Into,
        }
    }

    /// The type that is meant by `Self` or `Self::Name`.
    fn stands_for(&self, ty: &syn::Type) -> Option<&syn::Type> {
        let syn::Type::Path(p) = ty else { return None };
        if p.qself.is_some() || p.path.segments[0].ident != "Self" {
            return None;
        }
        match p.path.segments.len() {
            1 => Some(self.itself),
            2 => {
                let last = &p.path.segments[1].ident;
                let known = self.types.iter().find(|(name, _)| *name == last);
                known.map(|(_, ty)| *ty)
            }
            _ => None,
        }
    }

    fn rename(&self, path: &mut syn::Path) {
        let Some(first) = path.segments.first() else {
            return;
        };
        if first.ident == "self" && path.segments.len() == 1 {
            let span = first.ident.span();
            path.segments[0].ident = Ident::new(SELF, span);
        } else if first.ident == "Self" {
            let span = first.ident.span();
            let mut whole = self.owner.clone();
            let rest = path.segments.iter().skip(1).cloned();
            for segment in &mut whole.segments {
                segment
                    .ident
                    .set_span(segment.ident.span().located_at(span));
                // `Spline::new`, `Spline { .. }`: they are inferred
                if only_lifetimes(&segment.arguments) {
                    segment.arguments = syn::PathArguments::None;
                }
            }
            whole.segments.extend(rest);
            *path = whole;
        }
    }

    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let each = tokens.into_iter().flat_map(|tree| match tree {
            TokenTree::Ident(i) if i == "self" => {
                TokenStream::from(TokenTree::Ident(Ident::new(SELF, i.span())))
            }
            TokenTree::Ident(i) if i == "Self" => {
                let mut path = syn::Path::from(i);
                self.rename(&mut path);
                path.into_token_stream()
            }
            TokenTree::Group(g) => {
                let mut group = Group::new(g.delimiter(), self.tokens(g.stream()));
                group.set_span(g.span());
                TokenStream::from(TokenTree::Group(group))
            }
            other => TokenStream::from(other),
        });
        each.collect()
    }
}
