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

// E0080 [DI0205] a closure can only be bound to a name, called, or given to a method of an iterator
/// Generic RK4 over the dimension of the state by const generics.
mod rk4_const_generic {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn coupled<const N: usize>(y: [f64; N], k: f64) -> [f64; N] {
        let mut d = [0.0; N];
        for i in 0..N {
            let left = y[(i + N - 1) % N];
            let right = y[(i + 1) % N];
            d[i] = k * (left - y[i]).sin() + k * (right - y[i]).sin() + 0.1 * i as f64;
        }
        d
    }

    #[differentiable]
    fn shift<const N: usize>(y: [f64; N], k: [f64; N], h: f64) -> [f64; N] {
        std::array::from_fn(|i| y[i] + h * k[i])
    }

    #[differentiable]
    fn rk4<const N: usize>(y: [f64; N], p: f64, h: f64) -> [f64; N] {
        let k1 = coupled(y, p);
        let k2 = coupled(shift(y, k1, h / 2.0), p);
        let k3 = coupled(shift(y, k2, h / 2.0), p);
        let k4 = coupled(shift(y, k3, h), p);
        let mut z = y;
        for i in 0..N {
            z[i] += h * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0;
        }
        z
    }

    #[differentiable]
    pub fn order_parameter(x: &[f64], steps: usize) -> f64 {
        let mut phase = [x[0], x[1], x[2], x[3], x[4]];
        for _ in 0..steps {
            phase = rk4(phase, x[5], 0.1);
        }
        let c = phase.iter().map(|a| a.cos()).sum::<f64>() / 5.0;
        let s = phase.iter().map(|a| a.sin()).sum::<f64>() / 5.0;
        (c * c + s * s).sqrt()
    }

    #[test]
    fn rk4_const_generic() {
        scalar!(order_parameter, (8), &[0.1, 0.9, 1.4, 0.4, 2.0, 0.8]);
    }
}
