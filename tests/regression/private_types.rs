//! Handles of public functions named the types of their parameters where rustc wants public ones: E0446.

#![allow(
    unreachable_pub,
    clippy::needless_range_loop,
    reason = "the visibility under test"
)]

use di::prelude::*;

mod plant {
    use di::prelude::*;

    struct Model {
        k: f64,
        n: usize,
    }

    #[derive(Differentiable, Clone, Copy)]
    struct Gains {
        p: f64,
        d: f64,
    }

    pub struct Table<'a> {
        pub values: &'a [f64],
    }

    #[allow(private_interfaces, reason = "this is what is tested")]
    #[differentiable]
    pub fn energy(x: &[f64], model: &Model) -> f64 {
        let mut sum = 0.0;
        for i in 0..model.n {
            sum += x[i] * x[i] * model.k;
        }
        sum
    }

    #[allow(private_interfaces, reason = "this is what is tested")]
    #[differentiable]
    pub fn damped(gains: &Gains, x: &[f64], model: &Model) -> f64 {
        gains.p * gains.d * energy(x, model)
    }

    /// Everything that it names is public.
    #[differentiable]
    pub fn first(x: &[f64], table: &Table<'_>) -> f64 {
        x[0] * x[1] * table.values[0]
    }

    #[differentiable]
    pub(crate) type Pair = [f64; 2];

    /// Written with an alias, of which nothing is left where the handle is implemented.
    #[differentiable]
    pub fn product(p: &Pair) -> f64 {
        p[0] * p[1]
    }

    #[test]
    fn operators_take_private_types_in_their_module() {
        let (model, x, backend) = (Model { k: 2.0, n: 2 }, [1.0, 2.0], AutoSource::new());
        let g = gradient(energy::AD.with(&model), NoPrep, &backend, &x).unwrap();
        assert_eq!(g, [4.0, 8.0]);
        let gains = Gains { p: 3.0, d: 4.0 };
        let of_x = damped::AD.with(&model).fix_gains(&gains);
        assert_eq!(gradient(of_x, NoPrep, &backend, &x).unwrap(), [48.0, 96.0]);
        let of_gains = damped::AD.with(&model).fix_x(&x);
        let g = gradient(of_gains, NoPrep, &backend, &gains).unwrap();
        assert_eq!((g.p, g.d), (40.0, 30.0));
    }
}

struct Problem<'a> {
    prep: GradientPrep<plant::first, AutoSource>,
    values: &'a [f64],
}

#[test]
fn preps_of_public_functions_are_kept_elsewhere() {
    let (values, x, backend) = ([7.0], [1.0, 2.0], AutoSource::new());
    let table = plant::Table { values: &values };
    let f = || plant::first::AD.with(&table);
    let problem = Problem {
        prep: prepare_gradient(f(), &backend, &x).unwrap(),
        values: &x,
    };
    let g = gradient(f(), &problem.prep, &backend, problem.values).unwrap();
    assert_eq!(g, [14.0, 7.0]);
}

#[test]
fn public_functions_are_written_with_aliases() {
    let backend = AutoSource::new();
    let g = gradient(plant::product::AD, NoPrep, &backend, &[2.0, 3.0]).unwrap();
    assert_eq!(g, [3.0, 2.0]);
}
