//! `match` and `if let` on structs.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[4.0, 0.3], &[1.2, 0.8]];

#[derive(Clone, Copy, Differentiable)]
struct Web {
    moment: f64,
    shear: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Ends(f64, f64);

#[derive(Clone, Differentiable)]
struct Beam {
    web: Web,
    order: usize,
    loads: Vec<f64>,
}

#[differentiable]
fn by_fields(x: &[f64]) -> f64 {
    let web = Web {
        moment: x[0] * x[0],
        shear: x[1],
    };
    let a = match web {
        Web { moment, .. } if moment > 10.0 => 10.0 * moment,
        Web { shear, moment } => shear * moment,
    };
    let b = match web {
        Web { shear, .. } if shear > 0.5 => shear * x[0],
        ok => ok.moment + ok.shear,
    };
    let c = match Ends(x[0] * x[1], a) {
        Ends(p, q) if p > q => p * p,
        Ends(p, q) => p * q,
    };
    let d = if let Web {
        moment,
        shear: 0.0..=1.0,
    } = web
    {
        moment * x[1]
    } else {
        x[0]
    };
    a + b * c + d
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let web = Web {
        moment: x[0],
        shear: x[1],
    };
    let mut beam = Beam {
        web,
        order: 2,
        loads: vec![x[0], x[1] * x[1]],
    };
    let mut sum = 0.0;
    for i in 0..4 {
        beam.order = i;
        sum += match &beam {
            Beam {
                web: Web { moment, .. },
                order: 1,
                ..
            } => moment * x[1],
            Beam { loads, order, .. } if *order == 2 => loads[0] * loads[1],
            Beam { web, .. } => web.shear * web.shear,
        };
        match &mut beam {
            Beam {
                web, order: 0 | 3, ..
            } => web.moment *= x[1],
            Beam { loads, .. } => loads[0] += x[0],
        }
    }
    sum * match beam {
        Beam {
            loads, order: 3, ..
        } => loads[0],
        Beam { web, .. } => web.moment,
    }
}

#[differentiable]
mod model {
    pub(crate) struct Soil {
        pub(crate) cohesion: f64,
        pub(crate) friction: f64,
        pub(crate) is_wet: bool,
    }

    impl Soil {
        fn strength(&self, stress: f64) -> f64 {
            match self {
                Soil {
                    is_wet: true,
                    cohesion,
                    ..
                } => cohesion * stress,
                Soil {
                    cohesion, friction, ..
                } => cohesion + stress * friction.tan(),
            }
        }
    }

    pub(crate) fn total(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for is_wet in [true, false] {
            let soil = Soil {
                cohesion: x[0],
                friction: x[1] * 0.5,
                is_wet,
            };
            sum += soil.strength(x[0] * x[1]);
        }
        sum
    }
}

#[test]
fn structs_are_matched_by_their_fields() {
    scalar!(by_fields).row(769).step(0.01).check(&POINTS);
    scalar!(in_a_loop).row(769).takes_memory().check(&POINTS);
    scalar!(model::total::AD, model::total)
        .row(769)
        .check(&POINTS);
}
