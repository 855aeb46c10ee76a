//! References to what changes that a branch decides on: results of methods, of `IndexMut`, and variables.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.73, 0.31, 0.92],
    &[0.33, 0.64, 1.41],
    &[1.31, 0.83, 0.46],
];

#[differentiable]
mod places {
    use std::ops::{Index, IndexMut};
    pub(super) struct G {
        c: [f64; 2],
        k: f64,
    }
    impl G {
        fn slot(&mut self, i: usize) -> &mut f64 {
            if i > 1 { &mut self.k } else { &mut self.c[i] }
        }
        fn slot2(&mut self, i: usize) -> &mut f64 {
            match i {
                0 | 1 => &mut self.c[i],
                _ => &mut self.k,
            }
        }
        fn early(&mut self, i: usize) -> &mut f64 {
            if i > 1 {
                return &mut self.k;
            }
            &mut self.c[i]
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut g = G {
            c: [x[0], x[1]],
            k: 1.0,
        };
        *g.slot(2) += x[0];
        *g.slot(1) *= x[1];
        *g.slot2(0) = g.k * x[2];
        *g.early(2) *= x[2];
        *g.early(1) -= g.k;
        let s = g.slot(0);
        *s = *s * *s;
        for i in 0..3 {
            *g.slot2(i) += x[i] * x[0];
            *g.early(i) *= x[2] + i as f64;
        }
        g.k * g.c[1] + g.c[0]
    }
    #[derive(Clone, Copy)]
    pub(super) enum Axis {
        X,
        Y,
        Z,
    }
    #[derive(Clone, Copy)]
    pub(super) struct P {
        x: f64,
        y: f64,
        z: f64,
    }
    impl Index<Axis> for P {
        type Output = f64;
        fn index(&self, a: Axis) -> &f64 {
            match a {
                Axis::X => &self.x,
                Axis::Y => &self.y,
                Axis::Z => &self.z,
            }
        }
    }
    impl IndexMut<Axis> for P {
        fn index_mut(&mut self, a: Axis) -> &mut f64 {
            match a {
                Axis::X => &mut self.x,
                Axis::Y => &mut self.y,
                Axis::Z => &mut self.z,
            }
        }
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let mut p = P {
            x: x[0],
            y: x[1],
            z: x[2],
        };
        for a in [Axis::X, Axis::Y, Axis::Z] {
            p[a] *= x[1];
        }
        p[Axis::Z] = p[Axis::X] * p[Axis::Y];
        p[Axis::X] * p[Axis::Y] + p[Axis::Z] * p.z
    }
    impl Index<usize> for G {
        type Output = f64;
        fn index(&self, a: usize) -> &f64 {
            match a {
                0 => &self.c[0],
                1 => &self.c[1],
                2 => &self.k,
                _ => panic!("no"),
            }
        }
    }
    impl IndexMut<usize> for G {
        fn index_mut(&mut self, a: usize) -> &mut f64 {
            match a {
                0 => &mut self.c[0],
                1 => &mut self.c[1],
                2 => &mut self.k,
                _ => panic!("no {a}"),
            }
        }
    }
    pub(super) struct W {
        g: Vec<G>,
        p: [P; 2],
    }
    impl W {
        fn part(&mut self, up: bool) -> &mut P {
            if up { &mut self.p[0] } else { &mut self.p[1] }
        }
        fn pick(&mut self, k: usize) -> &mut [f64] {
            if k == 0 {
                &mut self.g[0].c
            } else {
                &mut self.g[1].c[..]
            }
        }
    }
    pub(super) fn h(x: &[f64]) -> f64 {
        let mut w = W {
            g: vec![
                G {
                    c: [x[0], x[1]],
                    k: x[2],
                },
                G {
                    c: [x[1], x[2]],
                    k: 2.0,
                },
            ],
            p: [
                P {
                    x: x[0],
                    y: x[1],
                    z: x[2],
                },
                P {
                    x: x[1],
                    y: x[2],
                    z: x[0] * x[1],
                },
            ],
        };
        for i in 0..3 {
            w.g[0][i] += x[0];
            w.g[1][i] *= x[i];
        }
        w.part(true).x += x[2];
        w.part(x[0] > 0.5).y *= x[2];
        w.part(false)[Axis::Y] *= x[0];
        *w.part(false) = P {
            x: x[2],
            y: x[0],
            z: w.p[0].x,
        };
        w.pick(1)[0] *= x[1];
        w.pick(0)[1] = x[1] * x[0];
        w.g[0][1] * w.g[1][2] + w.g[1][0] * w.p[0].x * w.p[0].y + w.p[1].y * w.p[1].z * w.p[1].x
    }
}
#[differentiable]
fn bump(v: &mut f64, by: f64) {
    *v += by * *v;
}
#[differentiable]
fn single(x: &[f64]) -> f64 {
    let (mut p, mut q) = (x[0], x[1]);
    let target = if x[2] > 0.9 { &mut p } else { &mut q };
    *target += x[2] * x[0];
    *(if x[0] > 0.5 { &mut p } else { &mut q }) *= x[1];
    for k in 0..4 {
        let t = match k % 3 {
            0 => &mut p,
            1 => &mut q,
            _ => continue,
        };
        *t = *t * x[2] + k as f64;
        bump(if k > 1 { &mut p } else { &mut q }, x[0]);
    }
    p * q
}

#[test]
fn references_that_branches_choose() {
    scalar!(places::f::AD, places::f).row(900).check(&POINTS);
    scalar!(places::g::AD, places::g).row(900).check(&POINTS);
    scalar!(places::h::AD, places::h)
        .takes_memory()
        .row(900)
        .check(&POINTS);
    scalar!(single::AD, single).row(900).check(&POINTS);
}
