//! `sum of x[i]^2`.

use di::prelude::*;

/// The annotated function, in its natural form.
#[differentiable]
pub fn sumsq(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>()
}

/// The same, as one outlined function: what derivatives are timed against.
#[inline(never)]
pub fn primal(x: &[f64]) -> f64 {
    sumsq(x)
}

/// Value and gradient by hand: strips of 8, so that the gradient is vectorised beside the ordered sum.
#[inline(never)]
pub fn value_and_gradient(x: &[f64], g: &mut [f64]) -> f64 {
    const L: usize = 8;
    let g = &mut g[..x.len()];
    let mut sum = -0.0;
    let (x_strips, x_rest) = x.as_chunks::<L>();
    let (g_strips, g_rest) = g.as_chunks_mut::<L>();
    for (x, g) in x_strips.iter().zip(g_strips) {
        for t in 0..L {
            g[t] = 2.0 * x[t];
        }
        for v in x {
            sum += v * v;
        }
    }
    for (v, g) in x_rest.iter().zip(g_rest) {
        *g = 2.0 * v;
        sum += v * v;
    }
    sum
}

/// Gradient by hand. The sum is not computed.
#[inline(never)]
pub fn gradient(x: &[f64], g: &mut [f64]) {
    for (v, g) in x.iter().zip(g) {
        *g = 2.0 * v;
    }
}

#[cfg(test)]
mod tests {
    use super::{gradient, primal, value_and_gradient};
    use crate::cases::input;

    #[test]
    fn forms_by_hand_agree() {
        for n in [0, 1, 7, 8, 9, 100] {
            let x = input(n);
            let expected: Vec<f64> = x.iter().map(|v| 2.0 * v).collect();
            let (mut g, mut h) = (vec![f64::NAN; n], vec![f64::NAN; n]);
            assert_eq!(value_and_gradient(&x, &mut g), primal(&x));
            gradient(&x, &mut h);
            assert_eq!(g, expected);
            assert_eq!(h, expected);
        }
    }
}
