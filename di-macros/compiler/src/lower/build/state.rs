//! Code on state: collections and others that the compiler does not look into, and that change. It is run where it
//! stands, in forward sweeps alone. What is read out of state are numbers, which are recorded like others.
//!
//! ```text
//! while let Some(i) = queue.pop_front() { .. }   =>   while true {
//!                                                         let (some, i) = { let r = &queue.pop_front(); .. };
//!                                                         if some { .. } else { break }
//!                                                     }
//! ```

use super::passive::Code;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{Effect, Gives, PlaceId, PlaceKind, Role, Stmt, Tokens, Type, Val};
use crate::lower::code;
use crate::lower::hir::{Expr, Kind, Passive};
use crate::lower::state::{is_state, shown};
use crate::lower::ty::{Ty, data_of};
use crate::report::Extent;
use proc_macro2::TokenStream;

impl Builder<'_> {
    /// Runs code on state, and reads the numbers that it gives.
    pub(super) fn on_state(&mut self, code: &Passive, e: &Expr) -> Operand {
        let code = self.state_code(code, e.span);
        if is_nothing(&self.types.shallow(&e.ty)) {
            self.run(code, Gives::Vals(Vec::new()));
            return Operand::unit();
        }
        let mut read = Vec::new();
        let from = super::expr::code_at("__read", e.span);
        if !self.is_readable(&e.ty) {
            self.cx
                .error_about(e.span, &error::COLLECTION_CHANGES, shown(&e.ty, self.types));
            return Operand::unit();
        }
        self.reads(&e.ty, &from, e.span, &mut read);
        let mut vals = Vec::new();
        for (_, ty) in &read {
            vals.push(self.body.new_val(ty.clone(), None, e.span.start));
        }
        let parts: Vec<TokenStream> = read.into_iter().map(|(code, _)| code).collect();
        let ty = self.type_of_read(&e.ty);
        let code = code.map(|of| code::read(&of, &ty, &from, &parts));
        self.run(code, Gives::Vals(vals.clone()));
        self.operand_of(&e.ty, &mut vals.into_iter())
    }

    /// What is bound to a variable is state itself, unless it is made of numbers.
    pub(super) fn state(&mut self, e: &Expr, name: &str) -> Option<PlaceId> {
        // a block is built once, for this or for another value
        if !is_state(&e.ty, self.types) || !ends_in_state(e) {
            return None;
        }
        let code = match &e.kind {
            Kind::OnState(code) => code,
            // what it takes is evaluated in front
            Kind::Block(block) => {
                let value = block.value.as_ref()?;
                self.steps(&block.stmts);
                return self.state(value, name);
            }
            _ => return None,
        };
        let ty = Type::Opaque(Tokens(super::expr::code_at("_", e.span)));
        let code = self.state_code(code, e.span);
        let place = self
            .body
            .new_place(ty, name, PlaceKind::State, e.span.start);
        self.has_state = true;
        self.note_home(place);
        self.run(code, Gives::State(place));
        Some(place)
    }

    /// Whether this is state, which nothing but such code may use.
    pub(super) fn as_state(&self, operand: &Operand) -> Option<PlaceId> {
        match operand {
            Operand::Place(place) => {
                let is_state = self.body.place(place.root).kind == PlaceKind::State;
                is_state.then_some(place.root)
            }
            _ => None,
        }
    }

    /// Refuses statements that use state otherwise than by code on it: they might be run again.
    pub(super) fn check_state(&self, stmt: &Stmt) {
        if !self.has_state || matches!(stmt, Stmt::Effect(_)) {
            return;
        }
        let is_state = |p: &PlaceId| self.body.place(*p).kind == PlaceKind::State;
        if let Some(place) = stmt.named().into_iter().rfind(is_state) {
            let info = self.body.place(place);
            self.cx
                .error_about(info.span, &error::COLLECTION_CHANGES, &info.hint);
        }
    }

    fn state_code(&mut self, code: &Passive, span: Extent) -> Code {
        let before = std::mem::replace(&mut self.runs_on_state, true);
        let code = self.code(code, span);
        self.runs_on_state = before;
        code
    }

    fn run(&mut self, code: Code, gives: Gives) {
        let tokens = code.joined();
        self.push(Stmt::Effect(Effect {
            tokens,
            operands: code.operands,
            places: code.places,
            diverges: false,
            gives,
        }));
    }

    /// A call of constant code for its effect, in forward sweeps.
    pub(super) fn run_for_effect(&mut self, code: Code, span: Extent) {
        if !code.explicit {
            return self.run(code, Gives::Vals(Vec::new()));
        }
        for (name, place) in &code.places {
            let mut params = self.body.params.iter();
            let is_constant = params.any(|p| p.place == Some(*place) && p.role == Role::Constant);
            if !is_constant && self.body.place(*place).ty.has_floats() {
                self.cx.error_about(span, &error::PASSIVE_SEQUENCE, name);
            }
        }
        self.run(code, Gives::Nothing);
    }

    /// Whether a value is made of numbers.
    fn is_readable(&self, ty: &Ty) -> bool {
        match self.types.shallow(ty) {
            Ty::Float | Ty::Int(_) | Ty::Bool => true,
            Ty::Ref(mutable, of) => !mutable && self.is_readable(&of),
            Ty::Tuple(parts) => parts.iter().all(|part| self.is_readable(part)),
            Ty::Sum(payloads) => payloads.len() == 1 && self.is_readable(&payloads[0]),
            ty @ Ty::Opaque(_) => self.is_data(&ty),
            ty @ Ty::Var(_) => self.is_number(&ty),
            Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) | Ty::Struct(_) | Ty::Bundle(..) => false,
        }
    }

    /// The numbers of a value, of which `from` is a reference.
    fn reads(
        &mut self,
        ty: &Ty,
        from: &TokenStream,
        span: Extent,
        read: &mut Vec<(TokenStream, Type)>,
    ) {
        match self.types.shallow(ty) {
            Ty::Ref(_, of) => self.reads(&of, &code::dereferenced(from), span, read),
            Ty::Tuple(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    let from = code::field(from, &k.to_string());
                    self.reads(part, &code::reference(&from), span, read);
                }
            }
            Ty::Sum(payloads) => {
                read.push((code::is_some(from), Type::Bool));
                let some = super::expr::code_at("__some", span);
                let first = read.len();
                for payload in &payloads {
                    self.reads(payload, &some, span, read);
                }
                for (code, ty) in &mut read[first..] {
                    *code = code::read_if_some(from, &some, code, &blank(ty));
                }
            }
            ty => {
                let number = self.scalar_type(&ty, span);
                let code = match data_of(&self.peeled(&ty)) {
                    Some(_) => {
                        let value = Code::new(Tokens(from.clone()));
                        self.numbered(value, &self.peeled(&ty)).joined().0
                    }
                    None => code::dereferenced(from),
                };
                read.push((code, number));
            }
        }
    }

    /// The value again, of its numbers.
    fn operand_of(&self, ty: &Ty, vals: &mut dyn Iterator<Item = Val>) -> Operand {
        match self.types.shallow(ty) {
            Ty::Ref(_, of) => self.operand_of(&of, vals),
            Ty::Tuple(parts) => {
                let parts = parts.iter();
                Operand::Tuple(parts.map(|part| self.operand_of(part, vals)).collect())
            }
            Ty::Sum(payloads) => {
                let mut parts = vec![self.operand_of(&Ty::Bool, vals)];
                parts.extend(payloads.iter().map(|of| self.operand_of(of, vals)));
                parts.push(Operand::unit());
                Operand::Tuple(parts)
            }
            _ => vals.next().map_or_else(Operand::unit, Operand::Val),
        }
    }

    /// The type of what is read, as far as it is known: rustc checks it.
    pub(super) fn type_of_read(&self, ty: &Ty) -> TokenStream {
        match self.types.shallow(ty) {
            Ty::Ref(mutable, of) => code::reference_to(mutable, &self.type_of_read(&of)),
            // `Reverse` of one
            Ty::Tuple(parts) if parts.len() > 1 => {
                let parts: Vec<TokenStream> =
                    parts.iter().map(|of| self.type_of_read(of)).collect();
                code::tuple(&parts)
            }
            Ty::Sum(payloads) if payloads.len() == 1 => {
                code::option(&self.type_of_read(&payloads[0]))
            }
            ty => match self.types.solve(&ty) {
                Ty::Bool => code::primitive("bool", proc_macro2::Span::call_site()),
                Ty::Float => code::primitive(self.float, proc_macro2::Span::call_site()),
                Ty::Int(name) if crate::lower::is_integer_name(&name) => {
                    code::primitive(&name, proc_macro2::Span::call_site())
                }
                _ => code::anything(),
            },
        }
    }

    /// Binds state to the variable that it is given to.
    pub(super) fn let_state(&mut self, local: crate::lower::hir::Local, e: &Expr) -> bool {
        let name = self.locals[local.0].name.clone();
        let Some(place) = self.state(e, &name) else {
            return false;
        };
        self.bound[local.0] = Operand::Place(root(place));
        true
    }
}

/// Whether the value of an expression is that of code on state.
fn ends_in_state(e: &Expr) -> bool {
    match &e.kind {
        Kind::OnState(_) => true,
        Kind::Block(block) => block.value.as_deref().is_some_and(ends_in_state),
        _ => false,
    }
}

fn is_nothing(ty: &Ty) -> bool {
    matches!(ty, Ty::Tuple(parts) if parts.is_empty())
}

/// What stands where there is no value.
fn blank(ty: &Type) -> TokenStream {
    match ty {
        Type::Bool => code::literal("false"),
        Type::Float => code::literal("0.0"),
        _ => code::literal("0"),
    }
}
