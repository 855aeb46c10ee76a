//! Methods of sequences that are written out: binary searches, as std does them, and arrays that are made element by
//! element.

use super::expr::{as_path, strip};
use super::{Item, Reader};
use crate::ir::Tokens;
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;

impl Reader<'_> {
    /// The method on a receiver that is read already; `None` if it is none of these.
    pub(super) fn written_out(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: &Expr,
        wanted: Option<&Ty>,
    ) -> Option<Expr> {
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let name = m.method.to_string();
        let of = self.types.peel(&receiver.ty);
        let (Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_)) = &of else {
            return None;
        };
        let v = &m.receiver;
        let written: syn::Expr = match (name.as_str(), args.as_slice()) {
            ("partition_point" | "binary_search_by", [f]) => searched(v, &name, f),
            ("binary_search", [x]) => {
                // what is no number has an order of its own
                let is_own =
                    matches!(self.element_of(receiver), Some(of) if self.has_own_order(&of));
                let search = binary_search(v, &|at| match is_own {
                    true => parse_quote!((__of[#at].cmp(__wanted) as i8)),
                    false => parse_quote!(__of[#at].cmp(__wanted)),
                });
                parse_quote!({
                    let __wanted = #x;
                    #search
                })
            }
            ("fill_with", [f]) => parse_quote!(for __each in #v.iter_mut() {
                *__each = (#f)();
            }),
            ("contains", [x]) => parse_quote!({
                let __wanted = #x;
                #v.iter().any(|__each| *__each == *__wanted)
            }),
            ("concat", []) => {
                let add = |part: &syn::Expr| -> syn::Stmt {
                    parse_quote!({
                        let __part = #part;
                        __all.extend(__part.iter().cloned());
                    })
                };
                let all: Vec<syn::Stmt> = match strip(v) {
                    syn::Expr::Array(list) => list.elems.iter().map(add).collect(),
                    _ => vec![parse_quote!(for __part in #v.iter() {
                        __all.extend(__part.iter().cloned());
                    })],
                };
                parse_quote!({
                    let mut __all = Vec::new();
                    #(#all)*
                    __all
                })
            }
            ("split_first_chunk", []) => {
                let n = super::sequence::turbofish(m)?.0;
                parse_quote!({
                    let __of = &#v;
                    if __of.len() < #n {
                        None
                    } else {
                        Some((__of.first_chunk::<#n>().expect("it is long enough"), &__of[#n..]))
                    }
                })
            }
            ("split_last_chunk", []) => {
                let n = super::sequence::turbofish(m)?.0;
                parse_quote!({
                    let __of = &#v;
                    if __of.len() < #n {
                        None
                    } else {
                        let (__first, __last) = __of.split_at(__of.len() - #n);
                        Some((__first, __last.first_chunk::<#n>().expect("it is long enough")))
                    }
                })
            }
            ("map", [f]) => {
                let Ty::Array(_, n) = &of else { return None };
                let chain = match (each_ref(v), self.types.shallow(&receiver.ty)) {
                    (Some(of), _) => parse_quote!(#of.iter()),
                    // an array behind a reference is copied
                    (None, Ty::Ref(..)) => parse_quote!(#v.iter().copied()),
                    (None, _) => parse_quote!(#v.into_iter()),
                };
                return Some(self.made_of(n, &chain, f));
            }
            // what is borrowed of an array is as good as a copy
            ("each_ref", []) => {
                let Ty::Array(_, n) = &of else { return None };
                let chain = parse_quote!(#v.iter().cloned());
                return Some(self.made_of(n, &chain, &parse_quote!(|__each| __each)));
            }
            ("into", []) => match wanted {
                Some(ty @ Ty::Vec(_)) => {
                    self.unify(&of, ty, receiver.span);
                    return Some(Expr::new(
                        Kind::CopyOf(Box::new(receiver.clone())),
                        ty.clone(),
                        receiver.span,
                    ));
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(self.expr(&written))
    }

    /// `std::array::from_fn(f)`, of which the length may show later.
    pub(super) fn array_from_fn(&mut self, c: &syn::ExprCall) -> Option<Expr> {
        let p = as_path(&c.func)?;
        let resolved = self.resolve_use(&p.path);
        let mut names = resolved.segments.iter().rev();
        let is_it = names.next().is_some_and(|s| s.ident == "from_fn")
            && names.next().is_some_and(|s| s.ident == "array");
        let f = c.args.first().filter(|_| is_it && c.args.len() == 1)?;
        // `from_fn::<f64, N, _>(f)`
        if let Some(n) = length_as_written(&p.path) {
            let len = Tokens(self.with_items(types::length(&n)));
            return Some(self.made_of(&len, &parse_quote!((0usize..(#n))), f));
        }
        let n = self.types.fresh_length();
        let len = &n.0;
        let item = Item::Const(Ty::usize(), Tokens(proc_macro2::TokenStream::new()));
        self.scopes[0].items.insert(n.0.to_string(), item);
        Some(self.made_of(&n, &parse_quote!((0usize..#len)), f))
    }

    /// `chain.map(f).collect()`, of which the type says that it is an array.
    pub(super) fn made_of(&mut self, n: &Tokens, chain: &syn::Expr, f: &syn::Expr) -> Expr {
        let all = self.expr(&parse_quote!(#chain.map(#f).collect::<Vec<_>>()));
        let Ty::Vec(elem) = self.types.peel(&all.ty) else {
            return self.refused(all.span);
        };
        let ty = Ty::Array(elem, n.clone());
        Expr { ty, ..all }
    }
}

/// `a` of `a.each_ref()`.
fn each_ref(e: &syn::Expr) -> Option<&syn::Expr> {
    match strip(e) {
        syn::Expr::MethodCall(m) if m.method == "each_ref" && m.args.is_empty() => {
            Some(&m.receiver)
        }
        _ => None,
    }
}

/// The second argument of `from_fn::<f64, N, _>`.
fn length_as_written(path: &syn::Path) -> Option<syn::Expr> {
    let syn::PathArguments::AngleBracketed(args) = &path.segments.last()?.arguments else {
        return None;
    };
    match args.args.iter().nth(1)? {
        syn::GenericArgument::Const(n) => Some(n.clone()),
        syn::GenericArgument::Type(syn::Type::Path(n)) => Some(parse_quote!(#n)),
        _ => None,
    }
}

/// `partition_point` or `binary_search_by`.
pub(super) fn searched(v: &syn::Expr, method: &str, f: &syn::Expr) -> syn::Expr {
    if method == "binary_search_by" {
        return binary_search(v, &|at| parse_quote!((#f)(&__of[#at])));
    }
    let goes_on = parse_quote!((#f)(&__of[__mid]));
    let end = parse_quote!(if __size == 1 && (#f)(&__of[__base]) {
        __base + 1
    } else {
        __base
    });
    halved(v, &goes_on, &end)
}

/// Where an element is, or where it would be, in the order in which std compares.
fn binary_search(v: &syn::Expr, compared: &dyn Fn(syn::Expr) -> syn::Expr) -> syn::Expr {
    let (middle, last) = (
        compared(parse_quote!(__mid)),
        compared(parse_quote!(__base)),
    );
    let goes_on = parse_quote!(#middle != ::core::cmp::Ordering::Greater);
    let end = parse_quote!(if __size == 0 {
        Err(0usize)
    } else {
        let __order = #last;
        if __order == ::core::cmp::Ordering::Equal {
            Ok(__base)
        } else if __order == ::core::cmp::Ordering::Less {
            Err(__base + 1)
        } else {
            Err(__base)
        }
    });
    halved(v, &goes_on, &end)
}

/// Halves a range of `__size` elements from `__base` on until one is left or none, to the upper part while `goes_on`
/// holds at `__mid`; then gives `end`.
fn halved(v: &syn::Expr, goes_on: &syn::Expr, end: &syn::Expr) -> syn::Expr {
    parse_quote!({
        let __of = &#v;
        let mut __size = __of.len();
        let mut __base = 0usize;
        while __size > 1 {
            let __half = __size / 2;
            let __mid = __base + __half;
            if #goes_on {
                __base = __mid;
            }
            __size -= __half;
        }
        #end
    })
}
