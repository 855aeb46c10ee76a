//! What is generated for `distance`, without attributes; `rt` is the hidden module of the runtime.

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let squared: f64 = x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum();
    squared.sqrt()
}
impl distance {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __arg0: &[__S],
        __arg1: &[__S],
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: [(); <distance>::__SOUND] = [];
        let __x_p0 = __arg0;
        let __y_p1 = __arg1;
        let __t_0: f64 = 0f64;
        let __t_1: f64 = -__t_0;
        let mut __sum_p2: __S = <__S as rt::Scalar>::from_real(__t_1);
        let __t_2: usize = (__x_p0).len();
        let __t_3: usize = (__y_p1).len();
        let __t_4: usize = rt::told::<
            usize,
        >({
            let __told: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(usize)>>::Then = {
                let __n0: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(_)>>::Then = __t_2;
                let __n1: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(_)>>::Then = __t_3;
                __n0.min(__n1)
            };
            __told
        });
        let __t_5: usize = 0;
        for __t_6 in (__t_5..__t_4) {
            let __a_7: __S = __x_p0[__t_6];
            let __b_8: __S = __y_p1[__t_6];
            let __t_9: __S = __a_7 - __b_8;
            let __t_10: i32 = 2;
            let __t_11: __S = rt::Scalar::powi(__t_9, __t_10);
            __sum_p2 = __sum_p2 + __t_11;
        }
        let __squared_12: __S = __sum_p2;
        let __t_13: __S = rt::Scalar::sqrt(__squared_12);
        return __t_13;
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: &[__S],
        __arg1: &[__S],
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let __r0 = Self::__primal::<__S>(__arg0, __arg1, __pool);
        Ok(__r0)
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __arg0: &[__S],
        __slot0: rt::Seed<'_, [__A], __P0>,
        __arg1: &[__S],
        __slot1: rt::Seed<'_, [__A], __P1>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: [(); <distance>::__SOUND] = [];
        let __x_p0 = __arg0;
        let __y_p1 = __arg1;
        let __x_t_p4 = __slot0.beside(__x_p0.len());
        let __y_t_p5 = __slot1.beside(__y_p1.len());
        let __t_0: f64 = 0f64;
        let __t_1: f64 = -__t_0;
        let mut __sum_p2: __S = <__S as rt::Scalar>::from_real(__t_1);
        let __t_t_14: __A = <__A as rt::Zero>::zero();
        let mut __sum_t_p3: __A = __t_t_14;
        let __t_2: usize = (__x_p0).len();
        let __t_3: usize = (__y_p1).len();
        let __t_4: usize = rt::told::<
            usize,
        >({
            let __told: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(usize)>>::Then = {
                let __n0: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(_)>>::Then = __t_2;
                let __n1: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(_)>>::Then = __t_3;
                __n0.min(__n1)
            };
            __told
        });
        let __t_5: usize = 0;
        for __t_6 in (__t_5..__t_4) {
            let __a_7: __S = __x_p0[__t_6];
            let __b_8: __S = __y_p1[__t_6];
            let __t_9: __S = __a_7 - __b_8;
            let __t_10: i32 = 2;
            let __t_11: __S = rt::Scalar::powi(__t_9, __t_10);
            let __t_18: __S = rt::rules::powi::d0(
                __t_9,
                __t_10,
                <__S as rt::Scalar>::from_real(0.0),
            );
            __sum_p2 = __sum_p2 + __t_11;
            let __a_t_15: __A = if <__P0 as rt::Activity>::LIVE {
                __x_t_p4[__t_6]
            } else {
                <__A as rt::Zero>::zero()
            };
            let __b_t_16: __A = if <__P1 as rt::Activity>::LIVE {
                __y_t_p5[__t_6]
            } else {
                <__A as rt::Zero>::zero()
            };
            let __t_t_17: __A = <__A as rt::Lanes<__S>>::sub(__a_t_15, __b_t_16);
            let __t_t_19: __A = <__A as rt::Lanes<__S>>::scale(__t_t_17, __t_18);
            <__A as rt::Lanes<__S>>::acc(&mut __sum_t_p3, __t_t_19);
        }
        let __squared_12: __S = __sum_p2;
        let __t_13: __S = rt::Scalar::sqrt(__squared_12);
        let __t_21: __S = rt::rules::sqrt::d0(
            <__S as rt::Scalar>::from_real(0.0),
            __t_13,
        );
        let __squared_t_20: __A = __sum_t_p3;
        let __t_t_22: __A = <__A as rt::Lanes<__S>>::scale(__squared_t_20, __t_21);
        return (__t_13, __t_t_22);
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __arg0: &[__S],
        __arg1: &[__S],
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let (__rec, __irec) = (
            &mut __rec[..<distance>::__WORDS],
            &mut __irec[..<distance>::__INTS],
        );
        let (__words, __callee_words) = __rec.split_at_mut(1usize);
        let (__ints, __callee_ints) = __irec.split_at_mut(1usize);
        let _: [(); <distance>::__SOUND] = [];
        let __x_p0 = __arg0;
        let __y_p1 = __arg1;
        let __t_2: usize = (__x_p0).len();
        let __t_3: usize = (__y_p1).len();
        let __t_5: usize = 0;
        let __t_10: i32 = 2;
        let __t_0: f64 = 0f64;
        let __t_1: f64 = -__t_0;
        let mut __sum_p2: __S = <__S as rt::Scalar>::from_real(__t_1);
        let __trips_4: usize = rt::told::<
            usize,
        >({
            let __told: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(usize)>>::Then = {
                let __n0: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(_)>>::Then = __t_2;
                let __n1: <rt::Sound<{ <distance>::__SOUND }> as rt::If<(_)>>::Then = __t_3;
                __n0.min(__n1)
            };
            __told
        });
        __ints[0usize] = __trips_4 as usize;
        let __t_17: bool = __t_5 < __trips_4;
        if __t_17 {
            let __x_p3: &[__S] = &__x_p0[__t_5..__trips_4];
            let __y_p4: &[__S] = &__y_p1[__t_5..__trips_4];
            for __trip_15 in (__t_5..__trips_4) {
                let __a_7: __S = __x_p3[__trip_15];
                let __b_8: __S = __y_p4[__trip_15];
                let __t_9: __S = __a_7 - __b_8;
                let __t_11: __S = rt::Scalar::powi(__t_9, __t_10);
                __sum_p2 = __sum_p2 + __t_11;
            }
        }
        let __squared_12: __S = __sum_p2;
        let __t_13: __S = rt::Scalar::sqrt(__squared_12);
        __words[0usize] = __t_13;
        return __t_13;
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __arg0: &[__S],
        __slot0: rt::Shadow<'_, [__A], __P0>,
        __arg1: &[__S],
        __slot1: rt::Shadow<'_, [__A], __P1>,
        __result_adjoint: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let (__rec, __irec) = (
            &__rec[..<distance>::__WORDS],
            &__irec[..<distance>::__INTS],
        );
        let (__words, __callee_words) = __rec.split_at(1usize);
        let (__ints, __callee_ints) = __irec.split_at(1usize);
        let _: [(); <distance>::__SOUND] = [];
        let __x_p0 = __arg0;
        let __y_p1 = __arg1;
        let __seed0 = __result_adjoint;
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH], &[__seed0]);
        let __y_t_p4 = __slot1.beside(__y_p1.len());
        let __x_t_p5 = __slot0.beside(__x_p0.len());
        let __t_10: i32 = 2;
        let __trips_4: usize = __ints[0usize] as usize;
        let __t_13: __S = __words[0usize];
        let __t_t_25: __A = <__A as rt::Zero>::zero();
        let mut __sum_t_p3: __A = __t_t_25;
        let __t_t_17: __A = __seed0;
        let __t_18: __S = rt::rules::sqrt::d0(
            <__S as rt::Scalar>::from_real(0.0),
            __t_13,
        );
        let __squared_t_19: __A = rt::scale_by::<__S, __A>(__steady, __t_t_17, __t_18);
        <__A as rt::Lanes<__S>>::acc(&mut __sum_t_p3, __squared_t_19);
        let __t_24: usize = 0;
        let __t_26: bool = __t_24 < __trips_4;
        if __t_26 {
            let __x_p6: &[__S] = &__x_p0[__t_24..__trips_4];
            let __y_p7: &[__S] = &__y_p1[__t_24..__trips_4];
            if <__P1 as rt::Activity>::FRESH {
                __y_t_p4[..__t_24].fill(<__A as rt::Zero>::zero());
                __y_t_p4[__trips_4..].fill(<__A as rt::Zero>::zero());
            }
            let __y_t_p8: &mut [__A] = if <__P1 as rt::Activity>::LIVE {
                &mut __y_t_p4[__t_24..__trips_4]
            } else {
                &mut []
            };
            if <__P0 as rt::Activity>::FRESH {
                __x_t_p5[..__t_24].fill(<__A as rt::Zero>::zero());
                __x_t_p5[__trips_4..].fill(<__A as rt::Zero>::zero());
            }
            let __x_t_p9: &mut [__A] = if <__P0 as rt::Activity>::LIVE {
                &mut __x_t_p5[__t_24..__trips_4]
            } else {
                &mut []
            };
            for __trip_15 in (__t_24..__trips_4) {
                let __a_7: __S = __x_p6[__trip_15];
                let __b_8: __S = __y_p7[__trip_15];
                let __t_9: __S = __a_7 - __b_8;
                let __t_t_20: __A = __sum_t_p3;
                let __t_21: __S = rt::rules::powi::d0(
                    __t_9,
                    __t_10,
                    <__S as rt::Scalar>::from_real(0.0),
                );
                let __a_t_22: __A = <__A as rt::Lanes<__S>>::scale(__t_t_20, __t_21);
                if <__P1 as rt::Activity>::FRESH {
                    __y_t_p8[__trip_15] = <__A as rt::Lanes<__S>>::neg(__a_t_22);
                } else {
                    if <__P1 as rt::Activity>::LIVE {
                        <__A as rt::Lanes<__S>>::dec(&mut __y_t_p8[__trip_15], __a_t_22);
                    }
                }
                if <__P0 as rt::Activity>::FRESH {
                    __x_t_p9[__trip_15] = __a_t_22;
                } else {
                    if <__P0 as rt::Activity>::LIVE {
                        <__A as rt::Lanes<__S>>::acc(&mut __x_t_p9[__trip_15], __a_t_22);
                    }
                }
            }
        } else {
            if <__P1 as rt::Activity>::FRESH {
                __y_t_p4.fill(<__A as rt::Zero>::zero());
            }
            if <__P0 as rt::Activity>::FRESH {
                __x_t_p5.fill(<__A as rt::Zero>::zero());
            }
        }
    }
}
