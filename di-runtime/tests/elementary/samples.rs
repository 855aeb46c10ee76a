//! Samples of the rows' domains: seeded, so that a failure can be repeated.

use std::fmt;

use di_elementary::{OPERATORS, Point, Row, TABLE};

/// Arguments of one call.
#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) row: &'static Row,
    pub(crate) x: Vec<f64>,
    pub(crate) n: i32,
}

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:?}", self.row.name, self.x)?;
        if self.row.integer {
            write!(f, "; {})", self.n)
        } else {
            f.write_str(")")
        }
    }
}

/// Integers that are tried where there is one.
const INTEGERS: [i32; 8] = [-3, -2, -1, 0, 1, 2, 3, 6];

/// Samples in each box.
const COUNT: usize = 12;

/// All rows, methods and operators.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    TABLE.iter().chain(OPERATORS)
}

/// Samples inside the domains of a row.
pub(crate) fn samples(row: &'static Row) -> Vec<Sample> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let integers: &[i32] = if row.integer { &INTEGERS } else { &[0] };
    let mut samples = Vec::new();
    for domain in row.domains {
        assert_eq!(
            domain.len(),
            row.arity(),
            "a box of `{}` has not its dimension",
            row.name
        );
        for _ in 0..COUNT {
            let x: Vec<f64> = domain
                .iter()
                .map(|&(lo, hi)| lo + (hi - lo) * uniform(&mut state))
                .collect();
            samples.extend(integers.iter().map(|&n| Sample {
                row,
                x: x.clone(),
                n,
            }));
        }
    }
    samples
}

/// The special points of a row.
pub(crate) fn points(row: &'static Row) -> Vec<Sample> {
    let sample = |point: &Point| Sample {
        row,
        x: point.x.to_vec(),
        n: point.n.unwrap_or(0),
    };
    row.points.iter().map(sample).collect()
}

/// Samples inside the domains, and the special points.
pub(crate) fn samples_and_points(row: &'static Row) -> Vec<Sample> {
    let mut all = samples(row);
    all.extend(points(row));
    all
}

/// xorshift64*, in [0, 1). Reference: S. Vigna, An experimental exploration of Marsaglia's xorshift
/// generators (2016).
fn uniform(state: &mut u64) -> f64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    let bits = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
    (bits >> 11) as f64 / (1u64 << 53) as f64
}
