//! What is generated for `polar`, without attributes; `rt` is the hidden module of the runtime.

fn polar(x: f64, y: f64) -> (f64, f64) {
    let radius = x.hypot(y);
    let angle = y.atan2(x);
    (radius, angle)
}
impl polar {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __x_a0: __S,
        __y_a1: __S,
        __pool: &mut rt::Pool,
    ) -> (__S, __S) {
        let _: __Checked = [];
        let __radius_2 = __S::hypot(__x_a0, __y_a1);
        let __angle_3 = __S::atan2(__y_a1, __x_a0);
        (__radius_2, __angle_3)
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __x_a0: __S,
        __y_a1: __S,
        __pool: &mut rt::Pool,
    ) -> Result<(__S, __S), rt::Undecided> {
        let (__r0, __r1) = Self::__primal::<__S>(__x_a0, __y_a1, __pool);
        Ok((__r0, __r1))
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __x_a0: __S,
        __slot0: rt::Seed<'_, __A, __P0>,
        __y_a1: __S,
        __slot1: rt::Seed<'_, __A, __P1>,
        __pool: &mut rt::Pool,
    ) -> ((__S, __S), (__A, __A)) {
        let _: __Checked = [];
        let __radius_2 = __S::hypot(__x_a0, __y_a1);
        let __angle_3 = __S::atan2(__y_a1, __x_a0);
        let __x_t_4 = __slot0.value();
        let __y_t_5 = __slot1.value();
        let __radius_t_10 = __x_t_4
            .scale(rt::rules::hypot::d0(__x_a0, __S::from_real(0.0), __radius_2))
            .add(
                __y_t_5
                    .scale(rt::rules::hypot::d1(__S::from_real(0.0), __y_a1, __radius_2)),
            );
        let __angle_t_15 = __y_t_5
            .scale(rt::rules::atan2::d0(__y_a1, __x_a0, __S::from_real(0.0)))
            .add(
                __x_t_4.scale(rt::rules::atan2::d1(__y_a1, __x_a0, __S::from_real(0.0))),
            );
        ((__radius_2, __angle_3), (__radius_t_10, __angle_t_15))
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __x_a0: __S,
        __y_a1: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> (__S, __S) {
        let __words = &mut __rec[..3];
        let _: __Checked = [];
        __words[0] = __x_a0;
        __words[1] = __y_a1;
        let __radius_2 = __S::hypot(__x_a0, __y_a1);
        __words[2] = __radius_2;
        let __angle_3 = __S::atan2(__y_a1, __x_a0);
        (__radius_2, __angle_3)
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __x_a0: (),
        __slot0: rt::Shadow<'_, __A, __P0>,
        __y_a1: (),
        __slot1: rt::Shadow<'_, __A, __P1>,
        (__seed0, __seed1): (__A, __A),
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let __words = &__rec[..3];
        let _: __Checked = [];
        let __steady = rt::steady::<
            __S,
            __A,
        >(
            &[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH],
            &[__seed0, __seed1],
        );
        let __x_0: __S = __words[0];
        let __y_1: __S = __words[1];
        let __radius_2: __S = __words[2];
        let __x_t_12 = rt::scale_by::<
            __S,
            __A,
        >(__steady, __seed1, rt::rules::atan2::d1(__y_1, __x_0, __S::from_real(0.0)))
            .add(
                rt::scale_by::<
                    __S,
                    __A,
                >(
                    __steady,
                    __seed0,
                    rt::rules::hypot::d0(__x_0, __S::from_real(0.0), __radius_2),
                ),
            );
        let __y_t_15 = rt::scale_by::<
            __S,
            __A,
        >(__steady, __seed1, rt::rules::atan2::d0(__y_1, __x_0, __S::from_real(0.0)))
            .add(
                rt::scale_by::<
                    __S,
                    __A,
                >(
                    __steady,
                    __seed0,
                    rt::rules::hypot::d1(__S::from_real(0.0), __y_1, __radius_2),
                ),
            );
        __slot1.give::<__S>(__y_t_15);
        __slot0.give::<__S>(__x_t_12);
    }
}
