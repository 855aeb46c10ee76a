//! Values without floats, as `enum Mode { Heating, Named(&'static str) }` and `struct Cell { row: usize, col: usize }`:
//! which they are, and how each is one number. In variables, lists and results it is that number; code that is carried
//! along has the value itself.

use super::bundles::put_mark;
use super::code;
use super::environment::{Environment, has_no_floats, spelled};
use super::ty::Ty;
use super::types::{self, is_integer_name, ungroup, unmarked};
use crate::ir::Tokens;
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::rc::Rc;

/// The widest number, in bits.
const WIDEST: u32 = 128;

/// The fewest bits of an index.
const FEWEST: u32 = 24;

/// A struct, with one variant without a name, or an enum: its variants and their fields.
pub(crate) type Shape = Vec<(Option<String>, syn::Fields)>;

/// A type without floats whose values fit in a number.
#[derive(Debug)]
pub(crate) struct Data {
    /// The type of the number.
    pub(crate) number: &'static str,
    pub(crate) layout: Layout,
}

/// The integer type of values without floats: each is a number.
pub(super) fn data_type(path: &Tokens, data: &Data) -> String {
    format!("{DATA}{} {}", data.number, path.0)
}

const DATA: &str = "data ";

/// The type of the number that a value without floats is, and the path of its own type.
pub(crate) fn data_of(ty: &Ty) -> Option<(&str, &str)> {
    match ty {
        Ty::Int(name) => name.strip_prefix(DATA)?.split_once(' '),
        _ => None,
    }
}

/// Where what is in a value stands in its number: one after the other, from the lowest bit on.
#[derive(Debug)]
pub(crate) enum Layout {
    /// An integer, a bool or a char.
    Scalar(String),
    /// A `usize` or an `isize` of so many bits, where there are several: larger ones panic.
    Index(String, u32),
    /// A text, as the number of its place in a table; whether it is a `String`.
    Text(bool),
    Tuple(Vec<Layout>),
    Array(Vec<Layout>),
    /// Whether there is a value first.
    Option(Box<Layout>),
    /// The number of the variant first. Without a path that by which the whole type is named.
    Variants(Option<Tokens>, Vec<Variant>),
}

#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: Option<String>,
    pub(crate) fields: Vec<(syn::Member, Layout)>,
}

impl Data {
    /// The names of the variants, if none has data.
    pub(crate) fn plain_variants(&self) -> Option<Vec<&str>> {
        let Layout::Variants(_, variants) = &self.layout else {
            return None;
        };
        let name = |v: &'_ Variant| v.fields.is_empty();
        let are_plain = variants.iter().all(name);
        let names = variants.iter().map(|v| v.name.as_deref());
        names.collect::<Option<Vec<_>>>().filter(|_| are_plain)
    }
}

impl Layout {
    /// In bits.
    pub(crate) fn width(&self) -> u32 {
        match self {
            Layout::Scalar(name) => width_of(name),
            Layout::Index(_, bits) => *bits,
            Layout::Text(_) => 32,
            Layout::Tuple(parts) | Layout::Array(parts) => parts.iter().map(Layout::width).sum(),
            Layout::Option(some) => 1 + some.width(),
            Layout::Variants(_, variants) => {
                let widths = variants.iter().map(Variant::width);
                tag_of(variants) + widths.max().unwrap_or(0)
            }
        }
    }
}

impl Layout {
    /// The same with indices of so many bits.
    fn narrowed(&self, bits: u32) -> Layout {
        let all = |parts: &[Layout]| parts.iter().map(|part| part.narrowed(bits)).collect();
        match self {
            Layout::Scalar(name) if name == "usize" || name == "isize" => {
                Layout::Index(name.clone(), bits)
            }
            Layout::Scalar(name) => Layout::Scalar(name.clone()),
            Layout::Index(name, _) => Layout::Index(name.clone(), bits),
            Layout::Text(is_owned) => Layout::Text(*is_owned),
            Layout::Tuple(parts) => Layout::Tuple(all(parts)),
            Layout::Array(parts) => Layout::Array(all(parts)),
            Layout::Option(some) => Layout::Option(Box::new(some.narrowed(bits))),
            Layout::Variants(path, variants) => {
                let variants = variants.iter().map(|v| Variant {
                    name: v.name.clone(),
                    fields: (v.fields.iter())
                        .map(|(member, part)| (member.clone(), part.narrowed(bits)))
                        .collect(),
                });
                Layout::Variants(path.clone(), variants.collect())
            }
        }
    }

    /// The same in as many bits as the widest number has, if there are enough for indices.
    fn fitted(self) -> Option<Layout> {
        match self.width() {
            0..=WIDEST => Some(self),
            _ => (FEWEST..64)
                .rev()
                .map(|bits| self.narrowed(bits))
                .find(|layout| layout.width() <= WIDEST),
        }
    }
}

impl Variant {
    fn width(&self) -> u32 {
        self.fields.iter().map(|(_, part)| part.width()).sum()
    }
}

/// How many bits tell the variant.
pub(crate) fn tag_of(variants: &[Variant]) -> u32 {
    let last = variants.len().saturating_sub(1);
    usize::BITS - last.leading_zeros()
}

/// In bits; of `usize` on any platform, and of a char with room.
fn width_of(scalar: &str) -> u32 {
    match scalar {
        "bool" => 1,
        "char" => 32,
        "usize" | "isize" => 64,
        integer => integer[1..].parse().expect("the width of an integer"),
    }
}

/// The types whose values are numbers, among those of these shapes.
pub(crate) fn data_among_shapes(
    env: &Environment,
    shapes: &Map<String, Rc<Shape>>,
) -> Map<String, Rc<Data>> {
    let reading = Reading { env, shapes };
    let all = shapes.iter().filter_map(|(path, shape)| {
        let layout = reading.of_shape(None, shape, &mut vec![path.clone()])?;
        let layout = layout.fitted()?;
        let number = match layout.width() {
            // of any platform
            0..=32 => "usize",
            33..=64 => "u64",
            _ => "u128",
        };
        Some((path.clone(), Rc::new(Data { number, layout })))
    });
    let character = Data {
        number: "u32",
        layout: Layout::Scalar("char".to_owned()),
    };
    let text = |is_owned| Data {
        number: "usize",
        layout: Layout::Text(is_owned),
    };
    let own = [
        ("char".to_owned(), character),
        (spelled(&code::text_type(false).to_string()), text(false)),
        (spelled(&code::text_type(true).to_string()), text(true)),
    ];
    let own = own.map(|(path, data)| (path, Rc::new(data)));
    own.into_iter().chain(all).collect()
}

/// Why values of the type with this path are no numbers.
pub(crate) fn obstacle(env: &Environment, shapes: &Map<String, Rc<Shape>>, path: &str) -> String {
    let reading = Reading { env, shapes };
    match shapes.get(path) {
        Some(shape) => reading
            .obstacle(path, shape, &mut vec![path.to_owned()])
            .unwrap_or_else(|| format!("`{path}` has more than {WIDEST} bits")),
        None => format!("the fields of `{path}` cannot be seen here"),
    }
}

/// The type of a text that is a number, as texts are in lists of tuples and nowhere else.
pub(crate) fn text(ty: &syn::Type) -> Option<Ty> {
    let is_owned = match ungroup(ty) {
        syn::Type::Reference(r) if types::is_std_name(&r.elem, &["str"]) => false,
        ty if types::is_std_name(ty, &["str"]) => false,
        ty => types::is_std_name(ty, &["String"]).then_some(true)?,
    };
    Some(Ty::Opaque(Tokens(code::text_type(is_owned))))
}

/// Whether a tuple has texts beside what may be differentiated.
pub(super) fn is_named(t: &syn::TypeTuple) -> bool {
    let mut elems = t.elems.iter();
    elems.any(|ty| text(ty).is_some()) && !t.elems.iter().all(has_no_floats)
}

/// Whether a type has such tuples in it.
pub(super) fn has_named(ty: &syn::Type) -> bool {
    walk::any(
        Node::Type(ty),
        &mut |node| matches!(node, Node::Type(syn::Type::Tuple(t)) if is_named(t)),
    )
}

struct Reading<'a> {
    env: &'a Environment,
    shapes: &'a Map<String, Rc<Shape>>,
}

impl Reading<'_> {
    /// `open`: the types around, of which none can be in itself.
    fn of_shape(&self, path: Option<Tokens>, of: &Shape, open: &mut Vec<String>) -> Option<Layout> {
        let variants = of.iter().map(|(name, fields)| {
            let parts = fields.members().zip(fields).map(|(member, field)| {
                let is_open = field.attrs.iter().any(|a| a.path().is_ident("cfg"));
                let part = self.of_type(&field.ty, open).filter(|_| !is_open)?;
                Some((member, part))
            });
            let fields = parts.collect::<Option<Vec<_>>>()?;
            let name = name.clone();
            Some(Variant { name, fields })
        });
        Some(Layout::Variants(
            path,
            variants.collect::<Option<Vec<_>>>()?,
        ))
    }

    /// The first field that cannot be in a number.
    fn obstacle(&self, path: &str, of: &Shape, open: &mut Vec<String>) -> Option<String> {
        let fields = of.iter().flat_map(|(variant, fields)| {
            let owner = match variant {
                Some(variant) => format!("{path}::{variant}"),
                None => path.to_owned(),
            };
            let fields = fields.members().zip(fields);
            fields.map(move |(member, field)| (owner.clone(), member, &field.ty))
        });
        for (owner, member, ty) in fields {
            if self.of_type(ty, open).is_some() {
                continue;
            }
            let name = spelled(&ty.to_token_stream().to_string());
            let inner = self.shapes.get(&name).filter(|_| !open.contains(&name));
            if let Some(inner) = inner {
                open.push(name.clone());
                let found = self.obstacle(&name, inner, open);
                open.pop();
                return found;
            }
            let member = member.to_token_stream();
            return Some(format!("the field `{member}` of `{owner}` is a `{name}`"));
        }
        None
    }

    fn of_type(&self, ty: &syn::Type, open: &mut Vec<String>) -> Option<Layout> {
        match ungroup(&self.env.expanded(ty)) {
            syn::Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|ty| self.of_type(ty, open));
                parts.collect::<Option<Vec<_>>>().map(Layout::Tuple)
            }
            syn::Type::Array(array) => {
                let syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(n),
                    ..
                }) = &array.len
                else {
                    return None;
                };
                let n = n.base10_parse::<u32>().ok().filter(|n| *n <= WIDEST)?;
                let parts = (0..n).map(|_| self.of_type(&array.elem, open));
                parts.collect::<Option<Vec<_>>>().map(Layout::Array)
            }
            syn::Type::Path(p) if p.qself.is_none() => self.of_path(&p.path, open),
            syn::Type::Reference(r) if types::is_static_text(r) => Some(Layout::Text(false)),
            _ => None,
        }
    }

    fn of_path(&self, path: &syn::Path, open: &mut Vec<String>) -> Option<Layout> {
        let name = spelled(&path.to_token_stream().to_string());
        if is_integer_name(&name) || name == "bool" || name == "char" {
            return Some(Layout::Scalar(name));
        }
        if name == "String" && !self.shapes.contains_key(&name) {
            return Some(Layout::Text(true));
        }
        if types::is_sum(path) && types::arguments(path).len() == 1 {
            let some = self.of_type(types::arguments(path)[0], open)?;
            return Some(Layout::Option(Box::new(some)));
        }
        let shape = self.shapes.get(&name).filter(|_| !open.contains(&name))?;
        open.push(name);
        let path: TokenStream = path.to_token_stream();
        let layout = self.of_shape(Some(Tokens(path)), shape, open);
        open.pop();
        layout
    }
}

/// The names of the types among these items whose values are numbers.
pub(crate) fn data_among<'i>(items: impl Iterator<Item = &'i syn::Item>) -> Set<String> {
    let mut env = Environment::default();
    for item in items {
        match item {
            syn::Item::Struct(s) => env.add_struct_shape(&s.ident.to_string(), s),
            syn::Item::Enum(e) => env.add_enum_shape(&e.ident.to_string(), e),
            syn::Item::Type(t) => env.add_alias(&t.ident.to_string(), t.clone()),
            _ => {}
        }
    }
    env.data().keys().cloned().collect()
}

/// Marks functions and methods of a module that change values of these types by what varies: their bodies stand in the
/// place of calls.
pub(crate) fn mark(items: &mut [syn::Item], data: &Set<String>) {
    for item in items {
        match item {
            syn::Item::Fn(f) if varies(&f.sig, data) => mark_function(f, data),
            syn::Item::Impl(block) => mark_block(block, data),
            _ => {}
        }
    }
}

/// The same of a function with an attribute of its own, whatever it changes them by.
pub(crate) fn mark_function(f: &mut syn::ItemFn, data: &Set<String>) {
    if changes(&f.sig, data) {
        put_mark(&mut f.attrs);
    }
}

/// The same of the methods of a block. Those where nothing varies are not differentiated.
pub(crate) fn mark_block(block: &mut syn::ItemImpl, data: &Set<String>) {
    let is_own = is_one(&block.self_ty, data);
    for item in &mut block.items {
        if let syn::ImplItem::Fn(f) = item
            && (is_own && changes_self(&f.sig) || changes(&f.sig, data))
        {
            match varies(&f.sig, data) || !is_own && f.sig.receiver().is_some() {
                true => put_mark(&mut f.attrs),
                false => f.attrs.push(parse_quote!(#[ad(skip)])),
            }
        }
    }
}

/// Whether a method takes `&mut self`.
pub(crate) fn changes_self(sig: &syn::Signature) -> bool {
    let receiver = sig.receiver();
    receiver.is_some_and(|r| r.reference.is_some() && r.mutability.is_some())
}

/// Whether a function takes one of these types by `&mut`.
pub(crate) fn changes(sig: &syn::Signature, data: &Set<String>) -> bool {
    unmarked(sig).any(|ty| {
        matches!(ungroup(ty), syn::Type::Reference(r) if r.mutability.is_some() && is_one(&r.elem, data))
    })
}

/// Whether a parameter may hold floats.
fn varies(sig: &syn::Signature, data: &Set<String>) -> bool {
    const OF_STD: [&str; 7] = ["bool", "char", "str", "Box", "Option", "String", "Vec"];
    unmarked(sig).any(|ty| {
        walk::any(Node::Type(ty), &mut |node| {
            let Node::Type(syn::Type::Path(p)) = node else {
                return false;
            };
            let last = p.path.segments.last().map(|s| s.ident.to_string());
            let is_free = |name: String| {
                OF_STD.contains(&&*name) || is_integer_name(&name) || data.contains(&name)
            };
            !last.is_some_and(is_free)
        })
    })
}

/// Whether this is the name of one of these types.
fn is_one(ty: &syn::Type, data: &Set<String>) -> bool {
    match ungroup(ty) {
        syn::Type::Path(p) => {
            let name = p.path.get_ident().map(ToString::to_string);
            name.is_some_and(|name| data.contains(&name))
        }
        _ => false,
    }
}
