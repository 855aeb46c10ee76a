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
        __matrix_a0: &[[__S; 3]; 3],
        __x_a1: &[__S; 3],
        __y_a2: &mut [__S],
        __pool: &mut rt::Pool,
    ) -> () {
        let _: __Checked = [];
        for __i_2 in 0usize..3usize {
            let mut __sum_p3: __S = __S::from_real(0f64);
            for __j_6 in 0usize..3usize {
                __sum_p3 = __sum_p3 + ((__matrix_a0[__i_2])[__j_6] * (__x_a1)[__j_6]);
            }
            __y_a2[__i_2] = __sum_p3;
        }
        ()
    }
    fn __pattern<__S: rt::Abstract<Real = f64>>(
        __matrix_a0: &[[__S; 3]; 3],
        __x_a1: &[__S; 3],
        __y_a2: &mut [__S],
        __pool: &mut rt::Pool,
    ) -> Result<(), rt::Undecided> {
        let () = Self::__primal::<__S>(__matrix_a0, __x_a1, __y_a2, __pool);
        Ok(())
    }
    fn __tangent<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __matrix_a0: &[[__S; 3]; 3],
        __slot0: rt::Seed<'_, [[__A; 3]], __P0>,
        __x_a1: &[__S; 3],
        __slot1: rt::Seed<'_, [__A], __P1>,
        __y_a2: &mut [__S],
        __slot2: &mut [__A],
        __pool: &mut rt::Pool,
    ) -> ((), ()) {
        let _: __Checked = [];
        let __matrix_t_p5 = __slot0.beside(__matrix_a0.len());
        let __x_t_p6 = __slot1.beside(__x_a1.len());
        let __y_t_p7 = &mut __slot2[..__y_a2.len()];
        for __i_2 in 0usize..3usize {
            let mut __sum_p3: __S = __S::from_real(0f64);
            let mut __sum_t_p4: __A = __A::zero();
            for __j_6 in 0usize..3usize {
                let __t_7: __S = (__matrix_a0[__i_2])[__j_6];
                let __t_8: __S = (__x_a1)[__j_6];
                __sum_p3 = __sum_p3 + (__t_7 * __t_8);
                let __t_t_12: __A = if <__P0 as rt::Activity>::LIVE {
                    __matrix_t_p5[__i_2][__j_6]
                } else {
                    __A::zero()
                };
                let __t_t_13: __A = if <__P1 as rt::Activity>::LIVE {
                    __x_t_p6[__j_6]
                } else {
                    __A::zero()
                };
                __sum_t_p4.acc(__t_t_12.scale(__t_8).add(__t_t_13.scale(__t_7)));
            }
            __y_a2[__i_2] = __sum_p3;
            __y_t_p7[__i_2] = __sum_t_p4;
        }
        ((), ())
    }
    fn __augmented<__S: rt::Scalar<Real = f64>>(
        __matrix_a0: &[[__S; 3]; 3],
        __x_a1: &[__S; 3],
        __y_a2: &mut [__S],
        __rec: &mut [__S],
        __irec: &mut [usize],
        __tape: &mut rt::Tape<__S>,
        __pool: &mut rt::Pool,
    ) -> () {
        let _: __Checked = [];
        let __trips_1: usize = 3;
        for __trip_12 in 0usize..__trips_1 {
            let mut __sum_p3: __S = __S::from_real(0f64);
            for __trip_15 in 0usize..__trips_1 {
                __sum_p3 = __sum_p3
                    + ((__matrix_a0[__trip_12])[__trip_15] * (__x_a1)[__trip_15]);
            }
            __y_a2[__trip_12] = __sum_p3;
        }
        ()
    }
    fn __reverse<
        __S: rt::Scalar<Real = f64>,
        __A: rt::Lanes<__S>,
        __P0: rt::Activity,
        __P1: rt::Activity,
    >(
        __matrix_a0: &[[__S; 3]],
        __slot0: rt::Shadow<'_, [[__A; 3]], __P0>,
        __x_a1: &[__S],
        __slot1: rt::Shadow<'_, [__A], __P1>,
        __y_a2: (),
        __slot2: &mut [__A],
        (): (),
        __rec: &[__S],
        __irec: &[usize],
        __tape: &rt::Tape<__S>,
        __cur: &mut rt::Cursor,
        __pool: &mut rt::Pool,
    ) {
        let _: __Checked = [];
        let __y_t_p4 = __slot2;
        let __x_t_p6 = __slot1.beside(__x_a1.len());
        if <__P1 as rt::Activity>::FRESH {
            __x_t_p6.fill(__A::zero());
        }
        let __matrix_t_p7 = __slot0.beside(__matrix_a0.len());
        if <__P0 as rt::Activity>::FRESH {
            __matrix_t_p7.as_flattened_mut().fill(__A::zero());
        }
        let __trips_1: usize = 3;
        if 0usize < __trips_1 {
            let __y_t_p8: &mut [__A] = &mut (__y_t_p4)[0usize..__trips_1];
            for __trip_12 in 0usize..__trips_1 {
                let mut __sum_t_p5: __A = __A::zero();
                let __t_t_17: __A = __y_t_p8[__trip_12];
                __y_t_p8[__trip_12] = __A::zero();
                __sum_t_p5 = __t_t_17;
                for __trip_15 in 0usize..__trips_1 {
                    let __t_t_19: __A = __sum_t_p5;
                    let __t_t_20 = __t_t_19.scale((__x_a1)[__trip_15]);
                    let __t_t_21 = __t_t_19.scale((__matrix_a0[__trip_12])[__trip_15]);
                    if <__P1 as rt::Activity>::LIVE {
                        __P1::add(&mut __x_t_p6[__trip_15], __t_t_21);
                    }
                    if <__P0 as rt::Activity>::LIVE {
                        __P0::add(&mut __matrix_t_p7[__trip_12][__trip_15], __t_t_20);
                    }
                }
            }
        }
    }
}
