//! What is generated for `polar`, without attributes; `rt` is the hidden module of the runtime.

fn polar(x: f64, y: f64) -> (f64, f64) {
    let radius = x.hypot(y);
    let angle = y.atan2(x);
    (radius, angle)
}
impl polar {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __pool: &mut rt::Pool,
    ) -> (__S, __S) {
        let _: [(); <polar>::__SOUND] = [];
        let __x_0: __S = __arg0;
        let __y_1: __S = __arg1;
        let __radius_2: __S = rt::Scalar::hypot(__x_0, __y_1);
        let __angle_3: __S = rt::Scalar::atan2(__y_1, __x_0);
        return (__radius_2, __angle_3);
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __pool: &mut rt::Pool,
    ) -> Result<(__S, __S), rt::Undecided> {
        let (__r0, __r1) = Self::__primal::<__S>(__arg0, __arg1, __pool);
        Ok((__r0, __r1))
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
    ) -> ((__S, __S), (__A, __A)) {
        let _: [(); <polar>::__SOUND] = [];
        let __x_t_p0: __A = __slot0.value();
        let __y_t_p1: __A = __slot1.value();
        let __x_0: __S = __arg0;
        let __y_1: __S = __arg1;
        let __radius_2: __S = rt::Scalar::hypot(__x_0, __y_1);
        let __t_6: __S = rt::rules::hypot::d0(
            __x_0,
            <__S as rt::Scalar>::from_real(0.0),
            __radius_2,
        );
        let __t_8: __S = rt::rules::hypot::d1(
            <__S as rt::Scalar>::from_real(0.0),
            __y_1,
            __radius_2,
        );
        let __angle_3: __S = rt::Scalar::atan2(__y_1, __x_0);
        let __t_11: __S = rt::rules::atan2::d0(
            __y_1,
            __x_0,
            <__S as rt::Scalar>::from_real(0.0),
        );
        let __t_13: __S = rt::rules::atan2::d1(
            __y_1,
            __x_0,
            <__S as rt::Scalar>::from_real(0.0),
        );
        let __x_t_4: __A = if <__P0 as rt::Activity>::LIVE {
            __x_t_p0
        } else {
            <__A as rt::Zero>::zero()
        };
        let __y_t_5: __A = if <__P1 as rt::Activity>::LIVE {
            __y_t_p1
        } else {
            <__A as rt::Zero>::zero()
        };
        let __t_t_7: __A = <__A as rt::Lanes<__S>>::scale(__x_t_4, __t_6);
        let __t_t_9: __A = <__A as rt::Lanes<__S>>::scale(__y_t_5, __t_8);
        let __radius_t_10: __A = <__A as rt::Lanes<__S>>::add(__t_t_7, __t_t_9);
        let __t_t_12: __A = <__A as rt::Lanes<__S>>::scale(__y_t_5, __t_11);
        let __t_t_14: __A = <__A as rt::Lanes<__S>>::scale(__x_t_4, __t_13);
        let __angle_t_15: __A = <__A as rt::Lanes<__S>>::add(__t_t_12, __t_t_14);
        return ((__radius_2, __angle_3), (__radius_t_10, __angle_t_15));
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> (__S, __S) {
        let (__rec, __irec) = (
            &mut __rec[..<polar>::__WORDS],
            &mut __irec[..<polar>::__INTS],
        );
        let (__words, __callee_words) = __rec.split_at_mut(3usize);
        let (__ints, __callee_ints) = __irec.split_at_mut(0usize);
        let _: [(); <polar>::__SOUND] = [];
        let __x_0: __S = __arg0;
        __words[0usize] = __x_0;
        let __y_1: __S = __arg1;
        __words[1usize] = __y_1;
        let __radius_2: __S = rt::Scalar::hypot(__x_0, __y_1);
        __words[2usize] = __radius_2;
        let __angle_3: __S = rt::Scalar::atan2(__y_1, __x_0);
        return (__radius_2, __angle_3);
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
        __result_adjoint: (__A, __A),
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let (__rec, __irec) = (&__rec[..<polar>::__WORDS], &__irec[..<polar>::__INTS]);
        let (__words, __callee_words) = __rec.split_at(3usize);
        let (__ints, __callee_ints) = __irec.split_at(0usize);
        let _: [(); <polar>::__SOUND] = [];
        let (__seed0, __seed1) = __result_adjoint;
        let __steady = rt::steady::<
            __S,
            __A,
        >(
            &[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH],
            &[__seed0, __seed1],
        );
        let mut __y_t_p0: __A = <__A as rt::Zero>::zero();
        let mut __slot1 = __slot1;
        let mut __x_t_p1: __A = <__A as rt::Zero>::zero();
        let mut __slot0 = __slot0;
        let __x_0: __S = __words[0usize];
        let __y_1: __S = __words[1usize];
        let __radius_2: __S = __words[2usize];
        let __radius_t_4: __A = __seed0;
        let __angle_t_5: __A = __seed1;
        let __t_6: __S = rt::rules::atan2::d0(
            __y_1,
            __x_0,
            <__S as rt::Scalar>::from_real(0.0),
        );
        let __t_t_7: __A = rt::scale_by::<__S, __A>(__steady, __angle_t_5, __t_6);
        let __t_8: __S = rt::rules::atan2::d1(
            __y_1,
            __x_0,
            <__S as rt::Scalar>::from_real(0.0),
        );
        let __t_t_9: __A = rt::scale_by::<__S, __A>(__steady, __angle_t_5, __t_8);
        let __t_10: __S = rt::rules::hypot::d0(
            __x_0,
            <__S as rt::Scalar>::from_real(0.0),
            __radius_2,
        );
        let __t_t_11: __A = rt::scale_by::<__S, __A>(__steady, __radius_t_4, __t_10);
        let __x_t_12: __A = <__A as rt::Lanes<__S>>::add(__t_t_9, __t_t_11);
        let __t_13: __S = rt::rules::hypot::d1(
            <__S as rt::Scalar>::from_real(0.0),
            __y_1,
            __radius_2,
        );
        let __t_t_14: __A = rt::scale_by::<__S, __A>(__steady, __radius_t_4, __t_13);
        let __y_t_15: __A = <__A as rt::Lanes<__S>>::add(__t_t_7, __t_t_14);
        if <__P1 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __y_t_p0, __y_t_15);
        }
        if <__P0 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __x_t_p1, __x_t_12);
        }
        __slot1.give::<__S>(__y_t_p0);
        __slot0.give::<__S>(__x_t_p1);
    }
}
