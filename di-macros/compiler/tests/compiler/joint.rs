//! Loops over which both sweeps run at once.

use di_compiler::ir::Stmt;
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
    // unless it has nothing to do with the loop: then it runs before that
    assert!(sum("s += (p[1] * t[i]).exp();", "s + p[2].exp()"));
    assert!(sum(
        "s += (p[1] * t[i]).exp();",
        "let a = p[2].exp(); 2.0 * (s + a) - a.sin()"
    ));
    assert!(!sum(
        "s += (p[1] * t[i]).exp();",
        "let a = s + p[2]; a - a.sin()"
    ));
    assert!(!sum(
        "s += (p[1] * t[i]).exp();",
        "println!(\"{}\", p[2]); s + p[2].exp()"
    ));
    assert!(!sum(
        "s += (p[1] * t[i]).exp();",
        "let a = p[2].exp(); s += a; s * s"
    ));
    // one trip depends on another
    assert!(!sum("s += (s * t[i]).exp();", "s"));
    assert!(!sum("s = s * p[1] + t[i];", "s"));
}

#[test]
fn scratch_that_each_trip_renews_is_its_own() {
    let sum = |before: &str, body: &str, result: &str| {
        is_joint(&format!(
            "fn f(p: &[f64], #[constant] t: &[f64]) -> f64 {{
                let n = p.len();
                let mut s = p[0];
                {before}
                for i in 0..t.len() {{ {body} }}
                {result}
            }}"
        ))
    };
    let number = "let mut v = 0.0;";
    assert!(sum(number, "v = (p[1] * t[i]).exp(); s += v * v;", "s"));
    assert!(!sum(number, "s += v * p[1]; v = (p[1] * t[i]).exp();", "s"));
    assert!(!sum(
        number,
        "v = (p[1] * t[i]).exp(); s += v * v;",
        "s + v"
    ));
    assert!(!sum(
        number,
        "if t[i] > 0.0 { v = p[1] * t[i]; } s += v * v;",
        "s"
    ));
    let either = "if t[i] > 0.0 { v = p[1] * t[i]; } else { v = p[2].exp(); } s += v * v;";
    assert!(sum(number, either, "s"));
    let vector = "let mut v = vec![0.0; n];";
    let square = "for k in 0..n { s += v[k] * v[k]; }";
    let filled = |hi: &str| format!("for k in 0..{hi} {{ v[k] = (p[k] * t[i]).exp(); }}");
    assert!(sum(vector, &format!("{} {square}", filled("n")), "s"));
    assert!(sum(vector, &format!("{} {square}", filled("3")), "s"));
    assert!(!sum(vector, &format!("{} {square}", filled("i")), "s"));
    assert!(!sum(vector, &format!("{square} {}", filled("n")), "s"));
    assert!(!sum(
        vector,
        &format!("{} {square}", filled("n")),
        "s + v[0]"
    ));
    assert!(!sum(
        vector,
        &format!("{} v[3] += p[0]; {square}", filled("3")),
        "s"
    ));
    assert!(sum(
        vector,
        &format!("{} v[3] += p[0]; {square}", filled("n")),
        "s"
    ));
    // by literals
    let array = "let mut v = [p[0], p[1], 1.0];";
    assert!(sum(
        array,
        "v[0] = p[1] * t[i]; v[1] = v[0].sin(); s += v[0] * v[1] * v[2];",
        "s"
    ));
    assert!(!sum(
        array,
        "v[0] = p[1] * t[i]; s += v[0] * v[1]; v[1] = v[0].sin();",
        "s"
    ));
}

#[test]
fn callees_say_what_they_renew() {
    let condition = |call: &str| {
        let source = format!(
            "fn f(p: &[f64], #[constant] t: &[f64]) -> f64 {{
                let n = p.len();
                let mut v = vec![0.0; n];
                let mut s = 0.0;
                for i in 0..t.len() {{
                    {call}
                    let d: f64 = norm(&v);
                    s += d;
                }}
                s
            }}"
        );
        let around = "fn g(n: usize, x: &[f64], y: &mut [f64]) {}
            fn h(n: usize, x: &[f64], t: f64, y: &mut [f64]) {}
            fn norm(x: &[f64]) -> f64 { x[0] }";
        let functions = di_compiler::lower_all_str(&source, around).expect("lowered");
        let sweeps = di_compiler::sweeps(&functions[0].body);
        let joint = sweeps
            .reverse
            .region
            .stmts
            .iter()
            .find_map(|stmt| match stmt {
                Stmt::For(f) if f.frame.independent => Some(f),
                _ => None,
            })?;
        let renewals = joint.frame.renewals.iter();
        Some(
            renewals
                .map(|r| (r.argument, r.varying))
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(condition("g(n, p, &mut v);"), Some(vec![(2, 0)]));
    assert_eq!(condition("h(n, p, t[i], &mut v);"), Some(vec![(3, 0b100)]));
    assert_eq!(condition("g(i, p, &mut v);"), Some(vec![(2, 0b001)]));
    assert_eq!(
        condition("g(n, &p[i..], &mut v[1..n]);"),
        Some(vec![(2, 0b010)])
    );
    assert_eq!(condition("g(n, p, &mut v[i..]);"), None);
    assert_eq!(condition("g(n, p, &mut v); v[0] += 1.0;"), None);
    assert_eq!(
        condition("if t[i] > 0.0 { g(2, p, &mut v); } else { g(3, p, &mut v); }"),
        None
    );
    let renews = |function: &str| {
        let item = function.parse().expect("tokens");
        let code = di_compiler::differentiable(TokenStream::new(), item).to_string();
        let (_, after) = code.split_once("__RENEWS : [u64 ;")?;
        let (_, after) = after.split_once("= [")?;
        let list = after.split_once(']')?.0;
        let number = |n: &str| n.trim().trim_end_matches("u64").parse::<u64>().ok();
        let last = list.rsplit(',').find_map(number)?;
        (last != 1 << 63).then_some(last)
    };
    let of = |body: &str| {
        renews(&format!(
            "fn g(n: usize, x: &[f64], y: &mut [f64]) {{ {body} }}"
        ))
    };
    assert_eq!(of("for i in 0..n { y[i] = x[i].sin(); }"), Some(0b001));
    assert_eq!(
        of("for i in 0..y.len() { y[i] = x[i].sin(); }"),
        Some(0b100)
    );
    assert_eq!(
        of("for i in 0..x.len() { y[i] = x[i].sin(); }"),
        Some(0b010)
    );
    assert_eq!(
        of("for (y, x) in y.iter_mut().zip(x) { *y = x.sin(); }"),
        Some(0b110)
    );
    assert_eq!(of("y[0] = x[1]; y[1] = x[0] * y[0];"), Some(0));
    assert_eq!(
        of("for i in 0..n { y[i] = x[i]; } for i in 1..n { y[i] += y[i - 1]; }"),
        Some(1)
    );
    assert_eq!(of("for i in 0..n { y[i] = x[i]; } y[n] += x[0];"), None);
    assert_eq!(of("for i in 0..n { y[i] += x[i]; }"), None);
    assert_eq!(of("if n > 2 { y[0] = x[1]; } else { y[1] = x[0]; }"), None);
    assert_eq!(
        of("if x[0] > 0.0 { y[0] = x[1]; } else { y[0] = x[0]; }"),
        Some(0)
    );
    assert_eq!(of("for i in 0..n { if x[i] > 0.0 { y[i] = x[i]; } }"), None);
    assert_eq!(
        of("let m = x[0] as usize; for i in 0..m { y[i] = x[i]; }"),
        None
    );
}
