//! What is generated for `root`, without attributes; `rt` is the hidden module of the runtime.

fn root(square: f64) -> f64 {
    let mut guess = square;
    while (guess * guess - square).abs() > 1e-12 {
        let better = 0.5 * (guess + square / guess);
        guess = better;
    }
    guess
}
impl root {
    fn __primal<__S: rt::Scalar<Real = f64>>(__arg0: __S, __pool: &mut rt::Pool) -> __S {
        let _: [(); <root>::__SOUND] = [];
        let __square_0: __S = __arg0;
        let mut __guess_p0: __S = __square_0;
        while {
            let __t_1: __S = __guess_p0;
            let __t_2: __S = __guess_p0;
            let __t_3: __S = __t_1 * __t_2;
            let __t_4: __S = __t_3 - __square_0;
            let __t_5: __S = rt::Scalar::abs(__t_4);
            let __t_6: f64 = 0.000000000001f64;
            let __t_7: bool = <__S as rt::Scalar>::gt(
                __t_5,
                <__S as rt::Scalar>::from_real(__t_6),
            );
            __t_7
        } {
            let __t_8: f64 = 0.5f64;
            let __t_9: __S = __guess_p0;
            let __t_10: __S = __guess_p0;
            let __t_11: __S = __square_0 / __t_10;
            let __t_12: __S = __t_9 + __t_11;
            let __better_13: __S = rt::Scalar::mul_real(__t_12, __t_8);
            __guess_p0 = __better_13;
        }
        let __t_14: __S = __guess_p0;
        return __t_14;
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: __S,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let _: [(); <root>::__SOUND] = [];
        let __square_0: __S = __arg0;
        let mut __guess_p0: __S = __square_0;
        let mut __left2 = None;
        let mut __count2 = 0usize;
        loop {
            let __trip_15 = __count2;
            let __goes_on: Option<Option<bool>> = '__cond2: {
                Some({
                    let __t_1: __S = __guess_p0;
                    let __t_2: __S = __guess_p0;
                    let __t_3: __S = __t_1 * __t_2;
                    let __t_4: __S = __t_3 - __square_0;
                    let __t_5: __S = rt::Scalar::abs(__t_4);
                    let __t_6: f64 = 0.000000000001f64;
                    let __t_7: Option<bool> = <__S as rt::Abstract>::unknown();
                    __t_7
                })
            };
            let Some(__goes_on) = __goes_on else { break };
            if __goes_on != Some(true) {
                match &mut __left2 {
                    None => __left2 = Some((rt::Join::save(&__guess_p0),)),
                    Some(__all2) => {
                        rt::Join::swap(&mut __guess_p0, &mut __all2.0);
                        rt::Join::join(&mut __guess_p0, &__all2.0)?;
                        rt::Join::swap(&mut __guess_p0, &mut __all2.0);
                    }
                }
            }
            if __goes_on == Some(false) {
                break;
            }
            let __before2 = if __count2.is_power_of_two() || __count2 >= 256usize {
                Some((rt::Join::save(&__guess_p0),))
            } else {
                None
            };
            let __alive: bool = '__trip2: {
                let __t_8: f64 = 0.5f64;
                let __t_9: __S = __guess_p0;
                let __t_10: __S = __guess_p0;
                let __t_11: __S = __square_0 / __t_10;
                let __t_12: __S = __t_9 + __t_11;
                let __better_13: __S = rt::Scalar::mul_real(__t_12, __t_8);
                __guess_p0 = __better_13;
                true
            };
            if !__alive {
                break;
            }
            if let Some(__before2) = __before2 {
                if true && rt::Join::within(&__guess_p0, &__before2.0) {
                    match &mut __left2 {
                        None => __left2 = Some((rt::Join::save(&__guess_p0),)),
                        Some(__all2) => {
                            rt::Join::swap(&mut __guess_p0, &mut __all2.0);
                            rt::Join::join(&mut __guess_p0, &__all2.0)?;
                            rt::Join::swap(&mut __guess_p0, &mut __all2.0);
                        }
                    }
                    break;
                }
                if __count2 >= 256usize {
                    rt::Join::join(&mut __guess_p0, &__before2.0)?;
                }
            }
            __count2 += 1;
        }
        match __left2 {
            Some(mut __all2) => {
                rt::Join::swap(&mut __guess_p0, &mut __all2.0);
            }
            None => {
                return Err(rt::Undecided::panics());
            }
        }
        let __trips_16: Option<usize> = None;
        let __t_14: __S = __guess_p0;
        return Ok(__t_14);
    }
    fn __tangent<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __arg0: __S,
        __slot0: rt::Seed<'_, __A, __P0>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: [(); <root>::__SOUND] = [];
        let __square_t_p1: __A = __slot0.value();
        let __square_0: __S = __arg0;
        let __square_t_15: __A = if <__P0 as rt::Activity>::LIVE {
            __square_t_p1
        } else {
            <__A as rt::Zero>::zero()
        };
        let mut __guess_p0: __S = __square_0;
        let mut __guess_t_p2: __A = __square_t_15;
        while {
            let __t_1: __S = __guess_p0;
            let __t_2: __S = __guess_p0;
            let __t_3: __S = __t_1 * __t_2;
            let __t_4: __S = __t_3 - __square_0;
            let __t_5: __S = rt::Scalar::abs(__t_4);
            let __t_6: f64 = 0.000000000001f64;
            let __t_7: bool = <__S as rt::Scalar>::gt(
                __t_5,
                <__S as rt::Scalar>::from_real(__t_6),
            );
            __t_7
        } {
            let __t_8: f64 = 0.5f64;
            let __t_9: __S = __guess_p0;
            let __t_10: __S = __guess_p0;
            let __t_11: __S = __square_0 / __t_10;
            let __t_18: f64 = 1f64;
            let __t_19: __S = rt::Scalar::real_div(__t_18, __t_10);
            let __t_12: __S = __t_9 + __t_11;
            let __better_13: __S = rt::Scalar::mul_real(__t_12, __t_8);
            __guess_p0 = __better_13;
            let __t_t_16: __A = __guess_t_p2;
            let __t_t_17: __A = __guess_t_p2;
            let __t_t_20: __A = <__A as rt::Lanes<__S>>::scale(__square_t_15, __t_19);
            let __t_t_21: __A = <__A as rt::Lanes<__S>>::scale(__t_t_17, __t_19);
            let __t_t_22: __A = <__A as rt::Lanes<__S>>::scale(__t_t_21, __t_11);
            let __t_t_23: __A = <__A as rt::Lanes<__S>>::sub(__t_t_20, __t_t_22);
            let __t_t_24: __A = <__A as rt::Lanes<__S>>::add(__t_t_16, __t_t_23);
            let __better_t_25: __A = <__A as rt::Lanes<
                __S,
            >>::scale_real(__t_t_24, __t_8);
            __guess_t_p2 = __better_t_25;
        }
        let __t_14: __S = __guess_p0;
        let __t_t_26: __A = __guess_t_p2;
        return (__t_14, __t_t_26);
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __arg0: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let (__rec, __irec) = (
            &mut __rec[..<root>::__WORDS],
            &mut __irec[..<root>::__INTS],
        );
        let (__words, __callee_words) = __rec.split_at_mut(0usize);
        let (__ints, __callee_ints) = __irec.split_at_mut(1usize);
        let _: [(); <root>::__SOUND] = [];
        let __square_0: __S = __arg0;
        let mut __guess_p0: __S = __square_0;
        let mut __count1 = 0usize;
        while {
            let __trip_15 = __count1;
            let __t_1: __S = __guess_p0;
            let __t_3: __S = __t_1 * __t_1;
            let __t_4: __S = __t_3 - __square_0;
            let __t_5: __S = rt::Scalar::abs(__t_4);
            let __t_6: f64 = 0.000000000001f64;
            let __t_7: bool = <__S as rt::Scalar>::gt(
                __t_5,
                <__S as rt::Scalar>::from_real(__t_6),
            );
            __t_7
        } {
            let __trip_15 = __count1;
            let mut __record = [<__S as ::core::default::Default>::default(); 2usize];
            let mut __irecord = [0usize; 0usize];
            {
                let (__words2, __callee_words2) = __record.split_at_mut(2usize);
                let (__ints2, __callee_ints2) = __irecord.split_at_mut(0usize);
                let __t_8: f64 = 0.5f64;
                let __t_9: __S = __guess_p0;
                __words2[0usize] = __t_9;
                let __t_11: __S = __square_0 / __t_9;
                __words2[1usize] = __t_11;
                let __t_12: __S = __t_9 + __t_11;
                let __better_13: __S = rt::Scalar::mul_real(__t_12, __t_8);
                __guess_p0 = __better_13;
            }
            __tape.words.push_slice(&__record);
            __tape.ints.push_slice(&__irecord);
            __count1 += 1;
        }
        let __trips_16 = __count1;
        __ints[0usize] = __trips_16 as usize;
        let __t_14: __S = __guess_p0;
        return __t_14;
    }
    fn __reverse<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __arg0: (),
        __slot0: rt::Shadow<'_, __A, __P0>,
        __result_adjoint: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let (__rec, __irec) = (&__rec[..<root>::__WORDS], &__irec[..<root>::__INTS]);
        let (__words, __callee_words) = __rec.split_at(0usize);
        let (__ints, __callee_ints) = __irec.split_at(1usize);
        let _: [(); <root>::__SOUND] = [];
        let __seed0 = __result_adjoint;
        let mut __square_t_p3: __A = <__A as rt::Zero>::zero();
        let mut __slot0 = __slot0;
        let __trips_16: usize = __ints[0usize] as usize;
        let __t_t_30: __A = <__A as rt::Zero>::zero();
        let mut __guess_t_p1: __A = __t_t_30;
        let __t_t_17: __A = __seed0;
        <__A as rt::Lanes<__S>>::acc(&mut __guess_t_p1, __t_t_17);
        let __t_t_26: __A = <__A as rt::Zero>::zero();
        let mut __square_t_p2: __A = __t_t_26;
        let __t_27: usize = 0;
        for __trip_15 in (__t_27..__trips_16).rev() {
            let __record = __cur.words(__tape, 2usize);
            let __irecord = __cur.ints(__tape, 0usize);
            let (__words1, __callee_words1) = __record.split_at(2usize);
            let (__ints1, __callee_ints1) = __irecord.split_at(0usize);
            let __t_8: f64 = 0.5f64;
            let __t_9: __S = __words1[0usize];
            let __t_11: __S = __words1[1usize];
            let __better_t_18: __A = __guess_t_p1;
            let __t_t_19: __A = <__A as rt::Zero>::zero();
            __guess_t_p1 = __t_t_19;
            let __t_t_20: __A = <__A as rt::Lanes<
                __S,
            >>::scale_real(__better_t_18, __t_8);
            let __t_21: f64 = 1f64;
            let __t_22: __S = rt::Scalar::real_div(__t_21, __t_9);
            let __t_t_23: __A = <__A as rt::Lanes<__S>>::scale(__t_t_20, __t_22);
            <__A as rt::Lanes<__S>>::acc(&mut __square_t_p2, __t_t_23);
            let __t_t_24: __A = <__A as rt::Lanes<__S>>::scale(__t_t_23, __t_11);
            let __t_t_25: __A = <__A as rt::Lanes<__S>>::sub(__t_t_20, __t_t_24);
            <__A as rt::Lanes<__S>>::acc(&mut __guess_t_p1, __t_t_25);
        }
        let __t_t_28: __A = __guess_t_p1;
        <__A as rt::Lanes<__S>>::acc(&mut __square_t_p2, __t_t_28);
        let __t_t_29: __A = __square_t_p2;
        if <__P0 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __square_t_p3, __t_t_29);
        }
        __slot0.give::<__S>(__square_t_p3);
    }
}
