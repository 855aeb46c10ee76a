//! Functions as values: `let laws = [first, second];`, `let f = match kind { .. };`. The value is a number, of an
//! integer type that the list of functions has to itself, and where it is called, the function with the number is.

use super::expr::{strip, unraw};
use super::{Item, Reader};
use crate::ir::Lit;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Arm, Closure, ClosureId, Expr, Kind, Lambda, Local, Pat, Step};
use crate::lower::inline::{as_closure, inputs_within};
use crate::lower::ty::{Ty, function_type};
use crate::report::Extent;
use crate::symbol;
use crate::template::parse_quote;
use crate::walk::{self, Node, Onward};
use proc_macro2::Span;
use quote::ToTokens;
use syn::punctuated::Punctuated;

impl Reader<'_> {
    /// `let f = match kind { A => g, B => |x| .. };`: `None` of anything else.
    pub(super) fn let_functions(&mut self, local: &syn::Local) -> Option<Vec<Step>> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (pat, written) = match &local.pat {
            syn::Pat::Type(t) => ((*t.pat).clone(), inputs_within(&t.ty)),
            pat => (pat.clone(), None),
        };
        let mut own = local.clone();
        let Some((value, mut steps)) = self.numbered(&init.expr, written.as_deref()) else {
            let matching = self.matching_closure(&init.expr, written.as_deref())?;
            *own.init.as_mut()?.expr = matching;
            return Some(self.let_closure(&own));
        };
        own.pat = pat;
        *own.init.as_mut()?.expr = value;
        steps.extend(self.let_stmt(&own));
        Some(steps)
    }

    /// `[f64::sin, f64::cos]`: `None` of a list of anything else.
    pub(super) fn list_of_functions(&mut self, list: &syn::ExprArray) -> Option<Expr> {
        let (value, stmts) = self.numbered(&syn::Expr::Array(list.clone()), None)?;
        let value = self.expr(&value);
        let span = value.span;
        Some(Expr::block(stmts, value, span))
    }

    /// The closure that an `if` or a `match` chooses: one that calls the function with the number.
    pub(super) fn one_of(&mut self, e: &syn::Expr, steps: &mut Vec<Step>) -> Option<Item> {
        let span = e.extent();
        let Some((value, made)) = self.numbered(e, None) else {
            let matching = self.matching_closure(e, None)?;
            return self.made(&matching, None, steps);
        };
        steps.extend(made);
        let value = self.expr(&value);
        let table = self.functions_of(&value.ty)?;
        let params = self.closures[table.first()?.0].params.clone();
        let number = self.unnamed("function", value.ty.clone(), span);
        let outside = self.locals.len();
        let local = |l: Local, ty: &Ty| Expr::new(Kind::Local(l), ty.clone(), span);
        let own: Vec<Local> = params
            .iter()
            .map(|ty| self.unnamed("argument", ty.clone(), span))
            .collect();
        let args = own
            .iter()
            .zip(&params)
            .map(|(l, ty)| local(*l, ty))
            .collect();
        let chosen = local(number, &value.ty);
        steps.push(Step::bind(number, value));
        let lambda = Lambda::new(
            own.into_iter().map(Pat::Bind).collect(),
            Box::new(self.call_one_of(chosen, &table, args, span)),
            outside,
        );
        self.closures.push(Closure { lambda, params });
        let id = ClosureId(self.closures.len() - 1);
        steps.push(Step::Closure(id));
        Some(Item::Closure(id))
    }

    // match kind { Kind::Scaled(k) => move |v: f64| v * k, .. }
    //   =>   move |__a0: f64| match kind { Kind::Scaled(k) => (move |v: f64| v * k)(__a0), .. }
    /// A closure that chooses when it is called, of what does not change until then.
    fn matching_closure(&self, e: &syn::Expr, written: Option<&[syn::Type]>) -> Option<syn::Expr> {
        let syn::Expr::Match(m) = strip(e) else {
            return None;
        };
        let of = self.local_of(behind_fields(&m.expr))?;
        let of = &self.locals[of.0];
        if of.mutable || matches!(self.types.shallow(&of.ty), Ty::Ref(true, _)) {
            return None;
        }
        let (mut m, mut inputs, mut moves) = (m.clone(), None, None);
        for arm in &mut m.arms {
            let made = made_at_end(&mut arm.body)?;
            let mut f = super::closure::function(made).clone();
            if let Some(written) = written {
                f = as_closure(f, written);
            }
            let syn::Expr::Closure(c) = f else {
                return None;
            };
            let names =
                (0..c.inputs.len()).map(|k| syn::Ident::new(&format!("__a{k}"), Span::call_site()));
            let names: Vec<syn::Ident> = names.collect();
            let pats = names.iter().zip(&c.inputs).map(|(name, pat)| -> syn::Pat {
                match pat {
                    syn::Pat::Type(t) => syn::Pat::Type(syn::PatType {
                        pat: parse_quote!(#name),
                        ..t.clone()
                    }),
                    _ => parse_quote!(#name),
                }
            });
            let pats: Vec<syn::Pat> = pats.collect();
            inputs.get_or_insert(pats);
            moves = moves.or(c.capture);
            *made = parse_quote!((#c)(#(#names),*));
        }
        let inputs = inputs?;
        Some(parse_quote!(#moves |#(#inputs),*| #m))
    }

    /// An expression with numbers in the place of its functions, and the statements that make these.
    fn numbered(
        &mut self,
        e: &syn::Expr,
        inputs: Option<&[syn::Type]>,
    ) -> Option<(syn::Expr, Vec<Step>)> {
        if !may_hold_functions(e) {
            return None;
        }
        let (mut e, mut found) = (e.clone(), Vec::new());
        let table = self.functions.len();
        if !self.number(&mut e, table, &mut found) || found.is_empty() {
            return None;
        }
        self.functions.push(Vec::new());
        let mut steps = Vec::new();
        for f in &found {
            let closure = match (inputs, f) {
                (Some(inputs), _) => as_closure(f.clone(), inputs),
                (None, syn::Expr::Path(p)) => match self.closure_of_path(p) {
                    Some(closure) => closure,
                    None => f.clone(),
                },
                (None, f) => f.clone(),
            };
            let id = self.made_closure(&closure, None, &mut steps)?;
            self.functions[table].push(id);
        }
        Some((e, steps))
    }

    /// Puts numbers in the place of functions; false if something else stands in the place of one.
    fn number(&mut self, e: &mut syn::Expr, table: usize, found: &mut Vec<syn::Expr>) -> bool {
        match e {
            syn::Expr::Paren(p) => return self.number(&mut p.expr, table, found),
            syn::Expr::Group(g) => return self.number(&mut g.expr, table, found),
            syn::Expr::Array(list) => {
                return list.elems.iter_mut().all(|e| self.number(e, table, found));
            }
            // a name or a weight beside a function
            syn::Expr::Tuple(t) => {
                let before = found.len();
                for e in &mut t.elems {
                    self.number(e, table, found);
                }
                return found.len() > before;
            }
            syn::Expr::Match(m) => {
                return m.arms.iter_mut().all(|arm| {
                    ends(&arm.body)
                        || !binds_what_is_used(&arm.pat, &arm.body)
                            && self.number(&mut arm.body, table, found)
                });
            }
            // what it binds is not in scope yet
            syn::Expr::If(i) if super::matching::has_let(&i.cond) => return false,
            syn::Expr::If(i) => {
                let then = self.number_block(&mut i.then_branch, table, found);
                let els = i.else_branch.as_mut();
                return then && els.is_some_and(|(_, e)| self.number(e, table, found));
            }
            syn::Expr::Block(b) if b.block.stmts.len() == 1 => {
                return self.number_block(&mut b.block, table, found);
            }
            syn::Expr::Reference(r) if matches!(strip(&r.expr), syn::Expr::Array(_)) => {
                return self.number(&mut r.expr, table, found);
            }
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => {
                let parts = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
                let Ok(mut elems) = m.mac.parse_body_with(parts) else {
                    return false;
                };
                let all = elems.iter_mut().all(|e| self.number(e, table, found));
                m.mac.tokens = elems.to_token_stream();
                return all;
            }
            _ => {}
        }
        let f = super::closure::function(e);
        let is_function = match f {
            syn::Expr::Closure(_) => true,
            syn::Expr::Path(p) => self.closure_of_path(p).is_some(),
            other => self.calls_of(other) > 0,
        };
        if is_function {
            let number = format!("{}{}", found.len(), function_type(table));
            found.push(f.clone());
            let number = syn::LitInt::new(&number, Span::call_site());
            *e = parse_quote!(#number);
        }
        is_function
    }

    fn number_block(
        &mut self,
        block: &mut syn::Block,
        table: usize,
        found: &mut Vec<syn::Expr>,
    ) -> bool {
        match block.stmts.as_mut_slice() {
            [syn::Stmt::Expr(e, None)] => self.number(e, table, found),
            _ => false,
        }
    }

    /// A function by its path, as a closure; asks for its signature if that is not known.
    pub(super) fn closure_of_path(&self, p: &syn::ExprPath) -> Option<syn::Expr> {
        let path = &p.path;
        let mut names = path.segments.iter().rev().map(|s| s.ident.to_string());
        let (last, owner) = (names.next()?, names.next());
        let arity = match path.get_ident() {
            Some(name) if self.closure_of(name).is_some() => return Some(p.clone().into()),
            Some(name) if self.lookup(&unraw(name)).is_some() => return None,
            Some(name) if self.item(&unraw(name)).is_some() => return None,
            _ if p.qself.is_some() || !last.starts_with(char::is_lowercase) => return None,
            _ if owner.as_deref() == Some(self.float) => symbol::elementary(&last)?.1,
            // `P::scale` of a type
            _ if owner.is_some_and(|of| of.starts_with(char::is_uppercase)) => {
                let mut of = path.clone();
                of.segments.pop();
                of.segments.pop_punct();
                let method = self.env.method_of(&of.to_token_stream(), &last)?;
                method.inputs.len() + usize::from(method.receiver.is_some())
            }
            _ => match self.env.function(&path.to_token_stream().to_string()) {
                Some(known) => known.signature.inputs.len(),
                None => {
                    self.cx.ask(path.to_token_stream());
                    return None;
                }
            },
        };
        let args = (0..arity).map(|k| syn::Ident::new(&format!("__a{k}"), Span::call_site()));
        let args: Vec<syn::Ident> = args.collect();
        Some(parse_quote!(|#(#args),*| #p(#(#args),*)))
    }

    /// The functions that a value is one of.
    pub(super) fn functions_of(&self, ty: &Ty) -> Option<Vec<ClosureId>> {
        let Ty::Int(name) = self.types.peel(ty) else {
            return None;
        };
        let tables = self.functions.iter().enumerate();
        let mut tables = tables.filter(|(k, _)| function_type(*k) == name);
        tables.next().map(|(_, table)| table.clone())
    }

    // f(a, b)   =>   { let n = f; let x = a; let y = b; match n { 0 => first(x, y), _ => second(x, y) } }
    pub(super) fn call_one_of(
        &mut self,
        f: Expr,
        table: &[ClosureId],
        args: Vec<Expr>,
        span: Extent,
    ) -> Expr {
        let expr = |kind: Kind, ty: &Ty| Expr::new(kind, ty.clone(), span);
        let mut stmts = Vec::new();
        let mut bound = |r: &mut Self, value: Expr| {
            let ty = value.ty.clone();
            let local = r.unnamed("argument", ty.clone(), span);
            stmts.push(Step::bind(local, value));
            expr(Kind::Local(local), &ty)
        };
        let number = bound(self, f);
        let args: Vec<Expr> = args.into_iter().map(|a| bound(self, a)).collect();
        let fits = |id: &&ClosureId| self.closures[id.0].params.len() == args.len();
        let fitting: Vec<_> = table
            .iter()
            .enumerate()
            .filter(|(_, id)| fits(id))
            .collect();
        let (mut arms, mut result) = (Vec::new(), None);
        for (k, id) in &fitting {
            let body = self.call_closure(**id, args.clone(), span);
            result = match &result {
                Some(ty) => Some(self.joined(ty, &body.ty, span)),
                None => Some(body.ty.clone()),
            };
            let pat = if arms.len() + 1 == fitting.len() {
                Pat::Wild
            } else {
                let n = Kind::Lit(Lit::Int(*k as i128));
                Pat::Value(Box::new(expr(n, &number.ty)))
            };
            arms.push(Arm {
                pat,
                guard: None,
                body,
            });
        }
        let Some(ty) = result else {
            self.cx.mismatch();
            return self.refused(span);
        };
        let value = expr(Kind::Match(Box::new(number), arms), &ty);
        Expr::block(stmts, value, span)
    }
}

/// Whether an expression chooses or lists what may be functions.
pub(super) fn may_hold_functions(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Array(_) | syn::Expr::Match(_) | syn::Expr::If(_) => true,
        syn::Expr::Macro(m) => m.mac.path.is_ident("vec"),
        syn::Expr::Reference(r) => matches!(strip(&r.expr), syn::Expr::Array(_)),
        _ => false,
    }
}

/// Whether an arm has no value.
fn ends(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => true,
        syn::Expr::Macro(m) => ["panic", "unreachable", "todo", "unimplemented"]
            .iter()
            .any(|name| m.mac.path.is_ident(name)),
        _ => false,
    }
}

/// `kind` of `&self.kind`.
fn behind_fields(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::Field(f) => behind_fields(&f.base),
        syn::Expr::Reference(r) => behind_fields(&r.expr),
        e => e,
    }
}

/// What an expression gives that does nothing but name values before.
fn made_at_end(e: &mut syn::Expr) -> Option<&mut syn::Expr> {
    match e {
        syn::Expr::Block(b) => {
            let (last, before) = b.block.stmts.split_last_mut()?;
            let names_values = |stmt: &syn::Stmt| {
                let has_effects = |node: Node<'_>| {
                    matches!(node, Node::Macro(_))
                        || matches!(
                            node,
                            Node::Expr(
                                syn::Expr::Assign(_) | syn::Expr::Return(_) | syn::Expr::Try(_)
                            )
                        )
                };
                matches!(stmt, syn::Stmt::Local(_))
                    && !walk::any(Node::Stmt(stmt), &mut |node| has_effects(node))
            };
            match last {
                syn::Stmt::Expr(e, None) if before.iter().all(names_values) => made_at_end(e),
                _ => None,
            }
        }
        e => Some(e),
    }
}

/// Whether a pattern binds a name that the function in its arm uses.
fn binds_what_is_used(pat: &syn::Pat, body: &syn::Expr) -> bool {
    let mut names = Vec::new();
    walk::read(Node::Pat(pat), &mut |node| {
        if let Node::Pat(syn::Pat::Ident(p)) = node {
            names.push(p.ident.clone());
        }
        Onward::Into
    });
    walk::read(Node::Expr(body), &mut |node| match node {
        Node::ExprPath(p) if p.path.get_ident().is_some_and(|i| names.contains(i)) => Onward::Found,
        _ => Onward::Into,
    })
}
