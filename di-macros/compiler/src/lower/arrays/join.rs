//! Arrays put side by side, folded and mapped along an axis, in another shape.

use super::Flat;
use super::array::{Array, Step, strip};
use super::fit::Fitted;
use crate::error;
use crate::template::parse_quote;
use crate::walk::untyped;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

/// How several arrays become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// Along an axis that they have.
    Concatenate,
    /// Along a new one.
    Stack,
}

/// Arrays that become one, and the axis, as they are written.
pub(super) struct Joined {
    join: Join,
    axis: syn::Expr,
    parts: Vec<syn::Expr>,
}

impl Join {
    fn of(path: &syn::Path) -> Option<Join> {
        match path.segments.last()?.ident.to_string().as_str() {
            "concatenate" => Some(Join::Concatenate),
            "stack" => Some(Join::Stack),
            _ => None,
        }
    }
}

impl Joined {
    /// `concatenate![Axis(0), a, b]`
    pub(super) fn of_macro(mac: &syn::Macro) -> Option<Joined> {
        let join = Join::of(&mac.path)?;
        let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let mut args = parser.parse2(mac.tokens.clone()).ok()?.into_iter();
        let axis = args.next()?;
        let parts = args.collect();
        Some(Joined { join, axis, parts })
    }

    /// `concatenate(Axis(0), &[a.view(), b.view()])`
    pub(super) fn of_call(call: &syn::ExprCall) -> Option<Joined> {
        let syn::Expr::Path(path) = strip(&call.func) else {
            return None;
        };
        let join = Join::of(&path.path)?;
        let mut args = call.args.iter();
        let (axis, list) = (args.next()?, args.next()?);
        let list = match strip(list) {
            syn::Expr::Reference(r) => strip(&r.expr),
            other => other,
        };
        let (syn::Expr::Array(list), None) = (list, args.next()) else {
            return None;
        };
        Some(Joined {
            join,
            axis: axis.clone(),
            parts: list.elems.iter().cloned().collect(),
        })
    }
}

/// `array![[a, b], [c, d]]`: its lengths and its elements. `None` of integers, and of other macros.
pub(super) fn listed(mac: &syn::Macro) -> Option<(Vec<usize>, Vec<syn::Expr>)> {
    if mac.path.segments.last()?.ident != "array" {
        return None;
    }
    let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    let rows: Vec<syn::Expr> = parser
        .parse2(mac.tokens.clone())
        .ok()?
        .into_iter()
        .collect();
    let row = |e: &syn::Expr| match e {
        syn::Expr::Array(row) => Some(row.elems.iter().cloned().collect()),
        _ => None,
    };
    let found: Option<Vec<Vec<syn::Expr>>> = rows.iter().map(row).collect();
    let (dims, elements) = match found {
        Some(rows) if !rows.is_empty() => {
            let n = rows[0].len();
            if rows.iter().any(|row| row.len() != n) {
                return None;
            }
            (vec![rows.len(), n], rows.into_iter().flatten().collect())
        }
        _ => (vec![rows.len()], rows),
    };
    let is_integer =
        |e: &syn::Expr| matches!(strip(e), syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Int(_)));
    let is_deeper = |e: &syn::Expr| matches!(e, syn::Expr::Array(_));
    let is_other = elements.iter().any(|e| is_integer(e) || is_deeper(e));
    (!is_other).then_some((dims, elements))
}

impl Flat<'_> {
    /// A new array of elements that are written out.
    pub(super) fn listed(&mut self, dims: &[usize], elements: &[syn::Expr]) -> Array {
        let values: Vec<syn::Expr> = elements.iter().map(|e| self.bounded(e)).collect();
        let (base, float) = (self.name("a"), self.float_type());
        self.before
            .push(parse_quote!(let mut #base: Vec<#float> = vec![#(#values),*];));
        let length = |n: &usize| {
            let n = proc_macro2::Literal::usize_unsuffixed(*n);
            parse_quote!(#n)
        };
        let dims = dims.iter().map(length).collect();
        Array::whole(parse_quote!(#base), dims, true)
    }

    /// Rank of what arrays become together.
    pub(super) fn rank_of_joined(&mut self, joined: &Joined) -> Option<usize> {
        let rank = self.rank_of(joined.parts.first()?)?;
        Some(match joined.join {
            Join::Concatenate => rank,
            Join::Stack => rank + 1,
        })
    }

    /// A new array of several; `at` is what the user has written.
    pub(super) fn joined(&mut self, joined: &Joined, at: &syn::Expr) -> Option<Array> {
        let axis = self.axis(&joined.axis)?;
        let mut parts = Vec::new();
        for e in &joined.parts {
            if self.rank_of(e).is_none() {
                self.refuse(e, &error::ARRAY_UNKNOWN);
                return None;
            }
            parts.push(self.array(e)?.borrowed());
        }
        let rank = parts.first()?.rank();
        if parts.iter().any(|a| a.rank() != rank) {
            self.cx.mismatch();
            return None;
        }
        match (joined.join, rank) {
            (Join::Concatenate, rank) if axis < rank => Some(self.concatenated(&parts, axis)),
            (Join::Stack, 1) if axis < 2 => Some(self.stacked(&parts, axis)),
            _ => {
                self.refuse(at, &error::ARRAY_AXIS);
                None
            }
        }
    }

    fn concatenated(&mut self, parts: &[Array], axis: usize) -> Array {
        // where each begins along the axis, and the length of all
        let mut ends: Vec<syn::Expr> = vec![parse_quote!(0)];
        for part in parts {
            let (end, n) = (&ends[ends.len() - 1], &part.dims[axis]);
            let end = self.bind("n", &parse_quote!(#end + #n));
            ends.push(end);
        }
        let mut dims = parts[0].dims.clone();
        dims[axis] = ends[parts.len()].clone();
        let dims: Vec<syn::Expr> = dims.iter().map(|n| self.bind("n", n)).collect();
        if dims.len() == 2 {
            let n = &dims[1 - axis];
            for part in &parts[1..] {
                let m = &part.dims[1 - axis];
                self.claim(
                    parse_quote!(#m == #n),
                    "arrays that are put side by side differ in length",
                );
            }
        }
        let new = self.filled(dims.clone(), &parse_quote!(0.0));
        for (part, begin) in parts.iter().zip(&ends) {
            let mut to = new.borrowed();
            to.whole = false;
            to.dims[axis] = part.dims[axis].clone();
            to.offset = Some(match (dims.as_slice(), axis) {
                ([_, n], 0) => self.bind("at", &parse_quote!(#begin * #n)),
                _ => begin.clone(),
            });
            self.copy(&to, part);
        }
        new
    }

    fn stacked(&mut self, parts: &[Array], axis: usize) -> Array {
        let n = self.bind("n", &parts[0].dims[0].clone());
        for part in &parts[1..] {
            let m = &part.dims[0];
            self.claim(
                parse_quote!(#m == #n),
                "arrays that are put side by side differ in length",
            );
        }
        let count = parts.len();
        let m: syn::Expr = parse_quote!(#count);
        let dims = match axis {
            0 => vec![m.clone(), n.clone()],
            _ => vec![n.clone(), m.clone()],
        };
        let new = self.filled(dims, &parse_quote!(0.0));
        for (k, part) in parts.iter().enumerate() {
            let (offset, step) = match axis {
                0 => (self.bind("at", &parse_quote!(#k * #n)), Step::One),
                _ => (parse_quote!(#k), Step::by(m.clone())),
            };
            let to = Array {
                offset: Some(offset),
                dims: vec![n.clone()],
                steps: vec![step],
                whole: false,
                ..new.borrowed()
            };
            self.copy(&to, part);
        }
        new
    }

    /// The matrix of a method, and one of its axes.
    fn matrix_along(
        &mut self,
        m: &syn::ExprMethodCall,
        axis: &syn::Expr,
    ) -> Option<(Array, usize)> {
        let axis = self.axis(axis)?;
        let array = self.array(&m.receiver)?;
        if array.rank() != 2 || axis > 1 {
            self.refuse(&m.method, &error::ARRAY_AXIS);
            return None;
        }
        Some((array, axis))
    }

    /// `a.fold_axis(Axis(k), init, |s, v| ..)`: one step of all folds after the other, as ndarray does it.
    pub(super) fn fold_axis(
        &mut self,
        m: &syn::ExprMethodCall,
        axis: &syn::Expr,
        init: &syn::Expr,
        step: &syn::Expr,
    ) -> Option<Array> {
        let (array, axis) = self.matrix_along(m, axis)?;
        let mut from = match axis {
            0 => array.borrowed(),
            _ => Self::transposed(&array.borrowed()),
        };
        let init = self.bounded(init);
        let init = self.atom("c", init);
        let step = self.function(step, 2)?;
        let n = self.bind("n", &from.dims[1].clone());
        let new = self.filled(vec![n.clone()], &init);
        let mut target = new.borrowed();
        target.whole = false;
        target.dims.insert(0, from.dims[0].clone());
        target.steps.insert(0, Step::Zero);
        from.dims[1] = n;
        let arrays = [(Fitted::from(&target), true), (Fitted::from(&from), false)];
        self.nest(&arrays, &target.dims, |_, e| {
            let (to, from) = (&e[0], &e[1]);
            let value = step(&[parse_quote!(&#to), parse_quote!(&#from)]);
            vec![parse_quote!(#to = #value;)]
        });
        Some(new)
    }

    /// `a.map_axis(Axis(k), |lane| ..)`: one number for each row or column.
    pub(super) fn map_axis(
        &mut self,
        m: &syn::ExprMethodCall,
        axis: &syn::Expr,
        function: &syn::Expr,
    ) -> Option<Array> {
        let (array, axis) = self.matrix_along(m, axis)?;
        let closure = match strip(function) {
            syn::Expr::Closure(c) => c,
            other => {
                self.refuse(other, &error::ARRAY_CLOSURE);
                return None;
            }
        };
        let lane = match closure.inputs.first().map(untyped) {
            Some(syn::Pat::Ident(name)) => &name.ident,
            _ => {
                self.refuse(function, &error::ARRAY_PATTERN);
                return None;
            }
        };
        let n = self.bind("n", &array.dims[1 - axis].clone());
        let new = self.filled(vec![n.clone()], &parse_quote!(0.0));
        let (to, i) = (new.base.clone(), self.name("i"));
        let outer = std::mem::take(&mut self.before);
        let value = self.scoped(|f| {
            let line = f.without(&array, 1 - axis, &parse_quote!(#i));
            f.declare(lane, Some(line));
            f.inlined(&closure.body)
        });
        let stmts = std::mem::replace(&mut self.before, outer);
        self.before
            .push(parse_quote!(for #i in 0..#n { #(#stmts)* #to[#i] = #value; }));
        Some(new)
    }

    /// The elements in another shape: of `to_shape` and `into_shape_clone` a copy, of `into_shape_with_order`
    /// the array itself.
    pub(super) fn reshaped(
        &mut self,
        m: &syn::ExprMethodCall,
        shape: &syn::Expr,
        rank: usize,
    ) -> Option<Array> {
        let array = self.array(&m.receiver)?;
        let itself = m.method == "into_shape_with_order";
        let array = if itself {
            self.taken(&m.receiver, array)
        } else if array.owned && !matches!(strip(&m.receiver), syn::Expr::Path(_)) {
            array
        } else {
            self.copied(&array)
        };
        let dims = self.shape(self.row_major(shape)?, rank)?;
        if !array.is_contiguous() {
            self.refuse(m, &error::ARRAY_STRIDED);
            return None;
        }
        let mut new = Array::whole(array.base.clone(), dims, array.owned);
        let (n, old) = (new.len(), array.len());
        self.claim(parse_quote!(#n == #old), "the shapes differ in size");
        new.offset = array.offset.clone();
        new.whole = array.whole;
        new.exclusive = array.exclusive;
        Some(new)
    }

    /// The shape in `(shape, Order::RowMajor)`; other orders are refused.
    fn row_major<'e>(&self, e: &'e syn::Expr) -> Option<&'e syn::Expr> {
        match ordered(e) {
            Some((shape, order)) if order == "RowMajor" || order == "C" => Some(shape),
            Some(_) => {
                self.refuse(e, &error::ARRAY_SHAPE);
                None
            }
            None => Some(e),
        }
    }

    /// Rank of a shape as it is written.
    pub(super) fn shape_rank(&mut self, e: &syn::Expr) -> usize {
        let e = ordered(e).map_or(e, |(shape, _)| shape);
        match strip(e) {
            syn::Expr::Tuple(t) => t.elems.len(),
            syn::Expr::Array(a) => a.elems.len(),
            syn::Expr::MethodCall(m) if m.method == "dim" || m.method == "raw_dim" => {
                self.rank_of(&m.receiver).unwrap_or(2)
            }
            _ => 1,
        }
    }
}

/// `(shape, Order::C)`: the shape and the order.
fn ordered(e: &syn::Expr) -> Option<(&syn::Expr, String)> {
    let syn::Expr::Tuple(t) = strip(e) else {
        return None;
    };
    let (shape, order) = (t.elems.first()?, t.elems.get(1)?);
    let syn::Expr::Path(p) = strip(order) else {
        return None;
    };
    let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
    let (name, owner) = (names.next()?, names.next()?);
    (owner == "Order" && t.elems.len() == 2).then_some((shape, name))
}
