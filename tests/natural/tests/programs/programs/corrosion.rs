//! Experienced: corrosion potential from mixed electrodes; FromStr config, closure list, bracketed Newton.

use di::prelude::*;
use super::{check, fd};
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq)]
struct Electrode {
    e0: f64,
    anodic: bool,
}

impl FromStr for Electrode {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let (kind, e) = s.split_once(':').ok_or_else(|| format!("no colon in {s}"))?;
        let e0 = e.parse().map_err(|e| format!("{e}"))?;
        match kind {
            "a" => Ok(Electrode { e0, anodic: true }),
            "c" => Ok(Electrode { e0, anodic: false }),
            other => Err(format!("unknown kind {other}")),
        }
    }
}

/// Current of one electrode and its slope (Tafel).
#[differentiable]
fn tafel(e: f64, i0: f64, slope: f64, #[constant] el: &Electrode) -> (f64, f64) {
    let sign = if el.anodic { 1.0 } else { -1.0 };
    let i = i0 * (sign * (e - el.e0) / slope).exp();
    (sign * i, i / slope)
}

#[differentiable]
fn corrosion_current(p: &[(f64, f64)], #[constant] els: &[Electrode]) -> f64 {
    let mut e = 0.5 * (els.iter().map(|e| e.e0).fold(f64::MAX, f64::min) + els.iter().map(|e| e.e0).fold(f64::MIN, f64::max));
    for _ in 0..100 {
        let (sum, slope) = p.iter().zip(els).map(|(&(i0, b), el)| tafel(e, i0, b, el)).fold((0.0, 0.0), |(s, d), (i, k)| (s + i, d + k));
        let step = (sum / slope).clamp(-0.05, 0.05);
        e -= step;
        if step.abs() < 1e-15 {
            break;
        }
    }
    p.iter().zip(els).filter(|(_, el)| el.anodic).map(|(&(i0, b), el)| tafel(e, i0, b, el).0).sum::<f64>().ln()
}

pub(super) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let els = "a:-0.44,c:0.0,c:0.4".split(',').map(str::parse).collect::<Result<Vec<Electrode>, _>>()?;
    let p = [(1e-3, 0.04), (2e-3, 0.05), (1e-5, 0.06)];
    let g = gradient(corrosion_current::AD.with(&els), NoPrep, &AutoSource::new(), &p)?;
    let got: Vec<f64> = g.iter().flat_map(|&(a, b)| [a, b]).collect();
    let flat: Vec<f64> = p.iter().flat_map(|&(a, b)| [a, b]).collect();
    let f = |x: &[f64]| corrosion_current(&x.chunks(2).map(|c| (c[0], c[1])).collect::<Vec<_>>(), &els);
    check("50", &got, &fd(f, &flat));
    Ok(())
}
