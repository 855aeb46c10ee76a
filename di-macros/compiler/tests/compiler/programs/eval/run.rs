//! Statements and control flow of the evaluator.

use super::{Data, Flow, Machine, Trap, Value, text};
use di_compiler::ir::{
    Arg, Exit, First, For, Frame, FrameMode, Leaf, ON_TAPE, Region, ReverseCall, Stmt, Storage,
    TangentCall, Tape, Tree, Val,
};
use std::collections::BTreeSet;

impl Machine<'_> {
    pub(super) fn run_region(&mut self, region: &Region) -> Result<Flow, Trap> {
        for stmt in &region.stmts {
            if let Some(flow) = self.stmt(stmt)? {
                return Ok(flow);
            }
        }
        Ok(match &region.exit {
            Exit::Yield(vals) => Flow::Yield(vals.clone()),
            Exit::Break(label) => Flow::Break(label.clone()),
            Exit::Continue(label) => Flow::Continue(label.clone()),
            Exit::Return(leaves) => {
                self.return_tangents(leaves)?;
                let leaves = leaves.iter().map(|l| match l {
                    Leaf::Val(v) => Ok(Data::Scalar(self.get(*v)?)),
                    Leaf::Place(p) => Ok(self.memory.whole(p.0 as usize).clone()),
                });
                Flow::Return(leaves.collect::<Result<_, Trap>>()?)
            }
        })
    }

    /// Runs a statement; says how it leaves its region, if it does.
    fn stmt(&mut self, stmt: &Stmt) -> Result<Option<Flow>, Trap> {
        match stmt {
            Stmt::Let(v, op) => {
                let value = self.op(*v, op)?;
                self.set(*v, value);
            }
            Stmt::Load(v, place) => {
                let value = self.load(place)?;
                self.set(*v, value);
            }
            Stmt::Store(place, v) => {
                let value = self.get(*v)?;
                self.store(place, value)?;
            }
            Stmt::Accumulate { place, negate, val } => {
                let old = self.load(place)?;
                let new = self.accumulate(
                    old,
                    self.get(*val)?,
                    *negate,
                    &self.body.val(*val).ty.clone(),
                )?;
                self.store(place, new)?;
            }
            Stmt::First(First::Fill { slot, keep }) if self.is_fresh => {
                let keep = match keep {
                    Some((lo, hi)) => self.int(*lo)?..self.int(*hi)?,
                    None => 0..0,
                };
                for (k, row) in self.memory.rows(slot.0 as usize)?.iter_mut().enumerate() {
                    if !keep.contains(&(k as i128)) {
                        *row = row.zeroed();
                    }
                }
            }
            Stmt::First(First::Fill { .. }) => {}
            Stmt::First(First::Set { place, negate, val }) => {
                if self.is_fresh {
                    let zero = self.load(place)?;
                    if let Value::Float(_) = zero {
                        self.store(place, Value::Float(0.0))?;
                    }
                }
                return self.stmt(&Stmt::Accumulate {
                    place: place.clone(),
                    negate: *negate,
                    val: *val,
                });
            }
            Stmt::Declare(p, init) => {
                let data = self.init(*p, init)?;
                self.memory.own(p.0 as usize, data);
            }
            Stmt::View { view, of, .. } => {
                let at = self.at(of)?;
                self.memory.alias(view.0 as usize, at);
            }
            Stmt::CopyPlace { dst, src } => {
                let data = self.read(src)?;
                let at = self.at(dst)?;
                self.memory.copy(&at, data)?;
            }
            Stmt::AccumulatePlace { dst, src } => {
                let data = self.read(src)?;
                let at = self.at(dst)?;
                self.memory.add(&at, &data)?;
            }
            Stmt::Zero(place) => {
                let zero = self.read(place)?.zeroed();
                let at = self.at(place)?;
                self.memory.copy(&at, zero)?;
            }
            Stmt::Storage(s) => self.storage(s)?,
            Stmt::Call(call) => {
                let mut args = self.args(&call.args)?;
                let results = self.host.call(&text::plain(&call.callee), &mut args)?;
                self.give_back(&call.args, args)?;
                self.take_results(&call.result.map(&mut |l| Some(l.clone())), results)?;
            }
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => {
                let arm = if self.bool(*cond)? { then } else { els };
                match self.run_region(arm)? {
                    Flow::Yield(vals) => {
                        for (r, v) in results.iter().zip(vals) {
                            let value = self.get(v)?;
                            self.set(*r, value);
                        }
                    }
                    flow @ (Flow::Break(_) | Flow::Continue(_) | Flow::Return(_)) => {
                        return Ok(Some(flow));
                    }
                }
            }
            Stmt::Effect(e) if e.diverges => return Err(Trap::Panic(e.tokens.0.to_string())),
            Stmt::Effect(e) if e.is_on_state() => {
                return Err(Trap::Unknown("code on state".to_owned()));
            }
            Stmt::Effect(_) => {}
            Stmt::Block { label, body } => match self.run_region(body)? {
                Flow::Yield(_) => {}
                Flow::Break(Some(l)) if l == *label => {}
                flow @ (Flow::Break(_) | Flow::Continue(_) | Flow::Return(_)) => {
                    return Ok(Some(flow));
                }
            },
            Stmt::For(f) => return self.for_loop(f),
            Stmt::While {
                label,
                cond,
                body,
                trip,
                trips,
                frame,
            } => {
                return self.while_loop(label, cond, body, *trip, *trips, frame);
            }
            Stmt::Record(slot, v) => {
                let value = self.get(*v)?;
                self.record().put(*slot, value);
            }
            Stmt::TangentCall(t) => self.tangent_call(t)?,
            Stmt::Tape(Tape::Keep { base, place, .. } | Tape::Shape { end: base, place }) => {
                let data = self.memory.whole(place.0 as usize).clone();
                let at = self.record().keep(data);
                self.set(*base, Value::Int(at as i128));
            }
            Stmt::Tape(Tape::Kept { place, base, .. }) => {
                let at = usize::try_from(self.int(*base)?).unwrap_or(usize::MAX);
                let data = self.record().kept(at)?;
                self.memory.own(place.0 as usize, data);
            }
            Stmt::Tape(Tape::Release { .. } | Tape::ReleaseShape { .. }) => {}
            Stmt::AugmentedCall(a) => {
                let mut args = self.args(&a.call.args)?;
                let kept = args.clone();
                let (results, record) = self
                    .host
                    .augmented(&text::plain(&a.call.callee), &mut args)?;
                self.record().put_call(a.record, record, kept);
                self.give_back(&a.call.args, args)?;
                self.take_results(&a.call.result.map(&mut |l| Some(l.clone())), results)?;
            }
            Stmt::ReverseCall(r) => self.reverse_call(r)?,
        }
        Ok(None)
    }

    fn return_tangents(&mut self, leaves: &[Leaf]) -> Result<(), Trap> {
        let Some(of) = self.tangents else {
            return Ok(());
        };
        let tangents = leaves.iter().map(|leaf| match leaf {
            Leaf::Val(v) => match of.vals.get(v) {
                Some(t) => Ok(Some(Data::Scalar(self.get(*t)?))),
                None => Ok(None),
            },
            Leaf::Place(p) => {
                let tangent = of.places.get(p);
                Ok(tangent.map(|t| self.memory.whole(t.0 as usize).clone()))
            }
        });
        self.returned = tangents.collect::<Result<_, Trap>>()?;
        Ok(())
    }

    fn tangent_call(&mut self, t: &TangentCall) -> Result<(), Trap> {
        let mut args = self.args(&t.call.args)?;
        let mut tangents = Vec::new();
        for a in &t.tangents {
            tangents.push(match a {
                Some(a) => Some(self.args(std::slice::from_ref(a))?.remove(0)),
                None => None,
            });
        }
        let (results, returned) =
            self.host
                .tangent(&text::plain(&t.call.callee), &mut args, &mut tangents)?;
        // a leaf that does not depend on the inputs has a zero tangent
        let returned = results.iter().zip(returned);
        let returned = returned.map(|(y, t)| t.unwrap_or_else(|| y.zeroed()));
        let returned = returned.collect();
        self.give_back(&t.call.args, args)?;
        self.take_results(&t.call.result.map(&mut |l| Some(l.clone())), results)?;
        self.take_results(&t.result, returned)?;
        for (a, data) in t.tangents.iter().zip(tangents) {
            if let (Some(Arg::Mut(p)), Some(data)) = (a, data) {
                let at = self.at(p)?;
                self.memory.copy(&at, data)?;
            }
        }
        Ok(())
    }

    fn storage(&mut self, s: &Storage) -> Result<(), Trap> {
        if s.paths().into_iter().any(|p| !p.path.is_empty()) {
            return Err(Trap::Unknown("a field that grows".to_owned()));
        }
        match s {
            Storage::Push(p, v) => {
                let value = Data::Scalar(self.get(*v)?);
                self.memory.rows(p.root.0 as usize)?.push(value);
            }
            Storage::Pop(v, p) => match self.memory.rows(p.root.0 as usize)?.pop() {
                Some(Data::Scalar(value)) => self.set(*v, value),
                Some(Data::Seq(_) | Data::Struct(_) | Data::Nothing) => {
                    return Err(Trap::Unknown("pop of no scalar".to_owned()));
                }
                None => return Err(Trap::Panic("pop of an empty vector".to_owned())),
            },
            Storage::Resize { vec, len, fill, .. } => {
                let leaf = match fill {
                    Some(fill) => Data::Scalar(self.get(*fill)?),
                    None => Data::float(0.0),
                };
                let row = self.row(vec.root, &leaf)?;
                let len = usize::try_from(self.int(*len)?).unwrap_or(0);
                self.memory.rows(vec.root.0 as usize)?.resize(len, row);
            }
            Storage::Swap(a, b) => self.memory.swap(a.root.0 as usize, b.root.0 as usize),
        }
        Ok(())
    }

    fn reverse_call(&mut self, r: &ReverseCall) -> Result<(), Trap> {
        let (record, kept) = self.record().call(r.record)?;
        let mut args: Vec<Option<Data>> = kept.into_iter().map(Some).collect();
        // what the adjoint sweep hands over itself is what counts
        for (k, arg) in r.args.iter().enumerate() {
            if let Some(arg @ Arg::Ref(_)) = arg {
                args[k] = Some(self.args(std::slice::from_ref(arg))?.remove(0));
            }
        }
        let mut adjoints = Vec::new();
        for a in &r.adjoints {
            adjoints.push(match a {
                Some(a) => Some(self.args(std::slice::from_ref(a))?.remove(0)),
                None => None,
            });
        }
        let mut result = Vec::new();
        for leaf in r.result.leaves() {
            result.push(match leaf {
                Some(Leaf::Val(v)) => Some(Data::Scalar(self.get(*v)?)),
                Some(Leaf::Place(p)) => Some(self.memory.whole(p.0 as usize).clone()),
                None => None,
            });
        }
        self.host.reverse(
            &text::plain(&r.call.callee),
            &args,
            &mut adjoints,
            &result,
            &record,
        )?;
        for (a, data) in r.adjoints.iter().zip(adjoints) {
            if let (Some(Arg::Mut(p) | Arg::Ref(p) | Arg::Place(p)), Some(data)) = (a, data) {
                let at = self.at(p)?;
                self.memory.copy(&at, data)?;
            }
        }
        Ok(())
    }

    fn for_loop(&mut self, f: &For) -> Result<Option<Flow>, Trap> {
        let (lo, hi) = (self.int(f.lo)?, self.int(f.hi)?);
        let end = if f.inclusive {
            hi.saturating_add(1)
        } else {
            hi
        };
        let n = usize::try_from((end - lo).max(0)).unwrap_or(usize::MAX);
        self.enter(&f.frame, n);
        // as the code of both sweeps, which operators run
        let in_order = self.is_fresh && self.is_independent(f);
        for k in 0..n {
            // what a callee records is part of the trip's record: nothing is between trips
            let downwards = f.reversed && !f.frame.commutes && !in_order;
            let trip = if downwards { n - 1 - k } else { k };
            self.set(f.iv, Value::Int(lo + trip as i128));
            self.enter_trip(&f.frame, trip);
            let flow = self.run_region(&f.body);
            self.leave_trip(&f.frame, trip);
            match self.after_trip(flow?, &f.label) {
                Next::Trip => {}
                Next::End => break,
                Next::Out(flow) => {
                    self.exit(&f.frame);
                    return Ok(Some(flow));
                }
            }
        }
        self.exit(&f.frame);
        Ok(None)
    }

    fn is_independent(&mut self, f: &For) -> bool {
        // what is recorded inside is part of the frame around a loop without one: it has an order
        let apart = f.frame.mode != FrameMode::None || !records(&f.body);
        let mut renewals = f.frame.renewals.iter();
        f.frame.independent
            && apart
            && renewals.all(|r| {
                let callee = text::plain(&r.callee);
                let varying = r.varying | 1 << 63;
                self.host.renews(&callee, r.argument, varying)
            })
    }

    fn while_loop(
        &mut self,
        label: &Option<String>,
        cond: &Region,
        body: &Region,
        trip: Option<Val>,
        trips: Option<Val>,
        frame: &Frame,
    ) -> Result<Option<Flow>, Trap> {
        self.enter(frame, 0);
        let mut begun = 0usize;
        loop {
            if let Some(v) = trip {
                self.set(v, Value::Int(begun as i128));
            }
            let go = match self.run_region(cond)? {
                Flow::Yield(vals) => self.bool(vals[0])?,
                Flow::Break(_) | Flow::Continue(_) | Flow::Return(_) => {
                    return Err(Trap::Unknown("exit in a condition".to_owned()));
                }
            };
            if !go {
                break;
            }
            if begun > 10_000_000 {
                return Err(Trap::Unknown("too many trips".to_owned()));
            }
            self.enter_trip(frame, begun);
            let flow = self.run_region(body);
            self.leave_trip(frame, begun);
            begun += 1;
            match self.after_trip(flow?, label) {
                Next::Trip => {}
                Next::End => break,
                Next::Out(flow) => {
                    self.exit(frame);
                    return Ok(Some(flow));
                }
            }
        }
        if let Some(v) = trips {
            self.set(v, Value::Int(begun as i128));
        }
        self.exit(frame);
        Ok(None)
    }

    fn after_trip(&self, flow: Flow, label: &Option<String>) -> Next {
        let mine = |l: &Option<String>| l.is_none() || l == label;
        match flow {
            Flow::Yield(_) => Next::Trip,
            Flow::Continue(l) if mine(&l) => Next::Trip,
            Flow::Break(l) if mine(&l) => Next::End,
            flow @ (Flow::Break(_) | Flow::Continue(_) | Flow::Return(_)) => Next::Out(flow),
        }
    }

    fn args(&mut self, args: &[Arg]) -> Result<Vec<Data>, Trap> {
        args.iter()
            .map(|a| match a {
                Arg::Value(v) => Ok(Data::Scalar(self.get(*v)?)),
                Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => self.read(p),
                Arg::Verbatim { .. } => Ok(Data::Nothing),
            })
            .collect()
    }

    fn give_back(&mut self, args: &[Arg], data: Vec<Data>) -> Result<(), Trap> {
        for (a, data) in args.iter().zip(data) {
            if let Arg::Mut(p) = a {
                let at = self.at(p)?;
                self.memory.copy(&at, data)?;
            }
        }
        Ok(())
    }

    fn take_results(&mut self, tree: &Tree<Option<Leaf>>, results: Vec<Data>) -> Result<(), Trap> {
        for (leaf, data) in tree.leaves().into_iter().zip(results) {
            match (leaf, data) {
                (Some(Leaf::Val(v)), Data::Scalar(value)) => self.set(*v, value),
                (Some(Leaf::Place(p)), data) => self.memory.own(p.0 as usize, data),
                (None, _) => {}
                (Some(Leaf::Val(_)), Data::Seq(_) | Data::Struct(_) | Data::Nothing) => {
                    return Err(Trap::Unknown("a scalar was to be returned".to_owned()));
                }
            }
        }
        Ok(())
    }
}

/// Slots that the code fills itself where operators hand in fresh ones.
pub(super) fn filled(region: &Region) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for stmt in &region.stmts {
        if let Stmt::First(First::Fill { slot, .. }) = stmt {
            found.insert(slot.0 as usize);
        }
        for inner in stmt.clone().regions_mut() {
            found.append(&mut filled(inner));
        }
    }
    found
}

/// What follows a trip of a loop.
enum Next {
    Trip,
    End,
    Out(Flow),
}

/// Whether something in a region leaves its record in the frame around it.
fn records(region: &Region) -> bool {
    region.stmts.iter().any(|stmt| match stmt {
        Stmt::For(f) => f.frame.mode != FrameMode::None || records(&f.body),
        Stmt::If { then, els, .. } => records(then) || records(els),
        Stmt::ReverseCall(r) => r.record == ON_TAPE,
        _ => false,
    })
}
