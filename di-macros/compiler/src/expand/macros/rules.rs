//! Macros by example, as the Rust reference says: patterns with fragments and repetitions, and what they become.

use crate::sorted::Map;
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};

/// What `macro_rules!` declares.
#[derive(Clone)]
pub(super) struct Rules(Vec<(Vec<Part>, Vec<Part>)>);

/// A part of a pattern, or of what it becomes.
#[derive(Clone)]
enum Part {
    Token(TokenTree),
    Group(Delimiter, Span, Vec<Part>),
    /// `$name`, with the kind of its fragment in a pattern.
    Variable(Ident, String),
    /// `$( .. ) , *`
    Repeated {
        parts: Vec<Part>,
        separator: Option<TokenTree>,
        times: char,
    },
}

/// What a variable stands for: code, or one for each repetition.
#[derive(Clone)]
enum Bound {
    One(TokenStream),
    Many(Vec<Bound>),
}

type Found = Map<String, Bound>;

impl Rules {
    /// The rules between the braces of a declaration. None if they are not read here.
    pub(super) fn new(tokens: TokenStream) -> Option<Rules> {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rules = Vec::new();
        let mut rest = &trees[..];
        while let [
            TokenTree::Group(pattern),
            TokenTree::Punct(_),
            TokenTree::Punct(_),
            TokenTree::Group(body),
            after @ ..,
        ] = rest
        {
            rules.push((
                parts_of(pattern.stream(), true)?,
                parts_of(body.stream(), false)?,
            ));
            rest = match after {
                [TokenTree::Punct(p), after @ ..] if p.as_char() == ';' => after,
                after => after,
            };
        }
        rest.is_empty().then_some(Rules(rules))
    }

    /// What a call with these arguments becomes. `own` gives each name that the macro itself writes, and each literal
    /// that it gives to another macro.
    pub(super) fn expanded(
        &self,
        arguments: TokenStream,
        own: &dyn Fn(&TokenTree) -> TokenTree,
    ) -> Option<TokenStream> {
        let trees: Vec<TokenTree> = arguments.into_iter().collect();
        self.0.iter().find_map(|(pattern, body)| {
            let mut found = Map::new();
            let rest = matched(pattern, &trees, &mut found)?;
            rest.is_empty().then(|| written(body, &found, own, false))?
        })
    }
}

fn parts_of(tokens: TokenStream, is_pattern: bool) -> Option<Vec<Part>> {
    let mut trees = tokens.into_iter().peekable();
    let mut parts = Vec::new();
    while let Some(tree) = trees.next() {
        parts.push(match tree {
            TokenTree::Punct(p) if p.as_char() == '$' => match trees.next()? {
                TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis => {
                    let parts = parts_of(g.stream(), is_pattern)?;
                    let (separator, times) = match trees.next()? {
                        TokenTree::Punct(p) if is_times(&p) => match trees.peek() {
                            // `$( .. )+*`
                            Some(TokenTree::Punct(next))
                                if is_times(next) && p.spacing() == Spacing::Joint =>
                            {
                                (Some(p.into()), trees.next())
                            }
                            _ => (None, Some(p.into())),
                        },
                        separator => (Some(separator), trees.next()),
                    };
                    let times = match times? {
                        TokenTree::Punct(p) if is_times(&p) => p.as_char(),
                        // a separator of two signs
                        _ => return None,
                    };
                    Part::Repeated {
                        parts,
                        separator,
                        times,
                    }
                }
                // `$crate`: it is called where it is declared
                TokenTree::Ident(name) if name == "crate" => Part::Token(name.into()),
                TokenTree::Ident(name) if is_pattern => {
                    let (_, kind) = (trees.next()?, trees.next()?);
                    Part::Variable(name, kind.to_string())
                }
                TokenTree::Ident(name) => Part::Variable(name, String::new()),
                _ => return None,
            },
            TokenTree::Group(g) => {
                Part::Group(g.delimiter(), g.span(), parts_of(g.stream(), is_pattern)?)
            }
            tree => Part::Token(tree),
        });
    }
    Some(parts)
}

fn is_times(p: &proc_macro2::Punct) -> bool {
    matches!(p.as_char(), '*' | '+' | '?')
}

/// What is left behind what the parts match.
fn matched<'t>(
    parts: &[Part],
    input: &'t [TokenTree],
    found: &mut Found,
) -> Option<&'t [TokenTree]> {
    let mut rest = input;
    for part in parts {
        rest = match part {
            Part::Token(token) => match rest.split_first()? {
                (first, rest) if is_same(first, token) => rest,
                _ => return None,
            },
            Part::Group(delimiter, _, parts) => match rest.split_first()? {
                (TokenTree::Group(g), rest) if g.delimiter() == *delimiter => {
                    let inner: Vec<TokenTree> = g.stream().into_iter().collect();
                    matched(parts, &inner, found)?.is_empty().then_some(rest)?
                }
                _ => return None,
            },
            Part::Variable(name, kind) => {
                let (code, rest) = fragment(kind, rest)?;
                found.insert(name.to_string(), Bound::One(code));
                rest
            }
            Part::Repeated {
                parts,
                separator,
                times,
            } => {
                let mut all: Vec<Found> = Vec::new();
                let mut rest = rest;
                while !(*times == '?' && all.len() == 1) {
                    let at = match (separator, rest.split_first()) {
                        (Some(separator), Some((first, after))) if !all.is_empty() => {
                            if !is_same(first, separator) {
                                break;
                            }
                            after
                        }
                        _ => rest,
                    };
                    let mut one = Map::new();
                    match matched(parts, at, &mut one) {
                        Some(after) if after.len() < at.len() => rest = after,
                        _ => break,
                    }
                    all.push(one);
                }
                if *times == '+' && all.is_empty() {
                    return None;
                }
                for name in variables(parts) {
                    let each = all.iter_mut().filter_map(|one| one.remove(&name));
                    let each = each.collect();
                    found.insert(name, Bound::Many(each));
                }
                rest
            }
        };
    }
    Some(rest)
}

fn is_same(a: &TokenTree, b: &TokenTree) -> bool {
    !matches!(a, TokenTree::Group(_)) && a.to_string() == b.to_string()
}

/// The variables of a pattern.
fn variables(parts: &[Part]) -> Vec<String> {
    let each = parts.iter().flat_map(|part| match part {
        Part::Token(_) => Vec::new(),
        Part::Variable(name, _) => vec![name.to_string()],
        Part::Group(_, _, parts) | Part::Repeated { parts, .. } => variables(parts),
    });
    each.collect()
}

/// The fragment of a kind that the input begins with, and what is left.
fn fragment<'t>(kind: &str, input: &'t [TokenTree]) -> Option<(TokenStream, &'t [TokenTree])> {
    if kind == "tt" {
        return (!input.is_empty()).then(|| {
            let (own, rest) = input.split_at(signs(input));
            (own.iter().cloned().collect(), rest)
        });
    }
    let parse = |input: ParseStream<'_>| {
        let begin = input.fork();
        match kind {
            "block" => drop(input.parse::<syn::Block>()?),
            "expr" | "expr_2021" => drop(input.parse::<syn::Expr>()?),
            "ident" => drop(input.parse::<Ident>()?),
            "item" => drop(input.parse::<syn::Item>()?),
            "lifetime" => drop(input.parse::<syn::Lifetime>()?),
            "literal" => {
                input.parse::<Option<syn::Token![-]>>()?;
                drop(input.parse::<syn::Lit>()?);
            }
            "meta" => drop(input.parse::<syn::Meta>()?),
            "pat" => drop(syn::Pat::parse_multi_with_leading_vert(input)?),
            "pat_param" => drop(syn::Pat::parse_single(input)?),
            "path" => drop(input.parse::<syn::Path>()?),
            "ty" => drop(input.parse::<syn::Type>()?),
            "vis" => drop(input.parse::<syn::Visibility>()?),
            _ => return Err(begin.error("a fragment")),
        }
        input.parse::<TokenStream>()
    };
    if kind == "stmt" {
        // `let` without its semicolon
        let is_end = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if matches!(p.as_char(), ',' | ';'));
        let len = input.iter().position(is_end).unwrap_or(input.len());
        let code: TokenStream = input[..len].iter().cloned().collect();
        // it is whole where it stands, whether a semicolon follows or not
        let code = crate::template::quote!(#code;);
        syn::parse2::<syn::Stmt>(code.clone()).ok()?;
        return Some((code, &input[len..]));
    }
    let rest = parse.parse2(input.iter().cloned().collect()).ok()?;
    let (own, rest) = input.split_at(input.len() - rest.into_iter().count());
    let code: TokenStream = own.iter().cloned().collect();
    let code = match kind {
        // it binds as one, and another macro does not look into it
        "expr" | "expr_2021" => Group::new(Delimiter::None, code).into_token_stream(),
        "literal" if own.len() > 1 => Group::new(Delimiter::None, code).into_token_stream(),
        _ => code,
    };
    Some((code, rest))
}

/// Of how many trees the first token is: `+=` and `'a` are of two.
fn signs(input: &[TokenTree]) -> usize {
    const OF_THREE: [&str; 4] = ["<<=", ">>=", "...", "..="];
    const OF_TWO: [&str; 21] = [
        "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "==", "!=", ">=",
        "<=", "..", "::", "->", "=>", "<-",
    ];
    let mut text = String::new();
    for tree in input.iter().take(3) {
        match tree {
            TokenTree::Punct(p) => {
                text.push(p.as_char());
                if p.spacing() == Spacing::Alone {
                    break;
                }
            }
            _ if text == "'" => return 2,
            _ => break,
        }
    }
    let is = |all: &[&str], len: usize| text.get(..len).is_some_and(|text| all.contains(&text));
    if is(&OF_THREE, 3) {
        3
    } else if is(&OF_TWO, 2) {
        2
    } else {
        1
    }
}

/// What the body of a rule becomes. `is_given`: to another macro.
fn written(
    parts: &[Part],
    found: &Found,
    own: &dyn Fn(&TokenTree) -> TokenTree,
    is_given: bool,
) -> Option<TokenStream> {
    let mut tokens = TokenStream::new();
    let mut is_call = false;
    for part in parts {
        let was_call = is_call;
        is_call = matches!(part, Part::Token(TokenTree::Punct(p)) if p.as_char() == '!');
        match part {
            Part::Token(TokenTree::Literal(of)) if !is_given => of.to_tokens(&mut tokens),
            Part::Token(tree) => own(tree).to_tokens(&mut tokens),
            Part::Group(delimiter, span, parts) => {
                let inner = written(parts, found, own, is_given || was_call)?;
                let mut group = Group::new(*delimiter, inner);
                group.set_span(*span);
                group.to_tokens(&mut tokens);
            }
            Part::Variable(name, _) => match found.get(&name.to_string())? {
                Bound::One(code) => code.to_tokens(&mut tokens),
                Bound::Many(_) => return None,
            },
            Part::Repeated {
                parts, separator, ..
            } => {
                let names = variables(parts);
                let lists = names.iter().filter_map(|name| match found.get(name) {
                    Some(Bound::Many(each)) => Some(each.len()),
                    _ => None,
                });
                let times = lists.max()?;
                for k in 0..times {
                    let mut one = found.clone();
                    for name in &names {
                        if let Some(Bound::Many(each)) = found.get(name) {
                            one.insert(name.clone(), each.get(k)?.clone());
                        }
                    }
                    if k > 0 {
                        separator.to_tokens(&mut tokens);
                    }
                    tokens.extend(written(parts, &one, own, is_given)?);
                }
            }
        }
    }
    Some(tokens)
}
