//! Loops over the elements of arrays of one shape.

use super::Flat;
use super::array::{Array, Step};
use super::fit::Fitted;
use crate::template::parse_quote;

impl Flat<'_> {
    /// A loop over all elements. `body` gets the elements of each array as places; those of arrays with
    /// `true` may be written to.
    ///
    /// if <all lengths agree> { for .. } else { for .. <with distances that may be 0> }
    pub(super) fn nest(
        &mut self,
        arrays: &[(Fitted, bool)],
        dims: &[syn::Expr],
        body: impl Fn(&mut Self, &[syn::Expr]) -> Vec<syn::Stmt>,
    ) {
        let alike = |(a, mutable): &(Fitted, bool)| (a.array.clone(), *mutable);
        let alike: Vec<(Array, bool)> = arrays.iter().map(alike).collect();
        let mut conditions = arrays.iter().flat_map(|(a, _)| a.conditions());
        let Some(first) = conditions.next() else {
            return self.looped(&alike, dims, &body);
        };
        let condition = conditions.fold(first, |all, c| parse_quote!(#all && #c));
        let outer = std::mem::take(&mut self.before);
        self.looped(&alike, dims, &body);
        let alike = std::mem::take(&mut self.before);
        let spread: Vec<(Array, bool)> = arrays
            .iter()
            .map(|(a, mutable)| (self.spread(a), *mutable))
            .collect();
        self.looped(&spread, dims, &body);
        let spread = std::mem::replace(&mut self.before, outer);
        self.before.push(parse_quote!(
            if #condition { #(#alike)* } else { #(#spread)* }
        ));
    }

    fn looped(
        &mut self,
        arrays: &[(Array, bool)],
        dims: &[syn::Expr],
        body: &impl Fn(&mut Self, &[syn::Expr]) -> Vec<syn::Stmt>,
    ) {
        let flat = arrays
            .iter()
            .all(|(a, _)| a.is_contiguous() && a.rank() == dims.len());
        if flat || dims.len() == 1 {
            self.single(arrays, dims, body);
        } else {
            self.double(arrays, dims, body);
        }
    }

    fn single(
        &mut self,
        arrays: &[(Array, bool)],
        dims: &[syn::Expr],
        body: &impl Fn(&mut Self, &[syn::Expr]) -> Vec<syn::Stmt>,
    ) {
        let n = match dims {
            [n] => n.clone(),
            _ => {
                let n = arrays[0].0.len();
                self.bind("n", &n)
            }
        };
        let i = self.name("i");
        let index: syn::Expr = parse_quote!(#i);
        let elements: Vec<syn::Expr> = arrays
            .iter()
            .map(|(a, mutable)| {
                if a.is_contiguous() {
                    self.stretch(&a.base, a.offset.clone(), &n, *mutable, &index)
                } else {
                    a.element(std::slice::from_ref(&index))
                }
            })
            .collect();
        let stmts = self.apart(|f| body(f, &elements));
        self.before
            .push(parse_quote!(for #i in 0..#n { #(#stmts)* }));
    }

    fn double(
        &mut self,
        arrays: &[(Array, bool)],
        dims: &[syn::Expr],
        body: &impl Fn(&mut Self, &[syn::Expr]) -> Vec<syn::Stmt>,
    ) {
        let (m, n) = (dims[0].clone(), dims[1].clone());
        let (i, j) = (self.name("i"), self.name("j"));
        let (at_i, at_j): (syn::Expr, syn::Expr) = (parse_quote!(#i), parse_quote!(#j));
        let outer = std::mem::take(&mut self.before);
        let elements: Vec<syn::Expr> = arrays
            .iter()
            .map(|(a, mutable)| {
                if !matches!(a.steps[1], Step::One) {
                    return a.element(&[at_i.clone(), at_j.clone()]);
                }
                let row = a.position(&[at_i.clone(), parse_quote!(0)]);
                let row = strip_zero(row);
                let row = self.bind("row", &row);
                self.stretch(&a.base, Some(row), &n, *mutable, &at_j)
            })
            .collect();
        let rows = std::mem::replace(&mut self.before, outer);
        let stmts = self.apart(|f| body(f, &elements));
        self.before.push(parse_quote!(
            for #i in 0..#m {
                #(#rows)*
                for #j in 0..#n { #(#stmts)* }
            }
        ));
    }

    /// Statements of a loop's body: what they need goes into the body too.
    fn apart(&mut self, body: impl FnOnce(&mut Self) -> Vec<syn::Stmt>) -> Vec<syn::Stmt> {
        let outer = std::mem::take(&mut self.before);
        let stmts = body(self);
        let mut all = std::mem::replace(&mut self.before, outer);
        all.extend(stmts);
        all
    }

    /// let v = &base[at..at + n];   and the element of it
    fn stretch(
        &mut self,
        base: &syn::Expr,
        at: Option<syn::Expr>,
        n: &syn::Expr,
        mutable: bool,
        index: &syn::Expr,
    ) -> syn::Expr {
        let part: syn::Expr = match at {
            Some(at) => parse_quote!(#base[#at..#at + #n]),
            None => parse_quote!(#base[..#n]),
        };
        let name = self.name("v");
        if mutable {
            self.before.push(parse_quote!(let #name = &mut #part;));
        } else {
            self.before.push(parse_quote!(let #name = &#part;));
        }
        parse_quote!(#name[#index])
    }

    /// A copy of elements that do not stand side by side.
    pub(super) fn copied_by_loop(&mut self, array: &Array) -> Array {
        let dims: Vec<syn::Expr> = array.dims.iter().map(|n| self.bind("n", n)).collect();
        let new = self.filled(dims, &parse_quote!(0.0));
        self.copy(&new, array);
        new
    }

    /// Element by element, of one shape.
    pub(super) fn copy(&mut self, to: &Array, from: &Array) {
        let mut from = from.borrowed();
        let contiguous = from.is_contiguous();
        from.dims = to.dims.clone();
        if contiguous && from.rank() == 2 {
            from.steps[0] = Step::by(to.dims[1].clone());
        }
        let arrays = [(Fitted::from(to), true), (Fitted::from(&from), false)];
        self.nest(&arrays, &to.dims, |_, e| {
            let (to, from) = (&e[0], &e[1]);
            vec![parse_quote!(#to = #from;)]
        });
    }
}

/// `i * s + 0` is `i * s`.
fn strip_zero(e: syn::Expr) -> syn::Expr {
    match e {
        syn::Expr::Binary(b) if matches!(&*b.right, syn::Expr::Lit(_)) => *b.left,
        other => other,
    }
}
