//! What goes to a function by itself: elements, ranges and rows of fields, constants, slices of structs; and
//! parameters that become fields.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]];

// ---- elements of fields, and constants, that go to functions by themselves ----

const RATE: f64 = 1.75;
static SHIFT: f64 = 0.4;

mod physics {
    pub(super) const G: f64 = 9.81;
    pub(super) struct Planet {
        pub(super) radius: f64,
        pub(super) moons: [f64; 2],
    }
    pub(super) const MARS: Planet = Planet {
        radius: 0.53,
        moons: [0.3, 0.2],
    };
}

#[derive(Clone, Debug, Differentiable)]
struct Weights {
    c: [f64; 3],
    table: [f64; 2],
    rows: [[f64; 2]; 2],
}

#[differentiable]
impl Weights {
    const SCALE: f64 = 0.5;

    fn folded(&self, k: usize) -> f64 {
        scaled(self.c[k], Weights::SCALE) + scaled(Self::SCALE, self.table[0])
    }
}

#[differentiable]
fn scaled(x: f64, a: f64) -> f64 {
    x * a.sin() + a * x.exp()
}

#[differentiable]
fn damped(x: f64, #[constant] a: f64) -> f64 {
    (-a * x).exp()
}

#[differentiable]
fn of_elements(x: &[f64]) -> f64 {
    let w = Weights {
        c: [x[0], x[0] * x[1], x[1]],
        table: [x[1].sin(), x[0]],
        rows: [[x[0], 1.0], [x[1], x[0]]],
    };
    let direct = scaled(w.c[1], w.table[1]) * scaled(w.rows[1][0], RATE);
    let mut total = direct + w.folded(2);
    for k in 0..2 {
        total +=
            scaled(w.c[k], SHIFT) * damped(w.table[k], RATE) + scaled(w.rows[k][1], physics::G);
    }
    let kept = w.c[2];
    total += scaled(physics::MARS.radius, x[0]) + scaled(x[1], physics::MARS.moons[1]);
    total + scaled(kept, kept)
}

#[test]
fn elements_and_constants_alone_as_arguments() {
    scalar!(of_elements).check(&[&[0.7, 1.1], &[0.3, 0.4]]);
}

// ---- parts of fields that are lent ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct Charge {
    q: f64,
    at: [f64; 2],
}

#[derive(Clone, Debug, Differentiable)]
struct Cloud {
    charges: [Charge; 3],
    pair: [Charge; 2],
    shape: [[f64; 2]; 2],
    weights: [f64; 3],
}

#[differentiable]
fn energy(c: &Charge) -> f64 {
    c.q * c.q * (c.at[0] * c.at[1]).sin()
}

#[differentiable]
fn shifted(c: Charge, by: f64) -> f64 {
    c.q * (c.at[0] + by).exp()
}

#[differentiable]
fn product(v: &[f64]) -> f64 {
    v.iter().product()
}

#[differentiable]
fn ratio(v: &[f64; 2]) -> f64 {
    v[0] / (1.0 + v[1] * v[1])
}

#[differentiable]
impl Cloud {
    fn by_index(&self) -> f64 {
        let mut s = 0.0;
        for i in 0..self.charges.len() {
            s += energy(&self.charges[i]) * energy(&self.pair[i % 2]);
        }
        s
    }

    fn by_item(&self) -> f64 {
        let mut s = 1.0;
        for c in &self.charges {
            s *= 1.0 + energy(c);
        }
        let t: f64 = self.pair.iter().map(energy).sum();
        s * t
    }

    fn by_range(&self) -> f64 {
        let n = self.weights.len();
        product(&self.weights[1..]) + product(&self.weights[..n - 1]) * product(&self.shape[1][1..])
    }

    fn by_row(&self) -> f64 {
        ratio(&self.shape[0]) * ratio(&self.shape[1]) + product(&self.shape[0])
    }
}

#[differentiable]
fn of_a_cloud(c: &Cloud) -> f64 {
    let first: Charge = c.charges[0];
    let lent: &[Charge] = &c.charges[1..];
    let mut s = shifted(first, c.weights[0]);
    for one in lent {
        s += energy(one);
    }
    s + c.by_index()
        + c.by_item() * energy(&c.pair[1])
        + c.by_range()
        + c.by_row()
        + product(&c.weights[1..3])
}

#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    let one = Charge {
        q: x[0],
        at: [x[1], 0.3 + x[2]],
    };
    let other = Charge {
        q: x[1] * x[2],
        at: [x[0], x[2]],
    };
    let cloud = Cloud {
        charges: [one, other, one],
        pair: [other, one],
        shape: [[x[0], x[1]], [x[2], x[0] * x[1]]],
        weights: [x[2], x[0].sin(), x[1]],
    };
    of_a_cloud(&cloud)
}

#[test]
fn parts_of_fields_that_are_lent() {
    scalar!(of_numbers).check(&POINTS);
}

// ---- parameters that become fields, and slices of structs that go on as they are ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct Poly<const N: usize> {
    c: [f64; N],
}

#[differentiable]
fn horner<const N: usize>(p: &Poly<N>, x: f64) -> f64 {
    let mut y = 0.0;
    for c in p.c.iter().rev() {
        y = y * x + c;
    }
    y
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Frame {
    origin: [f64; 2],
    axes: [[f64; 2]; 2],
    ends: [Charge; 2],
}

#[differentiable]
fn polynomial<const N: usize>(c: &[f64; N]) -> Poly<N> {
    Poly::<N> { c: *c }
}

#[differentiable]
fn framed(origin: &[f64; 2], axes: &[[f64; 2]; 2], ends: &[Charge; 2]) -> Frame {
    Frame {
        origin: *origin,
        axes: *axes,
        ends: *ends,
    }
}

#[differentiable]
fn total(charges: &[Charge], from: usize) -> f64 {
    if from >= charges.len() {
        return 0.0;
    }
    energy(&charges[from]) + total(charges, from + 1)
}

#[differentiable]
fn twice(charges: &[Charge]) -> f64 {
    let whole = total(charges, 0);
    whole * total(charges, 1)
}

#[differentiable]
fn of_parameters(x: &[f64]) -> f64 {
    let p: Poly<3> = polynomial(&[x[0], x[1], x[2] * x[0]]);
    let end = Charge {
        q: x[1],
        at: [x[2], x[0]],
    };
    let f = framed(
        &[x[0] * x[1], x[2]],
        &[[x[1], x[0]], [x[2], 1.0]],
        &[end, end],
    );
    let of_frame = f.origin[0] * f.axes[1][0] + f.axes[0][1] * f.origin[1];
    let ends: [Charge; 2] = f.ends;
    horner(&p, x[1]) * of_frame + twice(&ends)
}

#[test]
fn parameters_that_become_fields() {
    scalar!(of_parameters).check(&POINTS);
}
