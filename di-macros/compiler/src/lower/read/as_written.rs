//! How the types of constants are written, as far as the items around the function tell.

use super::Reader;
use super::callee::owner_of;
use super::expr::{as_path, bin_op, strip, unraw};
use super::lifted::behind_references;
use super::methods::operator_method;
use super::of_std::{Names, Seen, indexed, payload};
use super::structs::member_name;
use crate::ir::Tokens;
use crate::lower::hir::Expr;
use crate::lower::inline;
use crate::lower::methods::{Method, is_number};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::symbol;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::{Ident, TokenStream};
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
            syn::Expr::Range(r) if self.is_of_all => {
                let mut ends = [&r.start, &r.end].into_iter().flatten();
                let of = ends.find_map(|end| self.seen_among(end, names)?.value())?;
                Some(Seen::Items(of))
            }
            e => {
                let made = self.is_of_all.then(|| self.made_among(e, names));
                let of = made.flatten().or_else(|| self.written_among(e, names))?;
                Some(Seen::Value(of))
            }
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
                    true => parse_quote!([#of]),
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
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Str(_)) => Some(parse_quote!(&str)),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => {
                let of = written(&u.expr)?.to_token_stream();
                self.env
                    .operator("neg", &of.to_string(), "")?
                    .plain_output()
            }
            syn::Expr::Binary(b) => {
                let method = operator_method(bin_op(&b.op)?)?;
                let side = |e| Some(written(e)?.to_token_stream().to_string());
                let operator = self.env.operator(method, &side(&b.left)?, &side(&b.right)?);
                operator?.plain_output()
            }
            syn::Expr::Call(c) => {
                let path = &as_path(&c.func)?.path;
                match self.env.function(&path.to_token_stream().to_string()) {
                    Some(f) => {
                        let is_known = !self.is_of_all || f.signature.generics.params.is_empty();
                        let output = types::result_of(&f.signature.output);
                        output.filter(|_| is_known).cloned()
                    }
                    None => self.type_of_variant(path),
                }
            }
            _ => None,
        }
    }

    /// The type of a value that code makes: of literals, numbers, lists and structs.
    fn made_among(&self, e: &syn::Expr, names: &Names) -> Option<syn::Type> {
        let of = |e: &syn::Expr| {
            let ty = self.seen_among(e, names)?.value()?;
            // with bounds these would need parentheses
            let has_bounds = matches!(ty, syn::Type::TraitObject(_) | syn::Type::ImplTrait(_));
            (!has_bounds).then_some(ty)
        };
        let number = |e: &syn::Expr| {
            let ty = of(e).map(|ty| behind_references(&ty).clone());
            ty.filter(is_number)
        };
        let derived = |path: &syn::Path| {
            let is_one = self.env.is_struct(&path.to_token_stream().to_string());
            is_one.then(|| parse_quote!(#path))
        };
        match e {
            syn::Expr::Struct(s) => derived(&s.path),
            syn::Expr::Call(c) => {
                let path = &as_path(&c.func)?.path;
                match self.env.function(&path.to_token_stream().to_string()) {
                    Some(_) => None,
                    None => derived(path).or_else(|| self.result_of_function(path)),
                }
            }
            syn::Expr::Lit(l) => match &l.lit {
                syn::Lit::Float(f) => syn::parse_str(f.suffix()).ok(),
                syn::Lit::Int(i) => syn::parse_str(i.suffix()).ok(),
                syn::Lit::Bool(_) => Some(parse_quote!(bool)),
                _ => None,
            },
            syn::Expr::Cast(c) => Some((*c.ty).clone()),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => number(&u.expr),
            syn::Expr::Binary(b) => {
                operator_method(bin_op(&b.op)?)?;
                match (number(&b.left), number(&b.right)) {
                    (Some(left), Some(right)) => (left == right).then_some(left),
                    // a literal is of the type of the other side
                    (Some(of), None) => is_literal(&b.right).then_some(of),
                    (None, Some(of)) => is_literal(&b.left).then_some(of),
                    (None, None) => None,
                }
            }
            syn::Expr::Reference(r) => {
                let (mutability, of) = (r.mutability, of(&r.expr)?);
                Some(parse_quote!(&#mutability #of))
            }
            syn::Expr::Array(a) => {
                let (of, n) = (of(a.elems.first()?)?, a.elems.len());
                Some(parse_quote!([#of; #n]))
            }
            syn::Expr::Repeat(r) => {
                let (of, n) = (of(&r.expr)?, &r.len);
                Some(parse_quote!([#of; #n]))
            }
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => {
                let of = of(walk::arguments(&m.mac)?.first()?)?;
                Some(parse_quote!(Vec<#of>))
            }
            syn::Expr::Tuple(t) => {
                let parts = t.elems.iter().map(of).collect::<Option<Vec<_>>>()?;
                Some(parse_quote!((#(#parts,)*)))
            }
            syn::Expr::If(i) => {
                let then = hiding(&walk::bound(Node::Expr(&i.cond)), names);
                self.ended_as_written(&i.then_branch, &then)
                    .or_else(|| of(&i.else_branch.as_ref()?.1))
            }
            syn::Expr::Match(m) => m.arms.iter().find_map(|arm| {
                let names = hiding(&walk::bound(Node::Pat(&arm.pat)), names);
                self.seen_among(&arm.body, &names)?.value()
            }),
            syn::Expr::Block(b) => self.ended_as_written(&b.block, names),
            syn::Expr::Try(t) => payload(self.env.expanded(&of(&t.expr)?)),
            _ => None,
        }
    }

    /// The same of what a block ends with, or of the function of its own that it calls there.
    fn ended_as_written(&self, block: &syn::Block, names: &Names) -> Option<syn::Type> {
        let syn::Stmt::Expr(value, None) = block.stmts.last()? else {
            return None;
        };
        let own = block.stmts.iter().find_map(|stmt| match (stmt, value) {
            (syn::Stmt::Item(syn::Item::Fn(f)), syn::Expr::Call(c)) => {
                let is_it = as_path(&c.func)?.path.is_ident(&f.sig.ident);
                types::result_of(&f.sig.output).filter(|_| is_it).cloned()
            }
            _ => None,
        });
        let names = hiding(&walk::bound(Node::Block(block)), names);
        own.or_else(|| self.seen_among(value, &names)?.value())
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
                Some(parse_quote!([#of]))
            }
            ty => self.constant_type(&ty),
        }
    }

    /// The result of a method of a constant: the user's own, or std's.
    fn method_as_written(&self, m: &syn::ExprMethodCall, names: &Names) -> Option<Seen> {
        let name = m.method.to_string();
        if let ("sum" | "product", Some(written)) = (&*name, &m.turbofish)
            && self.is_of_all
        {
            return match written.args.first()? {
                syn::GenericArgument::Type(ty) => Some(Seen::Value(ty.clone())),
                _ => None,
            };
        }
        let of = match self.seen_among(&m.receiver, names) {
            Some(Seen::Value(ty)) => {
                let ty = types::behind_pointers(&self.env.expanded(&ty)).clone();
                if self.is_of_all && is_number(&ty) && symbol::elementary(&name).is_some() {
                    return Some(Seen::Value(ty));
                }
                let tokens = ty.to_token_stream();
                let own = self.result_of_own(&tokens, &name);
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
            None if name == "len" => Some(Seen::Value(parse_quote!(usize))),
            None if name == "is_empty" => Some(Seen::Value(parse_quote!(bool))),
            None => None,
        }
    }

    /// The result of a function of a type, `Newton::new`.
    pub(super) fn result_of_function(&self, path: &syn::Path) -> Option<syn::Type> {
        let (owner, called) = owner_of(path)?;
        self.result_of_own(&owner.to_token_stream(), &unraw(&called.name))
    }

    /// The result of a function or a method of this type.
    fn result_of_own(&self, of: &TokenStream, name: &str) -> Option<syn::Type> {
        let own = (self.env.method_of(of, name)).and_then(Method::plain_output);
        match own.or_else(|| self.env.passive(&of.to_string(), name))? {
            syn::Type::Path(p) if p.path.is_ident("Self") => syn::parse2(of.clone()).ok(),
            own => Some(own),
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
        match ty {
            ty if self.is_owned(e) => ty,
            ty @ (syn::Type::TraitObject(_) | syn::Type::ImplTrait(_)) => parse_quote!(&(#ty)),
            ty => parse_quote!(&#ty),
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

/// A number, which takes the type of what stands beside it.
fn is_literal(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Lit(_) => true,
        syn::Expr::Unary(u) => is_literal(&u.expr),
        _ => false,
    }
}

/// The names, of which these hide others: nothing is known of them.
fn hiding(bound: &[Ident], names: &Names) -> Vec<(String, Option<syn::Type>)> {
    let hidden = bound.iter().map(|name| (unraw(name), None));
    names.iter().cloned().chain(hidden).collect()
}
