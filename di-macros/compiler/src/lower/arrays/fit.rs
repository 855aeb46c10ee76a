//! Broadcasting: which elements of an array stand at the places of a shape. Lengths that are written alike are
//! alike; others are compared where the code runs, and those of 1 are repeated.

use super::Flat;
use super::array::{Array, Step, is_one, same};
use crate::error;
use crate::template::parse_quote;
use quote::ToTokens;

/// An array with the shape of what it is combined with.
#[derive(Clone)]
pub(super) struct Fitted {
    /// Where all lengths are those of the shape.
    pub(super) array: Array,
    /// With its own lengths.
    own: Array,
    /// Axes whose lengths are compared where the code runs.
    open: Vec<usize>,
}

impl From<&Array> for Fitted {
    fn from(array: &Array) -> Fitted {
        Fitted {
            array: array.clone(),
            own: array.clone(),
            open: Vec::new(),
        }
    }
}

impl Fitted {
    /// The same, where the lengths of the shape have other names.
    pub(super) fn renamed(mut self, dims: &[syn::Expr]) -> Fitted {
        set_lengths(&mut self.array, dims);
        self
    }

    /// What holds where no element is repeated that is not known to be.
    pub(super) fn conditions(&self) -> impl Iterator<Item = syn::Expr> {
        self.open.iter().map(|&axis| {
            let (own, n) = (&self.own.dims[axis], &self.array.dims[axis]);
            parse_quote!(#own == #n)
        })
    }
}

/// Other names for lengths that are the same; distances are made of them.
fn set_lengths(array: &mut Array, dims: &[syn::Expr]) {
    if let [Step::By(s), Step::One] = array.steps.as_slice()
        && same(s, &array.dims[1])
    {
        array.steps[0] = Step::by(dims[1].clone());
    }
    array.dims = dims.to_vec();
}

impl Flat<'_> {
    /// The shape of what is computed from these.
    pub(super) fn common_shape(
        &mut self,
        arrays: &[Array],
        at: &syn::Expr,
    ) -> Option<Vec<syn::Expr>> {
        let rank = arrays.iter().map(Array::rank).max();
        let Some(rank) = rank else {
            self.refuse(at, &error::ARRAY_UNKNOWN);
            return None;
        };
        let mut dims = Vec::new();
        for axis in 0..rank {
            let mut lengths: Vec<&syn::Expr> = Vec::new();
            for a in arrays {
                let Some(axis) = (axis + a.rank()).checked_sub(rank) else {
                    continue;
                };
                let n = &a.dims[axis];
                if !is_one(n) && !lengths.iter().any(|m| same(m, n)) {
                    lengths.push(n);
                }
            }
            let mut lengths = lengths.into_iter();
            let first = lengths.next().cloned();
            let first = first.unwrap_or_else(|| parse_quote!(1));
            dims.push(lengths.fold(first, |n, m| {
                self.bind("n", &parse_quote!(if #n == 1 { #m } else { #n }))
            }));
        }
        Some(dims)
    }

    /// An array with the shape of what it is combined with; `at` is what the user has written.
    pub(super) fn fitted(
        &mut self,
        array: &Array,
        dims: &[syn::Expr],
        at: &impl ToTokens,
    ) -> Option<Fitted> {
        if array.rank() > dims.len() {
            self.refuse_about(at, &error::ARRAY_RANK, array.rank());
            return None;
        }
        let mut own = array.borrowed();
        while own.rank() < dims.len() {
            own = Self::with_axis(&own, 0);
        }
        let mut open = Vec::new();
        for (axis, n) in dims.iter().enumerate() {
            if same(&own.dims[axis], n) {
                continue;
            }
            own.whole = false;
            if is_one(&own.dims[axis]) {
                own.steps[axis] = Step::Zero;
            } else {
                open.push(axis);
            }
        }
        let mut array = own.clone();
        set_lengths(&mut array, dims);
        Some(Fitted { array, own, open })
    }

    /// An array with exactly this shape.
    pub(super) fn fitted_exactly(&mut self, array: &Array, dims: &[syn::Expr]) -> Fitted {
        for (own, n) in array.dims.iter().zip(dims) {
            if !same(own, n) {
                self.claim(parse_quote!(#own == #n), "arrays of different shapes");
            }
        }
        let mut array = array.clone();
        array.whole &= array.dims == dims;
        set_lengths(&mut array, dims);
        Fitted::from(&array)
    }

    /// The array with what is repeated, whatever its lengths are.
    pub(super) fn spread(&mut self, fitted: &Fitted) -> Array {
        let mut new = fitted.own.clone();
        for &axis in &fitted.open {
            let (own, n) = (&fitted.own.dims[axis], &fitted.array.dims[axis]);
            let (own, n) = (own.clone(), n.clone());
            self.claim(
                parse_quote!(#own == #n || #own == 1),
                "arrays whose shapes do not fit each other",
            );
            let step = &fitted.own.distances()[axis];
            let step = self.bind("step", &parse_quote!(if #own == #n { #step } else { 0 }));
            new.steps[axis] = Step::by(step);
        }
        new.dims = fitted.array.dims.clone();
        new
    }

    /// `a.broadcast(shape).unwrap()`
    pub(super) fn broadcast(
        &mut self,
        array: &Array,
        dims: &[syn::Expr],
        at: &syn::Expr,
    ) -> Option<Array> {
        let fitted = self.fitted(array, dims, at)?;
        Some(self.spread(&fitted))
    }
}
