//! Patterns that look into slices, references and numbers, values that loops give, tuples, and what else is a
//! statement of a line or two.

use crate::writer::Writer;

impl Writer {
    /// Something is taken apart.
    pub(crate) fn taken_apart(&mut self) {
        let (e, g, k) = (self.expression(1), self.expression(0), self.index());
        let views = self.scope.views.clone();
        let (view, _) = self.one_of(&views);
        let (p, q, r) = (self.fresh("p"), self.fresh("q"), self.fresh("r"));
        match self.random.below(11) {
            0 => {
                self.uses("slice pattern");
                self.line(&format!("let {p} = match &{view}[..] {{ [] => {e}, [one] => one * {g}, [first, .., last] => first * last + {e} }};"));
                self.scope.values.push(p);
            }
            1 => {
                self.uses("slice pattern");
                let v = self.variable();
                self.line(&format!(
                    "if let [{p}, {q} @ ..] = &{view}[..] {{ if {q}.len() > 1 {{ {v} = ({v} + {p} * {q}[1]).sin(); }} }}"
                ));
            }
            2 => {
                self.uses("pattern by reference");
                self.line(&format!("let {r} = ({e}, [{g}, x[2]]);"));
                self.line(&format!("let (ref {p}, [_, ref {q}]) = {r};"));
                self.scope.values.extend([format!("*{p}"), format!("*{q}")]);
            }
            3 => {
                self.uses("pattern by reference");
                self.line(&format!("let mut {r} = [{e}, {g}, 0.5_f64];"));
                self.line(&format!(
                    "{{ let [first, .., last] = &mut {r}; *first += last.sin(); *last *= *first; }}"
                ));
                self.line(&format!("let [{p}, {q}, _] = {r};"));
                self.scope.values.extend([p, q]);
            }
            4 => {
                self.uses("match of ranges");
                self.line(&format!(
                    "let {p} = match {k} {{ 0 => {e}, m @ 1..=2 => {g} * m as f64, 3 | 4 => x[3], _ => 0.5 }};"
                ));
                self.scope.values.push(p);
            }
            5 => {
                self.uses("match of a float");
                self.line(&format!(
                    "let {p} = match {e} {{ t if t < -0.5 => t * {g}, t @ -0.5..=0.5 => t.sin(), t => t * 0.5 }};"
                ));
                self.scope.values.push(p);
            }
            6 => {
                self.uses("match of bools");
                let (c, d) = (self.condition(), self.condition());
                self.line(&format!("let {p} = match ({c}, {d}) {{ (true, true) => {e}, (true, _) | (_, true) => {g}, (false, false) => 0.3 }};"));
                self.scope.values.push(p);
            }
            7 => {
                self.uses("split_first");
                self.line(&format!(
                    "let {p} = match {view}.split_first() {{ Some((h, t)) if t.len() > 0 => h * t[0], Some((h, _)) => *h, None => {e} }};"
                ));
                self.scope.values.push(p);
            }
            8 => {
                self.uses("first and last");
                let method = self.one_of(&["first", "last"]);
                self.line(&format!(
                    "let {p} = {e} * {view}.{method}().copied().unwrap_or({g});"
                ));
                self.scope.values.push(p);
            }
            9 => {
                self.uses("first_chunk");
                self.line(&format!("let {r} = x.first_chunk::<3>().unwrap();"));
                self.line(&format!("let [{p}, _, {q}] = *{r};"));
                self.scope.values.extend([p, q]);
            }
            _ => self.tuple(&e, &g),
        }
    }

    /// A tuple in a variable, of which parts are written.
    fn tuple(&mut self, e: &str, g: &str) {
        self.uses("tuple in a variable");
        let t = self.fresh("t");
        self.line(&format!("let mut {t} = ({e}, ({g}, 1usize, [x[0], {e}]));"));
        self.line(&format!("{t}.0 = ({t}.0 + {t}.1.0).sin();"));
        self.line(&format!("{t}.1.2[{t}.1.1] *= {t}.0;"));
        self.line(&format!("{t}.1.1 = 0;"));
        self.scope.values.extend([
            format!("{t}.0"),
            format!("{t}.1.2[{t}.1.1]"),
            format!("{t}.1.0"),
        ]);
    }

    /// A loop that gives a value, or is driven by one.
    pub(crate) fn driven(&mut self) {
        let (e, g) = (self.expression(1), self.expression(0));
        let e = self.bound(&e);
        let (t, c, v) = (self.fresh("t"), self.fresh("c"), self.variable());
        match self.random.below(7) {
            6 => {
                self.uses("panic in an arm");
                self.line(&format!(
                    "{v} += match n {{ 0..=3 => {e}, 4 => unreachable!(), _ => panic!(\"{{n}} is too much\") }};"
                ));
            }
            0 | 1 => {
                self.uses("loop with a value");
                self.line(&format!("let mut {c} = {e};"));
                self.line(&format!("let {t} = loop {{ {c} = {c} * 0.6 + ({g}).sin() * 0.1; if {c}.abs() < 0.4 {{ break {c} * {g}; }} if x[0] > {c} {{ break 0.5; }} }};"));
                self.line(&format!("{v} -= {t};"));
            }
            2 => {
                self.uses("loop over a float");
                self.line(&format!("let mut {t} = 0.1;"));
                self.line(&format!(
                    "while {t} <= 1.0 {{ {v} = ({v} + {t} * {e}).sin(); {t} += 0.31; }}"
                ));
            }
            3 => {
                self.uses("side effect in a condition");
                self.line(&format!(
                    "if {{ {v} = ({v} * 0.8).sin(); {v} > {g} }} {{ {v} += {e}; }}"
                ));
            }
            4 => {
                self.uses("while let with a condition");
                self.line(&format!("let mut {c} = 0usize;"));
                self.line(&format!("while let Some({t}) = x.get({c}) && {v} < 0.9 {{ {v} = ({v} + {t} * {e}).sin() + 0.1; {c} += 2; }}"));
            }
            _ => {
                self.uses("assignment as a value");
                let u = self.plain_variable();
                self.line(&format!("let () = ({u} += {e});"));
                self.line(&format!("{{ {u} = {{ {u} *= 0.5; {u} + {g} }} }};"));
            }
        }
    }

    /// Elements that leave or change their places.
    pub(crate) fn moved(&mut self) {
        let g = self.growing();
        let (e, v) = (self.expression(1), self.variable());
        let e = self.bound(&e);
        let array = self.array().name;
        match self.random.below(9) {
            0 => {
                self.uses("copy_within");
                let range = self.one_of(&["1..3, 2", "2.., 0", "..2, 3"]);
                self.line(&format!("{array}[..].copy_within({range});"));
            }
            1 => {
                self.uses("retain");
                self.line(&format!("{g}.retain(|t| *t > {e});"));
                self.line(&format!("{g}.push({e});"));
            }
            2 => {
                self.uses("drain");
                self.line(&format!(
                    "{v} += {g}.drain(..1).map(|t: f64| t * {e}).sum::<f64>();"
                ));
                self.line(&format!("{g}.push({e});"));
            }
            3 => {
                self.uses("dedup");
                self.line(&format!("{g}.push({g}[{g}.len() - 1]);"));
                self.line(&format!("{g}.dedup();"));
            }
            4 => {
                self.uses("sort by a key");
                let k = self.fresh("order");
                self.line(&format!("let mut {k} = vec![0usize, 1, 2, 3];"));
                self.line(&format!("{k}.sort_by_key(|i| (i * 7 + n) % 4);"));
                self.line(&format!(
                    "{k}[1..].sort_by(|i, j| x[*i].total_cmp(&x[*j]));"
                ));
                self.line(&format!("{v} += x[{k}[1]] * x[{k}[3]] * {e};"));
            }
            5 | 6 => {
                self.uses("select_nth");
                let by = self.one_of(&[
                    "select_nth_unstable_by(2, f64::total_cmp)",
                    "select_nth_unstable_by(1, |p, q| q.partial_cmp(p).unwrap())",
                ]);
                self.line(&format!("{array}.{by};"));
                self.line(&format!("{v} += {array}[1] * {array}[2] * 0.3;"));
            }
            7 => {
                self.uses("select_nth");
                self.line("{");
                self.deeper(|w| {
                    w.line(&format!(
                        "let (l, m, r) = {array}.select_nth_unstable_by(3, |p, q| p.total_cmp(q));"
                    ));
                    w.line(&format!("*m = (*m * {e}).sin();"));
                    w.line("let worst = r.iter().fold(1.0_f64, |s, t| s * t);");
                    w.line(&format!(
                        "{v} = ({v} + worst * l.iter().map(|t| t * t).sum::<f64>()).sin();"
                    ));
                });
                self.line("}");
            }
            _ => {
                self.uses("stretches of known length");
                self.line(&format!(
                    "for [p, q] in x.as_chunks::<2>().0 {{ {v} = ({v} + p * q * {e}).sin(); }}"
                ));
            }
        }
    }

    /// Numbers of the library, of a constant, of an item of a chain, rounded, integers by methods.
    pub(crate) fn numbered(&mut self, a: &str, b: &str) -> String {
        let k = self.index();
        let (name, text) = match self.random.below(18) {
            14 => ("special function", format!("(1.0 * bell({a})).sin()")),
            15 | 16 => (
                "function of arrays of ndarray",
                format!("(1.0 * bilinear(x, {a})).sin()"),
            ),
            0 => (
                "constant of the library",
                format!("(({a}) * std::f64::consts::PI).cos()"),
            ),
            1 => (
                "constant of a block",
                format!("({{ const SCALE: f64 = 3.0; ({a} * SCALE).sin() }})"),
            ),
            2 | 3 => {
                let f = self.one_of(&["floor", "ceil", "round", "trunc", "signum"]);
                ("step function", format!("(({a} * 2.0).{f}() * {b} * 0.3)"))
            }
            4 => (
                "rounded to single precision",
                format!("({{ let r: f64 = {a}; (r as f32) as f64 * 1e-5 + {b} }})"),
            ),
            5 => {
                let m = self.one_of(&[
                    "min(3)",
                    "max(2)",
                    "pow(2)",
                    "abs_diff(4)",
                    "wrapping_mul(7)",
                    "saturating_sub(2)",
                ]);
                (
                    "integer method",
                    format!("({a} * (({k}) as usize).{m} as f64 * 0.1).sin()"),
                )
            }
            6 => (
                "checked integer",
                format!("(match ({k} as usize).checked_sub(2) {{ Some(k) => x[k], None => {a} }})"),
            ),
            7 | 8 => {
                let f = self.one_of(&["even", "odd"]);
                let n = self.random.below(4);
                ("recursion in turn", format!("({a} * {f}(x, {n})).sin()"))
            }
            9 | 10 => ("function with a rule", format!("(1.0 * wave({a}, {b}))")),
            11 => {
                let views = self.scope.views.clone();
                let (view, _) = self.one_of(&views);
                (
                    "position",
                    format!(
                        "({view}.iter().position(|t| *t > 0.6).unwrap_or(3) as f64 * {a}).sin()"
                    ),
                )
            }
            12 => (
                "nth",
                format!("x.iter().map(|t| t * {a}).nth({k}).unwrap_or({b})"),
            ),
            13 => (
                "matches!",
                format!("(if matches!({k}, 1..=3) {{ {a} }} else {{ {b} }})"),
            ),
            _ => ("box", format!("(*Box::new({a}) * 0.7)")),
        };
        self.uses(name);
        text
    }
}
