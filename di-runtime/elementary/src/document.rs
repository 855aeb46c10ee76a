//! The table as a page of documentation.

use crate::{Class, OPERATORS, Partial, Product, Row, SPECIAL, TABLE};

/// The page `docs/elementary.md`; a test keeps the file in step.
pub fn markdown() -> String {
    let mut page = String::from(HEAD);
    page.push_str("\n## Methods\n\n");
    push_rows(&mut page, TABLE);
    page.push_str("\n## Operators\n\n");
    push_rows(&mut page, OPERATORS);
    page.push_str(SPECIAL_HEAD);
    push_rows(&mut page, SPECIAL);
    page
}

const HEAD: &str = "# Elementary functions

Generated from the rows in `di-runtime/elementary/src/rows.rs`; do not edit. After a change of the rows:
`DI_BLESS=1 cargo test -p differentiation-interface-elementary`.

`x` is the receiver and `y` the result. The class of a function says whether it is constant (\"zero\"), linear or
nonlinear in each argument. After a semicolon it names the pairs of arguments that have a mixed second derivative. A
derivative marked `*` has poles, or overflows: there a zero tangent or adjoint becomes NaN, except in a function with
`strong_zeros`. A derivative marked `?` is an indicator: where it is zero, the result is zero.
";

const SPECIAL_HEAD: &str = "\n## Special functions

With the feature `special`: functions on `f64` in `di::special`. An integer argument comes first, `jn(n, x)`.
There are also functions of slices: `log_sum_exp(&x)`, `softmax(&x, &mut y)` and `log_softmax(&x, &mut y)`.

";

fn push_rows(page: &mut String, rows: &[Row]) {
    page.push_str(
        "| function | what | class | derivatives | convention |\n|---|---|---|---|---|\n",
    );
    for row in rows {
        page.push_str(&line(row));
    }
}

fn line(row: &Row) -> String {
    let mut call = row.arguments.join(", ");
    if row.integer {
        call.push_str("; n");
    }
    let classes: Vec<&str> = row.classes.iter().map(|class| class_name(*class)).collect();
    let mut class = classes.join(", ");
    for &(i, j) in row.cross {
        class.push_str(&format!("; {} {}", row.arguments[i], row.arguments[j]));
    }
    let partials: Vec<String> = row.partials.iter().map(|p| partial(row, p)).collect();
    format!(
        "| `{}({call})` | {} | {class} | {} | {} |\n",
        row.name,
        row.doc,
        partials.join("<br>"),
        row.note
    )
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Zero => "zero",
        Class::Linear => "linear",
        Class::Nonlinear => "nonlinear",
    }
}

/// `by x* (reads x, y): formula`
fn partial(row: &Row, partial: &Partial) -> String {
    let mark = match partial.product {
        Product::Plain => "",
        Product::Strong => "*",
        Product::Select => "?",
    };
    let mut reads: Vec<&str> = (0..row.arity())
        .filter(|&k| partial.reads_argument(k))
        .map(|k| row.arguments[k])
        .collect();
    if partial.reads_result() {
        reads.push("y");
    }
    let reads = if reads.is_empty() {
        "nothing".to_string()
    } else {
        reads.join(", ")
    };
    let formula = as_written(partial.formula);
    let formula = formula
        .strip_prefix("{ ")
        .and_then(|f| f.strip_suffix(" }"))
        .unwrap_or(&formula);
    format!(
        "by {}{mark} (reads {reads}): `{formula}`",
        row.arguments[partial.argument]
    )
}

/// How `stringify!` spaces what rustfmt does not, and a bar that would end a cell of the table.
const SPACING: [(&str, &str); 7] = [
    (" :: ", "::"),
    ("< S >", "<S>"),
    ("> ()", ">()"),
    ("(- ", "(-"),
    ("{ - ", "{ -"),
    ("! ", "!"),
    ("|", "\\|"),
];

/// A formula on one line, as it stands in the row.
fn as_written(formula: &str) -> String {
    let words: Vec<&str> = formula.split_whitespace().collect();
    SPACING
        .iter()
        .fold(words.join(" "), |text, (from, to)| text.replace(from, to))
}
