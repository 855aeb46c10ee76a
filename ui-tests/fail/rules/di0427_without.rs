use di::implicit;

#[implicit(root = r, without(guess))]
fn f(x: f64) -> f64 {
    x
}

#[implicit(root = r, without(x))]
fn g(x: f64) -> f64 {
    x
}

fn main() {}
