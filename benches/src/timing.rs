//! Times several pieces of code in turn and compares their medians, or minima. Knows nothing of derivatives.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a batch of calls lasts at least: far above the clock's resolution.
const BATCH: Duration = Duration::from_micros(500);

/// One piece of code under the clock.
pub struct Timed<'a> {
    name: &'static str,
    batch: Box<dyn FnMut(u64) -> Duration + 'a>,
}

/// Puts `call` under the clock. Its result is kept from the optimizer; its inputs are the caller's to hide.
pub fn timed<'a, R>(name: &'static str, mut call: impl FnMut() -> R + 'a) -> Timed<'a> {
    let batch = move |calls| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(call());
        }
        start.elapsed()
    };
    Timed {
        name,
        batch: Box::new(batch),
    }
}

/// One time for each piece, by name.
pub struct Times {
    seconds: Vec<(&'static str, f64)>,
}

/// Runs `batches` batches of each piece, in turn, so that what disturbs one disturbs its neighbours as well.
///
/// The time of a piece is the median of its batches; the minimum where `minimum`, for machines with other work to do.
pub fn measure(mut pieces: Vec<Timed<'_>>, batches: usize, minimum: bool) -> Times {
    let calls: Vec<u64> = pieces.iter_mut().map(calls_per_batch).collect();
    let mut times = vec![Vec::with_capacity(batches); pieces.len()];
    for _ in 0..batches {
        for ((piece, &calls), times) in pieces.iter_mut().zip(&calls).zip(&mut times) {
            times.push((piece.batch)(calls).as_secs_f64() / calls as f64);
        }
    }
    let of_all = if minimum { least } else { median };
    let names = pieces.iter().map(|piece| piece.name);
    Times {
        seconds: names.zip(times.into_iter().map(of_all)).collect(),
    }
}

/// Calls each piece so many times, or those of one name; returns which it called. For counters of instructions.
pub fn run_alone(pieces: Vec<Timed<'_>>, name: Option<&str>, calls: u64) -> Vec<&'static str> {
    let mut ran = Vec::new();
    for mut piece in pieces {
        if name.is_none_or(|name| name == piece.name) {
            (piece.batch)(calls);
            ran.push(piece.name);
        }
    }
    ran
}

impl Times {
    /// Names of all pieces, with seconds of one call.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.seconds.iter().copied()
    }

    /// How many times as long as `denominator` the piece `numerator` takes, if both were timed.
    pub fn ratio(&self, numerator: &str, denominator: &str) -> Option<f64> {
        Some(self.seconds(numerator)? / self.seconds(denominator)?)
    }

    /// Seconds of one call, if a piece has this name.
    pub fn seconds(&self, name: &str) -> Option<f64> {
        let mut all = self.seconds.iter();
        all.find(|(other, _)| *other == name).map(|found| found.1)
    }
}

/// Doubles the number of calls until a batch is long enough. Warms caches and preps up on the way.
fn calls_per_batch(piece: &mut Timed<'_>) -> u64 {
    let mut calls = 1;
    while (piece.batch)(calls) < BATCH {
        calls *= 2;
    }
    calls
}

fn least(times: Vec<f64>) -> f64 {
    times.into_iter().fold(f64::INFINITY, f64::min)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::{measure, run_alone, timed};

    #[test]
    fn more_work_takes_longer() {
        let x: Vec<f64> = (0..4096).map(f64::from).collect();
        let sum = |x: &[f64]| std::hint::black_box(x).iter().sum::<f64>();
        let medians = measure(
            vec![
                timed("whole", || sum(&x)),
                timed("quarter", || sum(&x[..1024])),
            ],
            11,
            false,
        );
        assert!(
            medians
                .ratio("whole", "quarter")
                .is_some_and(|ratio| ratio > 2.0)
        );
        assert!(medians.ratio("whole", "half").is_none());
    }

    #[test]
    fn pieces_run_alone_as_often_as_asked() {
        let (once, twice) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
        let pieces = || {
            vec![
                timed("once", || once.set(once.get() + 1)),
                timed("twice", || twice.set(twice.get() + 2)),
            ]
        };
        assert_eq!(run_alone(pieces(), Some("twice"), 3), ["twice"]);
        assert_eq!((once.get(), twice.get()), (0, 6));
        assert_eq!(run_alone(pieces(), None, 1), ["once", "twice"]);
        assert_eq!((once.get(), twice.get()), (1, 8));
        assert!(run_alone(pieces(), Some("never"), 1).is_empty());
    }
}
