//! Trait objects that functions of an annotated module make of what is differentiated: in boxes, in lists, in structs,
//! and behind references.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.3, 0.7], &[0.6, 0.7], &[0.8, 0.4]];

#[differentiable]
mod web {
    pub trait Response {
        fn eat(&self, prey: f64) -> f64;
        fn twice(&self, n: f64) -> f64 {
            self.eat(n) * 2.0
        }
    }
    pub struct Linear(pub f64);
    pub struct Holling {
        pub a: f64,
        pub h: f64,
    }
    pub struct Sine;
    impl Response for Linear {
        fn eat(&self, n: f64) -> f64 {
            self.0 * n
        }
    }
    impl Response for Holling {
        fn eat(&self, n: f64) -> f64 {
            self.a * n / (1.0 + self.a * self.h * n)
        }
    }
    impl Response for Sine {
        fn eat(&self, n: f64) -> f64 {
            n.sin()
        }
    }
    fn response(linear: bool, p: &[f64]) -> Box<dyn Response> {
        if linear {
            Box::new(Linear(p[0]))
        } else {
            Box::new(Holling { a: p[0], h: p[1] })
        }
    }
    pub(super) fn f(p: &[f64]) -> f64 {
        let links: Vec<_> = [true, false].iter().map(|&l| response(l, p)).collect();
        links.iter().map(|r| r.eat(2.0)).sum()
    }
    fn total(laws: &[Box<dyn Response>], u: f64) -> f64 {
        let mut s = 0.0;
        for law in laws {
            s += law.twice(u);
        }
        s
    }
    fn one(law: &dyn Response, u: f64) -> f64 {
        law.eat(u * u)
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let mut laws: Vec<Box<dyn Response>> = vec![
            Box::new(Linear(x[0])),
            Box::new(Holling { a: x[1], h: 0.3 }),
            Box::new(Sine),
        ];
        laws.push(Box::new(Linear(x[1] * x[0])));
        let lin = Linear(x[0].exp());
        let a = one(&lin, x[1]) + one(laws[1].as_ref(), x[0]) + one(&*laws[2], x[1]);
        let l: &dyn Response = if x[0] > 0.5 { &lin } else { &Sine };
        a + total(&laws, x[0] * x[1]) * l.eat(x[0])
    }
    pub(super) fn h(x: &[f64]) -> f64 {
        let b: Box<dyn Response> = match x.len() {
            0 => Box::new(Sine),
            1 => Box::new(Linear(x[0])),
            _ => Box::new(Holling { a: x[0], h: x[1] }),
        };
        let (lin, hol) = (Linear(x[0]), Holling { a: x[1], h: x[0] });
        let all: [&dyn Response; 2] = [&lin, &hol];
        let mut s = b.eat(x[0]);
        for r in all {
            s += r.eat(x[1]);
        }
        for r in all.iter() {
            s *= r.eat(x[1]);
        }
        for r in [&lin as &dyn Response, &hol] {
            s += r.twice(x[1]).sin();
        }
        s
    }
}
#[differentiable]
mod rig {
    pub trait Law {
        fn force(&self, u: f64) -> f64;
        fn energy(&self, u: f64) -> f64;
    }
    #[derive(Clone)]
    pub struct Linear {
        k: f64,
    }
    #[derive(Clone)]
    pub struct Poly {
        c: Vec<f64>,
        order: usize,
    }
    impl Linear {
        fn new(k: f64) -> Self {
            Self { k }
        }
    }
    impl Law for Linear {
        fn force(&self, u: f64) -> f64 {
            self.k * u
        }
        fn energy(&self, u: f64) -> f64 {
            0.5 * self.k * u * u
        }
    }
    impl Law for Poly {
        fn force(&self, u: f64) -> f64 {
            self.c
                .iter()
                .enumerate()
                .map(|(i, c)| c * u.powi(i as i32))
                .sum()
        }
        fn energy(&self, u: f64) -> f64 {
            let mut s = 0.0;
            for i in 0..=self.order {
                s += self.c[i] * u.powi(i as i32 + 1) / (i as f64 + 1.0);
            }
            s
        }
    }
    pub struct Rig {
        laws: Vec<Box<dyn Law>>,
        mass: f64,
    }
    impl Rig {
        fn new(mass: f64) -> Self {
            Self {
                laws: Vec::new(),
                mass,
            }
        }
        fn with(mut self, law: Box<dyn Law>) -> Self {
            self.laws.push(law);
            self
        }
        fn add(&mut self, law: impl Law + 'static) {
            self.laws.push(Box::new(law));
        }
        fn force(&self, u: f64) -> f64 {
            self.laws.iter().map(|l| l.force(u)).sum::<f64>() / self.mass
        }
        fn step(&self, s: [f64; 2], dt: f64) -> [f64; 2] {
            let v = s[1] - dt * self.force(s[0]);
            [s[0] + dt * v, v]
        }
    }
    struct Single {
        law: Box<dyn Law>,
    }
    impl Single {
        fn at(&self, u: f64) -> f64 {
            self.law.force(u)
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let rig = Rig {
            laws: vec![
                Box::new(Linear::new(x[0])),
                Box::new(Poly {
                    c: vec![x[1], x[0] * x[1], 0.3],
                    order: 2,
                }),
            ],
            mass: x[1],
        };
        let mut s = [1.0, x[0]];
        for _ in 0..5 {
            s = rig.step(s, 0.1);
        }
        s[0] * s[1] + rig.laws[0].energy(s[0])
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let mut rig = Rig::new(2.0)
            .with(Box::new(Linear::new(x[0])))
            .with(Box::new(Poly {
                c: vec![x[1]; 3],
                order: 2,
            }));
        rig.add(Linear::new(x[0] * x[1]));
        rig.force(x[1])
    }
    pub(super) fn h(x: &[f64]) -> f64 {
        let one = Single {
            law: Box::new(Linear { k: x[0] * x[1] }),
        };
        one.at(x[1])
    }
}
#[differentiable]
mod lent {
    pub trait Law {
        fn force(&self, u: f64) -> f64;
        fn advance(&mut self, dt: f64);
        fn name(&self) -> String;
    }
    pub trait Named {
        fn weight(&self) -> f64 {
            2.0
        }
    }
    #[derive(Clone, Copy)]
    pub struct Linear {
        k: f64,
    }
    pub struct Cubic {
        a: f64,
        b: f64,
        n: usize,
    }
    pub struct Fixed {
        n: usize,
    }
    impl Law for Linear {
        fn force(&self, u: f64) -> f64 {
            self.k * u
        }
        fn advance(&mut self, dt: f64) {
            self.k *= 1.0 + dt;
        }
        fn name(&self) -> String {
            "linear".into()
        }
    }
    impl Law for Cubic {
        fn force(&self, u: f64) -> f64 {
            if u > 0.5 {
                return self.a * u;
            }
            self.a * u + self.b * u * u * u * self.n as f64
        }
        fn advance(&mut self, dt: f64) {
            self.a += dt * self.b;
            self.n += 1;
        }
        fn name(&self) -> String {
            "cubic".into()
        }
    }
    impl Law for Fixed {
        fn force(&self, u: f64) -> f64 {
            u.powi(self.n as i32)
        }
        fn advance(&mut self, _dt: f64) {}
        fn name(&self) -> String {
            "fixed".into()
        }
    }
    impl Named for Cubic {
        fn weight(&self) -> f64 {
            self.b
        }
    }
    impl Named for Fixed {}
    fn over(laws: &[&dyn Law], u: f64) -> f64 {
        laws.iter().map(|l| l.force(u)).sum()
    }
    fn pick<'a>(a: &'a Linear, b: &'a Cubic, first: bool) -> &'a dyn Law {
        if first { a } else { b }
    }
    fn maybe(k: f64) -> Option<Box<dyn Law>> {
        if k > 0.0 {
            Some(Box::new(Linear { k }))
        } else {
            None
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let (lin, cub) = (
            Linear { k: x[0] },
            Cubic {
                a: x[1],
                b: x[0],
                n: 1,
            },
        );
        let all: [&dyn Law; 2] = [&lin, &cub];
        let same: Vec<&dyn Law> = vec![&lin, &lin];
        let mut more: Vec<&dyn Law> = Vec::new();
        more.push(&lin);
        more.push(&cub);
        let c = over(&[&lin, &cub], 0.3);
        let d = over(&[&lin], 0.3);
        let a = over(&all, x[0]);
        let b = over(&same, x[1]) * over(&more, x[1]);
        let e: f64 = pick(&lin, &cub, x[0] > 0.0).force(x[1]);
        a + b + c + d + e
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let mut laws: Vec<Box<dyn Law>> = vec![
            Box::new(Linear { k: x[0] }),
            Box::new(Cubic {
                a: x[1],
                b: x[0],
                n: 1,
            }),
            Box::new(Fixed { n: 2 }),
        ];
        let mut s = 0.0;
        for k in 0..3 {
            for l in laws.iter_mut() {
                l.advance(0.1 * x[0]);
            }
            laws[k].advance(x[1]);
            s += laws.iter().map(|l| l.force(x[1])).sum::<f64>() * x[0];
        }
        if let Some(l) = maybe(x[0]) {
            s += l.force(x[1]);
        }
        let best = laws.iter().map(|l| l.force(0.3)).fold(f64::MIN, f64::max);
        s + best
    }
    struct Body<'a> {
        law: &'a dyn Law,
        mass: f64,
    }
    impl Body<'_> {
        fn acc(&self, u: f64) -> f64 {
            self.law.force(u) / self.mass
        }
    }
    pub(super) fn h(x: &[f64]) -> f64 {
        let lin = Linear { k: x[0] };
        let b = Body {
            law: &lin,
            mass: x[1],
        };
        let mut l: &dyn Law = &lin;
        let c = Cubic {
            a: x[1],
            b: x[0],
            n: 1,
        };
        let mut s = b.acc(x[1]);
        for i in 0..3 {
            s += l.force(s);
            if i == 1 {
                l = &c;
            }
        }
        let named: Vec<Box<dyn Named>> = vec![Box::new(c), Box::new(Fixed { n: 1 })];
        s * named.iter().map(|n| n.weight()).sum::<f64>()
    }
    fn bump(l: &mut dyn Law, dt: f64) {
        l.advance(dt);
        l.advance(dt);
    }
    pub(super) fn k(x: &[f64]) -> f64 {
        let mut lin = Linear { k: x[0] };
        bump(&mut lin, x[1]);
        let mut b: Box<dyn Law> = Box::new(lin);
        bump(b.as_mut(), 0.2);
        bump(&mut *b, x[0]);
        b.force(x[1]) + lin.k
    }
}

#[differentiable]
mod shared {
    use std::rc::Rc;
    use std::sync::Arc;
    pub trait Law {
        fn force(&self, u: f64) -> f64;
    }
    pub struct Linear {
        k: f64,
    }
    pub struct Cubic {
        a: f64,
    }
    impl Law for Linear {
        fn force(&self, u: f64) -> f64 {
            self.k * u
        }
    }
    impl Law for Cubic {
        fn force(&self, u: f64) -> f64 {
            self.a * u * u * u
        }
    }
    type Laws = Vec<Arc<dyn Law + Send + Sync>>;
    fn make(kind: &str, k: f64) -> Result<Box<dyn Law>, String> {
        match kind {
            "lin" => Ok(Box::new(Linear { k })),
            "cub" => Ok(Box::new(Cubic { a: k })),
            _ => Err(format!("no {kind}")),
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let laws: Vec<Rc<dyn Law>> = vec![Rc::new(Linear { k: x[0] }), Rc::new(Cubic { a: x[1] })];
        let first = Rc::clone(&laws[0]);
        let second = laws[1].clone();
        laws.iter().map(|l| l.force(x[1])).sum::<f64>() + first.force(second.force(x[0]))
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let mut laws: Laws = Vec::new();
        for (i, v) in x.iter().enumerate() {
            if i % 2 == 0 {
                laws.push(Arc::new(Linear { k: *v }));
            } else {
                laws.push(Arc::new(Cubic { a: *v }));
            }
        }
        let mut s = 0.0;
        for l in &laws {
            s += l.force(x[0]);
        }
        let made: Result<Vec<Box<dyn Law>>, String> =
            ["lin", "cub"].iter().map(|k| make(k, x[1])).collect();
        s + made.unwrap().iter().map(|l| l.force(s)).sum::<f64>()
    }
    pub(super) fn h(x: &[f64]) -> Option<f64> {
        let l = make("lin", x[0]).ok()?;
        let laws: [Box<dyn Law>; 2] = [l, make("cub", x[1]).ok()?];
        let [a, b] = laws;
        Some(a.force(x[1]) * b.force(x[0]))
    }
    pub(super) fn k(x: &[f64]) -> f64 {
        h(x).unwrap_or(0.0)
    }
    pub struct Stack {
        layers: Vec<(f64, Box<dyn Law>)>,
        top: Option<Box<dyn Law>>,
    }
    impl Stack {
        fn total(&self, u: f64) -> f64 {
            let s: f64 = self.layers.iter().map(|(w, l)| w * l.force(u)).sum();
            match &self.top {
                Some(l) => s + l.force(u),
                None => s,
            }
        }
    }
    pub(super) fn l(x: &[f64]) -> f64 {
        let mut st = Stack {
            layers: vec![
                (x[0], Box::new(Linear { k: x[1] }) as Box<dyn Law>),
                (0.5, Box::new(Cubic { a: x[0] })),
            ],
            top: None,
        };
        let a = st.total(x[1]);
        st.top = Some(Box::new(Linear { k: x[0] }));
        a + st.total(x[0])
    }
}
#[test]
fn shared_objects() {
    scalar!(shared::f::AD, shared::f).row(850).check(&POINTS);
    scalar!(shared::g::AD, shared::g).row(850).check(&POINTS);
    scalar!(shared::k::AD, shared::k).row(850).check(&POINTS);
    scalar!(shared::l::AD, shared::l).row(851).check(&POINTS);
}

#[differentiable]
mod mixed {
    pub trait Law {
        fn force(&self, u: f64) -> f64;
    }
    pub struct Linear {
        pub k: f64,
    }
    pub struct Cubic {
        pub a: f64,
    }
    impl Law for Linear {
        fn force(&self, u: f64) -> f64 {
            self.k * u
        }
    }
    impl Law for Cubic {
        fn force(&self, u: f64) -> f64 {
            self.a * u * u * u
        }
    }
    pub(super) fn given(x: &[f64], laws: &[Box<dyn Law>]) -> f64 {
        laws.iter().map(|l| l.force(x[0] * x[1])).sum()
    }
    pub(super) fn made(x: &[f64]) -> f64 {
        let laws: Vec<Box<dyn Law>> =
            vec![Box::new(Linear { k: x[0] }), Box::new(Cubic { a: 2.0 })];
        laws.iter().map(|l| l.force(x[1])).sum()
    }
    pub(super) fn fixed() -> Vec<Box<dyn Law>> {
        vec![Box::new(Linear { k: 2.0 }), Box::new(Cubic { a: 3.0 })]
    }
    pub(super) fn of_constants(x: &[f64]) -> f64 {
        fixed().iter().map(|l| l.force(x[0])).sum::<f64>() * x[1]
    }
}
#[test]
fn objects_that_are_given_beside_those_that_are_made() {
    let laws = mixed::fixed();
    scalar!(mixed::given::AD.with(&laws), |x: &[f64]| mixed::given(
        x, &laws
    ))
    .row(850)
    .check(&POINTS);
    scalar!(mixed::made::AD, mixed::made)
        .row(850)
        .check(&POINTS);
    scalar!(mixed::of_constants::AD, mixed::of_constants)
        .row(850)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn boxes() {
    scalar!(web::f::AD, web::f).row(850).check(&POINTS);
    scalar!(web::g::AD, web::g).row(850).check(&POINTS);
    scalar!(web::h::AD, web::h).rows(&[850, 852]).check(&POINTS);
}

#[test]
fn boxes_in_structs() {
    scalar!(rig::f::AD, rig::f)
        .row(851)
        .takes_memory()
        .check(&POINTS);
    scalar!(rig::g::AD, rig::g)
        .row(851)
        .takes_memory()
        .check(&POINTS);
    scalar!(rig::h::AD, rig::h).row(851).check(&POINTS);
}

#[test]
fn references_to_objects() {
    scalar!(lent::f::AD, lent::f).row(852).check(&POINTS);
    scalar!(lent::g::AD, lent::g).row(852).check(&POINTS);
    scalar!(lent::h::AD, lent::h).row(852).check(&POINTS);
    scalar!(lent::k::AD, lent::k).row(852).check(&POINTS);
}
