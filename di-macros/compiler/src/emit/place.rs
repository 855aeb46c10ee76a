//! Places: paths to them, their declaration, and what is written to them.

use super::Emitter;
use crate::ir::{Init, Order, Place, PlaceId, PlaceKind, Proj, Type, Val};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// A path as an expression. Mutable views are written out from their root, so that two of them
    /// never hold borrows at once; each range is still checked.
    pub(crate) fn path(&self, place: &Place) -> TokenStream {
        let mut tokens = match self.mutable_views.get(&place.root) {
            Some(of) => self.path(of),
            None => {
                let id = self.place_ident(place.root);
                let info = self.body.place(place.root);
                match (&info.ty, info.kind) {
                    (ty, PlaceKind::MutParam(_)) if ty.is_scalar() => quote!((*#id)),
                    (ty, PlaceKind::Slot(k)) if ty.is_scalar() && !self.has_marker(k) => {
                        quote!((*#id))
                    }
                    // bound by `guarded`
                    (Type::Struct(_), PlaceKind::Slot(_)) => quote!(__part),
                    _ => quote!(#id),
                }
            }
        };
        let mut ty = Some(self.body.place(place.root).ty.clone());
        for step in &place.path {
            tokens = match step {
                Proj::Index(i) => {
                    let i = self.val(*i);
                    quote!(#tokens[#i])
                }
                Proj::Range(lo, hi) => {
                    let (lo, hi) = (self.val(*lo), self.val(*hi));
                    quote!(#tokens[#lo..#hi])
                }
                Proj::Field(name) => {
                    let name = super::op::user(name);
                    quote!(#tokens.#name)
                }
                Proj::Flat(i) => {
                    let i = self.val(*i);
                    let flat = flatten(tokens, ty.as_ref(), false);
                    quote!(#flat[#i])
                }
            };
            ty = ty.as_ref().and_then(Type::element).cloned();
        }
        tokens
    }

    /// Code that uses a slot, in a test whether it is live.
    fn guarded(&self, root: PlaceId, live: TokenStream, dead: Option<TokenStream>) -> TokenStream {
        let rt = self.rt;
        let Some(marker) = self.guard(root) else {
            return live;
        };
        let otherwise = dead.map(|dead| quote!(else { #dead }));
        if matches!(self.body.place(root).ty, Type::Struct(_)) {
            let id = self.place_ident(root);
            quote!(if let Some(__part) = #id.get() { #live } #otherwise)
        } else {
            quote!(if <#marker as #rt::Activity>::LIVE { #live } #otherwise)
        }
    }

    /// All elements of a place as one slice.
    pub(crate) fn flat(&self, place: &Place) -> TokenStream {
        flatten(self.path(place), self.body.type_at(place).as_ref(), false)
    }

    fn flat_mut(&self, place: &Place) -> TokenStream {
        flatten(self.path(place), self.body.type_at(place).as_ref(), true)
    }

    /// A whole slice, array or vector as a slice, for arguments.
    pub(crate) fn slice(&self, place: &Place) -> TokenStream {
        let path = self.path(place);
        if matches!(place.path.last(), Some(Proj::Range(..))) {
            path
        } else {
            quote!(#path[..])
        }
    }

    // ---- reading and writing ----

    pub(crate) fn load(&self, v: Val, place: &Place) -> TokenStream {
        let rt = self.rt;
        let (id, ty, path) = (self.val(v), self.val_ty(v), self.path(place));
        if self.body.val(v).ty != Type::Lane {
            return quote!(let #id: #ty = #path;);
        }
        let value = self.guarded(place.root, path, Some(quote!(<__A as #rt::Zero>::zero())));
        quote!(let #id: #ty = #value;)
    }

    pub(crate) fn store(&self, place: &Place, v: Val) -> TokenStream {
        let path = self.path(place);
        let generic =
            *self.body.place(place.root).ty.leaf() != Type::Lane && self.generic_place(place.root);
        let value = self.lift_if(v, generic);
        quote!(#path = #value;)
    }

    pub(crate) fn accumulate(&self, place: &Place, negate: bool, v: Val) -> TokenStream {
        let rt = self.rt;
        let path = self.path(place);
        let id = self.val(v);
        match self.body.val(v).ty {
            Type::Lane => {
                let name = if negate { quote!(dec) } else { quote!(acc) };
                let add = quote!(<__A as #rt::Lanes<__S>>::#name(&mut #path, #id););
                self.guarded(place.root, add, None)
            }
            Type::Float if self.generic_place(place.root) => {
                let value = if self.generic(v) {
                    let symbol = if negate { quote!(-) } else { quote!(+) };
                    quote!(#path #symbol #id)
                } else {
                    let name = if negate {
                        quote!(sub_real)
                    } else {
                        quote!(add_real)
                    };
                    quote!(#rt::Scalar::#name(#path, #id))
                };
                quote!(#path = #value;)
            }
            _ => {
                let symbol = if negate { quote!(-=) } else { quote!(+=) };
                quote!(#path #symbol #id;)
            }
        }
    }

    /// `dst += src` on lanes.
    pub(crate) fn accumulate_place(&self, dst: &Place, src: &Place) -> TokenStream {
        let rt = self.rt;
        if dst.root == src.root {
            let (to, from) = (self.flat_mut(dst), self.flat(src));
            return quote!({
                let __n = #from.len();
                for __k in 0..__n {
                    let __lane = #from[__k];
                    <__A as #rt::Lanes<__S>>::acc(&mut #to[__k], __lane);
                }
            });
        }
        let (to, from) = (self.flat_mut(dst), self.flat(src));
        let add = quote!(
            for (__to, __from) in #to.iter_mut().zip(#from.iter()) {
                <__A as #rt::Lanes<__S>>::acc(__to, *__from);
            }
        );
        self.guarded(dst.root, add, None)
    }

    pub(crate) fn zero(&self, place: &Place) -> TokenStream {
        let rt = self.rt;
        let flat = self.flat_mut(place);
        quote!(#flat.fill(<__A as #rt::Zero>::zero());)
    }

    /// `dst = src` for whole arrays and slices.
    pub(crate) fn copy_place(&self, dst: &Place, src: &Place) -> TokenStream {
        let rt = self.rt;
        let lane = *self.body.place(dst.root).ty.leaf() == Type::Lane;
        let lift = !lane && self.generic_place(dst.root) && !self.generic_place(src.root);
        let float = matches!(
            self.body.type_at(dst).as_ref().map(Type::leaf),
            Some(Type::Float)
        );
        if lift && float {
            let (to, from) = (self.flat_mut(dst), self.flat(src));
            return quote!({
                let __n = #to.len();
                assert!(__n == #from.len(), "copied slices have one length");
                for (__to, __from) in #to.iter_mut().zip(#from.iter()) {
                    *__to = <__S as #rt::Scalar>::from_real(*__from);
                }
            });
        }
        let root = |p: &Place| self.mutable_views.get(&p.root).map_or(p.root, |of| of.root);
        let copy = if root(dst) == root(src) {
            let (to, from) = (self.slice(dst), self.slice(src));
            quote!({
                let __copy = __pool.take_copy(&#from);
                #to.copy_from_slice(&__copy);
                __pool.give(__copy);
            })
        } else {
            let (to, from) = (self.slice(dst), self.slice(src));
            quote!(#to.copy_from_slice(&#from);)
        };
        if lane {
            self.guarded(src.root, copy, Some(self.zero(dst)))
        } else {
            copy
        }
    }

    // ---- declarations ----

    pub(crate) fn declare(&self, p: PlaceId, init: &Init) -> TokenStream {
        let id = self.place_ident(p);
        let info = self.body.place(p);
        let lane = *info.ty.leaf() == Type::Lane;
        let generic = !lane && self.generic_place(p);
        let ty = self.ty(&info.ty, generic);
        let value = self.initial(p, &info.ty, generic, init);
        quote!(let mut #id: #ty = #value;)
    }

    fn zero_value(&self, ty: &Type, generic: bool) -> TokenStream {
        let rt = self.rt;
        match ty {
            Type::Lane => quote!(<__A as #rt::Zero>::zero()),
            Type::Float if generic => quote!(<__S as ::core::default::Default>::default()),
            Type::Float => quote!(0.0),
            Type::Int(_) => quote!(0),
            Type::Bool => quote!(false),
            Type::Array(t, n) => {
                let (zero, n) = (self.zero_value(t, generic), &n.0);
                quote!([#zero; #n])
            }
            Type::Vec(_) | Type::Slice(_) => quote!(::std::vec::Vec::new()),
            Type::Struct(_) | Type::Opaque(_) => {
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
                quote!(__pool.take(#n, #value))
            }
            Init::List(vs) => self.list(ty, generic, vs),
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
                quote!(::core::mem::take(&mut #src))
            }
            Init::ZeroLen(n) => {
                let element = ty.element().expect("verify: a length goes with a vector");
                let (n, zero) = (self.val(*n), self.zero_value(element, false));
                quote!(__pool.take(#n, #zero))
            }
            Init::ZeroLike(like) => match ty {
                Type::Vec(element) => {
                    let (path, zero) = (self.path(like), self.zero_value(element, false));
                    quote!(__pool.take(#path.len(), #zero))
                }
                _ => self.zero_value(ty, false),
            },
        }
    }

    fn list(&self, ty: &Type, generic: bool, vs: &[Val]) -> TokenStream {
        let values: Vec<TokenStream> = vs.iter().map(|v| self.lift_if(*v, generic)).collect();
        match ty {
            Type::Vec(element) => {
                let nested = nest(element, values);
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
        let rt = self.rt;
        let float = *ty.leaf() == Type::Float;
        let lift = float && generic && !self.generic_place(src.root);
        let mut path = self.path(src);
        // an array in a struct's view is behind a reference
        let strukt = matches!(self.body.place(src.root).ty, Type::Struct(_));
        if strukt
            && matches!(ty, Type::Array(..))
            && matches!(src.path.last(), Some(Proj::Field(_)))
            && self.generic_place(src.root)
        {
            path = quote!((*#path));
        }
        // a tangent whose slot may be dead
        if *ty.leaf() == Type::Lane && self.guard(src.root).is_some() {
            let zero = match ty {
                Type::Vec(element) => {
                    let primal = self.primal_of.get(&p).copied().unwrap_or(p);
                    let id = self.place_ident(primal);
                    let zero = self.zero_value(element, false);
                    quote!(__pool.take(#id.len(), #zero))
                }
                _ => self.zero_value(ty, false),
            };
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
                    let one = quote!(<__S as #rt::Scalar>::from_real(*__c));
                    let one = lift_nested(element, one);
                    return quote!(__pool.take_map(&#from, |__c| #one));
                }
                quote!(__pool.take_copy(&#from))
            }
            _ if lift => {
                let element = ty.element().expect("verify: an array");
                let one = lift_nested(element, quote!(<__S as #rt::Scalar>::from_real(*__c)));
                quote!(#path.each_ref().map(|__c| #one))
            }
            _ => path,
        }
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

pub(super) fn flatten(mut tokens: TokenStream, ty: Option<&Type>, mutable: bool) -> TokenStream {
    let mut inner = ty.and_then(Type::element);
    while let Some(Type::Array(t, _)) = inner {
        tokens = if mutable {
            quote!(#tokens.as_flattened_mut())
        } else {
            quote!(#tokens.as_flattened())
        };
        inner = Some(t);
    }
    tokens
}
