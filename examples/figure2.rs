//! Listing 3 and Figure 2 of Dalle and Hill, "A Common Interface for Automatic Differentiation" (2025): the
//! gradient of the squared norm for n = 10 to 10,000 by every engine, prepared and not. Writes a page of plots.
//!
//! `cargo run --release --example figure2 [page.html]`; with `--features num-dual,echidna` also by these engines. A
//! minute or two.

use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use di::prelude::*;
use di::{AutoComplexStep, AutoFiniteDifferences, AutoSymbolic, AutoTaylor};
use di_test::allocations::Counting;
use di_test::{
    BenchmarkOptions, Options, Scenario, Variants, benchmark_differentiation,
    check_differentiation, returns,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[differentiable]
fn squared_norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

fn main() -> std::io::Result<()> {
    let scenario = |n: usize| {
        let x: Vec<f64> = (0..n).map(|i| 1.0 + 0.5 * (i as f64).sin()).collect();
        let y = squared_norm(&x);
        let expected: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        Scenario::gradient("squared norm", returns(squared_norm::AD), x, y, &expected)
    };
    let scenarios = [10, 30, 100, 300, 1000, 3000, 10_000].map(scenario);
    let backends = (
        AutoSource::new(),
        AutoTape::new(),
        AutoSymbolic::new(),
        AutoSource::new().forward(),
        AutoDual::new(),
        AutoTaylor::new(),
        AutoComplexStep::new(),
        AutoFiniteDiff::new(),
        AutoFiniteDifferences::central(5),
    );
    // The value is larger than one, which costs differences some digits.
    let options = Options::new().relative(1e-6);
    check_differentiation(&backends, &scenarios[..3], &options).assert();

    // A tenth of a second for each number; `DI_FAST` is for a first look.
    let time = if env::var_os("DI_FAST").is_some() {
        1
    } else {
        100
    };
    let options = BenchmarkOptions::new()
        .variants(Variants::Full)
        .time(Duration::from_millis(time));
    let mut found = benchmark_differentiation(&backends, &scenarios, options);
    #[cfg(feature = "num-dual")]
    found.extend(benchmark_differentiation(
        &(di::AutoNumDual::new(),),
        &scenarios,
        options,
    ));
    #[cfg(feature = "echidna")]
    found.extend(benchmark_differentiation(
        &(di::AutoEchidna::new(),),
        &scenarios,
        options,
    ));
    println!("{found}");
    // The figure is about the gradient alone.
    found.rows.retain(|row| row.operator == "gradient");
    let path = env::args()
        .nth(1)
        .unwrap_or_else(|| "target/figure2.html".to_owned());
    if let Some(folder) = Path::new(&path).parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, found.html("Gradient of the squared norm"))?;
    println!("wrote {path}");
    Ok(())
}
