//! Quadrature, with functions as parameters. Refused: each with what the compiler says.

// [DI0108] functions as parameters are not supported
// E0080 [DI0205] a closure can only be bound to a name, called, or given to a method of an iterator
/// Rules as an enum, integrator as a struct with a method that takes a closure; inline module.
mod rule_enum {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod quad {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule {
            Midpoint,
            Trapezoid,
            Simpson,
        }

        #[derive(Clone, Debug)]
        pub struct Integrator {
            pub rule: Rule,
            pub cells: usize,
        }

        impl Integrator {
            fn cell(&self, f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
                let m = 0.5 * (a + b);
                match self.rule {
                    Rule::Midpoint => (b - a) * f(m),
                    Rule::Trapezoid => 0.5 * (b - a) * (f(a) + f(b)),
                    Rule::Simpson => (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b)),
                }
            }

            fn integrate(&self, f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
                let h = (b - a) / self.cells as f64;
                let mut sum = 0.0;
                for i in 0..self.cells {
                    let lo = a + i as f64 * h;
                    sum += self.cell(&f, lo, lo + h);
                }
                sum
            }
        }

        pub fn drag_work(x: &[f64], q: &Integrator) -> f64 {
            let (c, v0, k) = (x[0], x[1], x[2]);
            let speed = |s: f64| v0 * (-k * s).exp() + 0.1;
            q.integrate(|s| c * speed(s).powi(2), 0.0, 2.0)
        }
    }

    #[test]
    fn rule_enum() {
        for rule in [quad::Rule::Midpoint, quad::Rule::Trapezoid, quad::Rule::Simpson] {
            scalar!(quad::drag_work, (&quad::Integrator { rule, cells: 8 }), &[0.6, 1.5, 0.8]);
        }
    }
}
