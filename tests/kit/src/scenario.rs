//! Scenarios: an operator, a function, a point and the expected result, as data.

use std::fmt;
use std::marker::PhantomData;

use di_runtime::capability::Operator;
use di_runtime::error::Error;
use di_runtime::function::Signature;
use di_runtime::operators::{
    Derivative, Gradient, Hessian, Hvp, Jacobian, Pullback, Pushforward, SecondDerivative,
};
use di_runtime::prep::Op;
use di_runtime::scalar::Real;
use di_runtime::value::tangents::{Several, Single};
use di_runtime::value::{Container, Tangents};

use crate::flat;
use crate::subject::Subject;
use crate::suite::{Suite, Trials};
use crate::trial::{Form, Outcome};

/// Where the result of an operator goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// It is returned.
    Out,
    /// It is written to a buffer: the variants `*_into`.
    In,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Place::Out => "out",
            Place::In => "in",
        })
    }
}

/// What is known of a scenario without its types.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// Of the function.
    pub name: String,
    /// The operator.
    pub operator: Operator,
    /// Where the operator's result goes.
    pub place: Place,
    /// Where the function's result goes.
    pub function: Place,
    /// Numbers in `x`.
    pub inputs: usize,
    /// Numbers in the result of the function.
    pub outputs: usize,
    /// Number of tangents, 0 for operators without.
    pub tangents: usize,
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let About {
            name,
            operator,
            place,
            function,
            inputs,
            outputs,
            tangents,
        } = self;
        let bang = if *function == Place::In { "!" } else { "" };
        let into = if *place == Place::In { "_into" } else { "" };
        write!(f, "{operator}{into} of {name}{bang} ({inputs} -> {outputs}")?;
        if *tangents > 1 {
            write!(f, ", {tangents} tangents")?;
        }
        f.write_str(")")
    }
}

/// The expected result, entry by entry: matrices row by row, several tangents one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// Of the function.
    pub value: Vec<f64>,
    /// Of second-order operators: the derivative or gradient that comes with the result.
    pub first: Option<Vec<f64>>,
    /// Of the operator.
    pub result: Option<Vec<f64>>,
    /// Number of entries that the result stores, if it is sparse.
    pub stored: Option<usize>,
}

/// Arguments of another size that a prep is made for before it is resized.
#[derive(Clone, Debug)]
pub(crate) struct Smaller<X, Y, T> {
    pub(crate) x: X,
    pub(crate) y: Y,
    pub(crate) tangents: T,
}

/// One operator on one function at one point, and the expected result.
///
/// `O` is the operator's marker, `S` the function ([`crate::returns`], [`crate::writes`]), `X` and `Y` what its
/// input and result come in, `T` the tangents (`()`, one, or an array; `M` encodes which).
#[derive(Clone, Debug)]
pub struct Scenario<O, S, X, Y, T = (), M = Single> {
    pub(crate) about: About,
    pub(crate) f: S,
    /// Bound to other constants, for the preparation.
    pub(crate) prepared_f: Option<S>,
    pub(crate) x: X,
    /// For the preparation, zeros by default.
    pub(crate) prepared_x: Option<X>,
    pub(crate) y: Y,
    pub(crate) tangents: T,
    pub(crate) smaller: Option<Smaller<X, Y, T>>,
    pub(crate) reference: Reference,
    pub(crate) marker: PhantomData<fn() -> (O, M)>,
}

type Input<S, Y> = <<S as Subject<Y>>::Key as Signature>::X;
type Output<S, Y> = <<S as Subject<Y>>::Key as Signature>::Y;
type Float<S, Y> = <<S as Subject<Y>>::Key as Signature>::Real;

impl<O: Op, S: Subject<Y>, X, Y, T, M> Scenario<O, S, X, Y, T, M>
where
    X: Container<Input<S, Y>, Float<S, Y>>,
    Y: Container<Output<S, Y>, Float<S, Y>>,
{
    /// With all its parts; `tangents` says how many there are.
    pub(crate) fn of(name: &str, f: S, x: X, y: Y, tangents: T, count: usize) -> Self {
        let value = flat::container::<Output<S, Y>, Float<S, Y>, Y>(&y);
        let about = About {
            name: name.to_owned(),
            operator: O::OPERATOR,
            place: Place::Out,
            function: if S::IN_PLACE { Place::In } else { Place::Out },
            inputs: flat::container::<Input<S, Y>, Float<S, Y>, X>(&x).len(),
            outputs: value.len(),
            tangents: count,
        };
        Scenario {
            about,
            f,
            prepared_f: None,
            x,
            prepared_x: None,
            y,
            tangents,
            smaller: None,
            reference: Reference {
                value,
                ..Reference::default()
            },
            marker: PhantomData,
        }
    }
}

impl<O, S, X, Y, T, M> Scenario<O, S, X, Y, T, M> {
    /// What is known of it without its types.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The expected result.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// The variants of the operator that write to a buffer.
    pub fn into_buffer(mut self) -> Self {
        self.about.place = Place::In;
        self
    }

    /// What the operator should return, entry by entry.
    pub fn expect(mut self, result: &[f64]) -> Self {
        self.reference.result = Some(result.to_vec());
        self
    }

    /// The derivative or gradient that should come with the result of a second-order operator.
    pub fn expect_first(mut self, first: &[f64]) -> Self {
        self.reference.first = Some(first.to_vec());
        self
    }

    /// How many entries a sparse result should store.
    pub fn expect_stored(mut self, stored: usize) -> Self {
        self.reference.stored = Some(stored);
        self
    }

    /// Prepares at this point instead of zeros.
    pub fn prepared_at(mut self, x: X) -> Self {
        self.prepared_x = Some(x);
        self
    }

    /// Prepares with this function: the same one with other constants bound.
    pub fn prepared_with(mut self, f: S) -> Self {
        self.prepared_f = Some(f);
        self
    }

    /// Also prepares on smaller arguments and resizes the prep, and shows that sizes are checked.
    pub fn smaller(mut self, x: X, y: Y, tangents: T) -> Self {
        self.smaller = Some(Smaller { x, y, tangents });
        self
    }

    /// The same scenario on another function, all of whose results are `factor` times those of the first:
    /// one that takes a constant, uses a cache, or is a closure.
    pub fn change_function<Z: Subject<Y>>(
        self,
        name: &str,
        f: Z,
        factor: f64,
    ) -> Scenario<O, Z, X, Y, T, M> {
        let scale = |values: Vec<f64>| values.iter().map(|v| v * factor).collect::<Vec<f64>>();
        let Reference {
            value,
            first,
            result,
            stored,
        } = self.reference.clone();
        let mut changed = self.rebound(f, None);
        name.clone_into(&mut changed.about.name);
        changed.reference = Reference {
            value: scale(value),
            first: first.map(scale),
            result: result.map(scale),
            stored,
        };
        changed
    }

    /// The same data with another subject.
    pub(crate) fn rebound<Z>(self, f: Z, prepared_f: Option<Z>) -> Scenario<O, Z, X, Y, T, M> {
        Scenario {
            about: self.about,
            f,
            prepared_f,
            x: self.x,
            prepared_x: self.prepared_x,
            y: self.y,
            tangents: self.tangents,
            smaller: self.smaller,
            reference: self.reference,
            marker: PhantomData,
        }
    }
}

impl<O, S: Subject<Y>, X, Y, T> Scenario<O, S, X, Y, T, Single>
where
    T: Clone,
{
    /// The same with a second tangent, -2 times the first.
    pub fn batchify(self) -> Scenario<O, S, X, Y, [T; 2], Several>
    where
        T: Scale,
    {
        let twice = |t: T| [t.clone(), t.scale(OTHER)];
        let both = |mut values: Vec<f64>| {
            let other: Vec<f64> = values.iter().map(|v| OTHER * v).collect();
            values.extend(other);
            values
        };
        Scenario {
            about: About {
                tangents: 2,
                ..self.about
            },
            f: self.f,
            prepared_f: self.prepared_f,
            x: self.x,
            prepared_x: self.prepared_x,
            y: self.y,
            tangents: twice(self.tangents),
            smaller: self.smaller.map(|s| Smaller {
                x: s.x,
                y: s.y,
                tangents: twice(s.tangents),
            }),
            reference: Reference {
                result: self.reference.result.map(both),
                ..self.reference
            },
            marker: PhantomData,
        }
    }
}

impl<O, S, X, Y, T, M> Scenario<O, S, X, Y, T, M> {
    /// Takes the value and the results of a backend as the reference.
    ///
    /// # Errors
    /// Those of the operator.
    ///
    /// # Examples
    /// ```
    /// use di::prelude::*;
    /// use di_test::{Scenario, returns, test_differentiation};
    ///
    /// #[differentiable]
    /// fn f(x: &[f64]) -> f64 {
    ///     x[0] * x[0] * x[1]
    /// }
    ///
    /// let scenario = Scenario::gradient("f", returns(f::AD), vec![3.0, 2.0], 0.0, &[]);
    /// let scenario = scenario.compute_results(&AutoDual::new())?;
    /// assert_eq!(scenario.reference().result.as_deref(), Some(&[12.0, 9.0][..]));
    /// test_differentiation(&(AutoSource::new(),), &scenario);
    /// # Ok::<(), di::Error>(())
    /// ```
    pub fn compute_results<B>(mut self, backend: &B) -> Result<Self, Error>
    where
        Self: Suite<B>,
    {
        let mut trials = Trials::new();
        self.trials(backend, &mut trials);
        let mut outcome = Outcome::default();
        let form = Form {
            value: true,
            place: self.about.place,
            prepared: false,
        };
        for trial in &mut trials {
            trial.run(form, 1, Some(&mut outcome))?;
        }
        drop(trials);
        if let Some(value) = outcome.value {
            self.reference.value = value;
        }
        self.reference.first = outcome.first;
        self.reference.result = Some(outcome.result);
        self.reference.stored = outcome.stored;
        Ok(self)
    }
}

/// The second tangent in terms of the first, see [`Scenario::batchify`]: neither the same nor the negative.
const OTHER: f64 = -2.0;

/// A tangent that has multiples.
pub trait Scale: Sized {
    /// So many times the tangent.
    fn scale(self, factor: f64) -> Self;
    /// The negative.
    fn negate(self) -> Self {
        self.scale(-1.0)
    }
}

impl Scale for f64 {
    fn scale(self, factor: f64) -> f64 {
        factor * self
    }
}

impl Scale for f32 {
    fn scale(self, factor: f64) -> f32 {
        factor as f32 * self
    }
}

impl<T: Scale> Scale for Vec<T> {
    fn scale(self, factor: f64) -> Vec<T> {
        self.into_iter().map(|v| v.scale(factor)).collect()
    }
}

impl<T: Scale, const N: usize> Scale for [T; N] {
    fn scale(self, factor: f64) -> [T; N] {
        self.map(|v| v.scale(factor))
    }
}

impl<R: Real, D: ndarray::Dimension> Scale for ndarray::Array<R, D> {
    fn scale(self, factor: f64) -> Self {
        self.mapv_into(|v| v * R::from_f64(factor))
    }
}

/// Constructors of operators without tangents.
macro_rules! plain {
    ($($name:ident $marker:ident $doc:literal)+) => {
        $(
            impl<S: Subject<Y>, X, Y> Scenario<$marker, S, X, Y>
            where
                X: Container<Input<S, Y>, Float<S, Y>>,
                Y: Container<Output<S, Y>, Float<S, Y>>,
            {
                #[doc = $doc]
                ///
                /// `y` is the value of `f` at `x`.
                pub fn $name(name: &str, f: S, x: X, y: Y, expected: &[f64]) -> Self {
                    Scenario::of(name, f, x, y, (), 0).expect(expected)
                }
            }
        )+
    };
}

plain! {
    derivative Derivative "By a number; `expected` has the shape of the result."
    gradient Gradient "Of a number; `expected` has the shape of `x`."
    jacobian Jacobian "`expected` has the rows of the Jacobian one behind the other."
    second_derivative SecondDerivative "By a number; `expected` has the shape of the result."
    hessian Hessian "Of a number; `expected` has the rows of the Hessian one behind the other."
}

/// Constructors of operators with tangents.
macro_rules! along {
    ($($name:ident $marker:ident $of:ident $doc:literal)+) => {
        $(
            impl<S: Subject<Y>, X, Y, T, M> Scenario<$marker, S, X, Y, T, M>
            where
                X: Container<Input<S, Y>, Float<S, Y>>,
                Y: Container<Output<S, Y>, Float<S, Y>>,
                T: Tangents<$of<S, Y>, Float<S, Y>, M>,
            {
                #[doc = $doc]
                ///
                /// `y` is the value of `f` at `x`; `tangents` are one or an array of them.
                pub fn $name(name: &str, f: S, x: X, y: Y, tangents: T, expected: &[f64]) -> Self {
                    let count = tangents.count();
                    Scenario::of(name, f, x, y, tangents, count).expect(expected)
                }
            }
        )+
    };
}

along! {
    pushforward Pushforward Input "Jacobian times tangents of the shape of `x`."
    pullback Pullback Output "Tangents of the shape of the result times Jacobian."
    hvp Hvp Input "Hessian times tangents of the shape of `x`."
}
