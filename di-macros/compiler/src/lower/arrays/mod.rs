//! Arrays of `ndarray`, written out before anything else is read: an array is a vector or slice of its
//! elements in row-major order and its lengths, a view is a place in another array with strides, and
//! what is done element by element is a loop. Products and sums are calls of the runtime's rules.
//!
//! Which expressions are arrays follows from the types that are written: of parameters, of variables, of
//! constructors, of the results of functions whose signatures are known, and of what constants hold.

mod array;
mod chain;
mod elements;
mod fit;
mod join;
mod kinds;
mod listed;
mod loops;
mod make;
mod method;
mod numbers;
mod parts;
mod signature;
mod stmt;
mod stored;
mod typed;
mod view;
mod walk;

use crate::error::Message;
use crate::ir::Tokens;
use crate::lower::environment::{Environment, Known as Function};
use crate::lower::extent::HasExtent;
use crate::lower::written::{ArrayType, Written};
use crate::report::Report;
use crate::sorted::Map;
use crate::template::parse_quote;
use crate::walk::{Node, bound};
use array::Array;
pub(crate) use kinds::{Stored, stored_as};
use quote::ToTokens;

/// The function without arrays of `ndarray`, and what became of its parameters; `None` if it has none.
pub(crate) fn write_out(
    function: &syn::ItemFn,
    rt: &proc_macro2::TokenStream,
    env: &Environment,
    cx: &Report,
) -> Option<Written> {
    let gives_array = |node: Node<'_>| match node {
        Node::Expr(syn::Expr::Call(c)) => given(env, c).is_some(),
        Node::Macro(mac) => join::listed(mac).is_some(),
        _ => false,
    };
    let is_named = kinds::mentions_arrays(&function.to_token_stream())
        || crate::walk::any(Node::Block(&function.block), &mut |node| gives_array(node));
    if !is_named && !env.has_type(&kinds::within) {
        return None;
    }
    if crate::lower::ScalarName::of(function).is_some() {
        return None;
    }
    let (tokens, rt) = (rt, syn::parse2::<syn::Path>(rt.clone()).ok()?);
    let float = crate::lower::floats::float_of(&function.sig, &function.block, env);
    let mut flat = Flat {
        cx,
        env,
        rt,
        float,
        seen: crate::lower::read::Types::among(tokens, env, float, cx),
        is_named,
        is_changed: is_named,
        scopes: vec![Map::new()],
        names: 0,
        before: Vec::new(),
        gives: None,
        ret: None,
        types: Vec::new(),
    };
    let mut written = flat.signature(function);
    let block = flat.body(&function.block);
    if !flat.is_changed {
        return None;
    }
    written.function.block = Box::new(block);
    written.types = flat.types;
    let uses = function.block.stmts.iter().filter_map(|s| match s {
        syn::Stmt::Item(item @ syn::Item::Use(_)) => Some(Tokens(item.to_token_stream())),
        _ => None,
    });
    written.uses = uses.collect();
    Some(written)
}

/// Whether a field of a derived struct can be one of arrays with this type.
pub(crate) fn is_array(ty: &syn::Type) -> bool {
    stored_as(ty).is_some()
}

/// Whether a type is a list with arrays for elements.
pub(crate) fn is_list(ty: &syn::Type) -> bool {
    let of = match crate::lower::ungroup(ty) {
        syn::Type::Reference(r) => &*r.elem,
        ty => ty,
    };
    crate::lower::types::element(of).is_some_and(|of| is_array(of) || is_list(of))
}

/// What is known around a function, where arrays in fields of derived structs are structs of the runtime.
pub(crate) fn with_arrays(
    function: &syn::ItemFn,
    env: &Environment,
    rt: &proc_macro2::TokenStream,
) -> Option<Environment> {
    let float = crate::lower::floats::float_of(&function.sig, &function.block, env);
    env.with_arrays(rt, &Stored::named_in(&function.to_token_stream(), float))
}

/// A signature as calls see it whose arrays are written out. What is wrong in it is said where it stands.
pub(crate) fn write_out_signature(signature: &syn::Signature) -> Option<syn::Signature> {
    if !kinds::mentions_arrays(&signature.to_token_stream()) {
        return None;
    }
    let function = syn::ItemFn {
        attrs: Vec::new(),
        vis: syn::Visibility::Inherited,
        sig: signature.clone(),
        block: parse_quote!({}),
    };
    // nothing of the runtime stands in a signature
    let runtime: syn::Path = parse_quote!(runtime);
    let report = Report::default();
    let written = write_out(
        &function,
        &runtime.to_token_stream(),
        &Environment::default(),
        &report,
    );
    report.check().ok()?;
    Some(written?.function.sig)
}

/// What a differentiated function returns, if its signature is known and there are arrays in it.
fn given(env: &Environment, c: &syn::ExprCall) -> Option<syn::Type> {
    let syn::Expr::Path(p) = array::strip(&c.func) else {
        return None;
    };
    let path = p.path.to_token_stream().to_string();
    let is_plain = |known: std::rc::Rc<Function>| !known.is_differentiated;
    if env.function(&path).is_some_and(is_plain) {
        return None;
    }
    let of = env.handed(&path).map(|ty| env.expanded(&ty));
    of.into_iter().find(kinds::within)
}

/// What is known of a variable.
#[derive(Clone, Debug)]
enum Known {
    Array(Box<Array>),
    /// There are arrays in it, and all of them were written out.
    Holder(Box<syn::Type>),
    /// Several numbers, which may be the index of an element.
    Indices(Indices),
    /// It is no array that was written out, and hides what has its name; its type, if that is known.
    Other(Option<Box<syn::Type>>, Owner),
}

/// Whose a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Function,
    /// It stands behind a parameter that is `&mut`.
    Caller,
    /// It is not differentiated.
    Constant,
}

/// How several numbers stand in one variable.
#[derive(Clone, Copy, Debug)]
enum Indices {
    /// `[i, j]`
    List,
    /// `(i, j)`
    Tuple,
}

type Scope = Map<String, Known>;

/// What a function's arrays become, as far as it is written out.
struct Flat<'a> {
    cx: &'a Report,
    env: &'a Environment,
    /// Path of the runtime's hidden module.
    rt: syn::Path,
    float: &'static str,
    /// The types of constants.
    seen: crate::lower::read::Types<'a>,
    /// Whether the function speaks of arrays, and whether some were written out.
    is_named: bool,
    is_changed: bool,
    /// What is known of variables, by name.
    scopes: Vec<Scope>,
    /// Names of our own so far.
    names: usize,
    /// Statements that go before the one that is being written.
    before: Vec<syn::Stmt>,
    /// What the closure that comes next has to give, if that has arrays in it.
    gives: Option<syn::Type>,
    /// Rank of the function's result.
    ret: Option<usize>,
    /// Types that are treated as arrays.
    types: Vec<ArrayType>,
}

impl Flat<'_> {
    /// A name of our own.
    fn name(&mut self, stem: &str) -> syn::Ident {
        self.names += 1;
        syn::Ident::new(
            &format!("__{stem}{}", self.names),
            proc_macro2::Span::call_site(),
        )
    }

    fn float_type(&self) -> syn::Type {
        let ident = syn::Ident::new(self.float, proc_macro2::Span::call_site());
        parse_quote!(#ident)
    }

    /// Binds a value to a name of our own.
    fn bind(&mut self, stem: &str, value: &syn::Expr) -> syn::Expr {
        let name = self.name(stem);
        self.before.push(parse_quote!(let #name = #value;));
        parse_quote!(#name)
    }

    /// The same, unless it can be repeated as it is.
    fn atom(&mut self, stem: &str, value: syn::Expr) -> syn::Expr {
        match array::strip(&value) {
            syn::Expr::Lit(l) => syn::Expr::Lit(l.clone()),
            _ => self.bind(stem, &value),
        }
    }

    fn known(&self, name: &syn::Ident) -> Option<&Known> {
        let name = name.to_string();
        self.scopes.iter().rev().find_map(|s| s.get(&name))
    }

    fn lookup(&self, name: &syn::Ident) -> Option<Array> {
        match self.known(name)? {
            Known::Array(array) => Some((**array).clone()),
            Known::Holder(_) | Known::Indices(_) | Known::Other(..) => None,
        }
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Map::new());
        let result = f(self);
        self.scopes.pop();
        result
    }

    fn declare(&mut self, name: &syn::Ident, array: Option<Array>) {
        self.note(
            name,
            array.map_or(Known::Other(None, Owner::Function), |a| {
                Known::Array(Box::new(a))
            }),
        );
    }

    fn note(&mut self, name: &syn::Ident, known: Known) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), known);
        }
    }

    /// Names that a pattern binds hide arrays.
    fn hide(&mut self, pat: &syn::Pat) {
        for name in bound(Node::Pat(pat)) {
            self.declare(&name, None);
        }
    }

    fn refuse(&self, at: &impl ToTokens, message: &'static Message) {
        self.cx.error(at.extent(), message);
    }

    fn refuse_about(&self, at: &impl ToTokens, message: &'static Message, subject: impl ToString) {
        self.cx.error_about(at.extent(), message, subject);
    }
}
