//! Iterators: what stands behind `in`, and chains that end in a reduction.

use super::Reader;
use super::expr::strip;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{By, Expr, Iter, Kind, Pat, Reduce};
use crate::lower::ty::Ty;

impl Reader<'_> {
    /// An iterator and the type of its items. `into`: the expression goes through `into_iter`, as
    /// behind `for` and in `zip`.
    pub(super) fn iterator(&mut self, e: &syn::Expr, into: bool) -> Option<(Iter, Ty)> {
        match strip(e) {
            syn::Expr::Range(r) => self.range(r),
            syn::Expr::MethodCall(m) => {
                if let Some(found) = self.adapter(m) {
                    return found;
                }
                self.sequence(e, into)
            }
            _ => self.sequence(e, into),
        }
    }

    fn range(&mut self, r: &syn::ExprRange) -> Option<(Iter, Ty)> {
        let (Some(lo), Some(hi)) = (&r.start, &r.end) else {
            self.cx.error(r.extent(), &error::OPEN_RANGE);
            return None;
        };
        let (lo, hi) = (self.expr(lo), self.expr(hi));
        self.unify(&lo.ty.clone(), &hi.ty.clone(), hi.span);
        let ty = self.types.peel(&lo.ty);
        if matches!(ty, Ty::Float) {
            self.cx.mismatch();
        }
        let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
        Some((
            Iter::Range {
                lo: Box::new(lo),
                hi: Box::new(hi),
                inclusive,
            },
            ty,
        ))
    }

    /// `x`, `&x`, `&mut x` behind `for`.
    fn sequence(&mut self, e: &syn::Expr, into: bool) -> Option<(Iter, Ty)> {
        let base = self.expr(e);
        if base.is_refused() {
            return None;
        }
        if !into {
            self.cx.error(base.span, &error::ITERATOR_VALUE);
            return None;
        }
        let elem = self.element_of(&base)?;
        let (by, item) = match self.types.shallow(&base.ty) {
            Ty::Ref(false, _) => (By::Shared, Ty::reference(false, elem)),
            Ty::Ref(true, _) => (By::Mut, Ty::reference(true, elem)),
            _ => (By::Value, elem),
        };
        Some((
            Iter::Seq {
                base: Box::new(base),
                by,
            },
            item,
        ))
    }

    /// A method that makes an iterator. `None` if it is none of these: then it is an expression.
    fn adapter(&mut self, m: &syn::ExprMethodCall) -> Option<Option<(Iter, Ty)>> {
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        Some(match (name.as_str(), args.as_slice()) {
            ("iter" | "iter_mut" | "into_iter", []) => self.iter_method(m, &name),
            ("rev", []) => self.inner(m).map(|(i, t)| (Iter::Rev(Box::new(i)), t)),
            ("copied" | "cloned", []) => self.inner(m).map(|(i, t)| {
                let t = self.types.peel(&t);
                (Iter::Copied(Box::new(i)), t)
            }),
            ("enumerate", []) => self.inner(m).map(|(i, t)| {
                (
                    Iter::Enumerate(Box::new(i)),
                    Ty::Tuple(vec![Ty::usize(), t]),
                )
            }),
            ("zip", [other]) => {
                let left = self.inner(m);
                let right = self.iterator(other, true);
                left.zip(right).map(|((a, s), (b, t))| {
                    (Iter::Zip(Box::new(a), Box::new(b)), Ty::Tuple(vec![s, t]))
                })
            }
            ("take" | "skip" | "step_by", [n]) => {
                let inner = self.inner(m);
                let n = self.expr(n);
                self.unify(&n.ty.clone(), &Ty::usize(), n.span);
                inner.map(|(i, t)| {
                    let (i, n) = (Box::new(i), Box::new(n));
                    let iter = match name.as_str() {
                        "take" => Iter::Take(i, n),
                        "skip" => Iter::Skip(i, n),
                        _ => Iter::StepBy(i, n),
                    };
                    (iter, t)
                })
            }
            ("map", [f]) => {
                let (inner, item) = match self.inner(m) {
                    Some(found) => found,
                    None => return Some(None),
                };
                let (pats, body) = match self.closure(f, &[item]) {
                    Some(found) => found,
                    None => return Some(None),
                };
                let ty = body.ty.clone();
                let pat = pats.into_iter().next().expect("one parameter");
                Some((Iter::Map(Box::new(inner), pat, Box::new(body)), ty))
            }
            _ => return None,
        })
    }

    fn inner(&mut self, m: &syn::ExprMethodCall) -> Option<(Iter, Ty)> {
        self.iterator(&m.receiver, false)
    }

    /// `x.iter()` and its kin.
    fn iter_method(&mut self, m: &syn::ExprMethodCall, name: &str) -> Option<(Iter, Ty)> {
        if let syn::Expr::Range(r) = strip(&m.receiver) {
            return self.range(r);
        }
        let base = self.expr(&m.receiver);
        if base.is_refused() {
            return None;
        }
        let elem = self.element_of(&base)?;
        let (by, item) = match name {
            "iter" => (By::Shared, Ty::reference(false, elem)),
            "iter_mut" => (By::Mut, Ty::reference(true, elem)),
            _ => match self.types.shallow(&base.ty) {
                Ty::Ref(false, _) => (By::Shared, Ty::reference(false, elem)),
                Ty::Ref(true, _) => (By::Mut, Ty::reference(true, elem)),
                _ => (By::Value, elem),
            },
        };
        Some((
            Iter::Seq {
                base: Box::new(base),
                by,
            },
            item,
        ))
    }

    /// `chain.sum::<f64>()`, `chain.product()`, `chain.fold(init, |acc, v| ..)`.
    pub(super) fn reduction(&mut self, m: &syn::ExprMethodCall) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        let Some((iter, item)) = self.iterator(&m.receiver, false) else {
            for a in m
                .args
                .iter()
                .filter(|a| !matches!(a, syn::Expr::Closure(_)))
            {
                self.expr(a);
            }
            let ty = if name == "fold" {
                self.types.fresh()
            } else {
                Ty::Float
            };
            return Expr {
                kind: Kind::Refused,
                ty,
                span,
            };
        };
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        match (name.as_str(), args.as_slice()) {
            ("sum" | "product", []) => {
                let ty = self.types.peel(&item);
                if let Some(turbofish) = &m.turbofish
                    && let Some(syn::GenericArgument::Type(t)) = turbofish.args.first()
                    && let Some(written) = self.annotation(t)
                {
                    self.unify(&written, &ty, span);
                }
                let how = if name == "sum" {
                    Reduce::Sum
                } else {
                    Reduce::Product
                };
                Expr {
                    kind: Kind::Reduce(iter, how),
                    ty,
                    span,
                }
            }
            ("fold", [init, f]) => {
                let init = self.expr(init);
                let acc_ty = self.types.peel(&init.ty);
                if matches!(acc_ty, Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_)) {
                    return self.refuse(init.span, &error::FOLD_SEQUENCE);
                }
                let (pats, body) = match self.closure(f, &[acc_ty.clone(), item]) {
                    Some(found) => found,
                    None => {
                        return Expr {
                            kind: Kind::Refused,
                            ty: acc_ty,
                            span,
                        };
                    }
                };
                self.unify(&body.ty.clone(), &acc_ty, body.span);
                let mut pats = pats.into_iter();
                let acc = pats.next().expect("two parameters");
                let item = pats.next().expect("two parameters");
                let how = Reduce::Fold {
                    init: Box::new(init),
                    acc,
                    item,
                    body: Box::new(body),
                };
                Expr {
                    kind: Kind::Reduce(iter, how),
                    ty: acc_ty,
                    span,
                }
            }
            _ => {
                self.cx.mismatch();
                self.refused(span)
            }
        }
    }

    /// A closure that is inlined where its items are made.
    fn closure(&mut self, f: &syn::Expr, params: &[Ty]) -> Option<(Vec<Pat>, Expr)> {
        let c = match strip(f) {
            syn::Expr::Closure(c) => c,
            syn::Expr::Path(p) if p.qself.is_none() => {
                return Some(self.path_as_closure(p, params));
            }
            other => {
                self.cx.error(other.extent(), &error::NOT_A_CLOSURE);
                return None;
            }
        };
        if c.asyncness.is_some() || c.inputs.len() != params.len() {
            self.cx.mismatch();
            return None;
        }
        let outer = std::mem::replace(&mut self.in_closure, true);
        let loops = std::mem::take(&mut self.loops);
        let found = self.scoped(|r| {
            let pats: Vec<Pat> = c
                .inputs
                .iter()
                .zip(params)
                .map(|(p, ty)| r.pattern(p, ty))
                .collect();
            let body = r.expr(&c.body);
            (pats, body)
        });
        self.in_closure = outer;
        self.loops = loops;
        Some(found)
    }

    /// `f64::max` or `h` in the place of a closure: a call on the parameters.
    fn path_as_closure(&mut self, path: &syn::ExprPath, params: &[Ty]) -> (Vec<Pat>, Expr) {
        let span = path.extent();
        self.scoped(|r| {
            let locals: Vec<_> = params
                .iter()
                .map(|ty| r.bind("item", false, ty.clone(), span))
                .collect();
            let args = locals.iter().zip(params);
            let args = args
                .map(|(l, ty)| Expr {
                    kind: Kind::Local(*l),
                    ty: ty.clone(),
                    span,
                })
                .collect();
            let body = r.call_path(path, args, span);
            (locals.into_iter().map(Pat::Bind).collect(), body)
        })
    }
}
