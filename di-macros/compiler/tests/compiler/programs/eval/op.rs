//! Operations of the evaluator, bitwise as Rust does them.

use super::{Data, Machine, Trap, Value, text};
use di_compiler::ir::{BinOp, CmpOp, Lit, Op, Scaling, Type, Val};

impl Machine<'_> {
    pub(super) fn op(&mut self, v: Val, op: &Op) -> Result<Value, Trap> {
        let ty = self.body.val(v).ty.clone();
        match op {
            Op::Lit(Lit::Float(c)) => Ok(Value::Float(*c)),
            Op::Lit(Lit::Int(c)) => Ok(Value::Int(*c)),
            Op::Lit(Lit::Bool(c)) => Ok(Value::Bool(*c)),
            Op::Copy(a) => self.get(*a),
            Op::Param(n) => match self.params.get(*n) {
                Some(Data::Scalar(v)) => Ok(*v),
                Some(Data::Seq(_) | Data::Struct(_) | Data::Nothing) | None => {
                    Err(Trap::Unknown(format!("parameter {n} is no scalar")))
                }
            },
            Op::Neg(a) => match self.get(*a)? {
                Value::Float(x) => Ok(Value::Float(-x)),
                Value::Int(n) => checked(Some(-n), &ty),
                Value::Bool(_) => Err(Trap::Unknown("negative bool".to_owned())),
            },
            Op::Not(a) => match self.get(*a)? {
                Value::Bool(b) => Ok(Value::Bool(!b)),
                Value::Int(n) => Ok(Value::Int(text::wrap(!n, &ty))),
                Value::Float(_) => Err(Trap::Unknown("not of a float".to_owned())),
            },
            Op::Bin(op, a, b) => bin(*op, self.get(*a)?, self.get(*b)?, &ty),
            Op::Cmp(op, a, b) => cmp(*op, self.get(*a)?, self.get(*b)?),
            Op::Elementary(name, args) => self.elementary(name, args),
            Op::Cast(a) => Ok(cast(self.get(*a)?, &ty)),
            Op::Len(place) => {
                let at = self.at(place)?;
                Ok(Value::Int(self.memory.len(&at)? as i128))
            }
            Op::Verbatim {
                tokens, operands, ..
            } => {
                let mut values = Vec::new();
                for (name, v) in operands {
                    values.push((name.clone(), self.get(*v)?));
                }
                let value = self.code(&text::plain(tokens), &values, &ty)?;
                match value {
                    Value::Int(n) => checked(Some(n), &ty),
                    Value::Float(_) | Value::Bool(_) => Ok(value),
                }
            }
            Op::LaneZero => Ok(Value::Float(0.0)),
            Op::LaneScale { lane, scale, by } => {
                let (l, s) = (self.float(*lane)?, self.float(*scale)?);
                let zero = match by {
                    Scaling::Plain => false,
                    Scaling::Strong => l == 0.0,
                    Scaling::Select => s == 0.0,
                };
                Ok(Value::Float(if zero { 0.0 } else { l * s }))
            }
            Op::Partial(name, k, operands) => {
                let mut values = Vec::new();
                for v in operands {
                    values.push(match v {
                        Some(v) => match self.get(*v)? {
                            Value::Float(x) => x,
                            Value::Int(n) => n as f64,
                            Value::Bool(_) => f64::NAN,
                        },
                        None => f64::NAN,
                    });
                }
                let found = self.host.partial(name, *k, &values);
                found
                    .map(Value::Float)
                    .ok_or_else(|| Trap::Unknown(format!("partial of {name}")))
            }
            Op::Reload(slot) => {
                let slot = *slot;
                self.record().get(slot)
            }
            Op::Trips { lo, hi, inclusive } => {
                let n = self.int(*hi)? - self.int(*lo)? + i128::from(*inclusive);
                Ok(Value::Int(n.max(0)))
            }
            Op::Induction {
                lo,
                hi,
                inclusive,
                reversed,
                trip,
            } => {
                let (lo, hi, k) = (self.int(*lo)?, self.int(*hi)?, self.int(*trip)?);
                Ok(Value::Int(if *reversed {
                    hi - 1 + i128::from(*inclusive) - k
                } else {
                    lo + k
                }))
            }
            Op::ResultSeed(n) => match self.seeds.get(*n) {
                Some(Some(Data::Scalar(v))) => Ok(*v),
                Some(Some(Data::Seq(_) | Data::Struct(_) | Data::Nothing) | None) | None => {
                    Err(Trap::Unknown(format!("seed {n} is missing")))
                }
            },
            Op::LaneSum(place) => {
                let mut sum = 0.0;
                for v in self.read(place)?.scalars() {
                    if let Value::Float(x) = v {
                        sum += x;
                    }
                }
                Ok(Value::Float(sum))
            }
        }
    }

    pub(super) fn accumulate(
        &self,
        old: Value,
        v: Value,
        negate: bool,
        ty: &Type,
    ) -> Result<Value, Trap> {
        bin(if negate { BinOp::Sub } else { BinOp::Add }, old, v, ty)
    }

    fn elementary(&mut self, name: &str, args: &[Val]) -> Result<Value, Trap> {
        let (mut floats, mut n) = (Vec::new(), 0);
        for v in args {
            match self.get(*v)? {
                Value::Float(x) => floats.push(x),
                Value::Int(k) => {
                    n = i32::try_from(k).map_err(|_| Trap::Unknown("exponent".to_owned()))?
                }
                Value::Bool(_) => return Err(Trap::Unknown("bool operand".to_owned())),
            }
        }
        if name == "clamp" && (floats[1] > floats[2] || floats[1].is_nan() || floats[2].is_nan()) {
            return Err(Trap::Panic("clamp".to_owned()));
        }
        let found = di_elementary::evaluate(name, &floats, n);
        found
            .map(Value::Float)
            .ok_or_else(|| Trap::Unknown(format!("function {name}")))
    }

    /// Passive code: methods of integers and constants of std, then the host.
    pub(super) fn code(
        &mut self,
        code: &str,
        operands: &[(String, Value)],
        ty: &Type,
    ) -> Result<Value, Trap> {
        if let Some(value) = text::evaluate(code, operands, ty) {
            return value;
        }
        let found = self.host.verbatim(code, operands);
        found.ok_or_else(|| Trap::Unknown(format!("passive code `{code}`")))
    }

    fn float(&self, v: Val) -> Result<f64, Trap> {
        match self.get(v)? {
            Value::Float(x) => Ok(x),
            Value::Int(_) | Value::Bool(_) => Err(Trap::Unknown(format!("%{} is no float", v.0))),
        }
    }
}

/// An integer, or a panic where it does not fit its type.
pub(super) fn checked(n: Option<i128>, ty: &Type) -> Result<Value, Trap> {
    match n {
        Some(n) if text::fits(n, ty) => Ok(Value::Int(n)),
        Some(_) | None => Err(Trap::Panic("integer arithmetic".to_owned())),
    }
}

fn bin(op: BinOp, a: Value, b: Value, ty: &Type) -> Result<Value, Trap> {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => Ok(Value::Float(match op {
            BinOp::Add => a + b,
            BinOp::Sub => a - b,
            BinOp::Mul => a * b,
            BinOp::Div => a / b,
            BinOp::Rem => a % b,
            BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
                return Err(Trap::Unknown("bits of floats".to_owned()));
            }
        })),
        (Value::Int(a), Value::Int(b)) => match op {
            BinOp::Add => checked(a.checked_add(b), ty),
            BinOp::Sub => checked(a.checked_sub(b), ty),
            BinOp::Mul => checked(a.checked_mul(b), ty),
            BinOp::Div => checked(a.checked_div(b), ty),
            BinOp::Rem => checked(a.checked_rem(b), ty),
            BinOp::And => Ok(Value::Int(a & b)),
            BinOp::Or => Ok(Value::Int(a | b)),
            BinOp::Xor => Ok(Value::Int(text::wrap(a ^ b, ty))),
            BinOp::Shl => {
                let n = u32::try_from(b).map_err(|_| Trap::Panic("shift".to_owned()))?;
                Ok(Value::Int(text::wrap(a.checked_shl(n).unwrap_or(0), ty)))
            }
            BinOp::Shr => {
                let n = u32::try_from(b).map_err(|_| Trap::Panic("shift".to_owned()))?;
                Ok(Value::Int(a.checked_shr(n).unwrap_or(0)))
            }
        },
        (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(match op {
            BinOp::And => a & b,
            BinOp::Or => a | b,
            BinOp::Xor => a ^ b,
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::Shl
            | BinOp::Shr => {
                return Err(Trap::Unknown("arithmetic of bools".to_owned()));
            }
        })),
        (Value::Float(_) | Value::Int(_) | Value::Bool(_), _) => {
            Err(Trap::Unknown("mixed operands".to_owned()))
        }
    }
}

fn cmp(op: CmpOp, a: Value, b: Value) -> Result<Value, Trap> {
    fn decide<T: PartialOrd>(op: CmpOp, a: T, b: T) -> bool {
        match op {
            CmpOp::Lt => a < b,
            CmpOp::Le => a <= b,
            CmpOp::Gt => a > b,
            CmpOp::Ge => a >= b,
            CmpOp::Eq => a == b,
            CmpOp::Ne => a != b,
            CmpOp::TotalLt => unreachable!("verify: the total order is one of floats"),
        }
    }
    match (a, b) {
        (Value::Float(a), Value::Float(b)) if op == CmpOp::TotalLt => {
            Ok(Value::Bool(a.total_cmp(&b).is_lt()))
        }
        (Value::Float(a), Value::Float(b)) => Ok(Value::Bool(decide(op, a, b))),
        (Value::Int(a), Value::Int(b)) => Ok(Value::Bool(decide(op, a, b))),
        (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(decide(op, a, b))),
        (Value::Float(_) | Value::Int(_) | Value::Bool(_), _) => {
            Err(Trap::Unknown("mixed comparison".to_owned()))
        }
    }
}

/// `a as T`
fn cast(a: Value, ty: &Type) -> Value {
    let int = match a {
        Value::Float(x) => match ty {
            Type::Int(_) => {
                let (lo, hi) = text::bounds(ty);
                return Value::Int((x as i128).clamp(lo, hi));
            }
            Type::Float
            | Type::Lane
            | Type::Bool
            | Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Struct(_)
            | Type::Lanes(_)
            | Type::Opaque(_) => return a,
        },
        Value::Int(n) => n,
        Value::Bool(b) => i128::from(b),
    };
    match ty {
        Type::Float | Type::Lane => Value::Float(int as f64),
        Type::Int(_) => Value::Int(text::wrap(int, ty)),
        Type::Bool
        | Type::Array(..)
        | Type::Slice(_)
        | Type::Vec(_)
        | Type::Struct(_)
        | Type::Lanes(_)
        | Type::Opaque(_) => a,
    }
}
