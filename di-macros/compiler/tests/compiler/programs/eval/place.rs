//! Reading, writing and making places.

use super::memory::At;
use super::{Data, Machine, Trap, Value, text};
use di_compiler::ir::{Init, Order, Part, Place, PlaceId, Tokens, Type};

impl Machine<'_> {
    pub(super) fn at(&self, place: &Place) -> Result<At, Trap> {
        self.memory.resolve(place, &|v| self.int(v))
    }

    pub(super) fn read(&self, place: &Place) -> Result<Data, Trap> {
        let at = self.at(place)?;
        self.memory.read(&at)
    }

    pub(super) fn load(&self, place: &Place) -> Result<Value, Trap> {
        match self.read(place)? {
            Data::Scalar(v) => Ok(v),
            Data::Seq(_) | Data::Struct(_) | Data::Nothing => {
                Err(Trap::Unknown("load of no scalar".to_owned()))
            }
        }
    }

    pub(super) fn store(&mut self, place: &Place, value: Value) -> Result<(), Trap> {
        let at = self.at(place)?;
        self.memory.copy(&at, Data::Scalar(value))
    }

    pub(super) fn init(&mut self, p: PlaceId, init: &Init) -> Result<Data, Trap> {
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
            Init::Struct { fields, base } => {
                let mut made = match base {
                    Some(place) => match self.read(place)? {
                        Data::Struct(fields) => fields,
                        Data::Scalar(_) | Data::Seq(_) | Data::Nothing => {
                            return Err(Trap::Unknown("a base that is no struct".to_owned()));
                        }
                    },
                    None => std::collections::BTreeMap::new(),
                };
                for (name, leaf) in fields {
                    let data = match leaf {
                        Part::Val(v) => Data::Scalar(self.get(*v)?),
                        Part::Place(p) => self.read(p)?,
                    };
                    made.insert(name.clone(), data);
                }
                Data::Struct(made)
            }
            Init::MoveOf(from) => std::mem::take(self.memory.rows(from.0 as usize)?).into(),
            Init::Sorted {
                keys,
                by,
                descending,
            } => sorted(&self.read(keys)?.scalars(), *by, *descending)?,
            Init::ZeroLike(place) => self.read(place)?.zeroed(),
            Init::ZeroLen(end) if ty.is_lanes() && !matches!(ty, Type::Vec(_)) => {
                let at = usize::try_from(self.int(*end)?).unwrap_or(usize::MAX);
                self.record().kept(at)?.zeroed()
            }
            Init::ZeroLen(n) => {
                let n = usize::try_from(self.int(*n)?).unwrap_or(0);
                Data::Seq(vec![self.row(p, &Data::Scalar(Value::Float(0.0)))?; n])
            }
            // whatever is read before it is written spoils the result
            Init::AnyLen(n) => {
                let n = usize::try_from(self.int(*n)?).unwrap_or(0);
                Data::Seq(vec![self.row(p, &Data::Scalar(Value::Float(f64::NAN)))?; n])
            }
            Init::Zero => self.filled(&ty, &Data::Scalar(Value::Float(0.0)))?,
        })
    }

    /// An element of a vector, with one leaf everywhere.
    pub(super) fn row(&mut self, vec: PlaceId, leaf: &Data) -> Result<Data, Trap> {
        let ty = self.body.place(vec).ty.clone();
        self.filled(ty.element().unwrap_or(&Type::Float), leaf)
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
            Type::Struct(path) | Type::Lanes(path) => {
                let zero = self.host.zero(&text::plain(path));
                Ok(zero.unwrap_or(Data::Nothing))
            }
            Type::Slice(_) | Type::Vec(_) | Type::Opaque(_) => Ok(Data::Nothing),
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
            | Type::Lanes(_)
            | Type::Opaque(_) => leaves
                .next()
                .ok_or_else(|| Trap::Unknown("too few elements".to_owned())),
        }
    }

    pub(super) fn length(&mut self, n: &Tokens) -> Result<usize, Trap> {
        match self.code(&text::plain(n), &[], &Type::Int("usize".to_owned()))? {
            Value::Int(n) => usize::try_from(n).map_err(|_| Trap::Unknown("length".to_owned())),
            Value::Float(_) | Value::Bool(_) => Err(Trap::Unknown("length".to_owned())),
        }
    }
}

/// The permutation that sorts the keys.
fn sorted(keys: &[Value], by: Order, descending: bool) -> Result<Data, Trap> {
    use std::cmp::Ordering;
    let unordered = |v: &Value| by == Order::Partial && matches!(v, Value::Float(x) if x.is_nan());
    if keys.len() > 1 && keys.iter().any(unordered) {
        return Err(Trap::Panic("comparison with NaN".to_owned()));
    }
    let compare = |a: &Value, b: &Value| match (a, b) {
        (Value::Float(a), Value::Float(b)) if by == Order::Total => a.total_cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Float(_) | Value::Int(_) | Value::Bool(_), _) => Ordering::Equal,
    };
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|i, j| {
        let found = compare(&keys[*i], &keys[*j]);
        if descending { found.reverse() } else { found }
    });
    let order = order
        .into_iter()
        .map(|i| Data::Scalar(Value::Int(i as i128)));
    Ok(Data::Seq(order.collect()))
}
