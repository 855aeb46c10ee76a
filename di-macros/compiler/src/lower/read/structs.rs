//! Derived structs: fields, literals, patterns. The type of a field is that of the definition, where that is known, and
//! else inferred from its uses, once for all values of one struct.

use super::Reader;
use super::expr::unraw;
use super::pattern::Mode;
use crate::error;
use crate::ir::Tokens;
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Pat};
use crate::lower::ty::{Traits, Ty};
use crate::lower::types;
use crate::report::Extent;
use crate::symbol;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Reader<'_> {
    /// The path of a struct type; a variable that can be one becomes one.
    pub(super) fn struct_path(&mut self, ty: &Ty) -> Option<Tokens> {
        match self.types.peel(ty) {
            Ty::Struct(path) => Some(path),
            var @ Ty::Var(_) => {
                let path = self.types.name(&var)?.clone();
                let bound = Ty::Struct(path.clone());
                self.types.unify(&var, &bound).ok()?;
                Some(path)
            }
            Ty::Float
            | Ty::Int(_)
            | Ty::Bool
            | Ty::Tuple(_)
            | Ty::Ref(..)
            | Ty::Array(..)
            | Ty::Slice(_)
            | Ty::Vec(_)
            | Ty::Sum(_)
            | Ty::Bundle(..)
            | Ty::Opaque(_) => None,
        }
    }

    /// Type of a field of the struct with this path.
    pub(super) fn field_type(&mut self, path: &Tokens, name: &str) -> Ty {
        let key = (path.0.to_string(), name.to_owned());
        if let Some(ty) = self.fields.get(&key) {
            return ty.clone();
        }
        let hash = symbol::hash(name);
        let inner = self.projection(&path.0, &format!("::FieldOf<{hash}>>::Type"));
        let written = self.env.field(&path.0.to_string(), name);
        if let Some(written) = &written
            && (self.env.is_data(&path.0.to_string(), name)
                || self.env.constant_part(&path.0.to_string(), name).is_some())
        {
            let ty = Ty::Opaque(Tokens(written.to_token_stream()));
            self.fields.insert(key, ty.clone());
            return ty;
        }
        if let Some(written) = written
            && let Some(ty) = self.known_type(&written, inner.clone())
        {
            self.fields.insert(key, ty.clone());
            return ty;
        }
        let traits = Traits {
            field: true,
            ..Traits::default()
        };
        let ty = self.types.fresh_named(inner, traits);
        self.fields.insert(key, ty.clone());
        ty
    }

    /// The same where code makes or reads the field: floats of the other width would be rounded.
    pub(super) fn field_at(&mut self, path: &Tokens, name: &str, span: Extent) -> Ty {
        let owner = path.0.to_string();
        let written = self.env.field(&owner, name);
        if let Some(ty) = written.map(|ty| self.env.expanded(&ty))
            && !self.env.is_constant_number(&owner, name)
            && walk::any(
                Node::Type(&ty),
                &mut |node| matches!(node, Node::Type(ty) if types::is_other_float(ty, self.float)),
            )
        {
            let ty = ty.to_token_stream();
            self.cx.error_about(span, &error::MIXED_FLOATS, ty);
        }
        self.field_type(path, name)
    }

    /// Type of an element of a field that is a sequence.
    pub(super) fn item_type(&mut self, sequence: &Ty, traits: Traits) -> Ty {
        match self.types.name(sequence).cloned() {
            Some(path) => {
                let item = self.projection(&path.0, "::Sequence>::Item");
                self.types.fresh_named(item, traits)
            }
            None => self.types.fresh_with(traits),
        }
    }

    /// `<path as rt::Trait>::Item`, where `item` is `::Trait>::Item`.
    pub(super) fn projection(&self, path: &TokenStream, item: &str) -> Tokens {
        let item = item.parse().expect("tokens of our own");
        self.projection_of(path, item)
    }

    pub(super) fn projection_of(&self, path: &TokenStream, item: TokenStream) -> Tokens {
        let own = |text: &str| text.parse::<TokenStream>().expect("tokens of our own");
        let mut tokens = own("<");
        tokens.extend(path.clone());
        tokens.extend(own("as"));
        tokens.extend(self.rt.clone());
        tokens.extend(item);
        Tokens(tokens)
    }

    pub(super) fn struct_literal(&mut self, s: &syn::ExprStruct) -> Expr {
        let span = s.extent();
        if s.qself.is_some() {
            return self.refuse(s.path.extent(), &error::QUALIFIED_PATH);
        }
        let fields: Vec<(String, &syn::Expr)> = s
            .fields
            .iter()
            .map(|f| (member_name(&f.member), &f.expr))
            .collect();
        if let Some(value) = self.make_derived_variant(&s.path, &fields, span) {
            return value;
        }
        if let Some(value) = self.constant_variant_of_fields(s) {
            return value;
        }
        let path = self.resolve_use(&s.path).to_token_stream().to_string();
        let fields: Vec<(String, Expr)> = fields
            .into_iter()
            .map(|(name, e)| {
                let value = self.field_value(&path, &name, e);
                (name, value)
            })
            .collect();
        let rest = s.rest.as_deref().map(|e| of_type(e, &s.path));
        self.make_struct(&s.path, fields, rest.as_ref(), span)
    }

    /// The value for a field of the struct with this path.
    pub(super) fn field_value(&mut self, path: &str, name: &str, e: &syn::Expr) -> Expr {
        let Some(ty) = self.env.constant_part(path, name) else {
            let own = self.env.field(path, name);
            let written = own.or_else(|| self.written_part(path, name));
            let expected = written.and_then(|ty| self.as_expected_by(e, &ty));
            return self.expr(expected.as_ref().unwrap_or(e));
        };
        // in generated code a part is borrowed
        let is_part =
            matches!(super::expr::strip(e), syn::Expr::Field(_)) && self.place_type(e).is_some();
        // and so is what a variable stands for
        let is_variable = self.local_of(e).is_some();
        let copy = (is_part || is_variable).then(|| parse_quote!(#e.clone()));
        let ty = Ty::Opaque(Tokens(ty.to_token_stream()));
        if let syn::Expr::Macro(m) = super::expr::strip(e)
            && m.mac.path.is_ident("format")
        {
            return Expr {
                ty,
                ..self.macro_expr(&m.mac)
            };
        }
        Expr {
            ty,
            ..self.passive(copy.as_ref().unwrap_or(e), false)
        }
    }

    /// `P(a, b)` of a tuple struct, or `P { .. }`.
    pub(super) fn make_struct(
        &mut self,
        path: &syn::Path,
        mut fields: Vec<(String, Expr)>,
        rest: Option<&syn::Expr>,
        span: Extent,
    ) -> Expr {
        let resolved = self.resolve_use(path);
        let names: Vec<String> = resolved
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let upper = |k: usize| names[k].starts_with(char::is_uppercase);
        // `E::A` is a variant of an enum
        if names.len() > 1 && upper(names.len() - 2) {
            let last = names[names.len() - 1].clone();
            return self.refuse_about(path.extent(), &error::CONSTRUCTOR, last);
        }
        if let Some(bundle) = self.make_bundle(path, &fields, rest, span) {
            return bundle;
        }
        if let Some(name) = resolved.get_ident().filter(|name| self.env.is_open(name)) {
            return self.refuse_about(path.extent(), &error::OPEN_STRUCT, name);
        }
        let path = self.with_open_lengths(&resolved);
        for (name, e) in &mut fields {
            if self.env.is_constant_list(&path.0.to_string(), name) {
                return self.refuse_about(e.span, &error::CONSTANT_FIELD, name);
            }
            if self.env.constant_part(&path.0.to_string(), name).is_some() {
                continue;
            }
            let ty = self.field_at(&path, name, e.span);
            self.types
                .set_outgoing(&e.ty, matches!(e.kind, Kind::Lit(_)));
            self.lift_to(e, &ty);
            self.unify(&ty, &e.ty.clone(), e.span);
            if self.env.is_constant_number(&path.0.to_string(), name) {
                self.hold_constant(name, e);
            }
        }
        let ty = Ty::Struct(path);
        let base = rest.map(|e| {
            let mut e = self.expr(e);
            self.fit(&mut e, &ty);
            Box::new(e)
        });
        Expr::new(Kind::Struct { fields, base }, ty, span)
    }

    /// A number for a field that is `#[constant]`: constant code reads it, which reads nothing that is differentiated.
    pub(super) fn hold_constant(&mut self, name: &str, e: &mut Expr) {
        if matches!(e.kind, Kind::Lit(_) | Kind::Passive(_) | Kind::Refused) {
            return;
        }
        // of another such field
        if self.constant_number(e).is_some()
            && let Some(code) = super::lifted::code_of_part(e)
        {
            e.kind = Kind::Passive(code);
            return;
        }
        let name = match name.parse::<usize>() {
            Ok(k) => format!("field{k}"),
            Err(_) => name.to_owned(),
        };
        let read: syn::Expr = {
            let name = code::name_of(&name);
            parse_quote!(#name)
        };
        let ty = e.ty.clone();
        *e = self.keeping_as(&name, e.clone(), |r, _| Expr {
            ty,
            ..r.passive(&read, false)
        });
    }

    /// The name of the field that an expression reads or writes, if it is a number marked as constant.
    pub(super) fn constant_number(&mut self, e: &Expr) -> Option<String> {
        let Kind::Field(of, field) = &e.kind else {
            return None;
        };
        let path = self.struct_path(&of.ty)?.0.to_string();
        let is_constant = self.env.is_constant_number(&path, field);
        is_constant.then(|| field.clone())
    }

    pub(super) fn struct_pattern(&mut self, p: &syn::PatStruct, ty: &Ty, mode: Mode) -> Pat {
        let fields: Vec<(String, &syn::Pat)> = p
            .fields
            .iter()
            .map(|f| (member_name(&f.member), &*f.pat))
            .collect();
        self.bind_fields(&p.path, fields, ty, mode)
    }

    pub(super) fn tuple_struct_pattern(
        &mut self,
        p: &syn::PatTupleStruct,
        ty: &Ty,
        mode: Mode,
    ) -> Pat {
        let mut fields: Vec<(String, &syn::Pat)> = Vec::new();
        for (k, pat) in p.elems.iter().enumerate() {
            if matches!(pat, syn::Pat::Rest(_)) {
                // what follows cannot be counted from here
                if k + 1 != p.elems.len() {
                    self.cx.error(pat.extent(), &error::PATTERN_REST);
                }
                break;
            }
            fields.push((k.to_string(), pat));
        }
        self.bind_fields(&p.path, fields, ty, mode)
    }

    fn bind_fields(
        &mut self,
        path: &syn::Path,
        fields: Vec<(String, &syn::Pat)>,
        ty: &Ty,
        mode: Mode,
    ) -> Pat {
        if let Some(pat) = self.pattern_of_bundle(path, &fields, ty, mode) {
            return pat;
        }
        let path = self.resolve_use(path);
        let path = self.with_open_lengths(&path);
        self.unify(&Ty::Struct(path.clone()), ty, path_extent(&path));
        let path = self.types.with_lengths(&path);
        let mode = self.through_reference(ty, mode);
        let fields = fields.into_iter().map(|(name, pat)| {
            let field = self.field_at(&path, &name, path_extent(&path));
            let pat = self.pat(pat, &field, mode);
            let seen = match mode.by_ref {
                Some(mutable) => Ty::reference(mutable, field),
                None => field,
            };
            (name, seen, pat)
        });
        Pat::Struct(fields.collect())
    }
}

/// `P::default()` for the `Default::default()` of a value of the type `P`.
pub(super) fn of_type(e: &syn::Expr, path: &syn::Path) -> syn::Expr {
    match super::expr::strip(e) {
        e if super::memory::is_default(e) => parse_quote!(#path::default()),
        _ => e.clone(),
    }
}

/// A struct as messages name it: by its path, or by what it comes from where generated code reaches it by a projection,
/// `<f as rt::Returns>::Result`.
pub(super) fn described(path: &TokenStream) -> String {
    let Ok(syn::TypePath {
        qself: Some(of),
        path: by,
    }) = syn::parse2(path.clone())
    else {
        return format!("`{path}`");
    };
    let of = described(&of.ty.to_token_stream());
    let by = by.segments.iter().rev().nth(1);
    let part = match by.map(|s| s.ident.to_string()).as_deref() {
        Some("Returns") => "the result of",
        Some("FieldOf") => "a field of",
        Some("Sequence") => "an element of",
        Some("PartOf") => "a component of",
        Some("Payload") => "the value in",
        Some("Method") => "a method of",
        Some("Operator") => "an operator of",
        _ => return of,
    };
    format!("{part} {of}")
}

fn path_extent(path: &Tokens) -> Extent {
    let first = path.0.clone().into_iter().next();
    first
        .map_or_else(proc_macro2::Span::call_site, |t| t.span())
        .into()
}

pub(super) fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(ident) => unraw(ident),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}
