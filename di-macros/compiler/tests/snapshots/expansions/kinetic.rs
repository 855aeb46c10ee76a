//! What is generated for `kinetic`, without attributes; `rt` is the hidden module of the runtime.

fn kinetic(body: &Body) -> f64 {
    let [vx, vy] = body.velocity;
    let squared = vx * vx + vy * vy;
    0.5 * body.mass * squared
}
impl kinetic {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __arg0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        use ::di::__private::{
            ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _,
        };
        let _: [(); <kinetic>::__SOUND] = [];
        let __body_p0: <rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<
            (<<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>),
        >>::Then = __arg0;
        let __t_0: usize = rt::told::<usize>((__body_p0.velocity).len());
        let __t_1: usize = 0;
        let __vx_2: __S = __body_p0.velocity[__t_1].read();
        let __t_3: usize = 1;
        let __vy_4: __S = __body_p0.velocity[__t_3].read();
        let __t_5: __S = __vx_2 * __vx_2;
        let __t_6: __S = __vy_4 * __vy_4;
        let __squared_7: __S = __t_5 + __t_6;
        let __t_8: f64 = 0.5f64;
        let __t_9: __S = __body_p0.mass.read();
        let __t_10: __S = rt::Scalar::mul_real(__t_9, __t_8);
        let __t_11: __S = __t_10 * __squared_7;
        return __t_11;
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __pool: &mut rt::Pool,
    ) -> Result<__S, rt::Undecided> {
        let __r0 = Self::__primal::<__S>(__arg0, __pool);
        Ok(__r0)
    }
    fn __tangent<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __arg0: <<rt::Sound<
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
        use ::di::__private::{
            ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _,
        };
        let _: [(); <kinetic>::__SOUND] = [];
        let __body_p0: <rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<
            (<<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>),
        >>::Then = __arg0;
        let __body_t_p1: <rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<
            (rt::Seed<
                '_,
                <<rt::Sound<
                    { <kinetic>::__SOUND },
                > as rt::If<(Body)>>::Then as rt::Differentiable>::Lanes<__A>,
                __P0,
            >),
        >>::Then = __slot0;
        let __t_0: usize = rt::told::<usize>((__body_p0.velocity).len());
        let __t_1: usize = 0;
        let __vx_2: __S = __body_p0.velocity[__t_1].read();
        let __t_3: usize = 1;
        let __vy_4: __S = __body_p0.velocity[__t_3].read();
        let __t_5: __S = __vx_2 * __vx_2;
        let __t_14: __S = __vx_2 + __vx_2;
        let __t_6: __S = __vy_4 * __vy_4;
        let __t_16: __S = __vy_4 + __vy_4;
        let __squared_7: __S = __t_5 + __t_6;
        let __t_8: f64 = 0.5f64;
        let __t_9: __S = __body_p0.mass.read();
        let __t_10: __S = rt::Scalar::mul_real(__t_9, __t_8);
        let __t_11: __S = __t_10 * __squared_7;
        let __vx_t_12: __A = if let Some(__part) = __body_t_p1.get() {
            (*__part).velocity[__t_1].read_lane()
        } else {
            <__A as rt::Zero>::zero()
        };
        let __vy_t_13: __A = if let Some(__part) = __body_t_p1.get() {
            (*__part).velocity[__t_3].read_lane()
        } else {
            <__A as rt::Zero>::zero()
        };
        let __t_t_15: __A = <__A as rt::Lanes<__S>>::scale(__vx_t_12, __t_14);
        let __t_t_17: __A = <__A as rt::Lanes<__S>>::scale(__vy_t_13, __t_16);
        let __squared_t_18: __A = <__A as rt::Lanes<__S>>::add(__t_t_15, __t_t_17);
        let __t_t_19: __A = if let Some(__part) = __body_t_p1.get() {
            (*__part).mass.read_lane()
        } else {
            <__A as rt::Zero>::zero()
        };
        let __t_t_20: __A = <__A as rt::Lanes<__S>>::scale_real(__t_t_19, __t_8);
        let __t_t_21: __A = <__A as rt::Lanes<__S>>::scale(__t_t_20, __squared_7);
        let __t_t_22: __A = <__A as rt::Lanes<__S>>::scale(__squared_t_18, __t_10);
        let __t_t_23: __A = <__A as rt::Lanes<__S>>::add(__t_t_21, __t_t_22);
        return (__t_11, __t_t_23);
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __arg0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> __S {
        use ::di::__private::{
            ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _,
        };
        let _: [(); <kinetic>::__SOUND] = [];
        let __body_p0: <rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<
            (<<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>),
        >>::Then = __arg0;
        let __t_1: usize = 0;
        let __t_3: usize = 1;
        let __t_0: usize = rt::told::<usize>((__body_p0.velocity).len());
        let __vx_2: __S = __body_p0.velocity[__t_1].read();
        let __vy_4: __S = __body_p0.velocity[__t_3].read();
        let __t_5: __S = __vx_2 * __vx_2;
        let __t_6: __S = __vy_4 * __vy_4;
        let __squared_7: __S = __t_5 + __t_6;
        let __t_8: f64 = 0.5f64;
        let __t_9: __S = __body_p0.mass.read();
        let __t_10: __S = rt::Scalar::mul_real(__t_9, __t_8);
        let __t_11: __S = __t_10 * __squared_7;
        return __t_11;
    }
    fn __reverse<__S: rt::Scalar<Real = f64>, __A: rt::Lanes<__S>, __P0: rt::Activity>(
        __arg0: <<rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>,
        __slot0: rt::Shadow<
            '_,
            <<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::Lanes<__A>,
            __P0,
        >,
        __result_adjoint: __A,
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        use ::di::__private::{
            ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _,
        };
        let _: [(); <kinetic>::__SOUND] = [];
        let __body_p0: <rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<
            (<<rt::Sound<
                { <kinetic>::__SOUND },
            > as rt::If<(Body)>>::Then as rt::Differentiable>::View<'_, __S>),
        >>::Then = __arg0;
        let __seed0 = __result_adjoint;
        let __steady = rt::steady::<
            __S,
            __A,
        >(&[<__P0 as rt::Activity>::FRESH], &[__seed0]);
        let mut __body_t_p1: <rt::Sound<
            { <kinetic>::__SOUND },
        > as rt::If<
            (rt::Shadow<
                '_,
                <<rt::Sound<
                    { <kinetic>::__SOUND },
                > as rt::If<(Body)>>::Then as rt::Differentiable>::Lanes<__A>,
                __P0,
            >),
        >>::Then = __slot0;
        let __t_1: usize = 0;
        let __t_3: usize = 1;
        let __vx_2: __S = __body_p0.velocity[__t_1].read();
        let __vy_4: __S = __body_p0.velocity[__t_3].read();
        let __t_5: __S = __vx_2 * __vx_2;
        let __t_6: __S = __vy_4 * __vy_4;
        let __squared_7: __S = __t_5 + __t_6;
        let __t_8: f64 = 0.5f64;
        let __t_9: __S = __body_p0.mass.read();
        let __t_10: __S = rt::Scalar::mul_real(__t_9, __t_8);
        let __t_t_12: __A = __seed0;
        let __t_t_13: __A = rt::scale_by::<__S, __A>(__steady, __t_t_12, __squared_7);
        let __squared_t_14: __A = rt::scale_by::<__S, __A>(__steady, __t_t_12, __t_10);
        let __t_t_15: __A = <__A as rt::Lanes<__S>>::scale_real(__t_t_13, __t_8);
        if let Some(__part) = __body_t_p1.get() {
            (*__part).mass.acc(__t_t_15);
        }
        let __t_16: __S = __vy_4 + __vy_4;
        let __vy_t_17: __A = <__A as rt::Lanes<__S>>::scale(__squared_t_14, __t_16);
        let __t_18: __S = __vx_2 + __vx_2;
        let __vx_t_19: __A = <__A as rt::Lanes<__S>>::scale(__squared_t_14, __t_18);
        if let Some(__part) = __body_t_p1.get() {
            (*__part).velocity[__t_3].acc(__vy_t_17);
        }
        if let Some(__part) = __body_t_p1.get() {
            (*__part).velocity[__t_1].acc(__vx_t_19);
        }
    }
}
