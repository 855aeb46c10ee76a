//! The Jacobian by hand: derivatives of the projected point by the seen one, then back through the rotation.

use super::INPUTS;

/// Rows of the Jacobian of one observation, and its error.
#[inline(never)]
pub fn jacobian(
    camera: &[f64; 11],
    point: &[f64; 3],
    weight: f64,
    feature: &[f64; 2],
    rows: &mut [[f64; INPUTS]; 2],
) -> [f64; 2] {
    let r = [camera[0], camera[1], camera[2]];
    let c: [f64; 3] = std::array::from_fn(|i| point[i] - camera[3 + i]);
    let focal = camera[6];
    let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    let mut turn = [[0.0; 3]; 3];
    // derivatives of the seen point by the rotation vector, by columns
    let mut by_rotation = [[0.0; 3]; 3];
    if square != 0.0 {
        let theta = square.sqrt();
        let (sin, cos) = theta.sin_cos();
        let inverse = 1.0 / theta;
        let a = r.map(|r| r * inverse);
        let rest = 1.0 - cos;
        for i in 0..3 {
            for j in 0..3 {
                turn[i][j] = rest * a[i] * a[j];
            }
            turn[i][i] += cos;
        }
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            turn[i][j] -= sin * a[k];
            turn[j][i] += sin * a[k];
        }
        let dot = a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
        let turned = cross(&a, &c);
        // by theta, and by the axis, whose derivative by r is (1 - a a') / theta
        let by_theta: [f64; 3] =
            std::array::from_fn(|i| cos * turned[i] - sin * c[i] + sin * dot * a[i]);
        let mut by_axis = [[0.0; 3]; 3];
        for (j, column) in by_axis.iter_mut().enumerate() {
            let mut e = [0.0; 3];
            e[j] = 1.0;
            let around = cross(&e, &c);
            for i in 0..3 {
                column[i] = sin * around[i] + rest * a[i] * c[j];
            }
            column[j] += rest * dot;
        }
        let along: [f64; 3] = std::array::from_fn(|i| {
            by_axis[0][i] * a[0] + by_axis[1][i] * a[1] + by_axis[2][i] * a[2]
        });
        for j in 0..3 {
            for i in 0..3 {
                by_rotation[j][i] =
                    by_theta[i] * a[j] + inverse * (by_axis[j][i] - along[i] * a[j]);
            }
        }
    } else {
        for j in 0..3 {
            turn[j][j] = 1.0;
            let mut e = [0.0; 3];
            e[j] = 1.0;
            by_rotation[j] = cross(&e, &c);
        }
        turn[0][1] = -r[2];
        turn[1][0] = r[2];
    }
    let seen: [f64; 3] =
        std::array::from_fn(|i| turn[i][0] * c[0] + turn[i][1] * c[1] + turn[i][2] * c[2]);
    let depth = 1.0 / seen[2];
    let (x, y) = (seen[0] * depth, seen[1] * depth);
    let s = x * x + y * y;
    let distortion = 1.0 + camera[9] * s + camera[10] * s * s;
    let slope = camera[9] + 2.0 * camera[10] * s;
    let scale = weight * focal;
    // of the weighted error by (x, y), symmetric
    let xx = scale * (distortion + 2.0 * x * x * slope);
    let xy = scale * (2.0 * x * y * slope);
    let yy = scale * (distortion + 2.0 * y * y * slope);
    let by_seen = [
        [xx * depth, xy * depth, -depth * (xx * x + xy * y)],
        [xy * depth, yy * depth, -depth * (xy * x + yy * y)],
    ];
    let place = [x, y];
    let mut error = [0.0; 2];
    for k in 0..2 {
        let (row, d) = (&mut rows[k], &by_seen[k]);
        for j in 0..3 {
            let column = &by_rotation[j];
            row[j] = d[0] * column[0] + d[1] * column[1] + d[2] * column[2];
            let by_point = d[0] * turn[0][j] + d[1] * turn[1][j] + d[2] * turn[2][j];
            row[3 + j] = -by_point;
            row[11 + j] = by_point;
        }
        let distorted = place[k] * distortion;
        row[6] = weight * distorted;
        row[7] = 0.0;
        row[8] = 0.0;
        row[7 + k] = weight;
        row[9] = scale * place[k] * s;
        row[10] = scale * place[k] * s * s;
        let miss = distorted * focal + camera[7 + k] - feature[k];
        row[14] = miss;
        error[k] = weight * miss;
    }
    error
}

#[inline(always)]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
