//! Macros in expressions.

use super::Reader;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

impl Reader<'_> {
    pub(super) fn macro_expr(&mut self, mac: &syn::Macro) -> Expr {
        let span = mac.extent();
        let name = mac
            .path
            .segments
            .last()
            .map(|s| s.ident.to_string())
            .unwrap_or_default();
        match name.as_str() {
            "vec" => self.vec_macro(mac, span),
            "format" => {
                let (mut mac, mut first) = (mac.clone(), Vec::new());
                self.scoped(|r| {
                    r.written_first(&mut mac, &mut first);
                    let attrs = Vec::new();
                    let text = syn::ExprMacro { attrs, mac }.into();
                    Expr::after(first, r.constant_of(parse_quote!(String), &text))
                })
            }
            "cfg" => {
                let (mac, attrs) = (mac.clone(), Vec::new());
                Expr {
                    ty: Ty::Bool,
                    ..self.passive(&syn::ExprMacro { attrs, mac }.into(), false)
                }
            }
            "matches" => self.matches_macro(mac, span),
            "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq"
            | "debug_assert_ne" => self.assertion(mac, &name, span),
            "println" | "print" | "eprintln" | "eprint" => self.print_macro(mac, span),
            "dbg" => self.dbg_macro(mac, span),
            // their statements do not come here
            "write" | "writeln" => self.refuse_about(mac.path.extent(), &error::MACRO_WRITE, name),
            "panic" | "unreachable" | "todo" | "unimplemented" => self.panic_macro(mac, span),
            _ => self.refuse_about(mac.path.extent(), &error::MACRO, name),
        }
    }

    fn vec_macro(&mut self, mac: &syn::Macro, span: Extent) -> Expr {
        let fill = |input: syn::parse::ParseStream<'_>| {
            let elem: syn::Expr = input.parse()?;
            input.parse::<syn::Token![;]>()?;
            let len: syn::Expr = input.parse()?;
            Ok((elem, len))
        };
        if let Ok((elem, len)) = fill.parse2(mac.tokens.clone()) {
            let written = (elem, len);
            let (elem, len) = (self.expr(&written.0), &written.1);
            if self.has_own_clone(&elem.ty) {
                return self.expr(&clones(&written.0, len));
            }
            let elem = self.own_struct(&elem).unwrap_or(elem);
            let len = self.expr(len);
            self.unify(&len.ty.clone(), &Ty::usize(), len.span);
            let ty = Ty::Vec(Box::new(elem.ty.clone()));
            return Expr::new(Kind::VecFill(Box::new(elem), Box::new(len)), ty, span);
        }
        match Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated.parse2(mac.tokens.clone()) {
            Ok(elems) => self.list(&elems.iter().collect::<Vec<_>>(), true, span),
            Err(_) => self.refuse(span, &error::UNKNOWN_EXPRESSION),
        }
    }
}

/// `vec![value; n]` of a value whose clones are not copies: the last is the value itself.
fn clones(value: &syn::Expr, n: &syn::Expr) -> syn::Expr {
    parse_quote!({
        let __value = #value;
        let __len: usize = #n;
        let mut __all = Vec::new();
        for _ in 1..__len {
            __all.push(__value.clone());
        }
        if __len > 0 {
            __all.push(__value);
        }
        __all
    })
}
