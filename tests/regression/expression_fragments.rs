//! `$e` of a `macro_rules!` is one expression, also behind the attribute: `y * $e` with
//! `2.0 + 1.0` once became `y * 2.0 + 1.0`, in the function itself.

use di::prelude::*;

macro_rules! make {
    ($name:ident, $e:expr) => {
        #[differentiable]
        fn $name(x: &[f64]) -> f64 {
            let y = x[0] * x[1];
            y * $e
        }
    };
}
make!(scaled, 2.0 + 1.0);

#[test]
fn fragment_is_one_expression() {
    let x = [1.5, 0.5];
    assert_eq!(scaled(&x), 2.25);
    let (y, g) = value_and_gradient(scaled::AD, NoPrep, &AutoSource::new(), &x).expect("fits");
    assert_eq!((y, g), (2.25, [1.5, 4.5]));
}
