//! Structs: written, copied, lent, in vectors, and their methods.

use crate::writer::Writer;

impl Writer {
    /// A struct that can be written.
    pub(crate) fn structure(&mut self) -> String {
        if self.scope.structs.is_empty() {
            self.new_struct();
        }
        let structs = self.scope.structs.clone();
        self.one_of(&structs)
    }

    fn new_struct(&mut self) {
        let name = self.fresh("p");
        let text = self.struct_value();
        self.line(&format!("let mut {name}: P = {text};"));
        self.scope.structs.push(name);
    }

    /// An expression of the struct's type.
    fn struct_value(&mut self) -> String {
        let (e, g, k) = (self.expression(1), self.expression(0), self.index());
        let structs = self.scope.structs.clone();
        if structs.is_empty() || self.random.once_in(4) {
            self.uses("struct");
            return format!("P {{ a: {e}, b: {g}, w: [{g}, x[1], {e}], k: {k} }}");
        }
        let p = self.one_of(&structs);
        match self.random.below(5) {
            0 => {
                self.uses("struct update");
                format!("P {{ a: {e}, ..{p} }}")
            }
            1 => {
                self.uses("struct update");
                format!("P {{ w: [{g}, {e}, {p}.a], k: {k}, ..{p} }}")
            }
            2 => {
                self.uses("function of a type");
                format!("P::of(x, {k})")
            }
            3 => {
                self.uses("method by value");
                format!("P::mixed({p}, {})", self.one_of(&structs))
            }
            _ => {
                self.uses("copy of a struct");
                p
            }
        }
    }

    /// A field that is a number.
    pub(crate) fn field(&mut self) -> String {
        let p = if !self.scope.lists.is_empty() && self.random.once_in(3) {
            self.listed()
        } else {
            self.structure()
        };
        match self.random.below(4) {
            0 => format!("{p}.a"),
            1 => format!("{p}.b"),
            _ => format!("{p}.w[{}]", self.index_below(3)),
        }
    }

    /// An element of a vector of structs.
    fn listed(&mut self) -> String {
        let lists = self.scope.lists.clone();
        let list = self.one_of(&lists);
        match self.random.below(3) {
            0 => format!("{list}[0]"),
            _ => format!("{list}[({}) % {list}.len()]", self.index()),
        }
    }

    pub(crate) fn structs(&mut self) {
        if self.scope.structs.len() < 2 || self.random.once_in(10) {
            return self.new_struct();
        }
        let p = self.structure();
        let others: Vec<String> = self
            .scope
            .structs
            .iter()
            .filter(|o| **o != p)
            .cloned()
            .collect();
        let (e, k) = (self.expression(1), self.index());
        match self.random.below(13) {
            0..=2 => {
                self.uses("field that is written");
                let mut field = self.field();
                if let Some((list, rest)) = field.split_once("[(")
                    && let Some((at, rest)) = rest.split_once(".len()]")
                {
                    let name = self.fresh("at");
                    let (head, rest) = (format!("let {name} = ({at}.len();"), rest.to_owned());
                    field = format!("{list}[{name}]{rest}");
                    self.line(&head);
                }
                self.assign(&field);
            }
            3 => {
                self.uses("passive field that is written");
                let op = self.one_of(&["=", "+="]);
                let text = format!("{p}.k {op} {k};");
                self.line(&text);
            }
            4 | 5 => {
                self.uses("struct assigned anew");
                let value = self.struct_value();
                self.line(&format!("{p} = {value};"));
            }
            6 if !others.is_empty() => {
                self.uses("structs exchanged");
                let q = self.one_of(&others);
                self.line(&format!("std::mem::swap(&mut {p}, &mut {q});"));
            }
            7 | 11 => {
                self.uses("mem::replace of a struct");
                let (q, r, value) = (self.fresh("p"), self.fresh("p"), self.struct_value());
                self.line(&format!("let {r}: P = {value};"));
                self.line(&format!("let mut {q} = std::mem::replace(&mut {p}, {r});"));
                self.scope.structs.push(q);
            }
            8 if !others.is_empty() => {
                self.uses("method that writes");
                let (q, e) = (self.one_of(&others), self.bound(&e));
                self.line(&format!("P::push(&mut {p}, &{q}, {e});"));
            }
            9 => {
                self.uses("struct pattern");
                let (s, t) = (self.fresh("s"), self.fresh("s"));
                self.line(&format!("let P {{ a: {s}, w: [_, {t}, _], .. }} = {p};"));
                self.scope.values.extend([s, t]);
            }
            10 if !others.is_empty() => {
                self.uses("struct chosen by reference");
                let (r, q) = (self.fresh("r"), self.one_of(&others));
                let c = self.condition();
                self.line("{");
                self.deeper(|w| {
                    w.line(&format!(
                        "let {r} = if {c} {{ &mut {p} }} else {{ &mut {q} }};"
                    ));
                    w.line(&format!("{r}.a = ({r}.a * {r}.b).sin();"));
                    w.line(&format!("{r}.w[1] += {r}.a;"));
                });
                self.line("}");
            }
            _ => {
                self.uses("field that is written");
                let field = self.one_of(&["a", "b", "w[0]", "w[2]"]);
                self.assign(&format!("{p}.{field}"));
            }
        }
    }

    /// Vectors of structs.
    pub(crate) fn list(&mut self) {
        let p = self.structure();
        let lists = self.scope.lists.clone();
        if lists.is_empty() || self.random.once_in(6) {
            self.uses("vector of structs");
            let (name, n) = (self.fresh("ps"), 1 + self.random.below(3));
            let q = self.structure();
            let text = if self.random.once_in(2) {
                format!("let mut {name} = vec![{p}; {n}];")
            } else {
                format!("let mut {name} = vec![{p}, {q}];")
            };
            self.line(&text);
            self.scope.lists.push(name);
            return;
        }
        let ps = self.one_of(&lists);
        let kind = self.random.below(10);
        let kept = self.scope.lists.clone();
        if kind == 5 || kind == 6 {
            // it is lent while the loop runs
            self.scope.lists.retain(|o| *o != ps);
        }
        let (e, v, c) = (self.expression(1), self.variable(), self.condition());
        self.scope.lists = kept;
        match kind {
            0 | 1 => {
                self.uses("push of a struct");
                self.line(&format!("{ps}.push({p});"));
                if !self.loops.is_empty() {
                    self.line(&format!("if {ps}.len() > 4 {{ {ps}.truncate(2); }}"));
                }
            }
            2 => {
                self.uses("pop of a struct");
                self.line(&format!(
                    "if {ps}.len() > 1 {{ let t = {ps}.pop().unwrap(); {v} += t.a * t.w[0]; }}"
                ));
            }
            3 => {
                self.uses("struct of a vector");
                let (q, k) = (self.fresh("p"), self.index());
                self.line(&format!("let mut {q}: P = {ps}[({k}) % {ps}.len()];"));
                self.scope.structs.push(q);
            }
            4 => {
                self.uses("struct of a vector assigned anew");
                let (k, value) = (self.index(), self.struct_value());
                self.line(&format!("let k = ({k}) % {ps}.len();"));
                self.line(&format!("{ps}[k] = {value};"));
            }
            5 => {
                self.uses("loop over structs");
                let q = self.fresh("q");
                self.line(&format!(
                    "for {q} in {ps}.iter_mut() {{ if {c} {{ continue; }} {q}.a = ({q}.a + {e}).sin(); {q}.w[1] *= {q}.a; }}"
                ));
            }
            6 => {
                self.uses("loop over structs");
                let q = self.fresh("q");
                self.line(&format!(
                    "for {q} in &{ps} {{ {v} = ({v} + {q}.a * {q}.w[1]).sin(); if {v} > 0.8 {{ break; }} }}"
                ));
            }
            7 => {
                self.uses("parts of structs lent");
                let e = self.bound(&e);
                self.line("{");
                self.deeper(|w| {
                    w.line(&format!("let (l, r) = {ps}.split_at_mut(1);"));
                    w.line(&format!(
                        "if r.len() > 0 {{ P::push(&mut l[0], &r[r.len() - 1], {e}); r[0].b *= l[0].a.sin(); }}"
                    ));
                });
                self.line("}");
            }
            8 => {
                self.uses("structs in a chain");
                self.line(&format!(
                    "{v} += {ps}.iter().map(|p| p.a * p.w[2]).sum::<f64>().sin();"
                ));
            }
            _ => {
                self.uses("structs that change places");
                let text = self.one_of(&["reverse()", "rotate_left(1)", "swap(0, 0)"]);
                self.line(&format!("{ps}.{text};"));
            }
        }
    }

    /// A method's result.
    pub(crate) fn energy(&mut self) -> String {
        let p = self.structure_or_listed();
        if self.random.once_in(4) {
            self.uses("method of a trait");
            let e = self.expression(0);
            return format!("(1.0 * P::heavy(&{p}, {e})).sin()");
        }
        self.uses("method");
        format!("(1.0 * P::energy(&{p})).sin()")
    }

    fn structure_or_listed(&mut self) -> String {
        if !self.scope.lists.is_empty() && self.random.once_in(3) {
            self.listed()
        } else {
            self.structure()
        }
    }
}
