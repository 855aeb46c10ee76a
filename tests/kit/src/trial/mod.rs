//! One scenario with one backend, its types erased: what the drivers run.

mod first;
mod second;

use di_runtime::backend::Backend;
use di_runtime::bound::{Evaluate, Function};
use di_runtime::capability::Mode;
use di_runtime::error::Error;
use di_runtime::function::{Primal, Signature};
use di_runtime::prep::{BodyOf, NoPrep, Op, Prep, Prepared};
use di_runtime::scalar::Real;
use di_runtime::value::{Container, ContainerMut, Count, Family};

use crate::flat;
use crate::scenario::{About, Place, Reference, Scenario};
use crate::subject::Subject;

/// Which variant of an operator is called, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Together with the value, and in second order with the first derivative.
    pub value: bool,
    /// Where the result goes.
    pub place: Place,
    /// With the prep that was made last.
    pub prepared: bool,
}

/// What a prep is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Another point than that of the calls, unless the scenario says which.
    Elsewhere,
    /// The point of the calls; nothing beside the preparation is done.
    Here,
    /// The point of the calls, by `prepare_*_same_point`.
    SamePoint,
    /// Smaller arguments.
    Smaller,
}

/// Where a prep is tried that the scenario says nothing of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// A point close by, with other tangents.
    Point,
    /// The same point, with other tangents.
    Tangents,
    /// The same point, with other tangents and the constants of the preparation.
    Constants,
}

/// What a call returned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Value of the function, if it was requested.
    pub value: Option<Vec<f64>>,
    /// Derivative or gradient that comes with a second-order result, if it was requested.
    pub first: Option<Vec<f64>>,
    /// Of `hvp` with its value: gradient and result of `gradient_and_hvp`, which has none.
    pub pair: Option<(Vec<f64>, Vec<f64>)>,
    /// The result.
    pub result: Vec<f64>,
    /// Entries that the result stores, if it is sparse.
    pub stored: Option<usize>,
    /// Did something come back that is not the buffer that was passed?
    pub moved: bool,
}

/// What a prep returns away from its own point.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// With the prep.
    pub prepared: Outcome,
    /// Without one.
    pub alone: Outcome,
}

/// A call that must be refused, and its outcome.
#[derive(Debug)]
pub struct Misuse {
    /// What does not fit.
    pub what: &'static str,
    /// Its outcome.
    pub error: Option<Error>,
}

/// One scenario with one backend.
///
/// What is known of it before it runs is computed at once: each method of [`Run`] is compiled for each scenario and
/// each backend.
pub struct Trial<'s> {
    about: &'s About,
    reference: &'s Reference,
    accuracy: (f64, f64),
    mode: Mode,
    supported: bool,
    has_smaller: bool,
    stage: Box<dyn Run + 's>,
}

impl Trial<'_> {
    /// The scenario.
    pub fn about(&self) -> &About {
        self.about
    }
    /// The expected result.
    pub fn reference(&self) -> &Reference {
        self.reference
    }
    /// Largest relative error that the backend promises, and the precision of the float.
    pub fn accuracy(&self) -> (f64, f64) {
        self.accuracy
    }
    /// What the backend is fast at.
    pub fn mode(&self) -> Mode {
        self.mode
    }
    /// Does the backend have this operator, and accept this kind of function?
    pub fn supported(&self) -> bool {
        self.supported
    }
    /// Does the scenario have smaller arguments?
    pub fn has_smaller(&self) -> bool {
        self.has_smaller
    }
}

impl<'s> std::ops::Deref for Trial<'s> {
    type Target = dyn Run + 's;
    fn deref(&self) -> &Self::Target {
        &*self.stage
    }
}

impl std::ops::DerefMut for Trial<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.stage
    }
}

/// What a trial can do.
pub trait Run {
    /// Makes a prep; returns `false` if there is none of this kind.
    ///
    /// # Errors
    /// Those of the operator.
    fn prepare(&mut self, at: At) -> Result<bool, Error>;
    /// Resizes the prep for the arguments of the calls.
    ///
    /// # Errors
    /// Those of the operator.
    fn resize(&mut self) -> Result<(), Error>;
    /// Calls the operator this many times; fills in what the last call returned, if it is
    /// requested.
    ///
    /// # Errors
    /// Those of the operator.
    fn run(&mut self, form: Form, times: usize, outcome: Option<&mut Outcome>)
    -> Result<(), Error>;
    /// Calls with the prep at another point, and there without a prep; with a prep of one point, there with
    /// other tangents; or at the same point with other constants, if the scenario has some.
    ///
    /// # Errors
    /// Those of the operator.
    fn visit(&mut self, to: To, form: Form) -> Result<Option<Visit>, Error>;
    /// Puts NaN into the output and the buffers.
    ///
    /// # Errors
    /// Those of making buffers.
    fn spoil(&mut self) -> Result<(), Error>;
    /// Everything that a call must leave as it is.
    fn inputs(&self) -> Vec<f64>;
    /// Calls with arguments that do not fit the prep.
    fn misuses(&mut self) -> Vec<Misuse>;
}

/// The prep if there is one, else one made on the fly.
pub struct Choice<'p, P>(pub Option<&'p P>);

impl<P> Clone for Choice<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Choice<'_, P> {}

impl<O, K: Primal, B: Backend<K>> Prepared<O, K, B> for Choice<'_, Prep<O, K, B>> {
    type Made = Option<BodyOf<K, B>>;

    #[inline]
    fn ready<'p, F, X, N>(
        &'p self,
        made: &'p mut Self::Made,
        f: &mut F,
        backend: &B,
        x: &X,
        count: N,
    ) -> Result<&'p BodyOf<K, B>, Error>
    where
        O: Op,
        N: Count,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        match self.0 {
            Some(prep) => Ok(prep.body()),
            None => Prepared::<O, K, B>::ready(&NoPrep, made, f, backend, x, count),
        }
    }
}

/// What an operator is called with.
pub struct Arguments<'a, S, X, Y, T> {
    /// The function.
    pub f: &'a S,
    /// Its argument.
    pub x: &'a X,
    /// Its output.
    pub y: &'a mut Y,
    /// The tangents.
    pub tangents: &'a T,
}

/// The prep of an operator for a subject.
pub(crate) type PrepOf<O, S, Y, B> = Prep<O, <S as Subject<Y>>::Key, B>;
/// The family of a subject's input.
pub(crate) type Input<S, Y> = <<S as Subject<Y>>::Key as Signature>::X;
/// The family of a subject's result.
pub(crate) type Output<S, Y> = <<S as Subject<Y>>::Key as Signature>::Y;
/// The float of a subject.
pub(crate) type Float<S, Y> = <<S as Subject<Y>>::Key as Signature>::Real;

/// How one operator is prepared and called.
pub trait Act<S, X, Y, T, M, B>: Op + Sized
where
    S: Subject<Y>,
    B: Backend<S::Key>,
{
    /// Where results go.
    type Buffers;
    /// Other tangents of the same kind.
    type Turned;

    /// `prepare_*`, at zeros if there is no `x`.
    #[doc(hidden)]
    fn prepare(
        arguments: Arguments<'_, S, X, Y, T>,
        zeros: bool,
        backend: &B,
    ) -> Result<PrepOf<Self, S, Y, B>, Error>;
    /// `prepare_*_same_point`, where it exists.
    #[doc(hidden)]
    fn same_point(
        _arguments: Arguments<'_, S, X, Y, T>,
        _backend: &B,
    ) -> Option<Result<PrepOf<Self, S, Y, B>, Error>> {
        None
    }
    /// Buffers for results.
    #[doc(hidden)]
    fn buffers(arguments: Arguments<'_, S, X, Y, T>, backend: &B) -> Result<Self::Buffers, Error>;
    /// NaN everywhere.
    #[doc(hidden)]
    fn spoil(buffers: &mut Self::Buffers);
    /// One call.
    #[doc(hidden)]
    fn run(
        arguments: Arguments<'_, S, X, Y, T>,
        buffers: &mut Self::Buffers,
        prep: Choice<'_, PrepOf<Self, S, Y, B>>,
        backend: &B,
        form: Form,
        outcome: Option<&mut Outcome>,
    ) -> Result<(), Error>;
    /// The tangents, flat.
    #[doc(hidden)]
    fn tangents(_tangents: &T) -> Vec<f64> {
        Vec::new()
    }
    /// Other tangents.
    #[doc(hidden)]
    fn turned(arguments: Arguments<'_, S, X, Y, T>) -> Self::Turned;
}

/// Act on the point that [`Trial::visit`] goes to.
pub(crate) type Turned<O, S, X, Y, T, M, B> = <O as Act<S, X, Y, T, M, B>>::Turned;

/// Other numbers of about the same size and sign, and other multiples of each other.
pub(crate) fn elsewhere(entries: Vec<f64>) -> impl Iterator<Item = f64> {
    let shares = [1.0 / 32.0, -1.0 / 64.0, 1.0 / 128.0];
    let shares = shares.into_iter().cycle();
    let moved = |(entry, share): (f64, f64)| entry + share * (entry + 0.5_f64.copysign(entry));
    entries.into_iter().zip(shares).map(moved)
}

/// The types of one trial, and its prep and buffers.
pub(crate) struct Stage<'s, O, S, X, Y, T, M, B>
where
    S: Subject<Y>,
    B: Backend<S::Key>,
    O: Act<S, X, Y, T, M, B>,
{
    scenario: &'s Scenario<O, S, X, Y, T, M>,
    backend: &'s B,
    prep: Option<PrepOf<O, S, Y, B>>,
    y: Y,
    buffers: Option<O::Buffers>,
}

/// The trial of a backend on a scenario.
pub(crate) fn trial<'s, O, S, X, Y, T, M, B>(
    scenario: &'s Scenario<O, S, X, Y, T, M>,
    backend: &'s B,
) -> Trial<'s>
where
    Stage<'s, O, S, X, Y, T, M, B>: Run,
    S: Subject<Y>,
    B: Backend<S::Key>,
    O: Act<S, X, Y, T, M, B>,
    Y: Clone,
{
    let takes = !S::IN_PLACE || backend.check_inplace();
    let supported = takes && backend.check_operator(O::OPERATOR);
    // An engine over another has operators of second order alone: for the others nothing is compiled.
    let stage: Box<dyn Run> =
        if const { B::HAS_PUSHFORWARD || B::HAS_PULLBACK || O::OPERATOR.is_second_order() } {
            Box::new(Stage {
                scenario,
                backend,
                prep: None,
                y: scenario.y.clone(),
                buffers: None,
            })
        } else {
            assert!(!supported, "{} has no primitive", backend.name());
            Box::new(Missing)
        };
    Trial {
        about: &scenario.about,
        reference: &scenario.reference,
        accuracy: (
            backend.accuracy(O::OPERATOR),
            Float::<S, Y>::EPSILON.to_f64(),
        ),
        mode: backend.mode(),
        supported,
        has_smaller: scenario.smaller.is_some(),
        stage,
    }
}

impl<O, S, X, Y, T, M, B> Stage<'_, O, S, X, Y, T, M, B>
where
    S: Subject<Y>,
    B: Backend<S::Key>,
    O: Act<S, X, Y, T, M, B>,
{
    fn make_buffers(&mut self) -> Result<(), Error> {
        if self.buffers.is_none() {
            let arguments = Arguments {
                f: &self.scenario.f,
                x: &self.scenario.x,
                y: &mut self.y,
                tangents: &self.scenario.tangents,
            };
            self.buffers = Some(O::buffers(arguments, self.backend)?);
        }
        Ok(())
    }
}

/// A trial of an operator that the backend does not have.
struct Missing;

/// Message of an invariant: a trial that is not supported is skipped.
const SKIPPED: &str = "the backend does not have the operator";

impl Run for Missing {
    fn prepare(&mut self, _: At) -> Result<bool, Error> {
        unreachable!("{SKIPPED}")
    }
    fn resize(&mut self) -> Result<(), Error> {
        unreachable!("{SKIPPED}")
    }
    fn run(&mut self, _: Form, _: usize, _: Option<&mut Outcome>) -> Result<(), Error> {
        unreachable!("{SKIPPED}")
    }
    fn visit(&mut self, _: To, _: Form) -> Result<Option<Visit>, Error> {
        unreachable!("{SKIPPED}")
    }
    fn spoil(&mut self) -> Result<(), Error> {
        unreachable!("{SKIPPED}")
    }
    fn inputs(&self) -> Vec<f64> {
        Vec::new()
    }
    fn misuses(&mut self) -> Vec<Misuse> {
        unreachable!("{SKIPPED}")
    }
}

/// Message of an invariant: [`Stage::make_buffers`] has run.
const MADE: &str = "buffers are made before each call";

impl<O, S, X, Y, T, M, B> Run for Stage<'_, O, S, X, Y, T, M, B>
where
    S: Subject<Y>,
    B: Backend<S::Key>,
    O: Act<S, X, Y, T, M, B>,
    O: Act<S, X::Result, Y, Turned<O, S, X, Y, T, M, B>, M, B>,
    X: Container<Input<S, Y>, Float<S, Y>> + Clone,
    Y: ContainerMut<Output<S, Y>, Float<S, Y>> + Clone,
    T: Clone,
{
    fn prepare(&mut self, at: At) -> Result<bool, Error> {
        let scenario = self.scenario;
        let prepared_f = scenario.prepared_f.as_ref().unwrap_or(&scenario.f);
        let (f, x, y, tangents) = match (at, &scenario.smaller) {
            (At::Here, _) => (prepared_f, &scenario.x, &self.y, &scenario.tangents),
            (At::SamePoint, _) => (&scenario.f, &scenario.x, &self.y, &scenario.tangents),
            (At::Elsewhere, _) => {
                let x = scenario.prepared_x.as_ref().unwrap_or(&scenario.x);
                (prepared_f, x, &self.y, &scenario.tangents)
            }
            (At::Smaller, Some(smaller)) => (prepared_f, &smaller.x, &smaller.y, &smaller.tangents),
            (At::Smaller, None) => return Ok(false),
        };
        let y = &mut y.clone();
        let arguments = Arguments { f, x, y, tangents };
        let prep = if at == At::SamePoint {
            match O::same_point(arguments, self.backend) {
                Some(prep) => prep?,
                None => return Ok(false),
            }
        } else {
            let zeros = at == At::Elsewhere && scenario.prepared_x.is_none();
            O::prepare(arguments, zeros, self.backend)?
        };
        self.prep = Some(prep);
        Ok(true)
    }

    fn resize(&mut self) -> Result<(), Error> {
        let scenario = self.scenario;
        match &mut self.prep {
            Some(prep) => prep.resize(scenario.f.call(&mut self.y), &scenario.x),
            None => Ok(()),
        }
    }

    fn run(
        &mut self,
        form: Form,
        times: usize,
        mut outcome: Option<&mut Outcome>,
    ) -> Result<(), Error> {
        self.make_buffers()?;
        let scenario = self.scenario;
        let buffers = self.buffers.as_mut().expect(MADE);
        let prep = Choice(if form.prepared {
            self.prep.as_ref()
        } else {
            None
        });
        for left in (0..times).rev() {
            let arguments = Arguments {
                f: &scenario.f,
                x: &scenario.x,
                y: &mut self.y,
                tangents: &scenario.tangents,
            };
            let outcome = if left == 0 { outcome.take() } else { None };
            O::run(arguments, buffers, prep, self.backend, form, outcome)?;
        }
        Ok(())
    }

    fn visit(&mut self, to: To, form: Form) -> Result<Option<Visit>, Error> {
        let Scenario { f, x, tangents, .. } = self.scenario;
        let home = flat::container::<Input<S, Y>, Float<S, Y>, X>(x);
        let mut there = x.blank();
        match to {
            To::Point => fill_x::<S, Y, _>(&mut there, &mut elsewhere(home)),
            To::Tangents | To::Constants => fill_x::<S, Y, _>(&mut there, &mut home.into_iter()),
        }
        let f = match (to, &self.scenario.prepared_f) {
            (To::Point | To::Tangents, _) => f,
            (To::Constants, Some(f)) => f,
            (To::Constants, None) => return Ok(None),
        };
        let y = &mut self.y;
        let turned = <O as Act<S, X, Y, T, M, B>>::turned(Arguments { f, x, y, tangents });
        let (x, tangents) = (&there, &turned);
        let mut call = |prep| {
            let mut outcome = Outcome::default();
            let arguments = Arguments { f, x, y, tangents };
            let mut buffers = O::buffers(arguments, self.backend)?;
            <O as Act<S, X::Result, Y, _, M, B>>::spoil(&mut buffers);
            let arguments = Arguments { f, x, y, tangents };
            let at = Some(&mut outcome);
            O::run(arguments, &mut buffers, prep, self.backend, form, at)?;
            Ok::<_, Error>(outcome)
        };
        Ok(Some(Visit {
            prepared: call(Choice(self.prep.as_ref()))?,
            alone: call(Choice(None))?,
        }))
    }

    fn spoil(&mut self) -> Result<(), Error> {
        self.make_buffers()?;
        <O as Act<S, X, Y, T, M, B>>::spoil(self.buffers.as_mut().expect(MADE));
        if S::IN_PLACE {
            flat::spoil_container::<Output<S, Y>, Float<S, Y>, Y>(&mut self.y);
        }
        Ok(())
    }

    fn inputs(&self) -> Vec<f64> {
        let mut all = flat::container::<Input<S, Y>, Float<S, Y>, X>(&self.scenario.x);
        all.extend(O::tangents(&self.scenario.tangents));
        all
    }

    fn misuses(&mut self) -> Vec<Misuse> {
        let scenario = self.scenario;
        let Some(smaller) = &scenario.smaller else {
            return Vec::new();
        };
        if self.make_buffers().is_err() {
            return Vec::new();
        }
        let form = Form {
            value: true,
            place: Place::In,
            prepared: true,
        };
        let (x, tangents) = (&scenario.x, &scenario.tangents);
        let differ = O::tangents(tangents).len() != O::tangents(&smaller.tangents).len();
        let mut found = Vec::new();
        // without a list of them, whose code would be compiled for each scenario and each backend
        let mut attempt = |what, x, tangents, y: &Y| {
            let (f, y) = (&scenario.f, &mut y.clone());
            let arguments = Arguments { f, x, y, tangents };
            let buffers = self.buffers.as_mut().expect(MADE);
            let prep = Choice(self.prep.as_ref());
            let error = O::run(arguments, buffers, prep, self.backend, form, None).err();
            found.push(Misuse { what, error });
        };
        attempt("smaller x", &smaller.x, tangents, &self.y);
        if differ {
            attempt("smaller tangents", x, &smaller.tangents, &self.y);
        }
        if S::IN_PLACE {
            attempt("smaller output", x, tangents, &smaller.y);
        }
        found
    }
}

/// Writes the entries of an argument.
fn fill_x<S: Subject<Y>, Y, C: ContainerMut<Input<S, Y>, Float<S, Y>>>(
    x: &mut C,
    entries: &mut impl Iterator<Item = f64>,
) {
    flat::fill_container::<Input<S, Y>, Float<S, Y>, C>(x, entries);
}

/// Where the entries of a value begin.
fn address<T>(value: &T) -> usize {
    std::ptr::from_ref(value) as usize
}

/// Notes a value that an operator returned.
fn note_value<'o, S, Y>(
    outcome: &mut Outcome,
    value: <<S::Call<'o> as Function>::Bound as Evaluate>::Value,
    y: usize,
) where
    S: Subject<Y> + 'o,
    Y: 'o,
{
    let (value, stayed) = S::value(value, y);
    outcome.value = Some(value);
    outcome.moved = !stayed;
}

/// The number of a function that returns one.
fn note_number<R: Real>(outcome: &mut Outcome, value: R) {
    outcome.value = Some(vec![value.to_f64()]);
}

/// Zeros of the shape of `x`.
fn zeros<F: Family, R: Real, X: Container<F, R>>(x: &X) -> X::Result {
    x.blank()
}
