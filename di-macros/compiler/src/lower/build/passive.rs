//! Passive code: put in where it is used, with its variables bound around it.

mod bound;
mod cut;
mod once;

pub(super) use bound::Tag;
use bound::is_dereferenced;

use super::holder::Holder;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{Arg, OPAQUE_PART, Op, Place, PlaceId, Proj, Tokens, Type, Val, passive};
use crate::lower::code;
use crate::lower::hir::{Expr, Kind, Passive};
use crate::lower::is_integer_name;
use crate::lower::ty::{Ty, to_ir};
use crate::report::{Extent, standing_at};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::rc::Rc;

/// Passive code with what is bound around it.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// `let name = value;` in front of the code, which may borrow from it.
    lets: TokenStream,
    /// The names that these bind.
    named: Vec<String>,
    /// The code itself.
    tokens: Tokens,
    pub(super) operands: Vec<(String, Val)>,
    pub(super) places: Vec<(String, PlaceId)>,
    pub(super) explicit: bool,
    lifted: bool,
    /// If it is a place that is made once: what makes it.
    made: Option<Tokens>,
    /// If it is one of several: which, and what decides.
    choice: Option<Rc<(Tag, Vec<Code>)>>,
}

impl Builder<'_> {
    /// The passive code that a sequence or a value of foreign type stands for, if it does.
    pub(super) fn passive_sequence(&mut self, e: &Expr) -> Option<Code> {
        if !self.has_passive_root(e) {
            return None;
        }
        match self.locate(e) {
            Operand::Passive(code) => Some(code),
            Operand::Val(_)
            | Operand::Place(_)
            | Operand::Tuple(_)
            | Operand::Choice(_)
            | Operand::Held(_) => None,
        }
    }

    /// Whether the expression is a path into passive code; nothing is evaluated.
    pub(super) fn has_passive_root(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Passive(_) => !self.is_number(&e.ty),
            Kind::Local(local) => match &self.bound[local.0] {
                Operand::Passive(_) => true,
                Operand::Held(of) => self.constants.contains_key(of),
                Operand::Val(_) | Operand::Place(_) | Operand::Tuple(_) | Operand::Choice(_) => {
                    false
                }
            },
            Kind::Field(e, _) if self.is_opaque_part(e) => true,
            Kind::Deref(e)
            | Kind::Ref(_, e)
            | Kind::Index(e, _)
            | Kind::Field(e, _)
            | Kind::TupleField(e, _) => self.has_passive_root(e),
            Kind::Range { base, .. } => self.has_passive_root(base),
            _ => false,
        }
    }

    /// Whether this is a constant in what is differentiated, which is not looked into.
    pub(super) fn is_opaque_part(&self, e: &Expr) -> bool {
        matches!(self.types.peel(&e.ty), Ty::Opaque(_)) && self.is_place(e)
    }

    /// `code.len()`
    pub(super) fn passive_len(&mut self, code: Code, span: Extent) -> Val {
        self.verbatim(code.suffixed(".len()"), &Ty::usize(), span)
    }

    /// A copy of a passive array, slice or vector in a place of our own, element by element.
    pub(super) fn copy_passive(
        &mut self,
        code: Code,
        ty: &Ty,
        hint: &str,
        span: Extent,
    ) -> PlaceId {
        let ir = self.ir_type(ty, span);
        let code = self.made_once(code);
        let init = match &ir {
            Type::Array(..) => self.blank_init(&ir, None, span),
            Type::Vec(_) => {
                let n = self.passive_count(code.clone(), span);
                self.blank_init(&ir, Some(n), span)
            }
            Type::Float
            | Type::Lane
            | Type::Int(_)
            | Type::Bool
            | Type::Slice(_)
            | Type::Struct(_)
            | Type::Lanes(_)
            | Type::Opaque(_) => {
                self.cx.error(span, &error::UNKNOWN_PASSIVE);
                return self.no_place(span);
            }
        };
        let place = self.declare(ir, hint, span, init);
        self.copy_elements(root(place), code, ty, span);
        place
    }

    fn copy_elements(&mut self, dst: Place, code: Code, ty: &Ty, span: Extent) {
        match ty {
            Ty::Array(elem, _) | Ty::Vec(elem) | Ty::Slice(elem) => {
                let n = self.len(dst.clone(), span);
                self.counted(n, span, |b, i| {
                    let mut dst = dst;
                    dst.path.push(Proj::Index(i));
                    b.copy_elements(dst, code.indexed(i), elem, span);
                });
            }
            Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Tuple(_) => {
                self.store(Operand::Place(dst), Operand::Passive(code), ty, span);
            }
            Ty::Var(_)
            | Ty::Sum(_)
            | Ty::Bundle(..)
            | Ty::Ref(..)
            | Ty::Struct(_)
            | Ty::Opaque(_) => {
                self.cx.error(span, &error::UNKNOWN_PASSIVE);
            }
        }
    }

    /// Code with the lengths of arrays that show elsewhere.
    fn with_lengths(&self, code: TokenStream, span: Extent) -> TokenStream {
        let each = code.into_iter().map(|tree| match tree {
            TokenTree::Ident(name) => match self
                .types
                .length(&Tokens(TokenTree::Ident(name.clone()).into()))
            {
                Some(length) => length.0,
                None => {
                    self.cx.error(span, &error::UNKNOWN_TYPE);
                    TokenTree::Ident(name).into()
                }
            },
            TokenTree::Group(g) => {
                let inner = self.with_lengths(g.stream(), span);
                let mut group = Group::new(g.delimiter(), inner);
                group.set_span(g.span());
                TokenTree::Group(group).into()
            }
            other => other.into(),
        });
        each.collect()
    }

    /// Whether this refers to something that is not looked into.
    fn is_constant_reference(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Ref(false, of) => matches!(self.types.peel(of), Ty::Opaque(_)) || self.is_data(of),
            _ => false,
        }
    }

    /// A value without floats in a part of something else that may change: it is read now.
    fn read_part(&mut self, operand: Operand, ty: &Ty, span: Extent) -> Operand {
        match operand {
            Operand::Place(place)
                if self.is_data(ty)
                    && !place.path.is_empty()
                    && !matches!(self.solved(ty), Ty::Ref(false, _)) =>
            {
                let number = self.scalar_type(ty, span);
                Operand::Val(self.load(place, number, span))
            }
            operand => operand,
        }
    }

    /// Passive code with its variables as they are now.
    pub(super) fn code(&mut self, p: &Passive, span: Extent) -> Code {
        let tokens = match self.types.has_open_lengths() {
            true => Tokens(self.with_lengths(p.tokens.0.clone(), span)),
            false => p.tokens.clone(),
        };
        let mut code = Code {
            explicit: p.explicit,
            lifted: p.lifted,
            ..Code::new(tokens)
        };
        let mut around = Vec::new();
        for (name, local) in &p.locals {
            let bound = self.bound[local.0].clone();
            let operand = self.resolved(&Holder::of(*local), bound, span);
            if let Some(place) = self.as_state(&operand) {
                if !self.runs_on_state {
                    self.cx.error_about(span, &error::COLLECTION_CHANGES, name);
                }
                code.places.push((name.clone(), place));
                continue;
            }
            // the code was written with a reference to a number
            let ty = self.locals[local.0].ty.clone();
            let is_borrowed =
                matches!(self.solved(&ty), Ty::Ref(..)) || is_dereferenced(&p.tokens.0, name);
            let depth = self.depth(&ty).max(usize::from(is_borrowed));
            let operand = self.read_part(operand, &ty, span);
            if let Some(variant) = self.data_code(&operand, &ty, depth, span) {
                around.push((name.clone(), variant));
                continue;
            }
            match operand {
                Operand::Val(v) => {
                    code.operands.push((name.clone(), v));
                    if is_borrowed {
                        code.borrow(name);
                    }
                }
                Operand::Place(place) => {
                    let ty = self.solved(&self.locals[local.0].ty);
                    if self.is_number(&ty) {
                        let ir = self.scalar_type(&ty, span);
                        let v = self.load(place, ir, span);
                        code.operands.push((name.clone(), v));
                        if is_borrowed {
                            code.borrow(name);
                        }
                    } else if let Some(mut list) = self.as_list(&place, &ty, span) {
                        self.note_reading(&mut list, p, span);
                        let list = if is_borrowed { list.wrapped("&") } else { list };
                        around.push((name.clone(), list));
                    } else if place.path.is_empty() || self.is_list_of_floats(&place) {
                        self.read_place(&mut code, name, place, (&ty, is_borrowed), span);
                    } else if name == OPAQUE_PART || self.is_constant_reference(&ty) {
                        let view = self.view(place, false, name, &ty, span);
                        code.places.push((name.clone(), view));
                    } else if self.is_reference_itself(&ty)
                        || matches!(self.body.type_at(&place), Some(Type::Opaque(_)))
                    {
                        let view = self.view(place, false, name, &ty, span);
                        let part = Code::of_part(&Place::from(view));
                        let part = match is_borrowed && !self.is_reference_itself(&ty) {
                            true => part,
                            false => part.wrapped("*").map(|of| code::cloned(&of)),
                        };
                        around.push((name.clone(), part));
                    } else {
                        self.cx.error_about(span, &error::PASSIVE_PART, name);
                    }
                }
                Operand::Tuple(parts) => {
                    let is_nothing = parts.is_empty();
                    match self.parts_code(name, parts, &ty, span) {
                        Some(inner) => around.push((name.clone(), inner)),
                        None => self.refuse_parts(name, is_nothing, span),
                    }
                }
                Operand::Passive(inner) => around.push((name.clone(), inner)),
                Operand::Choice(_) | Operand::Held(_) => {
                    self.cx.error(span, &error::CHOSEN_REFERENCE)
                }
            }
        }
        self.note_reading(&mut code, p, span);
        // of a number, or of a reference, a copy is none
        let is_whole = |name: &str| {
            let local = p.locals.iter().find(|(own, _)| own == name);
            local.is_some_and(|(_, local)| {
                let ty = &self.locals[local.0].ty;
                !self.is_number(ty) && !matches!(self.solved(ty), Ty::Ref(..))
            })
        };
        for (name, inner) in around {
            // another name of it
            if code.tokens.0.to_string() == name {
                let (explicit, lifted) = (code.explicit, code.lifted);
                return Code {
                    explicit,
                    lifted,
                    ..inner
                };
            }
            let inner = match once::uses_place(&code.tokens.0, &name) {
                true => code.behind(&name, inner),
                false if is_whole(&name) => inner.taken(),
                false => inner.by_value(),
            };
            let is_free = |n: &String| !p.locals.iter().any(|(own, _)| own == n);
            code.bind(&name, inner, &is_free);
        }
        code
    }

    /// A tuple of numbers and of passive code, or an option or result of numbers, as code.
    fn parts_code(
        &mut self,
        name: &str,
        parts: Vec<Operand>,
        ty: &Ty,
        span: Extent,
    ) -> Option<Code> {
        let (depth, ty) = match self.types.shallow(ty) {
            Ty::Ref(true, _) => return None,
            Ty::Ref(false, of) => (1, self.types.shallow(&of)),
            ty => (0, ty),
        };
        let (is_sum, types) = match ty {
            Ty::Tuple(types) => (false, types),
            Ty::Sum(payloads) => (true, [vec![Ty::Bool], payloads].concat()),
            _ => return None,
        };
        let mut code = Code::new(Tokens(TokenStream::new()));
        let mut names = Vec::new();
        for (k, (part, ty)) in parts.into_iter().zip(&types).enumerate() {
            let own = component(name, k);
            names.push(super::expr::code_at(&own, span));
            let is_borrowed = matches!(self.types.shallow(ty), Ty::Ref(..));
            let depth = self.depth(ty);
            if let Some(variant) = self.data_code(&part, ty, depth, span) {
                code.bind(&own, variant, &|_| true);
                continue;
            }
            match part {
                Operand::Val(v) => code.operands.push((own.clone(), v)),
                Operand::Place(place) if self.is_number(ty) => {
                    let ir = self.scalar_type(ty, span);
                    let v = self.load(place, ir, span);
                    code.operands.push((own.clone(), v));
                }
                Operand::Tuple(inner) => {
                    let inner = self.parts_code(&own, inner, ty, span)?;
                    code.bind(&own, inner, &|_| true);
                }
                // of a payload that is not there nothing may be computed
                Operand::Passive(inner) if !is_sum => code.bind(&own, inner.by_value(), &|_| true),
                _ => return None,
            }
            if is_borrowed && code.operands.iter().any(|o| o.0 == own) {
                code.borrow(&own);
            }
        }
        let value = match is_sum {
            true => code::sum(&names),
            false => code::tuple(&names),
        };
        code.tokens = Tokens(code::behind(depth, &value));
        Some(code)
    }

    /// Passive code as a scalar.
    pub(super) fn verbatim(&mut self, code: Code, ty: &Ty, span: Extent) -> Val {
        let solved = self.peeled(ty);
        let code = self.numbered(code, &solved);
        let code = match &solved {
            Ty::Float => self.behind_reference(code, ty, self.float),
            Ty::Int(name) if is_integer_name(name) => self.behind_reference(code, ty, name),
            _ => code,
        };
        let ir = match to_ir(&solved, self.float) {
            Some(t) if t.is_scalar() => t,
            Some(_) | None => {
                self.cx.error(span, &error::UNKNOWN_PASSIVE);
                Type::Float
            }
        };
        self.verbatim_of(code, ir, span)
    }

    /// Passive code as the value of a field that nobody looks into.
    pub(super) fn opaque(&mut self, code: Code, ty: &Ty, span: Extent) -> Val {
        let ir = self.type_in_place(ty, span);
        self.verbatim_of(code, ir, span)
    }

    fn verbatim_of(&mut self, code: Code, ir: Type, span: Extent) -> Val {
        self.check_generic(&ir, &code, span);
        let span = self.cx.of_user(span);
        let tokens = Tokens(standing_at(span.start, code.joined().0));
        let Code {
            operands,
            places,
            explicit,
            ..
        } = code;
        let v = self.let_op(
            ir,
            Op::Verbatim {
                tokens,
                operands,
                places,
            },
            span,
        );
        self.extents.insert(v, span);
        if explicit {
            self.explicit.insert(v);
        }
        v
    }
}

impl Builder<'_> {
    /// Code of a function that is generic over the float becomes one itself: its types must be known.
    fn check_generic(&mut self, ty: &Type, code: &Code, span: Extent) {
        let Some(generic) = &self.body.generic else {
            return;
        };
        let known = |ty: &Type| match ty.leaf() {
            Type::Int(name) => name != "_",
            Type::Struct(_) | Type::Lanes(_) => false,
            _ => true,
        };
        let operands = code
            .operands
            .iter()
            .all(|(_, v)| known(&self.body.val(*v).ty));
        let places = code
            .places
            .iter()
            .all(|(name, p)| match &self.body.place(*p).ty {
                Type::Opaque(_) => generic.written.contains_key(name),
                ty => known(ty),
            });
        if !(known(ty) && operands && places) {
            self.cx.error(span, &error::UNKNOWN_PASSIVE);
        }
    }
}

/// What a component of a tuple is called in passive code.
fn component(tuple: &str, k: usize) -> String {
    format!("__{tuple}_part{k}")
}

impl Code {
    pub(super) fn new(tokens: Tokens) -> Code {
        Code {
            lets: TokenStream::new(),
            named: Vec::new(),
            tokens,
            operands: Vec::new(),
            places: Vec::new(),
            explicit: false,
            lifted: false,
            made: None,
            choice: None,
        }
    }

    /// A constant in a derived struct: nothing that is differentiated is read with it.
    pub(super) fn of_part(place: &Place) -> Code {
        let mut code = Code::new(Tokens(OPAQUE_PART.parse().expect("a name")));
        code.places.push((OPAQUE_PART.to_owned(), place.root));
        code.explicit = true;
        place.path.iter().fold(code, |code, step| match step {
            Proj::Field(name, _) => code.field(name),
            Proj::Index(i) | Proj::Flat(i) => code.indexed(*i),
            Proj::Range(lo, hi) => code.sliced(Some(*lo), Some(*hi), false),
        })
    }

    /// A name that nothing around the code has.
    fn unused(&self) -> String {
        let is_used = |name: &String| {
            self.operands.iter().any(|o| o.0 == *name) || self.places.iter().any(|p| p.0 == *name)
        };
        let mut names = (0usize..).map(|k| format!("__other{k}"));
        names.find(|name| !is_used(name)).expect("names do not end")
    }

    /// The code as an argument.
    pub(super) fn arg(self) -> Arg {
        let code = self.by_value();
        Arg::Verbatim {
            tokens: code.joined(),
            operands: code.operands,
            places: code.places,
            lifted: code.lifted,
        }
    }

    /// A variable of this name for the code, behind references.
    pub(super) fn borrowed(self, name: &str, depth: usize) -> Code {
        let ident = TokenTree::Ident(code::name_of(name));
        let mut code = Code::new(Tokens(ident.into()));
        code.bind(name, self, &|_| true);
        (0..depth).fold(code, |code, _| code.wrapped("&"))
    }

    /// Other code around this one.
    pub(super) fn map(self, around: impl FnOnce(TokenStream) -> TokenStream) -> Code {
        Code {
            tokens: Tokens(around(parenthesised(self.tokens.0))),
            made: None,
            choice: None,
            ..self
        }
    }

    /// `(code)[i]`
    pub(super) fn indexed(mut self, i: Val) -> Code {
        let name = self.operand(i);
        self.suffixed(&format!("[{name}]"))
    }

    /// `(code)[lo..hi]`
    pub(super) fn sliced(mut self, lo: Option<Val>, hi: Option<Val>, inclusive: bool) -> Code {
        let lo = lo.map(|v| self.operand(v)).unwrap_or_default();
        let hi = hi.map(|v| self.operand(v)).unwrap_or_default();
        self.suffixed(&format!(
            "[{lo}{}{hi}]",
            if inclusive { "..=" } else { ".." }
        ))
    }

    /// `(code).name`
    pub(super) fn field(self, name: &str) -> Code {
        self.suffixed(&format!(".{name}"))
    }

    /// A name of our own for one more operand.
    fn operand(&mut self, v: Val) -> String {
        let name = format!("__i{}", self.operands.len());
        self.operands.push((name.clone(), v));
        name
    }

    fn suffixed(self, suffix: &str) -> Code {
        let with = |tokens: Tokens| {
            let mut tokens = parenthesised(tokens.0);
            tokens.extend(suffix.parse::<TokenStream>().expect("code of our own"));
            Tokens(tokens)
        };
        Code {
            tokens: with(self.tokens),
            made: self.made.map(with),
            choice: None,
            ..self
        }
    }

    /// `*(&(code) as &T)`: the number, of which the code may be a reference.
    pub(super) fn number(self, float: &str) -> Code {
        self.wrapped("&")
            .cast(&format!("&::core::primitive::{float}"))
            .wrapped("*")
    }

    /// `(code) as T`
    pub(super) fn cast(self, ty: &str) -> Code {
        self.suffixed(&format!(" as {ty}"))
    }

    /// `&(code)`, `*(code)`
    pub(super) fn wrapped(self, operator: &str) -> Code {
        if operator == "&"
            && let Some(tokens) = passive::borrowed_again(&self.tokens.0)
        {
            let tokens = Tokens(tokens);
            return Code {
                tokens,
                made: None,
                choice: None,
                ..self
            };
        }
        let mut tokens: TokenStream = operator.parse().expect("an operator of our own");
        tokens.extend(parenthesised(self.tokens.0));
        Code {
            tokens: Tokens(tokens),
            made: None,
            choice: None,
            ..self
        }
    }
}

fn parenthesised(tokens: TokenStream) -> TokenStream {
    TokenTree::from(Group::new(Delimiter::Parenthesis, tokens)).into()
}
