//! Student: own Complex struct, recursive FFT, spectral flatness of a sound.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod fft {
    use std::ops::{Add, Mul, Sub};

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Complex {
        re: f64,
        im: f64,
    }
    impl Add for Complex {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            Complex { re: self.re + other.re, im: self.im + other.im }
        }
    }
    impl Sub for Complex {
        type Output = Self;
        fn sub(self, other: Self) -> Self {
            Complex { re: self.re - other.re, im: self.im - other.im }
        }
    }
    impl Mul for Complex {
        type Output = Self;
        fn mul(self, other: Self) -> Self {
            Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
        }
    }
    impl Complex {
        pub fn from_polar(r: f64, phi: f64) -> Complex {
            Complex { re: r * phi.cos(), im: r * phi.sin() }
        }
        pub fn norm_sqr(&self) -> f64 {
            self.re * self.re + self.im * self.im
        }
    }
    impl From<f64> for Complex {
        fn from(re: f64) -> Self {
            Complex { re, im: 0.0 }
        }
    }

    fn fft(x: &[Complex]) -> Vec<Complex> {
        let n = x.len();
        if n == 1 {
            return x.to_vec();
        }
        let even: Vec<Complex> = x.iter().step_by(2).cloned().collect();
        let odd: Vec<Complex> = x.iter().skip(1).step_by(2).cloned().collect();
        let e = fft(&even);
        let o = fft(&odd);
        let mut out = vec![Complex::from(0.0); n];
        for k in 0..n / 2 {
            let t = Complex::from_polar(1.0, -2.0 * std::f64::consts::PI * k as f64 / n as f64) * o[k];
            out[k] = e[k] + t;
            out[k + n / 2] = e[k] - t;
        }
        out
    }

    pub fn flatness(signal: &[f64]) -> f64 {
        let x: Vec<Complex> = signal.iter().map(|&s| Complex::from(s)).collect();
        let power: Vec<f64> = fft(&x).iter().take(signal.len() / 2 + 1).map(Complex::norm_sqr).collect();
        let n = power.len() as f64;
        let geometric = (power.iter().map(|p| p.ln()).sum::<f64>() / n).exp();
        geometric / (power.iter().sum::<f64>() / n)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let s: Vec<f64> = (0..8).map(|i| (i as f64 * 1.3).sin() + 0.2 * i as f64).collect();
    let g = gradient(fft::flatness::AD, NoPrep, &AutoSource::new(), &s)?;
    check("51", &g, &fd(fft::flatness, &s));
    Ok(())
}
