//! What to do about constant code that reads what depends on the inputs: it follows from what the code does with it.

use crate::symbol;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What code does with a value.
enum Use {
    /// It is an argument of the function with this path.
    Function(String),
    /// It is an argument of the method.
    Method(String),
    /// It is an argument of the function in this field.
    Field(String),
    /// It is a part of a struct or of a variant of an enum.
    Part(String),
}

/// Methods of collections that hold constants alone.
const OF_COLLECTIONS: [&str; 6] = [
    "entry",
    "insert",
    "or_insert",
    "push_back",
    "push_front",
    "extend",
];

/// Help on the use of the variable, if that is known. `is_parameter`: whether a name is that of a parameter.
pub(super) fn help(
    name: &str,
    code: &TokenStream,
    is_parameter: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let passive = "if its derivative does not matter, write `passive(..)` around the call";
    Some(match used(name, code)? {
        Use::Function(of) if of.ends_with("::from") || of.ends_with("::from_iter") => collections(),
        Use::Function(of) if is_parameter(&of) => format!(
            "take `{of}` as `impl Fn(f64) -> f64`, without the mark `#[constant]`; or {passive}"
        ),
        Use::Function(of) => {
            format!("put `#[differentiable]` on the function `{of}`; {passive}")
        }
        Use::Method(of) if OF_COLLECTIONS.contains(&&*of) => collections(),
        Use::Method(of) => format!(
            "put `#[differentiable]` on the `impl` block of the method `{of}`; if it is there, bind what the method is \
             called on with its type, `let p: P = ..;`; for a method of a `#[constant]` parameter, remove that mark and \
             write `f::AD.fix_p(&p)`; {passive}"
        ),
        Use::Field(of) => format!(
            "in the place of the function in `{of}` hold an enum, and return the function from a method of it: \
             `fn f(&self) -> fn(f64) -> f64 {{ match self {{ Kind::Square => square, Kind::Sine => f64::sin }} }}`; \
             {passive}"
        ),
        Use::Part(of) => format!(
            "put `#[derive(Differentiable)]` on the struct `{of}`, and remove marks `#[constant]` from its fields; an enum \
             cannot hold it: pass the number beside the enum"
        ),
    })
}

/// What to write where a float is read out of state that keeps what varies.
pub(super) fn of_state() -> String {
    let texts = "a number that is read of a text has no derivative: use the number that was written, or write `passive(..)` around it";
    format!("{texts}; {}", collections())
}

fn collections() -> String {
    "sets, heaps and linked lists hold constants alone, as do maps and deques that are passed to other functions, returned, or kept in structs: write a vector of numbers, and a map to the places in it".to_owned()
}

/// What the innermost part of the code around the variable does with it.
fn used(name: &str, code: &TokenStream) -> Option<Use> {
    let trees: Vec<TokenTree> = code.clone().into_iter().collect();
    trees.iter().enumerate().find_map(|(k, tree)| {
        let TokenTree::Group(group) = tree else {
            return None;
        };
        let inner = group.stream();
        if !names(name, &inner) {
            return None;
        }
        // what is computed first goes into something else
        let is_last = |of: &Use| match of {
            Use::Method(of) => symbol::elementary(of).is_none(),
            Use::Function(of) => {
                !(of == "passive" || of.starts_with("f64::") || of.starts_with("f32::"))
            }
            Use::Field(_) | Use::Part(_) => true,
        };
        let inside = used(name, &inner).filter(is_last);
        inside.or_else(|| around(&trees[..k], group.delimiter()))
    })
}

fn names(name: &str, code: &TokenStream) -> bool {
    code.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => names(name, &group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// What stands in front of a group: `f`, `.m` or `P`.
fn around(before: &[TokenTree], delimiter: Delimiter) -> Option<Use> {
    let (last, rest) = before.split_last()?;
    let is_punct =
        |tree: &TokenTree, c: char| matches!(tree, TokenTree::Punct(p) if p.as_char() == c);
    // `(self.act)(x)`
    if let (TokenTree::Group(of), Delimiter::Parenthesis) = (last, delimiter)
        && !matches!(rest.last(), Some(TokenTree::Ident(_)))
        && let [.., dot, TokenTree::Ident(field)] = &of.stream().into_iter().collect::<Vec<_>>()[..]
        && is_punct(dot, '.')
    {
        return Some(Use::Field(field.to_string()));
    }
    let TokenTree::Ident(last) = last else {
        return None;
    };
    let mut path = last.to_string();
    if is_word(&path) {
        return None;
    }
    if rest.last().is_some_and(|tree| is_punct(tree, '.')) {
        return (delimiter == Delimiter::Parenthesis).then_some(Use::Method(path));
    }
    let mut rest = rest;
    while let [start @ .., TokenTree::Ident(of), a, b] = rest
        && is_punct(a, ':')
        && is_punct(b, ':')
    {
        path = format!("{of}::{path}");
        rest = start;
    }
    let last = path.rsplit("::").next().unwrap_or(&path);
    match (delimiter, last.starts_with(char::is_uppercase)) {
        // of an option or a result the rest of the code tells more
        (Delimiter::Parenthesis, true) if ["Some", "Ok", "Err"].contains(&last) => None,
        (Delimiter::Brace | Delimiter::Parenthesis, true) => Some(Use::Part(path)),
        (Delimiter::Parenthesis, false) => Some(Use::Function(path)),
        _ => None,
    }
}

/// Whether a name is a word of the language, which a group may follow.
fn is_word(name: &str) -> bool {
    [
        "else", "if", "in", "let", "loop", "match", "move", "return", "unsafe", "while",
    ]
    .contains(&name)
}
