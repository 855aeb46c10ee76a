//! Functions that take functions: `trapezoid(|t| f(x, t), a, b, n)`. There are no values that are functions in
//! generated code, so that the body of such a function is put in the place of its call, with the closure by a name.
//!
//! ```text
//! trapezoid(|t| g(x, t), a, 2.0, n)   =>   {
//!                                              let __fn0_f = |t| g(x, t);
//!                                              let __fn0_1 = a;
//!                                              let __fn0_2 = 2.0;
//!                                              let __fn0_3 = n;
//!                                              let a: f64 = __fn0_1;
//!                                              let b: f64 = __fn0_2;
//!                                              let n: usize = __fn0_3;
//!                                              { the body, where `f` is `__fn0_f` }
//!                                          }
//! ```

use super::environment::Environment;
use super::types::ungroup;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

/// Functions that call each other are put in each other's place so often: those that call themselves have no end.
const DEEPEST: usize = 8;

/// Whether a function takes functions, and its body can stand in the place of a call.
pub(crate) fn takes_functions(function: &syn::ItemFn) -> bool {
    let sig = &function.sig;
    let mut parameters = sig.inputs.iter().filter_map(typed);
    let generic = sig.generics.params.iter().any(|p| match p {
        syn::GenericParam::Type(p) => function_of_variable(&p.ident, sig).is_none(),
        syn::GenericParam::Const(_) => true,
        syn::GenericParam::Lifetime(_) => false,
    });
    let plain = sig
        .inputs
        .iter()
        .filter_map(typed)
        .all(|p| matches!(&*p.pat, syn::Pat::Ident(name) if name.subpat.is_none()));
    plain
        && !generic
        && !has_question_mark(&function.block)
        && parameters.any(|p| p.attrs.is_empty() && inputs_of(&p.ty, sig).is_some())
}

/// Puts the bodies of functions that take functions in the place of their calls.
pub(super) fn inline(env: &Environment, block: &mut syn::Block) {
    let mut inline = Inline {
        env,
        depth: 0,
        number: 0,
    };
    inline.visit_block_mut(block);
}

fn typed(input: &syn::FnArg) -> Option<&syn::PatType> {
    match input {
        syn::FnArg::Typed(p) => Some(p),
        syn::FnArg::Receiver(_) => None,
    }
}

/// The types of the arguments of a function, if the type is that of one.
fn inputs_of(ty: &syn::Type, sig: &syn::Signature) -> Option<Vec<syn::Type>> {
    match ungroup(ty) {
        syn::Type::Reference(r) => inputs_of(&r.elem, sig),
        syn::Type::ImplTrait(t) => t.bounds.iter().find_map(of_bound),
        syn::Type::TraitObject(t) => t.bounds.iter().find_map(of_bound),
        syn::Type::BareFn(f) => Some(f.inputs.iter().map(|a| a.ty.clone()).collect()),
        syn::Type::Path(p) => function_of_variable(p.path.get_ident()?, sig),
        _ => None,
    }
}

/// The same of a type parameter, by its bounds.
fn function_of_variable(name: &syn::Ident, sig: &syn::Signature) -> Option<Vec<syn::Type>> {
    let own = sig.generics.type_params().find(|p| p.ident == *name)?;
    let predicates = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
    let of_where = predicates.filter_map(|p| match p {
        syn::WherePredicate::Type(p) => match &p.bounded_ty {
            syn::Type::Path(of) if of.path.is_ident(name) => Some(&p.bounds),
            _ => None,
        },
        _ => None,
    });
    let mut bounds = own.bounds.iter().chain(of_where.flatten());
    bounds.find_map(of_bound)
}

fn of_bound(bound: &syn::TypeParamBound) -> Option<Vec<syn::Type>> {
    let syn::TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    let last = bound.path.segments.last()?;
    let is_function = ["Fn", "FnMut", "FnOnce"].iter().any(|f| last.ident == f);
    match &last.arguments {
        syn::PathArguments::Parenthesized(args) if is_function => {
            Some(args.inputs.iter().cloned().collect())
        }
        _ => None,
    }
}

struct Inline<'a> {
    env: &'a Environment,
    depth: usize,
    /// How many calls were replaced.
    number: usize,
}

impl VisitMut for Inline<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Call(call) = &*e
            && let syn::Expr::Path(path) = &*call.func
            && let Some(function) = self.env.higher(&path.path.to_token_stream().to_string())
            && self.depth < DEEPEST
            && function.sig.inputs.len() == call.args.len()
        {
            let args: Vec<syn::Expr> = call.args.iter().cloned().collect();
            // names of the body are told apart from those around the call by scope alone
            let at = call.paren_token.span.open();
            let Ok(function) = syn::parse2(resolved_at(function.to_token_stream(), at)) else {
                return;
            };
            let mut block = self.body(&function, args);
            self.depth += 1;
            self.visit_block_mut(&mut block);
            self.depth -= 1;
            *e = syn::Expr::Block(syn::ExprBlock {
                attrs: Vec::new(),
                label: None,
                block,
            });
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    // what stands in other items belongs to them
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Inline<'_> {
    fn body(&mut self, function: &syn::ItemFn, args: Vec<syn::Expr>) -> syn::Block {
        let number = self.number;
        self.number += 1;
        let name = |what: &str| syn::Ident::new(&format!("__fn{number}_{what}"), Span::call_site());
        let mut names = BTreeMap::new();
        let (mut values, mut binds): (Vec<syn::Stmt>, Vec<syn::Stmt>) = (Vec::new(), Vec::new());
        let sig = &function.sig;
        for (k, (p, arg)) in sig.inputs.iter().filter_map(typed).zip(args).enumerate() {
            let syn::Pat::Ident(own) = &*p.pat else {
                unreachable!("takes_functions: parameters have names")
            };
            if let Some(inputs) = inputs_of(&p.ty, sig) {
                let closure = as_closure(arg, &inputs);
                let other = name(&own.ident.to_string());
                values.push(syn::parse_quote!(let #other = #closure;));
                names.insert(own.ident.to_string(), other);
                continue;
            }
            let (other, ty) = (name(&k.to_string()), &p.ty);
            let pat = &p.pat;
            values.push(syn::parse_quote!(let #other = #arg;));
            binds.push(match ungroup(ty) {
                syn::Type::ImplTrait(_) => syn::parse_quote!(let #pat = #other;),
                _ => syn::parse_quote!(let #pat: #ty = #other;),
            });
        }
        let mut body = (*function.block).clone();
        Rename(&names).visit_block_mut(&mut body);
        let label = syn::Lifetime::new(&format!("'__fn{number}"), Span::call_site());
        let mut returns = Returns {
            label: &label,
            found: false,
        };
        returns.visit_block_mut(&mut body);
        let label = returns.found.then_some(label);
        let body: syn::Expr = match label {
            Some(label) => syn::parse_quote!(#label: #body),
            None => syn::parse_quote!(#body),
        };
        syn::parse_quote!({ #(#values)* #(#binds)* #body })
    }
}

/// Tokens as if they were written where the span is.
fn resolved_at(tokens: TokenStream, at: Span) -> TokenStream {
    let each = tokens.into_iter().map(|tree| match tree {
        TokenTree::Group(g) => {
            let mut group = Group::new(g.delimiter(), resolved_at(g.stream(), at));
            group.set_span(g.span().resolved_at(at));
            TokenTree::Group(group)
        }
        mut other => {
            other.set_span(other.span().resolved_at(at));
            other
        }
    });
    each.collect()
}

/// What is given for a function, as a closure: `f`, `&f` and `f64::sin` are called by one.
fn as_closure(arg: syn::Expr, inputs: &[syn::Type]) -> syn::Expr {
    match arg {
        syn::Expr::Closure(mut closure) => {
            closure.capture = None;
            for (pat, ty) in closure.inputs.iter_mut().zip(inputs) {
                let plain = |ty: &syn::Type| ty.to_token_stream().to_string().contains("impl");
                if !matches!(pat, syn::Pat::Type(_)) && !plain(ty) {
                    let written = syn::PatType {
                        attrs: Vec::new(),
                        pat: Box::new(pat.clone()),
                        colon_token: Default::default(),
                        ty: Box::new(ty.clone()),
                    };
                    *pat = syn::Pat::Type(written);
                }
            }
            syn::Expr::Closure(closure)
        }
        syn::Expr::Reference(r) => as_closure(*r.expr, inputs),
        syn::Expr::Paren(p) => as_closure(*p.expr, inputs),
        syn::Expr::Group(g) => as_closure(*g.expr, inputs),
        other => {
            let args =
                (0..inputs.len()).map(|k| syn::Ident::new(&format!("__a{k}"), Span::call_site()));
            let args: Vec<syn::Ident> = args.collect();
            syn::parse_quote!(|#(#args: #inputs),*| #other(#(#args),*))
        }
    }
}

/// Functions by their other names.
struct Rename<'a>(&'a BTreeMap<String, syn::Ident>);

impl VisitMut for Rename<'_> {
    fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
        let known = p.path.get_ident().and_then(|i| self.0.get(&i.to_string()));
        if let Some(name) = known {
            p.path = name.clone().into();
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `return e` leaves the body, not the function around it.
struct Returns<'a> {
    label: &'a syn::Lifetime,
    found: bool,
}

impl VisitMut for Returns<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Closure(_) = e {
            return;
        }
        visit_mut::visit_expr_mut(self, e);
        if let syn::Expr::Return(r) = e {
            self.found = true;
            let (label, value) = (self.label, &r.expr);
            *e = syn::parse_quote!(break #label #value);
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether `?` occurs, which would leave the function around the call.
fn has_question_mark(block: &syn::Block) -> bool {
    struct Found(bool);
    impl<'ast> Visit<'ast> for Found {
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    }
    let mut found = Found(false);
    found.visit_block(block);
    found.0
}
