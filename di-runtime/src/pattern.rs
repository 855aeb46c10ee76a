//! Which results depend on which inputs, found by running the function on index sets.
//!
//! For detectors; patterns, and what is made of them, are in `di-sparse`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::error::Error;
use crate::function::{Call, Env, Generic, Kind, Slot, XRef, XShape, YShape};
use crate::generated::Pool;
use crate::scalar::{Knowledge, Known, MissingPrimal, Real, Trace, Tracer, Undecided, Unknown};
use crate::value::Family;

/// Inputs of each result, as compressed rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Where each row begins among the inputs, and where the last one ends.
    pub starts: Vec<u32>,
    /// Inputs, ascending in each row.
    pub inputs: Vec<u32>,
    /// Was a value looked at? Then this belongs to the point.
    pub looked: bool,
}

/// Pairs of inputs with a second derivative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs {
    /// The larger one first, each pair once, ascending.
    pub pairs: Vec<(u32, u32)>,
    /// Are second derivatives the same at every point, as long as all constants are?
    pub constant: bool,
    /// Was a value looked at? Then this belongs to the point.
    pub looked: bool,
}

/// On which inputs each result depends: at every point with [`Unknown`] values, at `x`
/// with [`Known`] ones.
///
/// An entry that is there may still be zero. Cost: one run on index sets.
///
/// # Errors
/// [`Error::MissingPrimal`] if a branch depends on a value that is not known.
pub fn rows<K: Generic, V: Run<Real = K::Real>>(
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    x_shape: &XShape<K>,
    y_shape: &YShape<K>,
) -> Result<Rows, Error> {
    let trace = Trace::begin();
    let outputs = run::<K, V, false>(&trace, call, x, x_shape, y_shape)?;
    let (starts, inputs) = trace.rows(&outputs);
    Ok(Rows {
        starts,
        inputs,
        looked: trace.looked(),
    })
}

/// In which pairs of inputs the sum of all results may have a second derivative; see [`rows`].
///
/// # Errors
/// [`Error::MissingPrimal`] if a branch depends on a value that is not known.
pub fn pairs<K: Generic, V: Run<Real = K::Real>>(
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    x_shape: &XShape<K>,
    y_shape: &YShape<K>,
) -> Result<Pairs, Error> {
    let trace = Trace::begin();
    let outputs = run::<K, V, true>(&trace, call, x, x_shape, y_shape)?;
    let looked = trace.looked();
    Ok(Pairs {
        pairs: trace.pairs(&outputs),
        constant: !looked && outputs.iter().all(|y| y.has_constant_second()),
        looked,
    })
}

/// How a function is run on tracers with this knowledge: at a point as it is, else on both arms of branches.
pub trait Run: Knowledge {
    /// Runs it.
    ///
    /// # Errors
    /// If something has to be known that inputs decide.
    fn run<'c, K: Generic<Real = Self::Real> + 'c, const SECOND: bool>(
        env: Env<'_, 'c, K, Tracer<Self, SECOND>>,
        x: XRef<'_, K, Tracer<Self, SECOND>>,
        y: Slot<'_, K, Tracer<Self, SECOND>>,
    ) -> Result<(), Undecided>;
}

impl<R: Real> Run for Known<R> {
    fn run<'c, K: Generic<Real = R> + 'c, const SECOND: bool>(
        env: Env<'_, 'c, K, Tracer<Self, SECOND>>,
        x: XRef<'_, K, Tracer<Self, SECOND>>,
        y: Slot<'_, K, Tracer<Self, SECOND>>,
    ) -> Result<(), Undecided> {
        K::generic(env, x, y);
        Ok(())
    }
}

impl<R: Real> Run for Unknown<R> {
    fn run<'c, K: Generic<Real = R> + 'c, const SECOND: bool>(
        env: Env<'_, 'c, K, Tracer<Self, SECOND>>,
        x: XRef<'_, K, Tracer<Self, SECOND>>,
        y: Slot<'_, K, Tracer<Self, SECOND>>,
    ) -> Result<(), Undecided> {
        K::pattern(env, x, y)
    }
}

/// A panic after something was asked that is not known (an assertion on inputs) is of that question.
fn run<K: Generic, V: Run<Real = K::Real>, const SECOND: bool>(
    trace: &Trace,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    x_shape: &XShape<K>,
    y_shape: &YShape<K>,
) -> Result<Vec<Tracer<V, SECOND>>, Error> {
    let nothing = Tracer::<V, SECOND>::constant(V::of(K::Real::default()));
    let lift = |v: K::Real| Tracer::<V, SECOND>::constant(V::of(v));
    let mut traced = K::X::store(x_shape, nothing);
    let mut index = 0;
    let input = &mut |to: &mut Tracer<V, SECOND>, v: K::Real| {
        *to = trace.input(index, V::of(v));
        index += 1;
    };
    K::X::zip_values(K::X::lanes_mut(&mut traced), x, input);
    let mut fixed = K::Fixed::store(&K::Fixed::shape::<K::Real>(call.fixed), nothing);
    let constant = &mut |to: &mut Tracer<V, SECOND>, v: K::Real| *to = lift(v);
    K::Fixed::zip_values(K::Fixed::lanes_mut(&mut fixed), call.fixed, constant);
    let caches = K::Caches::shape::<K::Real>(K::caches(call.ctx));
    let mut caches = K::Caches::store(&caches, nothing);
    let mut y = K::Kind::storage::<K::Y, _>(y_shape, nothing);
    let env = Env {
        ctx: call.ctx,
        fixed: K::Fixed::get(&fixed, K::Fixed::shorten(call.fixed)),
        caches: &mut caches,
        pool: &mut Pool::new(),
    };
    let slot = K::Kind::slot::<K::Y, _>(&mut y);
    let view = K::X::get(&traced, K::X::shorten::<K::Real>(x));
    let ran = catch_unwind(AssertUnwindSafe(|| V::run::<K, SECOND>(env, view, slot)));
    let ran = match (ran, trace.take_error()) {
        (_, Some(missing)) => return Err(Error::MissingPrimal(missing)),
        (Ok(ran), None) => ran,
        (Err(panic), None) => resume_unwind(panic),
    };
    let mut outputs = Vec::with_capacity(K::Y::len(y_shape));
    K::Y::each(K::Y::lanes(&y), &mut |y| outputs.push(y));
    match ran {
        Err(_) => {
            let operation = "a value that a branch on inputs decides";
            Err(Error::MissingPrimal(MissingPrimal { operation }))
        }
        Ok(()) => Ok(outputs),
    }
}
