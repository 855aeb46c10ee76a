//! `#[ad(..)]` on statements: loops whose trips are not recorded, statements that are run again.

use super::Reader;
use crate::error;
use crate::ir::Schedule;
use crate::lower::extent::HasExtent;
use crate::template::parse_quote;
use quote::ToTokens;

impl Reader<'_> {
    /// How a statement is marked, and the statement without the mark. Errors are noted.
    pub(super) fn checkpoint(
        &mut self,
        e: &syn::Expr,
        attrs: &[syn::Attribute],
    ) -> Option<(Schedule, syn::Expr)> {
        let mark = attrs.iter().find(|a| a.path().is_ident("ad"))?;
        let mut bare = e.clone();
        match &mut bare {
            syn::Expr::Block(e) => remove(&mut e.attrs),
            syn::Expr::Call(e) => remove(&mut e.attrs),
            syn::Expr::ForLoop(e) => remove(&mut e.attrs),
            syn::Expr::If(e) => remove(&mut e.attrs),
            syn::Expr::Loop(e) => remove(&mut e.attrs),
            syn::Expr::While(e) => remove(&mut e.attrs),
            syn::Expr::Assign(e) => remove(&mut e.attrs),
            syn::Expr::Binary(e) => remove(&mut e.attrs),
            syn::Expr::Match(e) => remove(&mut e.attrs),
            syn::Expr::MethodCall(e) => remove(&mut e.attrs),
            // the mark stays, and is refused
            _ => return None,
        }
        let read = read_mark(mark);
        let is_for = matches!(bare, syn::Expr::ForLoop(_));
        match read {
            Ok(Some(schedule)) if is_for => Some((schedule, bare)),
            Ok(None) => Some((
                Schedule::Every(Some(1)),
                once(bare, mark.bracket_token.span.open()),
            )),
            Ok(Some(_)) => {
                self.no_attributes(std::slice::from_ref(mark));
                Some((Schedule::Every(None), bare))
            }
            Err(text) => {
                self.cx
                    .error_about(mark.extent(), &error::AD_ARGUMENT, text);
                Some((Schedule::Every(None), bare))
            }
        }
    }
}

fn remove(attrs: &mut Vec<syn::Attribute>) {
    attrs.retain(|a| !a.path().is_ident("ad"));
}

/// `{ .. }`   =>   a loop of one trip
fn once(e: syn::Expr, span: proc_macro2::Span) -> syn::Expr {
    let block: syn::Block = match e {
        syn::Expr::Block(b) => b.block,
        other => syn::Block {
            brace_token: syn::token::Brace::default(),
            stmts: vec![syn::Stmt::Expr(
                other,
                Some(syn::Token![;](proc_macro2::Span::mixed_site())),
            )],
        },
    };
    syn::Expr::ForLoop(syn::ExprForLoop {
        attrs: Vec::new(),
        label: None,
        for_token: syn::token::For(span),
        pat: Box::new(syn::Pat::Wild(syn::PatWild {
            attrs: Vec::new(),
            underscore_token: syn::token::Underscore::default(),
        })),
        in_token: syn::token::In::default(),
        expr: Box::new(parse_quote!(0usize..1usize)),
        body: block,
    })
}

/// `checkpoint`, `checkpoint = k`, `revolve = k`; `None` for `recompute`.
fn read_mark(mark: &syn::Attribute) -> Result<Option<Schedule>, String> {
    let mut found = Err("nothing is said".to_owned());
    let read = mark.parse_nested_meta(|meta| {
        let count = if meta.input.peek(syn::Token![=]) {
            let literal: syn::LitInt = meta.value()?.parse()?;
            let n = literal.base10_parse::<usize>()?;
            if n == 0 {
                return Err(syn::Error::new(literal.span(), "there is at least one"));
            }
            Some(n)
        } else {
            None
        };
        let name = meta.path.to_token_stream().to_string();
        found = match (name.as_str(), count) {
            ("checkpoint", every) => Ok(Some(Schedule::Every(every))),
            ("revolve", Some(n)) => Ok(Some(Schedule::Revolve(n))),
            ("revolve", None) => Err("`revolve` needs a number of snapshots".to_owned()),
            ("recompute", None) => Ok(None),
            (other, _) => Err(format!("`{other}`")),
        };
        Ok(())
    });
    match read {
        Ok(()) => found,
        Err(err) => Err(err.to_string()),
    }
}
