//! An operand that a row does not claim to read may be anything.

use di_runtime::rules::by_name;
use di_runtime::scalar::{Dual, Scalar};

use crate::samples::{rows, samples};

fn check_poisoned<S: Scalar + std::fmt::Debug>(number: impl Fn(usize, f64) -> S) {
    let poison = number(0, f64::NAN);
    for sample in rows().flat_map(samples) {
        let x: Vec<S> = sample
            .x
            .iter()
            .enumerate()
            .map(|(i, &x)| number(i, x))
            .collect();
        let y = by_name::value(sample.row.name, &x, sample.n).expect("a row of the table");
        for partial in sample.row.partials {
            let poisoned: Vec<S> = (0..x.len())
                .map(|i| {
                    if partial.reads_argument(i) {
                        x[i]
                    } else {
                        poison
                    }
                })
                .collect();
            let result = if partial.reads_result() { y } else { poison };
            let by = |x: &[S], y: S| {
                let d = by_name::partial(sample.row.name, partial.argument, x, sample.n, y);
                format!("{:?}", d.expect("a rule for each partial"))
            };
            assert_eq!(
                by(&poisoned, result),
                by(&x, y),
                "{sample:?} by {}",
                partial.argument
            );
        }
    }
}

#[test]
fn partials_of_floats_do_not_see_unread_operands() {
    check_poisoned(|_, x| x);
}

#[test]
fn partials_of_duals_do_not_see_unread_operands() {
    check_poisoned(|i, x| Dual::<f64, 3>::variable(x, i));
}
