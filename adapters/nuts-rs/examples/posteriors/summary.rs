//! Runs a sampler, and compares its draws with what is known.

use di::extend::{Backend, NumberValued, Reusable, Signature, Slice};
use di::{Gradient, Prep};
use di_nuts_rs::LogDensity;
use nuts_rs::{
    CpuLogpFunc, DiagNutsSettings, HashMapConfig, HashMapValue, Sampler, SamplerWaitResult,
};
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const CHAINS: usize = 4;
const TUNE: usize = 1000;
const DRAWS: usize = 4000;
/// Draws whose mean counts as independent of the next one.
const BATCH: usize = 100;

/// A function of a draw.
type OfDraw = Box<dyn Fn(&[f64]) -> f64>;

/// Something that the posterior is asked for: its name, its value for a draw, and mean and standard deviation as known.
pub(crate) struct Quantity {
    pub(crate) name: String,
    pub(crate) of: OfDraw,
    pub(crate) mean: f64,
    pub(crate) sd: f64,
}

/// Samples, prints the quantities, and says whether all of them are right.
pub(crate) fn compare<F, B>(
    title: &str,
    model: LogDensity<F, B>,
    n: usize,
    quantities: &[Quantity],
) -> Result<bool, Box<dyn Error>>
where
    F: Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>> + Send + Sync + 'static,
    B: Backend<F::Key> + Send + Sync + 'static,
    Prep<Gradient, F::Key, B>: Send + 'static,
{
    let model = Arc::new(model);
    if !has_right_gradient(&model, n)? {
        println!("{title}: the gradient is not that of the log density");
        return Ok(false);
    }
    let chains = draws(Arc::clone(&model), n)?;
    println!("{title}: {CHAINS} chains of {DRAWS} draws");
    println!(
        "  {:<12} {:>10} {:>10} {:>9} {:>10} {:>10}",
        "", "mean", "known", "mc error", "sd", "known"
    );
    let mut good = true;
    for q in quantities {
        let values: Vec<Vec<f64>> = chains
            .iter()
            .map(|chain| chain.chunks_exact(n).map(&q.of).collect())
            .collect();
        let all: Vec<f64> = values.concat();
        let batches: Vec<f64> = values
            .iter()
            .flat_map(|chain| chain.chunks_exact(BATCH).map(mean))
            .collect();
        let (m, sd) = (mean(&all), deviation(&all));
        let error = deviation(&batches) / (batches.len() as f64).sqrt();
        println!(
            "  {:<12} {m:>10.4} {:>10.4} {error:>9.4} {sd:>10.4} {:>10.4}",
            q.name, q.mean, q.sd
        );
        // An error as large as this would hide a wrong mean.
        let precise = error < 0.1 * q.sd;
        let right = (m - q.mean).abs() < 5.0 * error && (sd - q.sd).abs() < 0.1 * q.sd;
        good &= precise && right;
    }
    Ok(good)
}

/// Compares the gradient with central differences. With a wrong one the sampler would take tiny steps for minutes.
fn has_right_gradient<F, B>(model: &Arc<LogDensity<F, B>>, n: usize) -> Result<bool, Box<dyn Error>>
where
    F: Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key>,
{
    const STEP: f64 = 1e-5;
    let mut chain = model.chain();
    let x: Vec<f64> = (0..n).map(|i| 0.3 + 0.1 * i as f64).collect();
    let (mut g, mut unused) = (vec![0.0; n], vec![0.0; n]);
    chain.logp(&x, &mut g)?;
    let largest = g.iter().fold(1.0, |largest: f64, g| largest.max(g.abs()));
    for i in 0..n {
        let mut moved = |by: f64| {
            let mut x = x.clone();
            x[i] += by;
            chain.logp(&x, &mut unused)
        };
        let slope = (moved(STEP)? - moved(-STEP)?) / (2.0 * STEP);
        let off = (slope - g[i]).abs();
        if off.is_nan() || off > 1e-5 * largest {
            return Ok(false);
        }
    }
    Ok(true)
}

/// All draws after the warm-up, chain by chain.
fn draws<F, B>(model: Arc<LogDensity<F, B>>, n: usize) -> Result<Vec<Vec<f64>>, Box<dyn Error>>
where
    F: Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>> + Send + Sync + 'static,
    B: Backend<F::Key> + Send + Sync + 'static,
    Prep<Gradient, F::Key, B>: Send + 'static,
{
    let settings = DiagNutsSettings {
        num_chains: CHAINS,
        num_tune: TUNE as u64,
        num_draws: DRAWS as u64,
        seed: 2026,
        ..DiagNutsSettings::default()
    };
    let mut sampler = Sampler::new(model, settings, HashMapConfig::new(), CHAINS, None)?;
    let traces = loop {
        match sampler.wait_timeout(Duration::from_secs(1)) {
            SamplerWaitResult::Trace(traces) => break traces,
            SamplerWaitResult::Timeout(same) => sampler = same,
            SamplerWaitResult::Err(error, _) => return Err(error.into()),
        }
    };
    let mut chains = Vec::new();
    for trace in traces {
        match trace.draws.get("value") {
            Some(HashMapValue::F64(values)) if values.len() == (TUNE + DRAWS) * n => {
                chains.push(values[TUNE * n..].to_vec());
            }
            _ => return Err("a chain has not as many draws as were asked for".into()),
        }
    }
    Ok(chains)
}

/// Nanoseconds of a log density and its gradient at `x`, the fastest of some batches.
pub(crate) fn nanoseconds<F, B>(model: LogDensity<F, B>, x: &[f64]) -> Result<f64, Box<dyn Error>>
where
    F: Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key>,
{
    let mut chain = Arc::new(model).chain();
    let mut g = vec![0.0; x.len()];
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let begin = Instant::now();
        for _ in 0..500 {
            black_box(chain.logp(black_box(x), &mut g)?);
        }
        best = best.min(begin.elapsed().as_nanos() as f64 / 500.0);
    }
    Ok(best)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let m = mean(values);
    let sum: f64 = values.iter().map(|v| (v - m) * (v - m)).sum();
    (sum / (values.len() - 1) as f64).sqrt()
}

/// Means and standard deviations of some quantities under weights given by their logarithms, on points of a grid.
pub(crate) struct Quadrature {
    largest: f64,
    weight: f64,
    sums: Vec<(f64, f64)>,
}

impl Quadrature {
    pub(crate) fn new(quantities: usize) -> Self {
        Quadrature {
            largest: f64::NEG_INFINITY,
            weight: 0.0,
            sums: vec![(0.0, 0.0); quantities],
        }
    }

    /// A point: logarithm of its weight, and first and second moments of each quantity there.
    pub(crate) fn add(&mut self, log_weight: f64, moments: &[(f64, f64)]) {
        if log_weight > self.largest {
            let shrink = (self.largest - log_weight).exp();
            self.largest = log_weight;
            self.weight *= shrink;
            for (a, b) in &mut self.sums {
                *a *= shrink;
                *b *= shrink;
            }
        }
        let w = (log_weight - self.largest).exp();
        self.weight += w;
        for ((a, b), (first, second)) in self.sums.iter_mut().zip(moments) {
            *a += w * first;
            *b += w * second;
        }
    }

    /// Mean and standard deviation of a quantity.
    pub(crate) fn mean_and_sd(&self, quantity: usize) -> (f64, f64) {
        let (a, b) = self.sums[quantity];
        let m = a / self.weight;
        (m, (b / self.weight - m * m).sqrt())
    }
}
