//! Clones of one value for threads, and functions that are kept with their data.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use std::sync::atomic::{AtomicUsize, Ordering};

use by_hand::{rosenbrock, springs, springs_jacobian};
use di_runtime::backends::AutoSource;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use di_runtime::reusable::{IntoReusable, ReusableVector, owning};
use di_runtime::shared::Shared;

/// Counts its clones.
struct Counted<'a>(&'a AtomicUsize);

impl Clone for Counted<'_> {
    fn clone(&self) -> Self {
        self.0.fetch_add(1, Ordering::Relaxed);
        Counted(self.0)
    }
}

#[test]
fn a_thread_clones_once() {
    let clones = AtomicUsize::new(0);
    let shared = Shared::new(Counted(&clones));
    for _ in 0..10 {
        shared.with(|_| ());
    }
    assert_eq!(clones.load(Ordering::Relaxed), 1);
    std::thread::scope(|scope| {
        scope.spawn(|| (0..10).for_each(|_| shared.with(|_| ())));
    });
    assert_eq!(clones.load(Ordering::Relaxed), 2);
}

#[test]
fn a_call_in_a_call_has_another_clone() {
    let shared = Shared::new(Box::new(1));
    let (outer, inner) = shared.with(|outer| {
        **outer = 2;
        (**outer, shared.with(|inner| **inner))
    });
    assert_eq!((outer, inner), (2, 1));
}

#[test]
fn calls_go_on_where_all_places_are_held() {
    fn nested(shared: &Shared<usize>, depth: usize) -> usize {
        shared.with(|one| {
            *one + if depth > 0 {
                nested(shared, depth - 1)
            } else {
                0
            }
        })
    }
    let processors = std::thread::available_parallelism().unwrap().get();
    let depth = 4 * processors + 3;
    assert_eq!(nested(&Shared::new(1), depth), depth + 1);
}

#[test]
fn a_clone_is_dropped_where_its_call_panicked() {
    let shared = Shared::new(vec![1]);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        shared.with(|value| {
            value.push(2);
            panic!("in a call");
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(shared.with(|value| value.clone()), [1]);
}

#[test]
fn the_first_call_makes_the_value_until_it_succeeds() {
    let shared = Shared::<usize>::default();
    assert_eq!(shared.with_or(|| Err("no"), |value| *value), Err("no"));
    assert_eq!(shared.with_or(|| Ok::<_, &str>(5), |value| *value), Ok(5));
    assert_eq!(shared.with_or(|| Err("never asked"), |value| *value), Ok(5));
    assert_eq!(shared.clone().with(|value| *value), 5);
}

#[test]
fn a_value_may_be_made_while_it_is_made() {
    let shared = Shared::<usize>::default();
    let inner = || shared.with_or(|| Ok::<_, ()>(1), |value| *value);
    assert_eq!(
        shared.with_or(|| inner().map(|v| v + 1), |value| *value),
        Ok(1)
    );
}

#[test]
fn shared_preps_give_the_serial_result() {
    fn is_sync<T: Sync>(_: &T) {}
    let b = AutoSource::new();
    let points: Vec<Vec<f64>> = (0..64).map(|k| vec![0.1 * k as f64, 1.0, -0.5]).collect();
    let prep = prepare_gradient(rosenbrock::AD, &b, &points[0]).unwrap();
    let at = |x: &Vec<f64>| gradient(rosenbrock::AD, NoPrep, &b, x).unwrap();
    let serial: Vec<Vec<f64>> = points.iter().map(at).collect();
    let shared = Shared::new(prep);
    is_sync(&shared);
    let parallel: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let workers: Vec<_> = points
            .chunks(16)
            .map(|points| {
                let (shared, b) = (&shared, &b);
                scope.spawn(move || {
                    let at = |x| shared.with(|prep| gradient(rosenbrock::AD, &*prep, b, x));
                    points.iter().map(|x| at(x).unwrap()).collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|w| w.join().unwrap())
            .collect()
    });
    assert_eq!(parallel, serial);
}

struct Springs {
    stiffness: f64,
    force: Vec<f64>,
}

#[test]
fn a_kept_function_needs_no_output_and_no_borrow() {
    fn lasting<T: Send + Sync + 'static>(_: &T) {}
    let (b, x) = (AutoSource::new(), [1.0, 2.0, 4.0]);
    let data = Springs {
        stiffness: 3.0,
        force: vec![0.0; 2],
    };
    let expected = springs_jacobian(&x, 3.0).concat();

    let mut y = [0.0; 3];
    let borrowed = springs::AD.with(3.0, &data.force).output(&mut y);
    let f = borrowed.into_reusable(&x).unwrap();
    assert_eq!(f.rows(), 3);
    let prep = prepare_jacobian(f.once(&mut [0.0; 3]), &b, &x).unwrap();
    let j = jacobian(f.once(&mut [0.0; 3]), &prep, &b, &x).unwrap();
    assert_eq!(j.into_vec(), expected);

    let f = owning(data, |d| springs::AD.with(d.stiffness, &d.force)).output(&[0.0; 3]);
    let f = f.into_reusable(&x).unwrap();
    lasting(&f);
    let (mut y, mut j) = ([f64::NAN; 3], di_runtime::matrix::Matrix::zeros((3, 3)));
    f.run(&mut y, |f| {
        value_and_jacobian_into(f, &mut j, &prep, &b, &x)
    })
    .unwrap();
    assert_eq!(j.into_vec(), expected);
    assert_eq!(y, [3.0, 21.0, -24.0]);
    f.run(&mut y, |f| evaluate(f, &x)).unwrap();
    assert_eq!(y, [3.0, 21.0, -24.0]);
    assert_eq!(f.function().data().stiffness, 3.0);
}
