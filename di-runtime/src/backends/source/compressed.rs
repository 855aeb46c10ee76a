//! Tangent and adjoint code with seeds that stay: sums of columns and of rows.

use crate::batch::passes;
use crate::capability::Operator;
use crate::compressed::{Reader, Seeds, read};
use crate::entries;
use crate::error::Error;
use crate::function::{
    CachesOwned, Call, FormOf, Kind, LaneSlot, Signature, Slot, Source, XOwned, XRef, XShape,
    YAdjoint, YOwned, YShape,
};
use crate::generated::{Fresh, Pool};
use crate::held::Held;
use crate::primitive::Space;
use crate::rules::one;
use crate::scalar::Zero;
use crate::value::Family;

use super::super::sweep::{self, env};
use super::reverse::augment;
use super::{AutoSource, MADE, Scratch};

/// The compiled lanes for sums: more, and wider, than for directions that change.
const WIDTHS: &[usize] = if cfg!(debug_assertions) {
    &[1, 4, 12]
} else {
    &[1, 2, 4, 8, 12]
};

/// What a pass costs beside its lanes, in lanes. A debug build, which has fewer widths, makes no more passes for it.
const PASS: usize = if cfg!(debug_assertions) { 8 } else { 2 };

/// The width that takes `count` colors through least work.
fn width(count: usize) -> usize {
    let work = |width: &&usize| count.div_ceil(**width) * (**width + PASS);
    WIDTHS.iter().min_by_key(work).copied().unwrap_or(1)
}

/// Seeds of several passes are kept up to here, in numbers.
const KEPT: usize = 1 << 22;

/// Lanes of one width, with the seeds of each pass.
pub(super) struct Lane<K: Signature, const W: usize> {
    /// Of inputs, pass by pass, or of one pass that is written anew; for sums of rows, results.
    x: Vec<XOwned<K, [K::Real; W]>>,
    y: Vec<YOwned<K, [K::Real; W]>>,
    caches: CachesOwned<K, [K::Real; W]>,
    pool: Pool,
    x_copy: Vec<[K::Real; W]>,
    y_copy: Vec<[K::Real; W]>,
    /// Is each seed where it belongs?
    seeded: bool,
}

/// [`Lane`] in one of the widths.
pub(super) enum Swath<K: Signature> {
    One(Held<Lane<K, 1>>),
    #[cfg(not(debug_assertions))]
    Two(Held<Lane<K, 2>>),
    Four(Held<Lane<K, 4>>),
    #[cfg(not(debug_assertions))]
    Eight(Held<Lane<K, 8>>),
    Twelve(Held<Lane<K, 12>>),
}

macro_rules! widths {
    ($value:expr, $lane:ident => $body:expr) => {
        match $value {
            Swath::One($lane) => $body,
            #[cfg(not(debug_assertions))]
            Swath::Two($lane) => $body,
            Swath::Four($lane) => $body,
            #[cfg(not(debug_assertions))]
            Swath::Eight($lane) => $body,
            Swath::Twelve($lane) => $body,
        }
    };
}

impl<K: Signature + 'static> Swath<K> {
    pub(super) fn new(
        seeds: &Seeds,
        by_columns: bool,
        x: &XShape<K>,
        y: &YShape<K>,
        call: Call<'_, K>,
    ) -> Self {
        match width(seeds.count()) {
            1 => Swath::One(Held::new(Lane::new(seeds, by_columns, x, y, call))),
            #[cfg(not(debug_assertions))]
            2 => Swath::Two(Held::new(Lane::new(seeds, by_columns, x, y, call))),
            4 => Swath::Four(Held::new(Lane::new(seeds, by_columns, x, y, call))),
            #[cfg(not(debug_assertions))]
            8 => Swath::Eight(Held::new(Lane::new(seeds, by_columns, x, y, call))),
            _ => Swath::Twelve(Held::new(Lane::new(seeds, by_columns, x, y, call))),
        }
    }
}

impl<K: Signature + 'static> Swath<K> {
    /// [`Backend::buffers`](crate::backend::Backend::buffers) of these.
    pub(super) fn buffers(&self) -> u64 {
        widths!(self, lane => lane.pool.state())
    }
}

impl<K: Signature + 'static> Clone for Swath<K> {
    fn clone(&self) -> Self {
        match self {
            Swath::One(lane) => Swath::One(lane.clone()),
            #[cfg(not(debug_assertions))]
            Swath::Two(lane) => Swath::Two(lane.clone()),
            Swath::Four(lane) => Swath::Four(lane.clone()),
            #[cfg(not(debug_assertions))]
            Swath::Eight(lane) => Swath::Eight(lane.clone()),
            Swath::Twelve(lane) => Swath::Twelve(lane.clone()),
        }
    }
}

impl<K: Signature, const W: usize> Clone for Lane<K, W> {
    fn clone(&self) -> Self {
        Lane {
            x: self.x.clone(),
            y: self.y.clone(),
            caches: self.caches.clone(),
            pool: Pool::new(),
            x_copy: Vec::new(),
            y_copy: Vec::new(),
            seeded: self.seeded,
        }
    }
}

impl<K: Signature, const W: usize> Lane<K, W> {
    fn new(
        seeds: &Seeds,
        by_columns: bool,
        x: &XShape<K>,
        y: &YShape<K>,
        call: Call<'_, K>,
    ) -> Self {
        let passes = seeds.count().div_ceil(W).max(1);
        let kept = if by_columns && passes * K::X::len(x) * W <= KEPT {
            passes
        } else {
            1
        };
        let zeros = || <[K::Real; W]>::zero();
        Lane {
            x: vec![K::X::store(x, zeros()); kept],
            y: vec![K::Y::store(y, zeros())],
            caches: sweep::caches::<K, [K::Real; W]>(call),
            pool: Pool::new(),
            x_copy: Vec::new(),
            y_copy: Vec::new(),
            seeded: false,
        }
    }

    /// The inputs with the seeds of a pass.
    fn inputs(&mut self, seeds: &Seeds, pass: usize) -> usize {
        if self.x.len() == 1 {
            if !self.seeded || seeds.count() > W {
                seed_x::<K, W>(&mut self.x[0], seeds, pass * W);
                self.seeded = true;
            }
            return 0;
        }
        if !self.seeded {
            for (pass, x) in self.x.iter_mut().enumerate() {
                seed_x::<K, W>(x, seeds, pass * W);
            }
            self.seeded = true;
        }
        pass
    }
}

fn seed_x<K: Signature, const W: usize>(
    x: &mut XOwned<K, [K::Real; W]>,
    seeds: &Seeds,
    first: usize,
) {
    K::X::each_mut::<[K::Real; W]>(K::X::lanes_mut(x), &mut entries::clear());
    let mut lanes = K::X::lanes_mut(x);
    seeds.each(first, W, |line, lane| {
        K::X::entry::<[K::Real; W]>(K::X::reborrow_lanes(&mut lanes), line)[lane] = one();
    });
}

/// Sums of columns.
pub(super) fn columns<K: Source>(
    space: &mut Space<K, AutoSource>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    mut y: Slot<'_, K, K::Real>,
    reader: &mut impl Reader<K::Real>,
) {
    let Scratch { values, swath, .. } = &mut space.scratch;
    let values = (&mut values.caches, &mut values.pool);
    widths!(swath.as_mut().expect(MADE), lane => push(values, lane, call, x, seeds, &mut y, reader));
}

#[inline(never)]
fn push<K: Source, const W: usize>(
    (caches, pool): (&mut CachesOwned<K, K::Real>, &mut Pool),
    lane: &mut Lane<FormOf<K>, W>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    y: &mut Slot<'_, K, K::Real>,
    reader: &mut impl Reader<K::Real>,
) {
    // Without colors the value is still wanted.
    let empty = (seeds.count() == 0).then_some((0, 0));
    for (pass, (first, _)) in passes(seeds.count(), W).chain(empty).enumerate() {
        let inputs = lane.inputs(seeds, pass);
        let dy: LaneSlot<'_, K, [K::Real; W]> = K::Kind::lane_slot::<K::Y, _>(&mut lane.y[0]);
        K::tangent::<K::Real, [K::Real; W]>(
            env(call, caches, pool),
            x,
            K::X::lanes(&lane.x[inputs]),
            &mut lane.caches,
            K::Kind::again::<K::Y, K::Real>(y),
            dy,
        );
        let results = K::Y::lanes(&lane.y[0]);
        read::<K::Y, K::Real, W>(results, &mut lane.y_copy, first, reader);
    }
}

/// Sums of rows.
pub(super) fn rows<K: Source>(
    space: &mut Space<K, AutoSource>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    mut y: Slot<'_, K, K::Real>,
    reader: &mut impl Reader<K::Real>,
) -> Result<(), Error> {
    let Scratch {
        values,
        memory,
        swath,
        ..
    } = &mut space.scratch;
    augment(
        Operator::Jacobian,
        values,
        memory,
        &space.y,
        call,
        x,
        &mut y,
    )?;
    widths!(swath.as_mut().expect(MADE), lane => {
        for (first, _) in passes(seeds.count(), lane_width(lane)) {
            pull(memory, lane, call, x, seeds, first, reader);
        }
    });
    Ok(())
}

fn lane_width<K: Signature, const W: usize>(_: &Lane<K, W>) -> usize {
    W
}

#[inline(never)]
fn pull<K: Source, const W: usize>(
    memory: &super::super::sweep::Memory<K::Real>,
    lane: &mut Lane<FormOf<K>, W>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    first: usize,
    reader: &mut impl Reader<K::Real>,
) {
    // the sweep consumes its seeds
    let zeros = &mut |to: &mut [K::Real; W]| *to = Zero::zero();
    K::Y::each_mut(K::Y::lanes_mut(&mut lane.y[0]), zeros);
    let mut results = K::Y::lanes_mut(&mut lane.y[0]);
    seeds.each(first, W, |line, k| {
        K::Y::entry::<[K::Real; W]>(K::Y::reborrow_lanes(&mut results), line)[k] = one();
    });
    drop(results);
    K::Caches::each_mut(K::Caches::lanes_mut(&mut lane.caches), zeros);
    let yb: YAdjoint<'_, K, [K::Real; W]> =
        K::Y::adjoint::<[K::Real; W]>(K::Y::lanes_mut(&mut lane.y[0]));
    K::reverse::<K::Real, [K::Real; W], Fresh>(
        call.ctx,
        call.fixed,
        x,
        K::X::lanes_mut(&mut lane.x[0]),
        &mut lane.caches,
        yb,
        memory.kept(),
        &mut lane.pool,
    );
    let found = K::X::lanes(&lane.x[0]);
    read::<K::X, K::Real, W>(found, &mut lane.x_copy, first, reader);
}
