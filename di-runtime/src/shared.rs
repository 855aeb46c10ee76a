//! One value for many threads: each has a clone. It knows nothing of preps.

use core::cell::Cell;
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// A value that many threads use at once, each through its own clone.
///
/// For values that are `Send` and `Clone` but not `Sync`, and expensive to create: a prep, or a struct of several
/// preps. The owner is then `Sync`, as the traits of samplers and of parallel solvers require.
///
/// Cost of a call: one atomic exchange at its start, and another at its end. No thread ever waits for another. A
/// thread's first call creates a clone. There are places for four times as many clones as the machine has processors; a
/// call that finds no free place uses a temporary clone. A nested call has another clone.
///
/// # Examples
/// ```
/// use di::Shared;
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] * x[0] * x[1]
/// }
///
/// struct Model {
///     prep: Shared<GradientPrep<f, AutoSource>>,
/// }
///
/// impl Model {
///     fn gradient(&self, x: &[f64]) -> Result<Vec<f64>, di::Error> {
///         self.prep.with(|prep| gradient(f::AD, &*prep, &AutoSource::new(), x))
///     }
/// }
///
/// let prep = prepare_gradient(f::AD, &AutoSource::new(), &[0.0; 2])?;
/// let model = Model { prep: Shared::new(prep) };
/// std::thread::scope(|scope| {
///     let gradients = [1.0, 2.0].map(|x| scope.spawn({ let model = &model; move || model.gradient(&[x, 5.0]) }));
///     let [a, b] = gradients.map(|g| g.join().expect("no thread panics"));
///     assert_eq!((a?, b?), (vec![10.0, 1.0], vec![20.0, 4.0]));
///     Ok::<(), di::Error>(())
/// })?;
/// # Ok::<(), di::Error>(())
/// ```
pub struct Shared<T> {
    /// The original of all clones; nobody works with it.
    original: Mutex<Option<T>>,
    places: Box<[Place<T>]>,
}

/// A place for a clone, on cache lines of its own.
#[repr(align(128))]
struct Place<T>(Mutex<Option<T>>);

impl<T> Default for Shared<T> {
    /// Without a value: the first call of [`Shared::with_or`] makes it.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Shared {
            original: Mutex::new(None),
            places: (0..4 * processors)
                .map(|_| Place(Mutex::new(None)))
                .collect(),
        }
    }
}

impl<T> Shared<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Shared {
            original: Mutex::new(Some(value)),
            ..Shared::default()
        }
    }
}

impl<T: Clone> Shared<T> {
    /// Runs a closure on the clone of this thread.
    ///
    /// # Panics
    /// If there is no value, because this was created by [`Shared::default`] and no call of [`Shared::with_or`] has
    /// made one. If `run` panics, the clone is dropped.
    pub fn with<O>(&self, run: impl FnOnce(&mut T) -> O) -> O {
        let none = || -> Result<T, Missing> { Err(Missing) };
        self.with_or(none, run)
            .expect("a value was given to `Shared::new`")
    }

    /// Like [`Shared::with`], but the first call creates the value.
    ///
    /// # Errors
    /// The error of `make`. The next call tries again.
    pub fn with_or<O, E>(
        &self,
        make: impl FnOnce() -> Result<T, E>,
        run: impl FnOnce(&mut T) -> O,
    ) -> Result<O, E> {
        let Some(mut place) = self.free_place() else {
            return Ok(run(&mut self.another(make)?));
        };
        if place.is_none() {
            *place = Some(self.another(make)?);
        }
        Ok(run(place.as_mut().expect("it was filled above")))
    }

    /// A place that no call holds, first of all that of this thread.
    fn free_place(&self) -> Option<MutexGuard<'_, Option<T>>> {
        let count = self.places.len();
        let first = number_of_thread();
        (0..count).find_map(|k| {
            let Place(place) = &self.places[(first + k) % count];
            match place.try_lock() {
                Ok(guard) => Some(guard),
                Err(TryLockError::Poisoned(poisoned)) => {
                    let mut guard = poisoned.into_inner();
                    *guard = None;
                    place.clear_poison();
                    Some(guard)
                }
                Err(TryLockError::WouldBlock) => None,
            }
        })
    }

    /// A clone of the original, which is made if there is none. Nothing is held meanwhile: `make` may call this again.
    #[cold]
    fn another<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let there = self.original().clone();
        if let Some(value) = there {
            return Ok(value);
        }
        let made = make()?;
        Ok(self.original().get_or_insert(made).clone())
    }
}

impl<T> Shared<T> {
    /// The original of all clones.
    fn original(&self) -> MutexGuard<'_, Option<T>> {
        self.original
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<T: Clone> Clone for Shared<T> {
    /// With the value, and without clones of it.
    fn clone(&self) -> Self {
        Shared {
            original: Mutex::new(self.original().clone()),
            ..Shared::default()
        }
    }
}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("places", &self.places.len())
            .finish_non_exhaustive()
    }
}

/// There is no value and nothing to make one.
#[derive(Debug)]
struct Missing;

/// Threads are numbered as they come.
fn number_of_thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static NUMBER: Cell<usize> = const { Cell::new(usize::MAX) });
    NUMBER
        .try_with(|number| {
            if number.get() == usize::MAX {
                number.set(NEXT.fetch_add(1, Ordering::Relaxed) % (usize::MAX / 2));
            }
            number.get()
        })
        .unwrap_or(0)
}
