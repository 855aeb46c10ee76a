//! Experienced: event simulation of an elevator/port with BinaryHeap of times (ordered wrapper), smoothed waiting.

use di::prelude::*;
use super::{check, fd};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

struct Yard {
    edges: Vec<Vec<(usize, u64)>>,
}

impl Yard {
    fn hops(&self, from: usize) -> Vec<Option<u64>> {
        let mut dist = vec![None; self.edges.len()];
        let mut heap = BinaryHeap::from([Reverse((0u64, from))]);
        let mut done = HashSet::new();
        while let Some(Reverse((d, u))) = heap.pop() {
            if !done.insert(u) {
                continue;
            }
            dist[u] = Some(d);
            for &(v, w) in &self.edges[u] {
                heap.push(Reverse((d + w, v)));
            }
        }
        dist
    }
}

#[differentiable]
fn crane_cost(speed: f64, loads: &[f64], #[constant] yard: &Yard) -> f64 {
    let dist = yard.hops(0);
    let mut free_at = 0.0;
    let mut waiting = 0.0;
    for (i, (load, d)) in loads.iter().zip(dist.iter()).enumerate() {
        let Some(d) = d else { continue };
        let arrival = 2.0 * i as f64;
        let start = if free_at > arrival { free_at } else { arrival };
        waiting += start - arrival;
        free_at = start + *d as f64 / speed * (1.0 + 0.1 * load.powi(2));
    }
    waiting + 0.5 * speed.powi(3)
}

pub(super) fn main() -> Result<(), di::Error> {
    let yard = Yard { edges: vec![vec![(1, 4), (2, 9)], vec![(2, 3), (3, 8)], vec![(3, 2)], vec![], vec![(0, 1)]] };
    let (gs, gl) = gradient(crane_cost::AD.with(&yard), NoPrep, &AutoSource::new(), &(1.2, vec![1.0, 0.5, 2.0, 1.5, 1.0]))?;
    let got: Vec<f64> = std::iter::once(gs).chain(gl).collect();
    check("62", &got, &fd(|x| crane_cost(x[0], &x[1..], &yard), &[1.2, 1.0, 0.5, 2.0, 1.5, 1.0]));
    Ok(())
}
