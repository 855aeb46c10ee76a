//! Operators on types that have none, which rustc refuses: nothing is generated then.

use crate::ir::{BinOp, Body, Lit, Op, Stmt, Type, Val};
use crate::report::Report;

/// Notes where an operator does not exist for its operands.
pub(super) fn check_operators(body: &Body, cx: &Report) {
    for stmt in body.region.all() {
        if let Stmt::Let(v, op) = stmt
            && !exists(body, *v, op)
        {
            cx.mismatch();
        }
    }
}

fn exists(body: &Body, v: Val, op: &Op) -> bool {
    let ty = |v: &Val| &body.val(*v).ty;
    let int = |v: &Val| matches!(ty(v), Type::Int(_));
    match op {
        Op::Lit(Lit::Int(n)) => *n >= 0 || !is_unsigned(ty(&v)),
        Op::Neg(a) => *ty(a) == Type::Float || int(a) && !is_unsigned(ty(a)),
        Op::Not(a) => *ty(a) != Type::Float,
        Op::Bin(BinOp::Shl | BinOp::Shr, a, b) => int(a) && int(b),
        Op::Bin(BinOp::And | BinOp::Or | BinOp::Xor, a, b) => {
            *ty(a) != Type::Float && *ty(b) != Type::Float
        }
        Op::Bin(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, a, b) => {
            *ty(a) != Type::Bool && *ty(b) != Type::Bool
        }
        _ => true,
    }
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Int(name) if name.starts_with('u'))
}
