//! Code on maps, written with places and values.

use super::super::expr::{as_method, as_path};
use super::Pair;
use super::entries::leaves;
use super::known::made_by;
use crate::lower::read::expr::{strip, unraw};
use crate::lower::read::grouped::names_in;
use crate::lower::read::passive::rename_all;
use crate::lower::read::state::plain_let;
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::Ident;
use quote::ToTokens;

/// The statements behind the `let` of a map, as they are rewritten.
pub(super) struct Rewrite<'a> {
    pub(super) pair: &'a Pair,
    /// Names of maps that are written out.
    known: &'a [Ident],
    /// Places named so far.
    number: usize,
    /// Something is done with the map that cannot be written so.
    wrong: bool,
}

/// Code that begins with an entry of the map: what is done first, and what stands for it.
struct Hoisted {
    steps: Vec<syn::Stmt>,
    of: syn::Expr,
    /// It is a reference to a place, which `of` is.
    is_reference: bool,
}

impl<'a> Rewrite<'a> {
    pub(super) fn new(pair: &'a Pair, known: &'a [Ident]) -> Rewrite<'a> {
        Rewrite {
            pair,
            known,
            number: 0,
            wrong: false,
        }
    }

    /// `None` if the map is used otherwise than is known.
    pub(super) fn stmts(&mut self, stmts: &[syn::Stmt]) -> Option<Vec<syn::Stmt>> {
        let rewritten = self.list(stmts.to_vec());
        (!self.wrong).then_some(rewritten)
    }

    fn list(&mut self, stmts: Vec<syn::Stmt>) -> Vec<syn::Stmt> {
        let mut out = Vec::new();
        let mut rest = stmts.into_iter();
        while let Some(mut stmt) = rest.next() {
            match &mut stmt {
                syn::Stmt::Local(local) => {
                    if let Some((steps, other)) = self.other(local) {
                        out.extend(steps);
                        let is_shadowed = other.name == self.pair.name;
                        let behind: Vec<syn::Stmt> = rest.collect();
                        match Rewrite::new(&other, self.known).stmts(&behind) {
                            Some(behind) if is_shadowed => {
                                out.extend(behind);
                                return out;
                            }
                            Some(behind) => rest = behind.into_iter(),
                            None => {
                                self.wrong = true;
                                return out;
                            }
                        }
                        continue;
                    }
                    self.local(local, &mut out);
                    let is_shadowed = walk::bound(Node::Pat(&local.pat)).contains(&self.pair.name);
                    out.push(stmt);
                    if is_shadowed {
                        out.extend(rest);
                        return out;
                    }
                    continue;
                }
                syn::Stmt::Expr(e, Some(_)) => {
                    if let Some(done) = self.statement(e) {
                        stmt = done;
                    }
                }
                _ => {}
            }
            walk::change(NodeMut::Stmt(&mut stmt), &mut |node| self.node(node));
            out.push(stmt);
        }
        out
    }

    fn local(&mut self, local: &mut syn::Local, out: &mut Vec<syn::Stmt>) {
        let Some(init) = &mut local.init else { return };
        if let Some(Hoisted {
            steps,
            of,
            is_reference,
        }) = self.hoisted(&init.expr)
        {
            out.extend(self.list(steps));
            *init.expr = match is_reference {
                true => parse_quote!(&mut #of),
                false => of,
            };
        }
        self.within(&mut init.expr);
        if let Some((_, diverge)) = &mut init.diverge {
            self.within(diverge);
        }
    }

    fn within(&mut self, e: &mut syn::Expr) {
        walk::change(NodeMut::Expr(e), &mut |node| self.node(node));
    }

    fn node(&mut self, node: NodeMut<'_>) -> Onward {
        match node {
            NodeMut::Block(b) => {
                b.stmts = self.list(std::mem::take(&mut b.stmts));
                Onward::Over
            }
            NodeMut::Expr(e) => self.expr(e),
            NodeMut::Macro(mac) => {
                self.in_macro(mac);
                Onward::Over
            }
            NodeMut::Item(_) | NodeMut::Type(_) | NodeMut::Pat(_) => Onward::Over,
            _ => Onward::Into,
        }
    }

    /// Arguments of `assert!(..)`, `vec![..]` and others.
    fn in_macro(&mut self, mac: &mut syn::Macro) {
        let name = unraw(&self.pair.name);
        if !names_in(mac).contains(&name) {
            return;
        }
        let Some(args) = walk::arguments(mac) else {
            self.wrong = true;
            return;
        };
        let is_filled = repeats(mac);
        let args: Vec<syn::Expr> = args
            .into_iter()
            .map(|mut arg| {
                self.within(&mut arg);
                arg
            })
            .collect();
        mac.tokens = match (&args[..], is_filled) {
            ([of, n], true) => crate::lower::code::repeated(of, n),
            _ => {
                let args: syn::punctuated::Punctuated<syn::Expr, syn::Token![,]> =
                    args.into_iter().collect();
                args.to_token_stream()
            }
        };
        self.wrong |= names_in(mac).contains(&name);
    }

    fn mentions(&self, e: &syn::Expr) -> bool {
        self.mentions_in(Node::Expr(e))
    }

    pub(super) fn mentions_in(&self, within: Node<'_>) -> bool {
        walk::any(within, &mut |node| match node {
            Node::ExprPath(p) => p.path.is_ident(&self.pair.name),
            Node::Macro(mac) => names_in(mac).contains(&unraw(&self.pair.name)),
            _ => false,
        })
    }

    fn binds(&mut self, pat: &syn::Pat) {
        self.wrong |= walk::bound(Node::Pat(pat)).contains(&self.pair.name);
    }

    fn expr(&mut self, e: &mut syn::Expr) -> Onward {
        if !self.mentions(e) {
            return Onward::Over;
        }
        match e {
            syn::Expr::Closure(c) => {
                let is_it = |pat| walk::bound(Node::Pat(pat)).contains(&self.pair.name);
                if c.inputs.iter().any(is_it) {
                    let hidden = [unraw(&self.pair.name)];
                    let inputs = c.inputs.iter_mut();
                    inputs.for_each(|pat| rename_all(NodeMut::Pat(pat), &hidden));
                    rename_all(NodeMut::Expr(&mut c.body), &hidden);
                }
            }
            syn::Expr::Let(l) => self.binds(&l.pat),
            syn::Expr::Match(m) => m.arms.iter().for_each(|arm| self.binds(&arm.pat)),
            syn::Expr::Path(p) if p.path.is_ident(&self.pair.name) => self.wrong = true,
            syn::Expr::ForLoop(f) => {
                self.binds(&f.pat);
                match self.looped_copy(f) {
                    Some(copied) => *e = copied,
                    None => self.looped(f),
                }
            }
            _ => {}
        }
        if let Some(written) = self.assigned(e).or_else(|| self.value(e)) {
            *e = written;
        }
        Onward::Into
    }

    /// A statement whose value is dropped.
    fn statement(&mut self, e: &syn::Expr) -> Option<syn::Stmt> {
        let (places, values) = (&self.pair.places, &self.pair.values);
        match strip(e) {
            syn::Expr::MethodCall(m) if self.pair.is_deque => {
                match self.pair.is_named(&m.receiver) {
                    true => self.pair.done(m),
                    false => None,
                }
            }
            syn::Expr::MethodCall(m) if self.pair.is_named(&m.receiver) => {
                let args: Vec<&syn::Expr> = m.args.iter().collect();
                match (&*m.method.to_string(), &args[..]) {
                    ("insert", [key, value]) => Some(self.pair.insert(key, value)),
                    ("remove", [key]) => Some(parse_quote!(#places.remove(#key);)),
                    ("clear", []) => Some(parse_quote!({ #places.clear(); #values.clear(); })),
                    ("extend", [items]) => Some(self.pair.extend(items)),
                    ("retain", [syn::Expr::Closure(c)]) => self.pair.retained(c),
                    ("reserve" | "shrink_to_fit", _) => Some(parse_quote!({})),
                    _ => None,
                }
            }
            syn::Expr::MethodCall(m) if m.method == "for_each" && self.begins_walk(&m.receiver) => {
                let Some(syn::Expr::Closure(c)) = m.args.first() else {
                    return None;
                };
                let (items, pat, body) = (&m.receiver, c.inputs.first()?, &c.body);
                (!leaves(body)).then(|| parse_quote!(for #pat in #items { #body; }))
            }
            syn::Expr::Call(c) => {
                let p = as_path(&c.func)?;
                let last = p.path.segments.last()?.ident.to_string();
                let args: Vec<&syn::Expr> = c.args.iter().collect();
                match (&*last, &args[..]) {
                    ("drop", [of]) if self.pair.is_named(of) => Some(parse_quote!({})),
                    ("swap", [left, right]) => {
                        let (left, right) = (self.both(left)?, self.both(right)?);
                        let swaps = left.iter().zip(&right).map(|(left, right)| -> syn::Stmt {
                            parse_quote!(::std::mem::swap(&mut #left, &mut #right);)
                        });
                        Some(parse_quote!({ #(#swaps)* }))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether the value of a call is `()`.
    fn gives_nothing(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Call(_) => true,
            syn::Expr::MethodCall(m) => match &*m.method.to_string() {
                "insert" => self.pair.is_deque,
                "clear" | "extend" | "for_each" | "push_back" | "push_front" | "reserve"
                | "resize" | "retain" | "rotate_left" | "rotate_right" | "shrink_to_fit"
                | "swap" | "truncate" => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// `*map.entry(k).or_insert(0.0) += value`, `map = HashMap::new()`
    fn assigned(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let (left, right) = match e {
            syn::Expr::Assign(a) => (&a.left, &a.right),
            syn::Expr::Binary(b) if walk::is_assignment(&b.op) => (&b.left, &b.right),
            _ => return None,
        };
        if let (syn::Expr::Assign(_), Some(left)) = (e, self.both(left)) {
            let is_empty = matches!(strip(right), syn::Expr::Call(c)
                if c.args.is_empty() && matches!(strip(&c.func), syn::Expr::Path(p)
                    if p.path.segments.last().is_some_and(|s| s.ident == "new" || s.ident == "default")));
            let steps: Vec<syn::Stmt> = if is_empty && self.pair.is_deque {
                let [head, values] = &left;
                vec![parse_quote!(#head = 0;), parse_quote!(#values.clear();)]
            } else if is_empty {
                left.map(|of| parse_quote!(#of.clear();)).to_vec()
            } else if let Some((of, how)) = whole(right) {
                let of = self.both(&parse_quote!(#of))?;
                let pairs = left.iter().zip(&of);
                pairs
                    .map(|(left, of)| {
                        let of = how.of(of);
                        parse_quote!(#left = #of;)
                    })
                    .collect()
            } else {
                let of = Some(self.pair.of.clone()).filter(|_| left == self.places())?;
                let remade = made_by(&self.pair.name, Some(of), right, &Clone::clone)?;
                let remade = remade.of_floats(self.pair.is_float);
                remade.steps_for(|to, from| parse_quote!(#to = #from;))?
            };
            return Some(parse_quote!({ #(#steps)* }));
        }
        if self.pair.is_deque {
            return None;
        }
        let Hoisted {
            mut steps,
            of,
            is_reference: false,
        } = self.hoisted(left)?
        else {
            return None;
        };
        let value: syn::Expr = parse_quote!(__value);
        let mut change = e.clone();
        match &mut change {
            syn::Expr::Assign(a) => (*a.left, *a.right) = (of, value),
            syn::Expr::Binary(b) => (*b.left, *b.right) = (of, value),
            _ => {}
        }
        steps.insert(0, parse_quote!(let __value = #right;));
        Some(parse_quote!({ #(#steps)* #change; }))
    }

    /// What stands for an expression on the map; what is in it is rewritten later.
    fn value(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        if self.gives_nothing(e)
            && let Some(done) = self.statement(e)
        {
            return Some(parse_quote!({ #done }));
        }
        let (places, values) = (&self.pair.places, &self.pair.values);
        if self.pair.is_deque {
            return self.pair.read(e);
        }
        if let Some(key) = self.certain(e) {
            return Some(match has_method(e, "get_mut") {
                true => parse_quote!((&mut #values[#places[#key]])),
                false => parse_quote!((&#values[#places[#key]])),
            });
        }
        match e {
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                if let Some(key) = self.certain(&u.expr) {
                    return Some(parse_quote!(#values[#places[#key]]));
                }
            }
            syn::Expr::Index(i) if self.pair.is_named(&i.expr) => {
                let key = &i.index;
                return Some(parse_quote!(#values[#places[#key]]));
            }
            syn::Expr::MethodCall(m) if self.pair.is_named(&m.receiver) => {
                if let Some(written) = self.method(m) {
                    return Some(written);
                }
            }
            _ => {}
        }
        if let syn::Expr::MethodCall(_) = e
            && let Some(chain) = self.chain(e)
        {
            return Some(chain);
        }
        let Hoisted {
            steps,
            of,
            is_reference,
        } = self.hoisted(e)?;
        Some(match is_reference {
            true => parse_quote!({ #(#steps)* &mut #of }),
            false => parse_quote!({ #(#steps)* #of }),
        })
    }

    fn method(&self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let (places, values) = (&self.pair.places, &self.pair.values);
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let copied = self.pair.copied();
        Some(match (&*m.method.to_string(), &args[..]) {
            ("len", []) => parse_quote!(#places.len()),
            ("is_empty", []) => parse_quote!(#places.is_empty()),
            ("contains_key", [key]) => parse_quote!(#places.contains_key(#key)),
            ("get", [key]) => {
                let at = self.pair.found(key);
                parse_quote!(#values.get(#at))
            }
            ("get_mut", [key]) => {
                let at = self.pair.found(key);
                parse_quote!(#values.get_mut(#at))
            }
            ("remove", [key]) => {
                parse_quote!(#values.get(#places.remove(#key).unwrap_or(usize::MAX)).#copied())
            }
            ("insert", [key, value]) => self.pair.replaced(key, value),
            ("first_key_value" | "last_key_value", []) => {
                let name = &m.method;
                parse_quote!(#places.#name().map(|(__key, __at)| (__key, &#values[*__at])))
            }
            ("pop_first" | "pop_last", []) => {
                let name = &m.method;
                parse_quote!(#places.#name().map(|(__key, __at)| (__key, #values[__at].clone())))
            }
            _ => return None,
        })
    }

    /// The key of `map.get(key).unwrap()`.
    fn certain<'e>(&self, e: &'e syn::Expr) -> Option<&'e syn::Expr> {
        let m = as_method(e)?;
        let of = as_method(&m.receiver)?;
        let is_get = of.method == "get" || of.method == "get_mut";
        let is_certain = m.method == "unwrap" || m.method == "expect";
        (is_get && is_certain && self.pair.is_named(&of.receiver)).then(|| of.args.first())?
    }

    /// Takes an entry of the map out of the beginning of an expression.
    fn hoisted(&mut self, e: &syn::Expr) -> Option<Hoisted> {
        if let Some(slot) = self.pair.slot(e, self.number) {
            self.number += 1;
            return Some(Hoisted {
                steps: slot.steps,
                of: slot.place,
                is_reference: true,
            });
        }
        let mut whole = e.clone();
        let inner = match &mut whole {
            syn::Expr::Paren(p) => return self.hoisted(&p.expr),
            syn::Expr::Group(g) => return self.hoisted(&g.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                let inner = self.hoisted(&u.expr)?;
                if inner.is_reference {
                    return Some(Hoisted {
                        is_reference: false,
                        ..inner
                    });
                }
                *u.expr = inner.of;
                inner.steps
            }
            syn::Expr::Field(f) => {
                let inner = self.hoisted(&f.base)?;
                *f.base = inner.of;
                inner.steps
            }
            syn::Expr::Index(i) => {
                let inner = self.hoisted(&i.expr)?;
                *i.expr = inner.of;
                inner.steps
            }
            syn::Expr::MethodCall(m) => {
                let inner = self.hoisted(&m.receiver)?;
                *m.receiver = inner.of;
                inner.steps
            }
            _ => return None,
        };
        Some(Hoisted {
            steps: inner,
            of: whole,
            is_reference: false,
        })
    }

    /// `let other = map.clone();`, `let other = &mut map;`: another name, or another map.
    fn other(&mut self, local: &syn::Local) -> Option<(Vec<syn::Stmt>, Pair)> {
        let (name, _, init) = plain_let(local)?;
        let mut other = Pair::new(name, &self.pair.of, self.pair.is_float);
        let reference = match strip(init) {
            syn::Expr::Reference(r) => Some(r.mutability.is_some()),
            syn::Expr::Path(_) => self.pair.reference,
            _ => None,
        };
        if reference.is_some() && self.pair.is_named(init) {
            other.reference = reference;
            other.places = self.pair.places.clone();
            other.values = self.pair.values.clone();
            return Some((Vec::new(), other));
        }
        let (of, how) = whole(init).filter(|(of, _)| **of == self.pair.name)?;
        let from = self.both(&parse_quote!(#of))?;
        let to = [&other.places, &other.values];
        let steps = to.iter().zip(&from).map(|(to, from)| {
            let from = how.of(from);
            parse_quote!(let mut #to = #from;)
        });
        Some((steps.collect(), other))
    }

    fn places(&self) -> [Ident; 2] {
        [self.pair.places.clone(), self.pair.values.clone()]
    }

    /// What stands for a map, this or another.
    fn both(&self, e: &syn::Expr) -> Option<[Ident; 2]> {
        if self.pair.is_named(e) {
            return Some(self.places());
        }
        let place = match strip(e) {
            syn::Expr::Reference(r) => &r.expr,
            e => e,
        };
        let p = as_path(place)?;
        let name = p
            .path
            .get_ident()
            .filter(|name| self.known.contains(name))?;
        let other = Pair::new(name, &self.pair.of, false);
        Some([other.places, other.values])
    }
}

/// How a whole map is taken.
#[derive(Clone, Copy)]
pub(super) enum How {
    Moved,
    Cloned,
    Left,
}

impl How {
    fn of(self, of: &Ident) -> syn::Expr {
        match self {
            How::Moved => parse_quote!(#of),
            How::Cloned => parse_quote!(#of.clone()),
            How::Left => parse_quote!(::std::mem::take(&mut #of)),
        }
    }
}

/// `map`, `map.clone()`, `std::mem::take(&mut map)`
pub(super) fn whole(e: &syn::Expr) -> Option<(&Ident, How)> {
    let (of, how) = match strip(e) {
        syn::Expr::MethodCall(m) if m.method == "clone" => (&*m.receiver, How::Cloned),
        syn::Expr::Call(c) if c.args.len() == 1 => {
            let is_take = matches!(strip(&c.func), syn::Expr::Path(p)
                if p.path.segments.last().is_some_and(|s| s.ident == "take"));
            match strip(&c.args[0]) {
                syn::Expr::Reference(r) if is_take => (&*r.expr, How::Left),
                _ => return None,
            }
        }
        e => (e, How::Moved),
    };
    match strip(of) {
        syn::Expr::Path(p) => Some((p.path.get_ident()?, how)),
        _ => None,
    }
}

fn has_method(e: &syn::Expr, name: &str) -> bool {
    matches!(strip(e), syn::Expr::MethodCall(m)
        if matches!(strip(&m.receiver), syn::Expr::MethodCall(of) if of.method == name))
}

/// Whether a macro is `vec![of; n]`.
fn repeats(mac: &syn::Macro) -> bool {
    mac.tokens
        .clone()
        .into_iter()
        .any(|tree| matches!(tree, proc_macro2::TokenTree::Punct(p) if p.as_char() == ';'))
}
