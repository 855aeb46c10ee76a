//! Control.

/// Augmented Lagrangian for a double integrator with terminal equality, vector of constraints.
mod augmented_lagrangian {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn terminal(u: &[f64]) -> (f64, f64) {
        let dt = 0.25;
        u.iter().fold((0.0, 0.0), |(p, v), a| {
            (p + dt * v + 0.5 * dt * dt * a, v + dt * a)
        })
    }

    #[differentiable]
    fn constraints(u: &[f64]) -> Vec<f64> {
        let (p, v) = terminal(u);
        vec![p - 1.0, v]
    }

    #[differentiable]
    pub fn lagrangian(u: &[f64], #[constant] multipliers: &[f64], #[constant] rho: f64) -> f64 {
        let effort: f64 = u.iter().map(|a| a * a + 0.1 * a.powi(4)).sum();
        let c = constraints(u);
        let penalty: f64 = c
            .iter()
            .zip(multipliers)
            .map(|(ci, l)| l * ci + 0.5 * rho * ci * ci)
            .sum();
        effort + penalty
    }

    #[test]
    fn augmented_lagrangian() {
        scalar!(lagrangian, (&[0.5, -0.3], 2.0), &[0.8, 0.5, -0.2, -0.6]);
        vector!(constraints, (), &[0.8, 0.5, -0.2, -0.6]);
    }
}
