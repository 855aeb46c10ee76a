//! `fn rosenbrock(x: &[f64]) -> f64`: one active slice, a loop whose trips are independent.

use di_runtime::bound::{Bound, Function, Open};
use di_runtime::function::{Kept, Record, Returning};
use di_runtime::generated::{Activity, Cursor, Pool, Seed, Shadow, Tape};
use di_runtime::handle::{Adjoints, ArgsRef, Handle, Primals, Tangents};
use di_runtime::scalar::{Lanes, Scalar};
use di_runtime::value::{Family, Marks, Number, Slice};

pub fn rosenbrock(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = 1.0 - x[i];
        s += 100.0 * a * a + b * b;
    }
    s
}

#[derive(Clone, Copy)]
pub struct rosenbrock {}

impl rosenbrock {
    pub const AD: rosenbrock = rosenbrock {};
    pub const __WORDS: usize = 0;
    pub const __INTS: usize = 0;
    pub const __NEEDS: [bool; 1] = [true];

    pub fn __primal<S: Scalar<Real = f64>>(x: &[S]) -> S {
        let mut s = S::from_real(0.0);
        for i in 0..x.len() - 1 {
            let a = x[i + 1] - x[i] * x[i];
            let b = S::real_sub(1.0, x[i]);
            s = s + (a.mul_real(100.0) * a + b * b);
        }
        s
    }

    pub fn __tangent<S: Scalar<Real = f64>, T: Lanes<S>, P0: Activity>(
        x: &[S],
        dx: Seed<'_, [T], P0>,
    ) -> (S, T) {
        let (mut s, mut s_t) = (S::from_real(0.0), T::zero());
        for i in 0..x.len() - 1 {
            let at = |i: usize| dx.at(i).value();
            let a = x[i + 1] - x[i] * x[i];
            let a_t = at(i + 1).sub(at(i).scale((x[i]).mul_real(2.0)));
            let b = S::real_sub(1.0, x[i]);
            let b_t = at(i).neg();
            s = s + (a.mul_real(100.0) * a + b * b);
            s_t.acc(a_t.scale(a.mul_real(200.0)));
            s_t.acc(b_t.scale(b.mul_real(2.0)));
        }
        (s, s_t)
    }

    pub fn __augmented<S: Scalar<Real = f64>>(
        x: &[S],
        _rec: &mut [S],
        _irec: &mut [usize],
        tape: &mut Tape<S>,
    ) -> S {
        let n = x.len() - 1;
        let block = tape.words.block(n);
        let mut s = S::from_real(0.0);
        for i in 0..n {
            let a = x[i + 1] - x[i] * x[i];
            block[i] = a;
            let b = S::real_sub(1.0, x[i]);
            s = s + (a.mul_real(100.0) * a + b * b);
        }
        s
    }

    pub fn __reverse<S: Scalar<Real = f64>, A: Lanes<S>, P0: Activity>(
        x: &[S],
        mut x_b: Shadow<'_, [A], P0>,
        ret_b: A,
        _rec: &[S],
        _irec: &[usize],
        tape: &Tape<S>,
        cur: &mut Cursor,
        _pool: &mut Pool,
    ) {
        let n = x.len() - 1;
        let block = cur.words(tape, n);
        for i in (0..n).rev() {
            let b = S::real_sub(1.0, x[i]);
            let b_b = ret_b.scale(b.mul_real(2.0));
            let a_b = ret_b.scale(block[i].mul_real(200.0));
            if let Some(x_b) = x_b.get() {
                x_b[i].dec(b_b);
                x_b[i + 1].acc(a_b);
                x_b[i].dec(a_b.scale(x[i].mul_real(2.0)));
            }
        }
    }

    pub fn __fused<S: Scalar<Real = f64>, A: Lanes<S>, P0: Activity>(
        x: &[S],
        x_b: Shadow<'_, [A], P0>,
        ret_b: A,
        tape: &mut Tape<S>,
        pool: &mut Pool,
    ) -> S {
        let y = Self::__augmented(x, &mut [], &mut [], tape);
        let mut cur = tape.cursor();
        Self::__reverse(x, x_b, ret_b, &[], &[], tape, &mut cur, pool);
        y
    }
}

impl Handle for rosenbrock {
    type Real = f64;
    type Args = (Slice, ());
    type Caches = ();
    type Y = Number;
    type Kind = Returning;
    type Ctx<'c> = ();
    const WORDS: usize = Self::__WORDS;
    const RECORDS: bool = true;
    const INTS: usize = Self::__INTS;
    const BUFFERS: bool = false;
    const NAMES: &'static [&'static str] = &["x"];

    fn shorten<'s, 'l: 's>(ctx: Self::Ctx<'l>) -> Self::Ctx<'s> {
        ctx
    }
    fn caches<'c>((): ()) -> <() as Family>::Ref<'c, f64> {}
    fn primal<S: Scalar<Real = f64>>(at: Primals<'_, '_, '_, '_, Self, S>, _: &mut Pool) {
        let Primals {
            args: (x, ()),
            ctx: (),
            caches: (),
            y,
        } = at;
        *y = Self::__primal(x);
    }
    fn tangent<S: Scalar<Real = f64>, T: Lanes<S>, M: Marks>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        tangents: Tangents<'_, '_, '_, Self, T, M>,
        _: &mut Pool,
    ) {
        let Primals {
            args: (x, ()),
            ctx: (),
            caches: (),
            y,
        } = at;
        let Tangents {
            args: (dx, ()),
            caches: (),
            y: dy,
        } = tangents;
        (*y, *dy) = Self::__tangent(x, dx);
    }
    fn augmented<S: Scalar<Real = f64>>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        record: Record<'_, S>,
        _: &mut Pool,
    ) {
        let Primals {
            args: (x, ()),
            ctx: (),
            caches: (),
            y,
        } = at;
        let Record { words, ints, tape } = record;
        *y = Self::__augmented(x, words, ints, tape);
    }
    fn reverse<S: Scalar<Real = f64>, A: Lanes<S>, M: Marks>(
        (x, ()): ArgsRef<'_, Self, S>,
        (): Self::Ctx<'_>,
        adjoints: Adjoints<'_, '_, '_, Self, A, M>,
        kept: Kept<'_, S>,
        pool: &mut Pool,
    ) {
        let Adjoints {
            args: (x_b, ()),
            caches: (),
            y: yb,
        } = adjoints;
        let Kept { words, ints, tape } = kept;
        let cursor = &mut tape.cursor();
        Self::__reverse(x, x_b, yb, words, ints, tape, cursor, pool);
    }
    fn fused<S: Scalar<Real = f64>, A: Lanes<S>, M: Marks>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        adjoints: Adjoints<'_, '_, '_, Self, A, M>,
        tape: &mut Tape<S>,
        pool: &mut Pool,
    ) {
        let Primals {
            args: (x, ()),
            ctx: (),
            caches: (),
            y,
        } = at;
        let Adjoints {
            args: (x_b, ()),
            caches: (),
            y: yb,
        } = adjoints;
        *y = Self::__fused(x, x_b, yb, tape, pool);
    }
}

impl Function for rosenbrock {
    type Bound = Bound<'static, rosenbrock, (Open, ())>;
    fn bind(self) -> Self::Bound {
        Bound::new((), (Open, ()))
    }
}
