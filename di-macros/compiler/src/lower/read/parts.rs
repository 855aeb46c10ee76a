//! Parts of constants that a pattern looks into, with the types that their enums and structs write.

use super::Reader;
use super::expr::unraw;
use super::lifted::behind_references;
use super::option::variant_of;
use super::pattern::is_rest;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Foreign, Local, Pat};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::types::element;
use crate::sorted::Map;
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use quote::ToTokens;

impl Reader<'_> {
    pub(super) fn foreign_pattern(&mut self, pat: &syn::Pat, of: &Ty) -> Pat {
        let mut written = self.parts_as_written(pat, of);
        let mut binds: Vec<(String, Local)> = Vec::new();
        for ident in walk::bound(Node::Pat(pat)) {
            let name = unraw(&ident);
            if name.starts_with(char::is_uppercase) || binds.iter().any(|(n, _)| *n == name) {
                continue;
            }
            let ty = written.remove(&name).unwrap_or_else(|| self.foreign());
            let mutable =
                matches!(ty, Ty::Float | Ty::Int(_) | Ty::Bool) && is_mutable(pat, &ident);
            let local = self.bind_name(&name, mutable, ty, ident.extent());
            binds.push((name, local));
        }
        if let Ty::Ref(true, _) = self.types.shallow(of) {
            self.borrowed_parts
                .extend(binds.iter().map(|(_, local)| local));
        }
        let mut pat = pat.clone();
        self.resolve_uses(&mut pat);
        leave_rest(&mut pat);
        Pat::Foreign(Foreign {
            tokens: Tokens(pat.to_token_stream()),
            of: of.clone(),
            binds,
        })
    }

    /// Writes the paths in a pattern in full that a `use` in the function has brought; without `mut`.
    fn resolve_uses(&self, pat: &mut syn::Pat) {
        walk::change(NodeMut::Pat(pat), &mut |node| {
            let NodeMut::Pat(pat) = node else {
                return Onward::Into;
            };
            // what changes is a variable of our own
            if let syn::Pat::Ident(p) = pat {
                p.mutability = None;
            }
            match pat {
                syn::Pat::Ident(p) if p.subpat.is_none() => {
                    let path = self.resolve_use(&p.ident.clone().into());
                    if path.segments.len() > 1 {
                        *pat = parse_quote!(#path);
                    }
                }
                syn::Pat::TupleStruct(p) => p.path = self.resolve_use(&p.path),
                syn::Pat::Struct(p) => p.path = self.resolve_use(&p.path),
                syn::Pat::Path(p) => p.path = self.resolve_use(&p.path),
                _ => {}
            }
            Onward::Into
        });
    }

    /// The types of the names in a pattern that looks into a constant, as its enums and structs write them.
    pub(super) fn parts_as_written(&mut self, pat: &syn::Pat, ty: &Ty) -> Map<String, Ty> {
        let of = self.constant_type(ty).or_else(|| self.as_written(ty));
        let mut found = Map::new();
        let by_ref = match self.types.shallow(ty) {
            Ty::Ref(..) => Some(true),
            Ty::Opaque(_) => Some(false),
            // a reference or not
            _ => None,
        };
        self.written_parts(pat, of.as_ref(), by_ref, &mut found);
        let parts = found.into_iter().map(|(name, (of, by_ref))| {
            let plain = types::read_plain(&of, self.float, &mut self.types);
            if let Some(number @ (Ty::Float | Ty::Int(_) | Ty::Bool)) = plain {
                let ty = match by_ref {
                    Some(false) => number,
                    // behind references they are looked at as they are
                    Some(true) | None => self.types.fresh_written(Tokens(of.into_token_stream())),
                };
                return (name, ty);
            }
            let ty = match by_ref {
                Some(_) if self.is_derived(&of) => Ty::Opaque(Tokens(of.into_token_stream())),
                _ => self.foreign_part(Some(&of)),
            };
            match by_ref {
                Some(true) => (name, Ty::reference(false, ty)),
                _ => (name, ty),
            }
        });
        parts.collect()
    }

    /// `by_ref`: whether names are references, as far as this is known.
    fn written_parts(
        &self,
        pat: &syn::Pat,
        of: Option<&syn::Type>,
        by_ref: Option<bool>,
        found: &mut Map<String, (syn::Type, Option<bool>)>,
    ) {
        let is_behind = of.is_some_and(|ty| matches!(types::ungroup(ty), syn::Type::Reference(_)));
        let of = of.map(|ty| behind_references(ty).clone());
        let field = |path: &syn::Path, member: &str| {
            let path = self.resolve_use(path).to_token_stream().to_string();
            let of = of.as_ref().map(|ty| ty.to_token_stream().to_string());
            let last = path.rsplit("::").next().unwrap_or_default();
            let beside = of.and_then(|of| self.env.field(&format!("{of}::{last}"), member));
            beside.or_else(|| self.env.field(&path, member))
        };
        match pat {
            syn::Pat::Ident(p) => {
                let by_ref = if p.by_ref.is_some() || is_behind {
                    Some(true)
                } else {
                    by_ref
                };
                found.extend(of.map(|ty| (unraw(&p.ident), (ty, by_ref))));
            }
            syn::Pat::Reference(r) => {
                self.written_parts(&r.pat, of.as_ref(), Some(false), found);
            }
            syn::Pat::Paren(p) => self.written_parts(&p.pat, of.as_ref(), by_ref, found),
            syn::Pat::Or(or) => {
                let cases = or.cases.iter();
                cases.for_each(|p| self.written_parts(p, of.as_ref(), by_ref, found));
            }
            syn::Pat::Tuple(t) if !t.elems.iter().any(is_rest) => {
                let Some(syn::Type::Tuple(parts)) = of else {
                    return;
                };
                for (p, ty) in t.elems.iter().zip(&parts.elems) {
                    self.written_parts(p, Some(ty), by_ref, found);
                }
            }
            syn::Pat::Slice(s) => {
                let part = of.as_ref().and_then(|of| element(of));
                for p in s.elems.iter().filter(|p| !is_rest(p)) {
                    self.written_parts(p, part, by_ref, found);
                }
            }
            syn::Pat::TupleStruct(t) if !t.elems.iter().any(is_rest) => {
                for (k, p) in t.elems.iter().enumerate() {
                    let payload = of.as_ref().and_then(|of| payload(of, &t.path));
                    let ty = payload.or_else(|| field(&t.path, &k.to_string()));
                    self.written_parts(p, ty.as_ref(), by_ref, found);
                }
            }
            syn::Pat::Struct(s) => {
                for f in &s.fields {
                    let ty = field(&s.path, &f.member.to_token_stream().to_string());
                    self.written_parts(&f.pat, ty.as_ref(), by_ref, found);
                }
            }
            _ => {}
        }
    }
}

/// What is in an option or a result, if a pattern looks into one.
fn payload(of: &syn::Type, variant: &syn::Path) -> Option<syn::Type> {
    let syn::Type::Path(of) = of else {
        return None;
    };
    let part = variant_of(variant)
        .filter(|_| types::is_sum(&of.path))?
        .payload();
    types::arguments(&of.path).get(part).map(|ty| (*ty).clone())
}

/// Whether a pattern binds a name by `mut`.
fn is_mutable(pat: &syn::Pat, name: &proc_macro2::Ident) -> bool {
    walk::any(Node::Pat(pat), &mut |node| match node {
        Node::Pat(syn::Pat::Ident(p)) => p.ident == *name && p.mutability.is_some(),
        _ => false,
    })
}

/// `P { a }`   =>   `P { a, .. }`
///
/// Rustc reports fields that are missing in the function.
pub(super) fn leave_rest(pat: &mut syn::Pat) {
    walk::change(NodeMut::Pat(pat), &mut |node| {
        if let NodeMut::Pat(syn::Pat::Struct(p)) = node
            && p.rest.is_none()
        {
            if !p.fields.empty_or_trailing() {
                p.fields.push_punct(parse_quote!(,));
            }
            p.rest = Some(syn::PatRest {
                attrs: Vec::new(),
                dot2_token: parse_quote!(..),
            });
        }
        Onward::Into
    });
}
