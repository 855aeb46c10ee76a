//! Errors that are enums with texts, with floats that are differentiated, or both; and messages of them.

use di::prelude::*;
use di_test::compare::assert_same;
use di_test::scalar;

const POINTS: [&[f64]; 6] = [
    &[-2.5, 0.8],
    &[-1.3, 1.1],
    &[-0.7, 0.43],
    &[-0.3, 2.1],
    &[2.0, 0.3],
    &[6.0, 1.7],
];

#[derive(Clone, Debug, PartialEq)]
enum Fault {
    Unphysical(&'static str),
    Other(String),
    Both {
        what: &'static str,
        how: Option<String>,
        n: u32,
    },
    NoFlow,
}

#[derive(Clone, Debug, PartialEq)]
enum Outer {
    Flow(Fault),
    Short,
}

impl From<Fault> for Outer {
    fn from(fault: Fault) -> Self {
        Outer::Flow(fault)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Unphysical(what) => write!(f, "{what} is not physical"),
            Fault::Other(text) => f.write_str(text),
            Fault::Both { what, how, n } => write!(f, "{what} {how:?} {n}"),
            Fault::NoFlow => f.write_str("no flow"),
        }
    }
}

#[differentiable]
fn flow(x: f64) -> Result<f64, Fault> {
    if x < -2.0 {
        return Err(Fault::Both {
            what: "far",
            how: Some("left".to_owned()),
            n: 3,
        });
    }
    if x < -1.0 {
        return Err(Fault::Unphysical("x"));
    }
    if x < -0.5 {
        return Err(Fault::Other(format!("level {}", 12)));
    }
    if x < 0.0 {
        Err(Fault::NoFlow)
    } else {
        Ok(x * x)
    }
}

#[differentiable]
fn outer(x: &[f64]) -> Result<f64, Outer> {
    if x.len() < 2 {
        return Err(Outer::Short);
    }
    let first = flow(x[0])?;
    Ok(first * flow(x[1])?)
}

#[differentiable]
fn looked_into(x: &[f64]) -> f64 {
    let mut s = x[1];
    for i in 0..3 {
        let y = x[0] + 0.37 * i as f64 * x[1];
        s += match flow(y) {
            Ok(q) => q,
            Err(Fault::NoFlow) => -50.0 + x[0],
            Err(Fault::Other(text)) => x[0] * text.len() as f64,
            Err(Fault::Both { what, how, n }) => {
                let more = how.map_or(0, |how| how.len());
                x[0] * (what.len() + more) as f64 * f64::from(n)
            }
            Err(Fault::Unphysical(what)) => {
                if what == "x" {
                    2.0 * x[0] * x[1]
                } else {
                    panic!("{what}")
                }
            }
        };
        s += flow(y).unwrap_or_else(|e| match e {
            Fault::Unphysical(what) => what.len() as f64 * y,
            other => other.to_string().len() as f64 * y.cos(),
        });
        if let Err(fault) = flow(y)
            && fault == Fault::Unphysical("x")
        {
            s += y * y;
        }
    }
    s
}

#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    match outer(x) {
        Ok(v) => v,
        Err(Outer::Flow(Fault::Unphysical(what))) => x[0] * what.len() as f64,
        Err(Outer::Flow(other)) if other == Fault::NoFlow => x[1] * x[0],
        Err(e) => {
            if x[1] > 1e3 {
                eprintln!("{e:?}");
            }
            x[0].sin()
        }
    }
}

#[differentiable]
mod model {
    #[derive(Clone, Debug, PartialEq)]
    pub enum Low {
        Dry { level: f64 },
        Empty(&'static str),
    }

    #[derive(Clone, Debug, PartialEq)]
    pub enum High {
        Low(Low),
        Exhausted { at: f64, steps: usize },
        Named(String, [f64; 2]),
        NotFinite,
    }

    impl From<Low> for High {
        fn from(e: Low) -> Self {
            High::Low(e)
        }
    }

    impl std::fmt::Display for High {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match self {
                High::Low(e) => write!(f, "low {e:?}"),
                High::Exhausted { at, .. } => write!(f, "exhausted at {at}"),
                High::Named(name, _) => f.write_str(name),
                High::NotFinite => f.write_str("not finite"),
            }
        }
    }

    fn level(x: f64) -> Result<f64, Low> {
        if x < -1.0 {
            return Err(Low::Empty("tank"));
        }
        if x < 0.5 {
            return Err(Low::Dry { level: x * x });
        }
        Ok(x.sqrt())
    }

    fn step(x: f64) -> Result<f64, High> {
        if x > 5.0 {
            return Err(High::Exhausted { at: x, steps: 3 });
        }
        if x > 1.6 {
            return Err(High::Named("far".to_owned(), [x, x * x]));
        }
        let l = level(x)?;
        if l.is_finite() {
            Ok(l * x)
        } else {
            Err(High::NotFinite)
        }
    }

    pub fn score(x: &[f64]) -> f64 {
        match step(x[0]) {
            Ok(q) => q,
            Err(High::Exhausted { at, steps }) => 1e3 * at * steps as f64 * x[1],
            Err(High::Low(Low::Dry { level })) => level.sin(),
            Err(High::Low(Low::Empty(what))) => what.len() as f64 * x[0] * x[1],
            Err(High::Named(name, [a, b])) => {
                let upper: String = name;
                a * b * upper.len() as f64
            }
            Err(High::NotFinite) => 1e6,
        }
    }

    pub fn looped(x: &[f64]) -> f64 {
        let mut s = x[0];
        for i in 0..4 {
            let y = x[1] * i as f64 + x[0];
            if let Err(Low::Dry { level }) = level(y) {
                s += level * x[1];
            }
            s += step(y).unwrap_or_else(|e| match e {
                High::Exhausted { at, .. } => at * at,
                other => {
                    if y > 1e3 {
                        eprintln!("{other}");
                    }
                    y * x[0]
                }
            });
            s += level(y).map_err(High::from).unwrap_or(0.3 * y);
            s += match step(y) {
                Ok(v) => v,
                Err(e) => {
                    assert!(y < 1e3, "{e} and {:?}", e);
                    -y * y
                }
            };
        }
        s
    }
}

#[derive(Clone, Debug, Differentiable)]
struct State {
    at: [f64; 2],
    past: Vec<f64>,
    #[constant]
    name: &'static str,
}

#[differentiable]
fn written(x: &[f64], #[constant] out: &std::cell::RefCell<String>) -> f64 {
    use std::fmt::Write;
    let state = State {
        at: [x[0], x[1]],
        past: vec![x[0] * x[1]],
        name: "orbit",
    };
    write!(out.borrow_mut(), "{state:?}").unwrap();
    state.at[0] * state.past[0]
}

#[test]
fn errors_with_texts() {
    scalar!(looked_into).row(692).takes_memory().check(&POINTS);
    scalar!(handed_on).row(692).takes_memory().check(&POINTS);
}

#[test]
fn errors_of_modules_with_floats() {
    scalar!(model::score::AD, model::score)
        .row(693)
        .takes_memory()
        .check(&POINTS);
    scalar!(model::looped::AD, model::looped)
        .row(693)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn derived_values_are_written() {
    let _row = di_test::rows::row(694);
    let out = std::cell::RefCell::default();
    gradient(
        written::AD.with(&out),
        NoPrep,
        &AutoSource::new().reverse(),
        &[0.5, 2.0],
    )
    .unwrap();
    let expected = "State { at: [0.5, 2.0], past: [1.0], name: \"orbit\" }";
    assert_same("text", &out.borrow().contains(expected), &true);
}
