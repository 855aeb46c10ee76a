//! Functions with their sweeps, as the evaluator's host: calls, methods, loops that are not recorded.

use super::adjoint::{particle, with_floats};
use di_compiler::ir::eval::{
    Data, Host, Record, Trap, Value, WithTangents, run, run_augmented, run_reverse, run_tangent,
};
use di_compiler::ir::{Body, verify};
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
    functions: BTreeMap<String, Rc<Function>>,
    /// Methods, by what a path to them contains.
    methods: Vec<(String, Rc<Function>)>,
    /// As written, of those with loops that are not recorded.
    pub(super) whole: BTreeMap<String, Rc<Body>>,
    /// Trips of loops that are not recorded, by how the loop is called.
    steps: BTreeMap<String, Rc<Function>>,
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
        let mut functions = Functions::new(di_fuzz::HELPERS);
        functions.add_methods(di_fuzz::METHODS);
        functions
    }

    /// Lowers and transforms one more.
    pub(crate) fn add(&mut self, name: &str, source: &str) {
        let (body, loops) = di_compiler::lower_with_loops_str(source).unwrap_or_else(|errors| {
            let texts: Vec<String> = errors.iter().map(|e| e.text()).collect();
            panic!("not lowered: {}\n{source}", texts.join("\n"));
        });
        let f = Function::new(name, body);
        self.functions.insert(name.to_owned(), f);
        self.whole.remove(name);
        if !loops.is_empty() {
            let whole = super::lower(source);
            self.whole.insert(name.to_owned(), Rc::new(whole));
        }
        for l in loops {
            let step = Function::new(&l.callee, l.step);
            self.steps.insert(l.callee, step);
        }
    }

    /// Lowers and transforms the methods of a block.
    pub(crate) fn add_methods(&mut self, source: &str) {
        let methods = di_compiler::lower_impl_str(source).unwrap_or_else(|errors| {
            let texts: Vec<String> = errors.iter().map(|e| e.text()).collect();
            panic!("not lowered: {}\n{source}", texts.join("\n"));
        });
        for (name, path, body) in methods {
            let f = Function::new(&name, body);
            self.functions.insert(name, Rc::clone(&f));
            self.methods.push((path, f));
        }
    }

    pub(super) fn find(&self, name: &str) -> Result<Rc<Function>, Trap> {
        let mut methods = self.methods.iter();
        let found = match self.functions.get(name) {
            Some(f) => Some(f),
            None => methods
                .find(|(path, _)| name.contains(path.as_str()))
                .map(|(_, f)| f),
        };
        found
            .cloned()
            .ok_or_else(|| Trap::Unknown(format!("no function {name}")))
    }

    fn step(&self, callee: &str) -> Option<Rc<Function>> {
        self.steps.get(callee).cloned()
    }
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
        run(&f.body, args, self)
    }

    fn verbatim(&mut self, text: &str, operands: &[(String, Value)]) -> Option<Value> {
        match operands {
            [(_, value)] if text.starts_with("passive(") => Some(*value),
            _ => super::constant(text, operands),
        }
    }

    fn zero(&mut self, of: &str) -> Option<Data> {
        (of == "P").then(|| particle(&mut || 0.0))
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
        if self.step(callee).is_some() {
            // what is kept is what the evaluator keeps of each call: the state before the first trip
            self.call(callee, args)?;
            return Ok((Vec::new(), Record::default()));
        }
        let f = self.find(callee)?;
        run_augmented(&f.sweeps.augmented, args, self)
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
        let found = run_tangent(
            &f.sweeps.tangent,
            &f.sweeps.tangents,
            args,
            &mut slots,
            self,
        )?;
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
        run_reverse(
            &f.sweeps.reverse,
            &mut args,
            &mut slots,
            result,
            record,
            self,
        )?;
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
