//! `linearize`: the function at one point as a linear map, products with its Jacobian and with the transpose.

use core::cell::RefCell;

use crate::backend::Backend;
use crate::batch::WIDEST;
use crate::bound::{Evaluate, Float, Function, Input, Key, Operand, Room, Value};
use crate::capability::Operator;
use crate::derived;
use crate::error::{Error, check_shape, settle};
use crate::function::{Kind, Primal, Signature, XShape, YLanesMut, YOwned, YShape};
use crate::matrix::Matrix;
use crate::prep::{result_shape, run_primal};
use crate::primitive::{Plan, Space, Workspace};
use crate::rules::zero;
use crate::value::{Container, ContainerMut, Family, Outcome};

/// The derivative of a function at one point, as a linear map. Returned by [`linearize`].
///
/// It borrows `x`, which therefore cannot change. Constants and caches are those of the handle.
pub struct Linearization<'x, F: Function, B: Backend<Key<F>>, X: ?Sized> {
    f: F::Bound,
    backend: B,
    x: &'x X,
    n: XShape<Key<F>>,
    m: YShape<Key<F>>,
    inner: RefCell<Inner<Key<F>, B>>,
}

/// What changes from call to call.
struct Inner<K: Primal, B: Backend<K>> {
    forward: Space<K, B>,
    reverse: Space<K, B>,
    /// Does `reverse` hold the record of the point?
    recorded: bool,
    matrix: Option<Matrix<K::Real>>,
    y: YOwned<K, K::Real>,
    x: <K::X as Family>::Spare<K::Real>,
    from_x: <K::X as Family>::Spare<K::Real>,
    from_y: <K::Y as Family>::Spare<K::Real>,
}

/// Returns the value at `x`, and the derivative there as a linear map.
///
/// `f: R^n -> R^m`. Cost: one evaluation. Engines that keep a record (`AutoSource`) create it in this call. After that,
/// [`Linearization::pullback`] does not run the function again, and neither does [`Linearization::pushforward`] for up
/// to 16 results. After [`Linearization::with_matrix`], this holds for every engine and size.
///
/// # Errors
/// Those of the backend; [`Error::Function`] if the function fails.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> (f64, f64) {
///     (x[0] * x[1], x[1])
/// }
///
/// let (y, df) = linearize(f::AD, &AutoSource::new(), &[3.0, 2.0])?;
/// assert_eq!(y, (6.0, 2.0));
/// assert_eq!(df.pushforward(&[1.0, 0.0])?, (2.0, 0.0));
/// assert_eq!(df.pullback(&(1.0, 10.0))?, [2.0, 13.0]);
/// # Ok::<(), di::Error>(())
/// ```
#[allow(clippy::type_complexity, reason = "a pair whose parts are named")]
pub fn linearize<'x, F, B, X>(
    f: F,
    backend: &B,
    x: &'x X,
) -> Result<(Value<F>, Linearization<'x, F, B, X>), Error>
where
    F: Operand,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    settle(|| {
        let mut f = f.bind();
        let mut spare = Default::default();
        let mut room = Room::default();
        let m = result_shape(&mut f, x, &mut spare);
        let n = x.shape();
        let make = |f: &F::Bound, operator, batch, spare: &mut _| {
            let plan = Plan {
                seeds: None,
                operator,
                x: &n,
                y: &m,
                batch,
                lasting: true,
            };
            let scratch = backend.scratch(&plan, f.call(), x.view(spare))?;
            Ok::<_, Error>(Workspace::new(scratch, &n, &m))
        };
        let rows = <Key<F> as Signature>::Y::len(&m);
        let forward = make(&f, Operator::Pushforward, 1, &mut spare)?;
        let mut reverse = make(&f, Operator::Pullback, rows.clamp(1, WIDEST), &mut spare)?;
        let view = x.view(&mut spare);
        let recorded = backend.linearize(&mut reverse, f.call(), view)?;
        reverse.same_point = recorded;
        let mut y = f.take(&mut room);
        let slot = F::Bound::slot(&mut y, &mut room);
        if recorded {
            backend.pullback(&mut reverse, f.call(), view, &[], slot, &mut [])?;
        } else {
            run_primal::<Key<F>>(f.call(), view, slot);
        }
        F::Bound::finish(&mut y, &mut room, Operator::Pullback, &m)?;
        let vacant = <<Key<F> as Signature>::Kind as Kind>::storage::<<Key<F> as Signature>::Y, _>(
            &m,
            Float::<F>::default(),
        );
        let inner = Inner {
            forward,
            reverse,
            recorded,
            matrix: None,
            y: vacant,
            x: spare,
            from_x: Default::default(),
            from_y: Default::default(),
        };
        let map = Linearization {
            f,
            backend: backend.clone(),
            x,
            n,
            m,
            inner: RefCell::new(inner),
        };
        Ok((F::Bound::give(y), map))
    })
}

type Y<F> = <Key<F> as Signature>::Y;

impl<F, B, X> Linearization<'_, F, B, X>
where
    F: Operand,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    /// Computes the Jacobian once and keeps it: each later product is a multiplication by this matrix.
    ///
    /// Cost: that of the Jacobian, and `m * n` numbers of memory; then `m * n` multiplications for each product.
    ///
    /// # Errors
    /// Those of the backend; [`Error::Function`] if the function fails.
    pub fn with_matrix(self) -> Result<Self, Error>
    where
        B: Backend<Key<F>, Matrix = Matrix<Float<F>>>,
    {
        settle(|| {
            let plan = Plan {
                seeds: None,
                operator: Operator::Jacobian,
                x: &self.n,
                y: &self.m,
                batch: 0,
                lasting: false,
            };
            let mut inner = self.inner.borrow_mut();
            let Inner { matrix, y, x, .. } = &mut *inner;
            let view = self.x.view(x);
            let scratch = self.backend.scratch(&plan, self.f.call(), view)?;
            let (n, m) = (<Input<F>>::len(&self.n), <Y<F>>::len(&self.m));
            let mut j = self.backend.matrix(&scratch, m, n);
            let mut space = Workspace::new(scratch, &self.n, &self.m);
            let slot = <<Key<F> as Signature>::Kind as Kind>::slot::<Y<F>, Float<F>>(y);
            self.backend
                .jacobian(&mut space, self.f.call(), view, slot, &mut j)?;
            *matrix = Some(j);
            drop(inner);
            Ok(self)
        })
    }

    /// Number of rows and columns: results and inputs.
    pub fn dim(&self) -> (usize, usize) {
        (<Y<F>>::len(&self.m), <Input<F>>::len(&self.n))
    }

    /// Jacobian times vector.
    ///
    /// Cost: for up to 16 results, one or two reverse sweeps over the record if there is one; otherwise one
    /// evaluation with tangents. After [`Linearization::with_matrix`], one multiplication by the matrix.
    ///
    /// # Errors
    /// [`Error::Shape`] if `dx` differs in length from `x`; [`Error::Function`] if the function fails; [`Error::InUse`]
    /// if the function calls an operator with the same linearization.
    pub fn pushforward<V>(&self, dx: &V) -> Result<<Y<F> as Outcome<Float<F>>>::Value, Error>
    where
        V: Container<Input<F>, Float<F>> + ?Sized,
        Y<F>: Outcome<Float<F>>,
    {
        let mut dy = <Y<F>>::value(<Y<F>>::store(&self.m, Float::<F>::default()));
        self.pushforward_into(&mut dy, dx)?;
        Ok(dy)
    }

    /// [`Linearization::pushforward`], written to `dy`.
    ///
    /// # Errors
    /// [`Error::Shape`] if `dx` or `dy` differs in length from `x` or the result; [`Error::Function`] if the function
    /// fails; [`Error::InUse`] if the function calls an operator with the same linearization.
    pub fn pushforward_into<T, V>(&self, dy: &mut T, dx: &V) -> Result<(), Error>
    where
        T: ContainerMut<Y<F>, Float<F>> + ?Sized,
        V: Container<Input<F>, Float<F>> + ?Sized,
    {
        const OPERATOR: Operator = Operator::Pushforward;
        settle(|| {
            check_shape::<Input<F>, Float<F>>(OPERATOR, "tangent", &self.n, dx)?;
            check_shape::<Y<F>, Float<F>>(OPERATOR, "result", &self.m, dy)?;
            let mut inner = self.enter(OPERATOR)?;
            let Inner {
                forward,
                reverse,
                recorded,
                matrix,
                y,
                x,
                from_x,
                from_y,
            } = &mut *inner;
            let dx = dx.lanes(from_x);
            let lanes = dy.lanes_mut(from_y);
            if let Some(j) = matrix {
                let mut row = 0;
                <Y<F>>::each_mut(lanes, &mut |to: &mut Float<F>| {
                    let (mut sum, mut column) = (zero::<Float<F>>(), 0);
                    <Input<F>>::each(dx, &mut |v: Float<F>| {
                        sum = sum + j[[row, column]] * v;
                        column += 1;
                    });
                    *to = sum;
                    row += 1;
                });
            } else {
                let slot = <<Key<F> as Signature>::Kind as Kind>::slot::<Y<F>, Float<F>>(y);
                let (call, view, b) = (self.f.call(), self.x.view(x), &self.backend);
                let lanes: &mut [YLanesMut<'_, Key<F>, Float<F>>] = &mut [lanes];
                if *recorded && self.dim().0 <= 2 * WIDEST {
                    derived::pushforward(b, reverse, call, view, &[dx], slot, lanes)?;
                } else {
                    b.pushforward(forward, call, view, &[dx], slot, lanes)?;
                }
            }
            dy.finish(from_y);
            Ok(())
        })
    }

    /// Transposed Jacobian times vector.
    ///
    /// Cost: one reverse sweep over the record if there is one; otherwise one pullback. After
    /// [`Linearization::with_matrix`], one multiplication by the matrix.
    ///
    /// # Errors
    /// [`Error::Shape`] if `dy` differs in length from the result; [`Error::Function`] if the function fails;
    /// [`Error::InUse`] if the function calls an operator with the same linearization.
    pub fn pullback<V>(&self, dy: &V) -> Result<X::Result, Error>
    where
        V: Container<Y<F>, Float<F>> + ?Sized,
    {
        let mut dx = self.x.blank();
        self.pullback_into(&mut dx, dy)?;
        Ok(dx)
    }

    /// [`Linearization::pullback`], written to `dx`.
    ///
    /// # Errors
    /// [`Error::Shape`] if `dx` or `dy` differs in length from `x` or the result; [`Error::Function`] if the function
    /// fails; [`Error::InUse`] if the function calls an operator with the same linearization.
    pub fn pullback_into<T, V>(&self, dx: &mut T, dy: &V) -> Result<(), Error>
    where
        T: ContainerMut<Input<F>, Float<F>> + ?Sized,
        V: Container<Y<F>, Float<F>> + ?Sized,
    {
        const OPERATOR: Operator = Operator::Pullback;
        settle(|| {
            check_shape::<Y<F>, Float<F>>(OPERATOR, "adjoint", &self.m, dy)?;
            check_shape::<Input<F>, Float<F>>(OPERATOR, "result", &self.n, dx)?;
            let mut inner = self.enter(OPERATOR)?;
            let Inner {
                reverse,
                matrix,
                y,
                x,
                from_x,
                from_y,
                ..
            } = &mut *inner;
            let dy = dy.lanes(from_y);
            let lanes = dx.lanes_mut(from_x);
            if let Some(j) = matrix {
                let mut column = 0;
                <Input<F>>::each_mut(lanes, &mut |to: &mut Float<F>| {
                    let (mut sum, mut row) = (zero::<Float<F>>(), 0);
                    <Y<F>>::each(dy, &mut |v: Float<F>| {
                        sum = sum + j[[row, column]] * v;
                        row += 1;
                    });
                    *to = sum;
                    column += 1;
                });
            } else {
                let slot = <<Key<F> as Signature>::Kind as Kind>::slot::<Y<F>, Float<F>>(y);
                let (call, view) = (self.f.call(), self.x.view(x));
                self.backend
                    .pullback(reverse, call, view, &[dy], slot, &mut [lanes])?;
            }
            dx.finish(from_x);
            Ok(())
        })
    }

    fn enter(&self, operator: Operator) -> Result<core::cell::RefMut<'_, Inner<Key<F>, B>>, Error> {
        self.inner
            .try_borrow_mut()
            .map_err(|_| Error::InUse { operator })
    }
}
