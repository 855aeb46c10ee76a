//! Chains of iterators and closures.

use crate::writer::Writer;

/// What a chain gives.
#[derive(Clone, Copy, PartialEq)]
enum Item {
    /// `&f64`
    Reference,
    /// `f64`
    Value,
}

impl Item {
    /// A closure's parameter, and the number behind it.
    fn names(self, name: &str) -> (String, String) {
        match self {
            Item::Reference => (name.to_owned(), format!("(*{name})")),
            Item::Value => (name.to_owned(), name.to_owned()),
        }
    }

    /// The number behind the parameter of a predicate, which has one more `&`.
    fn behind(self, name: &str) -> String {
        match self {
            Item::Reference => format!("(**{name})"),
            Item::Value => format!("(*{name})"),
        }
    }
}

impl Writer {
    /// Runs `write` where only that can be read which never changes: what a closure may hold on to.
    pub(crate) fn fixed<T>(&mut self, write: impl FnOnce(&mut Writer) -> T) -> T {
        let kept = self.scope.clone();
        self.scope.variables.clear();
        self.scope.arrays.clear();
        self.scope.counters.clear();
        self.scope.matrices.clear();
        self.scope.options.clear();
        self.scope.growing.clear();
        self.scope.structs.clear();
        self.scope.lists.clear();
        self.scope.rows.clear();
        self.scope.tallies.clear();
        let result = write(self);
        self.scope = kept;
        result
    }

    /// A chain of numbers; `sized` if its length must be known before it has run.
    fn items(&mut self, sized: bool) -> (String, Item) {
        let (mut text, mut item) = self.start(sized);
        if self.random.once_in(3) {
            self.uses("rev");
            text.push_str(".rev()");
        }
        for _ in 0..self.random.below(3) {
            (text, item) = self.adapted(text, item, sized);
        }
        (text, item)
    }

    fn start(&mut self, sized: bool) -> (String, Item) {
        let views = self.scope.views.clone();
        let ((view, _), (other, _)) = (self.one_of(&views), self.one_of(&views));
        let v = self.fresh("e");
        match self.random.below(8) {
            0 if !sized => {
                self.uses("chain");
                (
                    format!("{view}.iter().chain({other}.iter())"),
                    Item::Reference,
                )
            }
            1 => {
                self.uses("windows");
                (
                    format!("{view}.windows(2).map(|{v}| {v}[0] * {v}[1])"),
                    Item::Value,
                )
            }
            2 => {
                self.uses("chunks");
                (
                    format!("{view}.chunks(2).map(|{v}| {v}[0] * {v}.len() as f64)"),
                    Item::Value,
                )
            }
            3 => {
                self.uses("zip of chains");
                (
                    format!("{view}.iter().zip({other}.iter().rev()).map(|({v}, w)| {v} * w)"),
                    Item::Value,
                )
            }
            4 if !sized => {
                self.uses("flat_map");
                (
                    format!("{view}.iter().flat_map(|{v}| [*{v}, {v} * 0.5])"),
                    Item::Value,
                )
            }
            5 => (format!("{view}.iter().copied()"), Item::Value),
            _ => (format!("{view}.iter()"), Item::Reference),
        }
    }

    fn adapted(&mut self, text: String, item: Item, sized: bool) -> (String, Item) {
        let (name, state) = (self.fresh("e"), self.fresh("s"));
        let (parameter, value) = item.names(&name);
        let behind = item.behind(&name);
        let e = self.expression(0);
        match self.random.below(11) {
            8 if !sized => {
                self.uses("skip_while");
                (format!("{text}.skip_while(|{name}| {behind} < {e})"), item)
            }
            9 if !sized => {
                self.uses("map_while");
                let map = format!(
                    "{text}.map_while(|{parameter}| if {value} < 1.2 {{ Some({value} * {e}) }} else {{ None }})"
                );
                (map, Item::Value)
            }
            10 if !sized => {
                self.uses("inspect");
                (
                    format!("{text}.inspect(|{name}| assert!({behind} < 100.0))"),
                    item,
                )
            }
            0 => {
                let part = self.one_of(&["skip(1)", "take(3)", "step_by(2)"]);
                self.uses("part of a chain");
                (format!("{text}.{part}"), item)
            }
            1 if !sized => {
                self.uses("filter");
                (format!("{text}.filter(|{name}| {behind} > {e})"), item)
            }
            2 if !sized => {
                self.uses("take_while");
                (
                    format!("{text}.take_while(|{name}| {behind} < 0.7 + {e})"),
                    item,
                )
            }
            3 if !sized => {
                self.uses("scan");
                let scan = format!(
                    "{text}.scan({e}, |{state}, {parameter}| {{ *{state} = (*{state} * 0.5 + {value}).sin(); Some(*{state} * {value}) }})"
                );
                (scan, Item::Value)
            }
            4 if !sized => {
                self.uses("filter_map");
                let map = format!(
                    "{text}.filter_map(|{parameter}| if {value} > 0.1 {{ Some({value} * {e}) }} else {{ None }})"
                );
                (map, Item::Value)
            }
            5 => {
                self.uses("enumerate");
                let map =
                    format!("{text}.enumerate().map(|(i, {parameter})| {value} * (i + 1) as f64)");
                (map, Item::Value)
            }
            _ => {
                self.uses("map");
                (
                    format!("{text}.map(|{parameter}| ({value} * {e}).sin())"),
                    Item::Value,
                )
            }
        }
    }

    /// A chain that ends in a number.
    pub(crate) fn reduced(&mut self) -> String {
        let (text, item) = self.items(false);
        let name = self.fresh("e");
        let (parameter, value) = item.names(&name);
        let e = self.expression(0);
        let copied = match item {
            Item::Reference => format!("{text}.copied()"),
            Item::Value => text.clone(),
        };
        match self.random.below(10) {
            5 => {
                self.uses("max_by");
                let by = self.one_of(&["max_by(f64::total_cmp)", "min_by(|p, q| p.total_cmp(q))"]);
                format!("({copied}.{by}.unwrap_or({e}))")
            }
            6 => {
                self.uses("reduce");
                format!("({copied}.reduce(|p, q| (p * 0.6 + q * q).sin()).unwrap_or({e}))")
            }
            7 => {
                self.uses("last");
                format!("({copied}.last().unwrap_or({e}))")
            }
            8 => {
                self.uses("find");
                format!("({copied}.find(|{name}| *{name} > {e}).unwrap_or(0.3))")
            }
            9 => {
                self.uses("any");
                let all = self.one_of(&["any", "all"]);
                format!("(if {copied}.{all}(|{name}| {name} > {e}) {{ {e} }} else {{ 0.4 }})")
            }
            0 => {
                self.uses("sum");
                format!("({text}.sum::<f64>()).sin()")
            }
            1 => {
                self.uses("product");
                format!("({text}.product::<f64>()).tanh()")
            }
            2 => {
                self.uses("count");
                format!("({text}.count() as f64 * {e}).sin()")
            }
            3 => {
                self.uses("max of a chain");
                format!("({text}.fold(-2.0_f64, |s, {parameter}| s.max({value})))")
            }
            _ => {
                self.uses("fold");
                format!("({text}.fold({e}, |s, {parameter}| (s * 0.7 + {value} * {value}).sin()))")
            }
        }
    }

    /// What stands behind `in`, and the pattern before it.
    pub(crate) fn looped(&mut self) -> (String, String, String) {
        let (text, item) = self.items(false);
        let name = self.fresh("e");
        match item {
            Item::Reference => (text, name.clone(), format!("*{name}")),
            Item::Value => (text, name.clone(), name),
        }
    }

    /// A vector of the items of a chain, used at once.
    pub(crate) fn collected(&mut self) {
        self.uses("collect");
        let (text, item) = self.items(true);
        let (name, e) = (self.fresh("w"), self.fresh("e"));
        let (parameter, value) = item.names(&e);
        self.line(&format!(
            "let mut {name}: Vec<f64> = {text}.map(|{parameter}| {value} * 0.5).collect();"
        ));
        self.line(&format!(
            "for i in 1..{name}.len() {{ {name}[i] = ({name}[i] + {name}[i - 1]).sin(); }}"
        ));
        let target = self.variable();
        self.line(&format!("{target} += {name}.iter().sum::<f64>() * 0.3;"));
    }

    /// Two vectors of the items of a chain, and a closure that is run for each of them.
    pub(crate) fn unzipped(&mut self) {
        self.uses("unzip");
        self.uses("for_each");
        let (text, item) = self.fixed(|w| w.items(false));
        let (p, q, e) = (self.fresh("g"), self.fresh("g"), self.fresh("e"));
        let (parameter, value) = item.names(&e);
        let (g, target) = (self.fixed(|w| w.expression(0)), self.variable());
        self.line(&format!(
            "let (mut {p}, mut {q}): (Vec<f64>, Vec<f64>) = {text}.map(|{parameter}| ({value} * 0.5, ({value} + {g}).sin())).unzip();"
        ));
        self.line(&format!("{p}.push({g});"));
        self.line(&format!("{q}.push(0.5);"));
        self.line(&format!(
            "{p}.iter().zip(&{q}).for_each(|(p, q)| {target} = ({target} * 0.5 + p * q).sin());"
        ));
        self.scope.growing.extend([p, q]);
    }

    /// A closure with a name, called from then on.
    pub(crate) fn closure(&mut self) {
        let (name, t) = (self.fresh("f"), self.fresh("t"));
        let body = self.fixed(|w| {
            w.scope.values.push(t.clone());
            w.expression(2)
        });
        self.uses("closure");
        if self.random.once_in(2) {
            self.line(&format!("let {name} = |{t}: f64| {body};"));
        } else {
            let c = self.fixed(|w| w.condition());
            self.uses("return in a closure");
            self.line(&format!(
                "let {name} = |{t}: f64| {{ if {c} {{ return {t} * 0.5; }} {body} }};"
            ));
        }
        self.scope.closures.push(name);
    }

    /// A closure that writes what it captures, called a few times.
    pub(crate) fn writing_closure(&mut self) {
        self.uses("closure that writes");
        let plain = self.scope.variables.iter().filter(|v| !v.starts_with('*'));
        let plain: Vec<String> = plain.cloned().collect();
        if plain.is_empty() {
            return self.closure();
        }
        let (name, t, b) = (self.fresh("f"), self.fresh("t"), self.one_of(&plain));
        let e = self.fixed(|w| w.expression(1));
        self.line("{");
        self.deeper(|w| {
            w.line(&format!(
                "let mut {name} = |{t}: f64| {{ {b} = ({b} * {t} + {e}).sin(); }};"
            ));
            for _ in 0..2 {
                let e = w.fixed(|w| w.expression(1));
                w.line(&format!("{name}({e});"));
            }
            let views = w.scope.views.clone();
            let (view, _) = w.one_of(&views);
            w.line(&format!("for e in {view}.iter() {{ {name}(*e); }}"));
        });
        self.line("}");
    }
}
