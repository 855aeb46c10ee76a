//! Arms of branches and trips of loops that inputs decide, and the states that they leave.

use super::super::Emitter;
use crate::analysis::control::Control;
use crate::ir::{Exit, Op, PlaceId, PlaceKind, Region, Stmt, Type, Val};
use crate::sorted::Set;
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

/// Trips of a loop that inputs decide before what it does to integers is joined too.
const TRIPS: usize = 256;

/// A place that both arms may write, and the variable of its other state.
struct State {
    /// The place as an expression.
    here: TokenStream,
    saved: Ident,
    form: Form,
}

enum Form {
    Plain,
    /// Empty until the function returns.
    Result,
    /// A sequence of structs, or one.
    Structs(TokenStream),
}

impl State {
    fn save(&self, rt: &TokenStream) -> TokenStream {
        let here = &self.here;
        match &self.form {
            Form::Structs(_) => quote!((&*#here).to_vec()),
            Form::Plain | Form::Result => quote!(#rt::Join::save(&#here)),
        }
    }

    fn swap(&self, rt: &TokenStream, with: &TokenStream) -> TokenStream {
        let here = &self.here;
        match &self.form {
            Form::Structs(_) => quote!(#rt::swap_structs(#here, &mut #with)?;),
            Form::Plain | Form::Result => quote!(#rt::Join::swap(&mut #here, &mut #with);),
        }
    }

    fn join(&self, rt: &TokenStream, with: &TokenStream) -> TokenStream {
        let here = &self.here;
        match &self.form {
            Form::Structs(path) => {
                quote!(#rt::join_structs::<#path, __S>(#here, &#with)?;)
            }
            Form::Result => quote!(#rt::join_results(&mut #here, &#with)?;),
            Form::Plain => quote!(#rt::Join::join(&mut #here, &#with)?;),
        }
    }

    fn within(&self, rt: &TokenStream, before: &TokenStream) -> TokenStream {
        let here = &self.here;
        match &self.form {
            Form::Structs(path) => {
                quote!(#rt::structs_within::<#path, __S>(&*#here, &#before))
            }
            Form::Plain | Form::Result => quote!(#rt::Join::within(&#here, &#before)),
        }
    }
}

impl Emitter<'_> {
    fn states(&mut self, control: &Control, regions: [&Region; 2]) -> Vec<State> {
        let mut written = Set::new();
        for region in regions {
            written.extend(control.written(region));
        }
        let n = self.next_suffix();
        let state = |p: PlaceId| {
            let info = self.body.place(p);
            let id = self.place_ident(p);
            let by_reference = matches!(info.kind, PlaceKind::MutParam(_));
            let place = if by_reference {
                quote!((*#id))
            } else {
                quote!(#id)
            };
            let (here, form) = match info.ty.leaf() {
                Type::Struct(path) => {
                    let here = match &info.ty {
                        Type::Struct(_) => quote!(::core::slice::from_mut(&mut #place)),
                        ty => {
                            let all = quote!(#place[..]);
                            let all = super::super::place::flatten(all, Some(ty), true);
                            quote!((&mut #all))
                        }
                    };
                    (here, Form::Structs(path.0.clone()))
                }
                _ if self.results.contains(&p) && matches!(info.ty, Type::Vec(_)) => {
                    (place, Form::Result)
                }
                _ => (place, Form::Plain),
            };
            State {
                here,
                saved: super::super::names::own(&format!("__other{n}_{}", p.0)),
                form,
            }
        };
        written.into_iter().map(state).collect()
    }

    /// A region in which a panic leaves the block with this label.
    fn arm(
        &mut self,
        label: &TokenStream,
        none: TokenStream,
        region: &Region,
        results: Option<&[Val]>,
    ) -> TokenStream {
        // what it gives away stays with the other arm
        let moved = self.moves_in(region);
        let copies = moved.iter().map(|p| {
            let id = self.place_ident(*p);
            quote!(let mut #id = ::core::clone::Clone::clone(&#id);)
        });
        let copies: TokenStream = copies.collect();
        self.arms.push(quote!(break #label (#none);));
        let before = self.moved.clone();
        let code = self.region_as(region, results);
        self.moved = before;
        self.arms.pop();
        quote!(#copies #code)
    }

    /// Both arms, and what they leave joined.
    pub(super) fn fork(
        &mut self,
        control: &Control,
        cond: Val,
        [then, els]: [&Region; 2],
        results: &[Val],
    ) -> TokenStream {
        let rt = self.rt;
        let states = self.states(control, [then, els]);
        let n = self.next_suffix();
        let name = |base: &str| super::super::names::own(&format!("__{base}{n}"));
        let (first, second, cond) = (name("then"), name("else"), self.val(cond));
        let none = quote!(::core::option::Option::None);
        let mut arms = Vec::new();
        for (base, region, other) in [("then", then, false), ("else", els, true)] {
            let label = self.label(&format!("{base}{n}"));
            let label = quote!(#label);
            let code = self.arm(&label, none.clone(), region, Some(results));
            arms.push(quote!(#label: {
                if #cond == ::core::option::Option::Some(#other) { break #label (#none); }
                ::core::option::Option::Some({ #code })
            }));
        }
        let (then, els) = (&arms[0], &arms[1]);
        let mut save = TokenStream::new();
        let (mut swap, mut join) = (TokenStream::new(), TokenStream::new());
        for state in &states {
            let saved = &state.saved;
            let (copy, with) = (state.save(rt), quote!(#saved));
            save.extend(quote!(let mut #saved = #copy;));
            swap.extend(state.swap(rt, &with));
            join.extend(state.join(rt, &with));
        }
        let ids: Vec<Ident> = results.iter().map(|r| self.var(*r)).collect();
        let tys: Vec<TokenStream> = results.iter().map(|r| self.result_ty(*r)).collect();
        let known = self.demanded(results);
        let (pattern, ty) = match (&ids[..], &tys[..]) {
            ([id], [ty]) => (quote!(#id), quote!(#ty)),
            _ => (quote!((#(#ids),*)), quote!((#(#tys),*))),
        };
        let parts: TokenStream = match &ids[..] {
            [_] => quote!(#rt::Join::join(&mut __first, &__second)?;),
            _ => (0..ids.len())
                .map(|k| {
                    let k = proc_macro2::Literal::usize_unsuffixed(k);
                    quote!(#rt::Join::join(&mut __first.#k, &__second.#k)?;)
                })
                .collect(),
        };
        let die = self.die();
        let some = quote!(::core::option::Option::Some);
        quote!(
            #save
            let #first: ::core::option::Option<#ty> = #then;
            #swap
            let #second: ::core::option::Option<#ty> = #els;
            let #pattern: #ty = match (#first, #second) {
                (#some(mut __first), #some(__second)) => { #join #parts __first }
                (#some(__first), #none) => { #swap __first }
                (#none, #some(__second)) => __second,
                (#none, #none) => { #die }
            };
            #known
        )
    }

    /// Trips until the condition is known to fail, or until one adds nothing. `__left`: all states in which
    /// the loop may be left.
    pub(super) fn open_loop(
        &mut self,
        control: &Control,
        cond: &Region,
        body: &Region,
        trip: Option<Val>,
        trips: Option<Val>,
    ) -> TokenStream {
        let rt = self.rt;
        let states = self.states(control, [cond, body]);
        // trips that know their number are all different
        let numbered = trip.is_some_and(|t| is_numbered(body, t));
        let n = self.next_suffix();
        let name = |base: &str| super::super::names::own(&format!("__{base}{n}"));
        let (count, left, before) = (name("count"), name("left"), name("before"));
        let label = self.label(&format!("trip{n}"));
        let label = quote!(#label);
        let cond_label = self.label(&format!("cond{n}"));
        let cond_label = quote!(#cond_label);
        let none = quote!(::core::option::Option::None);
        let some = quote!(::core::option::Option::Some);
        let Exit::Yield(yields) = &cond.exit else {
            unreachable!("verify: a condition yields")
        };
        let open = yields.iter().any(|c| self.is_open(*c));
        debug_assert!(open, "a loop that inputs decide");
        let cond = self.arm(&cond_label, none.clone(), cond, None);
        let code = self.arm(&label, quote!(false), body, None);
        let bind = trip.map(|t| {
            let t = self.val(t);
            quote!(let #t = #count;)
        });
        let part = |of: &Ident, k: usize| {
            let k = proc_macro2::Literal::usize_unsuffixed(k);
            quote!(#of.#k)
        };
        let saves: Vec<TokenStream> = states.iter().map(|s| s.save(rt)).collect();
        let (mut note, mut back) = (TokenStream::new(), TokenStream::new());
        let (mut widen, mut within) = (TokenStream::new(), quote!(true));
        let all = name("all");
        for (k, state) in states.iter().enumerate() {
            let with = part(&all, k);
            let swap = state.swap(rt, &with);
            let join = state.join(rt, &with);
            note.extend(quote!(#swap #join #swap));
            back.extend(swap);
            let was = part(&before, k);
            widen.extend(state.join(rt, &was));
            let inside = state.within(rt, &was);
            within.extend(quote!(&& #inside));
        }
        let leave = quote!(
            match &mut #left {
                #none => #left = #some((#(#saves,)*)),
                #some(#all) => { #note }
            }
        );
        let (look, decide) = if numbered {
            (TokenStream::new(), TokenStream::new())
        } else {
            (
                quote!(
                    let #before = if #count.is_power_of_two() || #count >= #TRIPS {
                        #some((#(#saves,)*))
                    } else {
                        #none
                    };
                ),
                quote!(if let #some(#before) = #before {
                    if #within { #leave break; }
                    if #count >= #TRIPS { #widen }
                }),
            )
        };
        let after = trips.map(|t| {
            let (id, ty) = (self.val(t), self.val_ty(t));
            if self.is_open(t) {
                quote!(let #id: #ty = #none;)
            } else {
                quote!(let #id: #ty = #rt::demand(#none)?;)
            }
        });
        let die = self.die();
        quote!(
            let mut #left = #none;
            let mut #count = 0usize;
            loop {
                #bind
                let __goes_on: ::core::option::Option<::core::option::Option<__p::bool>> =
                    #cond_label: { #some({ #cond }) };
                let #some(__goes_on) = __goes_on else { break };
                if __goes_on != #some(true) { #leave }
                if __goes_on == #some(false) { break; }
                #look
                let __alive: __p::bool = #label: { #code true };
                if !__alive { break; }
                #decide
                #count += 1;
            }
            match #left {
                #some(mut #all) => { #back }
                #none => { #die }
            }
            #after
        )
    }
}

/// Whether trips of a loop depend on their number, beyond an induction variable that nobody reads.
fn is_numbered(body: &Region, trip: Val) -> bool {
    let Some((Stmt::Let(iv, Op::Induction { trip: t, .. }), rest)) = body.stmts.split_first()
    else {
        return body.uses().contains(&trip);
    };
    let rest = Region {
        stmts: rest.to_vec(),
        exit: body.exit.clone(),
    };
    let used = rest.uses();
    *t != trip || used.contains(&trip) || used.contains(iv)
}
