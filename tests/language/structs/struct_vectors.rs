//! Derived structs with vectors as values: made in functions, changed by their fields, replaced in loops, returned.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::differences::{columns, derivative as slope};
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.7, 1.1, -0.4, 0.9],
    &[-1.2, 0.4, 0.9, -0.3],
    &[0.2, -0.6, 1.3, 0.5],
];

#[derive(Clone, Debug, Differentiable)]
struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Matrix {
    fn zeros(rows: usize, cols: usize) -> Self {
        Self {
            rows,
            cols,
            data: vec![0.0; rows * cols],
        }
    }

    fn get(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.cols + j]
    }

    fn set(&mut self, i: usize, j: usize, v: f64) {
        self.data[i * self.cols + j] = v;
    }

    fn times(&self, other: &Matrix) -> Matrix {
        let mut out = Matrix::zeros(self.rows, other.cols);
        for i in 0..self.rows {
            for j in 0..other.cols {
                let mut s = 0.0;
                for k in 0..self.cols {
                    s += self.get(i, k) * other.get(k, j);
                }
                out.set(i, j, s);
            }
        }
        out
    }

    fn trace(&self) -> f64 {
        (0..self.rows).map(|i| self.get(i, i)).sum()
    }
}

#[differentiable]
fn square(x: &[f64]) -> Matrix {
    let mut m = Matrix {
        rows: 2,
        cols: 2,
        data: vec![0.0; 4],
    };
    for i in 0..2 {
        for j in 0..2 {
            m.data[i * 2 + j] = x[i * 2 + j].sin() + x[j];
        }
    }
    m
}

#[differentiable]
fn powers(x: &[f64]) -> f64 {
    let m = square(x);
    let mut p = m.clone();
    let mut total = 0.0;
    for k in 0..3 {
        p = p.times(&m);
        p.data[k] *= x[k];
        total += p.trace();
    }
    total * p.get(0, 1)
}

#[differentiable]
fn frobenius(m: &Matrix) -> f64 {
    m.data.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[differentiable]
fn scale(m: &mut Matrix, k: f64) {
    for v in m.data.iter_mut() {
        *v *= k;
    }
}

#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    let mut m: Matrix = square(x);
    for i in 0..2 {
        let norm = frobenius(&m);
        scale(&mut m, 1.0 / norm);
        m.set(i, i, norm * x[i]);
    }
    frobenius(&m) + m.data[1] * m.data[2]
}

#[test]
fn matrices() {
    scalar!(powers).takes_memory().check(&POINTS);
    scalar!(handed_on).takes_memory().check(&POINTS);
}

#[derive(Clone, Debug, Differentiable)]
struct State {
    t: f64,
    pos: Vec<f64>,
    vel: Vec<f64>,
    steps: usize,
}

#[differentiable]
fn step(s: &State, k: f64) -> State {
    let n = s.pos.len();
    let mut pos = s.pos.clone();
    let mut vel = s.vel.clone();
    for i in 0..n {
        vel[i] -= 0.1 * (k * s.pos[i].sin() + s.pos[(i + 1) % n]);
        pos[i] += 0.1 * vel[i];
    }
    State {
        t: s.t + 0.1 * k,
        pos,
        vel,
        steps: s.steps + 1,
    }
}

#[differentiable]
fn energy(s: &State) -> f64 {
    let kinetic: f64 = s.vel.iter().map(|v| 0.5 * v * v).sum();
    kinetic + s.pos.iter().map(|p| p.cos()).sum::<f64>() * s.t
}

#[differentiable]
fn simulated(x: &[f64]) -> f64 {
    let mut state = State {
        t: 0.0,
        pos: x.to_vec(),
        vel: vec![0.0; x.len()],
        steps: 0,
    };
    for i in 0..4 {
        state = step(&state, x[i % 2]);
        if state.steps == 2 {
            state.vel[1] *= x[3];
        }
    }
    energy(&state) * state.steps as f64
}

#[differentiable]
fn until(x: &[f64]) -> f64 {
    let mut state = State {
        t: 0.0,
        pos: x.to_vec(),
        vel: x.iter().map(|v| v * v).collect(),
        steps: 0,
    };
    let mut e = energy(&state);
    while state.steps < 6 {
        let next = step(&state, x[1]);
        if next.pos[0] > 0.9 {
            break;
        }
        if next.steps % 2 == 1 {
            state = next;
            continue;
        }
        e += energy(&next);
        state = next;
    }
    e + energy(&state)
}

#[differentiable]
fn halved(s: &State, x: f64) -> State {
    if s.pos.len() < 2 {
        return s.clone();
    }
    let n = s.pos.len() / 2;
    State {
        t: s.t + x,
        pos: s.pos[..n].to_vec(),
        vel: s.vel.iter().zip(&s.pos).map(|(v, p)| v * p).collect(),
        ..s.clone()
    }
}

#[differentiable]
fn shrinking(x: &[f64]) -> f64 {
    let mut s = State {
        t: x[0],
        pos: x.iter().map(|v| v * x[1]).collect(),
        vel: x.to_vec(),
        steps: 1,
    };
    let mut total = 0.0;
    for v in x {
        s = halved(&s, *v);
        total += s.pos[0] * s.pos.len() as f64 * s.t;
        s.pos.push(total);
        s.vel.truncate(3);
        s.vel.push(v * v);
    }
    total + s.vel.iter().sum::<f64>() * s.pos.iter().sum::<f64>()
}

#[test]
fn states_replaced_in_loops() {
    scalar!(simulated).takes_memory().check(&POINTS);
    scalar!(until).takes_memory().check(&POINTS);
    scalar!(shrinking).takes_memory().check(&POINTS);
}

#[differentiable]
fn scaled(mut m: Matrix, k: f64) -> Matrix {
    for v in &mut m.data {
        *v *= k;
    }
    m.data.push(k * k);
    m
}

#[differentiable]
fn sum_of(m: Matrix) -> f64 {
    m.data.iter().sum::<f64>() * m.data[0]
}

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let mut m = square(x);
    for k in 0..3 {
        m = scaled(m, x[k]);
    }
    let copy = m.clone();
    let other = m;
    let mut third = other;
    third.data[1] = copy.data[0] * x[1];
    sum_of(copy) + sum_of(third)
}

#[differentiable]
fn pair(x: &[f64]) -> (Matrix, Vec<f64>, f64) {
    let a = square(x);
    let b: Vec<f64> = a.data.iter().map(|v| v * x[0]).collect();
    let t = a.trace();
    (a, b, t)
}

#[differentiable]
fn taken_apart(x: &[f64]) -> f64 {
    let (a, b, t) = pair(x);
    let Matrix { rows, data, .. } = a;
    let s: f64 = data.iter().zip(&b).map(|(a, b)| a * b).sum();
    s * t * rows as f64
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let a = square(x);
    let m = if x[0] > 0.0 {
        a.times(&a)
    } else if x[2] > 1.0 {
        a.clone()
    } else {
        scaled(a.clone(), x[1])
    };
    let mut late;
    if m.data.len() > 4 {
        late = a;
    } else {
        late = Matrix::zeros(1, 3);
        late.data[1] = x[3];
    }
    late.data[0] += 1.0;
    m.data.iter().sum::<f64>() * late.data.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn exchanged(x: &[f64]) -> f64 {
    let mut a = square(x);
    let mut b = Matrix {
        rows: 1,
        cols: 4,
        data: x.iter().map(|v| v * v).collect(),
    };
    b.data.push(x[1]);
    for v in x {
        std::mem::swap(&mut a, &mut b);
        a.data[0] *= v;
    }
    std::mem::swap(&mut a.data, &mut b.data);
    let old = std::mem::replace(&mut a, Matrix::zeros(1, 2));
    let data = std::mem::take(&mut b.data);
    a.data[0] = data[0] * data[1];
    a.data[0] * old.data.iter().sum::<f64>() + b.data.len() as f64
}

#[test]
fn values_moved_and_exchanged() {
    scalar!(moved).takes_memory().check(&POINTS);
    scalar!(taken_apart).takes_memory().check(&POINTS);
    scalar!(chosen).takes_memory().check(&POINTS);
    scalar!(exchanged).takes_memory().check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    weights: Matrix,
    bias: Vec<f64>,
    points: Vec<Point>,
    order: Vec<usize>,
    corner: [f64; 2],
}

#[differentiable]
fn model(x: &[f64]) -> Model {
    let points = x.iter().map(|v| Point { x: *v, y: v * v }).collect();
    Model {
        weights: square(x),
        bias: x[..2].to_vec(),
        points,
        order: vec![2, 0, 1],
        corner: [x[3], x[0]],
    }
}

#[differentiable]
impl Model {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        let mut out = self.bias.clone();
        for i in 0..2 {
            for j in 0..2 {
                out[i] += self.weights.get(i, j) * x[j];
            }
            out[i] = out[i].tanh() * self.corner[i];
        }
        out
    }

    fn train(&mut self, rate: f64) {
        for w in &mut self.weights.data {
            *w -= rate * *w;
        }
        for (b, p) in self.bias.iter_mut().zip(&self.points) {
            *b += rate * p.x * p.y;
        }
        self.points[0].x *= rate;
    }

    fn trained(&self, rate: f64) -> Model {
        let mut next = self.clone();
        next.train(rate);
        next
    }
}

#[differentiable]
fn fitted(x: &[f64]) -> f64 {
    let mut m: Model = model(x);
    let mut loss = 0.0;
    for k in 0..3 {
        let y: Vec<f64> = m.forward(&[x[k], x[k + 1]]);
        loss += y[0] * y[1] + m.points[m.order[k]].y;
        if k == 1 {
            m.train(x[k]);
        } else {
            m = m.trained(x[0]);
        }
    }
    loss + m.bias[0] * m.points[0].x
}

#[differentiable]
fn parts_replaced(x: &[f64]) -> f64 {
    let mut m: Model = model(x);
    m.weights = m.weights.times(&m.weights);
    m.bias = m.points.iter().map(|p| p.x * p.y).collect();
    m.points.push(Point {
        x: m.bias[2],
        y: x[0],
    });
    m.points[1] = m.points[4];
    m.order[0] = 1;
    let keep = m.clone();
    m.points.remove(0);
    m.weights = Matrix::zeros(1, 3);
    m.weights.data[2] = x[1];
    let s: f64 = keep.points.iter().chain(&m.points).map(|p| p.x * p.y).sum();
    s + keep.weights.trace() * m.bias[m.order[0]] + m.weights.data[2]
}

#[test]
fn structs_in_structs() {
    scalar!(fitted).takes_memory().check(&POINTS);
    scalar!(parts_replaced).takes_memory().check(&POINTS);
}

#[differentiable]
fn doubled(m: &Matrix, depth: usize) -> Matrix {
    if depth == 0 {
        return m.clone();
    }
    let half = doubled(m, depth - 1);
    half.times(m)
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    let m = square(x);
    let mut s = 0.0;
    for k in 0..3 {
        let d = doubled(&m, k);
        s += d.trace() * x[k];
        if s > 2.0 {
            return s * d.data[1];
        }
    }
    s
}

#[differentiable]
fn within_loops(x: &[f64]) -> f64 {
    let mut best = square(x);
    let mut total = 0.0;
    for i in 0..x.len() {
        let mut row = Matrix {
            rows: 1,
            cols: i + 1,
            data: x[..=i].to_vec(),
        };
        for j in 0..i {
            let last = row.data[j];
            row.data.push(last * x[j]);
            row.cols += 1;
            if last > 0.5 {
                best = row.clone();
            } else if last < -0.3 {
                best.data.push(last);
            }
        }
        if x[i] < 0.0 {
            continue;
        }
        total += row.data.iter().map(|v| v * v).sum::<f64>() * best.data[0];
        if i % 2 == 1 {
            best = row;
        }
    }
    total * best.data.iter().sum::<f64>() * best.cols as f64
}

#[differentiable]
fn captured(x: &[f64]) -> f64 {
    let m: Matrix = square(x);
    let at = |i: usize, k: f64| m.get(i, 0) * k + m.data[i];
    let mut n = m.clone();
    let mut add = |k: f64| {
        n.data[1] += k * k;
        n.data.push(k);
    };
    add(x[0]);
    add(x[1]);
    at(0, x[2]) * at(1, x[3]) + n.data.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn constants_in_it(x: &[f64]) -> f64 {
    let mut m = Matrix {
        rows: 1,
        cols: 2,
        data: vec![2.0, 3.0],
    };
    let weights = Matrix {
        rows: 2,
        cols: 1,
        data: vec![0.5; 2],
    };
    let before = m.data[0] * weights.data[1];
    m.data.extend(x.iter().map(|v| v.exp()));
    m = Matrix { cols: 6, ..m };
    before + m.data.iter().rev().take(3).product::<f64>() * weights.data[0]
}

#[test]
fn values_in_regions() {
    scalar!(recursive).takes_memory().check(&POINTS);
    scalar!(within_loops).takes_memory().check(&POINTS);
    scalar!(captured).takes_memory().check(&POINTS);
    scalar!(constants_in_it).takes_memory().check(&POINTS);
}

#[differentiable]
fn of_a_matrix(m: &Matrix, x: f64) -> Matrix {
    let mut out = m.times(m);
    out.data[0] *= x;
    out
}

#[differentiable]
fn by_a_struct(m: &Matrix, x: &[f64]) -> f64 {
    let a = of_a_matrix(m, x[0]);
    let mut b = a.times(m);
    b.data[3] *= a.data[0] * x[1];
    b.trace() + a.get(0, 1)
}

#[test]
fn by_a_struct_and_by_what_is_beside_it() {
    let x = [0.6, -1.3];
    let of = |data: &[f64]| Matrix {
        rows: 2,
        cols: 2,
        data: data.to_vec(),
    };
    for point in POINTS {
        let m = of(point);
        let f = by_a_struct::AD.fix_m(&m);
        scalar!(f, |x| by_a_struct(&m, x))
            .takes_memory()
            .check(&[&x]);
        let f = by_a_struct::AD.fix_x(&x);
        let slopes = columns(|d| vec![by_a_struct(&of(d), &x)], point, 1e-2).concat();
        for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
            let g = gradient(f, NoPrep, &backend, &m).unwrap();
            assert_close("gradient", &g.data, &slopes, DIFFERENCES);
        }
        let direction = of(&[1.0, -0.5, 0.3, 2.0]);
        let along = |t: f64| {
            let moved = point.iter().zip(&direction.data).map(|(m, d)| m + t * d);
            let g = gradient(
                f,
                NoPrep,
                &AutoSource::new(),
                &of(&moved.collect::<Vec<_>>()),
            );
            g.unwrap().data
        };
        let expected = slope(along, 1e-2);
        let h = hvp(f, NoPrep, &AutoSource::new(), &m, &direction).unwrap();
        assert_close("hvp", &h.data, &expected, DIFFERENCES);
    }
}
