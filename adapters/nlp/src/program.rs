//! A nonlinear program of annotated functions, as solvers ask for it: sparse structure once, then values.
//!
//! Nothing here knows a solver. Objective, constraints and Lagrangian are three annotated functions, and each callback of
//! a solver in the tradition of Ipopt is one call:
//!
//! | pounce, Ipopt | ripopt | made of |
//! |---|---|---|
//! | `eval_f` | `objective` | `evaluate` of the objective |
//! | `eval_grad_f` | `gradient` | `gradient_into` of the objective |
//! | `eval_g` | `constraints` | `evaluate` of the constraints, which write to their output |
//! | `eval_jac_g`, structure | `jacobian_structure` | `layout().triplets()` of the constraints' prep with `AutoSparse` |
//! | `eval_jac_g`, values | `jacobian_values` | `jacobian_values_into` |
//! | `eval_h`, structure | `hessian_structure` | `layout().triplets()` of the Lagrangian's prep with `Part::Lower` |
//! | `eval_h`, values | `hessian_values` | `hessian_values_into`; `obj_factor` and `lambda` are constants of the Lagrangian |
//!
//! Preps are made once. Because the Lagrangian has constants, each call compares the Hessian with one product that does
//! not use the pattern; `.verify(Verify::Never)` leaves that out. What `new_x` says is not needed.

/// What is minimized, under which constraints.
///
/// Values have the order of the structure.
pub(crate) trait Program {
    /// Bounds and first point.
    fn frame(&self) -> &Frame;

    /// The objective.
    fn objective(&self, x: &[f64]) -> Result<f64, di::Error>;

    /// Gradient of the objective.
    fn gradient(&self, x: &[f64], gradient: &mut [f64]) -> Result<(), di::Error>;

    /// The constraints.
    fn constraints(&self, x: &[f64], g: &mut [f64]) -> Result<(), di::Error>;

    /// Entries of the constraints' Jacobian.
    fn jacobian(&self) -> &Entries;

    /// Their values.
    fn jacobian_values(&self, x: &[f64], values: &mut [f64]) -> Result<(), di::Error>;

    /// Entries of the Hessian of `factor * objective + multipliers * constraints`, on and below the diagonal.
    fn hessian(&self) -> &Entries;

    /// Their values.
    fn hessian_values(
        &self,
        x: &[f64],
        factor: f64,
        multipliers: &[f64],
        values: &mut [f64],
    ) -> Result<(), di::Error>;
}

/// Bounds, infinite where there are none, and the first point.
pub(crate) struct Frame {
    /// Lower and upper bounds of variables.
    pub(crate) x: (Vec<f64>, Vec<f64>),
    /// Lower and upper bounds of constraints.
    pub(crate) g: (Vec<f64>, Vec<f64>),
    /// Where the solver begins.
    pub(crate) start: Vec<f64>,
}

/// Entries of a sparse matrix that may differ from zero.
pub(crate) struct Entries {
    /// Their rows.
    pub(crate) rows: Vec<usize>,
    /// Their columns.
    pub(crate) columns: Vec<usize>,
    /// How many directions yield all of them.
    pub(crate) colors: usize,
}

impl Entries {
    /// The entries that a prep stores, in its order.
    pub(crate) fn of(structure: &di::sparse::Structure) -> Self {
        let (rows, columns) = structure.layout().triplets().unzip();
        Entries {
            rows,
            columns,
            colors: structure.coloring().ncolors(),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }
}

/// Defines a program by three annotated functions: objective, constraints and Lagrangian.
macro_rules! program {
    ($name:ident: $objective:ident, $constraints:ident, $lagrangian:ident) => {
        /// The program, with its preps.
        pub(crate) struct $name {
            frame: $crate::program::Frame,
            dense: AutoSource,
            sparse: AutoSparse<AutoSource>,
            lower: AutoSparse<AutoSource>,
            gradient: GradientPrep<$objective, AutoSource>,
            jacobian: JacobianPrep<$constraints, AutoSparse<AutoSource>>,
            hessian: HessianPrep<$lagrangian, AutoSparse<AutoSource>>,
            /// What constraints write to if only their derivatives are asked for.
            g: std::cell::RefCell<Vec<f64>>,
            j: $crate::program::Entries,
            h: $crate::program::Entries,
        }

        impl $name {
            /// Prepares everything, once: patterns are detected and colored here.
            fn of(frame: $crate::program::Frame) -> Result<Self, di::Error> {
                let (x, mut g) = (&frame.start, vec![0.0; frame.g.0.len()]);
                let (dense, sparse) = (AutoSource::new(), AutoSparse::new(AutoSource::new()));
                let lower = AutoSparse::new(AutoSource::new()).part(Part::Lower);
                let gradient = prepare_gradient($objective::AD, &dense, x)?;
                let hessian = prepare_hessian($lagrangian::AD.with(1.0, &g), &lower, x)?;
                let jacobian = prepare_jacobian($constraints::AD.output(&mut g), &sparse, x)?;
                let (j, h) = (jacobian.structure()?, hessian.structure()?);
                Ok($name {
                    frame,
                    dense,
                    sparse,
                    lower,
                    gradient,
                    jacobian,
                    hessian,
                    g: g.into(),
                    j: $crate::program::Entries::of(&j),
                    h: $crate::program::Entries::of(&h),
                })
            }
        }

        impl $crate::program::Program for $name {
            fn frame(&self) -> &$crate::program::Frame {
                &self.frame
            }

            fn objective(&self, x: &[f64]) -> Result<f64, di::Error> {
                evaluate($objective::AD, x)
            }

            fn gradient(&self, x: &[f64], gradient: &mut [f64]) -> Result<(), di::Error> {
                gradient_into($objective::AD, gradient, &self.gradient, &self.dense, x)
            }

            fn constraints(&self, x: &[f64], g: &mut [f64]) -> Result<(), di::Error> {
                evaluate($constraints::AD.output(g), x).map(|_| ())
            }

            fn jacobian(&self) -> &$crate::program::Entries {
                &self.j
            }

            fn jacobian_values(&self, x: &[f64], values: &mut [f64]) -> Result<(), di::Error> {
                let g = &mut *self.g.borrow_mut();
                let f = $constraints::AD.output(g);
                jacobian_values_into(f, values, &self.jacobian, &self.sparse, x)
            }

            fn hessian(&self) -> &$crate::program::Entries {
                &self.h
            }

            fn hessian_values(
                &self,
                x: &[f64],
                factor: f64,
                multipliers: &[f64],
                values: &mut [f64],
            ) -> Result<(), di::Error> {
                let f = $lagrangian::AD.with(factor, multipliers);
                hessian_values_into(f, values, &self.hessian, &self.lower, x)
            }
        }
    };
}
pub(crate) use program;
