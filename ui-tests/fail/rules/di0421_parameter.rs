use di::custom_rule;

#[custom_rule(tangent = t)]
fn f(x: [f64; 3], v: Vec<f64>) -> f64 {
    x[0] * v[0]
}

fn main() {}
