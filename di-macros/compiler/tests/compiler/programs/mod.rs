//! Programs that are both compiled by rustc and lowered by the compiler, and their comparison.

use di_compiler::ir::{Body, verify};
use eval::{Data, Host, Trap, Value, run};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Compiles functions and keeps their sources.
macro_rules! programs {
    ($($(#[$attr:meta])* fn $name:ident ($($params:tt)*) $(-> $ret:ty)? $body:block)*) => {
        $(#[allow(warnings, clippy::all)] pub(crate) fn $name($($params)*) $(-> $ret)? $body)*
        /// Source of each function, by name.
        pub(crate) const SOURCES: &[(&str, &str)] =
            &[$((stringify!($name), stringify!(fn $name($($params)*) $(-> $ret)? $body))),*];
    };
}

/// Runs a function under rustc and under the evaluator, and compares results and `&mut` arguments
/// bit by bit; a panic of one must be a panic of the other.
macro_rules! check {
    ($f:ident($($arg:expr),* $(,)?)) => {{
        let mut data = vec![$(crate::programs::ToData::to_data(&$arg)),*];
        let found = crate::programs::evaluate(SOURCES, stringify!($f), &mut data);
        let wanted = crate::programs::quietly(|| crate::programs::ToData::to_data(&$f($($arg),*)));
        let after = vec![$(crate::programs::ToData::to_data(&$arg)),*];
        crate::programs::compare(stringify!($f($($arg),*)), wanted, found, &after, &data);
    }};
}

pub(crate) use check;

pub(crate) mod adjoint;
pub(crate) mod eval;
pub(crate) mod functions;
pub(crate) mod list;

pub(crate) trait ToData {
    fn to_data(&self) -> Data;
}

macro_rules! scalars {
    ($($t:ty: $x:ident => $value:expr;)*) => {
        $(impl ToData for $t { fn to_data(&self) -> Data { let $x = *self; Data::Scalar($value) } })*
    };
}

scalars! {
    f64: x => Value::Float(x);
    bool: x => Value::Bool(x);
    usize: x => Value::Int(x as i128);
    i32: x => Value::Int(x.into());
    i64: x => Value::Int(x.into());
    u32: x => Value::Int(x.into());
}

impl<T: ToData> ToData for [T] {
    fn to_data(&self) -> Data {
        Data::Seq(self.iter().map(ToData::to_data).collect())
    }
}

impl<T: ToData, const N: usize> ToData for [T; N] {
    fn to_data(&self) -> Data {
        self[..].to_data()
    }
}

impl<T: ToData> ToData for Vec<T> {
    fn to_data(&self) -> Data {
        self[..].to_data()
    }
}

impl<T: ToData + ?Sized> ToData for &T {
    fn to_data(&self) -> Data {
        (**self).to_data()
    }
}

impl<T: ToData + ?Sized> ToData for &mut T {
    fn to_data(&self) -> Data {
        (**self).to_data()
    }
}

impl ToData for list::Params {
    fn to_data(&self) -> Data {
        let fields = [
            ("a", self.a.to_data()),
            ("xs", self.xs.to_data()),
            ("n", self.n.to_data()),
            ("m", self.m.to_data()),
            ("inner", self.inner.to_data()),
        ];
        Data::Struct(fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
    }
}

impl ToData for list::Inner {
    fn to_data(&self) -> Data {
        Data::Struct(BTreeMap::from([("k".to_owned(), self.k.to_data())]))
    }
}

impl ToData for () {
    fn to_data(&self) -> Data {
        Data::Nothing
    }
}

impl<A: ToData, B: ToData> ToData for (A, B) {
    fn to_data(&self) -> Data {
        Data::Struct(BTreeMap::from([
            ("0".to_owned(), self.0.to_data()),
            ("1".to_owned(), self.1.to_data()),
        ]))
    }
}

impl<A: ToData, B: ToData, C: ToData> ToData for (A, B, C) {
    fn to_data(&self) -> Data {
        let parts = [
            ("0", self.0.to_data()),
            ("1", self.1.to_data()),
            ("2", self.2.to_data()),
        ];
        Data::Struct(parts.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
    }
}

/// The result, or `None` if it panics; without a message.
pub(crate) fn quietly<T>(f: impl FnOnce() -> T) -> Option<T> {
    static QUIET: std::sync::Once = std::sync::Once::new();
    QUIET.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current()
                .name()
                .is_some_and(|n| !n.starts_with("quiet"))
                && !EXPECTED.get()
            {
                hook(info);
            }
        }));
    });
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(f)).ok();
    EXPECTED.set(false);
    result
}

thread_local! {
    static EXPECTED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Lowers and verifies a source.
pub(crate) fn lower(source: &str) -> Body {
    lower_among(source, "")
}

/// The same, where it sees the items of another source.
fn lower_among(source: &str, around: &str) -> Body {
    match di_compiler::lower_among_str(source, around) {
        Ok(body) => {
            if let Err(fault) = verify::verify(&body) {
                panic!("{fault}\n{}", di_compiler::ir::print::body(&body));
            }
            body
        }
        Err(errors) => {
            let texts: Vec<String> = errors
                .iter()
                .map(di_compiler::report::Diagnostic::text)
                .collect();
            panic!("not lowered: {}\n{source}", texts.join("\n"));
        }
    }
}

/// Calls go to the functions of the same table.
struct Functions<'a>(&'a [(&'a str, &'a str)]);

impl Host for Functions<'_> {
    fn call(&mut self, callee: &str, args: &mut [Data]) -> Result<Vec<Data>, Trap> {
        let source = self.0.iter().find(|(name, _)| *name == callee);
        let (_, source) = source.ok_or_else(|| Trap::Unknown(format!("no function {callee}")))?;
        run(&lower(source), args, self)
    }

    fn verbatim(&mut self, text: &str, operands: &[(String, Value)]) -> Option<Value> {
        constant(text, operands)
    }
}

/// Constants of the programs.
pub(crate) fn constant(text: &str, operands: &[(String, Value)]) -> Option<Value> {
    table_entry(text, operands).or(match text {
        "N" => Some(Value::Int(4)),
        "{constSCALE:f64=3.0;SCALE}" => Some(Value::Float(3.0)),
        "{letw=&(WEIGHTS);w[1]}" => Some(Value::Float(2.0)),
        "LIMIT" => Some(Value::Int(9)),
        "GRAVITY" => Some(Value::Float(9.81)),
        _ => None,
    })
}

/// `(WEIGHTS)[__i0]` and its kin: the tables of the tests.
pub(crate) fn table_entry(text: &str, operands: &[(String, Value)]) -> Option<Value> {
    let weights = [0.5, 2.0, -1.0];
    let matrix = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let indices: Vec<usize> = operands
        .iter()
        .filter_map(|(_, v)| match v {
            Value::Int(n) => usize::try_from(*n).ok(),
            Value::Float(_) | Value::Bool(_) => None,
        })
        .collect();
    if text.ends_with(".len()") || text.contains("::count(") {
        return Some(Value::Int(if text.contains("..") { 2 } else { 3 }));
    }
    let entry = match (
        text.contains("WEIGHTS"),
        text.contains("MATRIX"),
        indices.as_slice(),
    ) {
        (true, _, [i]) => weights[i % 3],
        // a slice of a row starts at its first element
        (_, true, [i, .., j]) => matrix[i % 2][j % 3],
        _ => return None,
    };
    Some(Value::Float(entry))
}

/// Runs a function of the table under the evaluator. `None` is a panic.
pub(crate) fn evaluate(
    sources: &[(&str, &str)],
    name: &str,
    args: &mut [Data],
) -> Option<Vec<Data>> {
    let (_, source) = sources
        .iter()
        .find(|(n, _)| *n == name)
        .expect("the function is in the table");
    match run(&lower(source), args, &mut Functions(sources)) {
        Ok(leaves) => Some(leaves),
        Err(Trap::Panic(_)) => None,
        Err(Trap::Unknown(what)) => panic!("{name}: {what}"),
    }
}

pub(crate) fn compare(
    call: &str,
    wanted: Option<Data>,
    found: Option<Vec<Data>>,
    args: &[Data],
    seen: &[Data],
) {
    match (wanted, found) {
        (Some(wanted), Some(found)) => {
            assert_eq!(bits(&[wanted]), bits(&found), "{call}: results");
            assert_eq!(bits(args), bits(seen), "{call}: arguments");
        }
        (None, None) => {}
        (wanted, found) => panic!("{call}: rustc gives {wanted:?}, the evaluator {found:?}"),
    }
}

pub(crate) fn bits(data: &[Data]) -> Vec<String> {
    data.iter()
        .flat_map(Data::scalars)
        .map(|v| match v {
            // one NaN is as good as another
            Value::Float(x) if x.is_nan() => "NaN".to_owned(),
            Value::Float(x) => format!("{x:?} {:016x}", x.to_bits()),
            Value::Int(n) => n.to_string(),
            Value::Bool(b) => b.to_string(),
        })
        .collect()
}
