//! Functions with their sweeps, as the evaluator's host: calls, methods, operators, generic functions, loops that are
//! not recorded.

use super::adjoint::{particle, tally, with_floats};
use super::eval::{
    Data, Host, Record, Trap, Value, WithTangents, run, run_augmented, run_reverse, run_tangent,
};
use di_compiler::ir::{Body, Tree, Type, verify};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A function with its sweeps.
pub(super) struct Function {
    pub(super) body: Body,
    pub(super) sweeps: di_compiler::Sweeps,
}

impl Function {
    fn new(name: &str, body: Body) -> Rc<Function> {
        let sweeps = di_compiler::sweeps(&body);
        for (what, body) in [
            ("body", &body),
            ("tangent", &sweeps.tangent),
            ("augmented", &sweeps.augmented),
            ("reverse", &sweeps.reverse),
        ] {
            verify::verify(body).unwrap_or_else(|fault| panic!("{name}, {what}: {fault}"));
        }
        Rc::new(Function { body, sweeps })
    }
}

/// Functions of a table.
#[derive(Clone, Default)]
pub(crate) struct Functions {
    /// What they see of each other.
    around: String,
    functions: BTreeMap<String, Rc<Function>>,
    /// Methods and operators: the type that leads to them, the function, the type of its result.
    methods: Vec<(String, String, Option<String>)>,
    /// Lengths that are parameters of the functions that run, the innermost last.
    lengths: Vec<BTreeMap<String, i128>>,
    /// As written, of those with loops that are not recorded.
    pub(super) whole: BTreeMap<String, Rc<Body>>,
    /// Trips of loops that are not recorded, by how the loop is called.
    steps: BTreeMap<String, Rc<Function>>,
    /// What paths lead to, as far as it was asked for.
    known: BTreeMap<String, Rc<str>>,
}

impl Functions {
    /// Lowers and transforms all functions.
    pub(crate) fn new(sources: &[(&str, &str)]) -> Functions {
        let mut functions = Functions::default();
        for (name, source) in sources {
            functions.add(name, source);
        }
        functions
    }

    /// What the random programs call.
    pub(crate) fn helpers() -> Functions {
        let mut functions = Functions {
            around: di_fuzz::STRUCTS.join("\n"),
            ..Functions::default()
        };
        let sources = di_fuzz::HELPERS.iter().map(|(_, source)| *source);
        let outer = di_fuzz::OUTER.iter().map(|outer| outer.plain);
        let blocks = di_fuzz::METHODS.iter().chain(di_fuzz::OPERATORS).copied();
        for source in sources.chain(outer).chain(blocks) {
            functions.around.push_str(source);
        }
        for (name, source) in di_fuzz::HELPERS {
            functions.add(name, source);
        }
        for outer in di_fuzz::OUTER {
            functions.add(outer.name, outer.plain);
        }
        for source in di_fuzz::METHODS.iter().chain(di_fuzz::OPERATORS) {
            functions.add_methods(source);
        }
        functions
    }

    /// Lowers and transforms one more, with those inside of it.
    pub(crate) fn add(&mut self, name: &str, source: &str) {
        self.known.clear();
        let found = di_compiler::lower_all_str(source, &self.around).unwrap_or_else(|errors| {
            let texts: Vec<String> = errors
                .iter()
                .map(|e| {
                    let line = source
                        .lines()
                        .nth(e.span.start().line - 1)
                        .unwrap_or_default();
                    format!("{}: {} at {}", e.text(), line.trim(), e.span.start().column)
                })
                .collect();
            panic!("not lowered: {}\n{source}", texts.join("\n"));
        });
        self.whole.remove(name);
        for (k, function) in found.into_iter().enumerate() {
            let own = if k == 0 { name } else { &function.name };
            let f = Function::new(own, function.body);
            self.functions.insert(own.to_owned(), f);
            if k == 0 && !function.loops.is_empty() {
                let whole = super::lower_among(source, &self.around);
                self.whole.insert(name.to_owned(), Rc::new(whole));
            }
            for l in function.loops {
                let step = Function::new(&l.callee, l.step);
                self.steps.insert(l.callee, step);
            }
        }
    }

    /// Lowers and transforms the methods of a block.
    pub(crate) fn add_methods(&mut self, source: &str) {
        self.known.clear();
        let methods = di_compiler::lower_impl_str(source, &self.around).unwrap_or_else(|errors| {
            let texts: Vec<String> = errors.iter().map(|e| e.text()).collect();
            panic!("not lowered: {}\n{source}", texts.join("\n"));
        });
        for m in methods {
            let f = Function::new(&m.name, m.body);
            self.functions.insert(m.name.clone(), f);
            for path in m.paths {
                self.methods.push((path, m.name.clone(), m.result.clone()));
            }
        }
    }

    pub(super) fn find(&mut self, name: &str) -> Result<Rc<Function>, Trap> {
        if let Some(f) = self.functions.get(name) {
            return Ok(Rc::clone(f));
        }
        let path = self.resolved(name);
        let found = self.functions.get(&*path);
        found
            .cloned()
            .ok_or_else(|| Trap::Unknown(format!("no function {name}")))
    }

    /// What a path through types leads to: `<<P as Operator<1>>::Handle as Returns>::Result` is `P`.
    fn resolved(&mut self, path: &str) -> Rc<str> {
        if let Some(known) = self.known.get(path) {
            return Rc::clone(known);
        }
        let found: Rc<str> = self.followed(path.to_owned()).into();
        self.known.insert(path.to_owned(), Rc::clone(&found));
        found
    }

    fn followed(&self, mut path: String) -> String {
        loop {
            let before = path.len();
            path = with_fields(&path);
            for (name, f) in &self.functions {
                if matches!(f.body.ret, Tree::Leaf(Type::Float)) {
                    let returns = format!("<{name}as::di::__private::Returns>::Result");
                    path = path.replace(&returns, NUMBERS[1]);
                }
            }
            for (leads, name, result) in &self.methods {
                path = path.replace(leads, name);
                if let Some(result) = result {
                    let returns = format!("<{name}as::di::__private::Returns>::Result");
                    let result = if result == NUMBERS[0] {
                        NUMBERS[1]
                    } else {
                        result
                    };
                    path = path.replace(&returns, result);
                }
            }
            if path.len() == before {
                return path;
            }
        }
    }

    /// Runs code of a function, of which the arguments tell lengths that are parameters.
    fn with_lengths<T>(
        &mut self,
        f: &Function,
        args: &[Data],
        run: impl FnOnce(&mut Functions) -> Result<T, Trap>,
    ) -> Result<T, Trap> {
        let arrays = f.body.params.iter().zip(args);
        let lengths = arrays.filter_map(|(p, a)| match (&p.ty, a) {
            (Type::Array(_, n), Data::Seq(rows)) => Some((n.0.to_string(), rows.len() as i128)),
            _ => None,
        });
        self.lengths.push(lengths.collect());
        let result = run(self);
        self.lengths.pop();
        result
    }

    /// A length that is a parameter, or code of a type that is one.
    fn generic(&self, text: &str, operands: &[(String, Value)]) -> Option<Value> {
        if let Some(n) = self.lengths.iter().rev().find_map(|known| known.get(text)) {
            return Some(Value::Int(*n));
        }
        let integer = operands.iter().find_map(|(_, v)| match v {
            Value::Int(n) => Some(*n as f64),
            Value::Float(_) | Value::Bool(_) => None,
        });
        Some(Value::Float(match text {
            "M::SCALE" => 0.7,
            "M::shift()" => 0.3,
            "T::HALF" | "S::HALF" => 0.5,
            _ if text.starts_with("m.weight(") => 0.3 * integer.unwrap_or(1.0) + 0.5,
            _ if text.starts_with("T::of(") => integer? + 1.0,
            _ => return None,
        }))
    }

    fn step(&self, callee: &str) -> Option<Rc<Function>> {
        self.steps.get(callee).cloned()
    }
}

/// A number, as it is written and as generated code names it.
const NUMBERS: [&str; 2] = ["f64", "::core::primitive::f64"];

/// The fields that stand beside operators are numbers.
fn with_fields(path: &str) -> String {
    let found = ["P", "Tally"].iter().find_map(|owner| {
        let field = format!("<{owner}as::di::__private::FieldOf<");
        let at = path.find(&field)?;
        let end = at + path[at..].find(">>::Type")? + ">>::Type".len();
        Some(format!("{}{}{}", &path[..at], NUMBERS[1], &path[end..]))
    });
    found.unwrap_or_else(|| path.to_owned())
}

/// Runs `trip` for each trip of a loop, whose first argument is their number.
fn trips(
    args: &mut [Data],
    mut trip: impl FnMut(&mut [Data]) -> Result<(), Trap>,
) -> Result<usize, Trap> {
    let Some(Data::Scalar(Value::Int(n))) = args.first().cloned() else {
        return Err(Trap::Unknown("a loop without a number of trips".to_owned()));
    };
    for k in 0..n {
        args[0] = Data::Scalar(Value::Int(k));
        trip(args)?;
    }
    args[0] = Data::Scalar(Value::Int(n));
    Ok(usize::try_from(n).unwrap_or_default())
}

impl Host for Functions {
    fn call(&mut self, callee: &str, args: &mut [Data]) -> Result<Vec<Data>, Trap> {
        if let Some(step) = self.step(callee) {
            trips(args, |args| run(&step.body, args, self).map(drop))?;
            return Ok(Vec::new());
        }
        let f = self.find(callee)?;
        let lent = args.to_vec();
        self.with_lengths(&f, &lent, |host| run(&f.body, args, host))
    }

    fn verbatim(&mut self, text: &str, operands: &[(String, Value)]) -> Option<Value> {
        match operands {
            [(_, value)] if text.starts_with("passive(") => Some(*value),
            [(_, Value::Float(x))] if text.starts_with("::di::__private::rounding(") => {
                Some(Value::Float(f64::from(*x as f32) - x))
            }
            _ => self
                .generic(text, operands)
                .or_else(|| super::constant(text, operands)),
        }
    }

    fn zero(&mut self, of: &str) -> Option<Data> {
        match &*self.resolved(of) {
            "P" => Some(particle(&mut || 0.0)),
            "Tally" => Some(tally()),
            path if NUMBERS.contains(&path) => Some(Data::float(0.0)),
            _ => None,
        }
    }

    fn partial(&mut self, name: &str, argument: usize, operands: &[f64]) -> Option<f64> {
        let (y, x) = operands.split_last()?;
        let n = if name.starts_with("powi") {
            x.get(1).copied().unwrap_or_default() as i32
        } else {
            0
        };
        di_runtime::rules::by_name::partial(name, argument, x, n, *y)
    }

    fn renews(&mut self, callee: &str, argument: usize, varying: u64) -> bool {
        let found = self.find(callee);
        found.is_ok_and(|f| f.sweeps.renewals[argument] & varying == 0)
    }

    fn augmented(&mut self, callee: &str, args: &mut [Data]) -> Result<(Vec<Data>, Record), Trap> {
        if self.step(callee).is_some() {
            // what is kept is what the evaluator keeps of each call: the state before the first trip
            self.call(callee, args)?;
            return Ok((Vec::new(), Record::default()));
        }
        let f = self.find(callee)?;
        let lent = args.to_vec();
        self.with_lengths(&f, &lent, |host| {
            run_augmented(&f.sweeps.augmented, args, host)
        })
    }

    fn tangent(
        &mut self,
        callee: &str,
        args: &mut [Data],
        tangents: &mut [Option<Data>],
    ) -> Result<WithTangents, Trap> {
        let mut slots = or_zeros(tangents, args);
        if let Some(step) = self.step(callee) {
            let sweeps = &step.sweeps;
            trips(args, |args| {
                let (code, of) = (&sweeps.tangent, &sweeps.tangents);
                run_tangent(code, of, args, &mut slots, self).map(drop)
            })?;
            keep(tangents, slots);
            return Ok((Vec::new(), Vec::new()));
        }
        let f = self.find(callee)?;
        let lent = args.to_vec();
        let found = self.with_lengths(&f, &lent, |host| {
            let (code, of) = (&f.sweeps.tangent, &f.sweeps.tangents);
            run_tangent(code, of, args, &mut slots, host)
        })?;
        keep(tangents, slots);
        Ok(found)
    }

    fn reverse(
        &mut self,
        callee: &str,
        args: &[Option<Data>],
        adjoints: &mut [Option<Data>],
        result: &[Option<Data>],
        record: &Record,
    ) -> Result<(), Trap> {
        let mut args: Vec<Data> = args
            .iter()
            .map(|a| a.clone().unwrap_or(Data::Nothing))
            .collect();
        let mut slots = or_zeros(adjoints, &args);
        if let Some(step) = self.step(callee) {
            let mut states = Vec::new();
            trips(&mut args, |args| {
                states.push(args.to_vec());
                run(&step.body, args, self).map(drop)
            })?;
            for before in states.iter().rev() {
                let (_, record) = run_augmented(&step.sweeps.augmented, &mut before.clone(), self)?;
                let code = &step.sweeps.reverse;
                run_reverse(code, &mut before.clone(), &mut slots, &[], &record, self)?;
            }
            keep(adjoints, slots);
            return Ok(());
        }
        let f = self.find(callee)?;
        let lent = args.clone();
        self.with_lengths(&f, &lent, |host| {
            run_reverse(
                &f.sweeps.reverse,
                &mut args,
                &mut slots,
                result,
                record,
                host,
            )
        })?;
        keep(adjoints, slots);
        Ok(())
    }
}

/// Slots for what the caller has no use for.
fn or_zeros(lanes: &[Option<Data>], args: &[Data]) -> Vec<Option<Data>> {
    let pairs = lanes.iter().zip(args);
    pairs
        .map(|(a, x)| Some(a.clone().unwrap_or_else(|| with_floats(x, &mut |_| 0.0))))
        .collect()
}

fn keep(lanes: &mut [Option<Data>], slots: Vec<Option<Data>>) {
    for (a, slot) in lanes.iter_mut().zip(slots) {
        if a.is_some() {
            *a = slot;
        }
    }
}
