//! Criterion benches of the operators on the small cases: absolute times, for one machine and one day.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use di::prelude::*;
use di_benches::cases::{direction, input, rosenbrock, sumsq};
use std::hint::black_box;

const SIZES: [usize; 3] = [10, 100, 1000];

fn gradients(criterion: &mut Criterion) {
    let backend = AutoSource::new();
    let mut group = criterion.benchmark_group("value_and_gradient");
    for n in SIZES {
        let x = &input(n)[..];
        let mut g = vec![0.0; n];
        let prep = prepare_gradient(sumsq::sumsq::AD, &backend, x).expect("x has any length");
        group.bench_function(BenchmarkId::new("sumsq", n), |b| {
            b.iter(|| {
                value_and_gradient_into(sumsq::sumsq::AD, &mut g, &prep, &backend, black_box(x))
            });
        });
        let f = rosenbrock::rosenbrock::AD;
        let prep = prepare_gradient(f, &backend, x).expect("x has two entries or more");
        group.bench_function(BenchmarkId::new("rosenbrock", n), |b| {
            b.iter(|| value_and_gradient_into(f, &mut g, &prep, &backend, black_box(x)));
        });
    }
    group.finish();
}

fn hessian_products(criterion: &mut Criterion) {
    let backend = AutoSource::new();
    let f = rosenbrock::rosenbrock::AD;
    let mut group = criterion.benchmark_group("hvp");
    for n in SIZES {
        let (x, v) = (&input(n)[..], &direction(n)[..]);
        let mut h = vec![0.0; n];
        let prep = prepare_hvp(f, &backend, x, v).expect("x and v have two entries or more");
        group.bench_function(BenchmarkId::new("rosenbrock", n), |b| {
            b.iter(|| hvp_into(f, &mut h, &prep, &backend, black_box(x), black_box(v)));
        });
    }
    group.finish();
}

criterion_group!(benches, gradients, hessian_products);
criterion_main!(benches);
