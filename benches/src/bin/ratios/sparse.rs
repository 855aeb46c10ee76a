//! Sparse matrices: the Hessian of Listing 2 of the paper, and the Jacobian of the Brusselator.

use super::{Batches, Outcome, must_agree, print_ratios};
use di::prelude::*;
use di::sparse::{AutoSparse, SparsePrep};
use di_benches::cases::{brusselator as bruss, listing2};
use di_benches::timing::timed;
use std::hint::black_box;

/// The same Hessian dense and sparse, by forward over reverse, and its stored entries alone: computed, and copied
/// since they are the same everywhere.
pub(super) fn listing2(case: &str, n: usize, batches: Batches) -> Outcome {
    let f = listing2::listing2::AD;
    let x = &listing2::input(n)[..];
    let dense = SecondOrder::new(AutoDual::new(), AutoSource::new());
    let reused = AutoSparse::new(AutoSource::new());
    let sparse = reused.clone().reuse(false);
    let prep_dense = prepare_hessian(f, &dense, x)?;
    let prep_reused = prepare_hessian(f, &reused, x)?;
    let prep_sparse = prepare_hessian(f, &sparse, x)?;
    let layout = prep_sparse.structure()?;
    let layout = layout.layout();
    let by_hand = listing2::hessian(n);
    let [mut a, mut b] = [(); 2].map(|()| vec![0.0; layout.len()]);
    hessian_values_into(f, &mut a, &prep_sparse, &sparse, x)?;
    hessian_values_into(f, &mut b, &prep_reused, &reused, x)?;
    must_agree(case, "sparse", &a, &by_hand)?;
    must_agree(case, "sparse, reused", &b, &by_hand)?;
    let mut h = hessian(f, &prep_dense, &dense, x)?;
    let stored: Vec<f64> = layout.triplets().map(|(i, j)| h[[i, j]]).collect();
    must_agree(case, "dense", &stored, &by_hand)?;
    let mut matrix = layout.zeros();
    let pieces = vec![
        timed("primal", || listing2::primal(black_box(x))),
        timed("forward-over-reverse", || {
            hessian_into(f, black_box(&mut h), &prep_dense, &dense, black_box(x))
        }),
        timed("sparse hessian", || {
            let m = black_box(&mut matrix);
            hessian_into(f, m, &prep_sparse, &sparse, black_box(x))
        }),
        timed("sparse hessian_values", || {
            let values = black_box(&mut a);
            hessian_values_into(f, values, &prep_sparse, &sparse, black_box(x))
        }),
        timed("sparse hessian_values, reused", || {
            let values = black_box(&mut b);
            hessian_values_into(f, values, &prep_reused, &reused, black_box(x))
        }),
    ];
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("forward-over-reverse", "sparse hessian"),
            ("sparse hessian_values", "primal"),
            ("sparse hessian_values, reused", "primal"),
        ],
    );
    Ok(())
}

/// The stored entries of the Jacobian.
pub(super) fn brusselator(case: &str, n: usize, batches: Batches) -> Outcome {
    let x = &bruss::initial(n)[..];
    let [mut y, mut dx] = [(); 2].map(|()| vec![0.0; x.len()]);
    let backend = AutoSparse::new(AutoSource::new());
    let prep = prepare_jacobian(bruss::brusselator::AD.output(&mut dx), &backend, x)?;
    let layout = prep.structure()?;
    let layout = layout.layout();
    let mut values = vec![0.0; layout.len()];
    let f = bruss::brusselator::AD.output(&mut dx);
    jacobian_values_into(f, &mut values, &prep, &backend, x)?;
    let by_hand: Vec<f64> = layout
        .triplets()
        .map(|(i, j)| bruss::entry(x, i, j))
        .collect();
    must_agree(case, "sparse jacobian", &values, &by_hand)?;
    let pieces = vec![
        timed("primal", || {
            bruss::brusselator(black_box(x), black_box(&mut y))
        }),
        timed("sparse jacobian", || {
            let f = bruss::brusselator::AD.output(&mut dx);
            jacobian_values_into(f, black_box(&mut values), &prep, &backend, black_box(x))
        }),
    ];
    let ratios = [("sparse jacobian", "primal")];
    print_ratios(case, pieces, batches, &ratios);
    Ok(())
}
