//! Literals, names, and constants of the user and of std.

use super::expr::unraw;
use super::{Item, Reader};
use crate::error;
use crate::ir::{Lit, Tokens};
use crate::lower::aliases::before_a_member;
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Passive, Variant};
use crate::lower::ty::{Traits, Ty};
use crate::lower::types::{self, INTEGERS, read_plain, read_structs};
use crate::report::Extent;
use crate::sorted::Set;
use crate::symbol;
use crate::template::parse_quote;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;

impl Reader<'_> {
    pub(super) fn literal(&mut self, lit: &syn::Lit) -> Expr {
        let span = lit.extent();
        let (kind, ty) = match lit {
            syn::Lit::Float(f) => return self.float_literal(f.base10_digits(), f.suffix(), span),
            syn::Lit::Int(i) if matches!(i.suffix(), "f64" | "f32") => {
                return self.float_literal(i.base10_digits(), i.suffix(), span);
            }
            syn::Lit::Int(i) => match i.base10_parse::<i128>() {
                Ok(value) => {
                    let ty = if i.suffix().is_empty() {
                        self.types.fresh_with(Traits {
                            integer: true,
                            ..Traits::default()
                        })
                    } else {
                        Ty::Int(i.suffix().to_owned())
                    };
                    (Kind::Lit(Lit::Int(value)), ty)
                }
                Err(_) => return self.refuse(span, &error::LITERAL),
            },
            syn::Lit::Byte(b) => {
                let value = i128::from(b.value());
                (Kind::Lit(Lit::Int(value)), Ty::Int("u8".to_owned()))
            }
            syn::Lit::Bool(b) => (Kind::Lit(Lit::Bool(b.value)), Ty::Bool),
            other => {
                // strings and characters: passive, as arguments
                let tokens = Tokens(other.to_token_stream());
                let ty = match other {
                    syn::Lit::Str(_) => self.foreign_part(Some(&parse_quote!(&'static str))),
                    syn::Lit::Char(_) => Ty::Opaque(Tokens(parse_quote!(char))),
                    _ => self.foreign(),
                };
                (Kind::Passive(Passive::new(tokens, Vec::new())), ty)
            }
        };
        Expr { kind, ty, span }
    }

    fn float_literal(&mut self, digits: &str, suffix: &str, span: Extent) -> Expr {
        if !suffix.is_empty() && suffix != self.float {
            return self.refuse_about(span, &error::MIXED_FLOATS, suffix);
        }
        // an f32 literal is rounded once, to f32
        let value = if self.single {
            digits.parse::<f32>().map(f64::from)
        } else {
            digits.parse::<f64>()
        };
        match value {
            Ok(value) => Expr::new(Kind::Lit(Lit::Float(value)), Ty::Float, span),
            Err(_) => self.refuse(span, &error::LITERAL),
        }
    }

    pub(super) fn path(&mut self, p: &syn::ExprPath) -> Expr {
        let span = p.extent();
        if let Some(of) = &p.qself {
            return self.constant_of_type(of, p, span);
        }
        if let Some(ident) = p.path.get_ident() {
            if let Some(local) = self.lookup(&unraw(ident)) {
                return Expr::local(local, self.locals[local.0].ty.clone(), span);
            }
            if self.names_closure(ident) {
                return self.refuse_about(span, &error::CLOSURE_VALUE, ident);
            }
            if self.names_chain(&p.path) {
                return self.refuse(span, &error::ITERATOR_VALUE);
            }
            if ident == "self" {
                return self.refuse(span, &error::METHOD);
            }
        }
        self.constant(&p.path, span)
    }

    /// `<Poly<3>>::N`, `<Poly<3> as Model>::N`
    fn constant_of_type(&mut self, of: &syn::QSelf, p: &syn::ExprPath, span: Extent) -> Expr {
        let plain = match (types::ungroup(&of.ty), p.path.segments.last()) {
            (syn::Type::Path(owner), Some(name)) if owner.qself.is_none() => {
                let mut path = before_a_member(owner.path.clone());
                path.segments.push(name.clone());
                Some(path)
            }
            _ => None,
        };
        match plain {
            Some(path) if of.position == 0 => self.constant(&path, span),
            plain => {
                let known = plain.and_then(|path| self.constant_tokens(&path).1);
                let foreign = Traits {
                    foreign: true,
                    ..Traits::default()
                };
                let ty = known.unwrap_or_else(|| self.types.fresh_with(foreign));
                let tokens = Tokens(self.with_items(p.to_token_stream()));
                self.carried_constant(tokens, ty, span)
            }
        }
    }

    /// A constant of the user or of std: carried as it is, its type inferred from its use.
    fn constant(&mut self, path: &syn::Path, span: Extent) -> Expr {
        if let Some(value) = self.make_derived_variant(path, &[], span) {
            return value;
        }
        if let Some((of, code)) = self.constant_with_lengths(path)
            && let Some(lifted) = self.lifted(&of, &code, span)
        {
            return lifted;
        }
        let written = self.env.written(&path.to_token_stream().to_string());
        if let Some(Ty::Struct(of)) = written.as_ref().and_then(read_structs) {
            if let Some(lifted) = self.lifted(&of, &path.to_token_stream(), span) {
                return lifted;
            }
            if !self.is_known_struct(&of.0) {
                self.cx.ask(of.0);
            }
        }
        let (tokens, known) = self.constant_tokens(path);
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let last = names.last().cloned().unwrap_or_default();
        let owner = names
            .len()
            .checked_sub(2)
            .map(|k| names[k].as_str())
            .unwrap_or_default();
        if let ("Ordering", Some(sign)) = (owner, ordering(&last)) {
            return Expr::new(Kind::Lit(Lit::Int(sign)), Ty::Int("i8".to_owned()), span);
        }
        let ty = if let Some(ty) = known {
            ty
        } else if let Some(int) = symbol::float_property(&last).filter(|_| owner == self.float) {
            Ty::Int(int.to_owned())
        } else if names.iter().any(|n| n == self.float)
            || (owner == "consts" && symbol::is_float_constant(&last))
        {
            Ty::Float
        } else if names.iter().any(|n| n == "f32" || n == "f64") {
            return self.refuse_about(span, &error::MIXED_FLOATS, &last);
        } else if INTEGERS.contains(&owner) && last != "BITS" {
            Ty::Int(owner.to_owned())
        } else if INTEGERS.contains(&owner) {
            Ty::Int("u32".to_owned())
        } else if last == "None" && (owner.is_empty() || owner == "Option") {
            return self.variant(Variant::None, None, span);
        } else if let Some(of) = self.type_of_variant(path) {
            Ty::Opaque(Tokens(of.to_token_stream()))
        } else {
            let float = names.len() == 1 && symbol::is_float_constant(&last);
            if let (false, Some(of)) = (float, written) {
                let ty = self.foreign_part(Some(&of));
                return self.carried_constant(tokens, ty, span);
            }
            self.types.fresh_with(Traits {
                foreign: true,
                float,
                ..Traits::default()
            })
        };
        self.carried_constant(tokens, ty, span)
    }

    fn carried_constant(&mut self, tokens: Tokens, ty: Ty, span: Extent) -> Expr {
        Expr::new(Kind::Passive(Passive::new(tokens, Vec::new())), ty, span)
    }

    /// The path as it can be written anywhere: local `use` items are resolved, local constants are
    /// brought along.
    pub(super) fn constant_tokens(&mut self, path: &syn::Path) -> (Tokens, Option<Ty>) {
        let path = self.resolve_use(path);
        let known =
            path.get_ident()
                .and_then(|ident| match self.item(&ident.to_string()) {
                    Some(Item::Const(ty, _)) => Some(ty.clone()),
                    Some(Item::Use(..) | Item::Closure(_) | Item::Maker(_) | Item::Chain(_))
                    | None => None,
                });
        let known = known.or_else(|| {
            let ty = self.env.constant(&path.to_token_stream().to_string())?;
            read_plain(&ty, self.float, &mut self.types)
        });
        (Tokens(self.with_items(path.to_token_stream())), known)
    }

    /// Code with the `const` and `use` items of the function that it names around it.
    pub(super) fn with_items(&self, tokens: TokenStream) -> TokenStream {
        let mut names = Set::new();
        identifiers(tokens.clone(), &mut names);
        // a part of a list has no size, and leaves the items behind a reference alone
        let is_part = is_range_of(&tokens);
        let mut tokens = tokens;
        let (mut named, mut is_inside) = (false, false);
        for scope in self.scopes.iter().rev() {
            named |= scope.items.keys().any(|name| names.contains(name));
            // constants may name each other, also those further out
            if !named || scope.items.is_empty() {
                continue;
            }
            let mut inner = TokenStream::new();
            for item in scope.items.values() {
                if let Item::Const(_, t) = item {
                    identifiers(t.0.clone(), &mut names);
                    inner.extend(t.0.clone());
                }
            }
            let mut brought = Set::new();
            // functions name others
            while let Some((name, t)) = scope.items.iter().find_map(|(name, item)| match item {
                Item::Use(_, t) if names.contains(name) && !brought.contains(name) => {
                    Some((name, t))
                }
                Item::Use(..)
                | Item::Const(..)
                | Item::Closure(_)
                | Item::Maker(_)
                | Item::Chain(_) => None,
            }) {
                brought.insert(name);
                identifiers(t.0.clone(), &mut names);
                inner.extend(t.0.clone());
            }
            if inner.is_empty() {
                continue;
            }
            inner.extend(match is_part && !is_inside {
                true => code::reference(&tokens),
                false => tokens,
            });
            is_inside = true;
            tokens = Group::new(Delimiter::Brace, inner).to_token_stream();
        }
        match is_part && is_inside {
            true => {
                let part = code::dereferenced(&tokens);
                Group::new(Delimiter::Parenthesis, part).to_token_stream()
            }
            false => tokens,
        }
    }

    /// Code with the `use` items of the function around it that may bring the traits of writers.
    pub(super) fn with_writers(&self, tokens: TokenStream) -> TokenStream {
        let items = self.scopes.iter().flat_map(|scope| scope.items.values());
        let uses = items.filter_map(|item| match item {
            Item::Use(path, t) if path.segments.last().is_some_and(|s| s.ident == "Write") => {
                Some(t.0.clone())
            }
            Item::Use(..)
            | Item::Const(..)
            | Item::Closure(_)
            | Item::Maker(_)
            | Item::Chain(_) => None,
        });
        let mut inner: TokenStream = uses.collect();
        if inner.is_empty() {
            return tokens;
        }
        inner.extend(tokens);
        Group::new(Delimiter::Brace, inner).to_token_stream()
    }

    /// A path whose first name was brought by a `use` inside the function, written in full.
    pub(super) fn resolve_use(&self, path: &syn::Path) -> syn::Path {
        let Some(first) = path.segments.first() else {
            return path.clone();
        };
        match self.item(&first.ident.to_string()) {
            Some(Item::Use(full, _)) if path.leading_colon.is_none() => {
                let mut resolved = full.clone();
                if let Some(last) = resolved.segments.last_mut() {
                    last.arguments = first.arguments.clone();
                }
                resolved
                    .segments
                    .extend(path.segments.iter().skip(1).cloned());
                resolved
            }
            Some(
                Item::Use(..)
                | Item::Const(..)
                | Item::Closure(_)
                | Item::Maker(_)
                | Item::Chain(_),
            )
            | None => path.clone(),
        }
    }
}

/// Whether this is `list[1..]`.
fn is_range_of(code: &TokenStream) -> bool {
    // most code ends otherwise
    let ends_in_brackets = matches!(code.clone().into_iter().last(), Some(TokenTree::Group(g))
        if g.delimiter() == Delimiter::Bracket && g.stream().to_string().contains(".."));
    ends_in_brackets
        && matches!(syn::parse2(code.clone()), Ok(syn::Expr::Index(i))
            if matches!(*i.index, syn::Expr::Range(_)))
}

/// `Ordering::Less` and its kin, as numbers.
fn ordering(name: &str) -> Option<i128> {
    match name {
        "Less" => Some(-1),
        "Equal" => Some(0),
        "Greater" => Some(1),
        _ => None,
    }
}

/// Names that are looked up where they stand: not fields, methods, and what follows `::`.
pub(super) fn identifiers(tokens: TokenStream, names: &mut Set<String>) {
    let mut before = None;
    for tree in tokens {
        let mut sign = None;
        match tree {
            TokenTree::Ident(ident) if !matches!(before, Some('.' | ':')) => {
                names.insert(unraw(&ident));
            }
            TokenTree::Group(group) => identifiers(group.stream(), names),
            TokenTree::Punct(p) => sign = code::access(before, &p),
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
        before = sign;
    }
}
