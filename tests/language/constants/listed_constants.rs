//! Lists of tuples with texts, enums and structs of constants; enums and characters in the tuples of lists.

use di::prelude::*;
use di_test::compare::assert_same;
use di_test::scalar;
use kinds::{characters, chosen};

const POINTS: [&[f64]; 3] = [&[0.3, 0.7], &[1.4, 0.4], &[-0.6, 1.2]];

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    A,
    B,
}

pub struct Tag {
    name: &'static str,
    at: usize,
}

#[derive(Clone, PartialEq)]
pub enum Step {
    Push(f64),
    Load(usize),
    Mul,
    Name(String),
}

#[differentiable]
fn texts(x: &[f64]) -> f64 {
    let levels = [("low", 0), ("high", 1)].map(|(name, k)| (name.to_string(), k));
    let names = vec!["a", "b"];
    let rows: Vec<(String, Vec<f64>)> = vec![
        ("a".to_string(), vec![1.0, 2.0]),
        (format!("b{}", 1), vec![0.5]),
    ];
    let mut s = 0.0;
    for (name, k) in &levels {
        s += x[*k] * x[0] * name.len() as f64;
    }
    for (name, ws) in &rows {
        for w in ws {
            s += x[0].sin() * w * name.len() as f64;
        }
    }
    for i in 0..2 {
        let n = ["a", "bb"][i];
        if names[i] == "a" {
            s *= x[1];
        }
        s += x[i] * n.len() as f64;
    }
    s
}

#[differentiable]
fn of_kinds(x: &[f64]) -> f64 {
    let parts: Vec<(Kind, f64)> = vec![(Kind::A, 1.0), (Kind::B, 2.5)];
    let tags = [
        (Tag { name: "x", at: 0 }, 1.5),
        (Tag { name: "y", at: 1 }, 2.5),
    ];
    let mut s = 0.0;
    for (kind, w) in &parts {
        s += match kind {
            Kind::A => x[0] * w,
            Kind::B => x[1] * x[0] * w,
        };
    }
    for (t, w) in &tags {
        s += x[t.at].sin() * w;
        if t.name == "y" {
            s *= x[0];
        }
    }
    let (kind, w) = parts[1];
    let first = parts.iter().find(|(k, _)| *k == kind).unwrap();
    s * w + first.1 * x[0]
}

#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        let v = [("a", i), ("bc", i * 2 - i)];
        for (n, k) in &v {
            s += x[*k] * x[0] * n.len() as f64;
        }
        if i == 1 {
            let u = vec![("k", x.len() + i, 0.5 * i as f64)];
            for (n, k, w) in u {
                s *= w * k as f64 * n.len() as f64;
            }
        }
    }
    let mut k = 0;
    let v = [("a", k), ("b", k + 1)];
    k += 1;
    let n = 1;
    let u = {
        let n = 0;
        [("a", n)]
    };
    let w = 2.0;
    let t = [("a", w, n)];
    let w = 5.0;
    for (_, b, i) in t {
        s += b * x[i] * w;
    }
    s + x[v[0].1] * x[1] + k as f64 * x[0] + x[u[0].1] * x[0]
}

#[differentiable]
fn run(x: &[f64]) -> f64 {
    let program = [
        Step::Load(0),
        Step::Load(1),
        Step::Mul,
        Step::Push(2.0),
        Step::Name("ab".to_string()),
    ];
    let steps = vec![(Step::Mul, "m", 1usize), (Step::Load(0), "a", 0)];
    let mut stack: Vec<f64> = Vec::new();
    for step in &program {
        match step {
            Step::Push(v) => stack.push(*v),
            Step::Load(i) => stack.push(x[*i]),
            Step::Mul => {
                let b = stack.pop().unwrap();
                let a = stack.pop().unwrap();
                stack.push(a * b);
            }
            Step::Name(s) => stack.push(x[0] * s.len() as f64),
        }
    }
    let mut r = stack[0] * stack[2];
    for (step, name, i) in &steps {
        if *step == Step::Mul {
            r *= x[*i];
        } else {
            r += name.len() as f64 * x[*i];
        }
    }
    r
}

#[differentiable]
mod kinds {
    use di::prelude::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum Part {
        A,
        B,
        C(u8),
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Signed {
        pub sign: char,
        pub v: f64,
    }

    fn second() -> Option<Part> {
        Some(Part::B)
    }

    pub fn chosen(x: &[f64]) -> f64 {
        let mut v = vec![(Part::A, x[0]), (Part::C(2), x[1])];
        v.push((Part::B, x[0] * x[1]));
        v.sort_by(|a, b| a.1.total_cmp(&b.1));
        v[0].0 = Part::C(3);
        v[1].1 *= x[1];
        let mut s = 0.0;
        for (part, w) in &v {
            s += match part {
                Part::A => *w,
                Part::B => 2.0 * w,
                Part::C(n) => w.sin() * *n as f64,
            };
        }
        let q: Vec<(Part, f64)> = v
            .iter()
            .filter(|(k, _)| *k != Part::B)
            .map(|&(k, w)| (k, w * x[0]))
            .collect();
        let (part, w) = q[0];
        if part == Part::A { s + w } else { s + w * w }
    }

    fn signed(c: char, x: f64) -> f64 {
        match c {
            '+' => x,
            '-' => -x,
            'a'..='f' => x * x,
            _ => x.sin(),
        }
    }

    pub fn characters(x: &[f64]) -> f64 {
        let p = Signed { sign: '-', v: x[0] };
        let mut s = if p.sign == '-' { -p.v } else { p.v };
        let mut last = ' ';
        for c in "a+b-".chars() {
            s += signed(c, x[0] * x[1]);
            if last == '+' {
                s *= x[1];
            }
            last = c;
        }
        let q = Signed { sign: last, v: s };
        let mut t = 1.0;
        for (op, v) in &vec![('+', x[0]), ('*', x[1])] {
            if *op == '+' {
                t += v;
            } else {
                t *= v;
            }
        }
        let o: Option<char> = "xyz".chars().nth(1);
        if let Some(c) = o {
            if c == 'y' {
                t *= x[0];
            }
        }
        let digits: Vec<char> = vec!['1', '2'];
        for d in &digits {
            t += d.to_digit(10).unwrap() as f64 * x[0] * x[0];
        }
        let o: Option<Part> = second();
        if let Some(k) = o {
            if k == Part::B {
                t *= x[1];
            }
        }
        q.v * t + if q.sign == '-' { x[0] } else { 0.0 }
    }
}

/// A number that is asked for once, also where it stands in a list.
fn count(c: &std::cell::Cell<usize>) -> usize {
    c.set(c.get() + 1);
    c.get()
}

#[differentiable]
fn counted(x: &[f64], #[constant] c: &std::cell::Cell<usize>) -> f64 {
    let mut s = 0.0;
    for _ in 0..2 {
        let v = [("a", count(c)), ("b", count(c))];
        s += x[0] * x[0] * v[0].1 as f64 + x[1] * v[1].1 as f64 * x[0];
    }
    s
}

#[test]
fn lists_with_texts_and_enums() {
    scalar!(texts).row(709).takes_memory().check(&POINTS);
    scalar!(of_kinds).row(709).check(&POINTS);
    scalar!(in_loops).row(709).takes_memory().check(&POINTS);
    scalar!(run).row(709).takes_memory().check(&POINTS);
}

#[test]
fn enums_and_characters_in_lists() {
    scalar!(chosen).rows(&[710]).check(&POINTS);
    scalar!(characters)
        .rows(&[711])
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn effects_in_lists_happen_once() {
    let _row = di_test::rows::row(709);
    let cell = std::cell::Cell::new(0);
    let (x, c) = ([0.3, 0.7], std::cell::Cell::new(0));
    let expected = counted(&x, &c);
    let (value, _) =
        value_and_gradient(counted::AD.with(&cell), NoPrep, &AutoSource::new(), &x).unwrap();
    assert_same("value", value, expected);
    assert_same("calls", cell.get(), c.get());
}
