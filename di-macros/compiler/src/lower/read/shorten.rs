//! Methods that change the length of a vector, as templates: their code in plain Rust.

use super::Reader;
use super::expr::strip;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::Expr;
use crate::template::parse_quote;

impl Reader<'_> {
    /// The method on a vector that is named, as an expression; `None` if it is none of these.
    pub(super) fn shortened(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let v = &m.receiver;
        let written: syn::Expr = match (name.as_str(), args.as_slice()) {
            ("retain", [keep]) => parse_quote!({
                let __keep: Vec<bool> = #v.iter().map(#keep).collect();
                let mut __kept = 0usize;
                for __i in 0..__keep.len() {
                    if __keep[__i] {
                        #v[__kept] = #v[__i].clone();
                        __kept += 1;
                    }
                }
                #v.truncate(__kept);
            }),
            ("dedup" | "dedup_by" | "dedup_by_key", f) => {
                let is_other: syn::Expr = match (name.as_str(), f) {
                    ("dedup", []) => parse_quote!(#v[__i] != #v[__kept - 1]),
                    ("dedup_by", [same]) => parse_quote!(!(#same)(&#v[__i], &#v[__kept - 1])),
                    ("dedup_by_key", [key]) => {
                        parse_quote!((#key)(&#v[__i]) != (#key)(&#v[__kept - 1]))
                    }
                    _ => return None,
                };
                parse_quote!({
                    let __len = #v.len();
                    let mut __kept = 0usize;
                    for __i in 0..__len {
                        if __i == 0 || #is_other {
                            #v[__kept] = #v[__i].clone();
                            __kept += 1;
                        }
                    }
                    #v.truncate(__kept);
                })
            }
            ("extend_from_within", [range]) => parse_quote!({
                let __more = #v[#range].to_vec();
                #v.extend(__more);
            }),
            ("clone_from", [from]) => parse_quote!({
                let __new = (#from).to_vec();
                #v.clear();
                #v.extend(__new);
            }),
            ("resize_with", [len, f]) => parse_quote!({
                let __len: usize = #len;
                #v.truncate(__len);
                for _ in #v.len()..__len {
                    let __next = (#f)();
                    #v.push(__next);
                }
            }),
            ("drain", [range]) => {
                let Some([lo, hi]) = bounds(range) else {
                    return Some(self.refuse(range.extent(), &error::RANGE_VALUE));
                };
                parse_quote!({
                    let __len = #v.len();
                    let __lo: usize = #lo;
                    let __hi: usize = #hi;
                    let __out = #v[__lo..__hi].to_vec();
                    let __cut = __hi - __lo;
                    for __i in __hi..__len {
                        #v[__i - __cut] = #v[__i].clone();
                    }
                    #v.truncate(__len - __cut);
                    __out
                })
            }
            ("splice", [range, with]) => {
                let Some([lo, hi]) = bounds(range) else {
                    return Some(self.refuse(range.extent(), &error::RANGE_VALUE));
                };
                parse_quote!({
                    let __len = #v.len();
                    let __lo: usize = #lo;
                    let __hi: usize = #hi;
                    let mut __new = Vec::new();
                    __new.extend(#with);
                    let __out = #v[__lo..__hi].to_vec();
                    __new.extend_from_slice(&#v[__hi..]);
                    #v.truncate(__lo);
                    #v.extend(__new);
                    __out
                })
            }
            _ => return None,
        };
        if !is_name(v) {
            return Some(self.refuse_about(m.method.extent(), &error::VEC_RESIZE, name));
        }
        Some(self.expr(&written))
    }
}

/// Both ends of a range of a vector that has `__len` elements.
fn bounds(range: &syn::Expr) -> Option<[syn::Expr; 2]> {
    let syn::Expr::Range(range) = strip(range) else {
        return None;
    };
    let lo = match &range.start {
        Some(lo) => parse_quote!(#lo),
        None => parse_quote!(0usize),
    };
    let hi = match (&range.end, &range.limits) {
        (None, _) => parse_quote!(__len),
        (Some(hi), syn::RangeLimits::HalfOpen(_)) => parse_quote!(#hi),
        (Some(hi), syn::RangeLimits::Closed(_)) => parse_quote!((#hi) + 1),
    };
    Some([lo, hi])
}

/// A variable, a field, or an element by a variable or a literal: nothing happens where it is evaluated
/// again.
fn is_name(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_name(&f.base),
        syn::Expr::Index(i) => {
            is_name(&i.expr) && matches!(strip(&i.index), syn::Expr::Path(_) | syn::Expr::Lit(_))
        }
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_name(&u.expr),
        _ => false,
    }
}
