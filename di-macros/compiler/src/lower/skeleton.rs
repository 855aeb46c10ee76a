//! A body with the right signature and no content, for functions that could not be lowered: uses of
//! the handle then cause no errors of their own.

use super::environment::Environment;
use super::signature::{Signature, read_signature};
use crate::error;
use crate::ir::{
    Body, Exit, Init, Leaf, Lit, Mode, Op, Place, PlaceId, PlaceKind, Proj, Region, Stmt, Tokens,
    Tree, Type, Val,
};
use crate::report::Report;
use proc_macro2::Span;

/// The skeleton, if the signature is understood. When types of the user's code do not fit rustc says
/// so and nothing of this is ever run; were we wrong about that, instantiating it does not compile.
pub(crate) fn skeleton(item: &syn::ItemFn, env: &Environment) -> Option<Body> {
    let cx = Report::default();
    let body = signature_of(item, env, &cx);
    cx.check().ok()?;
    body
}

/// The skeleton of a function whose body is not looked into.
pub(crate) fn signature_of(item: &syn::ItemFn, env: &Environment, cx: &Report) -> Option<Body> {
    let Signature {
        params,
        ret,
        ret_tree,
        float,
        ..
    } = read_signature(item, env, cx)?;
    let body = Body {
        name: item.sig.ident.to_string(),
        span: item.sig.ident.span(),
        float,
        params,
        returns_rows: super::build::is_rows(&ret),
        fallible: super::signature::fallible(&ret),
        ret: ret_tree,
        vals: Vec::new(),
        places: Vec::new(),
        region: Region::default(),
        strong_zeros: false,
        has_cells: false,
        lengths: Vec::new(),
        generic: None,
    };
    Some(
        Skeleton {
            body,
            stmts: Vec::new(),
        }
        .fill(),
    )
}

struct Skeleton {
    body: Body,
    stmts: Vec<Stmt>,
}

impl Skeleton {
    fn fill(mut self) -> Body {
        self.params();
        let poison = self.poison();
        self.touch_outputs(poison);
        let tree: Tree<Type> = self.body.ret.clone();
        let leaves = tree
            .leaves()
            .into_iter()
            .map(|ty| self.leaf(ty, poison))
            .collect();
        self.body.region = Region {
            stmts: self.stmts,
            exit: Exit::Return(leaves),
        };
        self.body
    }

    fn params(&mut self) {
        for n in 0..self.body.params.len() {
            let p = self.body.params[n].clone();
            let kind = match p.mode {
                Mode::Value if p.ty.is_scalar() => {
                    self.value(p.ty, Op::Param(n));
                    continue;
                }
                Mode::Value => PlaceKind::ValueParam(n),
                Mode::Ref => PlaceKind::SharedParam(n),
                Mode::Mut => PlaceKind::MutParam(n),
            };
            let place = self.body.new_place(p.ty, &p.name, kind, p.span);
            self.body.params[n].place = Some(place);
        }
    }

    /// A float that exists only as long as nobody asks for it.
    fn poison(&mut self) -> Val {
        let told = error::MISFIT.filled(crate::report::UNKNOWN_TYPES);
        let text = format!("const {{ ::core::panic!(\"{{}}\", {told:?}) }}");
        let tokens = Tokens(text.parse().expect("code of our own is well-formed"));
        self.value(
            Type::Float,
            Op::Verbatim {
                tokens,
                operands: Vec::new(),
                places: Vec::new(),
            },
        )
    }

    fn touch_outputs(&mut self, v: Val) {
        let outputs: Vec<(PlaceId, Type)> = self
            .body
            .params
            .iter()
            .filter(|p| p.mode == Mode::Mut && *p.ty.leaf() == Type::Float)
            .filter_map(|p| Some((p.place?, p.ty.clone())))
            .collect();
        for (root, mut ty) in outputs {
            let mut path = Vec::new();
            while let Some(elem) = ty.element() {
                let zero = self.value(Type::usize(), Op::Lit(Lit::Int(0)));
                path.push(Proj::Index(zero));
                ty = elem.clone();
            }
            self.stmts.push(Stmt::Store(Place { root, path }, v));
        }
    }

    fn leaf(&mut self, ty: &Type, poison: Val) -> Leaf {
        let value = match ty.leaf() {
            Type::Int(_) => self.value(ty.leaf().clone(), Op::Lit(Lit::Int(0))),
            Type::Bool => self.value(Type::Bool, Op::Lit(Lit::Bool(false))),
            Type::Float
            | Type::Lane
            | Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Struct(_)
            | Type::Lanes(_)
            | Type::Opaque(_) => poison,
        };
        let init = match ty {
            Type::Struct(_) => Init::Zero,
            Type::Array(..) if matches!(ty.leaf(), Type::Struct(_)) => Init::Zero,
            Type::Vec(_) if matches!(ty.leaf(), Type::Struct(_)) => {
                let n = self.value(Type::usize(), Op::Lit(Lit::Int(0)));
                Init::ZeroLen(n)
            }
            Type::Array(..) => Init::ArrayFill(value),
            Type::Vec(_) => {
                let n = self.value(Type::usize(), Op::Lit(Lit::Int(0)));
                Init::VecFill(value, n)
            }
            Type::Float
            | Type::Lane
            | Type::Int(_)
            | Type::Bool
            | Type::Slice(_)
            | Type::Lanes(_)
            | Type::Opaque(_) => return Leaf::Val(value),
        };
        let place = self
            .body
            .new_place(ty.clone(), "result", PlaceKind::Local, Span::call_site());
        self.stmts.push(Stmt::Declare(place, init));
        Leaf::Place(place)
    }

    fn value(&mut self, ty: Type, op: Op) -> Val {
        let v = self.body.new_val(ty, None, Span::call_site());
        self.stmts.push(Stmt::Let(v, op));
        v
    }
}
