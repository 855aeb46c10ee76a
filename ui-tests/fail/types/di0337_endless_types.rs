#![allow(warnings)]

use di::differentiable;

#[differentiable]
mod nested {
    #[derive(Clone, Copy)]
    pub struct K<T> {
        pub inner: T,
        pub n: f64,
    }

    impl<T: Copy> K<T> {
        pub fn wrap(self) -> K<K<T>> {
            K { inner: self, n: self.n }
        }
    }

    pub fn two() -> K<f64> {
        K { inner: 1.0, n: 2.0 }
    }

    pub fn f(x: f64) -> f64 {
        x * 2.0
    }
}

fn main() {}

// row 952 refused: methods that put a generic struct into itself without end, `fn wrap(self) -> K<K<T>>`
