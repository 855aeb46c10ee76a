//! Variables around a call, with the types that are written or follow from what is near.

use super::{Ident, behind};
use crate::lower::code::name_of;
use crate::lower::environment::Environment;
use crate::lower::types::{self, result_of, ungroup};
use crate::sorted::{Map, Set};
use crate::tokens;
use crate::walk::{self, Node};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Methods of floats that give one again.
const OF_FLOATS: [&str; 34] = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "clamp",
    "cos", "cosh", "exp", "exp2", "exp_m1", "floor", "hypot", "ln", "ln_1p", "log", "log10",
    "log2", "max", "min", "mul_add", "powf", "powi", "recip", "round", "sin", "sinh", "sqrt",
    "tan",
];

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Variable {
    Of(Box<syn::Type>),
    /// A closure, by its number.
    Closure(usize),
    Unknown,
}

/// A closure that a variable holds.
struct Held {
    closure: syn::ExprClosure,
    /// How many variables are older.
    older: usize,
    /// What is taken of it, by names of its own.
    aliases: Map<String, (Ident, Ident)>,
}

pub(super) struct Scope<'a> {
    env: &'a Environment,
    /// The type of its floats, if there is one.
    float: Option<&'static str>,
    variables: Vec<(String, Variable)>,
    closures: Vec<Held>,
    /// Parameters of the function around it, and items of its body whose types are not written.
    open: Set<String>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(env: &'a Environment, sig: &syn::Signature) -> Scope<'a> {
        let has = |name: &str| {
            walk::any(
                Node::Signature(sig),
                &mut |node| matches!(node, Node::Ident(i) if i == name),
            )
        };
        let mut scope = Scope {
            env,
            float: match (has("f32"), has("f64")) {
                (false, true) => Some("f64"),
                (true, false) => Some("f32"),
                _ => None,
            },
            variables: Vec::new(),
            closures: Vec::new(),
            open: Set::new(),
        };
        for p in &sig.generics.params {
            match p {
                syn::GenericParam::Type(p) => scope.open.insert(p.ident.to_string()),
                syn::GenericParam::Const(p) => scope.open.insert(p.ident.to_string()),
                syn::GenericParam::Lifetime(_) => false,
            };
        }
        for input in &sig.inputs {
            if let syn::FnArg::Typed(p) = input {
                scope.bind(&p.pat, Some((*p.ty).clone()));
            }
        }
        scope
    }

    pub(super) fn len(&self) -> usize {
        self.variables.len()
    }

    pub(super) fn leave(&mut self, around: usize) {
        self.variables.truncate(around);
    }

    /// Binds the variables of a pattern.
    pub(super) fn bind(&mut self, pat: &syn::Pat, ty: Option<syn::Type>) {
        match (pat, ty) {
            (syn::Pat::Type(p), _) => self.bind(&p.pat, Some((*p.ty).clone())),
            (syn::Pat::Ident(p), Some(ty)) if p.by_ref.is_none() && p.subpat.is_none() => {
                let is_known = !walk::any(Node::Type(&ty), &mut |node| {
                    matches!(node, Node::Type(syn::Type::Infer(_)))
                });
                let known = if is_known {
                    Variable::Of(Box::new(ty))
                } else {
                    Variable::Unknown
                };
                self.variables.push((plain(&p.ident), known));
            }
            (syn::Pat::Tuple(p), Some(syn::Type::Tuple(t))) if p.elems.len() == t.elems.len() => {
                for (pat, ty) in p.elems.iter().zip(t.elems) {
                    self.bind(pat, Some(ty));
                }
            }
            (syn::Pat::Reference(p), Some(syn::Type::Reference(r))) => {
                self.bind(&p.pat, Some(*r.elem));
            }
            (syn::Pat::Struct(p), Some(ty @ syn::Type::Path(_))) => {
                let path = ty.to_token_stream().to_string();
                for f in &p.fields {
                    let name = f.member.to_token_stream().to_string();
                    let ty = self.env.field(&path, name.trim_start_matches("r#"));
                    self.bind(&f.pat, ty);
                }
            }
            (pat, _) => {
                let names = walk::bound(Node::Pat(pat));
                let unknown = names.iter().map(|n| (plain(n), Variable::Unknown));
                self.variables.extend(unknown);
            }
        }
    }

    /// Binds those of a `let`. Returns the number of a closure.
    pub(super) fn local(&mut self, local: &syn::Local) -> Option<usize> {
        let init = local.init.as_ref();
        if let (syn::Pat::Ident(p), Some(init)) = (&local.pat, init)
            && let syn::Expr::Closure(closure) = behind(&init.expr)
        {
            let id = self.closures.len();
            self.closures.push(Held {
                closure: closure.clone(),
                older: self.variables.len(),
                aliases: Map::new(),
            });
            let name = plain(&p.ident);
            self.variables.push((name, Variable::Closure(id)));
            return Some(id);
        }
        let ty = init.and_then(|init| self.type_of(&init.expr));
        self.bind(&local.pat, ty);
        None
    }

    pub(super) fn item(&mut self, item: &syn::Item) {
        if let syn::Item::Const(c) = item
            && (matches!(*c.ty, syn::Type::Infer(_)) || super::super::is_length(c))
        {
            self.open.insert(c.ident.to_string());
        }
    }

    /// What a name stands for now, or where a closure is made.
    pub(super) fn variable(&self, name: &str, at: Option<usize>) -> Option<Variable> {
        self.position(name, at).map(|k| self.variables[k].1.clone())
    }

    fn position(&self, name: &str, at: Option<usize>) -> Option<usize> {
        let until = at.map_or(self.variables.len(), |id| self.closures[id].older);
        let seen = &self.variables[..until.min(self.variables.len())];
        seen.iter().rposition(|(own, _)| own == name)
    }

    /// The closure that an expression names.
    pub(super) fn closure_of(
        &self,
        e: &syn::Expr,
        at: Option<usize>,
    ) -> Option<(syn::ExprClosure, usize)> {
        let syn::Expr::Path(p) = e else {
            return None;
        };
        match self.variable(&plain(p.path.get_ident()?), at)? {
            Variable::Closure(id) => Some((self.closures[id].closure.clone(), id)),
            _ => None,
        }
    }

    /// The name by which what a closure takes can be named at a call.
    pub(super) fn alias(&mut self, id: usize, own: &Ident, is_borrowed: bool) -> Option<Ident> {
        let name = plain(own);
        if is_borrowed {
            // it is not copied
            let is_same = self.position(&name, Some(id)) == self.position(&name, None);
            return is_same.then(|| own.clone());
        }
        let alias = name_of(&format!("__taken{id}_{name}"));
        let both = (alias.clone(), own.clone());
        self.closures[id].aliases.insert(name, both);
        Some(alias)
    }

    /// What is to be bound where a closure is made.
    pub(super) fn aliases(&mut self, id: usize) -> Vec<(Ident, Ident)> {
        let found = std::mem::take(&mut self.closures[id].aliases);
        found.into_iter().map(|(_, both)| both).collect()
    }

    /// Whether code names what another function cannot.
    pub(super) fn is_open(&self, tokens: &TokenStream) -> bool {
        tokens::any(tokens.clone(), &mut |tree| match tree {
            TokenTree::Ident(i) => i == "self" || i == "Self" || self.open.contains(&i.to_string()),
            TokenTree::Punct(p) => p.as_char() == '?',
            _ => false,
        })
    }

    /// How a value of this type is handed to an instance, and whether by reference.
    pub(super) fn handed(&self, ty: &syn::Type) -> Option<(syn::Type, bool)> {
        let mut ty = self.env.expanded(ungroup(ty));
        if self.is_open(&ty.to_token_stream()) {
            return None;
        }
        if let syn::Type::Reference(r) = &mut ty {
            r.lifetime = None;
            let is_known = r.mutability.is_none() && is_value(&r.elem);
            return is_known.then_some((ty, false));
        }
        match &ty {
            _ if !is_value(&ty) => None,
            syn::Type::Array(_) => Some((ty, false)),
            syn::Type::Tuple(t) if t.elems.iter().all(is_number) => Some((ty, false)),
            ty if is_number(ty) => Some((ty.clone(), false)),
            ty => Some((syn::parse_quote!(&#ty), true)),
        }
    }

    /// A parameter, marked if its type is not differentiated.
    pub(super) fn marked(&self, mut input: syn::PatType) -> syn::FnArg {
        if input.attrs.is_empty() && self.env.is_constant(&input.ty) {
            input.attrs.push(syn::parse_quote!(#[constant]));
        }
        syn::FnArg::Typed(input)
    }

    /// The type of the items of a loop.
    pub(super) fn item_of(&self, e: &syn::Expr) -> Option<syn::Type> {
        match e {
            syn::Expr::Paren(p) => self.item_of(&p.expr),
            syn::Expr::Group(g) => self.item_of(&g.expr),
            syn::Expr::Range(r) => {
                let (start, end) = (r.start.as_deref()?, r.end.as_deref()?);
                self.type_of(start).or_else(|| self.type_of(end))
            }
            syn::Expr::MethodCall(m) => match m.method.to_string().as_str() {
                "iter" => {
                    let of = element(&behind_reference(self.type_of(&m.receiver)?))?;
                    Some(syn::parse_quote!(&#of))
                }
                "rev" | "skip" | "take" | "step_by" => self.item_of(&m.receiver),
                "copied" | "cloned" => match self.item_of(&m.receiver)? {
                    syn::Type::Reference(r) => Some(*r.elem),
                    _ => None,
                },
                "enumerate" => {
                    let of = self.item_of(&m.receiver)?;
                    Some(syn::parse_quote!((usize, #of)))
                }
                "zip" => {
                    let other = self.item_of(m.args.first()?)?;
                    let of = self.item_of(&m.receiver)?;
                    Some(syn::parse_quote!((#of, #other)))
                }
                _ => None,
            },
            e => match self.type_of(e)? {
                syn::Type::Reference(r) if r.mutability.is_none() => {
                    let of = element(&r.elem)?;
                    Some(syn::parse_quote!(&#of))
                }
                ty => element(&ty),
            },
        }
    }

    /// The type of what a method of this type returns, or a function of it.
    fn output(&self, of: &TokenStream, name: &Ident) -> Option<syn::Type> {
        let method = self.env.method_of(of, &name.to_string())?;
        let output = method.output.filter(|_| method.lengths.is_empty())?;
        match &output {
            syn::Type::Path(p) if p.path.is_ident("Self") => syn::parse2(of.clone()).ok(),
            _ => Some(output),
        }
    }

    fn float(&self) -> Option<syn::Type> {
        let name = Ident::new(self.float?, Span::call_site());
        Some(syn::parse_quote!(#name))
    }

    /// The type of an expression, if it shows.
    fn type_of(&self, e: &syn::Expr) -> Option<syn::Type> {
        match e {
            syn::Expr::Paren(p) => self.type_of(&p.expr),
            syn::Expr::Group(g) => self.type_of(&g.expr),
            syn::Expr::Lit(l) => match &l.lit {
                syn::Lit::Float(f) if f.suffix().is_empty() => self.float(),
                syn::Lit::Float(f) => syn::parse_str(f.suffix()).ok(),
                syn::Lit::Int(i) if !i.suffix().is_empty() => syn::parse_str(i.suffix()).ok(),
                syn::Lit::Bool(_) => Some(syn::parse_quote!(bool)),
                _ => None,
            },
            syn::Expr::Path(p) => match p.path.get_ident() {
                Some(name) => match self.variable(&plain(name), None) {
                    Some(Variable::Of(ty)) => Some(*ty),
                    Some(_) => None,
                    None => self.env.constant(&name.to_string()),
                },
                None => None,
            },
            syn::Expr::Unary(u) => {
                let of = self.type_of(&u.expr)?;
                match (u.op, of) {
                    (syn::UnOp::Deref(_), syn::Type::Reference(r)) => Some(*r.elem),
                    (syn::UnOp::Neg(_), ty) if is_number(&ty) => Some(ty),
                    _ => None,
                }
            }
            syn::Expr::Reference(r) if r.mutability.is_none() => {
                let of = self.type_of(&r.expr)?;
                Some(syn::parse_quote!(&#of))
            }
            syn::Expr::Cast(c) => Some((*c.ty).clone()),
            syn::Expr::Array(a) => {
                let (of, n) = (self.type_of(a.elems.first()?)?, a.elems.len());
                Some(syn::parse_quote!([#of; #n]))
            }
            syn::Expr::Repeat(r) => {
                let (of, n) = (self.type_of(&r.expr)?, &r.len);
                Some(syn::parse_quote!([#of; #n]))
            }
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => {
                let of = self.type_of(walk::arguments(&m.mac)?.first()?)?;
                Some(syn::parse_quote!(Vec<#of>))
            }
            syn::Expr::Struct(s) => {
                let path = &s.path;
                let is_one = self.env.is_struct(&path.to_token_stream().to_string());
                is_one.then(|| syn::parse_quote!(#path))
            }
            syn::Expr::If(i) => {
                let syn::Stmt::Expr(last, None) = i.then_branch.stmts.last()? else {
                    return None;
                };
                // what is bound in it may hide others
                let is_alone = i.then_branch.stmts.len() == 1;
                let binds = walk::bound(Node::Expr(&i.cond));
                (is_alone && binds.is_empty()).then(|| self.type_of(last))?
            }
            syn::Expr::Tuple(t) => {
                let each: Option<Vec<_>> = t.elems.iter().map(|e| self.type_of(e)).collect();
                let each = each?;
                Some(syn::parse_quote!((#(#each,)*)))
            }
            syn::Expr::Binary(b) => {
                use syn::BinOp::{Add, Div, Mul, Rem, Sub};
                if !matches!(b.op, Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_)) {
                    return None;
                }
                let sides = [&b.left, &b.right].map(|e| self.type_of(e));
                // a struct may be on the other side
                let [left, right] = sides.map(|ty| ty.map(behind_reference));
                match (left, right) {
                    (Some(l), Some(r)) if is_number(&l) && l == r => Some(l),
                    (Some(l), None) if is_number(&l) && is_literal(&b.right) => Some(l),
                    (None, Some(r)) if is_number(&r) && is_literal(&b.left) => Some(r),
                    _ => None,
                }
            }
            syn::Expr::Index(i) => {
                if matches!(*i.index, syn::Expr::Range(_)) {
                    return None;
                }
                element(&behind_reference(self.type_of(&i.expr)?))
            }
            syn::Expr::Field(f) => {
                let of = behind_reference(self.type_of(&f.base)?);
                match (&of, &f.member) {
                    (syn::Type::Tuple(t), syn::Member::Unnamed(k)) => {
                        t.elems.iter().nth(k.index as usize).cloned()
                    }
                    (syn::Type::Path(p), member) => {
                        let path = p.path.to_token_stream().to_string();
                        let name = member.to_token_stream().to_string();
                        self.env.field(&path, name.trim_start_matches("r#"))
                    }
                    _ => None,
                }
            }
            syn::Expr::MethodCall(m) if m.turbofish.is_some() => {
                let is_folded = m.method == "sum" || m.method == "product";
                match m.turbofish.as_ref()?.args.first()? {
                    syn::GenericArgument::Type(ty) if is_folded => Some(ty.clone()),
                    _ => None,
                }
            }
            syn::Expr::MethodCall(m) => {
                let of = behind_reference(self.type_of(&m.receiver)?);
                if m.method == "len" && element(&of).is_some() {
                    return Some(syn::parse_quote!(usize));
                }
                if m.method == "to_vec" {
                    let of = element(&of)?;
                    return Some(syn::parse_quote!(Vec<#of>));
                }
                if m.method == "clone" {
                    return Some(of);
                }
                if is_float(&of) {
                    let gives = OF_FLOATS.iter().any(|name| m.method == name);
                    return gives.then_some(of);
                }
                self.output(&of.to_token_stream(), &m.method)
            }
            syn::Expr::Call(c) => {
                let syn::Expr::Path(p) = &*c.func else {
                    return None;
                };
                let Some(known) = self.env.function(&p.path.to_token_stream().to_string()) else {
                    let mut owner = p.path.clone();
                    let name = owner.segments.pop()?.into_value().ident;
                    owner.segments.pop_punct();
                    return self.output(&owner.to_token_stream(), &name);
                };
                let is_plain = known.signature.generics.params.is_empty();
                let output = result_of(&known.signature.output);
                output.filter(|_| is_plain).cloned()
            }
            syn::Expr::Block(b) => match b.block.stmts.last() {
                // an instance
                Some(syn::Stmt::Expr(syn::Expr::Call(c), None)) => {
                    b.block
                        .stmts
                        .iter()
                        .find_map(|stmt| match (stmt, &*c.func) {
                            (syn::Stmt::Item(syn::Item::Fn(f)), syn::Expr::Path(p))
                                if p.path.is_ident(&f.sig.ident)
                                    && super::is_instance(&f.sig.ident) =>
                            {
                                result_of(&f.sig.output).cloned()
                            }
                            _ => None,
                        })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// A number, which takes the type of what stands beside it.
fn is_literal(e: &syn::Expr) -> bool {
    match behind(e) {
        syn::Expr::Lit(_) => true,
        syn::Expr::Unary(u) => is_literal(&u.expr),
        _ => false,
    }
}

fn behind_reference(ty: syn::Type) -> syn::Type {
    match ty {
        syn::Type::Reference(r) => behind_reference(*r.elem),
        ty => ty,
    }
}

fn is_float(ty: &syn::Type) -> bool {
    matches!(ungroup(ty), syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32"))
}

fn is_number(ty: &syn::Type) -> bool {
    types::is_one_of(ty, &["bool", "f32", "f64"])
}

/// What a list holds.
fn element(ty: &syn::Type) -> Option<syn::Type> {
    types::element(ty).cloned()
}

/// Whether a type is that of a number, a list of them or a struct: what is shared and does not change.
fn is_value(ty: &syn::Type) -> bool {
    if let Some(of) = element(ty) {
        return is_value(&of);
    }
    match ungroup(ty) {
        syn::Type::Tuple(t) => t.elems.iter().all(is_value),
        syn::Type::Path(p) => {
            const OTHERS: [&str; 9] = [
                "Box", "Rc", "Arc", "Cell", "RefCell", "Option", "Result", "String", "char",
            ];
            let last = p.path.segments.last();
            p.qself.is_none()
                && last.is_some_and(|s| {
                    s.arguments.is_empty() && OTHERS.iter().all(|name| s.ident != name)
                })
        }
        _ => false,
    }
}
