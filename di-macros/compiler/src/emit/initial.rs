//! What a place holds when it is declared.

use super::Emitter;
use crate::ir::{Init, Order, Place, PlaceId, PlaceKind, Type, Val};
use crate::template::quote;
use proc_macro2::TokenStream;

impl Emitter<'_> {
    pub(crate) fn declare(&self, p: PlaceId, init: &Init) -> TokenStream {
        let id = self.place_ident(p);
        let info = self.body.place(p);
        let lane = info.ty.is_lanes();
        let generic = !lane && self.generic_place(p);
        let ty = self.ty(&info.ty, generic);
        if self.is_open_place(p) {
            let value = match init {
                Init::Scalar(v) => self.opened(*v),
                _ => {
                    let zero = self.zero_value(&info.ty, false);
                    quote!(::core::option::Option::Some(#zero))
                }
            };
            return quote!(let mut #id: ::core::option::Option<#ty> = #value;);
        }
        let value = self.initial(p, &info.ty, generic, init);
        quote!(let mut #id: #ty = #value;)
    }

    pub(super) fn zero_value(&self, ty: &Type, generic: bool) -> TokenStream {
        let rt = self.rt;
        match ty {
            Type::Lane => quote!(__A::zero()),
            Type::Float if generic => quote!(__S::default()),
            Type::Float => quote!(0.0),
            Type::Int(_) => quote!(0),
            Type::Bool => quote!(false),
            Type::Array(t, n) => {
                let (zero, n) = (self.zero_value(t, generic), &n.0);
                if t.is_structs() {
                    quote!(::core::array::from_fn::<_, { #n }, _>(|_| #zero))
                } else {
                    quote!([#zero; #n])
                }
            }
            Type::Struct(path) => {
                let path = &path.0;
                quote!(<#path as #rt::Differentiable>::zero::<__S>())
            }
            Type::Lanes(path) => {
                let path = &path.0;
                quote!(<#path as #rt::Differentiable>::zero_lanes::<__A>())
            }
            Type::Vec(_) | Type::Slice(_) => quote!(::std::vec::Vec::new()),
            Type::Opaque(_) => {
                unreachable!("verify: a local is built from scalars")
            }
        }
    }

    /// An array or vector of `n` copies of a value.
    pub(super) fn filled(&self, ty: &Type, value: &TokenStream) -> TokenStream {
        match ty {
            Type::Array(t, n) => {
                let (inner, n) = (self.filled(t, value), &n.0);
                quote!([#inner; #n])
            }
            _ => value.clone(),
        }
    }

    fn initial(&self, p: PlaceId, ty: &Type, generic: bool, init: &Init) -> TokenStream {
        match init {
            Init::None | Init::Zero => self.zero_value(ty, generic),
            Init::Scalar(v) => self.lift_if(*v, generic),
            Init::ArrayFill(v) => self.filled(ty, &self.lift_if(*v, generic)),
            Init::VecFill(v, n) => {
                let Type::Vec(element) = ty else {
                    unreachable!("verify: a vector")
                };
                let value = self.filled(element, &self.lift_if(*v, generic));
                let n = self.val(*n);
                self.take(p, &quote!(#n), &value)
            }
            Init::List(vs) => self.list(p, ty, generic, vs),
            Init::Struct { fields, base } => self.struct_literal(p, fields, base.as_ref()),
            Init::CopyOf(src) if self.in_struct(src) => self.copy_of_struct(p, ty, src),
            Init::CopyOf(src) => self.copy_of(p, ty, generic, src),
            Init::Sorted {
                keys,
                by,
                descending,
            } => {
                let keys = self.slice(keys);
                let sort = match by {
                    Order::Total => quote!(sorted_total),
                    Order::Partial => quote!(sorted_partial),
                    Order::Int => quote!(sorted_int),
                };
                let rt = self.rt;
                quote!(#rt::#sort(&#keys, #descending, __pool))
            }
            Init::MoveOf(src) => {
                let src = self.place_ident(*src);
                match ty {
                    Type::Struct(_) | Type::Lanes(_) => {
                        let empty = self.zero_value(ty, generic);
                        quote!(::core::mem::replace(&mut #src, #empty))
                    }
                    _ => quote!(::core::mem::take(&mut #src)),
                }
            }
            Init::AnyLen(n) if !self.growing.contains(&p) => {
                let element = ty.element().expect("verify: a length goes with a vector");
                let (n, zero) = (self.val(*n), self.zero_value(element, generic));
                quote!(__pool.take_dirty(#n, #zero))
            }
            Init::ZeroLen(n) | Init::AnyLen(n) => {
                let (rt, n) = (self.rt, self.val(*n));
                match ty {
                    Type::Lanes(path) => {
                        let path = &path.0;
                        quote!(#rt::lanes_at::<#path, __S, __A>(__tape, #n))
                    }
                    _ => {
                        let element = ty.element().expect("verify: a length goes with a vector");
                        let zero = self.zero_value(element, generic);
                        self.take(p, &quote!(#n), &zero)
                    }
                }
            }
            Init::ZeroLike(like) if self.in_struct(like) => {
                let rt = self.rt;
                let path = self.path(like);
                let copy = match ty {
                    Type::Vec(_) => quote!(__pool.take_copy(&#path[..])),
                    // slots of arrays are slices
                    Type::Array(..) => quote!(#rt::whole(&#path[..])),
                    _ => quote!(::core::clone::Clone::clone(&#path)),
                };
                let copy = match self.guard(like.root) {
                    Some(_) => {
                        let empty = match ty {
                            Type::Vec(_) => quote!(#rt::Vec::new()),
                            _ => self.zero_value(ty, false),
                        };
                        self.guarded(like.root, copy, Some(empty))
                    }
                    None => copy,
                };
                quote!({
                    let mut __zero = #copy;
                    #rt::Tree::clear(&mut __zero);
                    __zero
                })
            }
            Init::ZeroLike(like) => match ty {
                Type::Vec(element) => {
                    let (path, zero) = (self.path(like), self.zero_value(element, false));
                    // an adjoint that nobody asks for has no parts
                    let n = match like.path.is_empty() {
                        true => quote!(#path.len()),
                        false => self.guarded(like.root, quote!(#path.len()), Some(quote!(0))),
                    };
                    self.take(p, &n, &zero)
                }
                _ => self.zero_value(ty, false),
            },
        }
    }

    /// A copy of a struct, or of a part of one.
    fn copy_of_struct(&self, p: PlaceId, ty: &Type, src: &Place) -> TokenStream {
        let lane = ty.is_lanes();
        let path = self.path(src);
        let is_array = matches!(self.body.type_at(src), Some(Type::Array(..)));
        let copy = match (lane, ty) {
            (false, Type::Vec(t)) if self.leads_to_lent(src) && t.is_structs() => {
                quote!(#path.copied_to(__pool.take_empty(#path.len())))
            }
            (_, Type::Vec(_)) => quote!(__pool.take_copy(&#path[..])),
            (false, Type::Array(t, _)) if self.leads_to_lent(src) && t.is_structs() => {
                quote!(#path.to_array())
            }
            (false, Type::Array(..)) if self.leads_to_lent(src) => quote!((*#path)),
            (false, _) => self.own(src),
            // slots of arrays are slices
            (true, _) if src.path.is_empty() && is_array => {
                quote!(::core::array::from_fn(|__k| ::core::clone::Clone::clone(&#path[__k])))
            }
            (true, _) => quote!(::core::clone::Clone::clone(&#path)),
        };
        if !lane || self.guard(src.root).is_none() {
            return copy;
        }
        self.guarded(src.root, copy, Some(self.zero_of_dead(p, ty)))
    }

    /// The tangent of a copy, where what it is a copy of has none.
    fn zero_of_dead(&self, p: PlaceId, ty: &Type) -> TokenStream {
        match ty {
            Type::Vec(element) => {
                let primal = self.primal_of.get(&p).copied().unwrap_or(p);
                let id = self.place_ident(primal);
                let zero = self.zero_value(element, false);
                self.take(p, &quote!(#id.len()), &zero)
            }
            _ => self.zero_like(p),
        }
    }

    /// Zero tangents, as long as the primal place of these.
    pub(super) fn zero_like(&self, p: PlaceId) -> TokenStream {
        let ty = &self.body.place(p).ty;
        match (ty, self.primal_of.get(&p)) {
            (Type::Lanes(path), Some(primal)) if self.body.has_lengths(ty) => {
                let (rt, path, primal) = (self.rt, &path.0, self.place_ident(*primal));
                let view = quote!(<#path as #rt::Differentiable>::lend(&#primal));
                quote!(#rt::lanes_like::<#path, __S, __A>(#view))
            }
            _ => self.zero_value(ty, false),
        }
    }

    /// A vector of `n` copies of a value, from the pool.
    fn take(&self, p: PlaceId, n: &TokenStream, value: &TokenStream) -> TokenStream {
        if self.growing.contains(&p) {
            self.grown(&quote!(resize(#n, #value)))
        } else {
            quote!(__pool.take(#n, #value))
        }
    }

    /// A vector that is going to grow, begun by a method.
    fn grown(&self, begin: &TokenStream) -> TokenStream {
        quote!({
            let mut __grown = __pool.take_growing();
            __grown.#begin;
            __grown
        })
    }

    fn list(&self, p: PlaceId, ty: &Type, generic: bool, vs: &[Val]) -> TokenStream {
        let values: Vec<TokenStream> = vs.iter().map(|v| self.lift_if(*v, generic)).collect();
        match ty {
            Type::Vec(element) => {
                let nested = nest(element, values);
                if self.growing.contains(&p) {
                    return self.grown(&quote!(extend_from_slice(&[#(#nested),*])));
                }
                quote!(__pool.take_copy(&[#(#nested),*]))
            }
            _ => {
                let element = ty
                    .element()
                    .expect("verify: a list initialises an array or vector");
                let nested = nest(element, values);
                quote!([#(#nested),*])
            }
        }
    }

    fn copy_of(&self, p: PlaceId, ty: &Type, generic: bool, src: &Place) -> TokenStream {
        let float = *ty.leaf() == Type::Float;
        let lift = float && generic && !self.generic_place(src.root);
        let path = self.path(src);
        // a tangent whose slot may be dead
        if ty.is_lanes() && self.guard(src.root).is_some() {
            let zero = self.zero_of_dead(p, ty);
            let from = self.slice(src);
            let copy = self.guarded(src.root, quote!(__copy.copy_from_slice(&#from);), None);
            return quote!({
                let mut __copy = #zero;
                #copy
                __copy
            });
        }
        match ty {
            Type::Vec(element) => {
                let from = self.slice(src);
                if lift {
                    let one = quote!(__S::from_real(*__c));
                    let one = lift_nested(element, one);
                    if self.growing.contains(&p) {
                        return self.grown(&quote!(extend(#from.iter().map(|__c| #one))));
                    }
                    return quote!(__pool.take_map(&#from, |__c| #one));
                }
                if self.growing.contains(&p) {
                    return self.grown(&quote!(extend_from_slice(&#from)));
                }
                quote!(__pool.take_copy(&#from))
            }
            _ if lift => {
                let element = ty.element().expect("verify: an array");
                let one = lift_nested(element, quote!(__S::from_real(*__c)));
                quote!(#path.each_ref().map(|__c| #one))
            }
            _ => self.dereferenced(src, path),
        }
    }

    /// The array `*x` of a reference, at a path; tangents and shadows behind one are slices.
    pub(super) fn dereferenced(&self, place: &Place, path: TokenStream) -> TokenStream {
        match self.body.type_at(place) {
            Some(Type::Array(..)) if self.is_reference(place) => quote!(
                ::core::convert::TryFrom::try_from(&#path[..]).expect("an array has its length")
            ),
            _ => path,
        }
    }

    /// An array that is not of the generic scalar, by value.
    pub(super) fn constant_value(&self, place: &Place) -> TokenStream {
        let path = self.path(place);
        match self.is_reference(place) {
            true => quote!(*#path),
            false => path,
        }
    }

    /// Whether a place is a root that generated code has by reference.
    fn is_reference(&self, place: &Place) -> bool {
        let by_reference = match self.body.place(place.root).kind {
            PlaceKind::SharedParam(_) | PlaceKind::MutParam(_) | PlaceKind::View => true,
            PlaceKind::Slot(k) => !self.has_marker(k),
            PlaceKind::Row
            | PlaceKind::Local
            | PlaceKind::State
            | PlaceKind::ValueParam(_)
            | PlaceKind::ResultSlot(_) => false,
        };
        by_reference && place.path.is_empty() && !self.mutable_views.contains_key(&place.root)
    }
}

/// `f` applied to the floats of nested arrays; the innermost variable is `__c`.
fn lift_nested(element: &Type, one: TokenStream) -> TokenStream {
    match element {
        Type::Array(t, _) => {
            let inner = lift_nested(t, one);
            quote!(__c.each_ref().map(|__c| #inner))
        }
        _ => one,
    }
}

/// Rows of a nested array from its elements in row-major order.
fn nest(element: &Type, values: Vec<TokenStream>) -> Vec<TokenStream> {
    let Type::Array(inner, n) = element else {
        return values;
    };
    let n: usize = n.0.to_string().parse().unwrap_or(values.len().max(1));
    nest(inner, values)
        .chunks(n.max(1))
        .map(|row| quote!([#(#row),*]))
        .collect()
}
