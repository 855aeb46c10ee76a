//! The copy of the module in `tests/snapshots/overloaded.rs`; `rt` is the hidden module of the runtime.

pub mod __overloaded {
    use rt::overloaded::f64::Number as f64;
    use super::super::tables::GRAVITY;
    use super::super::tables::Table as Rows;
    use std::collections::HashMap;
    use rt::overloaded::f64::consts::PI;
    const RATE: f64 = rt::overloaded::Active::<f64>::constant(super::RATE);
    const STEPS: [f64; 2] = rt::overloaded::array(super::STEPS);
    #[derive(Clone, Debug)]
    pub(super) struct Rule {
        weight: f64,
        apply: fn(f64) -> f64,
    }
    pub fn total(x: &[f64], rows: &Rows) -> f64 {
        let mut rules: HashMap<String, Rule> = HashMap::new();
        let sine = Rule {
            weight: PI / rt::overloaded::Active::<f64>::constant(2.0),
            apply: f64::sin,
        };
        rules.insert("sine".to_string(), sine);
        let mut sum = rt::overloaded::Active::<f64>::constant(0.0);
        for (k, v) in x.iter().enumerate() {
            let rule = &rules["sine"];
            match (match *v {
                __number0 if (__number0
                    .eq(&rt::overloaded::Active::<f64>::constant(0.0))) => STEPS[0],
                v if v < rt::overloaded::outside::<f64, _>(GRAVITY) => {
                    (rule.apply)(v) * rule.weight
                }
                v => {
                    rt::overloaded::lift::<
                        f64,
                        _,
                    >(super::super::limited(rt::overloaded::cast::<usize, _>(v))) * v
                }
            }) {
                __right => sum += __right,
            };
            match rt::overloaded::lift::<f64, _>(rows.len())
                / rt::overloaded::lift::<f64, _>((k + 1))
            {
                __right => sum *= __right,
            };
        }
        sum
    }
}
