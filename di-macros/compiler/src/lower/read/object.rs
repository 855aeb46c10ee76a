//! Methods of trait objects, which are a choice between those of all types that are behind them.

use super::Reader;
use super::expr::strip;
use crate::error;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::Expr;
use crate::lower::hir::Kind;
use crate::lower::ty::Ty;
use crate::lower::types::trait_of;
use crate::symbol::cast;
use crate::template::parse_quote;
use proc_macro2::{Ident, Span};
use quote::ToTokens;

impl Reader<'_> {
    /// `payoff.value(s)` of `payoff: &dyn Payoff`, if what is given may be differentiated.
    pub(super) fn method_of_object(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let of_trait = self.active_object(m)?;
        let Some(types) = self.env.objects(&of_trait) else {
            let name = m.method.to_string();
            return Some(self.refuse_about(m.extent(), &error::TRAIT_OBJECT, name));
        };
        let (receiver, name) = (&m.receiver, &m.method);
        let mut given: Vec<syn::Stmt> = Vec::new();
        let args: Vec<syn::Expr> = m
            .args
            .iter()
            .enumerate()
            .map(|(k, arg)| match strip(arg) {
                syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Reference(_) => arg.clone(),
                _ => {
                    let own = Ident::new(&format!("__given{k}"), Span::call_site());
                    given.push(parse_quote!(let #own = #arg;));
                    parse_quote!(#own)
                }
            })
            .collect();
        let arms = types.iter().enumerate().map(|(k, ty)| -> syn::Arm {
            let (cast, ty) = (cast(ty), Ident::new(ty, Span::call_site()));
            parse_quote!(#k => { let __object: &#ty = (#receiver).#cast(); __object.#name(#(#args),*) })
        });
        let chosen: syn::Expr = parse_quote!({
            #(#given)*
            match (#receiver).__which() { #(#arms)* _ => ::core::panic!("an object of another type") }
        });
        Some(self.expr(&chosen))
    }

    /// The trait of an object whose method is called with what may be differentiated.
    pub(super) fn active_object(&self, m: &syn::ExprMethodCall) -> Option<String> {
        let is_active = m.args.iter().any(|arg| self.may_be_active(arg));
        is_active.then(|| self.object_of(&m.receiver)).flatten()
    }

    /// The trait of an object, behind references and boxes.
    fn object_of(&self, e: &syn::Expr) -> Option<String> {
        trait_of(&self.type_as_written(e)?)
    }

    /// What goes into a box: a value of the enum of objects, if the type is one of theirs.
    pub(super) fn boxed(&mut self, e: Expr) -> Expr {
        // `Rc::clone(&law)`
        if let Ty::Ref(false, of) = self.types.shallow(&e.ty)
            && self.is_of_objects(&of)
        {
            let span = e.span;
            return Expr::new(Kind::CopyOf(Box::new(e)), *of, span);
        }
        let (Ty::Struct(path) | Ty::Opaque(path)) = self.types.shallow(&e.ty) else {
            return e;
        };
        let name = path.0.to_string();
        let of = self.env.boxed_type(&name).cloned();
        let variant = of.and_then(|of| Some((self.env.derived_variant(&of, &name)?, of)));
        let Some((variant, of)) = variant else {
            return e;
        };
        let [of, name] = [&of, &name].map(|name| Ident::new(name, Span::call_site()));
        let is_whole =
            |f: &syn::Field| matches!(&f.ty, syn::Type::Path(p) if p.path.is_ident(&name));
        let (members, parts) = (variant.fields.members(), variant.fields.members());
        let made: syn::Expr =
            match variant.fields.iter().all(is_whole) && !variant.fields.is_empty() {
                true => parse_quote!(#of::#name(__boxed)),
                false => parse_quote!(#of::#name { #(#members: __boxed.#parts),* }),
            };
        self.keeping_as("__boxed", e, |r, _| r.expr(&made))
    }

    /// Whether a value of this type may be behind an object.
    pub(super) fn is_to_box(&self, ty: &Ty) -> bool {
        match self.types.peel(ty) {
            Ty::Struct(path) | Ty::Opaque(path) => {
                self.env.boxed_type(&path.0.to_string()).is_some() || self.is_of_objects(ty)
            }
            _ => false,
        }
    }

    /// Whether the one type is that of objects, and the other one that is behind them, or what is borrowed of one.
    pub(super) fn is_boxed(&self, objects: &Tokens, ty: &Ty) -> bool {
        let is_borrowed = matches!(ty, Ty::Ref(false, _));
        match self.types.peel(ty) {
            Ty::Struct(path) | Ty::Opaque(path) => {
                let [objects, ty] = [objects, &path].map(|path| path.0.to_string());
                self.env.is_boxed(&objects, &ty) || is_borrowed && self.is_objects(&ty, &objects)
            }
            _ => false,
        }
    }

    /// A value, or what is borrowed, as an object of this type.
    pub(super) fn boxed_whole(&mut self, e: &Expr, wanted: &Ty) -> Option<Expr> {
        let Ty::Struct(wanted) = self.types.shallow(wanted) else {
            return None;
        };
        let ty = self.types.shallow(&e.ty);
        if !self.is_boxed(&wanted, &ty) {
            return None;
        }
        let (mut of, mut ty) = (e.clone(), ty);
        while let Ty::Ref(_, behind) = ty {
            ty = self.types.shallow(&behind);
            let span = of.span;
            of = Expr::new(Kind::Deref(Box::new(of)), ty.clone(), span);
        }
        Some(self.boxed(of))
    }

    /// The type of objects for two values, or what is borrowed, that are not of one type.
    pub(super) fn boxed_of_two(&self, a: &Ty, b: &Ty) -> Option<Ty> {
        if matches!(self.types.shallow(a), Ty::Ref(true, _)) {
            return None;
        }
        match (self.types.peel(a), self.types.peel(b)) {
            (Ty::Struct(a) | Ty::Opaque(a), Ty::Struct(b) | Ty::Opaque(b)) => {
                let [a, b] = [a, b].map(|path| path.0.to_string());
                let objects = |ty: &String| match self.env.boxed().values().find(|of| *of == ty) {
                    Some(of) => Some(of),
                    None => self.env.boxed_type(ty),
                };
                let of = objects(&a).filter(|of| a != b && objects(&b) == Some(*of))?;
                let of = Ident::new(of, Span::call_site());
                Some(Ty::Struct(Tokens(of.to_token_stream())))
            }
            _ => None,
        }
    }

    fn is_objects(&self, ty: &str, objects: &str) -> bool {
        ty == objects && self.env.boxed().values().any(|of| of == objects)
    }

    /// Whether this is the type of objects that are made of what varies, or of what is borrowed of them.
    pub(super) fn is_of_objects(&self, ty: &Ty) -> bool {
        match self.types.peel(ty) {
            Ty::Struct(path) => {
                let path = path.0.to_string();
                self.env.boxed().values().any(|name| *name == path)
            }
            _ => false,
        }
    }

    /// `law.as_ref()` of a box is what is in it.
    pub(super) fn object_behind(&self, name: &str, receiver: &Expr) -> Option<Expr> {
        let mutable = match name {
            "as_ref" => false,
            "as_mut" => true,
            _ => return None,
        };
        if !self.is_of_objects(&receiver.ty) {
            return None;
        }
        let of = receiver.clone();
        Some(match self.types.shallow(&of.ty) {
            Ty::Ref(..) => of,
            ty => Expr::reference(mutable, Expr { ty, ..of }),
        })
    }
}
