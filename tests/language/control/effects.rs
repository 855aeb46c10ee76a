//! Macros that are run for their effect: assertions stay, messages are printed once, panics are panics.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::{inplace, scalar};
use std::cell::{Cell, RefCell};
use std::fmt::{Display, Formatter};
use std::io::Sink;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9], &[0.8, -0.1, 0.2]];

#[differentiable]
fn asserted(x: &[f64], y: &mut [f64], w: &[f64]) {
    assert!(x.len() >= 2);
    assert_eq!(x.len(), w.len(), "{} weights", w.len());
    assert_ne!(y.len(), 0);
    debug_assert!(x[0] < 10.0, "large: {}", x[0]);
    debug_assert_eq!(w[0] * 0.0, 0.0);
    for i in 0..y.len() {
        debug_assert!(i < 7);
        y[i] = x[i % 2] * w[i % 2] + x[0];
        assert!(
            y[i].is_finite(),
            "element {i} of {:?} is {:.3}",
            y.len(),
            y[i]
        );
    }
}

#[test]
fn assertions_that_hold() {
    inplace!(
        asserted::AD.fix_w(&[0.5, 2.0, 1.0][..]),
        |x, y| asserted(x, y, &[0.5, 2.0, 1.0]),
        4
    )
    .rows(&[134])
    .check(&POINTS);
}

#[differentiable]
fn limited(x: &[f64], limit: usize) -> f64 {
    assert!(x.len() <= limit, "{} of {limit}", x.len());
    let name = "first";
    if x[0] > 100.0 {
        panic!("{name} is {}: {:?}", x[0], Some(x[0]));
    }
    let Some(last) = x.last() else { unreachable!() };
    x[0] * last
}

#[test]
#[should_panic(expected = "3 of 2")]
fn assertion_that_fails_in_derivative_code() {
    let f = limited::AD.with(2);
    let _ = gradient(f, NoPrep, &AutoSource::new(), &[1.0, 2.0, 3.0][..]);
}

#[test]
#[should_panic(expected = "first is 200: Some(200.0)")]
fn panic_in_derivative_code() {
    let f = limited::AD.with(9);
    let _ = gradient(f, NoPrep, &AutoSource::new(), &[200.0, 2.0, 3.0][..]);
}

#[differentiable]
fn left_is_right(x: &[f64], n: usize) -> f64 {
    assert_eq!(x.len(), n + 1, "with {n}");
    x[0] * x[1]
}

#[test]
#[should_panic(expected = "assertion `left == right` failed: with 5\n  left: 3\n right: 6")]
fn equality_that_fails_in_derivative_code() {
    let f = left_is_right::AD.with(5);
    let _ = gradient(f, NoPrep, &AutoSource::new(), &[1.0, 2.0, 3.0][..]);
}

/// Counts how often it is shown.
struct Counter(Cell<usize>);

impl Display for Counter {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.set(self.0.get() + 1);
        f.write_str("counted")
    }
}

#[differentiable]
fn counted(x: &[f64], #[constant] counter: &Counter) -> f64 {
    let mut s = x[0];
    for i in 0..x.len() {
        eprintln!(
            "{counter} {i}: {:>8.3} {s} of {x:?} {:?}",
            x[i],
            (s, x.first())
        );
        s = dbg!(s * x[i]) + x[1];
    }
    println!("{counter}");
    s
}

#[test]
fn messages_are_printed_once_by_each_sweep() {
    let counter = Counter(Cell::new(0));
    let f = counted::AD.with(&counter);
    let x = &[0.5, 0.25, 2.0][..];
    let backend = AutoSource::new();
    let value = counted(x, &counter);
    assert_eq!(counter.0.replace(0), 4);
    let (same, g) = value_and_gradient(f, NoPrep, &backend, x).unwrap();
    assert_eq!(counter.0.replace(0), 4);
    assert_eq!(value, same);
    assert_eq!(g.len(), 3);
    scalar!(counted::AD.with(&counter), |x| counted(x, &counter))
        .rows(&[133])
        .prints()
        .check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair {
    d: [f64; 2],
    k: f64,
}

#[differentiable]
fn seen(x: &[f64]) -> f64 {
    let p = Pair {
        d: [x[0], x[1] * x[1]],
        k: x[0].sin(),
    };
    let q = dbg!(p);
    if q.k < 0.5 {
        dbg!(&p, q.k);
    }
    q.d[0] * p.d[1] + q.k
}

#[test]
fn structs_are_printed_and_given_back() {
    scalar!(seen::AD, seen).rows(&[133]).prints().check(&POINTS);
}

struct Journal {
    lines: RefCell<Vec<f64>>,
    silent: bool,
}

impl Journal {
    fn note(&self, k: usize, weight: f64) {
        self.lines.borrow_mut().push(weight + k as f64);
    }
}

fn noted(journal: &Journal, values: &[f64]) -> usize {
    values.iter().for_each(|v| journal.note(0, *v));
    values.len()
}

fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

#[differentiable]
fn with_journal(x: &[f64], #[constant] journal: &Journal) -> f64 {
    let mut s = x[0];
    let w = 2.5;
    noted(journal, &[w, 0.25]);
    for (k, v) in x.iter().enumerate() {
        if k % 2 == 0 {
            journal.note(k, 0.5);
        }
        s = s * v + 0.5 * v;
        match journal.silent {
            true => {}
            false => journal.note(k, w),
        }
    }
    passive(journal.note(7, s));
    s * x[1] * sum(&[w, 1.5])
}

#[test]
fn functions_without_results_are_called_once_by_each_sweep() {
    let journal = Journal {
        lines: RefCell::default(),
        silent: false,
    };
    let f = with_journal::AD.with(&journal);
    let x = &[0.5, 0.25, 2.0][..];
    let value = with_journal(x, &journal);
    let plain = journal.lines.take();
    assert_eq!(plain.len(), 8);
    let (same, _) = value_and_gradient(f, NoPrep, &AutoSource::new(), x).unwrap();
    assert_eq!(journal.lines.take(), plain);
    assert_eq!(value, same);
    scalar!(f, |x| with_journal(x, &journal))
        .rows(&[707, 708])
        .prints()
        .check(&POINTS);
}

#[differentiable]
fn first_positive(x: &[f64]) -> f64 {
    for i in 0..x.len() {
        let v = match x[i] {
            v if v > 0.0 => v,
            v if v < 0.0 => continue,
            v => panic!("{v}"),
        };
        return v.ln() * x[0];
    }
    todo!()
}

#[test]
fn panics_in_arms_and_at_the_end() {
    scalar!(first_positive)
        .rows(&[135])
        .step(0.02)
        .check(&POINTS);
}

#[differentiable]
fn logged(x: &[f64], #[constant] log: &RefCell<String>) -> f64 {
    use std::fmt::Write;
    let mut s = 0.0;
    for (i, t) in x.iter().enumerate() {
        writeln!(log.borrow_mut(), "{i}: {t:.1}").unwrap();
        s += t * t;
    }
    if s > 1.0 {
        let _ = write!(log.borrow_mut(), "s = {s:.3}");
        write!(&mut *log.borrow_mut(), " {}", x.len()).ok();
    }
    s * x[0]
}

#[differentiable]
fn streamed(x: &[f64], #[constant] mut to: &Sink) -> f64 {
    use std::io::Write as _;
    write!(std::io::sink(), "{}", x[0]).expect("it takes all");
    writeln!(to, "{:?} {x}", x.len(), x = x[1]).unwrap();
    x[0] * x[1]
}

#[test]
fn what_is_written_elsewhere() {
    let log = RefCell::new(String::new());
    // the text grows now and then
    scalar!(logged::AD.with(&log), |x: &[f64]| logged(x, &log))
        .row(133)
        .prints()
        .check(&POINTS);
    let to = std::io::sink();
    scalar!(streamed::AD.with(&to), |x: &[f64]| streamed(x, &to))
        .row(133)
        .check(&POINTS);
    // once for each forward sweep
    log.borrow_mut().clear();
    let backend = AutoSource::new().reverse();
    let f = logged::AD.with(&log);
    let g = gradient(f, NoPrep, &backend, &[2.0, 1.0]).unwrap();
    assert_close("gradient", &g, &[13.0, 4.0], ROUNDING);
    let text = "0: 2.0\n1: 1.0\ns = 5.000 2";
    assert_eq!(*log.borrow(), text);
}
