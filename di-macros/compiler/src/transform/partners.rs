//! Functions that are each other's derivative: sine and cosine, and the hyperbolic ones. The forward
//! sweep computes and keeps both where one of them is differentiated, so the adjoint sweep evaluates
//! neither. What the function computes anyway serves as well.

use crate::ir::{Body, Op, Region, Stmt, Type, Val};
use crate::sorted::{Map, Set};
use proc_macro2::Span;

/// The function whose value is the derivative, up to its sign.
fn partner(name: &str) -> Option<&'static str> {
    match name {
        "sin" => Some("cos"),
        "cos" => Some("sin"),
        "sinh" => Some("cosh"),
        "cosh" => Some("sinh"),
        _ => None,
    }
}

/// Puts the partner behind each of these functions; returns what is new. Merge equal values after it,
/// and drop what the adjoint sweep does not read.
pub(crate) fn add_partners(body: &mut Body) -> Set<Val> {
    let mut added = Set::new();
    let mut region = std::mem::take(&mut body.region);
    add(body, &mut region, &mut added);
    body.region = region;
    added
}

fn add(body: &mut Body, region: &mut Region, added: &mut Set<Val>) {
    let mut stmts = Vec::with_capacity(region.stmts.len());
    for mut stmt in std::mem::take(&mut region.stmts) {
        for inner in stmt.regions_mut() {
            add(body, inner, added);
        }
        let other = match &stmt {
            Stmt::Let(_, Op::Elementary(name, args)) => {
                partner(name).map(|name| Op::Elementary(name, args.clone()))
            }
            _ => None,
        };
        stmts.push(stmt);
        if let Some(op) = other {
            let v = body.new_val(Type::Float, None, Span::call_site());
            added.insert(v);
            stmts.push(Stmt::Let(v, op));
        }
    }
    region.stmts = stmts;
}

/// For each of these functions the value of its partner, at the same argument and in reach of it.
pub(crate) fn partners(region: &Region) -> Map<Val, Val> {
    let mut found = Map::new();
    pair(region, &mut Vec::new(), &mut found);
    found
}

fn pair<'r>(region: &'r Region, reach: &mut Vec<(&'r str, Val, Val)>, found: &mut Map<Val, Val>) {
    let outer = reach.len();
    for stmt in &region.stmts {
        if let Stmt::Let(v, Op::Elementary(name, args)) = stmt
            && partner(name).is_some()
        {
            reach.push((name, args[0], *v));
        }
    }
    for (name, arg, v) in &reach[outer..] {
        let other = reach
            .iter()
            .find(|(other, at, _)| partner(name) == Some(other) && at == arg);
        if let Some((_, _, other)) = other {
            found.insert(*v, *other);
        }
    }
    for stmt in &region.stmts {
        for inner in stmt.regions() {
            pair(inner, reach, found);
        }
    }
    reach.truncate(outer);
}

/// Takes out those of `added` that nobody reads.
pub(crate) fn drop_idle(region: &mut Region, added: &Set<Val>, kept: &Set<Val>) {
    let used = region.uses();
    let is_idle = |v: &&Val| !used.contains(v) && !kept.contains(v);
    let idle: Set<Val> = added.iter().filter(is_idle).copied().collect();
    drop_all(region, &idle);
}

fn drop_all(region: &mut Region, idle: &Set<Val>) {
    region
        .stmts
        .retain(|stmt| !matches!(stmt, Stmt::Let(v, _) if idle.contains(v)));
    for stmt in &mut region.stmts {
        for inner in stmt.regions_mut() {
            drop_all(inner, idle);
        }
    }
}
