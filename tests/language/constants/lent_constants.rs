//! Constants in structs that are differentiated, handed to functions with and without derivatives; searches in tables;
//! what is behind `?`, handed on by value; sums into results; what fails with constants of the function's own.

use di::prelude::*;
use di_test::scalar;
use model::{in_private, in_tables, scattered};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[0.2, 0.4, 1.5], &[1.2, 0.6, 0.3]];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    C,
    Fe,
}

fn weight(e: Element) -> f64 {
    match e {
        Element::C => 0.6,
        Element::Fe => 1.4,
    }
}

fn is_heavy(e: &Element) -> bool {
    weight(*e) > 1.0
}

const EDGES: [f64; 4] = [0.0, 0.5, 1.0, 2.0];

#[differentiable]
mod model {
    use super::{EDGES, Element, is_heavy, weight};

    pub struct Atom {
        pub element: Element,
        pub x: f64,
    }

    pub struct Cell {
        pub atoms: Vec<Atom>,
    }

    fn form(e: Element, s: f64) -> f64 {
        match e {
            Element::C => 0.5 * s,
            Element::Fe => s * s,
        }
    }

    fn by_list(atoms: &[Atom]) -> f64 {
        let mut sum = 0.0;
        for atom in atoms {
            sum += weight(atom.element) * atom.x.exp();
            if is_heavy(&atom.element) {
                sum *= atom.x;
            }
        }
        sum
    }

    fn by_cell(cell: &Cell) -> f64 {
        let mut sum = 0.0;
        for atom in &cell.atoms {
            sum += form(atom.element, 2.0) * atom.x.exp();
        }
        for i in 0..cell.atoms.len() {
            let atom = &cell.atoms[i];
            sum *= form(atom.element, atom.x);
        }
        sum
    }

    pub fn scattered(p: &[f64]) -> f64 {
        let atoms = vec![
            Atom {
                element: Element::Fe,
                x: p[0],
            },
            Atom {
                element: Element::C,
                x: p[1] * p[2],
            },
        ];
        let sum = by_list(&atoms);
        sum * by_cell(&Cell { atoms })
    }

    pub struct Table {
        pub at: Vec<f64>,
        pub of: Vec<f64>,
    }

    impl Table {
        fn value(&self, x: f64) -> f64 {
            let i = self
                .at
                .partition_point(|&k| k <= x)
                .clamp(1, self.at.len() - 1);
            let found = self.at.binary_search_by(|k| k.total_cmp(&x));
            let j = found.unwrap_or_else(|i| i).clamp(1, self.at.len() - 1);
            let (a, b) = (self.at[i - 1], self.at[i]);
            let t = (x - a) / (b - a);
            self.of[i - 1] * (1.0 - t) + self.of[j] * t * t
        }
    }

    fn table() -> Table {
        Table {
            at: vec![0.0, 0.5, 1.0, 2.0],
            of: vec![1.0, 3.0, 2.0, 5.0],
        }
    }

    pub fn in_tables(p: &[f64]) -> f64 {
        let table = table();
        let k = EDGES.partition_point(|&edge| edge <= p[0]);
        table.value(p[0]) * table.value(p[1]) + EDGES[k] * p[2]
    }

    struct Fluxes {
        up: f64,
        down: f64,
    }

    pub struct Column {
        pub t: f64,
        pub q: f64,
    }

    impl Column {
        fn fluxes(&self) -> Fluxes {
            Fluxes {
                up: self.t.powi(4),
                down: self.q * self.t,
            }
        }
    }

    pub fn in_private(p: &[f64]) -> f64 {
        let column = Column { t: p[0], q: p[1] };
        let fluxes = column.fluxes();
        (fluxes.up - fluxes.down) * p[2]
    }
}

#[test]
fn constants_in_structs_are_handed_on() {
    scalar!(scattered).row(390).takes_memory().check(&POINTS);
}

#[test]
fn tables_are_searched() {
    scalar!(in_tables).row(391).takes_memory().check(&POINTS);
}

#[test]
fn methods_return_private_structs() {
    scalar!(in_private).check(&POINTS);
}

#[differentiable]
fn assembled(x: &[f64]) -> Option<Vec<f64>> {
    if x[0] < 0.1 {
        return None;
    }
    Some(vec![x[0] * x[1], x[1] + x[2]])
}

#[differentiable]
fn solved(mut a: Vec<f64>, b: &[f64]) -> Option<f64> {
    a[0] = a[0].sqrt();
    if a[0] > 9.0 {
        return None;
    }
    Some(a[0] * a[1] * b[0])
}

#[differentiable]
fn behind_question(x: &[f64]) -> Option<f64> {
    let u = solved(assembled(x)?, x)?;
    let again = solved(assembled(&x[..])?, &assembled(x)?)?;
    Some(u * u + again)
}

#[differentiable]
fn by_value(x: &[f64]) -> f64 {
    behind_question(x).unwrap_or(0.0)
}

#[test]
fn vectors_behind_question_marks_are_handed_on() {
    scalar!(by_value).row(392).check(&POINTS);
}

#[differentiable]
fn rate(x: f64) -> Result<f64, usize> {
    if x > 9.0 { Err(1) } else { Ok(x * x) }
}

#[differentiable]
fn rates(x: &[f64]) -> Result<f64, usize> {
    let all = x.iter().map(|v| rate(*v)).sum::<Result<f64, _>>()?;
    let rest: Result<f64, usize> = x.iter().map(|v| rate(v.exp())).product();
    let found: Option<f64> = x.iter().map(|v| (*v > 0.0).then_some(v.sin())).sum();
    let count = (0..3).map(Some).sum::<Option<usize>>().unwrap_or(0);
    Ok(all * rest.unwrap_or(2.0) + found.unwrap_or(x[0]) * count as f64)
}

#[differentiable]
fn scaled(x: &[f64]) -> Option<f64> {
    x.iter().map(|v| (*v < 1.4).then(|| v * v)).sum()
}

#[differentiable]
fn in_results(x: &[f64]) -> f64 {
    rates(x).unwrap_or(0.0) * scaled(x).unwrap_or(x[1])
}

#[test]
fn sums_into_results_and_options() {
    scalar!(in_results).check(&POINTS);
    scalar!(in_results).row(395).check(&[&[2.5, 0.3, -0.7]]);
}

#[derive(Debug)]
enum Bad {
    Slow { iterations: usize },
}

#[differentiable]
fn root(x: f64) -> Result<f64, Bad> {
    const MOST: usize = 20;
    let mut y = x;
    for _ in 0..MOST {
        let d = (y * y - x) / (2.0 * y);
        y -= d;
        if d.abs() < 1e-14 {
            return Ok(y);
        }
    }
    Err(Bad::Slow { iterations: MOST })
}

#[differentiable]
fn by_root(x: &[f64]) -> f64 {
    match root(x[0] * x[1]) {
        Ok(y) => y * x[2],
        Err(Bad::Slow { iterations }) => iterations as f64,
    }
}

#[test]
fn errors_name_constants_of_the_function() {
    scalar!(by_root).check(&POINTS);
}
