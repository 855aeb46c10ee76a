//! Types of code that is carried along, and constant structs that become part of what is differentiated.

use super::Reader;
use super::expr::{strip, unraw};
use super::mapped::is_given;
use crate::ir::{OPAQUE_PART, Tokens};
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Local, Passive};
use crate::lower::ty::Ty;
use crate::lower::types::{self, element};
use crate::report::Extent;
use crate::template::parse_quote;
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Reader<'_> {
    /// A derived struct that constant code makes, field by field: `P::default()`, `P::ZERO`. None if its fields are
    /// not known.
    pub(super) fn lifted(
        &mut self,
        path: &Tokens,
        code: &TokenStream,
        span: Extent,
    ) -> Option<Expr> {
        let code = Passive::new(Tokens(code.clone()), Vec::new());
        self.lifted_code(path, &code, span, false)
    }

    /// A derived struct that is read out of a constant: `let p = problem.start;`. None of other code.
    pub(super) fn lifted_value(&mut self, e: &syn::Expr, value: &Expr) -> Option<Expr> {
        let Kind::Passive(code) = &value.kind else {
            return None;
        };
        let ty = self.env.expanded(&self.type_as_written(e)?);
        let Ty::Struct(path) = types::read_structs(&ty)? else {
            return None;
        };
        self.lifted_code(&path, code, value.span, false)
    }

    /// The type of the value of code that is carried along, by that as it is written, as far as it is known.
    pub(super) fn carried(&mut self, written: Option<syn::Type>) -> Ty {
        match written {
            Some(ty) => {
                let ty = self.env.expanded(&ty);
                let known = self.carried_type(&ty);
                known.unwrap_or_else(|| self.types.fresh_written(Tokens(ty.to_token_stream())))
            }
            None => self.foreign(),
        }
    }

    /// The type of a part of a constant, of which it is known how it is written or not.
    pub(super) fn foreign_part(&mut self, written: Option<&syn::Type>) -> Ty {
        let Some(ty) = written else {
            return self.foreign();
        };
        let inner = self.env.expanded(behind_references(ty));
        let of = inner.to_token_stream();
        let is_behind = matches!(types::ungroup(ty), syn::Type::Reference(_));
        if self.is_known_struct(&of) && !is_given(ty) {
            let of = Ty::Opaque(Tokens(of));
            return match is_behind {
                true => Ty::reference(false, of),
                false => of,
            };
        }
        match types::read_plain(&inner, self.float, &mut self.types) {
            Some(of @ Ty::Var(_)) if !is_behind => of,
            Some(of @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Var(_))) if is_behind => {
                Ty::reference(false, of)
            }
            _ => self.types.fresh_written(Tokens(ty.to_token_stream())),
        }
    }

    /// Whether a type is a struct, or an enum, of which the function knows.
    pub(super) fn is_known_struct(&self, ty: &TokenStream) -> bool {
        let text = ty.to_string();
        self.env.is_opaque(&text) || self.env.is_struct(&text)
    }

    /// How the type of a constant is written, without aliases.
    pub(super) fn constant_type(&self, ty: &Ty) -> Option<syn::Type> {
        let written = match self.types.peel(ty) {
            Ty::Opaque(written) => written,
            ty => self.types.written(&ty)?.clone(),
        };
        let ty = self.env.expanded(&syn::parse2(written.0).ok()?);
        Some(behind_references(&ty).clone())
    }

    fn carried_type(&mut self, whole: &syn::Type) -> Option<Ty> {
        match (self.carried_value(whole)?, types::ungroup(whole)) {
            // behind a reference, it is one where a parameter is
            (Ty::Array(..), syn::Type::Reference(_)) => None,
            (of, syn::Type::Reference(_)) => Some(Ty::reference(false, of)),
            (of, _) => Some(of),
        }
    }

    fn carried_value(&mut self, whole: &syn::Type) -> Option<Ty> {
        let inner = behind_references(whole);
        let opaque = |ty: &syn::Type| Ty::Opaque(Tokens(ty.to_token_stream()));
        match types::read_plain(inner, self.float, &mut self.types) {
            Some(plain @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Var(_))) => Some(plain),
            Some(variant @ Ty::Opaque(_)) => Some(variant),
            Some(ty @ Ty::Array(..)) if is_of_numbers(&ty) => Some(ty),
            Some(Ty::Vec(of) | Ty::Slice(of))
                if matches!(*of, Ty::Array(..)) && is_of_numbers(&of) =>
            {
                Some(Ty::Slice(of))
            }
            // what holds floats is looked into where it is used
            Some(_) => None,
            None if self.is_known_struct(&inner.to_token_stream()) => Some(opaque(inner)),
            None => Some(Ty::Slice(Box::new(self.carried_row(element(inner)?)?))),
        }
    }

    /// What is in a constant sequence of types that are known, or of arrays of such.
    fn carried_row(&self, ty: &syn::Type) -> Option<Ty> {
        match types::ungroup(ty) {
            syn::Type::Array(a) => {
                let of = Box::new(self.carried_row(&a.elem)?);
                Some(Ty::Array(of, Tokens(types::length(&a.len))))
            }
            ty => {
                let tokens = ty.to_token_stream();
                let is_ours = self.is_derived(ty)
                    || self.env.is_opaque(&tokens.to_string())
                    || types::trait_of(ty).is_some();
                is_ours.then_some(Ty::Opaque(Tokens(tokens)))
            }
        }
    }

    pub(super) fn is_derived(&self, ty: &syn::Type) -> bool {
        self.env.is_struct(&ty.to_token_stream().to_string())
    }

    /// What a constant is to a callee that differentiates it, if it is a derived struct, or a sequence of such that
    /// is borrowed.
    pub(super) fn lifted_type(&self, ty: &Ty) -> Option<Ty> {
        let of_struct = |ty: &Ty| self.lifted_struct(ty);
        let sequence = |of| Ty::Slice(Box::new(of));
        match self.types.shallow(ty) {
            Ty::Ref(false, of) => {
                let found = match self.types.shallow(&of) {
                    Ty::Slice(of) | Ty::Vec(of) | Ty::Array(of, _) => of_struct(&of).map(sequence),
                    Ty::Ref(false, of) => of_struct(&of),
                    Ty::Opaque(written) => of_struct(&of).or_else(|| {
                        let written: syn::Type = syn::parse2(written.0).ok()?;
                        self.lifted_row(element(&written)?).map(sequence)
                    }),
                    _ => None,
                };
                found.map(|of| Ty::reference(false, of))
            }
            _ => of_struct(ty),
        }
    }

    /// A derived struct, or arrays of such.
    fn lifted_struct(&self, ty: &Ty) -> Option<Ty> {
        match self.types.shallow(ty) {
            Ty::Array(of, n) => Some(Ty::Array(Box::new(self.lifted_struct(&of)?), n)),
            Ty::Opaque(path) => self
                .env
                .is_struct(&path.0.to_string())
                .then_some(Ty::Struct(path)),
            _ => None,
        }
    }

    /// A derived struct in a sequence, or an array of such.
    fn lifted_row(&self, written: &syn::Type) -> Option<Ty> {
        match types::ungroup(written) {
            syn::Type::Array(a) => {
                let of = Box::new(self.lifted_row(&a.elem)?);
                Some(Ty::Array(of, Tokens(types::length(&a.len))))
            }
            ty => (self.is_derived(ty)).then(|| Ty::Struct(Tokens(ty.to_token_stream()))),
        }
    }

    /// Whether this is a constant of a derived struct.
    pub(super) fn is_constant_struct(&self, e: &Expr) -> bool {
        self.lifted_type(&e.ty).is_some() && carried(self, e).is_some()
    }

    /// A constant as an argument, of which the callee may differentiate what is a derived struct. Other arguments
    /// stay what they are.
    pub(super) fn lift(&self, e: &mut Expr) {
        if let (Some(ty), Some(code)) = (self.lifted_type(&e.ty), carried(self, e)) {
            (e.ty, e.kind) = (ty, Kind::Passive(code));
        }
    }

    /// Lifts arguments for parameters that are not known to be `constants`.
    pub(super) fn lift_all(&self, args: &mut [Expr], constants: &[bool]) {
        for (k, arg) in args.iter_mut().enumerate() {
            if constants.get(k) != Some(&true) {
                self.lift(arg);
            }
        }
    }

    /// A constant whose method is called: it is borrowed, and lifted as the method takes it.
    pub(super) fn lifted_receiver(&self, receiver: &Expr, path: &Tokens) -> Option<Expr> {
        let mut code = carried(self, receiver).filter(|_| self.is_constant_struct(receiver))?;
        // what a variable of ours stands for is evaluated where it is used, and does not outlive that
        let is_own = match &code.locals[..] {
            [(name, local)] => code.tokens.0.to_string() == *name && local.0 >= self.parameters,
            _ => false,
        };
        if !is_own && !matches!(self.types.shallow(&receiver.ty), Ty::Ref(..)) {
            code.tokens = Tokens(code::reference(&code.tokens.0));
        }
        Some(Expr::new(
            Kind::Passive(code),
            Ty::reference(false, Ty::Struct(path.clone())),
            receiver.span,
        ))
    }

    /// Whether this is a part of something that is differentiated.
    fn is_part(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Path(p) => p.path.get_ident().is_some_and(|i| {
                let local = self.lookup(&unraw(i));
                let ty = local.map(|l| self.types.peel(&self.locals[l.0].ty));
                matches!(ty, Some(Ty::Struct(_)))
            }),
            syn::Expr::Field(f) => self.is_part(&f.base),
            syn::Expr::Index(i) => self.is_part(&i.expr),
            syn::Expr::Reference(r) => self.is_part(&r.expr),
            _ => false,
        }
    }

    /// `Kind` for `Kind::Flat`, if nothing is known of `Kind`; and a struct that is not differentiated for itself.
    pub(super) fn type_of_variant(&self, path: &syn::Path) -> Option<syn::Type> {
        let is_type = |s: &syn::PathSegment| s.ident.to_string().starts_with(char::is_uppercase);
        let path = &self.resolve_use(path);
        let text = path.to_token_stream().to_string();
        let is_inner = path.segments.iter().rev().nth(1).is_some_and(is_type);
        if self.env.is_unit(&text) || !is_inner && self.env.has_constant_fields(&text) {
            return Some(parse_quote!(#path));
        }
        let mut of = path.clone();
        let variant = of.segments.pop()?.into_value().ident.to_string();
        of.segments.pop_punct();
        let text = of.to_token_stream().to_string();
        // capitals may also be the name of a constant
        let is_variant = self.env.has_variant(&text, &variant)
            || variant.starts_with(char::is_uppercase)
                && variant.contains(char::is_lowercase)
                && self.env.is_opaque(&text);
        is_variant.then(|| parse_quote!(#of))
    }

    /// Whether a constant of this type can have this part.
    pub(super) fn is_made(&mut self, of: &syn::Type, part: &syn::Expr) -> bool {
        let is_opaque = self.env.is_opaque(&of.to_token_stream().to_string());
        let is_length = match strip(part) {
            syn::Expr::MethodCall(m) => self.is_length(m),
            _ => false,
        };
        let is_constant = is_length || self.is_integer_of_struct(part) || !self.may_be_active(part);
        self.is_written_out(part) || is_opaque && is_constant
    }

    /// Whether this is a literal, or names what is no variable.
    fn is_written_out(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Lit(_) => true,
            syn::Expr::Unary(u) => matches!(strip(&u.expr), syn::Expr::Lit(_)),
            syn::Expr::Path(p) => {
                let name = p.path.get_ident().map(unraw);
                name.is_none_or(|name| self.lookup(&name).is_none())
            }
            _ => false,
        }
    }

    /// Whether a method of a constant is one that is differentiated.
    pub(super) fn is_own_method(&self, m: &syn::ExprMethodCall) -> bool {
        let of = self.type_as_written(&m.receiver);
        of.is_some_and(|of| {
            let of = self.env.expanded(&of);
            let of = Tokens(types::behind_pointers(&of).to_token_stream());
            let name = unraw(&m.method);
            self.env.method(&of.0.to_string(), &name).is_some()
                || self.higher_of(&of, &name).is_some()
        })
    }

    /// `link.inverse(eta)` of a type that is not differentiated, whose method is.
    pub(super) fn opaque_method(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let of = self.type_as_written(&m.receiver)?;
        let of = self.env.expanded(&of);
        let is_behind = matches!(types::ungroup(&of), syn::Type::Reference(_));
        let of = types::behind_pointers(&of).to_token_stream();
        let name = unraw(&m.method);
        if m.args.iter().any(|arg| self.may_be_active(arg)) && !self.may_be_active(&m.receiver) {
            let receiver = self.local_shallow(&m.receiver);
            let receiver = receiver.unwrap_or_else(|| Ty::Opaque(Tokens(of.clone())));
            if let Some(body) = self.method_in_place(m, &receiver, &Tokens(of.clone())) {
                return Some(self.expr(&body));
            }
        }
        // what is a constant with all its arguments is carried along
        let is_called = self.env.is_opaque(&of.to_string())
            || self.env.is_struct(&of.to_string())
                && !self.may_be_active(&m.receiver)
                && m.args.iter().any(|arg| self.may_be_active(arg));
        if !is_called || self.env.method(&of.to_string(), &name).is_none() {
            return None;
        }
        let of = Tokens(of);
        let call = |r: &mut Self, receiver: &syn::Expr| {
            let of_local = r.local_of(receiver);
            let found = of_local.map(|l| r.types.shallow(&r.locals[l.0].ty));
            let ty = match matches!(found, Some(Ty::Ref(false, _))) || is_behind {
                true => Ty::reference(false, Ty::Opaque(of.clone())),
                false => Ty::Opaque(of.clone()),
            };
            let receiver = Expr {
                ty,
                ..r.passive(receiver, false)
            };
            let rest: Vec<Expr> = m.args.iter().map(|a| r.expr(a)).collect();
            {
                let called = super::callee::Called::new(&m.method, m.turbofish.as_ref());
                r.owned_call(&of, &called, Some(receiver), rest, m.extent())
            }
        };
        if self.is_part(&m.receiver) {
            let part = self.expr(&m.receiver);
            return Some(self.with_part(part, |r| call(r, &parse_quote!((*__of)))));
        }
        Some(call(self, &m.receiver))
    }
}

/// The code that a constant, or a variable that stands for one, is carried along as.
pub(super) fn carried(r: &Reader<'_>, e: &Expr) -> Option<Passive> {
    let around = |of: &Expr, put: fn(&TokenStream) -> TokenStream| {
        let code = carried(r, of)?;
        Some(Passive {
            tokens: Tokens(put(&code.tokens.0)),
            ..code
        })
    };
    match &e.kind {
        Kind::Passive(code) if !code.explicit => Some(Passive {
            lifted: true,
            ..code.clone()
        }),
        Kind::Local(local) => {
            let name = r.locals[local.0].name.clone();
            let ident = syn::Ident::new(&name, proc_macro2::Span::call_site());
            Some(Passive {
                tokens: Tokens(ident.to_token_stream()),
                locals: vec![(name, *local)],
                explicit: false,
                lifted: true,
            })
        }
        Kind::Ref(false, of) => around(of, code::reference),
        Kind::Deref(of) => around(of, code::dereferenced),
        Kind::Field(..) if matches!(r.types.peel(&e.ty), Ty::Opaque(_)) => Some(Passive {
            lifted: true,
            ..code_of_part(e)?
        }),
        _ => None,
    }
}

/// `m.info`, a constant in a variable that is differentiated.
pub(super) fn code_of_part(e: &Expr) -> Option<Passive> {
    let (local, tokens) = part_of_variable(e)?;
    Some(Passive::new(
        Tokens(tokens),
        vec![(OPAQUE_PART.to_owned(), local)],
    ))
}

/// The variable, and the code with another name for it.
fn part_of_variable(e: &Expr) -> Option<(Local, TokenStream)> {
    match &e.kind {
        Kind::Local(local) => Some((*local, code::name_of(OPAQUE_PART).to_token_stream())),
        Kind::Field(of, name) => {
            let (local, tokens) = part_of_variable(of)?;
            Some((local, code::field(&tokens, name)))
        }
        Kind::Deref(of) => part_of_variable(of),
        _ => None,
    }
}

pub(super) fn behind_references(ty: &syn::Type) -> &syn::Type {
    match types::ungroup(ty) {
        syn::Type::Reference(r) => behind_references(&r.elem),
        ty => ty,
    }
}

/// `[usize; 3]`, `[[f64; 2]; 2]`
fn is_of_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Array(of, _) => is_of_numbers(of),
        Ty::Float | Ty::Int(_) | Ty::Bool => true,
        _ => false,
    }
}
