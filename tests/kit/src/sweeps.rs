//! Runs the generated code of a function on lists of numbers: primal, tangent, augmented and reverse, fused.
//!
//! Whatever a function may not rely on is filled with NaN: caches, records, adjoints of caches before the forward
//! sweep, adjoints of `x`.

use di_runtime::function::{
    Call, Env, FixedOwned, Kept, Kind, Record, Signature, Source, YOwned, YShape,
};
use di_runtime::generated::{Fresh, Pool, Tape};
use di_runtime::scalar::{Dual, Lanes, Scalar, Zero};
use di_runtime::value::{Family, Slice};

/// A function of a slice, with its data, and the shape of its result.
pub struct Sweeps<'c, K: Source<Real = f64, X = Slice>> {
    call: Call<'c, K>,
    y: YShape<K>,
}

/// The function on the scalar `S`.
pub trait Generic<S> {
    /// Its results.
    fn generic(&self, x: &[S]) -> Vec<S>;
}

/// Forms on the scalar `S` with tangents and adjoints `T`, of whatever function.
pub trait Forms<S, T> {
    /// Value and tangents.
    fn tangent(&self, x: &[S], dx: &[T]) -> (Vec<S>, Vec<T>);
    /// Value, and the adjoint of `x` for each of the seeds: one forward sweep, as many reverse sweeps as seeds.
    fn split(&self, x: &[S], seeds: &[Vec<T>]) -> (Vec<S>, Vec<Vec<T>>);
    /// Value, and the adjoint of `x` for one seed, by the fused form; `xb` is what is there before.
    fn fused(&self, x: &[S], seed: &[T], xb: &[T]) -> (Vec<S>, Vec<T>);
}

/// As many as operators use in a debug build, which has their code already.
pub(crate) const LANES: usize = 8;

/// Numbers of second order, in the same width.
pub(crate) type Moving = Dual<f64, LANES>;

/// The forms that checks compare, which are then compiled once for all functions.
pub trait AllForms:
    Generic<f64> + Generic<Moving> + Forms<f64, f64> + Forms<f64, [f64; LANES]> + Forms<Moving, Moving>
{
    /// Number of results.
    fn outputs(&self) -> usize;
}

/// The values of caches and fixed parameters in some scalar.
struct Data<K: Signature, S: Scalar> {
    fixed: FixedOwned<K, S>,
    caches: <K::Caches as Family>::Owned<S>,
    pool: Pool,
}

impl<'c, K: Source<Real = f64, X = Slice> + 'c> Sweeps<'c, K> {
    /// `output` is the shape of the output of an in-place function.
    pub fn new(call: Call<'c, K>, output: Option<YShape<K>>, x: &[f64]) -> Self {
        let y = output.or_else(K::Y::fixed_shape).unwrap_or_else(|| {
            let mut y = K::Y::vacant(0.0);
            let mut data = data::<K, f64>(call);
            K::primal(env(call, &mut data), x, K::Kind::slot::<K::Y, f64>(&mut y));
            K::Y::shape_of(&y)
        });
        Sweeps { call, y }
    }

    /// Storage of the shape of the result, with these entries.
    fn seeded<A: Zero>(&self, seed: &[A]) -> YOwned<K, A> {
        let mut yb = K::Y::store(&self.y, A::zero());
        K::Y::each_mut::<A>(K::Y::lanes_mut(&mut yb), &mut take_from(seed));
        yb
    }
}

impl<K: Source<Real = f64, X = Slice>> AllForms for Sweeps<'_, K> {
    fn outputs(&self) -> usize {
        K::Y::len(&self.y)
    }
}

impl<K, S> Generic<S> for Sweeps<'_, K>
where
    K: Source<Real = f64, X = Slice>,
    S: Scalar<Real = f64>,
{
    fn generic(&self, x: &[S]) -> Vec<S> {
        let mut data = data::<K, S>(self.call);
        let mut y = K::Kind::storage::<K::Y, S>(&self.y, S::zero());
        K::generic(
            env(self.call, &mut data),
            x,
            K::Kind::slot::<K::Y, S>(&mut y),
        );
        flat::<K, S>(&y)
    }
}

impl<K, S, T> Forms<S, T> for Sweeps<'_, K>
where
    K: Source<Real = f64, X = Slice>,
    S: Scalar<Real = f64>,
    T: Lanes<S>,
{
    fn tangent(&self, x: &[S], dx: &[T]) -> (Vec<S>, Vec<T>) {
        let mut data = data::<K, S>(self.call);
        let mut caches_t = K::Caches::store(&caches_shape(self.call), nan_lanes::<S, T>());
        let mut y = K::Kind::storage::<K::Y, S>(&self.y, S::zero());
        let mut dy = K::Kind::storage::<K::Y, T>(&self.y, T::zero());
        K::tangent::<S, T>(
            env(self.call, &mut data),
            x,
            dx,
            &mut caches_t,
            K::Kind::slot::<K::Y, S>(&mut y),
            K::Kind::lane_slot::<K::Y, T>(&mut dy),
        );
        (flat::<K, S>(&y), flat::<K, T>(&dy))
    }

    fn split(&self, x: &[S], seeds: &[Vec<T>]) -> (Vec<S>, Vec<Vec<T>>) {
        let nan = S::from_real(f64::NAN);
        let mut data = data::<K, S>(self.call);
        let mut y = K::Kind::storage::<K::Y, S>(&self.y, S::zero());
        let (mut words, mut ints, mut tape) = (vec![nan; K::WORDS], vec![99; K::INTS], Tape::new());
        let record = Record {
            words: &mut words,
            ints: &mut ints,
            tape: &mut tape,
        };
        let slot = K::Kind::slot::<K::Y, S>(&mut y);
        K::augmented(env(self.call, &mut data), x, slot, record);
        let fixed = K::Fixed::get::<S, f64>(&data.fixed, K::Fixed::shorten(self.call.fixed));
        let mut pool = Pool::new();
        let mut adjoints = Vec::new();
        for seed in seeds {
            let mut xb = vec![T::zero().scale(nan); x.len()];
            let mut caches_b = K::Caches::store(&caches_shape(self.call), T::zero());
            let mut yb = self.seeded(seed);
            let kept = Kept {
                words: &words,
                ints: &ints,
                tape: &tape,
            };
            let yb = K::Y::adjoint::<T>(K::Y::lanes_mut(&mut yb));
            K::reverse::<S, T, Fresh>(
                self.call.ctx,
                fixed,
                x,
                &mut xb,
                &mut caches_b,
                yb,
                kept,
                &mut pool,
            );
            adjoints.push(xb);
        }
        (flat::<K, S>(&y), adjoints)
    }

    fn fused(&self, x: &[S], seed: &[T], xb: &[T]) -> (Vec<S>, Vec<T>) {
        let mut data = data::<K, S>(self.call);
        let mut y = K::Kind::storage::<K::Y, S>(&self.y, S::zero());
        let mut caches_b = K::Caches::store(&caches_shape(self.call), T::zero());
        let mut xb = xb.to_vec();
        let mut yb = self.seeded(seed);
        K::fused::<S, T>(
            env(self.call, &mut data),
            x,
            &mut xb,
            &mut caches_b,
            K::Kind::slot::<K::Y, S>(&mut y),
            K::Y::adjoint::<T>(K::Y::lanes_mut(&mut yb)),
            &mut Tape::new(),
        );
        (flat::<K, S>(&y), xb)
    }
}

fn caches_shape<K: Signature<Real = f64>>(call: Call<'_, K>) -> <K::Caches as Family>::Shape {
    K::Caches::shape::<f64>(K::caches(call.ctx))
}

fn data<K: Signature<Real = f64>, S: Scalar<Real = f64>>(call: Call<'_, K>) -> Data<K, S> {
    let mut fixed = K::Fixed::store(&K::Fixed::shape::<f64>(call.fixed), S::zero());
    K::Fixed::zip_values::<S, f64>(K::Fixed::lanes_mut(&mut fixed), call.fixed, &mut lift());
    Data {
        fixed,
        caches: K::Caches::store(&caches_shape(call), S::from_real(f64::NAN)),
        pool: Pool::new(),
    }
}

fn env<'a, 'c, K: Signature<Real = f64>, S: Scalar<Real = f64>>(
    call: Call<'c, K>,
    data: &'a mut Data<K, S>,
) -> Env<'a, 'c, K, S> {
    Env {
        ctx: call.ctx,
        fixed: K::Fixed::get::<S, f64>(&data.fixed, K::Fixed::shorten(call.fixed)),
        caches: &mut data.caches,
        pool: &mut data.pool,
    }
}

/// The entries of a result.
fn flat<K: Signature, T: Zero>(y: &YOwned<K, T>) -> Vec<T> {
    let mut entries = Vec::new();
    K::Y::each::<T>(K::Y::lanes(y), &mut push_to(&mut entries));
    entries
}

// Closures that know nothing of the function: those of generic functions are compiled for each function anew, with all
// that they are given to.

fn push_to<T>(entries: &mut Vec<T>) -> impl FnMut(T) {
    |entry| entries.push(entry)
}

fn take_from<A: Copy>(seed: &[A]) -> impl FnMut(&mut A) {
    let mut entries = seed.iter();
    move |entry| *entry = *entries.next().expect("a seed has an entry for each result")
}

fn lift<S: Scalar<Real = f64>>() -> impl FnMut(&mut S, f64) {
    |to, from| *to = S::from_real(from)
}

fn nan_lanes<S: Scalar<Real = f64>, T: Lanes<S>>() -> T {
    let mut lanes = T::zero();
    for k in 0..T::WIDTH {
        lanes.set_lane(k, S::from_real(f64::NAN));
    }
    lanes
}
