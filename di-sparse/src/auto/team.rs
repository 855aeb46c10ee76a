//! Threads that share the colors of a sparse Jacobian or Hessian.

use std::sync::Arc;

use di_runtime::backend::Backend;
use di_runtime::bound::{Evaluate, Float, Function, Input, Key};
use di_runtime::capability::Operator;
use di_runtime::error::{Error, check_lanes, settle};
use di_runtime::function::{Call, Kind, NumberValued, Primal, Signature, XRef, YShape};
use di_runtime::prep::{Header, HeaderOf, check_call, result_shape};
use di_runtime::primitive::Plan;
use di_runtime::value::{Container, Family};

use super::{AutoSparse, Scratch, Structure};
use crate::{ColoringAlgorithm, Detector};

/// Sweeps of a sparse Jacobian or Hessian on several threads. Returned by [`prepare_jacobian_team`] and
/// [`prepare_hessian_team`].
///
/// Each thread computes a share of the colors, in scratch of its own. It is `Send`; its methods take `&mut self`.
pub struct SparseTeam<K: Primal, B: Backend<K>> {
    members: Vec<Member<K, B>>,
    /// Substitution and verification of all.
    whole: Scratch<K, B>,
    dense: B,
    found: Vec<K::Real>,
    header: HeaderOf<K>,
}

struct Member<K: Primal, B: Backend<K>> {
    scratch: Scratch<K, B>,
    targets: Vec<u32>,
    found: Vec<K::Real>,
}

/// Finds pattern and coloring, as `prepare_jacobian` does, and shares the colors among this number of threads, or
/// fewer if there are fewer colors.
///
/// Cost: that of `prepare_jacobian`, and scratch for each thread.
///
/// # Errors
/// Those of the detector, the coloring and the backend; [`Error::Function`] if the function fails.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::sparse::{AutoSparse, prepare_jacobian_team};
///
/// #[differentiable]
/// fn f(x: &[f64], y: &mut [f64]) {
///     for i in 1..x.len() {
///         y[i] = x[i] * x[i - 1];
///     }
/// }
///
/// let (backend, x, mut y) = (AutoSparse::new(AutoSource::new()), [1.0, 2.0, 3.0], [0.0; 3]);
/// let mut team = prepare_jacobian_team(f::AD.output(&mut y), &backend, &x, 2)?;
/// assert_eq!(team.jacobian(f::AD.output(&mut y), &x)?.data(), [2.0, 1.0, 3.0, 2.0]);
/// # Ok::<(), di::Error>(())
/// ```
pub fn prepare_jacobian_team<F, B, D, C, X>(
    f: F,
    backend: &AutoSparse<B, D, C>,
    x: &X,
    threads: usize,
) -> Result<SparseTeam<Key<F>, B>, Error>
where
    F: Function,
    B: Backend<Key<F>>,
    D: Detector<Key<F>>,
    C: ColoringAlgorithm,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut f = f.bind();
    settle(|| {
        let mut spare = Default::default();
        let y = result_shape(&mut f, x, &mut spare);
        let header = Header::new(f.call().form(), x, y, 1);
        let at = (f.call(), x.view(&mut spare));
        SparseTeam::new(backend, Operator::Jacobian, at, header, threads)
    })
}

/// The same for Hessians, see [`prepare_jacobian_team`].
///
/// # Errors
/// Those of the detector, the coloring and the backend; [`Error::Function`] if the function fails.
pub fn prepare_hessian_team<F, B, D, C, X>(
    f: F,
    backend: &AutoSparse<B, D, C>,
    x: &X,
    threads: usize,
) -> Result<SparseTeam<Key<F>, B>, Error>
where
    F: Function,
    Key<F>: NumberValued,
    B: Backend<Key<F>>,
    D: Detector<Key<F>>,
    C: ColoringAlgorithm,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let f = f.bind();
    settle(|| {
        let mut spare = Default::default();
        let header = Header::new(f.call().form(), x, (), 1);
        let at = (f.call(), x.view(&mut spare));
        SparseTeam::new(backend, Operator::Hessian, at, header, threads)
    })
}

/// Constants and point.
type At<'c, 'x, K> = (Call<'c, K>, XRef<'x, K, <K as Signature>::Real>);

/// Runs the first member here, each other one on a thread.
fn share<M: Send, A: Copy + Send>(
    members: &mut [M],
    at: A,
    run: &(impl Fn(A, &mut M) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    let Some((first, rest)) = members.split_first_mut() else {
        return Ok(());
    };
    std::thread::scope(|scope| {
        let spawn = |member| scope.spawn(move || settle(|| run(at, member)));
        let others: Vec<_> = rest.iter_mut().map(spawn).collect();
        let mut all = run(at, first);
        for other in others {
            all = match other.join() {
                Ok(outcome) => all.and(outcome),
                Err(panic) => std::panic::resume_unwind(panic),
            };
        }
        all
    })
}

impl<K: Primal, B: Backend<K>> SparseTeam<K, B> {
    fn new<D: Detector<K>, C: ColoringAlgorithm>(
        backend: &AutoSparse<B, D, C>,
        operator: Operator,
        (call, x): (Call<'_, K>, XRef<'_, K, K::Real>),
        header: HeaderOf<K>,
        threads: usize,
    ) -> Result<Self, Error> {
        let plan = Plan {
            operator,
            x: header.x(),
            y: header.y(),
            batch: 1,
            seeds: None,
            lasting: true,
        };
        let at = K::X::shorten::<K::Real>(x);
        let whole = Scratch::new(backend, &plan, call, at)?;
        let structure = whole.structure();
        let threads = threads.clamp(1, structure.coloring().ncolors().max(1));
        let length = whole.steps().unwrap_or(structure.layout().len());
        let member = |share| {
            let structure = Arc::clone(structure);
            let at = (call, K::X::shorten::<K::Real>(x));
            let scratch =
                Scratch::of_structure(&backend.dense, structure, &plan, at, (share, threads))?;
            Ok(Member {
                targets: scratch.targets(),
                scratch,
                found: vec![K::Real::default(); length],
            })
        };
        let members = (0..threads).map(member).collect::<Result<_, Error>>()?;
        Ok(SparseTeam {
            members,
            dense: backend.dense.clone(),
            found: vec![K::Real::default(); length],
            whole,
            header,
        })
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.members.len()
    }

    /// Pattern, coloring and layout.
    pub fn structure(&self) -> Arc<Structure> {
        Arc::clone(self.whole.structure())
    }

    fn check<F: Evaluate<Key = K>>(
        &self,
        operator: Operator,
        f: &F,
        x: &(impl Container<K::X, K::Real> + ?Sized),
        values: usize,
    ) -> Result<(), Error> {
        check_call(&self.header, operator, f, x)?;
        let stored = self.whole.structure().layout().len();
        Ok(crate::decompress::check("values", stored, values)?)
    }

    /// Runs all shares and collects what they find.
    fn sweep(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        run: impl Fn(&B, Call<'_, K>, XRef<'_, K, K::Real>, &mut Member<K, B>) -> Result<(), Error>
        + Sync,
    ) -> Result<(), Error>
    where
        K: 'static,
        B: Sync,
        K::Real: Send,
        Scratch<K, B>: Send,
        for<'c> Call<'c, K>: Send,
        for<'c> XRef<'c, K, K::Real>: Send,
    {
        let dense = &self.dense;
        let run = |(call, x): At<'_, '_, K>, member: &mut Member<K, B>| run(dense, call, x, member);
        share(&mut self.members, (call, x), &run)?;
        for member in &self.members {
            for target in &member.targets {
                self.found[*target as usize] = member.found[*target as usize];
            }
        }
        Ok(())
    }

    /// Values of the stored entries of a Jacobian, equal to those of a single thread. The value of the function is
    /// not returned.
    ///
    /// Cost: the sweeps of a share of the colors on each thread, and about 20 microseconds for each thread beyond the
    /// first.
    ///
    /// # Errors
    /// [`Error::Preparation`] if inputs, output or caches differ in shape from those of the preparation;
    /// [`Error::Shape`] if the result does; [`Error::Sparsity`] if there are more or fewer values, or if a pattern that
    /// is verified does not hold or cannot be verified; [`Error::Function`] if the function fails; those of the
    /// backend.
    ///
    /// # Panics
    /// If the function panics, on any thread.
    pub fn jacobian_values_into<F, X>(
        &mut self,
        f: F,
        values: &mut [K::Real],
        x: &X,
    ) -> Result<(), Error>
    where
        F: Function<Bound: Evaluate<Key = K>>,
        X: Container<K::X, K::Real> + ?Sized,
        K: 'static,
        B: Sync,
        K::Real: Send,
        Scratch<K, B>: Send,
        YShape<K>: Sync,
        for<'c> Call<'c, K>: Send,
        for<'c> XRef<'c, K, K::Real>: Send,
    {
        let f = f.bind();
        self.check(Operator::Jacobian, &f, x, values.len())?;
        let mut spare = Default::default();
        let (call, view) = (f.call(), x.view(&mut spare));
        let shape = self.header.y().clone();
        settle(|| {
            self.sweep(call, view, |dense, call, x, member| {
                let mut y = K::Kind::storage::<K::Y, _>(&shape, K::Real::default());
                let mut slot = K::Kind::slot::<K::Y, _>(&mut y);
                let Member { scratch, found, .. } = member;
                let again = K::Kind::again::<K::Y, _>(&mut slot);
                scratch.sweeps().jacobian(dense, call, x, again, found)?;
                // of another length nothing was read
                let value = K::Kind::result::<K::Y, K::Real>(&slot);
                check_lanes::<K::Y, K::Real>(Operator::Jacobian, &shape, value)
            })?;
            let mut y = K::Kind::storage::<K::Y, _>(self.header.y(), K::Real::default());
            let slot = K::Kind::slot::<K::Y, _>(&mut y);
            let at = (call, view);
            self.whole
                .finish_jacobian(&self.dense, at, slot, &self.found, values)
        })
    }

    /// The Jacobian, see [`SparseTeam::jacobian_values_into`].
    ///
    /// # Errors
    /// The same.
    ///
    /// # Panics
    /// If the function panics, on any thread.
    pub fn jacobian<F, X>(&mut self, f: F, x: &X) -> Result<sprs::CsMat<K::Real>, Error>
    where
        F: Function<Bound: Evaluate<Key = K>>,
        X: Container<K::X, K::Real> + ?Sized,
        K: 'static,
        B: Sync,
        K::Real: Send,
        Scratch<K, B>: Send,
        YShape<K>: Sync,
        for<'c> Call<'c, K>: Send,
        for<'c> XRef<'c, K, K::Real>: Send,
    {
        let mut j = self.whole.structure().layout().zeros();
        self.jacobian_values_into(f, j.data_mut(), x)?;
        Ok(j)
    }

    /// Values of the stored entries of a Hessian, equal to those of one thread, see
    /// [`SparseTeam::jacobian_values_into`].
    ///
    /// # Errors
    /// The same.
    ///
    /// # Panics
    /// If the function panics, on any thread.
    pub fn hessian_values_into<F, X>(
        &mut self,
        f: F,
        values: &mut [K::Real],
        x: &X,
    ) -> Result<(), Error>
    where
        F: Function<Bound: Evaluate<Key = K>>,
        X: Container<K::X, K::Real> + ?Sized,
        K: NumberValued + 'static,
        B: Sync,
        K::Real: Send,
        Scratch<K, B>: Send,
        for<'c> Call<'c, K>: Send,
        for<'c> XRef<'c, K, K::Real>: Send,
    {
        let f = f.bind();
        self.check(Operator::Hessian, &f, x, values.len())?;
        let mut spare = Default::default();
        let (call, view) = (f.call(), x.view(&mut spare));
        settle(|| {
            self.sweep(call, view, |dense, call, x, member| {
                let Member { scratch, found, .. } = member;
                scratch.sweeps().hessian(dense, call, x, None, found)?;
                Ok(())
            })?;
            let at = (call, view);
            self.whole
                .finish_hessian(&self.dense, at, &self.found, values)
        })
    }
}
