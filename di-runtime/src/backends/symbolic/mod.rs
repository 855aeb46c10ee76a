//! `AutoSymbolic`: derivatives as expressions, compiled to flat programs.

mod derive;
mod engine;
mod factor;
mod formulas;
mod graph;
mod outer;
mod program;
mod run;
mod schedule;
mod table;
mod trace;

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, Generic, NumberValued, OfNumber, Slot, XLanes, XLanesMut, XRef, YLanes, YLanesMut,
};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space};
use crate::value::Family;

use super::methods::methods;
use super::sweep::Lifted;
use engine::{Engine, copy};
pub use formulas::{Formulas, formulas};
pub use trace::Symbol;

/// Symbolic expressions: preparation runs the function on symbols once, and records a graph in which equal
/// subexpressions are one node. Derivatives are graphs too. The ones that an operator needs are compiled to a list of
/// instructions on registers. Preparation is expensive; calls allocate nothing.
///
/// A graph is one path through the function, together with the outcomes of comparisons that depend on `x`. A call in
/// which one of them differs records another graph, and keeps it too (up to 16).
///
/// Constants and captured data cannot be symbols, because passive code may do anything with them. So a function with
/// constants or captured data runs on symbols in each call, and is compared with the recorded graph. Floats that have
/// changed are loaded into the program; the first call that finds one compiles the program again (at most twice).
/// Another sequence of operations, for example after an integer or a flag has changed, is another graph. Functions of
/// `x` and fixed parameters alone do not run again. Other data that a function reads (statics) must not change.
///
/// Custom rules are evaluated in each call, with their Jacobian as a dense block, and for second order their Hessian.
/// Second order is limited to rules of 128 inputs.
///
/// In Jacobians and Hessians, only entries that depend on their input are computed; the others are zero.
/// [`AutoSymbolic::factored`] shares factors between entries.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::AutoSymbolic;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] * x[0] * x[1].sin()
/// }
///
/// let backend = AutoSymbolic::new();
/// let prep = prepare_hessian(f::AD, &backend, &[1.0, 0.0])?;
/// let h = hessian(f::AD, &prep, &backend, &[3.0, 0.0])?;
/// assert_eq!(h, [[0.0, 6.0], [6.0, 0.0]]);
///
/// let mut f = di::formulas(f::AD, &[1.0, 0.0])?;
/// assert_eq!(f.value(0), "x0 * x0 * sin(x1)");
/// assert_eq!(f.derivative(0, 1), "x0 * x0 * cos(x1)");
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutoSymbolic {
    factored: bool,
}

impl AutoSymbolic {
    /// Jacobians by columns or by rows, whichever are fewer; Hessians by columns of the gradient.
    pub fn new() -> Self {
        AutoSymbolic::default()
    }

    /// Jacobians and Hessians by elimination in the derivative graph, so that entries share factors: for
    /// functions of many inputs and many outputs.
    ///
    /// As in D* (B. Guenter: Efficient symbolic differentiation for graphics applications, 2007), with the
    /// order of H. Markowitz. Preparation takes longer.
    pub fn factored(self) -> Self {
        AutoSymbolic { factored: true }
    }
}

impl Capabilities for AutoSymbolic {
    fn name(&self) -> &'static str {
        "AutoSymbolic"
    }
    fn mode(&self) -> Mode {
        Mode::Symbolic
    }
}

/// Programs for one operator.
pub struct Scratch<K: Generic> {
    engine: Engine<K>,
    lifted: Lifted<K, Symbol<K::Real>>,
}

impl<K: Generic> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            engine: self.engine.clone(),
            lifted: self.lifted.clone(),
        }
    }
}

impl<K: Generic> Scratch<K> {
    /// How many instructions the last call ran.
    pub(crate) fn instructions(&self) -> usize {
        self.engine.instructions()
    }
}

impl<O: crate::prep::Op, K: Generic> crate::prep::Prep<O, K, AutoSymbolic> {
    /// Number of instructions of the program that the last call ran, or that preparation compiled; it shows how much
    /// sharing saves.
    ///
    /// # Errors
    /// [`Error::InUse`] if it is called by the function that is being differentiated.
    pub fn instructions(&self) -> Result<usize, Error> {
        self.look(Scratch::instructions)
    }
}

impl<K: Generic> Backend<K> for AutoSymbolic {
    type Scratch = Scratch<K>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        let mut engine = Engine::new(plan.operator, self.factored, false, plan.x, plan.y);
        let mut lifted = Lifted::new(plan.x, plan.y, call.form());
        engine.follow(&mut lifted, call, x)?;
        Ok(Scratch { engine, lifted })
    }

    methods!(none: matrix);

    fn linearize(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<bool, Error> {
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.evaluate(lifted, call, x)?;
        Ok(true)
    }

    fn pushforward(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let same_point = space.same_point;
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.is_for(Operator::Pushforward)?;
        if !same_point {
            engine.evaluate(lifted, call, x)?;
        }
        let fit = if engine.fits() { dx.len() } else { 0 };
        for (dx, dy) in dx.iter().zip(dy).take(fit) {
            let program = engine.program();
            program.set_seeds::<K::X>(*dx);
            program.run_each();
            copy::<K::Y, _>(program.last(), K::Y::reborrow_lanes(dy));
        }
        engine.write_y(y);
        Ok(())
    }

    fn pullback(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dy: &[YLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dx: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let same_point = space.same_point;
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.is_for(Operator::Pullback)?;
        if !same_point {
            engine.evaluate(lifted, call, x)?;
        }
        let fit = if engine.fits() { dy.len() } else { 0 };
        for (dy, dx) in dy.iter().zip(dx).take(fit) {
            let program = engine.program();
            program.set_seeds::<K::Y>(*dy);
            program.run_each();
            copy::<K::X, _>(program.last(), K::X::reborrow_lanes(dx));
        }
        engine.write_y(y);
        Ok(())
    }

    fn derivative(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.is_for(Operator::Derivative)?;
        engine.evaluate(lifted, call, x)?;
        if engine.fits() {
            copy::<K::Y, _>(engine.program().last(), dy);
        }
        engine.write_y(y);
        Ok(())
    }

    fn gradient(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: XLanesMut<'_, K, K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.is_for(Operator::Gradient)?;
        engine.evaluate(lifted, call, x)?;
        copy::<K::X, _>(engine.program().last(), g);
        Ok(engine.number())
    }

    fn jacobian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        j: &mut Matrix<K::Real>,
    ) -> Result<(), Error> {
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.is_for(Operator::Jacobian)?;
        engine.evaluate(lifted, call, x)?;
        if engine.fits() {
            j.fill(K::Real::default());
            let program = engine.program();
            for ((row, column), v) in program.places.iter().zip(program.last()) {
                j[[*row, *column]] = v;
            }
        }
        engine.write_y(y);
        Ok(())
    }

    fn second_derivative(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.is_for(Operator::SecondDerivative)?;
        engine.evaluate(lifted, call, x)?;
        engine.write_second_derivative(y, dy, ddy);
        Ok(())
    }

    fn hvp(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let same_point = space.same_point;
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.is_for(Operator::Hvp)?;
        if !same_point {
            engine.evaluate(lifted, call, x)?;
        }
        Ok(engine.write_products(dx, g, products))
    }

    fn hessian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let Scratch { engine, lifted } = &mut space.scratch;
        engine.is_for(Operator::Hessian)?;
        engine.evaluate(lifted, call, x)?;
        Ok(engine.write_hessian(g, h))
    }
}
