//! How the types of constants are written, as far as the items around the function tell.

use super::Reader;
use super::expr::{strip, unraw};
use super::lifted::behind_references;
use super::of_std::{Names, Seen, indexed};
use super::structs::member_name;
use crate::ir::Tokens;
use crate::lower::hir::Expr;
use crate::lower::inline;
use crate::lower::methods::Method;
use crate::lower::ty::Ty;
use crate::lower::types;
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Reader<'_> {
    /// Code that is carried as it is written; what goes into it, the compiler does not look at.
    pub(super) fn passive_code(&mut self, e: &syn::Expr, explicit: bool) -> Expr {
        self.code_with(e, explicit, &|_, _| true)
    }

    /// The type of an expression, as a type of the user's.
    pub(super) fn type_as_written(&self, e: &syn::Expr) -> Option<syn::Type> {
        self.seen_among(e, &[])?.value()
    }

    /// The same, also of iterators over constants, where closures have given variables these types.
    pub(super) fn seen_among(&self, e: &syn::Expr, names: &Names) -> Option<Seen> {
        match strip(e) {
            syn::Expr::MethodCall(m) => self.method_as_written(m, names),
            e => Some(Seen::Value(self.written_among(e, names)?)),
        }
    }

    fn written_among(&self, e: &syn::Expr, names: &Names) -> Option<syn::Type> {
        let written = |e: &syn::Expr| self.seen_among(e, names)?.value();
        match strip(e) {
            syn::Expr::Path(p) => {
                let name = p.path.get_ident().map(unraw);
                let own = name
                    .as_ref()
                    .and_then(|name| names.iter().rev().find(|n| n.0 == *name));
                if let Some((_, ty)) = own {
                    return ty.clone();
                }
                match name.and_then(|name| self.lookup(&name)) {
                    Some(local) => self.as_written(&self.locals[local.0].ty),
                    None => match self.env.written(&p.path.to_token_stream().to_string()) {
                        Some(of) => Some(of),
                        None => self.type_of_variant(&p.path),
                    },
                }
            }
            syn::Expr::Field(f) => {
                let of = written(&f.base)?;
                self.part_as_written(&of, &member_name(&f.member))
            }
            syn::Expr::Index(i) => {
                let of = self.env.expanded(&written(&i.expr)?);
                let of = indexed(behind_references(&of))?;
                let is_range = matches!(strip(&i.index), syn::Expr::Range(_))
                    || self.constant_range(&i.index).is_some();
                Some(match is_range {
                    true => syn::parse_quote!([#of]),
                    false => of,
                })
            }
            syn::Expr::Reference(r) => written(&r.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                Some(match written(&u.expr)? {
                    syn::Type::Reference(r) => *r.elem,
                    of => of,
                })
            }
            syn::Expr::Struct(s) => self.type_of_variant(&s.path),
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Float(_)) => {
                syn::parse_str(self.float).ok()
            }
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Str(_)) => Some(syn::parse_quote!(&str)),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => {
                let of = written(&u.expr)?.to_token_stream();
                self.env
                    .operator("neg", &of.to_string(), "")?
                    .plain_output()
            }
            syn::Expr::Binary(b) => {
                let method = super::methods::operator_method(super::expr::bin_op(&b.op)?)?;
                let side = |e| Some(written(e)?.to_token_stream().to_string());
                let operator = self.env.operator(method, &side(&b.left)?, &side(&b.right)?);
                operator?.plain_output()
            }
            syn::Expr::Call(c) => match strip(&c.func) {
                syn::Expr::Path(p) => {
                    let path = p.path.to_token_stream().to_string();
                    match self.env.function(&path) {
                        Some(f) => types::result_of(&f.signature.output).cloned(),
                        None => self.type_of_variant(&p.path),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of a component or a field of a constant, also of what it points to.
    pub(super) fn part_as_written(&self, of: &syn::Type, name: &str) -> Option<syn::Type> {
        let of = self.env.expanded(of);
        match types::behind_pointers(&of) {
            syn::Type::Tuple(t) => t.elems.iter().nth(name.parse().ok()?).cloned(),
            of => self.env.field(&of.to_token_stream().to_string(), name),
        }
    }

    /// How the type of a value is written, where one without numbers is at the end of it.
    pub(super) fn as_written(&self, ty: &Ty) -> Option<syn::Type> {
        match self.types.peel(ty) {
            Ty::Opaque(tokens) | Ty::Struct(tokens) => syn::parse2(tokens.0).ok(),
            Ty::Int(name) => syn::parse_str(&name).ok(),
            // constants in a row
            Ty::Slice(of) | Ty::Vec(of) | Ty::Array(of, _)
                if matches!(self.types.peel(&of), Ty::Opaque(_)) =>
            {
                let of = self.as_written(&of)?;
                Some(syn::parse_quote!([#of]))
            }
            ty => self.constant_type(&ty),
        }
    }

    /// The result of a method of a constant: the user's own, or std's.
    fn method_as_written(&self, m: &syn::ExprMethodCall, names: &Names) -> Option<Seen> {
        let name = m.method.to_string();
        let of = match self.seen_among(&m.receiver, names) {
            Some(Seen::Value(ty)) => {
                let ty = types::behind_pointers(&self.env.expanded(&ty)).clone();
                let tokens = ty.to_token_stream();
                let path = tokens.to_string();
                let own = (self.env.method_of(&tokens, &name)).and_then(Method::plain_output);
                let own = own.or_else(|| self.env.passive(&path, &name));
                if let Some(own) = own.or_else(|| self.result_in_place(&tokens, &name)) {
                    return Some(Seen::Value(own));
                }
                // of its traits not all is known
                let is_std = !self.is_known_struct(&tokens) || name == "clone";
                is_std.then(|| Seen::Value(self.as_held(ty, &m.receiver)))
            }
            of => of,
        };
        match of {
            Some(of) => self.result_of_std(of, m, names),
            None if name == "len" => Some(Seen::Value(syn::parse_quote!(usize))),
            None if name == "is_empty" => Some(Seen::Value(syn::parse_quote!(bool))),
            None => None,
        }
    }

    /// The result of a method whose body stands in the place of its calls elsewhere.
    fn result_in_place(&self, of: &TokenStream, name: &str) -> Option<syn::Type> {
        let function = self.higher_of(&Tokens(of.clone()), name)?;
        let is_open =
            !function.sig.generics.params.is_empty() || inline::gives_iterator(&function.sig);
        types::result_of(&function.sig.output)
            .filter(|_| !is_open)
            .cloned()
    }

    /// The type of a constant, behind a reference if what is called on it does not take it: of a variable that is one, of
    /// a part, and of what is not known.
    pub(super) fn as_held(&self, ty: syn::Type, e: &syn::Expr) -> syn::Type {
        match self.is_owned(e) {
            true => ty,
            false => syn::parse_quote!(&#ty),
        }
    }

    /// Whether an expression is a value of its own, as calls return them, or a variable for one.
    fn is_owned(&self, e: &syn::Expr) -> bool {
        let is_value = |ty: &syn::Type| !matches!(types::ungroup(ty), syn::Type::Reference(_));
        match strip(e) {
            syn::Expr::Path(p) => {
                let local = self.local_by(&p.path);
                local.is_some_and(|local| {
                    let ty = self.types.shallow(&self.locals[local.0].ty);
                    let written = match &ty {
                        Ty::Opaque(of) => Some(of),
                        ty => self.types.written(ty),
                    };
                    let written = written.and_then(|of| syn::parse2(of.0.clone()).ok());
                    local.0 >= self.parameters && written.is_some_and(|ty| is_value(&ty))
                })
            }
            e @ syn::Expr::Call(_) => self.type_as_written(e).is_some_and(|ty| is_value(&ty)),
            syn::Expr::MethodCall(m) if m.method == "clone" => true,
            e @ syn::Expr::MethodCall(_) => self.type_as_written(e).is_some_and(|ty| is_value(&ty)),
            _ => false,
        }
    }
}
