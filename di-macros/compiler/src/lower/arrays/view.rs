//! Views: which elements of another array they are.

use super::array::{Array, Step, bare, name_of, strip};
use super::{Flat, Indices, Known};
use crate::error;
use crate::template::parse_quote;
use syn::parse::Parser;

/// One axis of `s![..]`.
enum Stretch {
    At(Box<syn::Expr>),
    /// `NewAxis`
    New,
    Range {
        lo: Option<Box<syn::Expr>>,
        hi: Option<Box<syn::Expr>>,
        inclusive: bool,
        step: Option<Box<syn::Expr>>,
    },
}

impl Flat<'_> {
    /// Number of the axis in `Axis(k)`.
    pub(super) fn axis(&mut self, e: &syn::Expr) -> Option<usize> {
        let found = match strip(e) {
            syn::Expr::Call(c) => match (strip(&c.func), c.args.first().map(strip)) {
                (syn::Expr::Path(p), Some(syn::Expr::Lit(l)))
                    if p.path.segments.last().is_some_and(|s| s.ident == "Axis") =>
                {
                    match &l.lit {
                        syn::Lit::Int(n) => n.base10_parse::<usize>().ok(),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        };
        if found.is_none() {
            self.refuse(e, &error::ARRAY_AXIS);
        }
        found
    }

    /// A check that stands before the statement.
    pub(super) fn claim(&mut self, cond: syn::Expr, text: &str) {
        self.before.push(parse_quote!(assert!(#cond, #text);));
    }

    /// An axis less: the elements with this index on it.
    pub(super) fn at_index(&mut self, array: &Array, axis: usize, index: &syn::Expr) -> Array {
        let index = self.bounded(index);
        let index = self.atom("i", index);
        let n = array.dims[axis].clone();
        // a row of all of a slice checks for itself
        if !(array.whole && axis == 0) {
            self.claim(parse_quote!(#index < #n), "index is out of bounds");
        }
        self.without(array, axis, &index)
    }

    /// The same with an index that is known to be inside.
    pub(super) fn without(&mut self, array: &Array, axis: usize, index: &syn::Expr) -> Array {
        let mut new = array.borrowed();
        new.whole = false;
        new.dims.remove(axis);
        let step = new.steps.remove(axis);
        self.shift(&mut new, &step, index);
        new
    }

    /// So many steps along an axis.
    fn shift(&mut self, array: &mut Array, step: &Step, count: &syn::Expr) {
        let by: syn::Expr = match step {
            Step::One => count.clone(),
            Step::Zero => return,
            Step::By(s) => parse_quote!(#count * #s),
        };
        let sum = match &array.offset {
            Some(old) => parse_quote!(#old + #by),
            None => by,
        };
        array.offset = Some(self.bind("at", &sum));
    }

    /// `a.t()`
    pub(super) fn transposed(array: &Array) -> Array {
        let mut new = array.clone();
        new.dims.reverse();
        new.steps.reverse();
        new.owned = false;
        new.whole &= new.rank() == 1;
        new
    }

    /// `a.slice(s![..])`
    pub(super) fn slice(&mut self, array: &Array, arg: &syn::Expr) -> Option<Array> {
        let Some(stretches) = stretches_of(arg) else {
            self.refuse(arg, &error::ARRAY_SLICE);
            return None;
        };
        let mut axis = stretches.iter().filter(|s| s.takes_an_axis()).count();
        if axis != array.rank() {
            self.cx.mismatch();
            return None;
        }
        let mut new = array.borrowed();
        // from the last axis on, so that numbers of axes hold
        for stretch in stretches.into_iter().rev() {
            axis -= usize::from(stretch.takes_an_axis());
            match stretch {
                Stretch::New => new = Self::with_axis(&new, axis),
                Stretch::At(e) => {
                    let index = self.end(&e, &array.dims[axis])?;
                    new = self.at_index(&new, axis, &index);
                }
                Stretch::Range {
                    lo: None,
                    hi: None,
                    step: None,
                    ..
                } => {}
                Stretch::Range {
                    lo,
                    hi,
                    inclusive,
                    step,
                } => {
                    new = self.narrowed(&new, axis, lo, hi, inclusive)?;
                    if let Some(step) = step {
                        new = self.stepped(&new, axis, &step)?;
                    }
                }
            }
        }
        Some(new)
    }

    fn narrowed(
        &mut self,
        array: &Array,
        axis: usize,
        lo: Option<Box<syn::Expr>>,
        hi: Option<Box<syn::Expr>>,
        inclusive: bool,
    ) -> Option<Array> {
        let n = array.dims[axis].clone();
        let lo: syn::Expr = match lo {
            Some(e) => {
                let e = self.end(&e, &n)?;
                let e = self.bounded(&e);
                self.atom("lo", e)
            }
            None => parse_quote!(0),
        };
        let hi: syn::Expr = match hi {
            Some(e) => {
                let e = self.end(&e, &n)?;
                let e = self.bounded(&e);
                if inclusive {
                    self.bind("hi", &parse_quote!((#e) + 1))
                } else {
                    self.atom("hi", e)
                }
            }
            None => n.clone(),
        };
        self.claim(
            parse_quote!(#lo <= #hi && #hi <= #n),
            "slice is out of bounds",
        );
        let mut new = array.borrowed();
        new.whole = false;
        new.dims[axis] = self.bind("n", &parse_quote!(#hi - #lo));
        // distances stay: those of the array that the elements are in
        self.shift(&mut new, &array.steps[axis], &lo);
        Some(new)
    }

    fn stepped(&mut self, array: &Array, axis: usize, step: &syn::Expr) -> Option<Array> {
        if is_negative(step) {
            self.refuse(step, &error::ARRAY_SLICE);
            return None;
        }
        let step = self.bounded(step);
        let step = self.atom("step", step);
        self.claim(parse_quote!(#step > 0), "the step of a slice is zero");
        let mut new = array.borrowed();
        new.whole = false;
        let n = &array.dims[axis];
        new.dims[axis] = self.bind("n", &parse_quote!((#n + #step - 1) / #step));
        new.steps[axis] = match &array.steps[axis] {
            Step::One => Step::by(step),
            Step::Zero => Step::Zero,
            Step::By(s) => Step::by(self.bind("step", &parse_quote!(#s * #step))),
        };
        Some(new)
    }

    /// An end of a range, which may be counted from the end of the axis.
    fn end(&mut self, e: &syn::Expr, n: &syn::Expr) -> Option<syn::Expr> {
        match strip(e) {
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => match strip(&u.expr) {
                syn::Expr::Lit(l) => Some(parse_quote!(#n - #l)),
                _ => {
                    self.refuse(e, &error::ARRAY_SLICE);
                    None
                }
            },
            other => Some(other.clone()),
        }
    }

    /// `v.insert_axis(Axis(k))`
    pub(super) fn with_axis(array: &Array, axis: usize) -> Array {
        let one: syn::Expr = parse_quote!(1);
        let mut new = array.borrowed();
        new.whole = false;
        new.dims.insert(axis, one);
        // along the new axis there is one element
        new.steps.insert(axis, Step::Zero);
        new
    }

    /// `a.diag()`
    pub(super) fn diagonal(&mut self, array: &Array) -> Array {
        let [m, n] = array.dims.as_slice() else {
            // of a vector that is the vector
            return array.borrowed();
        };
        let (m, n) = (m.clone(), n.clone());
        let len = self.bind("n", &parse_quote!(if #m < #n { #m } else { #n }));
        let [s, t] = [&array.distances()[0], &array.distances()[1]].map(Clone::clone);
        let step = self.bind("step", &parse_quote!(#s + #t));
        Array {
            dims: vec![len],
            steps: vec![Step::by(step)],
            whole: false,
            ..array.borrowed()
        }
    }

    /// `a[i]`, `a[[i, j]]`, `a[(i, j)]`, `a[ij]`
    pub(super) fn element(&mut self, i: &syn::ExprIndex) -> Option<syn::Expr> {
        let array = self.array_of_any_rank(&i.expr)?;
        let index = self.indices(&i.index, array.rank())?;
        let mut at = Vec::new();
        for e in &index {
            let new = self.bounded(e);
            at.push(if is_simple(&new) {
                new
            } else {
                self.bind("i", &new)
            });
        }
        let (base, dims) = (&array.base, &array.dims);
        // the lengths of parts check for themselves
        match array.steps.as_slice() {
            [Step::One] => {
                let (part, i) = (array.part(), &at[0]);
                return Some(if array.whole {
                    parse_quote!(#base[#i])
                } else {
                    parse_quote!(#part[#i])
                });
            }
            [Step::By(s), Step::One] if array.whole => {
                let (i, j, n) = (paren(&at[0]), &at[1], &dims[1]);
                return Some(parse_quote!(#base[#i * #s..#i * #s + #n][#j]));
            }
            _ => {}
        }
        for (i, n) in at.iter().zip(dims) {
            let (i, n) = (i.clone(), n.clone());
            self.claim(parse_quote!(#i < #n), "index is out of bounds");
        }
        let at: Vec<syn::Expr> = at.iter().map(paren).collect();
        Some(array.element(&at))
    }

    /// The numbers of an index, one for each axis.
    fn indices(&mut self, e: &syn::Expr, rank: usize) -> Option<Vec<syn::Expr>> {
        let index: Vec<syn::Expr> = match strip(e) {
            syn::Expr::Array(a) => a.elems.iter().cloned().collect(),
            syn::Expr::Tuple(t) => t.elems.iter().cloned().collect(),
            other => {
                let form = name_of(other).and_then(|name| match self.known(name)? {
                    Known::Indices(form) => Some(*form),
                    Known::Array(_) | Known::Holder(_) | Known::Other(..) => None,
                });
                match form {
                    Some(form) => (0..rank).map(|k| form.part(other, k)).collect(),
                    None if rank == 1 => vec![other.clone()],
                    None => {
                        self.refuse(e, &error::ARRAY_INDEX);
                        return None;
                    }
                }
            }
        };
        if index.len() != rank {
            self.cx.mismatch();
            return None;
        }
        Some(index)
    }
}

impl Indices {
    /// How an expression holds several numbers.
    pub(super) fn of(e: &syn::Expr) -> Option<Indices> {
        match strip(e) {
            syn::Expr::Array(_) | syn::Expr::Repeat(_) => Some(Indices::List),
            syn::Expr::Tuple(_) => Some(Indices::Tuple),
            _ => None,
        }
    }

    /// How a value of a type holds them.
    pub(super) fn of_type(ty: &syn::Type) -> Option<Indices> {
        match crate::lower::types::ungroup(ty) {
            syn::Type::Array(_) => Some(Indices::List),
            syn::Type::Tuple(_) => Some(Indices::Tuple),
            _ => None,
        }
    }

    /// One of the numbers.
    fn part(self, all: &syn::Expr, k: usize) -> syn::Expr {
        let k = syn::Index::from(k);
        match self {
            Indices::List => parse_quote!(#all[#k]),
            Indices::Tuple => parse_quote!(#all.#k),
        }
    }
}

impl Stretch {
    fn takes_an_axis(&self) -> bool {
        match self {
            Stretch::At(_) | Stretch::Range { .. } => true,
            Stretch::New => false,
        }
    }
}

/// Rank of what `s![..]` makes of an array; `None` if it is not understood.
pub(super) fn rank_of_slice(arg: &syn::Expr) -> Option<usize> {
    let kept = |s: &Stretch| match s {
        Stretch::New | Stretch::Range { .. } => true,
        Stretch::At(_) => false,
    };
    let stretches = stretches_of(arg)?;
    Some(stretches.iter().filter(|s| kept(s)).count())
}

fn stretches_of(arg: &syn::Expr) -> Option<Vec<Stretch>> {
    match strip(arg) {
        syn::Expr::Macro(m) if m.mac.path.segments.last().is_some_and(|s| s.ident == "s") => {
            stretches.parse2(m.mac.tokens.clone()).ok()
        }
        _ => None,
    }
}

/// With parentheses, unless it is one token.
pub(super) fn paren(e: &syn::Expr) -> syn::Expr {
    match e {
        syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Paren(_) => e.clone(),
        e => parse_quote!((#e)),
    }
}

/// Whether an index can be written twice.
fn is_simple(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::Binary(b) => is_simple(&b.left) && is_simple(&b.right),
        syn::Expr::Unary(u) => is_simple(&u.expr),
        _ => false,
    }
}

fn is_negative(e: &syn::Expr) -> bool {
    matches!(bare(e), syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)))
}

/// What stands in `s![..]`.
fn stretches(input: syn::parse::ParseStream<'_>) -> syn::Result<Vec<Stretch>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        let e: syn::Expr = input.parse()?;
        let step = if input.peek(syn::Token![;]) {
            input.parse::<syn::Token![;]>()?;
            Some(Box::new(input.parse()?))
        } else {
            None
        };
        found.push(match (e, step) {
            (syn::Expr::Range(r), step) => Stretch::Range {
                lo: r.start,
                hi: r.end,
                inclusive: matches!(r.limits, syn::RangeLimits::Closed(_)),
                step,
            },
            (syn::Expr::Path(p), None)
                if p.path.segments.last().is_some_and(|s| s.ident == "NewAxis") =>
            {
                Stretch::New
            }
            (e, None) => Stretch::At(Box::new(e)),
            (e, Some(_)) => return Err(syn::Error::new_spanned(e, "not a range")),
        });
        if !input.is_empty() {
            input.parse::<syn::Token![,]>()?;
        }
    }
    Ok(found)
}
