//! Families: all scenarios of one function, from derivatives that are written by hand.

use di_runtime::bound::{Open, WithOutput};
use di_runtime::function::Signature;
use di_runtime::operators::{
    Derivative, Gradient, Hessian, Hvp, Jacobian, Pullback, Pushforward, SecondDerivative,
};
use di_runtime::value::Container;
use di_runtime::value::tangents::{Several, Single};

use crate::flat;
use crate::scenario::{Scale, Scenario};
use crate::subject::{Subject, Writes};
use crate::trial::{Float, Input, Output};

/// Scenarios with one tangent, and the same with two.
pub type Along<O, S, X, Y, T> = (
    Vec<Scenario<O, S, X, Y, T, Single>>,
    Vec<Scenario<O, S, X, Y, [T; 2], Several>>,
);
/// Pushforward, pullback, derivative and second derivative of a function of one number.
pub type OfNumber<S, Y> = (
    Along<Pushforward, S, f64, Y, f64>,
    Along<Pullback, S, f64, Y, Y>,
    Vec<Scenario<Derivative, S, f64, Y>>,
    Vec<Scenario<SecondDerivative, S, f64, Y>>,
);
/// Pushforward, pullback, gradient, Hessian times vector and Hessian of a number.
pub type NumberValued<S, X> = (
    Along<Pushforward, S, X, f64, X>,
    Along<Pullback, S, X, f64, f64>,
    Vec<Scenario<Gradient, S, X, f64>>,
    Along<Hvp, S, X, f64, X>,
    Vec<Scenario<Hessian, S, X, f64>>,
);
/// Pushforward, pullback and Jacobian.
pub type ArrayValued<S, X, Y> = (
    Along<Pushforward, S, X, Y, X>,
    Along<Pullback, S, X, Y, Y>,
    Vec<Scenario<Jacobian, S, X, Y>>,
);
/// What binds the output of an in-place function without contexts.
pub type Binding<H, Y> = for<'o> fn(&'o mut Y) -> WithOutput<'o, 'static, H, (Open, ()), Y>;
/// An in-place function without contexts.
pub type InPlace<H, Y> = Writes<'static, Binding<H, Y>, H, (Open, ())>;

/// A function at a point, with what its scenarios have in common.
#[derive(Clone, Debug)]
pub struct Problem<S, X, Y> {
    /// Of the function.
    pub name: &'static str,
    /// The function.
    pub f: S,
    /// Where it is differentiated.
    pub x: X,
    /// Its value there.
    pub y: Y,
    /// A tangent of `x`.
    pub dx: X,
    /// A tangent of the result.
    pub dy: Y,
    /// Smaller `x`, result and tangents, for preps that are resized.
    pub smaller: Option<(X, Y)>,
}

/// Matrix, row by row, times vector.
pub(crate) fn times(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let rows = matrix.chunks(vector.len().max(1));
    rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
        .collect()
}

/// Vector times matrix.
pub(crate) fn times_left(vector: &[f64], matrix: &[f64], columns: usize) -> Vec<f64> {
    let mut product = vec![0.0; columns];
    for (row, v) in matrix.chunks(columns.max(1)).zip(vector) {
        for (sum, entry) in product.iter_mut().zip(row) {
            *sum += v * entry;
        }
    }
    product
}

/// A scenario in both places.
fn both<O, S: Clone, X: Clone, Y: Clone, T: Clone, M>(
    scenario: Scenario<O, S, X, Y, T, M>,
) -> Vec<Scenario<O, S, X, Y, T, M>>
where
    Scenario<O, S, X, Y, T, M>: Clone,
{
    vec![scenario.clone(), scenario.into_buffer()]
}

/// The same with two tangents each.
fn along<O, S, X, Y, T>(one: Vec<Scenario<O, S, X, Y, T>>) -> Along<O, S, X, Y, T>
where
    Scenario<O, S, X, Y, T>: Clone,
    S: Subject<Y>,
    T: Scale + Clone,
{
    let two = one.iter().cloned().map(Scenario::batchify).collect();
    (one, two)
}

impl<S, X, Y> Problem<S, X, Y>
where
    S: Subject<Y> + Clone,
    X: Container<Input<S, Y>, Float<S, Y>> + Clone + Scale,
    Y: Container<Output<S, Y>, Float<S, Y>> + Clone + Scale,
{
    fn sized<O, T: Clone>(
        &self,
        scenario: Scenario<O, S, X, Y, T>,
        tangents: impl FnOnce(&X, &Y) -> T,
    ) -> Scenario<O, S, X, Y, T> {
        match &self.smaller {
            Some((x, y)) => scenario.smaller(x.clone(), y.clone(), tangents(x, y)),
            None => scenario,
        }
    }

    fn pushforward(&self, jacobian: &[f64]) -> Scenario<Pushforward, S, X, Y, X> {
        let Problem {
            name, f, x, y, dx, ..
        } = self.clone();
        let expected = times(
            jacobian,
            &flat::container::<Input<S, Y>, Float<S, Y>, X>(&dx),
        );
        let scenario = Scenario::of(name, f, x, y, dx, 1).expect(&expected);
        self.sized(scenario, |x, _| x.clone())
    }

    fn pullback(&self, jacobian: &[f64]) -> Scenario<Pullback, S, X, Y, Y> {
        let Problem {
            name, f, x, y, dy, ..
        } = self.clone();
        let n = flat::container::<Input<S, Y>, Float<S, Y>, X>(&x).len();
        let seed = flat::container::<Output<S, Y>, Float<S, Y>, Y>(&dy);
        let expected = times_left(&seed, jacobian, n);
        let scenario = Scenario::of(name, f, x, y, dy, 1).expect(&expected);
        self.sized(scenario, |_, y| y.clone())
    }

    fn plain<O: di_runtime::prep::Op>(&self, expected: &[f64]) -> Scenario<O, S, X, Y> {
        let Problem { name, f, x, y, .. } = self.clone();
        let scenario = Scenario::of(name, f, x, y, (), 0).expect(expected);
        self.sized(scenario, |_, _| ())
    }

    /// Pushforward, pullback and Jacobian, returned and into buffers; `jacobian` row by row.
    pub fn several(&self, jacobian: &[f64]) -> ArrayValued<S, X, Y> {
        (
            along(both(self.pushforward(jacobian))),
            along(both(self.pullback(jacobian))),
            both(self.plain(jacobian)),
        )
    }
}

impl<S, Y> Problem<S, f64, Y>
where
    S: Subject<Y> + Clone,
    <S as Subject<Y>>::Key: Signature<X = di_runtime::value::Number, Real = f64>,
    Y: Container<Output<S, Y>, f64> + Clone + Scale,
{
    /// Pushforward, pullback, derivative and, for a function that returns, second derivative; the pullback is
    /// returned, the rest also goes into buffers.
    pub fn of_number(&self, derivative: &[f64], second: &[f64]) -> OfNumber<S, Y> {
        let twice = self.plain(second).expect_first(derivative);
        (
            along(both(self.pushforward(derivative))),
            along(vec![self.pullback(derivative)]),
            both(self.plain(derivative)),
            if S::IN_PLACE { Vec::new() } else { both(twice) },
        )
    }
}

impl<S> Problem<S, f64, f64>
where
    S: Subject<f64> + Clone,
    <S as Subject<f64>>::Key:
        Signature<X = di_runtime::value::Number, Y = di_runtime::value::Number, Real = f64>,
{
    /// Pushforward, pullback, derivative and second derivative, all returned.
    pub fn numbers(&self, derivative: f64, second: f64) -> OfNumber<S, f64> {
        let twice = self.plain(&[second]).expect_first(&[derivative]);
        (
            along(vec![self.pushforward(&[derivative])]),
            along(vec![self.pullback(&[derivative])]),
            vec![self.plain(&[derivative])],
            vec![twice],
        )
    }
}

impl<S, X> Problem<S, X, f64>
where
    S: Subject<f64> + Clone,
    <S as Subject<f64>>::Key: Signature<Y = di_runtime::value::Number, Real = f64>,
    X: Container<Input<S, f64>, f64> + Clone + Scale,
{
    /// Pushforward, returned; pullback, gradient, Hessian times vector and Hessian, returned and into buffers.
    /// `hessian` row by row.
    pub fn number_valued(&self, gradient: &[f64], hessian: &[f64]) -> NumberValued<S, X> {
        let Problem {
            name, f, x, y, dx, ..
        } = self.clone();
        let expected = times(hessian, &flat::container::<Input<S, f64>, f64, X>(&dx));
        let hvp = Scenario::<Hvp, _, _, _, _>::of(name, f, x, y, dx, 1).expect(&expected);
        let hvp = self.sized(hvp.expect_first(gradient), |x, _| x.clone());
        (
            along(vec![self.pushforward(gradient)]),
            along(both(self.pullback(gradient))),
            both(self.plain(gradient)),
            along(both(hvp)),
            both(self.plain(hessian).expect_first(gradient)),
        )
    }
}
