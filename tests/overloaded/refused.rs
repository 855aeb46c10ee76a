//! What cannot be right panics, or is an error.

use std::panic::{AssertUnwindSafe, catch_unwind};

use di::prelude::*;

#[overloaded]
mod model {
    pub fn threaded(x: &[f64]) -> f64 {
        let all = x.to_vec();
        std::thread::scope(|s| {
            s.spawn(|| all.iter().map(|v| v * v).sum())
                .join()
                .unwrap_or_else(|e| std::panic::resume_unwind(e))
        })
    }

    /// Constants may go to another thread.
    pub fn beside(x: &[f64]) -> f64 {
        let factor = std::thread::spawn(|| 2.0_f64.sqrt() * 0.5).join().unwrap();
        x[0] * x[0] * factor
    }

    pub fn fails(x: &[f64]) -> f64 {
        if x[0] > 1.0 {
            panic!("{:.1} is too large", x[0]);
        }
        x[0] * x[0]
    }
}

fn message<T>(run: impl FnOnce() -> T) -> String {
    let Err(error) = catch_unwind(AssertUnwindSafe(run)) else {
        panic!("did not panic");
    };
    let text = error.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.unwrap_or_else(|| *error.downcast::<String>().unwrap())
}

#[test]
fn other_threads_panic() {
    let x = [0.5, 0.2];
    for _ in 0..2 {
        let text = message(|| gradient(model::threaded::AD, NoPrep, &AutoTape::new(), &x));
        assert!(text.contains("thread"), "{text}");
    }
    assert_eq!(model::threaded(&x), 0.25 + 0.2 * 0.2);
    let g = gradient(model::beside::AD, NoPrep, &AutoTape::new(), &x).unwrap();
    crate::close("gradient", &g, &[0.5_f64.sqrt(), 0.0]);
}

#[test]
fn panics_leave_nothing_behind() {
    let (tape, dual) = (AutoTape::new(), AutoDual::new());
    let prep = prepare_gradient(model::fails::AD, &tape, &[0.5]).unwrap();
    for _ in 0..2 {
        let text = message(|| gradient(model::fails::AD, NoPrep, &dual, &[3.0]));
        assert!(text.contains("3.0 is too large"), "{text}");
        let text = message(|| gradient(model::fails::AD, &prep, &tape, &[3.0]));
        assert!(text.contains("3.0 is too large"), "{text}");
        crate::close(
            "gradient",
            &gradient(model::fails::AD, NoPrep, &dual, &[0.5]).unwrap(),
            &[1.0],
        );
        crate::close(
            "gradient",
            &gradient(model::fails::AD, NoPrep, &tape, &[0.5]).unwrap(),
            &[1.0],
        );
    }
}
