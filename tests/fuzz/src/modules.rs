//! Random annotated modules: private helpers that take data beside differentiated values, without marks; constants
//! of several statements; results without types; structs with vectors and enums.
//!
//! What the evaluator of the IR cannot run, since it takes functions one by one: these are only compiled.

mod carried;

use crate::random::Random;

/// The items of a module with `pub fn of_one_slice(z: &[f64]) -> f64`, a function of fourteen numbers.
pub fn module(seed: u64) -> String {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x9e37_79b9_7f4a_7c15),
        helpers: Vec::new(),
        names: 0,
        out: String::new(),
    };
    writer.surroundings();
    for _ in 0..2 + writer.random.below(4) {
        writer.helper();
    }
    writer.root();
    writer.out
}

/// Parameters of helpers.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Slice,
    Number,
    Pair,
    Points,
    Samples,
    Groups,
    State,
    Kind,
    Index,
}

const TAKES: [Takes; 9] = [
    Takes::Slice,
    Takes::Number,
    Takes::Pair,
    Takes::Points,
    Takes::Samples,
    Takes::Groups,
    Takes::State,
    Takes::Kind,
    Takes::Index,
];

/// Results of helpers.
#[derive(Clone, Copy, PartialEq)]
enum Returns {
    Number,
    Pair,
    Array,
    Vector,
    Option,
    State,
    Changes,
}

const RETURNS: [Returns; 9] = [
    Returns::Number,
    Returns::Number,
    Returns::Number,
    Returns::Pair,
    Returns::Array,
    Returns::Vector,
    Returns::Option,
    Returns::State,
    Returns::Changes,
];

#[derive(Clone)]
struct Helper {
    name: String,
    takes: Vec<Takes>,
    returns: Returns,
}

/// Names that can be read, by what they are.
#[derive(Clone, Default)]
struct Scope {
    numbers: Vec<String>,
    slices: Vec<String>,
    pairs: Vec<String>,
    points: Vec<String>,
    samples: Vec<String>,
    groups: Vec<String>,
    states: Vec<String>,
    kinds: Vec<String>,
    indices: Vec<String>,
    /// Closures of one number.
    closures: Vec<String>,
}

struct Writer {
    random: Random,
    helpers: Vec<Helper>,
    names: usize,
    out: String,
}

impl Writer {
    fn constant(&mut self) -> String {
        format!("{:.2}", 0.1 + 0.01 * self.random.below(130) as f64)
    }

    fn constants(&mut self, n: usize) -> String {
        let all: Vec<String> = (0..n).map(|_| self.constant()).collect();
        all.join(", ")
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn one_of(&mut self, from: &[String]) -> String {
        from[self.random.below(from.len())].clone()
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Types, tables, and functions that make data.
    fn surroundings(&mut self) {
        let table = self.constants(4);
        let points: Vec<String> = (0..4).map(|_| format!("({})", self.constants(2))).collect();
        let (a, b, c) = (self.constant(), self.constant(), self.constant());
        self.out = format!(
            "use std::collections::BTreeMap;
static TABLE: [f64; 4] = [{table}];
const POINTS: [(f64, f64); 4] = [{points}];
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {{ Early, Late }}
struct Sample {{ kind: Kind, time: f64, pair: (f64, f64) }}
impl Sample {{
    fn scale(&self) -> f64 {{ match self.kind {{ Kind::Early => self.time, Kind::Late => self.pair.0 - {a} }} }}
    fn misfit(&self, model: f64) -> f64 {{ (self.scale() * model - self.pair.1).sin() }}
    fn is_late(&self) -> bool {{ self.kind == Kind::Late }}
}}
struct State {{ level: f64, parts: Vec<f64> }}
impl State {{
    fn of(level: f64, n: usize) -> Self {{ State {{ level, parts: vec![level * {b}; n] }} }}
    fn step(&mut self, u: f64, h: f64) {{ for p in self.parts.iter_mut() {{ *p += h * (u - *p).sin(); }} self.level = (self.level + u * {c}).cos(); }}
    fn total(&self) -> f64 {{ self.level * self.parts.iter().sum::<f64>() }}
}}
fn samples_of(n: usize) -> Vec<Sample> {{
    (0..n).map(|i| Sample {{ kind: if i % 2 == 0 {{ Kind::Early }} else {{ Kind::Late }}, time: 0.3 + 0.2 * i as f64, pair: POINTS[i % 4] }}).collect()
}}
fn groups_of(n: usize) -> Vec<Vec<(f64, f64)>> {{
    let mut groups = Vec::new();
    for i in 0..n {{ groups.push(POINTS[..2 + i % 3].to_vec()); }}
    groups
}}
",
            points = points.join(", ")
        );
        self.out.push_str(carried::TYPES);
    }

    fn takes(&mut self) -> Vec<Takes> {
        let mut takes = vec![if self.random.once_in(3) {
            Takes::Number
        } else {
            Takes::Slice
        }];
        for _ in 0..1 + self.random.below(3) {
            takes.push(TAKES[self.random.below(TAKES.len())]);
        }
        takes
    }

    fn helper(&mut self) {
        let name = self.fresh("h");
        let (takes, returns) = (self.takes(), RETURNS[self.random.below(RETURNS.len())]);
        let mut scope = Scope::default();
        let mut inputs = Vec::new();
        for take in &takes {
            let (prefix, ty, names) = match take {
                Takes::Slice => ("x", "&[f64]", &mut scope.slices),
                Takes::Number => ("p", "f64", &mut scope.numbers),
                Takes::Pair => ("q", "(f64, f64)", &mut scope.pairs),
                Takes::Points => ("d", "&[(f64, f64)]", &mut scope.points),
                Takes::Samples => ("o", "&[Sample]", &mut scope.samples),
                Takes::Groups => ("g", "&[Vec<(f64, f64)>]", &mut scope.groups),
                Takes::State => ("w", "&State", &mut scope.states),
                Takes::Kind => ("k", "Kind", &mut scope.kinds),
                Takes::Index => ("n", "usize", &mut scope.indices),
            };
            let input = self.fresh(prefix);
            names.push(input.clone());
            inputs.push(format!("{input}: {ty}"));
        }
        if returns == Returns::Changes {
            inputs.push("out: &mut [f64]".to_owned());
        }
        let result = match returns {
            Returns::Number => " -> f64",
            Returns::Pair => " -> (f64, f64)",
            Returns::Array => " -> [f64; 3]",
            Returns::Vector => " -> Vec<f64>",
            Returns::Option => " -> Option<f64>",
            Returns::State => " -> State",
            Returns::Changes => "",
        };
        self.line(&format!("fn {name}({}){result} {{", inputs.join(", ")));
        self.body(&mut scope);
        let (e, f) = (self.expression(&scope, 1), self.expression(&scope, 1));
        let result = match returns {
            Returns::Number => format!("s + {e}"),
            Returns::Pair => format!("(s, {e})"),
            Returns::Array => format!("[{e}, s, {f}]"),
            Returns::Vector => format!("vec![s, {e}]"),
            Returns::Option => format!("if s > 0.4 {{ Some(s * {e}) }} else {{ None }}"),
            Returns::State => format!("State {{ level: s, parts: vec![{e}, {f}] }}"),
            Returns::Changes => format!(
                "for (i, r) in out.iter_mut().enumerate() {{ *r = (*r * s + i as f64 * {e}).sin(); }}"
            ),
        };
        self.line(&result);
        self.line("}");
        self.helpers.push(Helper {
            name,
            takes,
            returns,
        });
    }

    fn root(&mut self) {
        self.line("pub fn of_one_slice(z: &[f64]) -> f64 {");
        self.line("let samples = samples_of(5);\nlet groups = groups_of(3);");
        self.line("let mut state = State::of(z[3], 2);\nstate.step(z[4], 0.3);");
        let start = self.random.below(8);
        let mut scope = Scope {
            numbers: vec!["z[0]".to_owned(), "z[7]".to_owned()],
            slices: vec![format!("z[{start}..{}]", start + 4), "z[9..]".to_owned()],
            samples: vec!["samples".to_owned()],
            groups: vec!["groups".to_owned()],
            states: vec!["state".to_owned()],
            ..Scope::default()
        };
        self.body(&mut scope);
        for helper in self.helpers.clone() {
            self.call(&mut scope, &helper);
        }
        // what nothing calls may be called by others
        self.line("s += samples.iter().filter(|o| o.is_late()).map(|o| o.misfit(z[5])).sum::<f64>() + state.total();");
        self.line("s");
        self.line("}");
    }

    /// Statements that add to a number `s`.
    fn body(&mut self, scope: &mut Scope) {
        let e = self.expression(scope, 1);
        self.line(&format!("let mut s = {e};"));
        scope.numbers.push("s".to_owned());
        for _ in 0..1 + self.random.below(4) {
            self.statement(scope);
        }
    }

    fn statement(&mut self, scope: &mut Scope) {
        match self.random.below(9) {
            8 => self.carried(scope),
            0 | 1 => self.over_points(scope),
            2 | 3 => self.over_samples(scope),
            4 => self.over_groups(scope),
            5 => self.over_slice(scope),
            6 if !self.helpers.is_empty() => {
                let helper = self.helpers[self.random.below(self.helpers.len())].clone();
                self.call(scope, &helper);
            }
            _ => self.binding(scope),
        }
    }

    fn binding(&mut self, scope: &mut Scope) {
        let e = self.expression(scope, 2);
        match self.random.below(4) {
            0 => {
                let q = self.fresh("q");
                let f = self.expression(scope, 1);
                self.line(&format!("let {q} = ({e}, {f});"));
                scope.pairs.push(q);
            }
            1 => {
                let inner = Scope {
                    numbers: [scope.numbers.clone(), vec!["t".to_owned()]].concat(),
                    ..scope.clone()
                };
                // `s` is written while the closure is there
                let inner = without(inner, "s");
                let f = self.expression(&inner, 2);
                let c = self.fresh("c");
                self.line(&format!("let {c} = |t: f64| {f};"));
                scope.closures.push(c);
            }
            2 => {
                let x = self.fresh("x");
                let f = self.expression(scope, 1);
                self.line(&format!("let {x} = vec![{e}, {f}, 0.4];"));
                scope.slices.push(x);
            }
            _ => {
                let t = self.fresh("t");
                self.line(&format!("let {t} = {e};"));
                scope.numbers.push(t);
            }
        }
    }

    fn over_points(&mut self, scope: &mut Scope) {
        let points = match scope.points.is_empty() || self.random.once_in(3) {
            true => "POINTS".to_owned(),
            false => self.one_of(&scope.points.clone()),
        };
        let inner = with(scope, &["t", "y"]);
        let e = self.expression(&inner, 2);
        let chain = without(inner, "s");
        let f = self.expression(&chain, 2);
        let name = self.fresh("v");
        let text = match self.random.below(9) {
            0 => format!("for &(t, y) in {points}.iter() {{ s += 0.3 * {e}; }}"),
            1 => format!("s += {points}.iter().map(|&(t, y)| {f}).sum::<f64>();"),
            2 => format!(
                "let mut it{name} = {points}.iter();\nwhile let Some(&(t, y)) = it{name}.next() {{ s = (s + {e}).sin(); }}"
            ),
            3 => format!(
                "let mut {name}: Vec<f64> = {points}.iter().map(|d| d.0).collect();\n{name}.sort_by(|a, b| b.total_cmp(a));\nlet t = {name}[{name}.len() / 2];\nlet y = {name}[0];\ns += {e};"
            ),
            4 => format!(
                "let {name} = {points}.iter().enumerate().min_by(|a, b| a.1.1.total_cmp(&b.1.1)).map_or(0, |(i, _)| i);\nlet (t, y) = {points}[{name}];\ns += {e};"
            ),
            5 => format!(
                "let {name}: Vec<f64> = {points}.iter().map(|&(t, y)| {f}).collect();\nfor (a, b) in {name}.iter().zip(&{name}[1..]) {{ s += a * b; }}"
            ),
            6 => format!("s += {points}.first().map_or(0.2, |&(t, y)| {f});"),
            7 => format!("s = {points}.iter().fold(s, |s, (t, y)| (s + {f}).cos());"),
            _ => format!(
                "for pair in {points}.windows(2) {{\nlet (t, y) = (pair[1].0 - pair[0].0, pair[0].1);\nif t > 0.0 {{ continue; }}\ns += {e};\n}}"
            ),
        };
        self.line(&text);
    }

    fn over_samples(&mut self, scope: &mut Scope) {
        if scope.samples.is_empty() {
            return self.binding(scope);
        }
        let samples = self.one_of(&scope.samples.clone());
        let mut inner = with(scope, &["o.time", "o.pair.1", "o.scale()"]);
        inner.kinds.push("o.kind".to_owned());
        inner.pairs.push("o.pair".to_owned());
        let e = self.expression(&inner, 2);
        let chain = without(inner, "s");
        let f = self.expression(&chain, 2);
        let name = self.fresh("v");
        let text = match self.random.below(7) {
            0 => format!("for o in {samples}.iter() {{ s += 0.4 * o.misfit({e}); }}"),
            1 => format!("s += {samples}.iter().map(|o| o.misfit({f}).powi(2)).sum::<f64>();"),
            2 => format!(
                "s += {samples}.iter().filter(|o| o.is_late()).map(|o| {f}).fold(0.0, |a, b| a + b);"
            ),
            3 => format!(
                "let mut {name} = BTreeMap::new();\nfor o in {samples}.iter() {{ *{name}.entry(o.kind).or_insert(0.0) += o.time; }}\nfor (i, weight) in {name}.values().enumerate() {{ let o = &{samples}[i]; s += weight * {e}; }}"
            ),
            4 => format!(
                "for o in {samples}.iter() {{ s += match o.kind {{ Kind::Early if o.time > 0.4 => {e}, Kind::Early => 0.1, Kind::Late => o.misfit(s) }}; }}"
            ),
            5 => format!(
                "let {name} = {samples}.iter().find(|o| o.is_late() && o.time > 0.5);\nif let Some(o) = {name} {{ s += {e}; }}"
            ),
            _ => format!(
                "let {name} = {samples}.iter().filter(|o| o.is_late()).count();\nlet o = &{samples}[{name} % {samples}.len()];\ns *= ({e} / {name} as f64).tanh();"
            ),
        };
        self.line(&text);
    }

    fn over_groups(&mut self, scope: &mut Scope) {
        if scope.groups.is_empty() {
            return self.over_points(scope);
        }
        let groups = self.one_of(&scope.groups.clone());
        let inner = with(scope, &["t", "y"]);
        let e = self.expression(&inner, 2);
        let chain = without(inner, "s");
        let f = self.expression(&chain, 2);
        let text = match self.random.below(4) {
            0 => format!(
                "for group in {groups}.iter() {{ for &(t, y) in group {{ s += 0.2 * {e}; }} }}"
            ),
            1 => format!(
                "s += {groups}.iter().map(|group| group.iter().map(|&(t, y)| {f}).sum::<f64>() / group.len() as f64).sum::<f64>();"
            ),
            2 => format!("s += {groups}.iter().flatten().map(|&(t, y)| {f}).sum::<f64>();"),
            _ => format!(
                "for (i, group) in {groups}.iter().enumerate() {{\nlet t = group.iter().map(|d| d.0).fold(0.0, f64::max);\nlet y = group[i % group.len()].1;\ns += {e};\n}}"
            ),
        };
        self.line(&text);
    }

    fn over_slice(&mut self, scope: &mut Scope) {
        if scope.slices.is_empty() {
            return self.binding(scope);
        }
        let x = self.one_of(&scope.slices.clone());
        let inner = with(scope, &["v", "TABLE[i]"]);
        let e = self.expression(&inner, 2);
        let chain = without(inner, "s");
        let f = self.expression(&chain, 2);
        let name = self.fresh("v");
        let text = match self.random.below(5) {
            0 => format!(
                "for (i, v) in {x}.iter().enumerate().take(3) {{ s = (s * 0.7 + {e}).sin(); }}"
            ),
            1 => format!(
                "s += {x}.iter().zip(TABLE.iter()).enumerate().map(|(i, (v, c))| c * {f}).sum::<f64>();"
            ),
            2 => format!(
                "let mut {name} = {x}.iter().zip(POINTS).peekable();\nlet mut i = 0;\nwhile let Some((v, (a, b))) = {name}.next() {{\ns += a * {e};\nif {name}.peek().is_none() {{ s *= b; }}\ni = (i + 1) % 4;\n}}"
            ),
            3 => format!(
                "let {name} = {x}.iter().map(|v| v * s).collect::<Vec<_>>();\nfor (i, v) in {name}.into_iter().enumerate().skip(1).take(2) {{ s += {e}; }}"
            ),
            _ => format!(
                "let {name} = |k: usize| TABLE[k % 4] * {x}[k % 3];\ns += (0..3).map(|i| {name}(i) * {name}(i + 1)).sum::<f64>();"
            ),
        };
        self.line(&text);
    }

    /// A call, if its arguments are here, and what is done with its result.
    fn call(&mut self, scope: &mut Scope, helper: &Helper) {
        let mut arguments = Vec::new();
        for take in &helper.takes {
            let Some(argument) = self.argument(scope, *take) else {
                return;
            };
            arguments.push(argument);
        }
        let (name, arguments) = (&helper.name, arguments.join(", "));
        let call = format!("{name}({arguments})");
        let r = self.fresh("r");
        let which = self.random.below(3);
        let text = match (helper.returns, which) {
            (Returns::Number, 0) => format!("s += {call};"),
            (Returns::Number, 1) => format!("let {r} = {call};\ns = ({r} * s).sin();"),
            (Returns::Number, _) => format!("s += 2.0 * {call} - {call}.cos();"),
            (Returns::Pair, 0) => format!("let (a{r}, b{r}) = {call};\ns += a{r} * b{r};"),
            (Returns::Pair, 1) => format!("let {r} = {call};\ns -= {r}.1;"),
            (Returns::Pair, _) => format!("let {r} = {call};\ns += {r}.0 * {r}.1.sin();"),
            (Returns::Array, 0) => format!("let [a{r}, _, b{r}] = {call};\ns += a{r} * b{r};"),
            (Returns::Array, 1) => format!("let {r} = {call};\ns += {r}[0] * {r}[2];"),
            (Returns::Array, _) => format!("for v in {call} {{ s += v * v; }}"),
            (Returns::Vector, 0) => {
                format!(
                    "let {r} = {call};\ns += {r}[0] * {r}.len() as f64 + {r}.iter().sum::<f64>();"
                )
            }
            (Returns::Vector, _) => format!(
                "let {r} = {call};\ns += {r}.iter().zip(TABLE).map(|(a, b)| a * b).sum::<f64>();"
            ),
            (Returns::Option, 0) => format!("if let Some(t) = {call} {{ s += t; }}"),
            (Returns::Option, 1) => format!("s += {call}.unwrap_or(0.3 * s);"),
            (Returns::Option, _) => {
                format!("s = match {call} {{ Some(t) => (t * s).cos(), None => s }};")
            }
            (Returns::State, 0) => {
                format!("let {r} = {call};\ns = (s + {r}.total() * {r}.level).sin();")
            }
            (Returns::State, _) => format!("let {r} = {call};\ns += {r}.level * {r}.parts[1];"),
            (Returns::Changes, _) => format!(
                "let mut {r} = [s, 0.3, 0.8];\n{name}({arguments}, &mut {r});\ns += {r}[0] * {r}[2];"
            ),
        };
        self.line(&text);
        if helper.returns == Returns::State {
            scope.states.push(r);
        }
    }

    fn argument(&mut self, scope: &Scope, take: Takes) -> Option<String> {
        // the vectors of the root, or slices that a helper has
        let borrowed = |name: String| match &*name {
            "samples" | "groups" => format!("&{name}"),
            _ => name,
        };
        let constant = self.random.once_in(3);
        Some(match take {
            Takes::Slice if constant || scope.slices.is_empty() => "&TABLE".to_owned(),
            Takes::Slice => {
                let x = self.one_of(&scope.slices);
                // a vector or a slice: `&x` is right for both
                format!("&{x}")
            }
            Takes::Number if constant => self.constant(),
            Takes::Number => self.expression(scope, 1),
            Takes::Pair if constant => "POINTS[1]".to_owned(),
            Takes::Pair => format!("({}, {})", self.expression(scope, 1), self.constant()),
            Takes::Points if constant || scope.points.is_empty() => "&POINTS[1..]".to_owned(),
            Takes::Points => self.one_of(&scope.points),
            Takes::Samples if scope.samples.is_empty() => return None,
            Takes::Samples => borrowed(self.one_of(&scope.samples)),
            Takes::Groups if scope.groups.is_empty() => return None,
            Takes::Groups => borrowed(self.one_of(&scope.groups)),
            Takes::State if constant || scope.states.is_empty() => {
                format!("&State::of({}, 2)", self.expression(scope, 1))
            }
            Takes::State => format!("&{}", self.one_of(&scope.states)),
            Takes::Kind if constant || scope.kinds.is_empty() => "Kind::Late".to_owned(),
            Takes::Kind => self.one_of(&scope.kinds),
            Takes::Index if scope.indices.is_empty() => self.random.below(3).to_string(),
            Takes::Index => self.one_of(&scope.indices),
        })
    }

    /// A number of moderate size.
    fn expression(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.random.once_in(4) {
            return self.atom(scope);
        }
        let (a, b) = (
            self.expression(scope, depth - 1),
            self.expression(scope, depth - 1),
        );
        match self.random.below(8) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - 0.3 * {b})"),
            2 => format!("({a} * {b}).sin()"),
            3 => format!("({a} / ({b} * {b} + 1.2))"),
            4 => format!("({a} * {a} + 1.1).sqrt()"),
            5 => format!("(-{a} * {a}).exp()"),
            6 => format!("({a} * {b}).tanh()"),
            _ => format!("(0.7 * {a} * {b}.cos())"),
        }
    }

    fn atom(&mut self, scope: &Scope) -> String {
        let mut all = scope.numbers.clone();
        let k = self.random.below(3);
        all.extend(
            scope
                .slices
                .iter()
                .filter(|x| !x.contains('['))
                .map(|x| format!("{x}[{k}]")),
        );
        all.extend(scope.pairs.iter().map(|q| format!("{q}.{}", k % 2)));
        all.extend(scope.points.iter().map(|d| format!("{d}[{k}].{}", k % 2)));
        all.extend(scope.states.iter().map(|w| match k {
            0 => format!("{w}.level"),
            1 => format!("{w}.total()"),
            _ => format!("{w}.parts[1]"),
        }));
        all.extend(scope.indices.iter().map(|n| format!("TABLE[{n}]")));
        all.extend(scope.kinds.iter().map(|kind| {
            format!("(match {kind} {{ Kind::Early => 0.4, Kind::Late => TABLE[2] }})")
        }));
        if let Some(c) = scope.closures.first().filter(|_| k == 0) {
            let number = self.constant();
            all.push(format!("{c}({number})"));
        }
        if all.is_empty() {
            return format!("{}_f64", self.constant());
        }
        self.one_of(&all)
    }
}

/// The scope with more numbers.
fn with(scope: &Scope, numbers: &[&str]) -> Scope {
    let mut inner = scope.clone();
    // twice, so that they are chosen
    for _ in 0..2 {
        inner
            .numbers
            .extend(numbers.iter().map(|n| (*n).to_owned()));
    }
    inner
}

/// The scope without a number.
fn without(mut scope: Scope, name: &str) -> Scope {
    scope.numbers.retain(|n| n != name);
    scope
}
