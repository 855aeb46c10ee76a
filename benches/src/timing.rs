//! Times several pieces of code in turn and compares their medians, or minima. Knows nothing of derivatives.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a batch of calls lasts at least: far above the clock's resolution.
const BATCH: Duration = Duration::from_micros(500);

/// Longer batches are interrupted if the machine has other work, every one of them.
const LONG: Duration = Duration::from_millis(2);

/// One piece of code under the clock.
pub struct Timed<'a> {
    name: &'static str,
    run: Box<dyn FnMut(u64) + 'a>,
}

/// Puts `call` under the clock. Its result is kept from the optimizer; its inputs are the caller's to hide.
pub fn timed<'a, R>(name: &'static str, mut call: impl FnMut() -> R + 'a) -> Timed<'a> {
    let run = move |calls| {
        for _ in 0..calls {
            black_box(call());
        }
    };
    Timed {
        name,
        run: Box::new(run),
    }
}

/// One time for each piece, by name.
pub struct Times {
    seconds: Vec<(&'static str, f64)>,
}

/// Runs `batches` batches of each piece, in turn, so that what disturbs one disturbs its neighbours as well.
///
/// The time of a piece is the median of its batches; the minimum where `minimum`, for machines with other work to do.
/// Batches of more than 2 ms are timed by the processor, if the system says how much of it this thread has had.
pub fn measure(mut pieces: Vec<Timed<'_>>, batches: usize, minimum: bool) -> Times {
    let calls: Vec<(u64, bool)> = pieces.iter_mut().map(calls_per_batch).collect();
    let mut times = vec![Vec::with_capacity(batches); pieces.len()];
    for _ in 0..batches {
        for ((piece, &(calls, long)), times) in pieces.iter_mut().zip(&calls).zip(&mut times) {
            times.push(batch(piece, calls, long).as_secs_f64() / calls as f64);
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
            (piece.run)(calls);
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

/// Doubles the number of calls until a batch is long enough; also returns whether it is a long one. Warms caches and
/// preps up on the way.
fn calls_per_batch(piece: &mut Timed<'_>) -> (u64, bool) {
    let mut calls = 1;
    loop {
        let took = batch(piece, calls, false);
        if took >= BATCH {
            return (calls, took > LONG);
        }
        calls *= 2;
    }
}

/// How long so many calls take.
fn batch(piece: &mut Timed<'_>, calls: u64, long: bool) -> Duration {
    let before = long.then(processor).flatten();
    let start = Instant::now();
    (piece.run)(calls);
    let wall = start.elapsed();
    let had = before.and_then(|before| processor()?.checked_sub(before));
    had.unwrap_or(wall)
}

/// How long this thread has been on a processor, where the system says so.
pub fn processor() -> Option<Duration> {
    // brings the system's account up to date, which else is as of its last tick
    std::thread::yield_now();
    let account = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = account.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
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
    use super::{measure, processor, run_alone, timed};
    use std::time::{Duration, Instant};

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

    #[test]
    fn sleep_is_no_time_on_a_processor() {
        // not every system tells
        let Some(before) = processor() else { return };
        std::thread::sleep(Duration::from_millis(50));
        let asleep = processor().expect("it was there before") - before;
        assert!(asleep < Duration::from_millis(25), "{asleep:?}");
        let start = Instant::now();
        let busy = loop {
            let busy = processor().expect("it was there before") - before;
            if busy > asleep + Duration::from_millis(1) || start.elapsed().as_secs() > 60 {
                break busy;
            }
        };
        assert!(busy > asleep, "{busy:?}");
    }
}
