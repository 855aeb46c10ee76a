//! `fn springs(x: &[f64], #[constant] k: f64, #[cache] force: &mut [f64], y: &mut [f64])`: an output that
//! is only added to, a constant and a cache.

use di_runtime::bound::{Bound, Open};
use di_runtime::function::{InPlace, Kept, Record};
use di_runtime::generated::{Activity, Cursor, Pool, Seed, Shadow, Tape};
use di_runtime::handle::{Adjoints, ArgsRef, Handle, Primals, Tangents};
use di_runtime::scalar::{Lanes, Scalar};
use di_runtime::value::{Family, Marks, Slice};

/// Forces of springs between neighbours.
pub fn springs(x: &[f64], k: f64, force: &mut [f64], y: &mut [f64]) {
    let n = x.len() - 1;
    for i in 0..n {
        let d = x[i + 1] - x[i];
        force[i] = k * d * d * d;
    }
    for i in 0..n {
        y[i] += force[i];
        y[i + 1] -= force[i];
    }
}

#[derive(Clone, Copy)]
pub struct springs {}

impl springs {
    pub const AD: springs = springs {};
    pub const __WORDS: usize = 1;
    pub const __INTS: usize = 0;
    pub const __NEEDS: [bool; 4] = [true, false, false, false];

    pub fn with<'c>(self, k: f64, force: &'c [f64]) -> Bound<'c, springs, (Open, ())> {
        Bound::new((k, (force, ())), (Open, ()))
    }

    pub fn __primal<S: Scalar<Real = f64>>(x: &[S], k: f64, force: &mut [S], y: &mut [S]) {
        let n = x.len() - 1;
        for i in 0..n {
            let d = x[i + 1] - x[i];
            force[i] = (d * d * d).mul_real(k);
        }
        for i in 0..n {
            y[i] = y[i] + force[i];
            y[i + 1] = y[i + 1] - force[i];
        }
    }

    pub fn __tangent<S: Scalar<Real = f64>, T: Lanes<S>, P0: Activity>(
        x: &[S],
        dx: Seed<'_, [T], P0>,
        k: f64,
        (): (),
        force: &mut [S],
        force_t: &mut [T],
        y: &mut [S],
        y_t: &mut [T],
    ) -> ((), ()) {
        let n = x.len() - 1;
        for i in 0..n {
            let d = x[i + 1] - x[i];
            let d_t = dx.at(i + 1).value().sub(dx.at(i).value());
            force[i] = (d * d * d).mul_real(k);
            force_t[i] = d_t.scale((d * d).mul_real(3.0 * k));
        }
        for i in 0..n {
            y[i] = y[i] + force[i];
            y_t[i].acc(force_t[i]);
            y[i + 1] = y[i + 1] - force[i];
            y_t[i + 1].dec(force_t[i]);
        }
        ((), ())
    }

    pub fn __augmented<S: Scalar<Real = f64>>(
        x: &[S],
        k: f64,
        force: &mut [S],
        y: &mut [S],
        rec: &mut [S],
        _irec: &mut [usize],
        tape: &mut Tape<S>,
    ) {
        rec[0] = S::from_real(k);
        let n = x.len() - 1;
        let block = tape.words.block(n);
        for i in 0..n {
            block[i] = x[i + 1] - x[i];
        }
        Self::__primal(x, k, force, y);
    }

    pub fn __reverse<S: Scalar<Real = f64>, A: Lanes<S>, P0: Activity>(
        x: &[S],
        mut x_b: Shadow<'_, [A], P0>,
        (): (),
        (): (),
        (): (),
        force_b: &mut [A],
        (): (),
        y_b: &mut [A],
        (): (),
        rec: &[S],
        _irec: &[usize],
        tape: &Tape<S>,
        cur: &mut Cursor,
        _pool: &mut Pool,
    ) {
        let n = x.len() - 1;
        let block = cur.words(tape, n);
        for i in (0..n).rev() {
            force_b[i].acc(y_b[i].sub(y_b[i + 1]));
        }
        for i in (0..n).rev() {
            let d_b = force_b[i].scale((rec[0] * block[i] * block[i]).mul_real(3.0));
            force_b[i] = A::zero();
            if let Some(x_b) = x_b.get() {
                x_b[i + 1].acc(d_b);
                x_b[i].dec(d_b);
            }
        }
    }
}

impl Handle for springs {
    type Real = f64;
    type Args = (Slice, ());
    type Caches = (Slice, ());
    type Y = Slice;
    type Kind = InPlace;
    type Ctx<'c> = (f64, (&'c [f64], ()));
    const WORDS: usize = Self::__WORDS;
    const RECORDS: bool = true;
    const INTS: usize = Self::__INTS;
    const BUFFERS: bool = false;
    const NAMES: &'static [&'static str] = &["x"];

    fn shorten<'s, 'l: 's>(ctx: Self::Ctx<'l>) -> Self::Ctx<'s> {
        ctx
    }
    fn caches<'c>((_, (force, ())): Self::Ctx<'c>) -> <Self::Caches as Family>::Ref<'c, f64> {
        (force, ())
    }
    fn primal<S: Scalar<Real = f64>>(at: Primals<'_, '_, '_, '_, Self, S>, _: &mut Pool) {
        let Primals {
            args: (x, ()),
            ctx: (k, _),
            caches: (force, ()),
            y,
        } = at;
        Self::__primal(x, k, force, y);
    }
    fn tangent<S: Scalar<Real = f64>, T: Lanes<S>, M: Marks>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        tangents: Tangents<'_, '_, '_, Self, T, M>,
        _: &mut Pool,
    ) {
        let Primals {
            args: (x, ()),
            ctx: (k, _),
            caches: (force, ()),
            y,
        } = at;
        let Tangents {
            args: (dx, ()),
            caches: (force_t, ()),
            y: dy,
        } = tangents;
        Self::__tangent(x, dx, k, (), force, force_t, y, dy);
    }
    fn augmented<S: Scalar<Real = f64>>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        record: Record<'_, S>,
        _: &mut Pool,
    ) {
        let Primals {
            args: (x, ()),
            ctx: (k, _),
            caches: (force, ()),
            y,
        } = at;
        let Record { words, ints, tape } = record;
        Self::__augmented(x, k, force, y, words, ints, tape);
    }
    fn reverse<S: Scalar<Real = f64>, A: Lanes<S>, M: Marks>(
        (x, ()): ArgsRef<'_, Self, S>,
        _: Self::Ctx<'_>,
        adjoints: Adjoints<'_, '_, '_, Self, A, M>,
        kept: Kept<'_, S>,
        pool: &mut Pool,
    ) {
        let Adjoints {
            args: (x_b, ()),
            caches: (force_b, ()),
            y: yb,
        } = adjoints;
        let Kept { words, ints, tape } = kept;
        let cursor = &mut tape.cursor();
        let (force, y) = (force_b, yb);
        Self::__reverse(
            x,
            x_b,
            (),
            (),
            (),
            force,
            (),
            y,
            (),
            words,
            ints,
            tape,
            cursor,
            pool,
        );
    }
    fn fused<S: Scalar<Real = f64>, A: Lanes<S>, M: Marks>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        adjoints: Adjoints<'_, '_, '_, Self, A, M>,
        tape: &mut Tape<S>,
        pool: &mut Pool,
    ) {
        let Primals {
            args: (x, ()),
            ctx: (k, _),
            caches: (force, ()),
            y,
        } = at;
        let Adjoints {
            args: (x_b, ()),
            caches: (force_b, ()),
            y: yb,
        } = adjoints;
        let mut rec = [S::default(); 1];
        Self::__augmented(x, k, force, y, &mut rec, &mut [], tape);
        let mut cursor = tape.cursor();
        let tape = &*tape;
        Self::__reverse(
            x,
            x_b,
            (),
            (),
            (),
            force_b,
            (),
            yb,
            (),
            &rec,
            &[],
            tape,
            &mut cursor,
            pool,
        );
    }
}
