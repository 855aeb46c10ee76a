//! Exit codes: which exit a region has taken, as an integer that guards read; and values that the
//! structured body needs beside the user's.

use super::escapes::{Around, Escapes, Inner, Target, leaves_all, scan, scan_stmt, target};
use super::{Cx, Loop, RETURN};
use crate::ir::{
    Arg, CmpOp, Exit, Init, Leaf, Lit, Op, Place, PlaceId, PlaceKind, Region, Stmt, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::Set;
use proc_macro2::Span;

impl Cx {
    // ---- exit codes ----

    pub(super) fn enter(&mut self, label: Option<String>, is_loop: bool) -> i128 {
        let code = RETURN + 1 + 2 * self.loops.len() as i128;
        self.loops.push(Loop {
            label,
            is_loop,
            code,
        });
        code
    }

    pub(super) fn find(&self, label: &Option<String>) -> &Loop {
        let found = match label {
            None => self.loops.iter().rev().find(|l| l.is_loop),
            Some(_) => self.loops.iter().rev().find(|l| l.label == *label),
        };
        found.expect("verify: breaks and continues name an enclosing loop")
    }

    /// The exit code's place is declared at the start of the function, if anything needs it.
    pub(super) fn declare_exit(&mut self, head: &mut Vec<Stmt>) {
        if let Some(place) = self.exit {
            let zero = self.int(0, head);
            head.push(Stmt::Declare(place, Init::Scalar(zero)));
        }
    }

    pub(super) fn exit_place(&mut self) -> PlaceId {
        match self.exit {
            Some(p) => p,
            None => {
                let p =
                    self.body
                        .new_place(Type::usize(), "exit", PlaceKind::Local, Span::call_site());
                self.exit = Some(p);
                p
            }
        }
    }

    pub(super) fn set_exit(&mut self, code: i128, out: &mut Vec<Stmt>) {
        let root = self.exit_place();
        let v = self.int(code, out);
        out.push(Stmt::Store(Place::from(root), v));
    }

    pub(super) fn exit_is(&mut self, code: i128, out: &mut Vec<Stmt>) -> Val {
        let root = self.exit_place();
        let e = self
            .body
            .new_val(Type::usize(), Some("exit"), Span::call_site());
        out.push(Stmt::Load(e, Place::from(root)));
        let c = self.int(code, out);
        let is = self.body.new_val(Type::Bool, None, Span::call_site());
        out.push(Stmt::Let(is, Op::Cmp(CmpOp::Eq, e, c)));
        is
    }

    /// Back to 0 if the code is `code`; without a test where it cannot be anything else.
    pub(super) fn reset_exit(&mut self, code: i128, others: bool, out: &mut Vec<Stmt>) {
        if seeded!(CodeNotReset) {
            return;
        }
        if !others {
            self.set_exit(0, out);
            return;
        }
        let cond = self.exit_is(code, out);
        let mut stmts = Vec::new();
        self.set_exit(0, &mut stmts);
        let then = Region {
            stmts,
            exit: Exit::default(),
        };
        out.push(Stmt::If {
            cond,
            then,
            els: Region::default(),
            results: Vec::new(),
        });
    }

    pub(super) fn loop_escapes(&self, body: &Region, around: Around<'_>) -> Escapes {
        let mut found = Escapes::default();
        scan(
            body,
            &mut Vec::new(),
            &mut |exit, inner: &[Inner]| match target(exit, inner, around) {
                Target::Inside => {}
                Target::Again => found.again = true,
                Target::Stop => found.stop = true,
                Target::Outer => {
                    found.stop = true;
                    found.outer = true;
                }
            },
        );
        found.any = found.again || found.stop;
        found
    }

    /// Whether a statement may leave the region it stands in.
    pub(super) fn escapes_of(&self, stmt: &Stmt) -> Escapes {
        let mut found = Escapes::default();
        let mut inner = Vec::new();
        scan_stmt(stmt, &mut inner, &mut |exit, inner: &[Inner]| {
            if leaves_all(exit, inner) {
                found.any = true;
            }
        });
        found
    }

    // ---- values ----

    pub(super) fn keep_len(&mut self, place: PlaceId, known: Option<Val>, out: &mut Vec<Stmt>) {
        if !matches!(self.body.place(place).ty, Type::Vec(_)) || self.growing.contains(&place) {
            return;
        }
        let len = self
            .body
            .new_val(Type::usize(), Some("len"), Span::call_site());
        let op = match known {
            Some(n) => Op::Copy(n),
            None => Op::Len(Place::from(place)),
        };
        out.push(Stmt::Let(len, op));
        self.lens.insert(place, len);
    }

    /// Lengths, at the end of a region, of those of its own vectors that may have grown.
    pub(super) fn keep_last_lens(&mut self, stmts: &mut Vec<Stmt>) {
        let own = stmts.iter().flat_map(declared).collect();
        self.keep_last_lens_of(own, stmts);
    }

    pub(super) fn keep_last_lens_of(&mut self, own: Vec<PlaceId>, out: &mut Vec<Stmt>) {
        for root in own {
            if self.growing.contains(&root) && matches!(self.body.place(root).ty, Type::Vec(_)) {
                let path = Vec::new();
                let len = self
                    .body
                    .new_val(Type::usize(), Some("len"), Span::call_site());
                // a call that takes the vector with it is the last to see it
                let at = out.iter().position(|stmt| takes(stmt, root));
                let len_of = Stmt::Let(len, Op::Len(Place { root, path }));
                out.insert(at.unwrap_or(out.len()), len_of);
                self.lens.insert(root, len);
            }
        }
    }

    pub(super) fn root(&self, place: PlaceId) -> PlaceId {
        self.views.root(place)
    }

    pub(super) fn int(&mut self, value: i128, out: &mut Vec<Stmt>) -> Val {
        let v = self.body.new_val(Type::usize(), None, Span::call_site());
        out.push(Stmt::Let(v, Op::Lit(Lit::Int(value))));
        v
    }

    pub(super) fn fresh(&mut self, want: &[Type]) -> Vec<Val> {
        want.iter()
            .map(|ty| self.body.new_val(ty.clone(), None, Span::call_site()))
            .collect()
    }

    pub(super) fn zeros(&mut self, want: &[Type], out: &mut Vec<Stmt>) -> Vec<Val> {
        want.iter().map(|ty| self.zero_of(ty, out)).collect()
    }

    pub(super) fn zero_of(&mut self, ty: &Type, out: &mut Vec<Stmt>) -> Val {
        let lit = match ty {
            Type::Float | Type::Lane => Lit::Float(0.0),
            Type::Bool => Lit::Bool(false),
            Type::Int(_) => Lit::Int(0),
            Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Struct(_)
            | Type::Lanes(_)
            | Type::Opaque(_) => {
                unreachable!("check: values that leave a region early are scalars or arrays")
            }
        };
        let v = self.body.new_val(ty.clone(), None, Span::call_site());
        out.push(Stmt::Let(v, Op::Lit(lit)));
        v
    }
}

/// Whether a statement is a call that a vector is moved into.
fn takes(stmt: &Stmt, root: PlaceId) -> bool {
    let call = match stmt {
        Stmt::Call(call) => call,
        Stmt::AugmentedCall(c) => &c.call,
        _ => return false,
    };
    let is_it = |arg: &Arg| matches!(arg, Arg::Place(p) if p.root == root && p.path.is_empty());
    call.args.iter().any(is_it)
}

/// Vectors whose lengths may change: those that are resized, exchanged or moved out of.
pub(super) fn growing(region: &Region) -> Set<PlaceId> {
    let mut found = Set::new();
    for stmt in region.all() {
        match stmt {
            Stmt::Storage(s) => found.extend(s.places()),
            Stmt::Declare(_, Init::MoveOf(src)) => {
                found.insert(*src);
            }
            _ => {}
        }
    }
    found
}

/// Places that are returned.
pub(super) fn returned(region: &Region) -> Set<PlaceId> {
    let mut found = Set::new();
    if let Exit::Return(leaves) = &region.exit {
        found.extend(leaves.iter().filter_map(place_of));
    }
    for inner in region.stmts.iter().flat_map(Stmt::regions) {
        found.extend(returned(inner));
    }
    found
}

/// Places that a statement makes.
fn declared(stmt: &Stmt) -> Vec<PlaceId> {
    match stmt {
        Stmt::Declare(p, _) => vec![*p],
        Stmt::AugmentedCall(c) => {
            let leaves = c.call.result.leaves();
            leaves.into_iter().filter_map(place_of).collect()
        }
        _ => Vec::new(),
    }
}

fn place_of(leaf: &Leaf) -> Option<PlaceId> {
    match leaf {
        Leaf::Place(p) => Some(*p),
        Leaf::Val(_) => None,
    }
}
