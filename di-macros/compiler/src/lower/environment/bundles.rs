//! Structs that borrow: no value of generated code has their type, each field is a variable of its own. The bodies of
//! their methods, and of functions that take or return them, stand in the place of calls.

use super::Environment;
use crate::lower::types;
use crate::lower::variants::member_name;
use crate::options;
use crate::sorted::Map;
use crate::walk::{self, Node, NodeMut, Onward};
use std::rc::Rc;

/// A field of a struct that borrows.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Its type, with lifetimes left to inference; nothing if that has names which are not known here.
    pub(crate) ty: Option<syn::Type>,
    pub(crate) is_constant: bool,
}

impl Environment {
    pub(crate) fn add_bundle(&mut self, path: &str, fields: syn::Fields) {
        self.bundles.insert(self.of(path), Rc::new(fields));
    }

    /// Whether the type with this path is a struct that borrows.
    pub(crate) fn is_bundle(&self, path: &str) -> bool {
        self.bundles.contains_key(&self.of(path))
    }

    /// The fields of all structs that borrow.
    pub(crate) fn bundles(&self) -> Map<String, Rc<Vec<Part>>> {
        let all = self.bundles.iter().map(|(path, fields)| {
            let parts = fields.iter().enumerate().map(|(k, f)| self.part(k, f));
            (path.clone(), Rc::new(parts.collect()))
        });
        all.collect()
    }

    fn part(&self, k: usize, field: &syn::Field) -> Part {
        let mut ty = self.expanded(&field.ty);
        walk::change(NodeMut::Type(&mut ty), &mut |node| {
            if let NodeMut::Lifetime(l) = node
                && l.ident != "static"
            {
                *l = syn::Lifetime::new("'_", l.apostrophe);
            }
            Onward::Into
        });
        let name = member_name(k, field);
        let is_mark = |a: &syn::Attribute| a.path().is_ident("constant") || options::is_skip(a);
        let is_marked = field.attrs.iter().any(is_mark);
        Part {
            name,
            is_constant: is_marked || self.is_constant(&ty) && !self.has_boxed(&ty),
            ty: self.knows_all(&ty).then_some(ty),
        }
    }

    /// Whether all names in a type are those of std, or known.
    fn knows_all(&self, ty: &syn::Type) -> bool {
        const OF_STD: [&str; 5] = ["Box", "Option", "Result", "String", "Vec"];
        !walk::any(Node::Type(ty), &mut |node| {
            let Node::Type(syn::Type::Path(p)) = node else {
                return false;
            };
            let Some(last) = p.path.segments.last() else {
                return true;
            };
            let name = last.ident.to_string();
            let is_plain = ["bool", "char", "f32", "f64", "str"].contains(&&*name)
                || types::is_integer_name(&name)
                || OF_STD.contains(&&*name);
            let path = super::without_arguments(&p.path);
            !(is_plain || self.knows(&path) || self.is_bundle(&path))
        })
    }
}
