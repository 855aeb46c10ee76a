//! Runs a body on plain numbers: slow, for tests of lowering and of the transforms.
//!
//! What a body calls and the passive code that it carries are given by a [`Host`].

mod frame;
mod memory;
mod op;
mod place;
mod run;
mod text;

pub(crate) use frame::Record;
pub(crate) use memory::Data;

use di_compiler::Tangents;
use di_compiler::ir::{Body, Mode, PlaceKind, Region, Val};
use memory::Memory;

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Float(f64),
    Int(i128),
    Bool(bool),
}

/// Why a run ended without a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trap {
    /// The program panics here.
    Panic(String),
    /// The evaluator or its host cannot do this.
    Unknown(String),
}

/// What the evaluator cannot know.
pub(crate) trait Host {
    /// A call: arguments behind `&mut` are changed in place, the leaves of the result are returned.
    fn call(&mut self, callee: &str, args: &mut [Data]) -> Result<Vec<Data>, Trap>;

    /// Passive code, by its text without blanks.
    fn verbatim(&mut self, text: &str, operands: &[(String, Value)]) -> Option<Value> {
        let _ = (text, operands);
        None
    }

    /// A struct of this type with zeros for its numbers, whatever it is for: itself, tangents, adjoints.
    fn zero(&mut self, of: &str) -> Option<Data> {
        let _ = of;
        None
    }

    /// Partial derivative of an elementary function; operands that it does not read are NaN.
    fn partial(&mut self, name: &str, argument: usize, operands: &[f64]) -> Option<f64> {
        let _ = (name, argument, operands);
        None
    }

    /// A call of the augmented forward sweep: as [`Host::call`], with what the reverse sweep needs.
    /// Whether a callee renews an argument, whatever the arguments with these bits are.
    fn renews(&mut self, callee: &str, argument: usize, varying: u64) -> bool {
        let _ = (callee, argument, varying);
        false
    }

    fn augmented(&mut self, callee: &str, args: &mut [Data]) -> Result<(Vec<Data>, Record), Trap> {
        let _ = args;
        Err(Trap::Unknown(format!("augmented call of {callee}")))
    }

    /// A call of tangent code: `tangents` of the arguments are changed in place, `None` where there is
    /// none; returns the leaves of the result and their tangents.
    fn tangent(
        &mut self,
        callee: &str,
        args: &mut [Data],
        tangents: &mut [Option<Data>],
    ) -> Result<WithTangents, Trap> {
        let _ = (args, tangents);
        Err(Trap::Unknown(format!("tangent call of {callee}")))
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

/// Leaves of a result, and the tangents of those that have one.
pub(crate) type WithTangents = (Vec<Data>, Vec<Option<Data>>);

/// Runs a body. `args` are the parameters in order; those behind `&mut` are changed in place.
pub(crate) fn run(body: &Body, args: &mut [Data], host: &mut dyn Host) -> Result<Vec<Data>, Trap> {
    let mut m = Machine::new(body, args, host)?;
    let result = m.function(&body.region)?;
    m.write_back(args);
    Ok(result)
}

/// Runs a function's augmented forward sweep: as [`run`], with the record.
pub(crate) fn run_augmented(
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

/// Runs tangent code: as [`run`], with the `tangents` of the parameters, those behind `&mut` changed in place.
pub(crate) fn run_tangent(
    body: &Body,
    of: &Tangents,
    args: &mut [Data],
    tangents: &mut [Option<Data>],
    host: &mut dyn Host,
) -> Result<WithTangents, Trap> {
    let mut m = Machine::new(body, args, host)?;
    m.tangents = Some(of);
    m.bind_slots(tangents, &[]);
    let result = m.function(&body.region)?;
    m.write_back(args);
    m.read_slots(tangents);
    Ok((result, m.returned))
}

/// Runs a function's reverse sweep. `adjoints` are those of the parameters, changed in place
/// (`None` where there is none); `result` are the adjoints of the result's leaves.
pub(crate) fn run_reverse(
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

/// As [`run_reverse`], with slots of parameters behind `&` and by value as operators hand them in: what is in
/// `adjoints` is no matter.
pub(crate) fn run_reverse_fresh(
    body: &Body,
    args: &mut [Data],
    adjoints: &mut [Option<Data>],
    result: &[Option<Data>],
    record: &Record,
    host: &mut dyn Host,
) -> Result<(), Trap> {
    let filled = run::filled(&body.region);
    let by_body = |n| {
        let mut slots = filled.iter();
        slots.any(|k| body.places[*k].kind == PlaceKind::Slot(n))
    };
    for (n, adjoint) in adjoints.iter_mut().enumerate() {
        if body.params[n].mode != Mode::Mut && !by_body(n) {
            *adjoint = adjoint.as_ref().map(Data::zeroed);
        }
    }
    let mut m = Machine::new(body, args, host)?;
    m.records[0] = record.clone();
    m.is_reverse = true;
    m.is_fresh = true;
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
    /// Slots of parameters may hold anything.
    is_fresh: bool,
    /// Tangent code: where tangents are, and those of what was returned.
    tangents: Option<&'a Tangents>,
    returned: Vec<Option<Data>>,
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
                | PlaceKind::State
                | PlaceKind::View
                | PlaceKind::Row
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
            is_fresh: false,
            tangents: None,
            returned: Vec::new(),
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
                | PlaceKind::State
                | PlaceKind::View
                | PlaceKind::Row => None,
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
