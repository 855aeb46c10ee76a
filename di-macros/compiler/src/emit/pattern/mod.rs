//! Code for sparsity patterns: the primal on sets of inputs.
//!
//! What inputs do not decide runs as it is. A branch that they decide runs both arms, each on the state
//! before it, and joins what they leave; a loop that they decide goes on until a trip adds nothing; an
//! arm that ends in a panic adds nothing. Integers and bools that such arms write are `Option`s, `None` if
//! they are not known; what has to know them ends with a typed error.

mod fork;

use super::call::with_holes;
use super::function::Signature;
use super::once::with_cells;
use super::{Context, Emitter, Kind};
use crate::analysis::activity::activity;
use crate::analysis::control::{Control, call_of};
use crate::analysis::views::Views;
use crate::ir::{
    Arg, Body, Call, Effect, Leaf, Op, Place, PlaceId, PlaceKind, Proj, Region, Stmt, Type, Val,
};
use crate::sorted::Set;
use crate::template::quote;
use crate::transform::structure::structure;
use proc_macro2::{Ident, TokenStream};

/// The item, and whether it is no more than the primal.
pub(super) fn item(body: &Body, cx: Context<'_>) -> (TokenStream, bool) {
    let views = Views::of(body);
    let facts = activity(body, &views);
    let plain = Emitter::new(body, &facts, Kind::Primal, cx);
    let structured = structure(body);
    let control = Control::of(&structured.body);
    // other functions may have branches of their own
    let calls = body.region.all().filter_map(call_of);
    let calls = calls.filter(|call| !call.is_recursive(body)).count() > 0;
    let mut e = Emitter::new(&structured.body, &control.activity, Kind::Pattern, cx);
    let region = &structured.body.region;
    let mut is_primal = false;
    let is_plain = has_state(region) || has_views_of_changing(region, &control, &e);
    let code = if control.is_any() && is_plain {
        // a branch on inputs is a typed error, as in functions that are generic by hand
        is_primal = true;
        primal(body, &plain)
    } else if control.is_any() {
        e.control = Some(&control);
        e.results = &structured.results;
        let code = with_cells(&structured.body, e.region(&structured.body.region));
        let (fields, bind) = (e.field_traits(), e.bind_values());
        quote!(#fields #bind #code)
    } else if calls {
        let mut e = Emitter::new(body, &facts, Kind::Pattern, cx);
        let code = with_cells(body, e.region(&body.region));
        let (fields, bind) = (e.field_traits(), e.bind_values());
        quote!(#fields #bind #code)
    } else {
        is_primal = true;
        primal(body, &plain)
    };
    let sig = Signature { e: &plain };
    let item = sig.pattern(&sig.values(), &plain.pattern_ret(), &code);
    (item, is_primal)
}

impl Signature<'_, '_> {
    /// Pattern code with these parameters, which computes its result.
    pub(super) fn pattern(
        &self,
        values: &[TokenStream],
        ret: &TokenStream,
        result: &TokenStream,
    ) -> TokenStream {
        let (rt, real) = (self.e.rt, self.e.real());
        quote!(
            pub fn __pattern<__S: #rt::Abstract<Real = #real>>(
                #(#values,)* __pool: &mut #rt::Pool,
            ) -> ::core::result::Result<#ret, #rt::Undecided> {
                #result
            }
        )
    }
}

/// The primal as it is.
fn primal(body: &Body, e: &Emitter<'_>) -> TokenStream {
    let args = (0..body.params.len()).map(|k| e.arg(k));
    let (mut k, mut names) = (0, Vec::new());
    let value = e.tree(&body.ret.map(&mut |ty| {
        let name = super::names::own(&format!("__r{k}"));
        k += 1;
        names.push(name.clone());
        if is_decidable(ty) {
            quote!(::core::option::Option::Some(#name))
        } else {
            quote!(#name)
        }
    }));
    let mut names = names.into_iter();
    let result = e.pattern(&body.ret.map(&mut |_| {
        let name = names.next();
        quote!(#name)
    }));
    quote!(
        let #result = Self::__primal::<__S>(#(#args,)* __pool);
        ::core::result::Result::Ok(#value)
    )
}

/// Integers and bools of a result have a mark for what is not known.
fn is_decidable(ty: &Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Bool)
}

/// Whether there is state, which has no mark for what is not known.
fn has_state(region: &Region) -> bool {
    let is_state = |stmt: &Stmt| matches!(stmt, Stmt::Effect(e) if e.is_on_state());
    region.all().any(is_state)
}

/// Whether a structured body keeps a view of structs that a branch on inputs may change.
fn has_views_of_changing(region: &Region, control: &Control, e: &Emitter<'_>) -> bool {
    let mut views = Set::new();
    let mut changed = Set::new();
    let mut open = vec![region];
    while let Some(region) = open.pop() {
        for stmt in &region.stmts {
            match stmt {
                Stmt::View {
                    of, mutable: false, ..
                } => {
                    let root = control.root(of.root);
                    if e.body.place(root).ty.is_structs() {
                        views.insert(root);
                    }
                }
                Stmt::If {
                    cond, then, els, ..
                } if control.is_open(*cond) => {
                    changed.extend(control.written(then));
                    changed.extend(control.written(els));
                }
                Stmt::While { cond, body, .. } if control.is_open_loop(cond) => {
                    changed.extend(control.written(cond));
                    changed.extend(control.written(body));
                }
                _ => {}
            }
            open.extend(stmt.regions());
        }
    }
    !views.is_disjoint(&changed)
}

impl Emitter<'_> {
    /// Whether a value carries a mark for what is not known.
    pub(super) fn is_open(&self, v: Val) -> bool {
        self.control.is_some_and(|c| c.is_open(v))
    }

    pub(super) fn is_open_place(&self, p: PlaceId) -> bool {
        self.control.is_some_and(|c| c.is_open_place(p))
    }

    /// `let mut place = argument`, with a mark if the place has one.
    pub(super) fn bind_marked(&self, p: PlaceId, id: &Ident, arg: &Ident) -> TokenStream {
        if self.is_open_place(p) {
            quote!(let mut #id = ::core::option::Option::Some(#arg);)
        } else {
            quote!(let mut #id = #arg;)
        }
    }

    /// Whether what defines a value gives it a mark.
    pub(super) fn may_be_unknown(&self, v: Val) -> bool {
        self.control
            .is_some_and(|c| c.is_open(v) || c.is_demanded(v))
    }

    /// The type of a result of a branch, before what has to be known is.
    pub(super) fn result_ty(&self, v: Val) -> TokenStream {
        let ty = self.ty(&self.body.val(v).ty, self.generic(v));
        if self.may_be_unknown(v) {
            quote!(::core::option::Option<#ty>)
        } else {
            ty
        }
    }

    /// Makes those known that have to be.
    pub(super) fn demanded(&self, results: &[Val]) -> TokenStream {
        let rt = self.rt;
        let demanded = results
            .iter()
            .filter(|r| self.control.is_some_and(|c| c.is_demanded(**r)));
        demanded
            .map(|r| {
                let (id, ty) = (self.val(*r), self.val_ty(*r));
                quote!(let #id: #ty = #rt::demand(#id)?;)
            })
            .collect()
    }

    /// A value with a mark.
    pub(super) fn opened(&self, v: Val) -> TokenStream {
        let id = self.val(v);
        if self.is_open(v) {
            quote!(#id)
        } else {
            quote!(::core::option::Option::Some(#id))
        }
    }

    /// Whether what a view stands for may change its state while the view is there.
    pub(super) fn is_rewritten(&self, p: PlaceId) -> bool {
        self.control.is_some_and(|c| {
            !matches!(self.body.place(c.root(p)).kind, PlaceKind::SharedParam(_))
                && !self.body.place(c.root(p)).ty.is_structs()
        })
    }

    /// Statements that are not what they are in the primal.
    pub(super) fn pattern_stmt(&mut self, stmt: &Stmt) -> Option<TokenStream> {
        if self.kind != Kind::Pattern {
            return None;
        }
        match stmt {
            Stmt::Effect(e) => return Some(self.pattern_effect(e)),
            Stmt::AugmentedCall(c) => {
                let moved = c.call.args.iter().filter_map(|arg| match arg {
                    Arg::Place(Place { root, path }) if path.is_empty() => Some(*root),
                    _ => None,
                });
                self.moved.extend(moved);
                return Some(self.call(&c.call));
            }
            _ => {}
        }
        let control = self.control?;
        let rt = self.rt;
        match stmt {
            Stmt::Let(v, op) if control.is_open(*v) || control.is_demanded(*v) => {
                Some(self.open_let(*v, op))
            }
            // what the integer is counts for nothing
            Stmt::Let(v, Op::Cast(a)) if control.is_open(*a) => {
                let (id, ty, a) = (self.val(*v), self.val_ty(*v), self.val(*a));
                let real = self.real();
                Some(quote!(
                    let #id: #ty = __S::from_real(#a.map_or(0.0, |__c| __c as #real));
                ))
            }
            Stmt::Load(v, place) => {
                let inside = self.inside(place);
                if !control.is_demanded(*v) {
                    let load = self.load(*v, place);
                    return Some(quote!(#inside #load));
                }
                let (id, ty, path) = (self.val(*v), self.val_ty(*v), self.path(place));
                Some(quote!(let #id: #ty = #rt::demand(#path)?;))
            }
            Stmt::Store(place, v) if control.is_open_place(place.root) => {
                let (path, v) = (self.path(place), self.opened(*v));
                Some(quote!(#path = #v;))
            }
            Stmt::Store(place, v) => {
                let (inside, store) = (self.inside(place), self.store(place, *v));
                Some(quote!(#inside #store))
            }
            Stmt::Accumulate { place, negate, val } if control.is_open_place(place.root) => {
                let (path, v) = (self.path(place), self.opened(*val));
                let symbol = if *negate { quote!(-) } else { quote!(+) };
                Some(quote!(#path = #path.zip(#v).map(|(__a, __b)| __a #symbol __b);))
            }
            Stmt::Accumulate { place, negate, val } => {
                let inside = self.inside(place);
                let add = self.accumulate(place, *negate, *val);
                Some(quote!(#inside #add))
            }
            Stmt::If {
                cond,
                then,
                els,
                results,
            } if control.is_open(*cond) => Some(self.fork(control, *cond, [then, els], results)),
            Stmt::While {
                cond,
                body,
                trip,
                trips,
                ..
            } if control.is_open_loop(cond) => {
                Some(self.open_loop(control, cond, body, *trip, *trips))
            }
            _ => None,
        }
    }

    /// In an arm: an index that is out of bounds ends it.
    fn inside(&self, place: &Place) -> TokenStream {
        let Some(die) = self.arms.last() else {
            return TokenStream::new();
        };
        let mut tokens = TokenStream::new();
        if self.in_struct(place) {
            return tokens;
        }
        for (k, step) in place.path.iter().enumerate() {
            let Proj::Index(i) = step else { continue };
            let before = Place {
                root: place.root,
                path: place.path[..k].to_vec(),
            };
            let (path, i) = (self.path(&before), self.val(*i));
            tokens.extend(quote!(if #i >= (#path).len() { #die }));
        }
        tokens
    }

    /// Panics end the arm that they are in, if it is one of two; what is printed counts for nothing there.
    fn pattern_effect(&self, e: &Effect) -> TokenStream {
        // with state no arm is open
        if e.is_on_state() {
            return self.effect(e);
        }
        let looks = e
            .operands
            .iter()
            .any(|(_, v)| self.generic(*v) || self.is_open(*v))
            || e.places
                .iter()
                .any(|(_, p)| self.is_open_place(*p) || self.generic_place(*p));
        match self.arms.last() {
            Some(die) if e.diverges => quote!(#die),
            Some(_) => TokenStream::new(),
            None if e.diverges && looks => self.die(),
            None if looks => TokenStream::new(),
            None => self.effect(e),
        }
    }

    /// Leaves an arm that ends in a panic; all of them do if there is none.
    fn die(&self) -> TokenStream {
        let rt = self.rt;
        match self.arms.last() {
            Some(die) => die.clone(),
            None => quote!(return ::core::result::Result::Err(#rt::Undecided::panics());),
        }
    }

    fn open_let(&self, v: Val, op: &Op) -> TokenStream {
        let rt = self.rt;
        let (id, ty) = (self.val(v), self.val_ty(v));
        let control = self
            .control
            .expect("pattern code of a function with control by inputs");
        let looks = match op {
            Op::Cmp(_, a, b) => self.generic(*a) || self.generic(*b),
            Op::Cast(a) => self.generic(*a),
            _ => false,
        };
        let mut operands = Vec::new();
        op.clone().each_use(&mut |a| {
            if self.is_open(*a) && !operands.contains(a) {
                operands.push(*a);
            }
        });
        let value = if looks {
            quote!(<__S as #rt::Abstract>::unknown())
        } else if operands.is_empty() {
            let value = self.op(v, op);
            quote!(::core::option::Option::Some(#value))
        } else {
            let ids: Vec<Ident> = operands.iter().map(|a| self.var(*a)).collect();
            let value = self.op(v, op);
            quote!(match (#(#ids,)*) {
                (#(::core::option::Option::Some(#ids),)*) => ::core::option::Option::Some(#value),
                _ => ::core::option::Option::None,
            })
        };
        if control.is_demanded(v) {
            quote!(let #id: #ty = #rt::demand(#value)?;)
        } else {
            quote!(let #id: #ty = #value;)
        }
    }

    /// `let y = h::__pattern(x, __pool)?;`
    pub(super) fn pattern_call(
        &self,
        call: &Call,
        args: &[TokenStream],
        [fetch, before, put]: [TokenStream; 3],
    ) -> TokenStream {
        let (rt, target) = (self.rt, self.target(call));
        let (args, scalar) = (self.handed(call, args), self.scalar_of(call));
        let mut known = TokenStream::new();
        let hole = quote!(_);
        let pattern = call.result.map(&mut |leaf| self.leaf_pattern(leaf));
        let pattern = self.pattern(&with_holes(pattern, &hole));
        let ty = call.result.map(&mut |leaf| match leaf {
            Leaf::Val(v) => {
                let ty = self.ty(&self.body.val(*v).ty, true);
                if !is_decidable(&self.body.val(*v).ty) {
                    return ty;
                }
                if !self.is_open(*v) {
                    let id = self.val(*v);
                    known.extend(quote!(let #id: #ty = #rt::demand(#id)?;));
                }
                quote!(::core::option::Option<#ty>)
            }
            Leaf::Place(p) => self.ty(&self.body.place(*p).ty, true),
        });
        let ty = self.tree(&with_holes(ty, &hole));
        let result = if super::call::is_dropped(call) {
            quote!(_)
        } else {
            quote!(#pattern: #ty)
        };
        quote!(#fetch #before let #result = <#target>::__pattern #scalar(#(#args,)* __pool)?; #put #known)
    }

    /// Constants that inputs choose, which are sets here, as what the callee wants.
    fn handed(&self, call: &Call, args: &[TokenStream]) -> Vec<TokenStream> {
        let rt = self.rt;
        let each = call.args.iter().zip(args).map(|(arg, code)| match arg {
            Arg::Value(v) if self.control.is_some_and(|c| c.is_chosen(*v)) => {
                quote!(#rt::hand(#code))
            }
            _ => code.clone(),
        });
        each.collect()
    }

    /// The result type.
    fn pattern_ret(&self) -> TokenStream {
        self.tree(&self.body.ret.map(&mut |ty| {
            let plain = self.ty(ty, true);
            if is_decidable(ty) {
                quote!(::core::option::Option<#plain>)
            } else {
                plain
            }
        }))
    }

    pub(super) fn pattern_result(&self, leaves: &[Leaf]) -> TokenStream {
        let mut rest = leaves.iter();
        let value = self.tree(&self.body.ret.map(&mut |ty| {
            match rest.next().expect("verify: one leaf for each type") {
                Leaf::Val(v) if is_decidable(ty) => self.opened(*v),
                Leaf::Val(v) => self.lifted(*v),
                Leaf::Place(p) => {
                    let p = self.place_ident(*p);
                    quote!(#p)
                }
            }
        }));
        quote!(::core::result::Result::Ok(#value))
    }
}
