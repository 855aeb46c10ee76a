//! Engineer: suspension cable: generic vector type, trait for loads implemented by closures and structs.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod cable {
    use std::ops::{AddAssign, Sub};

    #[derive(Clone, Copy, Debug, Default)]
    pub struct P2 {
        pub x: f64,
        pub y: f64,
    }
    impl Sub for P2 {
        type Output = P2;
        fn sub(self, o: P2) -> P2 {
            P2 { x: self.x - o.x, y: self.y - o.y }
        }
    }
    impl AddAssign for P2 {
        fn add_assign(&mut self, o: P2) {
            self.x += o.x;
            self.y += o.y;
        }
    }
    impl P2 {
        pub fn norm(self) -> f64 {
            self.x.hypot(self.y)
        }
    }

    /// Force-density form: internal force at each free node.
    pub fn unbalanced(y: &[f64], #[constant] ea: f64, #[constant] rest: f64) -> Vec<f64> {
        let n = y.len();
        let nodes: Vec<P2> = std::iter::once(P2::default())
            .chain(y.iter().enumerate().map(|(i, &y)| P2 { x: (i + 1) as f64, y }))
            .chain(std::iter::once(P2 { x: (n + 1) as f64, y: 0.0 }))
            .collect();
        let mut forces = vec![P2 { x: 0.0, y: -1.0 }; n + 2];
        for i in 0..n + 1 {
            let d = nodes[i + 1] - nodes[i];
            let len = d.norm();
            let t = (ea * (len - rest) / rest).max(0.0);
            let f = P2 { x: t * d.x / len, y: t * d.y / len };
            forces[i] += f;
            forces[i + 1] += P2 { x: -f.x, y: -f.y };
        }
        forces[1..=n].iter().map(|f| f.y).collect()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let y = [-0.3, -0.55, -0.6, -0.25];
    let j = jacobian(cable::unbalanced::AD.with(100.0, 0.95), NoPrep, &AutoSource::new(), &y)?;
    for i in 0..4 {
        let row: Vec<f64> = (0..4).map(|k| j[(i, k)]).collect();
        check("41", &row, &fd(|y| cable::unbalanced(y, 100.0, 0.95)[i], &y));
    }
    Ok(())
}
