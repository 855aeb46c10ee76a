//! Calls to other differentiable functions, in each kind of code.

use super::frame;
use super::lend::Lent;
use super::{Emitter, Kind};
use crate::ir::{
    Arg, AugmentedCall, Call, Keep, Leaf, ON_TAPE, Place, PlaceKind, Proj, ReverseCall,
    TangentCall, Tree, Type,
};
use crate::template::quote;
use proc_macro2::TokenStream;

impl Emitter<'_> {
    /// let y = h(x);   =>   let y = h::__primal(x, __pool);
    pub(crate) fn call(&self, call: &Call) -> TokenStream {
        let target = self.target(call);
        let (Lent { before, .. }, args) = self.arg_values(call);
        let ((fetch, put), scalar) = (self.stores(&call.args), self.scalar_of(call));
        let (pattern, ty) = self.result(call);
        let call = match self.kind {
            Kind::Pattern => return self.pattern_call(call, &args, [fetch, before, put]),
            _ => quote!(<#target>::__primal #scalar(#(#args,)* __pool)),
        };
        quote!(#fetch #before let #pattern #ty = #call; #put)
    }

    /// The arguments as the callee's primal takes them, and what has to be split before.
    fn arg_values(&self, call: &Call) -> (Lent, Vec<TokenStream>) {
        let lent = self.split_arguments(call.args.iter().map(Some), None, "part");
        let args = call.args.iter().enumerate();
        let args = args
            .map(|(k, a)| match lent.get(k) {
                Some(part) if lent.is_only_read(k) => {
                    let rt = self.rt;
                    quote!(#rt::only_read(#part))
                }
                Some(part) => part.clone(),
                None => self.arg_value(a, k),
            })
            .collect();
        (lent, args)
    }

    pub(crate) fn augmented_call(&self, c: &AugmentedCall) -> TokenStream {
        let callee = &c.call.callee.0;
        let target = self.target(&c.call);
        let (Lent { before, .. }, args) = self.arg_values(&c.call);
        let (fetch, put) = self.stores(&c.call.args);
        let (pattern, ty) = self.result(&c.call);
        let call = if c.record == ON_TAPE {
            quote!(
                let mut __own_words = [__S::default(); <#callee>::__WORDS];
                let mut __own_ints = [0usize; <#callee>::__INTS];
                let #pattern #ty = <#target>::__augmented(#(#args,)* &mut __own_words, &mut __own_ints, __tape, __pool);
                __tape.words.push_slice(&__own_words);
                __tape.ints.push_slice(&__own_ints);
            )
        } else {
            let (words, ints) = self.callee_record(c.record, true);
            quote!(let #pattern #ty = <#target>::__augmented(#(#args,)* #words, #ints, __tape, __pool);)
        };
        let mut tokens = quote!(#fetch #before #call #put);
        for (k, (arg, keep)) in c.call.args.iter().zip(&c.keep).enumerate() {
            if *keep == Keep::No {
                continue;
            }
            for (_, list) in arg.integer_lists(self.body) {
                let kept = self.keep_list(&list.into());
                tokens.extend(quote!({ #kept }));
            }
            let (Arg::Ref(place) | Arg::Place(place) | Arg::Mut(place)) = arg else {
                continue;
            };
            if matches!(arg, Arg::Mut(_)) {
                tokens.extend(self.check_size(callee, k, place));
            }
            if self.is_integer(place) {
                tokens.extend(self.keep_integers(callee, k, place));
            } else if self.in_struct(place) {
                let kept = self.keep_struct(place);
                tokens.extend(quote!(if <#callee>::__NEEDS[#k] { #kept }));
            } else if self.is_lifted(place) {
                let kept = self.keep_constants(place);
                tokens.extend(match c.call.constants.contains(&k) {
                    true => kept,
                    false => quote!(if <#callee>::__NEEDS[#k] { #kept }),
                });
            } else if let Keep::Fixed(count) = keep {
                let (flat, part) = (self.flat_slice(place), self.kept_part(c.record, k, *count));
                tokens.extend(quote!(if <#callee>::__NEEDS[#k] {
                    #part.copy_from_slice(&#flat);
                }));
            } else {
                let flat = self.flat_slice(place);
                let count =
                    (*keep == Keep::Counted).then(|| quote!(__tape.ints.push(__kept.len());));
                tokens.extend(quote!(if <#callee>::__NEEDS[#k] {
                    let __kept = &#flat;
                    __tape.words.push_slice(__kept);
                    #count
                }));
            }
        }
        tokens
    }

    pub(crate) fn tangent_call(&self, c: &TangentCall) -> TokenStream {
        let rt = self.rt;
        let target = self.target(&c.call);
        let (primal, values) = self.arg_values(&c.call);
        let tangents = c.tangents.iter().map(Option::as_ref);
        let lent = self.split_arguments(tangents, Some(&primal), "tangent");
        let (fetch, put) = self.stores(&c.call.args);
        let before = &primal.before;
        let split = &lent.before;
        let mut args = Vec::new();
        for (k, (arg, tangent)) in c.call.args.iter().zip(&c.tangents).enumerate() {
            args.push(values[k].clone());
            args.push(match (arg, tangent) {
                (Arg::Mut(_), Some(Arg::Mut(_))) if lent.is_only_read(k) => {
                    let part = lent.get(k);
                    quote!(#rt::only_read(&(#part)[..]))
                }
                (Arg::Mut(_), Some(Arg::Mut(place))) if lent.get(k).is_some() => {
                    let part = self.slot_part(&lent, k, place, true);
                    quote!(#rt::lent_slot(#part))
                }
                (_, Some(Arg::Ref(place))) if lent.get(k).is_some() => {
                    let part = self.slot_part(&lent, k, place, false);
                    quote!(#rt::Seed::<_, #rt::Live>::new(#part))
                }
                (Arg::Mut(_), Some(Arg::Mut(place))) => {
                    let path = self.lent(place);
                    quote!(#rt::lent_slot(&mut #path))
                }
                (_, Some(Arg::Value(t))) => {
                    let t = self.val(*t);
                    quote!(#rt::Seed::<_, #rt::Live>::new(&#t))
                }
                (_, Some(Arg::Ref(place))) => self.seed(place),
                _ => quote!(#rt::no_slot()),
            });
        }
        let (pattern, ty) = self.result_parts(&c.call);
        let tangent_pattern = c.result.map(&mut |leaf| match leaf {
            Some(leaf) => self.leaf_pattern(leaf),
            None => quote!(_),
        });
        let tangent_pattern = self.pattern(&with_holes(tangent_pattern, &quote!(_)));
        let tangent_ty = self.tree(&with_holes(self.lane_tree(&c.call), &quote!(_)));
        let patterns = if is_dropped(&c.call) {
            quote!(_)
        } else {
            quote!((#pattern, #tangent_pattern): (#ty, #tangent_ty))
        };
        quote!(
            #fetch #before #split
            let #patterns = <#target>::__tangent(#(#args,)* __pool);
            #put
        )
    }

    /// The callee's own adjoint sweep.
    pub(crate) fn reverse_call(&self, c: &ReverseCall) -> TokenStream {
        let rt = self.rt;
        let callee = &c.call.callee.0;
        let target = self.target(&c.call);
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let lent = self.split_arguments(c.adjoints.iter().map(Option::as_ref), None, "shadow");
        before.extend(lent.before.clone());
        let mut args = Vec::new();
        for (k, (arg, adjoint)) in c.call.args.iter().zip(&c.adjoints).enumerate().rev() {
            let value = match (arg, &c.args[k]) {
                (_, Some(again @ Arg::Place(place)))
                    if matches!(self.body.type_at(place), Some(Type::Opaque(_))) =>
                {
                    self.arg_value(again, k)
                }
                (Arg::Place(place), _) if c.keep[k] != Keep::No => {
                    let kept = super::names::own(&format!("__kept{k}"));
                    let (bind, give) = self.kept_integers(callee, k, place, &kept);
                    before.extend(bind);
                    after.extend(give);
                    match self.body.type_at(place) {
                        Some(Type::Array(..)) => quote!(*#kept),
                        _ => quote!(#kept.to_vec()),
                    }
                }
                (Arg::Mut(place), _) if c.keep[k] != Keep::No && self.is_structs(place) => {
                    let kept = super::names::own(&format!("__kept{k}"));
                    let (bind, give) = self.kept_if_read(callee, k, place, &kept);
                    before.extend(bind);
                    after.extend(give);
                    quote!(#rt::lent_view(#kept))
                }
                (Arg::Mut(place), _) if c.keep[k] != Keep::No => {
                    let kept = super::names::own(&format!("__kept{k}"));
                    before.extend(self.kept_argument(c, k, place, &kept));
                    quote!(#rt::lent_value(#kept))
                }
                (Arg::Place(_), Some(Arg::Place(again))) => self.constant_value(again),
                (Arg::Value(_) | Arg::Place(_) | Arg::Mut(_), _) => quote!(()),
                (Arg::Verbatim { .. }, again) => {
                    let mut lists: Vec<_> = arg.integer_lists(self.body).collect();
                    lists.retain(|_| c.keep[k] != Keep::No);
                    let mut kept = Vec::new();
                    for (j, (name, list)) in lists.into_iter().enumerate().rev() {
                        let own = super::names::own(&format!("__kept{k}_{j}"));
                        let (bind, give) = self.kept_list(&list.into(), &own);
                        before.extend(bind);
                        after.extend(give);
                        kept.push((name, self.kept_value(list, &own)));
                    }
                    before.extend(self.room(arg, k).0);
                    self.code_value(again.as_ref().unwrap_or(arg), k, &kept)
                }
                (Arg::Ref(_), Some(Arg::Ref(place))) if self.is_struct(place) => {
                    let view = self.lend(place);
                    quote!(#rt::lent_view(::core::option::Option::Some(#view)))
                }
                (Arg::Ref(_), Some(arg @ Arg::Ref(place))) if self.is_opaque_part(place) => {
                    self.arg_value(arg, k)
                }
                (Arg::Ref(_), Some(Arg::Ref(place))) if self.in_struct(place) => {
                    let borrowed = self.lend(place);
                    // what is not asked for may not have been kept
                    match self.body.type_at(place) {
                        Some(Type::Slice(of))
                            if super::structs::ends_in_range(place) && !of.is_structs() =>
                        {
                            quote!(if <#callee>::__NEEDS[#k] { #borrowed } else { &[] })
                        }
                        _ => borrowed,
                    }
                }
                (Arg::Ref(_), Some(Arg::Ref(place))) => {
                    if self.is_plain(place) || !self.is_float(place) {
                        let lent = Arg::Ref(place.clone());
                        let (fetch, put) = self.room(&lent, k);
                        before.extend(fetch);
                        after.extend(put);
                        self.arg_value(&lent, k)
                    } else {
                        let path = self.slice_or_view(place);
                        // what is not asked for may not have been kept
                        if matches!(place.path.last(), Some(crate::ir::Proj::Range(..))) {
                            quote!(if <#callee>::__NEEDS[#k] { #path } else { &[] })
                        } else {
                            quote!(#path)
                        }
                    }
                }
                (Arg::Ref(place), _) => {
                    let kept = super::names::own(&format!("__kept{k}"));
                    let (bind, give) = if self.is_integer(place) {
                        self.kept_integers(callee, k, place, &kept)
                    } else if c.call.constants.contains(&k) && self.is_lifted(place) {
                        self.kept_constants(place, &kept)
                    } else if self.in_struct(place) {
                        self.kept_struct(c, k, place, &kept)
                    } else {
                        (self.kept_argument(c, k, place, &kept), TokenStream::new())
                    };
                    before.extend(bind);
                    after.extend(give);
                    if self.is_struct(place) {
                        quote!(#rt::lent_view(::core::option::Option::Some(#kept)))
                    } else {
                        quote!(#kept)
                    }
                }
            };
            let slot = match (arg, adjoint) {
                (Arg::Mut(_), Some(Arg::Mut(place))) if lent.get(k).is_some() => {
                    let part = self.slot_part(&lent, k, place, true);
                    quote!(#rt::lent_slot(#part))
                }
                (_, Some(Arg::Mut(place))) if lent.get(k).is_some() => {
                    let part = self.slot_part(&lent, k, place, true);
                    quote!(#rt::Shadow::<_, #rt::Live>::new(#part))
                }
                (Arg::Mut(_), Some(Arg::Mut(place))) => {
                    let path = self.lent(place);
                    quote!(#rt::lent_slot(&mut #path))
                }
                (Arg::Value(_), Some(Arg::Mut(place))) => {
                    let path = self.path(place);
                    quote!(#rt::Shadow::<_, #rt::Live>::new(&mut #path))
                }
                (_, Some(Arg::Mut(place))) => self.shadow(place),
                _ => quote!(#rt::no_slot()),
            };
            args.push(quote!(#value, #slot));
        }
        args.reverse();
        let seeds = c.result.map(&mut |leaf| match leaf {
            Some(Leaf::Val(v)) => {
                let v = self.val(*v);
                quote!(#v)
            }
            Some(Leaf::Place(p)) => self.result_adjoint(*p),
            None => quote!(()),
        });
        let seeds = self.pattern(&with_holes(seeds, &self.unread(&c.call)));
        let (words, ints) = if c.record == ON_TAPE {
            before.extend(quote!(
                let __own_words = __cur.words(__tape, <#callee>::__WORDS);
                let __own_ints = __cur.ints(__tape, <#callee>::__INTS);
            ));
            (quote!(__own_words), quote!(__own_ints))
        } else {
            self.callee_record(c.record, false)
        };
        quote!({ #before <#target>::__reverse(#(#args,)* #seeds, #words, #ints, __tape, __cur, __pool); #after })
    }

    // ---- arguments ----

    /// Argument number `k` as the callee's primal takes it.
    pub(super) fn arg_value(&self, arg: &Arg, k: usize) -> TokenStream {
        let rt = self.rt;
        match arg {
            Arg::Value(v) => {
                let id = self.val(*v);
                if self.body.val(*v).ty == Type::Float && !self.generic(*v) {
                    quote!(#rt::lift(#id))
                } else {
                    quote!(#id)
                }
            }
            Arg::Ref(place) if self.is_opaque_part(place) => {
                let path = self.path(place);
                quote!(&#path)
            }
            Arg::Place(place) if self.is_opaque_part(place) => {
                let path = self.path(place);
                quote!(::core::clone::Clone::clone(&#path))
            }
            Arg::Place(place) if self.in_struct(place) => {
                let vector = matches!(self.body.type_at(place), Some(Type::Vec(_)));
                if vector && place.path.is_empty() {
                    self.path(place)
                } else {
                    self.own(place)
                }
            }
            Arg::Place(place) => {
                if self.is_plain(place) && self.is_float(place) {
                    let value = self.constant_value(place);
                    quote!(#rt::lift(#value))
                } else {
                    self.dereferenced(place, self.path(place))
                }
            }
            Arg::Ref(place) if self.is_struct(place) => {
                let view = self.lend(place);
                quote!(#rt::lent_ref(#view))
            }
            Arg::Ref(place) if self.in_struct(place) => self.lend(place),
            Arg::Ref(place) => {
                let reference = self.slice_or_view(place);
                if self.is_lifted(place) {
                    let vector = matches!(self.body.type_at(place), Some(Type::Vec(_)));
                    let reference = if vector {
                        quote!(&(#reference)[..])
                    } else {
                        reference
                    };
                    let store = super::names::own(&format!("__store{k}"));
                    quote!(#rt::lift_ref(#reference, &mut #store, __pool))
                } else {
                    reference
                }
            }
            Arg::Mut(place) => {
                let path = self.lent(place);
                match self.body.type_at(place) {
                    _ if self.is_lent_number(place) => quote!(#rt::lent_number(&mut #path)),
                    Some(Type::Struct(_)) => quote!(#rt::lent_mut(&mut #path)),
                    Some(t) if t.is_structs() => quote!(#rt::lent_mut(&mut (#path)[..])),
                    _ => quote!(&mut #path),
                }
            }
            Arg::Verbatim { .. } => self.code_value(arg, k, &[]),
        }
    }

    /// `&path`, or the reference itself where the root is one.
    fn slice_or_view(&self, place: &Place) -> TokenStream {
        let info = self.body.place(place.root);
        if place.path.is_empty() && !self.mutable_views.contains_key(&place.root) {
            let id = self.place_ident(place.root);
            return match info.kind {
                PlaceKind::SharedParam(_) | PlaceKind::View | PlaceKind::Row => quote!(#id),
                PlaceKind::MutParam(_) => quote!(&*#id),
                PlaceKind::ValueParam(_)
                | PlaceKind::Local
                | PlaceKind::State
                | PlaceKind::Slot(_)
                | PlaceKind::ResultSlot(_) => quote!(&#id),
            };
        }
        let path = self.path(place);
        quote!(&#path)
    }

    /// What is lent by `&mut`.
    fn lent(&self, place: &Place) -> TokenStream {
        let info = self.body.place(place.root);
        let whole = place.path.is_empty() && !self.mutable_views.contains_key(&place.root);
        let path = self.path(place);
        match info.kind {
            _ if matches!(
                self.body.type_at(place),
                Some(Type::Lanes(_) | Type::Struct(_))
            ) =>
            {
                path
            }
            PlaceKind::MutParam(_) if whole && !info.ty.is_scalar() => quote!(*#path),
            PlaceKind::Slot(_) if whole && !info.ty.is_scalar() => quote!(*#path),
            _ if info.ty.is_lanes() && !self.body.type_at(place).is_none_or(|t| t.is_scalar()) => {
                self.slice(place)
            }
            _ => path,
        }
    }

    pub(crate) fn flat_slice(&self, place: &Place) -> TokenStream {
        let flat = self.flat(place);
        if matches!(place.path.last(), Some(Proj::Range(..))) {
            flat
        } else {
            quote!(#flat[..])
        }
    }

    /// The seed of a part of a tangent place.
    fn seed(&self, place: &Place) -> TokenStream {
        let rt = self.rt;
        if self.in_struct(place) {
            let part = self.lend_lanes(place, false);
            let slot = self.guard(place.root).is_some();
            if slot && matches!(self.body.place(place.root).ty, Type::Lanes(_)) {
                let id = self.place_ident(place.root);
                return quote!(#id.map(|__part| #part));
            }
            return match self.guard(place.root) {
                Some(marker) => quote!(#rt::Seed::<_, #marker>::maybe(
                    if <#marker as #rt::Activity>::LIVE { Some(#part) } else { None }
                )),
                None => quote!(#rt::Seed::<_, #rt::Live>::new(#part)),
            };
        }
        let path = self.slice(place);
        match self.guard(place.root) {
            Some(marker) => quote!(#rt::Seed::<_, #marker>::new(
                if <#marker as #rt::Activity>::LIVE { &#path } else { &[] }
            )),
            None => quote!(#rt::Seed::<_, #rt::Live>::new(&#path)),
        }
    }

    /// The shadow of a part of a lane place.
    fn shadow(&self, place: &Place) -> TokenStream {
        let rt = self.rt;
        let guard = self.guard(*self.likes.get(&place.root).unwrap_or(&place.root));
        if self.in_struct(place) {
            let part = self.lend_lanes(place, true);
            if self.guard(place.root).is_some()
                && matches!(self.body.place(place.root).ty, Type::Lanes(_))
            {
                let id = self.place_ident(place.root);
                return quote!(#id.reborrow().map(|__part| #part).lent());
            }
            return match guard {
                Some(marker) => quote!(#rt::Shadow::<_, #marker>::maybe(
                    if <#marker as #rt::Activity>::LIVE { Some(#part) } else { None }
                ).lent()),
                None => quote!(#rt::Shadow::<_, #rt::Live>::new(#part)),
            };
        }
        let path = self.slice(place);
        match guard {
            Some(marker) => quote!(#rt::Shadow::<_, <#marker as #rt::Activity>::Lent>::new(
                if <#marker as #rt::Activity>::LIVE { &mut #path } else { &mut [] }
            )),
            None => quote!(#rt::Shadow::<_, #rt::Live>::new(&mut #path)),
        }
    }

    fn callee_record(&self, record: u32, mutable: bool) -> (TokenStream, TokenStream) {
        let open = self.frame();
        let (words, ints) = (&open.callee_words, &open.callee_ints);
        let (w, i) = frame::callee_sizes(&open.callees[..record as usize], self.rt);
        let this = &open.callees[record as usize].path.0;
        let and = if mutable { quote!(&mut) } else { quote!(&) };
        (
            quote!(#and #words[0 #w..][..<#this>::__WORDS]),
            quote!(#and #ints[0 #i..][..<#this>::__INTS]),
        )
    }

    /// Where the values of argument `k`, so many numbers, are kept in the record of the frame.
    pub(super) fn kept_part(&self, record: u32, k: usize, count: usize) -> TokenStream {
        let open = self.frame();
        let (words, (w, _)) = (
            &open.callee_words,
            frame::callee_sizes(&open.callees[..record as usize], self.rt),
        );
        let this = &open.callees[record as usize];
        let (path, kept) = (&this.path.0, frame::kept_size(this, k, self.rt));
        quote!(#words[0 #w + <#path>::__WORDS #kept..][..#count])
    }

    // ---- results ----

    /// Pattern for the result, and `: type`.
    fn result(&self, call: &Call) -> (TokenStream, TokenStream) {
        if is_dropped(call) {
            return (quote!(_), TokenStream::new());
        }
        let (pattern, ty) = self.result_parts(call);
        (pattern, quote!(: #ty))
    }

    fn result_parts(&self, call: &Call) -> (TokenStream, TokenStream) {
        let hole = quote!(_);
        let pattern = call.result.map(&mut |leaf| self.leaf_pattern(leaf));
        let pattern = self.pattern(&with_holes(pattern, &hole));
        let ty = call.result.map(&mut |leaf| match leaf {
            Leaf::Val(v) => self.ty(&self.body.val(*v).ty, true),
            Leaf::Place(p) => self.ty(&self.body.place(*p).ty, true),
        });
        (pattern, self.tree(&with_holes(ty, &hole)))
    }

    fn lane_tree(&self, call: &Call) -> Tree<TokenStream> {
        call.result.map(&mut |leaf| {
            let ty = match leaf {
                Leaf::Val(v) => self.body.val(*v).ty.clone(),
                Leaf::Place(p) => self.body.place(*p).ty.clone(),
            };
            if ty.has_floats() {
                self.ty(&ty.lanes(), false)
            } else {
                quote!(())
            }
        })
    }

    pub(super) fn leaf_pattern(&self, leaf: &Leaf) -> TokenStream {
        match leaf {
            Leaf::Val(v) => {
                let v = self.val(*v);
                quote!(#v)
            }
            Leaf::Place(p) => {
                let p = self.place_ident(*p);
                quote!(mut #p)
            }
        }
    }

    /// A tree of tokens as a tuple.
    pub(crate) fn pattern(&self, tree: &Tree<TokenStream>) -> TokenStream {
        self.tree(tree)
    }
}

/// What nothing is done with may be of any type.
pub(super) fn with_holes(tree: Tree<TokenStream>, hole: &TokenStream) -> Tree<TokenStream> {
    match tree {
        Tree::Leaf(leaf) => Tree::Leaf(leaf),
        Tree::Tuple(parts) if parts.is_empty() => Tree::Leaf(hole.clone()),
        Tree::Tuple(parts) => {
            let parts = parts.into_iter().map(|t| with_holes(t, hole));
            Tree::Tuple(parts.collect())
        }
    }
}

/// Whether nothing is done with the result, if there is one.
pub(super) fn is_dropped(call: &Call) -> bool {
    call.result == Tree::Tuple(Vec::new())
}

/// The shadow that an argument's kept values are as many as.
pub(super) fn measured(c: &ReverseCall, k: usize) -> Option<&Place> {
    match (&c.keep[k], &c.adjoints[k]) {
        (Keep::Measured, Some(Arg::Mut(shadow))) => Some(shadow),
        (Keep::Measured, _) => unreachable!("measure: the argument has a shadow"),
        (Keep::No | Keep::Counted | Keep::Fixed(_), _) => None,
    }
}
