//! Derivatives by the evaluator: tangents and adjoints against each other and against differences, in
//! random directions. Nothing is compiled, so that a fault is one of the transforms and not of the emitter.

use super::ToData;
use super::eval::{
    Data, Trap, Value, run, run_augmented, run_reverse, run_reverse_fresh, run_tangent,
};
use super::functions::Function;
pub(crate) use super::functions::Functions;
use super::list::{Inner, Params};
use di_compiler::ir::{Mode, Type};
pub(crate) use di_fuzz::Random;
use std::rc::Rc;

/// An argument of a type.
fn argument(random: &mut Random, ty: &Type) -> Data {
    match ty {
        Type::Float | Type::Lane => Data::float(1.5 * random.number() + 0.6),
        Type::Int(_) => Data::Scalar(Value::Int((random.number() * 1.5 + 1.5) as i128)),
        Type::Bool => Data::Scalar(Value::Bool(random.number() > 0.0)),
        Type::Array(t, n) => {
            let n: usize = n.0.to_string().parse().unwrap();
            Data::Seq((0..n).map(|_| argument(random, t)).collect())
        }
        Type::Slice(t) | Type::Vec(t) => Data::Seq((0..6).map(|_| argument(random, t)).collect()),
        Type::Struct(name) if name.0.to_string() == "Inner" => {
            Inner { k: random.number() }.to_data()
        }
        Type::Struct(name) if name.0.to_string() == "P" => {
            particle(&mut || 1.5 * random.number() + 0.6)
        }
        Type::Struct(_) => Params {
            a: random.number(),
            xs: vec![random.number(), random.number(), random.number()],
            n: 2,
            m: [
                [random.number(), random.number()],
                [random.number(), random.number()],
            ],
            inner: Inner { k: random.number() },
        }
        .to_data(),
        Type::Lanes(_) | Type::Opaque(_) => Data::Nothing,
    }
}

/// A `P` of the random programs.
pub(super) fn particle(next: &mut dyn FnMut() -> f64) -> Data {
    let fields = [
        ("a", Data::float(next())),
        ("b", Data::float(next())),
        (
            "w",
            Data::Seq((0..3).map(|_| Data::float(next())).collect()),
        ),
        ("k", Data::Scalar(Value::Int(2))),
    ];
    Data::Struct(fields.map(|(k, v)| (k.to_owned(), v)).into())
}

/// A `Tally` of the random programs, of zeros.
pub(super) fn tally() -> Data {
    let integers = "iujvkwlmnop"
        .chars()
        .map(|k| (k.to_string(), Data::Scalar(Value::Int(0))));
    let others = [
        ("t".to_owned(), Data::float(0.0)),
        ("on".to_owned(), Data::Scalar(Value::Bool(false))),
    ];
    Data::Struct(integers.chain(others).collect())
}

/// The floats of a value replaced, in order.
pub(super) fn with_floats(data: &Data, next: &mut dyn FnMut(f64) -> f64) -> Data {
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

/// Sum of the products of the floats. Tangents and adjoints of structs need not have the other fields.
fn dot(a: &Data, b: &Data) -> f64 {
    match (a, b) {
        (Data::Scalar(Value::Float(a)), Data::Scalar(Value::Float(b))) => a * b,
        (Data::Seq(a), Data::Seq(b)) => a.iter().zip(b).map(|(a, b)| dot(a, b)).sum(),
        (Data::Struct(a), Data::Struct(b)) => {
            let both = a.iter().filter_map(|(field, a)| Some((a, b.get(field)?)));
            both.map(|(a, b)| dot(a, b)).sum()
        }
        (Data::Scalar(_) | Data::Seq(_) | Data::Struct(_) | Data::Nothing, _) => 0.0,
    }
}

fn is_float(ty: &Type) -> bool {
    matches!(ty.leaf(), Type::Float | Type::Struct(_))
}

fn floats(data: &Data) -> Vec<f64> {
    let scalars = data.scalars().into_iter();
    let floats = scalars.filter_map(|v| match v {
        Value::Float(x) => Some(x),
        Value::Int(_) | Value::Bool(_) => None,
    });
    floats.collect()
}

/// One function at one point, with the outputs as weights of a sum.
struct Point<'a> {
    name: &'a str,
    f: Rc<Function>,
    args: Vec<Data>,
    directions: Vec<Data>,
}

impl Point<'_> {
    /// Results, then `&mut` arguments; `None` if it panics.
    fn outputs(&self, functions: &mut Functions, t: f64) -> Option<Vec<Data>> {
        let pairs = self.args.iter().zip(&self.directions);
        let mut moved: Vec<Data> = pairs
            .map(|(a, d)| {
                let mut steps = floats(d).into_iter();
                with_floats(a, &mut |x| x + t * steps.next().unwrap_or_default())
            })
            .collect();
        let mut outputs = match run(&self.f.body, &mut moved, functions) {
            Ok(leaves) => leaves,
            Err(Trap::Panic(_)) => return None,
            Err(Trap::Unknown(what)) => panic!("{}: {what}", self.name),
        };
        outputs.extend(self.written(moved));
        Some(outputs)
    }

    fn written(&self, args: Vec<Data>) -> Vec<Data> {
        let params = self.f.body.params.iter().zip(args);
        let written = params.filter(|(p, _)| p.mode == Mode::Mut);
        written.map(|(_, a)| a).collect()
    }

    /// Derivative along the directions, by differences with two steps; `None` where it is not smooth.
    fn slope(&self, functions: &mut Functions, weights: &[Data]) -> Option<f64> {
        let mut value = |t: f64| -> Option<f64> {
            let y = self.outputs(functions, t)?;
            Some(y.iter().zip(weights).map(|(y, w)| dot(y, w)).sum())
        };
        let mut slope = |h: f64| Some((value(h)? - value(-h)?) / (2.0 * h));
        let (d1, d2) = (slope(1e-6)?, slope(2e-6)?);
        let near = (d1 - d2).abs() <= 1e-5 * (1.0 + d1.abs());
        (near && d1.is_finite()).then_some(d1)
    }

    /// Derivative along the directions, by tangent code, and the size of its terms.
    fn by_tangent(&self, functions: &mut Functions, at: &[Data], weights: &[Data]) -> (f64, f64) {
        let mut args = self.args.clone();
        let params = self.f.body.params.iter().zip(&self.directions);
        let mut tangents: Vec<Option<Data>> = params
            .map(|(p, d)| is_float(&p.ty).then(|| d.clone()))
            .collect();
        let sweeps = &self.f.sweeps;
        let (results, returned) = run_tangent(
            &sweeps.tangent,
            &sweeps.tangents,
            &mut args,
            &mut tangents,
            functions,
        )
        .unwrap_or_else(|trap| panic!("{}, tangent: {trap:?}", self.name));
        let values: Vec<Data> = [results.clone(), self.written(args)].concat();
        self.same("tangent code", &values, at);
        let leaves = results.iter().zip(returned);
        let mut dy: Vec<Data> = leaves
            .map(|(y, t)| t.unwrap_or_else(|| with_floats(y, &mut |_| 0.0)))
            .collect();
        let lanes = tangents.into_iter().map(|t| t.unwrap_or(Data::Nothing));
        dy.extend(self.written(lanes.collect()));
        let pairs = || dy.iter().zip(weights);
        let size = pairs()
            .flat_map(|(t, w)| floats(t).into_iter().zip(floats(w)))
            .map(|(t, w)| (t * w).abs());
        (pairs().map(|(t, w)| dot(t, w)).sum(), size.sum())
    }

    /// The same by the sweeps of reverse mode, for several weights and the first ones again.
    fn by_reverse(
        &self,
        functions: &mut Functions,
        at: &[Data],
        weights: &[Vec<Data>],
    ) -> Vec<(f64, f64)> {
        let sweeps = &self.f.sweeps;
        let mut args = self.args.clone();
        let (results, record) = run_augmented(&sweeps.augmented, &mut args, functions)
            .unwrap_or_else(|trap| panic!("{}, augmented: {trap:?}", self.name));
        let leaves = results.len();
        self.same(
            "the augmented sweep",
            &[results, self.written(args)].concat(),
            at,
        );
        let mut found = Vec::new();
        for weights in weights.iter().chain(&weights[..1]) {
            let seeds: Vec<Option<Data>> = weights[..leaves].iter().cloned().map(Some).collect();
            let mut outs = weights[leaves..].iter();
            // adjoints are added to what is there
            let params = self.f.body.params.iter().zip(&self.args);
            let mut before = 0.0;
            let before: Vec<Option<Data>> = params
                .map(|(p, a)| match p.mode {
                    Mode::Mut => None,
                    Mode::Value | Mode::Ref => is_float(&p.ty).then(|| {
                        with_floats(a, &mut |_| {
                            before += 0.25;
                            before
                        })
                    }),
                })
                .collect();
            let params = self.f.body.params.iter().zip(&before);
            let mut adjoints: Vec<Option<Data>> = params
                .map(|(p, before)| match p.mode {
                    Mode::Mut => outs.next().cloned(),
                    Mode::Value | Mode::Ref => before.clone(),
                })
                .collect();
            let mut behind = self.args.clone();
            run_reverse(
                &sweeps.reverse,
                &mut behind,
                &mut adjoints,
                &seeds,
                &record,
                functions,
            )
            .unwrap_or_else(|trap| panic!("{}, reverse: {trap:?}", self.name));
            let pairs = || {
                let pairs = adjoints.iter().zip(&self.directions);
                pairs.filter_map(|(a, d)| Some((a.as_ref()?, d)))
            };
            let size = pairs()
                .flat_map(|(a, d)| floats(a).into_iter().zip(floats(d)))
                .map(|(a, d)| (a * d).abs());
            let size: f64 = size.sum();
            let all: f64 = pairs().map(|(a, d)| dot(a, d)).sum();
            let pairs = before.iter().zip(&self.directions);
            let there: f64 = pairs.filter_map(|(b, d)| Some(dot(b.as_ref()?, d))).sum();
            found.push((all - there, size));
        }
        found
    }

    /// The same with slots that hold anything, as operators hand them in.
    fn by_fresh_slots(&self, functions: &mut Functions, weights: &[Data]) -> f64 {
        let sweeps = &self.f.sweeps;
        let mut args = self.args.clone();
        let (results, record) = run_augmented(&sweeps.augmented, &mut args, functions)
            .unwrap_or_else(|trap| panic!("{}, augmented: {trap:?}", self.name));
        let (of_results, of_outputs) = weights.split_at(results.len());
        let seeds: Vec<Option<Data>> = of_results.iter().cloned().map(Some).collect();
        let mut outs = of_outputs.iter();
        let params = self.f.body.params.iter().zip(&self.args);
        let mut adjoints: Vec<Option<Data>> = params
            .map(|(p, a)| match p.mode {
                Mode::Mut => outs.next().cloned(),
                Mode::Value | Mode::Ref => {
                    is_float(&p.ty).then(|| with_floats(a, &mut |_| f64::NAN))
                }
            })
            .collect();
        run_reverse_fresh(
            &sweeps.reverse,
            &mut self.args.clone(),
            &mut adjoints,
            &seeds,
            &record,
            functions,
        )
        .unwrap_or_else(|trap| panic!("{}, fresh: {trap:?}", self.name));
        let pairs = adjoints.iter().zip(&self.directions);
        pairs.filter_map(|(a, d)| Some(dot(a.as_ref()?, d))).sum()
    }

    fn same(&self, what: &str, found: &[Data], expected: &[Data]) {
        assert_eq!(
            super::bits(found),
            super::bits(expected),
            "{}: {what} computes the same",
            self.name
        );
    }
}

/// One function at one point: false if it panics there, or is not smooth, so that differences say nothing.
///
/// Tangents, adjoints of two seeds over one record, and those of the first seed again agree in any case.
pub(crate) fn derivatives_are_right(
    name: &str,
    functions: &mut Functions,
    random: &mut Random,
) -> bool {
    let f = functions.find(name).unwrap();
    let params = &f.body.params;
    let args: Vec<Data> = params.iter().map(|p| argument(random, &p.ty)).collect();
    let directions = params.iter().zip(&args).map(|(p, a)| {
        if is_float(&p.ty) {
            with_floats(a, &mut |_| random.number())
        } else {
            Data::Nothing
        }
    });
    let directions = directions.collect();
    let point = Point {
        name,
        f: Rc::clone(&f),
        args,
        directions,
    };
    let Some(at) = point.outputs(functions, 0.0) else {
        return false;
    };
    if let Some(whole) = functions.whole.get(name).cloned() {
        let mut args = point.args.clone();
        let results = run(&whole, &mut args, functions)
            .unwrap_or_else(|trap| panic!("{name}, with its loops: {trap:?}"));
        let values = [results, point.written(args)].concat();
        point.same("the function without its loops", &at, &values);
    }
    let weights: Vec<Vec<Data>> = (0..2)
        .map(|_| {
            let weigh = |y| with_floats(y, &mut |_| random.number());
            at.iter().map(weigh).collect()
        })
        .collect();
    let adjoint = point.by_reverse(functions, &at, &weights);
    assert_eq!(
        adjoint[0].0.to_bits(),
        adjoint[2].0.to_bits(),
        "{name} at {:?}: the second reverse sweep differs from the first",
        point.args
    );
    for (weights, (found, size)) in weights.iter().zip(&adjoint) {
        let (tangent, terms) = point.by_tangent(functions, &at, weights);
        let close = (found - tangent).abs() <= 1e-10 * (1.0 + size + terms);
        assert!(
            close || (!found.is_finite() && !tangent.is_finite()),
            "{name} at {:?}: adjoint {found}, tangent {tangent}",
            point.args
        );
    }
    let (found, size) = adjoint[0];
    let fresh = point.by_fresh_slots(functions, &weights[0]);
    assert!(
        (found - fresh).abs() <= 1e-10 * (1.0 + size) || !found.is_finite(),
        "{name} at {:?}: adjoint {found}, in fresh slots {fresh}",
        point.args
    );
    let Some(slope) = point.slope(functions, &weights[0]) else {
        return false;
    };
    let found = adjoint[0].0;
    assert!(
        (found - slope).abs() <= 1e-4 * (1.0 + slope.abs()),
        "{name} at {:?}: adjoint {found}, differences {slope}",
        point.args
    );
    true
}
