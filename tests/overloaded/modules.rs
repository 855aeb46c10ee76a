//! Modules in modules, imports between them, derives, visibilities, floats of both widths, paths of the library.

use di::prelude::*;

use crate::{agrees, close};

/// What modules import.
mod helpers {
    pub(super) fn count(n: usize) -> usize {
        n + 1
    }

    #[derive(Clone, Copy, PartialEq)]
    pub(super) enum Side {
        Left,
        Right,
    }
}

#[overloaded]
mod nested {
    use super::helpers::{self, Side};

    const RATE: f64 = 0.5;

    fn outer(v: f64) -> f64 {
        v * RATE
    }

    mod inner {
        use super::*;

        pub const SCALE: f64 = 2.0 * RATE + 0.25;

        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub struct State {
            pub position: f64,
            pub velocity: f64,
        }

        pub mod deepest {
            use super::super::{RATE, outer};
            use super::State;
            use crate::modules::helpers::count;

            pub fn step(s: State) -> State {
                let n = count(1) as f64;
                State {
                    position: s.position + s.velocity * RATE,
                    velocity: outer(s.velocity) - s.position.sin() * n,
                }
            }

            pub(in super::super) fn up(v: f64) -> f64 {
                super::super::outer(v) * super::SCALE
            }
        }

        pub(super) fn run(start: State) -> State {
            (0..4).fold(start, |s, _| self::deepest::step(s))
        }
    }

    pub fn energy(x: &[f64]) -> f64 {
        let end = inner::run(inner::State {
            position: x[0],
            velocity: x[1],
        });
        let side = if end > inner::State::default() {
            Side::Right
        } else {
            Side::Left
        };
        let factor = if side == helpers::Side::Left {
            1.0
        } else {
            2.0
        };
        end.position * end.velocity * factor
            + inner::deepest::up(x[0])
            + super::helpers::count(2) as f64 * x[1]
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn tests_see_the_module_as_it_is_written() {
            let x: f64 = outer(2.0);
            assert_eq!(x, 1.0);
            assert_eq!(energy(&[0.0, 0.0]), 0.0);
        }
    }

    #[test]
    fn tests_may_stand_beside_functions() {
        assert_eq!(inner::SCALE.to_bits(), 1.25_f64.to_bits());
    }

    #[cfg(any())]
    pub fn absent(x: f64) -> NoSuchType {
        x
    }

    #[cfg(not(any()))]
    pub fn present(x: f64) -> f64 {
        #[cfg(any())]
        let x = no_such_value;
        x * x
    }
}

#[test]
fn modules_are_nested() {
    agrees!(
        nested::energy::AD,
        nested::energy,
        [[0.4, 0.9], [-0.7, -1.4]]
    );
    close(
        "derivative",
        &[derivative(nested::present::AD, NoPrep, &AutoTape::new(), &3.0).unwrap()],
        &[6.0],
    );
}

/// A library of types, and a module that imports its copy.
#[overloaded]
pub mod geometry {
    use std::ops::{Mul, Sub};

    #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
    pub struct Vec3 {
        pub x: f64,
        pub y: f64,
        pub z: f64,
    }

    impl Sub for Vec3 {
        type Output = Vec3;
        fn sub(self, o: Vec3) -> Vec3 {
            Vec3 {
                x: self.x - o.x,
                y: self.y - o.y,
                z: self.z - o.z,
            }
        }
    }

    impl Mul<f64> for Vec3 {
        type Output = Vec3;
        fn mul(self, s: f64) -> Vec3 {
            Vec3 {
                x: self.x * s,
                y: self.y * s,
                z: self.z * s,
            }
        }
    }

    impl Vec3 {
        pub const UP: Vec3 = Vec3 {
            x: 0.0,
            y: 0.0,
            z: 1.0,
        };

        pub fn norm(&self) -> f64 {
            dot(self, self).sqrt()
        }
    }

    pub fn dot(a: &Vec3, b: &Vec3) -> f64 {
        a.x * b.x + a.y * b.y + a.z * b.z
    }

    pub fn length(x: &[f64; 3]) -> f64 {
        Vec3 {
            x: x[0],
            y: x[1],
            z: x[2],
        }
        .norm()
    }
}

#[overloaded]
mod molecule {
    #[overloaded]
    use super::geometry::{Vec3, dot as product, length};

    #[derive(Debug, Clone)]
    struct Bond {
        from: Vec3,
        to: Vec3,
    }

    pub fn energy(x: &[f64]) -> f64 {
        let atoms: Vec<Vec3> = x
            .chunks_exact(3)
            .map(|c| Vec3 {
                x: c[0],
                y: c[1],
                z: c[2],
            })
            .collect();
        let bonds: Vec<Bond> = atoms
            .windows(2)
            .map(|w| Bond {
                from: w[0],
                to: w[1],
            })
            .collect();
        let stretch: f64 = bonds
            .iter()
            .map(|b| ((b.to - b.from).norm() - 1.0).powi(2))
            .sum();
        let along: f64 = bonds
            .iter()
            .map(|b| product(&(b.to * 0.5), &Vec3::UP))
            .sum();
        stretch + along * length(&[x[0], x[1], x[2]])
    }
}

#[test]
fn modules_import_from_copies() {
    agrees!(
        molecule::energy::AD,
        molecule::energy,
        [[0.4, 0.9, -0.3, 1.2, 0.1, 0.7]]
    );
    let g = gradient(
        geometry::length::AD,
        NoPrep,
        &AutoTape::new(),
        &[2.0, 3.0, 6.0],
    )
    .unwrap();
    close("gradient", &g, &[2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0]);
}

#[overloaded]
mod visible {
    #[derive(Clone)]
    pub(super) struct Hidden {
        pub(super) value: f64,
    }

    fn private(x: &[f64]) -> f64 {
        (x[0] * Hidden { value: x[1] }.value).sin()
    }

    pub(crate) fn of_crate(x: &[f64]) -> f64 {
        private(x) * 2.0
    }

    pub(super) fn of_parent(x: &[f64]) -> f64 {
        of_crate(x) + private(x)
    }
}

#[test]
fn functions_of_any_visibility_have_handles() {
    agrees!(visible::of_crate::AD, visible::of_crate, [[0.5, 2.0]]);
    agrees!(visible::of_parent::AD, visible::of_parent, [[0.5, 2.0]]);
}

#[overloaded]
mod single {
    use std::collections::HashMap;
    use std::f32::consts::PI;

    const HALF: f32 = 0.5;

    pub fn wave(x: &[f32]) -> f32 {
        let map: HashMap<usize, f32> = x.iter().copied().enumerate().collect();
        (PI * map[&0]).sin() * map[&1] + HALF * map[&0] * (x.len() as f32) + 0.25_f32
    }
}

#[test]
fn floats_may_be_single() {
    let x = [0.3_f32, 0.7];
    let angle = std::f32::consts::PI * 0.3;
    let expected = [angle.cos() * std::f32::consts::PI * 0.7 + 1.0, angle.sin()];
    for _ in 0..2 {
        let tape = gradient(single::wave::AD, NoPrep, &AutoTape::new(), &x).unwrap();
        let dual = gradient(single::wave::AD, NoPrep, &AutoDual::new(), &x).unwrap();
        for g in [tape, dual] {
            assert!(
                g.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6),
                "{g:?}"
            );
        }
    }
}

#[overloaded]
mod both {
    const TABLE: [f32; 3] = [0.5, 1.5, 2.5];
    const FINE: f64 = 0.125;

    fn looked_up(k: usize) -> f32 {
        TABLE[k % 3] * 2.0_f32 + 1f32
    }

    pub fn mixed(x: &[f64], #[constant] weights: &[f32]) -> f64 {
        let coarse: f32 = weights.iter().sum::<f32>() / 2f32;
        let rounded = (x[0] * 4.0) as usize;
        x[0] * f64::from(looked_up(rounded)) * FINE
            + x[1] * coarse as f64
            + f64::from(weights[0]) * x[1] * x[0]
    }
}

#[test]
fn single_floats_stay_beside_double_ones() {
    let weights = [0.5_f32, 1.5];
    let plain = |x: &[f64]| both::mixed(x, &weights);
    agrees!(
        both::mixed::AD.with(&weights),
        plain,
        [[0.4, 0.9], [0.7, -1.4]]
    );
}

/// The library by another name.
mod renamed {
    pub mod library {
        pub use ::di as inner;
    }

    use library::inner::overloaded;

    #[overloaded(crate = crate::modules::renamed::library::inner)]
    pub mod model {
        #[derive(Clone)]
        pub struct Point {
            pub at: [f64; 2],
        }

        pub fn f(p: &Point, scale: f64) -> f64 {
            let b: Box<dyn Fn(f64) -> f64> = Box::new(f64::exp);
            b(p.at[0]) * p.at[1] * scale
                + std::f64::consts::PI * scale as f64
                + (scale as i32) as f64
        }
    }

    #[overloaded(crate = crate::modules::renamed::library::inner)]
    pub fn lonely(x: f64) -> f64 {
        0.5 * x * x
    }
}

#[test]
fn the_library_may_have_another_path() {
    let x = (renamed::model::Point { at: [0.5, 2.0] }, 3.5);
    let g = gradient(renamed::model::f::AD, NoPrep, &AutoTape::new(), &x).unwrap();
    let e = 0.5_f64.exp();
    close(
        "gradient",
        &[g.0.at[0], g.0.at[1], g.1],
        &[7.0 * e, 3.5 * e, 2.0 * e + std::f64::consts::PI],
    );
    close(
        "derivative",
        &[derivative(renamed::lonely::AD, NoPrep, &AutoDual::new(), &3.0).unwrap()],
        &[3.0],
    );
}

/// Functions by themselves, with names that the macro could have used.
#[overloaded(handle = Length)]
fn length(x: &[f64]) -> f64 {
    struct Sum(f64);
    impl Sum {
        fn add(&mut self, v: &f64) {
            self.0 += v.powi(2);
        }
    }
    let mut __y = Sum(0.0);
    x.iter().for_each(|v| __y.add(v));
    __y.0.sqrt()
}

#[test]
fn handles_have_other_names() {
    agrees!(Length::AD, length, [[0.4, 0.9], [0.7, -1.4]]);
}

#[overloaded]
mod mixed_structs {
    #[derive(Clone, Copy)]
    pub struct Point {
        x: f64,
    }

    /// Is no parameter of handles, since it has both floats.
    pub struct Shot {
        time: f32,
        from: Point,
    }

    pub fn height(shot: &Shot) -> f64 {
        shot.from.x * f64::from(shot.time)
    }

    pub fn run(x: &[f64]) -> f64 {
        let from = Point { x: x[0] };
        height(&Shot {
            time: 0.5_f32,
            from,
        })
    }
}

#[test]
fn structs_of_both_floats_are_for_calls() {
    let g = gradient(mixed_structs::run::AD, NoPrep, &AutoTape::new(), &[3.0]).unwrap();
    assert_eq!(g, [0.5]);
}
