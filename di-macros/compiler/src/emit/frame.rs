//! Frames: where records of the region that is being written out are kept and read.

use super::{Emitter, Kind};
use crate::ir::{Arg, Callee, For, Frame, FrameMode, Keep, ON_TAPE, Region, Stmt, Val};
use crate::sorted::Set;
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

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
    pub(crate) callees: Vec<Callee>,
}

impl Frame {
    /// Nothing is kept, neither here nor in callees.
    pub(crate) fn is_empty(&self) -> bool {
        self.words == 0 && self.ints == 0 && self.callees.is_empty()
    }

    /// The trips of the loop leave something on the tape.
    fn is_on_tape(&self) -> bool {
        !matches!(self.mode, FrameMode::None | FrameMode::Fixed { .. })
    }
}

impl Open {
    /// The frame of the function itself.
    pub(crate) fn function(frame: &Frame) -> Open {
        Open::named("", frame)
    }

    /// The same, for a trip of a loop.
    pub(super) fn of_trip(self, trip: &Ident) -> Open {
        let trip = Some(trip.clone());
        Open { trip, ..self }
    }

    pub(super) fn words(&self) -> &Ident {
        &self.words
    }

    pub(super) fn ints(&self) -> &Ident {
        &self.ints
    }

    pub(super) fn named(suffix: &str, frame: &Frame) -> Open {
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
            None => {
                let slot = proc_macro2::Literal::usize_unsuffixed(slot);
                quote!(#name[#slot])
            }
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
        if frame.is_empty() {
            return TokenStream::new();
        }
        let Open {
            words: w,
            ints: i,
            callee_words: cw,
            callee_ints: ci,
            ..
        } = self;
        let (nw, ni) = (frame.words as usize, frame.ints as usize);
        if frame.callees.is_empty() {
            let and = if mutable { quote!(&mut) } else { quote!(&) };
            let cut = |name: &Ident, from: &TokenStream, n: usize| {
                let n = proc_macro2::Literal::usize_unsuffixed(n);
                quote!(let #name = #and #from[..#n];)
            };
            let words = (nw > 0).then(|| cut(w, words, nw));
            let ints = (ni > 0).then(|| cut(i, ints, ni));
            return quote!(#words #ints);
        }
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
pub(crate) fn sizes(frame: &Frame, rt: &TokenStream) -> (TokenStream, TokenStream) {
    let (w, i) = (frame.words as usize, frame.ints as usize);
    let (words, ints) = callee_sizes(&frame.callees, rt);
    (quote!(#w #words), quote!(#i #ints))
}

/// The same of calls alone, each behind a plus.
pub(super) fn callee_sizes(callees: &[Callee], rt: &TokenStream) -> (TokenStream, TokenStream) {
    let one = |callee: &Callee| {
        let path = &callee.path.0;
        let kept = kept_size(callee, usize::MAX, rt);
        (quote!(+ <#path>::__WORDS #kept), quote!(+ <#path>::__INTS))
    };
    callees.iter().map(one).unzip()
}

/// How many numbers are kept of the arguments before this one, behind a plus.
pub(super) fn kept_size(callee: &Callee, before: usize, rt: &TokenStream) -> TokenStream {
    let kept = callee.kept.iter().filter(|(k, _)| *k < before);
    let kept: Vec<TokenStream> = kept.map(|(k, n)| quote!((#k, #n))).collect();
    let path = &callee.path.0;
    match kept.as_slice() {
        [] => TokenStream::new(),
        kept => quote!(+ #rt::kept(&<#path>::__NEEDS, &[#(#kept),*])),
    }
}

/// Whether a record has no slots.
pub(crate) fn is_empty(frame: &Frame) -> bool {
    frame.words == 0 && frame.ints == 0 && frame.callees.is_empty()
}

/// Whether an augmented sweep leaves anything on the tape.
pub(crate) fn uses_tape(region: &Region) -> bool {
    region.all().any(|stmt| match stmt {
        Stmt::AugmentedCall(_) | Stmt::Tape(_) => true,
        Stmt::For(For { frame, .. }) | Stmt::While { frame, .. } => frame.is_on_tape(),
        _ => false,
    })
}

/// Whether the trips of a loop leave anything on the tape, or take it from there: what the region itself
/// does, and what its callees say of themselves.
pub(crate) fn uses_tape_now(region: &Region) -> TokenStream {
    let mut users = Vec::new();
    if tape_users(region, &mut users) {
        return quote!(true);
    }
    let mut written = Set::new();
    let users = users.iter().map(|User { callee, asked }| match asked {
        Some(k) => quote!(<#callee>::__NEEDS[#k]),
        None => quote!(<#callee>::__TAPE),
    });
    let users = users.filter(|user| written.insert(user.to_string()));
    quote!(false #(|| #users)*)
}

/// Whether they do so whatever the callees say.
pub(super) fn uses_tape_surely(region: &Region) -> bool {
    tape_users(region, &mut Vec::new())
}

/// A callee, and a parameter whose values are kept for it if it asks for them.
struct User<'r> {
    callee: &'r TokenStream,
    asked: Option<usize>,
}

/// Whether a region uses the tape in any case.
fn tape_users<'r>(region: &'r Region, users: &mut Vec<User<'r>>) -> bool {
    region.stmts.iter().any(|stmt| {
        let (call, record, keep) = match stmt {
            Stmt::AugmentedCall(c) => (&c.call, c.record, &c.keep),
            Stmt::ReverseCall(c) => (&c.call, c.record, &c.keep),
            Stmt::Tape(_) => return true,
            Stmt::For(For { frame, .. }) | Stmt::While { frame, .. } if frame.is_on_tape() => {
                return true;
            }
            _ => return stmt.regions().into_iter().any(|r| tape_users(r, users)),
        };
        let callee = &call.callee.0;
        users.push(User {
            callee,
            asked: None,
        });
        let is_code = |k: usize| matches!(call.args[k], Arg::Verbatim { .. });
        if keep
            .iter()
            .enumerate()
            .any(|(k, keep)| *keep != Keep::No && is_code(k))
        {
            return true;
        }
        let kept = keep
            .iter()
            .enumerate()
            .filter(|(_, keep)| matches!(keep, Keep::Counted | Keep::Measured));
        users.extend(kept.map(|(k, _)| User {
            callee,
            asked: Some(k),
        }));
        record == ON_TAPE
    })
}

/// Where the lanes of a loop are.
enum Block {
    /// On this stack of the tape.
    Stack(TokenStream),
    /// Among the slots of the function, from this one on.
    Slots(Ident, u32),
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
    region.all().any(|stmt| matches!(stmt, Stmt::Effect(_)))
}

/// Puts statements at the start and end of the last block of a loop.
pub(super) fn with_first(
    tokens: TokenStream,
    first: &TokenStream,
    last: &TokenStream,
) -> TokenStream {
    let mut trees: Vec<proc_macro2::TokenTree> = tokens.into_iter().collect();
    if let Some(proc_macro2::TokenTree::Group(body)) = trees.pop() {
        let inner = body.stream();
        let group =
            proc_macro2::Group::new(proc_macro2::Delimiter::Brace, quote!(#first #inner #last));
        trees.push(proc_macro2::TokenTree::Group(group));
    }
    trees.into_iter().collect()
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
        let (trip, n) = (self.var(trip), self.val(n));
        let suffix = self.next_suffix();
        let mut open = Open::named(&suffix, frame);
        match frame.mode {
            FrameMode::None => {
                let body = self.loop_body(label, body);
                quote!(#head { #body })
            }
            FrameMode::Lanes | FrameMode::Fixed { .. } => {
                open.trip = Some(trip);
                let [words, ints] = match frame.mode {
                    FrameMode::Fixed { word, int } => {
                        let own = self.frame();
                        [Block::Slots(own.words, word), Block::Slots(own.ints, int)]
                    }
                    _ => [quote!(words), quote!(ints)].map(Block::Stack),
                };
                let words = self.lanes(&open.words, frame.words as usize, &n, &words);
                let ints = self.lanes(&open.ints, frame.ints as usize, &n, &ints);
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
    fn lanes(&self, name: &Ident, count: usize, n: &TokenStream, block: &Block) -> TokenStream {
        if count == 0 {
            return TokenStream::new();
        }
        let block = match (self.kind, block) {
            (Kind::Reverse, Block::Stack(stack)) => quote!(__cur.#stack(__tape, #n * #count)),
            (Kind::Augmented, Block::Stack(stack)) => quote!(__tape.#stack.block(#n * #count)),
            (Kind::Reverse, Block::Slots(of, at)) => {
                let at = *at as usize;
                quote!(&#of[#at..])
            }
            (Kind::Augmented, Block::Slots(of, at)) => {
                let at = *at as usize;
                quote!(&mut #of[#at..])
            }
            (Kind::Primal | Kind::Pattern | Kind::Tangent, _) => {
                unreachable!("augment: frames belong to reverse code")
            }
        };
        let lanes = self.lanes_of(name, count, n);
        quote!(let __block = #block; #lanes)
    }

    /// Cuts lanes of `n` entries off `__block`.
    pub(super) fn lanes_of(&self, name: &Ident, count: usize, n: &TokenStream) -> TokenStream {
        let split = if self.kind == Kind::Reverse {
            quote!(split_at)
        } else {
            quote!(split_at_mut)
        };
        (0..count)
            .map(|k| {
                let lane = lane(name, k);
                quote!(let (#lane, __block) = __block.#split(#n);)
            })
            .collect()
    }

    fn pushed_loop(&mut self, l: Counted<'_>, open: Open) -> TokenStream {
        let Counted {
            frame,
            label,
            head,
            body,
        } = l;
        let (w, i) = sizes(frame, self.rt);
        let mutable = self.kind == Kind::Augmented;
        let split = open.split(&quote!(__record), &quote!(__irecord), frame, mutable);
        self.frames.push(open);
        let body = self.loop_body(label, body);
        self.frames.pop();
        if mutable {
            quote!(#head {
                let mut __record = [__S::default(); #w];
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
