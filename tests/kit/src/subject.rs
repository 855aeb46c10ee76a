//! Functions under test: one that returns, or one that writes to an output that the kit owns.

use std::marker::PhantomData;

use di_runtime::bound::{Evaluate, Fixings, Function, Value, WithOutput};
use di_runtime::function::{InPlace, Primal, YOwned};
use di_runtime::handle::{Bind, Handle};
use di_runtime::value::{Arguments, ContainerMut, Select};

use crate::flat;

/// A function with its contexts, which is called many times. `Y` is what its result comes in.
pub trait Subject<Y> {
    /// Its key.
    type Key: Primal;
    /// The function as operators take it, for one call.
    type Call<'o>: Function<Bound: Evaluate<Key = Self::Key>>
    where
        Self: 'o,
        Y: 'o;
    /// Does it write to `y`?
    const IN_PLACE: bool;

    /// For one call; `y` is the output, if the function has one.
    fn call<'o>(&'o self, y: &'o mut Y) -> Self::Call<'o>;
    /// The entries of the value that an operator returned, and whether it lies where the output should
    /// be: at the address `y`.
    fn value<'o>(value: Value<Self::Call<'o>>, y: usize) -> (Vec<f64>, bool)
    where
        Self: 'o,
        Y: 'o;
}

/// A function that returns its result; made by [`returns`].
#[derive(Clone, Copy, Debug)]
pub struct Returns<F>(pub(crate) F);

/// A function that returns its result: `returns(f::AD)`, `returns(f::AD.with(&data))`, `returns(&closure)`.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di_test::{Scenario, returns, test_differentiation};
///
/// #[differentiable]
/// fn product(x: &[f64]) -> f64 {
///     x[0] * x[1]
/// }
///
/// let scenario = Scenario::gradient("product", returns(product::AD), vec![2.0, 3.0], 6.0, &[3.0, 2.0]);
/// test_differentiation(&(AutoSource::new(), AutoDual::new()), &scenario);
/// ```
pub fn returns<F: Function + Copy>(f: F) -> Returns<F> {
    Returns(f)
}

impl<F, E, Y> Subject<Y> for Returns<F>
where
    F: Function<Bound = E> + Copy,
    E: Evaluate<Value = YOwned<<E as Evaluate>::Key, flat::Float<<E as Evaluate>::Key>>>,
{
    type Key = E::Key;
    type Call<'o>
        = F
    where
        Self: 'o,
        Y: 'o;
    const IN_PLACE: bool = false;

    fn call<'o>(&'o self, _: &'o mut Y) -> F {
        self.0
    }
    fn value<'o>(value: Value<F>, _: usize) -> (Vec<f64>, bool)
    where
        Self: 'o,
        Y: 'o,
    {
        (flat::owned::<E::Key>(&value), true)
    }
}

/// Contexts that live as long as `'c`, a handle, and what is fixed on it.
type Marker<'c, H, V> = (&'c (), H, V);

/// A function that writes its result; made by [`writes`].
pub struct Writes<'c, G, H, V> {
    bind: G,
    handle: PhantomData<fn() -> Marker<'c, H, V>>,
}

impl<G: Clone, H, V> Clone for Writes<'_, G, H, V> {
    fn clone(&self) -> Self {
        Writes {
            bind: self.bind.clone(),
            handle: PhantomData,
        }
    }
}

impl<G: Copy, H, V> Copy for Writes<'_, G, H, V> {}

/// A function that writes its result: `writes(|y: &mut Vec<f64>| f::AD.output(y))`, with contexts
/// `writes(|y: &mut Vec<f64>| f::AD.with(&data).output(y))`.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di_test::{Scenario, test_differentiation, writes};
///
/// #[differentiable]
/// fn squares(x: &[f64], y: &mut [f64]) {
///     for (y, x) in y.iter_mut().zip(x) {
///         *y = x * x;
///     }
/// }
///
/// let f = writes(|y: &mut Vec<f64>| squares::AD.output(y));
/// let (x, y) = (vec![2.0, 3.0], vec![4.0, 9.0]);
/// let scenario = Scenario::jacobian("squares", f, x, y, &[4.0, 0.0, 0.0, 6.0]);
/// test_differentiation(&(AutoSource::new(), AutoDual::new()), &scenario);
/// ```
pub fn writes<'c, G, Y, H, V>(bind: G) -> Writes<'c, G, H, V>
where
    G: for<'o> Fn(&'o mut Y) -> WithOutput<'o, 'c, H, V, Y>,
    H: Handle,
{
    Writes {
        bind,
        handle: PhantomData,
    }
}

impl<'c, G, Y, H, V> Subject<Y> for Writes<'c, G, H, V>
where
    G: for<'o> Fn(&'o mut Y) -> WithOutput<'o, 'c, H, V, Y>,
    H: Handle<Kind = InPlace>,
    V: Fixings<'c, H::Args, H::Real>,
    H::Args: Select<V::Marks, Off = V::Off>,
    <H::Args as Select<V::Marks>>::On: Arguments,
    Y: ContainerMut<H::Y, H::Real>,
{
    type Key = Bind<H, V::Marks>;
    type Call<'o>
        = WithOutput<'o, 'c, H, V, Y>
    where
        Self: 'o,
        Y: 'o;
    const IN_PLACE: bool = true;

    fn call<'o>(&'o self, y: &'o mut Y) -> WithOutput<'o, 'c, H, V, Y> {
        (self.bind)(y)
    }
    fn value<'o>(value: &'o mut Y, y: usize) -> (Vec<f64>, bool)
    where
        Self: 'o,
        Y: 'o,
    {
        let place = std::ptr::from_ref(&*value) as usize == y;
        (flat::container::<H::Y, H::Real, Y>(value), place)
    }
}
