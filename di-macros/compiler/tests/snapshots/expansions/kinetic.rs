//! What is generated for `kinetic`, without attributes; `rt` is the hidden module of the runtime.

fn kinetic(body: &Body) -> f64 {
    let [vx, vy] = body.velocity;
    let squared = vx * vx + vy * vy;
    0.5 * body.mass * squared
}
impl kinetic {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __body_a0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        use __rt::{
            AsView as _, ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _,
        };
        let _: __Checked = [];
        let __body_p0: __If<
            (<<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>),
        > = __body_a0;
        let __vx_2: __S = (__body_p0.velocity)[0].read();
        let __vy_4: __S = (__body_p0.velocity)[1].read();
        let __squared_7 = (__vx_2 * __vx_2) + (__vy_4 * __vy_4);
        let __t_9: __S = __body_p0.mass.read();
        __S::mul_real(__t_9, 0.5f64) * __squared_7
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __body_a0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let __r0 = Self::__primal::<__S>(__body_a0, __pool);
        Ok(__r0)
    }
    fn __tangent<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __body_a0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __slot0: rt::Seed<
            '_,
            <<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::Lanes<__A>,
            __P0,
        >,
        __pool: &mut rt::Pool,
    ) -> (__S, __A) {
        use __rt::{
            AsView as _, ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _,
        };
        let _: __Checked = [];
        let __body_p0: __If<
            (<<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>),
        > = __body_a0;
        let __body_t_p1: __If<
            (rt::Seed<
                '_,
                <<rt::Sound<
                    { <kinetic>::__SOUND },
                > as rt::If<(Body)>>::Then as rt::Differentiable>::Lanes<__A>,
                __P0,
            >),
        > = __slot0;
        let __vx_2: __S = (__body_p0.velocity)[0].read();
        let __vy_4: __S = (__body_p0.velocity)[1].read();
        let __squared_7 = (__vx_2 * __vx_2) + (__vy_4 * __vy_4);
        let __t_9: __S = __body_p0.mass.read();
        let __t_10 = __S::mul_real(__t_9, 0.5f64);
        let __vx_t_12: __A = if let Some(__part) = __body_t_p1.get() {
            (*__part).velocity[0].read_lane()
        } else {
            __A::zero()
        };
        let __vy_t_13: __A = if let Some(__part) = __body_t_p1.get() {
            (*__part).velocity[1].read_lane()
        } else {
            __A::zero()
        };
        let __squared_t_18 = __vx_t_12
            .scale(__S::twice(__vx_2))
            .add(__vy_t_13.scale(__S::twice(__vy_4)));
        let __t_t_19: __A = if let Some(__part) = __body_t_p1.get() {
            (*__part).mass.read_lane()
        } else {
            __A::zero()
        };
        (
            __t_10 * __squared_7,
            __t_t_19
                .scale_real(0.5f64)
                .scale(__squared_7)
                .add(__squared_t_18.scale(__t_10)),
        )
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __body_a0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        use __rt::{
            AsView as _, ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _,
        };
        let _: __Checked = [];
        let __body_p0: __If<
            (<<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>),
        > = __body_a0;
        let __vx_2: __S = (__body_p0.velocity)[0].read();
        let __vy_4: __S = (__body_p0.velocity)[1].read();
        let __squared_7 = (__vx_2 * __vx_2) + (__vy_4 * __vy_4);
        let __t_9: __S = __body_p0.mass.read();
        __S::mul_real(__t_9, 0.5f64) * __squared_7
    }
    fn __reverse<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __body_a0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __slot0: rt::Shadow<
            '_,
            <<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::Lanes<__A>,
            __P0,
        >,
        __seed0: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        use __rt::{
            AsView as _, ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _,
        };
        let _: __Checked = [];
        let __body_p0: __If<
            (<<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>),
        > = __body_a0;
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH], &[__seed0]);
        let mut __body_t_p1: __If<
            (rt::Shadow<
                '_,
                <<rt::Sound<
                    { <kinetic>::__SOUND },
                > as rt::If<(Body)>>::Then as rt::Differentiable>::Lanes<__A>,
                __P0,
            >),
        > = __slot0;
        let __vx_2: __S = (__body_p0.velocity)[0].read();
        let __vy_4: __S = (__body_p0.velocity)[1].read();
        let __squared_7 = (__vx_2 * __vx_2) + (__vy_4 * __vy_4);
        let __t_9: __S = __body_p0.mass.read();
        let __squared_t_14 = rt::scale_by::<
            __S,
            __A,
        >(__steady, __seed0, __S::mul_real(__t_9, 0.5f64));
        if let Some(__part) = __body_t_p1.get() {
            (*__part)
                .mass
                .acc(
                    rt::scale_by::<__S, __A>(__steady, __seed0, __squared_7)
                        .scale_real(0.5f64),
                );
        }
        let __vy_t_17 = __squared_t_14.scale(__S::twice(__vy_4));
        let __vx_t_19 = __squared_t_14.scale(__S::twice(__vx_2));
        if let Some(__part) = __body_t_p1.get() {
            (*__part).velocity[1].acc(__vy_t_17);
        }
        if let Some(__part) = __body_t_p1.get() {
            (*__part).velocity[0].acc(__vx_t_19);
        }
    }
}
