//! Types of another file: with lengths, with data in variants, without a derivative of their own.

use crate::imported::matrix::{Dense, space::Arrow};
use crate::imported::space::{Arch, Curve, Shade as Glass, Site, Slope};
use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[differentiable]
mod tiled {
    use crate::imported::space::Tile as Plate;

    fn parts(turn: &Plate<2, 2>) -> (Plate<2, 1>, Plate<1, 2>) {
        let column = Plate([[turn.0[0][0]], [turn.0[1][0]]]);
        (column, column.flipped())
    }

    pub(crate) fn moved(x: &[f64]) -> f64 {
        let turn = Plate([[x[0].cos(), -x[0].sin()], [x[1], x[2] * x[0]]]);
        let (column, line) = parts(&turn);
        let at = turn * column;
        (line * at).0[0][0] * at.0[1][0]
    }
}

#[test]
fn structs_with_lengths() {
    use tiled::moved;
    scalar!(moved).rows(&[297, 310]).check(&POINTS);
}

#[derive(Clone, Debug, Differentiable)]
struct Pane {
    weights: Vec<f64>,
    #[constant]
    glass: Glass,
}

#[derive(Clone, Debug, Differentiable)]
struct Frame {
    pane: Pane,
    depth: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct House {
    frames: Vec<Frame>,
}

#[differentiable]
fn through(pane: &Pane, x: f64) -> f64 {
    let mut sum = 0.0;
    for w in &pane.weights {
        sum += w * x;
    }
    match pane.glass {
        Glass::Clear => sum,
        Glass::Tinted { by, .. } => sum * by as f64,
        Glass::Dark(k) => sum * k,
    }
}

/// A part of what is borrowed is borrowed again.
#[differentiable]
fn through_all(house: &House, x: f64) -> f64 {
    let mut at = x;
    for frame in &house.frames {
        at = through(&frame.pane, at).sin() + frame.depth;
    }
    at
}

#[differentiable]
fn lit(x: &[f64], #[constant] glass: Glass) -> f64 {
    let mut pane = Pane {
        weights: vec![x[0], x[1]],
        glass,
    };
    let mut at = x[2];
    for _ in 0..3 {
        at = through(&pane, at).sin();
        pane = Pane {
            weights: vec![pane.weights[0] * at, pane.weights[1], at],
            ..pane
        };
    }
    at + through(&pane, x[0])
}

#[differentiable]
fn seen(x: &[f64], #[constant] house: &House) -> f64 {
    through_all(house, x[0] * x[1]) * x[2]
}

#[test]
fn enums_in_structs() {
    let until = Some(0.5);
    for glass in [
        Glass::Clear,
        Glass::Tinted { by: 2, until },
        Glass::Dark(0.7),
    ] {
        scalar!(lit::AD.with(glass), |x: &[f64]| lit(x, glass))
            .takes_memory()
            .row(298)
            .step(0.02)
            .check(&POINTS);
        let frame = |depth: f64| Frame {
            pane: Pane {
                weights: vec![0.4, depth],
                glass,
            },
            depth,
        };
        let house = House {
            frames: vec![frame(0.3), frame(-0.8)],
        };
        scalar!(seen::AD.with(&house), |x: &[f64]| seen(x, &house))
            .takes_memory()
            .row(298)
            .check(&POINTS);
    }
}

/// Of the net itself: the sine of `w0 x + w1 x`, and the depth.
#[test]
fn parts_of_what_is_lent() {
    let pane = Pane {
        weights: vec![0.4, 0.3],
        glass: Glass::Clear,
    };
    let house = House {
        frames: vec![Frame { pane, depth: 0.2 }],
    };
    let f = through_all::AD.fix_x(0.9);
    let g = gradient(f, NoPrep, &AutoSource::new(), &house).unwrap();
    let slope = 0.9 * (0.7_f64 * 0.9).cos();
    let found = [&g.frames[0].pane.weights[..], &[g.frames[0].depth]].concat();
    let _row = di_test::rows::row(298);
    assert_close("a frame", &found, &[slope, slope, 1.0], ROUNDING);
}

#[differentiable]
fn below(site: &Site, k: usize, x: &[f64]) -> f64 {
    match site {
        Site::Leaf { letters } => match letters[k] {
            b'A' => x[0],
            b'C' => x[1] * x[2],
            _ => 1.0,
        },
        Site::Fork { below: sites } => {
            let mut product = 1.0;
            for (i, site) in sites {
                product *= below(site, k, x) + x[*i].sin();
            }
            product
        }
    }
}

#[test]
fn trees_of_bytes() {
    let leaf = |text: &str| {
        Box::new(Site::Leaf {
            letters: text.bytes().collect(),
        })
    };
    let fork = Box::new(Site::Fork {
        below: vec![(0, leaf("AC")), (1, leaf("GA"))],
    });
    let tree = Site::Fork {
        below: vec![(2, fork), (1, leaf("CC"))],
    };
    for k in 0..2 {
        scalar!(below::AD.with(&tree, k), |x: &[f64]| below(&tree, k, x))
            .row(298)
            .check(&POINTS);
    }
}

#[differentiable]
fn misfit<C: Curve>(x: &[f64], curve: &C, #[constant] data: &[(f64, f64)]) -> f64 {
    let mut sum = 0.0;
    for &(at, y) in data {
        sum += (curve.height(at * x[0]) * x[1] - y).powi(2);
    }
    sum
}

/// No method is named here.
#[differentiable]
fn of_both(x: &[f64], arc: &Arch, slope: &Slope, #[constant] data: &[(f64, f64)]) -> f64 {
    misfit(x, arc, data) + x[2] * misfit(x, slope, data)
}

#[differentiable]
fn of_arc(x: &[f64], arc: &Arch) -> f64 {
    arc.bent(x[0] * x[1]) * x[2]
}

#[test]
fn methods_of_structs_without_derivatives() {
    let arc = Arch { radius: 2.5 };
    let slope = Slope {
        parts: vec![0.3, -1.2, 0.4],
    };
    let data = [(0.4, 1.0), (0.9, 0.5)];
    scalar!(of_both::AD.with(&arc, &slope, &data), |x: &[f64]| of_both(
        x, &arc, &slope, &data
    ))
    .rows(&[180, 300])
    .check(&POINTS);
    scalar!(of_arc::AD.with(&arc), |x: &[f64]| of_arc(x, &arc))
        .row(300)
        .check(&POINTS);
}

/// `at` is another function than the method.
#[differentiable]
mod far {
    use crate::imported::matrix::Dense;
    use crate::imported::matrix::space::Arrow as Way;

    fn at(x: f64, k: usize) -> f64 {
        x * (1.0 + k as f64)
    }

    pub(crate) fn powers(x: &[f64]) -> f64 {
        let mut m = Dense::new(2, &[x[0], x[1], x[2], x[0] * x[1]]);
        let square = m.squared();
        m[(0, 1)] *= square[(1, 0)];
        m.row_mut(1)[0] += at(x[0], 2);
        let along: f64 = m.row(1).iter().zip(square.row(0)).map(|(a, b)| a * b).sum();
        along + square[(0, 0)] * m[(1, 1)] + m.entries().map(|v| v * v).sum::<f64>()
    }

    pub(crate) fn arrived(x: &[f64]) -> f64 {
        let ways: Vec<Way> = x.iter().map(|v| Way::new(*v, v * v)).collect();
        let end = ways.iter().copied().sum::<Way>();
        let bent: Way = ways.iter().map(|w| *w * w.x()).sum();
        end.x() * bent.y() + end.y()
    }
}

#[differentiable]
fn powers_alone(x: &[f64]) -> f64 {
    let mut m = Dense::new(2, &[x[0], x[1], x[2], x[0] * x[1]]);
    m.row_mut(0)[1] *= x[2];
    m[(1, 0)] += m[(0, 1)] * x[0];
    let doubled: f64 = m.entries().map(|v| 2.0 * v).sum();
    m.squared()[(1, 1)] * doubled
}

#[differentiable]
fn arrived_alone(x: &[f64]) -> f64 {
    let end: Arrow = x.iter().map(|v| Arrow::new(v * v, *v)).sum();
    end.x() * end.y()
}

#[test]
fn bodies_of_other_files() {
    use far::{arrived, powers};
    scalar!(powers)
        .rows(&[290, 306, 309])
        .takes_memory()
        .check(&POINTS);
    scalar!(arrived).rows(&[307, 309]).check(&POINTS);
    scalar!(powers_alone).row(309).takes_memory().check(&POINTS);
    scalar!(arrived_alone).row(309).check(&POINTS);
}
