//! Option pricing. Refused: each with what the compiler says.

// E0277 `[[f64; 3]; 3]` is not a differentiable type
// E0080 [DI0125] `M3` is an alias of a type with floats, which nobody sees through here
// E0080 [DI0316] `< chol3 as::di::__private::Returns>:: Result` is taken for a struct, and this operator on a struct cannot be differentiated
/// Basket option on correlated assets with a 3x3 Cholesky factor.
mod basket {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type M3 = [[f64; 3]; 3];

    #[differentiable]
    fn chol3(c: &M3) -> M3 {
        let mut l = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..=i {
                let mut s = c[i][j];
                for k in 0..j {
                    s -= l[i][k] * l[j][k];
                }
                l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
            }
        }
        l
    }

    #[differentiable]
    pub fn basket_call(x: &[f64], #[constant] draws: &[[f64; 3]]) -> f64 {
        let (spots, rest) = x.split_at(3);
        let (vols, corr) = rest.split_at(3);
        let c = [[1.0, corr[0], corr[1]], [corr[0], 1.0, corr[2]], [corr[1], corr[2], 1.0]];
        let l = chol3(&c);
        let mut total = 0.0;
        for z in draws {
            let mut basket = 0.0;
            for i in 0..3 {
                let w: f64 = (0..=i).map(|k| l[i][k] * z[k]).sum();
                basket += spots[i] * (vols[i] * w - 0.5 * vols[i] * vols[i]).exp() / 3.0;
            }
            total += (basket - 0.8).max(0.0);
        }
        total / draws.len() as f64
    }

    #[test]
    fn basket() {
        let draws = [[0.3, -0.2, 1.0], [-1.5, -0.9, -1.2], [0.9, 0.6, -0.3], [0.1, 1.2, 0.4]];
        scalar!(basket_call, (&draws), &[1.0, 0.9, 1.2, 0.3, 0.2, 0.4, 0.5, 0.2, 0.3]);
    }
}
