//! Preps: what was done once for a function, a shape of `x` and a backend.
//!
//! Scratch is interior, so that operators take `&prep`: a prep is `Send` and `Clone` but not `Sync`,
//! and each thread has its own.

mod header;
mod spares;

use core::cell::{Ref, RefCell, RefMut};
use core::marker::PhantomData;

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Function, Input, Key};
use crate::capability::Operator;
use crate::context::Snapshot;
use crate::entries;
use crate::error::{Comparison, Error, Row, Settling};
use crate::function::{Call, Env, Kind, Primal, Signature, Slot, XRef, XShape, YShape};
use crate::generated::Pool;
use crate::matrices::MatrixCopy;
use crate::primitive::{Plan, Workspace};
use crate::scalar::Real;
use crate::sealed::Sealed;
use crate::value::{Container, Entry, Family};

pub use header::{Header, HeaderOf, check_call};
pub use spares::{Spares, SparesOf};

/// Marker types of the operators. The trait is sealed.
pub trait Op: Sealed + 'static {
    /// The operator.
    const OPERATOR: Operator;
}

/// Result of `prepare_*`, valid for the same function (with any contexts), the same backend, and any `x` of the same
/// shape.
///
/// It owns scratch memory: it is `Send` and `Clone`, but not `Sync`.
pub struct Prep<O, K: Primal, B: Backend<K>> {
    pub(crate) backend: B,
    header: HeaderOf<K>,
    cell: RefCell<StateOf<K, B>>,
    /// Not for one call only.
    lasting: bool,
    operator: PhantomData<fn() -> (O, K)>,
}

/// Calls that a prep makes at most before the user's.
const MOST_CALLS: usize = 16;

/// Used in place of a prep: prepares on the fly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoPrep;

/// What changes from call to call.
pub struct State<X: Family, Y: Family, R: Entry, S, M> {
    /// What the backend works in.
    pub space: Workspace<X, Y, R, S>,
    /// Copies of what is not contiguous.
    pub spares: Spares<X, Y, R>,
    /// A matrix whose entries are copied to one of another crate.
    pub(crate) copy: MatrixCopy<M>,
    /// The point that the prep is for, if it is for one point only.
    pub(crate) point: Option<Spot<X, R>>,
    /// A first derivative that was not requested.
    pub(crate) first: Option<Y::Owned<R>>,
}

/// The state of a function with this key and of a backend.
pub(crate) type StateOf<K, B> = State<
    <K as Signature>::X,
    <K as Signature>::Y,
    <K as Signature>::Real,
    <B as Backend<K>>::Scratch,
    <B as Backend<K>>::Matrix,
>;

/// A point, and the constants that belong to it.
pub(crate) struct Spot<X: Family, R: Entry> {
    x: X::Owned<R>,
    constants: Snapshot,
}

impl<X: Family, R: Entry> Clone for Spot<X, R> {
    fn clone(&self) -> Self {
        Spot {
            x: self.x.clone(),
            constants: self.constants.clone(),
        }
    }
}

/// All that a function may read beside the floats of `x`.
fn look<K: Signature>(call: Call<'_, K>, x: XRef<'_, K, K::Real>, snapshot: &mut Snapshot) {
    if K::DATA {
        K::constants(call.ctx, snapshot);
    }
    K::X::constants::<K::Real>(x, snapshot);
    K::Fixed::constants::<K::Real>(call.fixed, snapshot);
    K::Fixed::values(call.fixed, &mut |v: K::Real| {
        snapshot.word(Real::to_f64(v).to_bits())
    });
}

impl<O: Op, K: Primal, B: Backend<K>> Prep<O, K, B> {
    /// Shapes, then the backend's scratch.
    pub(crate) fn new<F, X>(
        f: &mut F,
        backend: &B,
        x: &X,
        batch: usize,
        lasting: bool,
    ) -> Result<Self, Error>
    where
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        let mut spares = room(x, batch, lasting);
        let y = result_shape(f, x, &mut spares.x);
        let header = Header::new(f.call().form(), x, y, batch);
        let plan = Plan {
            operator: O::OPERATOR,
            x: &header.x,
            y: &header.y,
            batch,
            seeds: None,
            lasting,
        };
        let scratch = backend.scratch_of::<O>(&plan, f.call(), x.view(&mut spares.x))?;
        let state = State::new(&header.x, &header.y, scratch, spares);
        Ok(Prep {
            backend: backend.clone(),
            header,
            cell: RefCell::new(state),
            lasting,
            operator: PhantomData,
        })
    }

    /// Makes the first calls, so that later ones find all the memory that they need: until one takes no more.
    pub(crate) fn warm_up(&self, mut call: impl FnMut() -> Result<(), Error>) -> Result<(), Error> {
        if !self.backend.warms_up(O::OPERATOR) {
            return Ok(());
        }
        let buffers = || self.backend.buffers(&self.cell.borrow().space.scratch);
        let mut before = buffers();
        for _ in 0..MOST_CALLS {
            call()?;
            let after = buffers();
            if after == before {
                break;
            }
            before = after;
        }
        Ok(())
    }

    /// Keeps a value that was not requested: the next call writes to its storage.
    pub(crate) fn keep<F: Evaluate<Key = K>>(&self, f: &mut F, value: F::Value) {
        f.keep(value, &mut self.cell.borrow_mut().spares.y);
    }

    /// Gives the user a value, and keeps storage for the next call if there may be one.
    pub(crate) fn give<F: Evaluate<Key = K>>(&self, f: &mut F, value: F::Value) -> F::Value {
        if !self.lasting {
            return value;
        }
        f.give(value, &mut self.cell.borrow_mut().spares.y)
    }

    /// Adapts the prep to other lengths of `x`, output and contexts.
    ///
    /// The backend stays the same. A prep for one point becomes a prep for any point.
    ///
    /// # Errors
    /// Those of the preparation; the prep is then as it was.
    pub fn resize<F, X>(&mut self, f: F, x: &X) -> Result<(), Error>
    where
        F: Function<Bound: Evaluate<Key = K>>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        let settling = Settling::begin();
        let prep = Prep::new(&mut f.bind(), &self.backend, x, self.header.batch, true);
        *self = settling.end(prep)?;
        Ok(())
    }

    /// Compares the call with what was prepared, and takes the state.
    #[inline]
    pub(crate) fn enter<F: Evaluate<Key = K>>(
        &self,
        backend: &B,
        f: &F,
        x: &(impl Container<K::X, K::Real> + ?Sized),
        batch: usize,
    ) -> Result<RefMut<'_, StateOf<K, B>>, Error> {
        let call = f.call().form();
        if self.backend != *backend
            || !self.header.fits(call, x, batch)
            || !f.output_has(&self.header.y)
        {
            let backends: [&dyn core::fmt::Debug; 2] = [&self.backend, backend];
            let shapes = (x.shape(), f.output_shape());
            return Err(mismatch(
                O::OPERATOR,
                &self.header,
                backends,
                call,
                shapes,
                batch,
            ));
        }
        borrow_mut(&self.cell, O::OPERATOR)
    }

    /// Makes the prep one for calls at `x` only, with the constants that there are now. If they cannot be compared,
    /// nothing that depends on them is kept.
    pub(crate) fn fix_point<F, X>(self, f: &F, backend: &B, x: &X) -> Result<Self, Error>
    where
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        let mut state = self.cell.borrow_mut();
        let State {
            space,
            spares,
            point,
            ..
        } = &mut *state;
        let view = x.view(&mut spares.x);
        let spot = point.insert(Spot {
            x: K::X::store(&self.header.x, K::Real::default()),
            constants: Snapshot::default(),
        });
        let lanes = K::X::lanes_mut(&mut spot.x);
        K::X::zip_values::<K::Real, K::Real>(lanes, view, &mut entries::copy());
        spot.constants.take(|seen| look::<K>(f.call(), view, seen));
        if !spot.constants.is_opaque() {
            space.same_point = backend.linearize(space, f.call(), view)?;
        }
        drop(state);
        Ok(self)
    }

    /// Shape of `x`.
    pub(crate) fn x(&self) -> &XShape<K> {
        &self.header.x
    }

    /// Shape of the result.
    pub(crate) fn y(&self) -> &YShape<K> {
        &self.header.y
    }

    /// A matrix of this size.
    ///
    /// # Errors
    /// [`Error::InUse`]
    pub(crate) fn matrix(
        &self,
        backend: &B,
        rows: usize,
        columns: usize,
    ) -> Result<B::Matrix, Error> {
        let state = borrow(&self.cell, O::OPERATOR)?;
        Ok(backend.matrix(&state.space.scratch, rows, columns))
    }

    /// Looks at the backend's scratch.
    ///
    /// # Errors
    /// [`Error::InUse`]
    pub fn look<T>(&self, ask: impl FnOnce(&B::Scratch) -> T) -> Result<T, Error> {
        let state = borrow(&self.cell, O::OPERATOR)?;
        Ok(ask(&state.space.scratch))
    }

    /// Number of inputs and outputs.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (K::X::len(&self.header.x), K::Y::len(&self.header.y))
    }
}

/// The error of a call that a prep was not made for; of the backends, the prep's is the first.
#[cold]
#[inline(never)]
fn mismatch<K: Signature>(
    operator: Operator,
    header: &Header<K>,
    [expected, found]: [&dyn core::fmt::Debug; 2],
    call: Call<'_, K>,
    (x, y): (XShape<K>, Option<YShape<K>>),
    batch: usize,
) -> Error {
    let backend = Row {
        argument: "backend",
        expected: format!("{expected:?}"),
        found: format!("{found:?}"),
    };
    header.mismatch(operator, Some(backend), call, &x, y, batch)
}

/// The state, to be looked at.
fn borrow<T>(cell: &RefCell<T>, operator: Operator) -> Result<Ref<'_, T>, Error> {
    match cell.try_borrow() {
        Ok(state) => Ok(state),
        Err(_) => Err(Error::InUse { operator }),
    }
}

/// The state, for a call.
#[cfg_attr(not(debug_assertions), inline(always))]
fn borrow_mut<T>(cell: &RefCell<T>, operator: Operator) -> Result<RefMut<'_, T>, Error> {
    match cell.try_borrow_mut() {
        Ok(state) => Ok(state),
        Err(_) => Err(Error::InUse { operator }),
    }
}

/// Room for copies of arguments.
fn room<F: Family, Y: Family, R: Real>(
    x: &(impl Container<F, R> + ?Sized),
    batch: usize,
    lasting: bool,
) -> Spares<F, Y, R> {
    let mut spares = Spares::new(batch);
    if lasting && F::COPIED {
        spares.make_room(&mut x.blank());
    }
    spares
}

/// Shape of the result: of the output, of its type, or else found by one evaluation.
pub fn result_shape<F, X>(
    f: &mut F,
    x: &X,
    spare: &mut <<F::Key as Signature>::X as Family>::Spare<<F::Key as Signature>::Real>,
) -> YShape<F::Key>
where
    F: Evaluate,
    X: Container<<F::Key as Signature>::X, <F::Key as Signature>::Real> + ?Sized,
{
    type Y<F> = <<F as Evaluate>::Key as Signature>::Y;
    type R<F> = <<F as Evaluate>::Key as Signature>::Real;
    if let Some(shape) = f.output_shape().or_else(Y::<F>::fixed_shape) {
        return shape;
    }
    let mut y = Y::<F>::vacant(R::<F>::default());
    let slot = <<F::Key as Signature>::Kind as Kind>::slot::<Y<F>, R<F>>(&mut y);
    run_primal::<F::Key>(f.call(), x.view(spare), slot);
    Y::<F>::shape_of::<R<F>>(&y)
}

/// One evaluation on floats, in scratch of its own.
pub(crate) fn run_primal<K: Primal>(
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
) {
    let shape = K::Caches::shape::<K::Real>(K::caches(call.ctx));
    let mut caches = K::Caches::store(&shape, K::Real::default());
    let env = Env {
        ctx: call.ctx,
        fixed: K::Fixed::shorten::<K::Real>(call.fixed),
        caches: &mut caches,
        pool: &mut Pool::new(),
    };
    K::primal(env, x, y);
}

impl<O, K: Primal, B: Backend<K>> Clone for Prep<O, K, B> {
    /// An independent prep, for another thread or for a nested call.
    ///
    /// # Panics
    /// If the prep is in use: the function that is being differentiated clones it.
    fn clone(&self) -> Self {
        let state = self.cell.borrow();
        let batch = self.header.batch;
        Prep {
            backend: self.backend.clone(),
            header: self.header.clone(),
            cell: RefCell::new(State {
                space: state.space.clone(),
                spares: Spares::new(batch),
                copy: MatrixCopy::default(),
                point: state.point.clone(),
                first: state.first.clone(),
            }),
            lasting: self.lasting,
            operator: PhantomData,
        }
    }
}

impl<O: Op, K: Primal, B: Backend<K>> core::fmt::Debug for Prep<O, K, B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Prep")
            .field("operator", &O::OPERATOR)
            .field("backend", &self.backend)
            .field("x", &self.header.x)
            .field("y", &self.header.y)
            .finish_non_exhaustive()
    }
}

/// What operators take as `prep`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prep of this operator, for this function and this backend",
    label = "expected a `&Prep` of the same operator, function and backend, or `NoPrep`",
    note = "preps come from `prepare_*(f, &backend, &x)` with the same `f` and `backend`"
)]
pub trait Prepared<O, K: Primal, B: Backend<K>> {
    /// Room for a prep that is made on the fly.
    type Made: Default;

    /// The prep that is given, or one for a call with so many tangents.
    ///
    /// # Errors
    /// Those of making a prep.
    fn ready<'p, F, X>(
        &'p self,
        made: &'p mut Self::Made,
        f: &mut F,
        backend: &B,
        x: &X,
        batch: usize,
    ) -> Result<&'p Prep<O, K, B>, Error>
    where
        O: Op,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized;
}

impl<O, K: Primal, B: Backend<K>> Prepared<O, K, B> for &Prep<O, K, B> {
    type Made = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ready<'p, F, X>(
        &'p self,
        (): &'p mut (),
        _: &mut F,
        _: &B,
        _: &X,
        _: usize,
    ) -> Result<&'p Prep<O, K, B>, Error>
    where
        O: Op,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        Ok(self)
    }
}

impl<O, K: Primal, B: Backend<K>> Prepared<O, K, B> for NoPrep {
    type Made = Option<Prep<O, K, B>>;

    fn ready<'p, F, X>(
        &'p self,
        made: &'p mut Self::Made,
        f: &mut F,
        backend: &B,
        x: &X,
        batch: usize,
    ) -> Result<&'p Prep<O, K, B>, Error>
    where
        O: Op,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        Ok(made.insert(Prep::new(f, backend, x, batch, false)?))
    }
}

impl<O, K: Primal, B: Backend<K>> Prepared<O, K, B> for &NoPrep {
    type Made = Option<Prep<O, K, B>>;

    fn ready<'p, F, X>(
        &'p self,
        made: &'p mut Self::Made,
        f: &mut F,
        backend: &B,
        x: &X,
        batch: usize,
    ) -> Result<&'p Prep<O, K, B>, Error>
    where
        O: Op,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        NoPrep::ready(self, made, f, backend, x, batch)
    }
}

/// Begins one call of an operator with so many tangents: the function, the prep, which is made here if none is given,
/// and what settles the result.
///
/// # Errors
/// Those of making a prep.
#[cfg_attr(not(debug_assertions), inline(always))]
#[allow(
    clippy::type_complexity,
    reason = "three parts with names of their own"
)]
pub(crate) fn begin<'p, O, K, B, P, F, X>(
    prep: &'p P,
    made: &'p mut P::Made,
    f: F,
    backend: &B,
    x: &X,
    batch: usize,
) -> Result<(F::Bound, &'p Prep<O, K, B>, Settling), Error>
where
    O: Op,
    K: Primal,
    B: Backend<K>,
    P: Prepared<O, K, B>,
    F: Function<Bound: Evaluate<Key = K>>,
    X: Container<K::X, K::Real> + ?Sized,
{
    let settling = Settling::begin();
    let mut f = f.bind();
    let prep = settling.check(prep.ready(made, &mut f, backend, x, batch))?;
    Ok((f, prep, settling))
}

/// Begins a preparation: the function, the prep before its first call, and what settles the result.
///
/// # Errors
/// Those of making a prep.
#[allow(
    clippy::type_complexity,
    reason = "three parts with names of their own"
)]
pub(crate) fn lasting<O, B, F, X>(
    f: F,
    backend: &B,
    x: &X,
    batch: usize,
) -> Result<(F::Bound, Prep<O, Key<F>, B>, Settling), Error>
where
    O: Op,
    F: Function,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let settling = Settling::begin();
    let mut f = f.bind();
    let prep = settling.check(Prep::new(&mut f, backend, x, batch, true))?;
    Ok((f, prep, settling))
}

impl<X: Family, Y: Family, R: Entry, S, M> State<X, Y, R, S, M> {
    /// Before the first call.
    fn new(x: &X::Shape, y: &Y::Shape, scratch: S, spares: Spares<X, Y, R>) -> Self {
        State {
            space: Workspace::new(scratch, x, y),
            spares,
            copy: MatrixCopy::default(),
            point: None,
            first: None,
        }
    }
}

/// Is `x` the point that the prep is for, if it is for one only, and are constants what they were?
///
/// # Errors
/// [`Error::Preparation`] if it is another one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn check_point<K: Signature>(
    point: &mut Option<Spot<K::X, K::Real>>,
    operator: Operator,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<(), Error> {
    match point {
        Some(point) => compare_point::<K>(point, operator, call, x),
        None => Ok(()),
    }
}

#[inline(never)]
fn compare_point<K: Signature>(
    point: &mut Spot<K::X, K::Real>,
    operator: Operator,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<(), Error> {
    let same = point.is_at(x);
    let constants = &mut point.constants;
    let unchanged = constants.is_opaque() || constants.matches(|seen| look::<K>(call, x, seen));
    if same && unchanged {
        return Ok(());
    }
    Err(moved(operator, same))
}

/// The error of a call at another point, or else with other constants.
#[cold]
#[inline(never)]
fn moved(operator: Operator, same: bool) -> Error {
    let row = match same {
        false => Row {
            argument: "x",
            expected: "the point that the prep was made at".to_owned(),
            found: "another point".to_owned(),
        },
        true => Row {
            argument: "constants",
            expected: "those that the prep was made with".to_owned(),
            found: "others".to_owned(),
        },
    };
    Error::Preparation(Box::new(Comparison {
        operator,
        rows: vec![row],
    }))
}

impl<X: Family, R: Real> Spot<X, R> {
    /// Has `x` the values of the point?
    fn is_at(&mut self, x: X::Ref<'_, R>) -> bool {
        let mut same = true;
        let lanes = X::lanes_mut(&mut self.x);
        X::zip_values::<R, R>(lanes, x, &mut entries::compare(&mut same));
        same
    }
}
