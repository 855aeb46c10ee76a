//! Macros of one's own: in the function, in the annotated module, and above in the file.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.3, 0.7, -0.4], &[1.6, 0.7, 0.9], &[0.8, -0.4, 1.7]];

macro_rules! square {
    ($e:expr) => {{
        let t = $e;
        t * t
    }};
}

/// By the scheme of Horner.
macro_rules! polynomial {
    ($x:expr; $c:expr) => { $c };
    ($x:expr; $c:expr, $($rest:expr),+ $(,)?) => { $c + $x * polynomial!($x; $($rest),+) };
}

macro_rules! total {
    ($($e:expr),* $(,)?) => { 0.0 $(+ $e)* };
}

/// It binds a name that callers have too.
macro_rules! bump {
    ($s:ident += $e:expr) => {
        let d = $e;
        $s += d * d;
    };
}

#[derive(Clone, Differentiable)]
struct Spring {
    t: f64,
}

macro_rules! stretched {
    ($s:expr, $by:expr) => {{
        let t = $s.t * $by;
        Spring { t }
    }};
}

#[differentiable]
fn hygienic(x: &[f64]) -> f64 {
    let t = x[0];
    square!(t + x[1]) * square!(square!(t)) + t
}

#[differentiable]
fn of_rules(x: &[f64]) -> f64 {
    polynomial!(x[0]; 1.0, x[1], x[2] - x[0], 3.0,) * total!(x[0].sin(), x[1] * x[2], x[0] - x[2],)
}

#[differentiable]
fn of_statements(x: &[f64]) -> f64 {
    let mut s = x[0];
    let d = x[1];
    bump!(s += x[2] * d);
    for v in x {
        bump!(s += v - d);
    }
    assert!(square!(s) >= 0.0, "never {}", square!(s));
    s
}

#[differentiable]
fn of_structs(x: &[f64], #[constant] spring: &Spring) -> f64 {
    let t = x[2];
    let longer = stretched!(spring, x[0] * t);
    longer.t * square!(x[0] * spring.t) * x[1]
}

#[differentiable]
fn in_the_function(x: &[f64]) -> f64 {
    macro_rules! cross {
        ($a:expr, $b:expr, $i:tt, $j:tt) => {
            $a[$i] * $b[$j] - $a[$j] * $b[$i]
        };
    }
    macro_rules! twice {
        ($a:expr) => {
            $a * 2.0
        };
    }
    let y = [x[2], x[0] * x[1], x[1]];
    cross!(x, y, 0, 1) + cross!(x, y, 1, 2).powi(2) - twice!(x[2] - x[0]).sin() - twice!(-x[1])
}

/// Each call takes the declaration before it.
#[differentiable]
fn of_declarations(x: &[f64]) -> f64 {
    let a = square!(x[0]);
    macro_rules! square {
        ($e:expr) => {
            $e * 2.0
        };
    }
    let b = square!(x[1]);
    let c = {
        macro_rules! square {
            ($e:expr) => {
                x[0] * $e
            };
        }
        square!(x[2])
    };
    a * b + c - square!(x[2]).sin()
}

#[differentiable]
mod shapes {
    macro_rules! shape {
        ($($name:ident { $($f:ident),* } => |$s:ident| $area:expr),* $(,)?) => { $(
            #[derive(Clone, Copy)]
            pub struct $name { $(pub $f: f64),* }
            impl Area for $name {
                fn area(&self) -> f64 {
                    let $s = self;
                    $area
                }
            }
        )* };
    }
    macro_rules! vector {
        ($t:ident, $($f:ident),+) => {
            impl std::ops::Add for $t {
                type Output = $t;
                fn add(self, o: $t) -> $t {
                    $t { $($f: self.$f + o.$f),+ }
                }
            }
            impl std::ops::Mul<f64> for $t {
                type Output = $t;
                fn mul(self, k: f64) -> $t {
                    $t { $($f: self.$f * k),+ }
                }
            }
        };
    }
    macro_rules! getter {
        ($name:ident, $f:ident) => {
            fn $name(&self) -> f64 {
                self.$f * 2.0
            }
        };
    }
    pub trait Area {
        fn area(&self) -> f64;
    }
    shape! {
        Circle { r } => |s| 3.0 * s.r * s.r,
        Rect { w, h } => |s| s.w * s.h,
    }
    #[derive(Clone, Copy)]
    pub struct V {
        pub x: f64,
        pub y: f64,
    }
    vector!(V, x, y);
    impl V {
        getter!(dx, x);
        getter!(dy, y);
    }
    pub fn f(x: &[f64]) -> f64 {
        let c = Circle { r: x[0] };
        let r = Rect { w: x[1], h: x[2] };
        let v = (V { x: x[0], y: x[1] } + V { x: x[2], y: 1.0 }) * c.area();
        v.x * v.y + r.area() + v.dx() * v.dy()
    }
    macro_rules! cube {
        ($e:expr) => {{
            let t = $e;
            t * t * t
        }};
    }
    pub fn g(x: &[f64]) -> f64 {
        let t = x[2];
        cube!(x[0] * x[1] + t) + cube!(t)
    }
}

#[test]
fn macros_of_the_file_and_of_functions() {
    scalar!(hygienic).row(867).check(&POINTS);
    scalar!(of_rules).row(867).check(&POINTS);
    scalar!(of_statements).row(867).check(&POINTS);
    scalar!(of_declarations).row(867).check(&POINTS);
    let spring = Spring { t: 1.5 };
    scalar!(of_structs::AD.with(&spring), |x: &[f64]| of_structs(
        x, &spring
    ))
    .row(867)
    .check(&POINTS);
    scalar!(in_the_function).row(867).check(&POINTS);
}

#[test]
fn macros_that_write_items() {
    scalar!(shapes::f::AD, shapes::f).row(868).check(&POINTS);
    scalar!(shapes::g::AD, shapes::g).row(867).check(&POINTS);
}
