//! What is computed element by element: operators, `mapv` and methods of floats, fused into one loop.

use super::Flat;
use super::array::{Array, bare, name_of, strip};
use super::fit::Fitted;
use crate::error;
use crate::symbol;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::ToTokens;

/// Methods of floats that arrays have too.
pub(super) fn is_float_method(name: &str) -> bool {
    const NAMES: [&str; 30] = [
        "abs",
        "acos",
        "asin",
        "atan",
        "ceil",
        "clamp",
        "cos",
        "cosh",
        "exp",
        "exp2",
        "exp_m1",
        "floor",
        "ln",
        "ln_1p",
        "log",
        "log10",
        "log2",
        "powf",
        "powi",
        "recip",
        "round",
        "signum",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "to_degrees",
        "to_radians",
        "trunc",
    ];
    NAMES.contains(&name) && symbol::elementary(name).is_some()
}

/// The operators of arrays.
pub(super) fn operator(op: &syn::BinOp) -> Option<syn::BinOp> {
    match op {
        syn::BinOp::Add(_)
        | syn::BinOp::Sub(_)
        | syn::BinOp::Mul(_)
        | syn::BinOp::Div(_)
        | syn::BinOp::Rem(_) => Some(*op),
        _ => None,
    }
}

/// What one trip of a loop computes: from elements of arrays, by name.
#[derive(Default)]
pub(super) struct Terms {
    pub(super) leaves: Vec<(syn::Ident, Array)>,
    /// Code of the user's is run for each element.
    calls: bool,
}

impl Terms {
    fn leaf(&mut self, name: syn::Ident, array: Array) -> syn::Expr {
        let value = parse_quote!(#name);
        self.leaves.push((name, array));
        value
    }
}

/// Whether evaluating an expression changes no variable, by its looks: then it can be computed along
/// with its neighbours.
fn is_quiet(e: &syn::Expr) -> bool {
    !walk::any(Node::Expr(e), &mut |node| {
        let Node::Expr(e) = node else {
            return false;
        };
        match e {
            syn::Expr::Assign(_) | syn::Expr::Return(_) | syn::Expr::Try(_) => true,
            syn::Expr::Binary(b) => crate::walk::is_assignment(&b.op),
            syn::Expr::Reference(r) => r.mutability.is_some(),
            syn::Expr::Macro(m) => m.mac.path.segments.last().is_none_or(|s| s.ident != "s"),
            // it may be a closure that changes what it holds
            syn::Expr::Call(c) => name_of(&c.func).is_some(),
            syn::Expr::MethodCall(m) => {
                let by_name = m.args.first().is_some_and(|a| name_of(a).is_some());
                let name = m.method.to_string();
                let changes = matches!(
                    name.as_str(),
                    "push" | "pop" | "swap" | "fill" | "assign" | "truncate" | "insert" | "remove"
                );
                changes
                    || name.ends_with("_mut")
                    || name.ends_with("_inplace")
                    || (by_name && matches!(name.as_str(), "map" | "mapv" | "mapv_into"))
            }
            _ => false,
        }
    })
}

impl Flat<'_> {
    /// A new array, of an expression that is computed element by element.
    pub(super) fn computed(&mut self, e: &syn::Expr) -> Option<Array> {
        let mut terms = Terms::default();
        let value = self.term(e, &mut terms)?;
        self.stored(&value, &terms, e)
    }

    fn stored(&mut self, value: &syn::Expr, terms: &Terms, at: &syn::Expr) -> Option<Array> {
        if let (syn::Expr::Path(p), [(name, array)]) = (value, terms.leaves.as_slice())
            && p.path.is_ident(name)
            && array.owned
        {
            return Some(array.clone());
        }
        let arrays: Vec<Array> = terms.leaves.iter().map(|(_, a)| a.clone()).collect();
        let common = self.common_shape(&arrays, at)?;
        let dims: Vec<syn::Expr> = common.iter().map(|n| self.bind("n", n)).collect();
        let new = self.filled(dims.clone(), &parse_quote!(0.0));
        let mut leaves = Vec::new();
        for leaf in &arrays {
            leaves.push(self.fitted(leaf, &common, at)?.renamed(&dims));
        }
        self.store_fitted(&new, terms, leaves, |to| parse_quote!(#to = #value;));
        Some(new)
    }

    /// What is computed goes to elements of `target`; `at` is what the user has written.
    pub(super) fn store_terms(
        &mut self,
        target: &Array,
        terms: &Terms,
        at: &impl ToTokens,
        statement: impl Fn(&syn::Expr) -> syn::Stmt,
    ) -> Option<()> {
        let mut leaves = Vec::new();
        for (_, leaf) in &terms.leaves {
            leaves.push(self.fitted(leaf, &target.dims, at)?);
        }
        self.store_fitted(target, terms, leaves, statement);
        Some(())
    }

    /// for .. { let e0 = a[i]; let e1 = b[i]; <statement on c[i]> }
    fn store_fitted(
        &mut self,
        target: &Array,
        terms: &Terms,
        leaves: Vec<Fitted>,
        statement: impl Fn(&syn::Expr) -> syn::Stmt,
    ) {
        let mut arrays = vec![(Fitted::from(target), true)];
        arrays.extend(leaves.into_iter().map(|leaf| (leaf, false)));
        let names: Vec<&syn::Ident> = terms.leaves.iter().map(|(name, _)| name).collect();
        self.nest(&arrays, &target.dims, |_, elements| {
            let mut stmts: Vec<syn::Stmt> = Vec::new();
            for (name, element) in names.iter().zip(&elements[1..]) {
                stmts.push(parse_quote!(let #name = #element;));
            }
            stmts.push(statement(&elements[0]));
            stmts
        });
    }

    /// The value of one element; arrays that it is computed from become leaves.
    pub(super) fn term(&mut self, e: &syn::Expr, terms: &mut Terms) -> Option<syn::Expr> {
        if self.rank_of(e).is_none() {
            let value = self.bounded(e);
            return Some(match strip(&value) {
                syn::Expr::Lit(_) => value,
                _ => self.bind("c", &value),
            });
        }
        match bare(e) {
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => {
                let inner = self.term(&u.expr, terms)?;
                Some(parse_quote!((-#inner)))
            }
            syn::Expr::Binary(b) => {
                let op = operator(&b.op)?;
                let left = if is_quiet(&b.right) {
                    self.term(&b.left, terms)?
                } else {
                    self.settled_term(&b.left, terms)?
                };
                let right = self.term(&b.right, terms)?;
                Some(parse_quote!((#left #op #right)))
            }
            syn::Expr::MethodCall(m)
                if matches!(m.method.to_string().as_str(), "mapv" | "map" | "mapv_into") =>
            {
                let function = m.args.first()?;
                let referred = m.method == "map";
                if is_quiet(function) && name_of(function).is_none() {
                    terms.calls = true;
                    let inner = self.term(&m.receiver, terms)?;
                    return self.applied(function, inner, referred);
                }
                // what changes variables has a loop of its own, in its turn
                let mut alone = Terms::default();
                let inner = self.settled_term(&m.receiver, &mut alone)?;
                let value = self.applied(function, inner, referred)?;
                let array = self.stored(&value, &alone, e)?;
                Some(terms.leaf(self.name("e"), array))
            }
            syn::Expr::MethodCall(m)
                if self.rank_of(&m.receiver).is_some()
                    && is_float_method(&m.method.to_string()) =>
            {
                let inner = self.term(&m.receiver, terms)?;
                let method = &m.method;
                let mut args = Vec::new();
                for a in &m.args {
                    let a = self.bounded(a);
                    args.push(self.atom("c", a));
                }
                Some(parse_quote!(#inner.#method(#(#args),*)))
            }
            inner => {
                let array = self.array(inner)?;
                Some(terms.leaf(self.name("e"), array))
            }
        }
    }

    /// The same; all that can be computed is computed now.
    fn settled_term(&mut self, e: &syn::Expr, terms: &mut Terms) -> Option<syn::Expr> {
        if self.rank_of(e).is_none() {
            return self.term(e, terms);
        }
        let array = self.array(e)?;
        Some(terms.leaf(self.name("e"), array))
    }

    /// The terms of a value that goes to elements of `target`, which it may be computed from.
    pub(super) fn term_for(
        &mut self,
        target: &Array,
        e: &syn::Expr,
        terms: &mut Terms,
    ) -> Option<syn::Expr> {
        if self.rank_of(e).is_none() {
            return self.term(e, terms);
        }
        let (before, names) = (self.before.len(), self.names);
        let value = self.term(e, terms)?;
        let reads = |(_, leaf): &(syn::Ident, Array)| super::array::same(&leaf.base, &target.base);
        if !terms.calls && !terms.leaves.iter().any(reads) {
            return Some(value);
        }
        // a copy, as in the user's code
        self.before.truncate(before);
        self.names = names;
        *terms = Terms::default();
        self.settled_term(e, terms)
    }

    /// A closure or function, applied to an element.
    fn applied(
        &mut self,
        function: &syn::Expr,
        value: syn::Expr,
        referred: bool,
    ) -> Option<syn::Expr> {
        match strip(function) {
            syn::Expr::Closure(c) if c.inputs.len() == 1 => self.scoped(|f| {
                let pat = match &c.inputs[0] {
                    syn::Pat::Type(t) => &*t.pat,
                    other => other,
                };
                f.hide(pat);
                let body = f.inlined(&c.body);
                let name = f.name("v");
                let bound: syn::Expr = if referred {
                    parse_quote!(&#name)
                } else {
                    parse_quote!(#name)
                };
                let float = f.float_type();
                Some(parse_quote!({ let #name: #float = #value; let #pat = #bound; #body }))
            }),
            syn::Expr::Path(p) => {
                let arg: syn::Expr = if referred {
                    parse_quote!(&#value)
                } else {
                    value
                };
                Some(parse_quote!(#p(#arg)))
            }
            other => {
                self.refuse(other, &error::ARRAY_CLOSURE);
                None
            }
        }
    }
}
