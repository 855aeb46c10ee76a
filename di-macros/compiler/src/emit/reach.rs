//! What a function reaches by calls: the buffers of its callees, and perhaps itself.
//!
//! Callees are known to rustc alone, so that constant functions walk from handle to handle, each once.
//! A function that is reached from one of its callees has no place in the fixed records of its callers,
//! each of which would hold itself: it leaves its record on the tape.

use super::frame;
use crate::analysis::activity::activity;
use crate::analysis::views::Views;
use crate::ir::{Arg, Body, Frame, Stmt, Tokens, Type};
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

/// The callees of a function but for itself.
pub(super) struct Reach {
    callees: Vec<Tokens>,
    /// Whether it takes buffers of its own.
    buffers: bool,
}

impl Reach {
    pub(super) fn of(body: &Body) -> Reach {
        let vector = |ty: &Type| matches!(ty, Type::Vec(_));
        let vectors =
            body.places.iter().any(|p| vector(&p.ty)) || body.ret.leaves().into_iter().any(vector);
        let facts = activity(body, &Views::of(body));
        let lifted = |arg: &Arg| match arg {
            Arg::Ref(p) => {
                *body.place(p.root).ty.leaf() == Type::Float && !facts.is_generic_place(p.root)
            }
            _ => false,
        };
        let mut callees: Vec<Tokens> = Vec::new();
        let (mut copies, mut lifts) = (false, false);
        for stmt in body.region.all() {
            match stmt {
                Stmt::Call(call) => {
                    lifts |= call.args.iter().any(lifted);
                    if !call.is_recursive(body) && !callees.contains(&call.callee) {
                        callees.push(call.callee.clone());
                    }
                }
                Stmt::CopyPlace { dst, src } => copies |= dst.root == src.root,
                _ => {}
            }
        }
        Reach {
            callees,
            buffers: vectors || copies || lifts,
        }
    }

    /// Whether it may be reached from a callee.
    pub(super) fn may_return(&self) -> bool {
        !self.callees.is_empty()
    }

    /// Constants of the handle.
    pub(super) fn constants(&self, name: &Ident, rt: &TokenStream) -> TokenStream {
        let (own, text) = (self.buffers, name.to_string());
        let callees: Vec<&TokenStream> = self.callees.iter().map(|c| &c.0).collect();
        let id = quote!(#rt::identity(
            ::core::concat!(::core::module_path!(), "::", #text), ::core::line!(), ::core::column!(),
        ));
        let buffers = if own || callees.is_empty() {
            quote!(#own)
        } else {
            quote!({
                let mut __seen = #rt::Seen::new();
                <#name>::__visit(&mut __seen);
                __seen.buffers()
            })
        };
        let cyclic = self.may_return().then(|| {
            quote!(
                const __CYCLIC: bool = {
                    let mut __seen = #rt::Seen::new();
                    #(<#callees>::__visit(&mut __seen);)*
                    __seen.has(#id)
                };
            )
        });
        quote!(
            pub const __BUFFERS: bool = #buffers;
            #[inline]
            pub const fn __visit(__seen: &mut #rt::Seen) {
                if __seen.enter(#id, #own) {
                    #(<#callees>::__visit(__seen);)*
                }
            }
            #cyclic
        )
    }

    /// Whether the augmented sweep leaves anything on the tape.
    pub(super) fn tape(&self, name: &Ident, tape: &TokenStream) -> TokenStream {
        if !self.may_return() {
            return quote!(pub const __TAPE: bool = #tape;);
        }
        quote!(
            const fn __tape() -> bool {
                #tape
            }
            pub const __TAPE: bool = <#name>::__CYCLIC || <#name>::__tape();
        )
    }

    /// Sizes of the record as its callers see it.
    pub(super) fn sizes(&self, name: &Ident, frame: &Frame, rt: &TokenStream) -> TokenStream {
        let (words, ints) = frame::sizes(frame, rt);
        let (own, words, ints) = if self.may_return() {
            // a function is run where a constant would always have a value
            let own = quote!(
                const __OWN: (usize, usize) = (#words, #ints);
                const fn __own() -> (usize, usize) {
                    <#name>::__OWN
                }
            );
            let part = |part: TokenStream| quote!(if <#name>::__CYCLIC { 0 } else { <#name>::__own().#part });
            (own, part(quote!(0)), part(quote!(1)))
        } else {
            (TokenStream::new(), words, ints)
        };
        quote!(
            #own
            pub const __WORDS: usize = #words;
            pub const __INTS: usize = #ints;
        )
    }

    /// The record in the augmented sweep, and what is done with it before the function is left.
    pub(super) fn record(&self, name: &Ident, frame: &Frame) -> (TokenStream, TokenStream) {
        if frame.is_empty() {
            return (TokenStream::new(), TokenStream::new());
        }
        if !self.may_return() {
            if frame.callees.is_empty() {
                return (TokenStream::new(), TokenStream::new());
            }
            let given = quote!(
                let (__rec, __irec) = (&mut __rec[..<#name>::__WORDS], &mut __irec[..<#name>::__INTS]);
            );
            return (given, TokenStream::new());
        }
        let before = quote!(
            let mut __own_rec = [<__S as ::core::default::Default>::default();
                if <#name>::__CYCLIC { <#name>::__OWN.0 } else { 0 }];
            let mut __own_irec = [0usize; if <#name>::__CYCLIC { <#name>::__OWN.1 } else { 0 }];
            let (__rec, __irec) = if <#name>::__CYCLIC {
                (&mut __own_rec[..], &mut __own_irec[..])
            } else {
                (&mut __rec[..<#name>::__WORDS], &mut __irec[..<#name>::__INTS])
            };
        );
        let after = quote!(
            if <#name>::__CYCLIC {
                __tape.words.push_slice(&__own_rec);
                __tape.ints.push_slice(&__own_irec);
            }
        );
        (before, after)
    }

    /// The record in the reverse sweep.
    pub(super) fn recorded(&self, name: &Ident, frame: &Frame) -> TokenStream {
        if frame.is_empty() {
            return TokenStream::new();
        }
        let given = quote!((&__rec[..<#name>::__WORDS], &__irec[..<#name>::__INTS]));
        if !self.may_return() {
            if frame.callees.is_empty() {
                return TokenStream::new();
            }
            return quote!(let (__rec, __irec) = #given;);
        }
        quote!(
            let (__rec, __irec) = if <#name>::__CYCLIC {
                (__cur.words(__tape, <#name>::__OWN.0), __cur.ints(__tape, <#name>::__OWN.1))
            } else {
                #given
            };
        )
    }
}
