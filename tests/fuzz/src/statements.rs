//! Statements without a body.

use crate::writer::{Array, Theme, Writer};

impl Writer {
    pub(crate) fn statement(&mut self) {
        self.spend();
        if self.may_nest() && self.random.below(5) < 2 {
            return self.control();
        }
        if self.random.below(5) < 2 && self.on_theme() {
            return;
        }
        match self.random.below(84) {
            64 | 65 => self.inner(),
            67 => self.generic_call(),
            66 => self.structs(),
            68 => self.matrix(),
            69 | 70 => self.operators(),
            71..=73 => self.sums(),
            74 | 75 => self.tallies(),
            76 | 77 => self.rows(),
            78 | 79 => self.taken_apart(),
            80 | 81 => self.driven(),
            82 | 83 => self.moved(),
            38..=44 => self.growth(),
            45 | 46 => self.hands(),
            47 => self.permuted(),
            48..=52 => self.structs(),
            53..=55 => self.list(),
            56 | 57 => self.parts(),
            58 | 59 => self.references(),
            60 => self.recomputed(),
            61 => self.unzipped(),
            62 => self.either(),
            0 => self.binding(),
            1 => {
                self.uses("let mut");
                let (name, e) = (self.fresh("t"), self.expression(2));
                self.line(&format!("let mut {name} = {e};"));
                self.scope.variables.push(name);
            }
            2..=5 => self.assignment(),
            6..=9 => self.store(),
            10 | 25 => self.pattern(),
            11 | 12 => self.sequence(),
            13 | 14 => self.whole(),
            15 | 33 => self.view(),
            26 => self.constant(),
            16 => self.integers(),
            17 | 18 => self.exit(),
            19 | 27 => self.exchange(),
            20 => self.late(),
            21 | 22 => self.matrix(),
            23 => self.call(),
            63 => self.matrix(),
            28 => self.collected(),
            34 | 35 => self.option(),
            36 => self.let_else(),
            37 => self.block_value(),
            29 | 30 => self.closure(),
            31 => self.writing_closure(),
            24 => {
                self.uses("bool");
                let (name, c) = (self.fresh("c"), self.condition());
                self.line(&format!("let {name} = {c};"));
                self.scope.bools.push(name);
            }
            _ => self.exit(),
        }
    }

    /// A statement of the program's theme.
    fn on_theme(&mut self) -> bool {
        match self.theme() {
            Theme::Anything => return false,
            Theme::Vectors => match self.random.below(7) {
                0 | 1 => self.hands(),
                2 => self.permuted(),
                _ => self.growth(),
            },
            Theme::Structs => match self.random.below(9) {
                0 => self.tallies(),
                1 => self.operators(),
                _ => self.structs(),
            },
            Theme::Rows => self.rows(),
            Theme::Lists => match self.random.below(4) {
                0 => self.structs(),
                _ => self.list(),
            },
            Theme::Parts => match self.random.below(4) {
                0 => self.buffers(),
                1 | 2 => self.parts(),
                _ => self.references(),
            },
        }
        true
    }

    pub(crate) fn binding(&mut self) {
        self.uses("let");
        let e = self.expression(2);
        let is_name = |v: &&String| !v.contains(|c: char| !c.is_alphanumeric());
        let fixed = self.scope.values.iter().filter(is_name);
        let fixed: Vec<String> = fixed.cloned().collect();
        let name = if self.random.once_in(3) && fixed.len() > 1 {
            self.uses("shadowing");
            self.one_of(&fixed)
        } else if self.random.once_in(4) {
            self.uses("name as in generated code");
            let like = self.one_of(&["_d_x", "_t", "xb_", "_0_"]);
            self.fresh(like)
        } else {
            self.fresh("s")
        };
        self.line(&format!("let {name} = {e};"));
        if !self.scope.values.contains(&name) {
            self.scope.values.push(name);
        }
    }

    /// `left op= e` such that the size stays moderate.
    pub(crate) fn assign(&mut self, left: &str) {
        let e = self.expression(2);
        let text = match self.random.below(6) {
            0 | 1 => {
                self.uses("assignment");
                format!("{left} = {e};")
            }
            2 => {
                self.uses("+=");
                format!("{left} += {e};")
            }
            3 => {
                self.uses("-=");
                format!("{left} -= {e};")
            }
            4 => {
                self.uses("*=");
                format!("{left} *= ({e}).sin();")
            }
            _ => {
                self.uses("/=");
                format!("{left} /= 1.6 + ({e}).cos();")
            }
        };
        self.line(&text);
    }

    fn assignment(&mut self) {
        let left = self.variable();
        self.assign(&left);
    }

    fn store(&mut self) {
        self.uses("store");
        let array = self.array().name;
        let k = self.index();
        if k.contains("as usize") || self.scope.counters.iter().any(|c| k.contains(c)) {
            self.uses("store by recorded index");
        }
        self.assign(&format!("{array}[{k}]"));
    }

    fn pattern(&mut self) {
        let (p, q) = (self.fresh("p"), self.fresh("q"));
        let (e, g) = (self.expression(1), self.expression(1));
        match self.random.below(4) {
            0 => {
                self.uses("tuple pattern");
                self.line(&format!("let ({p}, {q}): (f64, f64) = ({e}, {g});"));
            }
            1 => {
                self.uses("call in a tuple pattern");
                self.line(&format!("let ({p}, {q}): (f64, f64) = pair({e});"));
            }
            2 => {
                self.uses("tuple of if");
                let c = self.condition();
                self.line(&format!(
                    "let ({p}, {q}): (f64, f64) = if {c} {{ ({e}, {g}) }} else {{ ({g}, 0.5_f64) }};"
                ));
            }
            _ => {
                self.uses("array pattern");
                self.line(&format!("let [{p}, _, {q}] = [{e}, {g}, {e} + {g}];"));
            }
        }
        self.scope.values.extend([p, q]);
    }

    /// An array without derivatives.
    fn constant(&mut self) {
        self.uses("constant array");
        let name = self.fresh("w");
        let entries: Vec<String> = (0..6)
            .map(|_| format!("{:.2}_f64", self.random.number()))
            .collect();
        self.line(&format!("let {name} = [{}];", entries.join(", ")));
        self.scope.views.push((name.clone(), crate::LENGTH));
        if self.random.once_in(2) {
            self.uses("copy_from_slice");
            let to = self.array().name;
            self.line(&format!("{to}[2..4].copy_from_slice(&{name}[..2]);"));
        }
    }

    /// A local array or vector.
    pub(crate) fn sequence(&mut self) {
        let name = self.fresh("w");
        let (e, g) = (self.expression(1), self.expression(0));
        let mut from = self.array();
        let mut vectors = self.scope.arrays.iter().filter(|a| a.vector);
        if let Some(from) = vectors.next_back().cloned()
            && self.random.once_in(2)
        {
            self.uses("clone");
            self.line(&format!("let mut {name} = {}.clone();", from.name));
            self.scope.arrays.push(Array { name, ..from });
            return;
        }
        if let Some(vector) = self.scope.arrays.iter().find(|a| a.vector)
            && self.random.once_in(2)
        {
            from = vector.clone();
        }
        let mut vector = true;
        let text = match self.random.below(8) {
            0 => {
                self.uses("array list");
                vector = false;
                let e: Vec<String> = (0..6).map(|_| self.expression(1)).collect();
                format!("[{}]", e.join(", "))
            }
            1 => {
                self.uses("array fill");
                vector = false;
                format!("[{e}; 6]")
            }
            2 => {
                self.uses("vec!");
                format!("vec![{e}; x.len()]")
            }
            3 => {
                self.uses("vec!");
                format!("vec![{e}, {g}, 0.5, {e}, x[0], {g}]")
            }
            4 | 5 | 7 if !from.lent => {
                vector = from.vector;
                self.uses(if vector { "clone" } else { "array copy" });
                if vector {
                    format!("{}.clone()", from.name)
                } else {
                    from.name
                }
            }
            6 if self.random.once_in(2) => {
                self.uses("concat");
                format!("[&x[..2], &{}[2..]].concat()", from.name)
            }
            6 => {
                self.uses("to_vec");
                "x.to_vec()".to_owned()
            }
            _ => {
                self.uses("to_vec");
                format!("{}.to_vec()", from.name)
            }
        };
        self.line(&format!("let mut {name} = {text};"));
        self.scope.arrays.push(Array {
            name,
            lent: false,
            vector,
        });
    }

    /// A change of several elements at once.
    fn whole(&mut self) {
        let Array { name, .. } = self.array();
        let e = self.expression(1);
        match self.random.below(4) {
            0 => {
                self.uses("swap");
                let (i, j) = (self.index(), self.index());
                self.line(&format!("{name}.swap({i}, {j});"));
            }
            1 => {
                self.uses("fill");
                let g = self.fresh("g");
                let range = self.one_of(&["[1..3]", "[2..]", ""]);
                self.line(&format!("let {g} = {e};"));
                self.line(&format!("{name}{range}.fill({g});"));
                self.scope.values.push(g);
            }
            2 => {
                self.uses("copy_from_slice");
                let views = self.scope.views.clone();
                let (view, n) = self.one_of(&views);
                let m = 1 + self.random.below(n);
                self.line(&format!("{name}[..{m}].copy_from_slice(&{view}[..{m}]);"));
            }
            _ => {
                self.uses("copy_from_slice");
                let from = self.array().name;
                if from == name {
                    self.line(&format!("{name}[1..4].copy_from_slice(&x[2..5]);"));
                } else {
                    self.line(&format!("{name}[2..5].copy_from_slice(&{from}[..3]);"));
                }
            }
        }
    }

    /// A slice of a slice that cannot change.
    fn view(&mut self) {
        if let Some((i, _, hi)) = self.scope.bounded.last().cloned()
            && hi + 2 <= crate::LENGTH
            && self.random.below(3) > 0
        {
            self.uses("view that moves with a loop");
            let u = self.fresh("u");
            let length = 2 + self.random.below(crate::LENGTH - 1 - hi);
            let length = length.min(crate::LENGTH - hi);
            self.line(&format!("let {u} = &x[{i}..{i} + {length}];"));
            self.scope.views.push((u, length));
            return;
        }
        let views = self.scope.views.clone();
        let (mut of, mut n) = self.one_of(&views);
        if self.random.below(4) > 0
            && let Some(longest) = views.iter().rev().find(|v| v.1 > 2 && v.0 != "x")
        {
            (of, n) = longest.clone();
        }
        if n < 3 {
            return self.binding();
        }
        if of != "x" {
            self.uses("view of a view");
        }
        let (u, w) = (self.fresh("u"), self.fresh("u"));
        if self.random.once_in(3) {
            self.uses("split_at");
            self.line(&format!("let ({u}, {w}) = {of}.split_at(1);"));
            self.scope.views.extend([(u, 1), (w, n - 1)]);
        } else {
            self.uses("view");
            let lo = self.random.below(2);
            self.line(&format!("let {u} = &{of}[{lo}..{}];", n - 1));
            self.scope.views.push((u, n - 1 - lo));
        }
    }

    fn integers(&mut self) {
        let k = self.index();
        if self.random.once_in(2) {
            self.uses("integer");
            let name = self.fresh("k");
            self.line(&format!("let {name} = {k};"));
            self.scope.integers.push(name);
        } else if self.scope.counters.is_empty() || self.random.once_in(3) {
            self.uses("counter");
            let name = self.fresh("m");
            self.line(&format!("let mut {name} = {k};"));
            self.scope.counters.push(name);
        } else {
            let counters = self.scope.counters.clone();
            let name = self.one_of(&counters);
            self.line(&format!("{name} = ({name} + {k}) % 6;"));
        }
    }

    fn exchange(&mut self) {
        let plain: Vec<String> = self.scope.variables.clone();
        let plain: Vec<String> = plain.into_iter().filter(|v| !v.starts_with('*')).collect();
        if plain.len() < 2 {
            let (name, e) = (self.fresh("t"), self.expression(1));
            self.line(&format!("let mut {name} = {e};"));
            self.scope.variables.push(name);
            return self.exchange();
        }
        let (a, b) = (plain[0].clone(), plain[plain.len() - 1].clone());
        let e = self.expression(1);
        match self.random.below(2) {
            0 => {
                self.uses("mem::swap");
                self.line(&format!("std::mem::swap(&mut {a}, &mut {b});"));
            }
            _ => {
                self.uses("tuple assignment");
                self.line(&format!("({a}, {b}) = ({b} * 0.5, {e});"));
            }
        }
    }

    fn late(&mut self) {
        self.uses("late initialisation");
        let name = self.fresh("s");
        let (c, e, g) = (self.condition(), self.expression(2), self.expression(1));
        self.line(&format!("let {name};"));
        self.line(&format!(
            "if {c} {{ {name} = {e}; }} else {{ {name} = {g}; }}"
        ));
        self.scope.values.push(name);
    }

    fn matrix(&mut self) {
        let matrices = self.scope.matrices.clone();
        if matrices.is_empty() || self.random.once_in(5) {
            self.uses("matrix");
            let name = self.fresh("m");
            let (e, g) = (self.expression(1), self.expression(1));
            self.line(&format!(
                "let mut {name} = [[{e}, 0.5_f64, x[1]], [{g}, a, x[2]]];"
            ));
            self.scope.matrices.push(name);
        } else if self.random.below(3) > 0 {
            self.uses("matrix row loop");
            let (m, t) = (self.one_of(&matrices), self.variable());
            let row = self.fresh("r");
            self.line(&format!(
                "for {row} in &{m} {{ {t} += {row}[0] * {row}[2] * 0.3; }}"
            ));
        } else {
            let m = self.one_of(&matrices);
            let (i, j) = (self.index_below(2), self.index_below(3));
            self.assign(&format!("{m}[{i}][{j}]"));
        }
    }

    fn call(&mut self) {
        let bound = self.expression(1);
        let e = self.fresh("g");
        self.line(&format!("let {e} = {bound};"));
        self.scope.values.push(e.clone());
        let Array { name, lent, .. } = self.array();
        let whole = if lent {
            name.clone()
        } else {
            format!("&mut {name}")
        };
        match self.random.below(5) {
            0 => {
                self.uses("call that writes");
                self.line(&format!("scale_into(x, {e}.sin(), {whole});"));
            }
            1 => {
                self.uses("call that writes");
                self.line(&format!(
                    "scale_into(&x[1..4], {e}.sin(), &mut {name}[2..]);"
                ));
            }
            2 => {
                let from = self.array().name;
                if from == name {
                    return self.store();
                }
                self.uses("call that writes");
                let k = self.random.below(3);
                self.line(&format!(
                    "scale_into(&{from}[{k}..], {e}.cos(), &mut {name}[..]);"
                ));
            }
            _ => {
                self.uses("call that changes");
                let range = self.one_of(&["[..]", "[1..5]"]);
                self.line(&format!("advance(&mut {name}{range}, {e});"));
            }
        }
    }

    /// An early end, under a condition.
    fn exit(&mut self) {
        let c = self.condition();
        let loops = self.loops.clone();
        let blocks = self.blocks.clone();
        if self.stays && loops.is_empty() && blocks.is_empty() {
            return self.assignment();
        }
        let often = !blocks.is_empty() && !self.random.once_in(3);
        let exit = match if often { 5 } else { self.random.below(9) } {
            5 if !blocks.is_empty() => {
                self.uses("break of a block");
                format!("break '{};", self.one_of(&blocks))
            }
            1 | 6 if !loops.is_empty() && self.plain => {
                self.uses("break");
                "break;".to_owned()
            }
            2 if !loops.is_empty() && self.plain => {
                self.uses("continue");
                "continue;".to_owned()
            }
            3 | 8 if !loops.is_empty() => {
                self.uses("break with label");
                format!("break '{};", self.one_of(&loops))
            }
            4 | 7 if !loops.is_empty() => {
                self.uses("continue with label");
                format!("continue '{};", self.one_of(&loops))
            }
            _ if self.stays => {
                let label = [loops, blocks].concat();
                let label = self.one_of(&label);
                self.uses(if label.starts_with('l') {
                    "break with label"
                } else {
                    "break of a block"
                });
                format!("break '{label};")
            }
            _ => {
                self.uses("return");
                format!("return {};", self.result())
            }
        };
        let before = if self.random.once_in(2) {
            let (left, e) = (self.variable(), self.expression(1));
            format!("{left} = {e}; ")
        } else {
            String::new()
        };
        // a test on floats alone would often hold never, or always
        self.line(&format!("if {c} {{ {before}{exit} }}"));
    }
}
