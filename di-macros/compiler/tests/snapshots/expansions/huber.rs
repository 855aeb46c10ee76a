//! What is generated for `huber`, without attributes; `rt` is the hidden module of the runtime.

fn huber(residual: f64, width: f64) -> f64 {
    let size = residual.abs();
    if size < width {
        0.5 * size * size
    } else {
        let excess = size - 0.5 * width;
        width * excess
    }
}
impl huber {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: [(); <huber>::__SOUND] = [];
        let __residual_0: __S = __arg0;
        let __width_1: __S = __arg1;
        let __size_2: __S = rt::Scalar::abs(__residual_0);
        let __t_3: bool = <__S as rt::Scalar>::lt(__size_2, __width_1);
        let __t_4: __S = if __t_3 {
            let __t_5: f64 = 0.5f64;
            let __t_6: __S = rt::Scalar::mul_real(__size_2, __t_5);
            let __t_7: __S = __t_6 * __size_2;
            __t_7
        } else {
            let __t_8: f64 = 0.5f64;
            let __t_9: __S = rt::Scalar::mul_real(__width_1, __t_8);
            let __excess_10: __S = __size_2 - __t_9;
            let __t_11: __S = __width_1 * __excess_10;
            __t_11
        };
        return __t_4;
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: __S,
        __arg1: __S,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let _: [(); <huber>::__SOUND] = [];
        let __residual_0: __S = __arg0;
        let __width_1: __S = __arg1;
        let __size_2: __S = rt::Scalar::abs(__residual_0);
        let __t_3: Option<bool> = <__S as rt::Abstract>::unknown();
        let __then2: Option<__S> = '__then2: {
            if __t_3 == Some(false) {
                break '__then2 (None);
            }
            Some({
                let __t_5: f64 = 0.5f64;
                let __t_6: __S = rt::Scalar::mul_real(__size_2, __t_5);
                let __t_7: __S = __t_6 * __size_2;
                __t_7
            })
        };
        let __else2: Option<__S> = '__else2: {
            if __t_3 == Some(true) {
                break '__else2 (None);
            }
            Some({
                let __t_8: f64 = 0.5f64;
                let __t_9: __S = rt::Scalar::mul_real(__width_1, __t_8);
                let __excess_10: __S = __size_2 - __t_9;
                let __t_11: __S = __width_1 * __excess_10;
                __t_11
            })
        };
        let __t_4: __S = match (__then2, __else2) {
            (Some(mut __first), Some(__second)) => {
                rt::Join::join(&mut __first, &__second)?;
                __first
            }
            (Some(__first), None) => __first,
            (None, Some(__second)) => __second,
            (None, None) => {
                return Err(rt::Undecided::panics());
            }
        };
        return Ok(__t_4);
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
        let _: [(); <huber>::__SOUND] = [];
        let __residual_t_p0: __A = __slot0.value();
        let __width_t_p1: __A = __slot1.value();
        let __residual_0: __S = __arg0;
        let __width_1: __S = __arg1;
        let __size_2: __S = rt::Scalar::abs(__residual_0);
        let __t_14: __S = rt::rules::abs::d0(
            __residual_0,
            <__S as rt::Scalar>::from_real(0.0),
        );
        let __t_3: bool = <__S as rt::Scalar>::lt(__size_2, __width_1);
        let __residual_t_12: __A = if <__P0 as rt::Activity>::LIVE {
            __residual_t_p0
        } else {
            <__A as rt::Zero>::zero()
        };
        let __width_t_13: __A = if <__P1 as rt::Activity>::LIVE {
            __width_t_p1
        } else {
            <__A as rt::Zero>::zero()
        };
        let __size_t_15: __A = <__A as rt::Lanes<__S>>::scale(__residual_t_12, __t_14);
        let (__t_4, __t_t_25): (__S, __A) = if __t_3 {
            let __t_5: f64 = 0.5f64;
            let __t_6: __S = rt::Scalar::mul_real(__size_2, __t_5);
            let __t_7: __S = __t_6 * __size_2;
            let __t_t_16: __A = <__A as rt::Lanes<__S>>::scale_real(__size_t_15, __t_5);
            let __t_t_17: __A = <__A as rt::Lanes<__S>>::scale(__t_t_16, __size_2);
            let __t_t_18: __A = <__A as rt::Lanes<__S>>::scale(__size_t_15, __t_6);
            let __t_t_19: __A = <__A as rt::Lanes<__S>>::add(__t_t_17, __t_t_18);
            (__t_7, __t_t_19)
        } else {
            let __t_8: f64 = 0.5f64;
            let __t_9: __S = rt::Scalar::mul_real(__width_1, __t_8);
            let __excess_10: __S = __size_2 - __t_9;
            let __t_11: __S = __width_1 * __excess_10;
            let __t_t_20: __A = <__A as rt::Lanes<__S>>::scale_real(__width_t_13, __t_8);
            let __excess_t_21: __A = <__A as rt::Lanes<__S>>::sub(__size_t_15, __t_t_20);
            let __t_t_22: __A = <__A as rt::Lanes<
                __S,
            >>::scale(__width_t_13, __excess_10);
            let __t_t_23: __A = <__A as rt::Lanes<__S>>::scale(__excess_t_21, __width_1);
            let __t_t_24: __A = <__A as rt::Lanes<__S>>::add(__t_t_22, __t_t_23);
            (__t_11, __t_t_24)
        };
        return (__t_4, __t_t_25);
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
            &mut __rec[..<huber>::__WORDS],
            &mut __irec[..<huber>::__INTS],
        );
        let (__words, __callee_words) = __rec.split_at_mut(4usize);
        let (__ints, __callee_ints) = __irec.split_at_mut(1usize);
        let _: [(); <huber>::__SOUND] = [];
        let __residual_0: __S = __arg0;
        __words[0usize] = __residual_0;
        let __width_1: __S = __arg1;
        __words[1usize] = __width_1;
        let __size_2: __S = rt::Scalar::abs(__residual_0);
        let __t_3: bool = <__S as rt::Scalar>::lt(__size_2, __width_1);
        __ints[0usize] = __t_3 as usize;
        let __t_4: __S = if __t_3 {
            let __t_5: f64 = 0.5f64;
            let __t_6: __S = rt::Scalar::mul_real(__size_2, __t_5);
            __words[2usize] = __t_6;
            let __t_7: __S = __t_6 * __size_2;
            __t_7
        } else {
            let __t_8: f64 = 0.5f64;
            let __t_9: __S = rt::Scalar::mul_real(__width_1, __t_8);
            let __excess_10: __S = __size_2 - __t_9;
            __words[3usize] = __excess_10;
            let __t_11: __S = __width_1 * __excess_10;
            __t_11
        };
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
        let (__rec, __irec) = (&__rec[..<huber>::__WORDS], &__irec[..<huber>::__INTS]);
        let (__words, __callee_words) = __rec.split_at(4usize);
        let (__ints, __callee_ints) = __irec.split_at(1usize);
        let _: [(); <huber>::__SOUND] = [];
        let __seed0 = __result_adjoint;
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH], &[__seed0]);
        let mut __width_t_p2: __A = <__A as rt::Zero>::zero();
        let mut __slot1 = __slot1;
        let mut __residual_t_p3: __A = <__A as rt::Zero>::zero();
        let mut __slot0 = __slot0;
        let __residual_0: __S = __words[0usize];
        let __width_1: __S = __words[1usize];
        let __t_3: bool = __ints[0usize] != 0;
        let __t_t_12: __A = __seed0;
        let __t_t_19: __A = <__A as rt::Zero>::zero();
        let mut __width_t_p1: __A = __t_t_19;
        let __t_t_20: __A = <__A as rt::Zero>::zero();
        let mut __size_t_p0: __A = __t_t_20;
        if __t_3 {
            let __t_6: __S = __words[2usize];
            let __t_13: __S = __t_6 + __t_6;
            let __t_t_14: __A = rt::scale_by::<__S, __A>(__steady, __t_t_12, __t_13);
            <__A as rt::Lanes<__S>>::acc(&mut __size_t_p0, __t_t_14);
        } else {
            let __t_8: f64 = 0.5f64;
            let __excess_10: __S = __words[3usize];
            let __t_t_15: __A = rt::scale_by::<
                __S,
                __A,
            >(__steady, __t_t_12, __excess_10);
            <__A as rt::Lanes<__S>>::acc(&mut __width_t_p1, __t_t_15);
            let __excess_t_16: __A = rt::scale_by::<
                __S,
                __A,
            >(__steady, __t_t_12, __width_1);
            <__A as rt::Lanes<__S>>::acc(&mut __size_t_p0, __excess_t_16);
            let __t_t_25: __A = <__A as rt::Lanes<
                __S,
            >>::scale_real(__excess_t_16, __t_8);
            <__A as rt::Lanes<__S>>::dec(&mut __width_t_p1, __t_t_25);
        }
        let __t_t_21: __A = __size_t_p0;
        let __t_22: __S = rt::rules::abs::d0(
            __residual_0,
            <__S as rt::Scalar>::from_real(0.0),
        );
        let __residual_t_23: __A = <__A as rt::Lanes<__S>>::scale(__t_t_21, __t_22);
        let __t_t_24: __A = __width_t_p1;
        if <__P1 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __width_t_p2, __t_t_24);
        }
        if <__P0 as rt::Activity>::LIVE {
            <__A as rt::Lanes<__S>>::acc(&mut __residual_t_p3, __residual_t_23);
        }
        __slot1.give::<__S>(__width_t_p2);
        __slot0.give::<__S>(__residual_t_p3);
    }
}
