//! Greedy colorings in several orders and by several methods, the best of which is kept.

use super::algorithm::ColoringAlgorithm;
use super::distance2::distance2;
use super::neutral::count;
use super::{Coloring, bidirectional, by_columns, by_rows, symmetric};
use crate::graph::Graph;
use crate::order::Order;
use crate::{Error, Pattern};

/// Colors vertex by vertex with the first color that fits.
///
/// The orders are tried one after the other until one reaches the lower bound (for columns: the entries
/// of the fullest row), and the first of those with the fewest colors is kept. Symmetric matrices are also
/// colored by columns, which beats star colorings of some grids; bidirectional colorings also by columns,
/// by rows, and with rows or columns that are much fuller than the others apart.
///
/// Cost: linear in the number of entries times the number of colors, for each order.
///
/// # Examples
/// ```
/// use di_sparse::{ColoringAlgorithm, Greedy, Order, Pattern};
///
/// let n = 50;
/// let arrow = (0..n).flat_map(|i| [(i, i), (0, i), (i, 0)]);
/// let arrow = Pattern::from_entries((n, n), arrow)?;
/// let greedy = Greedy::new().orders([Order::Natural, Order::SmallestLast]);
/// assert_eq!(greedy.columns(&arrow)?.ncolors(), 50);
/// assert_eq!(greedy.symmetric(&arrow)?.ncolors(), 2);
/// assert_eq!(greedy.bidirectional(&arrow)?.ncolors(), 3);
/// # Ok::<(), di_sparse::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greedy {
    orders: Vec<Order>,
    substitution: bool,
    neutral: bool,
    only: bool,
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy::new()
    }
}

impl Greedy {
    /// Natural order and largest first; direct; with neutral colors.
    pub fn new() -> Self {
        Greedy {
            orders: vec![Order::Natural, Order::LargestFirst],
            substitution: false,
            neutral: true,
            only: false,
        }
    }

    /// Sets the orders to try; an empty list means the natural order.
    pub fn orders(self, orders: impl IntoIterator<Item = Order>) -> Self {
        let mut orders: Vec<Order> = orders.into_iter().collect();
        if orders.is_empty() {
            orders.push(Order::Natural);
        }
        Greedy { orders, ..self }
    }

    /// Symmetric and bidirectional colorings by substitution: fewer colors, and entries that are found by
    /// subtraction, one after the other, so that errors of rounding add up along each tree.
    pub fn substitution(self) -> Self {
        Greedy {
            substitution: true,
            ..self
        }
    }

    /// Sets whether colors that are not needed for any entry are removed.
    pub fn neutral(self, neutral: bool) -> Self {
        Greedy { neutral, ..self }
    }

    /// Only star, or acyclic, colorings of symmetric matrices and of rows and columns together: no others are
    /// tried.
    pub fn only_stars(self) -> Self {
        Greedy { only: true, ..self }
    }

    /// The coloring with the fewest colors, until one has no more than `bound`.
    fn best(&self, bound: usize, mut color: impl FnMut(Order) -> Coloring) -> Coloring {
        let (first, rest) = self.orders.split_first().expect("`orders` is never empty");
        let mut best = color(*first);
        for order in rest {
            if best.ncolors() <= bound {
                break;
            }
            best = fewer(best, color(*order));
        }
        best
    }

    /// Colors of lines, by distance 2.
    fn lines(&self, lines: &Pattern, crossing: &Pattern) -> Vec<u32> {
        let bound = fullest(crossing);
        let (first, rest) = self.orders.split_first().expect("`orders` is never empty");
        let mut best = distance2(lines, crossing, *first);
        for order in rest {
            if count(&best) <= bound {
                break;
            }
            let other = distance2(lines, crossing, *order);
            if count(&other) < count(&best) {
                best = other;
            }
        }
        best
    }
}

/// The first one, unless the second has fewer colors.
fn fewer(best: Coloring, other: Coloring) -> Coloring {
    if other.ncolors() < best.ncolors() {
        other
    } else {
        best
    }
}

/// Entries of the fullest row.
pub(super) fn fullest(pattern: &Pattern) -> usize {
    let rows = 0..pattern.shape().0;
    rows.map(|i| pattern.row(i).len()).max().unwrap_or(0)
}

impl ColoringAlgorithm for Greedy {
    fn columns(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        let columns = self.lines(&pattern.transpose(), pattern);
        Ok(by_columns(pattern, columns))
    }

    fn rows(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        let rows = self.lines(pattern, &pattern.transpose());
        Ok(by_rows(pattern, rows))
    }

    fn symmetric(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        let graph = Graph::of_symmetric(pattern)?;
        let bound = usize::from(!pattern.is_empty()) + usize::from(graph.edges > 0);
        let best = self.best(bound, |order| {
            symmetric::color(pattern, &graph, order, self.substitution, self.neutral)
        });
        // no coloring by columns has fewer colors than this
        if self.only || best.ncolors() <= fullest(pattern) {
            return Ok(best);
        }
        Ok(fewer(best, self.columns(pattern)?))
    }

    fn bidirectional(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        let graph = Graph::of_rows_and_columns(pattern)?;
        let best = self.best(usize::from(!pattern.is_empty()), |order| {
            bidirectional::color(pattern, &graph, order, self.substitution, self.neutral)
        });
        if self.only {
            return Ok(best);
        }
        let transpose = pattern.transpose();
        let mut best = best;
        if fullest(pattern) < best.ncolors() {
            best = fewer(best, self.columns(pattern)?);
        }
        if fullest(&transpose) < best.ncolors() {
            best = fewer(best, self.rows(pattern)?);
        }
        let by_columns = |lines: &Pattern, crossing: &Pattern| self.lines(lines, crossing);
        Ok(bidirectional::with_full_lines_apart(
            pattern, &transpose, best, by_columns,
        ))
    }
}
