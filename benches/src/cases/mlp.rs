//! A perceptron with one hidden layer: `(w2 . tanh(W1 u + b1) + b2 - 1)^2`.

use di::prelude::*;

/// Hidden units.
pub const HIDDEN: usize = 32;
/// Inputs.
pub const INPUTS: usize = 32;

/// The annotated function, in its natural form. `w1` is by rows, one for each hidden unit.
#[differentiable]
pub fn mlp(w1: &[f64], b1: &[f64], w2: &[f64], b2: f64, #[constant] u: &[f64]) -> f64 {
    let n = u.len();
    let mut out = b2;
    for i in 0..b1.len() {
        let mut z = b1[i];
        for j in 0..n {
            z += w1[i * n + j] * u[j];
        }
        out += w2[i] * z.tanh();
    }
    (out - 1.0) * (out - 1.0)
}

/// The same with a first layer that is constant: what [`mlp`] with that layer fixed should cost.
#[differentiable]
pub fn outer(
    #[constant] w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: f64,
    #[constant] u: &[f64],
) -> f64 {
    let n = u.len();
    let mut out = b2;
    for i in 0..b1.len() {
        let mut z = b1[i];
        for j in 0..n {
            z += w1[i * n + j] * u[j];
        }
        out += w2[i] * z.tanh();
    }
    (out - 1.0) * (out - 1.0)
}

/// Parameters or a gradient of them: `w1`, `b1`, `w2`, `b2`.
#[derive(Clone)]
pub struct Weights {
    /// First layer, by rows.
    pub w1: Vec<f64>,
    /// Its offsets.
    pub b1: Vec<f64>,
    /// Second layer.
    pub w2: Vec<f64>,
    /// Its offset.
    pub b2: f64,
}

impl Weights {
    /// The parameters of the case: `0.1 sin(i)`.
    pub fn example() -> Self {
        let mut all = (0..).map(|i| 0.1 * f64::from(i).sin());
        let mut take = |n: usize| all.by_ref().take(n).collect::<Vec<f64>>();
        Weights {
            w1: take(HIDDEN * INPUTS),
            b1: take(HIDDEN),
            w2: take(HIDDEN),
            b2: take(1)[0],
        }
    }
}

/// The input of the case: `cos(j)`.
pub fn signal() -> Vec<f64> {
    (0..INPUTS).map(|j| (j as f64).cos()).collect()
}

/// The same, as one outlined function: what derivatives are timed against.
#[inline(never)]
pub fn primal(p: &Weights, u: &[f64]) -> f64 {
    mlp(&p.w1, &p.b1, &p.w2, p.b2, u)
}

/// Value and gradient by hand. `tanh` of the hidden layer is kept in `hidden`.
#[inline(never)]
pub fn value_and_gradient(p: &Weights, u: &[f64], g: &mut Weights, hidden: &mut [f64]) -> f64 {
    let n = u.len();
    let mut out = p.b2;
    for (i, row) in p.w1.chunks_exact(n).enumerate() {
        let mut z = p.b1[i];
        for (w, u) in row.iter().zip(u) {
            z += w * u;
        }
        hidden[i] = z.tanh();
        out += p.w2[i] * hidden[i];
    }
    let adjoint = 2.0 * (out - 1.0);
    g.b2 = adjoint;
    for (i, row) in g.w1.chunks_exact_mut(n).enumerate() {
        let y = hidden[i];
        g.w2[i] = adjoint * y;
        let z = adjoint * p.w2[i] * (1.0 - y * y);
        g.b1[i] = z;
        for (g, u) in row.iter_mut().zip(u) {
            *g = z * u;
        }
    }
    (out - 1.0) * (out - 1.0)
}

#[cfg(test)]
mod tests {
    use super::{HIDDEN, Weights, primal, signal, value_and_gradient};

    #[test]
    fn forms_by_hand_agree() {
        let (p, u) = (Weights::example(), signal());
        let mut g = p.clone();
        let value = value_and_gradient(&p, &u, &mut g, &mut [0.0; HIDDEN]);
        assert_eq!(value, primal(&p, &u));
        let h = 1e-6;
        let mut check = |part: fn(&mut Weights) -> &mut f64| {
            let at = |t: f64| {
                let mut p = p.clone();
                *part(&mut p) += t;
                primal(&p, &u)
            };
            let (fd, exact) = ((at(h) - at(-h)) / (2.0 * h), *part(&mut g));
            assert!((fd - exact).abs() <= 1e-8, "{fd}, {exact}");
        };
        check(|p| &mut p.w1[0]);
        check(|p| &mut p.w1[77]);
        check(|p| &mut p.b1[31]);
        check(|p| &mut p.w2[5]);
        check(|p| &mut p.b2);
    }
}
