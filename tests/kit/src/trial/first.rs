//! Operators of first order.

use std::hint::black_box;

use di_runtime::backend::Backend;
use di_runtime::bound::{Function, Like};
use di_runtime::error::Error;
use di_runtime::function::{NumberValued, OfNumber};
use di_runtime::operators::{
    Derivative, Gradient, Jacobian, Pullback, Pushforward, derivative, derivative_into, gradient,
    gradient_into, jacobian, jacobian_into, prepare_derivative, prepare_gradient, prepare_jacobian,
    prepare_pullback, prepare_pullback_same_point, prepare_pushforward,
    prepare_pushforward_same_point, pullback, pullback_into, pushforward, pushforward_into,
    value_and_derivative, value_and_derivative_into, value_and_gradient, value_and_gradient_into,
    value_and_jacobian, value_and_jacobian_into, value_and_pullback, value_and_pullback_into,
    value_and_pushforward, value_and_pushforward_into,
};
use di_runtime::primitive::ResultMatrix;
use di_runtime::scalar::Real;
use di_runtime::value::{Container, ContainerMut, Family, Number, Tangents, TangentsMut};

use super::{
    Act, Arguments, Choice, Float, Form, Input, Outcome, Output, PrepOf, address, elsewhere,
    note_number, note_value, zeros,
};
use crate::flat::{self, ReadMatrix};
use crate::scenario::Place;
use crate::subject::Subject;

impl<S, X, Y, T, M, B> Act<S, X, Y, T, M, B> for Pushforward
where
    S: Subject<Y>,
    B: Backend<S::Key>,
    X: Container<Input<S, Y>, Float<S, Y>>,
    Y: ContainerMut<Output<S, Y>, Float<S, Y>> + Clone,
    T: Tangents<Input<S, Y>, Float<S, Y>, M>,
{
    type Buffers = T::Each<Output<S, Y>, Y>;
    type Turned = T::Each<Input<S, Y>, X::Result>;

    fn prepare(
        a: Arguments<'_, S, X, Y, T>,
        blank: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error> {
        if blank {
            prepare_pushforward(a.f.call(a.y), backend, &zeros(a.x), a.tangents)
        } else {
            prepare_pushforward(a.f.call(a.y), backend, a.x, a.tangents)
        }
    }
    fn same_point(
        a: Arguments<'_, S, X, Y, T>,
        backend: &B,
    ) -> Option<Result<PrepOf<Self, S, Y, B>, Error>> {
        let f = a.f.call(a.y);
        Some(prepare_pushforward_same_point(f, backend, a.x, a.tangents))
    }
    fn buffers(a: Arguments<'_, S, X, Y, T>, _: &B) -> Result<Self::Buffers, Error> {
        Ok(T::each::<Output<S, Y>, Y>(&mut || a.y.clone()))
    }
    fn spoil(buffers: &mut Self::Buffers) {
        flat::spoil::<Output<S, Y>, Float<S, Y>, M, _>(buffers);
    }
    fn run(
        a: Arguments<'_, S, X, Y, T>,
        buffers: &mut Self::Buffers,
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        let Arguments { f, x, y, tangents } = a;
        let at = address(y);
        let f = f.call(y);
        let (mut value, mut owned) = (None, None);
        match (form.value, form.place) {
            (false, Place::Out) => {
                owned = Some(black_box(pushforward(f, prep, backend, x, tangents)?));
            }
            (true, Place::Out) => {
                let (y, dy) = black_box(value_and_pushforward(f, prep, backend, x, tangents)?);
                (value, owned) = (Some(y), Some(dy));
            }
            (false, Place::In) => {
                pushforward_into(f, &mut *buffers, prep, backend, x, tangents)?;
            }
            (true, Place::In) => {
                let y = value_and_pushforward_into(f, &mut *buffers, prep, backend, x, tangents)?;
                value = Some(black_box(y));
            }
        }
        if let Some(outcome) = outcome {
            if let Some(value) = value {
                note_value::<S, Y>(outcome, value, at);
            }
            outcome.result = match owned {
                Some(owned) => flat::tangents::<Output<S, Y>, Float<S, Y>, M, _>(&owned),
                None => flat::tangents::<Output<S, Y>, Float<S, Y>, M, _>(&*buffers),
            };
        }
        Ok(())
    }
    fn tangents(tangents: &T) -> Vec<f64> {
        flat::tangents::<Input<S, Y>, Float<S, Y>, M, T>(tangents)
    }
    fn turned(a: Arguments<'_, S, X, Y, T>) -> Self::Turned {
        let mut turned = T::each::<Input<S, Y>, X::Result>(&mut || a.x.blank());
        turn::<Input<S, Y>, Float<S, Y>, M, _, _>(a.tangents, &mut turned);
        turned
    }
}

impl<S, X, Y, T, M, B> Act<S, X, Y, T, M, B> for Pullback
where
    S: Subject<Y>,
    B: Backend<S::Key>,
    X: Container<Input<S, Y>, Float<S, Y>>,
    Y: ContainerMut<Output<S, Y>, Float<S, Y>> + Clone,
    T: Tangents<Output<S, Y>, Float<S, Y>, M>,
{
    type Buffers = T::Each<Input<S, Y>, X::Result>;
    type Turned = T::Each<Output<S, Y>, Y>;

    fn prepare(
        a: Arguments<'_, S, X, Y, T>,
        blank: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error> {
        if blank {
            prepare_pullback(a.f.call(a.y), backend, &zeros(a.x), a.tangents)
        } else {
            prepare_pullback(a.f.call(a.y), backend, a.x, a.tangents)
        }
    }
    fn same_point(
        a: Arguments<'_, S, X, Y, T>,
        backend: &B,
    ) -> Option<Result<PrepOf<Self, S, Y, B>, Error>> {
        let f = a.f.call(a.y);
        Some(prepare_pullback_same_point(f, backend, a.x, a.tangents))
    }
    fn buffers(a: Arguments<'_, S, X, Y, T>, _: &B) -> Result<Self::Buffers, Error> {
        Ok(T::each::<Input<S, Y>, X::Result>(&mut || a.x.blank()))
    }
    fn spoil(buffers: &mut Self::Buffers) {
        flat::spoil::<Input<S, Y>, Float<S, Y>, M, _>(buffers);
    }
    fn run(
        a: Arguments<'_, S, X, Y, T>,
        buffers: &mut Self::Buffers,
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        let Arguments { f, x, y, tangents } = a;
        let at = address(y);
        let f = f.call(y);
        let (mut value, mut owned) = (None, None);
        match (form.value, form.place) {
            (false, Place::Out) => {
                owned = Some(black_box(pullback(f, prep, backend, x, tangents)?));
            }
            (true, Place::Out) => {
                let (y, dx) = black_box(value_and_pullback(f, prep, backend, x, tangents)?);
                (value, owned) = (Some(y), Some(dx));
            }
            (false, Place::In) => pullback_into(f, &mut *buffers, prep, backend, x, tangents)?,
            (true, Place::In) => {
                let y = value_and_pullback_into(f, &mut *buffers, prep, backend, x, tangents)?;
                value = Some(black_box(y));
            }
        }
        if let Some(outcome) = outcome {
            if let Some(value) = value {
                note_value::<S, Y>(outcome, value, at);
            }
            outcome.result = match owned {
                Some(owned) => flat::tangents::<Input<S, Y>, Float<S, Y>, M, _>(&owned),
                None => flat::tangents::<Input<S, Y>, Float<S, Y>, M, _>(&*buffers),
            };
        }
        Ok(())
    }
    fn tangents(tangents: &T) -> Vec<f64> {
        flat::tangents::<Output<S, Y>, Float<S, Y>, M, T>(tangents)
    }
    fn turned(a: Arguments<'_, S, X, Y, T>) -> Self::Turned {
        let mut turned = T::each::<Output<S, Y>, Y>(&mut || a.y.clone());
        turn::<Output<S, Y>, Float<S, Y>, M, _, _>(a.tangents, &mut turned);
        turned
    }
}

impl<S, X, Y, M, B> Act<S, X, Y, (), M, B> for Derivative
where
    S: Subject<Y>,
    S::Key: OfNumber,
    B: Backend<S::Key>,
    X: Container<Number, Float<S, Y>>,
    Y: ContainerMut<Output<S, Y>, Float<S, Y>> + Clone,
{
    type Buffers = Y;
    type Turned = ();

    fn prepare(
        a: Arguments<'_, S, X, Y, ()>,
        blank: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error> {
        if blank {
            prepare_derivative(a.f.call(a.y), backend, &zeros(a.x))
        } else {
            prepare_derivative(a.f.call(a.y), backend, a.x)
        }
    }
    fn turned(_: Arguments<'_, S, X, Y, ()>) {}
    fn buffers(a: Arguments<'_, S, X, Y, ()>, _: &B) -> Result<Y, Error> {
        Ok(a.y.clone())
    }
    fn spoil(buffers: &mut Y) {
        flat::spoil_container::<Output<S, Y>, Float<S, Y>, Y>(buffers);
    }
    fn run(
        a: Arguments<'_, S, X, Y, ()>,
        buffers: &mut Y,
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        let Arguments { f, x, y, .. } = a;
        let at = address(y);
        let f = f.call(y);
        let (mut value, mut owned) = (None, None);
        match (form.value, form.place) {
            (false, Place::Out) => owned = Some(black_box(derivative(f, prep, backend, x)?)),
            (true, Place::Out) => {
                let (y, dy) = black_box(value_and_derivative(f, prep, backend, x)?);
                (value, owned) = (Some(y), Some(dy));
            }
            (false, Place::In) => derivative_into(f, &mut *buffers, prep, backend, x)?,
            (true, Place::In) => {
                let y = value_and_derivative_into(f, &mut *buffers, prep, backend, x)?;
                value = Some(black_box(y));
            }
        }
        if let Some(outcome) = outcome {
            if let Some(value) = value {
                note_value::<S, Y>(outcome, value, at);
            }
            outcome.result = match owned {
                Some(owned) => like::<S, Y>(&owned),
                None => flat::container::<Output<S, Y>, Float<S, Y>, Y>(buffers),
            };
        }
        Ok(())
    }
}

/// Other tangents than these.
pub(super) fn turn<F: Family, R: Real, M, T: Tangents<F, R, M>, U: TangentsMut<F, R, M>>(
    tangents: &T,
    turned: &mut U,
) {
    let entries = flat::tangents::<F, R, M, T>(tangents);
    flat::fill::<F, R, M, U>(turned, &mut elsewhere(entries));
}

/// A derivative of the shape of the result, flat.
pub(super) fn like<'o, S: Subject<Y> + 'o, Y: 'o>(dy: &Like<S::Call<'o>>) -> Vec<f64>
where
    S::Call<'o>: Function,
{
    flat::container::<Output<S, Y>, Float<S, Y>, Like<S::Call<'o>>>(dy)
}

impl<S, X, Y, M, B> Act<S, X, Y, (), M, B> for Gradient
where
    S: Subject<Y>,
    S::Key: NumberValued,
    B: Backend<S::Key>,
    X: Container<Input<S, Y>, Float<S, Y>>,
{
    type Buffers = X::Result;
    type Turned = ();

    fn prepare(
        a: Arguments<'_, S, X, Y, ()>,
        blank: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error> {
        if blank {
            prepare_gradient(a.f.call(a.y), backend, &zeros(a.x))
        } else {
            prepare_gradient(a.f.call(a.y), backend, a.x)
        }
    }
    fn turned(_: Arguments<'_, S, X, Y, ()>) {}
    fn buffers(a: Arguments<'_, S, X, Y, ()>, _: &B) -> Result<X::Result, Error> {
        Ok(a.x.blank())
    }
    fn spoil(buffers: &mut X::Result) {
        flat::spoil_container::<Input<S, Y>, Float<S, Y>, _>(buffers);
    }
    fn run(
        a: Arguments<'_, S, X, Y, ()>,
        buffers: &mut X::Result,
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        let Arguments { f, x, y, .. } = a;
        let f = f.call(y);
        let (mut value, mut owned) = (None, None);
        match (form.value, form.place) {
            (false, Place::Out) => owned = Some(black_box(gradient(f, prep, backend, x)?)),
            (true, Place::Out) => {
                let (y, g) = black_box(value_and_gradient(f, prep, backend, x)?);
                (value, owned) = (Some(y), Some(g));
            }
            (false, Place::In) => gradient_into(f, &mut *buffers, prep, backend, x)?,
            (true, Place::In) => {
                let y = value_and_gradient_into(f, &mut *buffers, prep, backend, x)?;
                value = Some(black_box(y));
            }
        }
        if let Some(outcome) = outcome {
            if let Some(value) = value {
                note_number(outcome, value);
            }
            let result = owned.as_ref().unwrap_or(buffers);
            outcome.result = flat::container::<Input<S, Y>, Float<S, Y>, _>(result);
        }
        Ok(())
    }
}

impl<S, X, Y, M, B> Act<S, X, Y, (), M, B> for Jacobian
where
    S: Subject<Y>,
    B: Backend<S::Key, Matrix: ReadMatrix>,
    X: Container<Input<S, Y>, Float<S, Y>>,
{
    type Buffers = B::Matrix;
    type Turned = ();

    fn prepare(
        a: Arguments<'_, S, X, Y, ()>,
        blank: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error> {
        if blank {
            prepare_jacobian(a.f.call(a.y), backend, &zeros(a.x))
        } else {
            prepare_jacobian(a.f.call(a.y), backend, a.x)
        }
    }
    fn turned(_: Arguments<'_, S, X, Y, ()>) {}
    fn buffers(a: Arguments<'_, S, X, Y, ()>, backend: &B) -> Result<B::Matrix, Error> {
        jacobian(a.f.call(a.y), di_runtime::prep::NoPrep, backend, a.x)
    }
    fn spoil(buffers: &mut B::Matrix) {
        spoil_matrix::<Float<S, Y>, B::Matrix>(buffers);
    }
    fn run(
        a: Arguments<'_, S, X, Y, ()>,
        buffers: &mut B::Matrix,
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        let Arguments { f, x, y, .. } = a;
        let at = address(y);
        let f = f.call(y);
        let (mut value, mut owned) = (None, None);
        match (form.value, form.place) {
            (false, Place::Out) => owned = Some(black_box(jacobian(f, prep, backend, x)?)),
            (true, Place::Out) => {
                let (y, j) = black_box(value_and_jacobian(f, prep, backend, x)?);
                (value, owned) = (Some(y), Some(j));
            }
            (false, Place::In) => jacobian_into(f, &mut *buffers, prep, backend, x)?,
            (true, Place::In) => {
                let y = value_and_jacobian_into(f, &mut *buffers, prep, backend, x)?;
                value = Some(black_box(y));
            }
        }
        if let Some(outcome) = outcome {
            if let Some(value) = value {
                note_value::<S, Y>(outcome, value, at);
            }
            note_matrix(outcome, owned.as_ref().unwrap_or(buffers));
        }
        Ok(())
    }
}

/// NaN in each place that is stored.
pub(super) fn spoil_matrix<R: Real, A: ResultMatrix<R>>(matrix: &mut A) {
    let (rows, columns) = matrix.size();
    for row in 0..rows {
        for column in 0..columns {
            matrix.put(row, column, R::NAN);
        }
    }
}

/// Notes a matrix that an operator gave.
pub(super) fn note_matrix<A: ReadMatrix>(outcome: &mut Outcome, matrix: &A) {
    outcome.result = matrix.dense();
    outcome.stored = matrix.stored();
}
