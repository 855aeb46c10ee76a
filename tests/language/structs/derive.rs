//! `#[derive(Differentiable)]`: kinds of fields, as `x` and as the gradient's type.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point(f64, f64, usize);

#[derive(Clone, Debug, Differentiable)]
struct Window<const N: usize> {
    gain: [[f64; N]; 2],
    #[constant]
    offset: f64,
    #[constant]
    table: Vec<f64>,
    name: String,
}

#[derive(Clone, Debug, Differentiable)]
struct Scene {
    origin: Point,
    corners: [Point; 2],
    path: Vec<Point>,
    window: Window<3>,
    letter: char,
}

#[differentiable]
fn area(s: &Scene) -> f64 {
    let a = s.origin.0 * s.origin.1;
    a * s.window.gain[1][2]
}
#[test]
fn nested() {
    let _row = di_test::rows::row(124);
    let p = Point(1.5, 2.0, 3);
    let s = Scene {
        origin: p,
        corners: [p, p],
        path: vec![p; 4],
        window: Window {
            gain: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
            offset: 0.5,
            table: vec![1.0],
            name: "w".into(),
        },
        letter: 'a',
    };
    let g = gradient(area::AD, NoPrep, &AutoSource::new(), &s).unwrap();
    assert_eq!(g.origin, Point(12.0, 9.0, 3));
    assert_close(
        "gain",
        g.window.gain.as_flattened(),
        &[0.0, 0.0, 0.0, 0.0, 0.0, 3.0],
        ROUNDING,
    );
    assert_eq!(
        (
            g.window.offset,
            g.window.name.as_str(),
            g.letter,
            g.path.len()
        ),
        (0.5, "w", 'a', 4)
    );
}
