//! Preps go to threads, one for each.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{rosenbrock, springs};
use di_runtime::backends::{AutoDual, AutoFiniteDiff, AutoSource};
use di_runtime::bound::Key;
use di_runtime::operators::*;
use di_runtime::prep::Prep;

fn is_send<T: Send>() {}
fn is_sync<T: Sync>() {}

/// `true` for types that are not `Sync`: two impls apply to those that are.
trait NotSync<M> {
    fn holds() -> bool {
        true
    }
}
impl<T: ?Sized> NotSync<()> for T {}
struct Shared;
impl<T: ?Sized + Sync> NotSync<Shared> for T {}

#[test]
fn preps_are_send_and_not_sync() {
    is_send::<Prep<Gradient, Key<rosenbrock>, AutoSource>>();
    is_send::<Prep<Hessian, Key<rosenbrock>, AutoSource>>();
    is_send::<Prep<Gradient, Key<rosenbrock>, AutoDual>>();
    is_send::<Prep<Gradient, Key<rosenbrock>, AutoFiniteDiff>>();
    // Ambiguous, hence no compilation, if a prep were `Sync`.
    assert!(<Prep<Gradient, Key<rosenbrock>, AutoSource> as NotSync<
        _,
    >>::holds());
    assert!(<Prep<Gradient, Key<rosenbrock>, AutoDual> as NotSync<_>>::holds());
}

#[test]
fn bound_handles_are_copy_send_and_sync() {
    fn goes<T: Copy + Send + Sync>(_: T) {}
    goes(rosenbrock::AD);
    goes(springs::AD.with(1.0, &[0.0]));
    is_sync::<AutoSource>();
}

#[test]
fn cloned_preps_give_the_serial_result() {
    let b = AutoSource::new();
    let points: Vec<Vec<f64>> = (0..64).map(|k| vec![0.1 * k as f64, 1.0, -0.5]).collect();
    let prep = prepare_gradient(rosenbrock::AD, &b, &points[0]).unwrap();
    let serial: Vec<Vec<f64>> = points
        .iter()
        .map(|x| gradient(rosenbrock::AD, &prep, &b, x).unwrap())
        .collect();
    let parallel: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let workers: Vec<_> = points
            .chunks(16)
            .map(|points| {
                let prep = prep.clone();
                scope.spawn(move || {
                    let each = points.iter();
                    each.map(|x| gradient(rosenbrock::AD, &prep, &b, x).unwrap())
                        .collect::<Vec<_>>()
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

#[test]
fn one_bound_function_serves_many_threads() {
    let b = AutoSource::new();
    let force = [0.0; 2];
    let f = springs::AD.with(2.0, &force);
    let mut y = vec![0.0; 3];
    let prep = prepare_jacobian(f.output(&mut y), &b, &[0.0; 3]).unwrap();
    std::thread::scope(|scope| {
        for k in 0..4 {
            let prep = prep.clone();
            scope.spawn(move || {
                let mut y = [0.0; 3];
                let x = [0.0, k as f64, 0.0];
                let j = jacobian(f.output(&mut y), &prep, &b, &x).unwrap();
                assert_eq!(j[[0, 1]], 6.0 * (k * k) as f64);
            });
        }
    });
}
