//! Derived structs. Behind a `&` parameter they are views, which are lent and never written; what is
//! made here, or lent by `&mut`, is the twin with the generic scalar.

use super::Emitter;
use super::instance::Generics;
use crate::analysis::views::Views;
use crate::error;
use crate::ir::{Arg, Body, Call, Part, Place, PlaceId, PlaceKind, Proj, Stmt, Type};
use crate::sorted::Map;
use crate::template::quote;
use proc_macro2::TokenStream;
use quote::quote_spanned;

impl Emitter<'_> {
    /// Whether a place is a view of a struct, or of a slice of structs.
    pub(crate) fn is_lent(&self, root: PlaceId) -> bool {
        let info = self.body.place(root);
        if !info.ty.is_structs() || info.ty.is_lanes() || !self.generic_place(root) {
            return false;
        }
        match info.kind {
            PlaceKind::SharedParam(_) => true,
            PlaceKind::View => self
                .shared_views
                .get(&root)
                .is_some_and(|of| self.leads_to_lent(of)),
            PlaceKind::MutParam(_)
            | PlaceKind::ValueParam(_)
            | PlaceKind::Local
            | PlaceKind::State
            | PlaceKind::Row
            | PlaceKind::Slot(_)
            | PlaceKind::ResultSlot(_) => false,
        }
    }

    /// Whether a path leads to a view, or to what a view holds by reference.
    pub(crate) fn leads_to_lent(&self, place: &Place) -> bool {
        if !self.is_lent(place.root) {
            return false;
        }
        let mut ty = Some(self.body.place(place.root).ty.clone());
        let mut lent = true;
        for step in &place.path {
            lent = self.step_type(&mut ty, step, lent);
        }
        // a view holds chars as they are
        lent && !matches!(ty, Some(Type::Opaque(of)) if of.0.to_string() == "char")
    }

    /// Goes one step on; whether what it leads to is lent. Of a field in a view all but numbers are, and lists of
    /// tuples of integers, which are as the user wrote them.
    pub(crate) fn step_type(&self, ty: &mut Option<Type>, step: &Proj, lent: bool) -> bool {
        let structs = ty.as_ref().is_some_and(Type::is_structs);
        *ty = match step {
            Proj::Field(_, field) => field.0.clone(),
            Proj::Index(_) => ty.as_ref().and_then(Type::element).cloned(),
            Proj::Range(..) => ty
                .as_ref()
                .and_then(Type::element)
                .map(|t| Type::Slice(Box::new(t.clone()))),
            Proj::Flat(_) => ty.as_ref().map(|t| t.leaf().clone()),
        };
        match step {
            Proj::Field(..) => lent && !ty.as_ref().is_some_and(Type::is_constant_list),
            Proj::Index(_) | Proj::Range(..) => lent && structs,
            Proj::Flat(_) => false,
        }
    }

    /// Whether values behind a path are read through the traits of fields: their types are known to
    /// rustc alone.
    pub(crate) fn in_struct(&self, place: &Place) -> bool {
        self.body.place(place.root).ty.is_structs()
            || self
                .mutable_views
                .get(&place.root)
                .is_some_and(|of| self.in_struct(of))
    }

    /// A place as an argument behind `&`.
    pub(crate) fn lend(&self, place: &Place) -> TokenStream {
        let rt = self.rt;
        // an element of a field of a view, which holds structs in another way than other elements
        if let (Some(Proj::Index(i)), None) = (place.path.last(), self.body.type_at(place))
            && self.is_lent(place.root)
        {
            let whole = Place {
                root: place.root,
                path: place.path[..place.path.len() - 1].to_vec(),
            };
            let (i, of) = (self.val(*i), self.path(&whole));
            let is_field = matches!(whole.path.last(), Some(Proj::Field(..)));
            let and = (!is_field).then(|| quote!(&));
            return quote!(#rt::Elements::element(#and #of, #i));
        }
        let path = self.path(place);
        if self.leads_to_lent(place) {
            return path;
        }
        match self.body.type_at(place) {
            Some(Type::Slice(t)) if !t.is_structs() && ends_in_range(place) => quote!(&#path),
            Some(Type::Slice(t) | Type::Array(t, _) | Type::Vec(t)) if t.is_structs() => {
                let row = struct_path(&t);
                quote!(#rt::Rows::<#row, __S>::Made(&#path[..]))
            }
            _ => quote!(#rt::Lend::lend(&#path)),
        }
    }

    /// A copy of what is behind a path.
    pub(crate) fn own(&self, place: &Place) -> TokenStream {
        let rt = self.rt;
        let path = self.path(place);
        if !self.leads_to_lent(place) {
            return quote!(::core::clone::Clone::clone(&#path));
        }
        match self.body.type_at(place) {
            Some(Type::Struct(p)) => {
                let p = &p.0;
                quote!(<#p as #rt::Differentiable>::own(#path))
            }
            Some(Type::Array(t, _)) if t.is_structs() => quote!(#path.to_array()),
            Some(Type::Vec(_)) => quote!(#path.to_vec()),
            _ => quote!(#rt::Own::own(&#path)),
        }
    }

    /// Tangents or adjoints of a part of a struct, as a slot wants them.
    pub(crate) fn lend_lanes(&self, place: &Place, mutable: bool) -> TokenStream {
        let rt = self.rt;
        let path = self.path(place);
        let and = if mutable { quote!(&mut) } else { quote!(&) };
        match self.body.type_at(place) {
            Some(Type::Lanes(_) | Type::Lane) => quote!(#and #path),
            Some(_) if ends_in_range(place) => quote!(#and #path),
            Some(Type::Array(..) | Type::Vec(_) | Type::Slice(_)) => quote!(#and #path[..]),
            _ if mutable => quote!(#rt::LendLanes::lend_lanes_mut(&mut #path)),
            _ => quote!(#rt::LendLanes::lend_lanes(&#path)),
        }
    }

    /// `P { a: x, ..base }`, of the twin or of its lanes.
    pub(crate) fn struct_literal(
        &self,
        p: PlaceId,
        fields: &[(String, Part)],
        base: Option<&Place>,
    ) -> TokenStream {
        let rt = self.rt;
        let (path, lanes) = match &self.body.place(p).ty {
            Type::Struct(path) => (&path.0, false),
            Type::Lanes(path) => (&path.0, true),
            _ => unreachable!("verify: a struct is made of fields"),
        };
        let zero = if lanes { self.zero_like(p) } else { quote!() };
        let values = fields.iter().map(|(name, part)| {
            let member = super::op::member(name);
            let value = match part {
                Part::Val(v) if lanes => {
                    let v = self.val(*v);
                    quote!(#rt::field_lane(#v))
                }
                Part::Val(v) => {
                    let id = self.val(*v);
                    if self.body.val(*v).ty == Type::Float && !self.generic(*v) {
                        quote!(#rt::lift(#id))
                    } else {
                        quote!(#id)
                    }
                }
                Part::Place(p) if lanes => self.cloned_lanes(p, quote!(#zero.#member)),
                Part::Place(p) => self.own(p),
            };
            quote!(#member: #value)
        });
        let rest = match base {
            Some(base) if lanes => {
                let value = self.cloned_lanes(base, zero.clone());
                quote!(..#value)
            }
            Some(base) => {
                let base = self.own(base);
                quote!(..#base)
            }
            // the last field, which is there for the scalar alone
            None => {
                let last = match fields.first() {
                    Some((name, _)) if name.starts_with(|c: char| c.is_ascii_digit()) => {
                        super::op::member(&fields.len().to_string())
                    }
                    _ => quote!(__floats),
                };
                quote!(#last: ::core::marker::PhantomData)
            }
        };
        let (of, scalar) = if lanes {
            (quote!(Lanes), quote!(__A))
        } else {
            (quote!(Of), quote!(__S))
        };
        // an item of its own, which the function's parameters are handed to
        let (params, names) = self.generics.named_in(path);
        quote!({
            type __Made<__T #(, #params)*> = <#path as #rt::Differentiable>::#of<__T>;
            __Made::<#scalar #(, #names)*> { #(#values,)* #rest }
        })
    }

    /// A copy of tangents, or zeros where nobody asks for them.
    fn cloned_lanes(&self, of: &Place, zero: TokenStream) -> TokenStream {
        let (rt, path) = (self.rt, self.path(of));
        // arrays behind references have slices as lanes
        let slice = of.path.is_empty()
            && matches!(self.body.place(of.root).kind, PlaceKind::Slot(_))
            && matches!(self.body.type_at(of), Some(Type::Array(..)));
        let copy = match slice {
            true => quote!(#rt::whole(&#path[..])),
            false => quote!(::core::clone::Clone::clone(&#path)),
        };
        match self.guard(of.root) {
            Some(_) => self.guarded(of.root, copy, Some(zero)),
            None => copy,
        }
    }
}

/// The path of a struct, or the type of an array of them, as the user writes it.
pub(crate) fn struct_path(ty: &Type) -> TokenStream {
    match ty {
        Type::Struct(path) | Type::Lanes(path) => path.0.clone(),
        Type::Array(of, n) => {
            let (of, n) = (struct_path(of), &n.0);
            quote!([#of; #n])
        }
        _ => TokenStream::new(),
    }
}

pub(crate) fn ends_in_range(place: &Place) -> bool {
    matches!(place.path.last(), Some(Proj::Range(..)))
}

/// Asserts that the structs whose values a function makes, copies or changes have a fixed size, or can be kept with
/// their lengths.
pub(crate) fn size_checks(body: &Body, generics: &Generics, rt: &TokenStream) -> TokenStream {
    let mut found = Map::new();
    let mut note = |ty: &Type, lent: bool, span: proc_macro2::Span| {
        // rows of integers are borrowed as they are stored
        if let Type::Struct(path) = ty.leaf()
            && !ty.leaf().is_constant_row()
        {
            // elements of sequences have a fixed size, but for those that are lent
            let lengths = body.has_lengths(ty.leaf()) && (lent || matches!(ty, Type::Struct(_)));
            found.get_or_insert((path.0.to_string(), lengths), (path.clone(), span));
        }
    };
    for (k, info) in body.places.iter().enumerate() {
        match info.kind {
            PlaceKind::Local | PlaceKind::ValueParam(_) if body.passes_on(PlaceId(k as u32)) => {}
            PlaceKind::Local | PlaceKind::ValueParam(_) => note(&info.ty, false, info.span),
            // elements of a slice are kept and copied
            PlaceKind::SharedParam(_) | PlaceKind::MutParam(_)
                if !matches!(info.ty, Type::Struct(_)) =>
            {
                let slice = matches!(info.ty, Type::Slice(_) | Type::Array(..));
                let lent = slice || matches!(info.kind, PlaceKind::SharedParam(_));
                note(&info.ty, lent, info.span);
            }
            PlaceKind::SharedParam(_)
            | PlaceKind::MutParam(_)
            | PlaceKind::State
            | PlaceKind::View
            | PlaceKind::Row
            | PlaceKind::Slot(_)
            | PlaceKind::ResultSlot(_) => {}
        }
    }
    let views = Views::of(body);
    lent_structs(body, &views, &mut |ty, span| note(ty, true, span));
    copied_structs(body, &mut |ty: &Type, span| {
        if let Type::Struct(path) = ty.leaf() {
            let key = (path.0.to_string(), false);
            found.get_or_insert(key, (path.clone(), span));
        }
    });
    // a size is fixed or is not for all lengths
    let lengths = generics.as_items();
    let checks = found.iter().map(|((_, may), (path, span))| {
        let has_size = has_size(&path.0, *may, rt);
        let text = lost_size(*may);
        let check = quote_spanned!(*span=> ::core::assert!(#has_size, #text));
        quote_spanned!(*span=> const _: () = { #lengths #check };)
    });
    quote!(#(#checks)*)
}

/// What is wrong if generated code cannot.
pub(super) fn lost_size(lengths: bool) -> String {
    match lengths {
        true => error::UNKEPT_FIELD.filled(""),
        false => error::RUN_TIME_SIZE.filled(""),
    }
}

/// Whether generated code can keep a struct; `lengths`: it may have vectors.
pub(super) fn has_size(path: &TokenStream, lengths: bool, rt: &TokenStream) -> TokenStream {
    let of = quote!(<#path as #rt::Differentiable>);
    match lengths {
        true => quote!(#of::HELD),
        false => quote!(#of::FIXED),
    }
}

/// Structs that are written over where their lengths stay, and those of which an unknown field is.
fn copied_structs(body: &Body, note: &mut impl FnMut(&Type, proc_macro2::Span)) {
    for stmt in body.region.all() {
        if let Stmt::CopyPlace { dst, .. } = stmt {
            let info = body.place(dst.root);
            note(
                &body.type_at(dst).unwrap_or_else(|| info.ty.clone()),
                info.span,
            );
        }
    }
}

/// Structs behind `&mut` that are lent on by `&`, whose content is kept for reverse code, and those
/// that are lent twice, one of which has a shadow of its own.
fn lent_structs(body: &Body, views: &Views, note: &mut impl FnMut(&Type, proc_macro2::Span)) {
    for stmt in body.region.all() {
        if let Stmt::Call(Call { args, .. }) = stmt {
            for (k, arg) in args.iter().enumerate() {
                let Arg::Ref(place) = arg else { continue };
                let again = args[..k].iter().any(|a| match a {
                    Arg::Ref(p) | Arg::Mut(p) => p.root == place.root,
                    Arg::Value(_) | Arg::Place(_) | Arg::Verbatim { .. } => false,
                });
                let root = views.root(place.root);
                let shared = matches!(body.place(root).kind, PlaceKind::SharedParam(_));
                if (!shared || again)
                    && let Some(ty) = body.type_at(place)
                {
                    note(&ty, body.place(place.root).span);
                }
            }
        }
    }
}
