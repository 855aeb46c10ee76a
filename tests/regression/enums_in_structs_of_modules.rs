//! In an annotated module, an enum with floats that no function made of what varies was a constant, also in a struct
//! that varies: its part of the gradient was the value of `x`.

use di::prelude::*;

#[differentiable]
mod model {
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Curve {
        Smooth { a: f64 },
        Knife(usize),
        Table(Vec<f64>),
    }

    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct Fleet {
        pub(crate) curve: Curve,
        pub(crate) gears: Vec<Curve>,
        pub(crate) effort: f64,
    }

    fn caught(curve: &Curve) -> f64 {
        match curve {
            Curve::Smooth { a } => a * a * a,
            Curve::Knife(n) => *n as f64,
            Curve::Table(t) => t.iter().map(|t| t * t).sum(),
        }
    }

    pub(crate) fn landed(fleet: &Fleet) -> f64 {
        let gears: f64 = fleet.gears.iter().map(caught).sum();
        fleet.effort * caught(&fleet.curve) + gears
    }

    // data: all that is made of it is constant
    pub(crate) enum Law {
        Linear(f64),
        Off,
    }

    pub(crate) fn under(x: &[f64], #[constant] law: &Law) -> f64 {
        match law {
            Law::Linear(k) => k * x[0] * x[0],
            Law::Off => 0.0,
        }
    }
}

use model::{Curve, Fleet, Law};

#[test]
fn enums_are_derived_with_the_structs_around_them() -> Result<(), di::Error> {
    let fleet = |curve, effort, gears| Fleet {
        curve,
        gears,
        effort,
    };
    let gears = vec![Curve::Table(vec![1.0, 3.0]), Curve::Knife(2)];
    let x = fleet(Curve::Smooth { a: 5.0 }, 2.0, gears);
    let expected = fleet(
        Curve::Smooth { a: 150.0 },
        125.0,
        vec![Curve::Table(vec![2.0, 6.0]), Curve::Knife(2)],
    );
    let backend = AutoSource::new();
    for backend in [backend.forward(), backend.reverse()] {
        let (y, g) = value_and_gradient(model::landed::AD, NoPrep, &backend, &x)?;
        assert_eq!((y, &g), (262.0, &expected));
    }
    Ok(())
}

#[test]
fn enums_of_constants_stay_constants() -> Result<(), di::Error> {
    let backend = AutoSource::new();
    for (law, expected) in [(Law::Linear(3.0), 12.0), (Law::Off, 0.0)] {
        let g = gradient(model::under::AD.with(&law), NoPrep, &backend, &[2.0])?;
        assert_eq!(g, [expected]);
    }
    Ok(())
}
