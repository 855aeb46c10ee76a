//! Passive code and what is bound in front of it. Knows tokens alone.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// `{ lets code }`; and `&{ lets value }` of a borrowed value, which outlives the block. `is_bound`: whether code is a
/// name that the block binds.
pub(crate) fn behind_lets(
    lets: TokenStream,
    code: &TokenStream,
    is_bound: &dyn Fn(&TokenStream) -> bool,
) -> TokenStream {
    let mut trees = code.clone().into_iter();
    // a reference to a reference
    if let Some(inner) = behind_sign(code, '&').filter(|inner| behind_sign(inner, '&').is_some()) {
        let inner = behind_lets(lets, &inner, is_bound);
        let inner = TokenTree::from(Group::new(Delimiter::Parenthesis, inner));
        return trees.next().into_iter().chain([inner]).collect();
    }
    let value = behind_sign(code, '&').filter(|value| is_bound(value) || makes_value(value));
    let value = value.or_else(|| unparenthesised(code).filter(makes_value));
    let (sign, value) = match value {
        Some(value) => (trees.next(), value),
        None => (None, code.clone()),
    };
    let inner = lets.into_iter().chain(value).collect();
    let block = TokenTree::from(Group::new(Delimiter::Brace, inner));
    sign.into_iter().chain([block]).collect()
}

/// `&(value)` for `*(&(value))`, which is to be borrowed.
pub(crate) fn borrowed_again(code: &TokenStream) -> Option<TokenStream> {
    let inner = behind_sign(code, '*')?;
    behind_sign(&inner, '&').map(|_| inner)
}

/// `value` of `&(value)` and `&{ value }`.
fn behind_sign(code: &TokenStream, sign: char) -> Option<TokenStream> {
    let mut trees = code.clone().into_iter();
    match (trees.next(), trees.next(), trees.next()) {
        (Some(TokenTree::Punct(p)), Some(TokenTree::Group(g)), None) if p.as_char() == sign => {
            Some(match g.delimiter() {
                Delimiter::Parenthesis => g.stream(),
                _ => TokenTree::from(g).into(),
            })
        }
        _ => None,
    }
}

/// `value` of `&value`.
fn unparenthesised(code: &TokenStream) -> Option<TokenStream> {
    let mut trees = code.clone().into_iter();
    match trees.next() {
        Some(TokenTree::Punct(p)) if p.as_char() == '&' => Some(trees.collect()),
        _ => None,
    }
}

/// `P { .. }`, `P(..)`, `f(..)`, `c.part(k).method(..)`, a block, a `match`, a tuple or an array, also in parentheses.
fn makes_value(code: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = code.clone().into_iter().collect();
    let is_path = |tree: &TokenTree| match tree {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(p) => p.as_char() == ':',
        _ => false,
    };
    match trees.split_last() {
        Some((TokenTree::Group(g), [])) if g.delimiter() == Delimiter::Parenthesis => {
            let is_comma = |tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
            g.stream().into_iter().any(is_comma) || makes_value(&g.stream())
        }
        Some((TokenTree::Group(g), [])) if g.delimiter() == Delimiter::Bracket => true,
        Some((TokenTree::Group(g), path)) => {
            let is_block = g.delimiter() == Delimiter::Brace;
            let is_call = g.delimiter() == Delimiter::Parenthesis;
            let is_link = |tree: &TokenTree| match tree {
                TokenTree::Ident(_) | TokenTree::Group(_) => true,
                TokenTree::Punct(p) => matches!(p.as_char(), ':' | '.'),
                TokenTree::Literal(_) => false,
            };
            let is_chain = is_call
                && matches!(path.last(), Some(TokenTree::Ident(_)))
                && path.iter().all(is_link);
            let is_match = matches!(path.first(), Some(TokenTree::Ident(word)) if word == "match");
            (is_block || is_call) && path.iter().all(is_path) || is_chain || is_block && is_match
        }
        _ => false,
    }
}
