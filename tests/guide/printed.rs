//! What programs print, where a page shows it.

use di::prelude::*;
use di::sparse::{AutoSparse, SparsePrep, Spy};

use crate::page::page;

/// The rope of the tutorial, without its weight, which does not change the pattern.
#[differentiable]
fn energy(y: &[f64]) -> f64 {
    let n = y.len();
    let mut e = 0.0;
    for i in 0..n + 1 {
        let left = if i == 0 { 0.0 } else { y[i - 1] };
        let right = if i == n { 0.0 } else { y[i] };
        e += (1.0 + (right - left).powi(2)).sqrt();
    }
    e
}

#[test]
fn tutorial_shows_the_pattern_that_its_program_prints() {
    let backend = AutoSparse::new(AutoSource::new());
    let prep = prepare_hessian(energy::AD, &backend, &[0.0; 8]).expect("energy can be traced");
    let structure = prep.structure().expect("a sparse backend has a pattern");
    let (coloring, tutorial) = (structure.coloring(), page("docs/tutorial.md"));
    let printed = format!(
        "{} colors\n{}",
        coloring.ncolors(),
        Spy::of(coloring).text(40)
    );
    let shown = tutorial.blocks().into_iter();
    let mut shown = shown.filter(|block| block.lines.first() == Some(&"3 colors"));
    let shown = shown.next().expect("the tutorial shows a pattern");
    assert_eq!(shown.lines.join("\n"), printed.trim_end());
}
