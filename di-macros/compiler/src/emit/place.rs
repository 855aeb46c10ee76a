//! Places: paths to them, and what is written to them.

use super::Emitter;
use crate::ir::{Place, PlaceId, PlaceKind, Proj, Type, Val};
use crate::template::quote;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;

impl Emitter<'_> {
    /// A path that is read at a place of the user's code. An index or a range that is not there panics at that line: to
    /// rustc an expression is where its first and its last token are, and names of our own are at the attribute.
    pub(crate) fn path_read(&self, place: &Place, at: Span) -> TokenStream {
        let path: Vec<TokenTree> = self.path(place).into_iter().collect();
        match (path.split_last(), place.path.last()) {
            (Some((TokenTree::Group(last), of)), Some(Proj::Index(_) | Proj::Range(..)))
                if last.delimiter() == Delimiter::Bracket =>
            {
                let (of, inside) = (of.iter().cloned().collect::<TokenStream>(), last.stream());
                quote_spanned!(at=> (#of)[#inside])
            }
            _ => path.into_iter().collect(),
        }
    }

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
                    let i = self.index(*i);
                    quote!(#tokens.at(#i))
                }
                Proj::Range(lo, hi) if structs => {
                    let (lo, hi) = (self.val(*lo), self.val(*hi));
                    quote!(#tokens.range(#lo, #hi))
                }
                Proj::Index(i) => {
                    let i = match &self.parts {
                        Some(parts) if parts.trip == *i && parts.of.contains(&place.root) => {
                            let at = &parts.at;
                            quote!(#at)
                        }
                        _ => self.index(*i),
                    };
                    quote!(#tokens[#i])
                }
                Proj::Range(lo, hi) => {
                    let (lo, hi) = (self.val(*lo), self.val(*hi));
                    quote!(#tokens[#lo..#hi])
                }
                Proj::Field(..) if ty.as_ref().is_some_and(Type::is_constant_row) => tokens,
                Proj::Field(name, _) => super::op::field(&tokens, name),
                Proj::Flat(i) => {
                    let i = self.index(*i);
                    let flat = flatten(tokens, ty.as_ref(), false);
                    quote!(#flat[#i])
                }
            };
            lent = self.step_type(&mut ty, step, lent);
        }
        tokens
    }

    /// Code that uses a slot, in a test whether it is live.
    pub(super) fn guarded(
        &self,
        root: PlaceId,
        live: TokenStream,
        dead: Option<TokenStream>,
    ) -> TokenStream {
        let rt = self.rt;
        let Some(marker) = self.guard(root) else {
            return live;
        };
        let otherwise = dead.map(|dead| quote!(else { #dead }));
        if matches!(self.body.place(root).ty, Type::Lanes(_)) {
            let id = self.place_ident(root);
            quote!(if let ::core::option::Option::Some(__part) = #id.get() { #live } #otherwise)
        } else {
            quote!(if <#marker as #rt::Activity>::LIVE { #live } #otherwise)
        }
    }

    /// The marker of the slot that an element is in.
    pub(super) fn element_marker(&self, place: &Place) -> Option<Ident> {
        let known = !matches!(self.body.place(place.root).ty, Type::Lanes(_));
        // a field may be constant, and have no lanes
        let has_field = place.path.iter().any(|p| matches!(p, Proj::Field(..)));
        self.guard(place.root)
            .filter(|_| known && !has_field && self.partial_sum(place).is_none())
    }

    /// Adds to an element of a slot, or subtracts from it: the marker knows what of that is asked for.
    pub(super) fn give_element(
        &self,
        marker: &Ident,
        how: TokenStream,
        place: &Place,
        negate: bool,
        v: Val,
    ) -> TokenStream {
        let (path, id) = (self.path(place), self.operand(v));
        let neg = negate.then(|| quote!(.neg()));
        let give = quote!(#marker::#how(&mut #path, #id #neg););
        self.guarded(place.root, give, None)
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
        if self.is_inlined(v) {
            return TokenStream::new();
        }
        let (id, ty) = (self.var(v), self.val_ty(v));
        let path = match self.body.val(v).ty {
            Type::Lane => self.path(place),
            _ => self.path_read(place, self.body.val(v).span),
        };
        if self.direct.contains(&place.root)
            && let PlaceKind::Slot(k) = self.body.place(place.root).kind
        {
            let slot = self.slot_arg(k);
            return quote!(let #id = #slot.value(););
        }
        if self.body.val(v).ty != Type::Lane {
            return if self.in_struct(place) && self.body.val(v).ty == Type::Float {
                let at = Span::mixed_site().located_at(self.body.val(v).span);
                let read = quote_spanned!(at=> .read());
                quote!(let #id: #ty = #path #read;)
            } else {
                quote!(let #id: #ty = #path;)
            };
        }
        let path = if self.in_struct(place) {
            quote!(#path.read_lane())
        } else {
            path
        };
        let value = self.guarded(place.root, path, Some(quote!(__A::zero())));
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
        if let Some(term) = self.term(place, v) {
            return term;
        }
        let path = self.partial_sum(place).unwrap_or_else(|| self.path(place));
        let id = self.operand(v);
        match self.body.val(v).ty {
            Type::Lane => {
                let name = if negate { quote!(dec) } else { quote!(acc) };
                if self.direct.contains(&place.root)
                    && let PlaceKind::Slot(k) = self.body.place(place.root).kind
                {
                    let slot = self.slot_arg(k);
                    return quote!(#slot.give::<__S>(#id););
                }
                if let Some(marker) = self.element_marker(place) {
                    return self.give_element(&marker, quote!(add), place, negate, v);
                }
                let add = quote!(#path.#name(#id););
                self.guarded(place.root, add, None)
            }
            Type::Float if self.generic_place(place.root) => {
                let value = if self.generic(v) {
                    let symbol = if negate { quote!(-) } else { quote!(+) };
                    let right = self.val(v);
                    quote!(#path #symbol #right)
                } else {
                    let name = if negate {
                        quote!(sub_real)
                    } else {
                        quote!(add_real)
                    };
                    quote!(__S::#name(#path, #id))
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
        if self.in_struct(dst) || self.in_struct(src) {
            return self.add_trees(dst, src);
        }
        if dst.root == src.root {
            let (to, from) = (self.flat_mut(dst), self.flat(src));
            return quote!({
                let __n = #from.len();
                for __k in 0..__n {
                    let __lane = #from[__k];
                    #to[__k].acc(__lane);
                }
            });
        }
        let (to, from) = (self.flat_mut(dst), self.flat(src));
        let add = quote!(
            for (__to, __from) in #to.iter_mut().zip(#from.iter()) {
                __to.acc(*__from);
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
        let stands_for_array =
            |place: &Place| matches!(self.body.type_at(place), Some(Type::Lanes(_)));
        let (to, from) = match (self.flattened(dst), self.flattened(src)) {
            // a shadow of an array or a vector, lent as a slice
            (Some(to), Some(from)) => (to, from),
            (Some(to), None) if stands_for_array(src) => (to, quote!(#from[..])),
            _ => (whole(&to), whole(&from)),
        };
        let add = if root(dst) == root(src) {
            let (copy, copied, give) = if slices || self.flattened(dst).is_some() {
                (
                    quote!(__pool.take_copy(&#from)),
                    quote!(&__copy[..]),
                    quote!(__pool.give(__copy);),
                )
            } else {
                (
                    quote!(::core::clone::Clone::clone(&#from)),
                    quote!(&__copy),
                    quote!(),
                )
            };
            quote!({
                let __copy = #copy;
                #rt::Tree::add_from(&mut #to, #copied);
                #give
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
        match self.body.type_at(place) {
            Some(Type::Slice(_) | Type::Vec(_)) => quote!(#rt::clear(&mut #flat[..]);),
            _ => quote!(#flat.fill(__A::zero());),
        }
    }

    /// `dst = src` for whole arrays and slices.
    pub(crate) fn copy_place(&self, dst: &Place, src: &Place) -> TokenStream {
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
                    *__to = __S::from_real(*__from);
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
            || matches!(self.body.place(dst.root).ty, Type::Slice(_)) && dst.path.is_empty()
            || matches!(self.body.type_at(src), Some(Type::Slice(_)));
        let float = |p: &Place| *self.body.place(p.root).ty.leaf() == Type::Float;
        if !lane && !self.generic_place(src.root) && float(src) {
            // floats of a constant
            let from = self.path(src);
            return quote!(#to = #rt::lift(#from););
        }
        if slices {
            let from = self.path(src);
            let lent = !lane && self.leads_to_lent(src);
            let from = match self.body.type_at(src) {
                Some(t) if lent && t.is_structs() => {
                    quote!(#from.copied_to(__pool.take_empty(#from.len())))
                }
                None if lent => quote!(#from.to_vec()),
                _ => quote!(__pool.take_copy(&#from[..])),
            };
            let copy = quote!({
                let __copy = #from;
                #to[..].clone_from_slice(&__copy);
                __pool.give(__copy);
            });
            return if lane {
                self.guarded(src.root, copy, Some(self.zero(dst)))
            } else {
                copy
            };
        }
        let of_list = |p: &Place| matches!(self.body.type_at(p), Some(Type::Vec(_)));
        if of_list(src) && !of_list(dst) {
            // an array made of a list
            let from = self.path(src);
            let copy = quote!(#to.clone_from_slice(&#from););
            return match lane {
                true => self.guarded(src.root, copy, Some(self.zero(dst))),
                false => copy,
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

    // ---- what a place is ----

    pub(super) fn is_plain(&self, place: &Place) -> bool {
        !self.generic_place(place.root)
    }

    pub(super) fn is_struct(&self, place: &Place) -> bool {
        matches!(self.body.type_at(place), Some(Type::Struct(_)))
            && self.in_struct(place)
            && self.generic_place(place.root)
    }

    /// A constant in a derived struct.
    pub(super) fn is_opaque_part(&self, place: &Place) -> bool {
        self.body.is_opaque(place) && self.in_struct(place)
    }

    /// A struct or a sequence of structs.
    pub(super) fn is_structs(&self, place: &Place) -> bool {
        self.body.type_at(place).is_some_and(|t| t.is_structs())
    }

    pub(super) fn is_integer(&self, place: &Place) -> bool {
        let ty = self.body.type_at(place);
        matches!(ty.as_ref().map(Type::leaf), Some(Type::Int(_) | Type::Bool))
    }

    pub(super) fn is_float(&self, place: &Place) -> bool {
        matches!(self.body.place(place.root).ty.leaf(), Type::Float)
    }
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
