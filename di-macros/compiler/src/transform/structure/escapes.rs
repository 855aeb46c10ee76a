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

/// A loop or block between an exit and the loop or block that is looked at.
pub(super) struct Inner {
    label: Option<String>,
    is_loop: bool,
}

impl Inner {
    /// Whether an exit with this label ends here.
    fn catches(&self, label: &Option<String>) -> bool {
        match label {
            None => self.is_loop,
            Some(_) => self.label == *label,
        }
    }
}

/// What is looked at: a loop, or a block, which exits without a label pass through.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) label: Option<&'a String>,
    pub(super) is_loop: bool,
}

/// Where an exit inside a loop's body leads, seen from that loop. `inner`: what is between.
pub(super) fn target(exit: &Exit, inner: &[Inner], around: Around<'_>) -> Target {
    let named = |l: &Option<String>| {
        if inner.iter().any(|i| i.catches(l)) {
            return None;
        }
        Some(match l {
            None => around.is_loop,
            Some(name) => around.label == Some(name),
        })
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

pub(super) fn leaves_all(exit: &Exit, inner: &[Inner]) -> bool {
    match exit {
        Exit::Yield(_) => false,
        Exit::Return(_) => true,
        Exit::Break(l) | Exit::Continue(l) => !inner.iter().any(|i| i.catches(l)),
    }
}

pub(super) fn scan(region: &Region, inner: &mut Vec<Inner>, f: &mut impl FnMut(&Exit, &[Inner])) {
    for s in &region.stmts {
        scan_stmt(s, inner, f);
    }
    f(&region.exit, inner);
}

pub(super) fn scan_stmt(stmt: &Stmt, inner: &mut Vec<Inner>, f: &mut impl FnMut(&Exit, &[Inner])) {
    let caught = match stmt {
        Stmt::For(For { label, .. }) | Stmt::While { label, .. } => Some(Inner {
            label: label.clone(),
            is_loop: true,
        }),
        Stmt::Block { label, .. } => Some(Inner {
            label: Some(label.clone()),
            is_loop: false,
        }),
        _ => None,
    };
    let depth = inner.len();
    inner.extend(caught);
    for region in stmt.regions() {
        scan(region, inner, f);
    }
    inner.truncate(depth);
}
