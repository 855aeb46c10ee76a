//! Power flow: mismatch of active and reactive power in polar coordinates.
use di::prelude::*;

#[differentiable]
mod power_flow {
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum BusKind {
        Slack,
        Pv,
        Pq,
    }

    pub struct Bus {
        pub kind: BusKind,
        pub p: f64,
        pub q: f64,
        pub v: f64,
    }

    pub struct Line {
        pub ends: (usize, usize),
        pub g: f64,
        pub b: f64,
    }

    /// Voltages and angles of all buses; the unknowns in `x` are angles first, then magnitudes.
    fn unpack(x: &[f64], buses: &[Bus]) -> (Vec<f64>, Vec<f64>) {
        let mut it = x.iter();
        let mut angles = Vec::new();
        for bus in buses {
            angles.push(match bus.kind {
                BusKind::Slack => 0.0,
                _ => *it.next().unwrap(),
            });
        }
        let magnitudes = buses
            .iter()
            .map(|bus| {
                if bus.kind == BusKind::Pq {
                    *it.next().unwrap()
                } else {
                    bus.v
                }
            })
            .collect();
        (angles, magnitudes)
    }

    pub fn mismatch(x: &[f64], #[constant] buses: &[Bus], #[constant] lines: &[Line]) -> Vec<f64> {
        let (angle, v) = unpack(x, buses);
        let mut p = vec![0.0; buses.len()];
        let mut q = vec![0.0; buses.len()];
        for line in lines {
            let (i, j) = line.ends;
            for (from, to) in [(i, j), (j, i)] {
                let (s, c) = (angle[from] - angle[to]).sin_cos();
                let vv = v[from] * v[to];
                p[from] += line.g * v[from] * v[from] - vv * (line.g * c + line.b * s);
                q[from] += -line.b * v[from].powi(2) - vv * (line.g * s - line.b * c);
            }
        }
        let mut res = Vec::new();
        for (bus, p) in buses.iter().zip(&p) {
            if bus.kind != BusKind::Slack {
                res.push(p - bus.p);
            }
        }
        for (k, bus) in buses.iter().enumerate() {
            if matches!(bus.kind, BusKind::Pq) {
                res.push(q[k] - bus.q);
            }
        }
        res
    }
}

#[test]
fn check() {
    use crate::check::vector;
    use power_flow::{Bus, BusKind, Line};
    let buses = [
        Bus {
            kind: BusKind::Slack,
            p: 0.0,
            q: 0.0,
            v: 1.05,
        },
        Bus {
            kind: BusKind::Pv,
            p: 0.4,
            q: 0.0,
            v: 1.02,
        },
        Bus {
            kind: BusKind::Pq,
            p: -0.5,
            q: -0.2,
            v: 1.0,
        },
        Bus {
            kind: BusKind::Pq,
            p: -0.3,
            q: -0.1,
            v: 1.0,
        },
    ];
    let line = |a, b, g, s| Line {
        ends: (a, b),
        g,
        b: s,
    };
    let lines = [
        line(0, 1, 0.6, -2.1),
        line(1, 2, 0.8, -1.9),
        line(0, 2, 0.4, -1.5),
        line(2, 3, 0.9, -2.4),
    ];
    vector!(
        power_flow::mismatch,
        (&buses, &lines),
        &[0.1, -0.2, -0.3, 0.97, 0.95]
    );
}
