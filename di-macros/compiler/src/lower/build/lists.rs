//! Lists whose elements have lengths of their own: structs, tuples and structs that borrow, with vectors in them. A
//! list is the field of a struct that stands for it, so that lengths go where those of structs go; elements move with
//! their storage, and none is copied where Rust moves it.

use super::sequence::{element, part_of};
use super::{Builder, Operand, nested, root};
use crate::ir::{BinOp, Init, Part, Place, PlaceId, Proj, Stmt, Storage, TEMPORARY, Type, Val};
use crate::lower::stored::{inside, whole_type};
use crate::lower::ty::{Ty, from_ir, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    /// The struct that stands for a list of this type, if its elements have lengths. Vectors of vectors of numbers are rows.
    pub(super) fn list_type(&mut self, ty: &Type) -> Option<Type> {
        let (Type::Vec(elem) | Type::Array(elem, _)) = ty else {
            return None;
        };
        let is_list = match &**elem {
            Type::Vec(_) => {
                nested(ty).is_none() && matches!(ty.leaf(), Type::Float | Type::Struct(_))
            }
            elem => self.has_lengths(elem),
        };
        is_list.then(|| whole_type(&from_ir(ty), self.float))?
    }

    /// Whether this is the type of a struct that stands for a list.
    fn is_list(&mut self, ty: &Type) -> bool {
        let Type::Struct(path) = ty else { return false };
        let vector = inside(path).and_then(|ty| to_ir(&ty, self.float));
        vector.is_some_and(|ty| self.list_type(&ty).is_some())
    }

    /// The variable that stands for the list which this path leads to; other places stay what they are.
    pub(super) fn whole_list(&mut self, at: Place) -> Place {
        let ty = self.body.place(at.root).ty.clone();
        match &at.path[..] {
            [Proj::Field(..)] if self.is_list(&ty) => root(at.root),
            _ => at,
        }
    }

    /// A list begins.
    pub(super) fn declare_list(
        &mut self,
        whole: Type,
        hint: &str,
        span: Extent,
        init: Init,
    ) -> PlaceId {
        let init = match init {
            Init::MoveOf(src) if self.is_list(&self.body.place(src).ty.clone()) => {
                Init::MoveOf(src)
            }
            Init::CopyOf(src) => {
                let src = self.vector_in(src);
                match self.body.type_at(&src) {
                    Some(Type::Array(..)) => Init::CopyOf(src),
                    Some(Type::Vec(_)) => Init::Struct {
                        fields: vec![("0".to_owned(), Part::Place(src))],
                        base: None,
                    },
                    _ => {
                        let (list, at, elem) = self.empty_list(whole, hint, span);
                        self.extend(&at, src, &elem, span);
                        return list;
                    }
                }
            }
            Init::MoveOf(src) => {
                let (list, ..) = self.empty_list(whole, hint, span);
                self.exchange_storage(list, src);
                return list;
            }
            Init::VecFill(_, n) | Init::ZeroLen(n) => {
                let (list, at, elem) = self.empty_list(whole, hint, span);
                self.resize(&at, n, &elem, span);
                return list;
            }
            Init::List(elems) if elems.is_empty() => Init::Zero,
            Init::Zero | Init::None => Init::Zero,
            _ => {
                self.cx.mismatch();
                Init::Zero
            }
        };
        self.declare_plain(whole, hint, span, init)
    }

    /// A list without elements, its vector, and their type.
    fn empty_list(&mut self, whole: Type, hint: &str, span: Extent) -> (PlaceId, Place, Type) {
        let list = self.declare_plain(whole, hint, span, Init::Zero);
        let at = self.vector_in(root(list));
        let elem = self.element_type(&at, span);
        (list, at, elem)
    }

    /// A vector that begins as a list of another type than its own: of one struct with two names, one is known to have no
    /// vectors.
    pub(super) fn declare_from_list(
        &mut self,
        ty: &Type,
        hint: &str,
        span: Extent,
        init: &Init,
    ) -> Option<PlaceId> {
        let src = match init {
            Init::CopyOf(src) => src.clone(),
            Init::MoveOf(src) => root(*src),
            _ => return None,
        };
        let of = self.body.type_at(&src)?;
        if !matches!(ty, Type::Vec(_) | Type::Array(..)) || !self.is_list(&of) {
            return None;
        }
        let src = self.vector_in(src);
        Some(self.declare_plain(ty.clone(), hint, span, Init::CopyOf(src)))
    }

    /// The result of a call, whose vectors of what has lengths become lists.
    pub(super) fn with_lists(&mut self, operand: Operand, span: Extent) -> Operand {
        match operand {
            Operand::Tuple(parts) => {
                let parts = parts.into_iter();
                Operand::Tuple(parts.map(|p| self.with_lists(p, span)).collect())
            }
            Operand::Place(at) => {
                let ty = self.body.place(at.root).ty.clone();
                match self.list_type(&ty) {
                    Some(_) => {
                        let init = Init::MoveOf(at.root);
                        Operand::Place(root(self.declare(ty, TEMPORARY, span, init)))
                    }
                    None => Operand::Place(at),
                }
            }
            operand => operand,
        }
    }

    /// A list that is returned: its vector.
    pub(super) fn returned_list(&mut self, list: PlaceId, ty: &Type, span: Extent) -> PlaceId {
        let of = self.body.place(list).ty.clone();
        if !matches!(ty, Type::Vec(_) | Type::Array(..)) || !self.is_list(&of) {
            return list;
        }
        let none = self.lit_usize(0, span);
        let init = self.blank_init(ty, Some(none), span);
        let result = self.declare_plain(ty.clone(), "result", span, init);
        self.exchange_storage(result, list);
        result
    }

    /// An element, taken out of its list: an empty one stays there.
    pub(super) fn taken_out(&mut self, at: Place, elem: &Type, span: Extent) -> PlaceId {
        let taken = self.declare(elem.clone(), TEMPORARY, span, Init::Zero);
        self.written.insert(taken);
        self.push(Stmt::Storage(Storage::Swap(taken.into(), at)));
        taken
    }

    /// Takes out what is behind the first `n`, before the list becomes shorter.
    pub(super) fn empty_from(&mut self, list: &Place, n: Val, elem: &Type, span: Extent) {
        if !self.holds_lengths(list) {
            return;
        }
        let len = self.len(list.clone(), span);
        let usize = Type::usize();
        let rest = self.int_op("saturating_sub", &[len, n], usize, span);
        self.counted(rest, span, |b, k| {
            let i = b.int_bin(BinOp::Add, n, k, span);
            b.taken_out(element(list, i), elem, span);
        });
    }

    /// A value that is stored more than once: a copy of what has lengths.
    fn copied_value(&mut self, value: Operand, ty: &Ty, span: Extent) -> Operand {
        match (value, ty) {
            (Operand::Tuple(parts), Ty::Tuple(ts)) if parts.len() == ts.len() => {
                let parts = parts.into_iter().zip(ts);
                Operand::Tuple(parts.map(|(p, t)| self.copied_value(p, t, span)).collect())
            }
            (Operand::Place(at), Ty::Vec(_) | Ty::Struct(_)) => {
                let ty = self.ir_type(ty, span);
                if !self.body.has_lengths(&ty) {
                    return Operand::Place(at);
                }
                Operand::Place(root(self.declare(ty, TEMPORARY, span, Init::CopyOf(at))))
            }
            (value, _) => value,
        }
    }

    /// Whether elements of a sequence have lengths of their own, which move with them.
    pub(super) fn holds_lengths(&mut self, list: &Place) -> bool {
        let ty = self.body.type_at(list);
        let Some(elem) = ty.as_ref().and_then(Type::element).cloned() else {
            return false;
        };
        let is_in_struct = matches!(self.body.place(list.root).ty, Type::Struct(_));
        self.has_lengths(&elem) || is_in_struct && self.may_have_lengths(&elem)
    }

    /// The same of an element.
    pub(super) fn is_moved_element(&mut self, at: &Place) -> bool {
        let mut list = at.clone();
        matches!(list.path.pop(), Some(Proj::Index(_))) && self.holds_lengths(&list)
    }

    /// An element of a view, as one of the list that the view is of.
    pub(super) fn owned_element(&mut self, at: Place, span: Extent) -> Place {
        if !self.views.contains_key(&at.root) {
            return at;
        }
        if let Some(Proj::Index(i)) = at.path.last() {
            let mut within = at.clone();
            let one = self.lit_usize(1, span);
            let next = self.int_bin(BinOp::Add, *i, one, span);
            within.path.pop();
            // panics if there is no such element
            self.len(part_of(&within, *i, next), span);
        }
        self.without_views(at, span)
    }

    /// A value to be stored in each element of a list.
    pub(super) fn again(&mut self, list: &Place, value: Operand, ty: &Ty, span: Extent) -> Operand {
        match self.holds_lengths(list) {
            true => self.copied_value(value, ty, span),
            false => value,
        }
    }
}
