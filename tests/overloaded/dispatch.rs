//! Functions as values: closures, function pointers, objects of traits.

use di::prelude::*;

use crate::{agrees, close};

#[overloaded]
mod model {
    use std::collections::HashMap;
    use std::rc::Rc;

    pub fn named(x: &[f64]) -> f64 {
        let scale = x[0];
        let mut by_name: HashMap<String, Box<dyn Fn(f64) -> f64>> = HashMap::new();
        by_name.insert("square".to_string(), Box::new(|v| v * v));
        by_name.insert("scaled".to_string(), Box::new(move |v| scale * v.exp()));
        by_name.insert("sine".to_string(), Box::new(f64::sin));
        by_name["square"](x[1]) + by_name["scaled"](x[1]) * by_name["sine"](x[0])
    }

    fn cube(v: f64) -> f64 {
        v * v * v
    }

    /// Two functions: one that the module has, and one of std.
    #[derive(Clone, Copy)]
    struct Layer {
        bend: fn(f64) -> f64,
        join: fn(f64, f64) -> f64,
        weight: f64,
    }

    const LAYERS: [fn(f64) -> f64; 3] = [f64::tanh, cube, |v| 0.5 * v];

    pub fn pointers(x: &[f64]) -> f64 {
        let layers = [
            Layer {
                bend: cube,
                join: f64::hypot,
                weight: x[0],
            },
            Layer {
                bend: f64::exp,
                join: f64::max,
                weight: 0.5,
            },
        ];
        let start = LAYERS.iter().fold(x[1], |v, layer| layer(v) + v);
        layers.iter().fold(start, |v, layer| {
            (layer.join)((layer.bend)(v), layer.weight)
        })
    }

    pub trait Shape {
        const SIDES: usize;
        fn area(&self) -> f64;
        fn doubled(&self) -> f64 {
            2.0 * self.area() + Self::SIDES as f64
        }
    }

    struct Disk {
        radius: f64,
    }

    impl Shape for Disk {
        const SIDES: usize = 0;
        fn area(&self) -> f64 {
            std::f64::consts::PI * self.radius.powi(2)
        }
    }

    struct Rectangle(f64, f64);

    impl Shape for Rectangle {
        const SIDES: usize = 4;
        fn area(&self) -> f64 {
            self.0 * self.1
        }
        fn doubled(&self) -> f64 {
            self.area() + self.area()
        }
    }

    fn total(shapes: &[&impl Shape]) -> f64 {
        shapes.iter().map(|shape| shape.doubled()).product()
    }

    pub fn shapes(x: &[f64]) -> f64 {
        let disks = [&Disk { radius: x[0] }, &Disk { radius: x[1] }];
        total(&disks) + total(&[&Rectangle(x[0], x[1])])
    }

    pub trait Term {
        fn value(&self, at: f64) -> f64;
        fn boxed(&self) -> Box<dyn Term>;
    }

    #[derive(Clone)]
    struct Power(i32);

    #[derive(Clone)]
    struct Scaled(f64, Rc<dyn Term>);

    impl Term for Power {
        fn value(&self, at: f64) -> f64 {
            at.powi(self.0)
        }
        fn boxed(&self) -> Box<dyn Term> {
            Box::new(self.clone())
        }
    }

    impl Term for Scaled {
        fn value(&self, at: f64) -> f64 {
            self.0 * self.1.value(at)
        }
        fn boxed(&self) -> Box<dyn Term> {
            Box::new(self.clone())
        }
    }

    fn term(k: usize, factor: f64) -> Box<dyn Term> {
        match k {
            0 => Box::new(Power(2)),
            _ => Scaled(factor, Rc::new(Power(k as i32 + 2))).boxed(),
        }
    }

    pub fn objects(x: &[f64]) -> f64 {
        let terms: Vec<Box<dyn Term>> = x.iter().enumerate().map(|(k, &v)| term(k, v)).collect();
        terms.iter().map(|term| term.value(x[0] + 0.5)).sum()
    }

    fn composed<'a>(
        f: impl Fn(f64) -> f64 + 'a,
        g: Box<dyn Fn(f64) -> f64 + 'a>,
    ) -> impl Fn(f64) -> f64 + 'a {
        move |v| g(f(v))
    }

    fn newton(f: &dyn Fn(f64) -> f64, slope: impl Fn(f64) -> f64, mut at: f64) -> f64 {
        for _ in 0..30 {
            at -= f(at) / slope(at);
        }
        at
    }

    /// The cube root of the product, by iterations.
    pub fn root(a: f64, b: f64) -> f64 {
        let target = composed(|v| v * b, Box::new(|v| v + 0.0))(a);
        newton(&|v| v * v * v - target, |v| 3.0 * v * v, 1.0)
    }

    pub fn counted(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        let mut add = |v: f64| {
            sum += v * v;
            sum
        };
        let first = add(x[0]);
        let second = add(x[1]);
        let once: Box<dyn FnOnce() -> f64> = Box::new(move || first * second);
        once() + sum
    }
}

#[test]
fn closures_are_kept_in_maps() {
    agrees!(model::named::AD, model::named, [[0.3, 0.7], [-1.2, 0.4]]);
    agrees!(
        model::counted::AD,
        model::counted,
        [[0.3, 0.7], [-1.2, 0.4]]
    );
    // (a x)^2 is by the closed form
    let g = gradient(model::named::AD, NoPrep, &AutoTape::new(), &[0.3, 0.7]).unwrap();
    let (s, c, e) = (0.3_f64.sin(), 0.3_f64.cos(), 0.7_f64.exp());
    close("gradient", &g, &[e * s + 0.3 * e * c, 1.4 + 0.3 * e * s]);
}

#[test]
fn functions_are_called_by_pointers() {
    agrees!(
        model::pointers::AD,
        model::pointers,
        [[0.3, 0.2], [1.2, -0.4]]
    );
}

#[test]
fn traits_are_of_the_copy() {
    agrees!(model::shapes::AD, model::shapes, [[0.3, 0.7], [1.2, 2.4]]);
    agrees!(
        model::objects::AD,
        model::objects,
        [[0.3, 0.7, -0.2], [1.2, 2.4, 0.1]]
    );
}

#[test]
fn functions_are_given_to_functions() {
    let x = (1.7, 2.9);
    let root = f64::cbrt(1.7 * 2.9);
    for _ in 0..2 {
        let (y, g) = value_and_gradient(model::root::AD, NoPrep, &AutoTape::new(), &x).unwrap();
        close(
            "root",
            &[y, g.0, g.1],
            &[root, root / 3.0 / 1.7, root / 3.0 / 2.9],
        );
        let (y, g) = value_and_gradient(model::root::AD, NoPrep, &AutoDual::new(), &x).unwrap();
        close(
            "root",
            &[y, g.0, g.1],
            &[root, root / 3.0 / 1.7, root / 3.0 / 2.9],
        );
    }
}
