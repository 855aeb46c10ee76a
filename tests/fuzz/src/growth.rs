//! Vectors that grow and shrink, storage that changes hands, and permutations.

use crate::writer::{Array, Writer};

impl Writer {
    /// A vector of any length but zero.
    pub(crate) fn growing(&mut self) -> String {
        if self.scope.growing.is_empty() {
            self.vector();
        }
        let growing = self.scope.growing.clone();
        self.one_of(&growing)
    }

    fn vector(&mut self) {
        self.uses("vector that grows");
        let name = self.fresh("g");
        let (e, g) = (self.expression(1), self.expression(0));
        let text = match self.random.below(4) {
            0 => {
                self.line(&format!("let mut {name} = Vec::new();"));
                self.line(&format!("{name}.push(1.0 * {e});"));
                self.scope.growing.push(name);
                return;
            }
            1 => format!("vec![{e}; 1 + {} % 3]", self.index()),
            2 => {
                self.uses("call that gives a vector");
                format!("grown(x, {e})")
            }
            _ => format!("vec![{e}, {g}]"),
        };
        self.line(&format!("let mut {name}: Vec<f64> = {text};"));
        self.scope.growing.push(name);
    }

    /// An element of a vector that grows.
    pub(crate) fn grown_element(&mut self) -> String {
        let name = self.growing();
        match self.random.below(3) {
            0 => format!("{name}[0]"),
            1 => format!("{name}[{name}.len() - 1]"),
            _ => format!("{name}[({}) % {name}.len()]", self.index()),
        }
    }

    /// Keeps it short where a loop would let it grow on.
    fn shorten(&mut self, name: &str) {
        if !self.loops.is_empty() {
            let keep = 1 + self.random.below(3);
            self.line(&format!(
                "if {name}.len() > 6 {{ {name}.truncate({keep}); }}"
            ));
        }
    }

    pub(crate) fn growth(&mut self) {
        if self.scope.growing.len() < 2 || self.random.once_in(16) {
            return self.vector();
        }
        let g = self.growing();
        let (e, k) = (self.expression(1), self.index());
        match self.random.below(16) {
            0..=2 => {
                self.uses("push");
                self.line(&format!("{g}.push({e});"));
                self.shorten(&g);
            }
            3 | 4 => self.popped(&g, &e),
            5 => {
                self.uses("truncate");
                self.line(&format!("{g}.truncate(1 + {k} % 3);"));
            }
            6 => {
                self.uses("resize");
                let t = self.variable();
                self.line(&format!("{g}.resize(1 + {k}, {e});"));
                // what is new is read, too
                self.line(&format!("{t} += {g}[{g}.len() - 1] * 0.5;"));
            }
            7 => {
                self.uses("insert");
                self.line(&format!("{g}.insert(({k}) % {g}.len(), {e});"));
                self.shorten(&g);
            }
            8 => {
                self.uses("remove");
                let t = self.variable();
                let how = self.one_of(&["remove", "swap_remove"]);
                self.line(&format!(
                    "if {g}.len() > 1 {{ {t} = {g}.{how}(({k}) % {g}.len()) * {e}; }}"
                ));
            }
            9 => {
                self.uses("extend");
                let view = self.one_of(&self.scope.views.clone()).0;
                let text = match self.random.below(3) {
                    0 => format!("{g}.extend_from_slice(&{view}[..1]);"),
                    1 => {
                        format!("{g}.extend({view}.iter().filter(|e| **e > 0.4).map(|e| e * 0.5));")
                    }
                    _ => format!("{g}.extend_from_slice(&[{e}, 0.5]);"),
                };
                self.line(&text);
                self.shorten(&g);
            }
            10 => {
                self.uses("split_off");
                let h = self.fresh("g");
                self.line(&format!(
                    "let mut {h} = {g}.split_off(({g}.len() + 1) / 2);"
                ));
                self.line(&format!("{h}.push({e});"));
                if self.random.once_in(2) {
                    self.line(&format!("{h}.append(&mut {g});"));
                    self.line(&format!("{g}.push({h}[0]);"));
                }
                self.scope.growing.push(h);
            }
            11 => {
                self.uses("clear");
                let e = self.bound(&e);
                self.line(&format!("{g}.clear();"));
                self.line(&format!("{g}.push({e});"));
            }
            12 => {
                self.uses("vector assigned anew");
                let from = match self.random.below(4) {
                    0 => format!("vec![{e}; 2]"),
                    1 => "x[1..3].to_vec()".to_owned(),
                    2 => format!("grown(x, {e})"),
                    _ => format!("{}.clone()", self.growing()),
                };
                self.line(&format!("{g} = {from};"));
            }
            13 => {
                self.uses("call that changes a vector");
                let e = self.bound(&e);
                let text = match self.random.below(3) {
                    0 => format!("advance(&mut {g}, {e});"),
                    1 => format!("halves(&mut {g}, {e});"),
                    _ => format!("{} += consumed({g}.clone(), {e});", self.variable()),
                };
                self.line(&text);
            }
            14 => self.each_grown(&g),
            _ => {
                self.uses("store in a vector");
                let at = match self.random.below(3) {
                    0 => "0".to_owned(),
                    1 => format!("{g}.len() - 1"),
                    _ => format!("({k}) % {g}.len()"),
                };
                let name = self.fresh("at");
                self.line(&format!("let {name} = {at};"));
                self.assign(&format!("{g}[{name}]"));
            }
        }
    }

    /// The value of an expression under a name.
    pub(crate) fn bound(&mut self, e: &str) -> String {
        let name = self.fresh("g");
        self.line(&format!("let {name} = {e};"));
        self.scope.values.push(name.clone());
        name
    }

    fn popped(&mut self, g: &str, e: &str) {
        self.uses("pop");
        let t = self.fresh("t");
        match self.random.below(3) {
            0 => {
                let v = self.variable();
                self.line(&format!(
                    "if {g}.len() > 1 {{ {v} -= {g}.pop().unwrap() * 0.5; }}"
                ));
            }
            1 => {
                self.line(&format!("let {t} = {g}.pop().unwrap_or(0.5);"));
                self.line(&format!("{g}.push(({t} * {e}).sin());"));
                self.scope.values.push(t);
            }
            _ => {
                self.line(&format!(
                    "if let Some({t}) = {g}.pop() {{ {g}.push({t} * 0.7); {g}.push({e}); }}"
                ));
                self.shorten(g);
            }
        }
    }

    /// A loop over what grows, also while it grows.
    fn each_grown(&mut self, g: &str) {
        self.uses("loop over a vector that grows");
        let kind = self.random.below(4);
        let kept = self.scope.growing.clone();
        if kind == 2 {
            // it is lent while the loop runs
            self.scope.growing.retain(|o| o != g);
        }
        let (i, c, v) = (self.fresh("i"), self.condition(), self.variable());
        let e = self.expression(1);
        self.scope.growing = kept;
        match kind {
            0 => self.line(&format!(
                "for {i} in 0..{g}.len() {{ {g}[{i}] = ({g}[{i}] * {g}[{g}.len() - 1 - {i}] + {e}).sin(); if {c} {{ break; }} }}"
            )),
            1 => self.line(&format!(
                "for {i} in 0..{g}.len() {{ if {c} {{ {g}.push({g}[{i}] * 0.5); }} {v} += {g}[{i}] * 0.3; }}"
            )),
            2 => self.line(&format!(
                "for {i} in {g}.iter_mut() {{ if {c} {{ continue; }} *{i} = (*{i} * {e}).sin(); }}"
            )),
            _ => self.line(&format!(
                "for {i} in 1..{g}.len() {{ {g}[{i}] += {g}[{i} - 1] * 0.5; {v} = ({v} + {g}[{i}]).sin(); }}"
            )),
        }
        self.shorten(g);
    }

    /// Storage that changes hands.
    pub(crate) fn hands(&mut self) {
        let (e, k) = (self.expression(1), self.random.below(6));
        let g = self.growing();
        let others: Vec<String> = self
            .scope
            .growing
            .iter()
            .filter(|o| **o != g)
            .cloned()
            .collect();
        match k {
            0 | 1 if !others.is_empty() => {
                self.uses("vectors exchanged");
                let h = self.one_of(&others);
                self.line(&format!("std::mem::swap(&mut {g}, &mut {h});"));
            }
            2 => {
                self.uses("mem::take");
                let (e, h) = (self.bound(&e), self.fresh("g"));
                self.line(&format!("let mut {h} = std::mem::take(&mut {g});"));
                self.line(&format!("{g}.push({h}[0] * {e});"));
                self.scope.growing.push(h);
            }
            3 => {
                self.uses("mem::replace");
                let (e, h) = (self.bound(&e), self.fresh("g"));
                self.line(&format!(
                    "let mut {h} = std::mem::replace(&mut {g}, vec![{e}; 2]);"
                ));
                self.scope.growing.push(h);
            }
            4 => {
                self.uses("vector that moves");
                let (e, h) = (self.bound(&e), self.fresh("g"));
                self.line(&format!("let mut {h} = {g};"));
                self.line(&format!("{g} = vec![{e}, {h}[0]];"));
                self.scope.growing.push(h);
            }
            _ => self.buffers(),
        }
    }

    /// Two arrays or vectors of the same length exchange their contents.
    pub(crate) fn buffers(&mut self) {
        if self.stays {
            // contents do not change places from trip to trip
            return self.binding();
        }
        let vector = self.random.below(3) > 0;
        let alike = |w: &Writer| -> Vec<String> {
            let fit = w
                .scope
                .arrays
                .iter()
                .filter(|a| !a.lent && a.vector == vector);
            fit.map(|a| a.name.clone()).collect()
        };
        while alike(self).len() < 2 {
            let (name, e) = (self.fresh("w"), self.expression(0));
            let text = if vector {
                format!("vec![{e}; 6]")
            } else {
                format!("[{e}; 6]")
            };
            self.line(&format!("let mut {name} = {text};"));
            self.scope.arrays.push(Array {
                name,
                lent: false,
                vector,
            });
        }
        self.uses("buffers exchanged");
        let found = alike(self);
        let (a, b) = (&found[0], &found[found.len() - 1]);
        if self.random.once_in(2) {
            let (i, e) = (self.fresh("i"), self.expression(0));
            self.line(&format!(
                "for {i} in 0..6 {{ {b}[{i}] = ({a}[{i}] + 0.3 * {a}[({i} + 1) % 6] * {e}).sin(); }}"
            ));
        }
        self.line(&format!("std::mem::swap(&mut {a}, &mut {b});"));
    }

    /// Elements that change their places.
    pub(crate) fn permuted(&mut self) {
        let name = if self.random.once_in(2) {
            self.growing()
        } else {
            self.array().name
        };
        let text = match self.random.below(7) {
            6 => {
                self.uses("sort by a comparison");
                self.one_of(&[
                    "sort_by(|p, q| q.abs().total_cmp(&p.abs()).then(p.total_cmp(q)))",
                    "sort_by(|p, q| if p * 0.5 > q * 0.5 { std::cmp::Ordering::Less } else { p.total_cmp(q).reverse() })",
                ])
            }
            0 | 1 => {
                self.uses("sort");
                self.one_of(&[
                    "sort_by(f64::total_cmp)",
                    "sort_by(|p, q| q.total_cmp(p))",
                    "sort_by(|p, q| p.partial_cmp(q).unwrap())",
                ])
            }
            2 | 3 => {
                self.uses("reverse");
                "reverse()"
            }
            _ => {
                self.uses("rotate");
                self.one_of(&["rotate_left(1)", "rotate_right(1)"])
            }
        };
        self.line(&format!("{name}.{text};"));
    }

    /// A loop that uses a stack up.
    pub(crate) fn used_up(&mut self) {
        let (q, c, t) = (self.fresh("q"), self.fresh("c"), self.fresh("t"));
        let (e, g) = (self.expression(1), self.expression(0));
        self.line(&format!("let mut {q} = vec![{e}, {g}];"));
        self.line(&format!("let mut {c} = 0usize;"));
        self.trips(
            "while let",
            &format!("while let Some({t}) = {q}.pop()"),
            |w| {
                w.line(&format!("{c} += 1;"));
                let e = w.expression(0);
                w.line(&format!("if {c} < 3 {{ {q}.push(({t} * {e}).sin()); }}"));
                w.scope.values.push(t.clone());
                w.scope.integers.push(c.clone());
            },
        );
        self.scope.integers.push(c);
    }
}
