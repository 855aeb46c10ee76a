//! State that changes: collections and others of std that the compiler does not look into. Code on them is run where it
//! stands, in forward sweeps alone; numbers that it gives are values of the function.
//!
//! ```text
//! queue.push_back(edges[i][0]);   =>   let __arg1 = edges[i][0]; queue.push_back(__arg1);
//! for &k in &seen { .. }          =>   let mut __items = (&seen).into_iter(); while let Some(&k) = __items.next() { .. }
//! ```

mod each;
mod listed;
mod made;
mod methods;
mod patterns;
mod references;

pub(super) use made::{collection_made, last_name};

use super::Reader;
use super::borrowed::innermost;
use super::expr::{as_method, as_path, strip, unraw};
use super::grouped::{may_change, names_in};
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Local, Step};
use crate::lower::state::{Shape, is_state, number_of, shown, state_type};
use crate::lower::ty::Ty;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::{Ident, Span};
use quote::ToTokens;

impl Reader<'_> {
    /// A type of state.
    pub(super) fn state_of(&mut self, shape: Shape, name: &str) -> Ty {
        self.shapes.push(shape);
        state_type(self.shapes.len() - 1, name)
    }

    pub(super) fn unknown_state(&mut self, name: &str) -> Ty {
        self.state_of(Shape::Other(None), name)
    }

    /// What is known of state, also behind references.
    fn shape(&self, ty: &Ty) -> Option<Shape> {
        number_of(ty, &self.types).map(|k| self.shapes[k].clone())
    }

    /// A variable that holds state.
    fn state_local(&self, e: &syn::Expr) -> Option<Local> {
        let p = as_path(e)?;
        self.named_state(&unraw(p.path.get_ident()?))
    }

    fn named_state(&self, name: &str) -> Option<Local> {
        self.lookup(name)
            .filter(|local| self.states.contains(local))
    }

    /// Whether code has a variable that holds state.
    pub(super) fn mentions_state(&self, e: &syn::Expr) -> bool {
        if self.shapes.is_empty() {
            return false;
        }
        walk::any(Node::Expr(e), &mut |node| match node {
            Node::ExprPath(p) => {
                let name = p.path.get_ident().map(unraw);
                name.is_some_and(|name| self.named_state(&name).is_some())
            }
            Node::Macro(mac) => names_in(mac)
                .iter()
                .any(|name| self.named_state(name).is_some()),
            _ => false,
        })
    }

    /// `&mut seen`, which something else may change.
    pub(super) fn borrowed_state(&self, r: &syn::ExprReference) -> Option<String> {
        let local = self.state_local(&r.expr)?;
        let ty = &self.locals[local.0].ty;
        r.mutability.map(|_| shown(ty, &self.types))
    }

    /// Code on state, and what is read of it.
    pub(super) fn on_state(&mut self, e: &syn::Expr) -> Option<Expr> {
        if self.shapes.is_empty() {
            return None;
        }
        if let Some(change) = self.assign_to_state(e) {
            return Some(change);
        }
        if let Some(ty) = self.type_on_state(e) {
            return Some(self.run(e, ty));
        }
        // what a method is called on, which may be looked at before it is read
        let m = as_method(e)?;
        if let Some(listed) = self.listed(strip(e)) {
            return Some(self.expr(&listed));
        }
        if let Some(looped) = self.each_of_state(e) {
            return Some(self.expr(&looped));
        }
        let ty = self.type_on_state(&m.receiver)?;
        let found = self.run(&m.receiver, ty);
        let name = format!("__found{}", self.locals.len());
        let mut call = m.clone();
        let ident = Ident::new(&name, Span::call_site());
        *call.receiver = parse_quote!(#ident);
        let call = syn::Expr::MethodCall(call);
        Some(self.keeping_as(&name, found, |r, _| r.expr(&call)))
    }

    /// A statement whose value is dropped.
    pub(super) fn dropped_on_state(&mut self, e: &syn::Expr) -> Option<Expr> {
        if let Some(change) = self.changes_numbers(e) {
            return Some(change);
        }
        if self.shapes.is_empty() || self.state_local(e).is_some() {
            return None;
        }
        self.type_on_state(e)?;
        Some(self.run(e, Ty::unit()))
    }

    /// Runs code, with what it takes evaluated in front.
    fn run(&mut self, e: &syn::Expr, ty: Ty) -> Expr {
        let (mut code, mut first) = (e.clone(), Vec::new());
        self.open_scope();
        self.prepare(&mut code, &mut first);
        let run = self.run_as_is(&code, ty);
        self.close_scope();
        Expr::after(first, run)
    }

    pub(super) fn run_as_is(&mut self, code: &syn::Expr, ty: Ty) -> Expr {
        // an integer that state holds has the type that it has there
        let code = self.code_with(code, false, &|r, ty| match r.types.peel(ty) {
            Ty::Var(var) => {
                let mut held = r.shapes.iter().flat_map(Shape::held);
                !held.any(|of| r.types.occurs(var, of))
            }
            _ => true,
        });
        let kind = match code.kind {
            Kind::Passive(code) => Kind::OnState(code),
            kind => kind,
        };
        Expr { kind, ty, ..code }
    }

    /// `*counts.entry(k).or_insert(0) += n`, `seen = next`
    fn assign_to_state(&mut self, e: &syn::Expr) -> Option<Expr> {
        let (left, right) = match strip(e) {
            syn::Expr::Assign(a) => (&a.left, &a.right),
            syn::Expr::Binary(b) if walk::is_assignment(&b.op) => (&b.left, &b.right),
            _ => return None,
        };
        let ty = self.type_on_state(left)?;
        let mut first = Vec::new();
        self.open_scope();
        let mut value = (**right).clone();
        // the value comes first, as it does in Rust
        let found = self.state_argument(&mut value, &mut first);
        if let Some(found) = found
            && !is_state(&ty, &self.types)
        {
            let wanted = self.types.peel(&ty);
            self.unify(&wanted, &found, right.extent());
        }
        let mut place = (**left).clone();
        self.prepare(&mut place, &mut first);
        let mut code = strip(e).clone();
        match &mut code {
            syn::Expr::Assign(a) => (*a.left, *a.right) = (place, value),
            syn::Expr::Binary(b) => (*b.left, *b.right) = (place, value),
            _ => {}
        }
        let run = self.run_as_is(&code, Ty::unit());
        self.close_scope();
        Some(Expr::after(first, run))
    }

    /// `let iter = counts.iter();`, `let n = map.entry(k).or_insert(0);`: what is bound is state itself.
    pub(super) fn let_on_state(&mut self, local: &syn::Local) -> Option<Vec<Step>> {
        if let Some(steps) = self.let_else_on_state(local) {
            return Some(steps);
        }
        let (name, written, init) = plain_let(local)?;
        if let Some(written) = written
            && let Some(list) = self.list_made(written, init)
        {
            let mut local = local.clone();
            *local.init.as_mut()?.expr = list;
            return Some(self.let_stmt(&local).into_iter().collect());
        }
        let is_changed = super::grouped::names_text(init)
            && matches!(&local.pat, syn::Pat::Ident(p) if p.mutability.is_some());
        let ty = match is_changed {
            true => self.state_of(Shape::Text, "String"),
            false => self.type_on_state(init)?,
        };
        let ty = match written {
            Some(written) => self.state_as_written(written),
            None => ty,
        };
        let (mut code, mut first) = (init.clone(), Vec::new());
        if !is_state(&ty, &self.types) {
            // a number whose type is written
            let found = self
                .type_on_state(init)
                .filter(|of| is_state(of, &self.types));
            found?;
            let value = self.run(init, ty.clone());
            let is_changed = matches!(&local.pat, syn::Pat::Type(t)
                if matches!(&*t.pat, syn::Pat::Ident(p) if p.mutability.is_some()));
            let local = self.bind(&unraw(name), is_changed, ty, name.extent());
            first.push(Step::bind(local, value));
            return Some(first);
        }
        self.prepare(&mut code, &mut first);
        first.push(self.bind_state(name, &code, written, ty));
        Some(first)
    }

    /// `let name: T = code;`
    fn bind_state(
        &mut self,
        name: &Ident,
        code: &syn::Expr,
        written: Option<&syn::Type>,
        ty: Ty,
    ) -> Step {
        let typed = written.map(|of| parse_quote!({ let __made: #of = #code; __made }));
        let init = self.run_as_is(typed.as_ref().unwrap_or(code), ty.clone());
        let local = self.bind(&unraw(name), true, ty, name.extent());
        self.states.insert(local);
        Step::bind(local, init)
    }

    /// `for k in &seen { .. }`
    pub(super) fn for_on_state(&mut self, f: &syn::ExprForLoop) -> Option<Expr> {
        if self.shapes.is_empty() {
            return None;
        }
        if let Some(mut listed) = self.listed(strip(&f.expr)) {
            // `{ steps; iterator }`   =>   `{ steps; for k in iterator { .. } }`
            if let syn::Expr::Block(b) = &mut listed
                && let Some(syn::Stmt::Expr(iterator, None)) = b.block.stmts.pop()
            {
                let mut looped = f.clone();
                *looped.expr = iterator;
                b.block.stmts.push(syn::Stmt::Expr(looped.into(), None));
            }
            return Some(self.expr(&listed));
        }
        let ty = self.type_on_state(&f.expr)?;
        self.shape(&ty)?;
        let items = Ident::new(&format!("__items{}", self.locals.len()), Span::call_site());
        let (mut of, label, pat, body) = (f.expr.clone(), &f.label, &f.pat, &f.body);
        // what a call returns lives as long as the loop
        let made = Ident::new(&format!("__made{}", self.locals.len()), Span::call_site());
        let lives: Option<syn::Stmt> = innermost(&mut of).map(|call| {
            let of = std::mem::replace(call, parse_quote!(#made));
            parse_quote!(let mut #made = #of;)
        });
        let looped: syn::Expr = parse_quote!({
            #lives
            let mut #items = (#of).into_iter();
            #label while let ::core::option::Option::Some(#pat) = #items.next() #body
        });
        Some(self.expr(&looped))
    }

    /// Constant code that reads state is run where it stands.
    pub(super) fn passive_on_state(&mut self, e: &syn::Expr) -> Option<Expr> {
        if !self.mentions_state(e) {
            return None;
        }
        let ty = self.carried(self.type_as_written(e));
        Some(self.run_as_is(e, ty))
    }

    // ---- what stands in code on state ----

    /// Evaluates in front what code on state takes.
    fn prepare(&mut self, e: &mut syn::Expr, first: &mut Vec<Step>) {
        match e {
            syn::Expr::Paren(p) => self.prepare(&mut p.expr, first),
            syn::Expr::Group(g) => self.prepare(&mut g.expr, first),
            syn::Expr::Field(f) => self.prepare(&mut f.base, first),
            syn::Expr::Unary(u) => self.prepare(&mut u.expr, first),
            syn::Expr::Reference(r) => self.prepare(&mut r.expr, first),
            syn::Expr::Range(r) => {
                for end in [&mut r.start, &mut r.end].into_iter().flatten() {
                    self.state_argument(end, first);
                }
            }
            syn::Expr::Index(i) => {
                let of = self.type_on_state(&i.expr);
                self.prepare(&mut i.expr, first);
                let index = self.state_argument(&mut i.index, first);
                let of = of.and_then(|of| self.shape(&of));
                if let (Some(of), Some(index)) = (of, index) {
                    self.note_index(&of, &index, i.index.extent());
                }
            }
            syn::Expr::Macro(m) => self.written_first(&mut m.mac, first),
            syn::Expr::MethodCall(m) if let Some(text) = self.as_text(m) => {
                *e = text.into();
                self.prepare(e, first);
            }
            syn::Expr::MethodCall(m) => {
                let of = self.type_on_state(&m.receiver);
                self.prepare(&mut m.receiver, first);
                let changes = changes_first(&m.receiver);
                let args = m.args.iter_mut();
                let types: Vec<Option<Ty>> = args
                    .map(|arg| match changes && self.mentions_state(arg) {
                        true => None,
                        false => self.state_argument(arg, first),
                    })
                    .collect();
                let of = of.and_then(|of| self.shape(&of));
                if let Some(of) = of {
                    let name = m.method.to_string();
                    self.note_state_arguments(&of, &name, &types, m.method.extent());
                }
            }
            syn::Expr::Call(c) => {
                for arg in &mut c.args {
                    self.state_argument(arg, first);
                }
            }
            syn::Expr::Binary(b) => {
                self.state_argument(&mut b.left, first);
                self.state_argument(&mut b.right, first);
            }
            _ => {}
        }
    }

    /// The type of a constant that is made by a path, if it is not derived.
    fn made_by_function(&mut self, f: &syn::Expr) -> Option<Ty> {
        let p = as_path(f)?;
        let of = self.type_of_variant(&p.path)?;
        Some(self.state_as_written(&of))
    }

    /// Evaluates an argument in front, unless rustc knows better what it is. Returns its type as far as it is known.
    fn state_argument(&mut self, arg: &mut syn::Expr, first: &mut Vec<Step>) -> Option<Ty> {
        match arg {
            syn::Expr::Paren(p) => return self.state_argument(&mut p.expr, first),
            syn::Expr::Group(g) => return self.state_argument(&mut g.expr, first),
            syn::Expr::Lit(l) => return Some(self.literal(&l.lit).ty),
            syn::Expr::Reference(r) => {
                let of = self.state_argument(&mut r.expr, first)?;
                return Some(Ty::reference(r.mutability.is_some(), of));
            }
            syn::Expr::Tuple(t) => {
                let parts = t.elems.iter_mut();
                let parts: Vec<Option<Ty>> = parts.map(|e| self.state_argument(e, first)).collect();
                let parts = parts.into_iter();
                let parts = parts.map(|ty| ty.unwrap_or_else(|| self.types.fresh()));
                return Some(Ty::Tuple(parts.collect()));
            }
            syn::Expr::Array(a) => {
                let mut of = None;
                for e in &mut a.elems {
                    let ty = self.state_argument(e, first);
                    of = of.or(ty);
                }
                return Some(Ty::Slice(Box::new(of?)));
            }
            syn::Expr::Call(c) if is_reverse(&c.func) => {
                let of = self.state_argument(c.args.first_mut()?, first)?;
                return Some(Ty::Tuple(vec![of]));
            }
            syn::Expr::Call(c) if let Some(of) = self.made_by_function(&c.func) => {
                for arg in &mut c.args {
                    self.state_argument(arg, first);
                }
                return Some(of);
            }
            syn::Expr::Struct(s) if !self.env.is_struct(&s.path.to_token_stream().to_string()) => {
                let parts = s.fields.iter_mut().map(|f| &mut f.expr);
                for part in parts.chain(s.rest.as_deref_mut()) {
                    self.state_argument(part, first);
                }
                s.fields.iter_mut().for_each(|f| {
                    f.colon_token.get_or_insert_default();
                });
                let path = &s.path;
                let of = self.type_of_variant(path);
                return Some(self.state_as_written(&of.unwrap_or_else(|| parse_quote!(#path))));
            }
            syn::Expr::Path(p) => {
                let local = self.local_by(&p.path)?;
                let ty = self.locals[local.0].ty.clone();
                // one that the next argument may change is read now
                let changes = self.locals[local.0].mutable;
                if !changes
                    || !matches!(self.types.shallow(&ty), Ty::Int(_) | Ty::Bool | Ty::Var(_))
                {
                    return Some(ty);
                }
            }
            syn::Expr::Macro(_) | syn::Expr::Range(_) => {
                self.prepare(arg, first);
                return None;
            }
            syn::Expr::Closure(_) => return None,
            _ => {}
        }
        if let Some(ty) = self.type_on_state(arg)
            && is_state(&ty, &self.types)
        {
            self.prepare(arg, first);
            return Some(ty);
        }
        if is_iterator(arg) {
            return None;
        }
        let value = self.expr(arg);
        let ty = value.ty.clone();
        let name = format!("__arg{}", self.locals.len());
        let ident = Ident::new(&name, Span::call_site().located_at(value.span.start));
        let local = self.bind(&name, false, ty.clone(), value.span);
        first.push(Step::bind(local, value));
        *arg = parse_quote!(#ident);
        Some(ty)
    }
}

/// `let name: T = init;`
pub(super) fn plain_let(local: &syn::Local) -> Option<(&Ident, Option<&syn::Type>, &syn::Expr)> {
    let (pat, written) = match &local.pat {
        syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
        pat => (pat, None),
    };
    let syn::Pat::Ident(pat) = pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    (pat.by_ref.is_none() && pat.subpat.is_none()).then_some((&pat.ident, written, &init.expr))
}

/// `std::cmp::Reverse`
fn is_reverse(f: &syn::Expr) -> bool {
    matches!(strip(f), syn::Expr::Path(p)
        if p.path.segments.last().is_some_and(|s| s.ident == "Reverse"))
}

/// A chain of an iterator, which is no value of the function.
fn is_iterator(e: &syn::Expr) -> bool {
    let syn::Expr::MethodCall(m) = strip(e) else {
        return false;
    };
    let name = m.method.to_string();
    let is_source = matches!(
        &*name,
        "iter"
            | "into_iter"
            | "iter_mut"
            | "drain"
            | "keys"
            | "values"
            | "chars"
            | "bytes"
            | "split_whitespace"
            | "lines"
            | "collect"
    );
    is_source || super::iter::ADAPTERS.contains(&&*name) && is_iterator_or_range(&m.receiver)
}

fn is_iterator_or_range(e: &syn::Expr) -> bool {
    is_iterator(e) || matches!(strip(e), syn::Expr::Range(_))
}

/// Whether what a method is called on may change something before its arguments are evaluated.
fn changes_first(e: &syn::Expr) -> bool {
    walk::any(Node::Expr(e), &mut |node| match node {
        Node::Expr(syn::Expr::MethodCall(m)) => may_change(&m.method.to_string()),
        Node::Expr(syn::Expr::Call(_) | syn::Expr::Macro(_) | syn::Expr::Assign(_)) => true,
        _ => false,
    })
}
