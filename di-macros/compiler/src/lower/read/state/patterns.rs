//! Patterns of state: an option of a reference, or of a value that the compiler does not look into.
//!
//! ```text
//! if let Some(n) = counts.get_mut(&k) { .. }
//! =>
//! if let __of = counts.get_mut(&k) && match __of { Some(_) => true, _ => false }
//!     && let n = match __of { Some(n) => n, _ => unreachable!() } { .. }
//! ```

use super::super::Reader;
use super::super::expr::{strip, unraw};
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Local, Pat, Step};
use crate::lower::state::is_state;
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, Span};
use quote::ToTokens;

impl Reader<'_> {
    /// `let pat = e` in a condition, of state that is taken apart.
    pub(in crate::lower::read) fn let_condition_on_state(
        &mut self,
        pat: &syn::Pat,
        e: &syn::Expr,
    ) -> Option<Expr> {
        if self.shapes.is_empty() {
            return None;
        }
        let ty = self.type_on_state(e)?;
        if !is_state(&ty, &self.types) {
            return None;
        }
        let span = e.extent();
        let (name, mut conditions) = match strip(e) {
            syn::Expr::Path(p) => (p.path.get_ident()?.clone(), Vec::new()),
            _ => {
                let of = self.run(e, ty.clone());
                let name = format!("__of{}", self.locals.len());
                let bound = self.condition_binding(&name, of);
                (Ident::new(&name, Span::call_site()), vec![bound])
            }
        };
        conditions.push(self.test(pat, &name));
        for (bound, value) in self.bound_parts(pat, &ty, &name) {
            conditions.push(self.condition_binding(&bound, value));
        }
        let mut conditions = conditions.into_iter();
        let first = conditions.next()?;
        Some(conditions.fold(first, |all, next| and(all, next, span)))
    }

    /// `let Some(n) = counts.get_mut(&k) else { .. };`
    pub(super) fn let_else_on_state(&mut self, local: &syn::Local) -> Option<Vec<Step>> {
        let init = local.init.as_ref()?;
        let els = &init.diverge.as_ref()?.1;
        let pat = match &local.pat {
            syn::Pat::Type(t) => &t.pat,
            pat => pat,
        };
        let ty = self.type_on_state(&init.expr)?;
        if !is_state(&ty, &self.types) {
            return None;
        }
        let name = Ident::new(&format!("__of{}", self.locals.len()), Span::call_site());
        let of = &init.expr;
        let first: syn::Stmt = parse_quote!(let mut #name = #of;);
        let syn::Stmt::Local(first) = &first else {
            return None;
        };
        let mut steps = self.let_on_state(first)?;
        let test = self.test(pat, &name);
        let flag = Ident::new(&format!("__is{}", self.locals.len()), Span::call_site());
        let local = self.bind_value(&unraw(&flag), &test);
        steps.push(Step::bind(local, test));
        let left: syn::Expr = parse_quote!(if !#flag #els);
        steps.push(Step::Expr(self.expr(&left)));
        for (bound, init) in self.bound_parts(pat, &ty, &name) {
            let local = self.bind_value(&bound, &init);
            steps.push(Step::bind(local, init));
        }
        Some(steps)
    }

    /// Whether the pattern fits what has this name.
    fn test(&mut self, pat: &syn::Pat, name: &Ident) -> Expr {
        let pat = named_alone(pat, None);
        let test = parse_quote!(match #name { #pat => true, _ => false });
        self.run_as_is(&test, Ty::Bool)
    }

    /// What the pattern binds, each by itself; numbers first, since what is moved out is no longer there.
    fn bound_parts(&mut self, pat: &syn::Pat, ty: &Ty, name: &Ident) -> Vec<(String, Expr)> {
        let mut names = Vec::new();
        self.bound_by(pat, ty, &mut names);
        names.sort_by_key(|(_, ty)| is_state(ty, &self.types));
        let parts = names.into_iter().map(|(bound, ty)| {
            let alone = named_alone(pat, Some(&bound));
            let value = parse_quote!(match #name { #alone => #bound, _ => ::core::unreachable!() });
            (unraw(&bound), self.run_as_is(&value, ty))
        });
        parts.collect()
    }

    fn bind_value(&mut self, name: &str, value: &Expr) -> Local {
        let is_state = is_state(&value.ty, &self.types);
        let local = self.bind(name, is_state, value.ty.clone(), value.span);
        if is_state {
            self.states.insert(local);
        }
        local
    }

    /// `let name = value` in a condition.
    fn condition_binding(&mut self, name: &str, value: Expr) -> Expr {
        let span = value.span;
        let local = self.bind_value(name, &value);
        Expr::new(Kind::Let(Pat::Bind(local), Box::new(value)), Ty::Bool, span)
    }

    /// `match counts.get_mut(&k) { Some(n) => .., None => .. }`   =>   `if let Some(n) = __of { .. } else { .. }`
    pub(in crate::lower::read) fn match_on_state(&mut self, m: &syn::ExprMatch) -> Option<Expr> {
        if self.shapes.is_empty() {
            return None;
        }
        let ty = self.type_on_state(&m.expr)?;
        if !is_state(&ty, &self.types) {
            return None;
        }
        let name = Ident::new(&format!("__of{}", self.locals.len()), Span::call_site());
        let mut chain: syn::Expr = parse_quote!({ ::core::unreachable!() });
        for arm in m.arms.iter().rev() {
            let (pat, body) = (&arm.pat, &arm.body);
            chain = match (&arm.guard, pat) {
                (None, syn::Pat::Wild(_)) => parse_quote!({ #body }),
                (None, pat) => parse_quote!(if let #pat = #name { #body } else #chain),
                (Some((_, guard)), pat) => {
                    parse_quote!(if let #pat = #name && #guard { #body } else #chain)
                }
            };
        }
        let of = &m.expr;
        let block: syn::Expr = parse_quote!({ let mut #name = #of; #chain });
        Some(self.expr(&block))
    }

    /// The type of a part of a struct or of a variant that a pattern names.
    fn part_of_pattern(&mut self, path: &syn::Path, name: &str) -> Ty {
        let path = path.to_token_stream().to_string();
        match self.env.field(&path, name) {
            Some(of) => self.state_as_written(&of),
            None => self.unknown_state("state"),
        }
    }

    /// The names that a pattern binds, with their types as far as these are known.
    fn bound_by(&mut self, pat: &syn::Pat, ty: &Ty, names: &mut Vec<(Ident, Ty)>) {
        let behind = match self.types.shallow(ty) {
            Ty::Ref(mutable, _) => Some(mutable),
            _ => None,
        };
        let part = |of: &Ty| match behind {
            Some(mutable) => Ty::reference(mutable, of.clone()),
            None => of.clone(),
        };
        match (pat, self.types.peel(ty)) {
            (syn::Pat::Paren(p), _) => self.bound_by(&p.pat, ty, names),
            (syn::Pat::Ident(p), _) if p.subpat.is_none() && p.by_ref.is_none() => {
                if !unraw(&p.ident).starts_with(char::is_uppercase) {
                    names.push((p.ident.clone(), ty.clone()));
                }
            }
            (syn::Pat::Reference(r), _) => {
                let of = match self.types.shallow(ty) {
                    Ty::Ref(_, of) => *of,
                    ty => ty,
                };
                self.bound_by(&r.pat, &of, names);
            }
            (syn::Pat::Tuple(t), Ty::Tuple(parts)) if t.elems.len() == parts.len() => {
                for (pat, of) in t.elems.iter().zip(&parts) {
                    self.bound_by(pat, &part(of), names);
                }
            }
            (syn::Pat::TupleStruct(t), Ty::Sum(parts) | Ty::Tuple(parts))
                if t.elems.len() == 1 && !parts.is_empty() =>
            {
                self.bound_by(&t.elems[0], &part(&parts[0]), names);
            }
            (syn::Pat::Struct(s), _) => {
                for field in &s.fields {
                    let name = super::super::structs::member_name(&field.member);
                    let of = self.part_of_pattern(&s.path, &name);
                    self.bound_by(&field.pat, &part(&of), names);
                }
            }
            (syn::Pat::TupleStruct(t), _)
                if !t.elems.iter().any(|pat| matches!(pat, syn::Pat::Rest(_))) =>
            {
                for (k, pat) in t.elems.iter().enumerate() {
                    let of = self.part_of_pattern(&t.path, &k.to_string());
                    self.bound_by(pat, &part(&of), names);
                }
            }
            (syn::Pat::Or(o), _) if let Some(first) = o.cases.first() => {
                self.bound_by(first, ty, names);
            }
            _ => {
                for name in walk::bound(Node::Pat(pat)) {
                    if !unraw(&name).starts_with(char::is_uppercase) {
                        let ty = self.unknown_state("state");
                        names.push((name, ty));
                    }
                }
            }
        }
    }
}

/// The pattern, where it binds no other name than this one.
fn named_alone(pat: &syn::Pat, name: Option<&Ident>) -> syn::Pat {
    let mut pat = pat.clone();
    walk::change(NodeMut::Pat(&mut pat), &mut |node| {
        if let NodeMut::Pat(syn::Pat::Struct(of)) = node {
            for field in &mut of.fields {
                field.colon_token.get_or_insert_default();
            }
            return Onward::Into;
        }
        if let NodeMut::Pat(pat) = node
            && let syn::Pat::Ident(p) = pat
            && Some(&p.ident) != name
            && !unraw(&p.ident).starts_with(char::is_uppercase)
        {
            *pat = match p.subpat.take() {
                Some((_, inner)) => named_alone(&inner, name),
                None => parse_quote!(_),
            };
            return Onward::Over;
        }
        Onward::Into
    });
    pat
}

fn and(a: Expr, b: Expr, span: Extent) -> Expr {
    Expr::new(Kind::And(Box::new(a), Box::new(b)), Ty::Bool, span)
}
