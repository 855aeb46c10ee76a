//! The outcome of each scenario.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::scenario::About;

/// The outcome of one scenario with one backend.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The backend.
    pub backend: String,
    /// The scenario.
    pub about: About,
    /// How many checks there were.
    pub checks: usize,
    /// The steps in which something was checked: `prepared elsewhere, with value, first call`, for instance.
    pub steps: BTreeSet<String>,
    /// What did not hold.
    pub failures: Vec<String>,
    /// The backend does not have this operator, or does not take such functions; nothing was checked.
    pub skipped: bool,
}

impl fmt::Display for Entry {
    /// One line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { backend, about, .. } = self;
        write!(f, "{about} by {backend}: ")?;
        match (self.skipped, self.failures.len()) {
            (true, _) => f.write_str("skipped"),
            (false, 0) => write!(f, "passed, {} checks", self.checks),
            (false, failures) => write!(f, "failed, {failures} failures"),
        }
    }
}

/// The outcome of all scenarios with all backends.
#[derive(Clone, Debug, Default)]
#[must_use = "failures are in the report: `report.assert()`"]
pub struct Report {
    /// One entry for each scenario and backend.
    pub entries: Vec<Entry>,
}

impl Report {
    /// Did everything hold, and was anything checked?
    pub fn passed(&self) -> bool {
        let checked = self.entries.iter().any(|entry| entry.checks > 0);
        checked && self.failed().next().is_none()
    }

    /// Entries with failures.
    pub fn failed(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| !entry.failures.is_empty())
    }

    /// All failures, one text.
    pub fn failures(&self) -> String {
        let lines = self.failed().flat_map(|entry| {
            let head = format!("{} by {}", entry.about, entry.backend);
            entry
                .failures
                .iter()
                .map(move |failure| format!("  {head}: {failure}\n"))
        });
        lines.collect()
    }

    /// For use in tests.
    ///
    /// # Panics
    /// If something did not hold, or nothing was checked: shows each failure with operator, function, index and
    /// both values.
    #[track_caller]
    pub fn assert(&self) {
        assert!(
            self.entries.iter().any(|entry| entry.checks > 0),
            "nothing was checked: no backend has any of the operators\n{self}"
        );
        assert!(
            self.passed(),
            "{} of {} scenarios failed\n{}\n{self}",
            self.failed().count(),
            self.entries.len(),
            self.failures()
        );
    }

    /// Scenarios that were tried, by backend.
    pub fn tried(&self) -> BTreeMap<&str, usize> {
        let mut tried = BTreeMap::new();
        for entry in &self.entries {
            *tried.entry(entry.backend.as_str()).or_default() += usize::from(!entry.skipped);
        }
        tried
    }
}

impl fmt::Display for Report {
    /// A line for each backend and operator: how many passed, failed and were skipped, and how much was checked. With
    /// `{:#}` a line for each scenario comes before.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            for entry in &self.entries {
                writeln!(f, "{entry}")?;
            }
            writeln!(f)?;
        }
        let mut lines: Vec<((&str, String), [usize; 4])> = Vec::new();
        for entry in &self.entries {
            let key = (entry.backend.as_str(), entry.about.operator.to_string());
            let at = lines.iter().position(|(other, _)| *other == key);
            let at = at.unwrap_or_else(|| {
                lines.push((key, [0; 4]));
                lines.len() - 1
            });
            let counts = &mut lines[at].1;
            let kind = match (entry.skipped, entry.failures.is_empty()) {
                (true, _) => 2,
                (false, true) => 0,
                (false, false) => 1,
            };
            counts[kind] += 1;
            counts[3] += entry.checks;
        }
        let width = |part: fn(&(&str, String)) -> usize| lines.iter().map(|(k, _)| part(k)).max();
        let backend = width(|(backend, _)| backend.len()).unwrap_or(0).max(7);
        let operator = width(|(_, operator)| operator.len()).unwrap_or(0).max(8);
        writeln!(
            f,
            "{:backend$}  {:operator$}  passed  failed  skipped  checks",
            "backend", "operator"
        )?;
        for ((name, op), [passed, failed, skipped, checks]) in &lines {
            writeln!(
                f,
                "{name:backend$}  {op:operator$}  {passed:>6}  {failed:>6}  {skipped:>7}  {checks:>6}"
            )?;
        }
        Ok(())
    }
}
