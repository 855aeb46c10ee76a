//! Methods whose bodies stand in the place of their calls.

use super::expr::{as_method, strip, unraw};
use super::{Item, Reader};
use crate::error;
use crate::ir::Tokens;
use crate::lower::aliases::before_a_member;
use crate::lower::environment::for_items;
use crate::lower::extent::HasExtent;
use crate::lower::hir::Expr;
use crate::lower::iterated::{MUT, OWN, REF};
use crate::lower::ty::Ty;
use crate::lower::{extension, inline, numeric, types};
use crate::symbol;
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::rc::Rc;

impl Reader<'_> {
    /// The body of a method that stands in the place of its calls.
    pub(super) fn method_in_place(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: &Ty,
        path: &Tokens,
    ) -> Option<syn::Expr> {
        // its lengths follow from the arguments
        let of: syn::Path = syn::parse_str(&self.env.of(&path.0.to_string())).ok()?;
        let name = &self.method_for(m, path)?;
        let function = self.higher_of(path, &unraw(name))?;
        let Some(syn::FnArg::Typed(own)) = function.sig.inputs.first() else {
            return None;
        };
        let (this, is_borrowed) = (
            &m.receiver,
            matches!(self.types.shallow(receiver), Ty::Ref(..)),
        );
        let this: syn::Expr = match types::ungroup(&own.ty) {
            syn::Type::Reference(r) if !is_borrowed => {
                let mutable = &r.mutability;
                parse_quote!(&#mutable #this)
            }
            syn::Type::Reference(r) if r.mutability.is_some() => parse_quote!(&mut *#this),
            _ => parse_quote!(#this),
        };
        let (args, written) = (m.args.iter(), &m.turbofish);
        let call = syn::parse_quote_spanned!(name.span()=> #of::#name #written (#this #(, #args)*));
        self.placed(call)
    }

    /// `x.mean()` of a trait of one's own on floats, slices, arrays or vectors.
    pub(super) fn extension(&mut self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let name = unraw(&m.method);
        if !self.env.is_extension(&name) || self.makes_chain(&m.receiver) {
            return None;
        }
        let ty = match self.place_type(&m.receiver) {
            Some(ty) => ty,
            None => self.expr(&m.receiver).ty,
        };
        let owner = (self.extended(&ty).into_iter())
            .find(|owner| self.env.higher(&format!("{owner}::{name}")).is_some())?;
        let function = self.env.higher(&format!("{owner}::{name}"))?;
        if matches!(self.types.peel(&ty), Ty::Float) && symbol::is_of_floats(&name) {
            if !calls_that_of_floats(&function, &name) {
                let at = m.method.extent();
                self.cx.error_about(at, &error::HIDDEN_METHOD, &name);
            }
            return None;
        }
        let by_value = function.sig.inputs.first().is_some_and(|input| {
            matches!(input, syn::FnArg::Typed(p) if !matches!(types::ungroup(&p.ty), syn::Type::Reference(_)))
        });
        let mut call = m.clone();
        if by_value && matches!(self.types.shallow(&ty), Ty::Ref(..)) {
            let receiver = &m.receiver;
            *call.receiver = parse_quote!((*#receiver));
        }
        self.method_in_place(&call, &ty, &Tokens(owner.into_token_stream()))
    }

    /// The names that the methods of traits on a type may be known by.
    fn extended(&self, ty: &Ty) -> Vec<syn::Ident> {
        fn spell(reader: &Reader<'_>, ty: &Ty) -> Option<String> {
            let of = |of: &Ty| spell(reader, of);
            match reader.types.peel(ty) {
                Ty::Float => Some(reader.float.to_owned()),
                Ty::Vec(item) => Some(format!("Vec<{}>", of(&item)?)),
                Ty::Slice(item) => Some(format!("[{}]", of(&item)?)),
                Ty::Array(item, n) => Some(format!("[{};{}]", of(&item)?, n.0)),
                _ => None,
            }
        }
        let own = spell(self, ty);
        let own = own.map(|text| extension::name_of(&text, &[]));
        let (any, slice) = match self.types.peel(ty) {
            Ty::Array(item, _) => {
                let item = spell(self, &item);
                let any = item.as_ref().map(|item| format!("[{item};N]"));
                let any = any.map(|text| extension::name_of(&text, &["N".to_owned()]));
                (any, item)
            }
            Ty::Vec(item) => (None, spell(self, &item)),
            _ => (None, None),
        };
        let slice = slice.map(|item| extension::name_of(&format!("[{item}]"), &[]));
        own.into_iter().chain(any).chain(slice).collect()
    }

    /// The body that stands in the place of a call.
    fn placed(&mut self, call: syn::ExprCall) -> Option<syn::Expr> {
        let body = inline::inlined(self.env, call, self.at, &mut self.inlined);
        let is_placed = !matches!(body, syn::Expr::Call(_));
        is_placed.then(|| {
            self.cx.place(body.to_token_stream());
            self.check_order(Node::Expr(&body));
            body
        })
    }

    pub(super) fn higher_of(&self, path: &Tokens, name: &str) -> Option<Rc<syn::ItemFn>> {
        let of = self.env.of(&path.0.to_string());
        self.env.any_higher(&format!("{of}::{name}"))
    }

    /// The name of the function that a call takes: of two, for items and for references to them, each has its own.
    fn function_for(&mut self, path: &str, name: &syn::Ident, items: &Ty) -> Option<syn::Ident> {
        if self.env.iterator_of_two(path).is_none() {
            return Some(name.clone());
        }
        let are_references = match self.types.shallow(items) {
            Ty::Var(_) => return None,
            ty => matches!(ty, Ty::Ref(..)),
        };
        let own = for_items(&unraw(name), are_references);
        let (of, _) = path.rsplit_once("::")?;
        self.env.higher(&format!("{of}::{own}"))?;
        Some(syn::Ident::new(&own, name.span()))
    }

    /// The same of a method by what it is called with.
    fn method_for(&mut self, m: &syn::ExprMethodCall, of: &Tokens) -> Option<syn::Ident> {
        let path = format!("{}::{}", self.env.of(&of.0.to_string()), unraw(&m.method));
        let Some(k) = self.env.iterator_of_two(&path) else {
            return Some(m.method.clone());
        };
        let (_, items) = self.iterator(m.args.get(k.checked_sub(1)?)?, true)?;
        self.function_for(&path, &m.method, &items)
    }

    /// `V::sum(items)` of a type with two such functions.
    pub(super) fn called_for_items(&mut self, c: &syn::ExprCall, path: &syn::Path) -> Option<Expr> {
        let spelled = path.to_token_stream().to_string();
        let k = self.env.iterator_of_two(&spelled)?;
        let (_, items) = self.iterator(c.args.get(k)?, true)?;
        let last = path.segments.last()?;
        let own = self.function_for(&spelled, &last.ident, &items)?;
        let mut path = path.clone();
        path.segments.last_mut()?.ident = own;
        let args = &c.args;
        let body = self.placed(parse_quote!(#path(#args)))?;
        Some(self.expr(&body))
    }

    /// A length of a function in the place of its call, which shows elsewhere or is written at the call.
    pub(super) fn length_in_place(&mut self, length: &syn::ItemConst) {
        let name = Tokens(length.ident.to_token_stream());
        self.types.open_length(name.clone());
        if let Some(written) = inline::written_length(length) {
            let written = Tokens(self.with_items(types::length(written)));
            self.types.write_length(&name, written);
        }
        let item = Item::Const(Ty::usize(), Tokens(TokenStream::new()));
        self.scopes[0].items.insert(length.ident.to_string(), item);
    }

    /// The statements behind a type parameter of a function in the place of its call, with what it stands for.
    pub(super) fn with_type(
        &mut self,
        variable: &syn::ItemConst,
        rest: &[syn::Stmt],
    ) -> syn::Block {
        let mut block = syn::Block {
            brace_token: Default::default(),
            stmts: rest.to_vec(),
        };
        let ty = self.type_at(&variable.expr);
        let ty = ty.unwrap_or_else(|| self.types.fresh());
        self.put_type(&variable.ident, &ty, NodeMut::Block(&mut block));
        numeric::put(NodeMut::Block(&mut block));
        block
    }

    /// Puts a type in the place of a name, and the bodies of its functions in that of their calls.
    fn put_type(&mut self, name: &syn::Ident, known: &Ty, root: NodeMut<'_>) {
        let is_it = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if p.path.is_ident(name));
        walk::change(root, &mut |node| {
            match node {
                NodeMut::Type(ty) if is_it(&*ty) => {
                    let written = self.written_value(known);
                    *ty = written.unwrap_or_else(|| parse_quote!(_));
                }
                NodeMut::Type(syn::Type::Path(syn::TypePath { qself, path }))
                | NodeMut::Expr(syn::Expr::Path(syn::ExprPath { qself, path, .. })) => {
                    let member = path.segments.last().cloned();
                    if let Some(of) = qself.as_mut().filter(|of| is_it(&of.ty)) {
                        if numeric::is_marked(path)
                            && matches!(self.types.peel(known), Ty::Float | Ty::Var(_))
                        {
                            // what has no other type is the float
                            *of.ty = syn::parse_str(self.float).expect("a type");
                            return Onward::Over;
                        }
                        *qself = None;
                        *path = parse_quote!(#name::#member);
                    }
                    if path.segments.len() > 1 && path.segments[0].ident == *name {
                        self.put_owner(known, qself, path);
                    } else {
                        walk::change_below(NodeMut::Path(path), &mut |node| {
                            self.put_type(name, known, node);
                            Onward::Over
                        });
                    }
                }
                NodeMut::Expr(e @ syn::Expr::Call(_)) => {
                    let is_own = is_call_of(e, name);
                    walk::change_below(NodeMut::Expr(e), &mut |node| {
                        self.put_type(name, known, node);
                        Onward::Over
                    });
                    if let syn::Expr::Call(call) = &*e
                        && is_own
                        && let Some(body) = self.placed(call.clone())
                    {
                        *e = body;
                    }
                }
                NodeMut::Macro(mac) => walk::change_arguments(mac, &mut |node| {
                    self.put_type(name, known, node);
                    Onward::Over
                }),
                _ => return Onward::Into,
            }
            Onward::Over
        });
    }

    /// `P::zero` with the type in the place of `P`.
    fn put_owner(&self, known: &Ty, qself: &mut Option<syn::QSelf>, path: &mut syn::Path) {
        let ty = self.types.peel(known);
        let members: Vec<_> = path.segments.iter().skip(1).cloned().collect();
        let owner: Option<syn::Path> = match &ty {
            Ty::Struct(of) | Ty::Opaque(of) => syn::parse2(self.types.with_lengths(of).0).ok(),
            ty => {
                let name = unraw(&members[0].ident);
                let has = |of: &syn::Ident| self.env.higher(&format!("{of}::{name}")).is_some();
                self.extended(ty).into_iter().find(has).map(Into::into)
            }
        };
        if let Some(owner) = owner.map(before_a_member) {
            *path = parse_quote!(#owner #(::#members)*);
        } else if !matches!(ty, Ty::Var(_))
            && let Some(ty) = self.written_value(&ty)
        {
            let whole: syn::ExprPath = parse_quote!(<#ty> #(::#members)*);
            (*qself, *path) = (whole.qself, whole.path);
        } else {
            self.cx.error(path.extent(), &error::UNKNOWN_TYPE);
        }
    }

    /// The type of a part of a variable.
    fn type_at(&self, place: &syn::Expr) -> Option<Ty> {
        let ty = match super::expr::strip(place) {
            syn::Expr::Unary(u) => match self.type_at(&u.expr)? {
                Ty::Ref(_, of) => *of,
                ty => ty,
            },
            syn::Expr::Index(i) => match self.types.peel(&self.type_at(&i.expr)?) {
                Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) => *of,
                _ => return None,
            },
            syn::Expr::Field(f) => match (self.type_at(&f.base)?, &f.member) {
                (Ty::Tuple(parts), syn::Member::Unnamed(k)) => parts.get(k.index as usize)?.clone(),
                _ => return None,
            },
            // what a closure returns
            syn::Expr::Call(c) => match &*c.func {
                syn::Expr::Path(p) => {
                    let id = self.closure_of(p.path.get_ident()?)?;
                    self.closures[id.0].lambda.body.ty.clone()
                }
                _ => return None,
            },
            place => self.local_shallow(place)?,
        };
        Some(self.types.shallow(&ty))
    }

    /// The chain with the body of a method in the place of its call, if it begins with one that returns an iterator,
    /// `p.variances(r).zip(r)`, or with an iterator of one's own.
    pub(super) fn with_iterator(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let m = as_method(e)?;
        if !self.env.has_iterators() {
            return None;
        }
        if let Some(own) = self.of_own_iterator(m) {
            return Some(syn::Expr::MethodCall(own));
        }
        if let Some(receiver) = self.with_iterator(&m.receiver) {
            let receiver = Box::new(receiver);
            return Some(syn::Expr::MethodCall(syn::ExprMethodCall {
                receiver,
                ..m.clone()
            }));
        }
        let own = self.made_in_place(m, inline::gives_iterator);
        own.or_else(|| match m.method == "into_iter" {
            true => self.items_of_own(&m.receiver),
            false => None,
        })
    }

    /// `w`, `&w` or `&mut w` of a struct that says itself how it is iterated.
    pub(super) fn items_of_own(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        if !self.env.has_iterators() {
            return None;
        }
        let (of, names) = match super::expr::strip(e) {
            syn::Expr::Reference(r) if r.mutability.is_some() => (&*r.expr, &[MUT][..]),
            syn::Expr::Reference(r) => (&*r.expr, &[REF][..]),
            of => match self.local_shallow(of) {
                Some(Ty::Ref(true, _)) => (of, &[MUT, REF][..]),
                Some(Ty::Ref(false, _)) => (of, &[REF][..]),
                _ => (of, &[OWN, REF, MUT][..]),
            },
        };
        names.iter().find_map(|name| {
            let call = syn::ExprMethodCall {
                attrs: Vec::new(),
                receiver: Box::new(of.clone()),
                dot_token: Default::default(),
                method: syn::Ident::new(name, e.extent().start),
                turbofish: None,
                paren_token: Default::default(),
                args: Default::default(),
            };
            self.made_in_place(&call, inline::gives_iterator)
        })
    }

    /// Whether this is a call of such a method.
    pub(super) fn returns_iterator(&mut self, e: &syn::Expr) -> bool {
        let syn::Expr::MethodCall(m) = super::expr::strip(e) else {
            return false;
        };
        self.env.has_iterators() && self.made_in_place(m, inline::gives_iterator).is_some()
    }

    /// The body of a method that returns a function: `m.flow(k)` of `fn flow(&self, k: f64) -> impl Fn(f64) -> f64`.
    pub(super) fn function_in_place(&mut self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        self.made_in_place(m, inline::gives_function)
    }

    /// The body of a method that returns what has no type of its own.
    fn made_in_place(
        &mut self,
        m: &syn::ExprMethodCall,
        gives: impl Fn(&syn::Signature) -> bool,
    ) -> Option<syn::Expr> {
        let ty = self.struct_at(&m.receiver)?;
        let (Ty::Struct(path) | Ty::Opaque(path) | Ty::Bundle(path, _)) = self.types.peel(&ty)
        else {
            return None;
        };
        let function = self.higher_of(&path, &unraw(&m.method))?;
        gives(&function.sig)
            .then(|| self.method_in_place(m, &ty, &path))
            .flatten()
    }

    /// The type of a place, or of a struct that a method returns.
    fn struct_at(&mut self, e: &syn::Expr) -> Option<Ty> {
        self.place_type(e).or_else(|| {
            let of = self.type_as_written(e)?;
            types::read_structs(&self.env.expanded(&of))
        })
    }

    /// `chain.sum::<P>()` of structs with a `Sum` of their own, also of references to them, and `chain.collect::<P>()` of
    /// those that are made of iterators.
    pub(super) fn own_reduction(
        &mut self,
        m: &syn::ExprMethodCall,
        item: &Ty,
    ) -> Option<syn::Expr> {
        let is_collected = m.method == "collect";
        let made = self.named_struct(m);
        let path = match (made, self.types.peel(item)) {
            (Some(path), _) => path,
            (None, Ty::Struct(path) | Ty::Opaque(path)) if !is_collected => path,
            _ => return None,
        };
        let mut name = m.method.clone();
        if is_collected {
            name = syn::Ident::new("from_iter", name.span());
        }
        let chain = &m.receiver;
        let full = format!("{}::{}", self.env.of(&path.0.to_string()), unraw(&name));
        let name = self.function_for(&full, &name, item)?;
        let function = self.higher_of(&path, &unraw(&name))?;
        let is_borrowed = matches!(self.types.shallow(item), Ty::Ref(..));
        if is_borrowed != inline::takes_references(&function.sig) {
            return None;
        }
        let of: syn::Path = syn::parse_str(&self.env.of(&path.0.to_string())).ok()?;
        let call = syn::parse_quote_spanned!(name.span()=> #of::#name(#chain));
        self.placed(call)
    }

    /// `P` of `collect::<P>()`
    fn named_struct(&mut self, m: &syn::ExprMethodCall) -> Option<Tokens> {
        match m.turbofish.as_ref()?.args.first()? {
            syn::GenericArgument::Type(ty) => {
                let ty = self.env.expanded(ty);
                match types::read_structs(&ty)? {
                    Ty::Struct(path) => Some(path),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `m[i]` of a struct with an `Index` of its own: what the method returns, which is `index` or `index_mut`.
    pub(super) fn element_in_place(
        &mut self,
        i: &syn::ExprIndex,
        base: &Expr,
        method: &str,
    ) -> Option<syn::Expr> {
        let (Ty::Struct(path) | Ty::Opaque(path)) = self.types.peel(&base.ty) else {
            return None;
        };
        let call = call_of(i, &self.index_method(&path, i, method));
        let body = self.method_in_place(&call, &base.ty, &path)?;
        Some(parse_quote!(*#body))
    }

    /// What `m[i]` is of a struct with an `Index` of its own.
    pub(super) fn element_type(&mut self, of: &Tokens, i: &syn::ExprIndex) -> Option<Ty> {
        let method = self.index_method(of, i, "index");
        let index = self.higher_of(of, &method)?;
        let ty = self.env.expanded(types::result_of(&index.sig.output)?);
        let of = match types::ungroup(&ty) {
            syn::Type::Reference(r) => &*r.elem,
            of => of,
        };
        types::read_plain(of, self.float, &mut self.types)
    }

    /// The place that is written to: elements of structs are those that `index_mut` returns.
    pub(super) fn place(&mut self, e: &syn::Expr) -> Expr {
        match self.written(e) {
            Some(place) => self.expr(&place),
            None => self.expr(e),
        }
    }

    /// The place with calls of `index_mut`, if it has an element of a struct.
    fn written(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        if let Some(field) = self.behind_deref(e) {
            return Some(self.written(&field).unwrap_or(field));
        }
        match e {
            syn::Expr::Paren(p) => self.written(&p.expr),
            syn::Expr::Group(g) => self.written(&g.expr),
            syn::Expr::Field(f) => {
                let base = Box::new(self.written(&f.base)?);
                let f = f.clone();
                Some(syn::Expr::Field(syn::ExprField { base, ..f }))
            }
            syn::Expr::Index(i) => {
                let of = self.struct_at(&i.expr);
                let of_struct = match of.map(|of| self.types.peel(&of)) {
                    Some(Ty::Struct(path)) => Some(path),
                    _ => None,
                };
                let written = self.written(&i.expr);
                if of_struct.is_none() && written.is_none() {
                    return None;
                }
                let base = written.unwrap_or_else(|| (*i.expr).clone());
                let i = syn::ExprIndex {
                    expr: Box::new(base),
                    ..i.clone()
                };
                let Some(path) = of_struct else {
                    return Some(syn::Expr::Index(i));
                };
                let call = call_of(&i, &self.index_method(&path, &i, "index_mut"));
                Some(parse_quote!(*#call))
            }
            _ => None,
        }
    }
}

/// Whether all that a function does is to call the method of floats that has its name: `self.abs()`, `f64::abs(self)`.
fn calls_that_of_floats(function: &syn::ItemFn, name: &str) -> bool {
    let ([syn::Stmt::Expr(e, None)], Some(syn::FnArg::Typed(this))) =
        (&function.block.stmts[..], function.sig.inputs.first())
    else {
        return false;
    };
    let is_this = |e: &syn::Expr| {
        let e = strip(e).to_token_stream().to_string();
        e == this.pat.to_token_stream().to_string()
    };
    match strip(e) {
        syn::Expr::MethodCall(m) => m.method == name && is_this(&m.receiver),
        syn::Expr::Call(c) => match (strip(&c.func), c.args.first()) {
            (syn::Expr::Path(p), Some(first)) => {
                is_this(first) && p.path.segments.last().is_some_and(|s| s.ident == name)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a call is that of a function of this type, `P::zero()` or `<P as Vector>::zero()`.
fn is_call_of(e: &syn::Expr, of: &syn::Ident) -> bool {
    matches!(e, syn::Expr::Call(c) if matches!(&*c.func, syn::Expr::Path(p)
        if p.path.segments.len() > 1 && p.path.segments[0].ident == *of
            || p.qself.as_ref().is_some_and(|q| *of == q.ty.to_token_stream().to_string())))
}

/// `m.index(i)`
fn call_of(i: &syn::ExprIndex, method: &str) -> syn::ExprMethodCall {
    let (base, index) = (&i.expr, &i.index);
    let name = syn::Ident::new(method, i.bracket_token.span.open());
    parse_quote!(#base.#name(#index))
}
