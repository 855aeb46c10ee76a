//! Least squares for data in a text file (student's style, with split and parse).

use di::prelude::*;

const FILE: &str = "# time  height
0.0 1.02
0.5 1.61
1.0 2.12
bad line
1.5 2.30
2.0 2.51
";

fn read_data(text: &str) -> Vec<(f64, f64)> {
    let mut data = Vec::new();
    for line in text.lines() {
        if line.starts_with('#') {
            continue;
        }
        let parts: Vec<&str> = line.split_whitespace().collect();
        if parts.len() != 2 {
            continue;
        }
        match (parts[0].parse::<f64>(), parts[1].parse::<f64>()) {
            (Ok(t), Ok(h)) => data.push((t, h)),
            _ => println!("skipped: {}", line),
        }
    }
    data
}

#[differentiable]
fn model(t: f64, p: &[f64]) -> f64 {
    p[0] + p[1] * (1.0 - (-t / p[2]).exp())
}

#[differentiable]
fn chi2(p: &[f64]) -> f64 {
    let data = read_data(FILE);
    let mut s = 0.0;
    for (t, h) in &data {
        let r = model(*t, p) - h;
        s += r * r;
    }
    s / (data.len() - 1) as f64
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [0.9, 2.0, 1.2];
    let g = gradient(chi2::AD, NoPrep, &AutoSource::new(), &p)?;
    super::check_of("textfile", &g, &p, |p| chi2(p));
    Ok(())
}
