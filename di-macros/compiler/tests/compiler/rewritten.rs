//! Two ways to write one thing mean one thing: the functions of other tests are written in other ways, whose values must
//! be the same, bit for bit. Operands, arguments and receivers of methods get names, `for` becomes `while let`, closures
//! and initializers become blocks, `+=` is written out.

use super::names::{Source, all_sources};
use super::programs::{ToData, bits, eval};
use di_compiler::ir::Body;
use eval::{Data, Host, Trap, Value, run};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeMap;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr};

/// What may be written in another way.
const RULES: [Rule; 6] = [
    Rule::Operands,
    Rule::Loops,
    Rule::Receivers,
    Rule::Closures,
    Rule::Assignments,
    Rule::Initializers,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    Operands,
    Loops,
    Receivers,
    Closures,
    Assignments,
    Initializers,
}

struct Rewriter<'a> {
    rules: &'a [Rule],
    names: usize,
    /// How often each was applied.
    applied: BTreeMap<Rule, usize>,
}

fn is_simple(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Unary(u) => is_simple(&u.expr),
        _ => false,
    }
}

/// Whether an expression may leave where it stands, or bind names for what follows.
fn may_leave(e: &impl ToTokens) -> bool {
    let text = e.to_token_stream().to_string();
    let words = ["break", "continue", "return", "?", "let "];
    words.iter().any(|word| text.contains(word))
}

impl Rewriter<'_> {
    fn name(&mut self) -> syn::Ident {
        self.names += 1;
        format_ident!("zq{}", self.names)
    }

    fn applies(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    fn rewritten(&mut self, e: &Expr) -> Option<(Rule, proc_macro2::TokenStream)> {
        Some(match e {
            Expr::Binary(b) if self.applies(Rule::Operands) && is_arithmetic(b) => {
                let (left, op, right) = (&b.left, &b.op, &b.right);
                let (l, r) = (self.name(), self.name());
                let code = quote!({ let #l = #left; let #r = #right; #l #op #r });
                (Rule::Operands, code)
            }
            Expr::ForLoop(f) if self.applies(Rule::Loops) => {
                let (label, pat, of, body, it) = (&f.label, &f.pat, &f.expr, &f.body, self.name());
                let code = quote!({
                    let mut #it = (#of).into_iter();
                    #label while let Some(#pat) = #it.next() #body
                });
                (Rule::Loops, code)
            }
            Expr::MethodCall(m)
                if self.applies(Rule::Receivers)
                    && matches!(*m.receiver, Expr::MethodCall(_))
                    && !may_leave(m) =>
            {
                let (mut call, of) = (m.clone(), self.name());
                *call.receiver = syn::parse_quote!(#of);
                let receiver = &m.receiver;
                (Rule::Receivers, quote!({ let mut #of = #receiver; #call }))
            }
            Expr::Closure(c)
                if self.applies(Rule::Closures) && !matches!(*c.body, Expr::Block(_)) =>
            {
                let (mut closure, value) = (c.clone(), self.name());
                let body = &c.body;
                *closure.body = syn::parse_quote!({ let #value = #body; #value });
                (Rule::Closures, closure.into_token_stream())
            }
            Expr::Binary(b) if self.applies(Rule::Assignments) && !may_leave(b) => {
                let op = match b.op {
                    BinOp::AddAssign(_) => quote!(+),
                    BinOp::SubAssign(_) => quote!(-),
                    BinOp::MulAssign(_) => quote!(*),
                    _ => return None,
                };
                let (to, by, value) = (&b.left, &b.right, self.name());
                let code = quote!({ let #value = #by; #to = #to #op #value });
                (Rule::Assignments, code)
            }
            _ => return None,
        })
    }
}

fn is_arithmetic(b: &syn::ExprBinary) -> bool {
    let op = matches!(
        b.op,
        BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_)
    );
    op && !(is_simple(&b.left) && is_simple(&b.right)) && !may_leave(b)
}

impl VisitMut for Rewriter<'_> {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if matches!(e, Expr::Repeat(_) | Expr::Range(_)) {
            return;
        }
        visit_mut::visit_expr_mut(self, e);
        // what is no Rust stays as it was
        if let Some((rule, code)) = self.rewritten(e)
            && let Ok(new) = syn::parse2(code)
        {
            *self.applied.entry(rule).or_default() += 1;
            *e = new;
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        let applies = self.applies(Rule::Initializers);
        let Some(init) = local.init.as_mut().filter(|i| i.diverge.is_none()) else {
            return;
        };
        // a block would copy what is borrowed
        let is_borrowed = matches!(*init.expr, Expr::Reference(_) | Expr::Closure(_))
            || local.pat.to_token_stream().to_string().contains("ref ");
        if applies && !is_borrowed && !may_leave(&init.expr) {
            let value = &init.expr;
            *init.expr = syn::parse_quote!({ (#value) });
            *self.applied.entry(Rule::Initializers).or_default() += 1;
        }
    }
}

/// Calls go to the functions of the same source.
struct Among<'a>(&'a Source);

impl Host for Among<'_> {
    fn call(&mut self, callee: &str, args: &mut [Data]) -> Result<Vec<Data>, Trap> {
        let of = self.0.functions.iter().find(|f| f.sig.ident == callee);
        let body = of.and_then(|f| lowered(self.0, f));
        let body = body.ok_or_else(|| Trap::Unknown(format!("no function {callee}")))?;
        run(&body, args, self)
    }

    fn verbatim(&mut self, _: &str, _: &[(String, Value)]) -> Option<Value> {
        None
    }
}

fn lowered(source: &Source, f: &syn::ItemFn) -> Option<Body> {
    let text = f.to_token_stream().to_string();
    // an item that cannot be read once more is not asked for
    syn::parse_str::<syn::ItemFn>(&text).ok()?;
    source.around.lower(&text).ok()
}

/// What a function of a slice returns at a point, or how it ends; `None` if the evaluator cannot tell.
fn value(source: &Source, body: &Body, x: &[f64]) -> Option<Vec<String>> {
    match run(body, &mut [x.to_data()], &mut Among(source)) {
        Ok(found) => Some(bits(&found)),
        Err(Trap::Panic(_)) => Some(vec!["it panics".to_owned()]),
        Err(Trap::Unknown(_)) => None,
    }
}

fn takes_a_slice(f: &syn::ItemFn) -> bool {
    let inputs: Vec<&syn::FnArg> = f.sig.inputs.iter().collect();
    let [syn::FnArg::Typed(x)] = inputs[..] else {
        return false;
    };
    f.sig.generics.params.is_empty() && x.ty.to_token_stream().to_string() == "& [f64]"
}

const POINTS: [&[f64]; 3] = [
    &[0.7, 1.1, 0.4, 0.9],
    &[-0.3, 0.6, 1.3, -0.8],
    &[1.2, -0.4, 0.9, 2.1],
];

#[test]
fn what_is_written_in_another_way_has_the_same_value() {
    let (mut compared, mut different) = (BTreeMap::new(), Vec::new());
    for source in &all_sources() {
        for f in source.functions.iter().filter(|f| takes_a_slice(f)) {
            let Some(body) = lowered(source, f) else {
                continue;
            };
            let known = POINTS.map(|x| value(source, &body, x));
            if known.iter().all(Option::is_none) {
                continue;
            }
            // each alone where not all at once are understood
            let each = RULES.iter().map(std::slice::from_ref);
            for rules in [&RULES[..]].into_iter().chain(each) {
                let mut other = f.clone();
                let mut rewriter = Rewriter {
                    rules,
                    names: 0,
                    applied: BTreeMap::new(),
                };
                rewriter.visit_block_mut(&mut other.block);
                if rewriter.applied.is_empty() {
                    continue;
                }
                let Some(body) = lowered(source, &other) else {
                    continue;
                };
                let found = POINTS.map(|x| value(source, &body, x));
                let pairs = known.iter().zip(&found);
                let both = pairs.filter(|(a, b)| a.is_some() && b.is_some());
                if both.clone().any(|(a, b)| a != b) {
                    different.push(format!("{} by {rules:?}", f.sig.ident));
                }
                if both.count() > 0 {
                    for rule in rewriter.applied.keys() {
                        *compared.entry(*rule).or_insert(0) += 1;
                    }
                    if rules.len() > 1 {
                        break;
                    }
                }
            }
        }
    }
    for rule in RULES {
        let count = compared.get(&rule).copied().unwrap_or_default();
        assert!(count > 40, "{rule:?} only in {count}: {compared:?}");
    }
    assert!(different.is_empty(), "{different:#?}");
}
