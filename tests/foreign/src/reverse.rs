//! A backend of somebody's tape.

use crate::their::{Entry, TAPE, Taped, push};
use di::extend::{AutoForeignReverse, ReverseNumber, foreign_scalar};

foreign_scalar! {
    /// Their numbers on a tape.
    pub struct OnTape(Taped) over f64, named "AutoTaped";
    fn lift(c) { Taped { value: c, place: None } }
    fn value(x) { x.value }
    fn is_passive(x) { x.place.is_none() }
    fn chain(value, terms) {
        let from = terms.iter().filter_map(|(x, partial)| Some((x.0.place?, *partial)));
        push(value, from.collect())
    }
}

impl ReverseNumber for OnTape {
    type Tape = Vec<Entry>;

    fn record<O>(tape: &mut Vec<Entry>, run: impl FnOnce() -> O) -> O {
        // a recording may stand inside another one
        let outer = TAPE.with(|now| now.replace(Vec::new()));
        let out = run();
        *tape = TAPE.with(|now| now.replace(outer));
        out
    }
    fn input(value: f64) -> Self {
        OnTape(push(value, Entry::new()))
    }
    fn sweep(tape: &Vec<Entry>, results: &[(Self, f64)], inputs: &[Self], adjoints: &mut [f64]) {
        let mut all = vec![0.0; tape.len()];
        // what no result depends on has no adjoint, which is not one of zero
        let mut reached = vec![false; tape.len()];
        for (y, seed) in results {
            if let Some(place) = y.0.place {
                all[place] += seed;
                reached[place] = true;
            }
        }
        for (place, from) in tape.iter().enumerate().rev() {
            if !reached[place] {
                continue;
            }
            let adjoint = all[place];
            for (to, partial) in from {
                all[*to] += adjoint * partial;
                reached[*to] = true;
            }
        }
        for (to, x) in adjoints.iter_mut().zip(inputs) {
            *to = x.0.place.map_or(0.0, |place| all[place]);
        }
    }
}

/// The backend.
pub type AutoTaped = AutoForeignReverse<OnTape>;
