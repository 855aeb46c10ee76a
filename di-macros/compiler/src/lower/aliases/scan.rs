//! Reads aliases, enums, structs and annotated `impl` blocks in the text of a file, and the modules that they
//! stand in.

use crate::symbol::OPERATOR_TRAITS;
use proc_macro2::LineColumn;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// `type Name = T;`
    Alias,
    /// `struct Name<T> ..`, up to its fields, with `#[derive(Differentiable)]` if it has that.
    Struct,
    /// `struct Name<'a, const N: usize> { .. }` that is not derived, with its fields.
    Plain,
    /// `#[derive(Differentiable)] struct Name { .. }`, with its fields, or an enum.
    Derived,
    /// `enum Name { .. }`
    Enum,
    /// `const NAME: T = ..;`, and statics.
    Constant,
    /// `fn name(..) { .. }` whose derivative is that of its body.
    Function,
    /// The same without an attribute of ours.
    PlainFunction,
    /// `#[differentiable] impl Name { .. }`
    Block,
    /// `impl Name { .. }` and `impl Trait for Name { .. }` without an attribute of ours.
    PlainBlock,
    /// `macro_rules! name { .. }`
    Macro,
    /// `trait Name { .. }`
    Trait,
    /// `use a::{b, c};`
    Use,
    /// `mod name;`, with the file that `#[path]` says.
    File,
    /// The module itself; with its text if it is annotated.
    Module,
}

/// An item.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) what: What,
    /// Empty for blocks, imports and modules.
    pub(super) name: String,
    /// The item as it is written.
    pub(super) text: Arc<str>,
    /// Who sees it, without spaces.
    pub(super) vis: String,
    /// The path of the inline modules that it stands in, or that it is: `a::b`; empty for the file's own.
    pub(super) module: String,
    /// The lines of that module.
    pub(super) lines: Lines,
}

/// Where a module begins and ends in its file.
pub(super) type Lines = RangeInclusive<LineColumn>;

/// Before all lines.
const NOWHERE: LineColumn = LineColumn { line: 0, column: 0 };

/// Behind all lines.
const END: LineColumn = LineColumn {
    line: usize::MAX,
    column: 0,
};

/// The lines of no module.
pub(super) const NO_LINES: Lines = NOWHERE..=NOWHERE;

/// The items that code at a place of the file sees: those of the innermost module that has one of the name. One that is there
/// twice, for different targets, is left out.
pub(super) fn seen_from(all: &[Found], at: LineColumn) -> Vec<Found> {
    let around = |item: &&Found| item.lines.contains(&at);
    let inside = |a: &Found, b: &Found| {
        a.name == b.name
            && a.what != What::File
            && a.lines.contains(&at)
            && a.lines.start() >= b.lines.start()
    };
    let is_seen = |b: &&Found| {
        b.name.is_empty()
            || b.what == What::File
            || all.iter().filter(|a| inside(a, b)).count() == 1
    };
    all.iter().filter(around).filter(is_seen).cloned().collect()
}

/// All such items in modules, not those in functions, traits and `impl` blocks.
pub(super) fn items(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let first = LineColumn { line: 1, column: 0 };
    let mut open = vec![Block::new(Some(String::new()), first, 0)];
    for Token { word, start, at } in tokens(text) {
        let Some(block) = open.last_mut() else {
            break;
        };
        match word {
            "{" => {
                let name = match (&block.head[..], &*block.name) {
                    (["mod", name], "") if block.is_module => Some((*name).to_owned()),
                    (["mod", name], outer) if block.is_module => Some(format!("{outer}::{name}")),
                    _ => None,
                };
                let vis = block.is_seen_by.clone();
                open.push(Block {
                    own_vis: vis,
                    ..Block::new(name, at, found.len())
                });
                continue;
            }
            "}" => {
                let lines = block.begin..=at;
                found.extend(block.module());
                close(&mut found[block.first..], block.is_module, &lines);
                if open.len() > 1 {
                    open.pop();
                }
                if let Some(block) = open.last_mut()
                    && block.depth == 0
                    && !block.ends_with_semicolon()
                {
                    let item = &text[block.start..=start];
                    if let (true, Some(module)) = (block.is_ours, found.last_mut())
                        && module.what == What::Module
                        && block.head.first() == Some(&"mod")
                    {
                        module.text = item.into();
                    }
                    found.extend(block.item(item));
                    block.begin();
                }
                continue;
            }
            "(" | "[" => block.depth += 1,
            ")" | "]" => block.depth = block.depth.saturating_sub(1),
            "cfg" if block.depth > 0 => block.is_conditional = true,
            "Differentiable" | "differentiable" if block.depth > 0 && block.head.is_empty() => {
                block.is_ours = true;
                block.is_derived |= word == "Differentiable";
            }
            "path" if block.depth > 0 && block.head.is_empty() => {
                block.path = text[start..].split('"').nth(1).unwrap_or_default();
            }
            "custom_rule" | "generic" | "implicit" | "skip" | "strong_zeros"
                if block.depth > 0 && block.head.is_empty() =>
            {
                block.has_rule = true;
            }
            "Clone" if block.depth > 0 && block.head.is_empty() => block.is_clone = true,
            "non_exhaustive" if block.depth > 0 && block.head.is_empty() => block.is_open = true,
            ";" if block.depth == 0 => {
                found.extend(block.item(&text[block.start..=start]));
                block.begin();
            }
            // a name, a keyword, or the sign that ends the part with the name
            "pub" if block.head.is_empty() => block.vis = Some(start),
            "#" | "!" | "unsafe" if block.head.is_empty() => {}
            _ if block.depth == 0 && block.head.last() != Some(&"=") => {
                if block.head.is_empty() {
                    block.start = start;
                    let vis = block.vis.map_or("", |vis| &text[vis..start]);
                    block.is_seen_by = vis.split_whitespace().collect();
                }
                block.head.push(word);
            }
            _ => {}
        }
    }
    if let [file] = &open[..] {
        found.extend(file.module());
        close(&mut found, file.is_module, &(first..=END));
    }
    found.retain(|item| item.lines != NO_LINES);
    found
}

/// Gives the items that stand in a module itself its lines.
fn close(found: &mut [Found], is_module: bool, lines: &Lines) {
    for item in found
        .iter_mut()
        .filter(|a| a.lines == NO_LINES && is_module)
    {
        item.lines = lines.clone();
    }
}

/// What is between braces, or the file.
struct Block<'a> {
    is_module: bool,
    /// The path of the module.
    name: String,
    begin: LineColumn,
    /// Number of items before it.
    first: usize,
    /// How many brackets are open.
    depth: usize,
    /// Words of the item that is read, up to `=`.
    head: Vec<&'a str>,
    /// Where the item begins.
    start: usize,
    /// Where its visibility begins.
    vis: Option<usize>,
    is_seen_by: String,
    /// Who sees the module.
    own_vis: String,
    is_conditional: bool,
    /// Whether its attribute is ours.
    is_ours: bool,
    /// Whether that is the derive.
    is_derived: bool,
    /// Whether its derivative is not that of its body.
    has_rule: bool,
    /// Whether it derives `Clone`.
    is_clone: bool,
    /// Whether other crates cannot name all of it.
    is_open: bool,
    /// The file that its attribute says.
    path: &'a str,
}

impl<'a> Block<'a> {
    /// Of a module if it has a name.
    fn new(name: Option<String>, begin: LineColumn, first: usize) -> Self {
        Block {
            is_module: name.is_some(),
            name: name.unwrap_or_default(),
            begin,
            first,
            depth: 0,
            head: Vec::new(),
            start: 0,
            vis: None,
            is_seen_by: String::new(),
            own_vis: String::new(),
            is_conditional: false,
            is_ours: false,
            is_derived: false,
            has_rule: false,
            is_clone: false,
            is_open: false,
            path: "",
        }
    }

    /// Whether braces do not end the item that is read.
    fn ends_with_semicolon(&self) -> bool {
        matches!(
            &self.head[..],
            ["use", ..] | ["const" | "static", _, ":", ..]
        )
    }

    fn module(&self) -> Option<Found> {
        self.is_module.then(|| Found {
            what: What::Module,
            name: String::new(),
            text: Arc::default(),
            vis: self.own_vis.clone(),
            module: self.name.clone(),
            lines: NO_LINES,
        })
    }

    /// The item that was read.
    fn item(&self, text: &str) -> Option<Found> {
        // an alias has a name, maybe parameters without defaults, and a type
        let (what, name) = match &self.head[..] {
            ["type", name, "="] | ["type", name, "<", .., ">", "="] => (What::Alias, *name),
            ["struct", name] if !self.is_ours => (What::Plain, *name),
            ["struct", name, "<", params @ .., ">"] if !self.is_ours && !has_types(params) => {
                (What::Plain, *name)
            }
            ["struct", name, "<", .., ">"] => (What::Struct, *name),
            ["struct", name] => (What::Derived, *name),
            ["enum", name] if self.is_derived => (What::Derived, *name),
            ["enum", name] => (What::Enum, *name),
            ["const" | "static", name, ":", ..] => (What::Constant, *name),
            ["fn", name, ..] | ["const", "fn", name, ..] if !self.has_rule => match self.is_ours {
                true => (What::Function, *name),
                false => (What::PlainFunction, *name),
            },
            ["impl", ..] if self.is_ours => (What::Block, ""),
            ["impl", _] | ["impl", _, "for", _] => (What::PlainBlock, ""),
            ["impl", "<", words @ ..] if !words.contains(&"for") => (What::PlainBlock, ""),
            ["impl", words @ ..] if words.iter().any(|word| is_called_by_sign(word)) => {
                (What::PlainBlock, "")
            }
            ["macro_rules", "!", name] => (What::Macro, *name),
            ["trait", name] | ["trait", name, ":", ..] => (What::Trait, *name),
            ["use", ..] => (What::Use, ""),
            ["mod", name] if text.ends_with(';') => (What::File, *name),
            _ => return None,
        };
        let text = match what {
            What::Plain | What::Enum if self.is_clone => {
                let open = ["", "#[non_exhaustive] "][usize::from(self.is_open)];
                format!("#[derive(Clone)] {open}{text}")
            }
            What::Alias
            | What::Plain
            | What::Derived
            | What::Enum
            | What::Constant
            | What::Function
            | What::PlainFunction
            | What::PlainBlock
            | What::Macro
            | What::Trait
            | What::Use => text.to_owned(),
            What::Struct => {
                let derive = ["", super::DERIVED][usize::from(self.is_ours)];
                let head = text.split(['(', '{']).next()?.trim_end_matches(';');
                format!("{derive}{head};")
            }
            What::Block => super::blocks::read(text)?,
            What::File => self.path.to_owned(),
            What::Module => return None,
        };
        let found = Found {
            what,
            name: name.to_owned(),
            text: text.into(),
            vis: self.is_seen_by.clone(),
            module: self.name.clone(),
            lines: NO_LINES,
        };
        // a file is looked for where it is needed
        let is_there = !self.is_conditional || what == What::File;
        (self.is_module && is_there).then_some(found)
    }

    /// Another item begins.
    fn begin(&mut self) {
        (self.head, self.is_conditional) = (Vec::new(), false);
        (self.is_ours, self.is_clone, self.is_open) = (false, false, false);
        (self.has_rule, self.is_derived) = (false, false);
        (self.path, self.vis) = ("", None);
    }
}

/// Whether types are among the parameters of generics: they begin with a capital letter, as lengths do behind `const`.
fn has_types(params: &[&str]) -> bool {
    let is_type = |k: usize| {
        params[k].starts_with(char::is_uppercase) && (k == 0 || params[k - 1] != "const")
    };
    (0..params.len()).any(is_type)
}

/// A word or a sign.
pub(super) struct Token<'a> {
    pub(super) word: &'a str,
    /// Where it begins, in bytes.
    start: usize,
    at: LineColumn,
}

/// Words and signs, without comments and literals.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let at = |k: usize| bytes.get(k).copied().unwrap_or(0);
    let (mut found, mut k, mut counted) = (Vec::new(), 0, 0);
    let mut place = LineColumn { line: 1, column: 0 };
    while k < bytes.len() {
        let start = k;
        match at(k) {
            b'/' if at(k + 1) == b'/' => {
                while k < bytes.len() && at(k) != b'\n' {
                    k += 1;
                }
                continue;
            }
            b'/' if at(k + 1) == b'*' => {
                k = end_of_comment(bytes, k);
                continue;
            }
            b'"' => {
                k = end_of_string(bytes, k);
                continue;
            }
            b'\'' => {
                k = end_of_character(text, k);
                continue;
            }
            c if is_in_word(c) => {
                while is_in_word(at(k)) {
                    k += 1;
                }
                if let Some(end) = end_of_raw_string(bytes, start, k) {
                    k = end;
                    continue;
                }
            }
            _ => k += 1,
        }
        let before = &text[counted..start];
        if let Some((above, line)) = before.rsplit_once('\n') {
            place.line += above.matches('\n').count() + 1;
            place.column = line.chars().count();
        } else {
            place.column += before.chars().count();
        }
        counted = start;
        if !at(start).is_ascii_whitespace() {
            let word = &text[start..k];
            found.push(Token {
                word,
                start,
                at: place,
            });
        }
    }
    found
}

fn is_in_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80
}

/// Comments stand in each other.
fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let (mut k, mut depth) = (start, 0);
    while k < bytes.len() {
        match bytes.get(k..k + 2) {
            Some(b"/*") => (k, depth) = (k + 2, depth + 1),
            Some(b"*/") => (k, depth) = (k + 2, depth - 1),
            _ => k += 1,
        }
        if depth == 0 {
            return k;
        }
    }
    k
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut k = start + 1;
    while k < bytes.len() && bytes[k] != b'"' {
        k += if bytes[k] == b'\\' { 2 } else { 1 };
    }
    k + 1
}

/// Behind a literal, or behind the quote of a lifetime.
fn end_of_character(text: &str, start: usize) -> usize {
    let mut inside = text[start + 1..].char_indices();
    match inside.next() {
        // the escaped character may be a quote
        Some((_, '\\')) => {
            let rest = text.as_bytes().get(start + 3..).unwrap_or_default();
            let end = rest.iter().position(|c| *c == b'\'');
            end.map_or(text.len(), |k| start + 3 + k + 1)
        }
        Some(_) => match inside.next() {
            Some((k, '\'')) => start + 1 + k + 1,
            _ => start + 1,
        },
        None => text.len(),
    }
}

/// Behind the raw string whose prefix the word is. `r#name` is none.
fn end_of_raw_string(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    if !matches!(&bytes[start..end], b"r" | b"br" | b"cr") {
        return None;
    }
    let signs = bytes[end..].iter().take_while(|c| **c == b'#').count();
    if bytes.get(end + signs) != Some(&b'"') {
        return None;
    }
    let mut k = end + signs + 1;
    while k < bytes.len() {
        let close = bytes.get(k + 1..k + 1 + signs);
        if bytes[k] == b'"' && close.is_some_and(|c| c.iter().all(|c| *c == b'#')) {
            return Some(k + 1 + signs);
        }
        k += 1;
    }
    Some(k)
}

/// Whether this is `Clone` or the trait of an operator: what a type has of these is known, though no call names it.
pub(super) fn is_called_by_sign(name: &str) -> bool {
    name == "Clone" || OPERATOR_TRAITS.iter().any(|(of, _)| *of == name)
}
