//! Strings of formatting macros: which names they read, and whether they have as many places as arguments.

use super::expr::unraw;
use proc_macro2::{Ident, Span};

/// False if the string has another number of places than there are arguments without names, which rustc
/// refuses where the macro is expanded.
pub(super) fn fits(format: &syn::Expr, positional: usize) -> bool {
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = format
    else {
        return true;
    };
    let text = text.value().replace("{{", "").replace("}}", "");
    // widths and precisions are arguments too
    if text.contains(['$', '*']) {
        return true;
    }
    let (mut next, mut used) = (0, vec![false; positional]);
    for part in text.split('{').skip(1) {
        let inside = part.split(['}', ':']).next().unwrap_or_default().trim();
        let at = match inside.parse::<usize>() {
            Ok(at) => at,
            Err(_) if inside.is_empty() => {
                next += 1;
                next - 1
            }
            Err(_) => continue,
        };
        match used.get_mut(at) {
            Some(used) => *used = true,
            None => return false,
        }
    }
    used.into_iter().all(|used| used)
}

/// Names that a format string reads: `{x}`, `{x:?}`, `{:width$.precision$}`.
pub(super) fn captured(format: &syn::Expr) -> Vec<String> {
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = format
    else {
        return Vec::new();
    };
    let text = text.value().replace("{{", "").replace("}}", "");
    let mut names = Vec::new();
    for part in text.split('{').skip(1) {
        let Some((inside, _)) = part.split_once('}') else {
            continue;
        };
        let (name, spec) = inside.split_once(':').unwrap_or((inside, ""));
        names.push(name.trim().to_owned());
        for piece in spec.split('$').rev().skip(1) {
            let start = piece
                .rfind(|c: char| !c.is_alphanumeric() && c != '_')
                .map_or(0, |k| k + 1);
            names.push(piece[start..].to_owned());
        }
    }
    names.retain(|n| n.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    names.dedup();
    names
        .into_iter()
        .map(|n| unraw(&Ident::new(&n, Span::call_site())))
        .collect()
}
