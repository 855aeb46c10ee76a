//! Which variables of one function vary, by their names: what is assigned from what, in any way.

use super::names::{OF_ELEMENTS, OF_THE_SAME, READS, WITHOUT_FLOATS};
use super::{Input, Table, names_in, speaks_of};
use crate::lower::is_integer_name;
use crate::sorted::{Map, Set};
use crate::tokens::unraw;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;
use syn::punctuated::Punctuated;

/// What is known of the variables of a function.
pub(super) struct Flow {
    varied: Set<String>,
    /// Those that are declared `mut`.
    mutable: Set<String>,
    /// Those that may be references by which others change.
    borrows: Set<String>,
    /// All names of patterns.
    bound: Set<String>,
    /// Closures with a name, and the names of their parameters.
    closures: Map<String, Vec<String>>,
    /// Where closures and paths stand that another node has dealt with.
    seen: Set<usize>,
}

impl Flow {
    pub(super) fn of(inputs: &[Input]) -> Flow {
        let names = |is: &dyn Fn(&Input) -> bool| {
            let inputs = inputs.iter().filter(|input| is(input));
            inputs.flat_map(|input| input.names.clone()).collect()
        };
        Flow {
            varied: names(&|input| input.varies && !is_integer(&input.ty)),
            mutable: Set::new(),
            borrows: names(&|input| input.is_mutable),
            bound: names(&|_| true),
            closures: Map::new(),
            seen: Set::new(),
        }
    }

    /// Follows all flows to a fixpoint, and notes in the table what calls pass on.
    pub(super) fn solve(&mut self, block: &syn::Block, table: &mut Table) {
        walk::read(Node::Block(block), &mut |node| {
            if let Node::Pat(syn::Pat::Ident(p)) = node {
                self.bound.insert(unraw(&p.ident));
                match (&p.by_ref, &p.mutability) {
                    (Some(_), Some(_)) => self.borrows.insert(unraw(&p.ident)),
                    (None, Some(_)) => self.mutable.insert(unraw(&p.ident)),
                    _ => false,
                };
            }
            Onward::Into
        });
        loop {
            let before = (self.varied.len(), self.borrows.len(), self.closures.len());
            self.look(Node::Block(block), table);
            if before == (self.varied.len(), self.borrows.len(), self.closures.len()) {
                break;
            }
        }
    }

    /// The function whose result is the first value of a variable that varies.
    pub(super) fn started_by(&self, local: &syn::Local) -> Option<String> {
        let pat = match &local.pat {
            syn::Pat::Type(typed) => &*typed.pat,
            pat => pat,
        };
        match (pat, &*local.init.as_ref()?.expr) {
            (syn::Pat::Ident(name), syn::Expr::Call(call))
                if name.mutability.is_some() && self.varied.contains(&unraw(&name.ident)) =>
            {
                callee_of(call)
            }
            _ => None,
        }
    }

    fn look(&mut self, root: Node<'_>, table: &mut Table) {
        walk::read(root, &mut |node| self.node(node, table));
    }

    fn node(&mut self, node: Node<'_>, table: &mut Table) -> Onward {
        match node {
            Node::Local(local) => {
                if let Some(init) = &local.init {
                    if let (syn::Pat::Ident(name), syn::Expr::Closure(c)) =
                        (&local.pat, &*init.expr)
                    {
                        self.seen.insert(address(c));
                        let names = c.inputs.iter().flat_map(names_in).collect();
                        self.closures.insert(unraw(&name.ident), names);
                    }
                    self.bind(&local.pat, &init.expr, table);
                }
            }
            // it is differentiated with all that it takes
            Node::Function(f) => {
                for input in &f.sig.inputs {
                    if let syn::FnArg::Typed(p) = input {
                        self.varied.extend(names_in(&p.pat));
                    }
                }
            }
            Node::Macro(mac) => {
                self.macro_call(mac, table);
                return Onward::Over;
            }
            Node::Item(syn::Item::Use(item)) => {
                speaks_of(item.to_token_stream(), &mut |name| {
                    table.use_as_value(name);
                    false
                });
                return Onward::Over;
            }
            Node::Expr(e) => self.expr(e, table),
            _ => {}
        }
        Onward::Into
    }

    fn expr(&mut self, e: &syn::Expr, table: &mut Table) {
        match e {
            syn::Expr::Assign(a) => self.assign(&a.left, &a.right, table),
            syn::Expr::Binary(b) if walk::is_assignment(&b.op) => {
                self.assign(&b.left, &b.right, table)
            }
            syn::Expr::ForLoop(f) => self.bind_element(&f.pat, &f.expr, table),
            syn::Expr::Let(l) => self.bind(&l.pat, &l.expr, table),
            syn::Expr::Match(m) => {
                for arm in &m.arms {
                    self.bind(&arm.pat, &m.expr, table);
                }
            }
            syn::Expr::MethodCall(m) => self.method_call(m, table),
            syn::Expr::Call(c) => self.call(c, table),
            syn::Expr::Closure(c) if !self.seen.contains(&address(c)) => {
                self.varied.extend(c.inputs.iter().flat_map(names_in));
            }
            syn::Expr::Path(p) if !self.seen.contains(&address(p)) => {
                let is_variable = p
                    .path
                    .get_ident()
                    .is_some_and(|name| self.bound.contains(&unraw(name)));
                if !is_variable {
                    for segment in &p.path.segments {
                        let name = unraw(&segment.ident);
                        table.use_as_value(&name);
                        if let Some(method) = name.strip_suffix("_ad") {
                            table.use_as_value(method);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// What is no list of expressions may use all that it names in any way.
    fn macro_call(&mut self, mac: &syn::Macro, table: &mut Table) {
        speaks_of(mac.tokens.clone(), &mut |name| {
            table.use_as_value(name);
            false
        });
        if self.mentions(mac.tokens.clone()) {
            self.vary_borrowed(mac.tokens.clone());
        }
    }

    /// What a pattern binds of a value.
    fn bind(&mut self, pat: &syn::Pat, e: &syn::Expr, table: &Table) {
        match (pat, e) {
            (syn::Pat::Type(p), _) if is_integer(&p.ty) => {}
            (syn::Pat::Type(p), _) => self.bind(&p.pat, e, table),
            (pat, syn::Expr::Paren(e)) => self.bind(pat, &e.expr, table),
            (syn::Pat::Tuple(p), syn::Expr::Tuple(e))
                if p.elems.len() == e.elems.len()
                    && !p.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_))) =>
            {
                for (pat, e) in p.elems.iter().zip(&e.elems) {
                    self.bind(pat, e, table);
                }
            }
            _ => self.bind_all(pat, e, table),
        }
    }

    /// What a pattern binds of the elements of an iterator.
    fn bind_element(&mut self, pat: &syn::Pat, e: &syn::Expr, table: &Table) {
        match (pat, e) {
            (syn::Pat::Reference(p), _) => self.bind_element(&p.pat, e, table),
            (syn::Pat::Type(p), _) if is_integer(&p.ty) => {}
            (syn::Pat::Type(p), _) => self.bind_element(&p.pat, e, table),
            (pat, syn::Expr::Paren(e)) => self.bind_element(pat, &e.expr, table),
            (_, syn::Expr::Range(_)) => {}
            (pat, syn::Expr::MethodCall(m)) => {
                let name = m.method.to_string();
                let parts = match pat {
                    syn::Pat::Tuple(p) if p.elems.len() == 2 => Some((&p.elems[0], &p.elems[1])),
                    _ => None,
                };
                match (&*name, parts, m.args.first()) {
                    ("enumerate", Some((_, element)), None) => {
                        self.bind_element(element, &m.receiver, table)
                    }
                    ("zip", Some((left, right)), Some(other)) => {
                        self.bind_element(left, &m.receiver, table);
                        self.bind_element(right, other, table);
                    }
                    (same, ..) if OF_THE_SAME.contains(&same) && table.named(same).is_empty() => {
                        self.bind_element(pat, &m.receiver, table);
                    }
                    _ => self.bind_all(pat, e, table),
                }
            }
            _ => self.bind_all(pat, e, table),
        }
    }

    fn bind_all(&mut self, pat: &syn::Pat, e: &syn::Expr, table: &Table) {
        let names = names_in(pat);
        if self.depends(e) {
            self.varied.extend(names.iter().cloned());
        }
        let lends = speaks_of(e.to_token_stream(), &mut |name| {
            name.contains("mut")
                || name == "entry"
                || self.borrows.contains(name)
                || table.lends(name)
        });
        if lends {
            self.borrows.extend(names.iter().cloned());
            // what is written through the reference is written to what it borrows
            if names.iter().any(|name| self.varied.contains(name)) {
                self.vary_borrowed(e.to_token_stream());
            }
        }
    }

    fn assign(&mut self, left: &syn::Expr, right: &syn::Expr, table: &Table) {
        if self.depends(right) {
            self.vary_place(left);
        }
        // a reference may change its place
        if let syn::Expr::Path(p) = left
            && let Some(name) = p.path.get_ident()
        {
            let pat = syn::Pat::Ident(syn::PatIdent {
                attrs: Vec::new(),
                by_ref: None,
                mutability: None,
                ident: name.clone(),
                subpat: None,
            });
            self.bind_all(&pat, right, table);
        }
    }

    /// Something that varies is written to a place.
    fn vary_place(&mut self, place: &syn::Expr) {
        match place {
            syn::Expr::Path(p) => {
                self.varied.extend(p.path.get_ident().map(unraw));
            }
            syn::Expr::Field(f) => self.vary_place(&f.base),
            syn::Expr::Index(i) => self.vary_place(&i.expr),
            syn::Expr::Paren(p) => self.vary_place(&p.expr),
            syn::Expr::Unary(u) => self.vary_place(&u.expr),
            syn::Expr::Reference(r) => self.vary_place(&r.expr),
            syn::Expr::MethodCall(m) => self.vary_place(&m.receiver),
            syn::Expr::Tuple(t) => t.elems.iter().for_each(|e| self.vary_place(e)),
            syn::Expr::Array(a) => a.elems.iter().for_each(|e| self.vary_place(e)),
            syn::Expr::Infer(_) => {}
            other => {
                let bound = self.bound.clone();
                let varied = &mut self.varied;
                speaks_of(other.to_token_stream(), &mut |name| {
                    if bound.contains(name) {
                        varied.insert(name.to_owned());
                    }
                    false
                });
            }
        }
    }

    /// A method may write something that varies to its receiver.
    fn vary_receiver(&mut self, e: &syn::Expr) {
        match e {
            syn::Expr::Path(p) => {
                let name = p.path.get_ident().map(unraw);
                let is_written = |n: &String| self.mutable.contains(n) || self.borrows.contains(n);
                self.varied.extend(name.filter(is_written));
            }
            syn::Expr::Field(f) => self.vary_receiver(&f.base),
            syn::Expr::Index(i) => self.vary_receiver(&i.expr),
            syn::Expr::Paren(p) => self.vary_receiver(&p.expr),
            syn::Expr::Unary(u) => self.vary_receiver(&u.expr),
            syn::Expr::Reference(r) => self.vary_receiver(&r.expr),
            syn::Expr::MethodCall(m) if READS.iter().any(|name| m.method == name) => {}
            syn::Expr::MethodCall(m) => self.vary_receiver(&m.receiver),
            other => self.vary_borrowed(other.to_token_stream()),
        }
    }

    /// What may be written to by some code varies.
    fn vary_borrowed(&mut self, code: proc_macro2::TokenStream) {
        let mut found = Vec::new();
        speaks_of(code, &mut |name| {
            if self.mutable.contains(name) || self.borrows.contains(name) {
                found.push(name.to_owned());
            }
            false
        });
        self.varied.extend(found);
    }

    /// Arguments by which a call may give something back.
    fn vary_arguments(&mut self, args: &Punctuated<syn::Expr, syn::Token![,]>) {
        for arg in args {
            // a copy of a number
            let is_copied = matches!(
                arg,
                syn::Expr::Index(_) | syn::Expr::Unary(_) | syn::Expr::Binary(_)
            );
            let code = arg.to_token_stream();
            let lends =
                |name: &str| name.contains("mut") || !is_copied && self.borrows.contains(name);
            // what a closure writes, its own statements say
            if !matches!(arg, syn::Expr::Closure(_)) && speaks_of(code.clone(), &mut { lends }) {
                self.vary_borrowed(code);
            }
        }
    }

    fn method_call(&mut self, m: &syn::ExprMethodCall, table: &mut Table) {
        let name = unraw(&m.method);
        let is_own = !table.named(&name).is_empty();
        let of_receiver = self.depends(&m.receiver);
        if of_receiver {
            table.pass(&name, 0, true);
        }
        let mut of_arguments = false;
        for (k, arg) in m.args.iter().enumerate() {
            if self.depends(arg) {
                of_arguments = true;
                table.pass(&name, k + 1, true);
            }
        }
        if of_arguments && (is_own || !READS.contains(&&*name)) {
            self.vary_receiver(&m.receiver);
        }
        if of_arguments || of_receiver {
            self.vary_arguments(&m.args);
        }
        for arg in &m.args {
            match arg {
                syn::Expr::Closure(c) => {
                    self.seen.insert(address(c));
                    let mut inputs: Vec<&syn::Pat> = c.inputs.iter().collect();
                    let of_elements = !is_own && OF_ELEMENTS.contains(&&*name);
                    if !is_own
                        && ["fold", "try_fold", "scan"].contains(&&*name)
                        && inputs.len() == 2
                    {
                        let element = inputs.remove(1);
                        self.bind_element(element, &m.receiver, table);
                    } else if of_elements {
                        for element in inputs.drain(..) {
                            self.bind_element(element, &m.receiver, table);
                        }
                    }
                    for pat in inputs {
                        self.bind_whole(pat, of_receiver || of_arguments, m.to_token_stream());
                    }
                }
                syn::Expr::Path(p) if of_receiver || of_arguments => self.call_closure(p),
                _ => {}
            }
        }
    }

    /// A parameter of a closure that may be called with anything of a call.
    fn bind_whole(&mut self, pat: &syn::Pat, varies: bool, code: proc_macro2::TokenStream) {
        let names = names_in(pat);
        if varies {
            self.varied.extend(names.iter().cloned());
        }
        if speaks_of(code, &mut |name| {
            name.contains("mut") || self.borrows.contains(name)
        }) {
            self.borrows.extend(names);
        }
    }

    /// A closure with a name is called with something that varies.
    fn call_closure(&mut self, p: &syn::ExprPath) {
        let name = p.path.get_ident().map(unraw);
        let names = name.and_then(|name| self.closures.get(&name)).cloned();
        self.varied.extend(names.unwrap_or_default());
    }

    fn call(&mut self, c: &syn::ExprCall, table: &mut Table) {
        let varies: Vec<bool> = c.args.iter().map(|arg| self.depends(arg)).collect();
        let any = varies.contains(&true) || self.depends(&c.func);
        if let syn::Expr::Path(p) = &*c.func {
            self.seen.insert(address(p));
            if varies.contains(&true) {
                self.call_closure(p);
            }
            if let Some(last) = p.path.segments.last() {
                let name = unraw(&last.ident);
                for (k, _) in varies.iter().enumerate().filter(|(_, varies)| **varies) {
                    table.pass(&name, k, false);
                }
            }
        }
        if any {
            self.vary_arguments(&c.args);
        }
        for arg in &c.args {
            match arg {
                syn::Expr::Closure(closure) => {
                    self.seen.insert(address(closure));
                    for pat in &closure.inputs {
                        self.bind_whole(pat, any, c.to_token_stream());
                    }
                }
                syn::Expr::Path(p) if any => self.call_closure(p),
                _ => {}
            }
        }
    }

    /// Whether code may make or change a struct, by name and fields, of what varies.
    pub(super) fn makes(&self, block: &syn::Block, is_it: Named<'_>, fields: &Set<String>) -> bool {
        let is_of = |path: &syn::Path| path.segments.iter().any(|s| is_it(&unraw(&s.ident)));
        let is_field = |e: &syn::Expr| is_field_of(e, fields);
        let mut seen = Set::new();
        walk::read(Node::Block(block), &mut |node| {
            let found = match node {
                Node::Expr(syn::Expr::Struct(s)) if is_of(&s.path) => {
                    let rest = s.rest.as_ref().is_some_and(|e| self.depends(e));
                    rest || s.fields.iter().any(|f| self.depends(&f.expr))
                }
                Node::Expr(syn::Expr::Call(c)) => {
                    if let syn::Expr::Path(p) = &*c.func {
                        seen.insert(address(p));
                    }
                    matches!(&*c.func, syn::Expr::Path(p) if is_of(&p.path))
                        && c.args.iter().any(|arg| self.depends(arg))
                }
                Node::Expr(syn::Expr::Path(p)) => is_of(&p.path) && !seen.contains(&address(p)),
                Node::Expr(syn::Expr::Assign(a)) => is_field(&a.left) && self.depends(&a.right),
                Node::Expr(syn::Expr::Binary(b)) if walk::is_assignment(&b.op) => {
                    is_field(&b.left) && self.depends(&b.right)
                }
                Node::Expr(syn::Expr::Reference(r)) => r.mutability.is_some() && is_field(&r.expr),
                Node::Expr(syn::Expr::MethodCall(m)) => {
                    is_field(&m.receiver) && m.args.iter().any(|arg| self.depends(arg))
                }
                Node::Macro(mac) => speaks_of(mac.tokens.clone(), &mut |name| is_it(name)),
                _ => false,
            };
            match found {
                true => Onward::Found,
                false => Onward::Into,
            }
        })
    }

    /// Whether a value may depend on what varies.
    pub(super) fn depends(&self, e: &syn::Expr) -> bool {
        walk::read(Node::Expr(e), &mut |node| match node {
            Node::Expr(syn::Expr::Path(p)) => match p.path.get_ident() {
                Some(name) if self.varied.contains(&unraw(name)) => Onward::Found,
                _ => Onward::Over,
            },
            Node::Expr(syn::Expr::MethodCall(m))
                if WITHOUT_FLOATS.iter().any(|name| m.method == name) =>
            {
                Onward::Over
            }
            Node::Expr(syn::Expr::Cast(c)) if is_integer(&c.ty) => Onward::Over,
            Node::Expr(syn::Expr::Binary(b)) if is_comparison(&b.op) => Onward::Over,
            // a place does not depend on where it is
            Node::Expr(syn::Expr::Index(i)) => match self.depends(&i.expr) {
                true => Onward::Found,
                false => Onward::Over,
            },
            Node::Macro(mac) => match self.mentions(mac.tokens.clone()) {
                true => Onward::Found,
                false => Onward::Over,
            },
            _ => Onward::Into,
        })
    }

    fn mentions(&self, code: proc_macro2::TokenStream) -> bool {
        speaks_of(code, &mut |name| self.varied.contains(name))
    }
}

/// Says whether a name is that of something.
pub(super) type Named<'a> = &'a dyn Fn(&str) -> bool;

/// Whether a place is in a field of one of these names.
fn is_field_of(e: &syn::Expr, fields: &Set<String>) -> bool {
    match e {
        syn::Expr::Field(f) => {
            fields.contains(&f.member.to_token_stream().to_string()) || is_field_of(&f.base, fields)
        }
        syn::Expr::Index(i) => is_field_of(&i.expr, fields),
        syn::Expr::Paren(p) => is_field_of(&p.expr, fields),
        syn::Expr::Unary(u) => is_field_of(&u.expr, fields),
        syn::Expr::Reference(r) => is_field_of(&r.expr, fields),
        syn::Expr::MethodCall(m) => is_field_of(&m.receiver, fields),
        _ => false,
    }
}

/// Where a node stands, which tells it from others.
fn address<T>(node: &T) -> usize {
    std::ptr::from_ref(node).addr()
}

pub(super) fn is_integer(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.get_ident().is_some_and(|name| {
        let name = name.to_string();
        is_integer_name(&name) || name == "bool"
    }))
}

fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(
        op,
        And(_) | Eq(_) | Ge(_) | Gt(_) | Le(_) | Lt(_) | Ne(_) | Or(_)
    )
}

/// The function that a call names, if that is in the module.
pub(super) fn callee_of(call: &syn::ExprCall) -> Option<String> {
    match &*call.func {
        syn::Expr::Path(p) => p.path.get_ident().map(unraw),
        _ => None,
    }
}
