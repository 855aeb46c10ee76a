//! Functions that take functions: `trapezoid(|t| f(x, t), a, b, n)`. There are no values that are functions in
//! generated code, so that the body of such a function is put in the place of its call, with the closure by a name.
//! So are functions that take iterators, or values of type parameters, and functions and methods that return references.
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

mod called;
mod extended;
mod given;
mod recursive;
mod renamed;
mod taken;
mod varying;

use super::aliases::{moved, put_paths_in};
use super::bundles::put_mark;
use super::changes::changed_vector;
use super::data::has_named;
use super::environment::{Environment, has_no_floats, is_collection_of_floats, replaced};
use super::free::names_itself;
use super::numeric;
use super::types::{result_of, typed, ungroup, unmarked};
use crate::options;
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::tokens::respanned;
use crate::walk::{self, Node, NodeMut, Onward};
pub(crate) use called::method_calls_itself;
use called::{Called, closures_in, put_written};
pub(super) use called::{is_length, is_open_type, is_type, written_length};
use given::write_types;
pub(super) use given::{as_closure, called, is_box};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
pub(crate) use recursive::is_instance;
use recursive::is_recursive;
use std::rc::Rc;
use syn::spanned::Spanned;
use taken::{
    borrows_struct, enums_without_floats, holds_values, inputs_of, is_generic, is_iterator,
    is_list_of_arrays, is_made, is_open, is_struct, is_tuple_of_values, known_inputs, lists_arrays,
    lists_kinds, returns_part, returns_reference, returns_rows_of_structs, takes_constant_function,
    takes_open_function,
};
pub(super) use taken::{given_alone, inputs_within};
pub(crate) use taken::{
    gives_function, gives_iterator, iterator_at, returns_constant, takes_function, takes_iterator,
    takes_named_numbers, takes_references, takes_rows_of_structs, with_bounds,
};
use varying::asks_type_parameters;

/// Functions that are put in place before the function is read are counted from 0, methods from this on.
pub(super) const MOST: usize = 1 << 20;

/// Whether the body of a function stands in the place of its calls: it takes functions, iterators, or differentiated
/// values of type parameters, or returns a part of what it borrows.
pub(crate) fn stands_in_place(function: &syn::ItemFn) -> bool {
    may_stand(function)
        && !(lists_arrays(&function.sig) && calls_itself(function))
        && (function.attrs.iter().any(options::is_in_place)
            || is_generic(&function.sig)
            || returns_part(&function.sig)
            || changes_lengths(function)
            || changes_constants(function)
            || borrows_struct(&function.sig) && !calls_itself(function)
            || makes_constants(function)
            || returns_rows_of_structs(&function.sig) && !calls_itself(function)
            || takes_collections(&function.sig, &Clone::clone) && !calls_itself(function)
            || asks_type_parameters(&function.sig, &function.block))
}

/// Whether it does so only if it takes what is differentiated: for what it changes, lengths, numbers and collections
/// without floats, or for a reference to a struct.
pub(crate) fn stands_for_changes(function: &syn::ItemFn) -> bool {
    let (sig, block) = (&function.sig, &function.block);
    !(is_generic(sig)
        || !given_alone(sig).is_empty()
        || returns_part(sig)
        || takes_collections(sig, &Clone::clone)
        || asks_type_parameters(sig, block))
}

/// Whether the body of a function goes to its callers: it stands in the place of all calls, or the function takes a
/// function that is constant for its handle, and its body stands in the place of calls that give it a closure.
pub(crate) fn travels(function: &syn::ItemFn) -> bool {
    stands_in_place(function)
        || may_stand(function) && takes_constant_function(&function.sig) && !calls_itself(function)
}

/// Whether nothing else is asked of a function by its attributes.
fn may_stand(function: &syn::ItemFn) -> bool {
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
    let is_plain = function.attrs.iter().any(options::is_skip);
    can_stand(&function.sig) && !is_plain && !function.attrs.iter().any(is_other)
}

/// Whether a function takes a struct that may be differentiated, and returns constants that the call of a handle does not.
fn makes_constants(function: &syn::ItemFn) -> bool {
    returns_constant(&function.sig)
        && unmarked(&function.sig).any(|ty| is_struct(ty, &function.sig))
        && !calls_itself(function)
}

pub(crate) fn calls_itself(function: &syn::ItemFn) -> bool {
    names_itself(&function.sig, &function.block)
}

/// Whether a function changes the length of a vector that it borrows, and does not call itself.
fn changes_lengths(function: &syn::ItemFn) -> bool {
    let mut parameters = function.sig.inputs.iter().filter_map(typed);
    let is_changed = |p: &syn::PatType| match &*p.pat {
        syn::Pat::Ident(own) if p.attrs.is_empty() => changed_vector(
            &p.ty,
            own.ident.to_string().trim_start_matches("r#"),
            &function.block,
        )
        .is_some(),
        _ => false,
    };
    parameters.any(is_changed) && !calls_itself(function)
}

/// Whether a function may change what it borrows of numbers and collections without floats, and does not call itself.
fn changes_constants(function: &syn::ItemFn) -> bool {
    let mut parameters = function.sig.inputs.iter().filter_map(typed);
    let is_constant = |p: &syn::PatType| match ungroup(&p.ty) {
        syn::Type::Reference(r) => r.mutability.is_some() && has_no_floats(&r.elem),
        _ => false,
    };
    let has_body = !function.block.stmts.is_empty();
    has_body && parameters.any(is_constant) && !calls_itself(function)
}

/// Whether a map, a deque or a list with texts of what may be differentiated is taken, or such a list returned, with
/// types as `expanded`.
pub(crate) fn takes_collections(
    sig: &syn::Signature,
    expanded: &dyn Fn(&syn::Type) -> syn::Type,
) -> bool {
    result_of(&sig.output).is_some_and(|ty| has_named(&expanded(ty)))
        // a cache is marked
        || unmarked(sig).any(|ty| match ungroup(&expanded(ty)) {
            syn::Type::Reference(r) => is_collection_of_floats(&r.elem),
            ty => is_collection_of_floats(ty),
        })
}

/// Marks functions and methods that take maps or deques of what may be differentiated, or by aliases functions, or return
/// lists of it beside enums: their bodies stand in the place of their calls.
pub(crate) fn mark_those_with_collections(items: &mut [syn::Item]) {
    let env = aliases_among(items);
    let kinds = enums_without_floats(items);
    let takes = |sig: &syn::Signature| {
        let is_function = |ty: &syn::Type| inputs_of(&env.expanded(ty), sig).is_some();
        takes_collections(sig, &|ty| env.expanded(ty))
            || result_of(&sig.output).is_some_and(|ty| lists_kinds(&env.expanded(ty), &kinds))
            || unmarked(sig).any(|ty| inputs_of(ty, sig).is_none() && is_function(ty))
    };
    for item in items {
        match item {
            syn::Item::Fn(f) if takes(&f.sig) && !calls_itself(f) => put_mark(&mut f.attrs),
            syn::Item::Impl(block) => {
                for item in &mut block.items {
                    if let syn::ImplItem::Fn(f) = item
                        && takes(&f.sig)
                        && !method_calls_itself(f)
                    {
                        put_mark(&mut f.attrs);
                    }
                }
            }
            _ => {}
        }
    }
}

/// What names of types stand for among these items.
pub(crate) fn aliases_among(items: &[syn::Item]) -> Environment {
    let mut env = Environment::default();
    for item in items {
        if let syn::Item::Type(alias) = item {
            env.add_alias(&alias.ident.to_string(), alias.clone());
        }
    }
    env
}

/// The same of a method, which may also return a reference.
pub(crate) fn is_method_in_place(f: &syn::ImplItemFn) -> bool {
    let is_borrowed = f.sig.receiver().is_some() && returns_reference(&f.sig);
    let is_marked = f.attrs.iter().any(options::is_in_place);
    can_stand(&f.sig)
        && (is_marked
            || is_borrowed
            || is_generic(&f.sig)
            || makes_constants_of_self(f)
            || takes_open_function(&f.sig)
            || returns_rows_of_structs(&f.sig) && !method_calls_itself(f)
            || takes_collections(&f.sig, &Clone::clone) && !method_calls_itself(f)
            || asks_type_parameters(&f.sig, &f.block))
}

/// The same of a method.
fn makes_constants_of_self(f: &syn::ImplItemFn) -> bool {
    f.sig.receiver().is_some_and(|r| r.mutability.is_none())
        && returns_constant(&f.sig)
        && !method_calls_itself(f)
}

/// Whether a body can stand in the place of a call.
fn can_stand(sig: &syn::Signature) -> bool {
    (sig.generics.const_params()).all(|p| p.ty == parse_quote!(usize))
}

/// A call of a function whose body stands in its place, as that. `number`: how many were replaced before.
/// `at`: a token of the function that calls.
pub(super) fn inlined(
    env: &Environment,
    call: syn::ExprCall,
    at: Span,
    number: &mut usize,
) -> syn::Expr {
    let mut e = syn::Expr::Call(call);
    let mut inline = Inline {
        env,
        at,
        private: Vec::new(),
        within: Vec::new(),
        closures: Set::new(),
        hidden: Vec::new(),
        number: *number,
    };
    inline.change(NodeMut::Expr(&mut e));
    *number = inline.number;
    e
}

/// Puts the bodies of functions that take functions in the place of their calls.
pub(super) fn inline(env: &Environment, sig: &syn::Signature, block: &mut syn::Block) {
    let mut inline = Inline {
        env,
        at: sig.ident.span(),
        private: Vec::new(),
        within: Vec::new(),
        closures: closures_in(block),
        hidden: Vec::new(),
        number: 0,
    };
    inline.change(NodeMut::Block(block));
    inline.instances(sig, block);
}

struct Inline<'a> {
    env: &'a Environment,
    /// A token of the function that calls.
    at: Span,
    /// Functions of the modules of bodies that calls cannot name.
    private: Vec<(String, Rc<syn::ItemFn>)>,
    /// The functions whose bodies are being put in place: those that call themselves have no end.
    within: Vec<String>,
    /// Variables that are closures.
    closures: Set<String>,
    /// Variables around the node, which hide functions of their names.
    hidden: Vec<String>,
    /// How many calls were replaced.
    number: usize,
}

impl Inline<'_> {
    fn change(&mut self, root: NodeMut<'_>) {
        walk::change(root, &mut |node| match node {
            NodeMut::Expr(e) => self.expr(e),
            NodeMut::Block(block) => {
                let before = self.hidden.len();
                for stmt in &mut block.stmts {
                    self.change(NodeMut::Stmt(stmt));
                    if let syn::Stmt::Local(local) = stmt {
                        let names = walk::bound(Node::Pat(&local.pat));
                        self.hidden.extend(names.iter().map(ToString::to_string));
                    }
                }
                self.hidden.truncate(before);
                Onward::Over
            }
            // what stands in other items belongs to them
            NodeMut::Item(_) => Onward::Over,
            NodeMut::Macro(mac) if mac.path.is_ident("vec") => {
                self.listed(mac);
                Onward::Over
            }
            _ => Onward::Into,
        });
    }

    fn expr(&mut self, e: &mut syn::Expr) -> Onward {
        if let syn::Expr::MethodCall(call) = e {
            call.args.iter_mut().for_each(|arg| self.called(arg));
        }
        self.extension(e);
        if let syn::Expr::Call(call) = &*e
            && let syn::Expr::Path(path) = &*call.func
            && !(path.path.get_ident()).is_some_and(|name| self.hidden.contains(&name.to_string()))
            && let called = Called::new(&path.path)
            && let Some((name, function)) = called.function(|name| self.function(name))
            && !self.within.contains(&name)
            && function.sig.inputs.len() == call.args.len()
            && !is_recursive(&function)
            // its body would have no end
            && (self.has_handle(&name) || !calls_itself(&function))
            && (!self.has_handle(&name) || self.gives_closure(&function.sig, call))
        {
            let mut args: Vec<syn::Expr> = call.args.iter().cloned().collect();
            args.iter_mut().for_each(|a| self.change(NodeMut::Expr(a)));
            // names of the body are kept apart from those around the call by scope alone
            let at = call.paren_token.span.open();
            let Ok(function) =
                syn::parse2::<syn::ItemFn>(resolved_at(function.to_token_stream(), at))
            else {
                return Onward::Over;
            };
            let written = called.written(self.env, &name, &function.sig);
            let mut function = self.at_call(function, &called.plain);
            self.env
                .write_out_function(&mut function.sig, &mut function.block);
            let mut block = self.body(&function, args, &written);
            put_written(written, &mut block);
            self.closures.extend(closures_in(&block));
            self.within.push(name);
            self.change(NodeMut::Block(&mut block));
            self.within.pop();
            *e = syn::Expr::Block(syn::ExprBlock {
                attrs: Vec::new(),
                label: None,
                block,
            });
            return Onward::Over;
        }
        Onward::Into
    }

    /// Whether a function can be called as it is.
    fn has_handle(&self, name: &str) -> bool {
        self.env.function(name).is_some()
    }

    /// Whether a call gives a closure, or a method of floats, to a parameter that is a function.
    fn gives_closure(&self, sig: &syn::Signature, call: &syn::ExprCall) -> bool {
        let mut given = sig.inputs.iter().filter_map(typed).zip(&call.args);
        given.any(|(p, arg)| inputs_of(&p.ty, sig).is_some() && self.is_closure(arg))
    }

    fn is_closure(&self, arg: &syn::Expr) -> bool {
        match arg {
            syn::Expr::Closure(_) => true,
            syn::Expr::Reference(r) => self.is_closure(&r.expr),
            syn::Expr::Paren(p) => self.is_closure(&p.expr),
            syn::Expr::Group(g) => self.is_closure(&g.expr),
            syn::Expr::Path(p) => match p.path.get_ident() {
                Some(name) => self.closures.contains(&name.to_string()),
                None => {
                    (p.path.segments.first()).is_some_and(|s| s.ident == "f64" || s.ident == "f32")
                }
            },
            _ => false,
        }
    }

    /// `map(Part::read)` as `map(|a| Part::read(a))`, if the body stands in the place of the call.
    fn called(&self, arg: &mut syn::Expr) {
        if self.of_extension(arg) {
            return;
        }
        if let syn::Expr::Path(path) = &*arg
            && let Some((name, function)) = Called::new(&path.path).function(|f| self.function(f))
            && !self.has_handle(&name)
            && !self.within.contains(&name)
        {
            *arg = called(arg, function.sig.inputs.len());
        }
    }

    /// The function with this path, if its body stands in the place of its calls.
    fn function(&self, name: &str) -> Option<Rc<syn::ItemFn>> {
        let mut private = self.private.iter().filter(|(own, _)| own == name);
        let found = private.next().map(|(_, function)| function.clone());
        found.or_else(|| self.env.higher(name))
    }

    /// The function with the names of its module as a call by this path writes them.
    fn at_call(&mut self, function: syn::ItemFn, path: &syn::Path) -> syn::ItemFn {
        let before = self.private.len();
        let Some(moved) = moved(&function, path, self.at, before) else {
            return function;
        };
        let private = moved.private.into_iter();
        self.private
            .extend(private.map(|(name, f)| (name, Rc::new(f))));
        moved.function
    }

    /// The body with what the arguments are bound to around it.
    /// `written`: what the call says of parameters.
    fn body(
        &mut self,
        function: &syn::ItemFn,
        args: Vec<syn::Expr>,
        written: &Map<String, syn::GenericArgument>,
    ) -> syn::Block {
        let number = self.number;
        self.number += 1;
        let name = |what: &str| syn::Ident::new(&format!("__fn{number}_{what}"), Span::call_site());
        let mut names = Map::new();
        let [mut values, mut closures, mut binds] = [const { Vec::<syn::Stmt>::new() }; 3];
        // lengths follow from the arguments, if they are not written
        let mut lengths = Map::new();
        for p in function.sig.generics.const_params() {
            let other = name(&p.ident.to_string());
            values.push(match written.get(&p.ident.to_string()) {
                Some(n) => parse_quote!(const #other: usize = _ = #n;),
                None => parse_quote!(const #other: usize = _;),
            });
            lengths.insert(p.ident.to_string(), other);
        }
        let function = &with_lengths(function, &lengths);
        let sig = &function.sig;
        let at = args.first().map_or(self.at, Spanned::span);
        // so do types, where the function names them
        let types = called::types_of(function, written, at, &name);
        let open = types
            .iter()
            .map(|of| (of.name.clone(), of.other.clone().into()));
        let open: Map<String, syn::Path> = open.collect();
        for (k, (p, arg)) in sig.inputs.iter().filter_map(typed).zip(args).enumerate() {
            let own = match &*p.pat {
                syn::Pat::Ident(own) => Some(own),
                _ => None,
            };
            if let (Some(own), Some(inputs)) = (own, inputs_of(&p.ty, sig)) {
                let mut inputs = known_inputs(inputs, sig, &open);
                for ty in &mut inputs {
                    put_paths_in(&open, NodeMut::Type(ty));
                }
                let closure = as_closure(arg, &inputs);
                let other = name(&own.ident.to_string());
                closures.push(parse_quote!(let #other = #closure;));
                names.insert(own.ident.to_string(), other);
                continue;
            }
            if let Some(own) = own.filter(|_| is_iterator(&p.ty, sig)) {
                let (other, mutable) = (name(&own.ident.to_string()), &own.mutability);
                values.push(parse_quote!(let #mutable #other = (#arg).into_iter();));
                names.insert(own.ident.to_string(), other);
                continue;
            }
            let (other, ty) = (name(&k.to_string()), &p.ty);
            let pat = &p.pat;
            // what one object is shows at the call, and a list of them is one of boxes
            let is_object =
                matches!(ungroup(ty), syn::Type::Reference(r) if self.env.is_object(&r.elem));
            values.push(match self.env.has_boxed(ty) && !is_object {
                true => parse_quote!(let #other: #ty = #arg;),
                false => parse_quote!(let #other = #arg;),
            });
            let is_open = || is_open(ty, sig) || numeric::is_cast_alone(p, function);
            binds.push(match is_object || is_open() {
                true => parse_quote!(let #pat = #other;),
                false => parse_quote!(let #pat: #ty = #other;),
            });
        }
        for of in types {
            let (other, place) = (of.other, of.place);
            let known: syn::Stmt = parse_quote!(const #other: _ = #place;);
            match of.is_made {
                true => closures.push(known),
                false => values.push(known),
            }
        }
        values.extend(closures);
        let mut body = (*function.block).clone();
        let mut output = sig.output.clone();
        put_paths_in(&open, NodeMut::Block(&mut body));
        if let syn::ReturnType::Type(_, ty) = &mut output {
            put_paths_in(&open, NodeMut::Type(ty));
        }
        if let Some(inputs) = result_of(&sig.output).and_then(|ty| inputs_of(ty, sig)) {
            write_types(&mut body, &inputs);
        }
        renamed::rename(&names, NodeMut::Block(&mut body));
        let label = syn::Lifetime::new(&format!("'__fn{number}"), Span::call_site());
        // what returns leaves the body, not the function around it
        let body: syn::Expr = if has_question_mark(&body) {
            parse_quote!((|| #output #body)())
        } else if walk::returns_to_breaks(&label, NodeMut::Block(&mut body)) {
            parse_quote!(#label: #body)
        } else {
            parse_quote!(#body)
        };
        if let Some(ty) = result_of(&output)
            && (!lengths.is_empty() && !is_made(sig)
                || is_tuple_of_values(ty, sig)
                || holds_values(&sig.output, sig)
                || returns_constant(sig)
                || is_list_of_arrays(ty))
        {
            let result = name("result");
            return parse_quote!({
                #(#values)* #(#binds)*
                let #result: #ty = #body;
                #result
            });
        }
        parse_quote!({ #(#values)* #(#binds)* #body })
    }
}

/// The number of the body that takes its argument from a variable of this name.
pub(super) fn argument_of(name: &syn::Ident) -> Option<usize> {
    let name = name.to_string();
    let (number, k) = name.strip_prefix("__fn")?.split_once('_')?;
    k.parse::<usize>().ok()?;
    number.parse().ok()
}

/// Whether this is a name that bodies give to what they take.
pub(crate) fn is_given(name: &str) -> bool {
    name.starts_with("__fn")
}

/// A function whose lengths have other names.
fn with_lengths(function: &syn::ItemFn, lengths: &Map<String, syn::Ident>) -> syn::ItemFn {
    if lengths.is_empty() {
        return function.clone();
    }
    let renamed = syn::parse2(replaced(function.to_token_stream(), &|name| {
        lengths.get(name).map(ToTokens::to_token_stream)
    }));
    renamed.expect("a function with other names is one")
}

/// Tokens as if they were written where the span is.
fn resolved_at(tokens: TokenStream, at: Span) -> TokenStream {
    respanned(tokens, &|own| own.resolved_at(at))
}

/// Whether `?` occurs, which leaves a closure in the place of the body.
fn has_question_mark(block: &syn::Block) -> bool {
    walk::read(Node::Block(block), &mut |node| match node {
        Node::Expr(syn::Expr::Try(_)) => Onward::Found,
        Node::Expr(syn::Expr::Closure(_)) => Onward::Over,
        _ => Onward::Into,
    })
}
