//! Which parameters of private functions are inferred as constant. A name in a call may reach a parameter in many
//! ways, and none of them may be missed.

/// Each function with the parameters that are constant, `f(x, y)`, in order, as far as there are some.
fn constants(source: &str) -> String {
    let found = di_compiler::constants_str(source);
    let found = found.iter().filter(|(_, names)| !names.is_empty());
    let found = found.map(|(f, names)| format!("{f}({})", names.join(", ")));
    found.collect::<Vec<_>>().join(" ")
}

/// What is inferred of `h`, if `f` calls it in this code. `x` varies, and `c` is constant.
fn of_call(code: &str) -> String {
    constants(&format!(
        "mod m {{
            fn h(a: &[f64], b: f64) -> f64 {{ a[0] * b }}
            pub fn f(x: &[f64], #[constant] c: &[f64]) -> f64 {{ {code} }}
        }}"
    ))
}

/// Ways by which the second argument varies.
const VARIES: &[&str] = &[
    "h(x, x[0])",
    "let y = x[0].sin(); h(x, y)",
    "let y; y = x[0]; h(x, y)",
    "let mut y = 0.0; y += x[0]; h(x, y)",
    "let mut y = [0.0; 2]; y[1] = x[0]; h(x, y[0])",
    "let mut y = (0.0, 0.0); y.1 = x[0]; h(x, y.0)",
    "let mut y = vec![]; y.push(x[0]); h(x, y[0])",
    "let mut y = vec![0.0]; y.extend(x); h(x, y[0])",
    "let mut y = vec![0.0; 3]; y.copy_from_slice(x); h(x, y[0])",
    "let mut y = vec![0.0; 3]; for y in y.iter_mut() { *y = x[0]; } h(x, y[0])",
    "let mut y = vec![0.0; 3]; for (y, x) in y.iter_mut().zip(x) { *y = *x; } h(x, y[0])",
    "let mut y = vec![0.0; 3]; y.iter_mut().zip(x).for_each(|(y, x)| *y = *x); h(x, y[0])",
    "let mut y = vec![0.0; 3]; let r = &mut y[..]; r[0] = x[0]; h(x, y[0])",
    "let mut y = vec![0.0; 3]; let r = &mut y; let s = &mut r[0]; *s = x[0]; h(x, y[0])",
    "let mut y = 0.0; fill(&mut y, x[0]); h(x, y)",
    "let mut y = vec![0.0]; if let Some(r) = y.last_mut() { *r = x[0]; } h(x, y[0])",
    "let (mut y, mut z) = (0.0, x[0]); std::mem::swap(&mut y, &mut z); h(x, y)",
    "let mut y = 0.0; let z; (y, z) = (x[0], 1.0); h(x, y + z)",
    "let mut y = 0.0; let mut add = |v: f64| y += v; add(x[0]); h(x, y)",
    "let mut y = 0.0; let mut add = || y += x[0]; add(); h(x, y)",
    "let y = if c[0] > 0.0 { x[0] } else { 0.0 }; h(x, y)",
    "let y = match c.len() { 1 => x[0], _ => 0.0 }; h(x, y)",
    "let y = loop { break x[0]; }; h(x, y)",
    "let y = { let z = x[0]; z }; h(x, y)",
    "let Some(y) = x.first() else { return 0.0 }; h(x, *y)",
    "if let [y, ..] = x { return h(x, *y); } 0.0",
    "let g = |t: f64| h(x, t); g(c[0]) + g(x[0])",
    "x.iter().map(|t| h(x, *t)).sum()",
    "c.iter().map(|t| t * x[0]).map(|t| h(x, t)).sum()",
    "c.iter().zip(x).map(|(_, t)| h(x, *t)).sum()",
    "x.iter().enumerate().map(|(_, t)| h(x, *t)).sum()",
    "c.iter().fold(0.0, |y, t| h(x, y) + t)",
    "c.iter().fold(x[0], |y, t| h(x, y) + t)",
    "let mut y = c[0]; for _ in 0..3 { y = h(x, y); } y",
    "let mut y = c[0]; while y < 9.0 { y *= x[0]; } h(x, y)",
    "let k = h; k(x, x[0])",
    "apply(h, x)",
    "assert!(h(x, x[0]) > 0.0); 0.0",
    "vec![h(x, x[0]); 3][0]",
    "let s = Some(x[0]); s.map_or(0.0, |y| h(x, y))",
    "let y = f(x, c); h(x, y)",
    "let v = std::array::from_fn::<f64, 3, _>(|i| x[i]); h(x, v[0])",
    "let mut y = c.to_vec(); y.sort_by(|a, b| a.total_cmp(b)); y[0] = x[0]; h(x, y[0])",
    "let mut y = [c.to_vec(), c.to_vec()]; for r in &mut y { r[0] = x[0]; } h(x, y[0][0])",
    "self::h(x, x[0])",
    "dbg_of!(h; x)",
];

/// Code that passes constants to the second one.
const CONSTANT: &[&str] = &[
    "h(x, 2.0)",
    "h(x, c[0])",
    "h(x, c.len() as f64)",
    "h(x, x.len() as f64)",
    "let t = 0.1 * c[0]; h(x, t)",
    "let mut t = 0.0; let mut s = 0.0; for k in 0..3 { s += h(x, t); t += 0.1 * k as f64; } s",
    "c.iter().map(|t| h(x, *t)).sum()",
    "c.iter().zip(x).map(|(t, x)| x * h(&[*x], *t)).sum()",
    "x.iter().enumerate().map(|(k, x)| h(&[*x], k as f64)).sum()",
    "c.iter().fold(x[0], |s, t| s + h(x, *t))",
    "let mut s = 0.0; for (x, t) in x.iter().zip(c) { s += h(&[*x], *t); } s",
    "let mut s = 0.0; for (k, x) in x.iter().enumerate() { s += h(&[*x], c[k]); } s",
    "let g = |t: f64| h(x, t); g(c[0]) + g(1.0)",
    "let (y, t) = (x[0], c[0]); h(&[y], t)",
    "let mut w = vec![0.0; 3]; for (k, w) in w.iter_mut().enumerate() { *w = k as f64; } h(x, w[0])",
];

#[test]
fn what_varies_is_not_constant() {
    for code in VARIES {
        assert_eq!(of_call(code), "f(c)", "{code}");
    }
}

#[test]
fn what_no_call_varies_is_constant() {
    for code in CONSTANT {
        assert_eq!(of_call(code), "h(b) f(c)", "{code}");
    }
}

#[test]
fn parameters_of_others_are_not_inferred() {
    // of `pub` functions, of those that nothing calls, and of those whose handle something uses
    let with = |vis: &str, more: &str| {
        constants(&format!(
            "mod m {{
                {vis} fn h(x: f64, t: f64) -> f64 {{ x * t }}
                pub fn f(x: f64) -> f64 {{ h(x, 2.0) }}
                {more}
            }}"
        ))
    };
    assert_eq!(with("", ""), "h(t)");
    assert_eq!(with("pub", ""), "");
    assert_eq!(with("pub(crate)", ""), "");
    assert_eq!(
        with(
            "",
            "#[cfg(test)] mod tests { fn t() { super::h(1.0, 2.0); } }"
        ),
        "h(t)"
    );
    for more in [
        "#[cfg(test)] mod tests { fn t() { use_of(super::h::AD); } }",
        "mod inner { pub fn g(x: f64) -> f64 { super::h(1.0, x) } }",
        "macro_rules! shifted { ($x:expr) => { h(1.0, $x) } }",
        "pub fn g(x: f64) -> f64 { h(1.0, x) }",
        "fn g(x: f64) -> f64 { h(1.0, x) }",
    ] {
        assert_eq!(with("", more), "", "{more}");
    }
    assert_eq!(
        constants("mod m { fn h(x: f64, t: f64) -> f64 { x * t } }"),
        ""
    );
}

#[test]
fn calls_are_followed_through_functions() {
    let source = "mod m {
        struct Model { a: f64 }
        pub struct Data { t: f64, y: f64 }
        impl Model {
            fn at(&self, t: f64) -> f64 { self.a * t }
            fn misfit(&self, data: &Data) -> f64 { self.at(data.t) - data.y }
        }
        fn total(x: &[f64], data: &[Data], scale: f64) -> f64 {
            let model = Model { a: x[0] };
            data.iter().map(|d| scale * model.misfit(d)).sum()
        }
        pub fn f(x: &[f64], #[constant] data: &[Data]) -> f64 { total(x, data, x[1]) }
    }";
    assert_eq!(constants(source), "at(t) misfit(data) total(data) f(data)");
}
