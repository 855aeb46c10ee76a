//! ODE integrators. Refused: each with what the compiler says.

// E0277 `[f64; 3]` is not a differentiable type
// E0080 [DI0125] `State` is an alias of a type with floats, which nobody sees through here
/// Lorenz system on fixed arrays, Heun's method.
mod lorenz_heun {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type State = [f64; 3];

    #[derive(Clone, Debug, Differentiable)]
    struct Params {
        sigma: f64,
        rho: f64,
        beta: f64,
    }

    #[differentiable]
    fn lorenz(s: &State, p: &Params) -> State {
        let [x, y, z] = *s;
        [p.sigma * (y - x), x * (p.rho - z) - y, x * y - p.beta * z]
    }

    #[differentiable]
    fn add_scaled(a: &State, k: &State, h: f64) -> State {
        let mut out = *a;
        for i in 0..3 {
            out[i] += h * k[i];
        }
        out
    }

    #[differentiable]
    pub fn integrate(x: &[f64; 6], n: usize) -> [f64; 3] {
        let p = Params { sigma: x[3], rho: x[4], beta: x[5] };
        let mut s = [x[0], x[1], x[2]];
        let h = 0.02;
        for _ in 0..n {
            let k1 = lorenz(&s, &p);
            let k2 = lorenz(&add_scaled(&s, &k1, h), &p);
            s = add_scaled(&add_scaled(&s, &k1, 0.5 * h), &k2, 0.5 * h);
        }
        s
    }

    #[test]
    fn lorenz_heun() {
        vector!(integrate, (10), &[1.0, 0.5, 1.2, 3.0, 2.8, 2.6]);
    }
}
