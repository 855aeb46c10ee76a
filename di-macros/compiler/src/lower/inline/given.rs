//! Functions as arguments and results: closures whose parameters have types.

use super::Inline;
use crate::template::parse_quote;
use crate::walk::NodeMut;
use proc_macro2::Span;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

impl Inline<'_> {
    /// `vec![a, b]`
    pub(super) fn listed(&mut self, mac: &mut syn::Macro) {
        let parts = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let Ok(mut parts) = mac.parse_body_with(parts) else {
            return;
        };
        let before = self.number;
        for part in &mut parts {
            self.change(NodeMut::Expr(part));
        }
        if self.number > before {
            mac.tokens = parts.to_token_stream();
        }
    }
}

/// What is given for a function, as a closure: `f`, `&f` and `f64::sin` are called by one.
pub(crate) fn as_closure(arg: syn::Expr, inputs: &[syn::Type]) -> syn::Expr {
    match arg {
        syn::Expr::Closure(mut closure) => {
            write_inputs(&mut closure, inputs);
            syn::Expr::Closure(closure)
        }
        syn::Expr::Reference(r) => as_closure(*r.expr, inputs),
        syn::Expr::Paren(p) => as_closure(*p.expr, inputs),
        syn::Expr::Group(g) => as_closure(*g.expr, inputs),
        syn::Expr::Call(mut call) if is_box(&call.func) && call.args.len() == 1 => {
            as_closure(call.args.pop().expect("there is one").into_value(), inputs)
        }
        // it makes a closure
        syn::Expr::Call(_) | syn::Expr::MethodCall(_) | syn::Expr::Block(_) => arg,
        other => {
            let args = names(inputs.len());
            let pats = args.iter().zip(inputs);
            let pats = pats.map(|(arg, ty)| typed(&parse_quote!(#arg), ty));
            parse_quote!(|#(#pats),*| #other(#(#args),*))
        }
    }
}

/// Whether this is `Box::new`.
pub(in crate::lower) fn is_box(of: &syn::Expr) -> bool {
    let syn::Expr::Path(p) = of else {
        return false;
    };
    let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
    names.next().is_some_and(|n| n == "new") && names.next().is_some_and(|n| n == "Box")
}

/// `|a, b| f(a, b)`
pub(in crate::lower) fn called(f: &syn::Expr, count: usize) -> syn::Expr {
    // names of the body are kept apart from others by where the call is written
    let (args, at) = (names(count), f.span());
    syn::parse_quote_spanned!(at=> |#(#args),*| #f(#(#args),*))
}

fn names(count: usize) -> Vec<syn::Ident> {
    let name = |k| syn::Ident::new(&format!("__a{k}"), Span::call_site());
    (0..count).map(name).collect()
}

/// `a: f64`, or `a` where the call says the type.
fn typed(pat: &syn::Pat, ty: &syn::Type) -> syn::Pat {
    if matches!(ty, syn::Type::Infer(_)) {
        return pat.clone();
    }
    syn::Pat::Type(syn::PatType {
        attrs: Vec::new(),
        pat: Box::new(pat.clone()),
        colon_token: Default::default(),
        ty: Box::new(ty.clone()),
    })
}

/// Writes the types of its parameters at a closure.
fn write_inputs(closure: &mut syn::ExprClosure, inputs: &[syn::Type]) {
    for (pat, ty) in closure.inputs.iter_mut().zip(inputs) {
        let is_plain = !ty.to_token_stream().to_string().contains("impl");
        if !matches!(pat, syn::Pat::Type(_)) && is_plain {
            *pat = typed(pat, ty);
        }
    }
}

/// The same at the closure that a block ends with.
pub(super) fn write_types(block: &mut syn::Block, inputs: &[syn::Type]) {
    fn at_end(e: &mut syn::Expr, inputs: &[syn::Type]) {
        match e {
            syn::Expr::Closure(closure) => write_inputs(closure, inputs),
            syn::Expr::Paren(p) => at_end(&mut p.expr, inputs),
            syn::Expr::Block(b) => write_types(&mut b.block, inputs),
            syn::Expr::Call(c) => c.args.iter_mut().for_each(|arg| at_end(arg, inputs)),
            syn::Expr::If(i) => {
                write_types(&mut i.then_branch, inputs);
                let els = i.else_branch.iter_mut();
                els.for_each(|(_, e)| at_end(e, inputs));
            }
            syn::Expr::Match(m) => {
                let arms = m.arms.iter_mut();
                arms.for_each(|arm| at_end(&mut arm.body, inputs));
            }
            _ => {}
        }
    }
    if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last_mut() {
        at_end(last, inputs);
    }
}
