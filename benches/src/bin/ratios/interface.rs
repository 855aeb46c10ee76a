//! What the interface costs: operators beside the same generated code called by hand, and a backend that computes
//! nothing beside the function and a vector of zeros.

use super::{Batches, Outcome, must_agree, print_ratios};
use di::__private::{Pool, Tape};
use di::extend::{Call, Env, Evaluate, Function, Returning, Signature, Source};
use di::prelude::*;
use di::{AutoZero, extend};
use di_benches::cases::{input, rosenbrock};
use di_benches::timing::timed;
use std::hint::black_box;

/// Value and gradient by the generated code itself.
#[inline(always)]
fn by_code<K>(
    call: Call<'_, K>,
    x: &[f64],
    g: &mut [f64],
    (tape, pool): &mut (Tape<f64>, Pool),
) -> f64
where
    K: Source
        + Signature<
            Real = f64,
            X = extend::Slice,
            Y = extend::Number,
            Kind = Returning,
            Fixed = (),
            Caches = (),
        >,
{
    let mut y = 0.0;
    tape.reset();
    let env = Env {
        ctx: call.ctx,
        fixed: (),
        caches: &mut (),
        pool,
    };
    K::fused::<f64, f64>(env, x, g, &mut (), &mut y, 1.0, tape);
    y
}

pub(super) fn rosenbrock(case: &str, n: usize, batches: Batches) -> Outcome {
    let f = rosenbrock::rosenbrock::AD;
    let x = &input(n)[..];
    let (source, zero) = (AutoSource::new(), AutoZero::reverse());
    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| vec![0.0; n]);
    let prep = prepare_gradient(f, &source, x)?;
    let prep_zero = prepare_gradient(f, &zero, x)?;
    let bound = f.bind();
    let mut room = (Tape::new(), Pool::new());
    let value = [rosenbrock::primal(x)];
    let found = by_code(bound.call(), x, &mut a, &mut room);
    must_agree(case, "value of generated code", &[found], &value)?;
    rosenbrock::gradient(x, &mut c);
    must_agree(case, "generated code", &a, &c)?;
    let found = value_and_gradient_into(f, &mut b, &prep, &source, x)?;
    must_agree(case, "value of the operator", &[found], &value)?;
    must_agree(case, "operator", &b, &c)?;
    let found = value_and_gradient_into(f, &mut d, &prep_zero, &zero, x)?;
    must_agree(case, "value of the zero backend", &[found], &value)?;
    must_agree(case, "zero backend", &d, &vec![0.0; n])?;
    let pieces = vec![
        timed("code", || {
            by_code(bound.call(), black_box(x), black_box(&mut a), &mut room)
        }),
        timed("operator", || {
            value_and_gradient_into(f, black_box(&mut b), &prep, &source, black_box(x))
        }),
        timed("primal and zeros", || {
            black_box(&mut c).fill(0.0);
            rosenbrock::primal(black_box(x))
        }),
        timed("zero backend", || {
            value_and_gradient_into(f, black_box(&mut d), &prep_zero, &zero, black_box(x))
        }),
    ];
    let ratios = [("operator", "code"), ("zero backend", "primal and zeros")];
    print_ratios(case, pieces, batches, &ratios);
    Ok(())
}
