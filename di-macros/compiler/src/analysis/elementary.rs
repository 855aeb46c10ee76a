//! What the transforms ask of the table of elementary functions.

use crate::ir::{Lit, Scaling, Val};
use crate::sorted::Set;
use di_elementary::{Class, Product, READS_RESULT, find};

/// A partial derivative that may be nonzero.
pub(crate) struct Partial {
    /// By which operand.
    pub(crate) argument: usize,
    /// How it multiplies an adjoint or tangent.
    pub(crate) by: Scaling,
    reads: u8,
}

impl Partial {
    /// Whether the rule reads operand `i`; the result is the operand after the last argument.
    /// `powi`'s integer, an argument that is no float, is always read.
    pub(crate) fn reads(&self, i: usize, arguments: usize) -> bool {
        if i == arguments {
            self.reads & READS_RESULT != 0
        } else {
            self.reads & (1 << i) != 0
        }
    }
}

/// Partial derivatives of a function, those that are zero everywhere left out. `pole`: how one with
/// poles multiplies.
pub(crate) fn partials(name: &str, pole: Scaling) -> Vec<Partial> {
    let row = find(name).unwrap_or_else(|| unreachable!("verify: `{name}` is a row of the table"));
    row.partials
        .iter()
        .map(|p| Partial {
            argument: p.argument,
            by: match p.product {
                Product::Plain => Scaling::Plain,
                Product::Strong => pole,
                Product::Select => Scaling::Select,
            },
            reads: p.reads
                | if row.integer {
                    1 << row.arguments.len()
                } else {
                    0
                },
        })
        .collect()
}

/// What a tangent or adjoint is multiplied by, one after the other: the derivative by an argument, or its factors.
/// `exponents` are literals that are not negative, whose powers have nothing to lose.
pub(crate) fn factors(
    name: &'static str,
    argument: usize,
    args: &[Val],
    exponents: &Set<Val>,
) -> &'static [&'static str] {
    match (name, argument) {
        ("powi", 0) if !exponents.contains(&args[1]) => &["powi_first", "powi_second"],
        ("powf", 0) if !exponents.contains(&args[1]) => &["powf_first", "powf_second"],
        _ => &[],
    }
}

/// Whether a literal is a number that is not negative.
pub(crate) fn is_exponent(lit: &Lit) -> bool {
    match lit {
        Lit::Float(p) => *p >= 0.0,
        Lit::Int(n) => *n >= 0,
        Lit::Bool(_) => false,
    }
}

/// Whether the derivative is zero wherever it exists.
pub(crate) fn is_zero(name: &str) -> bool {
    find(name).is_some_and(|row| row.classes.iter().all(|c| *c == Class::Zero))
}
