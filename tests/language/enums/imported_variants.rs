//! Variants by their bare names, which the module imports; constant fields that change; tuples of constants as arguments.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.4, 1.3, 0.7], &[1.7, 0.6, 1.1]];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Times(u8),
}
use Kind::*;

#[differentiable]
fn scaled(kind: Kind, v: f64) -> f64 {
    match kind {
        Plain => v,
        Times(n) => v * v * f64::from(n),
    }
}

#[differentiable]
fn alternating(x: &[f64]) -> f64 {
    let mut kind = Plain;
    let mut sum = scaled(Times(3), x[0]);
    for v in x {
        sum += scaled(kind, *v);
        kind = if matches!(kind, Plain) {
            Times(2)
        } else {
            Plain
        };
    }
    sum
}

mod laws {
    use super::Kind::{self, Times};
    use di::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    pub(super) enum Law {
        Linear(f64),
        Square { a: f64, b: f64 },
        Free,
    }
    use Law::*;

    #[differentiable]
    impl Law {
        fn at(&self, u: f64) -> f64 {
            match *self {
                Linear(k) => k * u,
                Square { a, b } => a * u * u + b,
                Free => 0.5,
            }
        }
    }

    fn of_kind(kind: Kind) -> f64 {
        match kind {
            Times(n) => f64::from(n),
            Kind::Plain => 0.5,
        }
    }

    #[differentiable]
    pub(super) fn of_laws(x: &[f64]) -> f64 {
        let laws = [Linear(x[0]), Free, Square { a: x[1], b: x[2] }];
        let mut sum = 0.0;
        for law in &laws {
            sum += law.at(x[0]);
            if let Linear(k) = law {
                sum *= k;
            }
        }
        sum * of_kind(Times(3))
    }
}
use laws::of_laws;

#[differentiable]
mod circuit {
    pub(super) enum Element {
        Resistor { ohms: f64 },
        Source(f64),
        Short,
    }
    use Element::*;

    #[derive(Clone, Copy, PartialEq)]
    enum Base {
        A,
        C,
        G(u8),
    }

    pub(super) fn total(x: &[f64]) -> f64 {
        let list = [Resistor { ohms: x[0] * x[1] }, Source(x[2]), Short];
        let mut sum = 0.0;
        for e in &list {
            sum += match e {
                Resistor { ohms } => *ohms,
                Source(v) => v * v,
                Short => 0.1,
            };
        }
        sum
    }

    pub(super) fn local(x: &[f64]) -> f64 {
        use Base::*;
        let bases = [A, C, G(3), A];
        bases.windows(2).map(|w| stacked((w[0], w[1]), x[0])).sum()
    }

    fn stacked(pair: (Base, Base), h: f64) -> f64 {
        match pair {
            (Base::A, Base::C) => 2.0 * h,
            (Base::G(n), _) => f64::from(n) * h * h,
            _ => h,
        }
    }

    fn product((i, j): (usize, usize), x: &[f64]) -> f64 {
        x[i] * x[j]
    }

    fn listed(parts: &[(usize, Base)], x: &[f64]) -> f64 {
        parts
            .iter()
            .map(|(i, base)| x[*i] * stacked((*base, Base::A), x[0]))
            .sum()
    }

    pub(super) fn paired(x: &[f64]) -> f64 {
        let mut base = Base::A;
        let mut sum = listed(&[(0, Base::A), (2, Base::G(4))], x);
        for i in 0..3 {
            sum += stacked((base, Base::C), x[i]) * product((i, 2 - i), x);
            base = if i == 0 { Base::G(2) } else { Base::A };
            sum += stacked((Base::C, base), sum);
        }
        sum
    }
}
use circuit::{local, paired, total};

#[differentiable]
mod bonds {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) enum Day {
        Actual,
        Thirty(u16),
    }

    #[derive(Default, Clone)]
    pub(super) struct Bond {
        coupon: Option<f64>,
        frequency: Option<u32>,
        name: String,
        day: Option<Day>,
        lag: (u8, i16),
        spread: f64,
    }

    impl Bond {
        fn coupon(mut self, c: f64) -> Self {
            self.coupon = Some(c);
            self
        }

        fn frequency(mut self, f: u32) -> Self {
            self.frequency = Some(f);
            self
        }

        fn named(mut self, name: &str) -> Self {
            self.name = name.to_string();
            self
        }

        fn day(mut self, day: Day) -> Self {
            self.day = Some(day);
            self.lag = (3, -2);
            self
        }

        fn set(&mut self, f: Option<u32>, spread: f64) {
            self.frequency = f;
            self.spread = spread;
        }

        fn value(&self) -> f64 {
            let days = match self.day {
                Some(Day::Actual) => 1.5,
                Some(Day::Thirty(n)) => f64::from(n),
                None => 1.0,
            };
            let paid = self.coupon.unwrap_or(0.5) * f64::from(self.frequency.unwrap_or(2));
            let lag = f64::from(self.lag.0) * f64::from(self.lag.1);
            paid * days + self.name.len() as f64 * self.spread + lag * self.spread * self.spread
        }
    }

    #[derive(Clone)]
    struct Listed(f64, Option<u32>, String);

    pub(super) fn listed(x: &[f64]) -> f64 {
        let c = Listed(x[0], Some(3), "abc".to_string());
        let d = Listed(x[1], None, format!("{}", c.1.unwrap_or(1)));
        let of = |l: &Listed| l.0 * f64::from(l.1.unwrap_or(7)) * l.2.len() as f64;
        of(&c) * of(&d)
    }

    pub(super) fn built(x: &[f64]) -> f64 {
        let bond = Bond::default()
            .coupon(x[0] * x[0])
            .frequency(4)
            .named("abc")
            .day(Day::Thirty(30));
        bond.value() + Bond::default().value() * x[1]
    }

    pub(super) fn changed(x: &[f64]) -> f64 {
        let mut bond = Bond::default().coupon(x[0]);
        let mut sum = 0.0;
        for k in 0..3u32 {
            bond.set(if k == 1 { None } else { Some(k + 1) }, x[k as usize]);
            sum += bond.value();
            bond.frequency = None;
            bond.name = format!("{k}");
            sum *= bond.value();
            if k == 1 {
                bond.day = Some(Day::Actual);
            }
        }
        sum
    }
}
use bonds::{built, changed, listed};

#[test]
fn variants_that_the_module_imports() {
    scalar!(alternating).row(864).check(&POINTS);
    scalar!(of_laws).row(864).check(&POINTS);
    scalar!(total).row(864).check(&POINTS);
    scalar!(local).row(864).takes_memory().check(&POINTS);
}

#[test]
fn fields_that_constants_are_assigned_to() {
    scalar!(built).row(865).takes_memory().check(&POINTS);
    scalar!(listed).row(865).takes_memory().check(&POINTS);
    scalar!(changed).row(865).takes_memory().check(&POINTS);
}

#[differentiable]
fn chosen_by(x: &[f64], table: &[(u64, i64, bool, u8)]) -> f64 {
    let chosen = table.iter().filter(|t| t.2);
    let terms = chosen.map(|t| x[t.3 as usize] * x[0] * t.0 as f64 + t.1 as f64);
    terms.sum()
}

#[differentiable]
fn labelled(x: &[f64], which: &(usize, &str)) -> f64 {
    x[which.0] * x[0] * which.1.len() as f64
}

#[differentiable]
fn written_of_variables(x: &[f64], name: &str, last: u8) -> f64 {
    let mut sum = chosen_by(x, &[(1, 2, true, last), (3, 4, false, 1)]);
    for k in 0..2 {
        let one = chosen_by(x, &[(1, 2, true, last), (3 + k, 4, k > 0, 1)]);
        sum += one * labelled(x, &(k as usize, name)) * labelled(x, &(2, "ab"));
    }
    sum
}

#[test]
fn tuples_of_constants_as_arguments() {
    scalar!(paired).row(866).check(&POINTS);
    scalar!(written_of_variables::AD.with("abc", 2), |x: &[f64]| {
        written_of_variables(x, "abc", 2)
    })
    .row(866)
    .check(&POINTS);
}
