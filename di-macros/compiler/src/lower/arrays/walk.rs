//! Expressions that are no arrays themselves.

use super::array::{bare, name_of, strip};
use super::stmt::block_of;
use super::{Flat, Owner, kinds};
use crate::error;
use crate::template::parse_quote;
use crate::walk::{self, NodeMut, Onward};
use syn::parse::Parser;
use syn::punctuated::Punctuated;

impl Flat<'_> {
    /// An expression with the statements that it needs around it.
    pub(super) fn bounded(&mut self, e: &syn::Expr) -> syn::Expr {
        let outer = std::mem::take(&mut self.before);
        let new = if self.effect(e) {
            parse_quote!(())
        } else {
            self.expr(e)
        };
        let before = std::mem::replace(&mut self.before, outer);
        if before.is_empty() {
            new
        } else {
            block_of(before, new)
        }
    }

    /// An expression; statements that it needs go before.
    pub(super) fn expr(&mut self, e: &syn::Expr) -> syn::Expr {
        match e {
            syn::Expr::Path(p) => {
                if p.path.get_ident().is_some_and(|i| self.lookup(i).is_some()) {
                    self.refuse(p, &error::ARRAY_PLACE);
                }
                e.clone()
            }
            syn::Expr::Index(i) if self.constant_kind(&i.expr).is_some() => {
                self.as_it_is(e).unwrap_or_else(|| e.clone())
            }
            syn::Expr::Index(i) if self.rank_of(&i.expr).is_some() => {
                self.element(i).unwrap_or_else(|| e.clone())
            }
            syn::Expr::MethodCall(m) => self.method(m),
            syn::Expr::Tuple(_) if self.holder(e).is_some() => self.put_together(e),
            syn::Expr::Call(c)
                if super::parts::variant(&c.func).is_some() && self.holder(e).is_some() =>
            {
                self.put_together(e)
            }
            syn::Expr::Call(c) => self.call(c),
            syn::Expr::Macro(_) if self.rank_of(e).is_some() => {
                self.refuse(e, &error::ARRAY_PLACE);
                e.clone()
            }
            syn::Expr::Macro(m) => syn::Expr::Macro(syn::ExprMacro {
                mac: self.macro_call(&m.mac),
                ..m.clone()
            }),
            syn::Expr::Assign(a) => {
                let mut new = a.clone();
                *new.right = self.expr(&a.right);
                *new.left = self.expr(&a.left);
                syn::Expr::Assign(new)
            }
            syn::Expr::Binary(b) => {
                if self.rank_of(e).is_some() {
                    self.refuse(e, &error::ARRAY_PLACE);
                    return e.clone();
                }
                let mut new = b.clone();
                if crate::walk::is_assignment(&b.op) {
                    *new.right = self.expr(&b.right);
                    *new.left = self.expr(&b.left);
                } else {
                    *new.left = self.bounded(&b.left);
                    *new.right = self.bounded(&b.right);
                }
                syn::Expr::Binary(new)
            }
            // what places are made of
            syn::Expr::Paren(x) => syn::Expr::Paren(syn::ExprParen {
                expr: Box::new(self.expr(&x.expr)),
                ..x.clone()
            }),
            syn::Expr::Reference(x) => syn::Expr::Reference(syn::ExprReference {
                expr: Box::new(self.expr(&x.expr)),
                ..x.clone()
            }),
            syn::Expr::Unary(x) => syn::Expr::Unary(syn::ExprUnary {
                expr: Box::new(self.expr(&x.expr)),
                ..x.clone()
            }),
            syn::Expr::Field(x) => syn::Expr::Field(syn::ExprField {
                base: Box::new(self.expr(&x.base)),
                ..x.clone()
            }),
            syn::Expr::Index(x) => syn::Expr::Index(syn::ExprIndex {
                expr: Box::new(self.expr(&x.expr)),
                index: Box::new(self.bounded(&x.index)),
                ..x.clone()
            }),
            // scopes
            syn::Expr::Block(b) => syn::Expr::Block(syn::ExprBlock {
                block: self.block(&b.block),
                ..b.clone()
            }),
            syn::Expr::Loop(l) => syn::Expr::Loop(syn::ExprLoop {
                body: self.block(&l.body),
                ..l.clone()
            }),
            syn::Expr::While(w) => {
                let (cond, hidden) = self.condition(&w.cond);
                self.scopes.push(hidden);
                let body = self.block(&w.body);
                self.scopes.pop();
                syn::Expr::While(syn::ExprWhile {
                    cond: Box::new(cond),
                    body,
                    ..w.clone()
                })
            }
            syn::Expr::If(i) => {
                let (cond, hidden) = self.condition(&i.cond);
                self.scopes.push(hidden);
                let then_branch = self.block(&i.then_branch);
                self.scopes.pop();
                let else_branch = i.else_branch.as_ref().map(|(t, els)| {
                    let new = self.bounded(els);
                    let new = match new {
                        new @ (syn::Expr::If(_) | syn::Expr::Block(_)) => new,
                        new => parse_quote!({ #new }),
                    };
                    (*t, Box::new(new))
                });
                syn::Expr::If(syn::ExprIf {
                    cond: Box::new(cond),
                    then_branch,
                    else_branch,
                    ..i.clone()
                })
            }
            syn::Expr::Match(m) => {
                let mut new = m.clone();
                let of = self.matched(&m.expr);
                *new.expr = self.expr(&m.expr);
                for arm in &mut new.arms {
                    self.scoped(|f| {
                        arm.pat = f.take_apart(&arm.pat, &of, Some(&m.expr));
                        if let Some((_, guard)) = &mut arm.guard {
                            **guard = f.bounded(guard);
                        }
                        *arm.body = f.bounded(&arm.body);
                    });
                }
                syn::Expr::Match(new)
            }
            syn::Expr::ForLoop(l) => self.for_loop(l),
            syn::Expr::Closure(c) => self.closure(c),
            syn::Expr::Return(r) => {
                let mut new = r.clone();
                if let Some(value) = &r.expr {
                    new.expr = match self.ret {
                        Some(rank) => self.value_as(value, rank).map(Box::new),
                        None => Some(Box::new(self.expr(value))),
                    };
                }
                syn::Expr::Return(new)
            }
            syn::Expr::Lit(_) => e.clone(),
            syn::Expr::Struct(s) => self.struct_of(s),
            other => {
                let mut new = other.clone();
                walk::change_below(NodeMut::Expr(&mut new), &mut |node| {
                    match node {
                        NodeMut::Expr(e) => *e = self.bounded(e),
                        NodeMut::Block(b) => *b = self.block(b),
                        _ => return Onward::Into,
                    }
                    Onward::Over
                });
                new
            }
        }
    }

    /// A condition, and the names that it binds.
    pub(super) fn condition(&mut self, cond: &syn::Expr) -> (syn::Expr, super::Scope) {
        self.scopes.push(super::Scope::new());
        let new = match cond {
            syn::Expr::Let(l) => {
                let mut new = l.clone();
                let of = self.matched(&l.expr);
                *new.expr = self.bounded(&l.expr);
                *new.pat = self.take_apart(&l.pat, &of, Some(&l.expr));
                syn::Expr::Let(new)
            }
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                let mut new = b.clone();
                for side in [&mut new.left, &mut new.right] {
                    let (e, names) = self.condition(side);
                    **side = e;
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.extend(names);
                    }
                }
                syn::Expr::Binary(new)
            }
            other => self.bounded(other),
        };
        (new, self.scopes.pop().unwrap_or_default())
    }

    /// A closure over numbers.
    pub(super) fn closure(&mut self, c: &syn::ExprClosure) -> syn::Expr {
        self.closure_over(c, None, Owner::Function)
    }

    /// The same; `of`: the type of what its last parameter is, and whose that is.
    pub(super) fn closure_over(
        &mut self,
        c: &syn::ExprClosure,
        of: Option<&syn::Type>,
        owner: Owner,
    ) -> syn::Expr {
        self.scoped(|f| {
            let mut new = c.clone();
            for pat in &c.inputs {
                f.hide_as(pat, None);
            }
            if let Some(last) = c.inputs.last() {
                f.hide_as(last, of);
                f.belongs(last, owner);
            }
            // what is an array there is known from here on
            for input in &mut new.inputs {
                if let syn::Pat::Type(typed) = input
                    && kinds::within(&typed.ty)
                {
                    *input = (*typed.pat).clone();
                }
            }
            let (ret, gives) = (f.ret.take(), f.gives.take());
            let outer = std::mem::take(&mut f.before);
            let body = f.value_of_type(&c.body, gives.as_ref());
            *new.body = match std::mem::replace(&mut f.before, outer) {
                before if before.is_empty() => body,
                before => block_of(before, body),
            };
            f.ret = ret;
            syn::Expr::Closure(new)
        })
    }

    /// The body of a closure that is written out where it is called: `return` leaves it alone.
    pub(super) fn inlined(&mut self, body: &syn::Expr) -> syn::Expr {
        let label = self.name("closure");
        let label = syn::Lifetime::new(&format!("'{label}"), proc_macro2::Span::call_site());
        let mut own = body.clone();
        let found = walk::returns_to_breaks(&label, NodeMut::Expr(&mut own));
        let ret = self.ret.take();
        let body = self.bounded(&own);
        self.ret = ret;
        if found {
            parse_quote!(#label: { #body })
        } else {
            body
        }
    }

    /// A call: arrays among the arguments become slices and lengths.
    fn call(&mut self, c: &syn::ExprCall) -> syn::Expr {
        if let Some(made) = self.made_by_call(c) {
            return made;
        }
        let mut new = c.clone();
        new.args = Punctuated::new();
        let is_plain = self.is_plain(&c.func);
        for arg in &c.args {
            if is_plain {
                new.args.extend(self.argument_as_it_is(arg));
            } else if self.rank_of(arg).is_some() {
                if is_enum_or_passive(&c.func) {
                    self.refuse(arg, &error::ARRAY_PLACE);
                    continue;
                }
                let parts = self.argument(arg);
                new.args.extend(parts);
            } else {
                new.args.push(self.bounded(arg));
            }
        }
        syn::Expr::Call(new)
    }

    /// An array as arguments of a call.
    pub(super) fn argument(&mut self, e: &syn::Expr) -> Vec<syn::Expr> {
        let Some(array) = self.array(e) else {
            return Vec::new();
        };
        let mutable = match strip(e) {
            syn::Expr::Reference(r) => r.mutability.is_some(),
            _ => array.exclusive,
        };
        let by_value = !matches!(strip(e), syn::Expr::Reference(_)) && array.owned;
        let value: syn::Expr = if by_value {
            array.base.clone()
        } else if array.is_contiguous() {
            let part = array.part();
            if mutable {
                parse_quote!(&mut #part)
            } else {
                parse_quote!(&#part)
            }
        } else if mutable {
            self.refuse(e, &error::ARRAY_STRIDED);
            return Vec::new();
        } else {
            let copy = self.copied(&array).base;
            parse_quote!(&#copy[..])
        };
        let mut parts = vec![value];
        if array.rank() == 2 {
            parts.extend(array.dims.iter().cloned());
        }
        parts
    }

    /// A macro: assertions and the like see into their arguments.
    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> syn::Macro {
        let fill = |input: syn::parse::ParseStream<'_>| {
            let value: syn::Expr = input.parse()?;
            input.parse::<syn::Token![;]>()?;
            Ok((value, input.parse::<syn::Expr>()?))
        };
        if let Ok((value, n)) = fill.parse2(mac.tokens.clone()) {
            let (value, n) = (self.bounded(&value), self.bounded(&n));
            let mut new = mac.clone();
            new.tokens = parse_quote!(#value; #n);
            return new;
        }
        let parsed = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated
            .parse2(mac.tokens.clone())
            .ok();
        let Some(args) = parsed else {
            if self.names_array(&mac.tokens) {
                self.refuse(mac, &error::ARRAY_PLACE);
            }
            return mac.clone();
        };
        let args: Vec<syn::Expr> = args.iter().map(|e| self.bounded(e)).collect();
        let mut new = mac.clone();
        new.tokens = parse_quote!(#(#args),*);
        new
    }

    fn names_array(&self, tokens: &proc_macro2::TokenStream) -> bool {
        tokens.clone().into_iter().any(|t| match t {
            proc_macro2::TokenTree::Ident(i) => self.lookup(&i).is_some(),
            proc_macro2::TokenTree::Group(g) => self.names_array(&g.stream()),
            _ => false,
        })
    }
}

/// `Some(a)`, `passive(a)`: not a call of an annotated function.
fn is_enum_or_passive(func: &syn::Expr) -> bool {
    match bare(func) {
        syn::Expr::Path(p) => p.path.segments.last().is_some_and(|s| {
            s.ident == "passive" || s.ident.to_string().starts_with(char::is_uppercase)
        }),
        other => name_of(other).is_none(),
    }
}
