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
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __square_a0: __S,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: __Checked = [];
        let mut __guess_p0: __S = __square_a0;
        while {
            __S::gt(
                __S::abs((__guess_p0 * __guess_p0) - __square_a0),
                __S::from_real(0.000000000001f64),
            )
        } {
            let __better_13 = __S::mul_real(
                (__guess_p0 + (__square_a0 / __guess_p0)),
                0.5f64,
            );
            __guess_p0 = __better_13;
        }
        __guess_p0
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __square_a0: __S,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let _: __Checked = [];
        let mut __guess_p0: __S = __square_a0;
        let mut __left2 = None;
        let mut __count2 = 0usize;
        loop {
            let __trip_15 = __count2;
            let __goes_on: Option<Option<bool>> = '__cond2: {
                Some({
                    let __t_1: __S = __guess_p0;
                    let __t_2: __S = __guess_p0;
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
                let __t_9: __S = __guess_p0;
                let __t_10: __S = __guess_p0;
                let __better_13 = __S::mul_real(
                    (__t_9 + (__square_a0 / __t_10)),
                    0.5f64,
                );
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
        Ok(__t_14)
    }
    fn __tangent<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __square_a0: __S,
        __slot0: rt::Seed<'_, __A, __P0>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: __Checked = [];
        let __square_t_15 = __slot0.value();
        let mut __guess_p0: __S = __square_a0;
        let mut __guess_t_p2: __A = __square_t_15;
        while {
            __S::gt(
                __S::abs((__guess_p0 * __guess_p0) - __square_a0),
                __S::from_real(0.000000000001f64),
            )
        } {
            let __t_10: __S = __guess_p0;
            let __t_11 = __square_a0 / __t_10;
            let __t_19 = __S::real_div(1f64, __t_10);
            let __better_13 = __S::mul_real((__guess_p0 + __t_11), 0.5f64);
            __guess_p0 = __better_13;
            let __better_t_25 = __guess_t_p2
                .add(
                    __square_t_15
                        .scale(__t_19)
                        .sub(__guess_t_p2.scale(__t_19).scale(__t_11)),
                )
                .scale_real(0.5f64);
            __guess_t_p2 = __better_t_25;
        }
        (__guess_p0, __guess_t_p2)
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __square_a0: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let __ints = &mut __irec[..1];
        let _: __Checked = [];
        let mut __guess_p0: __S = __square_a0;
        let mut __count1 = 0usize;
        while {
            let __trip_15 = __count1;
            let __t_1: __S = __guess_p0;
            __S::gt(
                __S::abs((__t_1 * __t_1) - __square_a0),
                __S::from_real(0.000000000001f64),
            )
        } {
            let __trip_15 = __count1;
            let mut __record = [__S::default(); 2usize];
            let mut __irecord = [0usize; 0usize];
            {
                let __words2 = &mut __record[..2];
                let __t_9: __S = __guess_p0;
                __words2[0] = __t_9;
                let __t_11 = __square_a0 / __t_9;
                __words2[1] = __t_11;
                let __better_13 = __S::mul_real((__t_9 + __t_11), 0.5f64);
                __guess_p0 = __better_13;
            }
            __tape.words.push_slice(&__record);
            __tape.ints.push_slice(&__irecord);
            __count1 += 1;
        }
        let __trips_16 = __count1;
        __ints[0] = __trips_16 as usize;
        __guess_p0
    }
    fn __reverse<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __square_a0: (),
        __slot0: rt::Shadow<'_, __A, __P0>,
        __seed0: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let __ints = &__irec[..1];
        let _: __Checked = [];
        let __trips_16: usize = __ints[0] as usize;
        let mut __guess_t_p1: __A = __A::zero();
        __guess_t_p1 = __seed0;
        let mut __square_t_p2: __A = __A::zero();
        for __trip_15 in (0usize..__trips_16).rev() {
            let __record = __cur.words(__tape, 2usize);
            let __irecord = __cur.ints(__tape, 0usize);
            let __words1 = &__record[..2];
            let __better_t_18: __A = __guess_t_p1;
            let __t_t_20 = __better_t_18.scale_real(0.5f64);
            let __t_t_23 = __t_t_20.scale(__S::real_div(1f64, __words1[0]));
            __square_t_p2.acc(__t_t_23);
            __guess_t_p1 = __t_t_20.sub(__t_t_23.scale(__words1[1]));
        }
        __square_t_p2.acc(__guess_t_p1);
        __slot0.give::<__S>(__square_t_p2);
    }
}
