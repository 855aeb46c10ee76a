//! Text in derived structs, and in lists of such structs.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[0.2, 0.4, 1.5], &[1.2, 0.6, 0.3]];

#[derive(Clone, Differentiable)]
pub struct Atom {
    element: &'static str,
    x: f64,
}

#[derive(Clone, Differentiable)]
pub struct Layer {
    name: String,
    w: f64,
    of: Vec<f64>,
}

fn charge(element: &str) -> f64 {
    match element {
        "H" => 1.0,
        "C" => 6.0,
        _ => 8.0,
    }
}

#[differentiable]
fn of_atom(a: &Atom) -> f64 {
    match a.element {
        "H" | "D" => a.x,
        other => a.x * a.x * charge(other),
    }
}

#[differentiable]
fn of_layer(l: &Layer) -> f64 {
    let factor = match l.name.as_str() {
        "C" => 2.0,
        _ => 3.0,
    };
    let s = if l.name == "C" { l.w } else { 2.0 * l.w };
    s * factor * charge(&l.name) * l.of[0]
}

#[differentiable]
fn of_atoms(atoms: &[Atom]) -> f64 {
    let mut sum = 0.0;
    for a in atoms {
        sum += charge(a.element) * a.x * a.x;
        sum *= of_atom(a);
    }
    for i in 0..atoms.len() {
        let element = atoms[i].element;
        for j in i + 1..atoms.len() {
            if element != atoms[j].element {
                sum += charge(element) * charge(atoms[j].element) * atoms[i].x * atoms[j].x.sin();
            }
        }
        sum += match atoms[i].element {
            "H" => atoms[i].x,
            _ => 2.0 * atoms[i].x.exp(),
        };
    }
    let hydrogens = atoms.iter().filter(|a| a.element == "H");
    sum + hydrogens.map(|a| a.x * a.x).sum::<f64>()
}

#[differentiable]
fn of_layers(layers: &[Layer]) -> f64 {
    let mut sum = 0.0;
    for l in layers {
        sum += of_layer(l) * l.of[1];
    }
    for i in 0..layers.len() {
        if layers[i].name.starts_with('C') {
            sum *= charge(&layers[i].name) * layers[i].w;
        }
    }
    if let Some(l) = layers.iter().find(|l| l.name == "B") {
        sum += l.w.sin();
    }
    sum
}

/// Structs with text are made, copied, moved and changed.
#[differentiable]
fn made(x: &[f64]) -> f64 {
    let mut atoms = vec![
        Atom {
            element: "H",
            x: x[0] * x[1],
        },
        Atom {
            element: "C",
            x: x[1],
        },
    ];
    atoms.push(Atom {
        element: "H",
        x: x[2],
    });
    let mut sum = of_atoms(&atoms);
    atoms[0].x *= x[2];
    atoms.swap(0, 1);
    let scaled: Vec<Atom> = (atoms.iter())
        .map(|a| Atom {
            element: a.element,
            x: a.x.sin(),
        })
        .collect();
    sum += of_atoms(&scaled);
    let mut layers: Vec<Layer> = Vec::new();
    for a in &atoms {
        layers.push(Layer {
            name: a.element.to_string(),
            w: a.x * x[0],
            of: vec![x[1], a.x],
        });
    }
    let copy = layers[0].clone();
    layers[0].w *= x[1];
    sum + of_layers(&layers) * of_layer(&copy)
}

#[differentiable]
mod inside {
    #[derive(Clone)]
    pub struct Part {
        pub name: String,
        pub x: f64,
    }

    impl Part {
        fn energy(&self) -> f64 {
            if self.name == "a" {
                self.x
            } else {
                self.x * self.x
            }
        }
    }

    pub fn of_parts(parts: &[Part]) -> f64 {
        let mut sum = 0.0;
        for part in parts {
            match part.name.as_str() {
                "a" => sum += part.x.sin(),
                _ => sum *= part.x,
            }
        }
        sum + parts.iter().map(|p| p.energy()).sum::<f64>()
    }

    pub fn made(x: &[f64]) -> f64 {
        let mut parts: Vec<Part> = Vec::new();
        for k in 0..x.len() {
            parts.push(Part {
                name: "a".to_string(),
                x: x[k] * x[0],
            });
        }
        parts.push(Part {
            name: "b".to_string(),
            x: x[1],
        });
        of_parts(&parts)
    }
}

#[test]
fn structs_hold_text() {
    scalar!(made).row(451).takes_memory().check(&POINTS);
    scalar!(inside::made::AD, inside::made)
        .row(451)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn lists_of_structs_with_text_are_parameters() {
    let _row = di_test::rows::row(451);
    let layer = |name: &str, w: f64| Layer {
        name: name.to_owned(),
        w,
        of: vec![0.3, w + 0.2],
    };
    let layers = vec![layer("C", 0.7), layer("B", 1.3), layer("Carbon", 0.4)];
    let found = gradient(of_layers::AD, NoPrep, &AutoSource::new(), &layers).unwrap();
    let atoms = ["H", "C", "H"].map(|element| Atom {
        element,
        x: element.len() as f64 * 0.7,
    });
    let atoms = atoms.to_vec();
    let of_atoms_found = gradient(of_atoms::AD, NoPrep, &AutoSource::new(), &atoms).unwrap();
    let h = 1e-5;
    for k in 0..3 {
        let moved = |h: f64| {
            let mut layers = layers.clone();
            layers[k].w += h;
            of_layers(&layers)
        };
        let expected = (moved(h) - moved(-h)) / (2.0 * h);
        assert_eq!(found[k].name, layers[k].name);
        assert_close("layers", &[found[k].w], &[expected], DIFFERENCES);
        let moved = |h: f64| {
            let mut atoms = atoms.clone();
            atoms[k].x += h;
            of_atoms(&atoms)
        };
        let expected = (moved(h) - moved(-h)) / (2.0 * h);
        assert_close("atoms", &[of_atoms_found[k].x], &[expected], DIFFERENCES);
    }
}
