//! Control flow: `if`, blocks, loops, `break`, `continue`, `return`.

use super::expr::as_path;
use super::stmt::{block_diverges, diverges};
use super::{ClosureScope, Loop, Reader};
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Expr, Kind};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::types::element;
use crate::report::Extent;
use crate::template::parse_quote;
use quote::ToTokens;

impl Reader<'_> {
    /// Type of the result of two arms. References to sequences of two kinds, or of two lengths, become slices.
    pub(super) fn joined(&mut self, a: &Ty, b: &Ty, span: Extent) -> Ty {
        if let (Ty::Ref(m, s), Ty::Ref(n, t)) = (self.types.shallow(a), self.types.shallow(b)) {
            let slice = match (self.types.shallow(&s), self.types.shallow(&t)) {
                (Ty::Array(s, n), Ty::Array(t, m)) if n.0.to_string() != m.0.to_string() => {
                    Some((s, t))
                }
                (Ty::Array(s, _), Ty::Slice(t) | Ty::Vec(t))
                | (Ty::Slice(s) | Ty::Vec(s), Ty::Array(t, _))
                | (Ty::Slice(s), Ty::Vec(t))
                | (Ty::Vec(s), Ty::Slice(t)) => Some((s, t)),
                _ => None,
            };
            if let Some((s, t)) = slice {
                self.unify(&s, &t, span);
                return Ty::reference(m && n, Ty::Slice(s));
            }
        }
        self.unify(a, b, span);
        a.clone()
    }

    pub(super) fn if_expr(&mut self, i: &syn::ExprIf) -> Expr {
        let span = i.if_token.extent();
        if let Some(chosen) = self.chosen_constant(&syn::Expr::If(i.clone())) {
            return chosen;
        }
        let (cond, mut then) = self.scoped(|r| (r.condition(&i.cond), r.block(&i.then_branch)));
        let mut els = i.else_branch.as_ref().map(|(_, e)| Box::new(self.expr(e)));
        let ty = match &mut els {
            None => {
                if !block_diverges(&then) {
                    self.give_back(&then.ty.clone(), &Ty::unit(), span);
                }
                Ty::unit()
            }
            Some(e) if block_diverges(&then) => e.ty.clone(),
            Some(e) if diverges(e) => then.ty.clone(),
            Some(e) => {
                let boxed = self.boxed_of_two(&then.ty, &e.ty);
                self.lift_block(&mut then, boxed.as_ref().unwrap_or(&e.ty));
                self.lift_to(e, &then.ty);
                self.joined(&then.ty, &e.ty, e.span)
            }
        };
        Expr::new(
            Kind::If {
                cond: Box::new(cond),
                then,
                els,
            },
            ty,
            span,
        )
    }

    pub(super) fn block_expr(&mut self, b: &syn::ExprBlock) -> Expr {
        if let Some(label) = &b.label {
            return self.labelled_block(label.name.ident.to_string(), b);
        }
        let block = self.block(&b.block);
        let ty = block.ty.clone();
        Expr::new(Kind::Block(block), ty, b.extent())
    }

    fn open_loop(&mut self, label: Option<String>, is_loop: bool, value: Option<Ty>) {
        self.loops.push(Loop {
            label,
            is_loop,
            value,
            broken: false,
        });
    }

    /// `'a: { .. break 'a v; .. }`
    fn labelled_block(&mut self, label: String, b: &syn::ExprBlock) -> Expr {
        let value = self.types.fresh();
        self.open_loop(Some(label.clone()), false, Some(value.clone()));
        let body = self.block(&b.block);
        if !block_diverges(&body) {
            self.unify(&value, &body.ty.clone(), b.extent());
        }
        let broken = self.loops.pop().is_some_and(|l| l.broken);
        Expr::new(
            Kind::Labelled {
                label,
                body,
                broken,
            },
            value,
            b.extent(),
        )
    }

    pub(super) fn while_expr(&mut self, w: &syn::ExprWhile) -> Expr {
        if let Some(f) = self.while_next(w) {
            return self.for_expr(&f);
        }
        let span = w.while_token.extent();
        let label = label_name(&w.label);
        // `break` and `continue` in the condition mean this loop
        self.open_loop(label.clone(), true, None);
        let (cond, body) = self.scoped(|r| (r.condition(&w.cond), r.block(&w.body)));
        self.loops.pop();
        self.unit_body(&body, span);
        Expr::new(
            Kind::While {
                label,
                cond: Box::new(cond),
                body,
            },
            Ty::unit(),
            span,
        )
    }

    pub(super) fn loop_expr(&mut self, l: &syn::ExprLoop) -> Expr {
        let label = label_name(&l.label);
        let value = self.types.fresh();
        self.open_loop(label.clone(), true, Some(value.clone()));
        let body = self.block(&l.body);
        self.unit_body(&body, l.loop_token.extent());
        let broken = self.loops.pop().is_some_and(|l| l.broken);
        Expr::new(
            Kind::Loop {
                label,
                body,
                broken,
            },
            value,
            l.loop_token.extent(),
        )
    }

    /// `for l in &chain() { .. }`   =>   `{ let __list = chain(); for l in &__list { .. } }` of a function that makes
    /// constants: outside of loops and branches it is called once, and what it returns is borrowed from there.
    fn of_list_made_first(&self, f: &syn::ExprForLoop) -> Option<syn::Expr> {
        let mut first = f.clone();
        let mut root = &mut *first.expr;
        while let syn::Expr::Reference(syn::ExprReference { expr: of, .. })
        | syn::Expr::Paren(syn::ExprParen { expr: of, .. })
        | syn::Expr::MethodCall(syn::ExprMethodCall { receiver: of, .. }) = root
        {
            root = of;
        }
        let syn::Expr::Call(call) = &*root else {
            return None;
        };
        let path = as_path(&call.func)?;
        let known = self
            .env
            .function(&path.path.to_token_stream().to_string())?;
        let ty = types::result_of(&known.signature.output)?;
        if known.is_differentiated || element(&self.env.expanded(ty)).is_none() {
            return None;
        }
        let call = std::mem::replace(root, parse_quote!(__list));
        Some(parse_quote!({
            let __list = #call;
            #first
        }))
    }

    pub(super) fn for_expr(&mut self, f: &syn::ExprForLoop) -> Expr {
        if let Some(looped) = self.for_on_state(f) {
            return looped;
        }
        if let Some(block) = self.of_list_made_first(f) {
            return self.expr(&block);
        }
        let span = f.for_token.extent();
        let Some((iter, item)) = self.iterator(&f.expr, true) else {
            return Expr::new(Kind::Refused, Ty::unit(), span);
        };
        let label = label_name(&f.label);
        self.open_loop(label.clone(), true, None);
        let (pat, body) = self.scoped(|r| {
            let pat = r.pattern(&f.pat, &item);
            (pat, r.block(&f.body))
        });
        self.unit_body(&body, span);
        let broken = self.loops.pop().is_some_and(|l| l.broken);
        Expr::new(
            Kind::For {
                label,
                pat,
                iter,
                body,
                broken,
            },
            Ty::unit(),
            span,
        )
    }

    pub(super) fn break_expr(&mut self, b: &syn::ExprBreak) -> Expr {
        let span = b.break_token.extent();
        let label = b.label.as_ref().map(|l| l.ident.to_string());
        let mut value = b.expr.as_ref().map(|e| self.expr(e));
        let Some(target) = self.target(&label) else {
            return self.outside(span, &b.label);
        };
        self.loops[target].broken = true;
        let carried = self.loops[target].value.clone();
        if let (Some(value), Some(wanted)) = (&mut value, &carried) {
            self.lift_to(value, wanted);
        }
        let ty = value.as_ref().map_or_else(Ty::unit, |v| v.ty.clone());
        match carried {
            Some(carried) => self.unify(&carried, &ty, span),
            None if value.is_some() => self.cx.mismatch(),
            None => {}
        }
        Expr::new(
            Kind::Break(label, value.map(Box::new)),
            self.types.fresh(),
            span,
        )
    }

    pub(super) fn continue_expr(&mut self, c: &syn::ExprContinue) -> Expr {
        let span = c.continue_token.extent();
        let label = c.label.as_ref().map(|l| l.ident.to_string());
        if self.target(&label).is_none() {
            return self.outside(span, &c.label);
        }
        Expr::new(Kind::Continue(label), self.types.fresh(), span)
    }

    pub(super) fn return_expr(&mut self, r: &syn::ExprReturn) -> Expr {
        let span = r.return_token.extent();
        let ret = match &mut self.closure {
            None => self.ret.clone(),
            Some(ClosureScope { ret: None, .. }) => {
                return self.refuse(span, &error::RETURN_IN_CLOSURE);
            }
            Some(ClosureScope {
                ret: Some(ret),
                returns,
            }) => {
                *returns = true;
                ret.clone()
            }
        };
        let mut value = r.expr.as_ref().map(|e| self.expr_for(e, &ret));
        if value.is_none() && self.closure.is_some() {
            value = Some(Expr::new(Kind::Tuple(Vec::new()), Ty::unit(), span));
        }
        if let Some(value) = &mut value {
            self.lift_to(value, &ret);
        }
        let ty = value.as_ref().map_or_else(Ty::unit, |v| v.ty.clone());
        let leaves = value.as_ref().is_some_and(diverges);
        if !leaves && self.closure.is_none() {
            self.give_back(&ty, &ret, span);
        } else if !leaves {
            self.unify(&ty, &ret, span);
        }
        Expr::new(Kind::Return(value.map(Box::new)), self.types.fresh(), span)
    }

    /// The body of a loop has no value.
    fn unit_body(&mut self, body: &Block, span: Extent) {
        if !block_diverges(body) {
            self.give_back(&body.ty.clone(), &Ty::unit(), span);
        }
    }

    /// The loop that a `break` or `continue` means.
    fn target(&self, label: &Option<String>) -> Option<usize> {
        match label {
            None => self.loops.iter().rposition(|l| l.is_loop),
            Some(_) => self.loops.iter().rposition(|l| l.label == *label),
        }
    }

    /// `break` or `continue` without a loop: rustc reports it, unless the loop was refused.
    fn outside(&mut self, span: Extent, _label: &Option<syn::Lifetime>) -> Expr {
        self.cx.mismatch();
        self.refused(span)
    }
}

fn label_name(label: &Option<syn::Label>) -> Option<String> {
    label.as_ref().map(|l| l.name.ident.to_string())
}
