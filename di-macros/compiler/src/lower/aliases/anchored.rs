//! Paths of a body that begin with `self`, `super` or `crate`. In the module of a call these lead elsewhere, so they are
//! written as paths that lead from there to the same.

use super::home::Moving;
use super::modules::Place;
use crate::sorted::Set;
use crate::tokens::regrouped;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, TokenStream, TokenTree};

/// Whether paths begin with this word, and it depends on the module where they lead.
pub(super) fn is_leading(name: &str) -> bool {
    ["self", "super", "crate"].contains(&name)
}

impl Moving {
    pub(super) fn anchor(&self, function: &mut syn::ItemFn, home: &Place) {
        let bound = walk::bound(Node::Function(function));
        let own: Set<String> = bound.iter().map(Ident::to_string).collect();
        walk::change(NodeMut::Function(function), &mut |node| {
            match node {
                NodeMut::Macro(mac) => {
                    mac.tokens = self.anchored_in(mac.tokens.clone(), home, &own);
                    return Onward::Over;
                }
                NodeMut::Path(path) if path.leading_colon.is_none() => {
                    let names: Vec<Ident> = path.segments.iter().map(|s| s.ident.clone()).collect();
                    if let Some((lead, whole)) = self.anchored(&names, home, &own) {
                        let rest = std::mem::take(&mut path.segments).into_iter().skip(lead);
                        path.segments = whole.into_iter().map(syn::PathSegment::from).collect();
                        path.segments.extend(rest);
                    }
                }
                _ => {}
            }
            Onward::Into
        });
    }

    /// How many words the path begins with that depend on the module, and what stands in their place.
    fn anchored(
        &self,
        path: &[Ident],
        home: &Place,
        own: &Set<String>,
    ) -> Option<(usize, Vec<Ident>)> {
        let names: Vec<String> = path.iter().map(Ident::to_string).collect();
        let lead = names.iter().take_while(|name| is_leading(name)).count();
        let next = names.get(lead).filter(|_| lead > 0)?;
        let at = path[0].span();
        let written = |name: &str| match name {
            "self" | "super" | "crate" => Ident::new(name, at),
            name => crate::lower::code::name_of(name),
        };
        // a name of the home
        if lead == 1 && names[0] == "self" && !own.contains(next) {
            return Some((lead, Vec::new()));
        }
        let module: Vec<&str> = names[..lead].iter().map(String::as_str).collect();
        let found = home.at(&module).and_then(|place| self.path_of(&place));
        let whole = match found {
            Some(path) => match path.first() {
                None => vec!["self".to_owned()],
                Some(first) if !is_leading(first) && self.here.at(&["self", first]).is_some() => {
                    let mut whole = vec!["self".to_owned()];
                    whole.extend(path);
                    whole
                }
                Some(_) => path,
            },
            // rustc says that there is none: another item is not meant
            None => vec![format!("{next}_of_another_module")],
        };
        Some((lead, whole.iter().map(|name| written(name)).collect()))
    }

    /// The same in the arguments of a macro.
    fn anchored_in(&self, tokens: TokenStream, home: &Place, own: &Set<String>) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut found, mut k) = (TokenStream::new(), 0);
        while let Some(tree) = trees.get(k) {
            let (names, end) = path_at(&trees, k);
            let is_start = k < 2 || !is_separator(&trees, k - 2);
            match self.anchored(&names, home, own).filter(|_| is_start) {
                Some((lead, whole)) => {
                    for name in whole {
                        found.extend(quote_separated(name));
                    }
                    found.extend(trees[k + 3 * lead..end].iter().cloned());
                    k = end;
                }
                None => {
                    found.extend([match tree {
                        TokenTree::Group(group) => {
                            regrouped(group, self.anchored_in(group.stream(), home, own))
                        }
                        tree => tree.clone(),
                    }]);
                    k += 1;
                }
            }
        }
        found
    }
}

/// `name::`
fn quote_separated(name: Ident) -> TokenStream {
    let colons = |spacing| TokenTree::Punct(proc_macro2::Punct::new(':', spacing));
    [
        TokenTree::Ident(name),
        colons(proc_macro2::Spacing::Joint),
        colons(proc_macro2::Spacing::Alone),
    ]
    .into_iter()
    .collect()
}

/// Whether `::` stands here.
fn is_separator(trees: &[TokenTree], k: usize) -> bool {
    let is_colon =
        |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    is_colon(trees.get(k)) && is_colon(trees.get(k + 1))
}

/// The names of a path that begins here, and where it ends.
fn path_at(trees: &[TokenTree], mut k: usize) -> (Vec<Ident>, usize) {
    let mut names = Vec::new();
    while let Some(TokenTree::Ident(name)) = trees.get(k) {
        names.push(name.clone());
        k += 1;
        match is_separator(trees, k) && matches!(trees.get(k + 2), Some(TokenTree::Ident(_))) {
            true => k += 2,
            false => break,
        }
    }
    (names, k)
}
