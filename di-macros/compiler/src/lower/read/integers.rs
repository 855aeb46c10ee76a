//! Types of integers that nothing but constant code uses: in `image.get(i + d, 1)` the operators and the signature of the
//! method say what `i` and `d` are.

use super::Reader;
use super::expr::{as_path, strip, unraw};
use super::lifted::behind_references;
use super::structs::member_name;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

impl Reader<'_> {
    /// Notes what constant code says of the integers in it. `own`: names that it binds itself.
    pub(super) fn note_integers(&mut self, e: &syn::Expr, own: &[String]) {
        let mut parts = Vec::new();
        walk::read(Node::Expr(e), &mut |node| {
            use syn::Expr::{Binary, Call, MethodCall, Struct};
            if let Node::Expr(e @ (Binary(_) | MethodCall(_) | Call(_) | Struct(_))) = node {
                parts.push(e.clone());
            }
            Onward::Into
        });
        for part in &parts {
            match part {
                syn::Expr::MethodCall(m) => {
                    let inputs = self.type_as_written(&m.receiver).map(|of| {
                        let of = behind_references(&of).to_token_stream().to_string();
                        self.env.passive_inputs(&of, &m.method.to_string())
                    });
                    self.note_arguments(m.args.iter(), inputs.unwrap_or_default(), own);
                }
                syn::Expr::Call(c) => {
                    let path = strip(&c.func).to_token_stream().to_string();
                    // `Date::new(year)`
                    let of_type = path.rsplit_once(" :: ").map(|(of, name)| {
                        let of = self.env.of(of);
                        self.env.passive_inputs(&of, name)
                    });
                    let inputs = match (self.env.function(&path), of_type) {
                        (Some(known), _) => types::inputs(&known.signature),
                        (None, Some(inputs)) if inputs.len() == c.args.len() => inputs,
                        (None, _) => (0..c.args.len())
                            .map_while(|k| self.env.field(&path, &k.to_string()))
                            .collect(),
                    };
                    self.note_arguments(c.args.iter(), inputs, own);
                }
                syn::Expr::Struct(s) => {
                    let path = s.path.to_token_stream().to_string();
                    for field in &s.fields {
                        let ty = self.env.field(&path, &member_name(&field.member));
                        self.note_arguments(std::iter::once(&field.expr), ty, own);
                    }
                }
                of => {
                    self.integer(of, own);
                }
            }
        }
    }

    fn note_arguments<'e>(
        &mut self,
        args: impl Iterator<Item = &'e syn::Expr>,
        inputs: impl IntoIterator<Item = syn::Type>,
        own: &[String],
    ) {
        for (arg, ty) in args.zip(inputs) {
            self.note_argument(arg, &ty, own);
        }
    }

    /// Notes what the type of a parameter says of the integers in an argument, also in tuples and lists.
    pub(super) fn note_argument(&mut self, arg: &syn::Expr, ty: &syn::Type, own: &[String]) {
        match (borrowed(arg), behind_references(ty)) {
            (syn::Expr::Tuple(parts), syn::Type::Tuple(types)) => {
                for (part, ty) in parts.elems.iter().zip(&types.elems) {
                    self.note_argument(part, ty, own);
                }
            }
            (
                syn::Expr::Array(list),
                syn::Type::Slice(syn::TypeSlice { elem, .. })
                | syn::Type::Array(syn::TypeArray { elem, .. }),
            ) => {
                for item in &list.elems {
                    self.note_argument(item, elem, own);
                }
            }
            (of, _) => {
                let name = ty.to_token_stream().to_string();
                if !types::is_integer_name(&name) {
                    if let Some(list) = self.outer_variable(of, own) {
                        self.known_integers(ty, &list);
                    }
                } else if let Some(of) = self.integer(arg, own) {
                    self.same_integers(&of, &Ty::Int(name));
                }
            }
        }
    }

    /// Integers of an argument, and of the lists and tuples in it, whose type is not inferred yet have that of the
    /// parameter.
    pub(super) fn known_integers(&mut self, parameter: &syn::Type, found: &Ty) {
        if let Some(wanted) = types::read_plain(parameter, self.float, &mut self.types) {
            self.fit_integers(found, &wanted);
        }
    }

    fn fit_integers(&mut self, found: &Ty, wanted: &Ty) {
        match (self.types.peel(found), self.types.peel(wanted)) {
            (
                Ty::Array(found, _) | Ty::Slice(found) | Ty::Vec(found),
                Ty::Array(wanted, _) | Ty::Slice(wanted) | Ty::Vec(wanted),
            ) => self.fit_integers(&found, &wanted),
            (Ty::Tuple(found), Ty::Tuple(wanted)) | (Ty::Sum(found), Ty::Sum(wanted)) => {
                for (found, wanted) in found.iter().zip(&wanted) {
                    self.fit_integers(found, wanted);
                }
            }
            (found, wanted @ Ty::Int(_))
                if self.types.traits(&found).is_some_and(|t| t.integer) =>
            {
                self.same_integers(&found, &wanted);
            }
            _ => {}
        }
    }

    /// The type of a variable that is bound outside of the code.
    fn outer_variable(&self, e: &syn::Expr, own: &[String]) -> Option<Ty> {
        let p = as_path(e)?;
        let name = p.path.get_ident().map(unraw)?;
        let local = self.lookup(&name).filter(|_| !own.contains(&name))?;
        Some(self.types.peel(&self.locals[local.0].ty))
    }

    /// The type of an integer in constant code, if it is one.
    fn integer(&mut self, e: &syn::Expr, own: &[String]) -> Option<Ty> {
        match strip(e) {
            path @ syn::Expr::Path(_) => {
                let ty = self.outer_variable(path, own)?;
                let is_integer = self
                    .types
                    .traits(&ty)
                    .is_some_and(|t| t.integer && !t.foreign);
                (is_integer || matches!(ty, Ty::Int(_))).then_some(ty)
            }
            syn::Expr::Lit(l) => match &l.lit {
                syn::Lit::Int(i) if types::is_integer_name(i.suffix()) => {
                    Some(Ty::Int(i.suffix().to_owned()))
                }
                _ => None,
            },
            syn::Expr::Cast(c) => {
                let name = c.ty.to_token_stream().to_string();
                types::is_integer_name(&name).then_some(Ty::Int(name))
            }
            syn::Expr::Unary(u) if !matches!(u.op, syn::UnOp::Deref(_)) => {
                self.integer(&u.expr, own)
            }
            syn::Expr::Binary(b) if !is_shift(&b.op) => {
                match (self.integer(&b.left, own), self.integer(&b.right, own)) {
                    (Some(left), Some(right)) => {
                        self.same_integers(&left, &right);
                        Some(left)
                    }
                    (left, right) => left.or(right),
                }
                .filter(|_| is_arithmetic(&b.op))
            }
            _ => None,
        }
    }

    /// rustc reports what does not match.
    fn same_integers(&mut self, a: &Ty, b: &Ty) {
        let (a, b) = (self.types.peel(a), self.types.peel(b));
        if matches!(a, Ty::Var(_)) || matches!(b, Ty::Var(_)) {
            // what is none of ours stays so
            let _ = self.types.unify(&a, &b);
        }
    }
}

/// What is behind the references that are taken.
fn borrowed(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::Reference(r) => borrowed(&r.expr),
        e => e,
    }
}

fn is_shift(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::Shl(_) | syn::BinOp::Shr(_))
}

fn is_arithmetic(op: &syn::BinOp) -> bool {
    use syn::BinOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Sub};
    matches!(
        op,
        Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | BitAnd(_) | BitOr(_) | BitXor(_)
    )
}
