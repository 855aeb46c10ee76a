//! A module without the prelude.
#![deny(warnings)]

mod bare {
    #![no_implicit_prelude]

    #[derive(::di::Differentiable)]
    pub struct Pair {
        pub w: ::std::vec::Vec<f64>,
        pub k: f64,
    }

    #[::di::differentiable]
    pub fn scaled(p: &Pair, k: f64) -> f64 {
        p.w[0] * k + p.k
    }

    #[::di::differentiable]
    pub fn f(x: &[f64], p: &Pair) -> f64 {
        let mut v: ::std::vec::Vec<f64> = ::std::vec![0.0; 2];
        for i in 0..2 {
            v[i] = x[i] * p.w[i];
        }
        let o = if x[0] > 0.0 {
            ::std::option::Option::Some(v[0] * p.k)
        } else {
            ::std::option::Option::None
        };
        match o {
            ::std::option::Option::Some(t) => t * v[1] + scaled(p, t),
            ::std::option::Option::None => v[1],
        }
    }
}

fn main() {
    let _ = bare::f::AD;
    let p = bare::Pair {
        w: vec![1.0, 2.0],
        k: 3.0,
    };
    assert_eq!(bare::f(&[1.0, 2.0], &p), 18.0);
}
