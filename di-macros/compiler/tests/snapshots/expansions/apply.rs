//! What is generated for `apply`, without attributes; `rt` is the hidden module of the runtime.

fn apply(matrix: &[[f64; 3]; 3], x: &[f64; 3], y: &mut [f64]) {
    for i in 0..3 {
        let mut sum = 0.0;
        for j in 0..3 {
            sum += matrix[i][j] * x[j];
        }
        y[i] = sum;
    }
}
impl apply {
    fn __primal<__S: rt::Scalar<Real = f64>>(
        __arg0: &[[__S; 3]; 3],
        __arg1: &[__S; 3],
        __arg2: &mut [__S],
        __pool: &mut rt::Pool,
    ) -> () {
        let _: [(); <apply>::__SOUND] = [];
        let __matrix_p0 = __arg0;
        let __x_p1 = __arg1;
        let __y_p2 = __arg2;
        let __t_0: usize = 0;
        let __t_1: usize = 3;
        for __i_2 in (__t_0..__t_1) {
            let __t_3: f64 = 0f64;
            let mut __sum_p3: __S = <__S as rt::Scalar>::from_real(__t_3);
            let __t_4: usize = 0;
            let __t_5: usize = 3;
            for __j_6 in (__t_4..__t_5) {
                let __t_7: __S = __matrix_p0[__i_2][__j_6];
                let __t_8: __S = __x_p1[__j_6];
                let __t_9: __S = __t_7 * __t_8;
                __sum_p3 = __sum_p3 + __t_9;
            }
            let __t_10: __S = __sum_p3;
            __y_p2[__i_2] = __t_10;
        }
        return ();
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __arg0: &[[__S; 3]; 3],
        __arg1: &[__S; 3],
        __arg2: &mut [__S],
        __pool: &mut rt::Pool,
    ) -> Result<(), rt::Undecided> {
        let () = Self::__primal::<__S>(__arg0, __arg1, __arg2, __pool);
        Ok(())
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __arg0: &[[__S; 3]; 3],
        __slot0: rt::Seed<'_, [[__A; 3]], __P0>,
        __arg1: &[__S; 3],
        __slot1: rt::Seed<'_, [__A], __P1>,
        __arg2: &mut [__S],
        __slot2: &mut [__A],
        __pool: &mut rt::Pool,
    ) -> ((), ()) {
        let _: [(); <apply>::__SOUND] = [];
        let __matrix_p0 = __arg0;
        let __x_p1 = __arg1;
        let __y_p2 = __arg2;
        let __matrix_t_p5 = __slot0.beside(__matrix_p0.len());
        let __x_t_p6 = __slot1.beside(__x_p1.len());
        let __y_t_p7 = &mut __slot2[..__y_p2.len()];
        let __t_0: usize = 0;
        let __t_1: usize = 3;
        for __i_2 in (__t_0..__t_1) {
            let __t_3: f64 = 0f64;
            let mut __sum_p3: __S = <__S as rt::Scalar>::from_real(__t_3);
            let __t_t_11: __A = <__A as rt::Zero>::zero();
            let mut __sum_t_p4: __A = __t_t_11;
            let __t_4: usize = 0;
            let __t_5: usize = 3;
            for __j_6 in (__t_4..__t_5) {
                let __t_7: __S = __matrix_p0[__i_2][__j_6];
                let __t_8: __S = __x_p1[__j_6];
                let __t_9: __S = __t_7 * __t_8;
                __sum_p3 = __sum_p3 + __t_9;
                let __t_t_12: __A = if <__P0 as rt::Activity>::LIVE {
                    __matrix_t_p5[__i_2][__j_6]
                } else {
                    <__A as rt::Zero>::zero()
                };
                let __t_t_13: __A = if <__P1 as rt::Activity>::LIVE {
                    __x_t_p6[__j_6]
                } else {
                    <__A as rt::Zero>::zero()
                };
                let __t_t_14: __A = <__A as rt::Lanes<__S>>::scale(__t_t_12, __t_8);
                let __t_t_15: __A = <__A as rt::Lanes<__S>>::scale(__t_t_13, __t_7);
                let __t_t_16: __A = <__A as rt::Lanes<__S>>::add(__t_t_14, __t_t_15);
                <__A as rt::Lanes<__S>>::acc(&mut __sum_t_p4, __t_t_16);
            }
            let __t_10: __S = __sum_p3;
            __y_p2[__i_2] = __t_10;
            let __t_t_17: __A = __sum_t_p4;
            __y_t_p7[__i_2] = __t_t_17;
        }
        return ((), ());
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __arg0: &[[__S; 3]; 3],
        __arg1: &[__S; 3],
        __arg2: &mut [__S],
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> () {
        let _: [(); <apply>::__SOUND] = [];
        let __matrix_p0 = __arg0;
        let __x_p1 = __arg1;
        let __y_p2 = __arg2;
        let __t_0: usize = 0;
        let __trips_1: usize = 3;
        for __trip_12 in (__t_0..__trips_1) {
            let __t_3: f64 = 0f64;
            let mut __sum_p3: __S = <__S as rt::Scalar>::from_real(__t_3);
            for __trip_15 in (__t_0..__trips_1) {
                let __t_7: __S = __matrix_p0[__trip_12][__trip_15];
                let __t_8: __S = __x_p1[__trip_15];
                let __t_9: __S = __t_7 * __t_8;
                __sum_p3 = __sum_p3 + __t_9;
            }
            let __t_10: __S = __sum_p3;
            __y_p2[__trip_12] = __t_10;
        }
        return ();
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __arg0: &[[__S; 3]],
        __slot0: rt::Shadow<'_, [[__A; 3]], __P0>,
        __arg1: &[__S],
        __slot1: rt::Shadow<'_, [__A], __P1>,
        __arg2: (),
        __slot2: &mut [__A],
        __result_adjoint: (),
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let _: [(); <apply>::__SOUND] = [];
        let __matrix_p0 = __arg0;
        let __x_p1 = __arg1;
        let __y_p2 = __arg2;
        let __y_t_p4 = __slot2;
        let __x_t_p6 = __slot1.beside(__x_p1.len());
        if <__P1 as rt::Activity>::FRESH {
            __x_t_p6.fill(<__A as rt::Zero>::zero());
        }
        let __matrix_t_p7 = __slot0.beside(__matrix_p0.len());
        if <__P0 as rt::Activity>::FRESH {
            __matrix_t_p7.as_flattened_mut().fill(<__A as rt::Zero>::zero());
        }
        let __trips_1: usize = 3;
        let __t_24: usize = 0;
        let __t_25: bool = __t_24 < __trips_1;
        if __t_25 {
            let __t_22: usize = 0;
            let __y_t_p8: &mut [__A] = &mut __y_t_p4[__t_24..__trips_1];
            for __trip_12 in (__t_24..__trips_1) {
                let __t_t_23: __A = <__A as rt::Zero>::zero();
                let mut __sum_t_p5: __A = __t_t_23;
                let __t_t_17: __A = __y_t_p8[__trip_12];
                let __t_t_18: __A = <__A as rt::Zero>::zero();
                __y_t_p8[__trip_12] = __t_t_18;
                <__A as rt::Lanes<__S>>::acc(&mut __sum_t_p5, __t_t_17);
                for __trip_15 in (__t_22..__trips_1) {
                    let __t_7: __S = __matrix_p0[__trip_12][__trip_15];
                    let __t_8: __S = __x_p1[__trip_15];
                    let __t_t_19: __A = __sum_t_p5;
                    let __t_t_20: __A = <__A as rt::Lanes<__S>>::scale(__t_t_19, __t_8);
                    let __t_t_21: __A = <__A as rt::Lanes<__S>>::scale(__t_t_19, __t_7);
                    if <__P1 as rt::Activity>::LIVE {
                        <__A as rt::Lanes<__S>>::acc(&mut __x_t_p6[__trip_15], __t_t_21);
                    }
                    if <__P0 as rt::Activity>::LIVE {
                        <__A as rt::Lanes<
                            __S,
                        >>::acc(&mut __matrix_t_p7[__trip_12][__trip_15], __t_t_20);
                    }
                }
            }
        }
    }
}
