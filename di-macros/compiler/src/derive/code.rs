//! What the derive writes: three types and the impls that lead from one to another.

use super::Struct;
use super::data::Data;
use super::field::{Field, Kind};
use super::inner::Inner;
use crate::symbol;
use crate::template::{list, quote};
use crate::tokens::unraw;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};

/// All items, in one `const`. `structs`: those of its fields.
pub(super) fn expand(s: &Struct<'_>, structs: &[Inner], data: &Data) -> TokenStream {
    let code = Code::new(s);
    let (types, main, others) = (code.types(), code.differentiable(), code.others());
    let quiet = crate::options::quiet();
    let structs = structs.iter().map(|inner| inner.item(&s.rt));
    let (by, keeping) = code.keeping(data);
    let checks = data.checks();
    quote! {
        #[automatically_derived]
        #quiet
        const _: () = {
            #(#structs)*
            #by
            #keeping
            #checks
            #types
            #main
            #others
        };
    }
}

pub(super) struct Code<'a> {
    pub(super) s: &'a Struct<'a>,
    pub(super) rt: TokenStream,
    pub(super) view: Ident,
    lanes: Ident,
    pub(super) of: Ident,
    /// `N, M`: the const parameters as arguments.
    pub(super) args: Vec<&'a Ident>,
    /// `const N: usize`: as declarations.
    pub(super) params: Vec<TokenStream>,
    /// The struct with its arguments.
    pub(super) me: TokenStream,
    /// Size known when it is compiled, as far as its own fields tell.
    pub(super) fixed: bool,
    /// A tape can hold it, as far as its own fields tell.
    pub(super) held: bool,
}

impl<'a> Code<'a> {
    fn new(s: &'a Struct<'a>) -> Code<'a> {
        let name = &s.input.ident;
        let consts = || s.input.generics.const_params();
        let args: Vec<&Ident> = consts().map(|c| &c.ident).collect();
        let params = consts()
            .map(|c| {
                let (name, ty) = (&c.ident, &c.ty);
                quote!(const #name: #ty)
            })
            .collect();
        let me = quote!(#name<#(#args),*>);
        let fixed = s.fields.iter().all(Field::is_fixed);
        let held = s.fields.iter().all(Field::is_held);
        Code {
            s,
            rt: s.rt.clone(),
            view: format_ident!("__{name}View"),
            lanes: format_ident!("__{name}Lanes"),
            of: format_ident!("__{name}Of"),
            args,
            params,
            me,
            fixed,
            held,
        }
    }

    pub(super) fn fields(&self) -> &[Field<'a>] {
        &self.s.fields
    }

    fn active(&self) -> Vec<&Field<'a>> {
        self.s.fields.iter().filter(|f| f.is_active()).collect()
    }

    /// `struct Name<generics> { fields }` or `( fields )`, with a last field that uses the scalar. Its fields are public:
    /// bodies of methods stand in other modules.
    fn declare(
        &self,
        name: &Ident,
        generics: &TokenStream,
        fields: Vec<(&Field<'a>, TokenStream)>,
        last: &TokenStream,
    ) -> TokenStream {
        if self.s.named {
            let fields = fields.iter().map(|(f, ty)| {
                let name = &f.member;
                quote!(pub #name: #ty)
            });
            quote!(#[doc(hidden)] pub struct #name<#generics> { #(#fields,)* pub __floats: #last })
        } else {
            let fields = fields.iter().map(|(_, ty)| quote!(pub #ty));
            quote!(#[doc(hidden)] pub struct #name<#generics>(#(#fields,)* pub #last);)
        }
    }

    /// `Name { a: .., b: .. }`, for tuple structs too.
    pub(super) fn make(&self, name: &Ident, fields: Vec<(&Field<'a>, TokenStream)>) -> TokenStream {
        let members = fields.iter().map(|(f, value)| {
            let member = &f.member;
            quote!(#member: #value)
        });
        let last = self.last();
        quote!(#name { #(#members,)* #last: ::core::marker::PhantomData })
    }

    /// Name of the last field.
    fn last(&self) -> TokenStream {
        if self.s.named {
            quote!(__floats)
        } else {
            syn::Index::from(self.fields().len()).into_token_stream()
        }
    }

    fn types(&self) -> TokenStream {
        let Code {
            rt,
            view,
            lanes,
            of,
            args,
            params,
            ..
        } = self;
        let each = |ty: &dyn Fn(&Field<'a>) -> TokenStream| -> Vec<(&Field<'a>, TokenStream)> {
            self.fields().iter().map(|f| (f, ty(f))).collect()
        };
        let view_struct = self.declare(
            view,
            &quote!('__v, __S: #rt::Entry, #(#params),*),
            each(&|f| self.view_type(f)),
            &quote!(::core::marker::PhantomData<&'__v __S>),
        );
        let of_struct = self.declare(
            of,
            &quote!(__S: #rt::Entry, #(#params),*),
            each(&|f| self.of_type(f)),
            &quote!(::core::marker::PhantomData<__S>),
        );
        let lane_types = self
            .fields()
            .iter()
            .map(|f| (f, self.lane_type(f)))
            .collect();
        let lanes_struct = self.declare(
            lanes,
            &quote!(__T: #rt::Entry, #(#params),*),
            lane_types,
            &quote!(::core::marker::PhantomData<__T>),
        );
        let cloned = |fields: Vec<&Field<'a>>, name: &Ident| {
            let fields = fields
                .into_iter()
                .map(|f| {
                    let member = &f.member;
                    (f, quote!(::core::clone::Clone::clone(&self.#member)))
                })
                .collect();
            self.make(name, fields)
        };
        let of_clone = cloned(self.fields().iter().collect(), of);
        let lanes_clone = cloned(self.fields().iter().collect(), lanes);
        // elements of lists in views are such, and no values of the enum
        let of_viewed = self.s.variants.as_ref().map(|_| {
            quote! {
                impl<__S: #rt::Entry> #of<__S> {
                    #[doc(hidden)]
                    pub const fn __viewed(&self) -> &Self {
                        self
                    }
                }
            }
        });
        quote! {
            #view_struct
            impl<'__v, __S: #rt::Entry, #(#params),*> ::core::clone::Clone for #view<'__v, __S, #(#args),*> {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn clone(&self) -> Self {
                    *self
                }
            }
            impl<'__v, __S: #rt::Entry, #(#params),*> ::core::marker::Copy for #view<'__v, __S, #(#args),*> {}
            #of_struct
            impl<__S: #rt::Entry, #(#params),*> ::core::clone::Clone for #of<__S, #(#args),*> {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn clone(&self) -> Self {
                    #of_clone
                }
            }
            #of_viewed
            #lanes_struct
            impl<__T: #rt::Entry, #(#params),*> ::core::clone::Clone for #lanes<__T, #(#args),*> {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn clone(&self) -> Self {
                    #lanes_clone
                }
            }
        }
    }

    fn view_type(&self, f: &Field<'a>) -> TokenStream {
        let (rt, ty, family) = (&self.rt, f.ty, f.family(&self.rt));
        match f.kind {
            Kind::ConstantNumber | Kind::Copied => quote!(#ty),
            Kind::ConstantFloats | Kind::Borrowed => quote!(&'__v #ty),
            _ => quote!(<#family as #rt::Family>::Ref<'__v, __S>),
        }
    }

    fn of_type(&self, f: &Field<'a>) -> TokenStream {
        let (rt, ty, family) = (&self.rt, f.ty, f.family(&self.rt));
        match &f.kind {
            Kind::Number | Kind::Array(..) | Kind::Vector(_) => {
                quote!(<#family as #rt::Family>::Owned<__S>)
            }
            Kind::Nested => quote!(<#ty as #rt::Differentiable>::Of<__S>),
            Kind::Structs(q, n) => quote!([<#q as #rt::Differentiable>::Of<__S>; #n]),
            Kind::StructVec(q) => quote!(#rt::Vec<<#q as #rt::Differentiable>::Of<__S>>),
            Kind::ConstantNumber | Kind::ConstantFloats | Kind::Copied | Kind::Borrowed => {
                quote!(#ty)
            }
        }
    }

    fn lane_type(&self, f: &Field<'a>) -> TokenStream {
        let (rt, family) = (&self.rt, f.family(&self.rt));
        match f.kind {
            Kind::ConstantNumber | Kind::ConstantFloats | Kind::Copied | Kind::Borrowed => {
                quote!(#rt::NoLanes)
            }
            _ => quote!(<#family as #rt::Family>::Owned<__T>),
        }
    }

    /// For each field of the struct, a value of the view or the twin.
    pub(super) fn all(
        &self,
        value: impl Fn(&Field<'a>) -> TokenStream,
    ) -> Vec<(&Field<'a>, TokenStream)> {
        self.fields().iter().map(|f| (f, value(f))).collect()
    }

    fn differentiable(&self) -> TokenStream {
        let Code {
            rt,
            view,
            lanes,
            of,
            args,
            params,
            me,
            ..
        } = self;
        let real = &self.s.real;
        let active = self.active();
        let families: Vec<TokenStream> = active.iter().map(|f| f.family(rt)).collect();
        let family_list = list(&families);
        let values = list(active.iter().map(|f| {
            let member = &f.member;
            quote!(__view.#member)
        }));
        let project = |method: TokenStream, lend: TokenStream| {
            let parts = active.iter().zip(&families).map(|(f, family)| {
                let member = &f.member;
                quote!(<#family as #rt::Family>::#method(#lend __lanes.#member))
            });
            list(parts)
        };
        let read = project(quote!(lanes), quote!(&));
        let lent = project(quote!(lanes_mut), quote!(&mut));
        let pattern = list(active.iter().map(|f| &f.var));
        let lanes_made = self
            .fields()
            .iter()
            .map(|f| {
                let var = &f.var;
                let value = match f.kind {
                    _ if f.is_active() => quote!(#var),
                    _ => quote!(#rt::NoLanes),
                };
                (f, value)
            })
            .collect();
        let from_fields = self.make(lanes, lanes_made);
        let of_field = |from: TokenStream, plain| {
            let borrowed = self.all(|f| {
                let member = &f.member;
                self.lend_field(f, &quote!(#from.#member), plain)
            });
            self.make(view, borrowed)
        };
        let viewed = self
            .viewed_variants()
            .unwrap_or_else(|| of_field(quote!(self), true));
        let lent_out = of_field(quote!(__of), false);
        let assembled = self.make(
            view,
            self.all(|f| {
                let (member, family) = (&f.member, f.family(rt));
                if f.is_active() {
                    quote!(<#family as #rt::Family>::get(&__lanes.#member, __like.#member))
                } else {
                    quote!(__like.#member)
                }
            }),
        );
        let shortened = self.make(
            view,
            self.all(|f| {
                let (member, family) = (&f.member, f.family(rt));
                if f.is_active() {
                    quote!(<#family as #rt::Family>::shorten::<__T>(__view.#member))
                } else {
                    quote!(__view.#member)
                }
            }),
        );
        let constants = self.fields().iter().map(|f| {
            let (member, family) = (&f.member, f.family(rt));
            if f.is_active() {
                quote!(<#family as #rt::Family>::constants::<__T>(__view.#member, __snapshot);)
            } else {
                quote!(#rt::Probe(&__view.#member).snapshot(__snapshot);)
            }
        });
        let owned = self.make(of, self.all(|f| self.own_field(f)));
        let rebuilt = self.rebuilt_variants().unwrap_or_else(|| self.rebuilt());
        let written = self.written_variants().unwrap_or_else(|| {
            let each = self.fields().iter().map(|f| {
                let member = &f.member;
                self.write_field(f, &quote!(self.#member))
            });
            quote!(#(#each)*)
        });
        let tape = self.tape();
        let names = self.fields().iter().filter(|f| f.is_active());
        let names = names.map(|f| f.member.to_token_stream().to_string());
        quote! {
            impl<#(#params),*> #rt::Differentiable for #me {
                const NAMES: &'static [&'static str] = &[#(#names),*];
                type Real = #real;
                type Fields = #family_list;
                type View<'__v, __S: #rt::Entry> = #view<'__v, __S, #(#args),*>;
                type Lanes<__T: #rt::Entry> = #lanes<__T, #(#args),*>;
                type Of<__S: #rt::Entry> = #of<__S, #(#args),*>;

                fn constants<__T: #rt::Entry>(
                    __view: Self::View<'_, __T>,
                    __snapshot: &mut #rt::Snapshot,
                ) {
                    use #rt::Unseen as _;
                    #(#constants)*
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn view(&self) -> Self::View<'_, #real> {
                    #viewed
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn assemble<'__v, __T: #rt::Entry, __U: #rt::Entry>(
                    __lanes: &'__v Self::Lanes<__T>,
                    __like: Self::View<'__v, __U>,
                ) -> Self::View<'__v, __T> {
                    #assembled
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn shorten<'__s, '__l: '__s, __T: #rt::Entry>(__view: Self::View<'__l, __T>) -> Self::View<'__s, __T> {
                    #shortened
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn values<__T: #rt::Entry>(__view: Self::View<'_, __T>) -> <Self::Fields as #rt::Family>::Ref<'_, __T> {
                    #values
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn fields<__T: #rt::Entry>(__lanes: &Self::Lanes<__T>) -> <Self::Fields as #rt::Family>::LanesRef<'_, __T> {
                    #read
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn fields_mut<__T: #rt::Entry>(
                    __lanes: &mut Self::Lanes<__T>,
                ) -> <Self::Fields as #rt::Family>::LanesMut<'_, __T> {
                    #lent
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn from_fields<__T: #rt::Entry>(#pattern: <Self::Fields as #rt::Family>::Owned<__T>) -> Self::Lanes<__T> {
                    #from_fields
                }
                fn rebuild(&self, __lanes: &Self::Lanes<#real>) -> Self {
                    #rebuilt
                }
                fn write(&mut self, __lanes: &Self::Lanes<#real>) {
                    #written
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lend<__S: #rt::Entry>(__of: &Self::Of<__S>) -> Self::View<'_, __S> {
                    #lent_out
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn own<__S: #rt::Scalar>(__view: Self::View<'_, __S>) -> Self::Of<__S> {
                    #owned
                }
                #tape
            }
            impl<#(#params),*> #rt::Derived for #me {}
        }
    }

    /// The field of a twin, copied from a view.
    fn own_field(&self, f: &Field<'a>) -> TokenStream {
        let (rt, member, ty) = (&self.rt, &f.member, f.ty);
        match f.kind {
            Kind::Number | Kind::ConstantNumber | Kind::Copied => quote!(__view.#member),
            Kind::Array(..) => quote!(*__view.#member),
            Kind::Vector(_) | Kind::StructVec(_) => quote!(__view.#member.to_vec()),
            Kind::ConstantFloats | Kind::Borrowed => {
                quote!(::core::clone::Clone::clone(__view.#member))
            }
            Kind::Nested => quote!(<#ty as #rt::Differentiable>::own(__view.#member)),
            Kind::Structs(..) => quote!(__view.#member.to_array()),
        }
    }

    // ---- other impls ----

    fn others(&self) -> TokenStream {
        let Code {
            rt,
            view,
            lanes,
            of,
            args,
            params,
            me,
            ..
        } = self;
        let real = &self.s.real;
        let types = self
            .fields()
            .iter()
            .filter(|f| !f.may_leak(&self.s.input.vis))
            .map(|f| {
                let (hash, ty) = (symbol::hash(&member_name(&f.member)), f.ty);
                quote!(impl<#(#params),*> #rt::FieldOf<#hash> for #me { type Type = #ty; })
            });
        let lane_names: Vec<&syn::Member> = self.active().into_iter().map(|f| &f.member).collect();
        let inner = self.fields().iter().filter_map(inner_struct);
        let bounds = quote!(#(<#inner as #rt::Differentiable>::Lanes<__T>: #rt::Tree,)*);
        let (lending, made) = (self.lending(), self.made());
        let has_zero = params.is_empty() && self.fields().iter().all(Field::is_held);
        let optional = has_zero.then(|| quote!(#rt::optional!(#me, #real);));
        quote! {
            #(#types)*
            impl<__T: #rt::Entry + #rt::Tree, #(#params),*> #rt::Tree for #lanes<__T, #(#args),*>
            where
                #bounds
            {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn add_from(&mut self, __from: &Self) {
                    #(#rt::Tree::add_from(&mut self.#lane_names, &__from.#lane_names);)*
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn clear(&mut self) {
                    #(#rt::Tree::clear(&mut self.#lane_names);)*
                }
            }
            impl<__S: #rt::Entry, #(#params),*> #rt::Lend for #of<__S, #(#args),*> {
                type Lent<'__v> = #view<'__v, __S, #(#args),*> where Self: '__v;
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lend(&self) -> #view<'_, __S, #(#args),*> {
                    <#me as #rt::Differentiable>::lend(self)
                }
            }
            impl<'__v, __S: #rt::Scalar<Real = #real>, #(#params),*> #rt::Own for #view<'__v, __S, #(#args),*> {
                type Owned = #of<__S, #(#args),*>;
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn own(&self) -> Self::Owned {
                    <#me as #rt::Differentiable>::own(*self)
                }
            }
            impl<__T: #rt::Entry, #(#params),*> #rt::LendLanes for #lanes<__T, #(#args),*> {
                type Lent = Self;
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lend_lanes(&self) -> &Self {
                    self
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn lend_lanes_mut(&mut self) -> &mut Self {
                    self
                }
            }
            #lending
            #made
            #rt::struct_container!([#(#params),*] #me, #real);
            #optional
            #rt::lift_impls!([#(#params),*] #me, #view<'a, __S, #(#args),*>, #of<__S, #(#args),*>, #real);
        }
    }
}

/// The struct in a field, also behind an array or a vector.
pub(super) fn inner_struct(f: &Field<'_>) -> Option<TokenStream> {
    match &f.kind {
        Kind::Nested => Some(f.ty.to_token_stream()),
        Kind::Structs(q, _) | Kind::StructVec(q) => Some(q.to_token_stream()),
        Kind::Number
        | Kind::Array(..)
        | Kind::Vector(_)
        | Kind::ConstantNumber
        | Kind::ConstantFloats
        | Kind::Copied
        | Kind::Borrowed => None,
    }
}

fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => unraw(name),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}
