//! What a program under construction knows: names in scope, control constructs around, what was used.

use crate::random::Random;
use crate::{CONTROL, Program};
use std::collections::BTreeSet;

/// An array, slice or vector of [`crate::LENGTH`] numbers that can be written.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) name: String,
    /// It is a `&mut` slice already.
    pub(crate) lent: bool,
    /// A slice has no copies but by `to_vec`.
    pub(crate) vector: bool,
}

/// What a program does most of the time, so that the constructs of one kind meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Anything,
    /// Vectors that grow and change hands.
    Vectors,
    Structs,
    /// Vectors of structs.
    Lists,
    /// Vectors of vectors.
    Rows,
    /// Parts and references.
    Parts,
}

/// A function inside of the program, and what it has beside its numbers and slices.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    pub(crate) name: String,
    /// Two arrays of a length that is a parameter.
    pub(crate) length: bool,
    /// A constant of a type that is a parameter.
    pub(crate) model: bool,
}

/// Names that can be used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Floats that can be read.
    pub(crate) values: Vec<String>,
    /// Floats that can be written.
    pub(crate) variables: Vec<String>,
    /// Indices of any size.
    pub(crate) integers: Vec<String>,
    /// Indices with the least and the greatest value they take.
    pub(crate) bounded: Vec<(String, usize, usize)>,
    /// Indices that can be written.
    pub(crate) counters: Vec<String>,
    pub(crate) bools: Vec<String>,
    pub(crate) arrays: Vec<Array>,
    /// Slices that can be read, with their lengths.
    pub(crate) views: Vec<(String, usize)>,
    /// Arrays of two rows of three.
    pub(crate) matrices: Vec<String>,
    /// Closures of one number.
    pub(crate) closures: Vec<String>,
    /// Options of a float.
    pub(crate) options: Vec<String>,
    /// Vectors of any length but zero.
    pub(crate) growing: Vec<String>,
    /// Structs that can be written.
    pub(crate) structs: Vec<String>,
    /// Vectors of structs, of any length but zero.
    pub(crate) lists: Vec<String>,
    /// Vectors of vectors, all of any length but zero.
    pub(crate) rows: Vec<String>,
    /// Structs of integers.
    pub(crate) tallies: Vec<String>,
    /// Functions of the blocks around.
    pub(crate) inner: Vec<Inner>,
    /// Constants of a type that is a parameter.
    pub(crate) models: Vec<String>,
}

/// What a program gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// `f64`
    Number,
    /// `(f64, f64)`
    Pair,
    /// `Vec<f64>`
    Vector,
    /// `P`
    Struct,
    /// `[f64; 3]`
    Array,
}

impl Gives {
    /// The type, as it is written.
    pub fn ty(self) -> &'static str {
        match self {
            Gives::Number => "f64",
            Gives::Pair => "(f64, f64)",
            Gives::Vector => "Vec<f64>",
            Gives::Struct => "P",
            Gives::Array => "[f64; 3]",
        }
    }
}

pub(crate) struct Writer {
    pub(crate) random: Random,
    pub(crate) scope: Scope,
    /// Labels of the loops around.
    pub(crate) loops: Vec<String>,
    /// Labels of the blocks around.
    pub(crate) blocks: Vec<String>,
    /// The innermost of both is a loop: `break` and `continue` need no label.
    pub(crate) plain: bool,
    /// Nothing may leave what is written now.
    pub(crate) stays: bool,
    gives: Gives,
    theme: Theme,
    out: String,
    depth: usize,
    names: usize,
    /// Statements that may still be written.
    budget: usize,
    around: Vec<&'static str>,
    used: BTreeSet<&'static str>,
    nested: BTreeSet<(&'static str, &'static str)>,
}

/// Depth of control constructs.
const DEEPEST: usize = 4;

impl Writer {
    pub(crate) fn new(seed: u64) -> Writer {
        let mut random = Random::new(seed);
        let budget = 8 + random.below(24);
        let theme = match random.below(9) {
            0 | 1 => Theme::Vectors,
            2 => Theme::Structs,
            3 => Theme::Lists,
            4 => Theme::Parts,
            5 => Theme::Rows,
            _ => Theme::Anything,
        };
        let gives = match random.below(12) {
            0 => Gives::Pair,
            1 => Gives::Vector,
            2 => Gives::Struct,
            3 => Gives::Array,
            _ => Gives::Number,
        };
        Writer {
            random,
            scope: Scope::default(),
            loops: Vec::new(),
            blocks: Vec::new(),
            plain: true,
            stays: false,
            gives,
            theme,
            out: String::new(),
            depth: 1,
            names: 0,
            budget,
            around: Vec::new(),
            used: BTreeSet::new(),
            nested: BTreeSet::new(),
        }
    }

    pub(crate) fn function(mut self) -> Program {
        self.out.push_str(&format!(
            "fn f(x: &[f64], a: f64, mut b: f64, n: usize, y: &mut [f64], mut v: [f64; 6]) -> {} {{\n",
            self.gives.ty()
        ));
        let array = |name: &str, lent| Array {
            name: name.to_owned(),
            lent,
            vector: false,
        };
        self.scope = Scope {
            values: vec!["a".to_owned()],
            variables: vec!["b".to_owned()],
            integers: vec!["n".to_owned()],
            arrays: vec![array("y", true), array("v", false)],
            views: vec![("x".to_owned(), crate::LENGTH)],
            ..Scope::default()
        };
        while self.budget > 0 {
            self.statement();
        }
        let e = self.result();
        let e = self.with_last_loop(e);
        self.line(&e);
        self.out.push_str("}\n");
        Program {
            source: self.out,
            gives: self.gives,
            used: self.used,
            nested: self.nested,
        }
    }

    /// A number and what a loop of no, one or more trips adds to it: the first thing that reverse mode does.
    fn with_last_loop(&mut self, e: String) -> String {
        if self.gives != Gives::Number || !self.random.once_in(8) {
            return e;
        }
        self.uses("loop in the result");
        format!("{e} + {{ let mut t = 0.3; for i in 0..n {{ t += x[i] * a; }} t }}")
    }

    /// A result.
    pub(crate) fn result(&mut self) -> String {
        let e = self.expression(2);
        match self.gives {
            Gives::Number => e,
            Gives::Pair => {
                self.uses("result that is a tuple");
                format!("({e}, {})", self.expression(1))
            }
            Gives::Vector => {
                self.uses("result that is a vector");
                let growing = self.scope.growing.clone();
                if growing.is_empty() || self.random.once_in(3) {
                    return format!("vec![{e}, {}]", self.expression(0));
                }
                format!("{}.clone()", self.one_of(&growing))
            }
            Gives::Struct => {
                self.uses("result that is a struct");
                let structs = self.scope.structs.clone();
                if structs.is_empty() {
                    return format!("P {{ a: {e}, b: 0.5, w: [{e}, x[2], 1.0], k: n }}");
                }
                format!("P {{ b: {e}, ..{} }}", self.one_of(&structs))
            }
            Gives::Array => {
                self.uses("result that is an array");
                format!("[{e}, x[1], {}]", self.expression(0))
            }
        }
    }

    // ---- what was used ----

    /// Notes a construct; what is noted is known.
    pub(crate) fn uses(&mut self, construct: &'static str) {
        debug_assert!(
            [crate::CONSTRUCTS, CONTROL, crate::EXITS]
                .iter()
                .any(|known| known.contains(&construct)),
            "{construct} is in no list"
        );
        self.used.insert(construct);
        for outer in &self.around {
            if CONTROL.contains(&construct) || crate::EXITS.contains(&construct) {
                self.nested.insert((outer, construct));
            }
        }
    }

    /// Whether there is room for a construct with a body.
    pub(crate) fn may_nest(&self) -> bool {
        self.around.len() < DEEPEST && self.budget > 0
    }

    pub(crate) fn theme(&self) -> Theme {
        self.theme
    }

    /// Takes one statement from the budget.
    pub(crate) fn spend(&mut self) {
        self.budget = self.budget.saturating_sub(1);
    }

    // ---- text ----

    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub(crate) fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A body of a few statements behind a head that was written; what they bind is forgotten.
    pub(crate) fn body(&mut self, construct: &'static str, enter: impl FnOnce(&mut Writer)) {
        let kept = self.scope.clone();
        self.around.push(construct);
        self.depth += 1;
        enter(self);
        let count = 1 + self.random.below(3);
        for _ in 0..count {
            self.statement();
        }
        self.depth -= 1;
        self.around.pop();
        self.scope = kept;
    }

    /// The body of a function of its own: it sees and leaves nothing of what is around.
    pub(crate) fn own_body(&mut self, write: impl FnOnce(&mut Writer)) {
        let scope = self.scope.clone();
        let around = std::mem::take(&mut self.around);
        let (loops, blocks) = (
            std::mem::take(&mut self.loops),
            std::mem::take(&mut self.blocks),
        );
        let plain = std::mem::replace(&mut self.plain, true);
        let stays = std::mem::replace(&mut self.stays, false);
        let gives = std::mem::replace(&mut self.gives, Gives::Number);
        self.deeper(write);
        (self.scope, self.around, self.loops, self.blocks) = (scope, around, loops, blocks);
        (self.plain, self.stays, self.gives) = (plain, stays, gives);
    }

    /// Lines one step further in.
    pub(crate) fn deeper(&mut self, write: impl FnOnce(&mut Writer)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    // ---- choice ----

    pub(crate) fn one_of<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len())].clone()
    }

    pub(crate) fn array(&mut self) -> Array {
        let arrays = self.scope.arrays.clone();
        self.one_of(&arrays)
    }

    pub(crate) fn variable(&mut self) -> String {
        let variables = self.scope.variables.clone();
        self.one_of(&variables)
    }
}
