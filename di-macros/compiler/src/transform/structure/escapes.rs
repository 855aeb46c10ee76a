//! Escapes: which exits inside a statement or loop lead out of it.

use crate::ir::{Exit, For, Region, Stmt};

/// Which exits of a region lead out of it.
#[derive(Default, Clone, Copy)]
pub(super) struct Escapes {
    pub(super) any: bool,
    /// `continue` of the loop whose body is looked at.
    pub(super) again: bool,
    /// Anything else that ends that loop.
    pub(super) stop: bool,
    /// Something that leaves that loop's surroundings too.
    pub(super) outer: bool,
}

pub(super) enum Target {
    Inside,
    Again,
    Stop,
    Outer,
}

/// Where an exit inside a loop's body leads, seen from that loop. `inner`: loops between.
pub(super) fn target(exit: &Exit, inner: &[Option<String>], label: Option<&String>) -> Target {
    let named = |l: &Option<String>| match l {
        None if inner.is_empty() => Some(true),
        None => None,
        Some(name) if inner.iter().any(|i| i.as_ref() == Some(name)) => None,
        Some(name) => Some(label == Some(name)),
    };
    match exit {
        Exit::Yield(_) => Target::Inside,
        Exit::Return(_) => Target::Outer,
        Exit::Continue(l) => match named(l) {
            None => Target::Inside,
            Some(true) => Target::Again,
            Some(false) => Target::Outer,
        },
        Exit::Break(l) => match named(l) {
            None => Target::Inside,
            Some(true) => Target::Stop,
            Some(false) => Target::Outer,
        },
    }
}

pub(super) fn leaves_all(exit: &Exit, inner: &[Option<String>]) -> bool {
    match exit {
        Exit::Yield(_) => false,
        Exit::Return(_) => true,
        Exit::Break(None) | Exit::Continue(None) => inner.is_empty(),
        Exit::Break(l) | Exit::Continue(l) => !inner.contains(l),
    }
}

pub(super) fn scan(
    region: &Region,
    inner: &mut Vec<Option<String>>,
    f: &mut impl FnMut(&Exit, &[Option<String>]),
) {
    for s in &region.stmts {
        scan_stmt(s, inner, f);
    }
    f(&region.exit, inner);
}

pub(super) fn scan_stmt(
    stmt: &Stmt,
    inner: &mut Vec<Option<String>>,
    f: &mut impl FnMut(&Exit, &[Option<String>]),
) {
    match stmt {
        Stmt::If { then, els, .. } => {
            scan(then, inner, f);
            scan(els, inner, f);
        }
        Stmt::For(For { label, body, .. }) | Stmt::While { label, body, .. } => {
            inner.push(label.clone());
            scan(body, inner, f);
            inner.pop();
        }
        Stmt::Let(..)
        | Stmt::Load(..)
        | Stmt::Store(..)
        | Stmt::Accumulate { .. }
        | Stmt::Declare(..)
        | Stmt::View { .. }
        | Stmt::CopyPlace { .. }
        | Stmt::Call(_)
        | Stmt::Record(..)
        | Stmt::Tape(_)
        | Stmt::AccumulatePlace { .. }
        | Stmt::Zero(_)
        | Stmt::TangentCall(_)
        | Stmt::AugmentedCall(_)
        | Stmt::ReverseCall(_) => {}
    }
}
