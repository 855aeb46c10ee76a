//! ODE integrators. Refused: each with what the compiler says.

// 168 E0277 `[f64; 3]` is not a differentiable type
// 174 E0277 `[f64; 3]` is not a differentiable type
// 168 E0080 [DI0125] `State` is an alias of a type with floats, which nobody sees through here
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

// 272 E0080 [DI0114] `&mut Vec<f64>` is not supported as a parameter
// 296 E0599 no associated item named `__CONSTANT` found for struct `butcher_table::step` in the current scope
/// Butcher tableau in constants, generic explicit stages.
mod butcher_table {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const A: [[f64; 4]; 4] = [
        [0.0, 0.0, 0.0, 0.0],
        [1.0 / 3.0, 0.0, 0.0, 0.0],
        [-1.0 / 3.0, 1.0, 0.0, 0.0],
        [1.0, -1.0, 1.0, 0.0],
    ];
    const B: [f64; 4] = [0.125, 0.375, 0.375, 0.125];
    const C: [f64; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

    #[differentiable]
    fn duffing(t: f64, y: &[f64], p: &[f64]) -> Vec<f64> {
        let force = p[3] * (1.2 * t).cos();
        vec![y[1], force - p[0] * y[1] - p[1] * y[0] - p[2] * y[0].powi(3)]
    }

    #[differentiable]
    fn step(t: f64, y: &mut Vec<f64>, p: &[f64], h: f64) {
        let mut k = Vec::new();
        for s in 0..4 {
            let mut ys = y.clone();
            for j in 0..s {
                let kj: &Vec<f64> = &k[j];
                for i in 0..ys.len() {
                    ys[i] += h * A[s][j] * kj[i];
                }
            }
            k.push(duffing(t + C[s] * h, &ys, p));
        }
        for (s, ks) in k.iter().enumerate() {
            for (yi, ki) in y.iter_mut().zip(ks) {
                *yi += h * B[s] * ki;
            }
        }
    }

    #[differentiable]
    pub fn displacement(x: &[f64], steps: usize) -> f64 {
        let mut y = vec![x[0], x[1]];
        let h = 2.0 / steps as f64;
        for n in 0..steps {
            step(n as f64 * h, &mut y, &x[2..], h);
        }
        y[0]
    }

    #[test]
    fn butcher_table() {
        scalar!(displacement, (16), &[0.5, 0.1, 0.3, 1.0, 0.7, 0.9]);
    }
}

// 527 E0080 [DI0106] a parameter needs a name
// 531 E0080 [DI0107] a tuple as a parameter is not supported
// 548 E0080 [DI0324] a tuple as an argument is not supported
/// Chemical oscillator (Brusselator) with shooting residual for periodicity, inline module.
mod brusselator_shooting {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        pub enum Method {
            Euler,
            Midpoint,
        }

        pub struct Setup {
            pub method: Method,
            pub steps: usize,
            pub name: String,
        }

        fn field((u, v): (f64, f64), a: f64, b: f64) -> (f64, f64) {
            (a + u * u * v - (b + 1.0) * u, b * u - u * u * v)
        }

        fn advance(s: (f64, f64), a: f64, b: f64, h: f64, method: &Method) -> (f64, f64) {
            let (du, dv) = field(s, a, b);
            match method {
                Method::Euler => (s.0 + h * du, s.1 + h * dv),
                Method::Midpoint => {
                    let mid = (s.0 + 0.5 * h * du, s.1 + 0.5 * h * dv);
                    let (du, dv) = field(mid, a, b);
                    (s.0 + h * du, s.1 + h * dv)
                }
            }
        }

        /// x = (u0, v0, period, a, b)
        pub fn residual(x: &[f64], #[constant] setup: &Setup) -> [f64; 2] {
            let h = x[2] / setup.steps as f64;
            let mut s = (x[0], x[1]);
            for _ in 0..setup.steps {
                s = advance(s, x[3], x[4], h, &setup.method);
            }
            [s.0 - x[0], s.1 - x[1]]
        }
    }

    #[test]
    fn brusselator_shooting() {
        let euler = model::Setup { method: model::Method::Euler, steps: 12, name: "euler".to_string() };
        let mid = model::Setup { method: model::Method::Midpoint, steps: 10, name: "midpoint".into() };
        let x = [1.0, 1.5, 1.4, 0.9, 1.6];
        vector!(model::residual, (&euler), &x);
        vector!(model::residual, (&mid), &x);
    }
}

// 582 E0080 [DI0205] a closure can only be bound to a name, called, or given to a method of an iterator
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

// E0446 private type `adaptive_heun_euler::Options` in public interface
/// Adaptive step control with an embedded pair: accept or reject in a while loop.
mod adaptive_heun_euler {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Options {
        rtol: f64,
        h0: f64,
        t_end: f64,
        max_steps: usize,
    }

    impl Default for Options {
        fn default() -> Self {
            Options {
                rtol: 1e-2,
                h0: 0.25,
                t_end: 1.0,
                max_steps: 200,
            }
        }
    }

    #[differentiable]
    fn logistic(y: f64, r: f64, k: f64) -> f64 {
        r * y * (1.0 - y / k)
    }

    #[differentiable]
    fn embedded(y: f64, h: f64, r: f64, k: f64) -> (f64, f64) {
        let k1 = logistic(y, r, k);
        let k2 = logistic(y + h * k1, r, k);
        let high = y + 0.5 * h * (k1 + k2);
        let low = y + h * k1;
        (high, (high - low).abs())
    }

    #[differentiable]
    pub fn solve(x: &[f64], #[constant] opt: &Options) -> f64 {
        let (y0, r, k) = (x[0], x[1], x[2]);
        let mut y = y0;
        let mut t = 0.0;
        let mut h = opt.h0;
        let mut count = 0;
        while t < opt.t_end - 1e-12 && count < opt.max_steps {
            if t + h > opt.t_end {
                h = opt.t_end - t;
            }
            let (next, err) = embedded(y, h, r, k);
            if err < opt.rtol {
                y = next;
                t += h;
                h *= 1.5;
            } else {
                h *= 0.5;
            }
            count += 1;
        }
        y
    }

    #[test]
    fn adaptive_heun_euler() {
        scalar!(solve, (&Options::default()), &[0.4, 1.3, 2.0]);
    }
}
