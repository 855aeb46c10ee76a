//! The rules as generated code calls them (docs/generated-code.md, section 2), for one float type.

/// The items of one handle. `bilinear`: the two slices, the lengths and distances, and the rule; the result is
/// a number or goes to a slice.
macro_rules! handle {
    ($float:ident, $name:ident, ($($c:ident),*), $rule:expr, slice) => {
        handle!(@common $name, ($($c),*), slice);
        impl $name {
            #[doc(hidden)]
            #[inline]
            pub fn __primal<S: Scalar<Real = $float>>(
                x: &[S], y: &[S], $($c: usize,)* z: &mut [S], pool: &mut Pool,
            ) {
                S::call_rule(&Pooled::new($rule, pool), [x, y], [z]);
            }
            #[doc(hidden)]
            pub fn __pattern<S: Abstract<Real = $float>>(
                x: &[S], y: &[S], $($c: usize,)* z: &mut [S], pool: &mut Pool,
            ) -> Result<(), Undecided> {
                Self::__primal(x, y, $($c,)* z, pool);
                Ok(())
            }
            #[doc(hidden)]
            #[inline]
            pub fn __tangent<S: Scalar<Real = $float>, T: Lanes<S>, P0: Activity, P1: Activity>(
                x: &[S], dx: Seed<'_, [T], P0>, y: &[S], dy: Seed<'_, [T], P1>, $($c: usize, _: (),)*
                z: &mut [S], dz: &mut [T], pool: &mut Pool,
            ) -> ((), ()) {
                S::call_rule(&Pooled::new($rule, &mut *pool), [x, y], [z]);
                dz.fill(T::zero());
                if let Some(dx) = dx.get() {
                    Bilinear::<$float>::push_x($rule, dx, y, dz, pool);
                }
                if let Some(dy) = dy.get() {
                    Bilinear::<$float>::push_y($rule, x, dy, dz, pool);
                }
                ((), ())
            }
            #[doc(hidden)]
            #[inline]
            pub fn __augmented<S: Scalar<Real = $float>>(
                x: &[S], y: &[S], $($c: usize,)* z: &mut [S], _: &mut [S], ints: &mut [usize],
                _: &mut Tape<S>, pool: &mut Pool,
            ) {
                ints.copy_from_slice(&[$($c),*]);
                Self::__primal(x, y, $($c,)* z, pool);
            }
            #[doc(hidden)]
            #[inline]
            pub fn __reverse<S: Scalar<Real = $float>, A: Lanes<S>, P0: Activity, P1: Activity>(
                x: &[S], mut xb: Shadow<'_, [A], P0>, y: &[S], mut yb: Shadow<'_, [A], P1>,
                $($c: (), _: (),)* _: (), zb: &mut [A], _: (), _: &[S], ints: &[usize],
                _: &Tape<S>, _: &mut Cursor, pool: &mut Pool,
            ) {
                $(let () = $c;)*
                let &[$($c),*] = ints else { return };
                if let Some(xb) = xb.get() {
                    Bilinear::<$float>::pull_x($rule, zb, y, xb, pool);
                }
                if let Some(yb) = yb.get() {
                    Bilinear::<$float>::pull_y($rule, zb, x, yb, pool);
                }
                zb.fill(A::zero());
            }
            #[doc(hidden)]
            #[inline]
            pub fn __fused<S: Scalar<Real = $float>, A: Lanes<S>, P0: Activity, P1: Activity>(
                x: &[S], mut xb: Shadow<'_, [A], P0>, y: &[S], mut yb: Shadow<'_, [A], P1>,
                $($c: usize, _: (),)* z: &mut [S], zb: &mut [A], _: (),
                _: &mut Tape<S>, pool: &mut Pool,
            ) {
                Self::__primal(x, y, $($c,)* z, pool);
                if let Some(xb) = xb.get() {
                    Bilinear::<$float>::pull_x($rule, zb, y, xb, pool);
                }
                if let Some(yb) = yb.get() {
                    Bilinear::<$float>::pull_y($rule, zb, x, yb, pool);
                }
                zb.fill(A::zero());
            }
        }
    };
    ($float:ident, $name:ident, ($($c:ident),*), $rule:expr, number) => {
        handle!(@common $name, ($($c),*), number);
        impl $name {
            #[doc(hidden)]
            #[inline]
            pub fn __primal<S: Scalar<Real = $float>>(
                x: &[S], y: &[S], $($c: usize,)* pool: &mut Pool,
            ) -> S {
                let mut z = [S::default()];
                S::call_rule(&Pooled::new($rule, pool), [x, y], [&mut z]);
                z[0]
            }
            #[doc(hidden)]
            pub fn __pattern<S: Abstract<Real = $float>>(
                x: &[S], y: &[S], $($c: usize,)* pool: &mut Pool,
            ) -> Result<S, Undecided> {
                Ok(Self::__primal(x, y, $($c,)* pool))
            }
            #[doc(hidden)]
            #[inline]
            pub fn __tangent<S: Scalar<Real = $float>, T: Lanes<S>, P0: Activity, P1: Activity>(
                x: &[S], dx: Seed<'_, [T], P0>, y: &[S], dy: Seed<'_, [T], P1>, $($c: usize, _: (),)*
                pool: &mut Pool,
            ) -> (S, T) {
                let z = Self::__primal(x, y, $($c,)* pool);
                let mut dz = [T::zero()];
                if let Some(dx) = dx.get() {
                    Bilinear::<$float>::push_x($rule, dx, y, &mut dz, pool);
                }
                if let Some(dy) = dy.get() {
                    Bilinear::<$float>::push_y($rule, x, dy, &mut dz, pool);
                }
                (z, dz[0])
            }
            #[doc(hidden)]
            #[inline]
            pub fn __augmented<S: Scalar<Real = $float>>(
                x: &[S], y: &[S], $($c: usize,)* _: &mut [S], ints: &mut [usize],
                _: &mut Tape<S>, pool: &mut Pool,
            ) -> S {
                ints.copy_from_slice(&[$($c),*]);
                Self::__primal(x, y, $($c,)* pool)
            }
            #[doc(hidden)]
            #[inline]
            pub fn __reverse<S: Scalar<Real = $float>, A: Lanes<S>, P0: Activity, P1: Activity>(
                x: &[S], mut xb: Shadow<'_, [A], P0>, y: &[S], mut yb: Shadow<'_, [A], P1>,
                $($c: (), _: (),)* zb: A, _: &[S], ints: &[usize],
                _: &Tape<S>, _: &mut Cursor, pool: &mut Pool,
            ) {
                $(let () = $c;)*
                let &[$($c),*] = ints else { return };
                if let Some(xb) = xb.get() {
                    Bilinear::<$float>::pull_x($rule, &[zb], y, xb, pool);
                }
                if let Some(yb) = yb.get() {
                    Bilinear::<$float>::pull_y($rule, &[zb], x, yb, pool);
                }
            }
            #[doc(hidden)]
            #[inline]
            pub fn __fused<S: Scalar<Real = $float>, A: Lanes<S>, P0: Activity, P1: Activity>(
                x: &[S], mut xb: Shadow<'_, [A], P0>, y: &[S], mut yb: Shadow<'_, [A], P1>,
                $($c: usize, _: (),)* zb: A, _: &mut Tape<S>, pool: &mut Pool,
            ) -> S {
                if let Some(xb) = xb.get() {
                    Bilinear::<$float>::pull_x($rule, &[zb], y, xb, pool);
                }
                if let Some(yb) = yb.get() {
                    Bilinear::<$float>::pull_y($rule, &[zb], x, yb, pool);
                }
                Self::__primal(x, y, $($c,)* pool)
            }
        }
    };
    (@common $name:ident, ($($c:ident),*), $result:ident) => {
        #[doc = concat!("The handle of `", stringify!($name), "`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {}
        impl $name {
            #[doc(hidden)]
            pub const __WORDS: usize = 0;
            #[doc(hidden)]
            pub const __INTS: usize = [$(stringify!($c)),*].len();
            #[doc(hidden)]
            pub const __RECORDS: bool = true;
            #[doc(hidden)]
            pub const __TAPE: bool = false;
            #[doc(hidden)]
            pub const __BUFFERS: bool = true;
            #[doc(hidden)]
            pub const fn __visit(seen: &mut Seen) {
                seen.takes_buffers();
            }
        }
        impl<T> Infer<T> for $name {
            type Of = Self;
        }
        handle!(@flags $name, ($($c),*), $result);
    };
    (@flags $name:ident, ($($c:ident),*), slice) => {
        impl $name {
            #[doc(hidden)]
            pub const __GIVES: &'static [u8] = &[];
            #[doc(hidden)]
            pub const __CONSTANT: [bool; 3 + Self::__INTS] = {
                let mut flags = [true; 3 + Self::__INTS];
                flags[0] = false;
                flags[1] = false;
                flags[2 + Self::__INTS] = false;
                flags
            };
            #[doc(hidden)]
            pub const __NEEDS: [bool; 3 + Self::__INTS] = {
                let mut flags = [false; 3 + Self::__INTS];
                flags[0] = true;
                flags[1] = true;
                flags
            };
            #[doc(hidden)]
            pub const __RENEWS: [u64; Self::__NEEDS.len()] = [1 << 63; Self::__NEEDS.len()];
        }
    };
    (@flags $name:ident, ($($c:ident),*), number) => {
        impl $name {
            #[doc(hidden)]
            pub const __GIVES: &'static [u8] = &[];
            #[doc(hidden)]
            pub const __CONSTANT: [bool; 2 + Self::__INTS] = {
                let mut flags = [true; 2 + Self::__INTS];
                flags[0] = false;
                flags[1] = false;
                flags
            };
            #[doc(hidden)]
            pub const __NEEDS: [bool; 2 + Self::__INTS] = {
                let mut flags = [false; 2 + Self::__INTS];
                flags[0] = true;
                flags[1] = true;
                flags
            };
            #[doc(hidden)]
            pub const __RENEWS: [u64; Self::__NEEDS.len()] = [1 << 63; Self::__NEEDS.len()];
        }
    };
}

/// The handles of one float type.
macro_rules! handles {
    ($float:ident) => {
        use super::bilinear::{Bilinear, Pooled};
        use super::products::{Dot, MatMul, MatVec, Sum};
        use crate::generated::{Activity, Cursor, Infer, Pool, Seed, Seen, Shadow, Tape};
        use crate::scalar::{Abstract, Lanes, Scalar, Undecided};

        handle!($float, dot, (n, sx, sy), Dot { n, sx, sy }, number);
        handle!(
            $float,
            mat_vec,
            (m, n, s, t, sx),
            MatVec { m, n, s, t, sx },
            slice
        );
        handle!(
            $float,
            mat_mul,
            (m, k, n, sa, ta, sb, tb),
            MatMul {
                dims: [m, k, n],
                a: [sa, ta],
                b: [sb, tb],
            },
            slice
        );

        /// The handle of `sum`.
        #[derive(Clone, Copy, Debug)]
        pub struct sum {}

        impl<T> Infer<T> for sum {
            type Of = Self;
        }

        #[doc(hidden)]
        impl sum {
            pub const __WORDS: usize = 0;
            pub const __INTS: usize = 4;
            pub const __RECORDS: bool = true;
            pub const __TAPE: bool = false;
            pub const __BUFFERS: bool = true;
            pub const fn __visit(seen: &mut Seen) {
                seen.takes_buffers();
            }

            pub const __GIVES: &'static [u8] = &[];
            #[doc(hidden)]
            pub const __CONSTANT: [bool; 5] = [false, true, true, true, true];
            pub const __NEEDS: [bool; 5] = [false; 5];
            #[doc(hidden)]
            pub const __RENEWS: [u64; 5] = [1 << 63; 5];

            #[inline]
            pub fn __primal<S: Scalar<Real = $float>>(
                x: &[S],
                m: usize,
                n: usize,
                s: usize,
                t: usize,
                pool: &mut Pool,
            ) -> S {
                let mut y = [S::default()];
                S::call_rule(&Pooled::new(Sum { m, n, s, t }, pool), [x], [&mut y]);
                y[0]
            }
            pub fn __pattern<S: Abstract<Real = $float>>(
                x: &[S],
                m: usize,
                n: usize,
                s: usize,
                t: usize,
                pool: &mut Pool,
            ) -> Result<S, Undecided> {
                Ok(Self::__primal(x, m, n, s, t, pool))
            }
            #[inline]
            pub fn __tangent<S: Scalar<Real = $float>, T: Lanes<S>, P0: Activity>(
                x: &[S],
                dx: Seed<'_, [T], P0>,
                m: usize,
                _: (),
                n: usize,
                _: (),
                s: usize,
                _: (),
                t: usize,
                _: (),
                pool: &mut Pool,
            ) -> (S, T) {
                let y = Self::__primal(x, m, n, s, t, pool);
                let dy = dx.get().map(|dx| Sum { m, n, s, t }.push(dx));
                (y, dy.unwrap_or_else(T::zero))
            }
            #[inline]
            pub fn __augmented<S: Scalar<Real = $float>>(
                x: &[S],
                m: usize,
                n: usize,
                s: usize,
                t: usize,
                _: &mut [S],
                ints: &mut [usize],
                _: &mut Tape<S>,
                pool: &mut Pool,
            ) -> S {
                ints.copy_from_slice(&[m, n, s, t]);
                Self::__primal(x, m, n, s, t, pool)
            }
            #[inline]
            pub fn __reverse<S: Scalar<Real = $float>, A: Lanes<S>, P0: Activity>(
                _: &[S],
                mut xb: Shadow<'_, [A], P0>,
                _: (),
                _: (),
                _: (),
                _: (),
                _: (),
                _: (),
                _: (),
                _: (),
                yb: A,
                _: &[S],
                ints: &[usize],
                _: &Tape<S>,
                _: &mut Cursor,
                _: &mut Pool,
            ) {
                let &[m, n, s, t] = ints else { return };
                if let Some(xb) = xb.get() {
                    Sum { m, n, s, t }.pull(yb, xb);
                }
            }
            #[inline]
            pub fn __fused<S: Scalar<Real = $float>, A: Lanes<S>, P0: Activity>(
                x: &[S],
                mut xb: Shadow<'_, [A], P0>,
                m: usize,
                _: (),
                n: usize,
                _: (),
                s: usize,
                _: (),
                t: usize,
                _: (),
                yb: A,
                _: &mut Tape<S>,
                pool: &mut Pool,
            ) -> S {
                if let Some(xb) = xb.get() {
                    Sum { m, n, s, t }.pull(yb, xb);
                }
                Self::__primal(x, m, n, s, t, pool)
            }
        }
    };
}
