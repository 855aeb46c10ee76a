//! Which results depend on which inputs, found by running the function on index sets, or on bits.
//!
//! For detectors; patterns and colorings are in `di-sparse`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::error::Error;
use crate::function::{Call, Env, Generic, Kind, Slot, XRef, XShape, YShape};
use crate::generated::Pool;
use crate::scalar::{
    Bits, Dependence, IndexPairs, IndexSet, Knowledge, Known, MissingPrimal, Real, Trace, Tracer,
    Undecided, Unknown,
};
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
    let trace = Trace::of(K::X::len(x_shape));
    let outputs = run::<K, V, IndexSet>(&trace, 0, call, x, x_shape, y_shape)?;
    let (starts, inputs) = trace.rows(&outputs);
    Ok(Rows {
        starts,
        inputs,
        looked: trace.looked(),
    })
}

/// The same by bits: one run for each [`Bits::COUNT`] inputs, without memory for what happens on the way.
///
/// # Errors
/// [`Error::MissingPrimal`] if a branch depends on a value that is not known.
pub fn rows_by_bits<K: Generic, V: Run<Real = K::Real>>(
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    x_shape: &XShape<K>,
    y_shape: &YShape<K>,
) -> Result<Rows, Error> {
    let n = K::X::len(x_shape);
    let trace = Trace::of(n);
    // of several runs each leaves the last bit to the inputs of the others
    let step = if n <= Bits::COUNT {
        Bits::COUNT
    } else {
        Bits::COUNT - 1
    };
    let m = K::Y::len(y_shape);
    let mut starts = vec![0u32; m + 1];
    let mut entries = Vec::with_capacity(m);
    for first in (0..n.max(1)).step_by(step) {
        let outputs = run::<K, V, Bits>(&trace, first, call, x, x_shape, y_shape)?;
        starts.resize(outputs.len() + 1, 0);
        for (i, y) in outputs.iter().enumerate() {
            let before = entries.len();
            let end = step.min(n - first);
            y.on()
                .each(end, |bit| entries.push((i as u32, (first + bit) as u32)));
            starts[i + 1] += (entries.len() - before) as u32;
        }
    }
    // runs come in the order of inputs
    let mut end = 0u32;
    for start in &mut starts {
        end = end
            .checked_add(*start)
            .expect("entries are counted in 32 bits");
        *start = end;
    }
    let mut next = starts.clone();
    let mut inputs = vec![0; entries.len()];
    for (i, input) in entries {
        let at = &mut next[i as usize];
        inputs[*at as usize] = input;
        *at += 1;
    }
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
    let trace = Trace::of(K::X::len(x_shape));
    let outputs = run::<K, V, IndexPairs>(&trace, 0, call, x, x_shape, y_shape)?;
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
    /// If a value must be known that inputs decide.
    fn run<'c, K: Generic<Real = Self::Real> + 'c, D: Dependence>(
        env: Env<'_, 'c, K, Tracer<Self, D>>,
        x: XRef<'_, K, Tracer<Self, D>>,
        y: Slot<'_, K, Tracer<Self, D>>,
    ) -> Result<(), Undecided>;
}

impl<R: Real> Run for Known<R> {
    fn run<'c, K: Generic<Real = R> + 'c, D: Dependence>(
        env: Env<'_, 'c, K, Tracer<Self, D>>,
        x: XRef<'_, K, Tracer<Self, D>>,
        y: Slot<'_, K, Tracer<Self, D>>,
    ) -> Result<(), Undecided> {
        K::generic(env, x, y);
        Ok(())
    }
}

impl<R: Real> Run for Unknown<R> {
    fn run<'c, K: Generic<Real = R> + 'c, D: Dependence>(
        env: Env<'_, 'c, K, Tracer<Self, D>>,
        x: XRef<'_, K, Tracer<Self, D>>,
        y: Slot<'_, K, Tracer<Self, D>>,
    ) -> Result<(), Undecided> {
        K::pattern(env, x, y)
    }
}

/// Runs it; bits are those of the inputs from `first` on.
///
/// A panic after a value was requested that is not known (an assertion on inputs) counts as that
/// request.
fn run<K: Generic, V: Run<Real = K::Real>, D: Dependence>(
    trace: &Trace,
    first: usize,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    x_shape: &XShape<K>,
    y_shape: &YShape<K>,
) -> Result<Vec<Tracer<V, D>>, Error> {
    let nothing = Tracer::<V, D>::constant(V::of(K::Real::default()));
    let lift = |v: K::Real| Tracer::<V, D>::constant(V::of(v));
    let mut traced = K::X::store(x_shape, nothing);
    let mut index = 0;
    let input = &mut |to: &mut Tracer<V, D>, v: K::Real| {
        *to = Tracer::input(index, first, V::of(v));
        index += 1;
    };
    K::X::zip_values(K::X::lanes_mut(&mut traced), x, input);
    let mut fixed = K::Fixed::store(&K::Fixed::shape::<K::Real>(call.fixed), nothing);
    let constant = &mut |to: &mut Tracer<V, D>, v: K::Real| *to = lift(v);
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
    let ran = catch_unwind(AssertUnwindSafe(|| V::run::<K, D>(env, view, slot)));
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
