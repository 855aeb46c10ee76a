//! Calls to other differentiable functions, and passive code.

use super::rows::nested;
use super::sequence::element;
use super::structs::is_plain;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{
    Arg, Call, Init, LENT_NUMBER, Leaf, Place, PlaceId, PlaceKind, Proj, Stmt, TEMPORARY, Tokens,
    Tree, Type,
};
use crate::lower::code;
use crate::lower::environment::replaced;
use crate::lower::hir::{Expr, Kind};
use crate::lower::stored::is_stored;
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

/// A number that is borrowed by `&mut`, and the array of one that the callee sees.
pub(super) struct Borrowed {
    number: Place,
    array: PlaceId,
}

impl Builder<'_> {
    pub(super) fn call(
        &mut self,
        callee: &Tokens,
        instance: Option<&Tokens>,
        args: &[Expr],
        constants: &[bool],
        e: &Expr,
    ) -> Operand {
        let (mut numbers, mut found, mut lasting) = (Vec::new(), Vec::new(), Vec::new());
        for (k, a) in args.iter().enumerate() {
            let is_constant = constants.get(k).is_some_and(|is| *is);
            let mut parts = self.args(a, is_constant, &mut numbers);
            self.copy_before(&args[k + 1..], &mut parts, a.span);
            for arg in parts {
                if is_constant {
                    lasting.push(found.len());
                }
                match is_constant && self.are_constant_rows(&arg) {
                    true => found.push(arg),
                    false if is_constant && self.are_own_rows(&arg) => {
                        self.cx
                            .error_about(a.span, &error::CONSTANT_ROWS_MADE, &callee.0);
                        found.push(arg);
                    }
                    false => found.extend(self.with_rows(arg, a.span)),
                }
            }
        }
        let mut args = found;
        for arg in &args {
            if let Arg::Ref(place) | Arg::Place(place) = arg
                && self.body.is_opaque(place)
                && self.body.place(self.way(place).0).ty.is_structs()
                && !self.is_lasting_part(place)
            {
                let about = format!("an argument of `{}`", callee.0);
                self.cx.error_about(e.span, &error::CONSTANT_ACTIVE, about);
            }
        }
        // parts of structs that others have made
        for arg in &args {
            if let Arg::Ref(place) | Arg::Mut(place) | Arg::Place(place) = arg
                && let Some(ty @ Type::Struct(_)) = self.body.type_at(place)
            {
                self.note_vectors(&ty);
            }
        }
        self.copy_structs(&mut args, e.span);
        self.share_structs(&mut args);
        self.check_stores(&args, e.span);
        let ty = self.solved(&e.ty);
        let Some((result, operand)) = self.call_result(&ty, e.span) else {
            self.cx.error(e.span, &error::UNKNOWN_CALL_RESULT);
            return Operand::unit();
        };
        let instance = instance.map(|lengths| self.types.with_lengths(lengths));
        if instance.as_ref().is_some_and(|i| self.types.has_open_in(i)) {
            self.cx.error(e.span, &error::UNKNOWN_CALL_RESULT);
        }
        self.push(Stmt::Call(Call {
            callee: self.of_any_length(self.types.with_lengths(callee)),
            instance,
            target: None,
            args,
            constants: lasting,
            result,
        }));
        for Borrowed { number, array } in numbers {
            let zero = self.lit_usize(0, e.span);
            let new = self.load(element(&root(array), zero), Type::Float, e.span);
            self.push(Stmt::Store(number, new));
        }
        self.with_lists(operand, e.span)
    }

    /// A method's handle with no lengths of the function: what is common to all is that of any, and generic constants
    /// have no place in the lengths of arrays.
    fn of_any_length(&self, callee: Tokens) -> Tokens {
        if self.lengths.is_empty() || !callee.0.to_string().starts_with('<') {
            return callee;
        }
        Tokens(replaced(callee.0, &|name| {
            let known = self.lengths.iter().any(|of| of == name);
            known.then(code::any_length)
        }))
    }

    /// `&mut s` of a number: an array of one goes to the callee, and comes back.
    fn borrowed_number(&mut self, e: &Expr, numbers: &mut Vec<Borrowed>) -> Arg {
        let Operand::Place(number) = self.eval(e) else {
            if self.is_live() {
                self.cx.mismatch();
            }
            return Arg::Value(self.no_val(e.span));
        };
        self.borrowed_place(number, numbers, e.span)
    }

    pub(super) fn borrowed_place(
        &mut self,
        number: Place,
        numbers: &mut Vec<Borrowed>,
        span: Extent,
    ) -> Arg {
        let old = self.load(number.clone(), Type::Float, span);
        let array = self.declare(one_float(), LENT_NUMBER, span, Init::List(vec![old]));
        self.written.insert(array);
        numbers.push(Borrowed { number, array });
        Arg::Mut(root(array))
    }

    /// `p.f(p)`: what goes by value is copied before anything is borrowed.
    fn copy_structs(&mut self, args: &mut [Arg], span: Extent) {
        for k in 0..args.len() {
            let Arg::Place(place) = &args[k] else {
                continue;
            };
            let (root_of, _) = self.way(place);
            let borrowed = args
                .iter()
                .any(|a| matches!(a, Arg::Mut(p) if self.way(p).0 == root_of));
            if borrowed {
                self.copy_value(&mut args[k], span);
            }
        }
    }

    /// `f(s, { s[0] = 2.0; x })`: what goes by value is copied before what comes later may change it.
    pub(super) fn copy_before(&mut self, later: &[Expr], args: &mut [Arg], span: Extent) {
        if !later.iter().all(is_plain) {
            let named = |arg: &&mut Arg| matches!(arg, Arg::Place(p) if !self.is_unnamed(p.root));
            let named: Vec<&mut Arg> = args.iter_mut().filter(named).collect();
            for arg in named {
                self.copy_value(arg, span);
            }
        }
    }

    /// Copies a struct or an array that goes by value.
    fn copy_value(&mut self, arg: &mut Arg, span: Extent) {
        let Arg::Place(of) = arg else { return };
        let ty = self.body.type_at(of);
        if let Some(ty) = ty.filter(|t| t.is_structs() || matches!(t, Type::Array(..))) {
            let of = of.clone();
            if self.list_type(&ty).is_some() {
                let list = root(self.declare(ty, TEMPORARY, span, Init::CopyOf(of)));
                *arg = Arg::Place(self.vector_in(list));
                return;
            }
            let copy = self
                .body
                .new_place(ty, TEMPORARY, PlaceKind::Local, span.start);
            self.note_home(copy);
            self.push(Stmt::Declare(copy, Init::CopyOf(of)));
            *arg = Arg::Place(root(copy));
        }
    }

    /// Whether this is a constant in a struct that is borrowed, and so stays what it is.
    pub(super) fn is_lasting_part(&self, place: &Place) -> bool {
        let root = self.body.place(self.way(place).0);
        self.body.is_opaque(place) && matches!(root.kind, PlaceKind::SharedParam(_))
    }

    /// Whether a path goes into fields alone.
    pub(super) fn is_in_fields(&self, place: &Place) -> bool {
        let is_field = |step: &Proj| matches!(step, Proj::Field(..));
        self.way(place).1.iter().all(is_field)
    }

    /// A value without floats in an element of a list of structs, which is read now.
    fn element_code(
        &mut self,
        place: &Place,
        ty: &Ty,
        span: Extent,
    ) -> Option<super::passive::Code> {
        if !self.is_data(ty) || self.is_in_fields(place) {
            return None;
        }
        let number = self.scalar_type(ty, span);
        let number = self.load(place.clone(), number, span);
        self.data_code(&Operand::Val(number), ty, 0, span)
    }

    /// The variable that a place is in, and the way there, also through views.
    pub(super) fn way(&self, place: &Place) -> (PlaceId, Vec<Proj>) {
        let (mut root, mut path) = (place.root, place.path.clone());
        while let Some(of) = self.views.get(&root) {
            path.splice(0..0, of.path.iter().cloned());
            root = of.root;
        }
        (root, path)
    }

    /// A struct behind `&mut` that another argument overlaps with is only read, rustc says.
    fn share_structs(&self, args: &mut [Arg]) {
        let borrowed: Vec<_> = args
            .iter()
            .map(|a| match a {
                Arg::Ref(p) | Arg::Mut(p) => Some(self.way(p)),
                Arg::Value(_) | Arg::Place(_) | Arg::Verbatim { .. } => None,
            })
            .collect();
        let others: Vec<_> = args
            .iter()
            .map(|a| match a {
                Arg::Ref(p) | Arg::Mut(p) => Some(p.clone()),
                Arg::Value(_) | Arg::Place(_) | Arg::Verbatim { .. } => None,
            })
            .collect();
        for (k, arg) in args.iter_mut().enumerate() {
            let (Arg::Mut(place), Some((root, own))) = (&*arg, &borrowed[k]) else {
                continue;
            };
            let overlaps = borrowed.iter().enumerate().any(|(j, other)| {
                other.as_ref().is_some_and(|(at, path)| {
                    j != k && at == root && (own.starts_with(path) || path.starts_with(own))
                })
            });
            // nor could both be borrowed out of one sequence, whatever their indices are
            let overlaps = overlaps
                || others.iter().enumerate().any(|(j, other)| {
                    let other = other.as_ref().filter(|p| j != k && p.root == place.root);
                    other.is_some_and(|p| part_at_an_index(&place.path, &p.path))
                });
            if overlaps && self.body.place(*root).ty.is_structs() {
                *arg = Arg::Ref(place.clone());
            }
        }
    }

    fn call_result(&mut self, ty: &Ty, span: Extent) -> Option<(Tree<Leaf>, Operand)> {
        match ty {
            Ty::Tuple(ts) => {
                let (mut trees, mut operands) = (Vec::new(), Vec::new());
                for t in ts {
                    // a component that nobody uses: it may be anything
                    let unit = Ty::unit();
                    let t = if matches!(t, Ty::Var(_)) { &unit } else { t };
                    let (tree, operand) = self.call_result(t, span)?;
                    trees.push(tree);
                    operands.push(operand);
                }
                Some((Tree::Tuple(trees), Operand::Tuple(operands)))
            }
            Ty::Float | Ty::Int(_) | Ty::Bool => {
                let v = self.body.new_val(to_ir(ty, self.float)?, None, span.start);
                Some((Tree::Leaf(Leaf::Val(v)), Operand::Val(v)))
            }
            Ty::Array(..) | Ty::Vec(_) | Ty::Struct(_) => {
                let ir = to_ir(ty, self.float)?;
                if let Some(elem) = nested(&ir) {
                    return Some(self.called_rows(elem.clone(), span));
                }
                self.check_storage(&ir, span);
                self.note_vectors(&ir);
                let place = self
                    .body
                    .new_place(ir, TEMPORARY, PlaceKind::Local, span.start);
                self.note_home(place);
                Some((Tree::Leaf(Leaf::Place(place)), Operand::Place(root(place))))
            }
            Ty::Var(_)
            | Ty::Sum(_)
            | Ty::Bundle(..)
            | Ty::Ref(..)
            | Ty::Slice(_)
            | Ty::Opaque(_) => None,
        }
    }

    pub(super) fn arg(&mut self, e: &Expr, is_constant: bool, numbers: &mut Vec<Borrowed>) -> Arg {
        if let Kind::Receiver(of) = &e.kind {
            // what came after the method showed that it is a number; the method may write to a variable
            let number = matches!(self.solved(&self.types.peel(&of.ty)), Ty::Float);
            if number && !self.can_change(of) {
                return Arg::Value(self.scalar(of));
            }
            return self.receiver(of);
        }
        let ty = self.solved(&e.ty);
        if let Some(code) = self.passive_arg(e, is_constant, &ty) {
            return code;
        }
        if self.is_data(&ty) {
            let at = self.subject(e);
            return match self.as_data(at, &e.ty, e.span) {
                Operand::Passive(code) => code.arg(),
                _ if matches!(ty, Ty::Ref(..)) => Arg::Ref(self.place(e)),
                _ => Arg::Place(self.place(e)),
            };
        }
        match &ty {
            Ty::Float | Ty::Int(_) | Ty::Bool => Arg::Value(self.scalar(e)),
            // `&h(x)`: an array or vector, most likely, but of which kind?
            Ty::Ref(_, inner)
                if self.is_unresolved_call(&e.ty)
                    && (is_call(e) || !matches!(self.solved(inner), Ty::Struct(_))) =>
            {
                self.cx.error(e.span, &error::UNKNOWN_ARGUMENT);
                Arg::Value(self.no_val(e.span))
            }
            Ty::Ref(mutable, inner) => match self.solved(inner) {
                Ty::Float if *mutable => self.borrowed_number(e, numbers),
                Ty::Int(_) | Ty::Bool if *mutable => {
                    self.cx.error(e.span, &error::SCALAR_REFERENCE);
                    Arg::Value(self.no_val(e.span))
                }
                // it does not change while it is borrowed
                Ty::Float | Ty::Int(_) | Ty::Bool => Arg::Value(self.scalar(e)),
                Ty::Tuple(_) => {
                    self.cx.error(e.span, &error::TUPLE_ARGUMENT);
                    Arg::Value(self.no_val(e.span))
                }
                _ => {
                    let place = self.place(e);
                    if !mutable && let Some(list) = self.listed_values(&place, inner, e.span) {
                        return list.wrapped("&").arg();
                    }
                    if *mutable {
                        self.check_changed(&place, inner, e.span);
                        // rustc says that it cannot be borrowed like that
                        if let PlaceKind::SharedParam(_) = self.body.place(place.root).kind {
                            self.cx.certain_mismatch();
                        }
                        Arg::Mut(place)
                    } else {
                        Arg::Ref(place)
                    }
                }
            },
            Ty::Array(..) | Ty::Struct(_) if self.is_place(e) => {
                let place = self.place(e);
                match self.listed_values(&place, &ty, e.span) {
                    Some(list) => list.arg(),
                    None => Arg::Place(place),
                }
            }
            // the storage goes to the callee
            Ty::Vec(_) if self.is_place(e) => {
                let place = self.place(e);
                if let Some(list) = self.listed_values(&place, &ty, e.span) {
                    return list.arg();
                }
                if self.holds_lengths(&place) {
                    return Arg::Place(place);
                }
                Arg::Place(root(self.copy_or_move(place, &ty, TEMPORARY, e.span)))
            }
            Ty::Array(..) | Ty::Vec(_) | Ty::Struct(_) => {
                let made = root(self.make(e, TEMPORARY));
                match self.listed_values(&made, &ty, e.span) {
                    Some(list) => list.arg(),
                    None => Arg::Place(self.vector_in(made)),
                }
            }
            Ty::Tuple(_) | Ty::Sum(_) | Ty::Bundle(..) => {
                self.cx.error(e.span, &error::TUPLE_ARGUMENT);
                Arg::Value(self.no_val(e.span))
            }
            Ty::Opaque(_) => {
                let place = self.place(e);
                match self.element_code(&place, &ty, e.span) {
                    Some(code) => code.arg(),
                    None => Arg::Place(place),
                }
            }
            Ty::Var(_) | Ty::Slice(_) => {
                if !matches!(e.kind, Kind::Refused) {
                    self.cx.error(e.span, &error::UNKNOWN_ARGUMENT);
                }
                Arg::Value(self.no_val(e.span))
            }
        }
    }

    /// The receiver of a method that is not seen: by `&mut` if that is possible, which serves all
    /// kinds of `self`.
    fn receiver(&mut self, e: &Expr) -> Arg {
        if !self.is_place(e) {
            return Arg::Ref(root(self.make(e, TEMPORARY)));
        }
        let place = self.place(e);
        if self.can_change(e) {
            Arg::Mut(place)
        } else {
            Arg::Ref(place)
        }
    }

    /// Whether a place may be borrowed by `&mut`.
    fn can_change(&self, e: &Expr) -> bool {
        if let Ty::Ref(mutable, _) = self.types.shallow(&e.ty) {
            return mutable;
        }
        match &e.kind {
            Kind::Local(local) => self.locals[local.0].mutable,
            Kind::Deref(of) | Kind::Index(of, _) | Kind::Field(of, _) | Kind::TupleField(of, _) => {
                self.can_change(of)
            }
            Kind::Range { base, .. } => self.can_change(base),
            Kind::Ref(mutable, _) => *mutable,
            _ => false,
        }
    }

    /// Whether nothing determines the result of a call.
    fn is_unresolved_call(&self, ty: &Ty) -> bool {
        let traits = self.types.traits(&self.types.peel(ty));
        traits.is_some_and(|t| t.callee && !t.integer)
    }

    /// An argument that the compiler does not look into: passive code of a type that is no scalar.
    fn passive_arg(&mut self, e: &Expr, is_constant: bool, ty: &Ty) -> Option<Arg> {
        let (inner, reference) = match &e.kind {
            Kind::Ref(false, inner) => (&**inner, true),
            _ => (e, false),
        };
        if self.is_number(&inner.ty) && !reference {
            return None;
        }
        if let Kind::Passive(p) = &inner.kind {
            // a bare constant of unknown type could be a float that the callee differentiates
            if p.locals.is_empty()
                && !reference
                && !is_constant
                && !is_literal(&p.tokens)
                && !is_of_a_type(&p.tokens)
                && matches!(ty, Ty::Var(_))
            {
                return None;
            }
        }
        let lifted = matches!(&inner.kind, Kind::Passive(p) if p.lifted);
        let code = self.passive_sequence(inner)?;
        // floats are lifted where the callee differentiates them
        let known = match self.peeled(&inner.ty) {
            Ty::Slice(t) => Ty::Vec(t),
            other => other,
        };
        let floats = to_ir(&known, self.float).is_some_and(|t| match t.leaf() {
            Type::Float => !t.is_scalar(),
            Type::Struct(path) => lifted && is_stored(path),
            _ => false,
        });
        // what goes to a constant stays as it is, but in code that is generic over the float
        if floats && !(is_constant && self.body.generic.is_none()) {
            let copy = root(self.copy_passive(code, &known, TEMPORARY, e.span));
            return Some(if reference || matches!(ty, Ty::Ref(..)) {
                Arg::Ref(copy)
            } else {
                Arg::Place(copy)
            });
        }
        let code = if reference { code.wrapped("&") } else { code };
        // in the place of which type the code stands is not known
        let tokens = code.joined();
        if self.body.generic.is_some() && !is_literal(&tokens) {
            self.cx.error(e.span, &error::UNKNOWN_PASSIVE);
        }
        Some(code.arg())
    }
}

/// What stands for a number behind `&mut`.
pub(crate) fn one_float() -> Type {
    let one = proc_macro2::Literal::usize_unsuffixed(1);
    let one = proc_macro2::TokenTree::from(one);
    Type::Array(Box::new(Type::Float), Tokens(one.into()))
}

/// Whether two paths are alike up to a step by which one goes into a sequence.
fn part_at_an_index(a: &[Proj], b: &[Proj]) -> bool {
    let differ = a.iter().zip(b).find(|(a, b)| a != b);
    differ.is_some_and(|(a, b)| !matches!((a, b), (Proj::Field(..), Proj::Field(..))))
}

fn is_literal(tokens: &Tokens) -> bool {
    let mut trees = tokens.0.clone().into_iter();
    matches!(
        (trees.next(), trees.next()),
        (Some(proc_macro2::TokenTree::Literal(_)), None)
    )
}

/// A path to a struct without fields, or to a variant, by its spelling: `Square`, `Kind::Flat`. Those of constants
/// have no small letters.
fn is_of_a_type(tokens: &Tokens) -> bool {
    let mut last = None;
    for tree in tokens.0.clone() {
        match tree {
            proc_macro2::TokenTree::Ident(name) => last = Some(name.to_string()),
            proc_macro2::TokenTree::Punct(p) if p.as_char() == ':' => {}
            _ => return false,
        }
    }
    last.is_some_and(|name| {
        name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
    })
}

/// `&h(x)`
fn is_call(e: &Expr) -> bool {
    match &e.kind {
        Kind::Ref(_, inner) => is_call(inner),
        Kind::Call { .. } => true,
        _ => false,
    }
}
