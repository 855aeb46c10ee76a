//! Chemistry and physics. Refused: each with what the compiler says.

// E0277 `[f64; 3]` is not a differentiable type
// E0080 [DI0125] `P3` is an alias of a type with floats, which nobody sees through here
/// Molecular mechanics: bonds, angles and torsions in topology structs.
mod molecular_mechanics {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type P3 = [f64; 3];

    struct Topology {
        bonds: Vec<(usize, usize, f64)>,
        angles: Vec<(usize, usize, usize, f64)>,
        torsions: Vec<[usize; 4]>,
    }

    #[differentiable]
    fn sub(a: P3, b: P3) -> P3 {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }

    #[differentiable]
    fn dot(a: P3, b: P3) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    #[differentiable]
    fn cross(a: P3, b: P3) -> P3 {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    #[differentiable]
    fn atom(x: &[f64], i: usize) -> P3 {
        [x[3 * i], x[3 * i + 1], x[3 * i + 2]]
    }

    #[differentiable]
    fn dihedral_cos(p: [P3; 4]) -> f64 {
        let (b1, b2, b3) = (sub(p[1], p[0]), sub(p[2], p[1]), sub(p[3], p[2]));
        let (n1, n2) = (cross(b1, b2), cross(b2, b3));
        dot(n1, n2) / (dot(n1, n1) * dot(n2, n2)).sqrt()
    }

    #[differentiable]
    pub fn energy(x: &[f64], #[constant] top: &Topology) -> f64 {
        let mut e = 0.0;
        for &(i, j, r0) in &top.bonds {
            let d = sub(atom(x, i), atom(x, j));
            e += 2.0 * (dot(d, d).sqrt() - r0).powi(2);
        }
        for (i, j, k, theta0) in top.angles.iter() {
            let u = sub(atom(x, *i), atom(x, *j));
            let v = sub(atom(x, *k), atom(x, *j));
            let c = dot(u, v) / (dot(u, u).sqrt() * dot(v, v).sqrt());
            e += 0.5 * (c.acos() - theta0).powi(2);
        }
        for t in &top.torsions {
            let c = dihedral_cos(t.map(|i| atom(x, i)));
            e += 0.3 * (1.0 + 4.0 * c.powi(3) - 3.0 * c);
        }
        e
    }

    #[test]
    fn molecular_mechanics() {
        let top = Topology {
            bonds: vec![(0, 1, 1.0), (1, 2, 1.1), (2, 3, 1.0)],
            angles: vec![(0, 1, 2, 1.9), (1, 2, 3, 1.9)],
            torsions: vec![[0, 1, 2, 3]],
        };
        scalar!(energy, (&top), &[0.0, 0.1, 0.0, 0.9, 0.3, 0.1, 1.3, 1.2, 0.0, 2.2, 1.4, 0.5]);
    }
}
