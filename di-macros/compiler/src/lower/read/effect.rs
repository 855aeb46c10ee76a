//! Macros that are run for their effect: assertions, messages, panics. Forward sweeps alone run them.

use super::expr::{strip, unraw};
use super::{Reader, format};
use crate::error;
use crate::ir::{CmpOp, Tokens};
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Effect, Expr, Kind, Passive, Pat, Step};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

type Arguments = Punctuated<Argument, syn::Token![,]>;

/// An argument of a formatting macro: `e`, or `name = e`.
struct Argument {
    name: Option<Ident>,
    value: syn::Expr,
}

impl syn::parse::Parse for Argument {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Argument> {
        let named = input.peek(syn::Ident::peek_any)
            && input.peek2(syn::Token![=])
            && !input.peek2(syn::Token![==]);
        let name = if named {
            // `self = value` too
            let name = input.call(syn::Ident::parse_any)?;
            input.parse::<syn::Token![=]>()?;
            Some(name)
        } else {
            None
        };
        Ok(Argument {
            name,
            value: input.parse()?,
        })
    }
}

impl Reader<'_> {
    /// `assert!(c, ..)` and its kin   =>   `if !c { panic!(..) }`
    pub(super) fn assertion(&mut self, mac: &syn::Macro, name: &str, span: Extent) -> Expr {
        let Ok(args) = Arguments::parse_terminated.parse2(mac.tokens.clone()) else {
            return self.refuse(span, &error::UNKNOWN_EXPRESSION);
        };
        let mut args = args.into_iter();
        let debug = name.starts_with("debug_");
        let checked = self.scoped(|r| match name.trim_start_matches("debug_") {
            "assert" => {
                let cond = args.next()?;
                let test = r.expr(&cond.value);
                r.unify(&test.ty.clone(), &Ty::Bool, test.span);
                let message = code::failed(&cond.value);
                Some(r.check(Vec::new(), test, message, args, span))
            }
            which => {
                let (left, right) = (args.next()?.value, args.next()?.value);
                let equal = which == "assert_eq";
                Some(r.check_equal(&left, &right, equal, args, span))
            }
        });
        let Some(checked) = checked else {
            self.cx.certain_mismatch();
            return self.refused(span);
        };
        if !debug {
            return checked;
        }
        let enabled = Expr::new(
            Kind::Passive(Passive::new(Tokens(code::debug_assertions()), Vec::new())),
            Ty::Bool,
            span,
        );
        when(enabled, checked, span)
    }

    fn check_equal(
        &mut self,
        left: &syn::Expr,
        right: &syn::Expr,
        equal: bool,
        rest: impl Iterator<Item = Argument>,
        span: Extent,
    ) -> Expr {
        let (op, symbol) = if equal {
            (CmpOp::Eq, "==")
        } else {
            (CmpOp::Ne, "!=")
        };
        let text = format!("assertion `left {symbol} right` failed");
        let (l, r) = (self.expr(left), self.expr(right));
        let scalar = |this: &Self, e: &Expr| {
            !matches!(
                this.types.peel(&e.ty),
                Ty::Opaque(_)
                    | Ty::Array(..)
                    | Ty::Slice(_)
                    | Ty::Vec(_)
                    | Ty::Tuple(_)
                    | Ty::Sum(_)
                    | Ty::Struct(_)
            )
        };
        if !scalar(self, &l) || !scalar(self, &r) {
            let op = if equal {
                syn::BinOp::Eq(Default::default())
            } else {
                syn::BinOp::Ne(Default::default())
            };
            let compared: syn::Expr = parse_quote!((#left) #op (#right));
            let test = self.expr(&compared);
            return self.check(Vec::new(), test, code::text(&text), rest, span);
        }
        self.unify(&self.types.peel(&l.ty), &self.types.peel(&r.ty), span);
        let mut stmts = Vec::new();
        let mut sides = Vec::new();
        for side in [l, r] {
            let ty = self.types.peel(&side.ty);
            let local = self.unnamed("side", ty.clone(), span);
            let init = Expr::new(Kind::Deref(Box::new(side)), ty.clone(), span);
            stmts.push(Step::bind(local, init));
            sides.push(Expr::local(local, ty, span));
        }
        let (l, r) = (sides[0].clone(), sides[1].clone());
        let test = Expr::new(Kind::Cmp(op, Box::new(l), Box::new(r)), Ty::Bool, span);
        let (detail, mut args) = match self.format_args(rest) {
            Some((tokens, args)) => (Some(tokens), args),
            None => (None, Vec::new()),
        };
        let names = ["__left", "__right"].map(code::name_of);
        args.extend(names.iter().map(|n| n.to_string()).zip(sides));
        let tokens = code::panic_on_sides(span.start, &text, detail.as_ref(), &names[0], &names[1]);
        let panic = self.panic(tokens, args, span);
        self.unless(stmts, test, panic, span)
    }

    // { stmts; if !test { panic!(..) } }
    fn check(
        &mut self,
        stmts: Vec<Step>,
        test: Expr,
        message: TokenStream,
        rest: impl Iterator<Item = Argument>,
        span: Extent,
    ) -> Expr {
        let (tokens, args) = match self.format_args(rest) {
            Some((tokens, args)) => (code::panic(span.start, &tokens), args),
            None => (code::panic(span.start, &message), Vec::new()),
        };
        let panic = self.panic(tokens, args, span);
        self.unless(stmts, test, panic, span)
    }

    fn unless(&mut self, mut stmts: Vec<Step>, test: Expr, panic: Expr, span: Extent) -> Expr {
        let failed = Expr::new(Kind::Not(Box::new(test)), Ty::Bool, span);
        stmts.push(Step::Expr(when(failed, panic, span)));
        Expr::new(Kind::Block(Block::of_steps(stmts)), Ty::unit(), span)
    }

    fn panic(&mut self, tokens: TokenStream, args: Vec<(String, Expr)>, span: Extent) -> Expr {
        let effect = Effect {
            tokens: Tokens(tokens),
            args,
            diverges: true,
        };
        Expr::new(Kind::Effect(effect), self.types.fresh(), span)
    }

    /// `panic!(..)`, `unreachable!(..)`, `todo!(..)`
    pub(super) fn panic_macro(&mut self, mac: &syn::Macro, span: Extent) -> Expr {
        let Some((tokens, args)) = self.macro_call(mac, span) else {
            return self.refused(span);
        };
        self.panic(tokens, args, span)
    }

    /// `println!(..)` and its kin.
    pub(super) fn print_macro(&mut self, mac: &syn::Macro, span: Extent) -> Expr {
        let Some((tokens, args)) = self.macro_call(mac, span) else {
            return self.refused(span);
        };
        let effect = Effect {
            tokens: Tokens(tokens),
            args,
            diverges: false,
        };
        Expr::new(Kind::Effect(effect), Ty::unit(), span)
    }

    /// `write!(to, ..)` and `writeln!(to, ..)`, whose result is dropped, or goes through a method: `.unwrap()`.
    pub(super) fn write_macro(
        &mut self,
        mac: &syn::Macro,
        tail: Option<&syn::ExprMethodCall>,
        span: Extent,
    ) -> Expr {
        let Ok(args) = Arguments::parse_terminated.parse2(mac.tokens.clone()) else {
            return self.refuse(span, &error::UNKNOWN_EXPRESSION);
        };
        let mut args = args.into_iter();
        let sink = args.next().map(|a| borrowed(a.value));
        let is_borrowed = matches!(sink, Some(syn::Expr::Unary(_)));
        let Some(sink) = sink.filter(|e| self.is_kept_outside(e)) else {
            let name = mac.path.segments.last().map(|s| s.ident.to_string());
            let name = name.unwrap_or_default();
            return self.refuse_about(mac.path.extent(), &error::MACRO_WRITE, name);
        };
        let to = self.passive(&sink, true);
        let (format, mut args) = self.format_args(args).unwrap_or_default();
        let tail = tail.map(|m| (&m.method, m.args.iter().collect::<Vec<_>>()));
        let name = if is_borrowed { code::LENT } else { code::SINK };
        let tokens = code::write_call(&mac.path, name, &format, tail);
        args.push((name.to_owned(), to));
        let effect = Effect {
            tokens: Tokens(self.with_writers(tokens)),
            args,
            diverges: false,
        };
        Expr::new(Kind::Effect(effect), Ty::unit(), span)
    }

    /// Whether what is written to is no variable of the function, but a parameter or what a path leads to.
    fn is_kept_outside(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Path(p) => match p.path.get_ident().map(unraw) {
                Some(name) => self.lookup(&name).is_some_and(|local| {
                    let ty = self.types.peel(&self.locals[local.0].ty);
                    local.0 < self.parameters && matches!(ty, Ty::Opaque(_))
                }),
                None => true,
            },
            syn::Expr::Call(c) => matches!(strip(&c.func), syn::Expr::Path(_)),
            syn::Expr::MethodCall(m) => self.is_kept_outside(&m.receiver),
            syn::Expr::Field(f) => self.is_kept_outside(&f.base),
            syn::Expr::Unary(u) => self.is_kept_outside(&u.expr),
            syn::Expr::Reference(r) => self.is_kept_outside(&r.expr),
            _ => false,
        }
    }

    /// `dbg!(e)`   =>   `{ let t = e; eprintln!(..); t }`
    pub(super) fn dbg_macro(&mut self, mac: &syn::Macro, span: Extent) -> Expr {
        let parse = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let Ok(args) = parse.parse2(mac.tokens.clone()) else {
            return self.refuse(span, &error::UNKNOWN_EXPRESSION);
        };
        let (mut stmts, mut values) = (Vec::new(), Vec::new());
        for arg in &args {
            let e = self.expr(arg);
            let ty = e.ty.clone();
            let local = self.unnamed("shown", ty.clone(), e.span);
            stmts.push(Step::bind(local, e));
            let value = Expr::local(local, ty, span);
            let mut args = Vec::new();
            let shown = self.shown(value.clone(), "__shown", &mut args);
            let effect = Effect {
                tokens: Tokens(code::debug_line(Some((arg, &shown)))),
                args,
                diverges: false,
            };
            stmts.push(Step::Expr(Expr::new(
                Kind::Effect(effect),
                Ty::unit(),
                span,
            )));
            values.push(value);
        }
        if values.is_empty() {
            let effect = Effect {
                tokens: Tokens(code::debug_line(None)),
                args: Vec::new(),
                diverges: false,
            };
            return Expr::new(Kind::Effect(effect), Ty::unit(), span);
        }
        let value = match values.len() {
            1 => values.remove(0),
            _ => {
                let ty = Ty::Tuple(values.iter().map(|v| v.ty.clone()).collect());
                Expr::new(Kind::Tuple(values), ty, span)
            }
        };
        Expr::block(stmts, value, span)
    }

    /// The macro as the user wrote it, on arguments that are evaluated here.
    fn macro_call(
        &mut self,
        mac: &syn::Macro,
        span: Extent,
    ) -> Option<(TokenStream, Vec<(String, Expr)>)> {
        let Ok(args) = Arguments::parse_terminated.parse2(mac.tokens.clone()) else {
            self.cx.error(span, &error::UNKNOWN_EXPRESSION);
            return None;
        };
        let (tokens, args) = self.format_args(args.into_iter()).unwrap_or_default();
        Some((code::macro_call(&mac.path, &tokens), args))
    }

    /// Evaluates in front what a text is written of that may be differentiated.
    pub(super) fn written_first(&mut self, mac: &mut syn::Macro, first: &mut Vec<Step>) {
        let Ok(args) = Arguments::parse_terminated.parse2(mac.tokens.clone()) else {
            return;
        };
        let mut tokens = TokenStream::new();
        let before = 1 + usize::from(is_write(mac));
        for (k, arg) in args.into_iter().enumerate() {
            // in generated code the part of a struct is of another type too
            let is_part =
                matches!(strip(&arg.value), syn::Expr::Field(f) if self.is_struct_place(&f.base));
            let is_first = k >= before
                && (is_part || self.may_be_active(&arg.value))
                && !self.mentions_state(&arg.value);
            let shown = match is_first {
                true => {
                    let mut parts = Vec::new();
                    let value = self.expr(&arg.value);
                    let name = format!("__arg{}", self.locals.len());
                    let shown = self.shown(value, &name, &mut parts);
                    for (name, part) in parts {
                        let local = self.bind(&name, false, part.ty.clone(), part.span);
                        let pat = Pat::Bind(local);
                        let init = Some(part);
                        first.push(Step::Let { pat, init });
                    }
                    shown
                }
                false => arg.value.into_token_stream(),
            };
            match k {
                0 => tokens.extend(shown),
                _ => tokens.extend(code::argument(arg.name.as_ref(), &shown)),
            }
        }
        mac.tokens = tokens;
    }

    /// `p.to_string()` of a struct that is differentiated, as its type writes it: `format!("{}", p)`.
    pub(super) fn as_text(&mut self, m: &syn::ExprMethodCall) -> Option<syn::ExprMacro> {
        let is_it = m.method == "to_string" && m.args.is_empty();
        if !is_it || !self.is_struct_place(&m.receiver) {
            return None;
        }
        let Ty::Struct(path) = self
            .place_type(&m.receiver)
            .map(|ty| self.types.peel(&ty))?
        else {
            return None;
        };
        let of = &m.receiver;
        let own = self.env.method(&path.0.to_string(), "to_string");
        own.is_none().then(|| parse_quote!(format!("{}", #of)))
    }

    /// What stands in a formatting macro, with names for its arguments; `None` if there is nothing.
    fn format_args(
        &mut self,
        args: impl Iterator<Item = Argument>,
    ) -> Option<(TokenStream, Vec<(String, Expr)>)> {
        let mut values = Vec::new();
        let tokens = self.format_args_as("__arg", args, &mut values)?;
        Some((tokens, values))
    }

    /// The same with names that begin like this. A text that is formatted among the arguments is part of it.
    fn format_args_as(
        &mut self,
        own: &str,
        mut args: impl Iterator<Item = Argument>,
        values: &mut Vec<(String, Expr)>,
    ) -> Option<TokenStream> {
        let format = args.next()?.value;
        let mut tokens = format.to_token_stream();
        let is_debug = tokens.to_string().contains('?');
        let args: Vec<Argument> = args.collect();
        let positional = args.iter().filter(|a| a.name.is_none()).count();
        if !format::fits(&format, positional) {
            self.cx.certain_mismatch();
        }
        for (k, arg) in args.into_iter().enumerate() {
            let own = format!("{own}{k}");
            let inner = match strip(&arg.value) {
                syn::Expr::Macro(m) if m.mac.path.is_ident("format") => {
                    let parsed = Arguments::parse_terminated.parse2(m.mac.tokens.clone());
                    parsed.ok().map(|args| (&m.mac.path, args))
                }
                _ => None,
            };
            let shown = match inner {
                Some((path, args)) => {
                    let args = args.into_iter();
                    let inner = self.format_args_as(&format!("{own}_"), args, values);
                    code::macro_call(path, &inner.unwrap_or_default())
                }
                None => {
                    let value = match strip(&arg.value) {
                        // state that is read again does not move
                        of @ syn::Expr::Path(_) if self.mentions_state(of) => {
                            self.expr(&parse_quote!(&#of))
                        }
                        _ => self.expr(&arg.value),
                    };
                    let is_list = matches!(
                        self.types.peel(&value.ty),
                        Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_)
                    );
                    if is_list && !is_debug {
                        self.cx.certain_mismatch();
                    }
                    self.shown(value, &own, values)
                }
            };
            tokens.extend(code::argument(arg.name.as_ref(), &shown));
        }
        Some(tokens)
    }
}

/// Whether an expression is a call of `write!` or `writeln!`.
pub(super) fn as_write(e: &syn::Expr) -> Option<&syn::Macro> {
    match strip(e) {
        syn::Expr::Macro(m) if is_write(&m.mac) => Some(&m.mac),
        _ => None,
    }
}

pub(super) fn is_write(mac: &syn::Macro) -> bool {
    let last = mac.path.segments.last();
    last.is_some_and(|s| s.ident == "write" || s.ident == "writeln")
}

/// `e` of `&mut e`, which the macro borrows by itself.
fn borrowed(e: syn::Expr) -> syn::Expr {
    match e {
        syn::Expr::Reference(r) if r.mutability.is_some() => borrowed(*r.expr),
        syn::Expr::Paren(p) => borrowed(*p.expr),
        e => e,
    }
}

// if cond { then }
fn when(cond: Expr, then: Expr, span: Extent) -> Expr {
    let kind = Kind::If {
        cond: Box::new(cond),
        then: Block::of_steps(vec![Step::Expr(then)]),
        els: None,
    };
    Expr::new(kind, Ty::unit(), span)
}
