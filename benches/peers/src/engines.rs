//! Value and gradient by other crates, called as their documentation does it, with buffers kept wherever they can be.

use crate::bodies::{Body, Number};
use nalgebra::Const;
use num_dual::{Derivative, DualSVec64};

/// Writes the gradient, and returns the value.
pub type Call<'a> = Box<dyn FnMut(&[f64], &mut [f64]) -> f64 + 'a>;

/// One way to call one crate.
pub struct Peer<'a> {
    /// The crate, and how it is used.
    pub name: &'static str,
    /// The call.
    pub call: Call<'a>,
}

/// Crates in reverse mode, for any number of inputs.
pub fn tapes<'a, B: Body>(body: &'a B, x: &[f64]) -> Vec<Peer<'a>> {
    vec![
        peer("echidna 0.15, recorded once", recorded(body, x)),
        peer("echidna 0.15, `grad`", eager(body)),
        peer("aad 0.9", fresh_tape(body)),
        peer("reverse 0.2", kept_tape(body)),
    ]
}

/// Crates in forward mode, `N` inputs at once; `M` is `N + 1`.
pub fn duals<B: Body, const N: usize, const M: usize>(body: &B) -> Vec<Peer<'_>> {
    vec![
        peer("num-dual 0.15, up to 8 directions", several::<B, N>(body)),
        peer("hyperdual 1.5, up to 8 directions", hyper::<B, M>(body)),
    ]
}

fn peer<'a>(name: &'static str, call: impl FnMut(&[f64], &mut [f64]) -> f64 + 'a) -> Peer<'a> {
    let call = Box::new(call);
    Peer { name, call }
}

fn recorded<B: Body>(body: &B, x: &[f64]) -> impl FnMut(&[f64], &mut [f64]) -> f64 + use<B> {
    let (mut tape, _) = echidna::record(|x| body.call(x), x);
    tape.optimize();
    let mut adjoints = Vec::new();
    move |x, g| {
        g.copy_from_slice(&tape.gradient_with_buf(x, &mut adjoints));
        tape.output_value()
    }
}

fn eager<B: Body>(body: &B) -> impl FnMut(&[f64], &mut [f64]) -> f64 {
    |x, g| {
        let mut value = 0.0;
        let call = |x: &[echidna::Reverse<f64>]| {
            let y = body.call(x);
            value = y.float();
            y
        };
        g.copy_from_slice(&echidna::grad(call, x));
        value
    }
}

/// Tapes of this crate are not cleared.
fn fresh_tape<B: Body>(body: &B) -> impl FnMut(&[f64], &mut [f64]) -> f64 {
    |x, g| {
        let tape = aad::Tape::new();
        let x: Vec<_> = tape.create_variables_iter(x).collect();
        let y = body.call(&x);
        let gradients = y.compute_gradients().expect("the value depends on `x`");
        for (to, from) in g.iter_mut().zip(gradients.get_gradients_iter(&x)) {
            *to = from.expect("a variable of this tape");
        }
        y.value()
    }
}

fn kept_tape<B: Body>(body: &B) -> impl FnMut(&[f64], &mut [f64]) -> f64 {
    use reverse::Gradient;
    let tape = reverse::Tape::new();
    move |x, g| {
        tape.clear();
        let x = tape.add_vars(x);
        let y = body.call(&x);
        g.copy_from_slice(&y.grad().wrt(&x));
        y.val()
    }
}

/// Numbers without tangents: zeros in their place take up to three times as long.
fn several<B: Body, const N: usize>(body: &B) -> impl FnMut(&[f64], &mut [f64]) -> f64 {
    let mut numbers: Vec<DualSVec64<N>> = Vec::new();
    move |x, g| {
        numbers.clear();
        numbers.extend(x.iter().map(|x| DualSVec64::from_re(*x)));
        let mut value = 0.0;
        for (k, g) in g.chunks_mut(N).enumerate() {
            let chunk = N * k..N * k + g.len();
            for (i, number) in numbers[chunk.clone()].iter_mut().enumerate() {
                number.eps = Derivative::derivative_generic(Const::<N>, Const::<1>, i);
            }
            let y = body.call(&numbers);
            value = y.re;
            if let Some(eps) = y.eps.0 {
                g.copy_from_slice(&eps.as_slice()[..g.len()]);
            }
            for number in &mut numbers[chunk] {
                number.eps = Derivative::none();
            }
        }
        value
    }
}

fn hyper<B: Body, const M: usize>(body: &B) -> impl FnMut(&[f64], &mut [f64]) -> f64 {
    use hyperdual::Hyperdual;
    let mut numbers: Vec<Hyperdual<f64, M>> = Vec::new();
    move |x, g| {
        numbers.clear();
        numbers.extend(x.iter().map(|x| Hyperdual::from_real(*x)));
        let (n, mut value) = (M - 1, 0.0);
        for (k, g) in g.chunks_mut(n).enumerate() {
            for i in 0..g.len() {
                numbers[n * k + i][1 + i] = 1.0;
            }
            let y = body.call(&numbers);
            value = y.real();
            g.copy_from_slice(&y.as_slice()[1..=g.len()]);
            for i in 0..g.len() {
                numbers[n * k + i][1 + i] = 0.0;
            }
        }
        value
    }
}
