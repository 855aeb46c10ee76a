//! `Clone` that is written by hand. Generated code copies structs field by field.

use super::types::ungroup;
use quote::ToTokens;

/// The `clone` of a block that may do something else.
pub(crate) fn not_a_copy(block: &syn::ItemImpl) -> Option<&syn::ImplItemFn> {
    let (_, of_trait, _) = block.trait_.as_ref()?;
    if of_trait.segments.last()?.ident != "Clone" {
        return None;
    }
    block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) if f.sig.ident == "clone" && !copies(&f.block, &block.self_ty) => {
            Some(f)
        }
        _ => None,
    })
}

/// Whether a body is `*self`, or makes the type of the same fields: `Self { a: self.a, b: self.b.clone() }`.
fn copies(body: &syn::Block, itself: &syn::Type) -> bool {
    let [syn::Stmt::Expr(e, None)] = &body.stmts[..] else {
        return false;
    };
    let is_type = |path: &syn::Path| {
        let name = path.get_ident();
        let own = match ungroup(itself) {
            syn::Type::Path(p) => p.path.segments.last().map(|s| &s.ident),
            _ => None,
        };
        name.is_some_and(|name| name == "Self" || Some(name) == own)
    };
    match e {
        syn::Expr::Struct(s) => {
            let rest = s.rest.as_ref();
            is_type(&s.path)
                && rest.is_none_or(|rest| is_itself(rest))
                && s.fields.iter().all(|f| is_field(&f.expr, &f.member))
        }
        syn::Expr::Call(c) => {
            let mut args = c.args.iter().enumerate();
            matches!(&*c.func, syn::Expr::Path(p) if is_type(&p.path))
                && args.all(|(k, arg)| is_field(arg, &syn::Member::from(k)))
        }
        e => is_itself(e),
    }
}

/// `*self`
fn is_itself(e: &syn::Expr) -> bool {
    e.to_token_stream().to_string() == "* self"
}

/// `self.a`, `self.a.clone()`
fn is_field(e: &syn::Expr, member: &syn::Member) -> bool {
    match e {
        syn::Expr::MethodCall(m) if m.args.is_empty() => {
            let name = m.method.to_string();
            matches!(&*name, "clone" | "to_owned" | "to_vec") && is_field(&m.receiver, member)
        }
        syn::Expr::Call(c) => match (&*c.func, c.args.first()) {
            (syn::Expr::Path(p), Some(syn::Expr::Reference(r))) if c.args.len() == 1 => {
                let is_clone = p.path.segments.last().is_some_and(|s| s.ident == "clone");
                is_clone && is_field(&r.expr, member)
            }
            _ => false,
        },
        syn::Expr::Field(f) => {
            f.member == *member && f.base.to_token_stream().to_string() == "self"
        }
        syn::Expr::Paren(p) => is_field(&p.expr, member),
        _ => false,
    }
}
