//! Time, allocations and bytes of one call.

use std::time::{Duration, Instant};

use di_runtime::error::Error;

use crate::allocations;

/// What one call costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    pub(super) samples: usize,
    pub(super) evaluations: usize,
    pub(super) time: f64,
    pub(super) median: f64,
    pub(super) allocations: Option<usize>,
    pub(super) bytes: Option<usize>,
}

/// A batch takes at least this long, so that the clock does not matter.
const BATCH: Duration = Duration::from_micros(100);

/// Measures `run`, which makes so many calls, for about as long as `budget`; at least five batches.
pub(super) fn cost(
    budget: Duration,
    mut run: impl FnMut(usize) -> Result<(), Error>,
) -> Result<Cost, Error> {
    // Also the first call: what is made only once is not counted.
    run(1)?;
    let (result, allocated) = allocations::count_bytes(|| run(1));
    result?;
    let counted = allocations::counts();
    let mut evaluations = 1;
    loop {
        let start = Instant::now();
        run(evaluations)?;
        let time = start.elapsed();
        if time >= BATCH || time * 4 >= budget {
            break;
        }
        evaluations *= 2;
    }
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 5 || start.elapsed() < budget {
        let start = Instant::now();
        run(evaluations)?;
        times.push(start.elapsed().as_secs_f64() / evaluations as f64);
    }
    times.sort_by(f64::total_cmp);
    Ok(Cost {
        samples: times.len(),
        evaluations,
        time: times[0],
        median: times[times.len() / 2],
        allocations: counted.then_some(allocated.count),
        bytes: counted.then_some(allocated.bytes),
    })
}
