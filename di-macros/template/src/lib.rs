//! `quote!` and `parse_quote!` that are quick to compile.
//!
//! `quote::quote!` becomes a call for each token, of which the compiler behind `#[differentiable]` has fifty
//! thousand. Here all tokens of a template are one text, which the compiler reads at run time (its module
//! `template`).

use proc_macro::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};
use std::collections::BTreeMap;

/// Tokens, with `#name` and `#(..)*` for tokens that are not constant. As `quote::quote!`.
#[proc_macro]
pub fn quote(input: TokenStream) -> TokenStream {
    Template::of(input).call("tokens")
}

/// What these tokens are as syntax. As `syn::parse_quote!`.
///
/// # Panics
///
/// The expansion panics if the tokens are something else.
#[proc_macro]
pub fn parse_quote(input: TokenStream) -> TokenStream {
    Template::of(input).call("parsed")
}

/// What is constant, and what goes into its holes.
#[derive(Default)]
struct Template {
    /// Tokens, one a line; `\u{1}` is a hole.
    text: String,
    /// References, with a comma after each.
    holes: TokenStream,
    /// All names in holes, also in what is repeated.
    names: BTreeMap<String, Ident>,
}

impl Template {
    fn of(tokens: TokenStream) -> Template {
        let mut template = Template::default();
        template.read(tokens);
        template
    }

    /// The call of a function of the compiler's module `template`.
    fn call(self, function: &str) -> TokenStream {
        let function = TokenTree::from(Ident::new(function, Span::call_site()));
        code("crate::template::$($)", [function.into(), self.arguments()])
    }

    fn arguments(self) -> TokenStream {
        let text = TokenTree::from(Literal::string(self.text.trim_end()));
        code("$, &[$]", [text.into(), self.holes])
    }

    fn read(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(g) => {
                    let (open, close) = match g.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => panic!("what a macro has captured is not quoted"),
                    };
                    self.line(open);
                    self.read(g.stream());
                    self.line(close);
                }
                TokenTree::Punct(p) if p.as_char() == '#' => match tokens.peek().cloned() {
                    Some(TokenTree::Ident(name)) => {
                        tokens.next();
                        self.names.insert(name.to_string(), name.clone());
                        self.hole(TokenTree::from(name).into());
                    }
                    Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis => {
                        tokens.next();
                        let is_star =
                            |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == '*');
                        let between = tokens.by_ref().take_while(|token| !is_star(token));
                        let between = Template::of(between.collect());
                        self.repeat(Template::of(g.stream()), &between.text);
                    }
                    _ => self.line("#"),
                },
                TokenTree::Punct(p) => {
                    let mut operator = p.as_char().to_string();
                    let mut joint = p.spacing() == Spacing::Joint;
                    while let Some(TokenTree::Punct(next)) = tokens.peek()
                        && joint
                        && is_operator(&operator, next.as_char())
                    {
                        operator.push(next.as_char());
                        joint = next.spacing() == Spacing::Joint;
                        tokens.next();
                    }
                    if operator == "'" {
                        let name = tokens.next().expect("a lifetime has a name");
                        operator.push_str(&name.to_string());
                    }
                    self.line(&operator);
                }
                token => self.line(&token.to_string()),
            }
        }
    }

    fn line(&mut self, token: &str) {
        assert!(!token.contains('\n'), "a literal on more than one line");
        self.text.push_str(token);
        self.text.push('\n');
    }

    fn hole(&mut self, value: TokenStream) {
        self.line("\u{1}");
        self.holes.extend(code("&$,", [value]));
    }

    /// A hole for what is written for each element of what its names stand for.
    fn repeat(&mut self, each: Template, between: &str) {
        let names = each.names.values().cloned();
        let names: Vec<TokenStream> = names.map(|name| TokenTree::from(name).into()).collect();
        // `$` is the name, twice at most.
        let all = |text: &str| -> TokenStream {
            let each = names.iter();
            each.flat_map(|name| code(text, [name.clone(), name.clone()]))
                .collect()
        };
        let loop_over = "{
            use crate::template::each::*;
            $
            let mut __all = crate::template::Repeated::new($, $ false);
            while let ($) = ($) {
                __all.push($);
            }
            __all
        }";
        let between = TokenTree::from(Literal::string(between.trim_end()));
        let bind = all("let mut $ = $.each();");
        let (ends, some, next) = (all("$.ends |"), all("Some($),"), all("$.of.next(),"));
        let of = each.arguments();
        self.hole(code(
            loop_over,
            [bind, between.into(), ends, some, next, of],
        ));
    }
}

/// Code with these tokens in the places of its `$`.
fn code<const N: usize>(text: &str, holes: [TokenStream; N]) -> TokenStream {
    filled(text.parse().expect("code"), &mut holes.into_iter())
}

fn filled(tokens: TokenStream, holes: &mut dyn Iterator<Item = TokenStream>) -> TokenStream {
    let mut to = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Group(g) => {
                let inner = filled(g.stream(), holes);
                to.extend([TokenTree::from(Group::new(g.delimiter(), inner))]);
            }
            TokenTree::Punct(p) if p.as_char() == '$' => to.extend(holes.next()),
            token => to.extend([token]),
        }
    }
    to
}

/// Whether this character makes a longer operator.
fn is_operator(start: &str, next: char) -> bool {
    let long = format!("{start}{next}");
    let operators = [
        "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<",
        ">>", "->", "=>", "..", "::", "<<=", ">>=", "...", "..=",
    ];
    operators.contains(&long.as_str())
}
