//! Code on deques, written with a vector and the number of those that are gone at its front.

use super::Pair;
use crate::lower::read::expr::strip;
use crate::template::parse_quote;

impl Pair {
    /// A method whose value is dropped.
    pub(super) fn done(&self, m: &syn::ExprMethodCall) -> Option<syn::Stmt> {
        let (head, values) = (&self.places, &self.values);
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        Some(match (&*m.method.to_string(), &args[..]) {
            ("push_back", [value]) => parse_quote!(#values.push(#value);),
            ("push_front", [value]) => parse_quote!({
                let __front = #value;
                if #head > 0 {
                    #head -= 1;
                    #values[#head] = __front;
                } else {
                    #values.insert(0, __front);
                }
            }),
            ("pop_front", []) => parse_quote!(if #head < #values.len() { #head += 1; }),
            ("pop_back", []) => parse_quote!(if #head < #values.len() { #values.pop(); }),
            ("clear", []) => parse_quote!({ #values.clear(); #head = 0; }),
            ("truncate", [n]) => parse_quote!(#values.truncate(#head + #n);),
            ("resize", [n, value]) => parse_quote!(#values.resize(#head + #n, #value);),
            ("insert", [k, value]) => parse_quote!(#values.insert(#head + #k, #value);),
            ("extend", [items]) => parse_quote!(#values.extend(#items);),
            ("swap" | "rotate_left" | "rotate_right", _) => {
                let name = &m.method;
                parse_quote!(#values[#head..].#name(#(#args),*);)
            }
            ("retain", [keep]) => parse_quote!({
                #values.drain(..#head);
                #head = 0;
                #values.retain(#keep);
            }),
            ("drain", [range]) => {
                let range = self.behind_head(range)?;
                parse_quote!(#values.drain(#range);)
            }
            ("remove", [k]) => parse_quote!({
                let __k = #head + #k;
                if __k < #values.len() { #values.remove(__k); }
            }),
            ("reserve" | "shrink_to_fit", _) => parse_quote!({}),
            _ => return None,
        })
    }

    /// The places of a range of the deque.
    fn behind_head(&self, range: &syn::Expr) -> Option<syn::Expr> {
        let syn::Expr::Range(range) = strip(range) else {
            return None;
        };
        let (head, mut behind) = (&self.places, range.clone());
        let at = |k: &syn::Expr| -> Box<syn::Expr> { parse_quote!((#head + (#k))) };
        behind.start = match &range.start {
            Some(k) => Some(at(k)),
            None => Some(parse_quote!(#head)),
        };
        behind.end = range.end.as_deref().map(at);
        Some(behind.into())
    }

    /// What stands for an expression on the deque.
    pub(super) fn read(&self, e: &syn::Expr) -> Option<syn::Expr> {
        let (head, values) = (&self.places, &self.values);
        let copied = self.copied();
        if let syn::Expr::Index(i) = e
            && self.is_named(&i.expr)
        {
            let k = &i.index;
            return Some(match strip(k) {
                syn::Expr::Range(_) => return None,
                _ => parse_quote!(#values[#head + (#k)]),
            });
        }
        let syn::Expr::MethodCall(m) = e else {
            return None;
        };
        let name = m.method.to_string();
        // `line.pop_front().unwrap()`
        if let ("unwrap" | "expect", syn::Expr::MethodCall(of)) = (&*name, strip(&m.receiver))
            && self.is_named(&of.receiver)
        {
            return match (&*of.method.to_string(), of.args.first()) {
                ("pop_front", None) if self.is_float => Some(parse_quote!({
                    let __front = #values[#head];
                    #head += 1;
                    __front
                })),
                ("pop_back", None) if self.is_float => Some(parse_quote!({
                    let __back = #values[#head..][#values.len() - #head - 1];
                    #values.pop();
                    __back
                })),
                ("front" | "front_mut", None) => Some(match of.method == "front" {
                    true => parse_quote!((&#values[#head])),
                    false => parse_quote!((&mut #values[#head])),
                }),
                _ => None,
            };
        }
        if !self.is_named(&m.receiver) {
            return None;
        }
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        Some(match (&*name, &args[..]) {
            ("len", []) => parse_quote!((#values.len() - #head)),
            ("is_empty", []) => parse_quote!((#values.len() == #head)),
            ("front", []) => parse_quote!(#values.get(#head)),
            ("front_mut", []) => parse_quote!(#values.get_mut(#head)),
            ("back", []) => parse_quote!(#values[#head..].last()),
            ("back_mut", []) => parse_quote!(#values[#head..].last_mut()),
            ("get", [k]) => parse_quote!(#values.get(#head + #k)),
            ("get_mut", [k]) => parse_quote!(#values.get_mut(#head + #k)),
            ("iter", []) => parse_quote!(#values[#head..].iter()),
            ("iter_mut", []) => parse_quote!(#values[#head..].iter_mut()),
            ("into_iter", []) => parse_quote!(#values[#head..].iter().#copied()),
            ("range", [range]) => {
                let range = self.behind_head(range)?;
                parse_quote!(#values[#range].iter())
            }
            ("drain", [range]) => {
                let range = self.behind_head(range)?;
                parse_quote!(#values.drain(#range))
            }
            ("remove", [k]) => parse_quote!({
                let __k = #head + #k;
                let __removed = #values.get(__k).#copied();
                if __removed.is_some() { #values.remove(__k); }
                __removed
            }),
            ("make_contiguous", []) => parse_quote!((&mut #values[#head..])),
            ("pop_front", []) => parse_quote!({
                let __front = #values.get(#head).#copied();
                if __front.is_some() { #head += 1; }
                __front
            }),
            ("pop_back", []) => parse_quote!({
                let __back = #values[#head..].last().#copied();
                if __back.is_some() { #values.pop(); }
                __back
            }),
            _ => return None,
        })
    }

    /// `&line` and its kin, of which a loop takes the items.
    pub(super) fn items(&self, e: &syn::Expr) -> Option<syn::Expr> {
        let (head, values) = (&self.places, &self.values);
        if !self.is_named(e) {
            return None;
        }
        let copied = self.copied();
        let reference = match strip(e) {
            syn::Expr::Reference(r) => Some(r.mutability.is_some()),
            _ => self.reference,
        };
        Some(match reference {
            Some(true) => parse_quote!(&mut #values[#head..]),
            Some(false) => parse_quote!(&#values[#head..]),
            None => parse_quote!(#values[#head..].iter().#copied()),
        })
    }
}
