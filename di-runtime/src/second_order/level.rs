//! Dual numbers of one width: storage of the outer engine, which functions of equal shapes share.

use crate::compressed::Seeds;
use crate::entries;
use crate::function::{
    CachesOwned, Call, FixedOwned, Kind, Signature, Slot, XLanes, XLanesMut, XOwned, XRef, XShape,
    YLanesMut, YOwned, YShape,
};
use crate::generated::Pool;
use crate::matrix::Matrix;
use crate::pool::mix;
use crate::rules::{one, zero};
use crate::scalar::{Dual, Scalar};
use crate::value::Family;

/// What an engine inside of another one works in, in each scalar.
pub trait Inside<K: Signature> {
    /// In the scalar `S`.
    type In<S: Scalar<Real = K::Real>>: Clone;
    /// What it depends on beside shapes.
    type Size: Copy;

    /// For calls with these shapes.
    fn new<S: Scalar<Real = K::Real>>(
        size: Self::Size,
        x: &XShape<K>,
        y: &YShape<K>,
        call: Call<'_, K>,
    ) -> Self::In<S>;

    /// [`Backend::buffers`](crate::backend::Backend::buffers) of what is not the environment's.
    fn buffers<S: Scalar<Real = K::Real>>(_inner: &Self::In<S>) -> u64 {
        0
    }
}

/// Fixed parameters of a call.
type FixedRef<'c, K> = <<K as Signature>::Fixed as Family>::Ref<'c, <K as Signature>::Real>;

/// Dual numbers of one width over an engine that works in `N`.
pub struct Level<K: Signature, N: Inside<K>, const W: usize> {
    pub(super) x: XOwned<K, Dual<K::Real, W>>,
    pub(super) g: XOwned<K, Dual<K::Real, W>>,
    pub(super) y: YOwned<K, Dual<K::Real, W>>,
    pub(super) dy: YOwned<K, Dual<K::Real, W>>,
    pub(super) fixed: FixedOwned<K, Dual<K::Real, W>>,
    pub(super) caches: CachesOwned<K, Dual<K::Real, W>>,
    pub(super) pool: Pool,
    pub(super) inner: N::In<Dual<K::Real, W>>,
    /// First color of the pass whose seeds are written.
    seeded: Option<usize>,
    pub(super) copy: Vec<[K::Real; W]>,
}

impl<K: Signature, N: Inside<K>, const W: usize> Clone for Level<K, N, W> {
    fn clone(&self) -> Self {
        Level {
            x: self.x.clone(),
            g: self.g.clone(),
            y: self.y.clone(),
            dy: self.dy.clone(),
            fixed: self.fixed.clone(),
            caches: self.caches.clone(),
            pool: Pool::new(),
            inner: self.inner.clone(),
            seeded: self.seeded,
            copy: Vec::new(),
        }
    }
}

impl<K: Signature, N: Inside<K>, const W: usize> Level<K, N, W> {
    pub(super) fn new(size: N::Size, x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
        let fixed = K::Fixed::shape::<K::Real>(call.fixed);
        let caches = K::Caches::shape::<K::Real>(K::caches(call.ctx));
        Level {
            x: K::X::store(x, zero()),
            g: K::X::store(x, zero()),
            y: K::Kind::storage::<K::Y, _>(y, zero()),
            dy: K::Kind::storage::<K::Y, _>(y, zero()),
            fixed: K::Fixed::store(&fixed, zero()),
            caches: K::Caches::store(&caches, zero()),
            pool: Pool::new(),
            inner: N::new(size, x, y, call),
            seeded: None,
            copy: Vec::new(),
        }
    }

    pub(super) fn buffers(&self) -> u64 {
        mix(self.pool.state(), N::buffers(&self.inner))
    }

    /// Takes over the values of a call; tangents become zero, but for the first of each number if they are given.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn load(
        &mut self,
        fixed: FixedRef<'_, K>,
        x: XRef<'_, K, K::Real>,
        first: Option<&[K::Real]>,
    ) {
        let lift = &mut entries::constant::<K::Real, W>();
        let to = K::X::lanes_mut(&mut self.x);
        match first {
            Some(first) => {
                let lift = &mut entries::moving::<K::Real, W>();
                K::X::zip_values_and::<_, K::Real, _>(to, x, first, lift);
            }
            None => K::X::zip_values::<_, K::Real>(to, x, lift),
        }
        K::Fixed::zip_values::<_, K::Real>(K::Fixed::lanes_mut(&mut self.fixed), fixed, lift);
    }

    /// Takes over the values and tangents of one pass.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn load_tangents(
        &mut self,
        fixed: FixedRef<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
    ) {
        let first = dx.first().and_then(|dx| K::X::flat(*dx));
        self.load(fixed, x, first);
        let rest = dx.iter().enumerate();
        for (k, dx) in rest.skip(usize::from(first.is_some())) {
            let to = K::X::lanes_mut(&mut self.x);
            K::X::zip(to, *dx, &mut entries::set_tangent::<K::Real, W>(k));
        }
    }

    /// Takes over the values of a call; tangents stay.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn load_values(&mut self, fixed: FixedRef<'_, K>, x: XRef<'_, K, K::Real>) {
        let lift = &mut entries::set_value::<K::Real, W>();
        K::X::zip_values::<_, K::Real>(K::X::lanes_mut(&mut self.x), x, lift);
        K::Fixed::zip_values::<_, K::Real>(K::Fixed::lanes_mut(&mut self.fixed), fixed, lift);
    }

    /// Writes the seeds of the pass that begins with this color, unless they are there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn sow(&mut self, seeds: &Seeds, first: usize) {
        if self.seeded == Some(first) {
            return;
        }
        let zeros = &mut entries::clear_tangents::<K::Real, W>();
        K::X::each_mut(K::X::lanes_mut(&mut self.x), zeros);
        let mut inputs = K::X::lanes_mut(&mut self.x);
        seeds.each(first, W, |line, lane| {
            let to = K::X::reborrow_lanes::<Dual<K::Real, W>>(&mut inputs);
            K::X::entry::<Dual<K::Real, W>>(to, line).tangents[lane] = one();
        });
        self.seeded = Some(first);
    }

    /// Writes `value` to the tangents of the inputs from `at`, one in each lane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn seed(&mut self, at: usize, count: usize, value: K::Real) {
        for k in 0..count {
            K::X::entry(K::X::lanes_mut(&mut self.x), at + k).tangents[k] = value;
        }
    }

    /// The tangents of the gradient, one lane in each product.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn write_products(&self, products: &mut [XLanesMut<'_, K, K::Real>]) {
        for (k, product) in products.iter_mut().enumerate() {
            let (to, from) = (K::X::reborrow_lanes(product), K::X::lanes(&self.g));
            K::X::zip(to, from, &mut entries::tangent::<K::Real, W>(k));
        }
    }

    /// The tangents of the gradient as columns of a Hessian, from `at`. What lies on and below the diagonal is written
    /// on both sides; the rest was not asked for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn write_columns(&self, h: &mut Matrix<K::Real>, at: usize, count: usize) {
        let g = K::X::lanes(&self.g);
        K::X::each(g, &mut entries::symmetric::<K::Real, W>(h, at, count));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn write_gradient(&self, g: &mut Option<XLanesMut<'_, K, K::Real>>) {
        if let Some(g) = g {
            let (to, from) = (K::X::reborrow_lanes(g), K::X::lanes(&self.g));
            K::X::zip(to, from, &mut entries::value::<K::Real, W>());
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn write_derivatives(
        &self,
        y: &mut Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) {
        let from = K::Y::lanes(&self.dy);
        K::Y::zip(dy, from, &mut entries::value::<K::Real, W>());
        K::Y::zip(ddy, from, &mut entries::tangent::<K::Real, W>(0));
        K::Kind::convert::<K::Y, _, K::Real>(&self.y, y, zero(), &mut |v| v.value);
    }
}
