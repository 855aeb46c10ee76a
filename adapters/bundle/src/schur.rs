//! Normal equations in blocks: points are eliminated by hand, what is left for the cameras is factorized by faer.

use std::collections::BTreeMap;
use std::error::Error;

use faer::prelude::Solve;
use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
use faer::sparse::{Argsort, Pair, SparseColMat, SymbolicSparseColMat};
use faer::{Col, Side};

use crate::blocks::Block;
use crate::scene::{Observation, Scene};

/// A symmetric matrix of cameras: which pairs of them see a common point, and how it is factorized. Made once.
pub(crate) struct Schur {
    /// For each pair of cameras, the later one first, the number of its block.
    pairs: BTreeMap<(usize, usize), usize>,
    pattern: SymbolicSparseColMat<usize>,
    order: Argsort<usize>,
    symbolic: SymbolicLlt<usize>,
    /// Observations of each point.
    of_point: Vec<Vec<usize>>,
    cameras: usize,
}

/// A step of all cameras and points.
pub(crate) struct Step {
    cameras: Vec<[f64; 9]>,
    points: Vec<[f64; 3]>,
    /// What the linear model promises, without the loss's curvature.
    pub(crate) promised: f64,
}

impl Step {
    /// The scene after the step.
    pub(crate) fn from(&self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        for (camera, step) in scene.cameras.iter_mut().zip(&self.cameras) {
            camera.iter_mut().zip(step).for_each(|(x, s)| *x += s);
        }
        for (point, step) in scene.points.iter_mut().zip(&self.points) {
            point.iter_mut().zip(step).for_each(|(x, s)| *x += s);
        }
        scene
    }
}

impl Schur {
    /// Finds the pattern, and a good order for its elimination.
    pub(crate) fn new(observations: &[Observation], scene: &Scene) -> Result<Self, Box<dyn Error>> {
        let mut of_point = vec![Vec::new(); scene.points.len()];
        for (k, o) in observations.iter().enumerate() {
            of_point[o.point].push(k);
        }
        let cameras = scene.cameras.len();
        let mut pairs: BTreeMap<(usize, usize), usize> =
            (0..cameras).map(|c| ((c, c), 0)).collect();
        for seen in &of_point {
            for (a, b) in pairs_of(seen, observations) {
                pairs.insert((a, b), 0);
            }
        }
        let mut entries = Vec::new();
        for (number, ((a, b), place)) in pairs.iter_mut().enumerate() {
            *place = number;
            for i in 0..9 {
                entries.extend((0..9).map(|j| Pair {
                    row: 9 * a + i,
                    col: 9 * b + j,
                }));
            }
        }
        let n = 9 * cameras;
        let (pattern, order) = SymbolicSparseColMat::try_new_from_indices(n, n, &entries)?;
        let symbolic = SymbolicLlt::try_new(pattern.as_ref(), Side::Lower)?;
        Ok(Schur {
            pairs,
            pattern,
            order,
            symbolic,
            of_point,
            cameras,
        })
    }

    /// Entries of the matrix that can differ from zero, in its lower half, and its size.
    pub(crate) fn size(&self) -> (usize, usize) {
        (81 * self.pairs.len(), 9 * self.cameras)
    }

    /// The damped step of Gauss and Newton: `(JᵀJ + damping diag(JᵀJ)) s = -Jᵀr`.
    pub(crate) fn solve(
        &self,
        observations: &[Observation],
        blocks: &[Block],
        damping: f64,
    ) -> Result<Step, Box<dyn Error>> {
        let mut matrix = vec![[[0.0; 9]; 9]; self.pairs.len()];
        let mut right = vec![[0.0; 9]; self.cameras];
        let mut model = 0.0;
        for (o, block) in observations.iter().zip(blocks) {
            let own = &mut matrix[self.pairs[&(o.camera, o.camera)]];
            for (j, r) in block.by_camera.iter().zip(block.r) {
                for a in 0..9 {
                    right[o.camera][a] -= j[a] * r;
                    (0..9).for_each(|b| own[a][b] += j[a] * j[b]);
                }
                model += r * r;
            }
        }
        for camera in 0..self.cameras {
            let own = &mut matrix[self.pairs[&(camera, camera)]];
            (0..9).for_each(|a| own[a][a] += damping * own[a][a] + 1e-12);
        }
        // S = U - W V⁻¹ Wᵀ, point by point
        let mut eliminated = Vec::with_capacity(self.of_point.len());
        for seen in &self.of_point {
            let point = Eliminated::new(seen, blocks, damping);
            for (i, (k, w)) in seen.iter().zip(&point.w).enumerate() {
                let a = observations[*k].camera;
                let scaled = times(w, &point.inverse);
                for row in 0..9 {
                    right[a][row] -= dot(&scaled[row], &point.right);
                }
                for (l, other) in seen.iter().zip(&point.w).take(i + 1) {
                    // observations of a point are in the order of their cameras
                    let own = &mut matrix[self.pairs[&(a, observations[*l].camera)]];
                    for row in 0..9 {
                        (0..9).for_each(|c| own[row][c] -= dot(&scaled[row], &other[c]));
                    }
                }
            }
            eliminated.push(point);
        }
        let values: Vec<f64> = matrix.iter().flatten().flatten().copied().collect();
        let matrix = SparseColMat::new_from_argsort(self.pattern.clone(), &self.order, &values)?;
        let factors =
            Llt::try_new_with_symbolic(self.symbolic.clone(), matrix.as_ref(), Side::Lower)?;
        let found = factors.solve(Col::from_fn(9 * self.cameras, |i| right[i / 9][i % 9]));
        let cameras: Vec<[f64; 9]> = (0..self.cameras)
            .map(|c| std::array::from_fn(|k| found[9 * c + k]))
            .collect();
        let points: Vec<[f64; 3]> = (self.of_point.iter().zip(&eliminated))
            .map(|(seen, point)| {
                let mut right = point.right;
                for (k, w) in seen.iter().zip(&point.w) {
                    let step = &cameras[observations[*k].camera];
                    for (i, r) in right.iter_mut().enumerate() {
                        *r -= (0..9).map(|row| w[row][i] * step[row]).sum::<f64>();
                    }
                }
                point.inverse.map(|row| dot(&row, &right))
            })
            .collect();
        let mut after = 0.0;
        for (o, block) in observations.iter().zip(blocks) {
            for i in 0..2 {
                let by_camera = block.by_camera[i].iter().zip(&cameras[o.camera]);
                let moved = by_camera.map(|(j, s)| j * s).sum::<f64>();
                let r = block.r[i] + moved + dot(&block.by_point[i], &points[o.point]);
                after += r * r;
            }
        }
        Ok(Step {
            cameras,
            points,
            promised: 0.5 * (model - after),
        })
    }
}

/// Pairs of cameras that see a point, the later one first.
fn pairs_of<'a>(
    seen: &'a [usize],
    observations: &'a [Observation],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let camera = |k: &usize| observations[*k].camera;
    (0..seen.len()).flat_map(move |i| (0..=i).map(move |j| (camera(&seen[i]), camera(&seen[j]))))
}

/// What is known of a point once it is eliminated.
struct Eliminated {
    inverse: [[f64; 3]; 3],
    right: [f64; 3],
    /// For each of its observations, `J_cameraᵀ J_point`.
    w: Vec<[[f64; 3]; 9]>,
}

impl Eliminated {
    fn new(seen: &[usize], blocks: &[Block], damping: f64) -> Self {
        let (mut v, mut right) = ([[0.0; 3]; 3], [0.0; 3]);
        let mut all = Vec::with_capacity(seen.len());
        for k in seen {
            let block = &blocks[*k];
            let mut w = [[0.0; 3]; 9];
            for i in 0..2 {
                let (c, p) = (&block.by_camera[i], &block.by_point[i]);
                for b in 0..3 {
                    right[b] -= p[b] * block.r[i];
                    (0..3).for_each(|a| v[a][b] += p[a] * p[b]);
                    (0..9).for_each(|a| w[a][b] += c[a] * p[b]);
                }
            }
            all.push(w);
        }
        (0..3).for_each(|a| v[a][a] += damping * v[a][a] + 1e-12);
        Eliminated {
            inverse: inverse(&v),
            right,
            w: all,
        }
    }
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `w m`, of a symmetric `m`.
fn times(w: &[[f64; 3]; 9], m: &[[f64; 3]; 3]) -> [[f64; 3]; 9] {
    w.map(|row| [dot(&row, &m[0]), dot(&row, &m[1]), dot(&row, &m[2])])
}

/// Inverse of a symmetric matrix, by cofactors.
fn inverse(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let minor = |i: usize, j: usize| {
        let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let det = (0..3).map(|j| m[0][j] * minor(0, j)).sum::<f64>();
    std::array::from_fn(|i| std::array::from_fn(|j| minor(j, i) / det))
}
