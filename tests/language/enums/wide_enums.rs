//! Enums and structs without floats whose indices do not fit in a number.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 5] = [
    &[3.0, 0.3, 2.0, 0.7],
    &[1.0, 0.4, 2.2, 0.6],
    &[5.0, 0.3, 2.0, 0.7],
    &[7.0, 0.3, 2.0, 0.9],
    &[0.2, -0.3, 0.1, -0.7],
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Wall(usize),
    Hit(usize, usize),
    Four {
        a: usize,
        b: isize,
        c: usize,
        d: usize,
        is_last: bool,
    },
    Rest,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    from: usize,
    to: usize,
    step: usize,
}

#[differentiable]
fn next_event(x: &[f64]) -> (f64, Event) {
    let mut best = (10.0, Event::Rest);
    for i in 0..2 {
        if x[2 * i] < best.0 {
            best = (x[2 * i] * x[2 * i + 1], Event::Wall(i));
        }
        for j in 0..i {
            if x[2 * j] > 4.0 {
                best = (x[2 * j] * x[2 * i + 1], Event::Hit(i, j));
            }
            if x[2 * j] > 6.0 {
                let event = Event::Four {
                    a: usize::MAX,
                    b: -3,
                    c: i,
                    d: j,
                    is_last: true,
                };
                best = (x[2 * j], event);
            }
        }
    }
    best
}

#[differentiable]
fn span(x: f64, n: usize) -> Option<(Span, f64)> {
    let mut s = Span {
        from: 0,
        to: n,
        step: 1,
    };
    s.step += 1;
    if x > 0.0 { Some((s, x * x)) } else { None }
}

#[differentiable]
fn play(x: &[f64]) -> f64 {
    let (dt, event) = next_event(x);
    let mut s = match event {
        Event::Wall(i) => dt * x[2 * i],
        Event::Hit(i, j) => x[2 * i + 1] * x[2 * j + 1] * dt,
        Event::Four {
            a,
            b,
            c,
            d,
            is_last,
            ..
        } => {
            if a == usize::MAX && is_last {
                x[2 * c] * x[2 * d] * b as f64
            } else {
                0.0
            }
        }
        Event::Rest => 0.0,
    };
    let mut seen = Vec::new();
    for _ in 0..2 {
        seen.push(next_event(x).1);
    }
    for e in &seen {
        if let Event::Hit(i, _) = e {
            s += x[2 * *i];
        }
        if *e == Event::Wall(1) {
            s *= x[3];
        }
    }
    if let Some((Span { from, to, step }, w)) = span(x[1], 5) {
        for k in (from..to).step_by(step) {
            s += w * k as f64;
        }
    }
    s
}

#[differentiable]
mod inside {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Move {
        Jump { from: usize, to: usize },
        Stay,
    }

    fn chosen(x: &[f64]) -> Result<Move, usize> {
        if x[0] > 6.0 {
            return Err(3);
        }
        Ok(match x[0] > x[2] {
            true => Move::Jump { from: 0, to: 2 },
            false => Move::Stay,
        })
    }

    pub fn moved(x: &[f64]) -> f64 {
        match chosen(x) {
            Ok(Move::Jump { from, to }) => x[from] * x[to],
            Ok(Move::Stay) => x[1].sin(),
            Err(k) => x[k].exp(),
        }
    }
}

#[test]
fn enums_with_several_indices() {
    scalar!(play).row(695).check(&POINTS);
    scalar!(inside::moved::AD, inside::moved)
        .row(695)
        .check(&POINTS);
}
