//! What a struct or an enum holds of constants was looked at where a variable bound to it was used, and not where it was
//! bound. Methods that borrow an iterator of one's own left it where it was.

#![allow(clippy::useless_vec, reason = "lists as users write them")]

use di::prelude::*;
use di_test::scalar;

#[differentiable]
mod runs {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) enum Mode {
        Slow,
        Times(u8),
        Fast,
    }

    #[derive(Clone, Copy)]
    pub(super) struct State {
        name: &'static str,
        modes: [Mode; 3],
        last: Option<Mode>,
        a: f64,
    }

    #[derive(Clone)]
    pub(super) struct Run {
        label: String,
        ids: Vec<usize>,
        best: Option<usize>,
        a: f64,
        w: Vec<f64>,
    }

    pub(super) enum Step {
        Named(&'static str, f64),
        Plain(f64),
    }

    pub(super) struct Growth {
        a: f64,
        left: usize,
    }

    impl Iterator for Growth {
        type Item = f64;
        fn next(&mut self) -> Option<f64> {
            self.left = self.left.checked_sub(1)?;
            self.a *= 1.5;
            Some(self.a)
        }
    }

    fn weight(mode: Mode) -> f64 {
        match mode {
            Mode::Slow => 1.0,
            Mode::Times(k) => f64::from(k),
            Mode::Fast => 0.3,
        }
    }

    fn state(a: f64) -> State {
        State {
            name: "a",
            modes: [Mode::Slow, Mode::Times(3), Mode::Fast],
            last: None,
            a,
        }
    }

    pub(super) fn bound_before(x: &[f64]) -> f64 {
        let mut s = state(x[0]);
        let (name, modes, last) = (s.name, s.modes, s.last);
        s.name = "longer";
        s.modes = [modes[1], modes[2], modes[0]];
        s.last = Some(Mode::Times(7));
        let first = weight(modes[2]) * s.a * name.len() as f64 + weight(s.modes[2]) * x[1];
        first + last.map_or(0.5, weight) * x[1] + s.last.map_or(0.5, weight) * s.name.len() as f64
    }

    pub(super) fn in_a_loop(x: &[f64]) -> f64 {
        let mut s = state(x[0]);
        let mut sum = 0.0;
        for k in 0..3 {
            let modes = s.modes;
            let last = s.last;
            s.modes = [modes[2], modes[0], Mode::Times(k)];
            s.last = Some(modes[1]);
            sum += weight(modes[0]) * x[0] + weight(modes[2]) * x[1] * s.a;
            sum += last.map_or(0.25, weight) * x[1];
            s.a *= x[1];
        }
        sum
    }

    pub(super) fn replaced(x: &[f64]) -> f64 {
        let mut s = state(x[0]);
        let name = s.name;
        let kept = s;
        s = State {
            name: "hello",
            last: Some(Mode::Fast),
            ..state(x[1])
        };
        let State { modes, last, a, .. } = s;
        s.last = None;
        s.modes = [Mode::Times(2); 3];
        let sum = a * weight(modes[1]) * last.map_or(3.0, weight) * name.len() as f64;
        sum + kept.last.map_or(2.0, weight) * kept.a + weight(s.modes[0]) * s.name.len() as f64
    }

    pub(super) fn swapped(x: &[f64]) -> f64 {
        let mut all = vec![
            state(x[0]),
            State {
                name: "hello",
                ..state(x[0] * x[1])
            },
        ];
        let name = all[0].name;
        all.swap(0, 1);
        all[0].a * name.len() as f64 + all[0].name.len() as f64 * x[1]
    }

    pub(super) fn matched(x: &[f64]) -> f64 {
        let mut step = Step::Named("abc", x[0]);
        let mut sum = 0.0;
        for _ in 0..2 {
            sum += match step {
                Step::Named(name, v) => {
                    step = Step::Plain(v * v * x[1]);
                    name.len() as f64 * v
                }
                Step::Plain(v) => v,
            };
        }
        sum
    }

    impl Run {
        fn new(a: f64) -> Run {
            Run {
                label: "r".into(),
                ids: Vec::new(),
                best: None,
                a,
                w: vec![a; 2],
            }
        }

        fn step(&mut self, k: usize, v: f64) {
            self.label.push_str("xy");
            self.label += "z";
            self.ids.push(k);
            if k == 1 {
                self.best.replace(k);
            }
            self.a = self.a * v + self.label.len() as f64;
            self.w[0] += v;
        }

        fn score(&self) -> f64 {
            let best = self.best.map_or(0.5, |best| best as f64);
            self.a * self.ids.len() as f64 + self.w[0] * self.w[1] + best * self.a * self.a
        }
    }

    pub(super) fn texts(x: &[f64]) -> f64 {
        let mut run = Run::new(x[0]);
        let before = run.label.clone();
        run.label.push('q');
        let middle = run.label.len();
        run.label.clear();
        let sum = before.len() as f64 * run.a + middle as f64 * x[1];
        run.label = before;
        run.label += "abc";
        for k in 0..4 {
            run.step(k, x[k % 2]);
        }
        sum * run.label.len() as f64 + run.score()
    }

    pub(super) fn taken(x: &[f64]) -> f64 {
        let mut growth = Growth { a: x[0], left: 9 };
        let second = growth.nth(1).unwrap_or(0.0);
        let left = growth.left;
        let at = growth.position(|v| v > 8.0).map_or(0.5, |at| at as f64);
        second * left as f64 + at * growth.a * x[1] + growth.left as f64 * x[1]
    }
}
use runs::{bound_before, in_a_loop, matched, replaced, swapped, taken, texts};

#[differentiable]
mod named {
    use std::collections::BTreeMap;

    #[derive(Clone, Copy)]
    pub(super) struct Part {
        name: &'static str,
        a: f64,
    }

    #[derive(Clone, Copy, PartialEq)]
    pub(super) enum Mode {
        Low,
        High,
    }

    #[derive(Clone, Copy)]
    pub(super) struct Tagged {
        mode: Mode,
        a: f64,
    }

    fn tag(mode: Mode) -> &'static str {
        match mode {
            Mode::Low => "x",
            Mode::High => "xyz",
        }
    }

    fn part(name: &'static str, a: f64) -> Part {
        Part { name, a }
    }

    pub(super) fn elements(x: &[f64]) -> f64 {
        let mut all = [part("a", x[0]), part("hello", x[1])];
        let name = all[0].name;
        all[0].name = "zz";
        all.swap(0, 1);
        all[0].a * name.len() as f64 + all[1].name.len() as f64 * x[1]
    }

    pub(super) fn payloads(x: &[f64]) -> f64 {
        let mut option = Some(part("a", x[0]));
        let mut pair = (part("ab", x[1]), 2);
        let name = option.as_ref().expect("one").name;
        let second = pair.0.name;
        option = Some(part("hello", x[1]));
        pair.0 = part("longest", x[0] * x[1]);
        let sum = option.expect("one").a * name.len() as f64;
        sum + pair.0.a * second.len() as f64 * f64::from(pair.1)
    }

    fn renamed(part: &mut Part) -> f64 {
        let name = part.name;
        part.name = "hello";
        part.a *= 2.0;
        name.len() as f64 * part.a
    }

    impl Part {
        fn renamed(&mut self) -> f64 {
            let name = self.name;
            self.name = "hello";
            self.a *= 2.0;
            name.len() as f64 * self.a
        }
    }

    pub(super) fn behind_references(x: &[f64]) -> f64 {
        let mut one = part("ab", x[0]);
        let sum = renamed(&mut one) + one.renamed() * x[1] + one.name.len() as f64 * x[1];
        let r = &one;
        let before = r.name;
        one = part("no", x[1]);
        let text = &one.name;
        let copied = *text;
        one.name = "zzz";
        sum + one.a * before.len() as f64 * copied.len() as f64
    }

    pub(super) fn in_maps(x: &[f64]) -> f64 {
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        parts.insert(1, part("a", x[0]));
        let name = parts[&1].name;
        parts.insert(1, part("hello", x[1]));
        parts[&1].a * name.len() as f64
    }

    pub(super) fn given_to_functions(x: &[f64]) -> f64 {
        let mut tagged = Tagged {
            mode: Mode::Low,
            a: x[0],
        };
        let name = tag(tagged.mode);
        tagged.mode = Mode::High;
        let is_high = tagged.mode == Mode::High;
        tagged.a * name.len() as f64 + if is_high { x[1] } else { 0.0 }
    }

    pub(super) fn in_turn(x: &[f64]) -> f64 {
        let mut all = vec![part("a", x[0]), part("hello", x[1])];
        let mut sum = 0.0;
        for i in 0..3 {
            let name = all[i % 2].name;
            let next = part("four", x[0] * x[1]);
            all.push(next);
            all.remove(0);
            sum += all[0].a * name.len() as f64;
        }
        sum
    }
}
use named::{behind_references, elements, given_to_functions, in_maps, in_turn, payloads};

#[test]
fn fields_are_what_they_were_when_they_were_bound() {
    let points: [&[f64]; 2] = [&[0.4, 1.3], &[1.7, 0.6]];
    scalar!(bound_before).check(&points);
    scalar!(in_a_loop).check(&points);
    scalar!(replaced).check(&points);
    scalar!(swapped).check(&points);
    scalar!(matched).check(&points);
    scalar!(texts).takes_memory().check(&points);
    scalar!(elements).check(&points);
    scalar!(payloads).check(&points);
    scalar!(behind_references).check(&points);
    scalar!(in_maps).takes_memory().check(&points);
    scalar!(given_to_functions).check(&points);
    scalar!(in_turn).takes_memory().check(&points);
}

#[test]
fn iterators_of_ones_own_go_on_behind_what_was_taken() {
    let points: [&[f64]; 2] = [&[0.4, 1.3], &[1.7, 0.6]];
    scalar!(taken).check(&points);
}
