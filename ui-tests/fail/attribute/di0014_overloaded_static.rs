#![allow(warnings)]

use di::overloaded;

#[overloaded]
mod model {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static SCALE: Mutex<f64> = Mutex::new(1.0);

    struct Steps {
        taken: AtomicUsize,
    }

    static STEPS: Steps = Steps { taken: AtomicUsize::new(0) };

    // is shared
    static CALLS: AtomicUsize = AtomicUsize::new(0);

    pub fn configure(scale: f64) {
        *SCALE.lock().unwrap() = scale;
    }

    pub fn f(x: f64) -> f64 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        *SCALE.lock().unwrap() * x
    }
}

fn main() {}
