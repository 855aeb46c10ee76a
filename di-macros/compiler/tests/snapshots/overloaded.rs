//! A small module of code that is not taken apart. The copy that engines run is in `expansions/overloaded.rs`.

use di::overloaded;

#[overloaded]
mod model {
    use super::tables::{GRAVITY, Table as Rows};
    use std::collections::HashMap;
    use std::f64::consts::PI;

    const RATE: f64 = 0.5 * GRAVITY;
    const STEPS: [f64; 2] = [0.25, RATE];

    /// A rule, chosen by its name.
    #[derive(Clone, Debug)]
    struct Rule {
        weight: f64,
        apply: fn(f64) -> f64,
    }

    pub fn total(x: &[f64], rows: &Rows) -> f64 {
        let mut rules: HashMap<String, Rule> = HashMap::new();
        let sine = Rule { weight: PI / 2.0, apply: f64::sin };
        rules.insert("sine".to_string(), sine);
        let mut sum = 0.0;
        for (k, v) in x.iter().enumerate() {
            let rule = &rules["sine"];
            sum += match *v {
                0.0 => STEPS[0],
                v if v < GRAVITY => (rule.apply)(v) * rule.weight,
                v => super::limited(v as usize) as f64 * v,
            };
            sum *= rows.len() as f64 / (k + 1) as f64;
        }
        sum
    }
}
