//! Builders: methods by value that are chained, also of structs that borrow.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.55, 0.93, 0.64],
];

#[differentiable]
mod compressors {
    pub struct Gas {
        pub cp: f64,
    }

    #[derive(Clone, Copy)]
    pub struct Stage {
        pub ratio: f64,
        pub cooler: Option<f64>,
    }

    #[derive(Clone)]
    pub struct Compressor<'g> {
        gas: &'g Gas,
        inlet: f64,
        stages: Vec<Stage>,
    }

    impl<'g> Compressor<'g> {
        pub fn new(gas: &'g Gas) -> Self {
            Compressor {
                gas,
                inlet: 1.0,
                stages: vec![],
            }
        }

        pub fn inlet(mut self, t: f64) -> Self {
            self.inlet = t;
            self
        }

        pub fn stage(mut self, ratio: f64) -> Self {
            self.stages.push(Stage {
                ratio,
                cooler: None,
            });
            self
        }

        pub fn cooled(self, ratio: f64, cooler: f64) -> Self {
            let mut c = self.stage(ratio);
            let last = c.stages.len() - 1;
            c.stages[last].cooler = Some(cooler);
            c
        }

        fn work(&self) -> f64 {
            let mut t = self.inlet;
            let mut sum = 0.0;
            for s in &self.stages {
                sum += t * (s.ratio.powi(2) - 1.0);
                t = s.cooler.unwrap_or(t * s.ratio);
            }
            sum * self.gas.cp
        }

        pub fn run(&self) -> f64 {
            self.work() + self.inlet
        }
    }

    pub fn chained(x: &[f64], gas: &Gas) -> f64 {
        Compressor::new(gas).stage(x[0]).stage(x[1]).run()
    }

    pub fn long(x: &[f64], gas: &Gas) -> f64 {
        let c = Compressor::new(gas)
            .inlet(x[0] + 1.0)
            .stage(x[0])
            .cooled(x[1], x[2])
            .stage(x[2])
            .cooled(x[0] * x[1], x[1].sin())
            .stage(1.5)
            .stage(x[1])
            .inlet(x[1] + 2.0)
            .stage(x[2]);
        let with = c.clone().stage(c.run() * 0.1).run();
        with * Compressor::new(gas)
            .stage(Compressor::new(gas).stage(x[2]).run())
            .run()
    }

    pub fn looped(x: &[f64], gas: &Gas) -> f64 {
        let mut c = Compressor::new(gas).stage(x[0]);
        for (k, v) in x.iter().enumerate() {
            c = if k % 2 == 0 {
                c.stage(*v).stage(v * v)
            } else {
                c.cooled(v.sin(), *v).inlet(*v)
            };
        }
        c.run()
    }

    pub fn differentiated(x: &[f64]) -> f64 {
        let gas = Gas { cp: x[2] };
        Compressor::new(&gas)
            .stage(x[0])
            .stage(x[1])
            .cooled(x[0], x[1])
            .run()
    }
}

#[test]
fn of_structs_that_borrow() {
    let gas = compressors::Gas { cp: 0.7 };
    scalar!(compressors::chained::AD.fix_gas(&gas), |x: &[f64]| {
        compressors::chained(x, &gas)
    })
    .row(807)
    .check(&POINTS);
    scalar!(compressors::long::AD.fix_gas(&gas), |x: &[f64]| {
        compressors::long(x, &gas)
    })
    .row(807)
    .check(&POINTS);
    scalar!(compressors::looped::AD.fix_gas(&gas), |x: &[f64]| {
        compressors::looped(x, &gas)
    })
    .row(807)
    .check(&POINTS);
    scalar!(compressors::differentiated::AD, compressors::differentiated)
        .row(807)
        .check(&POINTS);
}

#[differentiable]
mod cavities {
    #[derive(Clone, Copy, Debug)]
    pub enum Element {
        Space(f64),
        Mirror { roc: f64 },
        Stop,
    }

    #[derive(Clone, Debug)]
    pub struct Link {
        prey: usize,
        response: Element,
    }

    #[derive(Clone, Debug, Default)]
    pub struct Cavity {
        elements: Vec<Element>,
    }

    #[derive(Clone, Debug)]
    pub struct Web {
        links: Vec<Link>,
        first: Element,
        extra: Vec<Element>,
        gain: f64,
    }

    impl Element {
        fn apply(&self, q: f64) -> f64 {
            match self {
                Element::Space(l) => q + l,
                Element::Mirror { roc } => q / (1.0 + q * roc),
                Element::Stop => q * 0.5,
            }
        }
    }

    impl Cavity {
        pub fn new() -> Self {
            Cavity { elements: vec![] }
        }

        pub fn stops(n: usize) -> Self {
            let mut elements = Vec::new();
            for k in 0..n {
                elements.push(Element::Stop);
                elements.push(Element::Space(0.25 * k as f64));
            }
            Self { elements }
        }

        pub fn push(mut self, e: Element) -> Self {
            self.elements.push(e);
            self
        }

        pub fn add(&mut self, e: Element) -> &mut Self {
            self.elements.push(e);
            self
        }

        fn trace(&self, q: f64) -> f64 {
            self.elements.iter().fold(q, |q, e| e.apply(q))
        }
    }

    impl Web {
        fn new() -> Web {
            Web {
                links: vec![Link {
                    prey: 1,
                    response: Element::Mirror { roc: 0.3 },
                }],
                first: Element::Space(0.7),
                extra: vec![Element::Stop, Element::Space(0.2)],
                gain: 1.5,
            }
        }

        fn linked(mut self, prey: usize, response: Element) -> Self {
            self.links.push(Link { prey, response });
            self
        }

        fn total(&self, x: &[f64]) -> f64 {
            let links = self.links.iter().map(|l| l.response.apply(x[l.prey]));
            let extra = self.extra.iter().fold(self.gain, |q, e| e.apply(q));
            links.sum::<f64>() * self.first.apply(extra)
        }
    }

    pub fn pushed(x: &[f64]) -> f64 {
        let c = Cavity::new()
            .push(Element::Space(x[0]))
            .push(Element::Mirror { roc: x[1] })
            .push(Element::Stop)
            .push(Element::Mirror { roc: 0.4 });
        c.trace(x[2])
    }

    pub fn begun(x: &[f64]) -> f64 {
        let mut c = Cavity::stops(2).push(Element::Mirror { roc: x[1] });
        c.add(Element::Space(x[0]));
        for v in x {
            c = c.push(Element::Space(v * v));
        }
        let mut none = Cavity::default();
        none.elements.push(Element::Space(x[1]));
        c.trace(x[2]) * Cavity::new().push(Element::Space(x[0])).trace(x[1]) + none.trace(x[0])
    }

    pub fn linked(x: &[f64]) -> f64 {
        let mut web = Web::new()
            .linked(0, Element::Space(x[0]))
            .linked(2, Element::Stop);
        let before = web.total(x);
        web.first = Element::Mirror { roc: x[1] };
        web.gain *= x[2];
        before * web.total(x) + Web::new().total(x)
    }
}

#[test]
fn of_lists_of_enums() {
    scalar!(cavities::pushed::AD, cavities::pushed)
        .row(808)
        .takes_memory()
        .check(&POINTS);
    scalar!(cavities::begun::AD, cavities::begun)
        .row(808)
        .takes_memory()
        .check(&POINTS);
    scalar!(cavities::linked::AD, cavities::linked)
        .row(808)
        .takes_memory()
        .check(&POINTS);
}
