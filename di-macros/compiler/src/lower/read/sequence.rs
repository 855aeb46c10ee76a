//! Methods of arrays, slices and vectors, and the functions of `std::mem`.

use super::Reader;
use super::expr::{as_method, strip};
use crate::error;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Expr, Kind, Pat, SeqOp, Step};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use quote::ToTokens;

impl Reader<'_> {
    /// Methods of arrays, slices and vectors.
    pub(super) fn sequence_method(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: Expr,
        elem: Ty,
    ) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        if name.starts_with("sort") {
            return self.sort(m, receiver, elem);
        }
        if name.starts_with("select_nth") {
            return self.select_nth(m, receiver, elem);
        }
        if let Some(cloned) = self.cloned_by_user(m, &elem) {
            return cloned;
        }
        if let ("extend", Some(iter)) = (name.as_str(), m.args.first()) {
            return self.extend(receiver, iter, &elem, span);
        }
        if let Some(written) = self.shortened(m) {
            return written;
        }
        if matches!(name.as_str(), "into_boxed_slice" | "into_vec") && m.args.is_empty() {
            return Expr {
                ty: Ty::Vec(Box::new(elem)),
                span,
                ..receiver
            };
        }
        if name == "copy_within" {
            return self.copy_within(m, receiver, elem);
        }
        let takes_closure = (m.args.iter()).any(|e| matches!(strip(e), syn::Expr::Closure(_)));
        if takes_closure && name != "retain" {
            return self.refuse_about(m.method.extent(), &error::UNKNOWN_SEQUENCE_METHOD, name);
        }
        if let ("get" | "get_mut", Some(syn::Expr::Range(range))) =
            (name.as_str(), m.args.first().map(strip))
        {
            return self.part_option(m, receiver, elem, range);
        }
        let base = Box::new(receiver);
        let args: Vec<Expr> = m.args.iter().map(|e| self.expr(e)).collect();
        let (kind, ty) = match (name.as_str(), args.len()) {
            ("len", 0) => (Kind::Len(base), Ty::usize()),
            ("is_empty", 0) => (Kind::IsEmpty(base), Ty::Bool),
            ("to_vec", 0) => (Kind::CopyOf(base), Ty::Vec(Box::new(elem))),
            ("clone", 0) => match self.types.peel(&base.ty) {
                Ty::Slice(_) => return self.clone_of_slice(m, *base, elem),
                ty => (Kind::CopyOf(base), ty),
            },
            ("to_owned", 0) => match self.types.peel(&base.ty) {
                ty @ Ty::Array(..) => (Kind::CopyOf(base), ty),
                _ => (Kind::CopyOf(base), Ty::Vec(Box::new(elem))),
            },
            ("as_slice" | "as_ref" | "as_mut" | "as_mut_slice", 0) => {
                let mutable = name.contains("mut");
                (
                    Kind::Ref(mutable, base),
                    Ty::reference(mutable, Ty::Slice(Box::new(elem))),
                )
            }
            ("copy_from_slice" | "clone_from_slice", 1) => {
                let src = self.sequence_of(args, &elem);
                (Kind::CopyFrom(base, Box::new(src)), Ty::unit())
            }
            ("fill", 1) => {
                let value = self.elements(args, &elem);
                (Kind::Fill(base, Box::new(value)), Ty::unit())
            }
            ("swap", 2) => {
                let [i, j] = self.indices(args);
                (Kind::Swap(base, Box::new(i), Box::new(j)), Ty::unit())
            }
            ("split_at" | "split_at_mut", 1) => {
                let [at] = self.indices(args);
                let half = Ty::reference(name.ends_with("mut"), Ty::Slice(Box::new(elem)));
                (
                    Kind::Seq(SeqOp::SplitAt, vec![*base, at]),
                    Ty::Tuple(vec![half.clone(), half]),
                )
            }
            ("swap_with_slice", 1) => {
                let other = self.sequence_of(args, &elem);
                (Kind::Seq(SeqOp::SwapWith, vec![*base, other]), Ty::unit())
            }
            ("reverse", 0) => (Kind::Seq(SeqOp::Reverse, vec![*base]), Ty::unit()),
            ("rotate_left" | "rotate_right", 1) => {
                let [k] = self.indices(args);
                let op = if name == "rotate_left" {
                    SeqOp::RotateLeft
                } else {
                    SeqOp::RotateRight
                };
                (Kind::Seq(op, vec![*base, k]), Ty::unit())
            }
            (
                "push" | "pop" | "truncate" | "clear" | "insert" | "remove" | "resize" | "extend"
                | "extend_from_slice" | "append" | "drain" | "retain" | "reserve" | "swap_remove"
                | "dedup" | "dedup_by" | "dedup_by_key" | "split_off" | "shrink_to_fit",
                _,
            ) => {
                self.check_list(&base);
                return self.growth(m, *base, elem, args);
            }
            (
                "first" | "last" | "first_mut" | "last_mut" | "split_first" | "split_last"
                | "split_first_mut" | "split_last_mut",
                0,
            )
            | ("get" | "get_mut", 1) => {
                return self.element_option(m, *base, &elem, args);
            }
            ("first_chunk" | "last_chunk" | "try_into", _) => {
                return self.refuse_about(m.method.extent(), &error::OPTION_METHOD, name);
            }
            ("chunks" | "chunks_exact" | "windows" | "chunks_mut" | "chunks_exact_mut", _) => {
                return self.refuse_about(m.method.extent(), &error::ITERATOR_METHOD, name);
            }
            ("iter" | "iter_mut" | "into_iter", _) => {
                return self.refuse(m.method.extent(), &error::ITERATOR_VALUE);
            }
            _ => {
                return self.refuse_about(m.method.extent(), &error::UNKNOWN_SEQUENCE_METHOD, name);
            }
        };
        Expr { kind, ty, span }
    }

    /// Methods that change the length of a vector.
    fn growth(&mut self, m: &syn::ExprMethodCall, base: Expr, elem: Ty, args: Vec<Expr>) -> Expr {
        let name = m.method.to_string();
        let (op, rest, ty) = match (name.as_str(), args.len()) {
            ("push", 1) => (SeqOp::Push, vec![self.elements(args, &elem)], Ty::unit()),
            ("truncate", 1) => (
                SeqOp::Truncate,
                Vec::from(self.indices::<1>(args)),
                Ty::unit(),
            ),
            ("clear", 0) => (SeqOp::Clear, args, Ty::unit()),
            ("resize", 2) | ("insert", 2) => {
                let mut args = args.into_iter();
                let n = self.indices::<1>(args.by_ref().take(1).collect());
                let value = self.elements(args.collect(), &elem);
                let op = if name == "resize" {
                    SeqOp::Resize
                } else {
                    SeqOp::Insert
                };
                let mut rest = Vec::from(n);
                rest.push(value);
                (op, rest, Ty::unit())
            }
            ("remove" | "swap_remove", 1) => {
                let op = if name == "remove" {
                    SeqOp::Remove
                } else {
                    SeqOp::SwapRemove
                };
                (op, Vec::from(self.indices::<1>(args)), elem)
            }
            ("extend_from_slice", 1) => (
                SeqOp::Extend,
                vec![self.sequence_of(args, &elem)],
                Ty::unit(),
            ),
            ("append", 1) => (
                SeqOp::Append,
                vec![self.sequence_of(args, &elem)],
                Ty::unit(),
            ),
            ("split_off", 1) => (
                SeqOp::SplitOff,
                Vec::from(self.indices::<1>(args)),
                Ty::Vec(Box::new(elem)),
            ),
            ("reserve", 1) => (
                SeqOp::Nothing,
                Vec::from(self.indices::<1>(args)),
                Ty::unit(),
            ),
            ("shrink_to_fit", 0) => (SeqOp::Nothing, args, Ty::unit()),
            ("pop", 0) => {
                let span = m.extent();
                let full = Expr::new(Kind::IsEmpty(Box::new(base.clone())), Ty::Bool, span);
                let full = Expr::new(Kind::Not(Box::new(full)), Ty::Bool, span);
                let last = Expr::new(Kind::Seq(SeqOp::Pop, vec![base]), elem.clone(), span);
                return Expr::new(
                    Kind::Checked(Box::new(full), Box::new(last)),
                    Ty::Sum(vec![elem]),
                    span,
                );
            }
            _ => return self.refuse_about(m.method.extent(), &error::VEC_RESIZE, name),
        };
        let mut all = vec![base];
        all.extend(rest);
        Expr::new(Kind::Seq(op, all), ty, m.extent())
    }

    /// Whether an expression is a place of a struct, whose methods are its own.
    fn is_own_place(&mut self, e: &syn::Expr) -> bool {
        matches!(self.place_type(e), Some(Ty::Struct(_) | Ty::Bundle(..)))
    }

    /// `v.pop().unwrap()` and its kin: what is asked for is there, or the function panics.
    pub(super) fn unwrapped(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let fits = match m.method.to_string().as_str() {
            "unwrap" => m.args.is_empty(),
            "expect" => m.args.len() == 1,
            _ => false,
        };
        let inner = as_method(&m.receiver)?;
        let name = inner.method.to_string();
        let known = matches!(
            name.as_str(),
            "pop"
                | "first"
                | "first_mut"
                | "last"
                | "last_mut"
                | "get"
                | "get_mut"
                | "split_first"
                | "split_first_mut"
                | "split_last"
                | "split_last_mut"
                | "first_chunk"
                | "last_chunk"
                | "try_into"
        );
        if !fits || !known || self.is_own_place(&inner.receiver) {
            return None;
        }
        let span = m.extent();
        if let ("get" | "get_mut", Some(syn::Expr::Range(range))) =
            (name.as_str(), inner.args.first().map(strip))
        {
            let of = &inner.receiver;
            return Some(match name.ends_with("_mut") {
                true => self.expr(&parse_quote!(&mut (#of)[#range])),
                false => self.expr(&parse_quote!(&(#of)[#range])),
            });
        }
        let base = self.expr(&inner.receiver);
        if base.is_refused() {
            return Some(self.refused(span));
        }
        if self.struct_path(&base.ty).is_some() {
            let of = syn::Ident::new("__own", inner.method.span());
            let mut call = inner.clone();
            call.receiver = parse_quote!(#of);
            let mut all = m.clone();
            all.receiver = Box::new(call.into());
            return Some(self.keeping_as("__own", base, |r, _| r.expr(&all.into())));
        }
        let Some(elem) = self.element_of(&base) else {
            return Some(self.refused(span));
        };
        let mutable = name.ends_with("_mut");
        let one = |elem: &Ty| Ty::reference(mutable, elem.clone());
        let part = |elem: &Ty| Ty::reference(mutable, Ty::Slice(Box::new(elem.clone())));
        let args: Vec<Expr> = inner.args.iter().map(|e| self.expr(e)).collect();
        let (kind, ty) = match (name.as_str(), args.len()) {
            ("pop", 0) => (Kind::Seq(SeqOp::Pop, vec![base]), elem),
            ("first" | "first_mut", 0) => (Kind::Seq(SeqOp::First, vec![base]), one(&elem)),
            ("last" | "last_mut", 0) => (Kind::Seq(SeqOp::Last, vec![base]), one(&elem)),
            ("get" | "get_mut", 1) => {
                let [i] = self.indices(args);
                let at = Expr::new(Kind::Index(Box::new(base), Box::new(i)), elem.clone(), span);
                (Kind::Ref(mutable, Box::new(at)), one(&elem))
            }
            ("split_first" | "split_first_mut", 0) => (
                Kind::Seq(SeqOp::SplitFirst, vec![base]),
                Ty::Tuple(vec![one(&elem), part(&elem)]),
            ),
            ("split_last" | "split_last_mut", 0) => (
                Kind::Seq(SeqOp::SplitLast, vec![base]),
                Ty::Tuple(vec![one(&elem), part(&elem)]),
            ),
            ("first_chunk" | "last_chunk", 0) => {
                let Some(n) = turbofish(inner) else {
                    return Some(self.refuse_about(
                        inner.method.extent(),
                        &error::OPTION_METHOD,
                        name,
                    ));
                };
                let ty = Ty::reference(false, Ty::Array(Box::new(elem), n.clone()));
                let op = if name == "first_chunk" {
                    SeqOp::FirstChunk(n)
                } else {
                    SeqOp::LastChunk(n)
                };
                (Kind::Seq(op, vec![base]), ty)
            }
            ("try_into", 0) => (Kind::Seq(SeqOp::Fixed, vec![base]), self.types.fresh()),
            _ => {
                self.cx.mismatch();
                return Some(self.refused(span));
            }
        };
        Some(Expr { kind, ty, span })
    }

    /// `v.pop();`
    pub(super) fn dropped(&mut self, e: &syn::Expr) -> Option<Expr> {
        let m = as_method(e)?;
        if m.method != "pop" || !m.args.is_empty() || self.is_own_place(&m.receiver) {
            return None;
        }
        let base = self.expr(&m.receiver);
        if base.is_refused() || self.element_of(&base).is_none() {
            return Some(self.refused(m.extent()));
        }
        Some(Expr::new(
            Kind::Seq(SeqOp::Drop, vec![base]),
            Ty::unit(),
            m.extent(),
        ))
    }

    /// A method that clones elements by code of the user's: they are cloned one by one.
    fn cloned_by_user(&mut self, m: &syn::ExprMethodCall, elem: &Ty) -> Option<Expr> {
        let (of, args, name) = (&m.receiver, &m.args, m.method.to_string());
        let written: syn::Expr = match (&*name, args.first()) {
            ("clone" | "to_vec" | "to_owned", None) => {
                parse_quote!(#of.iter().map(|__of| __of.clone()).collect::<Vec<_>>())
            }
            // the first elements may tell of which type they are
            ("extend_from_slice", Some(other)) => {
                if matches!(self.types.shallow(elem), Ty::Var(_)) {
                    let taken = self.expr(other);
                    self.sequence_of(vec![taken], elem);
                }
                parse_quote!(#of.extend((#other).iter().map(|__of| __of.clone())))
            }
            ("clone_from_slice" | "extend_from_within" | "fill" | "repeat" | "resize", Some(_))
                if self.has_own_clone(elem) =>
            {
                let at = m.method.extent();
                return Some(self.refuse_about(at, &error::UNKNOWN_SEQUENCE_METHOD, name));
            }
            _ => return None,
        };
        self.has_own_clone(elem).then(|| self.expr(&written))
    }

    /// Whether values without floats are cloned by code of the user's, and not copied.
    pub(super) fn has_own_clone(&self, ty: &Ty) -> bool {
        match self.types.peel(ty) {
            Ty::Opaque(path) => self.env.passive(&path.0.to_string(), "clone").is_some(),
            _ => false,
        }
    }

    // v.extend(iter)   =>   for item in iter { v.push(item); }
    fn extend(&mut self, base: Expr, iter: &syn::Expr, elem: &Ty, span: Extent) -> Expr {
        let Some((iter, item)) = self.iterator(iter, true) else {
            return self.refused(span);
        };
        let (iter, item) = self.own_items(iter, item, span);
        self.unify(&item, elem, span);
        let local = self.unnamed("item", item.clone(), span);
        let mut value = Expr::local(local, item.clone(), span);
        if matches!(self.types.shallow(&item), Ty::Ref(..)) {
            let of = self.types.peel(&item);
            value = Expr::new(Kind::Deref(Box::new(value)), of, span);
        }
        let push = Expr::new(Kind::Seq(SeqOp::Push, vec![base, value]), Ty::unit(), span);
        let body = Block::of_steps(vec![Step::Expr(push)]);
        Expr::new(
            Kind::For {
                label: None,
                pat: Pat::Bind(local),
                iter,
                body,
                broken: false,
            },
            Ty::unit(),
            span,
        )
    }

    fn copy_within(&mut self, m: &syn::ExprMethodCall, base: Expr, elem: Ty) -> Expr {
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let [range, to] = args.as_slice() else {
            self.cx.mismatch();
            return self.refused(m.extent());
        };
        let syn::Expr::Range(range) = strip(range) else {
            return self.refuse(range.extent(), &error::RANGE_VALUE);
        };
        let part = self.part(base.clone(), elem, range, m.extent());
        let to = self.expr(to);
        let [to] = self.indices(vec![to]);
        Expr::new(
            Kind::Seq(SeqOp::CopyWithin, vec![base, part, to]),
            Ty::unit(),
            m.extent(),
        )
    }

    // ---- arguments ----

    /// Arguments that are indices or lengths.
    fn indices<const N: usize>(&mut self, args: Vec<Expr>) -> [Expr; N] {
        for a in &args {
            self.unify(&a.ty.clone(), &Ty::usize(), a.span);
        }
        args.try_into().unwrap_or_else(|args: Vec<Expr>| {
            unreachable!("read: {N} arguments were counted, not {}", args.len())
        })
    }

    /// The one argument, an element.
    fn elements(&mut self, args: Vec<Expr>, elem: &Ty) -> Expr {
        let mut value = args.into_iter().next().expect("read: one argument");
        // the first constant struct in a vector of the function's own
        if let Ty::Var(_) = self.types.shallow(elem)
            && let Some(own) = self.own_struct(&value)
        {
            value = own;
        }
        self.fit(&mut value, elem);
        value
    }

    /// The one argument, a sequence of such elements.
    fn sequence_of(&mut self, args: Vec<Expr>, elem: &Ty) -> Expr {
        let src = args.into_iter().next().expect("read: one argument");
        if let Some(t) = self.element_of(&src) {
            self.unify(&t, elem, src.span);
        }
        src
    }

    // ---- std::mem ----

    /// Type of what a reference refers to.
    pub(super) fn behind(&mut self, ty: &Ty) -> Ty {
        match self.types.shallow(ty) {
            Ty::Ref(_, t) => *t,
            other => other,
        }
    }

    /// `Vec::new()`, `Vec::<f64>::with_capacity(n)`
    pub(super) fn new_vector(&mut self, path: &syn::Path, args: Vec<Expr>, span: Extent) -> Expr {
        for a in &args {
            self.unify(&a.ty.clone(), &Ty::usize(), a.span);
        }
        let elem = self.types.fresh();
        for segment in &path.segments {
            if let syn::PathArguments::AngleBracketed(given) = &segment.arguments
                && let Some(syn::GenericArgument::Type(t)) = given.args.first()
                && let Some(written) = self.annotation(t)
            {
                self.unify(&written, &elem, span);
            }
        }
        Expr::new(Kind::Seq(SeqOp::New, args), Ty::Vec(Box::new(elem)), span)
    }
}

/// `N` of `x.first_chunk::<N>()`
pub(super) fn turbofish(m: &syn::ExprMethodCall) -> Option<Tokens> {
    let found = m.turbofish.as_ref()?;
    Some(Tokens(found.args.first()?.to_token_stream()))
}
