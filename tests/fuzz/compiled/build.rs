//! Writes the random programs that the test compiles.
//!
//! `DI_FUZZ_COMPILED=<number>` takes that many, `DI_SEED=<number>` starts elsewhere.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    for name in ["DI_FUZZ_COMPILED", "DI_SEED"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let number = |name: &str| env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let count = number("DI_FUZZ_COMPILED").unwrap_or(24);
    let start = number("DI_SEED").unwrap_or(1);
    let mut out = String::new();
    for (_, source) in di_fuzz::HELPERS {
        let _ = writeln!(out, "#[differentiable]\n{source}");
    }
    for seed in start..start + count {
        let n = seed % 4;
        let program = di_fuzz::program(seed);
        let _ = writeln!(
            out,
            "mod p{seed} {{
    use super::*;

    #[differentiable]
    {}
    #[differentiable]
    pub(super) fn of_one_slice(z: &[f64]) -> f64 {{
        let mut y = z[6..12].to_vec();
        let v = [z[12], z[7] * z[8], z[2], 0.5, z[9], z[13] * z[0]];
        let mut s: f64 = f(&z[..6], z[12], z[13], {n}, &mut y, v);
        for i in 0..y.len() {{
            s += y[i] * (i + 1) as f64 * 0.1;
        }}
        s
    }}

    #[test]
    fn derivatives_agree() {{
        check!(of_one_slice, {seed});
    }}

    #[test]
    fn patterns_miss_nothing() {{
        cover!(of_one_slice, {seed});
    }}
}}",
            program.source
        );
    }
    let dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    fs::write(dir.join("programs.rs"), out).expect("the directory of the build can be written");
}
