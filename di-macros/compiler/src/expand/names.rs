//! Names that patterns bind, as the user wrote them.

use syn::visit::Visit;

/// Names that patterns which may fail bind. A constant of such a name would be compared instead: it
/// cannot be bound by `let`, so that rustc tells.
pub(super) fn bound_names(block: &syn::Block) -> Vec<syn::Ident> {
    let mut names = Names::default();
    names.visit_block(block);
    names.names
}

/// Whether a result borrows.
pub(super) fn lends(output: &syn::ReturnType) -> bool {
    struct Lends(bool);
    impl<'ast> Visit<'ast> for Lends {
        fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {
            self.0 = true;
        }
        fn visit_lifetime(&mut self, _: &'ast syn::Lifetime) {
            self.0 = true;
        }
    }
    let mut found = Lends(false);
    found.visit_return_type(output);
    found.0
}

/// Whether a signature has types of the form `impl Trait`.
pub(super) fn has_unnamed_types(sig: &syn::Signature) -> bool {
    struct Unnamed(bool);
    impl<'ast> Visit<'ast> for Unnamed {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut found = Unnamed(false);
    found.visit_signature(sig);
    found.0
}

/// Whether a function names `Self`: it stands in an impl.
pub(super) fn speaks_of_self(function: &syn::ItemFn) -> bool {
    struct Found(bool);
    impl<'ast> Visit<'ast> for Found {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            self.0 |= path.segments.first().is_some_and(|s| s.ident == "Self");
            syn::visit::visit_path(self, path);
        }
        // what stands inside may have a `Self` of its own
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut found = Found(false);
    found.visit_signature(&function.sig);
    found.visit_block(&function.block);
    found.0
}

/// Whether a trait or methods are implemented in a function, of which there can be no second.
pub(super) fn implements(block: &syn::Block) -> bool {
    struct Implements(bool);
    impl<'ast> Visit<'ast> for Implements {
        fn visit_item_impl(&mut self, _: &'ast syn::ItemImpl) {
            self.0 = true;
        }
    }
    let mut found = Implements(false);
    found.visit_block(block);
    found.0
}

#[derive(Default)]
struct Names {
    names: Vec<syn::Ident>,
    refutable: bool,
}

impl Names {
    fn within(&mut self, pat: &syn::Pat) {
        self.refutable = true;
        self.visit_pat(pat);
        self.refutable = false;
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.within(&arm.pat);
        if let Some((_, guard)) = &arm.guard {
            self.visit_expr(guard);
        }
        self.visit_expr(&arm.body);
    }

    fn visit_expr_let(&mut self, e: &'ast syn::ExprLet) {
        self.within(&e.pat);
        self.visit_expr(&e.expr);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            if init.diverge.is_some() {
                self.within(&local.pat);
            }
            syn::visit::visit_local_init(self, init);
        }
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        let plain = p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none();
        let small = !p.ident.to_string().starts_with(char::is_uppercase);
        if self.refutable && plain && small {
            self.names.push(p.ident.clone());
        }
    }
}
