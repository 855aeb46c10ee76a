//! Constants of the module, of every shape.

use di::prelude::*;

use crate::{agrees, close};

#[overloaded]
mod model {
    pub type Real = f64;
    pub type Point = [Real; 2];

    const HALF: f64 = 0.5;
    const RATE: Real = HALF * 3.0 - 1e-3;
    const NEGATIVE: f64 = -RATE;
    const WHOLE: f64 = 7 as f64 / 2.0;
    const COUNT: usize = 4;
    const OF_COUNT: f64 = COUNT as f64 + f64::EPSILON;
    const LIMIT: f64 = f64::MAX;
    const STEP: f64 = if COUNT > 3 { 0.25 } else { 0.75 };
    const CALLED: f64 = squared(HALF) + 1.0;

    const fn squared(v: f64) -> f64 {
        v * v
    }

    pub fn numbers(x: &[f64]) -> f64 {
        let all = x[0] * HALF + RATE * x[1] + NEGATIVE * x[0] * x[1] + WHOLE + CALLED;
        if x[0] > LIMIT {
            0.0
        } else {
            all.powf(OF_COUNT) * STEP
        }
    }

    const WEIGHTS: [f64; 3] = [0.5, -1.0, RATE];
    const ZEROS: [f64; COUNT] = [0.0; COUNT];
    const GRID: [[f64; 2]; 2] = [[1.0, HALF], [WHOLE, -2.0]];
    const SLICE: &[f64] = &[1.0, 2.0, HALF * 2.5];
    const PAIRS: &[(f64, usize)] = &[(0.5, 1), (-HALF, 0)];
    const NAMED: [(&str, f64); 2] = [("first", 1.5), ("second", 2.5)];
    const CUBE: [[[f64; 1]; 2]; 2] = [[[1.0], [2.0]], [[3.0], [RATE]]];
    const MAYBE: Option<f64> = Some(0.75);
    const NOTHING: Option<f64> = None;
    const CORNERS: [Point; 2] = [[0.0, 1.0], [HALF, RATE]];

    pub fn tables(x: &[f64]) -> f64 {
        let mut sum = ZEROS[3];
        for (k, v) in x.iter().enumerate() {
            sum += WEIGHTS[k] * v + SLICE[k] * v * v;
            sum *= CUBE[1][k % 2][0];
        }
        for &(w, k) in PAIRS {
            sum += w * x[k].exp();
        }
        for (name, v) in &NAMED {
            sum += v * x[name.len() - 5];
        }
        let [a, b] = CORNERS[1];
        sum + GRID[1][0] * x[0] * GRID[0][1]
            + MAYBE.unwrap_or(1.0) * x[1]
            + NOTHING.map_or(a, |v| v * b)
    }

    #[derive(Clone, Copy)]
    pub struct Material {
        stiffness: f64,
        density: f64,
        layers: usize,
    }

    impl Material {
        pub const SCALE: f64 = 2.5 * HALF;
        const UNIT: Material = Material {
            stiffness: 1.0,
            density: 1.0,
            layers: 1,
        };
        const STEEL: Self = Self {
            stiffness: 210.0,
            density: 7.8 * HALF,
            ..Self::UNIT
        };

        const fn new(stiffness: f64, layers: usize) -> Material {
            Material {
                stiffness,
                density: 1.0,
                layers,
            }
        }

        fn speed(&self, x: f64) -> f64 {
            (self.stiffness * x / self.density * Self::SCALE).sqrt() * self.layers as f64
        }
    }

    const COPPER: Material = Material {
        stiffness: 120.0 + HALF,
        density: 8.9,
        layers: 2,
    };
    const MADE: Material = Material::new(30.0, 3);
    const MATERIALS: [Material; 2] = [COPPER, Material::STEEL];
    static FIXED: f64 = 0.125 * HALF;
    static TABLE: [f64; 2] = [1.5, FIXED_BELOW];
    const FIXED_BELOW: f64 = 6.5;
    static NAMES: &[&str] = &["a", "bc"];
    static STATIC_MATERIAL: Material = Material {
        stiffness: 2.0 * HALF,
        density: 0.5,
        layers: 1,
    };

    pub fn structs(x: &[f64]) -> f64 {
        let all: f64 = MATERIALS.iter().map(|m| m.speed(x[0])).sum();
        let fixed = FIXED * x[1] + TABLE[1] * x[0] + NAMES[1].len() as f64 * x[1];
        all * x[1]
            + MADE.speed(x[1])
            + Material::UNIT.speed(x[0])
            + STATIC_MATERIAL.speed(x[1]) * fixed
    }

    pub trait Gas {
        const GAMMA: f64;
        const R: f64 = 8.25 * HALF;
        fn pressure(density: f64) -> f64 {
            Self::R * density.powf(Self::GAMMA)
        }
    }

    struct Air;

    impl Gas for Air {
        const GAMMA: f64 = 7.0 / 5.0;
    }

    struct Helium;

    impl Gas for Helium {
        const GAMMA: f64 = 5.0 / 3.0;
        const R: f64 = 2.0 * <Air as Gas>::R;
    }

    pub fn associated(x: &[f64]) -> f64 {
        fn mixed<G: Gas>(v: f64) -> f64 {
            G::pressure(v) * G::GAMMA
        }
        mixed::<Air>(x[0]) + mixed::<Helium>(x[1]) * Material::SCALE
    }

    pub fn local(x: &[f64]) -> f64 {
        const SHIFT: f64 = 0.5 * 3.0;
        const KNOTS: [f64; 3] = [0.0, SHIFT, 2.0 * SHIFT];
        static BASE: [[f64; 2]; 1] = [[0.5, SHIFT]];
        const N: usize = KNOTS.len() + 1;
        let inner = {
            const SHIFT: f64 = 10.0;
            SHIFT * x[0]
        };
        let mut sum = inner + N as f64;
        for k in KNOTS {
            sum += (x[1] - k).powi(2) * BASE[0][1];
        }
        sum * const { 2.0 * 0.25 }
    }
}

#[test]
fn arithmetic_of_constants_is_done_on_floats() {
    agrees!(model::numbers::AD, model::numbers, [[0.4, 0.9], [1.7, 1.4]]);
}

#[test]
fn tables_of_constants_become_those_of_the_copy() {
    agrees!(model::tables::AD, model::tables, [[0.4, 0.9], [-0.7, 1.4]]);
}

#[test]
fn structs_are_constants() {
    agrees!(model::structs::AD, model::structs, [[0.4, 0.9], [1.7, 1.4]]);
}

#[test]
fn types_and_traits_have_constants() {
    agrees!(
        model::associated::AD,
        model::associated,
        [[0.4, 0.9], [1.7, 1.4]]
    );
    let g = gradient(model::associated::AD, NoPrep, &AutoTape::new(), &[1.0, 1.0]).unwrap();
    let (air, helium) = (7.0 / 5.0, 5.0 / 3.0);
    close(
        "gradient",
        &g,
        &[4.125 * air * air, 8.25 * helium * helium * 1.25],
    );
}

#[test]
fn functions_have_constants() {
    agrees!(model::local::AD, model::local, [[0.4, 0.9], [1.7, 1.4]]);
}
