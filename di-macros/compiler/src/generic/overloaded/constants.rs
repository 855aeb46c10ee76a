//! Constants: items, whose values rustc computes on floats, and what is bound to a handle.

use super::copy::{Copier, Mode, generic_constants};
use super::imports::Imports;
use crate::sorted::{Map, Set};
use crate::tokens;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

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
    /// The types of their fields, for those of the module itself.
    fields: Map<String, TokenStream>,
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
        known
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
    pub(super) fn is_outside(&self, path: &syn::Path) -> bool {
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
        Some(syn::parse_quote!(::core::#(#std)::* #(::#rest)*))
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

fn is_derived(attrs: &[syn::Attribute]) -> bool {
    let derives = attrs.iter().filter(|a| a.path().is_ident("derive"));
    derives.map(ToTokens::to_token_stream).any(|d| {
        tokens::any(
            d,
            &mut |t| matches!(t, TokenTree::Ident(i) if i == "Differentiable"),
        )
    })
}

impl Copier {
    /// A constant item. One of the module has the value that the original has.
    pub(super) fn constant_item(
        &mut self,
        item: &mut syn::ItemConst,
        is_of_module: bool,
    ) -> TokenStream {
        item.attrs.retain(|a| a.path().is_ident("cfg"));
        let (rt, name) = (&self.rt, &item.ident);
        let of_module = is_of_module && name != "_";
        let known = &self.known;
        let scalar = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if known.is_scalar(&p.path));
        let value = match &*item.ty {
            _ if !of_module => None,
            ty if scalar(ty) => Some(self.lifted(&quote!(super::#name))),
            syn::Type::Array(a) if scalar(&a.elem) => {
                Some(quote!(#rt::overloaded::array(super::#name)))
            }
            syn::Type::Array(a) => match &*a.elem {
                syn::Type::Array(b) if scalar(&b.elem) => {
                    Some(quote!(#rt::overloaded::grid(super::#name)))
                }
                _ => None,
            },
            syn::Type::Reference(r) => match &*r.elem {
                syn::Type::Slice(s) if scalar(&s.elem) => {
                    Some(quote!(&#rt::overloaded::slice::<_, { super::#name.len() }>(super::#name)))
                }
                _ => None,
            },
            _ => None,
        };
        let code = item.ty.to_token_stream();
        let is_plain = !self.has_floats(&code) && !self.known.names_type(&code);
        match value {
            Some(value) => {
                self.change(NodeMut::Type(&mut item.ty));
                *item.expr = syn::Expr::Verbatim(value);
            }
            None if of_module && is_plain => {
                *item.expr = syn::parse_quote!(super::#name);
            }
            None => self.initialize(&mut item.ty, &mut item.expr),
        }
        item.to_token_stream()
    }

    /// The value of a constant or a static, from what is written.
    pub(super) fn initialize(&mut self, ty: &mut syn::Type, value: &mut syn::Expr) {
        let code = ty.to_token_stream();
        let is_scalar = matches!(ty, syn::Type::Path(p) if self.known.is_scalar(&p.path));
        let is_plain = !self.has_floats(&code) && !self.known.names_type(&code);
        self.change(NodeMut::Type(ty));
        let mode = if is_scalar || is_plain {
            Mode::Plain
        } else {
            Mode::Table
        };
        let outside = std::mem::replace(&mut self.mode, mode);
        self.change(NodeMut::Expr(value));
        self.mode = outside;
        if is_scalar {
            *value = syn::Expr::Verbatim(self.lifted(&value.to_token_stream()));
        }
    }

    /// Of a float in the table of a constant what is computed, which rustc does on floats.
    pub(super) fn computed(&mut self, e: &mut syn::Expr) -> bool {
        let is_computed = match e {
            syn::Expr::Binary(_) | syn::Expr::Cast(_) => true,
            syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Neg(_)),
            _ => false,
        };
        let float = &self.float;
        let code = e.to_token_stream();
        let is_float = self.has_floats(&code)
            || tokens::any(
                code,
                &mut |t| matches!(t, TokenTree::Ident(i) if i == float || self.known.of_std(&i.clone().into()).is_some()),
            );
        if !is_computed || !is_float {
            return false;
        }
        self.mode = Mode::Plain;
        self.change(NodeMut::Expr(e));
        self.mode = Mode::Table;
        *e = syn::Expr::Verbatim(self.lifted(&e.to_token_stream()));
        true
    }

    /// An expression that rustc evaluates on floats: constants of the copy give theirs.
    pub(super) fn plain_expr(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Path(p) = e
            && p.qself.is_none()
            && let Some(path) = self.known.of_std(&p.path)
        {
            p.path = path;
            return;
        }
        if let syn::Expr::Path(p) = e
            && p.path
                .segments
                .last()
                .is_some_and(|s| self.known.is_float(&s.ident.to_string()))
        {
            *e = syn::Expr::Verbatim(quote!(#p.of_constant()));
            return;
        }
        self.change_below(NodeMut::Expr(e));
    }

    /// What the copy takes for a constant that is bound to the handle.
    pub(super) fn constant(&self, name: &Ident, ty: &syn::Type, rt: &TokenStream) -> TokenStream {
        if !self.is_converted(&ty.to_token_stream()) {
            return name.to_token_stream();
        }
        match ty {
            syn::Type::Reference(r) if matches!(&*r.elem, syn::Type::Slice(_)) => {
                quote!(&#rt::overloaded::list(#name))
            }
            syn::Type::Reference(_) => quote!(&#rt::overloaded::Overload::overload(#name)),
            _ => quote!(#rt::overloaded::Overload::overload(&#name)),
        }
    }

    fn is_converted(&self, ty: &TokenStream) -> bool {
        self.has_floats(ty) || self.known.names_type(ty)
    }

    /// How what is bound to handles becomes what the copy takes: values of the module's types, and views of derived
    /// structs.
    pub(super) fn conversions(&self, items: &[syn::Item], bound: Vec<TokenStream>) -> TokenStream {
        let mut found = Set::new();
        bound
            .into_iter()
            .for_each(|ty| self.known.reach(ty, &mut found));
        for name in &self.known.derived {
            self.known
                .reach(self.known.fields[name].clone(), &mut found);
        }
        let of = |item: &syn::Item| match item {
            syn::Item::Struct(s) if found.contains(&s.ident.to_string()) => Some(self.of_struct(s)),
            syn::Item::Struct(s) if is_derived(&s.attrs) => Some(self.of_view(s)),
            syn::Item::Enum(e) if found.contains(&e.ident.to_string()) => Some(self.of_enum(e)),
            _ => None,
        };
        items.iter().filter_map(of).collect()
    }

    fn of_struct(&self, s: &syn::ItemStruct) -> TokenStream {
        let (name, members) = (&s.ident, self.members(s));
        let own = self.conversion(name, &s.generics, &|to| quote!(#to #members));
        let view = is_derived(&s.attrs).then(|| self.of_view(s));
        quote!(#own #view)
    }

    fn members(&self, s: &syn::ItemStruct) -> TokenStream {
        let rt = &self.rt;
        let members: Vec<_> = s.fields.members().collect();
        quote!({ #(#members: #rt::overloaded::Overload::overload(&self.#members)),* })
    }

    /// A view of a derived struct has the same members: it becomes a struct of the copy, and, on floats, one of the
    /// module.
    fn of_view(&self, s: &syn::ItemStruct) -> TokenStream {
        let (rt, name, float) = (&self.rt, &s.ident, &self.float);
        let members = self.members(s);
        let float = quote!(::core::primitive::#float);
        let own = quote!(super::#name);
        let one = |to: &TokenStream, scalar: &TokenStream| {
            quote! {
                impl<'__v> #rt::overloaded::Overload<#to> for <#own as #rt::Differentiable>::View<'__v, #scalar> {
                    fn overload(&self) -> #to { #to #members }
                }
            }
        };
        let copied = one(
            &name.to_token_stream(),
            &quote!(#rt::overloaded::Active<#float>),
        );
        let plain = one(&own, &float);
        quote!(#copied #plain)
    }

    fn of_enum(&self, e: &syn::ItemEnum) -> TokenStream {
        let (rt, name) = (&self.rt, &e.ident);
        let value = |to: &TokenStream| {
            let arms = e.variants.iter().map(|v| {
                let variant = &v.ident;
                let members: Vec<_> = v.fields.members().collect();
                let names: Vec<_> = (0..members.len())
                    .map(|k| quote::format_ident!("__f{k}"))
                    .collect();
                quote!(super::#name::#variant { #(#members: #names),* } => #to::#variant {
                    #(#members: #rt::overloaded::Overload::overload(#names)),*
                })
            });
            quote!(match self { #(#arms,)* })
        };
        self.conversion(name, &e.generics, &value)
    }

    /// To the type of the copy, and to itself, as a part of a struct that the module takes.
    fn conversion(
        &self,
        name: &Ident,
        generics: &syn::Generics,
        value: &dyn Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let (declared, arguments, bounds) = generics.split_for_impl();
        if generics.type_params().next().is_some() {
            return TokenStream::new();
        }
        let own = quote!(super::#name);
        let all = [name.to_token_stream(), own.clone()].map(|to| {
            let value = value(&to);
            quote! {
                impl #declared #rt::overloaded::Overload<#to #arguments> for #own #arguments #bounds {
                    fn overload(&self) -> #to #arguments { #value }
                }
            }
        });
        quote!(#(#all)*)
    }
}
