//! Runs a body on plain numbers: slow, for tests of lowering and of the transforms.
//!
//! What a body calls and the passive code that it carries are given by a [`Host`].

mod frame;
mod memory;
mod op;
mod text;

pub use frame::Record;
pub use memory::Data;

use super::{
    Arg, Body, Exit, For, Init, Leaf, Place, PlaceId, PlaceKind, Region, Stmt, Tree, Type, Val,
};
use memory::{At, Memory};

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Float(f64),
    Int(i128),
    Bool(bool),
}

/// Why a run ended without a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Trap {
    /// The program panics here.
    Panic(String),
    /// The evaluator or its host cannot do this.
    Unknown(String),
}

/// What the evaluator cannot know.
pub trait Host {
    /// A call: arguments behind `&mut` are changed in place, the leaves of the result are returned.
    fn call(&mut self, callee: &str, args: &mut [Data]) -> Result<Vec<Data>, Trap>;

    /// Passive code, by its text without blanks.
    fn verbatim(&mut self, text: &str, operands: &[(String, Value)]) -> Option<Value> {
        let _ = (text, operands);
        None
    }

    /// Partial derivative of an elementary function; operands that it does not read are NaN.
    fn partial(&mut self, name: &str, argument: usize, operands: &[f64]) -> Option<f64> {
        let _ = (name, argument, operands);
        None
    }

    /// A call of the augmented forward sweep: as [`Host::call`], with what the reverse sweep needs.
    fn augmented(&mut self, callee: &str, args: &mut [Data]) -> Result<(Vec<Data>, Record), Trap> {
        let _ = args;
        Err(Trap::Unknown(format!("augmented call of {callee}")))
    }

    /// A call of the reverse sweep: `adjoints` of the arguments are changed in place, `None` where
    /// there is none; `result` are the adjoints of the result's leaves.
    fn reverse(
        &mut self,
        callee: &str,
        args: &[Option<Data>],
        adjoints: &mut [Option<Data>],
        result: &[Option<Data>],
        record: &Record,
    ) -> Result<(), Trap> {
        let _ = (args, adjoints, result, record);
        Err(Trap::Unknown(format!("reverse call of {callee}")))
    }
}

/// A host for bodies that call nothing.
#[derive(Debug)]
pub struct Nobody;

impl Host for Nobody {
    fn call(&mut self, callee: &str, _: &mut [Data]) -> Result<Vec<Data>, Trap> {
        Err(Trap::Unknown(format!("call of {callee}")))
    }
}

/// Runs a body. `args` are the parameters in order; those behind `&mut` are changed in place.
pub fn run(body: &Body, args: &mut [Data], host: &mut dyn Host) -> Result<Vec<Data>, Trap> {
    let mut m = Machine::new(body, args, host)?;
    let result = m.function(&body.region)?;
    m.write_back(args);
    Ok(result)
}

/// Runs a function's augmented forward sweep: as [`run`], with the record.
pub fn run_augmented(
    body: &Body,
    args: &mut [Data],
    host: &mut dyn Host,
) -> Result<(Vec<Data>, Record), Trap> {
    let mut m = Machine::new(body, args, host)?;
    let result = m.function(&body.region)?;
    m.write_back(args);
    let record = std::mem::take(&mut m.records[0]);
    Ok((result, record))
}

/// Runs a function's reverse sweep. `adjoints` are those of the parameters, changed in place
/// (`None` where there is none); `result` are the adjoints of the result's leaves.
pub fn run_reverse(
    body: &Body,
    args: &mut [Data],
    adjoints: &mut [Option<Data>],
    result: &[Option<Data>],
    record: &Record,
    host: &mut dyn Host,
) -> Result<(), Trap> {
    let mut m = Machine::new(body, args, host)?;
    m.records[0] = record.clone();
    m.is_reverse = true;
    m.bind_slots(adjoints, result);
    m.run_region(&body.region)?;
    m.read_slots(adjoints);
    Ok(())
}

/// How a region was left.
enum Flow {
    Yield(Vec<Val>),
    Break(Option<String>),
    Continue(Option<String>),
    Return(Vec<Data>),
}

struct Machine<'a> {
    body: &'a Body,
    host: &'a mut dyn Host,
    vals: Vec<Option<Value>>,
    memory: Memory,
    params: Vec<Data>,
    seeds: Vec<Option<Data>>,
    /// Frames of the regions being run, that of the function first.
    records: Vec<Record>,
    /// Records of the trips of the loops being run.
    trips: Vec<Vec<Record>>,
    is_reverse: bool,
}

impl<'a> Machine<'a> {
    fn new(body: &'a Body, args: &[Data], host: &'a mut dyn Host) -> Result<Machine<'a>, Trap> {
        let mut memory = Memory::new(body.places.len());
        for (k, info) in body.places.iter().enumerate() {
            match info.kind {
                PlaceKind::SharedParam(n) | PlaceKind::MutParam(n) | PlaceKind::ValueParam(n) => {
                    let data = args
                        .get(n)
                        .ok_or_else(|| Trap::Unknown(format!("argument {n} is missing")))?;
                    memory.own(k, data.clone());
                }
                PlaceKind::Local
                | PlaceKind::View
                | PlaceKind::Slot(_)
                | PlaceKind::ResultSlot(_) => {}
            }
        }
        Ok(Machine {
            body,
            host,
            vals: vec![None; body.vals.len()],
            memory,
            params: args.to_vec(),
            seeds: Vec::new(),
            records: vec![Record::default()],
            trips: Vec::new(),
            is_reverse: false,
        })
    }

    fn write_back(&self, args: &mut [Data]) {
        for (k, info) in self.body.places.iter().enumerate() {
            if let PlaceKind::MutParam(n) = info.kind {
                args[n] = self.memory.whole(k).clone();
            }
        }
    }

    fn bind_slots(&mut self, adjoints: &[Option<Data>], result: &[Option<Data>]) {
        for (k, info) in self.body.places.iter().enumerate() {
            let data = match info.kind {
                PlaceKind::Slot(n) => adjoints.get(n).cloned().flatten(),
                PlaceKind::ResultSlot(n) => result.get(n).cloned().flatten(),
                PlaceKind::SharedParam(_)
                | PlaceKind::MutParam(_)
                | PlaceKind::ValueParam(_)
                | PlaceKind::Local
                | PlaceKind::View => None,
            };
            if let Some(data) = data {
                self.memory.own(k, data);
            }
        }
        self.seeds = result.to_vec();
    }

    fn read_slots(&self, adjoints: &mut [Option<Data>]) {
        for (k, info) in self.body.places.iter().enumerate() {
            if let PlaceKind::Slot(n) = info.kind
                && adjoints[n].is_some()
            {
                adjoints[n] = Some(self.memory.whole(k).clone());
            }
        }
    }

    fn function(&mut self, region: &Region) -> Result<Vec<Data>, Trap> {
        match self.run_region(region)? {
            Flow::Return(leaves) => Ok(leaves),
            Flow::Yield(_) => Ok(Vec::new()),
            Flow::Break(_) | Flow::Continue(_) => {
                Err(Trap::Unknown("exit of a loop outside of it".to_owned()))
            }
        }
    }

    fn run_region(&mut self, region: &Region) -> Result<Flow, Trap> {
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
            Stmt::TangentCall(_) => return Err(Trap::Unknown("tangent call".to_owned())),
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

    fn reverse_call(&mut self, r: &super::ReverseCall) -> Result<(), Trap> {
        let (record, kept) = self.record().call(r.record)?;
        let args: Vec<Option<Data>> = kept.into_iter().map(Some).collect();
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
        for k in 0..n {
            let trip = if f.reversed { n - 1 - k } else { k };
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

    fn while_loop(
        &mut self,
        label: &Option<String>,
        cond: &Region,
        body: &Region,
        trip: Option<Val>,
        trips: Option<Val>,
        frame: &super::Frame,
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

    // ---- calls ----

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

    // ---- places ----

    fn at(&self, place: &Place) -> Result<At, Trap> {
        self.memory.resolve(place, &|v| self.int(v))
    }

    fn read(&self, place: &Place) -> Result<Data, Trap> {
        let at = self.at(place)?;
        self.memory.read(&at)
    }

    fn load(&self, place: &Place) -> Result<Value, Trap> {
        match self.read(place)? {
            Data::Scalar(v) => Ok(v),
            Data::Seq(_) | Data::Struct(_) | Data::Nothing => {
                Err(Trap::Unknown("load of no scalar".to_owned()))
            }
        }
    }

    fn store(&mut self, place: &Place, value: Value) -> Result<(), Trap> {
        let at = self.at(place)?;
        self.memory.copy(&at, Data::Scalar(value))
    }

    fn init(&mut self, p: PlaceId, init: &Init) -> Result<Data, Trap> {
        let ty = self.body.place(p).ty.clone();
        Ok(match init {
            Init::None => self.filled(&ty, &Data::Nothing)?,
            Init::Scalar(v) => Data::Scalar(self.get(*v)?),
            Init::ArrayFill(v) => {
                let leaf = Data::Scalar(self.get(*v)?);
                self.filled(&ty, &leaf)?
            }
            Init::VecFill(v, n) => {
                let leaf = Data::Scalar(self.get(*v)?);
                let elem = ty.element().cloned().unwrap_or(Type::Float);
                let row = self.filled(&elem, &leaf)?;
                Data::Seq(vec![row; usize::try_from(self.int(*n)?).unwrap_or(0)])
            }
            Init::List(vals) => {
                let mut leaves = Vec::new();
                for v in vals {
                    leaves.push(Data::Scalar(self.get(*v)?));
                }
                self.shaped(&ty, &mut leaves.into_iter())?
            }
            Init::CopyOf(place) => self.read(place)?,
            Init::MoveOf(from) => self.memory.whole(from.0 as usize).clone(),
            Init::ZeroLike(place) => self.read(place)?.zeroed(),
            Init::ZeroLen(n) => Data::Seq(vec![
                Data::Scalar(Value::Float(0.0));
                usize::try_from(self.int(*n)?).unwrap_or(0)
            ]),
            Init::Zero => self.filled(&ty, &Data::Scalar(Value::Float(0.0)))?,
        })
    }

    /// Storage of a type, with one leaf everywhere.
    fn filled(&mut self, ty: &Type, leaf: &Data) -> Result<Data, Trap> {
        match ty {
            Type::Array(elem, n) => {
                let n = self.length(n)?;
                let row = self.filled(elem, leaf)?;
                Ok(Data::Seq(vec![row; n]))
            }
            Type::Float | Type::Lane | Type::Int(_) | Type::Bool => Ok(leaf.clone()),
            Type::Slice(_) | Type::Vec(_) | Type::Struct(_) | Type::Opaque(_) => Ok(Data::Nothing),
        }
    }

    /// Leaves in row-major order as storage of a type.
    fn shaped(
        &mut self,
        ty: &Type,
        leaves: &mut dyn ExactSizeIterator<Item = Data>,
    ) -> Result<Data, Trap> {
        match ty {
            Type::Array(elem, n) => {
                let n = self.length(n)?;
                (0..n)
                    .map(|_| self.shaped(elem, leaves))
                    .collect::<Result<_, _>>()
                    .map(Data::Seq)
            }
            Type::Vec(elem) | Type::Slice(elem) => {
                let mut rows = Vec::new();
                while leaves.len() > 0 {
                    rows.push(self.shaped(elem, leaves)?);
                }
                Ok(Data::Seq(rows))
            }
            Type::Float
            | Type::Lane
            | Type::Int(_)
            | Type::Bool
            | Type::Struct(_)
            | Type::Opaque(_) => leaves
                .next()
                .ok_or_else(|| Trap::Unknown("too few elements".to_owned())),
        }
    }

    fn length(&mut self, n: &super::Tokens) -> Result<usize, Trap> {
        match self.code(&text::plain(n), &[], &Type::Int("usize".to_owned()))? {
            Value::Int(n) => usize::try_from(n).map_err(|_| Trap::Unknown("length".to_owned())),
            Value::Float(_) | Value::Bool(_) => Err(Trap::Unknown("length".to_owned())),
        }
    }

    // ---- values ----

    fn set(&mut self, v: Val, value: Value) {
        self.vals[v.0 as usize] = Some(value);
    }

    fn get(&self, v: Val) -> Result<Value, Trap> {
        self.vals[v.0 as usize].ok_or_else(|| Trap::Unknown(format!("%{} has no value", v.0)))
    }

    fn int(&self, v: Val) -> Result<i128, Trap> {
        match self.get(v)? {
            Value::Int(n) => Ok(n),
            Value::Float(_) | Value::Bool(_) => {
                Err(Trap::Unknown(format!("%{} is no integer", v.0)))
            }
        }
    }

    fn bool(&self, v: Val) -> Result<bool, Trap> {
        match self.get(v)? {
            Value::Bool(b) => Ok(b),
            Value::Float(_) | Value::Int(_) => Err(Trap::Unknown(format!("%{} is no bool", v.0))),
        }
    }
}

/// What follows a trip of a loop.
enum Next {
    Trip,
    End,
    Out(Flow),
}
