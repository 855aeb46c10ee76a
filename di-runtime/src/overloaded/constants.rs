//! `std::f64` and `std::f32` on active numbers.

macro_rules! constants {
    ($($float:ident)*) => {$(
        #[doc = concat!("`std::", stringify!($float), "` on active numbers.")]
        pub mod $float {
            #[doc = concat!("`", stringify!($float), "`.")]
            pub type Number = super::super::Active<$float>;

            constants!(@deprecated $float: EPSILON MIN MIN_POSITIVE MAX INFINITY NEG_INFINITY NAN);
            constants!(@digits $float u32: RADIX MANTISSA_DIGITS DIGITS);
            constants!(@digits $float i32: MIN_EXP MAX_EXP MIN_10_EXP MAX_10_EXP);

            #[doc = concat!("`std::", stringify!($float), "::consts` on active numbers.")]
            pub mod consts {
                use super::super::super::Active;

                constants!(@consts $float: PI TAU E SQRT_2 LN_2 LN_10 LOG2_E LOG2_10 LOG10_E LOG10_2 FRAC_PI_2
                    FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8 FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI FRAC_1_SQRT_2);

                /// The golden ratio, which younger versions of std have.
                pub const GOLDEN_RATIO: Active<$float> = Active::constant(1.618_033_988_749_895_f64 as $float);
                /// Euler's constant, which younger versions of std have.
                pub const EULER_GAMMA: Active<$float> = Active::constant(0.577_215_664_901_532_9_f64 as $float);
            }
        }
    )*};
    (@deprecated $float:ident: $($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($float), "::", stringify!($name), "`.")]
        pub const $name: super::super::Active<$float> = super::super::Active::<$float>::$name;
    )*};
    (@digits $float:ident $int:ident: $($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($float), "::", stringify!($name), "`.")]
        pub const $name: $int = $float::$name;
    )*};
    (@consts $float:ident: $($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub const $name: Active<$float> = Active::constant(core::$float::consts::$name);
    )*};
}
constants! {
    f64
    f32
}
