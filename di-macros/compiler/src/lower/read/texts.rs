//! Texts beside numbers in lists, `vec![("sliding", x[0] * x[1])]`: there they are the numbers of their places in a table.

use super::Reader;
use super::expr::strip;
use super::lifted::carried;
use super::unread::all;
use crate::error;
use crate::ir::Tokens;
use crate::lower::code;
use crate::lower::data::{self, Layout};
use crate::lower::hir::{Block, Closure, Expr, Kind};
use crate::lower::ty::{Ty, Unifier};
use crate::lower::types;
use crate::lower::walk::each_of_block;
use crate::template::parse_quote;
use quote::ToTokens;

impl Reader<'_> {
    /// A component of a tuple: a text that goes into a list with it is none of the constants that it came from.
    pub(super) fn component(&mut self, e: &syn::Expr) -> Expr {
        let mut part = self.expr(e);
        let ty = self.types.shallow(&part.ty);
        let of = match &ty {
            Ty::Opaque(of) => Some(of.0.clone()),
            Ty::Ref(false, of) => match self.types.shallow(of) {
                Ty::Opaque(of) => Some(code::reference_to(false, &of.0)),
                ty => self
                    .types
                    .written(&ty)
                    .map(|of| code::reference_to(false, &of.0)),
            },
            ty => self.types.written(ty).map(|of| of.0.clone()),
        };
        let Some(of) = of.and_then(|of| syn::parse2::<syn::Type>(of).ok()) else {
            return part;
        };
        // as it is coerced where its type is written
        let is_borrowed =
            matches!(&of, syn::Type::Reference(r) if types::is_std_name(&r.elem, &["String"]));
        if is_borrowed || data::text(&of).is_some() && !matches!(ty, Ty::Var(_)) {
            let Some(mut code) = carried(self, &part) else {
                return part;
            };
            let mut of = of.to_token_stream();
            if is_borrowed {
                code.tokens = Tokens(code::as_text(&code.tokens.0));
                of = parse_quote!(&'static str);
            }
            part.kind = Kind::Passive(code);
            part.ty = self.types.fresh_written(Tokens(of));
        }
        part
    }

    /// `list[0].0.clone()`
    pub(super) fn method_of_text(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: Expr,
        ty: &Ty,
    ) -> Expr {
        let (mut m, mut stmts) = (m.clone(), Vec::new());
        self.scoped(|r| {
            for arg in &mut m.args {
                if !matches!(strip(arg), syn::Expr::Closure(_) | syn::Expr::Lit(_)) {
                    let value = r.expr(arg);
                    r.name_first(arg, value, &mut stmts);
                }
            }
            let value = r.constant_method(&m, receiver);
            // a copy is what it is a copy of
            if (m.method == "clone" || m.method == "to_owned")
                && r.types.written(&value.ty) == r.types.written(ty)
            {
                r.unify(&value.ty.clone(), ty, value.span);
            }
            Expr::after(stmts, value)
        })
    }

    /// `String::from`
    pub(super) fn is_text_made(&self, path: &syn::Path) -> bool {
        let names = path.segments.iter().map(|s| s.ident.to_string());
        let names: Vec<String> = names.collect();
        matches!(&names[..], [.., of, name] if of == "String" && name == "from")
            && !self.env.is_struct("String")
    }

    /// Whether this is the type of a text that may be a number.
    pub(super) fn is_text(&self, ty: &Ty) -> bool {
        let written = self.types.written(&self.types.peel(ty));
        written.is_some_and(|of| self.text(of.clone()).is_some())
    }

    fn text(&self, of: Tokens) -> Option<Ty> {
        data::text(&syn::parse2(of.0).ok()?)
    }

    /// Decides which texts are numbers: those in the tuples of lists that are not carried along.
    pub(super) fn number_texts(&mut self, body: &Block) {
        let (mut own, mut constant): (Vec<Ty>, Vec<Ty>) = Default::default();
        let mut note = |e: &Expr| {
            all(e, &mut |e| match e.kind {
                Kind::Passive(_) | Kind::OnState(_) => constant.push(e.ty.clone()),
                _ => own.push(e.ty.clone()),
            });
        };
        each_of_block(body, &mut note);
        for Closure { lambda, .. } in &self.closures {
            note(&lambda.body);
        }
        let mut listed = Vec::new();
        for ty in &own {
            listed_in(&self.types, ty, false, &mut listed);
        }
        for var in listed {
            let is_constant = constant.iter().any(|ty| {
                let mut listed = Vec::new();
                listed_in(&self.types, ty, false, &mut listed);
                listed.iter().any(|of| self.types.mentions(of, &var))
            });
            let written = self.types.written(&var).cloned();
            if !is_constant
                && let Some(text) = written.and_then(|of| self.text(of))
                && self.types.unify(&var, &text).is_err()
            {
                self.cx.mismatch();
            }
        }
        let numbers = |e: &Expr| match self.types.peel(&e.ty) {
            Ty::Opaque(path) => {
                let data = self.types.data(&path.0.to_string());
                data.is_some_and(|of| matches!(of.layout, Layout::Text(_)))
            }
            _ => false,
        };
        // numbers of texts have another order
        let mut check = |e: &Expr| {
            all(e, &mut |e| {
                let of: Vec<&Expr> = match &e.kind {
                    Kind::Cmp(_, a, b) | Kind::Order(_, a, b) => vec![a, b],
                    Kind::IntMethod(_, of) | Kind::Seq(_, of) => of.iter().collect(),
                    _ => Vec::new(),
                };
                if of.into_iter().any(numbers) {
                    self.cx.error(e.span, &error::UNKNOWN_TYPE);
                }
            });
        };
        each_of_block(body, &mut check);
        for Closure { lambda, .. } in &self.closures {
            check(&lambda.body);
        }
    }
}

/// The variables that stand in tuples of lists.
fn listed_in(types: &Unifier, ty: &Ty, is_listed: bool, found: &mut Vec<Ty>) {
    match types.shallow(ty) {
        Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) => match types.peel(&of) {
            Ty::Var(_) => {}
            of => listed_in(types, &of, true, found),
        },
        Ty::Tuple(parts) | Ty::Sum(parts) => {
            (parts.iter()).for_each(|part| listed_in(types, part, is_listed, found));
        }
        Ty::Ref(_, of) => listed_in(types, &of, is_listed, found),
        var @ Ty::Var(_) if is_listed => found.push(var),
        _ => {}
    }
}
