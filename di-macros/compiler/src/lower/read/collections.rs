//! Maps and deques of what is differentiated. A map is a map to places, which is state, and a vector of the values there.
//!
//! ```text
//! let mut forces: HashMap<usize, f64> = HashMap::new();
//! *forces.entry(node).or_insert(0.0) += k * x[i];
//! =>
//! let mut __forces_places: HashMap<usize, usize> = HashMap::new();
//! let mut __forces_values: Vec<f64> = Vec::new();
//! { let __value = k * x[i];
//!   let __new = 0.0;
//!   let __at = *__forces_places.entry(node).or_insert(__forces_values.len());
//!   if __at == __forces_values.len() { __forces_values.push(__new); }
//!   __forces_values[__at] += __value; }
//! ```
//!
//! The order of the items is that of the map to places. The place of what is removed stays unused. A deque is a vector
//! and the number of those that are gone at its front:
//!
//! ```text
//! line.push_back(x[0]);              =>   __line_values.push(x[0]);
//! line.pop_front().unwrap()          =>   { __line_head += 1; __line_values[__line_head - 1] }
//! ```

mod deques;
mod entries;
mod known;
mod rewrite;
mod walks;

use super::Reader;
use super::expr::strip;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::sorted::Set;
use crate::walk::{self, Node, Onward};
pub(super) use known::text_type;
use known::{Made, made};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use rewrite::Rewrite;

/// What stands for a map or a deque.
#[derive(Clone)]
struct Pair {
    name: Ident,
    is_deque: bool,
    /// The map to places; of a deque the number of those that are gone at its front.
    places: Ident,
    values: Ident,
    /// The name is that of a reference to another map, `&mut` when true.
    reference: Option<bool>,
    /// The values are floats.
    is_float: bool,
    /// The keys are integers or bools.
    has_numbers: bool,
    /// The type of the map, and that of its values, as far as they are written.
    of: syn::Type,
}

impl Pair {
    fn new(name: &Ident, of: &syn::Type, is_float: bool) -> Pair {
        let plain = super::expr::unraw(name);
        let named = |what: &str| Ident::new(&format!("__{plain}_{what}"), Span::call_site());
        let key = arguments(of).into_iter().next();
        let has_numbers = key.is_some_and(|key| types::is_one_of(&key, &["bool"]));
        let is_deque = super::state::last_name(of).is_some_and(|name| name == "VecDeque");
        Pair {
            name: name.clone(),
            is_deque,
            places: named(if is_deque { "head" } else { "places" }),
            values: named("values"),
            reference: None,
            is_float,
            has_numbers,
            of: of.clone(),
        }
    }

    /// The type of what is differentiated, if it is written.
    fn item_type(&self) -> Option<syn::Type> {
        let k = if self.is_deque { 0 } else { 1 };
        arguments(&self.of).into_iter().nth(k)
    }

    /// Whether statements speak of its places already.
    fn is_written_in(&self, stmts: &[syn::Stmt]) -> bool {
        let mut stmts = stmts.iter();
        stmts.any(|s| walk::has_path_from(Node::Stmt(s), &mut |name| *name == self.places))
    }
}

impl Reader<'_> {
    /// The statements of a block in which maps of what is differentiated are written out, if there are such.
    pub(super) fn with_collections(&mut self, block: &syn::Block) -> Option<syn::Block> {
        let mut written: Option<syn::Block> = None;
        let mut k = 0;
        loop {
            let current = written.as_ref().unwrap_or(block);
            let stmts = &current.stmts;
            let Some(stmt) = stmts.get(k) else { break };
            let behind = &stmts[k + 1..];
            let Some(found) = self.map_at(stmt, behind) else {
                k += 1;
                continue;
            };
            // it changes places with one that is written out already
            let is_other = found.pair.is_written_in(behind);
            let known = self.known_maps(&found.pair.name, behind);
            let of = found.pair.clone();
            if (is_other || self.holds_what_varies(&found, stmts))
                && let Some(rest) = Rewrite::new(&found.pair, &known).stmts(behind)
                && let Some(mut made) = found.steps_beside()
            {
                let before = stmts[..k].iter().cloned();
                let next = k + made.len();
                made.extend(rest);
                written = Some(syn::Block {
                    brace_token: block.brace_token,
                    stmts: before.chain(made).collect(),
                });
                k = next;
            } else {
                if is_other {
                    let name = super::state::last_name(&of.of).unwrap_or_default();
                    let at = of.name.extent();
                    self.cx.error_about(at, &error::COLLECTION_CHANGES, name);
                }
                k += 1;
            }
        }
        written
    }

    /// The names of this map, and of others that statements make.
    fn known_maps(&self, name: &Ident, stmts: &[syn::Stmt]) -> Vec<Ident> {
        let mut known = vec![name.clone()];
        for stmt in stmts {
            walk::any(Node::Stmt(stmt), &mut |node| {
                if let Node::Local(local) = node
                    && let Some((name, _, init)) = super::state::plain_let(local)
                    && (made(local, &|ty| self.env.expanded(ty)).is_some()
                        || rewrite::whole(init).is_some_and(|(of, _)| known.contains(of)))
                {
                    known.push(name.clone());
                }
                false
            });
        }
        known
    }

    /// A statement that makes a map whose values have floats.
    fn map_at(&mut self, stmt: &syn::Stmt, behind: &[syn::Stmt]) -> Option<Made> {
        let syn::Stmt::Local(local) = stmt else {
            return None;
        };
        let mut found = made(local, &|ty| self.env.expanded(ty))?;
        found.note_type(behind);
        found.note_key(behind);
        let name = super::state::last_name(&found.pair.of)?;
        if self.env.is_struct(&name) {
            return None;
        }
        let is_float = |ty: &syn::Type| matches!(types::ungroup(ty), syn::Type::Path(p) if p.path.is_ident(self.float));
        let value = found.pair.item_type();
        let (is_float, has_floats) = match value {
            Some(syn::Type::Infer(_)) | None => (true, true),
            Some(ty) => {
                let ty = self.env.expanded(&ty);
                let has = walk::any(Node::Type(&ty), &mut |node| match node {
                    Node::Type(of) => is_float(of),
                    Node::Path(p) => self.env.is_struct(&p.to_token_stream().to_string()),
                    _ => false,
                });
                (is_float(&ty), has)
            }
        };
        has_floats.then(|| found.of_floats(is_float))
    }

    /// Whether something that may be differentiated goes into a map.
    fn holds_what_varies(&mut self, made: &Made, stmts: &[syn::Stmt]) -> bool {
        let is_open = matches!(made.pair.item_type(), None | Some(syn::Type::Infer(_)));
        let mut varying = Varying {
            reader: self,
            names: Set::new(),
            map: vec![made.pair.name.clone()],
            found: false,
            floats: Set::new(),
            is_float: false,
        };
        let filled = made.contents();
        loop {
            let before = (varying.names.len(), varying.floats.len());
            if let Some(filled) = &filled {
                varying.fills(filled);
            }
            for stmt in stmts {
                varying.stmt(stmt);
            }
            if before == (varying.names.len(), varying.floats.len()) {
                break;
            }
        }
        varying.found && (!is_open || varying.is_float)
    }
}

impl Reader<'_> {
    fn type_of_name(&self, name: &str) -> Option<Ty> {
        let local = self.lookup(name.trim_start_matches("r#"))?;
        Some(self.types.peel(&self.locals[local.0].ty))
    }

    fn is_float_name(&self, name: &str) -> bool {
        matches!(self.type_of_name(name), Some(Ty::Float))
    }

    fn is_list_of_floats(&self, name: &str) -> bool {
        match self.type_of_name(name) {
            Some(Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of)) => {
                matches!(self.types.peel(&of), Ty::Float)
            }
            _ => false,
        }
    }

    /// Whether a function of this path returns a float.
    fn gives_float(&self, path: &syn::Path) -> bool {
        let path = self.resolve_use(path).to_token_stream().to_string();
        let known = self.env.function(&path);
        known.is_some_and(|known| {
            matches!(types::result_of(&known.signature.output).map(types::ungroup),
                Some(syn::Type::Path(p)) if p.path.is_ident(self.float))
        })
    }
}

/// What may vary among the names of some statements.
struct Varying<'a, 'b> {
    reader: &'a Reader<'b>,
    names: Set<String>,
    /// The map, and other names of it.
    map: Vec<Ident>,
    /// Something that may vary goes into the map.
    found: bool,
    /// Names of what are floats, as far as statements say so.
    floats: Set<String>,
    /// A float goes into the map.
    is_float: bool,
}

impl Varying<'_, '_> {
    fn stmt(&mut self, stmt: &syn::Stmt) {
        walk::read(Node::Stmt(stmt), &mut |node| {
            match node {
                Node::Local(local) => {
                    if let Some(init) = &local.init {
                        self.binds(&local.pat, &init.expr);
                    }
                }
                Node::Expr(e) => self.expr(e),
                _ => {}
            }
            Onward::Into
        });
    }

    fn expr(&mut self, e: &syn::Expr) {
        match e {
            syn::Expr::Let(l) => self.binds(&l.pat, &l.expr),
            syn::Expr::ForLoop(f) => {
                self.binds(&f.pat, &f.expr);
                self.note_items(&f.pat, &f.expr);
            }
            syn::Expr::Match(m) => m.arms.iter().for_each(|arm| self.binds(&arm.pat, &m.expr)),
            syn::Expr::Assign(a) => self.assigns(&a.left, &a.right),
            syn::Expr::Binary(b) if walk::is_assignment(&b.op) => {
                self.assigns(&b.left, &b.right);
            }
            syn::Expr::Call(c) => self.changes(c.args.iter()),
            syn::Expr::MethodCall(m) => {
                self.changes(m.args.iter().chain([&*m.receiver]));
                let of = root(&m.receiver);
                for (k, arg) in m.args.iter().enumerate() {
                    if let syn::Expr::Closure(c) = strip(arg) {
                        c.inputs.iter().for_each(|pat| self.binds(pat, &m.receiver));
                        if let [pat] = &c.inputs.iter().collect::<Vec<_>>()[..] {
                            self.note_items(pat, &m.receiver);
                        }
                        if !of.as_ref().is_some_and(|of| self.map.contains(of)) {
                            continue;
                        }
                    }
                    let is_key = k == 0
                        && matches!(
                            &*m.method.to_string(),
                            "insert" | "entry" | "get" | "get_mut" | "remove" | "contains_key"
                        );
                    if !is_key && let Some(of) = &of {
                        self.goes_into(of, arg);
                    }
                }
            }
            _ => {}
        }
    }

    /// What is behind `&mut` in a call may come from all that is passed there.
    fn changes<'e>(&mut self, passed: impl Iterator<Item = &'e syn::Expr> + Clone) {
        for (k, changed) in passed.clone().enumerate() {
            if let syn::Expr::Reference(r) = strip(changed)
                && r.mutability.is_some()
                && let Some(of) = root(&r.expr)
            {
                let others = passed.clone().enumerate().filter(|(other, _)| *other != k);
                others.for_each(|(_, e)| self.goes_into(&of, e));
            }
        }
    }

    fn fills(&mut self, e: &syn::Expr) {
        let map = self.map[0].clone();
        self.goes_into(&map, e);
    }

    fn goes_into(&mut self, of: &Ident, e: &syn::Expr) {
        let is_map = self.map.contains(of);
        if is_map && !self.is_float {
            let mut parts = Vec::new();
            parts_of(e, &mut parts);
            self.is_float = parts.into_iter().any(|part| self.is_float(part));
        }
        if self.varies(e) {
            self.found |= is_map;
            self.names.insert(of.to_string());
        }
    }

    fn assigns(&mut self, left: &syn::Expr, right: &syn::Expr) {
        if let Some(of) = root(left) {
            self.goes_into(&of, right);
        }
    }

    fn binds(&mut self, pat: &syn::Pat, e: &syn::Expr) {
        if let (Some(of), syn::Expr::Path(_) | syn::Expr::Reference(_)) = (root(e), strip(e))
            && self.map.contains(&of)
        {
            self.map.extend(walk::bound(Node::Pat(pat)));
        }
        let varies = self.varies(e);
        let is_float = self.is_float(e);
        // what is changed by its name may be in the map
        for name in walk::bound(Node::Pat(pat)) {
            if varies {
                self.names.insert(name.to_string());
            }
            if is_float {
                self.floats.insert(name.to_string());
            }
            let into_map = walk::has_path_from(Node::Expr(e), &mut |of| self.map.contains(of));
            if into_map && self.names.contains(&name.to_string()) {
                self.found = true;
            }
        }
    }

    /// Notes which names of a pattern are items of lists of floats.
    fn note_items(&mut self, pat: &syn::Pat, items: &syn::Expr) {
        match (pat, strip(items)) {
            (syn::Pat::Reference(r), _) => self.note_items(&r.pat, items),
            (_, syn::Expr::Reference(r)) => self.note_items(pat, &r.expr),
            (syn::Pat::Ident(own), syn::Expr::Path(p)) => {
                let list = p.path.get_ident().map(ToString::to_string);
                if list.is_some_and(|list| self.reader.is_list_of_floats(&list)) {
                    self.floats.insert(own.ident.to_string());
                }
            }
            (_, syn::Expr::MethodCall(m)) => match (&*m.method.to_string(), pat) {
                ("enumerate", syn::Pat::Tuple(t)) if t.elems.len() == 2 => {
                    self.note_items(&t.elems[1], &m.receiver);
                }
                ("zip", syn::Pat::Tuple(t)) if t.elems.len() == 2 => {
                    self.note_items(&t.elems[0], &m.receiver);
                    if let Some(other) = m.args.first() {
                        self.note_items(&t.elems[1], other);
                    }
                }
                (
                    "cloned" | "copied" | "filter" | "into_iter" | "iter" | "iter_mut" | "rev"
                    | "skip" | "step_by" | "take",
                    _,
                ) => self.note_items(pat, &m.receiver),
                _ => {}
            },
            _ => {}
        }
    }

    /// Whether the value of an expression may vary; that of a length, a comparison or a whole number does not.
    fn varies(&self, e: &syn::Expr) -> bool {
        walk::read(Node::Expr(e), &mut |node| match node {
            Node::ExprPath(p) => match p.path.get_ident() {
                Some(name)
                    if self.names.contains(&name.to_string())
                        || self.reader.may_be_active(&syn::Expr::Path(p.clone())) =>
                {
                    Onward::Found
                }
                _ => Onward::Over,
            },
            Node::Expr(syn::Expr::Index(i)) => match self.varies(&i.expr) {
                true => Onward::Found,
                false => Onward::Over,
            },
            Node::Expr(syn::Expr::MethodCall(m)) if m.method == "len" || m.method == "is_empty" => {
                Onward::Over
            }
            Node::Expr(syn::Expr::Cast(c)) if types::is_integer(&c.ty) => Onward::Over,
            Node::Macro(mac) => {
                let args = walk::arguments(mac).unwrap_or_default();
                match args.iter().any(|arg| self.varies(arg)) {
                    true => Onward::Found,
                    false => Onward::Over,
                }
            }
            _ => Onward::Into,
        })
    }

    /// Whether an expression says that it is a float.
    fn is_float(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Lit(l) => matches!(l.lit, syn::Lit::Float(_)),
            syn::Expr::Unary(u) => self.is_float(&u.expr),
            syn::Expr::Binary(b) => self.is_float(&b.left) || self.is_float(&b.right),
            syn::Expr::Cast(c) => {
                matches!(&*c.ty, syn::Type::Path(p) if p.path.is_ident(self.reader.float))
            }
            syn::Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                self.floats.contains(&name.to_string())
                    || self.reader.is_float_name(&name.to_string())
            }),
            syn::Expr::Index(i) => match strip(&i.expr) {
                syn::Expr::Path(p) => p
                    .path
                    .get_ident()
                    .is_some_and(|name| self.reader.is_list_of_floats(&name.to_string())),
                _ => false,
            },
            syn::Expr::MethodCall(m) => self.is_float(&m.receiver),
            syn::Expr::Macro(m) => {
                let args = walk::arguments(&m.mac).unwrap_or_default();
                args.first().is_some_and(|arg| self.is_float(arg))
            }
            syn::Expr::Call(c) => match strip(&c.func) {
                syn::Expr::Path(p) => self.reader.gives_float(&p.path),
                _ => false,
            },
            _ => false,
        }
    }
}

/// The values among what goes into a map: those of pairs, of lists of them, and of closures that give them.
fn parts_of<'e>(e: &'e syn::Expr, parts: &mut Vec<&'e syn::Expr>) {
    match strip(e) {
        syn::Expr::Array(a) => a.elems.iter().for_each(|e| parts_of(e, parts)),
        syn::Expr::Tuple(t) if t.elems.len() == 2 => parts.push(&t.elems[1]),
        syn::Expr::MethodCall(m) => {
            parts.push(e);
            for arg in &m.args {
                if let syn::Expr::Closure(c) = strip(arg) {
                    parts_of(&c.body, parts);
                }
            }
        }
        syn::Expr::Closure(c) => parts_of(&c.body, parts),
        syn::Expr::Block(b) => {
            if let Some(syn::Stmt::Expr(last, None)) = b.block.stmts.last() {
                parts_of(last, parts);
            }
        }
        _ => parts.push(e),
    }
}

/// `usize` of `HashMap<usize, f64>`, and `f64`
fn arguments(ty: &syn::Type) -> Vec<syn::Type> {
    match types::ungroup(ty) {
        syn::Type::Path(p) => types::arguments(&p.path).into_iter().cloned().collect(),
        _ => Vec::new(),
    }
}

/// The variable that a chain begins with.
pub(super) fn root(e: &syn::Expr) -> Option<Ident> {
    match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident().cloned(),
        syn::Expr::MethodCall(m) => root(&m.receiver),
        syn::Expr::Field(f) => root(&f.base),
        syn::Expr::Index(i) => root(&i.expr),
        syn::Expr::Unary(u) => root(&u.expr),
        syn::Expr::Reference(r) => root(&r.expr),
        _ => None,
    }
}
