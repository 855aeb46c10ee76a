//! Types that nothing tells where a value is made, and that its uses tell: integers in fields, structs that calls
//! give, constants of foreign types.

use di::prelude::*;
use di_test::scalar;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]];

// ---- integers in fields ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct Grid {
    width: f64,
    columns: usize,
    rows: usize,
    order: i32,
    shift: u8,
}

#[differentiable]
impl Grid {
    fn of(width: f64) -> Grid {
        Grid {
            width,
            columns: 3,
            rows: 2,
            order: 3,
            shift: 2,
        }
    }

    fn cells(&self) -> f64 {
        (self.columns * self.rows) as f64
    }

    fn grown(&self, other: &Grid) -> Grid {
        Grid {
            columns: self.columns + other.columns,
            ..*self
        }
    }

    fn grow(&mut self, by: &Grid) {
        self.rows += by.rows;
    }

    fn count(&self) -> usize {
        self.columns * self.rows + 1
    }
}

#[differentiable]
fn integers_of_fields(x: &[f64]) -> f64 {
    let mut g = Grid {
        width: x[0],
        ..Grid::of(x[1])
    };
    let mut s = g.width * g.cells();
    s += g.columns.pow(2) as f64 * x[1] + g.rows.abs_diff(g.columns) as f64 * x[2];
    for k in 0..g.columns * g.rows {
        s += x[k % x.len()] * (1u32 << g.shift) as f64 * k as f64;
    }
    if g.order % 2 == 1 {
        s *= g.width;
    }
    s += x[1].powi(g.order - 1) * g.order.max(2) as f64;
    let other: Grid = Grid::of(1.0);
    g.grow(&other);
    let wide: Grid = g.grown(&g);
    s * wide.count() as f64 + wide.columns as f64 * x[2] + wide.rows as f64
}

#[test]
fn fields_that_are_integers() {
    scalar!(integers_of_fields).row(124).check(&POINTS);
}

// ---- structs that calls give ----

#[derive(Clone, Copy, Debug, Differentiable, PartialEq)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl V {
    fn new(x: f64, y: f64) -> Self {
        V { x, y }
    }

    fn zero() -> V {
        V { x: 0.0, y: 0.0 }
    }

    fn norm(self) -> f64 {
        self.x.hypot(self.y)
    }

    fn abs(self) -> f64 {
        self.x * self.x - self.y
    }

    fn turned(self) -> V {
        V {
            x: -self.y,
            y: self.x * self.x,
        }
    }

    fn dot(&self, o: &V) -> f64 {
        self.x * o.x + 2.0 * self.y * o.y
    }

    fn push(&mut self, by: f64) {
        self.x += by * self.y;
    }
}

#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V::new(self.x + o.x, self.y + 0.5 * o.y)
    }
}

#[differentiable]
impl Sub for V {
    type Output = V;
    fn sub(self, o: V) -> V {
        V::new(self.x - o.x, self.y - o.y)
    }
}

#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V::new(self.x * k, self.y * k * k)
    }
}

#[differentiable]
impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, v: V) -> V {
        V {
            x: self * v.x,
            y: v.y,
        }
    }
}

#[differentiable]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V::new(-self.x, self.y * 3.0)
    }
}

#[differentiable]
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.x += o.x;
        self.y += 2.0 * o.y;
    }
}

#[differentiable]
fn told_by_a_field(x: &[f64]) -> f64 {
    let q = V::new(x[0], x[1]) * 2.0;
    q.x * q.y
}

#[differentiable]
fn told_by_a_method(x: &[f64]) -> f64 {
    let a = V::new(x[0], x[1]);
    let b = V::new(x[2], 2.0);
    let d = a - b;
    (-d).norm() + (a + V::new(1.0, x[0])).norm() + V::dot(&a, &b) * 2.0
}

#[differentiable]
fn told_by_the_other_side(x: &[f64]) -> f64 {
    let p = V { x: x[1], y: x[2] };
    let turned = V::new(x[0], 1.0).turned() * 0.5;
    let sum = p + turned * x[1] + 3.0 * p.turned();
    sum.norm()
}

#[differentiable]
fn a_method_with_the_name_of_one_of_a_float(x: &[f64]) -> f64 {
    V::new(x[0], x[1]).abs() + x[2]
}

#[differentiable]
fn a_method_with_the_name_of_one_of_a_vector(x: &[f64]) -> f64 {
    let mut v = V::zero();
    v += V::new(x[0], x[1]);
    v.push(x[2]);
    v.norm()
}

#[differentiable]
fn accumulated(x: &[f64]) -> f64 {
    let points = [V::new(x[0], x[1]), V::new(x[1], x[2])];
    let mut sum = V::zero();
    for p in &points {
        sum = sum + *p * x[0];
    }
    let mut weighted = V::zero();
    for p in &points {
        weighted += *p;
    }
    let folded = points.iter().fold(V::zero(), |acc, p| acc + *p);
    sum.norm() * weighted.norm() + folded.norm()
}

#[test]
fn structs_that_calls_give() {
    scalar!(told_by_a_field).row(161).check(&POINTS);
    scalar!(told_by_a_method).row(161).check(&POINTS);
    scalar!(told_by_the_other_side).row(161).check(&POINTS);
    scalar!(a_method_with_the_name_of_one_of_a_float).check(&POINTS);
    scalar!(a_method_with_the_name_of_one_of_a_vector).check(&POINTS);
    scalar!(accumulated).row(161).check(&POINTS);
}

/// All that its fields are is told by other methods.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Particle {
    at: V,
    speed: V,
    mass: f64,
    steps: usize,
}

#[differentiable]
impl Particle {
    fn kick(&mut self, force: V, h: f64) {
        self.speed = self.speed + force * (h / self.mass);
        self.steps += 1;
    }

    fn drift(&mut self, h: f64) {
        self.at = self.at + self.speed * h;
    }

    fn seen(&self) -> f64 {
        self.at.norm() + self.steps as f64 * self.mass
    }
}

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let mut p = Particle {
        at: V::new(x[0], 1.0),
        speed: V::zero(),
        mass: 2.0 + x[1],
        steps: 0,
    };
    for _ in 0..3 {
        p.kick(V::new(x[2], x[0]), 0.1);
        p.drift(0.2);
    }
    p.seen()
}

#[test]
fn fields_that_other_methods_tell_of() {
    scalar!(moved).row(120).check(&POINTS);
}

// ---- methods by the name of their trait ----

trait Area {
    fn area(&self, k: f64) -> f64;
}

#[differentiable]
impl Area for V {
    fn area(&self, k: f64) -> f64 {
        self.x * self.y * k
    }
}

#[differentiable]
fn qualified(x: &[f64]) -> f64 {
    let v = V { x: x[0], y: x[1] };
    <V as Area>::area(&v, x[2]) * 2.0 + <V>::norm(v)
}

#[test]
fn methods_by_qualified_paths() {
    scalar!(qualified).row(121).check(&POINTS);
}

// ---- constants that the compiler does not look into ----

#[derive(Clone, Copy, Debug)]
enum Law {
    Linear,
    Power { k: i32 },
    Scaled(u8, f64),
}

#[differentiable]
fn by_a_law(x: &[f64], #[constant] law: &Law) -> f64 {
    match *law {
        Law::Linear => x[0],
        Law::Power { k } => x[0] * k as f64 + x[1] * (k * k + 1) as f64,
        Law::Scaled(n, w) => w * x[1] * n as f64 + x[2],
    }
}

#[derive(Clone, Copy, Debug)]
struct Config {
    n: i32,
    m: u8,
}

#[differentiable]
fn by_a_config(x: &[f64], #[constant] c: &Config) -> f64 {
    let next = c.n + 1;
    let mut s = x[0].powi(c.n) * (c.n * c.n) as f64 + next as f64;
    for i in 0..c.n {
        s += x[1] * i as f64;
    }
    if c.m % 2 == 0 { s } else { s * x[2] }
}

#[differentiable]
fn by_a_table(x: &[f64], #[constant] table: &[(i32, f64)], #[constant] laws: &[Law]) -> f64 {
    let mut s = 0.0;
    for &(n, w) in table {
        s += w * x[0].powi(n);
    }
    s += table.iter().map(|(n, w)| w * x[1] * *n as f64).sum::<f64>();
    for law in laws {
        s += by_a_law(x, law);
    }
    s
}

#[test]
fn constants_of_which_rustc_knows_the_types() {
    for law in [Law::Linear, Law::Power { k: 3 }, Law::Scaled(2, 0.5)] {
        scalar!(by_a_law::AD.with(&law), |x| by_a_law(x, &law)).check(&POINTS);
    }
    let c = Config { n: 3, m: 2 };
    scalar!(by_a_config::AD.with(&c), |x| by_a_config(x, &c)).check(&POINTS);
    let (table, laws) = ([(2, 0.5), (3, -1.5)], [Law::Linear, Law::Power { k: 2 }]);
    scalar!(by_a_table::AD.with(&table, &laws), |x| by_a_table(
        x, &table, &laws
    ))
    .check(&POINTS);
}
