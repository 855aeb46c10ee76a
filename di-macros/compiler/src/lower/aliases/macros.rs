//! Macros that the file declares.

use super::scan::What;
use super::seen_at;
use proc_macro2::Span;

/// How the file declares a macro that code there sees.
pub(crate) fn macro_at(at: Span, name: &str) -> Option<String> {
    let seen = seen_at(at).into_iter();
    let mut found = seen.filter(|f| f.what == What::Macro && f.name == name);
    found.next().map(|f| f.text.to_string())
}
