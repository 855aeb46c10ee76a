//! Tokens, through all of their groups.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// A name, however it is spelled.
pub(crate) fn unraw(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

/// Whether this holds for a token that is no group.
pub(crate) fn any(tokens: TokenStream, is: &mut dyn FnMut(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(g) => any(g.stream(), is),
        tree => is(&tree),
    })
}

/// A group with other tokens in it.
pub(crate) fn regrouped(group: &Group, inner: TokenStream) -> TokenTree {
    let mut other = Group::new(group.delimiter(), inner);
    other.set_span(group.span());
    other.into()
}

/// The tokens with other spans.
pub(crate) fn respanned(tokens: TokenStream, to: &dyn Fn(Span) -> Span) -> TokenStream {
    let each = tokens.into_iter().map(|mut tree| {
        let span = to(tree.span());
        if let TokenTree::Group(g) = &tree {
            tree = Group::new(g.delimiter(), respanned(g.stream(), to)).into();
        }
        tree.set_span(span);
        tree
    });
    each.collect()
}
