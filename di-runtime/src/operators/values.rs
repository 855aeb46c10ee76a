//! `jacobian_values_into` and `hessian_values_into`: the stored entries of a sparse matrix, without the matrix.

use crate::backend::Stored;
use crate::bound::{Evaluate, Float, Input, Key, Operand};
use crate::capability::Operator;
use crate::error::{Error, check_count, settle};
use crate::function::NumberValued;
use crate::prep::{Prep, State, enter};
use crate::value::Container;

use super::{Hessian, Jacobian};

/// Values of the stored entries of the Jacobian, in the order of the prepared layout.
///
/// Cost: that of `jacobian_into`, without comparing the matrix with the prepared pattern. Allocates nothing.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another length or backend; [`Error::Shape`] if there are not as many values
/// as stored entries; [`Error::Function`] if the function fails; [`Error::InUse`] if the function calls an operator
/// with the same prep.
pub fn jacobian_values_into<F, B, X>(
    f: F,
    values: &mut [Float<F>],
    prep: &Prep<Jacobian, Key<F>, B>,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    B: Stored<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut f = f.bind();
    settle(|| {
        let mut state = enter(prep.body(), Operator::Jacobian, backend, &f, x, 0)?;
        let State { space, spares, .. } = &mut *state;
        let stored = backend.stored(&space.scratch);
        check_count(Operator::Jacobian, "values", stored, values.len())?;
        let view = x.view(&mut spares.x);
        let mut y = f.take(&mut spares.y);
        let slot = F::Bound::slot(&mut y, &mut spares.y);
        backend.jacobian_values(space, f.call(), view, slot, values)?;
        F::Bound::finish(&mut y, &mut spares.y, Operator::Jacobian, prep.body().y())?;
        f.keep(y, &mut spares.y);
        Ok(())
    })
}

/// Values of the stored entries of the Hessian, in the order of the prepared layout.
///
/// Cost: that of `hessian_into`, without comparing the matrix with the prepared pattern; a copy if second
/// derivatives are known to be the same everywhere. Allocates nothing.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another length or backend; [`Error::Shape`] if there are not as many values
/// as stored entries; [`Error::Function`] if the function fails; [`Error::InUse`] if the function calls an operator
/// with the same prep.
pub fn hessian_values_into<F, B, X>(
    f: F,
    values: &mut [Float<F>],
    prep: &Prep<Hessian, Key<F>, B>,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    B: Stored<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let f = f.bind();
    settle(|| {
        let mut state = enter(prep.body(), Operator::Hessian, backend, &f, x, 0)?;
        let State { space, spares, .. } = &mut *state;
        let stored = backend.stored(&space.scratch);
        check_count(Operator::Hessian, "values", stored, values.len())?;
        let view = x.view(&mut spares.x);
        backend.hessian_values(space, f.call(), view, values)
    })
}
