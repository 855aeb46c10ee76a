//! Functions inside of functions, with bodies of their own: numbers that are lent, lengths and types of constants as
//! parameters.

use crate::writer::{Array, Inner, Scope, Writer};

impl Writer {
    /// A function in this block, or a call of one that can be seen.
    pub(crate) fn inner(&mut self) {
        if self.scope.inner.is_empty() || self.random.once_in(3) {
            self.define();
        }
        self.call_inner();
    }

    fn define(&mut self) {
        self.uses("nested function");
        let (length, model) = (self.random.once_in(3), self.random.once_in(3));
        // blocks side by side have functions of one name
        let known = self.scope.inner.iter().any(|f| f.name == "inner");
        let name = if known || self.random.once_in(2) {
            self.fresh("inner")
        } else {
            "inner".to_owned()
        };
        let generics = match (length, model) {
            (true, true) => "<M: Model + Copy, const N: usize>",
            (true, false) => "<const N: usize>",
            (false, true) => "<M: Model + Copy>",
            (false, false) => "",
        };
        let mut params =
            "x: &[f64], a: f64, q: &f64, s: &mut f64, n: usize, y: &mut [f64]".to_owned();
        if length {
            params.push_str(", z: &mut [f64; N], c: &[f64; N]");
        }
        if model {
            params.push_str(", #[constant] m: M");
        }
        self.line(&format!("fn {name}{generics}({params}) -> f64 {{"));
        let inner = Inner {
            name,
            length,
            model,
        };
        self.own_body(|w| w.inner_body(&inner));
        self.line("}");
        self.scope.inner.push(inner);
    }

    fn inner_body(&mut self, f: &Inner) {
        let lent = |name: &str| Array {
            name: name.to_owned(),
            lent: true,
            vector: false,
        };
        let name = |name: &str| name.to_owned();
        self.scope = Scope {
            values: vec![name("a"), name("*q")],
            variables: vec![name("*s")],
            integers: vec![name("n")],
            arrays: vec![lent("y")],
            views: vec![(name("x"), crate::LENGTH)],
            inner: std::mem::take(&mut self.scope.inner),
            ..Scope::default()
        };
        if f.length {
            self.scope.arrays.push(lent("z"));
            self.scope.views.push((name("c"), crate::LENGTH));
            self.scope.integers.push(name("N"));
        }
        if f.model {
            let w = self.fresh("w");
            let k = self.fresh("k");
            let index = self.index();
            self.line(&format!("let {k} = {index};"));
            self.line(&format!(
                "let {w}: f64 = m.weight({k}) * M::SCALE + M::shift();"
            ));
            self.scope.values.push(w);
            self.scope.models.push(name("m"));
        }
        self.line("let mut b = a * 0.5 + *q;");
        self.scope.variables.push(name("b"));
        let count = 2 + self.random.below(3);
        for _ in 0..count {
            self.statement();
        }
        let e = self.result();
        self.line(&e);
    }

    fn call_inner(&mut self) {
        let functions = self.scope.inner.clone();
        let f = self.one_of(&functions);
        let (e, g) = (self.expression(1), self.expression(0));
        let (e, g, k) = (self.bound(&e), self.bound(&g), self.index());
        let lent = self.plain_variable();
        let Array { name, .. } = self.array();
        let mut args = format!("{e}, &{g}, &mut {lent}, {k}, &mut {name}[..]");
        if f.length {
            self.uses("generic length");
            let z = self.fixed_array(&name);
            let c = self.fixed_array(&format!("{name} {z}"));
            args.push_str(&format!(", &mut {z}, &{c}"));
        }
        if f.model {
            self.uses("function generic over a type");
            args.push_str(&format!(", {}", self.model()));
        }
        self.uses("reference to a number as a parameter");
        let r = self.fresh("s");
        self.line(&format!("let {r}: f64 = {}(x, {args});", f.name));
        self.scope.values.push(r);
    }

    /// A type of constants, as a value.
    pub(crate) fn model(&mut self) -> String {
        let mut models = self.scope.models.clone();
        models.extend(["Bends".to_owned(), "Steps".to_owned()]);
        self.one_of(&models)
    }

    /// A float that is a variable of its own.
    pub(crate) fn plain_variable(&mut self) -> String {
        let plain = self.scope.variables.iter().filter(|v| !v.starts_with('*'));
        let plain: Vec<String> = plain.cloned().collect();
        if plain.is_empty() {
            let (name, e) = (self.fresh("t"), self.expression(0));
            self.line(&format!("let mut {name}: f64 = {e};"));
            self.scope.variables.push(name.clone());
            return name;
        }
        self.one_of(&plain)
    }

    /// An array of known length that is none of these.
    fn fixed_array(&mut self, others: &str) -> String {
        let fits =
            |a: &&Array| !a.lent && !a.vector && !others.split(' ').any(|other| other == a.name);
        let fit = self.scope.arrays.iter().filter(fits);
        let fit: Vec<String> = fit.map(|a| a.name.clone()).collect();
        if fit.is_empty() {
            let (name, e) = (self.fresh("w"), self.expression(0));
            self.line(&format!("let mut {name} = [{e}; 6];"));
            self.scope.arrays.push(Array {
                name: name.clone(),
                lent: false,
                vector: false,
            });
            return name;
        }
        self.one_of(&fit)
    }

    /// Calls of functions outside that are generic: over lengths, types of constants, their float.
    pub(crate) fn generic_call(&mut self) {
        let e = self.expression(1);
        let e = self.bound(&e);
        let Array { name, .. } = self.array();
        let v = self.variable();
        match self.random.below(8) {
            0 => {
                self.uses("generic length");
                let r = self.fresh("s");
                let n = 1 + self.random.below(3);
                let list: Vec<String> = (0..n).map(|_| self.expression(0)).collect();
                let list = list.join(", ");
                self.line(&format!("let {r}: f64 = lengths(&[{list}, 0.4_f64], {e});"));
                self.scope.values.push(r);
            }
            1 | 2 => {
                self.uses("generic length");
                self.uses("result that is an array of a call");
                let from = self.fixed_array("");
                let to = self.fresh("w");
                let n = self.one_of(&["", "::<6>"]);
                self.line(&format!("let mut {to}: [f64; 6] = normalized{n}({from});"));
                self.scope.arrays.push(Array {
                    name: to,
                    lent: false,
                    vector: false,
                });
            }
            3 | 4 => {
                self.uses("function generic over a type");
                let m = self.model();
                let part = self.one_of(&["[..]", "[1..4]"]);
                self.line(&format!("scaled(&mut {name}{part}, {m}, {e});"));
            }
            5 => {
                self.uses("function generic over a type");
                let m = self.model();
                let m = self.one_of(&[m, "MODEL".to_owned()]);
                self.line(&format!("{v} += 1.0 * weighted(&x[1..], &{m}, {e});"));
            }
            6 => {
                self.uses("function generic over its float");
                let kind = self.one_of(&["", "::<f64>"]);
                self.line(&format!("{v} -= 1.0 * bend{kind}(&x[..4], {e});"));
            }
            _ => {
                self.uses("function generic over its float");
                self.line(&format!("bend_all(&mut {name}[2..], x, {e});"));
            }
        }
    }
}
