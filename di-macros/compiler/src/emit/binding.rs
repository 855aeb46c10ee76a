//! What binds data to a handle: `with`, `fix_<param>`, `output`, under the parameters' own names and
//! types.

use super::handle::{Glue, Target, is_context};
use super::names::own;
use super::op::user;
use crate::ir::{ArrayPart, Body, Mode, PRESENCE, Param, Role, Type};
use crate::template::{list, quote};
use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};

/// Of a function for calls: `with` and `output` that nothing can be bound by, so that rustc says what it is for.
pub(super) fn for_calls(body: &Body, target: &Target<'_>) -> TokenStream {
    let (rt, bounds) = (target.rt, target.generics.lasting());
    let (declared, handle) = (target.generics.for_impl(), target.handle());
    let contexts = 0..body.params.iter().filter(|p| is_context(p)).count();
    let types: Vec<_> = contexts.map(|k| own(&format!("__C{k}"))).collect();
    let with = (!types.is_empty()).then(|| {
        quote! {
            #[doc(hidden)]
            pub fn with<#(#types: #rt::Bindable<#handle>),*>(self, #(_: #types),*) -> Self {
                self
            }
        }
    });
    quote! {
        impl #declared #handle #bounds {
            #with
            #[doc(hidden)]
            pub fn output<__Y: #rt::Bindable<#handle>>(self, _: __Y) -> Self {
                self
            }
        }
    }
}

impl Glue<'_> {
    /// The types of constants by value that may own something, under names of ours: in an impl, a name that is missing
    /// could be meant for one of the trait's types.
    pub(super) fn owned(&self) -> Vec<(TokenStream, TokenStream)> {
        let own = self.contexts.iter().filter_map(|k| {
            let (p, ty) = (self.param(*k), self.context_type(*k));
            let is_one = p.mode == Mode::Value && matches!(p.ty, Type::Opaque(_));
            let name = match self.target.generics.has_arguments() {
                true => ty.clone(),
                false => format_ident!("__Owned{k}").into_token_stream(),
            };
            (is_one && !has_lifetime(&ty)).then_some((name, ty))
        });
        own.collect()
    }

    /// What the types of a handle and of its constants must be, for operators to take it.
    fn predicates(&self) -> Vec<TokenStream> {
        let rt = self.target.rt;
        let mut each = self.target.generics.lasting_predicates();
        let owned = self.owned().into_iter();
        each.extend(owned.map(|(name, _)| quote!(for<'__k> #name: #rt::Copied<'__k>)));
        each
    }

    /// The same behind `where`.
    pub(super) fn bounds(&self) -> TokenStream {
        let each = self.predicates();
        match each.is_empty() {
            true => TokenStream::new(),
            false => quote!(where #(#each),*),
        }
    }

    pub(super) fn binding(&self) -> TokenStream {
        if self.active.len() > 1 {
            self.partial_binding()
        } else {
            self.simple_binding()
        }
    }

    /// One active parameter: all contexts at once, then the output.
    fn simple_binding(&self) -> TokenStream {
        let (rt, bounds) = (self.target.rt, self.bounds());
        let (declared, handle) = (self.target.generics.for_impl(), self.target.handle());
        let open = quote!((#rt::Open, ()));
        if !self.contexts.is_empty() {
            let (params, values) = self.with_params();
            return quote! {
                impl #declared #handle #bounds {
                    /// Binds constants, and examples of the caches' shapes.
                    #[inline]
                    pub fn with<'__c>(self, #params) -> #rt::Bound<'__c, #handle, #open> {
                        #rt::Bound::new(#values, #open)
                    }
                }
            };
        }
        self.unbound(&open)
    }

    /// No contexts and nothing fixed: the handle itself is the function.
    fn unbound(&self, open: &TokenStream) -> TokenStream {
        let Target { rt, float, .. } = self.target;
        let bounds = self.bounds();
        let (declared, handle) = (self.target.generics.for_impl(), self.target.handle());
        if self.output.is_some() {
            return quote! {
                impl #declared #handle #bounds {
                    /// Binds the buffer that the function writes to.
                    #[inline]
                    pub fn output<'__o, __Y>(self, y: &'__o mut __Y) -> #rt::WithOutput<'__o, 'static, #handle, #open, __Y>
                    where
                        __Y: #rt::ContainerMut<<#handle as #rt::Handle>::Y, #float> + ?::core::marker::Sized,
                    {
                        #rt::Bound::new((), #open).output(y)
                    }
                }
            };
        }
        let mut predicates = self.predicates();
        if self.returns_structs() {
            // not all can be returned: rustc says so where the function is passed to an operator
            predicates.push(quote!(for<'__c> #rt::Bound<'__c, #handle, #open>: #rt::Evaluate));
        }
        let bounds = (!predicates.is_empty()).then(|| quote!(where #(#predicates),*));
        quote! {
            impl #declared #rt::Function for #handle #bounds {
                type Bound = #rt::Bound<'static, #handle, #open>;
                #[inline]
                fn bind(self) -> Self::Bound {
                    #rt::Bound::new((), #open)
                }
            }
        }
    }

    /// Several active parameters: a type of its own, whose methods have their names.
    fn partial_binding(&self) -> TokenStream {
        let Target {
            name,
            rt,
            float,
            vis,
            ..
        } = self.target;
        let partial = format_ident!("__{}_bound", name, span = Span::call_site());
        let generics = self.target.generics;
        let predicates = self.predicates();
        let (declared, handle) = (generics.for_impl(), self.target.handle());
        let (names, consts) = (generics.names(), generics.declared());
        let (bounds, phantom) = (self.bounds(), generics.phantom_value());
        let all_open = list(self.active.iter().map(|_| quote!(#rt::Open)));
        let ctx = list(self.contexts.iter().map(|k| self.context_type(*k)));
        let no_ctx = if self.contexts.is_empty() {
            quote!(())
        } else {
            quote!(#rt::Open)
        };
        let fixes = self
            .active
            .iter()
            .enumerate()
            // of a name that is there twice rustc tells of the function
            .filter(|(at, k)| {
                let name = &self.param(**k).name;
                !self.active[..*at]
                    .iter()
                    .any(|k| self.param(*k).name == *name)
            })
            .map(|(at, k)| self.fix(at, *k, &partial, &no_ctx));
        let unbound = if self.contexts.is_empty() {
            self.unbound(&all_open)
        } else {
            TokenStream::new()
        };
        let with = if self.contexts.is_empty() {
            TokenStream::new()
        } else {
            let (params, values) = self.with_params();
            quote! {
                impl #declared #handle #bounds {
                    /// Binds constants, and examples of the caches' shapes.
                    #[inline]
                    pub fn with<'__c>(self, #params) -> #partial<'__c, #ctx, #all_open, #(#names),*> {
                        #partial(#rt::Partial::new(#values, #all_open) #phantom)
                    }
                }
                impl<'__c, __V, #(#consts),*> #partial<'__c, #rt::Open, __V, #(#names),*> #bounds {
                    /// Binds constants, and examples of the caches' shapes.
                    #[inline]
                    pub fn with(self, #params) -> #partial<'__c, #ctx, __V, #(#names),*> {
                        #partial(#rt::Partial::new(#values, self.0.fixed) #phantom)
                    }
                }
            }
        };
        let finish = if self.output.is_some() {
            quote! {
                impl<'__c, __V, #(#consts),*> #partial<'__c, #ctx, __V, #(#names),*> #bounds {
                    /// Binds the buffer that the function writes to.
                    #[inline]
                    pub fn output<'__o, __Y>(self, y: &'__o mut __Y) -> #rt::WithOutput<'__o, '__c, #handle, __V, __Y>
                    where
                        __Y: #rt::ContainerMut<<#handle as #rt::Handle>::Y, #float> + ?::core::marker::Sized,
                    {
                        #rt::Bound::new(self.0.ctx, self.0.fixed).output(y)
                    }
                }
            }
        } else {
            quote! {
                impl<'__c, __V, #(#consts),*> #rt::Function for #partial<'__c, #ctx, __V, #(#names),*>
                where
                    #(#predicates,)*
                    #rt::Bound<'__c, #handle, __V>: #rt::Evaluate,
                {
                    type Bound = #rt::Bound<'__c, #handle, __V>;
                    #[inline]
                    fn bind(self) -> Self::Bound {
                        #rt::Bound::new(self.0.ctx, self.0.fixed)
                    }
                }
            }
        };
        let unbounded = generics.unbounded();
        let (derive, copies, field) = match generics.free_phantom() {
            None => (quote!(#[derive(Clone, Copy)]), quote!(), quote!()),
            Some(field) => (
                quote!(),
                generics.partial_copies(&partial),
                quote!(, #field),
            ),
        };
        quote! {
            #[doc(hidden)]
            #derive
            #vis struct #partial<'__c, __C, __V, #(#unbounded),*>(#rt::Partial<'__c, __C, __V> #field);
            #copies
            #(#fixes)*
            #unbound
            #with
            #finish
        }
    }

    /// `fix_a`, on the handle and on what is already bound.
    fn fix(&self, at: usize, k: usize, partial: &Ident, no_ctx: &TokenStream) -> TokenStream {
        let Target { rt, float, .. } = self.target;
        let generics = self.target.generics;
        let (declared, handle) = (generics.for_impl(), self.target.handle());
        let (consts, arguments) = (generics.declared(), generics.names());
        let (bounds, phantom) = (self.bounds(), generics.phantom_value());
        let p = self.param(k);
        let fix = format_ident!("fix_{}", p.shown(), span = p.span);
        let value = user(&raw_if_needed(&p.name));
        let family = self.family(k);
        let given = quote!(#rt::Given<<#family as #rt::Family>::Ref<'__c, #float>>);
        let (ty, taken) = match &p.ty {
            Type::Float => (
                quote!(impl ::core::borrow::Borrow<#float>),
                quote!(*::core::borrow::Borrow::<#float>::borrow(&#value)),
            ),
            Type::Struct(path) => {
                let path = &path.0;
                (
                    quote!(&'__c #path),
                    quote!(#rt::Differentiable::view(#value)),
                )
            }
            Type::Slice(t) | Type::Vec(t) | Type::Array(t, _) if t.is_structs() => {
                let row = super::structs::struct_path(t);
                let ty = match &p.ty {
                    Type::Array(_, n) => {
                        let n = &n.0;
                        quote!(&'__c [#row; #n])
                    }
                    _ => quote!(&'__c [#row]),
                };
                (ty, quote!(#rt::Rows::Plain(&#value[..])))
            }
            _ => {
                let ty = quote!(<#family as #rt::Family>::Ref<'__c, #float>);
                match p.array {
                    Some(ArrayPart::Elements { .. }) => (
                        quote!(impl #rt::nd::Fixed<#ty>),
                        quote!(#rt::nd::Fixed::fixed(#value)),
                    ),
                    _ => (ty, quote!(#value)),
                }
            }
        };
        let others: Vec<Ident> = (0..self.active.len())
            .map(|i| own(&format!("__V{i}")))
            .collect();
        let open = others
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != at)
            .map(|(_, v)| v);
        let before = list(others.iter().enumerate().map(|(i, v)| {
            if i == at {
                quote!(#rt::Open)
            } else {
                quote!(#v)
            }
        }));
        let after = list(
            others
                .iter()
                .enumerate()
                .map(|(i, v)| if i == at { given.clone() } else { quote!(#v) }),
        );
        let names: Vec<Ident> = (0..self.active.len())
            .map(|i| own(&format!("__v{i}")))
            .collect();
        let pattern = list(
            names
                .iter()
                .enumerate()
                .map(|(i, v)| if i == at { quote!(_) } else { quote!(#v) }),
        );
        let values = list(names.iter().enumerate().map(|(i, v)| {
            if i == at {
                quote!(#rt::Given(#taken))
            } else {
                quote!(#v)
            }
        }));
        let first = list((0..self.active.len()).map(|i| {
            if i == at {
                given.clone()
            } else {
                quote!(#rt::Open)
            }
        }));
        let first_values = list((0..self.active.len()).map(|i| {
            if i == at {
                quote!(#rt::Given(#taken))
            } else {
                quote!(#rt::Open)
            }
        }));
        quote! {
            impl #declared #handle #bounds {
                /// Holds this parameter constant: nothing is paid for its derivative.
                #[inline]
                pub fn #fix<'__c>(self, #value: #ty) -> #partial<'__c, #no_ctx, #first, #(#arguments),*> {
                    #partial(#rt::Partial::new(::core::default::Default::default(), #first_values) #phantom)
                }
            }
            impl<'__c, __C, #(#open,)* #(#consts),*> #partial<'__c, __C, #before, #(#arguments),*> #bounds {
                /// Holds this parameter constant: nothing is paid for its derivative.
                #[inline]
                pub fn #fix(self, #value: #ty) -> #partial<'__c, __C, #after, #(#arguments),*> {
                    let #pattern = self.0.fixed;
                    #partial(#rt::Partial::new(self.0.ctx, #values) #phantom)
                }
            }
        }
    }

    /// Parameters of `with`, and the list of their values.
    fn with_params(&self) -> (TokenStream, TokenStream) {
        let rt = self.target.rt;
        let params = self.contexts.iter().map(|k| {
            let (name, ty) = (self.context_name(*k), self.context_type(*k));
            match is_presence(self.param(*k)) {
                true => quote!(#name: impl #rt::Presence),
                false => quote!(#name: #ty),
            }
        });
        let params = quote!(#(#params),*);
        let values = self.contexts.iter().map(|k| {
            let name = self.context_name(*k);
            match is_presence(self.param(*k)) {
                true => quote!(#rt::Presence::is_there(&#name)),
                false => quote!(#name),
            }
        });
        (params, list(values))
    }

    fn context_name(&self, k: usize) -> Ident {
        let mut name = user(&raw_if_needed(&self.param(k).name));
        name.set_span(self.param(k).span);
        name
    }

    /// The type that `with` takes: as written, borrowed for as long as the binding; caches by `&`.
    pub(super) fn context_type(&self, k: usize) -> TokenStream {
        let (p, rt) = (self.param(k), self.target.rt);
        if let Some(ArrayPart::Elements {
            rank,
            view,
            element,
        }) = &p.array
            && (p.role == Role::Constant || *rank == 2)
        {
            let (dim, element) = (format_ident!("Ix{rank}"), &element.0);
            return if *view && p.role == Role::Constant {
                quote!(#rt::nd::ArrayView<'__c, #element, #rt::#dim>)
            } else {
                quote!(&'__c #rt::nd::Array<#element, #rt::#dim>)
            };
        }
        with_lifetime(p.written.0.clone(), p.role == Role::Cache)
    }
}

/// Whether a type borrows for the time that a handle is bound.
fn has_lifetime(ty: &TokenStream) -> bool {
    ty.clone().into_iter().any(|tree| match tree {
        TokenTree::Punct(p) => p.as_char() == '\'',
        TokenTree::Group(g) => has_lifetime(&g.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether this says that the option in the next parameter holds a number.
fn is_presence(p: &Param) -> bool {
    p.name.ends_with(PRESENCE) && matches!(p.ty, Type::Bool)
}

/// Lifetimes but `'static` become `'__c`; with `shared`, the outermost `&mut` becomes `&`. Arguments of
/// function types keep theirs.
pub(super) fn with_lifetime(tokens: TokenStream, shared: bool) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    let mut outermost = shared;
    let mut callable = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(p) if p.as_char() == '&' => {
                out.extend([TokenTree::Punct(p)]);
                let elided = match tokens.peek() {
                    Some(TokenTree::Punct(next)) => next.as_char() != '\'',
                    _ => true,
                };
                if elided {
                    out.extend(lifetime());
                } else if let (Some(quote), Some(name)) = (tokens.next(), tokens.next()) {
                    out.extend(named(quote, name));
                }
                let next_is_mut = matches!(tokens.peek(), Some(TokenTree::Ident(i)) if i == "mut");
                if outermost && next_is_mut {
                    tokens.next();
                }
                outermost = false;
            }
            TokenTree::Punct(p) if p.as_char() == '\'' => match tokens.next() {
                Some(name) => out.extend(named(TokenTree::Punct(p), name)),
                None => out.extend([TokenTree::Punct(p)]),
            },
            TokenTree::Group(g) => {
                let inner = if callable {
                    g.stream()
                } else {
                    with_lifetime(g.stream(), false)
                };
                let mut group = Group::new(g.delimiter(), inner);
                group.set_span(g.span());
                out.extend([TokenTree::Group(group)]);
                callable = false;
            }
            TokenTree::Ident(i) => {
                callable = ["fn", "Fn", "FnMut", "FnOnce"].iter().any(|f| i == f);
                out.extend([TokenTree::Ident(i)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

fn lifetime() -> [TokenTree; 2] {
    [
        TokenTree::Punct(Punct::new('\'', Spacing::Joint)),
        TokenTree::Ident(Ident::new("__c", Span::call_site())),
    ]
}

/// `'static` as it is. All others last for as long as the binding.
fn named(quote: TokenTree, name: TokenTree) -> [TokenTree; 2] {
    if matches!(&name, TokenTree::Ident(i) if i == "static") {
        [quote, name]
    } else {
        lifetime()
    }
}

/// `type` as `r#type`.
fn raw_if_needed(name: &str) -> String {
    const KEYWORDS: [&str; 36] = [
        "as", "async", "await", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
        "extern", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod",
        "move", "mut", "priv", "pub", "ref", "return", "static", "struct", "trait", "try", "type",
        "where", "while",
    ];
    if KEYWORDS.contains(&name) {
        format!("r#{name}")
    } else {
        name.to_owned()
    }
}
