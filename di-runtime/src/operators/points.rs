//! Many points in one call, on one thread or several.

use crate::backend::Backend;
use crate::error::Error;
use crate::function::Primal;
use crate::prep::{Op, Prep};

/// Runs an operator at each of many points, on the given number of threads, each with its own copy of the prep.
///
/// The results are in the order of the points, and do not depend on the number of threads. Cost: that of the operator
/// for each point, divided by the number of threads; about 20 microseconds and a copy of the prep for each thread
/// beyond the first.
///
/// # Errors
/// That of the first point that fails.
///
/// # Panics
/// If the function panics, on any thread.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] * x[0] * x[1]
/// }
///
/// let (backend, points) = (AutoSource::new(), [[3.0, 2.0], [1.0, 1.0], [0.0, 5.0]]);
/// let prep = prepare_gradient(f::AD, &backend, &points[0])?;
/// let all = at_points(&prep, &points, 2, |prep, x| gradient(f::AD, prep, &backend, x))?;
/// assert_eq!(all, [[12.0, 9.0], [2.0, 1.0], [0.0, 0.0]]);
/// # Ok::<(), di::Error>(())
/// ```
pub fn at_points<O, K, B, X, T>(
    prep: &Prep<O, K, B>,
    points: &[X],
    threads: usize,
    run: impl Fn(&Prep<O, K, B>, &X) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error>
where
    O: Op,
    K: Primal,
    B: Backend<K>,
    Prep<O, K, B>: Send,
    X: Sync,
    T: Send,
{
    let threads = threads.clamp(1, points.len().max(1));
    let share = points.len().div_ceil(threads).max(1);
    let (first, rest) = points.split_at(share.min(points.len()));
    let run = &run;
    let all = |prep: &Prep<O, K, B>, points: &[X]| -> Result<Vec<T>, Error> {
        points.iter().map(|x| run(prep, x)).collect()
    };
    let all = &all;
    std::thread::scope(|scope| {
        let others: Vec<_> = rest
            .chunks(share)
            .map(|points| {
                let prep = prep.clone();
                scope.spawn(move || all(&prep, points))
            })
            .collect();
        let mut results = all(prep, first);
        for other in others {
            let other = match other.join() {
                Ok(other) => other,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            if let Ok(found) = &mut results {
                match other {
                    Ok(more) => found.extend(more),
                    Err(error) => results = Err(error),
                }
            }
        }
        results
    })
}
