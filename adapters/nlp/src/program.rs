//! A nonlinear program of annotated functions, as ripopt asks for it: sparse structure once, then values.

use std::cell::RefCell;

use di::prelude::*;
use di::sparse::AutoSparse;
use di::sprs::CsMat;

/// The backend of Jacobians and Hessians.
pub type Sparse = AutoSparse<AutoSource>;

/// A sparse matrix that is filled again and again, and the places of its entries.
pub struct Filled {
    matrix: RefCell<CsMat<f64>>,
    places: (Vec<usize>, Vec<usize>),
}

impl Filled {
    /// Of a matrix with the pattern of all others.
    pub fn new(matrix: CsMat<f64>) -> Self {
        let places = matrix.iter().map(|(_, place)| place).unzip();
        Filled {
            matrix: RefCell::new(matrix),
            places,
        }
    }

    /// Rows and columns of the entries.
    pub fn structure(&self) -> (Vec<usize>, Vec<usize>) {
        self.places.clone()
    }

    /// Fills the matrix, and copies its entries in the order of the structure. Is there no error?
    pub fn values(
        &self,
        values: &mut [f64],
        fill: impl FnOnce(&mut CsMat<f64>) -> Result<(), di::Error>,
    ) -> bool {
        let mut matrix = self.matrix.borrow_mut();
        let filled = fill(&mut matrix);
        values.copy_from_slice(matrix.data());
        done(filled)
    }
}

/// Was there no error? A solver is not interested in which it was, so it is printed.
pub fn done(result: Result<(), di::Error>) -> bool {
    if let Err(error) = &result {
        eprintln!("{error}");
    }
    result.is_ok()
}

/// The bounds of a program, and where it begins.
pub struct Frame {
    /// Lower and upper bounds of variables.
    pub x: (Vec<f64>, Vec<f64>),
    /// Lower and upper bounds of constraints.
    pub g: (Vec<f64>, Vec<f64>),
    /// The first point.
    pub start: Vec<f64>,
}

/// Implements ripopt's trait by three annotated functions: objective, constraints and Lagrangian.
macro_rules! program {
    ($name:ident, $objective:ident, $constraints:ident, $lagrangian:ident) => {
        /// The program, with its preps.
        pub struct $name {
            frame: Frame,
            dense: AutoSource,
            sparse: Sparse,
            lower: Sparse,
            gradient: GradientPrep<$objective, AutoSource>,
            jacobian: JacobianPrep<$constraints, Sparse>,
            hessian: HessianPrep<$lagrangian, Sparse>,
            j: Filled,
            h: Filled,
        }

        impl $name {
            /// Prepares: patterns and colors are found here, once.
            pub fn of(frame: Frame) -> Result<Self, di::Error> {
                let (x, mut g) = (&frame.start, vec![0.0; frame.g.0.len()]);
                let (dense, sparse) = (AutoSource::new(), AutoSparse::new(AutoSource::new()));
                let lower = AutoSparse::new(AutoSource::new()).part(Part::Lower);
                let gradient = prepare_gradient($objective::AD, &dense, x)?;
                let f = $constraints::AD.output(&mut g);
                let jacobian = prepare_jacobian(f, &sparse, x)?;
                let j = Filled::new(jacobian.structure()?.layout().zeros());
                let hessian = prepare_hessian($lagrangian::AD.with(1.0, &g), &lower, x)?;
                let h = Filled::new(hessian.structure()?.layout().zeros());
                Ok($name {
                    frame,
                    dense,
                    sparse,
                    lower,
                    gradient,
                    jacobian,
                    hessian,
                    j,
                    h,
                })
            }

            /// Entries and colors of the Jacobian, and of the Hessian's lower half.
            pub fn sizes(&self) -> Result<[usize; 4], di::Error> {
                let (j, h) = (self.jacobian.structure()?, self.hessian.structure()?);
                let entries = [&self.j, &self.h].map(|m| m.structure().0.len());
                let colors = [j.coloring().ncolors(), h.coloring().ncolors()];
                Ok([entries[0], colors[0], entries[1], colors[1]])
            }
        }

        impl NlpProblem for $name {
            fn num_variables(&self) -> usize {
                self.frame.start.len()
            }

            fn num_constraints(&self) -> usize {
                self.frame.g.0.len()
            }

            fn bounds(&self, lower: &mut [f64], upper: &mut [f64]) {
                lower.copy_from_slice(&self.frame.x.0);
                upper.copy_from_slice(&self.frame.x.1);
            }

            fn constraint_bounds(&self, lower: &mut [f64], upper: &mut [f64]) {
                lower.copy_from_slice(&self.frame.g.0);
                upper.copy_from_slice(&self.frame.g.1);
            }

            fn initial_point(&self, x: &mut [f64]) {
                x.copy_from_slice(&self.frame.start);
            }

            fn objective(&self, x: &[f64], _: bool, value: &mut f64) -> bool {
                *value = $objective(x);
                value.is_finite()
            }

            fn gradient(&self, x: &[f64], _: bool, g: &mut [f64]) -> bool {
                done(gradient_into(
                    $objective::AD,
                    g,
                    &self.gradient,
                    &self.dense,
                    x,
                ))
            }

            fn constraints(&self, x: &[f64], _: bool, g: &mut [f64]) -> bool {
                $constraints(x, g);
                g.iter().all(|g| g.is_finite())
            }

            fn jacobian_structure(&self) -> (Vec<usize>, Vec<usize>) {
                self.j.structure()
            }

            fn jacobian_values(&self, x: &[f64], _: bool, values: &mut [f64]) -> bool {
                let mut g = vec![0.0; self.num_constraints()];
                let f = $constraints::AD.output(&mut g);
                self.j.values(values, |j| {
                    jacobian_into(f, j, &self.jacobian, &self.sparse, x)
                })
            }

            fn hessian_structure(&self) -> (Vec<usize>, Vec<usize>) {
                self.h.structure()
            }

            fn hessian_values(
                &self,
                x: &[f64],
                _: bool,
                factor: f64,
                l: &[f64],
                values: &mut [f64],
            ) -> bool {
                let f = $lagrangian::AD.with(factor, l);
                self.h.values(values, |h| {
                    hessian_into(f, h, &self.hessian, &self.lower, x)
                })
            }
        }
    };
}
pub(crate) use program;
