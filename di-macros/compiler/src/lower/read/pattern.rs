//! Patterns: of `let`, `for` and closures, and those that may not match, of `match`, `if let`,
//! `while let` and `let .. else`.

use super::expr::{strip, unraw};
use super::{Item, Reader};
use crate::error;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Local, Pat, Variant};
use crate::lower::ty::{Traits, Ty};
use crate::sorted::Map;
use crate::walk::{self, Node};
use quote::ToTokens;

/// How names are bound, and where the pattern stands.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    /// Behind a reference that the pattern does not write: names become references, `&mut` if true.
    pub(super) by_ref: Option<bool>,
    /// The pattern may fail, and names in capitals are constants.
    refutable: bool,
}

impl Reader<'_> {
    /// Reads a pattern that always matches, and binds its names.
    pub(super) fn pattern(&mut self, pat: &syn::Pat, ty: &Ty) -> Pat {
        let mode = Mode {
            by_ref: None,
            refutable: false,
        };
        self.pat(pat, ty, mode)
    }

    /// Reads a pattern that may fail, and binds its names.
    pub(super) fn refutable_pattern(&mut self, pat: &syn::Pat, ty: &Ty) -> Pat {
        let mode = Mode {
            by_ref: None,
            refutable: true,
        };
        self.pat(pat, ty, mode)
    }

    pub(super) fn pat(&mut self, pat: &syn::Pat, ty: &Ty, mode: Mode) -> Pat {
        let is_taken_apart = matches!(pat, syn::Pat::Struct(_) | syn::Pat::TupleStruct(_))
            && matches!(self.types.peel(ty), Ty::Opaque(_));
        if (mode.refutable || is_taken_apart || self.names_foreign_struct(pat))
            && self.is_foreign(pat, ty)
        {
            return self.foreign_pattern(pat, ty);
        }
        if let Some(pat) = self.pattern_of_variant(pat, ty, mode) {
            return pat;
        }
        match pat {
            syn::Pat::Wild(_) => Pat::Wild,
            syn::Pat::Paren(p) => self.pat(&p.pat, ty, mode),
            syn::Pat::Type(t) if self.is_carried_as(ty, &t.ty) => self.pat(&t.pat, ty, mode),
            syn::Pat::Type(t) => {
                if let Some(written) = self.annotation(&t.ty) {
                    let written = self.held(written, ty);
                    self.unify(&written, ty, t.extent());
                }
                self.pat(&t.pat, ty, mode)
            }
            syn::Pat::Ident(p) => self.name_pattern(p, ty, mode),
            syn::Pat::Reference(r) => {
                let inner = match self.types.shallow(ty) {
                    Ty::Ref(_, t) => *t,
                    other => other,
                };
                let mode = Mode {
                    by_ref: None,
                    ..mode
                };
                // its value stands in the list already
                if self.is_number_as_written(ty) {
                    return self.pat(&r.pat, &inner, mode);
                }
                Pat::Ref(Box::new(self.pat(&r.pat, &inner, mode)))
            }
            syn::Pat::Tuple(t) => self.tuple_pattern(t, ty, mode),
            syn::Pat::Slice(s) => self.slice_pattern(s, ty, mode),
            syn::Pat::Struct(p) if self.may_be_struct(&p.path, ty) => {
                self.struct_pattern(p, ty, mode)
            }
            syn::Pat::TupleStruct(p) if self.may_be_struct(&p.path, ty) => {
                self.tuple_struct_pattern(p, ty, mode)
            }
            syn::Pat::TupleStruct(t) if let Some(of) = self.reversed(t, ty) => {
                let mode = self.through_reference(ty, mode);
                Pat::Tuple(vec![self.pat(&t.elems[0], &of, mode)])
            }
            syn::Pat::TupleStruct(t) => self.variant_pattern(t, ty, mode),
            syn::Pat::Or(or) => self.or_pattern(or, ty, mode),
            syn::Pat::Lit(_) | syn::Pat::Path(_) => self.value_pattern(pat, ty),
            syn::Pat::Range(range) => {
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                let lo = range
                    .start
                    .as_ref()
                    .map(|e| Box::new(self.bound_value(e, ty)));
                let hi = range
                    .end
                    .as_ref()
                    .map(|e| Box::new(self.bound_value(e, ty)));
                Pat::Range { lo, hi, inclusive }
            }
            other => self.refuse_pattern(other, &error::PATTERN),
        }
    }

    /// Whether this is the type of a constant as it is written.
    fn is_carried_as(&self, ty: &Ty, written: &syn::Type) -> bool {
        let of = self.types.written(&self.types.shallow(ty));
        of.is_some_and(|of| of.0.to_string() == written.to_token_stream().to_string())
    }

    /// `x`, `mut x`, `ref x`, `x @ pat`, `LIMIT`, `None`
    fn name_pattern(&mut self, p: &syn::PatIdent, ty: &Ty, mode: Mode) -> Pat {
        let name = unraw(&p.ident);
        let plain = p.subpat.is_none() && p.by_ref.is_none() && p.mutability.is_none();
        if plain && name == "None" {
            let sum = Ty::Sum(vec![self.types.fresh()]);
            self.unify(&sum, &self.types.peel(ty), p.extent());
            return Pat::Variant(Variant::None, Box::new(Pat::Wild));
        }
        let constant = matches!(self.item(&name), Some(Item::Const(..) | Item::Use(..)));
        if plain && constant || plain && mode.refutable && name.starts_with(char::is_uppercase) {
            return self.value_pattern(&syn::Pat::Ident(p.clone()), ty);
        }
        let by_ref = match (&p.by_ref, mode.by_ref) {
            // `ref mut`: the `mut` is not that of the name
            (Some(_), _) => Some(p.mutability.is_some()),
            (None, by_ref) => by_ref,
        };
        let own = match by_ref {
            // a reference already
            Some(false) if self.is_given(ty) => ty.clone(),
            Some(mutable) => Ty::reference(mutable, self.types.peel(ty)),
            None => ty.clone(),
        };
        let mutable = p.mutability.is_some() && p.by_ref.is_none();
        let local = self.bind_name(&name, mutable, own, p.ident.extent());
        match &p.subpat {
            None => Pat::Bind(local),
            Some((_, inner)) => {
                let inner = self.pat(inner, ty, mode);
                Pat::At(local, Box::new(inner))
            }
        }
    }

    /// Whether a constant is a reference that an iterator gave.
    fn is_given(&self, ty: &Ty) -> bool {
        let written = match self.types.shallow(ty) {
            ty @ Ty::Var(_) => self.types.written(&ty).cloned(),
            _ => None,
        };
        let ty = written.and_then(|written| syn::parse2::<syn::Type>(written.0).ok());
        ty.is_some_and(|ty| super::mapped::is_given(&ty))
    }

    /// Binds a name; a name that an earlier alternative has bound is the same variable.
    pub(super) fn bind_name(
        &mut self,
        name: &str,
        mutable: bool,
        ty: Ty,
        span: crate::report::Extent,
    ) -> Local {
        let known = self
            .alternatives
            .last()
            .and_then(|names| names.get(name).copied());
        match known {
            Some(local) => {
                let known = self.locals[local.0].ty.clone();
                self.unify(&known, &ty, span);
                local
            }
            None => self.bind(name, mutable, ty, span),
        }
    }

    /// A component of the result of a call: should it be a struct, rustc knows which.
    fn part_of(&mut self, whole: &Ty, k: usize, pat: &syn::Pat) -> Ty {
        let whole = self.types.peel(whole);
        let callee = self.types.traits(&whole).is_some_and(|t| t.callee);
        match self.types.name(&whole).cloned() {
            Some(path) if callee && !matches!(pat, syn::Pat::Wild(_)) => {
                let part = self.projection(&path.0, &format!("::PartOf<{k}>>::Type"));
                self.types.fresh_named(part, Traits::default())
            }
            _ => self.types.fresh(),
        }
    }

    fn tuple_pattern(&mut self, t: &syn::PatTuple, ty: &Ty, mode: Mode) -> Pat {
        let mode = self.through_reference(ty, mode);
        let rest = t.elems.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
        let written = t.elems.len() - usize::from(rest.is_some());
        // what it binds refers to something else than the tuple
        let is_reference = |of: &syn::Type| matches!(of, syn::Type::Reference(_));
        if let Ty::Var(_) = self.types.shallow(ty)
            && (self.parts_of_constant(ty)).is_some_and(|parts| parts.iter().any(is_reference))
        {
            return self.foreign_pattern(&syn::Pat::Tuple(t.clone()), ty);
        }
        let parts = match self.types.peel(ty) {
            Ty::Tuple(ts) => ts,
            Ty::Var(_) if rest.is_some() && self.parts_of_constant(ty).is_some() => {
                let parts = self.parts_of_constant(ty).unwrap_or_default().into_iter();
                let ts: Vec<Ty> = parts.map(|of| self.foreign_part(Some(&of))).collect();
                let peeled = self.types.peel(ty);
                self.unify(&peeled, &Ty::Tuple(ts.clone()), t.extent());
                ts
            }
            Ty::Var(_) if rest.is_some() => {
                if !self.is_tainted(ty) {
                    self.cx.error(t.extent(), &error::PATTERN_REST);
                }
                self.tainted_parts(written)
            }
            Ty::Var(_) => {
                let tainted = self.is_tainted(ty);
                let ts: Vec<Ty> = if tainted {
                    self.tainted_parts(written)
                } else if self.is_seen_as_foreign(ty) {
                    let parts = self.parts_of_constant(ty).unwrap_or_default();
                    (0..written)
                        .map(|k| self.foreign_part(parts.get(k)))
                        .collect()
                } else {
                    let parts = t.elems.iter().enumerate();
                    parts.map(|(k, p)| self.part_of(ty, k, p)).collect()
                };
                let peeled = self.types.peel(ty);
                self.unify(&peeled, &Ty::Tuple(ts.clone()), t.extent());
                ts
            }
            Ty::Float
            | Ty::Int(_)
            | Ty::Bool
            | Ty::Ref(..)
            | Ty::Array(..)
            | Ty::Slice(_)
            | Ty::Vec(_)
            | Ty::Sum(_)
            | Ty::Bundle(..)
            | Ty::Struct(_)
            | Ty::Opaque(_) => {
                self.cx.mismatch();
                self.tainted_parts(written)
            }
        };
        if parts.len() < written || rest.is_none() && parts.len() != written {
            self.cx.mismatch();
            return Pat::Wild;
        }
        let before = rest.unwrap_or(written);
        let mut pats = Vec::new();
        for (p, ty) in t.elems.iter().take(before).zip(&parts) {
            pats.push(self.pat(p, ty, mode));
        }
        pats.resize_with(parts.len() - (written - before), || Pat::Wild);
        for (p, ty) in t
            .elems
            .iter()
            .skip(before + usize::from(rest.is_some()))
            .zip(&parts[pats.len()..])
        {
            pats.push(self.pat(p, ty, mode));
        }
        Pat::Tuple(pats)
    }

    /// The types of the parts of a constant tuple, as they are written.
    fn parts_of_constant(&self, ty: &Ty) -> Option<Vec<syn::Type>> {
        match self.constant_type(ty) {
            Some(syn::Type::Tuple(parts)) => Some(parts.elems.into_iter().collect()),
            _ => None,
        }
    }

    fn tainted_parts(&mut self, n: usize) -> Vec<Ty> {
        (0..n).map(|_| self.tainted()).collect()
    }

    /// `[a, b]`, `[first, .., last]`, `[first, rest @ ..]`
    fn slice_pattern(&mut self, s: &syn::PatSlice, ty: &Ty, mode: Mode) -> Pat {
        let whole = self.types.peel(ty);
        if let Ty::Array(elem, n) = &whole
            && self.types.length(n).is_none()
            && !s.elems.iter().any(is_rest)
        {
            let whole = Ty::Array(elem.clone(), length_of(s));
            self.unify(ty, &whole, s.extent());
        }
        let elem = match &whole {
            Ty::Array(elem, _) | Ty::Slice(elem) | Ty::Vec(elem) => (**elem).clone(),
            Ty::Var(_) if self.is_tainted(ty) => self.tainted(),
            // an array, all of whose elements are written: a constant, or what `try_into` makes
            Ty::Var(_) if !s.elems.iter().any(is_rest) => {
                let is_foreign = self.types.traits(&whole).is_some_and(|t| t.foreign);
                let elem = match is_foreign {
                    true => self.foreign(),
                    false => self.types.fresh(),
                };
                let array = Ty::Array(Box::new(elem.clone()), length_of(s));
                self.unify(&whole, &array, s.extent());
                elem
            }
            _ => return self.refuse_pattern(&syn::Pat::Slice(s.clone()), &error::PATTERN_SLICE),
        };
        let mode = self.through_reference(ty, mode);
        let rest = s.elems.iter().position(is_rest);
        let before = rest.unwrap_or(s.elems.len());
        let head = s
            .elems
            .iter()
            .take(before)
            .map(|p| self.pat(p, &elem, mode))
            .collect();
        let middle = rest.map(|k| match &s.elems[k] {
            syn::Pat::Ident(p) => {
                let by_ref = match (&p.by_ref, mode.by_ref) {
                    (Some(_), _) => Some(p.mutability.is_some()),
                    (None, by_ref) => by_ref,
                };
                let others = s.elems.len() - 1;
                let part = match (by_ref, &whole) {
                    (Some(mutable), _) => Ty::reference(mutable, Ty::Slice(Box::new(elem.clone()))),
                    (None, Ty::Array(elem, n))
                        if !matches!(
                            self.types.peel(elem),
                            Ty::Tuple(_) | Ty::Sum(_) | Ty::Vec(_)
                        ) =>
                    {
                        Ty::Array(elem.clone(), length_without(n, others))
                    }
                    (None, _) => {
                        self.cx.error(p.extent(), &error::PATTERN_REST_VALUE);
                        return None;
                    }
                };
                let is_changed = by_ref.is_none() && p.mutability.is_some();
                let name = unraw(&p.ident);
                Some(self.bind_name(&name, is_changed, part, p.ident.extent()))
            }
            _ => None,
        });
        let tail = s
            .elems
            .iter()
            .skip(before + 1)
            .map(|p| self.pat(p, &elem, mode))
            .collect();
        Pat::List {
            head,
            rest: middle,
            tail,
        }
    }

    /// `Some(p)`, `Ok(p)`, `Err(p)`
    fn variant_pattern(&mut self, t: &syn::PatTupleStruct, ty: &Ty, mode: Mode) -> Pat {
        let whole = syn::Pat::TupleStruct(t.clone());
        let name = t.path.segments.last().map(|s| s.ident.to_string());
        let variant = match name.as_deref() {
            Some("Some") => Variant::Some,
            Some("Ok") => Variant::Ok,
            Some("Err") => Variant::Err,
            _ => return self.refuse_pattern(&whole, &error::PATTERN),
        };
        let [inner] = t.elems.iter().collect::<Vec<_>>()[..] else {
            return self.refuse_pattern(&whole, &error::PATTERN);
        };
        let peeled = self.types.peel(ty);
        if self.is_tainted(&peeled) {
            return self.refuse_silently(&whole);
        }
        let parts: Vec<Ty> = match &peeled {
            Ty::Sum(ts) => ts.clone(),
            _ => {
                let ts: Vec<Ty> = (0..variant.arity()).map(|_| self.types.fresh()).collect();
                self.unify(&peeled, &Ty::Sum(ts.clone()), t.extent());
                ts
            }
        };
        let mode = self.through_reference(ty, mode);
        let inner = match parts.get(variant.payload()) {
            Some(ty) => self.pat(inner, ty, mode),
            None => {
                self.cx.mismatch();
                Pat::Wild
            }
        };
        Pat::Variant(variant, Box::new(inner))
    }

    fn or_pattern(&mut self, or: &syn::PatOr, ty: &Ty, mode: Mode) -> Pat {
        let mut cases = or.cases.iter();
        let Some(first) = cases.next() else {
            return Pat::Wild;
        };
        let before = self.locals.len();
        let mut pats = vec![self.pat(first, ty, mode)];
        let names: Map<String, Local> = self.locals[before..]
            .iter()
            .enumerate()
            .map(|(k, l)| (l.name.clone(), Local(before + k)))
            .collect();
        let mut locals: Vec<Local> = names.values().copied().collect();
        if let Some(outer) = self.alternatives.last() {
            // bound by an alternative further out already
            let inner = walk::bound(Node::Pat(first));
            locals.extend(inner.iter().filter_map(|i| outer.get(&unraw(i))));
        }
        let mut known = self.alternatives.last().cloned().unwrap_or_default();
        known.extend(names);
        self.alternatives.push(known);
        for case in cases {
            pats.push(self.pat(case, ty, mode));
        }
        self.alternatives.pop();
        Pat::Or(pats, locals)
    }

    /// A literal or constant in a pattern, read as an expression.
    fn value_pattern(&mut self, pat: &syn::Pat, ty: &Ty) -> Pat {
        let none = match pat {
            syn::Pat::Path(p) => p.path.segments.last().is_some_and(|s| s.ident == "None"),
            _ => false,
        };
        if none {
            let sum = Ty::Sum(vec![self.types.fresh()]);
            self.unify(&sum, &self.types.peel(ty), pat.extent());
            return Pat::Variant(Variant::None, Box::new(Pat::Wild));
        }
        match syn::parse2::<syn::Expr>(pat.to_token_stream()) {
            Ok(e) => Pat::Value(Box::new(self.bound_value(&e, ty))),
            Err(_) => self.refuse_pattern(pat, &error::PATTERN),
        }
    }

    fn bound_value(&mut self, e: &syn::Expr, ty: &Ty) -> Expr {
        let e = self.expr(strip(e));
        let ty = self.types.peel(ty);
        self.unify(&e.ty.clone(), &ty, e.span);
        e
    }

    /// Names behind a reference are references.
    pub(super) fn through_reference(&self, ty: &Ty, mode: Mode) -> Mode {
        match self.types.shallow(ty) {
            Ty::Ref(mutable, inner) => {
                let mutable = mutable && mode.by_ref != Some(false);
                let mode = Mode {
                    by_ref: Some(mutable),
                    ..mode
                };
                self.through_reference(&inner, mode)
            }
            _ => mode,
        }
    }

    // ---- what the compiler does not look into ----

    /// Whether the subject is passive code of a foreign type, and the pattern looks into it.
    fn is_foreign(&self, pat: &syn::Pat, ty: &Ty) -> bool {
        let peeled = self.types.peel(ty);
        match &peeled {
            Ty::Opaque(_) => !binds_whole(pat),
            Ty::Var(_) => {
                let traits = self.types.traits(&peeled).unwrap_or_default();
                traits.foreign && !traits.integer && looks_into(pat)
            }
            _ => false,
        }
    }

    fn is_seen_as_foreign(&self, ty: &Ty) -> bool {
        let traits = self.types.traits(&self.types.peel(ty));
        traits.is_some_and(|t| t.foreign)
    }

    /// A pattern of a struct that is not derived.
    fn names_foreign_struct(&self, pat: &syn::Pat) -> bool {
        let path = match pat {
            syn::Pat::Struct(p) => &p.path,
            syn::Pat::TupleStruct(p) => &p.path,
            _ => return false,
        };
        let path = self.resolve_use(path).to_token_stream().to_string();
        !self.env.is_struct(&path)
    }

    /// Whether a constant that is not looked into is more than bound to a name.
    pub(super) fn is_taken_apart(&self, pat: &syn::Pat, e: &Expr) -> bool {
        let of_type = match pat {
            syn::Pat::Struct(p) => p.path.get_ident().is_some(),
            syn::Pat::TupleStruct(p) => p.path.get_ident().is_some(),
            _ => true,
        };
        of_type && matches!(self.types.peel(&e.ty), Ty::Opaque(_)) && !binds_whole(pat)
    }

    /// A pattern of a value that is, or may be, a derived struct: not `Some(x)`, not `E::A { .. }`.
    fn may_be_struct(&mut self, path: &syn::Path, ty: &Ty) -> bool {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let variant = names.len() > 1 && names[names.len() - 2].starts_with(char::is_uppercase);
        let std = names
            .last()
            .is_some_and(|n| ["Some", "Ok", "Err"].iter().any(|s| n == s));
        !variant
            && !std
            && !self.is_tainted(ty)
            && (matches!(self.types.peel(ty), Ty::Var(_) | Ty::Bundle(..))
                || self.struct_path(ty).is_some())
    }

    fn refuse_pattern(&mut self, pat: &syn::Pat, message: &'static error::Message) -> Pat {
        self.cx.error(pat.extent(), message);
        self.refuse_silently(pat)
    }

    /// Its names are known, so that their uses are no errors.
    pub(super) fn refuse_silently(&mut self, pat: &syn::Pat) -> Pat {
        for ident in walk::bound(Node::Pat(pat)) {
            let ty = self.tainted();
            self.bind(&unraw(&ident), false, ty, ident.extent());
        }
        Pat::Wild
    }
}

pub(super) fn is_rest(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Rest(_) => true,
        syn::Pat::Ident(p) => p
            .subpat
            .as_ref()
            .is_some_and(|(_, inner)| matches!(**inner, syn::Pat::Rest(_))),
        _ => false,
    }
}

/// `_`, `x`: nothing is looked at.
fn binds_whole(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Wild(_) => true,
        syn::Pat::Paren(p) => binds_whole(&p.pat),
        syn::Pat::Ident(p) => {
            p.subpat.is_none() && !p.ident.to_string().starts_with(char::is_uppercase)
        }
        _ => false,
    }
}

/// Whether a pattern is more than literals, ranges and names.
fn looks_into(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Lit(lit) => matches!(lit.lit, syn::Lit::Str(_) | syn::Lit::ByteStr(_)),
        syn::Pat::Wild(_) | syn::Pat::Range(_) | syn::Pat::Tuple(_) => false,
        syn::Pat::Paren(p) => looks_into(&p.pat),
        syn::Pat::Reference(r) => looks_into(&r.pat),
        syn::Pat::Ident(p) => match &p.subpat {
            Some((_, inner)) => looks_into(inner),
            None => p.ident.to_string().starts_with(char::is_uppercase),
        },
        syn::Pat::Or(or) => or.cases.iter().any(looks_into),
        _ => true,
    }
}

/// The length of an array all of whose elements are written.
/// The length of an array without so many elements.
fn length_without(n: &Tokens, others: usize) -> Tokens {
    let known = syn::parse2::<syn::LitInt>(n.0.clone());
    Tokens(match known.and_then(|n| n.base10_parse::<usize>()) {
        Ok(n) => {
            let rest = proc_macro2::Literal::usize_unsuffixed(n.saturating_sub(others));
            proc_macro2::TokenTree::from(rest).into()
        }
        Err(_) => crate::lower::code::length_without(&n.0, others),
    })
}

fn length_of(s: &syn::PatSlice) -> Tokens {
    let len = proc_macro2::Literal::usize_unsuffixed(s.elems.len());
    Tokens(proc_macro2::TokenTree::from(len).into())
}
