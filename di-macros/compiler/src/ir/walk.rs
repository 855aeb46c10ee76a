//! Walks through nested regions. What is asked of statements wherever they stand goes over one of these; passes that
//! know something of the way go down by themselves, with [`Stmt::regions`].

use super::{For, Lit, Op, PlaceId, Region, Stmt, Val};
use crate::sorted::{Map, Set};

impl Stmt {
    /// The regions nested in the statement.
    pub(crate) fn regions(&self) -> Vec<&Region> {
        match self {
            Stmt::If { then, els, .. } => vec![then, els],
            Stmt::For(For { body, .. }) | Stmt::Block { body, .. } => vec![body],
            Stmt::While { cond, body, .. } => vec![cond, body],
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
            | Stmt::First(_)
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_)
            | Stmt::Effect(_)
            | Stmt::Storage(_)
            | Stmt::TangentCall(_)
            | Stmt::AugmentedCall(_)
            | Stmt::ReverseCall(_) => Vec::new(),
        }
    }

    /// The regions nested in the statement, to be changed.
    pub fn regions_mut(&mut self) -> Vec<&mut Region> {
        match self {
            Stmt::If { then, els, .. } => vec![then, els],
            Stmt::For(For { body, .. }) | Stmt::Block { body, .. } => vec![body],
            Stmt::While { cond, body, .. } => vec![cond, body],
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
            | Stmt::First(_)
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_)
            | Stmt::Effect(_)
            | Stmt::Storage(_)
            | Stmt::TangentCall(_)
            | Stmt::AugmentedCall(_)
            | Stmt::ReverseCall(_) => Vec::new(),
        }
    }

    /// The statement, and those nested in it, each before those that are nested in it.
    pub(crate) fn all(&self) -> AllStmts<'_> {
        AllStmts(vec![std::slice::from_ref(self).iter()])
    }

    /// Changes the statement, and then those nested in what it has become.
    pub(crate) fn change_all(&mut self, f: &mut dyn FnMut(&mut Stmt)) {
        f(self);
        for inner in self.regions_mut() {
            inner.change_all(f);
        }
    }

    /// Values that the statement reads, and those nested in it.
    pub(crate) fn all_uses(&self) -> Vec<Val> {
        let mut used: Vec<Val> = self.all().flat_map(Stmt::uses).collect();
        for region in self.regions().into_iter().flat_map(Region::all_regions) {
            used.extend(region.exit.uses());
        }
        used
    }

    /// Values that the statement itself reads, indices of places included.
    pub(crate) fn uses(&self) -> Vec<Val> {
        match self {
            Stmt::If { cond, .. } => vec![*cond],
            Stmt::For(For { lo, hi, .. }) => vec![*lo, *hi],
            Stmt::While { .. } | Stmt::Block { .. } => Vec::new(),
            _ => {
                let mut used = Vec::new();
                self.clone().each_use(&mut |v| used.push(*v));
                used
            }
        }
    }

    /// Places that the statement itself has to do with, by a path or by their names, but not those that it declares.
    pub(crate) fn named(&self) -> Vec<PlaceId> {
        let mut named = Vec::new();
        if self.regions().is_empty() {
            self.clone().each_place(&mut |p| named.push(p.root));
            self.each_named(&mut |p| named.push(p));
        }
        named
    }
}

impl Region {
    /// The statements, and those nested in them, each before those that are nested in it.
    pub(crate) fn all(&self) -> AllStmts<'_> {
        AllStmts(vec![self.stmts.iter()])
    }

    /// The region, and those nested in it.
    pub(crate) fn all_regions(&self) -> impl Iterator<Item = &Region> {
        std::iter::once(self).chain(self.all().flat_map(Stmt::regions))
    }

    /// Changes the statements, each before those that are nested in it.
    pub(crate) fn change_all(&mut self, f: &mut dyn FnMut(&mut Stmt)) {
        self.stmts.iter_mut().for_each(|stmt| stmt.change_all(f));
    }

    /// Values that are read anywhere in the region.
    pub(crate) fn uses(&self) -> Set<Val> {
        let mut used: Set<Val> = self.all().flat_map(Stmt::uses).collect();
        self.all_regions()
            .for_each(|region| used.extend(region.exit.uses()));
        used
    }

    /// The lanes that are zero.
    pub(crate) fn zero_lanes(&self) -> Set<Val> {
        let zero = |stmt: &Stmt| match stmt {
            Stmt::Let(v, Op::LaneZero) => Some(*v),
            _ => None,
        };
        self.all().filter_map(zero).collect()
    }

    /// The integers among the values.
    pub(crate) fn integers(&self) -> Map<Val, i128> {
        let literal = |stmt: &Stmt| match stmt {
            Stmt::Let(v, Op::Lit(Lit::Int(c))) => Some((*v, *c)),
            _ => None,
        };
        self.all().filter_map(literal).collect()
    }
}

/// Statements with those nested in them, in the order of the source.
#[derive(Clone)]
pub(crate) struct AllStmts<'a>(Vec<std::slice::Iter<'a, Stmt>>);

impl<'a> Iterator for AllStmts<'a> {
    type Item = &'a Stmt;

    fn next(&mut self) -> Option<&'a Stmt> {
        loop {
            let Some(stmt) = self.0.last_mut()?.next() else {
                self.0.pop();
                continue;
            };
            let nested = stmt.regions().into_iter().rev();
            self.0.extend(nested.map(|region| region.stmts.iter()));
            return Some(stmt);
        }
    }
}
