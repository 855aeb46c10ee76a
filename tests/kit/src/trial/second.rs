//! Operators of second order.

use std::hint::black_box;

use di_runtime::backend::Backend;
use di_runtime::error::Error;
use di_runtime::function::{NumberValued, OfNumber};
use di_runtime::operators::{
    Hessian, Hvp, SecondDerivative, gradient_and_hvp, gradient_and_hvp_into, hessian, hessian_into,
    hvp, hvp_into, prepare_hessian, prepare_hvp, prepare_hvp_same_point, prepare_second_derivative,
    second_derivative, second_derivative_into, value_derivative_and_second_derivative,
    value_derivative_and_second_derivative_into, value_gradient_and_hessian,
    value_gradient_and_hessian_into, value_gradient_and_hvp, value_gradient_and_hvp_into,
};
use di_runtime::value::{Container, ContainerMut, Number, Tangents};

use super::first::{like, note_matrix, spoil_matrix, turn};
use super::{
    Act, Arguments, Choice, Float, Form, Input, Outcome, Output, PrepOf, address, note_number,
    note_value, zeros,
};
use crate::flat::{self, ReadMatrix};
use crate::scenario::Place;
use crate::subject::Subject;

impl<S, X, Y, M, B> Act<S, X, Y, (), M, B> for SecondDerivative
where
    S: Subject<Y>,
    S::Key: OfNumber,
    B: Backend<S::Key>,
    X: Container<Number, Float<S, Y>>,
    Y: ContainerMut<Output<S, Y>, Float<S, Y>> + Clone,
{
    /// First and second derivative.
    type Buffers = (Y, Y);
    type Turned = ();

    fn prepare(
        a: Arguments<'_, S, X, Y, ()>,
        blank: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error> {
        if blank {
            prepare_second_derivative(a.f.call(a.y), backend, &zeros(a.x))
        } else {
            prepare_second_derivative(a.f.call(a.y), backend, a.x)
        }
    }
    fn turned(_: Arguments<'_, S, X, Y, ()>) {}
    fn buffers(a: Arguments<'_, S, X, Y, ()>, _: &B) -> Result<(Y, Y), Error> {
        Ok((a.y.clone(), a.y.clone()))
    }
    fn spoil((first, second): &mut (Y, Y)) {
        flat::spoil_container::<Output<S, Y>, Float<S, Y>, Y>(first);
        flat::spoil_container::<Output<S, Y>, Float<S, Y>, Y>(second);
    }
    fn run(
        a: Arguments<'_, S, X, Y, ()>,
        (first, second): &mut (Y, Y),
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        let Arguments { f, x, y, .. } = a;
        let at = address(y);
        let f = f.call(y);
        let (mut value, mut dy, mut ddy) = (None, None, None);
        match (form.value, form.place) {
            (false, Place::Out) => ddy = Some(black_box(second_derivative(f, prep, backend, x)?)),
            (true, Place::Out) => {
                let all = value_derivative_and_second_derivative(f, prep, backend, x)?;
                let all = black_box(all);
                (value, dy, ddy) = (Some(all.0), Some(all.1), Some(all.2));
            }
            (false, Place::In) => second_derivative_into(f, &mut *second, prep, backend, x)?,
            (true, Place::In) => {
                let y = value_derivative_and_second_derivative_into(
                    f,
                    &mut *first,
                    &mut *second,
                    prep,
                    backend,
                    x,
                )?;
                value = Some(black_box(y));
            }
        }
        if let Some(outcome) = outcome {
            if let Some(value) = value {
                note_value::<S, Y>(outcome, value, at);
                outcome.first = Some(match dy {
                    Some(dy) => like::<S, Y>(&dy),
                    None => flat::container::<Output<S, Y>, Float<S, Y>, Y>(first),
                });
            }
            outcome.result = match ddy {
                Some(ddy) => like::<S, Y>(&ddy),
                None => flat::container::<Output<S, Y>, Float<S, Y>, Y>(second),
            };
        }
        Ok(())
    }
}

impl<S, X, Y, T, M, B> Act<S, X, Y, T, M, B> for Hvp
where
    S: Subject<Y>,
    S::Key: NumberValued,
    B: Backend<S::Key>,
    X: Container<Input<S, Y>, Float<S, Y>>,
    T: Tangents<Input<S, Y>, Float<S, Y>, M>,
{
    /// Gradient and products.
    type Buffers = (X::Result, T::Each<Input<S, Y>, X::Result>);
    type Turned = T::Each<Input<S, Y>, X::Result>;

    fn prepare(
        a: Arguments<'_, S, X, Y, T>,
        blank: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error> {
        if blank {
            prepare_hvp(a.f.call(a.y), backend, &zeros(a.x), a.tangents)
        } else {
            prepare_hvp(a.f.call(a.y), backend, a.x, a.tangents)
        }
    }
    fn same_point(
        a: Arguments<'_, S, X, Y, T>,
        backend: &B,
    ) -> Option<Result<PrepOf<Self, S, Y, B>, Error>> {
        let f = a.f.call(a.y);
        Some(prepare_hvp_same_point(f, backend, a.x, a.tangents))
    }
    fn buffers(a: Arguments<'_, S, X, Y, T>, _: &B) -> Result<Self::Buffers, Error> {
        let products = T::each::<Input<S, Y>, X::Result>(&mut || a.x.blank());
        Ok((a.x.blank(), products))
    }
    fn spoil((gradient, products): &mut Self::Buffers) {
        flat::spoil_container::<Input<S, Y>, Float<S, Y>, _>(gradient);
        flat::spoil::<Input<S, Y>, Float<S, Y>, M, _>(products);
    }
    fn run(
        a: Arguments<'_, S, X, Y, T>,
        (gradient, products): &mut Self::Buffers,
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        let Arguments { f, x, y, tangents } = a;
        let (mut value, mut owned_g, mut owned) = (None, None, None);
        let mut pair = None;
        match (form.value, form.place) {
            (false, Place::Out) => {
                owned = Some(black_box(hvp(f.call(y), prep, backend, x, tangents)?));
            }
            (true, Place::Out) => {
                if outcome.is_some() {
                    let (g, products) = gradient_and_hvp(f.call(y), prep, backend, x, tangents)?;
                    pair = Some((
                        flat::container::<Input<S, Y>, Float<S, Y>, _>(&g),
                        flat::tangents::<Input<S, Y>, Float<S, Y>, M, _>(&products),
                    ));
                }
                let all = value_gradient_and_hvp(f.call(y), prep, backend, x, tangents)?;
                let (y, g, products) = black_box(all);
                (value, owned_g, owned) = (Some(y), Some(g), Some(products));
            }
            (false, Place::In) => hvp_into(f.call(y), &mut *products, prep, backend, x, tangents)?,
            (true, Place::In) => {
                if outcome.is_some() {
                    let f = f.call(y);
                    gradient_and_hvp_into(
                        f,
                        &mut *gradient,
                        &mut *products,
                        prep,
                        backend,
                        x,
                        tangents,
                    )?;
                    pair = Some((
                        flat::container::<Input<S, Y>, Float<S, Y>, _>(gradient),
                        flat::tangents::<Input<S, Y>, Float<S, Y>, M, _>(&*products),
                    ));
                }
                value = Some(black_box(value_gradient_and_hvp_into(
                    f.call(y),
                    &mut *gradient,
                    &mut *products,
                    prep,
                    backend,
                    x,
                    tangents,
                )?));
            }
        }
        let Some(outcome) = outcome else {
            return Ok(());
        };
        outcome.pair = pair;
        if let Some(value) = value {
            note_number(outcome, value);
            let gradient = owned_g.as_ref().unwrap_or(gradient);
            outcome.first = Some(flat::container::<Input<S, Y>, Float<S, Y>, _>(gradient));
        }
        outcome.result = match owned {
            Some(owned) => flat::tangents::<Input<S, Y>, Float<S, Y>, M, _>(&owned),
            None => flat::tangents::<Input<S, Y>, Float<S, Y>, M, _>(&*products),
        };
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

impl<S, X, Y, M, B> Act<S, X, Y, (), M, B> for Hessian
where
    S: Subject<Y>,
    S::Key: NumberValued,
    B: Backend<S::Key, Matrix: ReadMatrix>,
    X: Container<Input<S, Y>, Float<S, Y>>,
{
    /// Gradient and Hessian.
    type Buffers = (X::Result, B::Matrix);
    type Turned = ();

    fn prepare(
        a: Arguments<'_, S, X, Y, ()>,
        blank: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error> {
        if blank {
            prepare_hessian(a.f.call(a.y), backend, &zeros(a.x))
        } else {
            prepare_hessian(a.f.call(a.y), backend, a.x)
        }
    }
    fn turned(_: Arguments<'_, S, X, Y, ()>) {}
    fn buffers(a: Arguments<'_, S, X, Y, ()>, backend: &B) -> Result<Self::Buffers, Error> {
        let h = hessian(a.f.call(a.y), di_runtime::prep::NoPrep, backend, a.x)?;
        Ok((a.x.blank(), h))
    }
    fn spoil((gradient, hessian): &mut Self::Buffers) {
        flat::spoil_container::<Input<S, Y>, Float<S, Y>, _>(gradient);
        spoil_matrix::<Float<S, Y>, B::Matrix>(hessian);
    }
    fn run(
        a: Arguments<'_, S, X, Y, ()>,
        (gradient, matrix): &mut Self::Buffers,
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        let Arguments { f, x, y, .. } = a;
        let f = f.call(y);
        let (mut value, mut owned_g, mut owned_h) = (None, None, None);
        match (form.value, form.place) {
            (false, Place::Out) => owned_h = Some(black_box(hessian(f, prep, backend, x)?)),
            (true, Place::Out) => {
                let (y, g, h) = black_box(value_gradient_and_hessian(f, prep, backend, x)?);
                (value, owned_g, owned_h) = (Some(y), Some(g), Some(h));
            }
            (false, Place::In) => hessian_into(f, &mut *matrix, prep, backend, x)?,
            (true, Place::In) => {
                let y = value_gradient_and_hessian_into(
                    f,
                    &mut *gradient,
                    &mut *matrix,
                    prep,
                    backend,
                    x,
                )?;
                value = Some(black_box(y));
            }
        }
        if let Some(outcome) = outcome {
            if let Some(value) = value {
                note_number(outcome, value);
                let gradient = owned_g.as_ref().unwrap_or(gradient);
                outcome.first = Some(flat::container::<Input<S, Y>, Float<S, Y>, _>(gradient));
            }
            note_matrix(outcome, owned_h.as_ref().unwrap_or(matrix));
        }
        Ok(())
    }
}
