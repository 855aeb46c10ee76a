//! Structured exits: a body without `break`, `continue` or early `return`, for reversal.
//!
//! What follows a statement that may leave the region is moved into the arm that does not leave it,
//! or guarded by an exit code; loops that may stop early count their trips. After this pass the only
//! exits are yields and one final return, every `for` runs over `0..n`, and each local vector has
//! its length in a value. Nothing is reversed here.

mod codes;
mod escapes;

use crate::analysis::views::Views;
use crate::ir::{
    Arg, Body, CmpOp, Exit, For, Frame, Init, Keep, Leaf, Lit, Op, Place, PlaceId, PlaceKind,
    Region, Stmt, Storage, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};
use codes::{growing, returned};
use escapes::Around;
use proc_macro2::Span;

/// A body with structured exits.
pub(crate) struct Structured {
    pub(crate) body: Body,
    /// Lengths of vectors that are local or come by value, at the end of the region that they are
    /// declared in.
    pub(crate) lens: Map<PlaceId, Val>,
    /// Those of them whose lengths may change before.
    pub(crate) growing: Set<PlaceId>,
    /// Places that hold the result if there are early returns; empty before.
    pub(crate) results: Vec<PlaceId>,
}

/// Rewrites early exits.
pub(crate) fn structure(body: &Body) -> Structured {
    let mut cx = Cx {
        body: Body {
            region: Region::default(),
            ..body.clone()
        },
        views: Views::of(body),
        loops: Vec::new(),
        exit: None,
        returned: None,
        lens: Map::new(),
        growing: growing(&body.region),
        calls: 0,
    };
    let region = cx.function(&body.region);
    cx.body.region = region;
    Structured {
        body: cx.body,
        lens: cx.lens,
        growing: cx.growing,
        results: cx.returned.unwrap_or_default(),
    }
}

/// The code of `return`; loops take the following numbers in pairs (break, continue).
const RETURN: i128 = 1;

/// A loop or labelled block that is open.
struct Loop {
    label: Option<String>,
    is_loop: bool,
    code: i128,
}

struct Cx {
    body: Body,
    views: Views,
    loops: Vec<Loop>,
    /// Place of the exit code, once something needs it.
    exit: Option<PlaceId>,
    /// Places that hold the result when there are early returns.
    returned: Option<Vec<PlaceId>>,
    lens: Map<PlaceId, Val>,
    /// Vectors whose lengths may change after they are made.
    growing: Set<PlaceId>,
    calls: u32,
}

fn around_loop(label: &Option<String>) -> Around<'_> {
    Around {
        label: label.as_ref(),
        is_loop: true,
    }
}

impl Cx {
    fn function(&mut self, region: &Region) -> Region {
        let mut head = Vec::new();
        let mut own = Vec::new();
        for (k, param) in self.body.params.clone().iter().enumerate() {
            if let Some(place) = param.place
                && self.body.place(place).kind == PlaceKind::ValueParam(k)
            {
                own.push(place);
                self.keep_len(place, None, &mut head);
            }
        }
        let early = region.stmts.iter().any(|s| self.escapes_of(s).any);
        let Exit::Return(leaves) = &region.exit else {
            unreachable!("verify: a function ends with a return")
        };
        if !early {
            let body = self.region(&region.stmts, &Exit::Yield(Vec::new()), &[], None);
            self.declare_exit(&mut head);
            head.extend(body.stmts);
            self.keep_last_lens_of(own, &mut head);
            return Region {
                stmts: head,
                exit: Exit::Return(leaves.clone()),
            };
        }
        // their storage goes into the result
        self.growing.extend(returned(region));
        let mut places = Vec::new();
        for leaf in leaves {
            let (ty, span) = match leaf {
                Leaf::Val(v) => (self.body.val(*v).ty.clone(), self.body.val(*v).span),
                Leaf::Place(p) => (self.body.place(*p).ty.clone(), self.body.place(*p).span),
            };
            let place = self
                .body
                .new_place(ty.clone(), "result", PlaceKind::Local, span);
            let init = match &ty {
                Type::Array(..) | Type::Struct(_) => Init::Zero,
                Type::Vec(_) => {
                    self.growing.insert(place);
                    if ty.is_structs() {
                        Init::ZeroLen(self.int(0, &mut head))
                    } else {
                        let zero = self.zero_of(&ty.leaf().clone(), &mut head);
                        Init::VecFill(zero, self.int(0, &mut head))
                    }
                }
                ty => Init::Scalar(self.zero_of(ty, &mut head)),
            };
            head.push(Stmt::Declare(place, init));
            places.push(place);
        }
        own.extend(&places);
        self.returned = Some(places.clone());
        let body = self.region(&region.stmts, &region.exit, &[], None);
        self.declare_exit(&mut head);
        head.extend(body.stmts);
        let mut result = Vec::new();
        for place in places {
            let ty = self.body.place(place).ty.clone();
            if ty.is_scalar() {
                let v = self.body.new_val(ty, Some("result"), Span::call_site());
                head.push(Stmt::Load(v, Place::from(place)));
                result.push(Leaf::Val(v));
            } else {
                result.push(Leaf::Place(place));
            }
        }
        self.keep_last_lens_of(own, &mut head);
        Region {
            stmts: head,
            exit: Exit::Return(result),
        }
    }

    /// A region with yields alone. `want`: types of what it must yield, also where it leaves.
    fn region(
        &mut self,
        stmts: &[Stmt],
        exit: &Exit,
        want: &[Type],
        before: Option<Vec<Stmt>>,
    ) -> Region {
        let mut out = before.unwrap_or_default();
        for (i, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[i + 1..];
            let nothing_left = rest.is_empty() && matches!(exit, Exit::Yield(vs) if vs.is_empty());
            if !self.escapes_of(stmt).any || nothing_left {
                self.stmt(stmt, &mut out);
                continue;
            }
            let yields = self.leave_or_go_on(stmt, rest, exit, want, &mut out);
            self.keep_last_lens(&mut out);
            return Region {
                stmts: out,
                exit: Exit::Yield(yields),
            };
        }
        let yields = match exit {
            Exit::Yield(vs) => vs.clone(),
            Exit::Break(label) => {
                let code = self.find(label).code + i128::from(seeded!(BreakContinues));
                self.set_exit(code, &mut out);
                self.zeros(want, &mut out)
            }
            Exit::Continue(label) => {
                let code = self.find(label).code + 1;
                self.set_exit(code, &mut out);
                self.zeros(want, &mut out)
            }
            Exit::Return(leaves) => {
                let mut places = self.returned.clone().unwrap_or_default();
                if seeded!(ResultNotKept) {
                    places.clear();
                }
                for (place, leaf) in places.into_iter().zip(leaves) {
                    let dst = Place::from(place);
                    out.push(match leaf {
                        Leaf::Val(v) => Stmt::Store(dst, *v),
                        Leaf::Place(p) if self.body.has_lengths(&self.body.place(*p).ty) => {
                            Stmt::Storage(Storage::Swap(dst, (*p).into()))
                        }
                        Leaf::Place(p) => Stmt::CopyPlace {
                            dst,
                            src: Place::from(*p),
                        },
                    });
                }
                self.set_exit(RETURN, &mut out);
                self.zeros(want, &mut out)
            }
        };
        self.keep_last_lens(&mut out);
        Region {
            stmts: out,
            exit: Exit::Yield(yields),
        }
    }

    /// `stmt` may leave; `rest` and `exit` follow it. Returns what the region yields.
    fn leave_or_go_on(
        &mut self,
        stmt: &Stmt,
        rest: &[Stmt],
        exit: &Exit,
        want: &[Type],
        out: &mut Vec<Stmt>,
    ) -> Vec<Val> {
        if let Stmt::If {
            cond,
            then,
            els,
            results,
        } = stmt
        {
            let leaves = |r: &Region| !matches!(r.exit, Exit::Yield(_));
            if leaves(then) != leaves(els) {
                // if c { ..; leave } else { e } rest   =>   if c { ..; leave } else { e; rest }
                let go_on = if leaves(then) { els } else { then };
                let Exit::Yield(ys) = &go_on.exit else {
                    unreachable!("structure: the arm yields")
                };
                let mut stmts = go_on.stmts.clone();
                stmts.extend(
                    results
                        .iter()
                        .zip(ys)
                        .map(|(r, y)| Stmt::Let(*r, Op::Copy(*y))),
                );
                stmts.extend_from_slice(rest);
                let on = self.region(&stmts, exit, want, None);
                let off = if leaves(then) { then } else { els };
                let off = self.region(&off.stmts, &off.exit, want, None);
                let fresh = self.fresh(want);
                let (then, els) = if leaves(then) { (off, on) } else { (on, off) };
                out.push(Stmt::If {
                    cond: *cond,
                    then,
                    els,
                    results: fresh.clone(),
                });
                return fresh;
            }
        }
        // s; rest   =>   s; if exit == 0 { rest }
        self.stmt(stmt, out);
        let on = self.region(rest, exit, want, None);
        let mut zeros = Vec::new();
        let dummies = self.zeros(want, &mut zeros);
        let cond = if seeded!(RestRuns) {
            let always = self.body.new_val(Type::Bool, None, Span::call_site());
            out.push(Stmt::Let(always, Op::Lit(Lit::Bool(true))));
            always
        } else {
            self.exit_is(0, out)
        };
        let fresh = self.fresh(want);
        out.push(Stmt::If {
            cond,
            then: on,
            els: Region {
                stmts: zeros,
                exit: Exit::Yield(dummies),
            },
            results: fresh.clone(),
        });
        fresh
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Declare(place, init) => {
                out.push(stmt.clone());
                let known = match init {
                    Init::VecFill(_, n) => Some(*n),
                    _ => None,
                };
                self.keep_len(*place, known, out);
            }
            Stmt::Call(call) => {
                self.calls += 1;
                let keep = call
                    .args
                    .iter()
                    .map(|arg| match arg {
                        Arg::Ref(place) => {
                            let root = self.root(place.root);
                            !matches!(self.body.place(root).kind, PlaceKind::SharedParam(_))
                                && !matches!(self.body.place(root).ty, Type::Opaque(_))
                                && !seeded!(ArgumentNotKept)
                        }
                        // integers by value are handed over once more
                        Arg::Place(place) => {
                            let ty = self.body.type_at(place);
                            matches!(ty.as_ref().map(Type::leaf), Some(Type::Int(_) | Type::Bool))
                        }
                        // the callee's parameter may be behind `&` all the same
                        Arg::Mut(place) => {
                            let ty = self.body.type_at(place);
                            ty.is_some_and(|t| t.has_floats() && !t.is_scalar())
                        }
                        Arg::Verbatim { .. } => arg.integer_lists(&self.body).any(|(_, place)| {
                            let root = self.root(place);
                            !matches!(self.body.place(root).kind, PlaceKind::SharedParam(_))
                        }),
                        Arg::Value(_) => false,
                    })
                    .map(|keep| if keep { Keep::Counted } else { Keep::No })
                    .collect();
                out.push(Stmt::AugmentedCall(crate::ir::AugmentedCall {
                    call: call.clone(),
                    record: self.calls - 1,
                    keep,
                }));
                for leaf in call.result.leaves() {
                    if let Leaf::Place(p) = leaf {
                        self.keep_len(*p, None, out);
                    }
                }
            }
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => {
                let want: Vec<Type> = results
                    .iter()
                    .map(|v| self.body.val(*v).ty.clone())
                    .collect();
                let then = self.region(&then.stmts, &then.exit, &want, None);
                let els = self.region(&els.stmts, &els.exit, &want, None);
                out.push(Stmt::If {
                    cond: *cond,
                    then,
                    els,
                    results: results.clone(),
                });
            }
            Stmt::For(f) => self.for_loop(f, out),
            Stmt::Block { label, body } => self.block(label, body, out),
            Stmt::While {
                label, cond, body, ..
            } => {
                self.while_loop(label, None, body, cond, None, out);
            }
            Stmt::Let(..)
            | Stmt::Load(..)
            | Stmt::Store(..)
            | Stmt::Accumulate { .. }
            | Stmt::View { .. }
            | Stmt::CopyPlace { .. }
            | Stmt::Record(..)
            | Stmt::Tape(_)
            | Stmt::First(_)
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_)
            | Stmt::Effect(_)
            | Stmt::Storage(_)
            | Stmt::TangentCall(_)
            | Stmt::AugmentedCall(_)
            | Stmt::ReverseCall(_) => out.push(stmt.clone()),
        }
    }

    /// 'a: { s; break 'a; .. } rest   =>   s; code = 'a; .. if code == 'a { code = 0 } rest
    fn block(&mut self, label: &str, body: &Region, out: &mut Vec<Stmt>) {
        let label = label.to_owned();
        let around = Around {
            label: Some(&label),
            is_loop: false,
        };
        let escapes = self.loop_escapes(body, around);
        let code = self.enter(Some(label), false);
        let region = self.region(&body.stmts, &body.exit, &[], None);
        self.loops.pop();
        out.extend(region.stmts);
        if escapes.stop {
            self.reset_exit(code, escapes.outer, out);
        }
    }

    fn for_loop(&mut self, f: &For, out: &mut Vec<Stmt>) {
        let n = self
            .body
            .new_val(Type::usize(), Some("trips"), Span::call_site());
        out.push(Stmt::Let(
            n,
            Op::Trips {
                lo: f.lo,
                hi: f.hi,
                inclusive: f.inclusive,
            },
        ));
        let induction = |trip| Op::Induction {
            lo: f.lo,
            hi: f.hi,
            inclusive: f.inclusive,
            reversed: f.reversed,
            trip,
        };
        let escapes = self.loop_escapes(&f.body, around_loop(&f.label));
        if escapes.stop {
            self.while_loop(
                &f.label,
                Some(n),
                &f.body,
                &Region::default(),
                Some(&|t| Stmt::Let(f.iv, induction(t))),
                out,
            );
            return;
        }
        let trip = self
            .body
            .new_val(Type::usize(), Some("trip"), Span::call_site());
        let lo = self.int(0, out);
        self.enter(f.label.clone(), true);
        let mut body = self.region(
            &f.body.stmts,
            &f.body.exit,
            &[],
            Some(vec![Stmt::Let(f.iv, induction(trip))]),
        );
        if escapes.again {
            self.set_exit(0, &mut body.stmts);
        }
        self.loops.pop();
        out.push(Stmt::For(For {
            label: None,
            iv: trip,
            lo,
            hi: n,
            inclusive: false,
            reversed: false,
            body,
            frame: Frame::default(),
            overlapping: false,
        }));
    }

    /// A loop that counts its trips: of a `while` (`cond`), or of a `for` of at most `n` trips that may stop.
    fn while_loop(
        &mut self,
        label: &Option<String>,
        n: Option<Val>,
        body: &Region,
        cond: &Region,
        first: Option<&dyn Fn(Val) -> Stmt>,
        out: &mut Vec<Stmt>,
    ) {
        let escapes = self.loop_escapes(body, around_loop(label));
        let trip = self
            .body
            .new_val(Type::usize(), Some("trip"), Span::call_site());
        let trips = self
            .body
            .new_val(Type::usize(), Some("trips"), Span::call_site());
        let mut go_on = match n {
            Some(n) => {
                let c = self.body.new_val(Type::Bool, None, Span::call_site());
                Region {
                    stmts: vec![Stmt::Let(c, Op::Cmp(CmpOp::Lt, trip, n))],
                    exit: Exit::Yield(vec![c]),
                }
            }
            None => self.region(&cond.stmts, &cond.exit, &[Type::Bool], None),
        };
        if escapes.stop {
            let mut stmts = Vec::new();
            let open = self.exit_is(0, &mut stmts);
            let no = self.body.new_val(Type::Bool, None, Span::call_site());
            let result = self.body.new_val(Type::Bool, None, Span::call_site());
            let els = Region {
                stmts: vec![Stmt::Let(no, Op::Lit(Lit::Bool(false)))],
                exit: Exit::Yield(vec![no]),
            };
            stmts.push(Stmt::If {
                cond: open,
                then: go_on,
                els,
                results: vec![result],
            });
            go_on = Region {
                stmts,
                exit: Exit::Yield(vec![result]),
            };
        }
        let code = self.enter(label.clone(), true);
        let mut region = self.region(&body.stmts, &body.exit, &[], first.map(|f| vec![f(trip)]));
        self.loops.pop();
        if escapes.again {
            self.reset_exit(code + 1, escapes.stop, &mut region.stmts);
        }
        out.push(Stmt::While {
            label: None,
            cond: go_on,
            body: region,
            trip: Some(trip),
            trips: Some(trips),
            frame: Frame::default(),
        });
        if escapes.stop {
            self.reset_exit(code, escapes.outer, out);
        }
    }
}
