//! `return e;` at the end of the function is its value: no early exit.

use super::hir::{Block, Expr, Kind, Step};
use super::ty::Ty;

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

fn rewrite(e: &mut Expr, ret: &Ty) {
    match &mut e.kind {
        Kind::Return(Some(value)) => {
            let value = std::mem::replace(
                value,
                Box::new(Expr {
                    kind: Kind::Refused,
                    ty: ret.clone(),
                    span: e.span,
                }),
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
        Kind::Block(b) => block(b),
        _ => false,
    }
}
