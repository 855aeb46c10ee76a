//! Adjoints by the evaluator against differences, in one random direction. Nothing is compiled, so that a
//! fault is one of the transforms and not of the emitter.

use super::ToData;
use super::list::{Inner, Params};
use di_compiler::ir::eval::{Data, Host, Record, Trap, Value, run, run_augmented, run_reverse};
use di_compiler::ir::{Body, Mode, Type, verify};
use std::collections::BTreeMap;

/// Functions of the table with their sweeps.
pub(crate) struct Functions {
    bodies: BTreeMap<String, (Body, di_compiler::Sweeps)>,
}

impl Functions {
    /// Lowers and transforms all functions.
    pub(crate) fn new(sources: &[(&str, &str)]) -> Functions {
        let mut bodies = BTreeMap::new();
        for (name, source) in sources {
            let body = super::lower(source);
            let sweeps = di_compiler::sweeps(&body);
            for (what, body) in [
                ("tangent", &sweeps.tangent),
                ("augmented", &sweeps.augmented),
                ("reverse", &sweeps.reverse),
            ] {
                verify::verify(body).unwrap_or_else(|fault| panic!("{name}, {what}: {fault}"));
            }
            bodies.insert((*name).to_owned(), (body, sweeps));
        }
        Functions { bodies }
    }

    fn find(&self, name: &str) -> Result<(Body, Body, Body), Trap> {
        let (body, sweeps) = self
            .bodies
            .get(name)
            .ok_or_else(|| Trap::Unknown(format!("no function {name}")))?;
        Ok((
            body.clone(),
            sweeps.augmented.clone(),
            sweeps.reverse.clone(),
        ))
    }
}

impl Host for Functions {
    fn call(&mut self, callee: &str, args: &mut [Data]) -> Result<Vec<Data>, Trap> {
        let (body, _, _) = self.find(callee)?;
        run(&body, args, self)
    }

    fn verbatim(&mut self, text: &str, operands: &[(String, Value)]) -> Option<Value> {
        super::constant(text, operands)
    }

    fn partial(&mut self, name: &str, argument: usize, operands: &[f64]) -> Option<f64> {
        let (y, x) = operands.split_last()?;
        let n = if name == "powi" {
            x.get(1).copied().unwrap_or_default() as i32
        } else {
            0
        };
        di_runtime::rules::by_name::partial(name, argument, x, n, *y)
    }

    fn augmented(&mut self, callee: &str, args: &mut [Data]) -> Result<(Vec<Data>, Record), Trap> {
        let (_, augmented, _) = self.find(callee)?;
        run_augmented(&augmented, args, self)
    }

    fn reverse(
        &mut self,
        callee: &str,
        args: &[Option<Data>],
        adjoints: &mut [Option<Data>],
        result: &[Option<Data>],
        record: &Record,
    ) -> Result<(), Trap> {
        let (_, _, reverse) = self.find(callee)?;
        let mut args: Vec<Data> = args
            .iter()
            .map(|a| a.clone().unwrap_or(Data::Nothing))
            .collect();
        // slots that the caller has no use for
        let mut slots: Vec<Option<Data>> = adjoints
            .iter()
            .zip(&args)
            .map(|(a, x)| Some(a.clone().unwrap_or_else(|| with_floats(x, &mut |_| 0.0))))
            .collect();
        run_reverse(&reverse, &mut args, &mut slots, result, record, self)?;
        for (a, slot) in adjoints.iter_mut().zip(slots) {
            if a.is_some() {
                *a = slot;
            }
        }
        Ok(())
    }
}

/// Small numbers, the same in each run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Between -1 and 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    /// An argument of a type.
    fn data(&mut self, ty: &Type) -> Data {
        match ty {
            Type::Float | Type::Lane => Data::float(1.5 * self.next() + 0.6),
            Type::Int(_) => Data::Scalar(Value::Int((self.next() * 1.5 + 1.5) as i128)),
            Type::Bool => Data::Scalar(Value::Bool(self.next() > 0.0)),
            Type::Array(t, n) => {
                let n: usize = n.0.to_string().parse().unwrap();
                Data::Seq((0..n).map(|_| self.data(t)).collect())
            }
            Type::Slice(t) | Type::Vec(t) => Data::Seq((0..6).map(|_| self.data(t)).collect()),
            Type::Struct(name) if name.0.to_string() == "Inner" => {
                Inner { k: self.next() }.to_data()
            }
            Type::Struct(_) => Params {
                a: self.next(),
                xs: vec![self.next(), self.next(), self.next()],
                n: 2,
                m: [[self.next(), self.next()], [self.next(), self.next()]],
                inner: Inner { k: self.next() },
            }
            .to_data(),
            Type::Opaque(_) => Data::Nothing,
        }
    }
}

/// The floats of a value replaced, in order.
fn with_floats(data: &Data, next: &mut dyn FnMut(f64) -> f64) -> Data {
    match data {
        Data::Scalar(Value::Float(x)) => Data::float(next(*x)),
        Data::Scalar(v @ (Value::Int(_) | Value::Bool(_))) => Data::Scalar(*v),
        Data::Seq(rows) => Data::Seq(rows.iter().map(|r| with_floats(r, next)).collect()),
        Data::Struct(fields) => Data::Struct(
            fields
                .iter()
                .map(|(k, v)| (k.clone(), with_floats(v, next)))
                .collect(),
        ),
        Data::Nothing => Data::Nothing,
    }
}

fn dot(a: &Data, b: &Data) -> f64 {
    let pairs = a.scalars().into_iter().zip(b.scalars());
    pairs
        .map(|(a, b)| {
            if let (Value::Float(a), Value::Float(b)) = (a, b) {
                a * b
            } else {
                0.0
            }
        })
        .sum()
}

fn is_float(ty: &Type) -> bool {
    matches!(ty.leaf(), Type::Float | Type::Struct(_))
}

/// One function at one point; false if it panics there, or is not smooth.
pub(crate) fn adjoint_is_right(name: &str, functions: &mut Functions, random: &mut Random) -> bool {
    let (body, augmented, reverse) = functions.find(name).unwrap();
    let args: Vec<Data> = body.params.iter().map(|p| random.data(&p.ty)).collect();
    let directions: Vec<Data> = body
        .params
        .iter()
        .zip(&args)
        .map(|(p, a)| {
            if is_float(&p.ty) {
                with_floats(a, &mut |_| random.next())
            } else {
                Data::Nothing
            }
        })
        .collect();
    // weights of the outputs: results, then `&mut` arguments
    let outputs = |functions: &mut Functions, t: f64| -> Option<Vec<Data>> {
        let mut moved: Vec<Data> = args
            .iter()
            .zip(&directions)
            .map(|(a, d)| {
                let mut steps = d.scalars().into_iter().filter_map(|v| match v {
                    Value::Float(d) => Some(d),
                    Value::Int(_) | Value::Bool(_) => None,
                });
                with_floats(a, &mut |x| x + t * steps.next().unwrap_or_default())
            })
            .collect();
        let mut outputs = match run(&body, &mut moved, functions) {
            Ok(leaves) => leaves,
            Err(Trap::Panic(_)) => return None,
            Err(Trap::Unknown(what)) => panic!("{name}: {what}"),
        };
        outputs.extend(
            body.params
                .iter()
                .zip(moved)
                .filter(|(p, _)| p.mode == Mode::Mut)
                .map(|(_, a)| a),
        );
        Some(outputs)
    };
    let Some(at) = outputs(functions, 0.0) else {
        return false;
    };
    let weights: Vec<Data> = at
        .iter()
        .map(|y| with_floats(y, &mut |_| random.next()))
        .collect();
    let value = |functions: &mut Functions, t: f64| -> Option<f64> {
        Some(
            outputs(functions, t)?
                .iter()
                .zip(&weights)
                .map(|(y, w)| dot(y, w))
                .sum(),
        )
    };
    let slope = |functions: &mut Functions, h: f64| {
        Some((value(functions, h)? - value(functions, -h)?) / (2.0 * h))
    };
    let (Some(d1), Some(d2)) = (slope(functions, 1e-6), slope(functions, 2e-6)) else {
        return false;
    };
    if !(d1 - d2).is_finite() || (d1 - d2).abs() > 1e-5 * (1.0 + d1.abs()) {
        return false;
    }
    let leaves = body.ret.leaves().len();
    let seeds: Vec<Option<Data>> = weights[..leaves].iter().cloned().map(Some).collect();
    let mut outs = weights[leaves..].iter();
    let mut adjoints: Vec<Option<Data>> = body
        .params
        .iter()
        .zip(&args)
        .map(|(p, a)| match p.mode {
            Mode::Mut => outs.next().cloned(),
            Mode::Value | Mode::Ref => is_float(&p.ty).then(|| with_floats(a, &mut |_| 0.0)),
        })
        .collect();
    let mut forward = args.clone();
    let (result, record) = run_augmented(&augmented, &mut forward, functions)
        .unwrap_or_else(|trap| panic!("{name}, augmented: {trap:?}"));
    assert_eq!(
        format!("{result:?}"),
        format!("{:?}", &at[..leaves]),
        "{name}: the augmented sweep computes the same"
    );
    let mut behind = args.clone();
    run_reverse(
        &reverse,
        &mut behind,
        &mut adjoints,
        &seeds,
        &record,
        functions,
    )
    .unwrap_or_else(|trap| panic!("{name}, reverse: {trap:?}"));
    let found: f64 = adjoints
        .iter()
        .zip(&directions)
        .map(|(a, d)| a.as_ref().map_or(0.0, |a| dot(a, d)))
        .sum();
    assert!(
        (found - d1).abs() <= 1e-4 * (1.0 + d1.abs()),
        "{name} at {args:?}: adjoint {found}, differences {d1}"
    );
    true
}
