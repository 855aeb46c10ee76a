//! A struct with integers of all widths.

use crate::writer::Writer;

/// Its integers: name, type, whether it may be negative.
const FIELDS: [(&str, &str, bool); 11] = [
    ("i", "i8", true),
    ("u", "u8", false),
    ("j", "i16", true),
    ("v", "u16", false),
    ("k", "i32", true),
    ("w", "u32", false),
    ("l", "i64", true),
    ("m", "u64", false),
    ("n", "isize", true),
    ("o", "i128", true),
    ("p", "u128", false),
];

impl Writer {
    fn tally(&mut self) -> String {
        if self.scope.tallies.is_empty() || self.random.once_in(8) {
            self.new_tally();
        }
        let tallies = self.scope.tallies.clone();
        self.one_of(&tallies)
    }

    fn new_tally(&mut self) {
        self.uses("integers of all widths");
        let (q, e, k) = (self.fresh("q"), self.expression(1), self.index());
        let tallies = self.scope.tallies.clone();
        if !tallies.is_empty() && self.random.once_in(2) {
            let p = self.one_of(&tallies);
            self.line(&format!(
                "let mut {q}: Tally = Tally {{ t: {e}, u: 3, k: -2, ..{p} }};"
            ));
        } else {
            self.line(&format!("let mut {q}: Tally = Tally {{ t: {e}, i: -1, u: ({k}) as u8, j: 2, v: 40, k: 1, w: 5, l: -3, m: ({k}) as u64, n: 1, o: -(1 << 90), p: 1 << 100, on: true }};"));
        }
        self.scope.tallies.push(q);
    }

    /// An index out of one of its integers.
    pub(crate) fn tallied(&mut self, n: usize) -> String {
        self.uses("field of another width");
        let tallies = self.scope.tallies.clone();
        let q = self.one_of(&tallies);
        let (field, _, signed) = self.one_of(&FIELDS);
        if signed {
            format!("({q}.{field}.rem_euclid({n}) as usize)")
        } else {
            format!("(({q}.{field} % {n}) as usize)")
        }
    }

    pub(crate) fn tallies(&mut self) {
        let q = self.tally();
        let (e, k) = (self.expression(1), self.index());
        let v = self.variable();
        let (field, ty, signed) = self.one_of(&FIELDS);
        match self.random.below(10) {
            0 => {
                self.uses("field of another width");
                let op = self.one_of(&["+", "*"]);
                self.line(&format!(
                    "{q}.{field} = ({q}.{field} % 9) {op} ({k}) as {ty};"
                ));
            }
            1 => {
                self.uses("field of another width");
                let c = self.condition();
                self.line(&format!(
                    "if {c} {{ {q}.{field} %= 4; }} else {{ {q}.{field} = {}; }}",
                    if signed { "-3" } else { "3" }
                ));
            }
            2 => {
                self.uses("integer method");
                let by = self.random.below(90);
                self.line(&format!(
                    "{q}.{field} = {q}.{field}.wrapping_add({by}).min(100);"
                ));
            }
            3 => {
                self.uses("bits of integers");
                self.line(&format!("{q}.u = ({q}.u << 1 ^ 5) & 63;"));
                self.line(&format!("{q}.m = ({q}.m >> 1) | ({k}) as u64;"));
            }
            4 => {
                self.uses("method of integers in a struct");
                let e = self.bound(&e);
                let n = self.random.below(200);
                self.line(&format!("Tally::count(&mut {q}, {n}, {e});"));
            }
            5 => {
                self.uses("method of integers in a struct");
                let e = self.bound(&e);
                self.line(&format!("{v} += 1.0 * Tally::weigh(&{q}, {e});"));
            }
            6 => {
                self.uses("field of another width");
                self.uses("match of ranges");
                self.line(&format!(
                    "match {q}.i {{ 0 => {{ {v} += {e}; }} -3..=-1 => {{ {q}.t = ({q}.t * {e}).sin(); }} d if d > 2 => {{ {v} -= d as f64 * 0.1; }} _ => {{ {q}.on = false; }} }}"
                ));
            }
            7 => {
                self.uses("field of another width");
                self.line(&format!(
                    "if {q}.on || {q}.{field} > 2 {{ {q}.t = ({q}.t + {e}).sin(); {q}.{field} = 1; }}"
                ));
            }
            8 => {
                self.uses("checked integer");
                let t = self.fresh("t");
                self.line(&format!(
                    "let {t} = match {q}.{field}.checked_sub(2) {{ Some(d) => {q}.t * (d % 7) as f64 * 0.1, None => {e} }};"
                ));
                self.scope.values.push(t);
            }
            _ => {
                self.uses("field of another width");
                self.line(&format!(
                    "{v} = ({v} + {q}.t * ({q}.{field} % 8) as f64 * 0.2).sin();"
                ));
            }
        }
    }
}
