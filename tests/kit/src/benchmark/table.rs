//! Measurements as text: a table for a terminal, Markdown, CSV, JSON.

use std::fmt;
use std::io;

use comfy_table::{CellAlignment, Table, presets::UTF8_FULL_CONDENSED};

use super::{Benchmark, Measurement};

const HEAD: [&str; 12] = [
    "backend",
    "scenario",
    "operator",
    "n",
    "m",
    "prepared",
    "calls",
    "samples",
    "evaluations",
    "time",
    "allocations",
    "bytes",
];

/// Seconds, in the unit that gives the fewest digits.
pub(super) fn time(seconds: f64) -> String {
    for (unit, size) in [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)] {
        if seconds >= size {
            return format!("{} {unit}", digits(seconds / size));
        }
    }
    format!("{} ns", digits(seconds / 1e-9))
}

/// Three digits.
fn digits(value: f64) -> String {
    let decimals = match value {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

fn cells(row: &Measurement) -> [String; 12] {
    let known = |value: Option<usize>| value.map_or_else(|| "-".to_owned(), |v| v.to_string());
    [
        row.backend.clone(),
        row.scenario.clone(),
        row.operator.clone(),
        row.inputs.to_string(),
        row.outputs.to_string(),
        match row.prepared {
            Some(true) => "yes",
            Some(false) => "no",
            None => "-",
        }
        .to_owned(),
        row.calls.to_string(),
        row.samples.to_string(),
        row.evaluations.to_string(),
        time(row.time),
        known(row.allocations),
        known(row.bytes),
    ]
}

impl Benchmark {
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED);
        table.set_header(HEAD);
        for row in &self.rows {
            table.add_row(cells(row));
        }
        for column in table.column_iter_mut().skip(3) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    /// A table in Markdown.
    pub fn markdown(&self) -> String {
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let align = (0..HEAD.len()).map(|at| if at < 3 { "---" } else { "---:" });
        let align: Vec<&str> = align.collect();
        let mut text = row(&HEAD.map(str::to_owned));
        text += &format!("|{}|\n", align.join("|"));
        for measurement in &self.rows {
            text += &row(&cells(measurement).map(|cell| cell.replace('|', "\\|")));
        }
        text
    }

    /// Comma-separated values with a head, times in seconds; what is not known is empty.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, to: impl io::Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(to);
        for row in &self.rows {
            writer.serialize(row).map_err(io::Error::other)?;
        }
        writer.flush()
    }

    /// An object with the lists `rows` and `refused`, times in seconds.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_json(&self, to: impl io::Write) -> io::Result<()> {
        serde_json::to_writer_pretty(to, self).map_err(io::Error::from)
    }
}

impl fmt::Display for Benchmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.table())?;
        self.refused
            .iter()
            .try_for_each(|line| writeln!(f, "refused: {line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_have_three_digits() {
        assert_eq!(time(1.234e-9), "1.23 ns");
        assert_eq!(time(45.67e-9), "45.7 ns");
        assert_eq!(time(2.5e-4), "250 µs");
        assert_eq!(time(3.0), "3.00 s");
    }
}
