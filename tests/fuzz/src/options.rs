//! Options, patterns that may fail, blocks that are left early.

use crate::writer::Writer;

impl Writer {
    /// A float that may be there.
    fn some(&mut self) -> String {
        let (c, e) = (self.condition(), self.expression(1));
        match self.random.below(4) {
            3 => {
                self.uses("item of a chain as an option");
                format!("x.iter().map(|v| v * 0.5).find(|found| *found > {e})")
            }
            0 => format!("if {c} {{ Some({e}) }} else {{ None }}"),
            1 => {
                let k = self.index_below(9);
                format!("x.get({k}).copied()")
            }
            _ => format!("Some({e})"),
        }
    }

    pub(crate) fn option(&mut self) {
        let options = self.scope.options.clone();
        if options.is_empty() || self.random.once_in(3) {
            self.uses("option");
            let (name, some) = (self.fresh("o"), self.some());
            self.line(&format!("let mut {name}: Option<f64> = {some};"));
            self.scope.options.push(name);
        } else {
            self.uses("option that is assigned");
            let (name, some) = (self.one_of(&options), self.some());
            self.line(&format!("{name} = {some};"));
        }
    }

    /// One of two kinds of results, and the value of an option that is mapped.
    pub(crate) fn either(&mut self) {
        let (c, e, k) = (self.condition(), self.expression(1), self.index());
        let (name, o) = (self.fresh("s"), self.fresh("o"));
        if self.random.once_in(3) {
            self.uses("option as an iterator");
            let option = self.one_option();
            self.line(&format!("let mut {name} = {e};"));
            self.line(&format!(
                "for v in {option} {{ {name} = ({name} + v * a).cos(); }}"
            ));
            self.line(&format!(
                "{name} += {option}.iter().map(|v| v * {name}).sum::<f64>();"
            ));
        } else if self.random.once_in(2) {
            self.uses("result");
            self.line(&format!(
                "let {o}: Result<f64, usize> = if {c} {{ Ok({e}) }} else {{ Err({k}) }};"
            ));
            self.line(&format!(
                "let {name} = match {o} {{ Ok(v) => v * 0.5, Err(k) => x[k % 6] }};"
            ));
        } else {
            self.uses("map of an option");
            let option = self.one_option();
            self.line(&format!(
                "let {name} = {option}.map(|v| (v * a).sin()).unwrap_or({e});"
            ));
        }
        self.scope.values.push(name);
    }

    pub(crate) fn one_option(&mut self) -> String {
        if self.scope.options.is_empty() {
            self.option();
        }
        let options = self.scope.options.clone();
        self.one_of(&options)
    }

    pub(crate) fn if_let(&mut self) {
        let (option, v) = (self.one_option(), self.fresh("v"));
        let both = self.random.once_in(2);
        self.line(&format!("if let Some({v}) = {option} {{"));
        self.body("if let", |w| w.scope.values.push(v));
        if both {
            self.line("} else {");
            self.body("if let", |_| {});
        }
        self.line("}");
    }

    pub(crate) fn option_match(&mut self) {
        let (option, v, w) = (self.one_option(), self.fresh("v"), self.fresh("v"));
        let guard = self.expression(0);
        self.line(&format!("match {option} {{"));
        let arms = [
            (format!("Some({v}) if {v} > {guard} => {{"), Some(v)),
            (format!("Some({w}) => {{"), Some(w)),
            ("None => {".to_owned(), None),
        ];
        for (head, value) in arms {
            self.deeper(|w| {
                w.line(&head);
                w.body("match of an option", |w| w.scope.values.extend(value));
                w.line("}");
            });
        }
        self.line("}");
    }

    pub(crate) fn let_else(&mut self) {
        let (option, v) = (self.one_option(), self.fresh("v"));
        if self.stays && (!self.plain || self.loops.is_empty()) {
            return self.binding();
        }
        let exit = if self.plain && !self.loops.is_empty() && (self.stays || self.random.once_in(2))
        {
            self.uses("continue");
            "continue".to_owned()
        } else {
            self.uses("return");
            format!("return {}", self.result())
        };
        self.uses("let else");
        self.line(&format!("let Some({v}) = {option} else {{ {exit}; }};"));
        self.scope.values.push(v);
    }

    /// A block that its body may leave.
    pub(crate) fn labelled(&mut self) {
        let label = self.fresh("b");
        self.line(&format!("'{label}: {{"));
        self.blocks.push(label);
        let plain = std::mem::replace(&mut self.plain, false);
        self.body("labelled block", |_| {});
        self.plain = plain;
        self.blocks.pop();
        self.line("}");
    }

    /// A block whose value may be found early.
    pub(crate) fn block_value(&mut self) {
        self.uses("value of a block");
        let (name, label) = (self.fresh("s"), self.fresh("b"));
        let (c, e, g) = (self.condition(), self.expression(1), self.expression(1));
        let target = self.variable();
        self.line(&format!("let {name} = '{label}: {{"));
        self.deeper(|w| {
            w.line(&format!("if {c} {{ break '{label} {e}; }}"));
            w.uses("assert");
            w.line("assert!(x.len() == 6, \"six numbers\");");
            w.line(&format!(
                "for e in x.iter() {{ if *e > {target} {{ break '{label} *e * {g}; }} }}"
            ));
            w.line(&format!("{target} *= 0.5;"));
            w.line(&g);
        });
        self.line("};");
        self.scope.values.push(name);
    }
}
