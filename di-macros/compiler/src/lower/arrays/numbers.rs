//! Products and sums: calls of the runtime's rules, whose derivatives work on whole arrays.

use super::Flat;
use super::array::{Array, Step};
use super::fit::Fitted;
use crate::error;
use crate::template::parse_quote;

impl Flat<'_> {
    /// A function of the runtime's module for arrays.
    fn rule(&self, name: &str) -> syn::Path {
        let here = proc_macro2::Span::call_site();
        let (rt, name) = (&self.rt, syn::Ident::new(name, here));
        let float = syn::Ident::new(&format!("of_{}", self.float), here);
        parse_quote!(#rt::nd::#float::#name)
    }

    /// `a.dot(&b)` of two vectors.
    pub(super) fn inner_product(&mut self, a: &Array, b: &Array) -> syn::Expr {
        let (n, m) = (a.dims[0].clone(), b.dims[0].clone());
        self.claim(
            parse_quote!(#n == #m),
            "the vectors of a product differ in length",
        );
        let (x, y) = (a.first_on(), b.first_on());
        let (sx, sy) = (&a.distances()[0], &b.distances()[0]);
        let rule = self.rule("dot");
        parse_quote!(#rule(#x, #y, #n, #sx, #sy))
    }

    /// `a.dot(&b)` with a matrix in it.
    pub(super) fn product(&mut self, left: &syn::Expr, right: &syn::Expr) -> Option<Array> {
        let a = self.array(left)?;
        let b = self.array(right)?;
        match (a.rank(), b.rank()) {
            (2, 1) => Some(self.matrix_vector(&a, &b)),
            (1, 2) => Some(self.matrix_vector(&Self::transposed(&b), &a)),
            (2, 2) => Some(self.matrix_matrix(&a, &b)),
            _ => {
                self.cx.mismatch();
                None
            }
        }
    }

    fn matrix_vector(&mut self, a: &Array, x: &Array) -> Array {
        let (n, len) = (a.dims[1].clone(), x.dims[0].clone());
        self.claim(
            parse_quote!(#n == #len),
            "the matrix and the vector of a product do not fit",
        );
        let m = self.bind("n", &a.dims[0].clone());
        let new = self.filled(vec![m.clone()], &parse_quote!(0.0));
        let (y, av, xv) = (&new.base, a.first_on(), x.first_on());
        let (sa, sx) = (a.distances(), &x.distances()[0]);
        let (s, t) = (&sa[0], &sa[1]);
        let rule = self.rule("mat_vec");
        self.before.push(parse_quote!(
            #rule(#av, #xv, #m, #n, #s, #t, #sx, &mut #y[..]);
        ));
        new
    }

    fn matrix_matrix(&mut self, a: &Array, b: &Array) -> Array {
        let (k, len) = (a.dims[1].clone(), b.dims[0].clone());
        self.claim(
            parse_quote!(#k == #len),
            "the matrices of a product do not fit",
        );
        let m = self.bind("n", &a.dims[0].clone());
        let n = self.bind("n", &b.dims[1].clone());
        let new = self.filled(vec![m.clone(), n.clone()], &parse_quote!(0.0));
        let (c, av, bv) = (&new.base, a.first_on(), b.first_on());
        let (sa, sb) = (a.distances(), b.distances());
        let (sa0, sa1, sb0, sb1) = (&sa[0], &sa[1], &sb[0], &sb[1]);
        let rule = self.rule("mat_mul");
        self.before.push(parse_quote!(
            #rule(#av, #bv, #m, #k, #n, #sa0, #sa1, #sb0, #sb1, &mut #c[..]);
        ));
        new
    }

    /// `a.sum()`
    pub(super) fn sum(&mut self, a: &Array) -> syn::Expr {
        let rule = self.rule("sum");
        let x = a.first_on();
        let (dims, steps) = (&a.dims, a.distances());
        match dims.as_slice() {
            [n] => {
                let s = &steps[0];
                parse_quote!(#rule(#x, 1, #n, #n, #s))
            }
            [m, n] => {
                let (s, t) = (&steps[0], &steps[1]);
                parse_quote!(#rule(#x, #m, #n, #s, #t))
            }
            _ => a.element(&[]),
        }
    }

    /// `a.sum_axis(Axis(k))`: as ndarray adds them up.
    pub(super) fn sum_axis(&mut self, a: &Array, axis: usize) -> Option<Array> {
        if a.rank() != 2 || axis > 1 {
            self.refuse(&a.base, &error::ARRAY_AXIS);
            return None;
        }
        // the order of the sum depends on which axis is the inner one
        let lanes = match (&a.steps[0], &a.steps[1]) {
            (_, Step::One) => axis == 1,
            (Step::One, _) => axis == 0,
            _ => {
                let copy = self.copied_by_loop(a);
                return self.sum_axis(&copy, axis);
            }
        };
        let other = 1 - axis;
        let n = self.bind("n", &a.dims[other].clone());
        let new = self.filled(vec![n.clone()], &parse_quote!(0.0));
        let to = new.base.clone();
        if lanes {
            let i = self.name("i");
            let outer = std::mem::take(&mut self.before);
            let lane = self.without(a, other, &parse_quote!(#i));
            let sum = self.sum(&lane);
            let stmts = std::mem::replace(&mut self.before, outer);
            self.before
                .push(parse_quote!(for #i in 0..#n { #(#stmts)* #to[#i] = #sum; }));
            return Some(new);
        }
        let a = if axis == 0 {
            a.borrowed()
        } else {
            Self::transposed(&a.borrowed())
        };
        let mut target = new.borrowed();
        target.whole = false;
        target.dims.insert(0, a.dims[0].clone());
        target.steps.insert(0, Step::Zero);
        let mut from = a.clone();
        from.dims[1] = n;
        let arrays = [(Fitted::from(&target), true), (Fitted::from(&from), false)];
        self.nest(&arrays, &target.dims, |_, e| {
            let (to, from) = (&e[0], &e[1]);
            vec![parse_quote!(#to += #from;)]
        });
        Some(new)
    }

    /// `a.mean_axis(Axis(k)).unwrap()`
    pub(super) fn mean_axis(&mut self, a: &Array, axis: usize) -> Option<Array> {
        let count = a.dims.get(axis)?.clone();
        let new = self.sum_axis(a, axis)?;
        self.claim(parse_quote!(#count > 0), "the mean of nothing");
        let (float, to, i) = (self.float_type(), new.base.clone(), self.name("i"));
        let n = new.dims[0].clone();
        let count = self.bind("c", &parse_quote!((#count) as #float));
        self.before
            .push(parse_quote!(for #i in 0..#n { #to[#i] /= #count; }));
        Some(new)
    }
}
