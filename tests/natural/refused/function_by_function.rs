//! Programs annotated function by function. Refused: each with what the compiler says.

// E0080 [DI0329] a derivative would be lost: constant code reads `t`, which depends on the inputs
/// A damped pendulum by RK4, fitted to measured angles.
mod driven_pendulum {
    use di::prelude::*;
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct State {
        theta: f64,
        omega: f64,
    }

    #[differentiable]
    impl Add for State {
        type Output = State;
        fn add(self, other: State) -> State {
            State { theta: self.theta + other.theta, omega: self.omega + other.omega }
        }
    }

    #[differentiable]
    impl Mul<f64> for State {
        type Output = State;
        fn mul(self, k: f64) -> State {
            State { theta: self.theta * k, omega: self.omega * k }
        }
    }

    #[derive(Clone, Copy)]
    enum Drive {
        None,
        Sine { amplitude: f64, frequency: f64 },
        Pulse(f64, f64),
    }

    impl Drive {
        fn at(&self, t: f64) -> f64 {
            match self {
                Drive::None => 0.0,
                Drive::Sine { amplitude, frequency } => amplitude * (frequency * t).sin(),
                Drive::Pulse(start, end) => if t >= *start && t < *end { 1.0 } else { 0.0 },
            }
        }
    }

    #[differentiable]
    fn rhs(s: State, t: f64, p: &[f64], drive: &Drive) -> State {
        State { theta: s.omega, omega: -p[0] * s.theta.sin() - p[1] * s.omega + drive.at(t) }
    }

    #[differentiable]
    fn rk4(s: State, t: f64, h: f64, p: &[f64], drive: &Drive) -> State {
        let k1 = rhs(s, t, p, drive);
        let k2 = rhs(s + k1 * (h / 2.0), t + h / 2.0, p, drive);
        let k3 = rhs(s + k2 * (h / 2.0), t + h / 2.0, p, drive);
        let k4 = rhs(s + k3 * h, t + h, p, drive);
        s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0)
    }

    #[differentiable]
    fn misfit(p: &[f64], #[constant] data: &[(f64, f64)], #[constant] drive: &Drive) -> f64 {
        let mut s = State { theta: p[2], omega: 0.0 };
        let mut t = 0.0;
        let mut total = 0.0;
        for &(time, angle) in data {
            let steps = 4;
            let h = (time - t) / steps as f64;
            for _ in 0..steps {
                s = rk4(s, t, h, p, drive);
                t += h;
            }
            total += (s.theta - angle).powi(2);
        }
        total
    }

    #[test]
    fn driven_pendulum() {
        let data = [(0.2, 0.9), (0.5, 0.6), (1.0, -0.2)];
        let drive = Drive::Sine { amplitude: 0.3, frequency: 2.0 };
        crate::check::scalar!(misfit, (&data, &drive), &[4.0, 0.3, 1.1]);
    }
}

// E0080 [DI0316] `Matrix` seems to be a struct, and this operator on structs cannot be differentiated
// E0080 [DI0407] a value of this struct is made, changed or copied, but a field has a size that is known only when the program runs
/// A Kalman filter with matrices, negative log-likelihood.
mod kalman_matrices {
    use di::prelude::*;
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Debug, Differentiable)]
    pub struct Matrix {
        rows: usize,
        cols: usize,
        data: Vec<f64>,
    }

    #[differentiable]
    impl Index<(usize, usize)> for Matrix {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[i * self.cols + j]
        }
    }

    #[differentiable]
    impl IndexMut<(usize, usize)> for Matrix {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
    }

    #[differentiable]
    impl Matrix {
        fn zeros(rows: usize, cols: usize) -> Self {
            Matrix { rows, cols, data: vec![0.0; rows * cols] }
        }
        fn identity(n: usize) -> Self {
            let mut m = Matrix::zeros(n, n);
            for i in 0..n {
                m[(i, i)] = 1.0;
            }
            m
        }
        fn mul(&self, other: &Matrix) -> Matrix {
            let mut out = Matrix::zeros(self.rows, other.cols);
            for i in 0..self.rows {
                for j in 0..other.cols {
                    for k in 0..self.cols {
                        out[(i, j)] += self[(i, k)] * other[(k, j)];
                    }
                }
            }
            out
        }
        fn transpose(&self) -> Matrix {
            let mut out = Matrix::zeros(self.cols, self.rows);
            for i in 0..self.rows {
                for j in 0..self.cols {
                    out[(j, i)] = self[(i, j)];
                }
            }
            out
        }
        fn add(&self, other: &Matrix) -> Matrix {
            let data = self.data.iter().zip(&other.data).map(|(a, b)| a + b).collect();
            Matrix { rows: self.rows, cols: self.cols, data }
        }
    }

    #[differentiable]
    fn likelihood(theta: &[f64], #[constant] observations: &[Option<f64>]) -> f64 {
        let mut f = Matrix::identity(2);
        f[(0, 1)] = 0.5;
        let mut q = Matrix::zeros(2, 2);
        q[(0, 0)] = theta[0].exp();
        q[(1, 1)] = theta[1].exp();
        let r = theta[2].exp();
        let mut x = Matrix::zeros(2, 1);
        let mut p = Matrix::identity(2);
        let mut nll = 0.0;
        for obs in observations {
            x = f.mul(&x);
            p = f.mul(&p).mul(&f.transpose()).add(&q);
            let Some(z) = obs else { continue };
            let s = p[(0, 0)] + r;
            let innovation = z - x[(0, 0)];
            nll += 0.5 * (s.ln() + innovation * innovation / s);
            let k = [p[(0, 0)] / s, p[(1, 0)] / s];
            for i in 0..2 {
                x[(i, 0)] += k[i] * innovation;
            }
            let row = [p[(0, 0)], p[(0, 1)]];
            for i in 0..2 {
                for j in 0..2 {
                    p[(i, j)] -= k[i] * row[j];
                }
            }
        }
        nll
    }

    #[test]
    fn kalman_matrices() {
        crate::check::scalar!(likelihood, (&[Some(0.3), None, Some(0.9), Some(1.2)]), &[-1.0, -0.5, 0.2]);
    }
}

// E0080 [DI0316] `Vec3` seems to be a struct, and this operator on structs cannot be differentiated
/// Quaternions and attitude from vector observations.
mod attitude {
    use di::prelude::*;
    use std::ops::Mul;

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Quaternion {
        pub w: f64,
        pub v: Vec3,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Vec3(pub f64, pub f64, pub f64);

    #[differentiable]
    impl Vec3 {
        pub fn dot(self, o: Vec3) -> f64 {
            self.0 * o.0 + self.1 * o.1 + self.2 * o.2
        }
        pub fn cross(self, o: Vec3) -> Vec3 {
            Vec3(self.1 * o.2 - self.2 * o.1, self.2 * o.0 - self.0 * o.2, self.0 * o.1 - self.1 * o.0)
        }
        pub fn norm(self) -> f64 {
            self.dot(self).sqrt()
        }
    }

    #[differentiable]
    impl std::ops::Add for Vec3 {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Vec3(self.0 + o.0, self.1 + o.1, self.2 + o.2)
        }
    }

    #[differentiable]
    impl std::ops::Sub for Vec3 {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Vec3(self.0 - o.0, self.1 - o.1, self.2 - o.2)
        }
    }

    #[differentiable]
    impl Mul<Vec3> for f64 {
        type Output = Vec3;
        fn mul(self, o: Vec3) -> Vec3 {
            Vec3(self * o.0, self * o.1, self * o.2)
        }
    }

    #[differentiable]
    impl Mul for Quaternion {
        type Output = Quaternion;
        fn mul(self, o: Quaternion) -> Quaternion {
            Quaternion {
                w: self.w * o.w - self.v.dot(o.v),
                v: self.w * o.v + o.w * self.v + self.v.cross(o.v),
            }
        }
    }

    #[differentiable]
    impl Quaternion {
        pub const IDENTITY: Quaternion = Quaternion { w: 1.0, v: Vec3(0.0, 0.0, 0.0) };

        pub fn from_rotation_vector(r: &[f64]) -> Self {
            let axis = Vec3(r[0], r[1], r[2]);
            let angle = axis.norm();
            if angle < 1e-8 {
                return Quaternion::IDENTITY;
            }
            let half = 0.5 * angle;
            Quaternion { w: half.cos(), v: (half.sin() / angle) * axis }
        }
        pub fn conjugate(&self) -> Self {
            Quaternion { w: self.w, v: -1.0 * self.v }
        }
        pub fn rotate(&self, p: Vec3) -> Vec3 {
            (*self * Quaternion { w: 0.0, v: p } * self.conjugate()).v
        }
    }

    #[differentiable]
    pub fn wahba(r: &[f64], #[constant] pairs: &[(Vec3, Vec3)]) -> f64 {
        let q = Quaternion::from_rotation_vector(r);
        let mut loss = 0.0;
        for (body, world) in pairs {
            let e = *world - q.rotate(*body);
            loss += e.dot(e);
        }
        loss
    }

    #[test]
    fn attitude() {
        let pairs = [(Vec3(1.0, 0.0, 0.2), Vec3(0.3, 0.8, 0.1)), (Vec3(0.0, 1.0, -0.4), Vec3(-0.5, 0.2, 0.9))];
        crate::check::scalar!(wahba, (&pairs), &[0.3, -0.4, 0.8]);
    }
}

// E0282 type annotations needed: `collect` in the field of a struct, over a constant
/// SEIR with age groups and a contact matrix, Poisson likelihood.
mod age_groups {
    use di::prelude::*;
    struct Population {
        sizes: Vec<f64>,
        contacts: Vec<Vec<f64>>,
        interventions: Vec<Intervention>,
    }

    struct Intervention {
        day: usize,
        kind: Kind,
        strength: f64,
    }

    #[derive(PartialEq)]
    enum Kind {
        SchoolClosure,
        Distancing,
    }

    #[derive(Clone, Differentiable)]
    struct Compartments {
        s: Vec<f64>,
        e: Vec<f64>,
        i: Vec<f64>,
        r: Vec<f64>,
    }

    impl Population {
        fn groups(&self) -> usize {
            self.sizes.len()
        }

        fn reduction(&self, day: usize, group: usize) -> f64 {
            self.interventions
                .iter()
                .filter(|i| i.day <= day)
                .map(|i| match i.kind {
                    Kind::SchoolClosure => if group == 0 { 1.0 - i.strength } else { 1.0 },
                    Kind::Distancing => 1.0 - i.strength,
                })
                .product()
        }
    }

    #[differentiable]
    fn step(state: &mut Compartments, pop: &Population, day: usize, beta: f64, sigma: f64, gamma: f64) -> f64 {
        let n = pop.groups();
        let prevalence: Vec<f64> = (0..n).map(|g| state.i[g] / pop.sizes[g]).collect();
        let mut new_cases = 0.0;
        for g in 0..n {
            let mut force = 0.0;
            for h in 0..n {
                force += pop.contacts[g][h] * prevalence[h];
            }
            let infected = beta * pop.reduction(day, g) * force * state.s[g];
            let onset = sigma * state.e[g];
            let recovered = gamma * state.i[g];
            state.s[g] -= infected;
            state.e[g] += infected - onset;
            state.i[g] += onset - recovered;
            state.r[g] += recovered;
            new_cases += onset;
        }
        new_cases
    }

    #[differentiable]
    fn neg_log_likelihood(theta: &[f64], #[constant] pop: &Population, #[constant] cases: &[u32]) -> f64 {
        let (beta, sigma, gamma, report) = (theta[0], theta[1], theta[2], theta[3]);
        let n = pop.groups();
        let mut state = Compartments {
            s: pop.sizes.iter().map(|s| s - 1.0).collect(),
            e: vec![0.0; n],
            i: vec![1.0; n],
            r: vec![0.0; n],
        };
        let mut nll = 0.0;
        for (day, &count) in cases.iter().enumerate() {
            let expected = report * step(&mut state, pop, day, beta, sigma, gamma) + 1e-6;
            nll += expected - count as f64 * expected.ln();
        }
        nll
    }

    #[test]
    fn age_groups() {
        let pop = Population {
            sizes: vec![50.0, 120.0],
            contacts: vec![vec![2.0, 0.5], vec![0.5, 1.0]],
            interventions: vec![Intervention { day: 2, kind: Kind::SchoolClosure, strength: 0.4 }, Intervention { day: 4, kind: Kind::Distancing, strength: 0.2 }],
        };
        crate::check::scalar!(neg_log_likelihood, (&pop, &[0, 1, 1, 2, 3, 2]), &[0.6, 0.4, 0.3, 0.5]);
    }
}
