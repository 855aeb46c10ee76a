//! Writes the random programs that the test compiles.
//!
//! `DI_FUZZ_COMPILED=<number>` takes that many, `DI_SEED=<number>` starts elsewhere.

use di_fuzz::Gives;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

/// Added to the seed of a module, where it stands beside those of programs.
const MODULES: u64 = 1 << 40;

fn main() {
    for name in ["DI_FUZZ_COMPILED", "DI_SEED"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let number = |name: &str| env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let count = number("DI_FUZZ_COMPILED").unwrap_or(24);
    let start = number("DI_SEED").unwrap_or(1);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "use ndarray::{{ArrayView1, ArrayView2, Axis, concatenate, s, stack}};\nuse std::ops::*;\n{}",
        di_fuzz::TRAITS
    );
    for source in di_fuzz::STRUCTS {
        let _ = writeln!(out, "#[derive(Differentiable)]\n{source}");
    }
    for source in di_fuzz::METHODS.iter().chain(di_fuzz::OPERATORS) {
        let _ = writeln!(out, "#[differentiable]\n{source}");
    }
    for (_, source) in di_fuzz::HELPERS {
        let _ = writeln!(out, "#[differentiable]\n{source}");
    }
    for outer in di_fuzz::OUTER {
        let _ = writeln!(out, "{}", outer.given);
    }
    let mut arms = String::new();
    for seed in start..start + count {
        let n = seed % 4;
        let program = di_fuzz::program(seed);
        let source = if seed % 2 == 0 {
            program.source
        } else {
            with_methods(&program.source)
        };
        // a name of its own, for what `DI_DUMP` writes
        let source = source.replacen("fn f(", &format!("fn program{seed}("), 1);
        let ty = program.gives.ty();
        let total = match program.gives {
            Gives::Number => "r",
            Gives::Pair => "r.0 - r.1 * 0.7",
            Gives::Vector => {
                "{ let mut t = 0.3; for (k, e) in r.iter().enumerate() { t += e * (k + 1) as f64; } t }"
            }
            Gives::Array => "r[0] - r[1] * 0.7 + r[2] * 0.4",
            Gives::Struct => "r.a - r.b * 0.7 + r.w[0] * 0.3 - r.w[1] + r.w[2] * 0.2",
        };
        let _ = writeln!(
            out,
            "mod p{seed} {{
    use super::*;

    #[differentiable]
    {source}
    #[differentiable]
    pub(super) fn of_one_slice(z: &[f64]) -> f64 {{
        let mut y = z[6..12].to_vec();
        let v = [z[12], z[7] * z[8], z[2], 0.5, z[9], z[13] * z[0]];
        let r: {ty} = program{seed}(&z[..6], z[12], z[13], {n}, &mut y, v);
        let mut s = {total};
        for i in 0..y.len() {{
            s += y[i] * (i + 1) as f64 * 0.1;
        }}
        s
    }}

    #[test]
    fn derivatives_agree() {{
        check({seed});
    }}

    #[test]
    fn patterns_miss_nothing() {{
        cover({seed});
    }}
}}"
        );
        let _ = write!(arms, "{seed} => p{seed}::of_one_slice(z), ");
    }
    for seed in start..start + count / 2 {
        let name = seed + MODULES;
        let _ = writeln!(
            out,
            "#[differentiable]
mod m{seed} {{
{}
}}
#[test]
fn derivatives_of_module_{seed}_agree() {{
    check({name});
}}",
            di_fuzz::module(seed)
        );
        let _ = write!(arms, "{name} => m{seed}::of_one_slice(z), ");
    }
    let _ = writeln!(
        out,
        "#[differentiable]\nfn any(z: &[f64], seed: usize) -> f64 {{ match seed {{ {arms} _ => 0.0 }} }}"
    );
    let dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    fs::write(dir.join("programs.rs"), out).expect("the directory of the build can be written");
}

/// Methods as they are mostly called: `P::push(&mut p, &q, k)` is `p.push(&q, k)`.
fn with_methods(source: &str) -> String {
    let mut source = source.to_owned();
    for (path, method) in [
        ("P::push(&mut ", "push"),
        ("P::energy(&", "energy"),
        ("P::mixed(", "mixed"),
        ("P::heavy(&", "heavy"),
        ("Tally::count(&mut ", "count"),
        ("Tally::weigh(&", "weigh"),
    ] {
        while let Some(at) = source.find(path) {
            let rest = &source[at + path.len()..];
            let mut depth = 0;
            let end = rest.find(|c| {
                match c {
                    '(' | '[' => depth += 1,
                    ')' | ']' if depth > 0 => depth -= 1,
                    ',' | ')' if depth == 0 => return true,
                    _ => {}
                }
                false
            });
            let end = end.expect("a call is closed");
            let (receiver, args) = rest.split_at(end);
            let args = args.strip_prefix(", ").unwrap_or(args);
            source = format!("{}{receiver}.{method}({args}", &source[..at]);
        }
    }
    source
}
