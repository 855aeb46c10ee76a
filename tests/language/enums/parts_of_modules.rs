//! Modules as people divide them: types in nested modules, functions of std by their names, constructors of data, and
//! lists of references.

use di::prelude::*;
use di_test::scalar;
use model::{bodies, counted, divided, networked, ordered, picked, reported, std_names};

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.9], &[0.6, 1.7, 0.9]];

#[differentiable]
pub mod model {
    pub mod links {
        #[derive(Clone)]
        pub struct Link {
            pub length: f64,
            pub turns: Vec<f64>,
        }

        impl Link {
            pub fn new(length: f64, angle: f64) -> Self {
                let turns = vec![angle, 0.5 * angle];
                Self { length, turns }
            }

            pub fn reach(&self) -> f64 {
                self.length * self.turns.iter().map(|a| a.cos()).sum::<f64>()
            }
        }

        pub mod joints {
            #[derive(Clone, Copy)]
            pub struct Joint(pub f64);
        }
    }
    use links::joints::Joint;
    use std::array::from_fn;
    use std::cmp::{Ordering, min};
    use std::iter::{repeat_n, successors, zip};
    use std::mem::{replace, swap, take};

    struct Arm {
        links: Vec<links::Link>,
        joint: Joint,
    }

    fn total(arm: &Arm, all: &[links::Link]) -> f64 {
        all.iter().map(|l| l.reach()).sum::<f64>() * arm.joint.0
    }

    pub fn divided(x: &[f64]) -> f64 {
        let links: Vec<links::Link> = x.iter().map(|&l| links::Link::new(l, l * l)).collect();
        let mut arm = Arm {
            links,
            joint: Joint(x[0]),
        };
        arm.links[1].turns[0] *= x[2];
        total(&arm, &arm.links)
    }

    fn added(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        from_fn(|i| a[i] + b[i])
    }

    pub fn std_names(x: &[f64]) -> f64 {
        let mut a = added([x[0], x[1], x[2]], [1.0, x[0], 2.0]);
        let mut s = zip(&a, x).map(|(a, b)| a * b).sum::<f64>();
        for (p, q) in zip(x, repeat_n(x[1], min(3, x.len()))) {
            s += p * q;
        }
        let [p, q, _] = &mut a;
        swap(p, q);
        let old = replace(&mut a[0], s);
        let t = take(&mut a[2]);
        s += successors(Some(x[0]), |v| Some(v * 0.5))
            .take(3)
            .sum::<f64>();
        a[0] * a[1] * t + s * old
    }

    pub struct Edge {
        pub to: usize,
        pub time: f64,
    }

    pub struct Network {
        edges: Vec<Edge>,
        outgoing: Vec<Vec<usize>>,
    }

    impl Network {
        pub fn new(nodes: usize, edges: Vec<Edge>) -> Self {
            let mut outgoing = vec![Vec::new(); nodes];
            for (k, e) in edges.iter().enumerate() {
                outgoing[e.to].push(k);
            }
            Network { edges, outgoing }
        }
    }

    pub fn networked(x: &[f64], #[constant] net: &Network) -> f64 {
        let of = |node: usize| {
            let edges = net.outgoing[node].iter();
            edges.map(|&k| x[k] * x[k] * net.edges[k].time).sum::<f64>()
        };
        of(0) * of(1)
    }

    struct Element {
        nodes: (usize, usize),
        more: (bool, (i32, u8)),
        stiffness: f64,
    }

    fn one(x: &[f64], e: &Element) -> f64 {
        let (a, b) = e.nodes;
        let &(c, _) = &e.nodes;
        let (p, q) = &e.nodes;
        let r = match e.more {
            (true, (k, _)) if k > 2 => x[a],
            (true, (_, l)) => x[b] * l as f64,
            _ => 1.0,
        };
        let t = match &e.nodes {
            (0, n) => x[*n],
            (n, _) => x[*n],
        };
        e.stiffness * x[a] * x[b] + x[c] * x[*p] * x[*q] + r * t
    }

    pub fn counted(x: &[f64]) -> f64 {
        let mut all = vec![
            Element {
                nodes: (0, 1),
                more: (true, (3, 4)),
                stiffness: x[0],
            },
            Element {
                nodes: (2, 1),
                more: (true, (1, 2)),
                stiffness: x[1] * x[1],
            },
        ];
        all[1].nodes.1 -= 1;
        let Element {
            nodes: (k, l),
            stiffness,
            ..
        } = &all[1];
        x[*k] * x[*l] * stiffness + all.iter().map(|e| one(x, e)).sum::<f64>()
    }

    #[derive(Clone, Copy)]
    struct Body {
        at: [f64; 2],
        mass: f64,
    }

    const BODIES: [Body; 2] = [
        Body {
            at: [1.0, 0.5],
            mass: 2.0,
        },
        Body {
            at: [0.5, -1.0],
            mass: 3.0,
        },
    ];

    fn energy(all: &[Body]) -> f64 {
        let (a, b) = (&all[0], &all[1]);
        a.mass * b.mass / (a.at[0] - b.at[0]).hypot(a.at[1] - b.at[1])
    }

    pub fn bodies(x: &[f64]) -> f64 {
        let mut moved = BODIES;
        moved[0].mass = x[0];
        moved[1].at[1] *= x[1] * x[2];
        let plain = BODIES;
        energy(&moved) + energy(&BODIES) * x[1] + energy(&plain)
    }

    #[derive(Debug, Clone)]
    struct Level {
        price: f64,
        up: bool,
    }

    fn by_price(a: &Level, b: &Level) -> Ordering {
        u8::from(b.up)
            .cmp(&u8::from(a.up))
            .then(a.price.total_cmp(&b.price))
    }

    fn by_size(a: &f64, b: &f64) -> std::cmp::Ordering {
        a.abs().total_cmp(&b.abs())
    }

    pub fn ordered(x: &[f64]) -> f64 {
        let all: Vec<Level> = x
            .iter()
            .map(|&price| Level {
                price,
                up: price > 0.8,
            })
            .collect();
        let mut sorted: Vec<&Level> = all.iter().collect();
        sorted.sort_by(|a, b| by_price(a, b));
        let mut plain = x.to_vec();
        plain.sort_by(by_size);
        let k = match by_size(&x[0], &x[1]) {
            Ordering::Less => x[0],
            Ordering::Equal => 1.0,
            Ordering::Greater => x[2] * x[2],
        };
        sorted[0].price * plain[0] * plain[2].sin() * k
    }

    pub fn picked(x: &[f64]) -> f64 {
        let all: Vec<Level> = x
            .iter()
            .map(|&price| Level {
                price,
                up: price > 0.8,
            })
            .collect();
        let mut up: Vec<&Level> = all.iter().filter(|l| l.up).collect();
        up.sort_by(|a, b| b.price.total_cmp(&a.price));
        let mut s = up[0].price * up.len() as f64;
        let mut down: Vec<&Level> = Vec::new();
        for l in &all {
            if !l.up {
                down.push(l);
            }
        }
        s += down.iter().map(|l| l.price * l.price).sum::<f64>();
        for l in [&all[0], &all[2]] {
            s *= l.price;
        }
        let rest: Vec<&f64> = x.iter().skip(1).collect();
        s + rest.iter().map(|v| **v * **v).sum::<f64>() + *rest[0]
    }

    impl Level {
        fn worth(&self, x: f64) -> f64 {
            assert!(self.price > 0.0, "{self:?} is worth nothing");
            self.price * x
        }
    }

    pub fn reported(x: &[f64]) -> f64 {
        let l = Level {
            price: x[0],
            up: true,
        };
        l.worth(x[1]) * l.worth(x[2])
    }
}

#[test]
fn types_of_nested_modules() {
    scalar!(divided).row(884).takes_memory().check(&POINTS);
}

#[test]
fn functions_of_std_by_their_names() {
    scalar!(std_names).row(885).check(&POINTS);
}

#[test]
fn constructors_of_data() {
    let edge = |to, time| model::Edge { to, time };
    let edges = vec![edge(0, 2.0), edge(1, 3.0), edge(0, 0.5)];
    let net = model::Network::new(2, edges);
    scalar!(networked::AD.with(&net), |x: &[f64]| networked(x, &net))
        .row(886)
        .check(&POINTS);
}

#[test]
fn tuples_of_integers_in_structs() {
    scalar!(counted).row(887).check(&POINTS);
}

#[test]
fn arrays_of_constant_structs() {
    scalar!(bodies).row(888).check(&POINTS);
}

#[test]
fn lists_of_references() {
    scalar!(picked).row(889).check(&POINTS);
}

#[test]
fn functions_that_compare() {
    scalar!(ordered).row(911).check(&POINTS);
}

#[test]
fn texts_that_read_self() {
    scalar!(reported).row(910).check(&POINTS);
}
