//! Methods and operators of a type of another file.

pub(crate) mod matrix;
pub(crate) mod space;

use crate::imported::space::Point;
use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[derive(Clone, Debug, Differentiable)]
struct Planet {
    at: Point,
    speed: Point,
    mass: f64,
}

/// The type of the fields is not named here.
#[differentiable]
fn energy(planets: &[Planet]) -> f64 {
    let mut sum = 0.0;
    for (k, p) in planets.iter().enumerate() {
        sum += 0.5 * p.mass * p.speed.dot(p.speed);
        for q in &planets[..k] {
            let r = (p.at - q.at) * 2.0;
            sum -= p.mass * q.mass / (r.dot(r) + 0.1).sqrt();
        }
    }
    sum
}

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let (a, b) = (Point { x: x[0], y: x[1] }, Point { x: x[2], y: 0.3 });
    let mid = 0.5 * (a + b) - -a.turned() * x[2];
    let [u, v] = mid.parts();
    let planets = [
        Planet {
            at: a,
            speed: mid,
            mass: x[1],
        },
        Planet {
            at: b,
            speed: b - a,
            mass: 1.5,
        },
    ];
    energy(&planets) + u * v + a.dot(b) * x[0]
}

/// Types by another name, by their paths, and in annotated modules.
mod renamed {
    use super::space::{self, Bend, Point as Corner};
    use di::prelude::*;

    /// A method of an enum of another file, whose argument is differentiated.
    #[differentiable]
    pub(super) fn bent(x: &[f64], #[constant] bend: Bend) -> f64 {
        bend.at(x[0] * x[1]) * x[2]
    }

    #[differentiable]
    fn area(corners: &[Corner]) -> f64 {
        let mut sum = 0.0;
        for pair in corners.windows(2) {
            let turned = pair[0].turned();
            sum += 0.5 * turned.dot(pair[1]);
        }
        sum
    }

    #[differentiable]
    pub(super) fn surveyed(x: &[f64]) -> f64 {
        let first = space::Point { x: x[0], y: x[1] };
        let second = first * x[2] - space::Point { x: 0.4, y: x[1] };
        let corners = [first, first + second, -second];
        area(&corners) * first.dot(second)
    }

    #[differentiable]
    pub(super) mod plots {
        use super::space::{Bend as Curve, Point};

        pub(crate) fn curved(x: &[f64], curve: Curve) -> f64 {
            let way = curve.at(x[0] + x[1]);
            way * x[2]
        }

        /// What a surveyor saw.
        pub(crate) enum Mark {
            Stone(usize, Point),
            Line { from: usize, to: usize, length: f64 },
            Lost,
        }

        pub(crate) struct Plot {
            corners: [Point; 2],
        }

        impl Plot {
            fn shift(&self, k: usize, by: Point) -> Point {
                self.corners[k] - by
            }
        }

        fn plot(x: &[f64]) -> Plot {
            let at = |k: usize| Point { x: x[k], y: x[2] };
            Plot {
                corners: [at(0), at(1)],
            }
        }

        pub(crate) fn misfit(x: &[f64], #[constant] marks: &[Mark]) -> f64 {
            let plot = plot(x);
            let mut sum = 0.0;
            for mark in marks {
                sum += match mark {
                    Mark::Stone(k, p) => (plot.corners[*k] - *p).dot(plot.shift(*k, *p)),
                    Mark::Line { from, to, length } => {
                        let d = plot.corners[*from] - plot.corners[*to];
                        (d.dot(d) - length * length).powi(2)
                    }
                    Mark::Lost => x[0] * 0.1,
                };
            }
            sum
        }
    }
}

#[test]
fn types_by_other_names_and_paths() {
    use renamed::surveyed;
    scalar!(surveyed).row(297).check(&POINTS);
}

#[test]
fn enums_of_another_file() {
    use renamed::bent;
    use renamed::plots::curved;
    use space::Bend;
    for bend in [Bend::Straight, Bend::Round] {
        scalar!(bent::AD.with(bend), |x: &[f64]| bent(x, bend))
            .row(300)
            .check(&POINTS);
        scalar!(curved::AD.with(bend), |x: &[f64]| curved(x, bend))
            .row(300)
            .check(&POINTS);
    }
}

#[test]
fn data_in_variants() {
    use renamed::plots::{Mark, misfit};
    let marks = [
        Mark::Stone(0, Point { x: 0.3, y: 0.9 }),
        Mark::Line {
            from: 0,
            to: 1,
            length: 0.8,
        },
        Mark::Stone(1, Point { x: -0.2, y: 0.1 }),
        Mark::Lost,
    ];
    scalar!(misfit::AD.with(&marks), |x: &[f64]| misfit(x, &marks))
        .row(298)
        .check(&POINTS);
}

#[test]
fn methods_and_operators_of_another_file() {
    scalar!(moved).row(296).check(&POINTS);
}
