//! Adjoints that do not vary with the inputs where an operator hands in those of the results: sums and passive
//! multiples of these. In code of second order each adjoint is a number with tangents, and theirs are zero.

use super::activity::Activity;
use crate::ir::{BinOp, Body, Init, Op, Place, PlaceId, PlaceKind, Scaling, Stmt, Type, Val};
use crate::sorted::Set;

/// Products of a number with a lane that does not vary, in an adjoint sweep.
pub(crate) fn steady(body: &Body, activity: &Activity) -> Set<Val> {
    let places = 0..u32::try_from(body.places.len()).expect("fewer than 2^32 places");
    let mut cx = Cx {
        activity,
        lanes: Set::new(),
        variables: places
            .map(PlaceId)
            .filter(|p| is_variable(body, *p))
            .collect(),
        products: Set::new(),
        changed: true,
    };
    // all variables are taken for steady until something else is written to them
    while cx.changed {
        cx.changed = false;
        cx.lanes = Set::new();
        cx.products = Set::new();
        body.region.all().for_each(|stmt| cx.stmt(stmt));
    }
    cx.products
}

fn is_variable(body: &Body, place: PlaceId) -> bool {
    let info = body.place(place);
    info.ty == Type::Lane && info.kind == PlaceKind::Local
}

struct Cx<'a> {
    activity: &'a Activity,
    lanes: Set<Val>,
    products: Set<Val>,
    variables: Set<PlaceId>,
    changed: bool,
}

impl Cx<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(v, op) if self.is_steady(op) => {
                self.lanes.insert(*v);
            }
            Stmt::Let(
                v,
                Op::LaneScale {
                    lane,
                    by: Scaling::Plain,
                    ..
                },
            ) if self.lanes.contains(lane) => {
                self.products.insert(*v);
            }
            Stmt::Load(v, place) if self.is_whole(place) => {
                self.lanes.insert(*v);
            }
            Stmt::Declare(_, Init::Scalar(v))
            | Stmt::Store(_, v)
            | Stmt::Accumulate { val: v, .. }
                if self.lanes.contains(v) => {}
            Stmt::If { .. } | Stmt::For(_) | Stmt::While { .. } | Stmt::Block { .. } => {}
            _ => {
                let mut named = stmt.named();
                if let Stmt::Declare(root, _) = stmt {
                    named.push(*root);
                }
                for root in named {
                    self.changed |= self.variables.remove(&root);
                }
            }
        }
    }

    fn is_whole(&self, place: &Place) -> bool {
        place.path.is_empty() && self.variables.contains(&place.root)
    }

    fn is_steady(&self, op: &Op) -> bool {
        let steady = |v: &Val| self.lanes.contains(v);
        match op {
            Op::ResultSeed(_) | Op::LaneZero => true,
            Op::Neg(a) | Op::Copy(a) => steady(a),
            Op::Bin(BinOp::Add | BinOp::Sub, a, b) => steady(a) && steady(b),
            Op::LaneScale {
                lane,
                scale,
                by: Scaling::Plain,
            } => steady(lane) && !self.activity.is_generic(*scale),
            _ => false,
        }
    }
}
