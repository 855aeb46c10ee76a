//! Handles: constants of a call, marked or without floats, and functions that have no handle.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use di::prelude::*;

use crate::{agrees, close};

#[overloaded]
mod model {
    use std::collections::{BTreeMap, HashMap};
    use std::rc::Rc;

    pub fn marked(
        #[constant] scale: f64,
        x: &[f64],
        #[constant] data: &[f64],
        #[constant] grid: &[Vec<f64>],
        #[constant] corner: [f64; 2],
        #[constant] owned: &Vec<f64>,
    ) -> f64 {
        let mut sum = scale * x[0] + corner[1] * x[1];
        for (row, d) in grid.iter().zip(data) {
            sum += row.iter().zip(x).map(|(a, x)| a * x * d).sum::<f64>().exp();
        }
        sum * owned.iter().sum::<f64>()
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Kind {
        Linear,
        Cubic,
    }

    #[derive(Clone, Debug)]
    pub struct Plan {
        pub kind: Kind,
        pub rounds: usize,
        pub names: Vec<String>,
    }

    /// None of these has a mark: none has floats.
    pub fn unmarked(
        x: &[f64],
        n: usize,
        at: &[usize],
        name: &str,
        kind: Kind,
        plan: &Plan,
        pair: (i32, bool),
    ) -> f64 {
        let mut sum = x[at[0]] * n as f64 + name.len() as f64 * x[at[1]];
        if kind == plan.kind {
            sum *= x[0];
        }
        for _ in 0..plan.rounds + plan.names.len() {
            sum += sum * 0.1;
        }
        if pair.1 {
            sum * f64::from(pair.0)
        } else {
            sum.powi(pair.0)
        }
    }

    #[derive(Clone, Debug)]
    pub struct Fluid {
        pub density: f64,
        pub table: BTreeMap<String, Vec<f64>>,
        pub inner: Option<Box<Fluid>>,
        pub law: Law,
    }

    #[derive(Clone, Debug)]
    pub enum Law {
        Constant,
        Power(f64),
        Mixed {
            low: f64,
            high: Vec<f64>,
            count: usize,
        },
    }

    impl Law {
        fn of(&self, v: f64) -> f64 {
            match self {
                Law::Constant => 1.0,
                Law::Power(p) => v.powf(*p),
                Law::Mixed { low, high, count } => low + high[*count] * v,
            }
        }
    }

    fn drag(fluid: &Fluid, v: f64) -> f64 {
        let inner = fluid.inner.as_ref().map_or(0.0, |inner| drag(inner, v * v));
        let table: f64 = fluid.table.values().flatten().sum();
        fluid.density * v * table * fluid.law.of(v) + inner
    }

    pub fn structs(x: &[f64], #[constant] fluid: &Fluid, #[constant] law: &Law) -> f64 {
        drag(fluid, x[0]) * law.of(x[1])
    }

    pub fn maps(
        x: &[f64],
        #[constant] rates: &HashMap<String, f64>,
        #[constant] limit: Option<f64>,
        #[constant] shared: &Rc<Vec<(f64, usize)>>,
        #[constant] result: Result<f64, i32>,
    ) -> f64 {
        let mut keys: Vec<_> = rates.keys().collect();
        keys.sort();
        let sum: f64 = keys.iter().zip(x).map(|(k, x)| rates[*k] * x * x).sum();
        let more: f64 = shared.iter().map(|(w, k)| w * x[*k]).sum();
        limit.map_or(sum, |l| if sum > l { l * x[0] } else { sum }) + more * result.unwrap_or(0.5)
    }

    /// Functions beside them that have no handle, and do without one.
    pub fn describe(x: &[f64], f: &dyn Fn(f64) -> f64) -> String {
        format!("{:?}", x.iter().map(|v| f(*v)).collect::<Vec<_>>())
    }

    pub fn generic<T: Clone + Into<f64>>(x: &[T]) -> f64 {
        x.iter().map(|v| v.clone().into()).sum()
    }

    pub fn state(x: f64) -> Plan {
        Plan {
            kind: Kind::Cubic,
            rounds: x as usize,
            names: vec![x.to_string()],
        }
    }

    pub fn pair(x: &[f64]) -> f64 {
        generic(x) + state(2.9).rounds as f64 * x[0] * describe(&[1.0], &|v| v).len() as f64
    }
}

#[test]
fn marked_constants_have_floats() {
    let f = |scale: f64, x: &[f64], data: &[f64]| {
        let sums = [0.5 * x[0] + x[1], 2.0 * x[0] - 0.5 * x[1]];
        let sum = sums
            .iter()
            .zip(data)
            .map(|(s, d)| (s * d).exp())
            .sum::<f64>();
        (scale * x[0] + 3.0 * x[1] + sum) * 5.0
    };
    let (grid, sizes) = (vec![vec![0.5, 1.0], vec![2.0, -0.5]], vec![2.0, 3.0]);
    for (scale, data) in [(2.0, [0.3, 0.1]), (-1.0, [0.5, -0.7])] {
        let handle = model::marked::AD.with(scale, &data, &grid, [1.0, 3.0], &sizes);
        let g = gradient(handle, NoPrep, &AutoTape::new(), &[0.4, 0.9]).unwrap();
        let expected =
            di_test::differences::columns(|x| vec![f(scale, x, &data)], &[0.4, 0.9], 0.1);
        crate::within("gradient", &g, &expected.concat(), 1e-9);
        let handle = model::marked::AD.with(scale, &data, &grid, [1.0, 3.0], &sizes);
        let h = hessian(handle, NoPrep, &AutoDual::new(), &[0.4, 0.9]).unwrap();
        let by = |i: usize, j: usize| {
            let rows = [[0.5, 1.0], [2.0, -0.5]];
            let term = |(a, d): ([f64; 2], &f64)| {
                d * d * a[i] * a[j] * (d * (a[0] * 0.4 + a[1] * 0.9)).exp() * 5.0
            };
            rows.into_iter().zip(&data).map(term).sum::<f64>()
        };
        close(
            "Hessian",
            h.as_slice(),
            &[by(0, 0), by(0, 1), by(1, 0), by(1, 1)],
        );
    }
}

#[test]
fn constants_may_change_between_calls() {
    let (tape, dual) = (AutoTape::new(), AutoDual::new());
    let (grid, sizes) = (vec![vec![0.5, 1.0]], vec![2.0]);
    let bind = |scale| model::marked::AD.with(scale, &[0.0], &grid, [1.0, 3.0], &sizes);
    let by_tape = prepare_gradient(bind(1.0), &tape, &[0.0, 0.0]).unwrap();
    let by_duals = prepare_gradient(bind(1.0), &dual, &[0.0, 0.0]).unwrap();
    for scale in [1.0, 1.0, 2.0, 2.0, -3.0, 1.0] {
        let g = gradient(bind(scale), &by_tape, &tape, &[0.4, 0.9]).unwrap();
        assert_eq!(g, [2.0 * scale, 6.0]);
        let g = gradient(bind(scale), &by_duals, &dual, &[0.4, 0.9]).unwrap();
        assert_eq!(g, [2.0 * scale, 6.0]);
    }
}

#[test]
fn parameters_without_floats_need_no_mark() {
    use model::{Kind, Plan};
    let plan = Plan {
        kind: Kind::Cubic,
        rounds: 2,
        names: vec!["one".into()],
    };
    let at = [1, 0];
    let bind = |kind, pair| model::unmarked::AD.with(3, &at, "four", kind, &plan, pair);
    for (kind, pair) in [(Kind::Linear, (2, false)), (Kind::Cubic, (3, true))] {
        let plain = |x: &[f64]| model::unmarked(x, 3, &at, "four", kind, &plan, pair);
        agrees!(bind(kind, pair), plain, [[0.4, 0.9], [-1.4, 0.3]]);
    }
}

#[test]
fn constants_are_structs_and_enums_of_the_module() {
    use model::{Fluid, Law};
    let inner = Fluid {
        density: 0.5,
        table: BTreeMap::from([("k".into(), vec![2.0])]),
        inner: None,
        law: Law::Constant,
    };
    let mixed = Law::Mixed {
        low: 0.5,
        high: vec![0.0, 3.0],
        count: 1,
    };
    let table = BTreeMap::from([("a".into(), vec![1.0, 2.0]), ("b".into(), vec![])]);
    let fluid = Fluid {
        density: 1.5,
        table,
        inner: Some(Box::new(inner)),
        law: mixed,
    };
    for law in [Law::Power(1.5), Law::Constant] {
        let plain = |x: &[f64]| model::structs(x, &fluid, &law);
        for x in [[0.4, 0.9], [1.4, 0.3]] {
            let expected = di_test::differences::columns(|x| vec![plain(x)], &x, 0.02).concat();
            let f = || model::structs::AD.with(&fluid, &law);
            let g = gradient(f(), NoPrep, &AutoTape::new(), &x).unwrap();
            crate::within("gradient", &g, &expected, 1e-9);
            let g = gradient(f(), NoPrep, &AutoDual::new(), &x).unwrap();
            crate::within("gradient", &g, &expected, 1e-9);
        }
    }
}

#[test]
fn constants_are_containers_of_std() {
    let rates = HashMap::from([("a".to_string(), 0.5), ("b".to_string(), 2.0)]);
    let shared = Rc::new(vec![(1.5, 1), (0.25, 0)]);
    for (limit, result) in [(None, Ok(2.0)), (Some(0.1), Err(-1)), (Some(9.0), Ok(1.0))] {
        let w = result.unwrap_or(0.5);
        let f = || model::maps::AD.with(&rates, limit, &shared, result);
        let expected = match limit {
            Some(0.1) => [0.1 + 0.25 * w, 1.5 * w],
            _ => [0.4 + 0.25 * w, 3.6 + 1.5 * w],
        };
        close(
            "gradient",
            &gradient(f(), NoPrep, &AutoTape::new(), &[0.4, 0.9]).unwrap(),
            &expected,
        );
        close(
            "gradient",
            &gradient(f(), NoPrep, &AutoDual::new(), &[0.4, 0.9]).unwrap(),
            &expected,
        );
    }
}

#[test]
fn functions_without_handles_are_called() {
    agrees!(model::pair::AD, model::pair, [[0.4, 0.9], [-1.4, 0.3]]);
    assert_eq!(model::describe(&[1.0], &|v| v * 2.0), "[2.0]");
}
