//! Regions under construction: what is put into them, how they are left, and what is visible in them.

use super::{Builder, Open, State};
use crate::ir::{Exit, Init, Leaf, Lit, Op, PlaceId, PlaceKind, Region, Stmt, Tree, Type, Val};
use crate::report::Extent;
use proc_macro2::Span;

impl Builder<'_> {
    pub(super) fn push(&mut self, stmt: Stmt) {
        self.check_rows(&stmt);
        self.check_state(&stmt);
        self.push_unchecked(stmt);
    }

    pub(super) fn push_unchecked(&mut self, mut stmt: Stmt) {
        self.check_readings(&mut stmt);
        self.note_change(&stmt);
        let open = self.regions.last_mut().expect("a region is open");
        if matches!(open.state, State::Live) {
            open.stmts.push(stmt);
        }
    }

    /// Pushes into a region whose end is never reached: the end has to be well-typed all the same.
    pub(super) fn force(&mut self, stmt: Stmt) {
        self.regions
            .last_mut()
            .expect("a region is open")
            .stmts
            .push(stmt);
    }

    pub(super) fn open(&mut self) {
        self.opened += 1;
        self.regions.push(Open {
            numbers: vec![self.opened],
            ..Open::default()
        });
    }

    /// Notes that a place is declared in the open region.
    pub(super) fn note_home(&mut self, place: PlaceId) {
        let open = self.regions.last().expect("a region is open");
        if let Some(number) = open.numbers.first() {
            self.homes.insert(place, *number);
        }
    }

    /// Whether a place is declared in a region that is open.
    pub(super) fn is_visible(&self, place: PlaceId) -> bool {
        is_declared(&self.regions, self.homes.get(&place))
    }

    /// What follows stands before the open region.
    pub(super) fn before<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let inner = self.regions.pop().expect("a region is open");
        let value = f(self);
        self.regions.push(inner);
        value
    }

    // if cond { then }
    pub(super) fn when(&mut self, cond: Val, then: impl FnOnce(&mut Self)) {
        self.open();
        then(self);
        let then = self.close(Vec::new());
        self.choose(cond, then, Region::default());
    }

    // if cond { then } else { els }
    pub(super) fn either(
        &mut self,
        cond: Val,
        then: impl FnOnce(&mut Self),
        els: impl FnOnce(&mut Self),
    ) {
        self.open();
        then(self);
        let then = self.close(Vec::new());
        self.open();
        els(self);
        let els = self.close(Vec::new());
        self.choose(cond, then, els);
    }

    /// The same of regions that are closed.
    pub(super) fn choose(&mut self, cond: Val, then: Region, els: Region) {
        self.push(Stmt::If {
            cond,
            then,
            els,
            results: Vec::new(),
        });
    }

    /// Closes the region; `vals` is what it yields if its end is reached.
    pub(super) fn close(&mut self, vals: Vec<Val>) -> Region {
        let exit = match self.regions.last().map(|r| &r.state) {
            Some(State::Left(exit)) => exit.clone(),
            Some(State::Live) => Exit::Yield(vals),
            Some(State::Dead) => {
                let dummies = vals
                    .iter()
                    .map(|v| self.dummy(&self.body.val(*v).ty.clone()))
                    .collect();
                Exit::Yield(dummies)
            }
            None => Exit::default(),
        };
        let open = self.regions.pop().expect("a region is open");
        self.forget_loaded();
        Region {
            stmts: open.stmts,
            exit,
        }
    }

    /// Puts the statements of the open region into the one around it.
    pub(super) fn splice(&mut self) {
        let open = self.regions.pop().expect("a region is open");
        self.forget_loaded();
        let into = self.regions.last_mut().expect("a region is open");
        into.numbers.extend(open.numbers);
        for stmt in open.stmts {
            self.push(stmt);
        }
    }

    /// A place for a number, which begins as zero.
    pub(super) fn slot(&mut self, ty: &Type, name: &str, span: Extent) -> PlaceId {
        let zero = self.zero(ty, span);
        let place = self.declare(ty.clone(), name, span, Init::Scalar(zero));
        self.written.insert(place);
        place
    }

    pub(super) fn leave(&mut self, exit: Exit) {
        let open = self.regions.last_mut().expect("a region is open");
        if matches!(open.state, State::Live) {
            open.state = State::Left(exit);
        }
    }

    pub(super) fn is_live(&self) -> bool {
        matches!(self.regions.last().map(|r| &r.state), Some(State::Live))
    }

    pub(super) fn mark_dead(&mut self) {
        let open = self.regions.last_mut().expect("a region is open");
        if matches!(open.state, State::Live) {
            open.state = State::Dead;
        }
    }

    pub(super) fn dummy(&mut self, ty: &Type) -> Val {
        let lit = Lit::zero(ty);
        let ty = if ty.is_scalar() {
            ty.clone()
        } else {
            Type::Float
        };
        let v = self.body.new_val(ty, None, Span::call_site());
        self.force(Stmt::Let(v, Op::Lit(lit)));
        v
    }

    /// A return that is never reached, where the source ends in an endless loop.
    pub(super) fn dummy_return(&mut self) {
        let tree: Tree<Type> = self.body.ret.clone();
        let mut leaves = Vec::new();
        for ty in tree.leaves() {
            let fill = self.dummy(ty.leaf());
            let init = match ty {
                Type::Struct(_) => Init::Zero,
                Type::Array(..) if ty.is_structs() => Init::Zero,
                Type::Array(..) => Init::ArrayFill(fill),
                Type::Vec(_) => {
                    let n = self.dummy(&Type::usize());
                    match ty.is_structs() {
                        true => Init::ZeroLen(n),
                        false => Init::VecFill(fill, n),
                    }
                }
                Type::Float
                | Type::Lane
                | Type::Int(_)
                | Type::Bool
                | Type::Slice(_)
                | Type::Lanes(_)
                | Type::Opaque(_) => {
                    leaves.push(Leaf::Val(fill));
                    continue;
                }
            };
            let span = Span::call_site();
            let place = self
                .body
                .new_place(ty.clone(), "never", PlaceKind::Local, span);
            self.force(Stmt::Declare(place, init));
            leaves.push(Leaf::Place(place));
        }
        self.regions.last_mut().expect("a region is open").state =
            State::Left(Exit::Return(leaves));
    }
}

/// Whether one of the regions has this number, which a place outside of all has not.
pub(super) fn is_declared(regions: &[Open], home: Option<&usize>) -> bool {
    home.is_none_or(|home| regions.iter().any(|r| r.numbers.contains(home)))
}
