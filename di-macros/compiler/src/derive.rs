//! `#[derive(Differentiable)]`: a view with passive fields and lanes without them. The one place beside
//! the pipeline that sees both syntax and output, since it has no code to transform.

use crate::error;
use crate::report::{Report, Stop};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// Expands the derive on a struct.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let input = match syn::parse2::<syn::DeriveInput>(item) {
        Ok(input) => input,
        Err(err) => return err.into_compile_error(),
    };
    let cx = Report::default();
    let fields = read_fields(&input, &cx);
    match cx.check() {
        Ok(()) => fields
            .map(|fields| {
                Shape {
                    input: &input,
                    fields,
                }
                .expand()
            })
            .unwrap_or_default(),
        Err(Stop::Mismatch) => TokenStream::new(),
        Err(Stop::Errors(errors)) => {
            let errors = errors.iter().map(|e| {
                let text = e.text();
                quote_spanned!(e.span=> ::core::compile_error!(#text);)
            });
            quote!(#(#errors)*)
        }
    }
}

/// A field, and what becomes of it.
struct Field<'a> {
    name: &'a Ident,
    vis: &'a syn::Visibility,
    ty: &'a syn::Type,
    kind: Kind,
}

/// What a field holds.
enum Kind {
    /// Floats, as a family.
    Float { family: TokenStream, shape: Shaped },
    /// A derived struct.
    Nested,
    /// An integer, bool or char.
    Copied,
    /// Anything else that carries no derivative.
    Borrowed,
}

/// Containers of floats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shaped {
    Number,
    Array,
    Vector,
}

fn read_fields<'a>(input: &'a syn::DeriveInput, cx: &Report) -> Option<Vec<Field<'a>>> {
    let syn::Data::Struct(data) = &input.data else {
        cx.error(input.ident.span(), &error::DERIVE_NOT_A_STRUCT);
        return None;
    };
    if let Some(p) = input.generics.params.first() {
        cx.error(p.span(), &error::DERIVE_GENERICS);
        return None;
    }
    let named = match &data.fields {
        syn::Fields::Named(named) => &named.named,
        syn::Fields::Unnamed(_) | syn::Fields::Unit => {
            cx.error(input.ident.span(), &error::DERIVE_NOT_A_STRUCT);
            return None;
        }
    };
    let float = float_name(&data.fields);
    let fields = named.iter().filter_map(|f| {
        let constant = f.attrs.iter().any(|a| a.path().is_ident("constant"));
        let kind = if constant {
            Kind::Borrowed
        } else {
            read_kind(&f.ty, float, cx)?
        };
        let name = f.ident.as_ref()?;
        Some(Field {
            name,
            vis: &f.vis,
            ty: &f.ty,
            kind,
        })
    });
    Some(fields.collect())
}

/// `f32` if the fields speak of it and not of `f64`.
fn float_name(fields: &syn::Fields) -> &'static str {
    let text = fields.to_token_stream().to_string();
    let has = |name: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|w| w == name)
    };
    if has("f32") && !has("f64") {
        "f32"
    } else {
        "f64"
    }
}

fn read_kind(ty: &syn::Type, float: &str, cx: &Report) -> Option<Kind> {
    let rt = runtime();
    if let Some(kind) = read_floats(ty, float, &rt) {
        return Some(kind);
    }
    if speaks_of_floats(ty) {
        cx.error_about(ty.span(), &error::DERIVE_FIELD, ty.to_token_stream());
        return None;
    }
    let syn::Type::Path(path) = ty else {
        return Some(Kind::Borrowed);
    };
    let last = path.path.segments.last()?;
    if !last.arguments.is_none() || is_passive(&last.ident) {
        return Some(if is_copied(&last.ident) {
            Kind::Copied
        } else {
            Kind::Borrowed
        });
    }
    Some(Kind::Nested)
}

/// `f64`, arrays, and vectors of these.
fn read_floats(ty: &syn::Type, float: &str, rt: &TokenStream) -> Option<Kind> {
    if is_name(ty, float) {
        return Some(Kind::Float {
            family: quote!(#rt::Number),
            shape: Shaped::Number,
        });
    }
    if let syn::Type::Array(a) = ty {
        let (cell, n) = (cell(&a.elem, float, rt)?, &a.len);
        return Some(Kind::Float {
            family: quote!(#rt::Array<{ #n }, #cell>),
            shape: Shaped::Array,
        });
    }
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    match args.args.first() {
        Some(syn::GenericArgument::Type(t)) if last.ident == "Vec" && args.args.len() == 1 => {
            let cell = cell(t, float, rt)?;
            Some(Kind::Float {
                family: quote!(#rt::Slice<#cell>),
                shape: Shaped::Vector,
            })
        }
        _ => None,
    }
}

fn cell(ty: &syn::Type, float: &str, rt: &TokenStream) -> Option<TokenStream> {
    if is_name(ty, float) {
        return Some(quote!(#rt::One));
    }
    let syn::Type::Array(a) = ty else { return None };
    let (cell, n) = (cell(&a.elem, float, rt)?, &a.len);
    Some(quote!(#rt::Row<{ #n }, #cell>))
}

fn is_name(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(p) if p.qself.is_none() && p.path.is_ident(name))
}

fn speaks_of_floats(ty: &syn::Type) -> bool {
    let text = ty.to_token_stream().to_string();
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|w| w == "f64" || w == "f32")
}

fn is_copied(name: &Ident) -> bool {
    const COPIED: [&str; 14] = [
        "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
        "bool", "char",
    ];
    COPIED.iter().any(|n| name == n)
}

/// Types of the standard library that are met in fields and hold no floats.
fn is_passive(name: &Ident) -> bool {
    is_copied(name)
        || ["String", "PathBuf", "Duration", "Instant", "SystemTime"]
            .iter()
            .any(|n| name == n)
}

fn runtime() -> TokenStream {
    quote!(::di::__private)
}

/// The struct as it is expanded.
struct Shape<'a> {
    input: &'a syn::DeriveInput,
    fields: Vec<Field<'a>>,
}

impl Field<'_> {
    fn is_active(&self) -> bool {
        matches!(self.kind, Kind::Float { .. } | Kind::Nested)
    }

    fn family(&self) -> TokenStream {
        let (rt, ty) = (runtime(), self.ty);
        match &self.kind {
            Kind::Float { family, .. } => family.clone(),
            Kind::Nested => quote!(#rt::Struct<#ty>),
            Kind::Copied | Kind::Borrowed => quote!(()),
        }
    }

    /// Its type in the view.
    fn view_type(&self) -> TokenStream {
        let (rt, ty, family) = (runtime(), self.ty, self.family());
        match self.kind {
            Kind::Float { .. } | Kind::Nested => quote!(<#family as #rt::Family>::Ref<'__v, __S>),
            Kind::Copied => quote!(#ty),
            Kind::Borrowed => quote!(&'__v #ty),
        }
    }

    /// The field of `self` in the view.
    fn view(&self) -> TokenStream {
        let (rt, name) = (runtime(), self.name);
        match self.kind {
            Kind::Float {
                shape: Shaped::Number,
                ..
            }
            | Kind::Copied => quote!(self.#name),
            Kind::Float { .. } | Kind::Borrowed => quote!(&self.#name),
            Kind::Nested => quote!(#rt::Differentiable::view(&self.#name)),
        }
    }

    /// The field of a new view over other floats.
    fn assemble(&self) -> TokenStream {
        let (rt, name, family) = (runtime(), self.name, self.family());
        match self.kind {
            Kind::Float { .. } | Kind::Nested => {
                quote!(<#family as #rt::Family>::get(&__lanes.#name, __like.#name))
            }
            Kind::Copied | Kind::Borrowed => quote!(__like.#name),
        }
    }

    /// The field of a new struct.
    fn rebuild(&self) -> TokenStream {
        let (rt, name) = (runtime(), self.name);
        match self.kind {
            Kind::Float { .. } => quote!(::core::clone::Clone::clone(&__lanes.#name)),
            Kind::Nested => quote!(#rt::Differentiable::rebuild(&self.#name, &__lanes.#name)),
            Kind::Copied | Kind::Borrowed => quote!(::core::clone::Clone::clone(&self.#name)),
        }
    }

    /// Replaces the field.
    fn write(&self) -> TokenStream {
        let (rt, name) = (runtime(), self.name);
        match self.kind {
            Kind::Float { .. } => {
                quote!(::core::clone::Clone::clone_from(&mut self.#name, &__lanes.#name);)
            }
            Kind::Nested => quote!(#rt::Differentiable::write(&mut self.#name, &__lanes.#name);),
            Kind::Copied | Kind::Borrowed => TokenStream::new(),
        }
    }
}

impl Shape<'_> {
    fn expand(&self) -> TokenStream {
        let (rt, name) = (runtime(), &self.input.ident);
        let (view, lanes) = (
            format_ident!("__{name}View"),
            format_ident!("__{name}Lanes"),
        );
        let float = format_ident!("{}", self.float());
        let real = quote!(::core::primitive::#float);
        let active: Vec<&Field<'_>> = self.fields.iter().filter(|f| f.is_active()).collect();
        let (names, families): (Vec<_>, Vec<_>) =
            active.iter().map(|f| (f.name, f.family())).unzip();
        let owned = active.iter().map(|f| {
            let (vis, name, family) = (f.vis, f.name, f.family());
            quote!(#vis #name: <#family as #rt::Family>::Owned<__T>)
        });
        let seen = self.fields.iter().map(|f| {
            let (vis, name, ty) = (f.vis, f.name, f.view_type());
            quote!(#vis #name: #ty)
        });
        let all: Vec<_> = self.fields.iter().map(|f| f.name).collect();
        let viewed = self.fields.iter().map(Field::view);
        let assembled = self.fields.iter().map(Field::assemble);
        let shortened = self.fields.iter().map(|f| {
            let (name, family) = (f.name, f.family());
            if f.is_active() {
                quote!(<#family as #rt::Family>::shorten::<__T>(__view.#name))
            } else {
                quote!(__view.#name)
            }
        });
        let rebuilt = self.fields.iter().map(Field::rebuild);
        let written = self.fields.iter().map(Field::write);
        let list = |items: &[TokenStream]| {
            items
                .iter()
                .rev()
                .fold(quote!(()), |tail, item| quote!((#item, #tail)))
        };
        let fields = list(&families);
        let values = list(&names.iter().map(|n| quote!(__view.#n)).collect::<Vec<_>>());
        let project = |method: TokenStream, lend: TokenStream| {
            let parts = names.iter().zip(&families);
            list(
                &parts
                    .map(|(n, f)| quote!(<#f as #rt::Family>::#method(#lend __lanes.#n)))
                    .collect::<Vec<_>>(),
            )
        };
        let (read, lent) = (
            project(quote!(lanes), quote!(&)),
            project(quote!(lanes_mut), quote!(&mut)),
        );
        let pattern = list(&names.iter().map(|n| quote!(#n)).collect::<Vec<_>>());
        quote! {
            #[automatically_derived]
            #[allow(warnings, clippy::all)]
            const _: () = {
                #[doc(hidden)]
                pub struct #view<'__v, __S: #rt::Entry> {
                    #(#seen,)*
                    __floats: ::core::marker::PhantomData<&'__v __S>,
                }
                impl<'__v, __S: #rt::Entry> ::core::clone::Clone for #view<'__v, __S> {
                    #[inline(always)]
                    fn clone(&self) -> Self {
                        *self
                    }
                }
                impl<'__v, __S: #rt::Entry> ::core::marker::Copy for #view<'__v, __S> {}

                #[doc(hidden)]
                pub struct #lanes<__T: #rt::Entry> {
                    #(#owned,)*
                    __floats: ::core::marker::PhantomData<__T>,
                }
                impl<__T: #rt::Entry> ::core::clone::Clone for #lanes<__T> {
                    fn clone(&self) -> Self {
                        #lanes {
                            #(#names: ::core::clone::Clone::clone(&self.#names),)*
                            __floats: ::core::marker::PhantomData,
                        }
                    }
                }

                impl #rt::Differentiable for #name {
                    type Real = #real;
                    type Fields = #fields;
                    type View<'__v, __S: #rt::Entry> = #view<'__v, __S>;
                    type Lanes<__T: #rt::Entry> = #lanes<__T>;

                    fn view(&self) -> #view<'_, #real> {
                        #view { #(#all: #viewed,)* __floats: ::core::marker::PhantomData }
                    }
                    fn assemble<'__v, __T: #rt::Entry, __U: #rt::Entry>(
                        __lanes: &'__v #lanes<__T>,
                        __like: #view<'__v, __U>,
                    ) -> #view<'__v, __T> {
                        #view { #(#all: #assembled,)* __floats: ::core::marker::PhantomData }
                    }
                    fn shorten<'__s, '__l: '__s, __T: #rt::Entry>(__view: Self::View<'__l, __T>) -> Self::View<'__s, __T> {
                        #view { #(#all: #shortened,)* __floats: ::core::marker::PhantomData }
                    }
                    fn values<__T: #rt::Entry>(__view: Self::View<'_, __T>) -> <Self::Fields as #rt::Family>::Ref<'_, __T> {
                        #values
                    }
                    fn fields<__T: #rt::Entry>(__lanes: &#lanes<__T>) -> <Self::Fields as #rt::Family>::LanesRef<'_, __T> {
                        #read
                    }
                    fn fields_mut<__T: #rt::Entry>(
                        __lanes: &mut #lanes<__T>,
                    ) -> <Self::Fields as #rt::Family>::LanesMut<'_, __T> {
                        #lent
                    }
                    fn from_fields<__T: #rt::Entry>(#pattern: <Self::Fields as #rt::Family>::Owned<__T>) -> #lanes<__T> {
                        #lanes { #(#names,)* __floats: ::core::marker::PhantomData }
                    }
                    fn rebuild(&self, __lanes: &#lanes<#real>) -> Self {
                        #name { #(#all: #rebuilt,)* }
                    }
                    fn write(&mut self, __lanes: &#lanes<#real>) {
                        #(#written)*
                    }
                }
                #rt::struct_container!(#name, #real);
            };
        }
    }

    fn float(&self) -> &'static str {
        match &self.input.data {
            syn::Data::Struct(data) => float_name(&data.fields),
            syn::Data::Enum(_) | syn::Data::Union(_) => "f64",
        }
    }
}
