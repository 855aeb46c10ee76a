//! What programs of one module do: structs with an index of their own, lists of pairs in structs, matrices that start as
//! constants, states that go through functions generic over a law, handles of methods elsewhere.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[differentiable]
mod matrices {
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Debug)]
    pub(super) struct Matrix {
        rows: usize,
        cols: usize,
        data: Vec<f64>,
    }

    impl Index<(usize, usize)> for Matrix {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[i * self.cols + j]
        }
    }

    impl IndexMut<(usize, usize)> for Matrix {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
    }

    impl Matrix {
        fn zeros(rows: usize, cols: usize) -> Self {
            Matrix {
                rows,
                cols,
                data: vec![0.0; rows * cols],
            }
        }
        fn transposed(&self) -> Matrix {
            let mut t = Matrix::zeros(self.cols, self.rows);
            for i in 0..self.rows {
                for j in 0..self.cols {
                    t[(j, i)] = self[(i, j)];
                }
            }
            t
        }
        fn trace(&self) -> f64 {
            (0..self.rows).map(|i| self[(i, i)]).sum()
        }
    }

    /// The element of a row that is asked for may be written as well.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct Vec3(pub [f64; 3]);

    impl Index<usize> for Vec3 {
        type Output = f64;
        fn index(&self, i: usize) -> &Self::Output {
            &self.0[i]
        }
    }
    impl IndexMut<usize> for Vec3 {
        fn index_mut(&mut self, i: usize) -> &mut Self::Output {
            &mut self.0[i]
        }
    }
    impl Vec3 {
        fn dot(&self, o: &Vec3) -> f64 {
            self[0] * o[0] + self[1] * o[1] + self[2] * o[2]
        }
    }

    /// Rows behind an index.
    #[derive(Clone, Debug)]
    pub(super) struct Table(Vec<f64>);

    impl Index<usize> for Table {
        type Output = [f64];
        fn index(&self, i: usize) -> &[f64] {
            &self.0[2 * i..2 * i + 2]
        }
    }
    impl IndexMut<usize> for Table {
        fn index_mut(&mut self, i: usize) -> &mut [f64] {
            &mut self.0[2 * i..2 * i + 2]
        }
    }

    pub(super) fn by_pairs(x: &[f64]) -> f64 {
        let mut m = Matrix::zeros(2, 2);
        for (i, v) in x.iter().take(2).enumerate() {
            m[(i, i)] = v * v;
            m[(i, 1 - i)] += v * x[2];
        }
        m[(0, 1)] *= x[0];
        let t = m.transposed();
        t[(0, 1)] * m[(0, 0)].sin() + t.trace() * m[(0, 1)]
    }

    pub(super) fn by_numbers(x: &[f64]) -> f64 {
        let mut v = Vec3([x[0], x[1], x[2]]);
        v[1] = v[0] * v[2];
        let w = Vec3([1.0, 2.0, x[0]]);
        let mut held = [v, w];
        held[1][0] -= x[1];
        let first = &mut held[0][2];
        *first *= 2.0;
        held[0].dot(&held[1]) * v[1]
    }

    pub(super) fn by_rows(x: &[f64]) -> f64 {
        let mut t = Table(vec![0.0; 4]);
        t[1][0] = x[0] * x[1];
        t[0][1] += x[2];
        let sum: f64 = t[1].iter().map(|v| v * v).sum();
        sum + t[0][1] * t[1][0]
    }
}

#[test]
fn elements_of_structs_with_an_index() {
    use matrices::{by_numbers, by_pairs, by_rows};
    scalar!(by_pairs).takes_memory().row(290).check(&POINTS);
    scalar!(by_numbers).row(290).check(&POINTS);
    scalar!(by_rows).takes_memory().row(290).check(&POINTS);
}

#[differentiable]
mod networks {
    #[derive(Clone, Debug)]
    pub(super) struct Network {
        pub(super) edges: Vec<(usize, usize)>,
        pub(super) fixed: [(usize, bool); 2],
        pub(super) weights: Vec<f64>,
    }

    impl Network {
        fn difference(&self, k: usize, x: &[f64]) -> f64 {
            let (i, j) = self.edges[k];
            self.weights[k] * (x[i] - x[j])
        }
        pub(super) fn energy(&self, x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for (k, &(i, j)) in self.edges.iter().enumerate() {
                sum += self.weights[k] * x[i] * x[j] + self.difference(k, x).powi(2);
            }
            for (i, is_fixed) in &self.fixed {
                if *is_fixed {
                    sum += x[*i].exp();
                }
            }
            let (first, count) = (self.edges[0], self.edges.len());
            sum * x[first.1] * count as f64
        }
    }

    pub(super) fn held(x: &[f64], network: &Network) -> f64 {
        network.energy(x)
    }
}

fn network() -> networks::Network {
    networks::Network {
        edges: vec![(0, 1), (2, 0), (1, 2)],
        fixed: [(1, true), (0, false)],
        weights: vec![0.5, -0.3, 1.1],
    }
}

#[test]
fn pairs_of_integers_in_structs() {
    use networks::held;
    let network = network();
    let f = held::AD.fix_network(&network);
    scalar!(f, |x: &[f64]| held(x, &network))
        .row(291)
        .check(&POINTS);
}

#[test]
fn handles_of_methods_outside_of_their_module() -> Result<(), di::Error> {
    use networks::{Network, held};
    let network = network();
    let (f, backend) = (Network::energy_ad.fix_self(&network), AutoSource::new());
    let x = POINTS[0].to_vec();
    let found = gradient(f, &NoPrep, &backend, &x)?;
    // each weight and each term by hand
    let (w, n) = (&network.weights, 3.0);
    let terms = |x: &[f64]| {
        let edge =
            |k: usize, i: usize, j: usize| w[k] * x[i] * x[j] + (w[k] * (x[i] - x[j])).powi(2);
        edge(0, 0, 1) + edge(1, 2, 0) + edge(2, 1, 2) + x[1].exp()
    };
    let slope = |k: usize, i: usize, j: usize| {
        let d = 2.0 * w[k] * w[k] * (x[i] - x[j]);
        (w[k] * x[j] + d, w[k] * x[i] - d)
    };
    let ((a0, a1), (b2, b0), (c1, c2)) = (slope(0, 0, 1), slope(1, 2, 0), slope(2, 1, 2));
    let expected = [
        n * x[1] * (a0 + b0),
        n * x[1] * (a1 + c1 + x[1].exp()) + n * terms(&x),
        n * x[1] * (b2 + c2),
    ];
    assert_close("gradient", &found, &expected, ROUNDING);
    assert_close(
        "value",
        &[held(&x, &network)],
        &[n * x[1] * terms(&x)],
        ROUNDING,
    );
    Ok(())
}

#[differentiable]
mod assembled {
    pub(super) type Rows = Vec<Vec<f64>>;

    fn zeros(n: usize) -> Rows {
        vec![vec![0.0; n]; n]
    }

    fn unit(n: usize) -> Vec<Vec<f64>> {
        let mut m = zeros(n);
        for i in 0..n {
            m[i][i] = 1.0;
        }
        m
    }

    fn ramp(n: usize) -> Vec<f64> {
        (0..n).map(|i| i as f64).collect()
    }

    /// It is not changed: it stays a constant, whatever Rust makes it.
    fn table(n: usize) -> Vec<f64> {
        let mut found = std::collections::BTreeMap::new();
        for i in 0..n {
            found.insert(i, 0.5 * i as f64);
        }
        found.into_values().collect()
    }

    pub(super) fn assembled(x: &[f64]) -> f64 {
        let n = x.len();
        let mut k = zeros(n);
        let mut m: Rows = unit(n);
        let mut r = ramp(n);
        let t = table(n);
        for i in 0..n {
            k[i][i] += x[i] * x[i];
            k[i][n - 1 - i] -= x[0];
            m[i][0] *= x[i];
            r[i] += t[i] * x[i].sin();
        }
        k[0][0] * k[2][2] * m[0][0] + m[1][1] * r[1] * r[2] + k[0][2]
    }
}

#[test]
fn matrices_that_start_as_constants() {
    use assembled::assembled;
    scalar!(assembled).takes_memory().row(292).check(&POINTS);
}

#[differentiable]
mod orbits {
    #[derive(Clone, Copy, Debug)]
    pub(super) struct State {
        pub r: f64,
        pub v: f64,
    }

    pub(super) trait Force {
        fn acceleration(&self, s: &State) -> f64;
    }

    #[derive(Clone, Copy, Debug)]
    pub(super) struct Spring {
        pub k: f64,
    }

    impl Force for Spring {
        fn acceleration(&self, s: &State) -> f64 {
            -self.k * s.r.powi(3)
        }
    }

    fn rates<F: Force>(s: State, force: &F) -> State {
        State {
            r: s.v,
            v: force.acceleration(&s),
        }
    }

    pub(super) fn euler<F: Force>(s: State, h: f64, force: &F) -> State {
        let d = rates(s, force);
        State {
            r: s.r + h * d.r,
            v: s.v + h * d.v,
        }
    }

    pub(super) fn travelled(x: &[f64]) -> f64 {
        let spring = Spring { k: x[2] };
        let mut s = State { r: x[0], v: x[1] };
        for _ in 0..3 {
            s = euler(s, 0.1, &spring);
        }
        s.r * s.v
    }
}

#[test]
fn states_by_functions_generic_over_a_law() {
    use orbits::travelled;
    scalar!(travelled).row(180).check(&POINTS);
}
