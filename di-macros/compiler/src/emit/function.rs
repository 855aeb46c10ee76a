//! The items of a function: primal, tangent, augmented, reverse and fused code, and its constants.
//! Signatures are those of docs/generated-code.md, section 2.

use super::inherent::Inherent;
use super::names::own;
use super::once::with_cells;
use super::reach::Reach;
use super::shape::inline;
use super::sound::{self, Source};
use super::{Context, Emitter, Kind, frame};
use crate::analysis::activity::activity;
use crate::analysis::views::Views;
use crate::ir::{Body, First, Mode, Param, PlaceKind, Role, Stmt, Type};
use crate::purpose;
use crate::sorted::Set;
use crate::template::quote;
use crate::transform::reverse::{Reverse, reverse};
use crate::transform::tangent::{Tangent, tangent};
use proc_macro2::TokenStream;

/// What the compiler made of a function.
pub(crate) struct Generated {
    pub(crate) inherent: Inherent,
    /// Items beside the handle: what must hold of the types of the function.
    pub(crate) checks: TokenStream,
    pub(crate) forms: Forms,
    /// IR of the code, for dumps; nothing if there is none.
    pub(crate) sweeps: Option<Sweeps>,
}

/// Which forms a function has of its own.
#[derive(Clone, Copy, Default)]
pub(crate) struct Forms {
    /// A pattern that is more than the primal.
    pub(super) pattern: bool,
    /// Sweeps that have a loop in common.
    pub(super) fused: bool,
    /// They have it if callees do what is asked of them.
    pub(super) asked: bool,
}

/// Bodies that were made of a function's.
pub(crate) struct Sweeps {
    pub(crate) tangent: Body,
    /// The augmented forward sweep.
    pub(crate) augmented: Body,
    /// The adjoint sweep.
    pub(crate) reverse: Body,
}

/// Generates the code of a function, or no more than what must hold of it, if nothing is run.
pub(crate) fn generate(body: &Body, source: &Source<'_>, rt: &TokenStream) -> Generated {
    let names = sound::Names::of(body);
    let check = sound::check(body, source, &names, rt);
    let written = body;
    let body = &sound::guard(written, &names, source.name, rt);
    let called = super::gives::constants(written);
    let checks = super::structs::size_checks(body, source.generics, rt);
    let infer = super::instance::infer(written, source, rt);
    let mut imports = names.imports(source.name, rt);
    if !purpose::runs() {
        let holds = sound::holds(source.name);
        let inherent = Inherent {
            constants: quote!(#called #check #holds),
            code: TokenStream::new(),
            infer,
            imports,
        };
        return Generated {
            inherent,
            checks,
            forms: Forms::default(),
            sweeps: None,
        };
    }
    imports.extend(sound::aliases(source.name, rt));
    let cx = Context {
        rt,
        sound: source.name,
        generics: source.generics,
    };
    let reach = Reach::of(body);
    let tangents = tangent(body);
    let reversed = reverse(body);
    let primal = primal_item(body, cx);
    let pattern = purpose::finds_patterns().then(|| super::pattern::item(body, cx));
    let (pattern, is_primal) = pattern.unwrap_or_else(|| (TokenStream::new(), true));
    let forward = tangent_item(&tangents, cx);
    let augmented = augmented_item(&reversed, &reach, cx);
    // the signature speaks of the primal's result
    let sweep = Body {
        ret: body.ret.clone(),
        ..reversed.reverse.clone()
    };
    let backward = reverse_item(&reversed, &sweep, &reach, cx);
    let fused = fused_item(&reversed, &sweep, cx);
    let joint = super::joint::condition(&reversed);
    let asked = joint.is_some();
    let joint = joint.map(|holds| quote!(pub const __JOINT: bool = #holds;));
    let forms = Forms {
        pattern: !is_primal,
        fused: fused.is_some(),
        asked,
    };
    let sizes = reach.sizes(source.name, &reversed.frame, rt);
    let reached = reach.constants(source.name, rt);
    let (needs, renewals) = (&reversed.needs, &reversed.renewals);
    let forward_region = &reversed.augmented.region;
    let tape = reach.tape(source.name, &frame::uses_tape_now(forward_region));
    let records = !frame::is_empty(&reversed.frame)
        || frame::uses_tape(forward_region)
        || frame::has_effects(forward_region);
    let params = needs.len();
    let constants = quote!(
        #sizes
        pub const __RECORDS: bool = #records;
        #tape
        #reached
        #called
        #check
        pub const __NEEDS: [bool; #params] = [#(#needs),*];
        pub const __RENEWS: [u64; #params] = [#(#renewals),*];
        #joint
    );
    let code = quote!(#primal #pattern #forward #augmented #backward #fused);
    let inherent = Inherent {
        constants,
        code,
        infer,
        imports,
    };
    Generated {
        inherent,
        checks,
        forms,
        sweeps: Some(Sweeps {
            tangent: tangents.body,
            augmented: reversed.augmented,
            reverse: reversed.reverse,
        }),
    }
}

/// How a parameter's arguments are written in a signature.
pub(super) struct Signature<'e, 'a> {
    pub(super) e: &'e Emitter<'a>,
}

impl Signature<'_, '_> {
    pub(super) fn markers(&self) -> Vec<TokenStream> {
        let rt = self.e.rt;
        (0..self.e.body.params.len())
            .filter(|k| self.e.has_marker(*k))
            .map(|k| {
                let p = self.e.marker(k);
                quote!(#p: #rt::Activity)
            })
            .collect()
    }

    pub(super) fn scalar_bound(&self) -> TokenStream {
        let (rt, real) = (self.e.rt, self.e.real());
        quote!(__S: #rt::Scalar<Real = #real>)
    }

    /// Type of the value argument, in the generic scalar where the parameter is differentiated.
    pub(super) fn value(&self, p: &Param) -> TokenStream {
        let written = &p.written.0;
        if !is_generic(p) {
            return quote!(#written);
        }
        let rt = self.e.rt;
        let ty = self.e.ty(&p.ty, true);
        match (&p.ty, p.mode) {
            (_, Mode::Value) => ty,
            (Type::Struct(path), Mode::Ref) => {
                let path = &path.0;
                quote!(<#path as #rt::Differentiable>::View<'_, __S>)
            }
            (Type::Slice(t) | Type::Array(t, _), Mode::Ref) if t.is_structs() => {
                let row = super::structs::struct_path(t);
                quote!(#rt::Rows<'_, #row, __S>)
            }
            (_, Mode::Ref) => quote!(&#ty),
            (_, Mode::Mut) => quote!(&mut #ty),
        }
    }

    /// Type of the value argument in reverse code.
    pub(super) fn reverse_value(&self, p: &Param) -> TokenStream {
        let written = &p.written.0;
        match (is_generic(p), p.mode, &p.ty) {
            (true, Mode::Ref, ty) if ty.is_structs() => self.value(p),
            (true, Mode::Ref, ty) => {
                let element = self.e.ty(ty.element().unwrap_or(ty), true);
                quote!(&[#element])
            }
            // a caller that holds it constant passes it on, for this may be constant too
            (true, Mode::Value, Type::Array(..)) => quote!(impl ::core::marker::Sized),
            (true, Mode::Value | Mode::Mut, _) => quote!(()),
            (false, Mode::Value, ty) if ty.is_scalar() => quote!(()),
            (false, _, _) => quote!(#written),
        }
    }

    /// What a slot points to.
    fn slot_target(&self, p: &Param) -> TokenStream {
        match &p.ty {
            Type::Struct(_) => self.e.ty(&p.ty.lanes(), false),
            ty => match ty.lanes().element() {
                Some(element) => {
                    let element = self.e.ty(element, false);
                    quote!([#element])
                }
                None => quote!(__A),
            },
        }
    }

    /// `x: T`, for each parameter.
    pub(super) fn values(&self) -> Vec<TokenStream> {
        let params = self.e.body.params.iter().enumerate();
        let values = params.map(|(k, p)| {
            let (arg, ty) = (self.e.arg(k), self.value(p));
            quote!(#arg: #ty)
        });
        values.collect()
    }

    /// `x: T, slot: Seed<..>`, with slots of this name; of values those that the callee wants.
    pub(super) fn slotted(
        &self,
        value: fn(&Self, &Param) -> TokenStream,
        name: &str,
    ) -> Vec<TokenStream> {
        let params = self.e.body.params.iter().enumerate();
        let slotted = params.map(|(k, p)| {
            let (arg, ty) = (self.e.arg(k), value(self, p));
            let (slot, slot_ty) = (self.e.slot_arg(k), self.slot(k, p, name));
            quote!(#arg: #ty, #slot: #slot_ty)
        });
        slotted.collect()
    }

    pub(super) fn slot(&self, k: usize, p: &Param, name: &str) -> TokenStream {
        let rt = self.e.rt;
        if !is_generic(p) {
            return quote!(());
        }
        let target = self.slot_target(p);
        if p.mode == Mode::Mut {
            return quote!(&mut #target);
        }
        let (marker, name) = (self.e.marker(k), own(name).to_string());
        let name = proc_macro2::Ident::new(&name, proc_macro2::Span::call_site());
        quote!(#rt::#name<'_, #target, #marker>)
    }
}

/// Whether the floats of a parameter are of the generic scalar.
pub(super) fn is_generic(p: &Param) -> bool {
    p.ty.has_floats() && p.role != Role::Constant
}

impl Emitter<'_> {
    /// What reads fields of types that are not known here.
    pub(super) fn field_traits(&self) -> TokenStream {
        let rt = self.rt;
        if self.body.places.iter().any(|p| p.ty.is_structs()) {
            quote!(use #rt::{AsView as _, ReadInteger as _, ReadLane as _, ReadPlain as _, ReadScalar as _};)
        } else {
            TokenStream::new()
        }
    }

    /// Binds value arguments to the places that stand for them.
    pub(super) fn bind_values(&self) -> TokenStream {
        let mut tokens = self.unless_sound();
        tokens.extend(self.check_methods());
        for (k, p) in self.body.params.iter().enumerate() {
            let Some(place) = p.place else { continue };
            if self.argument_of(place).is_some() {
                continue;
            }
            let (id, arg) = (self.place_ident(place), self.arg(k));
            match self.body.place(place).kind {
                PlaceKind::ValueParam(_) => tokens.extend(self.bind_marked(place, &id, &arg)),
                PlaceKind::SharedParam(_) | PlaceKind::MutParam(_)
                    if is_generic(p) && matches!(p.ty, Type::Struct(_)) =>
                {
                    let ty = self.if_sound(&Signature { e: self }.value(p));
                    tokens.extend(quote!(let #id: #ty = #arg;));
                }
                PlaceKind::SharedParam(_) | PlaceKind::MutParam(_) => {
                    tokens.extend(quote!(let #id = #arg;))
                }
                PlaceKind::Local
                | PlaceKind::State
                | PlaceKind::View
                | PlaceKind::Row
                | PlaceKind::Slot(_)
                | PlaceKind::ResultSlot(_) => {}
            }
        }
        tokens
    }

    /// Fresh slots that the body does not use: nothing depends on their parameters.
    fn unused_slots(&self) -> TokenStream {
        let rt = self.rt;
        let places = &self.body.places;
        let mut tokens = TokenStream::new();
        for (k, param) in self.body.params.iter().enumerate() {
            let used = places.iter().any(|info| info.kind == PlaceKind::Slot(k));
            if used || !self.has_marker(k) || param.ty.is_structs() {
                continue;
            }
            let (arg, marker) = (self.slot_arg(k), self.marker(k));
            let zero = quote!(__A::zero());
            let ty = param.ty.lanes();
            let clear = if ty.is_scalar() {
                quote!(#arg.give::<__S>(#zero);)
            } else {
                let all = quote!(#arg.into_inner().unwrap_or_default());
                let all = super::place::flatten(all, Some(&ty), true);
                quote!(#all.fill(#zero);)
            };
            tokens.extend(quote!(if <#marker as #rt::Activity>::FRESH { #clear }));
        }
        tokens
    }

    /// Length of the elements that those of slot `k` stand beside, if the body sees them.
    ///
    /// A slot cut to it is checked for an index that was checked already without another branch.
    fn len_beside(&self, k: usize, slot: &Type) -> Option<TokenStream> {
        let param = &self.body.params[k];
        let given = param.mode == Mode::Ref && self.needs.get(k) == Some(&true);
        let seen = self.kind == Kind::Tangent || given;
        let place = param.place.filter(|_| seen)?;
        let sequence = slot.element().is_some() && !slot.is_structs();
        let id = self.place_ident(place);
        sequence.then(|| quote!(#id.len()))
    }

    /// Binds slot arguments to the slot places that the body uses; returns what follows the body.
    pub(super) fn bind_slots(&self) -> (TokenStream, TokenStream) {
        // slots that the body itself zeroes where they are fresh
        let filled = |stmt: &Stmt| match stmt {
            Stmt::First(First::Fill { slot, .. }) => Some(*slot),
            _ => None,
        };
        let filled: Set<crate::ir::PlaceId> = self.body.region.all().filter_map(filled).collect();
        let mut before = TokenStream::new();
        let mut after = TokenStream::new();
        let sig = Signature { e: self };
        for (i, info) in self.body.places.iter().enumerate() {
            let id = self.place_ident(crate::ir::PlaceId(i as u32));
            let rt = self.rt;
            match info.kind {
                PlaceKind::Slot(_) if self.direct.contains(&crate::ir::PlaceId(i as u32)) => {}
                PlaceKind::Slot(k) => {
                    let arg = self.slot_arg(k);
                    let scalar = info.ty.is_scalar();
                    let strukt = matches!(info.ty, Type::Lanes(_));
                    let len = self.len_beside(k, &info.ty);
                    if !self.has_marker(k) {
                        before.extend(match len {
                            Some(len) => quote!(let #id = &mut #arg[..#len];),
                            None => quote!(let #id = #arg;),
                        });
                    } else if self.kind == Kind::Tangent {
                        before.extend(if scalar {
                            quote!(let #id: __A = #arg.value();)
                        } else if strukt {
                            let ty = self.if_sound(&sig.slot(k, &self.body.params[k], "Seed"));
                            quote!(let #id: #ty = #arg;)
                        } else {
                            match len {
                                Some(len) => quote!(let #id = #arg.beside(#len);),
                                None => quote!(let #id = #arg.get().unwrap_or_default();),
                            }
                        });
                    } else if scalar {
                        before.extend(quote!(let mut #id = __A::zero();));
                        after.extend(quote!(#arg.give::<__S>(#id);));
                    } else if strukt {
                        let ty = self.if_sound(&sig.slot(k, &self.body.params[k], "Shadow"));
                        before.extend(quote!(let mut #id: #ty = #arg;));
                    } else {
                        before.extend(match len {
                            Some(len) => quote!(let #id = #arg.beside(#len);),
                            None => quote!(let #id = #arg.into_inner().unwrap_or_default();),
                        });
                        let place = crate::ir::PlaceId(i as u32);
                        if !filled.contains(&place) && !info.ty.is_structs() {
                            let marker = self.marker(k);
                            let zero = self.zero(&crate::ir::Place::from(place));
                            before.extend(quote!(if <#marker as #rt::Activity>::FRESH { #zero }));
                        }
                    }
                }
                PlaceKind::ResultSlot(k) => {
                    let seed = own(&format!("__seed{k}"));
                    before.extend(quote!(let #id = #seed;));
                }
                PlaceKind::SharedParam(_)
                | PlaceKind::MutParam(_)
                | PlaceKind::ValueParam(_)
                | PlaceKind::Local
                | PlaceKind::State
                | PlaceKind::View
                | PlaceKind::Row => {}
            }
        }
        if self.kind == Kind::Reverse {
            before.extend(self.unused_slots());
        }
        (before, after)
    }
}

fn primal_item(body: &Body, cx: Context<'_>) -> TokenStream {
    let rt = cx.rt;
    let views = Views::of(body);
    let facts = activity(body, &views);
    let mut e = Emitter::new(body, &facts, Kind::Primal, cx);
    let code = with_cells(body, e.region(&body.region));
    let sig = Signature { e: &e };
    let (bound, ret) = (sig.scalar_bound(), e.ret_ty());
    let args = sig.values();
    let bind = e.bind_values();
    let fields = e.field_traits();
    let methods = e.methods_item();
    quote!(
        #methods
        #[inline]
        pub fn __primal<#bound>(#(#args,)* __pool: &mut #rt::Pool) -> #ret {
            #fields
            #bind
            #code
        }
    )
}

fn tangent_item(t: &Tangent, cx: Context<'_>) -> TokenStream {
    let rt = cx.rt;
    let mut e = Emitter::new(&t.body, &t.activity, Kind::Tangent, cx);
    e.tangent_of = t.vals.clone();
    e.inlined = super::operand::inlined(&t.body, &t.activity, &t.vals);
    e.tangent_places = t.places.clone();
    e.primal_of = t.places.iter().map(|(p, t)| (*t, *p)).collect();
    let code = with_cells(&t.body, e.region(&t.body.region));
    let sig = Signature { e: &e };
    let (bound, markers) = (sig.scalar_bound(), sig.markers());
    let (ret, tangent_ret) = (e.ret_ty(), e.ret_lane_ty(false));
    let args = sig.slotted(Signature::value, "Seed");
    let bind = e.bind_values();
    let fields = e.field_traits();
    let (slots, _) = e.bind_slots();
    quote!(
        #[inline]
        pub fn __tangent<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
            #(#args,)* __pool: &mut #rt::Pool,
        ) -> (#ret, #tangent_ret) {
            #fields
            #bind
            #slots
            #code
        }
    )
}

fn augmented_item(r: &Reverse, reach: &Reach, cx: Context<'_>) -> TokenStream {
    let rt = cx.rt;
    let (record, leave) = reach.record(cx.sound, &r.frame);
    let mut e = Emitter::new(&r.augmented, &r.activity, Kind::Augmented, cx).with_frame(&r.frame);
    e.leave = leave;
    let code = with_cells(&r.augmented, e.region(&r.augmented.region));
    let sig = Signature { e: &e };
    let (bound, ret, inline) = (sig.scalar_bound(), e.ret_ty(), inline(r));
    let args = sig.values();
    let bind = e.bind_values();
    let fields = e.field_traits();
    let split = e
        .frame()
        .split(&quote!(__rec), &quote!(__irec), &r.frame, true);
    quote!(
        #inline
        pub fn __augmented<#bound>(
            #(#args,)* __rec: &mut [__S], __irec: &mut [usize], __tape: &mut #rt::Tape<__S>, __pool: &mut #rt::Pool,
        ) -> #ret {
            #fields
            #record
            #split
            #bind
            #code
        }
    )
}

fn reverse_item(r: &Reverse, sweep: &Body, reach: &Reach, cx: Context<'_>) -> TokenStream {
    let rt = cx.rt;
    let record = reach.recorded(cx.sound, &r.frame);
    let mut e = Emitter::new(sweep, &r.activity, Kind::Reverse, cx).with_frame(&r.frame);
    e.needs = r.needs.clone();
    e.in_order = super::joint::trip_by_trip(r);
    let code = with_cells(sweep, e.region(&sweep.region));
    let sig = Signature { e: &e };
    let (bound, markers, inline) = (sig.scalar_bound(), sig.markers(), inline(r));
    let adjoint = e.ret_lane_ty(true);
    let args = sig.slotted(Signature::reverse_value, "Shadow");
    let mut bind = e.unless_sound();
    for (k, p) in sweep.params.iter().enumerate() {
        if let Some(place) = p.place.filter(|p| e.argument_of(*p).is_none()) {
            let (id, arg) = (e.place_ident(place), e.arg(k));
            if is_generic(p) && matches!(p.ty, Type::Struct(_)) {
                let ty = e.if_sound(&sig.reverse_value(p));
                bind.extend(quote!(let #id: #ty = #arg;));
            } else {
                bind.extend(quote!(let #id = #arg;));
            }
        }
    }
    let (seeds, steady) = (e.seeds(), e.bind_steady());
    let fields = e.field_traits();
    let (slots, after) = e.bind_slots();
    let split = e
        .frame()
        .split(&quote!(__rec), &quote!(__irec), &r.frame, false);
    quote!(
        #inline
        pub fn __reverse<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
            #(#args,)* #seeds: #adjoint, __rec: &[__S], __irec: &[usize],
            __tape: &#rt::Tape<__S>, __cur: &mut #rt::Cursor, __pool: &mut #rt::Pool,
        ) {
            #fields
            #record
            #split
            #bind
            #steady
            #slots
            #code
            #after
        }
    )
}

/// Both sweeps in one function, if they have a loop in common: else the runtime runs one after the other.
fn fused_item(r: &Reverse, sweep: &Body, cx: Context<'_>) -> Option<TokenStream> {
    let rt = cx.rt;
    let joint = with_cells(sweep, super::joint::both_sweeps(r, sweep, cx)?);
    let e = Emitter::new(sweep, &r.activity, Kind::Reverse, cx);
    let sig = Signature { e: &e };
    let (bound, markers) = (sig.scalar_bound(), sig.markers());
    let (ret, adjoint) = (e.ret_ty(), e.ret_lane_ty(true));
    let args = sig.slotted(Signature::value, "Shadow");
    Some(quote!(
        #[inline]
        pub fn __fused<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
            #(#args,)* __result_adjoint: #adjoint, __tape: &mut #rt::Tape<__S>, __pool: &mut #rt::Pool,
        ) -> #ret {
            #joint
        }
    ))
}
