//! Prepared in-place operators allocate nothing.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{Curve, rosenbrock, springs, weighted};
use di_runtime::backends::{
    AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoSource, AutoSymbolic, AutoTape, AutoTaylor,
};
use di_runtime::closure::generic;
use di_runtime::matrix::Matrix;
use di_runtime::operators::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what the current thread allocates.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator is unsafe by nature")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocates_nothing(what: &str, mut run: impl FnMut()) {
    for call in 0..3 {
        let before = COUNT.with(Cell::get);
        run();
        let after = COUNT.with(Cell::get);
        assert_eq!(after - before, 0, "{what}, call {call}");
    }
}

macro_rules! in_place_operators {
    ($backend:expr) => {{
        let b = $backend;
        let f = rosenbrock::AD;
        let x: Vec<f64> = (0..11).map(|i| 0.1 * i as f64).collect();
        let (mut g, mut hv) = (vec![0.0; 11], vec![0.0; 11]);
        let mut h = Matrix::zeros((11, 11));
        let prep = prepare_gradient(f, &b, &x).unwrap();
        allocates_nothing("gradient", || {
            gradient_into(f, &mut g, &prep, &b, &x).unwrap()
        });
        let prep = prepare_hvp(f, &b, &x, &x).unwrap();
        allocates_nothing("hvp", || hvp_into(f, &mut hv, &prep, &b, &x, &x).unwrap());
        allocates_nothing("gradient_and_hvp", || {
            gradient_and_hvp_into(f, &mut g, &mut hv, &prep, &b, &x, &x).unwrap();
        });
        let prep = prepare_hessian(f, &b, &x).unwrap();
        allocates_nothing("hessian", || {
            hessian_into(f, &mut h, &prep, &b, &x).unwrap()
        });
        let (mut y, mut dy, force) = (vec![0.0; 11], vec![0.0; 11], vec![0.0; 10]);
        let s = springs::AD.with(2.0, &force);
        let prep = prepare_jacobian(s.output(&mut y), &b, &x).unwrap();
        allocates_nothing("jacobian", || {
            jacobian_into(s.output(&mut y), &mut h, &prep, &b, &x).unwrap();
        });
        let prep = prepare_pushforward(s.output(&mut y), &b, &x, &x).unwrap();
        allocates_nothing("pushforward", || {
            pushforward_into(s.output(&mut y), &mut dy, &prep, &b, &x, &x).unwrap();
        });
        let pair = (2.0, [1.0, 2.0]);
        let mut result = pair;
        let prep = prepare_gradient(weighted::AD, &b, &pair).unwrap();
        allocates_nothing("gradient of a tuple", || {
            gradient_into(weighted::AD, &mut result, &prep, &b, &pair).unwrap();
        });
    }};
}

#[test]
fn generated_code() {
    in_place_operators!(AutoSource::new());
    in_place_operators!(AutoSource::new().reverse());
    let b = AutoSource::new();
    let x = vec![0.5; 11];
    let (mut y, mut dx, force) = (vec![0.0; 11], vec![0.0; 11], vec![0.0; 10]);
    let s = springs::AD.with(2.0, &force);
    let prep = prepare_pullback(s.output(&mut y), &b, &x, &x).unwrap();
    allocates_nothing("pullback", || {
        pullback_into(s.output(&mut y), &mut dx, &prep, &b, &x, &x).unwrap();
    });
}

#[test]
fn dual_numbers() {
    in_place_operators!(AutoDual::new());
    let (f, b) = (generic(Curve), AutoDual::new());
    let (mut dy, mut ddy) = ([0.0; 3], [0.0; 3]);
    let prep = prepare_derivative(f, &b, &0.1).unwrap();
    allocates_nothing("derivative", || {
        derivative_into(f, &mut dy, &prep, &b, &0.2).unwrap()
    });
    let prep = prepare_second_derivative(f, &b, &0.1).unwrap();
    allocates_nothing("second_derivative", || {
        value_derivative_and_second_derivative_into(f, &mut dy, &mut ddy, &prep, &b, &0.2).unwrap();
    });
}

#[test]
fn expressions() {
    for b in [AutoSymbolic::new(), AutoSymbolic::new().factored()] {
        in_place_operators!(b);
        let (f, x) = (generic(Curve), vec![0.5; 11]);
        let (mut dy, mut ddy) = ([0.0; 3], [0.0; 3]);
        let prep = prepare_second_derivative(f, &b, &0.1).unwrap();
        allocates_nothing("second_derivative", || {
            value_derivative_and_second_derivative_into(f, &mut dy, &mut ddy, &prep, &b, &0.2)
                .unwrap();
        });
        let (mut y, mut dx, force) = (vec![0.0; 11], vec![0.0; 11], vec![0.0; 10]);
        let s = springs::AD.with(2.0, &force);
        let prep = prepare_pullback(s.output(&mut y), &b, &x, &x).unwrap();
        allocates_nothing("pullback", || {
            pullback_into(s.output(&mut y), &mut dx, &prep, &b, &x, &x).unwrap();
        });
    }
}

#[test]
fn recordings() {
    in_place_operators!(AutoTape::new());
    in_place_operators!(AutoTape::eager());
    for b in [AutoTape::new(), AutoTape::eager()] {
        let (f, x) = (generic(Curve), vec![0.5; 11]);
        let (mut dy, mut ddy) = ([0.0; 3], [0.0; 3]);
        let prep = prepare_second_derivative(f, &b, &0.1).unwrap();
        allocates_nothing("second_derivative", || {
            value_derivative_and_second_derivative_into(f, &mut dy, &mut ddy, &prep, &b, &0.2)
                .unwrap();
        });
        let (mut y, mut dx, force) = (vec![0.0; 11], vec![0.0; 11], vec![0.0; 10]);
        let s = springs::AD.with(2.0, &force);
        let prep = prepare_pullback(s.output(&mut y), &b, &x, &x).unwrap();
        allocates_nothing("pullback", || {
            pullback_into(s.output(&mut y), &mut dx, &prep, &b, &x, &x).unwrap();
        });
    }
}

#[test]
fn power_series() {
    in_place_operators!(AutoTaylor::new());
    let (f, b) = (generic(Curve), AutoTaylor::new());
    let mut dy = [[0.0; 3]; 6];
    let prep = prepare_nth_derivative(f, 5, &b, &0.1).unwrap();
    allocates_nothing("nth_derivative", || {
        nth_derivative_into(f, 5, &mut dy[0], &prep, &b, &0.2).unwrap();
    });
    allocates_nothing("taylor_coefficients", || {
        taylor_coefficients_into(f, &mut dy, &prep, &b, &0.2, &1.0).unwrap();
    });
}

#[test]
fn differences() {
    in_place_operators!(AutoFiniteDiff::new());
    in_place_operators!(AutoFiniteDiff::new().forward());
    in_place_operators!(AutoFiniteDifferences::central(5));
}
