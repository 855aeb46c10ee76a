//! Vectors of vectors as arguments and results of calls: the store and the rows are passed and returned one by one.

use super::passive::Code;
use super::rows::handle;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{Arg, Leaf, Place, PlaceId, PlaceKind, TEMPORARY, Tokens, Tree, Type};
use crate::lower::code;
use crate::report::Extent;

// names in the code that collects rows
const DATA: &str = "__data";
const ROWS: &str = "__rows";

impl Builder<'_> {
    /// A vector of vectors goes to a callee as its store and its rows.
    pub(super) fn with_rows(&mut self, arg: Arg, span: Extent) -> Vec<Arg> {
        let (Arg::Place(place) | Arg::Ref(place) | Arg::Mut(place)) = &arg else {
            return vec![arg];
        };
        let place = place.clone();
        let ty = self.body.type_at(&place);
        let (place, data) = match self.store_of(&place) {
            Some(store) if ty.as_ref().and_then(Type::element) == Some(&handle()) => {
                let data = store.data;
                (place, data)
            }
            // a constant, or in a field
            None if self.row_element(&place).is_some() => {
                if matches!(arg, Arg::Mut(_)) {
                    self.cx.error(span, &error::NESTED_VECTOR);
                }
                let rows = self.in_order(place, span);
                let Some(store) = self.stores.get(&rows) else {
                    return vec![arg];
                };
                (root(rows), store.data)
            }
            _ => return vec![arg],
        };
        let data = root(data);
        let data = match arg {
            Arg::Mut(_) => Arg::Mut(data),
            Arg::Place(_) => Arg::Place(data),
            _ => Arg::Ref(data),
        };
        vec![data, Arg::Ref(place)]
    }

    /// Rows of integers of ours, as constant code and constant parameters take them: a vector of vectors.
    pub(super) fn rows_as_list(&self, rows: &Place) -> Option<Code> {
        let store = self.store_of(rows).filter(|_| self.are_rows(rows))?;
        if !rows.path.is_empty() || !matches!(store.elem, Type::Int(_) | Type::Bool) {
            return None;
        }
        let mut code = Code::new(Tokens(code::rows_as_list(DATA, ROWS)));
        code.places = vec![(DATA.to_owned(), store.data), (ROWS.to_owned(), rows.root)];
        Some(code)
    }

    /// Rows that are written by a callee have their store for themselves: with it go all other rows.
    pub(super) fn check_stores(&self, args: &[Arg], span: Extent) {
        let root_of = |place: &Place| {
            let mut at = place.root;
            while let Some(of) = self.views.get(&at) {
                at = of.root;
            }
            at
        };
        let is_store = |at: PlaceId| self.stores.values().any(|s| s.data == at);
        for (k, arg) in args.iter().enumerate() {
            let Arg::Mut(place) = arg else { continue };
            if !place.path.is_empty() || !is_store(place.root) {
                continue;
            }
            let shared = args.iter().enumerate().any(|(j, other)| match other {
                Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => j != k && root_of(p) == place.root,
                Arg::Value(_) | Arg::Verbatim { .. } => false,
            });
            if shared {
                self.cx.error(span, &error::NESTED_VECTOR);
            }
        }
    }

    /// The result of a call: the store, and the rows.
    pub(super) fn called_rows(&mut self, elem: Type, span: Extent) -> (Tree<Leaf>, Operand) {
        let mut place = |ty: Type| {
            self.body.new_place(
                Type::Vec(Box::new(ty)),
                TEMPORARY,
                PlaceKind::Local,
                span.start,
            )
        };
        let (data, rows) = (place(elem.clone()), place(handle()));
        for made in [data, rows] {
            self.note_home(made);
        }
        self.written.insert(data);
        self.add_store(rows, data, elem);
        let leaves = [data, rows].map(|p| Tree::Leaf(Leaf::Place(p)));
        (Tree::Tuple(leaves.into()), Operand::Place(root(rows)))
    }

    /// What a function returns, with the stores of its vectors of vectors.
    /// Their rows lie one after the other.
    pub(super) fn returned_rows(&mut self, parts: Vec<Operand>, span: Extent) -> Vec<Operand> {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Operand::Place(p) if self.are_rows(&p) => {
                    let rows = self.in_order(p, span);
                    let data = self.stores.get(&rows).map_or(rows, |s| s.data);
                    all.extend([data, rows].map(|p| Operand::Place(root(p))));
                }
                part => all.push(part),
            }
        }
        all
    }
}
