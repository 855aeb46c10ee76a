//! Objectives of ADBench: Gaussian mixtures, bundle adjustment.

use super::{Batches, Instance, Outcome, must_agree, networks, print_ratios};
use di::prelude::*;
use di_benches::cases::{ba as bundle, checksums, close, gmm, lstm};
use di_benches::timing::timed;
use std::hint::black_box;

/// An instance that was named on the command line.
pub(super) fn from_file(case: &str, instance: &Instance, batches: Batches) -> Outcome {
    let text = std::fs::read_to_string(&instance.file)?;
    if instance.kind == "lstm" {
        networks::lstm_on(case, &lstm::Instance::read(&text), batches)
    } else {
        gmm_on(case, &gmm::Instance::read(&text), batches)
    }
}

pub(super) fn gmm_d10(case: &str, batches: Batches) -> Outcome {
    let instance = gmm::Instance::d10();
    let mut g = instance.zeros();
    let value = gmm::value_and_gradient(&instance, &mut gmm::Workspace::new(&instance), &mut g);
    let (s, q) = checksums(g.iter().flatten());
    let published = [
        (value, -2.564_965_262_119_762e4),
        (s, -7.317_052_862_850_6e4),
        (q, 7.088_366_312_270_31e6),
    ];
    for (found, expected) in published {
        if !close(found, expected, 1e-10) {
            return Err(format!("{case}: {found:e} by hand, {expected:e} published").into());
        }
    }
    gmm_on(case, &instance, batches)
}

pub(super) fn gmm_d32(case: &str, batches: Batches) -> Outcome {
    gmm_on(case, &gmm::Instance::generated(32, 25, 1000), batches)
}

pub(super) fn gmm_10k(case: &str, batches: Batches) -> Outcome {
    gmm_on(case, &gmm::Instance::generated(10, 25, 10_000), batches)
}

fn gmm_on(case: &str, i: &gmm::Instance, batches: Batches) -> Outcome {
    let f = gmm::gmm::AD.with(&i.x, i.d, i.gamma, i.m, i.offset);
    let x = (&i.alphas[..], &i.means[..], &i.factors[..]);
    let backend = AutoSource::new();
    let prep = prepare_gradient(f, &backend, &x)?;
    let mut by_hand = i.zeros();
    let mut work = gmm::Workspace::new(i);
    let value = gmm::value_and_gradient(i, &mut work, &mut by_hand);
    let [a, b, c] = i.zeros();
    let mut g = (a, b, c);
    let found = value_and_gradient_into(f, &mut g, &prep, &backend, &x)?;
    must_agree(case, "value", &[found], &[value])?;
    must_agree(case, "alphas", &g.0, &by_hand[0])?;
    must_agree(case, "means", &g.1, &by_hand[1])?;
    must_agree(case, "factors", &g.2, &by_hand[2])?;
    let pieces = vec![
        timed("primal", || gmm::primal(black_box(i))),
        timed("hand", || {
            gmm::value_and_gradient(black_box(i), &mut work, black_box(&mut by_hand))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g), &prep, &backend, black_box(&x))
        }),
    ];
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("value_and_gradient", "primal"),
            ("hand", "primal"),
            ("value_and_gradient", "hand"),
        ],
    );
    Ok(())
}

/// One Jacobian after the other, each into a matrix of its own.
pub(super) fn ba(case: &str, batches: Batches) -> Outcome {
    let instance = bundle::Instance::ba1();
    let count = instance.weights.len();
    let mut errors = vec![[0.0; 2]; count];
    let mut by_hand = vec![[[0.0; bundle::INPUTS]; 2]; count];
    let backend = AutoSource::new();
    let (camera, point, weight, feature) = instance.observation(0);
    let mut error = [0.0; 2];
    let f = bundle::residual::AD.with(feature);
    let x = (camera, point, weight);
    let prep = prepare_jacobian(f.output(&mut error), &backend, &x)?;
    let found = jacobian(f.output(&mut error), &prep, &backend, &x)?;
    let mut matrices = vec![found.clone(); count];
    bundle::jacobian(camera, point, weight, feature, &mut by_hand[0]);
    must_agree(
        case,
        "jacobian",
        found.as_slice(),
        by_hand[0].as_flattened(),
    )?;
    for (row, published) in by_hand[0].iter().zip(&bundle::REFERENCE) {
        for (a, b) in row.iter().zip(published) {
            if !close(*a, *b, 1e-8) {
                return Err(format!("{case}: {a:e} by hand, {b:e} published").into());
            }
        }
    }
    let mut camera = *camera;
    camera[..3].fill(0.0);
    let x = (&camera, point, weight);
    let found = jacobian(f.output(&mut error), &prep, &backend, &x)?;
    bundle::jacobian(&camera, point, weight, feature, &mut by_hand[0]);
    let found = found.into_vec();
    must_agree(
        case,
        "jacobian without rotation",
        &found,
        by_hand[0].as_flattened(),
    )?;
    let mut errors_jacobian = errors.clone();
    let pieces = vec![
        timed("primal", || {
            bundle::primal(black_box(&instance), &mut errors)
        }),
        timed("hand", || {
            let instance = black_box(&instance);
            for (k, rows) in by_hand.iter_mut().enumerate() {
                let (camera, point, weight, feature) = instance.observation(k);
                bundle::jacobian(camera, point, weight, feature, rows);
            }
        }),
        timed("jacobian", || {
            let instance = black_box(&instance);
            let all = matrices.iter_mut().zip(&mut errors_jacobian);
            for (k, (matrix, error)) in all.enumerate() {
                let (camera, point, weight, feature) = instance.observation(k);
                let f = bundle::residual::AD.with(feature).output(error);
                jacobian_into(f, matrix, &prep, &backend, &(camera, point, weight))?;
            }
            Ok::<(), di::Error>(())
        }),
    ];
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("jacobian", "primal"),
            ("hand", "primal"),
            ("jacobian", "hand"),
        ],
    );
    Ok(())
}
