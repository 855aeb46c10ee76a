//! What a custom rule is, and how dual numbers call it.

use crate::pool::Pool;
use crate::scalar::{Dual, Lanes, Real, Scalar, Zero, partials};

/// A function of `N` slices to `M` slices with its own derivatives; a number is a slice of one.
///
/// `primal` is the function itself, on floats. The derivatives are generic over the scalar, so that second order
/// works through the rule's own code: write them with the methods of the scalar, and call other foreign functions
/// through rules of their own ([`Scalar::call_rule`]). They take several tangents or adjoints at once, so that
/// quantities that depend on `x` alone are computed once for all of them.
///
/// For functions of one variable, [`UnaryRule`](crate::rules::UnaryRule) is shorter; the attribute `#[custom_rule]`
/// generates all of this.
///
/// # Examples
/// ```
/// use di_runtime::rules::Rule;
/// use di_runtime::scalar::{Dual, Lanes, Scalar};
///
/// /// Sum of squares.
/// struct SumSq;
///
/// impl Rule<f64, 1, 1> for SumSq {
///     fn primal(&self, [x]: [&[f64]; 1], [y]: [&mut [f64]; 1]) {
///         y[0] = x.iter().map(|x| x * x).sum();
///     }
///     fn pushforward<S: Scalar<Real = f64>, T: Lanes<S>>(
///         &self, [x]: [&[S]; 1], _: [&[S]; 1], [dx]: [&[T]; 1], [dy]: [&mut [T]; 1],
///     ) {
///         dy[0] = T::zero();
///         for (x, dx) in x.iter().zip(dx) {
///             dy[0].acc(dx.scale(x.mul_real(2.0)));
///         }
///     }
///     fn pullback<S: Scalar<Real = f64>, A: Lanes<S>>(
///         &self, [x]: [&[S]; 1], _: [&[S]; 1], [yb]: [&[A]; 1], [xb]: [&mut [A]; 1],
///     ) {
///         for (x, xb) in x.iter().zip(xb) {
///             xb.acc(yb[0].scale(x.mul_real(2.0)));
///         }
///     }
/// }
///
/// let x = [Dual::<f64, 1>::variable(3.0, 0), Dual::constant(4.0)];
/// let mut y = [Dual::default()];
/// Scalar::call_rule(&SumSq, [&x], [&mut y]);
/// assert_eq!((y[0].value, y[0].tangents), (25.0, [6.0]));
/// ```
pub trait Rule<R: Real, const N: usize, const M: usize> {
    /// `y = f(x)`; `y` is dirty on entry.
    fn primal(&self, x: [&[R]; N], y: [&mut [R]; M]);

    /// `dy = J(x) dx` where `y = f(x)`; `dy` is dirty on entry.
    fn pushforward<S: Scalar<Real = R>, T: Lanes<S>>(
        &self,
        x: [&[S]; N],
        y: [&[S]; M],
        dx: [&[T]; N],
        dy: [&mut [T]; M],
    );

    /// `xb += J(x)^T yb` where `y = f(x)`.
    fn pullback<S: Scalar<Real = R>, A: Lanes<S>>(
        &self,
        x: [&[S]; N],
        y: [&[S]; M],
        yb: [&[A]; M],
        xb: [&mut [A]; N],
    );

    /// Runs something with buffers; of a pool that is kept, if the rule has one.
    fn with_pool<T>(&self, run: impl FnOnce(&mut Pool) -> T) -> T {
        run(&mut Pool::new())
    }

    /// May output number `i` depend on input number `j`? By default, each output depends on each input.
    fn depends(&self, i: usize, j: usize) -> bool {
        let _ = (i, j);
        true
    }
}

/// A rule on dual numbers: the value through the scalar of the values, all directions through the
/// rule's pushforward.
#[inline]
pub(super) fn call_on_duals<S: Scalar, const K: usize, const N: usize, const M: usize>(
    rule: &impl Rule<S::Real, N, M>,
    x: [&[Dual<S, K>]; N],
    mut y: [&mut [Dual<S, K>]; M],
) {
    let (n, m) = (x.map(<[_]>::len), y.each_ref().map(|y| y.len()));
    let (all_n, all_m) = (n.iter().sum::<usize>(), m.iter().sum::<usize>());
    with_scratch(rule, all_n + all_m, |values: &mut [S]| {
        with_scratch(rule, all_n + all_m, |tangents: &mut [[S; K]]| {
            let (xs, ys) = values.split_at_mut(all_n);
            let (dx, dy) = tangents.split_at_mut(all_n);
            for (k, x) in x.iter().flat_map(|x| x.iter()).enumerate() {
                (xs[k], dx[k]) = (x.value, x.tangents);
            }
            let xs = split(xs, n).map(|x| &*x);
            S::call_rule(rule, xs, split(ys, m));
            let ys = split(ys, m).map(|y| &*y);
            rule.pushforward(xs, ys, split(dx, n).map(|x| &*x), split(dy, m));
            let ys = ys.iter().flat_map(|y| y.iter());
            let all = y.iter_mut().flat_map(|y| y.iter_mut());
            for ((y, value), tangents) in all.zip(ys).zip(dy) {
                *y = Dual::new(*value, *tangents);
            }
        });
    });
}

/// Cuts a stretch into parts.
#[inline]
pub(crate) fn split<T, const N: usize>(mut rest: &mut [T], lengths: [usize; N]) -> [&mut [T]; N] {
    lengths.map(|n| {
        let (part, tail) = std::mem::take(&mut rest).split_at_mut(n);
        rest = tail;
        part
    })
}

/// Numbers that a small rule needs beside its arguments, on the stack.
const SMALL: usize = 16;

/// Runs `body` on `n` numbers of scratch, dirty; on the heap only if they are many.
#[inline]
fn with_scratch<T: Zero + Send, R: Real, const N: usize, const M: usize>(
    rule: &impl Rule<R, N, M>,
    n: usize,
    body: impl FnOnce(&mut [T]),
) {
    if n <= SMALL {
        body(&mut [T::zero(); SMALL][..n]);
    } else {
        let mut room = rule.with_pool(|pool| pool.take_dirty(n, T::zero()));
        body(&mut room);
        rule.with_pool(|pool| pool.give(room));
    }
}

/// Vectors as slices.
pub(crate) fn refs<T, const N: usize>(values: &[Vec<T>; N]) -> [&[T]; N] {
    values.each_ref().map(Vec::as_slice)
}

/// The Jacobian, row by row; zero in columns of constants.
pub(crate) fn jacobian_of<R: Real, T: Rule<R, N, M>, const N: usize, const M: usize>(
    rule: &T,
    x: [&[R]; N],
    y: [&[R]; M],
    active: &[bool],
) -> Vec<R> {
    let n = active.len();
    let m: usize = y.iter().map(|y| y.len()).sum();
    let mut matrix = vec![R::default(); m * n];
    let mut dx = x.map(|x| vec![R::default(); x.len()]);
    let mut dy = y.map(|y| vec![R::default(); y.len()]);
    for j in (0..n).filter(|j| active[*j]) {
        set(&mut dx, j, partials::one());
        rule.pushforward(x, y, refs(&dx), dy.each_mut().map(Vec::as_mut_slice));
        set(&mut dx, j, R::default());
        for (i, v) in dy.iter().flatten().enumerate() {
            matrix[i * n + j] = *v;
        }
    }
    matrix
}

/// For each output the lower triangle of second derivatives, row by row.
pub(crate) fn hessians_of<R: Real, T: Rule<R, N, M>, const N: usize, const M: usize>(
    rule: &T,
    x: [&[R]; N],
    y: [&[R]; M],
    active: &[bool],
) -> Vec<R> {
    type Twice<R> = Dual<Dual<R, 1>, 1>;
    let n = active.len();
    let half = n * (n + 1) / 2;
    let m: usize = y.iter().map(|y| y.len()).sum();
    let mut all = vec![R::default(); m * half];
    let lift = |v: &R| Twice::<R>::from_real(*v);
    let mut at = x.map(|x| x.iter().map(lift).collect::<Vec<_>>());
    for j in (0..n).filter(|j| active[*j]) {
        for k in (0..=j).filter(|k| active[*k]) {
            edit(&mut at, j, |z| z.tangents[0].value = partials::one());
            edit(&mut at, k, |z| z.value.tangents[0] = partials::one());
            let mut y = y.map(|y| vec![Twice::<R>::default(); y.len()]);
            Scalar::call_rule(rule, refs(&at), y.each_mut().map(Vec::as_mut_slice));
            for (i, v) in y.iter().flatten().enumerate() {
                all[i * half + j * (j + 1) / 2 + k] = v.tangents[0].tangents[0];
            }
            edit(&mut at, j, |z| z.tangents[0] = Dual::default());
            edit(&mut at, k, |z| z.value.tangents[0] = R::default());
        }
    }
    all
}

fn edit<T, const N: usize>(x: &mut [Vec<T>; N], at: usize, change: impl FnOnce(&mut T)) {
    if let Some(x) = x.iter_mut().flatten().nth(at) {
        change(x);
    }
}

fn set<T, const N: usize>(x: &mut [Vec<T>; N], at: usize, value: T) {
    edit(x, at, |x| *x = value);
}
