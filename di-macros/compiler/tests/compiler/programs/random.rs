//! Random programs of the language: they compile, stay in bounds and do not grow.

use super::adjoint::Random;
use std::fmt::Write;

/// Source of a function `f`, the same for the same seed.
pub(crate) fn program(seed: u64) -> String {
    let mut p = Program {
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        out: String::new(),
        ..Program::default()
    };
    for _ in 0..8 {
        p.random.next();
    }
    p.function();
    p.out
}

#[derive(Default)]
struct Program {
    random: Random,
    out: String,
    depth: usize,
    names: usize,
    /// Scalars that can be read; those that can be written; integers; arrays of six that can be written.
    values: Vec<String>,
    variables: Vec<String>,
    integers: Vec<String>,
    arrays: Vec<String>,
    /// Loops around, by label.
    loops: Vec<String>,
}

impl Default for Random {
    fn default() -> Random {
        Random(1)
    }
}

impl Program {
    fn function(&mut self) {
        self.out.push_str("fn f(x: &[f64], a: f64, mut b: f64, n: usize, y: &mut [f64], mut v: [f64; 6]) -> f64 {\n");
        self.values = vec!["a".to_owned()];
        self.variables = vec!["b".to_owned()];
        self.integers = vec!["n".to_owned()];
        self.arrays = vec!["y".to_owned(), "v".to_owned()];
        self.depth = 1;
        let count = 4 + self.below(5);
        for _ in 0..count {
            self.stmt();
        }
        let e = self.expr(2);
        self.line(&e);
        self.out.push_str("}\n");
    }

    fn below(&mut self, n: usize) -> usize {
        (((self.random.next() + 1.0) / 2.0 * n as f64) as usize).min(n - 1)
    }

    fn one_of(&mut self, from: &[String]) -> String {
        let k = self.below(from.len());
        from[k].clone()
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(self.depth));
    }

    /// Statements in braces; what they bind is forgotten behind.
    fn block(&mut self, head: &str, tail: &str, count: usize) {
        self.line(head);
        let kept = (
            self.values.clone(),
            self.variables.clone(),
            self.integers.clone(),
            self.arrays.clone(),
        );
        self.depth += 1;
        for _ in 0..count {
            self.stmt();
        }
        self.depth -= 1;
        (self.values, self.variables, self.integers, self.arrays) = kept;
        self.line(tail);
    }

    fn stmt(&mut self) {
        let deep = self.depth > 3;
        match self.below(if deep { 9 } else { 18 }) {
            0 => {
                let (name, e) = (self.fresh("s"), self.expr(2));
                self.line(&format!("let {name} = {e};"));
                self.values.push(name);
            }
            1 => {
                let (name, e) = (self.fresh("t"), self.expr(2));
                self.line(&format!("let mut {name} = {e};"));
                self.variables.push(name);
            }
            2 | 3 => {
                let (target, e) = (self.target(), self.expr(2));
                let op = ["=", "+=", "-=", "*="][self.below(4)];
                // products stay bounded
                self.line(&if op == "*=" {
                    format!("{target} *= ({e}).sin();")
                } else {
                    format!("{target} {op} {e};")
                });
            }
            4 => {
                let (a, b) = (self.fresh("p"), self.fresh("q"));
                let (e, g) = (self.expr(1), self.expr(1));
                let rhs = match self.below(3) {
                    0 => format!("pair({e})"),
                    1 => format!("({e}, {g})"),
                    _ => {
                        let c = self.condition();
                        format!("if {c} {{ ({e}, {g}) }} else {{ ({g}, 0.5_f64) }}")
                    }
                };
                self.line(&format!("let ({a}, {b}): (f64, f64) = {rhs};"));
                self.values.extend([a, b]);
            }
            5 => {
                let name = self.fresh("w");
                let rhs = match self.below(4) {
                    0 => "[0.5_f64; 6]".to_owned(),
                    1 => {
                        let e: Vec<String> = (0..6).map(|_| self.expr(1)).collect();
                        format!("[{}]", e.join(", "))
                    }
                    2 => "x.to_vec()".to_owned(),
                    _ => self.one_of(&[
                        "v".to_owned(),
                        "vec![1.0_f64; 6]".to_owned(),
                        "y.to_vec()".to_owned(),
                    ]),
                };
                self.line(&format!("let mut {name} = {rhs};"));
                self.arrays.push(name);
            }
            6 => {
                let arrays = self.arrays.clone();
                let (array, e) = (self.one_of(&arrays), self.expr(1));
                let amp = if array == "y" {
                    "y".to_owned()
                } else {
                    format!("&mut {array}")
                };
                match self.below(4) {
                    0 => self.line(&format!("scale_into(x, {e}, {amp});")),
                    1 => self.line(&format!("scale_into(&x[1..4], {e}, &mut {array}[2..]);")),
                    2 => self.line(&format!("{array}.swap(1, 4);")),
                    _ => self.line(&format!("{{ let g = {e}; {array}[1..3].fill(g); }}")),
                }
            }
            7 => self.exit(),
            8 => {
                let (name, k) = (self.fresh("k"), self.index());
                self.line(&format!("let {name} = {k};"));
                self.integers.push(name);
            }
            9 | 10 => {
                let c = self.condition();
                let both = self.below(2) == 0;
                let (n, m) = (1 + self.below(2), 1 + self.below(2));
                self.block(
                    &format!("if {c} {{"),
                    if both { "} else {" } else { "}" },
                    n,
                );
                if both {
                    // the line with `else` is there already
                    self.out
                        .truncate(self.out.trim_end().len() - "} else {".len());
                    let head = "} else {".to_owned();
                    self.out.push_str(&" ".repeat(0));
                    self.out = self.out.trim_end().to_owned();
                    self.out.push('\n');
                    self.block(&head, "}", m);
                }
            }
            11 | 12 => {
                let (i, label) = (self.fresh("i"), self.fresh("l"));
                let range = [
                    "0..3",
                    "(0..n).rev()",
                    "1..=2",
                    "0..n + 1",
                    "(0..6).step_by(2)",
                ][self.below(5)];
                self.in_loop(
                    &label,
                    &format!("'{label}: for {i} in {range} {{"),
                    Some(&i),
                );
            }
            13 => {
                let (c, label) = (self.fresh("c"), self.fresh("l"));
                let cond = self.condition();
                self.line(&format!("let mut {c} = 0;"));
                self.line(&format!(
                    "'{label}: while {c} < 4 && ({c} < 2 || {cond}) {{"
                ));
                self.depth += 1;
                self.line(&format!("{c} += 1;"));
                self.depth -= 1;
                self.in_loop(&label, "", Some(&c));
            }
            14 => {
                let (c, label) = (self.fresh("c"), self.fresh("l"));
                self.line(&format!("let mut {c} = 0usize;"));
                self.line(&format!("'{label}: loop {{"));
                self.depth += 1;
                self.line(&format!("if {c} > 2 {{ break; }}"));
                self.line(&format!("{c} += 1;"));
                self.depth -= 1;
                self.in_loop(&label, "", Some(&c));
            }
            15 => {
                let arrays = self.arrays.clone();
                let (array, item, label) = (self.one_of(&arrays), self.fresh("e"), self.fresh("l"));
                let variables = self.variables.clone();
                let target = self.one_of(&variables);
                match self.below(3) {
                    0 => self.in_loop(
                        &label,
                        &format!("'{label}: for &{item} in x.iter() {{ {target} += {item} * 0.1;"),
                        None,
                    ),
                    1 => {
                        let amp = if array == "y" {
                            "y.iter_mut()".to_owned()
                        } else {
                            format!("{array}.iter_mut()")
                        };
                        let e = self.expr(0);
                        self.line(&format!("let g = {e};"));
                        self.line(&format!(
                            "for {item} in {amp} {{ *{item} = (*{item} + g).sin(); }}"
                        ));
                    }
                    _ => {
                        let amp = format!("x.iter().zip({array}.iter()).enumerate()");
                        self.line(&format!(
                            "for (i, (p, q)) in {amp} {{ {target} += p * q * (i as f64) * 0.1; }}"
                        ));
                    }
                }
            }
            16 => {
                let (name, e) = (self.fresh("s"), self.expr(1));
                let chain = match self.below(3) {
                    0 => format!("x.iter().map(|e| e * {e}).sum::<f64>()"),
                    1 => format!("(0..3).map(|i| x[i] - {e}).product::<f64>()"),
                    _ => format!("x.iter().fold({e}, |s, e| (s * e).sin())"),
                };
                self.line(&format!("let {name} = ({chain}).sin();"));
                self.values.push(name);
            }
            _ => {
                let name = self.fresh("s");
                let integers = self.integers.clone();
                let (k, a, b, c) = (
                    self.one_of(&integers),
                    self.expr(1),
                    self.expr(1),
                    self.expr(1),
                );
                self.line(&format!(
                    "let {name} = match {k} {{ 0 => {a}, 1 | 2 => {b}, _ => {c} }};"
                ));
                self.values.push(name);
            }
        }
    }

    /// The body of a loop whose head is given (or written already), with an integer that it binds.
    fn in_loop(&mut self, label: &str, head: &str, integer: Option<&str>) {
        let kept = self.integers.clone();
        self.integers.extend(integer.map(str::to_owned));
        self.loops.push(label.to_owned());
        let count = 1 + self.below(3);
        if head.is_empty() {
            // written already: an empty line keeps the shape
            self.block("", "}", count);
        } else {
            self.block(head, "}", count);
        }
        self.loops.pop();
        self.integers = kept;
    }

    /// An early end, under a condition.
    fn exit(&mut self) {
        let c = self.condition();
        let e = self.expr(1);
        let exit = match (self.below(4), self.loops.last().cloned()) {
            (0, _) | (_, None) => format!("return {e};"),
            (1, _) => "break;".to_owned(),
            (2, _) => "continue;".to_owned(),
            (_, Some(_)) => {
                let loops = self.loops.clone();
                let label = self.one_of(&loops);
                let word = ["break", "continue"][self.below(2)];
                format!("{word} '{label};")
            }
        };
        self.line(&format!("if {c} {{ {exit} }}"));
    }

    fn target(&mut self) -> String {
        if self.below(2) == 0 {
            let variables = self.variables.clone();
            return self.one_of(&variables);
        }
        let arrays = self.arrays.clone();
        let (array, k) = (self.one_of(&arrays), self.index());
        format!("{array}[{k}]")
    }

    /// An index below six.
    fn index(&mut self) -> String {
        let integers = self.integers.clone();
        match self.below(3) {
            0 => format!("{}usize", self.below(6)),
            1 => format!("{} % 6", self.one_of(&integers)),
            _ => format!("({} + {}) % 6", self.one_of(&integers), self.below(5)),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expr(1), self.expr(1));
        match self.below(5) {
            0 => {
                let integers = self.integers.clone();
                format!("{} % 2 == 0", self.one_of(&integers))
            }
            1 => format!("{a} > {b} && {b} < 0.5"),
            2 => format!("!({a} > 0.0) || {b} > 0.2"),
            _ => format!("{a} > {b}"),
        }
    }

    /// A float of moderate size.
    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            let names = [self.values.clone(), self.variables.clone()].concat();
            return match self.below(4) {
                0 => format!("({:.2}_f64)", self.random.next()),
                1 => format!("x[{}]", self.index()),
                2 => self.one_of(&names),
                _ => {
                    let arrays = self.arrays.clone();
                    format!("{}[{}]", self.one_of(&arrays), self.index())
                }
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.below(12) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 | 3 => format!("({a} * {b}).sin()"),
            4 => format!("({a} / (2.0 + {b} * {b}))"),
            5 => format!("({a}).tanh()"),
            6 => format!("({a}).max({b})"),
            7 => format!("helper(x, {}).cos()", self.index()),
            8 => {
                let c = self.expr(0);
                format!("(if {c} > 0.1 {{ {a} }} else {{ {b} }})")
            }
            9 => format!("({{ let h = {a}; (h * h).tanh() }})"),
            10 => format!("((1.5_f64 + ({a}).sin()).sqrt() - {b})"),
            _ => a,
        }
    }
}
