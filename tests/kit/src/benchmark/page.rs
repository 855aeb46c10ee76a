//! Measurements as one page of HTML that needs nothing else: plots, their legend, and the numbers below.

use std::fmt::Write;

use super::chart::{COLORS, Series, dots, escape, lines, mark};
use super::table::time;
use super::{Benchmark, Measurement};

const STYLE: &str = include_str!("page.css");

/// The rows of one plot: one function and one variant.
struct Group<'b> {
    scenario: &'b str,
    operator: &'b str,
    rows: Vec<&'b Measurement>,
}

impl Benchmark {
    /// A page with a plot for each function and variant of an operator: time against size on logarithmic axes,
    /// prepared beside not prepared, or time by backend where there is one size only. It needs no network and
    /// no script, follows light and dark, and fits on a phone.
    pub fn html(&self, title: &str) -> String {
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{0}</title>\n<style>\n{STYLE}</style>\n<h1>{0}</h1>\n\
             <p>Time of one call, by the fastest of many batches. Both axes are logarithmic: a straight line of \
             slope one is a cost that grows as n does. The numbers are below each plot.</p>\n",
            escape(title)
        );
        let styles = self.styles();
        for group in self.groups() {
            page += &section(&group, &styles);
        }
        if !self.refused.is_empty() {
            page += "<h2>Not measured</h2>\n<ul>\n";
            for line in &self.refused {
                let _ = writeln!(page, "<li>{}</li>", escape(line));
            }
            page += "</ul>\n";
        }
        page + "</html>\n"
    }

    /// Backends in the order in which they came: their place is the number of their colour.
    fn styles(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&row.backend.as_str()) {
                names.push(&row.backend);
            }
        }
        names
    }

    fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for row in self.rows.iter().filter(|row| row.prepared.is_some()) {
            let same = |group: &&mut Group<'_>| {
                group.scenario == row.scenario && group.operator == row.operator
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.rows.push(row),
                None => groups.push(Group {
                    scenario: &row.scenario,
                    operator: &row.operator,
                    rows: vec![row],
                }),
            }
        }
        groups
    }
}

/// The lines of a group, prepared or not, from the slowest at the largest size to the fastest.
fn series(group: &Group<'_>, styles: &[&str], prepared: bool) -> Vec<Series> {
    let mut found: Vec<Series> = Vec::new();
    for row in group
        .rows
        .iter()
        .filter(|row| row.prepared == Some(prepared))
    {
        let point = (row.inputs as f64, row.time);
        match found.iter_mut().find(|series| series.name == row.backend) {
            Some(series) => series.points.push(point),
            None => found.push(Series {
                name: row.backend.clone(),
                style: styles
                    .iter()
                    .position(|name| *name == row.backend)
                    .unwrap_or(0),
                points: vec![point],
            }),
        }
    }
    for series in &mut found {
        series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let last = |series: &Series| series.points.last().copied().unwrap_or((0.0, 0.0));
    found.sort_by(|a, b| {
        let (a, b) = (last(a), last(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    found
}

fn section(group: &Group<'_>, styles: &[&str]) -> String {
    let (with, without) = (series(group, styles, true), series(group, styles, false));
    let mut sizes: Vec<usize> = group.rows.iter().map(|row| row.inputs).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut html = format!(
        "<section>\n<h2><code>{}</code> of {}</h2>\n",
        escape(group.operator),
        escape(group.scenario)
    );
    if let [n] = sizes[..] {
        let _ = writeln!(
            html,
            "<p class=\"note\">n = {n}; filled marks are prepared calls, hollow ones are not prepared</p>\n\
             <figure>{}</figure>",
            dots(&with, &without)
        );
    } else {
        let all: Vec<Series> = with.iter().chain(&without).cloned().collect();
        html += "<figure>";
        for (title, panel) in [("prepared", &with), ("not prepared", &without)] {
            if !panel.is_empty() {
                html += &lines(title, panel, &all);
            }
        }
        html += "</figure>\n";
        html += &legend(if with.is_empty() { &without } else { &with });
    }
    html + &numbers(group, &sizes) + "</section>\n"
}

/// In the order of the lines at their right end.
fn legend(series: &[Series]) -> String {
    let mut html = String::from("<ul class=\"legend\">\n");
    for Series { name, style, .. } in series {
        let dash = if *style >= COLORS { " dashed" } else { "" };
        let _ = writeln!(
            html,
            "<li><svg viewBox=\"0 0 30 12\" aria-hidden=\"true\"><path class=\"line c{}{dash}\" d=\"M1 6H29\"/>{}</svg>{}</li>",
            style % COLORS,
            mark(15.0, 6.0, *style, name),
            escape(name)
        );
    }
    html + "</ul>\n"
}

/// A row for each backend and size.
fn numbers(group: &Group<'_>, sizes: &[usize]) -> String {
    let mut backends: Vec<&str> = Vec::new();
    for row in &group.rows {
        if !backends.contains(&row.backend.as_str()) {
            backends.push(&row.backend);
        }
    }
    let mut html = String::from(
        "<details><summary>Numbers</summary>\n<div class=\"wide\"><table>\n<tr><th>backend<th>n<th>prepared\
         <th>not prepared<th>evaluations<th>allocations<th>bytes\n",
    );
    for backend in backends {
        for n in sizes {
            let of = |prepared: bool| {
                let mut rows = group.rows.iter().copied();
                rows.find(|r| {
                    r.backend == backend && r.inputs == *n && r.prepared == Some(prepared)
                })
            };
            let (with, without) = (of(true), of(false));
            let Some(row) = with.or(without) else {
                continue;
            };
            let text = |row: Option<&Measurement>| row.map_or_else(String::new, |r| time(r.time));
            let known =
                |value: Option<usize>| value.map_or_else(|| "-".to_owned(), |v| v.to_string());
            let _ = writeln!(
                html,
                "<tr><td>{}<td>{n}<td>{}<td>{}<td>{}<td>{}<td>{}",
                escape(backend),
                text(with),
                text(without),
                row.calls,
                known(row.allocations),
                known(row.bytes)
            );
        }
    }
    html + "</table></div>\n<p class=\"note\">Evaluations, allocations and bytes are those of one call, prepared where \
            there is one.</p></details>\n"
}
