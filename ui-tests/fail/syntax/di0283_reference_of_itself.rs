use di::prelude::*;

struct Event {
    t: f64,
}

#[differentiable]
fn f(x: &[f64], #[constant] events: &[Event]) -> f64 {
    let mut last = &events[0];
    let mut sum = x[0];
    for k in 1..4 {
        let next = events.iter().find(|e| e.t > 0.2 * k as f64).unwrap_or(last);
        sum += next.t * x[1] * sum;
        last = next;
    }
    sum
}

fn main() {}
