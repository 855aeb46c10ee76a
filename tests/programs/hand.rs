//! Hand tracking, the fourth objective of ADBench: bones, a skin, points to be met; the simple form with points
//! on vertices, the complicated one with points that move on triangles.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use di_test::program;
use std::str::FromStr;

/// `Rz Ry Rx` for the three angles of a bone.
#[differentiable]
fn euler(angles: &[f64; 3], r: &mut [[f64; 3]; 3]) {
    let (sx, cx) = angles[0].sin_cos();
    let (sy, cy) = angles[1].sin_cos();
    let (sz, cz) = angles[2].sin_cos();
    r[0][0] = cy * cz;
    r[1][0] = cy * sz;
    r[2][0] = -sy;
    r[0][1] = -cx * sz + sx * sy * cz;
    r[1][1] = cx * cz + sx * sy * sz;
    r[2][1] = sx * cy;
    r[0][2] = sx * sz + cx * sy * cz;
    r[1][2] = -sx * cz + cx * sy * sz;
    r[2][2] = cx * cy;
}

/// Rotation about an axis by its length.
#[differentiable]
fn angle_axis(v: &[f64], r: &mut [[f64; 3]; 3]) {
    let norm = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    if norm < 1e-4 {
        for i in 0..3 {
            r[i][i] = 1.0;
        }
        return;
    }
    let (x, y, z) = (v[0] / norm, v[1] / norm, v[2] / norm);
    let (s, c) = norm.sin_cos();
    r[0][0] = x * x + (1.0 - x * x) * c;
    r[0][1] = x * y * (1.0 - c) - z * s;
    r[0][2] = x * z * (1.0 - c) + y * s;
    r[1][0] = x * y * (1.0 - c) + z * s;
    r[1][1] = y * y + (1.0 - y * y) * c;
    r[1][2] = y * z * (1.0 - c) - x * s;
    r[2][0] = x * z * (1.0 - c) - y * s;
    r[2][1] = z * y * (1.0 - c) + x * s;
    r[2][2] = z * z + (1.0 - z * z) * c;
}

/// `out = a b` for affine maps: three rows of four.
#[differentiable]
fn compose(a: &[[f64; 4]; 3], b: &[[f64; 4]; 3], out: &mut [[f64; 4]; 3]) {
    for i in 0..3 {
        for j in 0..4 {
            let mut sum = if j == 3 { a[i][3] } else { 0.0 };
            for k in 0..3 {
                sum += a[i][k] * b[k][j];
            }
            out[i][j] = sum;
        }
    }
}

/// The maps of all bones, for the pose `theta`.
#[differentiable]
fn bone_maps(
    theta: &[f64],
    #[constant] parents: &[usize],
    #[constant] relative: &[[[f64; 4]; 3]],
    #[constant] inverse: &[[[f64; 4]; 3]],
    maps: &mut [[[f64; 4]; 3]],
) {
    let bones = parents.len();
    let mut absolute = vec![[[0.0; 4]; 3]; bones];
    let mut turn = [[0.0; 4]; 3];
    let mut local = [[0.0; 4]; 3];
    let mut at = [[0.0; 4]; 3];
    let mut next = 6;
    for b in 0..bones {
        let mut angles = [0.0; 3];
        // bone 0 is the wrist; of the four bones of a finger the first is stiff
        let joint = if b == 0 { 0 } else { (b - 1) % 4 };
        if joint > 0 {
            angles[0] = theta[next];
            next += 1;
        }
        if joint == 1 {
            angles[2] = theta[next];
            next += 1;
        }
        let mut r = [[0.0; 3]; 3];
        euler(&angles, &mut r);
        for i in 0..3 {
            for j in 0..3 {
                turn[i][j] = r[i][j];
            }
        }
        let base = relative[b];
        compose(&base, &turn, &mut local);
        if b == 0 {
            at = local;
        } else {
            let parent = absolute[parents[b]];
            compose(&parent, &local, &mut at);
        }
        absolute[b] = at;
        let back = inverse[b];
        let mut map = [[0.0; 4]; 3];
        compose(&at, &back, &mut map);
        maps[b] = map;
    }
}

/// The vertices of some indices: skinned, turned and moved.
#[differentiable]
fn vertices(
    theta: &[f64],
    maps: &[[[f64; 4]; 3]],
    #[constant] indices: &[usize],
    #[constant] positions: &[f64],
    #[constant] starts: &[usize],
    #[constant] bones: &[usize],
    #[constant] weights: &[f64],
    out: &mut [f64],
) {
    let mut turn = [[0.0; 3]; 3];
    angle_axis(&theta[..3], &mut turn);
    for (n, vertex) in indices.iter().enumerate() {
        let v = *vertex;
        let mut p = [0.0; 3];
        for k in starts[v]..starts[v + 1] {
            let b = bones[k];
            for i in 0..3 {
                let mut sum = maps[b][i][3];
                for j in 0..3 {
                    sum += maps[b][i][j] * positions[3 * v + j];
                }
                p[i] += weights[k] * sum;
            }
        }
        for i in 0..3 {
            let mut sum = theta[3 + i];
            for j in 0..3 {
                sum += turn[i][j] * p[j];
            }
            out[3 * n + i] = sum;
        }
    }
}

/// Residuals of points on vertices.
#[differentiable]
fn simple(
    theta: &[f64],
    #[constant] parents: &[usize],
    #[constant] relative: &[[[f64; 4]; 3]],
    #[constant] inverse: &[[[f64; 4]; 3]],
    #[constant] indices: &[usize],
    #[constant] positions: &[f64],
    #[constant] starts: &[usize],
    #[constant] bones: &[usize],
    #[constant] weights: &[f64],
    #[constant] points: &[f64],
    residuals: &mut [f64],
) {
    let mut maps = vec![[[0.0; 4]; 3]; parents.len()];
    bone_maps(theta, parents, relative, inverse, &mut maps);
    let mut seen = vec![0.0; points.len()];
    vertices(
        theta, &maps, indices, positions, starts, bones, weights, &mut seen,
    );
    for i in 0..points.len() {
        residuals[i] = points[i] - seen[i];
    }
}

/// Residuals of points on triangles: `x` holds two coordinates of each point, then the pose. `indices` are the
/// corners of the triangles.
#[differentiable]
fn complicated(
    x: &[f64],
    #[constant] parents: &[usize],
    #[constant] relative: &[[[f64; 4]; 3]],
    #[constant] inverse: &[[[f64; 4]; 3]],
    #[constant] indices: &[usize],
    #[constant] positions: &[f64],
    #[constant] starts: &[usize],
    #[constant] bones: &[usize],
    #[constant] weights: &[f64],
    #[constant] points: &[f64],
    residuals: &mut [f64],
) {
    let count = points.len() / 3;
    let (u, theta) = x.split_at(2 * count);
    let mut maps = vec![[[0.0; 4]; 3]; parents.len()];
    bone_maps(theta, parents, relative, inverse, &mut maps);
    let mut seen = vec![0.0; 9 * count];
    vertices(
        theta, &maps, indices, positions, starts, bones, weights, &mut seen,
    );
    for n in 0..count {
        let (a, b) = (u[2 * n], u[2 * n + 1]);
        let corners = &seen[9 * n..9 * n + 9];
        for i in 0..3 {
            let on = a * corners[i] + b * corners[3 + i] + (1.0 - a - b) * corners[6 + i];
            residuals[3 * n + i] = points[3 * n + i] - on;
        }
    }
}

/// The model of the hand.
#[derive(Default)]
struct Model {
    parents: Vec<usize>,
    relative: Vec<[[f64; 4]; 3]>,
    inverse: Vec<[[f64; 4]; 3]>,
    positions: Vec<f64>,
    /// Bones and weights of vertex `v` are those in `starts[v]..starts[v + 1]`.
    starts: Vec<usize>,
    bones: Vec<usize>,
    weights: Vec<f64>,
    triangles: Vec<[usize; 3]>,
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| line.split(':').collect())
}

/// A number of the data.
fn number<T: FromStr>(word: &str) -> T {
    let Ok(number) = word.parse() else {
        panic!("`{word}` is no number");
    };
    number
}

impl Model {
    fn read() -> Model {
        let mut model = Model::default();
        for row in rows(include_str!("../data/hand/bones.txt")) {
            // four rows of four, the last of which is (0, 0, 0, 1)
            let map = |at: usize| {
                std::array::from_fn(|i| std::array::from_fn(|j| number(row[at + 4 * i + j])))
            };
            // the wrist has none
            let parent: i32 = number(row[1]);
            model.parents.push(usize::try_from(parent).unwrap_or(0));
            model.relative.push(map(2));
            model.inverse.push(map(18));
        }
        model.starts.push(0);
        for row in rows(include_str!("../data/hand/vertices.txt")) {
            model
                .positions
                .extend(row[..3].iter().map(|w| number::<f64>(w)));
            for pair in row[9..].chunks(2) {
                model.bones.push(number(pair[0]));
                model.weights.push(number(pair[1]));
            }
            model.starts.push(model.bones.len());
        }
        for row in rows(include_str!("../data/hand/triangles.txt")) {
            model
                .triangles
                .push(std::array::from_fn(|k| number(row[k])));
        }
        model
    }
}

/// An instance: indices of vertices or triangles, points, and the rest of the numbers.
fn instance(text: &str) -> (Vec<usize>, Vec<f64>, Vec<f64>) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let count: usize = number(words[0]);
    let (head, tail) = words[2..].split_at(4 * count);
    let indices = head.chunks(4).map(|row| number(row[0])).collect();
    let points = head
        .chunks(4)
        .flat_map(|row| row[1..].iter().map(|w| number(w)));
    (
        indices,
        points.collect(),
        tail.iter().map(|w| number(w)).collect(),
    )
}

const RELATIVE: Tolerance = Tolerance {
    relative: 1e-10,
    absolute: 0.0,
};

fn sum_of_squares<'a>(entries: impl IntoIterator<Item = &'a f64>) -> f64 {
    entries.into_iter().map(|v| v * v).sum()
}

#[test]
fn points_on_vertices() {
    let m = Model::read();
    let (indices, points, theta) = instance(include_str!("../data/hand/simple.txt"));
    let f = simple::AD.with(
        &m.parents,
        &m.relative,
        &m.inverse,
        &indices,
        &m.positions,
        &m.starts,
        &m.bones,
        &m.weights,
        &points,
    );
    let mut y = vec![0.0; points.len()];
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let (_, j) = value_and_jacobian(f.output(&mut y), NoPrep, &backend, &theta[..]).unwrap();
        let squares = sum_of_squares(&j);
        assert_close("squares", &[squares], &[3.021_105_753_751_427e2], RELATIVE);
        assert_close(
            "residuals",
            &[y.iter().sum()],
            &[-1.124_934_593_431_329],
            RELATIVE,
        );
    }
    // fewer points for the check of all forms
    let f = simple::AD.with(
        &m.parents,
        &m.relative,
        &m.inverse,
        &indices[..6],
        &m.positions,
        &m.starts,
        &m.bones,
        &m.weights,
        &points[..18],
    );
    let mut still = theta.clone();
    still[..3].fill(0.0);
    let mut y = vec![0.0; 18];
    program!(f.output(&mut y), [&theta, &still]);
}

#[test]
fn points_on_triangles() {
    let m = Model::read();
    let (triangles, points, x) = instance(include_str!("../data/hand/complicated.txt"));
    let corners: Vec<usize> = triangles.iter().flat_map(|t| m.triangles[*t]).collect();
    let f = complicated::AD.with(
        &m.parents,
        &m.relative,
        &m.inverse,
        &corners,
        &m.positions,
        &m.starts,
        &m.bones,
        &m.weights,
        &points,
    );
    let mut y = vec![0.0; points.len()];
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let j = jacobian(f.output(&mut y), NoPrep, &backend, &x[..]).unwrap();
        let squares = sum_of_squares(&j);
        assert_close("squares", &[squares], &[3.021_833_671_081_729e2], RELATIVE);
    }
    let f = complicated::AD.with(
        &m.parents,
        &m.relative,
        &m.inverse,
        &corners[..12],
        &m.positions,
        &m.starts,
        &m.bones,
        &m.weights,
        &points[..12],
    );
    let x = [&x[..8], &x[2 * triangles.len()..]].concat();
    let mut y = vec![0.0; 12];
    program!(f.output(&mut y), [&x]);
}
