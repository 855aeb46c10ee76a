//! Fem: programs of a third collection. Refused: each with what the compiler says, and the cure.

// E0080 [DI0341] the types of this do not match, as far as the compiler can infer them: at the module, since `a.swap(p, best)` moves rows that are borrowed
// Take the rows by value, or swap them in the function that owns them.
/// A plane truss: stiffness, supports, compliance and weight by areas and heights.
mod plane_truss {
    use di::prelude::*;

    #[differentiable]
    mod truss {
        pub struct Bar {
            pub nodes: [usize; 2],
            pub area: f64,
        }

        pub struct Truss {
            pub xs: Vec<f64>,
            pub bars: Vec<Bar>,
            pub fixed: Vec<usize>,
            pub loads: Vec<(usize, f64)>,
        }

        fn bar_stiffness(dx: f64, dy: f64, ea: f64) -> [[f64; 4]; 4] {
            let l = dx.hypot(dy);
            let (c, s) = (dx / l, dy / l);
            let t = [-c, -s, c, s];
            let mut k = [[0.0; 4]; 4];
            for i in 0..4 {
                for j in 0..4 {
                    k[i][j] = ea / l * t[i] * t[j];
                }
            }
            k
        }

        fn gauss(a: &mut [Vec<f64>], b: &mut [f64]) {
            let n = b.len();
            for p in 0..n {
                // pivot
                let mut best = p;
                for r in p + 1..n {
                    if a[r][p].abs() > a[best][p].abs() {
                        best = r;
                    }
                }
                a.swap(p, best);
                b.swap(p, best);
                for r in (p + 1)..n {
                    let f = a[r][p] / a[p][p];
                    for c in p..n {
                        let v = a[p][c];
                        a[r][c] -= f * v;
                    }
                    b[r] -= f * b[p];
                }
            }
            for p in (0..n).rev() {
                let mut acc = b[p];
                for c in p + 1..n {
                    acc -= a[p][c] * b[c];
                }
                b[p] = acc / a[p][p];
            }
        }

        pub fn compliance(heights: &[f64], #[constant] truss: &Truss) -> f64 {
            let ndof = 2 * truss.xs.len();
            let mut k = vec![vec![0.0; ndof]; ndof];
            for bar in &truss.bars {
                let [a, b] = bar.nodes;
                let ke =
                    bar_stiffness(truss.xs[b] - truss.xs[a], heights[b] - heights[a], bar.area);
                let dofs = [2 * a, 2 * a + 1, 2 * b, 2 * b + 1];
                for i in 0..4 {
                    for j in 0..4 {
                        k[dofs[i]][dofs[j]] += ke[i][j];
                    }
                }
            }
            let mut f = vec![0.0; ndof];
            for &(dof, p) in &truss.loads {
                f[dof] += p;
            }
            for &d in &truss.fixed {
                k[d].fill(0.0);
                k[d][d] = 1.0;
                f[d] = 0.0;
            }
            let load = f.clone();
            gauss(&mut k, &mut f);
            load.iter().zip(f.iter()).map(|(p, u)| p * u).sum()
        }
    }

    #[test]
    fn plane_truss() {
        let bar = |a, b| truss::Bar {
            nodes: [a, b],
            area: 1.0,
        };
        let t = truss::Truss {
            xs: vec![0.0, 1.0, 2.0],
            bars: vec![bar(0, 1), bar(1, 2), bar(0, 2)],
            fixed: vec![0, 1, 5],
            loads: vec![(3, -1.0), (2, 0.3)],
        };
        crate::check::scalar!(truss::compliance, (&t), &vec![0.0, 0.8, 0.1]);
    }
}
