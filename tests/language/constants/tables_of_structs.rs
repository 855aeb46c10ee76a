//! Constant tables of tuples with structs, whose rows become lists and values of the function's own; and parameters of
//! closures with the names of what is differentiated.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

const NAMES: [&str; 3] = ["methane", "other", "propane"];

#[differentiable]
mod eos {
    #[derive(Clone, Copy)]
    pub struct Species {
        pub tc: f64,
        pub w: f64,
    }

    impl Species {
        fn alpha(&self, t: f64) -> f64 {
            t / self.tc + self.w * t * t
        }

        fn own(self, t: f64) -> f64 {
            (t * self.w).sin()
        }
    }

    #[derive(Clone, Copy)]
    pub enum Law {
        Linear(f64),
        Power { a: f64, n: i32 },
    }

    impl Law {
        fn at(&self, t: f64) -> f64 {
            match self {
                Law::Linear(k) => k * t,
                Law::Power { a, n } => a * t.powi(*n),
            }
        }
    }

    pub struct Mix {
        parts: Vec<Species>,
        scale: f64,
    }

    impl Mix {
        fn at(&self, t: f64) -> f64 {
            self.parts.iter().map(|s| s.alpha(t) * self.scale).sum()
        }
    }

    const TABLE: [(&str, Species); 3] = [
        ("methane", Species { tc: 1.3, w: 0.2 }),
        ("ethane", Species { tc: 0.9, w: -0.4 }),
        ("propane", Species { tc: 2.1, w: 0.9 }),
    ];

    static WEIGHTED: &[(&str, f64, Species)] = &[
        ("a", 2.0, Species { tc: 1.1, w: 0.4 }),
        ("b", 0.5, Species { tc: 0.9, w: 0.3 }),
    ];

    const LAWS: [(&str, Law); 2] = [
        ("linear", Law::Linear(0.3)),
        ("power", Law::Power { a: 0.7, n: 3 }),
    ];

    fn total(x: &[f64], all: &[Species]) -> f64 {
        all.iter().map(|s| s.alpha(x[0])).sum()
    }

    fn heavy(x: &[f64]) -> Vec<Species> {
        let all = TABLE.iter().filter(|(_, s)| s.tc > x[0] * 1.1);
        all.map(|(_, s)| *s).collect()
    }

    pub fn listed(x: &[f64]) -> f64 {
        let all: Vec<Species> = TABLE.iter().map(|(_, s)| *s).collect();
        let two = vec![TABLE[0].1, TABLE[2].1];
        let three: Vec<Species> = vec![TABLE[1].1; 3];
        let seen: Vec<&Species> = TABLE.iter().map(|(_, s)| s).collect();
        let typed = TABLE.iter().map(|(_, s)| *s).collect::<Vec<Species>>();
        let scaled: Vec<(f64, Species)> = WEIGHTED.iter().map(|&(_, k, s)| (k * x[0], s)).collect();
        let mix = Mix {
            parts: TABLE.iter().map(|(_, s)| *s).collect(),
            scale: x[1],
        };
        let sum: f64 = all.iter().map(|s| s.alpha(x[0]) * x[1] + s.own(x[1])).sum();
        sum + two[1].alpha(x[1])
            + total(x, &three)
            + seen[2].alpha(x[0])
            + typed[1].own(x[0])
            + scaled.iter().map(|(k, s)| k * s.alpha(x[1])).sum::<f64>()
            + mix.at(x[0])
            + heavy(x).iter().map(|s| s.own(x[0])).sum::<f64>()
            + total(x, &[TABLE[1].1, TABLE[2].1])
    }

    pub fn changed(x: &[f64]) -> f64 {
        let mut all: Vec<Species> = TABLE.iter().map(|(_, s)| *s).collect();
        all[0].tc = x[0];
        all.push(Species { tc: x[1], w: x[0] });
        let mut two = vec![TABLE[0].1, TABLE[1].1];
        two[1].w = x[1];
        let best = TABLE.iter().map(|(_, s)| *s);
        let best = best.max_by(|a, b| a.tc.total_cmp(&b.tc)).unwrap();
        total(x, &all) * total(&x[1..], &two) + best.alpha(x[1])
    }

    pub fn chosen(x: &[f64], names: &[&str]) -> f64 {
        let found = names
            .iter()
            .filter_map(|n| TABLE.iter().find(|(k, _)| k == n));
        let found: Vec<Species> = found.map(|(_, s)| *s).collect();
        let mut sum = found.iter().map(|s| s.alpha(x[0]).sqrt()).sum::<f64>();
        for n in names {
            let one = TABLE.iter().find(|(k, _)| k == n).map(|(_, s)| *s);
            sum += one.map_or(x[0] * x[1], |s| s.alpha(x[1]));
        }
        let first = TABLE.iter().find(|(k, _)| *k == names[0]);
        sum * first.map(|(_, s)| *s).unwrap().own(x[0])
    }

    pub fn laws(x: &[f64]) -> f64 {
        let all: Vec<Law> = LAWS.iter().map(|(_, l)| *l).collect();
        let power = LAWS.iter().find(|(k, _)| *k == "power");
        let power = power.map(|(_, l)| *l).unwrap();
        all.iter().map(|l| l.at(x[0])).sum::<f64>() * power.at(x[1])
    }

    pub fn more_laws(x: &[f64]) -> f64 {
        let mut all = vec![LAWS[1].1];
        all.push(Law::Linear(x[0]));
        all.extend(LAWS.iter().map(|(_, l)| *l));
        all.iter().map(|l| l.at(x[1])).sum()
    }

    pub fn shadowed(x: &[f64], names: &[&str]) -> f64 {
        let (n, k, s) = (x[0] * 2.0, x[1] * x[0], x[1].exp());
        let found: Vec<Species> = names
            .iter()
            .filter_map(|n| TABLE.iter().find(|(k, _)| k == n))
            .map(|(_, s)| *s)
            .collect();
        found.iter().map(|of| (n / of.tc).sqrt() * k * s).sum()
    }
}

#[differentiable]
fn hidden(x: &[f64], #[constant] data: &[(usize, f64)]) -> f64 {
    let (t, v) = (x[0] * x[0], x[1] * x[0]);
    let k = data.iter().position(|t| t.0 == 2).unwrap_or(0);
    let some = data
        .iter()
        .filter(|(t, _)| *t > 1)
        .map(|(t, v)| *t as f64 * v);
    let near = data.iter().find_map(|(t, v)| (*t > 1).then(|| *v));
    let p = data.partition_point(|v| v.1 < 1.5);
    let flag = data.iter().any(|t| t.0 == 3);
    let sum = some.sum::<f64>() * t * v + near.map_or(0.0, |v| v * 2.0) * t;
    sum + p as f64 * t + k as f64 * v + if flag { t } else { v }
}

#[test]
fn rows_of_tables_in_lists() {
    scalar!(eos::listed::AD, eos::listed)
        .row(842)
        .takes_memory()
        .check(&POINTS);
    scalar!(eos::changed::AD, eos::changed)
        .row(842)
        .check(&POINTS);
    scalar!(eos::laws::AD, eos::laws).row(842).check(&POINTS);
    scalar!(eos::more_laws::AD, eos::more_laws)
        .row(842)
        .check(&POINTS);
}

#[test]
fn rows_of_tables_found_by_name() {
    scalar!(eos::chosen::AD.with(&NAMES), |x: &[f64]| eos::chosen(
        x, &NAMES
    ))
    .row(842)
    .takes_memory()
    .check(&POINTS);
}

#[test]
fn parameters_of_closures_that_hide_what_varies() {
    scalar!(eos::shadowed::AD.with(&NAMES), |x: &[f64]| eos::shadowed(
        x, &NAMES
    ))
    .row(843)
    .takes_memory()
    .check(&POINTS);
    let data = [(1, 0.5), (2, 1.2), (3, 1.7)];
    scalar!(hidden::AD.with(&data), |x: &[f64]| hidden(x, &data))
        .row(843)
        .check(&POINTS);
}
