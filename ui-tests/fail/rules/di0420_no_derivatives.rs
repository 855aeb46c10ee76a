use di::custom_rule;

#[custom_rule]
fn f(x: f64) -> f64 {
    x
}

#[custom_rule(gradient = g)]
fn h(x: f64) -> f64 {
    x
}

fn main() {}
