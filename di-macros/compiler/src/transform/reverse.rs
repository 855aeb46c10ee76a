//! Reverse code: an augmented forward sweep that records, and an adjoint sweep that reads.
//!
//! Values are recorded where they are defined, so the adjoint sweep restores nothing: it defines
//! again, at the start of each region, the values of that region that its adjoint statements read,
//! from the frame or by recomputation, and then runs the adjoints of the region's statements from
//! last to first. (Reversal of structured programs: Griewank and Walther, Evaluating Derivatives,
//! 2008, chapters 4 and 6; what to record: ../analysis/record.rs.)

mod adjoint;
mod augment;
mod call;
mod order;
mod reached;
mod shadow;

use super::kept::{Kept, keep};
use super::loops::{cut_rows, tighten};
use super::partners::{add_partners, drop_idle, partners};
use super::simplify::simplify;
use super::structure::{Structured, structure};
use super::{
    cleared::write_cleared,
    first::first_stores,
    local::{local_adjoints, stored_vectors},
    negations::take_along,
    running::running,
    stepped::stepped,
    straight::first_additions,
};
use crate::analysis::activity::{Activity, activity};
use crate::analysis::fixed::fixed_arrays;
use crate::analysis::record::{Decisions, decide, lets_of};
use crate::analysis::renewed::{renewals, scratch};
use crate::analysis::views::Views;
use crate::ir::{
    BinOp, Body, Exit, Frame, Init, Leaf, Lit, Op, Place, PlaceId, PlaceKind, Region, Stmt, Tape,
    Tree, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};
use proc_macro2::Span;
use reached::Reached;

/// The two sweeps of a function.
pub(crate) struct Reverse {
    /// Augmented forward sweep.
    pub(crate) augmented: Body,
    /// Adjoint sweep. Its values include those of the primal, under the same numbers.
    pub(crate) reverse: Body,
    /// Frame of the function itself.
    pub(crate) frame: Frame,
    /// For each parameter, whether the adjoint sweep reads its values.
    pub(crate) needs: Vec<bool>,
    /// For each parameter, the others that its renewal depends on.
    pub(crate) renewals: Vec<u64>,
    pub(crate) activity: Activity,
}

/// Reverse code of `body`.
pub(crate) fn reverse(body: &Body) -> Reverse {
    let mut structured = running(simplify(structure(body)));
    let added = add_partners(&mut structured.body);
    let Structured {
        body: mut structured,
        mut lens,
        growing,
        results: _,
    } = simplify(structured);
    let views = Views::of(&structured);
    let activity = activity(&structured, &views);
    let mut fixed = fixed_arrays(&structured, &views);
    fixed.retain(|p| !activity.is_generic_place(*p));
    call::keep_no_fixed(&mut structured.region, &views, &fixed);
    let kept = keep(&mut structured, &mut lens, &views, &activity);
    let mut region = std::mem::take(&mut structured.region);
    call::measure(&mut region, &structured, &views, &activity, &growing);
    structured.region = region;
    let partners = partners(&structured.region);
    // First pass: which primal values do the adjoints read?
    let given = Given {
        primal: &structured,
        views: &views,
        activity: &activity,
        lens: &lens,
        fixed: &fixed,
        kept: &kept,
        partners: &partners,
    };
    let mut probe = Cx::new(given, None);
    probe.function();
    let decisions = decide(&structured, &views, &probe.needed);
    let mut plan = augment::augment(&structured, &decisions, &probe.reversed, &probe.idle);
    drop_idle(&mut plan.region, &added, &decisions.recorded);
    plan.scratch = scratch(&structured, &views, &lens, &plan.region);
    let renewals = renewals(&structured, &views, &lens);
    // Second pass: the same adjoints, now with reloads and recomputations.
    let mut cx = Cx::new(given, Some((&decisions, &plan)));
    let region = cx.function();
    let needs = cx.needs();
    let Cx { body, activity, .. } = cx;
    let mut reverse = Body {
        region,
        ret: Tree::Tuple(Vec::new()),
        ..body
    };
    tighten(&mut reverse);
    first_stores(&mut reverse);
    take_along(&mut reverse);
    first_additions(&mut reverse);
    local_adjoints(&mut reverse);
    write_cleared(&mut reverse);
    stepped(&mut reverse);
    let mut augmented = Body {
        region: plan.region,
        ..structured
    };
    cut_rows(&mut augmented);
    stored_vectors(&mut augmented);
    stepped(&mut augmented);
    Reverse {
        augmented,
        reverse,
        frame: plan.frame,
        needs,
        renewals,
        activity,
    }
}

/// Adjoint of a value while its region is reversed.
#[derive(Clone, Copy)]
enum Adjoint {
    /// All contributions came from the region of the value: a lane value.
    Value(Val),
    /// Some came from nested regions: a lane variable.
    Variable(PlaceId),
}

/// A region that is being reversed.
#[derive(Default)]
struct Scope {
    stmts: Vec<Stmt>,
    adjoints: Map<Val, Adjoint>,
    /// Values of enclosing regions that got contributions here.
    touched: Set<Val>,
    /// Local places of this region, for the declaration of their shadows.
    places: Vec<PlaceId>,
    /// It is run under a condition, once.
    is_arm: bool,
}

/// What is known before the sweep is made.
#[derive(Clone, Copy)]
struct Given<'a> {
    primal: &'a Body,
    views: &'a Views,
    activity: &'a Activity,
    lens: &'a Map<PlaceId, Val>,
    fixed: &'a Set<PlaceId>,
    kept: &'a Map<PlaceId, Kept>,
    partners: &'a Map<Val, Val>,
}

struct Cx<'a> {
    /// Grows by the adjoint sweep's values and places.
    body: Body,
    primal: &'a Body,
    views: &'a Views,
    activity: Activity,
    lens: &'a Map<PlaceId, Val>,
    /// Passive arrays that keep the content they were declared with.
    fixed: &'a Set<PlaceId>,
    /// Vectors kept as a whole, and those of them that the adjoint sweep reads.
    kept: &'a Map<PlaceId, Kept>,
    /// Values that are the derivative of others, up to the sign.
    partners: &'a Map<Val, Val>,
    read_kept: Set<PlaceId>,
    /// Fixed arrays that the adjoint sweep declares again.
    again: Set<PlaceId>,
    /// `None` in the first pass.
    plan: Option<(&'a Decisions, &'a augment::Plan)>,
    /// Primal values that adjoint statements read.
    needed: Set<Val>,
    /// Calls that are reversed, by number.
    reversed: Set<u32>,
    /// Loops without adjoint, by trip number: they must leave no trace on the tape.
    idle: Set<Val>,
    scopes: Vec<Scope>,
    /// Literals that are not negative, and all.
    exponents: Set<Val>,
    literals: Map<Val, Lit>,
    /// Values with infinite derivatives, or made of such.
    poles: Set<Val>,
    reached: Map<Val, Reached>,
    /// Factors of the float products of open regions.
    products: Map<Val, (Val, Val)>,
    /// Depth of the region that defines a value.
    depth: Map<Val, usize>,
    variables: Map<Val, PlaceId>,
    shadows: Map<PlaceId, PlaceId>,
    /// Where the adjoints of what is returned come in.
    seeds: Map<PlaceId, PlaceId>,
    slots: Map<usize, PlaceId>,
    used_params: Set<usize>,
}

impl<'a> Cx<'a> {
    fn new(given: Given<'a>, plan: Option<(&'a Decisions, &'a augment::Plan)>) -> Cx<'a> {
        let Given {
            primal,
            views,
            activity,
            lens,
            fixed,
            kept,
            partners,
        } = given;
        Cx {
            body: Body {
                region: Region::default(),
                ..primal.clone()
            },
            primal,
            views,
            activity: activity.clone(),
            lens,
            fixed,
            kept,
            partners,
            read_kept: Set::new(),
            again: Set::new(),
            plan,
            needed: Set::new(),
            reversed: Set::new(),
            idle: Set::new(),
            scopes: Vec::new(),
            exponents: Set::new(),
            literals: Map::new(),
            poles: Set::new(),
            reached: Map::new(),
            products: Map::new(),
            depth: Map::new(),
            variables: Map::new(),
            shadows: Map::new(),
            seeds: Map::new(),
            slots: Map::new(),
            used_params: Set::new(),
        }
    }

    /// Reverses the whole function.
    fn function(&mut self) -> Region {
        let primal = self.primal;
        let Exit::Return(leaves) = &primal.region.exit else {
            unreachable!("structure: one final return")
        };
        self.open(&primal.region);
        for (k, leaf) in leaves.iter().enumerate() {
            match leaf {
                Leaf::Val(v) if self.activity.is_active(*v) => {
                    let k = if seeded!(FirstSeedForAll) { 0 } else { k };
                    let seed = self.lane(Op::ResultSeed(k));
                    self.contribute(*v, seed, false);
                }
                Leaf::Place(p) if self.activity.is_active_place(*p) => {
                    let ty = self.primal.place(*p).ty.lanes();
                    let seed = self.body.new_place(
                        ty,
                        "result",
                        PlaceKind::ResultSlot(k),
                        Span::call_site(),
                    );
                    self.seeds.insert(*p, seed);
                    let dst = self.shadow(&Place::from(*p));
                    let src = Place::from(seed);
                    self.push(Stmt::AccumulatePlace { dst, src });
                }
                Leaf::Val(_) | Leaf::Place(_) => {}
            }
        }
        for stmt in primal.region.stmts.iter().rev() {
            self.adjoint_of(stmt);
        }
        for (k, param) in primal.params.iter().enumerate() {
            if let Some(place) = param.place
                && self.primal.place(place).kind == PlaceKind::ValueParam(k)
                && let Some(shadow) = self.shadows.get(&place).copied()
            {
                let dst = self.slot(k);
                self.push(Stmt::AccumulatePlace {
                    dst: Place::from(dst),
                    src: Place::from(shadow),
                });
            }
        }
        let stmts = self.close(&primal.region);
        Region {
            stmts,
            exit: Exit::Return(Vec::new()),
        }
    }

    /// Reverses a nested region; `yields` are the adjoints of what it yields. `None`: nothing to do.
    fn region(
        &mut self,
        region: &'a Region,
        yields: &[Option<Val>],
        is_arm: bool,
    ) -> Option<Region> {
        self.open(region);
        self.scope().is_arm = is_arm;
        if let Exit::Yield(vs) = &region.exit {
            for (v, adjoint) in vs.iter().zip(yields) {
                if let Some(adjoint) = adjoint
                    && !seeded!(YieldLost)
                {
                    self.contribute(*v, *adjoint, false);
                }
            }
        }
        for stmt in region.stmts.iter().rev() {
            self.adjoint_of(stmt);
        }
        let empty = self.scope().stmts.is_empty();
        let stmts = self.close(region);
        (!empty).then(|| Region {
            stmts,
            exit: Exit::default(),
        })
    }

    fn open(&mut self, region: &Region) {
        let depth = self.scopes.len();
        let mut scope = Scope::default();
        for stmt in &region.stmts {
            for v in lets_of(stmt) {
                self.depth.insert(v, depth);
            }
            if let Stmt::Let(v, op) = stmt {
                self.note_pole(*v, op);
            }
            match stmt {
                Stmt::Let(v, Op::Bin(BinOp::Mul, a, b)) => {
                    self.products.insert(*v, (*a, *b));
                }
                Stmt::Declare(p, _) => scope.places.push(*p),
                Stmt::AugmentedCall(c) => {
                    scope
                        .places
                        .extend(
                            c.call
                                .result
                                .leaves()
                                .into_iter()
                                .filter_map(|leaf| match leaf {
                                    Leaf::Place(p) => Some(*p),
                                    Leaf::Val(_) => None,
                                }),
                        );
                }
                _ => {}
            }
        }
        if depth == 0 {
            for (k, param) in self.primal.params.iter().enumerate() {
                if let Some(p) = param.place
                    && self.primal.place(p).kind == PlaceKind::ValueParam(k)
                {
                    scope.places.push(p);
                }
            }
        }
        self.scopes.push(scope);
    }

    /// Puts reloads, recomputations and shadows in front of the adjoint statements.
    fn close(&mut self, region: &Region) -> Vec<Stmt> {
        let scope = self.scopes.pop().expect("reverse: one open for each close");
        let mut stmts = Vec::new();
        // Shadows first ask for lengths, which are then defined before them.
        let mut shadows = Vec::new();
        for p in &scope.places {
            if let Some(shadow) = self.shadows.get(p).copied() {
                let init = self.shadow_init(*p, &mut shadows);
                shadows.push(Stmt::Declare(shadow, init));
            }
        }
        for stmt in &region.stmts {
            if let Some((decisions, plan)) = self.plan {
                self.define_again(stmt, decisions, plan, &mut stmts);
            }
            if let Stmt::Tape(Tape::Keep { base, place, asked }) = stmt
                && self.read_kept.contains(place)
            {
                stmts.push(Stmt::Tape(Tape::Kept {
                    place: *place,
                    base: *base,
                    len: self.kept[place].len,
                    asked: asked.clone(),
                }));
            }
            if let Stmt::Declare(p, init) = stmt
                && self.again.contains(p)
            {
                self.needed.extend(shadow::init_values(init));
                stmts.push(stmt.clone());
            }
        }
        stmts.extend(shadows);
        stmts.extend(scope.stmts);
        if let Some(parent) = self.scopes.last_mut() {
            parent.touched.extend(scope.touched);
        }
        stmts
    }

    /// The values of a primal statement that the adjoint sweep reads.
    fn define_again(
        &mut self,
        stmt: &Stmt,
        decisions: &Decisions,
        plan: &augment::Plan,
        out: &mut Vec<Stmt>,
    ) {
        for v in lets_of(stmt) {
            if let Some(slot) = plan.slots.get(&v) {
                out.push(Stmt::Let(v, Op::Reload(*slot)));
            } else if decisions.recomputed.contains(&v) {
                match stmt {
                    Stmt::Let(_, Op::Len(place)) => {
                        let place = self.views.resolve(&mut self.body, place, out);
                        self.note_param(place.root);
                        let op = match place.path.last() {
                            Some(crate::ir::Proj::Range(lo, hi)) => Op::Bin(BinOp::Sub, *hi, *lo),
                            _ => Op::Len(place),
                        };
                        out.push(Stmt::Let(v, op));
                    }
                    Stmt::Let(_, op) => {
                        if let Op::Verbatim { places, .. } = op {
                            for (_, p) in places {
                                self.note_param(*p);
                            }
                        }
                        out.push(Stmt::Let(v, op.clone()));
                    }
                    Stmt::Load(_, place) => {
                        let place = self.views.resolve(&mut self.body, place, out);
                        self.note_param(place.root);
                        out.push(Stmt::Load(v, place));
                    }
                    _ => unreachable!("record: only pure definitions are recomputed"),
                }
            }
        }
    }

    fn note_param(&mut self, p: PlaceId) {
        if let PlaceKind::SharedParam(k) | PlaceKind::ValueParam(k) = self.primal.place(p).kind {
            self.used_params.insert(k);
        }
    }

    fn needs(&self) -> Vec<bool> {
        (0..self.primal.params.len())
            .map(|k| self.used_params.contains(&k))
            .collect()
    }

    // ---- adjoints of values ----

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("reverse: inside a region")
    }

    fn push(&mut self, stmt: Stmt) {
        self.scope().stmts.push(stmt);
    }

    fn lane(&mut self, op: Op) -> Val {
        let v = self.body.new_val(Type::Lane, None, Span::call_site());
        self.push(Stmt::Let(v, op));
        v
    }

    /// Adds (or subtracts) a contribution to the adjoint of `v`.
    fn contribute(&mut self, v: Val, lane: Val, negate: bool) {
        if !self.activity.is_active(v) {
            return;
        }
        let here = self.scopes.len() - 1;
        let depth = self.depth.get(&v).copied().unwrap_or(0);
        if depth < here {
            self.reach(v, depth);
            let place = Place::from(self.variable(v));
            if !seeded!(NestedLost) {
                self.push(Stmt::Accumulate {
                    place,
                    negate,
                    val: lane,
                });
            }
            self.scope().touched.insert(v);
            return;
        }
        if self.reached.contains_key(&v) {
            self.always_reached(v);
        }
        let next = match self.scope().adjoints.get(&v).copied() {
            None if negate => Adjoint::Value(self.lane(Op::Neg(lane))),
            None => Adjoint::Value(lane),
            Some(Adjoint::Value(_)) if seeded!(SumOverwritten) => Adjoint::Value(lane),
            Some(Adjoint::Value(sum)) => {
                let op = if negate { BinOp::Sub } else { BinOp::Add };
                Adjoint::Value(self.lane(Op::Bin(op, sum, lane)))
            }
            Some(Adjoint::Variable(root)) => {
                self.push(Stmt::Accumulate {
                    place: Place::from(root),
                    negate,
                    val: lane,
                });
                Adjoint::Variable(root)
            }
        };
        self.scope().adjoints.insert(v, next);
    }

    /// The lane variable of a value that nested regions contribute to.
    fn variable(&mut self, v: Val) -> PlaceId {
        if let Some(p) = self.variables.get(&v) {
            return *p;
        }
        let info = self.body.val(v).clone();
        let hint = info.hint.unwrap_or_else(|| "t".into());
        let p = self
            .body
            .new_place(Type::Lane, &hint, PlaceKind::Local, info.span);
        self.variables.insert(v, p);
        p
    }

    /// Declares, before a nested statement, the lane variables that it contributes to.
    fn declare_touched(&mut self) {
        let here = self.scopes.len() - 1;
        let touched = std::mem::take(&mut self.scope().touched);
        for v in touched {
            if self.depth.get(&v).copied().unwrap_or(0) < here {
                self.scope().touched.insert(v);
                continue;
            }
            let variable = self.variable(v);
            let first = match self.scope().adjoints.get(&v).copied() {
                Some(Adjoint::Variable(_)) => continue,
                Some(Adjoint::Value(sum)) if !seeded!(EarlierLost) => sum,
                Some(Adjoint::Value(_)) | None => self.lane(Op::LaneZero),
            };
            self.push(Stmt::Declare(variable, Init::Scalar(first)));
            self.declare_reached(v);
            self.scope().adjoints.insert(v, Adjoint::Variable(variable));
        }
    }

    /// The adjoint of `v`, where `v` is defined; `None` if nothing contributed.
    fn take(&mut self, v: Val) -> Option<Val> {
        match self.scope().adjoints.remove(&v)? {
            Adjoint::Value(sum) => {
                self.body.name_derivative(sum, v);
                Some(sum)
            }
            Adjoint::Variable(root) => {
                let lane = self.body.new_val(Type::Lane, None, Span::call_site());
                self.push(Stmt::Load(lane, Place::from(root)));
                Some(lane)
            }
        }
    }

    fn need(&mut self, v: Val) {
        self.needed.insert(v);
    }
}
