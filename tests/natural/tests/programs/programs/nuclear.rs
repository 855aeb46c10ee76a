//! Student: semi-empirical mass formula, fit to binding energies; match on parity.

use di::prelude::*;
use super::{check, fd};

const NUCLEI: [(&str, u32, u32, f64); 5] =
    [("O16", 8, 16, 127.6), ("Ca40", 20, 40, 342.1), ("Fe56", 26, 56, 492.3), ("Cu63", 29, 63, 551.4), ("Pb208", 82, 208, 1636.4)];

#[differentiable]
fn binding_energy(c: &[f64; 5], z: u32, a: u32) -> f64 {
    let [av, as_, ac, aa, ap] = *c;
    let n = a - z;
    let af = a as f64;
    let zf = z as f64;
    let pairing = match (z % 2, n % 2) {
        (0, 0) => ap / af.sqrt(),
        (1, 1) => -ap / af.sqrt(),
        _ => 0.0,
    };
    av * af - as_ * af.powf(2.0 / 3.0) - ac * zf * (zf - 1.0) / af.cbrt() - aa * (af - 2.0 * zf).powi(2) / af + pairing
}

#[differentiable]
fn chi2(c: &[f64; 5]) -> f64 {
    let mut sum = 0.0;
    for (name, z, a, measured) in NUCLEI {
        let e = binding_energy(c, z, a) / a as f64;
        let diff = e - measured / a as f64;
        if diff.abs() > 1.0 {
            eprintln!("{} is far off: {}", name, diff);
        }
        sum += diff.powi(2);
    }
    sum
}

pub(super) fn main() -> Result<(), di::Error> {
    let c = [15.6, 17.5, 0.7, 23.0, 12.0];
    let g = gradient(chi2::AD, NoPrep, &AutoSource::new(), &c)?;
    check("38", &g, &fd(|x| chi2(x.try_into().unwrap()), &c));
    let h = hessian(chi2::AD, NoPrep, &AutoSource::new(), &c)?;
    check("38h", &[h[(0, 0)], h[(0, 1)]], &fd(|x| gradient(chi2::AD, NoPrep, &AutoSource::new(), &[x[0], x[1], 0.7, 23.0, 12.0]).unwrap()[0], &c[..2]));
    Ok(())
}
