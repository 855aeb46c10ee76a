//! Local level model: a random walk seen through noise, by its Kalman filter. The reference is quadrature on a grid.

use crate::summary::{Quadrature, Quantity, compare, nanoseconds};
use di::prelude::*;
use di_nuts_rs::LogDensity;
use std::error::Error;

/// Flow of the Nile at Aswan, 1871 to 1970, in 10^8 cubic metres.
const NILE: [f64; 100] = [
    1120., 1160., 963., 1210., 1160., 1160., 813., 1230., 1370., 1140., 995., 935., 1110., 994.,
    1020., 960., 1180., 799., 958., 1140., 1100., 1210., 1150., 1250., 1260., 1220., 1030., 1100.,
    774., 840., 874., 694., 940., 833., 701., 916., 692., 1020., 1050., 969., 831., 726., 456.,
    824., 702., 1120., 1100., 832., 764., 821., 768., 845., 864., 862., 698., 845., 744., 796.,
    1040., 759., 781., 865., 845., 944., 984., 897., 822., 1010., 771., 676., 649., 846., 812.,
    742., 801., 1040., 860., 874., 848., 890., 744., 749., 838., 1050., 918., 986., 797., 923.,
    975., 815., 1020., 906., 901., 1170., 912., 746., 919., 718., 714., 740.,
];
/// Largest likelihood of the Nile data: variances of the noise and of the walk, from Durbin and Koopman (2012), page 36.
const LARGEST: [f64; 2] = [15_099.0, 1_469.1];

/// Diffuse log likelihood; `x` has the logarithms of the standard deviations of noise and walk.
#[differentiable]
fn log_likelihood(x: &[f64], #[constant] y: &[f64]) -> f64 {
    let noise = (2.0 * x[0]).exp();
    let walk = (2.0 * x[1]).exp();
    let (mut level, mut p) = (y[0], noise + walk);
    let mut sum = 0.0;
    for y in &y[1..] {
        let f = p + noise;
        let v = y - level;
        sum -= 0.5 * (f.ln() + v * v / f);
        let gain = p / f;
        level += gain * v;
        p = p * (1.0 - gain) + walk;
    }
    sum
}

/// With half normal priors of scale 200 on the standard deviations.
#[differentiable]
fn log_density(x: &[f64], #[constant] y: &[f64]) -> f64 {
    let (noise, walk) = (x[0].exp() / 200.0, x[1].exp() / 200.0);
    log_likelihood(x, y) - 0.5 * (noise * noise + walk * walk) + x[0] + x[1]
}

pub(crate) fn run() -> Result<bool, Box<dyn Error>> {
    let start = [5.0, 3.5];
    let model = |y: Vec<f64>| {
        let f = di::owning(y, |y| log_density::AD.with(y));
        LogDensity::new(f, AutoSource::new(), &start)
    };
    let known = reference();
    let quantities = [("noise", 0), ("walk", 1)].map(|(name, k)| Quantity {
        name: name.to_owned(),
        of: Box::new(move |x: &[f64]| x[k].exp()),
        mean: known[k].0,
        sd: known[k].1,
    });
    let sampled = compare("local level, Nile", model(NILE.to_vec())?, 2, &quantities)?;

    // Where the likelihood is largest its gradient is zero, up to the five digits of what was published: the second
    // derivatives are some hundreds.
    let mode = LARGEST.map(|variance| 0.5 * variance.ln());
    let f = log_likelihood::AD.with(&NILE);
    let slope = gradient(f, NoPrep, &AutoSource::new(), &mode[..])?;
    println!(
        "  slope {:+.1e} {:+.1e} at the published maximum",
        slope[0], slope[1]
    );
    let flat = slope.iter().all(|s| s.abs() < 5e-3);

    for steps in [100, 1000] {
        let y = NILE.iter().cycle().take(steps).copied().collect();
        let time = nanoseconds(model(y)?, &start)?;
        println!("  {steps} steps: {time:.0} ns for a log density and its gradient");
    }
    println!();
    Ok(sampled && flat)
}

/// Means and standard deviations of both standard deviations, on a grid in their logarithms.
fn reference() -> [(f64, f64); 2] {
    let mut all = Quadrature::new(2);
    for i in 0..300 {
        for j in 0..600 {
            let x = [
                3.0 + 3.0 * f64::from(i) / 300.0,
                -4.0 + 10.0 * f64::from(j) / 600.0,
            ];
            let (a, b) = (x[0].exp(), x[1].exp());
            all.add(log_density(&x, &NILE), &[(a, a * a), (b, b * b)]);
        }
    }
    [all.mean_and_sd(0), all.mean_and_sd(1)]
}
