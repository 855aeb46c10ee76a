//! Iterators: what stands behind `in`, and the sources and adapters of chains.

use super::Reader;
use super::expr::{as_path, strip};
use super::optional::Optional;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{By, Captures, Expr, Iter, Kind, Parts, Pat, Test};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::report::Extent;
use crate::template::parse_quote;

/// Methods that make an iterator of another one.
pub(super) const ADAPTERS: [&str; 24] = [
    "chain",
    "cloned",
    "copied",
    "cycle",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "inspect",
    "into_iter",
    "iter",
    "iter_mut",
    "map",
    "map_while",
    "peekable",
    "rev",
    "scan",
    "skip",
    "skip_while",
    "step_by",
    "take",
    "take_while",
    "zip",
];

/// Methods of slices that make an iterator over parts of it.
pub(super) const PARTS: [(&str, Parts, bool); 7] = [
    ("chunks", Parts::Chunks, false),
    ("chunks_mut", Parts::Chunks, true),
    ("chunks_exact", Parts::Exact, false),
    ("chunks_exact_mut", Parts::Exact, true),
    ("rchunks", Parts::FromEnd, false),
    ("rchunks_mut", Parts::FromEnd, true),
    ("windows", Parts::Windows, false),
];

/// Whether the expression is an iterator by its looks: a range, or a method that makes one.
pub(super) fn is_chain(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(m) => {
            let name = m.method.to_string();
            ADAPTERS.contains(&name.as_str()) || PARTS.iter().any(|p| p.0 == name)
        }
        syn::Expr::Call(c) => iter_function(c).is_some(),
        syn::Expr::Field(f) => arrays(f).is_some(),
        syn::Expr::Array(a) => places(a).is_some(),
        _ => false,
    }
}

/// `x.as_chunks::<N>().0` as `x.chunks_exact(N)`, whose items have a length that is known.
fn arrays(f: &syn::ExprField) -> Option<syn::Expr> {
    let (syn::Expr::MethodCall(m), syn::Member::Unnamed(part)) = (strip(&f.base), &f.member) else {
        return None;
    };
    let n = m.turbofish.as_ref()?.args.first()?;
    let (x, at) = (&m.receiver, m.method.span());
    match (m.method.to_string().as_str(), part.index) {
        ("as_chunks", 0) => Some(syn::parse_quote_spanned!(at =>
            #x.chunks_exact({ #n }).map(|part| part.first_chunk::<{ #n }>().expect("N elements"))
        )),
        ("as_chunks_mut", 0) => Some(syn::parse_quote_spanned!(at => #x.chunks_exact_mut({ #n }))),
        _ => None,
    }
}

/// `[&mut a, &mut b]`   =>   `(0..2).map(|k| match k { 0 => &mut a, _ => &mut b })`: a branch decides on places, of which
/// there is no list.
pub(super) fn places(list: &syn::ExprArray) -> Option<syn::Expr> {
    let is_place =
        |e: &syn::Expr| matches!(strip(e), syn::Expr::Reference(r) if r.mutability.is_some());
    let (last, others) = list
        .elems
        .iter()
        .collect::<Vec<_>>()
        .split_last()
        .map(|(l, o)| (*l, o.to_vec()))?;
    list.elems.iter().all(is_place).then(|| {
        let (n, numbers) = (others.len() + 1, 0..others.len());
        parse_quote!((0..#n).map(|__place| match __place { #(#numbers => #others,)* _ => #last }))
    })
}

/// `std::iter::name(..)`
pub(super) fn iter_function(c: &syn::ExprCall) -> Option<String> {
    let p = as_path(&c.func)?;
    let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
    let (last, owner) = (names.next()?, names.next()?);
    (owner == "iter").then_some(last)
}

impl Reader<'_> {
    /// An iterator and the type of its items. `into`: the expression goes through `into_iter`, as
    /// behind `for` and in `zip`.
    pub(super) fn iterator(&mut self, e: &syn::Expr, into: bool) -> Option<(Iter, Ty)> {
        if let Some(found) = self.named_iterator(e) {
            return found;
        }
        if let Some(field) = self.behind_deref(e) {
            return self.iterator(&field, into);
        }
        if let Some((chain, bound)) = self.on_part_of_bundle(e) {
            let (items, ty) = self.iterator(&chain, into)?;
            return Some((Iter::After(vec![bound], Box::new(items)), ty));
        }
        let chain = self.with_iterator(e);
        let chain = chain.or_else(|| into.then(|| self.items_of_own(e)).flatten());
        if let Some(chain) = chain.or_else(|| self.own_iterator(e)) {
            return self.iterator(&chain, into);
        }
        if let Some(range) = self.constant_range(e) {
            return self.range(&range);
        }
        match strip(e) {
            syn::Expr::Range(r) => self.range(r),
            syn::Expr::Block(_) if self.is_iterator(e) => self.iterator_after(e, into),
            syn::Expr::MethodCall(_) if self.is_chain_on_part(e) => {
                let listed = parse_quote!(#e.collect::<::std::vec::Vec<_>>());
                self.sequence(&listed, true)
            }
            syn::Expr::MethodCall(m) => {
                if let Some(found) = self.adapter(m) {
                    return found;
                }
                self.sequence(e, into)
            }
            syn::Expr::Call(c) => match iter_function(c) {
                Some(name) => self.iter_function(c, &name),
                None => self.sequence(e, into),
            },
            syn::Expr::Field(f) => match arrays(f) {
                Some(chain) => self.iterator(&chain, into),
                None => self.sequence(e, into),
            },
            syn::Expr::Array(a) if let Some(chain) = places(a) => self.iterator(&chain, into),
            _ => self.sequence(e, into),
        }
    }

    fn range(&mut self, r: &syn::ExprRange) -> Option<(Iter, Ty)> {
        let Some(lo) = &r.start else {
            // `..hi` is no iterator
            self.cx.mismatch();
            return None;
        };
        let lo = self.expr(lo);
        let hi = r.end.as_ref().map(|hi| {
            let hi = self.expr(hi);
            self.unify(&lo.ty.clone(), &hi.ty.clone(), hi.span);
            Box::new(hi)
        });
        // nothing else can be counted up; of which type a constant is rustc knows
        self.set_integer(&lo);
        let traits = self.types.traits(&self.types.peel(&lo.ty));
        if traits.is_some_and(|t| t.foreign) {
            self.types.set_outgoing(&lo.ty, true);
        }
        let ty = self.types.peel(&lo.ty);
        if matches!(ty, Ty::Float) {
            self.cx.mismatch();
        }
        let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
        let lo = Box::new(lo);
        Some((Iter::Range { lo, hi, inclusive }, ty))
    }

    /// `std::iter::repeat(v)` and its kin.
    fn iter_function(&mut self, c: &syn::ExprCall, name: &str) -> Option<(Iter, Ty)> {
        let args: Vec<&syn::Expr> = c.args.iter().collect();
        let (value, count) = match (name, args.as_slice()) {
            ("repeat", [v]) => (self.expr(v), None),
            ("repeat_n", [v, n]) => {
                let value = self.expr(v);
                let n = self.expr(n);
                self.unify(&n.ty.clone(), &Ty::usize(), n.span);
                (value, Some(n))
            }
            ("once", [v]) => {
                let value = self.expr(v);
                (value, Some(Expr::number(1, c.extent())))
            }
            ("successors", [first, f]) => return self.iterator(&successors(first, f), false),
            ("from_fn", [f]) if matches!(strip(f), syn::Expr::Closure(_)) => {
                let syn::Expr::Closure(mut each) = strip(f).clone() else {
                    unreachable!("it is one")
                };
                each.inputs.push(parse_quote!(_));
                return self.iterator(&parse_quote!((0usize..).map_while(#each)), false);
            }
            ("zip", [a, b]) => {
                let left = self.iterator(a, true);
                let right = self.iterator(b, true);
                return zip(left?, right?);
            }
            _ => {
                self.cx
                    .error_about(c.func.extent(), &error::ITERATOR_SOURCE, name);
                return None;
            }
        };
        let ty = value.ty.clone();
        let (value, count) = (Box::new(value), count.map(Box::new));
        Some((Iter::Repeat { value, count }, ty))
    }

    /// `x`, `&x`, `&mut x` behind `for`.
    fn sequence(&mut self, e: &syn::Expr, into: bool) -> Option<(Iter, Ty)> {
        if let Some((sequence, bound)) = self.sequence_in_part(e) {
            let (items, ty) = self.sequence(&sequence, into)?;
            return Some((Iter::After(vec![bound], Box::new(items)), ty));
        }
        let base = self.expr(e);
        if base.is_refused() {
            return None;
        }
        if self.is_without_index(e, &base) {
            return Some(self.items_of(&parse_quote!((#e).into_iter())));
        }
        if let Some(found) = self.collected(e, &base, into) {
            return Some(found);
        }
        let base = self.unseen(base, e);
        // a method that iterators share with options gives the same items
        if let Ty::Sum(payloads) = self.types.peel(&base.ty) {
            return Some(self.payload_items(base, &payloads));
        }
        if !into {
            self.cx.error(base.span, &error::ITERATOR_VALUE);
            return None;
        }
        let by = self.by(&base.ty);
        self.items(base, by, "the loop over it")
    }

    /// The elements of a sequence.
    fn items(&mut self, base: Expr, by: By, what: &str) -> Option<(Iter, Ty)> {
        let is_array = matches!(self.constant_type(&base.ty), Some(syn::Type::Array(_)));
        let elem = self.element_for(&base, what)?;
        let base = Box::new(base);
        // of a constant that is no variable of ours there is a copy where it is named
        if let (By::Value, true, Kind::Passive(_)) = (by, is_array, &base.kind) {
            let by = By::Shared;
            let items = Iter::Copied(Box::new(Iter::Seq { base, by }));
            return Some((items, elem));
        }
        Some((Iter::Seq { base, by }, item_of(by, elem)))
    }

    /// A constant that the compiler does not look into: a sequence, since it is iterated. Its items are read
    /// by their index.
    fn unseen(&mut self, mut base: Expr, e: &syn::Expr) -> Expr {
        if let Some(of) = self.constant_type(&base.ty)
            && types::is_option(&of)
        {
            self.take_apart(&of, &mut base);
        }
        match self.types.peel(&base.ty) {
            Ty::Opaque(_) => {
                let code = self.passive(e, false);
                let ty = match self.types.shallow(&base.ty) {
                    Ty::Ref(mutable, _) => Ty::reference(mutable, code.ty.clone()),
                    _ => code.ty.clone(),
                };
                Expr { ty, ..code }
            }
            _ => base,
        }
    }

    /// What is in an `Option` or a `Result`, once, or nothing.
    fn payload_items(&mut self, value: Expr, payloads: &[Ty]) -> (Iter, Ty) {
        let (whole, span) = (value.ty.clone(), value.span);
        let once = Iter::Repeat {
            value: Box::new(value),
            count: Some(Box::new(Expr::number(1, span))),
        };
        self.in_payloads(once, &whole, payloads, span)
    }

    /// What is in those items, each an `Option` or a `Result`, that have something.
    fn in_payloads(&mut self, iter: Iter, whole: &Ty, payloads: &[Ty], span: Extent) -> (Iter, Ty) {
        let ty = item_of(self.by(whole), payloads[0].clone());
        let outside = self.locals.len();
        let item = self.unnamed("item", whole.clone(), span);
        let of = Expr::local(item, whole.clone(), span);
        let branch = self.in_variant(of, payloads.len(), &ty);
        let found = Optional {
            outside,
            captures: Captures::new(),
            pats: vec![Pat::Bind(item)],
            branch: Box::new(branch),
            ty,
        };
        found.over(iter, false, None)
    }

    /// How `into_iter` of a sequence of this type yields its items.
    fn by(&self, ty: &Ty) -> By {
        match self.types.shallow(ty) {
            Ty::Ref(false, _) => By::Shared,
            Ty::Ref(true, _) => By::Mut,
            _ => By::Value,
        }
    }

    /// A method that makes an iterator. `None` if it is none of these: then it is an expression.
    fn adapter(&mut self, m: &syn::ExprMethodCall) -> Option<Option<(Iter, Ty)>> {
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        Some(match (name.as_str(), args.as_slice()) {
            ("iter" | "iter_mut" | "into_iter", []) => self.iter_method(m, &name),
            ("drain", [_]) | ("splice", [_, _]) => self.shortened(m).and_then(|base| {
                let elem = self.element_of(&base)?;
                let base = Box::new(base);
                Some((
                    Iter::Seq {
                        base,
                        by: By::Value,
                    },
                    elem,
                ))
            }),
            (_, [size]) if PARTS.iter().any(|p| p.0 == name) => self.parts(m, &name, size),
            ("rev", []) => {
                let at = m.method.extent();
                self.inner(m).map(|(i, t)| (Iter::Rev(Box::new(i), at), t))
            }
            ("cycle", []) => {
                let at = m.method.extent();
                (self.inner(m)).map(|(i, t)| (Iter::Cycle(Box::new(i), at), t))
            }
            ("copied" | "cloned", []) => self.inner(m).and_then(|(i, t)| {
                // what has a place of its own would be moved
                let is_moved = !matches!(self.types.peel(&t), Ty::Float | Ty::Int(_) | Ty::Bool)
                    && !i.is_of_elements();
                if is_moved || name == "cloned" && self.has_own_clone(&t) {
                    let of = &m.receiver;
                    let cloned = parse_quote!(#of.map(|__of| __of.clone()));
                    return self.iterator(&cloned, false);
                }
                let t = match self.types.shallow(&t) {
                    Ty::Ref(_, t) => *t,
                    other => other,
                };
                Some((Iter::Copied(Box::new(i)), t))
            }),
            // it has a position if it is `mut`
            ("peekable", []) => self.inner(m),
            ("enumerate", []) => self.inner(m).map(|(i, t)| {
                let item = Ty::Tuple(vec![Ty::usize(), t]);
                (Iter::Enumerate(Box::new(i)), item)
            }),
            ("zip", [other]) => {
                let left = self.inner(m);
                let right = self.iterator(other, true);
                left.zip(right).and_then(|(a, b)| zip(a, b))
            }
            ("chain", [other]) => {
                let left = self.inner(m);
                let right = self.iterator(other, true);
                left.zip(right).map(|((a, s), (b, t))| {
                    self.unify(&s, &t, other.extent());
                    (Iter::Chain(Box::new(a), Box::new(b)), s)
                })
            }
            ("take" | "skip" | "step_by", [n]) => {
                let inner = self.inner(m);
                let n = self.expr(n);
                self.unify(&n.ty.clone(), &Ty::usize(), n.span);
                inner.map(|(i, t)| {
                    let (i, n) = (Box::new(i), Box::new(n));
                    let iter = match name.as_str() {
                        "take" => Iter::Take(i, n),
                        "skip" => Iter::Skip(i, n),
                        _ => Iter::StepBy(i, n),
                    };
                    (iter, t)
                })
            }
            ("map", [f]) => self.inner(m).and_then(|(inner, item)| {
                let lambda = self.lambda(f, &[item])?;
                let ty = lambda.body.ty.clone();
                Some((Iter::Map(Box::new(inner), lambda), ty))
            }),
            ("inspect", [f]) => self.inner(m).and_then(|(inner, item)| {
                let lambda = self.lambda(f, &[Ty::reference(false, item.clone())])?;
                Some((Iter::Inspect(Box::new(inner), lambda), item))
            }),
            ("filter" | "take_while" | "skip_while", [f]) => {
                self.inner(m).and_then(|(inner, item)| {
                    let test = self.test_closure(f, Ty::reference(false, item.clone()))?;
                    let how = match name.as_str() {
                        "filter" => Test::Filter,
                        "take_while" => Test::TakeWhile,
                        _ => Test::SkipWhile,
                    };
                    let iter = Box::new(inner);
                    Some((Iter::Test { iter, test, how }, item))
                })
            }
            ("filter_map" | "map_while", [f]) => match self.elements_found(m) {
                Some(found) => Some(found),
                None => self.inner(m).and_then(|(inner, item)| {
                    let found = self.optional_closure(f, &[item])?;
                    Some(found.over(inner, name == "map_while", None))
                }),
            },
            ("scan", [init, f]) => {
                let inner = self.inner(m);
                let init = self.expr(init);
                inner.and_then(|(inner, item)| {
                    let ty = self.types.peel(&init.ty);
                    let params = [Ty::reference(true, ty.clone()), item];
                    let found = self.optional_closure(f, &params)?;
                    Some(found.over(inner, true, Some((Box::new(init), ty))))
                })
            }
            ("flat_map", [f]) => self
                .inner(m)
                .and_then(|(inner, item)| self.flat_map(inner, item, f)),
            ("flatten", []) => self.inner(m).and_then(|(inner, item)| {
                let by = self.by(&item);
                if let Ty::Sum(payloads) = self.types.peel(&item) {
                    return Some(self.in_payloads(inner, &item, &payloads, m.method.extent()));
                }
                if self.constant_option(&item).is_some() {
                    return self.in_constant_options(inner, item);
                }
                let elem = match self.types.peel(&item) {
                    Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => *t,
                    var if self.types.traits(&var).is_some_and(|t| t.foreign) => {
                        self.element_of(&Expr::new(Kind::Refused, item, m.method.extent()))?
                    }
                    _ => {
                        self.cx.error(m.method.extent(), &error::FLATTEN);
                        return None;
                    }
                };
                let iter = Iter::Flatten {
                    iter: Box::new(inner),
                    by,
                    elem: elem.clone(),
                };
                Some((iter, item_of(by, elem)))
            }),
            ("cycle" | "by_ref" | "fuse" | "array_chunks" | "map_windows" | "intersperse", _)
                if self.is_iterator(&m.receiver) =>
            {
                self.cx
                    .error_about(m.method.extent(), &error::ITERATOR_METHOD, name);
                None
            }
            _ => return None,
        })
    }

    fn inner(&mut self, m: &syn::ExprMethodCall) -> Option<(Iter, Ty)> {
        self.iterator(&m.receiver, false)
    }

    /// `x.iter()` and its kin.
    fn iter_method(&mut self, m: &syn::ExprMethodCall, name: &str) -> Option<(Iter, Ty)> {
        let given = matches!(strip(&m.receiver), syn::Expr::Field(_));
        if (name == "into_iter" || given) && self.is_iterator(&m.receiver) {
            return self.iterator(&m.receiver, false);
        }
        let base = self.expr(&m.receiver);
        if base.is_refused() {
            return None;
        }
        if self.is_without_index(&m.receiver, &base) || self.returns_items(m) {
            return Some(self.items_of(&syn::Expr::MethodCall(m.clone())));
        }
        let base = self.unseen(base, &m.receiver);
        // of a struct with such a method
        if let Ty::Struct(path) | Ty::Opaque(path) = self.types.peel(&base.ty)
            && let Some(body) = self.method_in_place(m, &base.ty, &path)
        {
            return self.iterator(&body, false);
        }
        if let Ty::Sum(payloads) = self.types.peel(&base.ty) {
            let borrowed = match name {
                "into_iter" => base,
                name => borrowed(base, name == "iter_mut"),
            };
            return Some(self.payload_items(borrowed, &payloads));
        }
        let by = match name {
            "iter" => By::Shared,
            "iter_mut" => By::Mut,
            _ => self.by(&base.ty),
        };
        self.items(base, by, &format!("its method `{name}`"))
    }

    /// `x.chunks(n)` and its kin.
    fn parts(
        &mut self,
        m: &syn::ExprMethodCall,
        name: &str,
        size: &syn::Expr,
    ) -> Option<(Iter, Ty)> {
        let (_, how, mutable) = PARTS.into_iter().find(|p| p.0 == name)?;
        let base = self.expr(&m.receiver);
        if base.is_refused() {
            return None;
        }
        let base = self.unseen(base, &m.receiver);
        let elem = self.element_of(&base)?;
        let size = self.expr(size);
        self.unify(&size.ty.clone(), &Ty::usize(), size.span);
        let iter = Iter::Parts {
            base: Box::new(base),
            size: Box::new(size),
            how,
        };
        Some((iter, Ty::reference(mutable, Ty::Slice(Box::new(elem)))))
    }
}

impl Optional {
    /// The iterator that the closure makes of another one.
    pub(super) fn over(
        self,
        inner: Iter,
        stops: bool,
        state: Option<(Box<Expr>, Ty)>,
    ) -> (Iter, Ty) {
        let iter = Iter::Optional {
            iter: Box::new(inner),
            outside: self.outside,
            captures: self.captures,
            pats: self.pats,
            branch: self.branch,
            stops,
            state,
        };
        (iter, self.ty)
    }
}

/// `std::iter::successors(first, f)`: the state of a `scan`.
fn successors(first: &syn::Expr, f: &syn::Expr) -> syn::Expr {
    parse_quote!((0usize..).scan(#first, |__next, _| match *__next {
        Some(__now) => {
            *__next = (#f)(&__now);
            Some(__now)
        }
        None => None,
    }))
}

/// `&e` or `&mut e`; what is a reference stays one.
fn borrowed(e: Expr, mutable: bool) -> Expr {
    match e.ty {
        Ty::Ref(..) => e,
        _ => Expr::reference(mutable, e),
    }
}

fn zip((a, s): (Iter, Ty), (b, t): (Iter, Ty)) -> Option<(Iter, Ty)> {
    Some((Iter::Zip(Box::new(a), Box::new(b)), Ty::Tuple(vec![s, t])))
}

pub(super) fn item_of(by: By, elem: Ty) -> Ty {
    match by {
        By::Value => elem,
        By::Shared => Ty::reference(false, elem),
        By::Mut => Ty::reference(true, elem),
    }
}
