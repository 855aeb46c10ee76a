//! Parts that are lent, references that are chosen, slices bound anew, and loops that are not recorded.

use crate::CONTROL;
use crate::writer::{Array, Writer};

impl Writer {
    /// Parts of an array, written side by side.
    pub(crate) fn parts(&mut self) {
        let Array { name, .. } = self.array();
        let e = self.expression(1);
        let e = self.bound(&e);
        let v = self.variable();
        let at = 1 + self.random.below(5);
        let kept = self.scope.arrays.clone();
        self.scope.arrays.retain(|a| a.name != name);
        let c = self.condition();
        self.scope.arrays = kept;
        self.line("{");
        self.deeper(|w| match w.random.below(7) {
            0 | 1 => {
                w.uses("parts lent together");
                w.line(&format!("let (l, r) = {name}.split_at_mut({at});"));
                let (from, to) = w.one_of(&[("l", "r"), ("r", "l")]);
                w.line(&format!("{v} += lend_two({from}, {to}, &x[1..]) * {e};"));
                w.line("l[0] = (l[0] * r[0]).sin();");
            }
            2 => {
                w.uses("part that is chosen");
                w.line(&format!(
                    "let t = if {c} {{ &mut {name}[{at}..] }} else {{ &mut {name}[..2] }};"
                ));
                w.line(&format!("t[0] = (t[0] + {e}).sin();"));
                w.line("let m = t.len();");
                w.line("t[m - 1] *= t[0].cos();");
            }
            3 => {
                w.uses("chunks_mut");
                let chunks = w.one_of(&["chunks_mut(2)", "chunks_exact_mut(3)"]);
                w.line(&format!(
                    "for t in {name}.{chunks} {{ if {c} {{ continue; }} t[0] = (t[0] * t[1] + {e}).sin(); t[1] *= 0.5; }}"
                ));
            }
            4 | 5 => {
                w.uses("vector lent again and again");
                w.line("let mut lent = x[1..].to_vec();");
                w.line(&format!("lent[{}] *= {e};", at % 4));
                w.line("for t in lent.iter_mut() { *t = (*t * 1.3).sin(); }");
                w.line(&format!(
                    "for i in 0..3 {{ {v} += dot(&lent, &x[1..]) * helper(&lent, i); }}"
                ));
            }
            _ => {
                w.uses("slice that gets shorter");
                w.line(&format!("let mut rest = &mut {name}[..];"));
                w.line("while rest.len() > 1 {");
                w.deeper(|w| {
                    w.line("let (h, t) = std::mem::take(&mut rest).split_at_mut(1);");
                    w.line(&format!("h[0] = (h[0] * t[0] + {e}).sin();"));
                    w.line(&format!("if {c} {{ break; }}"));
                    w.line("rest = t;");
                });
                w.line("}");
            }
        });
        self.line("}");
    }

    /// References to numbers and slices that are chosen or bound anew.
    pub(crate) fn references(&mut self) {
        let e = self.expression(1);
        let plain = self.scope.variables.iter().filter(|v| !v.starts_with('*'));
        let plain: Vec<String> = plain.cloned().collect();
        let (c, v) = (self.condition(), self.variable());
        let (r, k) = (self.fresh("r"), self.index());
        let array = self.array().name;
        match self.random.below(9) {
            0 if !plain.is_empty() => {
                self.uses("number chosen by reference");
                let b = self.one_of(&plain);
                self.line("{");
                self.deeper(|w| {
                    w.line(&format!(
                        "let {r} = if {c} {{ &mut {b} }} else {{ &mut {array}[{k}] }};"
                    ));
                    w.line(&format!("*{r} = (*{r} * 0.7 + 0.2).sin();"));
                });
                self.line("}");
            }
            1 => {
                self.uses("reference to an element");
                self.line("{");
                self.deeper(|w| {
                    w.line(&format!("let {r} = &mut {array}[{k}];"));
                    w.line(&format!("*{r} *= 0.5;"));
                    w.line(&format!("*{r} += a;"));
                });
                self.line("}");
            }
            2 => {
                self.uses("slice bound anew");
                self.line(&format!("let mut {r} = &x[..];"));
                self.line(&format!("while {r}.len() > 2 {{"));
                self.deeper(|w| {
                    w.line(&format!("{v} = ({v} * {r}[0] + {r}[{r}.len() - 1]).sin();"));
                    w.line(&format!("if {v} > 0.9 {{ break; }}"));
                    w.line(&format!(
                        "{r} = if {v} > 0.1 {{ &{r}[1..] }} else {{ &{r}[..{r}.len() - 1] }};"
                    ));
                });
                self.line("}");
            }
            3 => self.tuple_of_references(&r, &v),
            4 => {
                self.uses("number lent");
                let g = self.fresh("g");
                self.line(&format!("let {g}: f64 = {e};"));
                let e = g;
                let w = self.one_of(&[format!("{array}[{k}]"), format!("{array}[0]")]);
                self.line(&format!("{v} += nudge(&{e}, &mut {w}) * 0.3;"));
                self.line(&format!("{array}[{k}] = nudge(&{v}, &mut {e}.clone());"));
            }
            5 => {
                self.uses("option of a reference");
                let i = self.fresh("i");
                self.line(&format!("let mut {r}: Option<&[f64]> = None;"));
                self.line(&format!(
                    "for {i} in 0..4 {{ if x[{i}] > {v} {{ {r} = Some(&x[{i}..]); }} if let Some(t) = {r} {{ {v} = ({v} + t[0] * t[t.len() - 1]).sin(); }} }}"
                ));
                self.line(&format!("{v} *= {r}.map_or(0.7, |t| t[1].cos());"));
            }
            _ => self.ping_pong(&e),
        }
    }

    /// A slice in a tuple, bound anew until it is short.
    fn tuple_of_references(&mut self, r: &str, v: &str) {
        self.uses("references in a tuple");
        self.line(&format!("let mut {r} = (&x[..], 0.8);"));
        self.line(&format!("while {r}.0.len() > 2 {{"));
        self.deeper(|w| {
            w.line(&format!("{v} = ({v} * {r}.0[0] + {r}.1).sin();"));
            w.line(&format!("if {v} > 0.9 {{ break; }}"));
            w.line(&format!(
                "{r} = (if {v} > 0.1 {{ &{r}.0[1..] }} else {{ &{r}.0[..{r}.0.len() - 1] }}, {r}.1 * 0.7 + {v});"
            ));
        });
        self.line("}");
        self.line(&format!("{r}.0 = x;"));
        self.line(&format!("{v} += {r}.0[1] * {r}.1.sin();"));
    }

    /// Two references that exchange what they lead to.
    fn ping_pong(&mut self, e: &str) {
        let lists: Vec<Array> = self
            .scope
            .arrays
            .iter()
            .filter(|a| !a.lent)
            .cloned()
            .collect();
        let (Some(a), Some(b)) = (lists.first(), lists.last()) else {
            return self.sequence();
        };
        if a.name == b.name {
            return self.sequence();
        }
        self.uses("references exchanged");
        let (a, b) = (a.name.clone(), b.name.clone());
        let e = self.bound(e);
        let (i, v) = (self.fresh("i"), self.variable());
        self.line("{");
        self.deeper(|w| {
            w.line(&format!("let mut now = &mut {a}[..];"));
            w.line(&format!("let mut next = &mut {b}[..];"));
            w.line(&format!("for {i} in 0..3 {{"));
            w.deeper(|w| {
                w.line(&format!("scale_into(now, {e}.cos(), next);"));
                w.line(&format!("next[{i}] = (now[0] + {e}).sin();"));
                w.line(&format!("if next[{i}] > 0.8 {{ break; }}"));
                w.line("(now, next) = (next, now);");
            });
            w.line("}");
            w.line(&format!("{v} += now[1] * 0.3;"));
        });
        self.line("}");
    }

    /// A loop whose trips are not recorded.
    pub(crate) fn checkpointed(&mut self) {
        let i = self.fresh("i");
        let mark = self.one_of(&["checkpoint", "checkpoint = 2", "revolve = 2", "revolve = 3"]);
        self.uses(if mark.starts_with('c') {
            "checkpoint"
        } else {
            "revolve"
        });
        let (range, lo, hi) =
            self.one_of(&[("0..4", 0, 3), ("(0..n).rev()", 0, 3), ("1..=3", 1, 3)]);
        let kept = self.scope.clone();
        let (loops, blocks) = (
            std::mem::take(&mut self.loops),
            std::mem::take(&mut self.blocks),
        );
        let stays = std::mem::replace(&mut self.stays, true);
        // what is not a number or an array does not go from trip to trip
        self.scope.counters.clear();
        self.scope.options.clear();
        self.scope.growing.clear();
        self.scope.lists.clear();
        self.scope.closures.clear();
        self.scope.structs.clear();
        self.scope.rows.clear();
        self.scope.tallies.clear();
        self.scope.variables.retain(|v| !v.starts_with('*'));
        self.line(&format!("#[ad({mark})]"));
        self.line(&format!("for {i} in {range} {{"));
        self.body("checkpointed loop", |w| {
            w.scope.bounded.push((i.clone(), lo, hi));
            w.scope.integers.push(i.clone());
            if w.random.once_in(3) {
                let c = w.condition();
                w.line(&format!("if {c} {{ continue; }}"));
            }
            let (v, e) = (w.variable(), w.expression(1));
            w.line(&format!("{v} = ({v} * 0.8 + {e}).sin();"));
        });
        self.line("}");
        self.stays = stays;
        (self.loops, self.blocks, self.scope) = (loops, blocks, kept);
        debug_assert!(CONTROL.contains(&"checkpointed loop"));
    }

    /// A statement that is run again in reverse.
    pub(crate) fn recomputed(&mut self) {
        self.uses("recompute");
        let (v, e) = (self.variable(), self.expression(1));
        let Array { name, .. } = self.array();
        let text = match self.random.below(3) {
            0 => format!("{v} = ({v} * {e}).sin();"),
            1 => {
                let e = self.bound(&e);
                format!("advance(&mut {name}[1..4], {e});")
            }
            _ => format!("{{ let t = {e}; {v} += (t * t).sin(); {name}[1] *= t.cos(); }}"),
        };
        self.line("#[ad(recompute)]");
        self.line(&text);
    }
}
