//! Values of enums without data. In variables, lists and results each is the number of its variant; code that is carried
//! along has the variant itself.

use super::passive::Code;
use super::{Builder, Operand};
use crate::error;
use crate::ir::{BinOp, CmpOp, Op, Place, Tokens, Type, Val};
use crate::lower::code;
use crate::lower::hir::Expr;
use crate::lower::ty::{Ty, enum_of};
use crate::report::Extent;
use proc_macro2::{TokenStream, TokenTree};

impl Builder<'_> {
    /// Whether values of this type are variants without data.
    pub(super) fn is_variant(&self, ty: &Ty) -> bool {
        enum_of(&self.peeled(ty)).is_some()
    }

    /// The paths of the variants.
    fn variants_of(&self, ty: &Ty) -> Option<Vec<TokenStream>> {
        let ty = self.peeled(ty);
        let path = enum_of(&ty)?;
        let of: TokenStream = path.parse().ok()?;
        let names = self.types.variants(path)?.iter();
        let paths = names.map(|name| code::variant(&of, name));
        Some(paths.collect())
    }

    /// Code with the number of a variant in the place of the variant.
    pub(super) fn numbered(&self, code: Code, ty: &Ty) -> Code {
        let Some(paths) = self.variants_of(ty) else {
            return code;
        };
        code.map(|tokens| {
            let arms = paths.iter().enumerate();
            let arms = arms.map(|(k, path)| (path.clone(), code::number(k)));
            code::chosen(tokens, arms)
        })
    }

    /// The variant that a number or a variable stands for, as code, behind `depth` references. None of what is not a
    /// number.
    pub(super) fn variant_code(
        &mut self,
        operand: &Operand,
        ty: &Ty,
        depth: usize,
        span: Extent,
    ) -> Option<Code> {
        let mut paths = self.variants_of(ty)?;
        let number = match operand {
            Operand::Val(v) => *v,
            Operand::Place(place) if !matches!(self.body.type_at(place), Some(Type::Opaque(_))) => {
                self.load(place.clone(), Type::Int("usize".to_owned()), span)
            }
            _ => return None,
        };
        // references in each arm last for ever, those around all arms do not
        for path in &mut paths {
            *path = code::behind(depth, path);
        }
        let last = paths.pop()?;
        let arms = paths.into_iter().enumerate();
        let arms = arms.map(|(k, path)| (code::number(k), path));
        let other = (super::expr::code_at("_", span), last);
        let name = format!("__variant{}", number.0);
        let chosen = code::chosen(super::expr::code_at(&name, span), arms.chain([other]));
        let mut code = Code::new(Tokens(chosen));
        code.operands.push((name, number));
        Some(code)
    }

    /// The number of the variant in a place.
    pub(super) fn number_in(&mut self, place: Place, ty: &Ty, span: Extent) -> Val {
        let at = match place.path.is_empty() {
            true => place.root,
            false => self.view(place, false, super::place::TEMPORARY, ty, span),
        };
        let name = format!("__variant{}", at.0);
        let mut code = Code::new(Tokens(super::expr::code_at(&name, span)));
        code.places.push((name, at));
        self.verbatim(code, ty, span)
    }

    /// The type of what the user's code has made: variants are variants.
    pub(super) fn type_in_place(&mut self, ty: &Ty, span: Extent) -> Type {
        match self.types.peel(ty) {
            Ty::Opaque(path) => Type::Opaque(path),
            _ => self.ir_type(ty, span),
        }
    }

    /// Reports a list of numbers where code of the user's wants one of variants.
    pub(super) fn check_list(&self, place: &Place, ty: &Ty, span: Extent) {
        let mut of = self.peeled(ty);
        while let Ty::Array(elem, _) | Ty::Slice(elem) | Ty::Vec(elem) = of {
            of = *elem;
        }
        let is_numbered = |ty: Type| {
            matches!(ty, Type::Array(..) | Type::Slice(_) | Type::Vec(_))
                && matches!(ty.leaf(), Type::Int(_))
        };
        if let Some(path) = enum_of(&of)
            && self.body.type_at(place).is_some_and(is_numbered)
        {
            self.cx
                .error_about(span, &error::LOCAL_TYPE, format!("[{path}]"));
        }
    }

    /// How many references a type has.
    pub(super) fn depth(&self, ty: &Ty) -> usize {
        match self.types.shallow(ty) {
            Ty::Ref(_, of) => 1 + self.depth(&of),
            _ => 0,
        }
    }

    /// The same of what may be code already.
    pub(super) fn as_variant(&mut self, operand: Operand, ty: &Ty, span: Extent) -> Operand {
        let depth = self.depth(ty);
        match self.variant_code(&operand, ty, depth, span) {
            Some(code) => Operand::Passive(code),
            None => operand,
        }
    }

    /// A value as variables and lists keep it.
    pub(super) fn value(&mut self, e: &Expr) -> Operand {
        let value = self.eval(e);
        self.with_numbers(value, &e.ty, e.span)
    }

    /// Numbers in the place of all variants in a value.
    pub(super) fn with_numbers(&mut self, value: Operand, ty: &Ty, span: Extent) -> Operand {
        match (value, &self.solved(ty)) {
            (Operand::Tuple(parts), Ty::Tuple(types)) if parts.len() == types.len() => {
                let parts = parts.into_iter().zip(types);
                Operand::Tuple(
                    parts
                        .map(|(part, ty)| self.with_numbers(part, ty, span))
                        .collect(),
                )
            }
            (Operand::Passive(code), ty) if self.is_variant(ty) => {
                Operand::Val(self.verbatim(code, ty, span))
            }
            (value, _) => value,
        }
    }

    /// A value for a field of a struct, which is of the enum itself.
    pub(super) fn of_field(
        &mut self,
        field: &Place,
        value: Operand,
        ty: &Ty,
        span: Extent,
    ) -> Operand {
        let (true, Some(Type::Opaque(path))) = (self.is_variant(ty), self.body.type_at(field))
        else {
            return value;
        };
        let value = match value {
            Operand::Place(from) => {
                Operand::Val(self.load(from, Type::Int("usize".to_owned()), span))
            }
            value => value,
        };
        match self.as_variant(value, ty, span) {
            Operand::Passive(code) => Operand::Val(self.opaque(code, &Ty::Opaque(path), span)),
            value => value,
        }
    }

    /// Whether a number is that of one of the variants in a pattern; None if the pattern has other parts.
    pub(super) fn is_one_of(
        &mut self,
        v: Val,
        pat: &TokenStream,
        ty: &Ty,
        span: Extent,
    ) -> Option<Val> {
        let peeled = self.peeled(ty);
        let names = self.types.variants(enum_of(&peeled)?)?.clone();
        let numbers: Option<Vec<usize>> = alternatives(pat)
            .iter()
            .map(|alternative| {
                names
                    .iter()
                    .position(|name| alternative.as_ref() == Some(name))
            })
            .collect();
        let mut all = None;
        for k in numbers? {
            let number = self.lit_usize(k as i128, span);
            let one = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, v, number), span);
            all = Some(match all {
                None => one,
                Some(before) => self.let_op(Type::Bool, Op::Bin(BinOp::Or, before, one), span),
            });
        }
        all
    }
}

/// The last name of each alternative of a pattern, if it is a path.
fn alternatives(pat: &TokenStream) -> Vec<Option<String>> {
    let mut found = vec![None];
    let mut is_path = true;
    for tree in pat.clone() {
        match tree {
            TokenTree::Punct(p) if p.as_char() == '|' => {
                found.push(None);
                is_path = true;
            }
            TokenTree::Punct(p) if p.as_char() == ':' => {}
            TokenTree::Ident(name) if is_path => {
                *found.last_mut().expect("one at least") = Some(name.to_string())
            }
            _ => {
                is_path = false;
                *found.last_mut().expect("one at least") = None;
            }
        }
    }
    found
}
