//! What is known of the items around a function: the functions that it calls, the types that it names, methods,
//! operators and constants. Lowering asks it for types; it knows nothing of where the answers come from.

mod aliases;
#[cfg(feature = "ndarray")]
pub(crate) mod arrays;
mod bodies;
pub(super) mod bundles;
pub(super) mod fields;
mod lengths;
mod objects;
mod passive;
mod visible;

use super::aliases::Alias;
use super::data::Shape;
use super::methods::{Method, Methods};
use super::{inline, types};
use crate::ir::Tokens;
use crate::options;
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut};
use aliases::Aliases;
pub(crate) use aliases::own_names;
pub(crate) use bodies::{for_items, of_index};
pub(crate) use fields::{field_of_deref, is_deref_among};
pub(crate) use lengths::{lengths_of, may_have_lengths, names_of, replaced, with_lengths};
use quote::ToTokens;
use std::rc::Rc;

/// Items by the paths that the function writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// The impl block that the function stands in.
    pub(crate) methods: Methods,
    functions: Map<String, Rc<Known>>,
    structs: Map<String, Rc<syn::Fields>>,
    /// Those of the runtime that stand for arrays in fields.
    arrays: Set<String>,
    /// Structs that borrow.
    bundles: Map<String, Rc<syn::Fields>>,
    /// Derived structs of other modules, of which no more is known.
    imported: Set<String>,
    /// Structs that are not differentiated.
    plain: Map<String, Rc<syn::Fields>>,
    /// Fields as the file of the item writes them, of structs that are not derived.
    of_file: Map<String, Rc<syn::Fields>>,
    /// Types of constants of that file.
    written: Map<String, syn::Type>,
    aliases: Map<String, Rc<Alias>>,
    /// Types with lifetimes, which may be left out, and how many these are.
    lifetimes: Map<String, usize>,
    /// Structs with lengths, `Matrix<R, C>`, and the names that they have for these.
    lengths: Map<String, Rc<Vec<String>>>,
    /// Functions that take functions.
    higher: Map<String, Rc<syn::ItemFn>>,
    /// Methods of traits on numbers, and on lists of them.
    extensions: Set<String>,
    /// The types that they belong to.
    owners: Map<String, Rc<syn::Path>>,
    /// The paths of several of them.
    twofold: Set<String>,
    constants: Map<String, Rc<syn::Type>>,
    /// Enums, and structs that are not derived, of which all is known.
    shapes: Map<String, Rc<Shape>>,
    /// Types that are not differentiated: enums, structs that are not derived, and what has nothing to say.
    opaque: Set<String>,
    /// The types behind trait objects.
    objects: Map<String, Rc<Vec<String>>>,
    /// Enums of the objects of traits that are made of what varies.
    boxed: Map<String, String>,
    /// The fields that structs with `Deref` lead to.
    derefs: Map<String, syn::Member>,
    /// Types of the annotated module, and who sees them.
    visible: Map<String, syn::Visibility>,
    /// Structs that are generic over types.
    open: Map<String, proc_macro2::Ident>,
    /// Those of types that are not differentiated, by type and name.
    passive: Map<(String, String), Rc<Method>>,
    /// Methods and functions that belong to types, by type and name.
    owned: Map<(String, String), Rc<Method>>,
    /// The same with the trait, which is empty for a block without one.
    of_traits: Set<(String, String, String)>,
    /// Functions of types that take nothing and are not differentiated, by type and name.
    makers: Set<(String, String)>,
    /// Operators, by method, and the types on both sides.
    operators: Map<(String, String, String), Rc<Method>>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) signature: syn::Signature,
    /// It is differentiated, and has a handle.
    pub(crate) is_differentiated: bool,
}

/// The lifetime by which a struct that holds trait objects is known as one that borrows.
pub(crate) const BOXED: &str = "__boxed";

impl Environment {
    /// The same around a function of an impl block.
    pub(crate) fn with_methods(&self, methods: Methods) -> Environment {
        Environment {
            methods,
            ..self.clone()
        }
    }

    /// The same with structs that may be derived.
    pub(crate) fn with_structs(&self, structs: Vec<(String, syn::Fields)>) -> Environment {
        let mut env = self.clone();
        for (name, fields) in structs {
            env.add_struct(&name, fields);
        }
        env
    }

    pub(crate) fn add_function(
        &mut self,
        path: &str,
        signature: syn::Signature,
        is_differentiated: bool,
    ) {
        let known = Known {
            signature,
            is_differentiated,
        };
        self.functions.insert(spelled(path), Rc::new(known));
    }

    pub(crate) fn add_struct(&mut self, path: &str, fields: syn::Fields) {
        self.structs.insert(self.of(path), Rc::new(fields));
    }

    /// A derived struct of which its module knows no more.
    pub(crate) fn add_imported(&mut self, name: &str) {
        self.imported.insert(name.to_owned());
    }

    pub(crate) fn is_imported(&self, name: &str) -> bool {
        self.imported.contains(name)
    }

    /// A struct that is not differentiated.
    pub(crate) fn add_plain(&mut self, path: &str, fields: syn::Fields) {
        self.add_opaque(path);
        self.plain.insert(self.of(path), Rc::new(fields));
    }

    /// The fields of a struct of the same file that is not derived.
    pub(crate) fn add_fields(&mut self, path: &str, fields: syn::Fields) {
        self.of_file.insert(self.of(path), Rc::new(fields));
    }

    /// The type of a constant of the same file.
    pub(crate) fn add_written(&mut self, path: &str, ty: syn::Type) {
        self.written.insert(spelled(path), ty);
    }

    /// The type of a constant as it is written, by the module or the file.
    pub(crate) fn written(&self, path: &str) -> Option<syn::Type> {
        let of_file = || Some(self.expanded(self.written.get(&spelled(path))?));
        self.constant(path).or_else(of_file)
    }

    pub(crate) fn add_alias(&mut self, path: &str, item: syn::ItemType) {
        self.aliases
            .insert(spelled(path), Rc::new(Alias::new(item)));
    }

    /// Notes the lifetimes of a type, if it has no other parameters. Whether it has some.
    pub(crate) fn add_lifetimes(&mut self, path: &str, generics: &syn::Generics) -> bool {
        // one that a module gives to a struct that holds trait objects is not written
        let is_written = |of: &&syn::LifetimeParam| of.lifetime.ident != BOXED;
        let count = generics.lifetimes().filter(is_written).count();
        let is_it = count > 0 && count == generics.params.len();
        if is_it {
            self.lifetimes.insert(spelled(path), count);
        }
        is_it
    }

    /// The same where a function has names of its own, if aliases have these too.
    pub(super) fn hiding(&self, own: &[String]) -> Option<Environment> {
        let mut all = self.aliases.keys();
        all.any(|alias| own.contains(alias)).then(|| {
            let mut env = self.clone();
            env.aliases.retain(|alias, _| !own.contains(alias));
            env
        })
    }

    pub(crate) fn add_constant(&mut self, path: &str, ty: syn::Type) {
        self.constants.insert(spelled(path), Rc::new(ty));
    }

    /// A type that is not differentiated.
    pub(crate) fn add_opaque(&mut self, path: &str) {
        self.opaque.insert(self.of(path));
    }

    /// A method of a trait, or of a block without one.
    pub(crate) fn add_method(&mut self, owner: &str, name: &str, of_trait: &str, method: Method) {
        let (owner, name) = (spelled(owner), name.to_owned());
        let of = (owner.clone(), name.clone(), of_trait.to_owned());
        self.of_traits.insert(of);
        self.owned.insert((owner, name), Rc::new(method));
    }

    /// Whether the type has this method of this trait.
    pub(crate) fn is_of_trait(&self, owner: &str, name: &str, of_trait: &str) -> bool {
        let key = (spelled(owner), name.to_owned(), of_trait.to_owned());
        self.of_traits.contains(&key)
    }

    /// Whether the type has another method of this name than that of this trait.
    pub(crate) fn is_of_two(&self, owner: &str, name: &str, of_trait: &str) -> bool {
        let owner = spelled(owner);
        let mut all = self.of_traits.iter();
        all.any(|(of, method, by)| *of == owner && method == name && by != of_trait)
    }

    /// The operator's method on two types; `right` is empty for one.
    pub(crate) fn add_operator(&mut self, name: &str, left: &str, right: &str, method: Method) {
        let key = (name.to_owned(), spelled(left), spelled(right));
        self.operators.insert(key, Rc::new(method));
    }

    /// The function with this path.
    pub(crate) fn function(&self, path: &str) -> Option<Rc<Known>> {
        self.functions.get(&spelled(path)).cloned()
    }

    /// The paths of all derived structs that are known.
    pub(crate) fn struct_paths(&self) -> impl Iterator<Item = &str> {
        self.structs.keys().map(String::as_str)
    }

    /// Whether a derived struct has vectors, if all is known of it.
    pub(super) fn has_vectors(&self, path: &str, float: &str, depth: usize) -> Option<bool> {
        const DEEP: usize = 16;
        if depth == DEEP {
            return None;
        }
        let fields = self.fields(path)?.into_iter();
        let found: Vec<_> = fields
            .map(|(_, ty)| self.is_vector(&ty, float, depth))
            .collect();
        match found.contains(&Some(true)) {
            true => Some(true),
            false => found.into_iter().all(|f| f.is_some()).then_some(false),
        }
    }

    fn is_vector(&self, ty: &syn::Type, float: &str, depth: usize) -> Option<bool> {
        match types::ungroup(ty) {
            syn::Type::Array(array) => self.is_vector(&array.elem, float, depth),
            syn::Type::Tuple(tuple) => {
                let parts = tuple.elems.iter();
                let found: Option<Vec<bool>> =
                    parts.map(|t| self.is_vector(t, float, depth)).collect();
                Some(found?.contains(&true))
            }
            syn::Type::Path(p) if p.qself.is_none() => {
                let last = p.path.segments.last()?.ident.to_string();
                match &*last {
                    "Vec" | "String" => Some(true),
                    "Option" => {
                        let args = types::arguments(&p.path);
                        args.first().and_then(|t| self.is_vector(t, float, depth))
                    }
                    "f64" | "f32" | "bool" | "char" => Some(false),
                    name if name == float || types::is_integer_name(name) => Some(false),
                    _ => self.has_vectors(&p.path.to_token_stream().to_string(), float, depth + 1),
                }
            }
            _ => None,
        }
    }

    /// Whether the type with this path is a derived struct.
    pub(crate) fn is_struct(&self, path: &str) -> bool {
        self.structs.contains_key(&self.of(path))
    }

    /// The type of the constant with this path.
    pub(crate) fn constant(&self, path: &str) -> Option<syn::Type> {
        let ty = self.constants.get(&spelled(path))?;
        Some(self.expanded(ty))
    }

    /// The function of this name that belongs to the type with this path.
    pub(crate) fn method(&self, owner: &str, name: &str) -> Option<Method> {
        let get = |of: String| self.owned.get(&(of, name.to_owned()));
        let method = get(spelled(owner)).or_else(|| get(self.of(owner)))?;
        Some(self.expanded_method(method))
    }

    /// The same of the block around the function, too.
    pub(crate) fn method_of(&self, owner: &proc_macro2::TokenStream, name: &str) -> Option<Method> {
        let beside = || {
            self.methods
                .get(&Tokens(owner.clone()), name, self)
                .cloned()
        };
        self.method(&owner.to_string(), name).or_else(beside)
    }

    /// The method without aliases.
    pub(crate) fn expanded_method(&self, method: &Method) -> Method {
        let mut method = method.clone();
        method.output = method.output.map(|ty| self.expanded(&ty));
        method.of = method.of.iter().map(|ty| self.expanded(ty)).collect();
        for input in &mut method.inputs {
            *input = self.expanded(input);
        }
        method
    }

    pub(crate) fn operator(&self, name: &str, left: &str, right: &str) -> Option<Method> {
        let get = |left, right| self.operators.get(&(name.to_owned(), left, right));
        let exact = get(spelled(left), spelled(right));
        let method =
            exact.or_else(|| get(self.of(left), of_any_length(&self.of(&spelled(right)))))?;
        Some(self.expanded_method(method))
    }

    /// Whether nothing more can be learned of this path by asking.
    pub(crate) fn knows(&self, path: &str) -> bool {
        let path = spelled(path);
        self.functions.contains_key(&path)
            || self.structs.contains_key(&path)
            || self.bundles.contains_key(&path)
            || self.aliases.contains_key(&path)
            || self.higher.contains_key(&path)
            || self.constants.contains_key(&path)
            || self.opaque.contains(&path)
    }

    /// Whether the function or type with this path was asked, and is not differentiated.
    pub(crate) fn is_opaque(&self, path: &str) -> bool {
        self.opaque.contains(&self.of(path))
    }

    /// Whether a type holds floats that can be differentiated.
    pub(crate) fn is_active(&self, ty: &syn::Type) -> bool {
        walk::any(Node::Type(&self.expanded(ty)), &mut |node| {
            let Node::Type(syn::Type::Path(ty)) = node else {
                return false;
            };
            let path = ty.path.to_token_stream().to_string();
            ["f64", "f32"].contains(&&*path)
                || self.is_struct(&path)
                || self.is_bundle(&path)
                || self.is_imported(spelled(&path).split('<').next().unwrap_or_default())
        })
    }

    /// Whether a function has no derivative: it changes nothing, and its result holds no floats.
    pub(crate) fn has_no_derivative(&self, sig: &syn::Signature) -> bool {
        let changes = sig.inputs.iter().any(|input| match input {
            syn::FnArg::Receiver(r) => r.reference.is_some() && r.mutability.is_some(),
            syn::FnArg::Typed(p) => {
                matches!(types::ungroup(&p.ty), syn::Type::Reference(r) if r.mutability.is_some())
            }
        });
        let is_free = match &sig.output {
            syn::ReturnType::Default => true,
            syn::ReturnType::Type(_, ty) => has_no_floats(&self.expanded(ty)),
        };
        !changes && is_free
    }

    /// Whether a type is made of types that are not differentiated.
    pub(crate) fn is_constant(&self, ty: &syn::Type) -> bool {
        match types::ungroup(ty) {
            ty if speaks_of_floats(ty) => false,
            syn::Type::Reference(r) => r.mutability.is_none() && self.is_constant(&r.elem),
            ty if types::trait_of(ty).is_some() => true,
            ty if has_no_floats(ty) => types::is_no_parameter(ty),
            syn::Type::Slice(s) => self.is_constant(&s.elem),
            syn::Type::Array(a) => self.is_constant(&a.elem),
            syn::Type::Tuple(t) => t
                .elems
                .iter()
                .all(|t| has_no_floats(t) || self.is_constant(t)),
            syn::Type::Path(p) => {
                let args = types::arguments(&p.path);
                args.into_iter().any(|ty| self.is_constant(ty))
                    || !self.is_active(ty) && self.is_opaque(&without_arguments(&p.path))
            }
            _ => false,
        }
    }

    /// The type without aliases.
    pub(crate) fn expanded(&self, ty: &syn::Type) -> syn::Type {
        self.expanded_among(ty, &[])
    }

    /// The same where parameters have these names.
    pub(crate) fn expanded_among(&self, ty: &syn::Type, own: &[String]) -> syn::Type {
        let mut ty = ty.clone();
        Aliases::among(self, own).change(NodeMut::Type(&mut ty));
        ty
    }

    /// Writes an item without aliases.
    pub(crate) fn write_out(&self, item: &mut syn::Item) {
        let own = own_names(Node::Item(item));
        Aliases::among(self, &own).change(NodeMut::Item(item));
    }

    /// Writes the function without aliases, and marks parameters of types that are not differentiated. Returns these
    /// types, as far as nothing is known of them.
    pub(crate) fn prepare(
        &self,
        sig: &mut syn::Signature,
        block: &mut syn::Block,
    ) -> Vec<syn::TypePath> {
        if !self.higher.is_empty() {
            inline::inline(self, sig, block);
        }
        self.write_out_function(sig, block);
        let mut marked = Vec::new();
        for input in &mut sig.inputs {
            if let syn::FnArg::Typed(p) = input
                && p.attrs.is_empty()
                && self.is_constant(&p.ty)
            {
                p.attrs.push(parse_quote!(#[constant]));
                marked.extend(self.silent_in(&p.ty));
            }
        }
        marked
    }

    /// The body of a function without our marks, if those of others may be put into it.
    pub(crate) fn written_body(&self, function: &syn::ItemFn) -> Option<Box<syn::Block>> {
        let mut function = (!self.higher.is_empty()).then(|| function.clone())?;
        options::strip_marks(&mut function);
        Some(function.block)
    }

    /// The type that has nothing to say, behind references and in sequences.
    fn silent_in(&self, ty: &syn::Type) -> Option<syn::TypePath> {
        match types::ungroup(ty) {
            syn::Type::Reference(r) => self.silent_in(&r.elem),
            syn::Type::Slice(s) => self.silent_in(&s.elem),
            syn::Type::Array(a) => self.silent_in(&a.elem),
            syn::Type::Path(p) => {
                let path = spelled(&without_arguments(&p.path));
                let is_silent = self.opaque.contains(&path) && !self.plain.contains_key(&path);
                is_silent.then(|| p.clone())
            }
            _ => None,
        }
    }
}

/// Types of std that are what the types in them are.
pub(crate) const TRANSPARENT: [&str; 10] = [
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "HashMap",
    "HashSet",
    "Option",
    "Result",
    "Vec",
    "VecDeque",
];

/// Whether a type is made of types of std alone that hold no floats.
pub(super) fn has_no_floats(ty: &syn::Type) -> bool {
    match types::ungroup(ty) {
        syn::Type::Reference(r) => r.mutability.is_none() && has_no_floats(&r.elem),
        syn::Type::Slice(s) => has_no_floats(&s.elem),
        syn::Type::Array(a) => has_no_floats(&a.elem),
        syn::Type::Tuple(t) => t.elems.iter().all(has_no_floats),
        syn::Type::Path(p) if p.qself.is_none() && p.path.segments.len() == 1 => {
            let name = p.path.segments[0].ident.to_string();
            match &p.path.segments[0].arguments {
                syn::PathArguments::None => {
                    ["bool", "char", "str", "String"].contains(&&*name)
                        || types::is_integer_name(&name)
                }
                syn::PathArguments::AngleBracketed(args) => {
                    let of_std = TRANSPARENT.contains(&&*name);
                    let is_constant = |a: &syn::GenericArgument| matches!(a, syn::GenericArgument::Type(ty) if has_no_floats(ty));
                    of_std && args.args.iter().all(is_constant)
                }
                syn::PathArguments::Parenthesized(_) => false,
            }
        }
        _ => false,
    }
}

/// A map of std whose values may have floats, a deque of such, or a list of such beside texts.
pub(super) fn is_collection_of_floats(ty: &syn::Type) -> bool {
    let is_list = match types::ungroup(ty) {
        syn::Type::Slice(_) | syn::Type::Array(_) => true,
        syn::Type::Path(p) => types::vec_element(p).is_some(),
        _ => false,
    };
    is_list && super::data::has_named(ty) || is_map_of_floats(ty)
}

/// A map of std whose values may have floats, or a deque of such.
pub(crate) fn is_map_of_floats(ty: &syn::Type) -> bool {
    let syn::Type::Path(p) = types::ungroup(ty) else {
        return false;
    };
    let item = match p
        .path
        .segments
        .last()
        .map(|s| s.ident.to_string())
        .as_deref()
    {
        Some("BTreeMap" | "HashMap") => 1,
        Some("VecDeque") => 0,
        _ => return false,
    };
    let of = types::arguments(&p.path).into_iter().nth(item);
    of.is_some_and(|of| !has_no_floats(of))
}

pub(crate) fn speaks_of_floats(ty: &syn::Type) -> bool {
    let text = ty.to_token_stream().to_string();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "f64" || word == "f32")
}

/// A path that names the type alone: `Grid` for `Grid<'_>`.
fn without_arguments(path: &syn::Path) -> String {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    path.to_token_stream().to_string()
}

/// A path without the blanks that printing puts into it, and without lifetimes.
pub(crate) fn spelled(path: &str) -> String {
    if path.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return path.to_owned();
    }
    let path: String = path.split_whitespace().collect();
    let is_of_lifetimes = |of: &str| of.split(',').all(|l| l.starts_with('\''));
    let path = match path.split_once('<') {
        Some((of, rest)) if rest.strip_suffix('>').is_some_and(is_of_lifetimes) => of.to_owned(),
        _ => path,
    };
    // as generated code writes them
    path.replace("::core::primitive::", "")
        .replace("::std::vec::", "")
}

/// An array of any length: `[f64;_]`.
pub(crate) fn of_any_length(ty: &str) -> String {
    match ty.rsplit_once(';') {
        Some((of, _)) if ty.ends_with(']') => format!("{of};_]"),
        _ => ty.to_owned(),
    }
}
