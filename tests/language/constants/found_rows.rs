//! Rows of constant tables that are found by a name: tuples and structs of numbers and text.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7], &[0.2], &[1.2]];

const HEATS: &[(&str, f64)] = &[("H2", 2.88), ("O2", 2.94)];

static SERIES: [(&str, (f64, f64), [f64; 2]); 2] = [
    ("H2", (2.8, 1.0), [1.0, 2.0]),
    ("O2", (2.9, 2.0), [3.0, 4.0]),
];

pub struct Row {
    pub name: &'static str,
    pub heat: f64,
    pub of: [f64; 2],
    pub range: (f64, f64),
}

const ROWS: [Row; 2] = [
    Row {
        name: "H2",
        heat: 2.8,
        of: [1.0, 2.0],
        range: (0.2, 0.3),
    },
    Row {
        name: "O2",
        heat: 2.9,
        of: [3.0, 4.0],
        range: (0.4, 0.5),
    },
];

pub struct Data {
    pub rows: Vec<(String, Vec<f64>, (usize, f64))>,
}

#[differentiable]
fn in_pairs(x: &[f64], name: &str) -> f64 {
    let t = x[0];
    let mut sum = 0.0;
    for (n, heat) in HEATS {
        if *n == name {
            sum += heat * t;
        }
    }
    let Some(&(_, heat)) = HEATS.iter().find(|row| row.0 == name) else {
        panic!("no data");
    };
    sum += heat * t * t;
    sum += HEATS.iter().find(|row| row.0 == name).unwrap().1 * t.sin();
    match HEATS.iter().find(|(n, _)| *n == name) {
        Some((_, heat)) => sum *= heat * t,
        None => sum += t,
    }
    let k = HEATS.iter().position(|(n, _)| *n == name).unwrap();
    let (_, heat) = HEATS[k];
    sum += heat * t.exp();
    let heat = HEATS
        .iter()
        .find(|(n, _)| *n == name)
        .map(|(_, heat)| *heat);
    sum += heat.unwrap_or(1.0) * t;
    for (n, heat) in HEATS.iter().copied() {
        if n == name {
            sum += heat * t.cos();
        }
    }
    sum + HEATS
        .iter()
        .map(|&(n, heat)| if n == name { heat * t } else { t * t })
        .sum::<f64>()
}

#[differentiable]
fn in_nested(x: &[f64], name: &str) -> f64 {
    let t = x[0];
    let mut sum = 0.0;
    for &(n, (a, b), [c, d]) in SERIES.iter() {
        if n == name {
            sum += a * t + b * t * t + c * t.sin() + d * t.cos();
        }
    }
    for (k, (n, (a, _), _)) in SERIES.iter().enumerate() {
        if *n != name {
            sum += a * t * k as f64;
        }
    }
    let (_, (a, b), c) = SERIES.iter().find(|(n, ..)| *n == name).unwrap();
    sum += a * t + b * t * t + c[1] * t.exp();
    sum += SERIES.iter().find(|r| r.0 == name).unwrap().1.1 * t;
    sum += SERIES.iter().find(|r| r.0 == name).expect("no data").2[1] * t * t;
    let row = SERIES.iter().find(|r| r.0 == name).unwrap();
    sum * (row.1.0 * t + row.2[0])
}

#[differentiable]
fn in_structs(x: &[f64], name: &str) -> f64 {
    let t = x[0];
    let k = ROWS.iter().position(|row| row.name == name).unwrap();
    let mut sum = ROWS[k].heat * t;
    let row = ROWS.iter().find(|row| row.name == name).unwrap();
    sum += row.heat * t * t + row.of[0] * t.sin() + row.range.1 * t;
    sum *= ROWS.iter().find(|row| row.name == name).unwrap().of[1] * t;
    if let Some(Row { heat, .. }) = ROWS.iter().find(|row| row.name == name) {
        sum += heat * t;
    }
    for Row { name: n, heat, .. } in &ROWS {
        if *n == name {
            sum *= heat + t;
        }
    }
    sum
}

/// What is found depends on the input.
#[differentiable]
fn by_input(x: &[f64], #[constant] data: &Data) -> f64 {
    let t = x[0];
    let of = data.rows.iter().find(|r| r.0 == "O2" && t < 5.0).unwrap();
    let mut sum = of.1[1] * t;
    sum += data.rows.iter().find(|r| r.2.1 > t).unwrap().1[1] * t * t;
    sum + data.rows.iter().find(|r| r.2.1 > t).unwrap().2.1 * t.sin()
}

#[test]
fn rows_are_found() {
    for name in ["H2", "O2"] {
        scalar!(in_pairs::AD.with(name), |x| in_pairs(x, name))
            .row(450)
            .check(&POINTS);
        scalar!(in_nested::AD.with(name), |x| in_nested(x, name))
            .row(450)
            .check(&POINTS);
        scalar!(in_structs::AD.with(name), |x| in_structs(x, name))
            .row(450)
            .check(&POINTS);
    }
    let row = |name: &str, k| {
        (
            name.to_owned(),
            vec![0.2, 1.5 + k as f64],
            (k, 1.0 + k as f64),
        )
    };
    let data = Data {
        rows: vec![row("H2", 0), row("O2", 1)],
    };
    scalar!(by_input::AD.with(&data), |x| by_input(x, &data))
        .row(450)
        .check(&POINTS);
}
