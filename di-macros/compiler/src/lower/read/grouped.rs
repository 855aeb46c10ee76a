//! Constants that are made step by step: a `let` and the statements that change what it binds are one piece of passive
//! code.
//!
//! ```text
//! let mut sorted = data.to_vec();          let sorted = {
//! sorted.sort_by(|a, b| ..);         =>        let mut sorted = data.to_vec();
//!                                              sorted.sort_by(|a, b| ..);
//!                                              sorted
//!                                          };
//! ```

use super::collections::root;
use super::constant::identifiers;
use super::expr::{strip, unraw};
use super::format::captured;
use super::lifted::behind_references;
use super::passive::{OWN, rename_all};
use super::{Item, Reader};
use crate::ir::Tokens;
use crate::lower::changes::changes_vector;
use crate::lower::data;
use crate::lower::extent::HasExtent;
use crate::lower::free::free_names;
use crate::lower::hir::{Local, Step};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::types::element;
use crate::report::Extent;
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::tokens;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::TokenTree;
use quote::ToTokens;

/// Collections of std that passive code may make.
pub(super) const COLLECTIONS: [&str; 8] = [
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "HashMap",
    "HashSet",
    "LinkedList",
    "String",
    "VecDeque",
];

/// Methods of collections that change them, beside those of vectors.
const CHANGING: [&str; 13] = [
    "entry",
    "get_mut",
    "iter_mut",
    "peek_mut",
    "pop_back",
    "pop_first",
    "pop_front",
    "pop_last",
    "push_back",
    "push_front",
    "push_str",
    "take",
    "values_mut",
];

/// Whether this is `format!(..)`.
pub(super) fn names_text(e: &syn::Expr) -> bool {
    matches!(strip(e), syn::Expr::Macro(m) if m.mac.path.is_ident("format"))
}

/// Methods that change an option.
const TAKING: [&str; 6] = [
    "get_or_insert",
    "get_or_insert_with",
    "insert",
    "replace",
    "take",
    "take_if",
];

/// A constant whose last change is at this statement.
pub(super) struct Grouped {
    name: syn::Ident,
    whole: syn::Expr,
    /// Its type, if that is written, or that of its constructor.
    ty: Option<syn::Type>,
    /// Its type as far as it is known.
    made: Option<syn::Type>,
    /// The numbers of its statements in the block; the last is where it stands.
    pub(super) members: Vec<usize>,
}

impl Reader<'_> {
    /// The constant that the statement at `k` of a block binds, if the compiler does not look into its type.
    pub(super) fn grouped(&mut self, stmts: &[syn::Stmt], k: usize) -> Option<Grouped> {
        let syn::Stmt::Local(local) = &stmts[k] else {
            return None;
        };
        let (pat, written) = match &local.pat {
            syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            pat => (pat, None),
        };
        let syn::Pat::Ident(pat) = pat else {
            return None;
        };
        let is_plain = pat.by_ref.is_none() && pat.subpat.is_none() && local.attrs.is_empty();
        let init = local
            .init
            .as_ref()
            .filter(|i| is_plain && i.diverge.is_none())?;
        let ty = self.unseen_type(written, &init.expr, pat.mutability.is_some())?;
        let name = &pat.ident;
        // a text that is chosen by what is differentiated, or by a part of that, is a choice of texts
        let is_chosen = matches!(
            strip(&init.expr),
            syn::Expr::Block(_) | syn::Expr::If(_) | syn::Expr::Match(_)
        );
        let is_text = ty.as_ref().is_some_and(|ty| data::text(ty).is_some());
        if self.reads_variable(&init.expr, None, &[])
            || is_chosen && is_text && self.may_be_active(&init.expr)
        {
            return None;
        }
        let mut members = vec![k];
        let mut between = Vec::new();
        if pat.mutability.is_some() {
            for (at, stmt) in stmts.iter().enumerate().skip(k + 1) {
                let is_value = at + 1 == stmts.len() && matches!(stmt, syn::Stmt::Expr(_, None));
                if !is_value && self.changes(stmt, name, &between) {
                    members.push(at);
                } else {
                    between.extend(variables(stmt));
                }
            }
        }
        let is_unseen = self.unseen_struct(&init.expr).is_some();
        // structs that are changed by what is differentiated are no constants
        let is_active =
            |at: &usize| matches!(&stmts[*at], syn::Stmt::Expr(e, _) if self.may_be_active(e));
        if is_unseen && members[1..].iter().any(is_active) {
            return None;
        }
        let mut later = stmts[k + 1..].iter();
        if self.copied_structs(&init.expr).is_some()
            && (members[1..].iter().any(is_active) || later.any(|stmt| is_borrowed(stmt, name)))
        {
            return None;
        }
        // nor is a text of it: that is state
        let is_written = |at: &usize| {
            walk::any(Node::Stmt(&stmts[*at]), &mut |node| match node {
                Node::Macro(mac) => !self.is_constant_text(mac),
                Node::Expr(syn::Expr::MethodCall(m)) => {
                    m.method == "to_string" && self.may_be_active(&m.receiver)
                }
                _ => false,
            })
        };
        let is_text = |ty: &syn::Type| types::is_std_name(types::ungroup(ty), &["String"]);
        if ty.as_ref().is_some_and(is_text) && members.iter().any(is_written) {
            return None;
        }
        // it stands at its last change: nothing before that reads it, or binds a name anew that it has
        let last = *members.last()?;
        let is_in_the_way = |at: usize| {
            let bound = walk::bound(Node::Stmt(&stmts[at]));
            let mut before = members.iter().filter(|member| **member < at);
            mentions(Node::Stmt(&stmts[at]), name)
                || before.any(|m| bound.iter().any(|b| mentions(Node::Stmt(&stmts[*m]), b)))
        };
        if (k + 1..last).any(|at| !members.contains(&at) && is_in_the_way(at)) {
            return None;
        }
        let mut own: Vec<syn::Stmt> = members.iter().map(|at| stmts[*at].clone()).collect();
        self.rename_shadowed(name, &mut own[0]);
        let whole = parse_quote!({ #(#own)* #name });
        Some(Grouped {
            name: name.clone(),
            whole,
            made: self.collected_as_written(ty.as_ref(), &init.expr),
            ty,
            members,
        })
    }

    /// `let data: Set<_> = data.iter().collect();` reads what the new name hides: that goes by another name.
    fn rename_shadowed(&mut self, name: &syn::Ident, made: &mut syn::Stmt) {
        let name = unraw(name);
        if let Some(hidden) = self.lookup(&name)
            && let syn::Stmt::Local(syn::Local {
                init: Some(init), ..
            }) = made
        {
            let scope = self.scopes.last_mut().expect("a function has a scope");
            scope.locals.insert(format!("{OWN}{name}"), hidden);
            rename_all(NodeMut::Expr(&mut init.expr), &[name]);
        }
    }

    /// Binds the constant as passive code.
    pub(super) fn let_grouped(&mut self, group: &Grouped) -> Step {
        let mut value = self.passive_code(&group.whole, false);
        match &group.ty {
            Some(ty) if is_map(ty) => {
                let ty = self.with_contents(ty, &group.name, &group.whole);
                value.ty = Ty::Opaque(Tokens(ty.to_token_stream()));
            }
            _ => value.ty = self.carried(group.made.clone()),
        }
        let name = unraw(&group.name);
        let local = self.bind(&name, false, value.ty.clone(), group.name.extent());
        self.locals[local.0].once = true;
        let ty = group.ty.as_ref();
        let ty = ty.map_or(name, |ty| ty.to_token_stream().to_string());
        self.made.push((local, ty));
        Step::bind(local, value)
    }

    /// Where code changes a constant that was made step by step, and the type of that.
    pub(super) fn changed_again(&self, e: &syn::Expr) -> Option<(Extent, String)> {
        let mut found = None;
        walk::any(Node::Expr(e), &mut |node| {
            if let Node::Expr(syn::Expr::MethodCall(m)) = node {
                let name = m.method.to_string();
                let is_taken = TAKING.contains(&&*name) && m.args.len() < 2;
                let of = match self.made_by_steps(&m.receiver) {
                    Some(ty) if may_change(&name) => Some(ty.to_owned()),
                    // `take` of an option, not of an iterator
                    None if is_taken && (name != "take" || m.args.is_empty()) => {
                        self.variable_constant(&m.receiver)
                    }
                    _ => None,
                };
                found = of.map(|ty| (m.method.extent(), ty));
            }
            found.is_some()
        });
        found
    }

    /// The type of a variable that holds a constant and may change, or its name.
    fn variable_constant(&self, e: &syn::Expr) -> Option<String> {
        let local = self.local_of(e)?;
        let local = &self.locals[local.0];
        let ty = self.constant_type(&local.ty);
        let text = ty.map_or_else(|| local.name.clone(), |ty| ty.to_token_stream().to_string());
        local.mutable.then_some(text)
    }

    /// The type of a constant that was made step by step.
    pub(super) fn made_by_steps(&self, e: &syn::Expr) -> Option<&str> {
        let local = self.local_of(e)?;
        let (_, ty) = self.made.iter().find(|(made, _)| *made == local)?;
        Some(ty)
    }

    /// `Some` if the value is of a type that the compiler does not look into, with that type if it is known.
    fn unseen_type(
        &mut self,
        written: Option<&syn::Type>,
        init: &syn::Expr,
        is_mut: bool,
    ) -> Option<Option<syn::Type>> {
        if is_mut && let Some(of) = self.unseen_struct(init) {
            return Some(Some(of));
        }
        if let Some(ty) = written {
            let expanded = self.env.expanded(ty);
            let is_seen = types::read_local(&expanded, self.float, &mut self.types).is_some()
                || types::is_other_float(&expanded, self.float);
            // a row would be borrowed of what is made where it is used
            if element(&expanded).is_some_and(|of| element(of).is_some()) {
                return None;
            }
            let of_references = matches!(element(&expanded), Some(syn::Type::Reference(_)));
            let is_carried = (is_mut || of_references)
                && (self.copies_parts(init)
                    || self.holds_parts(&expanded)
                        && self.is_of_opaque(init)
                        && !self.has_active_part(init));
            let is_whole = is_plain_data(&expanded);
            return (is_whole && (!is_seen || is_carried)).then(|| Some(ty.clone()));
        }
        if let syn::Expr::Call(c) = strip(init)
            && let syn::Expr::Path(p) = strip(&c.func)
            && let [.., of, _] = &*p.path.segments.iter().collect::<Vec<_>>()
            && COLLECTIONS.contains(&&*of.ident.to_string())
            && !self.env.is_struct(&of.ident.to_string())
        {
            let of = &of.ident;
            return Some(Some(parse_quote!(#of)));
        }
        (is_mut && self.copies_parts(init)).then_some(None)
    }

    /// The type of `Options::default()` or `Options { .. }` of constants, if it is a struct that the compiler does not look
    /// into. Those of integers alone may change at any time.
    fn unseen_struct(&mut self, init: &syn::Expr) -> Option<syn::Type> {
        let of: syn::Type = match strip(init) {
            syn::Expr::Call(c) => match strip(&c.func) {
                syn::Expr::Path(p) => syn::parse2(self.constant_made(&p.path)?).ok()?,
                _ => return None,
            },
            syn::Expr::Struct(s) => {
                let of = self.type_of_variant(&s.path)?;
                let is_opaque = self.env.is_opaque(&of.to_token_stream().to_string());
                let mut parts = s.fields.iter().map(|f| &f.expr).chain(s.rest.as_deref());
                (is_opaque && parts.all(|part| self.is_made(&of, part))).then_some(of)?
            }
            _ => return None,
        };
        let is_data = matches!(&of, syn::Type::Path(p) if self.types.names_data(&p.path));
        (!is_data).then_some(of)
    }

    /// `data.to_vec()` of tuples, or of what is not looked into.
    fn copies_parts(&mut self, init: &syn::Expr) -> bool {
        let syn::Expr::MethodCall(m) = strip(init) else {
            return false;
        };
        let copies = matches!(&*m.method.to_string(), "to_vec" | "to_owned" | "clone");
        let is_constant = self.is_of_opaque(init);
        copies && is_constant && m.args.is_empty() && self.is_sequence_of_parts(&m.receiver)
    }

    /// Whether a sequence holds other things than numbers.
    fn is_sequence_of_parts(&mut self, e: &syn::Expr) -> bool {
        let Some(ty) = self.type_as_written(e) else {
            return false;
        };
        let ty = self.env.expanded(&ty);
        self.holds_parts(&ty)
    }

    fn holds_parts(&mut self, ty: &syn::Type) -> bool {
        let Some(of) = element(behind_references(ty)) else {
            return false;
        };
        let plain = types::read_plain(of, self.float, &mut self.types);
        !matches!(
            plain,
            Some(Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..))
        )
    }

    /// Whether a statement changes this variable, and nothing else that is there without it.
    fn changes(&self, stmt: &syn::Stmt, name: &syn::Ident, others: &[syn::Ident]) -> bool {
        let syn::Stmt::Expr(e, _) = stmt else {
            return false;
        };
        mentions(Node::Expr(e), name)
            && !self.reads_variable(e, Some(name), others)
            && !leaves(e)
            && !assigns_other(e, name)
    }

    /// Whether code uses a variable or a closure by which something may change that stands outside of it, or one of
    /// `others`, but for this one.
    fn reads_variable(
        &self,
        e: &syn::Expr,
        but: Option<&syn::Ident>,
        others: &[syn::Ident],
    ) -> bool {
        free_names(Node::Expr(e)).iter().any(|name| {
            let is_other = others.iter().any(|other| unraw(other) == *name);
            but.is_none_or(|but| unraw(but) != *name) && (is_other || self.may_change_by(name))
        })
    }

    fn may_change_by(&self, name: &str) -> bool {
        let by_item = match self.item(name) {
            Some(Item::Closure(id)) => self.may_change_by_closure(*id),
            // of what stands for these less is known
            Some(Item::Maker(_) | Item::Chain(_)) => true,
            Some(Item::Const(..) | Item::Use(..)) | None => false,
        };
        let mut local = self.lookup(name).into_iter();
        by_item || local.any(|local| self.may_change_by_variable(local))
    }

    /// Whether a variable may change, or something else by it.
    pub(super) fn may_change_by_variable(&self, local: Local) -> bool {
        let local = &self.locals[local.0];
        let borrows = |ty: &Ty| matches!(ty, Ty::Ref(true, _));
        local.mutable || self.types.any(&local.ty, &borrows)
    }
}

/// Whether a method of this name may change a collection.
pub(super) fn may_change(method: &str) -> bool {
    CHANGING.contains(&method) || changes_vector(method)
}

/// Names that a macro is called with, also in its texts.
pub(in crate::lower) fn names_in(mac: &syn::Macro) -> Set<String> {
    let mut names = Set::new();
    identifiers(mac.tokens.clone(), &mut names);
    tokens::any(mac.tokens.clone(), &mut |tree| {
        if let TokenTree::Literal(text) = tree {
            names.extend(captured(text));
        }
        false
    });
    names
}

/// Names that a statement binds to variables that may change.
fn variables(stmt: &syn::Stmt) -> Vec<syn::Ident> {
    let mut found = Vec::new();
    walk::read(Node::Stmt(stmt), &mut |node| {
        if let Node::Pat(syn::Pat::Ident(p)) = node
            && p.mutability.is_some()
        {
            found.push(p.ident.clone());
        }
        Onward::Into
    });
    found
}

fn mentions(node: Node<'_>, name: &syn::Ident) -> bool {
    walk::any(node, &mut |node| match node {
        Node::ExprPath(p) => p.path.is_ident(name),
        Node::Macro(mac) => names_in(mac).contains(&unraw(name)),
        _ => false,
    })
}

/// Whether a statement borrows a variable by `&mut`, and binds what it gets: `let e = run(k, &mut parts);`
fn is_borrowed(stmt: &syn::Stmt, name: &syn::Ident) -> bool {
    let borrows = |node: Node<'_>| match node {
        Node::Expr(syn::Expr::Reference(r)) if r.mutability.is_some() => {
            matches!(strip(&r.expr), syn::Expr::Path(p) if p.path.is_ident(name))
        }
        Node::Expr(syn::Expr::MethodCall(m)) if m.method == "iter_mut" => {
            matches!(strip(&m.receiver), syn::Expr::Path(p) if p.path.is_ident(name))
        }
        _ => false,
    };
    matches!(stmt, syn::Stmt::Local(_)) && walk::any(Node::Stmt(stmt), &mut |node| borrows(node))
}

/// Whether code ends more than itself.
fn leaves(e: &syn::Expr) -> bool {
    walk::any(Node::Expr(e), &mut |node| {
        matches!(
            node,
            Node::Expr(
                syn::Expr::Return(_)
                    | syn::Expr::Try(_)
                    | syn::Expr::Await(_)
                    | syn::Expr::Unsafe(_)
            )
        )
    })
}

/// A collection that has no index.
fn is_map(ty: &syn::Type) -> bool {
    let syn::Type::Path(p) = types::ungroup(ty) else {
        return false;
    };
    let last = p.path.segments.last();
    last.is_some_and(|s| COLLECTIONS.contains(&&*s.ident.to_string()))
}

/// Whether a type is made of collections, sequences and references, none of which can change unless it is `mut`: the
/// code that makes such a value may run more than once.
fn is_plain_data(ty: &syn::Type) -> bool {
    let outer = match types::ungroup(ty) {
        syn::Type::Path(p) => p.path.segments.last().is_some_and(|s| {
            let name = s.ident.to_string();
            COLLECTIONS.contains(&&*name) || ["Option", "Vec"].contains(&&*name)
        }),
        syn::Type::Array(_) | syn::Type::Slice(_) | syn::Type::Tuple(_) => true,
        syn::Type::Reference(r) => r.mutability.is_none(),
        _ => false,
    };
    let changes = |name: &syn::Ident| {
        let name = name.to_string();
        name.ends_with("Cell")
            || name.starts_with("Atomic")
            || ["Arc", "Mutex", "Rc", "RwLock"].contains(&&*name)
    };
    outer
        && !walk::any(Node::Type(ty), &mut |node| match node {
            Node::Path(path) => path.segments.last().is_some_and(|s| changes(&s.ident)),
            Node::Type(ty) => matches!(ty, syn::Type::BareFn(_) | syn::Type::TraitObject(_)),
            _ => false,
        })
}

/// Whether code assigns to another variable than this one, which it does not bind itself.
fn assigns_other(e: &syn::Expr, name: &syn::Ident) -> bool {
    let own = walk::bound(Node::Expr(e));
    walk::any(Node::Expr(e), &mut |node| {
        let left = match node {
            Node::Expr(syn::Expr::Assign(a)) => &a.left,
            Node::Expr(syn::Expr::Binary(b)) if walk::is_assignment(&b.op) => &b.left,
            _ => return false,
        };
        root(left).is_some_and(|of| of != *name && !own.contains(&of))
    })
}
