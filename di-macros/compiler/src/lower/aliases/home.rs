//! A body that stands in the place of a call means there what it means in its own module, its home: names of that
//! module are written as the module of the call finds them. What that cannot name is brought along: constants are
//! declared in the body, and bodies of functions stand in the place of their calls too.
//!
//! ```text
//! mod solver {                                 mod model, where `step(&s, y)` is called:
//!     use crate::linalg::dot;
//!     const H: f64 = 0.1;                =>    const H: f64 = 0.1;
//!     pub fn step<S: System>(..) {
//!         H * dot(&s.rhs(y), y)                H * crate::linalg::dot(&s.rhs(y), y)
//!     }
//! }
//! ```

use super::anchored::is_leading;
use super::imports::{self, Import};
use super::modules::{Place, is_public};
use super::scan::{Found, What};
use crate::lower::numeric;
use crate::sorted::{Map, Set};
use crate::tokens::{regrouped, respanned};
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// How many private functions of its home a body brings along at most.
const MOST: usize = 64;

/// A function of another module, with its names as the module of a call writes them.
pub(crate) struct Moved {
    pub(crate) function: syn::ItemFn,
    /// The functions that this module cannot name, by names that are made for them.
    pub(crate) private: Vec<(String, syn::ItemFn)>,
}

/// The function at a call by `path` in the module of the token `at`. `None` if it is of this module, or it is not known
/// where the two stand.
/// `before`: how many private functions have names already.
pub(crate) fn moved(
    function: &syn::ItemFn,
    path: &syn::Path,
    at: Span,
    before: usize,
) -> Option<Moved> {
    let (home, here) = (
        Place::around(function.sig.ident.span())?,
        Place::around(at)?,
    );
    if home == here {
        return None;
    }
    let mut moving = Moving {
        through: through(&here, path),
        owner: owner(path),
        here,
        private: Vec::new(),
        before,
    };
    let mut function = function.clone();
    moving.change(&mut function, &home);
    let private = moving.private.into_iter().enumerate();
    Some(Moved {
        function,
        private: private
            .map(|(k, (_, _, f))| (name_of(before + k), f))
            .collect(),
    })
}

/// What the path of a method begins with.
fn owner(path: &syn::Path) -> Option<String> {
    let names = path.segments.iter().map(|s| s.ident.to_string());
    let names: Vec<String> = names.collect();
    let (_, types) = names.split_last()?;
    let is_type = |name: &String| name.starts_with(char::is_uppercase);
    types.iter().any(is_type).then(|| names[0].clone())
}

/// The module that a call of a function, or of a method of a type, leads through.
fn through(here: &Place, path: &syn::Path) -> Vec<String> {
    let names = path.segments.iter().map(|s| s.ident.to_string());
    let mut names: Vec<String> = names.collect();
    let is_type = |name: &String| name.starts_with(char::is_uppercase);
    let own = names.iter().position(is_type);
    let mut inner = names.split_off(own.unwrap_or(names.len().saturating_sub(1)));
    if !names.is_empty() || inner.is_empty() {
        return names;
    }
    let name = inner.swap_remove(0);
    let of_name = |import: &Import<'_>| match import.name == name {
        true => Some(import.module.iter().map(|m| (*m).to_owned()).collect()),
        false => None,
    };
    let items = here.items();
    let mut uses = items.iter().filter(|f| f.what == What::Use);
    uses.find_map(|f| imports::of(&f.text).iter().find_map(of_name))
        .unwrap_or_default()
}

fn name_of(private: usize) -> String {
    format!("__private{private}")
}

pub(super) struct Moving {
    /// The module of the call, and the path to another one that the call leads through.
    pub(super) here: Place,
    through: Vec<String>,
    /// How the module of the call names the type whose method it is: so does the body by now.
    owner: Option<String>,
    /// Functions that are brought along, with their modules and names there.
    private: Vec<(Place, String, syn::ItemFn)>,
    /// How many others are known by names that are made for them.
    before: usize,
}

/// What stands for a name.
enum Meaning {
    Path(Vec<String>),
    Constant(Box<syn::ItemConst>),
}

impl Moving {
    fn change(&mut self, function: &mut syn::ItemFn, home: &Place) {
        self.anchor(function, home);
        let mut constants = Vec::new();
        let known = self.meanings(Node::Function(function), home, &mut constants);
        put_paths_in(&known, NodeMut::Function(function));
        let declared = constants.into_iter().map(|c| syn::Stmt::Item(c.into()));
        function
            .block
            .stmts
            .splice(0..0, declared.collect::<Vec<_>>());
    }

    /// The paths that stand for names of the home, where these are others, and constants that are declared in the body.
    fn meanings(
        &mut self,
        of: Node<'_>,
        home: &Place,
        constants: &mut Vec<syn::ItemConst>,
    ) -> Map<String, syn::Path> {
        let mut known = Map::new();
        let mut names = free_names(of, &|name| home.item(&[], name).is_some());
        names.retain(|name| Some(name) != self.owner.as_ref() && !is_leading(name));
        for name in names {
            match self
                .meaning(home, &name)
                .or_else(|| self.of_home(home, &name))
            {
                Some(Meaning::Path(path)) if path != [name.clone()] => {
                    if let Ok(path) = syn::parse_str(&path.join("::")) {
                        known.insert(name, path);
                    }
                }
                Some(Meaning::Constant(found)) if constants.iter().all(|k| k.ident != name) => {
                    let mut c = *found;
                    let own = c.clone();
                    constants.push(own.clone());
                    let inner = self.meanings(Node::Item(&own.into()), home, constants);
                    let mut item = syn::Item::Const(c.clone());
                    put_paths_in(&inner, NodeMut::Item(&mut item));
                    if let syn::Item::Const(renamed) = item {
                        c = renamed;
                    }
                    constants.retain(|k| k.ident != name);
                    constants.push(c);
                }
                // another item of that name is not meant
                None if self.here.item(&[], &name).is_some() && home.knows(&name) => {
                    let own = format!("{name}_of_another_module");
                    known.extend(syn::parse_str(&own).map(|path| (name, path)));
                }
                _ => {}
            }
        }
        known
    }

    fn meaning(&mut self, home: &Place, name: &str) -> Option<Meaning> {
        let items = home.items();
        let uses = items.iter().filter(|f| f.what == What::Use);
        let mut all = uses.flat_map(|f| imports::of(&f.text));
        let import = all.find(|import| import.name == name);
        if let Some(import) = import.as_ref().filter(|i| i.is_of_std()) {
            return Some(Meaning::Path(rooted(&import.module, import.original)));
        }
        if let Some((place, item)) = home.item(&[], name) {
            return self.of_item(&place, &item);
        }
        if home.at(&["self", name]).is_some() {
            let mut path = self.path_of(home)?;
            path.push(name.to_owned());
            return Some(Meaning::Path(path));
        }
        // a trait, or what is of another crate
        let import = import?;
        match home.at(&import.module) {
            Some(place) => {
                let mut path = self.path_of(&place)?;
                path.push(import.original.to_owned());
                Some(Meaning::Path(path))
            }
            None if matches!(import.module.first(), Some(&("crate" | "self" | "super"))) => None,
            None => Some(Meaning::Path(rooted(&import.module, import.original))),
        }
    }

    /// A name that is not found in its home, and means something else here: rustc looks for it there.
    fn of_home(&self, home: &Place, name: &str) -> Option<Meaning> {
        let items = self.here.items();
        let mut uses = items.iter().filter(|f| f.what == What::Use);
        let is_imported = uses.any(|f| imports::of(&f.text).iter().any(|i| i.name == name));
        if !is_imported && self.here.item(&[], name).is_none() {
            return None;
        }
        let mut path = self.path_of(home)?;
        path.push(name.to_owned());
        Some(Meaning::Path(path))
    }

    fn of_item(&mut self, place: &Place, item: &Found) -> Option<Meaning> {
        if let Some(name) = self.name_here(place, item) {
            return Some(Meaning::Path(vec![name]));
        }
        let path = self.path_of(place).map(|mut path| {
            path.push(item.name.clone());
            path
        });
        if (is_public(&item.vis) || self.here.is_within(place))
            && place.is_seen_from(&self.here)
            && let Some(path) = &path
        {
            return Some(Meaning::Path(path.clone()));
        }
        match item.what {
            What::Function | What::PlainFunction => {
                self.bring(place, item).or_else(|| path.map(Meaning::Path))
            }
            What::Constant => {
                let text = item.text.replacen("static", "const", 1);
                let parsed = syn::parse_str(&text).ok()?;
                Some(Meaning::Constant(Box::new(parsed)))
            }
            // rustc says that it is private
            _ => path.map(Meaning::Path),
        }
    }

    /// The name that an item has in the module of the call.
    fn name_here(&self, place: &Place, item: &Found) -> Option<String> {
        let is_it = |name: &str| {
            let found = self.here.item(&[], name);
            found.is_some_and(|(other, found)| other == *place && found.name == item.name)
        };
        let items = self.here.items();
        let uses = items.iter().filter(|f| f.what == What::Use);
        let mut names = uses.flat_map(|f| imports::of(&f.text)).map(|i| i.name);
        let renamed = names.find(|name| *name != "*" && is_it(name));
        let own = || is_it(&item.name).then(|| item.name.clone());
        renamed.map(str::to_owned).or_else(own)
    }

    /// The path of a module from that of the call.
    pub(super) fn path_of(&self, place: &Place) -> Option<Vec<String>> {
        let through: Vec<&str> = self.through.iter().map(String::as_str).collect();
        if self.here.at(&through).is_some_and(|found| found == *place) {
            return Some(self.through.clone());
        }
        let (root, mut path) = place.path();
        let krate = match root == self.here.path().0 {
            true => "crate",
            // of another crate, by the name that the call has for it
            false if root.is_library() => {
                let first = *through.first()?;
                let is_inner = ["crate", "self", "super"].contains(&first);
                let found = self.here.at(&[first]);
                let is_it = !is_inner && found.is_none_or(|found| found == root);
                is_it.then_some(first)?
            }
            false => return None,
        };
        path.insert(0, krate.to_owned());
        Some(path)
    }

    /// A function whose body stands in the place of its calls, since it cannot be named.
    fn bring(&mut self, place: &Place, item: &Found) -> Option<Meaning> {
        let mut all = self.private.iter();
        let known = all.position(|(of, name, _)| of == place && *name == item.name);
        if known.is_none() && self.private.len() >= MOST {
            return None;
        }
        let known = match known {
            Some(known) => known,
            None => {
                let mut function: syn::ItemFn = syn::parse_str(&item.text).ok()?;
                let is_marked = |input: &syn::FnArg| match input {
                    syn::FnArg::Typed(p) => !p.attrs.is_empty(),
                    syn::FnArg::Receiver(_) => true,
                };
                if function.sig.inputs.iter().any(is_marked) {
                    return None;
                }
                numeric::mark_function(&mut function, &place.numeric_traits());
                let known = self.private.len();
                let entry = (place.clone(), item.name.clone(), function.clone());
                self.private.push(entry);
                self.change(&mut function, place);
                self.private[known].2 = function;
                known
            }
        };
        Some(Meaning::Path(vec![name_of(self.before + known)]))
    }
}

/// `::std::f64::consts::PI`
fn rooted(module: &[&str], name: &str) -> Vec<String> {
    let inner = module.iter().chain([&name]).map(|s| (*s).to_owned());
    std::iter::once(String::new()).chain(inner).collect()
}

/// Names that paths begin with, but for those that the code brings itself. `is_item`: whether a name is that of an item,
/// so that a pattern compares with it.
fn free_names(of: Node<'_>, is_item: &dyn Fn(&str) -> bool) -> Set<String> {
    let (mut own, mut found) = (Set::new(), Set::new());
    for name in walk::bound(of).iter().map(Ident::to_string) {
        match is_constant(&name) && is_item(&name) {
            true => found.insert(name),
            false => own.insert(name),
        };
    }
    walk::read(of, &mut |node| {
        match node {
            Node::GenericParam(syn::GenericParam::Type(p)) => own.insert(p.ident.to_string()),
            Node::GenericParam(syn::GenericParam::Const(p)) => own.insert(p.ident.to_string()),
            Node::Stmt(syn::Stmt::Item(item)) => {
                super::collect(item.to_token_stream(), &mut own);
                return Onward::Over;
            }
            Node::Path(path) if path.leading_colon.is_none() => {
                let first = path.segments.first().map(|s| s.ident.to_string());
                found.extend(first);
                true
            }
            Node::Macro(mac) => {
                super::collect(mac.tokens.clone(), &mut found);
                return Onward::Over;
            }
            _ => true,
        };
        Onward::Into
    });
    found.difference(&own).cloned().collect()
}

/// Whether a name looks like one of a constant.
fn is_constant(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Puts paths in the place of names that paths begin with.
pub(crate) fn put_paths_in(known: &Map<String, syn::Path>, root: NodeMut<'_>) {
    if known.is_empty() {
        return;
    }
    walk::change(root, &mut |node| {
        match node {
            NodeMut::Macro(mac) => {
                mac.tokens = in_macro(known, mac.tokens.clone());
                return Onward::Over;
            }
            NodeMut::Pat(pat) => {
                if let syn::Pat::Ident(p) = pat
                    && p.by_ref.is_none()
                    && p.mutability.is_none()
                    && p.subpat.is_none()
                    && is_constant(&p.ident.to_string())
                    && let Some(of) = known.get(&p.ident.to_string())
                    && let Ok(path) = syn::parse2::<syn::Path>(placed(of, p.ident.span()))
                {
                    *pat = syn::Pat::Path(syn::PatPath {
                        attrs: Vec::new(),
                        qself: None,
                        path,
                    });
                    return Onward::Over;
                }
            }
            NodeMut::Path(path) if path.leading_colon.is_none() => {
                let first = path.segments.first().map(|s| s.ident.clone());
                if let Some(first) = first
                    && let Some(of) = known.get(&first.to_string())
                    && let Ok(mut whole) = syn::parse2::<syn::Path>(placed(of, first.span()))
                {
                    let mut all = std::mem::take(&mut path.segments).into_iter();
                    let arguments = all.next().map(|s| s.arguments);
                    let arguments = arguments.filter(|a| !a.is_none());
                    if let (Some(last), Some(arguments)) = (whole.segments.last_mut(), arguments) {
                        last.arguments = arguments;
                    }
                    if all.len() > 0 {
                        whole = before_a_member(whole);
                    }
                    whole.segments.extend(all);
                    *path = whole;
                }
            }
            _ => {}
        }
        Onward::Into
    });
}

/// The same in the arguments of a macro: `vec![0.0; T::STAGES]`.
fn in_macro(known: &Map<String, syn::Path>, tokens: TokenStream) -> TokenStream {
    let (mut found, mut is_member, mut before) = (TokenStream::new(), false, ' ');
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let sign = match &tree {
            TokenTree::Punct(p) => p.as_char(),
            _ => ' ',
        };
        match &tree {
            TokenTree::Ident(name) if !is_member => match known.get(&name.to_string()) {
                Some(of) if matches!(trees.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':') =>
                {
                    found.extend(placed(&before_a_member(of.clone()), name.span()));
                }
                Some(of) => found.extend(placed(of, name.span())),
                None => found.extend([tree]),
            },
            TokenTree::Group(g) => found.extend([regrouped(g, in_macro(known, g.stream()))]),
            _ => found.extend([tree]),
        }
        is_member = sign == '.' && before != '.' || sign == ':' && before == ':';
        before = sign;
    }
    found
}

/// A type as it is written before its members: `Poly::<1>` in `Poly::<1>::N`.
pub(crate) fn before_a_member(mut of: syn::Path) -> syn::Path {
    for segment in &mut of.segments {
        if let syn::PathArguments::AngleBracketed(args) = &mut segment.arguments {
            args.colon2_token = Some(Default::default());
        }
    }
    of
}

/// A path that stands where the name did.
fn placed(path: &syn::Path, at: Span) -> TokenStream {
    respanned(path.to_token_stream(), &|_| at)
}
