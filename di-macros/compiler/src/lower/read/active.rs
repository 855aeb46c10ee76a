//! Whether an expression may be differentiated.

use super::expr::unraw;
use super::lifted::behind_references;
use super::{Item, Reader};
use crate::lower::ty::Ty;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

impl Reader<'_> {
    /// Whether an expression reads a variable of the function that is no constant, as far as types tell.
    pub(super) fn may_be_active(&self, e: &syn::Expr) -> bool {
        let active = |name: &str| {
            let closure = matches!(
                self.item(name),
                Some(Item::Closure(_) | Item::Maker(_) | Item::Chain(_))
            );
            let local = self.lookup(name);
            closure
                || local.is_some_and(|l| {
                    let ty = self.inner_type(&self.locals[l.0].ty);
                    let traits = self.types.traits(&ty);
                    let constant = traits.is_some_and(|t| t.foreign || t.integer);
                    !constant
                        && !self.constants.contains(&l)
                        && !matches!(ty, Ty::Opaque(_) | Ty::Int(_) | Ty::Bool)
                        && !self.is_list_of_constants(&ty)
                })
        };
        let is_read = |e: &syn::Expr| {
            walk::read(Node::Expr(e), &mut |node| match node {
                Node::ExprPath(p) => match p.path.get_ident().map(unraw) {
                    Some(name) if active(&name) => Onward::Found,
                    _ => Onward::Over,
                },
                Node::Expr(syn::Expr::Field(f)) if self.is_constant_part(f) => Onward::Over,
                _ => Onward::Into,
            })
        };
        // a parameter of a closure may have the name of such a variable
        is_read(e) && (walk::bound(Node::Expr(e)).is_empty() || is_read(&self.unshadowed(e)))
    }

    /// Whether this is a list of constant structs: those that are differentiated are lists of others.
    fn is_list_of_constants(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Vec(of) | Ty::Array(of, _) => {
                matches!(self.types.peel(of), Ty::Opaque(path) if self.env.is_struct(&path.0.to_string()))
            }
            _ => false,
        }
    }

    /// The type, or what there is in a stretch of a list.
    pub(super) fn inner_type(&self, ty: &Ty) -> Ty {
        match self.types.peel(ty) {
            Ty::Slice(of) => self.inner_type(&of),
            ty => ty,
        }
    }

    /// `m.info`, a constant in what is differentiated.
    fn is_constant_part(&self, f: &syn::ExprField) -> bool {
        let of = self.type_as_written(&f.base);
        of.is_some_and(|of| {
            let of = self.env.expanded(&of);
            let path = behind_references(&of).to_token_stream().to_string();
            let name = super::structs::member_name(&f.member);
            self.env.is_data(&path, &name) || self.env.constant_part(&path, &name).is_some()
        })
    }
}
