//! Structs that are generic over types: for each use of one with types that are known, `Stack<Rbf, Linear>`, an annotated
//! module has an alias, and behind it a struct of its own with the `impl` blocks for these types, before anything else
//! looks at the module. Rust sees the generic struct alone.
//!
//! ```text
//! struct Stack<A, B> { a: A, b: B }            type Stack_Rbf_Linear = Stack<Rbf, Linear>;
//! impl<A: Kernel, B: Kernel> Stack<A, B> ..    struct Stack_Rbf_Linear { a: Rbf, b: Linear }
//! fn f(s: &Stack<Rbf, Linear>) ..              impl Stack_Rbf_Linear ..
//!                                              fn f(s: &Stack_Rbf_Linear) ..
//! ```

mod blanket;
mod inferred;
mod made;
mod nested;
mod substituted;
mod uses;

use super::marks::is_test;
use super::structs::is_derived;
use crate::error;
use crate::lower::environment::own_names;
use crate::lower::{arguments, numeric, ungroup};
use crate::report::Report;
use crate::sorted::{Map, Set};
use crate::template::{parse_quote, quote};
use crate::walk::{self, Node, NodeMut, Onward};
pub(super) use blanket::put_blanket;
use inferred::Inferred;
use made::{made_of, rename};
use nested::Nested;
use proc_macro2::TokenStream;
use quote::ToTokens;
pub(super) use substituted::substitute;

/// More of them have no end.
const MOST: usize = 64;

/// Nor have those of which each has come from a block of the one before, and holds one of its own struct.
const MOST_STEPS: usize = 3;

/// What such an item has: rustc does not see it.
pub(super) fn is_instance(attr: &syn::Attribute) -> bool {
    attr.path().is_ident("ad")
        && matches!(&attr.meta, syn::Meta::List(list) if list.tokens.to_string() == "instance")
}

/// What is put in the place of generic structs.
#[derive(Default)]
pub(super) struct Put {
    /// The names of the instances.
    pub(super) aliases: TokenStream,
    /// Instances of nested modules, with the items of these.
    pub(super) nested: Vec<(String, Vec<syn::Item>)>,
}

/// Puts instances behind the items of a module.
pub(super) fn put_into(items: &mut Vec<syn::Item>, cx: &Report) -> Put {
    let nested = Nested::of(items);
    let own = items.iter().filter_map(|item| match item {
        syn::Item::Struct(s) if is_open(s) => Some(s),
        _ => None,
    });
    let structs: Map<String, syn::ItemStruct> = (nested.structs.iter().chain(own))
        .map(|s| (s.ident.to_string(), s.clone()))
        .collect();
    if structs.is_empty() {
        return Put::default();
    }
    let blocks = items.iter().filter_map(|item| match item {
        syn::Item::Impl(block) if is_generic(item) && blanket::parameter(block).is_none() => {
            Some(block.clone())
        }
        _ => None,
    });
    let mut all = Instances {
        blocks: blocks.chain(nested.blocks.iter().cloned()).collect(),
        inferred: Inferred::of(items),
        nested,
        numeric: numeric::traits_among(items),
        structs,
        found: Vec::new(),
        own: Vec::new(),
        within: None,
        endless: None,
    };
    for s in &all.nested.structs {
        all.inferred.learn(&syn::Item::Struct(s.clone()));
    }
    let before = items.clone();
    // types that are written come before those that are inferred
    for item in items.iter().filter(|item| !is_generic(item)) {
        all.note(item);
    }
    for item in items.iter_mut().filter(|item| !is_generic(item)) {
        all.written(item);
    }
    // what is made before the only one of its struct is made again
    for _ in 0..2 {
        for item in items.iter_mut().filter(|item| !is_generic(item)) {
            all.bodies(item);
        }
    }
    let (mut done, mut added) = (0, Vec::new());
    while done < all.found.len() {
        let of = all.found[done].clone();
        done += 1;
        added.extend(all.items_of(&of));
    }
    if let Some(name) = all.endless {
        cx.error_about(name.span(), &error::ENDLESS_TYPES, name.to_string());
        *items = before;
        return Put::default();
    }
    items.extend(added);
    let (nested, own): (Vec<_>, Vec<_>) =
        (all.found.iter()).partition(|of| all.nested.has(&of.of.ident));
    let nested = nested.into_iter().filter_map(|of| {
        let inner = all.nested.ask_for(of, items)?;
        Some((of.name.to_string(), inner))
    });
    let nested = nested.collect();
    let aliases = own.into_iter().map(|of| {
        let (vis, name, ty) = (&of.of.vis, &of.name, of.ty());
        quote! {
            #[allow(non_camel_case_types, dead_code)]
            #[doc(hidden)]
            #vis type #name = #ty;
        }
    });
    Put {
        aliases: aliases.collect(),
        nested,
    }
}

/// Whether a struct is generic over types, and over nothing else.
fn is_open(s: &syn::ItemStruct) -> bool {
    let is_function = |p: &syn::TypeParam| p.bounds.to_token_stream().to_string().contains("Fn");
    !is_test(&s.attrs)
        && !is_derived(&s.attrs)
        && !s.generics.params.is_empty()
        && s.generics.params.len() == s.generics.type_params().count()
        && !s.generics.type_params().any(is_function)
}

/// A struct with types in the place of its parameters.
#[derive(Clone)]
struct Instance {
    of: syn::ItemStruct,
    types: Vec<syn::Type>,
    name: syn::Ident,
    /// How many others it has come from.
    steps: usize,
}

impl Instance {
    fn ty(&self) -> TokenStream {
        let (of, types) = (&self.of.ident, &self.types);
        quote!(#of<#(#types),*>)
    }
}

struct Instances {
    structs: Map<String, syn::ItemStruct>,
    /// The blocks that are generic over types.
    blocks: Vec<syn::ItemImpl>,
    inferred: Inferred,
    nested: Nested,
    /// Traits of `num_traits`, and those that have one above them.
    numeric: Set<String>,
    found: Vec<Instance>,
    /// Parameters of the item that is read.
    own: Vec<String>,
    /// The instance whose block is read.
    within: Option<syn::Ident>,
    /// A struct whose instances have no end.
    endless: Option<syn::Ident>,
}

impl Instances {
    /// Notes the instances that an item writes.
    fn note(&mut self, item: &syn::Item) {
        self.types_in(&mut item.clone());
    }

    fn types_in(&mut self, item: &mut syn::Item) {
        self.own = own_names(Node::Item(item));
        walk::change(NodeMut::Item(item), &mut |node| self.types(node));
    }

    /// The types that an item writes.
    fn written(&mut self, item: &mut syn::Item) {
        self.types_in(item);
        self.inferred.learn(item);
    }

    /// The types that its bodies do not write.
    fn bodies(&mut self, item: &mut syn::Item) {
        self.own = own_names(Node::Item(item));
        match item {
            syn::Item::Fn(f) => self.body(&f.sig, &mut f.block, None),
            syn::Item::Impl(block) => {
                let owner = block.self_ty.clone();
                for inner in &mut block.items {
                    if let syn::ImplItem::Fn(f) = inner {
                        self.body(&f.sig, &mut f.block, Some(&owner));
                    }
                }
            }
            _ => {}
        }
    }

    /// `Stack<Rbf, Linear>` and `Stack::<Rbf, Linear>::new` by the name of the instance.
    fn types(&mut self, node: NodeMut<'_>) -> Onward {
        let NodeMut::Path(path) = node else {
            return Onward::Into;
        };
        walk::change_below(NodeMut::Path(path), &mut |node| self.types(node));
        for segment in &mut path.segments {
            let types: Vec<syn::Type> = arguments(&segment.clone().into())
                .into_iter()
                .cloned()
                .collect();
            let name = (!types.is_empty())
                .then(|| self.instance(&segment.ident, types))
                .flatten();
            if let Some(mut name) = name {
                name.set_span(segment.ident.span());
                (segment.ident, segment.arguments) = (name, syn::PathArguments::None);
            }
        }
        Onward::Over
    }

    /// The name of the struct with these types, if they are known.
    fn instance(&mut self, of: &syn::Ident, types: Vec<syn::Type>) -> Option<syn::Ident> {
        let s = self.structs.get(&of.to_string())?;
        let is_known = types.len() == s.generics.params.len()
            && types.iter().all(|ty| is_concrete(ty, &self.own))
            && (!self.nested.has(of) || types.iter().all(nested::is_known_everywhere));
        if !is_known {
            return None;
        }
        let same = |found: &&Instance| found.of.ident == *of && found.types == types;
        if let Some(known) = self.found.iter().find(same) {
            return Some(known.name.clone());
        }
        let s = s.clone();
        let around = |found: &&Instance| self.within.as_ref() == Some(&found.name);
        let steps = self.found.iter().find(around).map_or(0, |i| i.steps + 1);
        let holds_itself = || {
            let mut own = self.found.iter().filter(|found| found.of.ident == *of);
            own.any(|own| types.iter().any(|ty| names(ty, &own.name)))
        };
        if self.found.len() == MOST || steps > MOST_STEPS && holds_itself() {
            self.endless.get_or_insert(s.ident.clone());
        }
        if self.endless.is_some() {
            return None;
        }
        let text = quote!(#of #(#types)*).to_string();
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
        let mut name = words.join("_");
        while self.found.iter().any(|found| found.name == name) || self.inferred.is_struct(&name) {
            name.push('_');
        }
        let name = syn::Ident::new(&name, of.span());
        self.found.push(Instance {
            of: s,
            types,
            name: name.clone(),
            steps,
        });
        self.learn(self.found.len() - 1);
        Some(name)
    }

    /// Notes what the methods of an instance return.
    fn learn(&mut self, k: usize) {
        let own = std::mem::take(&mut self.own);
        let around = self.within.replace(self.found[k].name.clone());
        let whole: syn::Type = syn::parse2(self.found[k].ty()).expect("a type");
        for mut block in self.blocks.clone() {
            for inner in &mut block.items {
                if let syn::ImplItem::Fn(f) = inner {
                    f.block.stmts.clear();
                }
            }
            if let Some(mut block) = self.of_instance(block, &whole) {
                self.written(&mut block);
            }
        }
        (self.own, self.within) = (own, around);
    }

    /// A block with the types of an instance.
    fn of_instance(&self, mut block: syn::ItemImpl, whole: &syn::Type) -> Option<syn::Item> {
        let known = self.matched(&block, whole)?;
        let generics = std::mem::take(&mut block.generics);
        let mark = |_: &_, body: &mut _| numeric::mark(&generics, &self.numeric, body);
        numeric::in_bodies(&mut block, mark);
        block.generics = lifetimes_of(&generics);
        block.attrs.push(parse_quote!(#[ad(instance)]));
        let mut block = syn::Item::Impl(block);
        substitute(&known, &mut block);
        numeric::put_in_bodies(&mut block);
        Some(block)
    }

    /// The struct and its blocks.
    fn items_of(&mut self, of: &Instance) -> Vec<syn::Item> {
        let names = of.of.generics.type_params().map(|p| p.ident.to_string());
        let known = names.zip(of.types.iter().cloned()).collect();
        let mut s = of.of.clone();
        s.ident = of.name.clone();
        s.attrs.push(parse_quote!(#[ad(instance)]));
        s.generics = syn::Generics::default();
        let mut s = syn::Item::Struct(s);
        substitute(&known, &mut s);
        self.written(&mut s);
        if self.nested.has(&of.of.ident) {
            return Vec::new();
        }
        let mut all = vec![s];
        let whole: syn::Type = syn::parse2(of.ty()).expect("a type");
        for block in self.blocks.clone() {
            let Some(mut block) = self.of_instance(block, &whole) else {
                continue;
            };
            self.within = Some(of.name.clone());
            self.written(&mut block);
            self.bodies(&mut block);
            self.within = None;
            all.push(block);
        }
        all
    }

    /// What the parameters of a block are for an instance, if it is one for it.
    fn matched(&self, block: &syn::ItemImpl, whole: &syn::Type) -> Option<Map<String, syn::Type>> {
        let params = block.generics.type_params();
        let params: Vec<String> = params.map(|p| p.ident.to_string()).collect();
        // a block is one of its own type, and if that is none of these structs, of the one that its trait names
        let of_trait = block.trait_.as_ref().map(|(_, path, _)| arguments(path));
        let is_ours = |ty: &&syn::Type| {
            head_of(ty).is_some_and(|name| self.structs.contains_key(&name.to_string()))
        };
        let own = &*block.self_ty;
        let ty = std::iter::once(own)
            .chain(of_trait.into_iter().flatten())
            .find(is_ours)
            .unwrap_or(own);
        let mut known = Map::new();
        if !inferred::unify(ty, whole, &params, &mut known) {
            return None;
        }
        let is_whole = params.iter().all(|p| known.contains_key(p));
        let fits = block.generics.type_params().all(|p| {
            let bounds = self.inferred.bounds(p, &block.generics);
            known
                .get(&p.ident.to_string())
                .is_some_and(|ty| bounds.iter().all(|of| self.inferred.has(ty, of)))
        });
        (is_whole && fits).then_some(known)
    }

    fn body(&mut self, sig: &syn::Signature, block: &mut syn::Block, owner: Option<&syn::Type>) {
        self.inferred.enter(sig, owner);
        if let syn::ReturnType::Type(_, ty) = &sig.output {
            self.expected_in(block, ty);
        }
        walk::change(NodeMut::Block(block), &mut |node| self.node(node, sig));
    }

    fn node(&mut self, node: NodeMut<'_>, sig: &syn::Signature) -> Onward {
        match node {
            NodeMut::Block(block) => {
                for k in 0..block.stmts.len() {
                    let (before, rest) = block.stmts.split_at_mut(k + 1);
                    if let syn::Stmt::Local(local) = &mut before[k] {
                        self.note_uses(local, rest);
                    }
                    walk::change(NodeMut::Stmt(&mut before[k]), &mut |node| {
                        self.node(node, sig)
                    });
                }
                Onward::Over
            }
            NodeMut::Stmt(stmt) => {
                if let syn::Stmt::Local(local) = stmt {
                    if let (syn::Pat::Type(p), Some(init)) = (&local.pat, &mut local.init) {
                        self.expected(&mut init.expr, &p.ty);
                    }
                    walk::change_below(NodeMut::Stmt(stmt), &mut |node| self.node(node, sig));
                    if let syn::Stmt::Local(local) = stmt {
                        let ty = local
                            .init
                            .as_ref()
                            .and_then(|init| self.inferred.ty(&init.expr));
                        self.pattern(&mut local.pat, ty.as_ref());
                        self.inferred.bind(local);
                    }
                    return Onward::Over;
                }
                Onward::Into
            }
            NodeMut::Macro(mac) => {
                walk::change_arguments(mac, &mut |node| self.node(node, sig));
                Onward::Over
            }
            NodeMut::Expr(e) => {
                if let (syn::Expr::Return(r), syn::ReturnType::Type(_, ty)) = (&mut *e, &sig.output)
                    && let Some(value) = &mut r.expr
                {
                    self.expected(value, ty);
                }
                self.handed(e);
                walk::change_below(NodeMut::Expr(e), &mut |node| self.node(node, sig));
                self.made(e);
                Onward::Over
            }
            NodeMut::Pat(pat) => {
                self.pattern(pat, None);
                Onward::Into
            }
            NodeMut::Item(_) => Onward::Over,
            _ => Onward::Into,
        }
    }

    /// `Pair(a, b)` of a value of this type.
    fn pattern(&mut self, pat: &mut syn::Pat, ty: Option<&syn::Type>) {
        let path = match &*pat {
            syn::Pat::TupleStruct(p) => &p.path,
            syn::Pat::Struct(p) => &p.path,
            _ => return,
        };
        let Some(of) = path.get_ident().cloned() else {
            return;
        };
        let named = ty.and_then(inferred::name_of);
        let named = self.found.iter().find(|found| {
            found.of.ident == of && named.as_deref() == Some(&found.name.to_string())
        });
        let Some(mut name) = named
            .map(|found| found.name.clone())
            .or_else(|| self.around(&of, &[]))
        else {
            return;
        };
        name.set_span(of.span());
        match pat {
            syn::Pat::Struct(p) => p.path = name.into(),
            syn::Pat::TupleStruct(p) => {
                let parts = p.elems.iter().enumerate().map(|(k, part)| match part {
                    syn::Pat::Rest(_) => quote!(..),
                    part => {
                        let k = syn::Index::from(k);
                        quote!(#k: #part)
                    }
                });
                *pat = parse_quote!(#name { #(#parts),* });
            }
            _ => {}
        }
    }

    /// The instance around, or the only one, of these types as far as they are known.
    fn around(&self, of: &syn::Ident, known: &[Option<syn::Type>]) -> Option<syn::Ident> {
        let same = || {
            self.found.iter().filter(|found| {
                let mut types = found.types.iter().zip(known);
                found.of.ident == *of
                    && types.all(|(ty, known)| inferred::may_be(ty, known.as_ref()))
            })
        };
        let around = same().find(|found| self.within.as_ref() == Some(&found.name));
        let only = || same().next().filter(|_| same().nth(1).is_none());
        around.or_else(only).map(|found| found.name.clone())
    }

    /// Says what a value is where its type is known.
    fn expected(&mut self, e: &mut syn::Expr, ty: &syn::Type) {
        let Some(name) = inferred::name_of(ty) else {
            return;
        };
        match e {
            syn::Expr::Block(b) => self.expected_in(&mut b.block, ty),
            syn::Expr::Paren(p) => self.expected(&mut p.expr, ty),
            syn::Expr::Reference(r) => self.expected(&mut r.expr, ty),
            syn::Expr::Binary(b) if inferred::is_sum(&b.op) => {
                self.expected(&mut b.left, ty);
                self.expected(&mut b.right, ty);
            }
            syn::Expr::If(i) => {
                self.expected_in(&mut i.then_branch, ty);
                if let Some((_, other)) = &mut i.else_branch {
                    self.expected(other, ty);
                }
            }
            syn::Expr::Match(m) => {
                for arm in &mut m.arms {
                    self.expected(&mut arm.body, ty);
                }
            }
            e => {
                let found = self.found.iter().find(|found| found.name == name);
                if let (Some(found), Some(of)) = (found.cloned(), made_of(e))
                    && found.of.ident == of
                {
                    rename(e, &found.name);
                }
            }
        }
    }

    fn expected_in(&mut self, block: &mut syn::Block, ty: &syn::Type) {
        if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last_mut() {
            self.expected(last, ty);
        }
    }

    /// `Stack { a, b }`, `Stack(a, b)`, `Stack::new(a, b)`: by what is put into it, else the instance around, or the only
    /// one.
    fn made(&mut self, e: &mut syn::Expr) {
        let Some(of) = made_of(e) else { return };
        let Some(s) = self.structs.get(&of.to_string()).cloned() else {
            return;
        };
        let types = self.inferred.types_of(e, &s, &self.blocks);
        let all = types.as_ref().and_then(|types| inferred::all_known(types));
        let named = all.and_then(|types| self.instance(&s.ident, types));
        if let Some(name) = named.or_else(|| self.around(&of, &types.unwrap_or_default())) {
            rename(e, &name);
        }
    }
}

/// Whether an item is read for each instance alone.
fn is_generic(item: &syn::Item) -> bool {
    match item {
        syn::Item::Struct(s) => s.generics.type_params().next().is_some(),
        syn::Item::Impl(block) => block.generics.type_params().next().is_some(),
        syn::Item::Mod(_) | syn::Item::Trait(_) | syn::Item::Enum(_) | syn::Item::Macro(_) => true,
        _ => false,
    }
}

fn names(ty: &syn::Type, name: &syn::Ident) -> bool {
    walk::has_path_from(Node::Type(ty), &mut |first| first == name)
}

/// The name of a type without its arguments.
fn head_of(ty: &syn::Type) -> Option<&syn::Ident> {
    match ungroup(ty) {
        syn::Type::Reference(r) => head_of(&r.elem),
        syn::Type::Path(p) => Some(&p.path.segments.last()?.ident),
        _ => None,
    }
}

/// Whether a type names none of these, and is written.
fn is_concrete(ty: &syn::Type, own: &[String]) -> bool {
    !walk::any(Node::Type(ty), &mut |node| match node {
        Node::Type(
            syn::Type::Infer(_)
            | syn::Type::ImplTrait(_)
            | syn::Type::TraitObject(_)
            | syn::Type::Reference(_),
        )
        | Node::Lifetime(_) => true,
        Node::Path(path) => {
            let first = path.segments.first();
            first.is_some_and(|s| s.ident == "Self" || own.iter().any(|name| s.ident == name))
        }
        _ => false,
    })
}

/// Parameters of a block that are no types.
fn lifetimes_of(generics: &syn::Generics) -> syn::Generics {
    let others = generics.params.iter();
    let others = others.filter(|p| !matches!(p, syn::GenericParam::Type(_)));
    syn::Generics {
        params: others.cloned().collect(),
        ..syn::Generics::default()
    }
}
