//! Values of expressions, in Rust's order of evaluation.

use super::holder::address;
use super::matching::{conjuncts, has_let};
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{BinOp, CmpOp, Init, Lit, Op, Place, Proj, Stmt, TEMPORARY, Tokens, Type, Val};
use crate::lower::hir::{Expr, Kind, SeqOp};
use crate::lower::ty::Ty;
use crate::report::Extent;
use proc_macro2::{Span, TokenStream, TokenTree};

impl Builder<'_> {
    /// Evaluates an expression to a scalar.
    pub(super) fn scalar(&mut self, e: &Expr) -> Val {
        match self.eval(e) {
            Operand::Val(v) => v,
            Operand::Place(place) => {
                let ty = self.scalar_type(&e.ty, e.span);
                self.load(place, ty, e.span)
            }
            Operand::Passive(code) => self.verbatim(code, &e.ty, e.span),
            Operand::Choice(c) if c.targets.is_empty() => {
                self.unreachable();
                let ty = self.scalar_type(&e.ty, e.span);
                self.body.new_val(ty, None, e.span.start)
            }
            Operand::Tuple(_) | Operand::Choice(_) | Operand::Held(_) => {
                if !matches!(e.kind, Kind::Refused) && self.is_live() {
                    self.cx.mismatch();
                }
                let ty = if self.is_scalar(&e.ty) {
                    self.scalar_type(&e.ty, e.span)
                } else {
                    Type::Float
                };
                self.body.new_val(ty, None, e.span.start)
            }
        }
    }

    /// Evaluates an expression. Scalars are loaded; arrays by value are copied if their place may
    /// change; references stand for their places.
    pub(super) fn eval(&mut self, e: &Expr) -> Operand {
        self.cx.look_at(e.span);
        let value = self.eval_here(e);
        self.cx.look_away();
        value
    }

    fn eval_here(&mut self, e: &Expr) -> Operand {
        if let Some(made) = self.made.get(&address(e)) {
            return made.clone();
        }
        if let Some(value) = self.with_unnamed(e) {
            return value;
        }
        if let Some(holder) = self.open_choice(e) {
            return self.decide(&holder, e);
        }
        if let Kind::For { .. }
        | Kind::While { .. }
        | Kind::Loop { .. }
        | Kind::Reduce(..)
        | Kind::Pick(..)
        | Kind::Seq(SeqOp::SortBy(_), _) = e.kind
        {
            self.enter_loop(e);
        }
        match &e.kind {
            Kind::Lit(lit) => {
                let ty = self.scalar_type(&e.ty, e.span);
                Operand::Val(self.let_op(ty, Op::Lit(lit.clone()), e.span))
            }
            // what stands for another variable goes on doing so
            Kind::Local(_) if self.alias(e).is_some() => {
                self.alias(e).unwrap_or_else(Operand::unit)
            }
            Kind::Local(_)
            | Kind::Deref(_)
            | Kind::Receiver(_)
            | Kind::TupleField(..)
            | Kind::Field(..)
            | Kind::Index(..)
            | Kind::Range { .. } => {
                let at = self.locate(e);
                let ty = self.solved(&e.ty);
                self.load_operand(at, &ty, e.span)
            }
            Kind::Components(inner, _) => self.eval(inner),
            Kind::Ref(mutable, inner) => self.eval_ref(*mutable, inner, e),
            Kind::Passive(p) => {
                let code = self.code(p, e.span);
                match self.solved(&e.ty) {
                    // a call for its effect
                    Ty::Tuple(parts) if parts.is_empty() => {
                        self.run_for_effect(code, e.span);
                        Operand::unit()
                    }
                    _ if self.is_number(&e.ty) => Operand::Val(self.verbatim(code, &e.ty, e.span)),
                    _ => Operand::Passive(self.cut(code, e.span)),
                }
            }
            Kind::OnState(code) => self.on_state(code, e),
            Kind::Cut(path, inner) => {
                let v = self.scalar(inner);
                let ty = self.scalar_type(&e.ty, e.span);
                Operand::Val(self.cut_value(path.0.clone(), v, ty, e.span))
            }
            Kind::Neg(a) => self.unary(Op::Neg, a, e),
            Kind::Not(a) => self.unary(Op::Not, a, e),
            Kind::Bin(op, a, b) => {
                let (a, b) = (self.scalar(a), self.scalar(b));
                self.op(Op::Bin(*op, a, b), e)
            }
            Kind::Cmp(op, a, b) => {
                let sequence = |t: Ty| matches!(t, Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_));
                if sequence(self.peeled(&a.ty)) && sequence(self.peeled(&b.ty)) {
                    return self.compare_sequences(*op == CmpOp::Ne, a, b, e.span);
                }
                if !self.is_scalar(&a.ty) && !matches!(self.peeled(&a.ty), Ty::Var(_)) {
                    self.cx.error(e.span, &error::COMPARE_SEQUENCES);
                    return Operand::unit();
                }
                let (a, b) = (self.scalar(a), self.scalar(b));
                self.op(Op::Cmp(*op, a, b), e)
            }
            Kind::And(..) if has_let(&conjuncts(e)) => self.and_chain(e),
            Kind::And(a, b) => self.short_circuit(a, b, true, e),
            Kind::Or(a, b) => self.short_circuit(a, b, false, e),
            Kind::Cast(inner) => self.cast(inner, e),
            Kind::Elementary(name, args) => {
                let args = args.iter().map(|a| self.scalar(a)).collect();
                self.op(Op::Elementary(name, args), e)
            }
            Kind::SinCos(x) => {
                let x = self.scalar(x);
                let s = self.let_op(Type::Float, Op::Elementary("sin", vec![x]), e.span);
                let c = self.let_op(Type::Float, Op::Elementary("cos", vec![x]), e.span);
                Operand::Tuple(vec![Operand::Val(s), Operand::Val(c)])
            }
            Kind::Classify(name, x) => self.classify(name, x, e),
            Kind::Shared(name, args) => match self.peeled(&e.ty) {
                Ty::Float => {
                    let args = args.iter().map(|a| self.scalar(a)).collect();
                    self.op(Op::Elementary(name, args), e)
                }
                _ => self.int_method(name, args, e),
            },
            Kind::IntMethod(name, args) => self.int_method(name, args, e),
            Kind::Len(x) => {
                if let Some(code) = self.passive_sequence(x) {
                    return Operand::Val(self.passive_len(code, e.span));
                }
                let place = self.place(x);
                Operand::Val(self.len(place, e.span))
            }
            Kind::IsEmpty(x) => {
                let n = match self.passive_sequence(x) {
                    Some(code) => self.passive_len(code, e.span),
                    None => {
                        let place = self.place(x);
                        self.len(place, e.span)
                    }
                };
                let zero = self.lit_usize(0, e.span);
                self.op(Op::Cmp(CmpOp::Eq, n, zero), e)
            }
            Kind::Tuple(elems) => {
                let parts = elems.iter().map(|e| self.eval(e)).collect();
                Operand::Tuple(parts)
            }
            Kind::CopyOf(number) if self.is_scalar(&e.ty) => Operand::Val(self.scalar(number)),
            Kind::List(_)
            | Kind::Struct { .. }
            | Kind::Blank
            | Kind::Repeat(..)
            | Kind::VecFill(..)
            | Kind::CopyOf(_) => Operand::Place(root(self.make(e, TEMPORARY))),
            Kind::If { cond, then, els } => self.if_expr(cond, then, els.as_deref(), e),
            Kind::Block(b) => self.block(b),
            Kind::While { label, cond, body } => self.while_loop(label, cond, body, e.span),
            Kind::Loop {
                label,
                body,
                broken,
            } => self.endless_loop(label, body, *broken, e),
            Kind::For {
                label,
                pat,
                iter,
                body,
                broken,
            } => self.for_loop(label, pat, iter, body, *broken, e.span),
            Kind::Checkpoint(schedule, e) => self.checkpoint(*schedule, e),
            Kind::Break(label, value) => self.break_loop(label, value.as_deref()),
            Kind::Labelled {
                label,
                body,
                broken,
            } => self.labelled_block(label, body, *broken, e),
            Kind::Match(scrutinee, arms) => self.match_expr(scrutinee, arms, e),
            Kind::Let(..) => self.and_chain(e),
            Kind::Variant(variant, value) => self.variant(*variant, value.as_deref(), e),
            Kind::Checked(inside, element) => self.guarded_element(inside, element, e),
            Kind::CheckedInt(name, args) => self.checked_int(name, args, e),
            Kind::Effect(effect) => self.effect(effect, e),
            Kind::Continue(label) => {
                self.leave(crate::ir::Exit::Continue(label.clone()));
                Operand::unit()
            }
            Kind::Return(value) => {
                self.return_value(value.as_deref(), e.span);
                Operand::unit()
            }
            Kind::Assign(place, value) => self.assign(place, value),
            Kind::AssignOp(op, place, value) => self.assign_op(*op, place, value, e.span),
            Kind::CopyFrom(dst, src) => self.copy_from(dst, src),
            Kind::Fill(dst, value) => self.fill(dst, value, e.span),
            Kind::Swap(x, i, j) => self.swap(x, i, j, e.span),
            Kind::Seq(op, args) => self.sequence_op(op, args, e),
            Kind::Call {
                callee,
                instance,
                args,
                constants,
            } => self.call(callee, instance.as_ref(), args, constants, e),
            Kind::Reduce(iter, how) => self.reduce(iter, how, e),
            Kind::Pick(iter, pick, otherwise) => self.pick(iter, pick, otherwise, e),
            Kind::CallClosure(id, args) => self.call_closure(*id, args, e.span),
            Kind::Chain { .. } => unreachable!("read: the name of an iterator is no value"),
            Kind::Order(how, a, b) => Operand::Val(self.order(*how, a, b, e.span)),
            Kind::Refused => Operand::unit(),
        }
    }

    /// `&place`, `&mut place`: the place itself.
    fn eval_ref(&mut self, mutable: bool, inner: &Expr, e: &Expr) -> Operand {
        // a reference to a reference stands for what holds it
        if mutable
            && self.holds_references(&self.solved(&inner.ty))
            && let Some(held) = self.borrowed_holder(e).and_then(|h| self.bound_part(&h))
        {
            return held.clone();
        }
        let at = match self.locate(inner) {
            // a number is a value wherever it stands
            Operand::Passive(code) if self.is_number(&inner.ty) => {
                return Operand::Val(self.verbatim(code, &inner.ty, inner.span));
            }
            Operand::Passive(code) => return Operand::Passive(code.wrapped("&")),
            other => other,
        };
        match (at, self.is_number(&inner.ty)) {
            // a number that has no name yet
            (Operand::Val(v), true) if mutable => {
                let ty = self.body.val(v).ty.clone();
                let place = self.declare(ty, TEMPORARY, e.span, Init::Scalar(v));
                self.written.insert(place);
                Operand::Place(root(place))
            }
            // the index is checked where the reference is made
            (Operand::Place(place), true) if mutable => {
                let ty = self.scalar_type(&inner.ty, e.span);
                if place.path.iter().any(|p| matches!(p, Proj::Index(_))) {
                    self.load(place.clone(), ty, e.span);
                }
                Operand::Place(place)
            }
            // what is behind `&` does not change while it is borrowed
            (Operand::Place(place), true) if !mutable => {
                let ty = self.scalar_type(&inner.ty, e.span);
                Operand::Val(self.load(place, ty, e.span))
            }
            (at, _) => at,
        }
    }

    pub(super) fn op(&mut self, op: Op, e: &Expr) -> Operand {
        let ty = self.scalar_type(&e.ty, e.span);
        Operand::Val(self.let_op(ty, op, e.span))
    }

    fn unary(&mut self, op: fn(Val) -> Op, a: &Expr, e: &Expr) -> Operand {
        // a negative integer literal is one literal: `-128_i8`
        if let (Kind::Lit(Lit::Int(n)), Op::Neg(_)) = (&a.kind, op(Val(0))) {
            return self.op(Op::Lit(Lit::Int(-n)), e);
        }
        let a = self.scalar(a);
        let wrong = match (op(a), &self.body.val(a).ty) {
            (Op::Neg(_), Type::Int(name)) => name.starts_with('u'),
            (Op::Neg(_), Type::Bool) | (Op::Not(_), Type::Float) => true,
            _ => false,
        };
        if wrong {
            self.cx.mismatch();
        }
        self.op(op(a), e)
    }

    fn cast(&mut self, inner: &Expr, e: &Expr) -> Operand {
        if let Ty::Var(_) = self.peeled(&inner.ty) {
            return self.cast_of_unknown(inner, e);
        }
        let from = self.peeled(&inner.ty);
        if self.is_data(&e.ty) {
            return self.converted_data(inner, &e.ty, e.span);
        }
        if self.is_data(&from) {
            return self.cast_of_variant(inner, e);
        }
        let v = self.scalar(inner);
        match (from, self.peeled(&e.ty)) {
            // `x as f64` of a float is the float
            (Ty::Float, Ty::Float) => self.op(Op::Copy(v), e),
            (Ty::Float, Ty::Bool) | (Ty::Bool, Ty::Float) => {
                self.cx.mismatch();
                self.op(Op::Cast(v), e)
            }
            _ => self.op(Op::Cast(v), e),
        }
    }

    /// Variants may have numbers of their own.
    fn cast_of_variant(&mut self, inner: &Expr, e: &Expr) -> Operand {
        let at = self.subject(inner);
        let Some(code) = self.foreign_code(&at, &inner.ty, inner.span) else {
            return Operand::Val(self.dummy(&Type::Float));
        };
        match self.scalar_type(&e.ty, e.span) {
            Type::Int(name) => Operand::Val(self.verbatim(code.cast(&name), &e.ty, e.span)),
            // rustc casts them to integers alone
            _ => {
                self.cx.mismatch();
                Operand::Val(self.dummy(&Type::Float))
            }
        }
    }

    /// A constant of the user's, or a field, whose type nothing else determines: an integer, most
    /// likely. A float that is differentiated cannot be cast, so that rustc speaks.
    fn cast_of_unknown(&mut self, inner: &Expr, e: &Expr) -> Operand {
        let traits = self.types.traits(&self.types.peel(&inner.ty));
        match self.locate(inner) {
            Operand::Passive(code) => {
                let ty = self.scalar_type(&e.ty, e.span);
                let name = match &ty {
                    Type::Int(name) => name.clone(),
                    Type::Bool => "bool".to_owned(),
                    _ => format!("::core::primitive::{}", self.float),
                };
                let code = code.cast(&name);
                Operand::Val(self.verbatim(code, &e.ty, e.span))
            }
            Operand::Place(place) if traits.is_some_and(|t| t.field) => {
                let v = self.load(place, Type::Int("_".to_owned()), e.span);
                self.op(Op::Cast(v), e)
            }
            Operand::Val(v) if *self.body.val(v).ty.leaf() != Type::Float => {
                self.op(Op::Cast(v), e)
            }
            Operand::Val(_)
            | Operand::Place(_)
            | Operand::Tuple(_)
            | Operand::Choice(_)
            | Operand::Held(_) => {
                self.unknown_type(&inner.ty, inner.span);
                Operand::Val(self.dummy(&Type::Float))
            }
        }
    }

    /// `is_nan` and its kin, written with comparisons.
    fn classify(&mut self, name: &str, x: &Expr, e: &Expr) -> Operand {
        let x = self.scalar(x);
        let (cmp, left, right) = match name {
            "is_nan" => (CmpOp::Ne, x, x),
            "is_finite" | "is_infinite" => {
                let abs = self.let_op(Type::Float, Op::Elementary("abs", vec![x]), e.span);
                let tokens = Tokens(code_at(
                    &format!("::core::{}::INFINITY", self.float),
                    e.span,
                ));
                let op = Op::Verbatim {
                    tokens,
                    operands: Vec::new(),
                    places: Vec::new(),
                };
                let inf = self.let_op(Type::Float, op, e.span);
                (
                    if name == "is_finite" {
                        CmpOp::Lt
                    } else {
                        CmpOp::Eq
                    },
                    abs,
                    inf,
                )
            }
            _ => {
                let one = self.let_op(Type::Float, Op::Lit(Lit::Float(1.0)), e.span);
                let sign = self.let_op(
                    Type::Float,
                    Op::Elementary("copysign", vec![one, x]),
                    e.span,
                );
                let zero = self.let_op(Type::Float, Op::Lit(Lit::Float(0.0)), e.span);
                (
                    if name == "is_sign_positive" {
                        CmpOp::Gt
                    } else {
                        CmpOp::Lt
                    },
                    sign,
                    zero,
                )
            }
        };
        self.op(Op::Cmp(cmp, left, right), e)
    }

    /// A method of integers: passive code on operands that are evaluated here.
    fn int_method(&mut self, name: &str, args: &[Expr], e: &Expr) -> Operand {
        let vals: Vec<Val> = args.iter().map(|a| self.scalar(a)).collect();
        self.int_method_on(name, &vals, e)
    }

    pub(super) fn int_method_on(&mut self, name: &str, vals: &[Val], e: &Expr) -> Operand {
        let ty = self.scalar_type(&e.ty, e.span);
        Operand::Val(self.int_op(name, vals, ty, e.span))
    }

    pub(super) fn int_op(&mut self, name: &str, vals: &[Val], ty: Type, span: Extent) -> Val {
        self.int_code(name, vals, "", ty, span)
    }

    /// `a.name(b, ..)` and what follows it.
    pub(super) fn int_code(
        &mut self,
        name: &str,
        vals: &[Val],
        suffix: &str,
        ty: Type,
        span: Extent,
    ) -> Val {
        let names: Vec<String> = (0..vals.len()).map(|k| format!("__n{k}")).collect();
        let (receiver, rest) = names.split_first().expect("a method has a receiver");
        let code = format!("{receiver}.{name}({}){suffix}", rest.join(", "));
        let tokens = code_at(&code, span);
        let operands = names.into_iter().zip(vals.iter().copied()).collect();
        self.let_op(
            ty,
            Op::Verbatim {
                tokens: Tokens(tokens),
                operands,
                places: Vec::new(),
            },
            span,
        )
    }

    /// `let p = a && b && ..` as a value.
    fn and_chain(&mut self, e: &Expr) -> Operand {
        let test = self.conditions(&conjuncts(e), e.span);
        Operand::Val(match test {
            Some(v) => v,
            None => self.let_op(Type::Bool, Op::Lit(Lit::Bool(true)), e.span),
        })
    }

    /// `a && b`, `a || b`: `b` only where Rust evaluates it, unless nobody can tell.
    fn short_circuit(&mut self, a: &Expr, b: &Expr, and: bool, e: &Expr) -> Operand {
        let a = self.scalar(a);
        self.open();
        let b = self.scalar(b);
        if self.is_live() && self.is_harmless() {
            self.splice();
            let op = if and { BinOp::And } else { BinOp::Or };
            return self.op(Op::Bin(op, a, b), e);
        }
        let right = self.close(vec![b]);
        self.open();
        let known = self.let_op(Type::Bool, Op::Lit(Lit::Bool(!and)), e.span);
        let short = self.close(vec![known]);
        let result = self.body.new_val(Type::Bool, None, e.span.start);
        let (then, els) = if and { (right, short) } else { (short, right) };
        self.push(Stmt::If {
            cond: a,
            then,
            els,
            results: vec![result],
        });
        Operand::Val(result)
    }

    /// Whether the open region may be executed where Rust would skip it.
    pub(super) fn is_harmless(&self) -> bool {
        let open = self.regions.last().expect("a region is open");
        open.stmts.iter().all(|s| match s {
            Stmt::Let(v, op) => self.cannot_panic(*v, op),
            Stmt::Load(_, place) => !indexes(place),
            _ => false,
        })
    }

    fn cannot_panic(&self, v: Val, op: &Op) -> bool {
        let float_or_bool = matches!(self.body.val(v).ty, Type::Float | Type::Bool);
        match op {
            Op::Lit(_) | Op::Copy(_) | Op::Param(_) | Op::Not(_) | Op::Cmp(..) | Op::Cast(_) => {
                true
            }
            Op::Neg(_) | Op::Bin(..) => float_or_bool,
            Op::Elementary(name, _) => *name != "clamp",
            Op::Len(place) => !indexes(place),
            // the path of a constant: what is called or indexed may panic
            Op::Verbatim {
                tokens,
                operands,
                places,
                ..
            } => {
                let is_group = |t| matches!(t, TokenTree::Group(_));
                operands.is_empty()
                    && places.is_empty()
                    && !tokens.0.clone().into_iter().any(is_group)
            }
            _ => false,
        }
    }
}

fn indexes(place: &Place) -> bool {
    place.path.iter().any(|p| match p {
        Proj::Index(_) | Proj::Range(..) | Proj::Flat(_) => true,
        Proj::Field(..) => false,
    })
}

/// Code of our own, with the user's span.
pub(super) fn code_at(text: &str, span: Extent) -> TokenStream {
    let tokens: TokenStream = text.parse().expect("code of our own is well-formed");
    tokens
        .into_iter()
        .map(|mut tree| {
            tree.set_span(Span::call_site().located_at(span.start));
            tree
        })
        .collect()
}
