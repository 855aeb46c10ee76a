//! From syntax to the typed tree: names are resolved, types inferred, the unsupported is refused.

mod access;
mod active;
mod as_written;
mod assign;
mod behind;
mod borrowed;
mod bundles;
mod call;
mod callee;
mod chain;
mod closure;
mod collections;
mod components;
mod constant;
mod consume;
mod contents;
mod control;
mod copied;
mod data;
mod effect;
mod element;
mod enums;
mod equality;
mod expected;
mod expr;
mod fitted;
mod flows;
mod format;
mod found;
mod function;
mod generic;
mod grouped;
mod in_place;
mod indices;
mod instance;
mod integers;
mod items;
mod iter;
mod known;
mod lengths;
mod lifted;
mod listed;
mod looped;
mod macros;
mod makers;
mod mapped;
mod mark;
mod matching;
mod memory;
mod method;
mod methods;
mod object;
mod of_std;
mod operators;
mod option;
mod optional;
mod order;
mod own;
mod parts;
mod passive;
mod pattern;
mod plain;
mod question;
mod ranges;
mod search;
mod selected;
mod sequence;
mod shorten;
mod shown;
mod sort;
mod standing;
mod state;
mod stmt;
mod structs;
mod sum;
mod taken;
mod texts;
mod unread;
mod variants;
mod width;

use super::environment::Environment;
use super::hir::{Block, Closure, ClosureId, Expr, Function, Kind, Local, LocalInfo};
use super::inline;
use super::scalar::ScalarName;
use super::signature::Signature;
use super::state::Shape;
use super::ty::{Traits, Ty, Unifier};
use super::vectors::vectors;
use crate::error::{self, Message};
use crate::ir::{Role, Tokens};
use crate::report::{Extent, Report};
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::walk::Node;
use proc_macro2::{Span, TokenStream};
use std::rc::Rc;

pub(super) use format::with_arguments;
pub(crate) use format::with_self;
pub(super) use grouped::names_in as names_in_macro;
use of_std::{Names, Seen};

/// Reads the body of a function. The types of the result are not solved yet: the unifier is part of it.
pub(crate) fn read_function(
    sig: &Signature,
    block: &syn::Block,
    rt: &TokenStream,
    env: &Environment,
    cx: &Report,
) -> (Function, Unifier) {
    let (mut r, mut body) = read_body(sig, block, rt, env, cx);
    r.put_standing(&mut body);
    let methods = r.methods_of_floats();
    (
        Function {
            body,
            locals: r.locals,
            closures: r.closures,
            methods,
            vectors: vectors(env, sig.float),
            lengths: sig.constants.iter().map(|(name, _)| name.clone()).collect(),
        },
        r.types.taken_apart(),
    )
}

fn read_body<'a>(
    sig: &'a Signature,
    block: &syn::Block,
    rt: &'a TokenStream,
    env: &'a Environment,
    cx: &'a Report,
) -> (Reader<'a>, Block) {
    let mut r = Reader {
        single: sig.float == "f32",
        scalar: sig.scalar.is_some(),
        generic: sig.scalar.as_ref(),
        at: sig.seen.first().map_or_else(Span::call_site, |p| p.span),
        variables: &sig.variables,
        bare: &sig.bare,
        parameters: sig.seen.len(),
        ret: sig.ret.clone(),
        assigned: stmt::assigned_in(block),
        ..Reader::of_nothing(rt, env, &sig.float_name, cx)
    };
    let mut block = block.clone();
    for (k, seen) in sig.seen.iter().enumerate() {
        let hidden = format!("__{}_{k}", seen.name);
        let name = if seen.pattern.is_some() {
            &hidden
        } else {
            &seen.name
        };
        let local = r.bind(name, seen.mutable, seen.ty.clone(), seen.span.into());
        r.locals[local.0].owned = seen.is_vector;
        if sig.params[seen.first].role == Role::Constant && !seen.mutable {
            r.constants.insert(local);
        }
    }
    for (k, seen) in sig.seen.iter().enumerate().rev() {
        if let Some(pat) = &seen.pattern {
            let hidden = syn::Ident::new(&format!("__{}_{k}", seen.name), seen.span);
            block.stmts.insert(0, parse_quote!(let #pat = #hidden;));
        }
    }
    for (name, ty) in &sig.constants {
        let item = Item::Const(ty.clone(), Tokens(TokenStream::new()));
        r.scopes[0].items.insert(name.clone(), item);
    }
    r.expect_of_block(&mut block, &sig.ret);
    r.check_order(Node::Block(&block));
    let mut body = r.block(&block);
    let span = body
        .value
        .as_ref()
        .map_or_else(|| Span::call_site().into(), |v| v.span);
    let diverges = stmt::block_diverges(&body);
    if !diverges {
        r.lift_block(&mut body, &sig.ret);
        r.give_back(&body.ty.clone(), &sig.ret, span);
    }
    r.drop_unread(&body);
    r.number_texts(&body);
    (r, body)
}

/// Names of one block.
#[derive(Clone, Default)]
struct Scope {
    locals: Map<String, Local>,
    /// `const` and `use` items of the block, by the name that they bring.
    items: Map<String, Item>,
}

#[derive(Clone)]
enum Item {
    /// A constant: its type, and the item, which is repeated around each use; nothing for a parameter
    /// of the function.
    Const(Ty, Tokens),
    /// `use a::b as c`: the path that `c` stands for, and an item that brings it alone.
    Use(syn::Path, Tokens),
    /// `let g = |..| ..`
    Closure(ClosureId),
    /// `let g = |..| move |..| ..`
    Maker(Rc<makers::Maker>),
    /// `let g = x.iter().map(..)`
    Chain(chain::Chain),
}

impl Item {
    fn is_closure(&self) -> bool {
        match self {
            Item::Closure(_) | Item::Maker(_) => true,
            Item::Const(..) | Item::Use(..) | Item::Chain(_) => false,
        }
    }
}

/// What `return` means inside a closure.
#[derive(Default)]
struct ClosureScope {
    /// Type of its value; `None` where `return` is not supported.
    ret: Option<Ty>,
    /// There is a `return` in it.
    returns: bool,
}

/// A loop or a labelled block that is open.
struct Loop {
    label: Option<String>,
    is_loop: bool,
    /// Type that `break` carries, for `loop` and blocks.
    value: Option<Ty>,
    /// Some `break` leaves it.
    broken: bool,
}

struct Reader<'a> {
    cx: &'a Report,
    /// Path of the runtime's hidden module.
    rt: &'a TokenStream,
    /// What is known of the items around the function.
    env: &'a Environment,
    /// Name of the float type, and whether it is `f32`, or a type parameter.
    float: &'a str,
    single: bool,
    scalar: bool,
    generic: Option<&'a ScalarName>,
    /// A token of the function.
    at: Span,
    /// Other type parameters.
    variables: &'a [String],
    /// Those of which nothing is known.
    bare: &'a [String],
    /// Methods of what may be floats, with the types and places.
    methods_used: Vec<(String, Ty, Span)>,
    /// How many of the variables are parameters.
    parameters: usize,
    /// Those that are constants, and stay what they are.
    constants: Set<Local>,
    /// Names of parts of values without floats that are behind `&mut`.
    borrowed_parts: Vec<Local>,
    /// Types of results of operators, and what stands on the left of all.
    results: Map<String, Tokens>,
    types: Unifier,
    locals: Vec<LocalInfo>,
    scopes: Vec<Scope>,
    ret: Ty,
    loops: Vec<Loop>,
    /// Types of fields, by the path of their struct and their name.
    fields: Map<(String, String), Ty>,
    /// Names that the alternatives of a pattern share.
    alternatives: Vec<Map<String, Local>>,
    /// The closure that is being read.
    closure: Option<ClosureScope>,
    closures: Vec<Closure>,
    /// Lists of functions of which values are one each.
    functions: Vec<Vec<ClosureId>>,
    /// Variables of whose types nothing was known where they were bound.
    unresolved: Vec<unread::Unresolved>,
    /// Labels of our own so far.
    labels: usize,
    /// Bodies of methods in the place of calls so far; those of functions, which came before, count from 0.
    inlined: usize,
    /// The methods of bundles whose bodies are being read.
    placing: Vec<bundles::Placing>,
    /// What names of references to variables stand for, by the numbers of these names.
    standing: Map<usize, Expr>,
    /// Variables that hold state.
    states: Set<Local>,
    /// What is known of types of state, by their numbers.
    shapes: Vec<Shape>,
    /// Constants that are made step by step, and what their types are called in messages.
    made: Vec<(Local, String)>,
    /// Structs that are made of constants, by the numbers of their names.
    of_constants: Map<usize, components::Made>,
    /// Type that is written at the variable that the next method call is given to.
    wanted: Option<Ty>,
    /// Names that the function assigns to.
    assigned: Map<String, stmt::Assigned>,
    /// Whether types are asked for by themselves: of all values, not of constants alone.
    is_of_all: bool,
}

impl<'a> Reader<'a> {
    /// A reader of a function of which nothing was read, and which has no parameters.
    fn of_nothing(
        rt: &'a TokenStream,
        env: &'a Environment,
        float: &'a str,
        cx: &'a Report,
    ) -> Reader<'a> {
        Reader {
            cx,
            rt,
            env,
            float,
            single: false,
            scalar: false,
            generic: None,
            at: Span::call_site(),
            variables: &[],
            bare: &[],
            methods_used: Vec::new(),
            parameters: 0,
            constants: Set::new(),
            borrowed_parts: Vec::new(),
            results: Map::new(),
            types: Unifier::with_runtime(rt, env),
            locals: Vec::new(),
            scopes: vec![Scope::default()],
            ret: Ty::unit(),
            loops: Vec::new(),
            fields: Map::new(),
            closure: None,
            closures: Vec::new(),
            functions: Vec::new(),
            labels: 0,
            inlined: inline::MOST,
            placing: Vec::new(),
            standing: Map::new(),
            alternatives: Vec::new(),
            unresolved: Vec::new(),
            states: Set::new(),
            shapes: Vec::new(),
            made: Vec::new(),
            of_constants: Map::new(),
            wanted: None,
            assigned: Map::new(),
            is_of_all: false,
        }
    }
}

/// The types of values as they are written, as far as the items around a function tell.
pub(crate) struct Types<'a>(Reader<'a>);

impl<'a> Types<'a> {
    pub(crate) fn among(
        rt: &'a TokenStream,
        env: &'a Environment,
        float: &'a str,
        cx: &'a Report,
    ) -> Types<'a> {
        let mut reader = Reader::of_nothing(rt, env, float, cx);
        reader.is_of_all = true;
        Types(reader)
    }

    /// The type of a value, where variables have these types.
    pub(crate) fn of(&self, e: &syn::Expr, names: &Names) -> Option<syn::Type> {
        self.0.seen_among(e, names)?.value()
    }

    /// The type of what an iterator gives, a list or an option.
    pub(crate) fn of_items(&self, e: &syn::Expr, names: &Names) -> Option<syn::Type> {
        match of_std::items(self.0.seen_among(e, names)?)? {
            Seen::Items(of) => Some(of),
            Seen::Value(_) => None,
        }
    }

    /// What a pattern binds in a value of this type.
    pub(crate) fn bound(
        &self,
        pat: &syn::Pat,
        of: Option<&syn::Type>,
    ) -> Vec<(String, Option<syn::Type>)> {
        let mut names = Vec::new();
        self.0.name(pat, of, &mut names);
        names
    }
}

impl Reader<'_> {
    /// A variable that code finds by its name.
    fn bind(&mut self, name: &str, mutable: bool, ty: Ty, span: Extent) -> Local {
        let local = self.unnamed(name, ty, span);
        self.locals[local.0].mutable = mutable;
        let scope = self.scopes.last_mut().expect("a function has a scope");
        scope.locals.insert(name.to_owned(), local);
        scope.items.remove(name);
        local
    }

    /// A variable that no code finds, whatever the user's are named; `name` is for readers of generated code.
    fn unnamed(&mut self, name: &str, ty: Ty, span: Extent) -> Local {
        self.locals.push(LocalInfo {
            name: name.to_owned(),
            mutable: false,
            ty,
            span: span.start,
            taken: false,
            owned: false,
            once: false,
        });
        Local(self.locals.len() - 1)
    }

    fn lookup(&self, name: &str) -> Option<Local> {
        for scope in self.scopes.iter().rev() {
            if let Some(local) = scope.locals.get(name) {
                return Some(*local);
            }
            if scope.items.contains_key(name) {
                return None;
            }
        }
        None
    }

    /// The variable that a path names.
    fn local_by(&self, path: &syn::Path) -> Option<Local> {
        self.lookup(&expr::unraw(path.get_ident()?))
    }

    /// The variable that an expression is.
    fn local_of(&self, e: &syn::Expr) -> Option<Local> {
        match expr::strip(e) {
            syn::Expr::Path(p) => self.local_by(&p.path),
            _ => None,
        }
    }

    /// The type of such a variable.
    fn local_shallow(&self, e: &syn::Expr) -> Option<Ty> {
        let local = self.local_of(e)?;
        Some(self.types.shallow(&self.locals[local.0].ty))
    }

    /// The same behind references.
    fn local_type(&self, e: &syn::Expr) -> Option<Ty> {
        Some(self.types.peel(&self.local_shallow(e)?))
    }

    fn item(&self, name: &str) -> Option<&Item> {
        for scope in self.scopes.iter().rev() {
            if scope.locals.contains_key(name) {
                return None;
            }
            if let Some(item) = scope.items.get(name) {
                return Some(item);
            }
        }
        None
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.open_scope();
        let result = f(self);
        self.close_scope();
        result
    }

    // both by themselves: `scoped` is compiled for each of its closures

    fn open_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    fn close_scope(&mut self) {
        self.scopes.pop();
    }

    /// What the function ends with is of the type of its result.
    fn give_back(&mut self, found: &Ty, result: &Ty, span: Extent) {
        let is_unit = |ty: &Ty| matches!(ty, Ty::Tuple(ts) if ts.is_empty());
        let is_name = matches!(self.types.peel(found), Ty::Struct(_) | Ty::Opaque(_));
        if is_unit(result) && !is_name && self.types.unify(found, result).is_err() {
            self.cx.certain_mismatch();
        } else {
            self.unify(found, result, span);
        }
    }

    fn unify(&mut self, a: &Ty, b: &Ty, span: Extent) {
        if self.types.unify(a, b).is_ok() {
            return;
        }
        match (self.types.peel(a), self.types.peel(b)) {
            (Ty::Opaque(x), Ty::Struct(y)) | (Ty::Struct(x), Ty::Opaque(y)) if x == y => {
                self.cx.error_about(span, &error::CONSTANT_STRUCT, x.0);
            }
            (a, b) => {
                let types = [a, b].map(|ty| self.types.shown(&ty));
                self.cx.mismatch_of(span, types);
            }
        }
    }

    /// A variable for the type of something that comes from outside the function.
    fn foreign(&mut self) -> Ty {
        self.types.fresh_with(Traits {
            foreign: true,
            ..Traits::default()
        })
    }

    fn refuse(&mut self, span: Extent, message: &'static Message) -> Expr {
        self.refuse_about(span, message, "")
    }

    fn refuse_about(
        &mut self,
        span: Extent,
        message: &'static Message,
        subject: impl ToString,
    ) -> Expr {
        self.cx.error_about(span, message, subject);
        self.refused(span)
    }

    /// In the place of something for which an error was reported already.
    fn refused(&mut self, span: Extent) -> Expr {
        Expr::new(Kind::Refused, self.tainted(), span)
    }

    fn tainted(&mut self) -> Ty {
        self.types.fresh_with(Traits {
            refused: true,
            ..Traits::default()
        })
    }

    fn is_tainted(&self, ty: &Ty) -> bool {
        self.types
            .traits(&self.types.peel(ty))
            .is_some_and(|t| t.refused)
    }
}
