//! Methods of [`Backend`](crate::backend::Backend) that only hand their arguments on.

/// `methods!(hand_on: gradient hvp)` writes the methods `gradient` and `hvp` of an
/// `impl<K> Backend<K>`, each with the body `hand_on!(self, space, gradient, call, x, g)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __methods {
    ($hand_on:ident: $($operator:ident)*) => {
        $($crate::__method!($hand_on $operator);)*
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __method {
    ($hand_on:ident linearize) => {
        fn linearize(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
        ) -> Result<bool, $crate::error::Error> {
            $hand_on!(self, space, linearize, call, x)
        }
    };
    ($hand_on:ident pushforward) => {
        #[inline]
        fn pushforward(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            dx: &[$crate::function::XLanes<'_, K, K::Real>],
            y: $crate::function::Slot<'_, K, K::Real>,
            dy: &mut [$crate::function::YLanesMut<'_, K, K::Real>],
        ) -> Result<(), $crate::error::Error> {
            $hand_on!(self, space, pushforward, call, x, dx, y, dy)
        }
    };
    ($hand_on:ident pullback) => {
        #[inline]
        fn pullback(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            dy: &[$crate::function::YLanes<'_, K, K::Real>],
            y: $crate::function::Slot<'_, K, K::Real>,
            dx: &mut [$crate::function::XLanesMut<'_, K, K::Real>],
        ) -> Result<(), $crate::error::Error> {
            $hand_on!(self, space, pullback, call, x, dy, y, dx)
        }
    };
    ($hand_on:ident derivative) => {
        fn derivative(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: K::Real,
            y: $crate::function::Slot<'_, K, K::Real>,
            dy: $crate::function::YLanesMut<'_, K, K::Real>,
        ) -> Result<(), $crate::error::Error>
        where
            K: $crate::function::OfNumber,
        {
            $hand_on!(self, space, derivative, call, x, y, dy)
        }
    };
    ($hand_on:ident gradient) => {
        #[inline]
        fn gradient(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            g: $crate::function::XLanesMut<'_, K, K::Real>,
        ) -> Result<K::Real, $crate::error::Error>
        where
            K: $crate::function::NumberValued,
        {
            $hand_on!(self, space, gradient, call, x, g)
        }
    };
    ($hand_on:ident gradient_alone) => {
        fn gradient_alone(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            g: $crate::function::XLanesMut<'_, K, K::Real>,
        ) -> Result<(), $crate::error::Error>
        where
            K: $crate::function::NumberValued,
        {
            $hand_on!(self, space, gradient_alone, call, x, g)
        }
    };
    ($hand_on:ident jacobian) => {
        fn jacobian(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            y: $crate::function::Slot<'_, K, K::Real>,
            j: &mut Self::Matrix,
        ) -> Result<(), $crate::error::Error> {
            $hand_on!(self, space, jacobian, call, x, y, j)
        }
    };
    ($hand_on:ident second_derivative) => {
        fn second_derivative(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: K::Real,
            y: $crate::function::Slot<'_, K, K::Real>,
            dy: $crate::function::YLanesMut<'_, K, K::Real>,
            ddy: $crate::function::YLanesMut<'_, K, K::Real>,
        ) -> Result<(), $crate::error::Error>
        where
            K: $crate::function::OfNumber,
        {
            $hand_on!(self, space, second_derivative, call, x, y, dy, ddy)
        }
    };
    ($hand_on:ident hvp) => {
        fn hvp(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            dx: &[$crate::function::XLanes<'_, K, K::Real>],
            g: Option<$crate::function::XLanesMut<'_, K, K::Real>>,
            products: &mut [$crate::function::XLanesMut<'_, K, K::Real>],
        ) -> Result<K::Real, $crate::error::Error>
        where
            K: $crate::function::NumberValued,
        {
            $hand_on!(self, space, hvp, call, x, dx, g, products)
        }
    };
    ($hand_on:ident hessian) => {
        fn hessian(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            g: Option<$crate::function::XLanesMut<'_, K, K::Real>>,
            h: &mut Self::Matrix,
        ) -> Result<K::Real, $crate::error::Error>
        where
            K: $crate::function::NumberValued,
        {
            $hand_on!(self, space, hessian, call, x, g, h)
        }
    };
    ($hand_on:ident hessian_diagonal) => {
        fn hessian_diagonal(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            g: Option<$crate::function::XLanesMut<'_, K, K::Real>>,
            d: $crate::function::XLanesMut<'_, K, K::Real>,
        ) -> Result<K::Real, $crate::error::Error>
        where
            K: $crate::function::NumberValued,
        {
            $hand_on!(self, space, hessian_diagonal, call, x, g, d)
        }
    };
    ($hand_on:ident compressed_columns) => {
        fn compressed_columns(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            seeds: &$crate::compressed::Seeds,
            y: $crate::function::Slot<'_, K, K::Real>,
            reader: &mut impl $crate::compressed::Reader<K::Real>,
        ) -> Result<(), $crate::error::Error> {
            $hand_on!(self, space, compressed_columns, call, x, seeds, y, reader)
        }
    };
    ($hand_on:ident compressed_rows) => {
        fn compressed_rows(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            seeds: &$crate::compressed::Seeds,
            y: $crate::function::Slot<'_, K, K::Real>,
            reader: &mut impl $crate::compressed::Reader<K::Real>,
        ) -> Result<(), $crate::error::Error> {
            $hand_on!(self, space, compressed_rows, call, x, seeds, y, reader)
        }
    };
    ($hand_on:ident compressed_hessian) => {
        fn compressed_hessian(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            seeds: &$crate::compressed::Seeds,
            g: Option<$crate::function::XLanesMut<'_, K, K::Real>>,
            reader: &mut impl $crate::compressed::Reader<K::Real>,
        ) -> Result<K::Real, $crate::error::Error>
        where
            K: $crate::function::NumberValued,
        {
            $hand_on!(self, space, compressed_hessian, call, x, seeds, g, reader)
        }
    };
    ($hand_on:ident compressed_hessian_alone) => {
        fn compressed_hessian_alone(
            &self,
            space: &mut $crate::primitive::Space<K, Self>,
            call: $crate::function::Call<'_, K>,
            x: $crate::function::XRef<'_, K, K::Real>,
            seeds: &$crate::compressed::Seeds,
            reader: &mut impl $crate::compressed::Reader<K::Real>,
        ) -> Result<(), $crate::error::Error>
        where
            K: $crate::function::NumberValued,
        {
            $hand_on!(
                self,
                space,
                compressed_hessian_alone,
                call,
                x,
                seeds,
                reader
            )
        }
    };
    // what every backend with dense matrices has
    ($hand_on:ident matrix) => {
        fn matrix(
            &self,
            _: &Self::Scratch,
            rows: usize,
            columns: usize,
        ) -> $crate::matrix::Matrix<K::Real> {
            $crate::matrix::Matrix::zeros((rows, columns))
        }
    };
}

pub(super) use __methods as methods;
