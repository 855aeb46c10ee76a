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
                    // bound by `guarded`
                    (Type::Lanes(_), PlaceKind::Slot(k)) if self.has_marker(k) => quote!((*__part)),
                    (Type::Struct(_), PlaceKind::View) if !self.is_lent(place.root) => {
                        quote!((*#id))
                    }
                    (Type::Lanes(_), PlaceKind::ResultSlot(_)) => quote!((*#id)),
                    (ty, PlaceKind::MutParam(_)) if ty.is_scalar() || is_struct(ty) => {
                        quote!((*#id))
                    }
                    (ty, PlaceKind::Slot(k))
                        if (ty.is_scalar() || is_struct(ty)) && !self.has_marker(k) =>
                    {
                        quote!((*#id))
                    }
                    _ => quote!(#id),
                }
            }
        };
        let mut ty = Some(self.body.place(place.root).ty.clone());
        let mut lent = self.is_lent(place.root);
        for step in &place.path {
            let structs = lent && ty.as_ref().is_some_and(Type::is_structs);
            tokens = match step {
                Proj::Index(i) if structs => {
                    let i = self.val(*i);
                    quote!(#tokens.at(#i))
                }
                Proj::Range(lo, hi) if structs => {
                    let (lo, hi) = (self.val(*lo), self.val(*hi));
                    quote!(#tokens.range(#lo, #hi))
                }
                Proj::Index(i) => {
                    let i = self.val(*i);
                    quote!(#tokens[#i])
                }
                Proj::Range(lo, hi) => {
                    let (lo, hi) = (self.val(*lo), self.val(*hi));
                    quote!(#tokens[#lo..#hi])
                }
                Proj::Field(name, _) => {
                    let name = super::op::member(name);
                    quote!(#tokens.#name)
                }
                Proj::Flat(i) => {
                    let i = self.val(*i);
                    let flat = flatten(tokens, ty.as_ref(), false);
                    quote!(#flat[#i])
                }
            };
            lent = self.step_type(&mut ty, step, lent);
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
        if matches!(self.body.place(root).ty, Type::Lanes(_)) {
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
            return if self.in_struct(place) && self.body.val(v).ty == Type::Float {
                quote!(let #id: #ty = #path.read();)
            } else {
                quote!(let #id: #ty = #path;)
            };
        }
        let path = if self.in_struct(place) {
            quote!(#path.read_lane())
        } else {
            path
        };
        let value = self.guarded(place.root, path, Some(quote!(<__A as #rt::Zero>::zero())));
        quote!(let #id: #ty = #value;)
    }

    pub(crate) fn store(&self, place: &Place, v: Val) -> TokenStream {
        let rt = self.rt;
        let path = self.path(place);
        if self.in_struct(place) {
            let (id, ty) = (self.val(v), &self.body.val(v).ty);
            let value = match ty {
                Type::Lane => quote!(#rt::field_lane(#id)),
                Type::Float if !self.generic(v) => quote!(#rt::lift(#id)),
                _ => quote!(#id),
            };
            return quote!(#path = #value;);
        }
        let generic = !self.body.place(place.root).ty.is_lanes() && self.generic_place(place.root);
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
                if self.in_struct(place) {
                    return self.guarded(place.root, quote!(#path.#name(#id);), None);
                }
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
        if self.in_struct(dst) || self.in_struct(src) {
            return self.add_trees(dst, src);
        }
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

    /// `dst += src` on lanes whose types are known to rustc alone.
    fn add_trees(&self, dst: &Place, src: &Place) -> TokenStream {
        let rt = self.rt;
        let root = |p: &Place| self.mutable_views.get(&p.root).map_or(p.root, |of| of.root);
        let (to, from) = (self.path(dst), self.path(src));
        let slices = super::structs::ends_in_range(dst) || super::structs::ends_in_range(src);
        let whole = |path: &TokenStream| {
            if slices {
                quote!(#path[..])
            } else {
                path.clone()
            }
        };
        let (to, from) = match (self.flattened(dst), self.flattened(src)) {
            // a shadow of an array or a vector, lent as a slice
            (Some(to), Some(from)) => (to, from),
            _ => (whole(&to), whole(&from)),
        };
        let add = if root(dst) == root(src) {
            let copy = if slices || self.flattened(dst).is_some() {
                quote!(#from.to_vec())
            } else {
                quote!(::core::clone::Clone::clone(&#from))
            };
            let copied = if slices || self.flattened(dst).is_some() {
                quote!(&__copy[..])
            } else {
                quote!(&__copy)
            };
            quote!({
                let __copy = #copy;
                #rt::Tree::add_from(&mut #to, #copied);
            })
        } else {
            quote!(#rt::Tree::add_from(&mut #to, &#from);)
        };
        let add = self.guarded(dst.root, add, None);
        match self.guard(src.root) {
            Some(_) => self.guarded(src.root, add, None),
            None => add,
        }
    }

    /// A sequence of known type as a slice of its elements.
    fn flattened(&self, place: &Place) -> Option<TokenStream> {
        let ty = self.body.type_at(place)?;
        let path = self.path(place);
        ty.element().map(|_| quote!(#path[..]))
    }

    pub(crate) fn zero(&self, place: &Place) -> TokenStream {
        let rt = self.rt;
        if self.in_struct(place) {
            let path = self.path(place);
            let clear = quote!(#rt::Tree::clear(&mut #path););
            return self.guarded(place.root, clear, None);
        }
        let flat = self.flat_mut(place);
        quote!(#flat.fill(<__A as #rt::Zero>::zero());)
    }

    /// `dst = src` for whole arrays and slices.
    pub(crate) fn copy_place(&self, dst: &Place, src: &Place) -> TokenStream {
        let rt = self.rt;
        let lane = self.body.place(dst.root).ty.is_lanes();
        if self.in_struct(dst) || self.in_struct(src) {
            return self.copy_in_struct(dst, src, lane);
        }
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

    /// `dst = src` where a struct is involved: one element, a field, or a slice.
    fn copy_in_struct(&self, dst: &Place, src: &Place, lane: bool) -> TokenStream {
        let rt = self.rt;
        let to = self.path(dst);
        let slices = super::structs::ends_in_range(dst)
            || super::structs::ends_in_range(src)
            || matches!(self.body.place(dst.root).ty, Type::Slice(_)) && dst.path.is_empty();
        if !lane && !self.generic_place(src.root) {
            // floats of a constant
            let from = self.path(src);
            return quote!(#to = #rt::lift(#from););
        }
        if slices {
            let from = if !lane && self.leads_to_lent(src) {
                let from = self.path(src);
                quote!(#from.to_vec())
            } else {
                let from = self.path(src);
                quote!(#from[..].to_vec())
            };
            let copy = quote!({
                let __copy = #from;
                #to[..].clone_from_slice(&__copy);
            });
            return if lane {
                self.guarded(src.root, copy, Some(self.zero(dst)))
            } else {
                copy
            };
        }
        if lane {
            let from = self.path(src);
            let copy = quote!(#to = ::core::clone::Clone::clone(&#from););
            return self.guarded(src.root, copy, Some(self.zero(dst)));
        }
        let from = self.own(src);
        quote!(#to = #from;)
    }

    // ---- declarations ----

    pub(crate) fn declare(&self, p: PlaceId, init: &Init) -> TokenStream {
        let id = self.place_ident(p);
        let info = self.body.place(p);
        let lane = info.ty.is_lanes();
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
            Init::Struct { fields, base } => self.struct_literal(ty, fields, base.as_ref()),
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
                quote!(::core::mem::take(&mut #src))
            }
            Init::ZeroLen(n) => {
                let element = ty.element().expect("verify: a length goes with a vector");
                let (n, zero) = (self.val(*n), self.zero_value(element, generic));
                self.take(p, &quote!(#n), &zero)
            }
            Init::ZeroLike(like) if self.in_struct(like) => {
                let rt = self.rt;
                let path = self.path(like);
                let copy = match ty {
                    Type::Vec(_) => quote!(__pool.take_copy(&#path[..])),
                    _ => quote!(::core::clone::Clone::clone(&#path)),
                };
                let copy = match self.guard(like.root) {
                    Some(_) => self.guarded(like.root, copy, Some(quote!(#rt::Vec::new()))),
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
                    self.take(p, &quote!(#path.len()), &zero)
                }
                _ => self.zero_value(ty, false),
            },
        }
    }

    /// A copy of a struct, or of a part of one.
    fn copy_of_struct(&self, p: PlaceId, ty: &Type, src: &Place) -> TokenStream {
        let lane = ty.is_lanes();
        let path = self.path(src);
        let copy = match (lane, ty) {
            (false, Type::Vec(_)) if self.leads_to_lent(src) => quote!(#path.to_vec()),
            (_, Type::Vec(_)) => quote!(__pool.take_copy(&#path[..])),
            (false, Type::Array(t, _)) if self.leads_to_lent(src) && t.is_structs() => {
                quote!(#path.to_array())
            }
            (false, Type::Array(..)) if self.leads_to_lent(src) => quote!((*#path)),
            (false, _) => self.own(src),
            // slots of arrays are slices
            (true, Type::Array(..)) if src.path.is_empty() => {
                quote!(::core::array::from_fn(|__k| ::core::clone::Clone::clone(&#path[__k])))
            }
            (true, _) => quote!(::core::clone::Clone::clone(&#path)),
        };
        if !lane || self.guard(src.root).is_none() {
            return copy;
        }
        let zero = match ty {
            Type::Vec(element) => {
                let primal = self.primal_of.get(&p).copied().unwrap_or(p);
                let id = self.place_ident(primal);
                let zero = self.zero_value(element, false);
                self.take(p, &quote!(#id.len()), &zero)
            }
            _ => self.zero_value(ty, false),
        };
        self.guarded(src.root, copy, Some(zero))
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
        let rt = self.rt;
        let float = *ty.leaf() == Type::Float;
        let lift = float && generic && !self.generic_place(src.root);
        let path = self.path(src);
        // a tangent whose slot may be dead
        if ty.is_lanes() && self.guard(src.root).is_some() {
            let zero = match ty {
                Type::Vec(element) => {
                    let primal = self.primal_of.get(&p).copied().unwrap_or(p);
                    let id = self.place_ident(primal);
                    let zero = self.zero_value(element, false);
                    self.take(p, &quote!(#id.len()), &zero)
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

fn is_struct(ty: &Type) -> bool {
    matches!(ty, Type::Struct(_) | Type::Lanes(_))
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
