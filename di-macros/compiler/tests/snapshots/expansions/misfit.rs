//! What is generated for `misfit`, without attributes; `rt` is the hidden module of the runtime.

fn misfit(slope: f64, offset: f64) -> f64 {
    let near = huber(offset - 1.0, 0.5);
    let far = huber(slope + offset - 3.0, 0.5);
    near + far
}
impl misfit {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __slope_a0: __S,
        __offset_a1: __S,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: __Checked = [];
        let __t_3 = __S::sub_real(__offset_a1, 1f64);
        let __near_5: __S = <__If<(__C0)>>::__primal(__t_3, rt::lift(0.5f64), __pool);
        let __t_8 = __S::sub_real((__slope_a0 + __offset_a1), 3f64);
        let __far_10: __S = <__If<(__C0)>>::__primal(__t_8, rt::lift(0.5f64), __pool);
        __near_5 + __far_10
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __slope_a0: __S,
        __offset_a1: __S,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let _: __Checked = [];
        let __t_3 = __S::sub_real(__offset_a1, 1f64);
        let __near_5: __S = <__If<(__C0)>>::__pattern(__t_3, rt::lift(0.5f64), __pool)?;
        let __t_8 = __S::sub_real((__slope_a0 + __offset_a1), 3f64);
        let __far_10: __S = <__If<(__C0)>>::__pattern(__t_8, rt::lift(0.5f64), __pool)?;
        Ok(__near_5 + __far_10)
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __slope_a0: __S,
        __slot0: rt::Seed<'_, __A, __P0>,
        __offset_a1: __S,
        __slot1: rt::Seed<'_, __A, __P1>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: __Checked = [];
        let __t_3 = __S::sub_real(__offset_a1, 1f64);
        let __slope_t_12 = __slot0.value();
        let __offset_t_13 = __slot1.value();
        let (__near_5, __near_t_14): (__S, __A) = <__If<
            (__C0),
        >>::__tangent(
            __t_3,
            rt::Seed::<_, rt::Live>::new(&__offset_t_13),
            rt::lift(0.5f64),
            rt::no_slot(),
            __pool,
        );
        let __t_8 = __S::sub_real((__slope_a0 + __offset_a1), 3f64);
        let __t_t_15 = __slope_t_12.add(__offset_t_13);
        let (__far_10, __far_t_16): (__S, __A) = <__If<
            (__C0),
        >>::__tangent(
            __t_8,
            rt::Seed::<_, rt::Live>::new(&__t_t_15),
            rt::lift(0.5f64),
            rt::no_slot(),
            __pool,
        );
        (__near_5 + __far_10, __near_t_14.add(__far_t_16))
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __slope_a0: __S,
        __offset_a1: __S,
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
        let _: __Checked = [];
        let __t_3 = __S::sub_real(__offset_a1, 1f64);
        let __near_5: __S = <__If<
            (__C0),
        >>::__augmented(
            __t_3,
            rt::lift(0.5f64),
            &mut __callee_words[0..][..<__C0>::__WORDS],
            &mut __callee_ints[0..][..<__C0>::__INTS],
            __tape,
            __pool,
        );
        let __t_8 = __S::sub_real((__slope_a0 + __offset_a1), 3f64);
        let __far_10: __S = <__If<
            (__C0),
        >>::__augmented(
            __t_8,
            rt::lift(0.5f64),
            &mut __callee_words[0 + <__C0>::__WORDS..][..<__C0>::__WORDS],
            &mut __callee_ints[0 + <__C0>::__INTS..][..<__C0>::__INTS],
            __tape,
            __pool,
        );
        let __left = __near_5 + __far_10;
        if <misfit>::__CYCLIC {
            __tape.words.push_slice(&__own_rec);
            __tape.ints.push_slice(&__own_irec);
        }
        __left
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __slope_a0: (),
        __slot0: rt::Shadow<'_, __A, __P0>,
        __offset_a1: (),
        __slot1: rt::Shadow<'_, __A, __P1>,
        __seed0: __A,
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
        let _: __Checked = [];
        let mut __t_t_p0: __A = __A::zero();
        {
            <__If<
                (__C0),
            >>::__reverse(
                (),
                rt::Shadow::<_, rt::Live>::new(&mut __t_t_p0),
                (),
                rt::no_slot(),
                __seed0,
                &__callee_words[0 + <__C0>::__WORDS..][..<__C0>::__WORDS],
                &__callee_ints[0 + <__C0>::__INTS..][..<__C0>::__INTS],
                __tape,
                __cur,
                __pool,
            );
        }
        let __slope_t_14: __A = __t_t_p0;
        let mut __t_t_p1: __A = __A::zero();
        {
            <__If<
                (__C0),
            >>::__reverse(
                (),
                rt::Shadow::<_, rt::Live>::new(&mut __t_t_p1),
                (),
                rt::no_slot(),
                __seed0,
                &__callee_words[0..][..<__C0>::__WORDS],
                &__callee_ints[0..][..<__C0>::__INTS],
                __tape,
                __cur,
                __pool,
            );
        }
        let __offset_t_17 = __slope_t_14.add(__t_t_p1);
        __slot1.give::<__S>(__offset_t_17);
        __slot0.give::<__S>(__slope_t_14);
    }
}
