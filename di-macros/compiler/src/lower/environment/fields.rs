//! Fields of structs and variants of enums that are known.

use super::{Environment, has_no_floats, speaks_of_floats, spelled};
use crate::lower::data::{self, Data, data_among_shapes};
use crate::lower::variants::member_name;
use crate::lower::{stored, types, variants};
use crate::options;
use crate::sorted::{Map, Set};
use crate::walk::{self, Node};
use quote::ToTokens;
use std::rc::Rc;

/// A variant of a derived enum.
#[derive(Debug)]
pub(crate) struct DerivedVariant {
    pub(crate) number: usize,
    /// How many variants there are.
    pub(crate) of: usize,
    pub(crate) fields: syn::Fields,
}

impl Environment {
    /// Whether the type of a field, of a constant or of a result is such.
    #[cfg(feature = "ndarray")]
    pub(crate) fn has_type(&self, is: &dyn Fn(&syn::Type) -> bool) -> bool {
        let structs = [&self.structs, &self.plain, &self.of_file];
        let mut fields = structs
            .into_iter()
            .flat_map(|of| of.values())
            .flat_map(|f| f.iter());
        let methods = self.owned.values().chain(self.passive.values());
        let mut methods = methods.filter_map(|m| m.output.as_ref());
        let mut functions = self.functions.values().map(|f| &f.signature.output);
        let is_given = |of: &syn::ReturnType| matches!(of, syn::ReturnType::Type(_, ty) if is(ty));
        fields.any(|f| is(&f.ty))
            || methods.any(is)
            || functions.any(is_given)
            || self.constants.values().any(|ty| is(ty))
            || self.written.values().any(is)
            || self.aliases.values().any(|alias| is(alias.target()))
    }

    /// The type of a field of the struct with this path.
    pub(crate) fn field(&self, path: &str, name: &str) -> Option<syn::Type> {
        let of = self.of(path);
        let fields = self.structs.get(&of).or_else(|| self.plain.get(&of));
        let field = of_name(fields.or_else(|| self.of_file.get(&of))?, name)?;
        self.with_lengths_of(path, self.expanded(&field.ty))
    }

    /// A struct that is not derived, whose values are numbers in variables if these fit.
    pub(crate) fn add_struct_shape(&mut self, path: &str, of: &syn::ItemStruct) {
        if of.generics.params.is_empty() && !is_open(&of.attrs) {
            let shape = vec![(None, of.fields.clone())];
            self.shapes.insert(spelled(path), Rc::new(shape));
        }
    }

    /// The same of an enum.
    pub(crate) fn add_enum_shape(&mut self, path: &str, of: &syn::ItemEnum) {
        let mut all = of.variants.iter().map(|v| &v.attrs).chain([&of.attrs]);
        let is_known = !of.variants.is_empty() && !all.any(|attrs| is_open(attrs));
        if of.generics.params.is_empty() && is_known {
            let variants = of.variants.iter();
            let shape = variants.map(|v| (Some(v.ident.to_string()), v.fields.clone()));
            self.shapes.insert(spelled(path), Rc::new(shape.collect()));
        }
    }

    /// An enum that is derived: a struct of what its variants hold.
    pub(crate) fn add_derived_enum(&mut self, path: &str, of: &syn::ItemEnum) {
        let variants = of.variants.iter();
        let shape = variants.map(|v| (Some(v.ident.to_string()), v.fields.clone()));
        self.shapes.insert(spelled(path), Rc::new(shape.collect()));
        self.add_struct(path, variants::stored(of));
        for v in &of.variants {
            self.add_fields(&format!("{path}::{}", v.ident), v.fields.clone());
        }
    }

    /// The paths of all such enums.
    pub(crate) fn derived_enums(&self) -> Set<String> {
        let all = self
            .struct_paths()
            .filter(|path| self.is_derived_enum(path));
        all.map(str::to_owned).collect()
    }

    /// Whether the type with this path is one of these.
    pub(crate) fn is_derived_enum(&self, path: &str) -> bool {
        self.is_struct(path) && self.shapes.contains_key(&self.of(path))
    }

    /// The number of a variant of such an enum, and how many there are.
    pub(crate) fn derived_variant(&self, path: &str, name: &str) -> Option<DerivedVariant> {
        let shape = self
            .shapes
            .get(&self.of(path))
            .filter(|_| self.is_struct(path))?;
        let number = (shape.iter()).position(|(variant, _)| variant.as_deref() == Some(name))?;
        Some(DerivedVariant {
            number,
            of: shape.len(),
            fields: shape[number].1.clone(),
        })
    }

    /// All of them, by name.
    pub(crate) fn derived_variants(&self, path: &str) -> Vec<(String, DerivedVariant)> {
        let shape = self.shapes.get(&self.of(path));
        let names = shape.iter().flat_map(|of| of.iter());
        let names = names.filter_map(|(name, _)| name.clone());
        let all = names.filter_map(|name| {
            let variant = self.derived_variant(path, &name)?;
            Some((name, variant))
        });
        all.collect()
    }

    /// How values without floats are numbers.
    pub(crate) fn data(&self) -> Map<String, Rc<Data>> {
        data_among_shapes(self, &self.shapes)
    }

    /// Why values of the type with this path are none.
    pub(crate) fn data_obstacle(&self, path: &str) -> String {
        data::obstacle(self, &self.shapes, &self.of(path))
    }

    /// Whether an enum is known to have this variant.
    pub(crate) fn has_variant(&self, path: &str, name: &str) -> bool {
        let shape = self.shapes.get(&self.of(path));
        shape.is_some_and(|of| {
            of.iter()
                .any(|(variant, _)| variant.as_deref() == Some(name))
        })
    }

    /// The names of the variants of an enum that is known.
    pub(crate) fn variants_of(&self, path: &str) -> Vec<String> {
        let of = format!("{}::", self.of(path));
        let known = self.of_file.keys().filter_map(|key| key.strip_prefix(&of));
        known.map(str::to_owned).collect()
    }

    /// Whether this is a struct without fields.
    pub(crate) fn is_unit(&self, path: &str) -> bool {
        let path = self.of(path);
        let fields = self.plain.get(&path).or_else(|| self.of_file.get(&path));
        fields.is_some_and(|fields| matches!(**fields, syn::Fields::Unit)) && !path.contains("::")
    }

    /// Whether this is a struct that is not differentiated, whose fields are known; or a variant.
    pub(crate) fn has_constant_fields(&self, path: &str) -> bool {
        let of = self.of(path);
        let is_known = self.plain.contains_key(&of) || self.of_file.contains_key(&of);
        is_known && self.is_opaque(path)
    }

    /// Whether a field of a derived struct is marked as one of enums or of structs without floats, or is a constant that
    /// is not looked into.
    pub(crate) fn is_data(&self, path: &str, name: &str) -> bool {
        let fields = self.structs.get(&self.of(path));
        fields.is_some_and(|fields| {
            let field = of_name(fields, name).filter(|f| !self.is_stored(f));
            field.is_some_and(|f| f.attrs.iter().any(options::is_skip) || self.is_marked_whole(f))
        })
    }

    /// Whether a field is an option of an integer or a bool, which is looked into as one of a float is.
    fn is_stored(&self, field: &syn::Field) -> bool {
        stored::is_count(&self.expanded(&field.ty))
    }

    /// Whether a field is marked as a constant, and is neither a number nor a list of numbers.
    fn is_marked_whole(&self, field: &syn::Field) -> bool {
        is_marked(field) && !is_of_numbers(&self.expanded(&field.ty))
    }

    /// The type of a field of a derived struct that is an option or a tuple without floats, or a list of tuples, of
    /// enums or of structs without floats, of text, or anything of std that is marked: a constant that is kept as it is made.
    pub(crate) fn constant_part(&self, path: &str, name: &str) -> Option<syn::Type> {
        let fields = self.structs.get(&self.of(path))?;
        let field = of_name(fields, name).filter(|f| !self.is_stored(f))?;
        let ty = self.expanded(&field.ty);
        let path = ty.to_token_stream().to_string();
        let is_own = self.is_struct(&path) || self.is_known_data(&path);
        let is_kept = self.is_whole(&ty, false) && !self.is_active(&ty)
            || is_of_text(&ty)
            || self.is_marked_whole(field) && !is_own;
        is_kept.then_some(ty)
    }

    /// Whether a field of a derived struct is a constant in generated code too, of a type that is no number there.
    pub(crate) fn is_carried_field(
        &self,
        path: &str,
        name: &str,
        is_number: &dyn Fn(&str) -> bool,
    ) -> bool {
        let of = |ty: syn::Type| ty.to_token_stream().to_string();
        let is_data = || {
            self.is_data(path, name) && self.field(path, name).is_some_and(|ty| !is_number(&of(ty)))
        };
        self.constant_part(path, name).is_some() || is_data()
    }

    fn is_whole(&self, ty: &syn::Type, in_list: bool) -> bool {
        match types::ungroup(ty) {
            syn::Type::Tuple(tuple) => !tuple.elems.is_empty(),
            syn::Type::Array(array) => self.is_whole(&array.elem, true),
            syn::Type::Path(p) => {
                let last = p.path.segments.last().map(|s| s.ident.to_string());
                match last.as_deref() {
                    Some("Option" | "PhantomData") => true,
                    Some("Vec") => {
                        let of = types::arguments(&p.path);
                        of.first().is_some_and(|of| self.is_whole(of, true))
                    }
                    _ => in_list && self.is_known_data(&p.path.to_token_stream().to_string()),
                }
            }
            _ => false,
        }
    }

    /// Whether this is a struct or an enum without floats.
    fn is_known_data(&self, path: &str) -> bool {
        let is_shape = self.shapes.contains_key(&self.of(path));
        (is_shape || self.has_constant_fields(path)) && !self.is_struct(path)
    }

    /// Whether a field of a derived struct is a float that is marked as constant.
    pub(crate) fn is_constant_number(&self, path: &str, name: &str) -> bool {
        let field = (self.structs.get(&self.of(path))).and_then(|fields| of_name(fields, name));
        field.is_some_and(|f| {
            let ty = self.expanded(&f.ty);
            let is_float = |p: &syn::TypePath| p.path.is_ident("f64") || p.path.is_ident("f32");
            is_marked(f) && matches!(types::ungroup(&ty), syn::Type::Path(p) if is_float(p))
        })
    }

    /// Whether a field of a derived struct is a list of floats that is marked as constant.
    pub(crate) fn is_constant_list(&self, path: &str, name: &str) -> bool {
        let field = self
            .structs
            .get(&self.of(path))
            .and_then(|fields| of_name(fields, name));
        field.is_some_and(|f| {
            let ty = self.expanded(&f.ty);
            let is_name =
                matches!(types::ungroup(&ty), syn::Type::Path(p) if p.path.get_ident().is_some());
            is_marked(f) && !is_name && is_of_numbers(&ty) && speaks_of_floats(&ty)
        })
    }

    /// Whether such a list is one of lists.
    pub(crate) fn is_constant_rows(&self, path: &str, name: &str) -> bool {
        let field = (self.structs.get(&self.of(path))).and_then(|fields| of_name(fields, name));
        let is_rows = |ty: &syn::Type| types::rows_of(ty).is_some();
        field.is_some_and(|f| is_rows(&self.expanded(&f.ty))) && self.is_constant_list(path, name)
    }

    /// Whether other modules do not see all fields of a derived struct. Those that stand for an enum nobody sees.
    pub(crate) fn hides_fields(&self, path: &str) -> bool {
        let is_private = |f: &syn::Field| matches!(f.vis, syn::Visibility::Inherited);
        let fields = self.structs.get(&self.of(path));
        fields.is_some_and(|fields| fields.iter().any(is_private))
            || self.is_derived_enum(path)
            || self.holds_arrays(path, 8)
    }

    /// Whether the struct with this path stands for an array in a field.
    pub(crate) fn is_array(&self, path: &str) -> bool {
        self.arrays.contains(&self.of(path))
    }

    /// Whether such arrays are in the fields of a derived struct, whose elements only a view shows.
    fn holds_arrays(&self, path: &str, depth: usize) -> bool {
        let is_one = |path: &syn::Path| {
            let path = path.to_token_stream().to_string();
            self.is_array(&path) || depth > 0 && self.holds_arrays(&path, depth - 1)
        };
        let mut is_in = |node: Node<'_>| matches!(node, Node::Path(path) if is_one(path));
        let fields = self
            .structs
            .get(&self.of(path))
            .filter(|_| !self.arrays.is_empty());
        let mut fields = fields.iter().flat_map(|fields| fields.iter());
        fields.any(|f| walk::any(Node::Type(&f.ty), &mut is_in))
    }

    /// The types of what is differentiated in the derived structs that code names, and in those that they hold.
    pub(crate) fn collect_fields(&self, root: Node<'_>, found: &mut Vec<syn::Type>) {
        let mut named = Vec::new();
        walk::any(root, &mut |node| {
            if let Node::Path(p) = node {
                named.push(p.to_token_stream().to_string());
            }
            false
        });
        for path in named {
            for (name, ty) in self.fields(&path).unwrap_or_default() {
                if !self.is_constant_number(&path, &name) && !found.contains(&ty) {
                    found.push(ty.clone());
                    self.collect_fields(Node::Type(&ty), found);
                }
            }
        }
    }

    /// The fields of a derived struct with their types.
    pub(crate) fn fields(&self, path: &str) -> Option<Vec<(String, syn::Type)>> {
        let fields = self.structs.get(&self.of(path))?;
        let named = fields.iter().enumerate().map(|(k, f)| {
            let name = member_name(k, f);
            // by their names, if they are not written
            let ty = self.expanded(&f.ty);
            (name, self.with_lengths_of(path, ty.clone()).unwrap_or(ty))
        });
        Some(named.collect())
    }
}

/// Whether there may be more of an item than is written.
fn is_open(attrs: &[syn::Attribute]) -> bool {
    let mut paths = attrs.iter().map(syn::Attribute::path);
    paths.any(|path| path.is_ident("cfg") || path.is_ident("non_exhaustive"))
}

/// A number, or lists of numbers.
fn is_of_numbers(ty: &syn::Type) -> bool {
    match types::ungroup(ty) {
        syn::Type::Reference(r) => is_of_numbers(&r.elem),
        syn::Type::Path(p) if p.path.get_ident().is_some() => {
            let name = p.path.segments[0].ident.to_string();
            ["f64", "f32", "bool"].contains(&&*name) || types::is_integer_name(&name)
        }
        syn::Type::Path(p) => types::vec_element(p).is_some_and(is_of_numbers),
        syn::Type::Array(a) => is_of_numbers(&a.elem),
        syn::Type::Slice(s) => is_of_numbers(&s.elem),
        _ => false,
    }
}

/// Whether a type of std holds text, and no floats.
fn is_of_text(ty: &syn::Type) -> bool {
    let mut is_text = |node: Node<'_>| match node {
        Node::Type(syn::Type::Path(p)) => p.path.is_ident("String") || p.path.is_ident("str"),
        _ => false,
    };
    has_no_floats(ty) && walk::any(Node::Type(ty), &mut is_text)
}

/// Whether a field is `#[constant]`.
fn is_marked(field: &syn::Field) -> bool {
    field.attrs.iter().any(|a| a.path().is_ident("constant"))
}

/// The field of this name or number.
fn of_name<'f>(fields: &'f syn::Fields, name: &str) -> Option<&'f syn::Field> {
    let mut numbered = fields.iter().enumerate();
    let found = numbered.find(|(k, field)| member_name(*k, field) == name);
    found.map(|(_, field)| field)
}

impl Environment {
    /// Notes that the struct of a block is dereferenced to one of its fields, if the block says so.
    pub(crate) fn add_deref(&mut self, block: &syn::ItemImpl) {
        if let Some((of, field)) = field_of_deref(block) {
            let path = spelled(&super::without_arguments(of));
            self.derefs.insert(path, field.clone());
        }
    }

    pub(crate) fn has_derefs(&self) -> bool {
        !self.derefs.is_empty()
    }

    /// The field that is behind the struct with this path.
    pub(crate) fn deref_of(&self, path: &str) -> Option<syn::Member> {
        self.derefs.get(&self.of(path)).cloned()
    }
}

/// `impl Deref for P { fn deref(&self) -> &[f64; 3] { &self.0 } }`: the struct, and the field.
pub(crate) fn field_of_deref(block: &syn::ItemImpl) -> Option<(&syn::Path, &syn::Member)> {
    field_behind(block, "Deref")
}

/// The same where the items lead to that field by `DerefMut` too, or by nothing.
pub(crate) fn is_deref_among(block: &syn::ItemImpl, items: &[syn::Item]) -> bool {
    let Some((of, field)) = field_of_deref(block) else {
        return false;
    };
    items.iter().all(|item| match item {
        syn::Item::Impl(other) if *other.self_ty == *block.self_ty => {
            let of_trait = other
                .trait_
                .as_ref()
                .and_then(|(_, path, _)| path.segments.last());
            of_trait.is_none_or(|of_trait| of_trait.ident != "DerefMut")
                || field_behind(other, "DerefMut") == Some((of, field))
        }
        _ => true,
    })
}

fn field_behind<'b>(
    block: &'b syn::ItemImpl,
    by: &str,
) -> Option<(&'b syn::Path, &'b syn::Member)> {
    let of_trait = block.trait_.as_ref()?.1.segments.last()?;
    let syn::Type::Path(of) = &*block.self_ty else {
        return None;
    };
    let body = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) => Some(&f.block.stmts),
        _ => None,
    })?;
    match body.as_slice() {
        [syn::Stmt::Expr(syn::Expr::Reference(r), None)] if of_trait.ident == by => {
            match &*r.expr {
                syn::Expr::Field(f) => match &*f.base {
                    syn::Expr::Path(p) if p.path.is_ident("self") => Some((&of.path, &f.member)),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
