//! Pages: tables of backends are what the backends say of themselves (`DI_BLESS=1` writes them anew), every operator is
//! named, and every example is run.

use di::extend::{Backend, Key};
use di::prelude::*;
use di::sparse::AutoSparse;
use di::{AnyBackend, AutoEchidna, AutoNumDual, BACKENDS, Capabilities, Mode, Operator};
use di_test::compare::{assert_bitwise, assert_same};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// One row for each way to write a backend.
struct Row {
    written: String,
    name: String,
    takes: &'static str,
    does: &'static str,
    mode: Mode,
    second: bool,
    /// The largest relative error that was found, if the backend differentiates.
    error: Option<f64>,
}

/// Smooth, with values and slopes of size one.
#[differentiable]
fn smooth(x: &[f64]) -> f64 {
    x[0].sin() * x[1].exp() + (x[0] * x[1] + 2.0).ln() + 1.0 / (1.5 + x[1])
}

fn smooth_gradient(x: &[f64]) -> [f64; 2] {
    let inner = x[0] * x[1] + 2.0;
    [
        x[0].cos() * x[1].exp() + x[1] / inner,
        x[0].sin() * x[1].exp() + x[0] / inner - (1.5 + x[1]).powi(-2),
    ]
}

/// The largest error of gradients of [`smooth`] at many points, relative to the larger entry.
fn measured<B: Backend<Key<smooth>>>(backend: &B) -> Result<f64, di::Error> {
    let mut largest = 0.0_f64;
    for i in 0..200 {
        let x = [(1.7 * f64::from(i)).sin(), (2.3 * f64::from(i)).cos()];
        let (found, expected) = (
            gradient(smooth::AD, NoPrep, backend, &x)?,
            smooth_gradient(&x),
        );
        let size = expected[0].abs().max(expected[1].abs());
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.is_finite(), "{backend:?} at {x:?}: {found}");
            largest = largest.max((found - expected).abs() / size);
        }
    }
    Ok(largest)
}

/// Errors below this are of rounding alone.
const EXACT: f64 = 1e-14;

fn row(
    written: &str,
    name: &str,
    does: &'static str,
    takes: &'static str,
    b: &impl Backend<Key<smooth>>,
) -> Row {
    let error = measured(b).ok();
    let promised = b.accuracy(Operator::Gradient);
    assert!(
        error.is_none_or(|error| error <= promised),
        "{written}: the error is {error:?}, promised is {promised}"
    );
    Row {
        written: written.to_owned(),
        name: name.to_owned(),
        takes,
        does,
        mode: b.mode(),
        second: b.check_operator(Operator::Hessian),
        error,
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
        let digits = match row.error {
            None => "-".to_owned(),
            Some(error) if error <= EXACT => "all".to_owned(),
            Some(error) => format!("{:.0}", -error.log10().ceil()),
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

/// What each backend says of itself.
fn capabilities() -> String {
    let mut text = String::from(
        "| backend | mode | `hvp` | writes | directions of 100 | first order | second order |\n|---|---|---|---|---|---|---|\n",
    );
    let mut line = |written: &str, b: &dyn Capabilities| {
        let accuracy = |operator| {
            if b.check_operator(operator) {
                format!("{:.0e}", b.accuracy(operator))
            } else {
                "-".to_owned()
            }
        };
        let products = if b.check_operator(Operator::Hvp) {
            format!("{:?}", b.hvp_mode())
        } else {
            "-".to_owned()
        };
        writeln!(
            text,
            "| `{written}` | {:?} | {products} | {} | {} | {} | {} |",
            b.mode(),
            if b.check_inplace() { "yes" } else { "no" },
            b.batch(100),
            accuracy(Operator::Gradient),
            accuracy(Operator::Hessian)
        )
        .expect("a string takes everything");
    };
    for listed in BACKENDS {
        line(listed.written, &(listed.make)());
    }
    line("AutoNumDual::new()", &AutoNumDual::new());
    line("AutoEchidna::new()", &AutoEchidna::new());
    let pair = SecondOrder::new(AutoDual::new(), AutoSource::new());
    line(
        "SecondOrder::new(AutoDual::new(), AutoSource::new())",
        &pair,
    );
    let sparse = AutoSparse::new(AutoSource::new());
    line("AutoSparse::new(AutoSource::new())", &sparse);
    text
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(page(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Compares a table in a page with what it should be, or writes it.
fn check_table(name: &str, title: &str, expected: &str) {
    let begin = format!("<!-- {title}: written by tests/adapters -->\n");
    let end = format!("<!-- end of {title} -->");
    let text = read(name);
    let (before, rest) = text.split_once(&begin).expect("the place of the table");
    let (mut found, after) = rest.split_once(&end).expect("the table has an end");
    if std::env::var_os("DI_BLESS").is_some() {
        let blessed = format!("{before}{begin}{expected}{end}{after}");
        std::fs::write(page(name), blessed).expect("the page can be written");
        found = expected;
    }
    same(
        &format!(
            "{title} in {name}, see `DI_BLESS=1 cargo test -p differentiation-interface-adapters`"
        ),
        found,
        expected,
    );
}

/// The same text.
fn same(what: &str, found: &str, expected: &str) {
    let bytes = |text: &str| text.bytes().map(f64::from).collect::<Vec<_>>();
    if found.len() != expected.len() {
        println!("expected\n{expected}");
    }
    assert_bitwise(what, &bytes(found), &bytes(expected));
}

#[test]
fn tables_of_backends_are_up_to_date() {
    let _row = di_test::parity::row(117);
    check_table("README.md", "backends", &table());
    check_table("docs/backends.md", "backends", &table());
    check_table("docs/backends.md", "capabilities", &capabilities());
}

/// The names that `di-runtime/src/operators/mod.rs` exports.
fn operators() -> Vec<String> {
    let source = read("di-runtime/src/operators/mod.rs");
    let lists = source.split("pub use ").skip(1);
    let lists = lists.filter_map(|list| list.split_once(';').map(|(list, _)| list));
    let names = lists.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let mut names: Vec<String> = names
        .filter(|name| name.contains('_') || OPERATORS.contains(name))
        .map(str::to_owned)
        .collect();
    names.retain(|name| name != "with_aux");
    names.sort();
    names.dedup();
    names
}

/// Operators whose names are one word; modules have such names too.
const OPERATORS: [&str; 14] = [
    "pushforward",
    "pullback",
    "derivative",
    "gradient",
    "jacobian",
    "second_derivative",
    "hvp",
    "hessian",
    "linearize",
    "laplacian",
    "jvp",
    "vjp",
    "at_points",
    "evaluate",
];

#[test]
fn pages_name_every_operator_and_every_preparation() {
    let _row = di_test::parity::row(117);
    let text = read("docs/operators.md");
    let named = |name: &String| {
        let page = text.contains(&format!("`{name}`"));
        // `prepare_` and its operator
        let preparation = name
            .strip_prefix("prepare_")
            .is_some_and(|operator| text.contains(&format!("`{operator}`")));
        page || preparation
    };
    let all = operators();
    assert!(all.len() > 50, "found only {all:?}");
    let missing: Vec<_> = all.iter().filter(|name| !named(name)).collect();
    println!("missing in docs/operators.md: {missing:?}");
    assert_bitwise(
        "operators that no page names",
        &[missing.len() as f64],
        &[0.0],
    );
}

/// A page with an example in Rust is a page that is tested.
#[test]
fn examples_of_all_pages_are_run() {
    let _row = di_test::parity::row(117);
    let tested = [
        "src/lib.rs",
        "tests/kit/src/lib.rs",
        "adapters/pages/src/lib.rs",
        "tests/containers/src/lib.rs",
    ]
    .map(read)
    .concat();
    let mut pages = vec!["README.md".to_owned()];
    let docs = std::fs::read_dir(page("docs")).expect("there are pages");
    for entry in docs {
        let name = entry.expect("an entry of a readable directory").file_name();
        let name = name.to_string_lossy().into_owned();
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    for name in [
        "operators",
        "backends",
        "contexts",
        "sparsity",
        "limits",
        "preps",
    ] {
        assert!(pages.contains(&format!("docs/{name}.md")), "no page {name}");
    }
    let idle = |name: &&String| {
        let has_examples = read(name).lines().any(|line| line.trim() == "```rust");
        has_examples && !tested.contains(&format!("{name}\")]"))
    };
    let idle: Vec<_> = pages.iter().filter(idle).collect();
    println!("not run: {idle:?}");
    assert_bitwise(
        "pages with examples that are not run",
        &[idle.len() as f64],
        &[0.0],
    );
}

/// The comparison of the README is what `benches/peers` prints and nothing else: its columns are cases of that program,
/// its rows are what the program times, all of them, and its figures are numbers.
#[test]
fn comparison_is_what_the_bench_of_peers_prints() {
    let _row = di_test::parity::row(117);
    let text = read("README.md");
    let section = text.split("## How it compares").nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("a part");
    let sources = ["main", "cases", "engines"]
        .map(|name| read(&format!("benches/peers/src/{name}.rs")))
        .concat();
    let table: Vec<Vec<&str>> = section
        .lines()
        .filter(|line| line.starts_with('|') && !line.starts_with("|---"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let (head, rows) = table.split_first().expect("a table");
    assert!(rows.len() > 3 && head.len() > 2, "{table:?}");
    let printed = |text: &str| sources.contains(&format!("\"{text}\""));
    for case in &head[1..] {
        assert_same(case, printed(case), true);
    }
    for row in rows {
        assert_same(row[0], printed(row[0]), true);
        assert_same("columns", row.len(), head.len());
        for figure in &row[1..] {
            let number = figure.trim_end_matches(" µs").parse::<f64>();
            assert_same(figure, number.is_ok() || *figure == "-", true);
        }
    }
    let peers = sources.matches("peer(\"").count();
    let shown = rows
        .iter()
        .filter(|row| sources.contains(&format!("peer(\"{}\"", row[0])));
    assert_same("peers", shown.count(), peers);
}

#[test]
fn readme_says_which_rust_is_needed() {
    let (manifest, readme) = (read("Cargo.toml"), read("README.md"));
    let value = |key: &str| {
        let line = manifest.lines().find(|line| line.starts_with(key));
        let quoted = line.and_then(|line| line.split('"').nth(1));
        quoted.expect("a key of the manifest").to_owned()
    };
    let (rust, edition) = (value("rust-version"), value("edition"));
    assert!(readme.contains(&format!("needs Rust {rust} ")), "{rust}");
    assert!(readme.contains(&format!("edition {edition}")), "{edition}");
}

/// What a page says of a code is said of one that there is, with the program that it refuses.
#[test]
fn codes_on_pages_are_those_of_the_compiler() {
    let _row = di_test::parity::row(117);
    let codes = read("docs/codes.md");
    for name in ["README.md", "docs/limits.md", "docs/language.md"] {
        let text = read(name);
        for (at, _) in text.match_indices("DI0") {
            let code = text[at..].chars().take(6).collect::<String>();
            let explained = codes.contains(&format!("| {code} |"));
            assert_same(&format!("{name}: {code}"), explained, true);
        }
    }
}

#[test]
fn claims_are_what_the_tests_show() {
    di_test::parity::check();
}
