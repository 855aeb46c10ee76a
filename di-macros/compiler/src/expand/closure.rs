//! The function once more, as a closure that is never called: rustc finds the same mistakes in it.

use super::{Origin, certain, generics, names};
use crate::lower::extent::HasExtent;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};

/// The function once more.
pub(super) struct Copy {
    /// A closure, or a block with one.
    pub(super) tokens: TokenStream,
    /// It says nothing of lengths of arrays that variables with a type are given.
    pub(super) asks: bool,
}

/// An expression that holds the function without marks as a closure. None if a closure cannot be the same.
///
/// That of a method speaks of `self` by another name, and lifetimes of results are others in a closure. What is
/// borrowed in such a function is not looked at twice: all of it stands behind a value that there cannot be.
/// That of a generic function stands in an impl with the same parameters.
pub(super) fn as_closure(
    function: &syn::ItemFn,
    origin: &Origin<'_>,
    rt: &TokenStream,
) -> Option<Copy> {
    let sig = &function.sig;
    let params = &sig.generics.params;
    let generic_type = params
        .iter()
        .any(|p| matches!(p, syn::GenericParam::Type(_)));
    if generic_type
        || sig.asyncness.is_some()
        || sig.unsafety.is_some()
        || names::has_unnamed_types(sig)
        || sig.receiver().is_some()
        || names::implements(&function.block)
        || certain::has_parameter_twice(&sig.generics)
    {
        return None;
    }
    let mut block = function.block.clone();
    let names = names::bound_names(&block);
    if origin.owner.is_some() || names::lends(&sig.output) {
        block
            .stmts
            .insert(0, syn::parse_quote!(let _ = #rt::never();));
    }
    // in a method rustc has no help on lengths
    let asks = origin.owner.is_none() && ask_for_lengths(&mut block, rt);
    let output = match &sig.output {
        syn::ReturnType::Default => {
            drop_value(&mut block);
            quote!(-> ())
        }
        output => {
            ask_for_conversions(output, &mut block, rt);
            // of a value that is missing rustc says something else of a closure
            if names::has_no_tail(&block) {
                block.stmts.push(syn::parse_quote!(loop {}));
            }
            quote!(#output)
        }
    };
    let inputs = &sig.inputs;
    // rustc looks for names that are missing in the block before
    let last = (!names.is_empty()).then(|| quote!({}));
    let closure = quote!({ #({ let #names = (); })* #last |#inputs| #output #block });
    if params.is_empty() {
        let tokens = closure;
        return Some(Copy { tokens, asks });
    }
    let generics = generics::generics_of(function, origin);
    let (defaults, arguments) = (generics.with_defaults(), generics.arguments());
    let bounds = &sig.generics.where_clause;
    // any length will do: the closure is looked at for all of them
    let tokens = quote!({
        struct __Of #defaults {}
        impl<#params> __Of #arguments #bounds {
            const CHECKED: () = {
                let _ = #closure;
            };
        }
        <__Of>::CHECKED
    });
    Some(Copy { tokens, asks })
}

/// `{ .. f(x) }`   =>   `{ .. let _ = f(x); }`, in each arm
///
/// Of a value that a function does not return rustc says more than of one that a closure does not. Nothing
/// is done with it in generated code.
fn drop_value(block: &mut syn::Block) {
    if let Some(syn::Stmt::Expr(e, None)) = block.stmts.last_mut() {
        drop_result(e);
    }
}

fn drop_result(e: &mut syn::Expr) {
    use syn::Expr;
    match e {
        Expr::Block(b) => drop_value(&mut b.block),
        Expr::Unsafe(b) => drop_value(&mut b.block),
        Expr::If(e) => {
            drop_value(&mut e.then_branch);
            if let Some((_, other)) = &mut e.else_branch {
                drop_result(other);
            }
        }
        Expr::Match(e) => e.arms.iter_mut().for_each(|arm| drop_result(&mut arm.body)),
        Expr::Assign(_)
        | Expr::Break(_)
        | Expr::Continue(_)
        | Expr::ForLoop(_)
        | Expr::Loop(_)
        | Expr::Macro(_)
        | Expr::Return(_)
        | Expr::While(_) => {}
        // an assignment with an operator is one of these
        _ => *e = syn::parse_quote!({ let _ = #e; }),
    }
}

/// `let v: [f64; 2] = e;`   =>   `let v: [f64; 2] = asked::<[f64; 2], _>(e).__value();`
///
/// Of another length rustc says more in a function than in a closure. True if there is such a statement.
fn ask_for_lengths(block: &mut syn::Block, rt: &TokenStream) -> bool {
    let mut asks = Asks { found: false };
    asks.visit_block_mut(block);
    if asks.found {
        let imports = syn::parse_quote!(use #rt::{AskedElse as _, AskedLength as _, AskedRows as _, asked as __asked};);
        block.stmts.insert(0, imports);
    }
    asks.found
}

struct Asks {
    found: bool,
}

impl VisitMut for Asks {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        let (syn::Pat::Type(pat), Some(init)) = (&local.pat, &mut local.init) else {
            return;
        };
        let ty = &*pat.ty;
        if !matches!(ty, syn::Type::Array(_)) || init.diverge.is_some() || !is_given(&init.expr) {
            return;
        }
        self.found = true;
        // messages point at the expression
        let (e, extent) = (&init.expr, init.expr.extent());
        let ask = quote_spanned!(extent.start=> __asked);
        let given = quote_spanned!(extent.end=> ::<#ty, _>(#e).__value());
        *init.expr = syn::Expr::Verbatim(quote!(#ask #given));
    }

    // what stands in a closure is told alike
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `e?`   =>   `questioned::<R, _>(e).__value()?`
///
/// Of what `?` cannot return rustc says something else in a function than in a closure.
fn ask_for_conversions(output: &syn::ReturnType, block: &mut syn::Block, rt: &TokenStream) {
    let syn::ReturnType::Type(_, ty) = output else {
        return;
    };
    let mut asks = AsksToReturn { ty, found: false };
    asks.visit_block_mut(block);
    if asks.found {
        let imports = syn::parse_quote!(use #rt::{QuestionedElse as _, QuestionedWrong as _, questioned as __questioned};);
        block.stmts.insert(0, imports);
    }
}

struct AsksToReturn<'a> {
    ty: &'a syn::Type,
    found: bool,
}

impl VisitMut for AsksToReturn<'_> {
    fn visit_expr_try_mut(&mut self, e: &mut syn::ExprTry) {
        visit_mut::visit_expr_try_mut(self, e);
        self.found = true;
        let (ty, given, extent) = (self.ty, &e.expr, e.expr.extent());
        let ask = quote_spanned!(extent.start=> __questioned);
        let asked = quote_spanned!(extent.end=> ::<#ty, _>(#given).__value());
        *e.expr = syn::Expr::Verbatim(quote!(#ask #asked));
    }

    // these are left by themselves
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether the type of an expression is told elsewhere.
fn is_given(e: &syn::Expr) -> bool {
    matches!(
        e,
        syn::Expr::Call(_)
            | syn::Expr::MethodCall(_)
            | syn::Expr::Field(_)
            | syn::Expr::Path(_)
            | syn::Expr::Index(_)
            | syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                ..
            })
    )
}
