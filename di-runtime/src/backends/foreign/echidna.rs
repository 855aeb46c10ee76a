//! The adapter for echidna.

use echidna::tape::{Tape, TapeGuard, with_active_tape};
use echidna::{Reverse, Scalar as _};

use super::{AutoForeignReverse, ReverseNumber};
use crate::foreign_scalar;

foreign_scalar! {
    /// `echidna::Reverse<f64>`: a value and its place on the tape of this thread.
    pub struct Echidna(Reverse<f64>) over f64, named "AutoEchidna";
    fn lift(c) { Reverse::constant(c) }
    fn value(x) { x.value() }
    fn is_passive(x) { x.index() == echidna::tape::CONSTANT }
    fn chain(value, terms) {
        let index = with_active_tape::<f64, u32>(|tape| {
            let active = |(x, _): &&(Self, f64)| x.0.index() != echidna::tape::CONSTANT;
            let mut terms = terms.iter().filter(active);
            let mut index = match (terms.next(), terms.next()) {
                (Some((a, by_a)), Some((b, by_b))) => {
                    tape.push_binary(a.0.index(), *by_a, b.0.index(), *by_b)
                }
                (Some((a, by_a)), None) => tape.push_unary(a.0.index(), *by_a),
                (None, _) => return echidna::tape::CONSTANT,
            };
            for (x, by) in terms {
                index = tape.push_binary(index, 1.0, x.0.index(), *by);
            }
            index
        });
        Reverse::from_tape(value, index)
    }
    arithmetic own
}

/// A tape that can be made empty.
#[derive(Default)]
pub struct EchidnaTape(Tape<f64>);

impl ReverseNumber for Echidna {
    type Tape = EchidnaTape;

    fn record<O>(tape: &mut EchidnaTape, run: impl FnOnce() -> O) -> O {
        tape.0.clear();
        let _guard = TapeGuard::new(&mut tape.0);
        run()
    }
    fn input(value: f64) -> Self {
        let (index, value) = with_active_tape::<f64, _>(|tape| tape.new_variable(value));
        Echidna(Reverse::from_tape(value, index))
    }
    fn sweep(
        tape: &EchidnaTape,
        results: &[(Echidna, f64)],
        inputs: &[Echidna],
        adjoints: &mut [f64],
    ) {
        let seeds: Vec<(u32, f64)> = results
            .iter()
            .map(|(y, seed)| (y.0.index(), *seed))
            .collect();
        let all = tape.0.reverse_seeded(&seeds);
        for (to, x) in adjoints.iter_mut().zip(inputs) {
            *to = all[x.0.index() as usize];
        }
    }
}

/// The eager tape of [echidna](https://docs.rs/echidna) 0.15, recorded again in each call, in double precision.
/// Behind the feature `echidna`.
///
/// Sums and products are theirs; values and derivatives of elementary functions are those of our table. A sweep
/// allocates its adjoints. Its recorded tape (`BReverse`) is not used: it replays the recorded branches where
/// the function would take others; [`AutoTape`](crate::backends::AutoTape) and
/// [`AutoSymbolic`](crate::backends::AutoSymbolic) notice.
pub type AutoEchidna = AutoForeignReverse<Echidna>;
