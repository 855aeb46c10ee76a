//! Types without aliases.

use super::{Environment, spelled};
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::Span;
use quote::ToTokens;

/// Puts what they stand for in the place of aliases, and lifetimes where they are left out.
pub(super) struct Aliases<'a> {
    env: &'a Environment,
    /// Names of parameters and of what is imported inside, which come before aliases.
    own: &'a [String],
    /// How many aliases are around: there is an end even if they refer to each other.
    depth: usize,
}

/// The names of the parameters of an item and of what its functions import or name themselves.
pub(crate) fn own_names(node: Node<'_>) -> Vec<String> {
    let mut names = Vec::new();
    walk::read(node, &mut |node| {
        match node {
            Node::GenericParam(syn::GenericParam::Const(p)) => names.push(p.ident.to_string()),
            Node::GenericParam(syn::GenericParam::Type(p)) => names.push(p.ident.to_string()),
            Node::Item(syn::Item::Use(u)) => imported_names(&u.tree, &mut names),
            Node::Stmt(syn::Stmt::Item(syn::Item::Type(t))) => names.push(t.ident.to_string()),
            _ => {}
        }
        Onward::Into
    });
    names
}

/// A glob is refused where it stands.
fn imported_names(tree: &syn::UseTree, names: &mut Vec<String>) {
    match tree {
        syn::UseTree::Path(p) => imported_names(&p.tree, names),
        syn::UseTree::Name(n) => names.push(n.ident.to_string()),
        syn::UseTree::Rename(r) => names.push(r.rename.to_string()),
        syn::UseTree::Glob(_) => {}
        syn::UseTree::Group(g) => g.items.iter().for_each(|tree| imported_names(tree, names)),
    }
}

impl Environment {
    /// Writes a function without aliases.
    pub(crate) fn write_out_function(&self, sig: &mut syn::Signature, block: &mut syn::Block) {
        if self.aliases.is_empty() && self.lifetimes.is_empty() {
            return;
        }
        let own = [Node::Signature(sig), Node::Block(block)];
        let own = own.map(own_names).concat();
        let mut aliases = Aliases::among(self, &own);
        aliases.change(NodeMut::Signature(sig));
        aliases.change(NodeMut::Block(block));
    }
}

impl<'a> Aliases<'a> {
    pub(super) fn among(env: &'a Environment, own: &'a [String]) -> Aliases<'a> {
        Aliases { env, own, depth: 0 }
    }

    fn of(&self, path: &syn::Path) -> Option<syn::Type> {
        let mut name = path.clone();
        let last = name.segments.last_mut()?;
        let arguments = std::mem::take(&mut last.arguments);
        let name = name.to_token_stream().to_string();
        let name = spelled(&name);
        if self.own.contains(&name) {
            return None;
        }
        let found = self.env.aliases.get(&name).filter(|_| self.depth < 16);
        found?.with(&arguments)
    }

    pub(super) fn change(&mut self, root: NodeMut<'_>) {
        walk::change(root, &mut |node| self.node(node));
    }

    fn node(&mut self, node: NodeMut<'_>) -> Onward {
        match node {
            NodeMut::Type(ty) => {
                if let syn::Type::Path(p) = ty
                    && p.qself.is_none()
                    && let Some(of) = self.of(&p.path)
                {
                    *ty = of;
                    self.depth += 1;
                    self.change(NodeMut::Type(ty));
                    self.depth -= 1;
                    return Onward::Over;
                }
                if let syn::Type::Path(p) = ty {
                    self.add_lifetimes(&mut p.path);
                }
            }
            // a value: no type has its name
            NodeMut::ExprPath(p) if p.qself.is_none() && p.path.get_ident().is_some() => {
                return Onward::Over;
            }
            // `Mat::default()` of an array: `<[f64; 3]>::default()`
            NodeMut::ExprPath(p) => {
                if let (None, [owner, name]) =
                    (&p.qself, &*p.path.segments.iter().collect::<Vec<_>>())
                    && let Some(of @ syn::Type::Array(_)) = self.of(&owner.ident.clone().into())
                {
                    let mut of = self.env.expanded(&of);
                    let name = &name.ident;
                    self.change(NodeMut::Type(&mut of));
                    *p = parse_quote!(<#of>::#name);
                    return Onward::Over;
                }
            }
            NodeMut::Path(path) => {
                walk::change_below(NodeMut::Path(path), &mut |node| self.node(node));
                self.path(path);
                return Onward::Over;
            }
            _ => {}
        }
        Onward::Into
    }

    /// `Sequence` is `Sequence<'_>`.
    fn add_lifetimes(&self, path: &mut syn::Path) {
        let count = self
            .env
            .lifetimes
            .get(&spelled(&path.to_token_stream().to_string()));
        if let (Some(count), Some(last)) = (count.copied(), path.segments.last_mut()) {
            let elided = std::iter::repeat_n(syn::Lifetime::new("'_", Span::call_site()), count);
            last.arguments = syn::PathArguments::AngleBracketed(parse_quote!(<#(#elided),*>));
        }
    }

    /// `Mat::new()`, `V { x, y }`
    fn path(&self, path: &mut syn::Path) {
        let mut owner = path.clone();
        let last = if let Some(found) = self.of(&owner) {
            if let syn::Type::Path(p) = found {
                *path = p.path;
            }
            return;
        } else {
            owner.segments.pop()
        };
        owner.segments.pop_punct();
        if let Some(last) = last
            && !owner.segments.is_empty()
            && let Some(syn::Type::Path(p)) = self.of(&owner)
        {
            let mut whole = p.path;
            for segment in &mut whole.segments {
                if let syn::PathArguments::AngleBracketed(args) = &mut segment.arguments {
                    args.colon2_token = Some(Default::default());
                }
            }
            whole.segments.push(last.into_value());
            *path = whole;
        }
    }
}
