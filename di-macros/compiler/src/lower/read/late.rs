//! Operators between values of which nothing was known where they were read, and which turned out to be derived
//! structs: `let d = a.cross(b) * 2.0;` before `d.norm()`.

use super::Reader;
use super::methods::operator_method;
use super::structs::described;
use super::unread::all;
use crate::error;
use crate::lower::hir::{Block, Expr, Kind};
use crate::lower::ty::Ty;
use crate::lower::walk::{each_mut, each_mut_of_block, each_mut_of_lambda, each_of_block};

impl Reader<'_> {
    /// Writes the operators of structs as the calls that they are.
    pub(super) fn late_operators(&mut self, body: &mut Block) {
        let mut closures = std::mem::take(&mut self.closures);
        each_mut_of_block(body, &mut |e| self.late_operator(e));
        for closure in &mut closures {
            each_mut_of_lambda(&mut closure.lambda, &mut |e| self.late_operator(e));
        }
        self.closures = closures;
    }

    /// Elements of fields in a list: numbers by default.
    pub(super) fn late_numbers(&mut self, body: &Block) {
        let mut found = Vec::new();
        let mut note = |e: &Expr| {
            all(e, &mut |e| {
                if let Kind::List(elems) = &e.kind {
                    found.extend(elems.iter().map(|e| e.ty.clone()));
                }
            });
        };
        each_of_block(body, &mut note);
        for closure in &self.closures {
            note(&closure.lambda.body);
        }
        for ty in found {
            let ty = self.types.peel(&ty);
            let traits = self.types.traits(&ty).unwrap_or_default();
            let unresolved = traits.field && !(traits.integer || traits.counted || traits.refused);
            if unresolved && self.types.unify(&ty, &Ty::Float).is_err() {
                self.cx.mismatch();
            }
        }
    }

    /// Of a product of two things of which nothing was known either both are numbers, or one of them is a
    /// struct, the left one if the other may be a number: whatever was told later.
    pub(super) fn solve_products(&mut self) {
        self.settle_products();
        while let Some([whole, a, b]) = self.products.pop() {
            // nothing is known
            let equal = self.types.unify(&a, &b).and(self.types.unify(&whole, &a));
            if equal.is_err() {
                self.cx.mismatch();
            }
            self.settle_products();
        }
    }

    /// The products of which something is known so far.
    pub(super) fn settle_products(&mut self) {
        let mut products = std::mem::take(&mut self.products);
        loop {
            let before = products.len();
            products.retain(|product| !self.solve_product(product));
            if products.len() == before {
                break;
            }
        }
        self.products = products;
    }

    /// Whether something is known.
    fn solve_product(&mut self, [whole, a, b]: &[Ty; 3]) -> bool {
        let told = |r: &Self, ty: &Ty| match r.types.peel(ty) {
            Ty::Var(_) => r.types.traits(&r.types.peel(ty)).is_some_and(|t| t.integer),
            _ => true,
        };
        let is_struct = |r: &Self, ty: &Ty| matches!(r.types.peel(ty), Ty::Struct(_));
        let traits = |r: &Self, ty: &Ty| r.types.traits(&r.types.peel(ty)).unwrap_or_default();
        let of_structs = [whole, a, b]
            .into_iter()
            .any(|ty| is_struct(self, ty) || traits(self, ty).open);
        let of_calls = [a, b]
            .into_iter()
            .all(|ty| is_struct(self, ty) || traits(self, ty).callee);
        if of_structs && of_calls {
            for ty in [whole, a, b] {
                self.types.leave_open(&self.types.peel(ty));
            }
            return true;
        }
        let made = |r: &Self, ty: &Ty| {
            let traits = r.types.traits(&r.types.peel(ty)).unwrap_or_default();
            traits.made && !traits.scaled
        };
        let pairs = if is_struct(self, whole) && made(self, b) {
            let a = if made(self, a) || is_struct(self, a) {
                whole.clone()
            } else {
                Ty::Float
            };
            [(b.clone(), whole.clone()), (whole.clone(), a)]
        } else if is_struct(self, a) || is_struct(self, whole) && !told(self, a) {
            [(whole.clone(), a.clone()), (b.clone(), Ty::Float)]
        } else if is_struct(self, b) || is_struct(self, whole) {
            [(whole.clone(), b.clone()), (a.clone(), Ty::Float)]
        } else if told(self, whole) || told(self, a) || told(self, b) {
            [(whole.clone(), a.clone()), (a.clone(), b.clone())]
        } else {
            return false;
        };
        for (x, y) in pairs {
            let (x, y) = (self.types.peel(&x), self.types.peel(&y));
            if self.types.unify(&x, &y).is_err() {
                self.cx.mismatch();
            }
        }
        true
    }

    fn late_operator(&mut self, e: &mut Expr) {
        each_mut(e, &mut |inner| self.late_operator(inner));
        let (method, mut args) = match &e.kind {
            Kind::Bin(op, a, b) => (operator_method(*op).map(str::to_owned), vec![a, b]),
            Kind::AssignOp(op, a, b) => {
                let method = operator_method(*op).map(|m| format!("{m}_assign"));
                (method, vec![a, b])
            }
            Kind::Neg(a) => (Some("neg".to_owned()), vec![a]),
            _ => return,
        };
        if !args.iter().any(|a| self.is_late_struct(&a.ty)) {
            return;
        }
        if let Kind::AssignOp(_, place, value) = &e.kind
            && matches!(self.types.solve(&self.types.peel(&place.ty)), Ty::Float)
        {
            let value = (self.types.peel(&value.ty), value.span);
            self.unify(&value.0, &Ty::Float, value.1);
            return;
        }
        let mut args: Vec<Expr> = args.drain(..).map(|a| (**a).clone()).collect();
        for arg in &args {
            let ty = self.types.peel(&arg.ty);
            if let (Ty::Var(_), solved) = (&ty, self.types.solve(&ty)) {
                self.unify(&ty, &solved, arg.span);
            }
        }
        let assigns = matches!(e.kind, Kind::AssignOp(..));
        if assigns {
            let place = args.remove(0);
            let borrowed = Expr {
                ty: Ty::reference(true, self.types.peel(&place.ty)),
                span: place.span,
                kind: Kind::Ref(true, Box::new(place)),
            };
            args.insert(0, borrowed);
        }
        let call = method.and_then(|method| self.operator_call(&method, args, e.span));
        let Some(call) = call else {
            let of = self.late_struct(e);
            self.cx.error_about(e.span, &error::OPERATOR_ON_STRUCT, of);
            return;
        };
        self.unify(&call.ty.clone(), &e.ty.clone(), e.span);
        *e = call;
    }

    /// The side of an operator that is a struct, as messages name it.
    fn late_struct(&self, e: &Expr) -> String {
        let (Kind::Bin(_, a, _) | Kind::AssignOp(_, a, _) | Kind::Neg(a)) = &e.kind else {
            return String::new();
        };
        let (Kind::Bin(_, _, b) | Kind::AssignOp(_, _, b) | Kind::Neg(b)) = &e.kind else {
            return String::new();
        };
        let paths = [a, b].map(|side| match self.types.solve(&self.types.peel(&side.ty)) {
            Ty::Struct(path) => Some(described(&path.0)),
            _ => None,
        });
        // a name, if there is one
        let paths = paths.into_iter().flatten();
        paths
            .min_by_key(|p| !p.starts_with('`'))
            .unwrap_or_default()
    }

    /// Whether a value is a derived struct, or one that is borrowed.
    fn is_late_struct(&self, ty: &Ty) -> bool {
        matches!(self.types.solve(&self.types.peel(ty)), Ty::Struct(_))
    }
}
