//! Values with arrays in them: options, results and tuples of arrays, as functions return them. There an array is its
//! elements and, if it is a matrix, its lengths. Patterns take them apart.

use super::array::{Array, bare, strip};
use super::kinds::{self, Held};
use super::{Flat, Known};
use crate::error;
use crate::lower::types;
use crate::template::parse_quote;

/// What patterns are matched with.
pub(super) enum Matched {
    /// A value that was written out, of this type.
    Made(syn::Type),
    /// Another one, whose type may be known.
    Constant(Option<syn::Type>),
}

impl Flat<'_> {
    /// The type of a value that was written out and is an array or has arrays in it: what functions return, variables
    /// for that, and what is made or taken out of such values.
    pub(super) fn made_type(&mut self, e: &syn::Expr) -> Option<syn::Type> {
        let ty = match strip(e) {
            syn::Expr::Path(p) => match self.known(p.path.get_ident()?)? {
                Known::Holder(ty) => (**ty).clone(),
                Known::Array(_) | Known::Indices(_) | Known::Other(..) => return None,
            },
            syn::Expr::Reference(r) => {
                let of = self.made_type(&r.expr)?;
                parse_quote!(&#of)
            }
            syn::Expr::Call(c) => match (variant(&c.func).as_deref(), c.args.first()) {
                (Some("Some"), Some(value)) => {
                    let of = self.part_type(value)?;
                    parse_quote!(Option<#of>)
                }
                (Some("Ok"), Some(value)) => {
                    let of = self.part_type(value)?;
                    parse_quote!(Result<#of, _>)
                }
                _ => super::given(self.env, c)?,
            },
            syn::Expr::Tuple(t) => {
                let parts: Vec<_> = t.elems.iter().map(|e| self.part_type(e)).collect();
                if parts.iter().all(Option::is_none) {
                    return None;
                }
                let parts = parts
                    .into_iter()
                    .map(|of| of.unwrap_or_else(|| parse_quote!(_)));
                parse_quote!((#(#parts,)*))
            }
            syn::Expr::Try(t) => payload(&self.made_type(&t.expr)?)?,
            syn::Expr::Field(f) => {
                let of = self.made_type(&f.base)?;
                let syn::Member::Unnamed(k) = &f.member else {
                    return None;
                };
                match types::behind_pointers(&of) {
                    syn::Type::Tuple(t) => t.elems.iter().nth(k.index as usize)?.clone(),
                    _ => return None,
                }
            }
            syn::Expr::MethodCall(m) => match self.method_of(m) {
                Some(method) => method.output?,
                None => {
                    let of = self.holder(&m.receiver)?;
                    self.type_of_method(m, &of)?
                }
            },
            syn::Expr::If(i) => {
                let (_, els) = i.else_branch.as_ref()?;
                match self.made_type_of_block(&i.then_branch) {
                    Some(ty) => ty,
                    None => self.made_type(els)?,
                }
            }
            syn::Expr::Block(b) if b.label.is_none() => self.made_type_of_block(&b.block)?,
            syn::Expr::Match(m) => {
                let of = self.matched(&m.expr);
                m.arms.iter().find_map(|arm| {
                    self.scoped(|f| {
                        f.take_apart(&arm.pat, &of, Some(&m.expr));
                        f.made_type(&arm.body)
                    })
                })?
            }
            _ => return None,
        };
        kinds::within(&ty).then_some(ty)
    }

    fn made_type_of_block(&mut self, b: &syn::Block) -> Option<syn::Type> {
        self.in_block(b, |f, value| f.made_type(value))
    }

    /// The type of a value that has arrays in it and is none.
    pub(super) fn holder(&mut self, e: &syn::Expr) -> Option<syn::Type> {
        let ty = self.made_type(e)?;
        kinds::read(&ty).is_none().then_some(ty)
    }

    /// An array that is a part of such a value, or what a function returns.
    pub(super) fn made_kind(&mut self, e: &syn::Expr) -> Option<kinds::Kind> {
        kinds::read(&self.made_type(bare(e))?)
    }

    /// The type of what becomes a part.
    fn part_type(&mut self, e: &syn::Expr) -> Option<syn::Type> {
        if let Some(ty) = self.holder(e) {
            return Some(ty);
        }
        let (rank, float) = (self.rank_of(e)?, self.float_type());
        Some(match rank {
            1 => parse_quote!(Array1<#float>),
            _ => parse_quote!(Array2<#float>),
        })
    }

    /// What becomes a part. An array belongs to the value from now on.
    fn part(&mut self, e: &syn::Expr) -> syn::Expr {
        let outer = std::mem::take(&mut self.before);
        let value = match self.rank_of(e) {
            Some(rank) => self.value_as(e, rank),
            None => Some(self.expr(e)),
        };
        let before = std::mem::replace(&mut self.before, outer);
        match value {
            Some(value) if before.is_empty() => value,
            Some(value) => super::stmt::block_of(before, value),
            None => e.clone(),
        }
    }

    /// `Some(a)`, `Ok(a)`, `(a, b)`
    pub(super) fn put_together(&mut self, e: &syn::Expr) -> syn::Expr {
        let mut new = strip(e).clone();
        if let syn::Expr::Call(syn::ExprCall { args: parts, .. })
        | syn::Expr::Tuple(syn::ExprTuple { elems: parts, .. }) = &mut new
        {
            for part in parts {
                *part = self.part(part);
            }
        }
        new
    }

    /// The array that a part is, or what a function returns.
    pub(super) fn part_as_array(&mut self, e: &syn::Expr, kind: &kinds::Kind) -> Array {
        let value = self.made(e);
        match strip(e) {
            syn::Expr::Field(f) if is_place(&f.base) => match kind.rank {
                1 => Array::whole(value.clone(), vec![parse_quote!(#value.len())], false),
                _ => {
                    let dims = vec![parse_quote!(#value.1), parse_quote!(#value.2)];
                    Array::whole(parse_quote!(#value.0), dims, false)
                }
            },
            _ if kind.referred => {
                let (pat, array) = self.bindings(kind, false, None);
                self.before.push(parse_quote!(let #pat = #value;));
                array
            }
            _ => self.unpack(&value, kind.rank, &kind.element),
        }
    }

    /// A value in which arrays are written out, or one of them with its lengths.
    pub(super) fn made(&mut self, e: &syn::Expr) -> syn::Expr {
        match strip(e) {
            syn::Expr::MethodCall(m) => match self.holder(&m.receiver) {
                Some(of) if self.method_of(m).is_none() => self.method_of_holder(m, &of),
                _ => self.called(m),
            },
            syn::Expr::Try(t) => {
                let value = self.made(&t.expr);
                parse_quote!(#value?)
            }
            e => self.expr(e),
        }
    }

    /// What is matched with patterns.
    pub(super) fn matched(&mut self, e: &syn::Expr) -> Matched {
        match self.holder(e) {
            Some(of) => Matched::Made(of),
            None => Matched::Constant(self.type_of(e)),
        }
    }

    /// What a pattern binds in a value, which is this one. Arrays are known by their names.
    pub(super) fn take_apart(
        &mut self,
        pat: &syn::Pat,
        of: &Matched,
        value: Option<&syn::Expr>,
    ) -> syn::Pat {
        match of {
            Matched::Made(of) => {
                self.hide_as(pat, Some(of));
                self.pattern(pat, of, false)
            }
            Matched::Constant(of) => {
                match value {
                    Some(value) => self.hide_value(pat, of.as_ref(), value),
                    None => self.hide_as(pat, of.as_ref()),
                }
                pat.clone()
            }
        }
    }

    fn pattern(&mut self, pat: &syn::Pat, of: &syn::Type, behind: bool) -> syn::Pat {
        if let syn::Type::Reference(r) = types::ungroup(of)
            && !matches!(pat, syn::Pat::Reference(_))
        {
            return self.pattern(pat, &r.elem, true);
        }
        if !kinds::within(of) {
            return pat.clone();
        }
        let kind = kinds::read(of);
        match (pat, types::ungroup(of)) {
            (syn::Pat::Wild(_) | syn::Pat::Rest(_), _) => pat.clone(),
            (syn::Pat::Paren(p), _) => self.pattern(&p.pat, of, behind),
            (syn::Pat::Type(p), _) => self.pattern(&p.pat, of, behind),
            (syn::Pat::Reference(p), syn::Type::Reference(r)) => {
                let mut new = p.clone();
                *new.pat = self.pattern(&p.pat, &r.elem, false);
                syn::Pat::Reference(new)
            }
            (syn::Pat::Ident(p), _) if p.subpat.is_none() && p.by_ref.is_none() => match kind {
                Some(kind) => self.array_pattern(p, &kind, behind),
                None if is_variant(&p.ident) => pat.clone(),
                None => {
                    let of = match behind {
                        true => parse_quote!(&#of),
                        false => of.clone(),
                    };
                    self.note(&p.ident, Known::Holder(Box::new(of)));
                    pat.clone()
                }
            },
            (syn::Pat::TupleStruct(p), _) => {
                let last = p.path.segments.last().map(|s| s.ident.to_string());
                let is_good = last.is_some_and(|name| name == "Some" || name == "Ok");
                let (Some(inner), true) = (payload(of), is_good) else {
                    return pat.clone();
                };
                let mut new = p.clone();
                for part in &mut new.elems {
                    *part = self.pattern(part, &inner, behind);
                }
                syn::Pat::TupleStruct(new)
            }
            (syn::Pat::Tuple(p), syn::Type::Tuple(t)) => {
                let (mut new, n) = (p.clone(), t.elems.len());
                let rest = p.elems.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
                let given = p.elems.len();
                for (k, part) in new.elems.iter_mut().enumerate() {
                    let at = match rest {
                        Some(rest) if k > rest => (n + k).checked_sub(given),
                        _ => Some(k),
                    };
                    if let Some(of) = at.and_then(|k| t.elems.iter().nth(k)) {
                        *part = self.pattern(part, of, behind);
                    }
                }
                syn::Pat::Tuple(new)
            }
            _ if crate::walk::bound(crate::walk::Node::Pat(pat)).is_empty() => pat.clone(),
            _ => {
                self.refuse(pat, &error::ARRAY_PATTERN);
                pat.clone()
            }
        }
    }

    /// `l`   =>   `(mut l, m, n)`
    fn array_pattern(&mut self, p: &syn::PatIdent, kind: &kinds::Kind, behind: bool) -> syn::Pat {
        let owned = !behind && kind.held == Held::Owned && !kind.referred;
        let (pat, array) = self.bindings(kind, owned, p.mutability);
        self.declare(&p.ident, Some(array));
        pat
    }

    /// A pattern that binds an array, or what refers to its parts, and the array.
    fn bindings(
        &mut self,
        kind: &kinds::Kind,
        owned: bool,
        mutability: Option<syn::Token![mut]>,
    ) -> (syn::Pat, Array) {
        let base = self.name("a");
        let all = owned.then(|| syn::Token![mut](base.span()));
        let (pat, dims): (syn::Pat, Vec<syn::Expr>) = match kind.rank {
            1 => (parse_quote!(#all #base), vec![parse_quote!(#base.len())]),
            _ => {
                let (m, n) = (self.name("n"), self.name("n"));
                let of = |n: &syn::Ident| match owned {
                    true => parse_quote!(#n),
                    false => parse_quote!((*#n)),
                };
                let own = mutability.filter(|_| owned);
                let dims = vec![of(&m), of(&n)];
                (parse_quote!((#all #base, #own #m, #own #n)), dims)
            }
        };
        let array = Array::whole(parse_quote!(#base), dims, owned);
        (pat, array)
    }

    /// A method of an option or a result with arrays in it: closures take its arrays apart, and values that take their
    /// place are put together.
    pub(super) fn method_of_holder(
        &mut self,
        m: &syn::ExprMethodCall,
        of: &syn::Type,
    ) -> syn::Expr {
        let mut new = m.clone();
        *new.receiver = self.expr(&m.receiver);
        let taken = payload(of);
        for (k, (old, new)) in m.args.iter().zip(&mut new.args).enumerate() {
            *new = match strip(old) {
                syn::Expr::Closure(c) => {
                    let taken = taken.clone().filter(|_| takes_payload(&m.method, k));
                    self.closure_of_part(c, taken)
                }
                syn::Expr::Path(_) if takes_payload(&m.method, k) => {
                    if taken.as_ref().is_some_and(kinds::within) {
                        self.refuse(old, &error::ARRAY_CLOSURE);
                    }
                    old.clone()
                }
                old => self.part(old),
            };
        }
        syn::Expr::MethodCall(new)
    }

    fn closure_of_part(&mut self, c: &syn::ExprClosure, of: Option<syn::Type>) -> syn::Expr {
        let of = of.map_or(Matched::Constant(None), Matched::Made);
        self.scoped(|f| {
            let mut new = c.clone();
            for pat in &mut new.inputs {
                *pat = f.take_apart(pat, &of, None);
            }
            let ret = f.ret.take();
            *new.body = f.part(&c.body);
            f.ret = ret;
            syn::Expr::Closure(new)
        })
    }

    /// What such a method gives.
    fn type_of_method(&mut self, m: &syn::ExprMethodCall, of: &syn::Type) -> Option<syn::Type> {
        let name = m.method.to_string();
        let of_closure = |f: &mut Self, k: usize| -> Option<syn::Type> {
            let syn::Expr::Closure(c) = strip(m.args.iter().nth(k)?) else {
                return None;
            };
            let of = Matched::Made(payload(of)?);
            f.scoped(|f| {
                f.take_apart(c.inputs.first()?, &of, None);
                f.part_type(&c.body)
            })
        };
        match &*name {
            "map" => with_payload(of, &of_closure(self, 0)?),
            "and_then" => of_closure(self, 0),
            "map_or" | "map_or_else" => of_closure(self, 1),
            _ => {
                let mut call = m.clone();
                *call.receiver = parse_quote!(__holder);
                let mut names = self.names();
                names.push(("__holder".to_owned(), Some(of.clone())));
                self.seen.of(&syn::Expr::MethodCall(call), &names)
            }
        }
    }

    /// A type of results without its arrays; `None` if they are where they cannot be written out.
    pub(super) fn without_arrays(&mut self, ty: &syn::Type) -> Option<syn::Type> {
        if !kinds::within(ty) {
            return Some(ty.clone());
        }
        if let Some(kind) = kinds::read(ty) {
            let is_owned = kind.held == Held::Owned && !kind.referred;
            self.types.extend(super::signature::array_type(ty, &kind));
            return is_owned.then(|| self.owned_type(kind.rank, &kind.element));
        }
        let mut new = types::ungroup(ty).clone();
        match &mut new {
            syn::Type::Tuple(t) => {
                for part in &mut t.elems {
                    *part = self.without_arrays(part)?;
                }
            }
            syn::Type::Path(p) => {
                let last = p.path.segments.last_mut()?;
                let syn::PathArguments::AngleBracketed(args) = &mut last.arguments else {
                    return None;
                };
                if last.ident != "Option" && last.ident != "Result" {
                    return None;
                }
                for arg in &mut args.args {
                    if let syn::GenericArgument::Type(ty) = arg {
                        *ty = self.without_arrays(ty)?;
                    }
                }
            }
            _ => return None,
        }
        Some(new)
    }
}

/// What is in an option or a result, behind a reference if that is.
pub(super) fn payload(of: &syn::Type) -> Option<syn::Type> {
    match types::ungroup(of) {
        syn::Type::Reference(r) => {
            let inner = payload(&r.elem)?;
            Some(parse_quote!(&#inner))
        }
        syn::Type::Path(p) => {
            let last = p.path.segments.last()?;
            let is_sum = last.ident == "Option" || last.ident == "Result";
            is_sum.then(|| types::arguments(&p.path).first().copied().cloned())?
        }
        _ => None,
    }
}

/// The same option or result of something else.
fn with_payload(of: &syn::Type, new: &syn::Type) -> Option<syn::Type> {
    let syn::Type::Path(p) = types::behind_pointers(of) else {
        return None;
    };
    let mut p = p.clone();
    let last = p.path.segments.last_mut()?;
    let syn::PathArguments::AngleBracketed(args) = &mut last.arguments else {
        return None;
    };
    *args.args.first_mut()? = syn::GenericArgument::Type(new.clone());
    Some(syn::Type::Path(p))
}

/// Whether an argument of a method of options and results is a function of what is in them.
fn takes_payload(method: &syn::Ident, k: usize) -> bool {
    match &*method.to_string() {
        "map" | "and_then" | "is_some_and" | "is_ok_and" | "is_none_or" | "inspect" => true,
        "map_or" | "map_or_else" => k == 1,
        _ => false,
    }
}

/// `Some`, `Ok` and `Err` as functions.
pub(super) fn variant(func: &syn::Expr) -> Option<String> {
    let syn::Expr::Path(p) = strip(func) else {
        return None;
    };
    let name = p.path.segments.last()?.ident.to_string();
    matches!(&*name, "Some" | "Ok" | "Err").then_some(name)
}

fn is_variant(name: &syn::Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// Whether this is a variable or a part of one, which stays where it is.
fn is_place(e: &syn::Expr) -> bool {
    match bare(e) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_place(&f.base),
        _ => false,
    }
}
