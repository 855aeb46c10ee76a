//! Hardy Cross for a ventilation network in a mine.
use di::prelude::*;

#[derive(Clone, Debug)]
struct Branch {
    from: usize,
    to: usize,
    fan: bool,
}

#[derive(Clone, Debug)]
struct Network {
    branches: Vec<Branch>,
    loops: Vec<Vec<(usize, i8)>>,
}

impl Network {
    fn example() -> Self {
        let b = |from, to, fan| Branch { from, to, fan };
        Network {
            branches: vec![b(0, 1, true), b(1, 2, false), b(1, 2, false), b(2, 0, false), b(1, 3, false), b(3, 2, false)],
            loops: vec![vec![(0, 1), (1, 1), (3, 1)], vec![(2, 1), (1, -1)], vec![(4, 1), (5, 1), (1, -1)]],
        }
    }
}

#[differentiable]
fn balance(r: &[f64], fan_head: f64, net: &Network) -> f64 {
    let mut q = vec![30.0, 10.0, 10.0, 30.0, 10.0, 10.0];
    for _sweep in 0..60 {
        for lp in &net.loops {
            let mut num = 0.0;
            let mut den = 0.0;
            for &(b, sign) in lp {
                let s = f64::from(sign);
                num += s * r[b] * q[b] * q[b].abs();
                den += 2.0 * r[b] * q[b].abs();
                if net.branches[b].fan {
                    num -= s * fan_head;
                }
            }
            let dq = -num / den;
            for &(b, sign) in lp {
                q[b] += dq * f64::from(sign);
            }
        }
    }
    debug_assert!(net.branches.iter().all(|b| b.from != b.to));
    q[5]
}

pub(super) fn main() -> Result<(), di::Error> {
    let net = Network::example();
    let r = [0.2, 0.8, 1.1, 0.3, 0.5, 0.9];
    let f = balance::AD.with(&net);
    let (g, h) = gradient(f, NoPrep, &AutoSource::new(), &(r, 900.0))?;
    let mut all = g.to_vec();
    all.push(h);
    super::check_of("mine", &all, &[0.2, 0.8, 1.1, 0.3, 0.5, 0.9, 900.0], |x| balance(&x[..6], x[6], &net));
    Ok(())
}
