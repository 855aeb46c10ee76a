//! What methods of std's collections give, and what they take.

use super::super::Reader;
use super::super::effect::is_write;
use super::super::expr::{as_method, as_path, strip};
use super::super::grouped::names_in;
use crate::lower::methods::Method;
use crate::lower::state::{Shape, is_state};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk;
use proc_macro2::{Ident, Span};

impl Reader<'_> {
    /// The type of code on state; `None` of code that is none, or that is on what was read of state.
    pub(super) fn type_on_state(&mut self, e: &syn::Expr) -> Option<Ty> {
        match strip(e) {
            syn::Expr::Path(_) => {
                let local = self.state_local(e)?;
                Some(self.locals[local.0].ty.clone())
            }
            syn::Expr::MethodCall(m) if self.as_text(m).is_some() => {
                Some(self.state_of(Shape::Text, "String"))
            }
            syn::Expr::MethodCall(m) => {
                if let Some(number) = self.parsed(m) {
                    return Some(number);
                }
                let of = self.type_on_state(&m.receiver)?;
                if !is_state(&of, &self.types) {
                    return None;
                }
                Some(match self.shape(&of) {
                    Some(Shape::List(_) | Shape::Set(_))
                        if m.method == "retain"
                            && m.args.iter().any(|arg| self.is_active_closure(arg)) =>
                    {
                        return None;
                    }
                    // what is differentiated goes on with the items
                    Some(Shape::Items(_))
                        if m.args.iter().any(|arg| self.is_active_closure(arg)) =>
                    {
                        return None;
                    }
                    Some(shape) => self.result(&of, shape, m),
                    // an option of state
                    None => self.of_option(&of, m),
                })
            }
            syn::Expr::Index(i) => {
                let of = self.type_on_state(&i.expr)?;
                let is_range = matches!(strip(&i.index), syn::Expr::Range(_));
                match self.shape(&of)? {
                    Shape::List(_) | Shape::Text if is_range => Some(self.types.peel(&of)),
                    Shape::List(of) | Shape::Map(_, of) => Some(of),
                    _ => Some(self.unknown_state("state")),
                }
            }
            syn::Expr::Field(f) => {
                let of = self.type_on_state(&f.base)?;
                if let Ty::Tuple(parts) = self.types.peel(&of)
                    && let syn::Member::Unnamed(k) = &f.member
                    && is_state(&of, &self.types)
                {
                    return parts.get(k.index as usize).cloned();
                }
                let part = match self.shape(&of)? {
                    Shape::Other(Some(of)) => {
                        let name = super::super::structs::member_name(&f.member);
                        self.part_as_written(&syn::parse2(of.0).ok()?, &name)
                    }
                    _ => None,
                };
                Some(match part {
                    Some(part) => self.state_as_written(&part),
                    None => self.foreign(),
                })
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                let of = self.type_on_state(&u.expr)?;
                match self.types.shallow(&of) {
                    Ty::Ref(mutable, inner) if mutable || is_state(&inner, &self.types) => {
                        Some(*inner)
                    }
                    _ => None,
                }
            }
            syn::Expr::Reference(r) => {
                let of = self.type_on_state(&r.expr)?;
                is_state(&of, &self.types).then(|| Ty::reference(r.mutability.is_some(), of))
            }
            syn::Expr::Call(c) => self.call_on_state(c),
            syn::Expr::Binary(b) => {
                let sides = [&b.left, &b.right].map(|side| self.type_on_state(side));
                let is_state =
                    |ty: &Option<Ty>| ty.as_ref().is_some_and(|ty| is_state(ty, &self.types));
                if !sides.iter().any(is_state) || walk::is_assignment(&b.op) {
                    return None;
                }
                match b.op {
                    syn::BinOp::Eq(_)
                    | syn::BinOp::Ne(_)
                    | syn::BinOp::Lt(_)
                    | syn::BinOp::Le(_)
                    | syn::BinOp::Gt(_)
                    | syn::BinOp::Ge(_) => Some(Ty::Bool),
                    syn::BinOp::And(_) | syn::BinOp::Or(_) => None,
                    _ => sides
                        .into_iter()
                        .flatten()
                        .next()
                        .map(|ty| self.types.peel(&ty)),
                }
            }
            syn::Expr::Macro(m)
                if m.mac.path.is_ident("format") && !self.is_constant_text(&m.mac) =>
            {
                Some(self.state_of(Shape::Text, "String"))
            }
            syn::Expr::Macro(m) if is_write(&m.mac) && self.writes_to_state(&m.mac) => {
                Some(self.unknown_state("Result"))
            }
            _ => None,
        }
    }

    /// Whether a text is written of constants that do not change.
    pub(in crate::lower::read) fn is_constant_text(&self, mac: &syn::Macro) -> bool {
        names_in(mac).iter().all(|name| {
            self.lookup(name).is_none_or(|local| {
                let is_state = self.states.contains(&local) || self.locals[local.0].mutable;
                let name = Ident::new(name, Span::call_site());
                !is_state && !self.may_be_active(&parse_quote!(#name))
            })
        })
    }

    /// `write!(text, "{k}")` of a text that is built.
    pub(in crate::lower::read) fn writes_to_state(&self, mac: &syn::Macro) -> bool {
        let arguments = walk::arguments(mac);
        let first = arguments.as_ref().and_then(|args| args.first());
        first.is_some_and(|to| {
            let to = match strip(to) {
                syn::Expr::Reference(r) => &*r.expr,
                to => to,
            };
            self.state_local(to).is_some()
        })
    }

    fn is_active_closure(&self, arg: &syn::Expr) -> bool {
        matches!(strip(arg), closure @ syn::Expr::Closure(_) if self.may_be_active(closure))
    }

    /// `std::mem::take(&mut open)`, and functions that take state.
    fn call_on_state(&mut self, c: &syn::ExprCall) -> Option<Ty> {
        let mut of = None;
        for arg in &c.args {
            let ty = self
                .type_on_state(arg)
                .filter(|ty| is_state(ty, &self.types));
            of = of.or(ty);
        }
        let of = of?;
        let p = as_path(&c.func)?;
        let name = p.path.segments.last().map(|s| s.ident.to_string());
        let is_of_mem = p
            .path
            .segments
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|s| s.ident == "mem");
        match name.as_deref() {
            Some("take" | "replace") if is_of_mem => Some(self.types.peel(&of)),
            Some("swap" | "drop") => Some(Ty::unit()),
            _ => match &self.plain_function(&p.path)?.signature.output {
                syn::ReturnType::Default => Some(Ty::unit()),
                syn::ReturnType::Type(_, of) => Some(self.state_as_written(of)),
            },
        }
    }

    /// `text.parse().unwrap()`, whose type is inferred from its use.
    fn parsed(&mut self, m: &syn::ExprMethodCall) -> Option<Ty> {
        let parse = as_method(&m.receiver)?;
        let name = m.method.to_string();
        let takes_it = ["unwrap", "expect", "unwrap_or", "unwrap_or_default"].contains(&&*name);
        if parse.method != "parse" || !takes_it {
            return None;
        }
        let of = self.type_on_state(&parse.receiver)?;
        let Some(Shape::Text) = self.shape(&of) else {
            return None;
        };
        Some(match written_result(parse) {
            Some(written) => self.state_as_written(&written),
            None => self.types.fresh(),
        })
    }

    /// `next.unwrap()`, `next.is_some()` of an option of state.
    fn of_option(&mut self, of: &Ty, m: &syn::ExprMethodCall) -> Ty {
        let payload = match self.types.peel(of) {
            Ty::Sum(of) => of.into_iter().next(),
            _ => None,
        };
        match (&*m.method.to_string(), payload) {
            ("is_some" | "is_none", _) => Ty::Bool,
            ("unwrap" | "expect" | "unwrap_or_default", Some(of)) => of,
            ("copied" | "cloned", Some(of)) => Ty::Sum(vec![self.types.peel(&of)]),
            ("as_ref" | "as_mut" | "take", Some(_)) => self.types.peel(of),
            _ => self.unknown_state("state"),
        }
    }

    /// What a method of state gives.
    fn result(&mut self, ty: &Ty, shape: Shape, m: &syn::ExprMethodCall) -> Ty {
        let name = m.method.to_string();
        let shared = |of: Ty| Ty::reference(false, of);
        let some = |of: Ty| Ty::Sum(vec![of]);
        match (&shape, &*name) {
            (Shape::Items(_), _) => {}
            (_, "len" | "capacity") => return Ty::usize(),
            (_, "is_empty" | "contains" | "contains_key" | "starts_with" | "ends_with") => {
                return Ty::Bool;
            }
            (_, "is_subset" | "is_superset" | "is_disjoint") => return Ty::Bool,
            (
                _,
                "clear" | "reserve" | "shrink_to_fit" | "append" | "extend" | "retain" | "truncate"
                | "push_str" | "push_back" | "push_front" | "push" | "rotate_left" | "rotate_right"
                | "sort" | "sort_unstable" | "reverse" | "swap",
            ) => {
                return Ty::unit();
            }
            (_, "clone" | "to_owned") => return self.types.peel(ty),
            (_, "to_string") => return self.state_of(Shape::Text, "String"),
            _ => {}
        }
        match shape {
            Shape::List(of) => match &*name {
                "pop_front" | "pop_back" | "pop" => some(of),
                "front" | "back" | "first" | "last" | "get" => some(shared(of)),
                "front_mut" | "back_mut" | "first_mut" | "last_mut" | "get_mut" => {
                    some(Ty::reference(true, of))
                }
                "remove" | "swap_remove" if self.is_vector(ty) => of,
                "remove" => some(of),
                "insert" => Ty::unit(),
                "iter" => self.state_items(shared(of)),
                "iter_mut" => self.state_items(Ty::reference(true, of)),
                "into_iter" => self.state_items_of(ty, of),
                "drain" => self.state_items(of),
                "split_off" => self.types.peel(ty),
                "binary_search" => self.unknown_state("Result"),
                _ => self.unknown_state("state"),
            },
            Shape::Set(of) => match &*name {
                "insert" | "remove" => Ty::Bool,
                "take" | "pop_first" | "pop_last" | "replace" => some(of),
                "get" | "first" | "last" => some(shared(of)),
                "iter"
                | "range"
                | "union"
                | "intersection"
                | "difference"
                | "symmetric_difference" => self.state_items(shared(of)),
                "into_iter" => self.state_items_of(ty, of),
                "drain" => self.state_items(of),
                _ => self.unknown_state("state"),
            },
            Shape::Heap(of) => match &*name {
                "pop" => some(of),
                "peek" => some(shared(of)),
                "into_sorted_vec" | "into_vec" => self.state_of(Shape::List(of), "Vec"),
                "iter" => self.state_items(shared(of)),
                "into_iter" => self.state_items_of(ty, of),
                "drain" => self.state_items(of),
                _ => self.unknown_state("state"),
            },
            Shape::Map(key, of) => match &*name {
                "insert" | "remove" => some(of),
                "get" => some(shared(of)),
                "get_mut" => some(Ty::reference(true, of)),
                "entry" => self.state_of(Shape::Entry(of), "Entry"),
                "keys" => self.state_items(shared(key)),
                "values" => self.state_items(shared(of)),
                "values_mut" => self.state_items(Ty::reference(true, of)),
                "into_keys" => self.state_items(key),
                "into_values" => self.state_items(of),
                "iter" | "range" => self.state_items(Ty::Tuple(vec![shared(key), shared(of)])),
                "iter_mut" => {
                    self.state_items(Ty::Tuple(vec![shared(key), Ty::reference(true, of)]))
                }
                "into_iter" => match self.types.shallow(ty) {
                    Ty::Ref(mutable, _) => {
                        let of = Ty::reference(mutable, of);
                        self.state_items(Ty::Tuple(vec![shared(key), of]))
                    }
                    _ => self.state_items(Ty::Tuple(vec![key, of])),
                },
                "drain" => self.state_items(Ty::Tuple(vec![key, of])),
                "first_key_value" | "last_key_value" | "get_key_value" => {
                    some(Ty::Tuple(vec![shared(key), shared(of)]))
                }
                "pop_first" | "pop_last" | "remove_entry" => some(Ty::Tuple(vec![key, of])),
                _ => self.unknown_state("state"),
            },
            Shape::Entry(of) => match &*name {
                "and_modify" => self.state_of(Shape::Entry(of), "Entry"),
                "or_insert" | "or_insert_with" | "or_default" | "or_insert_with_key" => {
                    Ty::reference(true, of)
                }
                _ => self.unknown_state("state"),
            },
            Shape::Text => match &*name {
                "as_str" | "trim" | "to_uppercase" | "to_lowercase" | "replace" | "repeat" => {
                    self.state_of(Shape::Text, "String")
                }
                "insert" | "insert_str" => Ty::unit(),
                "bytes" => self.state_items(Ty::Int("u8".to_owned())),
                "find" | "rfind" => some(Ty::usize()),
                _ => self.unknown_state("state"),
            },
            Shape::Items(of) => {
                let of = match (&*name, written_result(m)) {
                    ("sum" | "product", Some(of)) => self.state_as_written(&of),
                    _ => of,
                };
                self.result_of_items(of, &name)
            }
            Shape::Other(of) => {
                let of = of.map(|of| of.0.to_string()).unwrap_or_default();
                let own = self.env.method(&of, &name).and_then(Method::plain_output);
                match own.or_else(|| self.env.passive(&of, &name)) {
                    Some(of) => self.state_as_written(&of),
                    None => self.unknown_state("state"),
                }
            }
        }
    }

    fn result_of_items(&mut self, of: Ty, name: &str) -> Ty {
        let some = |of: Ty| Ty::Sum(vec![of]);
        match name {
            "next" | "next_back" | "last" | "nth" | "max" | "min" | "max_by_key" | "min_by_key"
            | "max_by" | "min_by" | "reduce" => some(of),
            "find" => some(of),
            "count" | "len" => Ty::usize(),
            "position" | "rposition" => some(Ty::usize()),
            "any" | "all" | "eq" | "ne" | "lt" | "le" | "gt" | "ge" => Ty::Bool,
            "sum" | "product" => self.types.peel(&of),
            "copied" | "cloned" => {
                let of = self.types.peel(&of);
                self.state_items(of)
            }
            "enumerate" => self.state_items(Ty::Tuple(vec![Ty::usize(), of])),
            "rev" | "skip" | "take" | "filter" | "skip_while" | "take_while" | "step_by"
            | "inspect" | "chain" | "by_ref" | "into_iter" | "iter" | "cycle" => {
                self.state_items(of)
            }
            "peek" => some(Ty::reference(false, of)),
            "peekable" => self.state_items(of),
            "map" | "filter_map" | "flat_map" => {
                let of = self.foreign();
                self.state_items(of)
            }
            "fold" => self.foreign(),
            "for_each" => Ty::unit(),
            _ => self.unknown_state("state"),
        }
    }

    fn state_items(&mut self, of: Ty) -> Ty {
        self.state_of(Shape::Items(of), "Iterator")
    }

    /// The items of a collection, or of a reference to one.
    fn state_items_of(&mut self, ty: &Ty, of: Ty) -> Ty {
        match self.types.shallow(ty) {
            Ty::Ref(mutable, _) => self.state_items(Ty::reference(mutable, of)),
            _ => self.state_items(of),
        }
    }

    pub(super) fn is_vector(&self, ty: &Ty) -> bool {
        crate::lower::state::shown(ty, &self.types) == "Vec"
    }

    /// What arguments tell of what state holds.
    pub(super) fn note_state_arguments(
        &mut self,
        shape: &Shape,
        name: &str,
        args: &[Option<Ty>],
        span: Extent,
    ) {
        match (shape, name, args) {
            (Shape::List(of), "push" | "push_back" | "push_front", [Some(arg)])
            | (Shape::List(of), "insert", [_, Some(arg)])
            | (Shape::Set(of), "insert" | "replace", [Some(arg)])
            | (Shape::Heap(of), "push", [Some(arg)])
            | (Shape::Map(of, _), "entry", [Some(arg)])
            | (Shape::Entry(of), "or_insert", [Some(arg)]) => self.note_type(of, arg, span),
            (Shape::Map(key, of), "insert", [first, second]) => {
                for (of, arg) in [(key, first), (of, second)] {
                    if let Some(arg) = arg {
                        self.note_type(of, arg, span);
                    }
                }
            }
            (Shape::List(_), "get" | "get_mut" | "remove" | "swap_remove", [Some(arg)]) => {
                self.note_type(&Ty::usize(), arg, span);
            }
            (Shape::List(_), "insert", [Some(arg), _]) => {
                self.note_type(&Ty::usize(), arg, span);
            }
            (
                Shape::Set(of) | Shape::Map(of, _) | Shape::List(of),
                "contains" | "contains_key" | "get" | "get_mut" | "remove" | "take",
                [Some(arg)],
            ) => {
                let arg = self.types.peel(arg);
                let of = self.types.peel(of);
                self.note_type(&of, &arg, span);
            }
            _ => {}
        }
    }

    /// What an index tells.
    pub(super) fn note_index(&mut self, shape: &Shape, index: &Ty, span: Extent) {
        match shape {
            Shape::List(_) => self.note_type(&Ty::usize(), index, span),
            Shape::Map(key, _) => {
                let (key, index) = (self.types.peel(key), self.types.peel(index));
                self.note_type(&key, &index, span);
            }
            _ => {}
        }
    }

    /// What the list that a collection is made from tells.
    pub(super) fn note_contents(&mut self, shape: &Shape, from: &Ty, span: Extent) {
        let Ty::Slice(item) = self.types.peel(from) else {
            return;
        };
        match shape {
            Shape::List(of) | Shape::Set(of) | Shape::Heap(of) => self.note_type(of, &item, span),
            Shape::Map(key, value) => {
                let pair = Ty::Tuple(vec![key.clone(), value.clone()]);
                self.note_type(&pair, &item, span);
            }
            _ => {}
        }
    }

    /// Numbers alone are inferred here; of other things rustc knows.
    fn note_type(&mut self, of: &Ty, found: &Ty, span: Extent) {
        match (self.types.shallow(of), self.types.shallow(found)) {
            (Ty::Tuple(of), Ty::Tuple(found)) if of.len() == found.len() => {
                for (of, found) in of.iter().zip(&found) {
                    self.note_type(of, found, span);
                }
            }
            (Ty::Ref(_, of), Ty::Ref(_, found)) => self.note_type(&of, &found, span),
            // a constant whose type is written
            (Ty::Var(_), found)
                if !is_state(&found, &self.types) && self.constant_type(&found).is_some() =>
            {
                if let Some(written) = self.constant_type(&found) {
                    let found = self.state_as_written(&written);
                    self.unify(of, &found, span);
                }
            }
            (Ty::Var(_), found @ (Ty::Tuple(_) | Ty::Ref(..))) => self.unify(of, &found, span),
            (Ty::Var(_) | Ty::Int(_) | Ty::Bool | Ty::Float, Ty::Var(_))
            | (Ty::Var(_), Ty::Int(_) | Ty::Bool | Ty::Float | Ty::Opaque(_) | Ty::Sum(_)) => {
                self.unify(of, found, span);
            }
            _ => {}
        }
    }

    /// What is in a `Reverse` of std, which is kept as a tuple of one.
    pub(in crate::lower::read) fn reversed(&self, t: &syn::PatTupleStruct, ty: &Ty) -> Option<Ty> {
        let last = t.path.segments.last()?;
        match self.types.peel(ty) {
            Ty::Tuple(parts) if last.ident == "Reverse" && t.elems.len() == 1 => {
                parts.into_iter().next()
            }
            _ => None,
        }
    }
}

/// `usize` of `sum::<usize>()`
fn written_result(m: &syn::ExprMethodCall) -> Option<syn::Type> {
    match m.turbofish.as_ref()?.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}
