//! Methods of derived structs, and functions that belong to them: `p.energy(x)`, `P::new(a)`. The handle
//! is found by the type and a hash of the name.

use super::Reader;
use super::callee::{Called, Callee};
use super::components::Input;
use super::expr::unraw;
use super::memory::{default_of, has_default};
use super::method::sequence_name;
use crate::error;
use crate::ir::{BinOp, Tokens};
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Passive};
use crate::lower::methods::{Method, Receiver};
use crate::lower::ty::{Traits, Ty};
use crate::lower::types;
use crate::report::Extent;
use crate::symbol;
use crate::template::parse_quote;
use proc_macro2::{Span, TokenStream};

/// Letters that the type of an operator's result may be written with.
const LONGEST: usize = 6000;

impl Reader<'_> {
    /// Whether an expression is a variable that is a derived struct, or a field of one that is.
    pub(super) fn is_struct_place(&mut self, e: &syn::Expr) -> bool {
        self.struct_of(e).is_some()
    }

    /// Whether an expression calls a method of a derived struct.
    pub(super) fn is_known_method(&mut self, e: &syn::Expr) -> bool {
        match super::expr::strip(e) {
            syn::Expr::MethodCall(m) => {
                let name = m.method.to_string();
                let other = sequence_name(&name) || super::option::is_method(&name);
                let of_known = self.is_known_method(&m.receiver) && !other;
                (self.is_struct_place(&m.receiver) || of_known)
                    && !matches!(&*name, "clone" | "to_owned")
            }
            _ => false,
        }
    }

    /// Whether an expression is the result of a function of a type, `P::new(..)`, or a variable that holds it: that
    /// is no iterator.
    pub(super) fn gives_struct(&self, e: &syn::Expr) -> bool {
        match super::expr::strip(e) {
            syn::Expr::Path(_) => matches!(self.local_type(e), Some(Ty::Struct(_))),
            syn::Expr::Call(c) => match super::expr::strip(&c.func) {
                syn::Expr::Path(p) => {
                    let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
                    names.next().is_some_and(|n| n == "new")
                        && names
                            .next()
                            .is_some_and(|n| n != "Vec" && n.starts_with(char::is_uppercase))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn struct_of(&mut self, e: &syn::Expr) -> Option<Tokens> {
        match self.place_type(e)? {
            Ty::Struct(path) => Some(path),
            _ => None,
        }
    }

    /// Type of a variable, of a field of it, or of an element, as far as it is known.
    pub(super) fn place_type(&mut self, e: &syn::Expr) -> Option<Ty> {
        let ty = match super::expr::strip(e) {
            syn::Expr::Path(_) => self.locals[self.local_of(e)?.0].ty.clone(),
            syn::Expr::Field(f) => {
                let (of, name) = (
                    self.place_type(&f.base)?,
                    super::structs::member_name(&f.member),
                );
                match self.part_type(&of, &name) {
                    Some(part) => part,
                    None => {
                        let of = self.struct_of(&f.base)?;
                        self.field_type(&of, &name)
                    }
                }
            }
            syn::Expr::Index(i)
                if !matches!(super::expr::strip(&i.index), syn::Expr::Range(_))
                    && self.constant_range(&i.index).is_none() =>
            {
                match self.place_type(&i.expr)? {
                    Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) => *of,
                    Ty::Struct(of) => self.element_type(&of, i)?,
                    _ => return None,
                }
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                self.place_type(&u.expr)?
            }
            _ => return None,
        };
        Some(self.types.peel(&ty))
    }

    /// `p.energy(x)` of a struct with this path.
    pub(super) fn struct_method(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: Expr,
        path: &Tokens,
    ) -> Expr {
        if let Some(body) = self.method_in_place(m, &receiver.ty, path) {
            return self.expr(&body);
        }
        let name = unraw(&m.method);
        if let Some(of) = self.object_behind(&name, &receiver) {
            return of;
        }
        let taken = self.taken_by_method(path, &name);
        let args = m.args.iter().enumerate();
        let rest: Vec<Expr> = args
            .map(|(k, arg)| {
                let expected = taken.get(k).and_then(|input| self.as_taken_by(arg, input));
                self.expr(expected.as_ref().unwrap_or(arg))
            })
            .collect();
        if rest.len() < 2 && self.is_known_operator(&name, &receiver, rest.first()) {
            let call = self.operator(&name, &receiver, rest.first(), m.extent());
            return call.unwrap_or_else(|| self.refused(m.extent()));
        }
        if let [other] = rest.as_slice()
            && self.env.methods.get(path, &name, self.env).is_none()
            && self.env.method(&path.0.to_string(), &name).is_none()
            && let Some(order) = self.order_by_name(&name, &receiver, other)
        {
            return order;
        }
        let called = Called::new(&m.method, m.turbofish.as_ref());
        self.owned_call(path, &called, Some(receiver), rest, m.extent())
    }

    /// A call of a function that belongs to a type, with or without a receiver that is still to be borrowed.
    pub(super) fn owned_call(
        &mut self,
        path: &Tokens,
        called: &Called,
        receiver: Option<Expr>,
        rest: Vec<Expr>,
        span: Extent,
    ) -> Expr {
        let name = &called.name;
        let own = self.env.methods.get(path, &unraw(name), self.env);
        let own = own.map(|method| self.env.expanded_method(method));
        let within = own.as_ref().map(Method::callee);
        let known = own.or_else(|| self.env.method(&path.0.to_string(), &unraw(name)));
        let lone = receiver.is_none();
        if lone
            && (name == "default" || self.env.is_maker(&path.0.to_string(), &unraw(name)))
            && rest.is_empty()
            && known.is_none()
            && let Some(lifted) =
                self.lifted(path, &code::call_of(&path.0, &name.to_string()), span)
        {
            return lifted;
        }
        if let (true, true, None) = (lone, rest.is_empty(), &known)
            && let Some(value) = self.constant_call(path, &unraw(name), span)
        {
            return value;
        }
        let own = known.as_ref().map_or(0, |method| method.own);
        if !(called.lengths.is_empty() || called.lengths.len() == own) {
            return self.refuse(span, &error::TURBOFISH);
        }
        let known = known.map(|method| self.with_own_lengths(&method, path, &called.lengths));
        let callee = match within {
            Some(handle) => Callee {
                instance: known.as_ref().and_then(Method::instance),
                ..self.callee(handle)
            },
            None => {
                let own = known
                    .as_ref()
                    .map_or(&called.lengths[..], Method::own_lengths);
                self.callee_of(path, &unraw(name), own, name.span())
            }
        };
        self.call_of(path, (known, callee), receiver, rest, span)
    }

    /// `P::name()`, a value that does not depend on anything: a number, or anything of a type that is no derived struct.
    fn constant_call(&mut self, of: &Tokens, name: &str, span: Extent) -> Option<Expr> {
        let (text, any) = (of.0.to_string(), self.env.of(&of.0.to_string()));
        let written = self.env.passive(&text, name);
        let written = written.or_else(|| self.env.passive(&any, name))?;
        let ty = types::read_plain(&written, self.float, &mut self.types);
        let ty = match ty.filter(|ty| matches!(ty, Ty::Float | Ty::Int(_) | Ty::Bool)) {
            Some(number) => number,
            None if self.env.is_opaque(&any) => self.foreign_part(Some(&written)),
            None => return None,
        };
        let code = Passive::new(Tokens(code::call_of(&of.0, name)), Vec::new());
        Some(Expr::new(Kind::Passive(code), ty, span))
    }

    /// `<P as Trait>::name(..)`, or `<P>::name(..)`; `None` if the type may be no derived struct.
    pub(super) fn qualified_call(
        &mut self,
        path: &syn::ExprPath,
        args: &[&syn::Expr],
        span: Extent,
    ) -> Option<Expr> {
        let of = &path.qself.as_ref()?.ty;
        let is_default = path.path.segments.len() == 1 && path.path.segments[0].ident == "default";
        if is_default && args.is_empty() && !self.scalar {
            let ty = types::read_plain(of, self.float, &mut self.types);
            return Some(default_of(&ty.filter(has_default)?, span));
        }
        let Some(Ty::Struct(owner)) = types::read_structs(of) else {
            return None;
        };
        let mut names = path.path.segments.iter().rev();
        let name = names.next().filter(|s| s.arguments.is_none())?;
        let args: Vec<Expr> = args.iter().map(|a| self.expr(a)).collect();
        match names.next() {
            None => {
                let called = Called::new(&name.ident, None);
                Some(self.owned_call(&owner, &called, None, args, span))
            }
            Some(of_trait) => {
                let (of_trait, name) = (unraw(&of_trait.ident), unraw(&name.ident));
                Some(self.call_by_trait(&owner, &of_trait, &name, args, span))
            }
        }
    }

    /// The struct that `Trait::name(&p, ..)` is called of, if it has this method.
    pub(super) fn type_with_trait(
        &self,
        of_trait: &str,
        name: &str,
        args: &[Expr],
    ) -> Option<Tokens> {
        match self.types.peel(&args.first()?.ty) {
            Ty::Struct(path) if self.env.is_of_trait(&path.0.to_string(), name, of_trait) => {
                Some(path)
            }
            _ => None,
        }
    }

    /// `<P as Trait>::name(..)`
    pub(super) fn call_by_trait(
        &mut self,
        owner: &Tokens,
        of_trait: &str,
        name: &str,
        args: Vec<Expr>,
        span: Extent,
    ) -> Expr {
        let (key, of) = (symbol::of_trait(of_trait, name), owner.0.to_string());
        let callee = self.callee_of(owner, &key, &[], span.start);
        let is_known = self.env.is_of_trait(&of, name, of_trait);
        let known = is_known.then(|| self.env.method(&of, name)).flatten();
        self.call_of(owner, (known, callee), None, args, span)
    }

    /// A call of a function that belongs to a type: what is known of it, and its handle.
    fn call_of(
        &mut self,
        path: &Tokens,
        (known, callee): (Option<Method>, Callee),
        receiver: Option<Expr>,
        rest: Vec<Expr>,
        span: Extent,
    ) -> Expr {
        let mut args = Vec::new();
        #[cfg(feature = "ndarray")]
        let known = known.map(Method::without_arrays);
        let inputs = match &known {
            Some(k) => k.parameters(self.float, &mut self.types),
            None => Vec::new(),
        };
        // of a function without a receiver `self` may be the first argument
        let own =
            usize::from(receiver.is_none() && known.as_ref().is_some_and(|k| k.receiver.is_some()));
        for (arg, wanted) in rest.iter().skip(own).zip(inputs) {
            // references are coerced
            let wanted = match wanted {
                Some(Ty::Ref(_, of)) => Some(*of).filter(|t| matches!(t, Ty::Struct(_))),
                wanted => wanted,
            };
            if let Some(wanted) = wanted
                && matches!(self.types.peel(&arg.ty), Ty::Var(_))
            {
                self.unify(&self.types.peel(&arg.ty), &wanted, arg.span);
            }
        }
        self.match_inputs(known.as_ref(), rest.iter().skip(own));
        if let Some(receiver) = receiver {
            let how = known.as_ref().and_then(|k| k.receiver);
            args.push(match self.lifted_receiver(&receiver, path) {
                Some(lifted) => lifted,
                None => self.lend_receiver(receiver, path, how),
            });
        }
        let borrowed = args.len();
        args.extend(rest);
        let first = borrowed + own;
        let known_constants = known.as_ref().map_or(&[][..], |k| &k.constants);
        self.lift_all(&mut args[first..], known_constants);
        let constants = [&vec![false; first], known_constants].concat();
        self.note_outgoing(&args);
        if let Some(known) = &known {
            let inputs: Vec<_> = (known.inputs.iter().zip(&known.constants))
                .map(|(ty, constant)| Input {
                    ty: ty.clone(),
                    constant: *constant,
                })
                .collect();
            for (input, arg) in inputs.iter().zip(&mut args[first..]) {
                if !input.constant {
                    self.known_argument(&input.ty, arg);
                } else {
                    self.known_integers(&input.ty, &arg.ty);
                }
            }
            self.components(&inputs, false, &mut args[first..]);
        }
        let told = known.and_then(|k| k.result(self.float, &mut self.types));
        let ty = match told {
            Some(ty) => ty,
            None => {
                let traits = Traits {
                    callee: true,
                    ..Traits::default()
                };
                self.types.fresh_named(callee.gives, traits)
            }
        };
        Expr::new(
            Kind::Call {
                callee: callee.handle,
                instance: callee.instance,
                args,
                constants,
            },
            ty,
            span,
        )
    }

    /// `a + b` where a side is a derived struct, or borrowed: the method of the operator's trait. None of other types.
    pub(super) fn operator(
        &mut self,
        method: &str,
        left: &Expr,
        right: Option<&Expr>,
        span: Extent,
    ) -> Option<Expr> {
        let (mut left, mut right) = (left.clone(), right.cloned());
        for side in std::iter::once(&mut left).chain(&mut right) {
            self.lift(side);
        }
        let sides = [Some(&left), right.as_ref()];
        let is_of_structs = sides
            .into_iter()
            .flatten()
            .any(|e| self.is_struct_value(&e.ty));
        if !is_of_structs {
            return None;
        }
        let product = matches!(method, "mul" | "div" | "rem");
        // of what is not known yet: in a product a number, in a sum another of its kind, most likely; rustc
        // checks it
        for e in sides.into_iter().flatten() {
            if !matches!(self.types.peel(&e.ty), Ty::Var(_)) || self.is_tainted(&e.ty) {
                continue;
            }
            if product {
                self.unify(&self.types.peel(&e.ty), &Ty::Float, e.span);
            } else {
                self.struct_path(&e.ty);
            }
        }
        let args: Vec<Expr> = sides.into_iter().flatten().cloned().collect();
        self.operator_call(method, args, span)
    }

    /// Whether this is the method of an operator of these types.
    pub(super) fn is_known_operator(
        &self,
        method: &str,
        left: &Expr,
        right: Option<&Expr>,
    ) -> bool {
        let right = match right {
            Some(right) => self.side(&right.ty),
            None => Some(code::nothing()),
        };
        let known = |left: TokenStream, right: TokenStream| {
            (self.env).operator(method, &left.to_string(), &right.to_string())
        };
        let sides = self.side(&left.ty).zip(right);
        sides.is_some_and(|(left, right)| known(left, right).is_some())
    }

    /// `a += b` of derived structs.
    pub(super) fn assign_operator(
        &mut self,
        method: &str,
        place: Expr,
        value: Expr,
    ) -> Option<Expr> {
        if let Ty::Var(_) = self.types.shallow(&place.ty)
            && matches!(method, "add_assign" | "sub_assign")
            && self.is_struct_value(&value.ty)
            && !self.is_tainted(&place.ty)
        {
            self.struct_path(&place.ty);
        }
        let of = self.types.shallow(&place.ty);
        let Ty::Struct(_) = &of else {
            return None;
        };
        if matches!(self.types.peel(&value.ty), Ty::Var(_)) && !self.is_tainted(&value.ty) {
            if matches!(method, "add_assign" | "sub_assign") {
                self.struct_path(&value.ty);
            } else {
                self.unify(&self.types.peel(&value.ty), &Ty::Float, value.span);
            }
        }
        let span = place.span;
        let borrowed = Expr::reference(true, Expr { ty: of, ..place });
        let call = self.operator_call(method, vec![borrowed, value], span)?;
        self.unify(&call.ty.clone(), &Ty::unit(), span);
        Some(call)
    }

    /// A derived struct, or one that is borrowed.
    fn is_struct_value(&self, ty: &Ty) -> bool {
        match self.types.shallow(ty) {
            Ty::Struct(_) => true,
            Ty::Ref(false, inner) => matches!(self.types.shallow(&inner), Ty::Struct(_)),
            _ => false,
        }
    }

    /// `<V as Operator<hash, &'static V>>::Handle` of two sides, or of one.
    pub(super) fn operator_call(
        &mut self,
        method: &str,
        args: Vec<Expr>,
        span: Extent,
    ) -> Option<Expr> {
        let left = match self.types.shallow(&args[0].ty) {
            // of `a += b`
            Ty::Ref(true, inner) => self.side(&inner)?,
            ty => self.side(&ty)?,
        };
        let right = match args.get(1) {
            Some(e) => self.side(&e.ty)?,
            None => code::nothing(),
        };
        self.note_outgoing(&args);
        let right_text = args.get(1).map_or_else(String::new, |_| right.to_string());
        let Callee {
            handle: callee,
            instance,
            gives: mut result,
        } = self.operator_paths(method, &left, &right, span)?;
        if let Ty::Struct(path) = self.types.peel(&args[0].ty) {
            let long = path.0.to_string();
            let short = self.results.get(&long).cloned().unwrap_or(path);
            let name = result.0.to_string();
            if name.len() > LONGEST {
                // of long expressions the type is that on the left, or rustc says that it is not
                result = short;
            } else {
                self.results.insert(name, short);
            }
        }
        let known = self.env.operator(method, &left.to_string(), &right_text);
        let known = known.map(|operator| {
            let operator = self.with_lengths(&operator, &[]);
            for (written, side) in operator.of.iter().zip([&left, &right]) {
                self.match_side(written, side);
            }
            operator
        });
        let output = known.map(|operator| operator.output.unwrap_or(parse_quote!(())));
        let known = output.and_then(|ty| self.known_type(&ty, result.clone()));
        let traits = Traits {
            callee: true,
            ..Traits::default()
        };
        let ty = known.unwrap_or_else(|| self.types.fresh_named(result, traits));
        let is_constant = |e: &Expr| matches!(self.types.peel(&e.ty), Ty::Opaque(_));
        let constants = args.iter().map(is_constant).collect();
        let kind = Kind::Call {
            callee,
            instance,
            args,
            constants,
        };
        Some(Expr { kind, ty, span })
    }

    /// The type of a side of an operator, as far as it is known.
    fn side(&self, ty: &Ty) -> Option<TokenStream> {
        let own = |name: &str| code::primitive(name, Span::call_site());
        Some(match self.types.shallow(ty) {
            Ty::Struct(path) | Ty::Opaque(path) => path.0,
            Ty::Ref(false, inner) => {
                let inner = self.side(&inner)?;
                code::borrowed_for_good(&inner)
            }
            Ty::Float => own(if self.single { "f32" } else { "f64" }),
            Ty::Int(name) => own(&name),
            Ty::Array(of, n) => code::array(&self.side(&of)?, &n.0),
            Ty::Vec(of) => code::vector(&self.side(&of)?),
            Ty::Slice(of) => code::slice(&self.side(&of)?),
            ty @ Ty::Var(_) if self.types.traits(&ty).is_some_and(|t| t.integer) => own("i32"),
            ty @ Ty::Var(_) if self.types.traits(&ty).is_some_and(|t| t.float) => {
                own(if self.single { "f32" } else { "f64" })
            }
            ty @ Ty::Var(_)
                if self
                    .types
                    .traits(&ty)
                    .is_some_and(|t| t.callee && !t.refused) =>
            {
                self.types.name(&ty)?.0.clone()
            }
            _ => return None,
        })
    }

    fn lend_receiver(&mut self, receiver: Expr, path: &Tokens, how: Option<Receiver>) -> Expr {
        let span = receiver.span;
        let of = match &receiver.ty {
            of @ Ty::Opaque(_) => of.clone(),
            _ => Ty::Struct(path.clone()),
        };
        let value = match self.types.shallow(&receiver.ty) {
            Ty::Ref(..) => Expr::new(Kind::Deref(Box::new(receiver)), of.clone(), span),
            _ => receiver,
        };
        let (kind, ty) = match how {
            Some(Receiver::Value) => return value,
            Some(Receiver::Ref) => (Kind::Ref(false, Box::new(value)), Ty::reference(false, of)),
            Some(Receiver::Mut) => (Kind::Ref(true, Box::new(value)), Ty::reference(true, of)),
            None => (Kind::Receiver(Box::new(value)), of),
        };
        Expr { kind, ty, span }
    }
}

/// The method that an operator stands for.
pub(super) fn operator_method(op: BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add => "add",
        BinOp::Sub => "sub",
        BinOp::Mul => "mul",
        BinOp::Div => "div",
        BinOp::Rem => "rem",
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => return None,
    })
}
