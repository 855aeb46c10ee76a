//! Closures with a name: inlined at each call. Which closures write to what is outside of them.

use super::holder::Holder;
use super::{Builder, Operand, root};
use crate::ir::{Init, Type};
use crate::lower::hir::{Arm, Captures, ClosureId, Expr, Kind, Lambda, Local};
use crate::lower::ty::{Ty, to_ir};
use crate::lower::walk::each;
use crate::report::Extent;

impl Builder<'_> {
    /// `let g = |..| ..;`: a `move` closure copies what it captures here.
    pub(super) fn make_closure(&mut self, id: ClosureId) {
        let closures = self.closures;
        let lambda = &closures[id.0].lambda;
        self.take_along(&lambda.captures);
    }

    /// What a `move` closure captures, as it is now.
    pub(super) fn take_along(&mut self, captures: &Captures) {
        for (outer, inner) in captures {
            let Kind::Local(outer) = &outer.kind else {
                unreachable!("captures: variables are captured")
            };
            let info = &self.locals[outer.0];
            let (ty, name, span) = (self.solved(&info.ty), info.name.clone(), info.span.into());
            let (from, to) = (Holder::of(*outer), Holder::of(*inner));
            let now = self.resolved(&from, self.bound[outer.0].clone(), span);
            self.forget(*inner);
            let taken = self.taken(now, &ty, &to, &name, span);
            self.set_bound(*inner, taken);
        }
    }

    /// A variable as a `move` closure keeps it: numbers and arrays are copied, the rest moves.
    fn taken(
        &mut self,
        operand: Operand,
        ty: &Ty,
        holder: &Holder,
        name: &str,
        span: Extent,
    ) -> Operand {
        match (operand, ty) {
            (operand, Ty::Ref(..)) if self.is_rebound(holder) && !self.is_scalar_copy(ty) => {
                self.declare_reference(holder, Some(operand), ty, name, span)
            }
            (Operand::Tuple(parts), Ty::Tuple(ts)) if parts.len() == ts.len() => {
                let parts = parts.into_iter().zip(ts).enumerate();
                let parts = parts.map(|(k, (p, t))| self.taken(p, t, &holder.part(k), name, span));
                Operand::Tuple(parts.collect())
            }
            (Operand::Place(place), ty)
                if (self.is_scalar(ty) && !matches!(ty, Ty::Ref(true, _))
                    || matches!(ty, Ty::Array(..)))
                    && self.written.contains(&place.root) =>
            {
                let Some(ir) = to_ir(&self.peeled(ty), self.float) else {
                    return Operand::Place(place);
                };
                let init = match &ir {
                    Type::Array(..) => Init::CopyOf(place),
                    scalar => Init::Scalar(self.load(place, scalar.clone(), span)),
                };
                let copy = self.declare(ir, name, span, init);
                self.written.insert(copy);
                Operand::Place(root(copy))
            }
            (operand, _) => operand,
        }
    }

    /// `g(a, b)`
    pub(super) fn call_closure(&mut self, id: ClosureId, args: &[Expr], span: Extent) -> Operand {
        let closures = self.closures;
        let lambda = &closures[id.0].lambda;
        let args: Vec<Operand> = args.iter().map(|a| self.eval(a)).collect();
        self.in_scope(|b| {
            for (pat, arg) in lambda.pats.iter().zip(args) {
                b.bind(pat, arg, span);
            }
            b.eval(&lambda.body)
        })
    }

    // ---- effects ----

    /// Whether a closure writes to what is outside of it.
    pub(super) fn lambda_writes(&self, f: &Lambda) -> bool {
        !self.gives_place(&f.body, f.outside) && self.expr_writes(&f.body, f.outside, &[])
    }

    /// Whether an expression does nothing but choose a place, to which whoever takes it may write.
    fn gives_place(&self, e: &Expr, outside: usize) -> bool {
        let writes = |e: &Expr| self.expr_writes(e, outside, &[]);
        match &e.kind {
            Kind::Ref(true, place) => self.gives_place(place, outside),
            Kind::Local(_) => true,
            Kind::Index(of, k) => !writes(k) && self.gives_place(of, outside),
            Kind::Field(of, _) | Kind::TupleField(of, _) | Kind::Deref(of) => {
                self.gives_place(of, outside)
            }
            Kind::Match(of, arms) => {
                let gives = |arm: &Arm| arm.guard.is_none() && self.gives_place(&arm.body, outside);
                !writes(of) && arms.iter().all(gives)
            }
            _ => false,
        }
    }

    /// Whether the expression writes to anything but variables from number `outside` on, and what `own` refer to.
    pub(super) fn expr_writes(&self, e: &Expr, outside: usize, own: &[Local]) -> bool {
        let target = |place: &Expr| !self.is_own(place, outside, own);
        let mut found = match &e.kind {
            Kind::Assign(p, _)
            | Kind::AssignOp(_, p, _)
            | Kind::CopyFrom(p, _)
            | Kind::Fill(p, _)
            | Kind::Swap(p, _, _) => target(p),
            Kind::Seq(op, args) if op.writes() => args.iter().any(target),
            // a reference that can be written through goes somewhere
            Kind::Ref(true, p) => target(p),
            // what is printed or checked is so once for each call
            Kind::Effect(_) | Kind::OnState(_) => true,
            Kind::Local(local) => {
                matches!(self.solved(&e.ty), Ty::Ref(true, _)) && !own.contains(local)
            }
            Kind::CallClosure(id, _) | Kind::Chain { id, .. } => {
                let lambda = &self.closures[id.0].lambda;
                self.expr_writes(&lambda.body, outside.min(lambda.outside), own)
            }
            _ => false,
        };
        each(e, &mut |inner| {
            found = found || self.expr_writes(inner, outside, own)
        });
        found
    }

    /// A variable made inside, or a part of one.
    fn is_own(&self, place: &Expr, outside: usize, own: &[Local]) -> bool {
        match &place.kind {
            Kind::Local(local) if own.contains(local) => true,
            Kind::Deref(p) => matches!(&p.kind, Kind::Local(local) if own.contains(local)),
            Kind::Local(local) => {
                let info = &self.locals[local.0];
                // what is taken along is still there at the next call
                local.0 >= outside && !info.taken && !matches!(self.solved(&info.ty), Ty::Ref(..))
            }
            Kind::Index(p, _) | Kind::Field(p, _) | Kind::TupleField(p, _) => {
                self.is_own(p, outside, own)
            }
            Kind::Range { base, .. } => self.is_own(base, outside, own),
            _ => false,
        }
    }
}
