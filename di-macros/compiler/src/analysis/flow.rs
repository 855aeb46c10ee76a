//! Where derivatives flow in a statement, from what to what. Calls and effects, where that is up to who asks, are left
//! out, and so are statements of transformed bodies.

use crate::ir::{Exit, Init, Op, Part, Place, PlaceId, Stmt, Storage, Val};

/// What may carry a derivative.
#[derive(Clone, Copy)]
pub(crate) enum Node {
    Val(Val),
    /// By the name that it has in the statement: of a view, that of the view.
    Place(PlaceId),
}

/// Visits what a derivative may go from and to, in the statement itself.
pub(crate) fn each_flow(stmt: &Stmt, f: &mut dyn FnMut(Node, Node)) {
    let at = |p: &Place| Node::Place(p.root);
    match stmt {
        Stmt::Let(v, op) => {
            for a in op_floats(op) {
                f(Node::Val(a), Node::Val(*v));
            }
        }
        Stmt::Load(v, p) | Stmt::Storage(Storage::Pop(v, p)) => f(at(p), Node::Val(*v)),
        Stmt::Store(p, v)
        | Stmt::Accumulate {
            place: p, val: v, ..
        }
        | Stmt::Storage(
            Storage::Push(p, v)
            | Storage::Resize {
                vec: p,
                fill: Some(v),
                ..
            },
        ) => f(Node::Val(*v), at(p)),
        Stmt::Declare(p, init) => each_source(init, &mut |from| f(from, Node::Place(*p))),
        Stmt::CopyPlace { dst, src } => f(at(src), at(dst)),
        Stmt::Storage(Storage::Swap(a, b)) => {
            f(at(a), at(b));
            f(at(b), at(a));
        }
        Stmt::If {
            then, els, results, ..
        } => {
            for arm in [then, els] {
                if let Exit::Yield(yields) = &arm.exit {
                    for (result, v) in results.iter().zip(yields) {
                        f(Node::Val(*v), Node::Val(*result));
                    }
                }
            }
        }
        Stmt::Storage(Storage::Resize { fill: None, .. })
        | Stmt::View { .. }
        | Stmt::Call(_)
        | Stmt::For(_)
        | Stmt::While { .. }
        | Stmt::Block { .. }
        | Stmt::Effect(_)
        | Stmt::Record(..)
        | Stmt::Tape(_)
        | Stmt::First(_)
        | Stmt::AccumulatePlace { .. }
        | Stmt::Zero(_)
        | Stmt::TangentCall(_)
        | Stmt::AugmentedCall(_)
        | Stmt::ReverseCall(_) => {}
    }
}

/// What a place is declared with.
fn each_source(init: &Init, f: &mut dyn FnMut(Node)) {
    match init {
        Init::Scalar(v) | Init::ArrayFill(v) | Init::VecFill(v, _) => f(Node::Val(*v)),
        Init::List(vs) => vs.iter().for_each(|v| f(Node::Val(*v))),
        Init::CopyOf(src) | Init::ZeroLike(src) => f(Node::Place(src.root)),
        Init::MoveOf(src) => f(Node::Place(*src)),
        Init::Struct { fields, base } => {
            for (_, part) in fields {
                match part {
                    Part::Val(v) => f(Node::Val(*v)),
                    Part::Place(p) => f(Node::Place(p.root)),
                }
            }
            base.iter().for_each(|p| f(Node::Place(p.root)));
        }
        Init::None | Init::Zero | Init::ZeroLen(_) | Init::AnyLen(_) | Init::Sorted { .. } => {}
    }
}

/// Operands through which a derivative may flow.
fn op_floats(op: &Op) -> Vec<Val> {
    match op {
        Op::Copy(a) | Op::Neg(a) => vec![*a],
        Op::Bin(_, a, b) => vec![*a, *b],
        Op::Elementary(_, vs) => vs.clone(),
        Op::Lit(_)
        | Op::Param(_)
        | Op::Not(_)
        | Op::Cmp(..)
        | Op::Cast(_)
        | Op::Len(_)
        | Op::Verbatim { .. }
        | Op::LaneZero
        | Op::LaneScale { .. }
        | Op::Partial(..)
        | Op::Reload(_)
        | Op::Trips { .. }
        | Op::Induction { .. }
        | Op::ResultSeed(_)
        | Op::LaneSum(_) => Vec::new(),
    }
}
