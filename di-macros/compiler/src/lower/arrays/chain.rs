//! Iterators over elements, rows and columns: a chain of rows is a chain of their numbers.

use super::array::{Array, strip};
use super::{Flat, Owner};
use crate::error;
use crate::template::parse_quote;

/// What the items of a chain are.
enum Items {
    /// Rows or columns of an array: their numbers in the chain that is written out.
    Lines(Box<Array>, usize),
    Pair(Box<Items>, Box<Items>),
    /// With the number in front.
    Numbered(Box<Items>),
    /// Others, of a type that may be known, and whose they are.
    Plain(Option<Box<syn::Type>>, Owner),
}

/// The axis that a method goes along.
fn line_axis(name: &str) -> Option<usize> {
    match name {
        "outer_iter" | "outer_iter_mut" | "rows" | "rows_mut" => Some(0),
        "columns" | "columns_mut" => Some(1),
        _ => None,
    }
}

impl Flat<'_> {
    /// Whether rows or columns of arrays are among the items of a chain.
    pub(super) fn is_chain_of_arrays(&mut self, e: &syn::Expr) -> bool {
        let syn::Expr::MethodCall(m) = strip(e) else {
            return false;
        };
        let name = m.method.to_string();
        match name.as_str() {
            "axis_iter" | "axis_iter_mut" => self.rank_of(&m.receiver).is_some(),
            _ if line_axis(&name).is_some() => self.rank_of(&m.receiver).is_some(),
            "zip" => {
                self.is_chain_of_arrays(&m.receiver)
                    || m.args.first().is_some_and(|a| self.is_chain_of_arrays(a))
            }
            "enumerate" | "rev" | "skip" | "take" | "step_by" | "into_iter" => {
                self.is_chain_of_arrays(&m.receiver)
            }
            _ => false,
        }
    }

    /// A chain, and what its items are.
    fn chain(&mut self, e: &syn::Expr) -> Option<(syn::Expr, Items)> {
        if !self.is_chain_of_arrays(e) {
            let of = self.type_of_items(e).map(Box::new);
            let owner = self.owner_of(e);
            return Some((self.iterated(e), Items::Plain(of, owner)));
        }
        let syn::Expr::MethodCall(m) = strip(e) else {
            return None;
        };
        let name = m.method.to_string();
        let arg = m.args.first();
        match (name.as_str(), arg) {
            ("zip", Some(other)) => {
                let (left, a) = self.chain(&m.receiver)?;
                let (right, b) = self.chain(other)?;
                let left = super::view::paren(&left);
                Some((
                    parse_quote!(#left.zip(#right)),
                    Items::Pair(Box::new(a), Box::new(b)),
                ))
            }
            ("enumerate", None) => {
                let (chain, items) = self.chain(&m.receiver)?;
                let chain = super::view::paren(&chain);
                Some((
                    parse_quote!(#chain.enumerate()),
                    Items::Numbered(Box::new(items)),
                ))
            }
            ("into_iter", None) => self.chain(&m.receiver),
            ("rev", None) => {
                let (chain, items) = self.chain(&m.receiver)?;
                let chain = super::view::paren(&chain);
                Some((parse_quote!(#chain.rev()), items))
            }
            ("skip" | "take" | "step_by", Some(count)) => {
                let (chain, items) = self.chain(&m.receiver)?;
                let (chain, count) = (super::view::paren(&chain), self.bounded(count));
                let method = &m.method;
                Some((parse_quote!(#chain.#method(#count)), items))
            }
            (name, arg) => {
                let axis = match (line_axis(name), arg) {
                    (Some(axis), _) => axis,
                    (None, Some(axis)) => self.axis(axis)?,
                    (None, None) => return None,
                };
                let array = self.array(&m.receiver)?;
                if array.rank() != 2 || axis > 1 {
                    self.refuse(e, &error::ARRAY_AXIS);
                    return None;
                }
                let n = array.dims[axis].clone();
                let mut lines = array.borrowed();
                lines.exclusive = name.ends_with("_mut");
                Some((parse_quote!(0..#n), Items::Lines(Box::new(lines), axis)))
            }
        }
    }

    /// The pattern of an item, with numbers in the place of rows; the rows are known from now on.
    fn item(&mut self, pat: &syn::Pat, items: &Items) -> syn::Pat {
        match (pat, items) {
            (syn::Pat::Wild(_), _) => pat.clone(),
            (syn::Pat::Type(t), items) => self.item(&t.pat, items),
            (syn::Pat::Ident(name), Items::Lines(array, axis)) => {
                let index = self.name("k");
                let mut line = self.without(array, *axis, &parse_quote!(#index));
                line.exclusive = array.exclusive;
                self.declare(&name.ident, Some(line));
                parse_quote!(#index)
            }
            (syn::Pat::Tuple(t), Items::Pair(a, b)) if t.elems.len() == 2 => {
                let (left, right) = (self.item(&t.elems[0], a), self.item(&t.elems[1], b));
                parse_quote!((#left, #right))
            }
            (syn::Pat::Tuple(t), Items::Numbered(a)) if t.elems.len() == 2 => {
                self.hide(&t.elems[0]);
                let (left, right) = (&t.elems[0], self.item(&t.elems[1], a));
                parse_quote!((#left, #right))
            }
            (pat, Items::Plain(of, owner)) => {
                self.hide_as(pat, of.as_deref());
                self.belongs(pat, *owner);
                pat.clone()
            }
            (pat, _) => {
                self.refuse(pat, &error::ARRAY_PATTERN);
                self.hide(pat);
                pat.clone()
            }
        }
    }

    /// What is found where a closure's parameter is bound to an item of a chain.
    pub(super) fn with_item<T>(
        &mut self,
        chain: &syn::Expr,
        c: &syn::ExprClosure,
        find: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let outer = std::mem::take(&mut self.before);
        let items = self.chain(chain).map(|found| found.1);
        let found = items.zip(c.inputs.last()).and_then(|(items, pat)| {
            self.scoped(|f| {
                f.item(pat, &items);
                find(f)
            })
        });
        self.before = outer;
        found
    }

    pub(super) fn for_loop(&mut self, l: &syn::ExprForLoop) -> syn::Expr {
        let mut new = l.clone();
        let Some((chain, items)) = self.chain(&l.expr) else {
            return syn::Expr::ForLoop(new);
        };
        *new.expr = chain;
        self.scoped(|f| {
            let outer = std::mem::take(&mut f.before);
            *new.pat = f.item(&l.pat, &items);
            let mut stmts = std::mem::replace(&mut f.before, outer);
            new.body = f.block(&l.body);
            stmts.append(&mut new.body.stmts);
            new.body.stmts = stmts;
        });
        syn::Expr::ForLoop(new)
    }

    /// `.map(|row| ..)` and what else ends a chain of rows.
    pub(super) fn chain_end(&mut self, m: &syn::ExprMethodCall) -> syn::Expr {
        let gives = self.gives.take().filter(|_| m.method == "map");
        let whole = syn::Expr::MethodCall(m.clone());
        let name = m.method.to_string();
        let at = match (name.as_str(), m.args.len()) {
            ("map" | "for_each" | "any" | "all" | "flat_map", 1) => 0,
            ("fold", 2) => 1,
            _ => {
                self.refuse_about(&m.method, &error::ARRAY_METHOD, name);
                return whole;
            }
        };
        let syn::Expr::Closure(c) = strip(&m.args[at]) else {
            self.refuse(&m.args[at], &error::ARRAY_CLOSURE);
            return whole;
        };
        let Some((chain, items)) = self.chain(&m.receiver) else {
            return whole;
        };
        let mut new = m.clone();
        *new.receiver = super::view::paren(&chain);
        if at == 1 {
            new.args[0] = self.bounded(&m.args[0]);
        }
        let Some(pat) = c.inputs.last() else {
            self.cx.mismatch();
            return whole;
        };
        let closure = self.scoped(|f| {
            let mut closure = c.clone();
            for pat in c.inputs.iter().take(c.inputs.len() - 1) {
                f.hide(pat);
            }
            let outer = std::mem::take(&mut f.before);
            let pat = f.item(pat, &items);
            if let Some(last) = closure.inputs.last_mut() {
                *last = pat;
            }
            let body = f.value_of_type(&c.body, gives.as_ref());
            let before = std::mem::replace(&mut f.before, outer);
            *closure.body = if before.is_empty() {
                body
            } else {
                super::stmt::block_of(before, body)
            };
            syn::Expr::Closure(closure)
        });
        new.args[at] = closure;
        syn::Expr::MethodCall(new)
    }

    /// An iterator over numbers.
    pub(super) fn iterated(&mut self, e: &syn::Expr) -> syn::Expr {
        if self.rank_of(e).is_some() {
            let mutable = matches!(strip(e), syn::Expr::Reference(r) if r.mutability.is_some());
            let by_value = !matches!(strip(e), syn::Expr::Reference(_));
            return match self.array(e) {
                Some(a) => self.items_by(&a, mutable, by_value && a.owned, e),
                None => e.clone(),
            };
        }
        if let syn::Expr::MethodCall(m) = strip(e)
            && matches!(
                m.method.to_string().as_str(),
                "iter" | "iter_mut" | "into_iter"
            )
            && self.rank_of(&m.receiver).is_some()
        {
            let mutable = m.method == "iter_mut";
            return match self.array(&m.receiver) {
                Some(a) => {
                    let by_value = m.method == "into_iter" && a.owned;
                    self.items_by(&a, mutable, by_value, e)
                }
                None => e.clone(),
            };
        }
        self.expr(e)
    }

    /// `a.indexed_iter()`: the elements behind their indices.
    pub(super) fn indexed(&mut self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let a = self.array(&m.receiver)?;
        let mutable = m.method == "indexed_iter_mut";
        let items = self.items_by(&a, mutable, false, &m.receiver);
        Some(match a.dims.as_slice() {
            [_, n] => {
                let (k, of) = (self.name("k"), self.name("of"));
                parse_quote!(#items.enumerate().map(|(#k, #of)| ((#k / (#n), #k % (#n)), #of)))
            }
            _ => parse_quote!(#items.enumerate()),
        })
    }

    /// The elements, by reference.
    pub(super) fn items(&mut self, a: &Array, at: &syn::Expr) -> syn::Expr {
        self.items_by(a, false, false, at)
    }

    fn items_by(&mut self, a: &Array, mutable: bool, by_value: bool, at: &syn::Expr) -> syn::Expr {
        if !a.is_contiguous() {
            if mutable {
                self.refuse(at, &error::ARRAY_STRIDED);
            }
            let copy = self.copied(a);
            return self.items_by(&copy, mutable, by_value, at);
        }
        let part = a.part();
        if mutable {
            parse_quote!(#part.iter_mut())
        } else if by_value {
            parse_quote!(#part.iter().copied())
        } else {
            parse_quote!(#part.iter())
        }
    }

    /// `Array2::from_shape_fn((m, n), |(i, j)| ..)`
    pub(super) fn tabulated(
        &mut self,
        dims: Vec<syn::Expr>,
        function: &syn::Expr,
    ) -> Option<Array> {
        let function = self.function(function, 1)?;
        let new = self.filled(dims.clone(), &parse_quote!(0.0));
        let to = &new.base;
        let i = self.name("i");
        match dims.as_slice() {
            [n] => {
                let value = function(&[parse_quote!(#i)]);
                self.before
                    .push(parse_quote!(for #i in 0..#n { #to[#i] = #value; }));
            }
            [m, n] => {
                let j = self.name("j");
                let value = function(&[parse_quote!((#i, #j))]);
                self.before.push(parse_quote!(
                    for #i in 0..#m { for #j in 0..#n { #to[#i * #n + #j] = #value; } }
                ));
            }
            _ => return None,
        }
        Some(new)
    }
}
