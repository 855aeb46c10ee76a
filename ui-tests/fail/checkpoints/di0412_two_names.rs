use di::differentiable;

#[differentiable]
fn f(x: &[f64], y: &mut [f64]) {
    let n = y.len();
    let head = &mut y[..2];
    #[ad(checkpoint)]
    for i in 0..2 {
        head[i] += x[i] * n as f64;
    }
    let tail = &mut y[1..];
    tail[0] *= x[0];
}

fn main() {}
