//! Functions that take functions and call themselves with them: a call becomes that of an instance, a function beside it
//! in which the closure is known, and which takes what the closure takes from around it.
//!
//! ```text
//! adaptive(&|t| k * t, a, b, 9)   =>   {
//!                                          fn __rec0_adaptive(__rec0_k: f64, __rec0_1: f64, __rec0_2: f64, __rec0_3: u32) -> f64 {
//!                                              let k = __rec0_k;
//!                                              the body, where `f` is the closure, and calls of `adaptive` with `f` are
//!                                              those of `__rec0_adaptive` with `__rec0_k`
//!                                          }
//!                                          __rec0_adaptive(k, a, b, 9)
//!                                      }
//! ```

use super::given::as_closure;
use super::taken::inputs_of;
use super::{Called, Inline, calls_itself, closures_in, known_inputs, put_written, resolved_at};
use crate::lower::code::name_of;
use crate::lower::free::free_names;
use crate::lower::read::Types;
use crate::lower::types::typed;
use crate::report::Report;
use crate::sorted::Map;
use crate::template::parse_quote;
use crate::tokens::unraw;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use scope::{Scope, Variable};
use std::rc::Rc;

mod scope;

/// How the functions begin that are made here.
const INSTANCE: &str = "__rec";

/// Whether a function inside of another is an instance.
pub(crate) fn is_instance(name: &Ident) -> bool {
    name.to_string().starts_with(INSTANCE)
}

/// Whether a function calls itself, and takes functions that instances can stand for.
pub(super) fn is_recursive(function: &syn::ItemFn) -> bool {
    let sig = &function.sig;
    let is_function = |p: &syn::PatType| inputs_of(&p.ty, sig).is_some();
    let is_taken = |name: &Ident| {
        let mut parameters = sig.inputs.iter().filter_map(typed);
        parameters.any(|p| is_function(p) && names(Node::Type(&p.ty), name))
    };
    let changes = |node: Node<'_>| matches!(node, Node::Ident(i) if i == "FnMut" || i == "FnOnce");
    let is_named = |p: &syn::PatType| matches!(&*p.pat, syn::Pat::Ident(own) if own.subpat.is_none() && own.mutability.is_none());
    let mut parameters = sig.inputs.iter().filter_map(typed);
    parameters.clone().any(is_function)
        && parameters.all(|p| is_named(p) || !is_function(p))
        && sig.receiver().is_none()
        && sig.generics.const_params().next().is_none()
        && sig.generics.type_params().all(|p| is_taken(&p.ident))
        && !walk::any(Node::Signature(sig), &mut |node| changes(node))
        && calls_itself(function)
        && !walk::bound(Node::Function(function)).contains(&sig.ident)
        // nor is another function inside of it called so
        && !walk::any(Node::Block(&function.block), &mut |node| {
            matches!(node, Node::Signature(inner) if inner.ident == sig.ident)
        })
}

fn names(node: Node<'_>, name: &Ident) -> bool {
    walk::any(
        node,
        &mut |node| matches!(node, Node::Ident(i) if i == name),
    )
}

/// What an instance takes in the place of functions.
#[derive(Default)]
struct Captured {
    inputs: Vec<syn::FnArg>,
    args: Vec<syn::Expr>,
    /// The names of the inputs.
    handed: Vec<Ident>,
    /// What stands in front of the body.
    first: Vec<syn::Stmt>,
    /// What its names stand for around the call.
    names: Map<String, String>,
}

impl Captured {
    /// Whether a name is new; `None` if it stands for something else already.
    fn names(&mut self, name: &str, of: String) -> Option<bool> {
        match self.names.get(name) {
            Some(known) => (*known == of).then_some(false),
            None => {
                self.names.insert(name.to_owned(), of);
                Some(true)
            }
        }
    }
}

/// The type of the floats of a function, if it names one.
fn float_in(sig: &syn::Signature) -> &'static str {
    let has = |name: &str| {
        walk::any(
            Node::Signature(sig),
            &mut |node| matches!(node, Node::Ident(i) if i == name),
        )
    };
    match (has("f32"), has("f64")) {
        (false, true) => "f64",
        (true, false) => "f32",
        _ => "",
    }
}

impl Inline<'_> {
    /// Makes instances for the calls in a body that know all of their functions.
    pub(super) fn instances(&mut self, sig: &syn::Signature, block: &mut syn::Block) {
        let (nothing, report) = (TokenStream::new(), Report::default());
        let types = Types::among(&nothing, self.env, float_in(sig), &report);
        let mut scope = Scope::new(self.env, types, sig);
        self.instances_in(&mut scope, NodeMut::Block(block));
        report.discard();
    }

    fn instances_in(&mut self, scope: &mut Scope<'_>, root: NodeMut<'_>) {
        walk::change(root, &mut |node| match node {
            NodeMut::Block(block) => {
                let around = scope.len();
                self.statements(scope, block);
                scope.leave(around);
                Onward::Over
            }
            NodeMut::Expr(e) => self.instances_of(scope, e),
            NodeMut::Item(_) | NodeMut::Macro(_) => Onward::Over,
            _ => Onward::Into,
        });
    }

    fn statements(&mut self, scope: &mut Scope<'_>, block: &mut syn::Block) {
        // as they are where a closure is made: names may be others at its call
        let mut aliases: Vec<(usize, usize)> = Vec::new();
        for (k, stmt) in block.stmts.iter_mut().enumerate() {
            match stmt {
                syn::Stmt::Local(local) => {
                    if let Some(init) = &mut local.init {
                        self.instances_in(scope, NodeMut::Expr(&mut init.expr));
                        if let Some((_, other)) = &mut init.diverge {
                            self.instances_in(scope, NodeMut::Expr(other));
                        }
                    }
                    if let Some(id) = scope.local(local) {
                        aliases.push((k, id));
                    }
                }
                syn::Stmt::Item(item) => scope.item(item),
                stmt => self.instances_in(scope, NodeMut::Stmt(stmt)),
            }
        }
        for (k, id) in aliases.into_iter().rev() {
            for (alias, name) in scope.aliases(id) {
                let stmt = parse_quote!(let #alias = #name;);
                block.stmts.insert(k, stmt);
            }
        }
    }

    fn instances_of(&mut self, scope: &mut Scope<'_>, e: &mut syn::Expr) -> Onward {
        let around = scope.len();
        match e {
            syn::Expr::Closure(closure) => {
                for pat in &closure.inputs {
                    scope.bind(pat, None);
                }
                self.instances_in(scope, NodeMut::Expr(&mut closure.body));
            }
            syn::Expr::MethodCall(m) => {
                const EACH: [&str; 4] = ["map", "for_each", "flat_map", "filter_map"];
                self.instances_in(scope, NodeMut::Expr(&mut m.receiver));
                let is_each = EACH.iter().any(|name| m.method == name);
                let ty = is_each.then(|| scope.item_of(&m.receiver)).flatten();
                for arg in &mut m.args {
                    match arg {
                        syn::Expr::Closure(closure) if closure.inputs.len() == 1 => {
                            scope.bind(&closure.inputs[0], ty.clone());
                            self.instances_in(scope, NodeMut::Expr(&mut closure.body));
                            scope.leave(around);
                        }
                        arg => self.instances_in(scope, NodeMut::Expr(arg)),
                    }
                }
            }
            syn::Expr::ForLoop(f) => {
                self.instances_in(scope, NodeMut::Expr(&mut f.expr));
                let ty = scope.item_of(&f.expr);
                scope.bind(&f.pat, ty);
                self.instances_in(scope, NodeMut::Block(&mut f.body));
            }
            syn::Expr::While(w) => {
                self.instances_in(scope, NodeMut::Expr(&mut w.cond));
                self.instances_in(scope, NodeMut::Block(&mut w.body));
            }
            syn::Expr::If(i) => {
                self.instances_in(scope, NodeMut::Expr(&mut i.cond));
                self.instances_in(scope, NodeMut::Block(&mut i.then_branch));
                scope.leave(around);
                if let Some((_, other)) = &mut i.else_branch {
                    self.instances_in(scope, NodeMut::Expr(other));
                }
            }
            syn::Expr::Let(l) => {
                self.instances_in(scope, NodeMut::Expr(&mut l.expr));
                scope.bind(&l.pat, None);
                return Onward::Over;
            }
            syn::Expr::Match(m) => {
                self.instances_in(scope, NodeMut::Expr(&mut m.expr));
                for arm in &mut m.arms {
                    scope.bind(&arm.pat, None);
                    if let Some((_, guard)) = &mut arm.guard {
                        self.instances_in(scope, NodeMut::Expr(guard));
                    }
                    self.instances_in(scope, NodeMut::Expr(&mut arm.body));
                    scope.leave(around);
                }
            }
            syn::Expr::Call(call) => match self.recursive(scope, call) {
                Some((name, function)) => {
                    let inputs = function.sig.inputs.iter().filter_map(typed);
                    for (p, arg) in inputs.zip(&mut call.args) {
                        if let Some(inputs) = inputs_of(&p.ty, &function.sig) {
                            let given = behind(arg).clone();
                            *arg = match scope.closure_of(&given, None) {
                                Some(_) => given,
                                None => as_closure(
                                    given,
                                    &known_inputs(inputs, &function.sig, &Map::new()),
                                ),
                            };
                        }
                        self.instances_in(scope, NodeMut::Expr(arg));
                    }
                    if let Some(instance) = self.instance(scope, &name, &function, call) {
                        *e = instance;
                    }
                }
                None => return Onward::Into,
            },
            _ => return Onward::Into,
        }
        scope.leave(around);
        Onward::Over
    }

    /// The function that is called, if instances stand for it.
    fn recursive(
        &self,
        scope: &Scope<'_>,
        call: &syn::ExprCall,
    ) -> Option<(String, Rc<syn::ItemFn>)> {
        let syn::Expr::Path(path) = &*call.func else {
            return None;
        };
        let is_variable = |own: &Ident| scope.variable(&own.to_string(), None).is_some();
        if path.path.get_ident().is_some_and(is_variable) {
            return None;
        }
        let (name, function) = Called::new(&path.path).function(|name| self.function(name))?;
        let is_whole = function.sig.inputs.len() == call.args.len();
        let is_it = is_whole && !self.within.contains(&name) && is_recursive(&function);
        is_it.then_some((name, function))
    }

    /// A call of a function by that of its instance.
    fn instance(
        &mut self,
        scope: &mut Scope<'_>,
        name: &str,
        function: &syn::ItemFn,
        call: &syn::ExprCall,
    ) -> Option<syn::Expr> {
        let syn::Expr::Path(path) = &*call.func else {
            return None;
        };
        let number = self.number;
        let (of, named) = (&function.sig.ident, |what: &str| {
            name_of(&format!("{INSTANCE}{number}_{what}"))
        });
        let own = Ident::new(&format!("{INSTANCE}{number}_{of}"), of.span());
        let at = call.paren_token.span.open();
        let resolved = resolved_at(function.to_token_stream(), at);
        let function: syn::ItemFn = syn::parse2(resolved).ok()?;
        let mut captured = Captured::default();
        let (mut inputs, mut given, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let parameters = function.sig.inputs.iter().filter_map(typed);
        for (k, (p, arg)) in parameters.zip(&call.args).enumerate() {
            if inputs_of(&p.ty, &function.sig).is_some() {
                given.push(capture(scope, arg, None, &mut captured, &named)?);
                continue;
            }
            let (input, ty, attrs) = (named(&k.to_string()), &p.ty, &p.attrs);
            inputs.push(scope.marked(parse_quote!(#(#attrs)* #input: #ty)));
            given.push(parse_quote!(#input));
            others.push(arg.clone());
        }
        let handed = &captured.handed;
        let mut function = function.clone();
        with_calls(&mut function, &own, handed)?;
        self.number += 1;
        let called = Called::new(&path.path);
        let mut sig = function.sig.clone();
        sig.ident = own.clone();
        sig.inputs = captured.inputs.iter().cloned().chain(inputs).collect();
        sig.generics = syn::Generics {
            params: (sig.generics.lifetimes().cloned())
                .map(syn::GenericParam::Lifetime)
                .collect(),
            ..syn::Generics::default()
        };
        let written = called.written(self.env, name, &function.sig);
        let function = self.at_call(function, &called.plain);
        sig.output = function.sig.output.clone();
        let body = self.body(&function, given, &written);
        let first = captured.first;
        let mut block: syn::Block = parse_quote!({ #(#first)* #body });
        put_written(written, &mut block);
        self.closures.extend(closures_in(&block));
        self.within.push(name.to_owned());
        self.change(NodeMut::Block(&mut block));
        self.instances(&sig, &mut block);
        self.within.pop();
        let args = captured.args;
        Some(parse_quote!({
            #sig #block
            #own(#(#args,)* #(#others),*)
        }))
    }
}

/// Makes calls of the instance of those of the function with its own functions; `None` if there are others.
fn with_calls(function: &mut syn::ItemFn, own: &Ident, handed: &[Ident]) -> Option<()> {
    let sig = function.sig.clone();
    let parameters: Vec<Option<Ident>> = (sig.inputs.iter().filter_map(typed))
        .map(|p| match &*p.pat {
            syn::Pat::Ident(own) => inputs_of(&p.ty, &sig).map(|_| own.ident.clone()),
            _ => None,
        })
        .collect();
    // what it calls by its parameters is what it is given
    let bound = walk::bound(Node::Block(&function.block));
    if parameters.iter().flatten().any(|p| bound.contains(p)) {
        return None;
    }
    walk::change(NodeMut::Block(&mut function.block), &mut |node| {
        if let NodeMut::Expr(syn::Expr::Call(call)) = node
            && matches!(&*call.func, syn::Expr::Path(p) if p.path.is_ident(&sig.ident))
            && call.args.len() == parameters.len()
        {
            let mut pairs = parameters.iter().zip(&call.args);
            let is_same = pairs.all(|(p, arg)| match p {
                Some(p) => {
                    matches!(behind(arg), syn::Expr::Path(path) if path.path.is_ident(p))
                }
                None => true,
            });
            if is_same {
                let others = parameters.iter().zip(&call.args);
                let others = others.filter_map(|(p, arg)| p.is_none().then_some(arg));
                let others: Vec<_> = others.cloned().collect();
                let handed = handed.iter();
                *call = parse_quote!(#own(#(#handed,)* #(#others),*));
            }
        }
        match node {
            NodeMut::Item(_) => Onward::Over,
            _ => Onward::Into,
        }
    });
    let is_left = walk::any(
        Node::Block(&function.block),
        &mut |node| matches!(node, Node::ExprPath(p) if p.path.is_ident(&sig.ident)),
    );
    (!is_left).then_some(())
}

/// `f` of `&f`, `*f` and `(f)`.
fn behind(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Reference(r) if r.mutability.is_none() => behind(&r.expr),
        syn::Expr::Paren(p) => behind(&p.expr),
        syn::Expr::Group(g) => behind(&g.expr),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => behind(&u.expr),
        e => e,
    }
}

/// Notes what a closure takes from around it, and gives the closure back. `at`: the closure in which it is named.
fn capture(
    scope: &mut Scope<'_>,
    arg: &syn::Expr,
    at: Option<usize>,
    captured: &mut Captured,
    named: &dyn Fn(&str) -> Ident,
) -> Option<syn::Expr> {
    let (closure, id) = match (scope.closure_of(behind(arg), at), behind(arg)) {
        (Some((closure, id)), _) => (closure, Some(id)),
        (None, syn::Expr::Closure(closure)) => (closure.clone(), None),
        _ => return None,
    };
    if scope.is_open(&closure.to_token_stream()) {
        return None;
    }
    let own_names = walk::bound(Node::Expr(&syn::Expr::Closure(closure.clone())));
    let mut closure = syn::Expr::Closure(closure);
    for name in &free_names(Node::Expr(&closure)) {
        let Some(own) = named_in(closure.to_token_stream(), name) else {
            continue;
        };
        // by a name of its own, if the closure has it nowhere else
        let is_alone = !own_names.contains(&own) && !in_macro(&closure, name);
        match scope.variable(name, id) {
            // an item
            None => {}
            Some(Variable::Closure(inner)) => {
                let of = format!("closure {inner}");
                let local = match is_alone {
                    true => named(&format!("f{inner}")),
                    false => own.clone(),
                };
                let is_new = captured.names(&local.to_string(), of)?;
                if is_new {
                    let inner = parse_quote!(#own);
                    let inner = capture(scope, &inner, id, captured, named)?;
                    captured.first.push(parse_quote!(let #local = #inner;));
                }
                put(&own, &parse_quote!(#local), &mut closure);
            }
            Some(Variable::Of(ty)) => {
                let (ty, is_borrowed) = scope.handed(&ty)?;
                let from = match id {
                    Some(id) => scope.alias(id, &own, is_borrowed)?,
                    None => own.clone(),
                };
                if is_borrowed && own_names.contains(&own) {
                    return None;
                }
                let local = match is_alone {
                    true => named(&format!("of_{from}")),
                    false => own.clone(),
                };
                if captured.names(&local.to_string(), from.to_string())? {
                    let input = match is_alone {
                        true => local.clone(),
                        false => named(&format!("{}_{name}", captured.handed.len())),
                    };
                    let typed = parse_quote!(#input: #ty);
                    captured.inputs.push(scope.marked(typed));
                    captured.args.push(match is_borrowed {
                        true => parse_quote!(&#from),
                        false => parse_quote!(#from),
                    });
                    if !is_alone {
                        captured.first.push(parse_quote!(let #own = #input;));
                    }
                    captured.handed.push(input);
                }
                match is_borrowed {
                    true => put(&own, &parse_quote!((*#local)), &mut closure),
                    false if is_alone => put(&own, &parse_quote!(#local), &mut closure),
                    false => {}
                }
            }
            Some(Variable::Unknown) => return None,
        }
    }
    Some(closure)
}

/// Whether a macro in a closure has the name.
fn in_macro(closure: &syn::Expr, name: &str) -> bool {
    walk::any(
        Node::Expr(closure),
        &mut |node| matches!(node, Node::Macro(m) if named_in(m.tokens.clone(), name).is_some()),
    )
}

/// Puts something in the place of a variable.
fn put(name: &Ident, other: &syn::Expr, closure: &mut syn::Expr) {
    walk::change(NodeMut::Expr(closure), &mut |node| match node {
        NodeMut::Expr(e) => {
            if matches!(e, syn::Expr::Path(p) if p.path.is_ident(name)) {
                *e = other.clone();
                return Onward::Over;
            }
            if let syn::Expr::Struct(s) = e {
                // `P { k }` has it twice
                let fields = s.fields.iter_mut();
                fields.for_each(|f| f.colon_token = Some(Default::default()));
            }
            Onward::Into
        }
        NodeMut::Item(_) => Onward::Over,
        _ => Onward::Into,
    });
}

/// A name as code has it: macros keep those apart that are written elsewhere.
fn named_in(tokens: TokenStream, name: &str) -> Option<Ident> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(i) if unraw(&i) == name => Some(i),
        TokenTree::Group(g) => named_in(g.stream(), name),
        _ => None,
    })
}
