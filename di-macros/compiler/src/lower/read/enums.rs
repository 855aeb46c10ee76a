//! Derived enums: structs of the number of the variant and of what all variants hold.
//!
//! ```text
//! Shape::Rect { w: a, h }             =>   Shape { __variant: 1, __1_w: a, __1_h: h, ..zeros }
//! match s { Shape::Circle(r) => .. }  =>   match s { Shape { __variant: 0, __0_0: r, .. } => .. }
//! ```

use super::Reader;
use super::data::made_by;
use super::expr::unraw;
use super::pattern::Mode;
use super::structs::member_name;
use crate::ir::{CmpOp, Tokens};
use crate::lower::environment::fields::DerivedVariant;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Pat};
use crate::lower::ty::Ty;
use crate::lower::variants::{self, TAG, field_name};
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::ToTokens;

impl Reader<'_> {
    /// The derived enum that a path leads to a variant of, and the variant.
    pub(super) fn derived_variant(&self, path: &syn::Path) -> Option<(syn::Path, DerivedVariant)> {
        let local = self.local_by(path);
        let mut of = self.resolve_use(path);
        let name = unraw(
            &of.segments
                .pop()
                .filter(|_| local.is_none())?
                .into_value()
                .ident,
        );
        of.segments.pop_punct();
        let variant = self
            .env
            .derived_variant(&of.to_token_stream().to_string(), &name)?;
        Some((of, variant))
    }

    /// Whether an expression makes a value of a derived enum.
    pub(super) fn is_made_variant(&self, e: &syn::Expr) -> bool {
        made_by(e).is_some_and(|path| self.derived_variant(path).is_some())
    }

    /// Whether a pattern looks for variants of derived enums.
    pub(super) fn names_derived_variant(&self, pat: &syn::Pat) -> bool {
        walk::any(Node::Pat(pat), &mut |node| match node {
            Node::Path(path) => self.derived_variant(path).is_some(),
            Node::Pat(syn::Pat::Ident(p)) => {
                self.derived_variant(&p.ident.clone().into()).is_some()
            }
            _ => false,
        })
    }

    /// `Shape::Circle(r)`, `Shape::Rect { w, h }`, `Shape::Empty`
    pub(super) fn make_derived_variant(
        &mut self,
        path: &syn::Path,
        fields: &[(String, &syn::Expr)],
        span: Extent,
    ) -> Option<Expr> {
        let (of, variant) = self.derived_variant(path)?;
        if fields.len() != variant.fields.len() {
            self.cx.mismatch();
            return Some(self.refused(span));
        }
        let text = of.to_token_stream().to_string();
        let mut values = vec![(TAG.to_owned(), Expr::number(variant.number as i128, span))];
        for (name, e) in fields {
            let name = field_name(variant.number, name);
            let value = self.field_value(&text, &name, e);
            values.push((name, value));
        }
        let mut made = self.make_struct(&of, values, None, span);
        if let Kind::Struct { base, .. } = &mut made.kind
            && variant.of > 1
        {
            let (kind, ty) = (Kind::Blank, made.ty.clone());
            *base = Some(Box::new(Expr { kind, ty, span }));
        }
        Some(made)
    }

    /// The same of a call.
    pub(super) fn called_variant(
        &mut self,
        call: &syn::ExprCall,
        path: &syn::Path,
    ) -> Option<Expr> {
        let fields = call.args.iter().enumerate();
        let fields: Vec<_> = fields.map(|(k, e)| (k.to_string(), e)).collect();
        self.make_derived_variant(path, &fields, call.extent())
    }

    /// The pattern of a variant, which looks at its number first.
    pub(super) fn pattern_of_variant(
        &mut self,
        pat: &syn::Pat,
        ty: &Ty,
        mode: Mode,
    ) -> Option<Pat> {
        let (path, parts): (syn::Path, Vec<(String, &syn::Pat)>) = match pat {
            syn::Pat::Path(p) => (p.path.clone(), Vec::new()),
            syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                (p.ident.clone().into(), Vec::new())
            }
            syn::Pat::Struct(p) => {
                let fields = p.fields.iter().map(|f| (member_name(&f.member), &*f.pat));
                (p.path.clone(), fields.collect())
            }
            syn::Pat::TupleStruct(p) => {
                let (_, variant) = self.derived_variant(&p.path)?;
                let rest = p.elems.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
                let left_out = (variant.fields.len() + 1).checked_sub(p.elems.len());
                let parts = p
                    .elems
                    .iter()
                    .enumerate()
                    .filter_map(|(k, part)| match rest {
                        Some(rest) if k == rest => None,
                        Some(rest) if k > rest => Some((k - 1 + left_out?, part)),
                        _ => Some((k, part)),
                    });
                let parts = parts.map(|(k, part)| (k.to_string(), part));
                (p.path.clone(), parts.collect())
            }
            _ => return None,
        };
        let (of, variant) = self.derived_variant(&path)?;
        let of = Tokens(of.to_token_stream());
        self.unify(&Ty::Struct(of.clone()), &self.types.peel(ty), pat.extent());
        let mode = self.through_reference(ty, mode);
        let mut fields = Vec::new();
        if variant.of > 1 {
            let tag = Expr::number(variant.number as i128, pat.extent());
            fields.push((TAG.to_owned(), Ty::usize(), Pat::Value(Box::new(tag))));
        }
        for (name, pat) in parts {
            let name = field_name(variant.number, &name);
            let field = self.field_at(&of, &name, pat.extent());
            let pat = self.pat(pat, &field, mode);
            let seen = match mode.by_ref {
                Some(mutable) => Ty::reference(mutable, field),
                None => field,
            };
            fields.push((name, seen, pat));
        }
        Some(Pat::Struct(fields))
    }

    /// `shape == Shape::Empty`: whether it is this variant.
    pub(super) fn compared_with_variant(
        &mut self,
        op: CmpOp,
        left: &Expr,
        right: &Expr,
    ) -> Option<Expr> {
        let tag_of = |e: &Expr| match &e.kind {
            Kind::Struct { fields, .. } => match &fields[..] {
                [(name, tag)] if name == TAG => Some(tag.clone()),
                _ => None,
            },
            _ => None,
        };
        let (value, with) = match (tag_of(left), tag_of(right)) {
            (None, Some(tag)) => (left, tag),
            (Some(tag), None) => (right, tag),
            _ => return None,
        };
        if !matches!(self.types.peel(&value.ty), Ty::Struct(_)) {
            return None;
        }
        let span = value.span;
        let tag = Expr::new(
            Kind::Field(Box::new(value.clone()), TAG.to_owned()),
            Ty::usize(),
            span,
        );
        Some(Expr::new(
            Kind::Cmp(op, Box::new(tag), Box::new(with)),
            Ty::Bool,
            span,
        ))
    }

    /// A value of a derived enum, or of another derived struct, of the variables for its fields.
    pub(super) fn value_of_fields(
        &self,
        of: &syn::Path,
        fields: &[(String, syn::Ident)],
    ) -> Option<syn::Expr> {
        let text = of.to_token_stream().to_string();
        if !self.env.is_derived_enum(&text) {
            let members = fields
                .iter()
                .map(|(name, _)| syn::parse_str::<syn::Member>(name));
            let members: Vec<_> = members.collect::<syn::Result<_>>().ok()?;
            let names = fields.iter().map(|(_, name)| name);
            return Some(parse_quote!(#of { #(#members: #names),* }));
        }
        let named = |wanted: &str| {
            let found = fields.iter().find(|(name, _)| name == wanted);
            found.map(|(_, name)| name)
        };
        let mut arms: Vec<syn::Arm> = Vec::new();
        for (name, variant) in self.env.derived_variants(&text) {
            let k = variant.number;
            let (mut members, mut names) = (Vec::new(), Vec::new());
            for (n, (member, field)) in variant.fields.members().zip(&variant.fields).enumerate() {
                names.push(named(&field_name(k, &variants::member_name(n, field)))?);
                members.push(member);
            }
            let tag: syn::Pat = match k + 1 == variant.of {
                true => parse_quote!(_),
                false => parse_quote!(#k),
            };
            let name = syn::Ident::new(&name, proc_macro2::Span::call_site());
            arms.push(parse_quote!(#tag => #of::#name { #(#members: #names),* },));
        }
        let tag = named(TAG)?;
        Some(parse_quote!(match #tag { #(#arms)* }))
    }
}
