//! What is generated for `misfit`, without attributes; `rt` is the hidden module of the runtime.

fn misfit(slope: f64, offset: f64) -> f64 {
    let near = huber(offset - 1.0, 0.5);
    let far = huber(slope + offset - 3.0, 0.5);
    near + far
}
impl misfit {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: [(); <misfit>::__SOUND] = [];
        let __slope_0: __S = __arg0;
        let __offset_1: __S = __arg1;
        let __t_2: f64 = 1f64;
        let __t_3: __S = rt::Scalar::sub_real(__offset_1, __t_2);
        let __t_4: f64 = 0.5f64;
        let __near_5: __S = <<rt::Sound<
            { <misfit>::__SOUND },
        > as rt::If<(__C0)>>::Then>::__primal(__t_3, rt::lift(__t_4), __pool);
        let __t_6: __S = __slope_0 + __offset_1;
        let __t_7: f64 = 3f64;
        let __t_8: __S = rt::Scalar::sub_real(__t_6, __t_7);
        let __t_9: f64 = 0.5f64;
        let __far_10: __S = <<rt::Sound<
            { <misfit>::__SOUND },
        > as rt::If<(__C0)>>::Then>::__primal(__t_8, rt::lift(__t_9), __pool);
        let __t_11: __S = __near_5 + __far_10;
        return __t_11;
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let _: [(); <misfit>::__SOUND] = [];
        let __slope_0: __S = __arg0;
        let __offset_1: __S = __arg1;
        let __t_2: f64 = 1f64;
        let __t_3: __S = rt::Scalar::sub_real(__offset_1, __t_2);
        let __t_4: f64 = 0.5f64;
        let __near_5: __S = <<rt::Sound<
            { <misfit>::__SOUND },
        > as rt::If<(__C0)>>::Then>::__pattern(__t_3, rt::lift(__t_4), __pool)?;
        let __t_6: __S = __slope_0 + __offset_1;
        let __t_7: f64 = 3f64;
        let __t_8: __S = rt::Scalar::sub_real(__t_6, __t_7);
        let __t_9: f64 = 0.5f64;
        let __far_10: __S = <<rt::Sound<
            { <misfit>::__SOUND },
        > as rt::If<(__C0)>>::Then>::__pattern(__t_8, rt::lift(__t_9), __pool)?;
        let __t_11: __S = __near_5 + __far_10;
        return Ok(__t_11);
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __arg0: __S,
        __slot0: rt::Seed<'_, __A, __P0>,
        __arg1: __S,
        __slot1: rt::Seed<'_, __A, __P1>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: [(); <misfit>::__SOUND] = [];
        let __slope_t_p0: __A = __slot0.value();
        let __offset_t_p1: __A = __slot1.value();
        let __slope_0: __S = __arg0;
        let __offset_1: __S = __arg1;
        let __t_2: f64 = 1f64;
        let __t_3: __S = rt::Scalar::sub_real(__offset_1, __t_2);
        let __t_4: f64 = 0.5f64;
        let __slope_t_12: __A = if <__P0 as rt::Activity>::LIVE {
            __slope_t_p0
        } else {
            <__A as rt::Zero>::zero()
        };
        let __offset_t_13: __A = if <__P1 as rt::Activity>::LIVE {
            __offset_t_p1
        } else {
            <__A as rt::Zero>::zero()
        };
        let (__near_5, __near_t_14): (__S, __A) = <<rt::Sound<
            { <misfit>::__SOUND },
        > as rt::If<
            (__C0),
        >>::Then>::__tangent(
            __t_3,
            rt::Seed::<_, rt::Live>::new(&__offset_t_13),
            rt::lift(__t_4),
            rt::no_slot(),
            __pool,
        );
        let __t_6: __S = __slope_0 + __offset_1;
        let __t_7: f64 = 3f64;
        let __t_8: __S = rt::Scalar::sub_real(__t_6, __t_7);
        let __t_9: f64 = 0.5f64;
        let __t_t_15: __A = <__A as rt::Lanes<__S>>::add(__slope_t_12, __offset_t_13);
        let (__far_10, __far_t_16): (__S, __A) = <<rt::Sound<
            { <misfit>::__SOUND },
        > as rt::If<
            (__C0),
        >>::Then>::__tangent(
            __t_8,
            rt::Seed::<_, rt::Live>::new(&__t_t_15),
            rt::lift(__t_9),
            rt::no_slot(),
            __pool,
        );
        let __t_11: __S = __near_5 + __far_10;
        let __t_t_17: __A = <__A as rt::Lanes<__S>>::add(__near_t_14, __far_t_16);
        return (__t_11, __t_t_17);
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let mut __own_rec = [<__S as ::core::default::Default>::default(); if <misfit>::__CYCLIC {
            <misfit>::__OWN.0
        } else {
            0
        }];
        let mut __own_irec = [0usize; if <misfit>::__CYCLIC {
            <misfit>::__OWN.1
        } else {
            0
        }];
        let (__rec, __irec) = if <misfit>::__CYCLIC {
            (&mut __own_rec[..], &mut __own_irec[..])
        } else {
            (&mut __rec[..<misfit>::__WORDS], &mut __irec[..<misfit>::__INTS])
        };
        let (__words, __callee_words) = __rec.split_at_mut(0usize);
        let (__ints, __callee_ints) = __irec.split_at_mut(0usize);
        let _: [(); <misfit>::__SOUND] = [];
        let __slope_0: __S = __arg0;
        let __offset_1: __S = __arg1;
        let __t_2: f64 = 1f64;
        let __t_3: __S = rt::Scalar::sub_real(__offset_1, __t_2);
        let __t_4: f64 = 0.5f64;
        let __near_5: __S = <<rt::Sound<
            { <misfit>::__SOUND },
        > as rt::If<
            (__C0),
        >>::Then>::__augmented(
            __t_3,
            rt::lift(__t_4),
            &mut __callee_words[0..][..<__C0>::__WORDS],
            &mut __callee_ints[0..][..<__C0>::__INTS],
            __tape,
            __pool,
        );
        let __t_6: __S = __slope_0 + __offset_1;
        let __t_7: f64 = 3f64;
        let __t_8: __S = rt::Scalar::sub_real(__t_6, __t_7);
        let __far_10: __S = <<rt::Sound<
            { <misfit>::__SOUND },
        > as rt::If<
            (__C0),
        >>::Then>::__augmented(
            __t_8,
            rt::lift(__t_4),
            &mut __callee_words[0 + <__C0>::__WORDS..][..<__C0>::__WORDS],
            &mut __callee_ints[0 + <__C0>::__INTS..][..<__C0>::__INTS],
            __tape,
            __pool,
        );
        let __t_11: __S = __near_5 + __far_10;
        let __left = __t_11;
        if <misfit>::__CYCLIC {
            __tape.words.push_slice(&__own_rec);
            __tape.ints.push_slice(&__own_irec);
        }
        return __left;
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __arg0: (),
        __slot0: rt::Shadow<'_, __A, __P0>,
        __arg1: (),
        __slot1: rt::Shadow<'_, __A, __P1>,
        __result_adjoint: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let (__rec, __irec) = if <misfit>::__CYCLIC {
            (
                __cur.words(__tape, <misfit>::__OWN.0),
                __cur.ints(__tape, <misfit>::__OWN.1),
            )
        } else {
            (&__rec[..<misfit>::__WORDS], &__irec[..<misfit>::__INTS])
        };
        let (__words, __callee_words) = __rec.split_at(0usize);
        let (__ints, __callee_ints) = __irec.split_at(0usize);
        let _: [(); <misfit>::__SOUND] = [];
        let __seed0 = __result_adjoint;
        let mut __offset_t_p2: __A = <__A as rt::Zero>::zero();
        let mut __slot1 = __slot1;
        let mut __slope_t_p3: __A = <__A as rt::Zero>::zero();
        let mut __slot0 = __slot0;
        let __far_t_12: __A = __seed0;
        let __t_t_13: __A = <__A as rt::Zero>::zero();
        let mut __t_t_p0: __A = __t_t_13;
        {
            <<rt::Sound<
                { <misfit>::__SOUND },
            > as rt::If<
                (__C0),
            >>::Then>::__reverse(
                (),
                rt::Shadow::<_, rt::Live>::new(&mut __t_t_p0),
                (),
                rt::no_slot(),
                __far_t_12,
                &__callee_words[0 + <__C0>::__WORDS..][..<__C0>::__WORDS],
                &__callee_ints[0 + <__C0>::__INTS..][..<__C0>::__INTS],
                __tape,
                __cur,
                __pool,
            );
        }
        let __slope_t_14: __A = __t_t_p0;
        let __t_t_15: __A = <__A as rt::Zero>::zero();
        let mut __t_t_p1: __A = __t_t_15;
        {
            <<rt::Sound<
                { <misfit>::__SOUND },
            > as rt::If<
                (__C0),
            >>::Then>::__reverse(
                (),
                rt::Shadow::<_, rt::Live>::new(&mut __t_t_p1),
                (),
                rt::no_slot(),
                __far_t_12,
                &__callee_words[0..][..<__C0>::__WORDS],
                &__callee_ints[0..][..<__C0>::__INTS],
                __tape,
                __cur,
                __pool,
            );
        }
        let __t_t_16: __A = __t_t_p1;
        let __offset_t_17: __A = <__A as rt::Lanes<__S>>::add(__slope_t_14, __t_t_16);
        if <__P1 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __offset_t_p2, __offset_t_17);
        }
        if <__P0 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __slope_t_p3, __slope_t_14);
        }
        __slot1.give::<__S>(__offset_t_p2);
        __slot0.give::<__S>(__slope_t_p3);
    }
}
