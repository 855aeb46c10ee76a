//! Arrays of structs with vectors, and of vectors, in fields, parameters, results and variables.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.4, 1.1, 0.3], &[-0.7, 0.6, 0.9]];

#[derive(Clone, Differentiable)]
struct Layer {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}

#[derive(Clone, Differentiable)]
struct Network {
    layers: [Layer; 2],
    scale: f64,
}

#[differentiable]
fn output(net: &Network, x: &[f64]) -> f64 {
    let mut h = x.to_vec();
    for l in &net.layers {
        let mut next = l.b.clone();
        for i in 0..l.w.len() {
            for j in 0..h.len() {
                next[i] += l.w[i][j] * h[j];
            }
            next[i] = next[i].tanh();
        }
        h = next;
    }
    h[0] * net.scale
}

#[differentiable]
fn network(x: &[f64]) -> f64 {
    let hidden = Layer {
        w: vec![vec![x[0], x[1], 0.5], vec![x[2], 0.3, x[0] * x[1]]],
        b: vec![0.1, x[1]],
    };
    let last = Layer {
        w: vec![vec![x[1], x[2]]],
        b: vec![x[0]],
    };
    let net = Network {
        layers: [hidden, last],
        scale: x[2],
    };
    output(&net, x) * net.layers[1].b[0]
}

#[derive(Clone, Differentiable)]
struct Cell {
    w: Vec<f64>,
    b: f64,
}

#[derive(Clone, Differentiable)]
struct Net {
    cells: [Cell; 2],
    s: f64,
}

#[differentiable]
fn update(net: &mut Net, k: f64) {
    for c in net.cells.iter_mut() {
        c.b *= k;
        for w in c.w.iter_mut() {
            *w += k;
        }
    }
    net.s += k;
}

// fields that change: elements, their lengths, the whole array
#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let mut nets = Vec::new();
    for k in 0..3 {
        let cells = [
            Cell {
                w: vec![x[0] * k as f64; k + 1],
                b: x[1],
            },
            Cell {
                w: vec![x[1]],
                b: x[0],
            },
        ];
        nets.push(Net { cells, s: 1.0 });
    }
    let mut sum = 0.0;
    for n in nets.iter_mut() {
        n.cells[0].b *= x[2];
        sum += n.cells[0].w.len() as f64 * n.cells[0].b;
    }
    update(&mut nets[1], x[0]);
    let mut one = nets.remove(1);
    let old = one.cells.clone();
    one.cells.swap(0, 1);
    one.cells[1] = Cell {
        w: vec![x[2]; 3],
        b: x[0] * x[0],
    };
    for _ in 0..2 {
        let [a, b] = one.cells;
        one.cells = [b, a];
        one.cells[0].w.push(x[0]);
        one.s *= one.cells[1].w[0];
    }
    one.cells = [old[0].clone(), one.cells[1].clone()];
    let Net { cells, s } = one;
    for c in cells {
        sum += s * c.w.iter().sum::<f64>() * c.b;
    }
    sum + old[1].b * old[0].w[1]
}

#[differentiable]
fn made(x: &[f64]) -> [Cell; 2] {
    [
        Cell {
            w: vec![x[0], x[1]],
            b: x[0],
        },
        Cell {
            w: vec![x[1]],
            b: x[2] * 2.0,
        },
    ]
}

#[differentiable]
fn taken(cells: [Cell; 2], x: f64) -> f64 {
    cells[0].w[0] * cells[1].b * x + cells[1].w.iter().sum::<f64>()
}

#[differentiable]
fn grown(mut cells: [Cell; 2], x: f64) -> f64 {
    cells[0].w.push(x * x);
    cells[0].w.iter().map(|v| v * v).sum::<f64>() * cells[1].b
}

#[differentiable]
fn scaled(cells: &mut [Cell; 2], x: f64) {
    cells[0].b *= x;
    for c in cells.iter_mut() {
        for w in c.w.iter_mut() {
            *w *= x;
        }
    }
}

#[differentiable]
fn one_of(cells: &[Cell; 2], k: usize) -> f64 {
    cells[k].b * cells[k].w[0]
}

// parameters and results
#[differentiable]
fn passed(x: &[f64]) -> f64 {
    let mut cells: [Cell; 2] = made(x);
    scaled(&mut cells, x[1]);
    let mut sum = taken(cells.clone(), x[2]);
    let old = cells.clone();
    cells = made(&[x[0] * x[0], x[1], x[2]]);
    let other;
    if x[0] > 0.0 {
        other = cells.clone();
    } else {
        other = old.clone();
    }
    sum += grown(old, x[1]) + one_of(&cells, 1) + one_of(&other, 0);
    sum
}

#[test]
fn fields_that_are_arrays_of_structs() {
    scalar!(network).row(376).takes_memory().check(&POINTS);
    scalar!(changed).row(376).takes_memory().check(&POINTS);
}

#[test]
fn arrays_of_structs_that_are_passed_and_returned() {
    scalar!(passed).row(376).takes_memory().check(&POINTS);
}

#[test]
fn gradient_has_the_arrays() -> Result<(), di::Error> {
    let _row = di_test::rows::row(376);
    let cell = |w: &[f64], b: f64| Cell { w: w.to_vec(), b };
    let cells = [cell(&[1.0, 2.0], 3.0), cell(&[4.0], 5.0)];
    let f = one_of::AD.with(1);
    let expected = ([0.0, 0.0], [0.0], [5.0], [4.0]);
    for g in [
        gradient(f, NoPrep, &AutoSource::new(), &cells)?,
        gradient(f, NoPrep, &AutoSource::new().forward(), &cells)?,
        gradient(f, NoPrep, &AutoDual::new(), &cells)?,
        gradient(f, NoPrep, &AutoTape::new(), &cells)?,
    ] {
        let [a, b] = &g;
        di_test::compare::assert_close(
            "w of the first",
            &a.w,
            &expected.0,
            di_test::compare::ROUNDING,
        );
        di_test::compare::assert_close(
            "b of the first",
            &[a.b],
            &expected.1,
            di_test::compare::ROUNDING,
        );
        di_test::compare::assert_close(
            "w of the second",
            &b.w,
            &expected.2,
            di_test::compare::ROUNDING,
        );
        di_test::compare::assert_close(
            "b of the second",
            &[b.b],
            &expected.3,
            di_test::compare::ROUNDING,
        );
    }
    Ok(())
}

// ---- arrays of vectors ----

#[derive(Clone, Differentiable)]
struct Mesh {
    coords: [Vec<f64>; 3],
    pairs: [Vec<(f64, f64)>; 2],
    cells: [Vec<Cell>; 2],
}

#[differentiable]
fn energy(m: &Mesh) -> f64 {
    let mut sum = 0.0;
    for (k, c) in m.coords.iter().enumerate() {
        for v in c {
            sum += v * v * v * (k + 1) as f64;
        }
    }
    for l in &m.pairs {
        for (a, b) in l {
            sum += a * b * a;
        }
    }
    for l in &m.cells {
        for c in l {
            sum += c.w[0] * c.b;
        }
    }
    let [p, q, _] = &m.coords;
    sum + p[0] * q[0] + m.coords[2].len() as f64 * m.coords[2][0]
}

#[differentiable]
fn mesh(x: &[f64]) -> f64 {
    let mut m = Mesh {
        coords: [vec![x[0], x[1]], vec![x[2]], vec![x[0] * x[1], 2.0]],
        pairs: [vec![(x[0], 1.0)], vec![(x[1], x[2]), (x[2], x[0])]],
        cells: [
            vec![],
            vec![Cell {
                w: vec![x[1]],
                b: x[0],
            }],
        ],
    };
    let before = energy(&m);
    m.coords[0][1] *= x[2];
    m.coords[1].push(x[0] * x[0]);
    let old = m.coords.clone();
    m.coords = [m.coords[1].clone(), old[0].clone(), vec![x[1]; 2]];
    m.pairs[0].push((x[1], x[2]));
    before + energy(&m) * old[2][0]
}

#[differentiable]
fn sum_of(coords: &[Vec<f64>; 3]) -> f64 {
    let mut sum = 0.0;
    for c in coords {
        for v in c {
            sum += v * v;
        }
    }
    sum * coords[2][0] + coords[0].len() as f64 * coords[1][0]
}

#[differentiable]
fn moved(coords: [Vec<f64>; 3], k: f64) -> [Vec<f64>; 3] {
    let mut coords = coords;
    coords[0].push(k);
    coords[1][0] *= k;
    coords
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let coords = [vec![x[0], x[1]], vec![x[2]], vec![x[0] * x[1], 2.0]];
    let before = sum_of(&coords);
    let coords = moved(coords, x[1]);
    before * sum_of(&coords)
}

// arrays of tuples with vectors
#[differentiable]
fn weighted(x: &[f64]) -> f64 {
    let parts = [(&x[..1], x[1]), (&x[1..], 2.0)];
    let mut owned = [(vec![x[0]], 1.0), (vec![x[1], x[2]], x[0])];
    owned[0].0.push(x[1]);
    owned[1].1 *= x[2];
    let parts = parts
        .iter()
        .map(|(v, w)| v.iter().sum::<f64>() * w)
        .sum::<f64>();
    parts
        * owned
            .iter()
            .map(|(v, w)| v.iter().map(|a| a * a).sum::<f64>() * w)
            .sum::<f64>()
}

#[test]
fn arrays_of_tuples_with_vectors() {
    scalar!(weighted).row(377).takes_memory().check(&POINTS);
}

#[test]
fn fields_that_are_arrays_of_vectors() {
    scalar!(mesh).row(377).takes_memory().check(&POINTS);
}

#[test]
fn parameters_that_are_arrays_of_vectors() -> Result<(), di::Error> {
    scalar!(lent).row(377).check(&POINTS);
    let _row = di_test::rows::row(377);
    let coords = [vec![1.0, 2.0], vec![3.0], vec![2.0]];
    for g in [
        gradient(sum_of::AD, NoPrep, &AutoSource::new(), &coords)?,
        gradient(sum_of::AD, NoPrep, &AutoSource::new().forward(), &coords)?,
        gradient(sum_of::AD, NoPrep, &AutoDual::new(), &coords)?,
        gradient(sum_of::AD, NoPrep, &AutoTape::new(), &coords)?,
    ] {
        let found: Vec<f64> = g.concat();
        di_test::compare::assert_close(
            "gradient",
            &found,
            &[4.0, 8.0, 14.0, 26.0],
            di_test::compare::ROUNDING,
        );
    }
    Ok(())
}
