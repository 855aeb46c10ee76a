//! Constants without an index, and tuples compared with constants.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4, 0.2], &[1.2, 0.4, 0.9, -1.1]];

struct Row {
    x: f64,
    y: f64,
}

#[differentiable]
fn loglik(t: &[f64], #[constant] groups: &BTreeMap<String, Vec<Row>>) -> f64 {
    let mut sum = 0.0;
    for (name, rows) in groups {
        let resid: Vec<f64> = rows.iter().map(|r| r.y - t[0] - t[1] * r.x).collect();
        sum += resid.iter().map(|r| r * r).sum::<f64>() * t[name.len() - 1];
    }
    for (_, rows) in groups.iter() {
        sum += rows[0].x * t[1].sin();
    }
    for rows in groups.values() {
        sum += rows[0].x * t[1].cos();
    }
    sum
}

#[differentiable]
fn weighted(
    x: &[f64],
    #[constant] weights: &HashMap<usize, f64>,
    #[constant] picked: &BTreeSet<usize>,
) -> f64 {
    let mut sum = 0.0;
    for (k, w) in weights {
        if *k > 0 && *w > 0.1 {
            sum += x[*k] * w;
        }
    }
    for (&k, &w) in weights {
        sum += x[k].sin() * w;
    }
    for k in picked {
        sum *= 1.0 + x[*k];
    }
    for &k in picked.iter() {
        sum *= x[k];
    }
    let all: f64 = weights.iter().map(|(k, w)| x[*k] * w).sum();
    sum + all + picked.iter().map(|k| x[*k]).product::<f64>()
}

#[differentiable]
fn read(x: &[f64], #[constant] marks: &str) -> f64 {
    let mut y = x[0];
    for c in marks.chars() {
        if c == '+' {
            y *= x[1];
        } else {
            y += x[0].sin();
        }
    }
    for (k, word) in marks.split(' ').enumerate() {
        y += x[k % 2] * word.len() as f64;
    }
    y
}

struct Graph {
    edges: BTreeMap<usize, Vec<(usize, f64)>>,
}

#[differentiable]
fn flow(x: &[f64], #[constant] graph: &Graph) -> f64 {
    let mut sum = 0.0;
    for (i, outs) in &graph.edges {
        for (j, w) in outs {
            sum += w * (x[*i] - x[*j]).powi(2);
        }
        for &(j, w) in outs {
            sum += w * (x[*i] * x[j]).sin();
        }
    }
    sum
}

#[test]
fn maps_and_sets_of_constants() {
    let row = |x, y| Row { x, y };
    let groups: BTreeMap<String, Vec<Row>> = [
        ("a".to_owned(), vec![row(0.4, 0.2), row(0.1, -0.2)]),
        ("bb".to_owned(), vec![row(0.7, 0.1)]),
    ]
    .into();
    scalar!(loglik::AD.with(&groups), |t: &[f64]| loglik(t, &groups))
        .row(342)
        .takes_memory()
        .check(&POINTS);
    let weights: HashMap<usize, f64> = [(0, 0.3), (1, 0.7), (3, 0.05)].into();
    let picked: BTreeSet<usize> = [0, 1].into();
    scalar!(weighted::AD.with(&weights, &picked), |x: &[f64]| {
        weighted(x, &weights, &picked)
    })
    .row(342)
    .takes_memory()
    .check(&POINTS);
    let edges = [(0, vec![(1, 0.4)]), (1, vec![(0, 0.2), (2, 0.9)])].into();
    let graph = Graph { edges };
    scalar!(flow::AD.with(&graph), |x: &[f64]| flow(x, &graph))
        .row(342)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn characters_and_words_of_texts() {
    scalar!(read::AD.with("+- a+"), |x: &[f64]| read(x, "+- a+"))
        .row(343)
        .takes_memory()
        .check(&POINTS);
}

struct Maze {
    goal: (usize, usize),
}

#[differentiable]
fn walk(x: &[f64], #[constant] maze: &Maze) -> f64 {
    let mut sum = 0.0;
    for r in 0..2 {
        for c in 0..2 {
            if (r, c) == maze.goal {
                sum += x[3] * x[0];
            } else if maze.goal != (c, r) {
                sum += x[r] * x[c + 1];
            }
        }
    }
    sum
}

#[test]
fn tuples_compared_with_fields_of_constants() {
    let maze = Maze { goal: (1, 0) };
    scalar!(walk::AD.with(&maze), |x: &[f64]| walk(x, &maze))
        .row(341)
        .check(&POINTS);
}

type Links = BTreeMap<usize, Vec<usize>>;

#[differentiable]
fn linked(x: &[f64], links: &Links, ends: &BTreeSet<usize>) -> f64 {
    let mut sum = 0.0;
    for (i, outs) in links {
        for j in outs {
            sum += x[*i] * x[*j].sin();
        }
        if ends.contains(i) {
            sum *= x[*i];
        }
    }
    sum
}

#[test]
fn maps_and_sets_without_floats_need_no_mark() {
    let links = Links::from([(0, vec![1, 3]), (2, vec![0])]);
    let ends = BTreeSet::from([2]);
    scalar!(linked::AD.with(&links, &ends), |x: &[f64]| linked(
        x, &links, &ends
    ))
    .row(363)
    .takes_memory()
    .check(&POINTS);
}

#[derive(Clone, Copy, Differentiable)]
struct Site {
    lat: f64,
    lon: f64,
}

#[differentiable]
fn apart(a: &Site, b: Site) -> f64 {
    (a.lat - b.lat).hypot(a.lon - b.lon)
}

#[differentiable]
fn route(x: &[f64], #[constant] sites: &[Site]) -> f64 {
    let mut sum = 0.0;
    for pair in sites.windows(2) {
        match pair {
            [a, b] => sum += x[0] * apart(a, *b),
            _ => {}
        }
        if let [a, .., b] = pair {
            sum *= x[1] + apart(b, *a);
        }
        sum += x[2] * apart(&pair[0], pair[1]);
    }
    sum
}

#[test]
fn windows_of_constants_taken_apart() {
    let sites = [(1.0, 2.0), (1.5, 2.0), (2.5, -2.0)].map(|(lat, lon)| Site { lat, lon });
    let sites = &sites[..];
    scalar!(route::AD.with(sites), |x: &[f64]| route(x, sites))
        .row(364)
        .check(&POINTS);
}

struct Weights {
    w: BTreeMap<usize, f64>,
}

#[differentiable]
fn keyed(x: &[f64], #[constant] c: &Weights) -> f64 {
    let mut sum = 0.0;
    for (i, v) in c.w.clone() {
        sum += x[i] * v;
    }
    for i in c.w.keys() {
        sum += x[*i] * *i as f64;
    }
    for &i in c.w.keys() {
        sum *= x[i] + i as f64;
    }
    for (i, v) in &c.w {
        if *i == 1 {
            sum += x[*i] * v.powi(2) * c.w[i];
        }
    }
    let first = c.w.keys().map(|&i| x[i]).sum::<f64>();
    let second = c.w.keys().cloned().map(|i| x[i].sin()).sum::<f64>();
    let third = c.w.values().copied().map(|v| v * x[0]).sum::<f64>();
    sum * first + second * third
}

#[test]
fn keys_of_maps_and_maps_by_value() {
    let weights = Weights {
        w: BTreeMap::from([(0, 0.4), (1, 0.7), (3, -0.2)]),
    };
    scalar!(keyed::AD.with(&weights), |x: &[f64]| keyed(x, &weights))
        .row(342)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn looked_up(x: &[f64], #[constant] rates: &HashMap<u32, f64>, #[constant] order: &[usize]) -> f64 {
    let mut own: HashMap<u32, f64> = HashMap::new();
    own.insert(3, 0.4);
    let last = order.iter().max().unwrap();
    let rate = rates.get(&2).expect("there are two");
    x[0] * rates.get(&1).unwrap() * x[1]
        + x[2].sin() * rate
        + own.get(&3).unwrap() * x[3] * x[3] * (order.len() + last) as f64
        + own.get(&4).unwrap_or(&1.5) * x[1] * x[1]
}

#[test]
fn values_of_maps_that_are_looked_up() {
    let rates = HashMap::from([(1, 0.7), (2, -1.2)]);
    let order = [2, 0, 1];
    scalar!(looked_up::AD.with(&rates, &order), |x: &[f64]| looked_up(
        x, &rates, &order
    ))
    .takes_memory()
    .check(&POINTS);
}

#[differentiable]
fn parsed(x: &[f64], #[constant] text: &str) -> f64 {
    let (n, m): (usize, usize) = (
        text.parse().unwrap_or(0),
        text.len().checked_sub(1).unwrap_or_default(),
    );
    let k: usize = text.parse().unwrap_or_else(|_| 2);
    let last: usize = vec![1, 0].into_iter().max().unwrap();
    let rate: f64 = text.trim().parse().unwrap_or(1.5);
    rate * x[n] * x[m] + x[k] * x[last].sin()
}

#[test]
fn numbers_whose_type_is_inferred_from_their_use() {
    for text in ["1", "one", "2 "] {
        scalar!(parsed::AD.with(text), |x: &[f64]| parsed(x, text)).check(&POINTS);
    }
}
