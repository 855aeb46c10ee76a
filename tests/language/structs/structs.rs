//! Derived structs as parameters.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
    corner: [f64; 2],
    width: usize,
}

#[differentiable]
fn energy(layer: &Layer) -> f64 {
    let mut s = layer.bias * layer.corner[1];
    for i in 0..layer.width {
        s += layer.weights[i] * layer.weights[i] * layer.corner[0];
    }
    s
}

fn example() -> Layer {
    Layer {
        weights: vec![1.0, 2.0, 3.0],
        bias: 0.5,
        corner: [4.0, 0.25],
        width: 2,
    }
}

#[test]
fn gradient_has_the_shape_of_the_struct() {
    let _rows = di_test::rows::rows(&[122, 124]);
    let layer = example();
    for (name, g) in [
        (
            "AutoSource",
            gradient(energy::AD, NoPrep, &AutoSource::new(), &layer).unwrap(),
        ),
        (
            "AutoDual",
            gradient(energy::AD, NoPrep, &AutoDual::new(), &layer).unwrap(),
        ),
    ] {
        assert_close(name, &g.weights, &[8.0, 16.0, 0.0], ROUNDING);
        assert_close(name, &[g.bias], &[0.25], ROUNDING);
        assert_close(name, &g.corner, &[5.0, 0.5], ROUNDING);
    }
}

#[differentiable]
fn scaled_energy(layer: &Layer, x: &[f64]) -> f64 {
    energy(layer) * x[0] + x[1] * layer.bias * x[1]
}

#[test]
fn struct_beside_a_slice() {
    let layer = example();
    let f = scaled_energy::AD.fix_layer(&layer);
    scalar!(f, |x| scaled_energy(&layer, x))
        .row(122)
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}

// ---- values of structs ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Body {
    pos: [f64; 3],
    vel: [f64; 3],
    mass: f64,
    kind: usize,
    fixed: bool,
    #[constant]
    charge: f64,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair {
    a: V3,
    b: V3,
    weight: f64,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Angle(f64, [f64; 2], i32);

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.9], &[-1.2, 0.4, 0.9, -0.3]];

#[differentiable]
fn literal(x: &[f64]) -> f64 {
    let v = V3 {
        x: x[0] * x[1],
        z: x[2].sin(),
        y: 2.0,
    };
    v.x * v.y + v.z * v.x * x[3]
}

#[differentiable]
fn written(x: &[f64]) -> f64 {
    let mut v = V3 {
        x: x[0],
        y: x[1],
        z: 1.0,
    };
    v.x *= x[2];
    v.z += v.x * v.y;
    v.y = v.z * v.x;
    let w = v;
    v.x = 5.0;
    let u = V3 { y: x[3], ..w };
    v.x + w.x * u.y + u.z * w.y - v.y * v.y
}

#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    let mut b = Body {
        pos: [x[0], 0.5, x[1]],
        vel: [0.0; 3],
        mass: 2.0 + x[2] * x[2],
        kind: 1,
        fixed: false,
        charge: 0.5,
    };
    let mut s = 0.0;
    for i in 0..x.len() {
        if b.kind > 2 {
            b.vel[1] -= b.pos[0] * x[i];
        } else {
            b.vel[i % 3] += x[i] / b.mass;
            b.kind += 1;
        }
        for k in 0..3 {
            b.pos[k] += 0.1 * b.vel[k] * b.charge;
        }
        let old = b;
        b.mass = old.pos[0] * old.mass;
        s += old.mass * b.pos[2];
        if i == 2 && !b.fixed {
            b = Body {
                fixed: true,
                mass: x[3],
                ..old
            };
        }
    }
    s + b.mass * b.vel[1]
}

#[differentiable]
fn dot(a: &V3, b: &V3) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

#[differentiable]
fn cross(a: V3, b: V3) -> V3 {
    V3 {
        x: a.y * b.z - a.z * b.y,
        y: a.z * b.x - a.x * b.z,
        z: a.x * b.y - a.y * b.x,
    }
}

#[differentiable]
fn scale(v: &mut V3, k: f64) {
    v.x *= k;
    v.y *= k;
    v.z *= k * v.x;
}

#[differentiable]
fn normalized(v: &V3) -> V3 {
    let n = dot(v, v).sqrt();
    if n < 1e-3 {
        return V3 {
            x: 0.0,
            y: 0.0,
            z: n,
        };
    }
    V3 {
        x: v.x / n,
        y: v.y / n,
        z: v.z / n,
    }
}

#[differentiable]
fn calls(x: &[f64]) -> f64 {
    let a = V3 {
        x: x[0],
        y: x[1],
        z: x[2],
    };
    let mut b = V3 { x: x[3], ..a };
    scale(&mut b, x[1]);
    let c = cross(a, b);
    let mut s = dot(&a, &c) + dot(&b, &b);
    for k in 0..3 {
        let n = normalized(&b);
        s += n.x * n.y + dot(&n, &c);
        scale(&mut b, s);
        if k == 1 {
            b = cross(n, b);
        }
    }
    s
}

#[differentiable]
fn weigh(p: &Pair, q: &mut Pair) -> f64 {
    q.a.x += p.weight * p.b.y;
    q.b = p.a;
    q.weight *= p.a.z;
    let c = cross(p.a, q.a);
    dot(&p.b, &q.b) + c.z * q.weight
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let v = V3 {
        x: x[0],
        y: x[1] * x[0],
        z: x[2],
    };
    let p = Pair {
        a: v,
        b: V3 { x: x[3], ..v },
        weight: x[1],
    };
    let mut q = p;
    q.a.y = x[0] * q.b.z;
    let mut s = weigh(&p, &mut q);
    let w = q.b;
    q.b.x = s;
    s += dot(&q.b, &w) * p.a.y;
    let Pair {
        a: V3 { x: ax, .. },
        weight,
        ..
    } = q;
    s * ax + weight
}

#[differentiable]
fn tuple_structs(x: &[f64]) -> f64 {
    let mut a = Angle(x[0].sin(), [x[1], 0.5], 2);
    a.1[0] *= a.0;
    a.0 += x[2];
    a.2 += 1;
    let Angle(phi, parts, n) = a;
    let mut s = phi.powi(n) + parts[0] * parts[1];
    s += Angle(x[3], [s, s], 1).1[1] * x[0];
    s
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let a = V3 {
        x: x[0],
        y: x[1],
        z: 0.0,
    };
    let b = if x[2] > 0.0 { a } else { V3 { x: x[3], ..a } };
    let c;
    if x[3] > 0.0 {
        c = cross(a, b);
    } else {
        c = V3 { z: 2.0, ..b };
    }
    let t = (c, x[2] * c.z);
    t.0.x * t.1 + b.x * t.0.z
}

#[test]
fn values() {
    scalar!(literal).row(123).row(162).check(&POINTS);
    scalar!(written).row(123).check(&POINTS);
    scalar!(in_loops).row(124).check(&POINTS);
    scalar!(calls).step(0.02).row(122).check(&POINTS);
    scalar!(nested).row(122).check(&POINTS);
    scalar!(tuple_structs).row(7).row(162).check(&POINTS);
    scalar!(chosen).step(0.05).row(123).check(&POINTS);
}

// ---- sequences of structs ----

#[differentiable]
fn kick(bodies: &mut [Body], dt: f64) {
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            if i != j {
                let mut d = [0.0; 3];
                for k in 0..3 {
                    d[k] = bodies[j].pos[k] - bodies[i].pos[k];
                }
                let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
                let pull = bodies[j].mass / (r2 * r2.sqrt());
                let b = &mut bodies[i];
                for k in 0..3 {
                    b.vel[k] += dt * pull * d[k];
                }
            }
        }
    }
    for b in bodies.iter_mut() {
        for k in 0..3 {
            b.pos[k] += dt * b.vel[k];
        }
    }
}

#[differentiable]
fn kinetic(bodies: &[Body]) -> f64 {
    let mut e = 0.0;
    for b in bodies {
        let v = &b.vel;
        e += 0.5 * b.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * b.charge;
    }
    for (i, b) in bodies.iter().enumerate() {
        if b.kind == i {
            e += b.pos[0];
        }
    }
    e
}

#[differentiable]
fn launch(x: &[f64], k: usize) -> Body {
    Body {
        pos: [x[0], x[1] * k as f64, 0.2],
        vel: [0.0, x[2], x[3]],
        mass: 1.0 + 0.5 * x[k] * x[k],
        kind: k,
        fixed: false,
        charge: 0.5 + k as f64,
    }
}

#[differentiable]
fn n_body(x: &[f64]) -> f64 {
    let mut bodies = vec![launch(x, 0), launch(x, 1), launch(x, 2)];
    bodies[1].vel[0] = x[0];
    let mut e = 0.0;
    for _ in 0..2 {
        kick(&mut bodies, 0.1);
        e += kinetic(&bodies) + kinetic(&bodies[1..]);
        bodies[0] = bodies[2];
        bodies[0].mass *= e;
    }
    let first = bodies[0];
    let last = &bodies[2];
    e + first.pos[1] * last.pos[2]
}

#[differentiable]
fn arrays_of_structs(x: &[f64]) -> f64 {
    let zero = V3 {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    let mut grid = [zero; 4];
    for (i, v) in grid.iter_mut().enumerate() {
        v.x = x[i] * x[i];
        v.y = x[(i + 1) % 4];
    }
    grid.swap(0, 2);
    let again = grid;
    grid[3].z = again[0].x;
    let rows = vec![grid[1]; 3];
    let mut s = 0.0;
    for (a, b) in again.iter().zip(&grid) {
        s += dot(a, b);
    }
    for r in &rows {
        s += r.x * r.y;
    }
    s
}

#[differentiable]
fn of_array(grid: &[V3; 2], i: usize) -> f64 {
    grid[i].x * grid[1].y + dot(&grid[0], &grid[i])
}

#[differentiable]
fn by_value(mut grid: [V3; 2], rows: Vec<V3>) -> f64 {
    grid[0].x *= rows[1].y;
    let mut s = of_array(&grid, 1);
    for r in rows {
        s += r.x * grid[0].x;
    }
    s
}

#[differentiable]
fn lent_arrays(x: &[f64]) -> f64 {
    let v = V3 {
        x: x[0],
        y: x[1],
        z: x[2],
    };
    let w = V3 { x: x[3], ..v };
    let mut grid = [v, w];
    let rows = vec![w, v, w];
    let mut s = of_array(&grid, 0);
    grid[1].y = s;
    s += by_value(grid, rows);
    s + grid[1].y
}

#[test]
fn sequences() {
    scalar!(n_body).step(0.02).check(&POINTS);
    scalar!(arrays_of_structs).check(&POINTS);
    scalar!(lent_arrays).check(&POINTS);
}

fn bodies() -> Vec<Body> {
    (0..3).map(|k| launch(&[0.3, -0.2, 0.5, 0.7], k)).collect()
}

#[test]
fn slices_of_structs_as_input() {
    let bodies = bodies();
    let expected: Vec<[f64; 3]> = bodies
        .iter()
        .map(|b| b.vel.map(|v| v * b.mass * b.charge))
        .collect();
    let source = gradient(kinetic::AD, NoPrep, &AutoSource::new(), &bodies).unwrap();
    let dual = gradient(kinetic::AD, NoPrep, &AutoDual::new(), &bodies[..]).unwrap();
    for g in [source, dual] {
        for (g, (b, v)) in g.iter().zip(bodies.iter().zip(&expected)) {
            assert_close("vel", &g.vel, v, ROUNDING);
            let square: f64 = b.vel.iter().map(|v| v * v).sum();
            assert_close("mass", &[g.mass], &[0.5 * square * b.charge], ROUNDING);
            assert_close("pos", &g.pos, &[1.0, 0.0, 0.0], ROUNDING);
            assert_eq!((g.kind, g.charge), (b.kind, b.charge));
        }
    }
    let of_two = gradient(
        of_array::AD.with(0),
        NoPrep,
        &AutoSource::new(),
        &[
            V3 {
                x: 1.0,
                y: 2.0,
                z: 3.0,
            },
            V3 {
                x: 4.0,
                y: 5.0,
                z: 6.0,
            },
        ],
    )
    .unwrap();
    assert_close(
        "grid",
        &[of_two[0].x, of_two[0].y, of_two[1].y],
        &[5.0 + 2.0, 4.0, 1.0],
        ROUNDING,
    );
}

const REST: V3 = V3 {
    x: 0.5,
    y: -2.0,
    z: 4.0,
};

#[differentiable]
fn constants(x: &[f64], #[constant] v: &V3) -> f64 {
    let rest: V3 = REST;
    let mut w = V3 {
        x: x[0] * rest.y,
        ..V3 {
            x: 1.0,
            y: v.x,
            z: x[1],
        }
    };
    w.y += REST.z * v.y;
    w.x * w.y + w.z * rest.x
}

#[test]
fn structs_that_are_constant() {
    let v = V3 {
        x: 1.5,
        y: 0.25,
        z: 0.0,
    };
    scalar!(constants::AD.with(&v), |x| constants(x, &v)).check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Counter {
    value: f64,
    #[constant]
    steps: usize,
}

#[differentiable]
fn advance(counter: &mut Counter, x: f64) {
    counter.value = counter.value * x + counter.steps as f64;
    counter.steps = 4;
    counter.steps += 1;
}

#[differentiable]
fn counts(x: &[f64]) -> f64 {
    let mut c = Counter {
        value: x[0],
        steps: 2,
    };
    advance(&mut c, x[1]);
    c.steps = c.steps + 1;
    advance(&mut c, x[2]);
    c.value * c.steps as f64 + x[0] * x[1]
}

#[test]
fn constant_fields_are_written() {
    scalar!(counts).row(123).check(&POINTS);
}

#[test]
fn second_order_by_a_struct_with_a_vector() {
    let _rows = di_test::rows::rows(&[122, 124]);
    let x = example();
    let v = Layer {
        weights: vec![0.5, -1.0, 0.7],
        bias: 2.0,
        corner: [0.3, -0.4],
        width: 2,
    };
    let source = hvp(energy::AD, NoPrep, &AutoSource::new(), &x, &v).unwrap();
    let dual = hvp(energy::AD, NoPrep, &AutoDual::new(), &x, &v).unwrap();
    for (name, hv) in [("AutoSource", source), ("AutoDual", dual)] {
        // s = b c1 + c0 (w0^2 + w1^2)
        assert_close(name, &hv.weights, &[4.6, -6.8, 0.0], ROUNDING);
        assert_close(name, &[hv.bias], &[-0.4], ROUNDING);
        assert_close(name, &hv.corner, &[-3.0, 2.0], ROUNDING);
    }
}
