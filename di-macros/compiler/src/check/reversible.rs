//! What reverse code cannot express yet, found before anything is generated.

use crate::analysis::views::Views;
use crate::error;
use crate::ir::{Arg, Body, Call, PlaceId, PlaceKind, Proj, Region, Stmt, Type};
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
}

fn check_stmt(body: &Body, views: &Views, stmt: &Stmt, cx: &Report) {
    if let Stmt::Call(call) = stmt {
        check_struct_parts(body, views, call, cx);
    }
    match stmt {
        Stmt::Store(place, _) | Stmt::Accumulate { place, .. } => {
            let is_number = place.path.iter().all(|p| matches!(p, Proj::Field(..)));
            check_field_copy(body, views, place.root, is_number, cx);
        }
        Stmt::CopyPlace { dst, .. } => check_field_copy(body, views, dst.root, false, cx),
        _ => {}
    }
    for region in stmt.regions() {
        check_region(body, views, region, cx);
    }
}

/// A part of a struct that is behind two arguments has a shadow of its own for one of them; its
/// type must be known for that. So must that of a part which is kept for reverse code.
fn check_struct_parts(body: &Body, views: &Views, call: &Call, cx: &Report) {
    let mut seen = Vec::new();
    for arg in &call.args {
        let (Arg::Ref(place) | Arg::Mut(place)) = arg else {
            continue;
        };
        let root = views.root(place.root);
        let info = body.place(root);
        if !info.ty.is_structs() {
            continue;
        }
        let kept = matches!(arg, Arg::Ref(_)) && !matches!(info.kind, PlaceKind::SharedParam(_));
        if (kept || seen.contains(&root)) && body.type_at(place).is_none() {
            let span = call
                .callee
                .0
                .clone()
                .into_iter()
                .next()
                .map_or(body.span, |t| t.span());
            cx.error_about(span, &error::STRUCT_PART, &info.hint);
        }
        seen.push(root);
    }
}

/// `let mut c = p.c;` without a type is taken for a slice, but nothing behind `&` can be written;
/// of a write to the `&` parameter itself, or to a number in it, rustc speaks.
fn check_field_copy(body: &Body, views: &Views, place: PlaceId, is_number: bool, cx: &Report) {
    let root = body.place(views.root(place));
    if !matches!(root.kind, PlaceKind::SharedParam(_)) {
        return;
    }
    if matches!(root.ty, Type::Struct(_)) && !is_number {
        cx.error_about(body.place(place).span, &error::FIELD_COPY, &root.hint);
    } else {
        cx.certain_mismatch();
    }
}
