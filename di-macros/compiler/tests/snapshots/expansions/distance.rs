//! What is generated for `distance`, without attributes; `rt` is the hidden module of the runtime.

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let squared: f64 = x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum();
    squared.sqrt()
}
impl distance {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __x_a0: &[__S],
        __y_a1: &[__S],
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: __Checked = [];
        let mut __sum_p2: __S = __S::from_real(-0f64);
        let __t_2: usize = __x_a0.len();
        let __t_3: usize = __y_a1.len();
        let __t_4: usize = rt::told::<
            usize,
        >({
            let __told: __If<(usize)> = {
                let __n0: __If<(_)> = __t_2;
                let __n1: __If<(_)> = __t_3;
                __n0.min(__n1)
            };
            __told
        });
        for __t_6 in 0usize..__t_4 {
            let __a_7: __S = (__x_a0)[__t_6];
            let __b_8: __S = (__y_a1)[__t_6];
            __sum_p2 = __sum_p2 + __S::powi(__a_7 - __b_8, 2i32);
        }
        let __squared_12: __S = __sum_p2;
        __S::sqrt(__squared_12)
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __x_a0: &[__S],
        __y_a1: &[__S],
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let __r0 = Self::__primal::<__S>(__x_a0, __y_a1, __pool);
        Ok(__r0)
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __x_a0: &[__S],
        __slot0: rt::Seed<'_, [__A], __P0>,
        __y_a1: &[__S],
        __slot1: rt::Seed<'_, [__A], __P1>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: __Checked = [];
        let __x_t_p4 = __slot0.beside(__x_a0.len());
        let __y_t_p5 = __slot1.beside(__y_a1.len());
        let mut __sum_p2: __S = __S::from_real(-0f64);
        let mut __sum_t_p3: __A = __A::zero();
        let __t_2: usize = __x_a0.len();
        let __t_3: usize = __y_a1.len();
        let __t_4: usize = rt::told::<
            usize,
        >({
            let __told: __If<(usize)> = {
                let __n0: __If<(_)> = __t_2;
                let __n1: __If<(_)> = __t_3;
                __n0.min(__n1)
            };
            __told
        });
        for __t_6 in 0usize..__t_4 {
            let __a_7: __S = (__x_a0)[__t_6];
            let __b_8: __S = (__y_a1)[__t_6];
            let __t_9 = __a_7 - __b_8;
            __sum_p2 = __sum_p2 + __S::powi(__t_9, 2i32);
            let __a_t_15: __A = if <__P0 as rt::Activity>::LIVE {
                __x_t_p4[__t_6]
            } else {
                __A::zero()
            };
            let __b_t_16: __A = if <__P1 as rt::Activity>::LIVE {
                __y_t_p5[__t_6]
            } else {
                __A::zero()
            };
            __sum_t_p3
                .acc(
                    __a_t_15
                        .sub(__b_t_16)
                        .scale(rt::rules::powi::d0(__t_9, 2i32, __S::from_real(0.0))),
                );
        }
        let __squared_12: __S = __sum_p2;
        let __t_13 = __S::sqrt(__squared_12);
        let __squared_t_20: __A = __sum_t_p3;
        (__t_13, __squared_t_20.scale(rt::rules::sqrt::d0(__S::from_real(0.0), __t_13)))
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __x_a0: &[__S],
        __y_a1: &[__S],
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let __words = &mut __rec[..1];
        let __ints = &mut __irec[..1];
        let _: __Checked = [];
        let __t_2: usize = __x_a0.len();
        let __t_3: usize = __y_a1.len();
        let mut __sum_p2: __S = __S::from_real(-0f64);
        let __trips_4: usize = rt::told::<
            usize,
        >({
            let __told: __If<(usize)> = {
                let __n0: __If<(_)> = __t_2;
                let __n1: __If<(_)> = __t_3;
                __n0.min(__n1)
            };
            __told
        });
        __ints[0] = __trips_4 as usize;
        if 0usize < __trips_4 {
            let __x_p3: &[__S] = &(__x_a0)[0usize..__trips_4];
            let __y_p4: &[__S] = &(__y_a1)[0usize..__trips_4];
            for __trip_15 in 0usize..__trips_4 {
                let __a_7: __S = (__x_p3)[__trip_15];
                let __b_8: __S = (__y_p4)[__trip_15];
                __sum_p2 = __sum_p2 + __S::powi(__a_7 - __b_8, 2i32);
            }
        }
        let __squared_12: __S = __sum_p2;
        let __t_13 = __S::sqrt(__squared_12);
        __words[0] = __t_13;
        __t_13
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __x_a0: &[__S],
        __slot0: rt::Shadow<'_, [__A], __P0>,
        __y_a1: &[__S],
        __slot1: rt::Shadow<'_, [__A], __P1>,
        __seed0: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let __words = &__rec[..1];
        let __ints = &__irec[..1];
        let _: __Checked = [];
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH], &[__seed0]);
        let __y_t_p4 = __slot1.beside(__y_a1.len());
        let __x_t_p5 = __slot0.beside(__x_a0.len());
        let __trips_4: usize = __ints[0] as usize;
        let mut __sum_t_p3: __A = __A::zero();
        let __squared_t_19 = rt::scale_by::<
            __S,
            __A,
        >(__steady, __seed0, rt::rules::sqrt::d0(__S::from_real(0.0), __words[0]));
        __sum_t_p3 = __squared_t_19;
        if 0usize < __trips_4 {
            let __x_p6: &[__S] = &(__x_a0)[0usize..__trips_4];
            let __y_p7: &[__S] = &(__y_a1)[0usize..__trips_4];
            if <__P1 as rt::Activity>::FRESH {
                __y_t_p4[..0usize].fill(__A::zero());
                __y_t_p4[__trips_4..].fill(__A::zero());
            }
            let __y_t_p8: &mut [__A] = if <__P1 as rt::Activity>::LIVE {
                &mut (__y_t_p4)[0usize..__trips_4]
            } else {
                &mut []
            };
            if <__P0 as rt::Activity>::FRESH {
                __x_t_p5[..0usize].fill(__A::zero());
                __x_t_p5[__trips_4..].fill(__A::zero());
            }
            let __x_t_p9: &mut [__A] = if <__P0 as rt::Activity>::LIVE {
                &mut (__x_t_p5)[0usize..__trips_4]
            } else {
                &mut []
            };
            for __trip_15 in 0usize..__trips_4 {
                let __a_7: __S = (__x_p6)[__trip_15];
                let __b_8: __S = (__y_p7)[__trip_15];
                let __a_t_22 = __sum_t_p3
                    .scale(
                        rt::rules::powi::d0(__a_7 - __b_8, 2i32, __S::from_real(0.0)),
                    );
                if <__P1 as rt::Activity>::LIVE {
                    __P1::first(&mut __y_t_p8[__trip_15], __a_t_22.neg());
                }
                if <__P0 as rt::Activity>::LIVE {
                    __P0::first(&mut __x_t_p9[__trip_15], __a_t_22);
                }
            }
        } else {
            if <__P1 as rt::Activity>::FRESH {
                __y_t_p4.fill(__A::zero());
            }
            if <__P0 as rt::Activity>::FRESH {
                __x_t_p5.fill(__A::zero());
            }
        }
    }
}
