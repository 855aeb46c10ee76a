//! Methods and constants that blocks of single items leave to their trait.

use di::prelude::*;
use di_test::scalar;
use sections::Shape;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9], &[0.2, 0.37, 0.55]];

const SHEAR: f64 = 5.0 / 6.0;

trait Section {
    const MODES: usize = 2;

    fn area(&self) -> f64;

    fn factor(&self) -> f64 {
        SHEAR * self.area().sqrt()
    }

    fn stiffness(&self, length: f64) -> f64 {
        self.factor() / (length * length + Self::MODES as f64)
    }

    // no derivative of this is asked for
    fn table(&self) -> std::collections::BTreeMap<usize, f64> {
        (0..Self::MODES).map(|k| (k, self.area())).collect()
    }

    fn label(&self) -> String {
        format!("{:.3}", self.area())
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Rectangle {
    b: f64,
    h: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Tube {
    outer: f64,
    wall: f64,
}

#[differentiable]
impl Section for Rectangle {
    fn area(&self) -> f64 {
        self.b * self.h
    }
}

#[differentiable]
impl Section for Tube {
    const MODES: usize = 3;

    fn area(&self) -> f64 {
        self.outer.powi(2) - (self.outer - self.wall).powi(2)
    }

    fn factor(&self) -> f64 {
        self.wall.sin()
    }
}

#[differentiable]
fn tip<S: Section>(section: &S, length: f64) -> f64 {
    section.stiffness(length) + section.factor() * section.area()
}

#[differentiable]
fn of_both(x: &[f64]) -> f64 {
    let r = Rectangle { b: x[0], h: x[1] };
    let t = Tube {
        outer: x[1],
        wall: x[2],
    };
    tip(&r, x[2]) * tip(&t, x[0]) + r.stiffness(x[1]) + t.stiffness(x[0])
}

#[test]
fn left_by_blocks_of_single_items() {
    scalar!(of_both).row(316).check(&POINTS);
    let r = Rectangle { b: 2.0, h: 3.0 };
    assert_eq!((r.table()[&1], &*r.label()), (6.0, "6.000"));
}

mod sections {
    pub(super) trait Shape {
        fn side(&self) -> f64;

        fn around(&self, corners: usize) -> f64 {
            let mut sum = 0.0;
            for k in 0..corners {
                sum += self.side() * (1.0 + k as f64).sqrt();
            }
            sum
        }
    }
}

#[differentiable]
impl Shape for Rectangle {
    fn side(&self) -> f64 {
        self.b - self.h * self.b
    }
}

#[differentiable]
fn of_imported(x: &[f64]) -> f64 {
    let r = Rectangle { b: x[0], h: x[1] };
    r.around(3).sin() * r.side() + x[2]
}

#[test]
fn left_to_traits_of_other_modules() {
    scalar!(of_imported).row(316).check(&POINTS);
}

// ---- constants that borrow, in modules ----

#[differentiable]
mod tables {
    pub(super) struct Table<'a> {
        q: &'a [f64],
        r: f64,
    }

    impl<'a> Table<'a> {
        pub(super) fn new(q: &'a [f64], r: f64) -> Self {
            Table { q, r }
        }

        pub(super) fn at(&self, x: f64) -> f64 {
            self.q[0] * x + self.r * x * x
        }

        pub(super) fn set(&mut self, r: f64) {
            self.r = r;
        }
    }

    pub(super) fn looked_up(x: &[f64], table: &Table<'_>) -> f64 {
        table.at(x[0]) * x[1]
    }

    pub(super) fn made(x: &[f64], #[constant] q: &[f64]) -> f64 {
        let table = Table::new(q, 0.3);
        table.at(x[0]) * looked_up(x, &table) + x[2]
    }
}

#[differentiable]
fn of_tables(x: &[f64]) -> f64 {
    tables::made(x, &[0.2, 0.9])
}

#[test]
fn constants_that_borrow() {
    scalar!(of_tables).row(312).check(&POINTS);
    let q = [0.5];
    let mut table = tables::Table::new(&q, 0.1);
    table.set(2.0);
    assert_eq!(tables::looked_up(&[1.0, 2.0], &table), 5.0);
}

// ---- several traits of another module ----

mod laws {
    fn twice(x: f64) -> f64 {
        x * 2.0
    }

    pub(super) trait Base {
        fn scale(&self) -> f64;

        // this module alone knows what it calls
        fn doubled(&self) -> f64 {
            twice(self.scale())
        }
    }

    pub(super) trait Law: Base {
        const ORDER: usize = 2;

        fn rate(&self, c: &[f64]) -> f64;

        fn step(&self, c: &[f64], dt: f64) -> Vec<f64> {
            c.iter()
                .map(|v| v + dt * self.rate(c) * self.scale())
                .collect()
        }

        fn run(&self, c: &[f64], n: usize) -> f64 {
            let mut c = c.to_vec();
            for _ in 0..n {
                c = self.step(&c, 0.1);
            }
            c.iter().sum::<f64>() * Self::ORDER as f64
        }
    }
}

use laws::{Base as _, Law};

#[derive(Clone, Copy, Differentiable)]
struct Decay {
    k: f64,
}

#[differentiable]
impl laws::Base for Decay {
    fn scale(&self) -> f64 {
        self.k * self.k
    }
}

#[differentiable]
impl Law for Decay {
    fn rate(&self, c: &[f64]) -> f64 {
        -self.k * c[0]
    }
}

#[differentiable]
fn of_decay(x: &[f64]) -> f64 {
    let decay = Decay { k: x[0] };
    decay.run(&x[1..], 3) + decay.step(x, x[2])[1]
}

#[differentiable]
mod growing {
    use super::laws::{Base, Law};

    pub(super) struct Growth {
        r: f64,
    }

    impl Base for Growth {
        fn scale(&self) -> f64 {
            self.r.sin()
        }
    }

    impl Law for Growth {
        const ORDER: usize = 3;

        fn rate(&self, c: &[f64]) -> f64 {
            self.r * c[0] * c[1]
        }
    }

    pub(super) fn grown(x: &[f64]) -> f64 {
        let growth = Growth { r: x[0] };
        growth.run(&x[1..], 3)
    }
}

#[differentiable]
fn of_growth(x: &[f64]) -> f64 {
    growing::grown(x) * x[0]
}

#[test]
fn left_to_several_traits() {
    scalar!(of_decay).row(316).check(&POINTS);
    scalar!(of_growth).row(316).check(&POINTS);
    assert_eq!(Decay { k: 1.5 }.doubled(), 4.5);
}
