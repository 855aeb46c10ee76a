//! Macros of std, and macros of the module.

use di::prelude::*;

use crate::{agrees, close};

#[overloaded]
mod model {
    macro_rules! named {
        ($($f:ident),* on $at:expr) => {
            0.0 $(+ f64::$f($at))*
        };
    }

    macro_rules! weighted {
        ($($w:expr => $x:expr),+ $(,)?) => {
            [$($w * $x),+]
        };
    }

    macro_rules! polynomial {
        ($x:expr; $c:expr) => { $c };
        ($x:expr; $c:expr, $($rest:expr),+) => { $c + $x * polynomial!($x; $($rest),+) };
    }

    macro_rules! pair {
        ($(#[$meta:meta])* $vis:vis struct $name:ident { $($field:ident: $ty:ty),* }) => {
            $(#[$meta])*
            #[derive(Clone, Copy)]
            $vis struct $name { $($field: $ty),* }

            impl $name {
                fn sum(&self) -> f64 {
                    0.5 $(+ self.$field)*
                }
            }
        };
    }

    pair! {
        /// Made by a macro.
        pub(crate) struct Made { first: f64, second: f64 }
    }

    macro_rules! functions {
        ($($name:ident: $t:ty => $body:expr;)*) => {$(
            fn $name(v: $t) -> $t {
                let f: fn($t) -> $t = $body;
                f(v)
            }
        )*};
    }

    functions! {
        halved: f64 => |v| v * 0.5;
        bent: f64 => |v| v.tanh() + 1.0;
    }

    pub fn own(x: &[f64]) -> f64 {
        let all = weighted!(0.5 => x[0], 2.0 => x[1].exp());
        let made = Made {
            first: x[0],
            second: x[1] * x[1],
        };
        named!(sin, exp, cosh on x[0] * x[1])
            + all.iter().sum::<f64>() * polynomial!(x[0]; 1.0, -0.5, x[1])
            + made.sum() * halved(x[0]) * bent(x[1])
    }

    fn text(x: &[f64]) -> String {
        format!(
            "{:.1} of {:?}, {x0:>5.2}",
            x[0] * 2.0,
            [0.5, 1.0],
            x0 = x[1]
        )
    }

    pub fn of_std(x: &[f64]) -> f64 {
        assert!(x[0] > -100.0, "too small: {}", x[0]);
        assert_eq!(x.len(), 2, "of {x:?}");
        assert_ne!(x[0], 1e9);
        debug_assert!(x[0] < 1e9 && !x[1].is_nan());
        let mut v = vec![0.0; 3];
        v[1] = x[0];
        let w = vec![x[1], 0.5, 3.0 * x[0]];
        let mut out = String::new();
        std::fmt::Write::write_fmt(&mut out, format_args!("{:e}", x[0])).unwrap();
        if out.is_empty() {
            unreachable!("nothing was written of {}", x[0]);
        }
        let kind = match text(x).len() {
            0 => panic!("no text for {:?}", x),
            n if n < 3 => unreachable!(),
            _ => concat!("a", 1.5, stringify!(2.0)).len(),
        };
        let small = matches!(x[0], v if v < 0.5);
        let some = matches!((x[0] > 0.0, Some(x[1])), (true, Some(v)) if v > 0.25);
        v.iter()
            .zip(&w)
            .map(|(a, b)| a * b + b.powi(kind as i32 - 5))
            .sum::<f64>()
            + x[0] * f64::from(small)
            + f64::from(u8::from(some)) * x[1]
    }
}

#[test]
fn macros_of_the_module_are_copied() {
    agrees!(model::own::AD, model::own, [[0.4, 0.9], [-0.7, 1.4]]);
    let found = evaluate(model::own::AD, &[0.0, 0.0]).unwrap();
    close("value", &[found], &[model::own(&[0.0, 0.0])]);
}

#[test]
fn macros_of_std_take_numbers() {
    agrees!(
        model::of_std::AD,
        model::of_std,
        [[0.4, 0.9], [-0.7, 1.4], [1.2, 0.1]]
    );
}
