//! What the file of an item says of the types that the item names: aliases, declared or imported, structs with
//! lifetimes, and methods. An attribute sees its item alone, and what has no attribute, or no path, cannot answer for
//! itself, so the file is read.

mod alias;
mod anchored;
mod blocks;
mod data;
mod defaults;
mod functions;
mod home;
mod imports;
mod macros;
mod modules;
mod outside;
mod scan;
mod seen;
mod variants;

use super::bundles::borrows;
use super::data::{data_among, mark_function};
use super::environment::{Environment, own_names};
use super::inline;
use super::numeric;
use super::resized::Resized;
use crate::answer::{Same, is_free};
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::tokens;
use crate::walk::{self, Node};
pub(crate) use alias::Alias;
use alias::is_plain;
pub(crate) use blocks::{cloned_by_hand, in_scope, is_of, known_elsewhere};
pub(crate) use data::{data_around, seen_around};
pub(crate) use defaults::{add_defaults, add_defaults_at};
pub(crate) use functions::{functions_elsewhere, with_paths_of_std};
pub(crate) use home::{before_a_member, moved, put_paths_in};
pub(crate) use imports::{Type, types_elsewhere};
pub(crate) use macros::macros_at;
use modules::Place;
pub(crate) use outside::{Outside, has_named_lengths};
use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use quote::ToTokens;
use scan::{Found, Lines, What};
use seen::{Seen, seen_at};
use syn::parse::{ParseStream, Parser};
pub(crate) use variants::name_variants;

/// How the text of a derived struct with parameters begins.
const DERIVED: &str = "#[derive(Differentiable)] ";

/// An item, and what its file says of it.
#[derive(Default)]
pub(crate) struct Around {
    /// The item without aliases and with all its lifetimes, if it names some.
    pub(crate) item: Option<syn::Item>,
    /// What the aliases are.
    pub(crate) same: Vec<Same>,
    /// Blocks with signatures of methods that it may call.
    pub(crate) blocks: Vec<syn::Item>,
    /// Derived structs that it does not name, but constants that it names are made of.
    pub(crate) types: Vec<TokenStream>,
    /// Derived structs that borrow.
    pub(crate) bundles: Set<String>,
    /// What changes the lengths of vectors in structs.
    pub(crate) resized: Resized,
}

/// Marks what a function asks of types that are numbers.
pub(crate) fn mark_numeric(function: &mut syn::ItemFn) {
    let place = Place::around(function.sig.ident.span());
    let traits = place.map_or_else(Set::new, |place| place.numeric_traits());
    numeric::mark_function(function, &traits);
}

/// `at` is a token of the item that the user wrote.
pub(crate) fn read_around(item: &syn::Item, at: Span) -> Around {
    let mut words = Set::default();
    collect(item.to_token_stream(), &mut words);
    let own = own_names(Node::Item(item));
    let (mut env, mut found) = (Environment::default(), Around::default());
    let seen = seen_at(at);
    let named = variants::with_names(item, (&seen.items, at), &mut words);
    let all = named_among(&seen.items, &words);
    let mut is_plain_text = named.is_none();
    let item = named.as_ref().unwrap_or(item);
    types_of_called(&all, &mut words);
    found.blocks = plain(&all, &words, at);
    let called = blocks::with_bodies(&all, &words, at);
    let scope = Scope::new(&all, &called);
    let inner = data::of_module(&all, &words, &scope.lines);
    found.blocks.extend(inner);
    found.blocks.extend(functions_elsewhere(item, at));
    found.types = of_constants(&all, &words, &found.blocks);
    let bundles = all.iter().filter(|f| is_bundle(f));
    found.bundles = bundles.map(|f| f.name.clone()).collect();
    let data = data_among(found.blocks.iter());
    found.resized = resized(&seen, at);
    for seen in &all {
        match seen.what {
            // the item's own parameters and imports come before
            What::Alias if own.contains(&seen.name) => {}
            What::Alias => {
                let Ok(of) = syn::parse_str::<syn::ItemType>(&seen.text) else {
                    continue;
                };
                if !is_plain(&of.ty) {
                    continue;
                }
                env.add_alias(&seen.name, of.clone());
                if words.contains(&seen.name) {
                    is_plain_text = false;
                    let name = syn::Ident::new(&seen.name, at.resolved_at(Span::call_site()));
                    let (params, arguments, _) = of.generics.split_for_impl();
                    let mut alias = name.into_token_stream();
                    arguments.to_tokens(&mut alias);
                    found.same.push(Same {
                        params: params.into_token_stream(),
                        alias,
                        of: of.ty.into_token_stream(),
                    });
                }
            }
            What::Struct | What::Plain if words.contains(&seen.name) && seen.text.contains('<') => {
                if let Ok(of) = syn::parse_str::<syn::ItemStruct>(&seen.text) {
                    is_plain_text &= !env.add_lifetimes(&seen.name, &of.generics);
                }
            }
            What::Struct
            | What::Plain
            | What::Derived
            | What::Enum
            | What::Constant
            | What::PlainBlock
            | What::Macro
            | What::Trait
            | What::Use
            | What::File
            | What::Module => {}
            What::PlainFunction if scope.is_of(seen) && words.contains(&seen.name) => {
                found.blocks.extend(passive_function(&seen.text));
            }
            What::Function if scope.is_of(seen) && words.contains(&seen.name) => {
                let resized = &found.resized;
                found.blocks.extend(signature(&seen.text, &data, resized));
            }
            What::Function | What::PlainFunction => {}
            What::Block => {
                let block = block_at(seen, at)
                    .map(|b| blocks::marked(b, &found.bundles, &data, &found.resized));
                // where a body stands, it means what it does in its module
                let block = block.map(|block| match scope.is_of(seen) {
                    true => block,
                    false => blocks::known_elsewhere(block, false),
                });
                let block = block.and_then(|b| blocks::called(b, &scope, seen));
                found.blocks.extend(block);
            }
        }
    }
    if !is_plain_text {
        let mut item = item.clone();
        env.write_out(&mut item);
        found.item = Some(item);
    }
    for block in &mut found.blocks {
        env.write_out(block);
    }
    found
}

/// The annotated blocks of a struct and the operators on it that its module declares, without bodies.
pub(crate) fn blocks_of(name: &str, borrows: bool, at: Span) -> Vec<syn::ItemImpl> {
    let words = Set::default();
    let all = around(at, &words);
    let lines = innermost(&all);
    let here = all
        .iter()
        .filter(|f| f.what == What::Block && f.lines == lines);
    let parsed = here.filter_map(|f| block_at(f, at));
    let own = parsed.filter(|block| blocks::is_of(block, name));
    let outside = Outside::at(at);
    let bundles = borrows.then(|| name.to_owned()).into_iter().collect();
    let (resized, none) = (resized(&seen_at(at), at), Set::default());
    let marked = own.map(|block| blocks::marked(block, &bundles, &none, &resized));
    let own = marked.map(|block| outside.block(&block));
    own.map(|block| known_elsewhere(block, true)).collect()
}

/// What the functions and blocks that a module sees do to the lengths of its structs.
fn resized(seen: &Seen, at: Span) -> Resized {
    let found = seen.resized.get_or_init(|| resized_among(&seen.items, at));
    found.clone()
}

fn resized_among(all: &[Found], at: Span) -> Resized {
    let is_code = |f: &Found| matches!(f.what, What::Function | What::Block);
    if !all.iter().any(|f| is_code(f) && may_change(&f.text)) {
        return Resized::default();
    }
    let items = all.iter().filter_map(|f| match f.what {
        What::Derived => syn::parse_str::<syn::Item>(&f.text).ok(),
        _ if !may_change(&f.text) => None,
        What::Function => syn::parse_str::<syn::Item>(&f.text).ok(),
        What::Block => block_at(f, at).map(syn::Item::Impl),
        _ => None,
    });
    let items: Vec<syn::Item> = items.chain(beside_imports(at)).collect();
    Resized::of(items.iter())
}

/// Whether `&mut` or `&'a mut` stands in a text: only behind such a parameter does a function change a length.
fn may_change(text: &str) -> bool {
    text.split('&').skip(1).any(|rest| {
        let rest = rest.trim_start();
        let named = rest.strip_prefix('\'').map(|lifetime| {
            let in_name = |c: char| c.is_alphanumeric() || c == '_';
            lifetime.trim_start_matches(in_name).trim_start()
        });
        let rest = named.unwrap_or(rest);
        // a comment may stand in between
        rest.starts_with("mut") || rest.starts_with('/')
    })
}

/// What stands beside the derived structs that the module of a token imports, these too.
pub(crate) fn beside_imports(at: Span) -> Vec<syn::Item> {
    let uses = uses_at(at);
    at.local_file()
        .map(|file| imports::beside(&file, &uses))
        .unwrap_or_default()
}

/// Whether an item is a derived struct that borrows.
fn is_bundle(found: &Found) -> bool {
    found.what == What::Struct
        && found.text.starts_with(DERIVED)
        && syn::parse_str::<syn::ItemStruct>(&found.text).is_ok_and(|s| borrows(&s.generics))
}

/// A block of the file of a token, with what it leaves to its trait.
fn block_at(found: &Found, at: Span) -> Option<syn::ItemImpl> {
    let place = Place::new(&at.local_file()?, &found.module);
    defaults::block_of(found, &place)
}

/// What the module of a token imports.
fn uses_at(at: Span) -> Vec<Found> {
    let all = around(at, &Set::default());
    let lines = innermost(&all);
    let is_here = |f: &Found| f.what == What::Use && f.lines == lines;
    all.into_iter().filter(is_here).collect()
}

/// The names that the module of a token imports, but for those of `*`.
pub(crate) fn imports_at(at: Span) -> Set<String> {
    let here = uses_at(at);
    let names = here.iter().flat_map(|f| imports::of(&f.text));
    let names = names.filter(|import| !import.is_of_std());
    names.map(|import| import.name.to_owned()).collect()
}

/// What a module declares.
#[derive(Default)]
pub(crate) struct Declared {
    /// Derived structs.
    pub(crate) derived: Set<String>,
    /// Annotated functions.
    pub(crate) functions: Set<String>,
}

/// What the module of a token declares, and the one around it, if `use super::*` brings that.
pub(crate) fn declared_at(at: Span) -> Vec<Declared> {
    let all = &seen_at(at).items;
    let found = in_scope_of(all).map(|lines| {
        let mut found = Declared::default();
        for item in all.iter().filter(|f| f.lines == lines) {
            let is_derived = item.what == What::Derived || item.text.starts_with(DERIVED);
            if is_derived {
                found.derived.insert(item.name.clone());
            } else if item.what == What::Function {
                found.functions.insert(item.name.clone());
            }
        }
        found
    });
    found.collect()
}

/// The types that the module of a token imports, by their names there, of those that are wanted.
pub(crate) fn imported_types(at: Span, is_wanted: &dyn Fn(&str) -> bool) -> Vec<(String, Type)> {
    let here = uses_at(at);
    at.local_file()
        .map(|file| imports::declared(&file, &here, is_wanted))
        .unwrap_or_default()
}

/// The enums and the structs that are not derived which the module of a token imports, of those that are wanted.
pub(crate) fn imported_data(at: Span, is_wanted: &dyn Fn(&str) -> bool) -> Vec<syn::Item> {
    let here = uses_at(at);
    at.local_file()
        .map(|file| imports::data(&file, &here, is_wanted))
        .unwrap_or_default()
}

/// The lines of the module that the items are seen from.
fn innermost(all: &[Found]) -> Lines {
    innermost_of(all.iter())
}

fn innermost_of<'a>(items: impl Iterator<Item = &'a Found>) -> Lines {
    let modules = items.filter(|f| f.what == What::Module);
    let innermost = modules.max_by_key(|f| *f.lines.start());
    // of no module
    innermost.map_or(scan::NO_LINES, |f| f.lines.clone())
}

/// The lines of that module, and of the one around it, if `use super::*` brings that.
fn in_scope_of(all: &[Found]) -> impl Iterator<Item = Lines> {
    let own = innermost(all);
    let is_super = |f: &Found| f.what == What::Use && f.lines == own && imports::is_super(&f.text);
    let outside = all.iter().any(is_super).then(|| {
        let modules = all
            .iter()
            .filter(|f| f.what == What::Module && f.lines != own);
        let lines = modules.map(|f| f.lines.clone());
        lines.max_by_key(|lines| *lines.start())
    });
    [Some(own), outside.flatten()].into_iter().flatten()
}

/// Enums and structs that are not derived, of which these words speak, with their fields, and what their methods return.
/// Of those that are imported the fields alone. Those that other types alone name are not asked: of what is in scope the
/// file says that it is not differentiated.
fn plain(all: &[Found], words: &Set<String>, at: Span) -> Vec<syn::Item> {
    let (mut words, mut found, mut names) = (words.clone(), Vec::new(), Set::default());
    let in_scope: Vec<_> = in_scope_of(all).collect();
    // what derived structs hold
    let is_derived = |f: &&Found| f.what == What::Derived && words.contains(&f.name);
    let derived: Vec<TokenStream> = (all.iter().filter(is_derived))
        .filter_map(|f| f.text.parse().ok())
        .collect();
    derived.into_iter().for_each(|of| collect(of, &mut words));
    loop {
        let before = names.len();
        for seen in all {
            let is_data = matches!(seen.what, What::Plain | What::Enum);
            let is_named = is_data && words.contains(&seen.name);
            if !is_named || !names.insert(seen.name.clone()) {
                continue;
            }
            if let Ok(item) = syn::parse_str::<syn::Item>(&seen.text) {
                match &item {
                    syn::Item::Struct(of) => collect(of.fields.to_token_stream(), &mut words),
                    syn::Item::Enum(of) => collect(of.variants.to_token_stream(), &mut words),
                    _ => {}
                }
                found.extend(match in_scope.contains(&seen.lines) {
                    true => undifferentiated(item),
                    false => skipped(item),
                });
            }
        }
        if names.len() == before {
            break;
        }
    }
    let is_wanted = |name: &str| words.contains(name) && !names.contains(name);
    found.extend(
        imported_data(at, &is_wanted)
            .into_iter()
            .filter_map(skipped),
    );
    for seen in all.iter().filter(|f| f.what == What::Constant) {
        let of = match seen.text.strip_prefix("static") {
            Some(of) => syn::parse_str(&format!("const{of}")),
            None => syn::parse_str::<syn::ItemConst>(&seen.text),
        };
        if words.contains(&seen.name)
            && let Ok(mut of) = of
        {
            of.attrs = vec![parse_quote!(#[ad(skip)])];
            *of.expr = parse_quote!(());
            found.push(syn::Item::Const(of));
        }
    }
    for seen in all.iter().filter(|f| f.what == What::PlainBlock) {
        let head = seen.text.split('{').next().unwrap_or_default();
        let mut in_head = head.split(|c: char| !c.is_alphanumeric() && c != '_');
        if in_head.any(|word| names.contains(word)) {
            let block = block_at(seen, at).map(blocks::passive);
            found.extend(block.filter(|block| is_of_one(block, &names)));
        }
    }
    found
}

/// The derived structs in the types of constants.
fn of_constants(all: &[Found], words: &Set<String>, items: &[syn::Item]) -> Vec<TokenStream> {
    let mut within = Set::default();
    for item in items {
        if let syn::Item::Const(c) = item {
            collect(c.ty.to_token_stream(), &mut within);
        }
    }
    let is_wanted = |f: &&Found| {
        let is_derived = f.what == What::Derived || f.text.starts_with(DERIVED);
        is_derived && within.contains(&f.name) && !words.contains(&f.name)
    };
    let names = all.iter().filter(is_wanted);
    names.filter_map(|f| f.name.parse().ok()).collect()
}

/// An annotated function without its attribute, and without its body if that stands in no other place.
fn signature(text: &str, data: &Set<String>, resized: &Resized) -> Option<syn::Item> {
    let mut function: syn::ItemFn = syn::parse_str(text).ok()?;
    mark_function(&mut function, data);
    resized.mark_function(&mut function);
    if !inline::travels(&function) {
        function.block.stmts.clear();
    }
    Some(syn::Item::Fn(function))
}

/// Adds what the signatures of functions without an attribute say, where words name these: an item that calls one need
/// not name the type of its result.
fn types_of_called(all: &[Found], words: &mut Set<String>) {
    let is_called = |f: &&Found| f.what == What::PlainFunction && words.contains(&f.name);
    let called = all.iter().filter(is_called);
    let signatures: Vec<syn::Item> = called.filter_map(|f| passive_function(&f.text)).collect();
    for signature in &signatures {
        walk::any(Node::Item(signature), &mut |node| {
            if let Node::Type(ty) = node {
                collect(ty.to_token_stream(), words);
            }
            false
        });
    }
}

/// A function without an attribute, and without parameters that are types: its signature.
fn passive_function(text: &str) -> Option<syn::Item> {
    // its body, which is most of it, is not parsed
    let head = |input: ParseStream<'_>| {
        input.call(syn::Attribute::parse_outer)?;
        let found = (
            input.parse::<syn::Visibility>()?,
            input.parse::<syn::Signature>()?,
        );
        input.parse::<TokenStream>()?;
        Ok(found)
    };
    let (vis, sig) = head.parse_str(text).ok()?;
    let is_generic = sig.generics.type_params().next().is_some();
    let function = || parse_quote!(#[ad(skip)] #vis #sig {});
    (!is_generic).then(function)
}

/// Whether a block belongs to one of these types.
fn is_of_one(block: &syn::Item, names: &Set<String>) -> bool {
    let syn::Item::Impl(block) = block else {
        return false;
    };
    let syn::Type::Path(owner) = &*block.self_ty else {
        return false;
    };
    let last = owner.path.segments.last();
    last.is_some_and(|s| names.contains(&s.ident.to_string()))
}

/// An enum or a struct that is known not to be differentiated, as its own answer would say.
fn undifferentiated(mut item: syn::Item) -> Option<syn::Item> {
    let attrs = match &mut item {
        syn::Item::Struct(of) => &mut of.attrs,
        syn::Item::Enum(of) => &mut of.attrs,
        _ => return None,
    };
    if attrs.iter().any(|a| a.path().is_ident("non_exhaustive")) {
        return skipped(item);
    }
    attrs.clear();
    Some(item)
}

/// An enum or a struct that is not differentiated.
pub(crate) fn skipped(mut item: syn::Item) -> Option<syn::Item> {
    let attrs = match &mut item {
        syn::Item::Struct(of) => &mut of.attrs,
        syn::Item::Enum(of) => &mut of.attrs,
        _ => return None,
    };
    attrs.retain(|a| a.path().is_ident("non_exhaustive"));
    attrs.push(parse_quote!(#[ad(skip)]));
    Some(item)
}

/// Names of types that an item may write.
struct Scope<'a> {
    words: &'a Set<String>,
    /// Those of enums and of structs that are not derived, which hand no methods on.
    plain: Set<String>,
    /// The same, with the types of the modules whose names are in scope, by the lines of these.
    all: Vec<(Lines, Set<String>)>,
    /// The lines of the module that it stands in.
    lines: Lines,
}

impl<'a> Scope<'a> {
    fn new(all: &[Found], words: &'a Set<String>) -> Scope<'a> {
        let is_plain = |f: &&Found| matches!(f.what, What::Plain | What::Enum);
        let plain = all.iter().filter(is_plain).map(|f| f.name.clone());
        let plain = plain.filter(|name| words.contains(name)).collect();
        let in_scope = in_scope_of(all).map(|lines| {
            let mut all_words = words.clone();
            for own in all.iter().filter(|f| f.lines == lines) {
                all_words.insert(own.name.clone());
                // the types of fields are in scope where the struct is
                if own.what == What::Derived
                    && let Ok(of) = own.text.parse()
                {
                    collect(of, &mut all_words);
                }
            }
            (lines, all_words)
        });
        Scope {
            words,
            plain,
            all: in_scope.collect(),
            lines: innermost(all),
        }
    }

    /// Whether this stands in that module.
    fn is_of(&self, found: &Found) -> bool {
        found.lines == self.lines
    }

    /// Those that are in scope where this stands too.
    fn of(&self, found: &Found) -> &Set<String> {
        let mut all = self.all.iter();
        let known = all.find(|(lines, _)| found.lines == *lines);
        known.map_or(self.words, |(_, words)| words)
    }
}

/// Identifiers.
pub(crate) fn collect(tokens: TokenStream, words: &mut Set<String>) {
    tokens::any(tokens, &mut |tree| {
        if let TokenTree::Ident(ident) = tree {
            words.insert(ident.to_string());
        }
        false
    });
}

/// What a module sees. Nothing if none of these words is the name of an alias or a struct there, or of a function that
/// is not asked, and there are no blocks.
fn around(at: Span, words: &Set<String>) -> Vec<Found> {
    named_among(&seen_at(at).items, words)
}

/// The same of what was seen.
fn named_among(seen: &[Found], words: &Set<String>) -> Vec<Found> {
    let asked = |f: &&Found| f.what == What::Function && is_free(&f.name);
    let found = || seen.iter().filter(|f| !asked(f));
    // methods speak of types that the item does not name
    let is_named = |f: &Found| words.contains(&f.name) || f.what == What::Block;
    let any = found().any(is_named);
    found()
        .filter(|f| any || f.name.is_empty())
        .cloned()
        .collect()
}

/// The aliases that code in a line of a text sees.
pub(crate) fn seen(text: &str, line: usize) -> Vec<(String, String)> {
    let end = text.lines().nth(line - 1).unwrap_or_default();
    let column = end.chars().count();
    let at = LineColumn { line, column };
    let seen = scan::seen_from(&scan::items(text), at).into_iter();
    let aliases = seen.filter(|f| f.what == What::Alias);
    aliases.map(|f| (f.name, f.text.to_string())).collect()
}
