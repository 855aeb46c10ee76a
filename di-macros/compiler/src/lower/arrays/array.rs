//! An array as it is written out.

use crate::template::parse_quote;
pub(super) use crate::walk::strip;

/// Distance of neighbours along an axis.
#[derive(Clone, Debug)]
pub(super) enum Step {
    One,
    /// All of them are one element.
    Zero,
    By(Box<syn::Expr>),
}

impl Step {
    pub(super) fn by(distance: syn::Expr) -> Step {
        Step::By(Box::new(distance))
    }
}

/// Elements of a vector or slice, as an array of rank 1 or 2. Expressions in it may be repeated.
#[derive(Clone, Debug)]
pub(super) struct Array {
    /// The vector or slice.
    pub(super) base: syn::Expr,
    /// Where the first element is; at the beginning if `None`.
    pub(super) offset: Option<syn::Expr>,
    pub(super) dims: Vec<syn::Expr>,
    pub(super) steps: Vec<Step>,
    /// All of the vector, which nothing else names: it may be moved.
    pub(super) owned: bool,
    /// All elements of the base, in row-major order.
    pub(super) whole: bool,
    /// A view that may be written to.
    pub(super) exclusive: bool,
}

impl Array {
    /// A vector or slice as a whole.
    pub(super) fn whole(base: syn::Expr, dims: Vec<syn::Expr>, owned: bool) -> Array {
        let steps = match dims.as_slice() {
            [_, n] => vec![Step::by(n.clone()), Step::One],
            [_] => vec![Step::One],
            _ => Vec::new(),
        };
        Array {
            base,
            offset: None,
            dims,
            steps,
            owned,
            whole: true,
            exclusive: false,
        }
    }

    /// The same elements, which belong to somebody else.
    pub(super) fn borrowed(&self) -> Array {
        Array {
            owned: false,
            ..self.clone()
        }
    }

    pub(super) fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Whether the elements stand side by side in row-major order.
    pub(super) fn is_contiguous(&self) -> bool {
        match self.steps.as_slice() {
            [Step::One] => true,
            [Step::By(s), Step::One] => same(s, &self.dims[1]) || is_one(&self.dims[0]),
            _ => false,
        }
    }

    /// Number of elements.
    pub(super) fn len(&self) -> syn::Expr {
        match self.dims.as_slice() {
            [n] => n.clone(),
            [m, n] => parse_quote!(#m * #n),
            // one element
            _ => parse_quote!(1),
        }
    }

    /// The elements as a part of the base, contiguous ones only.
    pub(super) fn part(&self) -> syn::Expr {
        let (base, n) = (&self.base, self.len());
        match &self.offset {
            _ if self.whole => parse_quote!(#base[..]),
            None => parse_quote!(#base[..#n]),
            Some(at) => parse_quote!(#base[#at..#at + #n]),
        }
    }

    /// Position of an element in the base.
    pub(super) fn position(&self, index: &[syn::Expr]) -> syn::Expr {
        let mut sum: Option<syn::Expr> = self.offset.clone();
        for (i, step) in index.iter().zip(&self.steps) {
            let term: syn::Expr = match step {
                Step::One => i.clone(),
                Step::Zero => continue,
                Step::By(s) => parse_quote!(#i * #s),
            };
            sum = Some(match sum {
                Some(sum) => parse_quote!(#sum + #term),
                None => term,
            });
        }
        sum.unwrap_or_else(|| parse_quote!(0))
    }

    /// The element at a place that is known to be inside.
    pub(super) fn element(&self, index: &[syn::Expr]) -> syn::Expr {
        let (base, at) = (&self.base, self.position(index));
        parse_quote!(#base[#at])
    }

    /// The stretch of the base from the first element on, and the distances, as the rules want them.
    pub(super) fn first_on(&self) -> syn::Expr {
        let base = &self.base;
        if self.is_contiguous() {
            let part = self.part();
            return parse_quote!(&#part);
        }
        match &self.offset {
            None => parse_quote!(&#base[..]),
            Some(at) => parse_quote!(&#base[#at..]),
        }
    }

    /// Distances along the axes, as numbers.
    pub(super) fn distances(&self) -> Vec<syn::Expr> {
        let number = |s: &Step| match s {
            Step::One => parse_quote!(1),
            Step::Zero => parse_quote!(0),
            Step::By(s) => (**s).clone(),
        };
        self.steps.iter().map(number).collect()
    }
}

/// Whether two expressions are written alike.
pub(super) fn same(a: &syn::Expr, b: &syn::Expr) -> bool {
    a == b
}

/// The length 1, as a literal.
pub(super) fn is_one(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(n) if n.base10_digits() == "1"))
}

/// Without parentheses, references and dereferences.
pub(super) fn bare(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::Reference(r) => bare(&r.expr),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => bare(&u.expr),
        other => other,
    }
}

/// The single name that an expression is.
pub(super) fn name_of(e: &syn::Expr) -> Option<&syn::Ident> {
    match strip(e) {
        syn::Expr::Path(p) if p.qself.is_none() => p.path.get_ident(),
        _ => None,
    }
}
