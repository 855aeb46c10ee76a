//! Types while they are being inferred, and unification. No syntax here.
//!
//! Rust has no implicit conversion between integers and floats, so that one scalar class stands on
//! both sides of an operator and unification infers nearly all of them (no call, no trait is looked
//! into). rustc checks the user's function as well: what does not unify here is reported there.

use super::bundles::Bundles;
use super::code;
pub(crate) use super::data::data_of;
use super::data::{Data, data_type};
use super::environment::{Environment, lengths_of, replaced, spelled};
use super::namesakes::Namesakes;
pub(crate) use super::stored::{form, from_ir, to_ir};
use crate::ir::Tokens;
use crate::sorted::Map;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::rc::Rc;

/// A type, with variables for what is not known yet.
#[derive(Clone, Debug)]
pub(crate) enum Ty {
    Var(u32),
    Float,
    Int(String),
    Bool,
    /// `()` is the empty one.
    Tuple(Vec<Ty>),
    /// `Option<T>` or `Result<T, E>`, by the number of payloads. Solved types have the tuple of a
    /// bool and two payloads in its place.
    Sum(Vec<Ty>),
    /// `&T`, or `&mut T` when true.
    Ref(bool, Box<Ty>),
    Array(Box<Ty>, Tokens),
    Slice(Box<Ty>),
    Vec(Box<Ty>),
    Struct(Tokens),
    /// A struct that borrows: its fields, each by itself. Solved types have the tuple of them in its place, and so has
    /// what is built.
    Bundle(Tokens, Vec<Ty>),
    Opaque(Tokens),
}

impl Ty {
    pub(crate) fn unit() -> Ty {
        Ty::Tuple(Vec::new())
    }

    pub(crate) fn usize() -> Ty {
        Ty::Int("usize".to_owned())
    }

    pub(crate) fn reference(mutable: bool, of: Ty) -> Ty {
        Ty::Ref(mutable, Box::new(of))
    }

    /// The types that it is made of, one level down.
    pub(crate) fn parts(&self) -> &[Ty] {
        match self {
            Ty::Tuple(ts) | Ty::Sum(ts) | Ty::Bundle(_, ts) => ts,
            Ty::Ref(_, t) | Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => std::slice::from_ref(t),
            Ty::Var(_) | Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Struct(_) | Ty::Opaque(_) => &[],
        }
    }

    /// Of `Vec<&[T]>` the type that it has here: its rows are copies.
    pub(crate) fn with_own_rows(self) -> Ty {
        match self {
            Ty::Vec(of) => match *of {
                Ty::Ref(false, row) => match *row {
                    Ty::Slice(of) => Ty::Vec(Box::new(Ty::Vec(of))),
                    row => Ty::Vec(Box::new(Ty::reference(false, row))),
                },
                of => Ty::Vec(Box::new(of)),
            },
            ty => ty,
        }
    }
}

/// The integer type of the functions in a list of them: each value is the number of one.
pub(crate) fn function_type(list: usize) -> String {
    format!("fn{list}")
}

/// What is known of an unbound variable.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    /// An integer of some type: a literal without a suffix.
    pub(crate) integer: bool,
    /// It comes from a constant of the user, or from passive code: an integer defaults to `usize`,
    /// not `i32`.
    pub(crate) foreign: bool,
    /// A field of a derived struct.
    pub(crate) field: bool,
    /// A literal that goes where the compiler does not look: rustc infers the type, `_`.
    pub(crate) free: bool,
    /// A constant with the name of one of std's floats: `PI`.
    pub(crate) float: bool,
    /// A field, or the result of a call, or what is computed of these, that is made a float by `as`: an integer
    /// by default.
    pub(crate) counted: bool,
    /// The result of a call.
    pub(crate) callee: bool,
    /// It comes from something that was refused: no further errors about it.
    pub(crate) refused: bool,
    /// If it is a struct: the number of a path to it, see [`Unifier::name`].
    pub(crate) named: Option<usize>,
    /// Of a constant: the number of its type as the user writes it, see [`Unifier::written`].
    pub(crate) written: Option<usize>,
}

/// The table of variables.
#[derive(Debug, Default)]
pub(crate) struct Unifier {
    vars: Vec<Result<Ty, Traits>>,
    names: Vec<Tokens>,
    /// Path of the runtime's hidden module, where names of types lead through it.
    pub(super) rt: Option<TokenStream>,
    /// Types without floats whose values are numbers.
    data: Map<String, Rc<Data>>,
    /// Structs that borrow.
    pub(super) bundles: Bundles,
    /// Whether bundles are the tuples of their fields by now.
    apart: bool,
    /// Lengths of arrays that are not written where these are made.
    lengths: Map<String, Option<Tokens>>,
    pub(super) namesakes: Namesakes,
}

/// Two types that do not fit.
#[derive(Debug)]
pub(crate) struct Clash;

impl Unifier {
    /// A table for types that may be reached through this runtime.
    pub(crate) fn with_runtime(rt: &TokenStream, env: &Environment) -> Unifier {
        Unifier {
            rt: Some(rt.clone()),
            ..Unifier::of(env)
        }
    }

    /// A table for a function among these items.
    pub(crate) fn of(env: &Environment) -> Unifier {
        Unifier {
            data: env.data(),
            bundles: Bundles::of(env),
            ..Unifier::default()
        }
    }

    /// The same where bundles are the tuples of their fields.
    pub(crate) fn taken_apart(self) -> Unifier {
        Unifier {
            apart: true,
            ..self
        }
    }

    /// A variable of which nothing is known.
    pub(crate) fn fresh(&mut self) -> Ty {
        self.fresh_with(Traits::default())
    }

    /// A variable with some traits.
    pub(crate) fn fresh_with(&mut self, traits: Traits) -> Ty {
        self.vars.push(Err(traits));
        Ty::Var(u32::try_from(self.vars.len() - 1).expect("fewer than 2^32 types"))
    }

    /// A variable that, should it be a struct, is the one with this path.
    pub(crate) fn fresh_named(&mut self, path: Tokens, traits: Traits) -> Ty {
        self.names.push(path);
        self.fresh_with(Traits {
            named: Some(self.names.len() - 1),
            ..traits
        })
    }

    /// A constant whose type is written, and not looked into until something asks for it.
    pub(crate) fn fresh_written(&mut self, ty: Tokens) -> Ty {
        self.names.push(ty);
        self.fresh_with(Traits {
            foreign: true,
            written: Some(self.names.len() - 1),
            ..Traits::default()
        })
    }

    /// The type of a constant as it is written.
    pub(crate) fn written(&self, ty: &Ty) -> Option<&Tokens> {
        let k = self.traits(ty)?.written?;
        self.names.get(k)
    }

    /// The path of a variable that would be a struct.
    pub(crate) fn name(&self, ty: &Ty) -> Option<&Tokens> {
        let k = self.traits(ty)?.named?;
        self.names.get(k)
    }

    /// A length that is not written, and shows elsewhere.
    pub(crate) fn fresh_length(&mut self) -> Tokens {
        let name = format!("__N{}", self.lengths.len());
        let name = Tokens(proc_macro2::Ident::new(&name, Span::call_site()).into_token_stream());
        self.open_length(name.clone());
        name
    }

    /// Notes the length of an array that shows elsewhere, by a name of its own.
    pub(crate) fn open_length(&mut self, name: Tokens) {
        self.lengths.insert(name.0.to_string(), None);
    }

    /// Notes what is written for such a length.
    pub(crate) fn write_length(&mut self, name: &Tokens, written: Tokens) {
        self.lengths.insert(name.0.to_string(), Some(written));
    }

    /// Whether there are such lengths.
    pub(crate) fn has_open_lengths(&self) -> bool {
        !self.lengths.is_empty()
    }

    /// A length as it is written, if that is known by now.
    pub(crate) fn length(&self, n: &Tokens) -> Option<Tokens> {
        match self.lengths.get(&n.0.to_string()) {
            Some(known) => self.length(known.as_ref()?),
            None => Some(n.clone()),
        }
    }

    /// Tokens with the lengths that are known by now.
    pub(crate) fn with_lengths(&self, tokens: &Tokens) -> Tokens {
        if !self.has_open_lengths() {
            return tokens.clone();
        }
        Tokens(replaced(tokens.0.clone(), &|name| {
            let found = self.lengths.get(name)?.as_ref()?;
            Some(self.length(found).unwrap_or_else(|| found.clone()).0)
        }))
    }

    /// Whether this is a length of which nothing is known: it has not met another one.
    pub(crate) fn is_unlinked(&self, length: &Tokens) -> bool {
        matches!(self.lengths.get(&length.0.to_string()), Some(None))
    }

    /// Whether tokens speak of a length that is not known.
    pub(crate) fn has_open_in(&self, tokens: &Tokens) -> bool {
        let text = tokens.0.to_string();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| matches!(self.lengths.get(word), Some(None)))
    }

    /// Two structs of one name have the same lengths.
    fn unify_structs(&mut self, x: &Tokens, y: &Tokens) -> Result<(), Clash> {
        self.namesakes.note(x, y);
        if !self.has_open_lengths() {
            return Ok(());
        }
        let (Some(x), Some(y)) = (lengths_of(&x.0), lengths_of(&y.0)) else {
            return Ok(());
        };
        let mut pairs = x.iter().zip(&y).filter(|_| x.len() == y.len());
        pairs.try_for_each(|(n, m)| self.unify_lengths(n, m))
    }

    fn unify_lengths(&mut self, n: &Tokens, m: &Tokens) -> Result<(), Clash> {
        let last = |of: &Tokens| {
            let mut of = of.clone();
            while let Some(Some(next)) = self.lengths.get(&of.0.to_string()) {
                of = next.clone();
            }
            of
        };
        let (n, m) = (last(n), last(m));
        if n == m {
            return Ok(());
        }
        for (open, other) in [(&n, &m), (&m, &n)] {
            if let Some(found) = self.lengths.get_mut(&open.0.to_string()) {
                *found = Some(other.clone());
                return Ok(());
            }
        }
        if super::types::differ(&n, &m) {
            Err(Clash)
        } else {
            Ok(())
        }
    }

    /// The type with its outermost variable followed.
    pub(crate) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Var(v) = ty {
            match &self.vars[*v as usize] {
                Ok(bound) => ty = bound,
                Err(_) => return ty.clone(),
            }
        }
        match ty {
            Ty::Array(of, n) => Ty::Array(of.clone(), self.length(n).unwrap_or(n.clone())),
            Ty::Struct(path) => Ty::Struct(self.with_lengths(path)),
            Ty::Bundle(_, parts) if self.apart => Ty::Tuple(parts.clone()),
            ty => ty.clone(),
        }
    }

    /// Whether the variable `of` is in a type that is no sum: of a sum it is asked which it is.
    pub(crate) fn mentions(&self, ty: &Ty, of: &Ty) -> bool {
        match (self.shallow(ty), self.shallow(of)) {
            (Ty::Var(x), Ty::Var(y)) => x == y,
            (Ty::Sum(_), _) => false,
            (ty, Ty::Var(y)) => self.occurs(y, &ty),
            _ => false,
        }
    }

    /// Behind all references.
    pub(crate) fn peel(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Ref(_, t) => self.peel(&t),
            other => other,
        }
    }

    /// Traits of an unbound variable.
    pub(crate) fn traits(&self, ty: &Ty) -> Option<Traits> {
        match self.shallow(ty) {
            Ty::Var(v) => self.vars[v as usize].as_ref().err().copied(),
            _ => None,
        }
    }

    fn traits_mut(&mut self, ty: &Ty) -> Option<&mut Traits> {
        match self.peel(ty) {
            Ty::Var(v) => self.vars[v as usize].as_mut().err(),
            _ => None,
        }
    }

    /// Whether this comes from outside the function, and is no integer for certain.
    pub(crate) fn is_foreign(&self, ty: &Ty) -> bool {
        self.traits(ty).is_some_and(|t| t.foreign && !t.integer)
    }

    /// Whether this is an integer, of whichever type.
    pub(crate) fn is_integer(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Int(_)) || self.traits(ty).is_some_and(|t| t.integer)
    }

    /// Notes that an error was reported for this variable already.
    pub(crate) fn set_refused(&mut self, ty: &Ty) {
        if let Some(traits) = self.traits_mut(ty) {
            traits.refused = true;
        }
    }

    /// What is in an option or a result that a call returns is reached by the way to that.
    fn name_payload(&mut self, sum: u32, payload: &Ty) {
        let whole = self.name(&Ty::Var(sum)).cloned();
        if let (Some(whole), Some(rt), Ty::Var(v)) = (whole, &self.rt, self.shallow(payload))
            && let Err(traits) = &mut self.vars[v as usize]
            && traits.named.is_none()
        {
            self.names.push(Tokens(code::payload(&whole.0, rt)));
            traits.named = Some(self.names.len() - 1);
        }
    }

    /// Notes that a value goes where the compiler does not look: an integer is an index, most
    /// likely, and a literal is what is wanted there.
    pub(crate) fn set_outgoing(&mut self, ty: &Ty, literal: bool) {
        if let Some(traits) = self.traits_mut(ty)
            && traits.integer
        {
            traits.free |= literal;
            traits.foreign |= !literal;
        }
        // arrays of indices too
        if let Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) = self.peel(ty) {
            self.set_outgoing(&t, false);
        }
    }

    /// Notes that a value is made a float by `as`.
    pub(crate) fn set_counted(&mut self, ty: &Ty) {
        if let Some(traits) = self.traits_mut(ty) {
            traits.counted = true;
        }
    }

    /// Makes two types equal. Lenient on references to scalars and on the kind of sequences, where
    /// Rust dereferences or coerces and rustc checks.
    pub(crate) fn unify(&mut self, a: &Ty, b: &Ty) -> Result<(), Clash> {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Var(x), Ty::Var(y)) if x == y => Ok(()),
            (Ty::Var(x), Ty::Var(y)) => {
                let (tx, ty) = (
                    self.traits(&a).unwrap_or_default(),
                    self.traits(&b).unwrap_or_default(),
                );
                self.vars[*x as usize] = Ok(b.clone());
                self.vars[*y as usize] = Err(Traits {
                    integer: tx.integer || ty.integer,
                    foreign: tx.foreign || ty.foreign,
                    field: tx.field || ty.field,
                    free: tx.free || ty.free,
                    float: tx.float || ty.float,
                    counted: tx.counted || ty.counted,
                    callee: tx.callee || ty.callee,
                    refused: tx.refused || ty.refused,
                    named: tx.named.or(ty.named),
                    written: tx.written.or(ty.written),
                });
                Ok(())
            }
            (Ty::Var(x), t) | (t, Ty::Var(x)) => {
                let integer = self.is_integer(&Ty::Var(*x));
                let t = if integer { self.peel(t) } else { t.clone() };
                match &t {
                    Ty::Var(_) => self.unify(&Ty::Var(*x), &t),
                    _ if self.occurs(*x, &t) => Err(Clash),
                    Ty::Int(_) => {
                        self.vars[*x as usize] = Ok(t);
                        Ok(())
                    }
                    Ty::Float
                    | Ty::Bool
                    | Ty::Tuple(_)
                    | Ty::Sum(_)
                    | Ty::Ref(..)
                    | Ty::Array(..)
                    | Ty::Slice(_)
                    | Ty::Vec(_)
                    | Ty::Struct(_)
                    | Ty::Bundle(..)
                    | Ty::Opaque(_) => {
                        if integer {
                            Err(Clash)
                        } else {
                            let callee = self.traits(&Ty::Var(*x)).is_some_and(|t| t.callee);
                            if let (true, Ty::Sum(ts)) = (callee, &t) {
                                if let Ty::Var(v) = self.shallow(&ts[0])
                                    && let Err(traits) = &mut self.vars[v as usize]
                                {
                                    traits.callee = true;
                                }
                                self.name_payload(*x, &ts[0]);
                            }
                            self.vars[*x as usize] = Ok(t);
                            Ok(())
                        }
                    }
                }
            }
            (Ty::Ref(_, x), Ty::Ref(_, y)) => self.unify(x, y),
            (Ty::Ref(_, x), y) | (y, Ty::Ref(_, x)) => self.unify(x, y),
            (Ty::Float, Ty::Float) | (Ty::Bool, Ty::Bool) => Ok(()),
            (Ty::Int(x), Ty::Int(y)) if x == y => Ok(()),
            (Ty::Tuple(xs), Ty::Tuple(ys)) | (Ty::Bundle(_, xs), Ty::Bundle(_, ys))
                if xs.len() == ys.len() =>
            {
                xs.iter().zip(ys).try_for_each(|(x, y)| self.unify(x, y))
            }
            // the result of a call is assumed to be an `Option` unless more is known
            (Ty::Sum(xs), Ty::Sum(ys)) => xs.iter().zip(ys).try_for_each(|(x, y)| self.unify(x, y)),
            (Ty::Array(x, n), Ty::Array(y, m)) => {
                self.unify_lengths(n, m)?;
                self.unify(x, y)
            }
            (
                Ty::Array(x, _) | Ty::Slice(x) | Ty::Vec(x),
                Ty::Array(y, _) | Ty::Slice(y) | Ty::Vec(y),
            ) => self.unify(x, y),
            // one struct has many names, and rustc compares them
            (Ty::Struct(x), Ty::Struct(y)) => self.unify_structs(x, y),
            (Ty::Opaque(x), Ty::Opaque(y)) if x == y => Ok(()),
            (
                Ty::Float
                | Ty::Int(_)
                | Ty::Bool
                | Ty::Tuple(_)
                | Ty::Sum(_)
                | Ty::Array(..)
                | Ty::Slice(_)
                | Ty::Vec(_)
                | Ty::Struct(_)
                | Ty::Bundle(..)
                | Ty::Opaque(_),
                _,
            ) => Err(Clash),
        }
    }

    /// False where `found` is a sequence of another kind than the array or vector that is wanted by value:
    /// there is no coercion.
    pub(crate) fn may_be(&self, wanted: &Ty, found: &Ty) -> bool {
        !matches!(
            (self.shallow(wanted), self.peel(found)),
            (Ty::Array(..), Ty::Slice(_) | Ty::Vec(_)) | (Ty::Vec(_), Ty::Slice(_) | Ty::Array(..))
        )
    }

    pub(crate) fn occurs(&self, var: u32, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(v) => v == var,
            ty => ty.parts().iter().any(|t| self.occurs(var, t)),
        }
    }

    /// Whether this holds for a type, or for one that it is made of.
    pub(crate) fn any(&self, ty: &Ty, is: &dyn Fn(&Ty) -> bool) -> bool {
        let ty = self.shallow(ty);
        is(&ty) || ty.parts().iter().any(|part| self.any(part, is))
    }

    /// The type with every variable followed; integer variables get their default.
    pub(crate) fn solve(&self, ty: &Ty) -> Ty {
        self.solve_as(ty, true)
    }

    /// The same of the field of a struct, where a value without floats is what it is.
    pub(crate) fn solved_field(&self, ty: &Ty) -> Ty {
        self.solve_as(ty, false)
    }

    fn solve_as(&self, ty: &Ty, numbered: bool) -> Ty {
        let solve = |t: &Ty| self.solve_as(t, numbered);
        // an integer is what is written for the constant
        let written = |t: &Traits| {
            self.names
                .get(t.written.filter(|_| t.integer || t.counted)?)
        };
        let counted = |t: &Traits| super::types::integer_of(written(t)?);
        match self.shallow(ty) {
            Ty::Var(v) => match &self.vars[v as usize] {
                Err(t) if counted(t).is_some() => counted(t).map_or_else(Ty::usize, Ty::Int),
                Err(t) if t.integer && t.free => Ty::Int("_".to_owned()),
                // of a field rustc knows which, unless the struct's path is of another crate's macro
                Err(t) if t.field && (t.integer || t.counted) => {
                    let path = t.named.and_then(|k| self.names.get(k));
                    let path = path
                        .map(|p| self.with_lengths(p).0.to_string())
                        .filter(|p| !p.contains('$'));
                    path.map_or_else(Ty::usize, Ty::Int)
                }
                // the result of a call, too
                Err(t) if t.callee && (t.integer || t.counted) => Ty::Int("_".to_owned()),
                // and of what a constant is taken apart into
                Err(t) if t.counted && !(t.integer || t.float || t.refused) => {
                    Ty::Int("_".to_owned())
                }
                Err(t) if t.integer && t.foreign => Ty::usize(),
                Err(t) if t.integer => Ty::Int("i32".to_owned()),
                Err(t) if t.float => Ty::Float,
                Ok(_) | Err(_) => Ty::Var(v),
            },
            Ty::Tuple(ts) | Ty::Bundle(_, ts) => Ty::Tuple(ts.iter().map(solve).collect()),
            Ty::Sum(ts) => {
                let mut parts = vec![Ty::Bool];
                parts.extend(ts.iter().map(|t| match solve(t) {
                    // nobody looks at it
                    Ty::Var(_) | Ty::Opaque(_) => Ty::unit(),
                    t => t,
                }));
                // an `Option` as a `Result` whose error is nothing: a call may return either
                if ts.len() == 1 {
                    parts.push(Ty::unit());
                }
                Ty::Tuple(parts)
            }
            Ty::Ref(m, t) => Ty::Ref(m, Box::new(solve(&t))),
            Ty::Array(t, n) => Ty::Array(Box::new(solve(&t)), n),
            Ty::Slice(t) => Ty::Slice(Box::new(solve(&t))),
            Ty::Vec(t) => Ty::Vec(Box::new(solve(&t))),
            Ty::Int(name) if name.starts_with("fn") => Ty::usize(),
            Ty::Opaque(path) if numbered => match self.data(&path.0.to_string()) {
                Some(data) => Ty::Int(data_type(&path, data)),
                None => Ty::Opaque(path),
            },
            t @ (Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Struct(_) | Ty::Opaque(_)) => t,
        }
    }

    /// Whether this is the path of a type without floats.
    pub(crate) fn names_data(&self, path: &syn::Path) -> bool {
        !self.data.is_empty() && self.data(&path.to_token_stream().to_string()).is_some()
    }

    /// How values of the type with this path are numbers.
    pub(crate) fn data(&self, path: &str) -> Option<&Rc<Data>> {
        self.data.get(&spelled(path))
    }
}
