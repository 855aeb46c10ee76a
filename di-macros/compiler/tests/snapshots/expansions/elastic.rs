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
        __position_a0: &[__S],
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: __Checked = [];
        let mut __energy_p1: __S = __S::from_real(0f64);
        let __t_2: usize = __position_a0.len();
        for __i_3 in 1usize..__t_2 {
            let __stretch_8 = (__position_a0)[__i_3] - (__position_a0)[__i_3 - 1usize];
            __energy_p1 = __energy_p1
                + (__S::mul_real(__stretch_8, 0.5f64) * __stretch_8);
        }
        __energy_p1
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __position_a0: &[__S],
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let __r0 = Self::__primal::<__S>(__position_a0, __pool);
        Ok(__r0)
    }
    fn __tangent<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __position_a0: &[__S],
        __slot0: rt::Seed<'_, [__A], __P0>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: __Checked = [];
        let __position_t_p3 = __slot0.beside(__position_a0.len());
        let mut __energy_p1: __S = __S::from_real(0f64);
        let mut __energy_t_p2: __A = __A::zero();
        let __t_2: usize = __position_a0.len();
        for __i_3 in 1usize..__t_2 {
            let __t_6: usize = __i_3 - 1usize;
            let __stretch_8 = (__position_a0)[__i_3] - (__position_a0)[__t_6];
            let __t_10 = __S::mul_real(__stretch_8, 0.5f64);
            __energy_p1 = __energy_p1 + (__t_10 * __stretch_8);
            let __t_t_14: __A = if <__P0 as rt::Activity>::LIVE {
                __position_t_p3[__i_3]
            } else {
                __A::zero()
            };
            let __t_t_15: __A = if <__P0 as rt::Activity>::LIVE {
                __position_t_p3[__t_6]
            } else {
                __A::zero()
            };
            let __stretch_t_16 = __t_t_14.sub(__t_t_15);
            __energy_t_p2
                .acc(
                    __stretch_t_16
                        .scale_real(0.5f64)
                        .scale(__stretch_8)
                        .add(__stretch_t_16.scale(__t_10)),
                );
        }
        (__energy_p1, __energy_t_p2)
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __position_a0: &[__S],
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: __Checked = [];
        let __t_2: usize = __position_a0.len();
        let mut __energy_p1: __S = __S::from_real(0f64);
        let __trips_13: usize = if 1usize < __t_2 { __t_2 - 1usize } else { 0 };
        if 0usize < __trips_13 {
            let __t_16: usize = 1usize + __trips_13;
            let __position_p2: &[__S] = &(__position_a0)[1usize..__t_16];
            let __t_17: usize = 1usize - 1usize;
            let __t_18: usize = __t_17 + __trips_13;
            let __position_p3: &[__S] = &(__position_a0)[__t_17..__t_18];
            for __trip_14 in 0usize..__trips_13 {
                let __i_3: usize = 1usize + __trip_14 as usize;
                let __t_4: __S = (__position_p2)[__trip_14];
                let __t_6: usize = __i_3 - 1usize;
                let __t_7: __S = (__position_p3)[__trip_14];
                let __stretch_8 = __t_4 - __t_7;
                __energy_p1 = __energy_p1
                    + (__S::mul_real(__stretch_8, 0.5f64) * __stretch_8);
            }
        }
        __energy_p1
    }
    fn __reverse<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __position_a0: &[__S],
        __slot0: rt::Shadow<'_, [__A], __P0>,
        __seed0: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let _: __Checked = [];
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH], &[__seed0]);
        let __position_t_p3 = __slot0.beside(__position_a0.len());
        let __t_2: usize = __position_a0.len();
        let __trips_13: usize = if 1usize < __t_2 { __t_2 - 1usize } else { 0 };
        let mut __energy_t_p2: __A = __A::zero();
        __energy_t_p2 = __seed0;
        if 0usize < __trips_13 {
            let mut __carried_t_p4: __A = __A::zero();
            let __t_28: usize = 1usize + __trips_13;
            let __position_p5: &[__S] = &(__position_a0)[1usize..__t_28];
            let __t_29: usize = 1usize - 1usize;
            let __t_30: usize = __t_29 + __trips_13;
            let __position_p6: &[__S] = &(__position_a0)[__t_29..__t_30];
            let __t_31: usize = 1usize - 1usize;
            let __t_32: usize = __t_31 + __trips_13;
            if <__P0 as rt::Activity>::FRESH {
                __position_t_p3[..__t_31].fill(__A::zero());
                __position_t_p3[__t_32..].fill(__A::zero());
            }
            let __position_t_p7: &mut [__A] = if <__P0 as rt::Activity>::LIVE {
                &mut (__position_t_p3)[__t_31..__t_32]
            } else {
                &mut []
            };
            for __trip_14 in 0usize..__trips_13 {
                let __i_3: usize = 1usize + __trip_14 as usize;
                let __t_4: __S = (__position_p5)[__trip_14];
                let __t_6: usize = __i_3 - 1usize;
                let __t_7: __S = (__position_p6)[__trip_14];
                let __stretch_8 = __t_4 - __t_7;
                let __stretch_t_18 = rt::scale_by::<
                    __S,
                    __A,
                >(__steady, __energy_t_p2, __stretch_8);
                let __t_t_24 = __carried_t_p4.sub(__stretch_t_18);
                if <__P0 as rt::Activity>::LIVE {
                    __P0::first(&mut __position_t_p7[__trip_14], __t_t_24);
                }
                __carried_t_p4 = __stretch_t_18;
            }
            let __t_26: usize = (1usize - 1usize) + __trips_13;
            let __t_t_27: __A = __carried_t_p4;
            if <__P0 as rt::Activity>::LIVE {
                __P0::add(&mut __position_t_p3[__t_26], __t_t_27);
            }
        } else {
            if <__P0 as rt::Activity>::FRESH {
                __position_t_p3.fill(__A::zero());
            }
        }
    }
}
