//! Experienced: Polynomial type with Deref/FromIterator/Mul; Sturm-free root polishing; filter design poles.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod poly {
    use std::ops::{Mul, MulAssign};

    #[derive(Clone, Debug, PartialEq)]
    pub struct Poly(Vec<f64>);

    impl FromIterator<f64> for Poly {
        fn from_iter<I: IntoIterator<Item = f64>>(iter: I) -> Self {
            Poly(iter.into_iter().collect())
        }
    }
    impl Mul for &Poly {
        type Output = Poly;
        fn mul(self, rhs: &Poly) -> Poly {
            let mut out = vec![0.0; self.0.len() + rhs.0.len() - 1];
            for (i, a) in self.0.iter().enumerate() {
                for (j, b) in rhs.0.iter().enumerate() {
                    out[i + j] += a * b;
                }
            }
            Poly(out)
        }
    }
    impl MulAssign<f64> for Poly {
        fn mul_assign(&mut self, k: f64) {
            for c in &mut self.0 {
                *c *= k;
            }
        }
    }
    impl Poly {
        pub fn eval(&self, x: f64) -> f64 {
            self.0.iter().rfold(0.0, |acc, c| acc.mul_add(x, *c))
        }
        pub fn derivative(&self) -> Poly {
            self.0.iter().enumerate().skip(1).map(|(i, c)| i as f64 * c).collect()
        }
        pub fn degree(&self) -> usize {
            self.0.len().saturating_sub(1)
        }
    }

    pub fn peak(roots: &[f64], gain: f64) -> f64 {
        let one: Poly = [1.0].into_iter().collect();
        let mut p = roots.iter().fold(one, |p, r| &p * &Poly(vec![-r, 1.0]));
        p *= gain;
        let d = p.derivative();
        let dd = d.derivative();
        let mut x = 0.5 * (roots[0] + roots[1]);
        for _ in 0..30 {
            x -= d.eval(x) / dd.eval(x);
        }
        p.eval(x) / p.degree() as f64 + 0.1 * x
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (g, gg) = gradient(poly::peak::AD, NoPrep, &AutoSource::new(), &(vec![-1.0, 0.4, 1.7], 2.0))?;
    check("78", &[g[0], g[1], g[2], gg], &fd(|x| poly::peak(&x[..3], x[3]), &[-1.0, 0.4, 1.7, 2.0]));
    Ok(())
}
