//! The driver of a loop whose trips are not recorded: snapshots of the state forward, and backwards
//! each stretch once more from its snapshot.
//!
//! (Griewank 1992; revolve: Griewank, Walther 2000, Algorithm 799. Where snapshots are is said by the
//! runtime, `checkpoint::period` and `checkpoint::split`.)

use super::function::Signature;
use super::inherent::Inherent;
use super::instance::Generics;
use super::names::own;
use super::numbers::Numbers;
use super::{Context, Emitter, Kind};
use crate::analysis::activity::activity;
use crate::analysis::renewed::NEVER;
use crate::analysis::views::Views;
use crate::ir::{Body, Mode, Param, Role, Schedule, Type};
use crate::purpose;
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

/// Generates the items of a driver. `step` is the path of the step's handle.
pub(crate) fn generate_driver(
    body: &Body,
    schedule: Schedule,
    step: &Ident,
    generics: &Generics,
    rt: &TokenStream,
) -> Inherent {
    let facts = activity(body, &Views::of(body));
    let cx = Context::new(rt, step, generics);
    let driver = Driver {
        e: Emitter::new(body, &facts, Kind::Primal, cx),
        body,
        step,
        code: generics.code(step),
        rt,
    };
    driver.items(schedule)
}

struct Driver<'a> {
    e: Emitter<'a>,
    body: &'a Body,
    step: &'a Ident,
    /// The type that the code of the step is in.
    code: TokenStream,
    rt: &'a TokenStream,
}

/// Where the step finds the state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// In the arguments.
    Lent,
    /// In copies of the reverse sweep, where slices are no arrays.
    Copied,
}

impl Driver<'_> {
    fn items(&self, schedule: Schedule) -> Inherent {
        let (rt, step, code) = (self.rt, self.step, &self.code);
        let sig = Signature { e: &self.e };
        let (bound, markers) = (sig.scalar_bound(), sig.markers());
        let values = sig.values();
        let seeded = sig.slotted(Signature::value, "Seed");
        let reversed = sig.slotted(Signature::reverse_value, "Shadow");
        let Numbers {
            words,
            ints,
            record,
            restore,
        } = self.e.record_numbers();
        let needs = self.each(|_, p| {
            // integers that are computed outside of the loop too
            let integers = matches!(p.ty.leaf(), Type::Int(_) | Type::Bool);
            let read = p.mode == Mode::Ref
                && (p.role == Role::Active || p.role == Role::Constant && integers);
            quote!(#read)
        });
        let (count, never) = (needs.len(), NEVER);
        let constant = self.body.params.iter().map(|p| p.role == Role::Constant);
        let behind_mut = self.body.params.iter().map(|p| p.mode == Mode::Mut);
        let trips = self.e.arg(0);
        let steps = self.steps(State::Lent);
        let tangents = self.inputs(|k, p| {
            let (value, slot) = (self.value(k, p, State::Lent), self.e.slot_arg(k));
            match (p.role, p.mode) {
                (Role::Constant, _) => quote!(#value, ()),
                (_, Mode::Mut) => quote!(#value, &mut *#slot),
                _ => quote!(#value, #slot),
            }
        });
        let (forward, backward) = match schedule {
            Schedule::Every(every) => self.periodic(every),
            Schedule::Revolve(snapshots) => self.binomial(snapshots),
        };
        let copies = self.copies();
        let slots = (0..self.body.params.len())
            .filter(|k| self.e.has_marker(*k))
            .map(|k| {
                let slot = self.e.slot_arg(k);
                quote!(let mut #slot = #slot;)
            });
        let gone = self.state().map(|k| {
            let copy = self.copy(k);
            quote!(__pool.give(#copy);)
        });
        let pattern = purpose::finds_patterns().then(|| {
            let each = quote!(
                for __trip in 0..#trips {
                    <#code>::__pattern(__trip, #(#steps,)* __pool)?;
                }
                ::core::result::Result::Ok(())
            );
            sig.pattern(&values, &quote!(()), &each)
        });
        let mut items = Inherent::new(quote!(
            pub const __WORDS: usize = #words;
            pub const __INTS: usize = #ints;
            pub const __RECORDS: bool = true;
            pub const __TAPE: bool = true;
            pub const __BUFFERS: bool = true;
            pub const fn __visit(__seen: &mut #rt::Seen) {
                <#step>::__visit(__seen);
                __seen.takes_buffers();
            }
            pub const __CONSTANT: [bool; #count] = [#(#constant),*];
            pub const __GIVES: &'static [u8] = &[];
            pub const __NEEDS: [bool; #count] = [#(#needs),*];
            pub const __RENEWS: [u64; #count] = [#never; #count];
            pub const __MUT: [bool; #count] = [#(#behind_mut),*];
        ));
        items.code = quote!(
            #[inline]
            pub fn __primal<#bound>(#(#values,)* __pool: &mut #rt::Pool) {
                for __trip in 0..#trips {
                    <#code>::__primal(__trip, #(#steps,)* __pool);
                }
            }
            #pattern
            #[inline]
            pub fn __tangent<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
                #(#seeded,)* __pool: &mut #rt::Pool,
            ) -> ((), ()) {
                for __trip in 0..#trips {
                    <#code>::__tangent(__trip, (), #(#tangents,)* __pool);
                }
                ((), ())
            }
            #[inline]
            pub fn __augmented<#bound>(
                #(#values,)* __words: &mut [__S], __ints: &mut [usize],
                __tape: &mut #rt::Tape<__S>, __pool: &mut #rt::Pool,
            ) {
                #record
                #forward
            }
            #[inline]
            pub fn __reverse<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
                #(#reversed,)* (): (), __words: &[__S], __ints: &[usize],
                __tape: &#rt::Tape<__S>, __cur: &mut #rt::Cursor, __pool: &mut #rt::Pool,
            ) {
                #restore
                if #trips == 0 {
                    return;
                }
                #(#slots)*
                #copies
                // a vector of one, which keeps its storage
                let mut __tapes = __pool.take_dirty(1, #rt::Tape::<__S>::new());
                let __inner = &mut __tapes[0];
                let mut __own_words = [<__S as ::core::default::Default>::default(); <#step>::__WORDS];
                let mut __own_ints = [0usize; <#step>::__INTS];
                #backward
                __pool.give(__tapes);
                #(#gone)*
            }
        );
        items
    }

    // ---- schedules ----

    /// A snapshot each so many trips; the trips between two are recorded when they are reversed.
    fn periodic(&self, every: Option<usize>) -> (TokenStream, TokenStream) {
        let (rt, code, trips) = (self.rt, &self.code, self.e.arg(0));
        let period = match every {
            Some(every) => quote!(#every),
            None => quote!(#rt::checkpoint::period(#trips)),
        };
        let (keep, steps) = (self.keep(), self.steps(State::Lent));
        let forward = quote!(
            let __period = #period;
            for __trip in 0..#trips {
                if __trip % __period == 0 {
                    #keep
                }
                <#code>::__primal(__trip, #(#steps,)* __pool);
            }
        );
        let (take, record, reverse) = (self.take(false), self.record_step(), self.reverse_step());
        let backward = quote!(
            let __period = #period;
            let mut __end = #trips;
            while __end > 0 {
                let __begin = (__end - 1) / __period * __period;
                #take
                __inner.reset();
                for __trip in __begin..__end {
                    #record
                }
                let mut __back = __inner.cursor();
                for __trip in (__begin..__end).rev() {
                    #reverse
                }
                __end = __begin;
            }
        );
        (forward, backward)
    }

    /// A fixed number of snapshots, which are used again as they become free; one trip is recorded at
    /// a time.
    fn binomial(&self, snapshots: usize) -> (TokenStream, TokenStream) {
        let (rt, code, trips) = (self.rt, &self.code, self.e.arg(0));
        let (keep, steps) = (self.keep(), self.steps(State::Lent));
        let copied = self.steps(State::Copied);
        let forward = quote!(
            let (mut __at, mut __free) = (0usize, #snapshots);
            while __at < #trips {
                let __to = if __free > 0 {
                    #keep
                    let __to = __at + #rt::checkpoint::split(#trips - __at, __free);
                    __free -= 1;
                    __to
                } else {
                    #trips
                };
                for __trip in __at..__to {
                    <#code>::__primal(__trip, #(#steps,)* __pool);
                }
                __at = __to;
            }
        );
        let (record, reverse) = (self.record_step(), self.reverse_step());
        let (take, peek) = (self.take(false), self.take(true));
        let (stack, unstack, look) = (self.stack(), self.unstack(true), self.unstack(false));
        let backward = quote!(
            // trips that have a snapshot: those of the forward sweep, and then new ones
            let mut __marks = __pool.take_empty::<usize>(#snapshots);
            let (mut __at, mut __free) = (0usize, #snapshots);
            while __at < #trips && __free > 0 {
                __marks.push(__at);
                __at += #rt::checkpoint::split(#trips - __at, __free);
                __free -= 1;
            }
            let mut __old = __marks.len();
            let mut __more = __pool.take_growing::<__S>();
            let mut __end = #trips;
            while __end > 0 {
                let mut __at = __marks[__marks.len() - 1];
                if __end - __at == 1 {
                    // its last use
                    if __marks.len() > __old {
                        #unstack
                    } else {
                        #take
                        __old -= 1;
                    }
                    __marks.pop();
                } else {
                    if __marks.len() > __old {
                        #look
                    } else {
                        #peek
                    }
                    while __end - __at > 1 && __marks.len() < #snapshots {
                        let __to = __at + #rt::checkpoint::split(__end - __at, #snapshots - __marks.len() + 1);
                        for __trip in __at..__to {
                            <#code>::__primal(__trip, #(#copied,)* __pool);
                        }
                        __at = __to;
                        if __end - __at > 1 {
                            #stack
                            __marks.push(__at);
                        }
                    }
                    for __trip in __at..__end - 1 {
                        <#code>::__primal(__trip, #(#copied,)* __pool);
                    }
                }
                let __trip = __end - 1;
                __inner.reset();
                #record
                let mut __back = __inner.cursor();
                #reverse
                __end -= 1;
            }
            __pool.give(__marks);
            __pool.give_growing(__more);
        );
        (forward, backward)
    }

    // ---- snapshots ----

    /// Parameters that change from trip to trip.
    fn state(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.body.params.len()).filter(|k| self.body.params[*k].mode == Mode::Mut)
    }

    fn copy(&self, k: usize) -> Ident {
        own(&format!("__state{k}"))
    }

    /// All floats of a slice of arrays of arrays.
    fn flat(&self, k: usize, slice: TokenStream, mutable: bool) -> TokenStream {
        let mut ty = self.body.params[k].ty.element();
        let mut slice = slice;
        while let Some(Type::Array(t, _)) = ty {
            slice = if mutable {
                quote!(#slice.as_flattened_mut())
            } else {
                quote!(#slice.as_flattened())
            };
            ty = Some(t);
        }
        slice
    }

    fn keep(&self) -> TokenStream {
        let each = self.state().map(|k| {
            let arg = self.e.arg(k);
            let flat = self.flat(k, quote!((#arg[..])), false);
            quote!(__tape.words.push_slice(&#flat);)
        });
        quote!(#(#each)*)
    }

    /// Copies of the state, of the lengths of their adjoints.
    fn copies(&self) -> TokenStream {
        let each = self.state().map(|k| {
            let (copy, slot) = (self.copy(k), self.e.slot_arg(k));
            let element = self.body.params[k].ty.element();
            let mut zero = quote!(<__S as ::core::default::Default>::default());
            let mut lengths = Vec::new();
            let mut inner = element;
            while let Some(Type::Array(t, n)) = inner {
                lengths.push(&n.0);
                inner = Some(t);
            }
            for n in lengths.iter().rev() {
                zero = quote!([#zero; #n]);
            }
            quote!(let mut #copy = __pool.take_dirty(#slot.len(), #zero);)
        });
        quote!(#(#each)*)
    }

    /// The last snapshot on the tape; whether it stays there.
    fn take(&self, stays: bool) -> TokenStream {
        let cursor = if stays {
            quote!(
                let mut __peek = *__cur;
                let __seen = &mut __peek;
            )
        } else {
            quote!(let __seen = &mut *__cur;)
        };
        let each = self.state().rev().map(|k| {
            let copy = self.copy(k);
            let flat = self.flat(k, quote!((#copy[..])), true);
            quote!(
                let __into = &mut #flat;
                let __n = __into.len();
                __into.copy_from_slice(__seen.words(__tape, __n));
            )
        });
        quote!({
            #cursor
            #(#each)*
        })
    }

    /// A snapshot above those on the tape.
    fn stack(&self) -> TokenStream {
        let each = self.state().map(|k| {
            let copy = self.copy(k);
            let flat = self.flat(k, quote!((#copy[..])), false);
            quote!(__more.extend_from_slice(&#flat);)
        });
        quote!(#(#each)*)
    }

    /// The last of them; whether it is the last time.
    fn unstack(&self, drop: bool) -> TokenStream {
        let each = self.state().rev().map(|k| {
            let copy = self.copy(k);
            let flat = self.flat(k, quote!((#copy[..])), true);
            quote!(
                let __into = &mut #flat;
                __top -= __into.len();
                __into.copy_from_slice(&__more[__top..__top + __into.len()]);
            )
        });
        let cut = drop.then(|| quote!(__more.truncate(__top);));
        quote!(
            let mut __top = __more.len();
            #(#each)*
            #cut
        )
    }

    // ---- steps ----

    fn each(&self, item: impl Fn(usize, &Param) -> TokenStream) -> Vec<TokenStream> {
        let params = self.body.params.iter().enumerate();
        params.map(|(k, p)| item(k, p)).collect()
    }

    /// Without the number of trips.
    fn inputs(&self, item: impl Fn(usize, &Param) -> TokenStream) -> Vec<TokenStream> {
        let params = self.body.params.iter().enumerate().skip(1);
        params.map(|(k, p)| item(k, p)).collect()
    }

    fn steps(&self, state: State) -> Vec<TokenStream> {
        self.inputs(|k, p| self.value(k, p, state))
    }

    fn value(&self, k: usize, p: &Param, state: State) -> TokenStream {
        let (arg, copy) = (self.e.arg(k), self.copy(k));
        match (p.mode, &p.ty, state) {
            (Mode::Mut, _, State::Lent) => quote!(&mut *#arg),
            (Mode::Mut, Type::Array(..), State::Copied) => quote!(
                (&mut #copy[..]).try_into().expect("the length is that of the type")
            ),
            (Mode::Mut, _, State::Copied) => quote!(&mut #copy[..]),
            (Mode::Ref, Type::Array(..), State::Copied) if p.role == Role::Active => {
                quote!(#arg.try_into().expect("the length is that of the type"))
            }
            (Mode::Value, Type::Opaque(_), _) => quote!(::core::clone::Clone::clone(&#arg)),
            _ => quote!(#arg),
        }
    }

    /// One trip from the copies, recorded.
    fn record_step(&self) -> TokenStream {
        let (code, steps) = (&self.code, self.steps(State::Copied));
        quote!(
            <#code>::__augmented(
                __trip, #(#steps,)* &mut __own_words, &mut __own_ints, __inner, __pool,
            );
            __inner.words.push_slice(&__own_words);
            __inner.ints.push_slice(&__own_ints);
        )
    }

    /// The adjoint of one trip.
    fn reverse_step(&self) -> TokenStream {
        let (step, code) = (self.step, &self.code);
        let args = self.inputs(|k, p| {
            let (arg, slot) = (self.e.arg(k), self.e.slot_arg(k));
            match (p.role, p.mode) {
                (Role::Constant, Mode::Value) if p.ty.is_scalar() => quote!((), ()),
                (Role::Constant, Mode::Value) => quote!(::core::clone::Clone::clone(&#arg), ()),
                (Role::Constant, _) => quote!(#arg, ()),
                (_, Mode::Mut) => quote!((), &mut *#slot),
                (_, Mode::Value) => quote!((), #slot.reborrow()),
                (_, Mode::Ref) => quote!(#arg, #slot.reborrow()),
            }
        });
        quote!(
            let __step_words = __back.words(__inner, <#step>::__WORDS);
            let __step_ints = __back.ints(__inner, <#step>::__INTS);
            <#code>::__reverse(
                (), (), #(#args,)* (), __step_words, __step_ints, __inner, &mut __back, __pool,
            );
        )
    }
}
