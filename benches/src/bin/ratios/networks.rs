//! Networks: a perceptron, and LSTM cells over a sequence.

use super::{Batches, Outcome, must_agree, print_ratios};
use di::prelude::*;
use di_benches::cases::{lstm as net, mlp as perceptron, mlp_arrays as batch};
use di_benches::timing::timed;
use std::hint::black_box;

const RATIOS: [(&str, &str); 3] = [
    ("value_and_gradient", "primal"),
    ("hand", "primal"),
    ("value_and_gradient", "hand"),
];

pub(super) fn mlp(case: &str, batches: Batches) -> Outcome {
    let (p, u) = (perceptron::Weights::example(), perceptron::signal());
    let f = perceptron::mlp::AD.with(&u);
    let x = (&p.w1[..], &p.b1[..], &p.w2[..], p.b2);
    let backend = AutoSource::new();
    let prep = prepare_gradient(f, &backend, &x)?;
    let mut by_hand = p.clone();
    let mut hidden = [0.0; perceptron::HIDDEN];
    let value = perceptron::value_and_gradient(&p, &u, &mut by_hand, &mut hidden);
    let mut g = (
        vec![0.0; p.w1.len()],
        vec![0.0; p.b1.len()],
        vec![0.0; p.w2.len()],
        0.0,
    );
    let found = value_and_gradient_into(f, &mut g, &prep, &backend, &x)?;
    must_agree(case, "value", &[found], &[value])?;
    must_agree(case, "w1", &g.0, &by_hand.w1)?;
    must_agree(case, "b1", &g.1, &by_hand.b1)?;
    must_agree(case, "w2", &g.2, &by_hand.w2)?;
    must_agree(case, "b2", &[g.3], &[by_hand.b2])?;
    let pieces = vec![
        timed("primal", || {
            perceptron::primal(black_box(&p), black_box(&u))
        }),
        timed("hand", || {
            let g = black_box(&mut by_hand);
            perceptron::value_and_gradient(black_box(&p), black_box(&u), g, &mut hidden)
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g), &prep, &backend, black_box(&x))
        }),
    ];
    print_ratios(case, pieces, batches, &RATIOS);
    Ok(())
}

/// A parameter that nobody asks for: the perceptron with its first layer fixed, against the function that has
/// it as a constant, and against all parameters. The first should be 1.
pub(super) fn mlp_fixed(case: &str, batches: Batches) -> Outcome {
    let (p, u) = (perceptron::Weights::example(), perceptron::signal());
    let backend = AutoSource::new();
    let all = perceptron::mlp::AD.with(&u);
    let fixed = all.fix_w1(&p.w1);
    let constant = perceptron::outer::AD.with(&p.w1, &u);
    let x = (&p.b1[..], &p.w2[..], p.b2);
    let x_all = (&p.w1[..], &p.b1[..], &p.w2[..], p.b2);
    let zeros = || (vec![0.0; p.b1.len()], vec![0.0; p.w2.len()], 0.0);
    let (mut a, mut b) = (zeros(), zeros());
    let mut g = (vec![0.0; p.w1.len()], a.0.clone(), a.1.clone(), 0.0);
    let prep = prepare_gradient(fixed, &backend, &x)?;
    let prep_constant = prepare_gradient(constant, &backend, &x)?;
    let prep_all = prepare_gradient(all, &backend, &x_all)?;
    let value = value_and_gradient_into(fixed, &mut a, &prep, &backend, &x)?;
    let other = value_and_gradient_into(constant, &mut b, &prep_constant, &backend, &x)?;
    must_agree(case, "value", &[value], &[other])?;
    must_agree(case, "b1", &a.0, &b.0)?;
    must_agree(case, "w2", &a.1, &b.1)?;
    must_agree(case, "b2", &[a.2], &[b.2])?;
    let pieces = vec![
        timed("fixed", || {
            value_and_gradient_into(fixed, black_box(&mut a), &prep, &backend, black_box(&x))
        }),
        timed("constant", || {
            let g = black_box(&mut b);
            value_and_gradient_into(constant, g, &prep_constant, &backend, black_box(&x))
        }),
        timed("all", || {
            let g = black_box(&mut g);
            value_and_gradient_into(all, g, &prep_all, &backend, black_box(&x_all))
        }),
    ];
    print_ratios(
        case,
        pieces,
        batches,
        &[("fixed", "constant"), ("fixed", "all")],
    );
    Ok(())
}

pub(super) fn mlp_arrays(case: &str, batches: Batches) -> Outcome {
    let (p, inputs, outputs) = batch::example();
    let f = batch::mlp::AD.with(&inputs, &outputs);
    let x = (&p.0, &p.1, &p.2, &p.3);
    let backend = AutoSource::new();
    let prep = prepare_gradient(f, &backend, &x)?;
    let mut by_hand = p.clone();
    let mut work = batch::Workspace::default();
    let value = batch::value_and_gradient(&p, &inputs, &outputs, &mut work, &mut by_hand);
    let mut g = p.clone();
    let found = value_and_gradient_into(f, &mut g, &prep, &backend, &x)?;
    must_agree(case, "value", &[found], &[value])?;
    let parts = |g: &batch::Weights| -> Vec<f64> {
        let (a, b, c, d) = g;
        a.iter().chain(b).chain(c).chain(d).copied().collect()
    };
    must_agree(case, "weights", &parts(&g), &parts(&by_hand))?;
    let pieces = vec![
        timed("primal", || {
            batch::primal(black_box(&p), black_box(&inputs), black_box(&outputs))
        }),
        timed("hand", || {
            let g = black_box(&mut by_hand);
            batch::value_and_gradient(black_box(&p), &inputs, &outputs, &mut work, g)
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g), &prep, &backend, black_box(&x))
        }),
    ];
    print_ratios(case, pieces, batches, &RATIOS);
    Ok(())
}

pub(super) fn lstm(case: &str, batches: Batches) -> Outcome {
    lstm_on(case, &net::Instance::l2_c1024(), batches)
}

pub(super) fn lstm_on(case: &str, i: &net::Instance, batches: Batches) -> Outcome {
    let f = net::lstm::AD.with(&i.hidden, &i.cell, &i.sequence);
    let x = (&i.main[..], &i.extra[..]);
    let backend = AutoSource::new();
    let prep = prepare_gradient(f, &backend, &x)?;
    let mut by_hand = [vec![0.0; i.main.len()], vec![0.0; i.extra.len()]];
    let mut work = net::Workspace::default();
    let value = net::value_and_gradient(i, &mut work, &mut by_hand);
    let mut g = (by_hand[0].clone(), by_hand[1].clone());
    let found = value_and_gradient_into(f, &mut g, &prep, &backend, &x)?;
    must_agree(case, "value", &[found], &[value])?;
    must_agree(case, "main", &g.0, &by_hand[0])?;
    must_agree(case, "extra", &g.1, &by_hand[1])?;
    let pieces = vec![
        timed("primal", || net::primal(black_box(i))),
        timed("hand", || {
            net::value_and_gradient(black_box(i), &mut work, black_box(&mut by_hand))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g), &prep, &backend, black_box(&x))
        }),
    ];
    print_ratios(case, pieces, batches, &RATIOS);
    Ok(())
}
