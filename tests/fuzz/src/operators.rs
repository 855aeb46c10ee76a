//! Operators of structs: of values, of what is lent, with numbers on either side.

use crate::writer::Writer;

impl Writer {
    pub(crate) fn operators(&mut self) {
        let (p, q) = (self.structure(), self.structure());
        let e = self.expression(1);
        let e = self.bound(&e);
        let r = self.fresh("p");
        let value = match self.random.below(15) {
            0 => {
                self.uses("operator of structs");
                format!("{p} + {q}")
            }
            1 => {
                self.uses("operator on lent structs");
                format!("&{p} + &{q}")
            }
            2 => {
                self.uses("operator on lent structs");
                format!("{p} - &{q}")
            }
            3 => {
                self.uses("operator of structs");
                self.uses("operator with a number");
                format!("{e} * {p} + {q} * 0.5")
            }
            4 => {
                self.uses("operator with a number");
                format!("{e} * &{p}")
            }
            5 => {
                self.uses("operator with a number");
                format!("{p} * {e}")
            }
            6 => {
                self.uses("negated struct");
                format!("-&{p}")
            }
            7 => {
                self.uses("negated struct");
                self.uses("operator on lent structs");
                format!("&(-&{p}) + &({q} * 0.3)")
            }
            8 => {
                self.uses("product of structs");
                let d = self.fresh("s");
                self.line(&format!("let {d}: f64 = {p} * {q};"));
                self.scope.values.push(d);
                return;
            }
            9 | 10 => {
                self.uses("compound operator of a struct");
                self.line(&format!("{p} *= {e};"));
                return;
            }
            11 if !self.scope.lists.is_empty() => {
                self.uses("compound operator of a struct");
                let lists = self.scope.lists.clone();
                let (ps, at, k) = (self.one_of(&lists), self.fresh("at"), self.index());
                self.line(&format!("let {at} = ({k}) % {ps}.len();"));
                self.line(&format!("{ps}[{at}] += {p};"));
                return;
            }
            _ if p != q => {
                self.uses("compound operator of a struct");
                let lent = self.one_of(&["", "&"]);
                self.line(&format!("{p} += {lent}{q};"));
                return;
            }
            _ => {
                self.uses("operator of structs");
                format!("({p} + {q}) - &{p}")
            }
        };
        if self.random.once_in(2) {
            self.line(&format!("{p} = {value};"));
        } else {
            self.line(&format!("let mut {r}: P = {value};"));
            self.scope.structs.push(r);
        }
    }
}
