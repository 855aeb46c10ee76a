//! Macros that the file declares.

use super::scan::What;
use super::seen_at;
use proc_macro2::Span;
use std::sync::Arc;

/// How the file declares the macros that code there sees.
pub(crate) fn macros_at(at: Span) -> impl Iterator<Item = (String, Arc<str>)> {
    let seen = seen_at(at);
    let all = seen.items.iter().filter(|f| f.what == What::Macro);
    let named: Vec<_> = all.map(|f| (f.name.clone(), f.text.clone())).collect();
    named.into_iter()
}
