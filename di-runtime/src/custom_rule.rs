//! `custom_rule!`: a function with derivatives given by its author, callable from annotated code.

/// Declares a function of one, two or three numbers whose derivatives are given.
///
/// `primal` is any function on floats, of one's own or of another crate. Each partial derivative is an
/// annotated function (or another custom rule) of the same arguments, so that second order is there too.
/// The declared function is called like any other, and has a handle for operators.
///
/// # Examples
/// ```
/// use di_runtime::custom_rule;
/// use di_runtime::{backends::AutoSource, operators::derivative, prep::NoPrep};
///
/// fn wave_value(x: f64) -> f64 {
///     x.sin()
/// }
/// fn slope_value(x: f64) -> f64 {
///     x.cos()
/// }
/// fn negative(x: f64) -> f64 {
///     -x.sin()
/// }
///
/// custom_rule! {
///     /// The sine, from elsewhere.
///     fn wave(x: f64) -> f64 { primal: wave_value, partials: [slope] }
/// }
/// custom_rule! {
///     /// Its derivative.
///     fn slope(x: f64) -> f64 { primal: slope_value, partials: [bend] }
/// }
/// custom_rule! {
///     /// The derivative of that.
///     fn bend(x: f64) -> f64 { primal: negative, partials: [slope] }
/// }
///
/// assert_eq!(wave(0.5), 0.5_f64.sin());
/// let dy = derivative(wave::AD, NoPrep, &AutoSource::new(), &0.5).unwrap();
/// assert_eq!(dy, 0.5_f64.cos());
/// ```
#[macro_export]
macro_rules! custom_rule {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($a:ident: $float:ident $(,)?) -> $ret:ident {
        primal: $primal:path, partials: [$da:ident $(,)?] $(,)?
    }) => {
        $crate::custom_rule!(@emit $(#[$meta])*; $vis $name $float $primal; pool (a0, pool);
            (a0 t0 P0 0 $a $da));
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident(
        $a:ident: $float:ident, $b:ident: $_b:ident $(,)?
    ) -> $ret:ident {
        primal: $primal:path, partials: [$da:ident, $db:ident $(,)?] $(,)?
    }) => {
        $crate::custom_rule!(@emit $(#[$meta])*; $vis $name $float $primal; pool (a0, a1, pool);
            (a0 t0 P0 0 $a $da) (a1 t1 P1 1 $b $db));
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident(
        $a:ident: $float:ident, $b:ident: $_b:ident, $c:ident: $_c:ident $(,)?
    ) -> $ret:ident {
        primal: $primal:path, partials: [$da:ident, $db:ident, $dc:ident $(,)?] $(,)?
    }) => {
        $crate::custom_rule!(@emit $(#[$meta])*; $vis $name $float $primal; pool (a0, a1, a2, pool);
            (a0 t0 P0 0 $a $da) (a1 t1 P1 1 $b $db) (a2 t2 P2 2 $c $dc));
    };
    // a b   =>   (a, (b, ())), as a value or pattern, and the same of one type for each
    (@list) => { () };
    (@list $head:ident $($tail:ident)*) => { ($head, $crate::custom_rule!(@list $($tail)*)) };
    (@each $each:ty;) => { () };
    (@each $each:ty; $head:ident $($tail:ident)*) => {
        ($each, $crate::custom_rule!(@each $each; $($tail)*))
    };
    (@open) => { () };
    (@open $head:ident $($tail:ident)*) => {
        ($crate::bound::Open, $crate::custom_rule!(@open $($tail)*))
    };
    (@emit $(#[$meta:meta])*; $vis:vis $name:ident $float:ident $primal:path; $pool:ident $args:tt;
        $(($arg:ident $slot:ident $mark:ident $at:tt $user:ident $partial:ident))+
    ) => {
        $(#[$meta])*
        $vis fn $name($($user: $float),+) -> $float {
            $primal($($user),+)
        }

        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        $vis struct $name {}

        #[allow(dead_code, clippy::too_many_arguments)]
        impl $name {
            /// The handle of the function.
            pub const AD: $name = $name {};
            #[doc(hidden)]
            pub const __WORDS: usize = [$($at),+].len();
            #[doc(hidden)]
            pub const __INTS: usize = 0;
            #[doc(hidden)]
            pub const __BUFFERS: bool = false;
            #[doc(hidden)]
            pub const __NEEDS: [bool; [$($at),+].len()] = [false; [$($at),+].len()];

            #[doc(hidden)]
            #[inline]
            pub fn __primal<S: $crate::scalar::Scalar<Real = $float>>(
                $($arg: S,)+
                _: &mut $crate::generated::Pool,
            ) -> S {
                let [y] = $crate::rules::call(&$name {}, &[$($arg),+]);
                y
            }

            #[doc(hidden)]
            #[inline]
            pub fn __tangent<
                S: $crate::scalar::Scalar<Real = $float>,
                T: $crate::scalar::Lanes<S>,
                $($mark: $crate::generated::Activity),+
            >(
                $($arg: S, $slot: $crate::generated::Seed<'_, T, $mark>,)+
                $pool: &mut $crate::generated::Pool,
            ) -> (S, T) {
                let y = Self::__primal $args;
                let mut dy: T = $crate::scalar::Zero::zero();
                $(if <$mark as $crate::generated::Activity>::LIVE {
                    let part = $crate::scalar::Lanes::<S>::scale_strong(
                        $slot.value(),
                        $partial::__primal $args,
                    );
                    $crate::scalar::Lanes::<S>::acc(&mut dy, part);
                })+
                (y, dy)
            }

            #[doc(hidden)]
            #[inline]
            pub fn __augmented<S: $crate::scalar::Scalar<Real = $float>>(
                $($arg: S,)+
                words: &mut [S],
                _: &mut [usize],
                _: &mut $crate::generated::Tape<S>,
                $pool: &mut $crate::generated::Pool,
            ) -> S {
                words.copy_from_slice(&[$($arg),+]);
                Self::__primal $args
            }

            #[doc(hidden)]
            #[inline]
            pub fn __reverse<
                S: $crate::scalar::Scalar<Real = $float>,
                A: $crate::scalar::Lanes<S>,
                $($mark: $crate::generated::Activity),+
            >(
                $((): (), mut $slot: $crate::generated::Shadow<'_, A, $mark>,)+
                yb: A,
                words: &[S],
                _: &[usize],
                _: &$crate::generated::Tape<S>,
                _: &mut $crate::generated::Cursor,
                $pool: &mut $crate::generated::Pool,
            ) {
                $(let $arg = words[$at];)+
                $(if <$mark as $crate::generated::Activity>::LIVE {
                    $slot.acc($crate::scalar::Lanes::<S>::scale_strong(
                        yb,
                        $partial::__primal $args,
                    ));
                })+
            }

            #[doc(hidden)]
            #[inline]
            pub fn __fused<
                S: $crate::scalar::Scalar<Real = $float>,
                A: $crate::scalar::Lanes<S>,
                $($mark: $crate::generated::Activity),+
            >(
                $($arg: S, mut $slot: $crate::generated::Shadow<'_, A, $mark>,)+
                yb: A,
                _: &mut $crate::generated::Tape<S>,
                $pool: &mut $crate::generated::Pool,
            ) -> S {
                $(if <$mark as $crate::generated::Activity>::LIVE {
                    $slot.acc($crate::scalar::Lanes::<S>::scale_strong(
                        yb,
                        $partial::__primal $args,
                    ));
                })+
                Self::__primal $args
            }
        }

        impl $crate::rules::Rule<$float> for $name {
            fn inputs(&self) -> usize {
                Self::__WORDS
            }
            fn outputs(&self) -> usize {
                1
            }
            fn primal(&self, x: &[$float], y: &mut [$float]) {
                y[0] = $primal($(x[$at]),+);
            }
            fn pushforward<S: $crate::scalar::Scalar<Real = $float>>(
                &self,
                x: &[S],
                _: &[S],
                dx: &[S],
                dy: &mut [S],
            ) {
                $(let $arg = x[$at];)+
                dy[0] = S::default();
                let $pool = &mut $crate::generated::Pool::new();
                $(dy[0] = dy[0] + dx[$at].mul_strong($partial::__primal $args);)+
            }
            fn pullback<S: $crate::scalar::Scalar<Real = $float>>(
                &self,
                x: &[S],
                _: &[S],
                yb: &[S],
                xb: &mut [S],
            ) {
                $(let $arg = x[$at];)+
                let $pool = &mut $crate::generated::Pool::new();
                $(xb[$at] = xb[$at] + yb[0].mul_strong($partial::__primal $args);)+
            }
        }

        const _: () = {
            use $crate::handle as h;
            use $crate::scalar::{Lanes, Scalar};

            impl h::Handle for $name {
                type Real = $float;
                type Args = $crate::custom_rule!(@each $crate::value::Number; $($arg)+);
                type Caches = ();
                type Y = $crate::value::Number;
                type Kind = $crate::function::Returning;
                type Ctx<'c> = ();
                const WORDS: usize = Self::__WORDS;
                const RECORDS: bool = true;
                const INTS: usize = Self::__INTS;
                const BUFFERS: bool = Self::__BUFFERS;
                const NAMES: &'static [&'static str] = &[$(stringify!($user)),+];

                fn shorten<'s, 'l: 's>(ctx: Self::Ctx<'l>) -> Self::Ctx<'s> {
                    ctx
                }
                fn caches<'c>(
                    (): Self::Ctx<'c>,
                ) -> <() as $crate::value::Family>::Ref<'c, $float> {
                }
                fn primal<S: Scalar<Real = $float>>(
                    $crate::custom_rule!(@list $($arg)+): h::ArgsRef<'_, Self, S>,
                    (): Self::Ctx<'_>,
                    (): h::Scratch<'_, Self, S>,
                    y: h::Out<'_, Self, S>,
                    $pool: &mut $crate::generated::Pool,
                ) {
                    *y = Self::__primal $args;
                }
                fn tangent<S: Scalar<Real = $float>, T: Lanes<S>, M: $crate::value::Marks>(
                    $crate::custom_rule!(@list $($arg)+): h::ArgsRef<'_, Self, S>,
                    $crate::custom_rule!(@list $($slot)+): h::ArgsSeeds<'_, Self, T, M>,
                    (): Self::Ctx<'_>,
                    (): h::Scratch<'_, Self, S>,
                    (): h::ScratchLanes<'_, Self, T>,
                    y: h::Out<'_, Self, S>,
                    dy: h::OutLanes<'_, Self, T>,
                    $pool: &mut $crate::generated::Pool,
                ) {
                    (*y, *dy) = Self::__tangent($($arg, $slot,)+ $pool);
                }
                fn augmented<S: Scalar<Real = $float>>(
                    $crate::custom_rule!(@list $($arg)+): h::ArgsRef<'_, Self, S>,
                    (): Self::Ctx<'_>,
                    (): h::Scratch<'_, Self, S>,
                    y: h::Out<'_, Self, S>,
                    words: &mut [S],
                    ints: &mut [usize],
                    tape: &mut $crate::generated::Tape<S>,
                    $pool: &mut $crate::generated::Pool,
                ) {
                    *y = Self::__augmented($($arg,)+ words, ints, tape, $pool);
                }
                fn reverse<S: Scalar<Real = $float>, A: Lanes<S>, M: $crate::value::Marks>(
                    _: h::ArgsRef<'_, Self, S>,
                    $crate::custom_rule!(@list $($slot)+): h::ArgsShadows<'_, Self, A, M>,
                    (): Self::Ctx<'_>,
                    (): h::ScratchLanes<'_, Self, A>,
                    yb: h::OutAdjoint<'_, Self, A>,
                    words: &[S],
                    ints: &[usize],
                    tape: &$crate::generated::Tape<S>,
                    cursor: &mut $crate::generated::Cursor,
                    $pool: &mut $crate::generated::Pool,
                ) {
                    Self::__reverse($((), $slot,)+ yb, words, ints, tape, cursor, $pool);
                }
                fn fused<S: Scalar<Real = $float>, A: Lanes<S>, M: $crate::value::Marks>(
                    $crate::custom_rule!(@list $($arg)+): h::ArgsRef<'_, Self, S>,
                    $crate::custom_rule!(@list $($slot)+): h::ArgsShadows<'_, Self, A, M>,
                    (): Self::Ctx<'_>,
                    (): h::Scratch<'_, Self, S>,
                    (): h::ScratchLanes<'_, Self, A>,
                    y: h::Out<'_, Self, S>,
                    yb: h::OutAdjoint<'_, Self, A>,
                    tape: &mut $crate::generated::Tape<S>,
                    $pool: &mut $crate::generated::Pool,
                ) {
                    *y = Self::__fused($($arg, $slot,)+ yb, tape, $pool);
                }
            }

            impl $crate::bound::Function for $name {
                type Bound = $crate::bound::Bound<
                    'static,
                    $name,
                    $crate::custom_rule!(@each $crate::bound::Open; $($arg)+),
                >;
                fn bind(self) -> Self::Bound {
                    $crate::bound::Bound::new((), $crate::custom_rule!(@open $($arg)+))
                }
            }
        };
    };
}
