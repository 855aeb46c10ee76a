use di::custom_rule;

#[custom_rule(tangent = t)]
fn f(n: usize) -> f64 {
    n as f64
}

fn main() {}
