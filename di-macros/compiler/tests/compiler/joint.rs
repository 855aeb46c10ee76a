//! Loops over which both sweeps run at once.

use proc_macro2::TokenStream;

/// Whether both sweeps run over a loop of the function at once.
fn is_joint(source: &str) -> bool {
    let item = source.parse().expect("tokens");
    let code = di_compiler::differentiable(TokenStream::new(), item);
    code.to_string().contains("for __trip in")
}

#[test]
fn both_sweeps_run_over_sums_at_once() {
    let sum = |body: &str, result: &str| {
        is_joint(&format!(
            "fn f(p: &[f64], #[constant] t: &[f64]) -> f64 {{
                let mut s = p[0];
                for i in 0..t.len() {{ {body} }}
                {result}
            }}"
        ))
    };
    assert!(sum("s += (p[1] * t[i]).exp();", "s"));
    assert!(sum("s += p[0] * t[i];", "0.5 * s + p[2]"));
    let nested = "for k in 0..3 { s += (p[k] * t[i]).exp(); }";
    assert!(sum(nested, "s / t.len() as f64"));
    // the adjoint that the loop starts from is known after it
    assert!(!sum("s += (p[1] * t[i]).exp();", "s * s"));
    assert!(!sum("s += (p[1] * t[i]).exp();", "p[2] * s.sin()"));
    // what follows leaves values that the adjoint of the loop begins with, under a test too
    let after = "for v in p.iter().map(|v| v * p[0]) { s = s * v + 1.0; } s";
    assert!(!sum("s += p[0] * t[i];", after));
    // one trip depends on another
    assert!(!sum("s += (s * t[i]).exp();", "s"));
    assert!(!sum("s = s * p[1] + t[i];", "s"));
}
