//! Vectors of vectors.

use crate::writer::Writer;

impl Writer {
    fn new_rows(&mut self) {
        self.uses("vector of vectors");
        let name = self.fresh("rs");
        let (e, g, k) = (self.expression(1), self.expression(0), self.index());
        let text = match self.random.below(5) {
            0 => format!("vec![vec![{e}; 2]; 1 + {k} % 3]"),
            1 => format!("vec![x[1..].to_vec(), vec![{e}, {g}]]"),
            2 => {
                self.uses("call that gives a vector of vectors");
                format!("table(x, {e})")
            }
            3 if !self.scope.rows.is_empty() => {
                let rows = self.scope.rows.clone();
                format!("{}.clone()", self.one_of(&rows))
            }
            _ => {
                let row = self.growing();
                format!("vec![{row}.clone(), vec![{e}]]")
            }
        };
        self.line(&format!("let mut {name}: Vec<Vec<f64>> = {text};"));
        self.scope.rows.push(name);
    }

    /// An element of a row.
    pub(crate) fn row_element(&mut self) -> String {
        self.uses("element of a row");
        let rows = self.scope.rows.clone();
        let rs = self.one_of(&rows);
        match self.random.below(3) {
            0 => format!("{rs}[0][0]"),
            1 => format!("{rs}[{rs}.len() - 1][0]"),
            _ => {
                let k = self.index();
                format!("{rs}[({k}) % {rs}.len()][{rs}[({k}) % {rs}.len()].len() - 1]")
            }
        }
    }

    pub(crate) fn rows(&mut self) {
        if self.scope.rows.is_empty() || self.random.once_in(6) {
            self.new_rows();
        }
        let rows = self.scope.rows.clone();
        let rs = self.one_of(&rows);
        let kind = self.random.below(14);
        // some of it is lent while the statement runs
        self.scope.rows.retain(|o| *o != rs);
        let e = self.expression(1);
        let (e, k, v) = (self.bound(&e), self.index(), self.variable());
        let c = self.condition();
        self.scope.rows = rows.clone();
        let (i, r) = (self.fresh("at"), self.fresh("r"));
        self.line(&format!("let {i} = ({k}) % {rs}.len();"));
        match kind {
            0 | 1 => {
                self.uses("store in a row");
                let at = self.one_of(&["0".to_owned(), format!("{rs}[{i}].len() - 1")]);
                let j = self.fresh("at");
                self.line(&format!("let {j} = {at};"));
                self.assign(&format!("{rs}[{i}][{j}]"));
            }
            2 | 3 => {
                self.uses("push to a row");
                self.line(&format!("{rs}[{i}].push({e});"));
                self.line(&format!(
                    "if {rs}[{i}].len() > 4 {{ {rs}[{i}].truncate(2); }}"
                ));
            }
            4 => {
                self.uses("push of a row");
                let row = self.one_of(&[format!("vec![{e}; 2]"), format!("{rs}[{i}].clone()")]);
                self.line(&format!("let {r} = {row};"));
                self.line(&format!("{rs}.push({r});"));
                self.line(&format!("if {rs}.len() > 4 {{ {rs}.truncate(2); }}"));
            }
            5 => {
                self.uses("pop of a row");
                self.line(&format!(
                    "if {rs}.len() > 1 {{ let t = {rs}.pop().unwrap(); {v} += t[0] * t[t.len() - 1] * 0.3; }}"
                ));
            }
            6 => {
                self.uses("pop of a row");
                self.line(&format!(
                    "if {rs}[{i}].len() > 1 {{ {v} -= {rs}[{i}].pop().unwrap() * 0.4; }}"
                ));
            }
            7 => {
                self.uses("rows that change places");
                let text = self.one_of(&["reverse()", "rotate_left(1)"]);
                self.line(&format!("{rs}.{text};"));
                self.line(&format!("{rs}.swap(0, {i});"));
            }
            8 => {
                self.uses("row assigned anew");
                let row = self.one_of(&[
                    format!("vec![{e}, 0.5, x[1]]"),
                    "x[2..4].to_vec()".to_owned(),
                    format!("grown(x, {e})"),
                ]);
                self.line(&format!("{rs}[{i}] = {row};"));
            }
            9 => {
                self.uses("loop over rows");
                self.line(&format!(
                    "for {r} in &{rs} {{ {v} = ({v} + {r}[0] * {r}[{r}.len() - 1]).sin(); if {c} {{ break; }} }}"
                ));
            }
            10 => {
                self.uses("loop over rows");
                self.line(&format!(
                    "for {r} in {rs}.iter_mut() {{ if {c} {{ continue; }} for t in {r}.iter_mut() {{ *t = (*t * {e}).sin(); }} {r}[0] += 0.2; }}"
                ));
            }
            11 => {
                self.uses("row lent");
                self.line(&format!("advance(&mut {rs}[{i}], {e});"));
                self.line(&format!("{v} += dot(&{rs}[{i}], &x[1..]) * 0.3;"));
            }
            12 => {
                self.uses("rows lent");
                self.line(&format!("relax(&mut {rs}, {e});"));
                self.line(&format!("{v} += total(&{rs}, {e}) * 0.5;"));
            }
            _ => {
                self.uses("rows in a chain");
                self.line(&format!(
                    "{v} += {rs}.iter().map(|r| r[0] * r.len() as f64).sum::<f64>().sin();"
                ));
            }
        }
    }
}
