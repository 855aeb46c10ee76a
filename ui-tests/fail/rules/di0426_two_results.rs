use di::implicit;

#[implicit(root = r)]
fn f(x: f64) -> (f64, f64) {
    (x, x)
}

fn main() {}
