//! What is generated for `elastic`, without attributes; `rt` is the hidden module of the runtime.

fn elastic(position: &[f64]) -> f64 {
    let mut energy = 0.0;
    for i in 1..position.len() {
        let stretch = position[i] - position[i - 1];
        energy += 0.5 * stretch * stretch;
    }
    energy
}
impl elastic {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __arg0: &[__S],
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: [(); <elastic>::__SOUND] = [];
        let __position_p0 = __arg0;
        let __t_0: f64 = 0f64;
        let mut __energy_p1: __S = <__S as rt::Scalar>::from_real(__t_0);
        let __t_1: usize = 1;
        let __t_2: usize = (__position_p0).len();
        for __i_3 in (__t_1..__t_2) {
            let __t_4: __S = __position_p0[__i_3];
            let __t_5: usize = 1;
            let __t_6: usize = __i_3 - __t_5;
            let __t_7: __S = __position_p0[__t_6];
            let __stretch_8: __S = __t_4 - __t_7;
            let __t_9: f64 = 0.5f64;
            let __t_10: __S = rt::Scalar::mul_real(__stretch_8, __t_9);
            let __t_11: __S = __t_10 * __stretch_8;
            __energy_p1 = __energy_p1 + __t_11;
        }
        let __t_12: __S = __energy_p1;
        return __t_12;
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: &[__S],
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let __r0 = Self::__primal::<__S>(__arg0, __pool);
        Ok(__r0)
    }
    fn __tangent<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __arg0: &[__S],
        __slot0: rt::Seed<'_, [__A], __P0>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: [(); <elastic>::__SOUND] = [];
        let __position_p0 = __arg0;
        let __position_t_p3 = __slot0.beside(__position_p0.len());
        let __t_0: f64 = 0f64;
        let mut __energy_p1: __S = <__S as rt::Scalar>::from_real(__t_0);
        let __t_t_13: __A = <__A as rt::Zero>::zero();
        let mut __energy_t_p2: __A = __t_t_13;
        let __t_1: usize = 1;
        let __t_2: usize = (__position_p0).len();
        for __i_3 in (__t_1..__t_2) {
            let __t_4: __S = __position_p0[__i_3];
            let __t_5: usize = 1;
            let __t_6: usize = __i_3 - __t_5;
            let __t_7: __S = __position_p0[__t_6];
            let __stretch_8: __S = __t_4 - __t_7;
            let __t_9: f64 = 0.5f64;
            let __t_10: __S = rt::Scalar::mul_real(__stretch_8, __t_9);
            let __t_11: __S = __t_10 * __stretch_8;
            __energy_p1 = __energy_p1 + __t_11;
            let __t_t_14: __A = if <__P0 as rt::Activity>::LIVE {
                __position_t_p3[__i_3]
            } else {
                <__A as rt::Zero>::zero()
            };
            let __t_t_15: __A = if <__P0 as rt::Activity>::LIVE {
                __position_t_p3[__t_6]
            } else {
                <__A as rt::Zero>::zero()
            };
            let __stretch_t_16: __A = <__A as rt::Lanes<__S>>::sub(__t_t_14, __t_t_15);
            let __t_t_17: __A = <__A as rt::Lanes<
                __S,
            >>::scale_real(__stretch_t_16, __t_9);
            let __t_t_18: __A = <__A as rt::Lanes<__S>>::scale(__t_t_17, __stretch_8);
            let __t_t_19: __A = <__A as rt::Lanes<__S>>::scale(__stretch_t_16, __t_10);
            let __t_t_20: __A = <__A as rt::Lanes<__S>>::add(__t_t_18, __t_t_19);
            <__A as rt::Lanes<__S>>::acc(&mut __energy_t_p2, __t_t_20);
        }
        let __t_12: __S = __energy_p1;
        let __t_t_21: __A = __energy_t_p2;
        return (__t_12, __t_t_21);
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __arg0: &[__S],
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: [(); <elastic>::__SOUND] = [];
        let __position_p0 = __arg0;
        let __t_1: usize = 1;
        let __t_2: usize = (__position_p0).len();
        let __t_15: usize = 0;
        let __t_0: f64 = 0f64;
        let mut __energy_p1: __S = <__S as rt::Scalar>::from_real(__t_0);
        let __trips_13: usize = if __t_1 < __t_2 { __t_2 - __t_1 } else { 0 };
        let __t_19: bool = __t_15 < __trips_13;
        if __t_19 {
            let __t_16: usize = __t_1 + __trips_13;
            let __position_p2: &[__S] = &__position_p0[__t_1..__t_16];
            let __t_17: usize = __t_1 - __t_1;
            let __t_18: usize = __t_17 + __trips_13;
            let __position_p3: &[__S] = &__position_p0[__t_17..__t_18];
            for __trip_14 in (__t_15..__trips_13) {
                let __i_3: usize = __t_1 + __trip_14 as usize;
                let __t_4: __S = __position_p2[__trip_14];
                let __t_6: usize = __i_3 - __t_1;
                let __t_7: __S = __position_p3[__trip_14];
                let __stretch_8: __S = __t_4 - __t_7;
                let __t_9: f64 = 0.5f64;
                let __t_10: __S = rt::Scalar::mul_real(__stretch_8, __t_9);
                let __t_11: __S = __t_10 * __stretch_8;
                __energy_p1 = __energy_p1 + __t_11;
            }
        }
        let __t_12: __S = __energy_p1;
        return __t_12;
    }
    fn __reverse<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __arg0: &[__S],
        __slot0: rt::Shadow<'_, [__A], __P0>,
        __result_adjoint: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let _: [(); <elastic>::__SOUND] = [];
        let __position_p0 = __arg0;
        let __seed0 = __result_adjoint;
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH], &[__seed0]);
        let __position_t_p3 = __slot0.beside(__position_p0.len());
        let __t_1: usize = 1;
        let __t_2: usize = (__position_p0).len();
        let __trips_13: usize = if __t_1 < __t_2 { __t_2 - __t_1 } else { 0 };
        let __t_t_22: __A = <__A as rt::Zero>::zero();
        let mut __energy_t_p2: __A = __t_t_22;
        let __t_t_16: __A = __seed0;
        <__A as rt::Lanes<__S>>::acc(&mut __energy_t_p2, __t_t_16);
        let __t_21: usize = 0;
        let __t_34: bool = __t_21 < __trips_13;
        if __t_34 {
            let __t_t_23: __A = <__A as rt::Zero>::zero();
            let mut __carried_t_p4: __A = __t_t_23;
            let __t_29: usize = __t_1 + __trips_13;
            let __position_p5: &[__S] = &__position_p0[__t_1..__t_29];
            let __t_30: usize = __t_1 - __t_1;
            let __t_31: usize = __t_30 + __trips_13;
            let __position_p6: &[__S] = &__position_p0[__t_30..__t_31];
            let __t_32: usize = __t_1 - __t_1;
            let __t_33: usize = __t_32 + __trips_13;
            if <__P0 as rt::Activity>::FRESH {
                __position_t_p3[..__t_32].fill(<__A as rt::Zero>::zero());
                __position_t_p3[__t_33..].fill(<__A as rt::Zero>::zero());
            }
            let __position_t_p7: &mut [__A] = if <__P0 as rt::Activity>::LIVE {
                &mut __position_t_p3[__t_32..__t_33]
            } else {
                &mut []
            };
            for __trip_14 in (__t_21..__trips_13) {
                let __i_3: usize = __t_1 + __trip_14 as usize;
                let __t_4: __S = __position_p5[__trip_14];
                let __t_6: usize = __i_3 - __t_1;
                let __t_7: __S = __position_p6[__trip_14];
                let __stretch_8: __S = __t_4 - __t_7;
                let __t_9: f64 = 0.5f64;
                let __t_10: __S = rt::Scalar::mul_real(__stretch_8, __t_9);
                let __t_t_17: __A = __energy_t_p2;
                let __t_18: __S = __t_10 + __t_10;
                let __stretch_t_19: __A = rt::scale_by::<
                    __S,
                    __A,
                >(__steady, __t_t_17, __t_18);
                let __t_t_24: __A = __carried_t_p4;
                let __t_t_25: __A = <__A as rt::Lanes<
                    __S,
                >>::sub(__t_t_24, __stretch_t_19);
                if <__P0 as rt::Activity>::FRESH {
                    __position_t_p7[__trip_14] = __t_t_25;
                } else {
                    if <__P0 as rt::Activity>::LIVE {
                        <__A as rt::Lanes<
                            __S,
                        >>::acc(&mut __position_t_p7[__trip_14], __t_t_25);
                    }
                }
                __carried_t_p4 = __stretch_t_19;
            }
            let __t_26: usize = __t_1 - __t_1;
            let __t_27: usize = __t_26 + __trips_13;
            let __t_t_28: __A = __carried_t_p4;
            if <__P0 as rt::Activity>::LIVE {
                <__A as rt::Lanes<__S>>::acc(&mut __position_t_p3[__t_27], __t_t_28);
            }
        } else {
            if <__P0 as rt::Activity>::FRESH {
                __position_t_p3.fill(<__A as rt::Zero>::zero());
            }
        }
    }
}
