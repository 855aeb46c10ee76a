//! `match`, `matches!`, `let` in conditions, `let .. else`, and what is a `match` in disguise.

use super::Reader;
use super::expr::{strip, unraw};
use super::stmt::{block_diverges, diverges};
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Arm, Expr, Kind, Step};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk;

impl Reader<'_> {
    pub(super) fn match_expr(&mut self, m: &syn::ExprMatch) -> Expr {
        let span = m.match_token.extent();
        if let Some(chosen) = self.chosen_constant(&syn::Expr::Match(m.clone())) {
            return chosen;
        }
        if let Some(found) = self.match_on_state(m) {
            return found;
        }
        let scrutinee = self.expr(&m.expr);
        let refused = !self.can_match(&scrutinee, m.arms.iter().map(|arm| &arm.pat));
        let mut result: Option<Ty> = None;
        let mut arms: Vec<Arm> = Vec::new();
        for arm in &m.arms {
            self.no_attributes(&arm.attrs);
            let arm = self.scoped(|r| {
                let pat = if refused {
                    r.refuse_silently(&arm.pat)
                } else {
                    r.refutable_pattern(&arm.pat, &scrutinee.ty)
                };
                let guard = arm.guard.as_ref().map(|(_, g)| r.condition(g));
                let mut body = r.expr(&arm.body);
                if !diverges(&body) {
                    let boxed = result.as_ref().and_then(|ty| r.boxed_of_two(ty, &body.ty));
                    if let Some(boxed) = boxed {
                        r.lift_to(&mut body, &boxed);
                    }
                    result = Some(match &result {
                        Some(ty) if r.is_to_lift(ty, &body.ty) => {
                            for arm in &mut arms {
                                r.lift_to(&mut arm.body, &body.ty);
                            }
                            body.ty.clone()
                        }
                        Some(ty) => {
                            r.lift_to(&mut body, ty);
                            r.joined(ty, &body.ty, body.span)
                        }
                        None => body.ty.clone(),
                    });
                }
                Arm { pat, guard, body }
            });
            arms.push(arm);
        }
        if refused {
            return self.refused(span);
        }
        Expr::new(
            Kind::Match(Box::new(scrutinee), arms),
            result.unwrap_or_else(|| self.types.fresh()),
            span,
        )
    }

    /// Whether a pattern may look at this; notes an error if not.
    fn can_match<'p>(&mut self, e: &Expr, pats: impl IntoIterator<Item = &'p syn::Pat>) -> bool {
        if e.is_refused() || self.is_tainted(&e.ty) {
            return false;
        }
        let mut pats = pats.into_iter();
        if let Ty::Struct(path) = self.types.peel(&e.ty)
            && !self.env.is_derived_enum(&path.0.to_string())
            && !pats.all(|pat| has_fields(pat) || self.names_derived_variant(pat))
        {
            self.cx.error(e.span, &error::MATCH);
            return false;
        }
        true
    }

    /// A condition of `if` or `while`, in a scope that holds what its `let`s bind.
    pub(super) fn condition(&mut self, e: &syn::Expr) -> Expr {
        match strip(e) {
            syn::Expr::Let(l) => self.let_condition(&l.pat, &l.expr, l.let_token.extent()),
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) && has_let(e) => {
                let left = self.condition(&b.left);
                let right = self.condition(&b.right);
                Expr::new(
                    Kind::And(Box::new(left), Box::new(right)),
                    Ty::Bool,
                    b.extent(),
                )
            }
            _ => {
                let cond = self.expr(e);
                self.unify(&cond.ty.clone(), &Ty::Bool, cond.span);
                cond
            }
        }
    }

    fn let_condition(&mut self, pat: &syn::Pat, e: &syn::Expr, span: Extent) -> Expr {
        if let Some(found) = self.let_condition_on_state(pat, e) {
            return found;
        }
        let scrutinee = self.expr(e);
        if !self.can_match(&scrutinee, [pat]) {
            self.refuse_silently(pat);
            return self.refused(span);
        }
        let pat = self.refutable_pattern(pat, &scrutinee.ty);
        Expr::new(Kind::Let(pat, Box::new(scrutinee)), Ty::Bool, span)
    }

    /// `let pat = init else { .. };`
    pub(super) fn let_else(
        &mut self,
        pat: &syn::Pat,
        written: Option<Ty>,
        init: &syn::Expr,
        els: &syn::Expr,
    ) -> Option<Step> {
        let init = self.expr(init);
        if let Some(written) = written {
            self.unify(&init.ty.clone(), &written, init.span);
        }
        let els = match els {
            syn::Expr::Block(b) => self.block(&b.block),
            _ => return None,
        };
        if !block_diverges(&els) {
            self.cx.mismatch();
        }
        if !self.can_match(&init, [pat]) {
            self.refuse_silently(pat);
            return None;
        }
        let pat = self.refutable_pattern(pat, &init.ty);
        Some(Step::LetElse { pat, init, els })
    }

    // let (n, w) = cfg;   =>   let (n, w) = cfg else { unreachable!() };
    /// A constant that the compiler does not look into is taken apart by passive code.
    pub(super) fn let_constant(&mut self, pat: &syn::Pat, written: Option<Ty>, init: Expr) -> Step {
        let els = self.block(&parse_quote!({ ::core::unreachable!() }));
        let read = self.refutable_pattern(pat, &init.ty);
        if let Some(written) = written {
            self.note_written(pat, &written);
        }
        Step::LetElse {
            pat: read,
            init,
            els,
        }
    }

    /// The names of a pattern have the types that are written behind it.
    fn note_written(&mut self, pat: &syn::Pat, written: &Ty) {
        match (pat, self.types.peel(written)) {
            (syn::Pat::Tuple(t), Ty::Tuple(parts)) if t.elems.len() == parts.len() => {
                for (pat, part) in t.elems.iter().zip(&parts) {
                    self.note_written(pat, part);
                }
            }
            (syn::Pat::Ident(p), written) => {
                if let Some(local) = self.lookup(&unraw(&p.ident)) {
                    let ty = self.locals[local.0].ty.clone();
                    self.unify(&ty, &written, p.ident.extent());
                }
            }
            _ => {}
        }
    }

    /// `matches!(e, pat if guard)`
    pub(super) fn matches_macro(&mut self, mac: &syn::Macro, span: Extent) -> Expr {
        let Some(m) = walk::as_match(mac) else {
            return self.refuse(span, &error::UNKNOWN_EXPRESSION);
        };
        let syn::Arm { pat, guard, .. } = &m.arms[0];
        self.scoped(|r| {
            let matched = r.let_condition(pat, &m.expr, span);
            let Some((_, guard)) = guard else {
                return matched;
            };
            let guard = r.condition(guard);
            Expr::new(
                Kind::And(Box::new(matched), Box::new(guard)),
                Ty::Bool,
                span,
            )
        })
    }
}

/// `let` somewhere in a condition.
pub(super) fn has_let(cond: &syn::Expr) -> bool {
    match strip(cond) {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

/// Whether a pattern looks at the fields of a struct, or at nothing.
fn has_fields(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Ident(p) => !unraw(&p.ident).starts_with(char::is_uppercase),
        syn::Pat::Paren(p) => has_fields(&p.pat),
        syn::Pat::Reference(r) => has_fields(&r.pat),
        syn::Pat::Or(alternatives) => alternatives.cases.iter().all(has_fields),
        syn::Pat::Struct(_) | syn::Pat::TupleStruct(_) | syn::Pat::Wild(_) => true,
        _ => false,
    }
}
