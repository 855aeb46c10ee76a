//! Tuples as arguments: each component goes to a parameter of its own.

use super::call::Borrowed;
use super::passive::Code;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{Arg, Place, TEMPORARY, Tokens, Val};
use crate::lower::code;
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::Ty;
use crate::report::Extent;
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Builder<'_> {
    /// The arguments that an expression stands for: the components of a tuple.
    pub(super) fn args(
        &mut self,
        e: &Expr,
        is_constant: bool,
        numbers: &mut Vec<Borrowed>,
    ) -> Vec<Arg> {
        match &e.kind {
            Kind::Components(of, true) => vec![self.constant_argument(of)],
            Kind::Components(of, false) => self.components(of, numbers),
            _ => vec![self.arg(e, is_constant, numbers)],
        }
    }

    fn components(&mut self, e: &Expr, numbers: &mut Vec<Borrowed>) -> Vec<Arg> {
        let ty = self.solved(&e.ty);
        if !matches!(&ty, Ty::Tuple(_))
            && !matches!(&ty, Ty::Ref(_, of) if matches!(self.solved(of), Ty::Tuple(_)))
        {
            return vec![self.arg(e, false, numbers)];
        }
        if let Kind::Tuple(parts) = &e.kind {
            let mut all = Vec::new();
            for (k, part) in parts.iter().enumerate() {
                let mut found = match self.solved(&part.ty) {
                    Ty::Tuple(_) => self.components(part, numbers),
                    _ => vec![self.arg(part, false, numbers)],
                };
                self.copy_before(&parts[k + 1..], &mut found, part.span);
                all.extend(found);
            }
            return all;
        }
        let (ty, borrowed) = match ty {
            Ty::Ref(mutable, of) => (self.solved(&of), Some(mutable)),
            ty => (ty, None),
        };
        let operand = self.eval(e);
        let mut found = Vec::new();
        self.component(operand, &ty, borrowed, e.span, &mut |b, arg| match arg {
            Component::Arg(arg) => found.push(arg),
            Component::Number(place) => found.push(b.borrowed_place(place, numbers, e.span)),
        });
        found
    }

    fn component(
        &mut self,
        operand: Operand,
        ty: &Ty,
        borrowed: Option<bool>,
        span: Extent,
        out: &mut dyn FnMut(&mut Self, Component),
    ) {
        if let Ty::Tuple(ts) = ty {
            let parts: Vec<Operand> = match operand {
                Operand::Tuple(parts) => parts,
                Operand::Passive(code) => code.parts(ts),
                other => {
                    self.refuse_component(&other, span);
                    return;
                }
            };
            if parts.len() != ts.len() {
                self.cx.mismatch();
                return;
            }
            for (part, t) in parts.into_iter().zip(ts) {
                let t = self.solved(t);
                self.component(part, &t, borrowed, span, out);
            }
            return;
        }
        let (ty, borrowed) = match ty {
            Ty::Ref(mutable, of) => (self.solved(of), Some(*mutable)),
            ty => (ty.clone(), borrowed),
        };
        let arg = match (self.as_data(operand, &ty, span), &ty) {
            (Operand::Place(place), Ty::Float) if borrowed == Some(true) => {
                return out(self, Component::Number(place));
            }
            (Operand::Val(v), _) => Arg::Value(v),
            (Operand::Place(place), Ty::Float | Ty::Int(_) | Ty::Bool) => {
                let ty = self.scalar_type(&ty, span);
                Arg::Value(self.load(place, ty, span))
            }
            (Operand::Place(place), _) => match (borrowed, &ty, self.vector_in(place)) {
                (Some(true), _, place) => Arg::Mut(place),
                (Some(false), _, place) => Arg::Ref(place),
                (None, Ty::Vec(_), place) if self.holds_lengths(&place) => Arg::Place(place),
                (None, Ty::Vec(_), place) => {
                    Arg::Place(root(self.copy_or_move(place, &ty, TEMPORARY, span)))
                }
                (None, _, place) => Arg::Place(place),
            },
            (Operand::Passive(code), ty) if self.is_data(ty) => code.arg(),
            (Operand::Passive(code), Ty::Float | Ty::Int(_) | Ty::Bool) => {
                Arg::Value(self.verbatim(code, &ty, span))
            }
            (Operand::Passive(code), Ty::Array(..) | Ty::Vec(_)) => {
                let copy = root(self.copy_passive(code, &ty, TEMPORARY, span));
                match borrowed {
                    Some(_) => Arg::Ref(copy),
                    None => Arg::Place(copy),
                }
            }
            (Operand::Passive(code), Ty::Opaque(_)) => code.arg(),
            (other, _) => {
                self.refuse_component(&other, span);
                return;
            }
        };
        out(self, Component::Arg(arg));
    }

    fn refuse_component(&mut self, operand: &Operand, span: Extent) {
        match operand {
            Operand::Choice(_) | Operand::Held(_) => {
                self.cx.error(span, &error::CHOSEN_REFERENCE);
            }
            _ if self.is_live() => self.cx.error(span, &error::UNKNOWN_ARGUMENT),
            _ => {}
        }
    }

    /// Numbers and bools in tuples and options, which are a constant to whoever takes them: `(__n0, __n1)`.
    fn constant_argument(&mut self, e: &Expr) -> Arg {
        let (of, is_borrowed) = match self.types.shallow(&e.ty) {
            Ty::Ref(_, of) => (self.types.shallow(&of), true),
            ty => (ty, false),
        };
        let (operand, mut operands) = (self.eval(e), Vec::new());
        if let Operand::Passive(code) = operand {
            return code.arg();
        }
        let Some(value) = self.constant_code(operand, &of, e.span, &mut operands) else {
            self.cx.error(e.span, &error::TUPLE_ARGUMENT);
            return Arg::Value(self.no_val(e.span));
        };
        let tokens = if is_borrowed {
            code::reference(&value)
        } else {
            value
        };
        Arg::Verbatim {
            tokens: Tokens(tokens),
            operands,
            places: Vec::new(),
            lifted: false,
        }
    }

    fn constant_code(
        &mut self,
        operand: Operand,
        ty: &Ty,
        span: Extent,
        operands: &mut Vec<(String, Val)>,
    ) -> Option<TokenStream> {
        if let Some(Arg::Verbatim {
            tokens,
            operands: own,
            ..
        }) = (self.data_code(&operand, ty, 0, span)).map(Code::arg)
        {
            operands.extend(own);
            return Some(tokens.0);
        }
        match (operand, self.types.shallow(ty)) {
            (Operand::Tuple(parts), Ty::Tuple(ts)) if parts.len() == ts.len() => {
                let mut each = Vec::new();
                for (part, t) in parts.into_iter().zip(&ts) {
                    each.push(self.constant_code(part, t, span, operands)?);
                }
                Some(code::tuple(&each))
            }
            (Operand::Tuple(parts), Ty::Sum(ts)) if ts.len() == 1 => {
                let mut each = Vec::new();
                for (part, t) in parts.into_iter().zip([&Ty::Bool, &ts[0]]) {
                    each.push(self.constant_code(part, t, span, operands)?);
                }
                Some(code::sum(&each))
            }
            (Operand::Place(place), ty @ (Ty::Float | Ty::Int(_) | Ty::Bool)) => {
                let ty = self.scalar_type(&ty, span);
                let v = self.load(place, ty, span);
                self.constant_code(Operand::Val(v), &Ty::Bool, span, operands)
            }
            (Operand::Val(v), _) => {
                let name = format!("__n{}", operands.len());
                let tokens = code::name_of(&name).into_token_stream();
                operands.push((name, v));
                Some(tokens)
            }
            _ => None,
        }
    }
}

/// What a component is handed over as.
enum Component {
    Arg(Arg),
    /// A number behind `&mut`.
    Number(Place),
}

impl Code {
    /// The components of a tuple, or of an option of a number as a solved type has it.
    pub(super) fn parts(&self, types: &[Ty]) -> Vec<Operand> {
        let part = |of: &str| Operand::Passive(self.clone().field(of));
        match types {
            [Ty::Bool, Ty::Float | Ty::Int(_) | Ty::Bool, Ty::Tuple(none)] if none.is_empty() => {
                vec![
                    part("is_some()"),
                    part("unwrap_or_default()"),
                    Operand::unit(),
                ]
            }
            types => (0..types.len()).map(|k| part(&k.to_string())).collect(),
        }
    }
}
