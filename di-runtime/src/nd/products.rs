//! Inner products, products of matrices and vectors, and sums.

use ndarray::{ArrayViewMut1, ArrayViewMut2, Dim, linalg};

use super::bilinear::{Bilinear, Pooled};
use super::strided;
use crate::generated::Pool;
use crate::scalar::{Lanes, Real, Rule, Scalar, Zero};

/// `x . y` of `n` elements, `sx` and `sy` apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dot {
    pub(super) n: usize,
    pub(super) sx: usize,
    pub(super) sy: usize,
}

/// `y = A x`: `m` by `n`, elements `s` and `t` apart along the axes of `A`, and `sx` in `x`.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatVec {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) s: usize,
    pub(super) t: usize,
    pub(super) sx: usize,
}

/// `C = A B`: `m` by `k` and `k` by `n`, with distances along the axes; `C` has its own too.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatMul {
    pub(super) dims: [usize; 3],
    pub(super) a: [usize; 2],
    pub(super) b: [usize; 2],
}

/// The sum of `m` by `n` elements, `s` and `t` apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) s: usize,
    pub(super) t: usize,
}

/// `z += a * s`, in all lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn add_scaled<S: Scalar, A: Lanes<S>>(z: &mut A, a: A, s: S) {
    z.acc(a.scale(s));
}

impl<R: Real> Bilinear<R> for Dot {
    fn push_x<S: Scalar<Real = R>, T: Lanes<S>>(
        self,
        dx: &[T],
        y: &[S],
        dz: &mut [T],
        _: &mut Pool,
    ) {
        let mut sum = T::zero();
        for i in 0..self.n {
            add_scaled(&mut sum, dx[i * self.sx], y[i * self.sy]);
        }
        dz[0].acc(sum);
    }
    fn push_y<S: Scalar<Real = R>, T: Lanes<S>>(
        self,
        x: &[S],
        dy: &[T],
        dz: &mut [T],
        pool: &mut Pool,
    ) {
        let other = Dot {
            n: self.n,
            sx: self.sy,
            sy: self.sx,
        };
        Bilinear::<R>::push_x(other, dy, x, dz, pool);
    }
    fn pull_x<S: Scalar<Real = R>, A: Lanes<S>>(
        self,
        zb: &[A],
        y: &[S],
        xb: &mut [A],
        _: &mut Pool,
    ) {
        let zb = zb[0];
        if self.sx == 1 && self.sy == 1 {
            for (xb, y) in xb[..self.n].iter_mut().zip(y) {
                add_scaled(xb, zb, *y);
            }
        } else {
            for i in 0..self.n {
                add_scaled(&mut xb[i * self.sx], zb, y[i * self.sy]);
            }
        }
    }
    fn pull_y<S: Scalar<Real = R>, A: Lanes<S>>(
        self,
        zb: &[A],
        x: &[S],
        yb: &mut [A],
        pool: &mut Pool,
    ) {
        let other = Dot {
            n: self.n,
            sx: self.sy,
            sy: self.sx,
        };
        Bilinear::<R>::pull_x(other, zb, x, yb, pool);
    }
}

impl MatVec {
    /// Whether rows stand side by side.
    fn by_rows(self) -> bool {
        self.t == 1 && self.sx == 1
    }
}

impl<R: Real> Bilinear<R> for MatVec {
    fn push_x<S: Scalar<Real = R>, T: Lanes<S>>(
        self,
        da: &[T],
        x: &[S],
        dy: &mut [T],
        _: &mut Pool,
    ) {
        let MatVec { m, n, s, t, sx } = self;
        for i in 0..m {
            let mut sum = T::zero();
            if self.by_rows() {
                for (da, x) in da[i * s..i * s + n].iter().zip(x) {
                    add_scaled(&mut sum, *da, *x);
                }
            } else {
                for j in 0..n {
                    add_scaled(&mut sum, da[i * s + j * t], x[j * sx]);
                }
            }
            dy[i].acc(sum);
        }
    }
    fn push_y<S: Scalar<Real = R>, T: Lanes<S>>(
        self,
        a: &[S],
        dx: &[T],
        dy: &mut [T],
        _: &mut Pool,
    ) {
        let MatVec { m, n, s, t, sx } = self;
        for i in 0..m {
            let mut sum = T::zero();
            if self.by_rows() {
                for (a, dx) in a[i * s..i * s + n].iter().zip(dx) {
                    add_scaled(&mut sum, *dx, *a);
                }
            } else {
                for j in 0..n {
                    add_scaled(&mut sum, dx[j * sx], a[i * s + j * t]);
                }
            }
            dy[i].acc(sum);
        }
    }
    fn pull_x<S: Scalar<Real = R>, A: Lanes<S>>(
        self,
        yb: &[A],
        x: &[S],
        ab: &mut [A],
        _: &mut Pool,
    ) {
        let MatVec { m, n, s, t, sx } = self;
        if self.by_rows() {
            for i in 0..m {
                let yb = yb[i];
                for (ab, x) in ab[i * s..i * s + n].iter_mut().zip(x) {
                    add_scaled(ab, yb, *x);
                }
            }
        } else if s == 1 {
            for j in 0..n {
                let x = x[j * sx];
                for (ab, yb) in ab[j * t..j * t + m].iter_mut().zip(yb) {
                    add_scaled(ab, *yb, x);
                }
            }
        } else {
            for i in 0..m {
                for j in 0..n {
                    add_scaled(&mut ab[i * s + j * t], yb[i], x[j * sx]);
                }
            }
        }
    }
    fn pull_y<S: Scalar<Real = R>, A: Lanes<S>>(
        self,
        yb: &[A],
        a: &[S],
        xb: &mut [A],
        _: &mut Pool,
    ) {
        let MatVec { m, n, s, t, sx } = self;
        if self.by_rows() {
            for i in 0..m {
                let yb = yb[i];
                for (xb, a) in xb[..n].iter_mut().zip(&a[i * s..i * s + n]) {
                    add_scaled(xb, yb, *a);
                }
            }
        } else {
            for j in 0..n {
                let mut sum = A::zero();
                for i in 0..m {
                    add_scaled(&mut sum, yb[i], a[i * s + j * t]);
                }
                xb[j * sx].acc(sum);
            }
        }
    }
}

/// Where the element `[0, 0]` of a matrix is, and the distances along its axes.
type Layout = (usize, [usize; 2]);

impl MatMul {
    /// `z += A B` with matrices anywhere in slices, through the engine's own product.
    fn add_product<S: Scalar>(
        dims: [usize; 3],
        (a, la): (&[S], Layout),
        (b, lb): (&[S], Layout),
        (z, lz): (&mut [S], Layout),
        pool: &mut Pool,
    ) where
        for<'p> Pooled<'p, MatMul>: Rule<S::Real, 2, 1>,
    {
        let [m, k, n] = dims;
        if m == 0 || k == 0 || n == 0 {
            return;
        }
        let mut room = pool.take_dirty(m * n, S::default());
        let product = MatMul {
            dims,
            a: la.1,
            b: lb.1,
        };
        let product = Pooled::new(product, &mut *pool);
        S::call_rule(&product, [&a[la.0..], &b[lb.0..]], [&mut room[..]]);
        let (at, [s, t]) = lz;
        for (i, row) in room.chunks_exact(n).enumerate() {
            let at = at + i * s;
            if t == 1 {
                for (z, c) in z[at..at + n].iter_mut().zip(row) {
                    *z = *z + *c;
                }
            } else {
                for (j, c) in row.iter().enumerate() {
                    z[at + j * t] = z[at + j * t] + *c;
                }
            }
        }
        pool.give(room);
    }

    /// A matrix of lanes, lane `k` of it.
    fn of_lane<S: Scalar, A: Lanes<S>>(k: usize, distances: [usize; 2]) -> Layout {
        (k, distances.map(|d| d * A::WIDTH))
    }
}

fn transposed([s, t]: [usize; 2]) -> [usize; 2] {
    [t, s]
}

impl<R: Real> Bilinear<R> for MatMul
where
    for<'p> Pooled<'p, MatMul>: Rule<R, 2, 1>,
{
    fn push_x<S: Scalar<Real = R>, T: Lanes<S>>(
        self,
        da: &[T],
        b: &[S],
        dc: &mut [T],
        pool: &mut Pool,
    ) {
        let to = [self.dims[2], 1];
        for k in 0..T::WIDTH {
            let da = (T::scalars(da), Self::of_lane::<S, T>(k, self.a));
            let dc = (T::scalars_mut(dc), Self::of_lane::<S, T>(k, to));
            Self::add_product(self.dims, da, (b, (0, self.b)), dc, pool);
        }
    }
    fn push_y<S: Scalar<Real = R>, T: Lanes<S>>(
        self,
        a: &[S],
        db: &[T],
        dc: &mut [T],
        pool: &mut Pool,
    ) {
        let to = [self.dims[2], 1];
        for k in 0..T::WIDTH {
            let db = (T::scalars(db), Self::of_lane::<S, T>(k, self.b));
            let dc = (T::scalars_mut(dc), Self::of_lane::<S, T>(k, to));
            Self::add_product(self.dims, (a, (0, self.a)), db, dc, pool);
        }
    }
    // A += C B^T
    fn pull_x<S: Scalar<Real = R>, A: Lanes<S>>(
        self,
        cb: &[A],
        b: &[S],
        ab: &mut [A],
        pool: &mut Pool,
    ) {
        let [m, k, n] = self.dims;
        for lane in 0..A::WIDTH {
            let cb = (A::scalars(cb), Self::of_lane::<S, A>(lane, [n, 1]));
            let ab = (A::scalars_mut(ab), Self::of_lane::<S, A>(lane, self.a));
            let b = (b, (0, transposed(self.b)));
            Self::add_product([m, n, k], cb, b, ab, pool);
        }
    }
    // B += A^T C
    fn pull_y<S: Scalar<Real = R>, A: Lanes<S>>(
        self,
        cb: &[A],
        a: &[S],
        bb: &mut [A],
        pool: &mut Pool,
    ) {
        let [m, k, n] = self.dims;
        for lane in 0..A::WIDTH {
            let cb = (A::scalars(cb), Self::of_lane::<S, A>(lane, [n, 1]));
            let bb = (A::scalars_mut(bb), Self::of_lane::<S, A>(lane, self.b));
            let a = (a, (0, transposed(self.a)));
            Self::add_product([k, m, n], a, cb, bb, pool);
        }
    }
}

impl Sum {
    /// The sum of tangents.
    pub(super) fn push<S: Scalar, T: Lanes<S>>(self, dx: &[T]) -> T {
        let mut sum = T::zero();
        for i in 0..self.m {
            for j in 0..self.n {
                sum.acc(dx[i * self.s + j * self.t]);
            }
        }
        sum
    }

    /// Adds the adjoint of the sum to each element's.
    pub(super) fn pull<S: Scalar, A: Lanes<S>>(self, yb: A, xb: &mut [A]) {
        for i in 0..self.m {
            if self.t == 1 {
                for xb in &mut xb[i * self.s..i * self.s + self.n] {
                    xb.acc(yb);
                }
            } else {
                for j in 0..self.n {
                    xb[i * self.s + j * self.t].acc(yb);
                }
            }
        }
    }
}

/// The buffers of a rule.
macro_rules! with_pool {
    () => {
        fn with_pool<T>(&self, run: impl FnOnce(&mut Pool) -> T) -> T {
            run(&mut self.pool.borrow_mut())
        }
    };
}

/// Derivatives of a bilinear rule.
macro_rules! derivatives {
    ($float:ident) => {
        fn pushforward<S: Scalar<Real = $float>, T: Lanes<S>>(
            &self,
            [x, y]: [&[S]; 2],
            _: [&[S]; 1],
            [dx, dy]: [&[T]; 2],
            [dz]: [&mut [T]; 1],
        ) {
            dz.fill(<T as Zero>::zero());
            let pool = &mut self.pool.borrow_mut();
            Bilinear::<$float>::push_x(self.rule, dx, y, dz, pool);
            Bilinear::<$float>::push_y(self.rule, x, dy, dz, pool);
        }
        fn pullback<S: Scalar<Real = $float>, A: Lanes<S>>(
            &self,
            [x, y]: [&[S]; 2],
            _: [&[S]; 1],
            [zb]: [&[A]; 1],
            [xb, yb]: [&mut [A]; 2],
        ) {
            let pool = &mut self.pool.borrow_mut();
            Bilinear::<$float>::pull_x(self.rule, zb, y, xb, pool);
            Bilinear::<$float>::pull_y(self.rule, zb, x, yb, pool);
        }
        with_pool!();
    };
}

/// The rules of one float type: ndarray's own products of floats.
macro_rules! rules {
    ($($float:ident)*) => {$(
        impl Rule<$float, 2, 1> for Pooled<'_, Dot> {
            fn primal(&self, [x, y]: [&[$float]; 2], [z]: [&mut [$float]; 1]) {
                let Dot { n, sx, sy } = self.rule;
                let x = strided(x, Dim([n]), Dim([sx]));
                z[0] = x.dot(&strided(y, Dim([n]), Dim([sy])));
            }
            derivatives!($float);
        }
        impl Rule<$float, 2, 1> for Pooled<'_, MatVec> {
            fn primal(&self, [a, x]: [&[$float]; 2], [y]: [&mut [$float]; 1]) {
                let MatVec { m, n, s, t, sx } = self.rule;
                let a = strided(a, Dim([m, n]), Dim([s, t]));
                let x = strided(x, Dim([n]), Dim([sx]));
                linalg::general_mat_vec_mul(1.0, &a, &x, 0.0, &mut ArrayViewMut1::from(y));
            }
            derivatives!($float);
        }
        impl Rule<$float, 2, 1> for Pooled<'_, MatMul> {
            fn primal(&self, [a, b]: [&[$float]; 2], [c]: [&mut [$float]; 1]) {
                let MatMul { dims, a: by_a, b: by_b } = self.rule;
                let [m, k, n] = dims;
                let a = strided(a, Dim([m, k]), Dim(by_a));
                let b = strided(b, Dim([k, n]), Dim(by_b));
                let c = ArrayViewMut2::from_shape((m, n), c);
                let mut c = c.expect("the product has its shape");
                linalg::general_mat_mul(1.0, &a, &b, 0.0, &mut c);
            }
            derivatives!($float);
        }
        impl Rule<$float, 1, 1> for Pooled<'_, Sum> {
            fn primal(&self, [x]: [&[$float]; 1], [y]: [&mut [$float]; 1]) {
                let Sum { m, n, s, t } = self.rule;
                y[0] = strided(x, Dim([m, n]), Dim([s, t])).sum();
            }
            fn pushforward<S: Scalar<Real = $float>, T: Lanes<S>>(
                &self, _: [&[S]; 1], _: [&[S]; 1], [dx]: [&[T]; 1], [dy]: [&mut [T]; 1],
            ) {
                dy[0] = self.rule.push(dx);
            }
            fn pullback<S: Scalar<Real = $float>, A: Lanes<S>>(
                &self, _: [&[S]; 1], _: [&[S]; 1], [yb]: [&[A]; 1], [xb]: [&mut [A]; 1],
            ) {
                self.rule.pull(yb[0], xb);
            }
            with_pool!();
        }
    )*};
}

rules!(f64 f32);
