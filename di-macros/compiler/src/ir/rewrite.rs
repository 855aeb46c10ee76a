//! What statements use, for passes that rename values or places. Shallow: nested regions are not entered.

use super::{
    Arg, AugmentedCall, Exit, First, For, Init, Leaf, Op, Part, Place, PlaceId, Proj, ReverseCall,
    Stmt, TangentCall, Tape, Tree, Val,
};

impl Stmt {
    /// Visits the values that the statement reads, indices of places included.
    pub(crate) fn each_use(&mut self, f: &mut dyn FnMut(&mut Val)) {
        self.each_place(&mut |place| place.each_use(f));
        match self {
            Stmt::Let(_, op) => op.each_use(f),
            Stmt::Store(_, v) | Stmt::Accumulate { val: v, .. } | Stmt::Record(_, v) => f(v),
            Stmt::Declare(_, init) => match init {
                Init::Scalar(v) | Init::ArrayFill(v) | Init::ZeroLen(v) | Init::AnyLen(v) => f(v),
                Init::VecFill(v, n) => {
                    f(v);
                    f(n);
                }
                Init::List(vs) => vs.iter_mut().for_each(f),
                Init::Struct { fields, .. } => {
                    for (_, part) in fields {
                        if let Part::Val(v) = part {
                            f(v);
                        }
                    }
                }
                Init::None
                | Init::CopyOf(_)
                | Init::MoveOf(_)
                | Init::Sorted { .. }
                | Init::ZeroLike(_)
                | Init::Zero => {}
            },
            Stmt::Storage(s) => s.each_use(f),
            Stmt::Call(call) => args_uses(&mut call.args, f),
            Stmt::If { cond, .. } => f(cond),
            Stmt::For(For { lo, hi, .. }) => {
                f(lo);
                f(hi);
            }
            Stmt::TangentCall(TangentCall { call, tangents, .. }) => {
                args_uses(&mut call.args, f);
                tangents.iter_mut().flatten().for_each(|a| arg_uses(a, f));
            }
            Stmt::AugmentedCall(AugmentedCall { call, .. }) => args_uses(&mut call.args, f),
            Stmt::ReverseCall(ReverseCall {
                call,
                args,
                adjoints,
                result,
                ..
            }) => {
                args_uses(&mut call.args, f);
                args.iter_mut().flatten().for_each(|a| arg_uses(a, f));
                adjoints.iter_mut().flatten().for_each(|a| arg_uses(a, f));
                each_leaf(result, &mut |leaf| {
                    if let Some(Leaf::Val(v)) = leaf {
                        f(v);
                    }
                });
            }
            Stmt::Effect(e) => e.operands.iter_mut().for_each(|(_, v)| f(v)),
            Stmt::Tape(Tape::Kept { base, len, .. }) => {
                f(base);
                f(len);
            }
            Stmt::Tape(Tape::Release { len, .. }) => f(len),
            Stmt::First(First::Fill { keep, .. }) => {
                if let Some((lo, hi)) = keep {
                    f(lo);
                    f(hi);
                }
            }
            Stmt::First(First::Set { val, .. }) => f(val),
            Stmt::Tape(Tape::Keep { .. } | Tape::Shape { .. } | Tape::ReleaseShape { .. })
            | Stmt::Load(..)
            | Stmt::View { .. }
            | Stmt::CopyPlace { .. }
            | Stmt::While { .. }
            | Stmt::Block { .. }
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_) => {}
        }
    }

    /// Visits the paths that the statement reads or writes, not the places that it declares, nor
    /// those that verbatim code or a moved vector are known by (see [`Stmt::each_named`]).
    pub(crate) fn each_place(&mut self, f: &mut dyn FnMut(&mut Place)) {
        match self {
            Stmt::Let(_, Op::Len(p) | Op::LaneSum(p))
            | Stmt::Load(_, p)
            | Stmt::Store(p, _)
            | Stmt::Accumulate { place: p, .. }
            | Stmt::Declare(
                _,
                Init::CopyOf(p) | Init::ZeroLike(p) | Init::Sorted { keys: p, .. },
            )
            | Stmt::View { of: p, .. }
            | Stmt::Zero(p)
            | Stmt::First(First::Set { place: p, .. }) => f(p),
            Stmt::Declare(_, Init::Struct { fields, base }) => {
                for (_, part) in fields {
                    if let Part::Place(p) = part {
                        f(p);
                    }
                }
                base.iter_mut().for_each(f);
            }
            Stmt::CopyPlace { dst, src } | Stmt::AccumulatePlace { dst, src } => {
                f(dst);
                f(src);
            }
            Stmt::Call(call) => args_places(&mut call.args, f),
            Stmt::TangentCall(TangentCall { call, tangents, .. }) => {
                args_places(&mut call.args, f);
                tangents.iter_mut().flatten().for_each(|a| arg_place(a, f));
            }
            Stmt::AugmentedCall(AugmentedCall { call, .. }) => args_places(&mut call.args, f),
            Stmt::ReverseCall(ReverseCall { args, adjoints, .. }) => {
                args.iter_mut().flatten().for_each(|a| arg_place(a, f));
                adjoints.iter_mut().flatten().for_each(|a| arg_place(a, f));
            }
            Stmt::Let(..)
            | Stmt::Declare(..)
            | Stmt::If { .. }
            | Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Block { .. }
            | Stmt::Effect(_)
            | Stmt::Record(..)
            | Stmt::Storage(_)
            | Stmt::Tape(_)
            | Stmt::First(First::Fill { .. }) => {}
        }
    }

    /// Visits places that are named without a path: by verbatim code, moves, changes of storage,
    /// results of calls.
    pub(crate) fn each_named(&self, f: &mut dyn FnMut(PlaceId)) {
        let mut of_args = |args: &[Arg]| {
            for arg in args {
                if let Arg::Verbatim { places, .. } = arg {
                    places.iter().for_each(|(_, p)| f(*p));
                }
            }
        };
        match self {
            Stmt::Effect(e) => e.places.iter().for_each(|(_, p)| f(*p)),
            Stmt::Let(_, Op::Verbatim { places, .. }) => places.iter().for_each(|(_, p)| f(*p)),
            Stmt::Declare(_, Init::MoveOf(p))
            | Stmt::Tape(Tape::Keep { place: p, .. } | Tape::Shape { place: p, .. }) => f(*p),
            Stmt::First(First::Fill { slot, .. }) => f(*slot),
            Stmt::Storage(s) => s.places().into_iter().for_each(f),
            Stmt::Call(call) => of_args(&call.args),
            Stmt::TangentCall(c) => of_args(&c.call.args),
            Stmt::AugmentedCall(c) => of_args(&c.call.args),
            Stmt::ReverseCall(c) => {
                c.args
                    .iter()
                    .flatten()
                    .for_each(|arg| of_args(std::slice::from_ref(arg)));
                for leaf in c.result.leaves() {
                    if let Some(Leaf::Place(p)) = leaf {
                        f(*p);
                    }
                }
            }
            Stmt::Let(..)
            | Stmt::Load(..)
            | Stmt::Store(..)
            | Stmt::Accumulate { .. }
            | Stmt::Declare(..)
            | Stmt::View { .. }
            | Stmt::CopyPlace { .. }
            | Stmt::If { .. }
            | Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Block { .. }
            | Stmt::Record(..)
            | Stmt::Tape(_)
            | Stmt::First(First::Set { .. })
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_) => {}
        }
    }
}

impl Exit {
    /// Visits the values that leave with it.
    pub(crate) fn each_use(&mut self, f: &mut dyn FnMut(&mut Val)) {
        match self {
            Exit::Yield(vs) => vs.iter_mut().for_each(f),
            Exit::Return(leaves) => {
                for leaf in leaves {
                    if let Leaf::Val(v) = leaf {
                        f(v);
                    }
                }
            }
            Exit::Break(_) | Exit::Continue(_) => {}
        }
    }

    /// The values that leave with it.
    pub(crate) fn uses(&self) -> Vec<Val> {
        let mut used = Vec::new();
        self.clone().each_use(&mut |v| used.push(*v));
        used
    }
}

impl Place {
    /// Visits the values in the path.
    pub(crate) fn each_use(&mut self, f: &mut dyn FnMut(&mut Val)) {
        for step in &mut self.path {
            match step {
                Proj::Index(i) | Proj::Flat(i) => f(i),
                Proj::Range(a, b) => {
                    f(a);
                    f(b);
                }
                Proj::Field(..) => {}
            }
        }
    }
}

impl Op {
    /// The operands, without those in paths.
    pub(crate) fn uses(&self) -> Vec<Val> {
        let mut used = Vec::new();
        self.clone().each_use(&mut |v| used.push(*v));
        used
    }

    /// Visits the operands, without those in paths.
    pub(crate) fn each_use(&mut self, f: &mut dyn FnMut(&mut Val)) {
        match self {
            Op::Copy(a) | Op::Neg(a) | Op::Not(a) | Op::Cast(a) => f(a),
            Op::Bin(_, a, b) | Op::Cmp(_, a, b) => {
                f(a);
                f(b);
            }
            Op::Elementary(_, vs) => vs.iter_mut().for_each(f),
            Op::Verbatim { operands, .. } => operands.iter_mut().for_each(|(_, v)| f(v)),
            Op::LaneScale { lane, scale, .. } => {
                f(lane);
                f(scale);
            }
            Op::Partial(_, _, operands) => operands.iter_mut().flatten().for_each(f),
            Op::Trips { lo, hi, .. } => {
                f(lo);
                f(hi);
            }
            Op::Induction { lo, hi, trip, .. } => {
                f(lo);
                f(hi);
                f(trip);
            }
            Op::Lit(_)
            | Op::Param(_)
            | Op::Len(_)
            | Op::LaneZero
            | Op::Reload(_)
            | Op::ResultSeed(_)
            | Op::LaneSum(_) => {}
        }
    }
}

fn arg_uses(arg: &mut Arg, f: &mut dyn FnMut(&mut Val)) {
    match arg {
        Arg::Value(v) => f(v),
        Arg::Verbatim { operands, .. } => operands.iter_mut().for_each(|(_, v)| f(v)),
        Arg::Place(_) | Arg::Ref(_) | Arg::Mut(_) => {}
    }
}

fn args_uses(args: &mut [Arg], f: &mut dyn FnMut(&mut Val)) {
    args.iter_mut().for_each(|a| arg_uses(a, f));
}

fn arg_place(arg: &mut Arg, f: &mut dyn FnMut(&mut Place)) {
    match arg {
        Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => f(p),
        Arg::Value(_) | Arg::Verbatim { .. } => {}
    }
}

fn args_places(args: &mut [Arg], f: &mut dyn FnMut(&mut Place)) {
    args.iter_mut().for_each(|a| arg_place(a, f));
}

fn each_leaf<T>(tree: &mut Tree<T>, f: &mut dyn FnMut(&mut T)) {
    match tree {
        Tree::Leaf(t) => f(t),
        Tree::Tuple(ts) => ts.iter_mut().for_each(|t| each_leaf(t, f)),
    }
}
