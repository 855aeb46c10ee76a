use di::custom_rule;

#[custom_rule(partials(d))]
fn f(x: f64, y: f64) -> f64 {
    x * y
}

#[custom_rule(partials(d))]
fn g(x: &[f64]) -> f64 {
    x[0]
}

fn main() {}
