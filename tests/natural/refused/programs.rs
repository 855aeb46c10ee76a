//! Whole programs of people who saw the library for the first time. Refused: each with what the compiler says.

// E0080 [DI0108] functions as parameters are not supported where the function calls itself
/// Experienced: network with table of activations (fn pointers), &[(Vec, fn)] layers and dropout mask bitset.
mod activations {

    use super::{check, fd};
    use di::prelude::*;

    #[differentiable]
    mod net {
        pub type Act = fn(f64) -> f64;

        pub fn relu(x: f64) -> f64 {
            x.max(0.0)
        }
        pub fn swish(x: f64) -> f64 {
            x / (1.0 + (-x).exp())
        }
        pub fn gelu(x: f64) -> f64 {
            0.5 * x * (1.0 + (0.797_884_560_8 * (x + 0.044715 * x * x * x)).tanh())
        }

        const ACTS: [Act; 3] = [relu, swish, gelu];

        fn activation(name: &str) -> Option<Act> {
            Some(match name {
                "relu" => ACTS[0],
                "swish" => ACTS[1],
                "gelu" => ACTS[2],
                _ => return None,
            })
        }

        fn dense(w: &[f64], x: &[f64], act: Act, mask: u32) -> Vec<f64> {
            w.chunks(x.len() + 1)
                .enumerate()
                .map(|(i, row)| {
                    if mask >> i & 1 == 0 {
                        return 0.0;
                    }
                    let (bias, weights) = row.split_last().unwrap();
                    act(weights.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + bias)
                })
                .collect()
        }

        pub fn output(w: &[f64], names: &[&str], #[constant] x: &[f64], mask: u32) -> f64 {
            let mut h = x.to_vec();
            for (w, name) in w.chunks(9).zip(names) {
                let act = activation(name).expect("known");
                h = dense(w, &h, act, mask);
            }
            h.iter().sum()
        }
    }

    pub(super) fn main() -> Result<(), di::Error> {
        let w: Vec<f64> = (0..21)
            .map(|i| ((i * 11 % 23) as f64 - 9.0) / 10.0)
            .collect();
        let x = [0.4, -0.7];
        let names = ["gelu", "swish"];
        let g = gradient(
            net::output::AD.with(&names, &x, 0b101),
            NoPrep,
            &AutoSource::new(),
            &w,
        )?;
        check("69", &g, &fd(|w| net::output(w, &names, &x, 0b101), &w));
        Ok(())
    }
}

// E0080 [DI0418] the length of a vector in a struct behind `&mut` changes here, and this body cannot stand in the place of its calls
/// Experienced: Barnes-Hut-like arena tree of points, nodes hold differentiated mass and centre.
mod arena_tree {

    use super::{check, fd};
    use di::prelude::*;

    #[differentiable]
    mod tree {
        #[derive(Clone, Copy, Debug)]
        struct Node {
            lo: f64,
            hi: f64,
            mass: f64,
            centre: f64,
            children: [Option<usize>; 2],
        }

        struct Arena {
            nodes: Vec<Node>,
        }

        impl Arena {
            fn build(&mut self, xs: &[f64], lo: f64, hi: f64, depth: u32) -> Option<usize> {
                let inside: Vec<f64> = xs
                    .iter()
                    .copied()
                    .filter(|x| (lo..hi).contains(x))
                    .collect();
                if inside.is_empty() {
                    return None;
                }
                let mass = inside.len() as f64;
                let centre = inside.iter().sum::<f64>() / mass;
                let id = self.nodes.len();
                self.nodes.push(Node {
                    lo,
                    hi,
                    mass,
                    centre,
                    children: [None, None],
                });
                if inside.len() > 1 && depth > 0 {
                    let mid = 0.5 * (lo + hi);
                    let left = self.build(&inside, lo, mid, depth - 1);
                    let right = self.build(&inside, mid, hi, depth - 1);
                    self.nodes[id].children = [left, right];
                }
                Some(id)
            }

            fn potential(&self, id: usize, x: f64) -> f64 {
                let node = &self.nodes[id];
                let d = (x - node.centre).abs() + 0.1;
                if (node.hi - node.lo) / d < 0.7 || node.children.iter().all(Option::is_none) {
                    return node.mass / d;
                }
                node.children
                    .iter()
                    .flatten()
                    .map(|&c| self.potential(c, x))
                    .sum()
            }
        }

        pub fn energy(xs: &[f64]) -> f64 {
            let mut arena = Arena { nodes: Vec::new() };
            let Some(root) = arena.build(xs, 0.0, 8.0, 4) else {
                return 0.0;
            };
            xs.iter().map(|&x| arena.potential(root, x)).sum()
        }
    }

    pub(super) fn main() -> Result<(), di::Error> {
        let x = [0.3, 1.1, 2.7, 3.9, 5.2, 7.7];
        let g = gradient(tree::energy::AD, NoPrep, &AutoSource::new(), &x)?;
        check("67", &g, &fd(tree::energy, &x));
        Ok(())
    }
}

// E0080 [DI0333] a value that changes here and is not differentiated has to be made of integers, in at most 128 bits, but the field `window` of `MovingAverage` is a `VecDeque<f64>`
/// Engineer: signal chain: VecDeque moving average, exponential smoother struct, threshold detector.
mod moving_average {

    use super::{check, fd};
    use di::prelude::*;

    #[differentiable]
    mod chain {
        use std::collections::VecDeque;

        pub struct MovingAverage {
            window: VecDeque<f64>,
            size: usize,
            sum: f64,
        }
        impl MovingAverage {
            pub fn new(size: usize) -> Self {
                MovingAverage {
                    window: VecDeque::with_capacity(size),
                    size,
                    sum: 0.0,
                }
            }
            pub fn push(&mut self, x: f64) -> f64 {
                if self.window.len() == self.size {
                    if let Some(old) = self.window.pop_front() {
                        self.sum -= old;
                    }
                }
                self.window.push_back(x);
                self.sum += x;
                self.sum / self.window.len() as f64
            }
        }

        pub struct Smoother {
            alpha: f64,
            state: Option<f64>,
        }
        impl Smoother {
            pub fn update(&mut self, x: f64) -> f64 {
                let new = match self.state {
                    None => x,
                    Some(s) => s + self.alpha * (x - s),
                };
                self.state = Some(new);
                new
            }
        }

        pub fn score(signal: &[f64], alpha: f64) -> f64 {
            let mut ma = MovingAverage::new(3);
            let mut sm = Smoother { alpha, state: None };
            let mut sum = 0.0;
            for &s in signal {
                let y = sm.update(ma.push(s));
                sum += y * y;
            }
            sum
        }
    }

    pub(super) fn main() -> Result<(), di::Error> {
        let s = [1.0, 2.0, 0.5, -1.0, 3.0, 2.0, 0.1];
        let (g, ga) = gradient(
            chain::score::AD,
            NoPrep,
            &AutoSource::new(),
            &(s.to_vec(), 0.3),
        )?;
        let mut got = g;
        got.push(ga);
        let x: Vec<f64> = s.iter().copied().chain([0.3]).collect();
        check("56", &got, &fd(|x| chain::score(&x[..7], x[7]), &x));
        Ok(())
    }
}

// E0080 [DI0329] a derivative would be lost: constant code reads `c`, which depends on the inputs
/// Engineer: piano inharmonicity: stretch tuning by sensory dissonance of partials.
mod piano {

    use super::{check, fd};
    use di::prelude::*;

    struct Note {
        midi: i32,
        b: f64,
    }

    impl Note {
        fn partials(&self, f0: f64) -> Vec<(f64, f64)> {
            (1..=6)
                .map(|n| {
                    let n = n as f64;
                    (
                        n * f0 * (1.0 + self.b * n * n).sqrt(),
                        0.88f64.powf(n - 1.0),
                    )
                })
                .collect()
        }
    }

    fn dissonance(f1: f64, f2: f64, a: f64) -> f64 {
        let s = 0.24 / (0.021 * f1.min(f2) + 19.0);
        let d = (f2 - f1).abs();
        a * ((-3.5 * s * d).exp() - (-5.75 * s * d).exp())
    }

    #[differentiable]
    fn roughness(cents: &[f64], #[constant] notes: &[Note]) -> f64 {
        let all: Vec<Vec<(f64, f64)>> = notes
            .iter()
            .zip(cents)
            .map(|(n, c)| n.partials(440.0 * 2f64.powf((n.midi - 69) as f64 / 12.0 + c / 1200.0)))
            .collect();
        let mut total = 0.0;
        for i in 0..all.len() {
            for j in i + 1..all.len() {
                for &(f1, a1) in &all[i] {
                    for &(f2, a2) in &all[j] {
                        total += dissonance(f1, f2, a1 * a2);
                    }
                }
            }
        }
        total
    }

    pub(super) fn main() -> Result<(), di::Error> {
        let notes = [
            Note { midi: 57, b: 2e-4 },
            Note { midi: 61, b: 3e-4 },
            Note { midi: 64, b: 4e-4 },
        ];
        let c = [3.0, -2.0, 1.0];
        let g = gradient(roughness::AD.with(&notes), NoPrep, &AutoSource::new(), &c)?;
        check("24", &g, &fd(|c| roughness(c, &notes), &c));
        Ok(())
    }
}

// E0080 [DI0283] which variable this reference points to depends on a branch, and cannot be followed to its use
/// Engineer: retaining wall design checks; soil layers with Option water table; checks collected in Vec<(String, f64)>.
mod retaining_wall {

    use super::{check, fd};
    use di::prelude::*;

    #[derive(Debug, Clone)]
    struct Layer {
        top: f64,
        gamma: f64,
        phi_deg: f64,
        cohesion: Option<f64>,
    }

    #[derive(Debug, Clone)]
    struct Site {
        layers: Vec<Layer>,
        water: Option<f64>,
        surcharge: f64,
    }

    impl Site {
        fn layer_at(&self, z: f64) -> &Layer {
            self.layers
                .iter()
                .rev()
                .find(|l| l.top <= z)
                .unwrap_or(&self.layers[0])
        }
    }

    #[differentiable]
    fn active_pressure(z: f64, #[constant] site: &Site) -> f64 {
        let mut sigma = site.surcharge;
        for (i, l) in site.layers.iter().enumerate() {
            let bottom = site.layers.get(i + 1).map_or(f64::INFINITY, |n| n.top);
            if z > l.top {
                sigma += l.gamma * (z.min(bottom) - l.top);
            }
        }
        let u = site
            .water
            .map(|w| 9.81 * (z - w).max(0.0))
            .unwrap_or_default();
        let l = site.layer_at(z);
        let ka = (45.0 - l.phi_deg / 2.0).to_radians().tan().powi(2);
        let c = l.cohesion.unwrap_or(0.0);
        (ka * (sigma - u) - 2.0 * c * ka.sqrt()).max(0.0) + u
    }

    #[differentiable]
    fn utilisation(height: f64, base: f64, stem: f64, #[constant] site: &Site) -> f64 {
        let n = 40;
        let dz = height / n as f64;
        let mut push = 0.0;
        let mut moment = 0.0;
        for i in 0..n {
            let z = (i as f64 + 0.5) * dz;
            let p = active_pressure(z, site) * dz;
            push += p;
            moment += p * (height - z);
        }
        let weight = 24.0 * (stem * height + 0.5 * base) + 18.0 * (base - stem) * height;
        let mut checks: Vec<(String, f64)> = Vec::new();
        checks.push(("sliding".to_string(), push / (0.5 * weight)));
        checks.push(("overturning".to_string(), moment / (weight * base * 0.55)));
        checks.push((format!("stem {n}"), moment / (250.0 * stem.powi(2) * 10.0)));
        let mut worst = &checks[0];
        for c in &checks {
            if c.1 > worst.1 {
                worst = c;
            }
        }
        worst.1 + 0.01 * checks.iter().map(|(_, u)| u).sum::<f64>()
    }

    pub(super) fn main() -> Result<(), di::Error> {
        let layer = |top, gamma, phi_deg, cohesion| Layer {
            top,
            gamma,
            phi_deg,
            cohesion,
        };
        let site = Site {
            layers: vec![
                layer(0.0, 17.0, 30.0, None),
                layer(2.2, 19.0, 26.0, Some(5.0)),
            ],
            water: Some(3.1),
            surcharge: 10.0,
        };
        let (a, b, c) = gradient(
            utilisation::AD.with(&site),
            NoPrep,
            &AutoSource::new(),
            &(5.0, 3.2, 0.6),
        )?;
        check(
            "64",
            &[a, b, c],
            &fd(|x| utilisation(x[0], x[1], x[2], &site), &[5.0, 3.2, 0.6]),
        );
        Ok(())
    }
}
