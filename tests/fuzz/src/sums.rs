//! Methods of `Option` and `Result`, functions that give one, `?`.

use crate::writer::Writer;

impl Writer {
    pub(crate) fn sums(&mut self) {
        let o = self.one_option();
        let (e, g) = (self.expression(1), self.expression(0));
        let (name, k) = (self.fresh("s"), self.index());
        let value = match self.random.below(22) {
            19 | 20 => {
                self.uses("option that is written through");
                let e = self.bound(&e);
                self.line(&format!(
                    "if let Some(v) = {o}.as_mut() {{ *v = (*v + {e}).sin(); }}"
                ));
                return;
            }
            0 => {
                self.uses("filter of an option");
                format!("{o}.filter(|t| *t > {g}).unwrap_or({e})")
            }
            1 => {
                self.uses("or of options");
                format!("{o}.or(Some({e})).unwrap()")
            }
            2 => {
                self.uses("or of options");
                let other = self.one_option();
                format!("{o}.xor({other}).or_else(|| Some({e})).unwrap_or(0.3)")
            }
            3 | 4 => {
                self.uses("and_then");
                format!("{o}.and_then(|t| checked(t, {g})).unwrap_or_else(|| {e} * 0.5)")
            }
            5 | 6 => {
                self.uses("map_or");
                format!("{o}.map_or({e}, |t| (t * {g}).sin())")
            }
            7 => {
                self.uses("map_or");
                format!("{o}.map_or_else(|| {e}, |t| t.cos())")
            }
            8 => {
                self.uses("zip of options");
                format!("{o}.zip(x.get(({k}) + 1).copied()).map_or({e}, |(p, q)| p * q)")
            }
            9 | 10 => {
                self.uses("take of an option");
                self.line(&format!("let {name}: f64 = {o}.take().unwrap_or({e});"));
                self.line(&format!(
                    "if {o}.is_none() && {name} > 0.2 {{ {o} = Some({name} * 0.5); }}"
                ));
                self.scope.values.push(name);
                return;
            }
            11 => {
                self.uses("replace of an option");
                let e = self.bound(&e);
                self.line(&format!(
                    "let {name}: f64 = {o}.replace({e}).unwrap_or(0.4);"
                ));
                self.scope.values.push(name);
                return;
            }
            12 => {
                self.uses("question of an option");
                let v = self.variable();
                self.line(&format!("if {o}.is_some_and(|t| t > {g}) {{ {v} = {e}; }}"));
                return;
            }
            13 => {
                self.uses("question of an option");
                format!(
                    "(if {o}.is_some() || {o}.is_none_or(|t| t > {g}) {{ {e} }} else {{ {g} }})"
                )
            }
            14 => {
                self.uses("call that gives an option");
                let name = self.fresh("o");
                self.line(&format!(
                    "let mut {name}: Option<f64> = asked(x, {e}, {k});"
                ));
                self.scope.options.push(name);
                return;
            }
            15 | 16 => {
                self.uses("call that gives an option");
                format!("checked({e}, {g}).map_or(0.6, |t| t * t)")
            }
            17 | 18 => return self.tried(&e, &name),
            _ => {
                self.uses("method of a result");
                format!("{o}.ok_or(3_usize).map(|t| t * {g}).unwrap_or_else(|k| x[k] * {e})")
            }
        };
        self.line(&format!("let {name}: f64 = {value};"));
        self.scope.values.push(name);
    }

    /// A call that gives a result, which is taken apart.
    fn tried(&mut self, e: &str, name: &str) {
        self.uses("call that gives a result");
        let (array, r) = (self.array().name, self.fresh("r"));
        let (e, k) = (self.bound(e), self.random.below(4));
        self.line(&format!(
            "let {r}: Result<f64, usize> = tried(x, &mut {array}[..], {k});"
        ));
        let value = match self.random.below(4) {
            0 => {
                format!("match {r} {{ Ok(v) => v * {e}, Err(1) => 0.3, Err(k) => x[k % 6] + {e} }}")
            }
            1 => {
                self.uses("method of a result");
                format!("{r}.map(|v| (v + {e}).sin()).unwrap_or(0.7)")
            }
            2 => {
                self.uses("method of a result");
                format!("{r}.map_err(|k| k + 1).map_or_else(|k| x[k % 6], |v| v * {e})")
            }
            _ => {
                self.uses("method of a result");
                format!("{r}.ok().unwrap_or({e})")
            }
        };
        self.line(&format!("let {name}: f64 = {value};"));
        self.scope.values.push(name.to_owned());
    }
}
