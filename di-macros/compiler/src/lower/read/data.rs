//! Values without floats, and changes of them: code that is carried along makes the new value of the old one.
//!
//! ```text
//! cell.row += k;         =>   { let __value = k; let __of = cell; cell = { let mut __data = __of; __data.row += __value; __data }; }
//! let u = rng.next();    =>   let u = { let __of = rng; rng = { let mut __data = __of; __data.next(); __data };
//!                                       { let mut __data = __of; __data.next() } };
//! ```

use super::Reader;
use super::collections::root;
use super::expr::{as_path, strip, unraw};
use super::grouped::names_text;
use super::taken::is_beside;
use crate::error;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Expr, Kind, Step};
use crate::lower::state::is_state;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::report::Extent;
use crate::template::parse_quote;
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// How a method that changes such a value is called.
enum Changing {
    /// Its body stands in the place of the call.
    InPlace,
    /// Code that is carried along calls it, and it returns this.
    Carried(Option<Box<syn::Type>>),
}

impl Reader<'_> {
    /// `Kind::Scaled(0.3)` of an enum that nothing is known of.
    pub(super) fn constant_variant(
        &mut self,
        call: &syn::ExprCall,
        path: &syn::Path,
    ) -> Option<Expr> {
        let of = self.type_of_variant(path)?;
        if self.is_data(&of) {
            let parts = |call: &mut syn::ExprCall, each: &mut dyn FnMut(&mut syn::Expr)| {
                call.args.iter_mut().for_each(each);
            };
            return Some(self.made_of_parts(of, call, parts, syn::Expr::Call));
        }
        let mut parts = call.args.iter();
        let is_constant = parts.all(|e| self.is_made(&of, e));
        is_constant.then(|| self.constant_of(of, &syn::Expr::Call(call.clone())))
    }

    /// `Kind::Scaled { by: 0.3 }`
    pub(super) fn constant_variant_of_fields(&mut self, s: &syn::ExprStruct) -> Option<Expr> {
        let of = self.type_of_variant(&s.path)?;
        if self.is_data(&of) && s.qself.is_none() {
            let parts = |s: &mut syn::ExprStruct, each: &mut dyn FnMut(&mut syn::Expr)| {
                let fields = s.fields.iter_mut().map(|f| &mut f.expr);
                fields.chain(s.rest.as_deref_mut()).for_each(each);
            };
            return Some(self.made_of_parts(of, s, parts, syn::Expr::Struct));
        }
        let parts = s.fields.iter().map(|f| &f.expr);
        let is_constant = (parts.chain(s.rest.as_deref())).all(|part| self.is_made(&of, part));
        let is_whole = s.qself.is_none();
        (is_constant && is_whole).then(|| self.constant_of(of, &syn::Expr::Struct(s.clone())))
    }

    /// Whether values of this type are numbers.
    fn is_data(&self, of: &syn::Type) -> bool {
        matches!(of, syn::Type::Path(p) if self.types.names_data(&p.path))
    }

    /// Whether this path of a variant or a struct makes a value without floats, or one of a derived enum.
    pub(super) fn is_constructor(&self, path: &syn::Path) -> bool {
        let of = self.type_of_variant(path);
        of.is_some_and(|of| self.is_data(&of) || self.derived_variant(path).is_some())
    }

    /// Whether this makes a value without floats.
    pub(super) fn is_made_data(&self, e: &syn::Expr) -> bool {
        let of = made_by(e).and_then(|path| self.type_of_variant(path));
        of.is_some_and(|of| self.is_data(&of))
    }

    /// A value without floats: parts that are computed of what varies are evaluated first.
    fn made_of_parts<T: Clone>(
        &mut self,
        of: syn::Type,
        literal: &T,
        parts: impl Fn(&mut T, &mut dyn FnMut(&mut syn::Expr)),
        whole: fn(T) -> syn::Expr,
    ) -> Expr {
        self.scoped(|r| {
            let (mut literal, mut stmts) = (literal.clone(), Vec::new());
            let mut changed = Vec::new();
            parts(&mut literal, &mut |part| {
                changed.extend(r.changed_within(part));
            });
            parts(&mut literal, &mut |part| {
                if names_text(part) || is_beside(part, &changed) || !r.is_made(&of, part) {
                    r.evaluate_beside(&changed, part, &mut stmts);
                }
            });
            let value = r.constant_of(of, &whole(literal));
            match stmts.is_empty() {
                true => value,
                false => {
                    let span = value.span;
                    block(stmts, Some(value), span)
                }
            }
        })
    }

    pub(super) fn constant_of(&mut self, of: syn::Type, e: &syn::Expr) -> Expr {
        let mut value = self.passive(e, false);
        value.ty = Ty::Opaque(Tokens(of.to_token_stream()));
        value
    }

    /// The path of the type of a place that is not looked into.
    pub(super) fn data_at(&mut self, place: &syn::Expr) -> Option<Tokens> {
        let of = self.place_type(place)?;
        let Ty::Opaque(path) = &of else {
            return None;
        };
        let path = path.clone();
        if is_state(&of, &self.types) {
            return None;
        }
        // what is written to through a parameter is no value of the function
        let is_number = self.types.data(&path.0.to_string()).is_some();
        (is_number || !self.is_parameter(place)).then_some(path)
    }

    /// Whether values of this type are numbers, and so may change; notes an error if not.
    pub(super) fn may_change(&self, path: &Tokens, at: Extent) -> bool {
        let is_number = self.types.data(&path.0.to_string()).is_some();
        if !is_number {
            let why = self.env.data_obstacle(&path.0.to_string());
            self.cx.error_about(at, &error::CONSTANT_STATE, why);
        }
        is_number
    }

    /// The value without floats that a place is a part of, and its type.
    fn data_around<'e>(&mut self, part: &'e syn::Expr) -> Option<(&'e syn::Expr, Tokens)> {
        let whole = match strip(part) {
            syn::Expr::Field(f) => strip(&f.base),
            syn::Expr::Index(i) => strip(&i.expr),
            _ => return None,
        };
        match self.data_at(whole) {
            Some(path) => Some((whole, path)),
            None => self.data_around(whole),
        }
    }

    /// `cell.row = k`, `cell.row += k`
    pub(super) fn change_part(
        &mut self,
        left: &syn::Expr,
        op: Option<&syn::BinOp>,
        right: &syn::Expr,
        span: Extent,
    ) -> Option<Expr> {
        let (_, path) = self.data_around(left)?;
        if !self.may_change(&path, span) {
            return Some(self.refused(span));
        }
        Some(self.scoped(|r| {
            let (mut left, mut stmts) = (left.clone(), Vec::new());
            let written = r.type_as_written(&left);
            let value = r.expr(right);
            if let Some(written) = written
                && op.is_none_or(|op| {
                    !matches!(op, syn::BinOp::ShlAssign(_) | syn::BinOp::ShrAssign(_))
                })
                && let Some(ty) = types::read_plain(&written, r.float, &mut r.types)
            {
                r.unify(&ty, &value.ty.clone(), value.span);
            }
            r.bind_as("__value", value, &mut stmts);
            r.name_indices(&mut left, &mut stmts);
            let Some((whole, path)) = r.data_around(&left) else {
                return r.refused(span);
            };
            let value = parse_quote!(__data);
            let (part, whole) = (within(&left, whole, &value), whole.clone());
            let change: syn::Stmt = match op {
                Some(op) => parse_quote!(#part #op __value;),
                None => parse_quote!(#part = __value;),
            };
            r.change(&whole, &path, &change, &mut stmts);
            block(stmts, None, span)
        }))
    }

    /// Indices that are more than a name or a literal are evaluated once.
    fn name_indices(&mut self, place: &mut syn::Expr, stmts: &mut Vec<Step>) {
        match place {
            syn::Expr::Paren(p) => self.name_indices(&mut p.expr, stmts),
            syn::Expr::Field(f) => self.name_indices(&mut f.base, stmts),
            syn::Expr::Index(i) => {
                self.name_indices(&mut i.expr, stmts);
                if !matches!(strip(&i.index), syn::Expr::Path(_) | syn::Expr::Lit(_)) {
                    let name = format!("__index{}", stmts.len());
                    let index = self.expr(&i.index);
                    self.unify(&index.ty.clone(), &Ty::usize(), index.span);
                    self.bind_as(&name, index, stmts);
                    let name = Ident::new(&name, Span::call_site());
                    *i.index = parse_quote!(#name);
                }
            }
            _ => {}
        }
    }

    /// `let name = value;`
    fn bind_as(&mut self, name: &str, value: Expr, stmts: &mut Vec<Step>) {
        let local = self.bind(name, false, value.ty.clone(), value.span);
        stmts.push(Step::bind(local, value));
    }

    /// The place of such a value, also behind a variable that borrows it.
    pub(super) fn data_place(&mut self, place: &syn::Expr, ty: &Ty) -> Expr {
        let mut place = self.place(place);
        if let Ty::Ref(..) = self.types.shallow(&place.ty) {
            place.kind = Kind::Deref(Box::new(place.clone()));
        }
        place.ty = ty.clone();
        place
    }

    /// `place = { let mut __data = place; change; __data };`, where `__of` is the value before.
    fn change(
        &mut self,
        place: &syn::Expr,
        path: &Tokens,
        change: &syn::Stmt,
        stmts: &mut Vec<Step>,
    ) {
        let ty = Ty::Opaque(path.clone());
        let (place, span) = (self.data_place(place, &ty), place.extent());
        self.bind_as("__of", place.clone(), stmts);
        let code = parse_quote!({ let mut __data = __of; #change __data });
        let value = Expr {
            ty,
            ..self.passive_code(&code, false)
        };
        self.check_assignable(&place);
        stmts.push(Step::Expr(Expr::new(
            Kind::Assign(Box::new(place), Box::new(value)),
            Ty::unit(),
            span,
        )));
    }

    /// Whether this is a call of a method that changes such a value.
    pub(super) fn is_change(&mut self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::MethodCall(m) => self.changed_by(m).is_some(),
            _ => false,
        }
    }

    /// The first such call in a chain.
    fn change_in<'e>(&mut self, e: &'e syn::Expr) -> Option<&'e syn::Expr> {
        let inner = match strip(e) {
            syn::Expr::MethodCall(m) => &m.receiver,
            syn::Expr::Field(f) => &f.base,
            syn::Expr::Index(i) => &i.expr,
            _ => return None,
        };
        self.change_in(inner)
            .or_else(|| self.is_change(e).then(|| strip(e)))
    }

    /// Whether a chain has such a call.
    pub(super) fn has_change(&mut self, e: &syn::Expr) -> bool {
        self.change_in(e).is_some()
    }

    /// The type of what a method changes, and what is known of that.
    fn changed_by(&mut self, m: &syn::ExprMethodCall) -> Option<(Tokens, Changing)> {
        let (path, name) = (self.data_at(&m.receiver)?, unraw(&m.method));
        if let Some(body) = self.higher_of(&path, &name) {
            let own = body.sig.inputs.first();
            let is_borrowed = |ty: &syn::Type| matches!(types::ungroup(ty), syn::Type::Reference(r) if r.mutability.is_some());
            let changes = matches!(own, Some(syn::FnArg::Typed(own)) if is_borrowed(&own.ty));
            return changes.then_some((path, Changing::InPlace));
        }
        let method = self.env.changing(&path.0.to_string(), &name)?;
        Some((path, Changing::Carried(method.output.map(Box::new))))
    }

    /// `rng.next()` of `&mut self`, and `rng.next().unwrap()`
    pub(super) fn changing_chain(&mut self, e: &syn::Expr) -> Option<Expr> {
        self.changing(e, false)
    }

    /// The same of a statement whose value is dropped: `counter.advance(2);` may return what it changes.
    pub(super) fn changing_statement(&mut self, e: &syn::Expr) -> Option<Expr> {
        self.changing(e, true)
    }

    fn changing(&mut self, e: &syn::Expr, is_dropped: bool) -> Option<Expr> {
        let change = self.change_in(e)?;
        let syn::Expr::MethodCall(m) = change else {
            return None;
        };
        let (path, changing) = self.changed_by(m)?;
        // what a method returns by `&mut` is changed further
        let end = self.end_of_change(strip(e), change, &path);
        let is_whole = std::ptr::eq(strip(e), end);
        if is_whole && !is_dropped && self.returns_mutable(end, &path) {
            // what is changed through a name for it would be lost
            return Some(self.refuse(m.extent(), &error::PASSIVE_EFFECT));
        }
        let output = match changing {
            Changing::Carried(_) if !is_whole && self.has_active_part(e) => {
                return Some(self.after_changing(e, end));
            }
            Changing::InPlace if !is_whole => return None,
            _ if !self.may_change(&path, m.extent()) => return Some(self.refused(m.extent())),
            Changing::InPlace => {
                let receiver = self.expr(&m.receiver);
                return Some(self.method_of_bundle(m, receiver, &path));
            }
            Changing::Carried(output) if is_whole && std::ptr::eq(change, end) => {
                output.map(|ty| *ty)
            }
            Changing::Carried(_) => {
                let known = is_whole.then(|| self.output_of(end, &path)).flatten();
                Some(known.unwrap_or_else(|| parse_quote!(_)))
            }
        };
        Some(self.scoped(|r| {
            let (mut call, mut stmts) = (m.clone(), Vec::new());
            // the code stands behind the change once more
            let changed: Vec<Ident> = root(&m.receiver).into_iter().collect();
            for arg in &mut call.args {
                r.evaluate_beside(&changed, arg, &mut stmts);
            }
            *call.receiver = parse_quote!(__data);
            let call = syn::Expr::MethodCall(call);
            let (changed, whole) = (within(end, change, &call), within(e, change, &call));
            r.changing_call(
                (&m.receiver, &path),
                (&changed, &whole),
                output.as_ref(),
                stmts,
            )
        }))
    }

    /// `{ let __found = rng.next(); __found.map_or(x, |k| k * x) }`: a change is made once.
    fn after_changing(&mut self, e: &syn::Expr, end: &syn::Expr) -> Expr {
        let found = self.expr(end);
        let name = format!("__found{}", self.locals.len());
        let ident = syn::Ident::new(&name, Span::call_site());
        let chain = within(e, end, &parse_quote!(#ident));
        self.keeping_as(&name, found, |r, _| r.expr(&chain))
    }

    /// The link of a chain up to which it works on what `change` returns by `&mut`.
    fn end_of_change<'e>(
        &self,
        e: &'e syn::Expr,
        change: &'e syn::Expr,
        path: &Tokens,
    ) -> &'e syn::Expr {
        let inner = match e {
            e if std::ptr::eq(e, change) => return e,
            syn::Expr::MethodCall(m) => strip(&m.receiver),
            syn::Expr::Field(f) => strip(&f.base),
            syn::Expr::Index(i) => strip(&i.expr),
            _ => return e,
        };
        let end = self.end_of_change(inner, change, path);
        match std::ptr::eq(end, inner) && self.returns_mutable(end, path) {
            true => e,
            false => end,
        }
    }

    fn returns_mutable(&self, link: &syn::Expr, path: &Tokens) -> bool {
        matches!(self.output_of(link, path), Some(syn::Type::Reference(r)) if r.mutability.is_some())
    }

    /// The result of a method of the type with this path.
    fn output_of(&self, link: &syn::Expr, path: &Tokens) -> Option<syn::Type> {
        let syn::Expr::MethodCall(m) = link else {
            return None;
        };
        let (path, name) = (path.0.to_string(), unraw(&m.method));
        let own = self.env.passive(&path, &name);
        own.or_else(|| self.env.method(&path, &name)?.plain_output())
    }

    /// `draw(&mut rng)` of a function that is not differentiated.
    pub(super) fn changing_function(
        &mut self,
        call: &syn::ExprCall,
        output: Option<&syn::Type>,
    ) -> Option<Expr> {
        let places = call.args.iter().enumerate();
        let mut places = places.filter_map(|(k, arg)| {
            let place = match strip(arg) {
                syn::Expr::Reference(r) if r.mutability.is_some() => strip(&r.expr),
                place @ syn::Expr::Path(_) if self.is_borrowed(place) => place,
                _ => return None,
            };
            Some((k, place, self.data_at(place)?))
        });
        let (k, place, path) = places.next()?;
        if places.next().is_some() {
            return None;
        }
        if !self.may_change(&path, place.extent()) {
            return Some(self.refused(place.extent()));
        }
        Some(self.scoped(|r| {
            let (mut call, mut stmts) = (call.clone(), Vec::new());
            for (n, arg) in call.args.iter_mut().enumerate() {
                match n == k {
                    true => *arg = parse_quote!(&mut __data),
                    false => r.evaluate_first(arg, &mut stmts),
                }
            }
            let call = syn::Expr::Call(call);
            r.changing_call((place, &path), (&call, &call), output, stmts)
        }))
    }

    /// `*since += 1` of a part that a pattern has borrowed.
    pub(super) fn refuse_part(&mut self, place: &syn::Expr) -> Option<Expr> {
        let syn::Expr::Unary(u) = strip(place) else {
            return None;
        };
        let p = as_path(&u.expr)?;
        let name = p.path.get_ident()?;
        let local = self.lookup(&unraw(name))?;
        let is_part = self.borrowed_parts.contains(&local);
        is_part.then(|| self.refuse_about(place.extent(), &error::PART_OF_STATE, name))
    }

    /// Whether a place is in a parameter.
    fn is_parameter(&self, place: &syn::Expr) -> bool {
        match strip(place) {
            syn::Expr::Path(_) => (self.local_of(place)).is_some_and(|l| l.0 < self.parameters),
            syn::Expr::Field(f) => self.is_parameter(&f.base),
            syn::Expr::Index(i) => self.is_parameter(&i.expr),
            _ => false,
        }
    }

    /// Whether a variable is a value that is borrowed by `&mut`.
    pub(super) fn is_borrowed(&self, variable: &syn::Expr) -> bool {
        matches!(self.local_shallow(variable), Some(Ty::Ref(true, _)))
    }

    /// A call that changes `__data`, which is what stands in a place, and the whole expression.
    fn changing_call(
        &mut self,
        (place, path): (&syn::Expr, &Tokens),
        (call, whole): (&syn::Expr, &syn::Expr),
        output: Option<&syn::Type>,
        mut stmts: Vec<Step>,
    ) -> Expr {
        let mut place = place.clone();
        self.name_indices(&mut place, &mut stmts);
        self.change(&place, path, &parse_quote!(let _ = #call;), &mut stmts);
        let value = output.map(|ty| {
            let code = parse_quote!({ let mut __data = __of; #whole });
            let value = self.passive_code(&code, false);
            let plain = types::read_plain(ty, self.float, &mut self.types);
            let ty = match plain {
                Some(ty @ (Ty::Float | Ty::Int(_) | Ty::Bool)) => ty,
                // of which nothing is known
                _ if matches!(ty, syn::Type::Infer(_)) => self.foreign(),
                _ => self.foreign_part(Some(ty)),
            };
            Expr { ty, ..value }
        });
        block(stmts, value, call.extent())
    }
}

/// A chain with another expression in the place of what it begins with.
fn within(chain: &syn::Expr, first: &syn::Expr, by: &syn::Expr) -> syn::Expr {
    match strip(chain) {
        chain if std::ptr::eq(chain, first) => by.clone(),
        syn::Expr::Field(f) => {
            let base = Box::new(within(&f.base, first, by));
            let f = f.clone();
            syn::Expr::Field(syn::ExprField { base, ..f })
        }
        syn::Expr::Index(i) => {
            let expr = Box::new(within(&i.expr, first, by));
            let i = i.clone();
            syn::Expr::Index(syn::ExprIndex { expr, ..i })
        }
        syn::Expr::MethodCall(m) => {
            let receiver = Box::new(within(&m.receiver, first, by));
            let m = m.clone();
            syn::Expr::MethodCall(syn::ExprMethodCall { receiver, ..m })
        }
        chain => chain.clone(),
    }
}

/// Of a change alone the value is not computed.
pub(super) fn drop_value(change: &mut Expr) {
    if let Kind::Block(block) = &mut change.kind
        && let Some(Kind::Passive(_)) = block.value.as_ref().map(|value| &value.kind)
    {
        block.value = None;
        block.ty = Ty::unit();
        change.ty = Ty::unit();
    }
}

/// `{ stmts value }`
fn block(stmts: Vec<Step>, value: Option<Expr>, span: Extent) -> Expr {
    match value {
        Some(value) => Expr::block(stmts, value, span),
        None => Expr::new(Kind::Block(Block::of_steps(stmts)), Ty::unit(), span),
    }
}

/// The path of the struct, the variant or the function that makes a value.
pub(super) fn made_by(e: &syn::Expr) -> Option<&syn::Path> {
    match strip(e) {
        syn::Expr::Struct(s) => Some(&s.path),
        syn::Expr::Call(c) => match strip(&c.func) {
            syn::Expr::Path(p) => Some(&p.path),
            _ => None,
        },
        _ => None,
    }
}
