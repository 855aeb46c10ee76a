//! What an expression becomes by the type that is expected where it stands: `x.into()`, `text.parse()?`, and
//! chains that are collected or summed into options and results.

use super::Reader;
use super::callee::owner_of;
use super::components::Input;
use super::expr::{strip, unraw};
use super::looped::Sum;
use super::memory::is_default;
use super::option::variant_of;
use crate::ir::Tokens;
use crate::lower::environment::Environment;
use crate::lower::hir::Expr;
use crate::lower::ty::{Ty, Unifier};
use crate::lower::types::{self, is_integer_name};
use crate::lower::{code, data};
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::Span;
use quote::ToTokens;
use syn::parse_quote_spanned;
use syn::spanned::Spanned;

/// Methods whose result is of the type that is expected.
const BY_TYPE: [&str; 5] = ["collect", "into", "parse", "product", "sum"];

impl Reader<'_> {
    /// An expression that goes to a place of this type.
    pub(super) fn expr_for(&mut self, e: &syn::Expr, place: &Ty) -> Expr {
        match self.as_expected(e, place) {
            Some(written) => self.expr(&written),
            None => self.expr(e),
        }
    }

    /// The value that is assigned to a place.
    pub(super) fn assigned_value(&mut self, a: &syn::ExprAssign) -> Expr {
        let of_place = self
            .has_any(Node::Expr(&a.right))
            .then(|| self.place_type(&a.left));
        match of_place.flatten() {
            Some(place) => self.expr_for(&a.right, &place),
            None => self.expr(&a.right),
        }
    }

    /// An argument as code, if what takes it makes it another.
    pub(super) fn as_taken_by(&mut self, arg: &syn::Expr, input: &Input) -> Option<syn::Expr> {
        let owned = match input.constant {
            true => None,
            false => self.owned_tuples(arg, &input.ty),
        };
        owned.or_else(|| self.as_expected_by(arg, &input.ty))
    }

    /// The same as code, of a place whose type is written.
    pub(super) fn as_expected_by(&mut self, e: &syn::Expr, place: &syn::Type) -> Option<syn::Expr> {
        if !self.has_any(Node::Expr(e)) {
            return None;
        }
        let place = self.env.expanded(place);
        let known = types::read_local(&place, self.float, &mut self.types);
        let place = known.or_else(|| data::text(&place))?;
        self.as_expected(e, &place)
    }

    /// The types of what a call by this path takes: a function, one that belongs to a type, or a tuple struct.
    pub(super) fn taken_by(&self, path: &syn::Path, count: usize) -> Vec<Input> {
        let text = path.to_token_stream().to_string();
        if let Some(known) = self.env.function(&text) {
            return self.inputs_of(&known).0;
        }
        let fields = (0..count).map(|k| {
            let ty = self.env.field(&text, &k.to_string())?;
            // a field is made of it as it is
            let constant = true;
            Some(Input { ty, constant })
        });
        if let Some(fields) = fields.collect::<Option<Vec<_>>>() {
            return fields;
        }
        let owned = owner_of(path);
        owned.map_or_else(Vec::new, |(owner, called)| {
            self.taken_by_method(&Tokens(owner.to_token_stream()), &unraw(&called.name))
        })
    }

    pub(super) fn taken_by_method(&self, owner: &Tokens, name: &str) -> Vec<Input> {
        let own = self.env.methods.get(owner, name, self.env).cloned();
        let known = own.or_else(|| self.env.method(&owner.0.to_string(), name));
        known.map_or_else(Vec::new, |method| {
            let inputs = method.inputs.into_iter().zip(method.constants);
            (inputs.map(|(ty, constant)| Input { ty, constant })).collect()
        })
    }

    /// The same as code, if that is another.
    pub(super) fn as_expected(&self, e: &syn::Expr, place: &Ty) -> Option<syn::Expr> {
        if !self.has_any(Node::Expr(e)) {
            return None;
        }
        let mut written = e.clone();
        self.expectation().put(&mut written, place);
        Some(written)
    }

    /// The same of a block that ends with its value.
    pub(super) fn expect_of_block(&self, block: &mut syn::Block, place: &Ty) {
        if self.has_any(Node::Block(block)) {
            self.expectation().put_block(block, place);
        }
    }

    fn has_any(&self, node: Node<'_>) -> bool {
        !self.env.boxed().is_empty() || has_any(node)
    }

    fn expectation(&self) -> Expectation<'_> {
        Expectation {
            env: self.env,
            types: &self.types,
            float: self.float,
            scalar: self.scalar,
        }
    }
}

/// What is in `vec![..]`.
type Elements = syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>;

struct Expectation<'a> {
    env: &'a Environment,
    types: &'a Unifier,
    float: &'a str,
    /// Whether floats are of a type parameter.
    scalar: bool,
}

impl Expectation<'_> {
    fn put_block(&self, block: &mut syn::Block, place: &Ty) {
        if let Some(syn::Stmt::Expr(e, None)) = block.stmts.last_mut() {
            self.put(e, place);
        }
    }

    fn put(&self, e: &mut syn::Expr, place: &Ty) {
        match (e, self.types.shallow(place)) {
            (syn::Expr::Paren(p), place) => self.put(&mut p.expr, &place),
            (syn::Expr::Group(g), place) => self.put(&mut g.expr, &place),
            (syn::Expr::Block(b), place) => self.put_block(&mut b.block, &place),
            (syn::Expr::If(i), place) => {
                self.put_block(&mut i.then_branch, &place);
                if let Some((_, els)) = &mut i.else_branch {
                    self.put(els, &place);
                }
            }
            (syn::Expr::Match(m), place) => {
                for arm in &mut m.arms {
                    self.put(&mut arm.body, &place);
                }
            }
            (syn::Expr::Reference(r), Ty::Ref(_, of)) => self.put(&mut r.expr, &of),
            (syn::Expr::Tuple(t), Ty::Tuple(parts)) => {
                for (e, part) in t.elems.iter_mut().zip(&parts) {
                    self.put(e, part);
                }
            }
            (e @ syn::Expr::Reference(_), Ty::Struct(path)) if self.is_of_objects(&path) => {
                if let syn::Expr::Reference(r) = &*e {
                    let of = &r.expr;
                    *e = parse_quote!(::std::boxed::Box::new(#of));
                }
            }
            (syn::Expr::Array(a), Ty::Array(of, _) | Ty::Slice(of)) => {
                a.elems.iter_mut().for_each(|e| self.put(e, &of));
            }
            (e @ syn::Expr::Call(_), place) if is_default(e) => {
                if let Some(written) = self.default_of(&place, e.span()) {
                    *e = written;
                }
            }
            (syn::Expr::Call(c), Ty::Sum(payloads)) => {
                let variant = match strip(&c.func) {
                    syn::Expr::Path(p) => variant_of(&p.path),
                    _ => None,
                };
                if let (Some(variant), Some(of)) = (variant, c.args.first_mut())
                    && let Some(payload) = payloads.get(variant.payload())
                {
                    self.put(of, payload);
                }
            }
            (syn::Expr::Macro(list), Ty::Vec(of)) if list.mac.path.is_ident("vec") => {
                if let Ok(mut elems) = list.mac.parse_body_with(Elements::parse_terminated) {
                    elems.iter_mut().for_each(|e| self.put(e, &of));
                    list.mac.tokens = elems.into_token_stream();
                }
            }
            (syn::Expr::Try(of), place) => self.put_parsed(&mut of.expr, &place),
            (syn::Expr::MethodCall(m), place) if m.method == "unwrap" || m.method == "expect" => {
                self.put_parsed(&mut m.receiver, &place);
            }
            (e @ syn::Expr::MethodCall(_), place) => self.put_method(e, &place),
            _ => {}
        }
    }

    /// What `Default::default()` is of this type.
    fn default_of(&self, ty: &Ty, at: Span) -> Option<syn::Expr> {
        Some(match self.types.shallow(ty) {
            Ty::Float if !self.scalar => parse_quote_spanned!(at=> 0.0),
            Ty::Bool => parse_quote_spanned!(at=> false),
            Ty::Int(name) if is_integer_name(&name) => {
                let of = syn::Ident::new(&name, at);
                parse_quote_spanned!(at=> #of::default())
            }
            Ty::Vec(_) => parse_quote_spanned!(at=> ::std::vec::Vec::new()),
            Ty::Sum(payloads) if payloads.len() == 1 => parse_quote_spanned!(at=> None),
            Ty::Array(of, n) => {
                let (of, n) = (self.default_of(&of, at)?, n.0);
                parse_quote_spanned!(at=> [#of; #n])
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|of| self.default_of(of, at));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                parse_quote_spanned!(at=> (#(#parts),*))
            }
            Ty::Struct(path) => {
                let of = syn::parse2::<syn::Path>(path.0).ok()?;
                parse_quote_spanned!(at=> #of::default())
            }
            Ty::Opaque(of) if of == Tokens(code::text_type(true)) => {
                parse_quote_spanned!(at=> ::std::string::String::from(""))
            }
            _ => return None,
        })
    }

    /// Whether a struct is made of an iterator by its method of this name.
    fn is_made_by(&self, path: &Tokens, name: &str) -> bool {
        let of = self.env.of(&path.0.to_string());
        let name = if name == "collect" { "from_iter" } else { name };
        self.env.any_higher(&format!("{of}::{name}")).is_some()
    }

    fn is_of_objects(&self, path: &Tokens) -> bool {
        let path = path.0.to_string();
        self.env.boxed().values().any(|of| *of == path)
    }

    fn put_method(&self, e: &mut syn::Expr, place: &Ty) {
        if let (syn::Expr::MethodCall(m), Ty::Vec(of)) = (&mut *e, place)
            && m.method == "collect"
            && let Some(item) = last_item(&mut m.receiver)
        {
            self.put(item, of);
        }
        let Some(m) = by_type(e) else {
            return;
        };
        match (&*m.method.to_string(), place) {
            ("into", Ty::Struct(path)) => {
                if let Ok(of) = syn::parse2::<syn::Path>(path.0.clone()) {
                    let (x, span) = (&m.receiver, m.method.span());
                    *e = syn::parse_quote_spanned!(span=> #of::from(#x));
                }
            }
            (name @ ("collect" | "product" | "sum"), Ty::Struct(path))
                if self.is_made_by(path, name) =>
            {
                let of = &path.0;
                m.turbofish = Some(parse_quote!(::<#of>));
            }
            ("collect" | "product" | "sum", ty) => {
                m.turbofish = match Sum::of(ty) {
                    Some(Sum::Option) => Some(parse_quote!(::<Option<_>>)),
                    Some(Sum::Result) => Some(parse_quote!(::<Result<_, _>>)),
                    None => self.vector(ty).map(|ty| parse_quote!(::<#ty>)),
                };
            }
            _ => {}
        }
    }

    /// A vector of integers: what constant code collects.
    fn vector(&self, ty: &Ty) -> Option<syn::Type> {
        match ty {
            Ty::Vec(of) => match self.types.shallow(of) {
                Ty::Int(name) => {
                    let of: syn::Type = syn::parse_str(&name).ok()?;
                    Some(parse_quote!(Vec<#of>))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn put_parsed(&self, e: &mut syn::Expr, place: &Ty) {
        const KEPT: [&str; 5] = ["map_err", "ok", "ok_or", "ok_or_else", "or_else"];
        if let syn::Expr::MethodCall(m) = e
            && KEPT.iter().any(|name| m.method == name)
        {
            return self.put_parsed(&mut m.receiver, place);
        }
        let of = match place {
            Ty::Float => self.float.to_owned(),
            Ty::Int(name) => name.clone(),
            Ty::Bool => "bool".to_owned(),
            Ty::Struct(path) | Ty::Opaque(path) => path.0.to_string(),
            _ => return,
        };
        if let Some(m) = by_type(e)
            && m.method == "parse"
            && let Ok(of) = syn::parse_str::<syn::Type>(&of)
        {
            m.turbofish = Some(parse_quote!(::<#of>));
        }
    }
}

/// What the last `map` of a chain makes of each item.
fn last_item(chain: &mut syn::Expr) -> Option<&mut syn::Expr> {
    const KEPT: [&str; 6] = ["filter", "rev", "skip", "step_by", "take", "take_while"];
    let syn::Expr::MethodCall(m) = chain else {
        return None;
    };
    if KEPT.iter().any(|name| m.method == name) {
        return last_item(&mut m.receiver);
    }
    if m.method != "map" {
        return None;
    }
    let f = m.args.first_mut()?;
    if matches!(&*f, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "into"))
    {
        *f = parse_quote!(|__item| __item.into());
    }
    match f {
        syn::Expr::Closure(c) => Some(&mut c.body),
        _ => None,
    }
}

fn by_type(e: &mut syn::Expr) -> Option<&mut syn::ExprMethodCall> {
    match e {
        syn::Expr::MethodCall(m)
            if m.args.is_empty()
                && m.turbofish.is_none()
                && BY_TYPE.iter().any(|name| m.method == name) =>
        {
            Some(m)
        }
        _ => None,
    }
}

fn has_any(node: Node<'_>) -> bool {
    walk::any(node, &mut |node| match node {
        Node::Expr(syn::Expr::MethodCall(m)) => BY_TYPE.iter().any(|name| m.method == name),
        Node::Expr(e) => is_default(e),
        _ => false,
    })
}
