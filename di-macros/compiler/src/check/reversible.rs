//! What reverse code cannot express yet, found before anything is generated.

use crate::analysis::activity::regions_of;
use crate::analysis::fixed::fixed_arrays;
use crate::analysis::views::Views;
use crate::error;
use crate::ir::{Arg, Body, Call, Exit, Leaf, PlaceId, PlaceKind, Region, Role, Stmt, Type};
use crate::report::Report;

/// Notes an error for each construct that has no reverse code.
pub(crate) fn check_reversible(body: &Body, cx: &Report) {
    let views = Views::of(body);
    for stmt in &body.region.stmts {
        check_stmt(body, &views, stmt, cx);
    }
}

fn check_region(body: &Body, views: &Views, region: &Region, cx: &Report) {
    for stmt in &region.stmts {
        check_stmt(body, views, stmt, cx);
    }
    check_early_return(body, &region.exit, cx);
}

fn check_stmt(body: &Body, views: &Views, stmt: &Stmt, cx: &Report) {
    if let Stmt::Call(call) = stmt {
        check_integer_arguments(body, views, call, cx);
        check_struct_twice(body, views, call, cx);
    }
    match stmt {
        Stmt::Store(place, _) | Stmt::Accumulate { place, .. } => {
            check_field_copy(body, views, place.root, cx);
        }
        Stmt::CopyPlace { dst, .. } => check_field_copy(body, views, dst.root, cx),
        _ => {}
    }
    for region in regions_of(stmt) {
        check_region(body, views, region, cx);
    }
}

/// An early return stores the result; a vector's shadow would have to change its length with it.
fn check_early_return(body: &Body, exit: &Exit, cx: &Report) {
    let Exit::Return(leaves) = exit else { return };
    for leaf in leaves {
        if let Leaf::Place(p) = leaf
            && matches!(body.place(*p).ty, Type::Vec(_))
        {
            cx.error(body.place(*p).span, &error::EARLY_VECTOR);
        }
    }
}

/// Reverse code hands arguments behind `&` to the callee once more; integers that were computed
/// here are gone by then.
fn check_integer_arguments(body: &Body, views: &Views, call: &Call, cx: &Report) {
    let arrays = fixed_arrays(body, views);
    for arg in &call.args {
        let Arg::Ref(place) = arg else { continue };
        let root = body.place(views.root(place.root));
        let fixed = matches!(root.kind, PlaceKind::SharedParam(_))
            || arrays.contains(&views.root(place.root));
        if !fixed && matches!(root.ty.leaf(), Type::Int(_) | Type::Bool) {
            let span = call
                .callee
                .0
                .clone()
                .into_iter()
                .next()
                .map_or(body.span, |t| t.span());
            cx.error_about(span, &error::INTEGERS_LENT, &root.hint);
        }
    }
}

/// A struct's shadow is lent to one argument at a time.
fn check_struct_twice(body: &Body, views: &Views, call: &Call, cx: &Report) {
    let mut seen = Vec::new();
    for arg in &call.args {
        let Arg::Ref(place) = arg else { continue };
        let root = views.root(place.root);
        let info = body.place(root);
        let active =
            matches!(info.kind, PlaceKind::SharedParam(k) if body.params[k].role == Role::Active);
        if active && matches!(info.ty, Type::Struct(_)) {
            if seen.contains(&root) {
                let span = call
                    .callee
                    .0
                    .clone()
                    .into_iter()
                    .next()
                    .map_or(body.span, |t| t.span());
                cx.error_about(span, &error::STRUCT_TWICE, &info.hint);
            }
            seen.push(root);
        }
    }
}

/// `let mut c = p.c;` without a type is taken for a slice, but nothing behind `&` can be written;
/// of a write to a plain `&` parameter rustc speaks itself.
fn check_field_copy(body: &Body, views: &Views, place: PlaceId, cx: &Report) {
    let root = body.place(views.root(place));
    if !matches!(root.kind, PlaceKind::SharedParam(_)) {
        return;
    }
    if matches!(root.ty, Type::Struct(_)) {
        cx.error_about(body.place(place).span, &error::FIELD_COPY, &root.hint);
    } else {
        cx.mismatch();
    }
}
