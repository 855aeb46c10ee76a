//! Calls to other differentiable functions, and passive code.

use super::{Builder, Code, Operand, root};
use crate::error;
use crate::ir::{Arg, Call, Leaf, Op, PlaceKind, Stmt, Tokens, Tree, Type, Val};
use crate::lower::hir::{Expr, Kind, Passive};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    pub(super) fn call(&mut self, callee: &Tokens, args: &[Expr], e: &Expr) -> Operand {
        let args: Vec<Arg> = args.iter().map(|a| self.arg(a)).collect();
        let ty = self.solved(&e.ty);
        let Some((result, operand)) = self.call_result(&ty, e.span) else {
            self.cx.error(e.span, &error::UNKNOWN_CALL_RESULT);
            return Operand::unit();
        };
        self.push(Stmt::Call(Call { callee: callee.clone(), args, result }));
        operand
    }

    fn call_result(&mut self, ty: &Ty, span: Extent) -> Option<(Tree<Leaf>, Operand)> {
        match ty {
            Ty::Tuple(ts) => {
                let (mut trees, mut operands) = (Vec::new(), Vec::new());
                for t in ts {
                    let (tree, operand) = self.call_result(t, span)?;
                    trees.push(tree);
                    operands.push(operand);
                }
                Some((Tree::Tuple(trees), Operand::Tuple(operands)))
            }
            Ty::Float | Ty::Int(_) | Ty::Bool => {
                let v = self.body.new_val(to_ir(ty)?, None, span.start);
                Some((Tree::Leaf(Leaf::Val(v)), Operand::Val(v)))
            }
            Ty::Array(..) | Ty::Vec(_) => {
                let ir = to_ir(ty)?;
                let place = self.body.new_place(ir, super::place::TEMPORARY, PlaceKind::Local, span.start);
                Some((Tree::Leaf(Leaf::Place(place)), Operand::Place(root(place))))
            }
            Ty::Var(_) | Ty::Ref(..) | Ty::Slice(_) | Ty::Struct(_) | Ty::Opaque(_) => None,
        }
    }

    fn arg(&mut self, e: &Expr) -> Arg {
        let ty = self.solved(&e.ty);
        if let Some(code) = self.passive_arg(e, &ty) {
            return code;
        }
        match &ty {
            Ty::Float | Ty::Int(_) | Ty::Bool => Arg::Value(self.scalar(e)),
            Ty::Ref(mutable, inner) => match self.solved(inner) {
                Ty::Float | Ty::Int(_) | Ty::Bool => {
                    self.cx.error(e.span, &error::SCALAR_REFERENCE);
                    Arg::Value(self.scalar(e))
                }
                _ => {
                    let place = self.place(e);
                    if *mutable { Arg::Mut(place) } else { Arg::Ref(place) }
                }
            },
            Ty::Array(..) | Ty::Vec(_) if self.is_place(e) => Arg::Place(self.place(e)),
            Ty::Array(..) | Ty::Vec(_) => Arg::Place(root(self.make(e, super::place::TEMPORARY))),
            Ty::Tuple(_) => {
                self.cx.error(e.span, &error::TUPLE_ARGUMENT);
                Arg::Value(Val(0))
            }
            Ty::Opaque(_) => Arg::Place(self.place(e)),
            Ty::Var(_) | Ty::Slice(_) | Ty::Struct(_) => {
                if !matches!(e.kind, Kind::Refused) {
                    self.cx.error(e.span, &error::UNKNOWN_ARGUMENT);
                }
                Arg::Value(Val(0))
            }
        }
    }

    /// An argument that the compiler does not look into: passive code of a type that is no scalar.
    fn passive_arg(&mut self, e: &Expr, ty: &Ty) -> Option<Arg> {
        let (inner, reference) = match &e.kind {
            Kind::Ref(false, inner) => (&**inner, true),
            _ => (e, false),
        };
        if self.is_scalar(&inner.ty) && !reference {
            return None;
        }
        let code = match &inner.kind {
            Kind::Passive(p) => {
                // a bare constant of unknown type could be a float that the callee differentiates
                let bare = p.locals.is_empty() && !reference && !is_literal(&p.tokens);
                if bare && matches!(ty, Ty::Var(_)) {
                    return None;
                }
                self.code(p, e.span)
            }
            Kind::Local(local) => match &self.bound[local.0] {
                Operand::Passive(code) => code.clone(),
                Operand::Val(_) | Operand::Place(_) | Operand::Tuple(_) => return None,
            },
            _ => return None,
        };
        let code = if reference { code.wrapped("&") } else { code };
        let Code { tokens, operands, places, .. } = code;
        Some(Arg::Verbatim { tokens, operands, places })
    }

    /// Passive code with its variables as they are now.
    pub(super) fn code(&mut self, p: &Passive, span: Extent) -> Code {
        let mut code =
            Code { tokens: p.tokens.clone(), operands: Vec::new(), places: Vec::new(), explicit: p.explicit };
        let mut around = Vec::new();
        for (name, local) in &p.locals {
            match self.bound[local.0].clone() {
                Operand::Val(v) => code.operands.push((name.clone(), v)),
                Operand::Place(place) => {
                    let ty = self.solved(&self.locals[local.0].ty);
                    if self.is_scalar(&ty) {
                        let ir = self.scalar_type(&ty, span);
                        let v = self.load(place, ir, span);
                        code.operands.push((name.clone(), v));
                    } else if place.path.is_empty() {
                        code.places.push((name.clone(), place.root));
                    } else {
                        self.cx.error_about(span, &error::PASSIVE_PART, name);
                    }
                }
                Operand::Tuple(_) => self.cx.error_about(span, &error::PASSIVE_TUPLE, name),
                Operand::Passive(inner) => around.push((name.clone(), inner)),
            }
        }
        for (name, inner) in around {
            // `{ let name = &inner; code }`, with the variables of both bound around it
            let bound = format!("let {name} =").parse::<proc_macro2::TokenStream>().unwrap_or_default();
            let mut tokens = bound;
            tokens.extend(inner.tokens.0);
            tokens.extend(";".parse::<proc_macro2::TokenStream>().unwrap_or_default());
            tokens.extend(code.tokens.0);
            let block = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, tokens);
            code.tokens = Tokens(proc_macro2::TokenTree::from(block).into());
            for operand in inner.operands {
                match code.operands.iter().find(|o| o.0 == operand.0) {
                    // two variables of one name
                    Some(other) if other.1 != operand.1 => {
                        self.cx.error_about(span, &error::PASSIVE_TUPLE, &operand.0);
                    }
                    Some(_) => {}
                    None => code.operands.push(operand),
                }
            }
            for place in inner.places {
                if !code.places.contains(&place) {
                    code.places.push(place);
                }
            }
        }
        code
    }

    /// Passive code as a scalar.
    pub(super) fn verbatim(&mut self, code: Code, ty: &Ty, span: Extent) -> Val {
        let solved = self.peeled(ty);
        let ir = match to_ir(&solved) {
            Some(t) if t.is_scalar() => t,
            Some(_) | None => {
                self.cx.error(span, &error::UNKNOWN_PASSIVE);
                Type::Float
            }
        };
        let Code { tokens, operands, places, explicit } = code;
        let v = self.let_op(ir, Op::Verbatim { tokens, operands, places }, span);
        if explicit {
            self.explicit.insert(v);
        }
        v
    }
}

impl Code {
    /// `&(code)`, `*(code)`.
    pub(super) fn wrapped(self, operator: &str) -> Code {
        let group = proc_macro2::Group::new(proc_macro2::Delimiter::Parenthesis, self.tokens.0);
        let mut tokens: proc_macro2::TokenStream = operator.parse().expect("an operator of our own");
        tokens.extend([proc_macro2::TokenTree::from(group)]);
        Code { tokens: Tokens(tokens), ..self }
    }
}

fn is_literal(tokens: &Tokens) -> bool {
    let mut trees = tokens.0.clone().into_iter();
    matches!((trees.next(), trees.next()), (Some(proc_macro2::TokenTree::Literal(_)), None))
}
