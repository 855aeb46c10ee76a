//! Parts of structs that constant code reads, taken out in front of it.

use super::Reader;
use super::collections::root;
use super::expr::strip;
use super::lifted::{behind_references, carried};
use super::option::is_shared_with_iterators;
use super::plain::{is_cut, is_passive};
use super::structs::member_name;
use crate::lower::hir::{Expr, Kind, Step};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, Span};

/// Whether this is `e?`.
pub(super) fn is_question(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Try(_))
}

/// What is looked at: `e` of `*e`.
pub(super) fn behind_star(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::Unary(syn::ExprUnary {
            op: syn::UnOp::Deref(_),
            expr,
            ..
        }) => strip(expr),
        e => e,
    }
}

/// Whether a part reads one of these variables: what is written in front of a change is evaluated in front of it.
pub(super) fn is_beside(part: &syn::Expr, changed: &[Ident]) -> bool {
    let is_one = |node: Node<'_>| match node {
        Node::ExprPath(p) => {
            let name = p.path.get_ident();
            name.is_some_and(|name| changed.contains(name))
        }
        _ => false,
    };
    !changed.is_empty() && walk::any(Node::Expr(part), &mut |node| is_one(node))
}

impl Reader<'_> {
    /// `at(i, self.columns)`   =>   `{ let __part0 = self.columns; at(i, __part0) }`: in generated code a struct has
    /// another type, but its integers and constants have not. What changes a variable comes first too, what may
    /// return: `base? as usize`, and, of code that is not marked, what finds an index by what is differentiated.
    pub(super) fn taken_out(&mut self, e: &syn::Expr, is_marked: bool) -> Option<syn::Expr> {
        let is_call = matches!(strip(e), syn::Expr::Call(_) | syn::Expr::MethodCall(_));
        let is_passive = matches!(strip(e), syn::Expr::Call(c) if is_passive(c));
        let is_made = is_call || matches!(strip(e), syn::Expr::Struct(_));
        let (mut code, mut lets) = (e.clone(), Vec::<syn::Stmt>::new());
        let changed = match self.is_change(e) {
            true => Vec::new(),
            false => self.changed_within(e),
        };
        let mut take_out = |part: &mut syn::Expr, is_borrowed: bool| {
            // messages name the field
            let field = match &*part {
                syn::Expr::Field(f) => member_name(&f.member) + "_",
                _ => String::new(),
            };
            let name = Ident::new(&format!("__{field}part{}", lets.len()), Span::call_site());
            let (of, used): (syn::Expr, syn::Expr) = match is_borrowed {
                true => (parse_quote!(&#part), parse_quote!((*#name))),
                false => (part.clone(), parse_quote!(#name)),
            };
            lets.push(parse_quote!(let #name = #of;));
            *part = used;
            Onward::Over
        };
        walk::change_below(NodeMut::Expr(&mut code), &mut |node| match node {
            // what may not be evaluated stays where it is
            NodeMut::Expr(part) if !is_evaluated(part) => Onward::Over,
            NodeMut::Expr(part)
                if is_question(part)
                    || (is_passive || is_call) && self.is_number_of_input(part)
                    || is_cut(part) && self.lookup("passive").is_none()
                    || self.is_change(part)
                    || is_beside(part, &changed)
                    || is_made && self.is_number_in_active(part)
                    || !is_marked && self.is_index_by_active(part) =>
            {
                take_out(part, false)
            }
            NodeMut::Expr(part) if is_call && self.is_kept(part) => take_out(part, true),
            _ => Onward::Into,
        });
        (!lets.is_empty()).then(|| parse_quote!({ #(#lets)* #code }))
    }

    /// The values without floats that calls in an expression change, by their variables.
    pub(super) fn changed_within(&mut self, e: &syn::Expr) -> Vec<Ident> {
        let mut found = Vec::new();
        walk::any(Node::Expr(e), &mut |node| {
            if let Node::Expr(part @ syn::Expr::MethodCall(m)) = node
                && self.is_change(part)
                && let Some(of) = root(&m.receiver)
            {
                found.push(of);
            }
            false
        });
        found
    }

    /// The same, or `x.len()` of what is differentiated.
    fn is_number_in_active(&mut self, e: &syn::Expr) -> bool {
        let is_length = match strip(e) {
            syn::Expr::MethodCall(m) => self.is_length(m) && self.may_be_active(&m.receiver),
            _ => false,
        };
        is_length || self.is_integer_of_struct(e)
    }

    /// `x[0] as usize`, `table.find(x[0])` of a constant: whether that has floats its own types tell.
    fn is_index_by_active(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Cast(c) => types::is_integer(&c.ty) && self.may_be_active(&c.expr),
            syn::Expr::MethodCall(m) => {
                let is_active = |arg: &syn::Expr| {
                    !matches!(strip(arg), syn::Expr::Closure(_)) && self.may_be_active(arg)
                };
                self.is_of_opaque(e) && m.args.iter().any(is_active)
            }
            _ => false,
        }
    }

    /// Whether this is `x[i]` or `p.z` of what is differentiated, and a number.
    fn is_number_of_input(&mut self, e: &syn::Expr) -> bool {
        matches!(strip(e), syn::Expr::Index(_) | syn::Expr::Field(_))
            && matches!(self.place_type(e), Some(Ty::Float))
            && self.may_be_active(e)
    }

    // p.setup.table.first()   =>   { let __of = &p.setup; (*__of).table.first() }
    /// What is read through a constant in a struct is read through a constant of the function's own.
    pub(super) fn chain_on_part(&mut self, e: &syn::Expr) -> Option<Expr> {
        let (chain, part) = self.on_part(strip(e), "__of")?;
        let of = self.expr(&part);
        Some(self.with_part(of, |r| r.expr(&chain)))
    }

    /// Whether closures look into a constant in a struct, and read nothing that is differentiated: what they give has
    /// an end.
    pub(super) fn is_chain_on_part(&mut self, e: &syn::Expr) -> bool {
        let has = |is: &dyn Fn(&syn::Expr) -> bool| {
            walk::any(
                Node::Expr(e),
                &mut |node| matches!(node, Node::Expr(e) if is(e)),
            )
        };
        let has_closure = has(&|e| matches!(e, syn::Expr::Closure(_)));
        let is_endless = has(&|e| matches!(e, syn::Expr::MethodCall(m) if m.method == "cycle"));
        has_closure
            && !is_endless
            && !self.may_be_active(e)
            && self.on_part(strip(e), "__of").is_some()
    }

    /// `for t in &p.setup.table`, `for t in &made()`: the same, where the name is bound in front of the loop.
    pub(super) fn sequence_in_part(&mut self, e: &syn::Expr) -> Option<(syn::Expr, Step)> {
        let (mut sequence, name) = (e.clone(), format!("__of{}", self.locals.len()));
        let mut inner = &mut sequence;
        while let syn::Expr::Paren(syn::ExprParen { expr: of, .. })
        | syn::Expr::Reference(syn::ExprReference {
            expr: of,
            mutability: None,
            ..
        }) = inner
        {
            inner = of;
        }
        let mut once = false;
        let of = match self.on_part(inner, &name) {
            Some((chain, part)) => {
                *inner = chain;
                self.expr(&parse_quote!(&#part))
            }
            None if matches!(strip(e), syn::Expr::Reference(_)) && self.is_own_constant(inner) => {
                once = true;
                let of = self.expr(inner);
                let kept = Ident::new(&name, Span::call_site());
                *inner = parse_quote!(#kept);
                of
            }
            None => return None,
        };
        let local = self.bind(&name, false, of.ty.clone(), of.span);
        self.locals[local.0].once = once;
        let bound = Step::bind(local, of);
        Some((sequence, bound))
    }

    /// Whether a call returns a constant that is no reference: `&market.by_sector()`.
    fn is_own_constant(&self, e: &syn::Expr) -> bool {
        let is_call = matches!(e, syn::Expr::Call(_) | syn::Expr::MethodCall(_));
        let of = (is_call && !self.may_be_active(e)).then(|| self.type_as_written(e));
        let of = of.flatten();
        of.is_some_and(|ty| matches!(types::ungroup(&ty), syn::Type::Path(_)))
    }

    /// The chain with a name in the place of the constant, and that.
    fn on_part(&mut self, e: &syn::Expr, name: &str) -> Option<(syn::Expr, syn::Expr)> {
        use syn::Expr::{Field, Index, MethodCall};
        // blocks are not copied once for each that they stand in
        let is_chain = matches!(e, Field(_) | Index(_) | MethodCall(_));
        let mut chain = is_chain.then(|| e.clone())?;
        let inner = match &mut chain {
            syn::Expr::Field(f) => &mut *f.base,
            syn::Expr::Index(i) => &mut *i.expr,
            syn::Expr::MethodCall(m) => &mut *m.receiver,
            _ => return None,
        };
        let part = match self.is_looked_into(inner) {
            true => {
                let name = Ident::new(name, Span::call_site());
                std::mem::replace(inner, parse_quote!((*#name)))
            }
            false => {
                let (of, part) = self.on_part(strip(inner), name)?;
                *inner = of;
                part
            }
        };
        Some((chain, part))
    }

    /// Whether this is a constant in a struct, and no number in variables.
    fn is_looked_into(&mut self, e: &syn::Expr) -> bool {
        let e = strip(e);
        let of = matches!(e, syn::Expr::Field(_)).then(|| self.place_type(e));
        match of.flatten() {
            Some(Ty::Opaque(of)) => self.types.data(&of.0.to_string()).is_none(),
            Some(ty @ Ty::Var(_)) => self.types.written(&ty).is_some(),
            _ => false,
        }
    }

    /// `atom.element`, a constant in a struct.
    fn is_kept(&mut self, e: &syn::Expr) -> bool {
        matches!(strip(e), syn::Expr::Field(_)) && matches!(self.place_type(e), Some(Ty::Opaque(_)))
    }

    /// A constant list of tuples is copied for a callee that differentiates it.
    pub(super) fn copy_list(&mut self, parameter: &syn::Type, arg: &mut Expr) {
        let wanted = types::read_plain(parameter, self.float, &mut self.types);
        let list = match wanted.map(|ty| self.types.peel(&ty)) {
            Some(Ty::Slice(of) | Ty::Vec(of)) if matches!(*of, Ty::Tuple(_)) => Ty::Vec(of),
            Some(Ty::Array(of, n)) if matches!(*of, Ty::Tuple(_)) => Ty::Array(of, n),
            _ => return,
        };
        let found = self.types.peel(&arg.ty);
        let is_constant = matches!(found, Ty::Opaque(_)) || self.types.is_foreign(&found);
        let Some(code) = carried(self, arg).filter(|_| is_constant) else {
            return;
        };
        let taken = Expr::new(Kind::Passive(code), list, arg.span);
        *arg = match types::ungroup(parameter) {
            syn::Type::Reference(_) => Expr::reference(false, taken),
            _ => taken,
        };
    }

    /// A constant option or tuple of numbers, where its parts are wanted: `c`   =>   `(c.0, c.1)`
    pub(super) fn take_apart(&mut self, wanted: &syn::Type, e: &mut Expr) {
        let wanted = self.env.expanded(wanted);
        let by_reference = matches!(types::ungroup(&wanted), syn::Type::Reference(_));
        let inner = behind_references(&wanted);
        let Some(parts) = self.taken_parts(inner, &parse_quote!(__of)) else {
            return;
        };
        let found = self.types.peel(&e.ty);
        let is_foreign = self.types.is_foreign(&found);
        let is_constant = is_foreign || matches!(found, Ty::Opaque(_));
        if is_constant && carried(self, e).is_some() {
            let parts = match by_reference {
                true => parse_quote!(&#parts),
                false => parts,
            };
            *e = self.with_part(e.clone(), |r| r.expr(&parts));
        }
    }

    /// A constant option of a number is one of the function's own.
    pub(super) fn take_option_apart(&mut self, e: &mut Expr) {
        if let Some(of) = self.constant_option(&e.ty) {
            self.take_apart(&of, e);
        }
    }

    /// The same, and of a constant result.
    pub(super) fn take_sum_apart(&mut self, e: &mut Expr, payloads: &[Ty]) {
        if self.constant_option(&e.ty).is_some() {
            self.take_option_apart(e);
        } else if self.is_constant_sum(&e.ty) {
            let error = self.error_of_constant(&e.ty, payloads);
            let parts = parse_quote!(match __of {
                Ok(__ok) => Ok(__ok),
                Err(__error) => Err(#error),
            });
            *e = self.with_part(e.clone(), |r| r.expr(&parts));
        }
    }

    /// How a constant option is written.
    pub(super) fn constant_option(&self, ty: &Ty) -> Option<syn::Type> {
        self.constant_type(ty).filter(types::is_option)
    }

    /// How a constant tuple is written.
    pub(super) fn constant_tuple(&self, ty: &Ty) -> Option<syn::Type> {
        let is_it = |ty: &syn::Type| matches!(types::ungroup(ty), syn::Type::Tuple(_));
        self.constant_type(ty).filter(is_it)
    }

    /// Whether this is a constant option or result.
    pub(super) fn is_constant_sum(&self, ty: &Ty) -> bool {
        let is_it = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if types::is_sum(&p.path));
        self.constant_type(ty).as_ref().is_some_and(is_it)
    }

    fn taken_parts(&mut self, ty: &syn::Type, of: &syn::Expr) -> Option<syn::Expr> {
        match types::read_plain(ty, self.float, &mut self.types)? {
            Ty::Sum(payloads) if is_number(&payloads) => Some(parse_quote!(
                if (#of).is_some() { Some((#of).expect("it is there")) } else { None }
            )),
            ty @ Ty::Tuple(_) => Some(components(&ty, of)),
            Ty::Sum(payloads) => match &payloads[..] {
                [tuple @ Ty::Tuple(_)] => {
                    let parts = components(tuple, &parse_quote!((#of).expect("it is there")));
                    Some(parse_quote!(if (#of).is_some() { Some(#parts) } else { None }))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `limit.map_or(x, |l| l * x)` of a constant option of numbers, with what is differentiated: the option is taken
    /// apart.
    pub(super) fn method_of_constant_option(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let name = m.method.to_string();
        let is_its = super::option::is_method(&name) || is_shared_with_iterators(&name);
        let reads = |r: &Self, e: &syn::Expr| r.may_be_active(e);
        if !is_its || reads(self, &m.receiver) || !m.args.iter().any(|arg| reads(self, arg)) {
            return None;
        }
        let of = self.type_as_written(&m.receiver)?;
        let of = behind_references(&self.env.expanded(&of)).clone();
        let parts = types::is_option(&of).then(|| self.taken_parts(&of, &m.receiver))??;
        let mut taken = m.clone();
        *taken.receiver = parse_quote!({ #parts });
        Some(self.method_call(&taken))
    }

    /// `self.columns`, `self.rows.len()`
    pub(super) fn is_integer_of_struct(&mut self, e: &syn::Expr) -> bool {
        let e = strip(e);
        match e {
            syn::Expr::Field(_) => {
                matches!(self.place_type(e), Some(Ty::Int(_) | Ty::Bool))
            }
            syn::Expr::MethodCall(m) if m.method == "len" && m.args.is_empty() => {
                let is_part = matches!(
                    strip(&m.receiver),
                    syn::Expr::Field(_) | syn::Expr::Index(_)
                );
                let ty = is_part.then(|| self.place_type(&m.receiver)).flatten();
                matches!(ty, Some(Ty::Vec(_) | Ty::Slice(_) | Ty::Array(..)))
            }
            _ => false,
        }
    }
}

/// A tuple component by component.
fn components(ty: &Ty, of: &syn::Expr) -> syn::Expr {
    let Ty::Tuple(types) = ty else {
        return of.clone();
    };
    let parts = types.iter().enumerate().map(|(k, ty)| {
        let k = syn::Index::from(k);
        components(ty, &parse_quote!(#of.#k))
    });
    parse_quote!((#(#parts,)*))
}

/// Whether an option holds a number, or a value without floats, which is one.
fn is_number(payloads: &[Ty]) -> bool {
    matches!(
        payloads,
        [Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Opaque(_)]
    )
}

/// Whether all parts of an expression are evaluated, once.
fn is_evaluated(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Binary(b) => !matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)),
        syn::Expr::Block(_)
        | syn::Expr::Closure(_)
        | syn::Expr::ForLoop(_)
        | syn::Expr::If(_)
        | syn::Expr::Loop(_)
        | syn::Expr::Match(_)
        | syn::Expr::While(_) => false,
        _ => true,
    }
}
