//! Adjoint of a call: the callee's own adjoint sweep, with shadows for what it may contribute to.

use super::Cx;
use crate::analysis::activity::Activity;
use crate::analysis::views::Views;
use crate::ir::{
    Arg, AugmentedCall, Body, Init, Keep, Leaf, Op, Place, PlaceId, PlaceKind, Region, ReverseCall,
    Stmt, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::Set;
use proc_macro2::Span;

/// What has to be done after the callee's sweep for one argument.
enum After {
    /// A scalar: its adjoint is in this lane variable.
    Contribute(Val, PlaceId),
    /// The shadow was replaced by one of its own, to be added.
    Add { dst: Place, from: PlaceId },
}

/// Arguments that can be declared again are not kept on the tape.
pub(super) fn keep_no_fixed(region: &mut Region, views: &Views, fixed: &Set<PlaceId>) {
    let is_fixed = |place: PlaceId| fixed.contains(&views.root(place));
    region.change_all(&mut |stmt| {
        let Stmt::AugmentedCall(c) = stmt else {
            return;
        };
        for (arg, keep) in c.call.args.iter().zip(&mut c.keep) {
            let is_known = match arg {
                Arg::Ref(p) => is_fixed(p.root),
                Arg::Verbatim { places, .. } => places.iter().all(|(_, p)| is_fixed(*p)),
                Arg::Value(_) | Arg::Place(_) | Arg::Mut(_) => false,
            };
            if is_known {
                *keep = Keep::No;
            }
        }
    });
}

/// Numbers of an argument up to which its values are part of the fixed record of the frame.
const FEW: usize = 16;

/// How many numbers a place has, if its type tells, and they are few.
fn few(body: &Body, views: &Views, activity: &Activity, place: &Place) -> Option<usize> {
    let count = |ty: &Type| {
        let (mut ty, mut count) = (ty, 1_usize);
        while let Type::Array(of, n) = ty {
            count = count.checked_mul(n.0.to_string().parse().ok()?)?;
            ty = of;
        }
        (*ty == Type::Float).then_some(count)
    };
    let floats = |p: PlaceId| *body.place(p).ty.leaf() == Type::Float;
    let roots = [place.root, views.root(place.root)];
    let count = count(&body.type_at(place)?)?;
    let fits = count <= FEW
        && roots
            .iter()
            .all(|p| floats(*p) && activity.is_generic_place(*p));
    fits.then_some(count)
}

/// What a type tells of how much is kept of an argument, or the shadow: of local arrays and vectors whose length does
/// not change it is as long.
pub(super) fn measure(
    region: &mut Region,
    body: &Body,
    views: &Views,
    activity: &Activity,
    growing: &Set<PlaceId>,
) {
    for stmt in &mut region.stmts {
        if let Stmt::AugmentedCall(c) = stmt {
            let recursive = c.call.is_recursive(body);
            let root = |arg: &Arg| match arg {
                Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => Some(views.root(p.root)),
                Arg::Value(_) | Arg::Verbatim { .. } => None,
            };
            let roots: Vec<Option<PlaceId>> = c.call.args.iter().map(root).collect();
            for (arg, keep) in c.call.args.iter().zip(&mut c.keep) {
                let (Arg::Ref(place) | Arg::Mut(place)) = arg else {
                    continue;
                };
                if *keep == Keep::Counted
                    && !recursive
                    && let Some(count) = few(body, views, activity, place)
                {
                    *keep = Keep::Fixed(count);
                }
                let info = body.place(place.root);
                let alone = roots.iter().filter(|r| **r == Some(place.root)).count() == 1;
                let whole = place.path.is_empty()
                    && info.kind == PlaceKind::Local
                    && matches!(&info.ty, Type::Vec(t) | Type::Array(t, _) if **t == Type::Float);
                let shadowed =
                    activity.is_active_place(place.root) && !growing.contains(&place.root);
                if *keep == Keep::Counted && alone && whole && shadowed {
                    *keep = Keep::Measured;
                }
            }
        }
        for inner in stmt.regions_mut() {
            measure(inner, body, views, activity, growing);
        }
    }
}

impl Cx<'_> {
    /// y = h(a, &x, &mut z)   =>   h'(a_b, x, x_b, z_b, y_b)
    pub(super) fn adjoint_of_call(&mut self, c: &AugmentedCall) {
        let call = &c.call;
        let mut lanes = Vec::new();
        let mut flows = false;
        for leaf in call.result.leaves() {
            lanes.push(match leaf {
                Leaf::Val(v) => self.take(*v),
                Leaf::Place(_) => None,
            });
            flows |= match leaf {
                Leaf::Val(_) => matches!(lanes.last(), Some(Some(_))),
                // integers have no adjoint
                Leaf::Place(p) if !self.primal.place(*p).ty.has_floats() => false,
                Leaf::Place(p) => self.activity.is_active_place(*p) && self.shadows.contains_key(p),
            };
        }
        flows |= call
            .args
            .iter()
            .any(|a| matches!(a, Arg::Mut(p) if self.activity.is_active_place(p.root)));
        if seeded!(IdleLoopRecorded) {
            for leaf in call.result.leaves() {
                if let Leaf::Place(p) = leaf {
                    self.shadow_root(*p);
                }
            }
        }
        if !flows {
            return;
        }
        self.reversed.insert(c.record);
        let leaves = call.result.leaves().into_iter().zip(lanes);
        let seeds: Vec<Option<Leaf>> = leaves
            .map(|(leaf, lane)| match leaf {
                Leaf::Val(_) => lane.map(Leaf::Val),
                Leaf::Place(p) if !self.primal.place(*p).ty.has_floats() => None,
                // a shadow asks for the length: not before it is known to be of use
                Leaf::Place(p) => Some(Leaf::Place(self.shadow_root(*p))),
            })
            .collect();
        // A result without an adjoint still needs a seed.
        let mut leaves = seeds.into_iter();
        let types: Vec<Type> = call
            .result
            .leaves()
            .iter()
            .map(|leaf| match leaf {
                Leaf::Val(v) => self.primal.val(*v).ty.clone(),
                Leaf::Place(p) => self.primal.place(*p).ty.clone(),
            })
            .collect();
        let mut types = types.into_iter();
        let result = call.result.map(&mut |_| {
            let ty = types.next().expect("one type for each leaf");
            match leaves.next().expect("one seed for each leaf") {
                Some(leaf) => Some(leaf),
                None if *ty.leaf() == Type::Float => Some(Leaf::Val(self.lane(Op::LaneZero))),
                None => None,
            }
        });
        let mut used = Set::new();
        let mut after = Vec::new();
        let mut args = Vec::new();
        let mut adjoints = Vec::new();
        for (arg, keep) in call.args.iter().zip(&c.keep) {
            match arg {
                Arg::Value(v) => {
                    args.push(None);
                    if self.activity.is_active(*v) {
                        let zero = self.lane(Op::LaneZero);
                        let p = self.temporary(Type::Lane, Init::Scalar(zero));
                        after.push(After::Contribute(*v, p));
                        adjoints.push(Some(Arg::Mut(Place::from(p))));
                    } else {
                        adjoints.push(None);
                    }
                }
                Arg::Place(p) => {
                    let is_fixed = self.is_array(p) && !self.activity.is_generic_place(p.root);
                    // a constant of a foreign type is nothing that the callee could have recorded
                    let is_opaque = matches!(self.primal.type_at(p), Some(Type::Opaque(_)));
                    let again = is_fixed || is_opaque;
                    args.push(again.then(|| Arg::Place(self.primal_path(p))));
                    let adjoint = self.argument_shadow(arg, &call.args, &mut used, &mut after);
                    adjoints.push(adjoint);
                }
                Arg::Ref(p) => {
                    args.push(if *keep != Keep::No {
                        None
                    } else {
                        Some(Arg::Ref(self.primal_path(p)))
                    });
                    let adjoint = self.argument_shadow(arg, &call.args, &mut used, &mut after);
                    adjoints.push(adjoint);
                }
                Arg::Mut(_) => {
                    args.push(None);
                    let adjoint = self.argument_shadow(arg, &call.args, &mut used, &mut after);
                    adjoints.push(adjoint);
                }
                Arg::Verbatim { operands, .. } => {
                    for (_, v) in operands {
                        self.need(*v);
                    }
                    let mut arg = arg.clone();
                    let kept: Vec<PlaceId> = match keep {
                        Keep::No => Vec::new(),
                        _ => arg.integer_lists(self.primal).map(|(_, p)| p).collect(),
                    };
                    if let Arg::Verbatim { places, .. } = &mut arg {
                        places.retain(|(_, p)| !kept.contains(p));
                        places
                            .iter_mut()
                            .for_each(|(_, p)| *p = self.seen_again(*p));
                    }
                    args.push(Some(arg));
                    adjoints.push(None);
                }
            }
        }
        let record = match self.plan {
            Some((_, plan)) => plan.calls[&c.record],
            None => 0,
        };
        self.push(Stmt::ReverseCall(ReverseCall {
            call: call.clone(),
            args,
            adjoints,
            result,
            record,
            keep: c.keep.clone(),
        }));
        for step in after {
            match step {
                After::Contribute(v, p) => {
                    let lane = self.load(&Place::from(p));
                    if !seeded!(ArgumentLost) {
                        self.contribute(v, lane, false);
                    }
                }
                After::Add { .. } if seeded!(SharedArgumentLost) => {}
                After::Add { dst, from } => {
                    self.push(Stmt::AccumulatePlace {
                        dst,
                        src: Place::from(from),
                    });
                }
            }
        }
    }

    /// A place that passive code reads: what is a view there is made again here.
    fn seen_again(&mut self, p: PlaceId) -> PlaceId {
        let whole = Place::from(p);
        let of = self.primal_path(&whole);
        if of == whole {
            return p;
        }
        let info = self.primal.place(p).clone();
        let view = self
            .body
            .new_place(info.ty, &info.hint, PlaceKind::View, info.span);
        self.push(Stmt::View {
            view,
            of,
            mutable: false,
        });
        view
    }

    fn is_array(&self, place: &Place) -> bool {
        matches!(self.primal.type_at(place), Some(ty @ Type::Array(..)) if *ty.leaf() == Type::Float)
    }

    /// The shadow of an argument; one of its own where it may overlap with another argument's: what
    /// is passed by value with all, what is behind `&` with its like, what is behind `&mut` with none.
    fn argument_shadow(
        &mut self,
        arg: &Arg,
        args: &[Arg],
        used: &mut Set<PlaceId>,
        after: &mut Vec<After>,
    ) -> Option<Arg> {
        let (Arg::Place(place) | Arg::Ref(place) | Arg::Mut(place)) = arg else {
            return None;
        };
        if !self.activity.is_active_place(place.root) || self.primal.is_constant_part(place) {
            return None;
        }
        let shadow = self.shadow(place);
        let root = self.views.root(place.root);
        let others = args
            .iter()
            .filter(|other| match other {
                Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => self.views.root(p.root) == root,
                Arg::Value(_) | Arg::Verbatim { .. } => false,
            })
            .count();
        let own = match arg {
            Arg::Place(_) => others == 1,
            Arg::Ref(_) => used.insert(root),
            // what overlaps is only read, whatever the type of its reference
            Arg::Mut(place) if self.overlaps(place, args) => used.insert(root),
            Arg::Mut(_) | Arg::Value(_) | Arg::Verbatim { .. } => true,
        };
        if own {
            return Some(Arg::Mut(shadow));
        }
        let ty = match self.body.type_at(&shadow) {
            Some(Type::Slice(t)) => Type::Vec(t),
            Some(ty) => ty,
            None => unreachable!("check: a struct is passed once"),
        };
        let init = match &ty {
            Type::Array(..) => Init::Zero,
            Type::Lanes(_) if !self.primal.has_lengths(&ty) => Init::Zero,
            _ => Init::ZeroLike(shadow.clone()),
        };
        let p = self.temporary(ty, init);
        after.push(After::Add {
            dst: shadow,
            from: p,
        });
        Some(Arg::Mut(Place::from(p)))
    }

    /// Whether another argument lies in this one, or around it.
    fn overlaps(&self, place: &Place, args: &[Arg]) -> bool {
        let steps = |p: &Place| {
            let mut steps = Vec::new();
            self.views
                .each_step(p, &mut |_, step| steps.extend(step.cloned()));
            (self.views.root(p.root), steps)
        };
        let (root, own) = steps(place);
        let others = args.iter().filter(|a| match a {
            Arg::Ref(p) | Arg::Mut(p) => {
                let (at, other) = steps(p);
                at == root && (own.starts_with(&other) || other.starts_with(&own))
            }
            Arg::Place(_) | Arg::Value(_) | Arg::Verbatim { .. } => false,
        });
        // one of them is the argument itself
        others.count() > 1
    }

    fn temporary(&mut self, ty: Type, init: Init) -> PlaceId {
        let p = self
            .body
            .new_place(ty, "t", PlaceKind::Local, Span::call_site());
        self.push(Stmt::Declare(p, init));
        p
    }

    /// A path to values that reverse code has: of a `&` parameter, or of a fixed array.
    fn primal_path(&mut self, place: &Place) -> Place {
        let resolved = self.resolve(place);
        self.note_param(resolved.root);
        if self.fixed.contains(&resolved.root) {
            self.again.insert(resolved.root);
        }
        if let Some(kept) = self.kept.get(&resolved.root) {
            self.needed.extend([kept.base, kept.len]);
            self.read_kept.insert(resolved.root);
        }
        resolved
    }
}
