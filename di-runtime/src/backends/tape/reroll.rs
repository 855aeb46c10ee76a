//! Code that repeats as loops.
//!
//! A loop is a stretch of code whose operations, operands aside, come again right after it. Where its
//! operands are is found out when places are given.

use std::hash::{BuildHasher, BuildHasherDefault};

use super::super::mixer::{Map, Mixer};
use super::op::Op;
use super::simplify::Code;

/// Some turns of a stretch of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    /// First instruction.
    pub(super) from: usize,
    /// Instructions in one turn.
    pub(super) body: usize,
    pub(super) turns: usize,
}

/// The longest body that is looked for.
const LONGEST: usize = 4096;
/// Bodies that are tried for each first instruction.
const TRIES: usize = 12;
/// Fewer turns are no loop.
const FEWEST: usize = 4;
/// From so many turns on, a shorter body is taken before a longer one is tried.
const ENOUGH: usize = 16;

/// The code cut into loops, some of one turn.
pub(super) fn reroll(code: &Code) -> Vec<Loop> {
    let keys = keys(code);
    let next = next(&keys);
    let mut loops = Vec::new();
    let (mut at, mut flat) = (0, 0);
    while at < keys.len() {
        let Some(found) = find(&keys, &next, at) else {
            at += 1;
            continue;
        };
        if flat < at {
            loops.push(alone(flat, at));
        }
        loops.push(found);
        at += found.body * found.turns;
        flat = at;
    }
    if flat < at {
        loops.push(alone(flat, at));
    }
    loops
}

fn alone(from: usize, to: usize) -> Loop {
    Loop {
        from,
        body: to - from,
        turns: 1,
    }
}

/// What must agree for two instructions to be turns of one step. Sums stand alone.
fn keys(code: &Code) -> Vec<u64> {
    let hasher = BuildHasherDefault::<Mixer>::default();
    let key = |(i, instruction): (usize, &super::simplify::Instruction)| {
        let n = match instruction.op {
            Op::Call(f) if f.has_integer() => instruction.x[1],
            Op::Sum => return hasher.hash_one((instruction.op, 1u8, i)),
            _ => 0,
        };
        hasher.hash_one((instruction.op, 0u8, (instruction.active, n)))
    };
    code.instructions.iter().enumerate().map(key).collect()
}

/// For each instruction the next one with the same key; itself if there is none.
fn next(keys: &[u64]) -> Vec<u32> {
    let mut last = Map::<u64, u32>::default();
    let mut next = vec![0; keys.len()];
    for (i, key) in keys.iter().enumerate().rev() {
        next[i] = last.insert(*key, i as u32).unwrap_or(i as u32);
    }
    next
}

/// The loop that begins here, if there is one.
fn find(keys: &[u64], next: &[u32], from: usize) -> Option<Loop> {
    let mut best: Option<Loop> = None;
    let mut again = from;
    for _ in 0..TRIES {
        let following = next[again] as usize;
        if following == again || following - from > LONGEST {
            break;
        }
        again = following;
        let body = again - from;
        let alike = (keys[from..].iter().zip(&keys[again..]))
            .take_while(|(a, b)| a == b)
            .count();
        let turns = 1 + alike / body;
        let better = best.is_none_or(|best| body * turns > best.body * best.turns);
        if turns >= FEWEST && better {
            best = Some(Loop { from, body, turns });
        }
        if turns >= ENOUGH {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Loop, find, next};

    fn loop_at(keys: &[u64], from: usize) -> Option<(usize, usize)> {
        let found = find(keys, &next(keys), from);
        found.map(|Loop { body, turns, .. }| (body, turns))
    }

    #[test]
    fn what_comes_again_is_a_loop() {
        assert_eq!(loop_at(&[1, 2, 1, 2, 1, 2, 1, 2, 3], 0), Some((2, 4)));
        assert_eq!(loop_at(&[1, 1, 1, 1, 1], 0), Some((1, 5)));
        assert_eq!(
            loop_at(&[1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2], 0),
            Some((3, 4))
        );
    }

    #[test]
    fn what_comes_seldom_is_none() {
        assert_eq!(loop_at(&[1, 2, 1, 2, 1, 2, 3], 0), None);
        assert_eq!(loop_at(&[1, 2, 3, 4], 0), None);
    }
}
