//! Closures: those with a name, and those that are written where they are used. All are inlined.

use super::expr::{strip, unraw};
use super::function::may_hold_functions;
use super::stmt::diverges;
use super::{ClosureScope, Item, Reader};
use crate::error;
use crate::lower::environment::has_no_floats;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{
    Captures, Closure, ClosureId, Expr, Kind, Lambda, Local, LocalInfo, Pat, Step,
};
use crate::lower::inline::{called, gives_function, inputs_within, is_box};
use crate::lower::tail::closure_body;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::walk::{each, each_mut, each_mut_of_lambda};
use crate::report::Extent;
use crate::template::parse_quote;
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// Types of std whose methods stand in the place of closures.
const WITH_METHODS: [&str; 11] = [
    "BTreeMap", "BTreeSet", "HashMap", "HashSet", "Option", "Result", "String", "Vec", "VecDeque",
    "char", "str",
];

/// Functions of theirs that are no methods.
const MAKING: [&str; 7] = [
    "default",
    "from",
    "from_iter",
    "from_str",
    "from_u32",
    "new",
    "with_capacity",
];

/// Hands out the expressions that a closure is made of.
type Parts<'p> = &'p mut dyn FnMut(&mut dyn FnMut(&mut Expr));

/// How far the reader has come where a closure begins: what comes later is the closure's own.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) locals: usize,
    pub(super) closures: usize,
}

impl Reader<'_> {
    /// A closure, or the path of a function or a closure, in the place of one with these parameters.
    pub(super) fn lambda(&mut self, f: &syn::Expr, params: &[Ty]) -> Option<Lambda> {
        match strip(f) {
            syn::Expr::Closure(c) if c.inputs.len() == params.len() => self
                .written_closure(c, Some(params), None)
                .map(|found| found.0),
            syn::Expr::Closure(_) => {
                self.cx.mismatch();
                None
            }
            // what makes a value, and functions without derivatives, whose calls are carried along
            syn::Expr::Path(p)
                if p.qself.is_none()
                    && (self.is_constructor(&p.path)
                        || self.constant_made(&p.path).is_some()
                        || self.plain_function(&p.path).is_some()) =>
            {
                self.lambda(&called(f, params.len()), params)
            }
            syn::Expr::Path(p) if let Some(c) = self.method_of_std(p, params.len()) => self
                .written_closure(&c, Some(params), None)
                .map(|found| found.0),
            syn::Expr::Path(p) if p.qself.is_none() => Some(self.path_as_closure(p, params)),
            // `&g`, `&mut g`
            syn::Expr::Reference(r) => self.lambda(&r.expr, params),
            // `kind.function()`, which is what it is whenever it is called
            syn::Expr::MethodCall(m)
                if m.args.is_empty() && !self.has_change(f) && self.calls_of(f) > 0 =>
            {
                self.lambda(&called(f, params.len()), params)
            }
            other => {
                self.cx.error(other.extent(), &error::NOT_A_CLOSURE);
                None
            }
        }
    }

    /// `Vec::len` or `<[f64]>::len` as a closure, `|v| v.len()`: a method of std that takes what it is called on.
    fn method_of_std(&self, path: &syn::ExprPath, count: usize) -> Option<syn::ExprClosure> {
        let mut names = path.path.segments.iter().rev();
        let method = &names.next()?.ident;
        let is_of_std = match &path.qself {
            Some(of) => {
                of.as_token.is_none() && matches!(*of.ty, syn::Type::Slice(_) | syn::Type::Array(_))
            }
            None => {
                let of = names.next()?.ident.to_string();
                WITH_METHODS.contains(&&*of) && !self.env.is_struct(&of)
            }
        };
        let is_method = count > 0
            && is_of_std
            && !MAKING.iter().any(|name| method == name)
            && method.to_string().starts_with(char::is_lowercase);
        let name = |k| Ident::new(&format!("__given{k}"), Span::call_site());
        let others: Vec<_> = (1..count).map(name).collect();
        let first = name(0);
        is_method.then(|| parse_quote!(|#first, #(#others),*| #first.#method(#(#others),*)))
    }

    /// A closure that returns a bool.
    pub(super) fn test_closure(&mut self, f: &syn::Expr, param: Ty) -> Option<Lambda> {
        let lambda = self.lambda(f, &[param])?;
        self.unify(&lambda.body.ty.clone(), &Ty::Bool, lambda.body.span);
        Some(lambda)
    }

    /// `|a, b| body`, with the types of the parameters: given, written, or inferred from their use; and its result, if
    /// that is known.
    pub(super) fn written_closure(
        &mut self,
        c: &syn::ExprClosure,
        params: Option<&[Ty]>,
        gives: Option<&Ty>,
    ) -> Option<(Lambda, Vec<Ty>)> {
        if c.asyncness.is_some() {
            self.cx.error(c.extent(), &error::ASYNC_BLOCK);
            return None;
        }
        let ret = match &c.output {
            syn::ReturnType::Default => gives.cloned().unwrap_or_else(|| self.types.fresh()),
            syn::ReturnType::Type(_, ty) => self.annotation(ty)?,
        };
        let scope = ClosureScope {
            ret: Some(ret.clone()),
            returns: false,
        };
        let mark = self.mark();
        let ((pats, tys), body, returns) = self.in_closure(scope, |r| {
            let tys = r.parameter_types(c, params);
            let pats = r.parameters(c, &tys);
            let mut body = r.expr(&c.body);
            if !diverges(&body) {
                r.fit(&mut body, &ret);
            }
            ((pats, tys), body)
        });
        let body = if returns {
            // no label of the user begins with a digit
            let label = format!("0closure{}", self.labels);
            self.labels += 1;
            closure_body(body, &ret, &label)
        } else {
            body
        };
        let mut body = Box::new(Expr { ty: ret, ..body });
        let captures = self.captures(c, mark, &mut |f| f(&mut body));
        Some((
            Lambda {
                pats,
                body,
                outside: mark.locals,
                captures,
            },
            tys,
        ))
    }

    /// Types of the parameters: as given, as written, or inferred from their use.
    fn parameter_types(&mut self, c: &syn::ExprClosure, given: Option<&[Ty]>) -> Vec<Ty> {
        if let Some(given) = given {
            return given.to_vec();
        }
        let inputs = c.inputs.iter();
        inputs
            .map(|p| match p {
                // texts and what holds them
                syn::Pat::Type(t)
                    if has_no_floats(&t.ty)
                        && types::read_local(&t.ty, self.float, &mut self.types).is_none() =>
                {
                    self.carried(Some((*t.ty).clone()))
                }
                // a written type says whether the parameter is a reference
                syn::Pat::Type(t) => {
                    let ty = self.annotation(&t.ty).unwrap_or_else(|| self.tainted());
                    self.known_constant(ty)
                }
                syn::Pat::Reference(_) => {
                    let inner = self.types.fresh();
                    Ty::reference(false, inner)
                }
                _ => self.types.fresh(),
            })
            .collect()
    }

    /// A type that is not differentiated is constant wherever it is.
    fn known_constant(&self, ty: Ty) -> Ty {
        match ty {
            Ty::Ref(mutable, of) => Ty::reference(mutable, self.known_constant(*of)),
            Ty::Struct(path) if self.env.is_opaque(&path.0.to_string()) => Ty::Opaque(path),
            other => other,
        }
    }

    pub(super) fn parameters(&mut self, c: &syn::ExprClosure, tys: &[Ty]) -> Vec<Pat> {
        let inputs = c.inputs.iter().zip(tys);
        inputs.map(|(p, ty)| self.pattern(p, ty)).collect()
    }

    /// Reads what is inside a closure: loops and `return` of the function are out of reach. Tells
    /// whether there is a `return`.
    pub(super) fn in_closure<T, U>(
        &mut self,
        scope: ClosureScope,
        read: impl FnOnce(&mut Self) -> (T, U),
    ) -> (T, U, bool) {
        let outer = self.closure.replace(scope);
        let loops = std::mem::take(&mut self.loops);
        let (a, b) = self.scoped(read);
        self.loops = loops;
        let inner = std::mem::replace(&mut self.closure, outer);
        (a, b, inner.is_some_and(|c| c.returns))
    }

    /// `f64::max`, `h` or `g` in the place of a closure: a call on the parameters.
    fn path_as_closure(&mut self, path: &syn::ExprPath, params: &[Ty]) -> Lambda {
        let span = path.extent();
        let outside = self.locals.len();
        let locals: Vec<_> = params
            .iter()
            .map(|ty| self.unnamed("item", ty.clone(), span))
            .collect();
        let args = locals.iter().zip(params);
        let args = args
            .map(|(l, ty)| Expr::new(Kind::Local(*l), ty.clone(), span))
            .collect();
        let body = Box::new(self.call_path(path, args, span));
        let pats = locals.into_iter().map(Pat::Bind).collect();
        Lambda::new(pats, body, outside)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            locals: self.locals.len(),
            closures: self.closures.len(),
        }
    }

    /// What a `move` closure takes along: variables of its own, in all expressions that `parts` hands
    /// out and in the closures that it makes.
    pub(super) fn captures(
        &mut self,
        c: &syn::ExprClosure,
        mark: Mark,
        parts: Parts<'_>,
    ) -> Captures {
        let mut captures = Captures::new();
        if c.capture.is_none() {
            return captures;
        }
        let mut writers = Vec::new();
        parts(&mut |e| self.stateful_calls(e, mark.closures, &mut writers));
        for span in writers {
            self.cx.error(span, &error::CLOSURE_MOVE);
        }
        let locals = &mut self.locals;
        let mut fresh = |outer: Local| {
            let info = LocalInfo {
                taken: true,
                ..locals[outer.0].clone()
            };
            locals.push(info);
            Local(locals.len() - 1)
        };
        let mut take = |e: &mut Expr| rename(e, mark.locals, &mut captures, &mut fresh);
        parts(&mut take);
        for closure in &mut self.closures[mark.closures..] {
            each_mut_of_lambda(&mut closure.lambda, &mut take);
        }
        captures
    }

    /// Calls of closures that have taken along what may change: a `move` closure copies these too.
    fn stateful_calls(&self, e: &mut Expr, closures: usize, found: &mut Vec<Extent>) {
        if let Kind::CallClosure(id, _) | Kind::Chain { id, .. } = &e.kind
            && id.0 < closures
        {
            let mut captures = self.closures[id.0].lambda.captures.iter();
            if captures.any(|(_, inner)| self.is_state(*inner)) {
                found.push(e.span);
            }
        }
        each_mut(e, &mut |inner| self.stateful_calls(inner, closures, found));
    }

    /// Whether what a closure has taken along may change: a number does not if no closure writes to it.
    fn is_state(&self, taken: Local) -> bool {
        let info = &self.locals[taken.0];
        let is_number = matches!(
            self.types.shallow(&info.ty),
            Ty::Float | Ty::Int(_) | Ty::Bool
        );
        let is_written = || (self.closures.iter()).any(|c| writes(&c.lambda.body, taken));
        info.mutable && (!is_number || is_written())
    }

    // ---- closures with a name ----

    /// Whether the statement names a closure.
    pub(super) fn is_closure(&mut self, local: &syn::Local) -> bool {
        let Some(init) = &local.init else {
            return false;
        };
        init.diverge.is_none() && !may_hold_functions(&init.expr) && self.calls_of(&init.expr) > 0
    }

    /// `let name = |..| ..;`, or another name for a closure.
    pub(super) fn let_closure(&mut self, local: &syn::Local) -> Vec<Step> {
        self.no_attributes(&local.attrs);
        let mut steps = Vec::new();
        let pat = match &local.pat {
            syn::Pat::Type(t) => &*t.pat,
            pat => pat,
        };
        let name = match pat {
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => unraw(&p.ident),
            syn::Pat::Wild(_) => return steps,
            other => {
                self.cx.error(other.extent(), &error::CLOSURE);
                return steps;
            }
        };
        let init = local.init.as_ref();
        if let Some(made) = init.and_then(|init| self.made(&init.expr, None, &mut steps)) {
            let scope = self.scopes.last_mut().expect("a function has a scope");
            scope.locals.remove(&name);
            scope.items.insert(name, made);
        }
        steps
    }

    /// The closure that an expression makes or names, and what is done before.
    pub(super) fn made_closure(
        &mut self,
        e: &syn::Expr,
        params: Option<&[Ty]>,
        steps: &mut Vec<Step>,
    ) -> Option<ClosureId> {
        match self.made(e, params, steps)? {
            Item::Closure(id) => Some(id),
            _ => {
                self.cx.error(e.extent(), &error::CLOSURE);
                None
            }
        }
    }

    /// The same, of one that makes others too.
    pub(super) fn made(
        &mut self,
        e: &syn::Expr,
        params: Option<&[Ty]>,
        steps: &mut Vec<Step>,
    ) -> Option<Item> {
        match function(e) {
            syn::Expr::Closure(c) => {
                let made = self.defined(c, params);
                if let Item::Closure(id) = made {
                    steps.push(Step::Closure(id));
                }
                Some(made)
            }
            syn::Expr::Path(p) => {
                let found = self.item(&unraw(p.path.get_ident()?));
                found.filter(|found| found.is_closure()).cloned()
            }
            syn::Expr::Call(c) => self.made_by(c, params, steps),
            syn::Expr::MethodCall(m) => {
                let body = self.function_in_place(m)?;
                self.made(&body, params, steps)
            }
            e @ (syn::Expr::If(_) | syn::Expr::Match(_)) => self.one_of(e, steps),
            syn::Expr::Block(b) => self.scoped(|r| {
                let (first, last) = r.steps_and_last(&b.block)?;
                steps.extend(first);
                r.made(last, params, steps)
            }),
            _ => None,
        }
    }

    pub(super) fn define(&mut self, c: &syn::ExprClosure, params: Option<&[Ty]>) -> ClosureId {
        let params = params.filter(|params| params.len() == c.inputs.len());
        let read = self.written_closure(c, params, None);
        let (lambda, params) = read.unwrap_or_else(|| {
            let body = Box::new(self.refused(c.extent()));
            let pats = Vec::new();
            let params = c.inputs.iter().map(|_| self.tainted()).collect();
            let lambda = Lambda::new(pats, body, self.locals.len());
            (lambda, params)
        });
        self.closures.push(Closure { lambda, params });
        ClosureId(self.closures.len() - 1)
    }

    /// The closure that a name stands for.
    pub(super) fn closure_of(&self, name: &syn::Ident) -> Option<ClosureId> {
        match self.item(&unraw(name)) {
            Some(Item::Closure(id)) => Some(*id),
            Some(Item::Const(..) | Item::Use(..) | Item::Chain(_) | Item::Maker(_)) | None => None,
        }
    }

    /// Whether a name stands for a closure.
    pub(super) fn names_closure(&self, name: &syn::Ident) -> bool {
        self.item(&unraw(name)).is_some_and(Item::is_closure)
    }

    /// What is wrong with a call of a function whose body stands in the place of its calls, and is left of one: it calls
    /// itself, or gives a closure where none can be.
    pub(super) fn refused_in_place(&self, path: &syn::Path) -> Option<&'static error::Message> {
        let name = path.to_token_stream().to_string();
        let is_own = (path.get_ident()).is_some_and(|name| self.names_closure(name));
        let higher = self.env.higher(&name).filter(|_| !is_own)?;
        if self.env.function(&name).is_some() {
            return None;
        }
        Some(match gives_function(&higher.sig) {
            true => &error::CLOSURE,
            false => &error::PARAMETER_FUNCTION,
        })
    }

    /// `g(a, b)`
    pub(super) fn call_closure(
        &mut self,
        id: ClosureId,
        mut args: Vec<Expr>,
        span: Extent,
    ) -> Expr {
        let closure = &self.closures[id.0];
        let ty = closure.lambda.body.ty.clone();
        let params = closure.params.clone();
        if params.len() != args.len() {
            self.cx.mismatch();
            return self.refused(span);
        }
        for (arg, ty) in args.iter_mut().zip(&params) {
            self.fit(arg, ty);
        }
        Expr::new(Kind::CallClosure(id, args), ty, span)
    }

    /// `(|x| ..)(a)`, `{ ..; |x| .. }(a)`: `None` of anything else.
    pub(super) fn call_in_place(&mut self, c: &syn::ExprCall) -> Option<Expr> {
        let is_made = matches!(
            function(&c.func),
            syn::Expr::Closure(_)
                | syn::Expr::Block(_)
                | syn::Expr::Call(_)
                | syn::Expr::MethodCall(_)
        );
        if !is_made || self.calls_of(&c.func) == 0 {
            return None;
        }
        let (span, mut stmts) = (c.extent(), Vec::new());
        let args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
        let params: Vec<Ty> = args.iter().map(|a| a.ty.clone()).collect();
        let id = self.made_closure(&c.func, Some(&params), &mut stmts)?;
        let call = self.call_closure(id, args, span);
        Some(Expr::block(stmts, call, span))
    }
}

/// The expression for a function: `&f`, `Box::new(f)` and `f as fn(f64) -> f64` are called as `f` is.
pub(super) fn function(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::Reference(r) => function(&r.expr),
        syn::Expr::Cast(c) if inputs_within(&c.ty).is_some() => function(&c.expr),
        syn::Expr::Call(c) if is_box(strip(&c.func)) => c.args.first().map_or(e, function),
        other => other,
    }
}

/// Whether code writes to a number, or hands it on to be written to.
fn writes(e: &Expr, number: Local) -> bool {
    let is_it = |e: &Expr| matches!(e.kind, Kind::Local(l) if l == number);
    let mut found = match &e.kind {
        Kind::Assign(place, _) | Kind::AssignOp(_, place, _) | Kind::Ref(true, place) => {
            is_it(place)
        }
        Kind::Passive(p) | Kind::OnState(p) => p.locals.iter().any(|(_, l)| *l == number),
        _ => false,
    };
    each(e, &mut |inner| found |= writes(inner, number));
    found
}

/// Puts what is taken along in the place of the variables from outside, which are noted. Closures from
/// outside keep their own.
fn rename(
    e: &mut Expr,
    outside: usize,
    captures: &mut Captures,
    fresh: &mut dyn FnMut(Local) -> Local,
) {
    let (ty, span) = (e.ty.clone(), e.span);
    let mut take = |local: &mut Local| {
        if local.0 >= outside {
            return;
        }
        let is_known = |c: &&(Expr, Local)| matches!(c.0.kind, Kind::Local(l) if l == *local);
        let known = captures.iter().find(is_known).map(|c| c.1);
        *local = known.unwrap_or_else(|| {
            let (inner, outer) = (fresh(*local), Kind::Local(*local));
            let outer = Expr::new(outer, ty.clone(), span);
            captures.push((outer, inner));
            inner
        });
    };
    match &mut e.kind {
        Kind::Local(local) => take(local),
        Kind::Passive(p) => p.locals.iter_mut().for_each(|(_, l)| take(l)),
        _ => {}
    }
    each_mut(e, &mut |inner| rename(inner, outside, captures, fresh));
}
