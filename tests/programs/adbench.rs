//! The objectives of ADBench as the benchmarks time them, against adjoints by hand and published values.

use di::prelude::*;
use di_benches::cases::{ba, checksums, gmm, lstm};
use di_test::compare::{Tolerance, assert_close};
use di_test::program;

const RELATIVE: Tolerance = Tolerance {
    relative: 1e-10,
    absolute: 1e-12,
};

/// Checksums of a gradient: sum of `g[i] ((i mod 7) + 1)`, sum of squares.
fn assert_checksums(what: &str, g: &[f64], expected: [f64; 2]) {
    let (s, q) = checksums(g);
    assert_close(what, &[s, q], &expected, RELATIVE);
}

#[test]
fn gaussian_mixture() {
    let i = gmm::Instance::d10();
    let f = gmm::gmm::AD.with(&i.x, i.d, i.gamma, i.m, i.offset);
    let x = (i.alphas.clone(), i.means.clone(), i.factors.clone());
    let (y, (alphas, means, factors)) =
        value_and_gradient(f, NoPrep, &AutoSource::new(), &x).unwrap();
    assert_close("objective", &[y], &[-2.564_965_262_119_762e4], RELATIVE);
    let g = [alphas, means, factors].concat();
    assert_checksums(
        "gradient",
        &g,
        [-7.317_052_862_850_6e4, 7.088_366_312_270_31e6],
    );
    let mut by_hand = i.zeros();
    gmm::value_and_gradient(&i, &mut gmm::Workspace::new(&i), &mut by_hand);
    assert_close("gradient", &g, &by_hand.concat(), RELATIVE);
}

#[test]
fn small_gaussian_mixture_to_second_order() {
    let i = gmm::Instance::generated(2, 3, 5);
    let x = [&i.alphas[..], &i.means, &i.factors].concat();
    program!(mixture::AD.with(&i.x, 3, 2), [&x]);
}

/// The mixture as a function of one slice.
#[differentiable]
fn mixture(x: &[f64], #[constant] points: &[f64], k: usize, d: usize) -> f64 {
    let (alphas, rest) = x.split_at(k);
    let (means, factors) = rest.split_at(k * d);
    gmm::gmm(alphas, means, factors, points, d, 1.0, 0, 0.0)
}

#[test]
fn long_short_term_memory() {
    let i = lstm::Instance::l2_c1024();
    let f = lstm::lstm::AD.with(&i.hidden, &i.cell, &i.sequence);
    let x = (i.main.clone(), i.extra.clone());
    let (y, (main, extra)) = value_and_gradient(f, NoPrep, &AutoSource::new(), &x).unwrap();
    assert_close("objective", &[y], &[6.666_651_795_588_522e-1], RELATIVE);
    let g = [main, extra].concat();
    assert_checksums(
        "gradient",
        &g,
        [9.631_733_762_259_4e-2, 8.975_929_105_992_7e-3],
    );
}

/// One observation of bundle adjustment: camera, point and weight in one slice.
#[differentiable]
fn observation(x: &[f64], #[constant] feature: &[f64; 2], error: &mut [f64; 2]) {
    let camera = [
        x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10],
    ];
    let point = [x[11], x[12], x[13]];
    ba::residual(&camera, &point, x[14], feature, error);
}

#[test]
fn bundle_adjustment() {
    let i = ba::Instance::ba1();
    let (camera, point, weight, feature) = i.observation(0);
    let x = [&camera[..], point, &[weight]].concat();
    let mut error = [0.0; 2];
    let f = observation::AD.with(feature);
    let j = jacobian(f.output(&mut error), NoPrep, &AutoSource::new(), &x[..]).unwrap();
    let mut by_hand = [[0.0; ba::INPUTS]; 2];
    ba::jacobian(camera, point, weight, feature, &mut by_hand);
    for r in 0..2 {
        let row = j.row(r);
        let published = Tolerance {
            relative: 1e-8,
            absolute: 0.0,
        };
        assert_close("published row", row, &ba::REFERENCE[r], published);
        assert_close("row by hand", row, &by_hand[r], RELATIVE);
        assert_close("rotation by hand", &row[..3], &by_hand[r][..3], RELATIVE);
    }
    program!(f.output(&mut error), [&x]);
}

#[test]
fn bundle_adjustment_without_rotation() {
    let i = ba::Instance::ba1();
    let (camera, point, weight, feature) = i.observation(0);
    let mut x = [&camera[..], point, &[weight]].concat();
    x[..3].fill(0.0);
    let mut error = [0.0; 2];
    let f = observation::AD.with(feature);
    let j = jacobian(f.output(&mut error), NoPrep, &AutoSource::new(), &x[..]).unwrap();
    // where the angle is zero, a rotation r changes X into X + r x X, as a change of the centre does
    let seen = [x[11] - x[3], x[12] - x[4], x[13] - x[5]];
    for r in 0..2 {
        let by_point = [j[[r, 11]], j[[r, 12]], j[[r, 13]]];
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        };
        let found = [j[[r, 0]], j[[r, 1]], j[[r, 2]]];
        assert_close("rotation", &found, &cross(seen, by_point), RELATIVE);
    }
}
