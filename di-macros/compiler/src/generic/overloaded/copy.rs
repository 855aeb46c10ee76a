//! The copy: items in which floats are active numbers. Types, literals, casts and the paths of std's constants change;
//! everything else is as it is written.

use super::known::Known;
use super::{imports, statics};
use crate::expand::{conditions, is_test};
use crate::options::{self, Options};
use crate::sorted::Set;
use crate::template::{parse_quote, quote};
use crate::tokens;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;

/// What expressions are in the copy.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// Code that runs, on active numbers.
    Run,
    /// A constant of another type than floats, whose parts are active.
    Table,
    /// A constant that rustc evaluates on floats.
    Plain,
}

pub(super) struct Copier {
    pub(super) rt: TokenStream,
    pub(super) float: Ident,
    pub(super) known: Known,
    pub(super) mode: Mode,
    /// Modules around the item, from the copied one in.
    pub(super) depth: usize,
    /// Are its items in the module itself, where the copied one is `super`?
    in_module: bool,
}

/// Derives of crates that know no active numbers.
const LEFT_OUT: [&str; 7] = [
    "Serialize",
    "Deserialize",
    "JsonSchema",
    "Pod",
    "Zeroable",
    "Parser",
    "Differentiable",
];

/// Traits of keys of maps: what they return of the bits of a number decides, and is no part of a result.
const OF_KEYS: [&str; 4] = ["Hash", "Ord", "PartialEq", "PartialOrd"];

/// Attributes that have no meaning in a copy.
const DROPPED: [&str; 24] = [
    "differentiable",
    "overloaded",
    "generic",
    "ad",
    "constant",
    "cache",
    "inout",
    "active_scalar",
    "serde",
    "schemars",
    "arg",
    "command",
    "clap",
    "no_mangle",
    "export_name",
    "macro_export",
    "test",
    "bench",
    "deny",
    "forbid",
    "warn",
    "expect",
    "deprecated",
    "doc",
];

impl Copier {
    pub(super) fn new(items: &[syn::Item], float: &Ident, options: &Options) -> Copier {
        let krate = options.krate();
        Copier {
            rt: quote!(#krate::__private),
            float: float.clone(),
            known: Known::of(items, float),
            mode: Mode::Run,
            depth: 0,
            in_module: false,
        }
    }

    /// The import by which the float's name is that of the active type.
    pub(super) fn number(&self) -> TokenStream {
        let (rt, float) = (&self.rt, &self.float);
        quote!(use #rt::overloaded::#float::Number as #float;)
    }

    /// An item of the copied module.
    pub(super) fn item_of_module(&mut self, item: syn::Item) -> TokenStream {
        self.in_module = true;
        let item = self.item(item);
        self.in_module = false;
        item
    }

    pub(super) fn item(&mut self, mut item: syn::Item) -> TokenStream {
        let outside = std::mem::replace(&mut self.mode, Mode::Run);
        let is_of_module = std::mem::take(&mut self.in_module);
        if is_of_module {
            show(&mut item);
        }
        let copied = match &mut item {
            syn::Item::Const(c) => self.constant_item(c, is_of_module),
            syn::Item::Static(s)
                if is_of_module
                    && statics::is_shared(s, |ty| {
                        self.has_floats(ty) || self.known.names_type(ty)
                    }) =>
            {
                let (cfgs, vis, name) = (conditions(&s.attrs), &s.vis, &s.ident);
                quote!(#(#cfgs)* #vis use super::#name;)
            }
            syn::Item::Static(s) => {
                retain(&mut s.attrs);
                self.initialize(&mut s.ty, &mut s.expr);
                item.into_token_stream()
            }
            syn::Item::Use(u) => {
                retain_uses(&mut u.attrs);
                imports::split(u, self.depth, (&self.rt, &self.float))
            }
            syn::Item::Macro(m) => {
                retain(&mut m.attrs);
                m.mac.tokens = self.tokens(m.mac.tokens.clone());
                item.into_token_stream()
            }
            syn::Item::Mod(m) => self.inner_module(m),
            syn::Item::Fn(f) if is_test(&f.attrs) || f.attrs.iter().any(options::is_skip) => {
                TokenStream::new()
            }
            syn::Item::Fn(f) => {
                options::strip_marks(f);
                retain(&mut f.attrs);
                self.function(&mut f.sig, &mut f.block);
                item.into_token_stream()
            }
            syn::Item::Impl(block) if is_test(&block.attrs) => TokenStream::new(),
            syn::Item::Impl(block) => {
                if self.is_of_other_float(&block.self_ty) {
                    self.mode = Mode::Plain;
                }
                retain(&mut block.attrs);
                self.block(block);
                item.into_token_stream()
            }
            syn::Item::Trait(t) => {
                retain(&mut t.attrs);
                self.declared(t);
                item.into_token_stream()
            }
            syn::Item::Enum(e) => {
                let casts = self.casts_of(e);
                for variant in &mut e.variants {
                    retain(&mut variant.attrs);
                    self.fields(&mut variant.fields);
                }
                self.generics(&mut e.generics);
                self.derives(&mut e.attrs, &e.variants.to_token_stream());
                quote!(#item #casts)
            }
            syn::Item::Struct(s) => {
                self.derives(&mut s.attrs, &s.fields.to_token_stream());
                self.fields(&mut s.fields);
                self.generics(&mut s.generics);
                item.into_token_stream()
            }
            syn::Item::Type(t) => {
                retain(&mut t.attrs);
                self.change(NodeMut::Type(&mut t.ty));
                item.into_token_stream()
            }
            _ => item.into_token_stream(),
        };
        self.mode = outside;
        copied
    }

    fn inner_module(&mut self, module: &mut syn::ItemMod) -> TokenStream {
        let Some((_, items)) = module.content.take() else {
            return TokenStream::new();
        };
        if is_test(&module.attrs) {
            return TokenStream::new();
        }
        retain(&mut module.attrs);
        self.depth += 1;
        let items: TokenStream = items.into_iter().map(|item| self.item(item)).collect();
        self.depth -= 1;
        let (attrs, vis, name) = (&module.attrs, &module.vis, &module.ident);
        let number = self.number();
        quote!(#(#attrs)* #vis mod #name { #number #items })
    }

    fn function(&mut self, sig: &mut syn::Signature, block: &mut syn::Block) {
        if sig.constness.is_some() {
            if !self.has_floats(&quote!(#sig #block)) {
                // what constants call stays what it is
                return;
            }
            if computes(block) {
                sig.constness = None;
            }
        }
        self.change(NodeMut::Signature(sig));
        self.change(NodeMut::Block(block));
    }

    /// Whether a type is the float that is not differentiated.
    fn is_of_other_float(&self, ty: &syn::Type) -> bool {
        let other = if self.float == "f64" { "f32" } else { "f64" };
        matches!(ty, syn::Type::Path(p) if p.path.is_ident(other))
    }

    fn block(&mut self, block: &mut syn::ItemImpl) {
        self.generics(&mut block.generics);
        let mut is_of_keys = false;
        if let Some((_, path, _)) = &mut block.trait_ {
            let last = path.segments.last();
            is_of_keys = last.is_some_and(|last| OF_KEYS.iter().any(|name| last.ident == name));
            self.change(NodeMut::Path(path));
        }
        self.change(NodeMut::Type(&mut block.self_ty));
        for inner in &mut block.items {
            match inner {
                syn::ImplItem::Const(c) => {
                    retain(&mut c.attrs);
                    self.initialize(&mut c.ty, &mut c.expr);
                }
                syn::ImplItem::Fn(f) => {
                    retain(&mut f.attrs);
                    for input in &mut f.sig.inputs {
                        if let syn::FnArg::Typed(p) = input {
                            retain(&mut p.attrs);
                        }
                    }
                    self.function(&mut f.sig, &mut f.block);
                    if is_of_keys {
                        self.with_bits(&mut f.block);
                    }
                }
                syn::ImplItem::Type(t) => self.change(NodeMut::Type(&mut t.ty)),
                syn::ImplItem::Macro(m) => m.mac.tokens = self.tokens(m.mac.tokens.clone()),
                _ => {}
            }
        }
    }

    // self.0.to_bits()   =>   bits(&self.0)
    /// Keys are compared and hashed by the bits of their numbers.
    fn with_bits(&self, block: &mut syn::Block) {
        let rt = &self.rt;
        walk::change(NodeMut::Block(block), &mut |node| {
            if let NodeMut::Expr(e) = node
                && let syn::Expr::MethodCall(m) = e
                && m.method == "to_bits"
                && m.args.is_empty()
            {
                let (of, span) = (&m.receiver, m.method.span());
                *e = syn::parse_quote_spanned!(span=> #rt::overloaded::bits(&#of));
            }
            Onward::Into
        });
    }

    fn declared(&mut self, of: &mut syn::ItemTrait) {
        self.generics(&mut of.generics);
        for bound in &mut of.supertraits {
            if let syn::TypeParamBound::Trait(bound) = bound {
                self.change(NodeMut::Path(&mut bound.path));
            }
        }
        for inner in &mut of.items {
            match inner {
                syn::TraitItem::Const(c) => match &mut c.default {
                    Some((_, value)) => self.initialize(&mut c.ty, value),
                    None => self.change(NodeMut::Type(&mut c.ty)),
                },
                syn::TraitItem::Fn(f) => match &mut f.default {
                    Some(block) => self.function(&mut f.sig, block),
                    None => self.change(NodeMut::Signature(&mut f.sig)),
                },
                syn::TraitItem::Macro(m) => m.mac.tokens = self.tokens(m.mac.tokens.clone()),
                _ => {}
            }
        }
    }

    fn fields(&mut self, fields: &mut syn::Fields) {
        for field in fields {
            retain(&mut field.attrs);
            self.change(NodeMut::Type(&mut field.ty));
        }
    }

    fn generics(&mut self, generics: &mut syn::Generics) {
        for param in generics.type_params_mut() {
            if let Some(default) = &mut param.default {
                self.change(NodeMut::Type(default));
            }
            param.bounds.iter_mut().for_each(|bound| self.bound(bound));
        }
        for predicate in generics
            .where_clause
            .iter_mut()
            .flat_map(|w| &mut w.predicates)
        {
            if let syn::WherePredicate::Type(p) = predicate {
                self.change(NodeMut::Type(&mut p.bounded_ty));
                p.bounds.iter_mut().for_each(|bound| self.bound(bound));
            }
        }
    }

    fn bound(&mut self, bound: &mut syn::TypeParamBound) {
        if let syn::TypeParamBound::Trait(bound) = bound {
            self.change(NodeMut::Path(&mut bound.path));
        }
    }

    /// Leaves out derives that know no active numbers, of a type that has some.
    fn derives(&self, attrs: &mut Vec<syn::Attribute>, fields: &TokenStream) {
        let is_plain = !self.has_floats(fields) && !self.known.names_type(fields);
        attrs.retain_mut(|attr| {
            if !attr.path().is_ident("derive") {
                return is_plain || is_kept(attr);
            }
            let paths = attr.parse_args_with(
                syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated,
            );
            let Ok(paths) = paths else { return true };
            let kept = paths.iter().filter(|path| {
                let last = path.segments.last().map(|s| s.ident.to_string());
                !last.is_some_and(|last| {
                    last == "Differentiable" || !is_plain && LEFT_OUT.contains(&&*last)
                })
            });
            *attr = parse_quote!(#[derive(#(#kept),*)]);
            true
        });
        attrs.retain(|attr| !attr.path().is_ident("ad"));
    }

    /// What `as` does with an enum of no fields.
    fn casts_of(&self, e: &syn::ItemEnum) -> TokenStream {
        let (rt, name) = (&self.rt, &e.ident);
        let is_number = e.variants.iter().all(|v| v.fields.is_empty())
            && !e.variants.is_empty()
            && e.generics.params.is_empty();
        if !is_number {
            return TokenStream::new();
        }
        quote!(#rt::castable!(#name);)
    }

    pub(super) fn has_floats(&self, code: &TokenStream) -> bool {
        tokens::any(code.clone(), &mut |t| match t {
            TokenTree::Ident(i) => self.known.is_of_floats(&i.to_string()),
            TokenTree::Literal(l) => self.is_float(&syn::Lit::new(l.clone())),
            _ => false,
        })
    }

    /// A literal of the float.
    pub(super) fn is_float(&self, lit: &syn::Lit) -> bool {
        let suffix = match lit {
            syn::Lit::Float(f) => f.suffix(),
            syn::Lit::Int(i) if !i.suffix().is_empty() => i.suffix(),
            _ => return false,
        };
        self.float == suffix || suffix.is_empty()
    }

    pub(super) fn literal(&self, lit: &syn::Lit) -> TokenStream {
        self.lifted(&lit.to_token_stream())
    }

    /// A float that is known as a number of the copy.
    pub(super) fn lifted(&self, value: &TokenStream) -> TokenStream {
        let (rt, float) = (&self.rt, &self.float);
        let span = value.span();
        quote_spanned!(span=> #rt::overloaded::Active::<::core::primitive::#float>::constant(#value))
    }

    pub(super) fn change(&mut self, node: NodeMut<'_>) {
        walk::change(node, &mut |node| self.enter(node));
    }

    pub(super) fn change_below(&mut self, node: NodeMut<'_>) {
        walk::change_below(node, &mut |node| self.enter(node));
    }

    pub(super) fn enter(&mut self, node: NodeMut<'_>) -> Onward {
        match node {
            NodeMut::Expr(e) => {
                self.expr(e);
                Onward::Over
            }
            NodeMut::Item(item) => {
                *item = syn::Item::Verbatim(self.item(item.clone()));
                Onward::Over
            }
            NodeMut::Type(ty) => self.ty(ty),
            NodeMut::Path(path) => {
                self.path(path);
                Onward::Into
            }
            NodeMut::Macro(mac) => {
                self.mac(mac);
                Onward::Over
            }
            NodeMut::Pat(syn::Pat::Lit(_) | syn::Pat::Range(_) | syn::Pat::Const(_)) => {
                Onward::Over
            }
            NodeMut::Attributes(attrs) => {
                retain(attrs);
                Onward::Over
            }
            _ => Onward::Into,
        }
    }

    /// The float's name is that of the active type, but where rustc evaluates constants.
    fn ty(&mut self, ty: &mut syn::Type) -> Onward {
        match ty {
            syn::Type::Path(p)
                if self.mode == Mode::Plain
                    && p.qself.is_none()
                    && self.known.is_scalar(&p.path) =>
            {
                let float = &self.float;
                p.path = parse_quote!(::core::primitive::#float);
                Onward::Over
            }
            syn::Type::Array(a) => {
                self.change(NodeMut::Type(&mut a.elem));
                Onward::Over
            }
            _ => Onward::Into,
        }
    }

    fn path(&self, path: &mut syn::Path) {
        imports::deepen(path, self.depth);
        let (rt, float) = (&self.rt, &self.float);
        let mut names = path.segments.iter().map(|s| s.ident.to_string());
        let (first, second, third) = (names.next(), names.next(), names.next());
        let is = |name: &Option<String>, wanted: &str| name.as_ref().is_some_and(|n| n == wanted);
        let name = float.to_string();
        let of_std = is(&first, "std") || is(&first, "core");
        let skipped = if of_std && is(&second, &name) && third.is_some() {
            1
        } else if is(&first, &name) && (is(&second, "consts") || self.mode == Mode::Plain) {
            0
        } else {
            return;
        };
        let rest = path.segments.iter().skip(skipped);
        *path = match self.mode {
            Mode::Run | Mode::Table => parse_quote!(#rt::overloaded #(::#rest)*),
            Mode::Plain if is(&second, "consts") => parse_quote!(::core #(::#rest)*),
            Mode::Plain if skipped == 0 => parse_quote!(::core::primitive #(::#rest)*),
            Mode::Plain => return,
        };
    }
}

/// Whether the body of a constant function, or a constant block, does more than put its parameters somewhere.
pub(super) fn computes(block: &syn::Block) -> bool {
    walk::read(walk::Node::Block(block), &mut |node| match node {
        walk::Node::Expr(
            syn::Expr::Binary(_)
            | syn::Expr::Unary(_)
            | syn::Expr::Cast(_)
            | syn::Expr::MethodCall(_),
        ) => Onward::Found,
        _ => Onward::Into,
    })
}

/// Shows an item of the copy to the module, whose handles use it.
fn show(item: &mut syn::Item) {
    let vis = match item {
        syn::Item::Fn(f) => &mut f.vis,
        syn::Item::Struct(s) => &mut s.vis,
        syn::Item::Enum(e) => &mut e.vis,
        syn::Item::Union(u) => &mut u.vis,
        syn::Item::Type(t) => &mut t.vis,
        _ => return,
    };
    if matches!(vis, syn::Visibility::Inherited) {
        *vis = parse_quote!(pub(super));
    }
}

fn is_kept(attr: &syn::Attribute) -> bool {
    !options::is_named(attr, &DROPPED)
}

fn retain(attrs: &mut Vec<syn::Attribute>) {
    attrs.retain(is_kept);
}

/// The same for imports, whose own mark says what they are of.
fn retain_uses(attrs: &mut Vec<syn::Attribute>) {
    attrs.retain(|a| imports::is_of_copies(a) || is_kept(a));
}

/// The names of generic parameters, which are no constants.
pub(super) fn generic_constants(generics: &syn::Generics, into: &mut Set<String>) {
    into.extend(generics.const_params().map(|p| p.ident.to_string()));
}
