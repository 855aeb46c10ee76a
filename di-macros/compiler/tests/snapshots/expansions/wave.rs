//! What is generated for `wave`, without attributes; `rt` is the hidden module of the runtime.

fn wave(x: f64, speed: f64) -> f64 {
    let phase = speed * x;
    let height = phase.sin();
    height * phase
}
impl wave {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __x_a0: __S,
        __speed_a1: __S,
        __pool: &mut rt::Pool,
    ) -> __S {
        let _: __Checked = [];
        let __phase_2 = __speed_a1 * __x_a0;
        let __height_3 = __S::sin(__phase_2);
        __height_3 * __phase_2
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __x_a0: __S,
        __speed_a1: __S,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let __r0 = Self::__primal::<__S>(__x_a0, __speed_a1, __pool);
        Ok(__r0)
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __x_a0: __S,
        __slot0: rt::Seed<'_, __A, __P0>,
        __speed_a1: __S,
        __slot1: rt::Seed<'_, __A, __P1>,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        let _: __Checked = [];
        let __phase_2 = __speed_a1 * __x_a0;
        let __height_3 = __S::sin(__phase_2);
        let __x_t_5 = __slot0.value();
        let __speed_t_6 = __slot1.value();
        let __phase_t_9 = __speed_t_6.scale(__x_a0).add(__x_t_5.scale(__speed_a1));
        let __height_t_11 = __phase_t_9
            .scale(rt::rules::sin::d0(__phase_2, __S::from_real(0.0)));
        (
            __height_3 * __phase_2,
            __height_t_11.scale(__phase_2).add(__phase_t_9.scale(__height_3)),
        )
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __x_a0: __S,
        __speed_a1: __S,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        let __words = &mut __rec[..4];
        let _: __Checked = [];
        __words[0] = __x_a0;
        __words[1] = __speed_a1;
        let __phase_2 = __speed_a1 * __x_a0;
        let __height_3 = __S::sin(__phase_2);
        __words[2] = __height_3;
        __words[3] = __S::cos(__phase_2);
        __height_3 * __phase_2
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __x_a0: (),
        __slot0: rt::Shadow<'_, __A, __P0>,
        __speed_a1: (),
        __slot1: rt::Shadow<'_, __A, __P1>,
        __seed0: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let __words = &__rec[..4];
        let _: __Checked = [];
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH, <__P1 as rt::Activity>::FRESH], &[__seed0]);
        let __x_0: __S = __words[0];
        let __speed_1: __S = __words[1];
        let __phase_2 = __speed_1 * __x_0;
        let __height_3: __S = __words[2];
        let __height_t_7 = rt::scale_by::<__S, __A>(__steady, __seed0, __phase_2);
        let __phase_t_10 = rt::scale_by::<__S, __A>(__steady, __seed0, __height_3)
            .add(__height_t_7.scale(__words[3]));
        let __speed_t_11 = __phase_t_10.scale(__x_0);
        let __x_t_12 = __phase_t_10.scale(__speed_1);
        __slot1.give::<__S>(__speed_t_11);
        __slot0.give::<__S>(__x_t_12);
    }
}
