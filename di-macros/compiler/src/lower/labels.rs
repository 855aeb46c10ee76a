//! Labels of loops: inside a labelled block rustc wants `break` and `continue` to name their loop.

use crate::ir::{Exit, For, Region, Stmt};

/// Gives a label to each loop that is left from inside a block, and names it there.
pub(crate) fn name_loops(region: &mut Region) {
    let mut count = 0;
    name_in(region, &mut count);
}

fn name_in(region: &mut Region, count: &mut u32) {
    for stmt in &mut region.stmts {
        if let Stmt::For(For { label, body, .. }) | Stmt::While { label, body, .. } = stmt
            && (label.is_some() || leaves_from_block(body, false))
        {
            let name = label.get_or_insert_with(|| {
                *count += 1;
                format!("_loop{count}")
            });
            rename(body, name, false);
        }
        for inner in stmt.regions_mut() {
            name_in(inner, count);
        }
    }
}

/// Whether an exit without a label stands in a block that is in this body.
fn leaves_from_block(region: &Region, in_block: bool) -> bool {
    let here = matches!(region.exit, Exit::Break(None) | Exit::Continue(None));
    here && in_block
        || region.stmts.iter().any(|stmt| match stmt {
            Stmt::If { then, els, .. } => {
                leaves_from_block(then, in_block) || leaves_from_block(els, in_block)
            }
            Stmt::Block { body, .. } => leaves_from_block(body, true),
            _ => false,
        })
}

/// Names the loop in the exits without a label that stand in blocks.
fn rename(region: &mut Region, name: &str, in_block: bool) {
    if in_block && let Exit::Break(label @ None) | Exit::Continue(label @ None) = &mut region.exit {
        *label = Some(name.to_owned());
    }
    for stmt in &mut region.stmts {
        match stmt {
            Stmt::If { then, els, .. } => {
                rename(then, name, in_block);
                rename(els, name, in_block);
            }
            Stmt::Block { body, .. } => rename(body, name, true),
            _ => {}
        }
    }
}
