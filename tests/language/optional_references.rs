//! Functions and methods that return options and results of references to parts of what they borrow.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.3, 0.7, -0.4], &[1.1, -0.2, 0.6]];

#[derive(Clone, Copy, Debug, Differentiable)]
struct Leg {
    until: f64,
    speed: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Track {
    legs: Vec<Leg>,
    drag: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TrackError {
    Empty,
    Drag,
}

#[differentiable]
impl Track {
    fn leg_at(&self, t: f64) -> Option<&Leg> {
        self.legs.iter().find(|leg| t < leg.until)
    }

    fn leg(&self, i: usize) -> Option<&Leg> {
        if i > 7 {
            return None;
        }
        self.legs.get(i)
    }

    fn fastest(&self) -> Option<&Leg> {
        let mut best = self.legs.first()?;
        for leg in &self.legs {
            if leg.speed > best.speed {
                best = leg;
            }
        }
        Some(best)
    }

    fn validate(&self) -> Result<&Self, TrackError> {
        if self.legs.is_empty() {
            Err(TrackError::Empty)
        } else if self.drag > 5.0 {
            Err(TrackError::Drag)
        } else {
            Ok(self)
        }
    }

    fn speed(&self, t: f64) -> Option<f64> {
        let leg = self.leg_at(t)?;
        Some(leg.speed * leg.speed * self.drag)
    }

    fn checked(&self, t: f64) -> Result<f64, TrackError> {
        Ok(self.validate()?.drag * t + self.validate()?.legs[0].speed)
    }
}

#[differentiable]
fn track_of(x: &[f64]) -> Track {
    let legs = vec![
        Leg {
            until: 0.5,
            speed: x[0] * x[1],
        },
        Leg {
            until: 1.0 + x[2] * x[2],
            speed: x[1].sin(),
        },
        Leg {
            until: 3.0,
            speed: x[2] * 0.4,
        },
    ];
    Track {
        legs,
        drag: 1.3 + x[0] * 0.2,
    }
}

#[differentiable]
fn found(x: &[f64]) -> f64 {
    let track = track_of(x);
    let mut s = track.speed(0.7).unwrap_or(0.0) + track.speed(9.0).unwrap_or(0.25);
    for k in 0..4 {
        if let Some(leg) = track.leg_at(k as f64 * 0.8) {
            s += leg.speed.powi(2) * (k + 1) as f64;
        }
        s += track.leg(k).map_or(0.1, |leg| leg.speed * leg.until);
        let Some(leg) = track.leg(k + 1) else {
            continue;
        };
        s += leg.until.sin();
    }
    match track.fastest() {
        Some(leg) => s * leg.speed,
        None => s,
    }
}

#[differentiable]
fn validated(x: &[f64]) -> f64 {
    let track = track_of(x);
    let bad = Track {
        legs: Vec::new(),
        drag: x[0],
    };
    let s = track.checked(x[1]).unwrap_or(0.0);
    match bad.checked(x[2]) {
        Ok(v) => v,
        Err(TrackError::Empty) => s * s,
        Err(TrackError::Drag) => s,
    }
}

#[differentiable]
fn largest(x: &[f64]) -> Option<&f64> {
    x.iter().max_by(|a, b| a.total_cmp(b))
}

#[differentiable]
fn window(x: &[f64], at: usize) -> Option<&[f64]> {
    if at + 2 > x.len() {
        None
    } else {
        Some(&x[at..at + 2])
    }
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut s = largest(x).copied().unwrap_or(0.0) * 2.0;
    for k in 0..3 {
        if let Some(w) = window(x, k) {
            s += w[0] * w[1] * (k + 1) as f64;
        }
    }
    if let Some(v) = largest(&x[1..]) {
        s *= v.cos();
    }
    s
}

#[differentiable]
mod model {
    pub struct Stage {
        pub gain: f64,
    }

    pub struct Chain {
        pub stages: Vec<Stage>,
        pub scale: f64,
    }

    #[derive(Debug)]
    pub enum Missing {
        Stage(usize),
    }

    impl Chain {
        fn stage(&self, i: usize) -> Result<&Stage, Missing> {
            self.stages.get(i).ok_or(Missing::Stage(i))
        }

        fn last(&self) -> Option<&Stage> {
            self.stages.last()
        }

        pub fn total(&self, n: usize) -> Result<f64, Missing> {
            let mut s = self.scale;
            for i in 0..n {
                s += self.stage(i)?.gain * self.last().map(|l| l.gain).unwrap_or(1.0);
            }
            Ok(s)
        }
    }

    fn chosen(chain: &Chain, i: usize) -> Option<&Stage> {
        chain.stages.get(i).or(chain.stages.last())
    }

    pub fn all(x: &[f64]) -> f64 {
        let stages = x.iter().map(|v| Stage { gain: v.sin() }).collect();
        let chain = Chain {
            stages,
            scale: x[0] * x[0],
        };
        let s = chain.total(2).unwrap_or(0.0);
        let t = match chain.total(9) {
            Ok(v) => v,
            Err(Missing::Stage(k)) => k as f64 * x[1],
        };
        s + t * chosen(&chain, 7).map_or(0.0, |stage| stage.gain)
    }
}

#[test]
fn optional_references_are_returned() {
    scalar!(found).row(650).takes_memory().check(&POINTS);
    scalar!(validated).row(650).takes_memory().check(&POINTS);
    scalar!(parts).row(650).check(&POINTS);
    scalar!(model::all::AD, model::all)
        .row(650)
        .takes_memory()
        .check(&POINTS);
}
