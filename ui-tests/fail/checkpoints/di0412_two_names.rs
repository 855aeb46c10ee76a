use di::differentiable;

#[differentiable]
fn f(x: &[f64], y: &mut [f64]) {
    let head = &mut y[..2];
    #[ad(recompute)]
    {
        head[0] += x[0];
        y[1] *= x[1];
    }
}

fn main() {}
