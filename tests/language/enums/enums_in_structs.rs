//! Structs whose only floats are in enums, in annotated modules, and builders of lists of enums.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.55, 0.93, 0.64],
];

#[differentiable]
mod cavity {
    #[derive(Clone, Copy, Debug)]
    pub enum Element {
        Space(f64),
        Mirror { roc: f64 },
        Stop,
    }

    impl Element {
        fn apply(self, q: f64) -> f64 {
            match self {
                Element::Space(l) => q + l,
                Element::Mirror { roc } => q / (1.0 + q * roc),
                Element::Stop => q * 0.5,
            }
        }

        fn length(&self) -> f64 {
            match self {
                Element::Space(l) => *l,
                _ => 0.0,
            }
        }
    }

    pub struct Pair {
        first: Element,
        last: Element,
    }

    pub struct Cavity {
        elements: Vec<Element>,
    }

    #[derive(Clone)]
    pub struct Ends {
        ends: [Element; 2],
        turns: usize,
    }

    pub struct Bench {
        pair: Pair,
        all: Vec<Ends>,
    }

    impl Cavity {
        fn length(&self) -> f64 {
            self.elements.iter().map(Element::length).sum()
        }

        fn trace(&self, q: f64) -> f64 {
            self.elements.iter().fold(q, |q, e| e.apply(q))
        }

        fn scale(&mut self, by: f64) {
            for e in self.elements.iter_mut() {
                match e {
                    Element::Space(l) => *l *= by,
                    Element::Mirror { roc } => *roc += by,
                    Element::Stop => {}
                }
            }
        }
    }

    impl Ends {
        fn turned(mut self, x: f64) -> Ends {
            for k in 0..self.turns {
                self.ends[k % 2] = Element::Space(x * (k + 1) as f64);
            }
            self
        }
    }

    fn traced(c: Cavity, q: f64) -> f64 {
        c.trace(q) * c.length()
    }

    fn last(p: &Pair) -> Element {
        p.last
    }

    pub fn listed(x: &[f64]) -> f64 {
        let mut elements = vec![Element::Stop];
        for (k, v) in x.iter().enumerate() {
            elements.push(if k % 2 == 0 {
                Element::Space(*v)
            } else {
                Element::Mirror { roc: *v }
            });
        }
        let mut c = Cavity { elements };
        let before = c.trace(1.0);
        c.scale(x[1]);
        c.elements.push(Element::Space(x[2]));
        before * c.length() + traced(c, x[0])
    }

    pub fn placed(x: &[f64]) -> f64 {
        let mut pair = Pair {
            first: Element::Space(x[0]),
            last: Element::Mirror { roc: x[1] },
        };
        let before = last(&pair).apply(pair.first.apply(x[2]));
        if x[0] > 0.5 {
            pair.first = Element::Mirror { roc: x[2] };
        }
        let ends = Ends {
            ends: [pair.first, Element::Stop],
            turns: 1,
        };
        let bench = Bench {
            all: vec![ends.clone(), ends.turned(x[1] * x[1])],
            pair,
        };
        let mut sum = before;
        for e in &bench.all {
            sum += e.ends.iter().map(|e| e.apply(x[0])).sum::<f64>();
        }
        sum * bench.pair.first.apply(1.0)
    }

    pub fn through(pair: &Pair, x: f64) -> f64 {
        pair.last.apply(pair.first.apply(x * x))
    }

    pub fn made(x: &[f64]) -> Pair {
        Pair {
            first: Element::Space(x[0]),
            last: Element::Mirror { roc: x[1] },
        }
    }
}

#[differentiable]
fn outside(x: &[f64]) -> f64 {
    let pair = cavity::made(x);
    cavity::through(&pair, x[2]) * x[0]
}

#[test]
fn structs_of_enums_alone() {
    scalar!(cavity::listed::AD, cavity::listed)
        .row(806)
        .takes_memory()
        .check(&POINTS);
    scalar!(cavity::placed::AD, cavity::placed)
        .row(806)
        .takes_memory()
        .check(&POINTS);
    scalar!(outside).row(806).check(&POINTS);
}
