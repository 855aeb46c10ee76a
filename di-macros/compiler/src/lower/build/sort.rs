//! Sorting: the permutation is found with integers alone, and kept; then the elements move.

use super::sequence::{element, part};
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{BinOp, CmpOp, Init, Lit, Op, Order, Place, Region, Stmt, Type, Val};
use crate::lower::hir::{self, Expr, Lambda, Pat, SeqOp};
use crate::report::Extent;

impl Builder<'_> {
    /// Sorts in place; stable.
    pub(super) fn sort(&mut self, place: &Place, how: &SeqOp, rest: &[Expr], span: Extent) {
        let elem = self.element_type(place, span);
        let n = self.len(place.clone(), span);
        let order = match (how, rest) {
            (
                SeqOp::Sort {
                    by,
                    descending,
                    element,
                },
                [key],
            ) => self.order_of_keys((place, n), (*by, *descending), element, key, span),
            (SeqOp::SortBy(compare), _) => self.merged((place, n), compare, span),
            _ => unreachable!("read: a sort has its key or comparison"),
        };
        let usize = Type::usize();
        let init = Init::CopyOf(place.clone());
        let copy = root(self.declare(Type::Vec(Box::new(elem.clone())), "sorted", span, init));
        let copy = self.vector_in(copy);
        self.counted(n, span, |b, i| {
            let k = b.load(element(&order, i), usize, span);
            let (dst, src) = (element(place, i), element(&copy, k));
            b.move_element(dst, src, &elem, span);
        });
    }

    /// `x.select_nth_unstable(k)` and its kin.
    pub(super) fn select_nth(
        &mut self,
        place: &Place,
        k: Val,
        (how, key): (&SeqOp, &[Expr]),
        span: Extent,
    ) -> Operand {
        let (zero, one) = (self.lit_usize(0, span), self.lit_usize(1, span));
        let n = self.len(place.clone(), span);
        let next = self.int_bin(BinOp::Add, k, one, span);
        // panics if there is no such element
        self.len(super::sequence::part_of(place, next, n), span);
        self.sort(place, how, key, span);
        Operand::Tuple(vec![
            part(place, zero, k),
            self.element_operand(place, k, span),
            part(place, next, n),
        ])
    }

    /// The permutation that sorts by a key of each element.
    fn order_of_keys(
        &mut self,
        (place, n): (&Place, Val),
        (by, descending): (hir::SortBy, bool),
        pat: &Pat,
        key: &Expr,
        span: Extent,
    ) -> Place {
        let itself = matches!((&key.kind, pat), (hir::Kind::Local(l), Pat::Bind(b)) if l == b);
        let keys = if itself {
            place.clone()
        } else {
            let ty = self.scalar_type(&key.ty, key.span);
            let zero = self.zero(&ty, span);
            let init = Init::VecFill(zero, n);
            let keys = root(self.declare(Type::Vec(Box::new(ty)), "keys", span, init));
            self.counted(n, span, |b, i| {
                let item = b.element_operand(place, i, span);
                b.bind(pat, item, span);
                let v = b.scalar(key);
                b.push(Stmt::Store(element(&keys, i), v));
            });
            keys
        };
        let order = Init::Sorted {
            keys,
            descending,
            by: match by {
                hir::SortBy::Total => Order::Total,
                hir::SortBy::Partial => Order::Partial,
                hir::SortBy::Int => Order::Int,
            },
        };
        let usize = Type::usize();
        root(self.declare(Type::Vec(Box::new(usize)), "order", span, order))
    }

    // ---- comparisons of two elements ----

    // order = 0..n; for width in 1, 2, 4, ..: for lo in 0, 2 * width, ..: merge the two runs of `width`
    /// The permutation that sorts by a comparison: a merge sort from below, which is stable, so that
    /// its order is that of std.
    fn merged(&mut self, (place, n): (&Place, Val), compare: &Lambda, span: Extent) -> Place {
        if self.lambda_writes(compare) {
            self.cx.error_about(span, &error::SORT, "sort_by");
        }
        self.take_along(&compare.captures);
        let (zero, one) = (self.lit_usize(0, span), self.lit_usize(1, span));
        let numbers = Type::Vec(Box::new(Type::usize()));
        let vector = |b: &mut Self, hint: &str| {
            let made = b.declare(numbers.clone(), hint, span, Init::VecFill(zero, n));
            b.written.insert(made);
            root(made)
        };
        let (order, next) = (vector(self, "order"), vector(self, "merged"));
        self.counted(n, span, |b, i| b.push(Stmt::Store(element(&order, i), i)));
        let width = self.integer("width", one, span);
        let less = |b: &mut Self, of: &Place, than: Val| {
            let at = b.number_at(of, span);
            b.let_op(Type::Bool, Op::Cmp(CmpOp::Lt, at, than), span)
        };
        self.repeat(
            |b| less(b, &width, n),
            |b| {
                let w = b.number_at(&width, span);
                let lo = b.integer("lo", zero, span);
                b.repeat(
                    |b| less(b, &lo, n),
                    |b| {
                        let from = b.number_at(&lo, span);
                        let mid = b.at_most(from, w, n, span);
                        let hi = b.at_most(mid, w, n, span);
                        let left = b.integer("left", from, span);
                        let right = b.integer("right", mid, span);
                        let count = b.int_bin(BinOp::Sub, hi, from, span);
                        b.counted(count, span, |b, k| {
                            let (i, j) = (b.number_at(&left, span), b.number_at(&right, span));
                            let takes_left =
                                b.takes_left(place, &order, compare, [i, mid, j, hi], span);
                            let to = b.int_bin(BinOp::Add, from, k, span);
                            let arm = |b: &mut Self, side: &Place, at: Val| {
                                let number = b.number_at(&element(&order, at), span);
                                b.push(Stmt::Store(element(&next, to), number));
                                let behind = b.int_bin(BinOp::Add, at, one, span);
                                b.push(Stmt::Store(side.clone(), behind));
                            };
                            b.either(takes_left, |b| arm(b, &left, i), |b| arm(b, &right, j));
                        });
                        b.push(Stmt::Store(lo.clone(), hi));
                    },
                );
                b.push(Stmt::CopyPlace {
                    dst: order.clone(),
                    src: next.clone(),
                });
                let twice = b.int_bin(BinOp::Add, w, w, span);
                b.push(Stmt::Store(width.clone(), twice));
            },
        );
        order
    }

    /// Whether the next element comes from the left run: unless that on the right is less.
    fn takes_left(
        &mut self,
        place: &Place,
        order: &Place,
        compare: &Lambda,
        [i, mid, j, hi]: [Val; 4],
        span: Extent,
    ) -> Val {
        let has = |b: &mut Self, at: Val, end: Val| {
            b.let_op(Type::Bool, Op::Cmp(CmpOp::Lt, at, end), span)
        };
        let (has_left, has_right) = (has(self, i, mid), has(self, j, hi));
        let result = |b: &mut Self| b.body.new_val(Type::Bool, None, span.start);
        let literal = |b: &mut Self, value: bool| {
            b.open();
            let v = b.let_op(Type::Bool, Op::Lit(Lit::Bool(value)), span);
            b.close(vec![v])
        };
        // has_left && !(has_right && compare(right, left) < 0)
        self.open();
        self.open();
        let elements = [j, i].map(|at| {
            let number = self.number_at(&element(order, at), span);
            self.element_operand(place, number, span)
        });
        let ordering = self.apply(compare, elements.into(), span);
        let ty = Type::Int("i8".to_owned());
        let ordering = self.as_scalar(ordering, ty.clone(), span);
        let equal = self.zero(&ty, span);
        let stays = self.let_op(Type::Bool, Op::Cmp(CmpOp::Ge, ordering, equal), span);
        let then = self.close(vec![stays]);
        let els = literal(self, true);
        let inner = result(self);
        self.push(Stmt::If {
            cond: has_right,
            then,
            els,
            results: vec![inner],
        });
        let then = self.close(vec![inner]);
        let els = literal(self, false);
        let takes = result(self);
        self.push(Stmt::If {
            cond: has_left,
            then,
            els,
            results: vec![takes],
        });
        takes
    }

    /// An integer that changes.
    fn integer(&mut self, name: &str, start: Val, span: Extent) -> Place {
        let usize = Type::usize();
        let place = self.declare(usize, name, span, Init::Scalar(start));
        self.written.insert(place);
        root(place)
    }

    fn number_at(&mut self, at: &Place, span: Extent) -> Val {
        self.load(at.clone(), Type::usize(), span)
    }

    /// `min(a + b, n)`
    fn at_most(&mut self, a: Val, b: Val, n: Val, span: Extent) -> Val {
        let sum = self.int_bin(BinOp::Add, a, b, span);
        self.int_op("min", &[sum, n], Type::usize(), span)
    }

    /// `while cond { body }` of our own making.
    fn repeat(&mut self, cond: impl FnOnce(&mut Self) -> Val, body: impl FnOnce(&mut Self)) {
        self.open();
        let go = cond(self);
        let cond = self.close(vec![go]);
        self.open();
        body(self);
        let body: Region = self.close(Vec::new());
        self.push_while(&None, cond, body);
    }
}
