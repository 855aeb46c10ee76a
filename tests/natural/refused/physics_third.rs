//! Physics: programs of a third collection. Refused: each with what the compiler says, and the cure.

// [DI0308] the method `as_chunks` of arrays, slices and vectors is not supported
// Use `.as_chunks::<3>().0` in a chain.
/// Pair potentials behind a trait, and the energy of a cluster.
mod cluster {
    use di::prelude::*;

    trait PairPotential {
        fn energy(&self, r2: f64) -> f64;
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct LennardJones {
        epsilon: f64,
        sigma: f64,
    }

    #[differentiable]
    impl PairPotential for LennardJones {
        fn energy(&self, r2: f64) -> f64 {
            let s6 = (self.sigma * self.sigma / r2).powi(3);
            4.0 * self.epsilon * (s6 * s6 - s6)
        }
    }

    #[differentiable]
    fn cluster(positions: &[[f64; 3]], potential: &LennardJones) -> f64 {
        let mut total = 0.0;
        for (i, a) in positions.iter().enumerate() {
            for b in &positions[i + 1..] {
                let r2 = a
                    .iter()
                    .zip(b.iter())
                    .map(|(p, q)| (p - q).powi(2))
                    .sum::<f64>();
                if r2 < 9.0 {
                    total += potential.energy(r2);
                }
            }
        }
        total
    }

    #[differentiable]
    fn cluster_flat(q: &[f64]) -> f64 {
        let lj = LennardJones {
            epsilon: q[0],
            sigma: q[1],
        };
        let (triples, _) = q[2..].as_chunks::<3>();
        cluster(triples, &lj)
    }

    #[test]
    fn cluster() {
        let q = vec![0.8, 1.1, 0.0, 0.1, 0.0, 1.2, 0.0, 0.1, 0.2, 1.4, -0.3];
        crate::check::scalar!(cluster_flat, (), &q);
    }
}
