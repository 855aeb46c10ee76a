//! `fn weighted(a: f64, b: &[f64]) -> f64`: two active parameters, of which either may be fixed.

use di_runtime::bound::{Bound, Function, Given, Open};
use di_runtime::function::Returning;
use di_runtime::generated::{Activity, Cursor, Pool, Seed, Shadow, Tape};
use di_runtime::handle::{
    ArgsRef, ArgsSeeds, ArgsShadows, Handle, Out, OutAdjoint, OutLanes, Scratch, ScratchLanes,
};
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
    fn primal<S: Scalar<Real = f64>>(
        (a, (b, ())): ArgsRef<'_, Self, S>,
        (): Self::Ctx<'_>,
        (): Scratch<'_, Self, S>,
        y: Out<'_, Self, S>,
        _: &mut Pool,
    ) {
        *y = Self::__primal(a, b);
    }
    fn tangent<S: Scalar<Real = f64>, T: Lanes<S>, M: Marks>(
        (a, (b, ())): ArgsRef<'_, Self, S>,
        (da, (db, ())): ArgsSeeds<'_, Self, T, M>,
        (): Self::Ctx<'_>,
        (): Scratch<'_, Self, S>,
        (): ScratchLanes<'_, Self, T>,
        y: Out<'_, Self, S>,
        dy: OutLanes<'_, Self, T>,
        _: &mut Pool,
    ) {
        *y = Self::__primal(a, b);
        *dy = Seed::value(da).scale((a * Self::sum(b)).mul_real(2.0));
        for (i, b) in b.iter().enumerate() {
            dy.acc(db.at(i).value().scale((a * a * *b).mul_real(2.0)));
        }
    }
    fn augmented<S: Scalar<Real = f64>>(
        (a, (b, ())): ArgsRef<'_, Self, S>,
        (): Self::Ctx<'_>,
        (): Scratch<'_, Self, S>,
        y: Out<'_, Self, S>,
        words: &mut [S],
        _: &mut [usize],
        _: &mut Tape<S>,
        _: &mut Pool,
    ) {
        words[0] = a;
        *y = Self::__primal(a, b);
    }
    fn reverse<S: Scalar<Real = f64>, A: Lanes<S>, M: Marks>(
        (_, (b, ())): ArgsRef<'_, Self, S>,
        (a_b, (b_b, ())): ArgsShadows<'_, Self, A, M>,
        (): Self::Ctx<'_>,
        (): ScratchLanes<'_, Self, A>,
        yb: OutAdjoint<'_, Self, A>,
        words: &[S],
        _: &[usize],
        _: &Tape<S>,
        _: &mut Cursor,
        _: &mut Pool,
    ) {
        Self::__reverse(a_b, b, b_b, yb, words);
    }
    fn fused<S: Scalar<Real = f64>, A: Lanes<S>, M: Marks>(
        (a, (b, ())): ArgsRef<'_, Self, S>,
        (a_b, (b_b, ())): ArgsShadows<'_, Self, A, M>,
        (): Self::Ctx<'_>,
        (): Scratch<'_, Self, S>,
        (): ScratchLanes<'_, Self, A>,
        y: Out<'_, Self, S>,
        yb: OutAdjoint<'_, Self, A>,
        _: &mut Tape<S>,
        _: &mut Pool,
    ) {
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
