//! Frames: where records of the region that is being written out are kept and read.

use super::{Emitter, Kind};
use crate::analysis::activity::regions_of;
use crate::ir::{For, Frame, FrameMode, Region, Stmt, Tokens, Val};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Names of the open frame.
#[derive(Clone)]
pub(crate) struct Open {
    /// Slots are `name[k]`, or `name_k[trip]` for lanes.
    words: Ident,
    ints: Ident,
    /// Trip number, for lanes.
    trip: Option<Ident>,
    /// The part of the record that is the callees'.
    pub(crate) callee_words: Ident,
    pub(crate) callee_ints: Ident,
    pub(crate) callees: Vec<Tokens>,
}

impl Open {
    /// The frame of the function itself.
    pub(crate) fn function(frame: &Frame) -> Open {
        Open::named("", frame)
    }

    fn named(suffix: &str, frame: &Frame) -> Open {
        let name = |base: &str| super::names::own(&format!("__{base}{suffix}"));
        Open {
            words: name("words"),
            ints: name("ints"),
            trip: None,
            callee_words: name("callee_words"),
            callee_ints: name("callee_ints"),
            callees: frame.callees.clone(),
        }
    }

    /// Slot `k` of the words.
    pub(crate) fn word(&self, k: u32) -> TokenStream {
        self.at(&self.words, k)
    }

    /// Slot `k` of the integers.
    pub(crate) fn int(&self, k: u32) -> TokenStream {
        self.at(&self.ints, k)
    }

    fn at(&self, name: &Ident, k: u32) -> TokenStream {
        let slot = k as usize;
        match &self.trip {
            Some(trip) => {
                let lane = lane(name, slot);
                quote!(#lane[#trip])
            }
            None => quote!(#name[#slot]),
        }
    }

    /// Splits a record into own slots and the callees' part.
    pub(crate) fn split(
        &self,
        words: &TokenStream,
        ints: &TokenStream,
        frame: &Frame,
        mutable: bool,
    ) -> TokenStream {
        let Open {
            words: w,
            ints: i,
            callee_words: cw,
            callee_ints: ci,
            ..
        } = self;
        let (nw, ni) = (frame.words as usize, frame.ints as usize);
        let split = if mutable {
            quote!(split_at_mut)
        } else {
            quote!(split_at)
        };
        quote!(
            let (#w, #cw) = #words.#split(#nw);
            let (#i, #ci) = #ints.#split(#ni);
        )
    }
}

fn lane(name: &Ident, k: usize) -> Ident {
    super::names::own(&format!("{name}_{k}"))
}

/// Number of words and integers of a whole record, as constant expressions.
pub(crate) fn sizes(frame: &Frame) -> (TokenStream, TokenStream) {
    let (w, i) = (frame.words as usize, frame.ints as usize);
    let callees: Vec<&TokenStream> = frame.callees.iter().map(|c| &c.0).collect();
    (
        quote!(#w #(+ <#callees>::__WORDS)*),
        quote!(#i #(+ <#callees>::__INTS)*),
    )
}

/// Whether a record has no slots.
pub(crate) fn is_empty(frame: &Frame) -> bool {
    frame.words == 0 && frame.ints == 0 && frame.callees.is_empty()
}

/// Whether an augmented sweep leaves anything on the tape.
pub(crate) fn uses_tape(region: &Region) -> bool {
    region.stmts.iter().any(|stmt| match stmt {
        Stmt::AugmentedCall(_) | Stmt::Tape(_) => true,
        Stmt::For(For { frame, .. }) | Stmt::While { frame, .. }
            if frame.mode != FrameMode::None =>
        {
            true
        }
        _ => regions_of(stmt).into_iter().any(uses_tape),
    })
}

/// A loop to be written.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'r> {
    pub(crate) frame: &'r Frame,
    pub(crate) label: Option<&'r str>,
    /// What opens it.
    pub(crate) head: &'r TokenStream,
    pub(crate) body: &'r Region,
}

/// Whether a sweep asserts or prints something.
pub(crate) fn has_effects(region: &Region) -> bool {
    region.stmts.iter().any(|stmt| match stmt {
        Stmt::Effect(_) => true,
        _ => regions_of(stmt).into_iter().any(has_effects),
    })
}

impl Emitter<'_> {
    /// The open frame.
    pub(crate) fn frame(&self) -> Open {
        self.frames
            .last()
            .cloned()
            .unwrap_or_else(|| unreachable!("augment: records stand in frames"))
    }

    /// A counted loop with its frame: `n` trips, numbered by `trip`.
    pub(crate) fn counted_loop(&mut self, l: Counted<'_>, trip: Val, n: Val) -> TokenStream {
        let Counted {
            frame,
            label,
            head,
            body,
        } = l;
        let (trip, n) = (self.val(trip), self.val(n));
        let suffix = self.next_suffix();
        let mut open = Open::named(&suffix, frame);
        match frame.mode {
            FrameMode::None => {
                let body = self.loop_body(label, body);
                quote!(#head { #body })
            }
            FrameMode::Lanes => {
                open.trip = Some(trip);
                let words = self.lanes(&open.words, frame.words as usize, &n, quote!(words));
                let ints = self.lanes(&open.ints, frame.ints as usize, &n, quote!(ints));
                self.frames.push(open);
                let body = self.loop_body(label, body);
                self.frames.pop();
                quote!({ #words #ints #head { #body } })
            }
            FrameMode::Records => self.records_loop(l, &trip, &n, open),
            FrameMode::Pushed => self.pushed_loop(l, open),
        }
    }

    /// `let (lane_0, rest) = block.split_at_mut(n); ..`
    fn lanes(&self, name: &Ident, count: usize, n: &Ident, stack: TokenStream) -> TokenStream {
        if count == 0 {
            return TokenStream::new();
        }
        let (block, split) = match self.kind {
            Kind::Reverse => (quote!(__cur.#stack(__tape, #n * #count)), quote!(split_at)),
            Kind::Augmented => (
                quote!(__tape.#stack.block(#n * #count)),
                quote!(split_at_mut),
            ),
            Kind::Primal | Kind::Tangent => unreachable!("augment: frames belong to reverse code"),
        };
        let mut tokens = quote!(let __block = #block;);
        for k in 0..count {
            let lane = lane(name, k);
            tokens.extend(quote!(let (#lane, __block) = __block.#split(#n);));
        }
        tokens
    }

    fn records_loop(&mut self, l: Counted<'_>, trip: &Ident, n: &Ident, open: Open) -> TokenStream {
        let Counted {
            frame,
            label,
            head,
            body,
        } = l;
        let (w, i) = sizes(frame);
        let (base, ibase) = (
            super::names::own(&format!("{}_base", open.words)),
            super::names::own(&format!("{}_base", open.ints)),
        );
        if self.kind == Kind::Augmented {
            let split = open.split(&quote!(__record), &quote!(__irecord), frame, true);
            self.frames.push(open);
            let body = self.loop_body(label, body);
            self.frames.pop();
            return quote!({
                let #base = __tape.words.mark();
                let #ibase = __tape.ints.mark();
                __tape.words.block(#n * (#w));
                __tape.ints.block(#n * (#i));
                #head {
                    let mut __record = [<__S as ::core::default::Default>::default(); #w];
                    let mut __irecord = [0usize; #i];
                    {
                        #split
                        #body
                    }
                    __tape.words.block_at(#base + #trip * (#w), #w).copy_from_slice(&__record);
                    __tape.ints.block_at(#ibase + #trip * (#i), #i).copy_from_slice(&__irecord);
                }
                __tape.ints.push(#base);
                __tape.ints.push(#ibase);
            });
        }
        let split = open.split(&quote!(__record), &quote!(__irecord), frame, false);
        self.frames.push(open);
        let body = self.loop_body(label, body);
        self.frames.pop();
        quote!({
            let __bases = __cur.ints(__tape, 2);
            let (#base, #ibase) = (__bases[0], __bases[1]);
            #head {
                let __record = __tape.words.read(#base + #trip * (#w), #w);
                let __irecord = __tape.ints.read(#ibase + #trip * (#i), #i);
                #split
                #body
            }
            __cur.words = #base;
            __cur.ints = #ibase;
        })
    }

    fn pushed_loop(&mut self, l: Counted<'_>, open: Open) -> TokenStream {
        let Counted {
            frame,
            label,
            head,
            body,
        } = l;
        let (w, i) = sizes(frame);
        let mutable = self.kind == Kind::Augmented;
        let split = open.split(&quote!(__record), &quote!(__irecord), frame, mutable);
        self.frames.push(open);
        let body = self.loop_body(label, body);
        self.frames.pop();
        if mutable {
            quote!(#head {
                let mut __record = [<__S as ::core::default::Default>::default(); #w];
                let mut __irecord = [0usize; #i];
                {
                    #split
                    #body
                }
                __tape.words.push_slice(&__record);
                __tape.ints.push_slice(&__irecord);
            })
        } else {
            quote!(#head {
                let __record = __cur.words(__tape, #w);
                let __irecord = __cur.ints(__tape, #i);
                #split
                #body
            })
        }
    }
}
