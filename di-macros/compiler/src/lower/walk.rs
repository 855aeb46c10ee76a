//! The parts of an expression, one level down. Says nothing of what they mean.

use super::hir::{
    Block, Branch, Expr, Iter, Kind, Lambda, Order, Otherwise, Pick, Reduce, SeqOp, Step, Tail,
};

/// Writes a walker once for `&` and once for `&mut`.
macro_rules! walker {
    ($expr:ident, $block:ident, $step:ident, $branch:ident, $iter_fn:ident, $lambda:ident $(, $mutable:tt)?) => {
        /// Hands each expression that is directly part of this one to `f`, closures included.
        pub(crate) fn $expr(e: &$($mutable)? Expr, f: &mut dyn FnMut(&$($mutable)? Expr)) {
            match &$($mutable)? e.kind {
                Kind::Lit(_)
                | Kind::Local(_)
                | Kind::Passive(_)
                | Kind::OnState(_)
                | Kind::Continue(_)
                | Kind::Chain { .. }
                | Kind::Blank
                | Kind::Refused => {}
                Kind::Cut(_, a)
                | Kind::Neg(a)
                | Kind::Not(a)
                | Kind::Deref(a)
                | Kind::Cast(a)
                | Kind::SinCos(a)
                | Kind::Classify(_, a)
                | Kind::Len(a)
                | Kind::IsEmpty(a)
                | Kind::Field(a, _)
                | Kind::TupleField(a, _)
                | Kind::Ref(_, a)
                | Kind::Receiver(a)
                | Kind::Components(a, _)
                | Kind::Repeat(a, _)
                | Kind::CopyOf(a)
                | Kind::Let(_, a)
                | Kind::Checkpoint(_, a) => f(a),
                Kind::Bin(_, a, b)
                | Kind::Cmp(_, a, b)
                | Kind::And(a, b)
                | Kind::Or(a, b)
                | Kind::Index(a, b)
                | Kind::VecFill(a, b)
                | Kind::Assign(a, b)
                | Kind::AssignOp(_, a, b)
                | Kind::CopyFrom(a, b)
                | Kind::Fill(a, b)
                | Kind::Checked(a, b)
                | Kind::Order(_, a, b) => {
                    f(a);
                    f(b);
                }
                Kind::Swap(a, b, c) => {
                    f(a);
                    f(b);
                    f(c);
                }
                Kind::Elementary(_, es)
                | Kind::Shared(_, es)
                | Kind::IntMethod(_, es)
                | Kind::CheckedInt(_, es)
                | Kind::Tuple(es)
                | Kind::List(es)
                | Kind::CallClosure(_, es)
                | Kind::Call { args: es, .. } => {
                    for e in es {
                        f(e);
                    }
                }
                Kind::Seq(op, es) => {
                    for e in es {
                        f(e);
                    }
                    let op = match op {
                        SeqOp::Select(sort) => & $($mutable)? **sort,
                        op => op,
                    };
                    if let SeqOp::SortBy(l) = op {
                        $lambda(l, f);
                    }
                }
                Kind::Struct { fields, base } => {
                    for (_, e) in fields {
                        f(e);
                    }
                    if let Some(e) = base {
                        f(e);
                    }
                }
                Kind::Range { base, lo, hi, .. } => {
                    f(base);
                    for end in [lo, hi] {
                        if let Some(e) = end {
                            f(e);
                        }
                    }
                }
                Kind::If { cond, then, els } => {
                    f(cond);
                    $block(then, f);
                    if let Some(e) = els {
                        f(e);
                    }
                }
                Kind::Block(b) | Kind::Loop { body: b, .. } | Kind::Labelled { body: b, .. } => {
                    $block(b, f)
                }
                Kind::Match(e, arms) => {
                    f(e);
                    for arm in arms {
                        if let Some(guard) = & $($mutable)? arm.guard {
                            f(guard);
                        }
                        f(& $($mutable)? arm.body);
                    }
                }
                Kind::Effect(effect) => {
                    for (_, e) in & $($mutable)? effect.args {
                        f(e);
                    }
                }
                Kind::While { cond, body, .. } => {
                    f(cond);
                    $block(body, f);
                }
                Kind::For { iter, body, .. } => {
                    $iter_fn(iter, f);
                    $block(body, f);
                }
                Kind::Break(_, value) | Kind::Return(value) | Kind::Variant(_, value) => {
                    if let Some(e) = value {
                        f(e);
                    }
                }
                Kind::Reduce(iter, how) => {
                    $iter_fn(iter, f);
                    match how {
                        Reduce::Sum
                        | Reduce::Product
                        | Reduce::Count
                        | Reduce::Collect
                        | Reduce::Unzip => {}
                        Reduce::Fold { init, step } => {
                            f(init);
                            $lambda(step, f);
                        }
                        Reduce::ForEach(l) | Reduce::Any(_, l) => $lambda(l, f),
                    }
                }
                Kind::Pick(iter, pick, otherwise) => {
                    $iter_fn(iter, f);
                    match & $($mutable)? **pick {
                        Pick::Nth(Some(e)) => f(e),
                        Pick::Nth(None) | Pick::Last => {}
                        Pick::Find(l) | Pick::Position(l) | Pick::LastPosition(l) | Pick::Reduce(l) => $lambda(l, f),
                        Pick::Best { by, .. } => match by {
                            Order::Natural => {}
                            Order::By(l) | Order::Key(l) => $lambda(l, f),
                        },
                    }
                    if let Otherwise::Value(e) = otherwise {
                        f(e);
                    }
                }
            }
        }

        pub(crate) fn $block(b: &$($mutable)? Block, f: &mut dyn FnMut(&$($mutable)? Expr)) {
            for step in & $($mutable)? b.stmts {
                $step(step, f);
            }
            if let Some(e) = & $($mutable)? b.value {
                f(e);
            }
        }

        pub(crate) fn $lambda(l: &$($mutable)? Lambda, f: &mut dyn FnMut(&$($mutable)? Expr)) {
            for (outer, _) in &$($mutable)? l.captures {
                f(outer);
            }
            f(&$($mutable)? l.body);
        }

        pub(crate) fn $step(step: &$($mutable)? Step, f: &mut dyn FnMut(&$($mutable)? Expr)) {
            match step {
                Step::Let { init: Some(e), .. } | Step::Expr(e) => f(e),
                Step::LetElse { init, els, .. } => {
                    f(init);
                    $block(els, f);
                }
                Step::Let { init: None, .. } | Step::Closure(_) | Step::Chain(_) => {}
            }
        }

        pub(crate) fn $branch(b: &$($mutable)? Branch, f: &mut dyn FnMut(&$($mutable)? Expr)) {
            for step in & $($mutable)? b.steps {
                $step(step, f);
            }
            match & $($mutable)? b.tail {
                Tail::Some(e) => f(e),
                Tail::None => {}
                Tail::If { cond, then, els } => {
                    f(cond);
                    $branch(then, f);
                    $branch(els, f);
                }
            }
        }

        pub(crate) fn $iter_fn(iter: &$($mutable)? Iter, f: &mut dyn FnMut(&$($mutable)? Expr)) {
            match iter {
                Iter::Range { lo, hi, .. } => {
                    f(lo);
                    if let Some(e) = hi {
                        f(e);
                    }
                }
                Iter::Seq { base, .. } | Iter::Named(base) => f(base),
                Iter::Parts { base, size, .. } => {
                    f(base);
                    f(size);
                }
                Iter::Repeat { value, count } => {
                    f(value);
                    if let Some(e) = count {
                        f(e);
                    }
                }
                Iter::After(steps, i) => {
                    for step in steps {
                        $step(step, f);
                    }
                    $iter_fn(i, f);
                }
                Iter::Zip(a, b) | Iter::Chain(a, b) => {
                    $iter_fn(a, f);
                    $iter_fn(b, f);
                }
                Iter::Enumerate(i) | Iter::Rev(i, _) | Iter::Cycle(i, _) | Iter::Copied(i) | Iter::Flatten { iter: i, .. } => {
                    $iter_fn(i, f)
                }
                Iter::Take(i, e) | Iter::Skip(i, e) | Iter::StepBy(i, e) => {
                    $iter_fn(i, f);
                    f(e);
                }
                Iter::Map(i, l) | Iter::Inspect(i, l) | Iter::Test { iter: i, test: l, .. } => {
                    $iter_fn(i, f);
                    $lambda(l, f);
                }
                Iter::Optional { iter, branch, state, captures, .. } => {
                    $iter_fn(iter, f);
                    for (outer, _) in captures {
                        f(outer);
                    }
                    if let Some((e, _)) = state {
                        f(e);
                    }
                    $branch(branch, f);
                }
                Iter::FlatMap { iter, inner, captures, .. } => {
                    $iter_fn(iter, f);
                    for (outer, _) in captures {
                        f(outer);
                    }
                    $iter_fn(inner, f);
                }
            }
        }
    };
}

walker!(
    each,
    each_of_block,
    each_of_step,
    each_of_branch,
    each_of_iter,
    each_of_lambda
);
walker!(
    each_mut,
    each_mut_of_block,
    each_mut_of_step,
    each_mut_of_branch,
    each_mut_of_iter,
    each_mut_of_lambda,
    mut
);
