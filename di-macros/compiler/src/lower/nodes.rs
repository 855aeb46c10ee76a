//! Nodes of the typed tree, as they are made of others.

use super::hir::{Block, Captures, Expr, Kind, Lambda, Local, Passive, Pat, Step};
use super::ty::Ty;
use crate::ir::{Lit, Tokens};
use crate::report::Extent;

impl Expr {
    pub(super) fn new(kind: Kind, ty: Ty, span: Extent) -> Expr {
        Expr { kind, ty, span }
    }

    pub(super) fn local(of: Local, ty: Ty, span: Extent) -> Expr {
        Expr::new(Kind::Local(of), ty, span)
    }

    /// A `usize`.
    pub(super) fn number(n: i128, span: Extent) -> Expr {
        Expr::new(Kind::Lit(Lit::Int(n)), Ty::usize(), span)
    }

    /// `&e`, or `&mut e` when true.
    pub(super) fn reference(mutable: bool, of: Expr) -> Expr {
        let (ty, span) = (Ty::reference(mutable, of.ty.clone()), of.span);
        Expr::new(Kind::Ref(mutable, Box::new(of)), ty, span)
    }

    /// `{ stmts; value }`
    pub(super) fn block(stmts: Vec<Step>, value: Expr, span: Extent) -> Expr {
        let ty = value.ty.clone();
        Expr::new(Kind::Block(Block::new(stmts, value)), ty, span)
    }

    /// The value, and what runs before it, if anything does.
    pub(super) fn after(stmts: Vec<Step>, value: Expr) -> Expr {
        let span = value.span;
        match stmts.is_empty() {
            true => value,
            false => Expr::block(stmts, value, span),
        }
    }
}

impl Block {
    pub(super) fn new(stmts: Vec<Step>, value: Expr) -> Block {
        Block {
            stmts,
            ty: value.ty.clone(),
            value: Some(Box::new(value)),
        }
    }

    /// A block without a value.
    pub(super) fn of_steps(stmts: Vec<Step>) -> Block {
        Block {
            stmts,
            value: None,
            ty: Ty::unit(),
        }
    }
}

impl Passive {
    /// Code that reads these variables.
    pub(super) fn new(tokens: Tokens, locals: Vec<(String, Local)>) -> Passive {
        Passive {
            tokens,
            locals,
            explicit: false,
            lifted: false,
        }
    }
}

impl Lambda {
    /// A closure that takes nothing along.
    pub(super) fn new(pats: Vec<Pat>, body: Box<Expr>, outside: usize) -> Lambda {
        Lambda {
            pats,
            body,
            outside,
            captures: Captures::new(),
        }
    }
}

impl Step {
    /// `let local = value;`
    pub(super) fn bind(local: Local, value: Expr) -> Step {
        Step::Let {
            pat: Pat::Bind(local),
            init: Some(value),
        }
    }
}
