//! Where maps come from.

use super::super::expr::as_path;
use super::{Pair, arguments};
use crate::lower::read::expr::strip;
use crate::lower::read::passive::OWN;
use crate::lower::read::state::{collection_made, last_name, plain_let};
use crate::lower::types;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// What a map holds at first.
enum Contents {
    Nothing,
    /// `HashMap::from([(k, v), ..])`
    Listed(Vec<syn::Expr>),
    /// `VecDeque::from(list)`
    Copied(Box<syn::Expr>),
    /// What is collected.
    Items(Box<syn::Expr>),
}

/// A statement that makes a map.
pub(super) struct Made {
    pub(super) pair: Pair,
    contents: Contents,
}

/// The map that a `let` makes; `expanded` writes aliases out.
pub(super) fn made(local: &syn::Local, expanded: &dyn Fn(&syn::Type) -> syn::Type) -> Option<Made> {
    let (name, written, init) = plain_let(local)?;
    made_by(name, written.map(expanded), init, expanded)
}

/// The same that this expression makes.
pub(super) fn made_by(
    name: &Ident,
    written: Option<syn::Type>,
    init: &syn::Expr,
    expanded: &dyn Fn(&syn::Type) -> syn::Type,
) -> Option<Made> {
    let is_known = |ty: &syn::Type| {
        last_name(ty).is_some_and(|name| ["BTreeMap", "HashMap", "VecDeque"].contains(&&*name))
    };
    let (contents, found) = match strip(init) {
        syn::Expr::Call(c) => {
            let p = as_path(&c.func)?;
            let of = collection_made(init).map(|of| expanded(&of));
            let last = p.path.segments.last()?.ident.to_string();
            let contents = match (&*last, c.args.first().map(strip)) {
                ("new" | "default", None) | ("with_capacity", Some(_)) => Contents::Nothing,
                ("from", Some(syn::Expr::Array(a))) => {
                    Contents::Listed(a.elems.iter().cloned().collect())
                }
                ("from", Some(of)) => Contents::Copied(Box::new(of.clone())),
                ("from_iter", Some(items)) => Contents::Items(Box::new(items.clone())),
                _ => return None,
            };
            (contents, of)
        }
        syn::Expr::MethodCall(m) if m.method == "collect" && m.args.is_empty() => {
            let of = m.turbofish.as_ref().and_then(|of| match of.args.first()? {
                syn::GenericArgument::Type(ty) => Some(expanded(ty)),
                _ => None,
            });
            (Contents::Items(m.receiver.clone()), of)
        }
        syn::Expr::MethodCall(m) if m.method == "into" && m.args.is_empty() => {
            (Contents::Copied(m.receiver.clone()), None)
        }
        _ => return None,
    };
    let of = written.or(found).filter(is_known)?;
    let pair = Pair::new(name, &of, false);
    let is_copied = matches!(contents, Contents::Copied(_));
    if is_copied && !pair.is_deque {
        return None;
    }
    Some(Made { pair, contents })
}

impl Made {
    pub(super) fn of_floats(mut self, is_float: bool) -> Made {
        self.pair.is_float = is_float;
        self
    }

    fn steps_of_deque(&self) -> Vec<syn::Stmt> {
        let (head, values) = (&self.pair.places, &self.pair.values);
        let list: syn::Expr = match &self.contents {
            Contents::Nothing => parse_quote!(::std::vec::Vec::new()),
            Contents::Listed(elems) => parse_quote!(vec![#(#elems),*]),
            Contents::Copied(of) => match strip(of) {
                syn::Expr::Macro(_) => (**of).clone(),
                syn::Expr::Repeat(r) => {
                    let (of, n) = (&r.expr, &r.len);
                    parse_quote!(vec![#of; #n])
                }
                of => parse_quote!(#of.to_vec()),
            },
            Contents::Items(items) => parse_quote!(#items.collect()),
        };
        let item = self.pair.value_type();
        // it may be made of one with the same name
        vec![
            parse_quote!(let mut #values: ::std::vec::Vec<#item> = #list;),
            parse_quote!(let mut #head: usize = 0;),
        ]
    }

    /// The type that a function in the place of its call has for it, if none is written where it is made.
    pub(super) fn note_type(&mut self, behind: &[syn::Stmt]) {
        let is_open = |ty: &syn::Type| matches!(ty, syn::Type::Infer(_));
        if !arguments(&self.pair.of).iter().all(is_open) {
            return;
        }
        let mut names = vec![self.pair.name.clone()];
        for stmt in behind {
            walk::any(Node::Stmt(stmt), &mut |node| {
                if let Node::Local(local) = node
                    && let Some((name, written, init)) = plain_let(local)
                    && matches!(strip(init), syn::Expr::Path(_) | syn::Expr::Reference(_))
                    && super::root(init).is_some_and(|of| names.contains(&of))
                {
                    names.push(name.clone());
                    if let Some(syn::Type::Reference(r)) = written.map(types::ungroup)
                        && last_name(&r.elem) == last_name(&self.pair.of)
                    {
                        self.pair.of = (*r.elem).clone();
                        return true;
                    }
                }
                false
            });
        }
    }

    /// Writes the type of keys that are texts, if it is not written: of other keys it is inferred.
    pub(super) fn note_key(&mut self, behind: &[syn::Stmt]) {
        let known = arguments(&self.pair.of);
        if self.pair.is_deque || !matches!(known.first(), None | Some(syn::Type::Infer(_))) {
            return;
        }
        let mut key = None;
        let mut found = |e: &syn::Expr| {
            key = text_type(e);
            true
        };
        let first = match &self.contents {
            Contents::Listed(elems) => elems.first(),
            _ => None,
        };
        if let Some(syn::Expr::Tuple(t)) = first.map(strip) {
            t.elems.first().map(&mut found);
        } else {
            for stmt in behind {
                let is_found = walk::any(Node::Stmt(stmt), &mut |node| match node {
                    Node::Expr(syn::Expr::MethodCall(m))
                        if (m.method == "insert" || m.method == "entry")
                            && self.pair.is_named(&m.receiver) =>
                    {
                        m.args.first().is_some_and(&mut found)
                    }
                    _ => false,
                });
                if is_found {
                    break;
                }
            }
        }
        if let Some(key) = key
            && let syn::Type::Path(p) = &mut self.pair.of
            && let Some(last) = p.path.segments.last_mut()
        {
            let value = known.get(1).cloned().unwrap_or_else(|| parse_quote!(_));
            last.arguments = syn::PathArguments::AngleBracketed(parse_quote!(<#key, #value>));
        }
    }

    /// What goes into the map here.
    pub(super) fn contents(&self) -> Option<syn::Expr> {
        match &self.contents {
            Contents::Nothing => None,
            Contents::Listed(elems) => Some(parse_quote!([#(#elems),*])),
            Contents::Copied(of) | Contents::Items(of) => Some((**of).clone()),
        }
    }

    /// The statements that make the two.
    fn steps(&self) -> Option<Vec<syn::Stmt>> {
        if self.pair.is_deque {
            return Some(self.steps_of_deque());
        }
        let mut steps = self.pair.empty();
        match &self.contents {
            Contents::Nothing | Contents::Copied(_) => {}
            Contents::Listed(elems) => {
                for elem in elems {
                    let syn::Expr::Tuple(t) = strip(elem) else {
                        return None;
                    };
                    let (Some(key), Some(value), 2) =
                        (t.elems.first(), t.elems.last(), t.elems.len())
                    else {
                        return None;
                    };
                    steps.push(self.pair.insert(key, value));
                }
            }
            Contents::Items(items) => steps.push(self.pair.extend(items)),
        }
        Some(steps)
    }

    /// The same of a map that may be made of one with the same name.
    pub(super) fn steps_beside(self) -> Option<Vec<syn::Stmt>> {
        let of_own = self.contents().map(|of| syn::Stmt::Expr(of, None));
        match self.pair.is_deque || !self.pair.is_written_in(of_own.as_slice()) {
            true => self.steps(),
            false => self.steps_for(|to, from| parse_quote!(let mut #to = #from;)),
        }
    }

    /// The statements that make the two under other names, and give them to theirs.
    pub(super) fn steps_for(
        mut self,
        give: impl Fn(&Ident, &Ident) -> syn::Stmt,
    ) -> Option<Vec<syn::Stmt>> {
        let made = self.pair.clone();
        let own = |name: &Ident| Ident::new(&format!("{OWN}{name}"), Span::call_site());
        (self.pair.places, self.pair.values) = (own(&made.places), own(&made.values));
        let mut steps = self.steps()?;
        steps.push(give(&made.places, &self.pair.places));
        steps.push(give(&made.values, &self.pair.values));
        Some(steps)
    }
}

/// The type of an expression that is a text for certain.
pub(in crate::lower::read) fn text_type(e: &syn::Expr) -> Option<syn::Type> {
    match strip(e) {
        syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Str(_)) => Some(parse_quote!(&str)),
        syn::Expr::MethodCall(m) if m.method == "to_string" && m.args.is_empty() => {
            Some(parse_quote!(String))
        }
        syn::Expr::Macro(m) if m.mac.path.is_ident("format") => Some(parse_quote!(String)),
        _ => None,
    }
}

impl Pair {
    /// The two, empty.
    pub(super) fn empty(&self) -> Vec<syn::Stmt> {
        let (places, values) = (&self.places, &self.values);
        let mut of = self.of.clone();
        if let syn::Type::Path(p) = &mut of
            && let Some(last) = p.path.segments.last_mut()
        {
            let key = arguments(&self.of).into_iter().next();
            let key = key.unwrap_or_else(|| parse_quote!(_));
            last.arguments = syn::PathArguments::AngleBracketed(parse_quote!(<#key, usize>));
        }
        let map = match types::ungroup(&of) {
            syn::Type::Path(p) => {
                let mut path = p.path.clone();
                if let Some(last) = path.segments.last_mut() {
                    last.arguments = syn::PathArguments::None;
                }
                path.to_token_stream()
            }
            of => of.to_token_stream(),
        };
        let value = self.value_type();
        vec![
            parse_quote!(let mut #places: #of = #map::new();),
            parse_quote!(let mut #values: ::std::vec::Vec<#value> = ::std::vec::Vec::new();),
        ]
    }

    fn value_type(&self) -> syn::Type {
        self.item_type().unwrap_or_else(|| parse_quote!(_))
    }

    /// `map.extend(items)`
    pub(super) fn extend(&self, items: &syn::Expr) -> syn::Stmt {
        let put = self.insert(&parse_quote!(__key), &parse_quote!(__item));
        parse_quote!(for (__key, __item) in #items { #put })
    }
}
