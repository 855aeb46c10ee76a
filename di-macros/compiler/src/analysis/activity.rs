//! Activity: which values and places carry a derivative.
//!
//! Flow-insensitive, one bit for each value and place, iterated to a fixed point. `varied`: an
//! active parameter may reach it; such floats have the generic scalar type in generated code.
//! `useful`: it may reach the result. Active is both. (Hascoet and Pascual, The Tapenade automatic
//! differentiation tool, 2013, section 4.2, there flow-sensitive.)

use super::bits::{get, set};
use super::control::call_of;
use super::fixed::{borrowed_as_constants, fixed_arrays};
use super::flow::{Node, each_flow};
use super::views::Views;
use crate::analysis::elementary::is_zero;
use crate::ir::{
    Arg, Body, Call, Exit, Init, Leaf, Op, Part, Place, PlaceId, PlaceKind, Region, Role, Stmt,
    Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::Set;

/// The two facts, by value and by place (views follow their root).
#[derive(Clone)]
pub(crate) struct Activity {
    varied_vals: Vec<bool>,
    varied_places: Vec<bool>,
    /// Floats whose derivative is identically zero although they depend on an input.
    generic_vals: Vec<bool>,
    useful_vals: Vec<bool>,
    useful_places: Vec<bool>,
}

impl Activity {
    /// Depends on an active input: of the generic scalar type.
    pub(crate) fn is_generic(&self, v: Val) -> bool {
        get(&self.generic_vals, v.0)
    }

    /// Whether what a path leads to has tangents.
    pub(crate) fn has_lanes(&self, body: &Body, place: &Place) -> bool {
        self.is_generic_place(place.root) && !body.is_constant_part(place)
    }

    /// The place holds generic scalars.
    pub(crate) fn is_generic_place(&self, p: PlaceId) -> bool {
        get(&self.varied_places, p.0)
    }

    /// Has a tangent that may be nonzero.
    pub(crate) fn is_varied(&self, v: Val) -> bool {
        get(&self.varied_vals, v.0)
    }

    /// Has an adjoint.
    pub(crate) fn is_active(&self, v: Val) -> bool {
        self.is_varied(v) && get(&self.useful_vals, v.0)
    }

    /// Has a shadow.
    pub(crate) fn is_active_place(&self, p: PlaceId) -> bool {
        self.is_generic_place(p) && get(&self.useful_places, p.0)
    }

    /// Marks a value made by a transform as generic.
    pub(crate) fn mark_generic(&mut self, v: Val) {
        set(&mut self.generic_vals, v.0);
    }
}

/// Runs the analysis.
pub(crate) fn activity(body: &Body, views: &Views) -> Activity {
    activity_with(body, views, &Set::new(), &Set::new())
}

/// The same, where these floats are generic too.
pub(crate) fn activity_with(
    body: &Body,
    views: &Views,
    vals: &Set<Val>,
    places: &Set<PlaceId>,
) -> Activity {
    let mut cx = Cx {
        body,
        views,
        fixed: fixed_arrays(body, views),
        constant: borrowed_as_constants(&body.region, views),
        facts: Activity {
            varied_vals: vec![false; body.vals.len()],
            varied_places: vec![false; body.places.len()],
            generic_vals: vec![false; body.vals.len()],
            useful_vals: vec![false; body.vals.len()],
            useful_places: vec![false; body.places.len()],
        },
        changed: true,
    };
    cx.start();
    vals.iter().for_each(|v| cx.vary_val(*v));
    places.iter().for_each(|p| cx.vary_place(*p));
    while std::mem::take(&mut cx.changed) {
        body.region.all().for_each(|stmt| cx.varied_stmt(stmt));
    }
    cx.changed = true;
    while std::mem::take(&mut cx.changed) {
        cx.useful(&body.region);
    }
    for p in 0..body.places.len() {
        let id = PlaceId(p as u32);
        let root = views.root(id);
        if root != id {
            cx.facts.varied_places[p] = cx.facts.varied_places[root.0 as usize];
            cx.facts.useful_places[p] = cx.facts.useful_places[root.0 as usize];
        }
    }
    cx.facts
}

struct Cx<'a> {
    body: &'a Body,
    views: &'a Views,
    fixed: Set<PlaceId>,
    /// Borrowed by a constant parameter somewhere: of the plain float, and lifted where others borrow them.
    constant: Set<PlaceId>,
    facts: Activity,
    changed: bool,
}

impl Cx<'_> {
    fn start(&mut self) {
        for (i, info) in self.body.places.iter().enumerate() {
            let id = PlaceId(i as u32);
            let float = info.ty.has_floats();
            match info.kind {
                // structs that are made here have one form
                PlaceKind::Local | PlaceKind::ValueParam(_)
                    if matches!(info.ty.leaf(), Type::Struct(_)) =>
                {
                    self.vary_place(id)
                }
                PlaceKind::SharedParam(k) | PlaceKind::ValueParam(k) => {
                    if float && self.body.params[k].role == Role::Active {
                        self.vary_place(id);
                    }
                }
                PlaceKind::MutParam(k) => {
                    if float && self.body.params[k].role != Role::Constant {
                        self.vary_place(id);
                        self.use_place(id);
                    }
                }
                PlaceKind::Local
                | PlaceKind::State
                | PlaceKind::View
                | PlaceKind::Row
                | PlaceKind::Slot(_)
                | PlaceKind::ResultSlot(_) => {}
            }
        }
        for region in self.body.region.all_regions() {
            if let Exit::Return(leaves) = &region.exit {
                for leaf in leaves {
                    self.returned(leaf);
                }
            }
        }
    }

    fn returned(&mut self, leaf: &Leaf) {
        match leaf {
            Leaf::Val(v) => self.use_val(*v),
            Leaf::Place(p) => {
                if self.body.place(*p).ty.has_floats() {
                    self.vary_place(*p);
                    self.use_place(*p);
                }
            }
        }
    }

    fn vary_val(&mut self, v: Val) {
        if self.body.val(v).ty == Type::Float {
            self.changed |= set(&mut self.facts.varied_vals, v.0);
            self.changed |= set(&mut self.facts.generic_vals, v.0);
        }
    }

    fn make_generic(&mut self, v: Val) {
        if self.body.val(v).ty == Type::Float {
            self.changed |= set(&mut self.facts.generic_vals, v.0);
        }
    }

    fn vary_place(&mut self, p: PlaceId) {
        let root = self.views.root(p);
        if self.body.place(root).ty.has_floats() {
            self.changed |= set(&mut self.facts.varied_places, root.0);
        }
    }

    fn use_val(&mut self, v: Val) {
        self.changed |= set(&mut self.facts.useful_vals, v.0);
    }

    fn use_place(&mut self, p: PlaceId) {
        let root = self.views.root(p);
        self.changed |= set(&mut self.facts.useful_places, root.0);
    }

    fn place_useful(&self, p: &Place) -> bool {
        get(&self.facts.useful_places, self.views.root(p.root).0)
    }

    // ---- forward ----

    fn varied_stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(v, Op::Param(k)) if self.body.params[*k].role == Role::Active => {
                self.vary_val(*v)
            }
            Stmt::Declare(_, Init::CopyOf(_)) if seeded!(CopyTakenForPassive) => return,
            Stmt::Declare(p, Init::MoveOf(src)) if self.facts.is_generic_place(*p) => {
                self.vary_place(*src)
            }
            // a struct is generic whatever is in it
            Stmt::Declare(_, Init::Struct { fields, .. }) => {
                for (_, part) in fields {
                    if let Part::Place(place) = part {
                        self.vary_place(place.root);
                    }
                }
            }
            _ => {}
        }
        if let Some(call) = call_of(stmt) {
            self.varied_call(call);
        }
        let zero = matches!(stmt, Stmt::Let(_, Op::Elementary(name, _)) if is_zero(name));
        each_flow(stmt, &mut |from, to| {
            let (varied, generic) = match from {
                Node::Val(v) => (self.facts.is_varied(v), self.facts.is_generic(v)),
                Node::Place(p) => {
                    let varied = self.facts.is_generic_place(self.views.root(p));
                    (varied, varied)
                }
            };
            match to {
                Node::Val(v) => {
                    if varied && !zero {
                        self.vary_val(v);
                    }
                    if generic {
                        self.make_generic(v);
                    }
                }
                Node::Place(p) => {
                    if generic {
                        self.vary_place(p);
                    }
                }
            }
        });
    }

    /// Floats that come out of a callee, and float places lent to it, are generic.
    fn varied_call(&mut self, call: &Call) {
        for leaf in call.result.leaves() {
            match leaf {
                Leaf::Val(_) if seeded!(CallTakenForPassive) => {}
                Leaf::Val(v) => self.vary_val(*v),
                Leaf::Place(p) => self.vary_place(*p),
            }
        }
        for arg in &call.args {
            match arg {
                Arg::Mut(place) => self.vary_place(place.root),
                Arg::Ref(place) => {
                    let root = self.views.root(place.root);
                    let is_lifted = self.fixed.contains(&root) || self.constant.contains(&root);
                    if self.body.place(root).kind == PlaceKind::Local && !is_lifted {
                        self.vary_place(root);
                    }
                }
                // what a constant holds stays as it is
                Arg::Place(place) if self.is_kept(self.views.root(place.root)) => {}
                Arg::Place(place) => self.vary_place(place.root),
                Arg::Value(_) | Arg::Verbatim { .. } => {}
            }
        }
    }

    /// Whether a place is a constant of the caller, which is copied where it goes by value.
    fn is_kept(&self, root: PlaceId) -> bool {
        let of_caller = match self.body.place(root).kind {
            PlaceKind::SharedParam(k) => self.body.params[k].role == Role::Constant,
            _ => false,
        };
        of_caller || self.fixed.contains(&root)
    }

    // ---- backward ----

    fn useful(&mut self, region: &Region) {
        for stmt in region.stmts.iter().rev() {
            for inner in stmt.regions() {
                self.useful(inner);
            }
            self.useful_stmt(stmt);
        }
    }

    fn useful_stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Declare(p, Init::MoveOf(src)) = stmt
            && get(&self.facts.useful_places, src.0)
        {
            self.use_place(*p);
        }
        if let Some(call) = call_of(stmt) {
            self.useful_call(call);
        }
        each_flow(stmt, &mut |from, to| {
            let useful = match to {
                Node::Val(v) => get(&self.facts.useful_vals, v.0),
                Node::Place(p) => get(&self.facts.useful_places, self.views.root(p).0),
            };
            match from {
                _ if !useful => {}
                Node::Val(v) => self.use_val(v),
                Node::Place(p) => self.use_place(p),
            }
        });
    }

    fn useful_call(&mut self, call: &Call) {
        let result = call.result.leaves().iter().any(|leaf| match leaf {
            Leaf::Val(v) => get(&self.facts.useful_vals, v.0),
            Leaf::Place(p) => get(&self.facts.useful_places, self.views.root(*p).0),
        });
        let lent = call
            .args
            .iter()
            .any(|a| matches!(a, Arg::Mut(p) if self.place_useful(p)));
        if !result && !lent {
            return;
        }
        for arg in &call.args {
            match arg {
                Arg::Value(v) => self.use_val(*v),
                Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => self.use_place(p.root),
                Arg::Verbatim { .. } => {}
            }
        }
    }
}
