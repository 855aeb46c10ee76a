//! Random programs of the language: well typed, in bounds, of moderate values, the same for the same seed.
//!
//! Each program says which constructs it uses and which control constructs it nests, so that a batch can
//! show what it covers. A construct that the compiler learns is added to [`CONSTRUCTS`] and to the writer.

mod chains;
mod control;
mod expressions;
mod growth;
mod inner;
mod lent;
mod modules;
mod operators;
mod options;
mod patterns;
mod random;
mod rows;
mod statements;
mod structs;
mod sums;
mod surroundings;
mod tallies;
mod writer;

pub use modules::module;
pub use random::Random;
use std::collections::{BTreeMap, BTreeSet};
pub use surroundings::{HELPERS, METHODS, OPERATORS, OUTER, Outer, STRUCTS, TRAITS};
pub use writer::Gives;

/// A program: a function `f` that may call the functions of [`HELPERS`].
#[derive(Clone, Debug)]
pub struct Program {
    /// `fn f(x: &[f64], a: f64, mut b: f64, n: usize, y: &mut [f64], mut v: [f64; 6]) -> .. { .. }`,
    /// for slices of [`LENGTH`] numbers and `n` below four.
    pub source: String,
    /// What it gives: not always a number.
    pub gives: Gives,
    /// Constructs in it.
    pub used: BTreeSet<&'static str>,
    /// Control constructs with one that stands in them, at any depth.
    pub nested: BTreeSet<(&'static str, &'static str)>,
}

/// Length of the slices of a program.
pub const LENGTH: usize = 6;

/// Constructs with a body.
pub const CONTROL: &[&str] = &[
    "if",
    "if else",
    "else if",
    "match",
    "for range",
    "for inclusive range",
    "for reversed range",
    "for stepped range",
    "for slice",
    "for iter_mut",
    "for zip enumerate",
    "for chain",
    "while",
    "loop",
    "block",
    "labelled block",
    "if let",
    "match of an option",
    "while let",
    "checkpointed loop",
];

/// Those of them that are loops.
pub const LOOPS: &[&str] = &[
    "for range",
    "for inclusive range",
    "for reversed range",
    "for stepped range",
    "for slice",
    "for iter_mut",
    "for zip enumerate",
    "for chain",
    "while",
    "loop",
    "while let",
];

/// Early ends.
pub const EXITS: &[&str] = &[
    "break",
    "continue",
    "break with label",
    "continue with label",
    "return",
    "break of a block",
];

/// All other constructs.
pub const CONSTRUCTS: &[&str] = &[
    "let",
    "let mut",
    "shadowing",
    "late initialisation",
    "tuple pattern",
    "array pattern",
    "tuple of if",
    "assignment",
    "+=",
    "-=",
    "*=",
    "/=",
    "tuple assignment",
    "mem::swap",
    "array list",
    "array fill",
    "array copy",
    "constant array",
    "vec!",
    "to_vec",
    "concat",
    "clone",
    "matrix",
    "matrix row loop",
    "load",
    "store",
    "store by recorded index",
    "swap",
    "fill",
    "copy_from_slice",
    "view",
    "view of a view",
    "mutable view",
    "split_at",
    "affine index",
    "packed triangle",
    "running index",
    "view that moves with a loop",
    "integer",
    "counter",
    "bool",
    "tuple comparison",
    "option",
    "option that is assigned",
    "unwrap_or",
    "get",
    "let else",
    "value of a block",
    "assert",
    "cast to float",
    "cast from float",
    "call of numbers",
    "call of slices",
    "call of one array twice",
    "call that writes",
    "call that changes",
    "call in a tuple pattern",
    "call with an early return",
    "if as value",
    "match as value",
    "block as value",
    "sum",
    "product",
    "fold",
    "fold of tuples",
    "map of a range",
    "map",
    "map of an array",
    "array from a function",
    "binary search",
    "filter",
    "filter_map",
    "item of a chain as an option",
    "option as an iterator",
    "take_while",
    "scan",
    "enumerate",
    "rev",
    "part of a chain",
    "chain",
    "windows",
    "chunks",
    "zip of chains",
    "flat_map",
    "count",
    "max of a chain",
    "collect",
    "closure",
    "call of a closure",
    "return in a closure",
    "closure that writes",
    "+",
    "-",
    "unary -",
    "*",
    "square",
    "/",
    "%",
    "elementary function",
    "elementary function of two",
    "path form",
    "max and min",
    "abs",
    "clamp",
    "and",
    "or",
    "not",
    "passive",
    "vector that grows",
    "call that gives a vector",
    "call that changes a vector",
    "push",
    "pop",
    "truncate",
    "resize",
    "insert",
    "remove",
    "extend",
    "split_off",
    "clear",
    "vector assigned anew",
    "store in a vector",
    "loop over a vector that grows",
    "vectors exchanged",
    "mem::take",
    "mem::replace",
    "vector that moves",
    "buffers exchanged",
    "sort",
    "reverse",
    "rotate",
    "struct",
    "struct update",
    "function of a type",
    "method",
    "method by value",
    "method that writes",
    "copy of a struct",
    "field",
    "field that is written",
    "passive field that is written",
    "struct assigned anew",
    "structs exchanged",
    "mem::replace of a struct",
    "struct pattern",
    "struct chosen by reference",
    "vector of structs",
    "push of a struct",
    "pop of a struct",
    "struct of a vector",
    "struct of a vector assigned anew",
    "loop over structs",
    "parts of structs lent",
    "structs in a chain",
    "structs that change places",
    "parts lent together",
    "vector lent again and again",
    "part that is chosen",
    "chunks_mut",
    "slice that gets shorter",
    "number chosen by reference",
    "reference to an element",
    "slice bound anew",
    "references exchanged",
    "references in a tuple",
    "number lent",
    "option of a reference",
    "sort by a comparison",
    "checkpoint",
    "revolve",
    "recompute",
    "recursion",
    "loop in the result",
    "result that is a tuple",
    "result that is a vector",
    "result that is a struct",
    "skip_while",
    "map_while",
    "inspect",
    "max_by",
    "reduce",
    "last",
    "find",
    "any",
    "for_each",
    "unzip",
    "result",
    "map of an option",
    "result that is an array",
    "name as in generated code",
    "nested function",
    "reference to a number as a parameter",
    "generic length",
    "function generic over a type",
    "function generic over its float",
    "result that is an array of a call",
    "operator of structs",
    "operator on lent structs",
    "operator with a number",
    "negated struct",
    "product of structs",
    "compound operator of a struct",
    "integers of all widths",
    "field of another width",
    "integer method",
    "bits of integers",
    "checked integer",
    "method of integers in a struct",
    "filter of an option",
    "or of options",
    "and_then",
    "map_or",
    "zip of options",
    "take of an option",
    "replace of an option",
    "question of an option",
    "call that gives an option",
    "call that gives a result",
    "method of a result",
    "vector of vectors",
    "call that gives a vector of vectors",
    "element of a row",
    "store in a row",
    "push to a row",
    "push of a row",
    "pop of a row",
    "rows that change places",
    "row assigned anew",
    "loop over rows",
    "row lent",
    "rows lent",
    "rows in a chain",
    "slice pattern",
    "pattern by reference",
    "match of ranges",
    "match of a float",
    "match of bools",
    "split_first",
    "first and last",
    "first_chunk",
    "stretches of known length",
    "tuple in a variable",
    "loop with a value",
    "loop over a float",
    "side effect in a condition",
    "while let with a condition",
    "assignment as a value",
    "copy_within",
    "retain",
    "drain",
    "dedup",
    "sort by a key",
    "select_nth",
    "constant of the library",
    "constant of a block",
    "step function",
    "rounded to single precision",
    "recursion in turn",
    "function with a rule",
    "position",
    "nth",
    "matches!",
    "box",
    "special function",
    "function of arrays of ndarray",
    "panic in an arm",
    "option that is written through",
    "method of a trait",
];

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    writer::Writer::new(seed).function()
}

/// How often constructs and pairs of nested control constructs occur in a batch of programs.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Programs that were counted.
    pub programs: usize,
    used: BTreeMap<&'static str, usize>,
    nested: BTreeMap<(&'static str, &'static str), usize>,
}

impl Coverage {
    /// Counts a program.
    pub fn add(&mut self, program: &Program) {
        self.programs += 1;
        for construct in &program.used {
            *self.used.entry(construct).or_default() += 1;
        }
        for pair in &program.nested {
            *self.nested.entry(*pair).or_default() += 1;
        }
    }

    /// Adds the counts of another batch.
    pub fn merge(&mut self, other: &Coverage) {
        self.programs += other.programs;
        for (construct, n) in &other.used {
            *self.used.entry(construct).or_default() += n;
        }
        for (pair, n) in &other.nested {
            *self.nested.entry(*pair).or_default() += n;
        }
    }

    /// Number of programs with a construct.
    pub fn programs_with(&self, construct: &str) -> usize {
        self.used.get(construct).copied().unwrap_or_default()
    }

    /// Number of programs in which `inner` stands in `outer`.
    pub fn programs_nesting(&self, outer: &str, inner: &str) -> usize {
        self.nested
            .iter()
            .filter(|((a, b), _)| *a == outer && *b == inner)
            .map(|(_, n)| *n)
            .sum()
    }

    /// What occurs in fewer programs than asked for.
    pub fn missing(&self, each: usize, each_pair: usize) -> Vec<String> {
        let all = CONSTRUCTS.iter().chain(CONTROL).chain(EXITS);
        let single = all.filter(|c| self.programs_with(c) < each);
        let mut missing: Vec<String> = single
            .map(|c| format!("{c}: {}", self.programs_with(c)))
            .collect();
        for (outer, inner) in pairs() {
            let n = self.programs_nesting(outer, inner);
            if n < each_pair {
                missing.push(format!("{inner} in {outer}: {n}"));
            }
        }
        missing
    }

    /// The counts as text.
    pub fn report(&self) -> String {
        let mut text = format!("{} programs\n", self.programs);
        for construct in CONSTRUCTS.iter().chain(CONTROL).chain(EXITS) {
            text.push_str(&format!(
                "{:6} {construct}\n",
                self.programs_with(construct)
            ));
        }
        for outer in CONTROL {
            text.push_str(&format!("in {outer}:"));
            for (_, inner) in pairs().filter(|(o, _)| o == outer) {
                text.push_str(&format!(
                    " {inner} {};",
                    self.programs_nesting(outer, inner)
                ));
            }
            text.push('\n');
        }
        text
    }
}

/// Pairs of control constructs, and of constructs with the early ends that belong into them.
fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    CONTROL.iter().flat_map(|outer| {
        let exits = EXITS.iter().filter(|exit| match **exit {
            "return" => *outer != "checkpointed loop",
            "break of a block" => *outer == "labelled block",
            _ => LOOPS.contains(outer),
        });
        CONTROL.iter().chain(exits).map(|inner| (*outer, *inner))
    })
}
