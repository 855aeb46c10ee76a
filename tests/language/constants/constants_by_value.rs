//! Constants of one's own types by value.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3], &[1.1, -0.4]];

#[derive(Clone, Copy, PartialEq)]
enum Gait {
    Walk,
    Trot,
}

#[derive(Clone, Copy, Debug, Differentiable, PartialEq)]
struct Pose {
    height: f64,
    pitch: f64,
}

#[differentiable]
fn stepped(p: &Pose, dt: f64, gait: Gait) -> Pose {
    let rate = if gait == Gait::Trot { 2.0 } else { 1.0 };
    Pose {
        height: p.height * rate * dt,
        pitch: p.pitch + rate * p.height,
    }
}

#[differentiable]
mod model {
    #[derive(Clone, Copy)]
    pub(crate) enum Mode {
        Open,
        Choked,
    }

    #[derive(Clone, Debug)]
    pub(crate) struct Flow {
        pub(crate) rates: Vec<f64>,
        pub(crate) loss: f64,
    }

    pub(crate) fn flow(p: &[f64], mode: Mode, n: usize) -> Flow {
        let k = match mode {
            Mode::Open => 1.0,
            Mode::Choked => 0.5,
        };
        Flow {
            rates: (0..n).map(|i| k * p[0] * p[1] / (i + 1) as f64).collect(),
            loss: p[0] * p[0],
        }
    }
}

/// Results are structs, so that operators return their numbers in order.
#[test]
fn functions_that_return_structs_take_enums_by_value() -> Result<(), di::Error> {
    let _row = di_test::rows::row(766);
    let backend = AutoSource::new();
    let pose = Pose {
        height: 0.8,
        pitch: 0.1,
    };
    for (gait, rate) in [(Gait::Walk, 1.0), (Gait::Trot, 2.0)] {
        let j = jacobian(stepped::AD.with(gait).fix_dt(0.3), NoPrep, &backend, &pose)?;
        assert_close("height", j.row(0), &[0.3 * rate, 0.0], ROUNDING);
        assert_close("pitch", j.row(1), &[rate, 1.0], ROUNDING);
    }
    let x = [0.6, 1.5];
    for (mode, k) in [(model::Mode::Open, 1.0), (model::Mode::Choked, 0.5)] {
        let prep = prepare_jacobian(model::flow::AD.with(mode, 2), &backend, &x)?;
        let j = jacobian(model::flow::AD.with(mode, 2), &prep, &backend, &x)?;
        assert_close("first", j.row(0), &[k * x[1], k * x[0]], ROUNDING);
        assert_close(
            "second",
            j.row(1),
            &[k * x[1] / 2.0, k * x[0] / 2.0],
            ROUNDING,
        );
        assert_close("loss", j.row(2), &[2.0 * x[0], 0.0], ROUNDING);
    }
    Ok(())
}

#[derive(Clone)]
struct Series {
    terms: Vec<f64>,
}

/// For calls: a series is not `Copy`.
#[differentiable]
fn summed(x: &[f64], series: Series) -> f64 {
    let mut power = 1.0;
    let mut sum = 0.0;
    for c in &series.terms {
        sum += c * power;
        power *= x[0];
    }
    sum * x[1]
}

#[differentiable]
fn calls(x: &[f64], #[constant] series: &Series) -> f64 {
    let first = series.clone();
    let mut sum = summed(x, first);
    for i in 0..3 {
        sum += summed(&[x[0] * i as f64, x[1]], series.clone()).sin();
    }
    if x[0] > 1.0 {
        sum *= summed(
            x,
            Series {
                terms: vec![0.5, 2.0],
            },
        );
    }
    sum
}

#[test]
fn what_is_not_copied_is_passed_by_other_functions() {
    let series = Series {
        terms: vec![0.3, -1.1, 0.4],
    };
    scalar!(calls::AD.with(&series), |x: &[f64]| calls(x, &series))
        .row(766)
        .takes_memory()
        .check(&POINTS);
}
