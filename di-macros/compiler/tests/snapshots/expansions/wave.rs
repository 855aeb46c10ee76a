//! What is generated for `wave`, without attributes; `rt` is the hidden module of the runtime.

fn wave(x: f64, speed: f64) -> f64 {
    let phase = speed * x;
    let height = phase.sin();
    height * phase
}
impl wave {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: [(); <wave>::__SOUND] = [];
        let __x_0: __S = __arg0;
        let __speed_1: __S = __arg1;
        let __phase_2: __S = __speed_1 * __x_0;
        let __height_3: __S = rt::Scalar::sin(__phase_2);
        let __t_4: __S = __height_3 * __phase_2;
        return __t_4;
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
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
        __arg0: __S,
        __slot0: rt::Seed<'_, __A, __P0>,
        __arg1: __S,
        __slot1: rt::Seed<'_, __A, __P1>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: [(); <wave>::__SOUND] = [];
        let __x_t_p0: __A = __slot0.value();
        let __speed_t_p1: __A = __slot1.value();
        let __x_0: __S = __arg0;
        let __speed_1: __S = __arg1;
        let __phase_2: __S = __speed_1 * __x_0;
        let __height_3: __S = rt::Scalar::sin(__phase_2);
        let __t_10: __S = rt::rules::sin::d0(
            __phase_2,
            <__S as rt::Scalar>::from_real(0.0),
        );
        let __t_4: __S = __height_3 * __phase_2;
        let __x_t_5: __A = if <__P0 as rt::Activity>::LIVE {
            __x_t_p0
        } else {
            <__A as rt::Zero>::zero()
        };
        let __speed_t_6: __A = if <__P1 as rt::Activity>::LIVE {
            __speed_t_p1
        } else {
            <__A as rt::Zero>::zero()
        };
        let __t_t_7: __A = <__A as rt::Lanes<__S>>::scale(__speed_t_6, __x_0);
        let __t_t_8: __A = <__A as rt::Lanes<__S>>::scale(__x_t_5, __speed_1);
        let __phase_t_9: __A = <__A as rt::Lanes<__S>>::add(__t_t_7, __t_t_8);
        let __height_t_11: __A = <__A as rt::Lanes<__S>>::scale(__phase_t_9, __t_10);
        let __t_t_12: __A = <__A as rt::Lanes<__S>>::scale(__height_t_11, __phase_2);
        let __t_t_13: __A = <__A as rt::Lanes<__S>>::scale(__phase_t_9, __height_3);
        let __t_t_14: __A = <__A as rt::Lanes<__S>>::add(__t_t_12, __t_t_13);
        return (__t_4, __t_t_14);
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let (__rec, __irec) = (
            &mut __rec[..<wave>::__WORDS],
            &mut __irec[..<wave>::__INTS],
        );
        let (__words, __callee_words) = __rec.split_at_mut(4usize);
        let (__ints, __callee_ints) = __irec.split_at_mut(0usize);
        let _: [(); <wave>::__SOUND] = [];
        let __x_0: __S = __arg0;
        __words[0usize] = __x_0;
        let __speed_1: __S = __arg1;
        __words[1usize] = __speed_1;
        let __phase_2: __S = __speed_1 * __x_0;
        let __height_3: __S = rt::Scalar::sin(__phase_2);
        __words[2usize] = __height_3;
        let __t_5: __S = rt::Scalar::cos(__phase_2);
        __words[3usize] = __t_5;
        let __t_4: __S = __height_3 * __phase_2;
        return __t_4;
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
        let (__rec, __irec) = (&__rec[..<wave>::__WORDS], &__irec[..<wave>::__INTS]);
        let (__words, __callee_words) = __rec.split_at(4usize);
        let (__ints, __callee_ints) = __irec.split_at(0usize);
        let _: [(); <wave>::__SOUND] = [];
        let __seed0 = __result_adjoint;
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH], &[__seed0]);
        let mut __speed_t_p0: __A = <__A as rt::Zero>::zero();
        let mut __slot1 = __slot1;
        let mut __x_t_p1: __A = <__A as rt::Zero>::zero();
        let mut __slot0 = __slot0;
        let __x_0: __S = __words[0usize];
        let __speed_1: __S = __words[1usize];
        let __phase_2: __S = __speed_1 * __x_0;
        let __height_3: __S = __words[2usize];
        let __t_5: __S = __words[3usize];
        let __t_t_6: __A = __seed0;
        let __height_t_7: __A = rt::scale_by::<__S, __A>(__steady, __t_t_6, __phase_2);
        let __t_t_8: __A = rt::scale_by::<__S, __A>(__steady, __t_t_6, __height_3);
        let __t_t_9: __A = <__A as rt::Lanes<__S>>::scale(__height_t_7, __t_5);
        let __phase_t_10: __A = <__A as rt::Lanes<__S>>::add(__t_t_8, __t_t_9);
        let __speed_t_11: __A = <__A as rt::Lanes<__S>>::scale(__phase_t_10, __x_0);
        let __x_t_12: __A = <__A as rt::Lanes<__S>>::scale(__phase_t_10, __speed_1);
        if <__P1 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __speed_t_p0, __speed_t_11);
        }
        if <__P0 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __x_t_p1, __x_t_12);
        }
        __slot1.give::<__S>(__speed_t_p0);
        __slot0.give::<__S>(__x_t_p1);
    }
}
