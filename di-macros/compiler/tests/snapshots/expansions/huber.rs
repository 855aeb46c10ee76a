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
        __residual_a0: __S,
        __width_a1: __S,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: __Checked = [];
        let __size_2 = __S::abs(__residual_a0);
        let __t_7: __S = if __S::lt(__size_2, __width_a1) {
            __S::mul_real(__size_2, 0.5f64) * __size_2
        } else {
            let __excess_10 = __size_2 - __S::mul_real(__width_a1, 0.5f64);
            __width_a1 * __excess_10
        };
        __t_7
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __residual_a0: __S,
        __width_a1: __S,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let _: __Checked = [];
        let __size_2 = __S::abs(__residual_a0);
        let __t_3: Option<bool> = <__S as rt::Abstract>::unknown();
        let __then2: Option<__S> = '__then2: {
            if __t_3 == Some(false) {
                break '__then2 (None);
            }
            Some({ __S::mul_real(__size_2, 0.5f64) * __size_2 })
        };
        let __else2: Option<__S> = '__else2: {
            if __t_3 == Some(true) {
                break '__else2 (None);
            }
            Some({
                let __excess_10 = __size_2 - __S::mul_real(__width_a1, 0.5f64);
                __width_a1 * __excess_10
            })
        };
        let __t_7: __S = match (__then2, __else2) {
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
        Ok(__t_7)
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __residual_a0: __S,
        __slot0: rt::Seed<'_, __A, __P0>,
        __width_a1: __S,
        __slot1: rt::Seed<'_, __A, __P1>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: __Checked = [];
        let __size_2 = __S::abs(__residual_a0);
        let __residual_t_12 = __slot0.value();
        let __width_t_13 = __slot1.value();
        let __size_t_15 = __residual_t_12
            .scale(rt::rules::abs::d0(__residual_a0, __S::from_real(0.0)));
        let (__t_7, __t_t_25): (__S, __A) = if __S::lt(__size_2, __width_a1) {
            let __t_5 = __S::mul_real(__size_2, 0.5f64);
            (
                __t_5 * __size_2,
                __size_t_15
                    .scale_real(0.5f64)
                    .scale(__size_2)
                    .add(__size_t_15.scale(__t_5)),
            )
        } else {
            let __excess_10 = __size_2 - __S::mul_real(__width_a1, 0.5f64);
            let __excess_t_21 = __size_t_15.sub(__width_t_13.scale_real(0.5f64));
            (
                __width_a1 * __excess_10,
                __width_t_13.scale(__excess_10).add(__excess_t_21.scale(__width_a1)),
            )
        };
        (__t_7, __t_t_25)
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __residual_a0: __S,
        __width_a1: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let __words = &mut __rec[..3];
        let _: __Checked = [];
        __words[0] = __residual_a0;
        __words[1] = __width_a1;
        let __size_2 = __S::abs(__residual_a0);
        __words[2] = __size_2;
        let __t_7: __S = if __S::lt(__size_2, __width_a1) {
            __S::mul_real(__size_2, 0.5f64) * __size_2
        } else {
            let __excess_10 = __size_2 - __S::mul_real(__width_a1, 0.5f64);
            __width_a1 * __excess_10
        };
        __t_7
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __residual_a0: (),
        __slot0: rt::Shadow<'_, __A, __P0>,
        __width_a1: (),
        __slot1: rt::Shadow<'_, __A, __P1>,
        __seed0: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let __words = &__rec[..3];
        let _: __Checked = [];
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH], &[__seed0]);
        let __residual_0: __S = __words[0];
        let __width_1: __S = __words[1];
        let __size_2: __S = __words[2];
        let mut __width_t_p1: __A = __A::zero();
        let mut __size_t_p0: __A = __A::zero();
        if __S::lt(__size_2, __width_1) {
            __size_t_p0.acc(rt::scale_by::<__S, __A>(__steady, __seed0, __size_2));
        } else {
            let __excess_10 = __size_2 - __S::mul_real(__width_1, 0.5f64);
            __width_t_p1.acc(rt::scale_by::<__S, __A>(__steady, __seed0, __excess_10));
            let __excess_t_15 = rt::scale_by::<__S, __A>(__steady, __seed0, __width_1);
            __size_t_p0.acc(__excess_t_15);
            __width_t_p1.dec(__excess_t_15.scale_real(0.5f64));
        }
        let __residual_t_22 = __size_t_p0
            .scale(rt::rules::abs::d0(__residual_0, __S::from_real(0.0)));
        __slot1.give::<__S>(__width_t_p1);
        __slot0.give::<__S>(__residual_t_22);
    }
}
