//! Loops whose trips keep records, and whose bodies use the tape themselves or call what may.

use super::frame::{Counted, Open, callee_sizes, uses_tape_now, uses_tape_surely};
use super::{Emitter, Kind};
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

/// What a loop keeps of one kind, of words or of integers.
struct Part {
    /// The stack of the tape that it is on.
    stack: TokenStream,
    /// Holds it until the loop has ended, if the trips use the stack.
    room: TokenStream,
    /// Type of an entry.
    ty: TokenStream,
    /// What entries begin with.
    zero: TokenStream,
    /// Cuts the own lanes off `__block`.
    lanes: TokenStream,
    /// Number of entries of a trip that are its own.
    own: usize,
    /// The record of a trip's callees, that of all trips, and the number of entries in a trip; nothing without callees.
    callees: Option<(Ident, Ident, TokenStream)>,
}

impl Part {
    fn is_empty(&self) -> bool {
        self.own == 0 && self.callees.is_none()
    }

    /// Number of entries of `n` trips.
    fn entries(&self, n: &TokenStream) -> TokenStream {
        let own = self.own;
        let callees = self.callees.iter().map(|(.., size)| size);
        quote!(#n * (#own #(+ #callees)*))
    }

    /// Takes `__block` apart.
    fn cut(&self, n: &TokenStream, rt: &TokenStream, kind: Kind) -> TokenStream {
        let Part { ty, lanes, .. } = self;
        let trips = self.callees.iter().map(|(_, trips, size)| match kind {
            Kind::Reverse => {
                quote!(let #trips: #rt::Trips<'_, #ty, { #size }> = #rt::Trips::new(__block, #n);)
            }
            _ => quote!(
                let mut #trips: #rt::TripsMut<'_, #ty, { #size }> = #rt::TripsMut::new(__block, #n);
            ),
        });
        quote!(#lanes #(#trips)*)
    }
}

impl Emitter<'_> {
    pub(super) fn records_loop(
        &mut self,
        l: Counted<'_>,
        trip: &Ident,
        n: &TokenStream,
        open: Open,
    ) -> TokenStream {
        let Counted {
            frame,
            label,
            head,
            body,
        } = l;
        let (rt, kind) = (self.rt, self.kind);
        let (words, ints) = callee_sizes(&frame.callees, rt);
        let callees = |record: &Ident, size: TokenStream| {
            let trips = super::names::own(&format!("{record}_trips"));
            (!frame.callees.is_empty()).then(|| (record.clone(), trips, quote!(0 #size)))
        };
        let words = Part {
            stack: quote!(words),
            room: quote!(__room),
            ty: quote!(__S),
            zero: quote!(__S::default()),
            lanes: self.lanes_of(open.words(), frame.words as usize, n),
            own: frame.words as usize,
            callees: callees(&open.callee_words, words),
        };
        let ints = Part {
            stack: quote!(ints),
            room: quote!(__iroom),
            ty: quote!(usize),
            zero: quote!(0usize),
            lanes: self.lanes_of(open.ints(), frame.ints as usize, n),
            own: frame.ints as usize,
            callees: callees(&open.callee_ints, ints),
        };
        let deep = uses_tape_now(body);
        // who has no callees to ask is here for what the trips do themselves
        let is_deep = frame.callees.is_empty() || uses_tape_surely(body);
        self.frames.push(open.of_trip(trip));
        let body = self.loop_body(label, body);
        self.frames.pop();
        let parts: Vec<Part> = [words, ints]
            .into_iter()
            .filter(|p| !p.is_empty())
            .collect();
        let cut: Vec<_> = parts.iter().map(|p| p.cut(n, rt, kind)).collect();
        let entries: Vec<_> = parts.iter().map(|p| p.entries(n)).collect();
        let stacks: Vec<_> = parts.iter().map(|p| &p.stack).collect();
        let rooms: Vec<_> = parts.iter().map(|p| &p.room).collect();
        let callees = || parts.iter().filter_map(|p| Some((p, p.callees.as_ref()?)));
        if kind == Kind::Reverse {
            let records =
                callees().map(|(_, (record, trips, _))| quote!(let #record = &#trips.of(#trip);));
            return quote!({
                #(
                    let __block = __cur.#stacks(__tape, #entries);
                    #cut
                )*
                #head {
                    #(#records)*
                    #body
                }
            });
        }
        let zeros = callees().map(|(p, (record, _, size))| {
            let zero = &p.zero;
            quote!(let mut #record = [#zero; #size];)
        });
        let put = callees().map(|(_, (record, trips, _))| quote!(#trips.put(#trip, &#record);));
        let run = quote!(#head {
            #(#zeros)*
            { #body }
            #(#put)*
        });
        let fills = parts.iter().map(|p| &p.zero);
        let push = quote!(#(__tape.#stacks.push_slice(&#rooms);)*);
        let give = rooms.iter().rev().map(|room| quote!(__pool.give(#room);));
        if is_deep {
            let types = parts.iter().map(|p| &p.ty);
            return quote!({
                #(let mut #rooms = __pool.take_dirty(#entries, #fills);)*
                {
                    #(
                        let __block: &mut [#types] = &mut #rooms;
                        #cut
                    )*
                    #run
                }
                #push
                #(#give)*
            });
        }
        let blocks = [quote!(__block), quote!(__iblock)];
        quote!({
            let __deep: bool = #deep;
            #(let mut #rooms = __pool.take_dirty(if __deep { #entries } else { 0 }, #fills);)*
            {
                let mut __none = #rt::Tape::new();
                let (__block, __iblock, __tape): (&mut [__S], &mut [usize], &mut #rt::Tape<__S>) =
                    if __deep {
                        (#(&mut #rooms,)* &mut *__tape)
                    } else {
                        (#(__tape.#stacks.block(#entries),)* &mut __none)
                    };
                #(
                    let __block = #blocks;
                    #cut
                )*
                #run
                __none.expect_empty();
            }
            if __deep { #push }
            #(#give)*
        })
    }
}
