//! `match` on integers, bools and floats, and on constants of foreign types without payload: a chain of `if`.

use super::Reader;
use super::expr::{strip, unraw};
use super::stmt::diverges;
use crate::error;
use crate::ir::CmpOp;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Expr, Kind, Local, Pat, Step};
use crate::lower::ty::Ty;
use crate::report::Extent;
use quote::ToTokens;

impl Reader<'_> {
    // match s { 0 | 1 => a, n if g => b, _ => c }
    //     =>  { let t = s; if t == 0 || t == 1 { a } else { let n = t; if g { b } else { c } } }
    pub(super) fn match_expr(&mut self, m: &syn::ExprMatch) -> Expr {
        let span = m.match_token.extent();
        let scrutinee = self.expr(&m.expr);
        let ty = self.types.peel(&scrutinee.ty);
        if self.is_tainted(&ty) {
            return self.refused(span);
        }
        if !matches!(
            ty,
            Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Var(_) | Ty::Opaque(_)
        ) {
            return self.refuse(m.expr.extent(), &error::MATCH);
        }
        let opaque = matches!(ty, Ty::Opaque(_));
        self.scoped(|r| {
            let result = r.types.fresh();
            let (stmts, subject) = if opaque {
                (Vec::new(), Subject::Foreign(&m.expr))
            } else {
                let local = r.bind("matched", false, ty.clone(), span);
                let step = Step::Let {
                    pat: Pat::Bind(local),
                    init: Some(scrutinee),
                };
                (vec![step], Subject::Scalar(local, ty))
            };
            let value = r.arms(&m.arms, &subject, &result, span);
            let block = Block {
                stmts,
                value: Some(Box::new(value)),
                ty: result.clone(),
            };
            Expr {
                kind: Kind::Block(block),
                ty: result,
                span,
            }
        })
    }

    fn arms(
        &mut self,
        arms: &[syn::Arm],
        subject: &Subject<'_>,
        result: &Ty,
        span: Extent,
    ) -> Expr {
        let Some((arm, rest)) = arms.split_first() else {
            // rustc has seen that the arms before are all there are
            return self.refused(span);
        };
        self.no_attributes(&arm.attrs);
        self.scoped(|r| {
            let mut stmts = Vec::new();
            let mut test = r.test(&arm.pat, subject, &mut stmts);
            if rest.is_empty() && arm.guard.is_none() {
                test = Test::Always;
            }
            if let Some((_, guard)) = &arm.guard {
                let guard = r.expr(guard);
                test = match test {
                    Test::Always => Test::If(Box::new(guard)),
                    Test::If(cond) => {
                        let span = guard.span;
                        Test::If(Box::new(Expr {
                            kind: Kind::And(cond, Box::new(guard)),
                            ty: Ty::Bool,
                            span,
                        }))
                    }
                };
            }
            let body = r.expr(&arm.body);
            if !diverges(&body) {
                r.unify(&body.ty.clone(), result, body.span);
            }
            let value = match test {
                Test::Always => body,
                Test::If(cond) => {
                    let then = Block {
                        stmts: Vec::new(),
                        ty: body.ty.clone(),
                        value: Some(Box::new(body)),
                    };
                    let els = Some(Box::new(r.arms(rest, subject, result, span)));
                    Expr {
                        kind: Kind::If { cond, then, els },
                        ty: result.clone(),
                        span,
                    }
                }
            };
            if stmts.is_empty() {
                return value;
            }
            let block = Block {
                stmts,
                value: Some(Box::new(value)),
                ty: result.clone(),
            };
            Expr {
                kind: Kind::Block(block),
                ty: result.clone(),
                span,
            }
        })
    }

    /// When an arm is taken; names that it binds are put into `stmts`.
    fn test(&mut self, pat: &syn::Pat, subject: &Subject<'_>, stmts: &mut Vec<Step>) -> Test {
        let span = pat.extent();
        match pat {
            syn::Pat::Wild(_) => Test::Always,
            syn::Pat::Paren(p) => self.test(&p.pat, subject, stmts),
            syn::Pat::Ident(p) if p.by_ref.is_none() && is_variable(p) => {
                let test = p
                    .subpat
                    .as_ref()
                    .map_or(Test::Always, |(_, inner)| self.test(inner, subject, stmts));
                match subject {
                    Subject::Scalar(matched, ty) => {
                        let init = Expr {
                            kind: Kind::Local(*matched),
                            ty: ty.clone(),
                            span,
                        };
                        let local =
                            self.bind(&unraw(&p.ident), p.mutability.is_some(), ty.clone(), span);
                        stmts.push(Step::Let {
                            pat: Pat::Bind(local),
                            init: Some(init),
                        });
                    }
                    Subject::Foreign(_) => self.cx.error(span, &error::MATCH),
                }
                test
            }
            syn::Pat::Or(or) => {
                let mut any: Option<Box<Expr>> = None;
                for case in &or.cases {
                    match (self.test(case, subject, stmts), any.take()) {
                        (Test::Always, _) => return Test::Always,
                        (Test::If(cond), None) => any = Some(cond),
                        (Test::If(cond), Some(before)) => {
                            let kind = Kind::Or(before, cond);
                            any = Some(Box::new(Expr {
                                kind,
                                ty: Ty::Bool,
                                span,
                            }));
                        }
                    }
                }
                any.map_or(Test::Always, Test::If)
            }
            _ => match subject {
                Subject::Foreign(scrutinee) => {
                    let code: syn::Expr = syn::parse_quote!(matches!(#scrutinee, #pat));
                    let e = self.passive(&code, false);
                    Test::If(Box::new(Expr {
                        ty: Ty::Bool,
                        span,
                        ..e
                    }))
                }
                Subject::Scalar(matched, ty) => self.scalar_test(pat, *matched, ty, span),
            },
        }
    }

    /// `0`, `-1`, `LIMIT`, `1..=3`
    fn scalar_test(&mut self, pat: &syn::Pat, matched: Local, ty: &Ty, span: Extent) -> Test {
        let subject = || {
            Box::new(Expr {
                kind: Kind::Local(matched),
                ty: ty.clone(),
                span,
            })
        };
        let compare = |op, with: Expr| Expr {
            kind: Kind::Cmp(op, subject(), Box::new(with)),
            ty: Ty::Bool,
            span,
        };
        match pat {
            syn::Pat::Lit(_) | syn::Pat::Path(_) | syn::Pat::Ident(_) => {
                match self.pattern_value(pat, ty) {
                    Some(value) => Test::If(Box::new(compare(CmpOp::Eq, value))),
                    None => Test::Always,
                }
            }
            syn::Pat::Range(range) => {
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                let lo = range
                    .start
                    .as_ref()
                    .map(|e| self.bound(e, ty))
                    .map(|e| compare(CmpOp::Ge, e));
                let above = if inclusive { CmpOp::Le } else { CmpOp::Lt };
                let hi = range
                    .end
                    .as_ref()
                    .map(|e| self.bound(e, ty))
                    .map(|e| compare(above, e));
                match (lo, hi) {
                    (Some(lo), Some(hi)) => Test::If(Box::new(Expr {
                        kind: Kind::And(Box::new(lo), Box::new(hi)),
                        ty: Ty::Bool,
                        span,
                    })),
                    (Some(one), None) | (None, Some(one)) => Test::If(Box::new(one)),
                    (None, None) => Test::Always,
                }
            }
            _ => Test::If(Box::new(self.refuse(span, &error::MATCH))),
        }
    }

    fn bound(&mut self, e: &syn::Expr, ty: &Ty) -> Expr {
        let e = self.expr(strip(e));
        self.unify(&e.ty.clone(), ty, e.span);
        e
    }

    /// A literal or constant in a pattern, read as an expression.
    fn pattern_value(&mut self, pat: &syn::Pat, ty: &Ty) -> Option<Expr> {
        match syn::parse2::<syn::Expr>(pat.to_token_stream()) {
            Ok(e) => Some(self.bound(&e, ty)),
            Err(_) => {
                self.cx.error(pat.extent(), &error::MATCH);
                None
            }
        }
    }
}

/// What is matched on.
enum Subject<'a> {
    Scalar(Local, Ty),
    /// Passive code of a foreign type.
    Foreign(&'a syn::Expr),
}

enum Test {
    Always,
    If(Box<Expr>),
}

/// A name in lower case is a variable, one in capitals a constant.
fn is_variable(p: &syn::PatIdent) -> bool {
    p.subpat.is_some()
        || p.mutability.is_some()
        || !p.ident.to_string().starts_with(char::is_uppercase)
}
