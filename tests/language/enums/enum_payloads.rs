//! What variants may hold, enums of annotated modules, as parameters, and beside constants.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.05, 0.93, 0.64],
];

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Soft,
    Hard(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Bound {
    Free,
    Box([f64; 2]),
}

#[derive(Clone, Debug, Differentiable)]
enum Piece {
    Segment {
        from: Point,
        to: Point,
        kind: Kind,
    },
    Poly(Vec<f64>),
    Table {
        rows: [[f64; 2]; 2],
        n: usize,
        flip: bool,
    },
    Bounded(Bound, Option<f64>),
    Many(Vec<Point>),
    Scaled(#[constant] f64, f64),
    Pair((f64, f64), bool),
    Nothing,
}

#[differentiable]
impl Piece {
    fn value(&self, t: f64) -> f64 {
        match self {
            Piece::Segment { from, to, kind } => {
                let d = (to.x - from.x) * t + from.y * to.y;
                match kind {
                    Kind::Soft => d,
                    Kind::Hard(n) => d * *n as f64,
                }
            }
            Piece::Poly(c) => c.iter().rev().fold(0.0, |s, c| s * t + c),
            Piece::Table {
                rows,
                n,
                flip: false,
            } => rows[*n][0] * t + rows[1][1],
            Piece::Table { rows, n, .. } => rows[0][*n] * rows[1][0] * t,
            Piece::Bounded(Bound::Box([lo, hi]), Some(v)) => (v * t).max(*lo).min(*hi) + lo * hi,
            Piece::Bounded(Bound::Box(b), None) => b[0] * b[1],
            Piece::Bounded(Bound::Free, v) => v.unwrap_or(t),
            Piece::Many(all) => all.iter().map(|p| p.x * p.y * t).sum(),
            Piece::Scaled(k, v) => k * v * t,
            Piece::Pair((a, b), c) => {
                if *c {
                    a * b
                } else {
                    a - b * t
                }
            }
            Piece::Nothing => t,
        }
    }
}

#[differentiable]
fn pieces(x: &[f64]) -> f64 {
    let p = Point { x: x[0], y: x[1] };
    let q = Point { x: x[2], y: 0.3 };
    let all = vec![
        Piece::Segment {
            from: p,
            to: q,
            kind: Kind::Hard(3),
        },
        Piece::Segment {
            to: p,
            from: q,
            kind: Kind::Soft,
        },
        Piece::Poly(vec![x[0], x[1], 0.5, x[2]]),
        Piece::Poly(x.iter().map(|v| v * v).collect()),
        Piece::Table {
            rows: [[x[0], 1.0], [x[1], x[2]]],
            n: 1,
            flip: x[0] > 0.5,
        },
        Piece::Bounded(Bound::Box([0.1, x[2]]), Some(x[0])),
        Piece::Bounded(Bound::Box([x[1], x[2]]), None),
        Piece::Bounded(Bound::Free, Some(x[1])),
        Piece::Many(vec![p, q, p]),
        Piece::Scaled(2.0, x[1]),
        Piece::Pair((x[0], x[2]), true),
        Piece::Pair((x[1], x[2]), false),
        Piece::Nothing,
    ];
    let mut sum = 0.0;
    for (k, piece) in all.iter().enumerate() {
        sum += piece.value(x[k % 3]) * (k as f64 + 1.0);
    }
    sum
}

#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let mut piece = Piece::Poly(vec![x[0]]);
    let mut sum = 0.0;
    for k in 0..5 {
        if let Piece::Poly(c) = &mut piece {
            c.push(x[k % 3]);
            c[0] *= x[1];
        }
        sum += piece.value(x[2]);
        if k == 3 {
            piece = Piece::Many(vec![Point { x: x[0], y: x[1] }]);
        }
    }
    sum
}

#[test]
fn what_variants_hold() {
    scalar!(pieces).row(474).takes_memory().check(&POINTS);
    scalar!(changed).row(474).takes_memory().check(&POINTS);
}

#[differentiable]
mod model {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Law {
        Power(f64, f64),
        Linear { slope: f64 },
        Off,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Load {
        Fixed(f64),
        Wave { a: f64, n: u32 },
    }

    #[derive(Clone, Debug)]
    pub struct Body {
        pub law: Law,
        pub mass: f64,
    }

    impl Law {
        pub fn value(&self, t: f64) -> f64 {
            match *self {
                Law::Power(a, n) => a * (1.0 + t * t).powf(n),
                Law::Linear { slope } => slope * t,
                Law::Off => 0.0,
            }
        }

        pub fn softer(self) -> Self {
            match self {
                Self::Power(a, n) => Self::Power(0.5 * a, n),
                other => other,
            }
        }
    }

    pub fn law(p: &[f64]) -> Law {
        if p[0] > 0.6 {
            Law::Power(p[1], p[2])
        } else if p[0] > 0.2 {
            Law::Linear { slope: p[1] }
        } else {
            Law::Off
        }
    }

    fn load(l: &Load, t: f64) -> f64 {
        match l {
            Load::Fixed(v) => v * t,
            Load::Wave { a, n } => a * (t * *n as f64).sin(),
        }
    }

    const LOADS: [Load; 2] = [Load::Fixed(2.0), Load::Wave { a: 0.4, n: 3 }];
    const LAWS: [Law; 2] = [Law::Linear { slope: 0.7 }, Law::Power(1.2, 0.5)];

    pub fn total(x: &[f64]) -> f64 {
        let own = law(x);
        let body = Body {
            law: own.softer(),
            mass: x[2],
        };
        let mut sum = own.value(x[0]) + body.law.value(x[1]) * body.mass;
        for l in &LOADS {
            sum += load(l, x[1]);
        }
        for l in &LAWS {
            sum += l.value(x[0]) * x[2];
        }
        let chosen = if x[0] > 0.5 { own } else { LAWS[1] };
        sum += chosen.value(x[1]);
        sum + LAWS[0].value(x[2])
    }

    pub fn given(x: &[f64], #[constant] load: &Load) -> f64 {
        match load {
            Load::Fixed(v) => v * x[0],
            Load::Wave { a, .. } => a * x[1],
        }
    }

    /// What is fitted: no function makes one.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Drag {
        Linear(f64),
        Table { at: Vec<f64>, c: f64, order: u32 },
        Vacuum,
    }

    impl Drag {
        fn force(&self, v: f64) -> f64 {
            match self {
                Drag::Linear(k) => k * v,
                Drag::Table { at, c, order } => at[0] * (c * v).powi(*order as i32) + at[1],
                Drag::Vacuum => 0.0,
            }
        }
    }

    pub fn slowed(drag: &Drag, v: f64) -> f64 {
        v - 0.5 * drag.force(v * v)
    }

    pub fn of_law(x: &[f64], #[constant] l: &Law) -> f64 {
        match l {
            Law::Linear { slope } => slope * x[0],
            _ => l.value(x[1]) * x[2] + l.softer().value(x[0]),
        }
    }
}

#[test]
fn enums_of_annotated_modules() {
    use model::{Law, Load};
    scalar!(model::total::AD, model::total)
        .row(475)
        .check(&POINTS);
    let load = Load::Wave { a: 0.3, n: 2 };
    scalar!(model::given::AD.with(&load), |x: &[f64]| model::given(
        x, &load
    ))
    .row(475)
    .check(&POINTS);
    for law in [Law::Power(0.8, 1.5), Law::Linear { slope: 0.3 }, Law::Off] {
        scalar!(model::of_law::AD.with(&law), |x: &[f64]| model::of_law(
            x, &law
        ))
        .row(475)
        .check(&POINTS);
    }
}

#[test]
fn enums_of_modules_are_parameters() -> Result<(), di::Error> {
    use model::Drag;
    let _row = di_test::rows::row(475);
    let table = |at: &[f64], c| Drag::Table {
        at: at.to_vec(),
        c,
        order: 3,
    };
    let v = 1.3_f64;
    let cases = [
        (Drag::Linear(0.4), Drag::Linear(-0.5 * v * v), 1.0 - 0.4 * v),
        (
            table(&[0.3, 0.7], 0.9),
            table(
                &[-0.5 * (0.9 * v * v).powi(3), -0.5],
                -0.45 * 0.81 * v.powi(6),
            ),
            1.0 - 0.9 * 0.729 * v.powi(5),
        ),
    ];
    let numbers = |drag: &Drag| match drag {
        Drag::Linear(k) => vec![*k],
        Drag::Table { at, c, order } => vec![at[0], at[1], *c, f64::from(*order)],
        Drag::Vacuum => vec![],
    };
    for (drag, of_drag, of_v) in cases {
        let (g, slope) = gradient(model::slowed::AD, NoPrep, &AutoSource::new(), &(drag, v))?;
        assert_close("drag", &numbers(&g), &numbers(&of_drag), ROUNDING);
        assert_close("v", &[slope], &[of_v], ROUNDING);
    }
    let g = gradient(
        model::slowed::AD,
        NoPrep,
        &AutoSource::new(),
        &(Drag::Vacuum, v),
    )?;
    assert_eq!(g, (Drag::Vacuum, 1.0));
    Ok(())
}

#[differentiable]
fn compared(x: &[f64]) -> f64 {
    let b = if x[0] > 0.5 {
        Bound::Box([x[1], x[2]])
    } else {
        Bound::Free
    };
    let c = if x[1] > 0.5 { Bound::Free } else { b };
    let mut sum = x[0] * x[1];
    if b == Bound::Free {
        sum *= x[2];
    }
    if Bound::Free != c {
        sum += x[1] * x[1];
    }
    sum
}

#[test]
fn values_that_are_compared() {
    scalar!(compared).row(476).check(&POINTS);
}

#[differentiable]
fn bounded(b: &Bound, x: f64) -> f64 {
    match b {
        Bound::Free => x * x,
        Bound::Box([lo, hi]) => lo * hi.sin() * x,
    }
}

#[test]
fn enums_are_parameters() -> Result<(), di::Error> {
    let _row = di_test::rows::row(477);
    for backend in [0, 1] {
        for b in [Bound::Free, Bound::Box([0.3, 0.8])] {
            let x = (b, 0.7);
            let (of_bound, of_x) = match backend {
                0 => gradient(bounded::AD, NoPrep, &AutoSource::new(), &x)?,
                _ => gradient(bounded::AD, NoPrep, &AutoDual::new(), &x)?,
            };
            let (expected, slope) = match b {
                Bound::Free => (Bound::Free, 1.4),
                Bound::Box([lo, hi]) => (
                    Bound::Box([hi.sin() * 0.7, lo * hi.cos() * 0.7]),
                    lo * hi.sin(),
                ),
            };
            assert_close("x", &[of_x], &[slope], ROUNDING);
            match (of_bound, expected) {
                (Bound::Box(a), Bound::Box(b)) => assert_close("b", &a, &b, ROUNDING),
                (a, b) => assert_eq!(a, b),
            }
        }
    }
    Ok(())
}
