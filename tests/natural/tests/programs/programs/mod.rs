//! Whole programs of people who saw the library for the first time, as they were written: each compares its gradients
//! with central differences.

use std::fmt::Debug;

/// Central differences.
fn fd(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    let one = |i: usize| {
        let h = 6e-6 * x[i].abs().max(1e-2);
        let (mut a, mut b) = (x.to_vec(), x.to_vec());
        a[i] += h;
        b[i] -= h;
        (f(&a) - f(&b)) / (2.0 * h)
    };
    (0..x.len()).map(one).collect()
}

pub(super) fn check(name: &str, got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len(), "{name}: lengths");
    let scale = want.iter().fold(0.0_f64, |m, v| m.max(v.abs())).max(1e-300);
    for (got, want) in got.iter().zip(want) {
        let near = (got - want).abs() <= 1e-5 * want.abs().max(1e-3 * scale);
        assert!(near, "{name}: {got} {want}");
    }
}

/// What `main` may return.
pub(super) trait Ended {
    fn well(self);
}

impl Ended for () {
    fn well(self) {}
}

impl<E: Debug> Ended for Result<(), E> {
    fn well(self) {
        self.unwrap();
    }
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(mod $name;)*
        $(#[test]
        fn $name() {
            $name::main().well();
        })*
    };
}

programs! {
    adaptive
    adsr
    arrow
    assoc_types
    balloon
    basketball
    bearing
    beer
    bmi_students
    bond
    bowling
    catenary
    cfg_builder
    closure_return
    clothoid
    coffee
    colour
    conv
    corrosion
    csvfit
    dam
    dyn_error
    eoq
    expr_tree
    ext_trait
    eye
    f32
    fatigue
    fem_beam
    fft
    fishery
    forest
    gauss
    gear
    glucose
    gmm
    grid2d
    heat1d
    iter_tools
    kdv
    kmeans_hist
    kriging
    lens_design
    linreg
    loan
    logistic_ode
    logreg
    lu_struct
    mat_generic
    matrix_ops
    named_params
    newton
    nuclear
    ode_trait
    optimizer
    oxygen
    parachute
    pcfg
    pendulum_state
    poly_ring
    poly_trait
    polygon
    portfolio
    pso_toml
    psychro
    quaternion
    rate_limiter
    ray
    rk4
    rnn
    scheduler
    secant
    ship
    simpson
    sir_network
    slices
    softdtw
    spline
    state_machine
    stats
    sundial
    train
    units
    view_lifetime
    xor
}
