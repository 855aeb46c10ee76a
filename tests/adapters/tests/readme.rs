//! The README's table of backends is what the backends say of themselves. `DI_BLESS=1` writes it anew.

use di::{AnyBackend, AutoEchidna, AutoNumDual, BACKENDS, Capabilities, Mode, Operator};
use std::fmt::Write as _;
use std::path::Path;

/// One row for each way to write a backend.
struct Row {
    written: String,
    name: String,
    takes: &'static str,
    does: &'static str,
    mode: Mode,
    second: bool,
    accuracy: f64,
}

fn row(
    written: &str,
    name: &str,
    does: &'static str,
    takes: &'static str,
    b: &impl Capabilities,
) -> Row {
    Row {
        written: written.to_owned(),
        name: name.to_owned(),
        takes,
        does,
        mode: b.mode(),
        second: b.check_operator(Operator::Hessian),
        accuracy: b.accuracy(Operator::Gradient),
    }
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = BACKENDS
        .iter()
        .map(|listed| {
            let backend: AnyBackend = (listed.make)();
            let names: Vec<String> = listed.names[..1]
                .iter()
                .map(|name| format!("`{name}`"))
                .collect();
            row(
                listed.written,
                &names.join(", "),
                listed.does,
                listed.takes,
                &backend,
            )
        })
        .collect();
    let last = rows.pop();
    let scalar = "on any scalar";
    let forward = "dual numbers of num-dual (feature `num-dual`)";
    rows.push(row(
        "AutoNumDual::new()",
        "",
        forward,
        scalar,
        &AutoNumDual::new(),
    ));
    let reverse = "the eager tape of echidna (feature `echidna`)";
    rows.push(row(
        "AutoEchidna::new()",
        "",
        reverse,
        scalar,
        &AutoEchidna::new(),
    ));
    rows.extend(last);
    rows
}

fn table() -> String {
    let mut text = String::from(
        "| backend | `auto(..)` | functions | mode | second order | digits | how |\n|---|---|---|---|---|---|---|\n",
    );
    for row in rows() {
        let mode = match row.mode {
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
            Mode::ForwardOrReverse => "both",
            Mode::Symbolic => "symbolic",
            Mode::None => "none",
        };
        let exact = row.accuracy <= 1e-10;
        let digits = match (row.mode, exact) {
            (Mode::None, _) => "-".to_owned(),
            (_, true) => "all".to_owned(),
            (_, false) => format!("{:.0}", -row.accuracy.log10().ceil()),
        };
        let second = if row.second {
            "yes"
        } else {
            "in `SecondOrder`"
        };
        let second = if row.mode == Mode::None { "no" } else { second };
        writeln!(
            text,
            "| `{}` | {} | {} | {mode} | {second} | {digits} | {} |",
            row.written, row.name, row.takes, row.does
        )
        .expect("a string takes everything");
    }
    text
}

#[test]
fn table_of_backends_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(&path).expect("the README is there");
    let (begin, end) = (
        "<!-- backends: written by tests/adapters -->\n",
        "<!-- end of backends -->",
    );
    let (before, rest) = text
        .split_once(begin)
        .expect("the README has the place of the table");
    let (found, after) = rest.split_once(end).expect("the table has an end");
    let expected = table();
    if std::env::var_os("DI_BLESS").is_some() {
        let blessed = format!("{before}{begin}{expected}{end}{after}");
        std::fs::write(&path, blessed).expect("the README can be written");
        return;
    }
    assert!(
        found == expected,
        "run `DI_BLESS=1 cargo test -p di-adapters`; expected\n{expected}"
    );
}
