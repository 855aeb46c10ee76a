//! Elements, slices and fields.

use super::Reader;
use super::expr::{strip, unraw};
use super::ranges::end_of_range;
use super::structs::described;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::{Traits, Ty};
use crate::lower::types;
use crate::lower::types::element;
use crate::report::Extent;
use proc_macro2::TokenStream;

impl Reader<'_> {
    pub(super) fn index(&mut self, i: &syn::ExprIndex) -> Expr {
        let span = i.extent();
        let base = self.expr(&i.expr);
        if let Some(element) = self.element_in_place(i, &base, "index") {
            return self.expr(&element);
        }
        let Some(elem) = self.element_for(&base, "an index of it") else {
            return self.refused(span);
        };
        if let syn::Expr::Range(range) = strip(&i.index) {
            return self.part(base, elem, range, span);
        }
        if let Some(range) = self.constant_range(&i.index) {
            return self.part(base, elem, &range, span);
        }
        let index = self.expr(&i.index);
        self.unify(&index.ty.clone(), &Ty::usize(), index.span);
        Expr::new(Kind::Index(Box::new(base), Box::new(index)), elem, span)
    }

    /// `base[a..b]`
    pub(super) fn part(
        &mut self,
        base: Expr,
        elem: Ty,
        range: &syn::ExprRange,
        span: Extent,
    ) -> Expr {
        let mut end = |e: &Option<Box<syn::Expr>>| {
            e.as_ref().map(|e| {
                let e = self.expr(e);
                self.unify(&e.ty.clone(), &Ty::usize(), e.span);
                Box::new(e)
            })
        };
        let (lo, hi) = (end(&range.start), end(&range.end));
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        Expr::new(
            Kind::Range {
                base: Box::new(base),
                lo,
                hi,
                inclusive,
            },
            Ty::Slice(Box::new(elem)),
            span,
        )
    }

    /// Element type of an array, slice or vector, also behind references. Notes an error if it is
    /// not known to be one.
    pub(super) fn element_of(&mut self, base: &Expr) -> Option<Ty> {
        self.element_for(base, "what reads it as a list")
    }

    /// The same for what says this of itself.
    pub(super) fn element_for(&mut self, base: &Expr, what: &str) -> Option<Ty> {
        match self.types.peel(&base.ty) {
            Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => Some(*t),
            var @ Ty::Var(_) => {
                let traits = self.types.traits(&var).unwrap_or_default();
                if (traits.field || traits.foreign) && !traits.integer {
                    let elem = match self.element_as_written(&var) {
                        Some(of) => of,
                        None => self.item_type(
                            &var,
                            Traits {
                                foreign: traits.foreign,
                                field: traits.field,
                                ..Traits::default()
                            },
                        ),
                    };
                    self.unify(&var, &Ty::Slice(Box::new(elem.clone())), base.span);
                    Some(elem)
                } else {
                    if !self.is_tainted(&var) {
                        self.types.set_refused(&var);
                        self.cx.error(base.span, &error::UNKNOWN_SEQUENCE);
                    }
                    None
                }
            }
            Ty::Float
            | Ty::Int(_)
            | Ty::Bool
            | Ty::Tuple(_)
            | Ty::Sum(_)
            | Ty::Bundle(..)
            | Ty::Ref(..) => {
                self.cx.mismatch();
                None
            }
            Ty::Struct(path) | Ty::Opaque(path) if self.is_bare(&path.0) => {
                self.cx.certain_mismatch();
                None
            }
            Ty::Struct(ref path) if self.env.is_array(&path.0.to_string()) => {
                self.cx.error(base.span, &error::ARRAY_UNKNOWN);
                None
            }
            ref ty @ (Ty::Struct(ref path) | Ty::Opaque(ref path)) => {
                let elem = self.element_as_written(ty);
                if elem.is_none() {
                    self.refuse_struct(base.span, &path.0, what);
                }
                elem
            }
        }
    }

    /// Notes that this is not supported of a struct.
    pub(super) fn refuse_struct(&self, at: Extent, path: &TokenStream, what: &str) {
        let subject = format!("{} seems to be a struct, and {what}", described(path));
        self.cx.error_about(at, &error::OPERATOR_ON_STRUCT, subject);
    }

    /// What is in a constant list, as its type is written.
    fn element_as_written(&mut self, list: &Ty) -> Option<Ty> {
        let written = self.constant_type(list)?;
        let of = element(&written)?;
        Some(match types::read_plain(of, self.float, &mut self.types) {
            Some(ty @ (Ty::Int(_) | Ty::Bool)) => ty,
            _ => self.foreign_part(Some(of)),
        })
    }

    pub(super) fn field(&mut self, f: &syn::ExprField) -> Expr {
        let span = f.extent();
        if let Some(end) = end_of_range(f) {
            return self.expr(end);
        }
        let base = self.expr(&f.base);
        let name = match &f.member {
            syn::Member::Unnamed(n) => {
                if let Ty::Tuple(ts) = self.types.peel(&base.ty) {
                    let n = n.index as usize;
                    return match ts.get(n) {
                        Some(t) => Expr::new(Kind::TupleField(Box::new(base), n), t.clone(), span),
                        None => {
                            self.cx.mismatch();
                            self.refused(span)
                        }
                    };
                }
                n.index.to_string()
            }
            syn::Member::Named(ident) => unraw(ident),
        };
        if let Some(part) = self.field_of_bundle(&base, &name, span) {
            return part;
        }
        match self.struct_path(&base.ty) {
            Some(path) if self.env.is_constant_rows(&path.0.to_string(), &name) => {
                self.refuse_about(span, &error::CONSTANT_ROWS, name)
            }
            Some(path) => {
                let ty = self.field_at(&path, &name, span);
                Expr::new(Kind::Field(Box::new(base), name), ty, span)
            }
            _ if self.is_tainted(&base.ty) => self.refused(span),
            _ => match self.types.peel(&base.ty) {
                ty @ (Ty::Opaque(_) | Ty::Var(_)) if self.is_part_of_constant(&base, &ty) => {
                    let of = self.constant_type(&ty);
                    let written = of.and_then(|of| self.part_as_written(&of, &name));
                    let ty = self.carried(written);
                    Expr::new(Kind::Field(Box::new(base), name), ty, span)
                }
                Ty::Var(_) => self.refuse(span, &error::UNKNOWN_TYPE),
                Ty::Float
                | Ty::Int(_)
                | Ty::Bool
                | Ty::Tuple(_)
                | Ty::Sum(_)
                | Ty::Bundle(..)
                | Ty::Ref(..)
                | Ty::Array(..)
                | Ty::Slice(_)
                | Ty::Vec(_)
                | Ty::Struct(_)
                | Ty::Opaque(_) => {
                    self.cx.mismatch();
                    self.refused(span)
                }
            },
        }
    }
    /// `lamp.place` of a constant in what is differentiated.
    fn is_part_of_constant(&self, of: &Expr, ty: &Ty) -> bool {
        match ty {
            Ty::Opaque(_) => true,
            ty => {
                let is_foreign = self.types.traits(ty).is_some_and(|traits| traits.foreign);
                is_foreign && matches!(of.kind, Kind::Field(..))
            }
        }
    }
}
