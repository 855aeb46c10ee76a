//! Where state comes from: a `let` of a collection that changes in other statements than those that fill it first.

use super::super::Reader;
use super::super::collections::text_type;
use super::super::expr::{as_call, as_path, strip, unraw};
use super::super::grouped::{COLLECTIONS, may_change, names_in};
use super::super::lifted::behind_references;
use super::plain_let;
use super::references::refers_to_constants;
use crate::lower::code;
use crate::lower::hir::Step;
use crate::lower::state::{Shape, is_state};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::types::element;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::Ident;
use quote::ToTokens;

impl Reader<'_> {
    /// The state that the statement at `k` of a block binds.
    pub(in crate::lower::read) fn let_state(
        &mut self,
        stmts: &[syn::Stmt],
        k: usize,
    ) -> Option<Vec<Step>> {
        let syn::Stmt::Local(local) = &stmts[k] else {
            return None;
        };
        if let Some(steps) = self.let_on_state(local) {
            return Some(steps);
        }
        let (name, written, init) = plain_let(local)?;
        let borrowed = self.borrowed_as(&stmts[k + 1..], name);
        let of = match (written, &borrowed) {
            (Some(written), _) => self.env.expanded(written),
            (None, Some(borrowed)) => borrowed.clone(),
            (None, None) => match self.list_of_references(init, &stmts[k + 1..], name) {
                Some(of) => of,
                None => text_type(init)
                    .or_else(|| self.collection_given(init))
                    .or_else(|| collection_made(init))?,
            },
        };
        let is_std = |r: &Self, of: &syn::Type| {
            let name = last_name(of).unwrap_or_default();
            COLLECTIONS.contains(&&*name) && !r.env.is_struct(&name)
        };
        // a vector of texts, of collections or of references
        let is_list = |r: &Self| {
            element(&of).is_some_and(|item| {
                let behind = behind_references(item);
                let is_unseen =
                    is_std(r, behind) || last_name(behind).is_some_and(|name| name == "str");
                let is_object = r.env.has_boxed(item);
                let is_filled_with_active =
                    r.may_be_active(init) || r.is_filled_with_active(&stmts[k + 1..], name);
                let is_own = r.env.is_active(item) && is_filled_with_active;
                let refers = matches!(of, syn::Type::Path(_)) && refers_to_constants(item);
                is_unseen || refers && !is_object && !is_own
            })
        };
        let is_text = matches!(&of, syn::Type::Reference(r)
            if r.mutability.is_none() && types::is_std_name(&r.elem, &["str"]));
        if !(borrowed.is_some() || is_text || is_std(self, &of) || is_list(self))
            || !self.changes_later(stmts, k, name)
        {
            return None;
        }
        let ty = self.state_as_written(&of);
        if !is_state(&ty, &self.types) {
            return None;
        }
        let (mut code, mut first) = (init.clone(), Vec::new());
        if let syn::Expr::Call(c) = &mut code {
            let args: Vec<Option<Ty>> = c
                .args
                .iter_mut()
                .map(|arg| self.state_argument(arg, &mut first))
                .collect();
            if let [Some(from)] = &args[..]
                && let Some(shape) = self.shape(&ty)
            {
                self.note_contents(&shape, from, name.span().into());
            }
        }
        self.prepare_list(&mut code, &mut first);
        self.prepare_ends(&mut code, &mut first);
        first.push(self.bind_state(name, &code, written, ty));
        Some(first)
    }

    /// The collection that a function or a method of constants returns: `grid.table()`.
    fn collection_given(&self, init: &syn::Expr) -> Option<syn::Type> {
        let is_call = matches!(strip(init), syn::Expr::Call(_) | syn::Expr::MethodCall(_));
        let of = (is_call && !self.may_be_active(init))
            .then(|| self.type_as_written(init))
            .flatten()?;
        COLLECTIONS.contains(&&*last_name(&of)?).then_some(of)
    }

    /// Evaluates in front the ends of the range that a chain begins with.
    fn prepare_ends(&mut self, code: &mut syn::Expr, first: &mut Vec<Step>) {
        match code {
            syn::Expr::MethodCall(m) => self.prepare_ends(&mut m.receiver, first),
            syn::Expr::Paren(p) => self.prepare_ends(&mut p.expr, first),
            syn::Expr::Group(g) => self.prepare_ends(&mut g.expr, first),
            syn::Expr::Range(_) => self.prepare(code, first),
            _ => {}
        }
    }

    /// Evaluates in front what `vec![false; n]` takes.
    fn prepare_list(&mut self, code: &mut syn::Expr, first: &mut Vec<Step>) {
        let syn::Expr::Macro(m) = code else { return };
        if !m.mac.path.is_ident("vec") {
            return;
        }
        let tokens = &m.mac.tokens;
        let Ok(mut list) = syn::parse2::<syn::Expr>(code::in_brackets(tokens)) else {
            return;
        };
        match &mut list {
            syn::Expr::Repeat(r) => {
                // of what is made rustc knows the type
                if !matches!(strip(&r.expr), syn::Expr::Call(_) | syn::Expr::Macro(_)) {
                    self.state_argument(&mut r.expr, first);
                }
                self.state_argument(&mut r.len, first);
                let (of, len) = (&r.expr, &r.len);
                m.mac.tokens = code::repeated(of, len);
            }
            syn::Expr::Array(a) => {
                for of in &mut a.elems {
                    if !matches!(strip(of), syn::Expr::Call(_) | syn::Expr::Macro(_)) {
                        self.state_argument(of, first);
                    }
                }
                m.mac.tokens = a.elems.to_token_stream();
            }
            _ => {}
        }
    }

    /// Writes the types of vectors that a function fills, `let mut list = Vec::new(); words(text, &mut list);`, and of
    /// those of texts.
    pub(in crate::lower::read) fn with_types_of_borrowed(
        &mut self,
        block: &syn::Block,
    ) -> Option<syn::Block> {
        let mut typed: Option<syn::Block> = None;
        for (k, stmt) in block.stmts.iter().enumerate() {
            let syn::Stmt::Local(local) = stmt else {
                continue;
            };
            let Some((name, None, init)) = plain_let(local) else {
                continue;
            };
            let is_vector = || last_name(&collection_made(init)?).filter(|of| of == "Vec");
            let borrowed =
                || is_vector().and_then(|_| self.borrowed_as(&block.stmts[k + 1..], name));
            if let Some(of @ syn::Type::Path(_)) = texts_in(init).or_else(borrowed)
                && let syn::Stmt::Local(local) =
                    &mut typed.get_or_insert_with(|| block.clone()).stmts[k]
            {
                let pat = &local.pat;
                local.pat = syn::Pat::Type(parse_quote!(#pat: #of));
            }
        }
        typed
    }

    /// The type behind the reference by which a function or method that is not differentiated may change a variable.
    fn borrowed_as(&mut self, stmts: &[syn::Stmt], name: &Ident) -> Option<syn::Type> {
        let is_borrowed = |arg: &syn::Expr| {
            matches!(strip(arg), syn::Expr::Reference(r)
                if r.mutability.is_some() && matches!(strip(&r.expr), syn::Expr::Path(p) if p.path.is_ident(name)))
        };
        let mut found = None;
        for stmt in stmts {
            walk::any(Node::Stmt(stmt), &mut |node| {
                let (e, args) = match node {
                    Node::Expr(e @ syn::Expr::Call(c)) => (e, &c.args),
                    Node::Expr(e @ syn::Expr::MethodCall(m)) => (e, &m.args),
                    _ => return false,
                };
                if let Some(k) = args.iter().position(is_borrowed)
                    && let Some(input) = self.plain_inputs(e).and_then(|of| of.into_iter().nth(k))
                    && let syn::Type::Reference(r) = types::ungroup(&input)
                {
                    found = Some(self.env.expanded(&r.elem));
                }
                found.is_some()
            });
        }
        found
    }

    /// Whether a collection changes otherwise than in statements that fill it before it is read.
    fn changes_later(&mut self, stmts: &[syn::Stmt], k: usize, name: &Ident) -> bool {
        let filled = self.grouped(stmts, k).map(|group| group.members);
        let members = filled.as_deref().unwrap_or(&[]);
        let mut rest = stmts.iter().enumerate().skip(k + 1);
        rest.any(|(at, stmt)| match members.contains(&at) {
            // constant code reads no parameter that is differentiated
            true => self.reads_active_parameter(stmt),
            false => changes(stmt, name),
        })
    }

    /// Whether what depends on the inputs is put into a list, or refers to what a loop goes through that does.
    fn is_filled_with_active(&self, stmts: &[syn::Stmt], name: &Ident) -> bool {
        let puts = |m: &syn::ExprMethodCall, is: &dyn Fn(&syn::Expr) -> bool| {
            matches!(&*m.method.to_string(), "push" | "insert" | "extend")
                && as_path(&m.receiver).is_some_and(|p| p.path.is_ident(name))
                && m.args.iter().any(is)
        };
        let mut is_it = |node: Node<'_>| match node {
            Node::Expr(syn::Expr::MethodCall(m)) => puts(m, &|arg| self.may_be_active(arg)),
            Node::Expr(syn::Expr::ForLoop(f)) if self.may_be_active(&f.expr) => {
                let bound = walk::bound(Node::Pat(&f.pat));
                let is_item = |arg: &syn::Expr| {
                    walk::has_path_from(Node::Expr(arg), &mut |name| bound.contains(name))
                };
                walk::any(
                    Node::Block(&f.body),
                    &mut |node| matches!(node, Node::Expr(syn::Expr::MethodCall(m)) if puts(m, &is_item)),
                )
            }
            _ => false,
        };
        stmts
            .iter()
            .any(|stmt| walk::any(Node::Stmt(stmt), &mut is_it))
    }

    fn reads_active_parameter(&self, stmt: &syn::Stmt) -> bool {
        walk::any(Node::Stmt(stmt), &mut |node| match node {
            Node::Expr(e @ syn::Expr::Path(p)) => {
                let local = self.local_by(&p.path);
                local.is_some_and(|local| local.0 < self.parameters) && self.may_be_active(e)
            }
            _ => false,
        })
    }

    /// The type of a value as it is written, where collections are state.
    pub(in crate::lower::read) fn state_as_written(&mut self, ty: &syn::Type) -> Ty {
        let ty = self.env.expanded(ty);
        match types::ungroup(&ty) {
            syn::Type::Infer(_) => self.types.fresh(),
            syn::Type::Reference(r) => {
                let of = self.state_as_written(&r.elem);
                Ty::reference(r.mutability.is_some(), of)
            }
            syn::Type::Tuple(t) => {
                Ty::Tuple(t.elems.iter().map(|of| self.state_as_written(of)).collect())
            }
            syn::Type::Slice(syn::TypeSlice { elem, .. })
            | syn::Type::Array(syn::TypeArray { elem, .. }) => {
                let of = self.state_as_written(elem);
                self.state_of(Shape::List(of), "Vec")
            }
            syn::Type::Path(p) => self.state_of_path(&p.path, &ty),
            _ => self.unknown_state("state"),
        }
    }

    fn state_of_path(&mut self, path: &syn::Path, ty: &syn::Type) -> Ty {
        let Some(last) = path.segments.last() else {
            return self.types.fresh();
        };
        let name = last.ident.to_string();
        let mut args = Vec::new();
        for of in types::arguments(path) {
            args.push(self.state_as_written(of));
        }
        let other = Shape::Other(Some(crate::ir::Tokens(ty.to_token_stream())));
        if self.env.is_struct(&name) {
            return self.state_of(other, &name);
        }
        let mut args = args.into_iter();
        let mut next = |r: &mut Self| match args.next() {
            Some(ty) => ty,
            None => r.types.fresh(),
        };
        match &*name {
            "VecDeque" | "LinkedList" | "Vec" => {
                let of = next(self);
                self.state_of(Shape::List(of), &name)
            }
            "HashSet" | "BTreeSet" => {
                let of = next(self);
                self.state_of(Shape::Set(of), &name)
            }
            "BinaryHeap" => {
                let of = next(self);
                self.state_of(Shape::Heap(of), &name)
            }
            "HashMap" | "BTreeMap" => {
                let (key, value) = (next(self), next(self));
                self.state_of(Shape::Map(key, value), &name)
            }
            "Reverse" => Ty::Tuple(vec![next(self)]),
            "Option" => Ty::Sum(vec![next(self)]),
            "Box" | "Rc" | "Arc" => next(self),
            "String" | "str" => self.state_of(Shape::Text, &name),
            _ if self.types.names_data(path) => {
                Ty::Opaque(crate::ir::Tokens(path.to_token_stream()))
            }
            _ => match types::read_plain(ty, self.float, &mut self.types) {
                Some(ty @ (Ty::Float | Ty::Int(_) | Ty::Bool)) => ty,
                _ => self.state_of(other, &name),
            },
        }
    }
}

/// The type of a vector that is made of texts: `vec!["a".to_string()]`
fn texts_in(init: &syn::Expr) -> Option<syn::Type> {
    let syn::Expr::Macro(m) = strip(init) else {
        return None;
    };
    let all = walk::arguments(&m.mac).filter(|_| m.mac.path.is_ident("vec"))?;
    let of = text_type(all.first()?)?;
    Some(parse_quote!(::std::vec::Vec<#of>))
}

/// The collection that a function of its type makes: `HashSet::<usize>::new()`.
pub(in crate::lower::read) fn collection_made(init: &syn::Expr) -> Option<syn::Type> {
    let c = as_call(init)?;
    let p = as_path(&c.func)?;
    let mut path = p.path.clone();
    path.segments.pop()?;
    let last = path.segments.pop()?.into_value();
    path.segments.push(last);
    Some(syn::Type::Path(syn::TypePath { qself: None, path }))
}

pub(in crate::lower::read) fn last_name(ty: &syn::Type) -> Option<String> {
    match types::ungroup(ty) {
        syn::Type::Path(p) => Some(p.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// Whether a statement changes a variable, as far as it says so.
fn changes(stmt: &syn::Stmt, name: &Ident) -> bool {
    let is_its = |e: &syn::Expr| is_part(e, name);
    walk::any(Node::Stmt(stmt), &mut |node| match node {
        Node::Expr(syn::Expr::MethodCall(m)) => {
            may_change(&m.method.to_string()) && is_its(&m.receiver)
        }
        Node::Expr(syn::Expr::Reference(r)) => r.mutability.is_some() && is_its(&r.expr),
        Node::Expr(syn::Expr::Assign(a)) => is_its(&a.left),
        Node::Expr(syn::Expr::Binary(b)) => walk::is_assignment(&b.op) && is_its(&b.left),
        Node::Macro(mac) => {
            let writes = mac.path.segments.last().is_some_and(|s| {
                let name = s.ident.to_string();
                name == "write" || name == "writeln"
            });
            writes && names_in(mac).contains(&unraw(name))
        }
        _ => false,
    })
}

/// Whether a chain begins with a variable.
pub(super) fn is_part(e: &syn::Expr, name: &Ident) -> bool {
    match strip(e) {
        syn::Expr::Path(p) => p.path.is_ident(name),
        syn::Expr::MethodCall(m) => is_part(&m.receiver, name),
        syn::Expr::Field(f) => is_part(&f.base, name),
        syn::Expr::Index(i) => is_part(&i.expr, name),
        syn::Expr::Unary(u) => is_part(&u.expr, name),
        syn::Expr::Reference(r) => is_part(&r.expr, name),
        _ => false,
    }
}
