//! Statements with bodies: branches, loops, blocks.

use crate::CONTROL;
use crate::writer::{Array, Writer};

impl Writer {
    pub(crate) fn control(&mut self) {
        let construct = self.one_of(CONTROL);
        // its body sees fewer arrays, and there must be one
        let shrinks = ["for iter_mut", "for zip enumerate"].contains(&construct);
        if shrinks && self.scope.arrays.len() < 2 {
            self.sequence();
        }
        self.uses(construct);
        match construct {
            "while let" => self.used_up(),
            "checkpointed loop" => self.checkpointed(),
            "if" => {
                let c = self.condition();
                self.line(&format!("if {c} {{"));
                self.body(construct, |_| {});
                self.line("}");
            }
            "if else" => {
                let c = self.condition();
                self.line(&format!("if {c} {{"));
                self.body(construct, |_| {});
                self.line("} else {");
                self.body(construct, |_| {});
                self.line("}");
            }
            "else if" => {
                let (c, d) = (self.condition(), self.condition());
                self.line(&format!("if {c} {{"));
                self.body(construct, |_| {});
                self.line(&format!("}} else if {d} {{"));
                self.body(construct, |_| {});
                self.line("} else {");
                self.body(construct, |_| {});
                self.line("}");
            }
            "match" => {
                let (k, c) = (self.index(), self.condition());
                self.line(&format!("match {k} {{"));
                let guard = format!("k if k > 3 && {c} => {{");
                for head in ["0 => {", "1 | 2 => {", &guard, "_ => {"] {
                    self.deeper(|w| {
                        w.line(head);
                        w.body(construct, |_| {});
                        w.line("}");
                    });
                }
                self.line("}");
            }
            "block" => self.block(),
            "labelled block" => self.labelled(),
            "if let" => self.if_let(),
            "match of an option" => self.option_match(),
            "while" | "loop" => self.endless(construct),
            "for chain" => {
                let (chain, pattern, value) = self.fixed(Writer::looped);
                self.trips(construct, &format!("for {pattern} in {chain}"), |w| {
                    w.scope.values.push(value);
                });
            }
            "for slice" | "for iter_mut" | "for zip enumerate" => self.elements(construct),
            _ => self.range(construct),
        }
    }

    /// A block, some with a part of an array that is written.
    fn block(&mut self) {
        let array = self.array();
        if self.random.once_in(2) || self.scope.arrays.len() < 2 {
            self.line("{");
            self.body("block", |_| {});
        } else {
            self.uses("mutable view");
            let part = self.fresh("u");
            self.line("{");
            self.body("block", |w| {
                w.line(&format!("let {part} = &mut {}[1..5];", array.name));
                w.scope.arrays.retain(|a| a.name != array.name);
                let e = w.expression(1);
                w.line(&format!("{part}[0] = {part}[3] * {e};"));
                w.line(&format!("{part}[2] *= 0.5;"));
            });
        }
        self.line("}");
    }

    /// A loop's body under its label.
    pub(crate) fn trips(
        &mut self,
        construct: &'static str,
        head: &str,
        enter: impl FnOnce(&mut Writer),
    ) {
        let label = self.fresh("l");
        self.line(&format!("'{label}: {head} {{"));
        self.loops.push(label);
        let plain = std::mem::replace(&mut self.plain, true);
        self.body(construct, enter);
        self.plain = plain;
        self.loops.pop();
        self.line("}");
    }

    fn range(&mut self, construct: &'static str) {
        let i = self.fresh("i");
        // with the least and the greatest value; `n` is at most three
        let (range, lo, hi) = match construct {
            "for range" => self.one_of(&[
                ("0..3", 0, 2),
                ("n..4", 0, 3),
                ("0..n + 1", 0, 3),
                ("2..2", 2, 2),
                ("0..x.len() / 2", 0, 2),
                ("1..x.len() - 1", 1, 4),
            ]),
            "for inclusive range" => {
                self.one_of(&[("1..=2", 1, 2), ("0..=n", 0, 3), ("3..=2", 3, 3)])
            }
            "for reversed range" => self.one_of(&[
                ("(0..n).rev()", 0, 3),
                ("(1..4).rev()", 1, 3),
                ("(0..=2).rev()", 0, 2),
            ]),
            _ => self.one_of(&[
                ("(0..6).step_by(2)", 0, 4),
                ("(n..6).step_by(3)", 0, 5),
                ("(0..5).rev().step_by(2)", 0, 4),
            ]),
        };
        let running = self.random.once_in(3).then(|| self.fresh("m"));
        let by = 1 + self.random.below(2);
        if let Some(m) = &running {
            self.uses("running index");
            let start = self.random.below(2);
            self.line(&format!("let mut {m} = {start};"));
        }
        let inner = running.clone();
        self.trips(construct, &format!("for {i} in {range}"), |w| {
            w.scope.bounded.push((i.clone(), lo, hi));
            w.scope.integers.push(i.clone());
            if let Some(m) = inner {
                // steps once in each trip, before or after its use
                let first = w.random.once_in(2);
                let up = format!("{m} += {by};");
                let triangle = w.random.once_in(2);
                if first && !triangle {
                    w.line(&up);
                }
                let (array, e) = (w.array().name, w.expression(1));
                if triangle {
                    w.uses("packed triangle");
                    // the columns up to the diagonal, or from it to the last row
                    let end = range.rsplit("..").next().filter(|e| e.len() == 1);
                    let end = end.unwrap_or("4");
                    let columns = match w.random.below(4) {
                        0 => format!("0..{i}"),
                        1 => format!("0..={i}"),
                        2 => format!("{i}..{end}"),
                        _ => format!("{i} + 1..{end}"),
                    };
                    let j = w.fresh("j");
                    w.line(&format!("for {j} in {columns} {{"));
                    w.line(&format!(
                        "{array}[({m} + {j}) % 6] += {e} * x[({m} + 1) % 6];"
                    ));
                    w.line(&format!("{m} += 1; }}"));
                    w.scope.integers.push(m);
                    return;
                }
                w.line(&format!("{array}[{m} % 6] += {e} * x[({m} + 1) % 6];"));
                if !first {
                    w.line(&up);
                }
                w.scope.integers.push(m);
            }
        });
        self.scope.integers.extend(running);
    }

    /// `while` and `loop`, of a few trips.
    fn endless(&mut self, construct: &'static str) {
        let c = self.fresh("c");
        self.line(&format!("let mut {c} = 0usize;"));
        if construct == "while" {
            let cond = self.condition();
            let head = format!("while {c} < 4 && ({c} < 2 || {cond})");
            self.trips(construct, &head, |w| {
                w.line(&format!("{c} += 1;"));
                w.scope.integers.push(c.clone());
            });
        } else {
            self.trips(construct, "loop", |w| {
                w.line(&format!("if {c} > 2 {{ break; }}"));
                w.line(&format!("{c} += 1;"));
                w.scope.integers.push(c.clone());
            });
        }
        self.scope.integers.push(c);
    }

    /// Loops over elements.
    fn elements(&mut self, construct: &'static str) {
        let e = self.fresh("e");
        match construct {
            "for slice" => {
                let views = self.scope.views.clone();
                let (view, n) = self.one_of(&views);
                let part = format!("{view}[..{}]", n.min(3));
                let (head, name) = match self.random.below(3) {
                    0 => (format!("for &{e} in &{part}"), e.clone()),
                    1 => (format!("for {e} in {part}.iter()"), format!("*{e}")),
                    _ => (
                        format!("for {e} in {part}.iter().copied().skip(1)"),
                        e.clone(),
                    ),
                };
                self.trips(construct, &head, |w| w.scope.values.push(name));
            }
            "for iter_mut" => {
                let Array { name, .. } = self.array();
                let part = self.one_of(&["[..3]", "[2..4]", "[..]"]);
                let head = format!("for {e} in {name}{part}.iter_mut()");
                self.trips(construct, &head, |w| {
                    w.scope.arrays.retain(|a| a.name != name);
                    w.scope.variables.push(format!("*{e}"));
                    let g = w.expression(1);
                    w.line(&format!("*{e} = (*{e} + {g}).sin();"));
                });
            }
            _ => {
                let Array { name, .. } = self.array();
                let (i, p) = (self.fresh("i"), self.fresh("p"));
                let head = self.one_of(&[
                    format!("for ({i}, ({p}, {e})) in x[1..4].iter().zip({name}.iter()).enumerate()"),
                    format!("for ({i}, ({p}, {e})) in x[2..].iter().zip({name}[1..3].iter()).enumerate()"),
                ]);
                self.trips(construct, &head, |w| {
                    w.scope.arrays.retain(|a| a.name != name);
                    w.scope.integers.push(i.clone());
                    w.scope.values.extend([format!("*{p}"), format!("*{e}")]);
                });
            }
        }
    }
}
