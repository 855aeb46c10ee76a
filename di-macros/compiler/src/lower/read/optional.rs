//! Closures that return an `Option`, or an iterator: of `filter_map`, `map_while`, `scan` and `flat_map`.

use super::expr::strip;
use super::stmt::block_diverges;
use super::{ClosureScope, Reader};
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Branch, Captures, Expr, Iter, Kind, Pat, Step, Tail, Variant};
use crate::lower::ty::Ty;
use crate::lower::walk::{each_mut_of_branch, each_mut_of_iter};
use crate::template::parse_quote;
use crate::walk::{self, Node, Onward};

/// A closure that returns an `Option`.
pub(super) struct Optional {
    pub(super) outside: usize,
    pub(super) captures: Captures,
    pub(super) pats: Vec<Pat>,
    pub(super) branch: Box<Branch>,
    /// What is in `Some`.
    pub(super) ty: Ty,
}

impl Reader<'_> {
    /// `ys.iter().flatten()` of constant options: what those hold that hold something.
    pub(super) fn in_constant_options(&mut self, options: Iter, item: Ty) -> Option<(Iter, Ty)> {
        let held = parse_quote!(|__option| match __option {
            ::core::option::Option::Some(__some) => ::core::option::Option::Some(__some),
            ::core::option::Option::None => ::core::option::Option::None,
        });
        let found = self.optional_closure(&held, &[item])?;
        Some(found.over(options, false, None))
    }

    /// A closure that ends with `Some(..)`, `None` or an `if` between them; with the type in `Some`.
    pub(super) fn optional_closure(&mut self, f: &syn::Expr, params: &[Ty]) -> Option<Optional> {
        let c = match strip(f) {
            syn::Expr::Closure(c) if c.output == syn::ReturnType::Default && branches(&c.body) => c,
            _ => return self.optional_lambda(f, params),
        };
        if c.inputs.len() != params.len() {
            self.cx.mismatch();
            return None;
        }
        let ty = self.types.fresh();
        let mark = self.mark();
        let (pats, branch, _) = self.in_closure(ClosureScope::default(), |r| {
            let pats = r.parameters(c, params);
            let branch = r.branch(&c.body, &ty);
            (pats, branch)
        });
        let mut branch = Box::new(branch?);
        let captures = self.captures(c, mark, &mut |f| each_mut_of_branch(&mut branch, f));
        Some(Optional {
            outside: mark.locals,
            captures,
            pats,
            branch,
            ty,
        })
    }

    /// Any closure that returns an `Option`, or the path of a function that does.
    fn optional_lambda(&mut self, f: &syn::Expr, params: &[Ty]) -> Option<Optional> {
        let ty = self.types.fresh();
        let option = Ty::Sum(vec![ty.clone()]);
        let lambda = match strip(f) {
            syn::Expr::Closure(c) if c.inputs.len() == params.len() => {
                self.written_closure(c, Some(params), Some(&option))?.0
            }
            _ => self.lambda(f, params)?,
        };
        let body = *lambda.body;
        if let Kind::Passive(_) = body.kind {
            self.cx.error(body.span, &error::CLOSURE_OPTION);
            return None;
        }
        self.unify(&body.ty.clone(), &option, body.span);
        let branch = self.in_variant(body, 1, &ty);
        Some(Optional {
            outside: lambda.outside,
            captures: lambda.captures,
            pats: lambda.pats,
            branch: Box::new(branch),
            ty,
        })
    }

    /// What is in `Some` or `Ok`, if it is that.
    pub(super) fn in_variant(&mut self, value: Expr, payloads: usize, ty: &Ty) -> Branch {
        let span = value.span;
        let variant = match payloads {
            1 => Variant::Some,
            _ => Variant::Ok,
        };
        let payload = self.unnamed("payload", ty.clone(), span);
        let cond = Kind::Let(
            Pat::Variant(variant, Box::new(Pat::Bind(payload))),
            Box::new(value),
        );
        let some = Kind::Local(payload);
        let tail = |tail| Branch {
            steps: Vec::new(),
            tail,
        };
        let expr = |kind, ty| Box::new(Expr { kind, ty, span });
        tail(Tail::If {
            cond: expr(cond, Ty::Bool),
            then: Box::new(tail(Tail::Some(expr(some, ty.clone())))),
            els: Box::new(tail(Tail::None)),
        })
    }

    fn branch(&mut self, e: &syn::Expr, ty: &Ty) -> Option<Branch> {
        let tail = |tail| {
            Some(Branch {
                steps: Vec::new(),
                tail,
            })
        };
        match strip(e) {
            syn::Expr::Block(b) if b.label.is_none() => self.scoped(|r| {
                let (steps, last) = r.steps_and_last(&b.block)?;
                let inner = r.branch(last, ty)?;
                Some(Branch {
                    steps: steps.into_iter().chain(inner.steps).collect(),
                    tail: inner.tail,
                })
            }),
            syn::Expr::If(i) if !matches!(strip(&i.cond), syn::Expr::Let(_)) => {
                let Some((_, els)) = &i.else_branch else {
                    self.cx.mismatch();
                    return None;
                };
                let cond = self.expr(&i.cond);
                self.unify(&cond.ty.clone(), &Ty::Bool, cond.span);
                let then = syn::Expr::Block(syn::ExprBlock {
                    attrs: Vec::new(),
                    label: None,
                    block: i.then_branch.clone(),
                });
                let then = self.branch(&then, ty);
                let els = self.branch(els, ty);
                tail(Tail::If {
                    cond: Box::new(cond),
                    then: Box::new(then?),
                    els: Box::new(els?),
                })
            }
            syn::Expr::Path(p) if p.path.is_ident("None") => tail(Tail::None),
            syn::Expr::Call(c) if is_some(&c.func) && c.args.len() == 1 => {
                let value = self.expr(&c.args[0]);
                self.unify(ty, &value.ty.clone(), value.span);
                tail(Tail::Some(Box::new(value)))
            }
            // `cond.then(|| e)`, `cond.then_some(e)`
            syn::Expr::MethodCall(m)
                if matches!(m.method.to_string().as_str(), "then" | "then_some")
                    && m.args.len() == 1 =>
            {
                let cond = self.expr(&m.receiver);
                self.unify(&cond.ty.clone(), &Ty::Bool, cond.span);
                let value = if m.method == "then" {
                    *self.lambda(&m.args[0], &[])?.body
                } else {
                    self.expr(&m.args[0])
                };
                self.unify(ty, &value.ty.clone(), value.span);
                let branch = |tail| {
                    Box::new(Branch {
                        steps: Vec::new(),
                        tail,
                    })
                };
                tail(Tail::If {
                    cond: Box::new(cond),
                    then: branch(Tail::Some(Box::new(value))),
                    els: branch(Tail::None),
                })
            }
            other => {
                self.cx.error(other.extent(), &error::CLOSURE_OPTION);
                None
            }
        }
    }

    /// `flat_map(|pat| chain)`
    pub(super) fn flat_map(&mut self, iter: Iter, item: Ty, f: &syn::Expr) -> Option<(Iter, Ty)> {
        let syn::Expr::Closure(c) = strip(f) else {
            self.cx.error(f.extent(), &error::FLAT_MAP_CLOSURE);
            return None;
        };
        if c.inputs.len() != 1 {
            self.cx.mismatch();
            return None;
        }
        let mark = self.mark();
        let (pats, found, _) = self.in_closure(ClosureScope::default(), |r| {
            let pats = r.parameters(c, &[item]);
            (pats, r.iterator_after(&c.body, true))
        });
        let (mut inner, ty) = found?;
        let captures = self.captures(c, mark, &mut |f| each_mut_of_iter(&mut inner, f));
        let iter = Iter::FlatMap {
            iter: Box::new(iter),
            outside: mark.locals,
            captures,
            pat: pats.into_iter().next()?,
            inner: Box::new(inner),
        };
        Some((iter, ty))
    }

    /// An iterator, or a block that ends with one.
    pub(super) fn iterator_after(&mut self, e: &syn::Expr, into: bool) -> Option<(Iter, Ty)> {
        match strip(e) {
            syn::Expr::Block(b) if b.label.is_none() => self.scoped(|r| {
                let (steps, last) = r.steps_and_last(&b.block)?;
                let (inner, ty) = r.iterator_after(last, into)?;
                Some((Iter::After(steps, Box::new(inner)), ty))
            }),
            other => self.iterator(other, into),
        }
    }

    /// The statements of a block in the current scope, and the expression at its end.
    pub(super) fn steps_and_last<'b>(
        &mut self,
        block: &'b syn::Block,
    ) -> Option<(Vec<Step>, &'b syn::Expr)> {
        let Some((syn::Stmt::Expr(last, None), first)) = block.stmts.split_last() else {
            self.cx.mismatch();
            return None;
        };
        let first = syn::Block {
            brace_token: block.brace_token,
            stmts: first.to_vec(),
        };
        let steps = self.block_in_scope(&first);
        if block_diverges(&steps) {
            self.cx.error(last.extent(), &error::CLOSURE_OPTION);
            return None;
        }
        let value = steps.value.map(|v| Step::Expr(*v));
        Some((steps.stmts.into_iter().chain(value).collect(), last))
    }
}

/// Whether the expression is `Some(..)`, `None`, or made of these by `if` and blocks, and no part of it
/// leaves the closure.
fn branches(e: &syn::Expr) -> bool {
    fn ends(e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Block(b) => match b.block.stmts.last() {
                Some(syn::Stmt::Expr(last, None)) => b.label.is_none() && ends(last),
                _ => false,
            },
            syn::Expr::If(i) if !matches!(strip(&i.cond), syn::Expr::Let(_)) => {
                let then = match i.then_branch.stmts.last() {
                    Some(syn::Stmt::Expr(last, None)) => ends(last),
                    _ => false,
                };
                then && i.else_branch.as_ref().is_some_and(|(_, els)| ends(els))
            }
            syn::Expr::Path(p) => p.path.is_ident("None"),
            syn::Expr::Call(c) => is_some(&c.func) && c.args.len() == 1,
            syn::Expr::MethodCall(m) => {
                matches!(m.method.to_string().as_str(), "then" | "then_some") && m.args.len() == 1
            }
            _ => false,
        }
    }
    let exits = walk::read(Node::Expr(e), &mut |node| match node {
        Node::Expr(syn::Expr::Return(_) | syn::Expr::Try(_)) => Onward::Found,
        Node::Expr(syn::Expr::Closure(_)) => Onward::Over,
        _ => Onward::Into,
    });
    ends(e) && !exits
}

fn is_some(f: &syn::Expr) -> bool {
    matches!(strip(f), syn::Expr::Path(p) if p.path.is_ident("Some"))
}
