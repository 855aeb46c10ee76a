//! `#[generic]`: a handle for a function that is generic over the scalar. Its body is any Rust and is not looked
//! into; the signature says what the runtime needs to know.

use crate::emit::Inherent;
use crate::error;
use crate::expand::{Origin, conditions, handle, not_a_function, refused};
use crate::lower::extent::HasExtent;
use crate::options::{self, Mark, Options};
use crate::report::{Report, Stop};
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Type, TypeParamBound};

/// Expands `#[generic(attr)] item`.
pub(crate) fn generic(attr: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(mut function) = syn::parse2::<syn::ItemFn>(item.clone()) else {
        return not_a_function(item);
    };
    let cx = Report::default();
    let options = Options::parse(attr, &cx).without_code(&cx);
    let scalar = scalar_of(&function.sig);
    if scalar.is_none() {
        let span = if function.sig.generics.params.is_empty() {
            function.sig.ident.extent()
        } else {
            function.sig.generics.params.extent()
        };
        cx.error(span, &error::GENERIC_SCALAR);
    }
    let read = scalar.map(|scalar| Read::new(&function.sig, scalar, &options, &cx));
    options::strip_marks(&mut function);
    // the handle is one for all scalars
    let mut plain = function.clone();
    plain.sig.generics = syn::Generics::default();
    let origin = Origin::free(&plain.sig.ident);
    let items = || handle(&plain, &options, &origin, &Inherent::default());
    let generated = match (cx.check(), read) {
        (Ok(()), Some(read)) => {
            let glue = read.glue(&function, &options);
            let cfgs = conditions(&function.attrs);
            items().with(quote!(#(#cfgs)* #glue))
        }
        (Err(Stop::Errors(errors)), _) => refused(&plain, &options, &origin, &errors),
        (Ok(()) | Err(Stop::Mismatch), _) => items(),
    };
    quote!(#function #generated)
}

/// The type parameter and its float type: `S: Scalar<Real = f64>`, and nothing else.
fn scalar_of(sig: &syn::Signature) -> Option<(Ident, Type)> {
    let mut params = sig.generics.params.iter();
    let (Some(syn::GenericParam::Type(param)), None) = (params.next(), params.next()) else {
        return None;
    };
    let predicates = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
    let others = predicates.filter_map(|p| match p {
        syn::WherePredicate::Type(p) if is(&p.bounded_ty, &param.ident) => Some(&p.bounds),
        _ => None,
    });
    let bounds = param.bounds.iter().chain(others.flatten());
    let float = bounds.filter_map(float_of).next()?;
    Some((param.ident.clone(), float))
}

/// The float type of a bound `Scalar<Real = f64>`.
fn float_of(bound: &TypeParamBound) -> Option<Type> {
    let TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    let syn::PathArguments::AngleBracketed(args) = &bound.path.segments.last()?.arguments else {
        return None;
    };
    args.args.iter().find_map(|arg| match arg {
        syn::GenericArgument::AssocType(a) if a.ident == "Real" => Some(a.ty.clone()),
        _ => None,
    })
}

/// Is a type this parameter?
fn is(ty: &Type, param: &Ident) -> bool {
    matches!(ty, Type::Path(p) if p.qself.is_none() && p.path.is_ident(param))
}

/// What a parameter is for.
enum Part {
    /// Differentiated: its family.
    Active(TokenStream),
    /// Its type, with the lifetime of contexts.
    Constant(Box<Type>),
    /// Family, and the type of an example.
    Cache(TokenStream, TokenStream),
    /// Its family.
    Output(TokenStream),
}

/// A signature, as far as it is understood.
struct Read {
    scalar: Ident,
    float: Type,
    rt: TokenStream,
    params: Vec<(Ident, Part)>,
    returned: Option<TokenStream>,
    /// Does it return a `Result`?
    fails: bool,
}

impl Read {
    fn new(
        sig: &syn::Signature,
        (scalar, float): (Ident, Type),
        options: &Options,
        cx: &Report,
    ) -> Read {
        let krate = options.krate();
        let mut read = Read {
            scalar,
            float,
            rt: quote!(#krate::__private),
            params: Vec::new(),
            returned: None,
            fails: false,
        };
        for input in &sig.inputs {
            let syn::FnArg::Typed(p) = input else {
                cx.error(input.extent(), &error::GENERIC_PARAMETER);
                continue;
            };
            let name = match &*p.pat {
                syn::Pat::Ident(name) if name.subpat.is_none() => name.ident.clone(),
                _ => format_ident!("__p{}", read.params.len()),
            };
            match read.part(&p.ty, options::mark_of(&p.attrs, cx).map(|m| m.0)) {
                Some(part) => read.params.push((name, part)),
                None => cx.error(p.ty.extent(), &error::GENERIC_PARAMETER),
            }
        }
        let outputs = read.count(|p| matches!(p, Part::Output(_)));
        let mut value = match &sig.output {
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
            syn::ReturnType::Default => None,
        };
        if let Some(ok) = value.as_ref().and_then(ok_type) {
            read.fails = true;
            value = Some(ok).filter(|ok| !matches!(ok, Type::Tuple(t) if t.elems.is_empty()));
        }
        if let Some(ty) = &value {
            read.returned = read.result(ty);
            if read.returned.is_none() || outputs > 0 {
                cx.error(sig.output.extent(), &error::GENERIC_PARAMETER);
            }
        } else if outputs != 1 {
            cx.error(sig.inputs.extent(), &error::GENERIC_PARAMETER);
        }
        if !(1..=6).contains(&read.count(|p| matches!(p, Part::Active(_)))) {
            cx.error(sig.ident.extent(), &error::GENERIC_PARAMETER);
        }
        read
    }

    fn count(&self, which: impl Fn(&Part) -> bool) -> usize {
        self.params.iter().filter(|p| which(&p.1)).count()
    }

    fn part(&self, ty: &Type, mark: Option<Mark>) -> Option<Part> {
        match mark {
            Some(Mark::Constant) => Some(Part::Constant(Box::new(of_contexts(ty)))),
            Some(Mark::Cache) => {
                let family = self.argument(ty, true)?;
                let (rt, float) = (&self.rt, &self.float);
                let example = quote!(<#family as #rt::Family>::Ref<'__c, #float>);
                Some(Part::Cache(family, example))
            }
            Some(Mark::InOut) => None,
            None => {
                let active = self.argument(ty, false).map(Part::Active);
                active.or_else(|| self.argument(ty, true).map(Part::Output))
            }
        }
    }

    /// Family of a parameter that is read, or written.
    fn argument(&self, ty: &Type, written: bool) -> Option<TokenStream> {
        match ty {
            Type::Reference(r) if r.mutability.is_some() == written => match &*r.elem {
                Type::Slice(_) | Type::Array(_) => self.sequence(&r.elem),
                _ => None,
            },
            Type::Path(_) if !written && is(ty, &self.scalar) => self.sequence(ty),
            Type::Path(p) => {
                let name = if written { "ArrayViewMut" } else { "ArrayView" };
                self.array(p, name)
            }
            _ => None,
        }
    }

    /// Family of a result.
    fn result(&self, ty: &Type) -> Option<TokenStream> {
        match ty {
            Type::Tuple(t) if (2..=6).contains(&t.elems.len()) => {
                let parts = t.elems.iter().map(|t| self.result(t));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                Some(quote!((#(#parts,)*)))
            }
            Type::Path(p) if !is(ty, &self.scalar) => {
                let last = p.path.segments.last()?;
                if last.ident != "Vec" {
                    return self.array(p, "Array");
                }
                let cell = self.cell(types(last).first()?)?;
                let rt = &self.rt;
                Some(quote!(#rt::Slice<#cell>))
            }
            Type::Slice(_) => None,
            _ => self.sequence(ty),
        }
    }

    fn sequence(&self, ty: &Type) -> Option<TokenStream> {
        let rt = &self.rt;
        match ty {
            Type::Slice(s) => {
                let cell = self.cell(&s.elem)?;
                Some(quote!(#rt::Slice<#cell>))
            }
            Type::Array(a) => {
                let (cell, n) = (self.cell(&a.elem)?, &a.len);
                Some(quote!(#rt::Array<{ #n }, #cell>))
            }
            _ => is(ty, &self.scalar).then(|| quote!(#rt::Number)),
        }
    }

    fn cell(&self, ty: &Type) -> Option<TokenStream> {
        let rt = &self.rt;
        match ty {
            Type::Array(a) => {
                let (cell, n) = (self.cell(&a.elem)?, &a.len);
                Some(quote!(#rt::Row<{ #n }, #cell>))
            }
            _ => is(ty, &self.scalar).then(|| quote!(#rt::One)),
        }
    }

    /// `ArrayView2<S>` or `ArrayView<S, Ix2>`, and the others of their kind.
    fn array(&self, ty: &syn::TypePath, name: &str) -> Option<TokenStream> {
        let rt = &self.rt;
        let last = ty.path.segments.last()?;
        let args = types(last);
        if !is(args.first()?, &self.scalar) {
            return None;
        }
        let ident = last.ident.to_string();
        let rank = ident.strip_prefix(name)?;
        match (rank, args.get(1)) {
            ("", Some(dim)) => Some(quote!(#rt::Nd<#dim>)),
            ("1" | "2" | "3" | "4" | "5" | "6", None) => {
                let dim = format_ident!("Ix{rank}");
                Some(quote!(#rt::Nd<#rt::#dim>))
            }
            _ => None,
        }
    }

    fn glue(&self, function: &syn::ItemFn, options: &Options) -> TokenStream {
        let Read {
            float, rt, params, ..
        } = self;
        let original = &function.sig.ident;
        let name = options.handle(original);
        let active = params.iter().filter_map(|(name, part)| match part {
            Part::Active(family) => Some((name, family)),
            Part::Constant(_) | Part::Cache(..) | Part::Output(_) => None,
        });
        let (actives, families): (Vec<_>, Vec<_>) = active.unzip();
        let (x, x_pattern) = match (&*families, &*actives) {
            ([family], [name]) => (quote!(#family), quote!(#name)),
            _ => (quote!((#(#families,)*)), quote!((#(#actives,)*))),
        };
        let output = params.iter().find_map(|(name, part)| match part {
            Part::Output(family) => Some((name, family)),
            Part::Active(_) | Part::Constant(_) | Part::Cache(..) => None,
        });
        let args = params.iter().map(|(name, _)| name);
        let call = quote!(#original::<__S>(#(#args),*));
        let (y, kind, run) = match output {
            Some((name, family)) => {
                let run = if self.fails {
                    quote! {
                        let #name = __y;
                        if let ::core::result::Result::Err(error) = #call {
                            #rt::fail(::core::convert::Into::into(error));
                        }
                    }
                } else {
                    quote! { let #name = __y; #call; }
                };
                (family, quote!(InPlace), run)
            }
            None => {
                let family = self.returned.as_ref().expect("Read::new looked at it");
                let run = if self.fails {
                    quote! {
                        match #call {
                            ::core::result::Result::Ok(value) => *__y = value,
                            ::core::result::Result::Err(error) => {
                                #rt::fail_at::<#family, __S>(__y, ::core::convert::Into::into(error));
                            }
                        }
                    }
                } else {
                    quote! { *__y = #call; }
                };
                (family, quote!(Returning), run)
            }
        };
        let cache = params.iter().filter_map(|(name, part)| match part {
            Part::Cache(family, _) => Some((name, family)),
            Part::Active(_) | Part::Constant(_) | Part::Output(_) => None,
        });
        let (caches, cache_families): (Vec<_>, Vec<_>) = cache.unzip();
        let (caches, cache_families) = (list(&caches), list(&cache_families));
        let context = params.iter().filter_map(|(name, part)| match part {
            Part::Constant(ty) => Some((name, ty.to_token_stream())),
            Part::Cache(_, example) => Some((name, example.clone())),
            Part::Active(_) | Part::Output(_) => None,
        });
        let (contexts, types): (Vec<_>, Vec<_>) = context.unzip();
        let constants = params.iter().filter_map(|(name, part)| match part {
            Part::Constant(_) => Some(name),
            Part::Active(_) | Part::Cache(..) | Part::Output(_) => None,
        });
        let bind = self.bind(&name, &contexts, &types, output.is_some());
        let quiet = crate::options::quiet();
        quote! {
            #[automatically_derived]
            #quiet
            const _: () = {
                impl #rt::Signature for #name {
                    type Real = #float;
                    type X = #x;
                    type Y = #y;
                    type Kind = #rt::#kind;
                    type Fixed = ();
                    type Caches = #cache_families;
                    type Ctx<'__c> = (#(#types,)*) where Self: '__c;
                    fn constants<'__c>(
                        (#(#contexts,)*): Self::Ctx<'__c>,
                        __snapshot: &mut #rt::Snapshot,
                    ) where
                        Self: '__c,
                    {
                        use #rt::Unseen as _;
                        #(#rt::Probe(&#constants).snapshot(__snapshot);)*
                    }
                    fn caches<'__c>(
                        (#(#contexts,)*): Self::Ctx<'__c>,
                    ) -> <Self::Caches as #rt::Family>::Ref<'__c, #float>
                    where
                        Self: '__c,
                    {
                        #caches
                    }
                }
                impl #rt::Primal for #name {
                    fn primal<'__c>(
                        __env: #rt::Env<'_, '__c, Self, #float>,
                        __x: #rt::XRef<'_, Self, #float>,
                        __y: #rt::Slot<'_, Self, #float>,
                    ) where
                        Self: '__c,
                    {
                        <Self as #rt::Generic>::generic::<#float>(__env, __x, __y);
                    }
                }
                impl #rt::Generic for #name {
                    fn generic<'__c, __S: #rt::Scalar<Real = #float>>(
                        __env: #rt::Env<'_, '__c, Self, __S>,
                        #x_pattern: #rt::XRef<'_, Self, __S>,
                        mut __y: #rt::Slot<'_, Self, __S>,
                    ) where
                        Self: '__c,
                    {
                        <#rt::#kind as #rt::Kind>::clear::<#y, __S>(&mut __y, ::core::default::Default::default());
                        let (#(#contexts,)*) = __env.ctx;
                        let #caches = <#cache_families as #rt::Family>::lanes_mut::<__S>(__env.caches);
                        #run
                    }
                }
                impl #rt::Supply for #name {
                    fn shorten<'__s, '__l: '__s>(ctx: Self::Ctx<'__l>) -> Self::Ctx<'__s> {
                        ctx
                    }
                }
                #bind
            };
        }
    }

    /// What makes an argument of operators of the handle.
    fn bind(
        &self,
        name: &Ident,
        contexts: &[&Ident],
        types: &[TokenStream],
        in_place: bool,
    ) -> TokenStream {
        let (rt, float) = (&self.rt, &self.float);
        if !contexts.is_empty() {
            return quote! {
                impl #name {
                    /// Binds constants, and examples of the caches' shapes.
                    pub fn with<'__c>(self, #(#contexts: #types),*) -> #rt::Running<#rt::Supplied<'__c, #name>> {
                        #rt::Running::new(#rt::Supplied::new((#(#contexts,)*)))
                    }
                }
            };
        }
        if in_place {
            return quote! {
                impl #name {
                    /// Binds the buffer that the function writes to.
                    pub fn output<'__o, __Y>(
                        self,
                        y: &'__o mut __Y,
                    ) -> #rt::Writing<'__o, #rt::Supplied<'static, #name>, __Y>
                    where
                        __Y: #rt::ContainerMut<<#name as #rt::Signature>::Y, #float> + ?::core::marker::Sized,
                    {
                        #rt::Running::new(#rt::Supplied::<'static, #name>::new(())).output(y)
                    }
                }
            };
        }
        quote! {
            impl #rt::Function for #name {
                type Bound = #rt::Running<#rt::Supplied<'static, #name>>;
                fn bind(self) -> Self::Bound {
                    #rt::Running::new(#rt::Supplied::new(()))
                }
            }
        }
    }
}

/// `(a, (b, ()))`, as types, patterns or expressions.
fn list(items: &[&impl ToTokens]) -> TokenStream {
    items
        .iter()
        .rev()
        .fold(quote!(()), |rest, item| quote!((#item, #rest)))
}

/// The type of success of a `Result`.
fn ok_type(ty: &Type) -> Option<Type> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    (last.ident == "Result")
        .then(|| types(last).into_iter().next())
        .flatten()
}

/// Type arguments of the last part of a path.
fn types(segment: &syn::PathSegment) -> Vec<Type> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else {
        return Vec::new();
    };
    let types = args.args.iter().filter_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    types.collect()
}

/// The type, in which references that have none have the lifetime of contexts.
fn of_contexts(ty: &Type) -> Type {
    let mut ty = ty.clone();
    walk::change(NodeMut::Type(&mut ty), &mut |node| {
        match node {
            NodeMut::Type(Type::Reference(r)) => {
                r.lifetime
                    .get_or_insert_with(|| syn::Lifetime::new("'__c", Span::call_site()));
            }
            NodeMut::Lifetime(l) if l.ident == "_" => {
                *l = syn::Lifetime::new("'__c", l.span());
            }
            _ => {}
        }
        Onward::Into
    });
    ty
}
