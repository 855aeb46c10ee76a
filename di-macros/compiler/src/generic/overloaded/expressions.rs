//! Expressions of the copy, and the arguments of macros.

use super::copy::{Copier, Mode};
use super::patterns;
use crate::lower::is_integer;
use crate::template::quote;
use crate::tokens;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;

impl Copier {
    pub(super) fn expr(&mut self, e: &mut syn::Expr) {
        if self.mode == Mode::Plain {
            return self.plain_expr(e);
        }
        if self.mode == Mode::Table && self.computed(e) {
            return;
        }
        match e {
            // what it does runs later
            syn::Expr::Closure(_) if self.mode == Mode::Table => {
                self.mode = Mode::Run;
                self.change_below(NodeMut::Expr(e));
                self.mode = Mode::Table;
            }
            // rustc does no operations on active numbers
            syn::Expr::Const(c)
                if self.has_floats(&c.block.to_token_stream())
                    && super::copy::computes(&c.block) =>
            {
                *e = syn::Expr::Block(syn::ExprBlock {
                    attrs: Vec::new(),
                    label: None,
                    block: c.block.clone(),
                });
                self.change_below(NodeMut::Expr(e));
            }
            syn::Expr::Lit(l) if self.is_float(&l.lit) => {
                *e = syn::Expr::Verbatim(self.literal(&l.lit));
            }
            syn::Expr::Repeat(r) => self.change(NodeMut::Expr(&mut r.expr)),
            syn::Expr::Cast(_) if self.mode == Mode::Run => self.cast(e),
            syn::Expr::Match(m) => {
                for arm in &mut m.arms {
                    patterns::guarded(arm, self);
                }
                self.change_below(NodeMut::Expr(e));
            }
            syn::Expr::Path(p)
                if self.mode == Mode::Run
                    && p.qself.is_none()
                    && self.known.is_constant_of_elsewhere(&p.path) =>
            {
                self.change(NodeMut::Path(&mut p.path));
                let (rt, float, span) = (&self.rt, &self.float, p.span());
                *e = syn::Expr::Verbatim(
                    quote_spanned!(span=> #rt::overloaded::outside::<::core::primitive::#float, _>(#p)),
                );
            }
            syn::Expr::Binary(b) if walk::is_assignment(&b.op) && b.attrs.is_empty() => {
                let both = has_calls(&b.left) && has_calls(&b.right);
                self.change_below(NodeMut::Expr(e));
                self.assign(e, both);
            }
            // the function of a call, or a variant, is no constant
            syn::Expr::Call(c) if matches!(&*c.func, syn::Expr::Path(_)) => {
                self.change_below(NodeMut::Expr(&mut c.func));
                c.args
                    .iter_mut()
                    .for_each(|arg| self.change(NodeMut::Expr(arg)));
            }
            _ => self.change_below(NodeMut::Expr(e)),
        }
    }

    /// `a[i] += a[j]` computes its right side first for floats, and last for other types, where `a` is borrowed already.
    /// `both`: both sides do something, so that the order matters.
    fn assign(&self, e: &mut syn::Expr, both: bool) {
        let syn::Expr::Binary(b) = e else { return };
        if matches!(
            &*b.right,
            syn::Expr::Lit(_) | syn::Expr::Path(_) | syn::Expr::Reference(_)
        ) {
            return;
        }
        let (left, op, right, rt) = (&b.left, &b.op, &b.right, &self.rt);
        let mut right = right.to_token_stream();
        // which would be taken for the arms
        let is_brace =
            |t: TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
        if right.clone().into_iter().any(is_brace) {
            right = quote!((#right));
        }
        let first = quote!(match #right { __right => #left #op __right });
        *e = syn::Expr::Verbatim(if both && !leaves(left) {
            quote!(if {
                use #rt::overloaded::LeftFirst as _;
                (&#rt::overloaded::Place::of(|| #rt::overloaded::place(&mut #left))).right_first()
            } { #first } else { #left #op #right })
        } else {
            first
        });
    }

    /// `n as f64`, `x as usize`
    fn cast(&mut self, e: &mut syn::Expr) {
        let syn::Expr::Cast(cast) = e else { return };
        let name = match &*cast.ty {
            syn::Type::Path(p) => p.path.get_ident().cloned(),
            _ => None,
        };
        let is_integer = is_integer(&cast.ty);
        let is_own = name
            .as_ref()
            .is_some_and(|i| self.known.scalars.contains(&i.to_string()));
        let is_float = is_own || name.as_ref().is_some_and(|i| i == "f64" || i == "f32");
        let is_literal = only_literals(&cast.expr);
        if !is_integer && !is_float || is_integer && is_literal && !self.has_floats(&quote!(#cast))
        {
            return self.change_below(NodeMut::Expr(e));
        }
        let (rt, span) = (self.rt.clone(), cast.span());
        if is_float && is_literal && !self.has_floats(&cast.expr.to_token_stream()) {
            if is_own {
                let (of, float) = (&cast.expr, &self.float);
                let value = quote_spanned!(span=> #of as ::core::primitive::#float);
                *e = syn::Expr::Verbatim(self.lifted(&value));
            }
            return;
        }
        let mut of = (*cast.expr).clone();
        self.change(NodeMut::Expr(&mut of));
        let cast = if is_own {
            let float = &self.float;
            quote_spanned!(span=> #rt::overloaded::lift::<::core::primitive::#float, _>(#of))
        } else {
            quote_spanned!(span=> #rt::overloaded::cast::<::core::primitive::#name, _>(#of))
        };
        *e = syn::Expr::Verbatim(cast);
    }

    pub(super) fn mac(&mut self, mac: &mut syn::Macro) {
        let name = mac.path.segments.last().map(|s| s.ident.to_string());
        match name.as_deref() {
            Some("concat" | "stringify" | "env" | "option_env" | "include_str" | "cfg") => {}
            Some("matches") => {
                if let Some(tokens) = self.matches(mac) {
                    mac.tokens = tokens;
                }
            }
            Some(name) if self.known.macros.contains_key(name) => {
                // an argument that looks otherwise could take another arm
                if self.known.macros[name] {
                    mac.tokens = self.tokens(mac.tokens.clone());
                }
            }
            Some("assert" | "debug_assert") => {
                let said = walk::arguments(mac).filter(|all| all.len() == 1);
                walk::change_arguments(mac, &mut |node| self.enter(node));
                if let (Some(said), Some(changed)) = (said, walk::arguments(mac)) {
                    let text = format!("assertion failed: {}", said[0].to_token_stream());
                    let condition = &changed[0];
                    mac.tokens = quote!(#condition, "{}", #text);
                }
            }
            _ if walk::arguments(mac).is_some() => {
                walk::change_arguments(mac, &mut |node| self.enter(node));
            }
            _ => mac.tokens = self.tokens(mac.tokens.clone()),
        }
    }

    /// `matches!(e, pattern if guard)`
    fn matches(&mut self, mac: &syn::Macro) -> Option<TokenStream> {
        let mut arm = syn::Expr::Match(walk::as_match(mac)?);
        self.expr(&mut arm);
        let syn::Expr::Match(m) = arm else {
            return None;
        };
        let (of, pat) = (&m.expr, &m.arms[0].pat);
        let guard = m.arms[0].guard.as_ref().map(|(_, guard)| quote!(if #guard));
        Some(quote!(#of, #pat #guard))
    }

    /// Tokens that are not known to be expressions.
    pub(super) fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let each = tokens.into_iter().map(|tree| match tree {
            TokenTree::Group(g) => tokens::regrouped(&g, self.tokens(g.stream())).into(),
            TokenTree::Literal(l) if self.is_float(&syn::Lit::new(l.clone())) => {
                self.lifted(&l.to_token_stream())
            }
            tree => tree.into(),
        });
        each.collect::<TokenStream>()
    }
}

/// Whether an expression may do something.
fn has_calls(e: &syn::Expr) -> bool {
    walk::read(walk::Node::Expr(e), &mut |node| match node {
        walk::Node::Expr(
            syn::Expr::Call(_)
            | syn::Expr::MethodCall(_)
            | syn::Expr::Macro(_)
            | syn::Expr::Block(_)
            | syn::Expr::Assign(_),
        ) => Onward::Found,
        _ => Onward::Into,
    })
}

/// Whether a place leaves the function or a loop.
fn leaves(e: &syn::Expr) -> bool {
    walk::read(walk::Node::Expr(e), &mut |node| match node {
        walk::Node::Expr(
            syn::Expr::Try(_) | syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_),
        ) => Onward::Found,
        _ => Onward::Into,
    })
}

/// Whether an expression has no names.
fn only_literals(e: &syn::Expr) -> bool {
    !tokens::any(e.to_token_stream(), &mut |t| {
        matches!(t, TokenTree::Ident(_))
    })
}
