//! `return e;` at the end of a function or closure is its value: no early exit.

use super::hir::{Block, Expr, Kind, Step};
use super::ty::Ty;
use super::walk::{each, each_mut};
use crate::report::Extent;

/// Rewrites the function's block, whose value has the type `ret`.
pub(crate) fn returns_to_values(block: &mut Block, ret: &Ty) {
    if block.value.is_none() {
        // `return e;`, or an `if` whose arms end like that
        if let Some(Step::Expr(e)) = block.stmts.last()
            && ends_in_return(e)
            && let Some(Step::Expr(e)) = block.stmts.pop()
        {
            block.value = Some(Box::new(e));
        }
    }
    if let Some(value) = &mut block.value {
        rewrite(value, ret);
        block.ty = value.ty.clone();
    }
}

/// The body of a closure without `return`: what follows an `if` that returns goes into its other arm;
/// what is left becomes a `break` out of a loop around the body.
pub(crate) fn closure_body(body: Expr, ret: &Ty, label: &str) -> Expr {
    let span = body.span;
    let mut block = match body.kind {
        Kind::Block(b) => b,
        _ => Block {
            ty: body.ty.clone(),
            stmts: Vec::new(),
            value: Some(Box::new(body)),
        },
    };
    guards_to_arms(&mut block, ret, span);
    let ty = ret.clone();
    let mut body = Expr::new(Kind::Block(block), ty.clone(), span);
    if !returns(&body) {
        return body;
    }
    returns_to_breaks(&mut body, label);
    let body = Block {
        stmts: Vec::new(),
        value: Some(Box::new(body)),
        ty: ty.clone(),
    };
    Expr::new(
        Kind::Labelled {
            label: label.to_owned(),
            body,
            broken: true,
        },
        ty,
        span,
    )
}

// { if c { return a; } rest }   =>   { if c { a } else { rest } }
fn guards_to_arms(block: &mut Block, ret: &Ty, span: Extent) {
    let guard = block.stmts.iter().position(|s| match s {
        Step::Expr(Expr {
            kind: Kind::If { then, els, .. },
            ..
        }) => {
            els.is_none()
                && (then.value.as_ref().is_some_and(|v| ends_in_return(v))
                    || then.stmts.last().is_some_and(last_returns))
        }
        Step::Let { .. }
        | Step::LetElse { .. }
        | Step::Expr(_)
        | Step::Closure(_)
        | Step::Chain(_) => false,
    });
    if let Some(at) = guard {
        let rest = block.stmts.split_off(at + 1);
        let mut rest = Block {
            stmts: rest,
            value: block.value.take(),
            ty: ret.clone(),
        };
        if rest.value.is_none() && !rest.stmts.last().is_some_and(last_returns) {
            rest.value = Some(Box::new(Expr::new(
                Kind::Tuple(Vec::new()),
                Ty::unit(),
                span,
            )));
        }
        guards_to_arms(&mut rest, ret, span);
        if let Some(Step::Expr(mut e)) = block.stmts.pop() {
            if let Kind::If { els, .. } = &mut e.kind {
                *els = Some(Box::new(Expr::new(Kind::Block(rest), ret.clone(), e.span)));
            }
            e.ty = ret.clone();
            block.value = Some(Box::new(e));
        }
    }
    returns_to_values(block, ret);
}

fn returns(e: &Expr) -> bool {
    let mut found = matches!(e.kind, Kind::Return(_));
    each(e, &mut |inner| found |= returns(inner));
    found
}

fn returns_to_breaks(e: &mut Expr, label: &str) {
    each_mut(e, &mut |inner| returns_to_breaks(inner, label));
    if let Kind::Return(value) = &mut e.kind {
        e.kind = Kind::Break(Some(label.to_owned()), value.take());
    }
}

fn rewrite(e: &mut Expr, ret: &Ty) {
    match &mut e.kind {
        Kind::Return(Some(value)) => {
            let value = std::mem::replace(
                value,
                Box::new(Expr::new(Kind::Refused, ret.clone(), e.span)),
            );
            *e = *value;
            rewrite(e, ret);
        }
        Kind::If {
            then,
            els: Some(els),
            ..
        } => {
            let gives = |b: &Block| b.value.is_some() || b.stmts.last().is_some_and(last_returns);
            if gives(then)
                && (!matches!(els.kind, Kind::Block(_))
                    || matches!(&els.kind, Kind::Block(b) if gives(b)))
            {
                returns_to_values(then, ret);
                rewrite(els, ret);
                e.ty = ret.clone();
            }
        }
        Kind::Match(_, arms) => {
            let gives = |e: &Expr| match &e.kind {
                Kind::Block(b) => b.value.is_some() || b.stmts.last().is_some_and(last_returns),
                _ => true,
            };
            if !arms.is_empty() && arms.iter().all(|a| gives(&a.body)) {
                arms.iter_mut().for_each(|a| rewrite(&mut a.body, ret));
                e.ty = ret.clone();
            }
        }
        Kind::Block(b) => {
            returns_to_values(b, ret);
            if b.value.is_some() {
                e.ty = b.ty.clone();
            }
        }
        _ => {}
    }
}

fn last_returns(step: &Step) -> bool {
    matches!(step, Step::Expr(e) if ends_in_return(e))
}

/// Whether the expression is a `return` with a value, or an `if` all arms of which end so.
fn ends_in_return(e: &Expr) -> bool {
    let block = |b: &Block| match &b.value {
        Some(v) => ends_in_return(v),
        None => b.stmts.last().is_some_and(last_returns),
    };
    match &e.kind {
        Kind::Return(Some(_)) => true,
        Kind::If {
            then,
            els: Some(els),
            ..
        } => block(then) && ends_in_return(els),
        Kind::Match(_, arms) => !arms.is_empty() && arms.iter().all(|a| ends_in_return(&a.body)),
        Kind::Block(b) => block(b),
        _ => false,
    }
}
