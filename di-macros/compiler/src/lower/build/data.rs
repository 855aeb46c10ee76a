//! Values without floats, as enums and structs of integers. In variables, lists and results each is one number; code that
//! is carried along has the value itself.

use super::passive::Code;
use super::{Builder, Operand};
use crate::error;
use crate::ir::{BinOp, CmpOp, Lit, Op, Place, TEMPORARY, Tokens, Type, Val};
use crate::lower::code;
use crate::lower::data::Data;
use crate::lower::hir::Expr;
use crate::lower::ty::{Ty, data_of};
use crate::report::Extent;
use proc_macro2::{TokenStream, TokenTree};
use std::rc::Rc;

impl Builder<'_> {
    /// Whether values of this type are numbers.
    pub(super) fn is_data(&self, ty: &Ty) -> bool {
        data_of(&self.peeled(ty)).is_some()
    }

    /// How they are, and the path of their type.
    fn data(&self, ty: &Ty) -> Option<(Rc<Data>, TokenStream)> {
        let ty = self.peeled(ty);
        let (_, path) = data_of(&ty)?;
        let data = self.types.data(path)?.clone();
        Some((data, path.parse().ok()?))
    }

    /// The path of the runtime's hidden module.
    fn runtime(&self) -> TokenStream {
        self.types.rt.clone().unwrap_or_default()
    }

    /// Code with the number of a value in its place.
    pub(super) fn numbered(&self, code: Code, ty: &Ty) -> Code {
        match self.data(ty) {
            Some((data, path)) => {
                code.map(|tokens| code::encoded(&tokens, &data, (&path, &self.runtime())))
            }
            None => code,
        }
    }

    /// The value that a number or a variable stands for, as code, behind `depth` references. None of what is not a
    /// number.
    pub(super) fn data_code(
        &mut self,
        operand: &Operand,
        ty: &Ty,
        depth: usize,
        span: Extent,
    ) -> Option<Code> {
        let (data, path) = self.data(ty)?;
        let number = match operand {
            Operand::Val(v) => *v,
            Operand::Place(place) if !matches!(self.body.type_at(place), Some(Type::Opaque(_))) => {
                self.load(place.clone(), Type::Int(data.number.to_owned()), span)
            }
            _ => return None,
        };
        let name = format!("__number{}", number.0);
        let word = super::expr::code_at(&name, span);
        let mut value = Code::new(Tokens(code::decoded(
            &word,
            &data,
            (&path, &self.runtime()),
        )));
        value.operands.push((name, number));
        Some(match depth {
            0 => value,
            // what is borrowed is a variable
            depth => value.borrowed(&format!("__value{}", number.0), depth),
        })
    }

    /// What `Default` of a value's type gives.
    pub(super) fn default_of_data(&mut self, ty: &Ty, span: Extent) -> Option<Operand> {
        let (_, path) = self.data(ty)?;
        let value = Code::new(Tokens(code::default_of(&path)));
        Some(Operand::Val(self.verbatim(value, &self.peeled(ty), span)))
    }

    /// `value.into()`, from or to such a value.
    pub(super) fn converted_data(&mut self, value: &Expr, to: &Ty, span: Extent) -> Operand {
        let to = self.peeled(to);
        let path = match self.data(&to) {
            Some((_, path)) => path,
            None => self.type_of_read(&to),
        };
        let code = match self.is_data(&value.ty) {
            true => {
                let from = self.subject(value);
                self.foreign_code(&from, &value.ty, value.span)
            }
            false => {
                let number = self.scalar(value);
                let name = format!("__value{}", number.0);
                let mut code = Code::new(Tokens(super::expr::code_at(&name, span)));
                code.operands.push((name, number));
                Some(code)
            }
        };
        match code.map(|code| code.map(|value| code::into(&path, &value))) {
            Some(code) if self.is_data(&to) => Operand::Passive(code),
            Some(code) => Operand::Val(self.verbatim(code, &to, span)),
            None => Operand::Val(self.no_val(span)),
        }
    }

    /// The number of the value in a place.
    pub(super) fn number_in(&mut self, place: Place, ty: &Ty, span: Extent) -> Val {
        let at = match place.path.is_empty() {
            true => place.root,
            false => self.view(place, false, TEMPORARY, ty, span),
        };
        let name = format!("__place{}", at.0);
        let mut code = Code::new(Tokens(super::expr::code_at(&name, span)));
        code.places.push((name, at));
        self.verbatim(code, ty, span)
    }

    /// The type of what the user's code has made: values are what they are.
    pub(super) fn type_in_place(&mut self, ty: &Ty, span: Extent) -> Type {
        match self.types.peel(ty) {
            Ty::Opaque(path) => Type::Opaque(path),
            _ => self.ir_type(ty, span),
        }
    }

    /// A list that is kept in another form than the one that it has in the user's code.
    pub(super) fn as_list(&mut self, place: &Place, ty: &Ty, span: Extent) -> Option<Code> {
        self.rows_as_list(place)
            .or_else(|| self.listed_values(place, ty, span))
    }

    /// A list of numbers, or of tuples of them, as one of the values that they stand for, which code of the user's and
    /// callees read. None of other places.
    pub(super) fn listed_values(&mut self, place: &Place, ty: &Ty, span: Extent) -> Option<Code> {
        let (numbers, of) = self.list_of_numbers(place, ty)?;
        let at = match place.path.is_empty() {
            true => place.root,
            false => self.view(place.clone(), false, TEMPORARY, ty, span),
        };
        let name = format!("__numbers{}", at.0);
        let decoded = |word: &TokenStream| self.decoded(word, &of).unwrap_or_default();
        let list = super::expr::code_at(&name, span);
        let mut values = Code::new(Tokens(listed(&list, &numbers, 0, &decoded)));
        values.places.push((name, at));
        Some(values)
    }

    /// The type of such a list, and that of the values that its elements stand for.
    fn list_of_numbers(&self, place: &Place, ty: &Ty) -> Option<(Type, Ty)> {
        let mut of = self.peeled(ty);
        while let Ty::Array(elem, _) | Ty::Slice(elem) | Ty::Vec(elem) = of {
            of = self.peeled(&elem);
        }
        let numbers = self.body.type_at(place)?;
        let is_list = match numbers.leaf() {
            Type::Int(_) => numbers.element().is_some() && self.is_data(&of),
            Type::Struct(_) => {
                let is_list = matches!(numbers, Type::Slice(_) | Type::Vec(_));
                is_list && numbers.is_constant_list() && matches!(of, Ty::Tuple(_))
            }
            _ => false,
        };
        (is_list && self.decoded(&TokenStream::new(), &of).is_some()).then_some((numbers, of))
    }

    /// The value that a number, or a tuple of numbers, stands for. None of what is differentiated.
    fn decoded(&self, word: &TokenStream, of: &Ty) -> Option<TokenStream> {
        if let Some((data, path)) = self.data(of) {
            return Some(code::decoded(word, &data, (&path, &self.runtime())));
        }
        match self.peeled(of) {
            Ty::Int(_) | Ty::Bool => Some(word.clone()),
            Ty::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(k, of)| self.decoded(&code::part(word, k), of));
                Some(code::tuple(&parts.collect::<Option<Vec<_>>>()?))
            }
            _ => None,
        }
    }

    /// Reports a list of numbers that a callee would change.
    pub(super) fn check_changed(&self, place: &Place, ty: &Ty, span: Extent) {
        if let Some((_, of)) = self.list_of_numbers(place, ty)
            && let Some((_, path)) = data_of(&of)
        {
            self.cx
                .error_about(span, &error::LOCAL_TYPE, format!("&mut [{path}]"));
        }
    }

    /// How many references a type has.
    pub(super) fn depth(&self, ty: &Ty) -> usize {
        match self.types.shallow(ty) {
            Ty::Ref(_, of) => 1 + self.depth(&of),
            _ => 0,
        }
    }

    /// The same as [`Builder::data_code`] of what may be code already.
    pub(super) fn as_data(&mut self, operand: Operand, ty: &Ty, span: Extent) -> Operand {
        let depth = self.depth(ty);
        match self.data_code(&operand, ty, depth, span) {
            Some(code) => Operand::Passive(code),
            None => operand,
        }
    }

    /// A value as variables and lists keep it.
    pub(super) fn value(&mut self, e: &Expr) -> Operand {
        let value = self.eval(e);
        self.with_numbers(value, &e.ty, e.span)
    }

    /// Numbers in the place of what is without floats in a value.
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
            (Operand::Passive(code), ty) if self.is_data(ty) => {
                Operand::Val(self.verbatim(code, ty, span))
            }
            (value, _) => value,
        }
    }

    /// A value for a field of a struct, which is of the type itself.
    pub(super) fn of_field(
        &mut self,
        field: &Place,
        value: Operand,
        ty: &Ty,
        span: Extent,
    ) -> Operand {
        let (Some(Type::Opaque(path)), Some((data, _))) = (self.body.type_at(field), self.data(ty))
        else {
            return value;
        };
        let value = match value {
            Operand::Place(from) => {
                let number = Type::Int(data.number.to_owned());
                Operand::Val(self.load(from, number, span))
            }
            value => value,
        };
        match self.as_data(value, ty, span) {
            Operand::Passive(code) => Operand::Val(self.opaque(code, &Ty::Opaque(path), span)),
            value => value,
        }
    }

    /// Whether a number is that of one of the variants in a pattern; None if some variant has data.
    pub(super) fn is_one_of(
        &mut self,
        v: Val,
        pat: &TokenStream,
        ty: &Ty,
        span: Extent,
    ) -> Option<Val> {
        let (data, _) = self.data(ty)?;
        let names = data.plain_variants()?;
        let numbers: Option<Vec<usize>> = alternatives(pat)
            .iter()
            .map(|alternative| {
                names
                    .iter()
                    .position(|name| alternative.as_deref() == Some(*name))
            })
            .collect();
        let mut all = None;
        for k in numbers? {
            let ty = Type::Int(data.number.to_owned());
            let number = self.let_op(ty, Op::Lit(Lit::Int(k as i128)), span);
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

/// The values of a list of numbers, also of a list of such lists.
fn listed(
    list: &TokenStream,
    ty: &Type,
    depth: usize,
    decoded: &impl Fn(&TokenStream) -> TokenStream,
) -> TokenStream {
    let (is_array, of) = match ty {
        Type::Array(of, _) => (true, of),
        Type::Slice(of) | Type::Vec(of) => (false, of),
        _ => return decoded(list),
    };
    let number = TokenStream::from(TokenTree::Ident(code::name_of(&format!("__number{depth}"))));
    let value = listed(&number, of, depth + 1, decoded);
    code::each_of(list, is_array, &number, &value)
}
