//! Patterns of `let`, `for` and closures.

use super::Reader;
use super::expr::unraw;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::Pat;
use crate::lower::ty::Ty;
use syn::visit::Visit;

impl Reader<'_> {
    /// Reads a pattern and binds its names.
    pub(super) fn pattern(&mut self, pat: &syn::Pat, ty: &Ty) -> Pat {
        match pat {
            syn::Pat::Wild(_) => Pat::Wild,
            syn::Pat::Ident(p) => {
                if let Some(by_ref) = &p.by_ref {
                    self.cx.error(by_ref.extent(), &error::PATTERN_REF);
                }
                if let Some((at, _)) = &p.subpat {
                    self.cx.error(at.extent(), &error::PATTERN);
                }
                Pat::Bind(self.bind(
                    &unraw(&p.ident),
                    p.mutability.is_some(),
                    ty.clone(),
                    p.ident.extent(),
                ))
            }
            syn::Pat::Paren(p) => self.pattern(&p.pat, ty),
            syn::Pat::Type(t) => {
                if let Some(written) = self.annotation(&t.ty) {
                    self.unify(&written, ty, t.extent());
                }
                self.pattern(&t.pat, ty)
            }
            syn::Pat::Reference(r) => {
                if r.mutability.is_some() {
                    self.cx.error(r.extent(), &error::PATTERN);
                }
                let inner = match self.types.shallow(ty) {
                    Ty::Ref(_, t) => *t,
                    other => other,
                };
                Pat::Ref(Box::new(self.pattern(&r.pat, &inner)))
            }
            syn::Pat::Tuple(t) => {
                let parts = match self.types.peel(ty) {
                    Ty::Tuple(ts) => ts,
                    Ty::Var(_) => {
                        let tainted = self.is_tainted(ty);
                        let fresh = |r: &mut Self| {
                            if tainted {
                                r.tainted()
                            } else {
                                r.types.fresh()
                            }
                        };
                        let ts: Vec<Ty> = t.elems.iter().map(|_| fresh(self)).collect();
                        self.unify(ty, &Ty::Tuple(ts.clone()), t.extent());
                        ts
                    }
                    Ty::Float
                    | Ty::Int(_)
                    | Ty::Bool
                    | Ty::Ref(..)
                    | Ty::Array(..)
                    | Ty::Slice(_)
                    | Ty::Vec(_)
                    | Ty::Struct(_)
                    | Ty::Opaque(_) => {
                        self.cx.mismatch();
                        t.elems.iter().map(|_| self.types.fresh()).collect()
                    }
                };
                if t.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_))) {
                    self.cx.error(t.extent(), &error::PATTERN_REST);
                } else if parts.len() != t.elems.len() {
                    self.cx.mismatch();
                }
                let fresh = self.types.fresh();
                let types = parts.iter().chain(std::iter::repeat(&fresh));
                let named = t.elems.iter().filter(|p| !matches!(p, syn::Pat::Rest(_)));
                Pat::Tuple(
                    named
                        .zip(types)
                        .map(|(p, ty)| self.pattern(p, ty))
                        .collect(),
                )
            }
            syn::Pat::Slice(s) if !s.elems.iter().any(is_rest) => match self.types.peel(ty) {
                Ty::Array(elem, _) => {
                    Pat::List(s.elems.iter().map(|p| self.pattern(p, &elem)).collect())
                }
                _ => self.refuse_pattern(pat, &error::PATTERN_SLICE),
            },
            syn::Pat::Slice(_) => self.refuse_pattern(pat, &error::PATTERN_SLICE),
            syn::Pat::Struct(_) | syn::Pat::TupleStruct(_) => {
                self.refuse_pattern(pat, &error::PATTERN_STRUCT)
            }
            other => self.refuse_pattern(other, &error::PATTERN),
        }
    }

    fn refuse_pattern(&mut self, pat: &syn::Pat, message: &'static error::Message) -> Pat {
        self.cx.error(pat.extent(), message);
        // its names are known, so that their uses are no errors
        let mut names = Names(Vec::new());
        names.visit_pat(pat);
        for ident in names.0 {
            let ty = self.tainted();
            self.bind(&unraw(&ident), false, ty, ident.extent());
        }
        Pat::Wild
    }
}

fn is_rest(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Rest(_) => true,
        syn::Pat::Ident(p) => p.subpat.is_some(),
        _ => false,
    }
}

/// Names that a pattern binds.
struct Names(Vec<syn::Ident>);

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.0.push(p.ident.clone());
        syn::visit::visit_pat_ident(self, p);
    }
}
