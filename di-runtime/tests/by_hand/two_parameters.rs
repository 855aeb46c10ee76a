//! `fn weighted(a: f64, b: &[f64]) -> f64`: two active parameters, of which either may be fixed.

use di_runtime::bound::{Bound, Function, Given, Open};
use di_runtime::function::{Kept, Record, Returning};
use di_runtime::generated::{Activity, Cursor, Pool, Seed, Shadow, Tape};
use di_runtime::handle::{Adjoints, ArgsRef, Handle, Primals, Tangents};
use di_runtime::scalar::{Lanes, Scalar};
use di_runtime::value::{Family, Marks, Number, Slice};

/// `a^2 sum(b_i^2)`
pub fn weighted(a: f64, b: &[f64]) -> f64 {
    a * a * b.iter().map(|b| b * b).sum::<f64>()
}

#[derive(Clone, Copy)]
pub struct weighted {}

impl weighted {
    pub const AD: weighted = weighted {};

    pub fn fix_a<'c>(self, a: &'c f64) -> Bound<'c, weighted, (Given<f64>, (Open, ()))> {
        Bound::new((), (Given(*a), (Open, ())))
    }

    pub fn fix_b<'c>(self, b: &'c [f64]) -> Bound<'c, weighted, (Open, (Given<&'c [f64]>, ()))> {
        Bound::new((), (Open, (Given(b), ())))
    }

    fn sum<S: Scalar<Real = f64>>(b: &[S]) -> S {
        b.iter().fold(S::default(), |s, b| s + *b * *b)
    }

    pub fn __primal<S: Scalar<Real = f64>>(a: S, b: &[S]) -> S {
        a * a * Self::sum(b)
    }

    pub fn __reverse<S: Scalar<Real = f64>, A: Lanes<S>, P0: Activity, P1: Activity>(
        mut a_b: Shadow<'_, A, P0>,
        b: &[S],
        mut b_b: Shadow<'_, [A], P1>,
        ret_b: A,
        rec: &[S],
    ) {
        let a = rec[0];
        if P0::LIVE {
            a_b.acc(ret_b.scale((a * Self::sum(b)).mul_real(2.0)));
        }
        if let Some(b_b) = b_b.get() {
            for (b, b_b) in b.iter().zip(b_b) {
                b_b.acc(ret_b.scale((a * a * *b).mul_real(2.0)));
            }
        }
    }
}

impl Handle for weighted {
    type Real = f64;
    type Args = (Number, (Slice, ()));
    type Caches = ();
    type Y = Number;
    type Kind = Returning;
    type Ctx<'c> = ();
    const WORDS: usize = 1;
    const RECORDS: bool = true;
    const INTS: usize = 0;
    const BUFFERS: bool = false;
    const NAMES: &'static [&'static str] = &["a", "b"];

    fn shorten<'s, 'l: 's>(ctx: Self::Ctx<'l>) -> Self::Ctx<'s> {
        ctx
    }
    fn caches<'c>((): Self::Ctx<'c>) -> <() as Family>::Ref<'c, f64> {}
    fn primal<S: Scalar<Real = f64>>(at: Primals<'_, '_, '_, '_, Self, S>, _: &mut Pool) {
        let Primals {
            args: (a, (b, ())),
            ctx: (),
            caches: (),
            y,
        } = at;
        *y = Self::__primal(a, b);
    }
    fn tangent<S: Scalar<Real = f64>, T: Lanes<S>, M: Marks>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        tangents: Tangents<'_, '_, '_, Self, T, M>,
        _: &mut Pool,
    ) {
        let Primals {
            args: (a, (b, ())),
            ctx: (),
            caches: (),
            y,
        } = at;
        let Tangents {
            args: (da, (db, ())),
            caches: (),
            y: dy,
        } = tangents;
        *y = Self::__primal(a, b);
        *dy = Seed::value(da).scale((a * Self::sum(b)).mul_real(2.0));
        for (i, b) in b.iter().enumerate() {
            dy.acc(db.at(i).value().scale((a * a * *b).mul_real(2.0)));
        }
    }
    fn augmented<S: Scalar<Real = f64>>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        record: Record<'_, S>,
        _: &mut Pool,
    ) {
        let Primals {
            args: (a, (b, ())),
            ctx: (),
            caches: (),
            y,
        } = at;
        let Record {
            words,
            ints: _,
            tape: _,
        } = record;
        words[0] = a;
        *y = Self::__primal(a, b);
    }
    fn reverse<S: Scalar<Real = f64>, A: Lanes<S>, M: Marks>(
        (_, (b, ())): ArgsRef<'_, Self, S>,
        (): Self::Ctx<'_>,
        adjoints: Adjoints<'_, '_, '_, Self, A, M>,
        kept: Kept<'_, S>,
        _: &mut Pool,
    ) {
        let Adjoints {
            args: (a_b, (b_b, ())),
            caches: (),
            y: yb,
        } = adjoints;
        let Kept {
            words,
            ints: _,
            tape: _,
        } = kept;
        Self::__reverse(a_b, b, b_b, yb, words);
    }
    fn fused<S: Scalar<Real = f64>, A: Lanes<S>, M: Marks>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        adjoints: Adjoints<'_, '_, '_, Self, A, M>,
        _: &mut Tape<S>,
        _: &mut Pool,
    ) {
        let Primals {
            args: (a, (b, ())),
            ctx: (),
            caches: (),
            y,
        } = at;
        let Adjoints {
            args: (a_b, (b_b, ())),
            caches: (),
            y: yb,
        } = adjoints;
        *y = Self::__primal(a, b);
        Self::__reverse(a_b, b, b_b, yb, &[a]);
    }
}

impl Function for weighted {
    type Bound = Bound<'static, weighted, (Open, (Open, ()))>;
    fn bind(self) -> Self::Bound {
        Bound::new((), (Open, (Open, ())))
    }
}
