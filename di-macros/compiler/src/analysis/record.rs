//! What to record: the values that the adjoint sweep reads and cannot compute again.
//!
//! A value is computed again if it is cheap and its operands can be had: literals, loads from `&`
//! parameters (which nobody can change), induction variables, sums, products and comparisons of
//! these. Results of transcendental functions, divisions, calls and loads from mutable places are
//! recorded where they are defined; what is computed in a loop from values recorded outside of it is
//! computed again. (To be recorded: Hascoet, Naumann and Pascual, 2005; here per
//! value, since values are never overwritten.)

use super::views::Views;
use crate::ir::{
    BinOp, Body, For, Leaf, Op, Place, PlaceId, PlaceKind, Proj, Region, Stmt, Tape, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};

/// How each needed value is had in the adjoint sweep.
pub(crate) struct Decisions {
    pub(crate) recorded: Set<Val>,
    pub(crate) recomputed: Set<Val>,
}

/// Cost beyond which a chain of cheap operations is recorded rather than repeated.
const BUDGET: u32 = 20;

/// Values defined by a statement itself, not by regions nested in it.
pub(crate) fn lets_of(stmt: &Stmt) -> Vec<Val> {
    match stmt {
        Stmt::Let(v, _) | Stmt::Load(v, _) => vec![*v],
        Stmt::If { results, .. } => results.clone(),
        Stmt::While { trips, .. } => trips.iter().copied().collect(),
        Stmt::Call(call) => vals_of(call.result.leaves()),
        Stmt::AugmentedCall(c) => vals_of(c.call.result.leaves()),
        Stmt::TangentCall(c) => vals_of(c.call.result.leaves()),
        Stmt::Tape(Tape::Keep { base, .. } | Tape::Shape { end: base, .. }) => vec![*base],
        Stmt::Storage(s) => s.defines().into_iter().collect(),
        Stmt::Effect(e) => e.vals().to_vec(),
        Stmt::Store(..)
        | Stmt::Accumulate { .. }
        | Stmt::Declare(..)
        | Stmt::View { .. }
        | Stmt::CopyPlace { .. }
        | Stmt::For(_)
        | Stmt::Record(..)
        | Stmt::Tape(Tape::Kept { .. } | Tape::Release { .. } | Tape::ReleaseShape { .. })
        | Stmt::First(_)
        | Stmt::AccumulatePlace { .. }
        | Stmt::Zero(_)
        | Stmt::Block { .. }
        | Stmt::ReverseCall(_) => Vec::new(),
    }
}

fn vals_of(leaves: Vec<&Leaf>) -> Vec<Val> {
    leaves
        .into_iter()
        .filter_map(|leaf| match leaf {
            Leaf::Val(v) => Some(*v),
            Leaf::Place(_) => None,
        })
        .collect()
}

/// Decides for each value in `needed`, and for what their recomputation needs.
pub(crate) fn decide(body: &Body, views: &Views, needed: &Set<Val>) -> Decisions {
    let mut cx = Cx {
        body,
        views,
        needed,
        cost: Map::new(),
        operands: Map::new(),
        loops: 0,
        depth: Map::new(),
        integer_params: Set::new(),
        numbers: Map::new(),
        asked: Map::new(),
        lone: Set::new(),
    };
    cx.region(&body.region);
    let decisions = cx.decisions();
    let asked = |v: &Val| cx.asked.get(v).filter(|_| decisions.recomputed.contains(v));
    let asked: Set<PlaceId> = cx.asked.keys().filter_map(asked).copied().collect();
    let lone = |v: &Val| cx.numbers.get(v).is_some_and(|root| !asked.contains(root));
    cx.lone = decisions.recomputed.iter().copied().filter(lone).collect();
    if cx.lone.is_empty() {
        return decisions;
    }
    (cx.cost, cx.operands) = (Map::new(), Map::new());
    cx.region(&body.region);
    cx.decisions()
}

struct Cx<'a> {
    body: &'a Body,
    views: &'a Views,
    needed: &'a Set<Val>,
    /// Cost of computing a value again; absent if it must be recorded.
    cost: Map<Val, u32>,
    operands: Map<Val, Vec<Val>>,
    /// Loops around the region.
    loops: usize,
    /// Loops around the definition of a value.
    depth: Map<Val, usize>,
    integer_params: Set<Val>,
    /// Numbers and lengths that belong to a struct with vectors and are read once in each call, and the struct.
    numbers: Map<Val, PlaceId>,
    /// What else is read of parameters.
    asked: Map<Val, PlaceId>,
    /// Those of the numbers that are recorded. If the adjoint sweep asked for the struct as it was for them alone, a caller
    /// that changes it would keep a copy of it for each call: `m.rows` of a matrix that is filled element by element.
    lone: Set<Val>,
}

impl Cx<'_> {
    /// For each needed value, and for what their recomputation needs.
    fn decisions(&self) -> Decisions {
        let mut decisions = Decisions {
            recorded: Set::new(),
            recomputed: Set::new(),
        };
        let mut open: Vec<Val> = self.needed.iter().copied().collect();
        while let Some(v) = open.pop() {
            if decisions.recorded.contains(&v) || decisions.recomputed.contains(&v) {
                continue;
            }
            if self.cost.contains_key(&v) {
                decisions.recomputed.insert(v);
                open.extend(self.operands.get(&v).into_iter().flatten());
            } else {
                decisions.recorded.insert(v);
            }
        }
        decisions
    }

    fn region(&mut self, region: &Region) {
        for stmt in &region.stmts {
            for v in lets_of(stmt) {
                self.depth.insert(v, self.loops);
            }
            match stmt {
                Stmt::Let(v, op) => {
                    if matches!(op, Op::Param(_)) && self.body.val(*v).ty != Type::Float {
                        self.integer_params.insert(*v);
                    }
                    match op {
                        Op::Len(place) => self.read(*v, place),
                        _ => self.define(*v, self.op_cost(op), op.uses()),
                    }
                }
                Stmt::Load(v, place) => {
                    self.read(*v, place);
                }
                Stmt::If { then, els, .. } => {
                    self.region(then);
                    self.region(els);
                }
                Stmt::For(For { iv, body, .. }) => {
                    self.loops += 1;
                    self.depth.insert(*iv, self.loops);
                    self.define(*iv, Some(0), Vec::new());
                    self.region(body);
                    self.loops -= 1;
                }
                Stmt::While { body, trip, .. } => {
                    self.loops += 1;
                    if let Some(trip) = trip {
                        self.depth.insert(*trip, self.loops);
                        self.define(*trip, Some(0), Vec::new());
                    }
                    self.region(body);
                    self.loops -= 1;
                }
                Stmt::Store(..)
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
                | Stmt::Block { .. }
                | Stmt::Storage(_)
                | Stmt::TangentCall(_)
                | Stmt::AugmentedCall(_)
                | Stmt::ReverseCall(_) => {}
            }
        }
    }

    fn define(&mut self, v: Val, cost: Option<u32>, operands: Vec<Val>) {
        let Some(mut cost) = cost else { return };
        for a in &operands {
            match self.cost.get(a) {
                // What is read anyway costs nothing more.
                Some(_) if self.needed.contains(a) => {}
                Some(c) => cost += c,
                None if self.needed.contains(a) || self.is_recorded_less(*a, v) => {}
                None => return,
            }
        }
        if cost <= BUDGET {
            self.cost.insert(v, cost);
            self.operands.insert(v, operands);
        }
    }

    /// Whether a value that must be recorded is defined outside of a loop that the definition of `v`
    /// is in: one record instead of one for each trip. Parameters are as good as that: many values
    /// are computed from them.
    fn is_recorded_less(&self, a: Val, v: Val) -> bool {
        let depth = |v: Val| self.depth.get(&v).copied().unwrap_or(0);
        depth(a) < depth(v) || self.integer_params.contains(&a)
    }

    /// Cost of the operation alone; `None` if it is never repeated.
    fn op_cost(&self, op: &Op) -> Option<u32> {
        match op {
            Op::Lit(_) | Op::Copy(_) => Some(0),
            Op::Neg(_)
            | Op::Not(_)
            | Op::Cmp(..)
            | Op::Cast(_)
            | Op::Trips { .. }
            | Op::Induction { .. } => Some(1),
            Op::Bin(BinOp::Div | BinOp::Rem, a, _) if self.body.val(*a).ty == Type::Float => None,
            Op::Bin(..) => Some(1),
            // what is called may take long, or give something else the next time
            Op::Verbatim {
                operands,
                places,
                tokens,
            } => (operands.is_empty() && places.is_empty() && !tokens.calls()).then_some(1),
            Op::Param(_)
            | Op::Len(_)
            | Op::Elementary(..)
            | Op::LaneZero
            | Op::LaneScale { .. }
            | Op::Partial(..)
            | Op::Reload(_)
            | Op::ResultSeed(_)
            | Op::LaneSum(_) => None,
        }
    }

    /// What is loaded from a place, or its length.
    fn read(&mut self, v: Val, place: &Place) {
        let (fixed, operands) = self.path(place);
        let (mut of, mut fields) = (place.root, true);
        self.views.each_step(place, &mut |root, step| match step {
            Some(Proj::Field(..)) => {}
            Some(Proj::Index(_) | Proj::Flat(_) | Proj::Range(..)) => fields = false,
            None => of = root,
        });
        let ty = &self.body.place(of).ty;
        let is_number = fields && self.loops == 0 && self.body.val(v).ty != Type::Float;
        if is_number && matches!(ty, Type::Struct(_)) && self.body.has_lengths(ty) {
            self.numbers.insert(v, of);
        } else {
            self.asked.insert(v, of);
        }
        let again = fixed && !self.lone.contains(&v);
        self.define(v, again.then_some(1), operands);
    }

    /// Whether a path leads into a `&` parameter, and the values that its indices and views use.
    fn path(&self, place: &Place) -> (bool, Vec<Val>) {
        let mut operands = Vec::new();
        let mut fixed = true;
        self.views.each_step(place, &mut |root, step| match step {
            Some(Proj::Index(i) | Proj::Flat(i)) => operands.push(*i),
            Some(Proj::Range(a, b)) => operands.extend([*a, *b]),
            Some(Proj::Field(..)) => {}
            None => {
                fixed = matches!(self.body.place(root).kind, PlaceKind::SharedParam(_))
                    || seeded!(LoadRepeated);
            }
        });
        (fixed, operands)
    }
}
