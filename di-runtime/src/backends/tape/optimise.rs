//! What makes a recording quick to replay: the passes, in order.
//!
//! Values stay the same, bit for bit: nothing is reordered that rounds.

use super::layout::lay_out;
use super::program::Program;
use super::recording::Recording;
use super::reroll::reroll;
use super::simplify::simplify;
use crate::scalar::Real;

/// Writes the program of a recording without foreign code, and the places of its roots. The first
/// `active` inputs are differentiated.
pub(super) fn optimise<R: Real>(
    recording: &Recording,
    active: usize,
    roots: &[u32],
    program: &mut Program<R>,
    places: &mut Vec<u32>,
) {
    let code = simplify(recording, active, roots);
    let loops = reroll(&code);
    lay_out(&code, &loops, program, places);
}

#[cfg(test)]
mod tests {
    use super::optimise;
    use crate::backends::tape::op::Op;
    use crate::backends::tape::program::Program;
    use crate::backends::tape::recording::{Recording, Session};
    use crate::backends::tape::variable::Variable;
    use crate::scalar::Scalar;

    type V = Variable<f64>;

    /// Operations of each loop, and its turns, of what becomes of a function of `n` ones.
    fn loops(n: u32, f: impl Fn(&[V]) -> V) -> Vec<(u32, Vec<Op>)> {
        let session = Session::begin(Recording::default(), n as usize);
        let level = session.level;
        let x: Vec<V> = (0..n)
            .map(|node| Variable {
                value: 1.0,
                node,
                level,
            })
            .collect();
        let root = f(&x).operand(level);
        let recording = session.end();
        let (mut program, mut places) = (Program::<f64>::new(), Vec::new());
        optimise(&recording, n as usize, &[root], &mut program, &mut places);
        let steps = |from: u32, to: u32| program.steps[from as usize..to as usize].iter();
        (program.groups.iter())
            .map(|g| (g.turns, steps(g.from, g.to).map(|step| step.op).collect()))
            .collect()
    }

    #[test]
    fn a_sum_over_a_vector_is_a_loop_and_a_sum() {
        let found = loops(100, |x| {
            let mut sum = V::from_real(0.0);
            for i in 0..x.len() - 1 {
                let a = x[i + 1] - x[i] * x[i];
                let b = V::real_sub(1.0, x[i]);
                sum = sum + (a.mul_real(100.0) * a + b * b);
            }
            sum
        });
        let turn = [Op::SubMul, Op::RealSub, Op::MulReal, Op::Mul, Op::MulAdd];
        let expected = [(99, turn.to_vec()), (1, vec![Op::AddReal, Op::Sum])];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_nobody_needs_is_gone_and_what_is_equal_is_there_once() {
        let found = loops(2, |x| {
            let _ = x[0].exp();
            (x[0] * x[1]).sin() * (x[0] * x[1]).sin()
        });
        let [(1, steps)] = &found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(steps.len(), 3);
    }

    #[test]
    fn a_recursion_is_a_loop() {
        let found = loops(2, |x| {
            let mut u = x[0];
            for _ in 0..50 {
                u = u + (u * x[1]).sin().mul_real(0.1);
            }
            u
        });
        assert!(
            found
                .iter()
                .any(|(turns, steps)| *turns >= 40 && steps.len() <= 3),
            "{found:?}"
        );
    }
}
