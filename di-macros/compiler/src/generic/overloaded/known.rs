//! The names that the copied code declares, and what is known of them.

use super::super::signature::vector_of;
use super::copy::generic_constants;
use super::imports::Imports;
use crate::options::is_mark;
use crate::sorted::{Map, Set};
use crate::template::{parse_quote, quote};
use crate::tokens;
use crate::walk::{self, Node, Onward};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// The names that the copied code declares.
pub(super) struct Known {
    /// Constants, statics and constant parameters.
    constants: Set<String>,
    /// Those of them that are floats.
    floats: Set<String>,
    /// The float and its aliases.
    pub(super) scalars: Set<String>,
    /// Structs and enums, aliases and traits.
    types: Set<String>,
    /// Structs that derive `Differentiable`.
    pub(super) derived: Set<String>,
    /// Those that hold nothing but floats.
    pub(super) results: Set<String>,
    /// The types of their fields, for those of the module itself.
    pub(super) fields: Map<String, TokenStream>,
    imports: Imports,
    /// Macros of the code: whether all that they take are expressions, types and others that may be written otherwise.
    pub(super) macros: Map<String, bool>,
}

impl Known {
    pub(super) fn of(items: &[syn::Item], float: &Ident) -> Known {
        let mut known = Known {
            constants: Set::new(),
            floats: Set::new(),
            scalars: aliases(items, float),
            types: Set::new(),
            derived: Set::new(),
            results: Set::new(),
            fields: Map::new(),
            imports: Imports::of(items, float),
            macros: Map::new(),
        };
        for item in items {
            known.within(item);
            match item {
                syn::Item::Struct(s) => {
                    let fields = s.fields.to_token_stream();
                    if is_derived(&s.attrs) {
                        known.derived.insert(s.ident.to_string());
                    }
                    known.fields.insert(s.ident.to_string(), fields);
                }
                syn::Item::Enum(e) => {
                    let variants = e.variants.to_token_stream();
                    known.fields.insert(e.ident.to_string(), variants);
                }
                syn::Item::Type(t) => {
                    known
                        .fields
                        .insert(t.ident.to_string(), t.ty.to_token_stream());
                }
                _ => {}
            }
        }
        known.results = known.of_floats_alone(items);
        known
    }

    /// The derived structs whose fields all have derivatives, whatever their values.
    fn of_floats_alone(&self, items: &[syn::Item]) -> Set<String> {
        let mut found = self.derived.clone();
        loop {
            let is_kept =
                |f: &syn::Field| self.is_returned(&f.ty, &found) && !f.attrs.iter().any(is_mark);
            let kept = items.iter().filter_map(|item| match item {
                syn::Item::Struct(s) => Some(s).filter(|s| s.generics.params.is_empty()),
                _ => None,
            });
            let kept = kept.filter(|s| s.fields.iter().all(is_kept));
            let kept: Set<String> = kept.map(|s| s.ident.to_string()).collect();
            let kept: Set<String> = kept
                .into_iter()
                .filter(|name| found.contains(name))
                .collect();
            if kept.len() == found.len() {
                return found;
            }
            found = kept;
        }
    }

    /// Whether engines store a field of a result in a container of the same kind.
    fn is_returned(&self, ty: &syn::Type, structs: &Set<String>) -> bool {
        match (ty, vector_of(ty)) {
            (_, Some(of)) => vector_of(&of).is_none() && self.is_returned(&of, structs),
            (syn::Type::Array(a), _) => {
                vector_of(&a.elem).is_none() && self.is_returned(&a.elem, structs)
            }
            (syn::Type::Path(p), _) => self.is_scalar(&p.path) || is_one_of(&p.path, structs),
            _ => false,
        }
    }

    /// All that an item declares, also within functions and blocks.
    fn within(&mut self, item: &syn::Item) {
        let scalars = &self.scalars;
        let mut add = |name: &Ident, ty: &syn::Type| {
            self.constants.insert(name.to_string());
            if matches!(ty, syn::Type::Path(p) if is_one_of(&p.path, scalars)) {
                self.floats.insert(name.to_string());
            }
        };
        let mut others = Set::new();
        let (types, macros) = (&mut self.types, &mut self.macros);
        walk::read(Node::Item(item), &mut |node| {
            match node {
                Node::Item(syn::Item::Const(c)) => add(&c.ident, &c.ty),
                Node::Item(syn::Item::Static(s)) => add(&s.ident, &s.ty),
                Node::Item(syn::Item::Struct(s)) => {
                    types.insert(s.ident.to_string());
                }
                Node::Item(syn::Item::Enum(e)) => {
                    types.insert(e.ident.to_string());
                    // which imports may name
                    others.extend(e.variants.iter().map(|v| v.ident.to_string()));
                }
                Node::Item(syn::Item::Type(t)) => {
                    types.insert(t.ident.to_string());
                }
                Node::Item(syn::Item::Trait(t)) => {
                    types.insert(t.ident.to_string());
                    for inner in &t.items {
                        if let syn::TraitItem::Const(c) = inner {
                            add(&c.ident, &c.ty);
                        }
                    }
                }
                Node::Item(syn::Item::Impl(block)) => {
                    generic_constants(&block.generics, &mut others);
                    for inner in &block.items {
                        if let syn::ImplItem::Const(c) = inner {
                            add(&c.ident, &c.ty);
                        }
                    }
                }
                Node::Item(syn::Item::Macro(m)) => {
                    if let Some(name) = &m.ident {
                        macros.insert(name.to_string(), takes_expressions(&m.mac.tokens));
                    }
                }
                // variables may have the names of constants
                Node::Pat(syn::Pat::Ident(p)) => {
                    others.insert(p.ident.to_string());
                }
                Node::Signature(sig) => generic_constants(&sig.generics, &mut others),
                // `thread_local! { static LAST: .. }`
                Node::Macro(mac) => {
                    let mut declares = false;
                    tokens::any(mac.tokens.clone(), &mut |t| {
                        if let TokenTree::Ident(i) = t {
                            if declares {
                                others.insert(i.to_string());
                            }
                            declares = i == "static" || i == "const";
                        }
                        false
                    });
                }
                _ => {}
            }
            Onward::Into
        });
        self.constants.extend(others);
    }

    pub(super) fn is_float(&self, name: &str) -> bool {
        self.floats.contains(name)
    }

    /// The types of the module itself without floats.
    pub(super) fn free(&self) -> Set<String> {
        let mut free: Set<String> = self.fields.keys().cloned().collect();
        loop {
            let is_free = |name: &&String| !self.has_floats_within(&self.fields[*name], &free);
            let kept: Set<String> = free.iter().filter(is_free).cloned().collect();
            if kept.len() == free.len() {
                return free;
            }
            free = kept;
        }
    }

    /// Whether a type has floats, also those of the module's types that are not free of them.
    pub(super) fn has_floats_within(&self, ty: &TokenStream, free: &Set<String>) -> bool {
        tokens::any(ty.clone(), &mut |t| match t {
            TokenTree::Ident(i) => {
                let i = i.to_string();
                self.is_of_floats(&i) || self.fields.contains_key(&i) && !free.contains(&i)
            }
            _ => false,
        })
    }

    /// The types of the module that are named, and those of their fields.
    pub(super) fn reach(&self, code: TokenStream, found: &mut Set<String>) {
        tokens::any(code, &mut |t| {
            if let TokenTree::Ident(i) = t
                && let name = i.to_string()
                && let Some(fields) = self.fields.get(&name)
                && found.insert(name)
            {
                self.reach(fields.clone(), found);
            }
            false
        });
    }

    /// A type with those of all fields in it.
    pub(super) fn with_fields(&self, ty: &TokenStream) -> TokenStream {
        let mut found = Set::new();
        self.reach(ty.clone(), &mut found);
        let fields = found.iter().map(|name| &self.fields[name]);
        quote!(#ty #(#fields)*)
    }

    /// Whether a type has the float, as far as it is written.
    pub(super) fn has_floats(&self, ty: &TokenStream) -> bool {
        tokens::any(
            ty.clone(),
            &mut |t| matches!(t, TokenTree::Ident(i) if self.scalars.contains(&i.to_string())),
        )
    }

    /// Whether a type has floats that are not differentiated, of which a derive would know nothing.
    pub(super) fn has_other_floats(&self, ty: &TokenStream) -> bool {
        let is_other = |name: &str| ["f32", "f64"].contains(&name) && !self.scalars.contains(name);
        tokens::any(
            ty.clone(),
            &mut |t| matches!(t, TokenTree::Ident(i) if is_other(&i.to_string())),
        )
    }

    /// Whether a name is that of the float, an alias or a constant.
    pub(super) fn is_of_floats(&self, name: &str) -> bool {
        self.scalars.contains(name) || self.floats.contains(name)
    }

    pub(super) fn is_scalar(&self, path: &syn::Path) -> bool {
        is_one_of(path, &self.scalars)
    }

    /// Whether tokens name a type that is copied.
    pub(super) fn names_type(&self, code: &TokenStream) -> bool {
        tokens::any(
            code.clone(),
            &mut |t| matches!(t, TokenTree::Ident(i) if *i == "Self" || self.types.contains(&i.to_string())),
        )
    }

    /// Whether a path is that of a constant that the code does not declare.
    pub(super) fn is_constant_of_elsewhere(&self, path: &syn::Path) -> bool {
        let Some(last) = path.segments.last() else {
            return false;
        };
        let name = last.ident.to_string();
        let is_capital = name.starts_with(|c: char| c.is_ascii_uppercase())
            && !name.contains(|c: char| c.is_ascii_lowercase());
        let modules = path.segments.iter().rev().skip(1);
        let of_module = modules.enumerate().all(|(k, s)| {
            let name = s.ident.to_string();
            let is_first = k + 2 == path.segments.len();
            let is_std = is_first && ["std", "core", "alloc"].contains(&&*name);
            let is_module = name.starts_with(|c: char| c.is_ascii_lowercase());
            is_module && s.arguments.is_none() && !is_std && !self.scalars.contains(&name)
        });
        let is_own = self.constants.contains(&name) || self.types.contains(&name);
        is_capital && of_module && !is_own && self.of_std(path).is_none()
    }

    /// What std has at a path that starts with an import of the code.
    pub(super) fn of_std(&self, path: &syn::Path) -> Option<syn::Path> {
        let first = path.segments.first()?.ident.to_string();
        if self.constants.contains(&first) {
            return None;
        }
        let std = self.imports.of_std(&first)?;
        let rest = path.segments.iter().skip(1);
        Some(parse_quote!(::core::#(#std)::* #(::#rest)*))
    }
}

fn is_one_of(path: &syn::Path, names: &Set<String>) -> bool {
    path.get_ident()
        .is_some_and(|name| names.contains(&name.to_string()))
}

/// The float, and the names that `type Real = f64;` gives it.
fn aliases(items: &[syn::Item], float: &Ident) -> Set<String> {
    let mut names = Set::from_iter([float.to_string()]);
    for item in items {
        walk::read(Node::Item(item), &mut |node| {
            if let Node::Item(syn::Item::Type(t)) = node
                && matches!(&*t.ty, syn::Type::Path(p) if is_one_of(&p.path, &names))
            {
                names.insert(t.ident.to_string());
            }
            Onward::Into
        });
    }
    names
}

/// Whether the arms of a macro take nothing that tells a literal from an expression.
fn takes_expressions(arms: &TokenStream) -> bool {
    let mut before = [None, None];
    !tokens::any(arms.clone(), &mut |t| {
        let is_fragment = matches!(&before, [Some(TokenTree::Ident(_)), Some(TokenTree::Punct(p))] if p.as_char() == ':');
        let [_, last] = std::mem::take(&mut before);
        before = [last, Some(t.clone())];
        is_fragment
            && ["literal", "tt"]
                .iter()
                .any(|name| matches!(t, TokenTree::Ident(i) if i == name))
            || matches!(t, TokenTree::Ident(i) if i == "stringify")
    })
}

pub(super) fn is_derived(attrs: &[syn::Attribute]) -> bool {
    let derives = attrs.iter().filter(|a| a.path().is_ident("derive"));
    derives.map(ToTokens::to_token_stream).any(|d| {
        tokens::any(
            d,
            &mut |t| matches!(t, TokenTree::Ident(i) if i == "Differentiable"),
        )
    })
}
