//! What cannot be right panics, or is an error.

use std::panic::{AssertUnwindSafe, catch_unwind};

use di::prelude::*;

#[overloaded]
mod model {
    use std::cell::{Cell, RefCell};
    use std::sync::Mutex;

    thread_local! {
        static LAST: Cell<Option<f64>> = const { Cell::new(None) };
        static TABLE: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
    }

    static SHARED: Mutex<f64> = Mutex::new(1.0);

    /// The number of the call before is of no use.
    pub fn remembered(x: &[f64]) -> f64 {
        let last = LAST.replace(Some(x[0])).unwrap_or(1.0);
        last * x[0]
    }

    pub fn cached(x: &[f64]) -> f64 {
        TABLE.with_borrow_mut(|table| {
            if table.is_empty() {
                table.push(x[0].exp());
            }
            table[0] * x[1]
        })
    }

    pub fn accumulated(x: &[f64]) -> f64 {
        let mut total = SHARED.lock().unwrap_or_else(|e| e.into_inner());
        *total += x[0];
        *total * x[0]
    }

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
fn numbers_of_another_call_panic() {
    for f in 0..3 {
        let call = |x: &[f64]| match f {
            0 => gradient(model::remembered::AD, NoPrep, &AutoDual::new(), x),
            1 => gradient(model::cached::AD, NoPrep, &AutoDual::new(), x),
            _ => gradient(model::accumulated::AD, NoPrep, &AutoDual::new(), x),
        };
        let x = [0.5, 0.2];
        let g = call(&x).unwrap();
        let expected = [[1.0, 0.0], [0.2 * 0.5_f64.exp(), 0.5_f64.exp()], [2.0, 0.0]];
        crate::close("gradient", &g, &expected[f]);
        let text = message(|| call(&x));
        assert!(text.contains("was kept in a static"), "{f}: {text}");
    }
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
