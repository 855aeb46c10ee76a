//! Predators and prey: explicit Euler for `x' = a x - b x y`, `y' = d x y - c y`, 1000 steps of 0.01.

use di::prelude::*;

/// Steps of one run.
pub const STEPS: usize = 1000;
const STEP: f64 = 0.01;
const START: (f64, f64) = (10.0, 5.0);

/// The parameters `a`, `b`, `c`, `d`.
pub const PARAMETERS: [f64; 4] = [1.1, 0.4, 0.4, 0.1];

/// The annotated function: predators and prey together at the end.
#[differentiable]
pub fn lotka_volterra(p: &[f64; 4], steps: usize) -> f64 {
    let mut x = START.0;
    let mut y = START.1;
    for _ in 0..steps {
        let dx = p[0] * x - p[1] * x * y;
        let dy = p[3] * x * y - p[2] * y;
        x += STEP * dx;
        y += STEP * dy;
    }
    x + y
}

/// The same, as one outlined function: what derivatives are timed against.
#[inline(never)]
pub fn primal(p: &[f64; 4], steps: usize) -> f64 {
    lotka_volterra(p, steps)
}

/// Gradient by hand: four tangents along the run, as few inputs want it.
#[inline(never)]
pub fn gradient(p: &[f64; 4], steps: usize, g: &mut [f64; 4]) -> f64 {
    let [a, b, c, d] = *p;
    let (mut x, mut y) = START;
    let (mut tx, mut ty) = ([0.0; 4], [0.0; 4]);
    for _ in 0..steps {
        let dx = a * x - b * x * y;
        let dy = d * x * y - c * y;
        let (xx, xy) = (1.0 + STEP * (a - b * y), -STEP * b * x);
        let (yx, yy) = (STEP * d * y, 1.0 + STEP * (d * x - c));
        let sx = [STEP * x, -STEP * x * y, 0.0, 0.0];
        let sy = [0.0, 0.0, -STEP * y, STEP * x * y];
        for k in 0..4 {
            let (u, v) = (tx[k], ty[k]);
            tx[k] = xx * u + xy * v + sx[k];
            ty[k] = yx * u + yy * v + sy[k];
        }
        x += STEP * dx;
        y += STEP * dy;
    }
    for k in 0..4 {
        g[k] = tx[k] + ty[k];
    }
    x + y
}

#[cfg(test)]
mod tests {
    use super::{PARAMETERS, STEPS, gradient, primal};

    #[test]
    fn forms_by_hand_agree() {
        let mut g = [0.0; 4];
        assert_eq!(
            gradient(&PARAMETERS, STEPS, &mut g),
            primal(&PARAMETERS, STEPS)
        );
        for k in 0..4 {
            let h = 1e-6;
            let at = |t: f64| {
                let mut p = PARAMETERS;
                p[k] += t;
                primal(&p, STEPS)
            };
            let fd = (at(h) - at(-h)) / (2.0 * h);
            assert!(
                (fd - g[k]).abs() <= 1e-6 * (1.0 + g[k].abs()),
                "{k}: {fd}, {}",
                g[k]
            );
        }
    }
}
