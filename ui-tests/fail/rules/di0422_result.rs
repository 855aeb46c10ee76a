use di::custom_rule;

#[custom_rule(tangent = t)]
fn f(x: f64) -> [f64; 2] {
    [x, x]
}

#[custom_rule(tangent = t)]
fn g(x: f64) {
    let _ = x;
}

fn main() {}
