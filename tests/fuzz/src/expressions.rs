//! Expressions: floats of moderate size, indices, conditions.

use crate::writer::Writer;

impl Writer {
    /// A float of moderate size, in brackets where they are needed.
    pub(crate) fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(41) {
            36..=38 => self.numbered(&a, &b),
            32 => {
                let n = self.random.below(3);
                self.used("recursion", format!("power({a}, {n})"))
            }
            33 if !self.scope.structs.is_empty() => self.energy(),
            0 => self.used("+", format!("({a} + {b})")),
            1 => self.used("-", format!("({a} - {b})")),
            2 => self.used("unary -", format!("(-{a})")),
            3 | 4 => self.used("*", format!("({a} * {b}).sin()")),
            5 => {
                let (t, u) = (self.fresh("h"), self.fresh("h"));
                self.uses("block as value");
                self.used(
                    "square",
                    format!("({{ let {t} = {a}; let {u} = {t} * {t}; {u}.tanh() }})"),
                )
            }
            6 => self.used("/", format!("({a} / (2.0 + {b} * {b}))")),
            7 => self.used(
                "%",
                format!("((({a}).sin() + 4.0) % (1.3 + ({b}).cos() * 0.2))"),
            ),
            8 | 9 => {
                let function = self.one_of(&[
                    "sin()",
                    "cos()",
                    "tanh()",
                    "atan()",
                    "sin().exp()",
                    "sinh().tanh()",
                    "cos().exp_m1()",
                    "sin().asinh()",
                    "cos().cosh().ln()",
                    "sin().powi(3)",
                    "tanh().cosh().cbrt()",
                    "atan().tanh().asin()",
                    "sin().to_radians()",
                    "sin().fract()",
                ]);
                self.used("elementary function", format!("({a}).{function}"))
            }
            10 => self.used(
                "elementary function",
                format!("((1.5_f64 + ({a}).sin()).sqrt() - {b})"),
            ),
            11 => {
                let form = self.one_of(&[
                    format!("({a}).hypot({b} + 1.5).sin()"),
                    format!("({a}).sin().mul_add({b}, 0.5).cos()"),
                    format!("(1.5 + ({a}).sin()).powf(({b}).cos())"),
                    format!("({a}).atan2(2.0 + ({b}).sin())"),
                    format!("({a}).sin_cos().1 * ({b}).sin_cos().0"),
                    format!("(3.0_f64 + ({a}).sin()).log(4.0 + ({b}).cos())"),
                ]);
                let form = if form.contains("sin_cos") {
                    format!("(({a}).sin() * ({b}).cos())")
                } else {
                    form
                };
                self.used("elementary function of two", form)
            }
            12 => self.used("path form", format!("f64::sin(f64::max({a}, {b}))")),
            13 => {
                let f = self.one_of(&["max", "min"]);
                self.used("max and min", format!("({a}).{f}({b})"))
            }
            14 => self.used("abs", format!("({a}).abs().sin()")),
            15 => self.used("clamp", format!("({a}).clamp(-0.8, 0.9)")),
            16 => {
                let k = self.index();
                self.used("call of slices", format!("helper(x, {k}).cos()"))
            }
            17 => {
                let k = self.random.below(4);
                self.uses("call of numbers");
                self.used(
                    "call with an early return",
                    format!("blend({a}, {b}, &x[{k}..]).cos()"),
                )
            }
            18 | 19 => {
                let c = self.condition();
                self.used("if as value", format!("(if {c} {{ {a} }} else {{ {b} }})"))
            }
            20 => {
                let (k, c) = (self.index(), self.expression(depth - 1));
                self.used(
                    "match as value",
                    format!("(match {k} {{ 0 => {a}, 1 | 2 => {b}, _ => {c} }})"),
                )
            }
            21 => self.chain(&a, &b),
            25 => self.reduced(),
            28 => {
                let k = self.random.below(9);
                self.used("get", format!("x.get({k}).copied().unwrap_or({a})"))
            }
            29 if !self.scope.options.is_empty() => {
                let options = self.scope.options.clone();
                let option = self.one_of(&options);
                self.used("unwrap_or", format!("{option}.unwrap_or({a})"))
            }
            26 if !self.scope.closures.is_empty() => {
                self.uses("call of a closure");
                let closures = self.scope.closures.clone();
                format!("{}({a})", self.one_of(&closures))
            }
            22 => {
                let k = self.index();
                self.used("cast to float", format!("({a} + ({k}) as f64 * 0.1).sin()"))
            }
            24 if !self.scope.arrays.is_empty() => {
                self.uses("call of one array twice");
                let (name, other) = (self.array().name, self.random.below(4));
                self.used(
                    "call of slices",
                    format!("dot(&{name}[1..4], &{name}[{other}..]).sin()"),
                )
            }
            39 => {
                let (t, h) = (self.fresh("t"), self.fresh("h"));
                self.uses("block as value");
                self.used(
                    "map of an array",
                    format!(
                        "({{ let {h} = [{a}, {b}, 0.4].map(|{t}| {t}.sin()); {h}[0] * {h}[1] + {h}[2] }})"
                    ),
                )
            }
            40 => {
                let (k, h) = (self.fresh("k"), self.fresh("h"));
                self.uses("block as value");
                self.used(
                    "array from a function",
                    format!(
                        "({{ let {h}: [f64; 3] = std::array::from_fn(|{k}| (x[{k}] * {b}).sin()); {h}[0] * {h}[2] - {a} }})"
                    ),
                )
            }
            23 => self.used("passive", format!("({a} * passive(0.5_f64 + 1.0))")),
            _ => a,
        }
    }

    fn used(&mut self, construct: &'static str, text: String) -> String {
        self.uses(construct);
        text
    }

    fn leaf(&mut self) -> String {
        let names = [self.scope.values.clone(), self.scope.variables.clone()].concat();
        match self.random.below(14) {
            13 if !self.scope.rows.is_empty() => self.row_element(),
            9 | 10 if !self.scope.growing.is_empty() => self.grown_element(),
            11 | 12 if !self.scope.structs.is_empty() => {
                self.uses("field");
                self.field()
            }
            0 => format!("({:.2}_f64)", self.random.number()),
            1 | 2 => {
                self.uses("load");
                let views = self.scope.views.clone();
                let (view, n) = self.one_of(&views);
                format!("{view}[{}]", self.index_below(n))
            }
            3 if !self.scope.arrays.is_empty() => {
                self.uses("load");
                format!("{}[{}]", self.array().name, self.index())
            }
            4 if !self.scope.matrices.is_empty() => {
                let matrices = self.scope.matrices.clone();
                let (i, j) = (self.index_below(2), self.index_below(3));
                format!("{}[{i}][{j}]", self.one_of(&matrices))
            }
            _ => {
                let name = self.one_of(&names);
                if name.starts_with('*') {
                    format!("({name})")
                } else {
                    name
                }
            }
        }
    }

    /// A chain over `x` or a range that ends in a number.
    fn chain(&mut self, a: &str, b: &str) -> String {
        let (e, s) = (self.fresh("e"), self.fresh("s"));
        match self.random.below(6) {
            0 => self.used(
                "sum",
                format!("x.iter().map(|{e}| {e} * {a}).sum::<f64>().sin()"),
            ),
            1 => {
                let views = self.scope.views.clone();
                let (view, _) = self.one_of(&views);
                self.used(
                    "sum",
                    format!(
                        "{view}.iter().zip(x).map(|({e}, {s})| {e} * {s} + {b}).sum::<f64>().sin()"
                    ),
                )
            }
            2 => {
                self.uses("map of a range");
                self.used(
                    "product",
                    format!("(0..3).map(|{e}| x[{e}] - {a}).product::<f64>().tanh()"),
                )
            }
            3 => self.used(
                "product",
                format!("x.iter().map(|{e}| {e} + 0.5).product::<f64>().tanh()"),
            ),
            4 => self.used(
                "fold",
                format!("x.iter().fold({a}, |{s}, {e}| ({s} * {e} + {b}).sin())"),
            ),
            _ => {
                self.uses("block as value");
                self.used(
                    "fold of tuples",
                    format!(
                        "({{ let (p, q) = x.iter().rev().fold(({a}, 0.5_f64), |(p, q): (f64, f64), {e}| ((p * {e}).sin() + q, p * 0.5)); p - q }})"
                    ),
                )
            }
        }
    }

    /// An index below [`crate::LENGTH`].
    pub(crate) fn index(&mut self) -> String {
        self.index_below(crate::LENGTH)
    }

    /// An index that moves with a loop: `i`, `i + 1`, `5 - i`, `2 * i`, ..
    fn affine(&mut self, n: usize) -> Option<String> {
        let bounded = self.scope.bounded.clone();
        if bounded.is_empty() {
            return None;
        }
        let (i, lo, hi) = self.one_of(&bounded);
        let (j, _, top) = self.one_of(&bounded);
        let forms = [
            (hi < n).then(|| i.clone()),
            (hi + 1 < n).then(|| format!("{i} + 1")),
            (hi + 2 < n).then(|| format!("{i} + 2")),
            (lo > 0 && hi <= n).then(|| format!("{i} - 1")),
            (hi < n).then(|| format!("{} - {i}", n - 1)),
            (2 * hi < n).then(|| format!("2 * {i}")),
            (2 * hi + 1 < n).then(|| format!("2 * {i} + 1")),
            (hi + top < n).then(|| format!("{i} + {j}")),
        ];
        let forms: Vec<String> = forms.into_iter().flatten().collect();
        if forms.is_empty() {
            return None;
        }
        self.uses("affine index");
        Some(self.one_of(&forms))
    }

    pub(crate) fn index_below(&mut self, n: usize) -> String {
        if !self.scope.bounded.is_empty()
            && self.random.below(3) > 0
            && let Some(index) = self.affine(n)
        {
            return index;
        }
        let names = [self.scope.integers.clone(), self.scope.counters.clone()].concat();
        match self.random.below(10) {
            9 => {
                self.uses("binary search");
                let least = self.random.number();
                format!("x.partition_point(|v| *v < {least:.2}) % {n}")
            }
            8 if !self.scope.tallies.is_empty() => self.tallied(n),
            8 if !self.scope.structs.is_empty() => {
                let structs = self.scope.structs.clone();
                format!("{}.k % {n}", self.one_of(&structs))
            }
            0 | 1 => format!("{}usize", self.random.below(n)),
            2 => {
                self.uses("cast from float");
                let views = self.scope.views.clone();
                let (view, _) = self.one_of(&views);
                format!("(({view}[0].abs() * 7.0) as usize) % {n}")
            }
            3 | 4 => format!("({} + {}) % {n}", self.one_of(&names), self.random.below(5)),
            _ => format!("{} % {n}", self.one_of(&names)),
        }
    }

    pub(crate) fn condition(&mut self) -> String {
        let (a, b) = (self.expression(1), self.expression(0));
        match self.random.below(8) {
            0 => {
                let integers = self.scope.integers.clone();
                format!("{} % 2 == 0", self.one_of(&integers))
            }
            1 => self.used("and", format!("({a} > {b} && {b} < 0.5)")),
            2 => {
                self.uses("not");
                self.used("or", format!("(!({a} > 0.0) || {b} > 0.2)"))
            }
            3 if !self.scope.bools.is_empty() => {
                let bools = self.scope.bools.clone();
                self.one_of(&bools)
            }
            4 => {
                let integers = self.scope.integers.clone();
                let (i, j) = (self.one_of(&integers), self.one_of(&integers));
                let is = self.one_of(&["==", "!="]);
                self.used(
                    "tuple comparison",
                    format!("({i} % 3, {j} % 2) {is} (1, 1)"),
                )
            }
            _ => format!("{a} > {b}"),
        }
    }
}
