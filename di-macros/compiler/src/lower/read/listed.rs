//! Lists of constants that the compiler does not look into, and of tuples with such: they are constants themselves.
//!
//! ```text
//! [("a", 1.0), ("b", w + 1.0)]   =>   { let __arg0 = w + 1.0; [("a", 1.0), ("b", __arg0)] }, carried as it is
//! ```

use super::Reader;
use super::lifted::carried;
use super::unread::all;
use crate::ir::{Lit, Tokens};
use crate::lower::code;
use crate::lower::hir::{Expr, Kind, Passive, Step};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::report::Extent;
use crate::sorted::Map;
use crate::template::parse_quote;
use quote::ToTokens;

impl Reader<'_> {
    /// None of lists of numbers and of what is made of these.
    pub(super) fn carried_list(
        &mut self,
        elems: &[Expr],
        vector: bool,
        of: &Ty,
        span: Extent,
    ) -> Option<Expr> {
        let of = self.types.shallow(of);
        if !self.is_foreign_value(&of) {
            return None;
        }
        let len = proc_macro2::Literal::usize_unsuffixed(elems.len());
        let ty = match (&of, vector) {
            (Ty::Opaque(_), true) => Ty::Vec(Box::new(of)),
            (Ty::Opaque(_), false) => Ty::Array(Box::new(of), Tokens(len.to_token_stream())),
            (_, _) => {
                let of = self.written_value(&of)?;
                let list: syn::Type = match vector {
                    true => parse_quote!(::std::vec::Vec<#of>),
                    false => parse_quote!([#of; #len]),
                };
                Ty::Opaque(Tokens(list.to_token_stream()))
            }
        };
        self.scoped(|r| {
            let mut stmts = Vec::new();
            let code = r.carried_parts(elems, &mut stmts)?;
            let list: Vec<_> = code.iter().map(|part| part.tokens.0.clone()).collect();
            let code = joined(code, Tokens(code::list(&list, vector)));
            let list = Expr::new(Kind::Passive(code), ty, span);
            Some(Expr::after(stmts, list))
        })
    }

    /// The same of a chain without anything that is differentiated, of such items.
    pub(super) fn carried_items(&mut self, m: &syn::ExprMethodCall, item: &Ty) -> Option<Expr> {
        let mut code = m.clone();
        code.turbofish
            .get_or_insert(parse_quote!(::<::std::vec::Vec<_>>));
        let code = syn::Expr::MethodCall(code);
        let is_carried = self.is_foreign_value(item) && !self.may_be_active(&code);
        is_carried.then(|| Expr {
            ty: Ty::Vec(Box::new(item.clone())),
            ..self.passive(&code, false)
        })
    }

    fn carried_parts(&mut self, parts: &[Expr], stmts: &mut Vec<Step>) -> Option<Vec<Passive>> {
        let changing = parts.iter().rposition(may_change).unwrap_or(0);
        let each = parts.iter().enumerate().map(|(k, part)| {
            // code is put in behind the parts that are evaluated first
            let reads = matches!(&part.kind, Kind::Passive(code) if !code.locals.is_empty());
            match k < changing && reads {
                true => self.named_part(part, stmts),
                false => self.carried_part(part, stmts),
            }
        });
        each.collect()
    }

    fn named_part(&mut self, e: &Expr, stmts: &mut Vec<Step>) -> Option<Passive> {
        let mut name = parse_quote!(_);
        self.name_first(&mut name, e.clone(), stmts);
        let value = self.expr(&name);
        carried(self, &value)
    }

    /// A value as code: numbers that are computed are bound to variables first.
    fn carried_part(&mut self, e: &Expr, stmts: &mut Vec<Step>) -> Option<Passive> {
        let ty = self.types.shallow(&e.ty);
        let is_number = matches!(ty, Ty::Float | Ty::Int(_) | Ty::Bool);
        // a number that a call returns is asked for once
        if let Some(code) = carried(self, e)
            && !(is_number && matches!(e.kind, Kind::Passive(_)))
        {
            return Some(code);
        }
        let (parts, is_tuple) = match &e.kind {
            Kind::Tuple(parts) => (parts, true),
            Kind::List(parts) => (parts, false),
            Kind::Lit(lit) => return Some(joined(Vec::new(), Tokens(written_out(lit, &ty)))),
            // an element of what is differentiated is none
            _ if (is_number || matches!(ty, Ty::Var(_))) && !self.reads_floats(e) => {
                return self.named_part(e, stmts);
            }
            _ => return None,
        };
        let code = self.carried_parts(parts, stmts)?;
        let tokens: Vec<_> = code.iter().map(|part| part.tokens.0.clone()).collect();
        let tokens = match is_tuple {
            true => code::tuple(&tokens),
            false => code::list(&tokens, matches!(ty, Ty::Vec(_))),
        };
        Some(joined(code, Tokens(tokens)))
    }

    fn reads_floats(&self, e: &Expr) -> bool {
        let mut found = false;
        all(e, &mut |e| {
            let is_list = matches!(
                e.kind,
                Kind::Index(..) | Kind::Field(..) | Kind::Call { .. }
            );
            found |= is_list && matches!(self.types.peel(&e.ty), Ty::Float | Ty::Var(_));
        });
        found
    }

    /// Whether a value is no number, and not made of numbers alone.
    fn is_foreign_value(&self, ty: &Ty) -> bool {
        match self.types.shallow(ty) {
            Ty::Opaque(path) => self.types.data(&path.0.to_string()).is_none(),
            Ty::Tuple(parts) => {
                let mut parts = parts.iter();
                parts.any(|part| self.is_foreign_value(part) || self.is_wide(part))
            }
            Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) | Ty::Ref(false, of) => {
                self.is_foreign_value(&of)
            }
            ty @ Ty::Var(_) => self.types.written(&ty).is_some() && !self.is_number_as_written(&ty),
            _ => false,
        }
    }

    /// Whether a value is a number that no list of tuples holds.
    fn is_wide(&self, ty: &Ty) -> bool {
        let Ty::Opaque(path) = self.types.shallow(ty) else {
            return false;
        };
        let data = self.types.data(&path.0.to_string());
        data.is_some_and(|of| of.number == "u128")
    }

    /// How the type of a value is written.
    pub(super) fn written_value(&self, ty: &Ty) -> Option<syn::Type> {
        Some(match self.types.shallow(ty) {
            Ty::Float => syn::parse_str(self.float).ok()?,
            Ty::Int(name) => syn::parse_str(&name).ok()?,
            Ty::Bool => parse_quote!(bool),
            Ty::Opaque(path) => syn::parse2(path.0).ok()?,
            Ty::Struct(path) => syn::parse2(self.types.with_lengths(&path).0).ok()?,
            Ty::Ref(false, of) => {
                let of = self.written_value(&of)?;
                parse_quote!(&#of)
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.written_value(part));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                parse_quote!((#(#parts,)*))
            }
            Ty::Vec(of) => {
                let of = self.written_value(&of)?;
                parse_quote!(::std::vec::Vec<#of>)
            }
            Ty::Array(of, n) => {
                let (of, n) = (self.written_value(&of)?, n.0);
                parse_quote!([#of; #n])
            }
            ty @ Ty::Var(var) => match self.types.written(&ty) {
                Some(written) => syn::parse2(written.0.clone()).ok()?,
                None => types::inferred(var),
            },
            _ => return None,
        })
    }
}

fn joined(parts: Vec<Passive>, tokens: Tokens) -> Passive {
    let locals: Map<_, _> = parts.into_iter().flat_map(|part| part.locals).collect();
    Passive::new(tokens, locals.into_iter().collect())
}

fn written_out(lit: &Lit, ty: &Ty) -> proc_macro2::TokenStream {
    let text = match (lit, ty) {
        (Lit::Int(value), Ty::Int(name)) => format!("{value}{name}"),
        (Lit::Int(value), _) => value.to_string(),
        (Lit::Float(value), _) => format!("{value:?}"),
        (Lit::Bool(value), _) => value.to_string(),
    };
    code::literal(&text)
}

/// Whether an expression has statements in it, or changes a list.
fn may_change(e: &Expr) -> bool {
    let mut found = false;
    all(e, &mut |e| {
        found |= matches!(e.kind, Kind::Block(_) | Kind::Seq(..));
    });
    found
}
