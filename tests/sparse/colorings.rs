//! Colorings as users get them, against the definitions.

use di::prelude::*;
use di::sparse::{
    AutoSparse, Coloring, ColoringAlgorithm, Greedy, NEUTRAL, Order, Pattern, SparsePrep,
};
use di_test::compare::assert_bitwise;
use di_test::parity::rows;

/// A pseudorandom generator, Marsaglia 2003.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

fn pattern(random: &mut Random, symmetric: bool) -> Pattern {
    let (m, n) = (1 + random.below(12), 1 + random.below(12));
    let m = if symmetric { n } else { m };
    let mut entries = Vec::new();
    for _ in 0..random.below(3 * n + 1) {
        let (i, j) = (random.below(m), random.below(n));
        entries.push((i, j));
        if symmetric {
            entries.push((j, i));
        }
    }
    entries.sort_unstable();
    entries.dedup();
    Pattern::from_entries((m, n), entries).expect("entries are within the shape")
}

fn all_orders() -> Vec<Order> {
    Order::ALL.into_iter().chain([Order::Random(7)]).collect()
}

/// Two columns of one color have no row in common.
fn columns_are_apart(pattern: &Pattern, colors: &[u32]) -> bool {
    let (m, n) = pattern.shape();
    (0..n).all(|j| {
        (0..j).all(|k| {
            colors[j] != colors[k]
                || !(0..m).any(|i| pattern.contains(i, j) && pattern.contains(i, k))
        })
    })
}

/// Each entry can be read directly: alone of its color in its row, or its mirror image is.
fn symmetric_entries_are_alone(pattern: &Pattern, colors: &[u32]) -> bool {
    let alone = |i: usize, j: usize| {
        let others = pattern
            .row(i)
            .iter()
            .map(|k| *k as usize)
            .filter(|k| *k != j);
        others.into_iter().all(|k| colors[k] != colors[j])
    };
    pattern.entries().all(|(i, j)| alone(i, j) || alone(j, i))
}

/// Each entry is alone of its column color in its row, or of its row color in its column. Color 0 of lines that are
/// not evaluated counts for none.
fn entries_are_alone(pattern: &Pattern, found: &Coloring) -> bool {
    // no colors at all where one side alone serves
    let color = |colors: &[u32], at: usize| colors.get(at).copied().filter(|c| *c != NEUTRAL);
    let column = |j: usize| color(found.column_colors(), j);
    let row = |i: usize| color(found.row_colors(), i);
    pattern.entries().all(|(i, j)| {
        let others = || pattern.entries().filter(|e| *e != (i, j));
        let in_column = row(i).is_some() && others().all(|(k, l)| l != j || row(k) != row(i));
        let in_row = column(j).is_some() && others().all(|(k, l)| k != i || column(l) != column(j));
        in_row || in_column
    })
}

#[test]
fn greedy_colorings_are_what_their_definitions_say() {
    let _row = rows(&[83, 84]);
    let mut random = Random(88_172_645_463_325_252);
    for _ in 0..300 {
        let (any, symmetric) = (pattern(&mut random, false), pattern(&mut random, true));
        for order in all_orders() {
            let greedy = Greedy::new().orders([order]);
            let columns = greedy.columns(&any).unwrap();
            assert!(columns_are_apart(&any, columns.column_colors()));
            let lines = greedy.rows(&any).unwrap();
            assert!(columns_are_apart(&any.transpose(), lines.row_colors()));
            let stars = greedy.symmetric(&symmetric).unwrap();
            assert!(symmetric_entries_are_alone(
                &symmetric,
                stars.column_colors()
            ));
            let both = greedy.bidirectional(&any).unwrap();
            assert!(entries_are_alone(&any, &both));
        }
    }
    // the best of several orders is the best of them
    let (mut best, mut least) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        let any = pattern(&mut random, false);
        let count = |orders: Vec<Order>| {
            let greedy = Greedy::new().orders(orders);
            greedy.columns(&any).unwrap().ncolors() as f64
        };
        best.push(count(all_orders()));
        let each = all_orders().into_iter().map(|order| count(vec![order]));
        least.push(each.fold(f64::INFINITY, f64::min));
    }
    assert_bitwise("colors of the best order", &best, &least);
}

#[differentiable]
fn tridiagonal(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        y[i] = x[i] * x[i];
        if i > 0 {
            y[i] += x[i - 1];
        }
        if i + 1 < n {
            y[i] -= x[i + 1].sin();
        }
    }
}

#[test]
fn structure_of_a_prepared_matrix() {
    let _row = rows(&[86, 88]);
    let (backend, x) = (AutoSparse::new(AutoSource::new()), [0.3; 20]);
    let mut y = [0.0; 20];
    let prep = prepare_jacobian(tridiagonal::AD.output(&mut y), &backend, &x).unwrap();
    let structure = prep.structure().unwrap();
    assert_eq!(
        structure.sparsity_pattern(),
        &Pattern::banded((20, 20), 1, 1).unwrap()
    );
    let found = jacobian(tridiagonal::AD.output(&mut y), &prep, &backend, &x).unwrap();
    let plain = AutoSource::new();
    let dense = jacobian(tridiagonal::AD.output(&mut y), NoPrep, &plain, &x).unwrap();
    super::close(&super::dense(&found), &dense);
    let coloring = structure.coloring();
    assert_eq!(coloring.ncolors(), 3);
    let mut groups = coloring.column_groups();
    assert_eq!(groups.len(), 3);
    let mut all: Vec<usize> = groups.drain(..).flatten().collect();
    all.sort_unstable();
    assert_eq!(all, (0..20).collect::<Vec<_>>());
    for (j, color) in coloring.column_colors().iter().enumerate() {
        assert!(j < 3 || coloring.column_colors()[j - 1] != *color);
    }
    // an arrow: as many colors as columns one way, few both ways
    let entries = (0..20).flat_map(|k| [(0, k), (k, 0), (k, k)]);
    let mut entries: Vec<(usize, usize)> = entries.collect();
    entries.sort_unstable();
    entries.dedup();
    let arrow = Pattern::from_entries((20, 20), entries).unwrap();
    let greedy = Greedy::new();
    assert_eq!(greedy.columns(&arrow).unwrap().ncolors(), 20);
    assert_eq!(greedy.rows(&arrow).unwrap().ncolors(), 20);
    let both = greedy.bidirectional(&arrow).unwrap();
    assert!(both.ncolors() <= 3 && both.row_groups().len() + both.column_groups().len() <= 3);
}
