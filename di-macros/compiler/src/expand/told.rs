//! Mistakes that are seen in how a function is written, and of which rustc has something else to say in generated
//! code, where types and names are others.

use super::certain::length_of_value;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// Whether rustc refuses the function.
pub(super) fn is_told(function: &syn::ItemFn) -> bool {
    has_computed_length(function)
        || lacks_receiver(function)
        || items_read_variables(function)
        || gives_another_length(function)
}

/// Whether a function speaks of `self` and has none, or one inside of it does.
fn lacks_receiver(function: &syn::ItemFn) -> bool {
    struct Receiver {
        is_there: bool,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Receiver {
        fn visit_expr_path(&mut self, e: &'ast syn::ExprPath) {
            let named = e.path.is_ident("self") || e.path.is_ident(super::methods::SELF);
            self.found |= named && !self.is_there;
        }
        fn visit_item(&mut self, item: &'ast syn::Item) {
            // others may have one of their own
            if let syn::Item::Fn(f) = item {
                let outer = std::mem::replace(&mut self.is_there, false);
                self.visit_block(&f.block);
                self.is_there = outer;
            }
        }
    }
    let is_self = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(_) => true,
        syn::FnArg::Typed(p) => {
            matches!(&*p.pat, syn::Pat::Ident(p) if p.ident == super::methods::SELF)
        }
    };
    let mut receiver = Receiver {
        is_there: function.sig.inputs.iter().any(is_self),
        found: false,
    };
    receiver.visit_block(&function.block);
    receiver.found
}

/// Whether the length of an array is computed of a parameter of the function, `[f64; N + 1]`.
fn has_computed_length(function: &syn::ItemFn) -> bool {
    #[derive(Default)]
    struct Lengths {
        names: BTreeSet<syn::Ident>,
        found: bool,
        /// It is computed of what is looked at.
        computed: bool,
    }
    impl Lengths {
        fn length(&mut self, e: &syn::Expr) {
            self.computed = matches!(e, syn::Expr::Binary(_) | syn::Expr::MethodCall(_));
            self.visit_expr(e);
            self.computed = false;
        }
    }
    impl<'ast> Visit<'ast> for Lengths {
        fn visit_type_array(&mut self, t: &'ast syn::TypeArray) {
            self.visit_type(&t.elem);
            self.length(&t.len);
        }
        fn visit_expr_repeat(&mut self, e: &'ast syn::ExprRepeat) {
            self.visit_expr(&e.expr);
            self.length(&e.len);
        }
        fn visit_expr_path(&mut self, e: &'ast syn::ExprPath) {
            let name = e.path.get_ident();
            self.found |= self.computed && name.is_some_and(|n| self.names.contains(n));
        }
        // it has names of its own
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let constants = function.sig.generics.const_params();
    let mut lengths = Lengths {
        names: constants.map(|c| c.ident.clone()).collect(),
        ..Lengths::default()
    };
    lengths.visit_signature(&function.sig);
    lengths.visit_block(&function.block);
    let shadows = has_items(&function.block);
    lengths.found && !shadows
}

/// Whether there are items in a function, whose names may be those of its parameters.
fn has_items(block: &syn::Block) -> bool {
    struct Items(bool);
    impl<'ast> Visit<'ast> for Items {
        fn visit_item(&mut self, _: &'ast syn::Item) {
            self.0 = true;
        }
    }
    let mut found = Items(false);
    found.visit_block(block);
    found.0
}

/// Whether a function gives `[a, b]` or `[a; 2]` for a result whose length is a parameter of it.
fn gives_another_length(function: &syn::ItemFn) -> bool {
    let (syn::ReturnType::Type(_, ty), Some(syn::Stmt::Expr(value, None))) =
        (&function.sig.output, function.block.stmts.last())
    else {
        return false;
    };
    let syn::Type::Array(array) = &**ty else {
        return false;
    };
    let syn::Expr::Path(len) = &array.len else {
        return false;
    };
    let mut params = function.sig.generics.const_params();
    length_of_value(value).is_some() && params.any(|p| len.path.is_ident(&p.ident))
}

/// Whether a constant or a static of a function reads its parameters, or variables that are bound before.
fn items_read_variables(function: &syn::ItemFn) -> bool {
    #[derive(Default)]
    struct Bound(BTreeSet<syn::Ident>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            // others may be those of constants
            if p.ident.to_string().starts_with(char::is_lowercase) {
                self.0.insert(p.ident.clone());
            }
            visit::visit_pat_ident(self, p);
        }
    }
    struct Reads<'a>(&'a BTreeSet<syn::Ident>, bool);
    impl<'ast> Visit<'ast> for Reads<'_> {
        fn visit_expr_path(&mut self, e: &'ast syn::ExprPath) {
            self.1 |= e.path.get_ident().is_some_and(|name| self.0.contains(name));
        }
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    // items have their names in the whole block, and before the variables
    let mut items = BTreeSet::new();
    for stmt in &function.block.stmts {
        match stmt {
            syn::Stmt::Item(syn::Item::Const(item)) => items.insert(item.ident.clone()),
            syn::Stmt::Item(syn::Item::Static(item)) => items.insert(item.ident.clone()),
            syn::Stmt::Item(syn::Item::Fn(item)) => items.insert(item.sig.ident.clone()),
            syn::Stmt::Item(_) | syn::Stmt::Macro(_) => return false,
            syn::Stmt::Local(_) | syn::Stmt::Expr(..) => continue,
        };
    }
    let mut known = Bound::default();
    for input in &function.sig.inputs {
        known.visit_fn_arg(input);
    }
    for stmt in &function.block.stmts {
        let value = match stmt {
            syn::Stmt::Local(local) => {
                known.visit_pat(&local.pat);
                continue;
            }
            syn::Stmt::Item(syn::Item::Const(item)) => &item.expr,
            syn::Stmt::Item(syn::Item::Static(item)) => &item.expr,
            syn::Stmt::Item(_) | syn::Stmt::Expr(..) | syn::Stmt::Macro(_) => continue,
        };
        // what it binds itself is its own
        let mut own = Bound::default();
        own.visit_expr(value);
        own.0.extend(items.clone());
        let outer = known.0.difference(&own.0).cloned().collect();
        let mut reads = Reads(&outer, false);
        reads.visit_expr(value);
        if reads.1 {
            return true;
        }
    }
    false
}
