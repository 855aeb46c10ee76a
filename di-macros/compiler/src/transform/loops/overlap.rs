//! Rows that overlap: `for i in 0..n { for j in i + 1..n { y[j] += a[l] * x[i] } }` reads what the trip
//! of `i` before has just written, one element further on. What it costs to vectorise them where they are
//! short: with 9 elements and less, 1.30 against 1.05 times the primal (augmented sweep of benches/src/cases/gmm.rs).

use super::Cx;
use crate::ir::{BinOp, For, FrameMode, Lit, Op, PlaceId, PlaceKind, Proj, Stmt, Val};

impl Cx<'_> {
    /// Whether the loop adds to, or reads and writes, a row that begins one further on, or one earlier,
    /// in the next trip of the loop around it.
    pub(super) fn is_overlapping(&self, f: &For, before: &[Stmt]) -> bool {
        let Some(around) = self.around.last() else {
            return false;
        };
        let free = !f.reversed && f.frame.mode == FrameMode::None;
        free && before.iter().any(|stmt| {
            let Stmt::View {
                view,
                of,
                mutable: true,
            } = stmt
            else {
                return false;
            };
            let [Proj::Range(lo, _)] = of.path.as_slice() else {
                return false;
            };
            let moves = || self.moves(*lo, *around, before);
            self.is_updated(*view, f) && moves().is_some_and(|by| by.abs() == 1)
        })
    }

    /// Whether elements of a row are written that were read, or are added to.
    fn is_updated(&self, row: PlaceId, f: &For) -> bool {
        let (mut reads, mut writes) = (false, false);
        for stmt in &f.body.stmts {
            match stmt {
                Stmt::Load(_, p) => reads |= p.root == row,
                Stmt::Store(p, _) => writes |= p.root == row,
                Stmt::Accumulate { place, .. } if place.root == row => return true,
                _ => {}
            }
        }
        self.body.place(row).kind == PlaceKind::Row && reads && writes
    }

    /// By how much a value grows from one trip of a loop to the next, if that is a constant.
    fn moves(&self, v: Val, around: Val, before: &[Stmt]) -> Option<i128> {
        if v == around {
            return Some(1);
        }
        let moves = |v: &Val| self.moves(*v, around, before);
        let new = before.iter().find_map(|stmt| match stmt {
            Stmt::Let(w, op) if *w == v => Some(op),
            _ => None,
        });
        match new.or_else(|| self.ops.get(&v))? {
            Op::Copy(a) | Op::Cast(a) => moves(a),
            Op::Neg(a) => Some(-moves(a)?),
            Op::Bin(BinOp::Add, a, b) => Some(moves(a)? + moves(b)?),
            Op::Bin(BinOp::Sub, a, b) => Some(moves(a)? - moves(b)?),
            Op::Induction {
                lo,
                trip,
                reversed: false,
                ..
            } => Some(moves(lo)? + moves(trip)?),
            Op::Induction {
                hi,
                trip,
                reversed: true,
                ..
            } => Some(moves(hi)? - moves(trip)?),
            Op::Lit(Lit::Int(_)) | Op::Param(_) | Op::Len(_) => Some(0),
            _ => None,
        }
    }
}
