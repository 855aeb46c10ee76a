//! What is generated for `growth`, without attributes; `rt` is the hidden module of the runtime.

fn growth(factors: &[f64], limit: f64) -> f64 {
    let mut size = 1.0;
    for factor in factors {
        size *= factor;
        if size > limit {
            return size.ln();
        }
    }
    size
}
impl growth {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __factors_a0: &[__S],
        __limit_a1: __S,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: __Checked = [];
        let mut __size_p1: __S = __S::from_real(1f64);
        let __t_2: usize = __factors_a0.len();
        for __t_4 in 0usize..__t_2 {
            let __factor_5: __S = (__factors_a0)[__t_4];
            __size_p1 = __size_p1 * __factor_5;
            if __S::gt(__size_p1, __limit_a1) {
                return __S::ln(__size_p1);
            }
        }
        __size_p1
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __factors_a0: &[__S],
        __limit_a1: __S,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let _: __Checked = [];
        let mut __result_p2: __S = __S::from_real(0f64);
        let mut __exit_p3: Option<usize> = Some(0usize);
        let mut __size_p1: __S = __S::from_real(1f64);
        let __t_2: usize = __factors_a0.len();
        let __trips_14: usize = if 0usize < __t_2 { __t_2 - 0usize } else { 0 };
        let mut __left2 = None;
        let mut __count2 = 0usize;
        loop {
            let __trip_15 = __count2;
            let __goes_on: Option<Option<bool>> = '__cond2: {
                Some({
                    let __exit_18: Option<usize> = __exit_p3;
                    let __t_20: Option<bool> = match (__exit_18,) {
                        (Some(__exit_18),) => Some(__exit_18 == 0usize),
                        _ => None,
                    };
                    let __then4: Option<Option<bool>> = '__then4: {
                        if __t_20 == Some(false) {
                            break '__then4 (None);
                        }
                        Some({
                            let __t_17 = __trip_15 < __trips_14;
                            Some(__t_17)
                        })
                    };
                    let __else4: Option<Option<bool>> = '__else4: {
                        if __t_20 == Some(true) {
                            break '__else4 (None);
                        }
                        Some({ Some(false) })
                    };
                    let __t_22: Option<bool> = match (__then4, __else4) {
                        (Some(mut __first), Some(__second)) => {
                            rt::Join::join(&mut __first, &__second)?;
                            __first
                        }
                        (Some(__first), None) => __first,
                        (None, Some(__second)) => __second,
                        (None, None) => {
                            break '__cond2 (None);
                        }
                    };
                    __t_22
                })
            };
            let Some(__goes_on) = __goes_on else { break };
            if __goes_on != Some(true) {
                match &mut __left2 {
                    None => {
                        __left2 = Some((
                            rt::Join::save(&__size_p1),
                            rt::Join::save(&__result_p2),
                            rt::Join::save(&__exit_p3),
                        ));
                    }
                    Some(__all2) => {
                        rt::Join::swap(&mut __size_p1, &mut __all2.0);
                        rt::Join::join(&mut __size_p1, &__all2.0)?;
                        rt::Join::swap(&mut __size_p1, &mut __all2.0);
                        rt::Join::swap(&mut __result_p2, &mut __all2.1);
                        rt::Join::join(&mut __result_p2, &__all2.1)?;
                        rt::Join::swap(&mut __result_p2, &mut __all2.1);
                        rt::Join::swap(&mut __exit_p3, &mut __all2.2);
                        rt::Join::join(&mut __exit_p3, &__all2.2)?;
                        rt::Join::swap(&mut __exit_p3, &mut __all2.2);
                    }
                }
            }
            if __goes_on == Some(false) {
                break;
            }
            let __alive: bool = '__trip2: {
                let __t_4: usize = 0usize + __trip_15 as usize;
                if __t_4 >= (__factors_a0).len() {
                    break '__trip2 (false);
                }
                let __factor_5: __S = (__factors_a0)[__t_4];
                let __t_6: __S = __size_p1;
                __size_p1 = __t_6 * __factor_5;
                let __t_8: __S = __size_p1;
                let __t_9: Option<bool> = <__S as rt::Abstract>::unknown();
                let mut __other5_2 = rt::Join::save(&__result_p2);
                let mut __other5_3 = rt::Join::save(&__exit_p3);
                let __then6: Option<()> = '__then6: {
                    if __t_9 == Some(false) {
                        break '__then6 (None);
                    }
                    Some({
                        let __t_10: __S = __size_p1;
                        __result_p2 = __S::ln(__t_10);
                        __exit_p3 = Some(1usize);
                    })
                };
                rt::Join::swap(&mut __result_p2, &mut __other5_2);
                rt::Join::swap(&mut __exit_p3, &mut __other5_3);
                let __else6: Option<()> = '__else6: {
                    if __t_9 == Some(true) {
                        break '__else6 (None);
                    }
                    Some({})
                };
                let (): () = match (__then6, __else6) {
                    (Some(mut __first), Some(__second)) => {
                        rt::Join::join(&mut __result_p2, &__other5_2)?;
                        rt::Join::join(&mut __exit_p3, &__other5_3)?;
                        __first
                    }
                    (Some(__first), None) => {
                        rt::Join::swap(&mut __result_p2, &mut __other5_2);
                        rt::Join::swap(&mut __exit_p3, &mut __other5_3);
                        __first
                    }
                    (None, Some(__second)) => __second,
                    (None, None) => {
                        break '__trip2 (false);
                    }
                };
                true
            };
            if !__alive {
                break;
            }
            __count2 += 1;
        }
        match __left2 {
            Some(mut __all2) => {
                rt::Join::swap(&mut __size_p1, &mut __all2.0);
                rt::Join::swap(&mut __result_p2, &mut __all2.1);
                rt::Join::swap(&mut __exit_p3, &mut __all2.2);
            }
            None => {
                return Err(rt::Undecided::panics());
            }
        }
        let __trips_16: Option<usize> = None;
        let __exit_24: Option<usize> = __exit_p3;
        let __t_26: Option<bool> = match (__exit_24,) {
            (Some(__exit_24),) => Some(__exit_24 == 2usize),
            _ => None,
        };
        let mut __other7_3 = rt::Join::save(&__exit_p3);
        let __then8: Option<()> = '__then8: {
            if __t_26 == Some(false) {
                break '__then8 (None);
            }
            Some({
                __exit_p3 = Some(0usize);
            })
        };
        rt::Join::swap(&mut __exit_p3, &mut __other7_3);
        let __else8: Option<()> = '__else8: {
            if __t_26 == Some(true) {
                break '__else8 (None);
            }
            Some({})
        };
        let (): () = match (__then8, __else8) {
            (Some(mut __first), Some(__second)) => {
                rt::Join::join(&mut __exit_p3, &__other7_3)?;
                __first
            }
            (Some(__first), None) => {
                rt::Join::swap(&mut __exit_p3, &mut __other7_3);
                __first
            }
            (None, Some(__second)) => __second,
            (None, None) => {
                return Err(rt::Undecided::panics());
            }
        };
        let __exit_29: Option<usize> = __exit_p3;
        let __t_31: Option<bool> = match (__exit_29,) {
            (Some(__exit_29),) => Some(__exit_29 == 0usize),
            _ => None,
        };
        let mut __other9_2 = rt::Join::save(&__result_p2);
        let mut __other9_3 = rt::Join::save(&__exit_p3);
        let __then10: Option<()> = '__then10: {
            if __t_31 == Some(false) {
                break '__then10 (None);
            }
            Some({
                let __t_12: __S = __size_p1;
                __result_p2 = __t_12;
                __exit_p3 = Some(1usize);
            })
        };
        rt::Join::swap(&mut __result_p2, &mut __other9_2);
        rt::Join::swap(&mut __exit_p3, &mut __other9_3);
        let __else10: Option<()> = '__else10: {
            if __t_31 == Some(true) {
                break '__else10 (None);
            }
            Some({})
        };
        let (): () = match (__then10, __else10) {
            (Some(mut __first), Some(__second)) => {
                rt::Join::join(&mut __result_p2, &__other9_2)?;
                rt::Join::join(&mut __exit_p3, &__other9_3)?;
                __first
            }
            (Some(__first), None) => {
                rt::Join::swap(&mut __result_p2, &mut __other9_2);
                rt::Join::swap(&mut __exit_p3, &mut __other9_3);
                __first
            }
            (None, Some(__second)) => __second,
            (None, None) => {
                return Err(rt::Undecided::panics());
            }
        };
        let __result_33: __S = __result_p2;
        Ok(__result_33)
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __factors_a0: &[__S],
        __slot0: rt::Seed<'_, [__A], __P0>,
        __limit_a1: __S,
        __slot1: rt::Seed<'_, __A, __P1>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: __Checked = [];
        let __factors_t_p4 = __slot0.beside(__factors_a0.len());
        let __limit_t_13 = __slot1.value();
        let mut __size_p1: __S = __S::from_real(1f64);
        let mut __size_t_p3: __A = __A::zero();
        let __t_2: usize = __factors_a0.len();
        for __t_4 in 0usize..__t_2 {
            let __factor_5: __S = (__factors_a0)[__t_4];
            let __t_6: __S = __size_p1;
            __size_p1 = __t_6 * __factor_5;
            let __t_9 = __S::gt(__size_p1, __limit_a1);
            let __factor_t_15: __A = if <__P0 as rt::Activity>::LIVE {
                __factors_t_p4[__t_4]
            } else {
                __A::zero()
            };
            __size_t_p3 = __size_t_p3.scale(__factor_5).add(__factor_t_15.scale(__t_6));
            let __t_t_20: __A = __size_t_p3;
            if __t_9 {
                let __t_10: __S = __size_p1;
                return (
                    __S::ln(__t_10),
                    __size_t_p3.scale(rt::rules::ln::d0(__t_10, __S::from_real(0.0))),
                );
            }
        }
        (__size_p1, __size_t_p3)
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __factors_a0: &[__S],
        __limit_a1: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let __words = &mut __rec[..1];
        let __ints = &mut __irec[..2];
        let _: __Checked = [];
        let __trips_2: usize = __factors_a0.len();
        let mut __result_p2: __S = __S::from_real(0f64);
        let mut __exit_p3: usize = 0usize;
        __words[0] = __limit_a1;
        let mut __size_p1: __S = __S::from_real(1f64);
        let mut __count1 = 0usize;
        while {
            let __trip_15 = __count1;
            let __exit_18: usize = __exit_p3;
            let __t_22: bool = if __exit_18 == 0usize {
                __trip_15 < __trips_2
            } else {
                false
            };
            __t_22
        } {
            let __trip_15 = __count1;
            let mut __record = [__S::default(); 2usize];
            let mut __irecord = [0usize; 0usize];
            {
                let __words2 = &mut __record[..2];
                let __factor_5: __S = (__factors_a0)[__trip_15];
                let __t_6: __S = __size_p1;
                __words2[0] = __t_6;
                let __t_7 = __t_6 * __factor_5;
                __size_p1 = __t_7;
                if __S::gt(__t_7, __limit_a1) {
                    let __t_10: __S = __size_p1;
                    __words2[1] = __t_10;
                    __result_p2 = __S::ln(__t_10);
                    __exit_p3 = 1usize;
                }
            }
            __tape.words.push_slice(&__record);
            __tape.ints.push_slice(&__irecord);
            __count1 += 1;
        }
        let __trips_16 = __count1;
        __ints[0] = __trips_16 as usize;
        let __exit_24: usize = __exit_p3;
        if __exit_24 == 2usize {
            __exit_p3 = 0usize;
        }
        let __exit_29: usize = __exit_p3;
        let __t_31 = __exit_29 == 0usize;
        __ints[1] = __t_31 as usize;
        if __t_31 {
            __result_p2 = __size_p1;
            __exit_p3 = 1usize;
        }
        let __result_33: __S = __result_p2;
        __result_33
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __factors_a0: &[__S],
        __slot0: rt::Shadow<'_, [__A], __P0>,
        __limit_a1: (),
        __slot1: rt::Shadow<'_, __A, __P1>,
        __seed0: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let __words = &__rec[..1];
        let __ints = &__irec[..2];
        let _: __Checked = [];
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH], &[__seed0]);
        let __factors_t_p6 = __slot0.beside(__factors_a0.len());
        if <__P0 as rt::Activity>::FRESH {
            rt::clear(&mut __factors_t_p6[..]);
        }
        if <__P1 as rt::Activity>::FRESH {
            __slot1.give::<__S>(__A::zero());
        }
        let __limit_0: __S = __words[0];
        let __trips_16: usize = __ints[0] as usize;
        let __t_31: bool = __ints[1] != 0;
        let mut __result_t_p4: __A = __A::zero();
        let mut __size_t_p5: __A = __A::zero();
        __result_t_p4 = __seed0;
        if __t_31 {
            let __t_t_35: __A = __result_t_p4;
            __result_t_p4 = __A::zero();
            __size_t_p5.acc(__t_t_35);
        }
        for __trip_15 in (0usize..__trips_16).rev() {
            let __record = __cur.words(__tape, 2usize);
            let __irecord = __cur.ints(__tape, 0usize);
            let __words1 = &__record[..2];
            let __factor_5: __S = (__factors_a0)[__trip_15];
            let __t_6: __S = __words1[0];
            if __S::gt(__t_6 * __factor_5, __limit_0) {
                let __t_t_37: __A = __result_t_p4;
                __result_t_p4 = __A::zero();
                __size_t_p5
                    .acc(
                        rt::scale_by::<
                            __S,
                            __A,
                        >(
                            __steady,
                            __t_t_37,
                            rt::rules::ln::d0(__words1[1], __S::from_real(0.0)),
                        ),
                    );
            }
            let __t_t_41: __A = __size_t_p5;
            let __factor_t_44 = __t_t_41.scale(__t_6);
            __size_t_p5 = __t_t_41.scale(__factor_5);
            if <__P0 as rt::Activity>::LIVE {
                __P0::add(&mut __factors_t_p6[__trip_15], __factor_t_44);
            }
        }
    }
}
