//! Types in the place of parameters of generic structs, blocks and traits.

use crate::lower::aliases::put_paths_in;
use crate::lower::environment::own_names;
use crate::lower::ungroup;
use crate::sorted::Map;
use crate::walk::{self, Node, NodeMut, Onward};

/// Types in the place of parameters. These have names of their own first, as the types may speak of others of their name.
pub(in crate::expand) fn substitute(known: &Map<String, syn::Type>, item: &mut syn::Item) {
    let hidden = own_names(Node::Item(item));
    let known = known.iter().filter(|(name, _)| !hidden.contains(name));
    let known: Map<String, syn::Type> = known
        .map(|(name, ty)| (format!("__{name}"), ty.clone()))
        .collect();
    let own = known.keys().filter_map(|own| {
        let path = syn::parse_str(own).ok()?;
        Some((own[2..].to_owned(), path))
    });
    put_paths_in(&own.collect(), NodeMut::Item(item));
    walk::change(NodeMut::Item(item), &mut |node| {
        if let NodeMut::Type(ty) = node
            && let syn::Type::Path(p) = ungroup(ty)
            && let Some(name) = p.path.get_ident()
            && let Some(of) = known.get(&name.to_string())
        {
            *ty = of.clone();
            return Onward::Over;
        }
        Onward::Into
    });
    let paths = known.iter().filter_map(|(name, ty)| match ty {
        syn::Type::Path(p) if p.qself.is_none() => Some((name.clone(), p.path.clone())),
        _ => None,
    });
    put_paths_in(&paths.collect(), NodeMut::Item(item));
}
