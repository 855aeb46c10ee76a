//! What ends a chain and is written as a loop: reductions that may end early, and those into two vectors.

use super::Reader;
use super::expr::{strip, unraw};
use super::iter::is_chain;
use crate::lower::hir::Expr;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::ToTokens;

/// `Option` or `Result`.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Sum {
    Option,
    Result,
}

impl Sum {
    /// What a value of this type stands for, if it is one of the two.
    pub(super) fn of(ty: &Ty) -> Option<Sum> {
        match ty {
            Ty::Sum(payloads) if payloads.len() == 1 => Some(Sum::Option),
            Ty::Sum(_) => Some(Sum::Result),
            _ => None,
        }
    }

    /// Which of the two a type is by its name, and of what.
    fn named(ty: &syn::Type) -> Option<(Sum, syn::Type)> {
        let syn::Type::Path(p) = types::ungroup(ty) else {
            return None;
        };
        let sum = Sum::of_name(&p.path, &["Option"], &["Result"])?;
        let of = types::arguments(&p.path).first().map(|of| (*of).clone());
        Some((sum, of.unwrap_or_else(|| parse_quote!(_))))
    }

    fn of_name(path: &syn::Path, option: &[&str], result: &[&str]) -> Option<Sum> {
        let name = &path.segments.last()?.ident;
        if option.iter().any(|of| name == of) {
            return Some(Sum::Option);
        }
        result.iter().any(|of| name == of).then_some(Sum::Result)
    }

    /// Which of the two a closure returns, by the variants that it names.
    fn made_by(f: &syn::Expr) -> Option<Sum> {
        let mut found = None;
        walk::any(Node::Expr(f), &mut |node| {
            if let Node::ExprPath(p) = node {
                found = found.or(Sum::of_name(&p.path, &["Some", "None"], &["Ok", "Err"]));
            }
            found.is_some()
        });
        found
    }

    /// The pattern of what goes on, what is made of it, and the arm that ends the loop of this label.
    fn arms(self, value: &syn::Expr, label: &syn::Lifetime) -> (syn::Pat, syn::Expr, syn::Arm) {
        match self {
            Sum::Option => (
                parse_quote!(Some(__value)),
                parse_quote!(Some(#value)),
                parse_quote!(None => break #label None,),
            ),
            Sum::Result => (
                parse_quote!(Ok(__value)),
                parse_quote!(Ok(#value)),
                parse_quote!(Err(__error) => break #label Err(__error),),
            ),
        }
    }
}

impl Reader<'_> {
    /// Into which of the two a chain is collected or summed, and of what.
    fn summed(&mut self, m: &syn::ExprMethodCall, wanted: Option<&Ty>) -> Option<(Sum, syn::Type)> {
        let float: syn::Type = syn::parse_str(self.float).expect("the name of a float type");
        if let Some(written) = &m.turbofish {
            let Some(syn::GenericArgument::Type(ty)) = written.args.first() else {
                return None;
            };
            let (sum, of) = Sum::named(ty)?;
            let is_open = matches!(of, syn::Type::Infer(_));
            return Some((sum, if is_open { float } else { of }));
        }
        let Ty::Sum(payloads) = wanted? else {
            return None;
        };
        let of = match self.types.shallow(&payloads[0]) {
            Ty::Int(name) => syn::parse_str(&name).ok()?,
            _ => float,
        };
        Some((Sum::of(wanted?)?, of))
    }

    /// Which of the two a function or a closure returns: by the variants that it names, by the function or the method
    /// that it ends with, or by what is wanted.
    fn given_by(&self, f: &syn::Expr, wanted: Option<&Ty>) -> Option<Sum> {
        let body = match strip(f) {
            syn::Expr::Closure(c) => strip(&c.body),
            f => f,
        };
        let last = match body {
            syn::Expr::Block(b) => match b.block.stmts.last()? {
                syn::Stmt::Expr(e, None) => strip(e),
                _ => body,
            },
            body => body,
        };
        let outputs = match last {
            syn::Expr::Call(call) => self.env.outputs(&call.func.to_token_stream().to_string()),
            syn::Expr::Path(p) => self.env.outputs(&p.to_token_stream().to_string()),
            syn::Expr::MethodCall(m) => self.env.outputs_of_methods(&unraw(&m.method)),
            _ => Vec::new(),
        };
        let mut named = outputs.iter().map(|ty| Sum::named(ty).map(|(sum, _)| sum));
        let first = named.next().flatten();
        let known = first.filter(|sum| named.all(|other| other == Some(*sum)));
        let wanted = || wanted.and_then(|ty| Sum::of(&self.types.shallow(ty)));
        Sum::made_by(f).or(known).or_else(wanted)
    }

    /// Whether the lists of a `partition` are known to hold values.
    fn parts_values(&mut self, m: &syn::ExprMethodCall, wanted: Option<&Ty>) -> bool {
        let written = m.turbofish.as_ref().and_then(|of| match of.args.first()? {
            syn::GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        });
        let list = match (written, wanted.map(|ty| self.types.shallow(ty))) {
            (Some(ty), _) => types::read_local(&ty, self.float, &mut self.types),
            (None, Some(Ty::Tuple(lists))) => lists.into_iter().next(),
            (None, _) => None,
        };
        match list.map(|ty| self.types.shallow(&ty)) {
            Some(Ty::Vec(of)) => !matches!(self.types.shallow(&of), Ty::Ref(..) | Ty::Var(_)),
            _ => false,
        }
    }

    /// `chain.try_fold(..)`, `chain.rfold(..)`, `chain.partition(..)`, a `collect`, a `sum` or a `product` into an `Option` or a `Result`:
    /// `None` of other methods.
    pub(super) fn looped(&mut self, m: &syn::ExprMethodCall, wanted: Option<&Ty>) -> Option<Expr> {
        if !is_chain(&m.receiver) && self.chain_of(&m.receiver).is_none() {
            return None;
        }
        let (chain, args) = (&m.receiver, m.args.iter().collect::<Vec<_>>());
        // a loop that ends with the first item that is nothing or an error
        let until = |sum: Sum, start: syn::Expr, item: syn::Expr, next: syn::Expr| -> syn::Expr {
            let label: syn::Lifetime = parse_quote!('__looped);
            let (good, all, bad) = sum.arms(&parse_quote!(__all), &label);
            parse_quote!(#label: {
                let mut __all = #start;
                for __item in #chain {
                    match #item {
                        #good => #next,
                        #bad
                    }
                }
                #all
            })
        };
        let item = || parse_quote!(__item);
        let written: syn::Expr = match (&*m.method.to_string(), &args[..]) {
            ("collect", []) => {
                let (sum, _) = self.summed(m, wanted)?;
                let push = parse_quote!(__all.push(__value));
                until(sum, parse_quote!(Vec::new()), item(), push)
            }
            ("sum", []) => {
                let (sum, of) = self.summed(m, wanted)?;
                let add = parse_quote!(__all = __all + __value);
                until(sum, parse_quote!(0 as #of), item(), add)
            }
            ("product", []) => {
                let (sum, of) = self.summed(m, wanted)?;
                let multiply = parse_quote!(__all = __all * __value);
                until(sum, parse_quote!(1 as #of), item(), multiply)
            }
            ("try_fold", [init, f]) => {
                let next = parse_quote!((#f)(__all, __item));
                let start = parse_quote!(#init);
                until(
                    self.given_by(f, wanted)?,
                    start,
                    next,
                    parse_quote!(__all = __value),
                )
            }
            ("try_for_each", [f]) => {
                let done = parse_quote!((#f)(__item));
                until(
                    self.given_by(f, wanted)?,
                    parse_quote!(()),
                    done,
                    parse_quote!({}),
                )
            }
            ("partition", [f]) => {
                // lists of values take copies of what references lead to
                let value: syn::Expr = match self.parts_values(m, wanted) {
                    true => parse_quote!(__item.clone()),
                    false => item(),
                };
                parse_quote!({
                    let mut __first = Vec::new();
                    let mut __second = Vec::new();
                    for __item in #chain {
                        if (#f)(&__item) {
                            __first.push(#value);
                        } else {
                            __second.push(#value);
                        }
                    }
                    (__first, __second)
                })
            }
            ("find_map", [f]) => parse_quote!(#chain.filter_map(#f).next()),
            ("rfind", [f]) => parse_quote!(#chain.rev().find(#f)),
            ("rfold", [init, f]) => parse_quote!(#chain.rev().fold(#init, #f)),
            _ => return None,
        };
        Some(self.expr(&written))
    }
}
