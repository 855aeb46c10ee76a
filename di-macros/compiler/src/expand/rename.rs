//! What an impl block calls `self` and `Self`, in a function that stands beside it.

use crate::lower::with_self;
use crate::symbol::SELF;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// `self` and `Self` by names that stand outside the block.
pub(super) struct Rename<'a> {
    pub(super) owner: &'a syn::Path,
    /// What `Self` is.
    pub(super) itself: &'a syn::Type,
    /// Associated types.
    pub(super) types: Vec<(&'a Ident, &'a syn::Type)>,
    /// The trait, if the type is a number or a list of these: its `owner` is no name that paths can begin with.
    pub(super) extended_by: Option<&'a syn::Path>,
}

impl Rename<'_> {
    pub(super) fn renamed(&self, ty: &syn::Type) -> syn::Type {
        let mut ty = ty.clone();
        self.change(NodeMut::Type(&mut ty));
        ty
    }

    pub(super) fn change(&self, root: NodeMut<'_>) {
        walk::change(root, &mut |node| self.node(node));
    }

    fn node(&self, node: NodeMut<'_>) -> Onward {
        match node {
            NodeMut::Type(ty) => {
                let Some(found) = self.stands_for(ty) else {
                    return Onward::Into;
                };
                // it may be written with `Self` itself
                let own = found.to_token_stream().to_string() == ty.to_token_stream().to_string();
                *ty = match own {
                    true => found.clone(),
                    false => self.renamed(found),
                };
                Onward::Over
            }
            NodeMut::Expr(e) => {
                let syn::Expr::Path(p) = &*e else {
                    return Onward::Into;
                };
                let segments: Vec<&Ident> = p.path.segments.iter().map(|s| &s.ident).collect();
                match segments[..] {
                    [first, name] if first == "Self" && p.qself.is_none() => {
                        match self.constant(name) {
                            Some(constant) => *e = constant,
                            None => return Onward::Into,
                        }
                        Onward::Over
                    }
                    _ => Onward::Into,
                }
            }
            NodeMut::Path(path) => {
                walk::change_below(NodeMut::Path(path), &mut |node| self.node(node));
                self.rename(path);
                Onward::Over
            }
            NodeMut::Macro(mac) => {
                mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
                with_self(mac);
                Onward::Over
            }
            // items have a `self` of their own
            NodeMut::Item(_) => Onward::Over,
            _ => Onward::Into,
        }
    }

    /// The type that is meant by `Self` or `Self::Name`.
    fn stands_for(&self, ty: &syn::Type) -> Option<&syn::Type> {
        let syn::Type::Path(p) = ty else { return None };
        if p.qself.is_some() || p.path.segments[0].ident != "Self" {
            return None;
        }
        match p.path.segments.len() {
            1 => Some(self.itself),
            2 => {
                let last = &p.path.segments[1].ident;
                let known = self.types.iter().find(|(name, _)| *name == last);
                known.map(|(_, ty)| *ty)
            }
            _ => None,
        }
    }

    // Self::W   =>   <Vec<f64> as Weighted>::W
    /// A constant of a trait on numbers or lists of these.
    fn constant(&self, name: &Ident) -> Option<syn::Expr> {
        let of_trait = self.extended_by?;
        let itself = self.itself;
        let is_constant = !name.to_string().contains(char::is_lowercase);
        is_constant.then(|| syn::parse_quote_spanned!(name.span()=> <#itself as #of_trait>::#name))
    }

    fn rename(&self, path: &mut syn::Path) {
        let Some(first) = path.segments.first() else {
            return;
        };
        if first.ident == "self" && path.segments.len() == 1 {
            let span = first.ident.span();
            path.segments[0].ident = Ident::new(SELF, span);
        } else if first.ident == "Self" {
            let span = first.ident.span();
            let (mut whole, known) = match self.associated(path) {
                Some(of) => (of, 2),
                None => (self.owner.clone(), 1),
            };
            let rest = path.segments.iter().skip(known).cloned();
            for segment in &mut whole.segments {
                segment
                    .ident
                    .set_span(segment.ident.span().located_at(span));
                // `Spline::new`, `Spline { .. }`: they are inferred
                if only_lifetimes(&segment.arguments) {
                    segment.arguments = syn::PathArguments::None;
                }
                if let syn::PathArguments::AngleBracketed(lengths) = &mut segment.arguments {
                    lengths.colon2_token = Some(Default::default());
                }
            }
            whole.segments.extend(rest);
            *path = whole;
        }
    }

    // Self::Output { .. }   =>   Money { .. }
    /// The type that a path to an associated type begins with.
    fn associated(&self, path: &syn::Path) -> Option<syn::Path> {
        let name = &path.segments.get(1)?.ident;
        let (_, ty) = self.types.iter().find(|(known, _)| *known == name)?;
        match self.renamed(ty) {
            syn::Type::Path(p) if p.qself.is_none() => Some(p.path),
            _ => None,
        }
    }

    /// What a macro is given, with the constants.
    fn with_constants(&self, tokens: TokenStream) -> TokenStream {
        let mut left: Vec<TokenTree> = tokens.into_iter().collect();
        let is_sign = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
        let mut k = 0;
        while k + 3 < left.len() {
            if let [TokenTree::Ident(first), a, b, TokenTree::Ident(name)] = &left[k..k + 4]
                && first == "Self"
                && is_sign(a)
                && is_sign(b)
                && let Some(constant) = self.constant(name)
            {
                left.splice(k..k + 4, constant.into_token_stream());
            }
            k += 1;
        }
        left.into_iter().collect()
    }

    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let tokens = self.with_constants(tokens);
        let mut trees = tokens.into_iter().peekable();
        let mut each = Vec::new();
        while let Some(tree) = trees.next() {
            // `self::K` is a path
            let is_path = matches!(trees.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
            each.push((tree, is_path));
        }
        let each = each.into_iter().flat_map(|(tree, is_path)| match tree {
            TokenTree::Ident(i) if i == "self" && !is_path => {
                TokenStream::from(TokenTree::Ident(Ident::new(SELF, i.span())))
            }
            TokenTree::Ident(i) if i == "Self" => {
                let mut path = syn::Path::from(i);
                self.rename(&mut path);
                path.into_token_stream()
            }
            TokenTree::Group(g) => {
                let mut group = Group::new(g.delimiter(), self.tokens(g.stream()));
                group.set_span(g.span());
                TokenStream::from(TokenTree::Group(group))
            }
            other => TokenStream::from(other),
        });
        each.collect()
    }
}

fn only_lifetimes(arguments: &syn::PathArguments) -> bool {
    match arguments {
        syn::PathArguments::AngleBracketed(a) => {
            (a.args.iter()).all(|a| matches!(a, syn::GenericArgument::Lifetime(_)))
        }
        _ => false,
    }
}
