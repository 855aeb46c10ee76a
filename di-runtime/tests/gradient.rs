//! `gradient` of numbers, vectors, arrays, structs and tuples, by every backend.

mod by_hand;

use by_hand::rosenbrock;
use di_runtime::backends::AutoSource;
use di_runtime::operators::{gradient, prepare_gradient};
use di_runtime::prep::NoPrep;

#[test]
fn infers() {
    let backend = AutoSource::new();
    let x = vec![1.0, 2.0];
    let prep = prepare_gradient(rosenbrock::AD, &backend, &x).unwrap();
    let g = gradient(rosenbrock::AD, &prep, &backend, &x).unwrap();
    assert_eq!(g, [-400.0, 200.0]);
    let g = gradient(rosenbrock::AD, NoPrep, &backend, &[1.0, 2.0]).unwrap();
    assert_eq!(g, [-400.0, 200.0]);
    let g = gradient(rosenbrock::AD, &prep, &backend, &ndarray::array![1.0, 2.0]).unwrap();
    assert_eq!(g, ndarray::array![-400.0, 200.0]);
    let g = gradient(rosenbrock::AD, &NoPrep, &backend, &x[..]).unwrap();
    assert_eq!(g, [-400.0, 200.0]);
    let e = gradient(rosenbrock::AD, &prep, &backend, &[1.0; 3]).unwrap_err();
    println!("{e}");
    let e = gradient(rosenbrock::AD, &prep, &backend.forward(), &[1.0; 3]).unwrap_err();
    println!("{e}");
}
