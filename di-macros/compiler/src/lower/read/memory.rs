//! `std::mem`: `swap`, `replace`, `take` and `drop`. Rows of vectors of vectors are copied and assigned to.
//! Values that are typed by their variable: copies of fields, defaults.

use super::Reader;
use super::expr::{as_call, as_path, strip};
use crate::error;
use crate::ir::Lit;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Pat, SeqOp, Step};
use crate::lower::ty::Ty;
use crate::lower::types::INTEGERS;
use crate::report::Extent;
use crate::template::parse_quote;

impl Reader<'_> {
    pub(super) fn mem_swap(&mut self, a: Expr, b: Expr, span: Extent) -> Expr {
        self.unify(&a.ty.clone(), &b.ty.clone(), span);
        memory(SeqOp::MemSwap, vec![a, b], Ty::unit(), span)
    }

    pub(super) fn mem_replace(&mut self, place: Expr, value: Expr, span: Extent) -> Expr {
        let ty = self.behind(&place.ty);
        self.unify(&ty, &value.ty.clone(), span);
        match self.row(place, &ty) {
            Ok([base, index]) => self.replace_row(base, index, value, ty, span),
            Err(place) => memory(SeqOp::Replace, vec![*place, value], ty, span),
        }
    }

    pub(super) fn mem_take(&mut self, place: Expr, span: Extent) -> Expr {
        let ty = self.behind(&place.ty);
        match self.row(place, &ty) {
            Ok([base, index]) => {
                let none = Expr::new(Kind::Seq(SeqOp::New, Vec::new()), ty.clone(), span);
                self.replace_row(base, index, none, ty, span)
            }
            Err(place) => memory(SeqOp::Take, vec![*place], ty, span),
        }
    }

    /// `rows` and `i` of `&mut rows[i]`, if that is a vector.
    fn row(&self, place: Expr, ty: &Ty) -> Result<[Expr; 2], Box<Expr>> {
        if !matches!(self.types.peel(ty), Ty::Vec(_)) {
            return Err(Box::new(place));
        }
        match place.kind {
            Kind::Ref(true, inner) => match inner.kind {
                Kind::Index(base, index) => Ok([*base, *index]),
                kind => Err(Box::new(Expr {
                    kind: Kind::Ref(true, Box::new(Expr { kind, ..*inner })),
                    ..place
                })),
            },
            kind => Err(Box::new(Expr { kind, ..place })),
        }
    }

    // { let old = rows[i].clone(); rows[i] = value; old }
    fn replace_row(&mut self, base: Expr, index: Expr, value: Expr, ty: Ty, span: Extent) -> Expr {
        self.keeping_value(index, |r, index| {
            let row = Expr::new(
                Kind::Index(Box::new(base), Box::new(index)),
                ty.clone(),
                span,
            );
            let expr = |kind, ty| Expr { kind, ty, span };
            let old = r.unnamed("old", ty.clone(), span);
            let copy = expr(Kind::CopyOf(Box::new(row.clone())), ty.clone());
            let assign = Kind::Assign(Box::new(row), Box::new(value));
            let stmts = vec![Step::bind(old, copy), Step::Expr(expr(assign, Ty::unit()))];
            Expr::block(stmts, Expr::local(old, ty.clone(), span), span)
        })
    }

    /// The value of a variable, of which the type may be written.
    pub(super) fn initial(&mut self, written: Option<&Ty>, e: &syn::Expr) -> Expr {
        match (strip(e), written) {
            (syn::Expr::Call(_), Some(ty)) => self.expr_for(e, ty),
            (syn::Expr::MethodCall(_), Some(ty)) => {
                self.wanted = Some(ty.clone());
                let e = self.expr(e);
                self.wanted = None;
                e
            }
            _ => {
                let value = self.expr(e);
                match self.lifted_value(e, &value) {
                    Some(lifted) => lifted,
                    None => value,
                }
            }
        }
    }

    /// Whether a type is a number or a bool.
    pub(super) fn has_default(&self, of: &str) -> bool {
        let float = of == self.float && !self.scalar;
        float || of == "bool" || INTEGERS.contains(&of)
    }

    /// `usize::default()`
    pub(super) fn default_named(&self, of: &str, span: Extent) -> Expr {
        let ty = match of {
            "bool" => Ty::Bool,
            of if INTEGERS.contains(&of) => Ty::Int(of.to_owned()),
            _ => Ty::Float,
        };
        default_of(&ty, span)
    }

    /// Whether a copy of this has the type that is written at its variable: of a field, or of what may be a
    /// reference to a vector.
    pub(super) fn is_copied_as(&mut self, from: &Expr, wanted: &Ty) -> bool {
        let of = self.types.peel(&from.ty);
        let field = matches!(of, Ty::Var(_))
            && (self.types.traits(&of)).is_some_and(|t| t.field && !t.integer && !t.refused);
        match wanted {
            Ty::Vec(elem) | Ty::Array(elem, _) if field || matches!(of, Ty::Slice(_)) => {
                self.unify(&of, &Ty::Slice(elem.clone()), from.span);
                true
            }
            Ty::Struct(_) if field => {
                self.unify(&of, wanted, from.span);
                true
            }
            _ => false,
        }
    }

    /// `x.clone()`: a vector of a parameter `&Vec<_>`, the reference of one `&[_]`.
    pub(super) fn clone_of_slice(&mut self, m: &syn::ExprMethodCall, base: Expr, elem: Ty) -> Expr {
        let span = m.extent();
        let mut of = &base;
        while let Kind::Deref(inner) = &of.kind {
            of = inner;
        }
        match of.kind {
            Kind::Local(local) if self.locals[local.0].owned => {
                Expr::new(Kind::CopyOf(Box::new(base)), Ty::Vec(Box::new(elem)), span)
            }
            Kind::Local(local)
                if local.0 < self.parameters
                    && matches!(self.types.shallow(&base.ty), Ty::Ref(false, _)) =>
            {
                base
            }
            _ => self.refuse_about(m.method.extent(), &error::UNKNOWN_SEQUENCE_METHOD, "clone"),
        }
    }

    /// `s.clone()` of a tuple: `(s.0.clone(), s.1.clone())`
    pub(super) fn clone_of_tuple(&mut self, m: &syn::ExprMethodCall, len: usize) -> Expr {
        let parts = (0..len).map(|k| {
            let (mut part, of) = (m.clone(), &m.receiver);
            let k = syn::Index::from(k);
            part.receiver = parse_quote!(#of.#k);
            part
        });
        self.expr(&parse_quote!((#(#parts,)*)))
    }

    /// `let r = x;`
    pub(super) fn note_owned(&mut self, pat: &Pat, e: &Expr) {
        if let (Pat::Bind(name), Kind::Local(of)) = (pat, &e.kind) {
            self.locals[name.0].owned = self.locals[of.0].owned;
        }
    }

    /// `drop(v);` of a variable.
    pub(super) fn drop_of_local(&mut self, e: &syn::Expr) -> Option<Expr> {
        let c = as_call(e)?;
        let f = as_path(&c.func)?;
        if c.args.len() != 1 {
            return None;
        }
        let local = self.local_of(&c.args[0])?;
        let resolved = self.resolve_use(&f.path);
        let names = resolved.segments.iter().rev().map(|s| s.ident.to_string());
        let names: Vec<String> = names.take(2).collect();
        match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["drop", "mem"] => return Some(nothing(e.extent())),
            ["drop"] => {}
            _ => return None,
        }
        if self.lookup("drop").is_some() || self.names_closure(resolved.get_ident()?) {
            return None;
        }
        // a function of the user with this name may change what it is borrowed
        let ty = self.locals[local.0].ty.clone();
        let borrowed = matches!(self.types.shallow(&ty), Ty::Ref(true, _));
        (!borrowed).then(|| nothing(e.extent()))
    }
}

/// A variable or a part of one, which can be read twice.
pub(super) fn is_place(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_place(&f.base),
        syn::Expr::Index(i) => {
            is_place(&i.expr) && matches!(strip(&i.index), syn::Expr::Path(_) | syn::Expr::Lit(_))
        }
        _ => false,
    }
}

/// `()`
fn nothing(span: Extent) -> Expr {
    Expr::new(Kind::Tuple(Vec::new()), Ty::unit(), span)
}

/// Whether this is a number, a bool, or an array of such.
pub(super) fn has_default(ty: &Ty) -> bool {
    match ty {
        Ty::Array(of, _) => has_default(of),
        ty => matches!(ty, Ty::Float | Ty::Int(_) | Ty::Bool),
    }
}

/// The default of a number, a bool, or an array of such.
pub(super) fn default_of(ty: &Ty, span: Extent) -> Expr {
    let lit = match ty {
        Ty::Array(of, n) => {
            return Expr::new(
                Kind::Repeat(Box::new(default_of(of, span)), n.clone()),
                ty.clone(),
                span,
            );
        }
        Ty::Int(_) => Lit::Int(0),
        Ty::Bool => Lit::Bool(false),
        _ => Lit::Float(0.0),
    };
    Expr::new(Kind::Lit(lit), ty.clone(), span)
}

/// `Default::default()`
pub(super) fn is_default(e: &syn::Expr) -> bool {
    let syn::Expr::Call(c) = strip(e) else {
        return false;
    };
    let syn::Expr::Path(p) = strip(&c.func) else {
        return false;
    };
    let names: Vec<String> = (p.path.segments.iter().rev())
        .map(|s| s.ident.to_string())
        .collect();
    p.qself.is_none()
        && c.args.is_empty()
        && names.starts_with(&["default".to_owned(), "Default".to_owned()])
}

pub(super) fn memory(op: SeqOp, args: Vec<Expr>, ty: Ty, span: Extent) -> Expr {
    Expr::new(Kind::Seq(op, args), ty, span)
}
