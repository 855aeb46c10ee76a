//! Instances of generic code that most programs need: compiled here once, and not in each program.
//!
//! rustc takes an instance from a crate that has it, if no type in it is the program's own: in a build without
//! optimisation that of any function, in another one that of functions which are never inlined. Nothing here is ever
//! run, and what a program needs that is not here is compiled with it.

#[cfg(debug_assertions)]
mod operators;

use crate::generated::{
    Fresh, Live, Pool, Seed, Shadow, Tape, Trips, TripsMut, lent_slot, lent_value, no_slot,
    scale_by, steady, unread,
};
use crate::scalar::{Dual, Lanes, Scalar};

#[cfg(debug_assertions)]
pub use operators::{one, three, two};

/// What generated code does with numbers `S`, and with lanes `A` beside them.
fn code<S: Scalar, A: Lanes<S>>(
    x: &[S],
    seeds: Seed<'_, [A], Live>,
    shadows: Shadow<'_, [A], Fresh>,
    tape: &mut Tape<S>,
    pool: &mut Pool,
) -> (S, A) {
    let n = x.len();
    let (mut values, copy) = (pool.take(n, S::default()), pool.take_copy(x));
    values[..].copy_from_slice(&copy[..]);
    pool.give(copy);
    let mut lanes = pool.take_dirty(n, A::zero());
    lanes[..].copy_from_slice(seeds.beside(n));
    let shadows = shadows.beside(n);
    shadows.fill(A::zero());
    let (mark, words) = (tape.ints.mark(), tape.words.mark());
    tape.words.push_slice(&values);
    tape.ints.push(n);
    TripsMut::<S, 0>::new(tape.words.block(0), 0).put(0, &[]);
    TripsMut::<S, 1>::new(tape.words.block(n), n).put(0, &[x[0]]);
    TripsMut::<usize, 2>::new(tape.ints.block(2 * n), n).put(0, &[0; 2]);
    let mut cursor = tape.cursor();
    let block = cursor.words(tape, n);
    let [] = Trips::<S, 0>::new(&block[..0], 0).of(0);
    let [mut s] = Trips::<S, 1>::new(block, n).of(0);
    let [at, to] = Trips::<usize, 2>::new(cursor.ints(tape, 2 * n), n).of(0);
    let mut a = seeds.at(0).value();
    for k in at..to {
        let real = values[k].primal();
        s = S::from_real(real) + s * values[k] - x[k] / s;
        s = (-s)
            .mul_real(real)
            .add_real(real)
            .sub_real(real)
            .div_real(real);
        s = S::real_sub(real, S::real_div(real, s))
            .exp()
            .ln()
            .sqrt()
            .sin()
            .cos();
        s = s.powi(2).powf(s).abs().tanh();
        if s.lt(x[k]) || s.gt(x[k]) || s.le(x[k]) || s.ge(x[k]) {
            a = a
                .add(lanes[k])
                .sub(a.scale(s))
                .neg()
                .scale_steady(s)
                .scale_real(real);
        }
        a.acc(lanes[k]);
        lanes[k].dec(a);
        shadows[k].acc(a);
        a = a.scale_strong(s);
    }
    let are_steady = steady::<S, A>(&[], shadows);
    a = scale_by(are_steady, a, s);
    let slot: Shadow<'_, [A], Live> = lent_slot(shadows);
    let rest: &mut [A] = lent_slot(slot.beside(n));
    lanes[..].copy_from_slice(rest);
    if are_steady {
        tape.words.truncate(words);
        tape.ints.truncate(mark);
        tape.expect_empty();
    }
    pool.give(values);
    pool.give(lanes);
    let (mut ones, twos) = (pool.take(n, 1_usize), pool.take_dirty(n, 0_usize));
    ones[..].copy_from_slice(&twos[..]);
    pool.give(ones);
    pool.give(twos);
    lent_value::<[S], ()>(x);
    no_slot::<()>();
    unread::<()>();
    (s, a)
}

macro_rules! codes {
    ($($(#[$cfg:meta])? $name:ident: $scalar:ty, $lanes:ty;)*) => {$(
        /// The code with these numbers and lanes.
        $(#[$cfg])?
        pub fn $name(tape: &mut Tape<$scalar>, pool: &mut Pool) {
            code::<$scalar, $lanes>(&[], Seed::new(&[]), Shadow::new(&mut []), tape, pool);
        }
    )*};
}
codes! {
    floats: f64, f64;
    lanes: f64, [f64; 8];
    #[cfg(not(debug_assertions))]
    four_lanes: f64, [f64; 4];
    dual: Dual<f64, 1>, Dual<f64, 1>;
    #[cfg(not(debug_assertions))]
    four_duals: Dual<f64, 4>, Dual<f64, 4>;
    duals: Dual<f64, 8>, Dual<f64, 8>;
}
