//! Generic structs of nested modules that the module around imports. The instance is one of the nested module, in which an
//! alias asks for it, and the module around imports it.
//!
//! ```text
//! mod links { pub struct Pair<T> { .. } }          mod links { .. type __Asked_Pair_f64 = Pair<f64>; }
//! use links::Pair;                            =>   use links::Pair; use links::Pair_f64;
//! fn f(p: &Pair<f64>) ..                           fn f(p: &Pair_f64) ..
//! ```

use super::{Instance, is_generic, is_open};
use crate::expand::marks::is_test;
use crate::lower::is_integer_name;
use crate::sorted::Map;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::format_ident;
use syn::Ident;

/// Where structs are declared, and the blocks beside them.
#[derive(Default)]
pub(super) struct Nested {
    homes: Map<String, Vec<Ident>>,
    pub(super) structs: Vec<syn::ItemStruct>,
    pub(super) blocks: Vec<syn::ItemImpl>,
}

impl Nested {
    pub(super) fn of(items: &mut [syn::Item]) -> Nested {
        let (mut nested, mut seen) = (Nested::default(), Vec::new());
        let uses = items.iter().filter_map(|item| match item {
            syn::Item::Use(item) => Some(imports(&item.tree)),
            _ => None,
        });
        for (home, name) in uses.flatten().collect::<Vec<_>>() {
            let Some(inner) = module_at(items, &home) else {
                continue;
            };
            for item in &*inner {
                let syn::Item::Struct(s) = item else { continue };
                if is_open(s) && name.as_ref().is_none_or(|name| s.ident == *name) {
                    nested.homes.insert(s.ident.to_string(), home.clone());
                    nested.structs.push(s.clone());
                }
            }
            if !seen.contains(&home) {
                let blocks = inner.iter().filter(|item| is_generic(item));
                nested.blocks.extend(blocks.filter_map(|item| match item {
                    syn::Item::Impl(block) => Some(block.clone()),
                    _ => None,
                }));
                seen.push(home);
            }
        }
        nested
    }

    pub(super) fn has(&self, name: &Ident) -> bool {
        self.homes.contains_key(&name.to_string())
    }

    /// Asks for an instance where its struct is declared. Returns this module.
    pub(super) fn ask_for(
        &self,
        of: &Instance,
        items: &mut Vec<syn::Item>,
    ) -> Option<Vec<syn::Item>> {
        let home = self.homes.get(&of.of.ident.to_string())?;
        let (name, ty) = (&of.name, of.ty());
        let asked = format_ident!("__Asked_{name}");
        let inner = module_at(items, home)?;
        inner.push(parse_quote!(#[allow(dead_code, non_camel_case_types)] type #asked = #ty;));
        let inner = inner.clone();
        for item in &mut *items {
            // only the instance may be left of what it imports
            if let syn::Item::Use(item) = item
                && imports(&item.tree).iter().any(|(from, name)| {
                    from == home && name.as_ref().is_none_or(|name| *name == of.of.ident)
                })
            {
                item.attrs.push(parse_quote!(#[allow(unused_imports)]));
            }
        }
        items.push(parse_quote!(#[allow(unused_imports)] use self::#(#home::)*#name;));
        Some(inner)
    }
}

/// Whether a nested module can name a type by the same name: numbers, and what std makes of them.
pub(super) fn is_known_everywhere(ty: &syn::Type) -> bool {
    !walk::any(Node::Type(ty), &mut |node| match node {
        Node::Path(path) => path.segments.len() > 1 || !is_of_std(&path.segments[0].ident),
        _ => false,
    })
}

fn is_of_std(name: &Ident) -> bool {
    const OTHERS: [&str; 7] = ["f64", "f32", "bool", "char", "String", "Vec", "Option"];
    let name = name.to_string();
    OTHERS.contains(&&*name) || is_integer_name(&name)
}

/// The modules and the name in them of what is imported; no name for all of it.
fn imports(tree: &syn::UseTree) -> Vec<(Vec<Ident>, Option<Ident>)> {
    let within = |mut all: Vec<(Vec<Ident>, _)>, module: &Ident| {
        all.iter_mut()
            .for_each(|(home, _)| home.insert(0, module.clone()));
        all
    };
    match tree {
        syn::UseTree::Path(p) if p.ident == "self" => imports(&p.tree),
        syn::UseTree::Path(p) => within(imports(&p.tree), &p.ident),
        syn::UseTree::Name(n) => vec![(Vec::new(), Some(n.ident.clone()))],
        syn::UseTree::Glob(_) => vec![(Vec::new(), None)],
        syn::UseTree::Group(g) => g.items.iter().flat_map(imports).collect(),
        syn::UseTree::Rename(_) => Vec::new(),
    }
}

fn module_at<'a>(items: &'a mut [syn::Item], path: &[Ident]) -> Option<&'a mut Vec<syn::Item>> {
    let (first, rest) = path.split_first()?;
    let inner = items.iter_mut().find_map(|item| match item {
        syn::Item::Mod(inner) if inner.ident == *first && !is_test(&inner.attrs) => {
            Some(&mut inner.content.as_mut()?.1)
        }
        _ => None,
    })?;
    match rest {
        [] => Some(inner),
        rest => module_at(inner, rest),
    }
}
