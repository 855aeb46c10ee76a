//! Fields of a derived struct: what they hold, told by their types as written.

use super::data::is_one_of;
use crate::error;
use crate::lower::vec_element;
use crate::report::Report;
use crate::sorted::Set;
use crate::template::quote;
use crate::walk::{self, Node, Onward};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;

/// A field, and what becomes of it.
pub(super) struct Field<'a> {
    /// Its name, or its number.
    pub(super) member: syn::Member,
    /// A variable of its own.
    pub(super) var: Ident,
    pub(super) vis: &'a syn::Visibility,
    pub(super) ty: &'a syn::Type,
    pub(super) kind: Kind,
    /// Its type is seen wherever the struct is.
    is_open: bool,
    /// It is passive, and a tape can hold it: numbers, bools, chars, enums and structs of these, and arrays, tuples
    /// and options.
    pub(super) is_kept: bool,
    /// It is passive and of no size that its type tells, and a tape can hold it.
    pub(super) is_list: bool,
}

/// What a field holds.
pub(super) enum Kind {
    /// A float.
    Number,
    /// Arrays of floats: the family, and the number of floats.
    Array(TokenStream, TokenStream),
    /// A vector of floats, or of arrays of them: the family.
    Vector(TokenStream),
    /// A derived struct.
    Nested,
    /// An array of derived structs: the struct, and how many.
    Structs(syn::Type, TokenStream),
    /// A vector of derived structs, or an array of vectors.
    StructVec(syn::Type),
    /// A float that is constant.
    ConstantNumber,
    /// Floats that are constant, in any container.
    ConstantFloats,
    /// An integer, bool or char.
    Copied,
    /// Anything else that carries no derivative.
    Borrowed,
}

impl Field<'_> {
    /// Whether the type of a field may be private where the struct is not, which rustc refuses in a public trait. Who
    /// may read such a field sees its declaration.
    pub(super) fn may_leak(&self, of: &syn::Visibility) -> bool {
        let is_private = |vis: &syn::Visibility| matches!(vis, syn::Visibility::Inherited);
        let is_of_std = matches!(
            self.kind,
            Kind::Number
                | Kind::Array(..)
                | Kind::Vector(_)
                | Kind::ConstantNumber
                | Kind::ConstantFloats
        );
        let is_primitive = |ty: &syn::Type| {
            let is_one = |name: &syn::Ident| {
                let name = name.to_string();
                crate::lower::is_integer_name(&name) || matches!(&*name, "bool" | "char")
            };
            matches!(ty, syn::Type::Path(p) if p.path.get_ident().is_some_and(is_one))
        };
        let is_seen = self.is_open || is_of_std || is_primitive(self.ty);
        is_private(self.vis) && !is_private(of) && !is_seen
    }

    /// Whether it is an option of an integer or a bool, which fits beside floats of each type.
    pub(super) fn is_count(&self) -> bool {
        crate::lower::is_count(self.ty)
    }

    /// Whether it is an array.
    pub(super) fn is_array(&self) -> bool {
        matches!(crate::lower::ungroup(self.ty), syn::Type::Array(_))
    }

    /// Whether its size is known where the struct is derived.
    pub(super) fn is_fixed(&self) -> bool {
        match self.kind {
            Kind::Number | Kind::Array(..) | Kind::Nested | Kind::Structs(..) => true,
            Kind::Vector(_) | Kind::StructVec(_) => false,
            Kind::ConstantNumber | Kind::ConstantFloats | Kind::Copied | Kind::Borrowed => {
                self.is_kept
            }
        }
    }

    /// Whether a tape can hold it, however long it is.
    pub(super) fn is_held(&self) -> bool {
        let vector = matches!(self.kind, Kind::Vector(_) | Kind::StructVec(_));
        self.is_fixed() || vector || self.is_list
    }

    /// Has floats that are differentiated.
    pub(super) fn is_active(&self) -> bool {
        matches!(
            self.kind,
            Kind::Number
                | Kind::Array(..)
                | Kind::Vector(_)
                | Kind::Nested
                | Kind::Structs(..)
                | Kind::StructVec(_)
        )
    }

    /// Its family; `()` for what is passive.
    pub(super) fn family(&self, rt: &TokenStream) -> TokenStream {
        let ty = self.ty;
        match &self.kind {
            Kind::Number => quote!(#rt::Number),
            Kind::Array(family, _) | Kind::Vector(family) => family.clone(),
            Kind::Nested => quote!(#rt::Struct<#ty>),
            Kind::Structs(q, n) => quote!(#rt::StructArray<{ #n }, #q>),
            Kind::StructVec(q) => quote!(#rt::Structs<#q>),
            Kind::ConstantNumber | Kind::ConstantFloats | Kind::Copied | Kind::Borrowed => {
                quote!(())
            }
        }
    }
}

/// The float type: as written, or that of the first struct inside.
pub(super) fn real(float: Option<&str>, fields: &[Field<'_>], rt: &TokenStream) -> TokenStream {
    if let Some(float) = float {
        let float = format_ident!("{float}");
        return quote!(::core::primitive::#float);
    }
    let inner = fields.iter().find_map(|f| match &f.kind {
        Kind::Nested if !f.is_count() => Some(f.ty),
        Kind::Structs(q, _) | Kind::StructVec(q) => Some(q),
        Kind::Nested
        | Kind::Number
        | Kind::Array(..)
        | Kind::Vector(_)
        | Kind::ConstantNumber
        | Kind::ConstantFloats
        | Kind::Copied
        | Kind::Borrowed => None,
    });
    match inner {
        Some(q) => quote!(<#q as #rt::Differentiable>::Real),
        None => quote!(::core::primitive::f64),
    }
}

pub(super) struct Reader<'a> {
    cx: &'a Report,
    /// The float type that the fields speak of.
    pub(super) float: Option<&'static str>,
    /// Whether the fields are what the variants of an enum hold.
    pub(super) is_enum: bool,
    /// Whether the type of each field is seen wherever the struct is.
    pub(super) is_open: Vec<bool>,
    /// Types of the file that a tape can keep.
    pub(super) kept: Set<String>,
    rt: TokenStream,
}

impl<'a> Reader<'a> {
    pub(super) fn new(fields: &syn::Fields, rt: TokenStream, cx: &'a Report) -> Reader<'a> {
        let text = fields
            .iter()
            .map(|f| f.ty.to_token_stream().to_string() + " ")
            .collect::<String>();
        let float = match (speaks_of(&text, "f64"), speaks_of(&text, "f32")) {
            (true, _) => Some("f64"),
            (false, true) => Some("f32"),
            (false, false) => None,
        };
        let kept = Set::default();
        Reader {
            cx,
            float,
            is_enum: false,
            is_open: Vec::new(),
            kept,
            rt,
        }
    }

    pub(super) fn field<'f>(&self, k: usize, f: &'f syn::Field) -> Option<Field<'f>> {
        let constant = f.attrs.iter().any(|a| a.path().is_ident("constant"));
        let kind = if crate::lower::is_count(&f.ty) {
            Kind::Nested
        } else if constant {
            self.constant(&f.ty)
        } else {
            self.kind(&f.ty)?
        };
        let is_passive = matches!(
            kind,
            Kind::ConstantNumber | Kind::ConstantFloats | Kind::Copied | Kind::Borrowed
        );
        let member = match &f.ident {
            Some(name) => syn::Member::Named(name.clone()),
            None => syn::Member::Unnamed(syn::Index::from(k)),
        };
        Some(Field {
            member,
            var: format_ident!("__f{k}"),
            vis: &f.vis,
            ty: &f.ty,
            is_open: self.is_open.get(k) == Some(&true),
            is_kept: is_passive && self.is_kept(&f.ty),
            is_list: is_passive && !self.is_kept(&f.ty) && self.is_list(&f.ty),
            kind,
        })
    }

    fn constant(&self, ty: &syn::Type) -> Kind {
        if self.is_float(ty) {
            Kind::ConstantNumber
        } else if is_copied(ty) {
            Kind::Copied
        } else if speaks_of_floats(ty) {
            Kind::ConstantFloats
        } else {
            Kind::Borrowed
        }
    }

    fn kind(&self, ty: &syn::Type) -> Option<Kind> {
        if self.is_float(ty) {
            return Some(Kind::Number);
        }
        if is_copied(ty) {
            return Some(Kind::Copied);
        }
        if is_passive(ty) {
            return Some(Kind::Borrowed);
        }
        let rt = &self.rt;
        match ty {
            syn::Type::Array(a) => {
                let n = a.len.to_token_stream();
                if let Some((cell, count)) = self.cell(&a.elem) {
                    return Some(Kind::Array(
                        quote!(#rt::Array<{ #n }, #cell>),
                        quote!((#n) * #count),
                    ));
                }
                if struct_in_row(&a.elem).is_some() || self.is_stored(&a.elem) {
                    return Some(Kind::Structs((*a.elem).clone(), n));
                }
                // rows of a length of their own, as if there were a vector of them
                if self.is_item(&a.elem) {
                    return Some(Kind::StructVec((*a.elem).clone()));
                }
            }
            syn::Type::Path(path) => {
                if let Some(elem) = vec_element(path) {
                    if let Some((cell, _)) = self.cell(elem) {
                        return Some(Kind::Vector(quote!(#rt::Slice<#cell>)));
                    }
                    if struct_in_row(elem).is_some() || self.is_item(elem) {
                        return Some(Kind::StructVec(elem.clone()));
                    }
                } else if struct_path(ty).is_some() {
                    return Some(Kind::Nested);
                }
            }
            _ => {}
        }
        if self.is_stored(ty) {
            return Some(Kind::Nested);
        }
        if lacks_lifetime(ty) {
            // rustc says so
            self.cx.mismatch();
            return None;
        }
        let message = match self.is_enum {
            true => &error::DERIVE_VARIANT,
            false => &error::DERIVE_FIELD,
        };
        self.cx
            .error_about(ty.span(), message, ty.to_token_stream());
        None
    }

    /// A tuple or an option that the runtime stores as if it were a derived struct.
    fn is_stored(&self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Tuple(t) => {
                let is_part = |t| is_copied(t) || self.cell(t).is_some() || self.is_part(t);
                (2..=6).contains(&t.elems.len()) && t.elems.iter().all(is_part)
            }
            syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Option") => {
                let args = crate::lower::arguments(&p.path);
                matches!(args.as_slice(), [some] if self.is_payload(some))
            }
            syn::Type::Paren(p) => self.is_stored(&p.elem),
            syn::Type::Group(g) => self.is_stored(&g.elem),
            _ => false,
        }
    }

    /// What an option may hold that is stored: numbers, a tuple, an array or a vector of them, or a derived struct.
    fn is_payload(&self, ty: &syn::Type) -> bool {
        let is_list = |ty: &syn::Type| match ty {
            syn::Type::Array(a) => self.is_float(&a.elem),
            syn::Type::Path(p) => vec_element(p).is_some_and(|of| self.is_float(of)),
            syn::Type::Tuple(t) => {
                let is_number = |of| self.is_float(of) || crate::lower::is_word(of);
                (2..=6).contains(&t.elems.len()) && t.elems.iter().all(is_number)
            }
            _ => false,
        };
        self.is_float(ty) || is_list(ty) || struct_path(ty).is_some()
    }

    /// What a vector may hold that the runtime stores as if it were a derived struct.
    fn is_item(&self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Path(path) => match vec_element(path) {
                Some(of) => {
                    self.cell(of).is_some() || struct_path(of).is_some() || self.is_item(of)
                }
                None => self.is_stored(ty),
            },
            ty => self.is_stored(ty),
        }
    }

    /// A struct, or a tuple in a tuple; no text.
    fn is_part(&self, ty: &syn::Type) -> bool {
        self.is_stored(ty) || struct_path(ty).is_some() && !is_passive(ty)
    }

    /// Whether a tape can hold what is passive.
    pub(super) fn is_kept(&self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Tuple(t) => t.elems.len() <= 6 && t.elems.iter().all(|t| self.is_kept(t)),
            syn::Type::Path(p) if is_one_of(&p.path, &self.kept) || is_mark(ty) => true,
            syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Option") => {
                let args = crate::lower::arguments(&p.path);
                matches!(args.as_slice(), [some] if self.is_kept(some))
            }
            syn::Type::Array(a) => self.is_kept(&a.elem),
            syn::Type::Reference(r) => crate::lower::is_static_text(r),
            syn::Type::Paren(p) => self.is_kept(&p.elem),
            syn::Type::Group(g) => self.is_kept(&g.elem),
            _ => self.is_float(ty) || is_copied(ty),
        }
    }

    /// Whether a tape can hold what is passive, and of which the type does not tell the length.
    fn is_list(&self, ty: &syn::Type) -> bool {
        match Passive::of(ty) {
            Passive::Text => true,
            Passive::List(of) | Passive::Option(of) => self.is_list(of),
            Passive::Block => self.is_kept(ty),
        }
    }

    fn is_float(&self, ty: &syn::Type) -> bool {
        self.float.is_some_and(|float| is_name(ty, float))
    }

    /// An element: the runtime's name for it, and its number of floats.
    fn cell(&self, ty: &syn::Type) -> Option<(TokenStream, TokenStream)> {
        let rt = &self.rt;
        if self.is_float(ty) {
            return Some((quote!(#rt::One), quote!(1)));
        }
        let syn::Type::Array(a) = ty else { return None };
        let ((cell, count), n) = (self.cell(&a.elem)?, &a.len);
        Some((quote!(#rt::Row<{ #n }, #cell>), quote!((#n) * #count)))
    }
}

/// A path that may be a derived struct: the name of no container of std, and no floats in its
/// arguments.
pub(super) fn struct_path(ty: &syn::Type) -> Option<syn::Type> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let is_container = CONTAINERS.iter().any(|n| last.ident == n)
        && !last.arguments.is_empty()
        && !crate::lower::is_namesake(last);
    let is_plain = !speaks_of_floats(ty) || crate::lower::is_array(ty);
    let fits = path.qself.is_none() && is_plain && !is_container;
    fits.then(|| ty.clone())
}

/// The struct in an array of arrays of such, or the struct itself.
pub(super) fn struct_in_row(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Array(a) => struct_in_row(&a.elem),
        ty => struct_path(ty).map(|_| ty),
    }
}

const CONTAINERS: [&str; 16] = [
    "Vec",
    "VecDeque",
    "Option",
    "Result",
    "Box",
    "Rc",
    "Arc",
    "Cell",
    "RefCell",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "Cow",
    "PhantomData",
    "Range",
];

/// Types of std that are met in fields and hold no floats.
const PLAIN: [&str; 6] = [
    "str",
    "String",
    "PathBuf",
    "Duration",
    "Instant",
    "SystemTime",
];

/// Whether a type is known to hold no floats: made of integers, strings and the like.
pub(super) fn is_passive(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return false;
            };
            match &last.arguments {
                syn::PathArguments::None => is_copied(ty) || PLAIN.iter().any(|n| last.ident == n),
                syn::PathArguments::AngleBracketed(args) => {
                    is_mark(ty)
                        || (CONTAINERS.iter().any(|n| last.ident == n)
                            && args.args.iter().all(|a| match a {
                                syn::GenericArgument::Type(t) => is_passive(t),
                                _ => true,
                            }))
                }
                syn::PathArguments::Parenthesized(_) => false,
            }
        }
        syn::Type::Array(a) => is_passive(&a.elem),
        syn::Type::Slice(s) => is_passive(&s.elem),
        syn::Type::Reference(r) => is_passive(&r.elem),
        syn::Type::Tuple(t) => t.elems.iter().all(is_passive),
        syn::Type::Paren(p) => is_passive(&p.elem),
        syn::Type::Group(g) => is_passive(&g.elem),
        _ => false,
    }
}

/// Whether this is `PhantomData<U>`.
fn is_mark(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p)
        if p.path.segments.last().is_some_and(|s| s.ident == "PhantomData"))
}

/// Whether a type borrows, and nothing tells for how long.
fn lacks_lifetime(ty: &syn::Type) -> bool {
    walk::read(Node::Type(ty), &mut |node| match node {
        Node::Type(syn::Type::Reference(r)) if r.lifetime.is_none() => Onward::Found,
        // these have lifetimes of their own
        Node::Type(syn::Type::BareFn(_)) | Node::Parenthesized(_) => Onward::Over,
        _ => Onward::Into,
    })
}

/// How something passive is kept on a tape.
pub(super) enum Passive<'t> {
    Text,
    List(&'t syn::Type),
    Option(&'t syn::Type),
    /// As so many words and integers.
    Block,
}

impl Passive<'_> {
    pub(super) fn of(ty: &syn::Type) -> Passive<'_> {
        let ty = crate::lower::ungroup(ty);
        let syn::Type::Path(path) = ty else {
            return Passive::Block;
        };
        let last = path.path.segments.last().map(|s| s.ident.to_string());
        match (last.as_deref(), &crate::lower::arguments(&path.path)[..]) {
            (Some("Vec"), [of]) => Passive::List(of),
            (Some("Option"), [some]) => Passive::Option(some),
            _ if is_named(ty, "String") => Passive::Text,
            _ => Passive::Block,
        }
    }
}

fn is_named(ty: &syn::Type, name: &str) -> bool {
    matches!(crate::lower::ungroup(ty), syn::Type::Path(p) if p.path.is_ident(name))
}

/// Integers, bools and chars.
pub(super) fn is_copied(ty: &syn::Type) -> bool {
    const NAMES: [&str; 14] = [
        "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
        "bool", "char",
    ];
    NAMES.iter().any(|n| is_name(ty, n))
}

fn is_name(ty: &syn::Type, name: &str) -> bool {
    match ty {
        syn::Type::Path(p) => p.qself.is_none() && p.path.is_ident(name),
        syn::Type::Group(g) => is_name(&g.elem, name),
        _ => false,
    }
}

fn speaks_of_floats(ty: &syn::Type) -> bool {
    let text = ty.to_token_stream().to_string();
    speaks_of(&text, "f64") || speaks_of(&text, "f32")
}

fn speaks_of(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|w| w == name)
}
