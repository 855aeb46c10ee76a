//! Mistakes that are seen in how a function is written: rustc has a message on each, for certain, which is
//! another one on a closure.

use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// Whether rustc refuses the function.
pub(super) fn is_wrong(function: &syn::ItemFn) -> bool {
    let found = Wrong::of(function, can_return_early(&function.sig.output));
    found
        || misses_value(function)
        || lacks_lifetime(&function.sig)
        || has_parameter_twice(&function.sig.generics)
}

/// Whether two parameters of a generic function have one name.
pub(super) fn has_parameter_twice(generics: &syn::Generics) -> bool {
    first_of_a_name(generics).count() < generics.params.len()
}

/// Parameters of a function, but for those whose name is there before.
pub(super) fn first_of_a_name(
    generics: &syn::Generics,
) -> impl Iterator<Item = &syn::GenericParam> {
    let mut known = BTreeSet::new();
    generics.params.iter().filter(move |p| {
        known.insert(match p {
            syn::GenericParam::Lifetime(l) => l.lifetime.to_string(),
            syn::GenericParam::Type(t) => t.ident.to_string(),
            syn::GenericParam::Const(c) => c.ident.to_string(),
        })
    })
}

/// Whether rustc may say something else in a closure: `?` leaves a function whose result is of another type, or
/// of one that is not known here, or a value is dropped.
pub(super) fn asks(function: &syn::ItemFn) -> bool {
    let returns_early = match &function.sig.output {
        syn::ReturnType::Type(_, ty) => is_one_of(ty, &["Option", "Result"]),
        syn::ReturnType::Default => false,
    };
    Wrong::of(function, returns_early) || drops_a_name(function)
}

/// Whether a function without a result ends with a name: a variable is hardly ever `()`, and the closure drops
/// it.
fn drops_a_name(function: &syn::ItemFn) -> bool {
    let tail = function.block.stmts.last();
    matches!(function.sig.output, syn::ReturnType::Default)
        && matches!(tail, Some(syn::Stmt::Expr(syn::Expr::Path(_), None)))
}

struct Wrong {
    returns_value: bool,
    /// Loops and blocks that `break` may leave.
    depth: usize,
    /// `?` may leave the function.
    returns_early: bool,
    found: bool,
}

impl Wrong {
    fn of(function: &syn::ItemFn, returns_early: bool) -> bool {
        let mut found = Wrong {
            returns_value: !matches!(function.sig.output, syn::ReturnType::Default),
            depth: 0,
            returns_early,
            found: false,
        };
        found.visit_block(&function.block);
        found.found
    }
}

impl<'ast> Visit<'ast> for Wrong {
    fn visit_expr_return(&mut self, e: &'ast syn::ExprReturn) {
        let given = e.expr.as_ref().is_some_and(|e| is_value(e));
        self.found |= given && !self.returns_value;
        visit::visit_expr_return(self, e);
    }

    fn visit_expr_break(&mut self, e: &'ast syn::ExprBreak) {
        self.found |= self.depth == 0;
        visit::visit_expr_break(self, e);
    }

    fn visit_expr_continue(&mut self, _: &'ast syn::ExprContinue) {
        self.found |= self.depth == 0;
    }

    fn visit_expr_loop(&mut self, e: &'ast syn::ExprLoop) {
        self.depth += 1;
        visit::visit_expr_loop(self, e);
        self.depth -= 1;
    }

    fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
        self.depth += 1;
        visit::visit_expr_for_loop(self, e);
        self.depth -= 1;
    }

    fn visit_expr_while(&mut self, e: &'ast syn::ExprWhile) {
        self.depth += 1;
        visit::visit_expr_while(self, e);
        self.depth -= 1;
    }

    fn visit_expr_block(&mut self, e: &'ast syn::ExprBlock) {
        let labelled = usize::from(e.label.is_some());
        self.depth += labelled;
        visit::visit_expr_block(self, e);
        self.depth -= labelled;
    }

    fn visit_expr_try(&mut self, e: &'ast syn::ExprTry) {
        self.found |= !self.returns_early;
        visit::visit_expr_try(self, e);
    }

    fn visit_pat_slice(&mut self, pat: &'ast syn::PatSlice) {
        let is_rest = |p: &&syn::Pat| match p {
            syn::Pat::Rest(_) => true,
            syn::Pat::Ident(p) => {
                matches!(&p.subpat, Some((_, p)) if matches!(**p, syn::Pat::Rest(_)))
            }
            _ => false,
        };
        self.found |= pat.elems.iter().filter(is_rest).count() > 1;
        visit::visit_pat_slice(self, pat);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (syn::Pat::Type(pat), Some(init)) = (&local.pat, &local.init) {
            let lengths = (length_of_type(&pat.ty), length_of_value(&init.expr));
            self.found |= matches!(lengths, (Some(a), Some(b)) if a != b);
        }
        visit::visit_local(self, local);
    }

    // what leaves these does not leave the function
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

fn length(e: &syn::Expr) -> Option<usize> {
    match e {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse().ok(),
        _ => None,
    }
}

fn length_of_type(ty: &syn::Type) -> Option<usize> {
    match ty {
        syn::Type::Array(t) => length(&t.len),
        _ => None,
    }
}

pub(super) fn length_of_value(e: &syn::Expr) -> Option<usize> {
    match e {
        syn::Expr::Repeat(r) => length(&r.len),
        syn::Expr::Array(a) => Some(a.elems.len()),
        _ => None,
    }
}

/// Whether `?` may leave a function with this result; of types that are not known here it may.
fn can_return_early(output: &syn::ReturnType) -> bool {
    let syn::ReturnType::Type(_, ty) = output else {
        return false;
    };
    match &**ty {
        syn::Type::Path(_) => !is_plain(ty),
        syn::Type::Array(_) | syn::Type::Slice(_) | syn::Type::Tuple(_) => false,
        syn::Type::Reference(_) | syn::Type::Ptr(_) => false,
        _ => true,
    }
}

/// Whether a type has one of the names of std's.
pub(super) fn is_plain_name(name: &syn::Ident) -> bool {
    PLAIN.iter().any(|plain| name == plain)
}

/// A number, a bool, a vector or a text.
fn is_plain(ty: &syn::Type) -> bool {
    is_one_of(ty, &PLAIN)
}

/// `()`, or a name that may stand for it.
fn may_be_unit(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(_) => !is_plain(ty) && !is_one_of(ty, &["Option", "Result"]),
        syn::Type::Tuple(t) => t.elems.is_empty(),
        syn::Type::Array(_) | syn::Type::Reference(_) => false,
        _ => true,
    }
}

fn is_one_of(ty: &syn::Type, names: &[&str]) -> bool {
    let syn::Type::Path(p) = ty else {
        return false;
    };
    let last = p.path.segments.last().map(|s| s.ident.to_string());
    last.is_some_and(|name| names.contains(&name.as_str()))
}

const PLAIN: [&str; 18] = [
    "f64", "f32", "bool", "char", "usize", "u8", "u16", "u32", "u64", "u128", "isize", "i8", "i16",
    "i32", "i64", "i128", "Vec", "String",
];

/// Whether a function with a result ends without one, for certain, or one without a result with one.
fn misses_value(function: &syn::ItemFn) -> bool {
    let syn::ReturnType::Type(_, ty) = &function.sig.output else {
        return has_value(&function.block);
    };
    if may_be_unit(ty) {
        return false;
    }
    match function.block.stmts.last() {
        Some(syn::Stmt::Expr(syn::Expr::Loop(e), None)) => ends_without_value(e, ty),
        Some(syn::Stmt::Expr(e, Some(_))) => {
            use syn::Expr::{Assign, Binary, Field, Index, Lit, Path};
            matches!(
                e,
                Assign(_) | Binary(_) | Field(_) | Index(_) | Lit(_) | Path(_)
            ) && !leaves(e)
        }
        Some(syn::Stmt::Local(local)) => match &local.init {
            Some(init) => init.diverge.is_none() && !leaves(&init.expr),
            None => true,
        },
        Some(syn::Stmt::Item(_)) | None => true,
        Some(syn::Stmt::Expr(e, None)) => lacks_else(e),
        Some(syn::Stmt::Macro(_)) => false,
    }
}

/// Whether a loop that gives a value of type `ty` is left without one, or for certain with no float for a float.
fn ends_without_value(e: &syn::ExprLoop, ty: &syn::Type) -> bool {
    struct Breaks<'a> {
        label: Option<&'a syn::Lifetime>,
        is_float: bool,
        /// Loops further in.
        depth: usize,
        found: bool,
    }
    impl Breaks<'_> {
        fn within(&mut self, body: &syn::Block) {
            self.depth += 1;
            self.visit_block(body);
            self.depth -= 1;
        }
    }
    impl<'ast> Visit<'ast> for Breaks<'_> {
        fn visit_expr_break(&mut self, e: &'ast syn::ExprBreak) {
            let leaves = match &e.label {
                Some(label) => self.label.is_some_and(|l| l.ident == label.ident),
                None => self.depth == 0,
            };
            let wrong = match &e.expr {
                Some(value) => self.is_float && is_no_float(value),
                None => true,
            };
            self.found |= leaves && wrong;
            visit::visit_expr_break(self, e);
        }
        fn visit_expr_loop(&mut self, e: &'ast syn::ExprLoop) {
            self.within(&e.body);
        }
        fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
            self.within(&e.body);
        }
        fn visit_expr_while(&mut self, e: &'ast syn::ExprWhile) {
            self.within(&e.body);
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut breaks = Breaks {
        label: e.label.as_ref().map(|l| &l.name),
        is_float: is_one_of(ty, &["f64", "f32"]),
        depth: 0,
        found: false,
    };
    breaks.visit_block(&e.body);
    breaks.found
}

fn is_no_float(e: &syn::Expr) -> bool {
    use syn::Expr::{Array, Call, Lit, Path, Range, Reference, Repeat, Tuple};
    let named = |p: &syn::Expr, names: &[&str]| match p {
        Path(p) => names.iter().any(|name| p.path.is_ident(name)),
        _ => false,
    };
    match e {
        Lit(lit) => match &lit.lit {
            syn::Lit::Int(n) => !n.suffix().starts_with('f'),
            syn::Lit::Float(_) => false,
            _ => true,
        },
        Call(call) => named(&call.func, &["Some", "Ok", "Err"]),
        Path(_) => named(e, &["None"]),
        _ => matches!(e, Array(_) | Range(_) | Reference(_) | Repeat(_) | Tuple(_)),
    }
}

/// Whether a value is that of an `if` that has no `else`.
fn lacks_else(e: &syn::Expr) -> bool {
    let in_block = |b: &syn::Block| match b.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => lacks_else(e),
        _ => false,
    };
    match e {
        syn::Expr::If(e) => match &e.else_branch {
            Some((_, other)) => in_block(&e.then_branch) || lacks_else(other),
            None => true,
        },
        syn::Expr::Block(b) => in_block(&b.block),
        syn::Expr::Match(m) => m.arms.iter().any(|arm| lacks_else(&arm.body)),
        _ => false,
    }
}

/// Whether a block ends with a value that is not `()`, for certain.
fn has_value(block: &syn::Block) -> bool {
    matches!(block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if is_value(e))
}

/// Whether a value is not `()`, for certain.
fn is_value(e: &syn::Expr) -> bool {
    use syn::Expr::{Array, Binary, Cast, Closure, Lit, Range, Reference, Repeat, Struct, Tuple};
    match e {
        Binary(b) => !is_assignment(&b.op),
        Tuple(t) => !t.elems.is_empty(),
        _ => matches!(
            e,
            Array(_)
                | Cast(_)
                | Closure(_)
                | Lit(_)
                | Range(_)
                | Reference(_)
                | Repeat(_)
                | Struct(_)
        ),
    }
}

fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    !matches!(
        op,
        Add(_)
            | Sub(_)
            | Mul(_)
            | Div(_)
            | Rem(_)
            | And(_)
            | Or(_)
            | BitXor(_)
            | BitAnd(_)
            | BitOr(_)
            | Shl(_)
            | Shr(_)
            | Eq(_)
            | Lt(_)
            | Le(_)
            | Ne(_)
            | Ge(_)
            | Gt(_)
    )
}

/// Whether an expression may leave the function, or not end.
fn leaves(e: &syn::Expr) -> bool {
    struct Leaves(bool);
    impl<'ast> Visit<'ast> for Leaves {
        fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_loop(&mut self, _: &'ast syn::ExprLoop) {
            self.0 = true;
        }
        fn visit_macro(&mut self, _: &'ast syn::Macro) {
            self.0 = true;
        }
        fn visit_expr_call(&mut self, e: &'ast syn::ExprCall) {
            // of another name than that of a function that gives nothing back
            self.0 |= matches!(&*e.func, syn::Expr::Path(p) if p.path.segments.len() > 1);
            visit::visit_expr_call(self, e);
        }
    }
    let mut found = Leaves(false);
    found.visit_expr(e);
    found.0
}

/// Whether a result borrows, and nothing tells for how long.
fn lacks_lifetime(sig: &syn::Signature) -> bool {
    #[derive(Default)]
    struct Borrows {
        unnamed: usize,
        named: BTreeSet<syn::Ident>,
        /// Types whose parameters are not known.
        others: usize,
    }
    impl<'ast> Visit<'ast> for Borrows {
        fn visit_type_reference(&mut self, r: &'ast syn::TypeReference) {
            self.unnamed += usize::from(r.lifetime.is_none());
            visit::visit_type_reference(self, r);
        }
        fn visit_lifetime(&mut self, l: &'ast syn::Lifetime) {
            self.named.insert(l.ident.clone());
        }

        // these have lifetimes of their own
        fn visit_type_bare_fn(&mut self, _: &'ast syn::TypeBareFn) {}

        fn visit_parenthesized_generic_arguments(
            &mut self,
            _: &'ast syn::ParenthesizedGenericArguments,
        ) {
        }

        fn visit_type_path(&mut self, p: &'ast syn::TypePath) {
            self.others += usize::from(!is_plain(&syn::Type::Path(p.clone())));
            visit::visit_type_path(self, p);
        }
    }
    let (mut result, mut inputs) = (Borrows::default(), Borrows::default());
    result.visit_return_type(&sig.output);
    sig.inputs.iter().for_each(|i| inputs.visit_fn_arg(i));
    let borrowed = inputs.unnamed + inputs.named.len();
    let is_told = borrowed == 1 || (borrowed == 0 && inputs.others > 0) || sig.receiver().is_some();
    result.unnamed > 0 && !is_told
}
