//! `p.f(p)`: the receiver was lent by `&mut`, for lack of knowledge, beside a tangent of the same struct, and the
//! generated code did not compile.

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy, Debug, Differentiable)]
struct P {
    a: f64,
    b: f64,
    w: [f64; 2],
}

#[differentiable]
impl P {
    fn mixed(self, o: P) -> P {
        P {
            b: (self.a * o.b).sin(),
            ..o
        }
    }

    fn grow(&mut self, o: P) {
        self.a = (self.a * o.b).sin();
        self.b = (self.b + o.a * self.a).cos();
    }

    fn turn(&mut self, w: [f64; 2]) {
        self.w[0] += w[1] * self.a;
        self.w[1] = (w[0] * self.w[0]).sin();
    }
}

#[differentiable]
fn by_value(x: &[f64]) -> f64 {
    let mut p = P {
        a: x[0],
        b: x[1],
        w: [x[1], x[2]],
    };
    let q = p.mixed(p);
    p.a *= q.b;
    p.mixed(q).b + p.a
}

#[allow(
    clippy::needless_range_loop,
    clippy::useless_vec,
    reason = "elements of a vector, by index, are what is tested"
)]
#[differentiable]
fn by_reference(x: &[f64]) -> f64 {
    let mut p = P {
        a: x[0],
        b: x[1],
        w: [x[1], x[2]],
    };
    p.grow(p);
    let mut list = vec![
        p,
        P {
            a: x[1],
            b: x[2],
            w: [0.5, x[0]],
        },
    ];
    for i in 0..2 {
        list[i].grow(p);
        p.grow(list[i]);
        p.grow(p);
    }
    p.turn(p.w);
    list[1].turn(p.w);
    p.turn(list[1].w);
    p.a * p.b + list[1].a + p.w[0] * p.w[1] + list[1].w[1]
}

#[test]
fn receivers_are_passed_beside_themselves() {
    let points: [&[f64]; 2] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]];
    scalar!(by_value).check(&points);
    scalar!(by_reference).check(&points);
}
