//! Code that the macros of `di_template` have made one text of.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::str::Lines;
use syn::parse::{ParseStream, Parser};

pub(crate) use di_template::{parse_quote, quote};

/// The tokens of a template, with these in its holes.
pub(crate) fn tokens(text: &'static str, holes: &[&dyn ToTokens]) -> TokenStream {
    let mut to = TokenStream::new();
    up_to_close(&mut to, &mut text.lines(), &mut holes.iter());
    to
}

/// `(a, (b, ()))`, as types, patterns or expressions.
pub(crate) fn list(items: impl IntoIterator<Item: ToTokens>) -> TokenStream {
    let items: Vec<_> = items.into_iter().collect();
    let last_first = items.iter().rev();
    last_first.fold(quote!(()), |rest, item| quote!((#item, #rest)))
}

/// What a template is as syntax.
pub(crate) fn parsed<T: Syntax>(text: &'static str, holes: &[&dyn ToTokens]) -> T {
    let tokens = tokens(text, holes);
    match T::read.parse2(tokens.clone()) {
        Ok(parsed) => parsed,
        Err(e) => panic!("{e}: {tokens}"),
    }
}

/// What is written for each of several elements.
pub(crate) struct Repeated {
    all: TokenStream,
    between: &'static str,
    any: bool,
}

impl Repeated {
    /// Nothing yet. One of the names that are repeated has to end.
    pub(crate) fn new(between: &'static str, ends: bool) -> Repeated {
        assert!(ends, "nothing says how often this is repeated");
        Repeated {
            all: TokenStream::new(),
            between,
            any: false,
        }
    }

    /// Writes the template once more.
    pub(crate) fn push(&mut self, text: &'static str, holes: &[&dyn ToTokens]) {
        let between = match std::mem::replace(&mut self.any, true) {
            true => self.between,
            false => "",
        };
        for (text, holes) in [(between, &[][..]), (text, holes)] {
            up_to_close(&mut self.all, &mut text.lines(), &mut holes.iter());
        }
    }
}

impl ToTokens for Repeated {
    fn to_tokens(&self, to: &mut TokenStream) {
        to.extend(self.all.clone());
    }
}

/// What a name in a repetition stands for: each element of a slice, what an iterator returns, or the same tokens
/// each time.
pub(crate) mod each {
    use super::ToTokens;
    use std::iter::{Repeat, repeat};

    pub(crate) struct Each<I> {
        pub(crate) of: I,
        /// Whether there is a last one.
        pub(crate) ends: bool,
    }

    pub(crate) trait Iterated: Iterator + Sized {
        fn each(self) -> Each<Self> {
            Each {
                of: self,
                ends: true,
            }
        }
    }

    impl<I: Iterator> Iterated for I {}

    pub(crate) trait Elements {
        type Element;
        fn each(&self) -> Each<std::slice::Iter<'_, Self::Element>>;
    }

    impl<T> Elements for [T] {
        type Element = T;
        fn each(&self) -> Each<std::slice::Iter<'_, T>> {
            self.iter().each()
        }
    }

    pub(crate) trait Same: ToTokens {
        fn each(&self) -> Each<Repeat<&Self>> {
            Each {
                of: repeat(self),
                ends: false,
            }
        }
    }

    impl<T: ToTokens + ?Sized> Same for T {}
}

/// What templates are written of.
pub(crate) trait Syntax: Sized {
    fn read(input: ParseStream<'_>) -> syn::Result<Self>;
}

macro_rules! parsed_as_they_are {
    ($($syntax:ty),* $(,)?) => {
        $(impl Syntax for $syntax {
            fn read(input: ParseStream<'_>) -> syn::Result<Self> {
                input.parse()
            }
        })*
    };
}

parsed_as_they_are!(
    TokenStream,
    syn::AngleBracketedGenericArguments,
    syn::Arm,
    syn::BinOp,
    syn::Block,
    syn::Expr,
    syn::ExprAssign,
    syn::ExprCall,
    syn::ExprClosure,
    syn::ExprForLoop,
    syn::ExprMacro,
    syn::ExprMethodCall,
    syn::ExprPath,
    syn::ExprRange,
    syn::FieldValue,
    syn::FieldsNamed,
    syn::FnArg,
    syn::GenericParam,
    syn::Ident,
    syn::ImplItem,
    syn::Item,
    syn::ItemImpl,
    syn::Lifetime,
    syn::Macro,
    syn::PatType,
    syn::Path,
    syn::PathSegment,
    syn::Receiver,
    syn::ReturnType,
    syn::Signature,
    syn::Stmt,
    syn::Token![,],
    syn::Token![..],
    syn::Type,
    syn::TypeParamBound,
    syn::UseTree,
    syn::Visibility,
    syn::WherePredicate
);

impl<T: Syntax> Syntax for Box<T> {
    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        T::read(input).map(Self::new)
    }
}

impl Syntax for syn::Pat {
    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        Self::parse_multi_with_leading_vert(input)
    }
}

impl Syntax for syn::Attribute {
    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let found = input.call(Self::parse_outer)?.pop();
        found.ok_or_else(|| input.error("no attribute"))
    }
}

type Holes<'a, 'h> = std::slice::Iter<'a, &'h dyn ToTokens>;

fn up_to_close(to: &mut TokenStream, lines: &mut Lines<'static>, holes: &mut Holes<'_, '_>) {
    while let Some(line) = lines.next() {
        let mut characters = line.chars();
        let first = characters.next().unwrap_or(' ');
        let tree: TokenTree = match first {
            ')' | ']' | '}' => break,
            '\u{1}' => {
                if let Some(hole) = holes.next() {
                    hole.to_tokens(to);
                }
                continue;
            }
            '(' => group(Delimiter::Parenthesis, lines, holes),
            '[' => group(Delimiter::Bracket, lines, holes),
            '{' => group(Delimiter::Brace, lines, holes),
            '\'' if !line.ends_with('\'') => {
                to.extend([TokenTree::from(Punct::new('\'', Spacing::Joint))]);
                name(characters.as_str())
            }
            '"' | '\'' | '0'..='9' => literal(line),
            'b' | 'c' | 'r' if line.ends_with(['"', '#', '\'']) => literal(line),
            _ if first == '_' || first.is_alphabetic() => name(line),
            _ => {
                let last = line.len() - 1;
                for joint in line[..last].chars() {
                    to.extend([TokenTree::from(Punct::new(joint, Spacing::Joint))]);
                }
                let last = line[last..].chars().next().unwrap_or(' ');
                Punct::new(last, Spacing::Alone).into()
            }
        };
        to.extend([tree]);
    }
}

fn group(delimiter: Delimiter, lines: &mut Lines<'static>, holes: &mut Holes<'_, '_>) -> TokenTree {
    let mut inner = TokenStream::new();
    up_to_close(&mut inner, lines, holes);
    Group::new(delimiter, inner).into()
}

fn name(text: &str) -> TokenTree {
    match text.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(text, Span::call_site()),
    }
    .into()
}

fn literal(text: &str) -> TokenTree {
    match text.parse::<Literal>() {
        Ok(literal) => literal.into(),
        Err(_) => panic!("no literal: {text}"),
    }
}
