//! Types of expressions that are inferred from the items of a module, as far as names say them.

use super::super::traits::Traits;
use super::made::modules_of;
use crate::lower::{arguments, ungroup, vec_element};
use crate::sorted::Map;
use crate::template::parse_quote;
use quote::ToTokens;

/// Items by their names, and the variables of the function that is read.
#[derive(Default)]
pub(super) struct Inferred {
    structs: Map<String, syn::Fields>,
    /// What functions return, those of types by their paths, `Layer::new`.
    outputs: Map<String, syn::Type>,
    /// What they take, methods beside themselves.
    inputs: Map<String, Vec<syn::Type>>,
    constants: Map<String, syn::Type>,
    traits: Vec<String>,
    /// Types and the traits that they have.
    blocks: Vec<(syn::Type, Vec<String>, String)>,
    variables: Map<String, syn::Type>,
    owner: Option<syn::Type>,
}

impl Inferred {
    pub(super) fn of(items: &[syn::Item]) -> Inferred {
        let mut inferred = Inferred::default();
        for item in items {
            if let syn::Item::Trait(t) = item {
                inferred.traits.push(t.ident.to_string());
            }
        }
        let traits = Traits::of(items);
        for item in items {
            match item {
                syn::Item::Impl(block) => {
                    let whole = traits.completed(block);
                    inferred.learn(&syn::Item::Impl(whole));
                }
                item => inferred.learn(item),
            }
        }
        inferred
    }

    /// Notes what an item says.
    pub(super) fn learn(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Struct(s) => {
                self.structs.insert(s.ident.to_string(), s.fields.clone());
            }
            syn::Item::Fn(f) => self.function(None, &f.sig),
            syn::Item::Const(c) => {
                self.constants.insert(c.ident.to_string(), (*c.ty).clone());
            }
            syn::Item::Impl(block) => {
                let params = block.generics.type_params().map(|p| p.ident.to_string());
                let params: Vec<String> = params.collect();
                if let Some(last) = block.trait_.as_ref().and_then(|t| t.1.segments.last()) {
                    let entry = (
                        (*block.self_ty).clone(),
                        params.clone(),
                        last.ident.to_string(),
                    );
                    self.blocks.push(entry);
                }
                if !params.is_empty() {
                    return;
                }
                for inner in &block.items {
                    if let syn::ImplItem::Fn(f) = inner {
                        self.function(Some(&block.self_ty), &f.sig);
                    }
                }
            }
            _ => {}
        }
    }

    fn function(&mut self, owner: Option<&syn::Type>, sig: &syn::Signature) {
        let own = sig.generics.type_params().map(|p| p.ident.to_string());
        let own: Vec<String> = own.collect();
        let of_self = |ty: &syn::Type| match owner {
            Some(owner) if name_of(ty).is_some_and(|name| name == "Self") => owner.clone(),
            _ => ty.clone(),
        };
        let mut path = sig.ident.to_string();
        if let Some(owner) = owner {
            let Some(name) = name_of(owner) else { return };
            path = format!("{name}::{path}");
        }
        let inputs = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(p) => Some(of_self(&p.ty)),
            syn::FnArg::Receiver(_) => None,
        });
        self.inputs.insert(path.clone(), inputs.collect());
        if let syn::ReturnType::Type(_, ty) = &sig.output
            && !matches!(**ty, syn::Type::ImplTrait(_))
            && !speaks_of(ty, &own)
        {
            self.outputs.insert(path, of_self(ty));
        }
    }

    pub(super) fn is_struct(&self, name: &str) -> bool {
        self.structs.contains_key(name)
    }

    /// What a function or a method takes that is called.
    pub(super) fn inputs(&self, e: &syn::Expr) -> Option<Vec<syn::Type>> {
        let path = match e {
            syn::Expr::Call(c) => match &*c.func {
                syn::Expr::Path(p) => p.path.to_token_stream().to_string().replace(' ', ""),
                _ => return None,
            },
            syn::Expr::MethodCall(m) => {
                format!("{}::{}", name_of(&self.ty(&m.receiver)?)?, m.method)
            }
            _ => return None,
        };
        self.inputs.get(&path).cloned()
    }

    /// The traits of a module that a parameter has to have.
    pub(super) fn bounds(&self, p: &syn::TypeParam, generics: &syn::Generics) -> Vec<String> {
        let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
        let others = predicates.filter_map(|of| match of {
            syn::WherePredicate::Type(of)
                if name_of(&of.bounded_ty).is_some_and(|n| p.ident == n) =>
            {
                Some(&of.bounds)
            }
            _ => None,
        });
        let all = p.bounds.iter().chain(others.flatten());
        let names = all.filter_map(|of| match of {
            syn::TypeParamBound::Trait(of) => Some(of.path.segments.last()?.ident.to_string()),
            _ => None,
        });
        names.filter(|name| self.traits.contains(name)).collect()
    }

    /// Whether a type has a trait of the module.
    pub(super) fn has(&self, ty: &syn::Type, of_trait: &str) -> bool {
        self.blocks
            .iter()
            .any(|(own, params, of)| of == of_trait && unify(own, ty, params, &mut Map::new()))
    }

    /// Begins a function.
    pub(super) fn enter(&mut self, sig: &syn::Signature, owner: Option<&syn::Type>) {
        self.variables = Map::new();
        self.owner = owner.cloned();
        for input in &sig.inputs {
            match input {
                syn::FnArg::Typed(p) => self.name(&p.pat, (*p.ty).clone()),
                syn::FnArg::Receiver(_) => {
                    if let Some(owner) = owner {
                        self.variables.insert("self".to_owned(), owner.clone());
                    }
                }
            }
        }
    }

    fn name(&mut self, pat: &syn::Pat, ty: syn::Type) {
        match pat {
            syn::Pat::Ident(p) => {
                self.variables.insert(p.ident.to_string(), ty);
            }
            syn::Pat::Type(p) => self.name(&p.pat, (*p.ty).clone()),
            _ => {}
        }
    }

    /// A variable that is bound.
    pub(super) fn bind(&mut self, local: &syn::Local) {
        let written = match &local.pat {
            syn::Pat::Type(p) => Some((*p.ty).clone()),
            _ => None,
        };
        let init = local.init.as_ref();
        let ty = written.or_else(|| self.ty(&init?.expr));
        match ty {
            Some(ty) => self.name(&local.pat, ty),
            None => {
                if let syn::Pat::Ident(p) = &local.pat {
                    self.variables.remove(&p.ident.to_string());
                }
            }
        }
    }

    /// The types of a struct's parameters by what an expression puts into it, as far as it tells them.
    pub(super) fn types_of(
        &self,
        e: &syn::Expr,
        s: &syn::ItemStruct,
        blocks: &[syn::ItemImpl],
    ) -> Option<Vec<Option<syn::Type>>> {
        let mut known = Map::new();
        let params: Vec<String> = s
            .generics
            .type_params()
            .map(|p| p.ident.to_string())
            .collect();
        let mut put = |written: &syn::Type, e: &syn::Expr| {
            self.put(written, e, &params, &mut known);
        };
        match e {
            syn::Expr::Struct(literal) => {
                for field in &literal.fields {
                    let name = field.member.to_token_stream().to_string();
                    let own = s.fields.iter().enumerate().find(|(k, f)| match &f.ident {
                        Some(own) => *own == name,
                        None => k.to_string() == name,
                    });
                    if let Some((_, own)) = own {
                        put(&own.ty, &field.expr);
                    }
                }
            }
            syn::Expr::Call(c) => {
                let syn::Expr::Path(p) = &*c.func else {
                    return None;
                };
                let mut path = p.path.clone();
                path.segments = path
                    .segments
                    .into_iter()
                    .skip(modules_of(&p.path))
                    .collect();
                if path.segments.len() == 1 {
                    for (own, arg) in s.fields.iter().zip(&c.args) {
                        put(&own.ty, arg);
                    }
                } else {
                    return self.types_of_call(&path, c, s, blocks);
                }
            }
            _ => return None,
        }
        Some(params.iter().map(|p| known.get(p).cloned()).collect())
    }

    /// Notes what a value says of parameters in the type of its place.
    fn put(
        &self,
        written: &syn::Type,
        e: &syn::Expr,
        params: &[String],
        known: &mut Map<String, syn::Type>,
    ) {
        if let Some(ty) = self.ty(e) {
            unify(written, &ty, params, known);
        } else if let Some(name) = name_of(written).filter(|name| params.contains(name))
            && is_integer(e)
        {
            known.insert(name, syn::parse_str(INTEGER).expect("a type"));
        }
    }

    /// The same by the arguments of a function of the type.
    fn types_of_call(
        &self,
        path: &syn::Path,
        call: &syn::ExprCall,
        s: &syn::ItemStruct,
        blocks: &[syn::ItemImpl],
    ) -> Option<Vec<Option<syn::Type>>> {
        let name = &path.segments.last()?.ident;
        blocks.iter().find_map(|block| {
            let written = match ungroup(&block.self_ty) {
                syn::Type::Path(p) if p.path.segments.last()?.ident == s.ident => {
                    arguments(&p.path)
                }
                _ => return None,
            };
            let f = block.items.iter().find_map(|inner| match inner {
                syn::ImplItem::Fn(f) if f.sig.ident == *name => Some(f),
                _ => None,
            })?;
            let params: Vec<String> = block
                .generics
                .type_params()
                .map(|p| p.ident.to_string())
                .collect();
            let mut known = Map::new();
            for (input, arg) in f.sig.inputs.iter().zip(&call.args) {
                if let syn::FnArg::Typed(p) = input {
                    self.put(&p.ty, arg, &params, &mut known);
                }
            }
            let types = written.into_iter().map(|ty| match name_of(ty) {
                Some(name) if params.contains(&name) => known.get(&name).cloned(),
                _ => Some(ty.clone()),
            });
            Some(types.collect())
        })
    }

    /// The type of an expression, as far as it is known.
    pub(super) fn ty(&self, e: &syn::Expr) -> Option<syn::Type> {
        match e {
            syn::Expr::Paren(p) => self.ty(&p.expr),
            syn::Expr::Group(g) => self.ty(&g.expr),
            syn::Expr::Reference(r) => self.ty(&r.expr),
            syn::Expr::Unary(u) => Some(borrowed(self.ty(&u.expr)?)),
            syn::Expr::Cast(c) => Some((*c.ty).clone()),
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Float(f),
                ..
            }) => Some(match f.suffix() {
                "f32" => parse_quote!(f32),
                _ => parse_quote!(f64),
            }),
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(n),
                ..
            }) => syn::parse_str(n.suffix()).ok(),
            syn::Expr::Binary(b) => {
                let sides = [
                    self.ty(&b.left).map(borrowed),
                    self.ty(&b.right).map(borrowed),
                ];
                match sides {
                    [Some(left), Some(right)]
                        if left == right
                            && matches!(b.op, syn::BinOp::Add(_) | syn::BinOp::Sub(_)) =>
                    {
                        Some(left)
                    }
                    sides => sides.into_iter().flatten().find(is_float),
                }
            }
            syn::Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                let known = self
                    .variables
                    .get(&name)
                    .or_else(|| self.constants.get(&name));
                let unit = || {
                    let is_unit = matches!(self.structs.get(&name)?, syn::Fields::Unit);
                    is_unit.then(|| syn::parse_str(&name).ok()).flatten()
                };
                known.cloned().or_else(unit)
            }
            syn::Expr::Struct(s) => Some(match s.path.is_ident("Self") {
                true => self.owner.clone()?,
                false => syn::Type::Path(syn::TypePath {
                    qself: None,
                    path: s.path.clone(),
                }),
            }),
            syn::Expr::Call(c) => {
                let syn::Expr::Path(p) = &*c.func else {
                    return None;
                };
                let path = p.path.to_token_stream().to_string().replace(' ', "");
                let output = self.outputs.get(&path).cloned();
                let made = || {
                    let name = p.path.get_ident()?;
                    self.structs
                        .contains_key(&name.to_string())
                        .then(|| parse_quote!(#name))
                };
                output.or_else(made)
            }
            syn::Expr::Field(f) => {
                let of = self.structs.get(&name_of(&self.ty(&f.base)?)?)?;
                let name = f.member.to_token_stream().to_string();
                let mut fields = of.iter().enumerate();
                let own = fields.find(|(k, own)| match &own.ident {
                    Some(own) => *own == name,
                    None => k.to_string() == name,
                });
                own.map(|(_, own)| own.ty.clone())
            }
            syn::Expr::Index(i) => match borrowed(self.ty(&i.expr)?) {
                syn::Type::Array(a) => Some(*a.elem),
                syn::Type::Slice(s) => Some(*s.elem),
                syn::Type::Path(p) => vec_element(&p).cloned(),
                _ => None,
            },
            syn::Expr::MethodCall(m) => {
                let of = borrowed(self.ty(&m.receiver)?);
                match (&*m.method.to_string(), &of) {
                    ("clone" | "to_owned", _) => Some(of),
                    ("to_vec", syn::Type::Slice(s)) => {
                        let elem = &s.elem;
                        Some(parse_quote!(Vec<#elem>))
                    }
                    (_, of) if is_float(of) => Some(of.clone()),
                    (name, of) => self
                        .outputs
                        .get(&format!("{}::{name}", name_of(of)?))
                        .cloned(),
                }
            }
            syn::Expr::Array(a) => {
                let (elem, n) = (self.ty(a.elems.first()?)?, a.elems.len());
                Some(parse_quote!([#elem; #n]))
            }
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => {
                let elem = self.ty(crate::walk::arguments(&m.mac)?.first()?)?;
                Some(parse_quote!(Vec<#elem>))
            }
            _ => None,
        }
    }
}

/// The type of an integer without a suffix.
const INTEGER: &str = "__Integer";

/// Whether a type is one that is known in part.
pub(super) fn may_be(ty: &syn::Type, known: Option<&syn::Type>) -> bool {
    match known {
        Some(known) if name_of(known).is_some_and(|name| name == INTEGER) => {
            name_of(ty).is_some_and(|name| crate::lower::is_integer_name(&name))
        }
        Some(known) => known == ty,
        None => true,
    }
}

/// All of these types, if each is known.
pub(super) fn all_known(types: &[Option<syn::Type>]) -> Option<Vec<syn::Type>> {
    let known = |ty: &syn::Type| name_of(ty).is_none_or(|name| name != INTEGER);
    types.iter().map(|ty| ty.clone().filter(known)).collect()
}

fn is_integer(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Lit(l) => matches!(&l.lit, syn::Lit::Int(n) if n.suffix().is_empty()),
        syn::Expr::Unary(u) => is_integer(&u.expr),
        syn::Expr::Paren(p) => is_integer(&p.expr),
        _ => false,
    }
}

/// Whether both sides of an operator and its result are nearly always of one type.
pub(super) fn is_sum(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::Add(_) | syn::BinOp::Sub(_))
}

/// The same of both sides alone.
pub(super) fn is_of_one_type(op: &syn::BinOp) -> bool {
    use syn::BinOp::{AddAssign, Eq, SubAssign};
    is_sum(op) || matches!(op, AddAssign(_) | Eq(_) | SubAssign(_))
}

fn is_float(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32"))
}

/// What is behind references.
fn borrowed(ty: syn::Type) -> syn::Type {
    match ungroup(&ty) {
        syn::Type::Reference(r) => borrowed((*r.elem).clone()),
        _ => ty,
    }
}

/// The name of a type, which may be borrowed.
pub(super) fn name_of(ty: &syn::Type) -> Option<String> {
    match ungroup(ty) {
        syn::Type::Reference(r) => name_of(&r.elem),
        syn::Type::Path(p) => Some(p.path.get_ident()?.to_string()),
        _ => None,
    }
}

fn speaks_of(ty: &syn::Type, names: &[String]) -> bool {
    crate::walk::has_path_from(crate::walk::Node::Type(ty), &mut |first| {
        names.iter().any(|name| first == name)
    })
}

/// Whether a type is this one with types in the place of parameters, which it tells. References are taken off.
pub(super) fn unify(
    written: &syn::Type,
    ty: &syn::Type,
    params: &[String],
    known: &mut Map<String, syn::Type>,
) -> bool {
    let (written, ty) = match (ungroup(written), ungroup(ty)) {
        (syn::Type::Reference(a), b) => return unify(&a.elem, b, params, known),
        (a, syn::Type::Reference(b)) => return unify(a, &b.elem, params, known),
        both => both,
    };
    if let Some(name) = name_of(written).filter(|name| params.contains(name)) {
        return match known.get(&name) {
            Some(of) => of == ty,
            None => {
                known.insert(name, ty.clone());
                true
            }
        };
    }
    match (written, ty) {
        (syn::Type::Path(a), syn::Type::Path(b)) => {
            let (x, y) = (arguments(&a.path), arguments(&b.path));
            let last = |p: &syn::TypePath| p.path.segments.last().map(|s| s.ident.clone());
            last(a) == last(b)
                && x.len() == y.len()
                && x.into_iter()
                    .zip(y)
                    .all(|(x, y)| unify(x, y, params, known))
        }
        (syn::Type::Array(a), syn::Type::Array(b)) => unify(&a.elem, &b.elem, params, known),
        (syn::Type::Slice(a), syn::Type::Slice(b)) => unify(&a.elem, &b.elem, params, known),
        (syn::Type::Tuple(a), syn::Type::Tuple(b)) => {
            let all = a.elems.iter().zip(&b.elems);
            a.elems.len() == b.elems.len()
                && all.into_iter().all(|(a, b)| unify(a, b, params, known))
        }
        (a, b) => a == b,
    }
}
