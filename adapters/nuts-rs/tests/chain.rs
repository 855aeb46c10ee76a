//! What a chain sees: values, gradients, errors, and clones of one prep.

use di::Scalar;
use di::prelude::*;
use di_nuts_rs::LogDensity;
use nuts_rs::{CpuLogpFunc, CpuMath, HashMapConfig, LogpError, Sampler, SamplerWaitResult};
use nuts_rs::{DiagNutsSettings, HasDims, Model};
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Normal with mean `m` and precision `p`.
#[differentiable]
fn normal(x: &[f64], #[constant] m: &[f64], #[constant] p: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let d = x[i] - m[i];
        sum -= 0.5 * p * d * d;
    }
    sum
}

#[derive(Debug)]
struct Outside;

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("outside of the domain")
    }
}

impl Error for Outside {}

/// Exponential: no density below zero.
#[generic]
fn exponential<S: Scalar<Real = f64>>(x: &[S]) -> Result<S, Outside> {
    if x[0].lt(S::default()) {
        return Err(Outside);
    }
    Ok(-x[0])
}

struct Data {
    m: Vec<f64>,
    p: f64,
}

fn is_model<M: Model>(_: &M) {}

#[test]
fn value_and_gradient_are_those_of_a_normal() -> Result<(), Box<dyn Error>> {
    let data = || Data {
        m: vec![1.0, -2.0],
        p: 4.0,
    };
    let f = || di::owning(data(), |d| normal::AD.with(&d.m, d.p));
    let x = [1.5, 1.0];
    let mut g = [f64::NAN; 2];
    let source = Arc::new(LogDensity::new(f(), AutoSource::new(), &[0.0; 2])?);
    is_model(&*source);
    assert_eq!(source.chain().logp(&x, &mut g)?, -0.5 * 4.0 * 9.25);
    assert_eq!(g, [-2.0, -12.0]);
    let dual = Arc::new(LogDensity::new(f(), AutoDual::new(), &[0.0; 2])?);
    assert_eq!(dual.chain().logp(&x, &mut g)?, -0.5 * 4.0 * 9.25);
    assert_eq!(g, [-2.0, -12.0]);
    let tape = Arc::new(LogDensity::new(f(), AutoTape::new(), &[0.0; 2])?);
    assert_eq!(tape.chain().logp(&x, &mut g)?, -0.5 * 4.0 * 9.25);
    assert_eq!(g, [-2.0, -12.0]);
    Ok(())
}

#[test]
fn dimensions_are_those_of_the_first_point() -> Result<(), di::Error> {
    let f = di::owning(vec![0.0; 3], |m| normal::AD.with(m, 1.0));
    let chain = Arc::new(LogDensity::new(f, AutoSource::new(), &[0.0; 3])?).chain();
    assert_eq!(chain.dim(), 3);
    assert_eq!(chain.dim_sizes()["unconstrained_parameter"], 3);
    assert_eq!(chain.dim_sizes()["dim"], 3);
    Ok(())
}

#[test]
fn an_error_of_the_function_is_a_divergence_and_others_are_not() -> Result<(), di::Error> {
    let model = Arc::new(LogDensity::new(exponential::AD, AutoDual::new(), &[1.0])?);
    let (mut chain, mut g) = (model.chain(), [0.0; 2]);
    assert_eq!(chain.logp(&[2.0], &mut g[..1]), Ok(-2.0));
    assert_eq!(g[0], -1.0);
    let outside = chain.logp(&[-1.0], &mut g[..1]).expect_err("outside");
    assert!(outside.is_recoverable());
    assert_eq!(outside.to_string(), "outside of the domain");
    let length = chain
        .logp(&[1.0, 2.0], &mut g)
        .expect_err("of another length");
    assert!(!length.is_recoverable());
    assert_eq!(chain.logp(&[2.0], &mut g[..1]), Ok(-2.0));
    assert!(LogDensity::new(exponential::AD, AutoTape::new(), &[-1.0]).is_err());
    Ok(())
}

/// The mean of an exponential whose density ends at zero: chains go on after the error.
#[test]
fn chains_on_threads_survive_divergences() -> Result<(), Box<dyn Error>> {
    let model = Arc::new(LogDensity::new(exponential::AD, AutoDual::new(), &[1.5])?);
    let settings = DiagNutsSettings {
        num_chains: 2,
        num_tune: 300,
        num_draws: 1000,
        seed: 7,
        ..DiagNutsSettings::default()
    };
    let sampler = Sampler::new(model, settings, HashMapConfig::new(), 2, None)?;
    match sampler.wait_timeout(Duration::from_secs(60)) {
        SamplerWaitResult::Trace(traces) => assert_eq!(traces.len(), 2),
        SamplerWaitResult::Timeout(_) => panic!("a minute was not enough"),
        SamplerWaitResult::Err(error, _) => return Err(error.into()),
    }
    Ok(())
}

#[test]
fn a_chain_by_hand_shares_nothing() -> Result<(), di::Error> {
    let f = di::owning(vec![0.0], |m| normal::AD.with(m, 1.0));
    let model = Arc::new(LogDensity::new(f, AutoSource::new(), &[0.0])?.spread(0.5));
    let (mut a, mut b) = (model.chain(), model.chain());
    let (mut ga, mut gb) = ([0.0], [0.0]);
    assert_eq!(a.logp(&[1.0], &mut ga), Ok(-0.5));
    assert_eq!(b.logp(&[2.0], &mut gb), Ok(-2.0));
    assert_eq!((ga, gb), ([-1.0], [-2.0]));
    drop(CpuMath::new(a));
    Ok(())
}
