//! Storage of the evaluator: each place owns a tree of scalars or is a path into another's.

use super::{Trap, Value};
use di_compiler::ir::{Place, Proj, Val};
use std::collections::BTreeMap;

/// Content of a place, an argument or a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    Scalar(Value),
    /// An array, slice or vector.
    Seq(Vec<Data>),
    Struct(BTreeMap<String, Data>),
    /// No value yet, or one that the evaluator does not look into.
    Nothing,
}

impl From<Vec<Data>> for Data {
    fn from(rows: Vec<Data>) -> Data {
        Data::Seq(rows)
    }
}

impl Data {
    /// A float.
    pub(crate) fn float(x: f64) -> Data {
        Data::Scalar(Value::Float(x))
    }

    /// All scalars in row-major order.
    pub(crate) fn scalars(&self) -> Vec<Value> {
        match self {
            Data::Scalar(v) => vec![*v],
            Data::Seq(rows) => rows.iter().flat_map(Data::scalars).collect(),
            Data::Struct(fields) => fields.values().flat_map(Data::scalars).collect(),
            Data::Nothing => Vec::new(),
        }
    }

    /// The same shape, with zeros for floats.
    pub(super) fn zeroed(&self) -> Data {
        match self {
            Data::Scalar(Value::Float(_)) => Data::float(0.0),
            Data::Scalar(v @ (Value::Int(_) | Value::Bool(_))) => Data::Scalar(*v),
            Data::Seq(rows) => Data::Seq(rows.iter().map(Data::zeroed).collect()),
            Data::Struct(fields) => Data::Struct(
                fields
                    .iter()
                    .map(|(k, v)| (k.clone(), v.zeroed()))
                    .collect(),
            ),
            Data::Nothing => Data::float(0.0),
        }
    }
}

/// A resolved path: owner, steps, and a range at the end.
#[derive(Clone, Debug)]
pub(super) struct At {
    owner: usize,
    steps: Vec<Step>,
    range: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
enum Step {
    Index(usize),
    Field(String),
}

enum Slot {
    Empty,
    Own(Data),
    Alias(At),
}

pub(super) struct Memory {
    slots: Vec<Slot>,
}

impl Memory {
    pub(super) fn new(places: usize) -> Memory {
        Memory {
            slots: (0..places).map(|_| Slot::Empty).collect(),
        }
    }

    pub(super) fn own(&mut self, place: usize, data: Data) {
        self.slots[place] = Slot::Own(data);
    }

    pub(super) fn alias(&mut self, place: usize, at: At) {
        self.slots[place] = Slot::Alias(at);
    }

    /// Content of a place that owns its storage.
    pub(super) fn whole(&self, place: usize) -> &Data {
        match &self.slots[place] {
            Slot::Own(data) => data,
            Slot::Empty | Slot::Alias(_) => &Data::Nothing,
        }
    }

    /// The elements of a vector that owns its storage.
    pub(super) fn rows(&mut self, place: usize) -> Result<&mut Vec<Data>, Trap> {
        match &mut self.slots[place] {
            Slot::Own(Data::Seq(rows)) => Ok(rows),
            Slot::Own(_) | Slot::Empty | Slot::Alias(_) => {
                Err(Trap::Unknown(format!("@{place} is no vector")))
            }
        }
    }

    /// Two places exchange their contents.
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.slots.swap(a, b);
    }

    /// Follows a path; bounds are checked as Rust does.
    pub(super) fn resolve(
        &self,
        place: &Place,
        int: &dyn Fn(Val) -> Result<i128, Trap>,
    ) -> Result<At, Trap> {
        let mut at = match &self.slots[place.root.0 as usize] {
            Slot::Alias(at) => at.clone(),
            Slot::Own(_) => At {
                owner: place.root.0 as usize,
                steps: Vec::new(),
                range: None,
            },
            Slot::Empty => return Err(Trap::Unknown(format!("@{} is not declared", place.root.0))),
        };
        for step in &place.path {
            match step {
                Proj::Index(i) => {
                    let i = int(*i)?;
                    let n = self.len(&at)?;
                    if i < 0 || i >= n as i128 {
                        return Err(Trap::Panic(format!("index {i} of {n}")));
                    }
                    let (lo, _) = at.range.take().unwrap_or((0, 0));
                    at.steps
                        .push(Step::Index(lo + usize::try_from(i).expect("checked above")));
                }
                Proj::Range(lo, hi) => {
                    let (lo, hi) = (int(*lo)?, int(*hi)?);
                    let n = self.len(&at)? as i128;
                    if lo < 0 || lo > hi || hi > n {
                        return Err(Trap::Panic(format!("range {lo}..{hi} of {n}")));
                    }
                    let (base, _) = at.range.take().unwrap_or((0, 0));
                    let end = |k: i128| base + usize::try_from(k).expect("checked above");
                    at.range = Some((end(lo), end(hi)));
                }
                Proj::Field(name, _) => at.steps.push(Step::Field(name.clone())),
                Proj::Flat(i) => {
                    let mut i = usize::try_from(int(*i)?)
                        .map_err(|_| Trap::Panic("flat index".to_owned()))?;
                    loop {
                        let rows = self.read(&at)?;
                        let Data::Seq(rows) = rows else { break };
                        let size = rows.first().map_or(1, |r| r.scalars().len().max(1));
                        if i / size >= rows.len() {
                            return Err(Trap::Panic("flat index".to_owned()));
                        }
                        let (lo, _) = at.range.take().unwrap_or((0, 0));
                        at.steps.push(Step::Index(lo + i / size));
                        i %= size;
                    }
                }
            }
        }
        Ok(at)
    }

    /// Number of elements behind a path.
    pub(super) fn len(&self, at: &At) -> Result<usize, Trap> {
        if let Some((lo, hi)) = at.range {
            return Ok(hi - lo);
        }
        match self.node(at)? {
            Data::Seq(rows) => Ok(rows.len()),
            Data::Scalar(_) | Data::Struct(_) | Data::Nothing => {
                Err(Trap::Unknown("length of no sequence".to_owned()))
            }
        }
    }

    pub(super) fn read(&self, at: &At) -> Result<Data, Trap> {
        let node = self.node(at)?;
        match (node, at.range) {
            (Data::Seq(rows), Some((lo, hi))) => Ok(Data::Seq(rows[lo..hi].to_vec())),
            (node, _) => Ok(node.clone()),
        }
    }

    /// Overwrites what is behind a path.
    pub(super) fn copy(&mut self, at: &At, data: Data) -> Result<(), Trap> {
        let range = at.range;
        let node = self.node_mut(at)?;
        match (node, data, range) {
            (Data::Seq(rows), Data::Seq(new), Some((lo, hi))) => {
                if new.len() != hi - lo {
                    return Err(Trap::Panic("copy of another length".to_owned()));
                }
                rows[lo..hi].clone_from_slice(&new);
            }
            (Data::Seq(rows), Data::Seq(new), None) if rows.len() != new.len() => {
                return Err(Trap::Panic("copy of another length".to_owned()));
            }
            (node, data, _) => *node = data,
        }
        Ok(())
    }

    /// Adds, element by element.
    pub(super) fn add(&mut self, at: &At, data: &Data) -> Result<(), Trap> {
        let mut sum = self.read(at)?;
        add_to(&mut sum, data)?;
        self.copy(at, sum)
    }

    fn node(&self, at: &At) -> Result<&Data, Trap> {
        let Slot::Own(data) = &self.slots[at.owner] else {
            return Err(Trap::Unknown("a view of nothing".to_owned()));
        };
        let mut node = data;
        for step in &at.steps {
            node = match (node, step) {
                (Data::Seq(rows), Step::Index(i)) => &rows[*i],
                (Data::Struct(fields), Step::Field(name)) => fields
                    .get(name)
                    .ok_or_else(|| Trap::Unknown(format!("no field {name}")))?,
                (Data::Scalar(_) | Data::Seq(_) | Data::Struct(_) | Data::Nothing, _) => {
                    return Err(Trap::Unknown("a path into nothing".to_owned()));
                }
            };
        }
        Ok(node)
    }

    fn node_mut(&mut self, at: &At) -> Result<&mut Data, Trap> {
        let Slot::Own(data) = &mut self.slots[at.owner] else {
            return Err(Trap::Unknown("a view of nothing".to_owned()));
        };
        let mut node = data;
        for step in &at.steps {
            node = match (node, step) {
                (Data::Seq(rows), Step::Index(i)) => &mut rows[*i],
                (Data::Struct(fields), Step::Field(name)) => fields
                    .get_mut(name)
                    .ok_or_else(|| Trap::Unknown(format!("no field {name}")))?,
                (Data::Scalar(_) | Data::Seq(_) | Data::Struct(_) | Data::Nothing, _) => {
                    return Err(Trap::Unknown("a path into nothing".to_owned()));
                }
            };
        }
        Ok(node)
    }
}

fn add_to(sum: &mut Data, data: &Data) -> Result<(), Trap> {
    match (sum, data) {
        (Data::Scalar(Value::Float(a)), Data::Scalar(Value::Float(b))) => {
            *a += b;
            Ok(())
        }
        (Data::Seq(xs), Data::Seq(ys)) if xs.len() == ys.len() => {
            xs.iter_mut().zip(ys).try_for_each(|(x, y)| add_to(x, y))
        }
        (Data::Struct(a), Data::Struct(b)) => {
            for (field, sum) in a {
                if let Some(data) = b.get(field) {
                    add_to(sum, data)?;
                }
            }
            Ok(())
        }
        // passive fields
        (
            Data::Scalar(Value::Int(_) | Value::Bool(_)),
            Data::Scalar(Value::Int(_) | Value::Bool(_)),
        ) => Ok(()),
        (Data::Scalar(_) | Data::Seq(_) | Data::Struct(_) | Data::Nothing, _) => {
            Err(Trap::Unknown("sum of different shapes".to_owned()))
        }
    }
}
