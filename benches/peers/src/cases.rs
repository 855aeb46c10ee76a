//! The cases: each with its derivative by hand, our engines, and those of other crates.

use crate::bodies::{Gmm, LotkaVolterra, Mlp, Rosenbrock};
use crate::engines::{Peer, duals, tapes};
use crate::{Column, PRIMAL};
use di::prelude::*;
use di_benches::cases::{self, gmm as mixture, lotka_volterra as lv, mlp as perceptron};
use di_benches::timing::{Timed, timed};
use std::error::Error;
use std::hint::black_box;

/// What goes wrong is printed.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

const HAND: &str = "an adjoint by hand";

/// The pieces of our own: function, adjoint by hand, and each backend, whose gradients are compared first. A macro, since
/// gradients of each case are of another type: `$flat` makes one slice of them.
macro_rules! ours {
    ($pieces:ident, $expected:expr, $f:expr, $x:expr, $zeros:expr, $flat:expr, [$($name:literal: $backend:expr),*]) => {
        $(
            let backend = $backend;
            let prep = prepare_gradient($f, &backend, $x)?;
            let mut g = $zeros;
            let value = value_and_gradient_into($f, &mut g, &prep, &backend, $x)?;
            must_agree($name, value, &$flat(&g), &$expected)?;
            $pieces.push(timed($name, move || {
                value_and_gradient_into($f, black_box(&mut g), &prep, &backend, black_box($x))
                    .expect("the prep fits the call")
            }));
        )*
    };
}

/// The chained Rosenbrock function.
pub fn rosenbrock(case: &'static str, batches: usize) -> Outcome<Column> {
    use cases::rosenbrock as module;
    let x = &cases::input(1000)[..];
    let mut by_hand = vec![0.0; x.len()];
    let value = module::value_and_gradient(x, &mut by_hand);
    let expected = (value, by_hand.clone());
    let mut pieces = vec![
        timed(PRIMAL, || module::primal(black_box(x))),
        timed(HAND, || {
            module::value_and_gradient(black_box(x), black_box(&mut by_hand))
        }),
    ];
    let flat = |g: &Vec<f64>| g.clone();
    ours!(pieces, expected, module::rosenbrock::AD, x, vec![0.0; x.len()], flat, [
        "`AutoSource`": AutoSource::new(), "`AutoTape`": di::AutoTape::new(), "`AutoDual`": AutoDual::new()
    ]);
    let mut others = tapes(&Rosenbrock, x);
    others.extend(duals::<_, 8, 9>(&Rosenbrock));
    theirs(&mut pieces, others, x, &expected)?;
    Ok(Column::measure(case, pieces, batches))
}

/// A perceptron.
pub fn mlp(case: &'static str, batches: usize) -> Outcome<Column> {
    use perceptron::Weights;
    let (p, u) = (Weights::example(), perceptron::signal());
    let (f, x) = (
        perceptron::mlp::AD.with(&u),
        (&p.w1[..], &p.b1[..], &p.w2[..], p.b2),
    );
    let mut by_hand = p.clone();
    let mut hidden = [0.0; perceptron::HIDDEN];
    let value = perceptron::value_and_gradient(&p, &u, &mut by_hand, &mut hidden);
    let one = |w: &Weights| [&w.w1[..], &w.b1, &w.w2, &[w.b2]].concat();
    let (body, all) = (Mlp(u.clone()), one(&p));
    let expected = (value, one(&by_hand));
    let mut pieces = vec![
        timed(PRIMAL, || perceptron::primal(black_box(&p), black_box(&u))),
        timed(HAND, || {
            let g = black_box(&mut by_hand);
            perceptron::value_and_gradient(black_box(&p), black_box(&u), g, &mut hidden)
        }),
    ];
    type Weighted = (Vec<f64>, Vec<f64>, Vec<f64>, f64);
    let flat = |g: &Weighted| [&g.0[..], &g.1, &g.2, &[g.3]].concat();
    let zeros = || {
        (
            vec![0.0; x.0.len()],
            vec![0.0; x.1.len()],
            vec![0.0; x.2.len()],
            0.0,
        )
    };
    ours!(pieces, expected, f, &x, zeros(), flat, [
        "`AutoSource`": AutoSource::new(), "`AutoTape`": di::AutoTape::new(), "`AutoDual`": AutoDual::new()
    ]);
    let mut others = tapes(&body, &all);
    others.extend(duals::<_, 8, 9>(&body));
    theirs(&mut pieces, others, &all, &expected)?;
    Ok(Column::measure(case, pieces, batches))
}

/// A Gaussian mixture of ADBench. In forward mode its 1650 inputs take a second for one gradient.
pub fn gmm(case: &'static str, batches: usize) -> Outcome<Column> {
    let i = mixture::Instance::d10();
    let f = mixture::gmm::AD.with(&i.x, i.d, i.gamma, i.m, i.offset);
    let x = (&i.alphas[..], &i.means[..], &i.factors[..]);
    let (body, all) = (Gmm(mixture::Instance::d10()), [x.0, x.1, x.2].concat());
    let (mut by_hand, mut work) = (i.zeros(), mixture::Workspace::new(&i));
    let value = mixture::value_and_gradient(&i, &mut work, &mut by_hand);
    let expected = (value, by_hand.concat());
    let mut pieces = vec![
        timed(PRIMAL, || mixture::primal(black_box(&i))),
        timed(HAND, || {
            mixture::value_and_gradient(black_box(&i), &mut work, black_box(&mut by_hand))
        }),
    ];
    type Parts = (Vec<f64>, Vec<f64>, Vec<f64>);
    let flat = |g: &Parts| [&g.0[..], &g.1, &g.2].concat();
    let zeros = || Parts::from(i.zeros());
    ours!(pieces, expected, f, &x, zeros(), flat, [
        "`AutoSource`": AutoSource::new(), "`AutoTape`": di::AutoTape::new()
    ]);
    theirs(&mut pieces, tapes(&body, &all), &all, &expected)?;
    Ok(Column::measure(case, pieces, batches))
}

/// Predators and prey: four parameters, a thousand steps.
pub fn lotka_volterra(case: &'static str, batches: usize) -> Outcome<Column> {
    let (f, x) = (lv::lotka_volterra::AD.with(lv::STEPS), &lv::PARAMETERS);
    let mut by_hand = [0.0; 4];
    let value = lv::gradient(x, lv::STEPS, &mut by_hand);
    let expected = (value, by_hand.to_vec());
    let mut pieces = vec![
        timed(PRIMAL, || lv::primal(black_box(x), black_box(lv::STEPS))),
        timed(HAND, || {
            lv::gradient(black_box(x), black_box(lv::STEPS), black_box(&mut by_hand))
        }),
    ];
    let flat = |g: &[f64; 4]| g.to_vec();
    ours!(pieces, expected, f, x, [0.0; 4], flat, [
        "`AutoSource`": AutoSource::new(), "`AutoTape`": di::AutoTape::new(), "`AutoDual`": AutoDual::new()
    ]);
    let mut others = tapes(&LotkaVolterra, x);
    others.extend(duals::<_, 4, 5>(&LotkaVolterra));
    theirs(&mut pieces, others, x, &expected)?;
    Ok(Column::measure(case, pieces, batches))
}

/// Compares the gradients of other crates, and puts them under the clock.
fn theirs<'a>(
    pieces: &mut Vec<Timed<'a>>,
    peers: Vec<Peer<'a>>,
    x: &[f64],
    expected: &(f64, Vec<f64>),
) -> Outcome<()> {
    for Peer { name, mut call } in peers {
        let (x, mut g) = (x.to_vec(), vec![0.0; x.len()]);
        let value = call(&x, &mut g);
        must_agree(name, value, &g, expected)?;
        pieces.push(timed(name, move || call(black_box(&x), black_box(&mut g))));
    }
    Ok(())
}

/// Compares value and gradient with those by hand.
fn must_agree(name: &str, value: f64, g: &[f64], expected: &(f64, Vec<f64>)) -> Outcome<()> {
    let found = [&[value], g].concat();
    let by_hand = [&[expected.0], &expected.1[..]].concat();
    let scale = by_hand.iter().fold(1.0, |m: f64, b| m.max(b.abs()));
    // NaN is wrong too
    let right = found.len() == by_hand.len()
        && found
            .iter()
            .zip(&by_hand)
            .all(|(a, b)| (a - b).abs() <= 1e-10 * scale);
    if right {
        return Ok(());
    }
    Err(format!("{name}: value and gradient are not those by hand").into())
}
