//! Round trips: what is compressed comes back.

use super::samples::{Random, rectangular, symmetric};
use crate::decompress::{ByColor, Decompressor, Part, Storage, Sums};
use crate::{Coloring, ColoringAlgorithm, Error, Greedy, OnePerLine, Order, Pattern};

/// Small integers: sums and differences of them are exact.
fn integers(random: &mut Random, pattern: &Pattern, is_symmetric: bool) -> Vec<f64> {
    let mut dense = std::collections::HashMap::new();
    for (i, j) in pattern.entries() {
        let value = random.below(19) as f64 - 9.0;
        let mirrored = is_symmetric.then(|| dense.get(&(j, i)).copied()).flatten();
        dense.insert((i, j), mirrored.unwrap_or(value));
    }
    pattern.entries().map(|entry| dense[&entry]).collect()
}

fn check_round_trips(coloring: &Coloring, values: &[f64]) {
    let compressed = coloring.compress(values).unwrap();
    let pattern = coloring.sparsity_pattern();
    let mut sums = Sums::new(coloring);
    for storage in [Storage::Rows, Storage::Columns] {
        for part in [Part::Full, Part::Lower, Part::Upper] {
            let decompressor = Decompressor::new(coloring, storage, part).unwrap();
            let layout = decompressor.layout();
            let mut found = vec![f64::NAN; layout.len()];
            decompressor
                .decompress(&compressed, &mut found, &mut sums)
                .unwrap();
            let entry = |i: usize, j: usize| {
                let at = pattern.entries().position(|entry| entry == (i, j));
                values[at.expect("an entry of the pattern")]
            };
            let expected: Vec<f64> = layout.triplets().map(|(i, j)| entry(i, j)).collect();
            assert_eq!(found, expected, "{storage:?} {part:?}");
            let stored = pattern.entries().filter(|(i, j)| part.holds(*i, *j));
            assert_eq!(layout.len(), stored.count());
            let mut matrix = layout.zeros();
            decompressor
                .decompress_into(&compressed, &mut matrix, &mut sums)
                .unwrap();
            assert_eq!(matrix.data(), found);
            let Some(by_color) = ByColor::new(coloring, &decompressor) else {
                assert!(!coloring.is_direct());
                continue;
            };
            let mut again = vec![f64::NAN; layout.len()];
            let (m, n) = pattern.shape();
            for color in 0..coloring.ncolors() {
                let rows = color.checked_sub(coloring.column_count());
                let (start, length) = match rows {
                    None => (color * m, m),
                    Some(row) => (coloring.column_count() * m + row * n, n),
                };
                let one = &compressed[start..start + length];
                by_color.decompress(color, one, &mut again).unwrap();
            }
            assert_eq!(again, expected, "color by color");
        }
    }
}

#[test]
fn random_jacobians_come_back() {
    let mut random = Random::new(11);
    for round in 0..400 {
        let pattern = rectangular(&mut random, 12);
        let values = integers(&mut random, &pattern, false);
        let order = Order::ALL[round % 5];
        let greedy = Greedy::new().orders([order]).neutral(round % 3 > 0);
        for coloring in [
            greedy.columns(&pattern),
            greedy.rows(&pattern),
            greedy.bidirectional(&pattern),
            greedy.clone().only_stars().bidirectional(&pattern),
            greedy.clone().substitution().bidirectional(&pattern),
            greedy.only_stars().substitution().bidirectional(&pattern),
            OnePerLine.columns(&pattern),
            OnePerLine.bidirectional(&pattern),
        ] {
            check_round_trips(&coloring.unwrap(), &values);
        }
    }
}

#[test]
fn random_hessians_come_back() {
    let mut random = Random::new(12);
    for round in 0..400 {
        let pattern = symmetric(&mut random, 14);
        let values = integers(&mut random, &pattern, true);
        let order = Order::ALL[round % 5];
        let greedy = Greedy::new().orders([order]).neutral(round % 3 > 0);
        for coloring in [
            greedy.symmetric(&pattern),
            greedy.clone().only_stars().symmetric(&pattern),
            greedy.clone().substitution().symmetric(&pattern),
            greedy.only_stars().substitution().symmetric(&pattern),
        ] {
            check_round_trips(&coloring.unwrap(), &values);
        }
    }
}

#[test]
fn other_matrices_are_refused() {
    let pattern = Pattern::banded((4, 4), 1, 1).unwrap();
    let coloring = Greedy::new().columns(&pattern).unwrap();
    let decompressor = Decompressor::new(&coloring, Storage::Rows, Part::Full).unwrap();
    let compressed = coloring.compress(&[1.0; 10]).unwrap();
    let mut sums = Sums::new(&coloring);
    let mut into = |matrix: &mut sprs::CsMat<f64>| {
        decompressor.decompress_into(&compressed, matrix, &mut sums)
    };
    let mut diagonal = Pattern::diagonal(4).unwrap().zeros();
    let error = into(&mut diagonal).unwrap_err();
    let text =
        "expected a matrix with the stored entries of the pattern, 2 in row or column 0, found 1";
    assert_eq!(error.to_string(), text);
    let mut by_columns = pattern.zeros().to_csc();
    assert!(matches!(into(&mut by_columns), Err(Error::Storage { .. })));
    let mut other_size = Pattern::diagonal(5).unwrap().zeros();
    assert!(matches!(into(&mut other_size), Err(Error::Shape { .. })));
    assert!(into(&mut pattern.zeros()).is_ok());
}

#[test]
fn results_are_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Coloring>();
    shared::<Decompressor>();
    let pattern = Pattern::banded((50, 50), 2, 2).unwrap();
    let coloring = Greedy::new().substitution().symmetric(&pattern).unwrap();
    let decompressor = Decompressor::new(&coloring, Storage::Rows, Part::Full).unwrap();
    let values: Vec<f64> = pattern.entries().map(|(i, j)| (i * j) as f64).collect();
    let compressed = coloring.compress(&values).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut found = vec![0.0; values.len()];
                let mut sums = Sums::new(&coloring);
                decompressor
                    .decompress(&compressed, &mut found, &mut sums)
                    .unwrap();
                assert_eq!(found, values);
            });
        }
    });
}
