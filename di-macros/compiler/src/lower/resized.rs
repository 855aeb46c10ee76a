//! Functions and methods that change the lengths of vectors in the structs that they borrow: `self.knots.push(t)`,
//! `grid.cells = next`. Their bodies stand in the place of calls, where the struct is a variable whose lengths are known.

use super::bundles::put_mark;
use super::changes::{MOVING, RESIZING, has_rows};
use super::free;
use super::types::{self, ungroup};
use crate::sorted::{Map, Set};
use crate::walk::{self, Node, Onward};
use proc_macro2::Ident;
use quote::ToTokens;

/// A function by its name, or a method by its type and name, and the parameter that is borrowed: of a method `self` is
/// the first.
type Borrowed = (String, usize);

/// The parameters behind which lengths change.
#[derive(Clone, Default)]
pub(crate) struct Resized(Set<Borrowed>);

/// What items say of each other.
#[derive(Default)]
struct Items {
    structs: Map<String, Vec<(String, syn::Type)>>,
    /// Structs that have lengths.
    with_lengths: Set<String>,
    /// Parameters behind which lengths change.
    changed: Set<Borrowed>,
}

impl Items {
    fn of<'i>(items: impl Iterator<Item = &'i syn::Item> + Clone) -> Items {
        let mut found = Items::default();
        for item in items.clone() {
            if let syn::Item::Struct(s) = item {
                found.structs.insert(s.ident.to_string(), fields_of(s));
            }
        }
        while let Some(name) = found.further_with_lengths() {
            found.with_lengths.insert(name);
        }
        let mut before = None;
        while before != Some(found.changed.len()) {
            before = Some(found.changed.len());
            for item in items.clone() {
                found.note(item);
            }
        }
        found
    }

    fn further_with_lengths(&self) -> Option<String> {
        let mut all = self.structs.iter();
        let found = all.find(|(name, fields)| {
            !self.with_lengths.contains(*name) && fields.iter().any(|(_, ty)| self.has_lengths(ty))
        });
        found.map(|(name, _)| name.clone())
    }

    /// Whether values of a type have lengths that are known only when the program runs.
    fn has_lengths(&self, ty: &syn::Type) -> bool {
        walk::any(Node::Type(ty), &mut |node| match node {
            Node::Type(syn::Type::Path(p)) => p.path.segments.last().is_some_and(|s| {
                s.ident == "Vec"
                    || s.ident == "String"
                    || self.with_lengths.contains(&s.ident.to_string())
            }),
            Node::Type(syn::Type::Slice(_)) => true,
            _ => false,
        })
    }

    /// Notes the parameters of an item behind which lengths change.
    fn note(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Fn(f) => self.note_function(&f.sig, &f.block, None),
            syn::Item::Impl(block) => {
                let owner = name_of(&block.self_ty);
                for inner in &block.items {
                    if let (syn::ImplItem::Fn(f), Some(owner)) = (inner, &owner) {
                        self.note_function(&f.sig, &f.block, Some((owner, &block.self_ty)));
                    }
                }
            }
            _ => {}
        }
    }

    fn note_function(
        &mut self,
        sig: &syn::Signature,
        block: &syn::Block,
        of: Option<(&String, &syn::Type)>,
    ) {
        let name = called(of.map(|(name, _)| &**name), &sig.ident);
        for (k, input) in sig.inputs.iter().enumerate() {
            let borrowed = match (input, of) {
                (syn::FnArg::Receiver(r), Some((_, owner))) if r.mutability.is_some() => {
                    Some(("self".to_owned(), owner.clone()))
                }
                (syn::FnArg::Typed(p), _) if p.attrs.is_empty() => borrowed(p, of.map(|of| of.1)),
                _ => None,
            };
            let at = (name.clone(), k);
            let Some((own, ty)) = borrowed.filter(|_| !self.changed.contains(&at)) else {
                continue;
            };
            let mut body = Changing {
                all: self,
                places: [(own, ty)].into_iter().collect(),
            };
            if body.changes(Node::Block(block)) {
                self.changed.insert(at);
            }
        }
    }
}

impl Resized {
    pub(crate) fn of<'i>(items: impl Iterator<Item = &'i syn::Item> + Clone) -> Resized {
        Resized(Items::of(items).changed)
    }

    /// Whether one of the parameters is a struct behind which lengths change, and the function does not call itself.
    fn is_one(&self, sig: &syn::Signature, block: &syn::Block, of: Option<&syn::Type>) -> bool {
        let name = called(of.and_then(name_of).as_deref(), &sig.ident);
        let mut inputs = sig.inputs.iter().enumerate();
        let changes = inputs.any(|(k, _)| self.0.contains(&(name.clone(), k)));
        let is_itself = |node: Node<'_>| match node {
            Node::Expr(syn::Expr::MethodCall(m)) => {
                matches!(&*m.receiver, syn::Expr::Path(p) if p.path.is_ident("self"))
                    && m.method == sig.ident
            }
            Node::ExprPath(p) => {
                p.path.segments.len() > 1
                    && p.path.segments.last().is_some_and(|s| s.ident == sig.ident)
            }
            _ => false,
        };
        let calls_itself = match of {
            Some(_) => walk::any(Node::Block(block), &mut |node| is_itself(node)),
            None => free::names_itself(sig, block),
        };
        changes && !calls_itself
    }

    pub(crate) fn mark(&self, items: &mut [syn::Item]) {
        for item in items {
            match item {
                syn::Item::Fn(f) => self.mark_function(f),
                syn::Item::Impl(block) => self.mark_block(block),
                _ => {}
            }
        }
    }

    pub(crate) fn mark_function(&self, f: &mut syn::ItemFn) {
        if self.is_one(&f.sig, &f.block, None) {
            put_mark(&mut f.attrs);
        }
    }

    pub(crate) fn mark_block(&self, block: &mut syn::ItemImpl) {
        for item in &mut block.items {
            if let syn::ImplItem::Fn(f) = item
                && self.is_one(&f.sig, &f.block, Some(&block.self_ty))
            {
                put_mark(&mut f.attrs);
            }
        }
    }
}

/// The places of a body that lead to what is borrowed.
struct Changing<'a> {
    all: &'a Items,
    /// Variables that are such places, or iterate over them, with their types.
    places: Map<String, syn::Type>,
}

impl Changing<'_> {
    /// The type of a place behind what is borrowed.
    fn place(&self, e: &syn::Expr) -> Option<syn::Type> {
        match e {
            syn::Expr::Path(p) => self.places.get(&p.path.get_ident()?.to_string()).cloned(),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.place(&u.expr),
            syn::Expr::Reference(r) => self.place(&r.expr).filter(|_| r.mutability.is_some()),
            syn::Expr::Paren(p) => self.place(&p.expr),
            syn::Expr::Group(g) => self.place(&g.expr),
            syn::Expr::Index(i) => element(&self.place(&i.expr)?),
            syn::Expr::Field(f) => {
                let of = name_of(&self.place(&f.base)?)?;
                let name = f.member.to_token_stream().to_string();
                let fields = self.all.structs.get(&of)?;
                let field = fields.iter().find(|(own, _)| *own == name);
                field.map(|(_, ty)| ty.clone())
            }
            syn::Expr::MethodCall(m) => {
                let of = self.place(&m.receiver)?;
                match &*m.method.to_string() {
                    "iter_mut" | "as_mut" | "as_mut_slice" | "unwrap" | "expect" | "enumerate"
                    | "rev" | "skip" | "take" => Some(of),
                    "last_mut" | "first_mut" | "get_mut" => element(&of),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A place that is no variable, and has lengths.
    fn is_resized(&self, e: &syn::Expr) -> bool {
        let is_slice = |ty: &syn::Type| matches!(ungroup(ty), syn::Type::Slice(_));
        self.place(e)
            .is_some_and(|ty| self.all.has_lengths(&ty) && !is_slice(&ty))
    }

    /// A field of a struct with lengths that is neither a number nor a struct: with it the struct is made anew.
    fn is_made_anew(&self, e: &syn::Expr) -> bool {
        let syn::Expr::Field(f) = e else {
            return false;
        };
        let is_known = |ty: &syn::Type| {
            name_of(ty).is_some_and(|name| {
                ["bool", "char", "f32", "f64"].contains(&&*name)
                    || types::is_integer_name(&name)
                    || self.all.structs.contains_key(&name)
            })
        };
        let has_lengths = |of: syn::Type| self.all.has_lengths(&of);
        self.place(e).is_some_and(|ty| !is_known(&ty))
            && self.place(&f.base).is_some_and(has_lengths)
    }

    /// Whether lengths change in some code, whose names are bound for what comes after it, too.
    fn changes(&mut self, code: Node<'_>) -> bool {
        walk::read(code, &mut |node| self.node(node))
    }

    /// The places of code where a pattern binds to one of this type, or hides others.
    fn within(&self, pat: Option<&syn::Pat>, ty: Option<syn::Type>) -> Changing<'_> {
        let mut inner = Changing {
            all: self.all,
            places: self.places.clone(),
        };
        if let Some(pat) = pat {
            inner.bind(pat, ty);
        }
        inner
    }

    fn node(&mut self, node: Node<'_>) -> Onward {
        let found = match node {
            Node::Block(block) => {
                let mut inner = self.within(None, None);
                let mut stmts = block.stmts.iter();
                let found = stmts.any(|stmt| inner.changes(Node::Stmt(stmt)));
                return ended(found);
            }
            Node::Local(local) => {
                let init = local.init.as_ref();
                let found = init.is_some_and(|init| self.changes(Node::Expr(&init.expr)));
                let ty = init.and_then(|init| self.place(&init.expr));
                let other = init.and_then(|init| init.diverge.as_ref());
                let found = found || other.is_some_and(|(_, e)| self.changes(Node::Expr(e)));
                self.bind(&local.pat, ty);
                return ended(found);
            }
            Node::Expr(syn::Expr::Let(l)) => {
                let (found, ty) = (self.changes(Node::Expr(&l.expr)), self.place(&l.expr));
                self.bind(&l.pat, ty);
                return ended(found);
            }
            Node::Expr(syn::Expr::If(e)) => {
                let mut inner = self.within(None, None);
                let found = inner.changes(Node::Expr(&e.cond))
                    || inner.changes(Node::Block(&e.then_branch))
                    || (e.else_branch.as_ref()).is_some_and(|(_, e)| self.changes(Node::Expr(e)));
                return ended(found);
            }
            Node::Expr(syn::Expr::While(e)) => {
                let mut inner = self.within(None, None);
                let found =
                    inner.changes(Node::Expr(&e.cond)) || inner.changes(Node::Block(&e.body));
                return ended(found);
            }
            Node::Expr(syn::Expr::Match(e)) => {
                let (found, ty) = (self.changes(Node::Expr(&e.expr)), self.place(&e.expr));
                let in_arm = |arm: &syn::Arm| {
                    let mut inner = self.within(Some(&arm.pat), ty.clone());
                    let guard = arm.guard.as_ref();
                    guard.is_some_and(|(_, e)| inner.changes(Node::Expr(e)))
                        || inner.changes(Node::Expr(&arm.body))
                };
                return ended(found || e.arms.iter().any(in_arm));
            }
            Node::Expr(syn::Expr::ForLoop(l)) => {
                let item = self.place(&l.expr).as_ref().and_then(element);
                let found = self.changes(Node::Expr(&l.expr))
                    || (self.within(Some(&l.pat), item)).changes(Node::Block(&l.body));
                return ended(found);
            }
            Node::Expr(syn::Expr::Closure(c)) => {
                let mut inner = self.within(None, None);
                c.inputs.iter().for_each(|input| inner.bind(input, None));
                return ended(inner.changes(Node::Expr(&c.body)));
            }
            Node::Expr(syn::Expr::MethodCall(m)) => self.method(m),
            Node::Expr(syn::Expr::Assign(assign)) => {
                let is_variable = matches!(&*assign.left, syn::Expr::Path(_));
                !is_variable && (self.is_resized(&assign.left) || self.is_made_anew(&assign.left))
            }
            Node::Expr(syn::Expr::Call(call)) => self.call(call),
            _ => false,
        };
        match found {
            true => Onward::Found,
            false => Onward::Into,
        }
    }

    fn method(&self, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        // `w.append(&mut self.v)`
        let empties = ["append", "clone_into"].contains(&&*name);
        if empties && m.args.iter().any(|a| self.is_resized(a)) {
            return true;
        }
        let receiver = self.place(&m.receiver);
        let changes = |of: &syn::Type| match name_of(of) {
            Some(of) if of == "Vec" => {
                let moves = MOVING.iter().any(|of| name.starts_with(of));
                RESIZING.contains(&&*name) || moves && receiver.as_ref().is_some_and(has_rows)
            }
            Some(of) => {
                (self.all.changed).contains(&(called(Some(&of), &m.method), 0))
                    || name == "clone_from" && self.all.with_lengths.contains(&of)
            }
            None => false,
        };
        if receiver.as_ref().is_some_and(changes) {
            return true;
        }
        // methods of any type, by their names
        let mut args = m.args.iter().enumerate();
        args.any(|(k, arg)| {
            let passed = format!("::{name}");
            let mut all = self.all.changed.iter();
            self.place(arg).is_some() && all.any(|(of, at)| of.ends_with(&passed) && *at == k + 1)
        })
    }

    fn call(&self, call: &syn::ExprCall) -> bool {
        let syn::Expr::Path(p) = &*call.func else {
            return false;
        };
        let names: Vec<String> = p
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let Some((last, before)) = names.split_last() else {
            return false;
        };
        let moves =
            [("swap", 2), ("replace", 2), ("take", 1)].contains(&(&**last, call.args.len()));
        let of_type = before.last().map(|of| format!("{of}::{last}"));
        let known = [Some(last.clone()), of_type];
        let mut args = call.args.iter().enumerate();
        args.any(|(k, arg)| {
            let is_known = |name: &String| (self.all.changed).contains(&(name.clone(), k));
            moves && self.is_resized(arg)
                || self.place(arg).is_some() && known.iter().flatten().any(is_known)
        })
    }

    /// Binds what a pattern names to a place of this type, and hides what has its names.
    fn bind(&mut self, pat: &syn::Pat, ty: Option<syn::Type>) {
        for name in walk::bound(Node::Pat(pat)) {
            self.places.remove(&name.to_string());
        }
        let Some(ty) = ty else { return };
        match pat {
            syn::Pat::Ident(name) => {
                self.places.insert(name.ident.to_string(), ty);
            }
            syn::Pat::Type(t) => self.bind(&t.pat, Some(ty)),
            // `(i, row)` of numbered items, `Some(row)`
            syn::Pat::Tuple(t) if t.elems.len() == 2 => self.bind(&t.elems[1], Some(ty)),
            syn::Pat::TupleStruct(t) if t.elems.len() == 1 => self.bind(&t.elems[0], Some(ty)),
            _ => {}
        }
    }
}

/// A part of the code that was looked through.
fn ended(found: bool) -> Onward {
    match found {
        true => Onward::Found,
        false => Onward::Over,
    }
}

fn fields_of(s: &syn::ItemStruct) -> Vec<(String, syn::Type)> {
    let named = s.fields.iter().enumerate().map(|(k, f)| {
        let name = f
            .ident
            .as_ref()
            .map_or_else(|| k.to_string(), Ident::to_string);
        (name, f.ty.clone())
    });
    named.collect()
}

/// The last name of the path of a type.
fn name_of(ty: &syn::Type) -> Option<String> {
    match ungroup(ty) {
        syn::Type::Path(p) => Some(p.path.segments.last()?.ident.to_string()),
        syn::Type::Reference(r) => name_of(&r.elem),
        _ => None,
    }
}

/// `Grid::step`, or the name of a function.
fn called(of: Option<&str>, name: &Ident) -> String {
    match of {
        Some(of) => format!("{of}::{name}"),
        None => name.to_string(),
    }
}

/// The name of a parameter `&mut T`, and `T`.
fn borrowed(p: &syn::PatType, own: Option<&syn::Type>) -> Option<(String, syn::Type)> {
    let (syn::Pat::Ident(name), syn::Type::Reference(r)) = (&*p.pat, ungroup(&p.ty)) else {
        return None;
    };
    let ty = match (ungroup(&r.elem), own) {
        (syn::Type::Path(p), Some(own)) if p.path.is_ident("Self") => own.clone(),
        (ty, _) => ty.clone(),
    };
    r.mutability.map(|_| (name.ident.to_string(), ty))
}

/// The type of an element.
fn element(ty: &syn::Type) -> Option<syn::Type> {
    match ungroup(ty) {
        syn::Type::Array(a) => Some((*a.elem).clone()),
        syn::Type::Slice(s) => Some((*s.elem).clone()),
        syn::Type::Path(p) => match types::arguments(&p.path)[..] {
            [of] => Some(of.clone()),
            _ => None,
        },
        _ => None,
    }
}
