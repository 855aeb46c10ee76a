//! Functions that take functions: `trapezoid(|t| f(x, t), a, b, n)`. There are no values that are functions in
//! generated code, so that the body of such a function is put in the place of its call, with the closure by a name.
//! So are functions that take iterators, or values of type parameters, and methods that return references.
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
use crate::sorted::{Map, Set};
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Functions that call each other are put in each other's place so often: those that call themselves have no end.
const DEEPEST: usize = 8;

/// Functions that are put in place before the function is read are counted from 0, methods from this on.
pub(super) const MOST: usize = 1 << 20;

/// Whether the body of a function stands in the place of its calls: it takes functions, iterators, or differentiated
/// values of type parameters.
pub(crate) fn stands_in_place(function: &syn::ItemFn) -> bool {
    const OTHERS: [&str; 4] = [
        super::scalar::ATTRIBUTE,
        "generic",
        "custom_rule",
        "implicit",
    ];
    let is_other = |a: &syn::Attribute| {
        let last = a.path().segments.last();
        last.is_some_and(|s| OTHERS.iter().any(|name| s.ident == name))
    };
    can_stand(&function.sig, &function.block)
        && !function.attrs.iter().any(is_other)
        && (is_generic(&function.sig) || calls_variables(function))
}

/// Whether a function of a type parameter, which no parameter has, is called with what is differentiated: `K::k(theta)`.
fn calls_variables(function: &syn::ItemFn) -> bool {
    let sig = &function.sig;
    let mut variables = sig.generics.type_params();
    let parameters = sig.inputs.to_token_stream().to_string();
    let is_free = |v: &syn::TypeParam| {
        let mut words = parameters.split(|c: char| !c.is_alphanumeric() && c != '_');
        !words.any(|word| v.ident == word)
    };
    let mut active = Set::new();
    for p in sig.inputs.iter().filter_map(typed) {
        if p.attrs.is_empty() && super::environment::speaks_of_floats(&p.ty) {
            names(p.pat.to_token_stream(), &mut active);
        }
    }
    variables.any(|v| {
        is_free(v)
            && walk::any(Node::Block(&function.block), &mut |node| {
                let Node::Expr(syn::Expr::Call(call)) = node else {
                    return false;
                };
                let mut given = Set::new();
                names(call.args.to_token_stream(), &mut given);
                matches!(&*call.func, syn::Expr::Path(p)
                    if p.path.segments.len() > 1 && p.path.segments[0].ident == v.ident)
                    && !given.is_disjoint(&active)
            })
    })
}

/// The same of a method, which may also return a reference.
pub(crate) fn is_method_in_place(f: &syn::ImplItemFn) -> bool {
    let is_borrowed = f.sig.receiver().is_some()
        && matches!(&f.sig.output, syn::ReturnType::Type(_, ty) if matches!(ungroup(ty), syn::Type::Reference(_)));
    can_stand(&f.sig, &f.block) && (is_borrowed || is_generic(&f.sig))
}

/// Whether a body can stand in the place of a call.
fn can_stand(sig: &syn::Signature, block: &syn::Block) -> bool {
    let named =
        |p: &syn::PatType| matches!(&*p.pat, syn::Pat::Ident(name) if name.subpat.is_none());
    sig.inputs.iter().filter_map(typed).all(named)
        && sig.generics.const_params().next().is_none()
        && !has_question_mark(block)
}

/// Whether a parameter that may be differentiated has a type that follows from the call.
fn is_generic(sig: &syn::Signature) -> bool {
    let mut parameters = sig.inputs.iter().filter_map(typed);
    let gives = match &sig.output {
        syn::ReturnType::Default => sig.receiver().is_some_and(|r| r.mutability.is_some()),
        syn::ReturnType::Type(_, ty) => super::environment::speaks_of_floats(ty),
    };
    parameters.any(|p| {
        p.attrs.is_empty() && (inputs_of(&p.ty, sig).is_some() || gives && is_open(&p.ty, sig))
    })
}

/// Whether a type is not written: `impl Iterator<Item = f64>`, `&M`.
fn is_open(ty: &syn::Type, sig: &syn::Signature) -> bool {
    match ungroup(ty) {
        syn::Type::Reference(r) => is_open(&r.elem, sig),
        syn::Type::ImplTrait(_) => true,
        syn::Type::Path(p) => {
            (sig.generics.type_params()).any(|variable| p.path.is_ident(&variable.ident))
        }
        _ => false,
    }
}

/// Whether a parameter is an iterator, which is no value: the chain itself stands in its place.
fn is_iterator(ty: &syn::Type, sig: &syn::Signature) -> bool {
    let of_trait = |bound: &syn::TypeParamBound| {
        matches!(bound, syn::TypeParamBound::Trait(t)
            if t.path.segments.last().is_some_and(|s| s.ident.to_string().ends_with("Iterator")))
    };
    match ungroup(ty) {
        syn::Type::ImplTrait(t) => t.bounds.iter().any(of_trait),
        syn::Type::Path(p) => {
            let mut variables = sig.generics.type_params();
            variables.any(|v| p.path.is_ident(&v.ident) && v.bounds.iter().any(of_trait))
        }
        _ => false,
    }
}

/// A call of a function whose body stands in its place, as that. `number`: how many were replaced before.
pub(super) fn inlined(env: &Environment, call: syn::ExprCall, number: &mut usize) -> syn::Expr {
    let mut e = syn::Expr::Call(call);
    let mut inline = Inline {
        env,
        depth: 0,
        number: *number,
    };
    inline.change(NodeMut::Expr(&mut e));
    *number = inline.number;
    e
}

/// Puts the bodies of functions that take functions in the place of their calls.
pub(super) fn inline(env: &Environment, block: &mut syn::Block) {
    let mut inline = Inline {
        env,
        depth: 0,
        number: 0,
    };
    inline.change(NodeMut::Block(block));
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

/// `nlml::<Rbf>` as `nlml` and `Rbf`.
fn split_types(path: &syn::Path) -> (syn::Path, Vec<syn::Path>) {
    let mut plain = path.clone();
    let last = plain.segments.last_mut();
    let arguments = last.map(|s| std::mem::take(&mut s.arguments));
    let types = match arguments {
        Some(syn::PathArguments::AngleBracketed(a)) => a.args.into_iter().collect(),
        _ => Vec::new(),
    };
    let types = types.into_iter().map_while(|arg| match arg {
        syn::GenericArgument::Type(syn::Type::Path(p)) if p.qself.is_none() => Some(p.path),
        _ => None,
    });
    (plain, types.collect())
}

/// Puts types in the place of type parameters.
fn put_types_in(known: &Map<String, syn::Path>, block: &mut syn::Block) {
    walk::change(NodeMut::Block(block), &mut |node| {
        if let NodeMut::Path(path) = node
            && let Some(first) = path.segments.first()
            && let Some(of) = known.get(&first.ident.to_string())
        {
            let rest = path.segments.iter().skip(1).cloned();
            let mut whole = of.clone();
            whole.segments.extend(rest.collect::<Vec<_>>());
            *path = whole;
            return Onward::Over;
        }
        Onward::Into
    });
}

struct Inline<'a> {
    env: &'a Environment,
    depth: usize,
    /// How many calls were replaced.
    number: usize,
}

impl Inline<'_> {
    fn change(&mut self, root: NodeMut<'_>) {
        walk::change(root, &mut |node| match node {
            NodeMut::Expr(e) => self.expr(e),
            // what stands in other items belongs to them
            NodeMut::Item(_) => Onward::Over,
            _ => Onward::Into,
        });
    }

    fn expr(&mut self, e: &mut syn::Expr) -> Onward {
        if let syn::Expr::Call(call) = &*e
            && let syn::Expr::Path(path) = &*call.func
            && let (path, types) = split_types(&path.path)
            && let Some(function) = self.env.higher(&path.to_token_stream().to_string())
            && self.depth < DEEPEST
            && function.sig.inputs.len() == call.args.len()
        {
            let args: Vec<syn::Expr> = call.args.iter().cloned().collect();
            // names of the body are kept apart from those around the call by scope alone
            let at = call.paren_token.span.open();
            let Ok(function) = syn::parse2(resolved_at(function.to_token_stream(), at)) else {
                return Onward::Over;
            };
            let Some(mut block) = self.body(&function, args) else {
                return Onward::Over;
            };
            let variables = function.sig.generics.type_params();
            let known = variables.map(|v| v.ident.to_string()).zip(types).collect();
            put_types_in(&known, &mut block);
            self.depth += 1;
            self.change(NodeMut::Block(&mut block));
            self.depth -= 1;
            *e = syn::Expr::Block(syn::ExprBlock {
                attrs: Vec::new(),
                label: None,
                block,
            });
            return Onward::Over;
        }
        Onward::Into
    }

    /// The body with what the arguments are bound to around it. None if an iterator names what the body binds.
    fn body(&mut self, function: &syn::ItemFn, args: Vec<syn::Expr>) -> Option<syn::Block> {
        let number = self.number;
        self.number += 1;
        let name = |what: &str| syn::Ident::new(&format!("__fn{number}_{what}"), Span::call_site());
        let mut names = Map::new();
        let (mut values, mut binds): (Vec<syn::Stmt>, Vec<syn::Stmt>) = (Vec::new(), Vec::new());
        let (sig, mut chains) = (&function.sig, Map::new());
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
            if is_iterator(&p.ty, sig) {
                chains.insert(own.ident.to_string(), arg);
                continue;
            }
            let (other, ty) = (name(&k.to_string()), &p.ty);
            let pat = &p.pat;
            values.push(syn::parse_quote!(let #other = #arg;));
            binds.push(match is_open(ty, sig) {
                true => syn::parse_quote!(let #pat = #other;),
                false => syn::parse_quote!(let #pat: #ty = #other;),
            });
        }
        let mut body = (*function.block).clone();
        rename(&names, &mut body);
        if !chains.is_empty() {
            let parameters = sig.inputs.to_token_stream();
            if !are_apart(&chains, &[parameters, function.block.to_token_stream()]) {
                return None;
            }
            put_in(&chains, &mut body);
        }
        let label = syn::Lifetime::new(&format!("'__fn{number}"), Span::call_site());
        // what returns leaves the body, not the function around it
        let body: syn::Expr = match walk::returns_to_breaks(&label, NodeMut::Block(&mut body)) {
            true => syn::parse_quote!(#label: #body),
            false => syn::parse_quote!(#body),
        };
        Some(syn::parse_quote!({ #(#values)* #(#binds)* #body }))
    }
}

/// Whether no name of the chains occurs in the function whose parameters they are, so that all mean there what they
/// mean at the call. Names of fields and methods do not matter.
fn are_apart(chains: &Map<String, syn::Expr>, function: &[TokenStream]) -> bool {
    let mut outer = Set::new();
    for chain in chains.values() {
        names(chain.to_token_stream(), &mut outer);
    }
    let mut inner = Set::new();
    for tokens in function {
        names(tokens.clone(), &mut inner);
    }
    outer.is_disjoint(&inner)
}

fn names(tokens: TokenStream, found: &mut Set<String>) {
    let mut is_member = false;
    for tree in tokens {
        let mut is_dot = false;
        match tree {
            TokenTree::Ident(name) if !is_member => {
                found.insert(name.to_string());
            }
            TokenTree::Group(g) => names(g.stream(), found),
            TokenTree::Punct(p) => is_dot = p.as_char() == '.',
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
        is_member = is_dot;
    }
}

/// Puts chains in the place of the parameters that they are given for; a clone of one is the chain once more.
fn put_in(chains: &Map<String, syn::Expr>, body: &mut syn::Block) {
    fn of<'c>(e: &syn::Expr, chains: &'c Map<String, syn::Expr>) -> Option<&'c syn::Expr> {
        match e {
            syn::Expr::Path(p) => chains.get(&p.path.get_ident()?.to_string()),
            syn::Expr::MethodCall(m) if m.method == "clone" => of(&m.receiver, chains),
            _ => None,
        }
    }
    walk::change(NodeMut::Block(body), &mut |node| match node {
        NodeMut::Expr(e) => match of(e, chains) {
            Some(chain) => {
                *e = chain.clone();
                Onward::Over
            }
            None => Onward::Into,
        },
        NodeMut::Item(_) => Onward::Over,
        _ => Onward::Into,
    });
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

/// Calls functions by their other names.
fn rename(names: &Map<String, syn::Ident>, body: &mut syn::Block) {
    walk::change(NodeMut::Block(body), &mut |node| match node {
        NodeMut::ExprPath(p) => {
            let known = p.path.get_ident().and_then(|i| names.get(&i.to_string()));
            if let Some(name) = known {
                p.path = name.clone().into();
            }
            Onward::Over
        }
        NodeMut::Item(_) => Onward::Over,
        _ => Onward::Into,
    });
}

/// Whether `?` occurs, which would leave the function around the call.
fn has_question_mark(block: &syn::Block) -> bool {
    walk::read(Node::Block(block), &mut |node| match node {
        Node::Expr(syn::Expr::Try(_)) => Onward::Found,
        Node::Expr(syn::Expr::Closure(_)) => Onward::Over,
        _ => Onward::Into,
    })
}
