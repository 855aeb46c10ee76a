//! Columns of one Jacobian on several threads.

use crate::backend::Backend;
use crate::batch::{WIDEST, even_batch};
use crate::bound::{Evaluate, Float, Function, Input, Key, Room};
use crate::capability::Operator;
use crate::derived;
use crate::error::{Error, settle};
use crate::function::{NumberValued, Primal};
use crate::matrix::Matrix;
use crate::prep::{Prep, State, enter, make};
use crate::value::{Container, ContainerMut, Family};

use super::Pushforward;

/// One prep for each thread; the threads share the columns of a Jacobian. Returned by [`prepare_team`].
///
/// It is `Send`. Its operators take `&mut self`, so that each thread has exclusive use of its prep.
pub struct Team<K: Primal, B: Backend<K>> {
    members: Vec<Prep<Pushforward, K, B>>,
    batch: usize,
}

/// Prepares Jacobians and gradients by columns on this number of threads.
///
/// Cost: it allocates the scratch memory of each thread.
///
/// # Errors
/// Those of the backend; [`Error::Function`] if the function fails.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> (f64, f64) {
///     (x[0] * x[1], x[2] * x[2])
/// }
///
/// let x = [1.0, 2.0, 3.0];
/// let mut team = prepare_team(f::AD, &AutoDual::new(), &x, 2)?;
/// assert_eq!(team.jacobian(f::AD, &x)?, [[2.0, 1.0, 0.0], [0.0, 0.0, 6.0]]);
/// # Ok::<(), di::Error>(())
/// ```
pub fn prepare_team<F, B, X>(
    f: F,
    backend: &B,
    x: &X,
    threads: usize,
) -> Result<Team<Key<F>, B>, Error>
where
    F: Function,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    settle(|| {
        let n = <Input<F>>::len(&x.shape());
        let threads = threads.clamp(1, n.max(1));
        let batch = even_batch(n.div_ceil(threads), WIDEST);
        let first = make::<Pushforward, _, B, _, X, _>(&mut f.bind(), backend, x, batch, true)?;
        let members = vec![Prep::of(first); threads];
        Ok(Team { members, batch })
    })
}

impl<K: Primal, B: Backend<K>> Team<K, B>
where
    Prep<Pushforward, K, B>: Send,
    B: Sync,
    K::Real: Send,
{
    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.members.len()
    }

    /// Jacobian matrix, equal to that of a single thread.
    ///
    /// `f: R^n -> R^m`, a function that returns its result; the matrix is `m` by `n`. Cost: `ceil(n / threads / 8)`
    /// pushforwards on each thread, and about 20 microseconds for each thread beyond the first.
    ///
    /// # Errors
    /// [`Error::Preparation`] if the team is for another length; [`Error::Function`] if the function fails.
    ///
    /// # Panics
    /// If the function panics, on any thread.
    pub fn jacobian<F, X>(&mut self, f: F, x: &X) -> Result<Matrix<K::Real>, Error>
    where
        F: Function<Bound: Evaluate<Key = K>> + Copy + Send + Sync,
        X: Container<K::X, K::Real> + Sync + ?Sized,
    {
        let (n, m) = self.members[0].body().lengths();
        let mut j = Matrix::zeros((m, n));
        for (row, column, v) in self.entries(f, x)? {
            j[[row, column]] = v;
        }
        Ok(j)
    }

    /// Gradient, equal to that of a single thread.
    ///
    /// `f: R^n -> R`; the result has the shape of `x`. Cost: as [`Team::jacobian`].
    ///
    /// # Errors
    /// [`Error::Preparation`] if the team is for another length; [`Error::Function`] if the function fails.
    ///
    /// # Panics
    /// If the function panics, on any thread.
    pub fn gradient<F, X>(&mut self, f: F, x: &X) -> Result<X::Result, Error>
    where
        K: NumberValued,
        F: Function<Bound: Evaluate<Key = K>> + Copy + Send + Sync,
        X: Container<K::X, K::Real> + Sync + ?Sized,
    {
        let entries = self.entries(f, x)?;
        let (mut g, mut spare) = (x.blank(), Default::default());
        let mut lanes = g.lanes_mut(&mut spare);
        for (_, column, v) in entries {
            *K::X::entry(K::X::reborrow_lanes(&mut lanes), column) = v;
        }
        drop(lanes);
        g.finish(&mut spare);
        Ok(g)
    }

    /// All entries of the Jacobian with their places.
    fn entries<F, X>(&mut self, f: F, x: &X) -> Result<Vec<(usize, usize, K::Real)>, Error>
    where
        F: Function<Bound: Evaluate<Key = K>> + Copy + Send + Sync,
        X: Container<K::X, K::Real> + Sync + ?Sized,
    {
        let (n, _) = self.members[0].body().lengths();
        let share = n.div_ceil(self.members.len()).max(1);
        let batch = self.batch;
        let work = |prep: &Prep<Pushforward, K, B>, member: usize| {
            settle(|| {
                let (mut f, prep) = (f.bind(), prep.body());
                let range = (member * share).min(n)..((member + 1) * share).min(n);
                let mut state = enter(prep, Operator::Pushforward, &prep.backend, &f, x, batch)?;
                let State { space, spares, .. } = &mut *state;
                let view = x.view(&mut spares.x);
                let mut found = Vec::new();
                let mut room = Room::default();
                let put = &mut |row, column, v| found.push((row, column, v));
                let mut y = f.take(&mut room);
                let slot = F::Bound::slot(&mut y, &mut room);
                let share = (range, batch);
                derived::columns(&prep.backend, space, f.call(), view, slot, share, put)?;
                F::Bound::finish(&mut y, &mut room, Operator::Pushforward, prep.y())?;
                Ok(found)
            })
        };
        let work = &work;
        let (first, rest) = self.members.split_at_mut(1);
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..)
                .zip(rest)
                .map(|(at, prep)| scope.spawn(move || work(prep, at)))
                .collect();
            let mut all = work(&first[0], 0);
            for other in others {
                let found = match other.join() {
                    Ok(found) => found,
                    Err(panic) => std::panic::resume_unwind(panic),
                };
                match (&mut all, found) {
                    (Ok(all), Ok(found)) => all.extend(found),
                    (Ok(_), Err(error)) => all = Err(error),
                    (Err(_), _) => {}
                }
            }
            all
        })
    }
}
