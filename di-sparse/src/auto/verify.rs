//! Derivatives in a random direction, computed without the pattern and compared with what the entries make of them.
//!
//! The matrix times a direction is right in each line up to rounding: that of the sum of products, which their sizes
//! bound, and that of the engine, which shows where the same product is computed in parts and at other scales.
//!
//! An engine of pullbacks sees columns, to which all rows contribute. Each row has a weight of its own size, so that
//! none hides another; rows of zeros, which have no size, are a product by themselves, of which nothing is expected. Where
//! a column differs, halves of the rows are looked at until it is one, which is then compared by itself.

use di_runtime::backend::Backend;
use di_runtime::capability::Operator;
use di_runtime::error::Error;
use di_runtime::function::{Call, Kind, NumberValued, Primal, Slot, XRef};
use di_runtime::primitive::Plan;
use di_runtime::scalar::Real;

use super::product::Product;
use super::structure::Structure;
use crate::Layout;

/// Differences beside the sum of sizes that are no rounding, in units of `EPSILON`.
const ROUNDING: f64 = 4096.0;
/// Rounding of the engine, in units of what is seen of it.
const SEEN: f64 = 64.0;
/// Rounding of entries that were found by substitution, in units of `EPSILON`.
const SUBSTITUTED: f64 = 64.0;
/// Engines with at most this error do nothing but round.
const ROUNDS: f64 = 1e-10;

/// What verification works in.
pub(super) struct Check<K: Primal, B: Backend<K>> {
    lines: Lines<K, B>,
    bound: Bound,
}

/// How far products may be from each other.
#[derive(Clone, Copy)]
struct Bound {
    /// Of the type of the numbers.
    epsilon: f64,
    /// Does the engine do nothing but round?
    rounds: bool,
    /// Are lines that cannot be checked an error?
    required: bool,
}

/// Rows of a Jacobian or Hessian times a direction; columns, if only pullbacks are fast.
struct Lines<K: Primal, B: Backend<K>> {
    product: Product<K, B>,
    random: Vec<f64>,
    /// The random numbers, for columns in the sizes of their rows.
    direction: Vec<f64>,
    /// The sizes of the rows, for columns.
    rows: Vec<f64>,
    /// The direction with zeros in it.
    part: Vec<f64>,
    derivative: Vec<f64>,
    /// What the entries make of the direction, and the sum of sizes.
    sums: Vec<(f64, f64)>,
    noise: Vec<f64>,
}

impl<K: Primal, B: Backend<K>> Clone for Check<K, B> {
    fn clone(&self) -> Self {
        Check {
            lines: self.lines.clone(),
            bound: self.bound,
        }
    }
}

impl<K: Primal, B: Backend<K>> Clone for Lines<K, B> {
    fn clone(&self) -> Self {
        Lines {
            product: self.product.clone(),
            random: self.random.clone(),
            direction: self.direction.clone(),
            rows: self.rows.clone(),
            part: self.part.clone(),
            derivative: self.derivative.clone(),
            sums: self.sums.clone(),
            noise: self.noise.clone(),
        }
    }
}

/// The entries of a matrix, each with its line and its place in the line.
struct Entries<'a, R> {
    layout: &'a Layout,
    values: &'a [R],
    /// Lines are columns.
    transposed: bool,
    /// Entries stand for those on the other side of the diagonal as well.
    half: bool,
}

impl<R: Real> Entries<'_, R> {
    /// Number, line, place and value of each.
    fn each(&self, mut take: impl FnMut(usize, usize, usize, f64)) {
        for (k, ((i, j), value)) in self.layout.triplets().zip(self.values).enumerate() {
            let (line, place) = if self.transposed { (j, i) } else { (i, j) };
            take(k, line, place, value.to_f64());
            if self.half && i != j {
                take(k, place, line, value.to_f64());
            }
        }
    }
}

/// Why a line is not known to be right.
#[derive(Clone, Copy)]
enum Doubt {
    /// From this product with the whole direction, or from one with a part of it.
    Differs(Option<f64>),
    NotFinite,
}

impl Doubt {
    fn error(self, line: usize) -> Error {
        Error::from(match self {
            Doubt::Differs(_) => crate::Error::Verification { line },
            Doubt::NotFinite => crate::Error::Unverified { line },
        })
    }
}

/// The sizes of what entries were computed from, if that was by substitution.
pub(super) trait Sizes: Fn() -> Option<Vec<f64>> {}
impl<F: Fn() -> Option<Vec<f64>>> Sizes for F {}

/// Computes a product.
trait Multiply<K: Primal, B: Backend<K>>:
    FnMut(&mut Product<K, B>, &[f64]) -> Result<(), Error>
{
}
impl<K: Primal, B: Backend<K>, F> Multiply<K, B> for F where
    F: FnMut(&mut Product<K, B>, &[f64]) -> Result<(), Error>
{
}

impl<K: Primal, B: Backend<K>> Check<K, B> {
    /// `required`: lines that cannot be checked are errors.
    pub(super) fn new(
        dense: &B,
        plan: &Plan<'_, K>,
        (call, x): (Call<'_, K>, XRef<'_, K, K::Real>),
        required: bool,
    ) -> Result<Self, Error> {
        let forward = B::HAS_PUSHFORWARD && dense.mode().pushforward_is_fast();
        let operator = match plan.operator {
            Operator::Hessian => Operator::Hvp,
            _ if forward => Operator::Pushforward,
            _ => Operator::Pullback,
        };
        Ok(Check {
            lines: Lines::new(Product::new(dense, plan, operator, call, x)?),
            bound: Bound {
                epsilon: K::Real::EPSILON.to_f64(),
                rounds: dense.accuracy(plan.operator) <= ROUNDS,
                required,
            },
        })
    }

    pub(super) fn jacobian(
        &mut self,
        dense: &B,
        layout: &Layout,
        (call, x): (Call<'_, K>, XRef<'_, K, K::Real>),
        mut y: Slot<'_, K, K::Real>,
        values: &[K::Real],
        sizes: impl Sizes,
    ) -> Result<(), Error> {
        let (bound, lines) = (self.bound, &mut self.lines);
        let mut multiply = |product: &mut Product<K, B>, direction: &[f64]| {
            let y = K::Kind::again::<K::Y, K::Real>(&mut y);
            product.jacobian(dense, direction, call, x, y)
        };
        let mut entries = Entries {
            layout,
            values,
            transposed: lines.product.is_transposed(),
            half: false,
        };
        let doubts = lines.check(bound, &entries, &sizes, &mut multiply)?;
        let other = if entries.transposed {
            B::HAS_PUSHFORWARD
        } else {
            B::HAS_PULLBACK
        };
        if doubts.is_empty() || !other {
            return settled(&doubts);
        }
        // what is not finite, or far too large, may spoil a line this way, and only its place the other way
        entries.transposed = !entries.transposed;
        let mut across = Lines::new(lines.product.transposed(dense, call, x)?);
        for doubt in doubts {
            let direction = &lines.direction;
            across.place_by_place(bound, &entries, &sizes, &mut multiply, direction, doubt)?;
        }
        Ok(())
    }

    pub(super) fn hessian(
        &mut self,
        dense: &B,
        structure: &Structure,
        (call, x): (Call<'_, K>, XRef<'_, K, K::Real>),
        values: &[K::Real],
        sizes: impl Sizes,
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        let layout = structure.layout();
        let entries = Entries {
            layout,
            values,
            transposed: false,
            half: layout.len() < structure.sparsity_pattern().len(),
        };
        let mut multiply = |product: &mut Product<K, B>, direction: &[f64]| {
            product.hessian(dense, direction, call, x)
        };
        let lines = &mut self.lines;
        settled(&lines.check(self.bound, &entries, &sizes, &mut multiply)?)
    }
}

/// The error of the first line, if there is one.
fn settled(doubts: &[(usize, Doubt)]) -> Result<(), Error> {
    match doubts.first() {
        None => Ok(()),
        Some((line, doubt)) => Err(doubt.error(*line)),
    }
}

impl<K: Primal, B: Backend<K>> Lines<K, B> {
    fn new(product: Product<K, B>) -> Self {
        let (from, to) = product.lengths();
        let random = random::<K::Real>(from);
        Lines {
            direction: random.clone(),
            random,
            rows: vec![0.0; from],
            part: vec![0.0; from],
            derivative: vec![0.0; to],
            sums: vec![(0.0, 0.0); to],
            noise: vec![0.0; to],
            product,
        }
    }

    /// Lines that are not known to be right.
    fn check(
        &mut self,
        bound: Bound,
        entries: &Entries<'_, K::Real>,
        sizes: &impl Sizes,
        multiply: &mut impl Multiply<K, B>,
    ) -> Result<Vec<(usize, Doubt)>, Error> {
        if !entries.transposed {
            self.part.copy_from_slice(&self.direction);
            return self.check_part(bound, entries, sizes, multiply);
        }
        self.scale(bound, entries);
        let mut doubts = Vec::new();
        for zeros in [false, true] {
            let rows = self.part.iter_mut().zip(&self.direction);
            let mut any = false;
            for ((to, from), size) in rows.zip(&self.rows) {
                // where differences leave more than rounding there are no rows of zeros
                let chosen = (*size == 0.0 && bound.rounds) == zeros;
                any |= chosen;
                *to = if chosen { *from } else { 0.0 };
            }
            if any {
                doubts.extend(self.check_part(bound, entries, sizes, multiply)?);
            }
        }
        Ok(doubts)
    }

    /// Lines that are not known to be right by the part of the direction that is not zero.
    fn check_part(
        &mut self,
        bound: Bound,
        entries: &Entries<'_, K::Real>,
        sizes: &impl Sizes,
        multiply: &mut impl Multiply<K, B>,
    ) -> Result<Vec<(usize, Doubt)>, Error> {
        let by_row = entries.transposed && bound.rounds;
        let mut doubts = if by_row {
            self.multiply(entries, multiply, |_| 0.0)?;
            Vec::new()
        } else {
            self.compare(bound, entries, sizes, multiply, |_| 0.0)?
        };
        let lines = 0..self.sums.len();
        let finite = lines.clone().all(|line| self.is_finite(line));
        let differs = by_row && self.differing(bound).next().is_some();
        if differs || (bound.required && !finite) {
            let part = self.part.clone();
            let open: Vec<usize> = lines.filter(|line| !self.is_finite(*line)).collect();
            if differs {
                self.single_out(bound, entries, sizes, multiply, None)?;
            }
            if bound.required {
                self.finite(bound, entries, sizes, multiply, (&part, open), &mut doubts)?;
            }
        }
        Ok(doubts)
    }

    /// Looks for the row that makes a column differ, or the one that is asked for: halves of the rows of the part, and
    /// halves of a half that differs. The first row that differs by itself is the error.
    #[cold]
    fn single_out(
        &mut self,
        bound: Bound,
        entries: &Entries<'_, K::Real>,
        sizes: &impl Sizes,
        multiply: &mut impl Multiply<K, B>,
        column: Option<usize>,
    ) -> Result<(), Error> {
        let weights = self.part.clone();
        let rows = (0..weights.len()).filter(|row| weights[*row] != 0.0);
        let mut open = vec![rows.collect::<Vec<_>>()];
        while let Some(mut rows) = open.pop() {
            self.part.fill(0.0);
            rows.iter().for_each(|row| self.part[*row] = weights[*row]);
            self.multiply(entries, multiply, |_| 0.0)?;
            let here = |line: &usize| column.is_none_or(|column| column == *line);
            if !self.differing(bound).any(|line| here(&line)) {
                continue;
            }
            if let [row] = rows[..] {
                // in a row other entries count
                let lines = (0..self.sums.len()).filter(|line| self.is_finite(*line));
                let size: f64 = lines
                    .map(|i| self.sums[i].1 + self.derivative[i].abs())
                    .sum();
                let size = ROUNDING * bound.epsilon * size.min(f64::MAX);
                let differing = |cx: &Self| {
                    let mut lines = cx.differing(bound).filter(here);
                    let far = |i: usize| (cx.derivative[i] - cx.sums[i].0).abs();
                    lines.any(|i| far(i) > size + cx.noise[i])
                };
                if differing(&*self) {
                    self.measure(bound, entries, sizes, multiply)?;
                }
                if differing(&*self) {
                    return Err(Doubt::Differs(None).error(row));
                }
                continue;
            }
            open.push(rows.split_off(rows.len() / 2));
            open.push(rows);
        }
        Ok(())
    }

    /// Brings rows to one size, so that an entry of a column counts for as much as it does in its row. Powers of two
    /// round nothing.
    fn scale(&mut self, bound: Bound, entries: &Entries<'_, K::Real>) {
        self.rows.fill(0.0);
        entries.each(|_, _, row, value| {
            if value.is_finite() {
                self.rows[row] = self.rows[row].max(value.abs());
            }
        });
        let most = if bound.epsilon > ROUNDS { 30 } else { 300 };
        let exponent = |size: f64| ((size.to_bits() >> 52) as i32 - 1023).clamp(-most, most);
        let sizes = self.rows.iter().filter(|size| **size > 0.0);
        let (sum, count) = sizes.fold((0, 0), |(sum, count), size| {
            (sum + exponent(*size), count + 1)
        });
        let middle = sum / count.max(1);
        let rows = self.direction.iter_mut().zip(&self.random).zip(&self.rows);
        for ((to, random), size) in rows {
            let exponent = if *size > 0.0 { exponent(*size) } else { middle };
            *to = random * 2.0_f64.powi(-exponent);
        }
    }

    /// One line of the transpose by itself. Where its product with the direction is another one than the transpose
    /// had, that is the rounding of the engine.
    fn place_by_place(
        &mut self,
        bound: Bound,
        entries: &Entries<'_, K::Real>,
        sizes: &impl Sizes,
        multiply: &mut impl Multiply<K, B>,
        direction: &[f64],
        (place, doubt): (usize, Doubt),
    ) -> Result<(), Error> {
        self.part.fill(0.0);
        self.part[place] = 1.0;
        let mut noise = 0.0;
        if let Doubt::Differs(Some(product)) = doubt {
            multiply(&mut self.product, &self.part)?;
            let mut again = 0.0;
            self.product.read(|line, v| again += v * direction[line]);
            noise = seen(product - again);
        }
        let noise = |line: usize| noise / direction[line].abs();
        let differing = self.compare(bound, entries, sizes, multiply, noise)?;
        if !differing.is_empty() {
            return Err(Doubt::Differs(None).error(place));
        }
        let mut known: Vec<bool> = self.derivative.iter().map(|v| v.is_finite()).collect();
        entries.each(|_, line, of, value| known[line] |= of == place && !value.is_finite());
        if known.contains(&false) {
            return Err(Doubt::NotFinite.error(place));
        }
        Ok(())
    }

    fn is_finite(&self, line: usize) -> bool {
        self.derivative[line].is_finite() && self.sums[line].0.is_finite()
    }

    /// Lines in which something is not finite, by a part: each alone, without its entries that are not.
    #[cold]
    fn finite(
        &mut self,
        bound: Bound,
        entries: &Entries<'_, K::Real>,
        sizes: &impl Sizes,
        multiply: &mut impl Multiply<K, B>,
        (part, open): (&[f64], Vec<usize>),
        doubts: &mut Vec<(usize, Doubt)>,
    ) -> Result<(), Error> {
        for open in open {
            self.part.copy_from_slice(part);
            entries.each(|_, line, place, value| {
                if line == open && !value.is_finite() {
                    self.part[place] = 0.0;
                }
            });
            if entries.transposed && bound.rounds {
                self.multiply(entries, multiply, |_| 0.0)?;
                if self.is_finite(open) {
                    self.single_out(bound, entries, sizes, multiply, Some(open))?;
                } else {
                    doubts.push((open, Doubt::NotFinite));
                }
                continue;
            }
            let differing = self.compare(bound, entries, sizes, multiply, |_| 0.0)?;
            if !self.is_finite(open) {
                doubts.push((open, Doubt::NotFinite));
            }
            if differing.iter().any(|(line, _)| *line == open) {
                doubts.push((open, Doubt::Differs(None)));
            }
        }
        Ok(())
    }

    /// Both products with the part of the direction that is not zero. `noise` is known of each line.
    fn multiply(
        &mut self,
        entries: &Entries<'_, K::Real>,
        multiply: &mut impl Multiply<K, B>,
        noise: impl Fn(usize) -> f64,
    ) -> Result<(), Error> {
        multiply(&mut self.product, &self.part)?;
        self.product.read(|line, v| self.derivative[line] = v);
        self.sums.fill((0.0, 0.0));
        entries.each(|_, line, place, value| {
            let factor = self.part[place];
            if factor != 0.0 {
                let (sum, size) = &mut self.sums[line];
                *sum += value * factor;
                *size += (value * factor).abs();
            }
        });
        let lines = self.noise.iter_mut().enumerate();
        lines.for_each(|(line, to)| *to = noise(line));
        Ok(())
    }

    /// Compares products with the part of the direction that is not zero, and returns the lines that differ; what is
    /// not finite does not. `noise` is known of each line.
    fn compare(
        &mut self,
        bound: Bound,
        entries: &Entries<'_, K::Real>,
        sizes: &impl Sizes,
        multiply: &mut impl Multiply<K, B>,
        noise: impl Fn(usize) -> f64,
    ) -> Result<Vec<(usize, Doubt)>, Error> {
        self.multiply(entries, multiply, noise)?;
        if self.differing(bound).next().is_none() {
            return Ok(Vec::new());
        }
        self.measure(bound, entries, sizes, multiply)?;
        let differing = self.differing(bound);
        let product = |line: usize| (line, Doubt::Differs(Some(self.derivative[line])));
        Ok(differing.map(product).collect())
    }

    /// Lines that differ by more than the bound and the noise.
    fn differing(&self, bound: Bound) -> impl Iterator<Item = usize> + '_ {
        let (relative, absolute) = if bound.rounds {
            (ROUNDING * bound.epsilon, 0.0)
        } else {
            let relative = bound.epsilon.sqrt().sqrt();
            let sizes = self.sums.iter().map(|(_, size)| *size);
            let largest = sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
            (relative, 1e-3 * relative * largest)
        };
        (0..self.sums.len()).filter(move |line| {
            let ((sum, size), found) = (self.sums[*line], self.derivative[*line]);
            // each by itself: the sum might overflow
            let sizes = relative * size.min(f64::MAX) + relative * found.abs();
            let bound = sizes + absolute + self.noise[*line];
            self.is_finite(*line) && (found - sum).abs() > bound
        })
    }

    /// Measures the rounding of each line. A product is linear: it is computed once more from two halves of the
    /// direction, at another scale, for as many halvings as separate each two places. The pattern plays no part in it.
    #[cold]
    fn measure(
        &mut self,
        bound: Bound,
        entries: &Entries<'_, K::Real>,
        sizes: &impl Sizes,
        multiply: &mut impl Multiply<K, B>,
    ) -> Result<(), Error> {
        let n = self.part.len();
        let halvings = (usize::BITS - n.leading_zeros()).max(4);
        let mut half = vec![0.0; n];
        let mut sums = vec![0.0; self.noise.len()];
        for halving in 0..halvings {
            let scale = 0.5 + (0.618 * f64::from(halving + 1)).fract();
            sums.fill(0.0);
            for side in [0, 1] {
                for (place, (to, from)) in half.iter_mut().zip(&self.part).enumerate() {
                    let here = place.checked_shr(halving).unwrap_or(0) & 1 == side;
                    *to = if here { scale * from } else { 0.0 };
                }
                multiply(&mut self.product, &half)?;
                self.product.read(|line, v| sums[line] += v / scale);
            }
            let lines = self.derivative.iter().zip(&sums).zip(&mut self.noise);
            // what overflows in parts alone says nothing of rounding
            lines.for_each(|((all, sum), noise)| *noise = noise.max(seen(all - sum)));
        }
        if let Some(sizes) = sizes() {
            let unit = SUBSTITUTED * bound.epsilon;
            entries.each(|k, line, place, _| {
                self.noise[line] += unit * sizes[k] * self.part[place].abs();
            });
        }
        Ok(())
    }
}

/// Rounding of the engine by a difference between two ways to one product; none if a product overflowed.
fn seen(difference: f64) -> f64 {
    if difference.is_finite() {
        SEEN * difference.abs()
    } else {
        0.0
    }
}

/// Numbers between 0.5 and 1.5, of either sign; always the same, so that a failure can be repeated.
fn random<R: Real>(n: usize) -> Vec<f64> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let size = 0.5 + (state >> 11) as f64 / (1u64 << 53) as f64;
        // both sides use the same number, in single precision as well
        R::from_f64(if state & 1 == 0 { size } else { -size }).to_f64()
    };
    (0..n).map(|_| next()).collect()
}
