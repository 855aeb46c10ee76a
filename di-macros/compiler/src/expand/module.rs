//! `#[differentiable] mod model { .. }`: all of an inline module at once. Its functions, impl blocks and operators
//! are annotated, its structs that hold floats are derived, and each function knows all of them.

use super::boxed::Boxed;
use super::converted::{self, is_differentiated_block};
use super::copied;
use super::imported::Imported;
use super::marks::{has_rule, is_test, lends_active};
use super::names::{has_text_parameter, mark_uncalled, names_of_paths, names_self};
use super::objects::{self, Objects};
use super::signatures::{self, Answer};
use super::stages::messages;
use super::structs::{
    as_struct, candidates_of, derive_input, holds_floats, is_copied, is_derived, known_enum,
    lost_fields, named_types, others, strip_fields, strip_variants, written_vis,
};
use super::traits::{Traits, resized};
use super::{asks, handle, instances, leaking, methods, operators, original, varied};
use crate::derive::{self, Beside};
use crate::error;
use crate::lower::aliases::{Outside, is_of, known_elsewhere, name_variants};
use crate::lower::bundles::borrows;
use crate::lower::environment::{BOXED, Environment, is_deref_among};
use crate::lower::resized::Resized;
use crate::lower::{ACTIVE_SCALAR, extension, inline, numeric, takes_no_floats, takes_numbers};
use crate::options::{self, Options};
use crate::report::Report;
use crate::sorted::Set;
use crate::template::{parse_quote, quote};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

/// Expands `#[differentiable(attr)] mod m { .. }`.
pub(super) fn expand_module(attr: &TokenStream, module: syn::ItemMod) -> TokenStream {
    let cx = Report::default();
    let options = Options::parse(attr.clone(), &cx);
    with_content(module, &options, cx, |items, cx| {
        of_items(items, &options, attr, cx)
    })
}

/// The module with other content, which is made of its items.
pub(crate) fn with_content(
    mut module: syn::ItemMod,
    options: &Options,
    cx: Report,
    of_items: impl FnOnce(Vec<syn::Item>, &Report) -> TokenStream,
) -> TokenStream {
    if let Some(handle) = &options.handle {
        cx.error_about(
            handle.span(),
            &error::ATTRIBUTE_ARGUMENT,
            "`handle` on a module",
        );
    }
    let Some((brace, items)) = module.content.take() else {
        // that the content has to be seen, rustc says
        let messages = messages(cx);
        return quote!(#messages #module);
    };
    let content = of_items(items, &cx);
    let messages = messages(cx);
    let (attrs, vis, name) = (&module.attrs, &module.vis, &module.ident);
    let (outer, inside): (Vec<_>, Vec<_>) = attrs
        .iter()
        .partition(|a| matches!(a.style, syn::AttrStyle::Outer));
    let mut content = proc_macro2::Group::new(
        proc_macro2::Delimiter::Brace,
        quote!(#(#inside)* #messages #content),
    );
    content.set_span(brace.span.join());
    let keyword = &module.mod_token;
    quote!(#(#outer)* #vis #keyword #name #content)
}

/// The content of an annotated module.
fn of_items(
    mut items: Vec<syn::Item>,
    options: &Options,
    attr: &TokenStream,
    cx: &Report,
) -> TokenStream {
    name_variants(&mut items);
    copied::put_into(&mut items);
    operators::write_types(&mut items);
    let instances::Put { aliases, nested } = instances::put_into(&mut items, cx);
    instances::put_blanket(&mut items);
    let mut imported = match items.first() {
        Some(first) => Imported::of_module(first.span(), &items),
        None => Imported::default(),
    };
    imported.add_nested(nested);
    crate::lower::mark_those_passing_on(&mut items);
    inline::mark_those_with_collections(&mut items);
    numeric::mark_among(&mut items);
    extension::mark_among(&mut items);
    let boxed = Boxed::put_into(&mut items);
    let borrowing = imported.bundles.iter().chain(&boxed.holders).cloned();
    let marked = varied::mark(&mut items, &borrowing.collect());
    let resized = resized(&items);
    resized.mark(&mut items);
    let mut found = Module::new(&items, marked, resized, options, attr, (imported, boxed));
    let inner: Vec<TokenStream> = items.iter().map(|item| found.item(item)).collect();
    quote!(#aliases #(#inner)*)
}

/// A module, and what its items know of each other.
pub(super) struct Module<'a> {
    pub(super) options: &'a Options,
    /// The arguments of the attribute, as they are written.
    pub(super) attr: &'a TokenStream,
    pub(super) env: Environment,
    /// The same for items that have to ask others.
    pub(super) known: Vec<Answer>,
    /// Structs that are derived here.
    derived: Vec<String>,
    /// Structs and enums that derive `Clone`.
    cloned: Vec<String>,
    /// Other structs and enums with floats.
    others: Vec<String>,
    /// Differentiated blocks.
    blocks: Vec<syn::ItemImpl>,
    pub(super) outside: Outside,
    /// Imported structs that are neither derived nor cloned.
    not_cloned: Vec<String>,
    /// Private structs and enums that are fields of others.
    leaking: Set<String>,
    /// The last names of all paths.
    called: Set<String>,
    /// Functions that make first values of variables that vary.
    starters: Set<String>,
    traits: Traits<'a>,
    resized: Resized,
    objects: Vec<Objects<'a>>,
    /// Names that its types and modules may have.
    types: Set<String>,
}

impl<'a> Module<'a> {
    pub(super) fn new(
        items: &'a [syn::Item],
        varied::Found {
            constant,
            starters,
            bundles,
            enums,
        }: varied::Found,
        resized: Resized,
        options: &'a Options,
        attr: &'a TokenStream,
        (imported, boxed): (Imported, Boxed),
    ) -> Module<'a> {
        let mut module = Module {
            options,
            attr,
            env: Environment::default(),
            known: Vec::new(),
            derived: Vec::new(),
            cloned: copied::cloned(items),
            others: Vec::new(),
            blocks: Vec::new(),
            outside: Outside::of(items),
            not_cloned: Vec::new(),
            leaking: Set::new(),
            called: Set::new(),
            starters,
            traits: Traits::of(items),
            resized,
            objects: Objects::of(items),
            types: items.iter().flat_map(named_types).collect(),
        };
        imported
            .active
            .iter()
            .for_each(|name| module.env.add_imported(name));
        module.not_cloned = imported.not_cloned;
        imported
            .blocks
            .into_iter()
            .for_each(|block| module.know(block));
        let objects = module.objects.iter().map(Objects::signature);
        let objects: Vec<_> = objects.chain(boxed.known()).collect();
        objects.into_iter().for_each(|text| module.know(text));
        for item in items {
            names_of_paths(item.to_token_stream(), &mut module.called);
        }
        let structs = items.iter().filter_map(|item| match item {
            syn::Item::Struct(s) => Some(s),
            _ => None,
        });
        let sums = items.iter().filter_map(|item| match item {
            syn::Item::Enum(e)
                if enums.contains(&e.ident.to_string()) || boxed.is_of_objects(&e.ident) =>
            {
                Some((e, as_struct(e)))
            }
            _ => None,
        });
        let sums: Vec<_> = sums.collect();
        for (e, s) in &sums {
            let is_own = e.generics.params.is_empty() && !is_derived(&e.attrs);
            let varies = || holds_floats(&s.fields, items, (&module.env, &enums));
            if is_own && !is_test(&e.attrs) && (boxed.is_of_objects(&e.ident) || varies()) {
                module.derived.push(e.ident.to_string());
            }
        }
        for s in structs.clone() {
            let name = s.ident.to_string();
            module.env.add_lengths(&name, &s.generics);
            if boxed.holders.contains(&name) {
                continue;
            }
            if is_derived(&s.attrs) {
                let mut s = s.clone();
                s.vis = written_vis(&s.vis);
                module.know(quote!(#[derive(Differentiable)] #s));
            } else if bundles.contains(&name)
                || !is_test(&s.attrs)
                    && !constant.contains(&name)
                    && holds_floats(&s.fields, items, (&module.env, &enums))
            {
                module.derived.push(name);
            }
        }
        for item in items {
            match item {
                syn::Item::Enum(e) if !module.derived.contains(&e.ident.to_string()) => {
                    module.know(known_enum(e, is_derived(&e.attrs)));
                }
                syn::Item::Type(t) => module.know(quote!(#t)),
                syn::Item::Const(syn::ItemConst { ident, ty, .. })
                | syn::Item::Static(syn::ItemStatic { ident, ty, .. }) => {
                    module.know(quote!(const #ident: #ty = 0;));
                }
                _ => {}
            }
        }
        // a struct that cannot be derived is constant, and so are the fields of its type
        let is_candidate = |s: &&syn::ItemStruct| {
            let name = s.ident.to_string();
            module.derived.contains(&name) && !(borrows(&s.generics) && bundles.contains(&name))
        };
        let own = structs.clone().filter(is_candidate);
        let own = own.map(|s| (syn::Item::Struct(s.clone()), s.clone()));
        let sums = sums
            .into_iter()
            .filter(|(_, s)| module.derived.contains(&s.ident.to_string()));
        let mut candidates: Vec<(syn::Item, syn::ItemStruct)> = own
            .chain(sums.map(|(e, s)| (syn::Item::Enum(e.clone()), s)))
            .collect();
        loop {
            let before = candidates.len();
            let env = module.env.clone();
            candidates.retain(|(item, s)| {
                let trial = env.with_structs(candidates_of(items, &module.derived));
                let input = derive_input(item, &trial);
                let fits = input.is_some_and(|input| derive::fits(input, module.beside()))
                    && is_copied(s, items, &module.not_cloned, &trial);
                if !fits {
                    module.derived.retain(|name| s.ident != name);
                }
                fits
            });
            if candidates.len() == before {
                break;
            }
        }
        for item in items {
            if let syn::Item::Enum(e) = item
                && !is_derived(&e.attrs)
                && !module.env.is_opaque(&e.ident.to_string())
            {
                module.know(known_enum(e, module.derived.contains(&e.ident.to_string())));
            }
        }
        let lifetime = syn::Lifetime::new(&format!("'{BOXED}"), Span::call_site());
        for s in structs {
            let (name, vis) = (s.ident.to_string(), written_vis(&s.vis));
            if boxed.holders.contains(&name) {
                // a box is no value of generated code, as what is borrowed is none
                let (ident, fields, semi) = (&s.ident, &s.fields, s.semi_token);
                let of = quote!(struct #ident<#lifetime> #fields #semi);
                module.know(quote!(#[derive(Differentiable)] #vis #of));
            } else if module.derived.contains(&name) {
                let (ident, fields) = (&s.ident, &s.fields);
                let (generics, semi) = (&s.generics, s.semi_token);
                module.know(
                    quote!(#[derive(Differentiable)] #vis struct #ident #generics #fields #semi),
                );
            } else if !is_derived(&s.attrs) {
                let (ident, generics, fields, semi) =
                    (&s.ident, &s.generics, &s.fields, s.semi_token);
                module.know(quote!(#vis struct #ident #generics #fields #semi));
            }
        }
        for block in items.iter().filter_map(converted::as_method) {
            module.know(methods::signatures(&block));
            module.blocks.push(block);
        }
        module.leaking = leaking::private_fields(items, &module.derived);
        module.others = others(items, &module.derived, (&module.env, &enums));
        for item in items {
            match item {
                syn::Item::Fn(f) if module.stands_in_place(f) => {
                    module.know(signatures::body_of(f));
                }
                syn::Item::Fn(f) if !is_test(&f.attrs) => {
                    let (sig, is_ours) =
                        (&f.sig, module.is_differentiated(f) || has_rule(&f.attrs));
                    if is_ours && inline::travels(f) {
                        module.know(signatures::body_of(f));
                        continue;
                    }
                    let mark = (!is_ours).then(|| quote!(#[ad(skip)]));
                    module.know(quote!(#mark #sig {}));
                }
                syn::Item::Impl(block) if is_deref_among(block, items) => {
                    module.know(quote!(#block));
                }
                syn::Item::Impl(block) if extension::owner(block).is_some() => {
                    let mut block = module.completed(block);
                    extension::mark(&mut block);
                    module.know(methods::signatures(&block));
                }
                syn::Item::Impl(block) if is_differentiated_block(block) => {
                    let mut block = module.completed(block);
                    module.skip_others(&mut block);
                    let text = methods::signatures(&block);
                    module.blocks.push(block);
                    module.know(text);
                }
                _ => {}
            }
        }
        module
    }

    fn completed(&self, block: &syn::ItemImpl) -> syn::ItemImpl {
        let mut block = self.traits.completed(block);
        self.resized.mark_block(&mut block);
        mark_uncalled(&mut block, &self.called);
        block
    }

    /// What its attribute derives.
    fn beside(&self) -> Beside<'_> {
        Beside {
            derived: &self.derived,
            cloned: &self.cloned,
        }
    }

    /// The blocks of a type as other modules know them, if it is not derived.
    pub(super) fn blocks_of(&self, name: &str) -> Option<Vec<syn::ItemImpl>> {
        let own = self.blocks.iter().filter(|block| is_of(block, name));
        let known = own.map(|block| self.outside.block(block));
        let known = known.map(|block| known_elsewhere(block, false));
        (!self.derived.iter().any(|derived| derived == name)).then(|| known.collect())
    }

    /// Notes what is known of an item.
    fn know(&mut self, text: TokenStream) {
        signatures::add_items(&mut self.env, None, &text);
        self.known.push(Answer::of_module(text));
    }

    /// Whether a function has something to differentiate.
    fn is_differentiated(&self, f: &syn::ItemFn) -> bool {
        if f.attrs.iter().any(options::is_skip) || is_test(&f.attrs) || has_rule(&f.attrs) {
            return false;
        }
        let returns = match &f.sig.output {
            syn::ReturnType::Default => lends_active(&f.sig, &self.env),
            syn::ReturnType::Type(_, ty) => !methods::is_plain(ty) && !self.is_constant(ty),
        };
        returns && (self.takes_active(f) || self.starts(f))
    }

    /// Whether this is a type of the module that is neither differentiated nor a number: what makes a value of it has no
    /// derivative.
    fn is_constant(&self, ty: &syn::Type) -> bool {
        let name = ty.to_token_stream().to_string();
        self.env.is_opaque(&name) && !self.env.is_active(ty) && !self.env.data().contains_key(&name)
    }

    /// Whether a type of the module has no floats.
    fn is_data(&self, name: &str) -> bool {
        self.env.data().contains_key(name)
    }

    fn takes_active(&self, f: &syn::ItemFn) -> bool {
        let is_scalar = |a: &syn::Attribute| a.path().is_ident(ACTIVE_SCALAR);
        let mut inputs = f.sig.inputs.iter();
        f.attrs.iter().any(is_scalar)
            || inputs.any(|input| match input {
                syn::FnArg::Typed(p) => {
                    let constant = p.attrs.iter().any(|a| a.path().is_ident("constant"));
                    !constant && self.env.is_active(&p.ty)
                }
                syn::FnArg::Receiver(_) => false,
            })
    }

    /// Whether the body of a function stands in the place of its calls; not if all that it changes are constants.
    fn stands_in_place(&self, f: &syn::ItemFn) -> bool {
        inline::stands_in_place(f) && (!inline::stands_for_changes(f) || self.takes_active(f))
    }

    /// Whether a function that is not differentiated looks as if it were: it is for others, and gives floats.
    fn expects_handle(&self, f: &syn::ItemFn) -> bool {
        let gives = matches!(&f.sig.output, syn::ReturnType::Type(_, ty) if self.env.is_active(ty));
        let is_hidden = matches!(f.vis, syn::Visibility::Inherited);
        let is_excluded = f.attrs.iter().any(options::is_skip) || is_test(&f.attrs);
        gives
            && !(is_hidden || is_excluded || has_rule(&f.attrs) || f.sig.inputs.is_empty())
            && !self.types.contains(&f.sig.ident.to_string())
    }

    /// Whether a function makes the first value of a variable that varies of integers alone, as `zeros(n)`.
    fn starts(&self, f: &syn::ItemFn) -> bool {
        let gives = matches!(&f.sig.output, syn::ReturnType::Type(_, ty) if self.env.is_active(ty));
        gives
            && takes_numbers(&f.sig, &|name| self.is_data(name))
            && self.starters.contains(&f.sig.ident.to_string())
    }

    /// Whether a function makes a value of its type of integers and texts, as `Matrix::zeros(n, m)`, and is called here, or
    /// one of a value without floats, as `From` does for `?`.
    fn makes(&self, f: &syn::ImplItemFn) -> bool {
        let gives = matches!(&f.sig.output, syn::ReturnType::Type(_, ty)
            if names_self(ty) || self.env.is_active(ty));
        let is_data = |name: &str| self.is_data(name);
        let converts = f.sig.ident == "from" && takes_no_floats(&f.sig, &is_data);
        let is_called = || self.called.contains(&f.sig.ident.to_string());
        gives && (converts || takes_no_floats(&f.sig, &is_data) && is_called())
    }

    /// Marks the functions of a block that have nothing to differentiate.
    fn skip_others(&self, block: &mut syn::ItemImpl) {
        let own = self.env.is_active(&block.self_ty);
        let name = block.self_ty.to_token_stream().to_string();
        let is_number = self.env.data().contains_key(&name);
        for inner in &mut block.items {
            let syn::ImplItem::Fn(f) = inner else {
                continue;
            };
            if f.attrs.iter().any(options::is_in_place) {
                continue;
            }
            let makes = own && self.makes(f);
            // one that reads a text may be for constants alone
            if makes && !takes_numbers(&f.sig, &|name| self.is_data(name)) {
                f.defaultness = Some(Default::default());
            }
            let takes = makes
                || inline::takes_iterator(&f.sig)
                || inline::gives_function(&f.sig)
                || f.sig.inputs.iter().any(|input| match input {
                    syn::FnArg::Receiver(_) => own,
                    syn::FnArg::Typed(p) => {
                        let constant = p.attrs.iter().any(|a| a.path().is_ident("constant"));
                        let of_self = names_self(&p.ty) && own;
                        let ty = inline::with_bounds(&p.ty, &f.sig);
                        !constant && (of_self || self.env.is_active(&ty))
                    }
                });
            let changes_constant = !own && f.sig.receiver().is_some_and(|r| r.mutability.is_some());
            let gives = match &f.sig.output {
                _ if changes_constant => false,
                syn::ReturnType::Default if !own => lends_active(&f.sig, &self.env),
                syn::ReturnType::Default => true,
                syn::ReturnType::Type(_, ty) => {
                    let is_constant = !is_number && names_self(ty) || self.is_constant(ty);
                    !methods::is_plain(ty) && (own || !is_constant)
                }
            };
            let is_looked_into = match (methods::is_in_place(f), &f.sig.output) {
                (true, syn::ReturnType::Type(_, ty)) => {
                    own || self.env.is_active(ty)
                        || inline::takes_function(&f.sig)
                        || inline::gives_function(&f.sig)
                }
                (true, syn::ReturnType::Default) => true,
                (false, _) => gives && f.sig.generics.type_params().next().is_none(),
            };
            if !(takes && is_looked_into) || has_text_parameter(&f.sig) {
                f.attrs.push(parse_quote!(#[ad(skip)]));
            }
        }
    }

    /// An item, and what is generated for it.
    fn item(&mut self, item: &syn::Item) -> TokenStream {
        match item {
            syn::Item::Fn(f) if self.stands_in_place(f) => {
                let known = self.outside.function(f);
                let (original, signature) = (original(f), signatures::handing_on(&known));
                let inlined = handle::inlined(f);
                quote!(#original #signature #inlined)
            }
            syn::Item::Fn(f) if f.attrs.iter().any(options::is_ours) => self.marked(f),
            syn::Item::Fn(f) if self.is_differentiated(f) => {
                self.function(f, self.options, self.attr)
            }
            syn::Item::Fn(f) => {
                let none = self.expects_handle(f).then(|| handle::undifferentiated(f));
                let mut f = f.clone();
                if !has_rule(&f.attrs) {
                    options::strip_marks(&mut f);
                }
                quote!(#f #none)
            }
            syn::Item::Impl(block) if is_differentiated_block(block) => {
                let cx = Report::default();
                let mut written = block.clone();
                let is_instance = block.attrs.iter().any(instances::is_instance);
                written
                    .attrs
                    .retain(|a| !options::is_ours(a) && !instances::is_instance(a));
                let mut block = self.completed(&written);
                self.skip_others(&mut block);
                let mut items = methods::expand_impl(self.options, &block, &self.env, &cx);
                let messages = messages(cx);
                let asked = asks::of(&syn::Item::Impl(block.clone()));
                items.asked.extend(asked);
                let (text, at) = (block.to_token_stream(), written.impl_token.span);
                let further = signatures::further(&self.known, &self.env, &text, at);
                items.asked.extend(further);
                let generated =
                    self.generated(items, &block.to_token_stream(), (self.options, self.attr));
                let original = (!is_instance).then(|| methods::original(&written));
                quote!(#original #messages #generated)
            }
            syn::Item::Enum(e) if self.derived.contains(&e.ident.to_string()) => {
                let derived = self.derived(item, &e.ident);
                let mut e = e.clone();
                strip_variants(&mut e);
                let e = leaking::declared(e.into(), &self.leaking);
                quote!(#e #derived)
            }
            syn::Item::Struct(s) if self.derived.contains(&s.ident.to_string()) => {
                let derived = self.derived(item, &s.ident);
                if s.attrs.iter().any(instances::is_instance) {
                    return derived;
                }
                let mut s = s.clone();
                strip_fields(&mut s);
                let s = leaking::declared(s.into(), &self.leaking);
                quote!(#s #derived)
            }
            syn::Item::Struct(s)
                if !is_derived(&s.attrs) && !s.attrs.iter().any(instances::is_instance) =>
            {
                let mut s = s.clone();
                strip_fields(&mut s);
                leaking::declared(s.into(), &self.leaking)
            }
            syn::Item::Enum(e) if !is_derived(&e.attrs) => {
                leaking::declared(e.clone().into(), &self.leaking)
            }
            syn::Item::Impl(syn::ItemImpl { attrs, .. })
            | syn::Item::Struct(syn::ItemStruct { attrs, .. })
                if attrs.iter().any(instances::is_instance) =>
            {
                TokenStream::new()
            }
            syn::Item::Impl(block) => methods::original(block).into_token_stream(),
            syn::Item::Mod(inner) if inner.content.is_some() && !is_test(&inner.attrs) => {
                let mut inner = inner.clone();
                inner.attrs.retain(|a| !options::is_ours(a));
                expand_module(self.attr, inner)
            }
            syn::Item::Trait(t) => objects::original(t, &self.objects),
            other => other.to_token_stream(),
        }
    }

    /// What the derive writes for a struct or an enum.
    fn derived(&self, item: &syn::Item, name: &syn::Ident) -> TokenStream {
        let Some(input) = derive_input(item, &self.env) else {
            return TokenStream::new();
        };
        let lost = messages(lost_fields(item, &self.others));
        let own = self.blocks.iter().filter(|b| is_of(b, &name.to_string()));
        let blocks: Vec<_> = own.map(|block| self.outside.block(block)).collect();
        let write_out = |input: &mut syn::DeriveInput| self.outside.fields(input);
        let input = input.to_token_stream();
        let derived = derive::derive_among(input, &blocks, self.beside(), write_out);
        quote!(#lost #derived)
    }
}
