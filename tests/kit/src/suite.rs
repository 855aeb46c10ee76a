//! Many scenarios and many backends: tuples of them.

use di_runtime::backend::Backend;
use di_runtime::capability::Capabilities;
use di_runtime::value::{Container, ContainerMut};

use crate::scenario::Scenario;
use crate::subject::Subject;
use crate::trial::{Act, Float, Input, Output, Trial, Turned, trial};

/// Trials of one backend.
pub type Trials<'s> = Vec<Trial<'s>>;

/// Scenarios that the backend `B` can be tried on: one, a list of them, or a tuple of suites.
#[diagnostic::on_unimplemented(
    message = "the backend `{B}` cannot be tried on all of these scenarios",
    note = "each function must be one that the backend takes: closures are for differences, `f::AD` is for all"
)]
pub trait Suite<B> {
    /// Adds a trial for each scenario.
    fn trials<'s>(&'s self, backend: &'s B, trials: &mut Trials<'s>);
}

impl<B, O, S, X, Y, T, M> Suite<B> for Scenario<O, S, X, Y, T, M>
where
    S: Subject<Y>,
    B: Backend<S::Key>,
    O: Act<S, X, Y, T, M, B>,
    O: Act<S, X::Result, Y, Turned<O, S, X, Y, T, M, B>, M, B>,
    X: Container<Input<S, Y>, Float<S, Y>> + Clone,
    Y: ContainerMut<Output<S, Y>, Float<S, Y>> + Clone,
    T: Clone,
{
    fn trials<'s>(&'s self, backend: &'s B, trials: &mut Trials<'s>) {
        trials.push(trial(self, backend));
    }
}

impl<B, S: Suite<B>> Suite<B> for Vec<S> {
    fn trials<'s>(&'s self, backend: &'s B, trials: &mut Trials<'s>) {
        for suite in self {
            suite.trials(backend, trials);
        }
    }
}

impl<B, S: Suite<B>> Suite<B> for [S] {
    fn trials<'s>(&'s self, backend: &'s B, trials: &mut Trials<'s>) {
        for suite in self {
            suite.trials(backend, trials);
        }
    }
}

impl<B, S: Suite<B>, const N: usize> Suite<B> for [S; N] {
    fn trials<'s>(&'s self, backend: &'s B, trials: &mut Trials<'s>) {
        for suite in self {
            suite.trials(backend, trials);
        }
    }
}

impl<B, S: Suite<B> + ?Sized> Suite<B> for &S {
    fn trials<'s>(&'s self, backend: &'s B, trials: &mut Trials<'s>) {
        S::trials(self, backend, trials);
    }
}

impl<B> Suite<B> for () {
    fn trials<'s>(&'s self, _: &'s B, _: &mut Trials<'s>) {}
}

/// A tuple of backends, all of which can be tried on the suite `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of backends that can all be tried on these scenarios",
    note = "one backend is a tuple as well: `&(backend,)`"
)]
pub trait Backends<S: ?Sized> {
    /// Passes on each backend's name, as long as no other has the same one, its description, and its
    /// trials.
    fn each(&self, suite: &S, visit: &mut dyn FnMut(&Label, Trials<'_>));
    /// Names and descriptions.
    fn labels(&self) -> Vec<Label>;
}

/// What a backend is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its name, with parameters where there are several of that name.
    pub name: String,
}

/// Makes names that several backends have longer.
fn distinct(all: &mut [(&'static str, String)]) -> Vec<Label> {
    let name = |(name, text): &(&'static str, String)| {
        let several = all.iter().filter(|(other, _)| other == name).count() > 1;
        let name = if several {
            short(text)
        } else {
            (*name).to_owned()
        };
        Label { name }
    };
    all.iter().map(name).collect()
}

/// A description without what says nothing: `AutoSource { only: None }` is `AutoSource`.
pub(crate) fn short(text: &str) -> String {
    let mut text = text.to_owned();
    loop {
        let before = text.len();
        // Fields that are not set, then braces with nothing between.
        while let Some(end) = text.find(": None") {
            let start = text[..end].rfind(['{', ',']).map_or(0, |at| at + 1);
            let mut stop = end + ": None".len();
            if text[stop..].starts_with(',') && text[..start].ends_with('{') {
                stop += 1;
            }
            let from = if text[..start].ends_with(',') {
                start - 1
            } else {
                start
            };
            text.replace_range(from..stop, "");
        }
        // What is set, as itself: `Some(Forward)` is `Forward`.
        while let Some(start) = text.find("Some(") {
            let inner = start + "Some(".len();
            let mut open = 1;
            let end = text[inner..].find(|c| {
                open += i32::from(c == '(') - i32::from(c == ')');
                open == 0
            });
            let Some(end) = end else { break };
            text.remove(inner + end);
            text.replace_range(start..inner, "");
        }
        for empty in [" {  }", " { }", " {}"] {
            text = text.replace(empty, "");
        }
        if text.len() == before {
            return text;
        }
    }
}

macro_rules! tuples {
    ($($name:ident $at:tt),+) => {
        impl<B, $($name: Suite<B>),+> Suite<B> for ($($name,)+) {
            fn trials<'s>(&'s self, backend: &'s B, trials: &mut Trials<'s>) {
                $(self.$at.trials(backend, trials);)+
            }
        }

        impl<S, $($name),+> Backends<S> for ($($name,)+)
        where
            S: $(Suite<$name> +)+ ?Sized,
            $($name: Capabilities + std::fmt::Debug),+
        {
            fn each(&self, suite: &S, visit: &mut dyn FnMut(&Label, Trials<'_>)) {
                let labels = Backends::<S>::labels(self);
                let mut labels = labels.iter();
                $(
                    let mut trials = Trials::new();
                    suite.trials(&self.$at, &mut trials);
                    if let Some(label) = labels.next() {
                        visit(label, trials);
                    }
                )+
            }
            fn labels(&self) -> Vec<Label> {
                distinct(&mut [$((self.$at.name(), format!("{:?}", self.$at))),+])
            }
        }
    };
}

tuples!(A 0);
tuples!(A 0, C 1);
tuples!(A 0, C 1, D 2);
tuples!(A 0, C 1, D 2, E 3);
tuples!(A 0, C 1, D 2, E 3, F 4);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7, J 8);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9, L 10);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9, L 10, M 11);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9, L 10, M 11, N 12);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9, L 10, M 11, N 12, O 13);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9, L 10, M 11, N 12, O 13, P 14);
tuples!(A 0, C 1, D 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9, L 10, M 11, N 12, O 13, P 14, Q 15);

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn descriptions_say_what_is_set() {
        assert_eq!(short("AutoSource { only: None }"), "AutoSource");
        assert_eq!(
            short("AutoSource { only: Some(Reverse) }"),
            "AutoSource { only: Reverse }"
        );
        assert_eq!(
            short("AutoFiniteDiff { scheme: Forward, relative: None, absolute: None }"),
            "AutoFiniteDiff { scheme: Forward }"
        );
        assert_eq!(
            short(
                "SecondOrder { outer: AutoDual { chunk: None }, inner: AutoSource { only: None } }"
            ),
            "SecondOrder { outer: AutoDual, inner: AutoSource }"
        );
    }
}
