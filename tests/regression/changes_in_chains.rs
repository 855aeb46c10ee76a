//! Chains on what methods of constants give that change them: `dice.next().map_or(x, |k| k * x)` called `next` more than
//! once where a closure or an argument depends on the inputs, and what `counter.advance(2).next()` changes behind the
//! `&mut Self` that the first method returns was lost.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.3], &[-0.6, 1.9, 2.2]];

#[derive(Clone, Copy)]
struct Count {
    n: usize,
}

impl Count {
    fn get(&mut self) -> Option<f64> {
        self.n += 1;
        Some(self.n as f64)
    }

    fn n(&self) -> usize {
        self.n
    }

    fn num(&mut self) -> f64 {
        self.n += 1;
        self.n as f64
    }

    fn adv(&mut self, k: usize) -> &mut Self {
        self.n += k;
        self
    }

    fn less(&mut self) -> &mut Count {
        self.n -= 1;
        self
    }
}

#[differentiable]
fn mapped_or(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = x[0] * s.get().map_or(x[0], |k| k * x[1]);
    out + s.n as f64 * x[2]
}

#[differentiable]
fn mapped(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = s.get().map(|k| k * x[1]).unwrap_or(x[0]);
    out + s.n as f64 * x[2]
}

#[differentiable]
fn and_then(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = s
        .get()
        .and_then(|k| if k > 1.0 { Some(k * x[1]) } else { None })
        .unwrap_or(x[2]);
    out + s.n as f64 * x[2]
}

#[differentiable]
fn unwrapped(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = s.get().unwrap_or(x[0]) * x[1];
    out + s.n as f64 * x[2]
}

#[differentiable]
fn or_other(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = s.get().or(Some(x[1])).map_or(x[0], |k| k * k);
    out + s.n as f64 * x[2]
}

#[differentiable]
fn asked(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = if s.get().is_some_and(|k| k * x[0] > 0.1) {
        x[1]
    } else {
        x[2]
    };
    out + s.n as f64 * x[2]
}

#[differentiable]
fn borrowed(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = {
        let r = &mut s;
        r.get().map(|k| k * x[1]).unwrap_or(x[0])
    };
    out + s.n as f64 * x[2]
}

#[differentiable]
fn looped(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = {
        let mut t = 0.0;
        while let Some(k) = s.get().filter(|k| *k < 3.0).map(|k| k * x[0]) {
            t += k;
        }
        t
    };
    out + s.n as f64 * x[2]
}

#[differentiable]
fn chained(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = s.adv(2).num() * x[1];
    out + s.n as f64 * x[2]
}

#[differentiable]
fn chained_twice(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = s.adv(2).adv(1).n as f64 * x[0];
    out + s.n as f64 * x[2]
}

#[differentiable]
fn dropped(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = {
        s.adv(2).adv(3);
        x[0]
    };
    out + s.n as f64 * x[2]
}

#[differentiable]
fn chained_and_mapped(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = s.adv(2).less().get().map_or(x[0], |k| k * x[1]);
    out + s.n as f64 * x[2]
}

#[differentiable]
fn chained_and_compared(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = s.adv(2).less().num().max(x[0]) * x[2];
    out + s.n as f64 * x[2]
}

#[differentiable]
fn chained_and_read(x: &[f64]) -> f64 {
    let mut s = Count { n: 0 };
    let out = {
        let k = s.adv(3).less().n();
        x[k]
    };
    out + s.n as f64 * x[2]
}

fn count() -> Count {
    Count { n: 0 }
}

/// Which does not name the type.
#[differentiable]
fn made(x: &[f64]) -> f64 {
    let mut s = count();
    s.num() * x[0] + s.get().map_or(x[0], |k| k * x[1]) + s.n as f64 * x[2]
}

#[test]
fn each_change_is_made_once() {
    scalar!(made).check(&POINTS);
    scalar!(mapped_or).check(&POINTS);
    scalar!(mapped).check(&POINTS);
    scalar!(and_then).check(&POINTS);
    scalar!(unwrapped).check(&POINTS);
    scalar!(or_other).check(&POINTS);
    scalar!(asked).check(&POINTS);
    scalar!(borrowed).check(&POINTS);
    scalar!(looped).check(&POINTS);
    scalar!(chained).check(&POINTS);
    scalar!(chained_twice).check(&POINTS);
    scalar!(dropped).check(&POINTS);
    scalar!(chained_and_mapped).check(&POINTS);
    scalar!(chained_and_compared).check(&POINTS);
    scalar!(chained_and_read).check(&POINTS);
}
