//! Methods of arrays that return numbers, and statements that change arrays.

use super::array::{Array, bare, strip};
use super::elements::{Terms, operator};
use super::fit::Fitted;
use super::{Flat, Owner};
use crate::error;
use crate::lower::types::behind_pointers;
use crate::template::parse_quote;

/// Methods that only arrays have: on anything else the type is not known.
const ONLY_ARRAYS: [&str; 9] = [
    "dot",
    "mapv",
    "nrows",
    "ncols",
    "outer_iter",
    "axis_iter",
    "sum_axis",
    "scaled_add",
    "mapv_inplace",
];

impl Flat<'_> {
    /// A method call that is no array.
    pub(super) fn method(&mut self, m: &syn::ExprMethodCall) -> syn::Expr {
        let whole = syn::Expr::MethodCall(m.clone());
        if self.rank_of(&whole).is_some() {
            // a constant that goes where constants go
            if self.constant_kind(&whole).is_some()
                && let Some(constant) = self.as_it_is(&whole)
            {
                return constant;
            }
            self.refuse(&whole, &error::ARRAY_PLACE);
            return whole;
        }
        if let Some(mean) = self.mean(m) {
            return mean;
        }
        if let Some(number) = self.number_of_constant(m) {
            return number;
        }
        if self.rank_of(&m.receiver).is_some() {
            let number = self.number(m);
            if number.is_none() && self.cx.is_clean() {
                self.refuse_about(&m.method, &error::ARRAY_METHOD, &m.method);
            }
            return number.unwrap_or(whole);
        }
        if self.is_chain_of_arrays(&m.receiver) {
            return self.chain_end(m);
        }
        // of the last closure before `collect`
        let gives = self.gives.take();
        let name = m.method.to_string();
        if ONLY_ARRAYS.contains(&name.as_str())
            && self.is_named
            && self.type_of(&m.receiver).is_none()
            && matches!(strip(&m.receiver), syn::Expr::Path(_) | syn::Expr::Call(_))
        {
            self.refuse_about(&m.receiver, &error::ARRAY_UNKNOWN, name);
            return whole;
        }
        if self.method_of(m).is_some() {
            return self.called(m);
        }
        if let Some(of) = self.holder(&m.receiver) {
            return self.method_of_holder(m, &of);
        }
        let mut new = m.clone();
        let of = self.type_of_items(&m.receiver);
        let owner = self.owner_of(&m.receiver);
        if name == "collect" {
            self.gives = gives.clone();
        }
        *new.receiver = self.expr(&m.receiver);
        self.gives = gives.filter(|_| name == "map");
        for (old, new) in m.args.iter().zip(new.args.iter_mut()) {
            *new = match strip(old) {
                old if name == "push" => self.value_of_type(old, of.as_ref().map(behind_pointers)),
                _ if matches!(name.as_str(), "zip" | "chain") => self.iterated(old),
                syn::Expr::Closure(c) => self.closure_over(c, of.as_ref(), owner),
                _ => self.bounded(old),
            };
        }
        syn::Expr::MethodCall(new)
    }

    /// A call of a method that is differentiated: arrays among the arguments become slices and lengths.
    pub(super) fn called(&mut self, m: &syn::ExprMethodCall) -> syn::Expr {
        let mut new = m.clone();
        *new.receiver = self.expr(&m.receiver);
        new.args = syn::punctuated::Punctuated::new();
        for arg in &m.args {
            if self.rank_of(arg).is_some() {
                let parts = self.argument(arg);
                new.args.extend(parts);
            } else {
                new.args.push(self.bounded(arg));
            }
        }
        syn::Expr::MethodCall(new)
    }

    /// `a.mean()` with what becomes of the `Option`, or alone.
    fn mean(&mut self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let inner = match strip(&m.receiver) {
            syn::Expr::MethodCall(inner)
                if matches!(m.method.to_string().as_str(), "unwrap" | "expect") =>
            {
                inner
            }
            _ => m,
        };
        if inner.method != "mean" || !inner.args.is_empty() {
            return None;
        }
        self.rank_of(&inner.receiver)?;
        let array = self.array(&inner.receiver)?;
        let (n, float) = (self.bind("n", &array.len()), self.float_type());
        let sum = self.sum(&array);
        if std::ptr::eq(inner, m) {
            return Some(parse_quote!(
                if #n == 0 { None } else { Some(#sum / #n as #float) }
            ));
        }
        self.claim(parse_quote!(#n > 0), "the mean of nothing");
        Some(parse_quote!((#sum / #n as #float)))
    }

    /// A number, or what else is no array.
    fn number(&mut self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let name = m.method.to_string();
        let arg = m.args.first();
        match (name.as_str(), arg) {
            ("dot", Some(other)) => {
                let a = self.array(&m.receiver)?;
                let b = self.array(other)?;
                return Some(self.inner_product(&a, &b));
            }
            ("sum", None) => {
                let a = self.array_of_any_rank(&m.receiver)?;
                return Some(self.sum(&a));
            }
            ("into_scalar", None) => {
                let a = self.array_of_any_rank(&m.receiver)?;
                if a.rank() != 0 {
                    self.cx.mismatch();
                    return None;
                }
                let element = a.element(&[]);
                return Some(parse_quote!((&#element)));
            }
            ("iter" | "iter_mut" | "into_iter", None) => {
                return Some(self.iterated(&syn::Expr::MethodCall(m.clone())));
            }
            ("indexed_iter" | "indexed_iter_mut", None) => return self.indexed(m),
            ("fold", Some(init)) => {
                let a = self.array(&m.receiver)?;
                let items = self.items(&a, &m.receiver);
                let init = self.bounded(init);
                let step = self.bounded(m.args.get(1)?);
                return Some(parse_quote!(#items.fold(#init, #step)));
            }
            _ => {}
        }
        let array = self.array(&m.receiver)?;
        let dims = &array.dims;
        Some(match (name.as_str(), arg) {
            ("len", None) => {
                let n = array.len();
                match dims.as_slice() {
                    [_] => n,
                    _ => parse_quote!((#n)),
                }
            }
            ("nrows", None) => dims.first()?.clone(),
            ("ncols", None) => dims.get(1)?.clone(),
            ("dim", None) => match dims.as_slice() {
                [n] => n.clone(),
                _ => parse_quote!((#(#dims),*)),
            },
            ("shape", None) => parse_quote!([#(#dims),*]),
            ("len_of", Some(axis)) => {
                let axis = self.axis(axis)?;
                let Some(n) = dims.get(axis) else {
                    self.refuse(&m.method, &error::ARRAY_AXIS);
                    return None;
                };
                n.clone()
            }
            ("is_empty", None) => {
                let n = array.len();
                parse_quote!((#n == 0))
            }
            ("to_vec", None) => self.copied(&array).base,
            ("into_raw_vec_and_offset", None) => {
                self.refuse_about(&m.method, &error::ARRAY_METHOD, name);
                return None;
            }
            _ => {
                self.refuse_about(&m.method, &error::ARRAY_METHOD, name);
                return None;
            }
        })
    }

    /// A statement about whole arrays: it is written out, and has no value.
    pub(super) fn effect(&mut self, e: &syn::Expr) -> bool {
        // an attribute would be lost: what stands there is refused as an expression
        let attributes = match e {
            syn::Expr::Assign(e) => &e.attrs,
            syn::Expr::Binary(e) => &e.attrs,
            syn::Expr::MethodCall(e) => &e.attrs,
            _ => &Vec::new(),
        };
        if !attributes.is_empty() {
            return false;
        }
        match strip(e) {
            syn::Expr::Assign(a) if self.rank_of(&a.left).is_some() => {
                let done = self.replace(&a.left, &a.right);
                self.done(e, done)
            }
            syn::Expr::Binary(b)
                if crate::walk::is_assignment(&b.op) && self.rank_of(&b.left).is_some() =>
            {
                let done = self.update(b);
                self.done(e, done)
            }
            syn::Expr::MethodCall(m) if self.is_zip(m) => {
                let done = self.zip(m);
                self.done(e, done)
            }
            syn::Expr::MethodCall(m) => {
                let known = matches!(
                    m.method.to_string().as_str(),
                    "fill"
                        | "assign"
                        | "scaled_add"
                        | "zip_mut_with"
                        | "mapv_inplace"
                        | "map_inplace"
                );
                if !known || self.rank_of(&m.receiver).is_none() {
                    return false;
                }
                let done = self.change(m);
                self.done(e, done)
            }
            _ => false,
        }
    }

    /// A statement is written out, or an error is noted.
    fn done(&self, e: &syn::Expr, done: Option<()>) -> bool {
        if done.is_none() && self.cx.is_clean() {
            self.refuse(e, &error::ARRAY_PLACE);
        }
        true
    }

    /// `w = value;`
    fn replace(&mut self, place: &syn::Expr, value: &syn::Expr) -> Option<()> {
        if let Some(kind) = self.stored_kind(place)
            && self.owner_of(place) != Owner::Caller
        {
            let value = self.stored_value(value, &kind)?;
            let to = self.steady_place(place)?;
            let is_behind = matches!(strip(place), syn::Expr::Unary(_));
            self.before.push(match is_behind {
                true => parse_quote!(*#to = #value;),
                false => parse_quote!(#to = #value;),
            });
            return Some(());
        }
        let target = self.array(place)?;
        let behind = !matches!(strip(place), syn::Expr::Path(_));
        if behind || !target.owned {
            if !behind {
                self.refuse(place, &error::ARRAY_REBOUND);
                return None;
            }
            // behind `&mut` the shape stays
            let value = self.array(value)?;
            return self.put(&target, &value);
        }
        let element = self.float_type();
        let rank = target.rank();
        let value = self.value_as(value, rank)?;
        let base = &target.base;
        if rank == 1 {
            self.before.push(parse_quote!(#base = #value;));
            return Some(());
        }
        let new = self.unpack(&value, rank, &element);
        let from = &new.base;
        for (n, with) in target.dims.iter().zip(&new.dims) {
            self.before.push(parse_quote!(#n = #with;));
        }
        self.before.push(parse_quote!(#base = #from;));
        Some(())
    }

    /// The same elements, of one shape.
    fn put(&mut self, target: &Array, value: &Array) -> Option<()> {
        if target.rank() != value.rank() {
            self.cx.mismatch();
            return None;
        }
        for (n, with) in target.dims.iter().zip(&value.dims) {
            let (n, with) = (n.clone(), with.clone());
            self.claim(
                parse_quote!(#n == #with),
                "an array behind `&mut` keeps its shape",
            );
        }
        self.copy(target, value);
        Some(())
    }

    /// `a.assign(&value)`
    fn assign(&mut self, target: &Array, value: &syn::Expr) -> Option<()> {
        let mut terms = Terms::default();
        if self.rank_of(value).is_none() {
            self.refuse(value, &error::ARRAY_UNKNOWN);
            return None;
        }
        let term = self.term_for(target, value, &mut terms)?;
        self.store_terms(target, &terms, value, |to| parse_quote!(#to = #term;))
    }

    /// `a += value;`
    fn update(&mut self, b: &syn::ExprBinary) -> Option<()> {
        let target = self.array(&b.left)?;
        let mut terms = Terms::default();
        let value = self.term_for(&target, &b.right, &mut terms)?;
        let op = &b.op;
        if operator_of(op).and_then(|o| operator(&o)).is_none() {
            self.refuse(b, &error::ARRAY_PLACE);
            return None;
        }
        self.store_terms(
            &target,
            &terms,
            &b.right,
            |to| parse_quote!(#to #op #value;),
        )
    }

    fn change(&mut self, m: &syn::ExprMethodCall) -> Option<()> {
        let target = self.array(&m.receiver)?;
        let name = m.method.to_string();
        let arg = m.args.first();
        let none = Terms::default();
        match (name.as_str(), arg) {
            ("fill", Some(value)) => {
                let value = self.bounded(value);
                let value = self.atom("c", value);
                self.store_terms(&target, &none, m, |to| parse_quote!(#to = #value;))
            }
            ("assign", Some(value)) => self.assign(&target, value),
            ("scaled_add", Some(scale)) => {
                let scale = self.bounded(scale);
                let scale = self.bind("c", &scale);
                let mut terms = none;
                let value = self.term_for(&target, m.args.get(1)?, &mut terms)?;
                // the order of the factors is that of ndarray
                self.store_terms(
                    &target,
                    &terms,
                    m,
                    |to| parse_quote!(#to = #to + #scale * #value;),
                )
            }
            ("mapv_inplace", Some(function)) => {
                let (name, float) = (self.name("e"), self.float_type());
                let element: syn::Expr = parse_quote!(#name);
                let function = self.function(function, 1)?;
                self.store_terms(&target, &none, m, |to| {
                    let value = function(std::slice::from_ref(&element));
                    parse_quote!({ let #name: #float = #to; #to = #value; })
                })
            }
            ("map_inplace", Some(function)) => {
                let function = self.function(function, 1)?;
                self.store_terms(&target, &none, m, |to| {
                    let value = function(&[parse_quote!(&mut #to)]);
                    parse_quote!({ #value; })
                })
            }
            ("zip_mut_with", Some(other)) => {
                let array = self.array(other)?;
                let other = self.fitted(&array, &target.dims, other)?;
                let function = self.function(m.args.get(1)?, 2)?;
                let arrays = [(Fitted::from(&target), true), (other, false)];
                self.nest(&arrays, &target.dims, |_, e| {
                    let (a, b) = (&e[0], &e[1]);
                    let value = function(&[parse_quote!(&mut #a), parse_quote!(&#b)]);
                    vec![parse_quote!({ #value; })]
                });
                Some(())
            }
            _ => None,
        }
    }

    /// A closure or a function of some arguments, to be written out with them.
    pub(super) fn function(
        &mut self,
        e: &syn::Expr,
        arity: usize,
    ) -> Option<impl Fn(&[syn::Expr]) -> syn::Expr + use<>> {
        let (pats, body) = match strip(e) {
            syn::Expr::Closure(c) if c.inputs.len() == arity => {
                let body = self.scoped(|f| {
                    for pat in &c.inputs {
                        f.hide(pat);
                    }
                    f.inlined(&c.body)
                });
                let pats: Vec<syn::Pat> = c.inputs.iter().cloned().collect();
                (Some(pats), body)
            }
            path @ syn::Expr::Path(_) => (None, path.clone()),
            other => {
                self.refuse(other, &error::ARRAY_CLOSURE);
                return None;
            }
        };
        Some(move |args: &[syn::Expr]| match &pats {
            Some(pats) => parse_quote!({ #(let #pats = #args;)* #body }),
            None => parse_quote!(#body(#(#args),*)),
        })
    }

    /// Whether it is `Zip::from(..)...for_each(..)`.
    fn is_zip(&self, m: &syn::ExprMethodCall) -> bool {
        matches!(m.method.to_string().as_str(), "for_each" | "apply") && zip_source(&m.receiver)
    }

    fn zip(&mut self, m: &syn::ExprMethodCall) -> Option<()> {
        let (arrays, dims) = self.zipped(&m.receiver)?;
        let function = self.function(m.args.first()?, arrays.len())?;
        let mutable: Vec<bool> = arrays.iter().map(|a| a.1).collect();
        self.nest(&arrays, &dims, |_, e| {
            let value = function(&references(e, &mutable));
            vec![parse_quote!({ #value; })]
        });
        Some(())
    }

    /// The arrays of `Zip::from(a).and(b)`, and their shape.
    #[allow(clippy::type_complexity)]
    fn zipped(&mut self, e: &syn::Expr) -> Option<(Vec<(Fitted, bool)>, Vec<syn::Expr>)> {
        match strip(e) {
            syn::Expr::Call(c) => {
                let (array, mutable) = self.producer(c.args.first()?)?;
                let dims = array.dims.clone();
                Some((vec![(Fitted::from(&array), mutable)], dims))
            }
            syn::Expr::MethodCall(m) if m.method == "and" || m.method == "and_broadcast" => {
                let (mut arrays, dims) = self.zipped(&m.receiver)?;
                let (array, mutable) = self.producer(m.args.first()?)?;
                if array.rank() != dims.len() && m.method == "and" {
                    self.cx.mismatch();
                    return None;
                }
                let fitted = if m.method == "and" {
                    self.fitted_exactly(&array, &dims)
                } else {
                    self.fitted(&array, &dims, m)?
                };
                arrays.push((fitted, mutable));
                Some((arrays, dims))
            }
            syn::Expr::MethodCall(m) => {
                self.refuse_about(&m.method, &error::ARRAY_METHOD, &m.method);
                None
            }
            _ => None,
        }
    }

    fn producer(&mut self, e: &syn::Expr) -> Option<(Array, bool)> {
        if self.rank_of(e).is_none() {
            self.refuse(e, &error::ARRAY_UNKNOWN);
            return None;
        }
        let array = self.array(e)?;
        let mutable = match strip(e) {
            syn::Expr::Reference(r) => r.mutability.is_some(),
            _ => array.exclusive,
        };
        Some((array, mutable))
    }
}

/// The references that a closure of `Zip` gets.
fn references(elements: &[syn::Expr], mutable: &[bool]) -> Vec<syn::Expr> {
    let pairs = elements.iter().zip(mutable);
    pairs
        .map(|(e, mutable)| {
            if *mutable {
                parse_quote!(&mut #e)
            } else {
                parse_quote!(&#e)
            }
        })
        .collect()
}

/// Whether a chain starts with `Zip::from`.
fn zip_source(e: &syn::Expr) -> bool {
    match bare(e) {
        syn::Expr::MethodCall(m) => zip_source(&m.receiver),
        syn::Expr::Call(c) => match strip(&c.func) {
            syn::Expr::Path(p) => {
                let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
                let last = names.next();
                last.is_some_and(|n| n == "from") && names.next().is_some_and(|n| n == "Zip")
            }
            _ => false,
        },
        _ => false,
    }
}

/// The operator of `op=`.
fn operator_of(op: &syn::BinOp) -> Option<syn::BinOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => syn::BinOp::Add(Default::default()),
        syn::BinOp::SubAssign(_) => syn::BinOp::Sub(Default::default()),
        syn::BinOp::MulAssign(_) => syn::BinOp::Mul(Default::default()),
        syn::BinOp::DivAssign(_) => syn::BinOp::Div(Default::default()),
        syn::BinOp::RemAssign(_) => syn::BinOp::Rem(Default::default()),
        _ => return None,
    })
}
