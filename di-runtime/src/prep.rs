//! Preps: what was done once for a function, a shape of `x` and a backend.
//!
//! Scratch is interior, so that operators take `&prep`: a prep is `Send` and `Clone` but not `Sync`,
//! and each thread has its own.

mod header;
mod point;
mod prepared;
mod spares;

use core::cell::{Ref, RefCell, RefMut};
use core::marker::PhantomData;

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Function, Input, Key};
use crate::capability::Operator;
use crate::error::{Error, Row, Settling};
use crate::function::{Call, Env, FormOf, Kind, Primal, Signature, Slot, XRef, XShape, YShape};
use crate::generated::Pool;
use crate::matrices::MatrixCopy;
use crate::primitive::{Plan, Workspace};
use crate::sealed::Sealed;
use crate::value::{Container, Count, Entry, Family};

pub use header::{Header, HeaderOf, check_call};
pub use prepared::{NoPrep, Prepared};
pub use spares::{Spares, SparesOf};

pub(crate) use point::{Spot, check_point};

/// Marker types of the operators. The trait is sealed.
pub trait Op: Sealed + 'static {
    /// The operator.
    const OPERATOR: Operator;
    /// Is it asked for one direction in all calls?
    const ONE_DIRECTION: bool = false;
}

/// An operator that is asked for one direction at a time.
struct InOne<O>(PhantomData<O>);

impl<O> Sealed for InOne<O> {}

impl<O: Op> Op for InOne<O> {
    const OPERATOR: Operator = O::OPERATOR;
    const ONE_DIRECTION: bool = true;
}

/// What `prepare_*` returns. It is valid for the same function (with any contexts), the same backend, and any `x` of
/// the same shape.
///
/// It owns scratch memory, so it is `Send` and `Clone`, but not `Sync`.
pub struct Prep<O, K: Primal, B: Backend<K>> {
    body: BodyOf<K, B>,
    operator: PhantomData<fn() -> (O, K)>,
}

/// All that a prep holds: shapes and storage, whatever the function and the operator are.
pub struct Body<K: Signature, B, S, M> {
    pub(crate) backend: B,
    header: Header<K>,
    cell: RefCell<FormState<K, S, M>>,
    /// Not for one call only.
    lasting: bool,
}

/// The state of a form, with this scratch and this matrix.
type FormState<K, S, M> =
    State<<K as Signature>::X, <K as Signature>::Y, <K as Signature>::Real, S, M>;

/// The body of a prep for a function with this key.
pub type BodyOf<K, B> = Body<FormOf<K>, B, <B as Backend<K>>::Scratch, <B as Backend<K>>::Matrix>;

/// Calls that a prep makes at most before the user's.
const MOST_CALLS: usize = 16;

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

impl<O: Op, K: Primal, B: Backend<K>> Prep<O, K, B> {
    pub(crate) fn of(body: BodyOf<K, B>) -> Self {
        Prep {
            body,
            operator: PhantomData,
        }
    }

    /// For another crate's `Prepared`.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn body(&self) -> &BodyOf<K, B> {
        &self.body
    }

    /// Adapts the prep to other lengths of `x`, output and contexts.
    ///
    /// The backend stays the same. A prep for one point becomes a prep for any point.
    ///
    /// # Errors
    /// Those of the preparation. The prep is unchanged then.
    pub fn resize<F, X>(&mut self, f: F, x: &X) -> Result<(), Error>
    where
        F: Function<Bound: Evaluate<Key = K>>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        let settling = Settling::begin();
        let Body {
            backend, header, ..
        } = &self.body;
        let body = make::<O, K, B, _, X, _>(&mut f.bind(), backend, x, header.batch, true);
        self.body = settling.end(body)?;
        Ok(())
    }

    /// Looks at the backend's scratch.
    ///
    /// # Errors
    /// [`Error::InUse`]
    pub fn look<T>(&self, ask: impl FnOnce(&B::Scratch) -> T) -> Result<T, Error> {
        Ok(ask(&self.body.look(O::OPERATOR)?.space.scratch))
    }
}

impl<K: Signature, B, S, M> Body<K, B, S, M> {
    /// Before the first call.
    fn new(
        backend: B,
        header: Header<K>,
        scratch: S,
        spares: Spares<K::X, K::Y, K::Real>,
        lasting: bool,
    ) -> Self {
        let state = State {
            space: Workspace::new(scratch, &header.x, &header.y),
            spares,
            copy: MatrixCopy::default(),
            point: None,
            first: None,
        };
        Body {
            backend,
            header,
            cell: RefCell::new(state),
            lasting,
        }
    }

    /// Keeps a value that was not requested: the next call writes to its storage.
    pub(crate) fn keep<F>(&self, f: &mut F, value: F::Stored)
    where
        F: Evaluate<Key: Signature<Y = K::Y, Real = K::Real>>,
    {
        f.keep(value, &mut self.cell.borrow_mut().spares.y);
    }

    /// Gives the user a value, and keeps storage for the next call if there may be one.
    pub(crate) fn give<F>(&self, f: &mut F, value: F::Stored) -> F::Value
    where
        F: Evaluate<Key: Signature<Y = K::Y, Real = K::Real>>,
    {
        if self.lasting {
            f.spare(&value, &mut self.cell.borrow_mut().spares.y);
        }
        F::give(value)
    }

    /// Shape of `x`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn x(&self) -> &XShape<K> {
        &self.header.x
    }

    /// Shape of the result.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn y(&self) -> &YShape<K> {
        &self.header.y
    }

    /// Number of inputs and outputs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (K::X::len(&self.header.x), K::Y::len(&self.header.y))
    }

    /// The state, to be looked at.
    ///
    /// # Errors
    /// [`Error::InUse`]
    pub(crate) fn look(&self, operator: Operator) -> Result<Ref<'_, FormState<K, S, M>>, Error> {
        match self.cell.try_borrow() {
            Ok(state) => Ok(state),
            Err(_) => Err(Error::InUse { operator }),
        }
    }
}

/// Compares the call with what was prepared, and takes the state.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn enter<'p, F: Evaluate, B: Backend<F::Key>>(
    prep: &'p BodyOf<F::Key, B>,
    operator: Operator,
    backend: &B,
    f: &F,
    x: &(impl Container<<F::Key as Signature>::X, <F::Key as Signature>::Real> + ?Sized),
    batch: usize,
) -> Result<RefMut<'p, StateOf<F::Key, B>>, Error> {
    let call = f.call().form();
    if prep.backend != *backend
        || !prep.header.fits(call, x, batch)
        || !f.output_has(&prep.header.y)
    {
        return Err(refuse(prep, operator, backend, f, x, batch));
    }
    match prep.cell.try_borrow_mut() {
        Ok(state) => Ok(state),
        Err(_) => Err(Error::InUse { operator }),
    }
}

/// The error of a call that differs from what was prepared. Apart, so that what is inlined is short.
#[cold]
#[inline(never)]
fn refuse<F: Evaluate, B: Backend<F::Key>>(
    prep: &BodyOf<F::Key, B>,
    operator: Operator,
    backend: &B,
    f: &F,
    x: &(impl Container<<F::Key as Signature>::X, <F::Key as Signature>::Real> + ?Sized),
    batch: usize,
) -> Error {
    let backends: [&dyn core::fmt::Debug; 2] = [&prep.backend, backend];
    let (call, shapes) = (f.call().form(), (x.shape(), f.output_shape()));
    mismatch(operator, &prep.header, backends, call, shapes, batch)
}

/// Shapes, then the backend's scratch.
pub(crate) fn make<O, K, B, F, X, N>(
    f: &mut F,
    backend: &B,
    x: &X,
    count: N,
    lasting: bool,
) -> Result<BodyOf<K, B>, Error>
where
    O: Op,
    N: Count,
    K: Primal,
    B: Backend<K>,
    F: Evaluate<Key = K>,
    X: Container<K::X, K::Real> + ?Sized,
{
    let batch = count.get();
    let (header, mut spares) = room(f, x, batch, lasting);
    let plan = Plan {
        operator: O::OPERATOR,
        x: &header.x,
        y: &header.y,
        batch,
        seeds: None,
        lasting,
    };
    let view = x.view(&mut spares.x);
    let scratch = if const { N::IS_ONE } {
        backend.scratch_of::<InOne<O>>(&plan, f.call(), view)?
    } else {
        backend.scratch_of::<O>(&plan, f.call(), view)?
    };
    Ok(Body::new(backend.clone(), header, scratch, spares, lasting))
}

/// Prepares an operator with so many tangents; `first` is a call of it, which is made until the prep has all the memory
/// that calls need.
///
/// # Errors
/// Those of making a prep, and of the call.
pub(crate) fn prepare<O, B, F, X, N>(
    f: F,
    backend: &B,
    x: &X,
    count: N,
    mut first: impl FnMut(&mut F::Bound, &BodyOf<Key<F>, B>) -> Result<(), Error>,
) -> Result<Prep<O, Key<F>, B>, Error>
where
    O: Op,
    F: Function,
    N: Count,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let settling = Settling::begin();
    let mut f = f.bind();
    let body = settling.check(make::<O, _, B, _, X, N>(&mut f, backend, x, count, true))?;
    let outcome = match backend.warms_up(O::OPERATOR) {
        true => warm_up(&mut || first(&mut f, &body), &|| {
            backend.buffers(&body.cell.borrow().space.scratch)
        }),
        false => Ok(()),
    };
    settling.end(outcome)?;
    Ok(Prep::of(body))
}

/// Calls until there are no new buffers. For all functions and operators it is compiled once.
fn warm_up(
    call: &mut dyn FnMut() -> Result<(), Error>,
    buffers: &dyn Fn() -> u64,
) -> Result<(), Error> {
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

/// Prepares an operator for calls at `x` only, with the constants that there are now. If they cannot be compared,
/// nothing that depends on them is kept.
///
/// # Errors
/// Those of making a prep, and of the backend.
pub(crate) fn prepare_same_point<O, B, F, X, N>(
    f: F,
    backend: &B,
    x: &X,
    count: N,
) -> Result<Prep<O, Key<F>, B>, Error>
where
    O: Op,
    F: Function,
    N: Count,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let settling = Settling::begin();
    let mut f = f.bind();
    let body = settling.check(make::<O, _, B, _, X, N>(&mut f, backend, x, count, true))?;
    settling.end(fix_point(&body, &f, backend, x))?;
    Ok(Prep::of(body))
}

/// Notes the point, and lets the backend do what calls there have in common.
fn fix_point<F, B, X>(prep: &BodyOf<F::Key, B>, f: &F, backend: &B, x: &X) -> Result<(), Error>
where
    F: Evaluate,
    B: Backend<F::Key>,
    X: Container<<F::Key as Signature>::X, <F::Key as Signature>::Real> + ?Sized,
{
    let mut state = prep.cell.borrow_mut();
    let State {
        space,
        spares,
        point,
        ..
    } = &mut *state;
    let view = x.view(&mut spares.x);
    let spot = point.insert(Spot::at::<F::Key>(&prep.header.x, f.call(), view));
    if spot.is_comparable() {
        space.same_point = backend.linearize(space, f.call(), view)?;
    }
    Ok(())
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

/// What preps of all operators and backends begin with: shapes, and room for copies of arguments.
fn room<F: Evaluate, X>(
    f: &mut F,
    x: &X,
    batch: usize,
    lasting: bool,
) -> (HeaderOf<F::Key>, SparesOf<F::Key>)
where
    X: Container<<F::Key as Signature>::X, <F::Key as Signature>::Real> + ?Sized,
{
    let mut spares = Spares::new(batch);
    if lasting && <F::Key as Signature>::X::COPIED {
        spares.make_room(&mut x.blank());
    }
    let y = result_shape(f, x, &mut spares.x);
    (Header::new(f.call().form(), x, y, batch), spares)
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
    if const { Y::<F>::FIXED || <<F::Key as Signature>::Kind as Kind>::IN_PLACE } {
        unreachable!("the shape is that of the type or of the output")
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
        Prep {
            body: self.body.clone(),
            operator: PhantomData,
        }
    }
}

impl<K: Signature, B: Clone, S: Clone, M> Clone for Body<K, B, S, M> {
    fn clone(&self) -> Self {
        let state = self.cell.borrow();
        Body {
            backend: self.backend.clone(),
            header: self.header.clone(),
            cell: RefCell::new(State {
                space: state.space.clone(),
                spares: Spares::new(self.header.batch),
                copy: MatrixCopy::default(),
                point: state.point.clone(),
                first: state.first.clone(),
            }),
            lasting: self.lasting,
        }
    }
}

impl<O: Op, K: Primal, B: Backend<K>> core::fmt::Debug for Prep<O, K, B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Prep")
            .field("operator", &O::OPERATOR)
            .field("backend", &self.body.backend)
            .field("x", &self.body.header.x)
            .field("y", &self.body.header.y)
            .finish_non_exhaustive()
    }
}
