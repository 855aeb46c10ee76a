//! Arrays in constants: which places and calls are arrays, as the types of fields, of results and of variables show. Their
//! elements are borrowed where they are used.

use super::array::{Array, bare, strip};
use super::kinds::{self, Held, Kind};
use super::{Flat, Known, Owner};
use crate::error;
use crate::lower::methods::{Method, Receiver};
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::ToTokens;

impl Flat<'_> {
    /// The variables whose types are known, and those of which it is known that they hide others.
    pub(super) fn names(&self) -> Vec<(String, Option<syn::Type>)> {
        let all = self.scopes.iter().flatten();
        let typed = all.map(|(name, known)| match known {
            Known::Other(ty, _) => (name.clone(), ty.as_deref().cloned()),
            Known::Array(_) | Known::Holder(_) | Known::Indices(_) => (name.clone(), None),
        });
        typed.collect()
    }

    /// The type of a constant, or of a derived struct.
    pub(super) fn type_of(&self, e: &syn::Expr) -> Option<syn::Type> {
        self.seen.of(e, &self.names())
    }

    /// The type of what an iterator gives.
    pub(super) fn type_of_items(&self, e: &syn::Expr) -> Option<syn::Type> {
        self.seen.of_items(e, &self.names())
    }

    /// What a pattern binds in a value of this type hides what has the same names.
    pub(super) fn hide_as(&mut self, pat: &syn::Pat, of: Option<&syn::Type>) {
        self.hide(pat);
        for (name, ty) in self.seen.bound(pat, of) {
            if let Some(scope) = self.scopes.last_mut()
                && ty.is_some()
            {
                scope.insert(name, Known::Other(ty.map(Box::new), Owner::Function));
            }
        }
    }

    /// The same of a value.
    pub(super) fn hide_value(&mut self, pat: &syn::Pat, of: Option<&syn::Type>, value: &syn::Expr) {
        let owner = match (pat, strip(value)) {
            // a copy that changes is the function's own
            (syn::Pat::Ident(name), syn::Expr::MethodCall(m))
                if name.mutability.is_some() && is_copy(m) =>
            {
                Owner::Function
            }
            (_, value) => self.owner_of(value),
        };
        self.hide_as(pat, of);
        self.belongs(pat, owner);
    }

    /// What a pattern has bound belongs to somebody else.
    pub(super) fn belongs(&mut self, pat: &syn::Pat, owner: Owner) {
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        for name in walk::bound(Node::Pat(pat)) {
            if let Some(Known::Other(_, of)) = scope.get_mut(&name.to_string()) {
                *of = owner;
            }
        }
    }

    /// Whose a place is, or what a method gives of one.
    pub(super) fn owner_of(&self, e: &syn::Expr) -> Owner {
        match bare(e) {
            syn::Expr::Field(f) => self.owner_of(&f.base),
            syn::Expr::Index(i) => self.owner_of(&i.expr),
            syn::Expr::Try(t) => self.owner_of(&t.expr),
            syn::Expr::MethodCall(m) => match self.owner_of(&m.receiver) {
                _ if self.method_of(m).is_some() => Owner::Function,
                Owner::Caller if is_copy(m) => Owner::Function,
                owner => owner,
            },
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|name| self.known(name)) {
                Some(Known::Other(_, owner)) => *owner,
                Some(Known::Array(_) | Known::Holder(_) | Known::Indices(_)) => Owner::Function,
                None => match self.env.written(&p.path.to_token_stream().to_string()) {
                    Some(_) => Owner::Constant,
                    None => Owner::Function,
                },
            },
            _ => Owner::Function,
        }
    }

    /// A constant that is an array by its type.
    pub(super) fn kind_of(&self, e: &syn::Expr) -> Option<Kind> {
        let is_such = matches!(
            bare(e),
            syn::Expr::Path(_)
                | syn::Expr::Field(_)
                | syn::Expr::Index(_)
                | syn::Expr::MethodCall(_)
                | syn::Expr::Call(_)
        );
        let ty = is_such.then(|| self.type_of(bare(e))).flatten()?;
        kinds::read(&self.env.expanded(&ty))
    }

    /// An array that is a constant as a whole: a part of one, or what is made of constants alone.
    pub(super) fn constant_kind(&mut self, e: &syn::Expr) -> Option<Kind> {
        if self.made_type(bare(e)).is_some() {
            return None;
        }
        let m = match bare(e) {
            syn::Expr::MethodCall(m) => m,
            syn::Expr::Path(p) if p.path.get_ident().is_some_and(|i| self.lookup(i).is_some()) => {
                return None;
            }
            e => return self.kind_of(e).filter(|kind| !self.is_stored(kind, e)),
        };
        if let Some(kind) = self.kind_of(e).filter(|kind| !self.is_stored(kind, e)) {
            return self.method_of(m).is_none().then_some(kind);
        }
        let of = match m.method.to_string().as_str() {
            "row" | "column" | "index_axis" | "slice" | "t" | "view" | "diag" | "sum_axis"
            | "clone" | "to_owned" => self.constant_kind(&m.receiver)?,
            "dot" => {
                self.constant_kind(m.args.first()?)?;
                self.constant_kind(&m.receiver)?
            }
            _ => return None,
        };
        Some(Kind {
            rank: self.rank_of(e).unwrap_or_default(),
            held: Held::Shared,
            referred: false,
            ..of
        })
    }

    /// What a method of a constant array returns that is a number, or its lengths.
    pub(super) fn number_of_constant(&mut self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let kind = self.constant_kind(&m.receiver)?;
        let ty: syn::Type = match m.method.to_string().as_str() {
            "len" | "nrows" | "ncols" | "len_of" => parse_quote!(usize),
            "is_empty" => parse_quote!(bool),
            "sum" => kind.element,
            "dot" if self.constant_kind(m.args.first()?).is_some() => kind.element,
            _ => return None,
        };
        let value = self.as_it_is(&syn::Expr::MethodCall(m.clone()))?;
        let name = self.name("c");
        self.before.push(parse_quote!(let #name: #ty = #value;));
        self.is_changed = true;
        Some(parse_quote!(#name))
    }

    /// The elements of an array that is a constant: of a place, or of the result of a call.
    ///
    /// let held = &place; let ordered = held.as_standard_layout(); let a: &[f64] = ordered.as_slice().unwrap();
    pub(super) fn borrowed_elements(&mut self, e: &syn::Expr, kind: &Kind) -> Option<Array> {
        self.is_changed = true;
        let place = self.as_it_is(bare(e))?;
        let place = self.with_held_views(place);
        let held = match &place {
            syn::Expr::Path(_) => place,
            syn::Expr::Field(_) | syn::Expr::Index(_) => self.bind("held", &parse_quote!(&#place)),
            _ => self.bind("held", &place),
        };
        // a copy, if they do not stand in row-major order
        let ordered = self.bind("ordered", &parse_quote!(#held.as_standard_layout()));
        let (base, of) = (self.name("a"), &kind.element);
        self.before
            .push(parse_quote!(let #base: &[#of] = #ordered.as_slice().expect("they stand in this order");));
        let dims = match kind.rank {
            1 => vec![parse_quote!(#base.len())],
            _ => [parse_quote!(nrows), parse_quote!(ncols)]
                .map(|length: syn::Ident| {
                    let n = self.name("n");
                    self.before
                        .push(parse_quote!(let #n: usize = #held.#length();));
                    parse_quote!(#n)
                })
                .into(),
        };
        Some(Array::whole(parse_quote!(#base), dims, false))
    }

    /// A view of a view, where the inner one has a name: it would not live long enough.
    fn with_held_views(&mut self, mut e: syn::Expr) -> syn::Expr {
        if let syn::Expr::MethodCall(m) = &mut e
            && matches!(
                strip(&m.receiver),
                syn::Expr::MethodCall(_) | syn::Expr::Call(_)
            )
            && matches!(
                &*m.method.to_string(),
                "row" | "column" | "index_axis" | "slice" | "t" | "view" | "diag"
            )
        {
            let inner = self.with_held_views(strip(&m.receiver).clone());
            *m.receiver = self.bind("held", &inner);
        }
        e
    }

    /// Constant code in which arrays stay what they are; `None` if it takes some that are written out.
    pub(super) fn as_it_is(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let is_array = |node: Node<'_>| match node {
            Node::Expr(syn::Expr::Path(p)) => {
                p.path.get_ident().is_some_and(|i| self.lookup(i).is_some())
            }
            _ => false,
        };
        if !walk::any(Node::Expr(e), &mut |node| is_array(node)) {
            return Some(e.clone());
        }
        // an element of one may be an index or an argument
        let mut new = e.clone();
        match &mut new {
            syn::Expr::Paren(x) => *x.expr = self.as_it_is(&x.expr)?,
            syn::Expr::Reference(x) => *x.expr = self.as_it_is(&x.expr)?,
            syn::Expr::Unary(x) => *x.expr = self.as_it_is(&x.expr)?,
            syn::Expr::Field(x) => *x.base = self.as_it_is(&x.base)?,
            syn::Expr::Index(x) if self.rank_of(&x.expr).is_none() => {
                *x.expr = self.as_it_is(&x.expr)?;
                *x.index = self.bounded(&x.index);
            }
            syn::Expr::MethodCall(x) if self.rank_of(&x.receiver).is_none() => {
                *x.receiver = self.as_it_is(&x.receiver)?;
                for arg in &mut x.args {
                    *arg = self.argument_as_it_is(arg)?;
                }
            }
            syn::Expr::Call(x) => {
                for arg in &mut x.args {
                    *arg = self.argument_as_it_is(arg)?;
                }
            }
            _ if self.rank_of(e).is_none() => return Some(self.bounded(e)),
            _ => {
                self.refuse(e, &error::ARRAY_PLACE);
                return None;
            }
        }
        Some(new)
    }

    /// An argument of a function that is not differentiated.
    pub(super) fn argument_as_it_is(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        match self.rank_of(e) {
            Some(_) => self.as_it_is(e),
            None => Some(self.bounded(e)),
        }
    }

    /// Whether a function is known and has no derivative: it takes arrays as they are.
    pub(super) fn is_plain(&self, function: &syn::Expr) -> bool {
        let syn::Expr::Path(p) = strip(function) else {
            return false;
        };
        let path = p.path.to_token_stream().to_string();
        match self.env.function(&path) {
            Some(known) => !known.is_differentiated,
            None => crate::lower::environment::spelled(&path)
                .rsplit_once("::")
                .is_some_and(|(of, name)| self.env.passive(of, name).is_some()),
        }
    }

    /// The method with a derivative that is called.
    pub(super) fn method_of(&self, m: &syn::ExprMethodCall) -> Option<Method> {
        let of = self.type_of(&m.receiver)?;
        let of = crate::lower::types::behind_pointers(&self.env.expanded(&of)).to_token_stream();
        let method = self.env.method_of(&of, &m.method.to_string())?;
        (method.receiver.is_some_and(|how| how != Receiver::Mut)).then_some(method)
    }
}

/// Whether a method makes a copy of what it is called on.
fn is_copy(m: &syn::ExprMethodCall) -> bool {
    let copies = ["clone", "cloned", "copied", "to_owned", "to_vec"];
    copies.iter().any(|name| m.method == name)
}
